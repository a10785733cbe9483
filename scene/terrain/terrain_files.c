// SPDX-License-Identifier: MIT

// Terrain from files: .asc, .r16, .r32 and PNG, checked before any memory is asked for.

#include "terrain/terrain_files.h"

#include "files/json.h"
#include "terrain/png_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A cell of a PNG has at most 8 bytes before it is packed, and a value of an asc file seldom more than 24. What else may be in
// such a file has this many bytes.
#define TNS_PNG_CELL_BYTES 8
#define TNS_ASC_CELL_BYTES 32
#define TNS_EXTRA_BYTES ((uint64_t)1 << 20)

// ---------------------------------------------------------------------------------------------------------------------
// Grids

void tnsFreeGrid(tnsGrid* grid)
{
	free(grid->values);
	*grid = (tnsGrid){0};
}

int64_t tnsGetMaxCells(const tnsGridRequest* request)
{
	return request->maxCellCount > 0 && request->maxCellCount < TN_MAX_CELLS ? request->maxCellCount : TN_MAX_CELLS;
}

bool tnsIsAllowed(const tnsGridRequest* request, uint64_t byteCount)
{
	return byteCount <= SIZE_MAX / 2 && (request->memoryLimit == 0 || byteCount <= request->memoryLimit);
}

tnsResult tnsMakeGridMemoryError(const char* name, const tnsGridRequest* request, int64_t columnCount, int64_t rowCount)
{
	return tnsMakeError(tns_outOfMemory,
		"%.300s: %lld x %lld cells need more memory than the %llu bytes that are left for them", name,
		(long long)columnCount, (long long)rowCount, (unsigned long long)request->memoryLimit);
}

tnsResult tnsCreateGrid(
	const char* name, int64_t columnCount, int64_t rowCount, const tnsGridRequest* request, tnsGrid* grid)
{
	if (columnCount < 1 || columnCount > TNS_MAX_SIDE || rowCount < 1 || rowCount > TNS_MAX_SIDE)
	{
		return tnsMakeError(tns_badFormat, "%.300s: columns and rows must be from 1 to %d, got %lld x %lld", name,
			TNS_MAX_SIDE, (long long)columnCount, (long long)rowCount);
	}
	const int64_t maxCells = tnsGetMaxCells(request);
	if (columnCount * rowCount > maxCells)
	{
		return tnsMakeError(tns_badFormat, "%.300s: %lld x %lld cells are more than the %lld that are allowed%s", name,
			(long long)columnCount, (long long)rowCount, (long long)maxCells,
			maxCells < TN_MAX_CELLS ? " for a world of this size" : "");
	}
	const uint64_t byteCount = (uint64_t)(columnCount * rowCount) * sizeof(float);
	if (!tnsIsAllowed(request, byteCount))
	{
		return tnsMakeGridMemoryError(name, request, columnCount, rowCount);
	}
	grid->columnCount = (int)columnCount;
	grid->rowCount = (int)rowCount;
	grid->values = malloc((size_t)byteCount);
	if (grid->values == NULL)
	{
		return tnsMakeError(tns_outOfMemory, "%.300s: out of memory for %lld x %lld cells", name,
			(long long)columnCount, (long long)rowCount);
	}
	return (tnsResult){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Raw formats

static tnsResult tnsReadRaw(const unsigned char* bytes, size_t size, const char* name, const tnsGridRequest* request,
	int bytesPerCell, tnsGrid* grid)
{
	const char* ending = bytesPerCell == 2 ? "r16" : "r32";
	const int64_t cellCount = (int64_t)request->columnCount * request->rowCount;
	if (request->columnCount < 1 || request->rowCount < 1)
	{
		return tnsMakeError(tns_invalidArgument,
			"%.300s: an .%s file needs columns and rows of at least 1, got %d x %d", name, ending, request->columnCount,
			request->rowCount);
	}
	if ((uint64_t)size != (uint64_t)cellCount * (uint64_t)bytesPerCell)
	{
		return tnsMakeError(tns_badFormat, "%.300s: %d x %d cells of .%s need %lld bytes, but the file has %llu", name,
			request->columnCount, request->rowCount, ending, (long long)(cellCount * bytesPerCell),
			(unsigned long long)size);
	}
	const tnsResult result = tnsCreateGrid(name, request->columnCount, request->rowCount, request, grid);
	if (result.status != tns_ok)
	{
		return result;
	}
	for (int64_t i = 0; i < cellCount; ++i)
	{
		const unsigned char* cell = bytes + i * bytesPerCell;
		if (bytesPerCell == 2)
		{
			grid->values[i] = (float)(cell[0] | cell[1] << 8) / 65535.0f;
			continue;
		}
		const uint32_t bits = cell[0] | (uint32_t)cell[1] << 8 | (uint32_t)cell[2] << 16 | (uint32_t)cell[3] << 24;
		memcpy(&grid->values[i], &bits, sizeof(bits));
		if (isfinite(grid->values[i]) == 0)
		{
			return tnsMakeError(tns_badFormat, "%.300s: the value at column %d, row %d is not a finite number", name,
				(int)(i % request->columnCount), (int)(i / request->columnCount));
		}
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// ESRI ASCII

typedef struct tnsAscReader
{
	const char* text;
	size_t size, at;
	int line;
} tnsAscReader;

// The next word between white space. False at the end.
static bool tnsNextWord(tnsAscReader* reader, const char** word, size_t* length)
{
	while (reader->at < reader->size && reader->text[reader->at] != 0 &&
		strchr(" \t\r\n", reader->text[reader->at]) != NULL)
	{
		reader->line += reader->text[reader->at] == '\n' ? 1 : 0;
		reader->at += 1;
	}
	const size_t begin = reader->at;
	while (reader->at < reader->size &&
		(reader->text[reader->at] == 0 || strchr(" \t\r\n", reader->text[reader->at]) == NULL))
	{
		reader->at += 1;
	}
	*word = reader->text + begin;
	*length = reader->at - begin;
	return *length > 0;
}

static bool tnsIsWord(const char* word, size_t length, const char* name)
{
	if (length != strlen(name))
	{
		return false;
	}
	for (size_t i = 0; i < length; ++i)
	{
		const char c = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
		if (c != name[i])
		{
			return false;
		}
	}
	return true;
}

typedef enum tnsAscKey
{
	tns_ascColumns = 0,
	tns_ascRows,
	tns_ascCellSize,
	tns_ascCornerX,
	tns_ascCornerY,
	tns_ascNoData,
	tns_ascKeyCount,
} tnsAscKey;

static tnsAscKey tnsFindAscKey(const char* word, size_t length)
{
	static const struct
	{
		const char* name;
		tnsAscKey key;
	} names[] = {
		{"ncols", tns_ascColumns},
		{"nrows", tns_ascRows},
		{"cellsize", tns_ascCellSize},
		{"xllcorner", tns_ascCornerX},
		{"xllcenter", tns_ascCornerX},
		{"yllcorner", tns_ascCornerY},
		{"yllcenter", tns_ascCornerY},
		{"nodata_value", tns_ascNoData},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		if (tnsIsWord(word, length, names[i].name))
		{
			return names[i].key;
		}
	}
	return tns_ascKeyCount;
}

// Reads the header up to the first word that begins like a number, and leaves the reader in front of it.
static tnsResult tnsReadAscHeader(tnsAscReader* reader, const char* name, double* values, bool* given)
{
	// What a file has in it is nobody's business but its owner's: errors never quote it.
	static const char* const names[tns_ascKeyCount] = {
		"ncols", "nrows", "cellsize", "xllcorner", "yllcorner", "NODATA_value"};
	for (;;)
	{
		const tnsAscReader before = *reader;
		const char* word = NULL;
		size_t length = 0;
		double value = 0.0;
		if (tnsNextWord(reader, &word, &length) == false || tnsParseNumber(word, length, true, &value) > 0)
		{
			*reader = before;
			break;
		}
		const tnsAscKey key = tnsFindAscKey(word, length);
		if (key == tns_ascKeyCount)
		{
			return tnsMakeError(tns_badFormat,
				"%.300s: line %d: unknown header word; allowed are ncols, nrows, xllcorner, xllcenter, yllcorner, "
				"yllcenter, cellsize, NODATA_value",
				name, reader->line);
		}
		if (given[key])
		{
			return tnsMakeError(tns_badFormat, "%.300s: line %d: %s is given twice", name, reader->line, names[key]);
		}
		if (tnsNextWord(reader, &word, &length) == false || tnsParseNumber(word, length, true, &value) != length ||
			isfinite(value) == 0)
		{
			return tnsMakeError(tns_badFormat, "%.300s: line %d: %s needs a number", name, reader->line, names[key]);
		}
		values[key] = value;
		given[key] = true;
	}
	for (int key = 0; key < 3; ++key)
	{
		if (given[key] == false)
		{
			return tnsMakeError(tns_badFormat, "%.300s: the header has no %s", name, names[key]);
		}
	}
	const double columns = values[tns_ascColumns], rows = values[tns_ascRows];
	if (columns != floor(columns) || rows != floor(rows) || columns < 1.0 || columns > TNS_MAX_SIDE || rows < 1.0 ||
		rows > TNS_MAX_SIDE)
	{
		return tnsMakeError(
			tns_badFormat, "%.300s: ncols and nrows must be whole numbers from 1 to %d", name, TNS_MAX_SIDE);
	}
	if (values[tns_ascCellSize] <= 0.0)
	{
		return tnsMakeError(tns_badFormat, "%.300s: cellsize must be > 0", name);
	}
	return (tnsResult){0};
}

static tnsResult tnsReadAsc(
	const char* text, size_t size, const char* name, const tnsGridRequest* request, tnsGrid* grid)
{
	tnsAscReader reader = {text, size, 0, 1};
	double header[tns_ascKeyCount] = {0};
	bool given[tns_ascKeyCount] = {0};
	tnsResult result = tnsReadAscHeader(&reader, name, header, given);
	if (result.status != tns_ok)
	{
		return result;
	}
	const int64_t cellCount = (int64_t)header[tns_ascColumns] * (int64_t)header[tns_ascRows];
	// A value takes a digit and a space.
	if (cellCount > 0 && (uint64_t)cellCount > ((uint64_t)(size - reader.at) + 1) / 2)
	{
		return tnsMakeError(tns_badFormat,
			"%.300s: the header says %g x %g cells, but only %llu bytes of values follow", name, header[tns_ascColumns],
			header[tns_ascRows], (unsigned long long)(size - reader.at));
	}
	result = tnsCreateGrid(name, (int64_t)header[tns_ascColumns], (int64_t)header[tns_ascRows], request, grid);
	if (result.status != tns_ok)
	{
		return result;
	}
	const char* word = NULL;
	size_t length = 0;
	for (int64_t i = 0; i < cellCount; ++i)
	{
		const int column = (int)(i % grid->columnCount), row = (int)(i / grid->columnCount);
		if (tnsNextWord(&reader, &word, &length) == false)
		{
			return tnsMakeError(tns_badFormat,
				"%.300s: the header says %d x %d cells, but the values end at column %d of row %d", name,
				grid->columnCount, grid->rowCount, column, row);
		}
		double value = 0.0;
		if (tnsParseNumber(word, length, true, &value) != length || isfinite((float)value) == 0)
		{
			return tnsMakeError(tns_badFormat, "%.300s: line %d: the value of column %d is not a finite number", name,
				reader.line, column);
		}
		if (given[tns_ascNoData] && value == header[tns_ascNoData])
		{
			if (request->hasFill == false)
			{
				return tnsMakeError(tns_badFormat,
					"%.300s: line %d: there is no data at column %d of row %d; give a \"fill\" height for "
					"such cells",
					name, reader.line, column, row);
			}
			value = request->fill;
		}
		grid->values[i] = (float)value;
	}
	if (tnsNextWord(&reader, &word, &length))
	{
		return tnsMakeError(tns_badFormat, "%.300s: line %d: more values than the %d x %d of the header", name,
			reader.line, grid->columnCount, grid->rowCount);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// All formats

tnsGridFormat tnsGetGridFormat(const char* path)
{
	static const char* const endings[tns_gridFormatCount] = {".png", ".r16", ".r32", ".asc"};
	const size_t length = strlen(path);
	for (int format = 0; format < tns_gridFormatCount; ++format)
	{
		if (length > 4 && tnsIsWord(path + length - 4, 4, endings[format]))
		{
			return (tnsGridFormat)format;
		}
	}
	return tns_gridFormatCount;
}

tnsResult tnsReadGrid(const void* bytes, size_t size, const char* name, const tnsGridRequest* request, tnsGrid* grid)
{
	*grid = (tnsGrid){0};
	tnsResult result = {0};
	switch (request->format)
	{
		case tns_pngFormat:
			result = tnsReadPng(bytes, size, name, request, grid);
			break;
		case tns_r16Format:
			result = tnsReadRaw(bytes, size, name, request, 2, grid);
			break;
		case tns_r32Format:
			result = tnsReadRaw(bytes, size, name, request, 4, grid);
			break;
		case tns_ascFormat:
			result = tnsReadAsc(bytes, size, name, request, grid);
			break;
		default:
			result = tnsMakeError(
				tns_invalidArgument, "%.300s: unknown kind of file; allowed are .png .r16 .r32 .asc", name);
			break;
	}
	if (result.status != tns_ok)
	{
		tnsFreeGrid(grid);
	}
	return result;
}

// No file of a grid that is allowed has more bytes.
static size_t tnsGetMaxFileSize(const tnsGridRequest* request)
{
	const uint64_t cellCount = (uint64_t)tnsGetMaxCells(request);
	const bool hasSize = request->columnCount > 0 && request->rowCount > 0;
	const uint64_t stated = hasSize ? (uint64_t)request->columnCount * (uint64_t)request->rowCount : 0;
	uint64_t size = 0;
	switch (request->format)
	{
		case tns_r16Format:
		case tns_r32Format:
			// As many as it says: more than that are an error that tnsReadRaw need not see.
			size = (stated < cellCount ? stated : cellCount) * (request->format == tns_r16Format ? 2 : 4);
			break;
		case tns_ascFormat:
			size = cellCount * TNS_ASC_CELL_BYTES + TNS_EXTRA_BYTES;
			break;
		default:
			size = cellCount * TNS_PNG_CELL_BYTES + TNS_EXTRA_BYTES;
			break;
	}
	size = request->memoryLimit > 0 && request->memoryLimit < size ? request->memoryLimit : size;
	return (size_t)(size < SIZE_MAX / 2 ? size : SIZE_MAX / 2);
}

tnsResult tnsLoadGrid(const char* path, const tnsGridRequest* request, tnsGrid* grid)
{
	*grid = (tnsGrid){0};
	char* bytes = NULL;
	size_t size = 0;
	tnsResult result = tnsReadFileIn(path, request->folder, tnsGetMaxFileSize(request), &bytes, &size);
	if (result.status == tns_ok)
	{
		// The bytes of the file are there as long as it is read.
		tnsGridRequest left = *request;
		left.memoryLimit =
			request->memoryLimit > size ? request->memoryLimit - size : (request->memoryLimit > 0 ? 1 : 0);
		result = tnsReadGrid(bytes, size, path, &left, grid);
		free(bytes);
	}
	return result;
}

// Where the centre of target cell i lies between the centres of source cells first and first + 1.
static int tnsFindBetween(int i, int sourceCount, int targetCount, double* share)
{
	const double position = ((double)i + 0.5) * sourceCount / targetCount - 0.5;
	if (position <= 0.0 || sourceCount == 1)
	{
		*share = 0.0;
		return 0;
	}
	const int first = position < sourceCount - 2 ? (int)position : sourceCount - 2;
	*share = position - first < 1.0 ? position - first : 1.0;
	return first;
}

void tnsResampleGrid(const tnsGrid* grid, int columnCount, int rowCount, float* values)
{
	const int stepDown = grid->rowCount > 1 ? grid->columnCount : 0;
	const int stepRight = grid->columnCount > 1 ? 1 : 0;
	for (int row = 0; row < rowCount; ++row)
	{
		double shareZ = 0.0;
		const int sourceRow = tnsFindBetween(row, grid->rowCount, rowCount, &shareZ);
		for (int column = 0; column < columnCount; ++column)
		{
			double shareX = 0.0;
			const int sourceColumn = tnsFindBetween(column, grid->columnCount, columnCount, &shareX);
			const float* corner = grid->values + (size_t)sourceRow * (size_t)grid->columnCount + sourceColumn;
			// This form gives the corner itself for a share of 0 or 1, whatever the other corner.
			const double top = (1.0 - shareX) * corner[0] + shareX * corner[stepRight];
			const double bottom = (1.0 - shareX) * corner[stepDown] + shareX * corner[stepDown + stepRight];
			values[(size_t)row * (size_t)columnCount + (size_t)column] =
				(float)((1.0 - shareZ) * top + shareZ * bottom);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

// A string as JSON. Quotes, backslashes and control characters become '_': names of quantities need none of them.
static void tnsWriteHeaderString(FILE* file, const char* key, const char* text)
{
	fprintf(file, "\t\"%s\": \"", key);
	for (const char* c = text != NULL ? text : ""; *c != 0; ++c)
	{
		const bool plain = (unsigned char)*c >= 0x20 && *c != '"' && *c != '\\';
		fputc(plain ? *c : '_', file);
	}
	fprintf(file, "\",\n");
}

// %.9g needs the decimal point of JSON, whatever the locale says.
static void tnsWriteHeaderNumber(FILE* file, double value)
{
	char text[64];
	snprintf(text, sizeof(text), "%.9g", value);
	for (char* c = text; *c != 0; ++c)
	{
		fputc(*c == ',' ? '.' : *c, file);
	}
}

static tnsResult tnsWriteFieldHeader(const char* path, int columnCount, int rowCount, const tnsFieldInfo* info)
{
	tnsResult result = {0};
	const size_t length = strlen(path) + sizeof(".json");
	char* headerPath = malloc(length);
	if (headerPath == NULL)
	{
		return tnsMakeError(tns_outOfMemory, "%.300s: out of memory", path);
	}
	snprintf(headerPath, length, "%s.json", path);
	FILE* file = tnsOpenForWriting(headerPath, &result);
	if (file != NULL)
	{
		fprintf(file, "{\n\t\"format\": \"float32 little-endian, row by row, north first\",\n");
		tnsWriteHeaderString(file, "quantity", info->quantity);
		tnsWriteHeaderString(file, "unit", info->unit);
		fprintf(file, "\t\"columns\": %d,\n\t\"rows\": %d,\n\t\"cellSize\": ", columnCount, rowCount);
		tnsWriteHeaderNumber(file, (double)info->cellSize);
		fprintf(file, ",\n\t\"origin\": [");
		tnsWriteHeaderNumber(file, (double)info->origin.x);
		fprintf(file, ", ");
		tnsWriteHeaderNumber(file, (double)info->origin.z);
		fprintf(file, "],\n\t\"time\": ");
		tnsWriteHeaderNumber(file, info->time);
		fprintf(file, "\n}\n");
		tnsCloseWritten(file, headerPath, &result);
	}
	free(headerPath);
	return result;
}

tnsResult tnsWriteField(
	const char* path, const float* values, int columnCount, int rowCount, int stride, const tnsFieldInfo* info)
{
	if (path == NULL || values == NULL || columnCount < 1 || rowCount < 1 || stride < columnCount)
	{
		return tnsMakeError(tns_invalidArgument, "a field needs a path, values and a size, got %d x %d, stride %d",
			columnCount, rowCount, stride);
	}
	tnsResult result = {0};
	unsigned char* bytes = malloc((size_t)columnCount * 4);
	if (bytes == NULL)
	{
		return tnsMakeError(tns_outOfMemory, "%.300s: out of memory", path);
	}
	FILE* file = tnsOpenForWriting(path, &result);
	if (file != NULL)
	{
		for (int row = 0; row < rowCount; ++row)
		{
			for (int column = 0; column < columnCount; ++column)
			{
				uint32_t bits = 0;
				memcpy(&bits, values + (size_t)row * (size_t)stride + (size_t)column, sizeof(bits));
				for (int i = 0; i < 4; ++i)
				{
					bytes[4 * column + i] = (unsigned char)(bits >> (8 * i));
				}
			}
			fwrite(bytes, 4, (size_t)columnCount, file);
		}
		tnsCloseWritten(file, path, &result);
	}
	free(bytes);
	const tnsFieldInfo nothing = {0};
	return result.status == tns_ok ? tnsWriteFieldHeader(path, columnCount, rowCount, info != NULL ? info : &nothing)
								   : result;
}

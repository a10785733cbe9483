// SPDX-License-Identifier: MIT

// Terrain from files and from seeds: values against known ones, and what is refused.

#include "files/json.h"
#include "harness.h"
#include "terrain/png_files.h"
#include "terrain/procedural.h"
#include "terrain/terrain_files.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Odd and unequal: a swapped stride shows.
	s_columns = 37,
	s_rows = 23,
	s_maxPngBytes = 64 * 1024,
};

// CRC-32, polynomial 0xEDB88320.
static uint32_t GetCrc(const unsigned char* bytes, size_t size)
{
	uint32_t crc = 0xFFFFFFFFu;
	for (size_t i = 0; i < size; ++i)
	{
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; ++bit)
		{
			crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
		}
	}
	return ~crc;
}

// Little-endian 32-bit words, whatever the machine.
static uint32_t GetCrcOfWords(const uint32_t* words, int count)
{
	unsigned char* bytes = malloc((size_t)count * 4);
	for (int i = 0; i < 4 * count; ++i)
	{
		bytes[i] = (unsigned char)(words[i / 4] >> (8 * (i % 4)));
	}
	const uint32_t crc = GetCrc(bytes, (size_t)count * 4);
	free(bytes);
	return crc;
}

// ---------------------------------------------------------------------------------------------------------------------
// PNG

typedef struct Memory
{
	unsigned char bytes[s_maxPngBytes];
	size_t size;
} Memory;

static void WriteToMemory(png_structp png, png_bytep bytes, size_t count)
{
	Memory* memory = png_get_io_ptr(png);
	if (memory->size + count > s_maxPngBytes)
	{
		png_error(png, "too large");
	}
	memcpy(memory->bytes + memory->size, bytes, count);
	memory->size += count;
}

static void FlushMemory(png_structp png)
{
	(void)png;
}

// The value of a channel of a pixel: the whole range, with both bytes different.
static unsigned GetPixel(int column, int row, int channel, int depth)
{
	const unsigned value = (unsigned)(column * 7919 + row * 104729 + channel * 31337 + 12345) & 0xFFFFu;
	return depth == 16 ? value : (depth == 8 ? value & 0xFFu : value & 1u);
}

// A test picture by libpng, without any code of tarn.
static void MakePng(Memory* memory, int color, int depth, int interlace)
{
	memory->size = 0;
	const int channelCount = color == PNG_COLOR_TYPE_RGB ? 3 : (color == PNG_COLOR_TYPE_GRAY_ALPHA ? 2 : 1);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	png_set_write_fn(png, memory, WriteToMemory, FlushMemory);
	png_set_IHDR(
		png, info, s_columns, s_rows, depth, color, interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (color == PNG_COLOR_TYPE_PALETTE)
	{
		png_color palette[256];
		png_byte alpha[256];
		for (int i = 0; i < 256; ++i)
		{
			palette[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i * 3)};
			alpha[i] = (png_byte)i;
		}
		png_set_PLTE(png, info, palette, 256);
		png_set_tRNS(png, info, alpha, 256, NULL);
	}
	png_write_info(png, info);
	static unsigned char pixels[s_rows][s_columns * 6];
	memset(pixels, 0, sizeof(pixels));
	png_bytep rows[s_rows];
	for (int row = 0; row < s_rows; ++row)
	{
		unsigned char* at = pixels[row];
		for (int column = 0; column < s_columns; ++column)
		{
			for (int channel = 0; channel < channelCount; ++channel)
			{
				const unsigned value = GetPixel(column, row, channel, depth);
				if (depth == 16)
				{
					*at++ = (unsigned char)(value >> 8);
				}
				if (depth == 1)
				{
					pixels[row][column / 8] |= (unsigned char)(value << (7 - column % 8));
					continue;
				}
				*at++ = (unsigned char)value;
			}
		}
		rows[row] = pixels[row];
	}
	png_write_image(png, rows);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
}

static tnsResult ReadPng(const Memory* memory, tnsGrid* grid)
{
	// A copy of just the size, so that the sanitizers see a read past the end.
	unsigned char* exact = malloc(memory->size > 0 ? memory->size : 1);
	memcpy(exact, memory->bytes, memory->size);
	const tnsGridRequest request = {.format = tns_pngFormat};
	const tnsResult result = tnsReadGrid(exact, memory->size, "a.png", &request, grid);
	free(exact);
	return result;
}

static Memory s_memory;

static int PngRoundTrip(void)
{
	static const struct
	{
		int color, depth, interlace;
	} kinds[] = {
		{PNG_COLOR_TYPE_GRAY, 16, PNG_INTERLACE_NONE},
		{PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_NONE},
		{PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE},
		{PNG_COLOR_TYPE_GRAY, 16, PNG_INTERLACE_ADAM7},
		{PNG_COLOR_TYPE_GRAY_ALPHA, 8, PNG_INTERLACE_NONE},
		{PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE},
		{PNG_COLOR_TYPE_RGB, 16, PNG_INTERLACE_ADAM7},
		{PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE},
	};
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); ++kind)
	{
		const int color = kinds[kind].color, depth = kinds[kind].depth;
		MakePng(&s_memory, color, depth, kinds[kind].interlace);
		tnsGrid grid;
		const tnsResult result = ReadPng(&s_memory, &grid);
		ENSURE_TEXT(result.text, "");
		ENSURE_EQUAL_INT(result.status, tns_ok);
		ENSURE_EQUAL_INT(grid.columnCount, s_columns);
		ENSURE_EQUAL_INT(grid.rowCount, s_rows);
		const double white = depth == 16 ? 65535.0 : (depth == 8 ? 255.0 : 1.0);
		for (int row = 0; row < s_rows; ++row)
		{
			for (int column = 0; column < s_columns; ++column)
			{
				double light[3];
				for (int channel = 0; channel < 3; ++channel)
				{
					light[channel] = GetPixel(column, row, color == PNG_COLOR_TYPE_RGB ? channel : 0, depth);
				}
				if (color == PNG_COLOR_TYPE_PALETTE)
				{
					const int i = (int)light[0];
					light[1] = 255 - i;
					light[2] = (png_byte)(i * 3);
				}
				const double expected = (0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]) / white;
				// One rounding to float and a few of double.
				ENSURE_CLOSE(grid.values[row * s_columns + column], expected, 6.0e-8 * (expected + 1.0e-6) + 1.0e-15);
			}
		}
		tnsFreeGrid(&grid);
	}
	return 0;
}

static void SetIhdr(Memory* memory, int offset, uint32_t value)
{
	// Signature 8, length 4, "IHDR", then the data.
	for (int i = 0; i < 4; ++i)
	{
		memory->bytes[16 + offset + i] = (unsigned char)(value >> (24 - 8 * i));
	}
	const uint32_t crc = GetCrc(memory->bytes + 12, 17);
	for (int i = 0; i < 4; ++i)
	{
		memory->bytes[29 + i] = (unsigned char)(crc >> (24 - 8 * i));
	}
}

static int PngThatLies(void)
{
	static const struct
	{
		uint32_t width, height;
		const char* error;
	} lies[] = {
		{60000, 60000, "a.png: says it has 60000 x 60000 pixels, but its"},
		{s_columns, s_rows + 1, "a.png: not a good PNG: "},
		{s_columns, s_rows - 1, "a.png: not a good PNG: "},
		{s_columns + 1, s_rows, "a.png: not a good PNG: "},
		{65537, 4, "a.png: not a good PNG: "},
		{0x7FFFFFFF, 0x7FFFFFFF, "a.png: not a good PNG: "},
		{0xFFFFFFFF, 1, "a.png: not a good PNG: "},
		{0, 4, "a.png: not a good PNG: "},
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); ++i)
	{
		MakePng(&s_memory, PNG_COLOR_TYPE_GRAY, 16, PNG_INTERLACE_NONE);
		SetIhdr(&s_memory, 0, lies[i].width);
		SetIhdr(&s_memory, 4, lies[i].height);
		tnsGrid grid;
		const tnsResult result = ReadPng(&s_memory, &grid);
		ENSURE_TEXT(result.text, lies[i].error);
		ENSURE_EQUAL_INT(result.status, tns_badFormat);
		ENSURE(grid.values == NULL);
	}
	return 0;
}

// Cut anywhere, a PNG is refused; and so it is with any single byte of its chunks changed.
static int PngDamaged(void)
{
	MakePng(&s_memory, PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_NONE);
	const Memory whole = s_memory;
	tnsGrid grid;
	for (size_t size = 0; size < whole.size; ++size)
	{
		s_memory.size = size;
		const tnsResult result = ReadPng(&s_memory, &grid);
		ENSURE_EQUAL_INT(result.status, tns_badFormat);
		ENSURE_TEXT(result.text, "a.png: ");
		ENSURE(grid.values == NULL);
	}
	for (size_t at = 8; at < whole.size; ++at)
	{
		s_memory = whole;
		s_memory.bytes[at] ^= 0x10;
		const tnsResult result = ReadPng(&s_memory, &grid);
		ENSURE_EQUAL_INT(result.status, tns_badFormat);
		ENSURE(grid.values == NULL);
	}
	return 0;
}

// The mountain of scenes/mountain_river.json, as a picture and as raw values: the same heights, bit for bit.
static int PngAndRawAgree(void)
{
	tnsGrid picture, raw;
	const tnsGridRequest pictureRequest = {.format = tns_pngFormat};
	const tnsGridRequest rawRequest = {.format = tns_r16Format, .columnCount = 256, .rowCount = 256};
	tnsResult result = tnsLoadGrid(TARN_SOURCE_FOLDER "/test/reference/mountain.png", &pictureRequest, &picture);
	ENSURE_TEXT(result.text, "");
	result = tnsLoadGrid(TARN_SOURCE_FOLDER "/scenes/terrain/mountain.r16", &rawRequest, &raw);
	ENSURE_TEXT(result.text, "");
	ENSURE_EQUAL_INT(picture.columnCount, raw.columnCount);
	ENSURE_EQUAL_INT(picture.rowCount, raw.rowCount);
	ENSURE(memcmp(picture.values, raw.values, (size_t)raw.columnCount * (size_t)raw.rowCount * sizeof(float)) == 0);
	tnsFreeGrid(&picture);
	tnsFreeGrid(&raw);
	return 0;
}

// The writer of tarn, or the one that takes its place without libpng.
typedef tnsResult WritePictureFcn(const char* path, const uint8_t* pixels, int width, int height);

static int CheckRoundTrip(WritePictureFcn* write, int columns, int rows)
{
	const size_t size = (size_t)columns * (size_t)rows * 3;
	uint8_t* pixels = malloc(size);
	uint8_t* back = malloc(size);
	ENSURE(pixels != NULL && back != NULL);
	for (size_t i = 0; i < size; ++i)
	{
		pixels[i] = (uint8_t)(i * 7 + i / 256);
	}
	const char* path = "test_terrain_files.png";
	ENSURE_EQUAL_INT(write(path, pixels, columns, rows).status, tns_ok);
	png_image image = {.version = PNG_IMAGE_VERSION};
	ENSURE(png_image_begin_read_from_file(&image, path) != 0);
	ENSURE_EQUAL_INT(image.width, columns);
	ENSURE_EQUAL_INT(image.height, rows);
	image.format = PNG_FORMAT_RGB;
	ENSURE(png_image_finish_read(&image, NULL, back, 0, NULL) != 0);
	ENSURE_EQUAL_INT(image.warning_or_error, 0);
	ENSURE(memcmp(pixels, back, size) == 0);
	remove(path);

	ENSURE_EQUAL_INT(write("no/such/folder/a.png", pixels, columns, rows).status, tns_fileError);
	ENSURE_TEXT(write("no/such/folder/a.png", pixels, columns, rows).text, "no/such/folder/a.png: cannot be written: ");
	ENSURE_EQUAL_INT(write(path, pixels, 0, 4).status, tns_invalidArgument);
	ENSURE_EQUAL_INT(write(path, NULL, 4, 4).status, tns_invalidArgument);
	free(pixels);
	free(back);
	return 0;
}

static int PictureRoundTrip(void)
{
	ENSURE(CheckRoundTrip(tnsWritePicture, s_columns, s_rows) == 0);
	ENSURE(CheckRoundTrip(tnsWritePlainPicture, s_columns, s_rows) == 0);
	// Rows of nearly a stored block, of a byte more than one (65535 bytes of pixels and the filter), and of four; a pixel.
	ENSURE(CheckRoundTrip(tnsWritePlainPicture, 21844, 3) == 0);
	ENSURE(CheckRoundTrip(tnsWritePlainPicture, 21845, 3) == 0);
	ENSURE(CheckRoundTrip(tnsWritePlainPicture, 65536, 2) == 0);
	ENSURE(CheckRoundTrip(tnsWritePlainPicture, 1, 1) == 0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Raw and ASCII

static int FieldRoundTrip(void)
{
	enum
	{
		stride = s_columns + 3
	};
	static float values[s_rows * stride];
	for (int i = 0; i < s_rows * stride; ++i)
	{
		values[i] = (float)(i * i) / 7.0f - 1.0e-30f * (float)(i % 5);
	}
	const char* path = "test_terrain_files.r32";
	const tnsFieldInfo info = {"depth \"quoted\"", "m", 12.25, 0.5f, {-10.0f, 1.5f}};
	tnsResult result = tnsWriteField(path, values, s_columns, s_rows, stride, &info);
	ENSURE_TEXT(result.text, "");

	tnsGrid grid;
	const tnsGridRequest request = {.format = tns_r32Format, .columnCount = s_columns, .rowCount = s_rows};
	result = tnsLoadGrid(path, &request, &grid);
	ENSURE_TEXT(result.text, "");
	for (int row = 0; row < s_rows; ++row)
	{
		ENSURE(memcmp(grid.values + row * s_columns, values + row * stride, s_columns * sizeof(float)) == 0);
	}
	tnsFreeGrid(&grid);

	char* text = NULL;
	size_t size = 0;
	result = tnsReadFile("test_terrain_files.r32.json", 1000, &text, &size);
	ENSURE_TEXT(result.text, "");
	tnsJsonDocument* document = NULL;
	result = tnsParseJson(text, size, "header", &document);
	ENSURE_TEXT(result.text, "");
	const tnsJson* root = tnsJson_GetRoot(document);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "columns")->number, s_columns);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "rows")->number, s_rows);
	ENSURE(tnsJson_Find(root, "cellSize")->number == 0.5);
	ENSURE(tnsJson_Find(root, "time")->number == 12.25);
	ENSURE(tnsJson_Find(root, "origin")->first->number == -10.0);
	ENSURE(strcmp(tnsJson_Find(root, "quantity")->string, "depth _quoted_") == 0);
	tnsDestroyJson(document);
	free(text);
	remove(path);
	remove("test_terrain_files.r32.json");
	ENSURE_EQUAL_INT(tnsWriteField("no/such/a.r32", values, 4, 4, 4, NULL).status, tns_fileError);
	ENSURE_EQUAL_INT(tnsWriteField(path, values, 4, 4, 3, NULL).status, tns_invalidArgument);
	return 0;
}

static int Raw(void)
{
	// 3 x 2 of r16, little-endian.
	static const unsigned char r16[] = {0, 0, 1, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0x7F, 2, 0};
	tnsGridRequest request = {.format = tns_r16Format, .columnCount = 3, .rowCount = 2};
	tnsGrid grid;
	tnsResult result = tnsReadGrid(r16, sizeof(r16), "a.r16", &request, &grid);
	ENSURE_TEXT(result.text, "");
	static const float expected[] = {0.0f, 1.0f, 256.0f, 65535.0f, 32767.0f, 2.0f};
	for (int i = 0; i < 6; ++i)
	{
		ENSURE(grid.values[i] == expected[i] / 65535.0f);
	}
	tnsFreeGrid(&grid);

	result = tnsReadGrid(r16, sizeof(r16) - 1, "a.r16", &request, &grid);
	ENSURE_TEXT(result.text, "a.r16: 3 x 2 cells of .r16 need 12 bytes, but the file has 11");
	request.columnCount = 65536;
	request.rowCount = 65536;
	result = tnsReadGrid(r16, sizeof(r16), "a.r16", &request, &grid);
	ENSURE_TEXT(result.text, "need 8589934592 bytes, but the file has 12");
	request.columnCount = 0;
	result = tnsReadGrid(r16, 0, "a.r16", &request, &grid);
	ENSURE_TEXT(result.text, "a.r16: an .r16 file needs columns and rows of at least 1, got 0 x 65536");

	// 2 x 2 of r32: 1, NaN in column 1 of row 1.
	static const unsigned char r32[] = {0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0x7F};
	request = (tnsGridRequest){.format = tns_r32Format, .columnCount = 2, .rowCount = 2};
	result = tnsReadGrid(r32, sizeof(r32), "a.r32", &request, &grid);
	ENSURE_TEXT(result.text, "a.r32: the value at column 1, row 1 is not a finite number");
	ENSURE(grid.values == NULL);
	request.rowCount = 1;
	result = tnsReadGrid(r32, 8, "a.r32", &request, &grid);
	ENSURE_EQUAL_INT(result.status, tns_ok);
	ENSURE(grid.values[0] == 1.0f && grid.values[1] == 0.0f);
	tnsFreeGrid(&grid);

	request.format = tns_gridFormatCount;
	ENSURE_EQUAL_INT(tnsReadGrid(r32, 8, "a", &request, &grid).status, tns_invalidArgument);
	ENSURE_EQUAL_INT(tnsGetGridFormat("folder.png/a.ASC"), tns_ascFormat);
	ENSURE_EQUAL_INT(tnsGetGridFormat("a.r16"), tns_r16Format);
	ENSURE_EQUAL_INT(tnsGetGridFormat("a.jpg"), tns_gridFormatCount);
	ENSURE_EQUAL_INT(tnsGetGridFormat(".png"), tns_gridFormatCount);
	return 0;
}

static tnsResult ReadAsc(const char* text, bool hasFill, tnsGrid* grid)
{
	const tnsGridRequest request = {.format = tns_ascFormat, .hasFill = hasFill, .fill = -5.0f};
	const size_t size = strlen(text);
	char* exact = malloc(size > 0 ? size : 1);
	memcpy(exact, text, size);
	const tnsResult result = tnsReadGrid(exact, size, "a.asc", &request, grid);
	free(exact);
	return result;
}

static int Asc(void)
{
	tnsGrid grid;
	tnsResult result = ReadAsc("NCOLS 3\r\nnrows 2\r\nxllcenter 1.5\r\nyllcorner -2\r\ncellsize 10\r\n"
							   "NODATA_value -9999\r\n1 2.5 3e1\r\n-4 +.5 -9999\r\n",
		true, &grid);
	ENSURE_TEXT(result.text, "");
	static const float expected[] = {1.0f, 2.5f, 30.0f, -4.0f, 0.5f, -5.0f};
	ENSURE_EQUAL_INT(grid.columnCount, 3);
	ENSURE_EQUAL_INT(grid.rowCount, 2);
	ENSURE(memcmp(grid.values, expected, sizeof(expected)) == 0);
	tnsFreeGrid(&grid);

	static const struct
	{
		const char* text;
		const char* error;
	} cases[] = {
		{"", "a.asc: the header has no ncols"},
		{"ncols 3\nnrows 2\n1 2 3 4 5 6", "a.asc: the header has no cellsize"},
		{"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n", "a.asc: the header says 3 x 2 cells, but only"},
		{"ncols 3\nnrows 2\ncellsize 1\n1.25 2.25 3.25\n",
			"the header says 3 x 2 cells, but the values end at column 0 of row 1"},
		{"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 5 6 7", "a.asc: line 5: more values than the 3 x 2 of the header"},
		{"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 nan 6", "a.asc: line 5: the value of column 1 is not a finite number"},
		{"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 1e60 6",
			"a.asc: line 5: the value of column 1 is not a finite number"},
		{"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 5x 6", "a.asc: line 5: the value of column 1 is not a finite number"},
		{"ncols 3\nnrows 2\ncellsize 0\n1 2 3\n4 5 6", "a.asc: cellsize must be > 0"},
		{"ncols 2.5\nnrows 2\ncellsize 1\n1 2 3\n4 5 6", "a.asc: ncols and nrows must be whole numbers"},
		{"ncols 1e300\nnrows 2\ncellsize 1\n1 2 3\n4 5 6", "a.asc: ncols and nrows must be whole numbers"},
		{"ncols -3\nnrows -2\ncellsize 1\n1 2 3\n4 5 6",
			"a.asc: ncols and nrows must be whole numbers from 1 to 65536"},
		{"ncols 0\nnrows 2\ncellsize 1\n1 2", "a.asc: ncols and nrows must be whole numbers from 1 to 65536"},
		{"ncols 60000\nnrows 60000\ncellsize 1\n1 2 3", "a.asc: the header says 60000 x 60000 cells, but only"},
		{"ncols 3\nncols 3\n", "a.asc: line 2: ncols is given twice"},
		{"ncols three\n", "a.asc: line 1: ncols needs a number"},
		{"ncols", "a.asc: line 1: ncols needs a number"},
		{"width 3\n", "a.asc: line 1: unknown header word; allowed are ncols,"},
		{"ncols 1\nnrows 1\ncellsize 1\nnodata_value 7\n7.0", "a.asc: line 5: there is no data at column 0 of row 0"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		result = ReadAsc(cases[i].text, false, &grid);
		ENSURE_TEXT(result.text, cases[i].error);
		ENSURE_EQUAL_INT(result.status, tns_badFormat);
		ENSURE(grid.values == NULL);
	}
	return 0;
}

// Wherever a word stands in a file, and whatever is wrong with it: no error says what the word is.
static int NothingIsQuoted(void)
{
	static const char* const words[] = {
		"ncols", "3", "nrows", "2", "cellsize", "1", "NODATA_value", "-7", "1", "2", "3", "4", "5", "6"};
	static const char secrets[4][12] = {"swordfish", "987654.25", "1e987", "-98765"};
	enum
	{
		wordCount = sizeof(words) / sizeof(words[0])
	};
	int errorCount = 0;
	for (int place = 0; place <= wordCount; ++place)
	{
		for (int kind = 0; kind < 8; ++kind)
		{
			char text[300] = "";
			for (int i = 0; i <= wordCount; ++i)
			{
				// In the place of a word, or before it.
				const bool isHere = i == place;
				const char* word = isHere ? secrets[kind / 2] : "";
				const char* next = i < wordCount && !(isHere && kind % 2 == 0) ? words[i] : "";
				snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %s\n", word, next);
			}
			tnsGrid grid;
			const tnsResult result = ReadAsc(text, false, &grid);
			errorCount += result.status != tns_ok ? 1 : 0;
			ENSURE(strstr(result.text, "swordfish") == NULL && strstr(result.text, "9876") == NULL);
			tnsFreeGrid(&grid);
		}
	}
	ENSURE(errorCount > 60);
	return 0;
}

// What a file says of its size is held against the limits before anything is allocated, whatever its format.
static int SizesAreBounded(void)
{
	enum
	{
		columns = 37,
		rows = 23,
		cells = columns * rows
	};
	static uint8_t pixels[cells * 3];
	static float values[cells];
	static uint8_t raw[cells * 2];
	ENSURE_EQUAL_INT(tnsWriteField("test_bounds.r32", values, columns, rows, columns, NULL).status, tns_ok);
	FILE* file = fopen("test_bounds.r16", "wb");
	ENSURE(file != NULL && fwrite(raw, 1, sizeof(raw), file) == sizeof(raw));
	fclose(file);
	file = fopen("test_bounds.asc", "wb");
	ENSURE(file != NULL);
	fprintf(file, "ncols %d\nnrows %d\ncellsize 1\n", columns, rows);
	for (int i = 0; i < cells; ++i)
	{
		fprintf(file, "%d%c", i % 10, i % columns == columns - 1 ? '\n' : ' ');
	}
	fclose(file);
	const bool hasPng = tnsWritePicture("test_bounds.png", pixels, columns, rows).status == tns_ok;
	static const char* const names[4] = {"test_bounds.png", "test_bounds.r16", "test_bounds.r32", "test_bounds.asc"};
	for (int format = hasPng ? 0 : 1; format < 4; ++format)
	{
		tnsGridRequest request = {.format = (tnsGridFormat)format, .columnCount = columns, .rowCount = rows};
		request.folder = "";
		size_t enough = 0;
		for (size_t limit = 1; limit < 20000; limit += 97)
		{
			request.memoryLimit = limit;
			tnsGrid grid;
			const tnsResult result = tnsLoadGrid(names[format], &request, &grid);
			ENSURE((result.status == tns_ok) == (grid.values != NULL));
			ENSURE(result.status == tns_ok || result.status == tns_outOfMemory || result.status == tns_badFormat);
			// More is never worse, and the grid is part of it.
			ENSURE(enough == 0 || result.status == tns_ok);
			ENSURE(result.status != tns_ok || limit >= cells * sizeof(float));
			enough = enough == 0 && result.status == tns_ok ? limit : enough;
			tnsFreeGrid(&grid);
		}
		ENSURE(enough > 0);
		request.memoryLimit = 0;
		for (int64_t most = cells - 1; most <= cells; ++most)
		{
			request.maxCellCount = most;
			tnsGrid grid;
			const tnsResult result = tnsLoadGrid(names[format], &request, &grid);
			ENSURE_EQUAL_INT(result.status, most < cells ? tns_badFormat : tns_ok);
			ENSURE_TEXT(result.text,
				most == cells
					? ""
					: (format == 1 || format == 2 ? "bytes that are allowed" : "37 x 23 cells are more than"));
			tnsFreeGrid(&grid);
		}
		remove(names[format]);
	}
	remove("test_bounds.r32.json");
	return 0;
}

static int Files(void)
{
	const tnsGridRequest request = {.format = tns_pngFormat};
	tnsGrid grid;
	tnsResult result = tnsLoadGrid("no_such_file.png", &request, &grid);
	ENSURE_EQUAL_INT(result.status, tns_fileError);
	ENSURE_TEXT(result.text, "no_such_file.png: cannot be opened: ");
	// On some systems a folder cannot be opened, on others it cannot be read.
	result = tnsLoadGrid(".", &request, &grid);
	ENSURE_EQUAL_INT(result.status, tns_fileError);
	ENSURE_TEXT(result.text, ".: cannot be ");

	FILE* file = fopen("test_terrain_files.txt", "wb");
	ENSURE(file != NULL);
	for (int i = 0; i < 1000; ++i)
	{
		fprintf(file, "%0100d", i);
	}
	fclose(file);
	char* bytes = NULL;
	size_t size = 0;
	result = tnsReadFile("test_terrain_files.txt", 100000, &bytes, &size);
	ENSURE_EQUAL_INT(result.status, tns_ok);
	ENSURE_EQUAL_INT(size, 100000);
	ENSURE(memcmp(bytes + 99997, "999", 3) == 0);
	free(bytes);
	result = tnsReadFile("test_terrain_files.txt", 99999, &bytes, &size);
	ENSURE_TEXT(result.text, "test_terrain_files.txt: has more than the 99999 bytes that are allowed");
	ENSURE(bytes == NULL);
	remove("test_terrain_files.txt");
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Resampling

// A bilinear function is reproduced between the centres, and the same size is an exact copy.
static int Resampling(void)
{
	static float source[s_rows * s_columns], copy[s_rows * s_columns];
	for (int i = 0; i < s_rows * s_columns; ++i)
	{
		const double x = (i % s_columns + 0.5) / s_columns, z = (double)(i / s_columns + 0.5) / s_rows;
		source[i] = (float)(3.0 * x - 2.0 * z + 4.0 * x * z);
	}
	const tnsGrid grid = {s_columns, s_rows, source};
	tnsResampleGrid(&grid, s_columns, s_rows, copy);
	ENSURE(memcmp(source, copy, sizeof(source)) == 0);

	enum
	{
		columns = 100,
		rows = 61
	};
	static float finer[columns * rows];
	tnsResampleGrid(&grid, columns, rows, finer);
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const double x = (column + 0.5) / columns, z = (row + 0.5) / rows;
			// Outside the outermost centres values are held.
			const double heldX = fmin(fmax(x, 0.5 / s_columns), 1.0 - 0.5 / s_columns);
			const double heldZ = fmin(fmax(z, 0.5 / s_rows), 1.0 - 0.5 / s_rows);
			const double expected = 3.0 * heldX - 2.0 * heldZ + 4.0 * heldX * heldZ;
			// The source is rounded to float: half a unit in the last place of values up to 5.
			ENSURE_CLOSE(finer[row * columns + column], expected, 5.0e-7);
		}
	}

	// One cell, one row and one column are grids too.
	float three[3] = {1.0f, 2.0f, 4.0f}, six[6];
	const tnsGrid row = {3, 1, three}, column = {1, 3, three}, one = {1, 1, three};
	tnsResampleGrid(&row, 3, 2, six);
	ENSURE(six[0] == 1.0f && six[1] == 2.0f && six[2] == 4.0f && six[5] == 4.0f);
	tnsResampleGrid(&column, 2, 3, six);
	ENSURE(six[0] == 1.0f && six[1] == 1.0f && six[2] == 2.0f && six[5] == 4.0f);
	tnsResampleGrid(&one, 2, 3, six);
	ENSURE(six[0] == 1.0f && six[5] == 1.0f);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Procedural terrain

// The checksums are those of the published tables: f01_lake_at_rest.csv and f15_basins.csv.
static int BasinsMatchTheTables(void)
{
	static uint32_t words[96 * 96];
	tnsTerrainDef def = tnsDefaultTerrainDef();
	def.seed = 7;
	for (int i = 0; i < 64 * 64; ++i)
	{
		words[i] = (uint32_t)tnsGetBasinHeight(&def, i % 64, i / 64);
	}
	ENSURE_EQUAL_HEX(GetCrcOfWords(words, 64 * 64), 0x2AC84045u);

	def.seed = 11;
	for (int i = 0; i < 96 * 96; ++i)
	{
		words[i] = (uint32_t)tnsGetBasinHeight(&def, i % 96, i / 96);
	}
	ENSURE_EQUAL_HEX(GetCrcOfWords(words, 96 * 96), 0x81BB8871u);
	static const uint32_t first[] = {1590, 1637, 1687, 1694, 1701, 1661, 1621, 1666};
	ENSURE(memcmp(words, first, sizeof(first)) == 0);

	// The terrain is those integers, in meters, exactly.
	static float heights[96 * 96];
	const tnsCells cells = {96, 96, 1.0, 0.0, 0.0};
	def.kind = tns_basinsTerrain;
	tnsMakeTerrain(&def, &cells, heights);
	for (int i = 0; i < 96 * 96; ++i)
	{
		ENSURE(heights[i] * 256.0f == (float)words[i]);
	}
	return 0;
}

static uint32_t GetCrcOfHeights(const float* heights, int count)
{
	uint32_t* words = malloc((size_t)count * sizeof(uint32_t));
	memcpy(words, heights, (size_t)count * sizeof(uint32_t));
	const uint32_t crc = GetCrcOfWords(words, count);
	free(words);
	return crc;
}

// Golden values: any change of a formula, and any machine, compiler or flag that computes something else, shows.
static int SameHeightsEverywhere(void)
{
	static const struct
	{
		tnsTerrainKind kind;
		uint32_t crc;
	} golden[] = {
		{tns_flatTerrain, 0x42FA3BCAu},
		{tns_planeTerrain, 0x0FE316A0u},
		{tns_hillsTerrain, 0x9BEDDD19u},
		{tns_ridgedTerrain, 0x83B167E4u},
		{tns_valleyTerrain, 0x9559348Bu},
		{tns_islandTerrain, 0x1FC3A67Bu},
	};
	static float heights[s_rows * s_columns];
	const tnsCells cells = {s_columns, s_rows, 5.0, 100.0, -50.0};
	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); ++i)
	{
		tnsTerrainDef def = tnsDefaultTerrainDef();
		def.kind = golden[i].kind;
		def.seed = 42;
		def.slopeX = 0.01;
		def.slopeZ = -0.03;
		tnsMakeTerrain(&def, &cells, heights);
		ENSURE_EQUAL_HEX(GetCrcOfHeights(heights, s_rows * s_columns), golden[i].crc);
	}
	return 0;
}

// What the kinds promise: bounds, and the shapes they are named after.
static int ShapesOfKinds(void)
{
	enum
	{
		columns = 201,
		rows = 121
	};
	static float heights[columns * rows], other[columns * rows];
	const tnsCells cells = {columns, rows, 2.0, 0.0, 0.0};
	tnsTerrainDef def = tnsDefaultTerrainDef();
	def.seed = 3;
	for (int kind = tns_hillsTerrain; kind <= tns_ridgedTerrain; ++kind)
	{
		def.kind = (tnsTerrainKind)kind;
		tnsMakeTerrain(&def, &cells, heights);
		float low = INFINITY, high = -INFINITY;
		for (int i = 0; i < columns * rows; ++i)
		{
			low = fminf(low, heights[i]);
			high = fmaxf(high, heights[i]);
		}
		ENSURE(low >= 0.0f && high <= 10.0f);
		ENSURE(high - low > 3.0f);
		// Another seed is another terrain, and the origin of the world does not matter.
		tnsTerrainDef changed = def;
		changed.seed = 4;
		tnsMakeTerrain(&changed, &cells, other);
		ENSURE(memcmp(heights, other, sizeof(heights)) != 0);
		const tnsCells moved = {columns, rows, 2.0, -77.0, 1000.0};
		tnsMakeTerrain(&def, &moved, other);
		ENSURE(memcmp(heights, other, sizeof(heights)) == 0);
	}

	// The lowest place of each cross-section of a valley is the river, and it falls by the slope.
	def.kind = tns_valleyTerrain;
	tnsMakeTerrain(&def, &cells, heights);
	for (int column = 0; column < columns; ++column)
	{
		float low = INFINITY;
		for (int row = 0; row < rows; ++row)
		{
			low = fminf(low, heights[row * columns + column]);
		}
		const double x = (column + 0.5) * 2.0;
		// A cell is 2 m wide, the channel 12 m: its centre lies within 1.5 m of a row (bends included), which is
		// (1.5 / 6)^2 of the depth of 2 m, or 0.125 m.
		ENSURE_CLOSE(low, 0.005 * (columns * 2.0 - x) - 2.0 + 0.0625, 0.0626);
	}
	// Along z it is the same valley, turned, where the noise is the same: without height there is none.
	def.height = 0.0;
	const tnsCells turned = {rows, columns, 2.0, 0.0, 0.0};
	tnsMakeTerrain(&def, &cells, heights);
	def.alongZ = true;
	tnsMakeTerrain(&def, &turned, other);
	for (int i = 0; i < columns * rows; ++i)
	{
		ENSURE(heights[i] == other[(i % columns) * rows + i / columns]);
	}

	def = tnsDefaultTerrainDef();
	def.kind = tns_islandTerrain;
	def.radius = 80.0;
	tnsMakeTerrain(&def, &cells, heights);
	ENSURE(heights[0] == -10.0f && heights[columns * rows - 1] == -10.0f);
	ENSURE(heights[rows / 2 * columns + columns / 2] > 0.0f);
	return 0;
}

static int Features(void)
{
	enum
	{
		columns = 21,
		rows = 17
	};
	static float heights[columns * rows];
	// Cells of 1 m whose corner is at (100, 200): the centre of cell (c, r) is at (100.5 + c, 200.5 + r).
	const tnsCells cells = {columns, rows, 1.0, 100.0, 200.0};
	const tnsFeaturePoint line[] = {{102.5, 204.5, 3.0}, {112.5, 204.5, 1.0}};
	const struct
	{
		tnsFeature feature;
		int column, row;
		float before, after;
	} cases[] = {
		// Boxes cover the cells whose centres are inside, sides included.
		{{.kind = tns_boxFeature, .change = tns_changeHeight, .value = 2, .x = 105, .z = 205, .width = 3, .length = 2},
			3, 4, 1.0f, 3.0f},
		{{.kind = tns_boxFeature, .change = tns_changeHeight, .value = 2, .x = 105, .z = 205, .width = 3, .length = 2},
			2, 4, 1.0f, 1.0f},
		{{.kind = tns_boxFeature, .change = tns_changeTop, .value = 2, .x = 105, .z = 205, .width = 9, .length = 9}, 5,
			5, 3.0f, 3.0f},
		{{.kind = tns_boxFeature, .change = tns_changeTop, .value = 2, .x = 105, .z = 205, .width = 9, .length = 9}, 5,
			5, 1.0f, 2.0f},
		{{.kind = tns_boxFeature, .change = tns_changeBottom, .value = 2, .x = 105, .z = 205, .width = 9, .length = 9},
			5, 5, 3.0f, 2.0f},
		{{.kind = tns_boxFeature, .change = tns_changeLevel, .value = 2, .x = 105, .z = 205, .width = 9, .length = 9},
			5, 5, -7.0f, 2.0f},
		// The rim: half of it away, half of the change.
		{{.kind = tns_boxFeature,
			 .change = tns_changeHeight,
			 .value = 2,
			 .x = 102,
			 .z = 205,
			 .width = 4,
			 .length = 9,
			 .rim = 3},
			5, 5, 0.0f, 1.0f},
		{{.kind = tns_boxFeature,
			 .change = tns_changeHeight,
			 .value = 2,
			 .x = 102,
			 .z = 205,
			 .width = 4,
			 .length = 9,
			 .rim = 3},
			7, 5, 0.0f, 0.0f},
		{{.kind = tns_discFeature, .change = tns_changeLevel, .value = 2, .x = 105.5, .z = 205.5, .radius = 5}, 8, 9,
			0.0f, 2.0f},
		{{.kind = tns_discFeature, .change = tns_changeLevel, .value = 2, .x = 105.5, .z = 205.5, .radius = 4.9}, 8, 9,
			0.0f, 0.0f},
		{{.kind = tns_coneFeature, .change = tns_changeHeight, .value = 4, .x = 105.5, .z = 205.5, .radius = 8}, 7, 5,
			1.0f, 4.0f},
		{{.kind = tns_rampFeature,
			 .change = tns_changeLevel,
			 .from = 1,
			 .to = 5,
			 .x = 110,
			 .z = 208,
			 .width = 16,
			 .length = 6},
			3, 8, 9.0f, 1.375f},
		{{.kind = tns_rampFeature,
			 .change = tns_changeLevel,
			 .from = 1,
			 .to = 5,
			 .x = 110,
			 .z = 208,
			 .width = 4,
			 .length = 16,
			 .alongZ = true},
			10, 2, 9.0f, 1.625f},
		// Channels: a parabola, 3 m deep in the middle, 4 m to each bank.
		{{.kind = tns_channelFeature, .width = 8, .depth = 3, .points = line, .pointCount = 2}, 6, 4, 10.0f, 7.0f},
		{{.kind = tns_channelFeature, .width = 8, .depth = 3, .points = line, .pointCount = 2}, 6, 6, 10.0f, 7.75f},
		{{.kind = tns_channelFeature, .width = 8, .depth = 3, .points = line, .pointCount = 2}, 6, 8, 10.0f, 10.0f},
		// With heights: the bed follows the line and only cuts.
		{{.kind = tns_channelFeature, .width = 8, .depth = 4, .points = line, .pointCount = 2, .hasHeights = true}, 7,
			4, 10.0f, 2.0f},
		{{.kind = tns_channelFeature, .width = 8, .depth = 4, .points = line, .pointCount = 2, .hasHeights = true}, 7,
			6, 10.0f, 3.0f},
		{{.kind = tns_channelFeature, .width = 8, .depth = 4, .points = line, .pointCount = 2, .hasHeights = true}, 7,
			4, 1.5f, 1.5f},
		{{.kind = tns_wallFeature, .change = tns_changeTop, .value = 6, .width = 2, .points = line, .pointCount = 2},
			13, 4, 1.0f, 6.0f},
		{{.kind = tns_wallFeature, .change = tns_changeTop, .value = 6, .width = 2, .points = line, .pointCount = 2},
			14, 4, 1.0f, 1.0f},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		const tnsFeature* feature = &cases[i].feature;
		for (int k = 0; k < columns * rows; ++k)
		{
			heights[k] = cases[i].before;
		}
		const tnsBlockOfCells block = tnsGetFeatureBlock(feature, &cells);
		tnsApplyFeature(feature, &cells, block, heights + block.row * columns + block.column, columns);
		ENSURE_CLOSE(heights[cases[i].row * columns + cases[i].column], cases[i].after, 0.0);

		// The block is all that changes: the whole world as a block gives the same.
		static float whole[columns * rows];
		for (int k = 0; k < columns * rows; ++k)
		{
			whole[k] = cases[i].before;
		}
		const tnsBlockOfCells everything = {0, 0, columns, rows};
		tnsApplyFeature(feature, &cells, everything, whole, columns);
		ENSURE(memcmp(heights, whole, sizeof(heights)) == 0);
	}
	const tnsFeature outside = {.kind = tns_discFeature, .x = 90.0, .z = 205.0, .radius = 5.0};
	ENSURE_EQUAL_INT(tnsGetFeatureBlock(&outside, &cells).columnCount, 0);
	return 0;
}

static const Test s_tests[] = {
	{"PngRoundTrip", PngRoundTrip},
	{"PngThatLies", PngThatLies},
	{"PngDamaged", PngDamaged},
	{"PngAndRawAgree", PngAndRawAgree},
	{"PictureRoundTrip", PictureRoundTrip},
	{"FieldRoundTrip", FieldRoundTrip},
	{"Raw", Raw},
	{"Asc", Asc},
	{"Files", Files},
	{"NothingIsQuoted", NothingIsQuoted},
	{"SizesAreBounded", SizesAreBounded},
	{"Resampling", Resampling},
	{"BasinsMatchTheTables", BasinsMatchTheTables},
	{"SameHeightsEverywhere", SameHeightsEverywhere},
	{"ShapesOfKinds", ShapesOfKinds},
	{"Features", Features},
};
const TestSuite terrain_filesSuite = TEST_SUITE("terrain_files", s_tests);

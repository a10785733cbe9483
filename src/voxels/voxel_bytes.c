// SPDX-License-Identifier: MIT

// Writes and reads the bytes of saves.

#include "voxel_bytes.h"

#include "../core/core.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Numbers

// FNV-1a: no change of a single byte leaves it as it is.
#define TN_SUM_START 2166136261u
#define TN_SUM_FACTOR 16777619u

tnByteWriter tnMakeWriter(void* bytes, size_t capacity)
{
	return (tnByteWriter){.bytes = bytes, .capacity = capacity, .sum = TN_SUM_START};
}

void tnWriteByte(tnByteWriter* writer, uint32_t byte)
{
	if (writer->size < writer->capacity)
	{
		writer->bytes[writer->size] = (uint8_t)byte;
	}
	writer->size += 1;
	writer->sum = (writer->sum ^ (byte & 0xffu)) * TN_SUM_FACTOR;
}

void tnWriteBytes(tnByteWriter* writer, const uint8_t* bytes, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		tnWriteByte(writer, bytes[i]);
	}
}

void tnWriteNumber(tnByteWriter* writer, uint64_t number)
{
	for (; number >= 128; number >>= 7)
	{
		tnWriteByte(writer, (uint32_t)(number & 127u) | 128u);
	}
	tnWriteByte(writer, (uint32_t)number);
}

void tnWriteSigned(tnByteWriter* writer, int64_t number)
{
	const uint64_t twice = (uint64_t)number << 1;
	tnWriteNumber(writer, number < 0 ? ~twice : twice);
}

void tnWriteVoxel(tnByteWriter* writer, tnVoxel voxel)
{
	tnWriteSigned(writer, voxel.x);
	tnWriteSigned(writer, voxel.y);
	tnWriteSigned(writer, voxel.z);
}

void tnWriteSum(tnByteWriter* writer)
{
	const uint32_t sum = writer->sum;
	for (int i = 0; i < TN_SUM_BYTES; ++i)
	{
		tnWriteByte(writer, sum >> (8 * i) & 0xffu);
	}
}

uint32_t tnReadByte(tnByteReader* reader)
{
	if (reader->at >= reader->size)
	{
		reader->failed = true;
		return 0;
	}
	return reader->bytes[reader->at++];
}

uint64_t tnReadNumber(tnByteReader* reader)
{
	uint64_t number = 0;
	for (int shift = 0; shift < 70; shift += 7)
	{
		const uint64_t byte = tnReadByte(reader);
		if (shift == 63 && byte > 1)
		{
			break;
		}
		number |= (byte & 127u) << shift;
		if (byte < 128)
		{
			return number;
		}
	}
	reader->failed = true;
	return 0;
}

int64_t tnReadWithin(tnByteReader* reader, int64_t low, int64_t high)
{
	const uint64_t number = tnReadNumber(reader);
	if (number > (uint64_t)high || (int64_t)number < low)
	{
		reader->failed = true;
		return low;
	}
	return (int64_t)number;
}

int64_t tnReadSigned(tnByteReader* reader)
{
	const uint64_t number = tnReadNumber(reader);
	const int64_t half = (int64_t)(number >> 1);
	return (number & 1u) != 0 ? -half - 1 : half;
}

static int32_t tnReadInt(tnByteReader* reader)
{
	const int64_t number = tnReadSigned(reader);
	if (number < INT32_MIN || number > INT32_MAX)
	{
		reader->failed = true;
		return 0;
	}
	return (int32_t)number;
}

tnVoxel tnReadVoxel(tnByteReader* reader)
{
	tnVoxel voxel;
	voxel.x = tnReadInt(reader);
	voxel.y = tnReadInt(reader);
	voxel.z = tnReadInt(reader);
	return voxel;
}

tnResult tnOpenSave(tnSaveKind kind, const void* bytes, size_t size, tnByteReader* reader)
{
	*reader = (tnByteReader){.bytes = bytes, .size = size};
	if (bytes == NULL)
	{
		return tnFail(tn_invalidArgument, "bytes must not be NULL");
	}
	if (size < 1 + TN_SUM_BYTES)
	{
		return tnFail(tn_invalidArgument, "save is truncated: size must be more than %d, got %zu", TN_SUM_BYTES, size);
	}
	const uint32_t first = tnReadByte(reader);
	if ((first & 0xf0u) != (uint32_t)kind)
	{
		const char* name = kind == tn_chunkSave ? "chunk" : (kind == tn_blockSave ? "block" : "state");
		return tnFail(tn_invalidArgument, "save is not one of a %s: its first byte is 0x%02x", name, (unsigned)first);
	}
	const uint32_t newest = kind == tn_stateSave ? TN_STATE_VERSION : TN_SAVE_VERSION;
	reader->version = first & 0xfu;
	if (reader->version < TN_SAVE_VERSION || reader->version > newest)
	{
		return newest == TN_SAVE_VERSION
			? tnFail(tn_invalidArgument, "save.version must be %d, got %u", TN_SAVE_VERSION, (unsigned)reader->version)
			: tnFail(tn_invalidArgument, "save.version must be in [%d, %u], got %u", TN_SAVE_VERSION, (unsigned)newest,
				  (unsigned)reader->version);
	}
	reader->size -= TN_SUM_BYTES;
	uint32_t sum = TN_SUM_START;
	uint32_t kept = 0;
	for (size_t i = 0; i < reader->size; ++i)
	{
		sum = (sum ^ reader->bytes[i]) * TN_SUM_FACTOR;
	}
	for (int i = 0; i < TN_SUM_BYTES; ++i)
	{
		kept |= (uint32_t)reader->bytes[reader->size + (size_t)i] << (8 * i);
	}
	if (sum != kept)
	{
		return tnFail(tn_invalidArgument, "save is truncated or damaged: its sum is 0x%08x, and it says 0x%08x",
			(unsigned)sum, (unsigned)kept);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Planes

enum
{
	tn_nothingRun = 0,
	tn_fullRun,
	tn_valueRun,
	tn_packedRun,
	TN_LONG_RUN = 14,
	TN_CHANGE_KIND = 15,
	TN_LAYER_RUN = 16,
	TN_COLUMNS = 32,
	TN_LONGEST_PACK = 256,
};

static uint16_t tnGetFull(const tnPlane* plane, int32_t kind, int32_t voxel)
{
	return plane->rooms != NULL ? tnPackLiquid(kind, plane->rooms[voxel]) : plane->full;
}

static int32_t tnGetPlaneKind(const tnPlane* plane, uint16_t value)
{
	return plane->rooms != NULL ? tnGetKind(value) : 0;
}

static int32_t tnGetPlaneAmount(const tnPlane* plane, uint16_t value)
{
	return plane->rooms != NULL ? tnGetAmount(value) : value;
}

typedef struct tnRun
{
	uint32_t class;
	int32_t length;
	int32_t kind;
} tnRun;

// The longest run from a voxel on.
static tnRun tnFindRun(const tnPlane* plane, const uint16_t* values, int32_t from, int32_t kind, int32_t limit)
{
	const uint16_t value = values[from];
	const int32_t end = tnMinInt(TN_CHUNK_VOXELS, from + limit);
	int32_t same = from + 1;
	while (same < end && values[same] == value)
	{
		++same;
	}
	const int32_t fullKind = value != 0 && plane->rooms != NULL ? tnGetKind(value) : kind;
	int32_t full = from;
	while (full < end && values[full] == tnGetFull(plane, fullKind, full))
	{
		++full;
	}
	if (full > same || (full == same && value != 0))
	{
		return (tnRun){tn_fullRun, full - from, fullKind};
	}
	return (tnRun){value == 0 ? tn_nothingRun : tn_valueRun, same - from, kind};
}

static void tnWriteRun(tnByteWriter* writer, uint32_t class, int32_t length)
{
	if (length % TN_LAYER == 0)
	{
		tnWriteByte(writer, class << 6 | TN_LAYER_RUN | (uint32_t)(length / TN_LAYER - 1));
	}
	else if (length <= TN_LONG_RUN)
	{
		tnWriteByte(writer, class << 6 | (uint32_t)(length - 1));
	}
	else
	{
		tnWriteByte(writer, class << 6 | TN_LONG_RUN);
		tnWriteNumber(writer, (uint64_t)(length - TN_LONG_RUN - 1));
	}
}

static void tnWritePacked(tnByteWriter* writer, const tnPlane* plane, const uint16_t* values, int32_t count)
{
	int32_t least = INT32_MAX;
	int32_t most = 0;
	int32_t kind = 0;
	for (int32_t i = 0; i < count; ++i)
	{
		const int32_t amount = tnGetPlaneAmount(plane, values[i]);
		least = tnMinInt(least, amount);
		most = tnMaxInt(most, amount);
		kind = tnMaxInt(kind, tnGetPlaneKind(plane, values[i]));
	}
	uint32_t width = 0;
	while ((most - least) >> width != 0)
	{
		++width;
	}
	tnWriteByte(writer, width << 4 | (uint32_t)kind);
	tnWriteNumber(writer, (uint64_t)least);
	uint32_t bits = 0;
	uint32_t bitCount = 0;
	for (int32_t i = 0; i < count; ++i)
	{
		bits |= (uint32_t)(tnGetPlaneAmount(plane, values[i]) - least) << bitCount;
		bitCount += width;
		for (; bitCount >= 8; bitCount -= 8)
		{
			tnWriteByte(writer, bits & 0xffu);
			bits >>= 8;
		}
	}
	if (bitCount > 0)
	{
		tnWriteByte(writer, bits & 0xffu);
	}
}

// How many voxels from here on are better packed than written as runs, if runs of a worthy length are better than that.
static int32_t tnCountPacked(
	const tnPlane* plane, const uint16_t* values, int32_t from, int32_t currentKind, int32_t worthy)
{
	int32_t kind = 0;
	int32_t end = from;
	for (; end < TN_CHUNK_VOXELS && end - from < TN_LONGEST_PACK; ++end)
	{
		const int32_t here = tnGetPlaneKind(plane, values[end]);
		const bool differs = here != 0 && kind != 0 && here != kind;
		if (differs || tnFindRun(plane, values, end, currentKind, worthy).length >= worthy)
		{
			break;
		}
		kind = here != 0 ? here : kind;
	}
	return end - from;
}

static void tnWriteRuns(tnByteWriter* writer, const tnPlane* plane, const uint16_t* values, int32_t worthy)
{
	int32_t kind = 1;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS;)
	{
		const int32_t packed = tnCountPacked(plane, values, i, kind, worthy);
		const tnRun run = tnFindRun(plane, values, i, kind, TN_CHUNK_VOXELS);
		if (packed > run.length && packed > 2)
		{
			tnWriteRun(writer, tn_packedRun, packed);
			tnWritePacked(writer, plane, values + i, packed);
			i += packed;
			continue;
		}
		if (run.class == tn_fullRun && run.kind != kind)
		{
			kind = run.kind;
			tnWriteByte(writer, tn_fullRun << 6 | TN_CHANGE_KIND);
			tnWriteByte(writer, (uint32_t)kind);
		}
		tnWriteRun(writer, run.class, run.length);
		if (run.class == tn_valueRun)
		{
			tnWriteByte(writer, values[i] & 0xffu);
			if (plane->rooms != NULL)
			{
				tnWriteByte(writer, values[i] >> 8);
			}
		}
		i += run.length;
	}
}

// Columns one after the other, up and down and to and fro: where ground or liquid ends in one it goes on in the next.
static int32_t tnGetVoxelInColumns(int32_t number)
{
	const int32_t column = number / TN_VOXEL_CHUNK;
	const int32_t z = column / TN_ROW;
	const int32_t x = z % 2 == 0 ? column % TN_ROW : TN_ROW - 1 - column % TN_ROW;
	const int32_t y = column % 2 == 0 ? number % TN_VOXEL_CHUNK : TN_VOXEL_CHUNK - 1 - number % TN_VOXEL_CHUNK;
	return y * TN_LAYER + z * TN_ROW + x;
}

static tnPlane tnMakeColumns(const tnPlane* plane, uint16_t rooms[TN_CHUNK_VOXELS])
{
	tnPlane columns = *plane;
	for (int32_t i = 0; plane->rooms != NULL && i < TN_CHUNK_VOXELS; ++i)
	{
		rooms[i] = plane->rooms[tnGetVoxelInColumns(i)];
	}
	columns.rooms = plane->rooms != NULL ? rooms : NULL;
	return columns;
}

void tnWritePlane(tnByteWriter* writer, const tnPlane* plane, const uint16_t values[TN_CHUNK_VOXELS])
{
	// A run takes the bytes of so many voxels that are packed into many bits, or into few.
	static const int32_t worthies[2] = {4, 12};
	uint16_t rooms[TN_CHUNK_VOXELS];
	uint16_t inColumns[TN_CHUNK_VOXELS];
	const tnPlane columns = tnMakeColumns(plane, rooms);
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		inColumns[i] = values[tnGetVoxelInColumns(i)];
	}
	size_t fewest = SIZE_MAX;
	int best = 0;
	for (int i = 0; i < 4; ++i)
	{
		tnByteWriter counter = tnMakeWriter(NULL, 0);
		counter.size = i < 2 ? 0 : 1;
		tnWriteRuns(&counter, i < 2 ? plane : &columns, i < 2 ? values : inColumns, worthies[i % 2]);
		best = counter.size < fewest ? i : best;
		fewest = counter.size < fewest ? counter.size : fewest;
	}
	if (best >= 2)
	{
		tnWriteByte(writer, TN_COLUMNS);
	}
	tnWriteRuns(writer, best < 2 ? plane : &columns, best < 2 ? values : inColumns, worthies[best % 2]);
}

static void tnReadPacked(tnByteReader* reader, const tnPlane* plane, uint16_t* values, int32_t count)
{
	const uint32_t header = tnReadByte(reader);
	const uint32_t width = header >> 4;
	const int32_t kind = (int32_t)(header & 15u);
	const int64_t least = tnReadWithin(reader, 0, TN_MAX_VOXEL_CAP);
	const int64_t most = plane->rooms != NULL ? TN_MAX_VOXEL_CAP : plane->most;
	uint32_t bits = 0;
	uint32_t bitCount = 0;
	for (int32_t i = 0; i < count && !reader->failed; ++i)
	{
		for (; bitCount < width; bitCount += 8)
		{
			bits |= tnReadByte(reader) << bitCount;
		}
		const int64_t amount = least + (int64_t)(bits & ((1u << width) - 1u));
		bits >>= width;
		bitCount -= width;
		reader->failed = reader->failed || amount > most || (plane->rooms != NULL && amount > 0 && kind == 0);
		values[i] = plane->rooms != NULL ? tnPackLiquid(kind, (int32_t)amount) : (uint16_t)amount;
	}
}

static void tnReadRuns(tnByteReader* reader, const tnPlane* plane, uint16_t* values)
{
	int32_t kind = 1;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && !reader->failed;)
	{
		const uint32_t first = tnReadByte(reader);
		const uint32_t class = first >> 6;
		const uint32_t code = first & 31u;
		if (first == (tn_fullRun << 6 | TN_CHANGE_KIND))
		{
			kind = (int32_t)tnReadWithin(reader, 1, TN_MAX_LIQUIDS);
			continue;
		}
		int64_t length = (int64_t)code + 1;
		if (code >= TN_LAYER_RUN)
		{
			length = (int64_t)(code - TN_LAYER_RUN + 1) * TN_LAYER;
		}
		else if (code == TN_LONG_RUN)
		{
			length = tnReadWithin(reader, 0, TN_CHUNK_VOXELS) + TN_LONG_RUN + 1;
		}
		if ((first & 32u) != 0 || code == TN_CHANGE_KIND || length > TN_CHUNK_VOXELS - i)
		{
			reader->failed = true;
			break;
		}
		if (class == tn_packedRun)
		{
			tnReadPacked(reader, plane, values + i, (int32_t)length);
			i += (int32_t)length;
			continue;
		}
		uint32_t value = class == tn_valueRun ? tnReadByte(reader) : 0;
		if (class == tn_valueRun && plane->rooms != NULL)
		{
			value |= tnReadByte(reader) << 8;
			reader->failed = reader->failed || (value != 0 && value >> 12 == 0);
		}
		reader->failed = reader->failed || (plane->rooms == NULL && value > plane->most);
		for (int32_t end = i + (int32_t)length; i < end; ++i)
		{
			values[i] = class == tn_fullRun ? tnGetFull(plane, kind, i) : (uint16_t)value;
		}
	}
}

bool tnReadPlane(tnByteReader* reader, const tnPlane* plane, uint16_t values[TN_CHUNK_VOXELS])
{
	if (reader->at >= reader->size || reader->bytes[reader->at] != TN_COLUMNS)
	{
		tnReadRuns(reader, plane, values);
		return !reader->failed;
	}
	reader->at += 1;
	uint16_t rooms[TN_CHUNK_VOXELS];
	uint16_t inColumns[TN_CHUNK_VOXELS] = {0};
	const tnPlane columns = tnMakeColumns(plane, rooms);
	tnReadRuns(reader, &columns, inColumns);
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		values[tnGetVoxelInColumns(i)] = inColumns[i];
	}
	return !reader->failed;
}

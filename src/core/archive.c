// SPDX-License-Identifier: MIT

// Writes and reads snapshots, and trusts nothing that it reads.

#include "archive.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// "tarn", and what text modes and seven bits spoil.
static const uint8_t s_magic[8] = {'t', 'a', 'r', 'n', 0xf5, '\r', '\n', 0x1a};

enum
{
	// Bytes that are summed at once while they are still in the cache.
	TN_SUM_PIECE = 8192,
	TN_FIELD_TILE = 64,
	// Tiles along a side of a world of 65536 cells.
	TN_MOST_TILES = 1024,
};

// How a tile of a field is stored.
enum
{
	tn_evenTile = 0, // one value
	tn_rawTile,
	tn_sameTile,  // as the other field
	tn_levelTile, // what is missing from the other field to a level
};

// ---------------------------------------------------------------------------------------------------------------------
// Bytes

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static void tnCopyUnits(void* target, const void* source, size_t count, size_t unit)
{
	uint8_t* to = target;
	const uint8_t* from = source;
	for (size_t i = 0; i < count * unit; ++i)
	{
		to[i] = from[i - i % unit + (unit - 1 - i % unit)];
	}
}
#else
static void tnCopyUnits(void* target, const void* source, size_t count, size_t unit)
{
	memcpy(target, source, count * unit);
}
#endif

static uint64_t tnGetLittle(const uint8_t* bytes, size_t count)
{
	uint64_t value = 0;
	for (size_t i = 0; i < count; ++i)
	{
		value |= (uint64_t)bytes[i] << (8 * i);
	}
	return value;
}

static void tnPutLittle(uint8_t* bytes, uint64_t value, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

static uint64_t tnReadWord(const uint8_t* bytes)
{
	uint64_t word;
	tnCopyUnits(&word, bytes, 1, sizeof(word));
	return word;
}

static uint64_t tnTurn(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

#define TN_SUM_PRIME 0x9e3779b185ebca87ull

static void tnByteSum_Begin(tnByteSum* sum)
{
	*sum = (tnByteSum){{1, 2, 3, 4}, 0};
}

// @param count a multiple of 32
static void tnByteSum_AddBlocks(tnByteSum* sum, const uint8_t* bytes, size_t count)
{
	uint64_t a = sum->lanes[0], b = sum->lanes[1], c = sum->lanes[2], d = sum->lanes[3];
	for (size_t i = 0; i < count; i += 32)
	{
		a = tnTurn(a ^ tnReadWord(bytes + i), 29) * TN_SUM_PRIME;
		b = tnTurn(b ^ tnReadWord(bytes + i + 8), 29) * TN_SUM_PRIME;
		c = tnTurn(c ^ tnReadWord(bytes + i + 16), 29) * TN_SUM_PRIME;
		d = tnTurn(d ^ tnReadWord(bytes + i + 24), 29) * TN_SUM_PRIME;
	}
	sum->lanes[0] = a, sum->lanes[1] = b, sum->lanes[2] = c, sum->lanes[3] = d;
	sum->count += count;
}

// @param count less than 32 that are left over
static uint64_t tnByteSum_End(tnByteSum* sum, const uint8_t* bytes, size_t count)
{
	uint8_t last[32] = {0};
	if (count > 0)
	{
		memcpy(last, bytes, count);
	}
	const uint64_t all = sum->count + count;
	tnByteSum_AddBlocks(sum, last, sizeof(last));
	uint64_t hash = all * TN_SUM_PRIME;
	for (int i = 0; i < 4; ++i)
	{
		hash = tnTurn(hash ^ sum->lanes[i], 31) * TN_SUM_PRIME;
		hash ^= hash >> 29;
	}
	return hash;
}

uint64_t tnSumBytes(const uint8_t* bytes, size_t count)
{
	tnByteSum sum;
	tnByteSum_Begin(&sum);
	const size_t whole = count & ~(size_t)31;
	tnByteSum_AddBlocks(&sum, bytes, whole);
	return tnByteSum_End(&sum, bytes + whole, count - whole);
}

// ---------------------------------------------------------------------------------------------------------------------
// Beginning and end

tnArchive tnMakeCounter(void)
{
	return (tnArchive){.mode = tn_countArchive, .result = tnSuccess()};
}

tnArchive tnMakeArchiveWriter(void* bytes, size_t size)
{
	return (tnArchive){
		.mode = bytes != NULL ? tn_writeArchive : tn_countArchive, .out = bytes, .size = size, .result = tnSuccess()};
}

tnArchive tnMakeArchiveReader(const void* bytes, size_t size, bool apply)
{
	return (tnArchive){
		.mode = apply ? tn_applyArchive : tn_checkArchive, .in = bytes, .size = size, .result = tnSuccess()};
}

static const uint8_t* tnGetBytes(const tnArchive* archive)
{
	return tnArchive_Reads(archive) ? archive->in : archive->out;
}

static uint64_t tnSumSection(const tnArchive* archive)
{
	return tnSumBytes(tnGetBytes(archive) + archive->sectionBegin, archive->sectionEnd - archive->sectionBegin);
}

void tnArchive_Refuse(tnArchive* archive, const char* format, ...)
{
	if (archive->result.status != tn_ok)
	{
		return;
	}
	// A value that cannot be is most likely one that was damaged.
	if (archive->section != NULL && archive->in != NULL)
	{
		const uint64_t told = tnGetLittle(archive->in + archive->sectionBegin - 8, 8);
		if (tnSumSection(archive) != told)
		{
			archive->result =
				tnFail(tn_invalidArgument, "snapshot.%s is damaged: its sum is not the one it tells", archive->section);
			return;
		}
	}
	char text[128];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	archive->result = archive->section != NULL ? tnFail(tn_invalidArgument, "snapshot.%s: %s", archive->section, text)
											   : tnFail(tn_invalidArgument, "snapshot: %s", text);
}

void tnArchive_RefuseResult(tnArchive* archive, const char* name, const tnResult* result)
{
	if (result->status != tn_ok)
	{
		tnArchive_Refuse(archive, "%s: %s", name, result->text);
	}
}

size_t tnArchive_GetRest(const tnArchive* archive)
{
	const size_t end = archive->section != NULL ? archive->sectionEnd : archive->size;
	return tnArchive_IsOk(archive) && end > archive->at ? end - archive->at : 0;
}

// The bytes of the next values to be read. NULL if there are not so many, or something has failed before.
static const uint8_t* tnTakeBytes(tnArchive* archive, size_t count)
{
	if (!tnArchive_IsOk(archive))
	{
		return NULL;
	}
	if (count > tnArchive_GetRest(archive))
	{
		tnArchive_Refuse(archive, "%llu bytes more are needed at byte %llu, there are %llu", (unsigned long long)count,
			(unsigned long long)archive->at, (unsigned long long)tnArchive_GetRest(archive));
		return NULL;
	}
	const uint8_t* bytes = archive->in + archive->at;
	archive->at += count;
	return bytes;
}

// Where the next values are to be written. NULL if nothing is, and they are only counted.
static uint8_t* tnMakeRoom(tnArchive* archive, size_t count)
{
	const bool fits =
		archive->mode == tn_writeArchive && archive->at <= archive->size && count <= archive->size - archive->at;
	uint8_t* bytes = fits ? archive->out + archive->at : NULL;
	archive->at += count;
	return bytes;
}

static bool tnHasRoom(const tnArchive* archive)
{
	return archive->mode == tn_writeArchive && archive->at <= archive->size;
}

// Sum what was written while it is near.
static void tnSumUp(tnArchive* archive)
{
	if (archive->at - archive->summed >= TN_SUM_PIECE && tnHasRoom(archive))
	{
		const size_t count = (archive->at - archive->summed) & ~(size_t)31;
		tnByteSum_AddBlocks(&archive->sum, archive->out + archive->summed, count);
		archive->summed += count;
	}
}

// A sum of all headers, with 0 in its own place. 0 if they do not lie in the bytes one behind the other.
static uint64_t tnSumHeaders(const uint8_t* bytes, size_t size, uint32_t sectionCount)
{
	uint8_t head[TN_SNAPSHOT_HEADER];
	memcpy(head, bytes, sizeof(head));
	memset(head + 24, 0, 8);
	tnByteSum sum;
	tnByteSum_Begin(&sum);
	tnByteSum_AddBlocks(&sum, head, sizeof(head));
	size_t at = TN_SNAPSHOT_HEADER;
	for (uint32_t i = 0; i < sectionCount; ++i)
	{
		if (size - at < TN_SECTION_HEADER)
		{
			return 0;
		}
		tnByteSum_AddBlocks(&sum, bytes + at, TN_SECTION_HEADER);
		const uint64_t length = tnGetLittle(bytes + at + 8, 8);
		at += TN_SECTION_HEADER;
		if (length > size - at)
		{
			return 0;
		}
		at += (size_t)length;
	}
	return at == size ? tnByteSum_End(&sum, NULL, 0) | 1u : 0;
}

void tnArchive_Begin(tnArchive* archive, tnSnapshotKind kind)
{
	if (!tnArchive_Reads(archive))
	{
		(void)tnMakeRoom(archive, TN_SNAPSHOT_HEADER);
		return;
	}
	if (archive->in == NULL)
	{
		archive->result = tnFail(tn_invalidArgument, "bytes must not be NULL");
		return;
	}
	if (archive->size < TN_SNAPSHOT_HEADER)
	{
		tnArchive_Refuse(archive, "size must be at least %d, got %llu: it is cut off", TN_SNAPSHOT_HEADER,
			(unsigned long long)archive->size);
		return;
	}
	const uint8_t* bytes = archive->in;
	if (memcmp(bytes, s_magic, sizeof(s_magic)) != 0)
	{
		tnArchive_Refuse(archive, "these are not bytes of a snapshot: they begin with 0x%02x%02x%02x%02x", bytes[0],
			bytes[1], bytes[2], bytes[3]);
		return;
	}
	const uint32_t version = (uint32_t)tnGetLittle(bytes + 8, 4);
	if (version < 1 || version > TN_SNAPSHOT_VERSION)
	{
		tnArchive_Refuse(archive, "version must be in [1, %u], got %u: a newer tarn has written it",
			(unsigned)TN_SNAPSHOT_VERSION, (unsigned)version);
		return;
	}
	const uint64_t told = tnGetLittle(bytes + 16, 8);
	if (told != archive->size)
	{
		tnArchive_Refuse(archive,
			"size must be %llu as its header tells, got %llu: it is cut off, or something follows",
			(unsigned long long)told, (unsigned long long)archive->size);
		return;
	}
	const uint32_t sectionCount = (uint32_t)tnGetLittle(bytes + 12, 4);
	if (tnSumHeaders(bytes, archive->size, sectionCount) != tnGetLittle(bytes + 24, 8))
	{
		tnArchive_Refuse(archive, "its headers are damaged: their sum is not the one it tells");
		return;
	}
	const uint32_t is = (uint32_t)tnGetLittle(bytes + 32, 4);
	if (is != (uint32_t)kind)
	{
		tnArchive_Refuse(
			archive, "kind must be %u, got %u: 1 is a tnWorld, 2 a tnVoxelWorld", (unsigned)kind, (unsigned)is);
		return;
	}
	archive->at = TN_SNAPSHOT_HEADER;
}

void tnArchive_End(tnArchive* archive, tnSnapshotKind kind)
{
	if (tnArchive_Reads(archive))
	{
		if (tnArchive_IsOk(archive) && archive->at != archive->size)
		{
			// The sums are right, so somebody has written a section that is not known here.
			char name[TN_SECTION_NAME + 1] = {0};
			memcpy(
				name, archive->in + archive->at, tnArchive_GetRest(archive) >= TN_SECTION_NAME ? TN_SECTION_NAME : 0);
			tnArchive_Refuse(archive, "section %s is not known: a newer tarn has written it", name);
		}
		return;
	}
	if (archive->mode != tn_writeArchive)
	{
		return;
	}
	if (archive->at > archive->size)
	{
		archive->result = tnFail(tn_invalidArgument, "capacity must be at least %llu, got %llu",
			(unsigned long long)archive->at, (unsigned long long)archive->size);
		return;
	}
	uint8_t* head = archive->out;
	memset(head, 0, TN_SNAPSHOT_HEADER);
	memcpy(head, s_magic, sizeof(s_magic));
	tnPutLittle(head + 8, TN_SNAPSHOT_VERSION, 4);
	tnPutLittle(head + 12, (uint64_t)archive->sectionCount, 4);
	tnPutLittle(head + 16, archive->at, 8);
	tnPutLittle(head + 32, (uint64_t)kind, 4);
	tnPutLittle(head + 24, tnSumHeaders(head, archive->at, (uint32_t)archive->sectionCount), 8);
}

void tnMendSnapshot(void* bytes, size_t size)
{
	uint8_t* head = bytes;
	if (size < TN_SNAPSHOT_HEADER)
	{
		return;
	}
	memcpy(head, s_magic, sizeof(s_magic));
	tnPutLittle(head + 8, TN_SNAPSHOT_VERSION, 4);
	tnPutLittle(head + 16, size, 8);
	uint32_t count = 0;
	for (size_t at = TN_SNAPSHOT_HEADER; size - at >= TN_SECTION_HEADER;)
	{
		uint8_t* section = head + at;
		at += TN_SECTION_HEADER;
		uint64_t length = tnGetLittle(section + 8, 8);
		length = length <= size - at ? length : size - at;
		tnPutLittle(section + 8, length, 8);
		tnPutLittle(section + 24, tnSumBytes(head + at, (size_t)length), 8);
		at += (size_t)length;
		count += 1;
	}
	tnPutLittle(head + 12, count, 4);
	tnPutLittle(head + 24, tnSumHeaders(head, size, count), 8);
}

// Header of a section: name, version, length of what follows, 0, its sum.
void tnArchive_BeginSection(tnArchive* archive, const char* name, uint32_t version)
{
	archive->section = NULL;
	archive->version = version;
	if (!tnArchive_Reads(archive))
	{
		archive->section = name;
		uint8_t* head = tnMakeRoom(archive, TN_SECTION_HEADER);
		if (head != NULL)
		{
			memset(head, 0, TN_SECTION_HEADER);
			memcpy(head, name, TN_SECTION_NAME);
			tnPutLittle(head + 4, version, 4);
		}
		archive->sectionBegin = archive->at;
		archive->summed = archive->at;
		archive->sectionCount += 1;
		tnByteSum_Begin(&archive->sum);
		return;
	}
	const uint8_t* head = tnTakeBytes(archive, TN_SECTION_HEADER);
	if (head == NULL)
	{
		return;
	}
	const uint32_t told = (uint32_t)tnGetLittle(head + 4, 4);
	if (memcmp(head, name, TN_SECTION_NAME) != 0)
	{
		tnArchive_Refuse(archive, "section %s must come at byte %llu, got %.4s", name,
			(unsigned long long)(archive->at - TN_SECTION_HEADER), (const char*)head);
		return;
	}
	if (told < 1 || told > version || tnGetLittle(head + 16, 8) != 0)
	{
		tnArchive_Refuse(archive, "version of section %s must be in [1, %u], got %u: a newer tarn has written it", name,
			(unsigned)version, (unsigned)told);
		return;
	}
	archive->version = told;
	archive->sectionBegin = archive->at;
	// That it fits was seen with the headers.
	archive->sectionEnd = archive->at + (size_t)tnGetLittle(head + 8, 8);
	archive->summed = archive->at;
	archive->section = name;
	tnByteSum_Begin(&archive->sum);
}

void tnArchive_EndSection(tnArchive* archive)
{
	if (tnArchive_Reads(archive))
	{
		if (tnArchive_IsOk(archive) && archive->at != archive->sectionEnd)
		{
			tnArchive_Refuse(
				archive, "%llu bytes are left over", (unsigned long long)(archive->sectionEnd - archive->at));
		}
		if (tnArchive_IsOk(archive) && !tnArchive_Applies(archive) &&
			tnSumSection(archive) != tnGetLittle(archive->in + archive->sectionBegin - 8, 8))
		{
			tnArchive_Refuse(archive, "its sum is not the one it tells");
		}
		archive->section = NULL;
		return;
	}
	archive->section = NULL;
	if (!tnHasRoom(archive))
	{
		return;
	}
	const size_t whole = (archive->at - archive->summed) & ~(size_t)31;
	tnByteSum_AddBlocks(&archive->sum, archive->out + archive->summed, whole);
	archive->summed += whole;
	uint8_t* head = archive->out + archive->sectionBegin - TN_SECTION_HEADER;
	tnPutLittle(head + 8, archive->at - archive->sectionBegin, 8);
	tnPutLittle(
		head + 24, tnByteSum_End(&archive->sum, archive->out + archive->summed, archive->at - archive->summed), 8);
}

bool tnArchive_IsNext(const tnArchive* archive, const char* name)
{
	return !tnArchive_Reads(archive) ||
		(tnArchive_GetRest(archive) >= TN_SECTION_HEADER &&
			memcmp(archive->in + archive->at, name, TN_SECTION_NAME) == 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// One value

// A number of some bytes, to or from.
static uint64_t tnArchiveNumber(tnArchive* archive, uint64_t value, size_t count)
{
	if (tnArchive_Reads(archive))
	{
		const uint8_t* bytes = tnTakeBytes(archive, count);
		return bytes != NULL ? tnGetLittle(bytes, count) : 0;
	}
	uint8_t* bytes = tnMakeRoom(archive, count);
	if (bytes != NULL)
	{
		tnPutLittle(bytes, value, count);
	}
	return value;
}

void tnArchive_Bool(tnArchive* archive, bool* value, const char* name)
{
	const uint64_t bits = tnArchiveNumber(archive, *value ? 1 : 0, 1);
	if (bits > 1)
	{
		tnArchive_Refuse(archive, "%s must be 0 or 1, got %u", name, (unsigned)bits);
	}
	*value = bits == 1;
}

void tnArchive_U32(tnArchive* archive, uint32_t* value)
{
	*value = (uint32_t)tnArchiveNumber(archive, *value, 4);
}

void tnArchive_U64(tnArchive* archive, uint64_t* value)
{
	*value = tnArchiveNumber(archive, *value, 8);
}

void tnArchive_Int(tnArchive* archive, int* value, int low, int high, const char* name)
{
	const int32_t number = (int32_t)(uint32_t)tnArchiveNumber(archive, (uint32_t)*value, 4);
	*value = number;
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && (number < low || number > high))
	{
		tnArchive_Refuse(archive, "%s must be in [%d, %d], got %d", name, low, high, (int)number);
		*value = low;
	}
}

void tnArchive_I64(tnArchive* archive, int64_t* value, int64_t low, int64_t high, const char* name)
{
	*value = (int64_t)tnArchiveNumber(archive, (uint64_t)*value, 8);
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && (*value < low || *value > high))
	{
		tnArchive_Refuse(
			archive, "%s must be in [%lld, %lld], got %lld", name, (long long)low, (long long)high, (long long)*value);
		*value = low;
	}
}

void tnArchive_Float(tnArchive* archive, float* value, float low, float high, const char* name)
{
	uint32_t bits;
	memcpy(&bits, value, sizeof(bits));
	bits = (uint32_t)tnArchiveNumber(archive, bits, 4);
	memcpy(value, &bits, sizeof(bits));
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && !(*value >= low && *value <= high))
	{
		tnArchive_Refuse(archive, "%s must be in [%g, %g], got %g", name, (double)low, (double)high, (double)*value);
		*value = low;
	}
}

void tnArchive_Double(tnArchive* archive, double* value, double low, double high, const char* name)
{
	uint64_t bits;
	memcpy(&bits, value, sizeof(bits));
	bits = tnArchiveNumber(archive, bits, 8);
	memcpy(value, &bits, sizeof(bits));
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && !(*value >= low && *value <= high))
	{
		tnArchive_Refuse(archive, "%s must be in [%g, %g], got %g", name, low, high, *value);
		*value = low;
	}
}

void tnArchive_RawFloat(tnArchive* archive, float* value)
{
	uint32_t bits;
	memcpy(&bits, value, sizeof(bits));
	bits = (uint32_t)tnArchiveNumber(archive, bits, 4);
	memcpy(value, &bits, sizeof(bits));
}

void tnArchive_AnyFloat(tnArchive* archive, float* value, const char* name)
{
	tnArchive_Float(archive, value, -FLT_MAX, FLT_MAX, name);
}

void tnArchive_AnyDouble(tnArchive* archive, double* value, const char* name)
{
	tnArchive_Double(archive, value, -DBL_MAX, DBL_MAX, name);
}

// ---------------------------------------------------------------------------------------------------------------------
// Arrays

// Values that can be as they are, to or from. Returns what was read, for a check, or NULL.
static const uint8_t* tnArchiveUnits(tnArchive* archive, void* values, size_t count, size_t unit)
{
	if (count > SIZE_MAX / unit)
	{
		tnArchive_Refuse(archive, "%llu values are more than there can be", (unsigned long long)count);
		return NULL;
	}
	if (!tnArchive_Reads(archive))
	{
		uint8_t* bytes = tnMakeRoom(archive, count * unit);
		if (bytes != NULL && count > 0)
		{
			tnCopyUnits(bytes, values, count, unit);
			tnSumUp(archive);
		}
		return NULL;
	}
	const uint8_t* bytes = tnTakeBytes(archive, count * unit);
	if (tnArchive_Applies(archive) && bytes != NULL && count > 0)
	{
		tnCopyUnits(values, bytes, count, unit);
		return NULL;
	}
	return bytes;
}

static uint32_t tnGetBits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

// Without branches, so that compilers make vectors of it. -0 is no negative number.
static uint32_t tnFindBadFloats(const uint8_t* bytes, size_t count, uint32_t mostBits, uint32_t lowestBits)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count; ++i)
	{
		uint32_t bits;
		tnCopyUnits(&bits, bytes + 4 * i, 1, 4);
		bad |= (uint32_t)((bits & 0x7fffffffu) > mostBits) | (uint32_t)(bits > lowestBits);
	}
	return bad;
}

// Are floats within a range whose low end is either 0 or -most?
bool tnArchive_CheckFloats(
	tnArchive* archive, const uint8_t* bytes, size_t count, float least, float most, const char* name)
{
	const uint32_t mostBits = tnGetBits(most);
	const uint32_t lowestBits = least < 0.0f ? 0xffffffffu : 0x80000000u;
	if (tnFindBadFloats(bytes, count, mostBits, lowestBits) == 0)
	{
		return true;
	}
	size_t first = 0;
	while (tnFindBadFloats(bytes + 4 * first, 1, mostBits, lowestBits) == 0)
	{
		first += 1;
	}
	uint32_t bits = (uint32_t)tnGetLittle(bytes + 4 * first, 4);
	float value;
	memcpy(&value, &bits, sizeof(value));
	tnArchive_Refuse(archive, "%s must be in [%g, %g], got %g", name, (double)least, (double)most, (double)value);
	return false;
}

void tnArchive_Floats(tnArchive* archive, float* values, size_t count, float most, const char* name)
{
	const uint8_t* bytes = tnArchiveUnits(archive, values, count, sizeof(float));
	if (bytes != NULL)
	{
		tnArchive_CheckFloats(archive, bytes, count, -most, most, name);
	}
}

void tnArchive_Doubles(tnArchive* archive, double* values, size_t count, const char* name)
{
	const uint8_t* bytes = tnArchiveUnits(archive, values, count, sizeof(double));
	for (size_t i = 0; i < count && bytes != NULL && tnArchive_IsOk(archive); ++i)
	{
		if ((tnGetLittle(bytes + 8 * i, 8) >> 52 & 0x7ff) == 0x7ff)
		{
			tnArchive_Refuse(archive, "%s[%llu] must be finite", name, (unsigned long long)i);
		}
	}
}

void tnArchive_Ints(tnArchive* archive, int32_t* values, size_t count, int32_t low, int32_t high, const char* name)
{
	const uint8_t* bytes = tnArchiveUnits(archive, values, count, sizeof(int32_t));
	for (size_t i = 0; i < count && bytes != NULL && tnArchive_IsOk(archive); ++i)
	{
		const int32_t value = (int32_t)(uint32_t)tnGetLittle(bytes + 4 * i, 4);
		if (value < low || value > high)
		{
			tnArchive_Refuse(archive, "%s[%llu] must be in [%d, %d], got %d", name, (unsigned long long)i, (int)low,
				(int)high, (int)value);
		}
	}
}

void tnArchive_Bytes(tnArchive* archive, uint8_t* values, size_t count, uint8_t most, const char* name)
{
	const uint8_t* bytes = tnArchiveUnits(archive, values, count, 1);
	for (size_t i = 0; i < count && bytes != NULL && tnArchive_IsOk(archive); ++i)
	{
		if (bytes[i] > most)
		{
			tnArchive_Refuse(archive, "%s[%llu] must be at most %u, got %u", name, (unsigned long long)i,
				(unsigned)most, (unsigned)bytes[i]);
		}
	}
}

void tnArchive_Words(tnArchive* archive, uint64_t* values, size_t count)
{
	(void)tnArchiveUnits(archive, values, count, sizeof(uint64_t));
}

uint8_t* tnArchive_Reserve(tnArchive* archive, size_t count)
{
	return tnMakeRoom(archive, count);
}

const uint8_t* tnArchive_Take(tnArchive* archive, size_t count)
{
	return tnTakeBytes(archive, count);
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

// Cells of a tile. The last ones have all that is left.
typedef struct tnFieldBox
{
	int columnBegin, columnEnd, rowBegin, rowEnd;
} tnFieldBox;

static tnFieldBox tnGetFieldBox(const tnArchiveField* field, int tileColumn, int tileRow)
{
	return (tnFieldBox){
		tileColumn * TN_FIELD_TILE,
		tileColumn == field->tileColumns - 1 ? field->columns : (tileColumn + 1) * TN_FIELD_TILE,
		tileRow * TN_FIELD_TILE,
		tileRow == field->tileRows - 1 ? field->rows : (tileRow + 1) * TN_FIELD_TILE,
	};
}

static float tnGetMissing(float level, float bed)
{
	return tnMaxFloat(level - bed, 0.0f);
}

// The level of water that stands still, from the first cell that has some.
static float tnFindLevel(const tnArchiveField* field, tnFieldBox box)
{
	const ptrdiff_t at = box.rowBegin * field->stride + box.columnBegin;
	return field->values[at] + field->other[at];
}

static bool tnIsEven(const tnArchiveField* field, tnFieldBox box)
{
	const float* first = field->values + box.rowBegin * field->stride + box.columnBegin;
	const size_t count = (size_t)(box.columnEnd - box.columnBegin);
	if (count > 1 && memcmp(first, first + 1, (count - 1) * sizeof(float)) != 0)
	{
		return false;
	}
	for (int row = box.rowBegin + 1; row < box.rowEnd; ++row)
	{
		if (memcmp(first, field->values + row * field->stride + box.columnBegin, count * sizeof(float)) != 0)
		{
			return false;
		}
	}
	return true;
}

static bool tnIsSame(const tnArchiveField* field, tnFieldBox box)
{
	const size_t count = (size_t)(box.columnEnd - box.columnBegin);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		const ptrdiff_t at = row * field->stride + box.columnBegin;
		if (memcmp(field->values + at, field->other + at, count * sizeof(float)) != 0)
		{
			return false;
		}
	}
	return true;
}

static bool tnIsLevel(const tnArchiveField* field, tnFieldBox box)
{
	const float level = tnFindLevel(field, box);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		const ptrdiff_t line = row * field->stride;
		for (int column = box.columnBegin; column < box.columnEnd; ++column)
		{
			const float missing = tnGetMissing(level, field->other[line + column]);
			if (tnGetBits(missing) != tnGetBits(field->values[line + column]))
			{
				return false;
			}
		}
	}
	return true;
}

static uint8_t tnChooseKind(const tnArchiveField* field, tnFieldBox box)
{
	if (tnIsEven(field, box))
	{
		return tn_evenTile;
	}
	switch (field->follows)
	{
		case tn_followsField:
			return tnIsSame(field, box) ? tn_sameTile : tn_rawTile;
		case tn_followsBed:
			return tnIsLevel(field, box) ? tn_levelTile : tn_rawTile;
		default:
			return tn_rawTile;
	}
}

// Fill a tile with what needs no floats of its own.
static void tnFillTile(const tnArchiveField* field, tnFieldBox box, uint8_t kind, float value)
{
	const size_t count = (size_t)(box.columnEnd - box.columnBegin);
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		const ptrdiff_t at = row * field->stride + box.columnBegin;
		if (kind == tn_sameTile)
		{
			memcpy(field->values + at, field->other + at, count * sizeof(float));
			continue;
		}
		for (size_t i = 0; i < count; ++i)
		{
			field->values[at + (ptrdiff_t)i] =
				kind == tn_evenTile ? value : tnGetMissing(value, field->other[at + (ptrdiff_t)i]);
		}
	}
}

// Kinds of a row of tiles, and values of those that need one.
static void tnArchiveKinds(tnArchive* archive, const tnArchiveField* field, int tileRow, uint8_t* kinds)
{
	const bool writes = !tnArchive_Reads(archive);
	for (int i = 0; i < field->tileColumns && writes; ++i)
	{
		kinds[i] = tnChooseKind(field, tnGetFieldBox(field, i, tileRow));
	}
	const uint8_t* bytes = tnArchiveUnits(archive, kinds, (size_t)field->tileColumns, 1);
	if (bytes != NULL)
	{
		memcpy(kinds, bytes, (size_t)field->tileColumns);
	}
	for (int i = 0; i < field->tileColumns && tnArchive_IsOk(archive); ++i)
	{
		const tnFieldBox box = tnGetFieldBox(field, i, tileRow);
		if (kinds[i] > tn_levelTile || (kinds[i] == tn_sameTile && field->follows != tn_followsField) ||
			(kinds[i] == tn_levelTile && field->follows != tn_followsBed))
		{
			tnArchive_Refuse(archive, "%s: tile (%d, %d) must be stored in a way that is known, got %u", field->name, i,
				tileRow, (unsigned)kinds[i]);
			return;
		}
		if (kinds[i] == tn_evenTile || kinds[i] == tn_levelTile)
		{
			float value = 0.0f;
			if (writes)
			{
				value = kinds[i] == tn_levelTile ? tnFindLevel(field, box)
												 : field->values[box.rowBegin * field->stride + box.columnBegin];
			}
			const float least = kinds[i] == tn_levelTile ? -2.0f * field->most : field->least;
			const float most = kinds[i] == tn_levelTile ? 2.0f * field->most : field->most;
			// -0 is 0 here.
			tnArchive_Float(archive, &value, least, most, field->name);
			if (tnArchive_Applies(archive))
			{
				tnFillTile(field, box, kinds[i], value);
			}
		}
		else if (kinds[i] == tn_sameTile && tnArchive_Applies(archive))
		{
			tnFillTile(field, box, kinds[i], 0.0f);
		}
	}
}

void tnArchive_Field(tnArchive* archive, const tnArchiveField* field)
{
	if (archive->fieldFcn != NULL && tnArchive_IsOk(archive) &&
		archive->fieldFcn(archive->fieldContext, archive, field))
	{
		return;
	}
	uint8_t kinds[TN_MOST_TILES] = {0};
	TN_ASSERT(field->tileColumns <= TN_MOST_TILES);
	for (int tileRow = 0; tileRow < field->tileRows && tnArchive_IsOk(archive); ++tileRow)
	{
		tnArchiveKinds(archive, field, tileRow, kinds);
		const tnFieldBox rows = tnGetFieldBox(field, 0, tileRow);
		// Row by row, tiles side by side at once: memory likes that best.
		for (int row = rows.rowBegin; row < rows.rowEnd && tnArchive_IsOk(archive); ++row)
		{
			for (int begin = 0; begin < field->tileColumns; ++begin)
			{
				int end = begin;
				while (end < field->tileColumns && kinds[end] == tn_rawTile)
				{
					end += 1;
				}
				if (end == begin)
				{
					continue;
				}
				const int columnBegin = tnGetFieldBox(field, begin, tileRow).columnBegin;
				const size_t count = (size_t)(tnGetFieldBox(field, end - 1, tileRow).columnEnd - columnBegin);
				float* values = field->values != NULL ? field->values + row * field->stride + columnBegin : NULL;
				const uint8_t* bytes = tnArchiveUnits(archive, values, count, sizeof(float));
				if (bytes != NULL &&
					!tnArchive_CheckFloats(archive, bytes, count, field->least, field->most, field->name))
				{
					return;
				}
				begin = end - 1;
			}
		}
	}
}

// SPDX-License-Identifier: MIT

// What turns one image into another, as bytes. Both have blocks: those of the bytes first, then those of each field. Runs of blocks
// that are the same are counted, others are written as what the bits of their words differ in:
//
//   header   "tarndlt" and 0x1a, version, 0; size of all, sum of what follows; steps and sum of the base, steps and sum of the
//            new image; number of its bytes
//   blocks   how many are the same; one that is not; and so on, for the bytes and for each field
//   block    a bit for each 16 words: does any differ? For each 16 that do: two bits a word, how many bytes (0, 2, 3, 4)
//            its difference takes; these
//
// Counts take 7 bits a byte, the low ones first, with the high bit set if there are more.

#include "rollback.h"
#include "tarn/snapshot.h"
#include "world.h"

#include <string.h>

enum
{
	TN_DELTA_VERSION = 1,
	TN_DELTA_HEADER = 72,
	TN_DELTA_WORDS = 16, // of a group
};

static const uint8_t s_deltaMagic[8] = {'t', 'a', 'r', 'n', 'd', 'l', 't', 0x1a};

static uint32_t tnReadLittle(const uint8_t* bytes, int count)
{
	uint32_t value = 0;
	for (int i = 0; i < count; ++i)
	{
		value |= (uint32_t)bytes[i] << (8 * i);
	}
	return value;
}

static uint64_t tnReadLittleLong(const uint8_t* bytes)
{
	return (uint64_t)tnReadLittle(bytes + 4, 4) << 32 | tnReadLittle(bytes, 4);
}

static void tnWriteLittle(uint8_t* bytes, uint64_t value, int count)
{
	for (int i = 0; i < count; ++i)
	{
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

typedef struct tnDeltaWriter
{
	uint8_t* out;
	size_t capacity, at;
} tnDeltaWriter;

static void tnPut(tnDeltaWriter* writer, uint32_t value, int count)
{
	if (writer->at + (size_t)count <= writer->capacity)
	{
		tnWriteLittle(writer->out + writer->at, value, count);
	}
	writer->at += (size_t)count;
}

static void tnPutCount(tnDeltaWriter* writer, uint32_t count)
{
	for (; count >= 0x80; count >>= 7)
	{
		tnPut(writer, (count & 0x7f) | 0x80, 1);
	}
	tnPut(writer, count, 1);
}

// A word of a block. Beyond its end there are zeros.
static uint32_t tnGetBlockWord(const uint8_t* block, size_t count, size_t at)
{
	return at >= count ? 0 : tnReadLittle(block + at, count - at < 4 ? (int)(count - at) : 4);
}

// Bytes that a difference takes, as two bits.
static uint32_t tnGetWidth(uint32_t difference)
{
	return difference == 0 ? 0 : difference >> 16 == 0 ? 1 : difference >> 24 == 0 ? 2 : 3;
}

// @param old NULL: zeros
static void tnPutBlock(tnDeltaWriter* writer, const uint8_t* old, size_t oldCount, const uint8_t* block, size_t count)
{
	const size_t groupBytes = 4 * TN_DELTA_WORDS;
	const size_t groups = (count + groupBytes - 1) / groupBytes;
	oldCount = old != NULL ? oldCount : 0;
	const size_t maskAt = writer->at;
	uint8_t mask = 0;
	writer->at += (groups + 7) / 8;
	for (size_t group = 0; group < groups; ++group)
	{
		uint32_t words[TN_DELTA_WORDS], widths = 0, any = 0;
		for (size_t i = 0; i < TN_DELTA_WORDS; ++i)
		{
			const size_t at = group * groupBytes + 4 * i;
			words[i] = tnGetBlockWord(block, count, at) ^ tnGetBlockWord(old, oldCount < count ? oldCount : count, at);
			widths |= tnGetWidth(words[i]) << (2 * i);
			any |= words[i];
		}
		mask |= (uint8_t)((any != 0 ? 1u : 0u) << (group % 8));
		if (any != 0)
		{
			tnPut(writer, widths, 4);
			for (size_t i = 0; i < TN_DELTA_WORDS; ++i)
			{
				const int width = (int)(widths >> (2 * i) & 3u);
				tnPut(writer, words[i], width == 0 ? 0 : width + 1);
			}
		}
		if (group % 8 == 7 || group + 1 == groups)
		{
			if (maskAt + group / 8 < writer->capacity)
			{
				writer->out[maskAt + group / 8] = mask;
			}
			mask = 0;
		}
	}
}

static size_t tnGetFieldBytes(const tnImageField* field, int tile)
{
	const tnArchiveField shape = {
		.columns = field->columns, .rows = field->rows, .tileColumns = field->tileColumns, .tileRows = field->tileRows};
	const tnImageBox box = tnGetImageBox(&shape, tile);
	return (size_t)box.columns * (size_t)box.rows * sizeof(float);
}

static size_t tnGetByteBlockBytes(const tnImage* image, size_t blockBytes, int index)
{
	const size_t at = (size_t)index * blockBytes;
	return at >= image->byteCount ? 0 : image->byteCount - at < blockBytes ? image->byteCount - at : blockBytes;
}

static const tnImageField* tnFindSame(const tnImage* image, const tnImageField* field)
{
	const tnArchiveField shape = {.name = field->name,
		.number = field->number,
		.columns = field->columns,
		.rows = field->rows,
		.tileColumns = field->tileColumns,
		.tileRows = field->tileRows};
	return tnImage_Find(image, &shape);
}

// The bytes (field NULL) or a field.
static void tnPutBlocks(tnDeltaWriter* writer, const tnImageStore* store, const tnImage* image, const tnImage* base,
	const tnImageField* field)
{
	const tnImageField* old = field != NULL ? tnFindSame(base, field) : NULL;
	const int count = field != NULL ? field->tileColumns * field->tileRows : image->blockCount - image->byteBlock;
	uint32_t same = 0;
	for (int i = 0; i < count; ++i)
	{
		const int32_t block = image->blocks[(field != NULL ? field->first : image->byteBlock) + i];
		const size_t bytes =
			field != NULL ? tnGetFieldBytes(field, i) : tnGetByteBlockBytes(image, store->blockBytes, i);
		size_t oldBytes = old != NULL ? bytes : 0;
		int32_t was = old != NULL ? base->blocks[old->first + i] : -1;
		if (field == NULL && base->byteBlock + i < base->blockCount)
		{
			was = base->blocks[base->byteBlock + i];
			oldBytes = tnGetByteBlockBytes(base, store->blockBytes, i);
		}
		if (was == block && oldBytes == bytes)
		{
			same += 1;
			continue;
		}
		tnPutCount(writer, same);
		same = 0;
		tnPutBlock(writer, was >= 0 ? tnImageStore_GetBlock(store, was) : NULL, oldBytes,
			tnImageStore_GetBlock(store, block), bytes);
	}
	if (same > 0)
	{
		tnPutCount(writer, same);
	}
}

tnResult tnRollback_SaveDelta(const tnRollback* rollback, int base, void* bytes, size_t capacity, size_t* size)
{
	if (size != NULL)
	{
		*size = 0;
	}
	tnResult result = tnRollback_CheckReady(rollback);
	result = result.status == tn_ok ? tnRollback_CheckIndex(rollback, base, 1, "base") : result;
	if (result.status == tn_ok && size == NULL)
	{
		result = tnFail(tn_invalidArgument, "size must not be NULL");
	}
	if (result.status == tn_ok && bytes == NULL && capacity > 0)
	{
		result = tnFail(tn_invalidArgument, "bytes must not be NULL when capacity is %zu", capacity);
	}
	if (result.status != tn_ok)
	{
		return tnRollback_Report(rollback, result);
	}
	const tnImage* now = tnRollback_Get(rollback, 0);
	const tnImage* was = tnRollback_Get(rollback, base);
	tnDeltaWriter writer = {bytes, capacity, TN_DELTA_HEADER};
	tnPutBlocks(&writer, &rollback->store, now, was, NULL);
	for (int i = 0; i < now->fieldCount; ++i)
	{
		tnPutBlocks(&writer, &rollback->store, now, was, now->fields + i);
	}
	*size = writer.at;
	if (bytes != NULL && writer.at > capacity)
	{
		result = tnFail(tn_invalidArgument, "capacity must be at least %zu, got %zu", writer.at, capacity);
	}
	else if (bytes != NULL)
	{
		uint8_t* head = bytes;
		memset(head, 0, TN_DELTA_HEADER);
		memcpy(head, s_deltaMagic, sizeof(s_deltaMagic));
		tnWriteLittle(head + 8, TN_DELTA_VERSION, 4);
		tnWriteLittle(head + 16, writer.at, 8);
		tnWriteLittle(head + 32, (uint64_t)was->stepCount, 8);
		tnWriteLittle(head + 40, was->sum, 8);
		tnWriteLittle(head + 48, (uint64_t)now->stepCount, 8);
		tnWriteLittle(head + 56, now->sum, 8);
		tnWriteLittle(head + 64, now->byteCount, 8);
		tnWriteLittle(head + 24, tnSumBytes(head + 32, writer.at - 32), 8);
	}
	return tnRollback_Report(rollback, result);
}

void tnMendDelta(void* bytes, size_t size)
{
	if (size >= TN_DELTA_HEADER)
	{
		uint8_t* head = bytes;
		memcpy(head, s_deltaMagic, sizeof(s_deltaMagic));
		tnWriteLittle(head + 8, TN_DELTA_VERSION, 4);
		tnWriteLittle(head + 16, size, 8);
		tnWriteLittle(head + 24, tnSumBytes(head + 32, size - 32), 8);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

typedef struct tnDeltaReader
{
	const uint8_t* bytes;
	size_t size, at;
	bool failed;
	tnRollback* rollback;
	tnImage* image;
	const tnImage* base;
	bool outOfMemory;
} tnDeltaReader;

static uint32_t tnTake(tnDeltaReader* reader, int count)
{
	if (reader->failed || (size_t)count > reader->size - reader->at)
	{
		reader->failed = true;
		return 0;
	}
	const uint32_t value = tnReadLittle(reader->bytes + reader->at, count);
	reader->at += (size_t)count;
	return value;
}

static uint32_t tnTakeCount(tnDeltaReader* reader)
{
	uint32_t count = 0;
	for (int shift = 0; shift < 28; shift += 7)
	{
		const uint32_t byte = tnTake(reader, 1);
		count |= (byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
		{
			return count;
		}
	}
	reader->failed = true;
	return 0;
}

// What was written by tnPutBlock. `block` has room for whole words, and may not be `old`.
static void tnTakeBlock(tnDeltaReader* reader, const uint8_t* old, size_t oldCount, uint8_t* block, size_t count)
{
	const size_t groupBytes = 4 * TN_DELTA_WORDS;
	const size_t groups = (count + groupBytes - 1) / groupBytes;
	oldCount = old == NULL ? 0 : oldCount < count ? oldCount : count;
	memset(block, 0, count);
	if (oldCount > 0)
	{
		memcpy(block, old, oldCount);
	}
	if (reader->failed || (groups + 7) / 8 > reader->size - reader->at)
	{
		reader->failed = true;
		return;
	}
	const uint8_t* mask = reader->bytes + reader->at;
	reader->at += (groups + 7) / 8;
	for (size_t group = 0; group < groups && !reader->failed; ++group)
	{
		if ((mask[group / 8] >> (group % 8) & 1) == 0)
		{
			continue;
		}
		const uint32_t widths = tnTake(reader, 4);
		for (size_t i = 0; i < TN_DELTA_WORDS; ++i)
		{
			const int width = (int)(widths >> (2 * i) & 3u);
			const uint32_t difference = width == 0 ? 0 : tnTake(reader, width + 1);
			const size_t at = group * groupBytes + 4 * i;
			for (size_t k = 0; k < 4 && at + k < count; ++k)
			{
				block[at + k] ^= (uint8_t)(difference >> (8 * k));
			}
		}
	}
}

// The bytes of the new image, in one piece.
static void tnTakeBytes(tnDeltaReader* reader)
{
	tnImageStore* store = &reader->rollback->store;
	const tnImage *base = reader->base, *image = reader->image;
	const size_t blockBytes = store->blockBytes;
	const int count = (int)((image->byteCount + blockBytes - 1) / blockBytes);
	uint32_t same = tnTakeCount(reader);
	for (int i = 0; i < count && !reader->failed; ++i)
	{
		uint8_t* to = store->bytes + (size_t)i * blockBytes;
		const size_t bytes = tnGetByteBlockBytes(image, blockBytes, i);
		const size_t oldBytes = tnGetByteBlockBytes(base, blockBytes, i);
		const uint8_t* old = oldBytes > 0 ? tnImageStore_GetBlock(store, base->blocks[base->byteBlock + i]) : NULL;
		if (same > 0)
		{
			reader->failed = oldBytes != bytes;
			memcpy(to, old != NULL ? old : to, reader->failed ? 0 : bytes);
			same -= 1;
			continue;
		}
		tnTakeBlock(reader, old, oldBytes, to, bytes);
		same = i + 1 < count ? tnTakeCount(reader) : 0;
	}
	reader->failed = reader->failed || same > 0;
}

static bool tnTakeField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	tnDeltaReader* reader = context;
	tnImageStore* store = &reader->rollback->store;
	tnImage* image = reader->image;
	const int count = field->tileColumns * field->tileRows;
	if (!tnImageStore_Reserve(store, image, image->fieldCount + 1, image->blockCount + count, 0))
	{
		reader->outOfMemory = true;
		tnArchive_Refuse(archive, "no memory");
		return true;
	}
	if (tnImage_Find(image, field) != NULL || !tnImage_Add(image, store, field))
	{
		return false;
	}
	const tnImageField* old = tnImage_Find(reader->base, field);
	int tile = 0;
	while (tile < count && !reader->failed)
	{
		const uint32_t same = tnTakeCount(reader);
		if (same > (uint32_t)(count - tile) || (same > 0 && old == NULL))
		{
			reader->failed = true;
			break;
		}
		for (uint32_t i = 0; i < same; ++i, ++tile)
		{
			tnImageStore_Share(store, image, reader->base->blocks[old->first + tile]);
		}
		if (tile == count)
		{
			break;
		}
		const int32_t block = tnImageStore_Take(store, image);
		if (block < 0)
		{
			reader->outOfMemory = true;
			tnArchive_Refuse(archive, "no memory");
			return true;
		}
		const tnImageBox box = tnGetImageBox(field, tile);
		const size_t floats = (size_t)box.columns * (size_t)box.rows;
		uint8_t* to = tnImageStore_GetBlock(store, block);
		tnTakeBlock(reader, old != NULL ? tnImageStore_GetBlock(store, reader->base->blocks[old->first + tile]) : NULL,
			floats * sizeof(float), to, floats * sizeof(float));
		if (!tnArchive_CheckFloats(archive, to, floats, field->least, field->most, field->name))
		{
			return true;
		}
		store->sums[block] = tnSumBytes(to, floats * sizeof(float));
		tile += 1;
	}
	if (reader->failed)
	{
		tnArchive_Refuse(archive, "%s ends too early or has too much", field->name);
	}
	return true;
}

static tnResult tnReadDeltaHead(const uint8_t* bytes, size_t size, tnDeltaInfo* info)
{
	*info = (tnDeltaInfo){0};
	if (bytes == NULL)
	{
		return tnFail(tn_invalidArgument, "bytes must not be NULL");
	}
	if (size < TN_DELTA_HEADER)
	{
		return tnFail(
			tn_invalidArgument, "delta: size must be at least %d, got %zu: it is cut off", TN_DELTA_HEADER, size);
	}
	if (memcmp(bytes, s_deltaMagic, sizeof(s_deltaMagic)) != 0)
	{
		return tnFail(tn_invalidArgument, "delta: these are not bytes of a delta: they begin with 0x%02x%02x%02x%02x",
			bytes[0], bytes[1], bytes[2], bytes[3]);
	}
	const uint32_t version = tnReadLittle(bytes + 8, 4);
	if (version < 1 || version > TN_DELTA_VERSION)
	{
		return tnFail(tn_invalidArgument, "delta: version must be in [1, %d], got %u: a newer tarn has written it",
			TN_DELTA_VERSION, (unsigned)version);
	}
	if (tnReadLittleLong(bytes + 16) != size)
	{
		return tnFail(tn_invalidArgument,
			"delta: size must be %llu as its header tells, got %zu: it is cut off, or something follows",
			(unsigned long long)tnReadLittleLong(bytes + 16), size);
	}
	if (tnReadLittle(bytes + 12, 4) != 0 || tnReadLittleLong(bytes + 24) != tnSumBytes(bytes + 32, size - 32))
	{
		return tnFail(tn_invalidArgument, "delta: it is damaged: its sum is not the one it tells");
	}
	info->baseStepCount = (int64_t)tnReadLittleLong(bytes + 32);
	info->baseSum = tnReadLittleLong(bytes + 40);
	info->stepCount = (int64_t)tnReadLittleLong(bytes + 48);
	info->sum = tnReadLittleLong(bytes + 56);
	return tnSuccess();
}

tnResult tnReadDeltaInfo(const void* bytes, size_t size, tnDeltaInfo* info)
{
	return info == NULL ? tnFail(tn_invalidArgument, "info must not be NULL") : tnReadDeltaHead(bytes, size, info);
}

static const tnImage* tnFindBase(const tnRollback* rollback, const tnDeltaInfo* info)
{
	for (int i = 0; i < rollback->count; ++i)
	{
		const tnImage* image = tnRollback_Get(rollback, i);
		if (image->stepCount == info->baseStepCount && image->sum == info->baseSum)
		{
			return image;
		}
	}
	return NULL;
}

// Make the image of a delta whose head is known.
static tnResult tnDecodeDelta(tnDeltaReader* reader, const tnDeltaInfo* info)
{
	tnRollback* rollback = reader->rollback;
	tnImageStore* store = &rollback->store;
	tnImage* image = reader->image;
	const uint64_t byteCount = tnReadLittleLong(reader->bytes + 64);
	// Zeros take least: 512 words of them a byte.
	if (byteCount > reader->base->byteCount + 1024 * (uint64_t)reader->size)
	{
		return tnFail(
			tn_invalidArgument, "delta: %llu bytes are more than can be in it", (unsigned long long)byteCount);
	}
	if (!tnImageStore_Reserve(store, image, 0, 0, (size_t)byteCount))
	{
		reader->outOfMemory = true;
		return tnFail(
			tn_outOfMemory, "out of memory for a delta of %llu bytes besides cells", (unsigned long long)byteCount);
	}
	image->byteCount = (size_t)byteCount;
	image->stepCount = info->stepCount;
	tnTakeBytes(reader);
	if (reader->failed)
	{
		return tnFail(tn_invalidArgument, "delta: its bytes end too early or have too much");
	}
	tnSnapshotInfo snapshot;
	tnResult result = tnReadSnapshotInfo(store->bytes, image->byteCount, &snapshot);
	if (result.status == tn_ok)
	{
		image->time = snapshot.time;
		result = tnWorld_CheckWith(rollback->world, store->bytes, image->byteCount, tnTakeField, reader);
	}
	if (reader->outOfMemory)
	{
		return tnFail(tn_outOfMemory, "byteCount: no room for the image of a delta");
	}
	if (result.status == tn_ok &&
		(reader->failed || reader->at != reader->size || snapshot.stepCount != info->stepCount))
	{
		result = tnFail(tn_invalidArgument, "delta: it does not end where it must, or tells another number of steps");
	}
	const int count = (int)((image->byteCount + store->blockBytes - 1) / store->blockBytes);
	if (result.status == tn_ok &&
		(!tnImageStore_Reserve(store, image, 0, image->blockCount + count, 0) ||
			!tnImageStore_PutBytes(store, image, reader->base)))
	{
		return tnFail(tn_outOfMemory, "byteCount: no room for the image of a delta");
	}
	if (result.status == tn_ok)
	{
		tnImageStore_Sum(store, image);
		result = image->sum == info->sum
			? result
			: tnFail(tn_invalidArgument, "delta: it makes an image with another sum than it tells");
	}
	return result;
}

tnResult tnRollback_RestoreDelta(tnRollback* rollback, const void* bytes, size_t size)
{
	tnDeltaInfo info = {0};
	tnResult result = tnRollback_CheckReady(rollback);
	result = result.status == tn_ok ? tnReadDeltaHead(bytes, size, &info) : result;
	if (result.status != tn_ok)
	{
		return tnRollback_Report(rollback, result);
	}
	const tnImage* base = tnFindBase(rollback, &info);
	if (base == NULL)
	{
		return tnRollback_Report(rollback,
			tnFail(tn_invalidArgument,
				"delta: its base is another: step %lld with sum %016llx is not among the %d images here",
				(long long)info.baseStepCount, (unsigned long long)info.baseSum, rollback->count));
	}
	tnImage* image = tnRollback_Begin(rollback);
	tnDeltaReader reader = {
		.bytes = bytes, .size = size, .at = TN_DELTA_HEADER, .rollback = rollback, .image = image, .base = base};
	rollback->held = base;
	result = tnDecodeDelta(&reader, &info);
	rollback->held = NULL;
	if (result.status == tn_ok)
	{
		const tnImage* now = tnRollback_Get(rollback, 0);
		result = tnImageStore_Apply(&rollback->store, rollback->world, image, now, rollback->seen);
	}
	if (result.status == tn_ok)
	{
		tnRollback_Keep(rollback);
		result = tnRollback_Record(rollback);
	}
	else
	{
		tnImageStore_Release(&rollback->store, image);
	}
	return tnRollback_Report(rollback, result);
}

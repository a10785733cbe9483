// SPDX-License-Identifier: MIT

// Images of worlds that share what has not changed.

#include "image.h"

#include "../core/hash.h"
#include "world.h"

#include <string.h>

enum
{
	// Faces have a column or row more.
	TN_MOST_SIDE = TN_TILE_SIZE + 1,
	// Small worlds still have snapshots of some size.
	TN_LEAST_BLOCK = 2048,
};

// ---------------------------------------------------------------------------------------------------------------------
// Fields

tnImageBox tnGetImageBox(const tnArchiveField* field, int tile)
{
	const int column = tile % field->tileColumns, row = tile / field->tileColumns;
	tnImageBox box = {column * TN_TILE_SIZE, row * TN_TILE_SIZE, TN_TILE_SIZE, TN_TILE_SIZE};
	box.columns = column == field->tileColumns - 1 ? field->columns - box.column : TN_TILE_SIZE;
	box.rows = row == field->tileRows - 1 ? field->rows - box.row : TN_TILE_SIZE;
	return box;
}

// Does every tile of a field fit into a block?
static bool tnFits(const tnArchiveField* field, size_t blockBytes)
{
	const tnImageBox last = tnGetImageBox(field, field->tileColumns * field->tileRows - 1);
	const size_t columns = (size_t)(field->tileColumns > 1 ? tnMaxInt(TN_TILE_SIZE, last.columns) : last.columns);
	const size_t rows = (size_t)(field->tileRows > 1 ? tnMaxInt(TN_TILE_SIZE, last.rows) : last.rows);
	return columns * rows * sizeof(float) <= blockBytes;
}

const tnImageField* tnImage_Find(const tnImage* image, const tnArchiveField* field)
{
	for (int i = 0; i < image->fieldCount; ++i)
	{
		const tnImageField* is = image->fields + i;
		if (is->number == field->number && is->columns == field->columns && is->rows == field->rows &&
			is->tileColumns == field->tileColumns && is->tileRows == field->tileRows &&
			strcmp(is->name, field->name) == 0)
		{
			return is;
		}
	}
	return NULL;
}

bool tnImage_Add(tnImage* image, const tnImageStore* store, const tnArchiveField* field)
{
	if (!tnFits(field, store->blockBytes))
	{
		return false;
	}
	TN_ASSERT(image->fieldCount < image->fieldCapacity);
	image->fields[image->fieldCount] = (tnImageField){field->name, field->number, field->columns, field->rows,
		field->tileColumns, field->tileRows, image->blockCount};
	image->fieldCount += 1;
	return true;
}

static bool tnIsBlock(const tnImageStore* store, int32_t block, const tnArchiveField* field, tnImageBox box)
{
	const float* values = (const float*)(const void*)tnImageStore_GetBlock(store, block);
	for (int row = 0; row < box.rows; ++row)
	{
		const float* line = field->values + (box.row + row) * field->stride + box.column;
		if (memcmp(line, values + (size_t)row * (size_t)box.columns, (size_t)box.columns * sizeof(float)) != 0)
		{
			return false;
		}
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

// More blocks, in one piece. False if memory ran out.
static bool tnAddBlocks(tnImageStore* store, int added)
{
	tnMemory* memory = &store->memory;
	const size_t old = (size_t)store->blockCount, count = old + (size_t)added, chunks = (size_t)store->chunkCount;
	// What has grown already is large enough, and freed by the size it has then: all or nothing.
	uint8_t** places = tnMemory_Alloc(memory, count * sizeof(uint8_t*));
	uint64_t* sums = tnMemory_Alloc(memory, count * sizeof(uint64_t));
	int32_t* uses = tnMemory_Alloc(memory, count * sizeof(int32_t));
	int32_t* freeList = tnMemory_Alloc(memory, count * sizeof(int32_t));
	uint8_t** chunkList = tnMemory_Alloc(memory, (chunks + 1) * sizeof(uint8_t*));
	int* chunkCounts = tnMemory_Alloc(memory, (chunks + 1) * sizeof(int));
	uint8_t* chunk = tnMemory_AllocDirty(memory, (size_t)added * store->blockBytes);
	const bool ok = places != NULL && sums != NULL && uses != NULL && freeList != NULL && chunkList != NULL &&
		chunkCounts != NULL && chunk != NULL;
	if (ok)
	{
		for (size_t i = 0; i < old; ++i)
		{
			places[i] = store->places[i];
			sums[i] = store->sums[i];
			uses[i] = store->uses[i];
			freeList[i] = store->freeList[i];
		}
		for (size_t i = 0; i < chunks; ++i)
		{
			chunkList[i] = store->chunks[i];
			chunkCounts[i] = store->chunkCounts[i];
		}
		chunkList[chunks] = chunk;
		chunkCounts[chunks] = added;
		for (int i = added - 1; i >= 0; --i)
		{
			places[old + (size_t)i] = chunk + (size_t)i * store->blockBytes;
			freeList[store->freeCount] = (int32_t)old + i;
			store->freeCount += 1;
		}
	}
	tnMemory_Free(memory, ok ? (void*)store->places : (void*)places, (ok ? old : count) * sizeof(uint8_t*));
	tnMemory_Free(memory, ok ? store->sums : sums, (ok ? old : count) * sizeof(uint64_t));
	tnMemory_Free(memory, ok ? store->uses : uses, (ok ? old : count) * sizeof(int32_t));
	tnMemory_Free(memory, ok ? store->freeList : freeList, (ok ? old : count) * sizeof(int32_t));
	tnMemory_Free(memory, ok ? (void*)store->chunks : (void*)chunkList, (ok ? chunks : chunks + 1) * sizeof(uint8_t*));
	tnMemory_Free(memory, ok ? store->chunkCounts : chunkCounts, (ok ? chunks : chunks + 1) * sizeof(int));
	if (!ok)
	{
		tnMemory_Free(memory, chunk, (size_t)added * store->blockBytes);
		return false;
	}
	store->places = places;
	store->sums = sums;
	store->uses = uses;
	store->freeList = freeList;
	store->chunks = chunkList;
	store->chunkCounts = chunkCounts;
	store->chunkCount += 1;
	store->blockCount += added;
	return true;
}

int32_t tnImageStore_Take(tnImageStore* store, tnImage* image)
{
	while (store->freeCount == 0)
	{
		if (store->grows)
		{
			if (!tnAddBlocks(store, store->blockCount / 8 + 8))
			{
				return -1;
			}
		}
		else if (store->makeRoom == NULL || !store->makeRoom(store->context))
		{
			return -1;
		}
	}
	store->freeCount -= 1;
	const int32_t block = store->freeList[store->freeCount];
	store->uses[block] = 1;
	TN_ASSERT(image->blockCount < image->blockCapacity);
	image->blocks[image->blockCount] = block;
	image->blockCount += 1;
	image->ownCount += 1;
	return block;
}

void tnImageStore_Share(tnImageStore* store, tnImage* image, int32_t block)
{
	TN_ASSERT(image->blockCount < image->blockCapacity);
	store->uses[block] += 1;
	image->blocks[image->blockCount] = block;
	image->blockCount += 1;
}

void tnImageStore_Release(tnImageStore* store, tnImage* image)
{
	for (int i = 0; i < image->blockCount; ++i)
	{
		const int32_t block = image->blocks[i];
		store->uses[block] -= 1;
		if (store->uses[block] == 0)
		{
			store->freeList[store->freeCount] = block;
			store->freeCount += 1;
		}
	}
	image->blockCount = 0;
	image->fieldCount = 0;
	image->ownCount = 0;
}

void tnImageStore_FreeArrays(tnImageStore* store, tnImage* image)
{
	tnMemory_Free(&store->memory, image->fields, (size_t)image->fieldCapacity * sizeof(tnImageField));
	tnMemory_Free(&store->memory, image->blocks, (size_t)image->blockCapacity * sizeof(int32_t));
	*image = (tnImage){0};
}

bool tnImageStore_Reserve(tnImageStore* store, tnImage* image, int fieldCount, int blockCount, size_t byteCount)
{
	tnMemory* memory = &store->memory;
	if (byteCount > store->byteCapacity)
	{
		// A body more must not mean to ask again.
		const size_t capacity = byteCount + byteCount / 4;
		uint8_t* bytes = tnMemory_AllocDirty(memory, capacity);
		if (bytes == NULL)
		{
			return false;
		}
		tnMemory_Free(memory, store->bytes, store->byteCapacity);
		store->bytes = bytes;
		store->byteCapacity = capacity;
	}
	if (fieldCount > image->fieldCapacity)
	{
		tnImageField* fields = tnMemory_Grow(memory, image->fields, (size_t)image->fieldCapacity * sizeof(tnImageField),
			(size_t)fieldCount * sizeof(tnImageField));
		if (fields == NULL)
		{
			return false;
		}
		image->fields = fields;
		image->fieldCapacity = fieldCount;
	}
	if (blockCount > image->blockCapacity)
	{
		const int capacity = blockCount + 8;
		int32_t* blocks = tnMemory_Grow(
			memory, image->blocks, (size_t)image->blockCapacity * sizeof(int32_t), (size_t)capacity * sizeof(int32_t));
		if (blocks == NULL)
		{
			return false;
		}
		image->blocks = blocks;
		image->blockCapacity = capacity;
	}
	return true;
}

static int tnCountByteBlocks(size_t byteCount, size_t blockBytes)
{
	return (int)((byteCount + blockBytes - 1) / blockBytes);
}

static size_t tnGetPiece(const tnImage* image, size_t blockBytes, size_t at)
{
	return image->byteCount - at < blockBytes ? image->byteCount - at : blockBytes;
}

bool tnImageStore_PutBytes(tnImageStore* store, tnImage* image, const tnImage* before)
{
	image->byteBlock = image->blockCount;
	int index = 0;
	for (size_t at = 0; at < image->byteCount; at += store->blockBytes, ++index)
	{
		const size_t count = tnGetPiece(image, store->blockBytes, at);
		if (before != NULL && at < before->byteCount && tnGetPiece(before, store->blockBytes, at) == count)
		{
			const int32_t block = before->blocks[before->byteBlock + index];
			if (memcmp(tnImageStore_GetBlock(store, block), store->bytes + at, count) == 0)
			{
				tnImageStore_Share(store, image, block);
				continue;
			}
		}
		const int32_t block = tnImageStore_Take(store, image);
		if (block < 0)
		{
			return false;
		}
		memcpy(tnImageStore_GetBlock(store, block), store->bytes + at, count);
		store->sums[block] = tnSumBytes(store->bytes + at, count);
	}
	return true;
}

uint8_t* tnImageStore_GetBytes(tnImageStore* store, const tnImage* image)
{
	tnImage none = {0};
	if (!tnImageStore_Reserve(store, &none, 0, 0, image->byteCount))
	{
		return NULL;
	}
	int index = image->byteBlock;
	for (size_t at = 0; at < image->byteCount; at += store->blockBytes, ++index)
	{
		memcpy(store->bytes + at, tnImageStore_GetBlock(store, image->blocks[index]),
			tnGetPiece(image, store->blockBytes, at));
	}
	return store->bytes;
}

void tnImageStore_Sum(const tnImageStore* store, tnImage* image)
{
	const uint64_t head[2] = {image->byteCount, (uint64_t)image->fieldCount};
	uint64_t hash = tnHashBytes(TN_HASH_SEED, head, sizeof(head));
	for (int i = 0; i < image->blockCount; ++i)
	{
		hash = tnHashBytes(hash, store->sums + image->blocks[i], sizeof(uint64_t));
	}
	image->sum = hash;
}

// ---------------------------------------------------------------------------------------------------------------------
// Making images

typedef struct tnImageMaker
{
	tnImageStore* store;
	tnImage* image;
	const tnImage* before;
	size_t blockBytes;
	int fieldCount, blockCount;
	bool full; // no block is free
} tnImageMaker;

static bool tnCountField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	(void)archive;
	tnImageMaker* maker = context;
	if (!tnFits(field, maker->blockBytes))
	{
		return false;
	}
	maker->fieldCount += 1;
	maker->blockCount += field->tileColumns * field->tileRows;
	return true;
}

static bool tnMakeField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	(void)archive;
	tnImageMaker* maker = context;
	tnImageStore* store = maker->store;
	tnImage* image = maker->image;
	const tnImageField* old = maker->before != NULL ? tnImage_Find(maker->before, field) : NULL;
	if (!tnImage_Add(image, store, field))
	{
		return false;
	}
	for (int tile = 0; tile < field->tileColumns * field->tileRows && !maker->full; ++tile)
	{
		const tnImageBox box = tnGetImageBox(field, tile);
		const int32_t was = old != NULL ? maker->before->blocks[old->first + tile] : -1;
		const bool known = was >= 0 && field->tracked && store->unchanged[tile] != 0;
		if (was >= 0 && (known || tnIsBlock(store, was, field, box)))
		{
			TN_VALIDATE(tnIsBlock(store, was, field, box));
			tnImageStore_Share(store, image, was);
			continue;
		}
		const int32_t block = tnImageStore_Take(store, image);
		maker->full = block < 0;
		if (maker->full)
		{
			break;
		}
		const size_t count = (size_t)box.columns * sizeof(float);
		uint8_t* to = tnImageStore_GetBlock(store, block);
		for (int row = 0; row < box.rows; ++row)
		{
			memcpy(to + (size_t)row * count, field->values + (box.row + row) * field->stride + box.column, count);
		}
		store->sums[block] = tnSumBytes(to, (size_t)box.rows * count);
	}
	return true;
}

static void tnFindUnchanged(tnImageStore* store, const tnWorld* world, const uint32_t* seen)
{
	for (int tile = 0; tile < store->tileCount; ++tile)
	{
		store->unchanged[tile] = seen == NULL || seen[tile] == world->tiles.changes[tile] ? 1 : 0;
	}
}

tnResult tnImageStore_Write(
	tnImageStore* store, const tnWorld* world, tnImage* image, const tnImage* before, const uint32_t* seen)
{
	tnImageMaker maker = {.store = store, .image = image, .before = before, .blockBytes = store->blockBytes};
	size_t size = 0;
	(void)tnWorld_SaveWith(world, NULL, 0, &size, tnCountField, &maker);
	const int blockCount = maker.blockCount + tnCountByteBlocks(size, store->blockBytes);
	if (!tnImageStore_Reserve(store, image, maker.fieldCount, blockCount, size))
	{
		return tnFail(tn_outOfMemory, "out of memory for an image of %zu bytes besides its cells", size);
	}
	TN_ASSERT(image->blockCount == 0);
	tnFindUnchanged(store, world, seen);
	image->byteCount = size;
	image->time = world->time;
	image->stepCount = world->stats.stepCount;
	const tnResult result = tnWorld_SaveWith(world, store->bytes, size, &size, tnMakeField, &maker);
	TN_ASSERT(result.status == tn_ok && size == image->byteCount);
	(void)result;
	if (maker.full || !tnImageStore_PutBytes(store, image, before))
	{
		tnImageStore_Release(store, image);
		return tnFail(tn_outOfMemory, "byteCount: no room for two images, one takes %zu bytes",
			(size_t)blockCount * store->blockBytes);
	}
	tnImageStore_Sum(store, image);
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Applying them

typedef struct tnImageReader
{
	tnImageStore* store;
	tnWorld* world;
	const tnImage* image;
	const tnImage* now;
} tnImageReader;

static bool tnApplyField(void* context, tnArchive* archive, const tnArchiveField* field)
{
	const tnImageReader* reader = context;
	const tnImageStore* store = reader->store;
	if (!tnFits(field, store->blockBytes))
	{
		return false;
	}
	const tnImageField* is = tnImage_Find(reader->image, field);
	if (is == NULL)
	{
		tnArchive_Refuse(archive, "%s %d is not in the image", field->name, field->number);
		return true;
	}
	if (!tnArchive_Applies(archive))
	{
		return true;
	}
	const tnImageField* now = reader->now != NULL && field->tracked ? tnImage_Find(reader->now, field) : NULL;
	for (int tile = 0; tile < field->tileColumns * field->tileRows; ++tile)
	{
		const int32_t block = reader->image->blocks[is->first + tile];
		if (now != NULL && store->unchanged[tile] != 0 && reader->now->blocks[now->first + tile] == block)
		{
			continue;
		}
		const tnImageBox box = tnGetImageBox(field, tile);
		const size_t count = (size_t)box.columns * sizeof(float);
		const uint8_t* from = tnImageStore_GetBlock(store, block);
		for (int row = 0; row < box.rows; ++row)
		{
			memcpy(field->values + (box.row + row) * field->stride + box.column, from + (size_t)row * count, count);
		}
		if (field->tracked)
		{
			reader->world->tiles.changes[tile] += 1;
			reader->world->tiles.edits[tile] += 1;
		}
	}
	return true;
}

tnResult tnImageStore_Apply(
	tnImageStore* store, tnWorld* world, const tnImage* image, const tnImage* now, const uint32_t* seen)
{
	const uint8_t* bytes = tnImageStore_GetBytes(store, image);
	if (bytes == NULL)
	{
		return tnFail(tn_outOfMemory, "out of memory for an image of %zu bytes besides its cells", image->byteCount);
	}
	tnFindUnchanged(store, world, seen);
	tnImageReader reader = {store, world, image, now};
	return tnWorld_RestoreWith(world, bytes, image->byteCount, tnApplyField, &reader);
}

// ---------------------------------------------------------------------------------------------------------------------
// The store

size_t tnGetImageBlockBytes(const tnWorld* world)
{
	const size_t columns = (size_t)tnMinInt(world->grid.columnCount + 1, TN_MOST_SIDE);
	const size_t rows = (size_t)tnMinInt(world->grid.rowCount + 1, TN_MOST_SIDE);
	const size_t bytes = columns * rows * sizeof(float);
	return ((bytes > TN_LEAST_BLOCK ? bytes : (size_t)TN_LEAST_BLOCK) + 15) & ~(size_t)15;
}

int tnCountImageBlocks(const tnWorld* world, size_t blockBytes, size_t* byteCount)
{
	tnImageMaker maker = {.blockBytes = blockBytes};
	size_t size = 0;
	(void)tnWorld_SaveWith(world, NULL, 0, &size, tnCountField, &maker);
	*byteCount = 2 * size;
	// Three fields that come with the first body or another method, and what else may come.
	return maker.blockCount + 3 * world->tiles.count + tnCountByteBlocks(2 * size, blockBytes) + 4;
}

bool tnImageStore_Create(tnImageStore* store, const tnWorld* world, int blockCount)
{
	*store = (tnImageStore){.blockBytes = tnGetImageBlockBytes(world)};
	tnMemory_Init(&store->memory, &world->def.allocator, world->def.memoryLimit);
	store->tileCount = world->tiles.count;
	if (!tnAddBlocks(store, blockCount) ||
		(store->unchanged = tnMemory_Alloc(&store->memory, (size_t)store->tileCount)) == NULL)
	{
		tnImageStore_Destroy(store);
		return false;
	}
	return true;
}

void tnImageStore_Destroy(tnImageStore* store)
{
	tnMemory* memory = &store->memory;
	const size_t count = (size_t)store->blockCount, chunks = (size_t)store->chunkCount;
	for (size_t i = 0; i < chunks; ++i)
	{
		tnMemory_Free(memory, store->chunks[i], (size_t)store->chunkCounts[i] * store->blockBytes);
	}
	tnMemory_Free(memory, store->places, count * sizeof(uint8_t*));
	tnMemory_Free(memory, store->chunks, chunks * sizeof(uint8_t*));
	tnMemory_Free(memory, store->chunkCounts, chunks * sizeof(int));
	tnMemory_Free(memory, store->sums, count * sizeof(uint64_t));
	tnMemory_Free(memory, store->uses, count * sizeof(int32_t));
	tnMemory_Free(memory, store->freeList, count * sizeof(int32_t));
	tnMemory_Free(memory, store->unchanged, (size_t)store->tileCount);
	tnMemory_Free(memory, store->bytes, store->byteCapacity);
	TN_ASSERT(memory->byteCount == 0);
	*store = (tnImageStore){0};
}

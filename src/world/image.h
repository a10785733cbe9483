// SPDX-License-Identifier: MIT

#pragma once

#include "../core/archive.h"
#include "../core/memory.h"
#include "tarn/world.h"

// States of a world in memory. Fields lie there by tile, as blocks that images share as long as they are the same; all else is the
// bytes of a snapshot without these fields, cut into blocks too. A block knows how many images use it.

// A field of an image. Its blocks are those from `first` on, tile by tile.
typedef struct tnImageField
{
	const char* name;
	int number, columns, rows, tileColumns, tileRows;
	int first;
} tnImageField;

typedef struct tnImage
{
	tnImageField* fields;
	int32_t* blocks; // of fields, then of bytes
	int fieldCount, fieldCapacity;
	int blockCount, blockCapacity;
	int byteBlock; // the first block of bytes
	size_t byteCount;
	int ownCount; // blocks that the image before does not have
	double time;
	int64_t stepCount;
	uint64_t sum;
} tnImage;

typedef struct tnImageStore
{
	tnMemory memory;
	size_t blockBytes;
	int blockCount;
	bool grows;       // when no block is free
	uint8_t** places; // of blocks
	uint8_t** chunks; // memory for some of them each
	int* chunkCounts; // of blocks
	int chunkCount;
	uint64_t* sums;    // of blocks
	int32_t* uses;     // images that have it
	int32_t* freeList; // blocks without use
	int freeCount;
	// The bytes of an image that is being made or applied.
	uint8_t* bytes;
	size_t byteCapacity;
	// By tile of the world: it is what the newest image has.
	uint8_t* unchanged;
	int tileCount;
	// Lets go of an old image when no block is free. False: there is none.
	bool (*makeRoom)(void* context);
	void* context;
} tnImageStore;

struct tnWorld;

// Blocks that an image of a world takes that shares none, with room for what may come, and its bytes besides fields.
int tnCountImageBlocks(const struct tnWorld* world, size_t blockBytes, size_t* byteCount);
// Bytes of a block for a world.
size_t tnGetImageBlockBytes(const struct tnWorld* world);

// @param blockCount room for images, all in all
bool tnImageStore_Create(tnImageStore* store, const struct tnWorld* world, int blockCount);
// All images must have been released.
void tnImageStore_Destroy(tnImageStore* store);

// Make an image of a world. Not enough memory: the image is empty.
// @param before an image to share with. NULL: none
// @param seen tnTiles.changes when the world was what `before` is; only together with it
tnResult tnImageStore_Write(
	tnImageStore* store, const struct tnWorld* world, tnImage* image, const tnImage* before, const uint32_t* seen);
// Make a world what an image is.
// @param now what the world is but for tiles that have changed since `seen`. NULL: not known
// @param seen NULL: nothing has changed
tnResult tnImageStore_Apply(
	tnImageStore* store, struct tnWorld* world, const tnImage* image, const tnImage* now, const uint32_t* seen);

// Give back its blocks. Its arrays stay.
void tnImageStore_Release(tnImageStore* store, tnImage* image);
void tnImageStore_FreeArrays(tnImageStore* store, tnImage* image);

// For who makes images in another way.

// Room for so many fields and blocks, and for bytes to be put together.
bool tnImageStore_Reserve(tnImageStore* store, tnImage* image, int fieldCount, int blockCount, size_t byteCount);
// A block that only this image has; -1 if there is none.
int32_t tnImageStore_Take(tnImageStore* store, tnImage* image);
// One that another image has.
void tnImageStore_Share(tnImageStore* store, tnImage* image, int32_t block);
// The field of an image like this one, or NULL.
const tnImageField* tnImage_Find(const tnImage* image, const tnArchiveField* field);
// Put a field at the end. False if it is none for images. There must be room.
bool tnImage_Add(tnImage* image, const tnImageStore* store, const tnArchiveField* field);
// Cut store->bytes into blocks of the image. False if there are not enough.
bool tnImageStore_PutBytes(tnImageStore* store, tnImage* image, const tnImage* before);
// The bytes of an image, in one piece. NULL if memory ran out.
uint8_t* tnImageStore_GetBytes(tnImageStore* store, const tnImage* image);
// When all is there.
void tnImageStore_Sum(const tnImageStore* store, tnImage* image);

static inline uint8_t* tnImageStore_GetBlock(const tnImageStore* store, int32_t block)
{
	return store->places[block];
}

typedef struct tnImageBox
{
	int column, row, columns, rows;
} tnImageBox;

// Cells of a tile of a field.
tnImageBox tnGetImageBox(const tnArchiveField* field, int tile);

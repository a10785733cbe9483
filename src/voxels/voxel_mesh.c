// SPDX-License-Identifier: MIT

// Collects what a mesh of a chunk is made of, for both styles.

#include "voxel_mesh.h"

#include "../core/hash.h"

#include <string.h>

tnVoxelMeshDef tnDefaultVoxelMeshDef(void)
{
	return (tnVoxelMeshDef){.style = tn_smoothMesh, .liquid = TN_MESH_GROUND, .stamp = TN_DEF_STAMP};
}

tnResult tnCreateVoxelMesher(const tnAllocator* allocator, tnVoxelMesher** mesher)
{
	if (mesher == NULL)
	{
		return tnFail(tn_invalidArgument, "mesher must not be NULL");
	}
	*mesher = NULL;
	const tnAllocator hooks = allocator != NULL ? *allocator : (tnAllocator){0};
	if ((hooks.allocFcn == NULL) != (hooks.freeFcn == NULL))
	{
		return tnFail(tn_invalidArgument, "allocator must have both functions or none");
	}
	tnMemory memory;
	tnMemory_Init(&memory, &hooks, 0);
	tnVoxelMesher* made = tnMemory_Alloc(&memory, sizeof(tnVoxelMesher));
	if (made == NULL)
	{
		return tnFail(tn_outOfMemory, "a mesher needs %zu bytes", sizeof(tnVoxelMesher));
	}
	made->memory = memory;
	tnMakeMeshCases(made->cases);
	*mesher = made;
	return tnSuccess();
}

static tnResult tnFailBusy(void)
{
	return tnFail(tn_notAvailable, "mesher is building: tasks must not call the mesher that they work for");
}

void tnDestroyVoxelMesher(tnVoxelMesher* mesher)
{
	if (mesher != NULL && mesher->busyWith != NULL)
	{
		(void)tnVoxelWorld_Report(mesher->busyWith, tnFailBusy());
	}
	else if (mesher != NULL)
	{
		tnMemory memory = mesher->memory;
		for (int32_t i = 0; i < mesher->helperCount; ++i)
		{
			tnMemory_Free(&memory, mesher->helpers[i], sizeof(tnVoxelMesher));
		}
		tnMemory_Free(&memory, mesher->helpers, (size_t)mesher->helperCount * sizeof(tnVoxelMesher*));
		tnMemory_Free(&memory, mesher, sizeof(tnVoxelMesher));
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The pad

// Voxels of one chunk that are in the pad, along one axis: from `low` of the chunk on, to `target` of the pad.
typedef struct tnMeshSpan
{
	int32_t low, count, target;
} tnMeshSpan;

static const tnMeshSpan s_spans[3] = {
	{TN_VOXEL_CHUNK - TN_MESH_MARGIN, TN_MESH_MARGIN, 0},
	{0, TN_VOXEL_CHUNK, TN_MESH_MARGIN},
	{0, TN_MESH_BEYOND, TN_MESH_MARGIN + TN_VOXEL_CHUNK},
};

// What a voxel that is not there is filled with.
typedef struct tnMeshFill
{
	uint16_t top, bottom;
	uint8_t kind;
} tnMeshFill;

// Is every voxel of the chunk as the one at 0?
static bool tnIsUniform(const tnVoxelChunk* chunk)
{
	return chunk == NULL || (chunk->solid == NULL && chunk->liquid == NULL);
}

// What all of a uniform chunk is filled to, if it is loaded.
static int32_t tnGetUniformTop(const tnVoxelStore* store, const tnVoxelChunk* chunk, uint32_t wantedKinds)
{
	const bool isWanted = chunk->liquidFill != 0 && (wantedKinds >> chunk->liquidFill & 1u) != 0;
	return isWanted ? store->cap : store->cap - store->rooms[chunk->solidFill];
}

// A row of 2, 3 or 16 voxels: the compiler knows how many, and needs no call for it.
static inline void tnCopyRow(void* to, const void* from, size_t size, int32_t count)
{
	switch (count)
	{
		case TN_VOXEL_CHUNK:
			memcpy(to, from, TN_VOXEL_CHUNK * size);
			break;
		case TN_MESH_MARGIN:
			memcpy(to, from, TN_MESH_MARGIN * size);
			break;
		default:
			memcpy(to, from, TN_MESH_BEYOND * size);
			break;
	}
}

// Ground without bodies: these have meshes of their own. Liquid lies against them as against ground.
static void tnForgetBodiesOfRow(tnVoxelMesher* mesher, const tnVoxelWorld* world, int32_t place, int32_t count)
{
	const int32_t row = place / TN_MESH_PAD;
	const tnVoxel low = {mesher->origin.x + place % TN_MESH_PAD - TN_MESH_MARGIN,
		mesher->origin.y + row / TN_MESH_PAD - TN_MESH_MARGIN, mesher->origin.z + row % TN_MESH_PAD - TN_MESH_MARGIN};
	for (int32_t x = 0; x < count; ++x)
	{
		const int32_t ground = tnVoxelWorld_GetGround(world, (tnVoxel){low.x + x, low.y, low.z}, -1);
		if (ground >= 0)
		{
			mesher->solid[place + x] = (uint8_t)ground;
		}
	}
}

// Ground and words of a chunk that are in the pad. Rock or air where it is not loaded.
static void tnCopySpan(tnVoxelMesher* mesher, const tnVoxelWorld* world, const tnVoxelChunk* chunk,
	const tnMeshSpan spans[3], uint32_t wantedKinds, tnMeshFill absent)
{
	static const uint8_t nothing = 0;
	const int32_t count = spans[0].count;
	const bool isWanted = chunk != NULL && (chunk->kinds & wantedKinds) != 0;
	uint8_t solidRow[TN_VOXEL_CHUNK];
	uint16_t wordRow[TN_VOXEL_CHUNK];
	memset(solidRow, chunk != NULL ? chunk->solidFill : (absent.top > 0 ? TN_VOXEL_ROCK : nothing), sizeof(solidRow));
	for (int32_t x = 0; x < TN_VOXEL_CHUNK; ++x)
	{
		// As much as a word can have: whatever fits.
		wordRow[x] = isWanted && chunk->liquidFill != 0 ? (uint16_t)(chunk->liquidFill << 12 | 0xfff) : 0;
	}
	const bool forgets = chunk != NULL && chunk->taken && wantedKinds == 0;
	for (int32_t y = 0; y < spans[1].count; ++y)
	{
		for (int32_t z = 0; z < spans[2].count; ++z)
		{
			const int32_t row = (spans[1].target + y) * TN_MESH_PAD + spans[2].target + z;
			const int32_t place = row * TN_MESH_PAD + spans[0].target;
			const int32_t voxel = ((spans[1].low + y) * TN_ROW + spans[2].low + z) * TN_ROW + spans[0].low;
			const bool hasGround = chunk != NULL && chunk->solid != NULL;
			tnCopyRow(mesher->solid + place, hasGround ? chunk->solid + voxel : solidRow, 1, count);
			if (wantedKinds != 0)
			{
				const bool hasWords = isWanted && chunk->liquid != NULL;
				tnCopyRow(mesher->words + place, hasWords ? chunk->liquid + voxel : wordRow, sizeof(uint16_t), count);
			}
			if (forgets)
			{
				tnForgetBodiesOfRow(mesher, world, place, count);
			}
		}
	}
}

// Those that are not loaded have a kind of their own, and are not drawn.
static void tnMarkAbsent(tnVoxelMesher* mesher, const tnMeshSpan spans[3])
{
	const uint32_t bits = ((1u << spans[0].count) - 1u) << spans[0].target;
	for (int32_t y = 0; y < spans[1].count; ++y)
	{
		for (int32_t z = 0; z < spans[2].count; ++z)
		{
			const int32_t row = (spans[1].target + y) * TN_MESH_PAD + spans[2].target + z;
			for (int32_t x = 0; x < spans[0].count; ++x)
			{
				mesher->kinds[row * TN_MESH_PAD + spans[0].target + x] = TN_MESH_UNLOADED;
			}
			mesher->drawnRows[row] &= ~bits;
		}
	}
}

// Some bits of a string of them.
static inline uint32_t tnReadBits(const uint8_t* bits, int32_t first, int32_t count)
{
	const uint8_t* at = bits + first / 8;
	const uint32_t four = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
	return four >> first % 8 & ((1u << count) - 1u);
}

static void tnReadRows(tnVoxelMesher* mesher)
{
	for (int32_t row = 0; row < TN_MESH_LAYER; ++row)
	{
		const int32_t first = row * TN_MESH_PAD;
		mesher->filledRows[row] = tnReadBits(mesher->bits[0], first, TN_MESH_PAD);
		mesher->fullRows[row] = tnReadBits(mesher->bits[1], first, TN_MESH_PAD);
		mesher->drawnRows[row] =
			mesher->isGround ? mesher->filledRows[row] : tnReadBits(mesher->bits[2], first, TN_MESH_PAD);
	}
}

// Boxes of nothing are no limit.
static bool tnIsClipped(const tnVoxelBox* clip)
{
	return clip->low.x != clip->high.x || clip->low.y != clip->high.y || clip->low.z != clip->high.z;
}

static bool tnIsChunkInside(const tnVoxelBox* clip, tnVoxel chunk)
{
	const tnVoxel low = {chunk.x * TN_VOXEL_CHUNK, chunk.y * TN_VOXEL_CHUNK, chunk.z * TN_VOXEL_CHUNK};
	return low.x < clip->high.x && low.y < clip->high.y && low.z < clip->high.z &&
		low.x + TN_VOXEL_CHUNK > clip->low.x && low.y + TN_VOXEL_CHUNK > clip->low.y &&
		low.z + TN_VOXEL_CHUNK > clip->low.z;
}

// Forget some voxels of a row.
static void tnClipRow(tnVoxelMesher* mesher, int32_t row, int32_t begin, int32_t end, tnMeshFill absent)
{
	for (int32_t column = begin; column < end; ++column)
	{
		const int32_t i = row * TN_MESH_PAD + column;
		mesher->tops[i] = absent.top;
		mesher->bottoms[i] = absent.bottom;
		mesher->kinds[i] = absent.kind;
	}
	const uint32_t bits = begin < end ? ((1u << (end - begin)) - 1) << begin : 0u;
	mesher->filledRows[row] = absent.top > 0 ? mesher->filledRows[row] | bits : mesher->filledRows[row] & ~bits;
	mesher->fullRows[row] = absent.top > 0 ? mesher->fullRows[row] | bits : mesher->fullRows[row] & ~bits;
	mesher->drawnRows[row] &= ~bits;
}

static int32_t tnClampToPad(int32_t column)
{
	return column < 0 ? 0 : (column > TN_MESH_PAD ? TN_MESH_PAD : column);
}

// Forget what is outside of the box.
static void tnClipPad(tnVoxelMesher* mesher, const tnVoxelBox* clip, tnMeshFill absent)
{
	const int32_t left = mesher->origin.x - TN_MESH_MARGIN;
	const int32_t low = tnClampToPad(clip->low.x - left), high = tnClampToPad(clip->high.x - left);
	for (int32_t row = 0; row < TN_MESH_PAD * TN_MESH_PAD; ++row)
	{
		const int32_t y = mesher->origin.y + row / TN_MESH_PAD - TN_MESH_MARGIN;
		const int32_t z = mesher->origin.z + row % TN_MESH_PAD - TN_MESH_MARGIN;
		const bool isInside = y >= clip->low.y && z >= clip->low.z && y < clip->high.y && z < clip->high.z;
		tnClipRow(mesher, row, 0, isInside ? low : TN_MESH_PAD, absent);
		tnClipRow(mesher, row, isInside ? high : TN_MESH_PAD, TN_MESH_PAD, absent);
	}
}

// False if there is nothing to draw: all is filled, or empty, or nothing of it is wanted.
static bool tnFillPad(tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel place, const tnVoxelMeshDef* def)
{
	const tnVoxelStore* store = &world->store;
	const uint32_t wantedKinds = def->liquid == TN_MESH_GROUND ? 0u
		: def->liquid == TN_MESH_ALL_LIQUIDS                   ? 0xffffu
															   : 1u << def->liquid;
	const tnMeshFill absent = {def->cutOut ? 0 : (uint16_t)store->cap, 0, TN_MESH_UNLOADED};
	mesher->isGround = def->liquid == TN_MESH_GROUND;
	mesher->cap = store->cap;
	mesher->voxelSize = world->def.voxelSize;
	mesher->origin = (tnVoxel){place.x * TN_VOXEL_CHUNK, place.y * TN_VOXEL_CHUNK, place.z * TN_VOXEL_CHUNK};

	const bool isClipped = tnIsClipped(&def->clip);
	const tnVoxelChunk* chunks[27];
	uint32_t kinds = 0;
	int32_t emptyCount = 0;
	int32_t fullCount = 0;
	for (int32_t i = 0; i < 27; ++i)
	{
		const tnVoxel other = {place.x + i % 3 - 1, place.y + i / 9 - 1, place.z + i / 3 % 3 - 1};
		tnVoxelBlock* block;
		chunks[i] = tnVoxelStore_FindChunk(store, other, &block);
		chunks[i] = isClipped && !tnIsChunkInside(&def->clip, other) ? NULL : chunks[i];
		mesher->isLoaded[i / 9][i / 3 % 3][i % 3] = chunks[i] != NULL;
		kinds |= chunks[i] != NULL ? chunks[i]->kinds : 0u;
		if (tnIsUniform(chunks[i]))
		{
			const int32_t top = chunks[i] != NULL ? tnGetUniformTop(store, chunks[i], wantedKinds) : absent.top;
			emptyCount += top == 0 ? 1 : 0;
			fullCount += top == store->cap ? 1 : 0;
		}
	}
	if (chunks[13] == NULL || emptyCount == 27 || (fullCount == 27 && !(isClipped && def->cutOut)) ||
		(!mesher->isGround && (kinds & wantedKinds) == 0))
	{
		return false;
	}
	int32_t absentCount = 0;
	for (int32_t i = 0; i < 27; ++i)
	{
		const tnMeshSpan spans[3] = {s_spans[i % 3], s_spans[i / 9], s_spans[i / 3 % 3]};
		tnCopySpan(mesher, world, chunks[i], spans, wantedKinds, absent);
		absentCount += chunks[i] == NULL ? 1 : 0;
	}
	if (mesher->isGround)
	{
		memset(mesher->bottoms, 0, sizeof(mesher->bottoms));
		memset(mesher->kinds, 0, sizeof(mesher->kinds));
	}
	const tnMeshPad pad = {mesher->solid, mesher->isGround ? NULL : mesher->words, store->cap,
		def->liquid > 0 ? def->liquid : 0, mesher->tops, mesher->bottoms, mesher->kinds, mesher->bits[0],
		mesher->bits[1], mesher->bits[2]};
	world->kernels->spellPad(&pad, TN_MESH_PAD_ROOM);
	tnReadRows(mesher);
	for (int32_t i = 0; i < 27 && absentCount > 0; ++i)
	{
		if (chunks[i] == NULL)
		{
			const tnMeshSpan spans[3] = {s_spans[i % 3], s_spans[i / 9], s_spans[i / 3 % 3]};
			tnMarkAbsent(mesher, spans);
		}
	}
	if (isClipped)
	{
		tnClipPad(mesher, &def->clip, absent);
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

static tnResult tnCheckMesh(
	const tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def)
{
	if (world == NULL || mesher == NULL || def == NULL)
	{
		return tnFail(
			tn_invalidArgument, "%s must not be NULL", world == NULL ? "world" : (mesher == NULL ? "mesher" : "def"));
	}
	if (world->locked || tnParallel_IsRunning(world->parallel))
	{
		return tnFail(tn_notAvailable, "world is stepping: call this before or after tnVoxelWorld_Step");
	}
	if (mesher->busyWith != NULL)
	{
		return tnFailBusy();
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from tnDefaultVoxelMeshDef(), got 0x%x",
			(unsigned)def->stamp);
	}
	if ((int)def->style < 0 || def->style >= tn_voxelMeshStyleCount)
	{
		return tnFail(
			tn_invalidArgument, "def.style must be in [0, %d], got %d", tn_voxelMeshStyleCount - 1, (int)def->style);
	}
	if (def->liquid < TN_MESH_ALL_LIQUIDS || def->liquid > world->def.liquidCount)
	{
		return tnFail(
			tn_invalidArgument, "def.liquid must be in [-1, %d], got %d", world->def.liquidCount, (int)def->liquid);
	}
	if (def->clip.high.x < def->clip.low.x || def->clip.high.y < def->clip.low.y || def->clip.high.z < def->clip.low.z)
	{
		return tnFail(tn_invalidArgument, "def.clip.high must not be below def.clip.low");
	}
	// A chunk that is out of the world is not loaded either, but its neighbours could not even be named.
	const int32_t limit = TN_MAX_VOXEL / TN_VOXEL_CHUNK;
	const bool isInside = chunk.x >= -limit && chunk.x < limit && chunk.y >= -limit && chunk.y < limit &&
		chunk.z >= -limit && chunk.z < limit;
	tnVoxelBlock* block;
	if (!isInside || tnVoxelStore_FindChunk(&world->store, chunk, &block) == NULL)
	{
		return tnFail(tn_invalidArgument, "chunk (%d, %d, %d) is not loaded", (int)chunk.x, (int)chunk.y, (int)chunk.z);
	}
	return tnSuccess();
}

static tnResult tnCheckArrays(const tnVoxelMesh* mesh)
{
	tnResult result = tnSuccess();
	if (mesh->vertexCapacity < 0 || mesh->indexCapacity < 0)
	{
		result = tnFail(tn_invalidArgument, "mesh.vertexCapacity and indexCapacity must not be negative, got %d and %d",
			(int)mesh->vertexCapacity, (int)mesh->indexCapacity);
	}
	if (result.status == tn_ok &&
		((mesh->vertexCapacity > 0 && mesh->positions == NULL) || (mesh->indexCapacity > 0 && mesh->indices == NULL)))
	{
		result = tnFail(tn_invalidArgument, "mesh.%s must not be NULL with a capacity above 0",
			mesh->vertexCapacity > 0 && mesh->positions == NULL ? "positions" : "indices");
	}
	return result;
}

tnResult tnVoxelMesher_Build(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def, tnVoxelMesh* mesh)
{
	world = tnVoxelWorld_GetShown(world);
	tnResult result = tnCheckMesh(mesher, world, chunk, def);
	if (result.status == tn_ok && mesh == NULL)
	{
		result = tnFail(tn_invalidArgument, "mesh must not be NULL");
	}
	result = result.status == tn_ok ? tnCheckArrays(mesh) : result;
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}

	mesh->vertexCount = 0;
	mesh->indexCount = 0;
	if (!tnFillPad(mesher, world, chunk, def))
	{
		return tnSuccess();
	}
	const bool fits = def->style == tn_smoothMesh ? tnBuildSmoothMesh(mesher, mesh) : tnBuildBlockyMesh(mesher, mesh);
	if (fits)
	{
		return tnSuccess();
	}
	result = tnFail(tn_outOfMemory, "the mesh needs %d vertices and %d indices, there is room for %d and %d",
		(int)mesh->vertexCount, (int)mesh->indexCount, (int)mesh->vertexCapacity, (int)mesh->indexCapacity);
	// To ask is no mistake.
	return mesh->vertexCapacity == 0 && mesh->indexCapacity == 0 ? result : tnVoxelWorld_Report(world, result);
}

// Eight words at a time, none of which waits for another: the hash of a pad is longer than its mesh otherwise.
static uint64_t tnHashPad(uint64_t hash, const void* bytes, size_t count)
{
	enum
	{
		lanes = 8
	};
	const uint8_t* next = bytes;
	uint64_t sums[lanes];
	for (uint64_t i = 0; i < lanes; ++i)
	{
		sums[i] = hash + i * TN_HASH_SEED;
	}
	size_t i = 0;
	for (; i + lanes * sizeof(uint64_t) <= count; i += lanes * sizeof(uint64_t))
	{
		uint64_t words[lanes];
		memcpy(words, next + i, sizeof(words));
		for (int32_t k = 0; k < lanes; ++k)
		{
			const uint64_t mixed = (sums[k] ^ words[k]) * 0xff51afd7ed558ccdull;
			sums[k] = mixed ^ mixed >> 32;
		}
	}
	return tnHashBytes(tnHashBytes(hash, sums, sizeof(sums)), next + i, count - i);
}

// Of the pad.
static uint64_t tnFindKey(const tnVoxelMesher* mesher, const tnVoxelMeshDef* def)
{
	uint64_t hash = tnHashBytes(TN_HASH_SEED, &def->style, sizeof(def->style));
	hash = tnHashPad(hash, mesher->tops, sizeof(mesher->tops));
	hash = tnHashPad(hash, mesher->kinds, sizeof(mesher->kinds));
	// Ground has nothing below it.
	hash = mesher->isGround ? hash : tnHashPad(hash, mesher->bottoms, sizeof(mesher->bottoms));
	return hash != 0 ? hash : 1;
}

tnResult tnVoxelMesher_GetKey(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def, uint64_t* key)
{
	world = tnVoxelWorld_GetShown(world);
	tnResult result = tnCheckMesh(mesher, world, chunk, def);
	if (result.status == tn_ok && key == NULL)
	{
		result = tnFail(tn_invalidArgument, "key must not be NULL");
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	*key = 0;
	if (tnFillPad(mesher, world, chunk, def))
	{
		*key = tnFindKey(mesher, def);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Many

typedef struct tnMeshJob
{
	tnVoxelMesher* mesher;
	const tnVoxelWorld* world;
	tnVoxelMeshTask* tasks;
} tnMeshJob;

static void tnBuildTask(int item, int workerIndex, void* context)
{
	const tnMeshJob* job = context;
	tnVoxelMesher* mesher = workerIndex == 0 ? job->mesher : job->mesher->helpers[workerIndex - 1];
	tnVoxelMeshTask* task = job->tasks + item;
	const bool any = tnFillPad(mesher, job->world, task->chunk, &task->def);
	const uint64_t key = any ? tnFindKey(mesher, &task->def) : 0;
	task->isTooLarge = false;
	task->isNew = key != task->key;
	if (!task->isNew)
	{
		return;
	}
	task->mesh.vertexCount = task->mesh.indexCount = 0;
	const bool fits = !any ||
		(task->def.style == tn_smoothMesh ? tnBuildSmoothMesh(mesher, &task->mesh)
										  : tnBuildBlockyMesh(mesher, &task->mesh));
	task->key = fits ? key : task->key;
	task->isNew = fits;
	task->isTooLarge = !fits;
}

// A mesher for each of the other workers.
static bool tnReserveHelpers(tnVoxelMesher* mesher, int32_t count)
{
	if (count <= mesher->helperCount)
	{
		return true;
	}
	tnMemory* memory = &mesher->memory;
	tnVoxelMesher** helpers = tnMemory_Alloc(memory, (size_t)count * sizeof(tnVoxelMesher*));
	int32_t made = mesher->helperCount;
	for (; helpers != NULL && made < count; ++made)
	{
		helpers[made] = tnMemory_Alloc(memory, sizeof(tnVoxelMesher));
		if (helpers[made] == NULL)
		{
			break;
		}
		memcpy(helpers[made]->cases, mesher->cases, sizeof(mesher->cases));
	}
	if (made < count)
	{
		for (int32_t i = mesher->helperCount; i < made; ++i)
		{
			tnMemory_Free(memory, helpers[i], sizeof(tnVoxelMesher));
		}
		tnMemory_Free(memory, helpers, (size_t)count * sizeof(tnVoxelMesher*));
		return false;
	}
	for (int32_t i = 0; i < mesher->helperCount; ++i)
	{
		helpers[i] = mesher->helpers[i];
	}
	tnMemory_Free(memory, mesher->helpers, (size_t)mesher->helperCount * sizeof(tnVoxelMesher*));
	mesher->helpers = helpers;
	mesher->helperCount = count;
	return true;
}

tnResult tnVoxelMesher_BuildMany(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxelMeshTask* tasks, int32_t taskCount)
{
	world = tnVoxelWorld_GetShown(world);
	tnResult result = tnSuccess();
	if (world == NULL || mesher == NULL || (tasks == NULL && taskCount > 0))
	{
		result = tnFail(
			tn_invalidArgument, "%s must not be NULL", world == NULL ? "world" : (mesher == NULL ? "mesher" : "tasks"));
	}
	else if (mesher->busyWith != NULL)
	{
		result = tnFailBusy();
	}
	else if (taskCount < 0)
	{
		result = tnFail(tn_invalidArgument, "taskCount must not be negative, got %d", (int)taskCount);
	}
	for (int32_t i = 0; i < taskCount && result.status == tn_ok; ++i)
	{
		result = tnCheckMesh(mesher, world, tasks[i].chunk, &tasks[i].def);
		result = result.status == tn_ok ? tnCheckArrays(&tasks[i].mesh) : result;
	}
	if (result.status == tn_ok && !tnReserveHelpers(mesher, tnParallel_GetWorkerCount(world->parallel) - 1))
	{
		result = tnFail(tn_outOfMemory, "the meshers of %d workers need %zu bytes",
			tnParallel_GetWorkerCount(world->parallel),
			(size_t)(tnParallel_GetWorkerCount(world->parallel) - 1) * sizeof(tnVoxelMesher));
	}
	if (result.status != tn_ok || taskCount <= 0)
	{
		return tnVoxelWorld_Report(world, result);
	}
	tnMeshJob job = {mesher, world, tasks};
	mesher->busyWith = world;
	tnParallelFor(world->parallel, taskCount, tnBuildTask, &job);
	mesher->busyWith = NULL;
	return result;
}

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

void tnDestroyVoxelMesher(tnVoxelMesher* mesher)
{
	if (mesher != NULL)
	{
		tnMemory memory = mesher->memory;
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

typedef struct tnMeshFill
{
	uint16_t top, bottom;
	uint8_t kind;
} tnMeshFill;

// What a voxel is filled with, of what is wanted.
static inline tnMeshFill tnGetFill(
	const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel, uint32_t wantedKinds)
{
	const uint16_t word = tnGetWord(store, chunk, voxel);
	const int32_t ground = store->cap - tnGetRoom(store, chunk, voxel);
	const int32_t kind = tnGetKind(word);
	if (word == 0 || (wantedKinds >> kind & 1u) == 0)
	{
		return (tnMeshFill){.top = (uint16_t)ground, .bottom = 0, .kind = 0};
	}
	// Under pressure it has more than fits.
	const int32_t top = tnMinInt(ground + tnGetAmount(word), store->cap);
	return (tnMeshFill){.top = (uint16_t)top, .bottom = (uint16_t)ground, .kind = (uint8_t)kind};
}

// Is every voxel of the chunk as the one at 0?
static bool tnIsUniform(const tnVoxelChunk* chunk)
{
	return chunk == NULL || (chunk->solid == NULL && chunk->liquid == NULL);
}

// One row of a chunk.
static void tnFillRow(tnVoxelMesher* mesher, const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel,
	int32_t place, int32_t count, uint32_t wantedKinds)
{
	uint16_t* tops = mesher->tops + place;
	if (wantedKinds == 0 || (chunk->kinds & wantedKinds) == 0)
	{
		for (int32_t x = 0; x < count; ++x)
		{
			const uint8_t solid = chunk->solid != NULL ? chunk->solid[voxel + x] : chunk->solidFill;
			tops[x] = (uint16_t)(store->cap - store->rooms[solid]);
		}
		memset(mesher->bottoms + place, 0, (size_t)count * sizeof(uint16_t));
		memset(mesher->kinds + place, 0, (size_t)count);
		return;
	}
	for (int32_t x = 0; x < count; ++x)
	{
		const tnMeshFill fill = tnGetFill(store, chunk, voxel + x, wantedKinds);
		tops[x] = fill.top;
		mesher->bottoms[place + x] = fill.bottom;
		mesher->kinds[place + x] = fill.kind;
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
			mesher->tops[place + x] = (uint16_t)(world->store.cap - world->store.rooms[ground]);
		}
	}
}

static void tnFillSpan(tnVoxelMesher* mesher, const tnVoxelWorld* world, const tnVoxelChunk* chunk,
	const tnMeshSpan spans[3], uint32_t wantedKinds, tnMeshFill absent)
{
	const tnVoxelStore* store = &world->store;
	const bool isUniform = tnIsUniform(chunk);
	const tnMeshFill uniform = chunk != NULL ? tnGetFill(store, chunk, 0, wantedKinds) : absent;
	const int32_t count = spans[0].count;
	for (int32_t y = 0; y < spans[1].count; ++y)
	{
		for (int32_t z = 0; z < spans[2].count; ++z)
		{
			const int32_t row = (spans[1].target + y) * TN_MESH_PAD + spans[2].target + z;
			const int32_t place = row * TN_MESH_PAD + spans[0].target;
			if (!isUniform)
			{
				const int32_t voxel = ((spans[1].low + y) * TN_ROW + spans[2].low + z) * TN_ROW + spans[0].low;
				tnFillRow(mesher, store, chunk, voxel, place, count, wantedKinds);
				if (chunk->taken && wantedKinds == 0)
				{
					tnForgetBodiesOfRow(mesher, world, place, count);
				}
			}
			for (int32_t x = 0; x < count && isUniform; ++x)
			{
				mesher->tops[place + x] = uniform.top;
				mesher->bottoms[place + x] = uniform.bottom;
				mesher->kinds[place + x] = uniform.kind;
			}
			const uint32_t all = (1u << count) - 1;
			uint32_t filled = isUniform && uniform.top > 0 ? all : 0;
			uint32_t full = isUniform && uniform.top == store->cap ? all : 0;
			uint32_t wet = isUniform && uniform.kind != 0 ? all : 0;
			for (int32_t x = 0; x < count && !isUniform; ++x)
			{
				filled |= (uint32_t)(mesher->tops[place + x] > 0) << x;
				full |= (uint32_t)(mesher->tops[place + x] == store->cap) << x;
				wet |= (uint32_t)(mesher->kinds[place + x] != 0) << x;
			}
			mesher->filledRows[row] |= filled << spans[0].target;
			mesher->fullRows[row] |= full << spans[0].target;
			mesher->drawnRows[row] |= chunk == NULL ? 0u : (mesher->isGround ? filled : wet) << spans[0].target;
		}
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
			const uint16_t top = chunks[i] != NULL ? tnGetFill(store, chunks[i], 0, wantedKinds).top : absent.top;
			emptyCount += top == 0 ? 1 : 0;
			fullCount += top == store->cap ? 1 : 0;
		}
	}
	if (chunks[13] == NULL || emptyCount == 27 || (fullCount == 27 && !(isClipped && def->cutOut)) ||
		(!mesher->isGround && (kinds & wantedKinds) == 0))
	{
		return false;
	}
	memset(mesher->filledRows, 0, sizeof(mesher->filledRows));
	memset(mesher->fullRows, 0, sizeof(mesher->fullRows));
	memset(mesher->drawnRows, 0, sizeof(mesher->drawnRows));
	for (int32_t i = 0; i < 27; ++i)
	{
		const tnMeshSpan spans[3] = {s_spans[i % 3], s_spans[i / 9], s_spans[i / 3 % 3]};
		tnFillSpan(mesher, world, chunks[i], spans, wantedKinds, absent);
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

tnResult tnVoxelMesher_Build(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def, tnVoxelMesh* mesh)
{
	tnResult result = tnCheckMesh(mesher, world, chunk, def);
	if (result.status == tn_ok && mesh == NULL)
	{
		result = tnFail(tn_invalidArgument, "mesh must not be NULL");
	}
	if (result.status == tn_ok && (mesh->vertexCapacity < 0 || mesh->indexCapacity < 0))
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

tnResult tnVoxelMesher_GetKey(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def, uint64_t* key)
{
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
		uint64_t hash = tnHashBytes(TN_HASH_SEED, &def->style, sizeof(def->style));
		hash = tnHashBytes(hash, mesher->tops, sizeof(mesher->tops));
		hash = tnHashBytes(hash, mesher->bottoms, sizeof(mesher->bottoms));
		hash = tnHashBytes(hash, mesher->kinds, sizeof(mesher->kinds));
		*key = hash != 0 ? hash : 1;
	}
	return tnSuccess();
}

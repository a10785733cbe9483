// SPDX-License-Identifier: MIT

// Pressure. Liquid that moves from voxel to voxel does not know how deep below its surface it is: a hole in a wall lets
// through a fifth of a voxel in each step, at any depth. Torricelli's law says sqrt(2 g h). So a component gives more to the
// open voxels beside its full ones: with h units of it above them,
//
//   cap / 5 (sqrt(1 + h / cap) - 1)
//
// in each step, which makes a fifth of a voxel times sqrt(1 + h / cap) in all, up to what fits. Voxels in and before a hole
// are seldom quite full, and hand on what they get; so the next ones in the same direction get their share as well, up to one
// that is less than half full, or falls. What is given comes from the surfaces: in each pass they give what is needed until the next.

#include "voxel_components.h"
#include "voxel_current.h"
#include "voxel_location.h"

#include <math.h>

// So many voxels that are not quite full let pressure through.
#define TN_JET_REACH 4

// Of a value below 2^52, rounded down.
static int64_t tnRoot(int64_t value)
{
	// A root of a double is within half of a unit in its last place on every machine.
	int64_t root = (int64_t)sqrt((double)value);
	root -= root * root > value ? 1 : 0;
	return root;
}

static int32_t tnGetRate(const tnVoxelWorld* world, int32_t kind, int64_t head)
{
	const int64_t cap = world->def.cap;
	const int64_t rate = (tnRoot(cap * (cap + head)) - cap) / 5;
	return (int32_t)((rate < cap ? rate : cap) / world->def.liquids[kind - 1].viscosity);
}

static bool tnIsOpen(const tnVoxelStore* store, const tnVoxelSpot* spot, int32_t kind)
{
	return spot->chunk != NULL && (spot->word == 0 || tnGetKind(spot->word) == kind) &&
		tnGetAmount(spot->word) < tnGetRoom(store, spot->chunk, spot->voxel);
}

static void tnAddJet(tnVoxelWorld* world, tnVoxelPart* component, const tnVoxelSpot* home, const tnVoxelSpot* spot,
	int32_t rate, int32_t side, int32_t distance)
{
	if (world->jetCount < TN_MAX_JETS)
	{
		world->jets[world->jetCount++] = (tnVoxelJet){component, spot->block, spot->index, spot->voxel, rate,
			home->block, home->index, home->voxel, side, distance, 0};
		component->reserve += (int64_t)rate * world->def.levelInterval;
	}
}

// What a full voxel in a component gives to its sides.
static void tnFindVoxelJets(tnVoxelWorld* world, const tnVoxelSpot* spot)
{
	const tnVoxelStore* store = &world->store;
	const int32_t label = tnGetLabel(store, spot->chunk, spot->voxel);
	if (label == TN_NO_PART)
	{
		return;
	}
	tnVoxelPart* component = tnFindComponent(spot->chunk->parts + label - 1);
	if (component->allSurfaces == 0)
	{
		return;
	}
	const int32_t kind = tnGetKind(spot->word);
	const int64_t y = (int64_t)tnGetChunkPlace(spot->block, spot->index).y * TN_VOXEL_CHUNK + spot->voxel / TN_LAYER;
	const int64_t head = component->allLevels / component->allSurfaces - (y + 1) * world->def.cap;
	const int32_t rate = head > 0 ? tnGetRate(world, kind, head) : 0;
	for (int side = 0; side < 4 && rate > 0; ++side)
	{
		const int axis = side / 2 * 2; // x, z
		tnVoxelSpot next = tnGetNext(store, spot, axis, side % 2 != 0);
		for (int i = 0; i < TN_JET_REACH && tnIsOpen(store, &next, kind); ++i)
		{
			tnAddJet(world, component, spot, &next, rate, side, i + 1);
			const tnVoxelSpot below = tnGetNext(store, &next, 1, false);
			if (2 * tnGetAmount(next.word) < tnGetRoom(store, next.chunk, next.voxel) || tnIsOpen(store, &below, kind))
			{
				break;
			}
			next = tnGetNext(store, &next, axis, side % 2 != 0);
		}
	}
}

// Full voxels of a layer with room beside them, bits x of rows z: most are full, and so are those around them.
static void tnFindOpenSides(
	const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, int32_t y, uint16_t rows[TN_ROW])
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelChunk* chunk = block->chunks + index;
	uint16_t sides[4][TN_ROW] = {{0}};
	for (int32_t side = 0; side < 4; ++side)
	{
		static const int32_t starts[4] = {0, 15, 0, 240};
		tnVoxelBlock* owner;
		int32_t other;
		const tnVoxelChunk* neighbour = tnVoxelBlock_GetNeighbour(block, index, (tnVoxelSide)side, &owner, &other);
		for (int32_t i = 0; i < TN_ROW && neighbour != NULL; ++i)
		{
			const int32_t voxel = y * TN_LAYER + starts[side ^ 1] + i * (side < 2 ? TN_ROW : 1);
			sides[side][i] =
				(uint16_t)(tnGetRoom(store, neighbour, voxel) - tnGetAmount(tnGetWord(store, neighbour, voxel)));
		}
	}
	uint16_t spaces[TN_LAYER] = {0};
	if (chunk->liquid != NULL || chunk->liquidFill == 0) // else all is full
	{
		for (int32_t i = 0; i < TN_LAYER && chunk->solid == NULL; ++i)
		{
			spaces[i] = store->rooms[chunk->solidFill];
		}
		if (chunk->solid != NULL)
		{
			world->kernels->findRooms(chunk->solid + y * TN_LAYER, store->cap, spaces);
		}
		if (chunk->liquid != NULL)
		{
			world->kernels->findSpaces(chunk->liquid + y * TN_LAYER, TN_LAYER, spaces);
		}
	}
	world->kernels->markBeside(spaces, (const uint16_t(*)[TN_ROW])sides, rows);
}

static void tnFindLayerJets(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, int32_t y)
{
	tnVoxelChunk* chunk = block->chunks + index;
	uint16_t rows[TN_ROW];
	tnFindOpenSides(world, block, index, y, rows);
	for (int32_t z = 0; z < TN_ROW; ++z)
	{
		for (uint32_t bits = rows[z]; bits != 0 && world->jetCount < TN_MAX_JETS; bits &= bits - 1)
		{
			const int32_t voxel = y * TN_LAYER + z * TN_ROW + tnFindLowestBit(bits);
			const tnVoxelSpot spot = {block, chunk, index, voxel, tnGetWord(&world->store, chunk, voxel)};
			if (spot.word != 0)
			{
				tnFindVoxelJets(world, &spot);
			}
		}
	}
}

void tnFindJets(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	if (chunk->layers == 0 || world->jetCount == TN_MAX_JETS)
	{
		return;
	}
	const int64_t bottom = (int64_t)tnGetChunkPlace(block, index).y * TN_VOXEL_CHUNK;
	int64_t highest = INT64_MIN;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		const tnVoxelPart* component = tnFindComponent(chunk->parts + i);
		const int64_t level = component->allSurfaces > 0 ? component->allLevels / component->allSurfaces : INT64_MIN;
		highest = level > highest ? level : highest;
	}
	for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
	{
		// Where nothing moves nothing is open, and at the surface there is no pressure.
		if ((chunk->layers >> y & 1u) != 0 && (bottom + y + 1) * world->def.cap < highest)
		{
			tnFindLayerJets(world, block, index, y);
		}
	}
}

void tnVoxelWorld_RunJets(tnVoxelWorld* world)
{
	tnVoxelWriter writer = {0};
	for (int32_t i = 0; i < world->jetCount; ++i)
	{
		tnVoxelJet* jet = world->jets + i;
		jet->given = 0;
		tnVoxelChunk* chunk = jet->block->chunks + jet->chunk;
		const uint16_t word = tnGetWord(&world->store, chunk, jet->voxel);
		const int32_t kind = jet->component->kind;
		const int32_t space = tnGetRoom(&world->store, chunk, jet->voxel) - tnGetAmount(word);
		int64_t given = tnMinInt(jet->rate, space);
		given = given < jet->component->account ? given : jet->component->account;
		if (given <= 0 || (word != 0 && tnGetKind(word) != kind) || !tnVoxelStore_OpenLiquid(&world->store, chunk))
		{
			continue;
		}
		jet->component->account -= given;
		jet->given = (int32_t)given;
		tnVoxelWorld_NoteExchange(world, jet->homeBlock, jet->homeChunk, jet->homeVoxel, -given);
		if (writer.block != jet->block || writer.chunk != jet->chunk)
		{
			tnVoxelWriter_Wake(&writer);
			writer = (tnVoxelWriter){.block = jet->block, .chunk = jet->chunk};
		}
		tnVoxelWriter_Set(&writer, jet->voxel, tnPackLiquid(kind, tnGetAmount(word) + (int32_t)given));
	}
	tnVoxelWriter_Wake(&writer);
}

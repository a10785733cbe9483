// SPDX-License-Identifier: MIT

#include "voxel_world.h"

#include <string.h>

// The order of a step of voxels:
//
//   sources, oceans → places for what waits → levels of connected liquid, and jets under pressure → who takes part
//     → each kind of liquid moves → sleep → kinds that touch change places or react → evaporation → what bodies feel
//
// Who takes part is decided before anything moves. All others are walls: between chunks that sleep and those awake nothing
// flows, or they would not sleep, and those that wait for their turn must find what they would have found.

// ---------------------------------------------------------------------------------------------------------------------
// Who takes part

// How far a chunk is from the nearest point of interest, in chunks, up to TN_FARTHEST.
#define TN_FARTHEST 1023

static int32_t tnGetDistance(const tnVoxelWorld* world, const tnVoxelPick* pick)
{
	const tnVoxel place = tnGetChunkPlace(pick->block, pick->chunk);
	int32_t nearest = world->interestCount == 0 ? 0 : TN_FARTHEST;
	for (int32_t i = 0; i < world->interestCount; ++i)
	{
		const tnVoxel point = world->interests[i];
		const int32_t x = (point.x >> 4) - place.x;
		const int32_t y = (point.y >> 4) - place.y;
		const int32_t z = (point.z >> 4) - place.z;
		const int32_t distance = tnMaxInt(tnMaxInt(x < 0 ? -x : x, y < 0 ? -y : y), z < 0 ? -z : z);
		nearest = tnMinInt(nearest, distance);
	}
	return nearest;
}

static int tnCountBits(uint32_t bits)
{
	int count = 0;
	for (; bits != 0; bits &= bits - 1)
	{
		count += 1;
	}
	return count;
}

static int64_t tnGetWork(const tnVoxelPick* pick)
{
	return (int64_t)TN_LAYER * tnCountBits(pick->layers);
}

// Leave those that are far away for later: whole rings, and of the last one those that come first.
static void tnKeepWithin(tnVoxelWorld* world, int64_t workLimit)
{
	int64_t rings[TN_FARTHEST + 1] = {0};
	int64_t total = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const int64_t work = tnGetWork(world->picks + i);
		rings[tnGetDistance(world, world->picks + i)] += work;
		total += work;
	}
	if (total <= workLimit)
	{
		return;
	}
	int32_t last = 0;
	int64_t left = workLimit;
	while (last < TN_FARTHEST && rings[last] <= left)
	{
		left -= rings[last++];
	}
	int32_t kept = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const int32_t distance = tnGetDistance(world, world->picks + i);
		const int64_t work = tnGetWork(world->picks + i);
		// At least one chunk, or a small limit would stop the world.
		const bool fits = distance < last || (distance == last && (left >= work || kept == 0));
		if (fits)
		{
			left -= distance == last ? work : 0;
			world->picks[kept++] = world->picks[i];
		}
	}
	world->pickCount = kept;
}

// Awake chunks, column by column from the bottom up. Blocks lie in the same order.
static void tnPickAwake(tnVoxelWorld* world)
{
	const tnVoxelStore* store = &world->store;
	world->pickCount = 0;
	world->stats.awakeChunkCount = 0;
	for (int32_t first = 0; first < store->blockCount;)
	{
		int32_t end = first;
		int32_t awake = 0;
		while (end < store->blockCount && store->blocks[end]->place.x == store->blocks[first]->place.x &&
			store->blocks[end]->place.z == store->blocks[first]->place.z)
		{
			awake += store->blocks[end++]->awakeCount;
		}
		world->stats.awakeChunkCount += awake;
		for (int32_t column = 0; column < 64 && awake > 0; ++column)
		{
			for (int32_t b = first; b < end; ++b)
			{
				tnVoxelBlock* block = store->blocks[b];
				for (uint32_t bits = block->awake[column]; bits != 0; bits &= bits - 1)
				{
					int32_t cy = 0;
					while ((bits >> cy & 1u) == 0)
					{
						++cy;
					}
					if (world->pickCount < world->def.chunkLimit)
					{
						const int32_t chunk = column * 8 + cy;
						world->picks[world->pickCount++] =
							(tnVoxelPick){.block = block, .chunk = chunk, .layers = block->chunks[chunk].layers};
					}
					awake -= 1;
				}
			}
		}
		first = end;
	}
}

// Pages for all that take part; those that get none wait.
static void tnOpenPicks(tnVoxelWorld* world)
{
	int32_t kept = 0;
	world->stats.workedVoxelCount = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		tnVoxelPick pick = world->picks[i];
		tnVoxelChunk* chunk = pick.block->chunks + pick.chunk;
		const uint32_t kinds = tnGetKindsAround(pick.block, pick.chunk);
		if (kinds == 0 || (chunk->solid == NULL && world->store.rooms[chunk->solidFill] == 0))
		{
			// Rock, or all dry: nothing to do.
			tnVoxelBlock_SetLayers(pick.block, pick.chunk, 0);
			continue;
		}
		if (!tnVoxelStore_OpenLiquid(&world->store, chunk))
		{
			world->stats.waitingChunkCount += 1;
			continue;
		}
		pick.kinds = kinds;
		world->stats.workedVoxelCount += tnGetWork(&pick);
		world->picks[kept++] = pick;
	}
	world->pickCount = kept;
	world->stats.workedChunkCount = kept;
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving

typedef struct tnMoveTask
{
	tnVoxelWorld* world;
	tnVoxelMotion motion;
} tnMoveTask;

static void tnKeepItem(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnMoveTask* task = context;
	const tnVoxelPick* pick = task->world->picks + item;
	tnVoxelChunk* chunk = pick->block->chunks + pick->chunk;
	if (chunk->selected)
	{
		tnKeepSides(chunk);
	}
}

// Chunks of one column, from the bottom up.
static void tnMoveColumn(int item, int workerIndex, void* context)
{
	const tnMoveTask* task = context;
	tnVoxelWorld* world = task->world;
	tnVoxelScratch* scratch = world->scratch + workerIndex;
	const int32_t end = item + 1 < world->columnCount ? world->columns[item + 1] : world->pickCount;
	for (int32_t i = world->columns[item]; i < end; ++i)
	{
		tnVoxelPick* pick = world->picks + i;
		tnVoxelChunk* chunk = pick->block->chunks + pick->chunk;
		if (!chunk->selected)
		{
			continue;
		}
		tnGatherPad(scratch, world->kernels, &world->store, pick->block, pick->chunk, pick->layers);
		memcpy(scratch->oldTop, chunk->liquid + TN_CHUNK_VOXELS - TN_LAYER, sizeof(scratch->oldTop));
		tnVoxelMotion motion = task->motion;
		motion.layers = pick->layers;
		pick->moving |= world->kernels->move(&scratch->pad, &motion, scratch->amounts);
		tnVoxelChange change = {0};
		world->kernels->merge(chunk->liquid, scratch->amounts, &motion, &change);
		pick->change.layers |= change.layers;
		for (int side = 0; side < 4; ++side)
		{
			pick->change.sides[side] |= change.sides[side];
		}
		// It may have come from a neighbour.
		chunk->kinds |= change.layers != 0 ? (uint16_t)(1u << motion.kind) : 0;
	}
}

static tnVoxelMotion tnGetMotion(const tnVoxelWorld* world, int32_t kind)
{
	const int64_t viscosity = world->def.liquids[kind - 1].viscosity;
	const int64_t turn = world->stepCount / viscosity;
	const int64_t part = world->stepCount % viscosity;
	tnVoxelMotion motion = {.cap = world->def.cap, .kind = kind};
	if (world->def.rules == tn_pressureRules)
	{
		motion.press = tnMaxInt(8, motion.cap / 32);
		motion.pressShare = 65536 * motion.press / (motion.cap + motion.press);
		motion.spare = world->store.spare;
	}
	motion.movedBefore = (int32_t)(8192 * part / viscosity);
	motion.movedAfter = (int32_t)(8192 * (part + 1) / viscosity);
	const int axis = (int)(turn & 1);
	const int sign = (int)(turn >> 1 & 1);
	for (int side = 0; side < 4; ++side)
	{
		// Along the axis whose turn it is two units, so that there is one for either side, or one to the side whose turn it is.
		const bool along = side / 2 == axis;
		motion.fewest[side] = !along ? 0x7fff : (side % 2 == sign ? 1 : 2);
	}
	return motion;
}

static void tnMoveKind(tnVoxelWorld* world, int32_t kind)
{
	tnMoveTask task = {.world = world, .motion = tnGetMotion(world, kind)};
	int32_t count = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const bool takesPart = (world->picks[i].kinds >> kind & 1u) != 0;
		world->picks[i].block->chunks[world->picks[i].chunk].selected = takesPart;
		count += takesPart ? 1 : 0;
	}
	if (count > 0)
	{
		tnParallelFor(world->parallel, world->pickCount, tnKeepItem, &task);
		tnParallelFor(world->parallel, world->columnCount, tnMoveColumn, &task);
	}
}

static bool tnIsSameColumn(const tnVoxelPick* a, const tnVoxelPick* b)
{
	return a->chunk / 8 == b->chunk / 8 && a->block->place.x == b->block->place.x &&
		a->block->place.z == b->block->place.z;
}

static void tnMoveAll(tnVoxelWorld* world)
{
	world->columnCount = 0;
	uint32_t kinds = 0;
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		if (i == 0 || !tnIsSameColumn(world->picks + i - 1, world->picks + i))
		{
			world->columns[world->columnCount++] = i;
		}
		kinds |= world->picks[i].kinds;
	}
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		if ((kinds >> kind & 1u) != 0)
		{
			tnMoveKind(world, kind);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Sleep

// First everybody's own state, then what they wake in others, so that the order does not matter.
static void tnSettle(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const tnVoxelPick* pick = world->picks + i;
		pick->block->chunks[pick->chunk].selected = false;
		tnVoxelBlock_SetLayers(pick->block, pick->chunk, pick->moving);
	}
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const tnVoxelPick* pick = world->picks + i;
		if (pick->change.layers != 0)
		{
			tnVoxelBlock_WakeAround(pick->block, pick->chunk, &pick->change);
		}
	}
	for (int32_t i = 0; i < world->pickCount; ++i)
	{
		const tnVoxelPick* pick = world->picks + i;
		if (pick->block->chunks[pick->chunk].layers == 0)
		{
			tnVoxelStore_CloseLiquid(&world->store, pick->block->chunks + pick->chunk);
		}
	}
}

tnResult tnVoxelWorld_Step(tnVoxelWorld* world, int64_t workLimit)
{
	const tnResult ready = tnVoxelWorld_CheckReady(world);
	if (ready.status != tn_ok)
	{
		return ready;
	}
	if (workLimit < 0)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "workLimit must be >= 0, got %lld", (long long)workLimit));
	}
	world->locked = true;
	world->stats.waitingChunkCount = 0;
	tnVoxelWorld_Replenish(world);
	tnVoxelWorld_ApplySources(world);
	tnVoxelWorld_PlaceWaiting(world);
	if (world->def.rules == tn_componentRules && world->stepCount % world->def.levelInterval == 0)
	{
		tnVoxelWorld_Level(world);
	}
	tnVoxelWorld_RunJets(world);
	tnPickAwake(world);
	if (workLimit > 0)
	{
		tnKeepWithin(world, workLimit);
	}
	tnOpenPicks(world);
	tnMoveAll(world);
	tnSettle(world);
	tnVoxelWorld_Mix(world);
	tnVoxelWorld_Evaporate(world);
	world->stepCount += 1;
	world->locked = false;
	tnVoxelWorld_FeelBodies(world);
	return tnSuccess();
}

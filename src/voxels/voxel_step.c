// SPDX-License-Identifier: MIT

#include "voxel_world.h"

#include <string.h>

// The order of a step of voxels:
//
//   memory for all that follows, or there is no step (voxel_memory_needs.c)
//     → sources, oceans → places for what waits → levels of connected liquid, and jets under pressure → who takes part
//     → each kind of liquid moves → sleep → kinds that touch change places or react → evaporation → what bodies feel
//
// Who takes part is decided before anything moves (voxel_selection.c). All others are walls: between chunks that sleep and those
// awake nothing flows, or they would not sleep, and those that wait for their turn must find what they would have found.

// ---------------------------------------------------------------------------------------------------------------------
// Moving

typedef struct tnMoveTask
{
	tnVoxelWorld* world;
	tnVoxelMotion motion;
	bool isSplit; // each chunk for itself, not columns
} tnMoveTask;

static void tnKeepItem(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnMoveTask* task = context;
	tnVoxelWorld* world = task->world;
	const tnVoxelPick* pick = world->picks + item;
	tnVoxelChunk* chunk = pick->block->chunks + pick->chunk;
	if (!chunk->selected)
	{
		return;
	}
	tnKeepSides(chunk);
	if (task->isSplit)
	{
		memcpy(world->ends[item].bottom, chunk->liquid, sizeof(world->ends[item].bottom));
		memcpy(world->ends[item].top, chunk->liquid + TN_CHUNK_VOXELS - TN_LAYER, sizeof(world->ends[item].top));
	}
}

static void tnMovePick(const tnMoveTask* task, tnVoxelPick* pick, const uint16_t* topBelow, const uint16_t* bottomAbove)
{
	const tnVoxelWorld* world = task->world;
	tnVoxelChunk* chunk = pick->block->chunks + pick->chunk;
	tnVoxelPad pad;
	tnGatherPad(&pad, &world->store, pick, topBelow, bottomAbove);
	tnVoxelMotion motion = task->motion;
	motion.layers = pick->layers;
	tnVoxelChange change = {0};
	pick->moving |= world->kernels->move(&pad, &motion, chunk->liquid, &change);
	pick->change.layers |= change.layers;
	for (int side = 0; side < 4; ++side)
	{
		pick->change.sides[side] |= change.sides[side];
	}
	// It may have come from a neighbour.
	chunk->kinds |= change.layers != 0 ? (uint16_t)(1u << motion.kind) : 0;
}

// Chunks of one column, from the bottom up: the one below has already moved, but what it had at its top is kept.
static void tnMoveColumn(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnMoveTask* task = context;
	tnVoxelWorld* world = task->world;
	uint16_t tops[2][TN_LAYER];
	const int32_t end = item + 1 < world->columnCount ? world->columns[item + 1] : world->pickCount;
	for (int32_t i = world->columns[item]; i < end; ++i)
	{
		tnVoxelPick* pick = world->picks + i;
		const tnVoxelChunk* chunk = pick->block->chunks + pick->chunk;
		if (chunk->selected)
		{
			memcpy(tops[i & 1], chunk->liquid + TN_CHUNK_VOXELS - TN_LAYER, sizeof(tops[0]));
			tnMovePick(task, pick, tops[~i & 1], NULL);
		}
	}
}

// One chunk: if it looks at the one below or above, that is the pick before it or after it.
static void tnMoveSplit(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnMoveTask* task = context;
	tnVoxelWorld* world = task->world;
	tnVoxelPick* pick = world->picks + item;
	if (pick->block->chunks[pick->chunk].selected)
	{
		tnMovePick(task, pick, item > 0 ? world->ends[item - 1].top : NULL,
			item + 1 < world->pickCount ? world->ends[item + 1].bottom : NULL);
	}
}

tnVoxelMotion tnVoxelWorld_GetMotion(const tnVoxelWorld* world, int32_t kind)
{
	const int64_t viscosity = world->def.liquids[kind - 1].viscosity;
	const int64_t turn = world->turn / viscosity;
	const int64_t part = world->turn % viscosity;
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
		motion.fewest[side] = !along ? TN_NO_FEW : (side % 2 == sign ? 1 : 2);
	}
	return motion;
}

static void tnMoveKind(tnVoxelWorld* world, int32_t kind, bool isAlone)
{
	tnMoveTask task = {.world = world, .motion = tnVoxelWorld_GetMotion(world, kind)};
	task.motion.isAlone = isAlone;
	// A few columns cannot be dealt out evenly.
	task.isSplit = world->pickCount <= TN_MAX_SPLIT;
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
		if (task.isSplit)
		{
			tnParallelFor(world->parallel, world->pickCount, tnMoveSplit, &task);
		}
		else
		{
			tnParallelFor(world->parallel, world->columnCount, tnMoveColumn, &task);
		}
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
			tnMoveKind(world, kind, (kinds & (kinds - 1)) == 0);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Sleep

// First everybody's own state, then what they wake in others, so that the order does not matter.
static void tnSettle(tnVoxelWorld* world)
{
	if (world->isPartial)
	{
		tnVoxelWorld_KeepAwake(world);
	}
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

tnResult tnCheckWorkLimit(int64_t workLimit)
{
	return workLimit >= 0 ? tnSuccess()
						  : tnFail(tn_invalidArgument, "workLimit must be >= 0, got %lld", (long long)workLimit);
}

tnResult tnVoxelWorld_Step(tnVoxelWorld* world, int64_t workLimit)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnCheckWorkLimit(workLimit);
	return tnVoxelWorld_Report(world, result.status == tn_ok ? tnVoxelWorld_StepNow(world, workLimit) : result);
}

tnResult tnVoxelWorld_StepNow(tnVoxelWorld* world, int64_t workLimit)
{
	const tnResult taken = tnVoxelWorld_TakePending(world);
	if (taken.status != tn_ok)
	{
		return taken;
	}
	world->locked = true;
	if (!tnVoxelWorld_Prepare(world))
	{
		world->locked = false;
		return tnFail(tn_outOfMemory, "step: out of memory for %d more chunks of liquid", world->needs.liquidPages);
	}
	tnVoxelWorld_ApplySources(world);
	tnVoxelWorld_PlaceWaiting(world);
	if (world->def.rules == tn_componentRules && world->stepCount % world->def.levelInterval == 0)
	{
		tnVoxelWorld_Level(world);
	}
	tnVoxelWorld_RunJets(world);
	tnVoxelWorld_Pick(world, workLimit);
	tnMoveAll(world);
	tnSettle(world);
	tnVoxelWorld_Mix(world);
	tnVoxelWorld_Evaporate(world);
	world->stepCount += 1;
	// What the next step would move, for who asks about currents.
	world->turn = world->stepCount;
	world->version += 1;
	world->locked = false;
	tnVoxelWorld_FeelBodies(world);
	return tnSuccess();
}

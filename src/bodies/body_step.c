// SPDX-License-Identifier: MIT

// The order of a step with bodies. A group does as much as it can in one go, while what it needs is in the cache:
//
//   first sub-step   cut its bodies, collect what they take, pay what drag owes to the water
//   each sub-step    find its heads and the flow around it
//   last sub-step    find the forces on its bodies
//   after the step   publish its surface
//
// A group whose water sleeps, and whose bodies lie where they lay, does none of that but the last: once a step has changed none of its
// heads, the next one would find the same heads and the same forces. Should a neighbour wake its water between two sub-steps, it does the
// sub-steps then that it has left out: they find what it had when the step began.

#include "body_step.h"

#include "../core/hash.h"

#include "body_wrench.h"

#include <math.h>

typedef struct tnStepContext
{
	tnBodyFlow* flow;
	tnGrid* grid;
	const tnTiles* tiles;
	tnBodies* bodies;
	tnBodySubStep subStep;
} tnStepContext;

// Does all the water sleep that a group looks at?
static bool tnSleeps(const tnGrid* grid, const tnTiles* tiles, const tnGroup* group)
{
	if (tiles->awakeCount == 0)
	{
		return true;
	}
	// Beside its strips, too.
	const int columnBegin = tnMaxInt(group->columnBegin - 1, 0) / TN_TILE_SIZE;
	const int columnLast = tnMinInt(group->columnEnd, grid->columnCount - 1) / TN_TILE_SIZE;
	const int rowBegin = tnMaxInt(group->firstRow - 1, 0) / TN_TILE_SIZE;
	const int rowLast = tnMinInt(group->firstRow + group->rowCount, grid->rowCount - 1) / TN_TILE_SIZE;
	bool sleeps = !group->crosses && !grid->wrapX && !grid->wrapZ;
	for (int row = rowBegin; row <= rowLast && sleeps; ++row)
	{
		const uint8_t* awake = tiles->awake + (ptrdiff_t)row * tiles->columnCount;
		for (int column = columnBegin; column <= columnLast; ++column)
		{
			sleeps = sleeps && awake[column] == 0;
		}
	}
	return sleeps;
}

static bool tnMustCollect(const tnBodyFlow* flow, const tnBodies* bodies)
{
	bool must = bodies->changed;
	for (int i = 0; i < flow->groupCount && !must; ++i)
	{
		must = flow->groups[i].hangs || flow->groups[i].leaves;
	}
	return must;
}

// Where columns hang above the water it may rise to them, so they are collected in each step. Not while it sleeps: until groups are
// formed they hang no more.
static void tnHideHanging(tnBodyFlow* flow, const tnGrid* grid, const tnTiles* tiles)
{
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnGroup* group = flow->groups + i;
		group->skips = group->hangs && group->stillness != tn_restlessGroup && tnSleeps(grid, tiles, group);
		group->hangs = group->hangs && !group->skips;
	}
}

static void tnShowHanging(tnBodyFlow* flow)
{
	for (int i = 0; i < flow->groupCount; ++i)
	{
		tnGroup* group = flow->groups + i;
		group->hangs = group->hangs || group->skips;
		group->skips = false;
	}
}

void tnBodyFlow_Begin(tnBodyFlow* flow, const tnGrid* grid, const tnTiles* tiles, tnBodies* bodies,
	const tnBodyKernels* kernels, float gravity, float timeStep, int subStepCount)
{
	tnHideHanging(flow, grid, tiles);
	// The cutting and collecting itself comes with the first sub-step, so that a group stays in the cache from its cut
	// to its heads.
	flow->mustCollect = tnMustCollect(flow, bodies);
	if (flow->mustCollect)
	{
		tnBodyFlow_FormGroups(flow, grid, bodies);
	}
	tnShowHanging(flow);
	bodies->changed = false;
	flow->alike = flow->gravity == gravity && flow->timeStep == timeStep && flow->subStepCount == subStepCount;
	flow->kernels = kernels;
	flow->subStepCount = subStepCount;
	flow->subStep = 0;
	flow->felt = false;
	flow->gravity = gravity;
	flow->timeStep = timeStep;
}

// Does water on a deck press on its bodies? It does so after they have been felt.
static bool tnBearsWater(const tnBodyFlow* flow, const tnBodies* bodies, const tnGroup* group)
{
	bool bears = false;
	for (int i = group->bodyBegin; i < group->bodyEnd && flow->decks->wetCount > 0; ++i)
	{
		bears = bears || tnBodies_Get(bodies, flow->grouped[i])->raised;
	}
	return bears;
}

static uint64_t tnHashHeads(const tnGroup* group)
{
	const size_t count = (size_t)group->stripCount * TN_STRIP_SIZE;
	return tnHashBytes(TN_HASH_SEED, tnGroup_GetField(group, tn_cellHead), count * sizeof(float));
}

// Can a group leave out the step that begins? If not, find out whether it could leave out the next one. Who is collected once more, as
// what hangs above the water is in each step, knows from forming groups whether anything has moved.
static bool tnMaySkip(const tnStepContext* context, int index, tnGroupStillness kind)
{
	const tnBodyFlow* flow = context->flow;
	tnGroup* group = flow->groups + index;
	const bool collects = flow->mustCollect && !group->kept;
	const bool same = (!collects || group->watched) && flow->alike && tnSleeps(context->grid, context->tiles, group) &&
		!tnBearsWater(flow, context->bodies, group);
	group->skips = same && !collects && group->stillness == kind;
	if (!group->skips)
	{
		group->stillness = tn_restlessGroup;
		group->watched = same;
		group->headHash = !same ? 0 : (collects ? group->headHash : tnHashHeads(group));
	}
	return group->skips;
}

static void tnEndWatch(tnGroup* group, tnGroupStillness kind)
{
	// Who is collected in each step has no heads before that.
	if (group->watched || group->hangs)
	{
		const uint64_t hash = tnHashHeads(group);
		group->stillness = group->watched && hash == group->headHash ? kind : tn_restlessGroup;
		group->headHash = hash;
	}
	group->watched = false;
}

// Heads that change by less than this in a sub-step, in cells, only do so by rounding, back and forth for ever: a tenth of what sweeps
// leave over.
#define TN_STILL_RISE 2.0e-6f

enum
{
	// Strips of groups in which that is looked for.
	TN_STILL_STRIPS = 64,
};

// Solve a group whose water sleeps: heads that change by rounding only stay. Not at a sleepSpeed of 0, where sleep may change no bit.
// That hangs on nothing but the water and the bodies: a world that is restored does not know which groups leave out steps.
static void tnSolveSleeping(const tnStepContext* context, const tnBodySubStep* subStep, int index, int workerIndex)
{
	tnBodyFlow* flow = context->flow;
	const tnGroup* group = flow->groups + index;
	float before[TN_STILL_STRIPS * TN_STRIP_SIZE];
	const int count = group->stripCount * TN_STRIP_SIZE;
	const bool stops = context->tiles->sleepSpeed > 0.0f && group->stripCount <= TN_STILL_STRIPS;
	float* heads = tnGroup_GetField(group, tn_cellHead);
	for (int i = 0; i < count && stops; ++i)
	{
		before[i] = heads[i];
	}
	tnBodyFlow_SolveGroup(flow, subStep, index, workerIndex);
	float most = 0.0f;
	for (int i = 0; i < count && stops; ++i)
	{
		most = tnMaxFloat(most, fabsf(heads[i] - before[i]));
	}
	for (int i = 0; i < count && stops && most <= TN_STILL_RISE * context->grid->cellSize; ++i)
	{
		heads[i] = before[i];
	}
}

static void tnBeginGroup(const tnStepContext* context, int index, int workerIndex)
{
	tnBodyFlow* flow = context->flow;
	if (flow->mustCollect && !flow->groups[index].kept)
	{
		tnBodyFlow_CollectGroup(flow, context->grid, context->bodies, index, workerIndex);
		tnBodyFlow_ShowGroup(flow, context->grid, index);
	}
	tnBodyFlow_BeginGroup(flow, context->grid, context->tiles, context->bodies, index);
}

// Ask for the water around a group. The sub-step before has gone through so much memory that nothing of it is near.
static void tnFetchAhead(const tnGrid* grid, const tnGroup* group)
{
	for (int i = 0; i < group->stripCount; ++i)
	{
		const int32_t cell = group->strips[i].index;
		TN_PREFETCH(grid->bed + cell);
		TN_PREFETCH(grid->depth + cell);
		TN_PREFETCH(grid->flowX + cell);
		TN_PREFETCH(grid->flowZ + cell);
	}
}

// Does all water around a group move, and none of it across an edge that wraps? See tnOverrideGroup.
static bool tnIsPlain(const tnGrid* grid, const tnTiles* tiles, const tnGroup* group)
{
	const int columnEnd = tnMinInt(group->columnEnd, grid->columnCount);
	const int rowEnd = tnMinInt(group->firstRow + group->rowCount, grid->rowCount);
	bool plain = !group->crosses;
	for (int row = group->firstRow / TN_TILE_SIZE; row * TN_TILE_SIZE < rowEnd && plain; ++row)
	{
		const uint8_t* awake = tiles->awake + (ptrdiff_t)row * tiles->columnCount;
		for (int column = group->columnBegin / TN_TILE_SIZE; column * TN_TILE_SIZE < columnEnd; ++column)
		{
			plain = plain && awake[column] != 0;
		}
	}
	return plain;
}

static float tnGetDeferred(const tnBodyFlow* flow, int subStep)
{
	return 1.0f - (float)subStep / (float)flow->subStepCount;
}

// Do what a group has left out before this sub-step.
static void tnCatchUp(const tnStepContext* context, int index, int workerIndex)
{
	tnBodyFlow* flow = context->flow;
	tnGroup* group = flow->groups + index;
	group->skips = false;
	group->stillness = tn_restlessGroup;
	tnBeginGroup(context, index, workerIndex);
	for (int i = 1; i < flow->subStep; ++i)
	{
		tnBodySubStep subStep = context->subStep;
		subStep.deferred = tnGetDeferred(flow, i);
		subStep.first = i == 1;
		subStep.last = false;
		tnSolveSleeping(context, &subStep, index, workerIndex);
	}
}

static void tnStepGroup(int item, int workerIndex, void* data)
{
	const tnStepContext* context = data;
	tnBodyFlow* flow = context->flow;
	tnGroup* group = flow->groups + item;
	if (context->subStep.first)
	{
		if (!tnMaySkip(context, item, tn_stillGroup))
		{
			tnBeginGroup(context, item, workerIndex);
		}
	}
	else if (item + 1 < flow->groupCount && !group->skips)
	{
		// Most likely the next one of this worker.
		tnFetchAhead(context->grid, group + 1);
	}
	if (group->skips || group->watched)
	{
		const bool sleeps = context->subStep.first || tnSleeps(context->grid, context->tiles, group);
		group->watched = group->watched && sleeps;
		if (group->skips && !sleeps)
		{
			tnCatchUp(context, item, workerIndex);
		}
	}
	if (group->skips)
	{
		flow->overrides[item].plain = false;
		if (context->subStep.last)
		{
			tnBodies_RestGroup(context->bodies, flow, item);
		}
		return;
	}
	if (group->watched && !(flow->mustCollect && !group->kept))
	{
		tnSolveSleeping(context, &context->subStep, item, workerIndex);
	}
	else
	{
		tnBodyFlow_SolveGroup(flow, &context->subStep, item, workerIndex);
	}
	flow->overrides[item].plain = tnIsPlain(context->grid, context->tiles, flow->groups + item);
	if (context->subStep.last)
	{
		tnBodies_FeelGroup(context->bodies, flow, context->grid, item, workerIndex);
		tnEndWatch(group, tn_stillGroup);
	}
}

tnOverrideSource tnBodyFlow_Solve(tnBodyFlow* flow, tnGrid* grid, const tnTiles* tiles, tnBodies* bodies,
	tnParallel* parallel, const tnFlowParameters* parameters)
{
	flow->subStep += 1;
	tnStepContext context = {
		.flow = flow,
		.grid = grid,
		.tiles = tiles,
		.bodies = bodies,
		.subStep =
			{
				.grid = grid,
				.parameters = parameters,
				.deferred = tnGetDeferred(flow, flow->subStep),
				.first = flow->subStep == 1,
				.last = flow->subStep == flow->subStepCount,
			},
	};
	tnParallelFor(parallel, flow->groupCount, tnStepGroup, &context);
	flow->mustCollect = false;
	flow->felt = context.subStep.last;
	tnOverrideSource overrides = {flow->rowLists, true};
	for (int i = 0; i < flow->groupCount && overrides.plain; ++i)
	{
		overrides.plain = flow->overrides[i].plain;
	}
	return overrides;
}

// Heads that change by less than this many meters in a sub-step, for each m/s of sleepSpeed, may stop: solvers leave some of that
// over in each. At a sleepSpeed of 0 they must be where they stay.
#define TN_REST_TIME 1.0f

static bool tnGoesOn(const tnBody* body)
{
	const tnVec3 v = body->motion.velocity, s = body->motion.spin;
	return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || s.x != 0.0f || s.y != 0.0f || s.z != 0.0f;
}

// A body that goes on holds heads up or down for good, also where there is no water that could follow, and feels that. Who wants
// the same bits with sleep has it awake.
static bool tnIsStirred(const tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies, const tnGroup* group)
{
	bool moves = false;
	for (int i = group->bodyBegin; i < group->bodyEnd && !moves; ++i)
	{
		moves = tnGoesOn(tnBodies_Get(bodies, flow->grouped[i]));
	}
	const float* head = tnGroup_GetField(group, tn_cellHead);
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE && moves; ++slot)
	{
		const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
		const ptrdiff_t cell = strip->index + slot % TN_STRIP_SIZE;
		if (strip->solves && head[slot] != grid->bed[cell] + grid->depth[cell])
		{
			return true;
		}
	}
	return false;
}

void tnBodyFlow_KeepAwake(const tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies, tnTiles* tiles)
{
	for (int i = 0; i < flow->groupCount && tiles->enableSleep; ++i)
	{
		const tnGroup* group = flow->groups + i;
		const bool moves = group->rise > TN_REST_TIME * tiles->sleepSpeed ||
			(tiles->sleepSpeed == 0.0f && tnIsStirred(flow, grid, bodies, group));
		for (int k = 0; k < group->stripCount && moves; ++k)
		{
			const tnStrip* strip = group->strips + k;
			// A strip begins at any column, beyond an edge too, so it may lie in two tiles.
			const int first = tnMaxInt(strip->column, 0);
			const int last = tnMinInt(strip->column + TN_STRIP_SIZE, tiles->columnCount * TN_TILE_SIZE) - 1;
			if (strip->solves && first <= last)
			{
				uint8_t* row = tiles->relaxing + (ptrdiff_t)(strip->row / TN_TILE_SIZE) * tiles->columnCount;
				row[first / TN_TILE_SIZE] = 1;
				row[last / TN_TILE_SIZE] = 1;
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// After the step

enum
{
	// Cells whose lift one item of work forgets.
	TN_FORGET_COUNT = 1024,
};

// The surface of covered cells as queries and pictures have it: bed + depth + lift. Here the one before the old one
// goes,
static void tnForgetOlderLift(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnStepContext* context = data;
	const tnBodyFlow* flow = context->flow;
	const int end = tnMinInt((item + 1) * TN_FORGET_COUNT, flow->liftedCount[1]);
	for (int i = item * TN_FORGET_COUNT; i < end; ++i)
	{
		context->grid->previousLift[flow->lifted[1][i]] = 0.0f;
	}
}

// and here the old one.
static void tnForgetOldLift(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnStepContext* context = data;
	const tnBodyFlow* flow = context->flow;
	tnGrid* grid = context->grid;
	const int end = tnMinInt((item + 1) * TN_FORGET_COUNT, flow->liftedCount[0]);
	for (int i = item * TN_FORGET_COUNT; i < end; ++i)
	{
		const int32_t index = flow->lifted[0][i];
		if (grid->previousLift != NULL)
		{
			grid->previousLift[index] = grid->lift[index];
		}
		grid->lift[index] = 0.0f;
	}
}

static int tnGetForgetItems(int count)
{
	return (count + TN_FORGET_COUNT - 1) / TN_FORGET_COUNT;
}

static void tnForgetLift(tnBodyFlow* flow, tnParallel* parallel, tnStepContext* context)
{
	if (context->grid->previousLift != NULL)
	{
		tnParallelFor(parallel, tnGetForgetItems(flow->liftedCount[1]), tnForgetOlderLift, context);
	}
	tnParallelFor(parallel, tnGetForgetItems(flow->liftedCount[0]), tnForgetOldLift, context);
	int32_t* next = flow->lifted[1];
	flow->lifted[1] = flow->lifted[0];
	flow->liftedCount[1] = flow->liftedCount[0];
	flow->lifted[0] = next;
	flow->liftedCount[0] = 0;
}

// A group for which the last sub-step never came, because all water sleeps.
static void tnFeelIdleGroup(int item, int workerIndex, void* data)
{
	const tnStepContext* context = data;
	tnBodyFlow* flow = context->flow;
	tnGroup* group = flow->groups + item;
	if (flow->subStep == 0)
	{
		if (tnMaySkip(context, item, tn_idleGroup))
		{
			tnBodies_RestGroup(context->bodies, flow, item);
			return;
		}
		tnBeginGroup(context, item, workerIndex);
	}
	else if (group->skips)
	{
		tnBodies_RestGroup(context->bodies, flow, item);
		return;
	}
	tnBodies_FeelGroup(context->bodies, flow, context->grid, item, workerIndex);
	group->watched = group->watched && flow->subStep == 0;
	tnEndWatch(group, tn_idleGroup);
}

static void tnPublishGroup(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnStepContext* context = data;
	tnBodyFlow_PublishGroup(context->flow, context->grid, item);
}

void tnBodyFlow_End(tnBodyFlow* flow, tnGrid* grid, const tnTiles* tiles, tnBodies* bodies, tnParallel* parallel)
{
	tnStepContext context = {.flow = flow, .grid = grid, .tiles = tiles, .bodies = bodies};
	if (!flow->felt)
	{
		tnParallelFor(parallel, flow->groupCount, tnFeelIdleGroup, &context);
		flow->mustCollect = false;
	}
	tnForgetLift(flow, parallel, &context);
	for (int i = 0; i < flow->groupCount; ++i)
	{
		flow->groups[i].liftedBegin = flow->liftedCount[0];
		flow->liftedCount[0] += flow->groups[i].cellCount;
	}
	tnParallelFor(parallel, flow->groupCount, tnPublishGroup, &context);
}

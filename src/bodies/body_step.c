// SPDX-License-Identifier: MIT

// The order of a step with bodies. A group does as much as it can in one go, while what it needs is in the cache:
//
//   first sub-step   cut its bodies, collect what they take, pay what drag owes to the water
//   each sub-step    find its heads and the flow around it
//   last sub-step    find the forces on its bodies
//   after the step   publish its surface

#include "body_step.h"

#include "body_wrench.h"

typedef struct tnStepContext
{
	tnBodyFlow* flow;
	tnGrid* grid;
	const tnTiles* tiles;
	tnBodies* bodies;
	tnBodySubStep subStep;
} tnStepContext;

static bool tnMustCollect(const tnBodyFlow* flow, const tnBodies* bodies)
{
	bool must = bodies->changed;
	for (int i = 0; i < flow->groupCount && !must; ++i)
	{
		must = flow->groups[i].hangs || flow->groups[i].leaves;
	}
	return must;
}

void tnBodyFlow_Begin(tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, const tnBodyKernels* kernels,
	float gravity, float timeStep, int subStepCount)
{
	// The cutting and collecting itself comes with the first sub-step, so that a group stays in the cache from its cut
	// to its heads.
	flow->mustCollect = tnMustCollect(flow, bodies);
	if (flow->mustCollect)
	{
		tnBodyFlow_FormGroups(flow, grid, bodies);
	}
	bodies->changed = false;
	flow->kernels = kernels;
	flow->subStepCount = subStepCount;
	flow->subStep = 0;
	flow->felt = false;
	flow->gravity = gravity;
	flow->timeStep = timeStep;
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

static void tnStepGroup(int item, int workerIndex, void* data)
{
	const tnStepContext* context = data;
	tnBodyFlow* flow = context->flow;
	if (context->subStep.first)
	{
		tnBeginGroup(context, item, workerIndex);
	}
	else if (item + 1 < flow->groupCount)
	{
		// Most likely the next one of this worker.
		tnFetchAhead(context->grid, flow->groups + item + 1);
	}
	tnBodyFlow_SolveGroup(flow, &context->subStep, item, workerIndex);
	flow->overrides[item].plain = tnIsPlain(context->grid, context->tiles, flow->groups + item);
	if (context->subStep.last)
	{
		tnBodies_FeelGroup(context->bodies, flow, context->grid, item, workerIndex);
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
				.deferred = 1.0f - (float)flow->subStep / (float)flow->subStepCount,
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
	if (context->flow->subStep == 0)
	{
		tnBeginGroup(context, item, workerIndex);
	}
	tnBodies_FeelGroup(context->bodies, context->flow, context->grid, item, workerIndex);
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

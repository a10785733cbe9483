// SPDX-License-Identifier: MIT

// Regions and gauges: what they measure, which events they tell and in which order, and what they remember.

#include "query_kit.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// Regions

static int RegionsMeasure(void)
{
	static float heights[cellCount], depths[cellCount];
	MakeRoughField(30, heights, depths);
	const tnWorldDef def = MakeDef();
	tnWorld* world = CreateWorld(&def, heights, depths);
	ENSURE(world != NULL);
	TestRandom random = TestMakeRandom(31);
	for (int i = 0; i < 200; ++i)
	{
		tnRegionDef region = tnDefaultRegionDef();
		region.shape = i % 2 == 0 ? tn_discRegion : tn_boxRegion;
		region.center = RandomPlace(&random);
		region.extent = (tnVec2){TestRandomFloat(&random, 0.01f, 20.0f), TestRandomFloat(&random, 0.01f, 8.0f)};
		double volume = 0.0;
		double wetArea = 0.0;
		double area = 0.0;
		float maxDepth = 0.0f;
		for (int cell = 0; cell < cellCount; ++cell)
		{
			const tnVec2 center = GetCenter(cell % columnCount, cell / columnCount);
			const float x = center.x - region.center.x;
			const float z = center.z - region.center.z;
			const bool inside = region.shape == tn_discRegion
				? x * x + z * z <= region.extent.x * region.extent.x
				: fabsf(x) <= region.extent.x && fabsf(z) <= region.extent.z;
			if (inside)
			{
				volume += (double)depths[cell] * 0.25;
				wetArea += depths[cell] > TN_WET_DEPTH ? 0.25 : 0.0;
				area += 0.25;
				maxDepth = fmaxf(maxDepth, depths[cell]);
			}
		}
		tnRegionState state;
		ENSURE_OK(tnWorld_MeasureRegion(world, &region, &state));
		if (area == 0.0)
		{
			// Between cell centres: the cell around the centre, whichever it is.
			ENSURE(state.area == 0.25);
			continue;
		}
		// Sums of doubles in another order.
		ENSURE_CLOSE(state.volume, volume, 1.0e-12 * (1.0 + volume));
		ENSURE(state.wetArea == wetArea && state.area == area && state.maxDepth == maxDepth);

		tnRegionId id;
		ENSURE_OK(tnWorld_CreateRegion(world, &region, &id));
		tnRegionState watched;
		ENSURE_OK(tnWorld_GetRegionState(world, id, &watched));
		ENSURE(watched.volume == state.volume && watched.wetArea == state.wetArea && watched.area == state.area &&
			watched.maxDepth == state.maxDepth);
		ENSURE_OK(tnWorld_DestroyRegion(world, id));
	}
	tnDestroyWorld(world);
	return 0;
}

static int RegionIdsGoStale(void)
{
	const tnWorldDef def = MakeDef();
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnRegionDef region = tnDefaultRegionDef();
	region.center = GetCenter(5, 5);
	tnRegionId ids[100];
	for (int i = 0; i < 100; ++i)
	{
		ENSURE_OK(tnWorld_CreateRegion(world, &region, &ids[i]));
		ENSURE_EQUAL_INT(ids[i].index1, i + 1);
	}
	ENSURE_OK(tnWorld_DestroyRegion(world, ids[41]));
	ENSURE(!tnRegion_IsValid(world, ids[41]) && tnRegion_IsValid(world, ids[40]) && tnRegion_IsValid(world, ids[99]));
	ENSURE_REFUSED(tnWorld_DestroyRegion(world, ids[41]), tn_staleId, "region");
	tnRegionId again;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &again));
	ENSURE_EQUAL_INT(again.index1, 42);
	ENSURE(tnRegion_IsValid(world, again) && !tnRegion_IsValid(world, ids[41]));
	tnRegionState state;
	ENSURE_REFUSED(tnWorld_GetRegionState(world, ids[41], &state), tn_staleId, "region");
	ENSURE(!tnRegion_IsValid(world, (tnRegionId){0}));
	tnDestroyWorld(world);
	return 0;
}

static int CheckEvent(tnRegionEvent event, tnRegionId region, tnRegionEventKind kind, uint64_t userData)
{
	ENSURE_EQUAL_INT(event.region.index1, region.index1);
	ENSURE_EQUAL_INT(event.region.generation, region.generation);
	ENSURE_EQUAL_INT(event.kind, kind);
	ENSURE_EQUAL_INT(event.userData, userData);
	return 0;
}

// Set the water of the whole world, step, and look at the events.
static tnRegionEvents StepWithDepth(tnWorld* world, float depth)
{
	static float depths[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		depths[i] = depth;
	}
	tnRegionEvents none = {0};
	none.count = -1;
	if (tnWorld_SetDepths(world, depths).status != tn_ok || tnWorld_Step(world, 1.0f / 60.0f).status != tn_ok)
	{
		return none;
	}
	return tnWorld_GetRegionEvents(world);
}

static int RegionEventsComeInOrder(void)
{
	TestAllocator counter = {0};
	tnWorldDef def = MakeDef();
	def.allocator = TestGetAllocator(&counter);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(world).count, 0);

	// Made in this order, but the first slot is freed and taken again, so that the last one made has the lowest index.
	tnRegionDef region = tnDefaultRegionDef();
	region.center = GetCenter(50, 5);
	region.extent = (tnVec2){1.0f, 1.0f};
	region.hysteresis = 0.0f;
	tnRegionId first, second, third;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &first));
	region.triggerDepth = 0.5f;
	region.userData = 22;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &second));
	ENSURE_OK(tnWorld_DestroyRegion(world, first));
	region.triggerDepth = 0.25f;
	region.userData = UINT64_MAX;
	region.shape = tn_boxRegion;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &third));
	ENSURE_EQUAL_INT(third.index1, 1);
	const int allocationCount = counter.allocationCount;

	tnRegionEvents events = StepWithDepth(world, 1.0f);
	ENSURE_EQUAL_INT(events.count, 4);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], third, tn_becameWet, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[1], third, tn_roseAbove, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[2], second, tn_becameWet, 22), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[3], second, tn_roseAbove, 22), 0);
	ENSURE(events.events[0].maxDepth == 1.0f);
	// What stays as it is makes no event.
	ENSURE_EQUAL_INT(StepWithDepth(world, 1.0f).count, 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.75f).count, 0);
	// At the depth itself counts as below.
	events = StepWithDepth(world, 0.5f);
	ENSURE_EQUAL_INT(events.count, 1);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], second, tn_fellBelow, 22), 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.4f).count, 0);
	events = StepWithDepth(world, TN_WET_DEPTH);
	ENSURE_EQUAL_INT(events.count, 3);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], third, tn_becameDry, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[1], third, tn_fellBelow, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[2], second, tn_becameDry, 22), 0);
	events = StepWithDepth(world, 0.3f);
	ENSURE_EQUAL_INT(events.count, 3);
	ENSURE_EQUAL_INT(CheckEvent(events.events[0], third, tn_becameWet, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[1], third, tn_roseAbove, UINT64_MAX), 0);
	ENSURE_EQUAL_INT(CheckEvent(events.events[2], second, tn_becameWet, 22), 0);
	ENSURE_EQUAL_INT(counter.allocationCount, allocationCount);

	// Water that is there when a region is made is no news.
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &first));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(world).count, 0);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	return 0;
}

// A region that is above stays above until the water has fallen by the hysteresis, and by no more than half the depth.
static int RegionsForgiveRipples(void)
{
	tnWorldDef def = MakeDef();
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnRegionDef region = tnDefaultRegionDef();
	// Smaller than a cell and away from all centres: the cell around it is watched.
	region.center = GetCenter(7, 5);
	region.center.x += 0.2f;
	region.extent = (tnVec2){0.01f, 0.01f};
	region.triggerDepth = 0.5f;
	region.hysteresis = 0.125f;
	tnRegionId id;
	ENSURE_OK(tnWorld_CreateRegion(world, &region, &id));
	tnRegionState state;
	ENSURE_OK(tnWorld_GetRegionState(world, id, &state));
	ENSURE(state.area == 0.25);

	ENSURE_EQUAL_INT(StepWithDepth(world, 0.5f).count, 1);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.51f).count, 1);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.49f).count, 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.376f).count, 0);
	tnRegionEvents events = StepWithDepth(world, 0.375f);
	ENSURE_EQUAL_INT(events.count, 1);
	ENSURE(events.events[0].kind == tn_fellBelow);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.49f).count, 0);
	ENSURE_EQUAL_INT(StepWithDepth(world, 0.51f * TN_WET_DEPTH).count, 0);
	events = StepWithDepth(world, 0.5f * TN_WET_DEPTH);
	ENSURE_EQUAL_INT(events.count, 1);
	ENSURE(events.events[0].kind == tn_becameDry);

	region.hysteresis = -1.0f;
	ENSURE_REFUSED(tnWorld_CreateRegion(world, &region, &id), tn_invalidArgument, "hysteresis");
	tnDestroyWorld(world);
	return 0;
}

// Water poured into one corner of a dry world wakes the cells around it, and no others.
static int AwakeCellsAreThoseThatMove(void)
{
	enum
	{
		wide = 331,
		high = 97,
	};
	static uint8_t awake[wide * high];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = wide;
	def.rowCount = high;
	def.sleepTime = 0.25f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 0.1f));
	}
	ENSURE_OK(tnWorld_CopyAwake(world, awake));
	for (int i = 0; i < wide * high; ++i)
	{
		ENSURE_EQUAL_INT(awake[i], 0);
	}

	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){20.5f, 12.5f}, 3.0f, 5.0f, NULL));
	ENSURE_OK(tnWorld_Step(world, 0.1f));
	ENSURE_OK(tnWorld_CopyAwake(world, awake));
	const tnFieldView depth = tnWorld_GetDepth(world);
	int count = 0;
	for (int i = 0; i < wide * high; ++i)
	{
		const int column = i % wide;
		count += awake[i];
		ENSURE(awake[i] == 1 || depth.data[i / wide * depth.stride + column] == 0.0f);
		ENSURE(awake[i] == 0 || column < wide / 2);
	}
	ENSURE(count > 0);
	const tnStats stats = tnWorld_GetStats(world);
	ENSURE(stats.awakeTileCount > 0 && stats.awakeTileCount < stats.tileCount);
	tnDestroyWorld(world);
	return 0;
}

// Regions of sleeping tiles are skipped; nothing may be missed by that. The wave of a dam break crosses a dry, sleeping
// world, and each region along its way tells of it once, in the step in which its water comes.
static int RegionsOfSleepingTiles(void)
{
	enum
	{
		regionCount = 10,
	};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 320;
	def.rowCount = 9;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnRegionId ids[regionCount];
	bool wet[regionCount] = {0};
	for (int i = 0; i < regionCount; ++i)
	{
		tnRegionDef region = tnDefaultRegionDef();
		region.center = (tnVec2){16.0f + 32.0f * (float)i, 4.5f};
		region.extent = (tnVec2){3.0f, 3.0f};
		region.triggerDepth = 100.0f;
		region.hysteresis = 0.0f;
		region.userData = (uint64_t)i;
		ENSURE_OK(tnWorld_CreateRegion(world, &region, &ids[i]));
	}
	ENSURE_OK(tnWorld_Step(world, 0.1f));
	ENSURE_EQUAL_INT(tnWorld_GetRegionEvents(world).count, 0);
	double moved = 0.0;
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){30.0f, 4.5f}, 5.0f, 3000.0f, &moved));
	int eventCount = 0;
	for (int step = 0; step < 2000; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 0.1f));
		const tnRegionEvents events = tnWorld_GetRegionEvents(world);
		for (int i = 0; i < events.count; ++i)
		{
			const int index = (int)events.events[i].userData;
			ENSURE(events.events[i].kind == (wet[index] ? tn_becameDry : tn_becameWet));
			wet[index] = !wet[index];
			eventCount += 1;
		}
		for (int i = 0; i < regionCount; ++i)
		{
			tnRegionState state;
			ENSURE_OK(tnWorld_GetRegionState(world, ids[i], &state));
			ENSURE(wet[i] == (state.maxDepth > TN_WET_DEPTH));
		}
	}
	ENSURE(eventCount >= regionCount);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Gauges

static int GaugesRemember(void)
{
	const tnWorldDef def = MakeDef();
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnGaugeId id, other;
	const tnVec2 place = GetCenter(30, 10);
	ENSURE_OK(tnWorld_CreateGauge(world, place, &id));
	ENSURE_OK(tnWorld_CreateGauge(world, GetCenter(2, 2), &other));
	ENSURE(tnGauge_IsValid(world, id) && tnGauge_IsValid(world, other));

	tnGaugeState state;
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == -1.0 && state.maxDepth == 0.0f && state.maxSpeed == 0.0f && !state.sample.wet);
	for (int i = 0; i < 4; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 0.25f));
	}
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == -1.0);

	StepWithDepth(world, 2.0f);
	const double arrival = tnWorld_GetTime(world);
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == arrival && state.maxDepth == 2.0f && state.sample.depth == 2.0f);
	StepWithDepth(world, 0.5f);
	ENSURE_OK(tnWorld_AddImpulse(world, place, 2.0f, (tnVec2){3000.0f, 0.0f}));
	ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	const tnSample sample = tnWorld_Sample(world, place);
	ENSURE(SameBits(&sample, &state.sample));
	ENSURE(state.arrivalTime == arrival && state.maxDepth == 2.0f && state.maxSpeed > 0.0f);
	ENSURE(state.maxSpeed >= state.sample.velocity.x);
	const float maxSpeed = state.maxSpeed;
	for (int i = 0; i < 300; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.maxSpeed >= maxSpeed && state.maxSpeed > 2.0f * fabsf(state.sample.velocity.x));

	// A reset gauge knows only what is there now.
	ENSURE_OK(tnWorld_ResetGauge(world, id));
	ENSURE_OK(tnWorld_GetGaugeState(world, id, &state));
	ENSURE(state.arrivalTime == tnWorld_GetTime(world) && state.maxDepth == state.sample.depth &&
		state.maxSpeed < maxSpeed);

	ENSURE_OK(tnWorld_DestroyGauge(world, id));
	ENSURE(!tnGauge_IsValid(world, id) && tnGauge_IsValid(world, other));
	ENSURE_REFUSED(tnWorld_GetGaugeState(world, id, &state), tn_staleId, "gauge");
	ENSURE_REFUSED(tnWorld_ResetGauge(world, id), tn_staleId, "gauge");
	ENSURE_REFUSED(tnWorld_DestroyGauge(world, id), tn_staleId, "gauge");
	tnGaugeId again;
	ENSURE_OK(tnWorld_CreateGauge(world, place, &again));
	ENSURE_EQUAL_INT(again.index1, id.index1);
	ENSURE(!tnGauge_IsValid(world, id) && tnGauge_IsValid(world, again));
	for (int i = 0; i < 50; ++i)
	{
		ENSURE_OK(tnWorld_CreateGauge(world, place, &again));
	}
	ENSURE(tnGauge_IsValid(world, other));
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"RegionsMeasure", RegionsMeasure},
	{"RegionIdsGoStale", RegionIdsGoStale},
	{"RegionEventsComeInOrder", RegionEventsComeInOrder},
	{"RegionsForgiveRipples", RegionsForgiveRipples},
	{"RegionsOfSleepingTiles", RegionsOfSleepingTiles},
	{"GaugesRemember", GaugesRemember},
	{"AwakeCellsAreThoseThatMove", AwakeCellsAreThoseThatMove},
};

const TestSuite regionsSuite = TEST_SUITE("regions", s_tests);

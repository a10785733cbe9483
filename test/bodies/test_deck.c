// SPDX-License-Identifier: MIT

// Water on bodies with air below: aqueducts, roofs, bridges awash, sluices. How well such water flows is case B19.

#include "body_water_kit.h"

#include <stdio.h>
#include <string.h>

enum
{
	deckColumns = 48,
	deckRows = 24,
	deckCells = deckColumns * deckRows,
};

static tnWorldDef MakeDeckDef(int way)
{
	tnWorldDef def = MakeDef(way);
	def.columnCount = deckColumns;
	def.rowCount = deckRows;
	def.cellSize = 1.0f;
	return def;
}

static tnVec2 At(float x, float z)
{
	return (tnVec2){x, z};
}

static double SumDecks(const tnWorld* world)
{
	static float depths[deckCells];
	tnWorld_CopyDecks(world, depths, NULL);
	double sum = 0.0;
	for (int i = 0; i < deckCells; ++i)
	{
		sum += depths[i];
	}
	return sum;
}

// Water of the flow in a box of cells, and the deepest of it.
static double SumFlow(const tnWorld* world, int columnBegin, int columnEnd, int rowBegin, int rowEnd, float* deepest)
{
	double sum = 0.0;
	*deepest = 0.0f;
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		for (int column = columnBegin; column < columnEnd; ++column)
		{
			const float depth = GetDepth(world, column, row);
			sum += depth;
			*deepest = fmaxf(*deepest, depth);
		}
	}
	return sum;
}

static bool IsBalanced(tnWorld* world)
{
	const tnLedger ledger = tnWorld_GetLedger(world);
	return fabs(ledger.drift) <= 1.0e-6 * fabs(ledger.volume) + 1.0e-9;
}

// ---------------------------------------------------------------------------------------------------------------------
// Aqueducts

// Ground of 4 m in the west, with walls of 8 m beside a basin of 8 m, and from there an aqueduct over low ground.
static tnWorld* OpenAqueduct(const tnWorldDef* def, bool walls, tnBodyId* id)
{
	static float heights[deckCells];
	for (int i = 0; i < deckCells; ++i)
	{
		const int column = i % deckColumns;
		const int row = i / deckColumns;
		heights[i] = column >= 10 ? 0.0f : (row < 8 || row >= 16 || column == 0 ? 8.0f : 4.0f);
	}
	tnWorld* world = NULL;
	bool ok = tnCreateWorld(def, &world).status == tn_ok && tnWorld_SetTerrain(world, heights).status == tn_ok;
	ok = ok &&
		AddBox(world, (tnVec3){20.0f, 0.5f, 8.0f}, (tnVec3){20.0f, 3.75f, 12.0f}, tn_blockingBody, id).status == tn_ok;
	for (int i = 0; i < 2 && walls && ok; ++i)
	{
		tnBodyId wall;
		const tnVec3 middle = {20.0f, 4.75f, i == 0 ? 8.25f : 15.75f};
		ok = AddBox(world, (tnVec3){20.0f, 1.5f, 0.5f}, middle, tn_blockingBody, &wall).status == tn_ok;
	}
	tnSourceDef source = tnDefaultSourceDef();
	source.center = At(4.5f, 12.0f);
	source.radius = 2.0f;
	source.rate = 6.0f;
	tnSourceId sourceId;
	ok = ok && tnWorld_CreateSource(world, &source, &sourceId).status == tn_ok;
	if (!ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

// What comes in at its head falls off its end, and nothing else gets wet.
static int AnAqueductDelivers(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		// Three minutes of water: with sanitizers for some methods.
		if (TEST_LEAVES_OUT(way))
		{
			continue;
		}
		const tnWorldDef def = MakeDeckDef(way);
		tnBodyId id;
		tnWorld* world = OpenAqueduct(&def, true, &id);
		ENSURE(world != NULL);
		float deepest;
		for (int step = 0; step < 600; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			ENSURE(IsBalanced(world));
		}
		// Before the first water falls off the end there is none below.
		ENSURE_CLOSE(SumFlow(world, 10, deckColumns, 0, deckRows, &deepest), 0.0, 0.0);
		ENSURE(SumDecks(world) > 10.0);
		ENSURE(StepMany(world, 9000));
		const double before = SumFlow(world, 10, deckColumns, 0, deckRows, &deepest);
		ENSURE(StepMany(world, 1800));
		const double rate = (SumFlow(world, 10, deckColumns, 0, deckRows, &deepest) - before) / 30.0;
		printf("way %d: %.4f of 6 m^3/s\n", way, rate);
		ENSURE_CLOSE(rate, 6.0, 0.06);
		ENSURE(IsBalanced(world));
		// Both levels can be asked for, and the upper one is seen.
		const tnSample sample = tnWorld_Sample(world, At(20.5f, 12.5f));
		const tnDeckSample deck = tnWorld_SampleDeck(world, At(20.5f, 12.5f));
		ENSURE(deck.covered && deck.wet && sample.wet);
		ENSURE_CLOSE(deck.bed, 4.0, 1.0e-5);
		ENSURE_CLOSE(deck.underside, 3.5, 1.0e-5);
		ENSURE_CLOSE(sample.surface, deck.surface, 0.0);
		ENSURE(deck.surface > 4.3f && deck.surface < 5.0f);
		ENSURE(deck.velocity.x > 0.5f && fabsf(deck.velocity.z) < 0.1f);
		ENSURE(deck.below.surface < 3.0f);
		// The floor bears it. Walls take half a meter of each outer cell.
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		ENSURE_CLOSE(wrench.force.y, -9810.0 * SumDecks(world), 9810.0 * 0.001 * SumDecks(world));
		tnDestroyWorld(world);
	}
	return 0;
}

// Without walls it falls off the sides, too, and still none falls through.
static int ADeckWithoutWallsSpills(void)
{
	const tnWorldDef def = MakeDeckDef(2);
	tnBodyId id;
	tnWorld* world = OpenAqueduct(&def, false, &id);
	ENSURE(world != NULL);
	for (int step = 0; step < 400; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE(SumDecks(world) > 0.5);
	float deepest;
	// It has begun to fall: beside the deck more than below.
	const double below = SumFlow(world, 12, 30, 10, 14, &deepest);
	const double all = SumFlow(world, 10, deckColumns, 0, deckRows, &deepest);
	ENSURE(all > 0.0);
	ENSURE(below <= 0.05 * all);
	ENSURE(IsBalanced(world));
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rain

static int ARoofShedsTheRain(void)
{
	for (int tilt = 0; tilt < 2; ++tilt)
	{
		const tnWorldDef def = MakeDeckDef(2);
		tnWorld* world = OpenWorld(&def, 0.0f);
		ENSURE(world != NULL);
		const tnShapeDef shape = MakeBox(10.0f, 0.4f, 8.0f);
		tnBodyDef bodyDef = tnDefaultBodyDef();
		bodyDef.shapes = &shape;
		bodyDef.shapeCount = 1;
		bodyDef.mass = INFINITY;
		bodyDef.pose = MakePose(20.0f, 5.0f, 12.0f);
		bodyDef.pose.rotation = (tnQuat){0.0f, 0.0f, tilt == 1 ? 0.06976f : 0.0f, 0.99756f};
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
		const float rain = 2.0e-4f;
		ENSURE_OK(tnWorld_SetRain(world, rain, NULL));
		ENSURE(StepMany(world, 3600));
		const double before = SumDecks(world);
		ENSURE(before > 0.0);
		ENSURE(StepMany(world, 3600));
		// As much leaves as falls on 8 x 8 cells at least, within a hundredth.
		const double kept = SumDecks(world) - before;
		printf(
			"tilt %d: %g m^3 on the roof, %g of %g m^3 more after a minute\n", tilt, before, kept, rain * 60.0 * 64.0);
		ENSURE(fabs(kept) < 0.01 * rain * 60.0 * 64.0);
		ENSURE(SumDecks(world) < (tilt == 1 ? 0.01 : 0.03) * 80.0);
		ENSURE(IsBalanced(world));
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rivers that rise and fall

static int ABridgeAwash(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		tnWorldDef def = MakeDeckDef(way);
		def.friction = 0.2f; // so that it comes to rest
		tnWorld* world = OpenWorld(&def, 0.2f);
		ENSURE(world != NULL);
		tnBodyId id;
		ENSURE_OK(AddBox(world, (tnVec3){14.0f, 0.5f, 8.0f}, (tnVec3){20.0f, 1.25f, 12.0f}, tn_blockingBody, &id));
		tnSourceDef source = tnDefaultSourceDef();
		source.center = At(40.0f, 12.0f);
		source.radius = 4.0f;
		source.rate = 50.0f;
		tnSourceId sourceId;
		ENSURE_OK(tnWorld_CreateSource(world, &source, &sourceId));
		float level = 0.0f;
		for (int step = 0; step < 2400; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			level = fmaxf(level, GetSurface(world, 20, 12));
			ENSURE(IsBalanced(world));
		}
		source.rate = 0.0f;
		ENSURE_OK(tnWorld_SetSource(world, sourceId, &source));
		ENSURE(StepMany(world, 3600));
		// One column again, and level.
		ENSURE_CLOSE(SumDecks(world), 0.0, 0.0);
		ENSURE_CLOSE(GetSurface(world, 20, 12), GetSurface(world, 5, 3), 0.05);
		ENSURE(GetSurface(world, 20, 12) > 1.7f && level < 2.6f);
		source.rate = -50.0f;
		ENSURE_OK(tnWorld_SetSource(world, sourceId, &source));
		for (int step = 0; step < 2400; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			ENSURE(IsBalanced(world) && IsSound(world));
		}
		ENSURE(GetSurface(world, 5, 3) < 0.9f);
		source.rate = 0.0f;
		ENSURE_OK(tnWorld_SetSource(world, sourceId, &source));
		ENSURE(StepMany(world, 3600));
		// What was left has run off, but for a film: over a weir around it h falls as 8.6 s^2 m / t^2.
		ENSURE(SumDecks(world) <= 0.003 * 14.0 * 8.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// The river is gone at once: what is over the deck stays on it, and runs off.
static int ARiverThatIsGone(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		const tnWorldDef def = MakeDeckDef(way);
		tnWorld* world = OpenWorld(&def, 2.0f);
		ENSURE(world != NULL);
		tnBodyId id;
		ENSURE_OK(AddBox(world, (tnVec3){14.0f, 0.5f, 8.0f}, (tnVec3){20.0f, 1.25f, 12.0f}, tn_blockingBody, &id));
		ENSURE(StepMany(world, 300));
		ENSURE_CLOSE(SumDecks(world), 0.0, 0.0);
		static float depths[deckCells];
		for (int i = 0; i < deckCells; ++i)
		{
			const int column = i % deckColumns;
			const int row = i / deckColumns;
			const bool bridge = column >= 13 && column < 27 && row >= 8 && row < 16;
			depths[i] = bridge ? GetDepth(world, column, row) : 0.1f;
		}
		ENSURE_OK(tnWorld_SetDepths(world, depths));
		ENSURE(StepMany(world, 30));
		const double left = SumDecks(world);
		printf("way %d: %g m^3 on the deck after half a second\n", way, left);
		ENSURE(left > 15.0);
		ENSURE(IsBalanced(world));
		ENSURE(StepMany(world, 3600));
		ENSURE(SumDecks(world) <= 0.003 * 14.0 * 8.0);
		ENSURE(IsBalanced(world) && IsSound(world));
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Culverts and sluices

enum
{
	gateColumns = 64,
	gateRows = 6,
};

typedef struct Gate
{
	double discharge; // m^2/s
	double level;     // upstream, m
	double leak;      // before it was lifted, m^3
	double onTop;     // water on it, m
} Gate;

// A gate of 2 m along a channel, in front of 2 m of water that wells hold; behind it the water runs away.
// @param gap below it, at the end
// @param lifted it stands on the ground first
static int RunGate(int way, float gap, float height, bool lifted, Gate* gate)
{
	tnWorldDef def = MakeDef(way);
	def.columnCount = gateColumns;
	def.rowCount = gateRows;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnBodyId id;
	const float low = lifted ? 0.0f : gap;
	const tnVec3 size = {2.0f, height, 8.0f};
	ENSURE_OK(AddBox(world, size, (tnVec3){16.0f, low + 0.5f * height, 1.5f}, tn_blockingBody, &id));
	static float depths[gateColumns * gateRows];
	for (int i = 0; i < gateColumns * gateRows; ++i)
	{
		depths[i] = i % gateColumns < 30 ? 2.0f : 0.0f;
	}
	ENSURE_OK(tnWorld_SetDepths(world, depths));
	for (int i = 0; i < 4 * gateRows; ++i)
	{
		static const float x[4] = {0.25f, 0.75f, 31.25f, 31.75f};
		tnSourceDef well = tnDefaultSourceDef();
		well.kind = tn_wellSource;
		well.level = i % 4 < 2 ? 2.0f : 0.0f;
		well.radius = 0.2f;
		well.center = At(x[i % 4], 0.25f + 0.5f * (float)(i / 4));
		tnSourceId wellId;
		ENSURE_OK(tnWorld_CreateSource(world, &well, &wellId));
	}
	*gate = (Gate){0};
	const tnVec3 none = {0.0f, 0.0f, 0.0f};
	for (int step = 0; step < 300 && lifted; ++step)
	{
		const float part = step < 240 ? 0.0f : (float)(step - 239) / 60.0f;
		const tnPose pose = MakePose(16.0f, part * gap + 0.5f * height, 1.5f);
		const tnVec3 up = {0.0f, part > 0.0f ? gap : 0.0f, 0.0f};
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, step < 299 ? up : none, none));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		float deepest;
		gate->leak = step < 239 ? fmax(gate->leak, SumFlow(world, 34, gateColumns, 0, gateRows, &deepest)) : gate->leak;
	}
	ENSURE(StepMany(world, 2400));
	for (int i = 0; i < 120; ++i)
	{
		static float flow[(gateColumns + 1) * gateRows];
		ENSURE(StepMany(world, 10));
		ENSURE_OK(tnWorld_CopyDischarge(world, flow, NULL));
		for (int row = 0; row < gateRows; ++row)
		{
			gate->discharge += (double)flow[row * (gateColumns + 1) + 16] / (120.0 * gateRows);
		}
		gate->level += (double)GetSurface(world, 24, 3) / 120.0;
	}
	static float onTop[gateColumns * gateRows];
	tnWorld_CopyDecks(world, onTop, NULL);
	gate->onTop = onTop[3 * gateColumns + 32];
	ENSURE(IsBalanced(world));
	tnDestroyWorld(world);
	return 0;
}

// Below a gate it is an orifice whose jet is 0.61 times as high as the gap, q = 0.61 a sqrt(2 g H / (1 + 0.61 a / H)); over it, too, a
// weir besides.
static int GatesLetThroughWhatTheyShould(void)
{
	for (int i = 0; i < 8; ++i)
	{
		const int way = 2 + i % 2;
		const float gap = i / 2 == 1 ? 1.0f : 0.5f;
		const float height = i / 2 == 2 ? 1.0f : 4.0f;
		Gate gate;
		ENSURE_EQUAL_INT(RunGate(way, gap, height, i / 2 == 3, &gate), 0);
		const double orifice = 0.61 * gap * sqrt(2.0 * 9.81 * gate.level / (1.0 + 0.61 * gap / gate.level));
		const double over = fmax(gate.level - (gap + height), 0.0);
		const double weir = sqrt(9.81) * pow(2.0 / 3.0 * over, 1.5);
		printf("way %d gap %g height %g%s: %.4f m^2/s, weir %.4f, orifice %.4f, ratio of all %.3f, %.3f m on top\n",
			way, (double)gap, (double)height, i / 2 == 3 ? " lifted" : "", gate.discharge, weir, orifice,
			gate.discharge / (orifice + weir), gate.onTop);
		ENSURE_CLOSE(gate.discharge / (orifice + weir), 1.0, 0.12);
		ENSURE_CLOSE(gate.leak, 0.0, 0.0);
		ENSURE(height > 2.0f ? gate.onTop == 0.0 : gate.onTop > 0.1);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies that move and go

static int WaterFallsWhenTheDeckGoes(void)
{
	for (int i = 0; i < 3; ++i)
	{
		const tnWorldDef def = MakeDeckDef(2);
		tnWorld* world = OpenWorld(&def, 0.0f);
		ENSURE(world != NULL);
		tnBodyId id, wall;
		ENSURE_OK(AddBox(world, (tnVec3){8.0f, 0.5f, 8.0f}, (tnVec3){20.0f, 3.0f, 12.0f}, tn_blockingBody, &id));
		ENSURE_OK(AddBox(world, (tnVec3){1.0f, 2.0f, 1.0f}, (tnVec3){4.5f, 1.0f, 4.5f}, tn_blockingBody, &wall));
		ENSURE(StepMany(world, 2));
		double poured;
		ENSURE_OK(tnWorld_AddWater(world, At(20.0f, 12.0f), 2.0f, 4.0f, &poured));
		ENSURE_CLOSE(SumDecks(world), poured, 1.0e-5);
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		float deepest;
		ENSURE_CLOSE(SumFlow(world, 0, deckColumns, 0, deckRows, &deepest), 0.0, 0.0);
		if (i == 0)
		{
			ENSURE_OK(tnWorld_DestroyBody(world, id));
		}
		else
		{
			const tnPose pose = i == 1 ? MakePose(40.0f, 3.0f, 12.0f) : MakePose(500.0f, 3.0f, 12.0f);
			const tnVec3 none = {0.0f, 0.0f, 0.0f};
			ENSURE_OK(tnWorld_MoveBody(world, id, &pose, none, none));
		}
		ENSURE(StepMany(world, 2));
		ENSURE_CLOSE(SumDecks(world), 0.0, 1.0e-9);
		ENSURE_CLOSE(SumFlow(world, 0, deckColumns, 0, deckRows, &deepest), poured, 1.0e-5);
		ENSURE(IsBalanced(world));
		// With the last body all memory of decks goes.
		ENSURE_OK(tnWorld_DestroyBody(world, wall));
		ENSURE(IsBalanced(world));
		tnDestroyWorld(world);
	}
	return 0;
}

// A tub with water is let down into a lake: it presses with its weight, is pressed up, and keeps its water.
static int AFullTubIsHeavier(void)
{
	double forces[2];
	for (int full = 0; full < 2; ++full)
	{
		const tnWorldDef def = MakeDeckDef(2);
		tnWorld* world = OpenWorld(&def, 2.0f);
		ENSURE(world != NULL);
		tnShapeDef shapes[5];
		for (int i = 0; i < 5; ++i)
		{
			const bool alongX = i == 1 || i == 2;
			shapes[i] =
				i == 0 ? MakeBox(8.0f, 0.5f, 8.0f) : (alongX ? MakeBox(8.0f, 1.0f, 1.0f) : MakeBox(1.0f, 1.0f, 6.0f));
			shapes[i].pose.position = (tnVec3){0.0f, i == 0 ? 0.0f : 0.75f, 0.0f};
			shapes[i].pose.position.x = i == 3 ? -3.5f : (i == 4 ? 3.5f : 0.0f);
			shapes[i].pose.position.z = i == 1 ? -3.5f : (i == 2 ? 3.5f : 0.0f);
		}
		tnBodyDef bodyDef = tnDefaultBodyDef();
		bodyDef.shapes = shapes;
		bodyDef.shapeCount = 5;
		bodyDef.mass = INFINITY;
		bodyDef.pose = MakePose(20.0f, 3.0f, 12.0f);
		// Otherwise the tub would be a hollow, which water from above does not enter.
		bodyDef.hollows = false;
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
		ENSURE(StepMany(world, 5));
		if (full == 1)
		{
			ENSURE_OK(tnWorld_AddWater(world, At(20.0f, 12.0f), 3.0f, 12.0f, NULL));
		}
		const tnVec3 none = {0.0f, 0.0f, 0.0f};
		for (int step = 0; step < 240; ++step)
		{
			const tnPose pose = MakePose(20.0f, 3.0f - 0.00375f * (float)step, 12.0f);
			ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){0.0f, -0.225f, 0.0f}, none));
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		const tnPose pose = MakePose(20.0f, 2.1f, 12.0f);
		for (int step = 0; step < 1200; ++step)
		{
			ENSURE_OK(tnWorld_MoveBody(world, id, &pose, none, none));
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE_CLOSE(SumDecks(world), full == 1 ? 12.0 : 0.0, 0.02);
		ENSURE(IsBalanced(world));
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		forces[full] = wrench.force.y;
		tnDestroyWorld(world);
	}
	printf("empty %g N, full %g N\n", forces[0], forces[1]);
	ENSURE_CLOSE(forces[0] - forces[1], 9810.0 * 12.0, 9810.0 * 0.12);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// All at random

typedef struct RandomDecks
{
	tnWorld* world;
	tnBodyId ids[6];
	tnPose poses[6];
	tnVec3 velocities[6];
	int count;
} RandomDecks;

static tnWorld* OpenRandomDecks(TestRandom* random, tnWorldDef def, bool mirrored, RandomDecks* decks)
{
	static float heights[deckCells];
	const float step = TestRandomFloat(random, 0.0f, 1.0f);
	for (int i = 0; i < deckCells; ++i)
	{
		const int column = mirrored ? deckColumns - 1 - i % deckColumns : i % deckColumns;
		heights[i] = column < 12 ? 2.0f * step : 0.25f * (float)(i / deckColumns % 3) * step;
	}
	memset(decks, 0, sizeof(*decks));
	bool ok = tnCreateWorld(&def, &decks->world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(decks->world, heights).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(decks->world, TestRandomFloat(random, -1.0f, 2.5f)).status == tn_ok;
	decks->count = TestRandomInt(random, 1, 6);
	for (int i = 0; i < decks->count && ok; ++i)
	{
		const float x = TestRandomFloat(random, 2.0f, 16.0f);
		const float y = TestRandomFloat(random, 0.2f, 1.0f);
		const float z = TestRandomFloat(random, 2.0f, 12.0f);
		const tnShapeDef shape = MakeBox(x, y, z);
		tnBodyDef bodyDef = tnDefaultBodyDef();
		bodyDef.shapes = &shape;
		bodyDef.shapeCount = 1;
		bodyDef.mass = TestRandomInt(random, 0, 1) == 0 ? INFINITY : 500.0f * x * y * z;
		const float middleX = TestRandomFloat(random, 4.0f, 44.0f);
		bodyDef.pose.position.x = mirrored ? (float)deckColumns - middleX : middleX;
		bodyDef.pose.position.y = TestRandomFloat(random, 0.3f, 4.0f);
		bodyDef.pose.position.z = TestRandomFloat(random, 4.0f, 20.0f);
		// Up to ten degrees, and any turn about the axis that points up.
		const float tiltX = TestRandomFloat(random, -0.06f, 0.06f);
		const float turn = TestRandomFloat(random, -0.5f, 0.5f);
		const float tiltZ = TestRandomFloat(random, -0.06f, 0.06f);
		bodyDef.pose.rotation = (tnQuat){tiltX, mirrored ? -turn : turn, mirrored ? -tiltZ : tiltZ, 1.0f};
		const bool moves = TestRandomInt(random, 0, 2) == 0;
		const float speedX = TestRandomFloat(random, -2.0f, 2.0f);
		const float speedY = TestRandomFloat(random, -0.5f, 0.5f);
		bodyDef.velocity = moves ? (tnVec3){mirrored ? -speedX : speedX, speedY, 0.0f} : (tnVec3){0.0f, 0.0f, 0.0f};
		decks->poses[i] = bodyDef.pose;
		decks->velocities[i] = bodyDef.velocity;
		ok = tnWorld_CreateBody(decks->world, &bodyDef, decks->ids + i).status == tn_ok;
	}
	tnSourceDef source = tnDefaultSourceDef();
	const float x = TestRandomFloat(random, 2.0f, 46.0f);
	source.center = At(mirrored ? (float)deckColumns - x : x, TestRandomFloat(random, 2.0f, 22.0f));
	source.radius = TestRandomFloat(random, 0.5f, 4.0f);
	source.rate = TestRandomFloat(random, 0.0f, 20.0f);
	tnSourceId sourceId;
	ok = ok && tnWorld_CreateSource(decks->world, &source, &sourceId).status == tn_ok;
	ok = ok && tnWorld_SetRain(decks->world, TestRandomFloat(random, 0.0f, 0.01f), NULL).status == tn_ok;
	return ok ? decks->world : NULL;
}

static bool StepRandomDecks(RandomDecks* decks)
{
	const tnVec3 none = {0.0f, 0.0f, 0.0f};
	bool ok = true;
	for (int i = 0; i < decks->count && ok; ++i)
	{
		const tnVec3 v = decks->velocities[i];
		tnVec3* p = &decks->poses[i].position;
		*p = (tnVec3){p->x + v.x / 64.0f, p->y + v.y / 64.0f, p->z};
		ok = tnWorld_MoveBody(decks->world, decks->ids[i], decks->poses + i, v, none).status == tn_ok;
	}
	return ok && tnWorld_Step(decks->world, 1.0f / 64.0f).status == tn_ok;
}

static int RandomDecksKeepTheirWater(void)
{
	int wetWorlds = 0;
	for (int seed = 0; seed < TEST_REPEATS(120); ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed + 1);
		RandomDecks decks;
		ENSURE(OpenRandomDecks(&random, MakeDeckDef(seed % wayCount), false, &decks) != NULL);
		double most = 0.0;
		for (int step = 0; step < 240; ++step)
		{
			ENSURE(StepRandomDecks(&decks));
			ENSURE(IsBalanced(decks.world) && IsSound(decks.world));
			static float depths[deckCells], surfaces[deckCells];
			tnWorld_CopyDecks(decks.world, depths, surfaces);
			for (int i = 0; i < deckCells; ++i)
			{
				ENSURE(depths[i] >= 0.0f && depths[i] < 20.0f && fabsf(surfaces[i]) < 30.0f);
			}
			most = fmax(most, SumDecks(decks.world));
			for (int i = 0; i < decks.count; ++i)
			{
				tnWrench wrench;
				ENSURE_OK(tnWorld_GetBodyWrench(decks.world, decks.ids[i], &wrench));
				ENSURE(isfinite(wrench.force.y) && isfinite(wrench.torque.x));
			}
		}
		wetWorlds += most > 0.1 ? 1 : 0;
		tnDestroyWorld(decks.world);
	}
	// The test would be worth little without any water up there.
	ENSURE(wetWorlds > TEST_REPEATS(120) / 2);
	return 0;
}

static int WorkersAndSleepDoNotMatter(void)
{
	for (int seed = 0; seed < TEST_REPEATS(24); ++seed)
	{
		uint64_t hashes[4];
		for (int twin = 0; twin < 4; ++twin)
		{
			tnWorldDef def = MakeDeckDef(seed % wayCount);
			def.tasks.workerCount = twin == 1 ? 3 : 1;
			def.simd = twin == 2 ? tn_simdScalar : tn_simdAuto;
			def.sleepSpeed = 0.0f;
			def.enableSleep = twin != 3;
			TestRandom random = TestMakeRandom((uint64_t)seed + 1000);
			RandomDecks decks;
			ENSURE(OpenRandomDecks(&random, def, false, &decks) != NULL);
			for (int step = 0; step < 160; ++step)
			{
				ENSURE(StepRandomDecks(&decks));
				if (step == 100)
				{
					ENSURE_OK(tnWorld_SetRain(decks.world, 0.0f, NULL));
				}
			}
			hashes[twin] = tnWorld_GetHash(decks.world);
			tnDestroyWorld(decks.world);
		}
		ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
		ENSURE_EQUAL_HEX(hashes[2], hashes[0]);
		ENSURE_EQUAL_HEX(hashes[3], hashes[0]);
	}
	return 0;
}

// Boxes are cut alike on both sides of a mirror, so what is on them is the same to rounding.
static int MirroredDecksMirror(void)
{
	const tnWorldDef def = MakeDeckDef(0);
	static float depths[2][deckCells];
	for (int mirrored = 0; mirrored < 2; ++mirrored)
	{
		tnWorld* world = OpenWorld(&def, 0.0f);
		ENSURE(world != NULL);
		tnBodyId id;
		const tnVec3 middle = {mirrored == 1 ? 28.0f : 20.0f, 3.0f, 11.0f};
		ENSURE_OK(AddBox(world, (tnVec3){10.0f, 0.5f, 7.0f}, middle, tn_blockingBody, &id));
		ENSURE(StepMany(world, 2));
		ENSURE_OK(tnWorld_AddWater(world, At(mirrored == 1 ? 31.0f : 17.0f, 12.0f), 2.5f, 10.0f, NULL));
		ENSURE(StepMany(world, 150));
		tnWorld_CopyDecks(world, depths[mirrored], NULL);
		ENSURE(SumDecks(world) > 0.5);
		tnDestroyWorld(world);
	}
	for (int i = 0; i < deckCells; ++i)
	{
		const int other = i / deckColumns * deckColumns + deckColumns - 1 - i % deckColumns;
		ENSURE(depths[0][i] == depths[1][other]);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory and input

static int StepsDoNotAllocate(void)
{
	TestAllocator allocator = {0};
	tnWorldDef def = MakeDeckDef(2);
	def.allocator = TestGetAllocator(&allocator);
	TestRandom random = TestMakeRandom(3);
	RandomDecks decks;
	ENSURE(OpenRandomDecks(&random, def, false, &decks) != NULL);
	const int before = allocator.allocationCount;
	for (int step = 0; step < 200; ++step)
	{
		ENSURE(StepRandomDecks(&decks));
	}
	ENSURE_EQUAL_INT(allocator.allocationCount, before);
	tnDestroyWorld(decks.world);
	ENSURE_EQUAL_INT(allocator.liveBytes, 0);
	ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	return 0;
}

static int BadInput(void)
{
	const tnDeckSample nothing = tnWorld_SampleDeck(NULL, At(0.0f, 0.0f));
	ENSURE(!nothing.covered && nothing.depth == 0.0f);
	float value = 7.0f;
	ENSURE_EQUAL_INT(tnWorld_CopyDecks(NULL, &value, NULL), 0);
	ENSURE(value == 7.0f);
	const tnWorldDef def = MakeDeckDef(2);
	tnBodyId id;
	tnWorld* world = OpenAqueduct(&def, true, &id);
	ENSURE(world != NULL);
	ENSURE(StepMany(world, 600));
	ENSURE(tnWorld_CopyDecks(world, NULL, NULL) > 0);
	const float places[][2] = {{NAN, 3.0f}, {20.0f, INFINITY}, {-1.0f, 12.0f}, {20.0f, 1.0e30f}};
	for (int i = 0; i < 4; ++i)
	{
		const tnDeckSample sample = tnWorld_SampleDeck(world, At(places[i][0], places[i][1]));
		ENSURE(!sample.covered && !sample.wet && sample.depth == 0.0f && isfinite(sample.below.surface));
	}
	// All water of the world is set: that on decks goes.
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	ENSURE_CLOSE(SumDecks(world), 0.0, 0.0);
	ENSURE(IsBalanced(world));
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"AnAqueductDelivers", AnAqueductDelivers},
	{"ADeckWithoutWallsSpills", ADeckWithoutWallsSpills},
	{"ARoofShedsTheRain", ARoofShedsTheRain},
	{"ABridgeAwash", ABridgeAwash},
	{"ARiverThatIsGone", ARiverThatIsGone},
	{"GatesLetThroughWhatTheyShould", GatesLetThroughWhatTheyShould},
	{"WaterFallsWhenTheDeckGoes", WaterFallsWhenTheDeckGoes},
	{"AFullTubIsHeavier", AFullTubIsHeavier},
	{"RandomDecksKeepTheirWater", RandomDecksKeepTheirWater},
	{"WorkersAndSleepDoNotMatter", WorkersAndSleepDoNotMatter},
	{"MirroredDecksMirror", MirroredDecksMirror},
	{"StepsDoNotAllocate", StepsDoNotAllocate},
	{"BadInput", BadInput},
};

const TestSuite deckSuite = TEST_SUITE("deck", s_tests);

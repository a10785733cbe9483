// SPDX-License-Identifier: MIT

// What docs/determinism.md promises of mirrored and turned scenes, in worlds drawn at random: flow and spray
// have mirrored and turned bits, foam has mirrored ones. (Waves: see the suite waves.)

#include "harness.h"

#include <tarn/tarn.h>

#include <stdio.h>
#include <string.h>

enum
{
	maxSide = 41,
	// Bit 1: x, bit 2: z, bit 4: both axes swapped, last.
	wayCount = 8,
};

typedef struct Twin
{
	tnWorld* world;
	tnWorldDef def;
	int way;
	TestRandom random;
	int columnCount, rowCount; // as drawn
	float cellSize;
} Twin;

static bool Chance(TestRandom* random, int count)
{
	return TestRandomInt(random, 1, count) == 1;
}

// The middle of the world is the origin, so signs are all there is to it.
static tnVec2 Turn(const Twin* twin, float x, float z)
{
	x = (twin->way & 1) != 0 ? -x : x;
	z = (twin->way & 2) != 0 ? -z : z;
	return (twin->way & 4) != 0 ? (tnVec2){z, x} : (tnVec2){x, z};
}

static int TurnCell(const Twin* twin, int column, int row)
{
	column = (twin->way & 1) != 0 ? twin->columnCount - 1 - column : column;
	row = (twin->way & 2) != 0 ? twin->rowCount - 1 - row : row;
	return (twin->way & 4) != 0 ? column * twin->rowCount + row : row * twin->columnCount + column;
}

static tnSide TurnSide(const Twin* twin, int side)
{
	if ((side < tn_north && (twin->way & 1) != 0) || (side >= tn_north && (twin->way & 2) != 0))
	{
		side ^= 1;
	}
	return (tnSide)((twin->way & 4) != 0 ? side ^ 2 : side);
}

// The middle of a cell, exactly.
static tnVec2 DrawCell(Twin* twin)
{
	const int column = TestRandomInt(&twin->random, 2, twin->columnCount - 3);
	const int row = TestRandomInt(&twin->random, 2, twin->rowCount - 3);
	return Turn(twin, twin->cellSize * ((float)column + 0.5f - 0.5f * (float)twin->columnCount),
		twin->cellSize * ((float)row + 0.5f - 0.5f * (float)twin->rowCount));
}

static void DrawEdges(Twin* twin, tnEdgeDef* edges)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		const bool wraps = Chance(&twin->random, 4);
		for (int end = 0; end < 2; ++end)
		{
			tnEdgeDef* edge = edges + TurnSide(twin, 2 * axis + end);
			*edge = tnDefaultEdgeDef();
			edge->kind = wraps ? tn_wrapEdge : (tnEdgeKind)TestRandomInt(&twin->random, tn_wallEdge, tn_levelEdge);
			edge->level = 1.0f;
		}
	}
}

static bool MakeTwin(Twin* twin, uint64_t seed, int way)
{
	*twin = (Twin){.way = way, .random = TestMakeRandom(seed)};
	TestRandom* random = &twin->random;
	tnWorldDef def = tnDefaultWorldDef();
	twin->columnCount = TestRandomInt(random, 7, maxSide);
	twin->rowCount = TestRandomInt(random, 7, maxSide);
	twin->cellSize = Chance(random, 2) ? 1.0f : 0.5f;
	const bool swapped = (way & 4) != 0;
	def.columnCount = swapped ? twin->rowCount : twin->columnCount;
	def.rowCount = swapped ? twin->columnCount : twin->rowCount;
	def.cellSize = twin->cellSize;
	def.origin =
		(tnVec2){-0.5f * twin->cellSize * (float)def.columnCount, -0.5f * twin->cellSize * (float)def.rowCount};
	def.method = (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1);
	def.advection = (tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1);
	def.manning = Chance(random, 2) ? 0.03f : 0.0f;
	def.enableSleep = Chance(random, 2);
	def.spray.enable = Chance(random, 2);
	def.spray.ledgeHeight = 0.3f;
	def.foam.enable = Chance(random, 2);
	DrawEdges(twin, def.edges);
	twin->def = def;
	if (tnCreateWorld(&def, &twin->world).status != tn_ok)
	{
		return false;
	}
	static float bed[maxSide * maxSide];
	const float tall = TestRandomFloat(random, 0.0f, 2.0f);
	for (int row = 0; row < twin->rowCount; ++row)
	{
		for (int column = 0; column < twin->columnCount; ++column)
		{
			const bool high = (column / 5 + row / 7) % 3 == 0;
			bed[TurnCell(twin, column, row)] = (high ? tall : 0.0f) + TestRandomFloat(random, 0.0f, 0.3f);
		}
	}
	return tnWorld_SetTerrain(twin->world, bed).status == tn_ok &&
		tnWorld_FillToLevel(twin->world, 1.0f).status == tn_ok;
}

static tnResult StepTwin(Twin* twin)
{
	TestRandom* random = &twin->random;
	tnResult result = {.status = tn_ok};
	const tnVec2 place = DrawCell(twin);
	const float x = TestRandomFloat(random, -1.0f, 1.0f), z = TestRandomFloat(random, -1.0f, 1.0f);
	const tnVec2 push = Turn(twin, x, z);
	switch (TestRandomInt(random, 0, 5))
	{
		case 0:
			result = tnWorld_AddWater(twin->world, place, 1.5f, 3.0f, NULL);
			break;
		case 1:
			result = tnWorld_AddImpulse(twin->world, place, 2.0f, (tnVec2){3000.0f * push.x, 3000.0f * push.z});
			break;
		case 2:
			if (twin->def.spray.enable)
			{
				tnJetDef jet = tnDefaultJetDef();
				jet.position = (tnVec3){place.x, 2.0f, place.z};
				jet.velocity = (tnVec3){4.0f * push.x, 3.0f, 4.0f * push.z};
				jet.spread = 0.0f;
				jet.radius = 0.0f;
				jet.rate = 0.1f;
				tnJetId id;
				result = tnWorld_CreateJet(twin->world, &jet, &id);
			}
			break;
		default:
			break;
	}
	return result.status == tn_ok ? tnWorld_Step(twin->world, 1.0f / 60.0f) : result;
}

// Cells of a view that differ from those of the twin that is not turned, but for the sign of a zero.
static int CountDifferent(const Twin* twin, tnFieldView own, const Twin* first, tnFieldView other)
{
	int count = 0;
	for (int row = 0; own.data != NULL && row < twin->rowCount; ++row)
	{
		for (int column = 0; column < twin->columnCount; ++column)
		{
			const int a = TurnCell(twin, column, row), b = TurnCell(first, column, row);
			const float* mine = own.data + a / own.columnCount * own.stride + a % own.columnCount;
			const float* theirs = other.data + b / other.columnCount * other.stride + b % other.columnCount;
			count += memcmp(mine, theirs, sizeof(float)) != 0 && *mine != *theirs;
		}
	}
	return count;
}

static int TurnedWorldsHaveTurnedBits(void)
{
	for (int seed = 1; seed <= TEST_REPEATS(40); ++seed)
	{
		Twin twins[wayCount];
		for (int way = 0; way < wayCount; ++way)
		{
			ENSURE(MakeTwin(twins + way, (uint64_t)seed, way));
		}
		for (int step = 0; step < 30; ++step)
		{
			for (int way = 0; way < wayCount; ++way)
			{
				ENSURE_OK(StepTwin(twins + way));
				const tnWorld *own = twins[way].world, *first = twins[0].world;
				const int wet = CountDifferent(twins + way, tnWorld_GetDepth(own), twins, tnWorld_GetDepth(first));
				const int foamy = (way & 4) != 0
					? 0
					: CountDifferent(twins + way, tnWorld_GetFoam(own), twins, tnWorld_GetFoam(first));
				if (wet + foamy > 0)
				{
					printf("seed %d, step %d, way %d: method %d, advection %d, spray %d, foam %d; %d depths, %d foam\n",
						seed, step, way, (int)twins[0].def.method, (int)twins[0].def.advection,
						twins[0].def.spray.enable, twins[0].def.foam.enable, wet, foamy);
				}
				ENSURE_EQUAL_INT(wet + foamy, 0);
			}
		}
		for (int way = 0; way < wayCount; ++way)
		{
			tnDestroyWorld(twins[way].world);
		}
	}
	return 0;
}

static const Test s_tests[] = {
	{"TurnedWorldsHaveTurnedBits", TurnedWorldsHaveTurnedBits},
};

const TestSuite mirrorSuite = TEST_SUITE("mirror", s_tests);

// SPDX-License-Identifier: MIT

// Bodies that rest in water that sleeps cost nothing: their groups leave steps out, and nobody can tell from what comes out.

#include "body_water_kit.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum
{
	// Two ponds of one tile and a bit each, and dry land between them: what moves in the one does not wake the other.
	pondColumns = 330,
	pondRows = 70,
	landBegin = 150,
	landEnd = 200,
	restingCount = 9,
	calmSteps = 900,
};

typedef struct Ponds
{
	tnWorld* world;
	tnBodyId resting[restingCount];
	tnBodyId mover;
} Ponds;

// @param seed where the bodies are
static bool OpenPonds(Ponds* ponds, int way, int workers, uint32_t seed)
{
	tnWorldDef def = MakeDef(way);
	def.columnCount = pondColumns;
	def.rowCount = pondRows;
	def.friction = 2.0f;
	def.tasks.workerCount = workers;
	*ponds = (Ponds){0};
	static float heights[pondColumns * pondRows];
	for (int i = 0; i < pondColumns * pondRows; ++i)
	{
		const int column = i % pondColumns;
		heights[i] = column >= landBegin && column < landEnd ? 3.0f : 0.0f;
	}
	if (tnCreateWorld(&def, &ponds->world).status != tn_ok ||
		tnWorld_SetTerrain(ponds->world, heights).status != tn_ok ||
		tnWorld_FillToLevel(ponds->world, 1.0f).status != tn_ok)
	{
		return false;
	}
	bool ok = true;
	for (int i = 0; i < restingCount; ++i)
	{
		tnShapeDef shape = MakeBox(0.4f + 0.3f * (float)(i % 4), 0.8f, 0.7f + 0.4f * (float)(i % 3));
		tnBodyDef bodyDef = tnDefaultBodyDef();
		bodyDef.shapes = &shape;
		bodyDef.shapeCount = 1;
		bodyDef.mass = i % 2 == 0 ? 400.0f : INFINITY;
		bodyDef.mode = i % 3 == 0 ? tn_autoBody : tn_blockingBody;
		// Some float, some stand on the ground, one is above the water.
		bodyDef.pose = MakePose(4.0f + 6.2f * (float)i + 0.13f * (float)(seed % 7),
			i == 4 ? 2.0f : (i % 2 == 0 ? 1.0f : 0.35f), 9.0f + 0.37f * (float)((seed + (uint32_t)i) % 11));
		const float yaw = 0.11f * (float)((seed + 3u * (uint32_t)i) % 9);
		bodyDef.pose.rotation = (tnQuat){0.0f, 0.5f * yaw, 0.0f, 1.0f};
		ok = ok && tnWorld_CreateBody(ponds->world, &bodyDef, ponds->resting + i).status == tn_ok;
	}
	return ok &&
		AddBox(ponds->world, (tnVec3){1.6f, 0.9f, 1.2f}, (tnVec3){130.0f, 1.0f, 15.0f}, tn_blockingBody, &ponds->mover)
			.status == tn_ok;
}

static bool StepPonds(Ponds* ponds, int step, float timeStep)
{
	const float x = 130.0f + 3.0f * (float)(step % 64 < 32 ? step % 32 : 32 - step % 32) / 32.0f;
	const float speed = (step % 64 < 32 ? 3.0f : -3.0f) / (32.0f * timeStep);
	const tnPose pose = MakePose(x, 1.0f, 15.0f);
	const tnVec3 none = {0.0f, 0.0f, 0.0f};
	return tnWorld_MoveBody(ponds->world, ponds->mover, &pose, (tnVec3){speed, 0.0f, 0.0f}, none).status == tn_ok &&
		tnWorld_Step(ponds->world, timeStep).status == tn_ok;
}

static int CountSkipping(const tnWorld* world)
{
	int count = 0;
	for (int i = 0; i < world->bodyFlow.groupCount; ++i)
	{
		count += world->bodyFlow.groups[i].skips ? 1 : 0;
	}
	return count;
}

// Let none leave out the next step, nor know more than a world that has just been restored.
static void Stir(tnWorld* world)
{
	for (int i = 0; i < world->bodyFlow.groupCount; ++i)
	{
		world->bodyFlow.groups[i].stillness = tn_restlessGroup;
		world->bodyFlow.groups[i].headHash = 0;
	}
}

static int CompareForces(const Ponds* a, const Ponds* b)
{
	for (int i = 0; i < restingCount; ++i)
	{
		tnWrench w[2];
		ENSURE_OK(tnWorld_GetBodyWrench(a->world, a->resting[i], w));
		ENSURE_OK(tnWorld_GetBodyWrench(b->world, b->resting[i], w + 1));
		ENSURE(memcmp(w, w + 1, sizeof(tnWrench)) == 0);
	}
	return 0;
}

// A world whose groups may leave out steps, and one in which they never do: the same bits, while the water sleeps, when a wave comes
// back to it in the middle of a step of several sub-steps, when steps become longer, and when the bodies move again.
static int RestingBodiesLeaveStepsOut(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		Ponds twins[2];
		ENSURE(OpenPonds(twins, way, 1, (uint32_t)(7 * way + 3)));
		ENSURE(OpenPonds(twins + 1, way, 2, (uint32_t)(7 * way + 3)));
		int most = 0;
		for (int step = 0; step < calmSteps + 240; ++step)
		{
			const float timeStep = step < calmSteps + 60 ? 1.0f / 60.0f : 1.0f / 12.0f;
			if (step == calmSteps + 100)
			{
				// Far from the bodies: the wave gets there by itself.
				for (int twin = 0; twin < 2; ++twin)
				{
					ENSURE_OK(tnWorld_AddWater(twins[twin].world, (tnVec2){70.0f, 30.0f}, 2.0f, 0.4f, NULL));
				}
			}
			for (int twin = 0; twin < 2; ++twin)
			{
				if (step == calmSteps + 200)
				{
					const tnPose pose = MakePose(4.4f, 1.0f, 9.5f);
					const tnVec3 v = {0.3f, 0.0f, 0.1f};
					ENSURE_OK(tnWorld_MoveBody(
						twins[twin].world, twins[twin].resting[0], &pose, v, (tnVec3){0.0f, 0.0f, 0.0f}));
				}
				if (twin == 1)
				{
					Stir(twins[twin].world);
				}
				ENSURE(StepPonds(twins + twin, step, timeStep));
			}
			const int skipping = CountSkipping(twins[0].world);
			most = skipping > most ? skipping : most;
			ENSURE_EQUAL_INT(CountSkipping(twins[1].world), 0);
			if (step % 20 == 0 || step > calmSteps)
			{
				ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[0].world), tnWorld_GetHash(twins[1].world));
				ENSURE_EQUAL_INT(CompareForces(twins, twins + 1), 0);
			}
		}
		printf("way %d: %d bodies leave steps out\n", way, most);
		// All but the one that moves, also one that hangs above the water.
		ENSURE_EQUAL_INT(most, restingCount);
		tnDestroyWorld(twins[0].world);
		tnDestroyWorld(twins[1].world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"RestingBodiesLeaveStepsOut", RestingBodiesLeaveStepsOut},
};

const TestSuite resting_bodiesSuite = TEST_SUITE("resting_bodies", s_tests);

// SPDX-License-Identifier: MIT

// Crests that break: from which slope on, what they throw, and what the water has less of then.

#include "harness.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	columns = 241,
	rows = 7,
	cells = columns * rows,
};

static const float s_limit = 0.36f;

static tnWorldDef GetDef(float cellSize, tnMethod method, float slope)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = cellSize;
	def.method = method;
	def.manning = 0.0f;
	def.spray.enable = true;
	def.spray.breakingSlope = slope;
	return def;
}

// A wave that runs to the right into water of 1 m: a ramp of a given slope up to `high`. Each depth moves with its own
// speed, u = 2 sqrt(g h) - 2 sqrt(g), so that the ramp gets steeper.
static tnWorld* MakeRamp(const tnWorldDef* def, float slope, float high)
{
	static float depth[cells];
	static float velocity[cells];
	static float still[cells];
	for (int i = 0; i < cells; ++i)
	{
		const float x = ((float)(i % columns) - 80.0f) * def->cellSize;
		depth[i] = fminf(fmaxf(high - slope * x, 1.0f), high);
		velocity[i] = 2.0f * sqrtf(def->gravity) * (sqrtf(depth[i]) - 1.0f);
	}
	tnWorld* world = NULL;
	bool ok = tnCreateWorld(def, &world).status == tn_ok;
	ok = ok && tnWorld_SetDepths(world, depth).status == tn_ok;
	ok = ok && tnWorld_SetVelocities(world, velocity, still).status == tn_ok;
	if (!ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

// Steepest fall of the surface towards +x, in the middle row.
static double GetSlope(const tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	const float* d = depth.data + 3 * depth.stride;
	double most = 0.0;
	for (int i = 40; i + 1 < columns; ++i)
	{
		most = fmax(most, (double)(d[i] - d[i + 1]) / (double)tnWorld_GetDef(world).cellSize);
	}
	return most;
}

// Nothing below the limit, something above.
static int SteepFrontsBreak(void)
{
	static const double shares[] = {0.5, 0.9, 0.94, 0.96, 1.04, 1.1, 1.5, 2.0};
	for (int method = 0; method < tn_methodCount; ++method)
	{
		for (int i = 0; i < 8; ++i)
		{
			const tnWorldDef def = GetDef(0.25f, (tnMethod)method, s_limit);
			tnWorld* world = MakeRamp(&def, (float)shares[i] * s_limit, 2.0f);
			ENSURE(world != NULL);
			for (int step = 0; step < 4; ++step)
			{
				ENSURE_OK(tnWorld_Step(world, 0.001f));
			}
			// It has moved by a tenth of a cell, and is a little steeper at its foot.
			const double share = GetSlope(world) / (double)s_limit;
			printf("slope %.3f of the limit: %d thrown\n", share, tnWorld_GetSpray(world).count);
			ENSURE(share > shares[i] && share < shares[i] + 0.04);
			ENSURE_EQUAL_INT(tnWorld_GetSpray(world).count > 0, share > 1.0);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// A wave steepens at the rate of theory, and breaks when it has come to the limit: s / (1 - 3/2 sqrt(g / h) s t), first where the
// water is lowest.
static int WavesBreakInTime(void)
{
	const tnWorldDef def = GetDef(0.125f, tn_shallowMethod, s_limit);
	for (int i = 0; i < 3; ++i)
	{
		const double start = (0.3 + 0.15 * i) * (double)s_limit;
		tnWorld* world = MakeRamp(&def, (float)start, 1.8f);
		ENSURE(world != NULL);
		const double due = (1.0 - start / (double)s_limit) / (1.5 * sqrt((double)def.gravity) * start);
		double slope = 0.0;
		while (tnWorld_GetSpray(world).count == 0 && tnWorld_GetTime(world) < 4.0 * due)
		{
			slope = GetSlope(world);
			ENSURE_OK(tnWorld_Step(world, 1.0f / 240.0f));
		}
		printf("slope %.3f at first, breaks at %.3f after %.3f s, due after %.3f s\n", start, slope,
			tnWorld_GetTime(world), due);
		ENSURE_CLOSE(slope, (double)s_limit, 0.05 * (double)s_limit);
		// A corner is steeper by a cell: it takes 0.04 s to cross one, and turns come every fourth step.
		ENSURE_CLOSE(tnWorld_GetTime(world), due, 0.06);
		tnDestroyWorld(world);
	}
	return 0;
}

// Bores: the wall of a dam is gone. Low ones do not get steep enough.
static int HighBoresBreak(void)
{
	static const float heights[] = {1.05f, 1.1f, 1.2f, 1.5f, 2.0f, 3.0f};
	for (int i = 0; i < 6; ++i)
	{
		bool breaks = false;
		double steepest = 0.0;
		tnWorld* worlds[2] = {NULL, NULL};
		for (int k = 0; k < 2; ++k)
		{
			const tnWorldDef def = GetDef(0.5f, tn_shallowMethod, k == 0 ? s_limit : 0.0f);
			static float depth[cells];
			for (int c = 0; c < cells; ++c)
			{
				depth[c] = c % columns < 60 ? heights[i] : 1.0f;
			}
			ENSURE_OK(tnCreateWorld(&def, worlds + k));
			ENSURE_OK(tnWorld_SetDepths(worlds[k], depth));
			for (int step = 0; step < 300; ++step)
			{
				ENSURE_OK(tnWorld_Step(worlds[k], 1.0f / 60.0f));
				if (step >= 60)
				{
					// After the wall itself has gone.
					breaks = breaks || (k == 0 && tnWorld_GetSprayStats(worlds[0]).bornCount > 0);
					steepest = k == 1 ? fmax(steepest, GetSlope(worlds[1])) : steepest;
				}
			}
		}
		const tnLedger ledger = tnWorld_GetLedger(worlds[0]);
		printf("%.2f m over 1 m: slope %.3f, %lld born, drift %.1e\n", (double)heights[i], steepest,
			(long long)tnWorld_GetSprayStats(worlds[0]).bornCount, ledger.drift / ledger.volume);
		ENSURE(fabs(ledger.drift) <= 1.0e-7 * ledger.volume);
		ENSURE(tnWorld_GetSprayStats(worlds[1]).bornCount == 0);
		ENSURE(heights[i] > 1.9f ? breaks : (heights[i] < 1.15f ? !breaks : true));
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// Momentum of all water on the ground along an axis, kg m/s per kg/m^3: discharge of all faces as they are stored now.
static double GetMomentum(const tnGrid* grid, bool alongX)
{
	double sum = 0.0;
	const ptrdiff_t way = alongX ? 1 : grid->stride;
	for (int row = 0; row <= grid->rowCount; ++row)
	{
		for (int column = 0; column <= grid->columnCount; ++column)
		{
			if (alongX ? row == grid->rowCount : column == grid->columnCount)
			{
				continue;
			}
			const ptrdiff_t face = tnGrid_Index(grid, column, row);
			const float flow = (alongX ? grid->flowX : grid->flowZ)[face];
			sum += (double)flow *
				(tnGrid_StoresVelocity(grid) ? (double)tnGrid_GetUpwindSection(grid, face - way, face, flow) : 1.0);
		}
	}
	return sum * (double)grid->cellSize * grid->cellSize;
}

// Two worlds, one without breaking. In the step in which the first water is thrown they differ by that water alone: its volume and
// its momentum.
static int WaterLosesWhatIsThrown(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorld* worlds[2];
		for (int k = 0; k < 2; ++k)
		{
			tnWorldDef def = GetDef(0.25f, (tnMethod)method, k == 0 ? s_limit : 0.0f);
			worlds[k] = MakeRamp(&def, 0.3f, 2.0f);
			ENSURE(worlds[k] != NULL);
			// Across as well, and not the same everywhere.
			ENSURE_OK(tnWorld_AddImpulse(worlds[k], (tnVec2){20.0f, 1.0f}, 1.0f, (tnVec2){300.0f, 900.0f}));
		}
		int step = 0;
		for (; step < 600 && tnWorld_GetSpray(worlds[0]).count == 0; ++step)
		{
			ENSURE_OK(tnWorld_Step(worlds[0], 1.0f / 120.0f));
			ENSURE_OK(tnWorld_Step(worlds[1], 1.0f / 120.0f));
		}
		const tnSprayView spray = tnWorld_GetSpray(worlds[0]);
		ENSURE(spray.count > 0);
		double volume = 0.0, x = 0.0, z = 0.0;
		for (int i = 0; i < spray.count; ++i)
		{
			const tnSprayParticle* p = spray.particles + i;
			ENSURE_EQUAL_INT(p->kind, tn_breakingSpray);
			ENSURE(p->velocity.x > 0.0f);
			volume += (double)p->volume;
			x += (double)(p->volume * p->velocity.x);
			z += (double)(p->volume * p->velocity.z);
		}
		const double lostX = GetMomentum(&worlds[1]->grid, true) - GetMomentum(&worlds[0]->grid, true);
		const double lostZ = GetMomentum(&worlds[1]->grid, false) - GetMomentum(&worlds[0]->grid, false);
		printf("step %d: %d thrown, %.4g m^3; momentum %.6g, %.3g; lost %.6g, %.3g\n", step, spray.count, volume, x, z,
			lostX, lostZ);
		ENSURE_CLOSE(
			tnWorld_GetLedger(worlds[1]).volume - tnWorld_GetLedger(worlds[0]).volume, volume, 1.0e-5 * volume);
		ENSURE_CLOSE(tnWorld_GetLedger(worlds[0]).airborne, volume, 1.0e-5 * volume);
		ENSURE_CLOSE(lostX, x, 1.0e-3 * x);
		ENSURE_CLOSE(lostZ, z, 1.0e-3 * x);
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// A lake over rough ground, a river down a slope over sills, and small waves: nothing breaks.
static int CalmWaterDoesNotBreak(void)
{
	static float bed[cells];
	for (int method = 0; method < tn_methodCount; ++method)
	{
		for (int kind = 0; kind < 3; ++kind)
		{
			tnWorldDef def = GetDef(1.0f, (tnMethod)method, s_limit);
			def.manning = 0.03f;
			if (kind == 1)
			{
				def.edges[tn_east].kind = tn_openEdge;
			}
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			for (int i = 0; i < cells; ++i)
			{
				const int column = i % columns;
				bed[i] = kind == 0 ? 0.8f * (float)((column * 7 + i / columns * 5) % 6)
								   : (kind == 1 ? -0.004f * (float)column + (column % 40 < 4 ? 0.3f : 0.0f) : 0.0f);
			}
			ENSURE_OK(tnWorld_SetTerrain(world, bed));
			ENSURE_OK(tnWorld_FillToLevel(world, kind == 1 ? -0.2f : 3.0f));
			tnSourceDef source = tnDefaultSourceDef();
			source.center = (tnVec2){6.0f, 3.5f};
			source.radius = 4.0f;
			source.rate = 3.0f;
			tnSourceId id;
			if (kind == 1)
			{
				ENSURE_OK(tnWorld_CreateSource(world, &source, &id));
			}
			else if (kind == 2)
			{
				ENSURE_OK(tnWorld_AddWater(world, (tnVec2){60.0f, 3.5f}, 8.0f, 30.0f, NULL));
			}
			for (int step = 0; step < 60 * 20; ++step)
			{
				ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			}
			ENSURE_EQUAL_INT((int)tnWorld_GetSprayStats(world).bornCount, 0);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// The same bits whoever counts.
static int BitsDoNotDependOnWorkers(void)
{
	uint64_t hashes[3];
	for (int i = 0; i < 3; ++i)
	{
		tnWorldDef def = GetDef(0.5f, tn_shallowMethod, s_limit);
		def.tasks.workerCount = i + 1;
		def.simd = i == 1 ? tn_simdScalar : tn_simdAuto;
		tnWorld* world = MakeRamp(&def, 0.3f, 3.0f);
		ENSURE(world != NULL);
		for (int step = 0; step < 400; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE(tnWorld_GetSprayStats(world).landedCount > 500);
		hashes[i] = tnWorld_GetHash(world);
		tnDestroyWorld(world);
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	ENSURE_EQUAL_HEX(hashes[2], hashes[0]);
	return 0;
}

static const Test s_tests[] = {
	{"SteepFrontsBreak", SteepFrontsBreak},
	{"WavesBreakInTime", WavesBreakInTime},
	{"HighBoresBreak", HighBoresBreak},
	{"WaterLosesWhatIsThrown", WaterLosesWhatIsThrown},
	{"CalmWaterDoesNotBreak", CalmWaterDoesNotBreak},
	{"BitsDoNotDependOnWorkers", BitsDoNotDependOnWorkers},
};

const TestSuite spray_breakingSuite = TEST_SUITE("spray_breaking", s_tests);

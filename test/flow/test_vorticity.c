// SPDX-License-Identifier: MIT

// Eddies: what water does that carries its own momentum, and what water without self-advection cannot do (Kellomäki
// 2015, figure 4.2). The reason is exact: where the only forces are gradients of the surface, the curl of the velocity
// cannot change, on the staggered grid as little as in the equations. Only friction, which differs from place to place,
// leaves a trace of it in `linear`.
//
// A small brother of scenes/whirlpools.json, in cells of 0.5 m, seen from above:
//
//     +--------------------------------------------+   row 4
//     |          o  pier                           |
//   > | inflow       o                             | level
//   > |          o                                 |
//     +-----------------------+   loop   |---------+   row 44, with a wall at the lower end of the bay that reaches
//                             |   bay    |             into the river
//                             +----------+             row 64, the inner shore

#include "vorticity_kit.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

enum
{
	columns = 149,
	rows = 75,
	cells = columns * rows,

	riverBegin = 4,
	riverEnd = 44,
	bayLeft = 88,
	bayRight = 112,
	bayEnd = 64,
	pierColumn = 30,
	pierCount = 3,

	// Behind the piers, and clear of the eddy in the bay.
	wakeBegin = 34,
	wakeEnd = 74,
};

// What a run of the river comes to, means over its last 30 s.
typedef struct Eddies
{
	// Square of the vorticity in the wake of the piers, 1/s^2.
	double enstrophy;
	// Speed along a loop in the bay, m/s: circulation over length. Positive with the clock on a map with z downwards,
	// which is how a river that runs to the right past the north end of a bay turns it.
	double loopSpeed;
	// Velocity along the inner shore of the bay, m/s. Positive is downstream.
	double shoreSpeed;
	// Of the river above the bay, m/s.
	double riverSpeed;
} Eddies;

static void MakeBed(float* bed)
{
	// Off the middle and uneven, so that the wakes need not wait for rounding to become unsteady.
	static const int pierRows[pierCount] = {13, 23, 34};
	const float pierRadius = 2.4f;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const bool river = row >= riverBegin && row < riverEnd;
			const bool bay = row >= riverEnd && row < bayEnd && column >= bayLeft && column < bayRight;
			const bool wall = row >= riverEnd - 4 && row < riverEnd && column >= bayRight && column < bayRight + 2;
			bool pier = false;
			for (int i = 0; i < pierCount; ++i)
			{
				const float dx = (float)(column - pierColumn);
				const float dz = (float)(row - pierRows[i]);
				pier = pier || dx * dx + dz * dz <= pierRadius * pierRadius;
			}
			bed[row * columns + column] = (river || bay) && !wall && !pier ? -1.0f : 2.0f;
		}
	}
}

static int CreateRiver(tnMethod method, tnAdvection advection, tnWorld** world)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = s_cellSize;
	def.method = method;
	def.advection = advection;
	def.manning = 0.02f;
	def.tasks.workerCount = 2;
	def.edges[tn_west].kind = tn_inflowEdge;
	def.edges[tn_west].inflowBegin = riverBegin;
	def.edges[tn_west].inflowEnd = riverEnd;
	def.edges[tn_east].kind = tn_levelEdge;
	ENSURE_OK(tnCreateWorld(&def, world));

	float bed[cells];
	MakeBed(bed);
	ENSURE_OK(tnWorld_SetTerrain(*world, bed));
	ENSURE_OK(tnWorld_FillToLevel(*world, 0.0f));
	// 1 m deep and 1 m/s: swells slowly, so that no bore runs ahead of it.
	const tnCurvePoint curve[] = {{0.0f, 0.0f}, {20.0f, 1.0f}};
	ENSURE_OK(tnWorld_SetEdgeCurve(*world, tn_west, curve, 2));
	return 0;
}

static double MeanEnstrophy(const tnWorld* world, const float* u, const float* v)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	double sum = 0.0;
	int count = 0;
	for (int row = riverBegin + 1; row < riverEnd - 1; ++row)
	{
		for (int column = wakeBegin; column < wakeEnd; ++column)
		{
			const float* here = depth.data + row * depth.stride + column;
			if (fminf(fminf(here[-1], here[1]), fminf(here[-depth.stride], here[depth.stride])) > TN_WET_DEPTH)
			{
				const float vorticity = VorticityAt(u, v, columns, row * columns + column, s_cellSize);
				sum += (double)vorticity * (double)vorticity;
				count += 1;
			}
		}
	}
	return sum / count;
}

// Circulation around a loop in the bay over the length of the loop, from samples half a cell apart.
static int MeasureLoop(const tnWorld* world, double* speed)
{
	// Corners in cells, with the clock, and samples along each side.
	static const float corners[5][2] = {
		{91.5f, 47.5f},
		{108.5f, 47.5f},
		{108.5f, 60.5f},
		{91.5f, 60.5f},
		{91.5f, 47.5f},
	};
	double circulation = 0.0;
	double length = 0.0;
	for (int side = 0; side < 4; ++side)
	{
		enum
		{
			most = 64,
		};
		const float dx = corners[side + 1][0] - corners[side][0];
		const float dz = corners[side + 1][1] - corners[side][1];
		const int count = (int)(2.0f * (fabsf(dx) + fabsf(dz)));
		tnVec2 positions[most];
		tnSample samples[most];
		for (int i = 0; i < count; ++i)
		{
			const float share = ((float)i + 0.5f) / (float)count;
			positions[i].x = s_cellSize * (corners[side][0] + share * dx);
			positions[i].z = s_cellSize * (corners[side][1] + share * dz);
		}
		ENSURE_OK(tnWorld_SampleMany(world, positions, count, samples));
		for (int i = 0; i < count; ++i)
		{
			ENSURE(samples[i].wet);
			circulation += (double)(samples[i].velocity.x * dx + samples[i].velocity.z * dz) / count;
		}
		length += (double)(fabsf(dx) + fabsf(dz));
	}
	*speed = circulation / length;
	return 0;
}

static int RunRiver(tnMethod method, tnAdvection advection, Eddies* eddies)
{
	tnWorld* world = NULL;
	ENSURE(CreateRiver(method, advection, &world) == 0);
	float u[cells];
	float v[cells];
	*eddies = (Eddies){0};
	// 2 minutes, and from the 90th second on a measurement every second.
	const int stepCount = 2400;
	const int firstMeasured = 1800;
	const int every = 20;
	int measured = 0;
	for (int step = 1; step <= stepCount; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_timeStep));
		if (step <= firstMeasured || step % every != 0)
		{
			continue;
		}
		ENSURE_OK(tnWorld_CopyVelocities(world, u, v));
		double loop = 0.0;
		ENSURE(MeasureLoop(world, &loop) == 0);
		eddies->loopSpeed += loop;
		eddies->enstrophy += MeanEnstrophy(world, u, v);
		// The row before the last one, away from the corners.
		const int shoreBegin = bayLeft + 4;
		const int shoreEnd = bayRight - 4;
		for (int column = shoreBegin; column < shoreEnd; ++column)
		{
			eddies->shoreSpeed += (double)u[(bayEnd - 2) * columns + column] / (shoreEnd - shoreBegin);
		}
		for (int row = riverBegin; row < riverEnd; ++row)
		{
			eddies->riverSpeed += (double)u[row * columns + bayLeft - 8] / (riverEnd - riverBegin);
		}
		measured += 1;
	}
	eddies->enstrophy /= measured;
	eddies->loopSpeed /= measured;
	eddies->shoreSpeed /= measured;
	eddies->riverSpeed /= measured;
	tnDestroyWorld(world);
	return 0;
}

static void PrintEddies(const char* name, const Eddies* eddies)
{
	printf("    %-14s enstrophy %.5f 1/s^2, loop %+.4f m/s, inner shore %+.4f m/s, river %.3f m/s\n", name,
		eddies->enstrophy, eddies->loopSpeed, eddies->shoreSpeed, eddies->riverSpeed);
}

// Without self-advection nothing turns. Friction alone brings about 0.0003 1/s^2 in the wake and -0.006 m/s around the
// loop: the bounds are several times that, and a twentieth and less than half of the bounds below.
static int NothingTurnsInLinear(void)
{
	Eddies eddies;
	ENSURE(RunRiver(tn_linearMethod, tn_conservativeAdvection, &eddies) == 0);
	PrintEddies("linear", &eddies);
	ENSURE(eddies.riverSpeed > 0.5);
	ENSURE(eddies.enstrophy < 0.005);
	ENSURE(fabs(eddies.loopSpeed) < 0.02);
	// The stream dips into the bay and comes out again: downstream all along the shore.
	ENSURE(eddies.shoreSpeed > 0.0);
	return 0;
}

// With it, the wakes of the piers are full of vorticity, of the order of (1 m/s / 2.5 m)^2, and the bay is one eddy: its
// water runs upstream along the inner shore. Measured: 0.36 1/s^2, 0.10 m/s and -0.19 m/s with the conservative scheme,
// 0.37, 0.20 and -0.42 with the fine one. The streets are unsteady, so the bounds leave a factor of two and more.
static int CheckTurning(const char* name, tnAdvection advection)
{
	Eddies eddies;
	ENSURE(RunRiver(tn_shallowMethod, advection, &eddies) == 0);
	PrintEddies(name, &eddies);
	ENSURE(eddies.riverSpeed > 0.5);
	ENSURE(eddies.enstrophy > 0.1);
	ENSURE(eddies.loopSpeed > 0.05);
	ENSURE(eddies.shoreSpeed < -0.05);
	return 0;
}

static int ConservativeTurns(void)
{
	return CheckTurning("shallow", tn_conservativeAdvection);
}

static int FineTurns(void)
{
	return CheckTurning("shallow-fine", tn_fineAdvection);
}

static int SemiLagrangianTurns(void)
{
	return CheckTurning("shallow-sl", tn_semiLagrangianAdvection);
}

static int MacCormackTurns(void)
{
	return CheckTurning("shallow-mc", tn_macCormackAdvection);
}

static const Test s_tests[] = {
	{"NothingTurnsInLinear", NothingTurnsInLinear},
	{"ConservativeTurns", ConservativeTurns},
	{"FineTurns", FineTurns},
	{"SemiLagrangianTurns", SemiLagrangianTurns},
	{"MacCormackTurns", MacCormackTurns},
};

const TestSuite vorticitySuite = TEST_SUITE("vorticity", s_tests);

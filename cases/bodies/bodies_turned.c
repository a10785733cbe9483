// SPDX-License-Identifier: MIT

// Bodies turned against the grid: B20, drift with the current, and momentum, angular momentum and energy of a push.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TNC_TURNED_CELL 0.5
#define TNC_TURNED_DEPTH 4.0
#define TNC_TURNED_STEP (1.0 / 60.0)
#define TNC_TURNED_DENSITY 0.5

// The box of B04 and B05: 4 x 8 cells.
#define TNC_TURNED_LENGTH 2.0
#define TNC_TURNED_HEIGHT 1.0
#define TNC_TURNED_BEAM 4.0

#define TNC_TURNED_PUSH 100.0

static const double s_yaws[] = {0.0, 5.0, 17.0, 30.0, 45.0};

typedef struct tncTurned
{
	tncScene scene;
	tncRun run;
	tncRigid rigid;
	tnShapeDef shape;
	double yaw;   // rad
	float *x, *z; // discharges, or velocities
	bool isPipe;
} tncTurned;

typedef struct tncPoint
{
	double at[2];
} tncPoint;

// What is left of a polygon on one side of a line along an axis.
static int tncClipAt(const tncPoint* in, int count, int axis, double line, double sign, tncPoint* out)
{
	int left = 0;
	for (int i = 0; i < count; ++i)
	{
		const tncPoint* a = in + i;
		const tncPoint* b = in + (i + 1) % count;
		double da = sign * (a->at[axis] - line);
		double db = sign * (b->at[axis] - line);
		if (da >= 0.0)
		{
			out[left++] = *a;
		}
		if ((da >= 0.0) != (db >= 0.0))
		{
			double t = da / (da - db);
			out[left++] = (tncPoint){{a->at[0] + t * (b->at[0] - a->at[0]), a->at[1] + t * (b->at[1] - a->at[1])}};
		}
	}
	return left;
}

// Share of a cell that the box covers.
static double tncGetTurnedCover(const tncTurned* turned, double centerX, double centerZ, int column, int row)
{
	enum
	{
		room = 16
	};
	double size = TNC_TURNED_CELL;
	if (fabs((column + 0.5) * size - centerX) > 3.0 || fabs((row + 0.5) * size - centerZ) > 3.0)
	{
		return 0.0;
	}
	tncPoint points[2][room];
	for (int i = 0; i < 4; ++i)
	{
		double x = (i == 1 || i == 2 ? 0.5 : -0.5) * TNC_TURNED_LENGTH;
		double z = (i >= 2 ? 0.5 : -0.5) * TNC_TURNED_BEAM;
		points[0][i] = (tncPoint){{centerX + cos(turned->yaw) * x + sin(turned->yaw) * z,
			centerZ - sin(turned->yaw) * x + cos(turned->yaw) * z}};
	}
	int count = tncClipAt(points[0], 4, 0, column * size, 1.0, points[1]);
	count = tncClipAt(points[1], count, 0, (column + 1) * size, -1.0, points[0]);
	count = tncClipAt(points[0], count, 1, row * size, 1.0, points[1]);
	count = tncClipAt(points[1], count, 1, (row + 1) * size, -1.0, points[0]);
	double twice = 0.0;
	for (int i = 0; i < count; ++i)
	{
		const double* a = points[0][i].at;
		const double* b = points[0][(i + 1) % count].at;
		twice += a[0] * b[1] - b[0] * a[1];
	}
	return 0.5 * fabs(twice) / (size * size);
}

// A box that floats in level water. @param isClosed with walls all around, else without ends along x
static bool tncStartTurned(
	tncContext* context, int side, bool isClosed, double degrees, double current, bool isSmooth, tncTurned* turned)
{
	memset(turned, 0, sizeof(*turned));
	turned->yaw = degrees * TNC_PI / 180.0;
	turned->isPipe = context->method->model <= tnc_fixedPipeModel;
	tncScene* scene = &turned->scene;
	*scene = tncMakeScene(context, side, side, TNC_TURNED_CELL, TNC_TURNED_DEPTH, 0);
	scene->def.edges[tn_west].kind = isClosed ? scene->def.edges[tn_north].kind : tn_wrapEdge;
	scene->def.edges[tn_east].kind = scene->def.edges[tn_west].kind;
	scene->useVelocity = true;
	double draft = TNC_TURNED_DENSITY * TNC_TURNED_HEIGHT;
	// Off the lines of the grid, and elsewhere between them for each angle.
	double x = (isClosed ? 0.5 * side * TNC_TURNED_CELL : 10.0) + 0.03 + 0.002 * degrees;
	double z = 0.5 * side * TNC_TURNED_CELL + 0.05 + 0.003 * degrees;
	for (int i = 0; i < side * side && scene->depth != NULL && scene->velocityX != NULL; ++i)
	{
		double cover = tncGetTurnedCover(turned, x, z, i % side, i / side);
		scene->depth[i] = (float)(TNC_TURNED_DEPTH - cover * draft);
		scene->velocityX[i] = (float)current;
	}
	turned->shape = tncMakeBox(TNC_TURNED_LENGTH, TNC_TURNED_HEIGHT, TNC_TURNED_BEAM);
	turned->rigid =
		tncMakeRigid(&turned->shape, TNC_TURNED_DENSITY, x, TNC_TURNED_DEPTH + 0.5 * TNC_TURNED_HEIGHT - draft, z);
	turned->rigid.rotation = tncMakeTurn(1, turned->yaw);
	turned->rigid.isSmooth = isSmooth;
	turned->rigid.lockTurn[0] = turned->rigid.lockTurn[2] = true;
	turned->rigid.lockTurn[1] = isClosed == false;
	size_t count = (size_t)(side + 1) * (size_t)(side + 1);
	turned->x = calloc(count, sizeof(float));
	turned->z = calloc(count, sizeof(float));
	return turned->x != NULL && turned->z != NULL && tncStartRun(context, scene, TNC_NO_TWIN, &turned->run) &&
		tncAddRigid(&turned->run, &turned->rigid, &turned->shape, tn_blockingBody, 0.0);
}

static void tncEndTurned(tncTurned* turned)
{
	free(turned->x);
	free(turned->z);
	tncEndRun(&turned->run);
	tncFreeScene(&turned->scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Drift

static void tncJudgeTurnedDrift(tncContext* context, double degrees)
{
	enum
	{
		// Five minutes, of which the last twenty seconds count for the speed.
		stepCount = 18000,
		meanCount = 1200,
		lookEvery = 20,
	};
	tncTurned turned;
	if (tncStartTurned(context, 64, false, degrees, 1.0, false, &turned))
	{
		double start = tncGetWaterMomentum(&turned.run);
		double worst = 0.0;
		double mean = 0.0;
		for (int step = 0; step < stepCount && turned.run.failed == false; ++step)
		{
			tncStepRigids(&turned.run, &turned.rigid, 1, TNC_TURNED_STEP);
			double speed = turned.rigid.velocity.x;
			mean += step >= stepCount - meanCount ? speed / meanCount : 0.0;
			if (step % lookEvery == 0)
			{
				double change = tncGetWaterMomentum(&turned.run) + turned.rigid.mass * speed - start;
				worst = fabs(change) / turned.rigid.mass <= worst ? worst : fabs(change) / turned.rigid.mass;
			}
		}
		// Water that a heavy box has slowed down goes along with it, if water carries its momentum along: see B04.
		tncJudge(context, context->method->model != tnc_shallowModel, fabs(mean - 1.0), 0.01, 0.01,
			"%g degrees: drift: |u/u0 - 1| after 300 s", degrees);
		tncJudge(context, true, mean - 1.0, 0.01, 0.01, "%g degrees: drift: u/u0 - 1 after 300 s", degrees);
		tncJudge(context, true, worst, 0.05, 0.05, "%g degrees: drift: momentum: worst error in 300 s", degrees);
		tncJudgeGates(&turned.run, "drift");
	}
	tncEndTurned(&turned);
}

// ---------------------------------------------------------------------------------------------------------------------
// Push

typedef struct tncTurnedSums
{
	double momentum, turning, energy;
} tncTurnedSums;

// Of water and body; angular momentum about the middle of the world.
static tncTurnedSums tncSumTurned(tncTurned* turned)
{
	const tncRun* run = &turned->run;
	const tncRigid* rigid = &turned->rigid;
	int side = run->columnCount;
	double size = run->cellSize;
	double middle = 0.5 * side * size;
	tnFieldView depth = tnWorld_GetDepth(run->world);
	tncTurnedSums water = {0};
	double potential = 0.0;
	double bottom = rigid->position.y - 0.5 * TNC_TURNED_HEIGHT - TNC_TURNED_DEPTH;
	bool ok = tnWorld_CopyDischarge(run->world, turned->x, turned->z).status == tn_ok;
	for (int i = 0; i < side * side && ok; ++i)
	{
		int column = i % side;
		int row = i / side;
		double h = (double)depth.data[row * depth.stride + column];
		double west = column > 0 ? (double)depth.data[row * depth.stride + column - 1] : h;
		double north = row > 0 ? (double)depth.data[(row - 1) * depth.stride + column] : h;
		double x = (double)turned->x[row * (side + 1) + column];
		double z = (double)turned->z[row * side + column];
		water.energy += 0.5 * (x * x / (0.5 * (h + west)) + z * z / (0.5 * (h + north)));
		water.momentum += turned->isPipe ? x : 0.0;
		water.turning +=
			turned->isPipe ? ((row + 0.5) * size - middle) * x - ((column + 0.5) * size - middle) * z : 0.0;
		double cover = tncGetTurnedCover(turned, rigid->position.x, rigid->position.z, column, row);
		double above = tncGetSurface(run->world, column, row) - TNC_TURNED_DEPTH;
		potential += 0.5 * TNC_GRAVITY * ((1.0 - cover) * above * above + cover * bottom * bottom);
	}
	ok = ok && tnWorld_CopyVelocities(run->world, turned->x, turned->z).status == tn_ok;
	for (int i = 0; i < side * side && ok && turned->isPipe == false; ++i)
	{
		double h = (double)depth.data[i / side * depth.stride + i % side];
		double x = h * (double)turned->x[i];
		double z = h * (double)turned->z[i];
		water.momentum += x;
		water.turning += ((i / side + 0.5) * size - middle) * x - ((i % side + 0.5) * size - middle) * z;
	}
	double mass = TNC_DENSITY * size * size;
	tncVec3 v = rigid->velocity;
	return (tncTurnedSums){
		.momentum = ok ? mass * water.momentum + rigid->mass * v.x : NAN,
		.turning = mass * water.turning + rigid->inertia.yy * rigid->spin.y +
			rigid->mass * ((rigid->position.z - middle) * v.x - (rigid->position.x - middle) * v.z),
		.energy = mass * (water.energy + potential) + tncGetKineticEnergy(rigid) +
			rigid->mass * TNC_GRAVITY * rigid->position.y,
	};
}

// Pushed along x, a meter beside its middle, in a tank whose walls are too far away to take part.
static void tncJudgeTurnedPush(tncContext* context, double degrees, bool isSmooth)
{
	tncTurned turned;
	if (tncStartTurned(context, 128, true, degrees, 0.0, isSmooth, &turned))
	{
		tncRigid* rigid = &turned.rigid;
		rigid->linearDamping = rigid->angularDamping = 2.0;
		for (int step = 0; step < 300; ++step)
		{
			tncStepRigids(&turned.run, rigid, 1, TNC_TURNED_STEP);
		}
		rigid->linearDamping = rigid->angularDamping = 0.0;
		rigid->velocity.x += TNC_TURNED_PUSH / rigid->mass;
		rigid->spin.y += TNC_TURNED_PUSH / rigid->inertia.yy;
		double input = 0.5 * TNC_TURNED_PUSH * TNC_TURNED_PUSH * (1.0 / rigid->mass + 1.0 / rigid->inertia.yy);
		tncTurnedSums start = tncSumTurned(&turned);
		tncTurnedSums sums = start;
		double worst[2] = {0.0, 0.0};
		double most = -INFINITY;
		for (int step = 0; step < 180 && turned.run.failed == false; ++step)
		{
			tncStepRigids(&turned.run, rigid, 1, TNC_TURNED_STEP);
			turned.yaw += rigid->spin.y * TNC_TURNED_STEP;
			sums = tncSumTurned(&turned);
			double errors[2] = {sums.momentum - start.momentum, sums.turning - start.turning};
			for (int i = 0; i < 2; ++i)
			{
				double error = fabs(errors[i]) / TNC_TURNED_PUSH;
				worst[i] = error <= worst[i] ? worst[i] : error;
			}
			most = fmax(most, (sums.energy - start.energy) / input);
		}
		const char* label = isSmooth ? "push without drag" : "push";
		tncJudge(context, true, worst[0], 0.05, 0.05, "%g degrees: %s: momentum: worst error", degrees, label);
		tncJudge(context, true, worst[1], 0.05, 0.05, "%g degrees: %s: angular momentum: worst error", degrees, label);
		if (isSmooth)
		{
			// Hoped for, as in B05: carried water is counted with the energy that it would have if it had momentum.
			tncHope(context, most, -INFINITY, 0.01, "%g degrees: %s: energy gained / input", degrees, label);
		}
		else
		{
			tncRequire(context, most, -INFINITY, 0.01, "%g degrees: %s: energy gained / input", degrees, label);
		}
		tncJudgeGates(&turned.run, label);
	}
	tncEndTurned(&turned);
}

void tncRunTurnedBodies(tncContext* context)
{
	for (int i = 0; i < (int)(sizeof(s_yaws) / sizeof(s_yaws[0])); i += context->config.ends ? 2 : 1)
	{
		tncJudgeTurnedDrift(context, s_yaws[i]);
		tncJudgeTurnedPush(context, s_yaws[i], false);
		tncJudgeTurnedPush(context, s_yaws[i], true);
	}
}

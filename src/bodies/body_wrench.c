// SPDX-License-Identifier: MIT

// The forces of water on a body, from the mean heads of a step.
//
// Water presses with p = rho g (H - y), H the head of each column of the body (body_flow.c).
//
//   push       of heads that differ from side to side: -rho g V dH/dx for the volume V of a column below its head, half
//              of it by the rise to each neighbour. The section of a face is the mean of what the cells beside it leave
//              open (body_flow.c), so the water at the face misses exactly that push: what the body gains the water
//              loses.
//   buoyancy   of the mesh below the plane with the mean head and the slope that explains the push, exactly
//              (submerged_mesh.c). Both together are one force across the plane, through the middle of the volume below
//              it. So a log in a current is not turned about its axis, whatever the grid.
//   waves      what each column has below its own head and not below the plane, or the other way round
//   standing   where a body stands on the ground the water cannot pass and presses on its sides: a face of which it
//              takes the share s between the heights a and b feels rho g dx s (P(H1) - P(H2)), with
//                P(H) = integral of H - y from a to b, where y < H
//              Inside a body such pairs cancel, and what is left is what acts on its outside.
//   drag       pressure, suction and skin friction on the mesh against the velocity of the water around it
//              (submerged_mesh.c). Drag is explicit: it is divided by 1 + dt k (1/m + 1/M), with k the drag over the
//              relative velocity and m and M the masses of the body and of the water around it, so that it cannot turn
//              the relative velocity round. The water gets the opposite impulse in the next step, and the opposite moment
//              about the vertical axis; so drag counts how the water around the body turns, too.
//
// Buoyancy, waves and push do no more than the water does; there is no damping but drag, waves, and def.damping.

#include "body_wrench.h"

#include "../flow/cell_disc.h"
#include "../shapes/submerged_mesh.h"

#include <math.h>

// Sums are double: a body has thousands of columns, and its torque is a small difference of large ones.
typedef struct tnLoad
{
	double force[3];
	double torque[3];
} tnLoad;

// Forces at a place at the height of the centre of mass: sideways, and upwards.
static inline void tnPush(tnLoad* load, double x, double z, double fx, double fz)
{
	load->force[0] += fx;
	load->force[2] += fz;
	load->torque[1] += z * fx - x * fz;
}

static inline void tnLift(tnLoad* load, double x, double z, double fy)
{
	load->force[1] += fy;
	load->torque[0] -= z * fy;
	load->torque[2] += x * fy;
}

static tnVec3 tnToVec3(const double v[3])
{
	return (tnVec3){tnBoundForce(v[0]), tnBoundForce(v[1]), tnBoundForce(v[2])};
}

typedef struct tnFeelContext
{
	tnBodies* bodies;
	const tnBodyFlow* flow;
	const tnGrid* grid;
	float gravity, timeStep, perSubStep;
} tnFeelContext;

// A body, and its group.
typedef struct tnFeelWork
{
	const tnFeelContext* context;
	const tnGrid* grid;
	const tnGroup* group;
	const tnBody* body;
	tnFeltValues values;
} tnFeelWork;

// Mean head of a cell.
static float tnGetMeanHead(const tnFeelWork* work, int slot)
{
	return tnGroup_GetField(work->group, tn_cellCovered)[slot] > 0.0f
		? tnGroup_GetField(work->group, tn_cellMeanHead)[slot]
		: tnGetFreeHead(work->grid, tnGroup_GetCell(work->group, slot));
}

static double tnFeltPlane_At(const tnFeltPlane* plane, double x, double z)
{
	return plane->level + plane->slope[0] * (x - plane->middle[0]) + plane->slope[1] * (z - plane->middle[1]);
}

// Steeper water than this is a bore or a fall, and no plane.
#define TN_MOST_SLOPE 0.5

// Sums over the faces around a body, along x and along z.
typedef struct tnFaceSums
{
	double through[2], open[2], closed[2];
	double water; // in its cells, m
	double throughTurn, openTurn, closedTurn, openMoment[2];
} tnFaceSums;

// The push on the columns that reach into water, at the height of the centre of mass, and the plane that explains it;
// and sums over what is around all columns. False if no column reaches into water.
static bool tnFeelPush(const tnFeelWork* work, tnLoad* load, tnFeltPlane* plane, tnFaceSums* around)
{
	const double size = work->grid->cellSize;
	const double weight = (double)TN_WATER_DENSITY * work->context->gravity;
	double sums[tn_columnSumCount];
	work->context->flow->kernels->sumColumns(work->group, work->grid, &work->body->cut, &work->values, sums);
	*plane = (tnFeltPlane){0};
	*around = (tnFaceSums){
		.through = {sums[tn_throughXSum], sums[tn_throughZSum]},
		.open = {sums[tn_openXSum], sums[tn_openZSum]},
		.closed = {sums[tn_closedXSum], sums[tn_closedZSum]},
		.water = sums[tn_waterSum],
		.throughTurn = sums[tn_throughTurnSum],
		.openTurn = sums[tn_openTurnSum],
		.closedTurn = sums[tn_closedTurnSum],
		.openMoment = {sums[tn_openXMomentSum], sums[tn_openZMomentSum]},
	};
	load->force[0] = -weight * size * sums[tn_pushXSum];
	load->force[2] = -weight * size * sums[tn_pushZSum];
	load->torque[1] = -weight * size * sums[tn_turnSum];
	if (!(sums[tn_shareSum] > 0.0))
	{
		return false;
	}
	plane->level = sums[tn_shareHeadSum] / sums[tn_shareSum];
	plane->middle[0] = sums[tn_shareXSum] / sums[tn_shareSum];
	plane->middle[1] = sums[tn_shareZSum] / sums[tn_shareSum];
	const double missing = sums[tn_missingSum];
	for (int axis = 0; axis < 2; ++axis)
	{
		// Push is -rho g V slope.
		const double slope = missing > 0.0 ? -load->force[2 * axis] / (weight * size * size * missing) : 0.0;
		plane->slope[axis] = slope > TN_MOST_SLOPE ? TN_MOST_SLOPE : (slope < -TN_MOST_SLOPE ? -TN_MOST_SLOPE : slope);
	}
	return true;
}

// What columns feel besides the plane: waves that are shorter than the body.
static void tnFeelWaves(const tnFeelWork* work, const tnFeltPlane* plane, tnLoad* load)
{
	const double size = work->grid->cellSize;
	const double weight = (double)TN_WATER_DENSITY * work->context->gravity * size * size;
	double sums[3];
	work->context->flow->kernels->liftColumns(work->group, work->grid, &work->body->cut, &work->values, plane, sums);
	// As tnLift.
	load->force[1] += weight * sums[0];
	load->torque[2] += weight * sums[1];
	load->torque[0] -= weight * sums[2];
}

// The part of the mesh below a plane. A shear makes the plane level and keeps volumes: y - slope . place.
static tnSubmergence tnSubmergeBelow(
	const tnTriangleKernels* kernels, tnBody* body, const tnFeltPlane* plane, tnVec2 velocity, float turning)
{
	const float slopeX = (float)plane->slope[0];
	const float slopeZ = (float)plane->slope[1];
	// What was cut from them is cut: the points ahead serve as scratch.
	tnVec3* sheared = body->aheadPoints;
	for (int i = 0; i < body->mesh.pointCount; ++i)
	{
		const tnVec3 p = body->points[i];
		sheared[i] = (tnVec3){p.x, p.y - (slopeX * p.x + slopeZ * p.z), p.z};
	}
	const tnAmbient ambient = {(float)(tnFeltPlane_At(plane, 0.0, 0.0) - body->pose.position.y), velocity};
	tnMotion motion = body->motion;
	motion.spin.y = turning;
	tnSubmergence wet = tnMesh_Submerge(kernels, &body->mesh, sheared, &ambient, &motion, &body->def);
	wet.center.y += slopeX * wet.center.x + slopeZ * wet.center.z;
	return wet;
}

// P(H) of a face, and the same times the height, from the centre of mass.
static void tnGetSidePressure(const tnFaceCut* face, float shift, float ground, float head, float center, double out[2])
{
	const double low = (double)tnMaxFloat(face->low + shift, ground) - center;
	const double top = (double)tnMinFloat(face->high + shift, head) - center;
	const double h = (double)head - center;
	out[0] = 0.0;
	out[1] = 0.0;
	if (top > low)
	{
		out[0] = (top - low) * (h - 0.5 * (top + low));
		out[1] = 0.5 * h * (top * top - low * low) - (top * top * top - low * low * low) / 3.0;
	}
}

static void tnFeelFaces(const tnFeelWork* work, const tnFaceCut* faces, int count, tnSlotWalk* walk, tnLoad* load)
{
	const tnBody* body = work->body;
	const tnGrid* grid = work->grid;
	const tnGroup* group = work->group;
	const double weight = (double)TN_WATER_DENSITY * work->context->gravity * grid->cellSize;
	for (int i = 0; i < count; ++i)
	{
		const tnFaceCut* face = faces + i;
		const int slot = tnSlotWalk_Find(walk, group, face->column, face->row);
		if (slot < 0 || !(tnGroup_GetFace(group, face->alongZ, tn_faceKind)[slot] > (float)tn_freeFace))
		{
			continue;
		}
		const int before = face->alongZ ? tnGroup_GetNorthSlot(group, slot) : slot - 1;
		const int32_t cell = tnGroup_GetCell(group, slot);
		const int32_t cellBefore = face->alongZ ? tnGroup_GetCell(group, before) : cell - 1;
		const float ground = tnMaxFloat(grid->bed[cellBefore], grid->bed[cell]);
		double first[2], second[2];
		tnGetSidePressure(face, work->values.shift, ground, tnGetMeanHead(work, before), body->pose.position.y, first);
		tnGetSidePressure(face, work->values.shift, ground, tnGetMeanHead(work, slot), body->pose.position.y, second);
		const double force = weight * face->share * (first[0] - second[0]);
		const double moment = weight * face->share * (first[1] - second[1]);
		const tnVec2 offset = tnGetFaceOffset(grid, body, face);
		const double x = offset.x;
		const double z = offset.z;
		// The lever in height is moment / force, which may be 0 / 0: the torque is added as it is.
		if (face->alongZ)
		{
			tnPush(load, x, z, 0.0, force);
			load->torque[0] += moment;
		}
		else
		{
			tnPush(load, x, z, force, 0.0);
			load->torque[2] -= moment;
		}
	}
}

// The water around a body.
typedef struct tnSurroundings
{
	tnVec2 velocity; // m/s
	// What drag counts as the velocity of the water, m/s. Water that the body holds back presses on it with its head
	// and not with its speed: so over the whole height of a face, where the body shuts it, the water is no faster than
	// the body.
	tnVec2 against;
	float turning; // of the body against the water, about the vertical axis, in the same way, rad/s
	float mass;    // kg
} tnSurroundings;

static tnSurroundings tnLookAround(const tnFeelWork* work, const tnFaceSums* sums)
{
	const tnBody* body = work->body;
	const tnGrid* grid = work->grid;
	const double own[2] = {body->motion.velocity.x, body->motion.velocity.z};
	double mean[2], relative[2];
	for (int axis = 0; axis < 2; ++axis)
	{
		const double open = sums->open[axis];
		const double through = sums->through[axis];
		mean[axis] = open > 0.0 ? through / open : own[axis];
		relative[axis] = open > 0.0 ? (through - own[axis] * open) / (open + sums->closed[axis]) : 0.0;
	}
	// How the water turns, besides moving as one.
	const double moved = mean[0] * sums->openMoment[0] - mean[1] * sums->openMoment[1];
	const double open = sums->open[0] + sums->open[1];
	// What is no wider than a cell or two knows little about that, and takes the water as turning less.
	const double least = 0.125 * grid->cellSize * grid->cellSize * open;
	const double spin = sums->openTurn > 0.0 ? (sums->throughTurn - moved) / (sums->openTurn + least) : 0.0;
	const double share = open > 0.0 ? (sums->openTurn + least) / (sums->openTurn + least + sums->closedTurn) : 0.0;
	const double turning = share * ((double)body->motion.spin.y - spin);
	return (tnSurroundings){
		.turning = (float)turning,
		.velocity = {(float)mean[0], (float)mean[1]},
		.against = {(float)(own[0] + relative[0]), (float)(own[1] + relative[1])},
		.mass = (float)(TN_WATER_DENSITY * grid->cellSize * grid->cellSize * sums->water),
	};
}

// Drag, and the impulse that the water gets for it.
static void tnFeelDrag(const tnFeelContext* context, tnBody* body, const tnSubmergence* wet, float waterMass)
{
	const float dt = context->timeStep;
	tnDrag drag = tnMesh_BoundDrag(&body->mesh, &body->def, body->pose.rotation, &body->motion, wet, waterMass, dt);
	// The water that gets the moment turns about as easily as so much of the body.
	const double inertia = (double)tnMaxFloat(waterMass, TN_LEAST_WATER_MASS) * body->mesh.inertia[1];
	if (wet->spinBrake > 0.0f)
	{
		const double bound = 1.0 + (double)dt * tnBoundForce(wet->spinBrake) / inertia;
		const float turn = (float)(drag.turn / bound);
		drag.torque.y += turn - drag.turn;
		drag.turn = turn;
	}
	body->state.drag = drag.force;
	body->state.dragTorque = drag.torque;
	body->owed.x -= drag.force.x * dt;
	body->owed.z -= drag.force.z * dt;
	body->owedTurn -= drag.turn * dt;
	body->owedTo = tnMaxFloat(body->owedTo, tnMaxFloat(waterMass, TN_LEAST_WATER_MASS));
}

static void tnFeelBody(const tnFeelContext* context, const tnGroup* group, const float* taken, tnBody* body)
{
	const tnFeelWork work = {
		.context = context,
		.grid = context->grid,
		.group = group,
		.body = body,
		.values =
			{
				.taken = taken,
				.perSubStep = context->perSubStep,
				.moved = context->flow->subStep > 0,
				.shift = body->pose.position.y - body->aheadPose.position.y,
			},
	};
	body->state = (tnBodyState){
		.pose = body->pose,
		.velocity = body->motion.velocity,
		.spin = body->motion.spin,
		.mode = body->mode,
		.volume = body->mesh.volume,
		.buoyancyCenter = body->pose.position,
		.userData = body->def.userData,
	};
	body->wrench = (tnWrench){0};
	body->reshaped = 0.0f;
	tnLoad load = {0};
	tnFeltPlane plane;
	tnFaceSums sums;
	body->wet = tnFeelPush(&work, &load, &plane, &sums);
	if (!body->wet)
	{
		return;
	}
	tnBodyState* state = &body->state;
	const tnSurroundings around = tnLookAround(&work, &sums);
	state->current = around.velocity;
	const tnSubmergence wet =
		tnSubmergeBelow(context->flow->kernels->triangles, body, &plane, around.against, around.turning);
	// Buoyancy and push are one force, across the plane, through the middle of what is below it.
	load.torque[0] += (double)wet.center.y * load.force[2];
	load.torque[2] -= (double)wet.center.y * load.force[0];
	const double lift = (double)TN_WATER_DENSITY * context->gravity * wet.volume;
	tnLift(&load, wet.center.x, wet.center.z, lift);
	tnFeelWaves(&work, &plane, &load);
	if (body->mode == tn_blockingBody && group->stands)
	{
		tnSlotWalk walk = {.slot = -1};
		tnFeelFaces(&work, body->cut.faces, body->cut.faceCount, &walk, &load);
		walk.slot = -1;
		for (int i = 0; i < body->thinCount; ++i)
		{
			tnFaceCut sides[TN_THIN_SIDES];
			const int count = tnThinPart_Split(body->thinParts + i, &body->cut, work.grid, sides);
			tnFeelFaces(&work, sides, count, &walk, &load);
		}
	}
	tnFeelDrag(context, body, &wet, around.mass);

	const tnVec3 p = body->pose.position;
	// No part is larger than all of it, whatever rounding says.
	state->submergedVolume = tnMinFloat(wet.volume, body->mesh.volume);
	state->buoyancyCenter = (tnVec3){p.x + wet.center.x, p.y + wet.center.y, p.z + wet.center.z};
	state->waterlineArea = wet.waterlineArea;
	state->waterlineHeight = (float)plane.level;
	state->pressure = tnToVec3(load.force);
	state->pressureTorque = tnToVec3(load.torque);
	const tnVec3 f = state->pressure, d = state->drag, t = state->pressureTorque, s = state->dragTorque;
	body->wrench.force = (tnVec3){f.x + d.x, f.y + d.y, f.z + d.z};
	body->wrench.torque = (tnVec3){t.x + s.x, t.y + s.y, t.z + s.z};
}

// The heads of a group, as often as there would have been sub-steps: their mean is then rounded as it is where water is awake.
static void tnSumIdleHeads(const tnBodyFlow* flow, const tnGroup* group)
{
	const float* head = tnGroup_GetField(group, tn_cellHead);
	float* sum = tnGroup_GetField(group, tn_cellMeanHead);
	float* missing = tnGroup_GetField(group, tn_cellMissing);
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		if (group->strips[slot / TN_STRIP_SIZE].solves)
		{
			sum[slot] = head[slot];
			for (int i = 1; i < flow->subStepCount; ++i)
			{
				sum[slot] += head[slot];
			}
			missing[slot] = 0.0f;
		}
	}
}

void tnBodies_FeelGroup(tnBodies* bodies, tnBodyFlow* flow, const tnGrid* grid, int index, int workerIndex)
{
	// Without a sub-step all water sleeps, and what faces hold is of the last one that it moved in.
	const bool moved = flow->subStep > 0;
	const float perSubStep = 1.0f / (float)tnMaxInt(moved ? flow->subStep : flow->subStepCount, 1);
	const tnFeelContext context = {bodies, flow, grid, flow->gravity, flow->timeStep, perSubStep};
	const tnGroup* group = flow->groups + index;
	float* taken = tnBodyFlow_GetPacked(flow, index, workerIndex) + TN_STRIP_SIZE;
	if (!moved)
	{
		tnSumIdleHeads(flow, group);
	}
	flow->kernels->feel(group, grid, taken, perSubStep);
	float* meanHead = tnGroup_GetField(group, tn_cellMeanHead);
	for (int i = 0; i < group->seamCount; ++i)
	{
		meanHead[group->seams[i].copy] = meanHead[group->seams[i].origin];
	}
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnFeelBody(&context, group, taken, tnBodies_Get(bodies, flow->grouped[i]));
	}
}

void tnBodies_RestGroup(tnBodies* bodies, const tnBodyFlow* flow, int index)
{
	const tnGroup* group = flow->groups + index;
	const tnVec3 none = {0.0f, 0.0f, 0.0f};
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, flow->grouped[i]);
		tnBodyState* state = &body->state;
		state->waveForce = state->waveTorque = none;
		state->sprayForce = state->sprayTorque = none;
		const tnVec3 f = state->pressure, d = state->drag, t = state->pressureTorque, s = state->dragTorque;
		body->wrench.force = (tnVec3){f.x + d.x, f.y + d.y, f.z + d.z};
		body->wrench.torque = (tnVec3){t.x + s.x, t.y + s.y, t.z + s.z};
	}
}

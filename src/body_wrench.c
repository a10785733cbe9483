// SPDX-License-Identifier: MIT

// The forces of water on a body, from the mean heads of a step.
//
// Water presses with p = rho g (H - y). With H the head of each column of the body (body_flow.c), and H0 their mean:
//
//   buoyancy   of the mesh below the level H0, exactly (body_forces.c): volume, and torque by its middle
//   waves      what each column has below its own head and not below H0, or the other way round
//   push       of heads that differ from side to side: -rho g V dH/dx for the volume V of a column below its head, half
//              of it by the rise to each neighbour. The section of a face is the mean of what the cells beside it leave open
//              (body_flow.c), so the water at the face misses exactly that push: what the body gains the water loses.
//              Where a body stands on the ground the water cannot pass and presses on its sides: a face of which it takes
//              the share s between the heights a and b feels rho g dx s (P(H1) - P(H2)), with
//                P(H) = integral of H - y from a to b, where y < H
//              Inside a body such pairs cancel, and what is left is what acts on its outside.
//   drag       pressure, suction and skin friction on the mesh against the velocity of the water around it
//              (body_forces.c). Drag is explicit: it is divided by 1 + dt k (1/m + 1/M), with k the drag over the
//              relative velocity and m and M the masses of the body and of the water around it, so that it cannot turn
//              the relative velocity round. The water gets the opposite impulse in the next step.
//
// Buoyancy, waves and push do no more than the water does; there is no damping but drag, waves, and def.damping.

#include "body_wrench.h"

#include "discs.h"

#include <math.h>

// Sums are double: a body has thousands of columns, and its torque is a small difference of large ones.
typedef struct tnLoad
{
	double force[3];
	double torque[3];
} tnLoad;

static void tnPush(tnLoad* load, double x, double y, double z, double fx, double fy, double fz)
{
	load->force[0] += fx;
	load->force[1] += fy;
	load->force[2] += fz;
	load->torque[0] += y * fz - z * fy;
	load->torque[1] += z * fx - x * fz;
	load->torque[2] += x * fy - y * fx;
}

static tnVec3 tnToVec3(const double v[3])
{
	return (tnVec3){(float)v[0], (float)v[1], (float)v[2]};
}

typedef struct tnFeelContext
{
	tnBodies* bodies;
	const tnBodyFlow* flow;
	const tnGrid* grid;
	float gravity, timeStep;
} tnFeelContext;

// Does a column of a body stand in water, or over it?
static bool tnIsWet(const tnCoveredCell* cell, const tnColumn* column, float shift)
{
	return cell->meanHead > tnMaxFloat(cell->profile.ground, column->low + shift) + TN_DRY_DEPTH;
}

// Cuts show the body where it is expected at the end of the step; forces act where it is.
static float tnGetShift(const tnBody* body)
{
	return body->pose.position.y - body->aheadPose.position.y;
}

// Mean head of one of the two cells of a face.
static float tnGetEndHead(const tnFeelContext* context, const tnBodyFace* face, int end)
{
	const int cell = face->head[end];
	return cell >= 0 ? context->flow->cells[cell].meanHead
					 : tnGetFreeHead(context->grid, end == 0 ? face->first : face->second);
}

// The mean head over the columns that reach into water. False if none does.
static bool tnFindLevel(const tnFeelContext* context, const tnBody* body, float* level)
{
	double sum = 0.0;
	double weight = 0.0;
	const int32_t* places = tnBody_GetColumnPlaces(body);
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		const tnColumn* column = body->cut.columns + i;
		const tnCoveredCell* cell = places[i] >= 0 ? context->flow->cells + places[i] : NULL;
		const float head = cell != NULL ? cell->meanHead : 0.0f;
		if (cell != NULL && tnIsWet(cell, column, tnGetShift(body)))
		{
			sum += (double)column->share * head;
			weight += column->share;
		}
	}
	*level = weight > 0.0 ? (float)(sum / weight) : 0.0f;
	return weight > 0.0;
}

// Height of a column below a level.
static float tnGetSubmerged(const tnColumn* column, float shift, float level)
{
	return tnClampFloat(level, column->low + shift, column->high + shift) - (column->low + shift);
}

// How much the heads rise across a column along x or z, over its two sides: half of the way to each neighbour. Sealed faces
// have no say.
static float tnGetRise(const tnFeelContext* context, const tnCoveredCell* cell, int before)
{
	float fall = 0.0f;
	for (int end = 0; end < 2; ++end)
	{
		const int index = cell->face[before + end];
		if (index >= 0 && !context->flow->faces[index].sealed)
		{
			fall += context->flow->faces[index].fallSum;
		}
	}
	return -0.5f * fall / (float)tnMaxInt(context->flow->subStep, 1);
}

// The water that a column keeps away, m: all that is missing in its cell, or its part of that. At the moment when the
// water is pushed, so not quite what the column displaces at the end of the step.
static float tnGetMissing(const tnCoveredCell* cell, float solid)
{
	const float height = cell->meanHead - cell->profile.ground;
	const float all = height - tnProfile_GetVolume(&cell->profile, cell->meanHead);
	return all > solid ? cell->meanMissing * solid / all : cell->meanMissing;
}

// What columns feel besides the level water: of waves, and of heads that differ from side to side.
static void tnFeelColumns(const tnFeelContext* context, const tnBody* body, float level, tnLoad* load)
{
	const int32_t* places = tnBody_GetColumnPlaces(body);
	const float shift = tnGetShift(body);
	const double size = context->grid->cellSize;
	const double weight = (double)TN_WATER_DENSITY * context->gravity;
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		const tnColumn* column = body->cut.columns + i;
		const tnCoveredCell* cell = places[i] >= 0 ? context->flow->cells + places[i] : NULL;
		const bool wet = cell != NULL && tnIsWet(cell, column, shift);
		const float below = wet ? tnGetSubmerged(column, shift, cell->meanHead) : 0.0f;
		const double more = (double)column->share * ((double)below - tnGetSubmerged(column, shift, level));
		tnPush(load, column->x, 0.0, column->z, 0.0, weight * size * size * more, 0.0);
		if (wet)
		{
			const double push = -weight * size * tnGetMissing(cell, column->share * below);
			const double middle = (double)column->low + shift + 0.5 * below - body->pose.position.y;
			tnPush(load, column->x, middle, column->z, push * tnGetRise(context, cell, TN_WEST), 0.0,
				push * tnGetRise(context, cell, TN_NORTH));
		}
	}
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

static void tnFeelFaces(const tnFeelContext* context, const tnBody* body, const tnFaceCut* faces, const int32_t* places,
	int count, tnLoad* load)
{
	const tnGrid* grid = context->grid;
	const double weight = (double)TN_WATER_DENSITY * context->gravity * grid->cellSize;
	for (int i = 0; i < count; ++i)
	{
		const tnFaceCut* face = faces + i;
		const tnBodyFace* place = places[i] >= 0 ? context->flow->faces + places[i] : NULL;
		if (place == NULL || !place->sealed)
		{
			continue;
		}
		const float ground = place->profile.ground;
		const float shift = tnGetShift(body);
		double first[2], second[2];
		tnGetSidePressure(face, shift, ground, tnGetEndHead(context, place, 0), body->pose.position.y, first);
		tnGetSidePressure(face, shift, ground, tnGetEndHead(context, place, 1), body->pose.position.y, second);
		const double force = weight * face->share * (first[0] - second[0]);
		const double moment = weight * face->share * (first[1] - second[1]);
		const tnVec2 center = tnGrid_GetCenter(grid, face->column, face->row);
		const double half = 0.5 * grid->cellSize;
		const double x = (double)center.x - (face->alongZ ? 0.0 : half) - body->aheadPose.position.x;
		const double z = (double)center.z - (face->alongZ ? half : 0.0) - body->aheadPose.position.z;
		// The lever in height is moment / force, which may be 0 / 0: the torque is added as it is.
		if (face->alongZ)
		{
			tnPush(load, x, 0.0, z, 0.0, 0.0, force);
			load->torque[0] += moment;
		}
		else
		{
			tnPush(load, x, 0.0, z, force, 0.0, 0.0);
			load->torque[2] -= moment;
		}
	}
}

// The water around a body.
typedef struct tnSurroundings
{
	tnVec2 velocity; // m/s
	// What drag counts as the velocity of the water, m/s. Water that the body holds back presses on it with its head and not
	// with its speed: so over the whole height of a face, where the body shuts it, the water is no faster than the body.
	tnVec2 against;
	float mass; // kg
} tnSurroundings;

static tnSurroundings tnLookAround(const tnFeelContext* context, const tnBody* body)
{
	const tnGrid* grid = context->grid;
	const int32_t* places = tnBody_GetColumnPlaces(body);
	const double own[2] = {body->motion.velocity.x, body->motion.velocity.z};
	double flow[2] = {0.0, 0.0};
	double section[2] = {0.0, 0.0};
	double shut[2] = {0.0, 0.0};
	double water = 0.0;
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		if (places[i] < 0)
		{
			continue;
		}
		const tnCoveredCell* cell = context->flow->cells + places[i];
		water += grid->depth[cell->index];
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			const int index = cell->face[side];
			if (index >= 0)
			{
				const tnBodyFace* face = context->flow->faces + index;
				const float value = context->flow->overrides[index].velocity;
				flow[side / 2] += tnGrid_StoresVelocity(grid) ? value * face->section : value;
				section[side / 2] += face->section;
				shut[side / 2] += face->shut;
			}
		}
	}
	double mean[2], relative[2];
	for (int axis = 0; axis < 2; ++axis)
	{
		const bool wet = section[axis] > 0.0;
		mean[axis] = wet ? flow[axis] / section[axis] : own[axis];
		relative[axis] = wet ? (flow[axis] - own[axis] * section[axis]) / (section[axis] + shut[axis]) : 0.0;
	}
	return (tnSurroundings){
		.velocity = {(float)mean[0], (float)mean[1]},
		.against = {(float)(own[0] + relative[0]), (float)(own[1] + relative[1])},
		.mass = (float)(TN_WATER_DENSITY * grid->cellSize * grid->cellSize * water),
	};
}

// Drag, bounded, and the impulse that the water gets for it.
static void tnFeelDrag(const tnFeelContext* context, tnBody* body, const tnSubmergence* wet, float waterMass)
{
	const float dt = context->timeStep;
	const float mass = body->def.mass;
	const float bound = 1.0f + dt * wet->brake * (1.0f / mass + 1.0f / tnMaxFloat(waterMass, 1.0e-6f));
	// The inertia of a ball of this size stands for that of the body.
	const float inertia = 0.4f * mass * body->mesh.radius * body->mesh.radius;
	const float spinBound = 1.0f + dt * wet->spinBrake / inertia;
	tnBodyState* state = &body->state;
	state->drag = (tnVec3){wet->dragForce.x / bound, wet->dragForce.y / bound, wet->dragForce.z / bound};
	state->dragTorque =
		(tnVec3){wet->dragTorque.x / spinBound, wet->dragTorque.y / spinBound, wet->dragTorque.z / spinBound};
	body->owed.x -= state->drag.x * dt;
	body->owed.z -= state->drag.z * dt;
	const float share = body->mesh.volume > 0.0f ? wet->volume / body->mesh.volume : 0.0f;
	if (body->def.damping > 0.0f && tnIsFinite(mass))
	{
		const float rate = body->def.damping * share / (1.0f + dt * body->def.damping);
		state->drag.y -= rate * mass * body->motion.velocity.y;
		state->dragTorque.x -= rate * inertia * body->motion.spin.x;
		state->dragTorque.y -= rate * inertia * body->motion.spin.y;
		state->dragTorque.z -= rate * inertia * body->motion.spin.z;
	}
}

static void tnFeelBody(int item, int workerIndex, void* data)
{
	(void)workerIndex;
	const tnFeelContext* context = data;
	tnBody* body = context->bodies->items + context->bodies->list[item];
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
	float level;
	body->wet = tnFindLevel(context, body, &level);
	if (!body->wet)
	{
		return;
	}
	tnBodyState* state = &body->state;
	const tnSurroundings around = tnLookAround(context, body);
	state->current = around.velocity;
	const tnAmbient ambient = {level - body->pose.position.y, around.against};
	const tnSubmergence wet = tnMesh_Submerge(&body->mesh, body->points, &ambient, &body->motion, &body->def);
	tnLoad load = {0};
	const double lift = (double)TN_WATER_DENSITY * context->gravity * wet.volume;
	tnPush(&load, wet.center.x, 0.0, wet.center.z, 0.0, lift, 0.0);
	tnFeelColumns(context, body, level, &load);
	if (body->mode == tn_blockingBody)
	{
		tnFeelFaces(context, body, body->cut.faces, tnBody_GetFacePlaces(body), body->cut.faceCount, &load);
		tnFeelFaces(context, body, body->thinParts, tnBody_GetThinPlaces(body), body->thinCount, &load);
	}
	tnFeelDrag(context, body, &wet, around.mass);

	const tnVec3 p = body->pose.position;
	state->submergedVolume = wet.volume;
	state->buoyancyCenter = (tnVec3){p.x + wet.center.x, p.y + wet.center.y, p.z + wet.center.z};
	state->waterlineArea = wet.waterlineArea;
	state->waterlineHeight = level;
	state->pressure = tnToVec3(load.force);
	state->pressureTorque = tnToVec3(load.torque);
	const tnVec3 f = state->pressure, d = state->drag, t = state->pressureTorque, s = state->dragTorque;
	body->wrench.force = (tnVec3){f.x + d.x, f.y + d.y, f.z + d.z};
	body->wrench.torque = (tnVec3){t.x + s.x, t.y + s.y, t.z + s.z};
}

void tnBodies_Feel(
	tnBodies* bodies, const tnBodyFlow* flow, const tnGrid* grid, tnParallel* parallel, float gravity, float timeStep)
{
	tnFeelContext context = {bodies, flow, grid, gravity, timeStep};
	tnParallelFor(parallel, bodies->count, tnFeelBody, &context);
}

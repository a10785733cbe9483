// SPDX-License-Identifier: MIT

// Water around, under and over bodies.
//
// After Kellomäki 2013 and 2015 (chapter 5): bodies block the flow, water is divided into what is below and what is
// above them, and none is lost. What is different here: cells and faces are covered in part, the head of the water
// under a body is tracked and not interpolated, and body motion acts through the room it takes (no-stick in the normal
// direction). Lannes 2017 and Godlewski et al. 2018 have the equations of water under a lid.
//
//   d        water of a cell over its area, m: the state of the flow. Bodies do not change it, so no water is lost.
//   H        head: height of the surface, and under a body the height to which water would rise in a pipe through it, m
//   o(y)     share of the cell that is open at height y;  o_f(y) the same for the width of a face (body_profile.h)
//
//   V(H) = integral of o(y) from the bed to H = d         room and water match
//   A_f  = integral of o_f(y) from the ground to H        section of a face, H upwind: below the body and above it
//   q    = a + b (H1 - H2)                                discharge of a face after a sub-step, from its method:
//                                                         friction, section and the discharge before are in a and b
//
// In a cell with a body V is steep: a small volume is a large change of head, and under a body that covers the whole
// cell V does not depend on H at all: water cannot be compressed. So the heads of covered cells are found implicitly,
// together with the flow that they drive:
//
//   V(H') + dt/dx sum(b) H' = d - dt/dx [a] + dt/dx sum(b H'_neighbour)
//
// with the old heads of cells that no body covers. V grows and is piecewise linear, so each equation is solved exactly
// for its own H'; red and black cells in turn, from the heads of the last sub-step (warm start), over-relaxed by as
// much as the share of their heads that cells owe to each other asks for. It stops when no head changes by more than a
// small share of what the first sweep changed. What is left over is not lost: V(H) and d differ by it and the next
// sub-step makes good for it.
//
// Why the tracked head: heave of a long box in a channel against exact theory (B02b, four cases, 8 cells per beam,
// deviation over release height), in a plain model of these equations: implicit 0.04 to 0.06; explicit, with water
// under the body made as compressible as the time step demands, 0.05 to 0.48. A head interpolated from around the body
// knows no added mass; the theory without it is off by 0.02 to 0.20. Two sweeps instead of four: 0.03 to 0.11. One:
// unstable.
//
// The body's answer. The host moves a body with the force of the step that was. Water that knows only where the body
// was answers a step late, and that late answer feeds energy to both: a light body on water that cannot be compressed
// is thrown back and forth, further each time, and any body in a closed tank heaves more and more. So the room that
// counts is that at the end of the step, where the body will be if the host does what the force says:
//
//   y + dt v + dt^2 (rho g A (H - bottom) / m - g)           for a body of mass m and bottom area A
//
// The known part, y + dt v - g dt^2, is where the body is cut. The part with H is an open share inside solids,
// s = g dt^2 / (m / (rho A)), which lets the implicit solution know that the body will give way. It is small: 0.5 % for
// a draft of half a meter at 60 Hz. Bodies of infinite mass do neither. If the host does otherwise (because a body
// touches the ground, say) the room is wrong by a few millimeters.
//
// Motion. Between two steps a body takes other room: d - V(H) is then what it displaces. That is handed to the flow in
// equal parts over the sub-steps. More than the velocity of the body can explain comes from a body that has appeared or
// jumped; pressed out at once it would be an explosion, so it is handed out in TN_JUMP_TIME. Until then it is virtual
// volume, as in 2013: in the ledger, and under no surface.
//
// Bodies that float (tn_floatingBody) take room from cells, but not from faces: water passes through them.
//
// Closed faces (no section at all) have the velocity of the body, for the momentum that is carried past them.
//
// Cells where the body stands on the ground hold no water and have no head of their own: theirs is the mean of their
// neighbours', which makes the pressure under a dam fall evenly from one side to the other.

#include "body_flow.h"

#include "discs.h"
#include "numerics.h"

#include <math.h>
#include <string.h>

// Sweeps go on until no head changes by more than this, in cells, or by more than this share of the first change. In
// the heave of a box 0.03 gives what 0.001 gives, with half of the sweeps.
#define TN_HEAD_TOLERANCE 2.0e-5f
#define TN_SWEEP_SHARE 0.01f

// Over-relaxation that is stronger than this does not pay before the sweeps end.
#define TN_MOST_RELAXATION 1.8f

// How firmly a head holds on to its neighbours where no water decides about it.
#define TN_IDLE_RATE 1.0e-3f

// Water that a body has displaced by appearing or jumping leaves in about this time, s.
#define TN_JUMP_TIME 0.5f

// ---------------------------------------------------------------------------------------------------------------------
// The start of a step

// Has the ground below a body been edited?
static bool tnGroundChanged(const tnBodyFlow* flow, const tnGrid* grid, const tnGroup* group)
{
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		if (flow->cells[i].profile.ground != grid->bed[flow->cells[i].index])
		{
			return true;
		}
	}
	for (int i = group->faceBegin; i < group->faceEnd; ++i)
	{
		const tnBodyFace* face = flow->faces + i;
		if (face->ground != tnMaxFloat(grid->bed[face->first], grid->bed[face->second]))
		{
			return true;
		}
	}
	return false;
}

static bool tnMustCollect(const tnBodyFlow* flow, const tnGrid* grid, const tnBodies* bodies, float timeStep)
{
	bool must = bodies->changed || flow->timeStep != timeStep;
	for (int i = 0; i < flow->groupCount && !must; ++i)
	{
		must = flow->groups[i].hangs || tnGroundChanged(flow, grid, flow->groups + i);
	}
	return must;
}

// Spread the impulse that drag owes to the water over the faces of a body, by the water of its cells: half to each
// side.
static void tnPayDebt(tnBodyFlow* flow, const tnGrid* grid, tnBody* body)
{
	const int32_t* places = tnBody_GetColumnPlaces(body);
	double water = 0.0;
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		water += places[i] >= 0 ? grid->depth[flow->cells[places[i]].index] : 0.0f;
	}
	if (!(water > 0.0) || (body->owed.x == 0.0f && body->owed.z == 0.0f))
	{
		return;
	}
	for (int i = 0; i < body->cut.columnCount; ++i)
	{
		if (places[i] < 0)
		{
			continue;
		}
		const tnCoveredCell* cell = flow->cells + places[i];
		const float share = (float)(grid->depth[cell->index] / water);
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			if (cell->face[side] >= 0)
			{
				flow->faces[cell->face[side]].owed += 0.5f * share * (side < TN_NORTH ? body->owed.x : body->owed.z);
			}
		}
	}
	body->owed = (tnVec2){0.0f, 0.0f};
}

typedef struct tnSolveContext
{
	tnBodyFlow* flow;
	const tnGrid* grid;
	tnBodies* bodies;
	const tnFlowParameters* parameters;
	float deferred; // share of the displaced water that later sub-steps get
} tnSolveContext;

// What a group begins a step with.
static void tnBeginGroup(const tnSolveContext* context, int index, int workerIndex)
{
	tnBodyFlow* flow = context->flow;
	if (flow->mustCollect)
	{
		tnBodyFlow_CollectGroup(flow, context->grid, context->bodies, index, workerIndex);
	}
	const tnGroup* group = flow->groups + index;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnPayDebt(flow, context->grid, context->bodies->items + flow->grouped[i]);
	}
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		tnCoveredCell* cell = flow->cells + i;
		const float volume = tnProfile_GetVolume(&cell->profile, flow->heads[i].head);
		const float displaced = context->grid->depth[cell->index] - volume;
		const float jump = tnMaxFloat(displaced - cell->allowance, 0.0f);
		cell->held = jump * tnMaxFloat(1.0f - flow->timeStep / TN_JUMP_TIME, 0.0f);
		cell->handed = displaced - cell->held;
		flow->heads[i].meanHead = 0.0f;
		cell->meanMissing = 0.0f;
	}
}

void tnBodyFlow_Begin(tnBodyFlow* flow, tnGrid* grid, tnBodies* bodies, float gravity, float timeStep, int subStepCount)
{
	// The cutting and collecting itself comes with the first sub-step, so that a group stays in the cache from its cut
	// to its heads.
	flow->mustCollect = tnMustCollect(flow, grid, bodies, timeStep);
	if (flow->mustCollect)
	{
		tnBodyFlow_FormGroups(flow, grid, bodies);
	}
	bodies->changed = false;
	flow->subStepCount = subStepCount;
	flow->subStep = 0;
	flow->gravity = gravity;
	flow->timeStep = timeStep;
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

// Friction of a face as a factor on its velocity or discharge: as in flow_kernels.inc, with the speed along the face.
static float tnGetFriction(const tnFlowParameters* parameters, float section, float oldDischarge)
{
	if (!(parameters->manningFactor > 0.0f) || !(section > TN_DRY_DEPTH))
	{
		return parameters->damping;
	}
	const float power = section * section * (float)tnCubeRoot(section);
	return parameters->damping * power / (power + parameters->manningFactor * tnAbsFloat(oldDischarge));
}

// Impulse to a change of velocity (or discharge) at a face.
static float tnGetKick(const tnGrid* grid, const tnBodyFace* face)
{
	const float perArea = face->owed / (TN_WATER_DENSITY * grid->cellSize * grid->cellSize);
	const float depth = 0.5f * (grid->depth[face->first] + grid->depth[face->second]);
	return tnGrid_StoresVelocity(grid) ? (depth > TN_DRY_DEPTH ? perArea / depth : 0.0f) : perArea;
}

static float tnGetFaceFall(const tnSolveContext* context, const tnBodyFace* face, float heads[2])
{
	const tnHead* unknowns = context->flow->heads;
	heads[0] = face->head[0] >= 0 ? unknowns[face->head[0]].head : tnGetFreeHead(context->grid, face->first);
	heads[1] = face->head[1] >= 0 ? unknowns[face->head[1]].head : tnGetFreeHead(context->grid, face->second);
	return heads[0] - heads[1];
}

// Open height of one of the cells of a face between the ground of the face and a head.
static float tnGetCellOpening(const tnSolveContext* context, const tnBodyFace* face, int end, float head)
{
	const float ground = face->ground;
	const tnCoveredCell* cell = face->head[end] >= 0 ? context->flow->cells + face->head[end] : NULL;
	if (cell == NULL || !cell->blocks)
	{
		return head - ground;
	}
	return tnProfile_GetVolume(&cell->profile, head) - tnProfile_GetVolume(&cell->profile, ground);
}

// The section of a face up to the head upstream. It is the mean of what the cells on both sides leave open, so that it
// shrinks and grows evenly while a body passes, and holds the water whose momentum belongs to the face; less where a
// thin part stands in between. But where a body stands on the ground nothing may leak into it: there the face itself
// decides.
static float tnGetOpenHeight(const tnSolveContext* context, const tnBodyFace* face, float head)
{
	if (!(head > face->ground))
	{
		return 0.0f;
	}
	const float atFace = face->solids >= 0 ? tnProfile_GetVolume(&context->flow->solids[face->solids].profile, head)
										   : head - face->ground;
	if (face->sealed)
	{
		return atFace;
	}
	const float mean = 0.5f * (tnGetCellOpening(context, face, 0, head) + tnGetCellOpening(context, face, 1, head));
	return tnMinFloat(atFace, mean);
}

// Find the coefficients of a face: discharge = fixed + rate * (head before - head after).
static void tnPrepareFace(const tnSolveContext* context, tnBodyFace* face)
{
	const tnGrid* grid = context->grid;
	const tnFlowParameters* parameters = context->parameters;
	float heads[2];
	const float fall = tnGetFaceFall(context, face, heads);
	// Chosen without a jump: no one can tell which faces come next.
	const float* flows[2] = {grid->flowX, grid->flowZ};
	const float pushes[2] = {parameters->pushX, parameters->pushZ};
	float old = flows[face->alongZ][face->second];
	if (face->owed != 0.0f)
	{
		old += tnGetKick(grid, face);
		face->owed = 0.0f;
	}
	const float push = pushes[face->alongZ];
	const bool velocity = tnGrid_StoresVelocity(grid);
	const bool forward = velocity ? old + (parameters->accelerationFactor * fall + push) > 0.0f : fall > 0.0f;
	const float open = tnGetOpenHeight(context, face, forward ? heads[0] : heads[1]);
	const float section = open > TN_DRY_DEPTH ? tnMinFloat(open, parameters->sectionLimit) : 0.0f;
	const float friction = tnGetFriction(parameters, open, velocity ? old * section : old);
	const float start = velocity ? section * (old + push) : old + section * push;
	face->section = section;
	face->shut = tnMaxFloat((forward ? heads[0] : heads[1]) - face->ground - open, 0.0f);
	face->fixed = section > 0.0f ? friction * start : 0.0f;
	face->rate = friction * section * parameters->accelerationFactor;
}

// Velocity of what closes a face, through it.
static float tnGetSolidSpeed(const tnBodyFlow* flow, const tnBodyFace* face)
{
	return face->solids >= 0 ? flow->solids[face->solids].speed : 0.0f;
}

static void tnSetOverride(const tnSolveContext* context, int index)
{
	tnBodyFace* face = context->flow->faces + index;
	tnFaceOverride* out = context->flow->overrides + index;
	float heads[2];
	const float section = face->section;
	const float fall = tnGetFaceFall(context, face, heads);
	face->fallSum = (context->flow->subStep > 1 ? face->fallSum : 0.0f) + (section > 0.0f ? fall : 0.0f);
	float discharge = face->fixed + face->rate * fall;
	float velocity = section > 0.0f ? discharge / section : tnGetSolidSpeed(context->flow, face);
	if (context->parameters->froudeFactor > 0.0f && section > 0.0f)
	{
		const float limit = context->parameters->froudeFactor * sqrtf(section);
		const float limited = tnClampFloat(velocity, -limit, limit);
		discharge += (limited - velocity) * section;
		velocity = limited;
	}
	out->discharge = discharge;
	out->velocity = tnGrid_StoresVelocity(context->grid) ? velocity : discharge;
}

// ---------------------------------------------------------------------------------------------------------------------
// Heads

// The line that the volume of a cell follows around a height, and between which heights it does.
static void tnSetLine(tnHead* head, const tnCoveredCell* cell, float height)
{
	const tnProfile* profile = &cell->profile;
	float open = 1.0f;
	head->base = -profile->ground;
	head->low = -TN_WALL;
	head->high = TN_WALL;
	for (int i = 0; i < profile->count; ++i)
	{
		const tnBreak* line = profile->breaks + i;
		if (!(height > line->height))
		{
			head->high = line->height;
			break;
		}
		open = line->open;
		head->base = line->volume - line->open * line->height;
		head->low = line->height;
	}
	head->inverse = 1.0f / (open + cell->slope);
}

// Returns how much of its head a cell owes to its neighbours at most, in [0, 1).
static float tnPrepareHead(const tnSolveContext* context, int index)
{
	tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	tnHead* head = flow->heads + index;
	tnCoveredCell* cell = flow->cells + index;
	const float spread = context->parameters->spread;
	float out[TN_SIDE_COUNT] = {0.0f, 0.0f, 0.0f, 0.0f};
	float free[TN_SIDE_COUNT] = {0.0f, 0.0f, 0.0f, 0.0f};
	float rates[TN_SIDE_COUNT] = {0.0f, 0.0f, 0.0f, 0.0f};
	bool isFree[TN_SIDE_COUNT] = {false, false, false, false};
	for (int side = 0; side < TN_SIDE_COUNT; ++side)
	{
		if (cell->face[side] < 0)
		{
			continue;
		}
		const tnBodyFace* face = flow->faces + cell->face[side];
		const int after = side == TN_EAST || side == TN_SOUTH;
		out[side] = after ? face->fixed : -face->fixed;
		rates[side] = spread * face->rate;
		isFree[side] = face->head[after] < 0;
		free[side] = isFree[side] ? tnGetFreeHead(grid, after ? face->second : face->first) : 0.0f;
	}
	float slope = (rates[0] + rates[1]) + (rates[2] + rates[3]);
	if (!(slope > 0.0f))
	{
		for (int side = 0; side < TN_SIDE_COUNT; ++side)
		{
			rates[side] = cell->face[side] >= 0 ? TN_IDLE_RATE : 0.0f;
		}
		slope = tnMaxFloat((rates[0] + rates[1]) + (rates[2] + rates[3]), TN_IDLE_RATE);
	}
	const float known = (rates[0] * free[0] + rates[1] * free[1]) + (rates[2] * free[2] + rates[3] * free[3]);
	const float waiting = cell->held + context->deferred * cell->handed;
	const float leaving = spread * ((out[0] + out[1]) + (out[2] + out[3]));
	cell->slope = slope;
	head->sum = ((grid->depth[cell->index] - waiting) - leaving) + known;
	for (int side = 0; side < TN_SIDE_COUNT; ++side)
	{
		head->rate[side] = isFree[side] ? 0.0f : rates[side];
	}
	tnSetLine(head, cell, head->head);
	const float coupled = (head->rate[0] + head->rate[1]) + (head->rate[2] + head->rate[3]);
	return coupled / (slope + (cell->sealed ? 0.0f : cell->leastOpen));
}

static float tnSweep(tnHead* heads, const tnCoveredCell* cells, int begin, int end, float relaxation)
{
	float largest = 0.0f;
	for (int i = begin; i < end; ++i)
	{
		tnHead* h = heads + i;
		const float alongX = h->rate[0] * heads[h->neighbor[0]].head + h->rate[1] * heads[h->neighbor[1]].head;
		const float alongZ = h->rate[2] * heads[h->neighbor[2]].head + h->rate[3] * heads[h->neighbor[3]].head;
		const float sum = h->sum + (alongX + alongZ);
		float height = (sum - h->base) * h->inverse;
		if (!(height > h->low && height <= h->high))
		{
			height = tnProfile_Solve(&cells[i].profile, cells[i].slope, sum);
			tnSetLine(h, cells + i, height);
		}
		const float change = relaxation * (tnMaxFloat(height, h->ground) - h->head);
		h->head += change;
		largest = tnMaxFloat(largest, fabsf(change));
	}
	return largest;
}

// The best relaxation for a square of cells with fixed heads around it, which owe this share of their heads to each
// other: simple sweeps would shrink an error by r = share * cos(pi / (side + 1)) each.
static float tnGetRelaxation(const tnGroup* group, float share)
{
	const float angle = 3.14159f / (group->side + 1.0f);
	const float r = share * tnMaxFloat(1.0f - 0.5f * angle * angle, 0.0f);
	return tnMinFloat(2.0f / (1.0f + sqrtf(tnMaxFloat(1.0f - r * r, 0.0f))), TN_MOST_RELAXATION);
}

static void tnSolveGroup(int item, int workerIndex, void* data)
{
	const tnSolveContext* context = data;
	tnBodyFlow* flow = context->flow;
	if (flow->subStep == 1)
	{
		tnBeginGroup(context, item, workerIndex);
	}
	const tnGroup* group = flow->groups + item;
	for (int i = group->faceBegin; i < group->faceEnd; ++i)
	{
		tnPrepareFace(context, flow->faces + i);
	}
	float coupling = 0.0f;
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		coupling = tnMaxFloat(coupling, tnPrepareHead(context, i));
	}
	const float relaxation = tnGetRelaxation(group, coupling);
	float tolerance = TN_HEAD_TOLERANCE * context->grid->cellSize;
	for (int sweep = 0; sweep < group->sweepLimit; ++sweep)
	{
		const float red = tnSweep(flow->heads, flow->cells, group->cellBegin, group->cellMiddle, relaxation);
		const float black = tnSweep(flow->heads, flow->cells, group->cellMiddle, group->cellEnd, relaxation);
		const float change = tnMaxFloat(red, black);
		tolerance = sweep == 0 ? tnMaxFloat(tolerance, TN_SWEEP_SHARE * change) : tolerance;
		if (!(change > tolerance))
		{
			break;
		}
	}
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		tnHead* head = flow->heads + i;
		head->meanHead += head->head;
		flow->cells[i].meanMissing += head->head - tnGetFreeHead(context->grid, flow->cells[i].index);
	}
	for (int i = group->faceBegin; i < group->faceEnd; ++i)
	{
		tnSetOverride(context, i);
	}
}

tnFaceOverrides tnBodyFlow_Solve(
	tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, tnParallel* parallel, const tnFlowParameters* parameters)
{
	flow->subStep += 1;
	tnSolveContext context = {
		.flow = flow,
		.grid = grid,
		.bodies = bodies,
		.parameters = parameters,
		.deferred = 1.0f - (float)flow->subStep / (float)flow->subStepCount,
	};
	tnParallelFor(parallel, flow->groupCount, tnSolveGroup, &context);
	flow->mustCollect = false;
	return (tnFaceOverrides){flow->overrides, flow->faceRows, flow->spans, flow->spanBegin};
}

// ---------------------------------------------------------------------------------------------------------------------
// After the step

// The surface of covered cells as queries and pictures have it: bed + depth + lift. Here the old one goes.
static void tnForgetLift(tnBodyFlow* flow, tnGrid* grid)
{
	for (int i = 0; i < flow->liftedCount[1] && grid->previousLift != NULL; ++i)
	{
		grid->previousLift[flow->lifted[1][i]] = 0.0f;
	}
	for (int i = 0; i < flow->liftedCount[0]; ++i)
	{
		const int32_t index = flow->lifted[0][i];
		if (grid->previousLift != NULL)
		{
			grid->previousLift[index] = grid->lift[index];
		}
		grid->lift[index] = 0.0f;
	}
	int32_t* next = flow->lifted[1];
	flow->lifted[1] = flow->lifted[0];
	flow->liftedCount[1] = flow->liftedCount[0];
	flow->lifted[0] = next;
	flow->liftedCount[0] = 0;
}

static void tnBeginIdleGroup(int item, int workerIndex, void* data)
{
	tnBeginGroup(data, item, workerIndex);
}

void tnBodyFlow_End(tnBodyFlow* flow, tnGrid* grid, tnBodies* bodies, tnParallel* parallel)
{
	if (flow->subStep == 0)
	{
		// All water sleeps, far from any body.
		tnSolveContext context = {.flow = flow, .grid = grid, .bodies = bodies};
		tnParallelFor(parallel, flow->groupCount, tnBeginIdleGroup, &context);
		flow->mustCollect = false;
	}
	tnForgetLift(flow, grid);
	for (int i = 0; i < flow->groupCount; ++i)
	{
		flow->groups[i].liftedBegin = flow->liftedCount[0];
		flow->liftedCount[0] += flow->groups[i].cellEnd - flow->groups[i].cellBegin;
	}
}

void tnBodyFlow_PublishGroup(tnBodyFlow* flow, tnGrid* grid, int index)
{
	const tnGroup* group = flow->groups + index;
	const float share = 1.0f / (float)tnMaxInt(flow->subStep, 1);
	int32_t* lifted = flow->lifted[0] + group->liftedBegin;
	for (int i = group->cellBegin; i < group->cellEnd; ++i)
	{
		tnHead* head = flow->heads + i;
		head->meanHead = flow->subStep > 0 ? head->meanHead * share : head->head;
		flow->cells[i].meanMissing *= share;
		const int32_t cell = flow->cells[i].index;
		grid->lift[cell] = head->head - tnGetFreeHead(grid, cell);
		*lifted = cell;
		lifted += 1;
	}
}

void tnBodyFlow_PatchDischarge(const tnBodyFlow* flow, const tnGrid* grid, float* dischargeX, float* dischargeZ)
{
	for (int i = 0; i < flow->groupCount && tnGrid_StoresVelocity(grid); ++i)
	{
		for (int k = flow->groups[i].faceBegin; k < flow->groups[i].faceEnd; ++k)
		{
			const tnBodyFace* face = flow->faces + k;
			const ptrdiff_t row = face->second / grid->stride;
			if (face->alongZ && dischargeZ != NULL)
			{
				dischargeZ[row * grid->columnCount + face->column] = grid->flowZ[face->second] * face->section;
			}
			else if (!face->alongZ && dischargeX != NULL)
			{
				dischargeX[row * (grid->columnCount + 1) + face->column] = grid->flowX[face->second] * face->section;
			}
		}
	}
}

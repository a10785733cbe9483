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
// The known part, y + dt v - f with f = g dt^2, is where the body is cut. The part with H is an open share s inside
// solids, which lets the implicit solution know that the body will give way: s = f / (D + f) with D = m / (rho A), its
// draft. So a body in balance, which is cut lower by f and is then D + f below the water, leaves as much room as if it
// had been cut where it is, and nothing moves. It is small: 0.5 % for a draft of half a meter at 60 Hz. All of the solid
// gives way, also in cells of which it covers a part. With the rim left out a body that appears in balance makes waves
// of half a millimeter (B09; with it of a thousandth), and one that glides without drag gains 29 % of its energy (B05;
// with it it loses 0.02 %). Bodies of infinite mass do neither. If the host does otherwise (because a body touches the
// ground, say) the room is wrong by a few millimeters.
//
// Motion. Between two steps a body takes other room: d - V(H) is then what it displaces. That is handed to the flow in
// equal parts over the sub-steps. More than the velocity of the body can explain comes from a body that has appeared or
// jumped; pressed out at once it would be an explosion, so it is handed out in TN_JUMP_TIME. Until then it is virtual
// volume, as in 2013: in the ledger, and under no surface.
//
// Carried water. A body that moves with the water, at the speed w, must find it level. Then the room of a cell changes by
// what the body takes at the face itself, S_f, and the discharge has to be w (h - S_f), h the height of the water. But the
// section of a face is the mean of what the cells beside it leave open, h - S: water would have to rush and to wait each
// time that the front of the body crosses a cell. So faces carry, beyond what goes through their section,
//
//   q = u A_f + w (S - S_f)
//
// with S_f the mean over the step: what the body takes of a strip as wide as its way, behind the face as the body goes, cut
// exactly (tnTravel in body_patch.h). Guessed from the extents of the body in its cells, which is exact along the grid only, a box
// that was turned by 30 degrees was pushed by its own wake, with pipes to 1.15 times the speed of the current. It has the height that the body has in the cells beside the face, or in the one that it has not left.
// It has no momentum of its own. Without it a body drifts at 0.980 of the current, with it at 0.994. Cells that bodies share
// go without, since S is not known there: with half of it known, two boxes side by side part by themselves (B09).
//
// The state of pipes is the discharge, which does not follow the section. Where a body has narrowed that on its way since the last
// step, by dS, the water keeps its velocity: q = q A / (A + dS). dS is the mean of what the body has brought into the cells
// beside the face, w S_f through their other faces. Without it bodies surge by 2 % of the current as they cross cells, with
// it they do not (B04). What faces lose in all by that, less what others win, is given back to all of them: a body that goes on
// hands the momentum of the water from before it to behind it, and makes none. Without self-advection nothing else does that, so
// linear water gets it back, too. In five minutes of drifting that is a tenth of the momentum of the body. What they displace, d - V(H), says nothing about it: that has virtual volume in it.
//
// Bodies that float (tn_floatingBody) take room from cells, but not from faces: water passes through them, and S is 0. So
// where one moves through a face it takes -w S_f with it. Without that it surges by 2 % of its speed as it crosses cells, with
// pipes, too.
//
// Cells that a body has just left (body_vacated_cells.h) are solved for once more, with no body in them. A box of infinite mass that goes
// with the current then finds it level to 0.15 mm. With half of its height at the faces that it leaves there were heads of
// 0.26 m under it, with cells forgotten at once of 25 mm.
//
// Closed faces (no section at all) have the velocity of the body, for the momentum that is carried past them.
//
// Cells where the body stands on the ground hold no water and have no head of their own: theirs is the mean of their
// neighbours', which makes the pressure under a dam fall evenly from one side to the other.

#include "body_flow.h"

#include "../flow/cell_disc.h"

#include <math.h>
#include <string.h>

// Sweeps go on until no head changes by more than this, in cells, or by more than this share of the first change. In
// the heave of a box 0.03 gives what 0.001 gives, with half of the sweeps.
#define TN_HEAD_TOLERANCE 2.0e-5f
#define TN_SWEEP_SHARE 0.01f
// Gaps run by differences of heads, and show what sweeps leave over.
#define TN_GAP_SWEEP_SHARE 0.001f

// Over-relaxation that is stronger than this does not pay before the sweeps end.
#define TN_MOST_RELAXATION 1.8f

// Water of which less than this share is left has lost the rest to an edit: a body that goes on in a step finds more.
#define TN_LEAST_OWED_SHARE 0.0625

// Water that a body has displaced by appearing or jumping leaves in about this time, s.
#define TN_JUMP_TIME 0.5f

// ---------------------------------------------------------------------------------------------------------------------
// Cells and faces that fields do not describe

// The profile of a cell: its own, or one made of the solid interval in its fields.
static tnProfile tnGetProfile(const tnGroup* group, int slot, float ground, tnBreak breaks[2])
{
	const int own = tnGroup_GetChain(group, tn_cellChain)[slot];
	if (own > 0)
	{
		return group->profiles[own - 1];
	}
	const float open = 1.0f - tnGroup_GetField(group, tn_cellSolid)[slot];
	const float low = tnGroup_GetField(group, tn_cellLow)[slot];
	const float high = tnGroup_GetField(group, tn_cellHigh)[slot];
	const float volume = low - ground;
	breaks[0] = (tnBreak){low, open, volume};
	breaks[1] = (tnBreak){high, 1.0f, volume + open * (high - low)};
	return (tnProfile){.ground = ground, .count = 2, .breaks = breaks};
}

float tnGroup_SolveCell(const tnGroup* group, int slot, float ground, float slope, float sum)
{
	tnBreak breaks[2];
	const tnProfile profile = tnGetProfile(group, slot, ground, breaks);
	return tnProfile_Solve(&profile, slope, sum);
}

tnLine tnGroup_GetLine(const tnGroup* group, int slot, float ground, float height)
{
	tnBreak breaks[2];
	const tnProfile profile = tnGetProfile(group, slot, ground, breaks);
	tnLine line = {.base = -ground, .open = 1.0f, .low = -TN_WALL, .high = TN_WALL};
	for (int i = 0; i < profile.count; ++i)
	{
		const tnBreak* next = profile.breaks + i;
		if (!(height > next->height))
		{
			line.high = next->height;
			break;
		}
		line.open = next->open;
		line.base = next->volume - next->open * next->height;
		line.low = next->height;
	}
	return line;
}

// Open height of a cell between the ground of one of its faces and a head.
static float tnGetOpening(const tnGroup* group, const tnGrid* grid, int slot, float ground, float head)
{
	if (!(tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f) ||
		!(tnGroup_GetField(group, tn_cellBlocked)[slot] > 0.0f))
	{
		return head - ground;
	}
	tnBreak breaks[2];
	const tnProfile profile = tnGetProfile(group, slot, grid->bed[tnGroup_GetCell(group, slot)], breaks);
	return tnProfile_GetVolume(&profile, head) - tnProfile_GetVolume(&profile, ground);
}

// As tnOpenFaces in body_kernels.inc.
void tnGroup_SetOddSections(const tnGroup* group, const tnGrid* grid, int begin, int end, bool alongZ)
{
	const int* chains = tnGroup_GetChain(group, alongZ ? tn_faceChainZ : tn_faceChainX);
	const int* cellChains = tnGroup_GetChain(group, tn_cellChain);
	for (int slot = begin; slot < end; ++slot)
	{
		const int first = alongZ ? tnGroup_GetNorthSlot(group, slot) : slot - 1;
		const float kind = tnGroup_GetFace(group, alongZ, tn_faceKind)[slot];
		if (!(kind > 0.0f) || (chains[slot] | cellChains[slot] | cellChains[first]) == 0)
		{
			continue;
		}
		const int32_t cell = tnGroup_GetCell(group, slot);
		const int32_t before = alongZ ? tnGroup_GetCell(group, first) : cell - 1;
		const float ground = tnMaxFloat(grid->bed[before], grid->bed[cell]);
		const float head = tnGroup_GetFace(group, alongZ, tn_faceFixed)[slot];
		const float solid = tnGroup_GetFace(group, alongZ, tn_faceSolid)[slot];
		const float low = tnGroup_GetFace(group, alongZ, tn_faceLow)[slot];
		const float below = tnClampFloat(head, low, tnGroup_GetFace(group, alongZ, tn_faceHigh)[slot]) - low;
		const float atFace = chains[slot] > 0 ? tnProfile_GetVolume(group->profiles + chains[slot] - 1, head)
											  : tnMaxFloat((head - ground) - solid * below, 0.0f);
		const float mean =
			0.5f * (tnGetOpening(group, grid, first, ground, head) + tnGetOpening(group, grid, slot, ground, head));
		const float open = kind > (float)tn_freeFace ? atFace : tnMinFloat(atFace, mean);
		tnGroup_GetFace(group, alongZ, tn_faceSection)[slot] = head > ground ? open : 0.0f;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The start of a step

void tnBodyFlow_ShowGroup(tnBodyFlow* flow, const tnGrid* grid, int index)
{
	const bool velocity = tnGrid_StoresVelocity(grid);
	const tnGroup* group = flow->groups + index;
	tnOverrideGroup* out = flow->overrides + index;
	out->columns = group->columns;
	for (int axis = 0; axis < 2; ++axis)
	{
		out->discharge[axis] = tnGroup_GetFace(group, axis == 1, tn_faceDischarge);
		out->velocity[axis] = tnGroup_GetFace(group, axis == 1, velocity ? tn_faceVelocity : tn_faceDischarge);
	}
}

// Spread the impulse that drag owes to the water over the cells of a body, by their water. They pass it on to their
// faces, half to each side. Drag was bounded for the water that was there (body_wrench.c). Where an edit has taken most of that
// away, it has taken the impulse with it: else the rest would get all of it, and any speed.
//
// The moment of what they get so is not that of drag: the rest makes the water below the body turn as one about its middle. A cell or
// two have no lever for that, and what they cannot take is lost.

// Sums over the water of the cells of a body: of depths, m, and their moments about its centre of mass.
typedef struct tnWaterSums
{
	double depth, x, z, square;
} tnWaterSums;

// The place of the first cell of a run, from the centre of mass. Where the world wraps it is the one near the body.
static tnVec2 tnGetRunPlace(const tnGrid* grid, const tnBody* body, const tnColumnRun* run)
{
	const tnColumnCell* cell = body->cut.cells + run->begin;
	const double size = grid->cellSize;
	double x = grid->origin.x + ((double)cell->column + 0.5) * size - body->aheadPose.position.x;
	double z = grid->origin.z + ((double)cell->row + 0.5) * size - body->aheadPose.position.z;
	const double nearX = tnCut_GetField(&body->cut, tn_columnX)[run->begin];
	const double nearZ = tnCut_GetField(&body->cut, tn_columnZ)[run->begin];
	x += grid->wrapX ? grid->columnCount * size * floor((nearX - x) / (grid->columnCount * size) + 0.5) : 0.0;
	z += grid->wrapZ ? grid->rowCount * size * floor((nearZ - z) / (grid->rowCount * size) + 0.5) : 0.0;
	return (tnVec2){(float)x, (float)z};
}

static tnWaterSums tnSumWater(const tnGrid* grid, const tnBody* body)
{
	const float* counts = tnCut_GetField(&body->cut, tn_columnCounts);
	tnWaterSums sums = {0};
	for (int i = 0; i < body->cut.runCount; ++i)
	{
		const tnColumnRun* run = body->cut.runs + i;
		const tnColumnCell* cell = body->cut.cells + run->begin;
		const float* depths = grid->depth + tnGrid_Index(grid, cell->column, cell->row);
		const tnVec2 place = tnGetRunPlace(grid, body, run);
		for (int k = 0; k < run->end - run->begin; ++k)
		{
			const double depth = counts[run->begin + k] > 0.0f ? (double)depths[k] : 0.0;
			const double x = place.x + k * (double)grid->cellSize;
			sums.depth += depth;
			sums.x += depth * x;
			sums.z += depth * place.z;
			sums.square += depth * (x * x + (double)place.z * place.z);
		}
	}
	return sums;
}

static void tnPayTurn(const tnGrid* grid, const tnGroup* group, const tnBody* body, double share)
{
	const tnWaterSums sums = tnSumWater(grid, body);
	if (!(sums.depth > 0.0))
	{
		return;
	}
	const double x = sums.x / sums.depth;
	const double z = sums.z / sums.depth;
	const double area = (double)grid->cellSize * grid->cellSize;
	// No less than that of two cells side by side, one of which is not half full.
	const double least = 0.125 * sums.depth * area;
	const double square = sums.square - sums.depth * (x * x + z * z);
	const double inertia = TN_WATER_DENSITY * area * (square > least ? square : least);
	const double moment = (double)body->owedTurn - (z * body->owed.x - x * body->owed.z);
	const double half = 0.5 * share * moment / inertia;
	float* debtX = tnGroup_GetField(group, tn_cellDebtX);
	float* debtZ = tnGroup_GetField(group, tn_cellDebtZ);
	const float* counts = tnCut_GetField(&body->cut, tn_columnCounts);
	for (int i = 0; i < body->cut.runCount; ++i)
	{
		const tnColumnRun* run = body->cut.runs + i;
		const tnColumnCell* cell = body->cut.cells + run->begin;
		const float* depths = grid->depth + tnGrid_Index(grid, cell->column, cell->row);
		const tnVec2 place = tnGetRunPlace(grid, body, run);
		for (int k = 0; k < run->end - run->begin && run->slot >= 0; ++k)
		{
			const double depth = counts[run->begin + k] > 0.0f ? (double)depths[k] : 0.0;
			debtX[run->slot + k] += (float)(half * depth * (place.z - z));
			debtZ[run->slot + k] -= (float)(half * depth * (place.x + k * (double)grid->cellSize - x));
		}
	}
}

static void tnPayDebt(const tnBodyKernels* kernels, const tnGrid* grid, tnGroup* group, tnBody* body)
{
	float* debtX = tnGroup_GetField(group, tn_cellDebtX);
	float* debtZ = tnGroup_GetField(group, tn_cellDebtZ);
	if (body->owed.x == 0.0f && body->owed.z == 0.0f && body->owedTurn == 0.0f)
	{
		body->owedTo = 0.0f;
		return;
	}
	const double water = kernels->sumDepths(grid, &body->cut);
	if (!(water > 0.0))
	{
		return;
	}
	if (!group->owes)
	{
		const size_t bytes = tnGetFieldLength(group->stripCount) * sizeof(float);
		memset(debtX - TN_STRIP_SIZE, 0, bytes);
		memset(debtZ - TN_STRIP_SIZE, 0, bytes);
		group->owes = true;
	}
	const double mass = water * TN_WATER_DENSITY * grid->cellSize * grid->cellSize;
	const double least = TN_LEAST_OWED_SHARE * (double)body->owedTo;
	const float half = (float)(0.5 / (mass > least ? mass : least));
	kernels->owe(group, grid, &body->cut, half * body->owed.x, half * body->owed.z);
	tnPayTurn(grid, group, body, mass > least ? 1.0 : mass / least);
	body->owedTurn = 0.0f;
	body->owed = (tnVec2){0.0f, 0.0f};
	body->owedTo = 0.0f;
}

// The faces of water that sleeps are at rest, and stay so.
static void tnDropSleepingDebts(const tnTiles* tiles, const tnGroup* group)
{
	float* debtX = tnGroup_GetField(group, tn_cellDebtX);
	float* debtZ = tnGroup_GetField(group, tn_cellDebtZ);
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
		const int column = (strip->column + slot % TN_STRIP_SIZE) / TN_TILE_SIZE;
		if (strip->solves && tiles->awake[strip->row / TN_TILE_SIZE * tiles->columnCount + column] == 0)
		{
			debtX[slot] = 0.0f;
			debtZ[slot] = 0.0f;
		}
	}
}

// Cells beyond a wrapped edge have what those have that they are copies of.
static void tnCopyToSeams(const tnGroup* group, tnBodyField field)
{
	float* values = tnGroup_GetField(group, field);
	for (int i = 0; i < group->seamCount; ++i)
	{
		values[group->seams[i].copy] = values[group->seams[i].origin];
	}
}

void tnBodyFlow_BeginGroup(tnBodyFlow* flow, const tnGrid* grid, const tnTiles* tiles, tnBodies* bodies, int index)
{
	tnGroup* group = flow->groups + index;
	group->owes = false;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnPayDebt(flow->kernels, grid, group, tnBodies_Get(bodies, flow->grouped[i]));
	}
	if (group->owes && tiles->awakeCount < tiles->count)
	{
		tnDropSleepingDebts(tiles, group);
	}
	if (group->owes)
	{
		tnCopyToSeams(group, tn_cellDebtX);
		tnCopyToSeams(group, tn_cellDebtZ);
	}
	flow->kernels->findDisplaced(group, grid, tnMaxFloat(1.0f - flow->timeStep / TN_JUMP_TIME, 0.0f));
}

// ---------------------------------------------------------------------------------------------------------------------
// Heads

// The best relaxation for a square of cells with fixed heads around it, which owe this share of their heads to each
// other: simple sweeps would shrink an error by r = share * cos(pi / (side + 1)) each.
static float tnGetRelaxation(const tnGroup* group, float share)
{
	const float angle = 3.14159f / (group->side + 1.0f);
	const float r = share * tnMaxFloat(1.0f - 0.5f * angle * angle, 0.0f);
	return tnMinFloat(2.0f / (1.0f + sqrtf(tnMaxFloat(1.0f - r * r, 0.0f))), TN_MOST_RELAXATION);
}

float* tnBodyFlow_GetPacked(const tnBodyFlow* flow, int index, int workerIndex)
{
	const tnGroup* group = flow->groups + index;
	const bool fits = tnGetFieldLength(group->stripCount) <= TN_PACKED_STRIDE;
	if (fits)
	{
		return flow->packedScratch + (size_t)TN_PACKED_SCRATCH * (size_t)workerIndex;
	}
	return group->packed != NULL
		? group->packed
		: flow->packed + (size_t)workerIndex * (size_t)flow->room.packedCapacity * TN_PACKED_ROOM;
}

// ---------------------------------------------------------------------------------------------------------------------
// Gaps

// A face that leaves more than this share of what the one upstream does is no gap.
#define TN_GAP_RATIO 0.95f

// What of a jet is missing where it comes from all sides into a narrow gap. Fine grids have 0.88 (shallow) to 1 (pipe, which knows no
// contraction) of what runs through without it.
#define TN_GAP_CONTRACTION 0.015f

// Water that comes to a gap faster than this share of the speed of waves and of the share of the cell that the gap is has not been
// set in motion by it: critical flow needs 0.54.
#define TN_GAP_APPROACH 1.0f

// Less water from the side than this share of what comes straight on does not count, nor the other way round.
#define TN_GAP_JOINS 0.1f

// Slower water than this share of the speed of waves is not limited: it may swing back and forth, for which no energy is lost.
#define TN_GAP_FREE_SPEED 0.1f

// The open share of a face, 1 if no link has decided about it.
static float tnGetOpenShare(const tnGroup* group, bool alongZ, int slot)
{
	const bool linked = tnGroup_GetFace(group, alongZ, tn_faceKind)[slot] > (float)tn_sealedFace;
	return linked ? 1.0f - tnGroup_GetFace(group, alongZ, tn_faceSolid)[slot] : 1.0f;
}

// The most that runs through a gap, m^2/s: water that is v fast upstream, with the head H over the ground, and h behind the gap.
//
//   E = H + v^2 / 2g,  y = max(2/3 E, h),  q = s y sqrt(2g (E - y))
//
// No faster than its energy makes it, and no faster than waves; what it is too fast for behind the gap is lost.
// @param behind 0 where the gap goes on, so that nothing is lost
static float tnGetGapLimit(float share, float ratio, float gravity, float v, float head, float behind)
{
	const float energy = head + v * v / (2.0f * gravity);
	const float height = tnMinFloat(tnMaxFloat(energy * (2.0f / 3.0f), behind), energy);
	const float contraction = 1.0f - TN_GAP_CONTRACTION * (1.0f - ratio);
	return contraction * share * height * sqrtf(2.0f * gravity * (energy - height));
}

// Where the water of a gap comes from, if not straight on: from the side of the cell upstream from which more comes, if one of both
// ways is as narrow as the gap, which turns there, or begins.
// @param alongZ the axis of the sides
// @param old, wide of the face straight on, or else of the one that is found
// @return whether water comes from a side and straight on
static bool tnFindTurning(
	const tnGrid* grid, const tnGroup* group, bool alongZ, int slot, float share, float* old, float* wide)
{
	const bool stores = tnGrid_StoresVelocity(grid);
	const int32_t cell = tnGroup_GetCell(group, slot);
	const float* flow = alongZ ? grid->flowZ : grid->flowX;
	const int next = alongZ ? tnGroup_GetSouthSlot(group, slot) : slot + 1;
	const bool narrow = *wide * TN_GAP_RATIO <= share;
	const float straight = tnMaxFloat(stores ? *wide * *old : *old, 0.0f);
	float most = straight;
	bool joins = false;
	for (int end = 0; end < 2; ++end)
	{
		const float beside = tnGetOpenShare(group, alongZ, end == 0 ? slot : next);
		const float in = end == 0 ? flow[cell] : -flow[cell + (alongZ ? grid->stride : 1)];
		const float volume = stores ? beside * in : in;
		const bool counts = narrow || beside * TN_GAP_RATIO <= share;
		joins |= counts && beside > 0.0f && volume > TN_GAP_JOINS * straight && straight > TN_GAP_JOINS * volume;
		if (counts && beside > 0.0f && volume > most)
		{
			most = volume;
			*old = in;
			*wide = beside;
		}
	}
	return joins;
}

// A link knows how wide it is, but not that water loses its speed behind it: methods that carry momentum do so for all of the water of
// the cells around, of which little goes through a gap, and the others have none to lose.
static void tnLimitGap(const tnBodySubStep* subStep, const tnGroup* group, bool alongZ, int slot)
{
	const tnGrid* grid = subStep->grid;
	const bool stores = tnGrid_StoresVelocity(grid);
	float* discharge = tnGroup_GetFace(group, alongZ, tn_faceDischarge) + slot;
	const float share = tnGetOpenShare(group, alongZ, slot);
	const int first = alongZ ? tnGroup_GetNorthSlot(group, slot) : slot - 1;
	const int32_t cell = tnGroup_GetCell(group, slot);
	const int32_t before = alongZ ? tnGroup_GetCell(group, first) : cell - 1;
	const bool forward = *discharge > 0.0f;
	const float* heads = tnGroup_GetField(group, tn_cellHead);
	const float ground = tnMaxFloat(grid->bed[before], grid->bed[cell]);
	const float head = heads[forward ? first : slot] - ground;
	const float top = tnGroup_GetFace(group, alongZ, tn_faceHigh)[slot] - ground;
	if (!(share > 0.0f && share < 1.0f) || !(head > TN_DRY_DEPTH) || head > top || *discharge == 0.0f)
	{
		return;
	}
	// The face upstream of the cell that the water comes from.
	const int next = alongZ ? tnGroup_GetSouthSlot(group, slot) : slot + 1;
	int upstream = forward ? first : next;
	ptrdiff_t face = forward ? before : cell + (alongZ ? grid->stride : 1);
	const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
	if (!alongZ && forward && strip->column + slot % TN_STRIP_SIZE == 0)
	{
		// Beyond an edge that wraps.
		upstream = tnGroup_FindSlot(group, grid->columnCount - 1, strip->row);
		face = tnGrid_Index(grid, grid->columnCount - 1, strip->row);
	}
	const bool known = upstream >= 0 && upstream < group->stripCount * TN_STRIP_SIZE && upstream != slot;
	float wide = known ? tnGetOpenShare(group, alongZ, upstream) : 1.0f;
	float old = (forward ? 1.0f : -1.0f) * (alongZ ? grid->flowZ : grid->flowX)[face];
	const bool joins = tnFindTurning(grid, group, !alongZ, forward ? first : slot, share, &old, &wide);
	const bool enters = share < TN_GAP_RATIO * wide;
	if (!enters && !joins && !(subStep->parameters->froudeFactor > 0.0f))
	{
		return;
	}
	const float behind = enters ? heads[forward ? slot : first] - ground : 0.0f;
	const float ratio = enters ? share / wide : 1.0f;
	const float speed = wide > 0.0f ? tnMaxFloat(stores ? old : old / (wide * head), 0.0f) : 0.0f;
	// What does not carry its momentum may turn in eddies before a gap for minutes.
	const float approach = TN_GAP_APPROACH * ratio * sqrtf(grid->gravity * head);
	const bool advects = grid->method == tn_shallowMethod;
	const float v = advects || !enters ? speed : tnMinFloat(speed, approach);
	const float free = TN_GAP_FREE_SPEED * share * head * sqrtf(grid->gravity * head);
	const float limit = tnMaxFloat(tnGetGapLimit(share, ratio, grid->gravity, v, head, behind), free);
	const float size = fabsf(*discharge);
	if (size > limit)
	{
		*discharge = forward ? limit : -limit;
		if (stores)
		{
			tnGroup_GetFace(group, alongZ, tn_faceVelocity)[slot] *= limit / size;
		}
	}
}

static void tnLimitGaps(const tnBodySubStep* subStep, const tnGroup* group)
{
	const tnGrid* grid = subStep->grid;
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
		const int column = strip->column + slot % TN_STRIP_SIZE;
		for (int axis = 0; axis < 2 && column >= 0 && column < grid->columnCount; ++axis)
		{
			if (strip->narrow[axis] && tnGroup_GetFace(group, axis == 1, tn_faceKind)[slot] > (float)tn_sealedFace)
			{
				tnLimitGap(subStep, group, axis == 1, slot);
			}
		}
	}
	for (int i = 0; i < group->seamCount; ++i)
	{
		const tnSeam seam = group->seams[i];
		float* discharge = tnGroup_GetFace(group, false, tn_faceDischarge);
		float* velocity = tnGroup_GetFace(group, false, tn_faceVelocity);
		if (seam.east && tnGroup_GetFace(group, false, tn_faceKind)[seam.copy] > 0.0f)
		{
			discharge[seam.copy] = discharge[seam.origin];
			velocity[seam.copy] = velocity[seam.origin];
		}
	}
}

void tnBodyFlow_SolveGroup(tnBodyFlow* flow, const tnBodySubStep* subStep, int index, int workerIndex)
{
	tnGroup* group = flow->groups + index;
	const tnBodyKernels* kernels = flow->kernels;
	group->rise = subStep->first ? 0.0f : group->rise;
	if (group->cellCount == 0)
	{
		return;
	}
	float* packed = tnBodyFlow_GetPacked(flow, index, workerIndex);
	kernels->placeFreeHeads(subStep, group);
	kernels->prepareFaces(subStep, group, packed);
	const float slope = kernels->prepareCells(subStep, group, packed);
	const float relaxation = tnGetRelaxation(group, slope / (slope + group->leastOpen));
	const float share = group->narrow ? TN_GAP_SWEEP_SHARE : TN_SWEEP_SHARE;
	float tolerance = TN_HEAD_TOLERANCE * subStep->grid->cellSize;
	for (int sweep = 0; sweep < group->sweepLimit; ++sweep)
	{
		const float change = kernels->sweep(group, packed, relaxation);
		tolerance = sweep == 0 ? tnMaxFloat(tolerance, share * change) : tolerance;
		group->rise = sweep == 0 ? tnMaxFloat(group->rise, change) : group->rise;
		if (!(change > tolerance))
		{
			break;
		}
	}
	kernels->finish(subStep, group, packed);
	if (group->narrow)
	{
		tnLimitGaps(subStep, group);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// After the step

// The discharge of pipes is their state, and what bodies carry along is none of it: it has no momentum.
// @param flow as the water has moved; less than `asked` where cells had no more to give
static float tnTakeBackCarried(float flow, float asked, float carried)
{
	const float through = asked - carried;
	return flow == asked ? through : flow / (asked != 0.0f ? asked : 1.0f) * through;
}

static void tnTakeBackFlow(const tnGroup* group, tnGrid* grid, bool alongZ)
{
	const float* kind = tnGroup_GetFace(group, alongZ, tn_faceKind);
	const float* carried = tnGroup_GetFace(group, alongZ, tn_faceCarried);
	const float* asked = tnGroup_GetFace(group, alongZ, tn_faceDischarge);
	float* flow = alongZ ? grid->flowZ : grid->flowX;
	for (int i = 0; i < group->stripCount; ++i)
	{
		const tnStrip* strip = group->strips + i;
		// Stored one by one: the other cells of a strip may be another group's.
		for (int lane = 0; lane < TN_STRIP_SIZE && strip->halves[alongZ] != 0; ++lane)
		{
			const int slot = i * TN_STRIP_SIZE + lane;
			if (kind[slot] > 0.0f && carried[slot] != 0.0f)
			{
				float* face = flow + strip->index + lane;
				*face = tnTakeBackCarried(*face, asked[slot], carried[slot]);
				if (alongZ && grid->wrapZ && strip->row == 0)
				{
					// The faces below the last row are those above the first.
					face[grid->rowCount * grid->stride] = *face;
				}
			}
		}
	}
}

void tnBodyFlow_PublishGroup(tnBodyFlow* flow, tnGrid* grid, int index)
{
	const tnGroup* group = flow->groups + index;
	for (int axis = 0; axis < 2 && group->carries && flow->subStep > 0 && !tnGrid_StoresVelocity(grid); ++axis)
	{
		tnTakeBackFlow(group, grid, axis == 1);
	}
	const float* covered = tnGroup_GetField(group, tn_cellCovered);
	const float* head = tnGroup_GetField(group, tn_cellHead);
	int32_t* lifted = flow->lifted[0] + group->liftedBegin;
	for (int i = 0; i < group->stripCount; ++i)
	{
		const tnStrip* strip = group->strips + i;
		for (int lane = 0; lane < TN_STRIP_SIZE && strip->solves; ++lane)
		{
			const int slot = i * TN_STRIP_SIZE + lane;
			if (!(covered[slot] > TN_COVERED_COPY))
			{
				continue;
			}
			const int32_t cell = strip->index + lane;
			grid->lift[cell] = head[slot] - tnGetFreeHead(grid, cell);
			*lifted = cell;
			lifted += 1;
		}
	}
}

// The last discharge of a face around bodies: of pipes what is carried along, beyond their state.
static float tnGetFaceDischarge(const tnGroup* group, bool alongZ, int slot, float flow, bool velocity)
{
	const float carried = group->carries ? tnGroup_GetFace(group, alongZ, tn_faceCarried)[slot] : 0.0f;
	return (velocity ? flow * tnGroup_GetFace(group, alongZ, tn_faceSection)[slot] : flow) + carried;
}

void tnBodyFlow_PatchDischarge(const tnBodyFlow* flow, const tnGrid* grid, float* dischargeX, float* dischargeZ)
{
	const bool velocity = tnGrid_StoresVelocity(grid);
	for (int i = 0; i < flow->groupCount; ++i)
	{
		const tnGroup* group = flow->groups + i;
		const float* kindX = tnGroup_GetFace(group, false, tn_faceKind);
		const float* kindZ = tnGroup_GetFace(group, true, tn_faceKind);
		for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE && (velocity || group->carries); ++slot)
		{
			const tnStrip* strip = group->strips + slot / TN_STRIP_SIZE;
			const ptrdiff_t column = strip->column + slot % TN_STRIP_SIZE;
			const int32_t cell = tnGroup_GetCell(group, slot);
			if (dischargeX != NULL && kindX[slot] > 0.0f)
			{
				dischargeX[(ptrdiff_t)strip->row * (grid->columnCount + 1) + column] =
					tnGetFaceDischarge(group, false, slot, grid->flowX[cell], velocity);
			}
			if (dischargeZ != NULL && kindZ[slot] > 0.0f)
			{
				float* face = dischargeZ + (ptrdiff_t)strip->row * grid->columnCount + column;
				*face = tnGetFaceDischarge(group, true, slot, grid->flowZ[cell], velocity);
				if (grid->wrapZ && strip->row == 0)
				{
					face[(ptrdiff_t)grid->rowCount * grid->columnCount] = *face;
				}
			}
		}
	}
}

// SPDX-License-Identifier: MIT

// The water on decks.
//
// Pipes: the discharge of a face is the state. It is pushed by what the water stands higher on one side than on the other, above
// the crest c between them, rubs, and is bounded by the depth h above the crest upstream:
//
//   q' = (q + g dt h (H1 - H2) / dx) / (1 + dt (k + g n^2 |q| / h^(7/3)))       H: at least the crest
//   |q'| <= sqrt(g) (2/3 h)^(3/2)      over a wall, and where it falls to the ground, if the water behind the crest stands below
//                                      2/3 of h: a weir
//   |q'| <= 2 sqrt(g) h^(3/2)          elsewhere: as fast as a front on dry ground
//
// No cell gives more than it has. What falls to the ground is added to the depth of the flow there after the step, as far as that
// can tell; the rest waits. Sums go through whole numbers where their order could differ, so that mirrored decks have mirrored bits.
//
// Two levels become one where the flow has come over the sides of a deck, and presses from below as high as the water on it stands,
// to TN_JOIN_GAP cells: so no wave is higher than that. They part where the deck is flooded and the water beside it has fallen below the underside; and stay apart as long as it is
// there, whatever presses from below: that is a sluice with water over it.
//
// Cells of the flow that a deck takes from, or gives to, are read at the end of the flow's step, and have what they got in the next.
// So the order of worker threads, and who sleeps, do not matter.

#include "body_deck.h"

#include "../core/exact_sum.h"
#include "../core/physical_constants.h"
#include "../flow/tracers.h"

#include <math.h>

// Films thinner than this stay where they are, m.
#define TN_DECK_FILM 1.0e-4

// Water below and above are one if they are as near as this, in cells.
#define TN_JOIN_GAP 0.02

// Share of its water above the crest that a cell of the ground may lose through a face in a sub-step.
#define TN_GROUND_SHARE 0.25

// Waves may go this many cells in a sub-step.
#define TN_DECK_COURANT 0.35

enum
{
	TN_DECK_SUB_STEPS = 16,
	// Forwards and backwards through all cells, at most: two find all that is beside each other in what is convex.
	TN_SPREAD_SWEEPS = 64,
};

// (2/3)^(3/2)
#define TN_WEIR_FACTOR 0.5443310539518174

// Of a front on dry ground.
#define TN_MOST_FROUDE 2.0

// What is left over by rounding is given back when it has become this much, m.
#define TN_LOOSE_QUANTUM 1.0e-6

// ---------------------------------------------------------------------------------------------------------------------
// To the flow and back

// Change the depth of the flow. Returns what has been added, which is what a float can tell.
static double tnAddToFlow(tnGrid* grid, tnTiles* tiles, ptrdiff_t cell, double amount)
{
	const float before = grid->depth[cell];
	const double wanted = (double)before + amount;
	const float after = wanted > 0.0 ? (float)(wanted < TN_MAX_LENGTH ? wanted : TN_MAX_LENGTH) : 0.0f;
	if (after == before)
	{
		return 0.0;
	}
	grid->depth[cell] = after;
	tnGrid_NoteTaken(grid, after < before ? before : 0.0f);
	grid->maxDepth = tnMaxFloat(grid->maxDepth, after);
	for (int i = 0; i < grid->tracerCount && after > before; ++i)
	{
		float* c = grid->tracers[i] + cell;
		*c = tnMixTracer(*c, before, after - before, 0.0f);
	}
	const int row = (int)(cell / grid->stride);
	const int column = (int)(cell % grid->stride);
	tnTiles_Touch(tiles, (tnCellBox){column, column + 1, row, row + 1});
	return (double)after - (double)before;
}

void tnDecks_Drop(tnDecks* decks, tnGrid* grid, tnTiles* tiles, ptrdiff_t cell, double depth)
{
	if (depth != 0.0)
	{
		decks->loose += depth - tnAddToFlow(grid, tiles, cell, depth);
		decks->wetCount -= depth > 0.0 ? 1 : 0;
	}
}

// Height of the water of a cell of the flow; of its bed where it is dry.
static float tnGetFlowHead(const tnGrid* grid, ptrdiff_t cell)
{
	return grid->bed[cell] + (grid->depth[cell] > TN_DRY_DEPTH ? tnGrid_GetHeight(grid, cell) : 0.0f);
}

static void tnReadFlow(tnDecks* decks, const tnGrid* grid)
{
	for (int i = 0; i < decks->groundCount; ++i)
	{
		tnDeckGround* ground = decks->grounds + i;
		// Where a body stands on the ground the head of a dry cell is that of its neighbours.
		ground->head = grid->depth[ground->cell] > TN_DRY_DEPTH
			? tnMaxFloat(tnGetFlowHead(grid, ground->cell), ground->bed)
			: ground->bed;
		ground->gain = 0.0;
	}
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		deck->head = tnGetFlowHead(grid, deck->cell);
		deck->gain = 0.0;
		deck->clear = false;
		deck->flooded = deck->flooded && !(deck->depth > 0.0) && deck->head > deck->bed;
	}
}

// Can air get below a cell, or out of there, at one of its sides: over ground that no deck covers, or below a deck?
static bool tnHasAirBeside(const tnDecks* decks, const tnDeckCell* deck)
{
	bool air = false;
	for (int side = 0; side < tn_deckSideCount && !air; ++side)
	{
		const int32_t beside = deck->beside[side];
		if (beside >= 0)
		{
			air = decks->cells[beside].clear;
		}
		else if (beside != TN_DECK_CLOSED)
		{
			air = decks->grounds[-1 - beside].head < deck->underside;
		}
	}
	return air;
}

// Where there is air below: the flow is lower than the underside, and air has got there from beside the deck. A head alone says
// little: under a body that has just come into the water it may be anything for a moment.
static void tnFindAir(tnDecks* decks)
{
	bool changed = true;
	for (int sweep = 0; sweep < TN_SPREAD_SWEEPS && changed; ++sweep)
	{
		changed = false;
		for (int i = 0; i < decks->count; ++i)
		{
			tnDeckCell* deck = decks->cells + (sweep % 2 == 0 ? i : decks->count - 1 - i);
			if (!deck->clear && deck->head < deck->underside && tnHasAirBeside(decks, deck))
			{
				deck->clear = true;
				changed = true;
			}
		}
	}
}

// Has the flow come over a side of a cell? Else what presses from below stays below, however high its head is: a tub keeps dry.
static bool tnIsReached(const tnDecks* decks, const tnDeckCell* deck)
{
	bool reached = false;
	for (int side = 0; side < tn_deckSideCount && !reached; ++side)
	{
		const int32_t beside = deck->beside[side];
		if (beside >= 0)
		{
			reached = decks->cells[beside].flooded && decks->cells[beside].head >= deck->crest[side];
		}
		else if (beside != TN_DECK_CLOSED)
		{
			reached = decks->grounds[-1 - beside].head >= deck->crest[side];
		}
	}
	return reached;
}

// Where the flow is over a deck: it has come over the sides, and its head is higher than the bed. Not if it is so high only because
// a body has come into the water, which has nowhere to go yet.
static void tnFindFlood(tnDecks* decks)
{
	bool changed = true;
	for (int sweep = 0; sweep < TN_SPREAD_SWEEPS && changed; ++sweep)
	{
		changed = false;
		for (int i = 0; i < decks->count; ++i)
		{
			tnDeckCell* deck = decks->cells + (sweep % 2 == 0 ? i : decks->count - 1 - i);
			if (!deck->flooded && !(deck->depth > 0.0) && deck->head > deck->bed && tnIsReached(decks, deck))
			{
				deck->flooded = true;
				changed = true;
			}
		}
	}
}

// Make one of two levels, and two of one, where it is time.
static void tnJoinAndPart(tnDecks* decks, tnGrid* grid, tnTiles* tiles)
{
	const double gap = TN_JOIN_GAP * grid->cellSize;
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		if (deck->depth > 0.0)
		{
			const double above = tnDeckCell_GetSurface(deck) - deck->head;
			if (deck->head >= deck->bed && above <= gap && tnIsReached(decks, deck) && !tnHasAirBeside(decks, deck))
			{
				tnDecks_Drop(decks, grid, tiles, deck->cell, deck->depth);
				deck->depth = 0.0;
				deck->flooded = true;
			}
		}
		else if (deck->flooded && tnHasAirBeside(decks, deck))
		{
			const double above = ((double)deck->head - deck->bed) * deck->open;
			const double held = grid->depth[deck->cell];
			deck->depth = -tnAddToFlow(grid, tiles, deck->cell, -(above < held ? above : held));
			deck->flooded = !(deck->depth > 0.0);
			decks->wetCount += deck->depth > 0.0 ? 1 : 0;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

typedef struct tnDeckStep
{
	double gravity, friction, manning;
	double timeStep; // of a sub-step, s
	double perSize;  // its timeStep over the size of a cell, s/m
	double mostSection;
} tnDeckStep;

// Not of the C library, whose last bits differ.
static double tnGetCubeRoot(double value)
{
	double root = sqrt(sqrt(value));
	for (int i = 0; i < 8; ++i)
	{
		root = (2.0 * root + value / (root * root)) / 3.0;
	}
	return root;
}

// What is at one side of a face.
typedef struct tnDeckEnd
{
	double head;
	bool ofFlow;  // it is water of the flow
	bool refuses; // what comes from there, or from the flow, is the flow's to move
	double held;  // of the flow: depth, m
	double bed;   // of a deck, m
	double open;  // share of its width that walls in it leave
} tnDeckEnd;

static tnDeckEnd tnGetEnd(const tnDecks* decks, const tnGrid* grid, int32_t index)
{
	if (index < 0)
	{
		const tnDeckGround* ground = decks->grounds - 1 - index;
		const double gained = (double)ground->head + ground->gain;
		return (tnDeckEnd){
			.head = gained > ground->bed ? gained : ground->bed,
			.ofFlow = true,
			.held = (double)grid->depth[ground->cell] + ground->gain,
			.open = 1.0,
		};
	}
	const tnDeckCell* deck = decks->cells + index;
	if (deck->flooded)
	{
		const double gained = (double)deck->head + deck->gain;
		return (tnDeckEnd){
			.head = gained > deck->bed ? gained : deck->bed,
			.ofFlow = true,
			.held = (double)grid->depth[deck->cell] + deck->gain,
			.open = 1.0,
		};
	}
	return (tnDeckEnd){
		.head = tnDeckCell_GetSurface(deck),
		.refuses = !(deck->depth > 0.0) && !deck->clear,
		.bed = deck->bed,
		.open = deck->open,
	};
}

// The next discharge of a face, positive from the first to the second.
static double tnPushFace(const tnDeckStep* step, tnDeckEnd first, tnDeckEnd second, double crest, double flow)
{
	const bool bothOfFlow = first.ofFlow && second.ofFlow;
	const bool refused = (first.ofFlow && second.refuses) || (second.ofFlow && first.refuses);
	const double a = first.head > crest ? first.head - crest : 0.0;
	const double b = second.head > crest ? second.head - crest : 0.0;
	const double high = a > b ? a : b;
	if (bothOfFlow || refused || !(high > TN_DECK_FILM))
	{
		return 0.0;
	}
	const double section = high < step->mostSection ? high : step->mostSection;
	// Along walls; over their crest it has all of the width.
	const bool walled = !first.ofFlow && !second.ofFlow && crest > first.bed && crest > second.bed;
	const bool overGround = (first.ofFlow && crest > second.bed) || (second.ofFlow && crest > first.bed);
	const double least = first.open < second.open ? first.open : second.open;
	const double width = walled || overGround ? 1.0 : least;
	double next = flow + step->gravity * step->perSize * width * section * (a - b);
	const double rub = step->manning > 0.0 ? step->gravity * step->manning * step->manning * fabs(flow) /
			(width * section * section * tnGetCubeRoot(section))
										   : 0.0;
	next /= 1.0 + step->timeStep * (step->friction + rub);
	const double upstream = next > 0.0 ? a : b;
	const double downstream = next > 0.0 ? b : a;
	const double passing = upstream < step->mostSection ? upstream : step->mostSection;
	const double fastest = width * sqrt(step->gravity * passing) * passing;
	const bool falls = downstream < upstream * (2.0 / 3.0);
	const bool weir = falls && (walled || first.ofFlow || second.ofFlow);
	const double most = (weir ? TN_WEIR_FACTOR : TN_MOST_FROUDE) * fastest;
	next = next > most ? most : (next < -most ? -most : next);
	const tnDeckEnd* giver = next > 0.0 ? &first : &second;
	if (giver->ofFlow)
	{
		const double held = giver->held < upstream ? giver->held : upstream;
		const double limit = held > 0.0 ? TN_GROUND_SHARE * held / step->perSize : 0.0;
		next = next > limit ? limit : (next < -limit ? -limit : next);
	}
	return next;
}

static bool tnIsBefore(int side)
{
	return side == tn_deckWest || side == tn_deckNorth;
}

// Does a cell own the face at a side? Else the cell at that side does.
static bool tnOwnsFace(const tnDeckCell* deck, int side)
{
	return tnIsBefore(side) || deck->beside[side] < 0;
}

static void tnPushFaces(tnDecks* decks, const tnGrid* grid, const tnDeckStep* step)
{
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			if (deck->beside[side] == TN_DECK_CLOSED || !tnOwnsFace(deck, side))
			{
				continue;
			}
			const tnDeckEnd own = tnGetEnd(decks, grid, i);
			const tnDeckEnd other = tnGetEnd(decks, grid, deck->beside[side]);
			const double crest = deck->crest[side];
			const double flow = deck->flow[side];
			deck->flow[side] = (float)(tnIsBefore(side) ? tnPushFace(step, other, own, crest, flow)
														: tnPushFace(step, own, other, crest, flow));
		}
	}
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			if (!tnOwnsFace(deck, side))
			{
				deck->flow[side] = decks->cells[deck->beside[side]].flow[side - 1];
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Cells

// What a face takes out of a cell, m^2/s.
static double tnGetLeaving(const tnDeckCell* deck, int side)
{
	const double out = tnIsBefore(side) ? -(double)deck->flow[side] : (double)deck->flow[side];
	return out > 0.0 ? out : 0.0;
}

static void tnLimitFaces(tnDecks* decks, const tnDeckStep* step)
{
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		const double leaving = step->perSize *
			((tnGetLeaving(deck, tn_deckWest) + tnGetLeaving(deck, tn_deckEast)) +
				(tnGetLeaving(deck, tn_deckNorth) + tnGetLeaving(deck, tn_deckSouth)));
		const double held = deck->depth > 0.0 ? deck->depth : 0.0;
		// A little less than all, for rounding.
		deck->share = deck->flooded || leaving <= held ? 1.0f : (float)(held / leaving * (1.0 - 1.0e-6));
	}
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			const bool leaves = tnGetLeaving(deck, side) > 0.0;
			const int32_t beside = deck->beside[side];
			const float share = leaves ? deck->share : (beside >= 0 ? decks->cells[beside].share : 1.0f);
			deck->flow[side] *= share;
		}
	}
}

// What a face brings into a cell, in whole units: so what the other side loses is the same, and sums do not round.
static double tnGetComing(const tnDeckCell* deck, const tnDeckStep* step, int side)
{
	const double coming = (tnIsBefore(side) ? (double)deck->flow[side] : -(double)deck->flow[side]) * step->perSize;
	return (double)(int64_t)(coming * TN_FINE_UNITS) / TN_FINE_UNITS;
}

static void tnMoveDepths(tnDecks* decks, const tnDeckStep* step)
{
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		double coming[tn_deckSideCount];
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			coming[side] = tnGetComing(deck, step, side);
			if (deck->beside[side] < 0 && deck->beside[side] != TN_DECK_CLOSED)
			{
				decks->grounds[-1 - deck->beside[side]].gain -= coming[side];
			}
		}
		const double change =
			(coming[tn_deckWest] + coming[tn_deckEast]) + (coming[tn_deckNorth] + coming[tn_deckSouth]);
		double* into = deck->flooded ? &deck->gain : &deck->depth;
		const bool wasWet = deck->depth > 0.0;
		*into += change;
		decks->wetCount += (deck->depth > 0.0 ? 1 : 0) - (wasWet ? 1 : 0);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The step

// Length of a sub-step and the deepest section that its waves can follow.
static tnDeckStep tnPlanStep(const tnDecks* decks, const tnGrid* grid, float timeStep, int* count)
{
	double deepest = 0.0;
	for (int i = 0; i < decks->count; ++i)
	{
		const tnDeckCell* deck = decks->cells + i;
		const double surface = deck->flooded ? (double)deck->head : tnDeckCell_GetSurface(deck);
		deepest = surface - deck->bed > deepest ? surface - deck->bed : deepest;
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			const int32_t beside = deck->beside[side];
			if (beside < 0 && beside != TN_DECK_CLOSED)
			{
				const double above = (double)decks->grounds[-1 - beside].head - deck->crest[side];
				deepest = above > deepest ? above : deepest;
			}
		}
	}
	const double reach = TN_DECK_COURANT * grid->cellSize;
	const double wanted = ceil(timeStep * sqrt(decks->gravity * deepest) / reach);
	*count = wanted < 1.0 ? 1 : (wanted > TN_DECK_SUB_STEPS ? TN_DECK_SUB_STEPS : (int)wanted);
	const double length = (double)timeStep / *count;
	return (tnDeckStep){
		.gravity = decks->gravity,
		.friction = decks->friction,
		.manning = decks->manning,
		.timeStep = length,
		.perSize = length / grid->cellSize,
		.mostSection = reach * reach / (length * length * decks->gravity),
	};
}

// Give the flow what it got.
static void tnHandOver(tnDecks* decks, tnGrid* grid, tnTiles* tiles)
{
	for (int i = 0; i < decks->groundCount; ++i)
	{
		tnDeckGround* ground = decks->grounds + i;
		if (ground->gain != 0.0)
		{
			ground->pending += ground->gain;
			ground->pending -= tnAddToFlow(grid, tiles, ground->cell, ground->pending);
		}
	}
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		if (deck->gain != 0.0)
		{
			decks->loose += deck->gain - tnAddToFlow(grid, tiles, deck->cell, deck->gain);
		}
	}
}

// Lids, and the weight of the water on bodies. Where the flow presses from below against a lid it does so with all of its head,
// of which body_wrench.c knows what is below the top of the body.
static void tnCoverAndPress(const tnDecks* decks, const tnGrid* grid, tnTiles* tiles, tnBodies* bodies)
{
	const double weight = (double)TN_WATER_DENSITY * decks->gravity * grid->cellSize * grid->cellSize;
	for (int i = 0; i < decks->count; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		if (!tnIdPool_IsUsed(&bodies->ids, deck->body))
		{
			// Only a snapshot that somebody has changed says so: cells are found anew when a body goes.
			continue;
		}
		tnBody* body = tnBodies_Get(bodies, deck->body);
		const bool wet = deck->depth > 0.0;
		const bool lid = wet || (deck->shoulder && deck->clear);
		// Bodies whose lids change are collected again.
		body->moved = body->moved || lid != deck->lid;
		deck->lid = lid;
		if (!wet)
		{
			continue;
		}
		const int row = deck->cell / grid->stride;
		const int column = deck->cell % grid->stride;
		bool moves = false;
		for (int side = 0; side < tn_deckSideCount; ++side)
		{
			moves = moves || deck->flow[side] != 0.0f;
		}
		if (moves)
		{
			tnTiles_Touch(tiles, (tnCellBox){column, column + 1, row, row + 1});
		}
		const double pressed = deck->head > deck->bed ? (double)deck->head - deck->bed : 0.0;
		const float force = (float)(weight * (pressed - deck->depth));
		const tnVec2 center = tnGrid_GetCenter(grid, column, row);
		float x = center.x - body->pose.position.x;
		float z = center.z - body->pose.position.z;
		const float sizeX = (float)grid->columnCount * grid->cellSize;
		const float sizeZ = (float)grid->rowCount * grid->cellSize;
		x = grid->wrapX ? x - sizeX * floorf(x / sizeX + 0.5f) : x;
		z = grid->wrapZ ? z - sizeZ * floorf(z / sizeZ + 0.5f) : z;
		tnBodyState* state = &body->state;
		state->pressure.y += force;
		state->pressureTorque.x -= z * force;
		state->pressureTorque.z += x * force;
		body->wrench.force.y += force;
		body->wrench.torque.x -= z * force;
		body->wrench.torque.z += x * force;
	}
}

// What rounding has left over goes back to a deck.
static void tnGiveBackLoose(tnDecks* decks)
{
	for (int i = 0; i < decks->count && decks->wetCount > 0; ++i)
	{
		tnDeckCell* deck = decks->cells + i;
		if (deck->depth > TN_LOOSE_QUANTUM && fabs(decks->loose) >= TN_LOOSE_QUANTUM &&
			deck->depth + decks->loose > 0.0)
		{
			deck->depth += decks->loose;
			decks->loose = 0.0;
			return;
		}
	}
}

void tnDecks_MoveWater(tnDecks* decks, tnGrid* grid, tnTiles* tiles, tnBodies* bodies, float timeStep)
{
	tnGiveBackLoose(decks);
	tnReadFlow(decks, grid);
	tnFindAir(decks);
	tnFindFlood(decks);
	tnJoinAndPart(decks, grid, tiles);
	int count = 1;
	const tnDeckStep step = tnPlanStep(decks, grid, timeStep, &count);
	for (int i = 0; i < count; ++i)
	{
		tnPushFaces(decks, grid, &step);
		tnLimitFaces(decks, &step);
		tnMoveDepths(decks, &step);
	}
	tnHandOver(decks, grid, tiles);
	tnCoverAndPress(decks, grid, tiles, bodies);
}

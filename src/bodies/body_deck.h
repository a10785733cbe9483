// SPDX-License-Identifier: MIT

#pragma once

#include "../flow/sources.h"
#include "bodies.h"
#include "tarn/query.h"

// Water on a deck, with air below: the upper of two levels in one column.
//
// A cell of the flow has one head (body_flow.c). Where a body covers a cell, with air between it and the water below, what is on
// top of it belongs to a level of its own, kept here for the cells that have one. body_deck_cells.c finds them, body_deck_flow.c
// moves their water, body_deck.c has the rest.
//
//          ~~~~~~ surface                      The water of a cell of the deck and of the ground beside it exchange over the
//   wall ▒ ────── bed     ▒ wall               crest of the face between them: the higher one of their beds, or the top of a wall.
//        ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
//          ────── underside                    A cell of the deck that holds water, or may get some from ground as high as it is,
//                                              has a *lid*: to the flow below, and at the faces of the cell, the body then
//          ~~~~~~ the flow                     reaches up without an end.
//   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
//
// Both are one again where the water below comes up to the water above: the flow then has all of it, and its one head.

typedef enum tnDeckSide
{
	tn_deckWest = 0,
	tn_deckEast,
	tn_deckNorth,
	tn_deckSouth,
	tn_deckSideCount,
} tnDeckSide;

// Of tnDeckCell.beside: nothing gets across.
#define TN_DECK_CLOSED INT32_MIN

typedef struct tnDeckCell
{
	double depth; // water over the area of the cell, m
	double gain;  // what the flow below got in this step, m
	int32_t cell; // of the grid
	int32_t body; // whose top the bed is
	// By side: another cell of the deck, or -1 - the index of a cell of the ground, or TN_DECK_CLOSED.
	int32_t beside[tn_deckSideCount];
	float crest[tn_deckSideCount]; // m
	float flow[tn_deckSideCount];  // discharge through each side, m^2/s, positive towards +x and +z
	float underside, bed;          // m
	float open, wallTop;           // share of the cell that is open above the bed, up to the top of walls in it, m
	float before;                  // depth of the flow before something came from above, m
	float share;                   // of what would leave in a sub-step that may
	float head;                    // of the flow below, m
	bool clear;                    // there is air below
	bool flooded;                  // the water on it is that of the flow
	bool shoulder; // the ground beside it is as high as its underside: it has a lid before any water comes
	bool lid;
} tnDeckCell;

// A cell of the flow beside a deck.
typedef struct tnDeckGround
{
	double gain;    // what it got in this step, m
	double pending; // what was too little for its float depth so far, m
	int32_t cell;
	float bed;  // m; the top of a body that stands there
	float head; // m
} tnDeckGround;

// What is kept of a cell while they are found anew.
typedef struct tnDeckKept
{
	double depth;
	int32_t cell;
	float bed;
	float flow[tn_deckSideCount];
	bool lid, flooded;
} tnDeckKept;

// A column of a body.
typedef struct tnDeckColumn
{
	int32_t cell, body, column;
} tnDeckColumn;

typedef struct tnDecks
{
	tnDeckCell* cells; // by their index in the grid
	tnDeckKept* kept;
	int count, capacity;
	tnDeckGround* grounds; // the same
	int groundCount, groundCapacity;
	tnDeckColumn* columns[2]; // the second is scratch for sorting
	int columnCount, columnCapacity;
	char* block;
	size_t blockBytes;
	int wetCount;       // cells with water
	double loose;       // what rounding has left of cells of the ground that are beside no deck any more, m
	uint64_t signature; // of the bodies that the cells were found for
	float gravity, friction, manning;
} tnDecks;

// Columns that a body can bring at most: 0 for those that are too small to be a deck.
int64_t tnDecks_GetColumnLimit(const tnGrid* grid, const tnBody* body);
// Room for so many columns of all bodies. Called between steps. False if memory ran out, and nothing has changed then.
bool tnDecks_Reserve(tnDecks* decks, tnMemory* memory, const tnGrid* grid, int64_t columnCount);
void tnDecks_Destroy(tnDecks* decks, tnMemory* memory);
// No body is left: all water falls, and the room goes.
void tnDecks_Release(tnDecks* decks, tnMemory* memory, tnGrid* grid, tnTiles* tiles);

// Water that comes from above between these two calls stays on the decks that are there.
// @param sources may be NULL; what wells hold is none of it
void tnDecks_Watch(tnDecks* decks, const tnGrid* grid);
void tnDecks_Catch(tnDecks* decks, tnGrid* grid, const tnSources* sources);

// After the flow of a step: find the cells if bodies have moved, move the water, push the bodies.
void tnDecks_Step(tnDecks* decks, tnGrid* grid, tnTiles* tiles, tnBodies* bodies, int64_t stepCount, float timeStep);

// Water on all decks, and on its way from there, over the area of a cell, m.
double tnDecks_SumDepth(const tnDecks* decks);
// Take it away. Returns how much there was.
double tnDecks_Empty(tnDecks* decks);
uint64_t tnDecks_Hash(const tnDecks* decks, uint64_t hash);

// The first one that is not before a cell of the grid.
int tnDecks_FindFrom(const tnDecks* decks, ptrdiff_t cell);
// The cell of a deck over a cell of the grid, or NULL.
const tnDeckCell* tnDecks_Find(const tnDecks* decks, ptrdiff_t cell);

// Height of the surface, m; the bed where there is no water.
static inline double tnDeckCell_GetSurface(const tnDeckCell* deck)
{
	const double depth = deck->depth > 0.0 ? deck->depth : 0.0;
	const double walled = (double)deck->open * ((double)deck->wallTop - deck->bed);
	return depth <= walled ? deck->bed + depth / deck->open : (double)deck->wallTop + (depth - walled);
}

// body_deck_sample.c -------------------------------------------------------------------------------------------------

// Mean velocity of the water of a cell, m/s: the discharge of both sides over the depth.
tnVec2 tnDeckCell_GetVelocity(const tnDeckCell* deck);
// Without the water below.
tnDeckSample tnSampleDeck(const tnDecks* decks, const tnGrid* grid, tnVec2 position);
// The water on a deck, if there is some, instead of that below.
void tnDecks_AddToSample(const tnDecks* decks, const tnGrid* grid, tnVec2 position, tnSample* sample);
// As tnWorld_CopyDecks.
int tnDecks_Copy(const tnDecks* decks, const tnGrid* grid, float* depths, float* surfaces);

// body_deck_cells.c --------------------------------------------------------------------------------------------------

// Look which bodies have air below, and find the cells of decks anew if these, or what is beside them, have moved.
void tnDecks_FindCells(tnDecks* decks, tnGrid* grid, tnTiles* tiles, tnBodies* bodies, int64_t stepCount);

// body_deck_flow.c ---------------------------------------------------------------------------------------------------

void tnDecks_MoveWater(tnDecks* decks, tnGrid* grid, tnTiles* tiles, tnBodies* bodies, float timeStep);
// Water falls from a cell of the deck to the flow below.
void tnDecks_Drop(tnDecks* decks, tnGrid* grid, tnTiles* tiles, ptrdiff_t cell, double depth);

// Openings lower than this, in cells, between a body and the ground, or another body, are none.
#define TN_DECK_GAP 0.02f

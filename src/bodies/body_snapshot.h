// SPDX-License-Identifier: MIT

// Snapshots of bodies, and of the water around them, in them and on them.

#pragma once

#include "../core/archive.h"
#include "body_flow.h"

// A body that a world does not have, made from its shapes.
typedef struct tnMadeBody
{
	tnBody body;
	int index;
} tnMadeBody;

// What the bytes need that a world may not have.
typedef struct tnBodiesPlan
{
	int slotCount;
	int missingCount; // bodies that have to be made
	bool makes;       // in a second check: make them
	bool hasWaves;    // with room for prints
	bool outOfMemory; // while making them
	tnMadeBody* made;
	int madeCount;
	size_t scratchBytes; // for the largest cut
	tnBodyNeeds needs;   // of the bodies
	tnBodyNeeds groups;  // of the groups, of which bodies may have gone
	int deckCount, deckGroundCount;
	bool isLifted;     // there are cells with a lift
	bool wrapX, wrapZ; // of the world that was saved
} tnBodiesPlan;

// Room for the list of bodies to make. False if memory ran out.
bool tnBodiesPlan_Alloc(tnBodiesPlan* plan, tnMemory* memory);
// Room for all. False if memory ran out.
bool tnBodiesPlan_Prepare(
	tnBodiesPlan* plan, tnBodies* bodies, tnBodyFlow* flow, tnMemory* memory, const tnGrid* grid, int workerCount);
// Give back what is still in it.
void tnBodiesPlan_Free(tnBodiesPlan* plan, tnMemory* memory);

void tnBodies_Archive(tnBodies* bodies, tnArchive* archive, tnBodyFlow* flow, tnGrid* grid, tnMemory* memory,
	int workerCount, tnBodiesPlan* plan);

// @param hollows NULL if there are none
// @param isKnown they are those of the body: else only what can be said without is checked
void tnBodyHollows_Archive(struct tnBodyHollows* hollows, tnArchive* archive, bool isKnown);

// After bodies: plan->slotCount must be known.
void tnDecks_Archive(tnDecks* decks, tnArchive* archive, const tnGrid* grid, tnBodiesPlan* plan);
// Columns that decks need room for.
int64_t tnBodiesPlan_GetDeckColumns(const tnBodiesPlan* plan);

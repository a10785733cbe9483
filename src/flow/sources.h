// SPDX-License-Identifier: MIT

#pragma once

#include "../core/ids.h"
#include "tiles.h"

// Sources, drains, wells and jets.

typedef struct tnSource
{
	tnSourceDef def;
	double pending; // m^3 that were too little for the float32 depths so far
	double volume;  // m^3 since creation
} tnSource;

typedef struct tnSources
{
	tnIdPool ids;
	tnSource* items;
	int capacity;
} tnSources;

tnResult tnSources_CheckDef(const tnSourceDef* def, const tnGrid* grid);
// Room for so many in all. False if memory ran out.
bool tnSources_Reserve(tnSources* sources, tnMemory* memory, int count);
tnResult tnSources_Add(tnSources* sources, tnMemory* memory, const tnSourceDef* def, tnSourceId* id);
void tnSources_Destroy(tnSources* sources, tnMemory* memory);

// What came in by each kind, m^3.
typedef struct tnSourceVolumes
{
	double sources, drains, wells;
} tnSourceVolumes;

tnSourceVolumes tnSources_Apply(tnSources* sources, tnGrid* grid, tnTiles* tiles, double timeStep);

// SPDX-License-Identifier: MIT

// Snapshots of the water: grid, sleep, edges, weather, sources.

#pragma once

#include "../core/archive.h"
#include "edges.h"
#include "sources.h"
#include "sub_step_pace.h"
#include "weather.h"

// What the bytes of a snapshot need that a world may not have. A check fills it in, and tnFlowPlan_Prepare gets it.
typedef struct tnFlowPlan
{
	bool hasResidual, hasLift, isRough;
	bool wrapX, wrapZ;
	bool hasMaps[tn_weatherKindCount];
	int pointCounts[tn_sideCount];
	int sourceCount;
	// Memory that waits to be used.
	float* maps[tn_weatherKindCount];
	tnCurvePoint* points[tn_sideCount];
	bool otherPoints[tn_sideCount]; // those of the world do not fit
} tnFlowPlan;

// False if memory ran out. What was got is then in the plan, or in the world as room that changes nothing.
bool tnFlowPlan_Prepare(tnFlowPlan* plan, tnMemory* memory, tnGrid* grid, const tnEdges* edges,
	const tnWeather* weather, tnSources* sources);
// Give back what is still in it.
void tnFlowPlan_Free(tnFlowPlan* plan, tnMemory* memory, const tnGrid* grid);

// Largest heights and flows that bytes may have: more than hosts may set, because water piles up.
#define TN_MOST_HEIGHT 1.0e7f
#define TN_MOST_FLOW 1.0e12f

void tnGrid_Archive(tnGrid* grid, tnArchive* archive, tnFlowPlan* plan);
void tnTiles_Archive(tnTiles* tiles, tnArchive* archive);
void tnEdges_Archive(tnEdges* edges, tnArchive* archive, tnMemory* memory, tnFlowPlan* plan);
void tnWeather_Archive(tnWeather* weather, tnArchive* archive, tnMemory* memory, const tnGrid* grid, tnFlowPlan* plan);
void tnSources_Archive(tnSources* sources, tnArchive* archive, const tnGrid* grid, tnFlowPlan* plan);
void tnPace_Archive(tnPace* pace, tnArchive* archive);

// A def of an edge. Also for the def of a world.
void tnEdgeDef_Archive(tnEdgeDef* def, tnArchive* archive);
void tnVec2_Archive(tnVec2* value, tnArchive* archive, float most, const char* name);
void tnVec3_Archive(tnVec3* value, tnArchive* archive, float most, const char* name);
// Any numbers: where nothing is, boxes are turned inside out.
void tnCellBox_Archive(tnCellBox* box, tnArchive* archive, const char* name);

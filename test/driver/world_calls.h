// SPDX-License-Identifier: MIT

#pragma once

// Calls on worlds with a terrain, by what they are about. One table in world_calls.c has them all.

#include "core.h"

tnEdgeDef DrawEdge(Driver* d);
void DrawEdges(Driver* d, tnEdgeDef* edges);
void DrawMethod(Driver* d, tnMethod* method, tnAdvection* advection);
double GetLaneCount(const tnWorldDef* def);
void WidenTracers(Driver* d, const float* concentrations);

// body_calls.c, also for voxels: shapes and all else of a body, and its C under the name `def`.
typedef struct BodyDraft
{
	tnBodyDef def;
	tnShapeDef shapes[3];
	tnVec3 points[3][32];
	int32_t triangles[3][3 * 64];
} BodyDraft;
void DrawBody(Driver* d, BodyDraft* draft);
void CheckBodyState(Driver* d, const tnBodyState* state);

extern const DriverCall bodyCalls[], waveCalls[], sprayCalls[], queryCalls[], editCalls[], tuneCalls[], keepCalls[];
extern const int bodyCallCount, waveCallCount, sprayCallCount, queryCallCount, editCallCount, tuneCallCount,
	keepCallCount;

// SPDX-License-Identifier: MIT

#pragma once

#include "body_mesh.h"

// A tree of boxes over the triangles of a mesh: where does a short way meet it first?

typedef struct tnTreeNode
{
	tnVec3 low, high;
	int32_t next; // the node after this one and all below it
	int32_t leaf; // 8 * (first triangle in the order) + count; -1 for nodes that have others below
} tnTreeNode;

typedef struct tnMeshTree
{
	tnTreeNode* nodes; // each before those below it
	int32_t* order;    // of triangles
	int nodeCount, triangleCount;
} tnMeshTree;

// A way from a place, in the frame of the mesh. Double, so that nothing slips through between two triangles.
typedef struct tnMeshWay
{
	double from[3], way[3]; // m
} tnMeshWay;

typedef struct tnMeshHit
{
	double at;        // share of the way
	double normal[3]; // outwards
} tnMeshHit;

typedef enum tnCrossing
{
	tn_entering = 0,
	tn_leaving,
	tn_anyCrossing,
} tnCrossing;

// False if memory ran out.
bool tnMeshTree_Create(tnMeshTree* tree, tnMemory* memory, const tnMesh* mesh);
void tnMeshTree_Destroy(tnMeshTree* tree, tnMemory* memory);
// False if a place, in the frame of the mesh, is outside of it for sure.
bool tnMeshTree_MayHold(const tnMeshTree* tree, const double place[3]);
// Find the first crossing of that kind. Returns whether there is one, without which `hit` means nothing.
bool tnMeshTree_Cast(
	const tnMeshTree* tree, const tnMesh* mesh, const tnMeshWay* way, tnCrossing crossing, tnMeshHit* hit);

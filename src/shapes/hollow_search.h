// SPDX-License-Identifier: MIT

// Where the air in and around a mesh is, and which of it is a basin.

#pragma once

#include "../core/memory.h"
#include "body_triangles.h"
#include "tarn/hollow.h"

// An array that grows. What could not be added is remembered.
typedef struct tnGrowing
{
	tnMemory* memory;
	void* items;
	int count, capacity;
	size_t unit; // bytes
	bool failed;
} tnGrowing;

// One more item, zeroed, or NULL.
void* tnGrowing_Add(tnGrowing* growing);
void tnGrowing_Free(tnGrowing* growing);

// Air between two heights of a vertical ray.
typedef struct tnAir
{
	double low, high;
	double spill;  // to this height water can rise in it before it runs out; INFINITY where it never does
	int32_t basin; // index, or -1
} tnAir;

typedef struct tnBasin
{
	double spill;  // height, m
	double volume; // roughly, m^3
	int rayCount;
} tnBasin;

enum
{
	TN_MAX_BASINS = 64, // that are looked at
};

typedef struct tnHollowSearch
{
	const tnMesh* mesh;
	tnMemory* memory;
	double low[3], high[3]; // of the mesh, m
	double tolerance;       // lengths below this are nothing, m
	// Rays: count[0] along x and count[1] along z. The first and the last of each row and column pass beside the mesh.
	int count[2];
	double first[2], space[2];
	tnAir* air; // by ray
	int32_t* airBegin;
	int airCount;
	// Triangles over the cell between four rays.
	int32_t* bucket;
	int32_t* bucketBegin;
	int bucketCount;
	tnBasin basins[TN_MAX_BASINS];
	int basinCount;
} tnHollowSearch;

// Find the basins. False if memory ran out. Free in any case.
bool tnHollowSearch_Make(tnHollowSearch* search, const tnMesh* mesh, tnMemory* memory);
void tnHollowSearch_Free(tnHollowSearch* search);

enum
{
	TN_OUTER_AIR = -1,
	TN_UNKNOWN_AIR = -2,
};

// The basin that a point in the air is in, or one of these.
int tnHollowSearch_Locate(const tnHollowSearch* search, const double point[3]);

// Is there solid at a point, and how far up does it reach? Above the point or at it; `top` is the point itself if there is air.
bool tnHollowSearch_IsSolid(const tnHollowSearch* search, const double point[3], double* top);

// How far one can go from a point, as a share of a way, until a triangle is met; 1 if none is.
double tnHollowSearch_Cast(const tnHollowSearch* search, const double from[3], const double way[3]);

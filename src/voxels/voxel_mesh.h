// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxel_mesh.h"
#include "voxel_world.h"

// A mesher sees a chunk and what is around it as a pad of voxels, each filled from its bottom up to some height: by ground
// alone, or by ground and, on top of it, liquid. Both styles draw the outside of what is filled. With liquids only those
// parts are kept that have to do with liquid, which is why water has no faces against the ground, and no gaps either.

// Voxels of the pad around the chunk: cells of the smooth mesh reach 1 further down and up, so that normals at the border
// know their neighbours; their vertices look 1 further.
#define TN_MESH_MARGIN 2
#define TN_MESH_BEYOND 3
#define TN_MESH_PAD (TN_VOXEL_CHUNK + TN_MESH_MARGIN + TN_MESH_BEYOND)
#define TN_MESH_LAYER (TN_MESH_PAD * TN_MESH_PAD)
#define TN_MESH_PAD_VOXELS (TN_MESH_PAD * TN_MESH_PAD * TN_MESH_PAD)

// In whole vectors.
#define TN_MESH_PAD_ROOM ((TN_MESH_PAD_VOXELS + 63) / 64 * 64)

// Kind of a voxel that is not loaded. Others have the number of their liquid, or 0.
#define TN_MESH_UNLOADED 0x80

// Corners of cells, which are voxels from -1 to 17, and cells that a chunk can have.
#define TN_MESH_CORNERS (TN_VOXEL_CHUNK + 3)
#define TN_MESH_OWN_CELLS (TN_VOXEL_CHUNK + 1)
#define TN_MESH_MAX_VERTICES (3 * TN_MESH_CORNERS * TN_MESH_CORNERS * TN_MESH_CORNERS)
// A loop through the edges of a cell has at most 12 vertices, so loops have at most 10 triangles in all.
#define TN_CASE_TRIANGLES 10

typedef struct tnMeshCase
{
	uint8_t triangleCount;
	uint8_t edges[3 * TN_CASE_TRIANGLES];
	// The same edges once each, in the order in which they come, and where those of triangles are in that list.
	uint8_t usedCount;
	uint8_t used[12];
	uint8_t corners[3 * TN_CASE_TRIANGLES];
} tnMeshCase;

typedef struct tnMeshVertex
{
	// Place, in voxels: a voxel, and from the middle of its bottom.
	int8_t base[3];
	uint8_t liquid;
	bool isDrawn; // belongs to what is drawn, not only to what it lies against
	float offset[3];
	float normal[3];
	int32_t output; // number in the mesh of the caller, -1 if it is not there
} tnMeshVertex;

// Of a blocky mesh: equal faces of one direction.
typedef struct tnMeshRectangle
{
	int8_t side, slice, u, v, width, height; // v is y at sides, z at tops and bottoms
	uint32_t first, last;                    // of the lowest and the uppermost row
} tnMeshRectangle;

struct tnVoxelMesher
{
	tnMemory memory;
	// Of the other workers, made when they first help. Theirs are none.
	tnVoxelMesher** helpers;
	int32_t helperCount;
	const tnVoxelWorld* busyWith; // whose workers build with it, else NULL
	tnMeshCase cases[256];        // by filled corners of a cell: bit x + 2 y + 4 z

	// The pad. Voxel (x, y, z) of the chunk is at tnGetPadPlace(x, y, z). Ground and words as chunks have them, and what comes of
	// them: units up to which it is filled, of these ground below the liquid, and the kind of that.
	uint8_t solid[TN_MESH_PAD_ROOM];
	uint16_t words[TN_MESH_PAD_ROOM];
	uint16_t tops[TN_MESH_PAD_ROOM];
	uint16_t bottoms[TN_MESH_PAD_ROOM];
	uint16_t kinds[TN_MESH_PAD_ROOM];
	// The same as bits, one after the other: filled, full, wet.
	uint8_t bits[3][TN_MESH_PAD_ROOM / 8];
	// Rows of voxels as bits, by y * TN_MESH_PAD + z: those that have something, are filled to the top, are to be drawn.
	uint32_t filledRows[TN_MESH_LAYER];
	uint32_t fullRows[TN_MESH_LAYER];
	uint32_t drawnRows[TN_MESH_LAYER];
	bool isLoaded[3][3][3]; // chunks around: [y + 1][z + 1][x + 1]
	bool isGround;
	int32_t cap;
	float voxelSize;
	tnVoxel origin; // voxel

	uint32_t seenRows[TN_LAYER]; // blocky: faces in one direction of which something may be seen, by y * 16 + z

	uint16_t edgeVertices[TN_MESH_MAX_VERTICES]; // vertex of an edge, plus 1
	union
	{
		tnMeshVertex vertices[TN_MESH_MAX_VERTICES];
		tnMeshRectangle rectangles[6 * TN_CHUNK_VOXELS];
	};
	int32_t rectangleCount;
	int32_t vertexCount;
	uint16_t corners[TN_MESH_OWN_CELLS * TN_MESH_OWN_CELLS * TN_MESH_OWN_CELLS * 3 * TN_CASE_TRIANGLES];
	int32_t cornerCount;
};

static inline int32_t tnGetPadPlace(int32_t x, int32_t y, int32_t z)
{
	return ((y + TN_MESH_MARGIN) * TN_MESH_PAD + z + TN_MESH_MARGIN) * TN_MESH_PAD + x + TN_MESH_MARGIN;
}

// Meters from voxels. Wherever it is called from, the same place has the same bits.
static inline float tnGetMeshLength(const tnVoxelMesher* mesher, int32_t voxel, float offset)
{
	return (float)(((double)voxel + (double)offset) * (double)mesher->voxelSize);
}

// voxel_mesh_smooth.c
void tnMakeMeshCases(tnMeshCase* cases);
// Both make counts, and fill the arrays if they are large enough. False if they are not.
bool tnBuildSmoothMesh(tnVoxelMesher* mesher, tnVoxelMesh* mesh);
// voxel_mesh_blocky.c
bool tnBuildBlockyMesh(tnVoxelMesher* mesher, tnVoxelMesh* mesh);

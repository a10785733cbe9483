// SPDX-License-Identifier: MIT

#pragma once

#include "frame/camera.h"
#include "gl/gl.h"

// Meshes of a voxel world on the GPU, a set of buffers for each chunk that has triangles.

enum
{
	// Layers of a chunk: the ground, then each liquid.
	tnr_voxelLayers = TN_MAX_LIQUIDS + 1,
	tnr_voxelShadowSize = 2048,
	// Meshes that are made at the same time, by all workers of the world.
	tnr_voxelBatch = 16,
};

typedef struct tnrVoxelPiece
{
	uint64_t key;
	GLuint vertexArray, vertexBuffer, indexBuffer;
	GLsizei indexCount;
	float low, high;
} tnrVoxelPiece;

typedef struct tnrVoxels
{
	tnrVoxelDef def;
	tnVoxelMesher* mesher;
	tnrVoxelPiece* pieces; // [chunk][layer]
	// Of each chunk: layers whose mesh may be another one, as bits, and what it was made of: see tnrDigest.
	uint32_t* dirty;
	struct tnrDigest* digests; // [chunk][layer]
	int chunkCount, nx, ny, nz, layerCount;
	float voxelSize;
	tnrBox box;       // of all chunks, from their corner in x and z
	tnVoxelBox shown; // voxels
	tnVec2 origin;
	// Meshes that are made next, the pieces that they are for, and where one of them is put together to be uploaded.
	tnVoxelMeshTask batch[tnr_voxelBatch];
	int batchPieces[tnr_voxelBatch];
	int batchCount;
	float* vertices;
	int vertexCapacity;
	uint8_t* freshColumns; // of chunks, where something looks different now
	// Height of the highest ground of each column of voxels, and of liquid on it: who stands lower does not see the sky.
	GLuint topTexture;
	// Velocity of the uppermost liquid of each column along x, z and y, m/s, as half floats. Columns of chunks are asked where
	// something has changed or moved before, the others in turn.
	GLuint currentTexture;
	uint16_t* currents;
	uint8_t* movingColumns; // of chunks, where some of it moved when they were asked last
	int nextCurrent;
	float* tops;
	// Ground and liquid of a chunk.
	uint8_t* column;
	uint16_t* amounts;
	uint8_t* kinds;
	float low, high; // of all ground and liquid
	GLuint shadowMap, shadowFramebuffer;
	bool any;
} tnrVoxels;

bool tnrMakeVoxels(tnrVoxels* voxels, const tnVoxelWorld* world, const tnrVoxelDef* def);
void tnrDestroyVoxels(tnrVoxels* voxels);
void tnrForgetVoxels(tnrVoxels* voxels);
// @param changed NULL for all
void tnrUpdateVoxels(tnrVoxels* voxels, tnVoxelWorld* world, const tnVoxel* changed, int count);

// A matrix by which the sun sees all of it, and how many meters a texel of its map is.
tnrMatrix tnrAimVoxelShadows(const tnrVoxels* voxels, tnVec3 sun, float* texel, float* depth);
// @param layer 0 for the ground. @return triangles
int tnrDrawVoxels(const tnrVoxels* voxels, int layer, const tnrMatrix* viewProjection);

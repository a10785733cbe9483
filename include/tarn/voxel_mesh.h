// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/voxels.h"

/// @file Triangles of the ground and of the liquids of a voxel world, chunk by chunk, for drawing.
///
/// A mesher has a table and room to work in, about 1.2 MiB, and allocates only when it is created, and when it first gets the help of
/// all workers (tnVoxelMesher_BuildMany), as much for each. It only reads a world: several threads may mesh one world at once, each
/// with a mesher of its own, while nobody steps or edits it.
///
/// The triangles of neighbouring chunks fit together: vertices and normals on their border have the same bits. The mesh of
/// a chunk depends on voxels up to three away from it. So when tnVoxelWorld_TakeChanged names a chunk, its 26 neighbours may
/// look different too; tnVoxelMesher_GetKey tells which do.

/// Works on one mesh at a time.
typedef struct tnVoxelMesher tnVoxelMesher;

typedef enum tnVoxelMeshStyle
{
	/// Rounded. The top of ground and liquid is exact at the middle of each column of voxels and straight in between, so
	/// that still water is flat at its level up to the shore, where it runs on into the ground by half a voxel.
	tn_smoothMesh = 0,
	/// Boxes, as high as they are filled. Equal faces are one.
	tn_blockyMesh,
	tn_voxelMeshStyleCount,
} tnVoxelMeshStyle;

/// Instead of the number of a liquid.
#define TN_MESH_GROUND 0
#define TN_MESH_ALL_LIQUIDS (-1)

/// What to make triangles of. Start from tnDefaultVoxelMeshDef.
typedef struct tnVoxelMeshDef
{
	tnVoxelMeshStyle style;
	/// TN_MESH_GROUND, the number of one liquid, for which the others are air, or TN_MESH_ALL_LIQUIDS, which has no faces
	/// between liquids. There are no faces between liquid and ground. Default TN_MESH_GROUND.
	int32_t liquid;
	/// What is not loaded is rock that is not drawn: the world is open at its rim. With this it is air, and the rim of the
	/// world is a cut through ground and water: a smooth one through the middles of the outermost voxels. Default false.
	bool cutOut;
	/// Voxels to make triangles of: all others count as not loaded. With cutOut this shows what is inside of things. Where
	/// low and high are equal, as by default, it is all that is loaded.
	tnVoxelBox clip;
	uint32_t stamp;
} tnVoxelMeshDef;

TN_API tnVoxelMeshDef tnDefaultVoxelMeshDef(void);

/// Arrays of the caller, and what is in them.
typedef struct tnVoxelMesh
{
	/// Meters, with the corner of voxel (0, 0, 0) at zero, and unit length, away from the matter. Normals may be NULL.
	tnVec3* positions;
	tnVec3* normals;
	/// Number of the liquid at each vertex, 0 for ground. May be NULL.
	uint8_t* liquids;
	int32_t vertexCapacity;
	/// Three for each triangle, counter-clockwise as seen from where the normal points.
	uint32_t* indices;
	int32_t indexCapacity;
	/// Set by tnVoxelMesher_Build: what the mesh has, or would have.
	int32_t vertexCount;
	int32_t indexCount;
} tnVoxelMesh;

/// @param allocator NULL for the memory of the C library
/// @param mesher receives the mesher, NULL on failure
TN_API tnResult tnCreateVoxelMesher(const tnAllocator* allocator, tnVoxelMesher** mesher);
/// NULL is fine. From a task of tnVoxelMesher_BuildMany nothing is destroyed, and the error hook of the world is told.
TN_API void tnDestroyVoxelMesher(tnVoxelMesher* mesher);

/// Triangles of one chunk. If they do not fit, the counts say how much is needed, the arrays are as they were, and the
/// result is tn_outOfMemory. Capacities of 0 ask for the counts, and need no arrays.
/// @param chunk place of a loaded chunk: (1, 0, 0) begins at voxel 16
TN_API tnResult tnVoxelMesher_Build(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def, tnVoxelMesh* mesh);

/// One of many meshes.
typedef struct tnVoxelMeshTask
{
	/// As in tnVoxelMesher_Build.
	tnVoxel chunk;
	tnVoxelMeshDef def;
	tnVoxelMesh mesh;
	/// Of the mesh that the caller has, 0 for none; receives that of what is there now, as tnVoxelMesher_GetKey has it. If it is the
	/// same nothing is made, and the mesh is as it was, counts included.
	uint64_t key;
	/// Set: the key is another, and the mesh has been made.
	bool isNew;
	/// Set: it does not fit. The counts say how much is needed; key and arrays are as they were.
	bool isTooLarge;
} tnVoxelMeshTask;

/// Triangles of many chunks, by all workers of the world: those whose keys have changed. The same bits as one after the other. Not
/// while another thread has its workers work. Nothing is done if one of the tasks is wrong. Meshes that do not fit are no failure.
/// @param tasks no two may share arrays
TN_API tnResult tnVoxelMesher_BuildMany(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxelMeshTask* tasks, int32_t taskCount);

/// Of all that decides the mesh of a chunk, 0 if it has no triangles. Equal keys at different times: the same mesh.
TN_API tnResult tnVoxelMesher_GetKey(
	tnVoxelMesher* mesher, const tnVoxelWorld* world, tnVoxel chunk, const tnVoxelMeshDef* def, uint64_t* key);

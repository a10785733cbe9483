// SPDX-License-Identifier: MIT

#include "voxel_mesh.h"

#include <string.h>

// Boxes. For each of six directions and each slice of the chunk: which part of each face is to be seen, then equal faces
// are joined to rectangles, first along a row, then row by row.

// Seen part of a face in units from the bottom of its voxel, and the liquid; 0: nothing is seen. With tops, both are the
// height of the face.
static uint32_t tnPackFace(int32_t low, int32_t high, int32_t kind)
{
	return (uint32_t)low | (uint32_t)high << 13 | (uint32_t)kind << 26 | 1u << 31;
}

static int32_t tnGetFaceLow(uint32_t face)
{
	return (int32_t)(face & 0x1fff);
}

static int32_t tnGetFaceHigh(uint32_t face)
{
	return (int32_t)(face >> 13 & 0x1fff);
}

static int32_t tnGetFaceKind(uint32_t face)
{
	return (int32_t)(face >> 26 & 0xf);
}

static uint32_t tnSeeFace(const tnVoxelMesher* mesher, int32_t place, tnVoxelSide side)
{
	static const int32_t steps[tn_voxelSideCount] = {-1, 1, -TN_MESH_PAD, TN_MESH_PAD, -TN_MESH_LAYER, TN_MESH_LAYER};
	const int32_t kind = mesher->kinds[place];
	const int32_t bottom = mesher->bottoms[place];
	const int32_t top = mesher->tops[place];
	const int32_t beyond = mesher->tops[place + steps[side]];
	if (side == tn_voxelUp)
	{
		return top < mesher->cap || beyond == 0 ? tnPackFace(top, top, kind) : 0;
	}
	if (side == tn_voxelDown)
	{
		return bottom == 0 && beyond < mesher->cap ? tnPackFace(0, 0, kind) : 0;
	}
	const int32_t low = tnMaxInt(bottom, beyond);
	return low < top ? tnPackFace(low, top, kind) : 0;
}

typedef struct tnRectangle
{
	int32_t slice, u, v, width, height; // v is y at sides, z at tops and bottoms
	uint32_t first, last;               // of the lowest and the uppermost row
} tnRectangle;

static void tnWriteRectangle(
	const tnVoxelMesher* mesher, tnVoxelSide side, const tnRectangle* rectangle, tnVoxelMesh* mesh)
{
	const float lowShare = (float)tnGetFaceLow(rectangle->first) / (float)mesher->cap;
	const float highShare = (float)tnGetFaceHigh(rectangle->last) / (float)mesher->cap;
	tnVec3 corners[4];
	tnVec3 normal = {0.0f, 0.0f, 0.0f};
	const bool isPositive = ((int)side & 1) != 0;
	const float sign = isPositive ? 1.0f : -1.0f;
	for (int32_t i = 0; i < 4; ++i)
	{
		// Counter-clockwise where u, v and the direction make a right hand.
		const bool isFar = i == 1 || i == 2;
		const bool isHigh = i >= 2;
		const int32_t u = rectangle->u + (isFar ? rectangle->width : 0);
		if (side == tn_voxelUp || side == tn_voxelDown)
		{
			const int32_t v = rectangle->v + (isHigh ? rectangle->height : 0);
			corners[i].x = tnGetMeshLength(mesher, mesher->origin.x + u, 0.0f);
			corners[i].y = tnGetMeshLength(mesher, mesher->origin.y + rectangle->slice, highShare);
			corners[i].z = tnGetMeshLength(mesher, mesher->origin.z + v, 0.0f);
			normal.y = sign;
			continue;
		}
		const int32_t v = rectangle->v + (isHigh ? rectangle->height - 1 : 0);
		const int32_t plane = rectangle->slice + (isPositive ? 1 : 0);
		corners[i].y = tnGetMeshLength(mesher, mesher->origin.y + v, isHigh ? highShare : lowShare);
		if (side == tn_voxelWest || side == tn_voxelEast)
		{
			corners[i].x = tnGetMeshLength(mesher, mesher->origin.x + plane, 0.0f);
			corners[i].z = tnGetMeshLength(mesher, mesher->origin.z + u, 0.0f);
			normal.x = sign;
		}
		else
		{
			corners[i].x = tnGetMeshLength(mesher, mesher->origin.x + u, 0.0f);
			corners[i].z = tnGetMeshLength(mesher, mesher->origin.z + plane, 0.0f);
			normal.z = sign;
		}
	}
	// (x, z) and up, (z, y) and east are left hands, (x, y) and south is a right one.
	const bool isRight = (side == tn_voxelNorth || side == tn_voxelSouth) == isPositive;
	static const uint8_t orders[2][6] = {{0, 2, 1, 0, 3, 2}, {0, 1, 2, 0, 2, 3}};
	for (int32_t i = 0; i < 6; ++i)
	{
		mesh->indices[mesh->indexCount + i] = (uint32_t)mesh->vertexCount + orders[isRight ? 1 : 0][i];
	}
	for (int32_t i = 0; i < 4; ++i)
	{
		mesh->positions[mesh->vertexCount + i] = corners[i];
		if (mesh->normals != NULL)
		{
			mesh->normals[mesh->vertexCount + i] = normal;
		}
		if (mesh->liquids != NULL)
		{
			mesh->liquids[mesh->vertexCount + i] = (uint8_t)tnGetFaceKind(rectangle->first);
		}
	}
}

// Does a face join the one below it, or beside it in the case of tops?
static bool tnIsContinued(const tnVoxelMesher* mesher, bool isSide, uint32_t lower, uint32_t upper)
{
	if (!isSide)
	{
		return lower == upper;
	}
	return upper != 0 && tnGetFaceHigh(lower) == mesher->cap && tnGetFaceLow(upper) == 0 &&
		tnGetFaceKind(lower) == tnGetFaceKind(upper);
}

static void tnMeshSlice(const tnVoxelMesher* mesher, tnVoxelSide side, int32_t slice, tnVoxelMesh* mesh, bool isWriting)
{
	uint32_t faces[TN_VOXEL_CHUNK][TN_VOXEL_CHUNK];
	const bool isSide = side != tn_voxelUp && side != tn_voxelDown;
	const bool isEast = side == tn_voxelWest || side == tn_voxelEast;
	uint32_t any = 0;
	for (int32_t v = 0; v < TN_VOXEL_CHUNK; ++v)
	{
		for (int32_t u = 0; u < TN_VOXEL_CHUNK; ++u)
		{
			const int32_t place = !isSide ? tnGetPadPlace(u, slice, v)
				: isEast                  ? tnGetPadPlace(slice, v, u)
										  : tnGetPadPlace(u, v, slice);
			const int32_t x = isEast ? slice : u;
			const int32_t row = isSide ? v * TN_ROW + (isEast ? u : slice) : slice * TN_ROW + v;
			const bool isSeen = (mesher->seenRows[row] >> x & 1u) != 0;
			faces[v][u] = isSeen ? tnSeeFace(mesher, place, side) : 0;
			any |= faces[v][u];
		}
	}
	for (int32_t v = 0; v < TN_VOXEL_CHUNK && any != 0; ++v)
	{
		for (int32_t u = 0; u < TN_VOXEL_CHUNK; ++u)
		{
			const uint32_t face = faces[v][u];
			if (face == 0)
			{
				continue;
			}
			tnRectangle rectangle = {slice, u, v, 1, 1, face, face};
			while (u + rectangle.width < TN_VOXEL_CHUNK && faces[v][u + rectangle.width] == face)
			{
				rectangle.width += 1;
			}
			while (v + rectangle.height < TN_VOXEL_CHUNK)
			{
				const uint32_t* row = faces[v + rectangle.height] + u;
				bool isContinued = tnIsContinued(mesher, isSide, rectangle.last, row[0]);
				for (int32_t i = 1; i < rectangle.width && isContinued; ++i)
				{
					isContinued = row[i] == row[0];
				}
				if (!isContinued)
				{
					break;
				}
				rectangle.last = row[0];
				rectangle.height += 1;
			}
			for (int32_t i = 0; i < rectangle.height; ++i)
			{
				memset(faces[v + i] + u, 0, (size_t)rectangle.width * sizeof(uint32_t));
			}
			if (isWriting)
			{
				tnWriteRectangle(mesher, side, &rectangle, mesh);
			}
			mesh->vertexCount += 4;
			mesh->indexCount += 6;
		}
	}
}

// Faces that are not behind something full. Returns which slices have any.
static uint32_t tnFindSeen(tnVoxelMesher* mesher, tnVoxelSide side)
{
	uint32_t slices = 0;
	for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
	{
		for (int32_t z = 0; z < TN_VOXEL_CHUNK; ++z)
		{
			const int32_t row = (y + TN_MESH_MARGIN) * TN_MESH_PAD + z + TN_MESH_MARGIN;
			const uint32_t full = mesher->fullRows[row];
			const uint32_t hidden = side == tn_voxelWest ? full << 1
				: side == tn_voxelEast                   ? full >> 1
				: side == tn_voxelNorth                  ? mesher->fullRows[row - 1]
				: side == tn_voxelSouth                  ? mesher->fullRows[row + 1]
				: side == tn_voxelDown                   ? mesher->fullRows[row - TN_MESH_PAD]
														 : full & mesher->filledRows[row + TN_MESH_PAD];
			const uint32_t seen = (mesher->drawnRows[row] & ~hidden) >> TN_MESH_MARGIN & 0xffffu;
			mesher->seenRows[y * TN_ROW + z] = seen;
			const int32_t slice = side == tn_voxelUp || side == tn_voxelDown ? y : z;
			slices |= side == tn_voxelWest || side == tn_voxelEast ? seen : (uint32_t)(seen != 0 ? 1 : 0) << slice;
		}
	}
	return slices;
}

static void tnMeshSlices(tnVoxelMesher* mesher, tnVoxelMesh* mesh, bool isWriting)
{
	mesh->vertexCount = 0;
	mesh->indexCount = 0;
	for (int32_t side = 0; side < tn_voxelSideCount; ++side)
	{
		const uint32_t slices = tnFindSeen(mesher, (tnVoxelSide)side);
		for (int32_t slice = 0; slice < TN_VOXEL_CHUNK; ++slice)
		{
			if ((slices >> slice & 1u) != 0)
			{
				tnMeshSlice(mesher, (tnVoxelSide)side, slice, mesh, isWriting);
			}
		}
	}
}

bool tnBuildBlockyMesh(tnVoxelMesher* mesher, tnVoxelMesh* mesh)
{
	tnMeshSlices(mesher, mesh, false);
	if (mesh->vertexCount > mesh->vertexCapacity || mesh->indexCount > mesh->indexCapacity)
	{
		return false;
	}
	tnMeshSlices(mesher, mesh, true);
	return true;
}

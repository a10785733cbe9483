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

// Meters of the planes between voxels of the chunk, along x and z.
typedef struct tnMeshPlanes
{
	float x[TN_VOXEL_CHUNK + 1];
	float z[TN_VOXEL_CHUNK + 1];
} tnMeshPlanes;

static void tnWriteRectangle(const tnVoxelMesher* mesher, const tnMeshPlanes* planes, const tnMeshRectangle* rectangle,
	int32_t number, tnVoxelMesh* mesh)
{
	const tnVoxelSide side = (tnVoxelSide)rectangle->side;
	const float lowShare = (float)tnGetFaceLow(rectangle->first) / (float)mesher->cap;
	const float highShare = (float)tnGetFaceHigh(rectangle->last) / (float)mesher->cap;
	const int32_t u = rectangle->u, v = rectangle->v, farU = u + rectangle->width;
	const bool isPositive = ((int)side & 1) != 0;
	const float sign = isPositive ? 1.0f : -1.0f;
	tnVec3* corners = mesh->positions + 4 * number;
	tnVec3 normal = {0.0f, 0.0f, 0.0f};
	// Counter-clockwise where u, v and the direction make a right hand: near low, far low, far high, near high.
	if (side == tn_voxelUp || side == tn_voxelDown)
	{
		const float y = tnGetMeshLength(mesher, mesher->origin.y + rectangle->slice, highShare);
		const float low = planes->z[v], high = planes->z[v + rectangle->height];
		corners[0] = (tnVec3){planes->x[u], y, low};
		corners[1] = (tnVec3){planes->x[farU], y, low};
		corners[2] = (tnVec3){planes->x[farU], y, high};
		corners[3] = (tnVec3){planes->x[u], y, high};
		normal.y = sign;
	}
	else
	{
		const int32_t plane = rectangle->slice + (isPositive ? 1 : 0);
		const float low = tnGetMeshLength(mesher, mesher->origin.y + v, lowShare);
		const float high = tnGetMeshLength(mesher, mesher->origin.y + v + rectangle->height - 1, highShare);
		const bool isEast = side == tn_voxelWest || side == tn_voxelEast;
		const float* along = isEast ? planes->z : planes->x;
		const float heights[4] = {low, low, high, high};
		const float places[4] = {along[u], along[farU], along[farU], along[u]};
		for (int32_t i = 0; i < 4; ++i)
		{
			corners[i] = isEast ? (tnVec3){planes->x[plane], heights[i], places[i]}
								: (tnVec3){places[i], heights[i], planes->z[plane]};
		}
		normal.x = isEast ? sign : 0.0f;
		normal.z = isEast ? 0.0f : sign;
	}
	// (x, z) and up, (z, y) and east are left hands, (x, y) and south is a right one.
	const bool isRight = (side == tn_voxelNorth || side == tn_voxelSouth) == isPositive;
	static const uint8_t orders[2][6] = {{0, 2, 1, 0, 3, 2}, {0, 1, 2, 0, 2, 3}};
	for (int32_t i = 0; i < 6; ++i)
	{
		mesh->indices[6 * number + i] = (uint32_t)(4 * number) + orders[isRight ? 1 : 0][i];
	}
	for (int32_t i = 0; i < 4 && mesh->normals != NULL; ++i)
	{
		mesh->normals[4 * number + i] = normal;
	}
	if (mesh->liquids != NULL)
	{
		memset(mesh->liquids + 4 * number, tnGetFaceKind(rectangle->first), 4);
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

// Rows of faces of a slice, as bits: faces that may be seen, by v.
static void tnGetSliceBits(const tnVoxelMesher* mesher, tnVoxelSide side, int32_t slice, uint32_t* rows)
{
	const bool isEast = side == tn_voxelWest || side == tn_voxelEast;
	for (int32_t v = 0; v < TN_VOXEL_CHUNK; ++v)
	{
		const uint32_t* seen = mesher->seenRows + v * TN_ROW;
		rows[v] = side == tn_voxelUp || side == tn_voxelDown ? mesher->seenRows[slice * TN_ROW + v] : seen[slice];
		if (isEast)
		{
			rows[v] = 0;
			for (int32_t u = 0; u < TN_VOXEL_CHUNK; ++u)
			{
				rows[v] |= (seen[u] >> slice & 1u) << u;
			}
		}
	}
}

static void tnMeshSlice(tnVoxelMesher* mesher, tnVoxelSide side, int32_t slice)
{
	uint32_t faces[TN_VOXEL_CHUNK][TN_VOXEL_CHUNK];
	uint32_t rows[TN_VOXEL_CHUNK];
	const bool isSide = side != tn_voxelUp && side != tn_voxelDown;
	const bool isEast = side == tn_voxelWest || side == tn_voxelEast;
	tnGetSliceBits(mesher, side, slice, rows);
	for (int32_t v = 0; v < TN_VOXEL_CHUNK; ++v)
	{
		for (uint32_t left = rows[v]; left != 0; left &= left - 1)
		{
			const int32_t u = tnFindLowestBit(left);
			const int32_t place = !isSide ? tnGetPadPlace(u, slice, v)
				: isEast                  ? tnGetPadPlace(slice, v, u)
										  : tnGetPadPlace(u, v, slice);
			faces[v][u] = tnSeeFace(mesher, place, side);
			rows[v] &= faces[v][u] != 0 ? ~0u : ~(1u << u);
		}
	}
	for (int32_t v = 0; v < TN_VOXEL_CHUNK; ++v)
	{
		while (rows[v] != 0)
		{
			const int32_t u = tnFindLowestBit(rows[v]);
			const uint32_t face = faces[v][u];
			int32_t width = 1, height = 1;
			while ((rows[v] >> (u + width) & 1u) != 0 && faces[v][u + width] == face)
			{
				width += 1;
			}
			const uint32_t bits = ((1u << width) - 1u) << u;
			uint32_t last = face;
			while (v + height < TN_VOXEL_CHUNK && (rows[v + height] & bits) == bits)
			{
				const uint32_t* row = faces[v + height] + u;
				bool isContinued = tnIsContinued(mesher, isSide, last, row[0]);
				for (int32_t i = 1; i < width && isContinued; ++i)
				{
					isContinued = row[i] == row[0];
				}
				if (!isContinued)
				{
					break;
				}
				last = row[0];
				height += 1;
			}
			for (int32_t i = 0; i < height; ++i)
			{
				rows[v + i] &= ~bits;
			}
			mesher->rectangles[mesher->rectangleCount++] = (tnMeshRectangle){
				(int8_t)side, (int8_t)slice, (int8_t)u, (int8_t)v, (int8_t)width, (int8_t)height, face, last};
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

bool tnBuildBlockyMesh(tnVoxelMesher* mesher, tnVoxelMesh* mesh)
{
	mesher->rectangleCount = 0;
	for (int32_t side = 0; side < tn_voxelSideCount; ++side)
	{
		for (uint32_t left = tnFindSeen(mesher, (tnVoxelSide)side); left != 0; left &= left - 1)
		{
			tnMeshSlice(mesher, (tnVoxelSide)side, tnFindLowestBit(left));
		}
	}
	mesh->vertexCount = 4 * mesher->rectangleCount;
	mesh->indexCount = 6 * mesher->rectangleCount;
	if (mesh->vertexCount > mesh->vertexCapacity || mesh->indexCount > mesh->indexCapacity)
	{
		return false;
	}
	tnMeshPlanes planes;
	for (int32_t i = 0; i <= TN_VOXEL_CHUNK; ++i)
	{
		planes.x[i] = tnGetMeshLength(mesher, mesher->origin.x + i, 0.0f);
		planes.z[i] = tnGetMeshLength(mesher, mesher->origin.z + i, 0.0f);
	}
	for (int32_t i = 0; i < mesher->rectangleCount; ++i)
	{
		tnWriteRectangle(mesher, &planes, mesher->rectangles + i, i, mesh);
	}
	return true;
}

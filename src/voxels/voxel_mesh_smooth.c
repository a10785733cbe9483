// SPDX-License-Identifier: MIT

#include "voxel_mesh.h"

#include <math.h>
#include <string.h>

// Marching cubes between the middles of voxels. What differs from the usual is where vertices are put: a voxel is not a
// sample of a field, it is filled from its bottom up to a height that is known exactly.
//
//      |     .     |            Cells have corners in the middles of voxels. A corner is filled or not; on each edge
//  ----+-----.-----+----        between a filled and an empty one there is a vertex.
//      |     .     |            Vertical edges: at the height to which the lower voxel is filled.
//    ..o.....x.....o..          Horizontal edges: half way, where the voxel ends, and as high as the mean of the tops on
//      | ####.     |            both sides if they are a slope, so that ground and water are straight there.
//  ----+-####.-----+----
//        ####.
//
// Water next to ground is filled, next to filled: no faces. Where ground stands higher than water, the vertices beside
// the water move into the ground at the level of the water, and the ground hides the rim.

// ---------------------------------------------------------------------------------------------------------------------
// Cases

// Edge of a cell: axis * 4 + u + 2 v, where u and v are the places on the axes that follow.
static int32_t tnGetEdge(int32_t axis, int32_t u, int32_t v)
{
	return axis * 4 + u + 2 * v;
}

// Corner as x + 2 y + 4 z from places on an axis and the two that follow.
static int32_t tnGetCorner(int32_t axis, int32_t along, int32_t u, int32_t v)
{
	return along << axis | u << (axis + 1) % 3 | v << (axis + 2) % 3;
}

// Bit 2 * axis + side for both faces of a cell that an edge lies in.
static uint32_t tnGetFaces(int32_t edge)
{
	const int32_t axis = edge / 4;
	const int32_t u = edge & 1;
	const int32_t v = edge >> 1 & 1;
	return 1u << (2 * ((axis + 1) % 3) + u) | 1u << (2 * ((axis + 2) % 3) + v);
}

// Divide a loop of edges into triangles. A line between two edges of the same face that is not part of the loop would
// lie in that face, where the cell beyond can have one too: then four triangles meet there. False if that is unavoidable.
static bool tnDivideLoop(tnMeshCase* target, const uint8_t* loop, int32_t count)
{
	if (count < 3)
	{
		return true;
	}
	const uint8_t first = loop[0];
	const uint8_t last = loop[count - 1];
	for (int32_t k = 1; k < count - 1; ++k)
	{
		const bool isLeftFree = k == 1 || (tnGetFaces(first) & tnGetFaces(loop[k])) == 0;
		const bool isRightFree = k == count - 2 || (tnGetFaces(loop[k]) & tnGetFaces(last)) == 0;
		const uint8_t triangleCount = target->triangleCount;
		if (!isLeftFree || !isRightFree)
		{
			continue;
		}
		uint8_t* edges = target->edges + 3 * triangleCount;
		edges[0] = first;
		edges[1] = loop[k];
		edges[2] = last;
		target->triangleCount += 1;
		if (tnDivideLoop(target, loop, k + 1) && tnDivideLoop(target, loop + k, count - k))
		{
			return true;
		}
		target->triangleCount = triangleCount;
	}
	return false;
}

static void tnMakeMeshCase(tnMeshCase* target, uint32_t filled)
{
	// Seen from outside, walk around each face counter-clockwise. Wherever the walk comes into what is filled, through one
	// edge, and leaves it, through another, the surface passes from the first to the second. Filled corners across the
	// diagonal of a face are never joined: that depends on the face alone, so the cell beyond does the same. Each edge is
	// entered on one of its two faces and left on the other, so what begins anywhere comes back.
	static const int32_t walk[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
	int32_t next[12];
	for (int32_t edge = 0; edge < 12; ++edge)
	{
		next[edge] = -1;
	}
	for (int32_t face = 0; face < 6; ++face)
	{
		const int32_t axis = face / 2;
		const int32_t side = face % 2;
		bool isFilled[4];
		int32_t edges[4]; // between corner i and the one after it
		for (int32_t i = 0; i < 4; ++i)
		{
			const int32_t* a = walk[side == 1 ? i : 3 - i];
			const int32_t* b = walk[side == 1 ? (i + 1) % 4 : (6 - i) % 4];
			isFilled[i] = (filled >> tnGetCorner(axis, side, a[0], a[1]) & 1u) != 0;
			// Along the first axis after this one, or along the second: see tnGetEdge for the order of the other two.
			edges[i] = a[0] != b[0] ? tnGetEdge((axis + 1) % 3, a[1], side) : tnGetEdge((axis + 2) % 3, side, a[0]);
		}
		for (int32_t i = 0; i < 4; ++i)
		{
			if (!isFilled[i] || isFilled[(i + 3) % 4])
			{
				continue;
			}
			int32_t end = i;
			while (isFilled[(end + 1) % 4])
			{
				end = (end + 1) % 4;
			}
			next[edges[(i + 3) % 4]] = edges[end];
		}
	}
	target->triangleCount = 0;
	for (int32_t begin = 0; begin < 12; ++begin)
	{
		uint8_t loop[12];
		int32_t count = 0;
		for (int32_t edge = begin; next[edge] >= 0;)
		{
			const int32_t following = next[edge];
			loop[count++] = (uint8_t)edge;
			next[edge] = -1;
			edge = following;
		}
		const bool isDivided = tnDivideLoop(target, loop, count);
		TN_ASSERT(isDivided);
		(void)isDivided;
	}
}

static void tnListUsedEdges(tnMeshCase* target)
{
	target->usedCount = 0;
	for (int32_t i = 0; i < 3 * target->triangleCount; ++i)
	{
		int32_t k = 0;
		while (k < target->usedCount && target->used[k] != target->edges[i])
		{
			k += 1;
		}
		target->used[k] = target->edges[i];
		target->usedCount = (uint8_t)(k == target->usedCount ? k + 1 : target->usedCount);
		target->corners[i] = (uint8_t)k;
	}
}

void tnMakeMeshCases(tnMeshCase* cases)
{
	for (uint32_t filled = 0; filled < 256; ++filled)
	{
		tnMakeMeshCase(cases + filled, filled);
		tnListUsedEdges(cases + filled);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Vertices

// Steps in the pad along x, y, z.
static const int32_t s_strides[3] = {1, TN_MESH_LAYER, TN_MESH_PAD};

static float tnGetShare(const tnVoxelMesher* mesher, int32_t units)
{
	return (float)units / (float)mesher->cap;
}

static bool tnIsWet(const tnVoxelMesher* mesher, int32_t place)
{
	return (mesher->kinds[place] & ~TN_MESH_UNLOADED) != 0;
}

// Up to where liquid stands in a voxel, or goes on below ground that stands higher than liquid around it. 0: no liquid.
static int32_t tnFindLevel(const tnVoxelMesher* mesher, int32_t place, uint8_t* liquid)
{
	if (mesher->isGround)
	{
		return 0;
	}
	if (tnIsWet(mesher, place))
	{
		*liquid = mesher->kinds[place];
		return mesher->tops[place];
	}
	int32_t level = 0;
	for (int32_t i = 0; i < 9; ++i)
	{
		const int32_t other = place + (i / 3 - 1) * s_strides[2] + i % 3 - 1;
		const int32_t top = mesher->tops[other];
		if (tnIsWet(mesher, other) && !tnIsWet(mesher, other + TN_MESH_LAYER) && top < mesher->tops[place] &&
			top > level)
		{
			level = top;
			*liquid = mesher->kinds[other];
		}
	}
	return level;
}

// Upwards from a filled voxel.
static void tnPlaceTop(const tnVoxelMesher* mesher, int32_t place, tnMeshVertex* vertex)
{
	const int32_t level = tnFindLevel(mesher, place, &vertex->liquid);
	vertex->offset[1] = tnGetShare(mesher, level > 0 ? level : mesher->tops[place]);
}

// From a filled voxel to an empty one beside it.
static void tnPlaceSide(
	const tnVoxelMesher* mesher, int32_t place, int32_t empty, int32_t axis, float direction, tnMeshVertex* vertex)
{
	const bool isTop = mesher->tops[place + TN_MESH_LAYER] == 0;
	const int32_t below = empty - TN_MESH_LAYER;
	const bool isSlope = mesher->tops[below] > 0;
	vertex->offset[axis] = 0.5f * direction;
	vertex->offset[1] = isTop ? 0.5f * tnGetShare(mesher, mesher->tops[place]) : 0.5f;
	const int32_t level = isSlope && !tnIsWet(mesher, place) ? tnFindLevel(mesher, below, &vertex->liquid) : 0;
	if (level > 0)
	{
		// A shore. Into the ground, unless there is none to be seen.
		vertex->offset[axis] = mesher->kinds[place] == TN_MESH_UNLOADED ? 0.5f * direction : 0.0f;
		vertex->base[1] = (int8_t)(vertex->base[1] - 1);
		vertex->offset[1] = tnGetShare(mesher, level);
	}
	else if (mesher->kinds[place] == TN_MESH_UNLOADED)
	{
		// The rim of the world is open.
		if (isSlope)
		{
			vertex->base[1] = (int8_t)(vertex->base[1] - 1);
			vertex->offset[1] = tnGetShare(mesher, mesher->tops[below]);
		}
		else if (mesher->tops[empty + TN_MESH_LAYER] > 0)
		{
			vertex->base[1] = (int8_t)(vertex->base[1] + 1);
			vertex->offset[1] = 0.0f;
		}
	}
	else if (mesher->kinds[empty] == TN_MESH_UNLOADED)
	{
		// The rim of the world is a cut. Through the middles of the voxels it is plane, and as sharp as its outline.
		const bool isBottom = mesher->tops[place - TN_MESH_LAYER] == 0;
		vertex->offset[axis] = 0.0f;
		vertex->offset[1] = isTop ? tnGetShare(mesher, mesher->tops[place]) : (isBottom ? 0.0f : 0.5f);
	}
	else if (isTop && isSlope)
	{
		vertex->offset[1] =
			0.5f * (tnGetShare(mesher, mesher->tops[place]) + tnGetShare(mesher, mesher->tops[below]) - 1.0f);
	}
}

// A vertex on an edge from a voxel on along an axis.
static int32_t tnMakeMeshVertex(tnVoxelMesher* mesher, const int32_t start[3], int32_t axis)
{
	int32_t low[3] = {start[0], start[1], start[2]};
	const int32_t placeLow = tnGetPadPlace(low[0], low[1], low[2]);
	const int32_t placeHigh = placeLow + s_strides[axis];
	const bool isLowFilled = mesher->tops[placeLow] > 0;
	const int32_t place = isLowFilled ? placeLow : placeHigh;
	const int32_t empty = isLowFilled ? placeHigh : placeLow;
	low[axis] += isLowFilled ? 0 : 1;

	tnMeshVertex* vertex = mesher->vertices + mesher->vertexCount;
	*vertex = (tnMeshVertex){.base = {(int8_t)low[0], (int8_t)low[1], (int8_t)low[2]}, .output = -1};
	vertex->isDrawn = mesher->isGround ? mesher->kinds[place] != TN_MESH_UNLOADED : tnIsWet(mesher, place);
	vertex->liquid = (uint8_t)(mesher->kinds[place] & ~TN_MESH_UNLOADED);
	if (axis != 1)
	{
		tnPlaceSide(mesher, place, empty, axis, isLowFilled ? 1.0f : -1.0f, vertex);
	}
	else if (isLowFilled)
	{
		tnPlaceTop(mesher, place, vertex);
	}
	return mesher->vertexCount++;
}

// Of each edge of a cell: where its first corner is, and the slot of its vertex after that of the cell.
#define TN_SLOT(x, y, z, axis) (3 * (((y)*TN_MESH_CORNERS + (z)) * TN_MESH_CORNERS + (x)) + (axis))
typedef struct tnCellEdge
{
	int32_t corner[3], axis, slot;
} tnCellEdge;

static const tnCellEdge s_cellEdges[12] = {
	{{0, 0, 0}, 0, TN_SLOT(0, 0, 0, 0)},
	{{0, 1, 0}, 0, TN_SLOT(0, 1, 0, 0)},
	{{0, 0, 1}, 0, TN_SLOT(0, 0, 1, 0)},
	{{0, 1, 1}, 0, TN_SLOT(0, 1, 1, 0)},
	{{0, 0, 0}, 1, TN_SLOT(0, 0, 0, 1)},
	{{0, 0, 1}, 1, TN_SLOT(0, 0, 1, 1)},
	{{1, 0, 0}, 1, TN_SLOT(1, 0, 0, 1)},
	{{1, 0, 1}, 1, TN_SLOT(1, 0, 1, 1)},
	{{0, 0, 0}, 2, TN_SLOT(0, 0, 0, 2)},
	{{1, 0, 0}, 2, TN_SLOT(1, 0, 0, 2)},
	{{0, 1, 0}, 2, TN_SLOT(0, 1, 0, 2)},
	{{1, 1, 0}, 2, TN_SLOT(1, 1, 0, 2)},
};

// ---------------------------------------------------------------------------------------------------------------------
// Cells

// A cell belongs to the first chunk that is loaded, of those in which it has corners.
static bool tnIsOwnCell(const tnVoxelMesher* mesher, int32_t x, int32_t y, int32_t z)
{
	const int32_t cell[3] = {x, y, z};
	int32_t low[3];
	int32_t high[3];
	uint32_t own = 0;
	for (int32_t i = 0; i < 3; ++i)
	{
		if (cell[i] >= TN_VOXEL_CHUNK)
		{
			return false;
		}
		low[i] = cell[i] < 0 ? -1 : 0;
		high[i] = cell[i] == TN_VOXEL_CHUNK - 1 ? 1 : 0;
		own |= (cell[i] < 0 ? 1u : 0u) << i;
	}
	for (uint32_t other = 0; other < own; ++other)
	{
		const int32_t cx = (other & 1u) != 0 ? high[0] : low[0];
		const int32_t cy = (other & 2u) != 0 ? high[1] : low[1];
		const int32_t cz = (other & 4u) != 0 ? high[2] : low[2];
		// Not straddled along an axis: both names are this chunk.
		if ((cx | cy | cz) != 0 && mesher->isLoaded[cy + 1][cz + 1][cx + 1])
		{
			return false;
		}
	}
	return true;
}

static bool tnIsSamePlace(tnVec3 a, tnVec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void tnMeshCell(tnVoxelMesher* mesher, int32_t x, int32_t y, int32_t z, uint32_t filled)
{
	const tnMeshCase* meshCase = mesher->cases + filled;
	const bool isOwn = tnIsOwnCell(mesher, x, y, z);
	uint16_t* slots = mesher->edgeVertices + TN_SLOT(x + 1, y + 1, z + 1, 0);
	uint16_t ids[12];
	tnVec3 places[12];
	for (int32_t i = 0; i < meshCase->usedCount; ++i)
	{
		const tnCellEdge* edge = s_cellEdges + meshCase->used[i];
		uint16_t* slot = slots + edge->slot;
		if (*slot == 0)
		{
			const int32_t start[3] = {x + edge->corner[0], y + edge->corner[1], z + edge->corner[2]};
			*slot = (uint16_t)(tnMakeMeshVertex(mesher, start, edge->axis) + 1);
		}
		ids[i] = (uint16_t)(*slot - 1);
		const tnMeshVertex* vertex = mesher->vertices + ids[i];
		// From the cell, so that both chunks at a border get the same bits.
		places[i].x = (float)(vertex->base[0] - x) + vertex->offset[0];
		places[i].y = (float)(vertex->base[1] - y) + vertex->offset[1];
		places[i].z = (float)(vertex->base[2] - z) + vertex->offset[2];
	}
	for (int32_t i = 0; i < meshCase->triangleCount; ++i)
	{
		const uint8_t* which = meshCase->corners + 3 * i;
		tnMeshVertex* corners[3];
		for (int32_t k = 0; k < 3; ++k)
		{
			corners[k] = mesher->vertices + ids[which[k]];
		}
		if (!corners[0]->isDrawn && !corners[1]->isDrawn && !corners[2]->isDrawn)
		{
			continue;
		}
		const tnVec3 p = places[which[0]], q = places[which[1]], r = places[which[2]];
		const tnVec3 a = {q.x - p.x, q.y - p.y, q.z - p.z}, b = {r.x - p.x, r.y - p.y, r.z - p.z};
		const tnVec3 normal = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
		const bool isFlat = normal.x == 0.0f && normal.y == 0.0f && normal.z == 0.0f;
		if (isFlat && (tnIsSamePlace(p, q) || tnIsSamePlace(q, r) || tnIsSamePlace(r, p)))
		{
			continue; // two vertices at one place, in the ground or at a cut
		}
		uint8_t liquid = corners[0]->isDrawn ? corners[0]->liquid : corners[1]->liquid;
		liquid = corners[0]->isDrawn || corners[1]->isDrawn ? liquid : corners[2]->liquid;
		for (int32_t k = 0; k < 3; ++k)
		{
			corners[k]->liquid = corners[k]->liquid != 0 ? corners[k]->liquid : liquid;
			corners[k]->normal[0] += normal.x;
			corners[k]->normal[1] += normal.y;
			corners[k]->normal[2] += normal.z;
			if (isOwn)
			{
				mesher->corners[mesher->cornerCount++] = ids[which[k]];
			}
		}
	}
}

static void tnMeshRow(tnVoxelMesher* mesher, int32_t y, int32_t z)
{
	// Bits of voxels from -1 on.
	const uint32_t* rows = mesher->filledRows + (y + TN_MESH_MARGIN) * TN_MESH_PAD + z + TN_MESH_MARGIN;
	const uint32_t all = (1u << TN_MESH_CORNERS) - 1;
	const uint32_t r00 = rows[0] >> 1 & all;
	const uint32_t r01 = rows[1] >> 1 & all;
	const uint32_t r10 = rows[TN_MESH_PAD] >> 1 & all;
	const uint32_t r11 = rows[TN_MESH_PAD + 1] >> 1 & all;
	const uint32_t any = r00 | r01 | r10 | r11;
	const uint32_t every = r00 & r01 & r10 & r11;
	if (any == 0 || every == all)
	{
		return;
	}
	// Cells that have something filled and something empty.
	const uint32_t mixed = (any | any >> 1) & ~(every & every >> 1);
	const uint32_t cells = (1u << (TN_VOXEL_CHUNK + 2)) - 1;
	for (uint32_t left = mixed & cells; left != 0; left &= left - 1)
	{
		const int32_t bit = tnFindLowestBit(left);
		const uint32_t filled =
			(r00 >> bit & 3u) | (r10 >> bit & 3u) << 2 | (r01 >> bit & 3u) << 4 | (r11 >> bit & 3u) << 6;
		tnMeshCell(mesher, bit - 1, y, z, filled);
	}
}

static void tnWriteVertex(const tnVoxelMesher* mesher, const tnMeshVertex* vertex, tnVoxelMesh* mesh)
{
	mesh->positions[vertex->output] = (tnVec3){
		tnGetMeshLength(mesher, mesher->origin.x + vertex->base[0], 0.5f + vertex->offset[0]),
		tnGetMeshLength(mesher, mesher->origin.y + vertex->base[1], vertex->offset[1]),
		tnGetMeshLength(mesher, mesher->origin.z + vertex->base[2], 0.5f + vertex->offset[2]),
	};
	if (mesh->normals != NULL)
	{
		const float* n = vertex->normal;
		const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		// A sheet of no thickness has two sides that cancel.
		mesh->normals[vertex->output] =
			length > 1.0e-12f ? (tnVec3){n[0] / length, n[1] / length, n[2] / length} : (tnVec3){0.0f, 1.0f, 0.0f};
	}
	if (mesh->liquids != NULL)
	{
		mesh->liquids[vertex->output] = mesher->isGround ? 0 : vertex->liquid;
	}
}

bool tnBuildSmoothMesh(tnVoxelMesher* mesher, tnVoxelMesh* mesh)
{
	memset(mesher->edgeVertices, 0, sizeof(mesher->edgeVertices));
	mesher->vertexCount = 0;
	mesher->cornerCount = 0;
	for (int32_t y = -1; y <= TN_VOXEL_CHUNK; ++y)
	{
		for (int32_t z = -1; z <= TN_VOXEL_CHUNK; ++z)
		{
			tnMeshRow(mesher, y, z);
		}
	}
	mesh->vertexCount = 0;
	mesh->indexCount = mesher->cornerCount;
	for (int32_t i = 0; i < mesher->cornerCount; ++i)
	{
		tnMeshVertex* vertex = mesher->vertices + mesher->corners[i];
		if (vertex->output < 0)
		{
			vertex->output = mesh->vertexCount++;
		}
	}
	if (mesh->vertexCount > mesh->vertexCapacity || mesh->indexCount > mesh->indexCapacity)
	{
		return false;
	}
	for (int32_t i = 0; i < mesher->vertexCount; ++i)
	{
		if (mesher->vertices[i].output >= 0)
		{
			tnWriteVertex(mesher, mesher->vertices + i, mesh);
		}
	}
	for (int32_t i = 0; i < mesher->cornerCount; ++i)
	{
		mesh->indices[i] = (uint32_t)mesher->vertices[mesher->corners[i]].output;
	}
	return true;
}

// SPDX-License-Identifier: MIT

// Meshes of houses: four walls around a block of ground, and a roof with eaves on top.
//
//            ____ ridge
//           /    \              The roof begins at the walls, at the height of the block, and goes on below
//      ____/______\____         that where it hangs over. Windows and tiles are drawn by the shader, from how far
//          |      |             a place is from the left end of its wall and from the eaves.
//          |  []  |
//
// Walls stand just outside of those that the terrain has, whose vertices lean: see tnrShiftVertices.

#include "ground/houses.h"

#include "gl/vectors.h"

#include <stdlib.h>

// Of a vertex: place, normal, place on its wall or roof and size of that, part and name.
#define VERTEX_FLOATS 12

// Lowest and highest walls under a roof, m, and the longest side of a house.
#define LOWEST_HOUSE 1.6f
#define HIGHEST_HOUSE 40.0f
#define LONGEST_HOUSE 60.0f

typedef enum Part
{
	part_wall = 0,
	part_front, // with a door
	part_roof,
	part_brick,
	part_wood,
} Part;

typedef struct MeshMaker
{
	float* vertices;
	int count, capacity;
	float name;
} MeshMaker;

// A roof in the frame of its house: u along the ridge, v across.
typedef struct Roof
{
	// Half of the sides of the walls, how far the roof hangs over, half of the ridge, m; rise over run.
	float u, v, over, ridge, pitch;
	bool alongX, isHipped;
} Roof;

static float tnrGetWallMargin(float cellSize)
{
	return 0.075f * cellSize + 0.01f;
}

static Roof tnrGetRoof(const tnrHouse* house, float cellSize)
{
	const float margin = tnrGetWallMargin(cellSize);
	const float x = 0.5f * (float)(house->highColumn - house->lowColumn) * cellSize + margin;
	const float z = 0.5f * (float)(house->highRow - house->lowRow) * cellSize + margin;
	Roof roof = {.alongX = x >= z, .u = fmaxf(x, z), .v = fminf(x, z)};
	// Wide roofs are flatter, and never higher than the walls they stand on.
	const float steepest = 0.55f + 0.25f * fabsf(sinf(40.0f * house->name));
	const float highest = fminf(4.5f, 0.8f * (house->top - house->street));
	roof.pitch = fminf(steepest, highest / roof.v);
	roof.over = tnrClamp(0.09f * roof.v, 0.12f, 0.5f);
	roof.isHipped = house->name > 0.62f || roof.v > 8.0f;
	roof.ridge = roof.isHipped ? roof.u - roof.v : roof.u + roof.over;
	return roof;
}

float tnrGetRoofRise(const tnrHouse* house, float cellSize, float x, float z)
{
	const Roof roof = tnrGetRoof(house, cellSize);
	const float dx = fabsf(x - 0.5f * (float)(house->lowColumn + house->highColumn) * cellSize);
	const float dz = fabsf(z - 0.5f * (float)(house->lowRow + house->highRow) * cellSize);
	const float u = roof.alongX ? dx : dz, v = roof.alongX ? dz : dx;
	if (u > roof.u || v > roof.v)
	{
		return 0.0f;
	}
	return roof.pitch * (roof.isHipped ? fminf(roof.u - u, roof.v - v) : roof.v - v);
}

bool tnrAddHouse(tnrHouses* houses, const tnrHouse* house, float cellSize)
{
	const float x = (float)(house->highColumn - house->lowColumn) * cellSize;
	const float z = (float)(house->highRow - house->lowRow) * cellSize;
	const float height = house->top - house->street;
	if (!(height >= LOWEST_HOUSE && height <= HIGHEST_HOUSE) || fmaxf(x, z) > LONGEST_HOUSE)
	{
		return false;
	}
	if (houses->count == houses->capacity)
	{
		const int capacity = 2 * houses->capacity + 16;
		tnrHouse* items = realloc(houses->items, (size_t)capacity * sizeof(tnrHouse));
		if (items == NULL)
		{
			return false;
		}
		houses->items = items;
		houses->capacity = capacity;
	}
	houses->items[houses->count] = *house;
	houses->count += 1;
	houses->isStale = true;
	return true;
}

static bool tnrIsWhole(const tnrHouse* house, const uint8_t* built, int columnCount)
{
	for (int row = house->lowRow; row < house->highRow; ++row)
	{
		for (int column = house->lowColumn; column < house->highColumn; ++column)
		{
			if (built[4 * ((size_t)row * (size_t)columnCount + (size_t)column)] == 0)
			{
				return false;
			}
		}
	}
	return true;
}

bool tnrDropHouses(tnrHouses* houses, const uint8_t* built, int columnCount)
{
	int kept = 0;
	for (int i = 0; i < houses->count; ++i)
	{
		if (tnrIsWhole(&houses->items[i], built, columnCount))
		{
			houses->items[kept] = houses->items[i];
			kept += 1;
		}
	}
	const bool any = kept < houses->count;
	houses->count = kept;
	houses->isStale = houses->isStale || any;
	return any;
}

// ---------------------------------------------------------------------------------------------------------------------
// The mesh

static void tnrAddVertex(MeshMaker* maker, tnVec3 place, tnVec3 normal, const float* wall, Part part)
{
	if (maker->count == maker->capacity)
	{
		const int capacity = 2 * maker->capacity + 1024;
		float* vertices = realloc(maker->vertices, (size_t)capacity * VERTEX_FLOATS * sizeof(float));
		if (vertices == NULL)
		{
			return;
		}
		maker->vertices = vertices;
		maker->capacity = capacity;
	}
	const float numbers[VERTEX_FLOATS] = {place.x, place.y, place.z, normal.x, normal.y, normal.z, wall[0], wall[1],
		wall[2], wall[3], (float)part, maker->name};
	float* to = maker->vertices + (size_t)maker->count * VERTEX_FLOATS;
	for (int i = 0; i < VERTEX_FLOATS; ++i)
	{
		to[i] = numbers[i];
	}
	maker->count += 1;
}

// Corners in order around it; the last may be equal to the third. Places on it run from the first corner along `right` and `down`.
static void tnrAddFace(MeshMaker* maker, const tnVec3* corners, tnVec3 origin, tnVec3 right, tnVec3 down, float width,
	float height, Part part)
{
	static const int order[6] = {0, 1, 2, 0, 2, 3};
	const tnVec3 normal = tnrNormalize(tnrCross(down, right));
	for (int i = 0; i < 6; ++i)
	{
		const tnVec3 from = tnrSubtract(corners[order[i]], origin);
		const float wall[4] = {tnrDot(from, right), tnrDot(from, down), width, height};
		tnrAddVertex(maker, corners[order[i]], normal, wall, part);
	}
}

// An upright face from a to b, left to right as seen from outside.
static void tnrAddWall(MeshMaker* maker, tnVec3 a, tnVec3 b, float low, float high, float height, Part part)
{
	const tnVec3 corners[4] = {{a.x, high, a.z}, {b.x, high, b.z}, {b.x, low, b.z}, {a.x, low, a.z}};
	const tnVec3 along = tnrSubtract(corners[1], corners[0]);
	tnrAddFace(
		maker, corners, corners[0], tnrNormalize(along), (tnVec3){0.0f, -1.0f, 0.0f}, tnrLength(along), height, part);
}

// From the frame of the roof to that of the world.
static tnVec3 tnrPlaceOn(const tnrHouse* house, const Roof* roof, float cellSize, float u, float up, float v)
{
	const float x = 0.5f * (float)(house->lowColumn + house->highColumn) * cellSize;
	const float z = 0.5f * (float)(house->lowRow + house->highRow) * cellSize;
	// Turned by a quarter, not mirrored: outside stays outside.
	return roof->alongX ? (tnVec3){x + u, house->top + up, z + v} : (tnVec3){x - v, house->top + up, z + u};
}

// A face of the roof: from the eaves, a to b, up to the ridge, c to d.
// @param hasVerge boards along the edges from the eaves to the ridge
static void tnrAddSlope(MeshMaker* maker, tnVec3 a, tnVec3 b, tnVec3 c, tnVec3 d, bool hasVerge)
{
	const tnVec3 along = tnrNormalize(tnrSubtract(b, a));
	const tnVec3 up = tnrSubtract(c, b);
	const tnVec3 slope = tnrNormalize(tnrAddScaled(up, along, -tnrDot(up, along)));
	const tnVec3 down = {-slope.x, -slope.y, -slope.z};
	const float length = tnrDot(tnrSubtract(b, c), down);
	const tnVec3 corners[4] = {a, b, c, d};
	// Places run from the height of the ridge above the first corner.
	tnrAddFace(
		maker, corners, tnrAddScaled(a, slope, length), along, down, tnrLength(tnrSubtract(b, a)), length, part_roof);
	// The edge of the tiles at the eaves, and the boards below.
	const float thick = 0.12f;
	tnrAddWall(maker, a, b, a.y - thick, a.y, thick, part_wood);
	const tnVec3 below[4] = {
		{a.x, a.y - thick, a.z}, {b.x, b.y - thick, b.z}, {c.x, c.y - thick, c.z}, {d.x, d.y - thick, d.z}};
	tnrAddFace(maker, below, below[0], down, along, 1.0f, 1.0f, part_wood);
	if (hasVerge)
	{
		const tnVec3 left[4] = {d, a, below[0], below[3]}, right[4] = {b, c, below[2], below[1]};
		tnrAddFace(maker, left, d, down, (tnVec3){0.0f, -1.0f, 0.0f}, length, thick, part_wood);
		tnrAddFace(maker, right, b, slope, (tnVec3){0.0f, -1.0f, 0.0f}, length, thick, part_wood);
	}
}

static void tnrAddRoof(MeshMaker* maker, const tnrHouse* house, const Roof* roof, float cellSize)
{
	// Tiles lie a little above what carries them.
	const float lift = 0.10f;
	const float eaves = lift - roof->pitch * roof->over, ridge = lift + roof->pitch * roof->v;
	const float v = roof->v + roof->over, u = roof->u + roof->over, r = roof->ridge;
	tnVec3 low[2][2], high[2];
	for (int i = 0; i < 2; ++i)
	{
		const float side = i == 0 ? -1.0f : 1.0f;
		low[i][0] = tnrPlaceOn(house, roof, cellSize, side * u, eaves, -v);
		low[i][1] = tnrPlaceOn(house, roof, cellSize, side * u, eaves, v);
		high[i] = tnrPlaceOn(house, roof, cellSize, side * r, ridge, 0.0f);
	}
	tnrAddSlope(maker, low[0][1], low[1][1], high[1], high[0], roof->isHipped == false);
	tnrAddSlope(maker, low[1][0], low[0][0], high[0], high[1], roof->isHipped == false);
	if (roof->isHipped)
	{
		tnrAddSlope(maker, low[1][1], low[1][0], high[1], high[1], false);
		tnrAddSlope(maker, low[0][0], low[0][1], high[0], high[0], false);
		return;
	}
	// The walls below the gables.
	for (int i = 0; i < 2; ++i)
	{
		const float side = i == 0 ? -1.0f : 1.0f;
		const tnVec3 a = tnrPlaceOn(house, roof, cellSize, side * roof->u, 0.0f, side * roof->v);
		const tnVec3 b = tnrPlaceOn(house, roof, cellSize, side * roof->u, 0.0f, -side * roof->v);
		const tnVec3 top = tnrPlaceOn(house, roof, cellSize, side * roof->u, roof->pitch * roof->v, 0.0f);
		const tnVec3 corners[4] = {a, b, top, top};
		const tnVec3 along = tnrSubtract(b, a);
		tnrAddFace(maker, corners, a, tnrNormalize(along), (tnVec3){0.0f, -1.0f, 0.0f}, tnrLength(along),
			house->top - house->street, part_wall);
	}
}

static void tnrAddBlock(
	MeshMaker* maker, const tnVec3* corners, float low, float high, float height, Part part, Part front)
{
	for (int i = 0; i < 4; ++i)
	{
		tnrAddWall(maker, corners[i], corners[(i + 1) % 4], low, high, height, i == 0 ? front : part);
	}
}

static void tnrAddHouseMesh(MeshMaker* maker, const tnrHouse* house, float cellSize)
{
	const Roof roof = tnrGetRoof(house, cellSize);
	maker->name = house->name;
	// Counterclockwise from above, the front first.
	tnVec3 corners[4], chimney[4];
	static const float signs[4][2] = {{-1.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, -1.0f}, {-1.0f, -1.0f}};
	const float width = tnrClamp(0.11f * roof.v, 0.2f, 0.4f);
	for (int i = 0; i < 4; ++i)
	{
		corners[i] = tnrPlaceOn(house, &roof, cellSize, signs[i][0] * roof.u, 0.0f, signs[i][1] * roof.v);
		chimney[i] =
			tnrPlaceOn(house, &roof, cellSize, 0.45f * (roof.isHipped ? roof.ridge : roof.u) + signs[i][0] * width,
				0.0f, (0.35f + 0.1f * house->name) * roof.v + signs[i][1] * width);
	}
	// Down into the ground around it, which may have been dug at.
	const float low = house->foot - 0.5f;
	tnrAddBlock(maker, corners, low, house->top, house->top - house->street, part_wall, part_front);
	tnrAddRoof(maker, house, &roof, cellSize);
	if (roof.v > 1.5f && fabsf(sinf(97.0f * house->name)) > 0.25f)
	{
		const float high = house->top + 0.9f * roof.pitch * roof.v + 0.25f;
		tnrAddBlock(maker, chimney, house->top, high, 1.0f, part_brick, part_brick);
		const tnVec3 lid[4] = {{chimney[0].x, high, chimney[0].z}, {chimney[1].x, high, chimney[1].z},
			{chimney[2].x, high, chimney[2].z}, {chimney[3].x, high, chimney[3].z}};
		tnrAddFace(maker, lid, lid[0], (tnVec3){1.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 1.0f}, 1.0f, 1.0f, part_brick);
	}
}

static void tnrMakeHouseMesh(tnrHouses* houses, float cellSize)
{
	MeshMaker maker = {0};
	for (int i = 0; i < houses->count; ++i)
	{
		tnrAddHouseMesh(&maker, &houses->items[i], cellSize);
	}
	houses->isStale = false;
	houses->vertexCount = maker.count;
	if (maker.count > 0)
	{
		if (houses->vertexArray == 0)
		{
			glGenVertexArrays(1, &houses->vertexArray);
			glGenBuffers(1, &houses->vertexBuffer);
		}
		static const int sizes[4] = {3, 3, 4, 2};
		const GLsizei stride = VERTEX_FLOATS * (GLsizei)sizeof(float);
		glBindVertexArray(houses->vertexArray);
		glBindBuffer(GL_ARRAY_BUFFER, houses->vertexBuffer);
		glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)maker.count * stride, maker.vertices, GL_STATIC_DRAW);
		size_t begin = 0;
		for (GLuint i = 0; i < 4; ++i)
		{
			glEnableVertexAttribArray(i);
			glVertexAttribPointer(i, sizes[i], GL_FLOAT, GL_FALSE, stride, (const void*)begin);
			begin += (size_t)sizes[i] * sizeof(float);
		}
		glBindVertexArray(0);
	}
	free(maker.vertices);
}

int tnrDrawHouses(tnrHouses* houses, float cellSize)
{
	if (houses->isStale)
	{
		tnrMakeHouseMesh(houses, cellSize);
	}
	if (houses->vertexCount == 0)
	{
		return 0;
	}
	glBindVertexArray(houses->vertexArray);
	glDrawArrays(GL_TRIANGLES, 0, houses->vertexCount);
	glBindVertexArray(0);
	return houses->vertexCount / 3;
}

void tnrDestroyHouses(tnrHouses* houses)
{
	glDeleteVertexArrays(1, &houses->vertexArray);
	glDeleteBuffers(1, &houses->vertexBuffer);
	tnrForgetHouses(houses);
}

void tnrForgetHouses(tnrHouses* houses)
{
	free(houses->items);
	*houses = (tnrHouses){0};
}

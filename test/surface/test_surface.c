// SPDX-License-Identifier: MIT

// The surface for renderers: against samples and against a plain version of its rules for whole worlds, bits, wrong input.

#include "harness.h"
#include "surface_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// The plain version, for worlds without bodies and waves

typedef struct Plain
{
	float* surface;
	int* reach;
} Plain;

static float Between(tnFieldView now, tnFieldView before, int column, int row, float alpha)
{
	const float a = now.data[row * now.stride + column];
	const float b = alpha < 1.0f ? before.data[row * before.stride + column] : a;
	return b + (a - b) * alpha;
}

static void ContinueCell(Plain* plain, const float* bed, int columns, int rows, int column, int row, int ring)
{
	float sum = 0.0f, highest = -INFINITY;
	int count = 0;
	for (int side = 0; side < 9; ++side)
	{
		const int c = column + side % 3 - 1, r = row + side / 3 - 1;
		if (c < 0 || r < 0 || c >= columns || r >= rows)
		{
			continue;
		}
		const int other = r * columns + c;
		if (plain->reach[other] > 0 && plain->reach[other] <= ring)
		{
			sum += plain->surface[other];
			highest = plain->surface[other] > highest ? plain->surface[other] : highest;
			count += 1;
		}
	}
	const int cell = row * columns + column;
	if (count > 0)
	{
		plain->surface[cell] = highest > bed[cell] ? bed[cell] : sum / (float)count;
		plain->reach[cell] = ring + 1;
	}
}

static Plain MakePlain(const tnWorld* world, float alpha)
{
	const tnFieldView bed = tnWorld_GetBed(world), depth = tnWorld_GetDepth(world);
	const tnFieldView before = tnWorld_GetPreviousDepth(world);
	const int columns = bed.columnCount, rows = bed.rowCount;
	const size_t count = (size_t)columns * (size_t)rows;
	Plain plain = {malloc(count * sizeof(float)), calloc(count, sizeof(int))};
	float* ground = malloc(count * sizeof(float));
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const int cell = row * columns + column;
			const float d = Between(depth, before, column, row, alpha);
			ground[cell] = bed.data[row * bed.stride + column];
			plain.surface[cell] = ground[cell] + d;
			plain.reach[cell] = d > TN_WET_DEPTH ? 1 : 0;
		}
	}
	for (int ring = 1; ring <= 3; ++ring)
	{
		for (int cell = 0; cell < columns * rows; ++cell)
		{
			if (plain.reach[cell] == 0)
			{
				ContinueCell(&plain, ground, columns, rows, cell % columns, cell / columns, ring);
			}
		}
	}
	const float cellSize = tnWorld_GetDef(world).cellSize;
	for (int cell = 0; cell < columns * rows; ++cell)
	{
		plain.surface[cell] = plain.reach[cell] == 0 ? ground[cell] - 0.5f * cellSize : plain.surface[cell];
	}
	free(ground);
	return plain;
}

static float PlainSlope(const Plain* plain, int before, int cell, int after, float cellSize)
{
	const int a = plain->reach[before] > 0 ? before : cell, b = plain->reach[after] > 0 ? after : cell;
	const int cells = (a != cell ? 1 : 0) + (b != cell ? 1 : 0);
	return cells > 0 ? (plain->surface[b] - plain->surface[a]) / ((float)cells * cellSize) : 0.0f;
}

static int CompareWithPlain(const tnSurface* surface, const tnWorld* world, float alpha)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const int columns = def.columnCount, rows = def.rowCount;
	Plain plain = MakePlain(world, alpha);
	int wrong = 0;
	for (int cell = 0; cell < columns * rows; ++cell)
	{
		const int column = cell % columns, row = cell / columns;
		const float height = tnSurface_Get(surface, tn_surfaceHeight, column, row);
		const float shown = tnSurface_Get(surface, tn_surfaceShown, column, row);
		const int west = column > 0 ? cell - 1 : cell, east = column < columns - 1 ? cell + 1 : cell;
		const int north = row > 0 ? cell - columns : cell, south = row < rows - 1 ? cell + columns : cell;
		const float slopeX = plain.reach[cell] > 0 ? PlainSlope(&plain, west, cell, east, def.cellSize) : 0.0f;
		const float slopeZ = plain.reach[cell] > 0 ? PlainSlope(&plain, north, cell, south, def.cellSize) : 0.0f;
		// One rounding more: the plain version divides.
		const float slack = 1.0e-6f * (1.0f + fabsf(slopeX) + fabsf(slopeZ));
		wrong += height != plain.surface[cell] || shown != (plain.reach[cell] > 0 ? 1.0f : 0.0f) ? 1 : 0;
		wrong += fabsf(tnSurface_Get(surface, tn_surfaceSlopeX, column, row) - slopeX) > slack ? 1 : 0;
		wrong += fabsf(tnSurface_Get(surface, tn_surfaceSlopeZ, column, row) - slopeZ) > slack ? 1 : 0;
	}
	free(plain.surface);
	free(plain.reach);
	return wrong;
}

// Shores, fronts, brinks, the edges of the world and the seams of tiles, between two states and at their ends: the rules of whole
// worlds, bit for bit.
static int FollowsItsRules(void)
{
	static const float alphas[] = {0.0f, 0.3f, 1.0f};
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.method = (tnMethod)method;
		tnWorld* world = MakeHills(def);
		ENSURE(world != NULL);
		const tnSurfaceDef surfaceDef = GetFloats(0);
		tnSurface* surface = NULL;
		ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
		for (int i = 0; i < 12; ++i)
		{
			ENSURE(StepMany(world, 7));
			ENSURE(tnSurface_Update(surface, world, alphas[i % 3]).status == tn_ok);
			ENSURE_EQUAL_INT(CompareWithPlain(surface, world, alphas[i % 3]), 0);
		}
		tnDestroySurface(surface);
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Samples

// Cells of which the surface says something else than the world. `lowest`: how far a wet cell is below its bed at most, m.
static int CountUnlikeSamples(const tnSurface* surface, const tnWorld* world, float slack, int* wetCount, float* lowest)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const int columns = def.columnCount, rows = def.rowCount;
	float* u = malloc((size_t)columns * (size_t)rows * sizeof(float));
	float* w = malloc((size_t)columns * (size_t)rows * sizeof(float));
	tnWorld_CopyVelocities(world, u, w);
	int wrong = 0;
	*wetCount = 0;
	*lowest = 0.0f;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const tnVec2 place = {def.origin.x + ((float)column + 0.5f) * def.cellSize,
				def.origin.z + ((float)row + 0.5f) * def.cellSize};
			const tnSample sample = tnWorld_Sample(world, place);
			const float height = tnSurface_Get(surface, tn_surfaceHeight, column, row);
			wrong += tnSurface_Get(surface, tn_surfaceVelocityX, column, row) != u[row * columns + column] ? 1 : 0;
			wrong += tnSurface_Get(surface, tn_surfaceVelocityZ, column, row) != w[row * columns + column] ? 1 : 0;
			wrong += tnSurface_Get(surface, tn_surfaceBed, column, row) != sample.bed ? 1 : 0;
			if (sample.wet)
			{
				*wetCount += 1;
				wrong += fabsf(height - sample.surface) > slack ? 1 : 0;
				*lowest = fmaxf(*lowest, sample.bed - height);
			}
		}
	}
	free(u);
	free(w);
	return wrong;
}

// In the middle of wet cells the surface is what the world says there, and velocities are the same bits.
static int IsWhatSamplesSay(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.method = (tnMethod)method;
		def.edges[tn_east].kind = tn_openEdge;
		tnWorld* world = MakeHills(def);
		ENSURE(world != NULL);
		const tnSurfaceDef surfaceDef = GetFloats(1);
		tnSurface* surface = NULL;
		ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
		for (int i = 0; i < 6; ++i)
		{
			int wetCount;
			float lowest;
			ENSURE(StepMany(world, 11));
			ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
			// The middle of a cell is a rounded place: a millionth of the slope of the water beside it.
			ENSURE_EQUAL_INT(CountUnlikeSamples(surface, world, 2.0e-5f, &wetCount, &lowest), 0);
			ENSURE(wetCount > 1000);
			ENSURE(lowest == 0.0f);
		}
		tnDestroySurface(surface);
		tnDestroyWorld(world);
	}
	return 0;
}

// The wave layer is in it, of all levels, also at an earlier moment, and where waves meet shores.
static int HasWaves(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 96;
	def.rowCount = 80;
	def.cellSize = 0.5f;
	def.keepPrevious = true;
	def.waves.enable = true;
	def.waves.finerLevels = 2;
	def.waves.levelCount = 5;
	def.waves.tileCount = 400;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	ENSURE(tnWorld_FillToLevel(world, 3.0f).status == tn_ok);
	tnSurfaceDef surfaceDef = GetFloats(0);
	tnSurface *surface = NULL, *plain = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	surfaceDef.addWaves = false;
	ENSURE(tnCreateSurface(world, &surfaceDef, &plain).status == tn_ok);
	ENSURE(StepMany(world, 2));
	for (int i = 0; i < 4; ++i)
	{
		const tnVec2 place = {10.0f + 7.0f * (float)i, 30.0f - 5.0f * (float)i};
		ENSURE(AddWave(world, place, 0.4f + 0.3f * (float)i, 0.2f));
	}
	float highest = 0.0f;
	for (int i = 0; i < 5; ++i)
	{
		int wetCount;
		float lowest;
		ENSURE(StepMany(world, 8));
		ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
		ENSURE(tnSurface_Update(plain, world, 1.0f).status == tn_ok);
		ENSURE_EQUAL_INT(CountUnlikeSamples(surface, world, 2.0e-5f, &wetCount, &lowest), 0);
		ENSURE_EQUAL_INT(wetCount, 96 * 80);
		for (int cell = 0; cell < 96 * 80; ++cell)
		{
			const float flow = tnSurface_Get(plain, tn_surfaceHeight, cell % 96, cell / 96);
			ENSURE(fabsf(flow - 3.0f) < 1.0e-3f);
			highest = fmaxf(highest, tnSurface_Get(surface, tn_surfaceHeight, cell % 96, cell / 96) - flow);
		}
	}
	ENSURE(highest > 0.01f);
	// At the beginning of the step it is where it was: heights less a step of their rates.
	ENSURE(tnSurface_Update(surface, world, 0.0f).status == tn_ok);
	for (int cell = 0; cell < 96 * 80; cell += 7)
	{
		const tnVec2 place = {((float)(cell % 96) + 0.5f) * 0.5f, ((float)(cell / 96) + 0.5f) * 0.5f};
		tnWaveSample waves;
		ENSURE(tnWorld_SampleWaves(world, place, &waves).status == tn_ok);
		const float before = 3.0f + waves.height - waves.rate * s_step;
		ENSURE(fabsf(tnSurface_Get(surface, tn_surfaceHeight, cell % 96, cell / 96) - before) < 1.0e-4f);
	}
	tnDestroySurface(surface);
	tnDestroySurface(plain);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

// A dam between a lake and dry ground: the surface is level into it, and behind it below the ground. Across a seam of tiles.
static int GoesLevelIntoBodies(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 128;
	def.rowCount = 40;
	def.keepPrevious = true;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	static float depth[128 * 40];
	for (int i = 0; i < 128 * 40; ++i)
	{
		depth[i] = i % 128 < 62 ? 2.0f : 0.0f;
	}
	ENSURE(tnWorld_SetDepths(world, depth).status == tn_ok);
	AddBox(world, (tnVec3){64.0f, 2.0f, 20.0f}, (tnVec3){2.0f, 2.0f, 30.0f}, INFINITY);
	const tnSurfaceDef surfaceDef = GetFloats(0);
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	ENSURE(StepMany(world, 60));
	ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	for (int row = 0; row < 40; ++row)
	{
		for (int column = 50; column <= 62; ++column)
		{
			ENSURE(fabsf(tnSurface_Get(surface, tn_surfaceHeight, column, row) - 2.0f) < 2.0e-3f);
		}
		for (int column = 66; column < 80; ++column)
		{
			ENSURE(tnSurface_Get(surface, tn_surfaceHeight, column, row) < 0.0f);
		}
	}
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

// Halos are the texels of neighbours, and at the edges of the world their own last ones, also in tiles that are not full.
static int HasHalos(void)
{
	tnWorld* world = MakeHills(tnDefaultWorldDef());
	ENSURE(world != NULL);
	const tnSurfaceDef surfaceDef = GetFloats(5);
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	ENSURE(StepMany(world, 20));
	ENSURE(tnSurface_Update(surface, world, 0.5f).status == tn_ok);
	for (int i = 0; i < tnSurface_GetTileCount(surface); ++i)
	{
		tnSurfaceTile tile;
		ENSURE(tnSurface_GetTile(surface, i, &tile).status == tn_ok);
		ENSURE_EQUAL_INT(tile.size, 74);
		float highest = -INFINITY, deepest = 0.0f;
		for (int j = 0; j < tile.size * tile.size; ++j)
		{
			const int c = tile.column + j % tile.size - tile.halo, r = tile.row + j / tile.size - tile.halo;
			const int column = c < 0 ? 0 : (c >= columnCount ? columnCount - 1 : c);
			const int row = r < 0 ? 0 : (r >= rowCount ? rowCount - 1 : r);
			const float* texel = (const float*)tile.texels[0] + 4 * j;
			ENSURE(texel[0] == tnSurface_Get(surface, tn_surfaceHeight, column, row));
			ENSURE(texel[1] == tnSurface_Get(surface, tn_surfaceDepth, column, row));
			if (c >= tile.column && r >= tile.row && c < tile.column + tile.columns && r < tile.row + tile.rows)
			{
				highest = fmaxf(highest, texel[0]);
				deepest = fmaxf(deepest, texel[1]);
			}
		}
		ENSURE(tile.highest == highest && tile.maxDepth == deepest);
	}
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes

typedef struct Edge
{
	tnVec3 from, to;
} Edge;

static int CompareEdges(const void* a, const void* b)
{
	return memcmp(a, b, sizeof(Edge));
}

static bool IsOnRim(tnVec3 p)
{
	const float west = -13.0f + 0.25f, north = 7.5f + 0.25f;
	const float east = west + 0.5f * (columnCount - 1), south = north + 0.5f * (rowCount - 1);
	return p.x == west || p.z == north || p.x == east || p.z == south;
}

// All tiles together are one mesh without gaps: whoever has an edge finds it run the other way by its neighbour, but for shores,
// where it lies on the ground, and the rim. No corner lies below the ground, and all triangles look up.
static int MeshIsWhole(void)
{
	static tnVec3 positions[TN_MAX_SURFACE_VERTICES], normals[TN_MAX_SURFACE_VERTICES];
	static uint32_t indices[TN_MAX_SURFACE_INDICES];
	static Edge edges[6 * TN_MAX_SURFACE_INDICES], backwards[6 * TN_MAX_SURFACE_INDICES];
	tnWorld* world = MakeHills(tnDefaultWorldDef());
	ENSURE(world != NULL);
	const tnSurfaceDef def = GetFloats(0);
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &def, &surface).status == tn_ok);
	ENSURE(StepMany(world, 40));
	ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	size_t edgeCount = 0;
	int shores = 0;
	for (int tile = 0; tile < tnSurface_GetTileCount(surface); ++tile)
	{
		tnSurfaceMesh mesh = {0};
		const tnStatus wanted = tnSurface_BuildMesh(surface, tile, &mesh).status;
		ENSURE(wanted == (mesh.indexCount > 0 ? tn_outOfMemory : tn_ok));
		const int vertexCount = mesh.vertexCount, indexCount = mesh.indexCount;
		mesh = (tnSurfaceMesh){positions, normals, TN_MAX_SURFACE_VERTICES, indices, TN_MAX_SURFACE_INDICES, 0, 0};
		ENSURE(tnSurface_BuildMesh(surface, tile, &mesh).status == tn_ok);
		ENSURE(mesh.vertexCount == vertexCount && mesh.indexCount == indexCount);
		for (int i = 0; i < mesh.vertexCount; ++i)
		{
			const tnVec3 n = normals[i];
			ENSURE(fabsf(n.x * n.x + n.y * n.y + n.z * n.z - 1.0f) < 1.0e-5f && n.y > 0.0f);
		}
		for (int i = 0; i < mesh.indexCount; i += 3)
		{
			const tnVec3 a = positions[indices[i]], b = positions[indices[i + 1]], c = positions[indices[i + 2]];
			ENSURE((b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z) >= 0.0f);
			const tnVec3 corners[4] = {a, b, c, a};
			for (int j = 0; j < 3; ++j)
			{
				edges[edgeCount] = (Edge){corners[j], corners[j + 1]};
				backwards[edgeCount++] = (Edge){corners[j + 1], corners[j]};
			}
		}
	}
	ENSURE(edgeCount > 10000);
	qsort(backwards, edgeCount, sizeof(Edge), CompareEdges);
	for (size_t i = 0; i < edgeCount; ++i)
	{
		const bool shared = bsearch(edges + i, backwards, edgeCount, sizeof(Edge), CompareEdges) != NULL;
		if (!shared && !(IsOnRim(edges[i].from) && IsOnRim(edges[i].to)))
		{
			// Both ends are between two cells, or in the middle of one, and on the ground there: the mean of two beds.
			shores += 1;
			for (int end = 0; end < 2; ++end)
			{
				const tnVec3 p = end == 0 ? edges[i].from : edges[i].to;
				const float x = (p.x + 13.0f) * 2.0f - 0.5f, z = (p.z - 7.5f) * 2.0f - 0.5f;
				const int column = (int)(x + 1.0e-4f), row = (int)(z + 1.0e-4f);
				const float fx = fmaxf(x - (float)column, 0.0f), fz = fmaxf(z - (float)row, 0.0f);
				// On an edge or on the diagonal from b to c, where the ground is straight.
				const int right = column < columnCount - 1 ? column + 1 : column,
						  down = row < rowCount - 1 ? row + 1 : row;
				const float bedB = GetHill(right, row), bedC = GetHill(column, down), bedA = GetHill(column, row);
				const float straight = bedA + (bedB - bedA) * fx + (bedC - bedA) * fz;
				ENSURE(fabsf(p.y - straight) < 2.0e-3f);
			}
		}
	}
	ENSURE(shores > 100);
	tnSurfaceMesh mesh = {0};
	ENSURE(tnSurface_BuildMesh(surface, 99, &mesh).status == tn_invalidArgument);
	ENSURE(tnSurface_BuildMesh(surface, 0, NULL).status == tn_invalidArgument);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Formats, spray, bits, input

static int HalvesAreNear(void)
{
	tnWorld* world = MakeHills(tnDefaultWorldDef());
	ENSURE(world != NULL);
	const tnSurfaceDef floats = GetFloats(0);
	tnSurfaceDef halves = floats;
	for (int i = 0; i < halves.layerCount; ++i)
	{
		halves.layers[i].format = tn_surfaceHalves;
	}
	tnSurface *a = NULL, *b = NULL;
	ENSURE(tnCreateSurface(world, &floats, &a).status == tn_ok);
	ENSURE(tnCreateSurface(world, &halves, &b).status == tn_ok);
	ENSURE(StepMany(world, 30));
	ENSURE(tnSurface_Update(a, world, 0.5f).status == tn_ok && tnSurface_Update(b, world, 0.5f).status == tn_ok);
	for (int cell = 0; cell < columnCount * rowCount; ++cell)
	{
		for (int channel = 0; channel < tn_surfaceChannelCount; ++channel)
		{
			const float exact = tnSurface_Get(a, (tnSurfaceChannel)channel, cell % columnCount, cell / columnCount);
			const float half = tnSurface_Get(b, (tnSurfaceChannel)channel, cell % columnCount, cell / columnCount);
			// Half a unit of eleven bits; below 2^-14 there is nothing.
			ENSURE(fabsf(exact - half) <= fabsf(exact) / 2048.0f + 6.2e-5f);
		}
	}
	tnDestroySurface(a);
	tnDestroySurface(b);
	tnDestroyWorld(world);
	return 0;
}

// Wetness stays for a while where water was, foam that was guessed fades, and then both are exactly zero and cost nothing.
static int DriesAndFades(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 64;
	def.keepPrevious = true;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	static float bed[64 * 64], depth[64 * 64];
	for (int i = 0; i < 64 * 64; ++i)
	{
		bed[i] = 0.2f * (float)(i % 64);
		depth[i] = i % 64 < 5 ? 6.0f : 0.0f;
	}
	ENSURE(tnWorld_SetTerrain(world, bed).status == tn_ok && tnWorld_SetDepths(world, depth).status == tn_ok);
	const tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	float foam = 0.0f;
	for (int i = 0; i < 120; ++i)
	{
		ENSURE(tnWorld_Step(world, s_step).status == tn_ok && tnSurface_Update(surface, world, 1.0f).status == tn_ok);
		for (int cell = 0; cell < 64 * 64; ++cell)
		{
			foam = fmaxf(foam, tnSurface_Get(surface, tn_surfaceFoam, cell % 64, cell / 64));
		}
	}
	ENSURE(foam > 0.2f && foam <= 1.0f);
	// The highest place that is wet now, and all of it gone.
	int column = 63;
	for (; column > 0 && tnSurface_Get(surface, tn_surfaceWetness, column, 32) < 1.0f; --column)
	{
	}
	ENSURE(column > 4);
	ENSURE(tnWorld_FillToLevel(world, -1.0f).status == tn_ok);
	ENSURE(StepMany(world, 60) && tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	// No more than a quarter of a second at once.
	ENSURE(fabsf(tnSurface_Get(surface, tn_surfaceWetness, column, 32) - expf(-0.25f / 12.0f)) < 1.0e-3f);
	ENSURE(tnSurface_Get(surface, tn_surfaceFoam, column, 32) == 0.0f);
	for (int i = 0; i < 400; ++i)
	{
		ENSURE(tnWorld_Step(world, 0.25f).status == tn_ok && tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	}
	ENSURE(tnSurface_Get(surface, tn_surfaceWetness, column, 32) == 0.0f);
	tnSurface_TakeChanges(surface);
	ENSURE(tnWorld_Step(world, 0.25f).status == tn_ok && tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	ENSURE_EQUAL_INT(tnSurface_TakeChanges(surface).count, 0);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

static int HasSprayBetweenStates(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.keepPrevious = true;
	def.spray.enable = true;
	tnWorld* world = NULL;
	ENSURE(tnCreateWorld(&def, &world).status == tn_ok);
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){40.0f, 3.0f, 40.0f};
	jet.velocity = (tnVec3){4.0f, 6.0f, 1.0f};
	tnJetId id;
	ENSURE(tnWorld_CreateJet(world, &jet, &id).status == tn_ok);
	ENSURE(StepMany(world, 80));
	const tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	const tnSprayView view = tnWorld_GetSpray(world);
	ENSURE(view.count > 10);
	ENSURE(tnSurface_Update(surface, world, 1.0f).status == tn_ok);
	tnSprayInstances drops = tnSurface_GetSpray(surface);
	ENSURE_EQUAL_INT(drops.count, view.count);
	int landing = 0;
	for (int i = 0; i < drops.count; ++i)
	{
		const tnSprayInstance* drop = drops.items + i;
		ENSURE(memcmp(&drop->position, &view.particles[i].position, sizeof(tnVec3)) == 0);
		ENSURE(drop->seed == view.particles[i].seed && drop->volume == view.particles[i].volume);
		landing += isfinite(drop->timeToLand) ? 1 : 0;
		ENSURE(drop->velocity.y < 0.0f || isinf(drop->timeToLand));
	}
	ENSURE(landing > 0);
	ENSURE(tnSurface_Update(surface, world, 0.25f).status == tn_ok);
	drops = tnSurface_GetSpray(surface);
	ENSURE(drops.count > 0 && drops.count <= view.count);
	const float back = 0.75f * s_step;
	for (int i = 0, j = 0; i < drops.count; ++i, ++j)
	{
		for (; j < view.count && view.particles[j].seed != drops.items[i].seed; ++j)
		{
		}
		ENSURE(j < view.count);
		const float x = view.particles[j].position.x - view.particles[j].velocity.x * back;
		ENSURE(fabsf(drops.items[i].position.x - x) < 1.0e-5f && drops.items[i].age >= 0.0f);
	}
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

static uint64_t RunHashed(int workerCount, tnSimd simd)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.tasks.workerCount = workerCount;
	def.simd = simd;
	def.waves.enable = true;
	def.waves.finerLevels = 1;
	def.waves.levelCount = 3;
	def.waves.tileCount = 60;
	tnWorld* world = MakeHills(def);
	tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	surfaceDef.halo = 1;
	surfaceDef.layerCount = 4;
	surfaceDef.layers[3] =
		(tnSurfaceLayerDef){tn_surfaceFloats, {tn_surfaceNormalX, tn_surfaceNormalY, tn_surfaceBend}, 3};
	tnSurface* surface = NULL;
	if (world == NULL || tnCreateSurface(world, &surfaceDef, &surface).status != tn_ok)
	{
		return 0;
	}
	AddBox(world, (tnVec3){10.0f, 1.0f, 25.0f}, (tnVec3){1.5f, 1.0f, 2.5f}, 2000.0f);
	AddWave(world, (tnVec2){0.0f, 20.0f}, 0.8f, 0.1f);
	uint64_t hash = 0xCBF29CE484222325ull;
	for (int i = 0; i < 12; ++i)
	{
		StepMany(world, 5);
		tnSurface_Update(surface, world, 0.25f * (float)(i % 5));
		hash = HashSurface(surface, &surfaceDef, hash);
	}
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return hash;
}

static int SameBits(void)
{
	const uint64_t golden = RunHashed(1, tn_simdAuto);
	ENSURE(golden != 0);
	for (int workers = 2; workers <= 5; ++workers)
	{
		ENSURE_EQUAL_HEX(RunHashed(workers, tn_simdAuto), golden);
	}
	for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
	{
		if (tnIsSimdAvailable((tnSimd)simd))
		{
			ENSURE_EQUAL_HEX(RunHashed(2, (tnSimd)simd), golden);
		}
	}
	return 0;
}

static int s_allocations;

static void* CountAllocation(size_t size, size_t alignment, void* context)
{
	(void)context;
	s_allocations += 1;
	return TestAllocAligned(size, alignment);
}

static void FreeCounted(void* memory, size_t size, void* context)
{
	(void)size;
	(void)context;
	TestFreeAligned(memory);
}

static int AllocatesNothing(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.allocator = (tnAllocator){CountAllocation, FreeCounted, NULL};
	tnWorld* world = MakeHills(def);
	ENSURE(world != NULL);
	const tnSurfaceDef surfaceDef = tnDefaultSurfaceDef();
	tnSurface* surface = NULL;
	ENSURE(tnCreateSurface(world, &surfaceDef, &surface).status == tn_ok);
	const int before = s_allocations;
	for (int i = 0; i < 10; ++i)
	{
		ENSURE(StepMany(world, 1) && tnSurface_Update(surface, world, 0.5f).status == tn_ok);
		tnSurface_TakeChanges(surface);
	}
	ENSURE_EQUAL_INT(s_allocations, before);
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	return 0;
}

static int RefusesBadInput(void)
{
	tnWorld *world = MakeHills(tnDefaultWorldDef()), *other = MakeHills(tnDefaultWorldDef());
	ENSURE(world != NULL && other != NULL);
	tnSurface* surface = NULL;
	tnSurfaceDef def = tnDefaultSurfaceDef();
	def.halo = 17;
	tnResult result = tnCreateSurface(world, &def, &surface);
	ENSURE(result.status == tn_invalidArgument && strstr(result.text, "halo") != NULL &&
		strstr(result.text, "17") != NULL);
	def = tnDefaultSurfaceDef();
	def.layers[1].channels[2] = (tnSurfaceChannel)99;
	result = tnCreateSurface(world, &def, &surface);
	ENSURE(result.status == tn_invalidArgument && strstr(result.text, "layers[1].channels[2]") != NULL &&
		strstr(result.text, "99") != NULL);
	def = tnDefaultSurfaceDef();
	def.layers[0].channelCount = 0;
	ENSURE(tnCreateSurface(world, &def, &surface).status == tn_invalidArgument);
	def = tnDefaultSurfaceDef();
	def.layerCount = 5;
	ENSURE(tnCreateSurface(world, &def, &surface).status == tn_invalidArgument);
	def = (tnSurfaceDef){0};
	ENSURE(tnCreateSurface(world, &def, &surface).status == tn_invalidArgument);
	ENSURE(tnCreateSurface(world, NULL, &surface).status == tn_invalidArgument && surface == NULL);
	def = tnDefaultSurfaceDef();
	ENSURE(tnCreateSurface(NULL, &def, &surface).status == tn_invalidArgument);
	ENSURE(tnCreateSurface(world, &def, NULL).status == tn_invalidArgument);
	ENSURE(tnCreateSurface(world, &def, &surface).status == tn_ok);
	ENSURE(tnSurface_Update(surface, other, 0.5f).status == tn_invalidArgument);
	ENSURE(tnSurface_Update(surface, world, 1.5f).status == tn_invalidArgument);
	ENSURE(tnSurface_Update(surface, world, NAN).status == tn_invalidArgument);
	ENSURE(tnSurface_Update(NULL, world, 0.5f).status == tn_invalidArgument);
	ENSURE_EQUAL_INT(tnSurface_TakeChanges(surface).count, 0);
	tnSurfaceTile tile;
	ENSURE(tnSurface_GetTile(surface, 6, &tile).status == tn_invalidArgument);
	ENSURE(tnSurface_GetTile(surface, -1, &tile).status == tn_invalidArgument);
	ENSURE(tnSurface_Get(surface, tn_surfaceHeight, columnCount, 0) == 0.0f);
	tnDestroySurface(surface);
	tnDestroySurface(NULL);
	tnDestroyWorld(world);
	tnDestroyWorld(other);
	return 0;
}

static const Test s_tests[] = {
	{"FollowsItsRules", FollowsItsRules},
	{"IsWhatSamplesSay", IsWhatSamplesSay},
	{"HasWaves", HasWaves},
	{"GoesLevelIntoBodies", GoesLevelIntoBodies},
	{"HasHalos", HasHalos},
	{"MeshIsWhole", MeshIsWhole},
	{"HalvesAreNear", HalvesAreNear},
	{"DriesAndFades", DriesAndFades},
	{"HasSprayBetweenStates", HasSprayBetweenStates},
	{"SameBits", SameBits},
	{"AllocatesNothing", AllocatesNothing},
	{"RefusesBadInput", RefusesBadInput},
};
const TestSuite surfaceSuite = TEST_SUITE("surface", s_tests);

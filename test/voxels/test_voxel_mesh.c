// SPDX-License-Identifier: MIT

// Triangles of voxel worlds: exact levels, no gaps, the same bits on both sides of a border.

#include "voxel_kit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Meshes of several chunks, one after the other.
typedef struct Mesh
{
	tnVec3* positions;
	tnVec3* normals;
	uint8_t* liquids;
	uint32_t* indices;
	int vertexCount, indexCount;
	int* firstVertices; // of each chunk, and one more
	int chunkCount;
} Mesh;

static void FreeMesh(Mesh* mesh)
{
	free(mesh->positions);
	free(mesh->normals);
	free(mesh->liquids);
	free(mesh->indices);
	free(mesh->firstVertices);
	*mesh = (Mesh){0};
}

// Chunks of a box of chunks.
static int BuildMesh(const tnVoxelWorld* world, tnVoxelBox chunks, const tnVoxelMeshDef* def, Mesh* mesh)
{
	*mesh = (Mesh){0};
	tnVoxelMesher* mesher = NULL;
	ENSURE_OK(tnCreateVoxelMesher(NULL, &mesher));
	const int nx = chunks.high.x - chunks.low.x;
	const int ny = chunks.high.y - chunks.low.y;
	const int nz = chunks.high.z - chunks.low.z;
	mesh->chunkCount = nx * ny * nz;
	mesh->firstVertices = calloc((size_t)mesh->chunkCount + 1, sizeof(int));
	ENSURE(mesh->firstVertices != NULL);
	for (int pass = 0; pass < 2; ++pass)
	{
		int vertexCount = 0;
		int indexCount = 0;
		for (int i = 0; i < mesh->chunkCount; ++i)
		{
			const tnVoxel chunk = {chunks.low.x + i % nx, chunks.low.y + i / nx % ny, chunks.low.z + i / nx / ny};
			tnVoxelMesh part = {0};
			if (pass == 1)
			{
				part.positions = mesh->positions + vertexCount;
				part.normals = mesh->normals + vertexCount;
				part.liquids = mesh->liquids + vertexCount;
				part.indices = mesh->indices + indexCount;
				part.vertexCapacity = mesh->vertexCount - vertexCount;
				part.indexCapacity = mesh->indexCount - indexCount;
			}
			const tnResult result = tnVoxelMesher_Build(mesher, world, chunk, def, &part);
			ENSURE(pass == 0 || result.status == tn_ok);
			for (int k = 0; k < part.indexCount && pass == 1; ++k)
			{
				ENSURE(part.indices[k] < (uint32_t)part.vertexCount);
				part.indices[k] += (uint32_t)vertexCount;
			}
			mesh->firstVertices[i] = vertexCount;
			vertexCount += part.vertexCount;
			indexCount += part.indexCount;
		}
		mesh->firstVertices[mesh->chunkCount] = vertexCount;
		if (pass == 0)
		{
			mesh->vertexCount = vertexCount;
			mesh->indexCount = indexCount;
			mesh->positions = calloc((size_t)vertexCount + 1, sizeof(tnVec3));
			mesh->normals = calloc((size_t)vertexCount + 1, sizeof(tnVec3));
			mesh->liquids = calloc((size_t)vertexCount + 1, 1);
			mesh->indices = calloc((size_t)indexCount + 1, sizeof(uint32_t));
			ENSURE(mesh->positions != NULL && mesh->normals != NULL && mesh->liquids != NULL && mesh->indices != NULL);
		}
		ENSURE_EQUAL_INT(vertexCount, mesh->vertexCount);
		ENSURE_EQUAL_INT(indexCount, mesh->indexCount);
	}
	tnDestroyVoxelMesher(mesher);
	return 0;
}

static double GetVolume(const Mesh* mesh)
{
	double volume = 0.0;
	for (int i = 0; i < mesh->indexCount; i += 3)
	{
		const tnVec3 a = mesh->positions[mesh->indices[i]];
		const tnVec3 b = mesh->positions[mesh->indices[i + 1]];
		const tnVec3 c = mesh->positions[mesh->indices[i + 2]];
		volume += ((double)a.x * ((double)b.y * c.z - (double)b.z * c.y) +
					  (double)a.y * ((double)b.z * c.x - (double)b.x * c.z) +
					  (double)a.z * ((double)b.x * c.y - (double)b.y * c.x)) /
			6.0;
	}
	return volume;
}

// Unit normals, and triangles that are seen from where their normals point.
static int CheckNormals(const Mesh* mesh)
{
	for (int i = 0; i < mesh->vertexCount; ++i)
	{
		const tnVec3 n = mesh->normals[i];
		ENSURE_CLOSE(sqrtf(n.x * n.x + n.y * n.y + n.z * n.z), 1.0f, 1.0e-6);
	}
	return 0;
}

static int ComparePositions(const void* left, const void* right)
{
	return memcmp(left, right, sizeof(tnVec3));
}

typedef struct Edge
{
	int low, high, direction;
} Edge;

static int CompareEdges(const void* left, const void* right)
{
	const Edge* a = left;
	const Edge* b = right;
	return a->low != b->low ? (a->low < b->low ? -1 : 1) : (a->high == b->high ? 0 : (a->high < b->high ? -1 : 1));
}

// Every edge belongs to two triangles that go through it in opposite directions, once equal positions are one.
static int CheckClosed(const Mesh* mesh)
{
	tnVec3* welded = malloc((size_t)mesh->vertexCount * sizeof(tnVec3));
	Edge* edges = malloc((size_t)mesh->indexCount * sizeof(Edge));
	ENSURE(welded != NULL && edges != NULL);
	memcpy(welded, mesh->positions, (size_t)mesh->vertexCount * sizeof(tnVec3));
	qsort(welded, (size_t)mesh->vertexCount, sizeof(tnVec3), ComparePositions);
	int count = 0;
	for (int i = 0; i < mesh->vertexCount; ++i)
	{
		if (i == 0 || ComparePositions(welded + i, welded + count - 1) != 0)
		{
			welded[count++] = welded[i];
		}
	}
	for (int i = 0; i < mesh->indexCount; ++i)
	{
		int ends[2];
		for (int k = 0; k < 2; ++k)
		{
			const int corner = i / 3 * 3 + (i % 3 + k) % 3;
			const tnVec3* found = bsearch(
				mesh->positions + mesh->indices[corner], welded, (size_t)count, sizeof(tnVec3), ComparePositions);
			ENSURE(found != NULL);
			ends[k] = (int)(found - welded);
		}
		ENSURE(ends[0] != ends[1]);
		edges[i] = ends[0] < ends[1] ? (Edge){ends[0], ends[1], 1} : (Edge){ends[1], ends[0], -1};
	}
	qsort(edges, (size_t)mesh->indexCount, sizeof(Edge), CompareEdges);
	for (int i = 0; i < mesh->indexCount; i += 2)
	{
		ENSURE(i + 1 < mesh->indexCount && CompareEdges(edges + i, edges + i + 1) == 0);
		ENSURE_EQUAL_INT(edges[i].direction + edges[i + 1].direction, 0);
		ENSURE(i + 2 >= mesh->indexCount || CompareEdges(edges + i, edges + i + 2) != 0);
	}
	free(welded);
	free(edges);
	return 0;
}

// A world of air. Its liquid is never stepped: it stays where it is put.
static tnVoxelWorld* MakeAir(int cap, int liquidCount)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = cap;
	def.liquidCount = liquidCount;
	tnVoxelWorld* world = NULL;
	if (tnCreateVoxelWorld(&def, &world).status == tn_ok)
	{
		(void)tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0});
		(void)tnVoxelWorld_LoadBlock(world, (tnVoxel){-1, 0, 0});
	}
	return world;
}

static tnVoxelMeshDef LiquidDef(int liquid, tnVoxelMeshStyle style)
{
	tnVoxelMeshDef def = tnDefaultVoxelMeshDef();
	def.liquid = liquid;
	def.style = style;
	return def;
}

// Random crumbs around the corner of eight chunks, and of two blocks.
static int AddCrumbs(tnVoxelWorld* world, int liquid, unsigned seed, unsigned density, int cap)
{
	unsigned random = seed;
	for (int i = 0; i < 12 * 12 * 12; ++i)
	{
		const int x = i % 12 - 6;
		const int y = i / 12 % 12 + 10;
		const int z = i / 144 + 10;
		if (NextRandom(&random) % 100 < density)
		{
			const int amount = 1 + (int)(NextRandom(&random) % (unsigned)cap);
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), liquid, amount, NULL));
		}
	}
	return 0;
}

static int BodiesInAirAreClosed(void)
{
	for (unsigned density = 5; density <= 95; density += 15)
	{
		tnVoxelWorld* world = MakeAir(100, 1);
		ENSURE(world != NULL);
		ENSURE(AddCrumbs(world, 1, density, density, 100) == 0);
		const tnVoxelMeshDef def = LiquidDef(1, tn_smoothMesh);
		Mesh mesh;
		ENSURE(BuildMesh(world, VoxelBox(-1, 0, 0, 1, 2, 2), &def, &mesh) == 0);
		ENSURE(mesh.indexCount > 0);
		ENSURE(CheckClosed(&mesh) == 0);
		ENSURE(CheckNormals(&mesh) == 0);
		ENSURE(GetVolume(&mesh) > 0.0);
		FreeMesh(&mesh);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// A ball of full voxels. Corners that are cut off and steps that are filled out cost a little.
static int BallsHaveTheirVolume(void)
{
	tnVoxelWorld* world = MakeAir(1024, 1);
	ENSURE(world != NULL);
	int64_t total = 0;
	for (int i = 0; i < 24 * 24 * 24; ++i)
	{
		const int x = i % 24 - 12;
		const int y = i / 24 % 24 + 4;
		const int z = i / 576 + 5;
		const float d[3] = {(float)x + 0.5f, (float)y - 15.5f, (float)z - 16.5f};
		if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 100.0f)
		{
			int64_t added = 0;
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), 1, 1024, &added));
			total += added;
		}
	}
	const double exact = (double)total / 1024.0 * 0.75 * 0.75 * 0.75;
	tnVoxelMeshDef def = LiquidDef(1, tn_smoothMesh);
	Mesh mesh;
	ENSURE(BuildMesh(world, VoxelBox(-1, 0, 0, 1, 2, 2), &def, &mesh) == 0);
	ENSURE(CheckClosed(&mesh) == 0);
	ENSURE_CLOSE(GetVolume(&mesh) / exact, 1.0, 0.02);
	for (int i = 0; i < mesh.vertexCount; ++i)
	{
		// Away from the middle.
		const tnVec3 p = mesh.positions[i];
		const tnVec3 n = mesh.normals[i];
		ENSURE(p.x * n.x + (p.y - 16.0f * 0.75f) * n.y + (p.z - 17.0f * 0.75f) * n.z > 0.0f);
		ENSURE_EQUAL_INT(mesh.liquids[i], 1);
	}
	FreeMesh(&mesh);
	// Boxes have it exactly. Coordinates are multiples of 1/4 m below 32 m: sums have no error.
	def.style = tn_blockyMesh;
	ENSURE(BuildMesh(world, VoxelBox(-1, 0, 0, 1, 2, 2), &def, &mesh) == 0);
	ENSURE(CheckNormals(&mesh) == 0);
	ENSURE_CLOSE(GetVolume(&mesh) / exact, 1.0, 1.0e-12);
	FreeMesh(&mesh);
	tnDestroyVoxelWorld(world);
	return 0;
}

static int BlocksHaveTheirVolume(void)
{
	for (unsigned density = 5; density <= 95; density += 30)
	{
		tnVoxelWorld* world = MakeAir(64, 2);
		ENSURE(world != NULL);
		ENSURE(AddCrumbs(world, 1, density + 1, density, 64) == 0);
		ENSURE(AddCrumbs(world, 2, density + 2, density, 64) == 0);
		const int64_t volumes[2] = {tnVoxelWorld_GetLedger(world, 1).volume, tnVoxelWorld_GetLedger(world, 2).volume};
		for (int liquid = -1; liquid <= 2; ++liquid)
		{
			if (liquid == TN_MESH_GROUND)
			{
				continue;
			}
			const tnVoxelMeshDef def = LiquidDef(liquid, tn_blockyMesh);
			const int64_t units = liquid < 0 ? volumes[0] + volumes[1] : volumes[liquid - 1];
			Mesh mesh;
			ENSURE(BuildMesh(world, VoxelBox(-1, 0, 0, 1, 2, 2), &def, &mesh) == 0);
			ENSURE(CheckNormals(&mesh) == 0);
			// Single precision of coordinates up to 17 m.
			ENSURE_CLOSE(GetVolume(&mesh), (double)units / 64.0 * 0.75 * 0.75 * 0.75, 1.0e-4);
			FreeMesh(&mesh);
		}
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// Equal faces are one, also where the uppermost voxels are not full.
static int EqualFacesAreJoined(void)
{
	tnVoxelWorld* world = MakeAir(1024, 1);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 3, 3, 9, 8, 13), 1, 1024, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 8, 3, 9, 9, 13), 1, 333, NULL));
	const tnVoxelMeshDef def = LiquidDef(1, tn_blockyMesh);
	Mesh mesh;
	ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 1, 1, 1), &def, &mesh) == 0);
	ENSURE_EQUAL_INT(mesh.vertexCount, 24);
	ENSURE_EQUAL_INT(mesh.indexCount, 36);
	ENSURE(CheckClosed(&mesh) == 0);
	FreeMesh(&mesh);
	tnDestroyVoxelWorld(world);
	return 0;
}

// A hilly basin with a sea in it at rest.
static tnVoxelWorld* MakeLake(int cap, bool isSmooth, int level)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = cap;
	tnVoxelWorld* world = NULL;
	if (tnCreateVoxelWorld(&def, &world).status != tn_ok ||
		tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}).status != tn_ok)
	{
		return NULL;
	}
	const int units = level % cap;
	for (int x = 0; x < 48; ++x)
	{
		for (int z = 0; z < 48; ++z)
		{
			// Up to and across the level, with islands; steep and less steep.
			const float wave =
				sinf(0.31f * (float)x) * cosf(0.23f * (float)z) * 6.0f + sinf(0.7f * (float)(x + z)) * 2.0f;
			const float height = 9.0f + (isSmooth ? wave : floorf(wave));
			const int y = (int)floorf(height);
			const int solid = (int)((height - (float)y) * 255.0f);
			(void)tnVoxelWorld_FillSolid(world, VoxelBox(x, 0, z, x + 1, y, z + 1), TN_VOXEL_ROCK);
			(void)tnVoxelWorld_FillSolid(world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), solid);
			for (int k = y; k <= level / cap; ++k)
			{
				const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, k, z});
				const int ground = cap - state.room;
				const int amount = (k < level / cap ? cap : units) - ground;
				if (amount > 0)
				{
					(void)tnVoxelWorld_AddLiquid(world, VoxelBox(x, k, z, x + 1, k + 1, z + 1), 1, amount, NULL);
				}
			}
		}
	}
	return world;
}

// Height of a mesh above a point, by its triangles that look up. NAN: none is there.
static double GetMeshHeight(const Mesh* mesh, double x, double z)
{
	double height = NAN;
	for (int i = 0; i < mesh->indexCount; i += 3)
	{
		const tnVec3 a = mesh->positions[mesh->indices[i]];
		const tnVec3 b = mesh->positions[mesh->indices[i + 1]];
		const tnVec3 c = mesh->positions[mesh->indices[i + 2]];
		const double det = ((double)b.x - a.x) * ((double)c.z - a.z) - ((double)c.x - a.x) * ((double)b.z - a.z);
		if (det >= 0.0)
		{
			continue; // looks down, or sideways
		}
		const double u = ((x - a.x) * ((double)c.z - a.z) - ((double)c.x - a.x) * (z - a.z)) / det;
		const double v = (((double)b.x - a.x) * (z - a.z) - (x - a.x) * ((double)b.z - a.z)) / det;
		if (u >= 0.0 && v >= 0.0 && u + v <= 1.0)
		{
			const double y = a.y + u * ((double)b.y - a.y) + v * ((double)c.y - a.y);
			height = isnan(height) || y > height ? y : height;
		}
	}
	return height;
}

// Still water is flat everywhere, at its level, up to the shore and over borders of chunks; and wherever the ground lies
// below the level next to water, water covers it.
static int LakesAreFlat(void)
{
	static const int levels[3] = {10 * 1000 + 370, 9 * 1000 + 1, 8 * 1000 + 999};
	for (int variant = 0; variant < 6; ++variant)
	{
		tnVoxelWorld* world = MakeLake(1000, variant < 3, levels[variant % 3]);
		ENSURE(world != NULL);
		const double level = levels[variant % 3] / 1000.0 * 0.75;
		tnVoxelMeshDef def = LiquidDef(1, tn_smoothMesh);
		Mesh water;
		ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 3, 2, 3), &def, &water) == 0);
		ENSURE(water.indexCount > 1000);
		// The lake ends at x = 48 and z = 48, and goes down there.
		const float rim = 46.9f * 0.75f;
		for (int i = 0; i < water.vertexCount; ++i)
		{
			if (water.positions[i].x < rim && water.positions[i].z < rim)
			{
				ENSURE_CLOSE(water.positions[i].y, level, 1.0e-5);
				ENSURE(water.normals[i].y == 1.0f);
				ENSURE_EQUAL_INT(water.liquids[i], 1);
			}
		}
		def = LiquidDef(TN_MESH_GROUND, tn_smoothMesh);
		Mesh ground;
		ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 3, 2, 3), &def, &ground) == 0);
		ENSURE(CheckNormals(&ground) == 0);
		// Random points: either ground above the level, or water at it.
		unsigned random = 7;
		for (int i = 0; i < 400; ++i)
		{
			const double x = 0.75 * (0.5 + 46.0 * (double)(NextRandom(&random) % 10007) / 10007.0);
			const double z = 0.75 * (0.5 + 46.0 * (double)(NextRandom(&random) % 10009) / 10009.0);
			const double bed = GetMeshHeight(&ground, x, z);
			const double surface = GetMeshHeight(&water, x, z);
			ENSURE(!isnan(bed));
			if (variant < 3 && bed < level - 1.0e-4)
			{
				ENSURE(!isnan(surface));
			}
			ENSURE(isnan(surface) || fabs(surface - level) < 1.0e-5);
		}
		FreeMesh(&water);
		FreeMesh(&ground);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// The top of sloping ground goes through the tops of its voxels.
static int GroundIsExact(void)
{
	tnVoxelWorld* world = MakeLake(1024, true, 1024 * 3);
	ENSURE(world != NULL);
	const tnVoxelMeshDef def = LiquidDef(TN_MESH_GROUND, tn_smoothMesh);
	Mesh ground;
	ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 3, 2, 3), &def, &ground) == 0);
	for (int x = 1; x < 47; x += 5)
	{
		for (int z = 1; z < 47; z += 3)
		{
			double top = 0.0;
			for (int y = 0; y < 24; ++y)
			{
				const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z});
				top += (1024 - state.room) / 1024.0 * 0.75;
			}
			// Not at a vertex: a point may fall between triangles.
			const double height = GetMeshHeight(&ground, (x + 0.50001) * 0.75, (z + 0.50002) * 0.75);
			ENSURE_CLOSE(height, top, 1.0e-3);
		}
	}
	FreeMesh(&ground);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Where meshes of two chunks have a vertex at one place, it has the same bits; and they have vertices in common.
static int BordersHaveTheSameBits(void)
{
	for (int kind = 0; kind < 3; ++kind)
	{
		tnVoxelWorld* world = kind < 2 ? MakeLake(1000, true, 9500) : MakeAir(1000, 1);
		ENSURE(world != NULL);
		if (kind == 2)
		{
			ENSURE(AddCrumbs(world, 1, 5, 40, 1000) == 0);
		}
		const tnVoxelMeshDef def = LiquidDef(kind == 0 ? TN_MESH_GROUND : 1, tn_smoothMesh);
		Mesh mesh;
		const tnVoxelBox chunks = kind < 2 ? VoxelBox(0, 0, 0, 3, 2, 3) : VoxelBox(-1, 0, 0, 1, 2, 2);
		ENSURE(BuildMesh(world, chunks, &def, &mesh) == 0);
		int sharedCount = 0;
		for (int a = 0; a < mesh.chunkCount; ++a)
		{
			for (int i = mesh.firstVertices[a]; i < mesh.firstVertices[a + 1]; ++i)
			{
				for (int k = mesh.firstVertices[a + 1]; k < mesh.vertexCount; ++k)
				{
					const tnVec3 p = mesh.positions[i];
					const tnVec3 q = mesh.positions[k];
					if (fabsf(p.x - q.x) < 1.0e-5f && fabsf(p.y - q.y) < 1.0e-5f && fabsf(p.z - q.z) < 1.0e-5f)
					{
						ENSURE(memcmp(&p, &q, sizeof(p)) == 0);
						ENSURE(memcmp(mesh.normals + i, mesh.normals + k, sizeof(tnVec3)) == 0);
						sharedCount += 1;
					}
				}
			}
		}
		ENSURE(sharedCount > 50);
		FreeMesh(&mesh);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// Two liquids: one mesh each, or one for both with the numbers at the vertices.
static int LiquidsHaveNumbers(void)
{
	tnVoxelWorld* world = MakeAir(1024, 3);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(2, 2, 2, 7, 7, 7), 1, 1024, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(7, 2, 2, 12, 7, 7), 3, 1024, NULL));
	int counts[4] = {0};
	for (int style = 0; style < 2; ++style)
	{
		for (int liquid = -1; liquid <= 3; ++liquid)
		{
			const tnVoxelMeshDef def = LiquidDef(liquid, (tnVoxelMeshStyle)style);
			Mesh mesh;
			ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 1, 1, 1), &def, &mesh) == 0);
			ENSURE_EQUAL_INT(mesh.indexCount > 0, liquid != 0 && liquid != 2);
			memset(counts, 0, sizeof(counts));
			for (int i = 0; i < mesh.vertexCount; ++i)
			{
				ENSURE(mesh.liquids[i] <= 3);
				counts[mesh.liquids[i]] += 1;
			}
			ENSURE_EQUAL_INT(counts[1] > 0, liquid == -1 || liquid == 1);
			ENSURE_EQUAL_INT(counts[3] > 0, liquid == -1 || liquid == 3);
			ENSURE_EQUAL_INT(counts[0] + counts[2], 0);
			if (style == 0 && mesh.indexCount > 0)
			{
				ENSURE(CheckClosed(&mesh) == 0);
			}
			FreeMesh(&mesh);
		}
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// The rim of the loaded world: open, or a cut that closes ground and water.
static int RimsAreOpenOrCut(void)
{
	tnVoxelWorldDef worldDef = tnDefaultVoxelWorldDef();
	tnVoxelWorld* world = MakeRock(&worldDef);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(0, 20, 0, 128, 128, 128), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(0, 20, 0, 128, 23, 128), 1, 512, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(0, 20, 0, 128, 22, 128), 1, 512, NULL));
	for (int style = 0; style < 2; ++style)
	{
		for (int liquid = 0; liquid < 2; ++liquid)
		{
			tnVoxelMeshDef def = LiquidDef(liquid, (tnVoxelMeshStyle)style);
			Mesh mesh;
			ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 8, 2, 8), &def, &mesh) == 0);
			const float level = (liquid == 0 ? 20.0f : 22.5f) * 0.75f;
			float farthest = 0.0f;
			for (int i = 0; i < mesh.vertexCount; ++i)
			{
				ENSURE_CLOSE(mesh.positions[i].y, level, 1.0e-5);
				farthest = mesh.positions[i].x > farthest ? mesh.positions[i].x : farthest;
			}
			ENSURE_CLOSE(farthest, 96.0f, 1.0e-5);
			FreeMesh(&mesh);
			def.cutOut = true;
			ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 8, 2, 8), &def, &mesh) == 0);
			if (liquid == 0)
			{
				// A smooth cut goes through the middles of voxels.
				const double side = style == 0 ? 96.0 - 0.75 : 96.0;
				ENSURE_CLOSE(GetVolume(&mesh) / (side * side * 15.0), 1.0, 1.0e-5);
			}
			FreeMesh(&mesh);
		}
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// A box cut out of rock is a box, exactly; and nothing is drawn twice where chunks beside it are meshed too.
static int ClipsAreClosed(void)
{
	tnVoxelWorldDef worldDef = tnDefaultVoxelWorldDef();
	tnVoxelWorld* world = MakeRock(&worldDef);
	ENSURE(world != NULL);
	static const tnVoxelBox clips[2] = {{{5, 3, 7}, {37, 29, 22}}, {{16, 16, 16}, {48, 32, 32}}};
	for (int i = 0; i < 4; ++i)
	{
		const tnVoxelBox clip = clips[i % 2];
		tnVoxelMeshDef def = LiquidDef(TN_MESH_GROUND, i < 2 ? tn_smoothMesh : tn_blockyMesh);
		def.cutOut = true;
		def.clip = clip;
		Mesh mesh;
		ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 4, 3, 3), &def, &mesh) == 0);
		// A smooth cut goes through the middles of voxels.
		const double less = i < 2 ? 1.0 : 0.0;
		const double exact = (clip.high.x - clip.low.x - less) * (clip.high.y - clip.low.y) *
			(clip.high.z - clip.low.z - less) * 0.75 * 0.75 * 0.75;
		ENSURE_CLOSE(GetVolume(&mesh) / exact, 1.0, 1.0e-6);
		ENSURE(i >= 2 || CheckClosed(&mesh) == 0);
		FreeMesh(&mesh);
		// What is not cut out but only left away has no faces: all around is rock.
		def.cutOut = false;
		ENSURE(BuildMesh(world, VoxelBox(0, 0, 0, 4, 3, 3), &def, &mesh) == 0);
		ENSURE_EQUAL_INT(mesh.indexCount, 0);
		FreeMesh(&mesh);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

static int KeysSayWhatChanged(void)
{
	tnVoxelWorld* world = MakeLake(1000, true, 9500);
	tnVoxelMesher* mesher = NULL;
	ENSURE(world != NULL);
	ENSURE_OK(tnCreateVoxelMesher(NULL, &mesher));
	const tnVoxelMeshDef def = LiquidDef(1, tn_smoothMesh);
	uint64_t keys[4];
	ENSURE_OK(tnVoxelMesher_GetKey(mesher, world, (tnVoxel){0, 0, 0}, &def, keys));
	ENSURE_OK(tnVoxelMesher_GetKey(mesher, world, (tnVoxel){1, 0, 1}, &def, keys + 1));
	ENSURE_OK(tnVoxelMesher_GetKey(mesher, world, (tnVoxel){0, 5, 0}, &def, keys + 2));
	ENSURE(keys[0] != 0 && keys[1] != 0 && keys[0] != keys[1]);
	ENSURE_EQUAL_INT(keys[2], 0);
	// In the middle of a chunk: of no interest to its neighbours.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(8, 0, 8, 9, 14, 9), 0));
	uint64_t key = 0;
	ENSURE_OK(tnVoxelMesher_GetKey(mesher, world, (tnVoxel){0, 0, 0}, &def, &key));
	ENSURE(key != keys[0]);
	ENSURE_OK(tnVoxelMesher_GetKey(mesher, world, (tnVoxel){1, 0, 1}, &def, &key));
	ENSURE_EQUAL_HEX(key, keys[1]);
	tnDestroyVoxelMesher(mesher);
	tnDestroyVoxelWorld(world);
	return 0;
}

static uint64_t HashBytes(uint64_t hash, const void* bytes, size_t count)
{
	const uint8_t* values = bytes;
	for (size_t i = 0; i < count; ++i)
	{
		hash = (hash ^ values[i]) * 0x100000001b3ull;
	}
	return hash;
}

static uint64_t HashMesh(const Mesh* mesh)
{
	uint64_t hash = HashBytes(0xcbf29ce484222325ull, mesh->positions, (size_t)mesh->vertexCount * sizeof(tnVec3));
	hash = HashBytes(hash, mesh->normals, (size_t)mesh->vertexCount * sizeof(tnVec3));
	hash = HashBytes(hash, mesh->liquids, (size_t)mesh->vertexCount);
	return HashBytes(hash, mesh->indices, (size_t)mesh->indexCount * sizeof(uint32_t));
}

// The same bits on every machine, with every compiler. Only arithmetic that is the same everywhere made this world.
#define SMOOTH_HASH 0x6db87f1c05d29917ull
#define BLOCKY_HASH 0x5ad9ece6b09dab35ull
static int MeshesHaveTheSameBits(void)
{
	tnVoxelWorld* world = MakeAir(1000, 2);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(-4, 12, 12, 3, 15, 18), TN_VOXEL_ROCK));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(-1, 15, 12, 2, 16, 18), 77));
	ENSURE(AddCrumbs(world, 1, 11, 30, 1000) == 0);
	ENSURE(AddCrumbs(world, 2, 12, 20, 1000) == 0);
	for (int style = 0; style < 2; ++style)
	{
		const tnVoxelMeshDef def = LiquidDef(TN_MESH_ALL_LIQUIDS, (tnVoxelMeshStyle)style);
		for (int run = 0; run < 2; ++run)
		{
			Mesh mesh;
			ENSURE(BuildMesh(world, VoxelBox(-1, 0, 0, 1, 2, 2), &def, &mesh) == 0);
			ENSURE_EQUAL_HEX(HashMesh(&mesh), style == 0 ? SMOOTH_HASH : BLOCKY_HASH);
			FreeMesh(&mesh);
		}
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// By all workers the bits are those of one after the other, what has not changed is left alone, and what does not fit says so.
static int ManyAreAsOneByOne(void)
{
	enum
	{
		chunkCount = 8,
		taskCount = 4 * chunkCount,
		vertexCapacity = 9000,
		indexCapacity = 30000,
	};
	static tnVec3 positions[taskCount][vertexCapacity], normals[taskCount][vertexCapacity];
	static uint8_t liquids[taskCount][vertexCapacity];
	static uint32_t indices[taskCount][indexCapacity];
	static tnVec3 onePosition[vertexCapacity], oneNormal[vertexCapacity];
	static uint8_t oneLiquid[vertexCapacity];
	static uint32_t oneIndex[indexCapacity];
	static tnVoxelMeshTask tasks[taskCount];
	uint64_t golden = 0;
	for (int way = 0; way < 4 + tn_simdWasm + 1; ++way)
	{
		tnVoxelWorldDef worldDef = tnDefaultVoxelWorldDef();
		worldDef.liquidCount = 2;
		worldDef.tasks.workerCount = way < 4 ? way + 1 : 2;
		worldDef.simd = way < 4 ? tn_simdAuto : (tnSimd)(way - 4);
		if (!tnIsSimdAvailable(worldDef.simd))
		{
			continue;
		}
		tnVoxelWorld* world = NULL;
		ENSURE_OK(tnCreateVoxelWorld(&worldDef, &world));
		ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}));
		ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){-1, 0, 0}));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(-14, 0, 3, 13, 9, 30), 130));
		ENSURE(AddCrumbs(world, 1, 11, 30, worldDef.cap) == 0);
		ENSURE(AddCrumbs(world, 2, 12, 20, worldDef.cap) == 0);
		tnVoxelMesher* mesher = NULL;
		ENSURE_OK(tnCreateVoxelMesher(NULL, &mesher));
		for (int i = 0; i < taskCount; ++i)
		{
			const int chunk = i % chunkCount;
			tasks[i] = (tnVoxelMeshTask){.chunk = {chunk % 2 - 1, chunk / 4, chunk / 2 % 2},
				.def = LiquidDef(i / chunkCount % 2, i < taskCount / 2 ? tn_smoothMesh : tn_blockyMesh),
				.mesh = {positions[i], normals[i], liquids[i], vertexCapacity, indices[i], indexCapacity, 0, 0}};
		}
		ENSURE_OK(tnVoxelMesher_BuildMany(mesher, world, tasks, taskCount));
		int triangles = 0;
		uint64_t hash = 0xcbf29ce484222325ull;
		for (int i = 0; i < taskCount; ++i)
		{
			tnVoxelMesh one = {onePosition, oneNormal, oneLiquid, vertexCapacity, oneIndex, indexCapacity, 0, 0};
			uint64_t key = 0;
			ENSURE_OK(tnVoxelMesher_Build(mesher, world, tasks[i].chunk, &tasks[i].def, &one));
			ENSURE_OK(tnVoxelMesher_GetKey(mesher, world, tasks[i].chunk, &tasks[i].def, &key));
			ENSURE_EQUAL_HEX(tasks[i].key, key);
			ENSURE(tasks[i].isNew == (key != 0) && !tasks[i].isTooLarge);
			ENSURE(tasks[i].mesh.vertexCount == one.vertexCount && tasks[i].mesh.indexCount == one.indexCount);
			ENSURE(memcmp(positions[i], onePosition, (size_t)one.vertexCount * sizeof(tnVec3)) == 0);
			ENSURE(memcmp(normals[i], oneNormal, (size_t)one.vertexCount * sizeof(tnVec3)) == 0);
			ENSURE(memcmp(liquids[i], oneLiquid, (size_t)one.vertexCount) == 0);
			ENSURE(memcmp(indices[i], oneIndex, (size_t)one.indexCount * sizeof(uint32_t)) == 0);
			triangles += one.indexCount / 3;
			hash = HashBytes(hash, positions[i], (size_t)one.vertexCount * sizeof(tnVec3));
			hash = HashBytes(hash, normals[i], (size_t)one.vertexCount * sizeof(tnVec3));
			hash = HashBytes(hash, indices[i], (size_t)one.indexCount * sizeof(uint32_t));
			hash = HashBytes(hash, &key, sizeof(key));
		}
		ENSURE(triangles > 8000);
		golden = way == 0 ? hash : golden;
		ENSURE_EQUAL_HEX(hash, golden);
		// In the middle of the second chunk: none of its neighbours sees it.
		ENSURE_OK(tnVoxelMesher_BuildMany(mesher, world, tasks, taskCount));
		for (int i = 0; i < taskCount; ++i)
		{
			ENSURE(!tasks[i].isNew);
		}
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(7, 7, 7, 9, 9, 9), 0));
		tasks[1].mesh.vertexCapacity = 3;
		const uint64_t keyBefore = tasks[1].key;
		ENSURE_OK(tnVoxelMesher_BuildMany(mesher, world, tasks, taskCount));
		ENSURE(tasks[1].isTooLarge && !tasks[1].isNew && tasks[1].mesh.vertexCount > 3 && tasks[1].key == keyBefore);
		ENSURE(tasks[chunkCount + 1].isNew && !tasks[0].isNew);
		tasks[1].mesh.vertexCapacity = vertexCapacity;
		ENSURE_OK(tnVoxelMesher_BuildMany(mesher, world, tasks + 1, 1));
		ENSURE(tasks[1].isNew && tasks[1].key != keyBefore);

		tasks[3].def.liquid = 9;
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(5, 7, 7, 9, 9, 9), 0));
		ENSURE_REFUSED(tnVoxelMesher_BuildMany(mesher, world, tasks, taskCount), tn_invalidArgument, "def.liquid");
		tasks[3].def.liquid = 0;
		ENSURE_REFUSED(tnVoxelMesher_BuildMany(mesher, world, NULL, 1), tn_invalidArgument, "tasks");
		ENSURE_REFUSED(tnVoxelMesher_BuildMany(mesher, world, tasks, -1), tn_invalidArgument, "taskCount");
		ENSURE_REFUSED(tnVoxelMesher_BuildMany(NULL, world, tasks, 1), tn_invalidArgument, "mesher");
		ENSURE_REFUSED(tnVoxelMesher_BuildMany(mesher, NULL, tasks, 1), tn_invalidArgument, "world");
		ENSURE_OK(tnVoxelMesher_BuildMany(mesher, world, NULL, 0));
		tnDestroyVoxelMesher(mesher);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static void* FailAlloc(size_t size, size_t alignment, void* context)
{
	(void)size;
	(void)alignment;
	(void)context;
	return NULL;
}

static void IgnoreFree(void* memory, size_t size, void* context)
{
	(void)memory;
	(void)size;
	(void)context;
}

static int BadInputIsRefused(void)
{
	tnVoxelMesher* mesher = NULL;
	ENSURE_REFUSED(tnCreateVoxelMesher(NULL, NULL), tn_invalidArgument, "mesher");
	tnAllocator allocator = {.allocFcn = FailAlloc};
	ENSURE_REFUSED(tnCreateVoxelMesher(&allocator, &mesher), tn_invalidArgument, "allocator");
	allocator.freeFcn = IgnoreFree;
	ENSURE_REFUSED(tnCreateVoxelMesher(&allocator, &mesher), tn_outOfMemory, "bytes");
	ENSURE(mesher == NULL);
	tnDestroyVoxelMesher(NULL);
	ENSURE_OK(tnCreateVoxelMesher(NULL, &mesher));

	tnVoxelWorld* world = MakeLake(1000, true, 9500);
	ENSURE(world != NULL);
	const tnVoxel chunk = {1, 0, 1};
	tnVoxelMeshDef def = LiquidDef(TN_MESH_GROUND, tn_smoothMesh);
	tnVoxelMesh mesh = {0};
	uint64_t key = 0;
	ENSURE_REFUSED(tnVoxelMesher_Build(NULL, world, chunk, &def, &mesh), tn_invalidArgument, "mesher");
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, NULL, chunk, &def, &mesh), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, NULL, &mesh), tn_invalidArgument, "def");
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, NULL), tn_invalidArgument, "mesh");
	ENSURE_REFUSED(tnVoxelMesher_GetKey(mesher, world, chunk, &def, NULL), tn_invalidArgument, "key");
	static const tnVoxel absent[4] = {{8, 0, 0}, {0, -1, 0}, {INT32_MAX, 0, 0}, {0, 0, INT32_MIN}};
	for (int i = 0; i < 4; ++i)
	{
		ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, absent[i], &def, &mesh), tn_invalidArgument, "not loaded");
		ENSURE_REFUSED(tnVoxelMesher_GetKey(mesher, world, absent[i], &def, &key), tn_invalidArgument, "not loaded");
	}
	def.liquid = 2;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "def.liquid");
	def.liquid = -2;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "def.liquid");
	def.liquid = 0;
	def.style = tn_voxelMeshStyleCount;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "def.style");
	def.style = tn_smoothMesh;
	def.stamp = 0;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "def.stamp");
	def = tnDefaultVoxelMeshDef();
	def.clip.high.y = -1;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "def.clip");
	def = tnDefaultVoxelMeshDef();
	mesh.vertexCapacity = 5;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "mesh.positions");
	mesh.vertexCapacity = -1;
	ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_invalidArgument, "vertexCapacity");

	// Too small: the counts are right, nothing was written.
	for (int style = 0; style < 2; ++style)
	{
		def.style = (tnVoxelMeshStyle)style;
		mesh = (tnVoxelMesh){0};
		ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_outOfMemory, "vertices");
		const int vertexCount = mesh.vertexCount;
		const int indexCount = mesh.indexCount;
		ENSURE(vertexCount > 0 && indexCount > 0);
		tnVec3* positions = calloc((size_t)vertexCount, sizeof(tnVec3));
		uint32_t* indices = calloc((size_t)indexCount, sizeof(uint32_t));
		ENSURE(positions != NULL && indices != NULL);
		for (int i = 0; i < 2; ++i)
		{
			mesh = (tnVoxelMesh){.positions = positions,
				.vertexCapacity = vertexCount - i,
				.indices = indices,
				.indexCapacity = indexCount - 1 + i};
			ENSURE_REFUSED(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh), tn_outOfMemory, "vertices");
			ENSURE_EQUAL_INT(mesh.vertexCount, vertexCount);
			ENSURE_EQUAL_INT(mesh.indexCount, indexCount);
			for (int k = 0; k < vertexCount; ++k)
			{
				ENSURE(positions[k].x == 0.0f && positions[k].y == 0.0f && positions[k].z == 0.0f);
			}
			for (int k = 0; k < indexCount; ++k)
			{
				ENSURE_EQUAL_INT(indices[k], 0);
			}
		}
		mesh.vertexCapacity = vertexCount;
		mesh.indexCapacity = indexCount;
		ENSURE_OK(tnVoxelMesher_Build(mesher, world, chunk, &def, &mesh));
		free(positions);
		free(indices);
	}
	tnDestroyVoxelWorld(world);
	tnDestroyVoxelMesher(mesher);
	return 0;
}

static const Test s_tests[] = {
	{"BodiesInAirAreClosed", BodiesInAirAreClosed},
	{"BallsHaveTheirVolume", BallsHaveTheirVolume},
	{"BlocksHaveTheirVolume", BlocksHaveTheirVolume},
	{"EqualFacesAreJoined", EqualFacesAreJoined},
	{"LakesAreFlat", LakesAreFlat},
	{"GroundIsExact", GroundIsExact},
	{"BordersHaveTheSameBits", BordersHaveTheSameBits},
	{"LiquidsHaveNumbers", LiquidsHaveNumbers},
	{"RimsAreOpenOrCut", RimsAreOpenOrCut},
	{"ClipsAreClosed", ClipsAreClosed},
	{"KeysSayWhatChanged", KeysSayWhatChanged},
	{"MeshesHaveTheSameBits", MeshesHaveTheSameBits},
	{"ManyAreAsOneByOne", ManyAreAsOneByOne},
	{"BadInputIsRefused", BadInputIsRefused},
};
const TestSuite voxel_meshSuite = TEST_SUITE("voxel_mesh", s_tests);

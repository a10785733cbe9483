// SPDX-License-Identifier: MIT

// The program that every binding has to repeat: a world with all layers, a world of voxels, and a mistake. What it prints must be
// the same, to the letter, in every language and on every machine.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef ONE_FILE
#include <tarn.h>
#else
#include <tarn/tarn.h>
#endif

static void Expect(tnResult result)
{
	if (result.status != tn_ok)
	{
		printf("failed: %s\n", result.text);
		exit(1);
	}
}

static uint64_t RunWorld(tnSimd simd)
{
	enum
	{
		columns = 96,
		rows = 64
	};
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 0.5f;
	def.method = tn_shallowMethod;
	def.tracerCount = 1;
	def.edges[tn_east].kind = tn_openEdge;
	def.waves.enable = true;
	def.waves.levelCount = 3;
	def.waves.tileCount = 64;
	def.spray.enable = true;
	def.foam.enable = true;
	def.simd = simd;
	tnWorld* world;
	Expect(tnCreateWorld(&def, &world));

	static float heights[columns * rows];
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			// Sixteenths: the same floats in every language.
			heights[row * columns + column] = (float)((column * 7 + row * 13) % 16) / 16.0f + (float)column / 32.0f;
		}
	}
	Expect(tnWorld_SetTerrain(world, heights));
	double moved;
	Expect(tnWorld_AddWater(world, (tnVec2){12.0f, 16.0f}, 6.0f, 200.0f, &moved));

	tnSourceDef spring = tnDefaultSourceDef();
	spring.center = (tnVec2){36.0f, 8.0f};
	spring.rate = 2.5f;
	spring.tracers[0] = 0.5f;
	tnSourceId source;
	Expect(tnWorld_CreateSource(world, &spring, &source));

	tnShapeDef box = tnDefaultShapeDef();
	box.halfExtents = (tnVec3){1.0f, 0.5f, 1.5f};
	tnBodyDef crate = tnDefaultBodyDef();
	crate.shapes = &box;
	crate.shapeCount = 1;
	crate.mass = 1500.0f;
	crate.pose.position = (tnVec3){14.0f, 2.0f, 16.0f};
	tnBodyId body;
	Expect(tnWorld_CreateBody(world, &crate, &body));

	for (int step = 0; step < 90; ++step)
	{
		tnPose pose = crate.pose;
		pose.position.x = 14.0f + (float)step / 32.0f;
		Expect(tnWorld_MoveBody(world, body, &pose, (tnVec3){1.875f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
		Expect(tnWorld_Step(world, 1.0f / 64.0f));
	}
	uint64_t hash = tnWorld_GetHash(world);
	tnDestroyWorld(world);
	return hash;
}

static uint64_t RunVoxels(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	def.liquids[1].viscosity = 4;
	def.liquids[1].density = 2500.0f;
	tnVoxelWorld* world;
	Expect(tnCreateVoxelWorld(&def, &world));
	Expect(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}));
	Expect(tnVoxelWorld_FillSolid(world, (tnVoxelBox){{0, 0, 0}, {64, 8, 64}}, TN_VOXEL_ROCK));
	Expect(tnVoxelWorld_FillSolidBall(world, (tnVec3){20.0f, 8.0f, 20.0f}, 7.5f, 0));
	int64_t added;
	Expect(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{14, 20, 14}, {26, 30, 26}}, 1, 1024, &added));
	Expect(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{30, 12, 30}, {34, 20, 34}}, 2, 700, &added));
	for (int step = 0; step < 120; ++step)
	{
		Expect(tnVoxelWorld_Step(world, 0));
	}
	uint64_t hash = tnVoxelWorld_GetHash(world);
	tnDestroyVoxelWorld(world);
	return hash;
}

int main(void)
{
	printf("world %016" PRIx64 "\n", RunWorld(tn_simdAuto));
	printf("voxels %016" PRIx64 "\n", RunVoxels());
	tnWorldDef def = tnDefaultWorldDef();
	def.cellSize = -1.0f;
	tnWorld* world;
	printf("%s\n", tnCreateWorld(&def, &world).text);
	// All that there are, against the one of above.
	uint64_t hash = RunWorld(tn_simdScalar);
	for (tnSimd simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
	{
		if (tnIsSimdAvailable(simd) && RunWorld(simd) != hash)
		{
			printf("%s differs\n", tnGetSimdName(simd));
			return 1;
		}
	}
	return 0;
}

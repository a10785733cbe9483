// SPDX-License-Identifier: MIT

// Worlds of voxels: the 48 x 48 x 48 of Medvecky-Heretik (2018, table 6.4), all of it awake, alone and in ever larger worlds;
// a flood over a plain; his 5 x 3 x 5 blocks with an ocean, hills and caves, at rest; and what it costs to ask for currents.

#include "bench/bench_voxels.h"

#include "commands/options.h"
#include "system/platform.h"

#include <tarn/tarn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	warmSteps = 64,
	roomSize = 48,
};

typedef struct VoxelEntry
{
	const char* name;
	// Fills a world; its blocks are those from (0, 0, 0) on.
	tnVoxel blocks;
	tnResult (*fill)(tnVoxelWorld* world);
} VoxelEntry;

static tnVoxelBox MakeBox(int x0, int y0, int z0, int x1, int y1, int z1)
{
	return (tnVoxelBox){{x0, y0, z0}, {x1, y1, z1}};
}

static bool Failed(tnResult* result, tnResult next)
{
	*result = next;
	return next.status != tn_ok;
}

// Rain over all of a room with posts in it, and as much through its floor: every layer of every chunk moves.
static tnResult FillRoomOf(tnVoxelWorld* world, int n)
{
	tnResult result;
	if (Failed(&result, tnVoxelWorld_FillSolid(world, MakeBox(0, 0, 0, 128, 128, 128), TN_VOXEL_ROCK)) ||
		Failed(&result, tnVoxelWorld_FillSolid(world, MakeBox(0, 0, 0, n, n, n), 0)))
	{
		return result;
	}
	for (int i = 0; i < 24; ++i)
	{
		const int x = 5 + i * 7 % 41;
		const int z = 3 + i * 11 % 43;
		if (Failed(&result, tnVoxelWorld_FillSolid(world, MakeBox(x, 0, z, x + 1, 10 + i, z + 1), TN_VOXEL_ROCK)))
		{
			return result;
		}
	}
	tnVoxelSourceDef rain = tnDefaultVoxelSourceDef();
	rain.box = MakeBox(0, n - 1, 0, n, n, n);
	rain.rate = 40;
	tnVoxelSourceDef drain = rain;
	drain.box = MakeBox(0, 0, 0, n, 1, n);
	drain.rate = -rain.rate;
	drain.liquid = 0;
	// Half of it is a pool.
	tnVoxelSourceId id;
	if (Failed(&result, tnVoxelWorld_CreateSource(world, &rain, &id)) ||
		Failed(&result, tnVoxelWorld_CreateSource(world, &drain, &id)))
	{
		return result;
	}
	return tnVoxelWorld_AddLiquid(world, MakeBox(0, 0, 0, n, n / 2, n), 1, 1024, NULL);
}

static tnResult FillRoom(tnVoxelWorld* world)
{
	return FillRoomOf(world, roomSize);
}

// The same, twice as wide and high: columns of chunks enough for any number of workers.
static tnResult FillHall(tnVoxelWorld* world)
{
	return FillRoomOf(world, 2 * roomSize);
}

// A block of water falls onto a plain with posts.
static tnResult FillFlood(tnVoxelWorld* world)
{
	tnResult result;
	for (int i = 0; i < 200; ++i)
	{
		const int x = 90 + i * 37 % 160;
		const int z = i * 53 % 256;
		if (Failed(&result, tnVoxelWorld_FillSolid(world, MakeBox(x, 0, z, x + 2, 20, z + 1), TN_VOXEL_ROCK)))
		{
			return result;
		}
	}
	return tnVoxelWorld_AddLiquid(world, MakeBox(0, 0, 0, 80, 100, 256), 1, 1024, NULL);
}

static uint32_t Mix(uint32_t x, uint32_t y, uint32_t z)
{
	uint32_t v = x * 0x9e3779b1u + y * 0x85ebca77u + z * 0xc2b2ae3du;
	v ^= v >> 15;
	v *= 0x2c1b3c6du;
	v ^= v >> 12;
	return v;
}

// Smooth noise in [0, 1) of a plane.
static double GetNoise(int x, int z, int spacing, uint32_t seed)
{
	const double fx = (double)(x % spacing) / spacing;
	const double fz = (double)(z % spacing) / spacing;
	double corners[4];
	for (uint32_t i = 0; i < 4; ++i)
	{
		corners[i] = Mix((uint32_t)(x / spacing) + (i & 1), (uint32_t)(z / spacing) + (i >> 1), seed) / 4294967296.0;
	}
	const double north = corners[0] + (corners[1] - corners[0]) * fx;
	const double south = corners[2] + (corners[3] - corners[2]) * fx;
	return north + (south - north) * fz;
}

// Hills between 110 and 270 voxels high, caves below them, the sea at 190.
static tnResult FillLand(tnVoxelWorld* world)
{
	enum
	{
		across = 640,
		high = 384,
		sea = 190,
	};
	static uint8_t solid[TN_CHUNK_VOXELS];
	tnResult result = {0};
	for (int cz = 0; cz < across / 16; ++cz)
	{
		for (int cx = 0; cx < across / 16; ++cx)
		{
			double heights[256];
			for (int i = 0; i < 256; ++i)
			{
				const int x = 16 * cx + i % 16;
				const int z = 16 * cz + i / 16;
				heights[i] = 110.0 + 120.0 * GetNoise(x, z, 160, 1) + 40.0 * GetNoise(x, z, 32, 2);
			}
			for (int cy = 0; cy < high / 16; ++cy)
			{
				for (int i = 0; i < TN_CHUNK_VOXELS; ++i)
				{
					const int x = 16 * cx + i % 16;
					const int y = 16 * cy + i / 256;
					const int z = 16 * cz + i / 16 % 16;
					const double over = heights[i % 256] - y;
					// Tunnels where two surfaces of noise cross, in hills only.
					const bool isCave = y > 80 && y < 180 && cx % 4 == 1 && cz % 4 == 2 &&
						GetNoise(x + 3 * y, z, 16, 3) + GetNoise(x, z + 2 * y, 16, 4) > 1.25;
					const double share = over < 0.0 ? 0.0 : (over > 1.0 ? 1.0 : over);
					solid[i] = isCave ? 0 : (uint8_t)(255.0 * share);
				}
				const tnVoxelBox box = MakeBox(16 * cx, 16 * cy, 16 * cz, 16 * cx + 16, 16 * cy + 16, 16 * cz + 16);
				if (Failed(&result, tnVoxelWorld_SetSolid(world, box, solid)))
				{
					return result;
				}
				if (16 * cy < sea &&
					Failed(&result,
						tnVoxelWorld_AddLiquid(world,
							MakeBox(box.low.x, box.low.y, box.low.z, box.high.x, box.high.y < sea ? box.high.y : sea,
								box.high.z),
							1, 1024, NULL)))
				{
					return result;
				}
			}
		}
	}
	for (int step = 0; step < 2000 && !tnVoxelWorld_IsAtRest(world) && !WasInterrupted(); ++step)
	{
		result = tnVoxelWorld_Step(world, 0);
	}
	return result;
}

static const VoxelEntry s_entries[] = {
	{"room_48", {1, 1, 1}, FillRoom},
	{"room_48_in_8_blocks", {2, 2, 2}, FillRoom},
	{"room_48_in_75_blocks", {5, 3, 5}, FillRoom},
	{"hall_96", {1, 1, 1}, FillHall},
	{"flood_256", {2, 1, 2}, FillFlood},
	{"land_at_rest", {5, 3, 5}, FillLand},
};

typedef struct VoxelLine
{
	double seconds, voxels; // of one step
	double megabytes;
	int chunks;
	uint64_t hash;
} VoxelLine;

static tnResult RunSteps(tnVoxelWorld* world, int count, double* voxels)
{
	tnResult result = {0};
	for (int i = 0; i < count && result.status == tn_ok; ++i)
	{
		result = tnVoxelWorld_Step(world, 0);
		*voxels += (double)tnVoxelWorld_GetStats(world).workedVoxelCount;
	}
	return result;
}

static tnResult TimeVoxels(const VoxelEntry* entry, const BenchRun* config, VoxelLine* line)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks.workerCount = config->workerCount;
	tnVoxelWorld* world = NULL;
	tnResult result = tnCreateVoxelWorld(&def, &world);
	for (int i = 0; i < entry->blocks.x * entry->blocks.y * entry->blocks.z && result.status == tn_ok; ++i)
	{
		result = tnVoxelWorld_LoadBlock(world,
			(tnVoxel){
				i % entry->blocks.x, i / entry->blocks.x % entry->blocks.y, i / entry->blocks.x / entry->blocks.y});
	}
	if (result.status == tn_ok)
	{
		result = entry->fill(world);
	}
	double ignored = 0.0;
	if (result.status == tn_ok)
	{
		result = RunSteps(world, warmSteps, &ignored);
	}
	line->hash = tnVoxelWorld_GetHash(world);
	for (int run = 0; run < config->runCount && result.status == tn_ok && !WasInterrupted(); ++run)
	{
		double voxels = 0.0;
		int steps = 0;
		const double begin = GetSeconds();
		double elapsed = 0.0;
		while (elapsed < config->seconds && result.status == tn_ok)
		{
			result = RunSteps(world, 8, &voxels);
			steps += 8;
			elapsed = GetSeconds() - begin;
		}
		// By voxel, as they differ from step to step; where none moves, by step.
		const double cost = voxels > 0.0 ? elapsed / voxels : elapsed / steps;
		const double best = line->voxels > 0.0 ? line->seconds / line->voxels : line->seconds;
		if (run == 0 || cost < best)
		{
			line->seconds = elapsed / steps;
			line->voxels = voxels / steps;
		}
	}
	const tnVoxelStats stats = tnVoxelWorld_GetStats(world);
	line->megabytes = (double)stats.byteCount / 1048576.0;
	line->chunks = stats.blockCount * 512;
	tnDestroyVoxelWorld(world);
	return result;
}

static void PrintLine(const BenchRun* config, const char* name, const VoxelLine* line)
{
	printf(config->csv ? "%s,%d,%d,%.2f,%.0f,%.1f,%.1f,%016" PRIx64 "\n"
					   : "%-24s %7d %7d %12.2f %12.0f %13.1f %8.1f  %016" PRIx64 "\n",
		name, line->chunks, config->workerCount, 1.0e6 * line->seconds, 1.0 / line->seconds,
		line->voxels / line->seconds / 1.0e6, line->megabytes, line->hash);
	fflush(stdout);
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking

// A lake of 256 x 256 x 40 voxels with a spring in one corner and a drain in the other.
static tnResult FillLake(tnVoxelWorld* world)
{
	tnResult result;
	tnVoxelSourceDef spring = tnDefaultVoxelSourceDef();
	spring.box = MakeBox(8, 60, 8, 12, 61, 12);
	spring.rate = 1000;
	tnVoxelSourceDef drain = spring;
	drain.box = MakeBox(226, 20, 226, 230, 21, 230);
	drain.rate = -spring.rate;
	tnVoxelSourceId id;
	if (Failed(&result, tnVoxelWorld_CreateSource(world, &spring, &id)) ||
		Failed(&result, tnVoxelWorld_CreateSource(world, &drain, &id)))
	{
		return result;
	}
	return tnVoxelWorld_AddLiquid(world, MakeBox(0, 0, 0, 256, 40, 256), 1, 1024, NULL);
}

// Kinds of samples: the first since levels were looked at, the first in another chunk, the first in a step, any other.
enum
{
	sampleKinds = 4,
	cachedCount = 256,
};

static void TimeSample(tnVoxelWorld* world, tnVec3 point, int count, double* best)
{
	tnVoxelSample sample;
	const double begin = GetSeconds();
	for (int i = 0; i < count; ++i)
	{
		(void)tnVoxelWorld_Sample(world, point, &sample);
	}
	const double seconds = (GetSeconds() - begin) / count;
	*best = *best == 0.0 || seconds < *best ? seconds : *best;
}

static tnResult TimeSamples(const BenchRun* config, VoxelLine lines[sampleKinds])
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks.workerCount = config->workerCount;
	tnVoxelWorld* world = NULL;
	tnResult result = tnCreateVoxelWorld(&def, &world);
	for (int i = 0; i < 4 && result.status == tn_ok; ++i)
	{
		result = tnVoxelWorld_LoadBlock(world, (tnVoxel){i % 2, 0, i / 2});
	}
	if (result.status == tn_ok)
	{
		result = FillLake(world);
	}
	const tnVec3 point = {20.0f * def.voxelSize, 10.5f * def.voxelSize, 20.5f * def.voxelSize};
	const tnVec3 other = {point.x + 32.0f * def.voxelSize, point.y, point.z};
	const int interval = def.levelInterval;
	for (int step = 0; step < warmSteps + 4 * config->runCount * interval && result.status == tn_ok; ++step)
	{
		result = tnVoxelWorld_Step(world, 0);
		if (step >= warmSteps && !WasInterrupted())
		{
			const bool isNew = step % interval == 0;
			TimeSample(world, point, 1, &lines[isNew ? 0 : 2].seconds);
			TimeSample(world, other, 1, &lines[isNew ? 1 : 2].seconds);
			TimeSample(world, point, cachedCount, &lines[3].seconds);
		}
	}
	const tnVoxelStats stats = tnVoxelWorld_GetStats(world);
	for (int i = 0; i < sampleKinds; ++i)
	{
		lines[i].chunks = stats.blockCount * 512;
		lines[i].megabytes = (double)stats.byteCount / 1048576.0;
		lines[i].hash = tnVoxelWorld_GetHash(world);
	}
	tnDestroyVoxelWorld(world);
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes

enum
{
	meshVertices = 12000,
	meshIndices = 40000,
	roomChunks = 27,
};

typedef struct MeshArrays
{
	tnVec3 positions[meshVertices], normals[meshVertices];
	uint8_t liquids[meshVertices];
	uint32_t indices[meshIndices];
} MeshArrays;

// Ground and water of all chunks of the room, anew, by all workers: a mesh for each chunk and each of the two.
static tnResult TimeMeshes(const BenchRun* config, tnVoxelMeshStyle style, VoxelLine* line)
{
	static tnVoxelMeshTask tasks[2 * roomChunks];
	MeshArrays* arrays = malloc(2 * roomChunks * sizeof(MeshArrays));
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks.workerCount = config->workerCount;
	tnVoxelWorld* world = NULL;
	tnVoxelMesher* mesher = NULL;
	tnResult result = {.status = arrays != NULL ? tn_ok : tn_outOfMemory};
	double ignored = 0.0;
	if (result.status != tn_ok || Failed(&result, tnCreateVoxelWorld(&def, &world)) ||
		Failed(&result, tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0})) || Failed(&result, FillRoom(world)) ||
		Failed(&result, RunSteps(world, warmSteps, &ignored)) || Failed(&result, tnCreateVoxelMesher(NULL, &mesher)))
	{
		tnDestroyVoxelWorld(world);
		free(arrays);
		return result;
	}
	const int count = config->runCount * 20;
	for (int run = 0; run < count && result.status == tn_ok && !WasInterrupted(); ++run)
	{
		for (int i = 0; i < 2 * roomChunks; ++i)
		{
			MeshArrays* own = arrays + i;
			tasks[i] = (tnVoxelMeshTask){.chunk = {i % 3, i / 3 % 3, i / 9 % 3},
				.def = tnDefaultVoxelMeshDef(),
				.mesh = {own->positions, own->normals, own->liquids, meshVertices, own->indices, meshIndices, 0, 0}};
			tasks[i].def.style = style;
			tasks[i].def.liquid = i < roomChunks ? TN_MESH_GROUND : 1;
		}
		const double begin = GetSeconds();
		result = tnVoxelMesher_BuildMany(mesher, world, tasks, 2 * roomChunks);
		const double seconds = GetSeconds() - begin;
		line->seconds = run == 0 || seconds < line->seconds ? seconds : line->seconds;
	}
	line->hash = 0xCBF29CE484222325ull;
	line->voxels = 0.0;
	for (int i = 0; i < 2 * roomChunks; ++i)
	{
		const uint8_t* bytes = (const uint8_t*)tasks[i].mesh.positions;
		for (size_t k = 0; k < (size_t)tasks[i].mesh.vertexCount * sizeof(tnVec3); ++k)
		{
			line->hash = (line->hash ^ bytes[k]) * 0x100000001B3ull;
		}
		line->voxels += i < roomChunks ? TN_CHUNK_VOXELS : 0.0;
	}
	line->chunks = roomChunks;
	line->megabytes = (double)tnVoxelWorld_GetStats(world).byteCount / 1048576.0;
	tnDestroyVoxelMesher(mesher);
	tnDestroyVoxelWorld(world);
	free(arrays);
	return result;
}

static int ReportFailure(const char* name, tnResult result)
{
	fprintf(stderr, "tarn bench: %s: %s\n", name, result.text);
	return exitWorld;
}

int RunVoxelBench(const BenchRun* config)
{
	puts(config->csv
			? "name,chunks,workers,us_per_step,steps_per_s,mvoxels_per_s,mib,hash"
			: "name                      chunks workers  us_per_step  steps_per_s mvoxels_per_s      MiB  hash");
	for (size_t i = 0; i < sizeof(s_entries) / sizeof(s_entries[0]) && !WasInterrupted(); ++i)
	{
		const VoxelEntry* entry = s_entries + i;
		VoxelLine line = {0};
		const tnResult result = TimeVoxels(entry, config, &line);
		if (result.status != tn_ok)
		{
			return ReportFailure(entry->name, result);
		}
		PrintLine(config, entry->name, &line);
	}
	static const char* const meshNames[2] = {"mesh_smooth_room_48", "mesh_blocky_room_48"};
	for (int style = 0; style < 2 && !WasInterrupted(); ++style)
	{
		VoxelLine line = {0};
		const tnResult meshed = TimeMeshes(config, (tnVoxelMeshStyle)style, &line);
		if (meshed.status != tn_ok)
		{
			return ReportFailure(meshNames[style], meshed);
		}
		// A line for all meshes in place of a step; the hash is that of all vertices.
		PrintLine(config, meshNames[style], &line);
	}
	static const char* const names[sampleKinds] = {
		"sample_in_new_levels", "sample_in_new_chunk", "sample_in_new_step", "sample_again"};
	VoxelLine lines[sampleKinds] = {{0}};
	const tnResult result = TimeSamples(config, lines);
	if (result.status != tn_ok)
	{
		return ReportFailure("samples", result);
	}
	for (int i = 0; i < sampleKinds && !WasInterrupted(); ++i)
	{
		// A line for one sample in place of a step.
		PrintLine(config, names[i], lines + i);
	}
	return exitOk;
}

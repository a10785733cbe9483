// SPDX-License-Identifier: MIT

// Worlds of voxels for cases: scenes that can lie anywhere and be turned.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tnVoxelWorldDef tncMakeVoxelDef(const tncContext* context, int cap)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = cap;
	def.tasks.workerCount = context->config.workerCount;
	def.simd = context->config.simd;
	return def;
}

tncVoxelFrame tncMakeFrame(int sizeX, int sizeY, int sizeZ)
{
	// Odd numbers of voxels on the negative side.
	return (tncVoxelFrame){
		{sizeX, sizeY, sizeZ}, {-(sizeX / 2 | 1), -(sizeY / 2 | 1), -(sizeZ / 2 | 1)}, tnc_noTurn, false};
}

static tnVoxel tncGetTurnedSize(const tncVoxelFrame* frame)
{
	const tnVoxel size = frame->size;
	return (frame->turn & tnc_transpose) != 0 ? (tnVoxel){size.z, size.y, size.x} : size;
}

void tncCheckVoxels(tncVoxels* voxels, tnResult result)
{
	if (result.status != tn_ok && !voxels->failed)
	{
		voxels->failed = true;
		tncRequire(voxels->context, NAN, 0.0, 0.0, "refused: %.60s", result.text);
	}
}

bool tncOpenVoxels(tncContext* context, const tnVoxelWorldDef* def, const tncVoxelFrame* frame, tncVoxels* voxels)
{
	*voxels = (tncVoxels){.context = context, .def = *def, .frame = *frame};
	tncCheckVoxels(voxels, tnCreateVoxelWorld(def, &voxels->world));
	if (voxels->failed)
	{
		return false;
	}
	const tnVoxel size = tncGetTurnedSize(frame);
	// Blocks that have a voxel of the scene. An arithmetic shift: compilers that tarn supports all have it.
	const tnVoxel low = {frame->origin.x >> 7, frame->origin.y >> 7, frame->origin.z >> 7};
	const tnVoxel high = {
		(frame->origin.x + size.x - 1) >> 7, (frame->origin.y + size.y - 1) >> 7, (frame->origin.z + size.z - 1) >> 7};
	const tnVoxel counts = {high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
	const int count = counts.x * counts.y * counts.z;
	for (int i = 0; i < count; ++i)
	{
		const int k = frame->isLoadedBackwards ? count - 1 - i : i;
		const tnVoxel place = {
			low.x + k % counts.x, low.y + k / counts.x % counts.y, low.z + k / (counts.x * counts.y)};
		tncCheckVoxels(voxels, tnVoxelWorld_LoadBlock(voxels->world, place));
	}
	const tnVoxelBox all = {{low.x * TN_VOXEL_BLOCK, low.y * TN_VOXEL_BLOCK, low.z * TN_VOXEL_BLOCK},
		{(high.x + 1) * TN_VOXEL_BLOCK, (high.y + 1) * TN_VOXEL_BLOCK, (high.z + 1) * TN_VOXEL_BLOCK}};
	tncCheckVoxels(voxels, tnVoxelWorld_FillSolid(voxels->world, all, TN_VOXEL_ROCK));
	if (voxels->failed)
	{
		tnDestroyVoxelWorld(voxels->world);
		voxels->world = NULL;
	}
	return !voxels->failed;
}

void tncCloseVoxels(tncVoxels* voxels)
{
	for (int liquid = 1; voxels->world != NULL && liquid <= voxels->def.liquidCount; ++liquid)
	{
		const int64_t drift = tnVoxelWorld_GetLedger(voxels->world, liquid).drift;
		if (drift != 0)
		{
			tncRequire(voxels->context, (double)drift, 0.0, 0.0, "ledger of liquid %d: drift (units)", liquid);
		}
	}
	tnDestroyVoxelWorld(voxels->world);
	voxels->world = NULL;
}

tnVoxelBox tncMakeBoxOf(int x0, int y0, int z0, int x1, int y1, int z1)
{
	return (tnVoxelBox){{x0, y0, z0}, {x1, y1, z1}};
}

tnVoxelBox tncMakeVoxelBox(int x, int y, int z)
{
	return tncMakeBoxOf(x, y, z, x + 1, y + 1, z + 1);
}

tnVoxelBox tncPlaceBox(const tncVoxels* voxels, tnVoxelBox box)
{
	const tncVoxelFrame* frame = &voxels->frame;
	if ((frame->turn & tnc_flipColumns) != 0)
	{
		const int low = box.low.x;
		box.low.x = frame->size.x - box.high.x;
		box.high.x = frame->size.x - low;
	}
	if ((frame->turn & tnc_flipRows) != 0)
	{
		const int low = box.low.z;
		box.low.z = frame->size.z - box.high.z;
		box.high.z = frame->size.z - low;
	}
	if ((frame->turn & tnc_transpose) != 0)
	{
		box = tncMakeBoxOf(box.low.z, box.low.y, box.low.x, box.high.z, box.high.y, box.high.x);
	}
	const tnVoxel o = frame->origin;
	return tncMakeBoxOf(
		box.low.x + o.x, box.low.y + o.y, box.low.z + o.z, box.high.x + o.x, box.high.y + o.y, box.high.z + o.z);
}

void tncSetGround(tncVoxels* voxels, tnVoxelBox box, int solid)
{
	tncCheckVoxels(voxels, tnVoxelWorld_FillSolid(voxels->world, tncPlaceBox(voxels, box), solid));
}

int64_t tncPour(tncVoxels* voxels, tnVoxelBox box, int liquid, int amount)
{
	int64_t added = 0;
	tncCheckVoxels(voxels, tnVoxelWorld_AddLiquid(voxels->world, tncPlaceBox(voxels, box), liquid, amount, &added));
	return added;
}

int64_t tncTakeOut(tncVoxels* voxels, tnVoxelBox box, int amount)
{
	int64_t removed = 0;
	tncCheckVoxels(voxels, tnVoxelWorld_RemoveLiquid(voxels->world, tncPlaceBox(voxels, box), amount, &removed));
	return removed;
}

tnVoxelSourceId tncAddVoxelSource(tncVoxels* voxels, tnVoxelBox box, int liquid, int rate)
{
	tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
	def.box = tncPlaceBox(voxels, box);
	def.liquid = liquid;
	def.rate = rate;
	tnVoxelSourceId id = {0};
	tncCheckVoxels(voxels, tnVoxelWorld_CreateSource(voxels->world, &def, &id));
	return id;
}

void tncSetSea(tncVoxels* voxels, tnVoxelBox box, int level)
{
	tnVoxelOceanDef def = tnDefaultVoxelOceanDef();
	def.box = tncPlaceBox(voxels, box);
	def.level = (int64_t)(voxels->frame.origin.y + level) * voxels->def.cap;
	tncCheckVoxels(voxels, tnVoxelWorld_SetOcean(voxels->world, &def));
}

void tncStepVoxels(tncVoxels* voxels, int count)
{
	for (int i = 0; i < count && !voxels->failed; ++i)
	{
		tncCheckVoxels(voxels, tnVoxelWorld_Step(voxels->world, 0));
	}
}

int tncRestVoxels(tncVoxels* voxels, int limit)
{
	for (int step = 0; step <= limit && !voxels->failed; ++step)
	{
		if (tnVoxelWorld_IsAtRest(voxels->world))
		{
			return step;
		}
		tncStepVoxels(voxels, 1);
	}
	return -1;
}

tnVoxelState tncGetVoxelAt(const tncVoxels* voxels, int x, int y, int z)
{
	return tnVoxelWorld_GetVoxel(voxels->world, tncPlaceBox(voxels, tncMakeVoxelBox(x, y, z)).low);
}

int tncCountScene(const tncVoxels* voxels)
{
	return voxels->frame.size.x * voxels->frame.size.y * voxels->frame.size.z;
}

static int tncGetSceneIndex(const tncVoxels* voxels, int x, int y, int z)
{
	return (y * voxels->frame.size.z + z) * voxels->frame.size.x + x;
}

void tncReadScene(const tncVoxels* voxels, uint16_t* amounts, uint8_t* liquids)
{
	const tnVoxel size = voxels->frame.size;
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		const tnVoxelState state = tncGetVoxelAt(voxels, i % size.x, i / (size.x * size.z), i / size.x % size.z);
		amounts[i] = (uint16_t)state.amount;
		if (liquids != NULL)
		{
			liquids[i] = state.liquid;
		}
	}
}

uint32_t tncHashScene(const tncVoxels* voxels)
{
	const tnVoxel size = voxels->frame.size;
	int32_t* words = malloc((size_t)tncCountScene(voxels) * sizeof(int32_t));
	uint32_t hash = 0;
	for (int i = 0; words != NULL && i < tncCountScene(voxels); ++i)
	{
		const tnVoxelState state = tncGetVoxelAt(voxels, i % size.x, i / (size.x * size.z), i / size.x % size.z);
		words[i] = state.amount << 4 | state.liquid;
	}
	hash = words != NULL ? tncCrc32(words, tncCountScene(voxels)) : 0;
	free(words);
	return hash;
}

int64_t tncSumScene(const tncVoxels* voxels)
{
	const tnVoxel size = voxels->frame.size;
	int64_t sum = 0;
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		sum += tncGetVoxelAt(voxels, i % size.x, i / (size.x * size.z), i / size.x % size.z).amount;
	}
	return sum;
}

int tncCountAwake(const tncVoxels* voxels)
{
	const tnVoxel size = voxels->frame.size;
	int count = 0;
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		const tnVoxelState state = tncGetVoxelAt(voxels, i % size.x, i / (size.x * size.z), i / size.x % size.z);
		count += state.room > 0 && !state.settled ? 1 : 0;
	}
	return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pools

// Voxels of layers up to `top` that are connected with the bottom below it. Marks them, and gives their room.
static int64_t tncFloodPool(const tncVoxels* voxels, tnVoxel bottom, int top, uint8_t* marks, int* stack)
{
	const tnVoxel size = voxels->frame.size;
	memset(marks, 0, (size_t)tncCountScene(voxels));
	int64_t room = 0;
	int count = 0;
	stack[count++] = tncGetSceneIndex(voxels, bottom.x, bottom.y, bottom.z);
	marks[stack[0]] = 1;
	while (count > 0)
	{
		const int index = stack[--count];
		const int x = index % size.x;
		const int y = index / (size.x * size.z);
		const int z = index / size.x % size.z;
		room += tncGetVoxelAt(voxels, x, y, z).room;
		for (int side = 0; side < 6; ++side)
		{
			const int step = side % 2 == 0 ? -1 : 1;
			const int nx = x + (side / 2 == 0 ? step : 0);
			const int ny = y + (side / 2 == 1 ? step : 0);
			const int nz = z + (side / 2 == 2 ? step : 0);
			if (nx < 0 || ny < 0 || nz < 0 || nx >= size.x || ny > top || nz >= size.z)
			{
				continue;
			}
			const int next = tncGetSceneIndex(voxels, nx, ny, nz);
			if (marks[next] == 0 && tncGetVoxelAt(voxels, nx, ny, nz).room > 0)
			{
				marks[next] = 1;
				stack[count++] = next;
			}
		}
	}
	return room;
}

tncPool tncFillPool(const tncVoxels* voxels, tnVoxel bottom, int64_t mass)
{
	tncPool pool = {-1, 0, mass};
	uint8_t* marks = malloc((size_t)tncCountScene(voxels));
	int* stack = malloc((size_t)tncCountScene(voxels) * sizeof(int));
	int64_t below = 0;
	for (int top = bottom.y; marks != NULL && stack != NULL && top < voxels->frame.size.y; ++top)
	{
		const int64_t room = tncFloodPool(voxels, bottom, top, marks, stack);
		if (room > mass || top + 1 == voxels->frame.size.y)
		{
			pool.level = top;
			pool.rest = mass - below;
			const tnVoxel size = voxels->frame.size;
			for (int i = 0; i < size.x * size.z; ++i)
			{
				pool.surfaceCount += marks[top * size.x * size.z + i];
			}
			break;
		}
		below = room;
	}
	free(marks);
	free(stack);
	return pool;
}

tncPoolDefects tncComparePool(const tncVoxels* voxels, tnVoxel bottom, const tncPool* pool)
{
	tncPoolDefects defects = {0};
	const tnVoxel size = voxels->frame.size;
	uint8_t* marks = malloc((size_t)tncCountScene(voxels));
	int* stack = malloc((size_t)tncCountScene(voxels) * sizeof(int));
	int low = INT32_MAX;
	int high = 0;
	if (marks == NULL || stack == NULL || pool->surfaceCount == 0)
	{
		free(marks);
		free(stack);
		return (tncPoolDefects){1, INT32_MAX, 1, INFINITY};
	}
	(void)tncFloodPool(voxels, bottom, pool->level, marks, stack);
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		const int y = i / (size.x * size.z);
		const tnVoxelState state = tncGetVoxelAt(voxels, i % size.x, y, i / size.x % size.z);
		if (marks[i] == 0)
		{
			defects.above += state.amount;
		}
		else if (y < pool->level)
		{
			defects.notFull += state.amount != state.room ? 1 : 0;
		}
		else
		{
			low = state.amount < low ? state.amount : low;
			high = state.amount > high ? state.amount : high;
			defects.deviation =
				fmax(defects.deviation, fabs(state.amount - (double)pool->rest / (double)pool->surfaceCount));
		}
	}
	defects.spread = high - low;
	free(marks);
	free(stack);
	return defects;
}

// ---------------------------------------------------------------------------------------------------------------------
// The cave

static int tncNoise3(int x, int y, int z)
{
	static const int spacing[2] = {8, 4};
	static const int amplitude[2] = {3072, 1024};
	int64_t value = 0;
	for (int octave = 0; octave < 2; ++octave)
	{
		const int p = spacing[octave];
		int64_t sum = 0;
		for (int corner = 0; corner < 8; ++corner)
		{
			const int dx = corner & 1;
			const int dy = corner >> 1 & 1;
			const int dz = corner >> 2;
			const int64_t weight =
				(int64_t)(dx != 0 ? x % p : p - x % p) * (dy != 0 ? y % p : p - y % p) * (dz != 0 ? z % p : p - z % p);
			const uint32_t height = tncHash3((uint32_t)(x / p + dx + 64 * (z / p + dz)), (uint32_t)(y / p + dy),
										5u + 101u * (uint32_t)octave) >>
				20;
			sum += (int64_t)height * weight;
		}
		value += amplitude[octave] * sum / ((int64_t)p * p * p * 4096);
	}
	return (int)value;
}

void tncSetSceneGround(tncVoxels* voxels, const int32_t* solid)
{
	// Turned arrays would be as long: voxel by voxel is quick enough.
	const tnVoxel size = voxels->frame.size;
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		const tnVoxelBox box = tncMakeVoxelBox(i % size.x, i / (size.x * size.z), i / size.x % size.z);
		tncSetGround(voxels, box, solid[i] != 0 ? TN_VOXEL_ROCK : 0);
	}
}

void tncMakeCave(int side, int32_t* solid)
{
	for (int i = 0; i < side * side * side; ++i)
	{
		solid[i] = tncNoise3(i % side, i / side % side, i / (side * side)) < 2400 ? 1 : 0;
	}
}

bool tncOpenCave(tncContext* context, const tnVoxelWorldDef* def, int side, int turn, tncVoxels* voxels)
{
	tncVoxelFrame frame = tncMakeFrame(side, side, side);
	frame.turn = turn;
	const int count = side * side * side;
	int32_t* solid = malloc((size_t)count * sizeof(int32_t));
	const bool good = solid != NULL && tncOpenVoxels(context, def, &frame, voxels);
	if (good)
	{
		tncMakeCave(side, solid);
		tncSetSceneGround(voxels, solid);
	}
	free(solid);
	return good;
}

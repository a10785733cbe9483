// SPDX-License-Identifier: MIT

// A world of voxels and its twins.

#include "voxel_calls.h"

const tnVoxel blockPlaces[blockPlaceCount] = {{0, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {-1, 0, -1}, {0, -1, 0}};

static void DrawLiquid(Driver* d, tnLiquidDef* liquid)
{
	liquid->viscosity = DrawBool(d) ? 1 : DrawInt(d, 1, DrawOneIn(d, 8) ? 1000 : 6);
	liquid->density = DrawBool(d) ? 1000.0f : DrawFloat(d, 500.0f, 3000.0f);
	liquid->levels = !DrawOneIn(d, 4);
	liquid->evaporation = DrawOneIn(d, 4) ? DrawInt(d, 0, 20) : 0;
}

static void DrawDef(Driver* d, tnVoxelWorldDef* def)
{
	*def = tnDefaultVoxelWorldDef();
	d->sensible = !DrawOneIn(d, 8);
	static const int caps[] = {1024, 255, 8, 4096, 2048, 9};
	def->cap = DrawOneIn(d, 32) && !d->sensible ? DrawInt(d, 0, 5000) : caps[DrawInt(d, 0, 5)];
	static const tnVoxelRules rules[] = {
		tn_componentRules, tn_componentRules, tn_componentRules, tn_basicRules, tn_pressureRules, tn_voxelRulesCount};
	def->rules = rules[DrawInt(d, 0, d->sensible ? 4 : 5)];
	def->voxelSize = DrawBool(d) ? 0.75f : DrawPower(d, -1.0f, 1.0f);
	def->stepRate = DrawBool(d) ? 60.0f : DrawPower(d, 0.0f, 2.0f);
	def->gravity = DrawBool(d) ? 9.81f : DrawPower(d, -1.0f, 2.0f);
	def->liquidCount = DrawInt(d, 1, 3);
	for (int i = 0; i < def->liquidCount; ++i)
	{
		DrawLiquid(d, def->liquids + i);
	}
	def->levelInterval = DrawBool(d) ? 8 : DrawInt(d, d->sensible ? 1 : 0, 10);
	static const int limits[] = {16384, 16384, 12, 64};
	def->chunkLimit = limits[DrawInt(d, 0, 3)];
	const int reserve = DrawInt(d, 0, 3);
	def->chunkReserve = reserve == 0 ? 0 : reserve == 1 && def->chunkLimit <= 64 ? def->chunkLimit : 12;
	if (DrawOneIn(d, 32))
	{
		def->memoryLimit = (size_t)DrawInt(d, 1, 1 << 24);
	}
	def->stamp += DrawOneIn(d, 256) ? 1u : 0u;
	if (def->rules == tn_pressureRules && def->cap > TN_MAX_VOXEL_CAP / 2 && d->sensible)
	{
		def->cap = TN_MAX_VOXEL_CAP / 2;
	}
	d->sensible = false;
}

static void DrawTwin(Driver* d, int which)
{
	tnVoxelWorldDef* twin = d->voxelTrack.defs + which;
	const tnVoxelWorldDef* def = &d->voxelTrack.def;
	*twin = *def;
	if (which == 0)
	{
		twin->tasks.workerCount = d->options.threads ? 3 : 1;
		return;
	}
	static const tnSimd sets[] = {tn_simdAuto, tn_simdScalar, tn_simdSse2, tn_simdAvx2, tn_simdNeon, tn_simdWasm};
	const tnSimd simd = sets[DrawInt(d, 0, 5)];
	twin->simd = tnIsSimdAvailable(simd) ? simd : tn_simdScalar;
	static const int workerCounts[] = {1, 2, 3, 7};
	twin->tasks.workerCount = workerCounts[DrawInt(d, 0, 3)];
	const int host = DrawInt(d, 0, 3);
	if (host >= 2 || twin->tasks.workerCount == 7)
	{
		d->tasks[which] = (TwinTasks){.isLate = host == 3};
		twin->tasks.startFcn = TwinStart;
		twin->tasks.waitFcn = TwinWait;
		twin->tasks.context = d->tasks + which;
	}
	// A pool that is in another state.
	const int reserve = DrawInt(d, 0, 2);
	if (reserve > 0)
	{
		twin->chunkReserve = reserve == 1 ? 0 : def->chunkLimit < 64 ? def->chunkLimit : 64;
	}
	const bool isOdd = DrawBool(d);
	d->memories[which].isOdd = isOdd;
	d->memories[which].junk = DRIVER_NO_JUNK ? 0 : (uint8_t)DrawInt(d, 0, 255);
	Show(d, "if (which == %d)", which);
	ShowText(d, "{");
	ShowFields(d, &voxelWorldDefInfo, "def", twin, def);
	if (twin->tasks.startFcn != NULL)
	{
		Show(d, "tasks.isLate = %d;", (int)(host == 3));
		ShowText(d, "def.tasks.startFcn = TwinStart;");
		ShowText(d, "def.tasks.waitFcn = TwinWait;");
		ShowText(d, "def.tasks.context = &tasks;");
	}
	Show(d, "memory.isOdd = %d;", (int)isOdd);
	Show(d, "memory.junk = %d;", (int)d->memories[which].junk);
	ShowText(d, "}");
}

static void CountError(const tnResult* result, void* context)
{
	int* count = context;
	*count += result->status != tn_ok ? 1 : 1000;
}

static bool CreateTwin(Driver* d, int which)
{
	tnVoxelWorldDef* def = d->voxelTrack.defs + which;
	TwinMemory* memory = d->memories + which;
	def->errors = (tnErrorHook){CountError, d->errorCounts + which};
	def->allocator = (tnAllocator){TwinAlloc, TwinFree, memory};
	d->results[which] = tnCreateVoxelWorld(def, d->voxelWorlds + which);
	d->report->callCount += 1;
	EndTwin(d, which, def->stamp != tnDefaultVoxelWorldDef().stamp ? hookMayRest : 0);
	const bool ok = d->results[which].status == tn_ok;
	CountCalls("tnCreateVoxelWorld(", ok);
	if (ok != (d->voxelWorlds[which] != NULL) || (!ok && memory->liveBytes != 0))
	{
		Fail(d, "create", "status %d, text \"%s\", %d bytes left", (int)d->results[which].status,
			d->results[which].text, (int)memory->liveBytes);
	}
	if (d->results[which].status == tn_outOfMemory && memory->failCount > 0)
	{
		// Once more, with memory.
		d->errorCounts[which] = 0;
		memory->failCount = 0;
		d->results[which] = tnCreateVoxelWorld(def, d->voxelWorlds + which);
		return d->results[which].status == tn_ok;
	}
	return ok;
}

void CreateVoxelWorlds(Driver* d)
{
	tnVoxelWorldDef def;
	DrawDef(d, &def);
	d->voxelTrack.def = def;
	const int twinCount = 1 + DrawInt(d, 0, twinLimit - 1);
	const tnVoxelWorldDef preset = tnDefaultVoxelWorldDef();
	SHOW_STRUCT(d, voxelWorldDefInfo, def, preset);
	for (int i = 0; i < twinCount; ++i)
	{
		DrawTwin(d, i);
	}
	const int blockCount = DrawInt(d, 1, 4);
	const bool hasGround = !DrawOneIn(d, 4);
	ShowText(d, "def.allocator = (tnAllocator){TwinAlloc, TwinFree, &memory};");
	ShowText(d, "s_result = tnCreateVoxelWorld(&def, &voxels);");
	ShowText(d, "printf(\"%d %s\\n\", s_result.status, s_result.text);");
	ShowText(d, "if (voxels == NULL) { return; }");
	SHOW_INT(d, blockCount);
	SHOW_INT(d, hasGround);
	ShowText(d, "const tnVoxel places[4] = {{0, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {-1, 0, -1}};");
	ShowText(d, "for (int i = 0; i < blockCount; ++i)");
	ShowText(d, "{");
	ShowText(d, "	tnVoxelWorld_LoadBlock(voxels, places[i]);");
	ShowText(d, "	const tnVoxelBox low = {{128 * places[i].x, 0, 128 * places[i].z},");
	ShowText(d, "		{128 * places[i].x + 128, 16, 128 * places[i].z + 128}};");
	ShowText(d, "	if (hasGround) { tnVoxelWorld_FillSolid(voxels, low, TN_VOXEL_ROCK); }");
	ShowText(d, "}");
	if (d->dry)
	{
		return;
	}
	d->twinCount = d->options.alone || d->options.threads || def.memoryLimit != 0 ? 1 : twinCount;
	d->sameHash = true;
	d->memories[0].failAt = d->options.failAt;
	BeginCall(d, "tnCreateVoxelWorld()");
	for (int i = 0; i < d->twinCount; ++i)
	{
		if (!CreateTwin(d, i))
		{
			d->report->refusedCount += 1;
			for (int k = 0; k < d->twinCount; ++k)
			{
				tnDestroyVoxelWorld(d->voxelWorlds[k]);
				d->voxelWorlds[k] = NULL;
			}
			return;
		}
	}
	d->report->twinCount = d->twinCount;
	for (int i = 0; i < d->twinCount; ++i)
	{
		for (int k = 0; k < blockCount; ++k)
		{
			tnVoxelWorld_LoadBlock(d->voxelWorlds[i], blockPlaces[k]);
			const tnVoxel at = {TN_VOXEL_BLOCK * blockPlaces[k].x, 0, TN_VOXEL_BLOCK * blockPlaces[k].z};
			const tnVoxelBox low = {at, {at.x + TN_VOXEL_BLOCK, 16, at.z + TN_VOXEL_BLOCK}};
			if (hasGround)
			{
				tnVoxelWorld_FillSolid(d->voxelWorlds[i], low, TN_VOXEL_ROCK);
			}
		}
		d->hashes[i] = tnVoxelWorld_GetHash(d->voxelWorlds[i]);
		d->errorCounts[i] = 0;
	}
}

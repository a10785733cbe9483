// SPDX-License-Identifier: MIT

// What changes a world of voxels: blocks, ground, liquids, sources, oceans, reactions, steps, saves, bodies.

#include "voxel_calls.h"

void ShowVoxel(Driver* d, const char* name, tnVoxel voxel)
{
	Show(d, "const tnVoxel %s = {%d, %d, %d};", name, (int)voxel.x, (int)voxel.y, (int)voxel.z);
}

void ShowBox(Driver* d, const char* name, tnVoxelBox box)
{
	Show(d, "const tnVoxelBox %s = {{%d, %d, %d}, {%d, %d, %d}};", name, (int)box.low.x, (int)box.low.y, (int)box.low.z,
		(int)box.high.x, (int)box.high.y, (int)box.high.z);
}

// Around the place where eight blocks meet.
tnVoxelBox DrawBox(Driver* d)
{
	tnVoxelBox box;
	box.low.x = DrawInt(d, -24, 23);
	box.low.y = DrawInt(d, 0, 40);
	box.low.z = DrawInt(d, -24, 23);
	box.high.x = box.low.x + DrawInt(d, 1, 18);
	box.high.y = box.low.y + DrawInt(d, 1, 12);
	box.high.z = box.low.z + DrawInt(d, 1, 18);
	if (DrawOneIn(d, 32))
	{
		static const int32_t absurd[] = {
			INT32_MIN, INT32_MAX, -TN_MAX_VOXEL, TN_MAX_VOXEL, TN_MAX_VOXEL - 1, 0, 200, -200};
		int32_t* ends[] = {&box.low.x, &box.low.y, &box.low.z, &box.high.x, &box.high.y, &box.high.z};
		*ends[DrawInt(d, 0, 5)] = absurd[DrawInt(d, 0, 7)];
	}
	return box;
}

static tnVoxel DrawBlock(Driver* d)
{
	tnVoxel block = blockPlaces[DrawInt(d, 0, blockPlaceCount - 1)];
	if (DrawOneIn(d, 32))
	{
		static const int32_t absurd[] = {INT32_MIN, INT32_MAX, TN_MAX_VOXEL / 128, -TN_MAX_VOXEL / 128, 8191, 3};
		block.y = absurd[DrawInt(d, 0, 5)];
	}
	return block;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks and ground

static void LoadBlock(Driver* d)
{
	const tnVoxel block = DrawBlock(d);
	ShowVoxel(d, "block", block);
	CHANGE(d, tnVoxelWorld_LoadBlock(voxels, block));
}

static void UnloadBlock(Driver* d)
{
	const tnVoxel block = DrawBlock(d);
	ShowVoxel(d, "block", block);
	bool loaded[twinLimit] = {0};
	ShowText(d, "bool loaded[4];");
	TAKE(d, loaded[which] = tnVoxelWorld_IsLoaded(voxels, block));
	CHANGE(d, tnVoxelWorld_UnloadBlock(voxels, block));
	DONE(d);
	if (IsOk(d) != loaded[0] || (IsOk(d) && tnVoxelWorld_IsLoaded(d->voxelWorlds[0], block)))
	{
		Fail(d, "loaded", "was loaded: %d, status %d", (int)loaded[0], (int)d->results[0].status);
	}
}

static void SetSolid(Driver* d)
{
	enum
	{
		side = 6
	};
	tnVoxelBox box = DrawBox(d);
	const int seed = DrawInt(d, 0, 255);
	// Low corners may be as far away as an int can say: then the box comes round, and is refused.
	box.high = (tnVoxel){(int)((uint32_t)box.low.x + 1u + (uint32_t)(seed % side)),
		(int)((uint32_t)box.low.y + 1u + (uint32_t)(seed / side % side)),
		(int)((uint32_t)box.low.z + 1u + (uint32_t)(seed / 36 % side))};
	static float heights[side * side * side];
	static uint8_t solid[side * side * side];
	DrawField(d, "heights", heights, side, side * side, 0.0f, 255.0f);
	for (int i = 0; i < side * side * side; ++i)
	{
		solid[i] = heights[i] >= 0.0f && heights[i] <= 255.0f ? (uint8_t)heights[i] : 0;
	}
	ShowBox(d, "box", box);
	ShowText(d, "static uint8_t solid[216];");
	ShowText(
		d, "for (int i = 0; i < 216; ++i) { solid[i] = heights[i] >= 0.0f && heights[i] <= 255.0f ? heights[i] : 0; }");
	CHANGE(d, tnVoxelWorld_SetSolid(voxels, box, solid));
}

static void FillSolid(Driver* d)
{
	const tnVoxelBox box = DrawBox(d);
	const int solid = DrawOneIn(d, 32) ? DrawInt(d, -1, 256)
		: DrawBool(d)                  ? DrawInt(d, 0, 255)
									   : 255 * DrawInt(d, 0, 1);
	ShowBox(d, "box", box);
	SHOW_INT(d, solid);
	CHANGE(d, tnVoxelWorld_FillSolid(voxels, box, solid));
}

static void FillSolidBall(Driver* d)
{
	const tnVec3 center = DrawVec3(d, -20.0f, 20.0f);
	const float radius = DrawFloat(d, 0.0f, 8.0f);
	const int solid = DrawBool(d) ? 0 : DrawInt(d, 0, 255);
	SHOW_VEC3(d, center);
	SHOW_FLOAT(d, radius);
	SHOW_INT(d, solid);
	CHANGE(d, tnVoxelWorld_FillSolidBall(voxels, center, radius, solid));
}

// ---------------------------------------------------------------------------------------------------------------------
// Liquids

static int DrawKind(Driver* d)
{
	return DrawOneIn(d, 16) ? DrawInt(d, -1, 16) : DrawInt(d, 1, d->voxelTrack.def.liquidCount);
}

static void AddLiquid(Driver* d)
{
	const tnVoxelBox box = DrawBox(d);
	const int liquid = DrawKind(d);
	const int amount = DrawOneIn(d, 16) ? DrawInt(d, -1, 5000) : DrawInt(d, 0, d->voxelTrack.def.cap);
	int64_t added[twinLimit] = {0};
	ShowBox(d, "box", box);
	SHOW_INT(d, liquid);
	SHOW_INT(d, amount);
	ShowText(d, "int64_t added[4];");
	CHANGE(d, tnVoxelWorld_AddLiquid(voxels, box, liquid, amount, added + which));
	DONE(d);
	if (IsOk(d))
	{
		CompareOutputs(d, "added", added, sizeof(added[0]), sizeof(added[0]));
	}
}

static void RemoveLiquid(Driver* d)
{
	const tnVoxelBox box = DrawBox(d);
	const int amount = DrawOneIn(d, 16) ? DrawInt(d, -1, 5000) : DrawInt(d, 0, d->voxelTrack.def.cap);
	int64_t removed[twinLimit] = {0};
	ShowBox(d, "box", box);
	SHOW_INT(d, amount);
	ShowText(d, "int64_t removed[4];");
	CHANGE(d, tnVoxelWorld_RemoveLiquid(voxels, box, amount, removed + which));
	DONE(d);
	if (IsOk(d))
	{
		CompareOutputs(d, "removed", removed, sizeof(removed[0]), sizeof(removed[0]));
	}
}

static void CreateSource(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnVoxelSourceDef preset = tnDefaultVoxelSourceDef();
	tnVoxelSourceDef def = preset;
	def.box = DrawBox(d);
	def.liquid = DrawOneIn(d, 4) ? 0 : DrawKind(d);
	def.rate = DrawOneIn(d, 16) ? DrawInt(d, -5000, 5000) : DrawInt(d, -200, 200);
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_INT(d, slot);
	SHOW_STRUCT(d, voxelSourceDefInfo, def, preset);
	CHANGE(d, tnVoxelWorld_CreateSource(voxels, &def, ids->voxelSources + slot));
	DONE(d);
	CompareOutputs(d, "ids", d->ids[0].voxelSources + slot, sizeof(Ids), sizeof(tnVoxelSourceId));
}

static void DestroySource(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnVoxelWorld_DestroySource(voxels, ids->voxelSources[slot]));
}

static void SetOcean(Driver* d)
{
	const tnVoxelOceanDef preset = tnDefaultVoxelOceanDef();
	tnVoxelOceanDef def = preset;
	def.box = DrawBox(d);
	def.liquid = DrawKind(d);
	def.level = (int64_t)DrawInt(d, -200, 4000) * d->voxelTrack.def.cap / 100;
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, voxelOceanDefInfo, def, preset);
	CHANGE(d, tnVoxelWorld_SetOcean(voxels, &def));
	DONE(d);
}

static void RemoveOcean(Driver* d)
{
	const int liquid = DrawKind(d);
	SHOW_INT(d, liquid);
	CHANGE(d, tnVoxelWorld_RemoveOcean(voxels, liquid));
}

static void SetReaction(Driver* d)
{
	const tnReactionDef preset = tnDefaultReactionDef();
	tnReactionDef def = preset;
	def.first = DrawKind(d);
	def.second = DrawKind(d);
	def.rate = DrawBool(d) ? 64 : DrawInt(d, 0, 300);
	def.ground = DrawInt(d, 0, DrawOneIn(d, 16) ? 3 : 2);
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, reactionDefInfo, def, preset);
	CHANGE(d, tnVoxelWorld_SetReaction(voxels, &def));
}

static void SetInterests(Driver* d)
{
	tnVoxel points[3] = {{0, 0, 0}};
	const int count = DrawOneIn(d, 32) ? DrawInt(d, -1, 65) : DrawInt(d, 0, 3);
	ShowText(d, "tnVoxel points[65] = {{0, 0, 0}};");
	for (int i = 0; i < 3; ++i)
	{
		points[i] = DrawBox(d).low;
		Show(d, "points[%d] = (tnVoxel){%d, %d, %d};", i, (int)points[i].x, (int)points[i].y, (int)points[i].z);
	}
	static tnVoxel many[TN_MAX_VOXEL_INTERESTS + 1];
	memcpy(many, points, sizeof(points));
	Show(d, "const tnVoxel* many = points;");
	SHOW_INT(d, count);
	CHANGE(d, tnVoxelWorld_SetInterests(voxels, many, count));
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps

static void StepOnce(Driver* d, int64_t workLimit)
{
	int64_t allocationCounts[twinLimit] = {0};
	for (int i = 0; i < d->twinCount && !d->dry; ++i)
	{
		allocationCounts[i] = d->memories[i].allocationCount;
	}
	if (!d->dry)
	{
		PrepareVoxelStep(d);
	}
	CALL_AND_JUDGE(d, mayChange | isStep, tnVoxelWorld_Step(voxels, workLimit));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	for (int i = 0; i < d->twinCount; ++i)
	{
		const int64_t allocationCount = d->memories[i].allocationCount - allocationCounts[i];
		if (d->voxelTrack.rested && allocationCount != 0)
		{
			Fail(d, "step allocates", "%d allocations in a step of a world at rest", (int)allocationCount);
		}
		d->work += 4000.0 + 4.0 * (double)tnVoxelWorld_GetStats(d->voxelWorlds[i]).workedVoxelCount;
	}
	d->voxelTrack.stepCount += 1;
	d->report->stepCount += 1;
	CheckVoxelStep(d);
}

static void Step(Driver* d)
{
	const int count = DrawInt(d, 1, 8);
	const int64_t workLimit = DrawOneIn(d, 4) ? 512 * (int64_t)DrawInt(d, -1, 256) : 0;
	Show(d, "const int64_t workLimit = %d;", (int)workLimit);
	Show(d, "for (int i = 0; i < %d; ++i)", count);
	for (int i = 0; i < count && !IsOver(d); ++i)
	{
		StepOnce(d, workLimit);
		d->muted = true;
	}
	d->muted = false;
}

// One step, of all twins but the first beside the host.
static void StepBeside(Driver* d)
{
	const int64_t workLimit = DrawOneIn(d, 4) ? 512 * (int64_t)DrawInt(d, -1, 256) : 0;
	bool good[twinLimit] = {false};
	const int first = d->twinCount > 1 ? 1 : 0;
	Show(d, "const int64_t workLimit = %d;", (int)workLimit);
	Show(d, "const int first = %d;", first);
	ShowText(d, "bool good[4] = {false};");
	// Those with a limit of memory have no room for a second world.
	if (!d->dry && d->voxelTrack.defs[0].memoryLimit > 0)
	{
		return;
	}
	if (!d->dry)
	{
		PrepareVoxelStep(d);
	}
	CALL_AND_JUDGE(d, mayChange | isStep, StepVoxels(voxels, workLimit, which >= first, good + which));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	CountCalls("tnVoxelWorld_BeginStep(), tnVoxelWorld_EndStep(), tnVoxelWorld_IsStepRunning()", true);
	for (int i = 0; i < d->twinCount; ++i)
	{
		if (!good[i])
		{
			Fail(d, "beside", "twin %d shows something else than what was before the step", i);
		}
		d->work += 40000.0 + 4.0 * (double)tnVoxelWorld_GetStats(d->voxelWorlds[i]).workedVoxelCount;
	}
	d->voxelTrack.stepCount += 1;
	d->report->stepCount += 1;
	CheckVoxelStep(d);
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves

static tnVoxel DrawChunk(Driver* d)
{
	tnVoxel chunk;
	chunk.x = DrawInt(d, -2, 1);
	chunk.y = DrawInt(d, 0, 2);
	chunk.z = DrawInt(d, -2, 1);
	if (DrawOneIn(d, 32))
	{
		static const int32_t absurd[] = {INT32_MIN, INT32_MAX, TN_MAX_VOXEL / 16, -TN_MAX_VOXEL / 16, 65535, 9};
		chunk.y = absurd[DrawInt(d, 0, 5)];
	}
	return chunk;
}

static void CompareSaves(Driver* d, int slot)
{
	for (int i = 1; i < d->twinCount && IsOk(d); ++i)
	{
		const Ids* ids = d->ids + i;
		if (ids->saveSizes[slot] != d->ids[0].saveSizes[slot] ||
			memcmp(ids->saves[slot], d->ids[0].saves[slot], ids->saveSizes[slot]) != 0)
		{
			Fail(d, "twins differ", "saves of twins 0 and %d differ: %zu and %zu bytes", i, d->ids[0].saveSizes[slot],
				ids->saveSizes[slot]);
		}
	}
}

static void SaveChunk(Driver* d)
{
	const int slot = DrawOneIn(d, 3) ? DrawInt(d, 1, saveSlotCount - 1) : 0;
	const tnVoxel chunk = DrawChunk(d);
	size_t sizes[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowVoxel(d, "chunk", chunk);
	ShowText(d, "size_t sizes[4] = {0};");
	ASK(d, tnVoxelWorld_SaveChunk(voxels, chunk, NULL, 0, sizes + which));
	if (!IsOk(d))
	{
		return;
	}
	ASK(d, KeepSave(ids, slot, sizes[which]));
	ASK(d, tnVoxelWorld_SaveChunk(voxels, chunk, ids->saves[slot], ids->saveSizes[slot], sizes + which));
	DONE(d);
	if (sizes[0] > TN_MAX_CHUNK_SAVE)
	{
		Fail(d, "save", "%zu bytes", sizes[0]);
	}
	CompareSaves(d, slot);
}

static void SaveBlock(Driver* d)
{
	const int slot = DrawOneIn(d, 3) ? DrawInt(d, 1, saveSlotCount - 1) : 0;
	const tnVoxel block = DrawBlock(d);
	size_t sizes[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowVoxel(d, "block", block);
	ShowText(d, "size_t sizes[4] = {0};");
	ASK(d, tnVoxelWorld_SaveBlock(voxels, block, NULL, 0, sizes + which));
	if (!IsOk(d))
	{
		return;
	}
	ASK(d, KeepSave(ids, slot, sizes[which]));
	ASK(d, tnVoxelWorld_SaveBlock(voxels, block, ids->saves[slot], ids->saveSizes[slot], sizes + which));
	DONE(d);
	CompareSaves(d, slot);
}

static void SaveState(Driver* d)
{
	const int slot = DrawOneIn(d, 3) ? DrawInt(d, 1, saveSlotCount - 1) : 0;
	const bool loads = DrawBool(d);
	size_t sizes[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowText(d, "size_t sizes[4] = {0};");
	ASK(d, tnVoxelWorld_SaveState(voxels, NULL, 0, sizes + which));
	if (!IsOk(d))
	{
		return;
	}
	ASK(d, KeepSave(ids, slot, sizes[which]));
	ASK(d, tnVoxelWorld_SaveState(voxels, ids->saves[slot], ids->saveSizes[slot], sizes + which));
	DONE(d);
	CompareSaves(d, slot);
	if (loads)
	{
		// Into the world that it comes from: nothing changes.
		ASK(d, tnVoxelWorld_LoadState(voxels, ids->saves[slot], ids->saveSizes[slot]));
		if (!IsOk(d))
		{
			Fail(d, "load", "a state that was just saved is refused: %s", d->results[0].text);
		}
	}
}

// Whatever is in the slot, and now and then spoiled: most of it must be refused.
static void LoadSave(Driver* d)
{
	const int slot = DrawOneIn(d, 3) ? DrawInt(d, 1, saveSlotCount - 1) : 0;
	const int kind = DrawInt(d, 0, 2);
	const tnVoxel chunk = DrawChunk(d);
	const tnVoxel block = DrawBlock(d);
	const bool spoils = DrawOneIn(d, 8);
	const int at = DrawInt(d, 0, 65535);
	const int mask = DrawInt(d, 1, 255);
	SHOW_INT(d, slot);
	ShowVoxel(d, "chunk", chunk);
	ShowVoxel(d, "block", block);
	SHOW_INT(d, at);
	SHOW_INT(d, mask);
	if (spoils)
	{
		ASK(d, SpoilSave(ids, slot, at, mask));
	}
	switch (kind)
	{
		case 0:
			CHANGE(d, tnVoxelWorld_LoadChunk(voxels, chunk, ids->saves[slot], ids->saveSizes[slot]));
			break;
		case 1:
			CHANGE(d, tnVoxelWorld_LoadBlockFrom(voxels, block, ids->saves[slot], ids->saveSizes[slot]));
			break;
		default:
			CHANGE(d, tnVoxelWorld_LoadState(voxels, ids->saves[slot], ids->saveSizes[slot]));
			break;
	}
}

// Save a block and unload it, or load it again: what a host does when a player walks about.
static void SwapBlock(Driver* d)
{
	const tnVoxel block = DrawBlock(d);
	const int slot = DrawOneIn(d, 3) ? DrawInt(d, 1, saveSlotCount - 1) : 0;
	size_t sizes[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowVoxel(d, "block", block);
	ShowText(d, "size_t sizes[4] = {0};");
	ASK(d, tnVoxelWorld_SaveBlock(voxels, block, NULL, 0, sizes + which));
	if (!IsOk(d))
	{
		return;
	}
	ASK(d, KeepSave(ids, slot, sizes[which]));
	ASK(d, tnVoxelWorld_SaveBlock(voxels, block, ids->saves[slot], ids->saveSizes[slot], sizes + which));
	CHANGE(d, tnVoxelWorld_UnloadBlock(voxels, block));
	CHANGE(d, tnVoxelWorld_LoadBlockFrom(voxels, block, ids->saves[slot], ids->saveSizes[slot]));
}

// The last twin goes on as a world that was saved and loaded by the documented recipe, with a pool as new.
static void Reload(Driver* d)
{
	tnVoxelWorld** places[twinLimit] = {0};
	bool reloads[twinLimit] = {false};
	for (int i = 0; i < twinLimit; ++i)
	{
		places[i] = d->voxelWorlds + i;
	}
	ShowText(d, "tnVoxelWorld** places[4] = {&voxels, &voxels, &voxels, &voxels};");
	ShowText(d, "const bool reloads[4] = {false, true, true, true};");
	// Blocks that the driver does not know by place may be loaded too; bodies are part of no save.
	if (!d->dry &&
		(d->voxelTrack.hadBody || d->twinCount == 1 ||
			tnVoxelWorld_GetStats(d->voxelWorlds[0]).blockCount > CountKnownBlocks(d)))
	{
		return;
	}
	reloads[d->twinCount > 1 ? d->twinCount - 1 : 0] = true;
	CHANGE(d, ReloadWorld(places[which], reloads[which] && !HadBody(ids)));
	DONE(d);
	d->voxelTrack.reloaded = true;
}

// The same with all blocks and the state in one; or it goes back in place.
static void Remake(Driver* d)
{
	const bool inPlace = DrawBool(d);
	tnVoxelWorld** places[twinLimit] = {0};
	bool remakes[twinLimit] = {false};
	for (int i = 0; i < twinLimit; ++i)
	{
		places[i] = d->voxelWorlds + i;
	}
	ShowText(d, "tnVoxelWorld** places[4] = {&voxels, &voxels, &voxels, &voxels};");
	ShowText(d, "const bool remakes[4] = {false, true, true, true};");
	// Bodies are part of no save.
	if (!d->dry && (d->voxelTrack.hadBody || d->twinCount == 1))
	{
		return;
	}
	const int last = d->twinCount > 1 ? d->twinCount - 1 : 0;
	remakes[last] = true;
	Show(d, "const bool inPlace = %d;", (int)inPlace);
	CHANGE(d, RemakeVoxels(places[which], remakes[which] && !HadBody(ids), inPlace));
	DONE(d);
	CountCalls("tnVoxelWorld_Save()", d->results[last].status == tn_ok);
	CountCalls(inPlace ? "tnVoxelWorld_Restore()" : "tnCreateVoxelWorldFrom()", d->results[last].status == tn_ok);
	d->voxelTrack.reloaded = true;
}

const DriverCall voxelEditCalls[] = {{"Step", Step, 46, 0, true}, {"LoadBlock", LoadBlock, 5, 0, false},
	{"UnloadBlock", UnloadBlock, 3, 0, false}, {"SetSolid", SetSolid, 6, 0, false},
	{"FillSolid", FillSolid, 14, 3, true}, {"FillSolidBall", FillSolidBall, 5, 0, false},
	{"AddLiquid", AddLiquid, 22, 4, true}, {"RemoveLiquid", RemoveLiquid, 5, 0, false},
	{"CreateSource", CreateSource, 7, 2, false}, {"DestroySource", DestroySource, 4, 0, false},
	{"SetOcean", SetOcean, 4, 1, false}, {"RemoveOcean", RemoveOcean, 2, 0, false},
	{"SetReaction", SetReaction, 4, 1, false}, {"SetInterests", SetInterests, 3, 0, false},
	{"SaveChunk", SaveChunk, 5, 1, false}, {"SaveBlock", SaveBlock, 5, 1, false}, {"SaveState", SaveState, 4, 0, false},
	{"LoadSave", LoadSave, 10, 0, false}, {"SwapBlock", SwapBlock, 3, 0, false}, {"Reload", Reload, 4, 0, false},
	{"Remake", Remake, 3, 0, false}, {"StepBeside", StepBeside, 4, 0, false}};
const int voxelEditCallCount = (int)(sizeof(voxelEditCalls) / sizeof(voxelEditCalls[0]));

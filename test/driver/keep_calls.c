// SPDX-License-Identifier: MIT

// Worlds as bytes: snapshots that are restored, worlds that are made of them, recordings that are played.

#include "world_calls.h"

// The last twin goes on as a world that was made of its bytes.
static void Remake(Driver* d)
{
	tnWorld** places[twinLimit] = {0};
	bool remakes[twinLimit] = {false};
	int workers[4] = {1, 1, 1, 1};
	for (int i = 0; i < twinLimit; ++i)
	{
		places[i] = d->worlds + i;
		// As many as it began with: others may be in use.
		workers[i] = d->defs[i].tasks.workerCount;
	}
	ShowText(d, "tnWorld** places[4] = {&world, &world, &world, &world};");
	ShowText(d, "const bool remakes[4] = {false, true, true, true};");
	Show(d, "const int workers[4] = {%d, %d, %d, %d};", workers[0], workers[1], workers[2], workers[3]);
	const int last = d->twinCount > 1 ? d->twinCount - 1 : 0;
	remakes[last] = true;
	CHANGE(d, RemakeWorld(places[which], remakes[which], workers[which]));
	DONE(d);
	CountCalls("tnCreateWorldFrom()", d->results[last].status == tn_ok);
}

static void Save(Driver* d)
{
	size_t sizes[twinLimit] = {0};
	tnSnapshotInfo infos[twinLimit] = {0};
	ShowText(d, "size_t sizes[4] = {0}; static tnSnapshotInfo infos[4];");
	ASK(d, tnWorld_Save(world, NULL, 0, sizes + which));
	if (!IsOk(d))
	{
		return;
	}
	ASK(d, KeepSnapshot(ids, sizes[which]));
	ASK(d, tnWorld_Save(world, ids->snapshot, ids->snapshotSize, sizes + which));
	// It has no world that it could tell.
	CALL_AND_JUDGE(d, hookMayRest, tnReadSnapshotInfo(ids->snapshot, ids->snapshotSize, infos + which));
	DONE(d);
	d->savedTrack = d->track;
	d->savedHash = d->hashes[0];
	if (!IsOk(d) || infos[0].stepCount != d->track.stepCount || infos[0].time != d->track.time ||
		infos[0].def.columnCount != d->track.def.columnCount || infos[0].def.method != d->track.def.method)
	{
		Fail(d, "info", "status %d, %d steps in %g s", (int)d->results[0].status, (int)infos[0].stepCount,
			infos[0].time);
	}
}

static void Restore(Driver* d)
{
	CHANGE(d, tnWorld_Restore(world, ids->snapshot, ids->snapshotSize));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	d->track = d->savedTrack;
	ForgetEnergy(d);
	if (d->hashes[0] != d->savedHash)
	{
		Fail(d, "restored", "the world has another hash than when it was saved");
	}
}

static void AskTileHash(Driver* d)
{
	const int column = DrawInt(d, -1, 8);
	const int row = DrawInt(d, -1, 8);
	uint64_t tiles[twinLimit] = {0};
	SHOW_INT(d, column);
	SHOW_INT(d, row);
	ShowText(d, "uint64_t tiles[4];");
	TAKE(d, tiles[which] = tnWorld_GetTileHash(world, column, row));
	DONE(d);
	CompareOutputs(d, "tiles", tiles, sizeof(tiles[0]), sizeof(tiles[0]));
	const bool inside = column >= 0 && row >= 0 && column * TN_HASH_TILE < d->track.def.columnCount &&
		row * TN_HASH_TILE < d->track.def.rowCount;
	if ((tiles[0] != 0) != inside)
	{
		Fail(d, "tile", "tile (%d, %d) has the hash %016llx", column, row, (unsigned long long)tiles[0]);
	}
}

// Only the first twin is recorded: that must not matter to it.
static void StartRecording(Driver* d)
{
	bool recording[twinLimit] = {false};
	ShowText(d, "bool recording[4];");
	const bool before = !d->dry && tnWorld_IsRecording(d->worlds[0]);
	CALL_AND_JUDGE(d, mayDiffer, StartRecord(world, ids, which == 0));
	TAKE(d, recording[which] = tnWorld_IsRecording(world));
	DONE(d);
	CountCalls("tnWorld_StartRecording()", !before && recording[0]);
	d->recordWork = before ? d->recordWork : d->work;
	if (d->twinCount > 1 && recording[1])
	{
		Fail(d, "recording", "a world is recorded that nobody records");
	}
}

static void StopRecording(Driver* d)
{
	tnReplayState states[twinLimit] = {0};
	uint64_t hashes[twinLimit] = {0};
	bool plays = false;
	ShowText(d, "static tnReplayState states[4]; uint64_t hashes[4];");
	ShowText(d, "const bool plays = tnWorld_IsRecording(world);");
	plays = !d->dry && tnWorld_IsRecording(d->worlds[0]);
	CALL_AND_JUDGE(d, mayDiffer, which == 0 ? tnWorld_StopRecording(world) : (tnResult){0});
	if (!d->dry && plays != IsOk(d))
	{
		Fail(d, "recording", "recording is %d, stopping it says \"%s\"", (int)plays, d->results[0].text);
	}
	// What is refused here is told below: a replay has hooks of its own.
	CALL_AND_JUDGE(d, mayDiffer | hookMayRest, PlayRecord(ids, which == 0 && plays, states + which, hashes + which));
	DONE(d);
	if (!plays || HasFailed(d))
	{
		return;
	}
	d->work += (d->work - d->recordWork) / d->twinCount;
	CountCalls("tnCreateReplay(), tnReplay_Step(), tnReplay_GetWorld(), tnDestroyReplay()", IsOk(d));
	if (!IsOk(d) || states[0].parted || hashes[0] != d->hashes[0])
	{
		Fail(d, "replay", "%s, parted %d at step %d of %d, tile (%d, %d), hash %016llx, recorded %016llx",
			d->results[0].text, (int)states[0].parted, (int)states[0].partedStep, (int)states[0].stepCount,
			states[0].tileColumn, states[0].tileRow, (unsigned long long)hashes[0], (unsigned long long)d->hashes[0]);
	}
}

// Some steps forth and back again: as if nothing had happened.
static void GoForthAndBack(Driver* d)
{
	const float timeStep = DrawFloat(d, 0.004f, 0.03f);
	const int steps = DrawInt(d, 1, 4);
	uint64_t seen[twinLimit] = {0};
	bool good[twinLimit] = {false};
	SHOW_FLOAT(d, timeStep);
	SHOW_INT(d, steps);
	ShowText(d, "uint64_t seen[4] = {0}; bool good[4];");
	ASK(d, TryRollback(world, timeStep, steps, seen + which, good + which));
	DONE(d);
	d->work += (int64_t)steps * d->twinCount;
	CountCalls("tnDefaultRollbackDef(), tnCreateRollback(), tnDestroyRollback(), tnRollback_Push(), "
			   "tnRollback_Restore(), tnRollback_GetCount(), "
			   "tnRollback_GetImage(), tnRollback_SaveDelta(), tnRollback_RestoreDelta(), tnReadDeltaInfo()",
		IsOk(d));
	CountCalls("tnWorld_BeginStep(), tnWorld_EndStep(), tnWorld_IsStepRunning()", IsOk(d) && steps > 1);
	CompareOutputs(d, "seen", seen, sizeof(seen[0]), sizeof(seen[0]));
	for (int i = 0; i < d->twinCount && IsOk(d); ++i)
	{
		if (!good[i])
		{
			Fail(d, "rollback", "twin %d is not what it was after %d steps forth and back", i, steps);
		}
	}
}

static void ShowStreamed(Driver* d)
{
	static const int s_sides[3] = {16, 32, 64};
	const tnStreamDef preset = tnDefaultStreamDef();
	tnStreamDef def = preset;
	def.tileSize = s_sides[DrawInt(d, 0, 2)];
	def.heightError = DrawOneIn(d, 16) ? DrawFloat(d, -1.0f, 20.0f) : DrawPower(d, -3.0f, 1.0f);
	def.velocityError = DrawPower(d, -1.0f, 2.0f);
	def.enableFoam = DrawBool(d);
	const int capacity = DrawOneIn(d, 4) ? DrawInt(d, 72, 2000) : 1 << 20;
	uint64_t seen[twinLimit] = {0};
	bool good[twinLimit] = {false};
	ShowText(d, "tnStreamDef def = tnDefaultStreamDef();");
	Show(d, "def.tileSize = %d;", def.tileSize);
	Show(d, "def.heightError = %s;", GetFloatText(def.heightError).text);
	Show(d, "def.velocityError = %s;", GetFloatText(def.velocityError).text);
	Show(d, "def.enableFoam = %d;", (int)def.enableFoam);
	SHOW_INT(d, capacity);
	ShowText(d, "uint64_t seen[4] = {0}; bool good[4];");
	ASK(d, ShowStream(world, &def, capacity, seen + which, good + which));
	DONE(d);
	CountCalls("tnDefaultStreamDef(), tnDefaultStreamViewDef(), tnCreateStream(), tnDestroyStream(), "
			   "tnStream_SetInterests(), tnStream_Write(), tnStream_TakeReceipt(), "
			   "tnCreateStreamView(), tnDestroyStreamView(), tnStreamView_Read(), tnStreamView_GetReceipt(), "
			   "tnStreamView_GetInfo(), tnStreamView_GetField(), tnStreamView_GetCellNumber()",
		IsOk(d));
	CompareOutputs(d, "seen", seen, sizeof(seen[0]), sizeof(seen[0]));
	for (int i = 0; i < d->twinCount && IsOk(d); ++i)
	{
		if (!good[i])
		{
			Fail(d, "stream", "twin %d shows something else than it should", i);
		}
	}
}

const DriverCall keepCalls[] = {{"Remake", Remake, 3, 0, false}, {"Save", Save, 3, 0, true},
	{"Restore", Restore, 2, 0, false}, {"AskTileHash", AskTileHash, 2, 0, false},
	{"StartRecording", StartRecording, 3, 0, true}, {"StopRecording", StopRecording, 3, 0, true},
	{"GoForthAndBack", GoForthAndBack, 2, 0, false}, {"ShowStreamed", ShowStreamed, 2, 0, false}};
const int keepCallCount = (int)(sizeof(keepCalls) / sizeof(keepCalls[0]));

// SPDX-License-Identifier: MIT

// Runs as bytes: what the scene has done so far and is about to do, its bodies, and a snapshot of its world. A run that goes on
// from them does what the one that was saved would have done.
//
// Host part: magic, version, its own size, its sum, size of the snapshot; then all values in the order of the functions below.
// The snapshot (tarn/snapshot.h) has sums of its own.

#include "world/scene_save.h"
#include "bodies/scene_bodies_model.h"
#include "tarn/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	TNS_SAVE_VERSION = 1,
	// Magic, version, what it is of, size and sum of the host part, size of the snapshot.
	TNS_SAVE_HEADER = 8 + 4 + 4 + 8 + 8 + 8,
};

static const char s_magic[8] = {'t', 'n', 's', 'a', 'v', 'e', '\r', '\n'};

// ---------------------------------------------------------------------------------------------------------------------
// The frame of all saves

tnsResult tnsBeginSave(tnsSaveKind kind, const tnsCodec* counted, size_t worldSize, void* bytes, size_t capacity,
	size_t* size, tnsCodec* writer)
{
	const size_t all = TNS_SAVE_HEADER + counted->at + worldSize;
	*size = all;
	*writer = (tnsCodec){0};
	if (bytes == NULL || capacity < all)
	{
		return bytes == NULL && capacity == 0
			? (tnsResult){0}
			: tnsMakeError(tns_invalidArgument, "a save of %llu bytes does not fit into %llu", (unsigned long long)all,
				  (unsigned long long)capacity);
	}
	writer->out = bytes;
	writer->size = TNS_SAVE_HEADER;
	memcpy(bytes, s_magic, sizeof(s_magic));
	writer->at = sizeof(s_magic);
	uint32_t version = TNS_SAVE_VERSION, what = (uint32_t)kind;
	uint64_t hostSize = counted->at, sum = 0, snapshotSize = worldSize;
	tnsCodec_U32(writer, &version);
	tnsCodec_U32(writer, &what);
	tnsCodec_U64(writer, &hostSize);
	tnsCodec_U64(writer, &sum);
	tnsCodec_U64(writer, &snapshotSize);
	writer->size = TNS_SAVE_HEADER + counted->at;
	return (tnsResult){0};
}

uint8_t* tnsEndSave(tnsCodec* writer)
{
	const size_t sumAt = TNS_SAVE_HEADER - 16;
	uint64_t sum = tnsSumBytes(writer->out + TNS_SAVE_HEADER, writer->at - TNS_SAVE_HEADER);
	tnsCodec place = {.out = writer->out, .size = TNS_SAVE_HEADER, .at = sumAt};
	tnsCodec_U64(&place, &sum);
	return writer->out + writer->at;
}

tnsCodec tnsReadSave(tnsSaveKind kind, const void* bytes, size_t size, const void** world, size_t* worldSize)
{
	const uint8_t none = 0;
	tnsCodec codec = {.in = bytes != NULL ? bytes : &none, .size = bytes != NULL ? size : 0};
	uint32_t version = 0, what = 0;
	uint64_t hostSize = 0, sum = 0, snapshotSize = 0;
	if (codec.size < TNS_SAVE_HEADER || memcmp(codec.in, s_magic, sizeof(s_magic)) != 0)
	{
		tnsCodec_Refuse(&codec, codec.size < TNS_SAVE_HEADER ? "the save is cut off" : "this is not a save of a scene");
		return codec;
	}
	codec.at = sizeof(s_magic);
	tnsCodec_U32(&codec, &version);
	tnsCodec_U32(&codec, &what);
	tnsCodec_U64(&codec, &hostSize);
	tnsCodec_U64(&codec, &sum);
	tnsCodec_U64(&codec, &snapshotSize);
	const uint64_t rest = (uint64_t)size - TNS_SAVE_HEADER;
	if (version < 1 || version > TNS_SAVE_VERSION)
	{
		tnsCodec_Refuse(&codec, "the save has version %u, and this program reads up to %d", version, TNS_SAVE_VERSION);
	}
	else if (what != (uint32_t)kind)
	{
		tnsCodec_Refuse(&codec, "the save is of %s", what == tns_voxelSave ? "voxels" : "columns");
	}
	else if (hostSize > rest || snapshotSize != rest - hostSize)
	{
		tnsCodec_Refuse(&codec, "the save is cut off, or too long");
	}
	else if (tnsSumBytes(codec.in + TNS_SAVE_HEADER, (size_t)hostSize) != sum)
	{
		tnsCodec_Refuse(&codec, "the save is damaged");
	}
	else
	{
		codec.size = TNS_SAVE_HEADER + (size_t)hostSize;
		*world = codec.in + codec.size;
		*worldSize = (size_t)snapshotSize;
	}
	return codec;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns

static void tnsCodeRun(tnsCodec* codec, tnsRun* run)
{
	const tnsScene* scene = run->scene;
	const tnsSceneInfo* info = &scene->info;
	tnsCodec_Expect(codec, info->sourceCount, "sources");
	tnsCodec_Expect(codec, info->gaugeCount, "gauges");
	tnsCodec_Expect(codec, info->regionCount, "regions");
	tnsCodec_Expect(codec, scene->editCount, "edits");
	tnsCodec_Expect(codec, scene->jetCount, "jets");
	tnsCodec_I64(codec, &run->stepIndex, 0, INT64_MAX / 4, "the number of steps");
	for (int i = 0; i < info->sourceCount; ++i)
	{
		tnsCodec_Id(codec, &run->sources[i].index1, &run->sources[i].generation);
		tnsCodec_Bool(codec, run->sourceOn + i);
	}
	for (int i = 0; i < info->gaugeCount; ++i)
	{
		tnsCodec_Id(codec, &run->gauges[i].index1, &run->gauges[i].generation);
	}
	for (int i = 0; i < info->regionCount; ++i)
	{
		tnsCodec_Id(codec, &run->regions[i].index1, &run->regions[i].generation);
	}
	for (int i = 0; i < scene->editCount; ++i)
	{
		// Infinite: never again.
		tnsCodec_Double(codec, run->editTimes + i, INFINITY, "the time of an edit");
	}
	for (int i = 0; i < scene->jetCount; ++i)
	{
		tnsCodec_Id(codec, &run->jets[i].index1, &run->jets[i].generation);
		tnsCodec_Bool(codec, run->jetOn + i);
	}
	for (int i = 0; i < 3; ++i)
	{
		tnsCodec_Bool(codec, &run->rains[i].on);
	}
	const float mostRain = 1.0e3f; // as tnsRun_SetExtraRain has it
	tnsCodec_Float(codec, &run->extraRain, mostRain, "extra rain");
	tnsCodec_Float(codec, &run->extraRainSet, mostRain, "extra rain");
	if (run->extraRain < 0.0f || run->extraRainSet < 0.0f)
	{
		tnsCodec_Refuse(codec, "extra rain must be at least 0 in the save");
	}
}

// Values of a run that a save has, apart from the run. Arrays are its own.
static bool tnsMakeShadow(const tnsRun* run, tnsRun* shadow)
{
	const tnsScene* scene = run->scene;
	*shadow = *run;
	shadow->sources = calloc((size_t)scene->info.sourceCount + 1, sizeof(tnSourceId));
	shadow->sourceOn = calloc((size_t)scene->info.sourceCount + 1, sizeof(bool));
	shadow->gauges = calloc((size_t)scene->info.gaugeCount + 1, sizeof(tnGaugeId));
	shadow->regions = calloc((size_t)scene->info.regionCount + 1, sizeof(tnRegionId));
	shadow->editTimes = calloc((size_t)scene->editCount + 1, sizeof(double));
	shadow->jets = calloc((size_t)scene->jetCount + 1, sizeof(tnJetId));
	shadow->jetOn = calloc((size_t)scene->jetCount + 1, sizeof(bool));
	shadow->waves = tnsCreateWaves(scene);
	return shadow->sources != NULL && shadow->sourceOn != NULL && shadow->gauges != NULL && shadow->regions != NULL &&
		shadow->editTimes != NULL && shadow->jets != NULL && shadow->jetOn != NULL && shadow->waves != NULL;
}

static void tnsFreeShadow(tnsRun* shadow)
{
	free(shadow->sources);
	free(shadow->sourceOn);
	free(shadow->gauges);
	free(shadow->regions);
	free(shadow->editTimes);
	free(shadow->jets);
	free(shadow->jetOn);
	tnsDestroyWaves(shadow->waves);
}

static void tnsTakeShadow(tnsRun* run, const tnsRun* shadow)
{
	const tnsScene* scene = run->scene;
	memcpy(run->sources, shadow->sources, (size_t)scene->info.sourceCount * sizeof(tnSourceId));
	memcpy(run->sourceOn, shadow->sourceOn, (size_t)scene->info.sourceCount * sizeof(bool));
	memcpy(run->gauges, shadow->gauges, (size_t)scene->info.gaugeCount * sizeof(tnGaugeId));
	memcpy(run->regions, shadow->regions, (size_t)scene->info.regionCount * sizeof(tnRegionId));
	memcpy(run->editTimes, shadow->editTimes, (size_t)scene->editCount * sizeof(double));
	memcpy(run->jets, shadow->jets, (size_t)scene->jetCount * sizeof(tnJetId));
	memcpy(run->jetOn, shadow->jetOn, (size_t)scene->jetCount * sizeof(bool));
	for (int i = 0; i < 3; ++i)
	{
		run->rains[i].on = shadow->rains[i].on;
	}
	run->stepIndex = shadow->stepIndex;
	run->extraRain = shadow->extraRain;
	run->extraRainSet = shadow->extraRainSet;
	tnsTakeWaves(run, shadow->waves);
}

static tnsResult tnsRefuseMemory(void)
{
	return tnsMakeError(tns_outOfMemory, "out of memory for a save");
}

tnsResult tnsRun_Save(const tnsRun* run, void* bytes, size_t capacity, size_t* size)
{
	if (run == NULL || run->world == NULL || size == NULL)
	{
		return tnsMakeError(tns_invalidArgument, "a save needs a run of columns and a place for its size");
	}
	tnsSavedBodies bodies;
	if (tnsMakeSavedBodies(run, false, &bodies) == false)
	{
		return tnsRefuseMemory();
	}
	size_t worldSize = 0;
	tnResult saved = tnWorld_Save(run->world, NULL, 0, &worldSize);
	tnsResult result = {0};
	// Writing changes nothing; reading goes through a shadow.
	tnsRun copy = *run;
	tnsCodec counter = {0}, writer;
	tnsCodeRun(&counter, &copy);
	tnsCodeWaves(&counter, &copy);
	tnsCodeBodies(&counter, &copy, &bodies);
	if (saved.status == tn_ok)
	{
		result = tnsBeginSave(tns_columnSave, &counter, worldSize, bytes, capacity, size, &writer);
	}
	if (saved.status == tn_ok && result.status == tns_ok && writer.out != NULL)
	{
		tnsCodeRun(&writer, &copy);
		tnsCodeWaves(&writer, &copy);
		tnsCodeBodies(&writer, &copy, &bodies);
		saved = tnWorld_Save(run->world, tnsEndSave(&writer), worldSize, &worldSize);
	}
	tnsFreeSavedBodies(run, &bodies);
	return saved.status == tn_ok ? result : tnsMakeError(tns_worldError, "%s", saved.text);
}

// Does a world have what a save is about?
static bool tnsAreIdsValid(const tnsRun* shadow, const tnsBodies* bodies)
{
	bool valid = true;
	for (int i = 0; i < shadow->scene->info.sourceCount; ++i)
	{
		valid = valid && tnSource_IsValid(shadow->world, shadow->sources[i]);
	}
	for (int i = 0; i < bodies->end; ++i)
	{
		valid = valid && (bodies->items[i].there == false || tnBody_IsValid(shadow->world, bodies->items[i].id));
	}
	return valid;
}

// Only a world that was restored tells what is in it: if the rest does not belong to it, it goes back to what it was.
static tnsResult tnsRestoreWorld(
	tnWorld* world, const tnsRun* shadow, const tnsBodies* bodies, const void* bytes, size_t size)
{
	size_t backupSize = 0;
	tnResult done = tnWorld_Save(world, NULL, 0, &backupSize);
	void* backup = done.status == tn_ok ? malloc(backupSize) : NULL;
	if (done.status == tn_ok && backup == NULL)
	{
		return tnsRefuseMemory();
	}
	done = done.status == tn_ok ? tnWorld_Save(world, backup, backupSize, &backupSize) : done;
	done = done.status == tn_ok ? tnWorld_Restore(world, bytes, size) : done;
	const bool fits = done.status == tn_ok && tnsAreIdsValid(shadow, bodies);
	if (done.status == tn_ok && fits == false)
	{
		(void)tnWorld_Restore(world, backup, backupSize);
	}
	free(backup);
	if (done.status != tn_ok)
	{
		return tnsMakeError(done.status == tn_outOfMemory ? tns_outOfMemory : tns_badFormat, "%s", done.text);
	}
	return fits ? (tnsResult){0} : tnsMakeError(tns_badFormat, "the save names things that its world does not have");
}

// The world is the last that can refuse.
static tnsResult tnsApplySave(tnsRun* run, tnsRun* shadow, tnsSavedBodies* bodies, const void* world, size_t worldSize)
{
	tnsResult result = tnsRun_SetExtraRain(run, shadow->extraRain);
	if (result.status != tns_ok)
	{
		return result;
	}
	const tnResult done = tnsBuildBodies(run, bodies, true);
	if (done.status != tn_ok)
	{
		return tnsMakeError(done.status == tn_outOfMemory ? tns_outOfMemory : tns_badFormat, "%s", done.text);
	}
	result = tnsRestoreWorld(run->world, shadow, bodies->bodies, world, worldSize);
	if (result.status == tns_ok)
	{
		tnsTakeBodies(run, bodies);
		tnsTakeShadow(run, shadow);
	}
	return result;
}

tnsResult tnsRun_Restore(tnsRun* run, const void* bytes, size_t size)
{
	if (run == NULL || run->world == NULL)
	{
		return tnsMakeError(tns_invalidArgument, "a save of columns needs a run of columns");
	}
	const void* world = NULL;
	size_t worldSize = 0;
	tnsCodec codec = tnsReadSave(tns_columnSave, bytes, size, &world, &worldSize);
	if (tnsCodec_IsOk(&codec) == false)
	{
		return codec.result;
	}
	tnsRun shadow;
	tnsSavedBodies bodies = {0};
	tnsResult result = tnsRefuseMemory();
	if (tnsMakeShadow(run, &shadow) && tnsMakeSavedBodies(run, true, &bodies))
	{
		tnsCodeRun(&codec, &shadow);
		tnsCodeWaves(&codec, &shadow);
		tnsCodeBodies(&codec, run, &bodies);
		if (tnsCodec_IsOk(&codec) && codec.at != codec.size)
		{
			tnsCodec_Refuse(&codec, "the save has more in it than this scene");
		}
		const float rain = run->extraRain;
		result = tnsCodec_IsOk(&codec) ? tnsApplySave(run, &shadow, &bodies, world, worldSize) : codec.result;
		run->extraRain = result.status == tns_ok ? run->extraRain : rain;
	}
	tnsFreeSavedBodies(run, &bodies);
	tnsFreeShadow(&shadow);
	return result;
}

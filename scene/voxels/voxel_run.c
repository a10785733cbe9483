// SPDX-License-Identifier: MIT

// A scene of voxels that runs: its world is made, stepped, and watched.

#include "bodies/scene_bodies.h"
#include "bodies/scene_bodies_model.h"
#include "tarn/snapshot.h"
#include "voxels/voxel_scene_model.h"
#include "world/scene_save.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct tnsVoxelRun
{
	const tnsVoxelScene* scene;
	tnVoxelWorld* world;
	int64_t stepCount;
	// Which of the sources are there.
	tnVoxelSourceId* sources;
	bool* isSourceOn;
	tnsWheel* wheels;
	// Of bodies only.
	tnsRun bodies;
};

// ---------------------------------------------------------------------------------------------------------------------
// Making the world

// Blocks, all rock but for the air of the scene.
static tnResult tnsMakeBlocks(tnVoxelWorld* world, tnVoxel size)
{
	const int n = TN_VOXEL_BLOCK;
	const tnVoxel count = {(size.x + n - 1) / n, (size.y + n - 1) / n, (size.z + n - 1) / n};
	tnResult result = {0};
	for (int i = 0; i < count.x * count.y * count.z && result.status == tn_ok; ++i)
	{
		result = tnVoxelWorld_LoadBlock(world, (tnVoxel){i % count.x, i / count.x % count.y, i / count.x / count.y});
	}
	if (result.status == tn_ok)
	{
		const tnVoxelBox all = {{0, 0, 0}, {count.x * n, count.y * n, count.z * n}};
		result = tnVoxelWorld_FillSolid(world, all, TN_VOXEL_ROCK);
	}
	return result.status == tn_ok ? tnVoxelWorld_FillSolid(world, (tnVoxelBox){{0, 0, 0}, size}, 0) : result;
}

// Oceans, reactions and points of interest.
static tnResult tnsMakeRules(const tnsVoxelRun* run, tnsPlace* place)
{
	const tnsVoxelScene* scene = run->scene;
	tnResult result = {0};
	for (int i = 0; i < scene->reactionCount && result.status == tn_ok; ++i)
	{
		*place = scene->reactions[i].place;
		result = tnVoxelWorld_SetReaction(run->world, &scene->reactions[i].def);
	}
	for (int i = 0; i < scene->oceanCount && result.status == tn_ok; ++i)
	{
		tnVoxelOceanDef def = tnDefaultVoxelOceanDef();
		def.box = scene->oceans[i].box;
		def.liquid = scene->oceans[i].liquid;
		def.level = (int64_t)(scene->oceans[i].level * (double)scene->info.worldDef.cap);
		*place = scene->oceans[i].place;
		result = tnVoxelWorld_SetOcean(run->world, &def);
	}
	if (scene->interestCount > 0 && result.status == tn_ok)
	{
		*place = scene->interestPlace;
		result = tnVoxelWorld_SetInterests(run->world, scene->interests, scene->interestCount);
	}
	return result;
}

static tnResult tnsFillWorld(const tnsVoxelRun* run, tnsPlace* place)
{
	const tnsVoxelScene* scene = run->scene;
	const tnVoxel still = {0, 0, 0};
	tnResult result = tnsMakeBlocks(run->world, scene->info.size);
	for (int i = 0; i < scene->groundCount && result.status == tn_ok; ++i)
	{
		*place = scene->ground[i].place;
		result = tnsMakeGround(run->world, &scene->ground[i], still, scene->info.size);
	}
	for (int i = 0; i < scene->fillCount && result.status == tn_ok; ++i)
	{
		const tnsPourRule* fill = &scene->fills[i];
		*place = fill->place;
		result = tnVoxelWorld_AddLiquid(run->world, fill->box, fill->liquid, fill->amount, NULL);
	}
	return result.status == tn_ok ? tnsMakeRules(run, place) : result;
}

static tnVoxelWorldDef tnsMixDefs(const tnVoxelWorldDef* def, const tnVoxelWorldDef* hooks)
{
	tnVoxelWorldDef mixed = *def;
	mixed.memoryLimit = TNS_DEFAULT_MEMORY_LIMIT;
	if (hooks != NULL)
	{
		mixed.allocator = hooks->allocator;
		mixed.tasks = hooks->tasks;
		mixed.errors = hooks->errors;
		mixed.simd = hooks->simd;
		mixed.memoryLimit = hooks->memoryLimit;
		mixed.chunkLimit = hooks->chunkLimit;
		mixed.chunkReserve = hooks->chunkReserve;
	}
	return mixed;
}

tnsVoxelRun* tnsVoxelScene_BeginWith(const tnsVoxelScene* scene, const tnVoxelWorldDef* hooks, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	*result = (tnsResult){0};
	if (scene == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a run needs a scene");
		return NULL;
	}
	tnsVoxelRun* run = calloc(1, sizeof(*run));
	const size_t sourceCount = (size_t)scene->sourceCount + 1;
	if (run != NULL)
	{
		run->scene = scene;
		run->sources = calloc(sourceCount, sizeof(tnVoxelSourceId));
		run->isSourceOn = calloc(sourceCount, sizeof(bool));
		run->wheels = calloc((size_t)scene->info.wheelCount + 1, sizeof(tnsWheel));
		run->bodies.scene = scene->base;
		run->bodies.bodies = tnsCreateBodies(scene->base);
	}
	if (run == NULL || run->sources == NULL || run->isSourceOn == NULL || run->wheels == NULL ||
		run->bodies.bodies == NULL)
	{
		tnsDestroyVoxelRun(run);
		*result = tnsMakeError(tns_outOfMemory, "no memory for a run");
		return NULL;
	}
	for (int i = 0; i < scene->info.wheelCount; ++i)
	{
		run->wheels[i] = tnsMakeWheel(&scene->wheels[i], scene->info.worldDef.voxelSize);
	}
	tnsPlace place = {1, 1};
	const tnVoxelWorldDef def = tnsMixDefs(&scene->info.worldDef, hooks);
	tnResult done = tnCreateVoxelWorld(&def, &run->world);
	if (done.status == tn_ok)
	{
		run->bodies.water =
			(tnsWater){.voxels = run->world, .size = scene->info.size, .workLimit = scene->info.workLimit};
		done = tnsFillWorld(run, &place);
	}
	if (done.status == tn_ok)
	{
		// Those of the start are there before the first step, for whoever looks at the scene first.
		*result = tnsUpdateBodies(&run->bodies, 0.5 * (double)scene->base->info.timeStep);
		if (result->status != tns_ok)
		{
			tnsDestroyVoxelRun(run);
			return NULL;
		}
	}
	if (done.status != tn_ok)
	{
		const tnsStatus status = done.status == tn_outOfMemory ? tns_outOfMemory : tns_worldError;
		*result = tnsMakeSceneError(scene->base, status, place, "%s", done.text);
		tnsDestroyVoxelRun(run);
		return NULL;
	}
	return run;
}

tnsVoxelRun* tnsVoxelScene_Begin(const tnsVoxelScene* scene, tnsResult* result)
{
	return tnsVoxelScene_BeginWith(scene, NULL, result);
}

void tnsDestroyVoxelRun(tnsVoxelRun* run)
{
	if (run != NULL)
	{
		tnsDestroyBodies(run->bodies.bodies);
		tnDestroyVoxelWorld(run->world);
		free(run->sources);
		free(run->isSourceOn);
		free(run->wheels);
		free(run);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps

static tnResult tnsUpdateVoxelSource(tnsVoxelRun* run, int index)
{
	const tnsPourRule* rule = &run->scene->sources[index];
	const bool isOn = run->stepCount >= rule->begin && run->stepCount < rule->end;
	if (isOn == run->isSourceOn[index])
	{
		return (tnResult){0};
	}
	run->isSourceOn[index] = isOn;
	if (isOn == false)
	{
		return tnVoxelWorld_DestroySource(run->world, run->sources[index]);
	}
	tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
	def.box = rule->box;
	def.liquid = rule->liquid;
	def.rate = rule->amount;
	return tnVoxelWorld_CreateSource(run->world, &def, &run->sources[index]);
}

static int tnsClampInt(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

static tnResult tnsPour(const tnsVoxelRun* run, const tnsPourRule* pour, tnVoxel move)
{
	const tnVoxel size = run->scene->info.size;
	const tnVoxelBox from = pour->box;
	const tnVoxelBox box = {{tnsClampInt(from.low.x + move.x, 0, size.x), tnsClampInt(from.low.y + move.y, 0, size.y),
								tnsClampInt(from.low.z + move.z, 0, size.z)},
		{tnsClampInt(from.high.x + move.x, 0, size.x), tnsClampInt(from.high.y + move.y, 0, size.y),
			tnsClampInt(from.high.z + move.z, 0, size.z)}};
	if (box.low.x >= box.high.x || box.low.y >= box.high.y || box.low.z >= box.high.z)
	{
		return (tnResult){0};
	}
	return pour->amount > 0 ? tnVoxelWorld_AddLiquid(run->world, box, pour->liquid, pour->amount, NULL)
							: tnVoxelWorld_RemoveLiquid(run->world, box, -pour->amount, NULL);
}

// How far an edit has moved, without running over: whoever is that far out is outside.
static int tnsGetMove(int move, int64_t times)
{
	const int64_t far = 4 * TNS_MAX_SCENE_VOXELS;
	const int64_t moved = (int64_t)move * times;
	return (int)(moved < -far ? -far : moved > far ? far : moved);
}

static tnResult tnsDoVoxelEdit(const tnsVoxelRun* run, const tnsVoxelEdit* edit)
{
	const int64_t since = run->stepCount - edit->step;
	if (since < 0 || run->stepCount > edit->until || since % edit->every != 0)
	{
		return (tnResult){0};
	}
	const int64_t times = since / edit->every;
	const tnVoxel move = {
		tnsGetMove(edit->move.x, times), tnsGetMove(edit->move.y, times), tnsGetMove(edit->move.z, times)};
	return edit->isPour ? tnsPour(run, &edit->pour, move)
						: tnsMakeGround(run->world, &edit->ground, move, run->scene->info.size);
}

static tnResult tnsTurnWheels(tnsVoxelRun* run)
{
	tnVec3 points[TNS_MAX_BLADES * TNS_BLADE_PATCHES];
	tnVoxelSample samples[TNS_MAX_BLADES * TNS_BLADE_PATCHES];
	tnResult result = {0};
	for (int i = 0; i < run->scene->info.wheelCount && result.status == tn_ok; ++i)
	{
		const int count = tnsWheel_GetPoints(&run->wheels[i], points);
		result = tnVoxelWorld_SampleMany(run->world, points, count, samples);
		if (result.status == tn_ok)
		{
			tnsWheel_Turn(&run->wheels[i], &run->scene->wheels[i], samples, &run->scene->info.worldDef);
		}
	}
	return result;
}

tnsResult tnsVoxelRun_Step(tnsVoxelRun* run)
{
	const tnsVoxelScene* scene = run->scene;
	tnsPlace place = {1, 1};
	tnResult done = {0};
	for (int i = 0; i < scene->editCount && done.status == tn_ok; ++i)
	{
		place = scene->edits[i].place;
		done = tnsDoVoxelEdit(run, &scene->edits[i]);
	}
	for (int i = 0; i < scene->sourceCount && done.status == tn_ok; ++i)
	{
		place = scene->sources[i].place;
		done = tnsUpdateVoxelSource(run, i);
	}
	if (done.status == tn_ok)
	{
		const double now = tnsWater_GetTime(&run->bodies.water) + 0.5 * (double)scene->base->info.timeStep;
		const tnsResult updated = tnsUpdateBodies(&run->bodies, now);
		if (updated.status != tns_ok)
		{
			return updated;
		}
		place = (tnsPlace){1, 1};
		done = tnsStepBodies(&run->bodies);
	}
	if (done.status == tn_ok)
	{
		done = tnsTurnWheels(run);
	}
	if (done.status != tn_ok)
	{
		return tnsMakeSceneError(scene->base, tns_worldError, place, "%s", done.text);
	}
	run->stepCount += 1;
	return (tnsResult){0};
}

int64_t tnsVoxelRun_GetStepCount(const tnsVoxelRun* run)
{
	return run->stepCount;
}

bool tnsVoxelRun_IsOver(const tnsVoxelRun* run)
{
	return run->stepCount >= run->scene->info.steps;
}

// None is still to come, or moves.
static bool tnsAreBodiesAtRest(const tnsVoxelRun* run)
{
	// m/s, rad/s: what bobs less than that is not to be seen.
	const float still = 0.02f;
	const double now = tnsWater_GetTime(&run->bodies.water);
	for (int i = 0; i < tnsRun_GetBodyEnd(&run->bodies); ++i)
	{
		tnsBody body;
		if (tnsRun_GetBody(&run->bodies, i, &body) &&
			(tnsGetLength(body.velocity) > still || tnsGetLength(body.spin) > still))
		{
			return false;
		}
	}
	return tnsGetLastTime(&run->bodies) < now;
}

bool tnsVoxelRun_IsAtRest(const tnsVoxelRun* run)
{
	const tnsVoxelScene* scene = run->scene;
	for (int i = 0; i < scene->editCount; ++i)
	{
		if (scene->edits[i].until >= run->stepCount)
		{
			return false;
		}
	}
	for (int i = 0; i < scene->sourceCount; ++i)
	{
		const tnsPourRule* rule = &scene->sources[i];
		if (run->stepCount <= rule->begin || (rule->end < INT_MAX && run->stepCount <= rule->end))
		{
			return false;
		}
	}
	return tnVoxelWorld_IsAtRest(run->world) && tnsAreBodiesAtRest(run);
}

tnsRun* tnsVoxelRun_GetBodies(const tnsVoxelRun* run)
{
	// The run is the caller's to change: what comes of that is in its bodies.
	return (tnsRun*)&run->bodies;
}

tnVoxelWorld* tnsVoxelRun_GetWorld(const tnsVoxelRun* run)
{
	return run->world;
}

const tnsVoxelScene* tnsVoxelRun_GetScene(const tnsVoxelRun* run)
{
	return run->scene;
}

tnsWheel tnsVoxelRun_GetWheel(const tnsVoxelRun* run, int index)
{
	return index >= 0 && index < run->scene->info.wheelCount ? run->wheels[index] : (tnsWheel){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves

static void tnsCodeVoxelRun(tnsCodec* codec, tnsVoxelRun* run)
{
	const tnsVoxelScene* scene = run->scene;
	tnsCodec_Expect(codec, scene->sourceCount, "sources");
	tnsCodec_Expect(codec, scene->info.wheelCount, "wheels");
	tnsCodec_I64(codec, &run->stepCount, 0, INT64_MAX / 4, "the number of steps");
	for (int i = 0; i < scene->sourceCount; ++i)
	{
		tnsCodec_Id(codec, &run->sources[i].index1, &run->sources[i].generation);
		tnsCodec_Bool(codec, run->isSourceOn + i);
	}
	for (int i = 0; i < scene->info.wheelCount; ++i)
	{
		tnsWheel* wheel = run->wheels + i;
		tnsCodec_Float(codec, &wheel->cosine, 1.001f, "the angle of a wheel");
		tnsCodec_Float(codec, &wheel->sine, 1.001f, "the angle of a wheel");
		tnsCodec_Float(codec, &wheel->spin, 1.0e6f, "the spin of a wheel");
		tnsCodec_Double(codec, &wheel->turns, 1.0e15, "the turns of a wheel");
	}
}

tnsResult tnsVoxelRun_Save(tnsVoxelRun* run, void* bytes, size_t capacity, size_t* size)
{
	if (run == NULL || size == NULL)
	{
		return tnsMakeError(tns_invalidArgument, "a save needs a run and a place for its size");
	}
	tnsSavedBodies bodies;
	if (tnsMakeSavedBodies(&run->bodies, false, &bodies) == false)
	{
		return tnsMakeError(tns_outOfMemory, "out of memory for a save");
	}
	size_t worldSize = 0;
	tnResult saved = tnVoxelWorld_Save(run->world, NULL, 0, &worldSize);
	tnsResult result = {0};
	tnsCodec counter = {0}, writer = {0};
	tnsCodeVoxelRun(&counter, run);
	tnsCodeBodies(&counter, &run->bodies, &bodies);
	if (saved.status == tn_ok)
	{
		result = tnsBeginSave(tns_voxelSave, &counter, worldSize, bytes, capacity, size, &writer);
	}
	if (saved.status == tn_ok && result.status == tns_ok && writer.out != NULL)
	{
		tnsCodeVoxelRun(&writer, run);
		tnsCodeBodies(&writer, &run->bodies, &bodies);
		saved = tnVoxelWorld_Save(run->world, tnsEndSave(&writer), worldSize, &worldSize);
	}
	tnsFreeSavedBodies(&run->bodies, &bodies);
	return saved.status == tn_ok ? result : tnsMakeError(tns_worldError, "%s", saved.text);
}

// A world beside the one that is there, and then instead of it.
static tnsResult tnsApplyVoxelSave(
	tnsVoxelRun* run, tnsVoxelRun* shadow, tnsSavedBodies* bodies, const void* bytes, size_t size)
{
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(run->world);
	tnVoxelWorld* world = NULL;
	tnResult done = tnCreateVoxelWorldFrom(bytes, size, &def, &world);
	if (done.status == tn_ok)
	{
		run->bodies.water.voxels = world;
		done = tnsBuildBodies(&run->bodies, bodies, false);
		run->bodies.water.voxels = run->world;
	}
	if (done.status != tn_ok)
	{
		// Physics before the world it is coupled to.
		tnsFreeSavedBodies(&run->bodies, bodies);
		tnDestroyVoxelWorld(world);
		return tnsMakeError(done.status == tn_outOfMemory ? tns_outOfMemory : tns_badFormat, "%s", done.text);
	}
	tnsTakeBodies(&run->bodies, bodies);
	tnDestroyVoxelWorld(run->world);
	run->world = world;
	run->bodies.water.voxels = world;
	run->stepCount = shadow->stepCount;
	for (int i = 0; i < run->scene->sourceCount; ++i)
	{
		run->sources[i] = shadow->sources[i];
		run->isSourceOn[i] = shadow->isSourceOn[i];
	}
	for (int i = 0; i < run->scene->info.wheelCount; ++i)
	{
		run->wheels[i] = shadow->wheels[i];
	}
	return (tnsResult){0};
}

tnsResult tnsVoxelRun_Restore(tnsVoxelRun* run, const void* bytes, size_t size)
{
	if (run == NULL)
	{
		return tnsMakeError(tns_invalidArgument, "a save of voxels needs a run of voxels");
	}
	const void* world = NULL;
	size_t worldSize = 0;
	tnsCodec codec = tnsReadSave(tns_voxelSave, bytes, size, &world, &worldSize);
	if (tnsCodec_IsOk(&codec) == false)
	{
		return codec.result;
	}
	tnsVoxelRun shadow = *run;
	const size_t sourceCount = (size_t)run->scene->sourceCount + 1, wheelCount = (size_t)run->scene->info.wheelCount;
	shadow.sources = calloc(sourceCount, sizeof(tnVoxelSourceId));
	shadow.isSourceOn = calloc(sourceCount, sizeof(bool));
	shadow.wheels = calloc(wheelCount + 1, sizeof(tnsWheel));
	tnsSavedBodies bodies = {0};
	tnsResult result = tnsMakeError(tns_outOfMemory, "out of memory for a save");
	if (shadow.sources != NULL && shadow.isSourceOn != NULL && shadow.wheels != NULL &&
		tnsMakeSavedBodies(&run->bodies, true, &bodies))
	{
		memcpy(shadow.wheels, run->wheels, wheelCount * sizeof(tnsWheel));
		tnsCodeVoxelRun(&codec, &shadow);
		tnsCodeBodies(&codec, &run->bodies, &bodies);
		if (tnsCodec_IsOk(&codec) && codec.at != codec.size)
		{
			tnsCodec_Refuse(&codec, "the save has more in it than this scene");
		}
		result = tnsCodec_IsOk(&codec) ? tnsApplyVoxelSave(run, &shadow, &bodies, world, worldSize) : codec.result;
	}
	tnsFreeSavedBodies(&run->bodies, &bodies);
	free(shadow.sources);
	free(shadow.isSourceOn);
	free(shadow.wheels);
	return result;
}

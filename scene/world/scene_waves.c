// SPDX-License-Identifier: MIT

// The waves of a scene: points of interest that follow things, displacers on their way, drops. All of it is a function of
// the time of the water and of the scene, with square roots as the only function that is not exact: the same bits
// everywhere.

#include "world/scene_waves.h"

#include "bodies/scene_bodies_model.h"
#include "world/scene_save.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Most drops of one rain in one step.
	TNS_MAX_DROPS = 4096,
	// Cells along the side of a tile of the layer.
	TNS_WAVE_TILE = 64,
};

// A point of interest is moved when what it follows is this share of its reach away: dealing tiles anew every step would
// cost more than it gives.
static const float s_interestStep = 0.05f;

// m/s in a mm/h, upside down.
static const double s_millimetersPerHour = 3.6e6;

typedef struct tnsInterestItem
{
	tnInterestId id;
	tnInterestDef def;
} tnsInterestItem;

typedef struct tnsDisplacerItem
{
	// Is there anything in the water?
	bool there;
	tnWaveEllipse ellipse;
} tnsDisplacerItem;

typedef struct tnsDropsItem
{
	uint64_t random;
	// Part of a drop that is still to fall.
	double owed;
} tnsDropsItem;

struct tnsWaves
{
	// One more than the rules have, for somebody who looks at a scene without a point that follows the camera.
	tnsInterestItem* interests;
	bool hasViewer;
	tnsDisplacerItem* displacers;
	tnsDropsItem* drops;
	// NULL without any drops.
	tnWaveDrop* fallen;
	bool hasViewpoint;
	tnVec2 viewpoint;
};

tnsWaves* tnsCreateWaves(const tnsScene* scene)
{
	const tnsWavesRule* rule = &scene->waves;
	tnsWaves* waves = calloc(1, sizeof(tnsWaves));
	if (waves == NULL)
	{
		return NULL;
	}
	waves->interests = calloc((size_t)rule->interestCount + 1, sizeof(tnsInterestItem));
	waves->displacers = calloc((size_t)rule->displacerCount + 1, sizeof(tnsDisplacerItem));
	waves->drops = calloc((size_t)rule->dropsCount + 1, sizeof(tnsDropsItem));
	waves->fallen = calloc(rule->dropsCount > 0 ? TNS_MAX_DROPS : 1, sizeof(tnWaveDrop));
	if (waves->interests == NULL || waves->displacers == NULL || waves->drops == NULL || waves->fallen == NULL)
	{
		tnsDestroyWaves(waves);
		return NULL;
	}
	for (int i = 0; i < rule->dropsCount; ++i)
	{
		waves->drops[i].random = rule->drops[i].seed;
	}
	return waves;
}

void tnsDestroyWaves(tnsWaves* waves)
{
	if (waves != NULL)
	{
		free(waves->interests);
		free(waves->displacers);
		free(waves->drops);
		free(waves->fallen);
		free(waves);
	}
}

static tnsResult tnsCheckWaves(const tnsRun* run, tnsPlace place, tnResult result)
{
	return result.status == tn_ok ? (tnsResult){0}
								  : tnsMakeSceneError(run->scene, tns_worldError, place, "%s", result.text);
}

// ---------------------------------------------------------------------------------------------------------------------
// Displacers

// Distance along a way after so many seconds.
static double tnsGetDistance(const tnsDisplacerRule* rule, double seconds)
{
	const tnsWayPoint* end = rule->path + rule->pathCount - 1;
	if (rule->closed)
	{
		seconds = fmod(seconds, end->time);
	}
	if (seconds >= end->time)
	{
		return end->distance;
	}
	const tnsWayPoint* a = rule->path;
	while (a + 1 < end && a[1].time <= seconds)
	{
		a += 1;
	}
	const double t = seconds - a->time, duration = a[1].time - a->time;
	return a->distance + t * (a->speed + 0.5 * (a[1].speed - a->speed) * t / duration);
}

// Where a way is after a distance. Beyond its ends it goes straight on.
static void tnsFollowWay(const tnsDisplacerRule* rule, double distance, double* x, double* z)
{
	const tnsWayPoint* end = rule->path + rule->pathCount - 1;
	if (rule->closed)
	{
		distance = fmod(distance, end->distance);
		distance += distance < 0.0 ? end->distance : 0.0;
	}
	const tnsWayPoint* a = rule->path;
	while (a + 1 < end && a[1].distance <= distance)
	{
		a += 1;
	}
	const double share = (distance - a->distance) / (a[1].distance - a->distance);
	*x = a->x + share * (a[1].x - a->x);
	*z = a->z + share * (a[1].z - a->z);
}

// Where a displacer is. It lies along the chord between bow and stern, which are both on its way: it turns smoothly.
static tnWaveEllipse tnsPlaceDisplacer(const tnsDisplacerRule* rule, double time)
{
	tnWaveEllipse ellipse = {0};
	ellipse.center = (tnVec2){(float)rule->path[0].x, (float)rule->path[0].z};
	ellipse.axis = rule->heading;
	ellipse.radii = rule->radii;
	double share = 1.0;
	if (rule->ramp > 0.0)
	{
		share = fmin(share, (time - rule->start) / rule->ramp);
		share = fmin(share, (rule->stop - time) / rule->ramp);
	}
	ellipse.height = (float)((double)rule->height * fmax(share, 0.0));
	if (rule->pathCount > 1)
	{
		double x, z, bow[2], stern[2];
		const double distance = tnsGetDistance(rule, fmax(time - rule->start, 0.0));
		const double half = (double)rule->radii.x;
		tnsFollowWay(rule, distance, &x, &z);
		tnsFollowWay(rule, distance + half, &bow[0], &bow[1]);
		tnsFollowWay(rule, distance - half, &stern[0], &stern[1]);
		ellipse.center = (tnVec2){(float)x, (float)z};
		const tnVec2 chord = {(float)(bow[0] - stern[0]), (float)(bow[1] - stern[1])};
		// A way shorter than its boat may have bow and stern in one place.
		const bool clear = chord.x * chord.x + chord.z * chord.z > 1.0e-6f;
		ellipse.axis = clear ? chord : (tnVec2){1.0f, 0.0f};
	}
	return ellipse;
}

// The current at a place: what the water does there without its waves.
static tnVec2 tnsGetCurrent(const tnWorld* world, tnVec2 position)
{
	const tnSample sample = tnWorld_Sample(world, position);
	tnWaveSample waves = {0};
	if (sample.wet == false || tnWorld_SampleWaves(world, position, &waves).status != tn_ok)
	{
		return (tnVec2){0};
	}
	return (tnVec2){sample.velocity.x - waves.velocity.x, sample.velocity.z - waves.velocity.z};
}

// What it has displaced drifts away with the current: relative to the water, one that stays moves upstream.
static tnResult tnsMoveDisplacer(tnsRun* run, int index, double time, double now)
{
	const tnsDisplacerRule* rule = run->scene->waves.displacers + index;
	const tnWavesDef* def = &run->scene->info.worldDef.waves;
	tnsDisplacerItem* item = run->waves->displacers + index;
	const bool there = rule->start <= now && now < rule->stop;
	if (there == false && item->there == false)
	{
		return (tnResult){0};
	}
	const tnWaveEllipse after = tnsPlaceDisplacer(rule, time);
	tnWaveEllipse before = item->ellipse;
	if (item->there && def->enableDrift)
	{
		const tnVec2 current = tnsGetCurrent(run->world, before.center);
		before.center.x += run->scene->info.timeStep * current.x;
		before.center.z += run->scene->info.timeStep * current.z;
	}
	const tnResult result = tnWorld_AddWave(run->world, item->there ? &before : NULL, there ? &after : NULL);
	item->there = there;
	item->ellipse = there ? after : item->ellipse;
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Drops

// Splitmix64 (Steele, Lea and Flood 2014): a number in [0, 1) with 24 bits, which float has.
static double tnsDraw(uint64_t* state)
{
	*state += 0x9E3779B97F4A7C15u;
	uint64_t bits = *state;
	bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
	bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
	bits ^= bits >> 31;
	return (double)(bits >> 40) / 16777216.0;
}

static tnResult tnsLetDropsFall(tnsRun* run, int index, double now)
{
	const tnsDropsRule* rule = run->scene->waves.drops + index;
	tnsDropsItem* item = run->waves->drops + index;
	if (now < rule->start || now >= rule->stop)
	{
		return (tnResult){0};
	}
	double rate = rule->perSecond;
	if (rule->withRain)
	{
		const tnsRainState* rain = run->rains;
		rate *= s_millimetersPerHour * ((rain->on ? (double)rain->rule->rate : 0.0) + (double)run->extraRain);
	}
	item->owed += rate * (double)run->scene->info.timeStep;
	const int count = item->owed < (double)TNS_MAX_DROPS ? (int)item->owed : TNS_MAX_DROPS;
	// A cloudburst that brings more than a step can take is not remembered.
	item->owed = item->owed < (double)TNS_MAX_DROPS ? item->owed - count : 0.0;
	for (int i = 0; i < count; ++i)
	{
		const double u = tnsDraw(&item->random), v = tnsDraw(&item->random), w = tnsDraw(&item->random);
		tnWaveDrop* drop = run->waves->fallen + i;
		drop->position.x = (float)(rule->area.x + (u - 0.5) * rule->area.width);
		drop->position.z = (float)(rule->area.z + (v - 0.5) * rule->area.length);
		drop->volume = (float)(rule->leastVolume + w * (rule->mostVolume - rule->leastVolume));
	}
	return count > 0 ? tnWorld_AddDrops(run->world, run->waves->fallen, count) : (tnResult){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of interest

static tnVec2 tnsGetMiddle(const tnsScene* scene)
{
	const tnsCells* cells = &scene->cells;
	return (tnVec2){(float)(cells->originX + 0.5 * cells->columnCount * cells->cellSize),
		(float)(cells->originZ + 0.5 * cells->rowCount * cells->cellSize)};
}

static tnVec2 tnsFindInterest(const tnsRun* run, const tnsInterestRule* rule, double time)
{
	const tnsScene* scene = run->scene;
	tnsCamera camera;
	switch (rule->kind)
	{
		case tns_fixedInterest:
			break;
		case tns_bodyInterest:
		{
			// Before a body comes it is where it will come, and after it has gone where it was.
			const tnsBodyItem* item = run->bodies->items + rule->index;
			const tnVec3 position = item->there || item->done ? item->pose.position : item->start;
			return (tnVec2){position.x, position.z};
		}
		case tns_displacerInterest:
			return tnsPlaceDisplacer(scene->waves.displacers + rule->index, time).center;
		case tns_cameraInterest:
			if (run->waves->hasViewpoint)
			{
				return run->waves->viewpoint;
			}
			return tnsScene_GetCamera(scene, time, &camera) ? (tnVec2){camera.target.x, camera.target.z}
															: tnsGetMiddle(scene);
		case tns_interestKindCount:
			break;
	}
	return rule->at;
}

static tnResult tnsMoveInterest(tnsRun* run, tnsInterestItem* item, tnVec2 position)
{
	const float x = position.x - item->def.position.x, z = position.z - item->def.position.z;
	const float most = s_interestStep * item->def.reach;
	if (tnInterest_IsValid(run->world, item->id) == false)
	{
		item->def.position = position;
		return tnWorld_CreateInterest(run->world, &item->def, &item->id);
	}
	if (!(x * x + z * z > most * most))
	{
		return (tnResult){0};
	}
	item->def.position = position;
	return tnWorld_SetInterest(run->world, item->id, &item->def);
}

// Do all levels fit into the tiles of the layer, wherever somebody looks?
static bool tnsFitsWhole(const tnsScene* scene)
{
	const tnWavesDef* def = &scene->info.worldDef.waves;
	double count = 0.0;
	for (int level = 0; level < def->levelCount; ++level)
	{
		// Cells of the world along the side of a tile.
		const double side = ldexp(TNS_WAVE_TILE, level - def->finerLevels);
		count += ceil(scene->cells.columnCount / side) * ceil(scene->cells.rowCount / side);
	}
	return count <= def->tileCount;
}

static tnsResult tnsUpdateInterests(tnsRun* run, double time)
{
	const tnsWavesRule* rule = &run->scene->waves;
	tnsResult result = {0};
	for (int i = 0; i < rule->interestCount && result.status == tns_ok; ++i)
	{
		const tnsInterestRule* interest = rule->interests + i;
		result = tnsCheckWaves(run, interest->place,
			tnsMoveInterest(run, run->waves->interests + i, tnsFindInterest(run, interest, time)));
	}
	tnsInterestItem* viewer = run->waves->interests + rule->interestCount;
	if (result.status == tns_ok && run->waves->hasViewer)
	{
		result = tnsCheckWaves(run, rule->place, tnsMoveInterest(run, viewer, run->waves->viewpoint));
	}
	else if (result.status == tns_ok && tnInterest_IsValid(run->world, viewer->id))
	{
		result = tnsCheckWaves(run, rule->place, tnWorld_DestroyInterest(run->world, viewer->id));
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// A run

tnsResult tnsBeginWaves(tnsRun* run)
{
	const tnsWavesRule* rule = &run->scene->waves;
	tnsResult result = {0};
	if (run->scene->info.worldDef.waves.enable == false)
	{
		return result;
	}
	for (int i = 0; i <= rule->interestCount; ++i)
	{
		tnsInterestItem* item = run->waves->interests + i;
		item->def = tnDefaultInterestDef();
		item->def.reach = i < rule->interestCount ? rule->interests[i].reach : item->def.reach;
	}
	if (rule->swellCount > 0)
	{
		result = tnsCheckWaves(run, rule->swellPlace, tnWorld_SetSwell(run->world, rule->swells, rule->swellCount));
	}
	if (result.status == tns_ok && rule->hasSea)
	{
		result = tnsCheckWaves(run, rule->seaPlace, tnWorld_SetSpectrum(run->world, &rule->sea));
	}
	if (result.status == tns_ok && rule->hasWind)
	{
		result = tnsCheckWaves(run, rule->windPlace, tnWorld_SetWind(run->world, run->scene->info.wind));
	}
	return result.status == tns_ok ? tnsUpdateInterests(run, 0.0) : result;
}

tnsResult tnsUpdateWaves(tnsRun* run, double now)
{
	const tnsWavesRule* rule = &run->scene->waves;
	if (run->scene->info.worldDef.waves.enable == false)
	{
		return (tnsResult){0};
	}
	const double time = tnWorld_GetTime(run->world);
	tnsResult result = tnsUpdateInterests(run, time);
	for (int i = 0; i < rule->displacerCount && result.status == tns_ok; ++i)
	{
		result = tnsCheckWaves(run, rule->displacers[i].place, tnsMoveDisplacer(run, i, time, now));
	}
	for (int i = 0; i < rule->dropsCount && result.status == tns_ok; ++i)
	{
		result = tnsCheckWaves(run, rule->drops[i].place, tnsLetDropsFall(run, i, now));
	}
	return result;
}

void tnsRun_SetViewpoint(tnsRun* run, const tnVec2* target)
{
	tnsWaves* waves = run->waves;
	const tnsWavesRule* rule = &run->scene->waves;
	if (run->scene->info.worldDef.waves.enable == false || (target != NULL && !isfinite(target->x + target->z)))
	{
		return;
	}
	bool follows = false;
	for (int i = 0; i < rule->interestCount; ++i)
	{
		follows = follows || rule->interests[i].kind == tns_cameraInterest;
	}
	waves->hasViewpoint = target != NULL;
	waves->viewpoint = target != NULL ? *target : waves->viewpoint;
	waves->hasViewer = waves->hasViewpoint && follows == false && tnsFitsWhole(run->scene) == false;
}

int tnsRun_GetInterestCount(const tnsRun* run)
{
	return run->scene->waves.interestCount + (run->waves->hasViewer ? 1 : 0);
}

bool tnsRun_GetInterest(const tnsRun* run, int index, tnInterestDef* interest)
{
	if (index < 0 || index >= tnsRun_GetInterestCount(run) ||
		tnInterest_IsValid(run->world, run->waves->interests[index].id) == false)
	{
		return false;
	}
	*interest = run->waves->interests[index].def;
	return true;
}

int tnsRun_GetDisplacerCount(const tnsRun* run)
{
	return run->scene->waves.displacerCount;
}

bool tnsRun_GetDisplacer(const tnsRun* run, int index, tnsDisplacer* displacer)
{
	if (index < 0 || index >= run->scene->waves.displacerCount || run->waves->displacers[index].there == false)
	{
		return false;
	}
	displacer->name = run->scene->waves.displacers[index].name;
	displacer->ellipse = run->waves->displacers[index].ellipse;
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves

static void tnsCodeEllipse(tnsCodec* codec, tnWaveEllipse* ellipse)
{
	float* values[] = {&ellipse->center.x, &ellipse->center.z, &ellipse->axis.x, &ellipse->axis.z, &ellipse->radii.x,
		&ellipse->radii.z, &ellipse->height};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i)
	{
		tnsCodec_Float(codec, values[i], 10.0f * TN_MAX_LENGTH, "a displacer");
	}
}

void tnsCodeWaves(tnsCodec* codec, tnsRun* run)
{
	const tnsWavesRule* rule = &run->scene->waves;
	tnsWaves* waves = run->waves;
	tnsCodec_Expect(codec, rule->interestCount, "interests");
	tnsCodec_Expect(codec, rule->displacerCount, "displacers");
	tnsCodec_Expect(codec, rule->dropsCount, "rains of drops");
	for (int i = 0; i <= rule->interestCount; ++i)
	{
		tnsInterestItem* item = waves->interests + i;
		tnsCodec_Id(codec, &item->id.index1, &item->id.generation);
		tnsCodec_Float(codec, &item->def.position.x, 10.0f * TN_MAX_LENGTH, "an interest");
		tnsCodec_Float(codec, &item->def.position.z, 10.0f * TN_MAX_LENGTH, "an interest");
	}
	for (int i = 0; i < rule->displacerCount; ++i)
	{
		tnsCodec_Bool(codec, &waves->displacers[i].there);
		tnsCodeEllipse(codec, &waves->displacers[i].ellipse);
	}
	for (int i = 0; i < rule->dropsCount; ++i)
	{
		tnsCodec_U64(codec, &waves->drops[i].random);
		tnsCodec_Double(codec, &waves->drops[i].owed, TNS_MAX_DROPS, "drops that are owed");
	}
}

void tnsTakeWaves(tnsRun* run, const tnsWaves* from)
{
	const tnsWavesRule* rule = &run->scene->waves;
	for (int i = 0; i <= rule->interestCount; ++i)
	{
		run->waves->interests[i].id = from->interests[i].id;
		run->waves->interests[i].def.position = from->interests[i].def.position;
	}
	memcpy(run->waves->displacers, from->displacers, (size_t)rule->displacerCount * sizeof(tnsDisplacerItem));
	memcpy(run->waves->drops, from->drops, (size_t)rule->dropsCount * sizeof(tnsDropsItem));
}

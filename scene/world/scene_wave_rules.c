// SPDX-License-Identifier: MIT

// The waves of a scene file.

#include "world/scene_rules.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Nearer than this, meters, two points of a way are one.
static const double s_leastWay = 0.001;

// Slower than this, m/s, a displacer does not arrive anywhere.
static const double s_leastSpeed = 0.001;

// Most drops of one rain in one step.
static const double s_mostDrops = 4096.0;

// ---------------------------------------------------------------------------------------------------------------------
// Ways

static bool tnsReadWayPoint(tnsSceneReader* reader, const tnsJson* value, double speed, tnsWayPoint* point)
{
	double numbers[3] = {0.0, 0.0, speed};
	const int count = value->kind == tns_jsonArray && value->count == 3 ? 3 : 2;
	if (tnsReadNumbers(reader, value, "a point of the path", count, -TNS_WHERE, TNS_WHERE, numbers) == false ||
		(count == 3 && tnsCheckNumber(reader, value->first->next->next, "the speed at a point", 0, 1000) == false))
	{
		return false;
	}
	*point = (tnsWayPoint){numbers[0], numbers[1], numbers[2], 0.0, 0.0};
	return true;
}

static double tnsGetWay(const tnsWayPoint* a, const tnsWayPoint* b)
{
	// No hypot: libraries differ in its last bit, and waves must not.
	return sqrt((b->x - a->x) * (b->x - a->x) + (b->z - a->z) * (b->z - a->z));
}

// Between two points, a quarter of the way from the first.
static tnsWayPoint tnsCutCorner(const tnsWayPoint* a, const tnsWayPoint* b)
{
	tnsWayPoint point = {0};
	point.x = a->x + 0.25 * (b->x - a->x);
	point.z = a->z + 0.25 * (b->z - a->z);
	point.speed = a->speed + 0.25 * (b->speed - a->speed);
	return point;
}

// Round the corners by cutting them off (Chaikin). The ends of a way that is not closed stay.
static bool tnsSmoothWay(tnsSceneReader* reader, int rounds, tnsDisplacerRule* displacer)
{
	for (int round = 0; round < rounds && displacer->pathCount > 2; ++round)
	{
		const tnsWayPoint* old = displacer->path;
		const int last = displacer->pathCount - 1;
		tnsWayPoint* points = tnsSceneAlloc(reader, 2 * (size_t)displacer->pathCount + 1, sizeof(tnsWayPoint));
		if (points == NULL)
		{
			return false;
		}
		int count = 0;
		for (int i = 0; i < last; ++i)
		{
			const bool keepsBegin = i == 0 && displacer->closed == false;
			const bool keepsEnd = i + 1 == last && displacer->closed == false;
			points[count++] = keepsBegin ? old[i] : tnsCutCorner(old + i, old + i + 1);
			points[count++] = keepsEnd ? old[i + 1] : tnsCutCorner(old + i + 1, old + i);
		}
		if (displacer->closed)
		{
			points[count++] = points[0];
		}
		displacer->path = points;
		displacer->pathCount = count;
	}
	return true;
}

// When and after what distance each point is reached. Points that have become one by rounding corners are dropped.
static void tnsMeasureWay(tnsDisplacerRule* displacer)
{
	int count = 1;
	for (int i = 1; i < displacer->pathCount; ++i)
	{
		const tnsWayPoint* before = displacer->path + count - 1;
		tnsWayPoint point = displacer->path[i];
		const double way = tnsGetWay(before, &point);
		if (way < 1.0e-3 * s_leastWay)
		{
			continue;
		}
		point.distance = before->distance + way;
		point.time = before->time + 2.0 * way / fmax(before->speed + point.speed, s_leastSpeed);
		displacer->path[count++] = point;
	}
	displacer->pathCount = count;
}

static bool tnsReadWay(tnsSceneReader* reader, const tnsJson* object, tnsDisplacerRule* displacer)
{
	const tnsJson* value = tnsJson_Find(object, "path");
	const tnsJson* smooth = tnsJson_Find(object, "smooth");
	if (tnsCheckArray(reader, value, "path", TNS_MAX_ITEMS) == false ||
		(smooth != NULL && tnsCheckWhole(reader, smooth, "smooth", 0, 4) == false))
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "path needs at least one point, [x, z] or [x, z, speed]");
	}
	if (displacer->closed && value->count < 3)
	{
		return tnsFail(reader, value->place, "a closed path needs at least 3 points, got %d", value->count);
	}
	displacer->path = tnsSceneAlloc(reader, (size_t)value->count + 1, sizeof(tnsWayPoint));
	if (displacer->path == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		tnsWayPoint* point = displacer->path + displacer->pathCount;
		if (tnsReadWayPoint(reader, item, displacer->speed, point) == false)
		{
			return false;
		}
		if (value->count > 1 && point->speed < 0.0)
		{
			return tnsFail(reader, item->place, "a displacer that moves needs \"speed\", or one in each point");
		}
		displacer->pathCount += 1;
	}
	if (displacer->closed)
	{
		displacer->path[displacer->pathCount++] = displacer->path[0];
	}
	const tnsJson* item = value->first;
	for (int i = 1; i < displacer->pathCount; ++i)
	{
		const tnsWayPoint* point = displacer->path + i;
		item = item->next != NULL ? item->next : value->first;
		if (tnsGetWay(point - 1, point) < s_leastWay)
		{
			return tnsFail(reader, item->place, "points of a path must be at least %g m apart", s_leastWay);
		}
		if (point[-1].speed + point->speed < s_leastSpeed)
		{
			return tnsFail(reader, item->place, "two points of a path in a row cannot both have the speed 0");
		}
	}
	if (tnsSmoothWay(reader, smooth != NULL ? (int)smooth->number : 0, displacer) == false)
	{
		return false;
	}
	tnsMeasureWay(displacer);
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Displacers

static bool tnsCheckRadii(tnsSceneReader* reader, const tnsJson* value)
{
	double numbers[2] = {0};
	return tnsReadNumbers(reader, value, "radii", 2, 0.001, TNS_LENGTH, numbers);
}

static bool tnsReadDisplacer(tnsSceneReader* reader, const tnsJson* value, tnsDisplacerRule* displacer)
{
	static const tnsRule rules[] = {
		{"name", tns_nameRule, false, offsetof(tnsDisplacerRule, name), 0, 0, NULL},
		{"path", tns_customRule, true, 0, 0, 0, NULL},
		{"speed", tns_doubleRule, false, offsetof(tnsDisplacerRule, speed), 0, 1000, NULL},
		{"closed", tns_boolRule, false, offsetof(tnsDisplacerRule, closed), 0, 0, NULL},
		{"smooth", tns_customRule, false, 0, 0, 0, NULL},
		{"heading", tns_vectorRule, false, offsetof(tnsDisplacerRule, heading), -1000, 1000, NULL},
		{"radii", tns_vectorRule, true, offsetof(tnsDisplacerRule, radii), 0, TNS_LENGTH, NULL},
		{"height", tns_floatRule, true, offsetof(tnsDisplacerRule, height), -1000, 1000, NULL},
		{"start", tns_doubleRule, false, offsetof(tnsDisplacerRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"stop", tns_doubleRule, false, offsetof(tnsDisplacerRule, stop), 0, TNS_MAX_SECONDS, NULL},
		{"ramp", tns_doubleRule, false, offsetof(tnsDisplacerRule, ramp), 0, TNS_MAX_SECONDS, NULL},
	};
	displacer->speed = -1.0;
	displacer->heading = (tnVec2){1.0f, 0.0f};
	displacer->stop = INFINITY;
	displacer->place = value->place;
	if (TNS_READ(reader, value, "a displacer", rules, displacer) == false ||
		tnsCheckRadii(reader, tnsJson_Find(value, "radii")) == false || tnsReadWay(reader, value, displacer) == false)
	{
		return false;
	}
	const tnsJson* heading = tnsJson_Find(value, "heading");
	const tnVec2 h = displacer->heading;
	if (heading != NULL && displacer->pathCount > 1)
	{
		return tnsFail(reader, heading->keyPlace,
			"\"heading\" is only for displacers that stay in one place; those that move look along their path");
	}
	if (h.x * h.x + h.z * h.z < 1.0e-6f)
	{
		return tnsFail(reader, heading->place, "heading must not be near zero");
	}
	if (displacer->stop <= displacer->start)
	{
		return tnsFail(reader, tnsJson_Find(value, "stop")->place, "stop must be later than start, got %.9g and %.9g",
			displacer->stop, displacer->start);
	}
	const tnsWavesRule* waves = &reader->scene->waves;
	for (int i = 0; displacer->name != NULL && i < waves->displacerCount; ++i)
	{
		if (waves->displacers[i].name != NULL && strcmp(waves->displacers[i].name, displacer->name) == 0)
		{
			return tnsFail(
				reader, tnsJson_Find(value, "name")->place, "displacer \"%s\" is named twice", displacer->name);
		}
	}
	return true;
}

static bool tnsFindDisplacer(tnsSceneReader* reader, const tnsJson* value, int* index)
{
	const tnsWavesRule* waves = &reader->scene->waves;
	if (tnsCheckText(reader, value, "displacer", true) == false)
	{
		return false;
	}
	for (int i = 0; i < waves->displacerCount; ++i)
	{
		if (waves->displacers[i].name != NULL && strcmp(waves->displacers[i].name, value->string) == 0)
		{
			*index = i;
			return true;
		}
	}
	return tnsFail(
		reader, value->place, "there is no displacer \"%s\"", tnsMakeQuote(value->string, strlen(value->string)).text);
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of interest, drops, swell

static bool tnsReadInterest(tnsSceneReader* reader, const tnsJson* value, tnsInterestRule* interest)
{
	static const tnsRule rules[] = {
		{"at", tns_vectorRule, false, offsetof(tnsInterestRule, at), -TNS_WHERE, TNS_WHERE, NULL},
		{"body", tns_customRule, false, 0, 0, 0, NULL},
		{"displacer", tns_customRule, false, 0, 0, 0, NULL},
		{"camera", tns_customRule, false, 0, 0, 0, NULL},
		{"reach", tns_floatRule, false, offsetof(tnsInterestRule, reach), 0.001, TNS_LENGTH, NULL},
	};
	// In the order of tnsInterestKind.
	static const char* const kinds[tns_interestKindCount] = {"at", "body", "displacer", "camera"};
	interest->reach = tnDefaultInterestDef().reach;
	interest->place = value->place;
	if (TNS_READ(reader, value, "an interest", rules, interest) == false)
	{
		return false;
	}
	const int kind = tnsFindOneOf(reader, value, "an interest", kinds, tns_interestKindCount, false);
	if (kind < 0)
	{
		return false;
	}
	interest->kind = (tnsInterestKind)kind;
	const tnsJson* followed = tnsJson_Find(value, kinds[kind]);
	switch (interest->kind)
	{
		case tns_bodyInterest:
			return tnsFindBody(reader, followed, "body", &interest->index);
		case tns_displacerInterest:
			return tnsFindDisplacer(reader, followed, &interest->index);
		case tns_cameraInterest:
			return (followed->kind == tns_jsonBool && followed->number != 0.0) ||
				tnsFail(
					reader, followed->place, "camera must be true, or left out, got %s", tnsDescribe(followed).text);
		default:
			return true;
	}
}

// A volume, or the least and the most of them.
static bool tnsReadVolume(tnsSceneReader* reader, const tnsJson* value, tnsDropsRule* drops)
{
	const double most = 1000.0;
	if (value->kind != tns_jsonArray)
	{
		drops->leastVolume = drops->mostVolume = value->number;
		return tnsCheckNumber(reader, value, "volume", 0, most);
	}
	double numbers[2] = {0};
	if (tnsReadNumbers(reader, value, "volume", 2, 0, most, numbers) == false)
	{
		return false;
	}
	drops->leastVolume = numbers[0];
	drops->mostVolume = numbers[1];
	return numbers[0] <= numbers[1] ||
		tnsFail(reader, value->place, "volume must be [least, most], got [%.9g, %.9g]", numbers[0], numbers[1]);
}

static bool tnsReadDrops(tnsSceneReader* reader, const tnsJson* value, tnsDropsRule* drops)
{
	static const tnsRule rules[] = {
		{"perSecond", tns_doubleRule, true, offsetof(tnsDropsRule, perSecond), 0, 1.0e6, NULL},
		{"volume", tns_customRule, true, 0, 0, 0, NULL},
		{"x", tns_doubleRule, false, offsetof(tnsDropsRule, area.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_doubleRule, false, offsetof(tnsDropsRule, area.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"width", tns_doubleRule, false, offsetof(tnsDropsRule, area.width), 0.001, TNS_WHERE, NULL},
		{"length", tns_doubleRule, false, offsetof(tnsDropsRule, area.length), 0.001, TNS_WHERE, NULL},
		{"seed", tns_seedRule, false, offsetof(tnsDropsRule, seed), 0, 0, NULL},
		{"start", tns_doubleRule, false, offsetof(tnsDropsRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"stop", tns_doubleRule, false, offsetof(tnsDropsRule, stop), 0, TNS_MAX_SECONDS, NULL},
		{"withRain", tns_boolRule, false, offsetof(tnsDropsRule, withRain), 0, 0, NULL},
	};
	static const char* const box[] = {"x", "z", "width", "length"};
	const tnsScene* scene = reader->scene;
	drops->seed = 1;
	drops->stop = INFINITY;
	drops->place = value->place;
	if (TNS_READ(reader, value, "drops", rules, drops) == false ||
		tnsReadVolume(reader, tnsJson_Find(value, "volume"), drops) == false)
	{
		return false;
	}
	int given = 0;
	for (int i = 0; i < TNS_COUNT_OF(box); ++i)
	{
		given += tnsJson_Find(value, box[i]) != NULL ? 1 : 0;
	}
	if (given > 0 && given < TNS_COUNT_OF(box))
	{
		return tnsFail(reader, value->place,
			"drops fall on a box with \"x\", \"z\", \"width\" and \"length\", or without any of them on the whole "
			"world");
	}
	drops->area.kind = given > 0 ? tns_boxArea : tns_allArea;
	if (given == 0)
	{
		drops->area.width = scene->cells.columnCount * scene->cells.cellSize;
		drops->area.length = scene->cells.rowCount * scene->cells.cellSize;
		drops->area.x = scene->cells.originX + 0.5 * drops->area.width;
		drops->area.z = scene->cells.originZ + 0.5 * drops->area.length;
	}
	if (drops->stop <= drops->start)
	{
		return tnsFail(reader, tnsJson_Find(value, "stop")->place, "stop must be later than start, got %.9g and %.9g",
			drops->stop, drops->start);
	}
	const double most = s_mostDrops / (double)scene->info.timeStep;
	return drops->perSecond <= most ||
		tnsFail(reader, tnsJson_Find(value, "perSecond")->place,
			"perSecond must be at most %.9g with this time step (%g drops in a step), got %.9g", most, s_mostDrops,
			drops->perSecond);
}

static bool tnsReadSwell(tnsSceneReader* reader, const tnsJson* value, tnSwell* swell)
{
	static const tnsRule rules[] = {
		{"direction", tns_vectorRule, true, offsetof(tnSwell, direction), -1000, 1000, NULL},
		{"amplitude", tns_floatRule, true, offsetof(tnSwell, amplitude), 0, 1000, NULL},
		{"period", tns_floatRule, true, offsetof(tnSwell, period), 0.01, 1000, NULL},
		{"phase", tns_floatRule, false, offsetof(tnSwell, phase), -1000, 1000, NULL},
	};
	if (TNS_READ(reader, value, "swell", rules, swell) == false)
	{
		return false;
	}
	const tnVec2 d = swell->direction;
	return d.x * d.x + d.z * d.z >= 1.0e-6f ||
		tnsFail(reader, tnsJson_Find(value, "direction")->place, "direction must not be near zero");
}

// In place of swell.
static bool tnsReadSea(tnsSceneReader* reader, const tnsJson* waves)
{
	static const tnsRule rules[] = {
		{"direction", tns_vectorRule, true, offsetof(tnSpectrumDef, direction), -1000, 1000, NULL},
		{"significantHeight", tns_floatRule, true, offsetof(tnSpectrumDef, significantHeight), 0, 100, NULL},
		{"peakPeriod", tns_floatRule, true, offsetof(tnSpectrumDef, peakPeriod), 0.01, 1000, NULL},
		{"peakedness", tns_floatRule, false, offsetof(tnSpectrumDef, peakedness), 1, 20, NULL},
		{"spread", tns_floatRule, false, offsetof(tnSpectrumDef, spread), 0, 1000, NULL},
		{"trainCount", tns_intRule, false, offsetof(tnSpectrumDef, trainCount), 1, TN_MAX_TRAINS, NULL},
		{"seed", tns_intRule, false, offsetof(tnSpectrumDef, seed), 0, INT_MAX, NULL},
	};
	tnsWavesRule* rule = &reader->scene->waves;
	const tnsJson* value = tnsJson_Find(waves, "sea");
	if (value == NULL)
	{
		return true;
	}
	rule->sea = tnDefaultSpectrumDef();
	rule->hasSea = true;
	rule->seaPlace = value->place;
	if (TNS_READ(reader, value, "sea", rules, &rule->sea) == false)
	{
		return false;
	}
	const tnVec2 d = rule->sea.direction;
	if (d.x * d.x + d.z * d.z < 1.0e-6f)
	{
		return tnsFail(reader, tnsJson_Find(value, "direction")->place, "direction must not be near zero");
	}
	return rule->swellCount == 0 || tnsFail(reader, value->place, "sea must not be there beside swell");
}

// ---------------------------------------------------------------------------------------------------------------------
// All of it

// The lists of the waves. Displacers come before interests, which follow them.
static bool tnsReadWaveLists(tnsSceneReader* reader, const tnsJson* value)
{
	tnsWavesRule* waves = &reader->scene->waves;
	static const char* const keys[] = {"displacers", "interests", "drops", "swell"};
	static const int most[] = {TNS_MAX_ITEMS, TNS_MAX_ITEMS, TNS_MAX_ITEMS, TN_MAX_SWELLS};
	static const size_t sizes[] = {sizeof(tnsDisplacerRule), sizeof(tnsInterestRule), sizeof(tnsDropsRule), 1};
	const tnsJson* lists[TNS_COUNT_OF(keys)];
	void* memory[TNS_COUNT_OF(keys)];
	for (int i = 0; i < TNS_COUNT_OF(keys); ++i)
	{
		lists[i] = tnsJson_Find(value, keys[i]);
		if (lists[i] != NULL && tnsCheckArray(reader, lists[i], keys[i], most[i]) == false)
		{
			return false;
		}
		memory[i] = tnsSceneAlloc(reader, lists[i] != NULL ? (size_t)lists[i]->count : 0, sizes[i]);
		if (memory[i] == NULL)
		{
			return false;
		}
	}
	waves->displacers = memory[0];
	waves->interests = memory[1];
	waves->drops = memory[2];
	bool good = true;
	for (const tnsJson* item = lists[0] != NULL ? lists[0]->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadDisplacer(reader, item, waves->displacers + waves->displacerCount);
		waves->displacerCount += 1;
	}
	for (const tnsJson* item = lists[1] != NULL ? lists[1]->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadInterest(reader, item, waves->interests + waves->interestCount);
		waves->interestCount += 1;
	}
	for (const tnsJson* item = lists[2] != NULL ? lists[2]->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadDrops(reader, item, waves->drops + waves->dropsCount);
		waves->dropsCount += 1;
	}
	for (const tnsJson* item = lists[3] != NULL ? lists[3]->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadSwell(reader, item, waves->swells + waves->swellCount);
		waves->swellCount += 1;
	}
	waves->swellPlace = lists[3] != NULL ? lists[3]->place : waves->place;
	return good;
}

bool tnsReadWaves(tnsSceneReader* reader, const tnsJson* value)
{
	static const char* const kernels[] = {"fine", "quick", "gaussian", NULL};
#define TNS_DEF(member) offsetof(tnWavesDef, member)
	static const tnsRule rules[] = {
		{"kernel", tns_choiceRule, false, TNS_DEF(kernel), 0, 0, kernels},
		{"finerLevels", tns_intRule, false, TNS_DEF(finerLevels), 0, 6, NULL},
		{"levelCount", tns_intRule, false, TNS_DEF(levelCount), 1, TN_MAX_WAVE_LEVELS, NULL},
		{"tileCount", tns_intRule, false, TNS_DEF(tileCount), 1, 65536, NULL},
		{"damping", tns_floatRule, false, TNS_DEF(damping), 0, 1000, NULL},
		{"viscosity", tns_floatRule, false, TNS_DEF(viscosity), 0, 1000, NULL},
		{"breakingLimit", tns_floatRule, false, TNS_DEF(breakingLimit), 0, 10, NULL},
		{"restHeight", tns_floatRule, false, TNS_DEF(restHeight), 0, 1000, NULL},
		{"drift", tns_boolRule, false, TNS_DEF(enableDrift), 0, 0, NULL},
		{"takeFromFlow", tns_boolRule, false, TNS_DEF(takeFromFlow), 0, 0, NULL},
		{"windWaves", tns_boolRule, false, TNS_DEF(enableWindWaves), 0, 0, NULL},
		{"reserve", tns_boolRule, false, TNS_DEF(reserve), 0, 0, NULL},
		{"keptSteps", tns_intRule, false, TNS_DEF(keptSteps), 1, 4, NULL},
		{"ripples", tns_boolRule, false, TNS_DEF(enableDetail), 0, 0, NULL},
		{"interests", tns_customRule, false, 0, 0, 0, NULL},
		{"displacers", tns_customRule, false, 0, 0, 0, NULL},
		{"drops", tns_customRule, false, 0, 0, 0, NULL},
		{"swell", tns_customRule, false, 0, 0, 0, NULL},
		{"sea", tns_customRule, false, 0, 0, 0, NULL},
		{"wind", tns_customRule, false, 0, 0, 0, NULL},
	};
#undef TNS_DEF
	tnsScene* scene = reader->scene;
	tnWavesDef* def = &scene->info.worldDef.waves;
	if (value == NULL)
	{
		return true;
	}
	if (TNS_READ(reader, value, "waves", rules, def) == false)
	{
		return false;
	}
	def->enable = true;
	scene->waves.place = value->place;
	const tnsJson* levels = tnsJson_Find(value, "levelCount");
	if (def->levelCount > def->finerLevels + 7)
	{
		return tnsFail(reader, levels != NULL ? levels->place : value->place,
			"levelCount must be at most finerLevels + 7, which is %d, got %d", def->finerLevels + 7, def->levelCount);
	}
	if (scene->info.timeStep > 1.0f)
	{
		return tnsFail(
			reader, value->place, "waves need a timeStep of at most 1, got %.9g", (double)scene->info.timeStep);
	}
	def->timeStep = scene->info.timeStep;
	const tnsJson* wind = tnsJson_Find(value, "wind");
	if (wind != NULL)
	{
		double numbers[2] = {0};
		if (tnsReadNumbers(reader, wind, "wind", 2, -100, 100, numbers) == false)
		{
			return false;
		}
		if (numbers[0] * numbers[0] + numbers[1] * numbers[1] > 100.0 * 100.0)
		{
			return tnsFail(
				reader, wind->place, "wind must be at most 100 m/s, got [%.9g, %.9g]", numbers[0], numbers[1]);
		}
		scene->waves.hasWind = true;
		scene->info.wind = (tnVec2){(float)numbers[0], (float)numbers[1]};
		scene->waves.windPlace = wind->place;
	}
	return tnsReadWaveLists(reader, value) && tnsReadSea(reader, value);
}

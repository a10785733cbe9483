// SPDX-License-Identifier: MIT

// The camera of a scene: read from its file, and where it is at a time. Nothing here draws.

#include "scene.h"

#include "world/scene_rules.h"

#include <math.h>

static const double s_radiansPerDegree = 0.017453292519943295;

// Nearer than this, meters, a direction of view would be lost in float32 at the far end of a world.
static const double s_leastDistance = 0.01;

// Between two keys, seconds. No picture is shorter, and rates stay finite.
static const double s_leastDuration = 0.001;

// ---------------------------------------------------------------------------------------------------------------------
// Reading

static bool tnsReadPoint(tnsSceneReader* reader, const tnsJson* value, const char* key, double* point)
{
	// Eyes may be far outside of the world, to look at it through a narrow lens.
	return tnsReadNumbers(reader, value, key, 3, -TNS_WHERE, TNS_WHERE, point);
}

static bool tnsReadCameraKey(tnsSceneReader* reader, const tnsJson* value, tnsCameraKey* key)
{
	static const tnsRule rules[] = {
		{"time", tns_doubleRule, true, offsetof(tnsCameraKey, time), 0, TNS_MAX_SECONDS, NULL},
		{"eye", tns_customRule, true, 0, 0, 0, NULL},
		{"target", tns_customRule, true, 0, 0, 0, NULL},
		{"fieldOfView", tns_doubleRule, false, offsetof(tnsCameraKey, values[6]), 5, 120, NULL},
	};
	if (TNS_READ(reader, value, "a key of the camera", rules, key) == false ||
		tnsReadPoint(reader, tnsJson_Find(value, "eye"), "eye", key->values) == false ||
		tnsReadPoint(reader, tnsJson_Find(value, "target"), "target", key->values + 3) == false)
	{
		return false;
	}
	const double* v = key->values;
	if (hypot(v[0] - v[3], v[2] - v[5]) < s_leastDistance)
	{
		return tnsFail(reader, value->place,
			"eye and target of a camera must not be above each other: move one by at least %g m along x or z",
			s_leastDistance);
	}
	return true;
}

static bool tnsReadCameraKeys(tnsSceneReader* reader, const tnsJson* value, tnsCameraRule* camera)
{
	if (tnsCheckArray(reader, value, "keys", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "keys needs at least one key");
	}
	camera->keys = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsCameraKey));
	if (camera->keys == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		tnsCameraKey* key = camera->keys + camera->keyCount;
		// What is not said stays as it was.
		key->values[6] = camera->keyCount > 0 ? key[-1].values[6] : TNS_FIELD_OF_VIEW;
		if (tnsReadCameraKey(reader, item, key) == false)
		{
			return false;
		}
		if (camera->keyCount > 0 && key->time < key[-1].time + s_leastDuration)
		{
			return tnsFail(reader, tnsJson_Find(item, "time")->place,
				"times of the camera's keys must increase by at least %g, got %.9g after %.9g", s_leastDuration,
				key->time, key[-1].time);
		}
		camera->keyCount += 1;
	}
	return true;
}

static bool tnsReadOrbit(tnsSceneReader* reader, const tnsJson* value, tnsOrbit* orbit)
{
	static const tnsRule rules[] = {
		{"target", tns_customRule, true, 0, 0, 0, NULL},
		{"distance", tns_doubleRule, true, offsetof(tnsOrbit, distance), 0.01, TNS_WHERE, NULL},
		{"height", tns_doubleRule, true, offsetof(tnsOrbit, height), -TNS_WHERE, TNS_WHERE, NULL},
		{"from", tns_doubleRule, false, offsetof(tnsOrbit, from), -36000, 36000, NULL},
		{"to", tns_doubleRule, false, offsetof(tnsOrbit, to), -36000, 36000, NULL},
		{"fieldOfView", tns_doubleRule, false, offsetof(tnsOrbit, fieldOfView), 5, 120, NULL},
	};
	orbit->fieldOfView = TNS_FIELD_OF_VIEW;
	if (TNS_READ(reader, value, "orbit", rules, orbit) == false ||
		tnsReadPoint(reader, tnsJson_Find(value, "target"), "target", orbit->target) == false)
	{
		return false;
	}
	if (tnsJson_Find(value, "to") == NULL)
	{
		orbit->to = orbit->from;
	}
	return true;
}

bool tnsReadCamera(tnsSceneReader* reader, const tnsJson* value)
{
	static const char* const forms[] = {"keys", "orbit"};
	static const tnsRule rules[] = {
		{"keys", tns_customRule, false, 0, 0, 0, NULL},
		{"orbit", tns_customRule, false, 0, 0, 0, NULL},
		{"speed", tns_doubleRule, false, offsetof(tnsSceneInfo, videoSpeed), 0.001, 10000, NULL},
	};
	tnsScene* scene = reader->scene;
	scene->info.videoSpeed = 1.0;
	if (value == NULL)
	{
		return true;
	}
	if (TNS_READ(reader, value, "camera", rules, &scene->info) == false)
	{
		return false;
	}
	const int form = tnsFindOneOf(reader, value, "camera", forms, TNS_COUNT_OF(forms), false);
	if (form < 0)
	{
		return false;
	}
	scene->info.hasCamera = true;
	scene->camera.isOrbit = form == 1;
	const tnsJson* path = tnsJson_Find(value, forms[form]);
	return form == 1 ? tnsReadOrbit(reader, path, &scene->camera.orbit)
					 : tnsReadCameraKeys(reader, path, &scene->camera);
}

// ---------------------------------------------------------------------------------------------------------------------
// Where it is

// The rate of change at a key between two pieces of a curve, with the slopes a and b and the durations d and e. Where
// the slopes differ in sign it is 0, else it lies between them (Fritsch and Butland 1984), so that the curve between
// two keys never leaves the interval of their values: a camera that stops does not swing over.
static double tnsFindRate(double a, double d, double b, double e)
{
	if (!(a * b > 0.0))
	{
		return 0.0;
	}
	const double w = (d + 2.0 * e) / (3.0 * (d + e));
	return a * b / (w * b + (1.0 - w) * a);
}

// Cubic curve through the keys, at rest at both ends.
static double tnsFollowKeys(const tnsCameraRule* camera, int index, int component, double time)
{
	const tnsCameraKey* key = camera->keys + index;
	const int c = component;
	const double duration = key[1].time - key[0].time;
	const double slope = (key[1].values[c] - key[0].values[c]) / duration;
	double begin = 0.0, end = 0.0;
	if (index > 0)
	{
		const double before = key[0].time - key[-1].time;
		begin = tnsFindRate((key[0].values[c] - key[-1].values[c]) / before, before, slope, duration);
	}
	if (index + 2 < camera->keyCount)
	{
		const double after = key[2].time - key[1].time;
		end = tnsFindRate(slope, duration, (key[2].values[c] - key[1].values[c]) / after, after);
	}
	// Hermite: p0 + (3 s^2 - 2 s^3) (p1 - p0) + (s^3 - 2 s^2 + s) T begin + (s^3 - s^2) T end
	const double s = (time - key[0].time) / duration;
	return key[0].values[c] + s * s * (3.0 - 2.0 * s) * (key[1].values[c] - key[0].values[c]) +
		duration * s * (1.0 - s) * ((1.0 - s) * begin - s * end);
}

static void tnsGetOrbit(const tnsOrbit* orbit, double share, double* values)
{
	const double s = fmin(1.0, fmax(0.0, share));
	const double angle = s_radiansPerDegree * (orbit->from + s * s * (3.0 - 2.0 * s) * (orbit->to - orbit->from));
	values[0] = orbit->target[0] + orbit->distance * sin(angle);
	values[1] = orbit->target[1] + orbit->height;
	values[2] = orbit->target[2] + orbit->distance * cos(angle);
	for (int i = 0; i < 3; ++i)
	{
		values[3 + i] = orbit->target[i];
	}
	values[6] = orbit->fieldOfView;
}

bool tnsScene_GetCamera(const tnsScene* scene, double time, tnsCamera* camera)
{
	const tnsCameraRule* rule = &scene->camera;
	double values[TNS_CAMERA_VALUES] = {0};
	if (scene->info.hasCamera == false)
	{
		return false;
	}
	if (rule->isOrbit)
	{
		tnsGetOrbit(&rule->orbit, scene->info.seconds > 0.0 ? time / scene->info.seconds : 0.0, values);
	}
	else
	{
		int index = 0;
		while (index + 1 < rule->keyCount && !(time < rule->keys[index + 1].time))
		{
			index += 1;
		}
		const bool held = index + 1 == rule->keyCount || !(time > rule->keys[0].time);
		for (int i = 0; i < TNS_CAMERA_VALUES; ++i)
		{
			values[i] = held ? rule->keys[index].values[i] : tnsFollowKeys(rule, index, i, time);
		}
	}
	camera->eye = (tnVec3){(float)values[0], (float)values[1], (float)values[2]};
	camera->target = (tnVec3){(float)values[3], (float)values[4], (float)values[5]};
	camera->fieldOfView = (float)(s_radiansPerDegree * values[6]);
	return true;
}

// SPDX-License-Identifier: MIT

// What a mixer shall hear, from a world. Rain is what the ledger takes in over the area of the world: in portions, for a step
// of drizzle is less than a depth resolves. A
// body splashes when it gets wet while it falls: the water is given rho V v^2 / 2, with V its volume and v its speed.

#include "world_ear.h"

#include "audio_math.h"
#include "tarn/query.h"

#include <math.h>
#include <string.h>

// Of its volume: a body with less below the water is in the air.
static const float s_wetShare = 0.02f;
// Slower bodies slip in, m/s.
static const float s_splashSpeed = 0.5f;
// Without a portion of rain for this long, and for longer than twice as long as before, it has ended, s.
static const double s_rainPause = 0.3;
static const float s_density = 1000.0f;

void tnaEar_Begin(tnaEar* ear)
{
	memset(ear, 0, sizeof(*ear));
}

static float tnaMeasureRain(tnaEar* ear, tnWorld* world, double time)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	const double area = (double)def.columnCount * def.rowCount * (double)def.cellSize * (double)def.cellSize;
	const double rained = tnWorld_GetLedger(world).rain;
	if (!ear->began)
	{
		ear->rainTime = time;
	}
	else if (rained > ear->rained && time > ear->rainTime)
	{
		ear->rainInterval = time - ear->rainTime;
		ear->rain = (float)((rained - ear->rained) / (ear->rainInterval * area));
		ear->rainTime = time;
	}
	else if (time - ear->rainTime > 2.0 * ear->rainInterval + s_rainPause)
	{
		ear->rain = 0.0f;
	}
	ear->rained = rained;
	ear->time = time;
	return ear->rain;
}

static bool tnaWasDry(const tnaEar* ear, tnBodyId id, int guess)
{
	// Bodies keep their order but for those that go.
	for (int i = 0; i < ear->bodyCount; ++i)
	{
		const int at = (guess + i) % ear->bodyCount;
		if (ear->bodies[at].index1 == id.index1 && ear->bodies[at].generation == id.generation)
		{
			return !ear->wet[at];
		}
	}
	return false;
}

static int tnaFindSplashes(tnaEar* ear, tnWorld* world)
{
	tnBodyId ids[TNA_EAR_BODIES];
	bool wet[TNA_EAR_BODIES];
	const int total = tnWorld_GetBodies(world, ids, TNA_EAR_BODIES);
	const int count = total < TNA_EAR_BODIES ? total : TNA_EAR_BODIES;
	int splashCount = 0;
	for (int i = 0; i < count; ++i)
	{
		tnBodyState state;
		wet[i] = tnWorld_GetBodyState(world, ids[i], &state).status == tn_ok && state.volume > 0.0f &&
			state.submergedVolume > s_wetShare * state.volume;
		const bool fell = wet[i] && state.velocity.y < -s_splashSpeed;
		if (fell && splashCount < TNA_MAX_SPLASHES && tnaWasDry(ear, ids[i], i))
		{
			const tnVec3 v = state.velocity;
			ear->splashes[splashCount++] = (tnaSplash){
				.position = state.pose.position,
				.energy = 0.5f * s_density * state.volume * (v.x * v.x + v.y * v.y + v.z * v.z),
				.radius = (float)tnaExp(tnaLog(0.75 / TNA_PI * (double)state.volume) / 3.0),
			};
		}
	}
	memcpy(ear->bodies, ids, (size_t)count * sizeof(tnBodyId));
	memcpy(ear->wet, wet, (size_t)count * sizeof(bool));
	ear->bodyCount = count;
	return splashCount;
}

tnaScene tnaEar_Listen(tnaEar* ear, tnWorld* world, double time, tnVec3 eye, tnVec3 target)
{
	tnaScene scene = tnaDefaultScene();
	// Time that ran backwards is another time.
	if (time < ear->time)
	{
		tnaEar_Begin(ear);
	}
	const float x = target.x - eye.x;
	const float z = target.z - eye.z;
	const float length = sqrtf(x * x + z * z);
	scene.ear = eye;
	// From above, as on a map.
	scene.right = length > 1.0e-6f ? (tnVec3){-z / length, 0.0f, x / length} : (tnVec3){1.0f, 0.0f, 0.0f};
	const tnSample water = tnWorld_Sample(world, (tnVec2){eye.x, eye.z});
	scene.submerged = water.inside && water.depth > 0.0f && eye.y < water.surface;
	int count = 0;
	scene.sounds = ear->sounds;
	scene.soundCount = tnWorld_GetSounds(world, ear->sounds, TNA_EAR_SOUNDS, &count).status == tn_ok ? count : 0;
	scene.splashes = ear->splashes;
	scene.splashCount = tnaFindSplashes(ear, world);
	scene.rain = tnaMeasureRain(ear, world, time);
	ear->began = true;
	return scene;
}

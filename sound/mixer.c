// SPDX-License-Identifier: MIT

// From what is told of the water to samples.
//
// Loudness. Of the power P that water loses, a share of 1e-8 becomes sound (Loewen & Melville 1991, J. Fluid Mech. 224: breaking waves, under
// water), and rain and splashes, which take more air in for their energy, are given more. It leaves the surface into the half
// space above, from a region of radius R. At a distance d the mean square of the pressure is
//
//   p^2 = rho c I,   I = share P / (2 pi (d^2 + R^2 + 1 m^2)),   rho c = 413 kg/(m^2 s) in air
//
// Rain of rate q on all the ground within 30 m of an ear 1.6 m above it: q rho v^2 / 2 per area, with v the final speed of the drops:
// I = share (q rho v^2 / 2) ln(1 + (30 / 1.6)^2) / 2.
//
// Ears take the sum of all p^2, compressed: from 20 dB on, a decibel at the ear is def.compression decibels of the samples. The
// gain for that is found from p^2 as it is by now, not from samples: nothing pumps. What is still too loud bends
// softly, and never gets past 1.
//
// Places. Left and right have cos and sin of an angle: the same power wherever it comes from; regions that are wide or near
// come from all sides. Air absorbs what is high: by 3 dB at 8 kHz (25.6 m / d)^0.546, a fit to ISO 9613-2 at 10 C and 70 %. Two
// poles do it, which take too little far above that frequency. Under water, where no ear can tell left from right, two poles at 500 Hz.
//
// Samples are made in chunks of TNA_CHUNK from the beginning, whatever the lengths of the blocks that are asked for.

#include "audio.h"
#include "audio_math.h"
#include "voices.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double s_share = 1.0e-8;
// Ten times as much: 10 mm/h are 45 dB then, as in the open.
static const double s_rainShare = 1.0e-7;
static const double s_splashShare = 1.0e-6;
static const double s_rainReach = 30.0;
static const double s_earHeight = 1.6;
static const double s_resistance = 413.0; // kg/(m^2 s)
// Energy of a bubble that can be told apart, J: 40 dB at 1 m for one of 3 mm.
static const double s_bubbleEnergy = 2.0e-10;
// Most of them a second in a voice, by kind.
static const float s_mostBubbles[tna_kindCount] = {60.0f, 60.0f, 120.0f, 120.0f, 250.0f};
// 60 and 20 dB of 20 uPa, Pa, and what the first becomes.
static const double s_middle = 0.02;
static const double s_least = 2.0e-4;
static const double s_middleSample = 0.1;
// Largest rms of samples.
static const double s_mostSample = 0.25;
// Where samples begin to bend.
static const float s_knee = 0.6f;
static const float s_dullFrequency = 500.0f;
// Of what is far apart the mixer says the place with this less under water.
static const float s_submergedWidth = 0.15f;
// A region that moves further than this and its radius between two looks is another one, m.
static const double s_sameRegion = 20.0;
// The gain grows by no more than this, 1/s: 40 dB, which is slower than levels fall. It falls at once, as levels rise.
static const double s_gainRise = 4.605;

struct tnaMixer
{
	tnaDef def;
	float sampleRate;
	tnaPace pace;
	float gainRise; // in a chunk
	float loudness;
	float fallDrop, rainDrop;
	tnaColour colours[tna_kindCount];
	tnaVoice voices[TNA_MAX_VOICES];
	tnaBubbles bubbles;
	uint32_t random;
	// Of pressures, 1/Pa.
	float gain;
	// 1: the ear is under water.
	float dull, wantedDull;
	float dullPole;
	float dullStates[2][2];
	float chunks[TNA_MAX_VOICES][TNA_CHUNK];
	// Made and not yet taken: from `taken` on.
	float made[2][TNA_CHUNK];
	int taken;
};

// A region, or several, as the ear has them.
typedef struct tnaHeard
{
	tnVec3 position;
	float radius;
	double squares[3]; // of pressure, Pa^2
	double powers[3];  // of sound, W
	double sum;        // of squares
} tnaHeard;

// ---------------------------------------------------------------------------------------------------------------------
// What is accepted

static tnaResult tnaRefuse(const char* format, ...)
#if defined(__GNUC__)
	__attribute__((format(printf, 1, 2)))
#endif
	;

static tnaResult tnaRefuse(const char* format, ...)
{
	tnaResult result = {.ok = false};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(result.text, sizeof(result.text), format, arguments);
	va_end(arguments);
	return result;
}

static tnaResult tnaAccept(void)
{
	return (tnaResult){.ok = true};
}

static bool tnaIsFinite(float x)
{
	return fabsf(x) <= 3.0e38f;
}

static bool tnaIsPlace(tnVec3 v)
{
	return tnaIsFinite(v.x) && tnaIsFinite(v.y) && tnaIsFinite(v.z);
}

static bool tnaIsAmount(float x)
{
	return x >= 0.0f && x <= 3.0e38f;
}

tnaDef tnaDefaultDef(void)
{
	return (tnaDef){.sampleRate = 48000, .loudness = 0.0f, .compression = 0.5f, .seed = 1};
}

tnaScene tnaDefaultScene(void)
{
	return (tnaScene){.right = {1.0f, 0.0f, 0.0f}, .rainDrop = 0.0008f, .fallDrop = 0.002f};
}

static tnaResult tnaCheckDef(const tnaDef* def)
{
	if (def == NULL)
	{
		return tnaRefuse("def must not be NULL");
	}
	if (def->sampleRate < 8000 || def->sampleRate > 192000)
	{
		return tnaRefuse("def.sampleRate must be from 8000 to 192000, got %d", def->sampleRate);
	}
	if (!(def->loudness >= -60.0f && def->loudness <= 30.0f))
	{
		return tnaRefuse("def.loudness must be from -60 to 30 dB, got %g", (double)def->loudness);
	}
	if (!(def->compression >= 0.1f && def->compression <= 1.0f))
	{
		return tnaRefuse("def.compression must be from 0.1 to 1, got %g", (double)def->compression);
	}
	return tnaAccept();
}

static tnaResult tnaCheckSound(const tnSound* sound, int index)
{
	if (!tnaIsPlace(sound->position))
	{
		return tnaRefuse("sounds[%d].position must be finite, got %g, %g, %g", index, (double)sound->position.x,
			(double)sound->position.y, (double)sound->position.z);
	}
	const struct
	{
		const char* name;
		float value;
	} amounts[] = {{"radius", sound->radius}, {"falling", sound->falling}, {"breaking", sound->breaking},
		{"flowing", sound->flowing}};
	for (int i = 0; i < 4; ++i)
	{
		if (!tnaIsAmount(amounts[i].value))
		{
			return tnaRefuse("sounds[%d].%s must be finite and at least 0, got %g", index, amounts[i].name,
				(double)amounts[i].value);
		}
	}
	return tnaAccept();
}

static tnaResult tnaCheckSplash(const tnaSplash* splash, int index)
{
	if (!tnaIsPlace(splash->position))
	{
		return tnaRefuse("splashes[%d].position must be finite, got %g, %g, %g", index, (double)splash->position.x,
			(double)splash->position.y, (double)splash->position.z);
	}
	if (!tnaIsAmount(splash->energy))
	{
		return tnaRefuse("splashes[%d].energy must be finite and at least 0, got %g", index, (double)splash->energy);
	}
	if (!(splash->radius > 0.0f && tnaIsFinite(splash->radius)))
	{
		return tnaRefuse("splashes[%d].radius must be finite and above 0, got %g", index, (double)splash->radius);
	}
	return tnaAccept();
}

static tnaResult tnaCheckEar(const tnaScene* scene)
{
	const double x = scene->right.x, y = scene->right.y, z = scene->right.z;
	if (!tnaIsPlace(scene->ear))
	{
		return tnaRefuse(
			"ear must be finite, got %g, %g, %g", (double)scene->ear.x, (double)scene->ear.y, (double)scene->ear.z);
	}
	if (!tnaIsPlace(scene->right) || !(x * x + y * y + z * z > 1.0e-60))
	{
		return tnaRefuse("right must be finite and have a length, got %g, %g, %g", x, y, z);
	}
	if (!tnaIsAmount(scene->rain))
	{
		return tnaRefuse("rain must be finite and at least 0, got %g", (double)scene->rain);
	}
	const float drops[2] = {scene->rainDrop, scene->fallDrop};
	for (int i = 0; i < 2; ++i)
	{
		if (!(drops[i] >= 1.0e-4f && drops[i] <= 0.02f))
		{
			return tnaRefuse(
				"%s must be from 0.0001 to 0.02 m, got %g", i == 0 ? "rainDrop" : "fallDrop", (double)drops[i]);
		}
	}
	return tnaAccept();
}

static tnaResult tnaCheckScene(const tnaScene* scene)
{
	if (scene == NULL)
	{
		return tnaRefuse("scene must not be NULL");
	}
	if (scene->soundCount < 0 || (scene->soundCount > 0 && scene->sounds == NULL) || scene->soundCount > TN_MAX_SOUNDS)
	{
		return scene->soundCount > 0 && scene->sounds == NULL
			? tnaRefuse("sounds must not be NULL, soundCount is %d", scene->soundCount)
			: tnaRefuse("soundCount must be from 0 to %d, got %d", TN_MAX_SOUNDS, scene->soundCount);
	}
	if (scene->splashCount < 0 || scene->splashCount > TNA_MAX_SPLASHES ||
		(scene->splashCount > 0 && scene->splashes == NULL))
	{
		return scene->splashCount > 0 && scene->splashes == NULL
			? tnaRefuse("splashes must not be NULL, splashCount is %d", scene->splashCount)
			: tnaRefuse("splashCount must be from 0 to %d, got %d", TNA_MAX_SPLASHES, scene->splashCount);
	}
	tnaResult result = tnaCheckEar(scene);
	for (int i = 0; i < scene->soundCount && result.ok; ++i)
	{
		result = tnaCheckSound(scene->sounds + i, i);
	}
	for (int i = 0; i < scene->splashCount && result.ok; ++i)
	{
		result = tnaCheckSplash(scene->splashes + i, i);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Hearing

// Falls are as bright as their drops, with bubbles from a sixth of these to twice and a half. Deep bubbles of clouds give them
// their rumble. Drops of rain leave bubbles of half their radius: 14 kHz for those of 0.5 mm (Prosperetti & Oguz 1993).
static void tnaColourFalls(tnaMixer* mixer, float drop)
{
	if (mixer->fallDrop != drop)
	{
		mixer->fallDrop = drop;
		tnaMakeColour(mixer->colours + tna_falling, 50.0f, tnaGetBubbleFrequency(1.5f * drop), drop / 6.0f, 2.5f * drop,
			mixer->sampleRate);
	}
}

static void tnaColourRain(tnaMixer* mixer, float drop)
{
	if (mixer->rainDrop != drop)
	{
		mixer->rainDrop = drop;
		tnaMakeColour(mixer->colours + tna_rain, 0.2f * tnaGetBubbleFrequency(0.5f * drop),
			tnaGetBubbleFrequency(0.5f * drop), 0.35f * drop, 0.65f * drop, mixer->sampleRate);
	}
}

static double tnaMeasure(const tnaScene* scene, tnVec3 position, double* along)
{
	const double x = (double)position.x - scene->ear.x;
	const double y = (double)position.y - scene->ear.y;
	const double z = (double)position.z - scene->ear.z;
	const tnVec3 r = scene->right;
	const double length = sqrt((double)r.x * r.x + (double)r.y * r.y + (double)r.z * r.z);
	const double distance = sqrt(x * x + y * y + z * z);
	*along = distance > 0.0 ? (x * r.x + y * r.y + z * r.z) / (distance * length) : 0.0;
	return distance;
}

// Mean square of the pressure at the ear of a power of sound.
static double tnaGetSquare(double power, double distance, double radius)
{
	// So loud that it makes no difference any more: no sum overflows.
	const double most = 1.0e6;
	const double square = s_resistance * power / (2.0 * TNA_PI * (distance * distance + radius * radius + 1.0));
	return square < most ? square : most;
}

static tnaHeard tnaHearSound(const tnaScene* scene, const tnSound* sound)
{
	double along;
	const double distance = tnaMeasure(scene, sound->position, &along);
	const float powers[3] = {sound->falling, sound->breaking, sound->flowing};
	tnaHeard heard = {.position = sound->position, .radius = sound->radius};
	for (int kind = 0; kind < 3; ++kind)
	{
		heard.powers[kind] = s_share * (double)powers[kind];
		heard.squares[kind] = tnaGetSquare(heard.powers[kind], distance, (double)sound->radius);
		heard.sum += heard.squares[kind];
	}
	return heard;
}

static double tnaGetDistance(tnVec3 a, tnVec3 b)
{
	const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
	return sqrt(x * x + y * y + z * z);
}

static void tnaJoinHeard(tnaHeard* all, int count, const tnaHeard* more)
{
	int nearest = 0;
	for (int i = 1; i < count; ++i)
	{
		if (tnaGetDistance(all[i].position, more->position) < tnaGetDistance(all[nearest].position, more->position))
		{
			nearest = i;
		}
	}
	for (int kind = 0; kind < 3; ++kind)
	{
		all[nearest].squares[kind] += more->squares[kind];
		all[nearest].powers[kind] += more->powers[kind];
	}
	all[nearest].sum += more->sum;
}

// The loudest at the ear, and the others with them. Returns how many.
static int tnaFindLoudest(const tnaScene* scene, tnaHeard* loudest)
{
	int count = 0;
	bool isTold[TN_MAX_SOUNDS] = {false};
	while (count < TNA_REGION_VOICES)
	{
		int best = -1;
		tnaHeard found = {.sum = 0.0};
		for (int i = 0; i < scene->soundCount; ++i)
		{
			const tnaHeard heard = tnaHearSound(scene, scene->sounds + i);
			if (!isTold[i] && heard.sum > found.sum)
			{
				best = i;
				found = heard;
			}
		}
		if (best < 0)
		{
			return count;
		}
		isTold[best] = true;
		loudest[count++] = found;
	}
	for (int i = 0; i < scene->soundCount; ++i)
	{
		const tnaHeard heard = tnaHearSound(scene, scene->sounds + i);
		if (!isTold[i] && heard.sum > 0.0)
		{
			tnaJoinHeard(loudest, count, &heard);
		}
	}
	return count;
}

static float tnaGetAir(double distance, float sampleRate)
{
	// Of two equal poles each takes half of 3 dB at 0.644 of its own frequency.
	const double frequency = distance > 1.0 ? 8000.0 / 0.644 * tnaExp(0.546 * tnaLog(25.6 / distance)) : 1.0e5;
	return tnaGetPole((float)frequency, sampleRate);
}

// Where it is heard, and how clearly.
static void tnaPlaceVoice(const tnaMixer* mixer, tnaVoice* voice, const tnaScene* scene, double radius)
{
	double along;
	const double distance = tnaMeasure(scene, voice->position, &along);
	const double width = distance / (distance + radius + 0.5);
	const double side = 0.95 * along * width * (scene->submerged ? (double)s_submergedWidth : 1.0);
	voice->wantedSides[0] = (float)sqrt(0.5 * (1.0 - side));
	voice->wantedSides[1] = (float)sqrt(0.5 * (1.0 + side));
	voice->wantedAir = tnaGetAir(distance, mixer->sampleRate);
}

static tnaVoice* tnaFindFreeVoice(tnaMixer* mixer)
{
	for (int i = 0; i < TNA_MAX_VOICES; ++i)
	{
		if (!mixer->voices[i].used)
		{
			tnaVoice_Begin(mixer->voices + i, tnaNextRandom(&mixer->random));
			return mixer->voices + i;
		}
	}
	return NULL;
}

static void tnaSettleVoice(tnaVoice* voice)
{
	memcpy(voice->sides, voice->wantedSides, sizeof(voice->sides));
	voice->air = voice->wantedAir;
}

// The voice of a region that is near: it was that before. Or a new one.
static tnaVoice* tnaFindRegionVoice(tnaMixer* mixer, const tnaScene* scene, const tnaHeard* heard)
{
	tnaVoice* nearest = NULL;
	double least = s_sameRegion + (double)heard->radius;
	for (int i = 0; i < TNA_MAX_VOICES; ++i)
	{
		tnaVoice* voice = mixer->voices + i;
		const double distance = tnaGetDistance(voice->position, heard->position);
		if (voice->used && voice->isRegion && !voice->heard && distance < least)
		{
			nearest = voice;
			least = distance;
		}
	}
	const bool isNew = nearest == NULL;
	nearest = isNew ? tnaFindFreeVoice(mixer) : nearest;
	if (nearest != NULL)
	{
		nearest->position = heard->position;
		nearest->isRegion = true;
		tnaPlaceVoice(mixer, nearest, scene, (double)heard->radius);
		if (isNew)
		{
			tnaSettleVoice(nearest);
		}
	}
	return nearest;
}

static float tnaGetRate(tnaKind kind, double power)
{
	const double rate = power / s_bubbleEnergy;
	return rate < (double)s_mostBubbles[kind] ? (float)rate : s_mostBubbles[kind];
}

static void tnaHearRegions(tnaMixer* mixer, const tnaScene* scene)
{
	tnaHeard loudest[TNA_REGION_VOICES];
	const int count = tnaFindLoudest(scene, loudest);
	for (int i = 0; i < TNA_MAX_VOICES; ++i)
	{
		mixer->voices[i].heard = false;
	}
	for (int i = 0; i < count; ++i)
	{
		tnaVoice* voice = tnaFindRegionVoice(mixer, scene, loudest + i);
		for (int kind = 0; kind < 3 && voice != NULL; ++kind)
		{
			voice->heard = true;
			voice->wanted[kind] = (float)sqrt(loudest[i].squares[kind]);
			voice->rate[kind] = tnaGetRate((tnaKind)kind, loudest[i].powers[kind]);
		}
	}
	for (int i = 0; i < TNA_MAX_VOICES; ++i)
	{
		tnaVoice* voice = mixer->voices + i;
		for (int kind = 0; kind < 3 && voice->used && voice->isRegion && !voice->heard; ++kind)
		{
			voice->wanted[kind] = 0.0f;
		}
	}
}

// Final speed of a drop, m/s: weight against drag on a sphere, at most 9 m/s, where drops burst.
static double tnaGetDropSpeed(double radius)
{
	const double drag = 0.5;
	const double speed = sqrt(8.0 * 9.81 * radius * 1000.0 / (3.0 * drag * 1.2));
	return speed < 9.0 ? speed : 9.0;
}

// From both sides.
static void tnaHearRain(tnaMixer* mixer, const tnaScene* scene)
{
	const double speed = tnaGetDropSpeed((double)scene->rainDrop);
	const double flux = s_rainShare * (double)scene->rain * 1000.0 * 0.5 * speed * speed;
	const double ratio = s_rainReach / s_earHeight;
	const double square = s_resistance * flux * 0.5 * tnaLog(1.0 + ratio * ratio);
	const double limited = square < 1.0e6 ? square : 1.0e6;
	for (int side = 0; side < 2; ++side)
	{
		tnaVoice* voice = mixer->voices + side;
		voice->wanted[tna_rain] = (float)sqrt(0.5 * limited);
		voice->rate[tna_rain] = tnaGetRate(tna_rain, 0.5 * flux * s_rainReach * s_rainReach);
		const float width = scene->submerged ? 0.5f * s_submergedWidth : 0.5f;
		voice->wantedSides[side] = sqrtf(0.5f + width * 0.8f);
		voice->wantedSides[1 - side] = sqrtf(0.5f - width * 0.8f);
	}
}

static void tnaHearSplash(tnaMixer* mixer, const tnaScene* scene, const tnaSplash* splash)
{
	tnaVoice* voice = splash->energy > 0.0f ? tnaFindFreeVoice(mixer) : NULL;
	if (voice == NULL)
	{
		return;
	}
	// Bubbles from a fiftieth to a fifth of the body, at most of 3 cm: larger ones are torn apart.
	const float size = splash->radius < 0.005f ? 0.005f : (splash->radius > 1.5f ? 1.5f : splash->radius);
	const float largest = 0.2f * size < 0.03f ? 0.2f * size : 0.03f;
	const float smallest = 0.02f * size < 0.01f ? 0.02f * size : 0.01f;
	voice->position = splash->position;
	tnaMakeColour(&voice->colour, 60.0f, tnaGetBubbleFrequency(smallest), smallest, largest, mixer->sampleRate);
	tnaPlaceVoice(mixer, voice, scene, (double)size);
	tnaSettleVoice(voice);
	double along;
	const double distance = tnaMeasure(scene, splash->position, &along);
	const double time = 0.06 + 0.15 * (double)size;
	const double power = s_splashShare * (double)splash->energy / time;
	voice->wanted[tna_splashing] = (float)sqrt(tnaGetSquare(power, distance, (double)size));
	voice->rate[tna_splashing] = tnaGetRate(tna_splashing, power);
	// Half of the time for the pressure: the power falls twice as fast.
	voice->fading = (float)tnaExp(-0.5 * (double)mixer->pace.chunk / time);
}

// What pressures of this mean square are multiplied by.
static float tnaFindGain(const tnaMixer* mixer, double square)
{
	const double pressure = sqrt(square);
	const double heard = pressure > s_least ? pressure : s_least;
	const double power = (double)mixer->def.compression;
	const double sample = (double)mixer->loudness * s_middleSample * tnaExp(power * tnaLog(heard / s_middle));
	return (float)((sample < s_mostSample ? sample : s_mostSample) / heard);
}

tnaResult tnaMixer_Hear(tnaMixer* mixer, const tnaScene* scene)
{
	if (mixer == NULL)
	{
		return tnaRefuse("mixer must not be NULL");
	}
	const tnaResult result = tnaCheckScene(scene);
	if (!result.ok)
	{
		return result;
	}
	tnaColourFalls(mixer, scene->fallDrop);
	tnaColourRain(mixer, scene->rainDrop);
	tnaHearRegions(mixer, scene);
	tnaHearRain(mixer, scene);
	mixer->wantedDull = scene->submerged ? 1.0f : 0.0f;
	for (int i = 0; i < scene->splashCount; ++i)
	{
		tnaHearSplash(mixer, scene, scene->splashes + i);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Samples

// Straight up to the knee, then bending towards 1, without an edge.
static float tnaLimit(float x)
{
	const float size = fabsf(x);
	if (!(size > s_knee))
	{
		return x;
	}
	const float over = (size - s_knee) / (1.0f - s_knee);
	const float bent = s_knee + (1.0f - s_knee) * over / (1.0f + over);
	return x > 0.0f ? bent : -bent;
}

static void tnaFinishSide(tnaMixer* mixer, int side, float gain, float dull)
{
	const float step = 1.0f / (float)TNA_CHUNK;
	const float gainSlope = (mixer->gain - gain) * step;
	const float dullSlope = (mixer->dull - dull) * step;
	float* states = mixer->dullStates[side];
	float* samples = mixer->made[side];
	for (int i = 0; i < TNA_CHUNK; ++i)
	{
		gain += gainSlope;
		dull += dullSlope;
		states[0] += mixer->dullPole * (samples[i] - states[0]);
		states[1] += mixer->dullPole * (states[0] - states[1]);
		samples[i] = tnaLimit(gain * (samples[i] + dull * (states[1] - samples[i])));
	}
	for (int i = 0; i < 2; ++i)
	{
		states[i] = fabsf(states[i]) > 1.0e-15f ? states[i] : 0.0f;
	}
}

static void tnaMakeChunk(tnaMixer* mixer)
{
	int ringing[TNA_MAX_VOICES] = {0};
	double square = 0.0;
	memset(mixer->made, 0, sizeof(mixer->made));
	for (int i = 0; i < TNA_MAX_VOICES; ++i)
	{
		if (mixer->voices[i].used)
		{
			memset(mixer->chunks[i], 0, sizeof(mixer->chunks[i]));
			tnaVoice_Sound(mixer->voices + i, i, mixer->colours, &mixer->pace, &mixer->bubbles, mixer->chunks[i]);
			square += tnaVoice_GetSquare(mixer->voices + i);
		}
	}
	tnaBubbles_Ring(&mixer->bubbles, mixer->chunks[0], TNA_CHUNK, ringing);
	for (int i = 0; i < TNA_MAX_VOICES; ++i)
	{
		if (mixer->voices[i].used)
		{
			tnaVoice_Place(mixer->voices + i, &mixer->pace, mixer->chunks[i], mixer->made[0], mixer->made[1]);
			// Rain keeps its two.
			if (i >= 2)
			{
				tnaVoice_End(mixer->voices + i, ringing[i]);
			}
		}
	}
	for (int kind = 0; kind < tna_kindCount; ++kind)
	{
		mixer->colours[kind].filter = mixer->colours[kind].next;
	}
	const float gain = mixer->gain;
	const float dull = mixer->dull;
	const float fitting = tnaFindGain(mixer, square);
	mixer->gain = fitting < gain * mixer->gainRise ? fitting : gain * mixer->gainRise;
	mixer->dull += (mixer->wantedDull - dull) * mixer->pace.glide;
	tnaFinishSide(mixer, 0, gain, dull);
	tnaFinishSide(mixer, 1, gain, dull);
	mixer->taken = 0;
}

void tnaMixer_Render(tnaMixer* mixer, float* stereo, int frameCount)
{
	for (int i = 0; i < frameCount; ++i)
	{
		if (mixer->taken == TNA_CHUNK)
		{
			tnaMakeChunk(mixer);
		}
		stereo[2 * i] = mixer->made[0][mixer->taken];
		stereo[2 * i + 1] = mixer->made[1][mixer->taken];
		mixer->taken += 1;
	}
}

bool tnaMixer_IsSilent(const tnaMixer* mixer)
{
	for (int i = 2; i < TNA_MAX_VOICES; ++i)
	{
		if (mixer->voices[i].used)
		{
			return false;
		}
	}
	for (int side = 0; side < 2; ++side)
	{
		const tnaVoice* rain = mixer->voices + side;
		if (rain->wanted[tna_rain] > 0.0f || rain->level[tna_rain] > 0.0f || rain->airStates[1] != 0.0f ||
			mixer->dullStates[side][0] != 0.0f || mixer->dullStates[side][1] != 0.0f)
		{
			return false;
		}
		for (int i = mixer->taken; i < TNA_CHUNK; ++i)
		{
			if (mixer->made[side][i] != 0.0f)
			{
				return false;
			}
		}
	}
	return mixer->bubbles.count == 0;
}

// ---------------------------------------------------------------------------------------------------------------------

tnaMixer* tnaCreateMixer(const tnaDef* def, tnaResult* result)
{
	*result = tnaCheckDef(def);
	if (!result->ok)
	{
		return NULL;
	}
	tnaMixer* mixer = calloc(1, sizeof(tnaMixer));
	if (mixer == NULL)
	{
		*result = tnaRefuse("out of memory for a mixer");
		return NULL;
	}
	const float sampleRate = (float)def->sampleRate;
	mixer->def = *def;
	mixer->sampleRate = sampleRate;
	mixer->pace = tnaMakePace(sampleRate);
	mixer->gainRise = (float)tnaExp((double)mixer->pace.chunk * s_gainRise);
	mixer->loudness = (float)tnaExp((double)def->loudness * 0.11512925464970229);
	mixer->bubbles.sampleRate = sampleRate;
	mixer->random = def->seed * 2654435761u + 1u;
	mixer->random = mixer->random != 0 ? mixer->random : 1;
	mixer->dullPole = tnaGetPole(s_dullFrequency, sampleRate);
	mixer->taken = TNA_CHUNK;
	mixer->gain = tnaFindGain(mixer, 0.0);
	// Surf: bubbles of breakers from 0.1 to 4 mm. Brooks: those that are large enough to be told apart.
	tnaMakeColour(mixer->colours + tna_breaking, 100.0f, 1500.0f, 1.0e-4f, 4.0e-3f, sampleRate);
	tnaMakeColour(mixer->colours + tna_flowing, 250.0f, 1500.0f, 1.0e-3f, 8.0e-3f, sampleRate);
	const tnaScene scene = tnaDefaultScene();
	tnaColourFalls(mixer, scene.fallDrop);
	tnaColourRain(mixer, scene.rainDrop);
	// The two sides of rain.
	for (int side = 0; side < 2; ++side)
	{
		tnaVoice* voice = tnaFindFreeVoice(mixer);
		voice->wantedAir = 1.0f;
		voice->wantedSides[side] = sqrtf(0.9f);
		voice->wantedSides[1 - side] = sqrtf(0.1f);
		tnaSettleVoice(voice);
	}
	return mixer;
}

void tnaDestroyMixer(tnaMixer* mixer)
{
	free(mixer);
}

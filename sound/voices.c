// SPDX-License-Identifier: MIT

// A voice: one region of water, one side of the rain, or a splash. Of its pressure a part is bubbles that can be told apart, and the
// rest noise with the frequencies of bubbles: so many that nobody can count them add up to that. A trickle is all bubbles, and a
// great fall nearly all noise.
//
// All that changes, changes along a line within a chunk, or rather each filter keeps its state: there are no clicks.

#include "voices.h"

#include "audio_math.h"

#include <math.h>
#include <string.h>

// Share of the energy that bubbles have which can be told apart, by kind.
static const float s_bubbleShares[tna_kindCount] = {0.2f, 0.3f, 0.75f, 0.5f, 0.5f};
// Levels follow what is heard within these times, seconds: short enough to be one with the picture.
static const double s_riseTime = 0.006;
static const double s_fallTime = 0.060;
static const double s_glideTime = 0.030;
// Loudness comes and goes by a fifth, about twice a second.
static const float s_driftShare = 0.2f;
static const double s_driftRate = 2.0;
// No level grows to more than four times of what it was in a chunk, so that the gain can follow, but for those that begin, Pa.
static const float s_first = 2.0e-4f;
// A voice below this is over, Pa: 26 dB below what can be heard.
static const float s_silent = 1.0e-6f;

float tnaGetPole(float frequency, float sampleRate)
{
	return (float)(1.0 - tnaExp(-2.0 * TNA_PI * frequency / sampleRate));
}

static float tnaFilterNoise(tnaNoise* noise, const tnaFilter* filter, float x)
{
	noise->high += filter->high * (x - noise->high);
	noise->low += filter->low * (x - noise->high - noise->low);
	noise->lower += filter->low * (noise->low - noise->lower);
	return noise->lower;
}

void tnaMakeColour(tnaColour* colour, float lowest, float highest, float smallest, float largest, float sampleRate)
{
	tnaFilter filter = {tnaGetPole(lowest, sampleRate), tnaGetPole(highest, sampleRate), 0.0f};
	// The energy of its answer to an impulse is that of its answer to white noise. It lasts for some periods of the lowest.
	tnaNoise noise = {0};
	double energy = 0.0;
	const int count = (int)(2.0f * sampleRate / lowest);
	for (int i = 0; i < count; ++i)
	{
		const double y = tnaFilterNoise(&noise, &filter, i == 0 ? 1.0f : 0.0f);
		energy += y * y;
	}
	// White noise between -1 and 1 has a mean square of 1/3.
	filter.gain = (float)sqrt(3.0 / energy);
	colour->next = filter;
	// The first one begins at once.
	colour->filter = colour->filter.gain > 0.0f ? colour->filter : filter;
	tnaMakeSizes(&colour->sizes, smallest, largest, sampleRate);
}

static float tnaGetSmoothing(double time, double chunk)
{
	return (float)(1.0 - tnaExp(-chunk / time));
}

tnaPace tnaMakePace(float sampleRate)
{
	const double chunk = (double)TNA_CHUNK / sampleRate;
	const float drift = tnaGetSmoothing(1.0 / (2.0 * TNA_PI * s_driftRate), chunk);
	return (tnaPace){
		.rise = tnaGetSmoothing(s_riseTime, chunk),
		.fall = tnaGetSmoothing(s_fallTime, chunk),
		.glide = tnaGetSmoothing(s_glideTime, chunk),
		.drift = drift,
		// One pole leaves a / (2 - a) of the mean square of noise, which is 1/3.
		.driftScale = s_driftShare * sqrtf(3.0f * (2.0f - drift) / drift),
		.chunk = (float)chunk,
	};
}

void tnaVoice_Begin(tnaVoice* voice, uint32_t random)
{
	memset(voice, 0, sizeof(*voice));
	voice->used = true;
	voice->random = random != 0 ? random : 1;
	for (int kind = 0; kind < tna_kindCount; ++kind)
	{
		voice->waiting[kind] = (float)-tnaLog(tnaDrawShare(&voice->random));
	}
}

static void tnaAddNoise(tnaVoice* voice, tnaKind kind, const tnaColour* colour, float from, float to, float* chunk)
{
	const float step = 1.0f / (float)TNA_CHUNK;
	const float share = sqrtf(1.0f - s_bubbleShares[kind]);
	tnaNoise* noise = voice->noise + kind;
	tnaFilter filter = colour->filter;
	const float highSlope = (colour->next.high - filter.high) * step;
	const float lowSlope = (colour->next.low - filter.low) * step;
	float gain = from * share * filter.gain;
	const float slope = (to * share * colour->next.gain - gain) * step;
	for (int i = 0; i < TNA_CHUNK; ++i)
	{
		gain += slope;
		filter.high += highSlope;
		filter.low += lowSlope;
		chunk[i] += gain * tnaFilterNoise(noise, &filter, tnaDrawNoise(&voice->random));
	}
}

static void tnaAddBubbles(tnaVoice* voice, int index, tnaKind kind, const tnaColour* colour, float level,
	const tnaPace* pace, tnaBubbles* bubbles)
{
	const float rate = voice->rate[kind];
	if (!(rate > 0.0f))
	{
		return;
	}
	// Energy of one: that of all in a second over their number.
	const float unit = level * sqrtf(s_bubbleShares[kind] / (rate * colour->sizes.energy));
	const float perChunk = rate * pace->chunk;
	float at = voice->waiting[kind];
	while (at < perChunk)
	{
		const uint32_t draw = tnaNextRandom(&voice->random) >> 8;
		const float radius = colour->sizes.radii[draw % TNA_SIZE_COUNT];
		const int delay = (int)(at / perChunk * (float)TNA_CHUNK);
		tnaBubbles_Start(bubbles, index, delay < TNA_CHUNK ? delay : TNA_CHUNK - 1, radius, unit * 1000.0f * radius);
		at += (float)-tnaLog(tnaDrawShare(&voice->random));
	}
	voice->waiting[kind] = at - perChunk;
}

void tnaVoice_Sound(
	tnaVoice* voice, int index, const tnaColour* colours, const tnaPace* pace, tnaBubbles* bubbles, float* chunk)
{
	const float driftBefore = 1.0f + voice->drift;
	// Not further than to half, nor to half as much again.
	voice->drift += pace->drift * (pace->driftScale * tnaDrawNoise(&voice->random) - voice->drift);
	voice->drift = voice->drift < -0.5f ? -0.5f : (voice->drift > 0.5f ? 0.5f : voice->drift);
	for (int kind = 0; kind < tna_kindCount; ++kind)
	{
		const float before = voice->level[kind];
		const float wanted = voice->wanted[kind];
		if (before == 0.0f && wanted == 0.0f)
		{
			continue;
		}
		const float most = 4.0f * before > s_first ? 4.0f * before : s_first;
		const float eased = before + (wanted - before) * (wanted > before ? pace->rise : pace->fall);
		const float after = eased < most ? eased : most;
		voice->level[kind] = wanted > 0.0f || after > 0.1f * s_silent ? after : 0.0f;
		voice->wanted[kind] = kind == tna_splashing ? wanted * voice->fading : wanted;
		const tnaColour* colour = kind == tna_splashing ? &voice->colour : colours + kind;
		const float drift = 1.0f + voice->drift;
		tnaAddNoise(voice, (tnaKind)kind, colour, before * driftBefore, voice->level[kind] * drift, chunk);
		tnaAddBubbles(voice, index, (tnaKind)kind, colour, voice->level[kind] * drift, pace, bubbles);
	}
	if (voice->wanted[tna_splashing] < 0.1f * s_silent)
	{
		voice->wanted[tna_splashing] = 0.0f;
	}
}

void tnaVoice_Place(tnaVoice* voice, const tnaPace* pace, const float* chunk, float* left, float* right)
{
	const float step = 1.0f / (float)TNA_CHUNK;
	float slopes[2];
	for (int side = 0; side < 2; ++side)
	{
		slopes[side] = (voice->wantedSides[side] - voice->sides[side]) * pace->glide * step;
	}
	const float airSlope = (voice->wantedAir - voice->air) * pace->glide * step;
	for (int i = 0; i < TNA_CHUNK; ++i)
	{
		voice->air += airSlope;
		voice->airStates[0] += voice->air * (chunk[i] - voice->airStates[0]);
		voice->airStates[1] += voice->air * (voice->airStates[0] - voice->airStates[1]);
		voice->sides[0] += slopes[0];
		voice->sides[1] += slopes[1];
		left[i] += voice->sides[0] * voice->airStates[1];
		right[i] += voice->sides[1] * voice->airStates[1];
	}
	// Floats that become too small are slow.
	for (int i = 0; i < 2; ++i)
	{
		voice->airStates[i] = fabsf(voice->airStates[i]) > 1.0e-15f ? voice->airStates[i] : 0.0f;
	}
}

double tnaVoice_GetSquare(const tnaVoice* voice)
{
	double sum = 0.0;
	for (int kind = 0; kind < tna_kindCount; ++kind)
	{
		sum += (double)voice->level[kind] * (double)voice->level[kind];
	}
	return sum;
}

bool tnaVoice_End(tnaVoice* voice, int ringing)
{
	for (int kind = 0; kind < tna_kindCount; ++kind)
	{
		if (voice->wanted[kind] > 0.0f || voice->level[kind] > s_silent)
		{
			return false;
		}
	}
	if (ringing > 0 || fabsf(voice->airStates[0]) + fabsf(voice->airStates[1]) > s_silent)
	{
		return false;
	}
	voice->used = false;
	return true;
}

// SPDX-License-Identifier: MIT

#pragma once

#include "audio.h"
#include "bubbles.h"

// What is heard apart (voices.c).

enum
{
	// Regions of water, the two sides of rain, and splashes; some more fade out.
	TNA_REGION_VOICES = 16,
	TNA_MAX_VOICES = 32,
};

typedef enum tnaKind
{
	tna_falling = 0,
	tna_breaking,
	tna_flowing,
	tna_rain,
	tna_splashing,
	tna_kindCount,
} tnaKind;

// What a kind is made of: noise between two frequencies, as many bubbles as nobody can count make it, and some that can be told apart.
typedef struct tnaFilter
{
	float high, low; // with one pole and with two, shares of a sample
	float gain;      // that gives white noise between -1 and 1 an rms of 1
} tnaFilter;

typedef struct tnaColour
{
	// At the begin of a chunk and at its end.
	tnaFilter filter, next;
	tnaSizes sizes;
} tnaColour;

typedef struct tnaNoise
{
	float high, low, lower;
} tnaNoise;

typedef struct tnaVoice
{
	bool used;
	// Its region is still there.
	bool heard;
	bool isRegion;
	tnVec3 position;
	// Rms pressure at the ear before air and ears have taken some, Pa: as it shall be and as it is.
	float wanted[tna_kindCount], level[tna_kindCount];
	// Bubbles a second.
	float rate[tna_kindCount];
	// Until the next bubble, in mean times between two.
	float waiting[tna_kindCount];
	tnaNoise noise[tna_kindCount];
	// Left, right, and what air leaves of a step: as they shall be and as they are.
	float wantedSides[2], sides[2];
	float wantedAir, air;
	float airStates[2];
	// Loudness comes and goes by itself a little.
	float drift;
	// Of a splash: what is left of its pressure after each chunk.
	float fading;
	// Its colour, if it is a splash.
	tnaColour colour;
	uint32_t random;
} tnaVoice;

// Smoothing of a chunk.
typedef struct tnaPace
{
	float rise, fall, glide; // of levels; of places
	float drift, driftScale; // of what comes and goes
	float chunk;             // seconds
} tnaPace;

// What is heard already changes within the next chunk.
void tnaMakeColour(tnaColour* colour, float lowest, float highest, float smallest, float largest, float sampleRate);
tnaPace tnaMakePace(float sampleRate);
// Of a filter with one pole at a frequency.
float tnaGetPole(float frequency, float sampleRate);

void tnaVoice_Begin(tnaVoice* voice, uint32_t random);
// A chunk of noise into `chunk`, and bubbles begin. `colours`: of all kinds but splashes.
void tnaVoice_Sound(
	tnaVoice* voice, int index, const tnaColour* colours, const tnaPace* pace, tnaBubbles* bubbles, float* chunk);
// A chunk through the air to both ears.
void tnaVoice_Place(tnaVoice* voice, const tnaPace* pace, const float* chunk, float* left, float* right);
// Mean square of the pressure by now, Pa^2.
double tnaVoice_GetSquare(const tnaVoice* voice);
// Is it over? Then it is free.
bool tnaVoice_End(tnaVoice* voice, int ringing);

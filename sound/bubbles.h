// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stdint.h>

// Bubbles that ring (bubbles.c).

enum
{
	// Radii that stand for a distribution.
	TNA_SIZE_COUNT = 64,
	// Most that ring at once. A brook has some twenty.
	TNA_MAX_BUBBLES = 192,
};

// Radii of bubbles of one kind, equally likely, from the smallest to the largest.
typedef struct tnaSizes
{
	float radii[TNA_SIZE_COUNT]; // m
	// Mean energy of a bubble that starts with an amplitude of radius / 1 mm, seconds.
	float energy;
} tnaSizes;

// One that rings: the imaginary part of a number that turns and shrinks.
typedef struct tnaBubble
{
	int voice;
	int delay; // samples until it begins
	float sine, cosine;
	float turnSine, turnCosine; // of a sample, with the decay
	float frequency;            // Hz, now
	float rise;                 // Hz in a chunk
	float decay;                // of a sample
} tnaBubble;

typedef struct tnaBubbles
{
	tnaBubble bubbles[TNA_MAX_BUBBLES];
	int count;
	float sampleRate;
} tnaBubbles;

// Radii between two, m: the size distribution below breaking waves (Deane & Stokes 2002).
void tnaMakeSizes(tnaSizes* sizes, float smallest, float largest, float sampleRate);

// One begins, of an amplitude. False if too many ring.
bool tnaBubbles_Start(tnaBubbles* bubbles, int voice, int delay, float radius, float amplitude);

// Add a chunk of each to the chunk of its voice, `stride` floats apart. Counts those that still ring into `ringing`, by voice.
void tnaBubbles_Ring(tnaBubbles* bubbles, float* chunks, int stride, int* ringing);

// SPDX-License-Identifier: MIT

// Bubbles that ring. Running water is heard by the air that it takes in: each bubble is an oscillator whose spring is the air and
// whose mass is the water around it. One of radius r rings with (Minnaert 1933, On musical air-bubbles and the sounds of running water)
//
//   f = sqrt(3 gamma p / rho) / (2 pi r),     3.28 m/s / r in water at the surface
//
// and decays by radiation and heat as exp(-d t), d = 0.13 / r + 0.0072 r^(-3/2) in 1/s, with r in m. While it
// rises to the surface f grows as 1 + 0.1 d t (both van den Doel 2005, Physically based models for liquid sounds).
//
// Breaking water makes bubbles of radii with a density of r^(-3/2) up to 1 mm, where turbulence tears them no more, and r^(-10/3)
// above (Deane & Stokes 2002, Nature 418). Amplitudes grow as the radius.
//
// A bubble is a complex number that turns by 2 pi f / rate and shrinks by exp(-d / rate) with each sample; its imaginary part
// is heard, which begins with 0.

#include "bubbles.h"

#include "audio.h"
#include "audio_math.h"

#include <math.h>

// Adiabatic exponent of air, pressure of the atmosphere in Pa, density of water in kg/m^3.
static const double s_gamma = 1.4;
static const double s_pressure = 101325.0;
static const double s_density = 1000.0;
// Above it bubbles are torn apart, m.
static const double s_hinzeRadius = 1.0e-3;
// The highest frequency over the sample rate.
static const float s_highest = 0.4f;
// A bubble is over at this amplitude: far below the last bit of 16.
static const float s_silent = 1.0e-7f;

float tnaGetBubbleFrequency(float radius)
{
	return (float)(sqrt(3.0 * s_gamma * s_pressure / s_density) / (2.0 * TNA_PI)) / radius;
}

// 1/s
static float tnaGetBubbleDecay(float radius)
{
	return 0.13f / radius + 0.0072f / (radius * sqrtf(radius));
}

// How many there are of a radius, in units of those of the Hinze radius.
static double tnaGetDensity(double radius)
{
	const double power = radius < s_hinzeRadius ? -1.5 : -10.0 / 3.0;
	return tnaExp(power * tnaLog(radius / s_hinzeRadius));
}

void tnaMakeSizes(tnaSizes* sizes, float smallest, float largest, float sampleRate)
{
	enum
	{
		intervals = 256,
	};
	// What cannot be sampled rings as high as can be.
	const float least = tnaGetBubbleFrequency(1.0f) / (s_highest * sampleRate);
	const double low = tnaLog(smallest > least ? smallest : least);
	const double high = tnaLog(largest > least ? largest : least);
	double sums[intervals + 1] = {0.0};
	for (int i = 0; i < intervals; ++i)
	{
		const double radius = tnaExp(low + (high - low) * (i + 0.5) / intervals);
		sums[i + 1] = sums[i] + radius * tnaGetDensity(radius);
	}
	double energy = 0.0;
	int interval = 0;
	for (int i = 0; i < TNA_SIZE_COUNT; ++i)
	{
		const double wanted = sums[intervals] * (i + 0.5) / TNA_SIZE_COUNT;
		while (sums[interval + 1] < wanted)
		{
			interval += 1;
		}
		const double share = (wanted - sums[interval]) / (sums[interval + 1] - sums[interval]);
		sizes->radii[i] = (float)tnaExp(low + (high - low) * (interval + share) / intervals);
		const double amplitude = 1000.0 * sizes->radii[i];
		energy += amplitude * amplitude / (4.0 * tnaGetBubbleDecay(sizes->radii[i])) / TNA_SIZE_COUNT;
	}
	sizes->energy = (float)energy;
}

static void tnaTune(tnaBubble* bubble, float sampleRate)
{
	const float most = s_highest * sampleRate;
	const double turn = 2.0 * TNA_PI * (bubble->frequency < most ? bubble->frequency : most) / sampleRate;
	bubble->turnSine = bubble->decay * (float)tnaSin(turn);
	bubble->turnCosine = bubble->decay * (float)tnaCos(turn);
}

bool tnaBubbles_Start(tnaBubbles* bubbles, int voice, int delay, float radius, float amplitude)
{
	if (bubbles->count == TNA_MAX_BUBBLES)
	{
		return false;
	}
	const float decay = tnaGetBubbleDecay(radius);
	tnaBubble* bubble = bubbles->bubbles + bubbles->count++;
	*bubble = (tnaBubble){
		.voice = voice,
		.delay = delay,
		.cosine = amplitude,
		.frequency = tnaGetBubbleFrequency(radius),
		.decay = (float)tnaExp(-decay / bubbles->sampleRate),
	};
	bubble->rise = bubble->frequency * 0.1f * decay * (float)TNA_CHUNK / bubbles->sampleRate;
	tnaTune(bubble, bubbles->sampleRate);
	return true;
}

void tnaBubbles_Ring(tnaBubbles* bubbles, float* chunks, int stride, int* ringing)
{
	int kept = 0;
	for (int i = 0; i < bubbles->count; ++i)
	{
		tnaBubble bubble = bubbles->bubbles[i];
		float* chunk = chunks + bubble.voice * stride;
		const int begin = bubble.delay;
		for (int k = begin; k < TNA_CHUNK; ++k)
		{
			chunk[k] += bubble.sine;
			const float sine = bubble.sine * bubble.turnCosine + bubble.cosine * bubble.turnSine;
			bubble.cosine = bubble.cosine * bubble.turnCosine - bubble.sine * bubble.turnSine;
			bubble.sine = sine;
		}
		bubble.delay = 0;
		bubble.frequency += bubble.rise;
		tnaTune(&bubble, bubbles->sampleRate);
		if (fabsf(bubble.sine) + fabsf(bubble.cosine) > s_silent)
		{
			ringing[bubble.voice] += 1;
			bubbles->bubbles[kept++] = bubble;
		}
	}
	bubbles->count = kept;
}

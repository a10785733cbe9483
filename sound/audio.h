// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/sound.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

	/// @file Water that is heard: a mixer that turns what tnWorld_GetSounds tells, rain and splashes, into stereo. It has no device, no
	/// threads and no clock; a host hands its samples to whatever plays them. The same calls give the same samples, on every machine,
	/// and for any lengths of blocks. Nothing is allocated after tnaCreateMixer.

	typedef struct tnaMixer tnaMixer;

	typedef struct tnaResult
	{
		bool ok;
		/// One line in English that names field and value. Empty if ok.
		char text[160];
	} tnaResult;

	typedef struct tnaDef
	{
		/// Samples a second, 8000 to 192000. Default 48000.
		int sampleRate;
		/// Added to everything, dB, -60 to 30. Default 0: water of 60 dB at the ear, a brook some meters away, is 20 dB below full scale.
		float loudness;
		/// How many dB louder the samples become for one dB at the ear, 0.1 to 1. Default 0.5: a brook is still heard, and a great
		/// fall not too loud. Between 20 dB at the ear and near full scale; quieter water follows it with 1.
		float compression;
		uint32_t seed;
	} tnaDef;

	tnaDef tnaDefaultDef(void);

	/// A body that has struck the water.
	typedef struct tnaSplash
	{
		tnVec3 position; // m
		/// That the water took from it, J, at least 0.
		float energy;
		/// Of the body, m, above 0. Bubbles are some hundredths to a fifth of it: a pebble plinks, a crate booms.
		float radius;
	} tnaSplash;

	/// All that is heard from now on, but for splashes, which are heard once.
	typedef struct tnaScene
	{
		/// Where one listens, meters, and the way to the right: any length above 0.
		tnVec3 ear, right;
		/// The ear is under water: all is dull, and from nowhere.
		bool submerged;
		/// As from tnWorld_GetSounds. Sixteen are heard apart; what is beyond joins the nearest of these.
		const tnSound* sounds;
		int soundCount;
		const tnaSplash* splashes;
		int splashCount;
		/// Rain around the ear, m/s (1 mm/h is 2.8e-7), at least 0.
		float rain;
		/// Radius of its drops, and of those that falls break up into, m, 1e-4 to 0.02. Small ones are brighter. Default 0.0008, 0.002.
		float rainDrop, fallDrop;
	} tnaScene;

	tnaScene tnaDefaultScene(void);

	enum
	{
		/// Most splashes of a scene.
		TNA_MAX_SPLASHES = 64,
		/// Samples between two looks at what shall be heard: a change begins with the next.
		TNA_CHUNK = 64,
		/// A buffer of a device that suits it: with two of them, and pictures at 60 a second, water is heard 50 ms after it moved.
		TNA_DEVICE_FRAMES = 512,
	};

	/// @return NULL if the result is not ok
	tnaMixer* tnaCreateMixer(const tnaDef* def, tnaResult* result);
	/// NULL is allowed.
	void tnaDestroyMixer(tnaMixer* mixer);

	/// From the next samples on this is heard. Arrays are copied. What is refused changes nothing.
	tnaResult tnaMixer_Hear(tnaMixer* mixer, const tnaScene* scene);

	/// The next `frameCount` samples of left and right, interleaved, each within -1 and 1. Zero or less: none.
	void tnaMixer_Render(tnaMixer* mixer, float* stereo, int frameCount);

	/// Is there nothing to be heard, until the next tnaMixer_Hear? Then samples are 0.
	bool tnaMixer_IsSilent(const tnaMixer* mixer);

	/// Frequency of a bubble of a radius in m, Hz (Minnaert 1933).
	float tnaGetBubbleFrequency(float radius);

#ifdef __cplusplus
}
#endif

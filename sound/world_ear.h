// SPDX-License-Identifier: MIT

#pragma once

#include "audio.h"
#include "tarn/body.h"

#ifdef __cplusplus
extern "C"
{
#endif

	/// @file What a mixer shall hear, from a world and a camera: its sounds, the rain, bodies that strike the water.

	enum
	{
		TNA_EAR_SOUNDS = 16,
		/// Most bodies that are watched.
		TNA_EAR_BODIES = 512,
	};

	typedef struct tnaEar
	{
		tnSound sounds[TNA_EAR_SOUNDS];
		tnaSplash splashes[TNA_MAX_SPLASHES];
		// As of the last look.
		double time, rained;
		// Rain falls in portions: when the last one did, after how long, and how much that is.
		double rainTime, rainInterval;
		float rain;
		tnBodyId bodies[TNA_EAR_BODIES];
		bool wet[TNA_EAR_BODIES];
		int bodyCount;
		bool began;
	} tnaEar;

	/// Another world, or another time of it: what was before says nothing.
	void tnaEar_Begin(tnaEar* ear);

	/// Hear a world from an eye that looks at a target. A few times in a second of its time is enough, thirty are best.
	/// @param time seconds of water @return to be heard before the next call; its arrays are those of `ear`
	tnaScene tnaEar_Listen(tnaEar* ear, tnWorld* world, double time, tnVec3 eye, tnVec3 target);

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

/// @file What a run sounds like, as a WAV file, at the pace of a film of it and from its camera.

typedef struct Soundtrack Soundtrack;

typedef struct SoundtrackDef
{
	const char* path;
	/// Seconds of water in a second of sound, and before it begins.
	double speed, from;
	const tnsRun* run;
} SoundtrackDef;

/// Can this program make sound?
bool HasSound(void);

/// @return NULL if the result is not tns_ok: no sound in this program, a file that cannot be made
Soundtrack* OpenSoundtrack(const SoundtrackDef* def, tnsResult* result);

/// What is heard up to the time of the run. Call it before the first step and after every one.
tnsResult Soundtrack_Advance(Soundtrack* track);

/// Is there anything in it yet?
bool Soundtrack_HasSamples(const Soundtrack* track);

/// Finish the file. NULL is allowed.
tnsResult CloseSoundtrack(Soundtrack* track);

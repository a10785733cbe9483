// SPDX-License-Identifier: MIT

#include "films/soundtrack.h"

#include <stdio.h>

// Stands in for soundtrack.c where TARN_SOUND is off.

bool HasSound(void)
{
	return false;
}

Soundtrack* OpenSoundtrack(const SoundtrackDef* def, tnsResult* result)
{
	(void)def;
	result->status = tns_fileError;
	snprintf(result->text, sizeof(result->text), "this tarn was built without sound (TARN_SOUND=OFF)");
	return NULL;
}

// The others are never called: there is no sound.

tnsResult Soundtrack_Advance(Soundtrack* track)
{
	(void)track;
	return (tnsResult){.status = tns_ok};
}

bool Soundtrack_HasSamples(const Soundtrack* track)
{
	(void)track;
	return false;
}

tnsResult CloseSoundtrack(Soundtrack* track)
{
	(void)track;
	return (tnsResult){.status = tns_ok};
}

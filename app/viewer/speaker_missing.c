// SPDX-License-Identifier: MIT

#include "viewer/speaker.h"

#include <stddef.h>

// Stands in for speaker.c where SDL2 was not there at build time, or TARN_SOUND is off: all is silent.

Speaker* OpenSpeaker(void)
{
	return NULL;
}

void Speaker_Follow(Speaker* speaker, tnpPlay* play)
{
	(void)speaker;
	(void)play;
}

bool Speaker_Toggle(Speaker* speaker)
{
	(void)speaker;
	return false;
}

void CloseSpeaker(Speaker* speaker)
{
	(void)speaker;
}

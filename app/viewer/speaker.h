// SPDX-License-Identifier: MIT

#pragma once

#include "play.h"

/// @file The sound of the viewer: what its camera hears of the water, on the device of this machine.

typedef struct Speaker Speaker;

/// @return NULL if there is no device, or no sound in this program: then all is silent
Speaker* OpenSpeaker(void);

/// Once for each picture. A world that is paused, one of voxels, and NULL are silent. A speaker may be NULL.
void Speaker_Follow(Speaker* speaker, tnpPlay* play);

/// Off and on, without a click. @return is it on now?
bool Speaker_Toggle(Speaker* speaker);

void CloseSpeaker(Speaker* speaker);

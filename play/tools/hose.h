// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/spray.h"

// The hose of the player, in scenes with spray: a jet that is aimed at a place and open while it is held.

typedef struct tnpHose
{
	tnJetId id;
	bool isMade, isOpen;
} tnpHose;

// Aim it at a place and open it. The nozzle is on the way to the eye, as far from the place as suits the brush.
// @param radius of the brush, m. @param strength factor on what comes out
tnResult tnpHoldHose(tnWorld* world, tnpHose* hose, tnVec3 eye, tnVec3 target, float radius, float strength);
// Close it, if it is open.
tnResult tnpCloseHose(tnWorld* world, tnpHose* hose);

// SPDX-License-Identifier: MIT

// How a body moves: velocity and spin.

#pragma once

#include "tarn/vector.h"

typedef struct tnMotion
{
	tnVec3 velocity, spin; // m/s, rad/s, in the axes of the world
} tnMotion;

// Velocity of a body at a point in the axes of the world from its centre of mass, m/s.
static inline tnVec3 tnMotion_At(const tnMotion* motion, tnVec3 r)
{
	const tnVec3 v = motion->velocity;
	const tnVec3 s = motion->spin;
	return (tnVec3){v.x + (s.y * r.z - s.z * r.y), v.y + (s.z * r.x - s.x * r.z), v.z + (s.x * r.y - s.y * r.x)};
}

// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/vector.h"

/// A layer of the world, as part of tnWorldDef.
typedef struct tnSprayDef
{
	/// Off by default.
	bool enable;
	/// Most particles, in [16, 2^20]. When there are so many, new water joins those that fly already. Default 16384.
	int32_t capacity;
	/// Water that would fall further than this from one cell to the next becomes spray, meters, at least 0.01. Default 1.
	float ledgeHeight;
	/// Crests whose front is steeper than this break, rise over run, in [0, 10]; 0: none do. A front lower than this times a cell is
	/// not seen. Default 0.36, the tangent of 20 degrees.
	float breakingSlope;
	/// Drag of the air, 1/m: a particle slows down by drag * (speed against the air)^2. At most 100. Default 0.01, with which
	/// nothing falls faster than 31 m/s.
	float drag;
	/// A body that goes down into water faster than this throws some of it up, and so does a jet that hits, m/s, in [0, 1000].
	/// Default 1: what is slower would throw it no higher than 5 cm.
	float slamSpeed;
	/// The wind, m/s, each at most 100. Default 0.
	tnVec2 wind;
} tnSprayDef;

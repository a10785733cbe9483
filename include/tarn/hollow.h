// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/body.h"

/// @file Hollow bodies: boats, buckets, tanks, ships with bulkheads. A hollow is a room of a body that water does not get into, or
/// out of, but over its rim: found from the shapes when the body is made, if def.hollows is on. It is dry at first. The water around the
/// body meets the body with its hollows filled; water inside is the body's own, level in each hollow, and goes with it. It
/// comes over the rim and through leaks, and goes over the rim, through leaks and by pumps.

/// Most hollows of a body: the largest ones.
#define TN_MAX_HOLLOWS 8
/// Slots for leaks and for pumps of a body.
#define TN_MAX_LEAKS 16
/// The water around a body, where a hollow is asked for.
#define TN_OUTSIDE (-1)

/// One hollow of a body. Heights are those of the last step, at the position that the body has now.
typedef struct tnHollowState
{
	/// What it holds when upright and full to the rim, and what is in it now, m^3.
	float volume;
	double held;
	/// Height of the surface of what is in it, meters, in the world; of its lowest point if it is empty.
	float level;
	/// Height of the lowest point of its rim, meters, in the world; INFINITY if it is closed on all sides.
	float rim;
	/// Middle of the water in it in the world, or of the hollow if it is empty.
	tnVec3 center;
	/// Does it have a rim, and the area inside of that, m^2.
	bool open;
	float area;
	/// Water that came in the last step, m^3/s; negative if it went.
	float inflow;
} tnHollowState;

/// How many hollows a body has; 0 if it is not valid.
TN_API int tnWorld_GetHollowCount(const tnWorld* world, tnBodyId body);
/// @param hollow in [0, count)
TN_API tnResult tnWorld_GetHollow(const tnWorld* world, tnBodyId body, int hollow, tnHollowState* state);
/// A hollow as a closed mesh, its walls and its lid, in the frame of the body: room that no water around the body gets into but over
/// the rim. Points are those of all hollows of the body. Stale after the body is destroyed or gets other shapes.
TN_API tnResult tnWorld_GetHollowMesh(const tnWorld* world, tnBodyId body, int hollow, tnBodyMesh* mesh);
/// The surface of the water in a hollow as triangles in the frame of the body: the hollow cut at its level, as of the last step. None
/// if it is empty.
/// @param corners room for `capacity` of them, three for each triangle, counterclockwise from above; or NULL to count
/// @param count receives how many there are
TN_API tnResult tnWorld_CopyHollowSurface(
	const tnWorld* world, tnBodyId body, int hollow, tnVec3* corners, int capacity, int* count);
/// Swamp or bail a hollow at once. The ledger books it as an edit.
/// @param held m^3, in [0, volume]
TN_API tnResult tnWorld_SetHollowWater(tnWorld* world, tnBodyId body, int hollow, double held);

/// A hole between two hollows, or between one and the water around the body. Water goes through it at
/// discharge * area * sqrt(2 g h), h the difference of the heights of the water on its sides above the hole.
typedef struct tnLeakDef
{
	/// In the frame of the body, meters.
	tnVec3 position;
	/// m^2, in [0, 1e6]; default 0.01.
	float area;
	/// In (0, 1]; default 0.6, a hole with sharp edges.
	float discharge;
	/// The hollows on its two sides, different; TN_OUTSIDE for the water around the body. Default: 0 and TN_OUTSIDE.
	int from, to;
	uint32_t stamp;
} tnLeakDef;

TN_API tnLeakDef tnDefaultLeakDef(void);
/// @param slot in [0, TN_MAX_LEAKS)
/// @param def NULL mends it
TN_API tnResult tnWorld_SetLeak(tnWorld* world, tnBodyId body, int slot, const tnLeakDef* def);
/// The leak of a slot. False, and def as it was, if there is none, or no such body or slot.
TN_API bool tnWorld_GetLeak(const tnWorld* world, tnBodyId body, int slot, tnLeakDef* def);

/// A pump takes water out of a hollow, whatever the heights, as long as there is some.
typedef struct tnPumpDef
{
	/// m^3/s, in [0, 1e6]; default 0.01.
	float rate;
	/// Where it takes from, and where it brings it to: hollows, or TN_OUTSIDE; different. Default: 0 and TN_OUTSIDE.
	int from, to;
	/// Where its outer end is, in the frame of the body, if one is outside.
	tnVec3 position;
	uint32_t stamp;
} tnPumpDef;

TN_API tnPumpDef tnDefaultPumpDef(void);
/// @param slot in [0, TN_MAX_LEAKS)
/// @param def NULL removes it
TN_API tnResult tnWorld_SetPump(tnWorld* world, tnBodyId body, int slot, const tnPumpDef* def);
/// The pump of a slot. False, and def as it was, if there is none, or no such body or slot.
TN_API bool tnWorld_GetPump(const tnWorld* world, tnBodyId body, int slot, tnPumpDef* def);

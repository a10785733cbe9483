// SPDX-License-Identifier: MIT

// The hose of the player: where its nozzle is and how much comes out.

#include "tools/hose.h"

#include <math.h>

// In radii of the brush: the way from the nozzle to the place, and the radius of the nozzle.
static const float s_reach = 10.0f;
static const float s_nozzle = 0.05f;
// Share of the way to the eye at most: one wants to see the nozzle's water from behind it.
static const float s_nearest = 0.9f;
// Speed over the square root of gravity times reach: fast enough to go nearly straight.
static const float s_haste = 1.8f;
// What libtarn allows, m/s and m^3/s.
static const float s_mostSpeed = 150.0f;
static const float s_mostRate = 200.0f;

// The flat way of the two on which water of some speed gets from one place to another; 45 degrees up if it is too far.
static tnVec3 tnpAimHose(tnVec3 from, tnVec3 to, float speed, float gravity)
{
	const float x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
	const float level = sqrtf(x * x + z * z);
	if (!(level > 1.0e-3f))
	{
		return (tnVec3){0.0f, y < 0.0f ? -speed : speed, 0.0f};
	}
	const float square = speed * speed;
	const float root = square * square - gravity * (gravity * level * level + 2.0f * y * square);
	const float slope = root > 0.0f ? (square - sqrtf(root)) / (gravity * level) : 1.0f;
	const float along = speed / sqrtf(1.0f + slope * slope);
	return (tnVec3){along * x / level, along * slope, along * z / level};
}

tnResult tnpHoldHose(tnWorld* world, tnpHose* hose, tnVec3 eye, tnVec3 target, float radius, float strength)
{
	const float gravity = tnWorld_GetDef(world).gravity;
	const tnVec3 way = {eye.x - target.x, eye.y - target.y, eye.z - target.z};
	const float distance = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
	const float reach = fminf(s_reach * radius, s_nearest * distance);
	const float share = distance > 0.0f ? reach / distance : 0.0f;
	const float speed = fminf(s_haste * sqrtf(gravity * reach), s_mostSpeed);
	tnJetDef def = tnDefaultJetDef();
	def.position = (tnVec3){target.x + share * way.x, target.y + share * way.y, target.z + share * way.z};
	def.velocity = tnpAimHose(def.position, target, speed, gravity);
	def.radius = s_nozzle * radius;
	def.rate = fminf(3.14159265f * def.radius * def.radius * speed * strength, s_mostRate);
	const tnResult result =
		hose->isMade ? tnWorld_SetJet(world, hose->id, &def) : tnWorld_CreateJet(world, &def, &hose->id);
	hose->isMade = hose->isMade || result.status == tn_ok;
	hose->isOpen = result.status == tn_ok;
	return result;
}

tnResult tnpCloseHose(tnWorld* world, tnpHose* hose)
{
	if (hose->isOpen == false)
	{
		return (tnResult){0};
	}
	tnJetDef def = tnDefaultJetDef();
	def.rate = 0.0f;
	hose->isOpen = false;
	return tnWorld_SetJet(world, hose->id, &def);
}

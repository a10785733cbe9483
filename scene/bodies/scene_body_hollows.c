// SPDX-License-Identifier: MIT

// Boats: what a scene says of their hollows, and what a player does to them: holes and pumps.

#include "bodies/scene_bodies_model.h"

#include "bodies/scene_bodies.h"

#include <math.h>

// A click so near to a hole means that hole, meters.
#define TNS_HOLE_REACH 0.25f

tnResult tnsFillHollows(tnsRun* run, tnBodyId id, const tnsHoldRule* hold, tnVec3 center)
{
	tnResult result = {0};
	if (hold->heldCount + hold->leakCount + hold->pumpCount > 0 && run->water.world == NULL)
	{
		return (tnResult){
			tn_invalidArgument, "bodies among voxels have no hollows: no \"held\", \"leaks\" or \"pumps\""};
	}
	tnWorld* world = run->water.world;
	for (int i = 0; i < hold->heldCount && result.status == tn_ok; ++i)
	{
		tnHollowState state = {0};
		result = tnWorld_GetHollow(world, id, i, &state);
		if (result.status == tn_ok)
		{
			result = tnWorld_SetHollowWater(world, id, i, (double)hold->held[i] * (double)state.volume);
		}
	}
	for (int i = 0; i < hold->leakCount && result.status == tn_ok; ++i)
	{
		tnLeakDef leak = hold->leaks[i];
		leak.position = tnsSubtract(leak.position, center);
		result = tnWorld_SetLeak(world, id, i, &leak);
	}
	for (int i = 0; i < hold->pumpCount && result.status == tn_ok; ++i)
	{
		tnPumpDef pump = hold->pumps[i];
		pump.position = tnsSubtract(pump.position, center);
		result = tnWorld_SetPump(world, id, i, &pump);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// The player

// Square of the distance of a point from a triangle (Ericson 2004, 5.1.5).
static float tnsGetSquare(tnVec3 p, tnVec3 a, tnVec3 b, tnVec3 c)
{
	const tnVec3 ab = tnsSubtract(b, a), ac = tnsSubtract(c, a), ap = tnsSubtract(p, a);
	const tnVec3 normal = tnsCross(ab, ac);
	const float square = tnsDot(normal, normal);
	if (square > 0.0f)
	{
		const float v = tnsDot(tnsCross(ap, ac), normal) / square, w = tnsDot(tnsCross(ab, ap), normal) / square;
		if (v >= 0.0f && w >= 0.0f && v + w <= 1.0f)
		{
			const float away = tnsDot(ap, normal);
			return away * away / square;
		}
	}
	// Outside of it: its nearest edge.
	const tnVec3 corners[4] = {a, b, c, a};
	float nearest = INFINITY;
	for (int i = 0; i < 3; ++i)
	{
		const tnVec3 edge = tnsSubtract(corners[i + 1], corners[i]), from = tnsSubtract(p, corners[i]);
		const float length = tnsDot(edge, edge);
		const float share = length > 0.0f ? fmaxf(0.0f, fminf(1.0f, tnsDot(from, edge) / length)) : 0.0f;
		const tnVec3 off = tnsSubtract(from, tnsScale(edge, share));
		nearest = fminf(nearest, tnsDot(off, off));
	}
	return nearest;
}

// The hollow whose walls are nearest to a point in the frame of the body, or -1.
static int tnsFindHollowAt(const tnsRun* run, tnBodyId id, tnVec3 point)
{
	int best = -1;
	float nearest = INFINITY;
	const int count = tnWorld_GetHollowCount(run->water.world, id);
	for (int hollow = 0; hollow < count; ++hollow)
	{
		tnBodyMesh mesh = {0};
		(void)tnWorld_GetHollowMesh(run->water.world, id, hollow, &mesh);
		for (int i = 0; i < mesh.triangleCount; ++i)
		{
			const int32_t* corners = mesh.triangles + 3 * (ptrdiff_t)i;
			const float square =
				tnsGetSquare(point, mesh.points[corners[0]], mesh.points[corners[1]], mesh.points[corners[2]]);
			best = square < nearest ? hollow : best;
			nearest = square < nearest ? square : nearest;
		}
	}
	return best;
}

// The body, the point in its frame, and the hollow next to it.
static tnsResult tnsFindHold(const tnsRun* run, int index, tnVec3* point, int* hollow)
{
	if (tnsHasItem(run, index) == false)
	{
		return tnsMakeError(tns_invalidArgument, "there is no body %d", index);
	}
	if (run->water.world == NULL)
	{
		return tnsMakeError(tns_invalidArgument, "bodies among voxels have no hollows");
	}
	if (!(isfinite(point->x) && isfinite(point->y) && isfinite(point->z)))
	{
		return tnsMakeError(tns_invalidArgument, "the point must be finite");
	}
	const tnsBodyItem* item = run->bodies->items + index;
	*point = tnsToBody(&item->pose, *point);
	*hollow = tnsFindHollowAt(run, item->id, *point);
	return *hollow >= 0 ? (tnsResult){0} : tnsMakeError(tns_invalidArgument, "body %d is not hollow", index);
}

static tnsResult tnsTellHold(tnResult result)
{
	return result.status == tn_ok
		? (tnsResult){0}
		: tnsMakeError(result.status == tn_outOfMemory ? tns_outOfMemory : tns_worldError, "%s", result.text);
}

tnsResult tnsRun_HoleBody(tnsRun* run, int index, tnVec3 point, float area, bool* holed)
{
	int hollow = -1;
	const tnsResult known = tnsFindHold(run, index, &point, &hollow);
	if (known.status != tns_ok)
	{
		return known;
	}
	tnWorld* world = run->water.world;
	const tnBodyId id = run->bodies->items[index].id;
	int slot = -1, near = -1;
	float nearest = TNS_HOLE_REACH;
	for (int i = 0; i < TN_MAX_LEAKS; ++i)
	{
		tnLeakDef leak;
		const bool used = tnWorld_GetLeak(world, id, i, &leak);
		const float distance = used ? tnsGetLength(tnsSubtract(leak.position, point)) : INFINITY;
		slot = used == false && slot < 0 ? i : slot;
		near = distance < nearest ? i : near;
		nearest = distance < nearest ? distance : nearest;
	}
	if (near < 0 && slot < 0)
	{
		return tnsMakeError(tns_invalidArgument, "a body can have at most %d holes", TN_MAX_LEAKS);
	}
	tnLeakDef def = tnDefaultLeakDef();
	def.position = point;
	def.area = area;
	def.from = hollow;
	const tnsResult result = tnsTellHold(tnWorld_SetLeak(world, id, near >= 0 ? near : slot, near >= 0 ? NULL : &def));
	if (result.status == tns_ok && holed != NULL)
	{
		*holed = near < 0;
	}
	return result;
}

tnsResult tnsRun_PumpBody(tnsRun* run, int index, tnVec3 point, float rate, bool* runs)
{
	int hollow = -1;
	const tnsResult known = tnsFindHold(run, index, &point, &hollow);
	if (known.status != tns_ok)
	{
		return known;
	}
	tnWorld* world = run->water.world;
	const tnBodyId id = run->bodies->items[index].id;
	int slot = -1, there = -1;
	for (int i = 0; i < TN_MAX_LEAKS; ++i)
	{
		tnPumpDef pump;
		const bool used = tnWorld_GetPump(world, id, i, &pump);
		slot = used == false && slot < 0 ? i : slot;
		there = used && pump.from == hollow ? i : there;
	}
	if (there < 0 && slot < 0)
	{
		return tnsMakeError(tns_invalidArgument, "a body can have at most %d pumps", TN_MAX_LEAKS);
	}
	tnPumpDef def = tnDefaultPumpDef();
	def.position = point;
	def.rate = rate;
	def.from = hollow;
	const tnsResult result =
		tnsTellHold(tnWorld_SetPump(world, id, there >= 0 ? there : slot, there >= 0 ? NULL : &def));
	if (result.status == tns_ok && runs != NULL)
	{
		*runs = there < 0;
	}
	return result;
}

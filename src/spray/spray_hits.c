// SPDX-License-Identifier: MIT

// Water in the air meets bodies.
//
// Particles fly against bodies that move: a part of a flight is seen from the body, from where the body was to where it will be,
// and stops at the first triangle that it enters. So nothing is too thin or too fast. What was outside stays outside, since a
// body begins each step where the last one ended for spray: there it was expected, and where it really came to differs by the
// work of forces within a step. A particle ends TN_SKIN above the surface, and goes on along it.
//
// Water that meets a surface loses the part of its velocity across it, but for TN_BODY_BOUNCE of that:
//
//   dv = -(1 + bounce) (v_rel . n) n / (1 + k (m + M))        k = 1/mass + |r x n|^2 / (least inertia)
//
// with m its mass and M that of all that met the body in the step before: together they cannot push a light body further than
// it would go along with them. Along the surface it loses TN_RUB of the same; and a hard hit scatters it, as a jet spreads
// where it meets a plate: to all sides, so that it pushes to none. Once in a step, since the body gives way only after it.
// What rests on a body runs outwards, and some of it joins the column below, TN_REST on the mean after it has come to rest:
// columns cannot hold water on top of a body, but nor shall it lie there forever.
//
// The body gets what the water loses, in whole numbers of 2^-20 N s: sums do not depend on the order, and so not on workers.

#include "../flow/cell_disc.h"
#include "spray.h"

#include <math.h>
#include <string.h>

// Share of the speed across a surface that is left after meeting it, and what it loses along it as a share of the change.
#define TN_BODY_BOUNCE 0.1f
#define TN_RUB 0.1f
// Scatter over the speed across, for hits faster than TN_HARD_HIT, m/s.
#define TN_SCATTER 0.5f
#define TN_HARD_HIT 1.0f
// Acceleration outwards of what lies on a body, m/s^2; speed below which it rests, m/s; and time after which it seeps off, s.
#define TN_RUN_OFF 2.0f
#define TN_REST_SPEED 0.3f
#define TN_REST 1.0f
// Steepest surface to lie on: y of its normal.
#define TN_LEVEL 0.3f
// Distance that particles keep from bodies, m.
#define TN_SKIN 0.002
// Surfaces that a part of a flight can meet.
#define TN_MOST_TURNS 4

// ---------------------------------------------------------------------------------------------------------------------
// Frames

static float tnGetLength(tnVec3 v)
{
	return sqrtf(v.x * v.x + v.z * v.z + v.y * v.y);
}

static tnVec3 tnSubtract(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// @param share of the step
// @param shift of the body, to the place at which a world that wraps shows it
static tnFrame tnGetFrame(const tnObstacle* item, float share, tnVec2 shift)
{
	// Most flights take one step, and all have these two moments.
	tnFrame frame = share == 0.0f ? item->begin : (share == 1.0f ? item->end : tnObstacle_GetFrame(item, share));
	frame.position[0] += shift.x;
	frame.position[2] += shift.z;
	return frame;
}

static void tnEnterFrame(const tnFrame* frame, tnVec3 p, double out[3])
{
	const double d[3] = {p.x - frame->position[0], p.y - frame->position[1], p.z - frame->position[2]};
	for (int k = 0; k < 3; ++k)
	{
		out[k] = frame->axes[k][0] * d[0] + frame->axes[k][1] * d[1] + frame->axes[k][2] * d[2];
	}
}

// A direction, in the axes of the world.
static void tnTurnOut(const tnFrame* frame, const double p[3], double out[3])
{
	for (int k = 0; k < 3; ++k)
	{
		out[k] = frame->axes[0][k] * p[0] + frame->axes[1][k] * p[1] + frame->axes[2][k] * p[2];
	}
}

static tnVec3 tnLeaveFrame(const tnFrame* frame, const double p[3])
{
	double d[3];
	tnTurnOut(frame, p, d);
	return (tnVec3){
		(float)(frame->position[0] + d[0]), (float)(frame->position[1] + d[1]), (float)(frame->position[2] + d[2])};
}

// ---------------------------------------------------------------------------------------------------------------------
// The first that is met

typedef struct tnPath
{
	tnVec3 from, to;
	float begin, end; // shares of the step
} tnPath;

typedef struct tnSprayHit
{
	int body; // index, or -1
	tnVec2 shift;
	float share; // of the path
	double from[3], way[3];
	double normal[3]; // these in the frame of the body
} tnSprayHit;

// Of a place: around a world that wraps if that is nearer.
static tnVec2 tnGetShift(const tnGrid* grid, tnVec3 body, tnVec3 place)
{
	const float sizeX = (float)grid->columnCount * grid->cellSize;
	const float sizeZ = (float)grid->rowCount * grid->cellSize;
	return (tnVec2){grid->wrapX ? sizeX * floorf((place.x - body.x) / sizeX + 0.5f) : 0.0f,
		grid->wrapZ ? sizeZ * floorf((place.z - body.z) / sizeZ + 0.5f) : 0.0f};
}

// Is a path so far from a body that they cannot meet?
// @param length of the path, m
static bool tnIsFar(const tnSprayBall* ball, const tnPath* path, float length, tnVec2 shift)
{
	const tnVec3 b = ball->center;
	const tnVec3 away = {path->to.x - b.x - shift.x, path->to.y - b.y, path->to.z - b.z - shift.z};
	const float reach = ball->reach + length;
	return away.x * away.x + away.y * away.y + away.z * away.z > reach * reach;
}

// The next body in the list that may be near, from entry `i` on; the count of bodies if there is none.
static int tnNextNear(const tnSprayBodies* obstacles, int count, uint64_t near, int i)
{
	const int bit = i >> obstacles->shift;
	const uint64_t left = bit < 64 ? near >> bit : 0;
	if (left == 0)
	{
		return count;
	}
	return tnMinInt((left & 1) != 0 ? i : (bit + tnFindLowestBit64(left)) << obstacles->shift, count);
}

// Is a path far from all bodies that may be near? Most are.
static bool tnIsFarFromAll(
	const tnSprayBodies* obstacles, const tnSprayStep* step, uint64_t near, const tnPath* path, float length)
{
	const int count = step->bodies->count;
	for (int i = tnNextNear(obstacles, count, near, 0); i < count; i = tnNextNear(obstacles, count, near, i + 1))
	{
		const tnSprayBall* ball = obstacles->balls + i;
		if (!tnIsFar(ball, path, length, tnGetShift(step->grid, ball->center, path->to)))
		{
			return false;
		}
	}
	return true;
}

static tnSprayHit tnFindHit(const tnSprayBodies* obstacles, const tnSprayStep* step, uint64_t near, const tnPath* path)
{
	const tnBodies* bodies = step->bodies;
	tnSprayHit first = {.body = -1, .share = 2.0f};
	const float length = tnGetLength(tnSubtract(path->to, path->from));
	const int count = bodies->count;
	for (int i = tnNextNear(obstacles, count, near, 0); i < count; i = tnNextNear(obstacles, count, near, i + 1))
	{
		const tnSprayBall* ball = obstacles->balls + i;
		const tnVec2 shift = tnGetShift(step->grid, ball->center, path->to);
		if (tnIsFar(ball, path, length, shift))
		{
			continue;
		}
		const int index = bodies->list[i];
		const tnObstacle* item = obstacles->items + index;
		const tnFrame begin = tnGetFrame(item, path->begin, shift);
		const tnFrame end = tnGetFrame(item, path->end, shift);
		tnMeshWay way;
		tnEnterFrame(&begin, path->from, way.from);
		tnEnterFrame(&end, path->to, way.way);
		for (int k = 0; k < 3; ++k)
		{
			way.way[k] -= way.from[k];
		}
		tnMeshHit hit;
		if (tnMeshTree_Cast(&item->tree, &tnBodies_Get(bodies, index)->mesh, &way, tn_entering, &hit) &&
			(float)hit.at < first.share)
		{
			first = (tnSprayHit){.body = index, .shift = shift, .share = (float)hit.at};
			memcpy(first.from, way.from, sizeof(first.from));
			memcpy(first.way, way.way, sizeof(first.way));
			memcpy(first.normal, hit.normal, sizeof(first.normal));
		}
	}
	return first;
}

// The end of a path is where the body was met, and what is left of the way goes along it: `out` in its frame, m.
static void tnStopAt(
	const tnSprayBodies* obstacles, const tnBodies* bodies, const tnSprayHit* hit, double place[3], double out[3])
{
	const double* n = hit->normal;
	const double t = hit->share;
	const double* d = hit->way;
	const double across = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
	tnMeshWay off;
	for (int k = 0; k < 3; ++k)
	{
		off.from[k] = hit->from[k] + t * d[k];
		off.way[k] = 2.0 * TN_SKIN * n[k];
	}
	// Not into what is right before it.
	tnMeshHit next;
	const tnObstacle* item = obstacles->items + hit->body;
	const bool narrow = tnMeshTree_Cast(&item->tree, &tnBodies_Get(bodies, hit->body)->mesh, &off, tn_entering, &next);
	// In a corner so narrow that floats cannot tell its sides it goes nowhere.
	const bool stuck = narrow && next.at < 0.1;
	for (int k = 0; k < 3; ++k)
	{
		place[k] = stuck ? hit->from[k] : off.from[k] + 0.5 * (narrow ? next.at : 1.0) * off.way[k];
		out[k] = stuck ? place[k] : place[k] + (1.0 - t) * (d[k] - across * n[k]);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What happens then

static void tnAddSum(int64_t* sum, double value)
{
	// Particles of more than a million N s do not add up; 2^20 of them with some hits each must fit.
	const double limit = 1099511627776.0;
	const double units = value * TN_IMPULSE_UNITS;
	const double kept = units > limit ? limit : (units < -limit ? -limit : units);
	*sum += (int64_t)(kept < 0.0 ? kept - 0.5 : kept + 0.5);
}

// Book an impulse at a place from the centre of mass.
static void tnBookImpulse(int64_t* sums, const double r[3], const double p[3], double mass)
{
	for (int k = 0; k < 3; ++k)
	{
		const int a = (k + 1) % 3;
		const int b = (k + 2) % 3;
		tnAddSum(sums + k, p[k]);
		tnAddSum(sums + 3 + k, r[a] * p[b] - r[b] * p[a]);
	}
	tnAddSum(sums + 6, mass);
}

// To any side, as often as to the other. Signs are seen from the body: in mirrored worlds they are mirrored.
static void tnScatter(uint32_t random, const double r[3], const float n[3], float speed, float v[3])
{
	float kick[3];
	for (int k = 0; k < 3; ++k)
	{
		const float share = 2.0f * tnNextFraction(&random) - 1.0f;
		kick[k] = TN_SCATTER * speed * (r[k] < 0.0 && k != 1 ? -share : share);
	}
	const float across = kick[0] * n[0] + kick[1] * n[1] + kick[2] * n[2];
	for (int k = 0; k < 3; ++k)
	{
		v[k] += kick[k] - across * n[k];
	}
}

// Run outwards.
static void tnRunOff(const double r[3], const float n[3], float change, float v[3])
{
	const double across = r[0] * n[0] + r[1] * n[1] + r[2] * n[2];
	double d[3];
	for (int k = 0; k < 3; ++k)
	{
		d[k] = r[k] - across * n[k];
	}
	const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	for (int k = 0; k < 3 && length > 1.0e-6; ++k)
	{
		v[k] += change * (float)(d[k] / length);
	}
}

// A particle has met a body at r from its centre of mass, with a normal n. Returns whether it seeps off.
static bool tnMeetBody(
	tnSpray* spray, const tnSprayStep* step, int index, int bodyIndex, const double r[3], const float n[3], int worker)
{
	tnSprayParticle* particle = spray->particles + index;
	const tnBody* body = tnBodies_Get(step->bodies, bodyIndex);
	const tnObstacle* item = spray->bodies.items + bodyIndex;
	const double cellArea = (double)step->grid->cellSize * step->grid->cellSize;
	const double mass = TN_WATER_DENSITY * (double)spray->units[index] / TN_SPRAY_UNITS * cellArea;
	const tnVec3 own = tnMotion_At(&body->motion, (tnVec3){(float)r[0], (float)r[1], (float)r[2]});
	const tnVec3 old = particle->velocity;
	float v[3] = {old.x - own.x, old.y - own.y, old.z - own.z};
	const float across = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
	if (!(across < 0.0f))
	{
		return false;
	}
	const double arm[3] = {r[1] * n[2] - r[2] * n[1], r[2] * n[0] - r[0] * n[2], r[0] * n[1] - r[1] * n[0]};
	const double ease = item->massInverse + item->spinInverse * (arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
	const float change = (float)(-(1.0 + TN_BODY_BOUNCE) * across / (1.0 + ease * (mass + item->hitMass)));
	const float along[3] = {v[0] - across * n[0], v[1] - across * n[1], v[2] - across * n[2]};
	const float speed = sqrtf(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
	const float rub = speed > TN_RUB * change ? TN_RUB * change / speed : 1.0f;
	for (int k = 0; k < 3; ++k)
	{
		v[k] += change * n[k] - rub * along[k];
	}
	if (across < -TN_HARD_HIT)
	{
		tnScatter(tnScramble(particle->seed ^ (uint32_t)step->stepCount * 0x27d4eb2fu), r, n, -across, v);
	}
	else if (n[1] > TN_LEVEL)
	{
		tnRunOff(r, n, TN_RUN_OFF * step->timeStep, v);
	}
	particle->velocity = (tnVec3){v[0] + own.x, v[1] + own.y, v[2] + own.z};
	const tnVec3 now = particle->velocity;
	const double p[3] = {
		mass * ((double)old.x - now.x), mass * ((double)old.y - now.y), mass * ((double)old.z - now.z)};
	tnBookImpulse(
		spray->bodies.sums + ((ptrdiff_t)worker * spray->bodies.capacity + bodyIndex) * TN_HIT_SUMS, r, p, mass);
	const float left = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	uint32_t random = particle->seed + (uint32_t)step->stepCount * 0x9e3779b1u;
	return n[1] > TN_LEVEL && left < TN_REST_SPEED && tnNextFraction(&random) * TN_REST < step->timeStep;
}

// The cell whose column a place belongs to, if it is below its surface or `seeps`; else -1.
static int32_t tnFindColumn(const tnGrid* grid, tnVec3 place, bool seeps)
{
	int column = (int)floorf((place.x - grid->origin.x) / grid->cellSize);
	int row = (int)floorf((place.z - grid->origin.z) / grid->cellSize);
	column = grid->wrapX ? (column + grid->columnCount) % grid->columnCount : column;
	row = grid->wrapZ ? (row + grid->rowCount) % grid->rowCount : row;
	if (column < 0 || column >= grid->columnCount || row < 0 || row >= grid->rowCount)
	{
		return -1;
	}
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	return seeps || place.y < grid->bed[cell] + tnGrid_GetHeight(grid, cell) ? row * grid->columnCount + column : -1;
}

// Follow a path to its end. Returns the cell in which it ends before, or -1.
static int32_t tnFollowPath(
	tnSpray* spray, const tnSprayStep* step, int index, uint64_t near, tnPath* path, tnContact* contact)
{
	for (int turn = 0; turn < TN_MOST_TURNS; ++turn)
	{
		const tnSprayHit hit = tnFindHit(&spray->bodies, step, near, path);
		if (hit.body < 0)
		{
			return -1;
		}
		const tnObstacle* item = spray->bodies.items + hit.body;
		const float moment = path->begin + hit.share * (path->end - path->begin);
		const tnFrame frame = tnGetFrame(item, moment, hit.shift);
		const tnFrame last = tnGetFrame(item, path->end, hit.shift);
		double place[3], out[3], r[3], n[3];
		tnStopAt(&spray->bodies, step->bodies, &hit, place, out);
		tnTurnOut(&frame, place, r);
		tnTurnOut(&frame, hit.normal, n);
		const tnVec3 point = tnLeaveFrame(&frame, place);
		const int32_t below = tnFindColumn(step->grid, point, false);
		if (below >= 0)
		{
			path->to = point;
			return below;
		}
		if (contact != NULL && !contact->hasHit)
		{
			const float normal[3] = {(float)n[0], (float)n[1], (float)n[2]};
			contact->hasHit = true;
			if (tnMeetBody(spray, step, index, hit.body, r, normal, contact->worker))
			{
				path->to = point;
				return tnFindColumn(step->grid, point, true);
			}
		}
		// The last turn stays at the surface.
		const bool stays = turn == TN_MOST_TURNS - 1 || contact == NULL;
		*path = (tnPath){point, tnLeaveFrame(&last, stays ? place : out), moment, path->end};
		if (stays)
		{
			return -1;
		}
	}
	return -1;
}

// ---------------------------------------------------------------------------------------------------------------------
// Those that begin inside

// The way out of a body, m: along an axis of the world, up if others are no shorter. False if it is outside.
static bool tnFindWayOut(
	const tnBody* body, const tnObstacle* item, const tnFrame* frame, tnVec3 place, tnVec3* out, double normal[3])
{
	static const tnVec3 axes[6] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}};
	const double reach = 2.0 * (double)body->mesh.radius + 1.0;
	double nearest = 2.0;
	tnMeshWay way;
	tnEnterFrame(frame, place, way.from);
	// Beside its box one of the axes leads away from it.
	if (!tnMeshTree_MayHold(&item->tree, way.from))
	{
		return false;
	}
	for (int i = 0; i < 6; ++i)
	{
		tnMeshHit hit;
		for (int k = 0; k < 3; ++k)
		{
			way.way[k] =
				reach * (frame->axes[k][0] * axes[i].x + frame->axes[k][1] * axes[i].y + frame->axes[k][2] * axes[i].z);
		}
		if (!tnMeshTree_Cast(&item->tree, &body->mesh, &way, i == 0 ? tn_anyCrossing : tn_leaving, &hit) ||
			(i == 0 && hit.normal[0] * way.way[0] + hit.normal[1] * way.way[1] + hit.normal[2] * way.way[2] <= 0.0))
		{
			return false;
		}
		if (hit.at < nearest)
		{
			const float length = (float)(hit.at * reach + 2.0 * TN_SKIN);
			nearest = hit.at;
			*out = (tnVec3){length * axes[i].x, length * axes[i].y, length * axes[i].z};
			memcpy(normal, hit.normal, sizeof(hit.normal));
		}
	}
	return true;
}

static void tnPushOut(
	tnSpray* spray, const tnSprayStep* step, int index, uint64_t near, tnPath* path, tnContact* contact)
{
	const tnBodies* bodies = step->bodies;
	const float length = tnGetLength(tnSubtract(path->to, path->from));
	const tnSprayBodies* obstacles = &spray->bodies;
	const int count = bodies->count;
	for (int i = tnNextNear(obstacles, count, near, 0); i < count; i = tnNextNear(obstacles, count, near, i + 1))
	{
		const int bodyIndex = bodies->list[i];
		const tnBody* body = tnBodies_Get(bodies, bodyIndex);
		const tnObstacle* item = obstacles->items + bodyIndex;
		const tnSprayBall* ball = obstacles->balls + i;
		const tnVec2 shift = tnGetShift(step->grid, ball->center, path->to);
		if (!(contact->isNew || item->hasJumped) || tnIsFar(ball, path, length, shift))
		{
			continue;
		}
		const tnFrame frame = tnGetFrame(item, path->begin, shift);
		tnVec3 out = {0};
		double normal[3] = {0};
		double local[3], r[3], n[3];
		if (!tnFindWayOut(body, item, &frame, path->from, &out, normal))
		{
			continue;
		}
		path->from = (tnVec3){path->from.x + out.x, path->from.y + out.y, path->from.z + out.z};
		path->to = path->from;
		tnEnterFrame(&frame, path->from, local);
		tnTurnOut(&frame, local, r);
		tnTurnOut(&frame, normal, n);
		const float outwards[3] = {(float)n[0], (float)n[1], (float)n[2]};
		if (!contact->hasHit)
		{
			contact->hasHit = true;
			tnMeetBody(spray, step, index, bodyIndex, r, outwards, contact->worker);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

// Bodies near a way of any length.
static uint64_t tnFindNear(const tnSprayBodies* obstacles, const tnGrid* grid, tnVec3 from, tnVec3 to)
{
	const tnVec3 d = tnSubtract(to, from);
	const float cells = tnMaxFloat(tnAbsFloat(d.y), tnMaxFloat(tnAbsFloat(d.x), tnAbsFloat(d.z))) / grid->cellSize;
	// Bodies are marked two cells around them, above and below, too.
	const int count = 1 + (int)tnMinFloat(cells, 4096.0f);
	uint64_t near = 0;
	for (int i = 1; i <= count; ++i)
	{
		const float share = (float)i / (float)count;
		near |= tnSprayBodies_Find(
			obstacles, grid, (tnVec3){from.x + share * d.x, from.y + share * d.y, from.z + share * d.z});
	}
	return near;
}

static tnVec3 tnRoundPlace(const tnSpray* spray, tnVec3 p)
{
	return tnSpray_GetPlace(spray, p.x - spray->center.x, p.y, p.z - spray->center.z);
}

int32_t tnSpray_MeetBodies(tnSpray* spray, const tnSprayStep* step, int index, tnVec3 before, tnContact* contact)
{
	tnSprayParticle* particle = spray->particles + index;
	const uint64_t near = tnFindNear(&spray->bodies, step->grid, before, particle->position);
	if (near == 0)
	{
		return -1;
	}
	tnPath path = {before, particle->position, contact->begin, contact->end};
	if (tnIsFarFromAll(&spray->bodies, step, near, &path, tnGetLength(tnSubtract(path.to, path.from))))
	{
		particle->position = tnRoundPlace(spray, path.to);
		return -1;
	}
	if (contact->begin == 0.0f && (contact->isNew || spray->bodies.haveJumped))
	{
		tnPushOut(spray, step, index, near, &path, contact);
	}
	const int32_t landing = tnFollowPath(spray, step, index, near, &path, contact);
	particle->position = tnRoundPlace(spray, path.to);
	return landing;
}

void tnSpray_StopAtBodies(tnSpray* spray, const tnSprayStep* step, tnVec3 from, tnVec3* to)
{
	const uint64_t near = spray->bodies.isAny ? tnFindNear(&spray->bodies, step->grid, from, *to) : 0;
	if (near != 0)
	{
		tnPath path = {from, *to, 1.0f, 1.0f};
		tnFollowPath(spray, step, 0, near, &path, NULL);
		*to = tnRoundPlace(spray, path.to);
	}
}

// SPDX-License-Identifier: MIT

// What the user does to bodies: hold and move, throw, stack, cut loose.

#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>

// A notch of the wheel moves what is held by this factor.
static const float s_reachPerNotch = 1.08f;
// A hand that is slower than this lets go, a faster one throws, m/s; and no hand is faster than the second.
static const float s_slowestThrow = 1.0f;
static const float s_fastestThrow = 30.0f;
// The speed of the hand is a mean over about this time, seconds.
static const float s_handMemory = 0.08f;
// Bodies of a row stand so far apart, in sizes: they do not touch at first.
static const float s_rowGap = 1.03f;
// On a body whose middle is nearer than this, in sizes, a new one goes into the middle.
static const float s_nearMiddle = 0.75f;
// Most bodies of a row in one picture.
static const int s_rowPerFrame = 8;
// A throw at a place takes so long, seconds.
static const float s_shortestFlight = 0.5f;
static const float s_longestFlight = 2.0f;

static tnVec3 tnpAddScaled(tnVec3 a, tnVec3 b, float scale)
{
	return (tnVec3){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static tnVec3 tnpSubtract(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static float tnpDot(tnVec3 a, tnVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float tnpLength(tnVec3 a)
{
	return sqrtf(tnpDot(a, a));
}

// Those of columns or of voxels. NULL without a scene.
static tnsRun* tnpGetBodies(const tnpPlay* play)
{
	return play->voxels != NULL ? tnsVoxelRun_GetBodies(play->voxels->run) : play->run;
}

static float tnpGetGravity(const tnpPlay* play)
{
	return play->voxels != NULL ? play->voxels->info->worldDef.gravity : tnWorld_GetDef(play->world).gravity;
}

// Where the camera looks, of length 1.
static tnVec3 tnpGetForward(const tnpPlay* play)
{
	const tnrCamera camera = tnpPlay_GetCamera(play);
	const tnVec3 view = tnpSubtract(camera.target, camera.eye);
	const float length = tnpLength(view);
	return length > 0.0f ? (tnVec3){view.x / length, view.y / length, view.z / length} : (tnVec3){0.0f, -1.0f, 0.0f};
}

bool tnpIsBoatTool(tnpTool tool)
{
	return tool == tnp_holeTool || tool == tnp_pumpTool;
}

bool tnpIsBodyTool(tnpTool tool)
{
	return (tool >= tnp_grabTool && tool <= tnp_cutTool) || tnpIsBoatTool(tool);
}

bool tnpHasHollows(const tnpPlay* play)
{
	bool any = false;
	for (int i = 0; play->run != NULL && i < tnsRun_GetBodyEnd(play->run) && any == false; ++i)
	{
		tnsBody body;
		any = tnsRun_GetBody(play->run, i, &body) && tnWorld_GetHollowCount(play->world, body.id) > 0;
	}
	return any;
}

float tnpGetBodySize(const tnpPlay* play)
{
	const float size = tnsGetBodyKindSize(play->hand.kind);
	return size > 0.0f ? size : play->values[tnp_bodySize];
}

void tnpUpdateHover(tnpPlay* play)
{
	tnpHand* hand = &play->hand;
	hand->hovered = -1;
	const bool points = play->mouseKnown && play->windowWidth > 0.0f && play->panel.inside == false;
	const bool busy = play->drag == tnp_turnDrag || play->drag == tnp_panDrag || play->drag == tnp_panelDrag;
	if (tnpIsBodyTool(play->tool) == false || points == false || busy)
	{
		return;
	}
	tnVec3 origin, direction;
	float distance = 0.0f;
	tnpGetCursorRay(play, &origin, &direction);
	const int body = tnsRun_PickBody(tnpGetBodies(play), origin, direction, &distance, &hand->hoverPoint);
	// Through water one can reach, through a hill not.
	const tnVec3 toGround = tnpSubtract(play->cursor.point, origin);
	const bool behind = play->cursor.hit && play->cursor.water == false && tnpLength(toGround) < distance - 0.01f;
	hand->hovered = body >= 0 && behind == false ? body : -1;
}

// ---------------------------------------------------------------------------------------------------------------------
// The hand

// The point under the cursor on the plane in which the hand moves.
static tnVec3 tnpGetHandPlace(const tnpPlay* play)
{
	tnVec3 origin, direction;
	tnpGetCursorRay(play, &origin, &direction);
	const float along = tnpDot(direction, tnpGetForward(play));
	// At the rim of the widest picture the ray leans by less than this.
	return tnpAddScaled(origin, direction, play->hand.depth / (along > 0.1f ? along : 0.1f));
}

static bool tnpGrab(tnpPlay* play)
{
	tnpHand* hand = &play->hand;
	if (hand->hovered < 0)
	{
		return false;
	}
	if (play->level != NULL && tnsLevel_MayTouch(play->level, hand->hovered) == false)
	{
		tnpPlay_ShowMessage(play, "Hands off: the water has to move this one");
		return false;
	}
	const tnsResult result = tnsRun_GrabBody(tnpGetBodies(play), hand->hovered, hand->hoverPoint);
	if (result.status != tns_ok)
	{
		tnpPlay_ShowMessage(play, result.text);
		return false;
	}
	if (play->paused)
	{
		tnpPlay_ShowMessage(play, "Bodies move when the water runs: press space");
	}
	tnpNotePlace(play, tnp_grabInput, hand->hovered, hand->hoverPoint, false);
	hand->held = hand->hovered;
	hand->target = hand->from = hand->hoverPoint;
	hand->velocity = (tnVec3){0.0f, 0.0f, 0.0f};
	hand->depth = tnpDot(tnpSubtract(hand->hoverPoint, tnpPlay_GetCamera(play).eye), tnpGetForward(play));
	return true;
}

void tnpMoveHand(tnpPlay* play, double seconds)
{
	tnpHand* hand = &play->hand;
	if (hand->held < 0)
	{
		return;
	}
	tnsBody body;
	if (tnsRun_GetBody(tnpGetBodies(play), hand->held, &body) == false || body.grabbed == false)
	{
		// It has left the world, or the scene has taken it.
		hand->held = -1;
		return;
	}
	hand->from = hand->target;
	hand->target = tnpGetHandPlace(play);
	if (seconds > 0.0)
	{
		const float share = (float)(1.0 - exp(-seconds / (double)s_handMemory));
		const tnVec3 way = tnpSubtract(hand->target, hand->from);
		const float rate = (float)(1.0 / seconds);
		const tnVec3 now = {way.x * rate, way.y * rate, way.z * rate};
		hand->velocity = tnpAddScaled(hand->velocity, tnpSubtract(now, hand->velocity), share);
	}
}

void tnpDragHand(tnpPlay* play, float share)
{
	const tnpHand* hand = &play->hand;
	if (hand->held >= 0)
	{
		const tnVec3 place = tnpAddScaled(hand->from, tnpSubtract(hand->target, hand->from), share);
		tnsRun_DragBody(tnpGetBodies(play), place);
		tnpNotePlace(play, tnp_dragInput, hand->held, place, false);
	}
}

void tnpReachHand(tnpPlay* play, float notches)
{
	tnpHand* hand = &play->hand;
	const float depth = hand->depth * powf(s_reachPerNotch, notches);
	const float farthest = 4.0f * play->camera.extent;
	hand->depth = depth < farthest ? depth : farthest;
}

static void tnpRelease(tnpPlay* play, const tnVec3* velocity)
{
	if (play->hand.held >= 0)
	{
		tnsRun_ReleaseBody(tnpGetBodies(play), velocity);
		tnpNotePlace(play, tnp_releaseInput, play->hand.held, velocity != NULL ? *velocity : (tnVec3){0.0f, 0.0f, 0.0f},
			velocity != NULL);
	}
	play->hand.held = -1;
}

void tnpEndHand(tnpPlay* play)
{
	const tnVec3 velocity = play->hand.velocity;
	const float speed = tnpLength(velocity);
	const float most = speed > s_fastestThrow ? s_fastestThrow / speed : 1.0f;
	const tnVec3 thrown = {velocity.x * most, velocity.y * most, velocity.z * most};
	tnpRelease(play, speed > s_slowestThrow && play->paused == false ? &thrown : NULL);
}

void tnpForgetHand(tnpPlay* play)
{
	if (tnpGetBodies(play) != NULL)
	{
		tnpRelease(play, NULL);
	}
	play->hand.held = play->hand.hovered = -1;
}

// As far as suits the world: across a pond, not out of a bathtub.
static float tnpGetThrowSpeed(const tnpPlay* play)
{
	const float speed = 0.6f * sqrtf(tnpGetGravity(play) * play->camera.extent);
	return speed < 3.0f ? 3.0f : speed > 20.0f ? 20.0f : speed;
}

// Away from the eye, a little upwards.
static tnVec3 tnpGetThrow(const tnpPlay* play)
{
	tnVec3 origin, direction;
	tnpGetCursorRay(play, &origin, &direction);
	const float speed = tnpGetThrowSpeed(play);
	const float flat = sqrtf(direction.x * direction.x + direction.z * direction.z);
	const float scale = flat > 1.0e-3f ? 0.9f * speed / flat : 0.0f;
	return (tnVec3){direction.x * scale, 0.45f * speed, direction.z * scale};
}

void tnpThrowHand(tnpPlay* play)
{
	const tnVec3 velocity = tnpGetThrow(play);
	tnpRelease(play, &velocity);
}

// ---------------------------------------------------------------------------------------------------------------------
// Clicks

static bool tnpAddBody(tnpPlay* play, tnVec3 place, int* index)
{
	int added = -1;
	tnpNotePlace(play, tnp_stackInput, 0, place, false);
	const tnsResult result = play->level != NULL
		? tnsLevel_Stack(play->level, place, index)
		: tnsRun_AddBody(tnpGetBodies(play), play->hand.kind, place, tnpGetBodySize(play), &added);
	if (result.status != tns_ok)
	{
		tnpPlay_ShowMessage(play, result.text);
	}
	else if (play->level == NULL)
	{
		const tnpBuiltItem item = {.tool = tnp_stackTool,
			.kind = play->hand.kind,
			.place = place,
			.radius = tnpGetBodySize(play),
			.body = added};
		tnpBuilt_Add(&play->past.built, &item);
		if (index != NULL)
		{
			*index = added;
		}
	}
	return result.status == tns_ok;
}

static void tnpGiveVelocity(tnpPlay* play, int index, tnVec3 place, tnVec3 velocity)
{
	const tnsResult result = tnsRun_GrabBody(tnpGetBodies(play), index, place);
	if (result.status != tns_ok)
	{
		tnpPlay_ShowMessage(play, result.text);
		return;
	}
	tnsRun_ReleaseBody(tnpGetBodies(play), &velocity);
}

// The nearest place over the world, a body's size away from its edges: cameras stand outside, bodies begin inside.
static tnVec3 tnpKeepInside(const tnpPlay* play, tnVec3 place)
{
	const float margin = tnpGetBodySize(play);
	if (play->voxels != NULL)
	{
		const tnpStage stage = tnpVoxels_GetStage(play->voxels);
		place.x = fminf(fmaxf(place.x, stage.low.x + margin), fmaxf(stage.high.x - margin, stage.low.x));
		place.y = fmaxf(place.y, stage.high.y);
		place.z = fminf(fmaxf(place.z, stage.low.z + margin), fmaxf(stage.high.z - margin, stage.low.z));
		return place;
	}
	const tnWorldDef def = tnWorld_GetDef(play->world);
	const float width = def.cellSize * (float)def.columnCount, length = def.cellSize * (float)def.rowCount;
	place.x = fminf(fmaxf(place.x, def.origin.x + margin), fmaxf(def.origin.x + width - margin, def.origin.x));
	place.z = fminf(fmaxf(place.z, def.origin.z + margin), fmaxf(def.origin.z + length - margin, def.origin.z));
	return place;
}

// Throw the body under the cursor away, or a new one at the cursor: along the parabola that ends there.
static void tnpThrow(tnpPlay* play)
{
	if (play->hand.hovered >= 0)
	{
		tnpGiveVelocity(play, play->hand.hovered, play->hand.hoverPoint, tnpGetThrow(play));
		return;
	}
	if (play->cursor.hit == false)
	{
		return;
	}
	const tnrCamera camera = tnpPlay_GetCamera(play);
	const tnVec3 way = tnpSubtract(play->cursor.point, camera.eye);
	// Cameras that see a whole world are far out: the hand is not.
	const float reach = 0.5f * play->camera.extent, distance = tnpLength(way);
	const float skip = distance > reach ? 1.0f - reach / distance : 0.0f;
	const tnVec3 start = tnpKeepInside(play, tnpAddScaled(camera.eye, way, skip));
	const float left = tnpLength(tnpSubtract(play->cursor.point, start));
	float flight = left / (1.5f * tnpGetThrowSpeed(play));
	flight = flight < s_shortestFlight ? s_shortestFlight : flight > s_longestFlight ? s_longestFlight : flight;
	const float gravity = tnpGetGravity(play);
	tnVec3 velocity = tnpSubtract(play->cursor.point, start);
	velocity = (tnVec3){velocity.x / flight, velocity.y / flight + 0.5f * gravity * flight, velocity.z / flight};
	int index = -1;
	if (tnpAddBody(play, start, &index))
	{
		tnpGiveVelocity(play, index, start, velocity);
	}
}

static void tnpCut(tnpPlay* play)
{
	tnsBody body;
	if (play->hand.hovered < 0 || tnsRun_GetBody(tnpGetBodies(play), play->hand.hovered, &body) == false)
	{
		return;
	}
	const int hovered = play->hand.hovered;
	tnpNotePlace(play, tnp_cutInput, hovered, play->hand.hoverPoint, false);
	const tnsResult result =
		play->level != NULL ? tnsLevel_Cut(play->level, hovered) : tnsRun_CutLoose(tnpGetBodies(play), hovered);
	tnpPlay_ShowMessage(play, result.status != tns_ok ? result.text : body.tied ? "Cut loose" : "Nothing holds it");
}

// A hole or a pump where the cursor is on a boat.
static void tnpWorkOnBoat(tnpPlay* play)
{
	// Of a hole, m^2, and of a pump, m^3/s, at strength 1: a rowing boat is full in a minute, and dry again in as much.
	const float area = 0.01f, rate = 0.03f;
	const tnpHand* hand = &play->hand;
	if (hand->hovered < 0)
	{
		return;
	}
	if (play->level != NULL && tnsLevel_MayTouch(play->level, hand->hovered) == false)
	{
		tnpPlay_ShowMessage(play, "Hands off: the water has to move this one");
		return;
	}
	const float strength = play->values[tnp_brushStrength];
	const bool holes = play->tool == tnp_holeTool;
	bool done = false;
	const tnsResult result = holes
		? tnsRun_HoleBody(play->run, hand->hovered, hand->hoverPoint, area * strength, &done)
		: tnsRun_PumpBody(play->run, hand->hovered, hand->hoverPoint, rate * strength, &done);
	tnpPlay_ShowMessage(play,
		result.status != tns_ok ? result.text
			: holes             ? (done ? "Holed" : "Mended")
								: (done ? "The pump runs" : "The pump is gone"));
}

// Where a new body goes: on what is under the cursor. On something small in the middle of it, wherever the cursor is on
// it: a click on a crate, be it on its side, puts one straight on top.
static bool tnpGetStackPlace(const tnpPlay* play, tnVec3* place)
{
	const tnpHand* hand = &play->hand;
	if (play->ghost >= 0)
	{
		// The ghost that was clicked on, wherever behind it the ground is.
		const tnVec2 ghost =
			tnsLevel_GetInfo(play->level)->tools[tnsLevel_FindTool(play->level, "stack")].places[play->ghost];
		*place = (tnVec3){ghost.x, play->cursor.point.y, ghost.z};
		return true;
	}
	*place = hand->hovered >= 0 ? hand->hoverPoint : play->cursor.point;
	tnsBody body;
	if (hand->hovered >= 0 && tnsRun_GetBody(tnpGetBodies(play), hand->hovered, &body))
	{
		const tnVec3 middle = body.pose.position;
		if (hypotf(place->x - middle.x, place->z - middle.z) < s_nearMiddle * tnpGetBodySize(play))
		{
			place->x = middle.x;
			place->z = middle.z;
		}
	}
	return hand->hovered >= 0 || play->cursor.hit;
}

static bool tnpStack(tnpPlay* play)
{
	if (play->keys[tnp_shiftKey])
	{
		if (play->hand.hovered >= 0)
		{
			const int hovered = play->hand.hovered;
			tnpNotePlace(play, tnp_takeInput, hovered, play->hand.hoverPoint, false);
			const tnsResult result = play->level != NULL ? tnsLevel_TakeBack(play->level, hovered)
														 : tnsRun_RemoveBody(tnpGetBodies(play), hovered);
			tnpBuilt_RemoveBody(&play->past.built, hovered);
			tnpPlay_ShowMessage(play, result.status == tns_ok ? "Taken away" : result.text);
		}
		return false;
	}
	tnVec3 place;
	if (tnpGetStackPlace(play, &place) == false || tnpAddBody(play, place, NULL) == false)
	{
		return false;
	}
	// On a body the cursor is elsewhere than on the ground behind it.
	play->hand.rowEnd = place;
	play->hand.rowOffset = play->cursor.hit ? tnpSubtract(place, play->cursor.point) : (tnVec3){0.0f, 0.0f, 0.0f};
	return play->cursor.hit;
}

tnpDrag tnpBeginHand(tnpPlay* play)
{
	if (play->replay.playing)
	{
		tnpPlay_ShowMessage(play, "This is a replay: R begins again");
		return tnp_strokeDrag;
	}
	if (play->paused && tnpWorksPaused(play, play->tool) == false)
	{
		tnpPlay_ShowMessage(play, "The level waits: press space");
		return tnp_strokeDrag;
	}
	play->ghost = tnpFindGhost(play);
	if (play->hand.hovered >= 0 ||
		((play->cursor.hit || play->ghost >= 0) && (play->tool == tnp_throwTool || play->tool == tnp_stackTool)))
	{
		tnpPlay_Remember(play);
	}
	switch (play->tool)
	{
		case tnp_grabTool:
			return tnpGrab(play) ? tnp_handDrag : tnp_turnDrag;
		case tnp_throwTool:
			tnpThrow(play);
			break;
		case tnp_stackTool:
			return tnpStack(play) ? tnp_rowDrag : tnp_strokeDrag;
		case tnp_cutTool:
			tnpCut(play);
			break;
		case tnp_holeTool:
		case tnp_pumpTool:
			tnpWorkOnBoat(play);
			break;
		default:
			break;
	}
	// Nothing more until the button is up again.
	return tnp_strokeDrag;
}

void tnpGrowRow(tnpPlay* play)
{
	const float gap = s_rowGap * tnpGetBodySize(play);
	for (int i = 0; i < s_rowPerFrame && play->drag == tnp_rowDrag && play->cursor.hit; ++i)
	{
		const tnVec3 end = play->hand.rowEnd, goal = tnpAddScaled(play->cursor.point, play->hand.rowOffset, 1.0f);
		const float dx = goal.x - end.x, dz = goal.z - end.z;
		const float distance = sqrtf(dx * dx + dz * dz);
		if (!(distance >= gap))
		{
			return;
		}
		const tnVec2 next = {end.x + dx / distance * gap, end.z + dz / distance * gap};
		const float height = play->voxels != NULL ? goal.y : tnWorld_Sample(play->world, next).surface;
		const tnVec3 place = {next.x, height, next.z};
		if (tnpAddBody(play, place, NULL) == false)
		{
			play->drag = tnp_strokeDrag;
			return;
		}
		play->hand.rowEnd = place;
	}
}

// SPDX-License-Identifier: MIT

// What a level marks in the world: fires that burn until they are out, houses, places to go to and to keep away from,
// where a tool may be used, the nozzle and the avatar.

#include "panel/icons.h"
#include "viewer/play_internal.h"

#include <math.h>

static const tnrColor s_goodColor = 0x74dd8aff;
static const tnrColor s_riskColor = 0xffb454ff;

// A place on the screen, in units of the panel, and units per meter there.
typedef struct tnpSpot
{
	float x, y, scale;
} tnpSpot;

static bool tnpFindSpot(const tnpPlay* play, const tnrCamera* camera, tnVec3 place, tnpSpot* spot)
{
	const tnVec3 above = {place.x, place.y + 1.0f, place.z};
	const float unit = tnpGetUnit(play);
	float x, y, x1, y1;
	if (tnpProject(camera, play->windowWidth, play->windowHeight, place, &x, &y) == false ||
		tnpProject(camera, play->windowWidth, play->windowHeight, above, &x1, &y1) == false)
	{
		return false;
	}
	// Seen from above an upright meter is short: flames and badges are not.
	const tnVec3 way = {place.x - camera->eye.x, place.y - camera->eye.y, place.z - camera->eye.z};
	const float distance = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
	const float scale = 0.5f * play->windowHeight / (tanf(0.5f * camera->fieldOfView) * fmaxf(distance, 0.1f));
	*spot = (tnpSpot){x / unit, y / unit, scale / unit};
	return fabsf(x) < 4.0f * play->windowWidth && fabsf(y) < 4.0f * play->windowHeight;
}

// Somewhere over a place, on ground or water; in voxels below a ceiling.
static tnVec3 tnpLiftBelow(const tnpPlay* play, tnVec2 place, float ceiling)
{
	const float surface = play->voxels != NULL ? tnpVoxels_GetTop(play->voxels, place, ceiling)
											   : tnWorld_Sample(play->world, place).surface;
	return (tnVec3){place.x, surface, place.z};
}

static tnVec3 tnpLift(const tnpPlay* play, tnVec2 place, float height)
{
	tnVec3 lifted = tnpLiftBelow(play, place, INFINITY);
	lifted.y += height;
	return lifted;
}

// A tag over a place with something drawn on it by the caller.
static bool tnpDrawTag(tnpPlay* play, const tnrCamera* camera, tnVec3 place, float lift, tnrColor color, tnpSpot* spot)
{
	if (tnpFindSpot(play, camera, place, spot) == false)
	{
		return false;
	}
	tnrOverlay* overlay = play->panel.overlay;
	const float foot = spot->y;
	spot->y -= lift;
	tnrOverlay_Line(overlay, spot->x, foot, spot->x, spot->y + 11.0f, 1.5f, (color & 0xffffff00u) | 0x90u);
	tnrOverlay_Disc(overlay, spot->x, spot->y, 13.0f, color);
	tnrOverlay_Disc(overlay, spot->x, spot->y, 11.0f, 0x0e171df0);
	return true;
}

static void tnpDrawHouse(tnrOverlay* overlay, const tnpSpot* spot, tnrColor color)
{
	tnrOverlay_Triangle(overlay, spot->x - 7.0f, spot->y, spot->x + 7.0f, spot->y, spot->x, spot->y - 6.5f, color);
	tnrOverlay_Rectangle(overlay, spot->x - 4.5f, spot->y - 0.5f, 9.0f, 6.0f, 0.5f, color);
}

static void tnpDrawCheck(tnrOverlay* overlay, const tnpSpot* spot, tnrColor color)
{
	tnrOverlay_Line(overlay, spot->x - 5.0f, spot->y, spot->x - 1.0f, spot->y + 4.0f, 2.4f, color);
	tnrOverlay_Line(overlay, spot->x - 1.0f, spot->y + 4.0f, spot->x + 5.5f, spot->y - 4.0f, 2.4f, color);
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions

// A point of the outline of a region, by the share of the way around it.
static tnVec2 tnpGetRim(const tnRegionDef* region, float share)
{
	if (region->shape == tn_discRegion)
	{
		const float angle = 6.2831853f * share;
		return (tnVec2){
			region->center.x + region->extent.x * cosf(angle), region->center.z + region->extent.x * sinf(angle)};
	}
	const float way = 4.0f * share;
	const float along = 2.0f * (way - floorf(way)) - 1.0f;
	const int side = (int)way % 4;
	const tnVec2 corner = side == 0 ? (tnVec2){along, -1.0f}
		: side == 1                 ? (tnVec2){1.0f, along}
		: side == 2                 ? (tnVec2){-along, 1.0f}
									: (tnVec2){-1.0f, -along};
	return (tnVec2){region->center.x + corner.x * region->extent.x, region->center.z + corner.z * region->extent.z};
}

// @param dashed every other piece only
static void tnpDrawRegion(
	tnpPlay* play, const tnrCamera* camera, const tnRegionDef* region, float ceiling, tnrColor color, bool dashed)
{
	enum
	{
		pieces = 64,
	};
	const tnpStage stage = tnpGetStage(play);
	tnpSpot last = {0};
	bool seen = false;
	for (int i = 0; i <= pieces; ++i)
	{
		tnVec2 rim = tnpGetRim(region, (float)(i % pieces) / (float)pieces);
		// Just inside of the last cell.
		const float edge = 0.01f * stage.cellSize;
		rim.x = fminf(fmaxf(rim.x, stage.low.x), stage.high.x - edge);
		rim.z = fminf(fmaxf(rim.z, stage.low.z), stage.high.z - edge);
		tnpSpot spot;
		const bool visible = tnpFindSpot(play, camera, tnpLiftBelow(play, rim, ceiling), &spot);
		if (visible && seen && (dashed == false || i % 2 == 0))
		{
			tnrOverlay_Line(play->panel.overlay, last.x, last.y, spot.x, spot.y, dashed ? 1.5f : 2.5f, color);
		}
		last = spot;
		seen = visible;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Fire

// A number in [0, 1) for each tongue, always the same.
static float tnpScatter(int index, int purpose)
{
	const float value = sinf(12.9898f * (float)index + 78.233f * (float)purpose) * 43758.547f;
	return value - floorf(value);
}

// A tongue of fire: discs that get smaller and sway more the higher they are.
static void tnpDrawTongue(tnrOverlay* overlay, const tnpSpot* foot, float height, float phase, float time)
{
	static const tnrColor colors[] = {0xd8361a70, 0xff7a1eb0, 0xffc84ad0, 0xfff3b0e0};
	static const float sizes[] = {1.0f, 0.78f, 0.5f, 0.26f};
	const float beat = 0.8f + 0.2f * sinf(9.0f * time + 6.0f * phase) + 0.1f * sinf(23.0f * time + 11.0f * phase);
	for (int layer = 0; layer < 4; ++layer)
	{
		const int pieces = 10;
		const float tall = height * beat * (0.35f + 0.65f * sizes[layer]);
		for (int i = 0; i < pieces; ++i)
		{
			// Closer together where they are small, up to just below the tip.
			const float down = 1.0f - (float)i / (float)pieces, up = 1.0f - down * sqrtf(down);
			const float sway = 0.16f * height * up * up * sinf(7.0f * time - 4.0f * up + 17.0f * phase);
			const float radius = 0.24f * height * sizes[layer] * (1.0f - up) * (0.85f + 0.9f * up);
			tnrOverlay_Disc(overlay, foot->x + sway, foot->y - tall * up - 0.1f * height, radius, colors[layer]);
		}
	}
}

// Puffs that rise, grow and fade; dark over a fire, white over one that is out.
static void tnpDrawSmoke(
	tnrOverlay* overlay, const tnpSpot* foot, float height, float time, uint32_t shade, float dense)
{
	const int puffs = 9;
	for (int i = 0; i < puffs; ++i)
	{
		const float age = 0.22f * time + (float)i / (float)puffs, life = age - floorf(age);
		const float x = foot->x + height * (0.5f * life * life + 0.12f * sinf(5.0f * life + 2.4f * (float)i));
		const float y = foot->y - height * (0.7f + 2.2f * life);
		const float fade = dense * fminf(4.0f * life, 1.0f) * (1.0f - life);
		for (int rim = 1; rim <= 3; ++rim)
		{
			const float radius = height * (0.14f + 0.36f * life) * (0.4f + 0.2f * (float)rim);
			tnrOverlay_Disc(overlay, x, y, radius, shade << 8 | (uint32_t)(110.0f * fade));
		}
	}
}

static void tnpDrawFire(tnpPlay* play, const tnrCamera* camera, const tnRegionDef* region, float strength)
{
	enum
	{
		tongues = 7,
	};
	tnrOverlay* overlay = play->panel.overlay;
	const float time = (float)fmod(play->pictureTime, 1000.0);
	const float deep = region->shape == tn_discRegion ? region->extent.x : region->extent.z;
	const float size = fminf(region->extent.x, deep);
	tnpSpot middle;
	if (tnpFindSpot(play, camera, tnpLift(play, region->center, 0.0f), &middle) == false)
	{
		return;
	}
	// In meters twice as high as the place is wide, but never too small to be seen.
	const float height = fmaxf(2.0f * size * middle.scale, 16.0f);
	if (!(strength > 0.0f))
	{
		tnpDrawSmoke(overlay, &middle, 0.7f * height, time, 0xdfe6eau, 0.22f);
		return;
	}
	tnpDrawSmoke(overlay, &middle, height, time, 0x2a2622u, 0.3f);
	for (int i = 12; i >= 1; --i)
	{
		tnrOverlay_Disc(overlay, middle.x, middle.y - 0.3f * height, 0.1f * height * (float)i, 0xff8a2a0a);
	}
	// From the back to the front: farther ones are higher on the screen.
	for (int i = 0; i < tongues; ++i)
	{
		const float across = 2.0f * tnpScatter(i, 1) - 1.0f, depth = 2.0f * ((float)i + 0.5f) / (float)tongues - 1.0f;
		const tnVec2 place = {
			region->center.x + 0.65f * region->extent.x * across, region->center.z + 0.65f * deep * depth};
		tnpSpot foot;
		if (tnpFindSpot(play, camera, tnpLift(play, place, 0.0f), &foot))
		{
			const float tall = height * (0.7f + 0.5f * tnpScatter(i, 2)) * (0.35f + 0.65f * strength);
			tnpDrawTongue(overlay, &foot, tall, tnpScatter(i, 3), time);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Goals

// How bad it stands with a place that shall be spared, 0 to 1.
static float tnpGetDanger(const tnsGoal* goal, const tnsGoalReport* report)
{
	if (goal->loses)
	{
		return report->progress;
	}
	const bool kept = goal->atMost ? report->value <= report->limit : report->value >= report->limit;
	return kept ? 0.0f : 1.0f;
}

static void tnpDrawTarget(tnpPlay* play, const tnrCamera* camera, const tnRegionDef* region, float ceiling, bool done)
{
	const tnrColor color = done ? s_goodColor : g_tnpAccentColor;
	tnpDrawRegion(play, camera, region, ceiling, color, false);
	tnpSpot spot;
	const float bob = done ? 0.0f : 4.0f * sinf(4.0f * (float)fmod(play->pictureTime, 1000.0));
	if (tnpDrawTag(play, camera, tnpLiftBelow(play, region->center, ceiling), 34.0f + bob, color, &spot) == false)
	{
		return;
	}
	if (done)
	{
		tnpDrawCheck(play->panel.overlay, &spot, color);
		return;
	}
	// An arrow down.
	tnrOverlay_Line(play->panel.overlay, spot.x, spot.y - 6.0f, spot.x, spot.y + 1.0f, 2.6f, color);
	tnrOverlay_Triangle(
		play->panel.overlay, spot.x - 5.0f, spot.y, spot.x + 5.0f, spot.y, spot.x, spot.y + 6.5f, color);
}

static void tnpDrawGoalMark(tnpPlay* play, const tnrCamera* camera, int index)
{
	const tnsGoal* goal = tnsLevel_GetInfo(play->level)->goals + index;
	if (goal->mark == tns_noMark || goal->region < 0)
	{
		return;
	}
	const tnsGoalReport report = tnsLevel_GetGoal(play->level, index);
	const tnRegionDef region = tnsScene_GetRegionDef(tnsRun_GetScene(tnsLevel_GetRun(play->level)), goal->region);
	const float ceiling = goal->high;
	const float danger = tnpGetDanger(goal, &report);
	const tnrColor color = danger > 0.66f ? g_tnpWarnColor : danger > 0.05f ? s_riskColor : s_goodColor;
	tnpSpot spot;
	switch (goal->mark)
	{
		case tns_houseMark:
			if (tnpDrawTag(play, camera, tnpLiftBelow(play, region.center, ceiling), 52.0f, color, &spot))
			{
				tnpDrawHouse(play->panel.overlay, &spot, color);
			}
			break;
		case tns_fireMark:
			tnpDrawFire(play, camera, &region, report.done ? 0.0f : 1.0f - 0.6f * report.progress);
			break;
		case tns_targetMark:
			tnpDrawTarget(play, camera, &region, ceiling, report.done);
			break;
		case tns_dangerMark:
			tnpDrawRegion(play, camera, &region, ceiling, danger > 0.66f ? g_tnpWarnColor : s_riskColor, false);
			break;
		case tns_noMark:
		case tns_goalMarkCount:
			break;
	}
}

// Twelve edges of a body that is not there yet.
static void tnpDrawGhost(tnpPlay* play, const tnrCamera* camera, tnVec3 place, tnrColor color, float width)
{
	tnVec3 low, high;
	tnpGetGhostBox(play, place, &low, &high);
	for (int axis = 0; axis < 3; ++axis)
	{
		for (int side = 0; side < 4; ++side)
		{
			float ends[2][3];
			for (int end = 0; end < 2; ++end)
			{
				const float l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
				const int first = (axis + 1) % 3, second = (axis + 2) % 3;
				ends[end][axis] = end == 0 ? l[axis] : h[axis];
				ends[end][first] = side % 2 == 0 ? l[first] : h[first];
				ends[end][second] = side / 2 == 0 ? l[second] : h[second];
			}
			tnpSpot a, b;
			if (tnpFindSpot(play, camera, (tnVec3){ends[0][0], ends[0][1], ends[0][2]}, &a) &&
				tnpFindSpot(play, camera, (tnVec3){ends[1][0], ends[1][1], ends[1][2]}, &b))
			{
				tnrOverlay_Line(play->panel.overlay, a.x, a.y, b.x, b.y, width, color);
			}
		}
	}
}

// Where bodies of the tool stack belong, and where the next click puts one.
static void tnpDrawGhosts(tnpPlay* play, const tnrCamera* camera)
{
	const int tool = tnsLevel_FindTool(play->level, "stack");
	if (tool < 0 || tnsLevel_GetState(play->level) != tns_levelPlaying || !(tnsLevel_GetLeft(play->level, tool) > 0.0))
	{
		return;
	}
	const tnsLevelTool* stack = tnsLevel_GetInfo(play->level)->tools + tool;
	const bool chosen = play->tool == tnp_stackTool;
	for (int i = 0; i < stack->placeCount; ++i)
	{
		if (tnsLevel_IsTaken(play->level, i) == false)
		{
			const tnVec3 place = {stack->places[i].x, play->cursor.point.y, stack->places[i].z};
			const bool pointed = chosen && i == play->ghost;
			tnpDrawGhost(play, camera, tnsLevel_Snap(play->level, place, NULL),
				pointed      ? 0xffe27aff
					: chosen ? 0xffffffc0
							 : 0xffffff60,
				pointed ? 2.5f : 1.5f);
		}
	}
	const bool busy = play->drag == tnp_turnDrag || play->drag == tnp_panDrag || play->drag == tnp_panelDrag;
	if (chosen && play->ghost < 0 && play->cursor.hit && play->touch == false && busy == false &&
		play->hand.hovered < 0)
	{
		tnpDrawGhost(play, camera, play->cursor.point, 0xffe27aa0, 1.5f);
	}
}

// Where the chosen tool may be used, where the water comes out, and whom the keys move.
static void tnpDrawPlayer(tnpPlay* play, const tnrCamera* camera)
{
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	const int tool = tnsLevel_FindTool(play->level, tnpGetToolName(play->tool));
	tnpSpot spot;
	tnsBody body;
	if (tool >= 0 && info->tools[tool].region >= 0)
	{
		const tnRegionDef area =
			tnsScene_GetRegionDef(tnsRun_GetScene(tnsLevel_GetRun(play->level)), info->tools[tool].region);
		tnpDrawRegion(play, camera, &area, INFINITY, 0xffffffa0, true);
	}
	if (info->hose.given && tnpDrawTag(play, camera, info->hose.position, 26.0f, g_tnpAccentColor, &spot))
	{
		tnpDrawToolIcon(play->panel.overlay, tnp_hoseTool, spot.x, spot.y, 7.0f, g_tnpTextColor);
	}
	if (info->avatar.given && tnsRun_GetBody(tnsLevel_GetRun(play->level), info->avatar.body, &body) &&
		tnpFindSpot(play, camera, body.pose.position, &spot))
	{
		const float y = spot.y - 22.0f;
		tnrOverlay_Triangle(
			play->panel.overlay, spot.x - 8.0f, y - 7.0f, spot.x + 8.0f, y - 7.0f, spot.x, y + 4.0f, 0x0e171dc0);
		tnrOverlay_Triangle(
			play->panel.overlay, spot.x - 6.0f, y - 6.0f, spot.x + 6.0f, y - 6.0f, spot.x, y + 2.0f, 0xffe27aff);
	}
}

void tnpShowLevelMarks(tnpPlay* play)
{
	if (play->level == NULL || tnpIsDrawing(play) == false)
	{
		return;
	}
	const tnrCamera camera = tnpPlay_GetCamera(play);
	for (int i = 0; i < tnsLevel_GetInfo(play->level)->goalCount; ++i)
	{
		tnpDrawGoalMark(play, &camera, i);
	}
	tnpDrawGhosts(play, &camera);
	tnpDrawPlayer(play, &camera);
}

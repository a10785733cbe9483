// SPDX-License-Identifier: MIT

// Levels: which tools there are, what the avatar and the hose do, what follows after the end, and the menu by keys.

#include "viewer/play_internal.h"

#include <math.h>
#include <string.h>

const tnsLevel* tnpPlay_GetLevel(const tnpPlay* play)
{
	return play->level;
}

bool tnpPlay_IsLevelWaiting(const tnpPlay* play)
{
	return play->level != NULL && play->paused && play->stepCount == 0;
}

static bool tnpIsSceneIndex(const tnpPlay* play, int scene)
{
	return scene >= 0 && scene < play->sceneCount;
}

bool tnpPlay_IsLevel(const tnpPlay* play, int scene)
{
	return tnpIsSceneIndex(play, scene) && play->levels[scene].given;
}

bool tnpPlay_IsLevelWon(const tnpPlay* play, int scene)
{
	return tnpPlay_IsLevel(play, scene) && play->levels[scene].won;
}

void tnpPlay_SetLevelWon(tnpPlay* play, int scene, bool won)
{
	if (tnpPlay_IsLevel(play, scene))
	{
		play->levels[scene].won = won;
	}
}

int tnpPlay_GetNextLevel(const tnpPlay* play)
{
	for (int i = play->sceneIndex + 1; i < play->sceneCount; ++i)
	{
		if (play->levels[i].given)
		{
			return i;
		}
	}
	return -1;
}

bool tnpHasAvatar(const tnpPlay* play)
{
	return play->level != NULL && tnsLevel_GetInfo(play->level)->avatar.given;
}

bool tnpLevelHasTool(const tnpPlay* play, tnpTool tool)
{
	return tool == tnp_lookTool || (tool == tnp_driveTool && tnpHasAvatar(play)) ||
		tnsLevel_FindTool(play->level, tnpGetToolName(tool)) >= 0;
}

void tnpFitLevelTool(tnpPlay* play)
{
	const int index = play->level != NULL ? tnsLevel_FindTool(play->level, tnpGetToolName(play->tool)) : -1;
	if (index < 0)
	{
		return;
	}
	// Those of the level hold: the ring shall show them, too.
	const tnsLevelTool* tool = tnsLevel_GetInfo(play->level)->tools + index;
	play->values[tnp_brushRadius] = tool->radius;
	play->values[tnp_brushStrength] = tool->strength;
	play->values[tnp_bodySize] = tool->size > 0.0f ? tool->size : play->values[tnp_bodySize];
	play->hand.kind = tool->kind;
}

tnpLevelBest tnpPlay_GetLevelBest(const tnpPlay* play, int scene)
{
	return tnpPlay_IsLevel(play, scene) ? play->levels[scene].best : (tnpLevelBest){0};
}

void tnpPlay_SetLevelBest(tnpPlay* play, int scene, tnpLevelBest best)
{
	if (tnpPlay_IsLevel(play, scene) == false || best.stars < 1 || !(best.time >= 0.0))
	{
		return;
	}
	tnpLevelBest* kept = &play->levels[scene].best;
	const bool first = kept->stars < 1;
	kept->time = first ? best.time : fmin(kept->time, best.time);
	kept->stars = best.stars > kept->stars ? best.stars : kept->stars;
	play->levels[scene].won = true;
}

bool tnpPlay_IsLevelOver(const tnpPlay* play)
{
	// Long enough to see how it ends.
	const double look = 1.2;
	return play->level != NULL && tnsLevel_GetState(play->level) != tns_levelPlaying && play->overSeconds >= look;
}

bool tnpWorksPaused(const tnpPlay* play, tnpTool tool)
{
	// Earth and pieces wait for nothing. Water that is poured, drained and pushed takes time, which is what a level counts.
	return play->level == NULL || (tool >= tnp_raiseTool && tool <= tnp_flattenTool) || tool == tnp_buildTool ||
		tool == tnp_digTool || tool == tnp_stackTool || tool == tnp_cutTool;
}

double tnpGetLevelPace(const tnpPlay* play)
{
	// The last second is worth three.
	const double slow = 0.35;
	if (play->level == NULL)
	{
		return 1.0;
	}
	const bool playing = tnsLevel_GetState(play->level) == tns_levelPlaying;
	return (playing ? tnsLevel_GetSuspense(play->level) < 1.0 : tnpPlay_IsLevelOver(play) == false) ? slow : 1.0;
}

// What is steered has to be a thirteenth of the picture high; what is a twenty-sixth already is seen well enough from where all is.
void tnpFollowAvatar(tnpPlay* play)
{
	const float wanted = 13.0f, enough = 26.0f;
	tnsBody body;
	if (tnpHasAvatar(play) == false || play->framesAll ||
		tnsRun_GetBody(tnsLevel_GetRun(play->level), tnsLevel_GetInfo(play->level)->avatar.body, &body) == false)
	{
		play->follows = false;
		return;
	}
	const float densityOfWood = 600.0f; // kg/m^3: about, for its size
	const float size = cbrtf(body.mass / densityOfWood);
	const float perDistance = 2.0f * tanf(0.5f * play->camera.fieldOfView);
	tnpPose* goal = &play->camera.goal;
	if (play->follows == false && tnpPlay_IsLevelWaiting(play) == false &&
		size * enough < play->overviewDistance * perDistance)
	{
		play->follows = true;
		play->followed = body.pose.position;
		goal->target = body.pose.position;
		goal->distance = fminf(goal->distance, size * wanted / perDistance);
		play->camera.untouched = false;
	}
	if (play->follows)
	{
		// Whoever looks aside goes on looking aside.
		goal->target.x += body.pose.position.x - play->followed.x;
		goal->target.y += body.pose.position.y - play->followed.y;
		goal->target.z += body.pose.position.z - play->followed.z;
		play->followed = body.pose.position;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Places of the tool stack

void tnpGetGhostBox(const tnpPlay* play, tnVec3 place, tnVec3* low, tnVec3* high)
{
	const int tool = tnsLevel_FindTool(play->level, "stack");
	const float half = 0.5f * tnsLevel_GetInfo(play->level)->tools[tool].size;
	*low = (tnVec3){place.x - half, place.y, place.z - half};
	*high = (tnVec3){place.x + half, place.y + 2.0f * half, place.z + half};
}

// Where a ray enters a box, or INFINITY.
static float tnpHitBox(tnVec3 origin, tnVec3 direction, tnVec3 low, tnVec3 high)
{
	const float o[3] = {origin.x, origin.y, origin.z}, d[3] = {direction.x, direction.y, direction.z};
	const float l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
	float enter = 0.0f, leave = INFINITY;
	for (int axis = 0; axis < 3; ++axis)
	{
		if (fabsf(d[axis]) < 1.0e-9f)
		{
			leave = o[axis] < l[axis] || o[axis] > h[axis] ? -1.0f : leave;
			continue;
		}
		const float a = (l[axis] - o[axis]) / d[axis], b = (h[axis] - o[axis]) / d[axis];
		enter = fmaxf(enter, fminf(a, b));
		leave = fminf(leave, fmaxf(a, b));
	}
	return enter <= leave ? enter : INFINITY;
}

int tnpFindGhost(const tnpPlay* play)
{
	const int tool = play->level != NULL ? tnsLevel_FindTool(play->level, "stack") : -1;
	if (tool < 0 || play->tool != tnp_stackTool || play->keys[tnp_shiftKey] || play->mouseKnown == false ||
		tnsLevel_GetState(play->level) != tns_levelPlaying || !(tnsLevel_GetLeft(play->level, tool) > 0.0))
	{
		return -1;
	}
	const tnsLevelTool* stack = tnsLevel_GetInfo(play->level)->tools + tool;
	tnVec3 origin, direction;
	tnpGetCursorRay(play, &origin, &direction);
	float nearest = INFINITY;
	int best = -1;
	for (int i = 0; i < stack->placeCount; ++i)
	{
		const tnVec2 place = stack->places[i];
		tnVec3 low, high;
		tnpGetGhostBox(
			play, tnsLevel_Snap(play->level, (tnVec3){place.x, play->cursor.point.y, place.z}, NULL), &low, &high);
		const float distance = tnpHitBox(origin, direction, low, high);
		if (distance < nearest && tnsLevel_IsTaken(play->level, i) == false)
		{
			nearest = distance;
			best = i;
		}
	}
	if (best < 0 && play->cursor.hit)
	{
		(void)tnsLevel_Snap(play->level, play->cursor.point, &best);
	}
	return best;
}

void tnpEnterLevel(tnpPlay* play)
{
	if (play->level == NULL)
	{
		// The pause was for reading about the level, which is gone.
		play->paused = play->paused && play->pausedForLevel == false;
		play->pausedForLevel = false;
		return;
	}
	play->paused = true;
	play->pausedForLevel = true;
	play->hintOpen = false;
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	play->tool = tnpHasAvatar(play) ? tnp_driveTool : tnp_lookTool;
	for (int i = 0; i < tnp_toolCount && info->toolCount > 0 && tnpHasAvatar(play) == false; ++i)
	{
		if (strcmp(tnpGetToolName((tnpTool)i), info->tools[0].name) == 0 &&
			tnpPlay_GetToolRefusal(play, (tnpTool)i) == NULL)
		{
			play->tool = (tnpTool)i;
		}
	}
	tnpFitLevelTool(play);
}

// ---------------------------------------------------------------------------------------------------------------------
// Each step

// From the keys, as the camera looks; or to where the drive tool points.
static tnVec2 tnpGetDrive(const tnpPlay* play)
{
	const bool* keys = play->keys;
	const float forward = (float)(keys['W'] - keys['S']), right = (float)(keys['D'] - keys['A']);
	tnsBody body;
	if (forward != 0.0f || right != 0.0f)
	{
		const tnrCamera camera = tnpPlay_GetCamera(play);
		const tnVec2 view = {camera.target.x - camera.eye.x, camera.target.z - camera.eye.z};
		const float length = hypotf(view.x, view.z);
		const tnVec2 ahead = length > 0.0f ? (tnVec2){view.x / length, view.z / length} : (tnVec2){0.0f, -1.0f};
		return (tnVec2){forward * ahead.x - right * ahead.z, forward * ahead.z + right * ahead.x};
	}
	if (play->stroking && play->stroke.tool == tnp_driveTool &&
		tnsRun_GetBody(tnsLevel_GetRun(play->level), tnsLevel_GetInfo(play->level)->avatar.body, &body))
	{
		const tnVec2 way = {play->stroke.center.x - body.pose.position.x, play->stroke.center.z - body.pose.position.z};
		// Softly over the last cell: it arrives instead of running to and fro.
		const float near = tnpGetStage(play).cellSize, length = hypotf(way.x, way.z);
		const float scale = length > near ? 1.0f / length : 1.0f / near;
		return (tnVec2){way.x * scale, way.z * scale};
	}
	return (tnVec2){0.0f, 0.0f};
}

// Where the hose is aimed: at the body under the cursor, or at the ground.
static tnVec3 tnpGetHoseTarget(const tnpPlay* play)
{
	tnVec3 origin, direction, point;
	float distance;
	tnpGetCursorRay(play, &origin, &direction);
	const tnVec3 ground = {play->stroke.center.x, play->cursor.point.y, play->stroke.center.z};
	const tnVec3 way = {ground.x - origin.x, ground.y - origin.y, ground.z - origin.z};
	const float farthest = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
	const int body = tnsRun_PickBody(tnsLevel_GetRun(play->level), origin, direction, &distance, &point);
	return body >= 0 && distance < farthest ? point : ground;
}

void tnpPrepareLevelStep(tnpPlay* play)
{
	if (play->level == NULL)
	{
		return;
	}
	if (tnpHasAvatar(play))
	{
		const tnVec2 drive = tnpGetDrive(play);
		tnsLevel_Drive(play->level, drive);
		if (drive.x != play->replay.drive.x || drive.z != play->replay.drive.z)
		{
			tnpNotePlace(play, tnp_driveInput, 0, (tnVec3){drive.x, 0.0f, drive.z}, false);
			play->replay.drive = drive;
		}
	}
	const bool hosing = play->stroking && play->stroke.tool == tnp_hoseTool;
	if (hosing || play->hosing)
	{
		const tnVec3 target = tnpGetHoseTarget(play);
		tnpNotePlace(play, tnp_hoseInput, 0, target, hosing);
		const tnsResult result = tnsLevel_AimHose(play->level, hosing ? &target : NULL);
		if (hosing && result.status != tns_ok)
		{
			tnpPlay_ShowMessage(play, result.text);
		}
	}
	play->hosing = hosing;
}

void tnpWatchLevel(tnpPlay* play)
{
	if (play->level == NULL)
	{
		return;
	}
	tnsLevel_Update(play->level);
	const tnsLevelState state = tnsLevel_GetState(play->level);
	if (state == tns_levelWon)
	{
		const tnpLevelBest best = {tnsLevel_GetStars(play->level).count, tnsLevel_GetTime(play->level)};
		tnpPlay_SetLevelBest(play, play->sceneIndex, best);
	}
	play->replay.playing = play->replay.playing && state == tns_levelPlaying;
}

// ---------------------------------------------------------------------------------------------------------------------
// The menu, and what the keys do to it

int tnpCountLevels(const tnpPlay* play, int* won)
{
	int count = 0;
	*won = 0;
	for (int i = 0; i < play->sceneCount; ++i)
	{
		count += play->levels[i].given ? 1 : 0;
		*won += play->levels[i].given && play->levels[i].won ? 1 : 0;
	}
	return count;
}

int tnpFindLevel(const tnpPlay* play, int place)
{
	for (int i = 0; place >= 0 && i < play->sceneCount; ++i)
	{
		place -= play->levels[i].given ? 1 : 0;
		if (place < 0 && play->levels[i].given)
		{
			return i;
		}
	}
	return -1;
}

void tnpToggleLevels(tnpPlay* play)
{
	int won;
	const int count = tnpCountLevels(play, &won);
	play->levelsOpen = play->levelsOpen == false && count > 0;
	play->levelItem = 0;
	// The one that is played, or the first that has not been won.
	for (int i = count - 1; i >= 0; --i)
	{
		const int scene = tnpFindLevel(play, i);
		const bool here = scene == play->sceneIndex;
		const bool first = play->level == NULL && play->levels[scene].won == false;
		play->levelItem = here || first ? i : play->levelItem;
	}
}

void tnpChooseLevel(tnpPlay* play, int scene)
{
	if (scene >= 0 && tnpPlay_SetScene(play, scene).ok)
	{
		play->levelsOpen = false;
	}
}

void tnpRestartLevel(tnpPlay* play)
{
	tnpPlay_Reset(play);
	play->paused = false;
}

static bool tnpPressMenuKey(tnpPlay* play, int key)
{
	int won;
	const int count = tnpCountLevels(play, &won);
	int item = play->levelItem;
	switch (key)
	{
		case tnp_upKey:
		case tnp_leftKey:
			item -= 1;
			break;
		case tnp_downKey:
		case tnp_rightKey:
			item += 1;
			break;
		case tnp_enterKey:
		case tnp_spaceKey:
			tnpChooseLevel(play, tnpFindLevel(play, item));
			return true;
		case tnp_escapeKey:
		case 'P':
			play->levelsOpen = false;
			return true;
		default:
			if (key >= '0' && key <= '9')
			{
				// The tenth is 0.
				tnpChooseLevel(play, tnpFindLevel(play, key == '0' ? 9 : key - '1'));
			}
			return key < tnp_shiftKey;
	}
	play->levelItem = (item + count) % count;
	return true;
}

bool tnpPressLevelKey(tnpPlay* play, int key)
{
	if (play->levelsOpen)
	{
		return tnpPressMenuKey(play, key);
	}
#ifndef TNP_WITHOUT_PANEL
	if (key == 'P')
	{
		tnpToggleLevels(play);
		return true;
	}
#endif
	if (play->level == NULL)
	{
		return false;
	}
	const tnsLevelState state = tnsLevel_GetState(play->level);
	const bool over = state != tns_levelPlaying;
	if (key == tnp_enterKey && tnpPlay_IsLevelWaiting(play))
	{
		play->paused = false;
		return true;
	}
	if (key == tnp_enterKey && over)
	{
		const int next = tnpPlay_GetNextLevel(play);
		if (state == tns_levelWon && next >= 0)
		{
			tnpChooseLevel(play, next);
		}
		else if (state == tns_levelLost)
		{
			tnpRestartLevel(play);
		}
		return true;
	}
	if (key == 'I')
	{
		play->hintOpen = !play->hintOpen;
		return true;
	}
	return tnpHasAvatar(play) && (key == 'W' || key == 'A' || key == 'S' || key == 'D');
}

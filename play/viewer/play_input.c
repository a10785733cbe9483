// SPDX-License-Identifier: MIT

// Mouse, fingers and keys.

#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>

// Radians of turn per pixel of the window: across 1000 pixels nearly a full turn.
static const float s_turnPerPixel = 0.006f;
// A notch of the wheel comes nearer by an eighth.
static const float s_zoomPerNotch = 0.88f;
// A key that is held turns by so much in a second, radians.
static const float s_turnPerSecond = 1.2f;

// ---------------------------------------------------------------------------------------------------------------------
// The cursor on the ground

void tnpGetCursorRay(const tnpPlay* play, tnVec3* origin, tnVec3* direction)
{
	const tnrCamera camera = tnpPlay_GetCamera(play);
	// Rays depend on the ratio of the sides and the place in the window alone, so window pixels do as well as real
	// ones; the factor keeps their fractions.
	const float fine = 16.0f;
	tnrGetPixelRay(&camera, (int)(fine * play->windowWidth), (int)(fine * play->windowHeight), fine * play->mouseX,
		fine * play->mouseY, origin, direction);
}

static tnVec2 tnpClampToWorld(const tnWorld* world, float x, float z)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	// The far edges are not inside; a thousandth of a cell away from them is.
	const float rim = 1.0e-3f * def.cellSize;
	const float east = def.origin.x + (float)def.columnCount * def.cellSize - rim;
	const float south = def.origin.z + (float)def.rowCount * def.cellSize - rim;
	x = x < def.origin.x ? def.origin.x : x > east ? east : x;
	z = z < def.origin.z ? def.origin.z : z > south ? south : z;
	return (tnVec2){x, z};
}

static bool tnpIsDigging(const tnpPlay* play)
{
	return play->stroking && play->stroke.tool >= tnp_raiseTool && play->stroke.tool <= tnp_flattenTool;
}

void tnpUpdateCursor(tnpPlay* play)
{
	tnRayHit hit = {0};
	if (play->mouseKnown == false || !(play->windowWidth > 0.0f) || (play->panel.inside && play->stroking == false))
	{
		play->cursor = hit;
		return;
	}
	if (play->voxels != NULL)
	{
		tnpUpdateVoxelCursor(play);
		return;
	}
	tnVec3 origin, direction;
	tnpGetCursorRay(play, &origin, &direction);
	// From any camera through the whole world.
	const float farthest = 10.0f * play->camera.extent;
	if (tnWorld_CastRay(play->world, origin, direction, farthest, &hit).status != tn_ok)
	{
		hit = (tnRayHit){0};
	}
	// Level with where the digging began, if the cursor still points down at it.
	const float down = play->strokePlane - origin.y;
	if (tnpIsDigging(play) && direction.y < -0.02f && down < 0.0f)
	{
		const float distance = down / direction.y;
		hit.hit = true;
		hit.point = (tnVec3){origin.x + distance * direction.x, play->strokePlane, origin.z + distance * direction.z};
	}
	if (hit.hit == false && play->stroking)
	{
		// Over the edge of the world: the stroke waits where it was.
		return;
	}
	if (hit.hit)
	{
		const tnVec2 inside = tnpClampToWorld(play->world, hit.point.x, hit.point.z);
		hit.point.x = inside.x;
		hit.point.z = inside.z;
	}
	play->cursor = hit;
}

// ---------------------------------------------------------------------------------------------------------------------
// Strokes

void tnpEndStroke(tnpPlay* play)
{
	play->stroking = false;
}

static tnpStroke tnpMakeStroke(const tnpPlay* play)
{
	tnpStroke stroke = {0};
	stroke.tool = play->tool;
	stroke.center = (tnVec2){play->cursor.point.x, play->cursor.point.z};
	stroke.radius = play->values[tnp_brushRadius];
	stroke.strength = play->values[tnp_brushStrength];
	stroke.height = tnWorld_Sample(play->world, stroke.center).bed;
	stroke.channel = play->dyeChannel;
	stroke.from = stroke.center;
	return stroke;
}

static void tnpBeginStroke(tnpPlay* play)
{
	if (play->replay.playing)
	{
		tnpPlay_ShowMessage(play, "This is a replay: R begins again");
		return;
	}
	if (play->paused && tnpWorksPaused(play, play->tool) == false)
	{
		tnpPlay_ShowMessage(play, "The level waits: press space");
		return;
	}
	if (play->voxels != NULL)
	{
		tnpBeginVoxelStroke(play);
		return;
	}
	const tnpStroke stroke = tnpMakeStroke(play);
	if (play->tool == tnp_dyeTool && play->dyeChannel < 0)
	{
		tnpPlay_ShowMessage(play, "This scene has no tracer, so there is nothing to dye with");
		return;
	}
	if (play->tool == tnp_sourceTool || play->tool == tnp_wellTool)
	{
		char text[128];
		tnpPlay_Remember(play);
		if (tnpClickSpring(play->world, &play->springs, &stroke, text, sizeof(text)).status == tn_ok)
		{
			const tnpBuiltItem item = {.tool = stroke.tool,
				.place = {stroke.center.x, 0.0f, stroke.center.z},
				.radius = stroke.radius,
				.amount = stroke.strength,
				.body = -1};
			tnpBuilt_Add(&play->past.built, &item);
		}
		tnpPlay_ShowMessage(play, text);
		return;
	}
	if (play->tool == tnp_rainTool && play->paused)
	{
		tnpPlay_ShowMessage(play, "Rain falls when the water runs: press space");
	}
	tnpPlay_Remember(play);
	play->stroke = stroke;
	play->strokePlane = play->cursor.point.y;
	play->stroking = true;
	play->strokePending = true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Mouse

static void tnpMovePanelMouse(tnpPlay* play)
{
	const float unit = tnpGetUnit(play);
	play->panel.x = play->mouseX / unit;
	play->panel.y = play->mouseY / unit;
}

static void tnpPanCamera(tnpPlay* play, float dx, float dy)
{
	const tnpStage stage = tnpGetStage(play);
	tnpCamera_Pan(&play->camera, &stage, dx, dy, play->windowHeight);
}

static void tnpZoomCamera(tnpPlay* play, tnVec3 point, float factor)
{
	const tnpStage stage = tnpGetStage(play);
	tnpCamera_Zoom(&play->camera, &stage, point, factor);
}

static void tnpMoveCamera(tnpPlay* play, float forward, float right, float up)
{
	const tnpStage stage = tnpGetStage(play);
	tnpCamera_Move(&play->camera, &stage, forward, right, up);
}

void tnpPlay_MouseMove(tnpPlay* play, float x, float y)
{
	if (!isfinite(x) || !isfinite(y) || fabsf(x) > 1.0e6f || fabsf(y) > 1.0e6f)
	{
		return;
	}
	const float dx = play->mouseKnown ? x - play->mouseX : 0.0f;
	const float dy = play->mouseKnown ? y - play->mouseY : 0.0f;
	play->mouseX = x;
	play->mouseY = y;
	play->mouseKnown = true;
	tnpMovePanelMouse(play);
	switch (play->drag)
	{
		case tnp_turnDrag:
			tnpCamera_Turn(&play->camera, -s_turnPerPixel * dx, s_turnPerPixel * dy);
			break;
		case tnp_panDrag:
			tnpPanCamera(play, dx, dy);
			break;
		case tnp_panelDrag:
		case tnp_noDrag:
			tnpPanelEvents(play, tnp_moveEvent, 0.0f);
			break;
		case tnp_strokeDrag:
		case tnp_handDrag:
		case tnp_rowDrag:
			break;
	}
}

static void tnpPressButton(tnpPlay* play, tnpButton button)
{
	if (play->drag == tnp_handDrag && button == tnp_rightButton)
	{
		tnpThrowHand(play);
		play->drag = tnp_noDrag;
	}
	if (play->drag != tnp_noDrag)
	{
		return;
	}
	play->dragButton = button;
	if (button == tnp_leftButton && tnpPanelEvents(play, tnp_pressEvent, 0.0f))
	{
		play->drag = tnp_panelDrag;
		return;
	}
	if (button != tnp_leftButton && tnpPanelEvents(play, tnp_moveEvent, 0.0f))
	{
		play->drag = tnp_panelDrag;
		return;
	}
	const bool shift = play->keys[tnp_shiftKey];
	if (button == tnp_middleButton || (button == tnp_rightButton && shift))
	{
		play->drag = tnp_panDrag;
		return;
	}
	tnpUpdateCursor(play);
	tnpUpdateHover(play);
	if (button == tnp_leftButton && tnpIsBodyTool(play->tool))
	{
		play->drag = tnpBeginHand(play);
		return;
	}
	if (button == tnp_rightButton || play->tool == tnp_lookTool || play->cursor.hit == false)
	{
		play->drag = tnp_turnDrag;
		return;
	}
	play->drag = tnp_strokeDrag;
	tnpBeginStroke(play);
}

static void tnpReleaseButton(tnpPlay* play, tnpButton button)
{
	if (play->drag == tnp_noDrag || button != play->dragButton)
	{
		return;
	}
	const tnpDrag drag = play->drag;
	play->drag = tnp_noDrag;
	// The panel has seen the press, even if it was not for it.
	play->panel.down = play->panel.down && drag == tnp_panelDrag;
	if (drag == tnp_panelDrag && button == tnp_leftButton)
	{
		tnpPanelEvents(play, tnp_releaseEvent, 0.0f);
	}
	else if (drag == tnp_strokeDrag)
	{
		tnpEndStroke(play);
	}
	else if (drag == tnp_handDrag)
	{
		tnpEndHand(play);
	}
}

void tnpPlay_MouseButton(tnpPlay* play, tnpButton button, bool down)
{
	if ((int)button < 0 || button >= tnp_buttonCount)
	{
		return;
	}
	if (down)
	{
		tnpPressButton(play, button);
	}
	else
	{
		tnpReleaseButton(play, button);
	}
}

// The place that stays where it is when the picture grows.
static tnVec3 tnpGetZoomPoint(tnpPlay* play)
{
	tnpUpdateCursor(play);
	return play->cursor.hit ? play->cursor.point : play->camera.goal.target;
}

void tnpPlay_Scroll(tnpPlay* play, float dx, float dy)
{
	(void)dx;
	if (!isfinite(dy) || dy == 0.0f)
	{
		return;
	}
	// Some wheels and pages send hundreds.
	dy = dy > 10.0f ? 10.0f : dy < -10.0f ? -10.0f : dy;
	if (tnpPanelEvents(play, tnp_wheelEvent, dy))
	{
		return;
	}
	if (play->drag == tnp_handDrag)
	{
		tnpReachHand(play, dy);
		return;
	}
	if (play->camera.flying)
	{
		tnpMoveCamera(play, 0.05f * play->camera.goal.distance * dy, 0.0f, 0.0f);
		return;
	}
	tnpZoomCamera(play, tnpGetZoomPoint(play), powf(s_zoomPerNotch, dy));
}

void tnpPlay_Pinch(tnpPlay* play, float dx, float dy, float zoom, float turn)
{
	// The first finger began a stroke that was not meant.
	tnpEndStroke(play);
	tnpForgetHand(play);
	play->strokePending = false;
	if (play->drag != tnp_noDrag && play->drag != tnp_panelDrag)
	{
		play->drag = tnp_noDrag;
	}
	tnpPanCamera(play, dx, dy);
	if (isfinite(zoom) && zoom > 0.0f)
	{
		tnpZoomCamera(play, play->camera.goal.target, 1.0f / zoom);
	}
	tnpCamera_Turn(&play->camera, turn, 0.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Keys

static void tnpScaleParameter(tnpPlay* play, tnpParameterIndex index, float factor)
{
	tnpChangeParameter(play, index, play->values[index] * factor);
	const tnpParameter parameter = tnpGetParameter(play, index);
	char text[96];
	snprintf(text, sizeof(text), "%s %.3g %s", parameter.title, (double)parameter.value, parameter.unit);
	tnpPlay_ShowMessage(play, text);
}

static void tnpChooseTool(tnpPlay* play, tnpTool tool)
{
	tnpPlay_SetTool(play, tool);
	if (tnpPlay_GetTool(play) != tool)
	{
		// It has said why.
		return;
	}
	char text[64];
	snprintf(text, sizeof(text), "%s", tnpGetToolName(tool));
	text[0] = (char)(text[0] - 'a' + 'A');
	tnpPlay_ShowMessage(play, text);
}

static void tnpChooseKind(tnpPlay* play, int step)
{
	tnpPlay_SetBodyKind(play, ((int)play->hand.kind + step + tns_bodyKindCount) % tns_bodyKindCount);
	tnpPlay_ShowMessage(play, play->level == NULL ? tnsGetBodyKindName(play->hand.kind) : "Levels say what is stacked");
}

static void tnpFrameCamera(tnpPlay* play)
{
	play->framesAll = true;
	const tnpStage stage = tnpGetStage(play);
	tnpCamera_Frame(&play->camera, &stage, tnpGetAspect(play));
}

// Voxels have one picture only, and one way to move.
static void tnpChooseView(tnpPlay* play, int step)
{
	if (play->voxels == NULL)
	{
		tnpPlay_SetView(play, (tnrView)(((int)play->look.view + step) % tnr_viewCount));
		tnpPlay_ShowMessage(play, g_tnpViewNames[play->look.view]);
	}
}

static void tnpChooseWay(tnpPlay* play, int step)
{
	const int way = play->voxels == NULL ? (tnpGetWay(play) + step) % TNP_WAY_COUNT : 0;
	if (play->voxels == NULL && tnpSetWay(play, way).ok)
	{
		char text[64];
		snprintf(text, sizeof(text), "Method: %s", g_tnpWayNames[way]);
		tnpPlay_ShowMessage(play, text);
	}
}

static void tnpChooseScene(tnpPlay* play, int step)
{
	const int index = (play->sceneIndex + step + play->sceneCount) % play->sceneCount;
	if (tnpPlay_SetScene(play, index).ok)
	{
		tnpPlay_ShowMessage(play, play->titles[index]);
	}
}

static void tnpStepThroughStrokes(tnpPlay* play, bool back)
{
	const bool done = back ? tnpPlay_Undo(play) : tnpPlay_Redo(play);
	const char* what = back ? "Undone" : "Done again";
	tnpPlay_ShowMessage(play,
		done                      ? what
			: play->level != NULL ? "Levels go one way only: R begins again"
			: back                ? "There is nothing to undo"
								  : "There is nothing to do again");
}

static void tnpPressEscape(tnpPlay* play)
{
	if (play->helpOpen || play->menuOpen)
	{
		play->helpOpen = false;
		play->menuOpen = false;
		return;
	}
	tnpChooseTool(play, tnp_lookTool);
}

static void tnpPressFunctionKey(tnpPlay* play, int key)
{
	switch (key)
	{
		case tnp_f1Key:
			play->helpOpen = !play->helpOpen;
			break;
		case tnp_f2Key:
		case tnp_tabKey:
			play->showPanel = !play->showPanel;
			break;
		case tnp_f3Key:
			play->folds.graphs = !play->folds.graphs;
			break;
		case tnp_f4Key:
			play->look.arrows = play->voxels == NULL && !play->look.arrows;
			break;
		case tnp_f5Key:
			play->recording = !play->recording;
			break;
		case tnp_f12Key:
			play->wantsScreenshot = true;
			break;
		default:
			break;
	}
}

static void tnpPressLetter(tnpPlay* play, int key)
{
	const float more = 1.2f;
	const bool shift = play->keys[tnp_shiftKey];
	const bool puts = play->tool == tnp_throwTool || play->tool == tnp_stackTool;
	const tnpParameterIndex brush = puts ? tnp_bodySize : shift ? tnp_brushStrength : tnp_brushRadius;
	switch (key)
	{
		case 'R':
			tnpPlay_Reset(play);
			tnpPlay_ShowMessage(play, "From the start");
			break;
		case 'C':
			play->camera.flying = !play->camera.flying;
			tnpPlay_ShowMessage(play, play->camera.flying ? "Flying: W A S D Q E" : "Orbit");
			break;
		case 'H':
			tnpFrameCamera(play);
			break;
		case 'M':
			tnpChooseWay(play, shift ? TNP_WAY_COUNT - 1 : 1);
			break;
		case 'N':
			tnpChooseScene(play, shift ? -1 : 1);
			break;
		case 'V':
			tnpChooseView(play, shift ? tnr_viewCount - 1 : 1);
			break;
		case '[':
			tnpScaleParameter(play, brush, 1.0f / more);
			break;
		case ']':
			tnpScaleParameter(play, brush, more);
			break;
		case '-':
			tnpScaleParameter(play, tnp_pace, 1.0f / more);
			break;
		case '=':
		case '+':
			tnpScaleParameter(play, tnp_pace, more);
			break;
		case '.':
			tnpPlay_StepOnce(play);
			break;
		case 'L':
			tnpChooseTool(play, tnp_lookTool);
			break;
		case 'G':
			tnpChooseTool(play, tnp_grabTool);
			break;
		case 'T':
			tnpChooseTool(play, tnp_throwTool);
			break;
		case 'B':
			tnpChooseTool(play, tnp_stackTool);
			break;
		case 'X':
			tnpChooseTool(play, tnp_cutTool);
			break;
		case 'Y':
			tnpChooseTool(play, shift ? tnp_pumpTool : tnp_holeTool);
			break;
		case 'J':
			tnpChooseTool(play, tnp_hoseTool);
			break;
		case 'U':
			tnpChooseTool(play, tnp_driveTool);
			break;
		case 'F':
			tnpChooseTool(play, tnp_stirTool);
			break;
		case 'O':
			tnpChooseTool(play, tnp_dropsTool);
			break;
		case 'Z':
			play->showRings = !play->showRings;
			break;
		case 'K':
			tnpChooseKind(play, shift ? -1 : 1);
			break;
		default:
			break;
	}
}

// Ground up and down are 3 and 4 with columns and voxels.
static void tnpPressDigit(tnpPlay* play, int digit)
{
	static const tnpTool voxelTools[] = {tnp_pourTool, tnp_drainTool, tnp_buildTool, tnp_digTool, tnp_lavaTool};
	const int count = (int)(sizeof(voxelTools) / sizeof(voxelTools[0]));
	if (play->voxels == NULL)
	{
		tnpChooseTool(play, digit > 0 ? (tnpTool)(tnp_pourTool + digit - 1) : tnp_rainTool);
	}
	else if (digit >= 1 && digit <= count)
	{
		tnpChooseTool(play, voxelTools[digit - 1]);
	}
}

// Other letters do with the control key what they do without.
static bool tnpPressControl(tnpPlay* play, int key)
{
	switch (key)
	{
		case 'Q':
			play->wantsToClose = true;
			return true;
		case 'S':
			play->wantsSave = true;
			return true;
		case 'O':
			play->wantsOpen = true;
			return true;
		case 'Z':
		case 'Y':
			tnpStepThroughStrokes(play, key == 'Z' && play->keys[tnp_shiftKey] == false);
			return true;
		default:
			return false;
	}
}

// The key that makes a step goes forwards among the images, too.
static void tnpPressArrow(tnpPlay* play, int step)
{
	const tnpPast past = tnpPlay_GetPast(play);
	const int index = past.index >= 0 ? past.index : past.count;
	if (step > 0 && (past.index < 0 || past.index == past.count - 1))
	{
		tnpPlay_StepOnce(play);
	}
	else if (play->paused && past.count > 0)
	{
		tnpPlay_GoBack(play, index + step);
	}
}

static void tnpPressKey(tnpPlay* play, int key)
{
	if (play->keys[tnp_controlKey] && tnpPressControl(play, key))
	{
		return;
	}
	if (tnpPressLevelKey(play, key))
	{
		return;
	}
	if (key >= '0' && key <= '9')
	{
		tnpPressDigit(play, key - '0');
	}
	else if (key == tnp_spaceKey)
	{
		tnpPlay_SetPaused(play, !play->paused);
	}
	else if (key == tnp_escapeKey)
	{
		tnpPressEscape(play);
	}
	else if (key == tnp_rightKey)
	{
		tnpPressArrow(play, 1);
	}
	else if (key == tnp_leftKey)
	{
		tnpPressArrow(play, -1);
	}
	else if (key > tnp_escapeKey)
	{
		tnpPressFunctionKey(play, key);
	}
	else
	{
		tnpPressLetter(play, key);
	}
}

void tnpPlay_Key(tnpPlay* play, int key, bool down)
{
	if (key < 0 || key >= tnp_keyCount)
	{
		return;
	}
	play->keys[key] = down;
	if (down)
	{
		tnpPressKey(play, key);
	}
}

void tnpMoveByKeys(tnpPlay* play, float seconds)
{
	const bool* keys = play->keys;
	if (keys[tnp_controlKey])
	{
		return;
	}
	const float turn = s_turnPerSecond * seconds;
	const bool turnRight = keys[tnp_rightKey] && play->paused == false;
	const bool turnLeft = keys[tnp_leftKey] && play->paused == false;
	tnpCamera_Turn(
		&play->camera, turn * (float)(turnRight - turnLeft), turn * (float)(keys[tnp_upKey] - keys[tnp_downKey]));

	// Across what is seen in about two seconds; faster with shift.
	const float speed = (keys[tnp_shiftKey] ? 1.5f : 0.5f) * play->camera.goal.distance * seconds;
	// The avatar of a level has these keys.
	const float walk = tnpHasAvatar(play) ? 0.0f : speed;
	const float forward = walk * (float)(keys['W'] - keys['S']);
	const float right = walk * (float)(keys['D'] - keys['A']);
	const bool rises = keys['E'] || keys[tnp_pageUpKey];
	const bool sinks = keys['Q'] || keys[tnp_pageDownKey];
	const float up = speed * (float)(rises - sinks);
	if (forward != 0.0f || right != 0.0f || up != 0.0f)
	{
		tnpMoveCamera(play, forward, right, up);
	}
}

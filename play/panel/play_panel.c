// SPDX-License-Identifier: MIT

// What the panel shows: a bar on top, the tools, the settings, graphs and help. Wide windows have the tools
// on the left and the settings on the right; in smaller ones the settings are behind a button; narrow ones, a phone
// held upright, have the tools at the bottom.

#include "panel/icons.h"
#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Units.
static const float s_narrowWidth = 560.0f;
static const float s_wideWidth = 1100.0f;
static const float s_settingsWidth = 236.0f;

static const char* const s_toolHints[tnp_toolCount] = {
	"Look around (L)",
	"Pour water (1)",
	"Drain water (2)",
	"Raise the ground (3)",
	"Dig (4)",
	"Flatten the ground (5)",
	"Spring: click to set, again to remove (6)",
	"Well: holds the level (7)",
	"Dye (8)",
	"Push the water (9)",
	"Rain (0)",
	"Grab a body; right button: throw it (G)",
	"Throw a body (T)",
	"Put a body; drag for a row (B)",
	"Cut loose what is tied (X)",
	"Stir: drag waves through the water (F)",
	"Let drops fall (O)",
	"Build (3)",
	"Dig (4)",
	"Pour lava (5)",
	"Hose: hold, and aim (J)",
	"Go there; W A S D do it, too (U)",
	"Hole a boat; at a hole: mend it (Y)",
	"Pump a boat out; again: stop it (shift Y)",
};

static int tnpCountTools(const tnpPlay* play)
{
	int count = 0;
	for (int i = 0; i < tnp_toolCount; ++i)
	{
		count += tnpPlay_HasTool(play, (tnpTool)i) ? 1 : 0;
	}
	return count;
}

tnpLayout tnpLayOut(const tnpPlay* play)
{
	tnpLayout layout = {0};
	const int toolCount = tnpCountTools(play);
	const float unit = tnpGetUnit(play);
	layout.width = play->windowWidth / unit;
	layout.height = play->windowHeight / unit;
	layout.narrow = layout.width < s_narrowWidth;
	// In a level there may be a goal below the settings.
	layout.hasMenu = layout.width < s_wideWidth || play->level != NULL;
	const float pad = 6.0f, gap = 4.0f;
	const float barHeight = play->touch ? 52.0f : 42.0f;
	// Levels have no past.
	const float pastHeight = play->level != NULL ? 0.0f : play->touch ? 46.0f : 38.0f;
	const float pastRoom = pastHeight > 0.0f ? pastHeight + 8.0f : 0.0f;
	if (layout.narrow)
	{
		// One place more than there are tools, for help.
		layout.toolColumns = 6;
		layout.toolRows = (toolCount + layout.toolColumns) / layout.toolColumns;
		const float most = play->touch ? 58.0f : 46.0f;
		layout.button = fminf(most, (layout.width - 2.0f * TNP_MARGIN - 2.0f * pad - 5.0f * gap) / 6.0f);
		layout.bar = (tnpBox){TNP_MARGIN, TNP_MARGIN, layout.width - 2.0f * TNP_MARGIN, barHeight};
		const float width = 2.0f * pad + 6.0f * layout.button + 5.0f * gap;
		const float height = 2.0f * pad + (float)layout.toolRows * (layout.button + gap) - gap;
		layout.tools = (tnpBox){0.5f * (layout.width - width), layout.height - TNP_MARGIN - height, width, height};
		const float top = layout.bar.y + barHeight + 8.0f;
		layout.past = (tnpBox){TNP_MARGIN, layout.tools.y - pastRoom, layout.width - 2.0f * TNP_MARGIN, pastHeight};
		layout.settings =
			(tnpBox){TNP_MARGIN, top, layout.width - 2.0f * TNP_MARGIN, layout.tools.y - pastRoom - top - 8.0f};
		return layout;
	}
	layout.bar =
		(tnpBox){TNP_MARGIN, TNP_MARGIN, (play->touch ? 330.0f : 300.0f) + (layout.hasMenu ? 36.0f : 0.0f), barHeight};
	const float top = layout.bar.y + barHeight + 8.0f;
	const float room = layout.height - top - TNP_MARGIN - 2.0f * pad + gap;
	const float most = play->touch ? 52.0f : 40.0f;
	layout.toolColumns = room / (float)toolCount - gap < 30.0f ? 2 : 1;
	layout.toolRows = (toolCount + layout.toolColumns - 1) / layout.toolColumns;
	layout.button = fmaxf(16.0f, fminf(most, room / (float)layout.toolRows - gap));
	layout.tools = (tnpBox){TNP_MARGIN, top, 2.0f * pad + (float)layout.toolColumns * (layout.button + gap) - gap,
		2.0f * pad + (float)layout.toolRows * (layout.button + gap) - gap};
	const float settingsWidth = s_settingsWidth * (play->touch ? 1.15f : 1.0f);
	layout.settings = (tnpBox){
		layout.width - TNP_MARGIN - settingsWidth, TNP_MARGIN, settingsWidth, layout.height - 2.0f * TNP_MARGIN};
	// In the middle of what the tools and the settings leave; the settings over the picture may cover it.
	const float from = layout.tools.x + layout.tools.width + TNP_MARGIN;
	const float to = layout.hasMenu ? layout.width - TNP_MARGIN : layout.settings.x - TNP_MARGIN;
	const float pastWidth = fminf(play->touch ? 460.0f : 400.0f, to - from);
	layout.past =
		(tnpBox){0.5f * (from + to - pastWidth), layout.height - TNP_MARGIN - pastHeight, pastWidth, pastHeight};
	return layout;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bar

static bool tnpBarButton(tnpPlay* play, tnpBox* place, const char* name, tnpIcon icon, bool enabled, const char* hint)
{
	tnpPanel* panel = &play->panel;
	const bool clicked = tnpPanel_Face(panel, name, *place, false, enabled, hint);
	panel->hintAbove = true;
	if (panel->overlay != NULL)
	{
		const tnrColor color = enabled ? g_tnpTextColor : 0xffffff50;
		tnpDrawIcon(panel->overlay, icon, place->x + 0.5f * place->width, place->y + 0.5f * place->height,
			0.28f * place->height, color);
	}
	place->x += place->width + 4.0f;
	return clicked;
}

static void tnpShowReadOut(tnpPlay* play, tnpBox box)
{
	tnpPanel* panel = &play->panel;
	char text[64];
	const float half = 0.5f * box.height - 4.0f;
	const tnpBox upper = {box.x, box.y + 4.0f, box.width, half};
	const tnpBox lower = {box.x, box.y + 4.0f + half, box.width, half};
	if (play->recording && panel->overlay != NULL)
	{
		tnrOverlay_Disc(panel->overlay, box.x + box.width - 8.0f, upper.y + 0.5f * half, 5.0f, g_tnpWarnColor);
	}
	if (play->paused)
	{
		snprintf(text, sizeof(text), "paused");
	}
	else if (play->meter.count == 0)
	{
		snprintf(text, sizeof(text), "running");
	}
	else
	{
		snprintf(text, sizeof(text), "%.2fx real time", (double)play->meter.speed);
	}
	tnpPanel_TextIn(panel, upper, 13.0f, g_tnpTextColor, 0.0f, text);
	snprintf(text, sizeof(text), "%.1f s   %.0f fps", tnpPlay_GetTime(play), (double)play->meter.framesPerSecond);
	tnpPanel_TextIn(panel, lower, 12.0f, g_tnpDimColor, 0.0f, text);
}

static void tnpShowBar(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	tnpPanel_BeginBox(panel, "bar", layout->bar, NULL);
	const float size = layout->bar.height - 10.0f;
	tnpBox place = {layout->bar.x + 5.0f, layout->bar.y + 5.0f, size, size};
	const char* pauseHint = play->paused ? "Run (space)" : "Pause (space)";
	if (tnpBarButton(play, &place, "pause", play->paused ? tnp_playIcon : tnp_pauseIcon, true, pauseHint))
	{
		play->paused = !play->paused;
	}
	if (tnpBarButton(play, &place, "step", tnp_stepIcon, play->paused, "One step (.)"))
	{
		tnpPlay_StepOnce(play);
	}
	if (tnpBarButton(play, &place, "reset", tnp_resetIcon, true, "From the start (R)"))
	{
		tnpPlay_Reset(play);
	}
	const int endCount = (layout->hasMenu ? 1 : 0) + (layout->narrow ? 0 : 1);
	const float right = layout->bar.x + layout->bar.width - 1.0f - (size + 4.0f) * (float)endCount;
	tnpBox end = {right, place.y, size, size};
	tnpShowReadOut(play, (tnpBox){place.x + 6.0f, layout->bar.y, right - place.x - 12.0f, layout->bar.height});
	if (layout->narrow == false && tnpBarButton(play, &end, "help", tnp_helpIcon, true, "Keys (F1)"))
	{
		play->helpOpen = !play->helpOpen;
	}
	if (layout->hasMenu && tnpBarButton(play, &end, "menu", tnp_menuIcon, true, "Settings"))
	{
		play->menuOpen = !play->menuOpen;
	}
	tnpPanel_EndBox(panel);
}

// ---------------------------------------------------------------------------------------------------------------------
// Tools and settings

static void tnpShowTools(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	tnpPanel_BeginBox(panel, "tools", layout->tools, NULL);
	const float pad = 6.0f, gap = 4.0f, size = layout->button;
	int place = 0;
	for (int i = 0; i < tnp_toolCount; ++i)
	{
		if (tnpPlay_HasTool(play, (tnpTool)i) == false)
		{
			continue;
		}
		const int column = place % layout->toolColumns, row = place / layout->toolColumns;
		place += 1;
		const tnpBox box = {layout->tools.x + pad + (float)column * (size + gap),
			layout->tools.y + pad + (float)row * (size + gap), size, size};
		const bool selected = play->tool == (tnpTool)i;
		const char* refusal = tnpPlay_GetToolRefusal(play, (tnpTool)i);
		const bool enabled = refusal == NULL && (i != tnp_dyeTool || play->dyeChannel >= 0);
		const char* hint = refusal != NULL ? refusal : s_toolHints[i];
		if (tnpPanel_Face(panel, tnpGetToolName((tnpTool)i), box, selected, enabled, hint))
		{
			tnpPlay_SetTool(play, (tnpTool)i);
			panel->hintAbove = layout->narrow;
		}
		if (panel->overlay != NULL)
		{
			const tnrColor color = enabled == false ? 0xffffff40 : selected ? 0x06222eff : g_tnpTextColor;
			char left[16];
			tnpDescribeLeft(play, (tnpTool)i, left, sizeof(left));
			const float middle = box.y + (left[0] != '\0' ? 0.42f : 0.5f) * size;
			tnpDrawToolIcon(panel->overlay, (tnpTool)i, box.x + 0.5f * size, middle, 0.3f * size, color);
			const tnpBox corner = {box.x + 3.0f, box.y + size - 12.0f, size - 5.0f, 11.0f};
			const bool none = strcmp(left, "0") == 0;
			tnpPanel_TextIn(panel, corner, 11.0f,
				selected   ? color
					: none ? g_tnpWarnColor
						   : g_tnpAccentColor,
				1.0f, left);
		}
	}
	if (layout->narrow)
	{
		// The last place.
		const tnpBox box = {layout->tools.x + pad + (float)(layout->toolColumns - 1) * (size + gap),
			layout->tools.y + pad + (float)(layout->toolRows - 1) * (size + gap), size, size};
		if (tnpPanel_Face(panel, "help", box, false, true, "Keys"))
		{
			play->helpOpen = !play->helpOpen;
		}
		if (panel->overlay != NULL)
		{
			tnpDrawIcon(
				panel->overlay, tnp_helpIcon, box.x + 0.5f * size, box.y + 0.5f * size, 0.26f * size, g_tnpDimColor);
		}
	}
	if (panel->hint[0] != '\0')
	{
		// Hints of the bar stand below it, those of tools beside them, at the bottom above.
		panel->hintAbove = layout->narrow || panel->hintBox.y < layout->tools.y;
	}
	tnpPanel_EndBox(panel);
}

static void tnpShowParameter(tnpPlay* play, tnpParameterIndex index)
{
	const tnpParameter parameter = tnpGetParameter(play, index);
	float value = parameter.value;
	if (tnpPanel_Slider(&play->panel, parameter.title, parameter.unit, parameter.low, parameter.high,
			parameter.logarithmic, &value))
	{
		tnpChangeParameter(play, index, value);
	}
}

static void tnpShowGraph(
	tnpPlay* play, const char* label, const char* text, const float* history, float low, float high)
{
	const tnpMeter* meter = &play->meter;
	const int first = (meter->next - meter->count + TNP_HISTORY) % TNP_HISTORY;
	tnpPanel_Graph(&play->panel, label, text, history, TNP_HISTORY, meter->count, first, low, high);
}

static void tnpShowGraphs(tnpPlay* play)
{
	const tnpMeter* meter = &play->meter;
	char text[48];
	float mostFrames = 60.0f, mostStep = 1.0f, mostDrift = 1.0e-9f;
	for (int i = 0; i < TNP_HISTORY; ++i)
	{
		mostFrames = fmaxf(mostFrames, meter->framesHistory[i]);
		mostStep = fmaxf(mostStep, meter->stepHistory[i]);
		mostDrift = fmaxf(mostDrift, fabsf(meter->driftHistory[i]));
	}
	snprintf(text, sizeof(text), "%.0f fps", (double)meter->framesPerSecond);
	tnpShowGraph(play, "pictures", text, meter->framesHistory, 0.0f, 1.1f * mostFrames);
	const double milliseconds = (double)meter->millisecondsPerStep;
	snprintf(text, sizeof(text), milliseconds < 0.1 ? "%.0f us" : "%.2f ms",
		milliseconds * (milliseconds < 0.1 ? 1.0e3 : 1.0));
	tnpShowGraph(play, "time per step", text, meter->stepHistory, 0.0f, 1.1f * mostStep);
	snprintf(text, sizeof(text), play->voxels != NULL ? "%.0f units" : "%.1e m3", (double)meter->drift);
	tnpShowGraph(play, "volume drift", text, meter->driftHistory, -1.2f * mostDrift, 1.2f * mostDrift);
	if (play->voxels != NULL)
	{
		tnpShowVoxelFacts(play);
		return;
	}
	const tnWorldDef def = tnWorld_GetDef(play->world);
	snprintf(text, sizeof(text), "%.5g m3 in %d x %d cells", meter->volume, def.columnCount, def.rowCount);
	tnpPanel_Label(&play->panel, text, g_tnpDimColor);
	const tnpStatus status = tnpPlay_GetStatus(play);
	if (status.bodyCount > 0)
	{
		const int length =
			snprintf(text, sizeof(text), "%d %s", status.bodyCount, status.bodyCount == 1 ? "body" : "bodies");
		if (status.tiedCount > 0 && length > 0)
		{
			snprintf(text + length, sizeof(text) - (size_t)length, ", %d tied", status.tiedCount);
		}
		tnpPanel_Label(&play->panel, text, g_tnpDimColor);
	}
}

static void tnpShowWater(tnpPlay* play)
{
	if (play->voxels != NULL || play->level != NULL)
	{
		tnpShowParameter(play, tnp_pace);
		return;
	}
	tnpShowParameter(play, tnp_pace);
	tnpShowParameter(play, tnp_rain);
}

// How the water moves, for those who want to know.
static void tnpShowTuning(tnpPlay* play)
{
	tnpPanel* panel = &play->panel;
	int way = tnpGetWay(play);
	if (tnpPanel_Choice(panel, "method", g_tnpWayNames, TNP_WAY_COUNT, &way, &play->folds.methods))
	{
		tnpSetWay(play, way);
	}
	if (tnWorld_GetDef(play->world).method == tn_shallowMethod)
	{
		tnpShowParameter(play, tnp_vorticityConfinement);
	}
	for (int i = tnp_firstTuned; i <= tnp_lastTuned; ++i)
	{
		if (tnpGetParameter(play, (tnpParameterIndex)i).used)
		{
			tnpShowParameter(play, (tnpParameterIndex)i);
		}
	}
}

static void tnpShowWaves(tnpPlay* play)
{
	tnpShowParameter(play, tnp_windSpeed);
	tnpShowParameter(play, tnp_windDirection);
	tnpPanel_Check(&play->panel, "reach of bands (Z)", &play->showRings);
	char text[48];
	const tnpStatus status = tnpPlay_GetStatus(play);
	snprintf(text, sizeof(text), "%d of %d tiles in use, %d move", status.waveTileCount,
		tnWorld_GetDef(play->world).waves.tileCount, status.movingWaveTileCount);
	tnpPanel_Label(&play->panel, text, g_tnpDimColor);
}

// What to put into the world.
static void tnpShowBodyKinds(tnpPlay* play)
{
	const char* names[tns_bodyKindCount];
	for (int i = 0; i < tns_bodyKindCount; ++i)
	{
		names[i] = tnsGetBodyKindName((tnsBodyKind)i);
	}
	if (tnsHavePhysics() == false)
	{
		tnpPanel_Label(&play->panel, "no physics engine here", g_tnpDimColor);
		return;
	}
	int kind = (int)play->hand.kind;
	if (tnpPanel_Choice(&play->panel, "kind (K)", names, tns_bodyKindCount, &kind, &play->folds.kinds))
	{
		tnpPlay_SetBodyKind(play, kind);
		if (play->tool != tnp_throwTool)
		{
			tnpPlay_SetTool(play, tnp_stackTool);
		}
	}
	tnpShowParameter(play, tnp_bodySize);
}

static void tnpShowLook(tnpPlay* play)
{
	tnpPanel* panel = &play->panel;
	int view = play->look.view;
	if (play->voxels == NULL &&
		tnpPanel_Choice(panel, "view", g_tnpViewNames, tnr_viewCount, &view, &play->folds.views))
	{
		tnpPlay_SetView(play, (tnrView)view);
	}
	tnpPanel_Row(panel, 2);
	if (tnpPanel_Button(panel, "save", false, "Save a picture (F12)"))
	{
		play->wantsScreenshot = true;
	}
	if (tnpPanel_Button(panel, play->recording ? "stop" : "record", play->recording, "Record a video (F5)"))
	{
		play->recording = !play->recording;
	}
	if (play->voxels == NULL)
	{
		tnpPanel_Check(panel, "velocity arrows", &play->look.arrows);
		tnpPanel_Check(panel, "cut sides", &play->look.sides);
	}
	bool flying = play->camera.flying;
	if (tnpPanel_Check(panel, "fly (C)", &flying))
	{
		play->camera.flying = flying;
	}
	for (int i = tnp_sunAzimuth; i < tnp_parameterCount; ++i)
	{
		if (tnpGetParameter(play, (tnpParameterIndex)i).used)
		{
			tnpShowParameter(play, (tnpParameterIndex)i);
		}
	}
}

// Scenes, and levels behind a button of their own.
static void tnpShowSceneList(tnpPlay* play)
{
	tnpPanel* panel = &play->panel;
	int won, scene = play->sceneIndex;
	const int levelCount = tnpCountLevels(play, &won);
	// Levels come last in the list.
	int count = play->sceneCount;
	while (count > 0 && play->levels[count - 1].given)
	{
		count -= 1;
	}
	const char* label = play->level != NULL ? "#other scenes" : "#scene";
	if (count > 0 &&
		tnpPanel_Choice(panel, label, (const char* const*)play->titles, count, &scene, &play->folds.scenes))
	{
		tnpPlay_SetScene(play, scene);
	}
	char text[48];
	snprintf(text, sizeof(text), "Levels  %d / %d", won, levelCount);
	if (levelCount > 0 && tnpPanel_Button(panel, text, play->levelsOpen, "Games with water (P)"))
	{
		tnpToggleLevels(play);
	}
}

static void tnpShowSettings(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	tnpBox box = layout->settings;
	const float content = play->panelScroll.contentHeight;
	box.height = content > 0.0f && content < box.height ? content : box.height;
	tnpPanel_BeginBox(panel, "settings", box, &play->panelScroll);
	tnpShowSceneList(play);
	if (play->level == NULL && tnpPanel_Section(panel, "Brush", &play->folds.brush))
	{
		tnpShowParameter(play, tnp_brushRadius);
		tnpShowParameter(play, tnp_brushStrength);
	}
	if (tnpPanel_Section(panel, "Water", &play->folds.water))
	{
		tnpShowWater(play);
	}
	if (tnpHasWaves(play) && play->level == NULL && tnpPanel_Section(panel, "Waves", &play->folds.waves))
	{
		tnpShowWaves(play);
	}
	if (play->level == NULL && tnpPanel_Section(panel, "Bodies", &play->folds.bodies))
	{
		tnpShowBodyKinds(play);
	}
	if (tnpPanel_Section(panel, "Picture", &play->folds.look))
	{
		tnpShowLook(play);
	}
	if (play->world != NULL && play->level == NULL && tnpPanel_Section(panel, "Tuning", &play->folds.tuning))
	{
		tnpShowTuning(play);
	}
	if (tnpPanel_Section(panel, "Graphs", &play->folds.graphs))
	{
		tnpShowGraphs(play);
	}
	tnpPanel_EndBox(panel);
}

// ---------------------------------------------------------------------------------------------------------------------
// Help and legend

static const char* const s_helpRows[][2] = {
	{"left button", "use the tool"},
	{"right drag, arrows", "turn the camera"},
	{"middle or shift+right drag", "move over the ground"},
	{"wheel", "nearer, farther"},
	{"W A S D, Q E", "move; C to fly"},
	{"1 2 3 ... 0, L", "choose a tool"},
	{"1 2 3 4 5, voxels", "pour, drain, build, dig, lava"},
	{"G T B X", "grab, throw, stack, cut loose"},
	{"Y, shift Y", "hole, pump: tools for boats"},
	{"K", "what to throw and stack"},
	{"F O, Z", "stir, drops; reach of wave bands"},
	{"wheel, right button", "while grabbing: farther, throw"},
	{"[ ]", "brush radius; with shift: strength"},
	{"space", "pause"},
	{". or right arrow", "one step"},
	{"left arrow, paused", "back; right: forwards again"},
	{"ctrl+Z, ctrl+Y", "undo, do again"},
	{"ctrl+S, ctrl+O", "save, open what was saved"},
	{"R", "from the start"},
	{"- +", "slower, faster"},
	{"N, V, shift+M, M", "next scene, view, method; sound"},
	{"P, I, J", "levels, hint, hose"},
	{"H", "the whole world"},
	{"Tab, F3, F4", "panel, graphs, arrows"},
	{"F12, F5", "picture, recording"},
	{"ctrl+Q", "leave"},
};

static const char* const s_touchRows[][2] = {
	{"one finger", "use the tool"},
	{"with the eye", "turn the camera"},
	{"two fingers", "move over the ground"},
	{"pinch", "nearer, farther"},
	{"twist", "turn"},
	{"spring, well", "tap to set, again to remove"},
	{"hand", "drag a body, let go in motion"},
	{"crates", "tap to put one on top, drag a row"},
	{"spoon, rings", "drag waves, let drops fall"},
	{"spade, block", "hold: deeper, higher"},
};

void tnpShowHelp(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	const int keyCount = (int)(sizeof(s_helpRows) / sizeof(s_helpRows[0]));
	const int touchCount = (int)(sizeof(s_touchRows) / sizeof(s_touchRows[0]));
	const int count = play->touch ? touchCount : keyCount;
	const char* const(*rows)[2] = play->touch ? s_touchRows : s_helpRows;
	const float room = layout->height - 2.0f * TNP_MARGIN - 56.0f;
	const float row = fminf(22.0f, room / (float)count);
	const float width = fminf(460.0f, layout->width - 2.0f * TNP_MARGIN);
	const float height = row * (float)count + 56.0f;
	const tnpBox box = {0.5f * (layout->width - width), 0.5f * (layout->height - height), width, height};
	tnpPanel_BeginBox(panel, "help", box, NULL);
	// A second pane makes it darker: it stands over a picture and other panes.
	if (panel->overlay != NULL)
	{
		tnrOverlay_Rectangle(panel->overlay, box.x, box.y, box.width, box.height, 10.0f, g_tnpBackColor);
	}
	const tnpBox title = {box.x + 18.0f, box.y + 10.0f, width - 36.0f, 26.0f};
	tnpPanel_TextIn(panel, title, 16.0f, g_tnpAccentColor, 0.0f, play->touch ? "Fingers" : "Keys and mouse");
	const float size = fminf(13.0f, row - 1.0f);
	for (int i = 0; i < count; ++i)
	{
		const float y = box.y + 42.0f + row * (float)i;
		const tnpBox key = {box.x + 18.0f, y, 0.46f * width - 24.0f, row};
		const tnpBox text = {box.x + 0.46f * width, y, 0.54f * width - 12.0f, row};
		tnpPanel_TextIn(panel, key, size, g_tnpTextColor, 0.0f, rows[i][0]);
		tnpPanel_TextIn(panel, text, size, g_tnpDimColor, 0.0f, rows[i][1]);
	}
	// A click anywhere on it closes it.
	if (panel->event == tnp_pressEvent && panel->taken == false && panel->x >= box.x && panel->x < box.x + width &&
		panel->y >= box.y && panel->y < box.y + height)
	{
		play->helpOpen = false;
		panel->taken = true;
	}
	tnpPanel_EndBox(panel);
}

static tnrColor tnpPackColor(tnVec3 color)
{
	const float parts[3] = {color.x, color.y, color.z};
	uint32_t packed = 0;
	for (int i = 0; i < 3; ++i)
	{
		const float part = parts[i] < 0.0f ? 0.0f : parts[i] > 1.0f ? 1.0f : parts[i];
		packed = packed << 8 | (uint32_t)(255.0f * part + 0.5f);
	}
	return packed << 8 | 0xffu;
}

// The numbers at both ends of the scale of a view, or what its two colours mean.
static void tnpDescribeView(const tnpPlay* play, char* low, char* high, size_t size)
{
	const tnrView view = play->look.view;
	const double end = (double)tnrRenderer_GetViewEnd(play->renderer, &play->look);
	snprintf(low, size, "0");
	switch (view)
	{
		case tnr_depthView:
			snprintf(high, size, "%.3g m", end);
			break;
		case tnr_speedView:
			snprintf(high, size, "%.3g m/s", end);
			break;
		case tnr_vorticityView:
			snprintf(low, size, "%.2g", -end);
			snprintf(high, size, "%.2g 1/s", end);
			break;
		case tnr_subStepsView:
			snprintf(low, size, "1");
			snprintf(high, size, "%.3g", end);
			break;
		case tnr_wetView:
			snprintf(low, size, "dry");
			snprintf(high, size, "wet");
			break;
		case tnr_awakeView:
			snprintf(low, size, "asleep");
			snprintf(high, size, "awake");
			break;
		default:
			snprintf(high, size, "%.3g", end);
			break;
	}
}

static void tnpDrawLegend(tnpPlay* play, float left, float top, float width)
{
	tnpPanel* panel = &play->panel;
	const int pieces = 60;
	const float piece = width / (float)pieces;
	for (int i = 0; i < pieces; ++i)
	{
		const tnVec3 color = tnrGetViewColor(play->look.view, ((float)i + 0.5f) / (float)pieces);
		// A hair wider than its place, so that soft rims leave no gaps.
		tnrOverlay_Rectangle(
			panel->overlay, left + piece * (float)i, top + 22.0f, piece + 1.0f, 8.0f, 0.0f, tnpPackColor(color));
	}
	char low[24], high[24];
	tnpDescribeView(play, low, high, sizeof(low));
	const tnpBox title = {left, top + 4.0f, width, 16.0f};
	const tnpBox line = {left, top + 33.0f, width, 14.0f};
	tnpPanel_TextIn(panel, title, 12.0f, g_tnpTextColor, 0.5f, g_tnpViewNames[play->look.view]);
	tnpPanel_TextIn(panel, line, 12.0f, g_tnpDimColor, 0.0f, low);
	tnpPanel_TextIn(panel, line, 12.0f, g_tnpDimColor, 1.0f, high);
}

// What the colours of a view mean.
static void tnpShowLegend(tnpPlay* play, const tnpLayout* layout)
{
	if (play->look.view == tnr_waterView)
	{
		return;
	}
	const float width = 200.0f, height = 52.0f;
	const float beside = layout->tools.x + layout->tools.width + 8.0f;
	const float left = layout->narrow ? 0.5f * (layout->width - width) : beside;
	const float below = layout->bar.y + layout->bar.height + 8.0f;
	const bool crosses = left + width > layout->past.x && layout->past.height > 0.0f;
	const float bottom = layout->height - TNP_MARGIN - (crosses ? layout->past.height + 8.0f : 0.0f);
	const float top = layout->narrow ? below : bottom - height;
	tnpPanel_BeginBox(&play->panel, "legend", (tnpBox){left, top, width, height}, NULL);
	if (play->panel.overlay != NULL)
	{
		tnpDrawLegend(play, left + 12.0f, top, width - 24.0f);
	}
	tnpPanel_EndBox(&play->panel);
}

// ---------------------------------------------------------------------------------------------------------------------
// All of it

void tnpShowControls(tnpPlay* play, const tnpLayout* layout)
{
	tnpShowBar(play, layout);
	tnpShowTools(play, layout);
	tnpShowPast(play, layout);
	tnpShowLegend(play, layout);
	if (layout->hasMenu == false || play->menuOpen)
	{
		tnpShowSettings(play, layout);
	}
}

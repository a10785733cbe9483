// SPDX-License-Identifier: MIT

// Everything that lies over the picture: marks in the world, the panel, messages. A page that has buttons of its own is
// compiled without the panel (TNP_WITHOUT_PANEL), and is smaller for it.

#include "viewer/play_internal.h"

#include <math.h>

float tnpGetUnit(const tnpPlay* play)
{
	const float shortSide = fminf(play->windowWidth, play->windowHeight);
	// As many units as a phone is wide at least, and not many more than a desktop is high.
	const float least = 330.0f, most = 1080.0f;
	const float unit = shortSide > most ? shortSide / most : shortSide < least ? shortSide / least : 1.0f;
	return unit > 0.2f ? unit : 0.2f;
}

static void tnpShowMessage(tnpPlay* play, float width, float bottom)
{
	if (play->messageTime <= 0.0 || play->message[0] == '\0' || play->panel.overlay == NULL)
	{
		return;
	}
	const float size = 14.0f;
	const float most = width - 2.0f * TNP_MARGIN;
	const float boxWidth = fminf(most, tnrGetTextWidth(size, play->message) + 32.0f);
	const tnpBox box = {0.5f * (width - boxWidth), bottom - 34.0f, boxWidth, 34.0f};
	tnrOverlay_Rectangle(play->panel.overlay, box.x, box.y, box.width, box.height, 17.0f, 0x0a1015e6);
	const tnpBox text = {box.x + 14.0f, box.y, box.width - 28.0f, box.height};
	tnpPanel_TextIn(&play->panel, text, size, g_tnpTextColor, 0.5f, play->message);
}

static void tnpShowMarks(tnpPlay* play)
{
	tnpShowRings(play);
	tnpShowSprings(play);
	tnpShowVoxelMarker(play);
	tnpShowLevelMarks(play);
}

#ifdef TNP_WITHOUT_PANEL

static void tnpShowAll(tnpPlay* play)
{
	const float unit = tnpGetUnit(play);
	tnpShowMarks(play);
	tnpShowMessage(play, play->windowWidth / unit, play->windowHeight / unit - 18.0f);
}

#else

// Two lines for whoever sees this for the first time, until the water has been touched.
static void tnpShowGreeting(tnpPlay* play, const tnpLayout* layout)
{
	play->greets = play->greets && play->strokeTicks == 0 && play->level == NULL && play->damSinks == false;
	if (play->greets == false || play->panel.overlay == NULL || play->helpOpen || play->levelsOpen)
	{
		return;
	}
	const char* const lines[2] = {
		play->touch ? "One finger uses the tool: pour, dig, push. Two fingers turn and move the view."
					: "Hold the left button on the water: it pours. Tools are on the left, 1 to 9 choose them.",
		play->touch ? "The question mark has the rest, and Levels has games."
					: "Right button: turn.  Wheel: nearer.  P: levels.  F1: all keys.",
	};
	const float size = 14.0f, wide = fmaxf(tnrGetTextWidth(size, lines[0]), tnrGetTextWidth(size, lines[1])) + 32.0f;
	const float width = fminf(wide, layout->width - 2.0f * TNP_MARGIN);
	const float above = layout->past.height > 0.0f ? layout->past.y : layout->height - TNP_MARGIN;
	const tnpBox box = {0.5f * (layout->width - width), above - 64.0f, width, 54.0f};
	tnrOverlay_Rectangle(play->panel.overlay, box.x, box.y, box.width, box.height, 12.0f, 0x0a1015d0);
	for (int i = 0; i < 2; ++i)
	{
		const tnpBox line = {box.x + 14.0f, box.y + 6.0f + 21.0f * (float)i, box.width - 28.0f, 21.0f};
		tnpPanel_TextIn(&play->panel, line, size, i == 0 ? g_tnpTextColor : g_tnpDimColor, 0.5f, lines[i]);
	}
}

// What lies on top of the panel.
static void tnpShowSheets(tnpPlay* play, const tnpLayout* layout)
{
	if (play->helpOpen)
	{
		tnpShowHelp(play, layout);
	}
	tnpShowLevelSheets(play, layout);
}

static void tnpShowAll(tnpPlay* play)
{
	const tnpLayout layout = tnpLayOut(play);
	tnpShowMarks(play);
	// What lies on top comes first for events, and is drawn last.
	if (tnpIsDrawing(play) == false)
	{
		tnpShowSheets(play, &layout);
	}
	tnpShowGoals(play, &layout);
	if (play->showPanel)
	{
		tnpShowDam(play, &layout);
	}
	if (play->showPanel)
	{
		tnpShowControls(play, &layout);
	}
	if (tnpIsDrawing(play))
	{
		tnpShowSheets(play, &layout);
	}
	tnpShowGreeting(play, &layout);
	const bool tools = layout.narrow && play->showPanel;
	const bool past = layout.past.height > 0.0f && play->showPanel;
	tnpShowMessage(play, layout.width,
		past        ? layout.past.y - 8.0f
			: tools ? layout.tools.y - 8.0f
					: layout.height - 18.0f);
}

#endif

static void tnpRunPanel(tnpPlay* play, tnrOverlay* overlay, tnpPanelEvent event, float wheel)
{
	const float unit = tnpGetUnit(play);
	play->panel.x = play->mouseX / unit;
	play->panel.y = play->mouseY / unit;
	tnpPanel_Begin(&play->panel, overlay, play->windowWidth / unit, play->windowHeight / unit, event, wheel);
	tnpShowAll(play);
	tnpPanel_End(&play->panel);
}

bool tnpPanelEvents(tnpPlay* play, tnpPanelEvent event, float wheel)
{
	if (!(play->windowWidth > 0.0f))
	{
		return false;
	}
	tnpRunPanel(play, NULL, event, wheel);
	return play->panel.inside || play->panel.taken;
}

void tnpDrawPanel(tnpPlay* play, uint32_t framebuffer, int width, int height)
{
	// Once without drawing: places depend on sizes that the pass itself finds out.
	tnpRunPanel(play, NULL, tnp_moveEvent, 0.0f);
	tnpRunPanel(play, play->overlay, tnp_moveEvent, 0.0f);
	tnrOverlay_End(play->overlay, framebuffer, width, height);
}

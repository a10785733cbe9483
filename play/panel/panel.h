// SPDX-License-Identifier: MIT

#pragma once

#include "overlay.h"

// A small immediate-mode panel: every widget is one call that draws it and says what the user did to it. The whole
// panel is called once per picture with an overlay to draw on, and once per event without one, so that an event has its
// effect at once and a click between two pictures is never lost. Sizes are in units, which are pixels times a factor.

typedef enum tnpPanelEvent
{
	// Only look where the mouse is; drags go on.
	tnp_moveEvent = 0,
	tnp_pressEvent,
	tnp_releaseEvent,
	tnp_wheelEvent,
} tnpPanelEvent;

typedef struct tnpBox
{
	float x, y, width, height;
} tnpBox;

// What a box that may be longer than the window remembers.
typedef struct tnpScroll
{
	float offset, contentHeight, grabY;
} tnpScroll;

typedef struct tnpPanel
{
	tnrOverlay* overlay; // NULL: only events
	tnpPanelEvent event;
	float wheel;
	// The mouse, units. Down: the button is held.
	float x, y;
	bool down;
	// The widget that holds the mouse, 0 for none.
	uint32_t active;
	// The mouse is over a box.
	bool inside;
	// The event found its widget.
	bool taken;
	// Factor on the height of rows: fingers are thicker than a mouse pointer.
	float rowScale;
	// The size of the window, units.
	float width, height;

	// The box that is being filled, and the next free place in it.
	tnpBox box, clip;
	tnpScroll* scroll;
	uint32_t boxId;
	float padding, cursorX, cursorY, lineHeight;
	int rowCount, rowIndex;

	// What the mouse rests on says this.
	char hint[96];
	tnpBox hintBox;
	bool hintAbove;
} tnpPanel;

extern const tnrColor g_tnpTextColor, g_tnpDimColor, g_tnpAccentColor, g_tnpBackColor, g_tnpTrackColor, g_tnpWarnColor;

void tnpPanel_Begin(tnpPanel* panel, tnrOverlay* overlay, float width, float height, tnpPanelEvent event, float wheel);
void tnpPanel_End(tnpPanel* panel);

// A rounded pane; what follows is laid out from its top down. @param scroll NULL: everything fits
void tnpPanel_BeginBox(tnpPanel* panel, const char* name, tnpBox box, tnpScroll* scroll);
void tnpPanel_EndBox(tnpPanel* panel);

// The next widgets share a row.
void tnpPanel_Row(tnpPanel* panel, int count);
void tnpPanel_Label(tnpPanel* panel, const char* text, tnrColor color);
// A headline that folds what is below it. @return is it open?
bool tnpPanel_Section(tnpPanel* panel, const char* title, bool* open);
bool tnpPanel_Button(tnpPanel* panel, const char* label, bool selected, const char* hint);
bool tnpPanel_Check(tnpPanel* panel, const char* label, bool* value);
// @return was it moved?
bool tnpPanel_Slider(
	tnpPanel* panel, const char* label, const char* unit, float low, float high, bool logarithmic, float* value);
// A bar with a knob at a share of it, anywhere in the box; its upper part is free for text. @return was it moved?
bool tnpPanel_Track(tnpPanel* panel, const char* name, tnpBox box, bool enabled, float* share);
// A list that opens below its row. @return was another item chosen?
bool tnpPanel_Choice(tnpPanel* panel, const char* label, const char* const* items, int count, int* index, bool* open);
// The last `count` values of a ring, from `first` on. @param text the newest, for reading
void tnpPanel_Graph(tnpPanel* panel, const char* label, const char* text, const float* values, int capacity, int count,
	int first, float low, float high);

// A button of its own size anywhere in the box. The caller draws its face. @return was it clicked?
bool tnpPanel_Face(tnpPanel* panel, const char* name, tnpBox box, bool selected, bool enabled, const char* hint);

// Text in the middle of a box, cut off at its end.
void tnpPanel_TextIn(tnpPanel* panel, tnpBox box, float size, tnrColor color, float align, const char* text);

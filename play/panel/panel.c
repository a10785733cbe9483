// SPDX-License-Identifier: MIT

// An immediate-mode panel: every widget is one call that draws it and says what the user did to it.

#include "panel/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const tnrColor g_tnpTextColor = 0xe9f0f4ff;
const tnrColor g_tnpDimColor = 0x9fb0bbff;
const tnrColor g_tnpAccentColor = 0x3fb6e8ff;
const tnrColor g_tnpBackColor = 0x0e171dd9;
const tnrColor g_tnpTrackColor = 0xffffff1c;
const tnrColor g_tnpWarnColor = 0xff6b57ff;

// Units: height of a row, of its text, and the space around.
static const float s_rowHeight = 26.0f;
static const float s_textSize = 14.0f;
static const float s_smallSize = 12.0f;
static const float s_gap = 5.0f;
static const float s_corner = 10.0f;

static bool tnpIsIn(tnpBox box, float x, float y)
{
	return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

// FNV-1a: names are few and short.
static uint32_t tnpMakeId(uint32_t seed, const char* name)
{
	uint32_t id = seed ^ 2166136261u;
	for (const char* letter = name; *letter != '\0'; ++letter)
	{
		id = (id ^ (uint8_t)*letter) * 16777619u;
	}
	return id != 0 ? id : 1;
}

static void tnpFill(tnpPanel* panel, tnpBox box, float corner, tnrColor color)
{
	if (panel->overlay != NULL)
	{
		tnrOverlay_Rectangle(panel->overlay, box.x, box.y, box.width, box.height, corner, color);
	}
}

void tnpPanel_TextIn(tnpPanel* panel, tnpBox box, float size, tnrColor color, float align, const char* text)
{
	if (panel->overlay == NULL)
	{
		return;
	}
	char cut[128];
	snprintf(cut, sizeof(cut), "%s", text);
	size_t length = strlen(cut);
	while (length > 2 && tnrGetTextWidth(size, cut) > box.width)
	{
		length -= 1;
		cut[length - 1] = '.';
		cut[length] = '\0';
		cut[length - 2] = '.';
	}
	const float x = box.x + align * (box.width - tnrGetTextWidth(size, cut));
	tnrOverlay_Text(panel->overlay, x, box.y + 0.5f * (box.height - size), size, color, cut);
}

void tnpPanel_Begin(tnpPanel* panel, tnrOverlay* overlay, float width, float height, tnpPanelEvent event, float wheel)
{
	panel->overlay = overlay;
	panel->event = event;
	panel->wheel = wheel;
	panel->width = width;
	panel->height = height;
	panel->inside = false;
	panel->taken = false;
	panel->hint[0] = '\0';
	panel->hintAbove = false;
	panel->padding = 12.0f;
	panel->down = event == tnp_pressEvent ? true : event == tnp_releaseEvent ? false : panel->down;
	if (overlay != NULL)
	{
		tnrOverlay_Begin(overlay, width, height);
	}
}

static void tnpDrawHint(tnpPanel* panel)
{
	const float width = tnrGetTextWidth(s_smallSize, panel->hint) + 16.0f;
	tnpBox box = {panel->hintBox.x + panel->hintBox.width + 8.0f,
		panel->hintBox.y + 0.5f * panel->hintBox.height - 12.0f, width, 24.0f};
	if (panel->hintAbove)
	{
		box.x = panel->hintBox.x + 0.5f * (panel->hintBox.width - width);
		box.y = panel->hintBox.y - 32.0f;
		box.y = box.y > 2.0f ? box.y : panel->hintBox.y + panel->hintBox.height + 8.0f;
	}
	box.x = box.x + width > panel->width - 4.0f ? panel->width - 4.0f - width : box.x;
	box.x = box.x < 4.0f ? 4.0f : box.x;
	tnpFill(panel, box, 6.0f, 0x0a1015f2);
	tnpPanel_TextIn(panel, box, s_smallSize, g_tnpTextColor, 0.5f, panel->hint);
}

void tnpPanel_End(tnpPanel* panel)
{
	if (panel->overlay != NULL && panel->hint[0] != '\0')
	{
		tnpDrawHint(panel);
	}
	if (panel->down == false)
	{
		panel->active = 0;
	}
	panel->overlay = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Boxes and places

void tnpPanel_BeginBox(tnpPanel* panel, const char* name, tnpBox box, tnpScroll* scroll)
{
	panel->box = box;
	panel->clip = box;
	panel->boxId = tnpMakeId(0, name);
	panel->scroll = scroll;
	panel->rowCount = 1;
	panel->rowIndex = 0;
	panel->lineHeight = 0.0f;
	panel->cursorX = box.x + panel->padding;
	panel->cursorY = box.y + panel->padding;
	const bool here = tnpIsIn(box, panel->x, panel->y);
	panel->inside = panel->inside || here;
	tnpFill(panel, box, s_corner, g_tnpBackColor);
	if (scroll == NULL)
	{
		return;
	}
	const float most = scroll->contentHeight - box.height;
	if (panel->event == tnp_wheelEvent && here)
	{
		scroll->offset -= 40.0f * panel->wheel;
		panel->taken = true;
	}
	if (panel->active == panel->boxId && panel->down)
	{
		scroll->offset = scroll->grabY - panel->y;
	}
	scroll->offset = scroll->offset > most ? most : scroll->offset;
	scroll->offset = scroll->offset > 0.0f ? scroll->offset : 0.0f;
	panel->cursorY -= scroll->offset;
	if (panel->overlay != NULL)
	{
		tnrOverlay_Clip(panel->overlay, box.x, box.y, box.width, box.height);
	}
}

void tnpPanel_EndBox(tnpPanel* panel)
{
	tnpScroll* scroll = panel->scroll;
	const bool here = tnpIsIn(panel->box, panel->x, panel->y);
	if (panel->event == tnp_pressEvent && here && panel->taken == false)
	{
		// The pane itself: it scrolls, and the world behind it feels nothing.
		panel->active = panel->boxId;
		panel->taken = true;
		if (scroll != NULL)
		{
			scroll->grabY = panel->y + scroll->offset;
		}
	}
	if (scroll == NULL)
	{
		return;
	}
	scroll->contentHeight = panel->cursorY + scroll->offset - panel->box.y + panel->padding - s_gap;
	if (panel->overlay == NULL)
	{
		return;
	}
	tnrOverlay_Clip(panel->overlay, 0.0f, 0.0f, 0.0f, 0.0f);
	if (scroll->contentHeight > panel->box.height)
	{
		const float share = panel->box.height / scroll->contentHeight;
		const tnpBox bar = {panel->box.x + panel->box.width - 5.0f, panel->box.y + 4.0f + share * scroll->offset, 3.0f,
			share * panel->box.height - 8.0f};
		tnpFill(panel, bar, 1.5f, 0xffffff40);
	}
}

void tnpPanel_Row(tnpPanel* panel, int count)
{
	panel->rowCount = count > 1 ? count : 1;
	panel->rowIndex = 0;
}

// The place of the next widget.
static tnpBox tnpNextPlace(tnpPanel* panel, float height)
{
	const float whole = panel->box.width - 2.0f * panel->padding;
	const float width = (whole - s_gap * (float)(panel->rowCount - 1)) / (float)panel->rowCount;
	const tnpBox place = {panel->cursorX + (float)panel->rowIndex * (width + s_gap), panel->cursorY, width, height};
	panel->lineHeight = height > panel->lineHeight ? height : panel->lineHeight;
	panel->rowIndex += 1;
	if (panel->rowIndex >= panel->rowCount)
	{
		panel->cursorY += panel->lineHeight + s_gap;
		panel->lineHeight = 0.0f;
		panel->rowCount = 1;
		panel->rowIndex = 0;
	}
	return place;
}

static float tnpGetRowHeight(const tnpPanel* panel)
{
	return s_rowHeight * panel->rowScale;
}

static bool tnpIsHovered(const tnpPanel* panel, tnpBox box)
{
	return tnpIsIn(box, panel->x, panel->y) && tnpIsIn(panel->clip, panel->x, panel->y);
}

// Press and release on the same widget is a click.
static bool tnpTakeClick(tnpPanel* panel, uint32_t id, tnpBox box)
{
	const bool hovered = tnpIsHovered(panel, box);
	if (panel->event == tnp_pressEvent && hovered && panel->taken == false)
	{
		panel->active = id;
		panel->taken = true;
	}
	return panel->event == tnp_releaseEvent && hovered && panel->active == id;
}

static void tnpTakeHint(tnpPanel* panel, tnpBox box, const char* hint)
{
	// Fingers do not hover, they only leave the mouse behind where they touched.
	if (hint != NULL && panel->rowScale <= 1.0f && panel->down == false && tnpIsHovered(panel, box))
	{
		snprintf(panel->hint, sizeof(panel->hint), "%s", hint);
		panel->hintBox = box;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Widgets

void tnpPanel_Label(tnpPanel* panel, const char* text, tnrColor color)
{
	const tnpBox box = tnpNextPlace(panel, s_textSize + 4.0f);
	tnpPanel_TextIn(panel, box, s_smallSize + 1.0f, color, 0.0f, text);
}

// A small arrow that points right, or down if open.
static void tnpDrawArrow(tnpPanel* panel, float x, float y, bool open, tnrColor color)
{
	const float r = 4.0f;
	if (panel->overlay != NULL && open)
	{
		tnrOverlay_Triangle(panel->overlay, x - r, y - 0.6f * r, x + r, y - 0.6f * r, x, y + 0.7f * r, color);
	}
	else if (panel->overlay != NULL)
	{
		tnrOverlay_Triangle(panel->overlay, x - 0.6f * r, y - r, x - 0.6f * r, y + r, x + 0.7f * r, y, color);
	}
}

bool tnpPanel_Section(tnpPanel* panel, const char* title, bool* open)
{
	const tnpBox box = tnpNextPlace(panel, tnpGetRowHeight(panel));
	const bool hovered = tnpIsHovered(panel, box);
	if (tnpTakeClick(panel, tnpMakeId(panel->boxId, title), box))
	{
		*open = !*open;
	}
	const float middle = box.y + 0.5f * box.height;
	tnpDrawArrow(panel, box.x + 4.0f, middle, *open, g_tnpDimColor);
	const tnpBox text = {box.x + 16.0f, box.y, box.width - 16.0f, box.height};
	tnpPanel_TextIn(panel, text, s_textSize, hovered ? g_tnpAccentColor : g_tnpTextColor, 0.0f, title);
	return *open;
}

bool tnpPanel_Face(tnpPanel* panel, const char* name, tnpBox box, bool selected, bool enabled, const char* hint)
{
	const uint32_t id = tnpMakeId(panel->boxId, name);
	const bool hovered = tnpIsHovered(panel, box);
	const bool clicked = tnpTakeClick(panel, id, box) && enabled;
	const bool pressed = panel->active == id && panel->down && hovered;
	tnrColor color = selected ? g_tnpAccentColor : hovered ? 0xffffff30 : 0xffffff12;
	color = pressed && enabled ? (selected ? 0x2f96c4ff : 0xffffff48) : color;
	color = enabled ? color : 0xffffff08;
	tnpFill(panel, box, 7.0f, color);
	tnpTakeHint(panel, box, hint);
	return clicked;
}

bool tnpPanel_Button(tnpPanel* panel, const char* label, bool selected, const char* hint)
{
	const tnpBox box = tnpNextPlace(panel, tnpGetRowHeight(panel));
	const bool clicked = tnpPanel_Face(panel, label, box, selected, true, hint);
	const tnpBox text = {box.x + 4.0f, box.y, box.width - 8.0f, box.height};
	tnpPanel_TextIn(panel, text, s_textSize, selected ? 0x06222eff : g_tnpTextColor, 0.5f, label);
	return clicked;
}

bool tnpPanel_Check(tnpPanel* panel, const char* label, bool* value)
{
	const tnpBox box = tnpNextPlace(panel, tnpGetRowHeight(panel));
	const bool hovered = tnpIsHovered(panel, box);
	const bool clicked = tnpTakeClick(panel, tnpMakeId(panel->boxId, label), box);
	*value = clicked ? !*value : *value;
	// A switch: a knob in a slot.
	const tnpBox slot = {box.x + box.width - 30.0f, box.y + 0.5f * box.height - 8.0f, 30.0f, 16.0f};
	tnpFill(panel, slot, 8.0f, *value ? g_tnpAccentColor : hovered ? 0xffffff38 : 0xffffff24);
	if (panel->overlay != NULL)
	{
		const float x = slot.x + (*value ? slot.width - 8.0f : 8.0f);
		tnrOverlay_Disc(panel->overlay, x, slot.y + 8.0f, 6.0f, 0xffffffff);
	}
	const tnpBox text = {box.x, box.y, box.width - 36.0f, box.height};
	tnpPanel_TextIn(panel, text, s_textSize - 1.0f, g_tnpTextColor, 0.0f, label);
	return clicked;
}

static float tnpGetShare(float value, float low, float high, bool logarithmic)
{
	const float share = logarithmic ? logf(value / low) / logf(high / low) : (value - low) / (high - low);
	return share > 1.0f ? 1.0f : share > 0.0f ? share : 0.0f;
}

// As many digits as one can read while it moves.
static void tnpFormatValue(float value, const char* unit, char* text, size_t size)
{
	const float magnitude = fabsf(value);
	const int digits = magnitude >= 100.0f ? 0 : magnitude >= 10.0f ? 1 : 2;
	snprintf(text, size, "%.*f%s%s", digits, (double)value, unit[0] != '\0' ? " " : "", unit);
}

bool tnpPanel_Slider(
	tnpPanel* panel, const char* label, const char* unit, float low, float high, bool logarithmic, float* value)
{
	const float height = (s_textSize + 20.0f) * (panel->rowScale > 1.0f ? 1.15f : 1.0f);
	const tnpBox box = tnpNextPlace(panel, height);
	const uint32_t id = tnpMakeId(panel->boxId, label);
	tnpTakeClick(panel, id, box);
	const float knob = panel->rowScale > 1.0f ? 9.0f : 6.5f;
	const float left = box.x + knob, length = box.width - 2.0f * knob;
	bool moved = false;
	if (panel->active == id && (panel->down || panel->event == tnp_releaseEvent) && length > 0.0f)
	{
		float share = (panel->x - left) / length;
		share = share > 1.0f ? 1.0f : share > 0.0f ? share : 0.0f;
		const float wanted = logarithmic ? low * powf(high / low, share) : low + share * (high - low);
		moved = wanted != *value;
		*value = wanted;
	}
	char text[48];
	tnpFormatValue(*value, unit, text, sizeof(text));
	const tnpBox line = {box.x, box.y, box.width, s_textSize + 4.0f};
	const float valueWidth = tnrGetTextWidth(s_textSize - 1.0f, text);
	const tnpBox name = {line.x, line.y, line.width - valueWidth - 6.0f, line.height};
	tnpPanel_TextIn(panel, name, s_textSize - 1.0f, g_tnpDimColor, 0.0f, label);
	tnpPanel_TextIn(panel, line, s_textSize - 1.0f, g_tnpTextColor, 1.0f, text);

	const bool hot = panel->active == id || tnpIsHovered(panel, box);
	const float x = left + length * tnpGetShare(*value, low, high, logarithmic);
	const float y = box.y + line.height + knob + 1.0f;
	tnpFill(panel, (tnpBox){box.x, y - 2.0f, box.width, 4.0f}, 2.0f, g_tnpTrackColor);
	tnpFill(panel, (tnpBox){box.x, y - 2.0f, x - box.x, 4.0f}, 2.0f, g_tnpAccentColor);
	if (panel->overlay != NULL)
	{
		tnrOverlay_Disc(panel->overlay, x, y, knob, hot ? 0xffffffff : 0xd7e4ebff);
	}
	return moved;
}

bool tnpPanel_Track(tnpPanel* panel, const char* name, tnpBox box, bool enabled, float* share)
{
	const uint32_t id = tnpMakeId(panel->boxId, name);
	const float knob = panel->rowScale > 1.0f ? 8.0f : 6.0f;
	const float left = box.x + knob, length = box.width - 2.0f * knob;
	bool moved = false;
	if (enabled)
	{
		tnpTakeClick(panel, id, box);
		if (panel->active == id && (panel->down || panel->event == tnp_releaseEvent) && length > 0.0f)
		{
			const float wanted = fminf(fmaxf((panel->x - left) / length, 0.0f), 1.0f);
			moved = wanted != *share;
			*share = wanted;
		}
	}
	const float y = box.y + box.height - knob - 1.0f;
	const float x = left + length * *share;
	tnpFill(panel, (tnpBox){box.x, y - 2.0f, box.width, 4.0f}, 2.0f, g_tnpTrackColor);
	if (enabled)
	{
		tnpFill(panel, (tnpBox){box.x, y - 2.0f, x - box.x, 4.0f}, 2.0f, g_tnpAccentColor);
	}
	if (enabled && panel->overlay != NULL)
	{
		const bool hot = panel->active == id || tnpIsHovered(panel, box);
		tnrOverlay_Disc(panel->overlay, x, y, knob, hot ? 0xffffffff : 0xd7e4ebff);
	}
	return moved;
}

bool tnpPanel_Choice(tnpPanel* panel, const char* label, const char* const* items, int count, int* index, bool* open)
{
	const float height = tnpGetRowHeight(panel);
	const tnpBox box = tnpNextPlace(panel, height);
	if (tnpPanel_Face(panel, label, box, false, count > 0, NULL))
	{
		*open = !*open;
	}
	const float labelWidth = label[0] != '#' ? tnrGetTextWidth(s_textSize - 1.0f, label) + 10.0f : 0.0f;
	if (labelWidth > 0.0f)
	{
		const tnpBox name = {box.x + 8.0f, box.y, labelWidth, height};
		tnpPanel_TextIn(panel, name, s_textSize - 1.0f, g_tnpDimColor, 0.0f, label);
	}
	const tnpBox chosen = {box.x + 8.0f + labelWidth, box.y, box.width - labelWidth - 30.0f, height};
	const bool known = *index >= 0 && *index < count;
	const char* none = labelWidth > 0.0f ? "-" : label + 1;
	tnpPanel_TextIn(panel, chosen, s_textSize - 1.0f, g_tnpTextColor, labelWidth > 0.0f ? 1.0f : 0.0f,
		known ? items[*index] : none);
	tnpDrawArrow(panel, box.x + box.width - 12.0f, box.y + 0.5f * height, *open, g_tnpDimColor);
	bool changed = false;
	for (int i = 0; *open && i < count; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "%.12s/%d", label, i);
		panel->cursorY -= s_gap - 1.0f;
		tnpBox row = tnpNextPlace(panel, height - 2.0f);
		row.x += 8.0f;
		row.width -= 8.0f;
		const bool here = i == *index;
		if (tnpPanel_Face(panel, name, row, false, true, NULL))
		{
			changed = here == false;
			*index = i;
			*open = false;
		}
		const tnpBox text = {row.x + 8.0f, row.y, row.width - 16.0f, row.height};
		tnpPanel_TextIn(panel, text, s_textSize - 1.0f, here ? g_tnpAccentColor : g_tnpTextColor, 0.0f, items[i]);
	}
	return changed;
}

void tnpPanel_Graph(tnpPanel* panel, const char* label, const char* text, const float* values, int capacity, int count,
	int first, float low, float high)
{
	const tnpBox box = tnpNextPlace(panel, 46.0f);
	if (panel->overlay == NULL)
	{
		return;
	}
	const tnpBox line = {box.x, box.y, box.width, s_smallSize + 3.0f};
	tnpPanel_TextIn(panel, line, s_smallSize, g_tnpDimColor, 0.0f, label);
	tnpPanel_TextIn(panel, line, s_smallSize, g_tnpTextColor, 1.0f, text);
	const float top = box.y + line.height + 2.0f, bottom = box.y + box.height;
	tnpFill(panel, (tnpBox){box.x, top, box.width, bottom - top}, 4.0f, 0xffffff0c);
	const float range = high > low ? high - low : 1.0f;
	if (low < 0.0f && high > 0.0f)
	{
		const float zero = bottom + (bottom - top) * low / range;
		tnrOverlay_Line(panel->overlay, box.x, zero, box.x + box.width, zero, 1.0f, 0xffffff20);
	}
	float lastX = 0.0f, lastY = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		const float share = (values[(first + i) % capacity] - low) / range;
		const float x = box.x + 2.0f + (box.width - 4.0f) * (float)(capacity - count + i) / (float)(capacity - 1);
		const float y = bottom - 1.5f - (bottom - top - 3.0f) * (share > 1.0f ? 1.0f : share > 0.0f ? share : 0.0f);
		if (i > 0)
		{
			tnrOverlay_Line(panel->overlay, lastX, lastY, x, y, 1.5f, g_tnpAccentColor);
		}
		lastX = x;
		lastY = y;
	}
}

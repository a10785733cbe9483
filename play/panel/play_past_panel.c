// SPDX-License-Identifier: MIT

// The strip with the past: undo, redo, the time line, save and open.

#include "panel/icons.h"
#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>

static bool tnpStripButton(tnpPlay* play, tnpBox* place, const char* name, tnpIcon icon, bool enabled, const char* hint)
{
	tnpPanel* panel = &play->panel;
	const bool clicked = tnpPanel_Face(panel, name, *place, false, enabled, hint);
	if (panel->overlay != NULL)
	{
		tnpDrawIcon(panel->overlay, icon, place->x + 0.5f * place->width, place->y + 0.5f * place->height,
			0.3f * place->height, enabled ? g_tnpTextColor : 0xffffff50);
	}
	place->x += place->width + 2.0f;
	return clicked;
}

static void tnpShowLine(tnpPlay* play, tnpBox box, const tnpPast* past)
{
	tnpPanel* panel = &play->panel;
	const double span = past->end - past->begin;
	const double now = tnpPlay_GetTime(play);
	float share = span > 0.0 ? (float)((now - past->begin) / span) : 1.0f;
	share = fminf(fmaxf(share, 0.0f), 1.0f);
	if (tnpPanel_Track(panel, "line", box, past->count > 1, &share))
	{
		tnpPlay_GoBackTo(play, past->begin + (double)share * span);
	}
	char text[48];
	const double back = past->end - now;
	if (back > 0.005)
	{
		snprintf(text, sizeof(text), "%.1f s back", back);
	}
	else
	{
		snprintf(text, sizeof(text), past->count > 1 ? "the last %.0f s" : "no past yet", span);
	}
	const tnpBox label = {box.x, box.y + 2.0f, box.width, 13.0f};
	tnpPanel_TextIn(panel, label, 11.0f, back > 0.005 ? g_tnpAccentColor : g_tnpDimColor, 0.5f, text);
}

void tnpShowPast(tnpPlay* play, const tnpLayout* layout)
{
	const tnpPast past = tnpPlay_GetPast(play);
	if (past.available == false || layout->past.height <= 0.0f)
	{
		return;
	}
	tnpPanel* panel = &play->panel;
	tnpPanel_BeginBox(panel, "past", layout->past, NULL);
	const float size = layout->past.height - 8.0f;
	tnpBox place = {layout->past.x + 4.0f, layout->past.y + 4.0f, size, size};
	if (tnpStripButton(play, &place, "undo", tnp_undoIcon, past.undoCount > 0, "Undo a stroke (ctrl+Z)"))
	{
		tnpPlay_Undo(play);
	}
	if (tnpStripButton(play, &place, "redo", tnp_redoIcon, past.redoCount > 0, "Do it again (ctrl+Y)"))
	{
		tnpPlay_Redo(play);
	}
	const float right = layout->past.x + layout->past.width - 4.0f - 2.0f * (size + 2.0f) + 2.0f;
	tnpShowLine(play, (tnpBox){place.x + 8.0f, place.y, right - place.x - 18.0f, size}, &past);
	place.x = right;
	if (tnpStripButton(play, &place, "save", tnp_saveIcon, true, "Save this world (ctrl+S)"))
	{
		play->wantsSave = true;
	}
	if (tnpStripButton(play, &place, "open", tnp_openIcon, true, "Open the last saved one (ctrl+O)"))
	{
		play->wantsOpen = true;
	}
	// It lies at the bottom: hints of its own stand above it.
	if (panel->hint[0] != '\0' && panel->hintBox.y >= layout->past.y &&
		panel->hintBox.y < layout->past.y + layout->past.height)
	{
		panel->hintAbove = true;
	}
	tnpPanel_EndBox(panel);
}

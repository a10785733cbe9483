// SPDX-License-Identifier: MIT

#pragma once

#include "overlay.h"
#include "play.h"

// Icons of simple shapes, drawn into a square around (x, y) with half side r.

void tnpDrawToolIcon(tnrOverlay* overlay, tnpTool tool, float x, float y, float r, tnrColor color);

typedef enum tnpIcon
{
	tnp_pauseIcon = 0,
	tnp_playIcon,
	tnp_stepIcon,
	tnp_resetIcon,
	tnp_menuIcon,
	tnp_helpIcon,
	tnp_undoIcon,
	tnp_redoIcon,
	tnp_saveIcon,
	tnp_openIcon,
} tnpIcon;

void tnpDrawIcon(tnrOverlay* overlay, tnpIcon icon, float x, float y, float r, tnrColor color);

// SPDX-License-Identifier: MIT

// The icons of tools and buttons, made of lines, discs and boxes.

#include "panel/icons.h"

#include <math.h>

static const float s_pi = 3.14159265f;

// The pen of an icon: places are in units of r around (x, y).
typedef struct tnpPen
{
	tnrOverlay* overlay;
	float x, y, r;
	tnrColor color;
} tnpPen;

static void tnpLine(const tnpPen* pen, float x0, float y0, float x1, float y1, float thickness)
{
	tnrOverlay_Line(pen->overlay, pen->x + x0 * pen->r, pen->y + y0 * pen->r, pen->x + x1 * pen->r,
		pen->y + y1 * pen->r, thickness * pen->r, pen->color);
}

static void tnpDisc(const tnpPen* pen, float x, float y, float radius)
{
	tnrOverlay_Disc(pen->overlay, pen->x + x * pen->r, pen->y + y * pen->r, radius * pen->r, pen->color);
}

static void tnpTriangle(const tnpPen* pen, float x0, float y0, float x1, float y1, float x2, float y2)
{
	tnrOverlay_Triangle(pen->overlay, pen->x + x0 * pen->r, pen->y + y0 * pen->r, pen->x + x1 * pen->r,
		pen->y + y1 * pen->r, pen->x + x2 * pen->r, pen->y + y2 * pen->r, pen->color);
}

static void tnpRectangle(const tnpPen* pen, float x, float y, float width, float height, float corner)
{
	tnrOverlay_Rectangle(pen->overlay, pen->x + x * pen->r, pen->y + y * pen->r, width * pen->r, height * pen->r,
		corner * pen->r, pen->color);
}

// Part of a circle, angles clockwise from the right.
static void tnpArc(const tnpPen* pen, float x, float y, float radius, float from, float to, float thickness)
{
	const int pieces = 14;
	for (int i = 0; i < pieces; ++i)
	{
		const float a = from + (to - from) * (float)i / (float)pieces;
		const float b = from + (to - from) * (float)(i + 1) / (float)pieces;
		tnpLine(pen, x + radius * cosf(a), y + radius * sinf(a), x + radius * cosf(b), y + radius * sinf(b), thickness);
	}
}

// A curve over a base line: a mound, or upside down a pit.
static void tnpBump(const tnpPen* pen, float base, float height)
{
	const int pieces = 14;
	for (int i = 0; i < pieces; ++i)
	{
		const float a = -0.9f + 1.8f * (float)i / (float)pieces;
		const float b = -0.9f + 1.8f * (float)(i + 1) / (float)pieces;
		const float ya = base - height * 0.5f * (1.0f + cosf(s_pi * a / 0.9f));
		const float yb = base - height * 0.5f * (1.0f + cosf(s_pi * b / 0.9f));
		tnpLine(pen, a, ya, b, yb, 0.2f);
	}
}

static void tnpDrop(const tnpPen* pen, float x, float y, float size)
{
	tnpDisc(pen, x, y + 0.28f * size, 0.58f * size);
	tnpTriangle(pen, x, y - 0.95f * size, x + 0.54f * size, y + 0.1f * size, x - 0.54f * size, y + 0.1f * size);
}

static void tnpWave(const tnpPen* pen, float y)
{
	const int pieces = 16;
	for (int i = 0; i < pieces; ++i)
	{
		const float a = -0.85f + 1.7f * (float)i / (float)pieces;
		const float b = -0.85f + 1.7f * (float)(i + 1) / (float)pieces;
		tnpLine(pen, a, y + 0.12f * sinf(7.0f * a), b, y + 0.12f * sinf(7.0f * b), 0.16f);
	}
}

// A spring: an arrow of water that rises from the ground and falls to both sides.
static void tnpDrawSpring(const tnpPen* pen)
{
	tnpLine(pen, 0.0f, 0.7f, 0.0f, -0.5f, 0.2f);
	tnpArc(pen, 0.36f, -0.38f, 0.36f, -s_pi, 0.35f, 0.17f);
	tnpArc(pen, -0.36f, -0.38f, 0.36f, -0.35f - s_pi, 0.0f, 0.17f);
	tnpLine(pen, -0.8f, 0.75f, 0.8f, 0.75f, 0.18f);
}

static void tnpDrawCloud(const tnpPen* pen)
{
	tnpDisc(pen, -0.4f, -0.15f, 0.34f);
	tnpDisc(pen, 0.05f, -0.38f, 0.42f);
	tnpDisc(pen, 0.48f, -0.12f, 0.32f);
	tnpRectangle(pen, -0.45f, -0.22f, 0.95f, 0.42f, 0.18f);
	for (int i = -1; i <= 1; ++i)
	{
		const float x = 0.42f * (float)i;
		tnpLine(pen, x + 0.06f, 0.42f, x - 0.12f, 0.82f, 0.15f);
	}
}

// A pipette-like drop with two smaller ones: colour that spreads.
static void tnpDrawDye(const tnpPen* pen)
{
	tnpDrop(pen, -0.12f, -0.15f, 0.72f);
	tnpDisc(pen, 0.55f, 0.4f, 0.2f);
	tnpDisc(pen, 0.25f, 0.74f, 0.14f);
	tnpDisc(pen, 0.72f, 0.02f, 0.11f);
}

static void tnpDrawWell(const tnpPen* pen)
{
	tnpLine(pen, -0.62f, -0.1f, -0.62f, 0.8f, 0.2f);
	tnpLine(pen, 0.62f, -0.1f, 0.62f, 0.8f, 0.2f);
	tnpLine(pen, -0.62f, 0.8f, 0.62f, 0.8f, 0.2f);
	tnpRectangle(pen, -0.5f, 0.28f, 1.0f, 0.42f, 0.05f);
	tnpTriangle(pen, -0.85f, -0.4f, 0.85f, -0.4f, 0.0f, -0.9f);
}

// An eye.
static void tnpDrawLook(const tnpPen* pen)
{
	tnpArc(pen, 0.0f, 0.62f, 1.05f, -s_pi + 0.62f, -0.62f, 0.16f);
	tnpArc(pen, 0.0f, -0.62f, 1.05f, 0.62f, s_pi - 0.62f, 0.16f);
	tnpDisc(pen, 0.0f, 0.0f, 0.26f);
}

static void tnpDrawArrow(const tnpPen* pen)
{
	tnpLine(pen, -0.8f, -0.15f, 0.3f, -0.15f, 0.24f);
	tnpTriangle(pen, 0.25f, -0.62f, 0.9f, -0.15f, 0.25f, 0.32f);
	tnpWave(pen, 0.68f);
}

// A hand from above: four fingers and a thumb that close around something.
static void tnpDrawHand(const tnpPen* pen)
{
	for (int i = 0; i < 4; ++i)
	{
		const float x = -0.42f + 0.3f * (float)i, top = i == 0 || i == 3 ? -0.42f : -0.62f;
		tnpLine(pen, x, top, x, 0.2f, 0.24f);
	}
	tnpRectangle(pen, -0.54f, 0.0f, 1.14f, 0.62f, 0.22f);
	tnpLine(pen, -0.78f, -0.02f, -0.42f, 0.42f, 0.24f);
	tnpRectangle(pen, -0.3f, 0.55f, 0.66f, 0.32f, 0.1f);
}

// A ball and the arc that it has come along.
static void tnpDrawThrow(const tnpPen* pen)
{
	tnpArc(pen, -0.1f, 0.75f, 0.85f, -s_pi, -0.95f, 0.16f);
	tnpDisc(pen, 0.6f, -0.1f, 0.32f);
	tnpLine(pen, -0.4f, -0.75f, 0.15f, -0.62f, 0.12f);
	tnpLine(pen, 0.0f, -0.92f, 0.45f, -0.75f, 0.12f);
}

// Three crates.
static void tnpDrawStack(const tnpPen* pen)
{
	tnpRectangle(pen, -0.42f, -0.84f, 0.8f, 0.78f, 0.06f);
	tnpRectangle(pen, -0.86f, 0.04f, 0.8f, 0.78f, 0.06f);
	tnpRectangle(pen, 0.04f, 0.04f, 0.8f, 0.78f, 0.06f);
}

// Scissors on a rope.
static void tnpDrawCut(const tnpPen* pen)
{
	tnpLine(pen, -0.3f, 0.45f, 0.5f, -0.8f, 0.17f);
	tnpLine(pen, 0.3f, 0.45f, -0.5f, -0.8f, 0.17f);
	tnpArc(pen, -0.46f, 0.62f, 0.24f, 0.0f, 2.0f * s_pi, 0.15f);
	tnpArc(pen, 0.46f, 0.62f, 0.24f, 0.0f, 2.0f * s_pi, 0.15f);
}

// A spoon and the V of waves behind it.
static void tnpDrawStir(const tnpPen* pen)
{
	tnpDisc(pen, 0.62f, 0.0f, 0.26f);
	for (int i = 0; i < 3; ++i)
	{
		const float x = 0.45f - 0.48f * (float)i, reach = 0.3f + 0.25f * (float)i;
		tnpLine(pen, x - reach, -reach, x, 0.0f, 0.14f);
		tnpLine(pen, x - reach, reach, x, 0.0f, 0.14f);
	}
}

// A drop over its rings.
static void tnpDrawDrops(const tnpPen* pen)
{
	tnpDrop(pen, 0.0f, -0.5f, 0.5f);
	tnpArc(pen, 0.0f, 0.2f, 0.45f, 0.2f, s_pi - 0.2f, 0.14f);
	tnpArc(pen, 0.0f, 0.1f, 0.85f, 0.35f, s_pi - 0.35f, 0.14f);
}

// A cube on the ground.
static void tnpDrawBuild(const tnpPen* pen)
{
	tnpLine(pen, 0.0f, -0.85f, 0.75f, -0.45f, 0.15f);
	tnpLine(pen, 0.75f, -0.45f, 0.0f, -0.05f, 0.15f);
	tnpLine(pen, 0.0f, -0.05f, -0.75f, -0.45f, 0.15f);
	tnpLine(pen, -0.75f, -0.45f, 0.0f, -0.85f, 0.15f);
	tnpLine(pen, -0.75f, -0.45f, -0.75f, 0.4f, 0.15f);
	tnpLine(pen, 0.75f, -0.45f, 0.75f, 0.4f, 0.15f);
	tnpLine(pen, 0.0f, -0.05f, 0.0f, 0.82f, 0.15f);
	tnpLine(pen, -0.75f, 0.4f, 0.0f, 0.82f, 0.15f);
	tnpLine(pen, 0.75f, 0.4f, 0.0f, 0.82f, 0.15f);
}

// A spade.
static void tnpDrawDig(const tnpPen* pen)
{
	tnpLine(pen, 0.42f, -0.9f, 0.86f, -0.46f, 0.18f);
	tnpLine(pen, 0.62f, -0.66f, -0.12f, 0.1f, 0.18f);
	tnpTriangle(pen, -0.5f, -0.2f, 0.2f, 0.5f, -0.85f, 0.85f);
	tnpTriangle(pen, -0.5f, -0.2f, -0.1f, -0.1f, 0.2f, 0.5f);
	tnpLine(pen, -0.45f, -0.18f, 0.15f, 0.45f, 0.2f);
}

// A mountain that gives what is inside.
static void tnpDrawLava(const tnpPen* pen)
{
	tnpLine(pen, -0.9f, 0.8f, -0.3f, -0.1f, 0.17f);
	tnpLine(pen, 0.9f, 0.8f, 0.3f, -0.1f, 0.17f);
	tnpLine(pen, -0.3f, -0.1f, 0.3f, -0.1f, 0.17f);
	tnpLine(pen, -0.9f, 0.8f, 0.9f, 0.8f, 0.17f);
	tnpLine(pen, 0.02f, -0.05f, 0.06f, 0.5f, 0.24f);
	tnpDisc(pen, 0.0f, -0.48f, 0.16f);
	tnpDisc(pen, -0.38f, -0.68f, 0.12f);
	tnpDisc(pen, 0.36f, -0.76f, 0.13f);
}

// Up for direction -1, down for 1.
static void tnpDrawDigArrow(const tnpPen* pen, float direction)
{
	const float y = -0.52f;
	tnpLine(pen, 0.0f, y - 0.38f * direction, 0.0f, y + 0.1f * direction, 0.18f);
	tnpTriangle(pen, -0.3f, y, 0.3f, y, 0.0f, y + 0.38f * direction);
}

// A nozzle and drops.
static void tnpDrawHose(const tnpPen* pen)
{
	tnpLine(pen, -0.85f, 0.75f, -0.1f, 0.0f, 0.34f);
	tnpLine(pen, -0.28f, -0.18f, 0.18f, 0.28f, 0.16f);
	tnpLine(pen, 0.2f, -0.25f, 0.5f, -0.55f, 0.13f);
	tnpDisc(pen, 0.72f, -0.85f, 0.12f);
	tnpDisc(pen, 0.4f, -0.9f, 0.1f);
	tnpDisc(pen, 0.86f, -0.45f, 0.1f);
}

// A figure that walks.
static void tnpDrawDrive(const tnpPen* pen)
{
	tnpDisc(pen, 0.1f, -0.7f, 0.22f);
	tnpLine(pen, 0.05f, -0.38f, -0.05f, 0.15f, 0.26f);
	tnpLine(pen, -0.05f, 0.15f, 0.35f, 0.8f, 0.18f);
	tnpLine(pen, -0.05f, 0.15f, -0.4f, 0.8f, 0.18f);
	tnpLine(pen, 0.05f, -0.3f, 0.5f, 0.05f, 0.15f);
	tnpLine(pen, 0.05f, -0.3f, -0.4f, 0.0f, 0.15f);
}

// A hull in the water.
static void tnpDrawHull(const tnpPen* pen)
{
	tnpLine(pen, -0.9f, -0.1f, -0.55f, 0.65f, 0.16f);
	tnpLine(pen, -0.55f, 0.65f, 0.55f, 0.65f, 0.16f);
	tnpLine(pen, 0.55f, 0.65f, 0.9f, -0.1f, 0.16f);
}

// A hull with a hole, and what comes in.
static void tnpDrawHole(const tnpPen* pen)
{
	tnpDrawHull(pen);
	tnpDisc(pen, 0.0f, 0.62f, 0.2f);
	tnpLine(pen, 0.0f, 0.5f, 0.0f, -0.2f, 0.14f);
	tnpDisc(pen, -0.3f, -0.35f, 0.11f);
	tnpDisc(pen, 0.3f, -0.35f, 0.11f);
}

// A hull with a pipe over its side.
static void tnpDrawPump(const tnpPen* pen)
{
	tnpDrawHull(pen);
	tnpLine(pen, 0.0f, 0.4f, 0.0f, -0.55f, 0.18f);
	tnpLine(pen, 0.0f, -0.55f, 0.75f, -0.55f, 0.18f);
	tnpDisc(pen, 0.82f, -0.3f, 0.11f);
}

void tnpDrawToolIcon(tnrOverlay* overlay, tnpTool tool, float x, float y, float r, tnrColor color)
{
	const tnpPen pen = {overlay, x, y, r, color};
	switch (tool)
	{
		case tnp_lookTool:
			tnpDrawLook(&pen);
			break;
		case tnp_pourTool:
			tnpDrop(&pen, 0.0f, 0.05f, 0.95f);
			break;
		case tnp_drainTool:
			tnpDrop(&pen, -0.22f, 0.0f, 0.8f);
			tnpLine(&pen, 0.32f, -0.45f, 0.88f, -0.45f, 0.2f);
			break;
		case tnp_raiseTool:
			tnpBump(&pen, 0.75f, 0.8f);
			tnpDrawDigArrow(&pen, -1.0f);
			break;
		case tnp_lowerTool:
			tnpBump(&pen, -0.05f, -0.8f);
			tnpDrawDigArrow(&pen, 1.0f);
			break;
		case tnp_flattenTool:
			tnpRectangle(&pen, -0.85f, 0.2f, 1.7f, 0.5f, 0.08f);
			tnpLine(&pen, -0.85f, -0.2f, 0.85f, -0.2f, 0.16f);
			break;
		case tnp_sourceTool:
			tnpDrawSpring(&pen);
			break;
		case tnp_wellTool:
			tnpDrawWell(&pen);
			break;
		case tnp_dyeTool:
			tnpDrawDye(&pen);
			break;
		case tnp_pushTool:
			tnpDrawArrow(&pen);
			break;
		case tnp_rainTool:
			tnpDrawCloud(&pen);
			break;
		case tnp_grabTool:
			tnpDrawHand(&pen);
			break;
		case tnp_throwTool:
			tnpDrawThrow(&pen);
			break;
		case tnp_stackTool:
			tnpDrawStack(&pen);
			break;
		case tnp_cutTool:
			tnpDrawCut(&pen);
			break;
		case tnp_stirTool:
			tnpDrawStir(&pen);
			break;
		case tnp_dropsTool:
			tnpDrawDrops(&pen);
			break;
		case tnp_buildTool:
			tnpDrawBuild(&pen);
			break;
		case tnp_digTool:
			tnpDrawDig(&pen);
			break;
		case tnp_lavaTool:
			tnpDrawLava(&pen);
			break;
		case tnp_hoseTool:
			tnpDrawHose(&pen);
			break;
		case tnp_driveTool:
			tnpDrawDrive(&pen);
			break;
		case tnp_holeTool:
			tnpDrawHole(&pen);
			break;
		case tnp_pumpTool:
			tnpDrawPump(&pen);
			break;
		case tnp_toolCount:
			break;
	}
}

void tnpDrawIcon(tnrOverlay* overlay, tnpIcon icon, float x, float y, float r, tnrColor color)
{
	const tnpPen pen = {overlay, x, y, r, color};
	switch (icon)
	{
		case tnp_pauseIcon:
			tnpRectangle(&pen, -0.55f, -0.7f, 0.38f, 1.4f, 0.08f);
			tnpRectangle(&pen, 0.17f, -0.7f, 0.38f, 1.4f, 0.08f);
			break;
		case tnp_playIcon:
			tnpTriangle(&pen, -0.45f, -0.75f, 0.75f, 0.0f, -0.45f, 0.75f);
			break;
		case tnp_stepIcon:
			tnpTriangle(&pen, -0.65f, -0.65f, 0.35f, 0.0f, -0.65f, 0.65f);
			tnpRectangle(&pen, 0.4f, -0.65f, 0.26f, 1.3f, 0.06f);
			break;
		case tnp_resetIcon:
			tnpArc(&pen, 0.0f, 0.05f, 0.62f, -0.9f, 4.0f, 0.2f);
			tnpTriangle(&pen, 0.12f, -0.85f, 0.72f, -0.72f, 0.26f, -0.2f);
			break;
		case tnp_menuIcon:
			for (int i = -1; i <= 1; ++i)
			{
				tnpLine(&pen, -0.7f, 0.5f * (float)i, 0.7f, 0.5f * (float)i, 0.18f);
			}
			break;
		case tnp_helpIcon:
			tnpArc(&pen, 0.0f, -0.35f, 0.38f, -s_pi, 0.9f, 0.2f);
			tnpLine(&pen, 0.22f, -0.04f, 0.0f, 0.18f, 0.2f);
			tnpLine(&pen, 0.0f, 0.15f, 0.0f, 0.32f, 0.2f);
			tnpDisc(&pen, 0.0f, 0.68f, 0.14f);
			break;
		case tnp_undoIcon:
		case tnp_redoIcon:
		{
			// A way back, or forwards again, with a bend.
			const float side = icon == tnp_undoIcon ? 1.0f : -1.0f;
			tnpTriangle(&pen, -0.85f * side, -0.25f, -0.25f * side, -0.75f, -0.25f * side, 0.25f);
			tnpLine(&pen, -0.35f * side, -0.25f, 0.3f * side, -0.25f, 0.2f);
			tnpArc(&pen, 0.3f * side, 0.18f, 0.43f, -0.5f * s_pi, side > 0.0f ? 0.5f * s_pi : -1.5f * s_pi, 0.2f);
			tnpLine(&pen, 0.3f * side, 0.61f, -0.2f * side, 0.61f, 0.2f);
			break;
		}
		case tnp_saveIcon:
			tnpLine(&pen, 0.0f, -0.75f, 0.0f, 0.05f, 0.2f);
			tnpTriangle(&pen, -0.4f, -0.05f, 0.4f, -0.05f, 0.0f, 0.4f);
			tnpLine(&pen, -0.7f, 0.3f, -0.7f, 0.7f, 0.18f);
			tnpLine(&pen, -0.7f, 0.7f, 0.7f, 0.7f, 0.18f);
			tnpLine(&pen, 0.7f, 0.7f, 0.7f, 0.3f, 0.18f);
			break;
		case tnp_openIcon:
			tnpLine(&pen, 0.0f, 0.35f, 0.0f, -0.35f, 0.2f);
			tnpTriangle(&pen, -0.4f, -0.3f, 0.0f, -0.75f, 0.4f, -0.3f);
			tnpLine(&pen, -0.7f, 0.3f, -0.7f, 0.7f, 0.18f);
			tnpLine(&pen, -0.7f, 0.7f, 0.7f, 0.7f, 0.18f);
			tnpLine(&pen, 0.7f, 0.7f, 0.7f, 0.3f, 0.18f);
			break;
	}
}

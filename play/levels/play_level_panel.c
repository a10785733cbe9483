// SPDX-License-Identifier: MIT

// What the panel shows of a level: its goals and clock, what it is about, how it ended, and the menu of levels.

#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const tnrColor s_doneColor = 0x74dd8aff;
static const tnrColor s_riskColor = 0xffb454ff;
static const tnrColor s_darkColor = 0x06222eff;

// Units.
static const float s_goalHeight = 20.0f;
static const float s_storySize = 14.0f;

void tnpDescribeLeft(const tnpPlay* play, tnpTool tool, char* text, size_t size)
{
	const int index = play->level != NULL ? tnsLevel_FindTool(play->level, tnpGetToolName(tool)) : -1;
	const double left = index >= 0 ? tnsLevel_GetLeft(play->level, index) : INFINITY;
	text[0] = '\0';
	if (isfinite(left))
	{
		// A little is not nothing.
		const bool whole = left >= 10.0 || left == floor(left);
		snprintf(text, size, whole ? "%.0f" : "%.1f", whole ? left : ceil(10.0 * left) / 10.0);
	}
}

// Text in lines no longer than a box is wide. @return how many lines
static int tnpWrapText(tnpPanel* panel, tnpBox box, float size, tnrColor color, const char* text)
{
	char line[160] = "";
	int lines = 0;
	const float step = 1.35f * size;
	for (const char* word = text; *word != '\0';)
	{
		const int length = (int)strcspn(word, " ");
		char longer[sizeof(line) + 1]; // a full line and a space
		snprintf(longer, sizeof(longer), "%s%s%.*s", line, line[0] != '\0' ? " " : "", length, word);
		if (line[0] != '\0' && (tnrGetTextWidth(size, longer) > box.width || strlen(longer) + 1 >= sizeof(line)))
		{
			const tnpBox row = {box.x, box.y + step * (float)lines, box.width, step};
			tnpPanel_TextIn(panel, row, size, color, 0.0f, line);
			lines += 1;
			snprintf(longer, sizeof(longer), "%.*s", length, word);
		}
		memcpy(line, longer, sizeof(line));
		line[sizeof(line) - 1] = '\0';
		word += length;
		word += strspn(word, " ");
	}
	if (line[0] != '\0')
	{
		const tnpBox row = {box.x, box.y + step * (float)lines, box.width, step};
		tnpPanel_TextIn(panel, row, size, color, 0.0f, line);
		lines += 1;
	}
	return lines;
}

static float tnpMeasureText(const tnpPanel* panel, float width, float size, const char* text)
{
	tnpPanel silent = *panel;
	silent.overlay = NULL;
	return 1.35f * size * (float)tnpWrapText(&silent, (tnpBox){0.0f, 0.0f, width, 0.0f}, size, 0, text);
}

static void tnpDrawTick(tnpPanel* panel, float x, float y, float r, tnrColor color)
{
	if (panel->overlay != NULL)
	{
		tnrOverlay_Line(panel->overlay, x - r, y, x - 0.25f * r, y + 0.7f * r, 0.42f * r, color);
		tnrOverlay_Line(panel->overlay, x - 0.25f * r, y + 0.7f * r, x + r, y - 0.8f * r, 0.42f * r, color);
	}
}

static void tnpDrawShare(tnpPanel* panel, tnpBox box, float share, tnrColor color)
{
	if (panel->overlay != NULL)
	{
		const float corner = 0.5f * box.height;
		tnrOverlay_Rectangle(panel->overlay, box.x, box.y, box.width, box.height, corner, g_tnpTrackColor);
		const float filled = box.width * fminf(fmaxf(share, 0.0f), 1.0f);
		if (filled > 0.5f)
		{
			tnrOverlay_Rectangle(panel->overlay, box.x, box.y, fmaxf(filled, box.height), box.height, corner, color);
		}
	}
}

// A button with a text, at a place of its own.
static bool tnpTextButton(tnpPanel* panel, tnpBox box, const char* text, bool selected, const char* hint)
{
	const bool clicked = tnpPanel_Face(panel, text, box, selected, true, hint);
	tnpPanel_TextIn(panel, box, s_storySize, selected ? s_darkColor : g_tnpTextColor, 0.5f, text);
	return clicked;
}

// ---------------------------------------------------------------------------------------------------------------------
// Goals

static void tnpFormatClock(double seconds, char* text, size_t size)
{
	const int whole = (int)ceil(fmin(fmax(seconds, 0.0), 86400.0));
	snprintf(text, size, "%d:%02d", whole / 60, whole % 60);
}

static void tnpShowGoal(tnpPlay* play, int index, tnpBox box)
{
	tnpPanel* panel = &play->panel;
	const tnsGoal* goal = tnsLevel_GetInfo(play->level)->goals + index;
	const tnsGoalReport report = tnsLevel_GetGoal(play->level, index);
	const float middle = box.y + 0.5f * box.height, bar = fminf(84.0f, 0.32f * box.width);
	const tnrColor color = goal->loses ? (report.progress > 0.66f ? g_tnpWarnColor : s_riskColor)
		: report.done                  ? s_doneColor
									   : g_tnpAccentColor;
	if (panel->overlay != NULL)
	{
		const float x = box.x + 6.0f;
		if (goal->loses)
		{
			tnrOverlay_Triangle(
				panel->overlay, x - 5.0f, middle + 4.5f, x + 5.0f, middle + 4.5f, x, middle - 5.0f, color);
		}
		else if (report.done)
		{
			tnpDrawTick(panel, x, middle, 5.0f, color);
		}
		else
		{
			tnrOverlay_Disc(panel->overlay, x, middle, 4.0f, color);
			tnrOverlay_Disc(panel->overlay, x, middle, 2.2f, 0x0e171dff);
		}
	}
	const tnpBox label = {box.x + 18.0f, box.y, box.width - bar - 26.0f, box.height};
	tnpPanel_TextIn(panel, label, 13.0f, g_tnpTextColor, 0.0f, goal->label);
	if (report.needed > 0)
	{
		char count[32];
		snprintf(count, sizeof(count), "%d of %d", report.count, report.needed);
		tnpPanel_TextIn(panel, label, 13.0f, g_tnpDimColor, 1.0f, count);
	}
	const tnpBox track = {box.x + box.width - bar, middle - 3.0f, bar, 6.0f};
	tnpDrawShare(panel, track, report.done ? 1.0f : report.progress, color);
}

// The place of the pane with the goals: between the other panes, or below the bar.
static tnpBox tnpPlaceGoals(const tnpPlay* play, const tnpLayout* layout)
{
	const float left = play->showPanel ? layout->bar.x + layout->bar.width + 8.0f : TNP_MARGIN;
	const bool settings = play->showPanel && layout->hasMenu == false;
	const float right = settings ? layout->settings.x - 8.0f : layout->width - TNP_MARGIN;
	const float below = play->showPanel ? layout->bar.y + layout->bar.height + 8.0f : TNP_MARGIN;
	if (layout->narrow)
	{
		return (tnpBox){TNP_MARGIN, below, layout->width - 2.0f * TNP_MARGIN, 0.0f};
	}
	const float width = fminf(420.0f, right - left);
	const float x = fminf(fmaxf(0.5f * (layout->width - width), left), right - width);
	return (tnpBox){x, TNP_MARGIN, width, 0.0f};
}

void tnpShowGoals(tnpPlay* play, const tnpLayout* layout)
{
	if (play->level == NULL || (layout->narrow && play->menuOpen))
	{
		return;
	}
	tnpPanel* panel = &play->panel;
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	tnpBox box = tnpPlaceGoals(play, layout);
	const float inside = box.width - 24.0f;
	const int columns = info->goalCount > 5 && inside > 340.0f ? 2 : 1;
	const int rows = (info->goalCount + columns - 1) / columns;
	const bool hinted = play->hintOpen && info->hint[0] != '\0';
	const float hint = hinted ? tnpMeasureText(panel, inside, 13.0f, info->hint) + 6.0f : 0.0f;
	box.height = 46.0f + s_goalHeight * (float)rows + hint;
	tnpPanel_BeginBox(panel, "goals", box, NULL);

	const double left = tnsLevel_GetTimeLeft(play->level);
	const bool playing = tnsLevel_GetState(play->level) == tns_levelPlaying;
	const bool late = left < 10.0 && info->winsAtEnd == false && playing;
	char clock[32];
	tnpFormatClock(left, clock, sizeof(clock));
	const tnpBox time = {box.x + box.width - 66.0f, box.y + 6.0f, 54.0f, 24.0f};
	tnpPanel_TextIn(panel, time, 18.0f, late ? g_tnpWarnColor : g_tnpTextColor, 1.0f, clock);
	const bool asks = info->hint[0] != '\0';
	const float tall = play->touch ? 30.0f : 22.0f;
	const tnpBox ask = {box.x + box.width - 120.0f, box.y + 18.0f - 0.5f * tall, 48.0f, tall};
	if (asks && tnpPanel_Face(panel, "hint", ask, play->hintOpen, true, "How it can be done (I)"))
	{
		play->hintOpen = !play->hintOpen;
	}
	if (asks)
	{
		panel->hintAbove = true;
		tnpPanel_TextIn(panel, ask, 12.0f, play->hintOpen ? s_darkColor : g_tnpDimColor, 0.5f, "hint");
	}
	const tnpBox title = {box.x + 12.0f, box.y + 6.0f, box.width - (asks ? 138.0f : 86.0f), 24.0f};
	tnpPanel_TextIn(panel, title, 16.0f, g_tnpAccentColor, 0.0f, info->title);
	const tnpBox track = {box.x + 12.0f, box.y + 33.0f, inside, 3.0f};
	const float share = info->timeLimit > 0.0 ? (float)(left / info->timeLimit) : 0.0f;
	tnpDrawShare(panel, track, share, late ? g_tnpWarnColor : 0xffffff66);

	const float gap = 16.0f, width = (inside - gap * (float)(columns - 1)) / (float)columns;
	for (int i = 0; i < info->goalCount; ++i)
	{
		const tnpBox place = {box.x + 12.0f + (float)(i % columns) * (width + gap),
			box.y + 40.0f + s_goalHeight * (float)(i / columns), width, s_goalHeight};
		tnpShowGoal(play, i, place);
	}
	if (hinted)
	{
		const tnpBox text = {box.x + 12.0f, box.y + 43.0f + s_goalHeight * (float)rows, inside, hint};
		tnpWrapText(panel, text, 13.0f, g_tnpDimColor, info->hint);
	}
	tnpPanel_EndBox(panel);
}

// ---------------------------------------------------------------------------------------------------------------------
// Before and after

static tnpBox tnpBeginSheet(tnpPlay* play, const tnpLayout* layout, const char* name, float width, float height)
{
	// What it is about, and how it ended, stand below the world: both are about what is seen there.
	const bool low = layout->narrow && play->showPanel;
	const bool menu = strcmp(name, "levels") == 0;
	const float y = low ? layout->tools.y - 12.0f - height
		: menu          ? 0.46f * (layout->height - height)
						: layout->height - TNP_MARGIN - height;
	const tnpBox box = {0.5f * (layout->width - width), fmaxf(TNP_MARGIN, y), width, height};
	tnpPanel_BeginBox(&play->panel, name, box, NULL);
	// A second pane makes it darker: it stands over a picture and other panes.
	if (play->panel.overlay != NULL)
	{
		tnrOverlay_Rectangle(play->panel.overlay, box.x, box.y, box.width, box.height, 10.0f, g_tnpBackColor);
	}
	return box;
}

// Tools with what there is of them, in one line.
static void tnpListTools(const tnsLevelInfo* info, char* text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	if (info->avatar.given)
	{
		used = (size_t)snprintf(text, size, "W A S D or hold: go");
	}
	for (int i = 0; i < info->toolCount && used < size; ++i)
	{
		const tnsLevelTool* tool = info->tools + i;
		const char* comma = used > 0 ? ",  " : "";
		const int length = isfinite(tool->budget)
			? snprintf(text + used, size - used, "%s%s %.4g %s", comma, tool->name, tool->budget, tool->unit)
			: snprintf(text + used, size - used, "%s%s", comma, tool->name);
		used += length > 0 ? (size_t)length : 0;
	}
}

// A star of five points, of triangles around its middle.
static void tnpDrawStar(tnpPanel* panel, float x, float y, float r, tnrColor color)
{
	enum
	{
		corners = 10,
	};
	if (panel->overlay == NULL)
	{
		return;
	}
	float px[corners], py[corners];
	for (int i = 0; i < corners; ++i)
	{
		const float angle = 6.2831853f * (float)i / (float)corners, reach = i % 2 == 0 ? r : 0.42f * r;
		px[i] = x + reach * sinf(angle);
		py[i] = y - reach * cosf(angle);
	}
	for (int i = 0; i < corners; ++i)
	{
		const int next = (i + 1) % corners;
		tnrOverlay_Triangle(panel->overlay, x, y, px[i], py[i], px[next], py[next], color);
	}
}

// What each star is for, in the order in which they are shown.
typedef struct tnpStarLine
{
	bool given;
	char text[96];
} tnpStarLine;

static int tnpListStars(const tnpPlay* play, tnpStarLine* lines)
{
	const tnsStarRules* rules = &tnsLevel_GetInfo(play->level)->stars;
	const tnsStars stars = tnsLevel_GetStars(play->level);
	const size_t size = sizeof(lines[0].text);
	int count = 0;
	lines[count].given = stars.count > 0;
	snprintf(lines[count++].text, size, "won");
	if (rules->time >= 0.0)
	{
		lines[count].given = stars.time;
		snprintf(lines[count++].text, size, "within %.0f s", rules->time);
	}
	if (rules->tools >= 0.0)
	{
		lines[count].given = stars.tools;
		snprintf(lines[count++].text, size, "%.0f %% of the tools at most (used %.0f %%)", 100.0 * rules->tools,
			ceil(100.0 * stars.toolsUsed - 1.0e-6));
	}
	if (rules->water >= 0.0)
	{
		lines[count].given = stars.water;
		snprintf(lines[count++].text, size, "%.0f %% of the water at most (used %.0f %%)", 100.0 * rules->water,
			ceil(100.0 * stars.waterUsed - 1.0e-6));
	}
	if (rules->danger >= 0.0)
	{
		lines[count].given = stars.danger;
		snprintf(lines[count++].text, size, "never closer than %.0f %% to losing (was %.0f %%)", 100.0 * rules->danger,
			ceil(100.0 * stars.worstDanger - 1.0e-6));
	}
	return count;
}

static void tnpShowStory(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	const float width = fminf(440.0f, layout->width - 2.0f * TNP_MARGIN), inside = width - 36.0f;
	const float button = play->touch ? 44.0f : 34.0f;
	char tools[256];
	tnpListTools(info, tools, sizeof(tools));
	const float story = tnpMeasureText(panel, inside, s_storySize, info->story);
	const float list = tools[0] != '\0' ? tnpMeasureText(panel, inside, 13.0f, tools) + 8.0f : 0.0f;
	const tnpBox box = tnpBeginSheet(play, layout, "story", width, 52.0f + story + list + 14.0f + button + 16.0f);
	const tnpBox title = {box.x + 18.0f, box.y + 12.0f, inside, 28.0f};
	tnpPanel_TextIn(panel, title, 20.0f, g_tnpAccentColor, 0.0f, info->title);
	const tnpBox text = {box.x + 18.0f, box.y + 46.0f, inside, story};
	tnpWrapText(panel, text, s_storySize, g_tnpTextColor, info->story);
	const tnpBox below = {text.x, text.y + story + 8.0f, inside, list};
	tnpWrapText(panel, below, 13.0f, g_tnpDimColor, tools);
	const float half = 0.5f * (inside - 10.0f), y = box.y + box.height - 16.0f - button;
	if (tnpTextButton(panel, (tnpBox){box.x + 18.0f, y, half, button}, "Levels", false, "All levels (P)"))
	{
		tnpToggleLevels(play);
	}
	if (tnpTextButton(panel, (tnpBox){box.x + 28.0f + half, y, half, button}, "Start", true, "Begin (space)"))
	{
		play->paused = false;
	}
	tnpPanel_EndBox(panel);
}

static void tnpDescribeEnd(const tnpPlay* play, char* text, size_t size)
{
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	const int goal = tnsLevel_GetLosingGoal(play->level);
	char clock[32];
	tnpFormatClock(tnsLevel_GetTime(play->level), clock, sizeof(clock));
	if (tnsLevel_GetState(play->level) == tns_levelWon)
	{
		snprintf(text, size, "%s in %s.", info->title, clock);
	}
	else if (goal >= 0 && goal < info->goalCount)
	{
		snprintf(text, size, "%s, after %s.", info->goals[goal].label, clock);
	}
	else
	{
		snprintf(text, size, "The time is over.");
	}
}

static void tnpShowEnd(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	const bool won = tnsLevel_GetState(play->level) == tns_levelWon;
	const int next = won ? tnpPlay_GetNextLevel(play) : -1;
	const float width = fminf(400.0f, layout->width - 2.0f * TNP_MARGIN), inside = width - 36.0f;
	const float button = play->touch ? 44.0f : 34.0f;
	char reason[160];
	tnpDescribeEnd(play, reason, sizeof(reason));
	const float text = tnpMeasureText(panel, inside, s_storySize, reason);
	tnpStarLine lines[5];
	const int lineCount = won ? tnpListStars(play, lines) : 0;
	const float stars = 20.0f * (float)lineCount;
	const tnpBox box = tnpBeginSheet(play, layout, "end", width, 50.0f + text + stars + 12.0f + button + 14.0f);
	const tnpBox title = {box.x + 18.0f, box.y + 10.0f, inside, 34.0f};
	tnpPanel_TextIn(panel, title, 26.0f, won ? s_doneColor : g_tnpWarnColor, 0.0f, won ? "Won!" : "Lost");
	tnpWrapText(panel, (tnpBox){box.x + 18.0f, box.y + 46.0f, inside, text}, s_storySize, g_tnpTextColor, reason);
	for (int i = 0; i < lineCount; ++i)
	{
		const float y = box.y + 50.0f + text + 20.0f * (float)i;
		tnpDrawStar(panel, box.x + 26.0f, y + 9.0f, 8.0f, lines[i].given ? 0xffd24aff : 0xffffff30);
		const tnpBox line = {box.x + 42.0f, y, inside - 24.0f, 18.0f};
		tnpPanel_TextIn(panel, line, 13.0f, lines[i].given ? g_tnpTextColor : g_tnpDimColor, 0.0f, lines[i].text);
	}
	const int count = next >= 0 ? 4 : 3;
	const float each = (inside - 10.0f * (float)(count - 1)) / (float)count;
	tnpBox place = {box.x + 18.0f, box.y + box.height - 16.0f - button, each, button};
	if (tnpTextButton(panel, place, "Levels", false, "All levels (P)"))
	{
		tnpToggleLevels(play);
	}
	place.x += each + 10.0f;
	if (tnpTextButton(panel, place, "Replay", false, "See it once more"))
	{
		(void)tnpPlay_Replay(play);
	}
	place.x += each + 10.0f;
	if (play->level != NULL && tnpTextButton(panel, place, "Again", won == false, "From the start (R)"))
	{
		tnpRestartLevel(play);
	}
	place.x += each + 10.0f;
	if (next >= 0 && tnpTextButton(panel, place, "Next", true, "The next level (enter)"))
	{
		tnpChooseLevel(play, next);
	}
	tnpPanel_EndBox(panel);
}

// ---------------------------------------------------------------------------------------------------------------------
// The menu

static void tnpShowLevelRow(tnpPlay* play, int place, int scene, tnpBox box)
{
	tnpPanel* panel = &play->panel;
	char name[32], number[16];
	snprintf(name, sizeof(name), "level %d", place);
	snprintf(number, sizeof(number), "%d", place + 1);
	const bool here = place == play->levelItem;
	if (tnpPanel_Face(panel, name, box, false, true, NULL))
	{
		play->levelItem = place;
		tnpChooseLevel(play, scene);
	}
	if (panel->overlay != NULL && here)
	{
		tnrOverlay_Rectangle(panel->overlay, box.x, box.y, 3.0f, box.height, 1.5f, g_tnpAccentColor);
	}
	const tnpBox digit = {box.x + 8.0f, box.y, 22.0f, box.height};
	const tnpBox title = {box.x + 38.0f, box.y, box.width - 98.0f, box.height};
	tnpPanel_TextIn(panel, digit, s_storySize, g_tnpDimColor, 1.0f, number);
	const tnrColor color = scene == play->sceneIndex ? g_tnpAccentColor : g_tnpTextColor;
	tnpPanel_TextIn(panel, title, s_storySize, color, 0.0f, play->titles[scene]);
	// One for having won, and up to two more.
	const int stars = play->levels[scene].best.stars;
	for (int i = 0; i < 3 && play->levels[scene].won; ++i)
	{
		const bool given = i < (stars > 1 ? stars : 1);
		tnpDrawStar(panel, box.x + box.width - 46.0f + 15.0f * (float)i, box.y + 0.5f * box.height, 6.5f,
			given ? 0xffd24aff : 0xffffff30);
	}
}

static void tnpShowLevelMenu(tnpPlay* play, const tnpLayout* layout)
{
	tnpPanel* panel = &play->panel;
	int won;
	const int count = tnpCountLevels(play, &won);
	const float most = play->touch ? 44.0f : 32.0f, gap = 4.0f;
	const float room = layout->height - 2.0f * TNP_MARGIN - 66.0f;
	// One column if it fits at a readable size.
	const int columns = room / (float)(count > 0 ? count : 1) - gap < 24.0f ? 2 : 1;
	const int rows = (count + columns - 1) / columns;
	const float row = fmaxf(18.0f, fminf(most, room / (float)(rows > 0 ? rows : 1) - gap));
	const float width = fminf(380.0f * (float)columns, layout->width - 2.0f * TNP_MARGIN);
	const tnpBox box = tnpBeginSheet(play, layout, "levels", width, 58.0f + (row + gap) * (float)rows + 8.0f);
	char text[48];
	snprintf(text, sizeof(text), "%d of %d won", won, count);
	const tnpBox title = {box.x + 18.0f, box.y + 12.0f, width - 76.0f, 30.0f};
	tnpPanel_TextIn(panel, title, 20.0f, g_tnpAccentColor, 0.0f, "Levels");
	tnpPanel_TextIn(panel, title, 13.0f, g_tnpDimColor, 1.0f, text);
	const tnpBox close = {box.x + width - 46.0f, box.y + 12.0f, 30.0f, 30.0f};
	if (tnpTextButton(panel, close, "x", false, "Close (escape)"))
	{
		play->levelsOpen = false;
	}
	const float each = (width - 24.0f - gap * (float)(columns - 1)) / (float)columns;
	for (int i = 0; i < count && play->levelsOpen; ++i)
	{
		const tnpBox place = {box.x + 12.0f + (float)(i / rows) * (each + gap),
			box.y + 54.0f + (row + gap) * (float)(i % rows), each, row};
		tnpShowLevelRow(play, i, tnpFindLevel(play, i), place);
	}
	tnpPanel_EndBox(panel);
}

void tnpShowLevelSheets(tnpPlay* play, const tnpLayout* layout)
{
	if (play->levelsOpen)
	{
		tnpShowLevelMenu(play, layout);
		return;
	}
	if (play->level == NULL || play->helpOpen)
	{
		return;
	}
	if (tnpPlay_IsLevelWaiting(play))
	{
		tnpShowStory(play, layout);
	}
	else if (tnpPlay_IsLevelOver(play))
	{
		tnpShowEnd(play, layout);
	}
}

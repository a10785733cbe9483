// SPDX-License-Identifier: MIT

// Progress on standard error: a bar that moves on a terminal, lines elsewhere.

#include "system/progress.h"

#include "system/platform.h"

#include <stdio.h>

// Time between two pictures of the bar, seconds: smooth to the eye, nothing to the processor.
static const double s_barInterval = 0.1;

enum
{
	barCells = 24,
};

Progress BeginProgress(bool quiet)
{
	Progress progress = {0};
	progress.quiet = quiet;
	progress.terminal = IsErrorTerminal();
	progress.shownAt = -1.0e9;
	progress.tenths = -1;
	return progress;
}

// A time step in float is not quite the one that was asked for, so that a tenth of the way may be missed by a hair.
static int FindTenth(double share)
{
	return (int)(10.0 * share + 1.0e-5);
}

bool IsProgressDue(const Progress* progress, double share)
{
	if (progress->quiet)
	{
		return false;
	}
	if (progress->terminal)
	{
		return GetSeconds() - progress->shownAt >= s_barInterval;
	}
	return FindTenth(share) > progress->tenths;
}

void ShowProgress(Progress* progress, double share, const char* text)
{
	if (progress->quiet)
	{
		return;
	}
	const double clipped = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
	if (!progress->terminal)
	{
		fprintf(stderr, "%3d %%  %s\n", 10 * FindTenth(clipped), text);
		progress->tenths = FindTenth(clipped);
		return;
	}
	char bar[barCells + 1];
	const int full = (int)(clipped * barCells);
	for (int i = 0; i < barCells; ++i)
	{
		bar[i] = i < full ? '=' : i == full ? '>' : ' ';
	}
	bar[barCells] = '\0';
	char line[512];
	snprintf(line, sizeof(line), "[%s] %3d %%  %s", bar, (int)(100.0 * clipped), text);
	// A line that wraps could not be wiped. The terminal counts columns and this counts bytes, which errs on the safe side.
	fprintf(stderr, "\r\033[K%.*s", GetTerminalWidth() - 1, line);
	fflush(stderr);
	progress->shownAt = GetSeconds();
	progress->onScreen = true;
}

void EndProgress(Progress* progress)
{
	if (progress->onScreen)
	{
		fputs("\r\033[K", stderr);
		fflush(stderr);
		progress->onScreen = false;
	}
}

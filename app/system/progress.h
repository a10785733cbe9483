// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file Progress on standard error: a bar that moves on a terminal, a line per tenth of the way elsewhere.

typedef struct Progress
{
	bool quiet, terminal;
	/// Clock of the last picture of the bar, seconds.
	double shownAt;
	/// Tenths that have had their line.
	int tenths;
	/// The bar is on the screen and has to be wiped before anything else is printed.
	bool onScreen;
} Progress;

Progress BeginProgress(bool quiet);

/// Is it time to show something? Text costs; ask first.
/// @param share of the way, in [0, 1]
bool IsProgressDue(const Progress* progress, double share);

void ShowProgress(Progress* progress, double share, const char* text);

/// Wipe the bar.
void EndProgress(Progress* progress);

// SPDX-License-Identifier: MIT

// Going back: a time line of saves in memory, undo and redo. Each of them puts back everything: ground, water, bodies and time.

#include "viewer/play_internal.h"

#include <math.h>
#include <stdlib.h>

// Seconds of water between two images at first, and at most: a line of 64 is 16 to 64 seconds long.
static const double s_shortest = 0.25;
static const double s_longest = 1.0;
// Making an image may take this share of the time between two.
static const double s_share = 0.02;
// But a machine that stumbles must not leave a hole, seconds.
static const double s_longestWait = 3.0;

// Levels go one way only: against the clock there is no undo.
static bool tnpHasPast(const tnpPlay* play)
{
	return play->level == NULL && (play->world != NULL || play->voxels != NULL);
}

static tnpImage tnpMakeImage(tnpPlay* play)
{
	tnpImage image = {.step = play->stepCount, .time = tnpPlay_GetTime(play)};
	if (tnpSaveState(play, NULL, 0, &image.size).ok)
	{
		image.bytes = malloc(image.size);
	}
	if (image.bytes != NULL && tnpSaveState(play, image.bytes, image.size, &image.size).ok == false)
	{
		free(image.bytes);
		image.bytes = NULL;
	}
	return image;
}

static bool tnpShowImage(tnpPlay* play, const tnpImage* image)
{
	const tnrResult result = tnpRestoreState(play, image->bytes, image->size);
	if (result.ok == false)
	{
		tnpPlay_ShowMessage(play, result.text);
	}
	return result.ok;
}

void tnpBeginPast(tnpPlay* play, size_t limit)
{
	tnpMemory* past = &play->past;
	past->line.limit = limit / 2;
	past->undo.limit = limit / 4;
	past->redo.limit = limit / 4;
	past->shown = -1;
	past->interval = past->wait = s_shortest;
}

void tnpForgetPast(tnpPlay* play)
{
	tnpMemory* past = &play->past;
	tnpImages_Cut(&past->line, 0);
	tnpImages_Cut(&past->undo, 0);
	tnpImages_Cut(&past->redo, 0);
	past->built.count = 0;
	past->built.full = false;
	past->shown = -1;
	past->interval = past->wait = s_shortest;
}

void tnpLeavePast(tnpPlay* play)
{
	tnpMemory* past = &play->past;
	if (past->shown < 0)
	{
		return;
	}
	// What came after this is no past any more: it goes on from here.
	tnpImages_Cut(&past->line, past->shown + 1);
	past->shown = -1;
	while (past->undo.count > 0 && past->undo.items[past->undo.count - 1].step > play->stepCount)
	{
		tnpImages_Cut(&past->undo, past->undo.count - 1);
	}
	tnpImages_Cut(&past->redo, 0);
}

void tnpWatchPast(tnpPlay* play)
{
	tnpMemory* past = &play->past;
	tnpImages* line = &past->line;
	if (tnpHasPast(play) == false || past->shown >= 0)
	{
		return;
	}
	const double time = tnpPlay_GetTime(play);
	// After an undo it is earlier than the last image.
	while (line->count > 0 && line->items[line->count - 1].step > play->stepCount)
	{
		tnpImages_Cut(line, line->count - 1);
	}
	// Half a step of play: times are sums of roundings.
	if (line->count > 0 && time < line->items[line->count - 1].time + past->wait - 0.5 * (double)play->timeStep)
	{
		return;
	}
	if (line->count == TNP_MAX_IMAGES && past->interval < s_longest)
	{
		tnpImages_Thin(line);
		past->interval = fmin(2.0 * past->interval, s_longest);
	}
	const double begin = tnpGetClock();
	tnpImages_Push(line, tnpMakeImage(play));
	past->wait = fmax(past->interval, fmin((tnpGetClock() - begin) / s_share, s_longestWait));
}

void tnpPlay_Remember(tnpPlay* play)
{
	if (tnpHasPast(play))
	{
		tnpLeavePast(play);
		tnpImages_Cut(&play->past.redo, 0);
		tnpImages_Push(&play->past.undo, tnpMakeImage(play));
	}
}

// From the end of one list to what it was before; what is there now goes to the end of the other.
static bool tnpStepBack(tnpPlay* play, tnpImages* from, tnpImages* to)
{
	if (from->count == 0 || tnpHasPast(play) == false)
	{
		return false;
	}
	// Held things are let go first, or they would be in the image.
	tnpEndStroke(play);
	tnpForgetHand(play);
	play->past.shown = -1;
	const tnpImage now = tnpMakeImage(play);
	tnpImage image = tnpImages_Pop(from);
	const bool shown = tnpShowImage(play, &image);
	free(image.bytes);
	if (shown)
	{
		tnpImages_Push(to, now);
	}
	else
	{
		free(now.bytes);
	}
	return shown;
}

bool tnpPlay_Undo(tnpPlay* play)
{
	return tnpStepBack(play, &play->past.undo, &play->past.redo);
}

bool tnpPlay_Redo(tnpPlay* play)
{
	return tnpStepBack(play, &play->past.redo, &play->past.undo);
}

tnpPast tnpPlay_GetPast(const tnpPlay* play)
{
	const tnpMemory* memory = &play->past;
	tnpPast past = {.index = -1, .undoCount = memory->undo.count, .redoCount = memory->redo.count};
	past.available = tnpHasPast(play);
	past.count = past.available ? memory->line.count : 0;
	past.end = tnpPlay_GetTime(play);
	past.begin = past.count > 0 ? memory->line.items[0].time : past.end;
	if (memory->shown >= 0)
	{
		past.index = memory->shown;
		past.end = memory->line.items[memory->line.count - 1].time;
	}
	past.byteCount = memory->line.size + memory->undo.size + memory->redo.size;
	return past;
}

double tnpPlay_GetPastTime(const tnpPlay* play, int index)
{
	const tnpImages* line = &play->past.line;
	return index >= 0 && index < line->count ? line->items[index].time : tnpPlay_GetTime(play);
}

bool tnpPlay_GoBack(tnpPlay* play, int index)
{
	tnpMemory* past = &play->past;
	if (tnpHasPast(play) == false || past->line.count == 0)
	{
		return false;
	}
	if (past->shown < 0)
	{
		tnpEndStroke(play);
		tnpForgetHand(play);
		// The way back to the present. It may push the oldest image out.
		const int before = past->line.count;
		const tnpImage* last = past->line.items + before - 1;
		const bool same = last->step == play->stepCount && play->strokeTicks == 0;
		if (same == false && tnpImages_Push(&past->line, tnpMakeImage(play)) == false)
		{
			return false;
		}
		index -= same ? 0 : before + 1 - past->line.count;
		play->paused = true;
	}
	index = index < 0 ? 0 : index >= past->line.count ? past->line.count - 1 : index;
	if (index == past->shown)
	{
		return true;
	}
	if (tnpShowImage(play, past->line.items + index) == false)
	{
		return false;
	}
	past->shown = index;
	return true;
}

bool tnpPlay_GoBackTo(tnpPlay* play, double time)
{
	const tnpImages* line = &play->past.line;
	int best = 0;
	for (int i = 1; i < line->count && isfinite(time); ++i)
	{
		best = fabs(line->items[i].time - time) <= fabs(line->items[best].time - time) ? i : best;
	}
	return tnpPlay_GoBack(play, best);
}

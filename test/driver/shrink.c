// SPDX-License-Identifier: MIT

// Delta debugging: leave out calls in ever smaller pieces, then make values simpler, for as long as it still fails.

#include "core.h"

typedef struct Shrink
{
	DriverRecord* record;
	DriverFailsFcn* fails;
	void* context;
	int attemptsLeft;
} Shrink;

static bool StillFails(Shrink* shrink)
{
	shrink->attemptsLeft -= 1;
	return shrink->attemptsLeft >= 0 && shrink->fails(shrink->record, shrink->context);
}

// Without calls [first, first + count).
static bool TryWithout(Shrink* shrink, int first, int count)
{
	DriverRecord* record = shrink->record;
	CallRecord* removed = malloc(sizeof(CallRecord) * (size_t)count);
	if (removed == NULL)
	{
		return false;
	}
	const size_t tail = sizeof(CallRecord) * (size_t)(record->callCount - first - count);
	memcpy(removed, record->calls + first, sizeof(CallRecord) * (size_t)count);
	memmove(record->calls + first, record->calls + first + count, tail);
	record->callCount -= count;
	const bool fails = StillFails(shrink);
	if (fails)
	{
		for (int i = 0; i < count; ++i)
		{
			free(removed[i].words);
		}
	}
	else
	{
		memmove(record->calls + first + count, record->calls + first, tail);
		memcpy(record->calls + first, removed, sizeof(CallRecord) * (size_t)count);
		record->callCount += count;
	}
	free(removed);
	return fails;
}

// The first call makes the worlds and stays.
static bool LeaveOutCalls(Shrink* shrink)
{
	bool changed = false;
	for (int size = shrink->record->callCount / 2; size >= 1; size /= 2)
	{
		for (int first = shrink->record->callCount - size; first >= 1 && shrink->attemptsLeft > 0; first -= size)
		{
			changed = TryWithout(shrink, first, size) || changed;
			first = first > shrink->record->callCount ? shrink->record->callCount : first;
		}
	}
	return changed;
}

static bool TryWord(Shrink* shrink, Word* word, Word simpler)
{
	if (memcmp(&word->whole, &simpler.whole, sizeof(word->whole)) == 0 &&
		memcmp(&word->real, &simpler.real, sizeof(word->real)) == 0)
	{
		return false;
	}
	const Word before = *word;
	*word = simpler;
	if (StillFails(shrink))
	{
		return true;
	}
	*word = before;
	return false;
}

static bool SimplifyWord(Shrink* shrink, Word* word)
{
	if (!word->isFloat)
	{
		bool changed = word->whole != 0 && TryWord(shrink, word, (Word){.whole = 0});
		for (int64_t part = word->whole / 2; !changed && part != 0 && word->whole > 3; part /= 2)
		{
			changed = TryWord(shrink, word, (Word){.whole = word->whole - part});
		}
		return changed;
	}
	const float value = word->real;
	if (value == 0.0f || value == 1.0f)
	{
		return false;
	}
	if (TryWord(shrink, word, (Word){.isFloat = true, .real = 0.0f}) ||
		TryWord(shrink, word, (Word){.isFloat = true, .real = 1.0f}))
	{
		return true;
	}
	if (isfinite(value) == 0 || floorf(value) == value)
	{
		return false;
	}
	char text[32];
	snprintf(text, sizeof(text), "%.2g", (double)value);
	return TryWord(shrink, word, (Word){.isFloat = true, .real = rintf(value)}) ||
		TryWord(shrink, word, (Word){.isFloat = true, .real = strtof(text, NULL)});
}

static bool SimplifyValues(Shrink* shrink)
{
	bool changed = false;
	for (int i = shrink->record->callCount - 1; i >= 0; --i)
	{
		CallRecord* call = shrink->record->calls + i;
		for (int k = 0; k < call->wordCount && shrink->attemptsLeft > 0; ++k)
		{
			changed = SimplifyWord(shrink, call->words + k) || changed;
		}
	}
	return changed;
}

void DriverShrink(DriverRecord* record, DriverFailsFcn* fails, void* context, int attemptLimit)
{
	Shrink shrink = {record, fails, context, attemptLimit};
	bool changed = true;
	while (changed && shrink.attemptsLeft > 0)
	{
		changed = LeaveOutCalls(&shrink);
		changed = SimplifyValues(&shrink) || changed;
	}
}

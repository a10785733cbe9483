// SPDX-License-Identifier: MIT

// Values for calls: from bytes, or from the record of a call that was made before.

#include "core.h"

bool IsAtEnd(const Driver* d)
{
	return d->position >= d->size;
}

static int NextByte(Driver* d)
{
	if (IsAtEnd(d))
	{
		return 0;
	}
	d->position += 1;
	return d->bytes[d->position - 1];
}

static const Word* NextReplayed(Driver* d)
{
	static const Word none = {0};
	if (d->replayAt >= d->replayed->wordCount)
	{
		return &none;
	}
	d->replayAt += 1;
	return d->replayed->words + d->replayAt - 1;
}

static void Keep(Driver* d, Word word)
{
	CallRecord* call = d->recorded;
	if (call == NULL)
	{
		return;
	}
	// Grown by powers of two.
	if ((call->wordCount & (call->wordCount - 1)) == 0)
	{
		Word* words = realloc(call->words, sizeof(Word) * (size_t)(call->wordCount > 0 ? 2 * call->wordCount : 1));
		if (words == NULL)
		{
			abort();
		}
		call->words = words;
	}
	call->words[call->wordCount] = word;
	call->wordCount += 1;
}

int DrawInt(Driver* d, int low, int high)
{
	int value;
	if (d->replayed != NULL)
	{
		const Word* word = NextReplayed(d);
		const int64_t whole = word->isFloat ? 0 : word->whole;
		value = whole < low ? low : whole > high ? high : (int)whole;
	}
	else
	{
		const int64_t range = (int64_t)high - low + 1;
		int64_t bits = NextByte(d);
		bits |= range > 256 ? (int64_t)NextByte(d) << 8 : 0;
		bits |= range > 65536 ? (int64_t)NextByte(d) << 16 : 0;
		bits |= range > (1 << 24) ? (int64_t)NextByte(d) << 24 : 0;
		value = (int)(low + bits % range);
	}
	Keep(d, (Word){.whole = value});
	return value;
}

int DrawSlot(Driver* d)
{
	return DrawInt(d, 0, 3) != 3 ? 0 : DrawInt(d, 1, slotCount - 1);
}

bool DrawBool(Driver* d)
{
	return DrawInt(d, 0, 1) != 0;
}

bool DrawOneIn(Driver* d, int count)
{
	return DrawInt(d, 0, count - 1) == count - 1;
}

static const float s_absurd[] = {0.0f, -0.0f, -1.0f, 1.0f, 1.0e-45f, -1.0e-45f, 1.0e-38f, 1.0e-20f, 1.0e-6f, 0.5f,
	1.0e5f, -1.0e5f, 1.0e6f, 1.0e9f, 1.0e12f, 1.0e20f, -1.0e20f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN,
	FLT_EPSILON, 16777216.0f};

static float NextAbsurd(Driver* d, float least, float most)
{
	enum
	{
		absurdCount = (int)(sizeof(s_absurd) / sizeof(s_absurd[0]))
	};
	const int choice = NextByte(d) % (absurdCount + 6);
	switch (choice - absurdCount)
	{
		case 0:
			return least;
		case 1:
			return most;
		case 2:
			return nextafterf(least, -INFINITY);
		case 3:
			return nextafterf(least, INFINITY);
		case 4:
			return nextafterf(most, -INFINITY);
		case 5:
			return nextafterf(most, INFINITY);
		default:
			return s_absurd[choice];
	}
}

static float KeepFloat(Driver* d, float value)
{
	Keep(d, (Word){.isFloat = true, .real = value});
	return value;
}

static float ReplayFloat(Driver* d)
{
	const Word* word = NextReplayed(d);
	return KeepFloat(d, word->isFloat ? word->real : (float)word->whole);
}

float DrawLimited(Driver* d, float low, float high, float least, float most)
{
	if (d->replayed != NULL)
	{
		return ReplayFloat(d);
	}
	const int choice = NextByte(d);
	if (choice % 12 == 11 && !d->sensible)
	{
		return KeepFloat(d, NextAbsurd(d, least, most));
	}
	return KeepFloat(d, low + (high - low) * ((float)NextByte(d) / 255.0f));
}

float DrawFloat(Driver* d, float low, float high)
{
	return DrawLimited(d, low, high, low, high);
}

float DrawPower(Driver* d, float low, float high)
{
	if (d->replayed != NULL)
	{
		return ReplayFloat(d);
	}
	const int choice = NextByte(d);
	if (choice % 12 == 11 && !d->sensible)
	{
		return KeepFloat(d, NextAbsurd(d, powf(10.0f, low), powf(10.0f, high)));
	}
	return KeepFloat(d, powf(10.0f, low + (high - low) * ((float)NextByte(d) / 255.0f)));
}

tnVec2 DrawPlace(Driver* d)
{
	const tnWorldDef* def = &d->track.def;
	if (d->options.voxels)
	{
		// Around the place where eight blocks meet.
		const float reach = 24.0f * d->voxelTrack.def.voxelSize;
		tnVec2 place;
		place.x = DrawFloat(d, -reach, reach);
		place.z = DrawFloat(d, -reach, reach);
		return place;
	}
	const float margin = DrawOneIn(d, 16) ? 0.5f : 0.0f;
	const float width = def->cellSize * (float)def->columnCount;
	const float depth = def->cellSize * (float)def->rowCount;
	tnVec2 place;
	place.x = DrawLimited(d, def->origin.x - margin * width, def->origin.x + (1.0f + margin) * width, def->origin.x,
		def->origin.x + width);
	place.z = DrawLimited(d, def->origin.z - margin * depth, def->origin.z + (1.0f + margin) * depth, def->origin.z,
		def->origin.z + depth);
	return place;
}

tnVec3 DrawVec3(Driver* d, float low, float high)
{
	tnVec3 v;
	v.x = DrawFloat(d, low, high);
	v.y = DrawFloat(d, low, high);
	v.z = DrawFloat(d, low, high);
	return v;
}

float DrawRadius(Driver* d)
{
	if (d->replayed != NULL)
	{
		return ReplayFloat(d);
	}
	const int choice = NextByte(d);
	if (choice % 12 == 11 && !d->sensible)
	{
		return KeepFloat(d, NextAbsurd(d, 0.0f, TN_MAX_LENGTH));
	}
	return KeepFloat(d, d->track.def.cellSize * powf(10.0f, -1.0f + 2.5f * ((float)NextByte(d) / 255.0f)));
}

tnQuat DrawTurn(Driver* d)
{
	tnQuat turn = {0.0f, 0.0f, 0.0f, 1.0f};
	switch (DrawInt(d, 0, 3))
	{
		case 0:
			break;
		case 1:
			// About y: what moves on water does so.
			turn.y = DrawFloat(d, -1.0f, 1.0f);
			break;
		case 2:
			// A quarter.
			turn.y = 1.0f;
			break;
		default:
			turn.x = DrawFloat(d, -1.0f, 1.0f);
			turn.y = DrawFloat(d, -1.0f, 1.0f);
			turn.z = DrawFloat(d, -1.0f, 1.0f);
			turn.w = DrawFloat(d, -1.0f, 1.0f);
			break;
	}
	return turn;
}

tnPose DrawPose(Driver* d)
{
	tnPose pose;
	const tnVec2 place = DrawPlace(d);
	pose.position.x = place.x;
	const float top = d->options.voxels ? 32.0f * d->voxelTrack.def.voxelSize : 6.0f;
	pose.position.y =
		DrawLimited(d, d->options.voxels ? 0.0f : -3.0f, top, -10.0f * TN_MAX_LENGTH, 10.0f * TN_MAX_LENGTH);
	pose.position.z = place.z;
	pose.rotation = DrawTurn(d);
	return pose;
}

void DrawField(Driver* d, const char* name, float* field, int columns, int rows, float low, float high)
{
	const int pattern = DrawInt(d, 0, 7);
	const int seed = DrawInt(d, 0, 255);
	const float from = DrawLimited(d, low, low, low, low);
	const float to = DrawLimited(d, high, high, high, high);
	int at = -1;
	float value = 0.0f;
	if (DrawOneIn(d, 32))
	{
		at = DrawInt(d, 0, 65535);
		value = DrawLimited(d, low, high, low, high);
	}
	if (columns > 0 && rows > 0 && columns * rows <= maxCells)
	{
		Fill(field, columns, rows, pattern, (uint32_t)seed, from, to, at, value);
	}
	Show(d, "Fill(%s, %d, %d, %d, %d, %s, %s, %d, %s);", name, columns, rows, pattern, seed, GetFloatText(from).text,
		GetFloatText(to).text, at, GetFloatText(value).text);
}

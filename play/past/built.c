// SPDX-License-Identifier: MIT

// What was built, as letters: a digit for the version, then base64 for links (RFC 4648, section 5) of 16 bytes an edit. A byte says
// what it is, then there are five numbers of three bytes: floats without their last byte, which keeps 1 part in 30000.

#include "past/built.h"

#include "viewer/play_internal.h"

#include <math.h>
#include <string.h>

static const char s_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static bool tnpIsBuilding(tnpTool tool)
{
	return (tool >= tnp_raiseTool && tool <= tnp_wellTool) || tool == tnp_stackTool || tool == tnp_buildTool ||
		tool == tnp_digTool;
}

static bool tnpIsShaping(tnpTool tool)
{
	return tool >= tnp_raiseTool && tool <= tnp_flattenTool;
}

// Strokes that go over the same place are one.
static bool tnpMerge(tnpBuilt* built, const tnpBuiltItem* item)
{
	tnpBuiltItem* last = built->count > 0 ? built->items + built->count - 1 : NULL;
	if (last == NULL || last->tool != item->tool || last->radius != item->radius || last->height != item->height)
	{
		return false;
	}
	const float near = 0.25f * item->radius;
	const float distance =
		hypotf(hypotf(last->place.x - item->place.x, last->place.y - item->place.y), last->place.z - item->place.z);
	const bool merges = tnpIsShaping(item->tool)
		? distance < near
		: (item->tool == tnp_digTool || item->tool == tnp_buildTool) && distance == 0.0f;
	if (merges && tnpIsShaping(item->tool))
	{
		last->amount += item->amount;
	}
	return merges;
}

void tnpBuilt_Add(tnpBuilt* built, const tnpBuiltItem* item)
{
	if (tnpMerge(built, item))
	{
		return;
	}
	built->full = built->full || built->count == TNP_MAX_BUILT;
	if (built->count < TNP_MAX_BUILT)
	{
		built->items[built->count++] = *item;
	}
}

void tnpBuilt_RemoveBody(tnpBuilt* built, int body)
{
	for (int i = built->count - 1; i >= 0; --i)
	{
		if (built->items[i].tool == tnp_stackTool && built->items[i].body == body)
		{
			memmove(built->items + i, built->items + i + 1, (size_t)(built->count - i - 1) * sizeof(tnpBuiltItem));
			built->count -= 1;
			return;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Letters

static void tnpPutNumber(uint8_t* bytes, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	// To the nearest, not towards zero: 0.1 again and again must not shrink. Infinity is not among the values.
	bits += 0x80u;
	bytes[0] = (uint8_t)(bits >> 24);
	bytes[1] = (uint8_t)(bits >> 16);
	bytes[2] = (uint8_t)(bits >> 8);
}

static float tnpGetNumber(const uint8_t* bytes)
{
	const uint32_t bits = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8;
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void tnpPutItem(uint8_t* bytes, const tnpBuiltItem* item)
{
	// The kind of a body takes the place of the height, which bodies do not have.
	const bool isBody = item->tool == tnp_stackTool;
	bytes[0] = (uint8_t)(isBody ? 0x80 | (int)item->kind : (int)item->tool);
	tnpPutNumber(bytes + 1, item->place.x);
	tnpPutNumber(bytes + 4, tnpIsShaping(item->tool) ? item->height : item->place.y);
	tnpPutNumber(bytes + 7, item->place.z);
	tnpPutNumber(bytes + 10, item->radius);
	tnpPutNumber(bytes + 13, item->amount);
}

static bool tnpGetItem(const uint8_t* bytes, tnpBuiltItem* item)
{
	const bool isBody = (bytes[0] & 0x80) != 0;
	*item = (tnpBuiltItem){.body = -1};
	item->tool = isBody ? tnp_stackTool : (tnpTool)bytes[0];
	item->kind = (tnsBodyKind)(isBody ? bytes[0] & 0x7f : 0);
	item->place = (tnVec3){tnpGetNumber(bytes + 1), tnpGetNumber(bytes + 4), tnpGetNumber(bytes + 7)};
	item->radius = tnpGetNumber(bytes + 10);
	item->amount = tnpGetNumber(bytes + 13);
	if (tnpIsShaping(item->tool))
	{
		item->height = item->place.y;
		item->place.y = 0.0f;
	}
	const float most = TN_MAX_LENGTH;
	const bool isPlace = fabsf(item->place.x) <= most && fabsf(item->place.y) <= most && fabsf(item->place.z) <= most &&
		fabsf(item->height) <= most;
	// More than an hour of a stroke is no stroke.
	return tnpIsBuilding(item->tool) && (int)item->kind < tns_bodyKindCount && isPlace && item->radius > 0.0f &&
		item->radius <= most && item->amount >= 0.0f && item->amount <= 1.0e4f;
}

static int tnpFindLetter(char letter)
{
	const char* at = letter != '\0' ? strchr(s_letters, letter) : NULL;
	return at != NULL ? (int)(at - s_letters) : -1;
}

void tnpBuilt_Write(const tnpBuilt* built, char* text)
{
	uint32_t bits = 0;
	int bitCount = 0;
	*text++ = '1';
	for (int i = 0; i < built->count; ++i)
	{
		uint8_t bytes[TNP_BUILT_BYTES];
		tnpPutItem(bytes, built->items + i);
		for (int k = 0; k < TNP_BUILT_BYTES; ++k)
		{
			bits = bits << 8 | bytes[k];
			bitCount += 8;
			while (bitCount >= 6)
			{
				bitCount -= 6;
				*text++ = s_letters[bits >> bitCount & 63u];
			}
		}
	}
	if (bitCount > 0)
	{
		*text++ = s_letters[bits << (6 - bitCount) & 63u];
	}
	*text = '\0';
}

tnrResult tnpBuilt_Read(tnpBuilt* built, const char* text)
{
	const size_t length = text != NULL ? strlen(text) : 0;
	if (length == 0 || text[0] != '1')
	{
		return tnpMakeError("what was built is in a form that this version does not know");
	}
	if (length > TNP_BUILT_TEXT)
	{
		return tnpMakeError("more was built than a link can hold");
	}
	tnpBuilt read = {0};
	uint8_t bytes[TNP_BUILT_BYTES];
	int byteCount = 0, bitCount = 0;
	uint32_t bits = 0;
	for (size_t i = 1; i < length; ++i)
	{
		const int value = tnpFindLetter(text[i]);
		if (value < 0)
		{
			return tnpMakeError("what was built has a letter that cannot be: %d", (int)(unsigned char)text[i]);
		}
		bits = bits << 6 | (uint32_t)value;
		bitCount += 6;
		if (bitCount < 8)
		{
			continue;
		}
		bitCount -= 8;
		bytes[byteCount++] = (uint8_t)(bits >> bitCount & 255u);
		if (byteCount == TNP_BUILT_BYTES)
		{
			byteCount = 0;
			if (read.count == TNP_MAX_BUILT || tnpGetItem(bytes, read.items + read.count) == false)
			{
				return tnpMakeError("edit %d of what was built cannot be", read.count + 1);
			}
			read.count += 1;
		}
	}
	if (byteCount != 0 || bitCount >= 6)
	{
		return tnpMakeError("what was built is cut off");
	}
	*built = read;
	return (tnrResult){.ok = true};
}

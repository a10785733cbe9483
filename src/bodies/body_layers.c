// SPDX-License-Identifier: MIT

// Makes solid intervals of tops and bottoms.

#include "body_layers.h"

// An interval is closed when the area of its tops is that of its bottoms but for this, in cells: more than the rounding
// of sums, less than what would be missed.
#define TN_CLOSED_AREA 1.0e-5f

static void tnSlot_Merge(tnSlot* slot, const tnSlot* piece)
{
	slot->area += piece->area;
	slot->x += piece->x;
	slot->z += piece->z;
	slot->y += piece->y;
	slot->yMin = tnMinFloat(slot->yMin, piece->yMin);
	slot->yMax = tnMaxFloat(slot->yMax, piece->yMax);
	slot->xMin = tnMinFloat(slot->xMin, piece->xMin);
	slot->xMax = tnMaxFloat(slot->xMax, piece->xMax);
	slot->zMin = tnMinFloat(slot->zMin, piece->zMin);
	slot->zMax = tnMaxFloat(slot->zMax, piece->zMax);
	for (int i = 0; i < tn_cellStripCount; ++i)
	{
		slot->strips[i] += piece->strips[i];
	}
}

// How far the heights of two are apart, 0 or less if they touch.
static float tnSlot_GetGap(const tnSlot* a, const tnSlot* b)
{
	return tnMaxFloat(a->yMin - b->yMax, b->yMin - a->yMax);
}

// The two that are nearest in height become one.
static void tnStack_Join(tnStack* stack, int side)
{
	tnSlot* slots = stack->slots[side];
	int bestA = 0;
	int bestB = 1;
	float best = tnSlot_GetGap(slots, slots + 1);
	for (int a = 0; a < stack->counts[side]; ++a)
	{
		for (int b = a + 1; b < stack->counts[side]; ++b)
		{
			const float gap = tnSlot_GetGap(slots + a, slots + b);
			if (gap < best)
			{
				best = gap;
				bestA = a;
				bestB = b;
			}
		}
	}
	tnSlot_Merge(slots + bestA, slots + bestB);
	slots[bestB] = slots[--stack->counts[side]];
}

void tnStack_Add(tnStack* stack, bool top, const tnSlot* piece)
{
	const int side = top ? 1 : 0;
	tnSlot* slots = stack->slots[side];
	int home = -1;
	for (int i = 0; i < stack->counts[side]; ++i)
	{
		if (tnSlot_GetGap(slots + i, piece) > 0.0f)
		{
			continue;
		}
		if (home < 0)
		{
			home = i;
			tnSlot_Merge(slots + i, piece);
		}
		else
		{
			// It is the bridge between two that were apart.
			tnSlot_Merge(slots + home, slots + i);
			slots[i] = slots[--stack->counts[side]];
			--i;
		}
	}
	if (home >= 0)
	{
		return;
	}
	if (stack->counts[side] == TN_MAX_BODY_LAYERS)
	{
		tnStack_Join(stack, side);
	}
	slots[stack->counts[side]++] = *piece;
}

typedef struct tnRung
{
	float height;
	int side;
	const tnSlot* slot;
} tnRung;

// By mean height; where it is the same, bottoms first.
static int tnStack_Sort(const tnStack* stack, tnRung* rungs)
{
	int count = 0;
	for (int side = 0; side < 2; ++side)
	{
		for (int i = 0; i < stack->counts[side]; ++i)
		{
			const tnSlot* slot = stack->slots[side] + i;
			if (!(slot->area > 0.0f))
			{
				continue;
			}
			const tnRung rung = {slot->y / slot->area, side, slot};
			int at = count++;
			for (; at > 0 && rungs[at - 1].height > rung.height; --at)
			{
				rungs[at] = rungs[at - 1];
			}
			rungs[at] = rung;
		}
	}
	return count;
}

typedef struct tnOpenLayer
{
	tnSlot top, bottom;
	float cover; // area of bottoms less that of tops so far
	bool hasTop, hasBottom;
} tnOpenLayer;

static void tnOpenLayer_Add(tnOpenLayer* open, const tnRung* rung)
{
	tnSlot* slot = rung->side == 1 ? &open->top : &open->bottom;
	bool* has = rung->side == 1 ? &open->hasTop : &open->hasBottom;
	if (*has)
	{
		tnSlot_Merge(slot, rung->slot);
	}
	else
	{
		*slot = *rung->slot;
		*has = true;
	}
	open->cover += rung->side == 1 ? -rung->slot->area : rung->slot->area;
}

static tnInterval tnOpenLayer_Close(const tnOpenLayer* open)
{
	const tnSlot* top = &open->top;
	const float weight = 1.0f / top->area;
	const float high = top->y * weight;
	const float low = open->bottom.y / open->bottom.area;
	// Intervals above each other that could not be told apart may have more tops than there is room for.
	const float share = tnMinFloat(top->area, 1.0f);
	const float half = 0.5f * (high - low) * (top->area / share);
	const float middle = 0.5f * (high + low);
	tnInterval layer = {
		.share = share,
		.low = middle - half,
		.high = middle + half,
		.x = top->x * weight,
		.z = top->z * weight,
		.xMin = top->xMin,
		.xMax = top->xMax,
		.zMin = top->zMin,
		.zMax = top->zMax,
	};
	for (int i = 0; i < tn_cellStripCount; ++i)
	{
		layer.strips[i] = top->strips[i] * (share * weight);
	}
	return layer;
}

int tnStack_Match(const tnStack* stack, tnInterval* layers)
{
	tnRung rungs[2 * TN_MAX_BODY_LAYERS];
	const int rungCount = tnStack_Sort(stack, rungs);
	int count = 0;
	tnOpenLayer open = {0};
	for (int i = 0; i < rungCount; ++i)
	{
		tnOpenLayer_Add(&open, rungs + i);
		// A top may come before a bottom of the same interval, where both are steep.
		const bool closed = tnAbsFloat(open.cover) < TN_CLOSED_AREA || i == rungCount - 1;
		if (closed && open.hasTop && open.hasBottom && count < TN_MAX_BODY_LAYERS)
		{
			layers[count++] = tnOpenLayer_Close(&open);
			open = (tnOpenLayer){0};
		}
	}
	return count;
}

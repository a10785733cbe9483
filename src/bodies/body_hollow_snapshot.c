// SPDX-License-Identifier: MIT

// The water in the hollows of a body as bytes, with leaks and pumps. The hollows themselves are found anew from the shapes.

#include "body_hollow.h"

#include "../flow/flow_snapshot.h"
#include "../shapes/body_def_check.h"
#include "body_snapshot.h"

#include <float.h>

// Heights and lengths from the centre of mass, m.
#define TN_MOST_OFFSET 1.0e9f
// What waits to go through a leak or a pump, m^3.
#define TN_MOST_PENDING 1.0e12

// @param volume of the hollow, m^3
static void tnArchiveHollow(tnHollow* hollow, tnArchive* archive, double volume)
{
	// Sums that have been rounded.
	tnArchive_Double(archive, &hollow->held, -1.0e-3 * volume, 1.001 * volume, "hollow.held");
	tnArchive_Double(archive, &hollow->came, -FLT_MAX, FLT_MAX, "hollow.came");
	tnArchive_Floats(archive, hollow->tracers, TN_MAX_TRACERS, TN_MOST_OFFSET, "hollow.tracers");
	// The next level is sought from the last one on.
	tnArchive_Double(archive, &hollow->level, (double)-TN_MOST_OFFSET, (double)TN_MOST_OFFSET, "hollow.level");
	tnArchive_Double(archive, &hollow->area, 0.0, FLT_MAX, "hollow.area");
	tnVec3_Archive(&hollow->center, archive, TN_MOST_OFFSET, "hollow.center");
	tnArchive_Float(archive, &hollow->low, -TN_MOST_OFFSET, TN_MOST_OFFSET, "hollow.low");
	tnArchive_Float(archive, &hollow->high, -TN_MOST_OFFSET, TN_MOST_OFFSET, "hollow.high");
}

// What leaks and pumps have in common.
static void tnArchiveEnds(int* from, int* to, tnVec3* position, double* pending, tnArchive* archive, int count)
{
	tnArchive_Int(archive, from, TN_OUTSIDE, count - 1, "from");
	tnArchive_Int(archive, to, TN_OUTSIDE, count - 1, "to");
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && *from == *to)
	{
		tnArchive_Refuse(archive, "to must not be the hollow of from, got %d", *to);
	}
	tnVec3_Archive(position, archive, TN_MAX_LENGTH, "position");
	tnArchive_Double(archive, pending, -TN_MOST_PENDING, TN_MOST_PENDING, "pending");
}

static void tnArchiveLeak(tnLeak* leak, tnArchive* archive, int count)
{
	tnArchive_Bool(archive, &leak->used, "leak.used");
	if (leak->used)
	{
		tnArchiveEnds(&leak->def.from, &leak->def.to, &leak->def.position, &leak->pending, archive, count);
		tnArchive_Float(archive, &leak->def.area, 0.0f, 1.0e6f, "leak.area");
		tnArchive_Float(archive, &leak->def.discharge, 1.0e-45f, 1.0f, "leak.discharge");
		leak->def.stamp = TN_DEF_STAMP;
	}
}

static void tnArchivePump(tnPump* pump, tnArchive* archive, int count)
{
	tnArchive_Bool(archive, &pump->used, "pump.used");
	if (pump->used)
	{
		tnArchiveEnds(&pump->def.from, &pump->def.to, &pump->def.position, &pump->pending, archive, count);
		tnArchive_Float(archive, &pump->def.rate, 0.0f, 1.0e6f, "pump.rate");
		pump->def.stamp = TN_DEF_STAMP;
	}
}

void tnBodyHollows_Archive(tnBodyHollows* hollows, tnArchive* archive, bool isKnown)
{
	const int own = hollows != NULL ? hollows->mesh.count : 0;
	int count = own;
	tnArchive_Int(archive, &count, isKnown ? own : 0, isKnown ? own : TN_MAX_HOLLOWS, "hollows");
	if (count == 0 || !tnArchive_IsOk(archive))
	{
		return;
	}
	const bool writes = !tnArchive_Reads(archive), applies = tnArchive_Applies(archive);
	for (int i = 0; i < count; ++i)
	{
		tnHollow hollow = writes ? hollows->items[i] : (tnHollow){0};
		tnArchiveHollow(&hollow, archive, isKnown ? (double)hollows->mesh.items[i].volume : (double)FLT_MAX);
		if (applies)
		{
			hollows->items[i] = hollow;
		}
	}
	for (int i = 0; i < TN_MAX_LEAKS; ++i)
	{
		tnLeak leak = writes ? hollows->leaks[i] : (tnLeak){0};
		tnPump pump = writes ? hollows->pumps[i] : (tnPump){0};
		tnArchiveLeak(&leak, archive, count);
		tnArchivePump(&pump, archive, count);
		if (applies)
		{
			hollows->leaks[i] = leak;
			hollows->pumps[i] = pump;
		}
	}
	tnVec3 velocity = writes ? hollows->velocity : (tnVec3){0};
	tnVec3 otherPush = writes ? hollows->otherPush : (tnVec3){0};
	float timeStep = writes ? hollows->timeStep : 0.0f;
	tnVec3_Archive(&velocity, archive, 1.0e6f, "hollows.velocity");
	tnVec3_Archive(&otherPush, archive, 1.0e6f, "hollows.otherPush");
	tnArchive_Float(archive, &timeStep, 0.0f, 10.0f, "hollows.timeStep");
	if (applies)
	{
		hollows->velocity = velocity;
		hollows->otherPush = otherPush;
		hollows->timeStep = timeStep;
	}
}

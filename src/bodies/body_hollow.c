// SPDX-License-Identifier: MIT

// How high water stands in the hollows of a body: level in the world, whatever the pose.

#include "body_hollow.h"

#include "../shapes/submerged_mesh.h"

#include <math.h>

bool tnMakeBodyHollows(tnMesh* mesh, tnMemory* memory, tnBodyHollows** hollows)
{
	*hollows = NULL;
	tnMesh hull;
	tnHollowMesh found;
	if (!tnFindHollows(mesh, memory, &hull, &found))
	{
		return false;
	}
	if (found.count == 0)
	{
		return true;
	}
	tnBodyHollows* made = tnMemory_Alloc(memory, sizeof(tnBodyHollows));
	tnVec3* points = tnMemory_Alloc(memory, (size_t)found.pointCount * sizeof(tnVec3));
	if (made == NULL || points == NULL)
	{
		tnMemory_Free(memory, made, sizeof(tnBodyHollows));
		tnMemory_Free(memory, points, (size_t)found.pointCount * sizeof(tnVec3));
		tnHollowMesh_Destroy(&found, memory);
		tnMesh_Destroy(&hull, memory);
		return false;
	}
	made->shown = *mesh;
	made->mesh = found;
	made->points = points;
	*mesh = hull;
	*hollows = made;
	return true;
}

void tnBodyHollows_Free(tnBodyHollows* hollows, tnMemory* memory)
{
	if (hollows != NULL)
	{
		tnMesh_Destroy(&hollows->shown, memory);
		tnMemory_Free(memory, hollows->points, (size_t)hollows->mesh.pointCount * sizeof(tnVec3));
		tnHollowMesh_Destroy(&hollows->mesh, memory);
		tnMemory_Free(memory, hollows, sizeof(tnBodyHollows));
	}
}

// A hollow as a mesh, to measure it.
static tnMesh tnViewHollow(const tnBodyHollows* hollows, int index)
{
	const tnHollowShape* shape = hollows->mesh.items + index;
	return (tnMesh){
		.triangles = hollows->mesh.triangles + 3 * (ptrdiff_t)shape->firstTriangle,
		.triangleCount = shape->triangleCount,
	};
}

double tnBodyHollows_GetBelow(const tnBodyHollows* hollows, int index, double height)
{
	const tnHollow* item = hollows->items + index;
	const double volume = (double)hollows->mesh.items[index].volume;
	if (!(height > (double)item->low))
	{
		return 0.0;
	}
	if (height >= (double)item->high)
	{
		return volume;
	}
	const tnMesh view = tnViewHollow(hollows, index);
	const double below = tnMesh_MeasureBelow(&view, hollows->points, height).volume;
	return below < volume ? below : volume;
}

static void tnSettleHollow(tnBodyHollows* hollows, const tnAxes* axes, int index)
{
	enum
	{
		tryCount = 48,
	};
	tnHollow* item = hollows->items + index;
	const tnHollowShape* shape = hollows->mesh.items + index;
	const tnMesh view = tnViewHollow(hollows, index);
	item->low = HUGE_VALF;
	item->high = -HUGE_VALF;
	for (int i = 0; i < 3 * view.triangleCount; ++i)
	{
		const float y = hollows->points[view.triangles[i]].y;
		item->low = tnMinFloat(item->low, y);
		item->high = tnMaxFloat(item->high, y);
	}
	item->center = tnAxes_Turn(axes, shape->centroid);
	item->area = 0.0;
	const double before = item->level;
	item->level = (double)item->low;
	// What is left when a pump sucks air is no water that has a level.
	const double volume = (double)shape->volume;
	if (!(item->held > 1.0e-9 * volume))
	{
		return;
	}
	if (item->held >= (1.0 - 1.0e-6) * volume)
	{
		item->level = (double)item->high;
		item->area = (double)shape->lidArea;
		return;
	}
	// Newton's steps, within bounds that close in from both sides.
	double low = (double)item->low, high = (double)item->high;
	double level = before > low && before < high ? before : low + (high - low) * item->held / volume;
	tnBelow below = {0};
	for (int i = 0; i < tryCount; ++i)
	{
		below = tnMesh_MeasureBelow(&view, hollows->points, level);
		const double missing = item->held - below.volume;
		if (fabs(missing) <= 1.0e-9 * volume || high - low <= 1.0e-9 * (double)(item->high - item->low))
		{
			break;
		}
		low = missing > 0.0 ? level : low;
		high = missing > 0.0 ? high : level;
		const double next = below.area > 0.0 ? level + missing / below.area : low;
		level = next > low && next < high ? next : 0.5 * (low + high);
	}
	item->level = level;
	item->area = below.area;
	item->center = below.center;
}

void tnBodyHollows_Settle(tnBodyHollows* hollows, tnQuat rotation)
{
	const tnAxes axes = tnQuat_GetAxes(rotation);
	for (int i = 0; i < hollows->mesh.pointCount; ++i)
	{
		hollows->points[i] = tnAxes_Turn(&axes, hollows->mesh.points[i]);
	}
	for (int i = 0; i < hollows->mesh.count; ++i)
	{
		tnSettleHollow(hollows, &axes, i);
	}
}

// SPDX-License-Identifier: MIT

// How much of a link is open, level by level: what its obstacles leave, or a narrow gap that passes through it. See body_links.c.

#include "link_layers.h"

#include "link_gaps.h"

#include <string.h>

bool tnFindLayers(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* standers, int count,
	const float* heights, int heightCount, tnLinkLayers* layers)
{
	int near[TN_NEAR_BODIES];
	const int nearCount = tnFindNearBodies(context, place, near);
	layers->count = 0;
	bool moves = false;
	for (int i = 0; i < count; ++i)
	{
		const tnPose* ahead = &standers[i].body->aheadPose;
		moves |= memcmp(ahead, &standers[i].body->pose, sizeof(tnPose)) != 0;
	}
	for (int i = 0; i + 1 < heightCount; ++i)
	{
		tnObstacles obstacles, before;
		const int here =
			tnFindObstacles(context, place, standers, count, heights[i], heights[i + 1], false, &obstacles);
		if (obstacles.full || (i == 0 && here == 0))
		{
			return false;
		}
		bool pushed = false;
		const double middle = 0.5 * ((double)heights[i] + (double)heights[i + 1]);
		const double gap = here > 0 ? tnPlugGaps(context, place, near, nearCount, middle, &obstacles) : 0.0;
		double width = here > 0 ? tnFindLink(&obstacles, NULL, &pushed) : 1.0;
		if (pushed && moves)
		{
			tnFindObstacles(context, place, standers, count, heights[i], heights[i + 1], true, &before);
			width = tnFindLink(&obstacles, &before, &pushed);
		}
		width = gap > width ? gap : width;
		const float share = (float)(1.0 - width);
		tnLayer* last = layers->items + layers->count - 1;
		if (!(share > 0.0f))
		{
			continue;
		}
		if (layers->count > 0 && last->share == share && last->high == heights[i])
		{
			last->high = heights[i + 1];
			continue;
		}
		layers->items[layers->count++] = (tnLayer){share, heights[i], heights[i + 1]};
	}
	return true;
}

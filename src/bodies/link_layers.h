// SPDX-License-Identifier: MIT

// How much of a link is open, level by level: see body_links.c.

#pragma once

#include "link_standers.h"

// Levels of a link with their shares.
typedef struct tnLinkLayers
{
	tnLayer items[TN_LINK_HEIGHTS];
	int count;
} tnLinkLayers;

// False if bodies do not stand there, or are too many.
bool tnFindLayers(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* standers, int count,
	const float* heights, int heightCount, tnLinkLayers* layers);

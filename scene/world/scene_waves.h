// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"
#include "tarn/waves.h"

/// @file The wave layer of a run: where it is fine, and what moves through it. Scenes without "waves" have none of it.

/// Somebody looks at another place than the camera of the scene: points of interest that follow the camera are there
/// from the next step on. A scene without such a point gets one, unless its layer fits into its tiles as a whole.
/// @param target NULL: along the camera of the scene, as at the start
void tnsRun_SetViewpoint(tnsRun* run, const tnVec2* target);

/// A point of interest as it is now. @return false for an index out of range
bool tnsRun_GetInterest(const tnsRun* run, int index, tnInterestDef* interest);
int tnsRun_GetInterestCount(const tnsRun* run);

/// Something that moves through the water without physics, as it is now.
typedef struct tnsDisplacer
{
	/// NULL for none.
	const char* name;
	/// Its height is what it displaces now: less while it comes or goes.
	tnWaveEllipse ellipse;
} tnsDisplacer;

/// In the order of the file.
int tnsRun_GetDisplacerCount(const tnsRun* run);
/// @return false if it is not there (yet, or no more), or for an index out of range
bool tnsRun_GetDisplacer(const tnsRun* run, int index, tnsDisplacer* displacer);

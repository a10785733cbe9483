// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/base.h"

/// A layer of the world, as part of tnWorldDef: foam on the water. Born where spray lands, at steep fronts, in rapids, at
/// shores that water runs up, around bodies and under breaking waves; carried by the flow; it fades with time.
typedef struct tnFoamDef
{
	/// Off by default.
	bool enable;
	/// Time in which foam fades to 1/e of itself, seconds, in [0.01, 1e9]. Default 8.
	float lifetime;
	/// Factor on all that is born, in [0, 100]. Default 1. With 0 there is only what tnWorld_AddFoam brings.
	float strength;
} tnFoamDef;

// SPDX-License-Identifier: MIT

#pragma once

// Displacements on grids and in ellipses, decomposed into the bands of the wave layer.

#include "harness.h"
#include "waves/wave_filter.h"
#include "waves/wave_stamp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.141592653589793

// Written around patches: must stay.
#define GUARD 1234.5f

// A displacement and its bands, each with its own memory.
typedef struct Entry
{
	tnWavePlan plan;
	float* displacement;
	tnWavePatch bands[TN_MAX_WAVE_LEVELS];
	float* scratch;
} Entry;

static inline size_t GetArea(tnWaveBox box)
{
	return (size_t)box.columnCount * (size_t)box.rowCount;
}

static inline tnWavePatch MakePatch(tnWaveBox box)
{
	return (tnWavePatch){box, box.columnCount, calloc(GetArea(box), sizeof(float))};
}

static inline bool OpenEntry(Entry* entry, tnWaveBox box, int levelCount)
{
	*entry = (Entry){0};
	if (!tnPlanWaveEntry(&entry->plan, box, levelCount))
	{
		return false;
	}
	entry->displacement = calloc(GetArea(box), sizeof(float));
	entry->scratch = malloc((entry->plan.scratchCount + 1) * sizeof(float));
	// Nobody may rely on zeros there.
	for (size_t i = 0; i < entry->plan.scratchCount; ++i)
	{
		entry->scratch[i] = NAN;
	}
	for (int l = 0; l < levelCount; ++l)
	{
		entry->bands[l] = MakePatch(entry->plan.bands[l]);
	}
	return true;
}

static inline void CloseEntry(Entry* entry)
{
	for (int l = 0; l < entry->plan.levelCount; ++l)
	{
		free(entry->bands[l].values);
	}
	free(entry->displacement);
	free(entry->scratch);
}

static inline void Decompose(Entry* entry, const tnWaveFilter* filter)
{
	tnDecomposeWave(
		filter, &entry->plan, entry->displacement, entry->plan.averages[0].columnCount, entry->bands, entry->scratch);
}

static inline float GetValue(const tnWavePatch* patch, int column, int row)
{
	return patch->values[(row - patch->box.row) * patch->stride + column - patch->box.column];
}

static inline double GetSum(const tnWavePatch* patch, double* absolute)
{
	double sum = 0.0;
	double all = 0.0;
	for (int row = 0; row < patch->box.rowCount; ++row)
	{
		for (int column = 0; column < patch->box.columnCount; ++column)
		{
			const double value = patch->values[row * patch->stride + column];
			sum += value;
			all += fabs(value);
		}
	}
	*absolute = all;
	return sum;
}

// A patch inside a larger memory, with guards around it.
static inline tnWavePatch MakeGuardedPatch(tnWaveBox box, float** memory)
{
	const int stride = box.columnCount + 6;
	const size_t count = (size_t)stride * (size_t)(box.rowCount + 6);
	*memory = malloc(count * sizeof(float));
	for (size_t i = 0; i < count; ++i)
	{
		(*memory)[i] = GUARD;
	}
	const tnWavePatch patch = {box, stride, *memory + 3 * stride + 3};
	for (int row = 0; row < box.rowCount; ++row)
	{
		memset(patch.values + row * stride, 0, (size_t)box.columnCount * sizeof(float));
	}
	return patch;
}

static inline bool AreGuardsWhole(const tnWavePatch* patch)
{
	for (int row = -3; row < patch->box.rowCount + 3; ++row)
	{
		for (int column = -3; column < patch->box.columnCount + 3; ++column)
		{
			const bool isInside =
				row >= 0 && row < patch->box.rowCount && column >= 0 && column < patch->box.columnCount;
			if (!isInside && patch->values[row * patch->stride + column] != GUARD)
			{
				return false;
			}
		}
	}
	return true;
}

// Large: not on the stack.
static tnWaveStamps s_stamps;

static const tnWaveStamps* GetStamps(void)
{
	if (s_stamps.edge[0] == 0.0f)
	{
		tnMakeWaveStamps(&s_stamps);
	}
	return &s_stamps;
}

static inline tnWaveEllipse MakeRandomEllipse(TestRandom* random, float size)
{
	const float turn = TestRandomFloat(random, 0.0f, 6.2831853f);
	tnWaveEllipse ellipse;
	ellipse.center = (tnVec2){TestRandomFloat(random, -30.0f, 30.0f), TestRandomFloat(random, -30.0f, 30.0f)};
	ellipse.axis = (tnVec2){cosf(turn), sinf(turn)};
	ellipse.radii.x = size * TestRandomFloat(random, 0.3f, 3.0f);
	ellipse.radii.z = size * TestRandomFloat(random, 0.3f, 3.0f);
	ellipse.height = TestRandomFloat(random, -2.0f, 2.0f);
	return ellipse;
}

// SPDX-License-Identifier: MIT

// Points that remember how high the water was, and when it came.

#include "gauges.h"

#include "../flow/grid_sample.h"

#include <math.h>

// World time of something that never happened.
#define TN_NEVER (-1.0)

static void tnObserve(tnGaugeState* state, const tnGrid* grid, const tnWaves* waves, tnVec2 position, double time)
{
	tnSample sample = tnSampleGrid(grid, position);
	tnWaves_AddToSample(waves, position, &sample);
	float speed = sqrtf(sample.velocity.x * sample.velocity.x + sample.velocity.z * sample.velocity.z);
	state->sample = sample;
	state->maxDepth = tnMaxFloat(state->maxDepth, sample.depth);
	state->maxSpeed = tnMaxFloat(state->maxSpeed, speed);
	if (sample.wet && state->arrivalTime < 0.0)
	{
		state->arrivalTime = time;
	}
}

static void tnGauge_Forget(tnGauge* gauge, const tnGrid* grid, const tnWaves* waves, double time)
{
	gauge->state = (tnGaugeState){0};
	gauge->state.arrivalTime = TN_NEVER;
	tnObserve(&gauge->state, grid, waves, gauge->position, time);
}

bool tnGauges_ReserveMany(tnGauges* gauges, tnMemory* memory, int count)
{
	if (count > 0 && !tnIdPool_ReserveMany(&gauges->ids, memory, count))
	{
		return false;
	}
	const int capacity = gauges->ids.capacity;
	if (gauges->capacity == capacity)
	{
		return true;
	}
	tnGauge* grown = tnMemory_Grow(
		memory, gauges->gauges, (size_t)gauges->capacity * sizeof(tnGauge), (size_t)capacity * sizeof(tnGauge));
	if (grown == NULL)
	{
		return false;
	}
	gauges->gauges = grown;
	gauges->capacity = capacity;
	return true;
}

tnResult tnGauges_Add(tnGauges* gauges, tnMemory* memory, const tnGrid* grid, const tnWaves* waves, tnVec2 position,
	double time, tnGaugeId* id)
{
	*id = (tnGaugeId){0};
	if (!tnIsFinite(position.x) || !tnIsFinite(position.z) || !tnGrid_Contains(grid, position))
	{
		return tnFail(tn_invalidArgument, "position must be inside the world, got (%g, %g)", (double)position.x,
			(double)position.z);
	}
	if (!tnGauges_ReserveMany(gauges, memory, gauges->ids.count + 1))
	{
		return tnFail(tn_outOfMemory, "no memory for gauge %d", gauges->ids.count + 1);
	}
	int index = tnIdPool_Take(&gauges->ids);
	tnGauge* gauge = &gauges->gauges[index];
	gauge->position = position;
	tnGauge_Forget(gauge, grid, waves, time);
	*id = (tnGaugeId){index + 1, tnIdPool_GetGeneration(&gauges->ids, index)};
	return tnSuccess();
}

int tnGauges_Find(const tnGauges* gauges, tnGaugeId id)
{
	return tnIdPool_Find(&gauges->ids, id.index1, id.generation);
}

static tnResult tnMakeStaleGauge(tnGaugeId id)
{
	return tnFail(tn_staleId, "gauge id is null or stale, got (%d, %u)", (int)id.index1, (unsigned int)id.generation);
}

tnResult tnGauges_Remove(tnGauges* gauges, tnGaugeId id)
{
	int index = tnGauges_Find(gauges, id);
	if (index < 0)
	{
		return tnMakeStaleGauge(id);
	}
	tnIdPool_Release(&gauges->ids, index);
	return tnSuccess();
}

tnResult tnGauges_Reset(tnGauges* gauges, const tnGrid* grid, const tnWaves* waves, tnGaugeId id, double time)
{
	int index = tnGauges_Find(gauges, id);
	if (index < 0)
	{
		return tnMakeStaleGauge(id);
	}
	tnGauge_Forget(&gauges->gauges[index], grid, waves, time);
	return tnSuccess();
}

tnResult tnGauges_Get(
	const tnGauges* gauges, const tnGrid* grid, const tnWaves* waves, tnGaugeId id, double time, tnGaugeState* state)
{
	*state = (tnGaugeState){.arrivalTime = TN_NEVER};
	int index = tnGauges_Find(gauges, id);
	if (index < 0)
	{
		return tnMakeStaleGauge(id);
	}
	// The water may have been edited since the last step.
	*state = gauges->gauges[index].state;
	tnObserve(state, grid, waves, gauges->gauges[index].position, time);
	return tnSuccess();
}

void tnGauges_Destroy(tnGauges* gauges, tnMemory* memory)
{
	tnMemory_Free(memory, gauges->gauges, (size_t)gauges->capacity * sizeof(tnGauge));
	tnIdPool_Destroy(&gauges->ids, memory);
	*gauges = (tnGauges){0};
}

void tnGauges_Update(tnGauges* gauges, const tnGrid* grid, const tnWaves* waves, double time)
{
	for (int index = 0; index < gauges->ids.slotCount; ++index)
	{
		if (tnIdPool_IsUsed(&gauges->ids, index))
		{
			tnGauge* gauge = &gauges->gauges[index];
			tnObserve(&gauge->state, grid, waves, gauge->position, time);
		}
	}
}

static void tnArchiveGauge(tnGauge* gauge, tnArchive* archive, const tnGrid* grid)
{
	tnSample* sample = &gauge->state.sample;
	float* values[] = {&gauge->position.x, &gauge->position.z, &sample->surface, &sample->bed, &sample->depth,
		&sample->velocity.x, &sample->velocity.z, &sample->normal.x, &sample->normal.y, &sample->normal.z,
		&sample->foam, &gauge->state.maxDepth, &gauge->state.maxSpeed};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(values[0])); ++i)
	{
		tnArchive_AnyFloat(archive, values[i], "gauge");
	}
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		tnArchive_AnyFloat(archive, sample->tracers + i, "gauge.tracers");
	}
	tnArchive_Bool(archive, &sample->wet, "gauge.wet");
	tnArchive_Bool(archive, &sample->inside, "gauge.inside");
	tnArchive_AnyDouble(archive, &gauge->state.arrivalTime, "gauge.arrivalTime");
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive) && !tnGrid_Contains(grid, gauge->position))
	{
		tnArchive_Refuse(archive, "gauge.position must be inside the world, got (%g, %g)", (double)gauge->position.x,
			(double)gauge->position.z);
	}
}

int tnGauges_Archive(tnGauges* gauges, tnArchive* archive, const tnGrid* grid)
{
	const int count = tnIdPool_Archive(&gauges->ids, archive, "gauges");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		if (!tnIdPool_ArchiveSlot(&gauges->ids, archive, i, NULL))
		{
			continue;
		}
		tnGauge gauge = !tnArchive_Reads(archive) ? gauges->gauges[i] : (tnGauge){0};
		tnArchiveGauge(&gauge, archive, grid);
		if (tnArchive_Applies(archive))
		{
			gauges->gauges[i] = gauge;
		}
	}
	tnIdPool_EndArchive(&gauges->ids, archive, count);
	return count;
}

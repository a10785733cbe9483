// SPDX-License-Identifier: MIT

// Faces around bodies that the fast loop cannot set: beside water that sleeps, and at edges that wrap.

#include "flow_rows.h"

// Do both cells of a face lie in tiles that are computed?
static bool tnIsFaceAwake(const tnTrip* trip, int column, int row, bool alongZ)
{
	const tnGrid* grid = trip->grid;
	const int columnAfter = column < grid->columnCount ? column : 0;
	const int rowAfter = tnWrapRow(trip, row);
	const int columnBefore = alongZ ? columnAfter : (column > 0 ? column : grid->columnCount) - 1;
	const int rowBefore = alongZ ? (rowAfter > 0 ? rowAfter : grid->rowCount) - 1 : rowAfter;
	const uint8_t* awake = trip->tiles->awake;
	const int stride = trip->tiles->columnCount;
	return awake[rowAfter / TN_TILE_SIZE * stride + columnAfter / TN_TILE_SIZE] != 0 &&
		awake[rowBefore / TN_TILE_SIZE * stride + columnBefore / TN_TILE_SIZE] != 0;
}

static void tnOverrideEach(const tnTrip* trip, const tnOverrideRow* overrides, int row, bool alongZ, float* discharge,
	float* const* velocities, int velocityCount)
{
	const tnOverrideGroup* group = overrides->group;
	const ptrdiff_t end = (ptrdiff_t)overrides->pieces[1] * TN_OVERRIDE_SIZE;
	for (ptrdiff_t at = (ptrdiff_t)overrides->pieces[0] * TN_OVERRIDE_SIZE; at < end; ++at)
	{
		const int column = group->columns[at / TN_OVERRIDE_SIZE] + (int)(at % TN_OVERRIDE_SIZE);
		const float q = group->discharge[alongZ][at];
		if (!(q < TN_NO_OVERRIDE) || !tnIsFaceAwake(trip, column, row, alongZ))
		{
			continue;
		}
		// The last face of a wrapped row is the first one.
		const int other = !alongZ && column == 0 ? trip->grid->columnCount : column;
		discharge[column] = q;
		discharge[other] = q;
		for (int i = 0; i < velocityCount; ++i)
		{
			velocities[i][column] = group->velocity[alongZ][at];
			velocities[i][other] = group->velocity[alongZ][at];
		}
	}
}

void tnOverrideOthers(const tnTrip* trip, const tnOverrideRow* overrides, int row, bool alongZ, float* discharge,
	float* const* velocities, int velocityCount)
{
	for (; overrides != NULL; overrides = overrides->next)
	{
		if (!overrides->group->plain)
		{
			tnOverrideEach(trip, overrides, row, alongZ, discharge, velocities, velocityCount);
		}
	}
}

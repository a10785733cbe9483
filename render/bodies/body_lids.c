// SPDX-License-Identifier: MIT

#include "bodies/body_meshes.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Where a mesh would hold water: its heights from above are filled like a terrain (Planchon and Darboux 2001). Each
// sample starts full to the sky, the rim of the grid dry, and sinks to the lowest way out:
//
//     fill = max(top, lowest fill around)
//
//        |~~~~~~~~~~~|     fill: the lower one of the two rims
//      __|           |__
//     |__   top     __|
//        '---------'

enum
{
	// Along the longer side.
	sampleCount = 96
};

// Water less deep than this is none, as a share of the longer side. Dents of a raft hold no crew.
#define SHALLOWEST 0.02f
// Share of the samples over the mesh that must hold water.
#define SMALLEST_SHARE 0.05f

static size_t tnrGetSample(const tnrBasins* basins, int column, int row)
{
	return (size_t)row * (size_t)basins->columnCount + (size_t)column;
}

static void tnrRaiseTop(tnrBasins* basins, tnVec3 a, tnVec3 b, tnVec3 c)
{
	const float area = (b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z);
	if (area == 0.0f)
	{
		return;
	}
	const float inverse = 1.0f / basins->step;
	const float low = fminf(a.x, fminf(b.x, c.x)), high = fmaxf(a.x, fmaxf(b.x, c.x));
	const float north = fminf(a.z, fminf(b.z, c.z)), south = fmaxf(a.z, fmaxf(b.z, c.z));
	const int firstColumn = tnrClampInt((int)ceilf((low - basins->x) * inverse), 0, basins->columnCount - 1);
	const int lastColumn = tnrClampInt((int)floorf((high - basins->x) * inverse), 0, basins->columnCount - 1);
	const int firstRow = tnrClampInt((int)ceilf((north - basins->z) * inverse), 0, basins->rowCount - 1);
	const int lastRow = tnrClampInt((int)floorf((south - basins->z) * inverse), 0, basins->rowCount - 1);
	for (int row = firstRow; row <= lastRow; ++row)
	{
		for (int column = firstColumn; column <= lastColumn; ++column)
		{
			const float x = basins->x + (float)column * basins->step, z = basins->z + (float)row * basins->step;
			const float u = ((b.x - x) * (c.z - z) - (c.x - x) * (b.z - z)) / area;
			const float v = ((c.x - x) * (a.z - z) - (a.x - x) * (c.z - z)) / area;
			if (u < 0.0f || v < 0.0f || u + v > 1.0f)
			{
				continue;
			}
			const float y = u * a.y + v * b.y + (1.0f - u - v) * c.y;
			float* top = &basins->top[tnrGetSample(basins, column, row)];
			*top = y > *top ? y : *top;
		}
	}
}

// One sample sinks to the lowest way out. @return did it?
static bool tnrSink(tnrBasins* basins, int column, int row)
{
	static const int offsets[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
	const size_t sample = tnrGetSample(basins, column, row);
	float lowest = basins->fill[sample];
	for (int side = 0; side < 4; ++side)
	{
		const int c = column + offsets[side][0], r = row + offsets[side][1];
		const bool outside = c < 0 || r < 0 || c >= basins->columnCount || r >= basins->rowCount;
		lowest = fminf(lowest, outside ? -INFINITY : basins->fill[tnrGetSample(basins, c, r)]);
	}
	const float fill = fmaxf(basins->top[sample], lowest);
	const bool sinks = fill < basins->fill[sample];
	basins->fill[sample] = fill;
	return sinks;
}

static void tnrFillBasins(tnrBasins* basins)
{
	const int last = basins->columnCount * basins->rowCount - 1;
	bool sinks = true;
	// Forwards and backwards by turns: the way out winds only so often.
	for (int sweep = 0; sweep < 4 * sampleCount && sinks; ++sweep)
	{
		sinks = false;
		for (int i = 0; i <= last; ++i)
		{
			const int sample = sweep % 2 == 0 ? i : last - i;
			sinks = tnrSink(basins, sample % basins->columnCount, sample / basins->columnCount) || sinks;
		}
	}
}

static bool tnrHoldsWater(const tnrBasins* basins, size_t sample)
{
	return basins->fill[sample] > basins->top[sample];
}

// Forget puddles. @return is anything left?
static bool tnrDrainPuddles(tnrBasins* basins)
{
	const size_t count = (size_t)basins->columnCount * (size_t)basins->rowCount;
	const float shallowest = SHALLOWEST * basins->step * sampleCount;
	int overMesh = 0, held = 0;
	for (size_t i = 0; i < count; ++i)
	{
		overMesh += basins->top[i] > -INFINITY ? 1 : 0;
		// A hole through the mesh has no floor: fill and top are both -INFINITY there, or the fill stands on nothing.
		if (!(basins->fill[i] - basins->top[i] > shallowest) || !(basins->top[i] > -INFINITY))
		{
			basins->fill[i] = basins->top[i];
			continue;
		}
		++held;
	}
	return (float)held > SMALLEST_SHARE * (float)overMesh;
}

void tnrFreeBasins(tnrBasins* basins)
{
	free(basins->top);
	free(basins->fill);
	*basins = (tnrBasins){0};
}

bool tnrFindBasins(tnrBasins* basins, const tnBodyMesh* mesh)
{
	tnVec3 low = mesh->points[0], high = low;
	for (int i = 1; i < mesh->pointCount; ++i)
	{
		const tnVec3 p = mesh->points[i];
		low = (tnVec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
		high = (tnVec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
	}
	const float longer = fmaxf(high.x - low.x, high.z - low.z);
	*basins = (tnrBasins){0};
	if (!(longer > 0.0f) || !isfinite(longer))
	{
		return false;
	}
	const float step = longer / sampleCount;
	*basins = (tnrBasins){.columnCount = (int)((high.x - low.x) / step) + 2,
		.rowCount = (int)((high.z - low.z) / step) + 2,
		.x = low.x - 0.25f * step,
		.z = low.z - 0.25f * step,
		.step = step};
	const size_t count = (size_t)basins->columnCount * (size_t)basins->rowCount;
	basins->top = malloc(count * sizeof(float));
	basins->fill = malloc(count * sizeof(float));
	if (basins->top == NULL || basins->fill == NULL)
	{
		tnrFreeBasins(basins);
		return false;
	}
	for (size_t i = 0; i < count; ++i)
	{
		basins->top[i] = -INFINITY;
		basins->fill[i] = INFINITY;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int32_t* corners = mesh->triangles + 3 * i;
		tnrRaiseTop(basins, mesh->points[corners[0]], mesh->points[corners[1]], mesh->points[corners[2]]);
	}
	tnrFillBasins(basins);
	if (tnrDrainPuddles(basins) == false)
	{
		tnrFreeBasins(basins);
		return false;
	}
	return true;
}

float tnrGetRim(const tnrBasins* basins, tnVec3 place)
{
	// Walls lie between two samples: any of the four around that holds water will do.
	const int column = (int)floorf((place.x - basins->x) / basins->step);
	const int row = (int)floorf((place.z - basins->z) / basins->step);
	float rim = -INFINITY;
	for (int corner = 0; corner < 4; ++corner)
	{
		const int c = tnrClampInt(column + (corner & 1), 0, basins->columnCount - 1);
		const int r = tnrClampInt(row + (corner >> 1), 0, basins->rowCount - 1);
		const size_t sample = tnrGetSample(basins, c, r);
		if (tnrHoldsWater(basins, sample) && place.y > basins->top[sample] - 2.0f * basins->step)
		{
			rim = fmaxf(rim, basins->fill[sample]);
		}
	}
	return place.y < rim + 0.5f * basins->step ? rim : -INFINITY;
}

int tnrMakeLid(const tnrBasins* basins, float* vertices)
{
	static const int corners[6][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}};
	int count = 0;
	for (int row = 0; row + 1 < basins->rowCount; ++row)
	{
		for (int column = 0; column + 1 < basins->columnCount; ++column)
		{
			float height = -INFINITY;
			for (int corner = 0; corner < 4; ++corner)
			{
				const size_t sample = tnrGetSample(basins, column + (corner & 1), row + (corner >> 1));
				height = tnrHoldsWater(basins, sample) ? fmaxf(height, basins->fill[sample]) : height;
			}
			if (!(height > -INFINITY))
			{
				continue;
			}
			for (int i = 0; i < 6 && vertices != NULL; ++i)
			{
				float* vertex = vertices + 3 * (count + i);
				vertex[0] = basins->x + (float)(column + corners[i][0]) * basins->step;
				vertex[1] = height;
				vertex[2] = basins->z + (float)(row + corners[i][1]) * basins->step;
			}
			count += 6;
		}
	}
	return count;
}

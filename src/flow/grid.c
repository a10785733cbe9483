// SPDX-License-Identifier: MIT

// Memory of the fields of a world, its ground, and what follows from both.

#include "grid.h"

#include <math.h>
#include <string.h>

static int tnTilesAlong(int cellCount)
{
	return (cellCount + TN_TILE_SIZE - 1) / TN_TILE_SIZE;
}

static int tnGetStride(int columnCount)
{
	return TN_ROW_PAD + tnTilesAlong(columnCount) * TN_TILE_SIZE + TN_ROW_PAD;
}

// One array: the rows of the world and a ghost row on either side.
static size_t tnGetFieldBytes(const tnWorldDef* def)
{
	return (size_t)tnGetStride(def->columnCount) * ((size_t)def->rowCount + 2) * sizeof(float);
}

// Tracers need the discharge that moved the water, before a sponge has touched it.
static bool tnStoresDischarge(const tnWorldDef* def)
{
	return def->tracerCount > 0 || def->keepDischarge || def->spray.enable || def->foam.enable;
}

static int tnGetFieldCount(const tnWorldDef* def)
{
	int count = 4; // bed, depth, flowX, flowZ
	count += tnStoresDischarge(def) ? 2 : 0;
	count += def->keepPrevious ? 1 : 0;
	count += def->method == tn_shallowMethod ? 1 : 0; // residual
	count += 2 * def->tracerCount;
	count += def->tracerCount > 0 ? 1 : 0; // tracerReach
	count += def->foam.enable ? 6 : 0;
	return count;
}

size_t tnGrid_GetByteCount(const tnWorldDef* def)
{
	// Several arrays may be more than addresses of 32 bits can say, one never is.
	const uint64_t bytes = (uint64_t)tnGetFieldBytes(def) * (uint64_t)tnGetFieldCount(def);
	return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

static size_t tnGetGridFieldBytes(const tnGrid* grid)
{
	return (size_t)grid->stride * ((size_t)grid->rowCount + 2) * sizeof(float);
}

static float* tnAllocField(const tnGrid* grid, tnMemory* memory, size_t byteCount)
{
	float* block = tnMemory_Alloc(memory, byteCount);
	return block == NULL ? NULL : block + grid->stride + TN_ROW_PAD;
}

static void tnFreeField(const tnGrid* grid, tnMemory* memory, float* field)
{
	if (field != NULL)
	{
		tnMemory_Free(memory, field - grid->stride - TN_ROW_PAD, tnGetGridFieldBytes(grid));
	}
}

// Everything that is not a cell of the world is a wall.
static void tnFillBed(tnGrid* grid)
{
	for (int row = -1; row <= grid->rowCount; ++row)
	{
		float* bed = grid->bed + tnGrid_Index(grid, 0, row);
		bool ghostRow = row < 0 || row == grid->rowCount;
		for (int column = -TN_ROW_PAD; column < grid->stride - TN_ROW_PAD; ++column)
		{
			bed[column] = ghostRow || column < 0 || column >= grid->columnCount ? TN_WALL : 0.0f;
		}
	}
}

_Static_assert(sizeof(int32_t) == sizeof(float), "units of foam have a field as floats do");

static bool tnAllocFoam(tnGrid* grid, tnMemory* memory, size_t byteCount)
{
	bool ok = (grid->foam = tnAllocField(grid, memory, byteCount)) != NULL;
	ok = ok && (grid->foamNext = tnAllocField(grid, memory, byteCount)) != NULL;
	ok = ok && (grid->foamShareX = tnAllocField(grid, memory, byteCount)) != NULL;
	ok = ok && (grid->foamShareZ = tnAllocField(grid, memory, byteCount)) != NULL;
	ok = ok && (grid->foamLeaving = tnAllocField(grid, memory, byteCount)) != NULL;
	return ok && (grid->foamAdded = (int32_t*)tnAllocField(grid, memory, byteCount)) != NULL;
}

bool tnGrid_Create(tnGrid* grid, tnMemory* memory, const tnWorldDef* def)
{
	memset(grid, 0, sizeof(*grid));
	grid->columnCount = def->columnCount;
	grid->rowCount = def->rowCount;
	grid->tileColumnCount = tnTilesAlong(def->columnCount);
	grid->tileRowCount = tnTilesAlong(def->rowCount);
	grid->stride = tnGetStride(def->columnCount);
	grid->cellSize = def->cellSize;
	grid->gravity = def->gravity;
	grid->origin = def->origin;
	grid->method = def->method;
	grid->tracerCount = def->tracerCount;

	size_t byteCount = tnGetFieldBytes(def);
	bool ok = true;
	ok = (grid->bed = tnAllocField(grid, memory, byteCount)) != NULL && ok;
	ok = ok && (grid->depth = tnAllocField(grid, memory, byteCount)) != NULL;
	ok = ok && (grid->flowX = tnAllocField(grid, memory, byteCount)) != NULL;
	ok = ok && (grid->flowZ = tnAllocField(grid, memory, byteCount)) != NULL;
	if (tnStoresDischarge(def))
	{
		ok = ok && (grid->dischargeX = tnAllocField(grid, memory, byteCount)) != NULL;
		ok = ok && (grid->dischargeZ = tnAllocField(grid, memory, byteCount)) != NULL;
	}
	if (def->keepPrevious)
	{
		ok = ok && (grid->previousDepth = tnAllocField(grid, memory, byteCount)) != NULL;
	}
	if (def->method == tn_shallowMethod)
	{
		ok = ok && tnGrid_AddResidual(grid, memory);
	}
	if (def->tracerCount > 0)
	{
		ok = ok && (grid->tracerReach = tnAllocField(grid, memory, byteCount)) != NULL;
	}
	if (def->foam.enable)
	{
		ok = ok && tnAllocFoam(grid, memory, byteCount);
	}
	for (int i = 0; i < def->tracerCount; ++i)
	{
		ok = ok && (grid->tracers[i] = tnAllocField(grid, memory, byteCount)) != NULL;
		ok = ok && (grid->tracersNext[i] = tnAllocField(grid, memory, byteCount)) != NULL;
	}

	if (!ok)
	{
		tnGrid_Destroy(grid, memory);
		return false;
	}

	tnFillBed(grid);
	return true;
}

bool tnGrid_AddResidual(tnGrid* grid, tnMemory* memory)
{
	if (grid->residual == NULL)
	{
		grid->residual = tnAllocField(grid, memory, tnGetGridFieldBytes(grid));
	}
	return grid->residual != NULL;
}

bool tnGrid_AddRoughness(tnGrid* grid, tnMemory* memory)
{
	if (grid->roughness == NULL)
	{
		grid->roughness = tnAllocField(grid, memory, tnGetGridFieldBytes(grid));
	}
	return grid->roughness != NULL;
}

void tnGrid_SetRoughnessAround(const tnGrid* grid)
{
	const int n = grid->columnCount;
	for (int row = -1; row <= grid->rowCount; ++row)
	{
		float* line = grid->roughness + tnGrid_Index(grid, 0, row);
		const int inside = (row + grid->rowCount) % grid->rowCount;
		if (inside != row)
		{
			memcpy(line, grid->roughness + tnGrid_Index(grid, 0, inside), (size_t)n * sizeof(float));
		}
		for (int i = 1; i <= 2; ++i)
		{
			line[-i] = line[n - i];
			line[n - 1 + i] = line[i - 1];
		}
	}
}

bool tnGrid_AddLift(tnGrid* grid, tnMemory* memory)
{
	if (grid->lift != NULL)
	{
		return true;
	}
	// Both or none: a world that was refused a body is one that never had any.
	const bool keep = grid->previousDepth != NULL;
	float* lift = tnAllocField(grid, memory, tnGetGridFieldBytes(grid));
	float* previous = keep ? tnAllocField(grid, memory, tnGetGridFieldBytes(grid)) : NULL;
	if (lift == NULL || (keep && previous == NULL))
	{
		tnFreeField(grid, memory, lift);
		tnFreeField(grid, memory, previous);
		return false;
	}
	grid->lift = lift;
	grid->previousLift = previous;
	return true;
}

void tnGrid_Destroy(tnGrid* grid, tnMemory* memory)
{
	tnFreeField(grid, memory, grid->lift);
	tnFreeField(grid, memory, grid->previousLift);
	tnFreeField(grid, memory, grid->dischargeX);
	tnFreeField(grid, memory, grid->dischargeZ);
	tnFreeField(grid, memory, grid->bed);
	tnFreeField(grid, memory, grid->depth);
	tnFreeField(grid, memory, grid->flowX);
	tnFreeField(grid, memory, grid->flowZ);
	tnFreeField(grid, memory, grid->previousDepth);
	tnFreeField(grid, memory, grid->residual);
	tnFreeField(grid, memory, grid->roughness);
	tnFreeField(grid, memory, grid->tracerReach);
	tnFreeField(grid, memory, grid->foam);
	tnFreeField(grid, memory, grid->foamNext);
	tnFreeField(grid, memory, grid->foamShareX);
	tnFreeField(grid, memory, grid->foamShareZ);
	tnFreeField(grid, memory, grid->foamLeaving);
	tnFreeField(grid, memory, (float*)grid->foamAdded);
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		tnFreeField(grid, memory, grid->tracers[i]);
		tnFreeField(grid, memory, grid->tracersNext[i]);
	}
	memset(grid, 0, sizeof(*grid));
}

static float tnGetFaceVelocity(const tnGrid* grid, const float* flow, ptrdiff_t first, ptrdiff_t second)
{
	// A dry face of the shallow method may hold the velocity of water that runs towards it.
	const float section = tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
	if (!(section > TN_DRY_DEPTH))
	{
		return 0.0f;
	}
	return tnGrid_StoresVelocity(grid) ? flow[second] : flow[second] / section;
}

float tnGrid_FindMaxDepth(const tnGrid* grid)
{
	if (!grid->maxDepthIsBound)
	{
		return grid->maxDepth;
	}
	float largest = 0.0f;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		const float* depth = grid->depth + tnGrid_Index(grid, 0, row);
		for (int column = 0; column < grid->columnCount; ++column)
		{
			largest = depth[column] > largest ? depth[column] : largest;
		}
	}
	return largest;
}

float tnGrid_GetFaceVelocityX(const tnGrid* grid, int column, int row)
{
	ptrdiff_t second = tnGrid_Index(grid, column, row);
	return tnGetFaceVelocity(grid, grid->flowX, second - 1, second);
}

float tnGrid_GetFaceVelocityZ(const tnGrid* grid, int column, int row)
{
	ptrdiff_t second = tnGrid_Index(grid, column, row);
	return tnGetFaceVelocity(grid, grid->flowZ, second - grid->stride, second);
}

// Cells [begin, end) along one axis whose centres can lie within `half` of `center`, and at least the cell around it.
static void tnGetRange(float center, float half, float origin, float cellSize, int count, int* begin, int* end)
{
	double middle = ((double)center - origin) / cellSize;
	double reach = (double)half / cellSize;
	double low = floor(middle - reach - 0.5);
	double high = ceil(middle + reach + 0.5);
	*begin = low < 0.0 ? 0 : (low > count ? count : (int)low);
	*end = high > count ? count : (high < 0.0 ? 0 : (int)high);
}

tnCellBox tnGrid_GetBox(const tnGrid* grid, tnVec2 center, float halfX, float halfZ)
{
	tnCellBox box;
	tnGetRange(center.x, halfX, grid->origin.x, grid->cellSize, grid->columnCount, &box.columnBegin, &box.columnEnd);
	tnGetRange(center.z, halfZ, grid->origin.z, grid->cellSize, grid->rowCount, &box.rowBegin, &box.rowEnd);
	return box;
}

bool tnGrid_Contains(const tnGrid* grid, tnVec2 point)
{
	double x = ((double)point.x - grid->origin.x) / grid->cellSize;
	double z = ((double)point.z - grid->origin.z) / grid->cellSize;
	return x >= 0.0 && x <= grid->columnCount && z >= 0.0 && z <= grid->rowCount;
}

tnVec2 tnGrid_GetCenter(const tnGrid* grid, int column, int row)
{
	tnVec2 center;
	center.x = grid->origin.x + ((float)column + 0.5f) * grid->cellSize;
	center.z = grid->origin.z + ((float)row + 0.5f) * grid->cellSize;
	return center;
}

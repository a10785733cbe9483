// SPDX-License-Identifier: MIT

// What a host changes in a world. Everything is checked before anything is touched.

#include "../flow/cell_disc.h"
#include "world.h"

#include <math.h>

// Fastest water a host may ask for, m/s.
#define TN_MAX_SPEED 1000.0f

// Largest concentration.
#define TN_MAX_CONCENTRATION 1.0e6f

void tnWorld_ApplyEdges(tnWorld* world)
{
	world->tiles.wrapX = world->edges.sides[tn_west].def.kind == tn_wrapEdge;
	world->tiles.wrapZ = world->edges.sides[tn_north].def.kind == tn_wrapEdge;
	// Bodies at an edge may reach to the other side now, or no more: also those that are outside of the world then.
	tnBodies_CutAllAgain(&world->bodies);
	world->grid.wrapX = world->tiles.wrapX;
	world->grid.wrapZ = world->tiles.wrapZ;
	tnEdges_PrepareBed(&world->edges, &world->grid);
	tnEdges_SetGhosts(&world->edges, &world->grid);
	tnTiles_TouchAll(&world->tiles);
	tnEdgeKind kinds[tn_sideCount];
	for (int side = 0; side < tn_sideCount; ++side)
	{
		kinds[side] = world->edges.sides[side].def.kind;
	}
	tnWaves_SetEdges(&world->waves, &world->grid, kinds);
	tnFoam_SetEdges(&world->grid);
}

// Checks an array of one value per cell.
static tnResult tnCheckField(const tnWorld* world, const char* name, const float* values, float low, float high)
{
	if (values == NULL)
	{
		return tnFail(tn_invalidArgument, "%s must not be NULL", name);
	}
	const int columns = world->grid.columnCount;
	for (int row = 0; row < world->grid.rowCount; ++row)
	{
		const float* line = values + (size_t)row * (size_t)columns;
		for (int column = 0; column < columns; ++column)
		{
			if (!(line[column] >= low && line[column] <= high))
			{
				return tnFail(tn_invalidArgument, "%s[%zu] (column %d, row %d) must be in [%g, %g], got %g", name,
					(size_t)row * (size_t)columns + (size_t)column, column, row, (double)low, (double)high,
					(double)line[column]);
			}
		}
	}
	return tnSuccess();
}

static tnResult tnCheckDisc(const tnWorld* world, tnVec2 center, float radius)
{
	if (!tnIsFinite(center.x) || !tnIsFinite(center.z) || !tnGrid_Contains(&world->grid, center))
	{
		return tnFail(
			tn_invalidArgument, "center must be inside the world, got (%g, %g)", (double)center.x, (double)center.z);
	}
	if (!(radius > 0.0f && radius <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "radius must be in (0, %g], got %g", (double)TN_MAX_LENGTH, (double)radius);
	}
	return tnSuccess();
}

static tnResult tnCheckChannel(const tnWorld* world, int channel)
{
	if (channel < 0 || channel >= world->grid.tracerCount)
	{
		return tnFail(tn_invalidArgument, "channel must be in [0, tracerCount) with tracerCount %d, got %d",
			world->grid.tracerCount, channel);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Terrain

static void tnBedChanged(tnWorld* world, tnCellBox box)
{
	tnGrid* grid = &world->grid;
	if (box.columnBegin == 0 || box.rowBegin == 0 || box.columnEnd == grid->columnCount || box.rowEnd == grid->rowCount)
	{
		tnEdges_PrepareBed(&world->edges, grid);
	}
	tnBodies_GroundChanged(&world->bodies, grid, box);
	tnTiles_Touch(&world->tiles, box);
}

tnResult tnWorld_SetTerrainBlock(tnWorld* world, int column, int row, int columns, int rows, const float* heights)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnGrid* grid = &world->grid;
	if (heights == NULL)
	{
		return tnWorld_Report(world, tnFail(tn_invalidArgument, "heights must not be NULL"));
	}
	if (columns < 1 || column < 0 || column > grid->columnCount - columns)
	{
		return tnWorld_Report(world,
			tnFail(tn_invalidArgument, "column and columns must stay in [0, %d), got %d and %d", grid->columnCount,
				column, columns));
	}
	if (rows < 1 || row < 0 || row > grid->rowCount - rows)
	{
		return tnWorld_Report(world,
			tnFail(tn_invalidArgument, "row and rows must stay in [0, %d), got %d and %d", grid->rowCount, row, rows));
	}
	for (int r = 0; r < rows; ++r)
	{
		for (int c = 0; c < columns; ++c)
		{
			const size_t index = (size_t)r * (size_t)columns + (size_t)c;
			if (!(tnAbsFloat(heights[index]) <= TN_MAX_LENGTH))
			{
				return tnWorld_Report(world,
					tnFail(tn_invalidArgument, "heights[%zu] (column %d, row %d) must be finite and at most %g, got %g",
						index, column + c, row + r, (double)TN_MAX_LENGTH, (double)heights[index]));
			}
		}
	}

	for (int r = 0; r < rows; ++r)
	{
		float* bed = grid->bed + tnGrid_Index(grid, column, row + r);
		for (int c = 0; c < columns; ++c)
		{
			bed[c] = heights[(size_t)r * (size_t)columns + (size_t)c];
		}
	}
	tnBedChanged(world, (tnCellBox){column, column + columns, row, row + rows});
	TN_RECORD(world, result, tn_setTerrainCall, TN_WORDS(column), TN_WORDS(row), TN_WORDS(columns), TN_WORDS(rows),
		TN_WORDS_OF(heights, (size_t)columns * (size_t)rows));
	return result;
}

tnResult tnWorld_SetTerrain(tnWorld* world, const float* heights)
{
	if (world == NULL)
	{
		return tnWorld_CheckReady(world);
	}
	return tnWorld_SetTerrainBlock(world, 0, 0, world->grid.columnCount, world->grid.rowCount, heights);
}

tnBrush tnDefaultBrush(void)
{
	tnBrush brush = {0};
	brush.kind = tn_raiseBrush;
	brush.shape = tn_discBrush;
	brush.radius = 1.0f;
	brush.falloff = 0.5f;
	brush.amount = 1.0f;
	return brush;
}

static tnResult tnCheckBrush(const tnWorld* world, const tnBrush* brush)
{
	if (brush == NULL)
	{
		return tnFail(tn_invalidArgument, "brush must not be NULL");
	}
	if ((int)brush->kind < 0 || brush->kind >= tn_brushKindCount)
	{
		return tnFail(tn_invalidArgument, "kind must be in [0, %d], got %d", tn_brushKindCount - 1, (int)brush->kind);
	}
	if ((int)brush->shape < 0 || brush->shape >= tn_brushShapeCount)
	{
		return tnFail(
			tn_invalidArgument, "shape must be in [0, %d], got %d", tn_brushShapeCount - 1, (int)brush->shape);
	}
	tnResult result = tnCheckDisc(world, brush->center, brush->radius);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (!(brush->falloff >= 0.0f && brush->falloff <= 1.0f))
	{
		return tnFail(tn_invalidArgument, "falloff must be in [0, 1], got %g", (double)brush->falloff);
	}
	float low = brush->kind == tn_raiseBrush ? -TN_MAX_LENGTH : 0.0f;
	float high = brush->kind == tn_raiseBrush ? TN_MAX_LENGTH : 1.0f;
	if (!(brush->amount >= low && brush->amount <= high))
	{
		return tnFail(
			tn_invalidArgument, "amount must be in [%g, %g], got %g", (double)low, (double)high, (double)brush->amount);
	}
	if (!(tnAbsFloat(brush->height) <= TN_MAX_LENGTH))
	{
		return tnFail(tn_invalidArgument, "height must be in [-%g, %g], got %g", (double)TN_MAX_LENGTH,
			(double)TN_MAX_LENGTH, (double)brush->height);
	}
	return result;
}

// Strength of a brush at a cell, in [0, 1].
static float tnBrushWeight(const tnBrush* brush, const tnGrid* grid, int column, int row)
{
	const tnVec2 cell = tnGrid_GetCenter(grid, column, row);
	const float x = tnAbsFloat(cell.x - brush->center.x);
	const float z = tnAbsFloat(cell.z - brush->center.z);
	const float distance = brush->shape == tn_discBrush ? sqrtf(x * x + z * z) : tnMaxFloat(x, z);
	if (distance > brush->radius)
	{
		return 0.0f;
	}
	const float rim = brush->radius * brush->falloff;
	const float t = rim > 0.0f ? tnMinFloat((brush->radius - distance) / rim, 1.0f) : 1.0f;
	return t * t * (3.0f - 2.0f * t);
}

// Mean of the neighbours that are inside the world.
static float tnNeighbourMean(const tnGrid* grid, const float* above, const float* here, const float* below, int column)
{
	float sum = 0.0f;
	float count = 0.0f;
	const float* rows[3] = {above, here, below};
	for (int r = 0; r < 3; ++r)
	{
		for (int c = tnMaxInt(column - 1, 0); c <= tnMinInt(column + 1, grid->columnCount - 1) && rows[r] != NULL; ++c)
		{
			if (r != 1 || c != column)
			{
				sum += rows[r][c];
				count += 1.0f;
			}
		}
	}
	return sum / count;
}

tnResult tnWorld_EditTerrain(tnWorld* world, const tnBrush* brush)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckBrush(world, brush) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}

	tnGrid* grid = &world->grid;
	const tnCellBox box = tnGrid_GetBox(grid, brush->center, brush->radius, brush->radius);
	const int columns = box.columnEnd - box.columnBegin;
	if (columns <= 0 || box.rowBegin >= box.rowEnd)
	{
		return result;
	}
	// Smoothing reads neighbours as they were: keep the two last rows.
	float* kept[2] = {NULL, NULL};
	const size_t rowBytes = (size_t)grid->stride * sizeof(float);
	float* memory = tnMemory_Alloc(&world->memory, 2 * rowBytes);
	if (memory == NULL)
	{
		return tnWorld_Report(world, tnFail(tn_outOfMemory, "out of memory for a brush of %d columns", columns));
	}
	for (int row = box.rowBegin; row < box.rowEnd; ++row)
	{
		float* bed = grid->bed + tnGrid_Index(grid, 0, row);
		float* old = memory + (row & 1) * (ptrdiff_t)grid->stride;
		for (int column = 0; column < grid->columnCount; ++column)
		{
			old[column] = bed[column];
		}
		kept[row & 1] = old;
		const float* above = row == box.rowBegin ? (row > 0 ? bed - grid->stride : NULL) : kept[(row - 1) & 1];
		const float* below = row + 1 < grid->rowCount ? bed + grid->stride : NULL;
		for (int column = box.columnBegin; column < box.columnEnd; ++column)
		{
			const float weight = tnBrushWeight(brush, grid, column, row);
			float target = bed[column];
			switch (brush->kind)
			{
				case tn_raiseBrush:
					target = bed[column] + weight * brush->amount;
					break;
				case tn_flattenBrush:
					target = bed[column] + weight * brush->amount * (brush->height - bed[column]);
					break;
				default:
					target += weight * brush->amount * (tnNeighbourMean(grid, above, old, below, column) - bed[column]);
					break;
			}
			bed[column] = tnClampFloat(target, -TN_MAX_LENGTH, TN_MAX_LENGTH);
		}
	}
	tnMemory_Free(&world->memory, memory, 2 * rowBytes);
	tnBedChanged(world, box);
	TN_RECORD(world, result, tn_editTerrainCall, TN_WORDS(*brush));
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Water

// Replace a depth and return the change.
static double tnPutDepth(tnGrid* grid, ptrdiff_t cell, float depth)
{
	double change = (double)depth - (double)grid->depth[cell];
	grid->depth[cell] = depth;
	grid->maxDepth = tnMaxFloat(grid->maxDepth, depth);
	return change;
}

static void tnStopFlow(tnGrid* grid)
{
	grid->waiting = 0;
	grid->waitingSpread = 0.0f;
	float* fields[5] = {grid->flowX, grid->flowZ, grid->dischargeX, grid->dischargeZ, grid->residual};
	for (int i = 0; i < 5; ++i)
	{
		for (int row = 0; row <= grid->rowCount && fields[i] != NULL; ++row)
		{
			float* flow = fields[i] + tnGrid_Index(grid, 0, row);
			for (int column = 0; column <= grid->columnCount; ++column)
			{
				flow[column] = 0.0f;
			}
		}
	}
}

// All depths have been replaced: `sum` is the change, m.
static void tnBookNewDepths(tnWorld* world, double sum)
{
	sum -= tnDecks_Empty(&world->decks);
	world->ledger.edits += sum * world->grid.cellSize * world->grid.cellSize;
	tnStopFlow(&world->grid);
	tnTiles_TouchAll(&world->tiles);
}

tnResult tnWorld_SetDepths(tnWorld* world, const float* depths)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckField(world, "depths", depths, 0.0f, TN_MAX_LENGTH) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnGrid* grid = &world->grid;
	grid->maxDepth = 0.0f;
	grid->maxDepthIsBound = false;
	double sum = 0.0;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		for (int column = 0; column < grid->columnCount; ++column)
		{
			// Adding zero turns -0 into 0.
			const float depth = depths[(size_t)row * (size_t)grid->columnCount + (size_t)column] + 0.0f;
			sum += tnPutDepth(grid, tnGrid_Index(grid, column, row), depth);
		}
	}
	tnBookNewDepths(world, sum);
	TN_RECORD(world, result, tn_setDepthsCall, TN_WORDS_OF(depths, tnGetCellCount(world)));
	return result;
}

// The depth that brings the surface to a level. bed + depth should give the level itself in float32, or a lake filled
// to a level that is no round number would start with ripples of one unit in the last place.
static float tnDepthToLevel(float bed, float level)
{
	const float depth = level - bed;
	if (!(depth > 0.0f) || bed + depth == level)
	{
		return tnMaxFloat(depth, 0.0f);
	}
	const float up = nextafterf(depth, TN_MAX_LENGTH * 4.0f);
	const float down = nextafterf(depth, 0.0f);
	if (bed + up == level || bed + down == level)
	{
		return bed + up == level ? up : down;
	}
	// Where sums lie half way between two floats they go to the even one, and an odd level is none of them. One above and one
	// below it beside each other would be a slope that pipes and linear see: all are below.
	const float above = (bed + depth) - level;
	return above > 0.0f && level - (bed + down) <= above ? down : depth;
}

tnResult tnWorld_FillToLevel(tnWorld* world, float level)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !(tnAbsFloat(level) <= TN_MAX_LENGTH))
	{
		result = tnFail(tn_invalidArgument, "level must be in [-%g, %g], got %g", (double)TN_MAX_LENGTH,
			(double)TN_MAX_LENGTH, (double)level);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnGrid* grid = &world->grid;
	grid->maxDepth = 0.0f;
	grid->maxDepthIsBound = false;
	double sum = 0.0;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		for (int column = 0; column < grid->columnCount; ++column)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, column, row);
			sum += tnPutDepth(grid, cell, tnDepthToLevel(grid->bed[cell], level));
		}
	}
	tnBookNewDepths(world, sum);
	TN_RECORD(world, result, tn_fillToLevelCall, TN_WORDS(level));
	return result;
}

// What a face stores for a velocity.
static float tnMakeFlow(const tnGrid* grid, ptrdiff_t first, ptrdiff_t second, float velocity)
{
	const float section = tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
	if (!(section > TN_DRY_DEPTH))
	{
		return 0.0f;
	}
	return tnGrid_StoresVelocity(grid) ? velocity : velocity * section;
}

tnResult tnWorld_SetVelocities(tnWorld* world, const float* velocitiesX, const float* velocitiesZ)
{
	tnResult result = tnWorld_CheckReady(world);
	result =
		result.status == tn_ok ? tnCheckField(world, "velocitiesX", velocitiesX, -TN_MAX_SPEED, TN_MAX_SPEED) : result;
	result =
		result.status == tn_ok ? tnCheckField(world, "velocitiesZ", velocitiesZ, -TN_MAX_SPEED, TN_MAX_SPEED) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnGrid* grid = &world->grid;
	tnEdges_SetGhosts(&world->edges, grid);
	const int columns = grid->columnCount;
	const int rows = grid->rowCount;
	for (int row = 0; row <= rows; ++row)
	{
		for (int column = 0; column <= columns; ++column)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, column, row);
			// Faces of the edges continue the cell inside, or the mean across a wrap.
			const int west = column > 0 ? column - 1 : (world->tiles.wrapX ? columns - 1 : 0);
			const int east = column < columns ? column : (world->tiles.wrapX ? 0 : columns - 1);
			const int north = row > 0 ? row - 1 : (world->tiles.wrapZ ? rows - 1 : 0);
			const int south = row < rows ? row : (world->tiles.wrapZ ? 0 : rows - 1);
			if (row < rows)
			{
				const float* line = velocitiesX + (size_t)row * (size_t)columns;
				grid->flowX[cell] = tnMakeFlow(grid, cell - 1, cell, 0.5f * (line[west] + line[east]));
				grid->editSpeed = tnMaxFloat(grid->editSpeed, tnAbsFloat(grid->flowX[cell]));
			}
			if (column < columns)
			{
				const float velocity = 0.5f *
					(velocitiesZ[(size_t)north * (size_t)columns + (size_t)column] +
						velocitiesZ[(size_t)south * (size_t)columns + (size_t)column]);
				grid->flowZ[cell] = tnMakeFlow(grid, cell - grid->stride, cell, velocity);
				grid->editSpeed = tnMaxFloat(grid->editSpeed, tnAbsFloat(grid->flowZ[cell]));
			}
		}
	}
	tnTiles_TouchAll(&world->tiles);
	TN_RECORD(world, result, tn_setVelocitiesCall, TN_WORDS_OF(velocitiesX, tnGetCellCount(world)),
		TN_WORDS_OF(velocitiesZ, tnGetCellCount(world)));
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Method

typedef struct tnFaceConversion
{
	tnGrid* grid;
	bool toVelocity;
} tnFaceConversion;

static float tnConvertFlow(float flow, float section, bool toVelocity)
{
	if (!(section > TN_DRY_DEPTH))
	{
		return 0.0f;
	}
	// A cell that a pipe has all but emptied could be asked for any speed: no more than a host may ask for.
	const float converted = toVelocity ? tnClampFloat(flow / section, -TN_MAX_SPEED, TN_MAX_SPEED) : flow * section;
	// Adding zero turns -0 into 0: a face at rest has the bits of one that sleeps.
	return converted + 0.0f;
}

// Turn what one face stores from discharge into velocity or back. `discharge` is that of the last sub-step, or NULL.
static void tnConvertFace(
	const tnFaceConversion* conversion, float* flow, float* discharge, ptrdiff_t face, ptrdiff_t step)
{
	const float section = tnGrid_GetUpwindSection(conversion->grid, face - step, face, flow[face]);
	flow[face] = tnConvertFlow(flow[face], section, conversion->toVelocity);
	if (discharge != NULL)
	{
		discharge[face] = conversion->toVelocity ? flow[face] * section : flow[face];
	}
}

// The X faces and the upper Z faces of the rows of a row of tiles; the last one has the faces of the south edge too.
static void tnConvertTileRow(int tileRow, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFaceConversion* conversion = context;
	tnGrid* grid = conversion->grid;
	const bool last = tileRow == grid->tileRowCount - 1;
	const int rowEnd = last ? grid->rowCount + 1 : (tileRow + 1) * TN_TILE_SIZE;
	for (int row = tileRow * TN_TILE_SIZE; row < rowEnd; ++row)
	{
		for (int column = 0; column <= grid->columnCount; ++column)
		{
			const ptrdiff_t face = tnGrid_Index(grid, column, row);
			if (row < grid->rowCount)
			{
				tnConvertFace(conversion, grid->flowX, grid->dischargeX, face, 1);
			}
			if (column < grid->columnCount)
			{
				tnConvertFace(conversion, grid->flowZ, grid->dischargeZ, face, grid->stride);
			}
		}
	}
}

tnResult tnWorld_SetMethod(tnWorld* world, tnMethod method, tnAdvection advection)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnWorldDef def = world->def;
	def.method = method;
	def.advection = advection;
	result = tnCheckWorldDef(&def);
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	if (method == world->def.method && advection == world->def.advection)
	{
		return result;
	}
	tnGrid* grid = &world->grid;
	const bool storedVelocity = tnGrid_StoresVelocity(grid);
	tnFlow* flow = tnCreateFlow(&world->memory, grid, &def, world->workerCount);
	if (flow != NULL && method == tn_shallowMethod && !tnGrid_AddResidual(grid, &world->memory))
	{
		tnDestroyFlow(flow, &world->memory);
		flow = NULL;
	}
	if (flow == NULL)
	{
		return tnWorld_Report(world,
			tnFail(tn_outOfMemory, "out of memory to change the method from %d to %d", (int)world->def.method,
				(int)method));
	}

	tnDestroyFlow(world->flow, &world->memory);
	world->flow = flow;
	world->def = def;
	grid->method = method;
	const bool toVelocity = tnGrid_StoresVelocity(grid);
	if (toVelocity != storedVelocity)
	{
		// Sleeping faces hold zeros and stay as they are.
		tnEdges_SetGhosts(&world->edges, grid);
		tnFaceConversion conversion = {grid, toVelocity};
		tnParallelFor(world->parallel, grid->tileRowCount, tnConvertTileRow, &conversion);
		tnTiles_CountChanges(&world->tiles);
		// Groups of bodies that stay as they are show their faces to the flow as what it stores now.
		for (int i = 0; i < world->bodyFlow.groupCount; ++i)
		{
			tnBodyFlow_ShowGroup(&world->bodyFlow, grid, i);
		}
	}
	if (method == tn_shallowMethod)
	{
		if (world->tiles.sleepSpeed == 0.0f)
		{
			// Water at rest is at rest for every method, but for slopes within rounding: pipes and linear see none.
			tnEdges_SetGhosts(&world->edges, grid);
			tnTiles_WakeSlopes(&world->tiles, grid);
		}
		// The next step must know how fast the water is. What was pushed since the last one is part of that, and for
		// pipes it was a discharge.
		grid->editSpeed = 0.0f;
		tnFlow_Measure(flow, grid, def.gravity);
	}
	TN_RECORD(world, result, tn_setMethodCall, TN_WORDS(method), TN_WORDS(advection));
	return result;
}

tnResult tnWorld_SetVorticityConfinement(tnWorld* world, float strength)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !(strength >= 0.0f && strength <= 1.0f))
	{
		result = tnFail(tn_invalidArgument, "strength must be in [0, 1], got %g", (double)strength);
	}
	if (result.status == tn_ok && strength > 0.0f &&
		!tnVorticity_Prepare(&world->vorticity, &world->memory, &world->grid, world->workerCount))
	{
		result = tnFail(tn_outOfMemory, "strength: out of memory for the vorticity of %d * %d cells",
			world->grid.columnCount, world->grid.rowCount);
	}
	if (result.status == tn_ok)
	{
		world->def.vorticityConfinement = strength;
	}
	TN_RECORD(world, result, tn_setConfinementCall, TN_WORDS(strength));
	return tnWorld_Report(world, result);
}

// ---------------------------------------------------------------------------------------------------------------------
// Pouring and pushing

tnResult tnWorld_AddWater(tnWorld* world, tnVec2 center, float radius, float volume, double* moved)
{
	if (moved != NULL)
	{
		*moved = 0.0;
	}
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckDisc(world, center, radius) : result;
	if (result.status == tn_ok && !(tnAbsFloat(volume) <= 1.0e12f))
	{
		result = tnFail(tn_invalidArgument, "volume must be in [-1e12, 1e12], got %g", (double)volume);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}

	tnGrid* grid = &world->grid;
	const double cellArea = (double)grid->cellSize * grid->cellSize;
	const tnDisc disc = tnMakeDisc(grid, center, radius);
	double change = 0.0;
	if (volume > 0.0f)
	{
		const double depth = volume / (disc.cellCount * cellArea);
		if (depth > TN_MAX_LENGTH)
		{
			return tnWorld_Report(world,
				tnFail(tn_invalidArgument, "volume must be at most %g for this radius, got %g",
					(double)TN_MAX_LENGTH * disc.cellCount * cellArea, (double)volume));
		}
		tnDecks_Watch(&world->decks, grid);
		change = tnDisc_Add(&disc, grid, (float)depth, NULL);
		tnDecks_Catch(&world->decks, grid, NULL);
	}
	else if (volume < 0.0f && disc.depthSum > 0.0)
	{
		const double share = -volume / (disc.depthSum * cellArea);
		change = -tnDisc_Take(&disc, grid, share < 1.0 ? (float)share : 1.0f);
	}
	world->ledger.edits += change * cellArea;
	tnTiles_Touch(&world->tiles, disc.box);
	if (moved != NULL)
	{
		*moved = change * cellArea;
	}
	TN_RECORD(world, result, tn_addWaterCall, TN_WORDS(center), TN_WORDS(radius), TN_WORDS(volume));
	return result;
}

tnResult tnWorld_AddImpulse(tnWorld* world, tnVec2 center, float radius, tnVec2 impulse)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckDisc(world, center, radius) : result;
	if (result.status == tn_ok && !(tnAbsFloat(impulse.x) <= 1.0e12f && tnAbsFloat(impulse.z) <= 1.0e12f))
	{
		result = tnFail(tn_invalidArgument, "impulse must be at most 1e12 along each axis, got (%g, %g)",
			(double)impulse.x, (double)impulse.z);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	const tnDisc disc = tnMakeDisc(&world->grid, center, radius);
	if (tnDisc_Push(&disc, &world->grid, impulse))
	{
		tnTiles_Touch(&world->tiles, disc.box);
	}
	TN_RECORD(world, result, tn_addImpulseCall, TN_WORDS(center), TN_WORDS(radius), TN_WORDS(impulse));
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tracers

tnResult tnWorld_SetTracer(tnWorld* world, int channel, const float* concentrations)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckChannel(world, channel) : result;
	result = result.status == tn_ok
		? tnCheckField(world, "concentrations", concentrations, -TN_MAX_CONCENTRATION, TN_MAX_CONCENTRATION)
		: result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnGrid* grid = &world->grid;
	for (int row = 0; row < grid->rowCount; ++row)
	{
		float* line = grid->tracers[channel] + tnGrid_Index(grid, 0, row);
		for (int column = 0; column < grid->columnCount; ++column)
		{
			line[column] = concentrations[(size_t)row * (size_t)grid->columnCount + (size_t)column];
		}
	}
	tnTiles_TouchAll(&world->tiles);
	TN_RECORD(world, result, tn_setTracerCall, TN_WORDS(channel), TN_WORDS_OF(concentrations, tnGetCellCount(world)));
	return result;
}

tnResult tnWorld_AddTracer(tnWorld* world, int channel, tnVec2 center, float radius, float concentration)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckChannel(world, channel) : result;
	result = result.status == tn_ok ? tnCheckDisc(world, center, radius) : result;
	if (result.status == tn_ok && !(tnAbsFloat(concentration) <= TN_MAX_CONCENTRATION))
	{
		result = tnFail(tn_invalidArgument, "concentration must be in [-1e6, 1e6], got %g", (double)concentration);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnGrid* grid = &world->grid;
	const tnDisc disc = tnMakeDisc(grid, center, radius);
	for (int row = disc.box.rowBegin; row < disc.box.rowEnd; ++row)
	{
		for (int column = disc.box.columnBegin; column < disc.box.columnEnd; ++column)
		{
			if (tnDisc_Covers(&disc, grid, column, row))
			{
				grid->tracers[channel][tnGrid_Index(grid, column, row)] = concentration;
			}
		}
	}
	tnTiles_Touch(&world->tiles, disc.box);
	TN_RECORD(world, result, tn_addTracerCall, TN_WORDS(channel), TN_WORDS(center), TN_WORDS(radius),
		TN_WORDS(concentration));
	return result;
}

tnResult tnWorld_AddFoam(tnWorld* world, tnVec2 center, float radius, float amount)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !world->foam.def.enable)
	{
		result = tnFail(tn_notAvailable, "foam.enable must be true for foam to be added, got false");
	}
	result = result.status == tn_ok ? tnCheckDisc(world, center, radius) : result;
	if (result.status == tn_ok && !(amount >= 0.0f && amount <= 1000.0f))
	{
		result = tnFail(tn_invalidArgument, "amount must be in [0, 1000], got %g", (double)amount);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	const tnDisc disc = tnMakeDisc(&world->grid, center, radius);
	for (int row = disc.box.rowBegin; row < disc.box.rowEnd; ++row)
	{
		for (int column = disc.box.columnBegin; column < disc.box.columnEnd; ++column)
		{
			if (tnDisc_Covers(&disc, &world->grid, column, row))
			{
				tnFoam_Add(&world->foam, &world->grid, column, row, amount);
			}
		}
	}
	TN_RECORD(world, result, tn_addFoamCall, TN_WORDS(center), TN_WORDS(radius), TN_WORDS(amount));
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Everything that goes on by itself

tnResult tnWorld_SetAcceleration(tnWorld* world, tnVec2 acceleration)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && !(tnAbsFloat(acceleration.x) <= 1000.0f && tnAbsFloat(acceleration.z) <= 1000.0f))
	{
		result = tnFail(tn_invalidArgument, "acceleration must be at most 1000 along each axis, got (%g, %g)",
			(double)acceleration.x, (double)acceleration.z);
	}
	if (result.status == tn_ok)
	{
		world->acceleration = acceleration;
		tnTiles_TouchAll(&world->tiles);
	}
	TN_RECORD(world, result, tn_setAccelerationCall, TN_WORDS(acceleration));
	return tnWorld_Report(world, result);
}

// Bodies that reach around the world need more room.
static tnResult tnReserveForEdges(tnWorld* world, const tnEdgeDef* defs)
{
	tnGrid grid = world->grid;
	grid.wrapX = defs[tn_west].kind == tn_wrapEdge;
	grid.wrapZ = defs[tn_north].kind == tn_wrapEdge;
	if (world->bodies.count == 0 || (grid.wrapX == world->grid.wrapX && grid.wrapZ == world->grid.wrapZ))
	{
		return tnSuccess();
	}
	const tnBodyNeeds needs = tnBodies_FindNeeds(&world->bodies, &grid);
	if (!tnBodyFlow_Reserve(&world->bodyFlow, &world->memory, &grid, &needs, world->workerCount))
	{
		return tnFail(
			tn_outOfMemory, "edges: out of memory for %d bodies that may reach around the world", world->bodies.count);
	}
	world->bodyFlow.groupCount = 0;
	tnBodyFlow_SetNeeds(&world->bodyFlow, &world->memory, &needs);
	return tnSuccess();
}

tnResult tnWorld_SetEdges(tnWorld* world, const tnEdgeDef* defs)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && defs == NULL)
	{
		result = tnFail(tn_invalidArgument, "defs must not be NULL");
	}
	result = result.status == tn_ok ? tnEdges_CheckAll(defs) : result;
	result = result.status == tn_ok ? tnReserveForEdges(world, defs) : result;
	if (result.status == tn_ok)
	{
		for (int side = 0; side < tn_sideCount; ++side)
		{
			tnEdges_Set(&world->edges, &world->memory, (tnSide)side, defs + side);
		}
		tnWorld_ApplyEdges(world);
	}
	TN_RECORD(world, result, tn_setEdgesCall, TN_WORDS_OF(defs, tn_sideCount));
	return tnWorld_Report(world, result);
}

static tnResult tnCheckSide(tnSide side)
{
	if ((int)side < 0 || side >= tn_sideCount)
	{
		return tnFail(tn_invalidArgument, "side must be in [0, %d], got %d", tn_sideCount - 1, (int)side);
	}
	return tnSuccess();
}

tnResult tnWorld_SetEdge(tnWorld* world, tnSide side, const tnEdgeDef* def)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckSide(side) : result;
	if (result.status == tn_ok && def == NULL)
	{
		result = tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnEdgeDef defs[tn_sideCount];
	for (int i = 0; i < tn_sideCount; ++i)
	{
		defs[i] = i == (int)side ? *def : world->edges.sides[i].def;
	}
	return tnWorld_SetEdges(world, defs);
}

tnResult tnWorld_SetEdgeCurve(tnWorld* world, tnSide side, const tnCurvePoint* points, int count)
{
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnCheckSide(side) : result;
	result = result.status == tn_ok ? tnEdges_SetCurve(&world->edges, &world->memory, side, points, count) : result;
	TN_RECORD(world, result, tn_setEdgeCurveCall, TN_WORDS(side), TN_WORDS_OF(points, count));
	return tnWorld_Report(world, result);
}

static tnResult tnSetWeather(tnWorld* world, tnWeatherKind kind, float rate, const float* map)
{
	tnResult result = tnWorld_CheckReady(world);
	// Rain makes ripples.
	const bool rains = result.status == tn_ok && kind == tn_rain && rate > 0.0f && rate <= 1.0e3f &&
		world->waves.enabled && world->waves.ripples != NULL;
	result = rains ? tnWorld_ReserveWaves(world) : result;
	result =
		result.status == tn_ok ? tnWeather_Set(&world->weather, &world->memory, &world->grid, kind, rate, map) : result;
	if (result.status == tn_ok)
	{
		static const tnCallKind calls[] = {[tn_rain] = tn_setRainCall,
			[tn_evaporation] = tn_setEvaporationCall,
			[tn_infiltration] = tn_setInfiltrationCall};
		if (rains)
		{
			tnWaves_Stir(&world->waves);
		}
		TN_RECORD(world, result, calls[kind], TN_WORDS(rate), TN_WORDS_OF(map, tnGetCellCount(world)));
	}
	return tnWorld_Report(world, result);
}

tnResult tnWorld_SetRain(tnWorld* world, float rate, const float* map)
{
	return tnSetWeather(world, tn_rain, rate, map);
}

tnResult tnWorld_SetEvaporation(tnWorld* world, float rate, const float* map)
{
	return tnSetWeather(world, tn_evaporation, rate, map);
}

tnResult tnWorld_SetInfiltration(tnWorld* world, float rate, const float* map)
{
	return tnSetWeather(world, tn_infiltration, rate, map);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sources

tnResult tnWorld_CreateSource(tnWorld* world, const tnSourceDef* def, tnSourceId* id)
{
	if (id != NULL)
	{
		*id = (tnSourceId){0};
	}
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && id == NULL)
	{
		result = tnFail(tn_invalidArgument, "id must not be NULL");
	}
	result = result.status == tn_ok ? tnSources_CheckDef(def, &world->grid) : result;
	result = result.status == tn_ok ? tnSources_Add(&world->sources, &world->memory, def, id) : result;
	TN_RECORD(world, result, tn_createSourceCall, TN_WORDS(*id), TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

static tnResult tnFindSource(const tnWorld* world, tnSourceId id, int* index)
{
	*index = tnIdPool_Find(&world->sources.ids, id.index1, id.generation);
	return *index >= 0
		? tnSuccess()
		: tnFail(tn_staleId, "source id is null or stale, got (%d, %u)", (int)id.index1, (unsigned)id.generation);
}

tnResult tnWorld_DestroySource(tnWorld* world, tnSourceId id)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindSource(world, id, &index) : result;
	if (result.status == tn_ok)
	{
		tnIdPool_Release(&world->sources.ids, index);
	}
	TN_RECORD(world, result, tn_destroySourceCall, TN_WORDS(id));
	return tnWorld_Report(world, result);
}

bool tnSource_IsValid(const tnWorld* world, tnSourceId id)
{
	world = tnWorld_GetShown(world);
	return world != NULL && tnIdPool_Find(&world->sources.ids, id.index1, id.generation) >= 0;
}

tnResult tnWorld_SetSource(tnWorld* world, tnSourceId id, const tnSourceDef* def)
{
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindSource(world, id, &index) : result;
	result = result.status == tn_ok ? tnSources_CheckDef(def, &world->grid) : result;
	if (result.status == tn_ok)
	{
		world->sources.items[index].def = *def;
	}
	TN_RECORD(world, result, tn_setSourceCall, TN_WORDS(id), TN_WORDS(*def));
	return tnWorld_Report(world, result);
}

tnResult tnWorld_GetSource(const tnWorld* world, tnSourceId id, tnSourceDef* def, double* volume)
{
	world = tnWorld_GetShown(world);
	int index = -1;
	tnResult result = tnWorld_CheckReady(world);
	result = result.status == tn_ok ? tnFindSource(world, id, &index) : result;
	if (result.status == tn_ok && def != NULL)
	{
		*def = world->sources.items[index].def;
	}
	if (result.status == tn_ok && volume != NULL)
	{
		*volume = world->sources.items[index].volume;
	}
	return tnWorld_Report(world, result);
}

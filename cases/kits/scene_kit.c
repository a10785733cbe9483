// SPDX-License-Identifier: MIT

// Scenes of the cases and how they are turned.

#include "kits/case_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float* tncNewField(int count)
{
	return calloc((size_t)count, sizeof(float));
}

tncScene tncMakeScene(
	tncContext* context, int columnCount, int rowCount, double cellSize, double depth, int tracerCount)
{
	tncScene scene = {0};
	scene.def = tnDefaultWorldDef();
	scene.def.columnCount = columnCount;
	scene.def.rowCount = rowCount;
	scene.def.cellSize = (float)cellSize;
	scene.def.gravity = (float)TNC_GRAVITY;
	scene.def.enableSleep = true;
	scene.def.sleepSpeed = 0.0f;
	scene.def.tracerCount = tracerCount;
	scene.def.keepDischarge = true;
	scene.def.tasks.workerCount = context->config.workerCount;
	scene.def.simd = context->config.simd;
	context->method->applyFcn(&scene.def, (float)depth);

	int count = columnCount * rowCount;
	scene.bed = tncNewField(count);
	scene.depth = tncNewField(count);
	scene.velocityX = tncNewField(count);
	scene.velocityZ = tncNewField(count);
	scene.map = tncNewField(count);
	for (int i = 0; i < tracerCount; ++i)
	{
		scene.tracers[i] = tncNewField(count);
	}
	return scene;
}

void tncFreeScene(tncScene* scene)
{
	free(scene->bed);
	free(scene->depth);
	free(scene->velocityX);
	free(scene->velocityZ);
	free(scene->map);
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		free(scene->tracers[i]);
	}
	*scene = (tncScene){0};
}

static bool tncIsComplete(const tncScene* scene)
{
	bool complete = scene->bed != NULL && scene->depth != NULL && scene->velocityX != NULL &&
		scene->velocityZ != NULL && scene->map != NULL;
	for (int i = 0; i < scene->def.tracerCount; ++i)
	{
		complete = complete && scene->tracers[i] != NULL;
	}
	return complete;
}

void tncTurnField(const float* field, int columnCount, int rowCount, int turn, float* turned)
{
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			int c = (turn & tnc_flipColumns) != 0 ? columnCount - 1 - column : column;
			int r = (turn & tnc_flipRows) != 0 ? rowCount - 1 - row : row;
			int target = (turn & tnc_transpose) != 0 ? c * rowCount + r : r * columnCount + c;
			turned[target] = field[row * columnCount + column];
		}
	}
}

static void tncTurnVector(tnVec2* vector, int turn)
{
	float x = (turn & tnc_flipColumns) != 0 ? -vector->x : vector->x;
	float z = (turn & tnc_flipRows) != 0 ? -vector->z : vector->z;
	bool transpose = (turn & tnc_transpose) != 0;
	vector->x = transpose ? z : x;
	vector->z = transpose ? x : z;
}

static void tncSwapEdges(tnEdgeDef* edges, tnSide a, tnSide b)
{
	tnEdgeDef edge = edges[a];
	edges[a] = edges[b];
	edges[b] = edge;
}

static void tncReverseInflow(tnEdgeDef* edge, int length)
{
	int begin = edge->inflowBegin < 0 ? 0 : edge->inflowBegin;
	int end = edge->inflowEnd > length ? length : edge->inflowEnd;
	edge->inflowBegin = length - end;
	edge->inflowEnd = length - begin;
}

static void tncTurnEdges(tnWorldDef* def, int turn)
{
	if ((turn & tnc_flipColumns) != 0)
	{
		tncSwapEdges(def->edges, tn_west, tn_east);
		tncReverseInflow(def->edges + tn_north, def->columnCount);
		tncReverseInflow(def->edges + tn_south, def->columnCount);
	}
	if ((turn & tnc_flipRows) != 0)
	{
		tncSwapEdges(def->edges, tn_north, tn_south);
		tncReverseInflow(def->edges + tn_west, def->rowCount);
		tncReverseInflow(def->edges + tn_east, def->rowCount);
	}
	if ((turn & tnc_transpose) != 0)
	{
		tncSwapEdges(def->edges, tn_west, tn_north);
		tncSwapEdges(def->edges, tn_east, tn_south);
		int columnCount = def->columnCount;
		def->columnCount = def->rowCount;
		def->rowCount = columnCount;
	}
}

tnSourceDef tncTurnSource(const tnSourceDef* source, const tnWorldDef* def, int turn)
{
	float width = (float)def->columnCount * def->cellSize;
	float height = (float)def->rowCount * def->cellSize;
	float x = (turn & tnc_flipColumns) != 0 ? width - source->center.x : source->center.x;
	float z = (turn & tnc_flipRows) != 0 ? height - source->center.z : source->center.z;
	bool transpose = (turn & tnc_transpose) != 0;
	tnSourceDef turned = *source;
	turned.center.x = transpose ? z : x;
	turned.center.z = transpose ? x : z;
	tncTurnVector(&turned.velocity, turn);
	return turned;
}

tnSide tncTurnSide(tnSide side, int turn)
{
	static const tnSide opposite[tn_sideCount] = {
		[tn_west] = tn_east, [tn_east] = tn_west, [tn_north] = tn_south, [tn_south] = tn_north};
	static const tnSide transposed[tn_sideCount] = {
		[tn_west] = tn_north, [tn_east] = tn_south, [tn_north] = tn_west, [tn_south] = tn_east};
	bool alongX = side == tn_west || side == tn_east;
	bool flip = (turn & (alongX ? tnc_flipColumns : tnc_flipRows)) != 0;
	tnSide flipped = flip ? opposite[side] : side;
	return (turn & tnc_transpose) != 0 ? transposed[flipped] : flipped;
}

tncScene tncTurnScene(tncContext* context, const tncScene* scene, int turn)
{
	int columnCount = scene->def.columnCount;
	int rowCount = scene->def.rowCount;
	tncScene turned = tncMakeScene(context, columnCount, rowCount, 1.0, 1.0, scene->def.tracerCount);
	turned.def = scene->def;
	if (tncIsComplete(scene) == false || tncIsComplete(&turned) == false)
	{
		return turned;
	}

	tncTurnField(scene->bed, columnCount, rowCount, turn, turned.bed);
	tncTurnField(scene->depth, columnCount, rowCount, turn, turned.depth);
	tncTurnField(scene->map, columnCount, rowCount, turn, turned.map);
	bool transpose = (turn & tnc_transpose) != 0;
	tncTurnField(scene->velocityX, columnCount, rowCount, turn, transpose ? turned.velocityZ : turned.velocityX);
	tncTurnField(scene->velocityZ, columnCount, rowCount, turn, transpose ? turned.velocityX : turned.velocityZ);
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		tnVec2 sign = {1.0f, 1.0f};
		tncTurnVector(&sign, turn);
		turned.velocityX[i] *= sign.x;
		turned.velocityZ[i] *= sign.z;
	}
	for (int i = 0; i < scene->def.tracerCount; ++i)
	{
		tncTurnField(scene->tracers[i], columnCount, rowCount, turn, turned.tracers[i]);
	}

	turned.sourceCount = scene->sourceCount;
	for (int i = 0; i < scene->sourceCount; ++i)
	{
		turned.sources[i] = tncTurnSource(scene->sources + i, &scene->def, turn);
	}
	turned.rain = scene->rain;
	turned.evaporation = scene->evaporation;
	turned.infiltration = scene->infiltration;
	turned.useMap = scene->useMap;
	turned.useVelocity = scene->useVelocity;
	tncTurnEdges(&turned.def, turn);
	return turned;
}

static tnResult tncFillWorld(const tncScene* scene, tnWorld* world)
{
	tnResult result = tnWorld_SetTerrain(world, scene->bed);
	if (result.status == tn_ok)
	{
		result = tnWorld_SetDepths(world, scene->depth);
	}
	if (result.status == tn_ok && scene->useVelocity)
	{
		result = tnWorld_SetVelocities(world, scene->velocityX, scene->velocityZ);
	}
	for (int i = 0; i < scene->def.tracerCount && result.status == tn_ok; ++i)
	{
		result = tnWorld_SetTracer(world, i, scene->tracers[i]);
	}
	for (int i = 0; i < scene->sourceCount && result.status == tn_ok; ++i)
	{
		tnSourceId id;
		result = tnWorld_CreateSource(world, scene->sources + i, &id);
	}

	const float* map = scene->useMap ? scene->map : NULL;
	if (result.status == tn_ok && scene->rain > 0.0f)
	{
		result = tnWorld_SetRain(world, scene->rain, map);
	}
	if (result.status == tn_ok && scene->evaporation > 0.0f)
	{
		result = tnWorld_SetEvaporation(world, scene->evaporation, map);
	}
	if (result.status == tn_ok && scene->infiltration > 0.0f)
	{
		result = tnWorld_SetInfiltration(world, scene->infiltration, map);
	}
	return result;
}

tnWorld* tncOpenScene(tncContext* context, const tncScene* scene)
{
	if (tncIsComplete(scene) == false)
	{
		tncRequire(context, NAN, 0.0, 0.0, "out of memory");
		return NULL;
	}

	tnWorld* world = NULL;
	tnResult result = tnCreateWorld(&scene->def, &world);
	if (result.status == tn_ok)
	{
		result = tncFillWorld(scene, world);
	}
	if (result.status != tn_ok)
	{
		// The texts of the library have commas, the CSV must not.
		for (char* at = strchr(result.text, ','); at != NULL; at = strchr(at, ','))
		{
			*at = ';';
		}
		tncRequire(context, NAN, 0.0, 0.0, "world refused: %s", result.text);
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

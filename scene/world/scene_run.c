// SPDX-License-Identifier: MIT

// Builds worlds from scenes and runs them.

#include "world/scene_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tnsOverrides tnsDefaultOverrides(void)
{
	tnsOverrides overrides = {0};
	overrides.method = tn_methodCount;
	overrides.advection = tn_advectionCount;
	overrides.seconds = -1.0;
	overrides.simd = tn_simdAuto;
	overrides.memoryLimit = TNS_DEFAULT_MEMORY_LIMIT;
	return overrides;
}

// ---------------------------------------------------------------------------------------------------------------------
// Building

// The arrays a world is made from. Each is allocated when it is needed.
typedef struct tnsBuilder
{
	const tnsScene* scene;
	tnWorld* world;
	size_t cellCount;
	// Bytes that are left for files, SIZE_MAX for no limit.
	size_t fileLimit;
	bool allowOutside;
	float* heights;
	float* depths;
	float* values[2];
	tnsResult result;
} tnsBuilder;

static bool tnsCheckBuild(tnsBuilder* builder, tnsPlace place, tnResult result)
{
	if (result.status == tn_ok)
	{
		return true;
	}
	builder->result = tnsMakeSceneError(builder->scene, tns_worldError, place, "%s", result.text);
	return false;
}

static bool tnsCheckMemory(tnsBuilder* builder, const void* memory)
{
	if (memory == NULL)
	{
		builder->result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory for %d x %d cells",
			builder->scene->fileName, builder->scene->cells.columnCount, builder->scene->cells.rowCount);
	}
	return memory != NULL;
}

// Does the name of a file alone lead out of the folder of the scene?
static bool tnsLeadsOut(const char* path)
{
	int depth = 0;
	bool leadsOut = path[0] == '/';
	for (const char* part = path; part != NULL && leadsOut == false; part = strchr(part, '/'))
	{
		part += *part == '/' ? 1 : 0;
		const bool isUp = strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0);
		const bool isHere = part[0] == '/' || (part[0] == '.' && (part[1] == '/' || part[1] == 0));
		depth += isUp ? -1 : (isHere ? 0 : 1);
		leadsOut = depth < 0;
	}
	return leadsOut;
}

// Read a file into a grid.
// @param columns, rows of a raw file, 0: as the world
// @param channel as in tnsGridRequest
static bool tnsLoadFile(
	tnsBuilder* builder, const tnsFileRef* file, int columns, int rows, const float* fill, int channel, tnsGrid* grid)
{
	const tnsScene* scene = builder->scene;
	if (scene->baseFolder == NULL)
	{
		builder->result = tnsMakeSceneError(
			scene, tns_fileError, file->place, "this scene has no folder to read \"%s\" from", file->path);
		return false;
	}
	if (builder->allowOutside == false && tnsLeadsOut(file->path))
	{
		builder->result = tnsMakeSceneError(scene, tns_fileError, file->place,
			"\"%s\" must be a path relative to the scene that stays in its folder, unless files outside are allowed",
			tnsMakeQuote(file->path, strlen(file->path)).text);
		return false;
	}
	const char* base = file->path[0] == '/' ? "" : scene->baseFolder;
	const size_t size = strlen(base) + strlen(file->path) + 1;
	char* path = calloc(size, 1);
	if (tnsCheckMemory(builder, path) == false)
	{
		return false;
	}
	snprintf(path, size, "%s%s", base, file->path);

	tnsGridRequest request = {0};
	request.format = tnsGetGridFormat(path);
	request.columnCount = columns > 0 ? columns : scene->cells.columnCount;
	request.rowCount = rows > 0 ? rows : scene->cells.rowCount;
	request.hasFill = fill != NULL;
	request.fill = fill != NULL ? *fill : 0.0f;
	request.channel = channel;
	const int64_t maxCells = TNS_FILE_CELLS_PER_CELL * (int64_t)builder->cellCount;
	request.maxCellCount = maxCells > TNS_FILE_CELLS ? maxCells : TNS_FILE_CELLS;
	request.memoryLimit = builder->fileLimit;
	request.folder = builder->allowOutside ? NULL : scene->baseFolder;
	const tnsResult result = tnsLoadGrid(path, &request, grid);
	free(path);
	if (result.status != tns_ok)
	{
		builder->result = tnsMakeSceneError(scene, result.status, file->place, "%s", result.text);
		return false;
	}
	return true;
}

// Read a file of values into an array of the size of the world.
static bool tnsLoadValues(
	tnsBuilder* builder, const tnsFileRef* file, int columns, int rows, const float* fill, float* values)
{
	tnsGrid grid;
	if (tnsLoadFile(builder, file, columns, rows, fill, 0, &grid) == false)
	{
		return false;
	}
	tnsResampleGrid(&grid, builder->scene->cells.columnCount, builder->scene->cells.rowCount, values);
	tnsFreeGrid(&grid);
	return true;
}

// One colour of a picture, every so many bytes.
static bool tnsLoadColor(tnsBuilder* builder, const tnsFileRef* file, int channel, int columns, int rows, float* values,
	uint8_t* bytes, size_t step)
{
	tnsGrid grid;
	if (tnsLoadFile(builder, file, 0, 0, NULL, channel, &grid) == false)
	{
		return false;
	}
	tnsResampleGrid(&grid, columns, rows, values);
	tnsFreeGrid(&grid);
	for (size_t i = 0; i < (size_t)columns * (size_t)rows; ++i)
	{
		bytes[i * step] = (uint8_t)(values[i] * 255.0f + 0.5f);
	}
	return true;
}

// Red, green and blue are sand, grass and rock; what they leave of 255 is snow.
static bool tnsBuildBlendMap(tnsBuilder* builder, const tnsFileRef* file, tnsGroundLook* ground)
{
	const tnsCells* cells = &builder->scene->cells;
	ground->blend = malloc(builder->cellCount * TNS_GROUND_COUNT);
	if (tnsCheckMemory(builder, ground->blend) == false)
	{
		return false;
	}
	for (int i = 0; i < 3; ++i)
	{
		if (tnsLoadColor(builder, file, i + 1, cells->columnCount, cells->rowCount, builder->values[0],
				ground->blend + i, TNS_GROUND_COUNT) == false)
		{
			return false;
		}
	}
	for (size_t i = 0; i < builder->cellCount; ++i)
	{
		uint8_t* shares = ground->blend + i * TNS_GROUND_COUNT;
		const int sum = shares[0] + shares[1] + shares[2];
		shares[3] = (uint8_t)(sum < 255 ? 255 - sum : 0);
	}
	return true;
}

static bool tnsBuildGround(tnsBuilder* builder, tnsRun* run)
{
	const tnsGroundLookRule* rule = &builder->scene->ground;
	tnsGroundLook* ground = &run->ground;
	*ground = (tnsGroundLook){.beachLevel = rule->beachLevel,
		.treeLine = rule->treeLine,
		.snowLine = rule->snowLine,
		.rockSlope = rule->rockSlope,
		.textureSize = rule->textureSize};
	if (rule->blendMap.path != NULL && tnsBuildBlendMap(builder, &rule->blendMap, ground) == false)
	{
		return false;
	}
	const size_t pixelCount = (size_t)TNS_TEXTURE_SIDE * TNS_TEXTURE_SIDE;
	float* values = NULL;
	bool good = true;
	for (int i = 0; i < TNS_GROUND_COUNT && good; ++i)
	{
		if (rule->textures[i].path == NULL)
		{
			continue;
		}
		values = values != NULL ? values : malloc(pixelCount * sizeof(float));
		ground->textures[i] = malloc(pixelCount * 3);
		good = tnsCheckMemory(builder, values) && tnsCheckMemory(builder, ground->textures[i]);
		for (int channel = 0; channel < 3 && good; ++channel)
		{
			good = tnsLoadColor(builder, &rule->textures[i], channel + 1, TNS_TEXTURE_SIDE, TNS_TEXTURE_SIDE, values,
				ground->textures[i] + channel, 3);
		}
	}
	free(values);
	return good;
}

static bool tnsBuildTerrain(tnsBuilder* builder)
{
	const tnsScene* scene = builder->scene;
	const tnsTerrainRule* terrain = &scene->terrain;
	builder->heights = malloc(builder->cellCount * sizeof(float));
	if (tnsCheckMemory(builder, builder->heights) == false)
	{
		return false;
	}
	if (terrain->def.kind == tns_fileTerrain)
	{
		if (tnsLoadValues(builder, &terrain->file, terrain->fileColumns, terrain->fileRows,
				terrain->hasFill ? &terrain->fill : NULL, builder->heights) == false)
		{
			return false;
		}
	}
	else
	{
		tnsMakeTerrain(&terrain->def, &scene->cells, builder->heights);
	}
	for (size_t i = 0; i < builder->cellCount; ++i)
	{
		builder->heights[i] = (float)(terrain->scale * (double)builder->heights[i] + terrain->offset);
	}
	for (int i = 0; i < terrain->featureCount; ++i)
	{
		const tnsFeature* feature = terrain->features + i;
		const tnsBlockOfCells block = tnsGetFeatureBlock(feature, &scene->cells);
		const int stride = scene->cells.columnCount;
		if (block.columnCount > 0 && block.rowCount > 0)
		{
			float* corner = builder->heights + (size_t)block.row * (size_t)stride + (size_t)block.column;
			tnsApplyFeature(feature, &scene->cells, block, corner, stride);
		}
	}
	for (size_t i = 0; i < builder->cellCount; ++i)
	{
		if (fabsf(builder->heights[i]) <= TN_MAX_LENGTH)
		{
			continue;
		}
		const int columns = scene->cells.columnCount;
		builder->result = tnsMakeSceneError(scene, tns_badScene, terrain->place,
			"heights must be from %.9g to %.9g, but at column %d, row %d the terrain gives %.9g",
			(double)-TN_MAX_LENGTH, (double)TN_MAX_LENGTH, (int)(i % (size_t)columns), (int)(i / (size_t)columns),
			(double)builder->heights[i]);
		return false;
	}
	return tnsCheckBuild(builder, terrain->place, tnWorld_SetTerrain(builder->world, builder->heights));
}

// Is the centre of a cell in an area?
static bool tnsIsInArea(const tnsScene* scene, const tnsArea* area, int column, int row)
{
	const double x = scene->cells.originX + (column + 0.5) * scene->cells.cellSize - area->x;
	const double z = scene->cells.originZ + (row + 0.5) * scene->cells.cellSize - area->z;
	switch (area->kind)
	{
		case tns_boxArea:
			return fabs(x) <= 0.5 * area->width && fabs(z) <= 0.5 * area->length;
		case tns_discArea:
			return x * x + z * z <= area->radius * area->radius;
		default:
			return true;
	}
}

static void tnsPourPatch(tnsBuilder* builder, const tnsWaterPatch* patch)
{
	const tnsCells* cells = &builder->scene->cells;
	for (int row = 0; row < cells->rowCount; ++row)
	{
		for (int column = 0; column < cells->columnCount; ++column)
		{
			const size_t i = (size_t)row * (size_t)cells->columnCount + (size_t)column;
			if (tnsIsInArea(builder->scene, &patch->area, column, row))
			{
				const float above = (float)patch->level - builder->heights[i];
				builder->depths[i] = patch->byLevel ? (above > 0.0f ? above : 0.0f) : (float)patch->depth;
			}
		}
	}
}

static bool tnsBuildWater(tnsBuilder* builder)
{
	const tnsScene* scene = builder->scene;
	const tnsWaterRule* water = &scene->water;
	if (water->hasLevel == false && water->depthFile.path == NULL && water->patchCount == 0)
	{
		return true;
	}
	builder->depths = calloc(builder->cellCount, sizeof(float));
	if (tnsCheckMemory(builder, builder->depths) == false)
	{
		return false;
	}
	if (water->depthFile.path != NULL)
	{
		if (tnsLoadValues(builder, &water->depthFile, 0, 0, NULL, builder->depths) == false)
		{
			return false;
		}
		for (size_t i = 0; i < builder->cellCount; ++i)
		{
			builder->depths[i] *= water->depthScale;
			if (builder->depths[i] < 0.0f || builder->depths[i] > TN_MAX_LENGTH)
			{
				const size_t columns = (size_t)scene->cells.columnCount;
				builder->result = tnsMakeSceneError(scene, tns_badScene, water->depthFile.place,
					"depths must be from 0 to %.9g, but at column %d, row %d there is %.9g", (double)TN_MAX_LENGTH,
					(int)(i % columns), (int)(i / columns), (double)builder->depths[i]);
				return false;
			}
		}
	}
	for (size_t i = 0; water->hasLevel && i < builder->cellCount; ++i)
	{
		const float above = water->level - builder->heights[i];
		builder->depths[i] = above > 0.0f ? above : 0.0f;
	}
	for (int i = 0; i < water->patchCount; ++i)
	{
		tnsPourPatch(builder, water->patches + i);
	}
	return tnsCheckBuild(builder, water->place, tnWorld_SetDepths(builder->world, builder->depths));
}

static bool tnsBuildVelocities(tnsBuilder* builder)
{
	const tnsWaterRule* water = &builder->scene->water;
	const float uniform[2] = {water->velocity.x, water->velocity.z};
	const bool fromFiles = water->velocityFiles[0].path != NULL;
	if (builder->depths == NULL || (fromFiles == false && uniform[0] == 0.0f && uniform[1] == 0.0f))
	{
		return true;
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		if (fromFiles &&
			tnsLoadValues(builder, &water->velocityFiles[axis], 0, 0, NULL, builder->values[axis]) == false)
		{
			return false;
		}
		for (size_t i = 0; i < builder->cellCount; ++i)
		{
			const float value = fromFiles ? builder->values[axis][i] : uniform[axis];
			builder->values[axis][i] = builder->depths[i] > 0.0f ? value : 0.0f;
		}
	}
	return tnsCheckBuild(
		builder, water->place, tnWorld_SetVelocities(builder->world, builder->values[0], builder->values[1]));
}

static bool tnsBuildTracers(tnsBuilder* builder)
{
	const tnsScene* scene = builder->scene;
	for (int channel = 0; channel < scene->info.worldDef.tracerCount; ++channel)
	{
		bool given = false;
		float* values = builder->values[0];
		memset(values, 0, builder->cellCount * sizeof(float));
		for (int i = 0; i < scene->tracerPatchCount; ++i)
		{
			const tnsTracerPatch* patch = scene->tracerPatches + i;
			if (patch->channel != channel)
			{
				continue;
			}
			given = true;
			for (size_t cell = 0; cell < builder->cellCount; ++cell)
			{
				const size_t columns = (size_t)scene->cells.columnCount;
				if (tnsIsInArea(scene, &patch->area, (int)(cell % columns), (int)(cell / columns)))
				{
					values[cell] = patch->concentration;
				}
			}
		}
		if (given &&
			tnsCheckBuild(builder, scene->terrain.place, tnWorld_SetTracer(builder->world, channel, values)) == false)
		{
			return false;
		}
	}
	return true;
}

static bool tnsBuildRain(tnsBuilder* builder, tnsRainState* state, const tnsRainRule* rule, tnsSetRateFcn* setFcn)
{
	state->rule = rule;
	state->setFcn = setFcn;
	if (rule->given == false || rule->map.path == NULL)
	{
		return true;
	}
	state->map = malloc(builder->cellCount * sizeof(float));
	if (tnsCheckMemory(builder, state->map) == false ||
		tnsLoadValues(builder, &rule->map, 0, 0, NULL, state->map) == false)
	{
		return false;
	}
	for (size_t i = 0; i < builder->cellCount; ++i)
	{
		if (state->map[i] < 0.0f)
		{
			const size_t columns = (size_t)builder->scene->cells.columnCount;
			builder->result = tnsMakeSceneError(builder->scene, tns_badScene, rule->map.place,
				"factors must be at least 0, but at column %d, row %d there is %.9g", (int)(i % columns),
				(int)(i / columns), (double)state->map[i]);
			return false;
		}
	}
	return true;
}

// A source that does nothing, where another will be.
static tnSourceDef tnsMakeIdleSource(const tnSourceDef* def)
{
	tnSourceDef idle = *def;
	idle.kind = tn_rateSource;
	idle.rate = 0.0f;
	idle.velocity = (tnVec2){0};
	return idle;
}

static bool tnsBuildParts(tnsBuilder* builder, tnsRun* run)
{
	const tnsScene* scene = builder->scene;
	const tnsSceneInfo* info = &scene->info;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		const tnsEdgeRule* edge = scene->edges + side;
		if (edge->curveCount > 0 &&
			tnsCheckBuild(builder, edge->place,
				tnWorld_SetEdgeCurve(run->world, (tnSide)side, edge->curve, edge->curveCount)) == false)
		{
			return false;
		}
	}
	// Sources begin idle; the first step turns on those that are due.
	for (int i = 0; i < info->sourceCount; ++i)
	{
		const tnSourceDef idle = tnsMakeIdleSource(&scene->sources[i].def);
		if (tnsCheckBuild(
				builder, scene->sources[i].place, tnWorld_CreateSource(run->world, &idle, &run->sources[i])) == false)
		{
			return false;
		}
	}
	for (int i = 0; i < info->gaugeCount; ++i)
	{
		if (tnsCheckBuild(builder, scene->gauges[i].place,
				tnWorld_CreateGauge(run->world, scene->gauges[i].position, &run->gauges[i])) == false)
		{
			return false;
		}
	}
	for (int i = 0; i < info->regionCount; ++i)
	{
		if (tnsCheckBuild(builder, scene->regions[i].place,
				tnWorld_CreateRegion(run->world, &scene->regions[i].def, &run->regions[i])) == false)
		{
			return false;
		}
	}
	return tnsBuildRain(builder, &run->rains[0], &scene->rain, tnWorld_SetRain) &&
		tnsBuildRain(builder, &run->rains[1], &scene->evaporation, tnWorld_SetEvaporation) &&
		tnsBuildRain(builder, &run->rains[2], &scene->infiltration, tnWorld_SetInfiltration);
}

static void* tnsAllocateItems(int count, size_t size)
{
	return calloc((size_t)(count > 0 ? count : 1), size);
}

// Everything of a run but the water.
static bool tnsAllocateRun(tnsBuilder* builder, tnsRun* run)
{
	const tnsScene* scene = builder->scene;
	bool editsTerrain = false;
	run->sources = tnsAllocateItems(scene->info.sourceCount, sizeof(tnSourceId));
	run->sourceOn = tnsAllocateItems(scene->info.sourceCount, sizeof(bool));
	run->gauges = tnsAllocateItems(scene->info.gaugeCount, sizeof(tnGaugeId));
	run->regions = tnsAllocateItems(scene->info.regionCount, sizeof(tnRegionId));
	run->editTimes = tnsAllocateItems(scene->editCount, sizeof(double));
	run->bodies = tnsCreateBodies(scene);
	run->waves = tnsCreateWaves(scene);
	run->jets = tnsAllocateItems(scene->jetCount, sizeof(tnJetId));
	run->jetOn = tnsAllocateItems(scene->jetCount, sizeof(bool));
	if (run->sources == NULL || run->sourceOn == NULL || run->gauges == NULL || run->regions == NULL ||
		run->editTimes == NULL || run->bodies == NULL || run->waves == NULL || run->jets == NULL || run->jetOn == NULL)
	{
		return tnsCheckMemory(builder, NULL);
	}
	for (int i = 0; i < scene->editCount; ++i)
	{
		run->editTimes[i] = scene->edits[i].time;
		editsTerrain = editsTerrain || scene->edits[i].kind == tns_terrainEdit;
	}
	if (editsTerrain)
	{
		run->scratch = malloc(builder->cellCount * sizeof(float));
		return tnsCheckMemory(builder, run->scratch);
	}
	return true;
}

// Floats for each cell that are needed beside the world, at most at a time: heights, depths, two sets of values, one to edit,
// maps of rain and their sum.
static int tnsCountArrays(const tnsScene* scene)
{
	const tnsRainRule* rules[3] = {&scene->rain, &scene->evaporation, &scene->infiltration};
	int count = 6;
	for (int i = 0; i < 3; ++i)
	{
		count += rules[i]->map.path != NULL ? 1 : 0;
	}
	// A byte for each of four kinds of ground.
	return count + (scene->ground.blendMap.path != NULL ? 1 : 0);
}

// Of textures, and of what is needed to read one of them.
static uint64_t tnsCountTextureBytes(const tnsScene* scene)
{
	const uint64_t pixelCount = (uint64_t)TNS_TEXTURE_SIDE * TNS_TEXTURE_SIDE;
	uint64_t bytes = 0;
	for (int i = 0; i < TNS_GROUND_COUNT; ++i)
	{
		bytes += scene->ground.textures[i].path != NULL ? 3 * pixelCount : 0;
	}
	return bytes > 0 ? bytes + pixelCount * sizeof(float) : 0;
}

tnsResult tnsStartScene(const tnsScene* scene, const tnsOverrides* overrides, tnsRun** run)
{
	if (run == NULL || scene == NULL)
	{
		return tnsMakeError(tns_invalidArgument, "a run needs a scene and a place to return it");
	}
	*run = NULL;
	const tnsOverrides standard = tnsDefaultOverrides();
	overrides = overrides != NULL ? overrides : &standard;
	tnWorldDef def = scene->info.worldDef;
	def.method = overrides->method != tn_methodCount ? overrides->method : def.method;
	def.advection = overrides->advection != tn_advectionCount ? overrides->advection : def.advection;
	def.tasks.workerCount = overrides->workerCount != 0 ? overrides->workerCount : def.tasks.workerCount;
	def.simd = overrides->simd;
	if (overrides->extraTracers < 0 || overrides->extraTracers > TN_MAX_TRACERS - def.tracerCount)
	{
		return tnsMakeError(tns_invalidArgument, "extraTracers must be in [0, %d], got %d",
			TN_MAX_TRACERS - def.tracerCount, overrides->extraTracers);
	}
	def.tracerCount += overrides->extraTracers;
	if (isnan(overrides->seconds) || overrides->seconds > 1.0e7)
	{
		return tnsMakeError(tns_invalidArgument, "seconds must be at most 1e7, got %g", overrides->seconds);
	}

	tnsBuilder builder = {0};
	builder.scene = scene;
	builder.cellCount = (size_t)def.columnCount * (size_t)def.rowCount;
	builder.allowOutside = overrides->allowOutside;
	// The world may have what the arrays leave, and files what both leave.
	const size_t limit = overrides->memoryLimit != 0 ? overrides->memoryLimit : SIZE_MAX;
	const uint64_t arrayBytes =
		(uint64_t)builder.cellCount * sizeof(float) * (uint64_t)tnsCountArrays(scene) + tnsCountTextureBytes(scene);
	if (arrayBytes >= limit)
	{
		return tnsMakeError(tns_outOfMemory,
			"%.200s: %d x %d cells need more memory than the %llu bytes that are allowed", scene->fileName,
			def.columnCount, def.rowCount, (unsigned long long)limit);
	}
	def.memoryLimit = limit - (size_t)arrayBytes;
	tnsRun* made = calloc(1, sizeof(tnsRun));
	if (tnsCheckMemory(&builder, made) == false)
	{
		return builder.result;
	}
	made->scene = scene;
	made->seconds = overrides->seconds >= 0.0 ? overrides->seconds : scene->info.seconds;
	made->stepCount = (int64_t)(made->seconds / (double)scene->info.timeStep + 0.5);
	const tnResult created = tnCreateWorld(&def, &made->world);
	if (created.status != tn_ok)
	{
		builder.result = tnsMakeError(created.status == tn_outOfMemory ? tns_outOfMemory : tns_worldError, "%.200s: %s",
			scene->fileName, created.text);
	}
	else
	{
		builder.world = made->world;
		made->water.world = made->world;
		const size_t worldBytes = tnWorld_GetStats(made->world).byteCount;
		builder.fileLimit = worldBytes < def.memoryLimit ? def.memoryLimit - worldBytes : 1;
		builder.values[0] = malloc(builder.cellCount * sizeof(float));
		builder.values[1] = malloc(builder.cellCount * sizeof(float));
		// Each says in builder.result why it failed.
		(void)(tnsCheckMemory(&builder, builder.values[0]) && tnsCheckMemory(&builder, builder.values[1]) &&
			tnsAllocateRun(&builder, made) && tnsBuildTerrain(&builder) && tnsBuildWater(&builder) &&
			tnsBuildVelocities(&builder) && tnsBuildTracers(&builder) && tnsBuildParts(&builder, made) &&
			tnsBuildGround(&builder, made));
	}
	if (builder.result.status == tns_ok)
	{
		// Those of the start are there before the first step, for whoever looks at the scene first.
		builder.result = tnsUpdateBodies(made, 0.5 * (double)scene->info.timeStep);
	}
	if (builder.result.status == tns_ok)
	{
		builder.result = tnsBeginWaves(made);
	}
	if (builder.result.status == tns_ok)
	{
		builder.result = tnsBeginJets(made);
	}
	free(builder.heights);
	free(builder.depths);
	free(builder.values[0]);
	free(builder.values[1]);
	if (builder.result.status != tns_ok)
	{
		tnsDestroyRun(made);
		return builder.result;
	}
	*run = made;
	return builder.result;
}

void tnsDestroyRun(tnsRun* run)
{
	if (run == NULL)
	{
		return;
	}
	tnsDestroyBodies(run->bodies);
	tnsDestroyWaves(run->waves);
	tnDestroyWorld(run->world);
	free(run->sources);
	free(run->sourceOn);
	free(run->gauges);
	free(run->regions);
	free(run->editTimes);
	free(run->scratch);
	for (int i = 0; i < 3; ++i)
	{
		free(run->rains[i].map);
	}
	free(run->mixedRain);
	free(run->ground.blend);
	for (int i = 0; i < TNS_GROUND_COUNT; ++i)
	{
		free(run->ground.textures[i]);
	}
	free(run->jets);
	free(run->jetOn);
	free(run);
}

// ---------------------------------------------------------------------------------------------------------------------
// Running

static tnResult tnsEditTerrain(tnsRun* run, const tnsFeature* feature)
{
	const tnsCells* cells = &run->scene->cells;
	const tnsBlockOfCells block = tnsGetFeatureBlock(feature, cells);
	if (block.columnCount == 0 || block.rowCount == 0)
	{
		return (tnResult){0};
	}
	const tnFieldView bed = tnWorld_GetBed(run->world);
	for (int row = 0; row < block.rowCount; ++row)
	{
		const float* line = bed.data + (size_t)(block.row + row) * (size_t)bed.stride + (size_t)block.column;
		memcpy(run->scratch + (size_t)row * (size_t)block.columnCount, line, (size_t)block.columnCount * sizeof(float));
	}
	tnsApplyFeature(feature, cells, block, run->scratch, block.columnCount);
	return tnWorld_SetTerrainBlock(
		run->world, block.column, block.row, block.columnCount, block.rowCount, run->scratch);
}

static tnResult tnsApplyEdit(tnsRun* run, const tnsEdit* edit)
{
	switch (edit->kind)
	{
		case tns_brushEdit:
			return tnWorld_EditTerrain(run->world, &edit->brush);
		case tns_terrainEdit:
			return tnsEditTerrain(run, &edit->feature);
		case tns_waterEdit:
			return tnWorld_AddWater(run->world, edit->center, edit->radius, edit->volume, NULL);
		case tns_impulseEdit:
			return tnWorld_AddImpulse(run->world, edit->center, edit->radius, edit->impulse);
		default:
			return tnWorld_AddTracer(run->world, edit->channel, edit->center, edit->radius, edit->concentration);
	}
}

// Rain of the scene and rain on top of it are one rain to the world.
static tnResult tnsSetMixedRain(tnsRun* run, bool on)
{
	const tnsRainState* rain = run->rains;
	const float rate = on ? rain->rule->rate : 0.0f;
	if (on == false || rain->map == NULL || run->extraRain == 0.0f)
	{
		return tnWorld_SetRain(run->world, rate + run->extraRain, on ? rain->map : NULL);
	}
	const tnsCells* cells = &run->scene->cells;
	const size_t count = (size_t)cells->columnCount * (size_t)cells->rowCount;
	for (size_t i = 0; i < count; ++i)
	{
		run->mixedRain[i] = (rate * rain->map[i] + run->extraRain) / (rate + run->extraRain);
	}
	return tnWorld_SetRain(run->world, rate + run->extraRain, run->mixedRain);
}

static tnsResult tnsDoWhatIsDue(tnsRun* run)
{
	const tnsScene* scene = run->scene;
	// Half a step ahead: the boundary nearest to a time is the one less than half a step away.
	const double now = tnWorld_GetTime(run->world) + 0.5 * (double)scene->info.timeStep;
	for (int i = 0; i < scene->info.sourceCount; ++i)
	{
		const tnsSourceRule* source = scene->sources + i;
		const bool on = source->start <= now && now < source->stop;
		if (on != run->sourceOn[i])
		{
			const tnSourceDef idle = tnsMakeIdleSource(&source->def);
			const tnResult result = tnWorld_SetSource(run->world, run->sources[i], on ? &source->def : &idle);
			if (result.status != tn_ok)
			{
				return tnsMakeSceneError(scene, tns_worldError, source->place, "%s", result.text);
			}
			run->sourceOn[i] = on;
		}
	}
	for (int i = 0; i < 3; ++i)
	{
		tnsRainState* rain = run->rains + i;
		const bool on = rain->rule->given && rain->rule->start <= now && now < rain->rule->stop;
		const bool isRain = i == 0;
		if (on != rain->on || (isRain && run->extraRain != run->extraRainSet))
		{
			const tnResult result = isRain
				? tnsSetMixedRain(run, on)
				: rain->setFcn(run->world, on ? rain->rule->rate : 0.0f, on ? rain->map : NULL);
			if (result.status != tn_ok)
			{
				return tnsMakeSceneError(scene, tns_worldError, rain->rule->place, "%s", result.text);
			}
			rain->on = on;
			run->extraRainSet = isRain ? run->extraRain : run->extraRainSet;
		}
	}
	for (int i = 0; i < scene->editCount; ++i)
	{
		const tnsEdit* edit = scene->edits + i;
		if (run->editTimes[i] > now)
		{
			continue;
		}
		const tnResult result = tnsApplyEdit(run, edit);
		if (result.status != tn_ok)
		{
			return tnsMakeSceneError(scene, tns_worldError, edit->place, "%s", result.text);
		}
		// At most once a step, however short `every` is.
		while (run->editTimes[i] <= now)
		{
			run->editTimes[i] = edit->every > 0.0 ? run->editTimes[i] + edit->every : INFINITY;
		}
		run->editTimes[i] = run->editTimes[i] > edit->until ? INFINITY : run->editTimes[i];
	}
	tnsResult result = tnsUpdateJets(run, now);
	result = result.status == tns_ok ? tnsUpdateBodies(run, now) : result;
	return result.status == tns_ok ? tnsUpdateWaves(run, now) : result;
}

tnsResult tnsRun_Step(tnsRun* run)
{
	const tnsResult due = tnsDoWhatIsDue(run);
	if (due.status != tns_ok)
	{
		return due;
	}
	const tnResult result = tnsStepBodies(run);
	if (result.status != tn_ok)
	{
		return tnsMakeError(tns_worldError, "%.200s: %s", run->scene->fileName, result.text);
	}
	run->stepIndex += 1;
	return due;
}

tnsResult tnsRun_SetExtraRain(tnsRun* run, float rate)
{
	// More than this the world refuses, but only at the next step.
	const float most = 1.0e3f;
	if (!(rate >= 0.0f && rate <= most))
	{
		return tnsMakeError(
			tns_invalidArgument, "extra rain must be in [0, %g] m/s, got %g", (double)most, (double)rate);
	}
	const tnsCells* cells = &run->scene->cells;
	if (rate > 0.0f && run->rains[0].map != NULL && run->mixedRain == NULL)
	{
		run->mixedRain = malloc((size_t)cells->columnCount * (size_t)cells->rowCount * sizeof(float));
		if (run->mixedRain == NULL)
		{
			return tnsMakeError(
				tns_outOfMemory, "out of memory for the rain of %d x %d cells", cells->columnCount, cells->rowCount);
		}
	}
	run->extraRain = rate;
	return (tnsResult){0};
}

bool tnsRun_IsFinished(const tnsRun* run)
{
	return run->stepIndex >= run->stepCount;
}

const tnsScene* tnsRun_GetScene(const tnsRun* run)
{
	return run->scene;
}

const tnsGroundLook* tnsRun_GetGround(const tnsRun* run)
{
	return &run->ground;
}

tnWorld* tnsRun_GetWorld(const tnsRun* run)
{
	return run->world;
}

double tnsRun_GetTime(const tnsRun* run)
{
	return tnWorld_GetTime(run->world);
}

double tnsRun_GetSeconds(const tnsRun* run)
{
	return run->seconds;
}

int64_t tnsRun_GetStepCount(const tnsRun* run)
{
	return run->stepCount;
}

tnSourceId tnsRun_GetSource(const tnsRun* run, int index)
{
	return index >= 0 && index < run->scene->info.sourceCount ? run->sources[index] : (tnSourceId){0};
}

tnGaugeId tnsRun_GetGauge(const tnsRun* run, int index)
{
	return index >= 0 && index < run->scene->info.gaugeCount ? run->gauges[index] : (tnGaugeId){0};
}

tnRegionId tnsRun_GetRegion(const tnsRun* run, int index)
{
	return index >= 0 && index < run->scene->info.regionCount ? run->regions[index] : (tnRegionId){0};
}

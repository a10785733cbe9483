// SPDX-License-Identifier: MIT

// A renderer from its creation to its end: defaults, what it is shown (worlds, voxels, looks), and how long passes take.
// What a frame is made of is said in renderer.h.

#include "frame/renderer.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <time.h>

// ---------------------------------------------------------------------------------------------------------------------
// Defaults

tnrGroundDef tnrDefaultGroundDef(void)
{
	return (tnrGroundDef){.beachLevel = NAN, .treeLine = NAN, .snowLine = NAN, .rockSlope = 0.75f};
}

void tnrSetQuality(tnrLook* look, int quality)
{
	const tnrLook best = tnrDefaultLook();
	look->bloom = quality >= tnr_bestQuality ? best.bloom : 0.0f;
	look->plants = quality >= tnr_bestQuality ? best.plants : quality >= 1 ? best.plants / 3.0f : 0.0f;
	look->clouds = quality >= 1 ? best.clouds : 0.0f;
}

tnrLook tnrDefaultLook(void)
{
	tnrLook look = {
		.sunAzimuth = -2.5f,
		.sunElevation = 0.68f,
		// Clear lake water; red goes first.
		.absorption = {0.42f, 0.11f, 0.075f},
		.scatter = {0.018f, 0.115f, 0.145f},
		.ripples = 1.0f,
		.foam = 1.0f,
		.caustics = 1.0f,
		.glitter = 1.0f,
		.shadows = 1.0f,
		.exposure = 1.0f,
		.water = true,
		.clouds = 1.0f,
		.bloom = 1.0f,
		.plants = 1.0f,
	};
	static const tnVec3 colors[4] = {
		{0.42f, 0.29f, 0.15f}, {0.80f, 0.10f, 0.22f}, {0.25f, 0.70f, 0.15f}, {0.55f, 0.20f, 0.75f}};
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		look.tracerColors[i] = colors[i % 4];
		look.tracerDensity[i] = 3.0f;
	}
	return look;
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation

tnrRenderer* tnrCreateRenderer(tnrResult* result)
{
	tnrResult scratch;
	result = result != NULL ? result : &scratch;
	*result = (tnrResult){.ok = true};
	tnrRenderer* renderer = calloc(1, sizeof(*renderer));
	if (renderer == NULL)
	{
		tnrSetFailure(result, "no memory for a renderer");
		return NULL;
	}
	tnrGlState state;
	tnrTakeState(&state);
	tnrMakePrograms(&renderer->programs, result);
	tnrMakeWavePrograms(&renderer->programs, result);
	tnrMakeBodyPrograms(&renderer->programs, result);
	tnrMakePlantPrograms(&renderer->programs, result);
	if (result->ok && (tnrMakePatches(&renderer->patches) == false || tnrMakePatterns(&renderer->patterns) == false))
	{
		tnrSetFailure(result, "no memory for meshes and textures");
	}
	renderer->hasFloatTargets =
		tnrIsDesktop() || tnrHasExtension("EXT_color_buffer_float") || tnrHasExtension("EXT_color_buffer_half_float");
	glGenBuffers(1, &renderer->frameBuffer);
	glBindBuffer(GL_UNIFORM_BUFFER, renderer->frameBuffer);
	glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)sizeof(tnrFrameBlock), NULL, GL_DYNAMIC_DRAW);
	glGenVertexArrays(1, &renderer->emptyArray);
	tnrGiveBackState(&state);
	if (result->ok == false)
	{
		tnrDestroyRenderer(renderer);
		return NULL;
	}
	return renderer;
}

void tnrRenderer_KeepState(tnrRenderer* renderer, bool enable)
{
	renderer->keepsState = enable;
}

void tnrEnter(const tnrRenderer* renderer, tnrGlState* state)
{
	if (renderer->keepsState)
	{
		tnrTakeState(state);
	}
}

void tnrLeave(const tnrRenderer* renderer, const tnrGlState* state)
{
	if (renderer->keepsState)
	{
		tnrGiveBackState(state);
	}
}

void tnrDestroyRenderer(tnrRenderer* renderer)
{
	if (renderer == NULL)
	{
		return;
	}
	tnrDestroyPrograms(&renderer->programs);
	tnrDestroyPatterns(&renderer->patterns);
	tnrDestroyPatches(&renderer->patches);
	tnrDestroyGround(&renderer->ground);
	tnrDestroyWater(&renderer->water);
	tnrDestroyWaves(&renderer->waves);
	tnrDestroyViews(&renderer->views);
	tnrDestroyBodies(&renderer->bodies);
	tnrDestroySpray(&renderer->spray);
	tnrDestroyVoxels(&renderer->voxels);
	tnrDestroyBoxes(&renderer->boxes);
	tnrDestroyBodies(&renderer->voxelBodies);
	tnrDestroyTarget(&renderer->opaque);
	tnrDestroyTarget(&renderer->bare);
	tnrDestroyTarget(&renderer->scene);
	glDeleteBuffers(1, &renderer->frameBuffer);
	glDeleteVertexArrays(1, &renderer->emptyArray);
	glDeleteSamplers(1, &renderer->plainSampler);
	free(renderer);
}

void tnrRenderer_Forget(tnrRenderer* renderer)
{
	if (renderer == NULL)
	{
		return;
	}
	tnrForgetPatches(&renderer->patches);
	tnrForgetGround(&renderer->ground);
	tnrForgetWater(&renderer->water);
	tnrForgetWaves(&renderer->waves);
	tnrForgetViews(&renderer->views);
	tnrForgetBodies(&renderer->bodies);
	tnrForgetSpray(&renderer->spray);
	tnrForgetVoxels(&renderer->voxels);
	tnrForgetBoxes(&renderer->boxes);
	tnrForgetBodies(&renderer->voxelBodies);
	free(renderer);
}

// ---------------------------------------------------------------------------------------------------------------------
// Time

static double tnrGetMilliseconds(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return 1.0e3 * (double)now.tv_sec + 1.0e-6 * (double)now.tv_nsec;
}

void tnrBeginPass(tnrRenderer* renderer)
{
	if (renderer->measuring)
	{
		glFinish();
		renderer->passBegin = tnrGetMilliseconds();
	}
}

// @return milliseconds since the pass began, 0 if nobody asks
float tnrEndPass(tnrRenderer* renderer)
{
	if (renderer->measuring == false)
	{
		return 0.0f;
	}
	glFinish();
	return (float)(tnrGetMilliseconds() - renderer->passBegin);
}

void tnrRenderer_SetMeasuring(tnrRenderer* renderer, bool enable)
{
	renderer->measuring = enable;
}

tnrTimings tnrRenderer_GetTimings(const tnrRenderer* renderer)
{
	return renderer->timings;
}

// ---------------------------------------------------------------------------------------------------------------------
// The world

static void tnrUpdateWorld(tnrRenderer* renderer, const tnWorld* world, float alpha);

static tnrResult tnrSetWorld(tnrRenderer* renderer, const tnWorld* world, const tnrGroundDef* ground)
{
	tnrResult result = {.ok = true};
	const tnWorldDef def = tnWorld_GetDef(world);
	const tnrGroundDef defaults = tnrDefaultGroundDef();
	tnrDestroyGround(&renderer->ground);
	tnrDestroyWater(&renderer->water);
	tnrDestroyWaves(&renderer->waves);
	tnrDestroyViews(&renderer->views);
	tnrDestroyBodies(&renderer->bodies);
	tnrDestroySpray(&renderer->spray);
	tnrDestroyVoxels(&renderer->voxels);
	renderer->hasWorld = false;
	// Not before somebody has spray: most worlds have none.
	if (def.spray.enable && renderer->programs.spray.id == 0)
	{
		tnrMakeSprayProgram(&renderer->programs, &result);
		if (result.ok == false)
		{
			return result;
		}
	}
	GLint largest = 0;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
	if (def.columnCount > largest || def.rowCount > largest)
	{
		tnrSetFailure(&result, "the world has more cells on a side than this GPU has texels");
		return result;
	}
	if (tnrResizePatches(&renderer->patches, def.columnCount, def.rowCount, def.cellSize) == false ||
		tnrMakeGround(&renderer->ground, world, ground != NULL ? ground : &defaults) == false ||
		tnrMakeWater(&renderer->water, world) == false || tnrMakeWaves(&renderer->waves, world) == false ||
		tnrMakeViews(&renderer->views, def.columnCount, def.rowCount) == false ||
		tnrMakeSpray(&renderer->spray, world) == false)
	{
		tnrSetFailure(&result, "no memory for a world of this size");
		return result;
	}
	tnrMakeBodies(&renderer->bodies);
	tnrSetBoxes(&renderer->boxes, NULL, 0, def.origin);
	tnrMeasurePatchGround(&renderer->patches, renderer->ground.bed);
	renderer->origin = def.origin;
	renderer->hasWorld = true;
	tnrUpdateWorld(renderer, world, 1.0f);
	return result;
}

tnrResult tnrRenderer_SetWorld(tnrRenderer* renderer, const tnWorld* world, const tnrGroundDef* ground)
{
	tnrGlState state;
	tnrEnter(renderer, &state);
	const tnrResult result = tnrSetWorld(renderer, world, ground);
	tnrLeave(renderer, &state);
	return result;
}

static void tnrUpdateWorld(tnrRenderer* renderer, const tnWorld* world, float alpha)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	if (renderer->hasWorld == false || bed.columnCount != renderer->ground.columnCount ||
		bed.rowCount != renderer->ground.rowCount)
	{
		return;
	}
	tnrBeginPass(renderer);
	const float share = alpha >= 0.0f && alpha <= 1.0f ? alpha : 1.0f;
	tnrUpdateBodies(&renderer->bodies, world, share);
	tnrUpdateWater(&renderer->water, world, share);
	if (tnrUpdateGround(&renderer->ground, world, renderer->water.surface))
	{
		tnrMeasurePatchGround(&renderer->patches, renderer->ground.bed);
	}
	tnrUpdateSpray(&renderer->spray, &renderer->water, world, tnrGetTimeBack(world, share));
	tnrUpdateWaves(&renderer->waves, world, share);
	tnrMeasurePatches(&renderer->patches, renderer->water.surface, renderer->waves.highest);
	renderer->uploadTime = tnrEndPass(renderer);
}

void tnrRenderer_Update(tnrRenderer* renderer, const tnWorld* world, float alpha)
{
	tnrGlState state;
	tnrEnter(renderer, &state);
	tnrUpdateWorld(renderer, world, alpha);
	tnrLeave(renderer, &state);
}

tnrVoxelDef tnrDefaultVoxelDef(void)
{
	tnrVoxelDef def = {.chunks = {{0, 0, 0}, {8, 8, 8}}, .style = tn_smoothMesh, .grass = true};
	def.rock = (tnVec3){0.245f, 0.216f, 0.185f};
	const tnrLook look = tnrDefaultLook();
	for (int i = 0; i < TN_MAX_LIQUIDS; ++i)
	{
		def.liquids[i] = (tnrLiquidLook){.absorption = look.absorption, .scatter = look.scatter};
	}
	def.liquids[1].glow = (tnVec3){3.4f, 0.95f, 0.16f};
	def.liquids[2] = (tnrLiquidLook){.absorption = {1.4f, 2.0f, 3.4f}, .scatter = {0.05f, 0.035f, 0.012f}};
	return def;
}

static void tnrUpdateVoxelWorld(tnrRenderer* renderer, tnVoxelWorld* world, const tnVoxel* changed, int count)
{
	if (renderer->voxels.any && world != NULL)
	{
		tnrBeginPass(renderer);
		tnrUpdateVoxels(&renderer->voxels, world, changed, count);
		tnrUpdateVoxelBodies(&renderer->voxelBodies, world, renderer->origin);
		renderer->uploadTime = tnrEndPass(renderer);
	}
}

static tnrResult tnrSetVoxels(tnrRenderer* renderer, tnVoxelWorld* world, const tnrVoxelDef* def)
{
	tnrResult result = {.ok = true};
	const tnrVoxelDef defaults = tnrDefaultVoxelDef();
	tnrDestroyVoxels(&renderer->voxels);
	// Not before somebody has voxels: the playground has none, and need not carry the shaders.
	if (renderer->programs.voxelGround.id == 0)
	{
		tnrMakeVoxelPrograms(&renderer->programs, &result);
	}
	if (result.ok == false)
	{
		return result;
	}
	if (world == NULL || tnrMakeVoxels(&renderer->voxels, world, def != NULL ? def : &defaults) == false)
	{
		tnrSetFailure(&result, "no voxel world, no memory for it, or chunks are not 1 to 16384");
		return result;
	}
	renderer->origin = renderer->voxels.origin;
	tnrSetBoxes(&renderer->boxes, NULL, 0, renderer->origin);
	tnrDestroyBodies(&renderer->voxelBodies);
	(void)tnrMakeBodies(&renderer->voxelBodies);
	tnrUpdateVoxelWorld(renderer, world, NULL, 0);
	return result;
}

tnrResult tnrRenderer_SetVoxels(tnrRenderer* renderer, tnVoxelWorld* world, const tnrVoxelDef* def)
{
	tnrGlState state;
	tnrEnter(renderer, &state);
	const tnrResult result = tnrSetVoxels(renderer, world, def);
	tnrLeave(renderer, &state);
	return result;
}

void tnrRenderer_UpdateVoxels(tnrRenderer* renderer, tnVoxelWorld* world, const tnVoxel* changed, int count)
{
	tnrGlState state;
	tnrEnter(renderer, &state);
	tnrUpdateVoxelWorld(renderer, world, changed, count);
	tnrLeave(renderer, &state);
}

void tnrRenderer_SetBoxes(tnrRenderer* renderer, const tnrBoxDef* boxes, int count)
{
	if (renderer->voxels.any || renderer->hasWorld)
	{
		tnrSetBoxes(&renderer->boxes, boxes, count, renderer->origin);
	}
}

void tnrRenderer_SetBodyLook(tnrRenderer* renderer, tnBodyId body, const tnrBodyLook* look)
{
	if (renderer->voxels.any)
	{
		tnrSetBodyLook(&renderer->voxelBodies, body, look);
	}
	else if (renderer->hasWorld)
	{
		tnrSetBodyLook(&renderer->bodies, body, look);
	}
}

float tnrRenderer_GetViewEnd(const tnrRenderer* renderer, const tnrLook* look)
{
	return renderer->hasWorld ? tnrGetScaleEnd(&renderer->water, look) : 0.0f;
}

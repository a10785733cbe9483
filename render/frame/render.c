// SPDX-License-Identifier: MIT

#include "render.h"

#include "bodies/draw_bodies.h"
#include "frame/camera.h"
#include "frame/views.h"
#include "gl/gl.h"
#include "gl/patterns.h"
#include "gl/vectors.h"
#include "ground/ground.h"
#include "ground/patches.h"
#include "shaders.h"
#include "voxels/draw_voxels.h"
#include "voxels/voxel_boxes.h"
#include "water/draw_spray.h"
#include "water/water.h"
#include "water/wave_bands.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// A frame:
//
//   0  shadows  bodies as the sun sees them                       -> shadow map
//   1  opaque   ground, cut sides, sky, bodies                    -> opaque colour and depth
//   2  copy     opaque                                            -> scene colour and depth
//   3  water    lids of boats (depth only), then the surface and
//               its cut sides; reads opaque, for what is seen
//               through the water and in it; spray on top of it   -> scene
//   4  arrows                                                     -> scene
//   5  finish   tone curve, smooth edges                          -> the caller's framebuffer
//
// A voxel world is drawn instead of the world by the same passes: see tnrDrawVoxelFrame.
//
// All places on the GPU are relative to the corner of the world: floats near the origin of the host's space are finer.

// Mirrors the block `Frame` of shaders/common.glsl.
typedef struct FrameBlock
{
	tnrMatrix viewProjection, inverseViewProjection;
	float eye[4], sun[4], sunColor[4], skyColor[4];
	float grid[4], extent[4], screen[4];
	float absorption[4], scatter[4], effects[4], levels[4], options[4];
	float marker[4], markerColor[4];
	tnrMatrix shadowMatrix;
	float bodies[4], bodyLow[4], bodyHigh[4];
	float waveOptions[4], rippleOptions[4], waveLevels[TN_MAX_WAVE_LEVELS][4];
} FrameBlock;

// An offscreen picture with depth.
typedef struct Target
{
	GLuint framebuffer, color, depth;
} Target;

typedef struct Programs
{
	tnrProgram sky, ground, side, water, waterSide, view, arrows, finish;
	tnrProgram body, plainBody, bodyShadow, bodyLid;
	// Of worlds with a wave layer.
	tnrProgram waves, wavesSide, wavesGround;
	GLint wavesPatch, wavesSideSide, wavesSideHalvings, wavesGroundPatch;
	GLint groundPatch, waterPatch, viewPatch, sideSide, waterSideSide;
	GLint arrowGrid, arrowScale, arrowColor;
	tnrProgram voxelGround, voxelLava, voxelWater, voxelShadow, voxelDepth, voxelBox;
	GLint lavaGlow, liquidAbsorption, liquidScatter;
	// Of worlds with spray.
	tnrProgram spray;
	GLint sprayPixelAngle;
} Programs;

struct tnrRenderer
{
	Programs programs;
	tnrPatches patches;
	tnrPatterns patterns;
	tnrGround ground;
	tnrWater water;
	tnrWaves waves;
	tnrViews views;
	tnrBodies bodies;
	tnrSpray spray;
	tnrVoxels voxels;
	tnrBoxes boxes;
	GLuint frameBuffer, emptyArray;
	// Bare: opaque without bodies, made when the first one is drawn.
	Target opaque, bare, scene;
	int width, height;
	// Colours between passes are half floats, otherwise roots in 8 bits.
	bool hasFloatTargets;
	bool hasWorld;
	tnVec2 origin;
	// Of the frame that is being drawn, relative to the corner of the world.
	tnVec3 eye;
	tnrMatrix viewProjection;
	float pixelsPerRadian;
	bool measuring;
	tnrTimings timings;
	double passBegin;
	float uploadTime;
};

// ---------------------------------------------------------------------------------------------------------------------
// Defaults

tnrGroundDef tnrDefaultGroundDef(void)
{
	return (tnrGroundDef){.beachLevel = NAN, .treeLine = NAN, .snowLine = NAN, .rockSlope = 0.75f};
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

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static void tnrMakePrograms(Programs* programs, tnrResult* result)
{
	static const char waterDefine[] = "#define WATER\n", topDefine[] = "#define TOP\n";
	static const char sideDefine[] = "#define SIDE\n#define WATER\n";
	const char* screen[] = {s_common_glsl, s_screen_vert};
	const char* groundPatch[] = {s_common_glsl, s_field_glsl, s_patch_vert};
	const char* waterPatch[] = {waterDefine, s_common_glsl, s_field_glsl, s_patch_vert};
	const char* topPatch[] = {topDefine, s_common_glsl, s_field_glsl, s_patch_vert};
	const char* side[] = {s_common_glsl, s_field_glsl, s_side_vert};
	const char* waterSide[] = {sideDefine, s_common_glsl, s_field_glsl, s_side_vert};
	const char* arrows[] = {s_common_glsl, s_arrows_vert};
	const char* sky[] = {s_common_glsl, s_sky_glsl, s_sky_frag};
	const char* ground[] = {s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_caustics_glsl, s_ground_frag};
	const char* sideFace[] = {s_common_glsl, s_sky_glsl, s_side_frag};
	const char* water[] = {s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_water_frag};
	const char* waterSideFace[] = {sideDefine, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_water_frag};
	const char* view[] = {s_common_glsl, s_marker_glsl, s_view_frag};
	const char* arrow[] = {s_common_glsl, s_arrows_frag};
	const char* finish[] = {s_common_glsl, s_finish_frag};

	programs->sky = tnrMakeProgram("sky", screen, COUNT(screen), sky, COUNT(sky), result);
	programs->ground = tnrMakeProgram("ground", groundPatch, COUNT(groundPatch), ground, COUNT(ground), result);
	programs->side = tnrMakeProgram("side", side, COUNT(side), sideFace, COUNT(sideFace), result);
	programs->water = tnrMakeProgram("water", waterPatch, COUNT(waterPatch), water, COUNT(water), result);
	programs->waterSide =
		tnrMakeProgram("water side", waterSide, COUNT(waterSide), waterSideFace, COUNT(waterSideFace), result);
	programs->view = tnrMakeProgram("view", topPatch, COUNT(topPatch), view, COUNT(view), result);
	programs->arrows = tnrMakeProgram("arrows", arrows, COUNT(arrows), arrow, COUNT(arrow), result);
	programs->finish = tnrMakeProgram("finish", screen, COUNT(screen), finish, COUNT(finish), result);

	programs->groundPatch = tnrFindUniform(&programs->ground, "patchPlace");
	programs->waterPatch = tnrFindUniform(&programs->water, "patchPlace");
	programs->viewPatch = tnrFindUniform(&programs->view, "patchPlace");
	programs->sideSide = tnrFindUniform(&programs->side, "side");
	programs->waterSideSide = tnrFindUniform(&programs->waterSide, "side");
	programs->arrowGrid = tnrFindUniform(&programs->arrows, "arrowGrid");
	programs->arrowScale = tnrFindUniform(&programs->arrows, "arrowScale");
	programs->arrowColor = tnrFindUniform(&programs->arrows, "arrowColor");
}

static void tnrMakeWavePrograms(Programs* programs, tnrResult* result)
{
	static const char define[] = "#define WATER\n#define WAVES\n", groundDefine[] = "#define WAVES\n";
	static const char sideDefine[] = "#define SIDE\n#define WATER\n#define WAVES\n";
	const char* patch[] = {define, s_common_glsl, s_field_glsl, s_waves_glsl, s_patch_vert};
	const char* side[] = {sideDefine, s_common_glsl, s_field_glsl, s_waves_glsl, s_side_vert};
	const char* face[] = {define, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_waves_glsl, s_water_frag};
	const char* sideFace[] = {sideDefine, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_water_frag};
	const char* groundPatch[] = {s_common_glsl, s_field_glsl, s_patch_vert};
	const char* ground[] = {groundDefine, s_common_glsl, s_sky_glsl, s_marker_glsl, s_shadow_glsl, s_waves_glsl,
		s_caustics_glsl, s_ground_frag};
	programs->wavesGround =
		tnrMakeProgram("waves ground", groundPatch, COUNT(groundPatch), ground, COUNT(ground), result);
	programs->wavesGroundPatch = tnrFindUniform(&programs->wavesGround, "patchPlace");
	programs->waves = tnrMakeProgram("waves", patch, COUNT(patch), face, COUNT(face), result);
	programs->wavesSide = tnrMakeProgram("waves side", side, COUNT(side), sideFace, COUNT(sideFace), result);
	programs->wavesPatch = tnrFindUniform(&programs->waves, "patchPlace");
	programs->wavesSideSide = tnrFindUniform(&programs->wavesSide, "side");
	programs->wavesSideHalvings = tnrFindUniform(&programs->wavesSide, "sideHalvings");
}

static void tnrMakeBodyPrograms(Programs* programs, tnrResult* result)
{
	static const char shadowDefine[] = "#define SHADOW\n", plainDefine[] = "#define PLAIN\n";
	const char* body[] = {s_common_glsl, s_body_vert};
	const char* shadow[] = {shadowDefine, s_common_glsl, s_body_vert};
	const char* face[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_caustics_glsl, s_body_frag};
	const char* plainFace[] = {plainDefine, s_common_glsl, s_sky_glsl, s_body_frag};
	const char* nothing[] = {s_common_glsl, s_shadow_frag};
	programs->body = tnrMakeProgram("body", body, COUNT(body), face, COUNT(face), result);
	programs->plainBody = tnrMakeProgram("plain body", body, COUNT(body), plainFace, COUNT(plainFace), result);
	programs->bodyShadow = tnrMakeProgram("body shadow", shadow, COUNT(shadow), nothing, COUNT(nothing), result);
	programs->bodyLid = tnrMakeProgram("body lid", body, COUNT(body), nothing, COUNT(nothing), result);
}

static void tnrMakeVoxelPrograms(Programs* programs, tnrResult* result)
{
	static const char shadowDefine[] = "#define SHADOW\n";
	static const char voxelDefine[] = "#define VOXELS\n";
	const char* vertices[] = {s_common_glsl, s_voxel_vert};
	const char* boxes[] = {s_common_glsl, s_body_vert};
	const char* boxFaces[] = {voxelDefine, s_common_glsl, s_sky_glsl, s_shadow_glsl, s_caustics_glsl, s_body_frag};
	const char* shadow[] = {shadowDefine, s_common_glsl, s_voxel_vert};
	const char* ground[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_voxel_ground_frag};
	const char* lava[] = {s_common_glsl, s_sky_glsl, s_voxel_lava_frag};
	const char* water[] = {s_common_glsl, s_sky_glsl, s_shadow_glsl, s_voxel_water_frag};
	const char* nothing[] = {s_common_glsl, s_shadow_frag};
	programs->voxelGround = tnrMakeProgram("voxel ground", vertices, COUNT(vertices), ground, COUNT(ground), result);
	programs->voxelLava = tnrMakeProgram("voxel lava", vertices, COUNT(vertices), lava, COUNT(lava), result);
	programs->voxelWater = tnrMakeProgram("voxel water", vertices, COUNT(vertices), water, COUNT(water), result);
	programs->voxelShadow = tnrMakeProgram("voxel shadow", shadow, COUNT(shadow), nothing, COUNT(nothing), result);
	programs->voxelDepth = tnrMakeProgram("voxel depth", vertices, COUNT(vertices), nothing, COUNT(nothing), result);
	programs->voxelBox = tnrMakeProgram("voxel box", boxes, COUNT(boxes), boxFaces, COUNT(boxFaces), result);
	programs->lavaGlow = tnrFindUniform(&programs->voxelLava, "liquidGlow");
	programs->liquidAbsorption = tnrFindUniform(&programs->voxelWater, "liquidAbsorption");
	programs->liquidScatter = tnrFindUniform(&programs->voxelWater, "liquidScatter");
}

static void tnrMakeSprayProgram(Programs* programs, tnrResult* result)
{
	const char* streaks[] = {s_common_glsl, s_sky_glsl, s_spray_vert};
	const char* face[] = {s_common_glsl, s_spray_frag};
	programs->spray = tnrMakeProgram("spray", streaks, COUNT(streaks), face, COUNT(face), result);
	programs->sprayPixelAngle = tnrFindUniform(&programs->spray, "pixelAngle");
}

static void tnrDestroyPrograms(const Programs* programs)
{
	const tnrProgram list[] = {programs->sky, programs->ground, programs->side, programs->water, programs->waterSide,
		programs->view, programs->arrows, programs->finish, programs->body, programs->plainBody, programs->bodyShadow,
		programs->bodyLid, programs->waves, programs->wavesSide, programs->wavesGround, programs->voxelGround,
		programs->voxelLava, programs->voxelWater, programs->voxelShadow, programs->voxelDepth, programs->voxelBox,
		programs->spray};
	for (int i = 0; i < COUNT(list); ++i)
	{
		glDeleteProgram(list[i].id);
	}
}

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
	tnrMakePrograms(&renderer->programs, result);
	tnrMakeWavePrograms(&renderer->programs, result);
	tnrMakeBodyPrograms(&renderer->programs, result);
	if (result->ok && (tnrMakePatches(&renderer->patches) == false || tnrMakePatterns(&renderer->patterns) == false))
	{
		tnrSetFailure(result, "no memory for meshes and textures");
	}
	renderer->hasFloatTargets =
		tnrHasExtension("EXT_color_buffer_float") || tnrHasExtension("EXT_color_buffer_half_float");
	glGenBuffers(1, &renderer->frameBuffer);
	glBindBuffer(GL_UNIFORM_BUFFER, renderer->frameBuffer);
	glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)sizeof(FrameBlock), NULL, GL_DYNAMIC_DRAW);
	glGenVertexArrays(1, &renderer->emptyArray);
	if (result->ok == false)
	{
		tnrDestroyRenderer(renderer);
		return NULL;
	}
	return renderer;
}

static void tnrDestroyTarget(Target* target)
{
	glDeleteFramebuffers(1, &target->framebuffer);
	glDeleteTextures(1, &target->color);
	glDeleteTextures(1, &target->depth);
	*target = (Target){0};
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
	tnrDestroyTarget(&renderer->opaque);
	tnrDestroyTarget(&renderer->bare);
	tnrDestroyTarget(&renderer->scene);
	glDeleteBuffers(1, &renderer->frameBuffer);
	glDeleteVertexArrays(1, &renderer->emptyArray);
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

static void tnrBeginPass(tnrRenderer* renderer)
{
	if (renderer->measuring)
	{
		glFinish();
		renderer->passBegin = tnrGetMilliseconds();
	}
}

// @return milliseconds since the pass began, 0 if nobody asks
static float tnrEndPass(tnrRenderer* renderer)
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

tnrResult tnrRenderer_SetWorld(tnrRenderer* renderer, const tnWorld* world, const tnrGroundDef* ground)
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
	tnrMakeBodies(&renderer->bodies, world);
	renderer->origin = def.origin;
	renderer->hasWorld = true;
	tnrRenderer_Update(renderer, world, 1.0f);
	return result;
}

void tnrRenderer_Update(tnrRenderer* renderer, const tnWorld* world, float alpha)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	if (renderer->hasWorld == false || bed.columnCount != renderer->ground.columnCount ||
		bed.rowCount != renderer->ground.rowCount)
	{
		return;
	}
	tnrBeginPass(renderer);
	const float share = alpha >= 0.0f && alpha <= 1.0f ? alpha : 1.0f;
	tnrUpdateGround(&renderer->ground, world);
	tnrUpdateBodies(&renderer->bodies, world, share);
	const bool covered = tnrUpdateCover(&renderer->bodies.cover, &renderer->bodies, world);
	tnrUpdateWater(&renderer->water, &renderer->ground, covered ? &renderer->bodies.cover : NULL, world, share);
	tnrUpdateSpray(&renderer->spray, &renderer->water, world, tnrGetTimeBack(world, share));
	tnrUpdateWaves(&renderer->waves, world, share);
	tnrMeasurePatches(&renderer->patches, renderer->ground.bed, renderer->water.surface, renderer->water.depth,
		renderer->waves.highest);
	renderer->uploadTime = tnrEndPass(renderer);
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

tnrResult tnrRenderer_SetVoxels(tnrRenderer* renderer, const tnVoxelWorld* world, const tnrVoxelDef* def)
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
	tnrRenderer_UpdateVoxels(renderer, world, NULL, 0);
	return result;
}

void tnrRenderer_UpdateVoxels(tnrRenderer* renderer, const tnVoxelWorld* world, const tnVoxel* changed, int count)
{
	if (renderer->voxels.any && world != NULL)
	{
		tnrBeginPass(renderer);
		tnrUpdateVoxels(&renderer->voxels, world, changed, count);
		renderer->uploadTime = tnrEndPass(renderer);
	}
}

void tnrRenderer_SetBoxes(tnrRenderer* renderer, const tnrBoxDef* boxes, int count)
{
	if (renderer->voxels.any)
	{
		tnrSetBoxes(&renderer->boxes, boxes, count, renderer->origin);
	}
}

void tnrRenderer_SetBodyLook(tnrRenderer* renderer, tnBodyId body, const tnrBodyLook* look)
{
	if (renderer->hasWorld)
	{
		tnrSetBodyLook(&renderer->bodies, body, look);
	}
}

float tnrRenderer_GetViewEnd(const tnrRenderer* renderer, const tnrLook* look)
{
	return renderer->hasWorld ? tnrGetScaleEnd(&renderer->water, look) : 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawing

static bool tnrMakeTarget(Target* target, bool hasFloats, int width, int height)
{
	const GLenum format = hasFloats ? GL_RGBA16F : GL_RGBA8;
	target->color = tnrMakeTexture(format, width, height, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	target->depth = tnrMakeTexture(GL_DEPTH_COMPONENT24, width, height, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &target->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->color, 0);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// Targets as large as the picture. Where half floats turn out not to work, 8 bits do.
static bool tnrResizeTargets(tnrRenderer* renderer, int width, int height)
{
	if (renderer->width == width && renderer->height == height)
	{
		return true;
	}
	glActiveTexture(GL_TEXTURE0 + tnr_colorUnit);
	for (int attempt = 0; attempt < 2; ++attempt)
	{
		tnrDestroyTarget(&renderer->opaque);
		tnrDestroyTarget(&renderer->bare);
		tnrDestroyTarget(&renderer->scene);
		if (tnrMakeTarget(&renderer->opaque, renderer->hasFloatTargets, width, height) &&
			tnrMakeTarget(&renderer->scene, renderer->hasFloatTargets, width, height))
		{
			renderer->width = width;
			renderer->height = height;
			return true;
		}
		renderer->hasFloatTargets = false;
	}
	renderer->width = renderer->height = 0;
	return false;
}

static tnVec3 tnrGetSunDirection(const tnrLook* look)
{
	const float azimuth = isfinite(look->sunAzimuth) ? look->sunAzimuth : 0.0f;
	const float elevation = isfinite(look->sunElevation) ? tnrClamp(look->sunElevation, 0.02f, 1.55f) : 0.7f;
	return (tnVec3){cosf(azimuth) * cosf(elevation), sinf(elevation), sinf(azimuth) * cosf(elevation)};
}

static void tnrSet(float* to, float a, float b, float c, float d)
{
	to[0] = a;
	to[1] = b;
	to[2] = c;
	to[3] = d;
}

// Light of the sun and the sky by the sun's height: white and strong at noon, orange and weak at the horizon.
static void tnrSetLight(FrameBlock* block, const tnrLook* look, tnVec3 sun)
{
	const float high = tnrSmoothStep(0.0f, 0.55f, sun.y), day = tnrSmoothStep(-0.05f, 0.35f, sun.y);
	const float strength = tnrMix(1.2f, 3.1f, high);
	tnrSet(block->sun, sun.x, sun.y, sun.z, tnrClamp(look->shadows, 0.0f, 1.0f));
	tnrSet(block->sunColor, strength, strength * tnrMix(0.52f, 0.93f, high), strength * tnrMix(0.22f, 0.82f, high),
		look->exposure > 0.0f ? 0.64f * look->exposure : 0.64f);
	tnrSet(block->skyColor, tnrMix(0.34f, 0.46f, day), tnrMix(0.33f, 0.60f, day), tnrMix(0.46f, 0.86f, day), 0.0f);
}

static void tnrSetLookBlock(FrameBlock* block, const tnrLook* look, float unit)
{
	tnrSet(block->scatter, look->scatter.x, look->scatter.y, look->scatter.z, unit);
	tnrSet(block->effects, tnrClamp(look->ripples, 0.0f, 4.0f), tnrClamp(look->foam, 0.0f, 4.0f),
		tnrClamp(look->caustics, 0.0f, 4.0f), tnrClamp(look->glitter, 0.0f, 4.0f));
}

static void tnrSetWorldBlock(FrameBlock* block, const tnrRenderer* renderer, const tnrLook* look)
{
	const tnrGround* ground = &renderer->ground;
	const float size = ground->cellSize;
	const float width = (float)ground->columnCount * size, length = (float)ground->rowCount * size;
	const float diagonal = sqrtf(width * width + length * length);
	const float range = ground->high - ground->low;
	tnrSet(block->grid, (float)ground->columnCount, (float)ground->rowCount, size, 1.0f / size);
	tnrSet(block->extent, width, length, ground->low - 0.035f * diagonal - 0.1f * range, ground->high);
	block->skyColor[3] = 0.07f / diagonal;
	tnrSet(block->absorption, look->absorption.x, look->absorption.y, look->absorption.z,
		renderer->water.tracerCount > 0 ? 1.0f : 0.0f);
	// Ripples and grain are as large as the world makes plausible: a tank of a few meters has finer ones than a valley.
	const float unit = tnrClamp(diagonal / 260.0f, 0.25f, 2.0f);
	tnrSetLookBlock(block, look, unit);
	tnrSet(block->levels, ground->beachLevel, ground->treeLine, ground->snowLine, ground->rockSlope);
	tnrSet(block->options, ground->hasBlend ? 1.0f : 0.0f, look->water ? 1.0f : 0.0f, unit,
		renderer->hasFloatTargets ? 0.0f : 1.0f);
}

// The camera in places relative to the corner of the world.
static tnrCamera tnrGetLocalCamera(const tnrRenderer* renderer, const tnrFrame* frame, const FrameBlock* block)
{
	tnrCamera camera = tnrMendCamera(&frame->camera);
	camera.eye.x -= renderer->origin.x;
	camera.eye.z -= renderer->origin.z;
	camera.target.x -= renderer->origin.x;
	camera.target.z -= renderer->origin.z;
	const float flood = fmaxf(block->extent[3], renderer->ground.high + renderer->water.maxDepth);
	const float highest = fmaxf(flood, renderer->spray.count > 0 ? renderer->spray.highest : flood);
	tnrBox box = {{0.0f, block->extent[2], 0.0f}, {block->extent[0], highest, block->extent[1]}};
	if (renderer->bodies.any)
	{
		// What was thrown out of the world stays in sight for a while, but not for ever: planes far apart blur depths.
		const tnrBox* around = &renderer->bodies.box;
		const float margin = block->extent[0] + block->extent[1];
		box.low.x = fminf(box.low.x, fmaxf(around->low.x, -margin));
		box.low.z = fminf(box.low.z, fmaxf(around->low.z, -margin));
		box.high.x = fmaxf(box.high.x, fminf(around->high.x, block->extent[0] + margin));
		box.high.y = fmaxf(box.high.y, fminf(around->high.y, highest + margin));
		box.high.z = fmaxf(box.high.z, fminf(around->high.z, block->extent[1] + margin));
	}
	tnrChoosePlanes(&camera, box, renderer->ground.cellSize);
	return camera;
}

// Where bodies and their shadows are.
static void tnrSetBodyBlock(FrameBlock* block, tnrRenderer* renderer)
{
	tnrBodies* bodies = &renderer->bodies;
	// A rim of 4 cm is soft enough for a crate, and one and a half texels is as fine as the map gets.
	const float softness = 0.04f;
	const tnVec3 sun = {block->sun[0], block->sun[1], block->sun[2]};
	if (tnrAimShadows(bodies, &block->viewProjection, sun))
	{
		const float texel = bodies->shadowTexel;
		block->shadowMatrix = bodies->shadowMatrix;
		tnrSet(block->bodies, 1.0f, fmaxf(1.5f * texel, softness) / (texel * tnr_shadowSize),
			1.5f * texel / bodies->shadowDepth, 1.5f * texel);
	}
	if (bodies->any)
	{
		const tnrBox* box = &bodies->box;
		tnrSet(block->bodyLow, box->low.x, box->low.y, box->low.z, 1.0f);
		tnrSet(block->bodyHigh, box->high.x, box->high.y, box->high.z, 0.0f);
	}
}

// Where waves are in their textures, and how many of them the mesh shows.
static void tnrSetWaveBlock(FrameBlock* block, const tnrWaves* waves, float pixelsPerRadian)
{
	if (waves->any == false)
	{
		return;
	}
	// Only levels that move. Coarse ones come first.
	const int begin = waves->slotCount > 0 ? waves->views[waves->slotCount - 1].level : 0;
	const int end = waves->slotCount > 0 ? waves->views[0].level + 1 : 0;
	tnrSet(block->waveOptions, (float)begin, (float)end, (float)waves->slotsPerRow,
		pixelsPerRadian / TNR_SMALLEST_WAVE_CELL);
	for (int i = waves->firstLevel; i < waves->levelCount; ++i)
	{
		const tnrWaveLevel* level = &waves->levels[i];
		tnrSet(block->waveLevels[i], 1.0f / level->cellSize, (float)level->firstRow, (float)level->columnCount,
			(float)level->rowCount);
	}
	if (waves->rippleCellSize > 0.0f)
	{
		// Too short for the finest band, whose waves are 4 cells long and longer.
		const float length = 2.5f * waves->levels[0].cellSize;
		tnrSet(block->rippleOptions, 1.0f / ((float)waves->rippleColumns * waves->rippleCellSize),
			1.0f / ((float)waves->rippleRows * waves->rippleCellSize), length, 1.0f);
	}
}

static void tnrSetCameraBlock(FrameBlock* block, const tnrCamera* camera, const tnrFrame* frame)
{
	block->viewProjection = tnrMakeViewProjection(camera, (float)frame->width / (float)frame->height);
	block->inverseViewProjection = tnrInvertMatrix(&block->viewProjection);
	// An hour is a multiple of no period in the shaders, but few will see the jump.
	const double time = isfinite(frame->time) ? fmod(frame->time, 3600.0) : 0.0;
	tnrSet(block->eye, camera->eye.x, camera->eye.y, camera->eye.z, (float)time);
	tnrSet(block->screen, (float)frame->width, (float)frame->height, 1.0f / (float)frame->width,
		1.0f / (float)frame->height);
}

static void tnrFillBlock(FrameBlock* block, tnrRenderer* renderer, const tnrFrame* frame)
{
	memset(block, 0, sizeof(*block));
	const tnVec3 sun = tnrGetSunDirection(&frame->look);
	tnrSetLight(block, &frame->look, sun);
	tnrSetWorldBlock(block, renderer, &frame->look);
	const tnrCamera camera = tnrGetLocalCamera(renderer, frame, block);
	tnrSetCameraBlock(block, &camera, frame);
	const tnrMarker* marker = &frame->marker;
	const bool marked = marker->radius > 0.0f && isfinite(marker->center.x) && isfinite(marker->center.z);
	tnrSet(block->marker, marker->center.x - renderer->origin.x, marker->center.z - renderer->origin.z,
		marked ? marker->radius : 0.0f, 0.0f);
	tnrSet(block->markerColor, marker->color.x, marker->color.y, marker->color.z, 0.0f);

	tnrSetBodyBlock(block, renderer);
	renderer->viewProjection = block->viewProjection;
	renderer->eye = camera.eye;
	renderer->pixelsPerRadian = 0.5f * (float)frame->height / tanf(0.5f * camera.fieldOfView);
	tnrSetWaveBlock(block, &renderer->waves, renderer->pixelsPerRadian);
	tnrChoosePatches(&renderer->patches, &block->viewProjection, camera.eye, renderer->pixelsPerRadian);
}

static void tnrBindTextures(const tnrRenderer* renderer)
{
	tnrBindTexture(tnr_bedUnit, renderer->ground.bedTexture);
	tnrBindTexture(tnr_groundUnit, renderer->ground.groundTexture);
	tnrBindTexture(tnr_builtUnit, renderer->ground.builtTexture);
	tnrBindTexture(tnr_blendUnit, renderer->ground.blendTexture);
	tnrBindTexture(tnr_surfaceUnit, renderer->water.surfaceTexture);
	tnrBindTexture(tnr_flowUnit, renderer->water.flowTexture);
	tnrBindTexture(tnr_waveUnit, renderer->water.waveTexture);
	tnrBindTexture(tnr_tracerUnit, renderer->water.tracerTexture);
	tnrBindTexture(tnr_rippleUnit, renderer->patterns.ripples);
	tnrBindTexture(tnr_patternUnit, renderer->patterns.pattern);
	tnrBindTexture(tnr_viewUnit, renderer->views.texture);
	tnrBindTexture(tnr_waveIndexUnit, renderer->waves.indexTexture);
	tnrBindTexture(tnr_rippleFieldUnit, renderer->waves.rippleTexture);
	tnrBindArray(tnr_waveTileUnit, renderer->waves.tileTexture);
}

// Only the sides that face the eye: the others would show through their own rim.
// @param halvings of the cells along them
static int tnrDrawSides(const tnrRenderer* renderer, const tnrProgram* program, GLint sideLocation, int halvings)
{
	const float width = (float)renderer->ground.columnCount * renderer->ground.cellSize;
	const float length = (float)renderer->ground.rowCount * renderer->ground.cellSize;
	const bool faces[tn_sideCount] = {
		[tn_west] = renderer->eye.x<0.0f, [tn_east] = renderer->eye.x> width,
		[tn_north] = renderer->eye.z<0.0f, [tn_south] = renderer->eye.z> length,
	};
	glUseProgram(program->id);
	glBindVertexArray(renderer->emptyArray);
	int triangles = 0;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (faces[side] == false)
		{
			continue;
		}
		const bool alongZ = side == tn_west || side == tn_east;
		const int cells = alongZ ? renderer->ground.rowCount : renderer->ground.columnCount;
		const int vertices = (((cells + 1) << halvings) + 1) * 2;
		glUniform1i(sideLocation, side);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, vertices);
		triangles += vertices - 2;
	}
	glBindVertexArray(0);
	return triangles;
}

static void tnrDrawScreen(const tnrRenderer* renderer, const tnrProgram* program)
{
	glUseProgram(program->id);
	glBindVertexArray(renderer->emptyArray);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glBindVertexArray(0);
}

static void tnrCopyTarget(const tnrRenderer* renderer, const Target* from, const Target* to)
{
	const int width = renderer->width, height = renderer->height;
	glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
	glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

// Keep what bodies will hide: through the water beside a body one sees the ground behind it.
static void tnrCopyBare(tnrRenderer* renderer)
{
	if (renderer->bare.framebuffer == 0)
	{
		glActiveTexture(GL_TEXTURE0 + tnr_bareColorUnit);
		(void)tnrMakeTarget(&renderer->bare, renderer->hasFloatTargets, renderer->width, renderer->height);
	}
	tnrCopyTarget(renderer, &renderer->opaque, &renderer->bare);
	tnrBindTexture(tnr_bareColorUnit, renderer->bare.color);
	tnrBindTexture(tnr_bareDepthUnit, renderer->bare.depth);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
}

static void tnrDrawShadowMap(tnrRenderer* renderer)
{
	if (renderer->bodies.shadowTexel > 0.0f)
	{
		glUseProgram(renderer->programs.bodyShadow.id);
		renderer->timings.triangles += tnrDrawShadows(&renderer->bodies, &renderer->viewProjection);
		tnrBindTexture(tnr_shadowUnit, renderer->bodies.shadowMap);
		glViewport(0, 0, renderer->width, renderer->height);
	}
}

static void tnrDrawOpaque(tnrRenderer* renderer, bool asPicture)
{
	const Programs* programs = &renderer->programs;
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
	glClear(GL_DEPTH_BUFFER_BIT);
	const bool waves = renderer->waves.any;
	const GLint groundPatch = waves ? programs->wavesGroundPatch : programs->groundPatch;
	const GLint patchLocation = asPicture ? groundPatch : programs->viewPatch;
	const tnrProgram* ground = waves ? &programs->wavesGround : &programs->ground;
	glUseProgram(asPicture ? ground->id : programs->view.id);
	renderer->timings.triangles += tnrDrawPatches(&renderer->patches, patchLocation, false);
	renderer->timings.triangles += tnrDrawSides(renderer, &programs->side, programs->sideSide, 0);
	glDepthFunc(GL_LEQUAL);
	tnrDrawScreen(renderer, &programs->sky);
	glDepthFunc(GL_LESS);
	if (renderer->bodies.any == false)
	{
		return;
	}
	if (asPicture)
	{
		tnrCopyBare(renderer);
	}
	glUseProgram(asPicture ? programs->body.id : programs->plainBody.id);
	renderer->timings.triangles += tnrDrawBodies(&renderer->bodies, &renderer->viewProjection, tnr_solidPass);
}

static void tnrDrawWaves(tnrRenderer* renderer)
{
	const Programs* programs = &renderer->programs;
	const tnrFineness fineness = {
		&renderer->viewProjection, renderer->eye, renderer->pixelsPerRadian, tnrGetFinestWaveCell(&renderer->waves)};
	// Of the rim: as fine as most patches beside it are, however near.
	const int mostHalvings = 3;
	int halvings = 0;
	while (halvings < mostHalvings && fineness.smallestCell > 0.0f &&
		ldexpf(renderer->ground.cellSize, -halvings) > fineness.smallestCell)
	{
		++halvings;
	}
	glUseProgram(programs->waves.id);
	renderer->timings.triangles += tnrDrawFinePatches(&renderer->patches, programs->wavesPatch, &fineness);
	glUseProgram(programs->wavesSide.id);
	glUniform1i(programs->wavesSideHalvings, halvings);
	renderer->timings.triangles += tnrDrawSides(renderer, &programs->wavesSide, programs->wavesSideSide, halvings);
}

static void tnrDrawWater(tnrRenderer* renderer)
{
	const Programs* programs = &renderer->programs;
	tnrBindTexture(tnr_colorUnit, renderer->opaque.color);
	tnrBindTexture(tnr_depthUnit, renderer->opaque.depth);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glUseProgram(programs->bodyLid.id);
	renderer->timings.triangles += tnrDrawBodies(&renderer->bodies, &renderer->viewProjection, tnr_lidPass);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	if (renderer->waves.any)
	{
		tnrDrawWaves(renderer);
		return;
	}
	glUseProgram(programs->water.id);
	renderer->timings.triangles += tnrDrawPatches(&renderer->patches, programs->waterPatch, true);
	renderer->timings.triangles += tnrDrawSides(renderer, &programs->waterSide, programs->waterSideSide, 0);
}

static void tnrDrawSprayOver(tnrRenderer* renderer)
{
	if (renderer->spray.count > 0)
	{
		glUseProgram(renderer->programs.spray.id);
		glUniform1f(renderer->programs.sprayPixelAngle, 1.0f / renderer->pixelsPerRadian);
		renderer->timings.triangles += tnrDrawSpray(&renderer->spray);
	}
}

static void tnrDrawArrows(tnrRenderer* renderer, const tnrLook* look)
{
	const Programs* programs = &renderer->programs;
	const int columns = renderer->ground.columnCount, rows = renderer->ground.rowCount;
	// About 40 arrows along the longer side: dense enough to see eddies, sparse enough to see arrows.
	const int longer = columns > rows ? columns : rows;
	const int gap = longer / 40 + 1;
	const int perRow = (columns + gap - 1) / gap, perColumn = (rows + gap - 1) / gap;
	const float longest = 1.1f * (float)gap * renderer->ground.cellSize;
	const float fastest = look->maxSpeed > 0.0f ? look->maxSpeed : fmaxf(renderer->water.maxSpeed, 0.01f);
	glUseProgram(programs->arrows.id);
	glUniform4i(programs->arrowGrid, perRow, gap, gap / 2, 0);
	// Half of the top speed already gives the longest arrow: slow water has more to tell.
	glUniform2f(programs->arrowScale, longest / (0.5f * fastest), longest);
	glUniform4f(programs->arrowColor, 1.0f, 0.93f, 0.70f, 1.0f);
	glBindVertexArray(renderer->emptyArray);
	glDrawArraysInstanced(GL_TRIANGLES, 0, 9, perRow * perColumn);
	glBindVertexArray(0);
	renderer->timings.triangles += perRow * perColumn * 3;
}

static void tnrUploadBlock(const tnrRenderer* renderer, const FrameBlock* block)
{
	glBindBuffer(GL_UNIFORM_BUFFER, renderer->frameBuffer);
	glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)sizeof(*block), block);
	glBindBufferBase(GL_UNIFORM_BUFFER, TNR_FRAME_BINDING, renderer->frameBuffer);
}

static void tnrResetState(const tnrFrame* frame)
{
	glViewport(0, 0, frame->width, frame->height);
	glDisable(GL_BLEND);
	glDisable(GL_CULL_FACE);
	glDisable(GL_SCISSOR_TEST);
	glEnable(GL_DEPTH_TEST);
	glDepthMask(GL_TRUE);
	glDepthFunc(GL_LESS);
	glClearDepthf(1.0f);
}

static void tnrPrepareFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	FrameBlock block;
	tnrFillBlock(&block, renderer, frame);
	tnrLightGround(&renderer->ground, (tnVec3){block.sun[0], block.sun[1], block.sun[2]});
	tnrMixTracers(&renderer->water, &frame->look);
	if (frame->look.view != tnr_waterView)
	{
		tnrFillView(&renderer->views, &renderer->water, &frame->look);
	}
	tnrUploadBlock(renderer, &block);
	tnrBindTextures(renderer);
	tnrResetState(frame);
}

// ---------------------------------------------------------------------------------------------------------------------
// Voxels

static void tnrFillVoxelBlock(FrameBlock* block, tnrRenderer* renderer, const tnrFrame* frame)
{
	const tnrVoxels* voxels = &renderer->voxels;
	const tnrLook* look = &frame->look;
	const float size = voxels->voxelSize, width = voxels->box.high.x, length = voxels->box.high.z;
	const float diagonal = sqrtf(width * width + length * length);
	const float unit = tnrClamp(diagonal / 260.0f, 0.25f, 2.0f);
	memset(block, 0, sizeof(*block));
	const tnVec3 sun = tnrGetSunDirection(look);
	tnrSetLight(block, look, sun);
	block->skyColor[3] = 0.07f / diagonal;
	tnrSet(block->grid, width / size, length / size, size, 1.0f / size);
	tnrSet(block->extent, width, length, voxels->low, voxels->high);
	// Where water may have a cut face.
	const tnVoxelBox shown = voxels->shown;
	const float inset = voxels->def.cutOut && voxels->def.style == tn_smoothMesh ? 0.5f * size : 0.0f;
	tnrSet(block->marker, (float)shown.low.x * size - renderer->origin.x + inset,
		(float)shown.low.z * size - renderer->origin.z + inset, (float)shown.high.x * size - renderer->origin.x - inset,
		(float)shown.high.z * size - renderer->origin.z - inset);
	tnrSetLookBlock(block, look, unit);
	const tnVec3 rock = voxels->def.rock;
	tnrSet(block->levels, voxels->def.grass ? 1.0f : 0.0f, rock.x, rock.y, rock.z);
	tnrSet(block->options, 0.0f, look->water ? 1.0f : 0.0f, unit, renderer->hasFloatTargets ? 0.0f : 1.0f);

	tnrCamera camera = tnrMendCamera(&frame->camera);
	camera.eye = (tnVec3){camera.eye.x - renderer->origin.x, camera.eye.y, camera.eye.z - renderer->origin.z};
	camera.target =
		(tnVec3){camera.target.x - renderer->origin.x, camera.target.y, camera.target.z - renderer->origin.z};
	const tnrBox box = {{0.0f, voxels->low, 0.0f}, {width, fmaxf(voxels->high, voxels->low + size), length}};
	tnrChoosePlanes(&camera, box, size);
	tnrSetCameraBlock(block, &camera, frame);
	renderer->viewProjection = block->viewProjection;
	renderer->eye = camera.eye;

	float texel, depth;
	block->shadowMatrix = tnrAimVoxelShadows(voxels, sun, &texel, &depth);
	tnrSet(block->bodies, 1.0f, 1.5f / tnr_voxelShadowSize, 1.5f * texel / depth, 1.5f * texel);
}

static bool tnrIsGlowing(const tnrLiquidLook* look)
{
	return look->glow.x > 0.0f || look->glow.y > 0.0f || look->glow.z > 0.0f;
}

static void tnrDrawVoxelShadows(tnrRenderer* renderer, const tnrMatrix* shadowMatrix)
{
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->voxels.shadowFramebuffer);
	glViewport(0, 0, tnr_voxelShadowSize, tnr_voxelShadowSize);
	glClear(GL_DEPTH_BUFFER_BIT);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(2.0f, 4.0f);
	glUseProgram(renderer->programs.voxelShadow.id);
	renderer->timings.triangles += tnrDrawVoxels(&renderer->voxels, TN_MESH_GROUND, shadowMatrix);
	glUseProgram(renderer->programs.bodyShadow.id);
	renderer->timings.triangles += tnrDrawBoxes(&renderer->boxes);
	glDisable(GL_POLYGON_OFFSET_FILL);
	glViewport(0, 0, renderer->width, renderer->height);
	tnrBindTexture(tnr_shadowUnit, renderer->voxels.shadowMap);
}

static void tnrDrawVoxelOpaque(tnrRenderer* renderer)
{
	const Programs* programs = &renderer->programs;
	const tnrVoxels* voxels = &renderer->voxels;
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
	glClear(GL_DEPTH_BUFFER_BIT);
	glUseProgram(programs->voxelGround.id);
	renderer->timings.triangles += tnrDrawVoxels(voxels, TN_MESH_GROUND, &renderer->viewProjection);
	glUseProgram(programs->voxelBox.id);
	renderer->timings.triangles += tnrDrawBoxes(&renderer->boxes);
	glUseProgram(programs->voxelLava.id);
	for (int liquid = 1; liquid < voxels->layerCount; ++liquid)
	{
		const tnrLiquidLook* look = &voxels->def.liquids[liquid - 1];
		if (tnrIsGlowing(look))
		{
			glUniform3f(programs->lavaGlow, look->glow.x, look->glow.y, look->glow.z);
			renderer->timings.triangles += tnrDrawVoxels(voxels, liquid, &renderer->viewProjection);
		}
	}
	glDisable(GL_CULL_FACE);
	glDepthFunc(GL_LEQUAL);
	tnrDrawScreen(renderer, &programs->sky);
	glDepthFunc(GL_LESS);
	glEnable(GL_CULL_FACE);
}

// One liquid: first where it ends, then its surface.
static void tnrDrawVoxelLiquid(tnrRenderer* renderer, int liquid)
{
	const Programs* programs = &renderer->programs;
	const tnrLiquidLook* look = &renderer->voxels.def.liquids[liquid - 1];
	tnrCopyBare(renderer);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->bare.framebuffer);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glCullFace(GL_FRONT);
	glUseProgram(programs->voxelDepth.id);
	(void)tnrDrawVoxels(&renderer->voxels, liquid, &renderer->viewProjection);
	glCullFace(GL_BACK);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->scene.framebuffer);
	glUseProgram(programs->voxelWater.id);
	glUniform3f(programs->liquidAbsorption, look->absorption.x, look->absorption.y, look->absorption.z);
	glUniform3f(programs->liquidScatter, look->scatter.x, look->scatter.y, look->scatter.z);
	// Cut faces of ground and liquid lie in one plane, and the liquid reaches into the ground: the ground wins.
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(1.0f, 4.0f);
	renderer->timings.triangles += tnrDrawVoxels(&renderer->voxels, liquid, &renderer->viewProjection);
	glDisable(GL_POLYGON_OFFSET_FILL);
}

static void tnrDrawVoxelFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrTimings* timings = &renderer->timings;
	tnrBeginPass(renderer);
	FrameBlock block;
	tnrFillVoxelBlock(&block, renderer, frame);
	tnrUploadBlock(renderer, &block);
	tnrResetState(frame);
	tnrBindTexture(tnr_bedUnit, renderer->voxels.topTexture);
	tnrBindTexture(tnr_rippleUnit, renderer->patterns.ripples);
	tnrBindTexture(tnr_patternUnit, renderer->patterns.pattern);
	timings->upload = renderer->uploadTime + tnrEndPass(renderer);

	tnrBeginPass(renderer);
	glEnable(GL_CULL_FACE);
	tnrDrawVoxelShadows(renderer, &block.shadowMatrix);
	tnrDrawVoxelOpaque(renderer);
	timings->terrain = tnrEndPass(renderer);

	tnrBeginPass(renderer);
	tnrCopyTarget(renderer, &renderer->opaque, &renderer->scene);
	tnrBindTexture(tnr_colorUnit, renderer->opaque.color);
	tnrBindTexture(tnr_depthUnit, renderer->opaque.depth);
	for (int liquid = 1; liquid < renderer->voxels.layerCount && frame->look.water; ++liquid)
	{
		if (tnrIsGlowing(&renderer->voxels.def.liquids[liquid - 1]) == false)
		{
			tnrDrawVoxelLiquid(renderer, liquid);
		}
	}
	glDisable(GL_CULL_FACE);
	timings->water = tnrEndPass(renderer);
}

static void tnrFinishFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrTimings* timings = &renderer->timings;
	glDisable(GL_DEPTH_TEST);
	glBindFramebuffer(GL_FRAMEBUFFER, frame->framebuffer);
	glViewport(0, 0, frame->width, frame->height);
	tnrBindTexture(tnr_colorUnit, renderer->scene.color);
	tnrDrawScreen(renderer, &renderer->programs.finish);
	timings->overlay = tnrEndPass(renderer);
	timings->total = timings->upload + timings->terrain + timings->water + timings->overlay;
}

void tnrRenderer_Draw(tnrRenderer* renderer, const tnrFrame* frame)
{
	// Larger pictures than this no GPU of today can draw.
	const int most = 16384;
	if (frame->width < 1 || frame->height < 1 || frame->width > most || frame->height > most)
	{
		return;
	}
	if ((renderer->hasWorld == false && renderer->voxels.any == false) ||
		tnrResizeTargets(renderer, frame->width, frame->height) == false)
	{
		glBindFramebuffer(GL_FRAMEBUFFER, frame->framebuffer);
		glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
		glClear(GL_COLOR_BUFFER_BIT);
		return;
	}
	tnrTimings* timings = &renderer->timings;
	*timings = (tnrTimings){0};
	if (renderer->voxels.any)
	{
		tnrDrawVoxelFrame(renderer, frame);
		tnrBeginPass(renderer);
		tnrFinishFrame(renderer, frame);
		return;
	}
	tnrBeginPass(renderer);
	tnrPrepareFrame(renderer, frame);
	timings->upload = renderer->uploadTime + tnrEndPass(renderer);

	const bool asPicture = frame->look.view == tnr_waterView;
	tnrBeginPass(renderer);
	tnrDrawShadowMap(renderer);
	tnrDrawOpaque(renderer, asPicture);
	timings->terrain = tnrEndPass(renderer);

	tnrBeginPass(renderer);
	tnrCopyTarget(renderer, &renderer->opaque, &renderer->scene);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->scene.framebuffer);
	if (asPicture && frame->look.water)
	{
		tnrDrawWater(renderer);
		tnrDrawSprayOver(renderer);
	}
	timings->water = tnrEndPass(renderer);

	tnrBeginPass(renderer);
	if (frame->look.arrows)
	{
		tnrDrawArrows(renderer, &frame->look);
	}
	tnrFinishFrame(renderer, frame);
}

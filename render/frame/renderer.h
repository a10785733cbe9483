// SPDX-License-Identifier: MIT

#pragma once

// A renderer from inside, for the files that draw a frame.

#include "bodies/draw_bodies.h"
#include "frame/camera.h"
#include "frame/views.h"
#include "gl/gl.h"
#include "gl/gl_state.h"
#include "gl/patterns.h"
#include "ground/ground.h"
#include "ground/patches.h"
#include "render.h"
#include "voxels/draw_voxels.h"
#include "voxels/voxel_boxes.h"
#include "water/draw_spray.h"
#include "water/water.h"
#include "water/wave_bands.h"

// A frame:
//
//   0  shadows  bodies as the sun sees them                       -> shadow map
//   1  opaque   ground, cut sides, sky, bodies                    -> opaque colour and depth
//   2  copy     opaque                                            -> scene colour and depth
//   3  water    water in boats, their lids (depth only), then the surface and
//               its cut sides; reads opaque, for what is seen
//               through the water and in it; spray on top of it   -> scene
//   4  arrows                                                     -> scene
//   5  finish   tone curve, smooth edges                          -> the caller's framebuffer
//
// A voxel world is drawn instead of the world by the same passes: see draw_voxel_world.c.
//
// All places on the GPU are relative to the corner of the world: floats near the origin of the host's space are finer.

// Mirrors the block `Frame` of shaders/common.glsl.
typedef struct tnrFrameBlock
{
	tnrMatrix viewProjection, inverseViewProjection;
	float eye[4], sun[4], sunColor[4], skyColor[4];
	float grid[4], extent[4], screen[4];
	float absorption[4], scatter[4], effects[4], levels[4], options[4];
	float marker[4], markerColor[4];
	tnrMatrix shadowMatrix;
	float bodies[4], bodyLow[4], bodyHigh[4];
	float waveOptions[4], rippleOptions[4], waveLevels[TN_MAX_WAVE_LEVELS][4];
	float lens[4], around[4];
} tnrFrameBlock;

// An offscreen picture with depth.
typedef struct tnrTarget
{
	GLuint framebuffer, color, depth;
	// Of colours, halved again and again; 1 if they are not.
	int levelCount;
} tnrTarget;

typedef struct tnrPrograms
{
	tnrProgram sky, under, ground, house, side, water, waterSide, view, arrows, finish;
	tnrProgram body, plainBody, bodyShadow, bodyLid, held;
	// Of worlds with a wave layer.
	tnrProgram waves, wavesSide, wavesGround;
	GLint wavesPatch, wavesSideSide, wavesSideHalvings, wavesGroundPatch;
	GLint groundPatch, waterPatch, viewPatch, sideSide, waterSideSide;
	GLint arrowGrid, arrowScale, arrowColor, finishBloom;
	tnrProgram voxelGround, voxelLava, voxelWater, voxelShadow, voxelDepth, voxelBox;
	GLint lavaGlow, liquidAbsorption, liquidScatter;
	// Of water over the picture of a host.
	tnrProgram overIn, overOut;
	// Of worlds with plants.
	tnrProgram trees, tufts, treeShadows;
	// Grid, size, center of each.
	GLint treesUniforms[3], tuftsUniforms[3], treeShadowsUniforms[3];
	// Of worlds with spray.
	tnrProgram spray;
	GLint sprayPixelAngle;
} tnrPrograms;

struct tnrRenderer
{
	tnrPrograms programs;
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
	tnrBodies voxelBodies;
	GLuint frameBuffer, emptyArray, plainSampler;
	// Bare: opaque without bodies, made when the first one is drawn.
	tnrTarget opaque, bare, scene;
	int width, height;
	// Colours between passes are half floats, otherwise roots in 8 bits.
	bool hasFloatTargets;
	bool hasWorld;
	// The eye may be in the water.
	bool dives;
	// State of OpenGL is left as it was found.
	bool keepsState;
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

// programs.c

void tnrMakePrograms(tnrPrograms* programs, tnrResult* result);
void tnrMakeWavePrograms(tnrPrograms* programs, tnrResult* result);
void tnrMakeBodyPrograms(tnrPrograms* programs, tnrResult* result);
void tnrMakeVoxelPrograms(tnrPrograms* programs, tnrResult* result);
void tnrMakePlantPrograms(tnrPrograms* programs, tnrResult* result);
void tnrMakeOverPrograms(tnrPrograms* programs, tnrResult* result);
void tnrMakeSprayProgram(tnrPrograms* programs, tnrResult* result);
void tnrDestroyPrograms(const tnrPrograms* programs);

// render.c

// State of OpenGL around a call, if the host wants it kept.
void tnrEnter(const tnrRenderer* renderer, tnrGlState* state);
void tnrLeave(const tnrRenderer* renderer, const tnrGlState* state);
void tnrBeginPass(tnrRenderer* renderer);
// @return milliseconds since the pass began, 0 if nobody asks
float tnrEndPass(tnrRenderer* renderer);

// targets.c

void tnrDestroyTarget(tnrTarget* target);
// Targets as large as the picture. Where half floats turn out not to work, 8 bits do.
bool tnrResizeTargets(tnrRenderer* renderer, int width, int height);
void tnrCopyTarget(const tnrRenderer* renderer, const tnrTarget* from, const tnrTarget* to);
// Keep what bodies will hide: through the water beside a body one sees the ground behind it.
void tnrCopyBare(tnrRenderer* renderer);

// frame_block.c

void tnrFillBlock(tnrFrameBlock* block, tnrRenderer* renderer, const tnrFrame* frame);
void tnrFillOverBlock(tnrFrameBlock* block, tnrRenderer* renderer, const tnrOverFrame* frame);
void tnrUploadBlock(const tnrRenderer* renderer, const tnrFrameBlock* block);
void tnrFillVoxelBlock(tnrFrameBlock* block, tnrRenderer* renderer, const tnrFrame* frame);

// draw_world.c: all passes but the last, which has begun then

void tnrDrawWorldFrame(tnrRenderer* renderer, const tnrFrame* frame);
// Of a picture of a host: all that is known before it, and water and spray over what the opaque target holds.
void tnrPrepareOver(tnrRenderer* renderer, const tnrOverFrame* frame);
void tnrDrawWaterOver(tnrRenderer* renderer, const tnrOverFrame* frame);

// draw_voxel_world.c: the same

void tnrDrawVoxelFrame(tnrRenderer* renderer, const tnrFrame* frame);

// draw_frame.c

void tnrDrawScreen(const tnrRenderer* renderer, const tnrProgram* program);
void tnrResetState(int width, int height);

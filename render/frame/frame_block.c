// SPDX-License-Identifier: MIT

// What all shaders know of a frame: camera, light, look, where bodies and waves are. Filled for worlds with a terrain and
// for voxels.

#include "frame/renderer.h"

#include "gl/vectors.h"

#include <string.h>

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
static void tnrSetLight(tnrFrameBlock* block, const tnrLook* look, tnVec3 sun)
{
	const float high = tnrSmoothStep(0.0f, 0.55f, sun.y), day = tnrSmoothStep(-0.05f, 0.35f, sun.y);
	const float strength = tnrMix(1.3f, 3.5f, high);
	tnrSet(block->sun, sun.x, sun.y, sun.z, tnrClamp(look->shadows, 0.0f, 1.0f));
	tnrSet(block->sunColor, strength, strength * tnrMix(0.52f, 0.93f, high), strength * tnrMix(0.22f, 0.82f, high),
		look->exposure > 0.0f ? 0.64f * look->exposure : 0.64f);
	tnrSet(block->skyColor, tnrMix(0.34f, 0.40f, day), tnrMix(0.33f, 0.55f, day), tnrMix(0.46f, 0.84f, day), 0.0f);
}

static void tnrSetLookBlock(tnrFrameBlock* block, const tnrLook* look, float unit)
{
	tnrSet(block->scatter, look->scatter.x, look->scatter.y, look->scatter.z, unit);
	tnrSet(block->effects, tnrClamp(look->ripples, 0.0f, 4.0f), tnrClamp(look->foam, 0.0f, 4.0f),
		tnrClamp(look->caustics, 0.0f, 4.0f), tnrClamp(look->glitter, 0.0f, 4.0f));
}

static void tnrSetWorldBlock(tnrFrameBlock* block, const tnrRenderer* renderer, const tnrLook* look)
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
	block->lens[2] = (float)ground->tileMask;
	block->lens[3] = ground->tilesPerMeter;
	// So far that its end is lower than a degree below the horizon for an eye as high as the world is wide by a fifth.
	const float reach = 12.0f * diagonal;
	const bool goesOn = look->sides == false && look->view == tnr_waterView;
	tnrSet(block->around, goesOn ? 1.0f : 0.0f, goesOn ? reach : 0.0f, goesOn ? 1.0f / reach : 0.0f,
		0.45f * tnrClamp(look->clouds, 0.0f, 2.0f));
}

// The camera in places relative to the corner of the world.
static tnrCamera tnrGetLocalCamera(const tnrRenderer* renderer, const tnrFrame* frame, const tnrFrameBlock* block)
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
	const tnrCamera asked = camera;
	tnrChoosePlanes(&camera, box, renderer->ground.cellSize);
	if (block->around[0] > 0.0f && asked.nearPlane == 0.0f)
	{
		// Land around the world may have hills: what is higher than them sees nothing nearer than they are.
		const float hills = 0.6f * (block->extent[3] - block->extent[2]);
		const float clearance = 0.5f * (camera.eye.y - highest - hills);
		camera.nearPlane = fmaxf(0.1f * renderer->ground.cellSize, fminf(camera.nearPlane, clearance));
		camera.farPlane = fmaxf(camera.farPlane, 2.0f * block->around[1] + block->extent[0] + block->extent[1]);
	}
	return camera;
}

// Where bodies and their shadows are.
static void tnrSetBodyBlock(tnrFrameBlock* block, tnrRenderer* renderer)
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
	if (bodies->any || renderer->boxes.count > 0)
	{
		tnrBox both = bodies->any ? bodies->box : renderer->boxes.box;
		if (bodies->any && renderer->boxes.count > 0)
		{
			const tnrBox* other = &renderer->boxes.box;
			both.low = (tnVec3){
				fminf(both.low.x, other->low.x), fminf(both.low.y, other->low.y), fminf(both.low.z, other->low.z)};
			both.high = (tnVec3){fmaxf(both.high.x, other->high.x), fmaxf(both.high.y, other->high.y),
				fmaxf(both.high.z, other->high.z)};
		}
		const tnrBox* box = &both;
		tnrSet(block->bodyLow, box->low.x, box->low.y, box->low.z, 1.0f);
		tnrSet(block->bodyHigh, box->high.x, box->high.y, box->high.z, 0.0f);
	}
}

// Where waves are in their textures, and how many of them the mesh shows.
static void tnrSetWaveBlock(tnrFrameBlock* block, const tnrWaves* waves, float pixelsPerRadian)
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

static void tnrSetCameraBlock(tnrFrameBlock* block, const tnrCamera* camera, const tnrFrame* frame)
{
	block->viewProjection = tnrMakeViewProjection(camera, (float)frame->width / (float)frame->height);
	block->inverseViewProjection = tnrInvertMatrix(&block->viewProjection);
	// An hour is a multiple of no period in the shaders, but few will see the jump.
	const double time = isfinite(frame->time) ? fmod(frame->time, 3600.0) : 0.0;
	tnrSet(block->eye, camera->eye.x, camera->eye.y, camera->eye.z, (float)time);
	tnrSet(block->screen, (float)frame->width, (float)frame->height, 1.0f / (float)frame->width,
		1.0f / (float)frame->height);
}

void tnrFillBlock(tnrFrameBlock* block, tnrRenderer* renderer, const tnrFrame* frame)
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
		marked ? marker->radius : 0.0f, renderer->water.hasFoam ? 1.0f : 0.0f);
	tnrSet(block->markerColor, marker->color.x, marker->color.y, marker->color.z, 0.0f);

	tnrSetBodyBlock(block, renderer);
	float level;
	const bool wet = frame->look.water && frame->look.view == tnr_waterView &&
		tnrFindLevel(&renderer->water, &renderer->ground, camera.eye.x, camera.eye.z, &level);
	// A lens is as wide as a hand.
	renderer->dives = wet && camera.eye.y < level + 0.12f;
	block->lens[0] = renderer->dives ? level : 0.0f;
	block->lens[1] = renderer->dives ? 1.0f : 0.0f;
	renderer->viewProjection = block->viewProjection;
	renderer->eye = camera.eye;
	renderer->pixelsPerRadian = 0.5f * (float)frame->height / tanf(0.5f * camera.fieldOfView);
	tnrSetWaveBlock(block, &renderer->waves, renderer->pixelsPerRadian);
	tnrChoosePatches(&renderer->patches, &block->viewProjection, camera.eye, renderer->pixelsPerRadian);
}

// From the host's space to that of the world, whose origin is its corner.
static tnrMatrix tnrGetLocalMatrix(const float* matrix, tnVec2 origin)
{
	tnrMatrix local;
	memcpy(local.m, matrix, sizeof(local.m));
	for (int row = 0; row < 4; ++row)
	{
		local.m[12 + row] = (float)((double)matrix[12 + row] + (double)matrix[row] * (double)origin.x +
			(double)matrix[8 + row] * (double)origin.z);
	}
	return local;
}

void tnrFillOverBlock(tnrFrameBlock* block, tnrRenderer* renderer, const tnrOverFrame* frame)
{
	memset(block, 0, sizeof(*block));
	const tnVec3 sun = tnrGetSunDirection(&frame->look);
	tnrSetLight(block, &frame->look, sun);
	tnrSetWorldBlock(block, renderer, &frame->look);
	// Haze is the host's, who has one for all of the picture.
	block->skyColor[3] = 0.0f;
	tnrSet(block->around, 0.0f, 0.0f, 0.0f, 0.0f);
	const tnrMatrix* matrix = &block->viewProjection;
	block->viewProjection = tnrGetLocalMatrix(frame->viewProjection, renderer->origin);
	block->inverseViewProjection = tnrInvertMatrix(matrix);
	const tnVec3 eye = {frame->eye.x - renderer->origin.x, frame->eye.y, frame->eye.z - renderer->origin.z};
	const double time = isfinite(frame->time) ? fmod(frame->time, 3600.0) : 0.0;
	tnrSet(block->eye, eye.x, eye.y, eye.z, (float)time);
	tnrSet(block->screen, (float)frame->width, (float)frame->height, 1.0f / (float)frame->width,
		1.0f / (float)frame->height);
	tnrSet(block->marker, 0.0f, 0.0f, 0.0f, renderer->water.hasFoam ? 1.0f : 0.0f);
	tnrSetBodyBlock(block, renderer);
	// Bodies in the picture are the host's, and nothing marks them.
	tnrSet(block->bodyLow, 0.0f, 0.0f, 0.0f, 0.0f);
	renderer->viewProjection = *matrix;
	renderer->eye = eye;
	// The second row of a camera that is turned in any way is as long as that of its projection.
	const float along = matrix->m[1], up = matrix->m[5], across = matrix->m[9];
	renderer->pixelsPerRadian = 0.5f * (float)frame->height * sqrtf(along * along + up * up + across * across);
	tnrSetWaveBlock(block, &renderer->waves, renderer->pixelsPerRadian);
	tnrChoosePatches(&renderer->patches, matrix, eye, renderer->pixelsPerRadian);
}

void tnrUploadBlock(const tnrRenderer* renderer, const tnrFrameBlock* block)
{
	glBindBuffer(GL_UNIFORM_BUFFER, renderer->frameBuffer);
	glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)sizeof(*block), block);
	glBindBufferBase(GL_UNIFORM_BUFFER, TNR_FRAME_BINDING, renderer->frameBuffer);
}

void tnrFillVoxelBlock(tnrFrameBlock* block, tnrRenderer* renderer, const tnrFrame* frame)
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

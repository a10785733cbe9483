// SPDX-License-Identifier: MIT

// The passes of a frame that shows a world with a terrain.

#include "frame/renderer.h"

#include "gl/vectors.h"
#include "ground/plants.h"

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
	tnrBindArray(tnr_groundTileUnit, renderer->ground.tileTexture);
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

static void tnrDrawGrid(tnrRenderer* renderer, const tnrProgram* program, const GLint* uniforms,
	const tnrPlantGrid* grid, float height, float share, int perRow, int vertices)
{
	glUseProgram(program->id);
	glUniform4i(uniforms[0], grid->column, grid->row, grid->step, perRow);
	glUniform4f(uniforms[1], grid->spacing, height, share, grid->reach);
	glUniform4f(uniforms[2], grid->center.x, grid->center.z, 0.0f, 0.0f);
	glDrawArraysInstanced(GL_TRIANGLES, 0, vertices, perRow * perRow);
	renderer->timings.triangles += perRow * perRow * vertices / 3;
}

// Trees, and tufts near the eye.
static void tnrDrawPlants(tnrRenderer* renderer, float share)
{
	const float* m = renderer->viewProjection.m;
	const tnVec3 forward = tnrNormalize((tnVec3){m[3], m[7], m[11]});
	const tnrGround* ground = &renderer->ground;
	const float width = (float)ground->columnCount * ground->cellSize,
				length = (float)ground->rowCount * ground->cellSize;
	// As large as the world makes plausible, as in tnrSetWorldBlock: among crates bushes stand for trees.
	const float unit = tnrClamp(sqrtf(width * width + length * length) / 260.0f, 0.25f, 1.0f);
	const float level = 0.5f * (ground->low + ground->high);
	const tnrPlantGrid trees = tnrPlacePlants(renderer->eye, forward, level, 6.5f * unit, tnr_treeRow);
	const tnrPlantGrid tufts = tnrPlacePlants(renderer->eye, forward, level, 0.8f * unit, tnr_tuftRow);
	const tnrPrograms* programs = &renderer->programs;
	glBindVertexArray(renderer->emptyArray);
	// Shadows first, over the ground and below all that stands on it.
	glEnable(GL_BLEND);
	glBlendEquation(GL_FUNC_ADD);
	glBlendFunc(GL_ZERO, GL_SRC_COLOR);
	glDepthMask(GL_FALSE);
	tnrDrawGrid(renderer, &programs->treeShadows, programs->treeShadowsUniforms, &trees, 8.0f * unit, share,
		tnr_treeRow, tnr_treeShadowVertices);
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
	tnrDrawGrid(
		renderer, &programs->trees, programs->treesUniforms, &trees, 8.0f * unit, share, tnr_treeRow, tnr_treeVertices);
	// From afar they are no more than the colour of the ground.
	if (tufts.step <= 2)
	{
		tnrDrawGrid(renderer, &programs->tufts, programs->tuftsUniforms, &tufts, 0.42f * unit, share, tnr_tuftRow,
			tnr_tuftVertices);
	}
	glBindVertexArray(0);
}

// @param goesOn beyond its edges
// @param plants share of them to draw
static void tnrDrawOpaque(tnrRenderer* renderer, bool asPicture, bool goesOn, float plants)
{
	const tnrPrograms* programs = &renderer->programs;
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
	tnrClearDepth();
	if (asPicture)
	{
		// First: they hide much of the ground.
		glUseProgram(renderer->programs.house.id);
		renderer->timings.triangles += tnrDrawHouses(&renderer->ground.houses, renderer->ground.cellSize);
	}
	const bool waves = renderer->waves.any;
	const GLint groundPatch = waves ? programs->wavesGroundPatch : programs->groundPatch;
	const GLint patchLocation = asPicture ? groundPatch : programs->viewPatch;
	const tnrProgram* ground = waves ? &programs->wavesGround : &programs->ground;
	glUseProgram(asPicture ? ground->id : programs->view.id);
	renderer->timings.triangles += tnrDrawPatches(&renderer->patches, patchLocation, false);
	if (goesOn)
	{
		renderer->timings.triangles += tnrDrawSurroundings(&renderer->patches, patchLocation);
	}
	else
	{
		renderer->timings.triangles += tnrDrawSides(renderer, &programs->side, programs->sideSide, 0);
	}
	if (asPicture && plants > 0.0f)
	{
		tnrDrawPlants(renderer, fminf(plants, 1.0f));
	}
	glDepthFunc(GL_LEQUAL);
	tnrDrawScreen(renderer, &programs->sky);
	glDepthFunc(GL_LESS);
	if (renderer->bodies.any == false && renderer->boxes.count == 0)
	{
		return;
	}
	if (asPicture)
	{
		tnrCopyBare(renderer);
	}
	glUseProgram(asPicture ? programs->body.id : programs->plainBody.id);
	renderer->timings.triangles += tnrDrawBoxes(&renderer->boxes);
	renderer->timings.triangles += tnrDrawBodies(&renderer->bodies, &renderer->viewProjection, tnr_solidPass);
}

static void tnrDrawWaves(tnrRenderer* renderer, bool sides, bool goesOn)
{
	const tnrPrograms* programs = &renderer->programs;
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
	if (goesOn)
	{
		renderer->timings.triangles += tnrDrawSurroundings(&renderer->patches, programs->wavesPatch);
	}
	if (sides)
	{
		glUseProgram(programs->wavesSide.id);
		glUniform1i(programs->wavesSideHalvings, halvings);
		renderer->timings.triangles += tnrDrawSides(renderer, &programs->wavesSide, programs->wavesSideSide, halvings);
	}
}

// @param sides the cut faces of the water, at the edges of the world, too
// @param goesOn beyond the edges instead
static void tnrDrawWater(tnrRenderer* renderer, bool sides, bool goesOn)
{
	const tnrPrograms* programs = &renderer->programs;
	tnrBindTexture(tnr_colorUnit, renderer->opaque.color);
	tnrBindTexture(tnr_depthUnit, renderer->opaque.depth);
	// What is in bodies first: behind their lids nothing is drawn.
	glUseProgram(programs->held.id);
	renderer->timings.triangles += tnrDrawHeld(&renderer->bodies);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glUseProgram(programs->bodyLid.id);
	renderer->timings.triangles += tnrDrawBodies(&renderer->bodies, &renderer->viewProjection, tnr_roomPass);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	if (renderer->waves.any)
	{
		tnrDrawWaves(renderer, sides, goesOn);
		return;
	}
	glUseProgram(programs->water.id);
	renderer->timings.triangles += tnrDrawPatches(&renderer->patches, programs->waterPatch, true);
	if (goesOn)
	{
		renderer->timings.triangles += tnrDrawSurroundings(&renderer->patches, programs->waterPatch);
	}
	if (sides)
	{
		renderer->timings.triangles += tnrDrawSides(renderer, &programs->waterSide, programs->waterSideSide, 0);
	}
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

// All of the picture so far, as an eye in the water sees it.
static void tnrDrawUnder(const tnrRenderer* renderer)
{
	tnrCopyTarget(renderer, &renderer->scene, &renderer->opaque);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->scene.framebuffer);
	tnrBindTexture(tnr_colorUnit, renderer->opaque.color);
	tnrBindTexture(tnr_depthUnit, renderer->opaque.depth);
	glDisable(GL_DEPTH_TEST);
	tnrDrawScreen(renderer, &renderer->programs.under);
	glEnable(GL_DEPTH_TEST);
}

static void tnrDrawArrows(tnrRenderer* renderer, const tnrLook* look)
{
	const tnrPrograms* programs = &renderer->programs;
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

static void tnrPrepareFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrFrameBlock block;
	tnrFillBlock(&block, renderer, frame);
	tnrLightGround(&renderer->ground, (tnVec3){block.sun[0], block.sun[1], block.sun[2]});
	tnrMixTracers(&renderer->water, &frame->look);
	if (frame->look.view != tnr_waterView)
	{
		tnrFillView(&renderer->views, &renderer->water, &frame->look);
	}
	tnrUploadBlock(renderer, &block);
	tnrBindTextures(renderer);
	tnrResetState(frame->width, frame->height);
}

void tnrDrawWorldFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrTimings* timings = &renderer->timings;
	tnrBeginPass(renderer);
	tnrPrepareFrame(renderer, frame);
	timings->upload = renderer->uploadTime + tnrEndPass(renderer);

	const bool asPicture = frame->look.view == tnr_waterView;
	tnrBeginPass(renderer);
	tnrDrawShadowMap(renderer);
	const bool goesOn = asPicture && frame->look.sides == false;
	tnrDrawOpaque(renderer, asPicture, goesOn, frame->look.plants);
	timings->terrain = tnrEndPass(renderer);

	tnrBeginPass(renderer);
	tnrCopyTarget(renderer, &renderer->opaque, &renderer->scene);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->scene.framebuffer);
	if (asPicture && frame->look.water)
	{
		tnrDrawWater(renderer, goesOn == false, goesOn);
		tnrDrawSprayOver(renderer);
		if (renderer->dives)
		{
			tnrDrawUnder(renderer);
		}
	}
	timings->water = tnrEndPass(renderer);

	tnrBeginPass(renderer);
	if (frame->look.arrows)
	{
		tnrDrawArrows(renderer, &frame->look);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Over the picture of a host

void tnrPrepareOver(tnrRenderer* renderer, const tnrOverFrame* frame)
{
	tnrFrameBlock block;
	tnrFillOverBlock(&block, renderer, frame);
	tnrLightGround(&renderer->ground, (tnVec3){block.sun[0], block.sun[1], block.sun[2]});
	tnrMixTracers(&renderer->water, &frame->look);
	tnrUploadBlock(renderer, &block);
	tnrBindTextures(renderer);
	tnrResetState(frame->width, frame->height);
	tnrDrawShadowMap(renderer);
}

void tnrDrawWaterOver(tnrRenderer* renderer, const tnrOverFrame* frame)
{
	tnrCopyTarget(renderer, &renderer->opaque, &renderer->scene);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->scene.framebuffer);
	if (frame->look.water)
	{
		tnrDrawWater(renderer, frame->sides, false);
		tnrDrawSprayOver(renderer);
	}
}

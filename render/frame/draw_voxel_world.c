// SPDX-License-Identifier: MIT

// The passes of a frame that shows a world of voxels.

#include "frame/renderer.h"

static bool tnrIsGlowing(const tnrLiquidLook* look)
{
	return look->glow.x > 0.0f || look->glow.y > 0.0f || look->glow.z > 0.0f;
}

static void tnrDrawVoxelShadows(tnrRenderer* renderer, const tnrMatrix* shadowMatrix)
{
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->voxels.shadowFramebuffer);
	glViewport(0, 0, tnr_voxelShadowSize, tnr_voxelShadowSize);
	tnrClearDepth();
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(2.0f, 4.0f);
	glUseProgram(renderer->programs.voxelShadow.id);
	renderer->timings.triangles += tnrDrawVoxels(&renderer->voxels, TN_MESH_GROUND, shadowMatrix);
	glUseProgram(renderer->programs.bodyShadow.id);
	renderer->timings.triangles += tnrDrawBoxes(&renderer->boxes);
	renderer->timings.triangles += tnrDrawBodies(&renderer->voxelBodies, shadowMatrix, tnr_shadowPass);
	glDisable(GL_POLYGON_OFFSET_FILL);
	glViewport(0, 0, renderer->width, renderer->height);
	tnrBindTexture(tnr_shadowUnit, renderer->voxels.shadowMap);
}

static void tnrDrawVoxelOpaque(tnrRenderer* renderer)
{
	const tnrPrograms* programs = &renderer->programs;
	const tnrVoxels* voxels = &renderer->voxels;
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
	tnrClearDepth();
	glUseProgram(programs->voxelGround.id);
	renderer->timings.triangles += tnrDrawVoxels(voxels, TN_MESH_GROUND, &renderer->viewProjection);
	glUseProgram(programs->voxelBox.id);
	renderer->timings.triangles += tnrDrawBoxes(&renderer->boxes);
	renderer->timings.triangles += tnrDrawBodies(&renderer->voxelBodies, &renderer->viewProjection, tnr_solidPass);
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
	const tnrPrograms* programs = &renderer->programs;
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

void tnrDrawVoxelFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrTimings* timings = &renderer->timings;
	tnrBeginPass(renderer);
	tnrFrameBlock block;
	tnrFillVoxelBlock(&block, renderer, frame);
	tnrUploadBlock(renderer, &block);
	tnrResetState(frame->width, frame->height);
	tnrBindTexture(tnr_bedUnit, renderer->voxels.topTexture);
	tnrBindTexture(tnr_flowUnit, renderer->voxels.currentTexture);
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
	tnrBeginPass(renderer);
}

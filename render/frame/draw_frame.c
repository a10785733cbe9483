// SPDX-License-Identifier: MIT

// A frame, whatever it shows, from the call of the host to its framebuffer.

#include "frame/renderer.h"

#include "gl/vectors.h"

void tnrDrawScreen(const tnrRenderer* renderer, const tnrProgram* program)
{
	glUseProgram(program->id);
	glBindVertexArray(renderer->emptyArray);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glBindVertexArray(0);
}

void tnrResetState(int width, int height)
{
	glViewport(0, 0, width, height);
	glDisable(GL_BLEND);
	glDisable(GL_CULL_FACE);
	glDisable(GL_SCISSOR_TEST);
	glEnable(GL_DEPTH_TEST);
	glDepthMask(GL_TRUE);
	glDepthFunc(GL_LESS);
}

static void tnrFinishFrame(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrTimings* timings = &renderer->timings;
	glDisable(GL_DEPTH_TEST);
	glBindFramebuffer(GL_FRAMEBUFFER, frame->framebuffer);
	glViewport(0, 0, frame->width, frame->height);
	tnrBindTexture(tnr_colorUnit, renderer->scene.color);
	const float bloom = renderer->scene.levelCount > 1 && frame->look.view == tnr_waterView ? frame->look.bloom : 0.0f;
	if (bloom > 0.0f)
	{
		glGenerateMipmap(GL_TEXTURE_2D);
	}
	glUseProgram(renderer->programs.finish.id);
	glUniform1f(renderer->programs.finishBloom, bloom > 0.0f ? tnrClamp(bloom, 0.0f, 4.0f) : 0.0f);
	tnrDrawScreen(renderer, &renderer->programs.finish);
	timings->overlay = tnrEndPass(renderer);
	timings->total = timings->upload + timings->terrain + timings->water + timings->overlay;
}

static void tnrDrawFrame(tnrRenderer* renderer, const tnrFrame* frame)
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
	renderer->timings = (tnrTimings){0};
	if (renderer->voxels.any)
	{
		tnrDrawVoxelFrame(renderer, frame);
	}
	else
	{
		tnrDrawWorldFrame(renderer, frame);
	}
	tnrFinishFrame(renderer, frame);
}

void tnrRenderer_Draw(tnrRenderer* renderer, const tnrFrame* frame)
{
	tnrGlState state;
	tnrEnter(renderer, &state);
	tnrDrawFrame(renderer, frame);
	tnrLeave(renderer, &state);
}

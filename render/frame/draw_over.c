// SPDX-License-Identifier: MIT

// Water over the picture of a host: its colour and depth come in, water and spray are drawn over them by the passes that every
// frame has, and only the pixels with water go back.

#include "frame/renderer.h"

#include <math.h>
#include <stdio.h>

tnrOverFrame tnrDefaultOverFrame(void)
{
	return (tnrOverFrame){.look = tnrDefaultLook()};
}

static tnrResult tnrCheckOverFrame(const tnrRenderer* renderer, const tnrOverFrame* frame)
{
	tnrResult result = {.ok = true};
	// Larger pictures than this no GPU of today can draw.
	const int most = 16384;
	if (renderer == NULL || frame == NULL)
	{
		tnrSetFailure(&result, "renderer and frame must not be NULL");
		return result;
	}
	if (renderer->hasWorld == false || renderer->voxels.any)
	{
		tnrSetFailure(
			&result, "water is drawn over pictures of a world with a terrain: call tnrRenderer_SetWorld first");
		return result;
	}
	if (frame->width < 1 || frame->height < 1 || frame->width > most || frame->height > most)
	{
		result.ok = false;
		snprintf(result.text, sizeof(result.text), "width and height must be in [1, %d], got %d and %d", most,
			frame->width, frame->height);
		return result;
	}
	if (frame->colorTexture == 0 || frame->depthTexture == 0)
	{
		tnrSetFailure(&result, frame->colorTexture == 0 ? "colorTexture must not be 0" : "depthTexture must not be 0");
		return result;
	}
	if ((int)frame->colors < 0 || frame->colors >= tnr_colorsCount)
	{
		result.ok = false;
		snprintf(result.text, sizeof(result.text), "colors must be in [0, %d], got %d", tnr_colorsCount - 1,
			(int)frame->colors);
		return result;
	}
	for (int i = 0; i < 19; ++i)
	{
		const float eye[3] = {frame->eye.x, frame->eye.y, frame->eye.z};
		const float value = i < 16 ? frame->viewProjection[i] : eye[i - 16];
		if (!isfinite(value))
		{
			result.ok = false;
			snprintf(result.text, sizeof(result.text), "%s[%d] must be finite, got %g",
				i < 16 ? "viewProjection" : "eye", i < 16 ? i : i - 16, (double)value);
			return result;
		}
	}
	return result;
}

// Filters and comparisons of the host's textures do not matter.
static void tnrBindHostTexture(const tnrRenderer* renderer, tnrUnit unit, GLuint texture)
{
	tnrBindTexture(unit, texture);
	glBindSampler((GLuint)unit, renderer->plainSampler);
}

static void tnrDrawScreenOver(const tnrRenderer* renderer, const tnrProgram* program, const tnrOverFrame* frame)
{
	glUseProgram(program->id);
	glUniform1f(tnrFindUniform(program, "ofScreen"), frame->colors == tnr_screenColors ? 1.0f : 0.0f);
	tnrDrawScreen(renderer, program);
}

static void tnrTakePicture(tnrRenderer* renderer, const tnrOverFrame* frame)
{
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
	tnrBindHostTexture(renderer, tnr_colorUnit, frame->colorTexture);
	tnrBindHostTexture(renderer, tnr_depthUnit, frame->depthTexture);
	glDepthFunc(GL_ALWAYS);
	tnrDrawScreenOver(renderer, &renderer->programs.overIn, frame);
	glDepthFunc(GL_LESS);
	glBindSampler(tnr_colorUnit, 0);
	glBindSampler(tnr_depthUnit, 0);
}

static void tnrGiveBackPicture(tnrRenderer* renderer, const tnrOverFrame* frame, const tnrGlState* state)
{
	glBindFramebuffer(GL_FRAMEBUFFER, frame->framebuffer);
	glViewport(0, 0, frame->width, frame->height);
	tnrBindTexture(tnr_colorUnit, renderer->scene.color);
	tnrBindTexture(tnr_depthUnit, renderer->scene.depth);
	tnrBindTexture(tnr_bareColorUnit, renderer->opaque.color);
	glDepthFunc(GL_ALWAYS);
	// Whoever mixes light has the device turn it into colours of the screen, or does it later.
	tnrKeepSrgb(state, frame->colors == tnr_linearColors);
	tnrDrawScreenOver(renderer, &renderer->programs.overOut, frame);
}

tnrResult tnrRenderer_DrawOver(tnrRenderer* renderer, const tnrOverFrame* frame)
{
	tnrResult result = tnrCheckOverFrame(renderer, frame);
	if (result.ok == false)
	{
		return result;
	}
	tnrGlState state;
	tnrTakeState(&state);
	if (renderer->programs.overIn.id == 0)
	{
		tnrMakeOverPrograms(&renderer->programs, &result);
	}
	if (renderer->plainSampler == 0)
	{
		glGenSamplers(1, &renderer->plainSampler);
		glSamplerParameteri(renderer->plainSampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
		glSamplerParameteri(renderer->plainSampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	}
	if (result.ok && tnrResizeTargets(renderer, frame->width, frame->height) == false)
	{
		tnrSetFailure(&result, "no memory for a picture of this size");
	}
	if (result.ok)
	{
		renderer->timings = (tnrTimings){0};
		tnrPrepareOver(renderer, frame);
		tnrTakePicture(renderer, frame);
		tnrDrawWaterOver(renderer, frame);
		tnrGiveBackPicture(renderer, frame, &state);
	}
	tnrGiveBackState(&state);
	return result;
}

// SPDX-License-Identifier: MIT

// The pictures between passes: made as large as the frame, and copied where a pass reads what it draws over.

#include "frame/renderer.h"

void tnrDestroyTarget(tnrTarget* target)
{
	glDeleteFramebuffers(1, &target->framebuffer);
	glDeleteTextures(1, &target->color);
	glDeleteTextures(1, &target->depth);
	*target = (tnrTarget){0};
}

// @param levelCount of the colours
static bool tnrMakeTarget(tnrTarget* target, bool hasFloats, int width, int height, int levelCount)
{
	const int longer = width > height ? width : height;
	target->levelCount = 1;
	while (target->levelCount < levelCount && longer >> target->levelCount > 0)
	{
		++target->levelCount;
	}
	const GLenum format = hasFloats ? GL_RGBA16F : GL_RGBA8;
	target->color = tnrMakeTexture(format, width, height, target->levelCount, GL_LINEAR, GL_CLAMP_TO_EDGE);
	target->depth = tnrMakeTexture(GL_DEPTH_COMPONENT24, width, height, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &target->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->color, 0);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// Targets as large as the picture. Where half floats turn out not to work, 8 bits do.
bool tnrResizeTargets(tnrRenderer* renderer, int width, int height)
{
	if (renderer->width == width && renderer->height == height)
	{
		return true;
	}
	// finish.frag looks up the third and the fifth half.
	const int bloomLevels = 6;
	glActiveTexture(GL_TEXTURE0 + tnr_colorUnit);
	for (int attempt = 0; attempt < 2; ++attempt)
	{
		tnrDestroyTarget(&renderer->opaque);
		tnrDestroyTarget(&renderer->bare);
		tnrDestroyTarget(&renderer->scene);
		if (tnrMakeTarget(&renderer->opaque, renderer->hasFloatTargets, width, height, 1) &&
			tnrMakeTarget(&renderer->scene, renderer->hasFloatTargets, width, height, bloomLevels))
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

void tnrCopyTarget(const tnrRenderer* renderer, const tnrTarget* from, const tnrTarget* to)
{
	const int width = renderer->width, height = renderer->height;
	glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
	glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

// Keep what bodies will hide: through the water beside a body one sees the ground behind it.
void tnrCopyBare(tnrRenderer* renderer)
{
	if (renderer->bare.framebuffer == 0)
	{
		glActiveTexture(GL_TEXTURE0 + tnr_bareColorUnit);
		(void)tnrMakeTarget(&renderer->bare, renderer->hasFloatTargets, renderer->width, renderer->height, 1);
	}
	tnrCopyTarget(renderer, &renderer->opaque, &renderer->bare);
	tnrBindTexture(tnr_bareColorUnit, renderer->bare.color);
	tnrBindTexture(tnr_bareDepthUnit, renderer->bare.depth);
	glBindFramebuffer(GL_FRAMEBUFFER, renderer->opaque.framebuffer);
}

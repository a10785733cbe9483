// SPDX-License-Identifier: MIT

// State of a host's OpenGL, kept while the renderer works.

#include "gl/gl_state.h"

#include <string.h>

// Names that the headers of OpenGL ES do not have.
#define TNR_PRIMITIVE_RESTART 0x8F9D
#define TNR_FRAMEBUFFER_SRGB 0x8DB9
#define TNR_COLOR_LOGIC_OP 0x0BF2
#define TNR_DEPTH_CLAMP 0x864F
#define TNR_UNPACK_SWAP_BYTES 0x0CF0
#define TNR_UNPACK_LSB_FIRST 0x0CF1
#define TNR_CLIP_DISTANCE 0x3000

// What may be on or off, and must be off. Those of desktops alone come last.
static const GLenum s_flags[tnr_flagCount] = {
	GL_BLEND,
	GL_CULL_FACE,
	GL_SCISSOR_TEST,
	GL_DEPTH_TEST,
	GL_STENCIL_TEST,
	GL_POLYGON_OFFSET_FILL,
	GL_RASTERIZER_DISCARD,
	GL_SAMPLE_ALPHA_TO_COVERAGE,
	GL_SAMPLE_COVERAGE,
	TNR_PRIMITIVE_RESTART,
	TNR_FRAMEBUFFER_SRGB,
	TNR_COLOR_LOGIC_OP,
	TNR_DEPTH_CLAMP,
	TNR_CLIP_DISTANCE,
	TNR_CLIP_DISTANCE + 1,
	TNR_CLIP_DISTANCE + 2,
	TNR_CLIP_DISTANCE + 3,
	TNR_CLIP_DISTANCE + 4,
};

enum
{
	commonFlagCount = 9,
	commonUnpackCount = 6,
};

static const struct
{
	GLenum name;
	GLint usual;
} s_unpack[tnr_unpackCount] = {
	{GL_UNPACK_ALIGNMENT, 4},
	{GL_UNPACK_ROW_LENGTH, 0},
	{GL_UNPACK_IMAGE_HEIGHT, 0},
	{GL_UNPACK_SKIP_PIXELS, 0},
	{GL_UNPACK_SKIP_ROWS, 0},
	{GL_UNPACK_SKIP_IMAGES, 0},
	{TNR_UNPACK_SWAP_BYTES, 0},
	{TNR_UNPACK_LSB_FIRST, 0},
};

bool tnrIsDesktop(void)
{
	const char* version = (const char*)glGetString(GL_VERSION);
	return version != NULL && strncmp(version, "OpenGL ES", 9) != 0;
}

static void tnrSetFlag(GLenum flag, bool on)
{
	if (on)
	{
		glEnable(flag);
	}
	else
	{
		glDisable(flag);
	}
}

static void tnrTakeBindings(tnrGlState* state)
{
	glGetIntegerv(GL_ACTIVE_TEXTURE, &state->activeTexture);
	for (int i = 0; i < tnr_unitCount; ++i)
	{
		glActiveTexture(GL_TEXTURE0 + (GLenum)i);
		glGetIntegerv(GL_TEXTURE_BINDING_2D, &state->textures[i]);
		glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &state->arrays[i]);
		glGetIntegerv(GL_SAMPLER_BINDING, &state->samplers[i]);
		glBindTexture(GL_TEXTURE_2D, 0);
		glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
		glBindSampler((GLuint)i, 0);
	}
	glGetIntegerv(GL_CURRENT_PROGRAM, &state->program);
	glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &state->vertexArray);
	glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &state->arrayBuffer);
	glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &state->unpackBuffer);
	glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &state->uniformBuffer);
	glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, TNR_FRAME_BINDING, &state->frameBlock);
	glGetInteger64i_v(GL_UNIFORM_BUFFER_START, TNR_FRAME_BINDING, &state->frameBlockStart);
	glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, TNR_FRAME_BINDING, &state->frameBlockSize);
	glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &state->drawFramebuffer);
	glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &state->readFramebuffer);
	glBindVertexArray(0);
	glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void tnrTakeState(tnrGlState* state)
{
	memset(state, 0, sizeof(*state));
	state->isDesktop = tnrIsDesktop();
	for (int i = 0; i < (state->isDesktop ? tnr_flagCount : commonFlagCount); ++i)
	{
		state->flags[i] = glIsEnabled(s_flags[i]);
		tnrSetFlag(s_flags[i], false);
	}
	for (int i = 0; i < (state->isDesktop ? tnr_unpackCount : commonUnpackCount); ++i)
	{
		glGetIntegerv(s_unpack[i].name, &state->unpack[i]);
		glPixelStorei(s_unpack[i].name, s_unpack[i].usual);
	}
	tnrTakeBindings(state);
	glGetIntegerv(GL_VIEWPORT, state->viewport);
	glGetIntegerv(GL_BLEND_SRC_RGB, &state->blendSource[0]);
	glGetIntegerv(GL_BLEND_SRC_ALPHA, &state->blendSource[1]);
	glGetIntegerv(GL_BLEND_DST_RGB, &state->blendTarget[0]);
	glGetIntegerv(GL_BLEND_DST_ALPHA, &state->blendTarget[1]);
	glGetIntegerv(GL_BLEND_EQUATION_RGB, &state->blendEquation[0]);
	glGetIntegerv(GL_BLEND_EQUATION_ALPHA, &state->blendEquation[1]);
	glGetIntegerv(GL_CULL_FACE_MODE, &state->cullFace);
	glGetIntegerv(GL_FRONT_FACE, &state->frontFace);
	glGetIntegerv(GL_DEPTH_FUNC, &state->depthFunc);
	glGetBooleanv(GL_DEPTH_WRITEMASK, &state->depthMask);
	glGetBooleanv(GL_COLOR_WRITEMASK, state->colorMask);
	glGetFloatv(GL_COLOR_CLEAR_VALUE, state->clearColor);
	glGetFloatv(GL_POLYGON_OFFSET_FACTOR, &state->polygonOffset[0]);
	glGetFloatv(GL_POLYGON_OFFSET_UNITS, &state->polygonOffset[1]);
	glBlendEquation(GL_FUNC_ADD);
	glCullFace(GL_BACK);
	glFrontFace(GL_CCW);
	glDepthFunc(GL_LESS);
	glDepthMask(GL_TRUE);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void tnrKeepSrgb(const tnrGlState* state, bool keep)
{
	for (int i = commonFlagCount; i < tnr_flagCount && state->isDesktop; ++i)
	{
		if (s_flags[i] == TNR_FRAMEBUFFER_SRGB)
		{
			tnrSetFlag(s_flags[i], keep && state->flags[i] == GL_TRUE);
		}
	}
}

void tnrGiveBackState(const tnrGlState* state)
{
	for (int i = 0; i < (state->isDesktop ? tnr_flagCount : commonFlagCount); ++i)
	{
		tnrSetFlag(s_flags[i], state->flags[i] == GL_TRUE);
	}
	for (int i = 0; i < (state->isDesktop ? tnr_unpackCount : commonUnpackCount); ++i)
	{
		glPixelStorei(s_unpack[i].name, state->unpack[i]);
	}
	for (int i = 0; i < tnr_unitCount; ++i)
	{
		glActiveTexture(GL_TEXTURE0 + (GLenum)i);
		// One of the renderer's own may be gone.
		const GLuint texture = (GLuint)state->textures[i], array = (GLuint)state->arrays[i];
		glBindTexture(GL_TEXTURE_2D, glIsTexture(texture) == GL_TRUE ? texture : 0);
		glBindTexture(GL_TEXTURE_2D_ARRAY, glIsTexture(array) == GL_TRUE ? array : 0);
		glBindSampler((GLuint)i, (GLuint)state->samplers[i]);
	}
	glActiveTexture((GLenum)state->activeTexture);
	glUseProgram((GLuint)state->program);
	glBindVertexArray((GLuint)state->vertexArray);
	glBindBuffer(GL_ARRAY_BUFFER, (GLuint)state->arrayBuffer);
	glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)state->unpackBuffer);
	if (state->frameBlockSize > 0)
	{
		glBindBufferRange(GL_UNIFORM_BUFFER, TNR_FRAME_BINDING, (GLuint)state->frameBlock,
			(GLintptr)state->frameBlockStart, (GLsizeiptr)state->frameBlockSize);
	}
	else
	{
		glBindBufferBase(GL_UNIFORM_BUFFER, TNR_FRAME_BINDING, (GLuint)state->frameBlock);
	}
	glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)state->uniformBuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)state->drawFramebuffer);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)state->readFramebuffer);
	glViewport(state->viewport[0], state->viewport[1], state->viewport[2], state->viewport[3]);
	glBlendFuncSeparate((GLenum)state->blendSource[0], (GLenum)state->blendTarget[0], (GLenum)state->blendSource[1],
		(GLenum)state->blendTarget[1]);
	glBlendEquationSeparate((GLenum)state->blendEquation[0], (GLenum)state->blendEquation[1]);
	glCullFace((GLenum)state->cullFace);
	glFrontFace((GLenum)state->frontFace);
	glDepthFunc((GLenum)state->depthFunc);
	glDepthMask(state->depthMask);
	glColorMask(state->colorMask[0], state->colorMask[1], state->colorMask[2], state->colorMask[3]);
	glClearColor(state->clearColor[0], state->clearColor[1], state->clearColor[2], state->clearColor[3]);
	glPolygonOffset(state->polygonOffset[0], state->polygonOffset[1]);
}

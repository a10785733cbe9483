// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"

#include <GLES3/gl3.h>

// What every part of the renderer needs of OpenGL: programs from embedded shaders, and textures made in one line.

// A program and where its textures are bound: uniform samplers get texture units once, when it is linked.
typedef struct tnrProgram
{
	GLuint id;
} tnrProgram;

// Where the samplers of all shaders live. A name in a shader is looked up in a table beside this list.
typedef enum tnrUnit
{
	tnr_bedUnit = 0,
	tnr_surfaceUnit,
	tnr_groundUnit,
	tnr_builtUnit,
	tnr_blendUnit,
	tnr_flowUnit,
	tnr_waveUnit,
	tnr_tracerUnit,
	tnr_rippleUnit,
	tnr_patternUnit,
	tnr_colorUnit,
	tnr_depthUnit,
	tnr_viewUnit,
	tnr_fontUnit,
	tnr_shadowUnit,
	tnr_bareColorUnit,
	tnr_bareDepthUnit,
	tnr_waveTileUnit,
	tnr_waveIndexUnit,
	tnr_rippleFieldUnit,
	tnr_groundTileUnit,
	tnr_unitCount,
} tnrUnit;

// Binding point of the uniform block `Frame`.
#define TNR_FRAME_BINDING 0

// Sources are parts put one after the other, after the version line of the target. On failure id is 0 and the result
// says why.
tnrProgram tnrMakeProgram(const char* name, const char* const* vertexParts, int vertexPartCount,
	const char* const* fragmentParts, int fragmentPartCount, tnrResult* result);
GLint tnrFindUniform(const tnrProgram* program, const char* name);

// Storage without content. Filter GL_LINEAR or GL_NEAREST; wrap GL_REPEAT or GL_CLAMP_TO_EDGE.
GLuint tnrMakeTexture(GLenum format, int width, int height, int levels, GLenum filter, GLenum wrap);
// Storage of the texture that is bound.
void tnrStoreTexture(GLenum target, GLenum inside, int width, int height, int layers, int levels);
void tnrBindTexture(tnrUnit unit, GLuint texture);
void tnrBindArray(tnrUnit unit, GLuint texture);

// Of the framebuffer that is bound, whatever value the host clears with.
void tnrClearDepth(void);

bool tnrHasExtension(const char* name);

void tnrSetFailure(tnrResult* result, const char* text);

// IEEE half from float: values that are too large become the largest half, tiny ones zero.
static inline uint16_t tnrMakeHalf(float value)
{
	union
	{
		float number;
		uint32_t bits;
	} u = {value};
	const uint32_t sign = (u.bits >> 16) & 0x8000u;
	const uint32_t rest = (u.bits & 0x7FFFFFFFu) + 0x1000u;
	if (rest < 0x38800000u)
	{
		return (uint16_t)sign;
	}
	return (uint16_t)(sign | (rest >= 0x47800000u ? 0x7BFFu : (rest - 0x38000000u) >> 13));
}

// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"

// All state of OpenGL that the renderer touches, or that could spoil what it draws: kept while it draws, and put back.

enum
{
	tnr_flagCount = 18,
	tnr_unpackCount = 8,
};

typedef struct tnrGlState
{
	bool isDesktop;
	GLboolean flags[tnr_flagCount];
	GLint unpack[tnr_unpackCount];
	GLint activeTexture, textures[tnr_unitCount], arrays[tnr_unitCount], samplers[tnr_unitCount];
	GLint program, vertexArray, arrayBuffer, unpackBuffer, uniformBuffer, frameBlock;
	GLint64 frameBlockStart, frameBlockSize;
	GLint drawFramebuffer, readFramebuffer;
	GLint viewport[4];
	GLint blendSource[2], blendTarget[2], blendEquation[2];
	GLint cullFace, frontFace, depthFunc;
	GLboolean depthMask, colorMask[4];
	GLfloat clearColor[4], polygonOffset[2];
} tnrGlState;

// Is the context one of desktop OpenGL?
bool tnrIsDesktop(void);

// Keep what is there, and set what the renderer counts on.
void tnrTakeState(tnrGlState* state);
// Colours are turned into those of a screen by the device, if they were for the host, or not. Desktops only.
void tnrKeepSrgb(const tnrGlState* state, bool keep);
void tnrGiveBackState(const tnrGlState* state);

// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"

/// @file A context without a window (EGL, no X server), and a picture in memory to draw on. Native builds only.

typedef struct tnrHeadless tnrHeadless;

/// Make a context, make it current, and make a framebuffer. @return NULL if the result is not ok
tnrHeadless* tnrCreateHeadless(int width, int height, tnrResult* result);
/// The same with the core profile of desktop OpenGL 3.3.
tnrHeadless* tnrCreateDesktopHeadless(int width, int height, tnrResult* result);
void tnrDestroyHeadless(tnrHeadless* headless);

uint32_t tnrHeadless_GetFramebuffer(const tnrHeadless* headless);
/// Who draws: "llvmpipe (LLVM 14.0.6, 256 bits)".
const char* tnrHeadless_GetDeviceName(const tnrHeadless* headless);

/// Read the picture: 3 bytes per pixel, rows from the top, no gaps.
void tnrHeadless_Read(tnrHeadless* headless, uint8_t* pixels);

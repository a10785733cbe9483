// SPDX-License-Identifier: MIT

// A context without a window, by EGL, and a picture in memory to draw on.

#include "headless.h"

#include "gl/gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tnrHeadless
{
	EGLDisplay display;
	EGLContext context;
	GLuint framebuffer, color;
	int width, height;
	char deviceName[128];
	// As read, rows from the bottom.
	uint8_t* rgba;
};

// A display that needs no X server. The plain default display comes second: drivers without the surfaceless platform
// may still give one.
static EGLDisplay tnrOpenDisplay(void)
{
	const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
	EGLDisplay display = EGL_NO_DISPLAY;
	if (extensions != NULL && strstr(extensions, "EGL_MESA_platform_surfaceless") != NULL)
	{
		PFNEGLGETPLATFORMDISPLAYEXTPROC getDisplay =
			(PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
		if (getDisplay != NULL)
		{
			display = getDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
		}
	}
	if (display == EGL_NO_DISPLAY)
	{
		display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
	}
	if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) == EGL_FALSE)
	{
		display = EGL_NO_DISPLAY;
	}
	return display;
}

static bool tnrMakeContext(tnrHeadless* headless, bool isDesktop)
{
	const EGLint kind = isDesktop ? EGL_OPENGL_BIT : EGL_OPENGL_ES3_BIT;
	const EGLint wanted[] = {EGL_RENDERABLE_TYPE, kind, EGL_SURFACE_TYPE, 0, EGL_NONE};
	static const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
	static const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
	const EGLint* attributes = isDesktop ? desktop : embedded;
	EGLConfig config;
	EGLint count = 0;
	if (eglBindAPI(isDesktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API) == EGL_FALSE ||
		eglChooseConfig(headless->display, wanted, &config, 1, &count) == EGL_FALSE || count < 1)
	{
		return false;
	}
	headless->context = eglCreateContext(headless->display, config, EGL_NO_CONTEXT, attributes);
	return headless->context != EGL_NO_CONTEXT &&
		eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, headless->context) == EGL_TRUE;
}

static bool tnrMakePicture(tnrHeadless* headless)
{
	glGenRenderbuffers(1, &headless->color);
	glBindRenderbuffer(GL_RENDERBUFFER, headless->color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, headless->width, headless->height);
	glGenFramebuffers(1, &headless->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, headless->framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, headless->color);
	headless->rgba = malloc((size_t)headless->width * (size_t)headless->height * 4);
	return headless->rgba != NULL && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static tnrHeadless* tnrOpenHeadless(int width, int height, bool isDesktop, tnrResult* result)
{
	tnrResult scratch;
	result = result != NULL ? result : &scratch;
	*result = (tnrResult){.ok = true};
	if (width < 1 || height < 1 || width > 16384 || height > 16384)
	{
		tnrSetFailure(result, "a picture must be 1 to 16384 pixels wide and high");
		return NULL;
	}
	tnrHeadless* headless = calloc(1, sizeof(*headless));
	if (headless == NULL)
	{
		tnrSetFailure(result, "no memory for a context");
		return NULL;
	}
	headless->width = width;
	headless->height = height;
	headless->display = tnrOpenDisplay();
	if (headless->display == EGL_NO_DISPLAY)
	{
		tnrSetFailure(result, "EGL gives no display: is a driver (for instance Mesa's llvmpipe) installed?");
	}
	else if (tnrMakeContext(headless, isDesktop) == false)
	{
		tnrSetFailure(
			result, isDesktop ? "EGL gives no context of OpenGL 3.3" : "EGL gives no context of OpenGL ES 3.0");
	}
	else if (tnrMakePicture(headless) == false)
	{
		tnrSetFailure(result, "no memory for a picture of this size");
	}
	if (result->ok == false)
	{
		tnrDestroyHeadless(headless);
		return NULL;
	}
	const char* name = (const char*)glGetString(GL_RENDERER);
	snprintf(headless->deviceName, sizeof(headless->deviceName), "%s", name != NULL ? name : "unknown");
	return headless;
}

tnrHeadless* tnrCreateHeadless(int width, int height, tnrResult* result)
{
	return tnrOpenHeadless(width, height, false, result);
}

tnrHeadless* tnrCreateDesktopHeadless(int width, int height, tnrResult* result)
{
	return tnrOpenHeadless(width, height, true, result);
}

void tnrDestroyHeadless(tnrHeadless* headless)
{
	if (headless == NULL)
	{
		return;
	}
	if (headless->context != EGL_NO_CONTEXT)
	{
		glDeleteFramebuffers(1, &headless->framebuffer);
		glDeleteRenderbuffers(1, &headless->color);
		eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
		eglDestroyContext(headless->display, headless->context);
	}
	// The display stays initialised: it is shared by everything in the process that asks for it.
	free(headless->rgba);
	free(headless);
}

uint32_t tnrHeadless_GetFramebuffer(const tnrHeadless* headless)
{
	return headless->framebuffer;
}

const char* tnrHeadless_GetDeviceName(const tnrHeadless* headless)
{
	return headless->deviceName;
}

void tnrHeadless_Read(tnrHeadless* headless, uint8_t* pixels)
{
	const int width = headless->width, height = headless->height;
	glBindFramebuffer(GL_FRAMEBUFFER, headless->framebuffer);
	glPixelStorei(GL_PACK_ALIGNMENT, 4);
	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, headless->rgba);
	for (int y = 0; y < height; ++y)
	{
		const uint8_t* from = headless->rgba + (size_t)(height - 1 - y) * (size_t)width * 4;
		uint8_t* to = pixels + (size_t)y * (size_t)width * 3;
		for (int x = 0; x < width; ++x)
		{
			to[3 * x] = from[4 * x];
			to[3 * x + 1] = from[4 * x + 1];
			to[3 * x + 2] = from[4 * x + 2];
		}
	}
}

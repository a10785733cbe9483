// SPDX-License-Identifier: MIT

#include "commands/options.h"
#include "viewer/viewer_window.h"

#include <stdio.h>

// Stands in for viewer_window.c where OpenGL ES 3 or GLFW was not there at build time.
int RunViewer(const ViewerOptions* options)
{
	(void)options;
	fprintf(stderr,
		"tarn view: this tarn was built without a viewer, which needs OpenGL ES 3 and GLFW; "
		"`tarn run SCENE` makes pictures without them.\n");
	return exitUsage;
}

bool ReadSaveScene(const char* path, char* name, size_t size)
{
	(void)path;
	(void)name;
	(void)size;
	fprintf(stderr, "tarn view: this program was built without a window, and so without saved worlds\n");
	return false;
}

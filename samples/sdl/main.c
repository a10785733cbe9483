// SPDX-License-Identifier: MIT

// A host of its own: a window of SDL2, OpenGL 3.3, and two shaders that draw the surface of a world (tarn/surface.h). Click to pour
// water. `sdl_host FRAMES FILE.ppm` ends after so many frames and keeps the last as a picture.

#define GL_GLEXT_PROTOTYPES
#include "water_shaders.h"

#include <SDL2/SDL.h>
#include <SDL2/SDL_opengl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tarn/tarn.h>

enum
{
	cells = 256,
	width = 960,
	height = 540,
};

static GLuint MakeProgram(void)
{
	const char* sources[2] = {s_vertex, s_fragment};
	const GLuint program = glCreateProgram();
	for (int i = 0; i < 2; ++i)
	{
		const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
		char text[1024] = "";
		glShaderSource(shader, 1, &sources[i], NULL);
		glCompileShader(shader);
		glGetShaderInfoLog(shader, sizeof(text), NULL, text);
		fputs(text, stderr);
		glAttachShader(program, shader);
	}
	glLinkProgram(program);
	glUseProgram(program);
	return program;
}

static void MakeTexture(int unit, GLenum inside, GLenum format, GLenum type)
{
	GLuint texture;
	glGenTextures(1, &texture);
	glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, (GLint)inside, cells, cells, 0, format, type, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

// The whole of what a host does with the surface in a frame: upload what has changed.
static void UpdateSurface(tnSurface* surface, const tnWorld* world, float alpha)
{
	static const GLenum formats[3] = {GL_RED, GL_RGBA, GL_RGBA}, types[3] = {GL_FLOAT, GL_HALF_FLOAT, GL_HALF_FLOAT};
	tnSurface_Update(surface, world, alpha);
	const tnSurfaceChanges changes = tnSurface_TakeChanges(surface);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, TN_SURFACE_TILE_SIZE);
	for (int i = 0; i < changes.count; ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, changes.items[i].tile, &tile);
		for (int layer = 0; layer < 3; ++layer)
		{
			glActiveTexture(GL_TEXTURE1 + (GLenum)layer);
			glTexSubImage2D(GL_TEXTURE_2D, 0, tile.column, tile.row, tile.columns, tile.rows, formats[layer],
				types[layer], tile.texels[layer]);
		}
	}
	glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static tnWorld* MakeWorld(float* bed)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = cells;
	def.keepPrevious = true; // for the moments between two steps
	def.method = tn_shallowMethod;
	def.manning = 0.03f;
	tnWorld* world = NULL;
	for (int i = 0; i < cells * cells; ++i)
	{
		const float x = (float)(i % cells), z = (float)(i / cells), hills = sinf(x * 0.045f) * cosf(z * 0.05f);
		bed[i] = 9.0f * hills + 0.05f * x + 2.0f * sinf(x * 0.13f + z * 0.11f);
	}
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		tnWorld_SetTerrain(world, bed);
		tnWorld_FillToLevel(world, 2.0f);
		tnWorld_AddWater(world, (tnVec2){190.0f, 60.0f}, 22.0f, 9000.0f, NULL);
	}
	return world;
}

// Looks from the south at the middle of the world.
static void SetCamera(GLuint program)
{
	const float eye[3] = {128.0f, 95.0f, 300.0f}, pitch = 0.55f, c = cosf(pitch), s = sinf(pitch);
	const float near = 1.0f, far = 700.0f, zoom = 1.6f, a = (far + near) / (near - far),
				b = 2.0f * far * near / (near - far);
	// Row by row: view is a turn about x after a shift by the eye.
	const float up = -c * eye[1] + s * eye[2], back = -s * eye[1] - c * eye[2];
	const float matrix[16] = {zoom * height / width, 0, 0, -zoom * height / width * eye[0], 0, zoom * c, -zoom * s,
		zoom * up, 0, a * s, a * c, a * back + b, 0, -s, -c, -back};
	glUniformMatrix4fv(glGetUniformLocation(program, "camera"), 1, GL_TRUE, matrix);
	glUniform3f(glGetUniformLocation(program, "eye"), eye[0], eye[1], eye[2]);
}

static void KeepPicture(const char* path)
{
	static unsigned char pixels[width * height * 3];
	glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
	FILE* file = fopen(path, "wb");
	for (int row = height - 1; file != NULL && row >= -1; --row)
	{
		(void)(row == height - 1 ? fprintf(file, "P6 %d %d 255\n", width, height) : 0);
		(void)(row >= 0 ? fwrite(pixels + (size_t)row * width * 3, 3, width, file) : (size_t)fclose(file));
	}
}

int main(int argc, char** argv)
{
	static float bed[cells * cells];
	const int frameCount = argc > 1 ? atoi(argv[1]) : -1;
	tnWorld* world = MakeWorld(bed);
	tnSurface* surface = NULL;
	const tnSurfaceDef def = tnDefaultSurfaceDef(); // height; depth, velocity, foam; slopes, wetness, bend
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
	SDL_Window* window = SDL_Init(SDL_INIT_VIDEO) == 0
		? SDL_CreateWindow("tarn", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, SDL_WINDOW_OPENGL)
		: NULL;
	if (window == NULL || SDL_GL_CreateContext(window) == NULL ||
		tnCreateSurface(world, &def, &surface).status != tn_ok)
	{
		fprintf(stderr, "%s\n", SDL_GetError());
		return 1;
	}
	const GLuint program = MakeProgram();
	const char* names[4] = {"bedMap", "heightMap", "flowMap", "slopeMap"};
	for (int i = 0; i < 4; ++i)
	{
		MakeTexture(i, i < 2 ? GL_R32F : GL_RGBA16F, i < 2 ? GL_RED : GL_RGBA, i < 2 ? GL_FLOAT : GL_HALF_FLOAT);
		glUniform1i(glGetUniformLocation(program, names[i]), i);
	}
	glActiveTexture(GL_TEXTURE0);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, cells, cells, GL_RED, GL_FLOAT, bed);
	GLuint array;
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	glUniform1i(glGetUniformLocation(program, "cells"), cells);
	SetCamera(program);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glClearColor(0.62f, 0.75f, 0.88f, 1.0f);
	const double step = 1.0 / 60.0;
	double ahead = 0.0;
	bool running = true;
	for (int frame = 0; running && frame != frameCount; ++frame)
	{
		SDL_Event event;
		while (SDL_PollEvent(&event) != 0)
		{
			running = event.type != SDL_QUIT;
			if (event.type == SDL_MOUSEBUTTONDOWN)
			{
				const tnVec2 place = {cells * (float)event.button.x / width, cells * (float)event.button.y / height};
				tnWorld_AddWater(world, place, 10.0f, 1500.0f, NULL);
			}
		}
		// Steps have a fixed length; a picture shows a moment between the last two.
		for (ahead += 1.0 / 50.0; ahead >= step; ahead -= step)
		{
			tnWorld_Step(world, (float)step);
		}
		UpdateSurface(surface, world, (float)(ahead / step));
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		glEnable(GL_DEPTH_TEST);
		for (int water = 0; water < 2; ++water)
		{
			(water != 0 ? glEnable : glDisable)(GL_BLEND);
			glUniform1i(glGetUniformLocation(program, "water"), water);
			glDrawArrays(GL_TRIANGLES, 0, 6 * (cells - 1) * (cells - 1));
		}
		if (frame == frameCount - 1 && argc > 2)
		{
			KeepPicture(argv[2]);
		}
		SDL_GL_SwapWindow(window);
	}
	tnDestroySurface(surface);
	tnDestroyWorld(world);
	SDL_Quit();
	return 0;
}

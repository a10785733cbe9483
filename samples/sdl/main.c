// SPDX-License-Identifier: MIT

// A host of its own: a window of SDL2, OpenGL 3.3, and two shaders that draw the surface of a world (tarn/surface.h). Click to pour
// water. `sdl_host FRAMES FILE.bmp` ends after so many frames and keeps the last as a picture. docs/rendering.md explains it.

#define GL_GLEXT_PROTOTYPES
#include <SDL2/SDL.h>
#include <SDL2/SDL_opengl.h>
#include <tarn/tarn.h>

enum
{
	cells = 256,
	width = 960,
	height = 540
};

// Two triangles for each quad between the middles of four cells, once for the ground and once for the water.
static const char s_vertex[] =
	"#version 330 core\nuniform sampler2D heightMap, flowMap, slopeMap;\n"
	"uniform mat4 camera; uniform int cells; uniform bool water;\n"
	"out vec3 place; out float depth; out vec4 flow, slope; void main() {\n"
	"	int corner = gl_VertexID % 6, quad = gl_VertexID / 6;\n"
	"	ivec2 step = ivec2(corner == 1 || corner > 3, corner == 2 || corner == 3 || corner == 5);\n"
	"	ivec2 cell = ivec2(quad % (cells - 1), quad / (cells - 1)) + step;\n"
	"	float surface = texelFetch(heightMap, cell, 0).r, bed = texelFetch(heightMap, cell, 0).g;\n"
	"	flow = texelFetch(flowMap, cell, 0); slope = texelFetch(slopeMap, cell, 0); depth = surface - bed;\n"
	"	place = vec3(float(cell.x) + 0.5, water ? surface : bed, float(cell.y) + 0.5);\n"
	"	gl_Position = camera * vec4(place, 1.0);}\n";

// Ground is darker where it is wet. The shore is where the surface meets the ground, between two cells.
static const char s_fragment[] =
	"#version 330 core\nuniform bool water; uniform vec3 eye;\n"
	"in vec3 place; in float depth; in vec4 flow, slope; out vec4 color;\n"
	"const vec3 sun = vec3(-0.48, 0.72, 0.5); void main() {\n"
	"	vec3 toEye = normalize(eye - place), up = normalize(cross(dFdx(place), dFdy(place)));\n"
	"	vec3 n = water ? normalize(vec3(-slope.x, 1.0, -slope.y)) : up * sign(up.y);\n"
	"	vec3 ground = mix(vec3(0.30, 0.42, 0.16), vec3(0.42, 0.38, 0.33), smoothstep(0.9, 0.7, n.y));\n"
	"	color = vec4(ground * mix(1.0, 0.55, slope.z) * (0.35 + 0.9 * max(dot(n, sun), 0.0)), 1.0);\n"
	"	if (!water) return; if (depth <= 0.0) discard;\n"
	"	float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(n, toEye), 0.0), 5.0);\n"
	"	vec3 sky = mix(vec3(0.75, 0.84, 0.92), vec3(0.28, 0.48, 0.75), max(reflect(-toEye, n).y, 0.0));\n"
	"	vec3 body = mix(vec3(0.10, 0.42, 0.42), vec3(0.01, 0.12, 0.20), 1.0 - exp(-0.35 * depth));\n"
	"	vec3 lit = mix(body, sky, fresnel) + pow(max(dot(reflect(-sun, n), toEye), 0.0), 200.0);\n"
	"	color = vec4(mix(lit, vec3(0.92), clamp(flow.w, 0.0, 1.0)),\n"
	"		clamp(1.0 - exp(-1.5 * depth) + fresnel, 0.0, 1.0) * smoothstep(0.0, 0.05, depth));}\n";

// 0 if a shader is wrong.
static GLuint MakeProgram(void)
{
	GLint works = GL_FALSE;
	const char* sources[2] = {s_vertex, s_fragment};
	const GLuint program = glCreateProgram();
	for (int i = 0; i < 2; ++i)
	{
		const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
		glShaderSource(shader, 1, &sources[i], NULL);
		glCompileShader(shader);
		glAttachShader(program, shader);
	}
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &works);
	glUseProgram(program);
	return works == GL_TRUE ? program : 0;
}

// The whole of what a host does with the surface in a frame: upload what has changed.
static void UpdateSurface(tnSurface* surface, const tnWorld* world, float alpha)
{
	tnSurface_Update(surface, world, alpha);
	const tnSurfaceChanges changes = tnSurface_TakeChanges(surface);
	for (int i = 0; i < 3 * changes.count; ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, changes.items[i / 3].tile, &tile);
		const int layer = i % 3; // the first is of floats, the others of halves
		glActiveTexture(GL_TEXTURE0 + (GLenum)layer);
		glTexSubImage2D(GL_TEXTURE_2D, 0, tile.column, tile.row, tile.columns, tile.rows, layer == 0 ? GL_RG : GL_RGBA,
			layer == 0 ? GL_FLOAT : GL_HALF_FLOAT, tile.texels[layer]);
	}
}

static tnWorld* MakeWorld(void)
{
	static float bed[cells * cells];
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = cells;
	def.keepPrevious = true; // for the moments between two steps
	def.method = tn_shallowMethod;
	tnWorld* world = NULL;
	for (int i = 0; i < cells * cells; ++i)
	{
		const float x = (float)(i % cells), z = (float)(i / cells);
		bed[i] = 9.0f * SDL_sinf(x * 0.045f) * SDL_cosf(z * 0.05f) + 0.05f * x + 2.0f * SDL_sinf(x * 0.13f + z * 0.11f);
	}
	tnCreateWorld(&def, &world);
	tnWorld_SetTerrain(world, bed);
	tnWorld_FillToLevel(world, 2.0f);
	tnWorld_AddWater(world, (tnVec2){190.0f, 60.0f}, 22.0f, 9000.0f, NULL);
	return world;
}

static void KeepPicture(const char* path)
{
	SDL_Surface* picture = SDL_CreateRGBSurfaceWithFormat(0, width, height, 24, SDL_PIXELFORMAT_RGB24);
	for (int row = 0; row < height; ++row)
	{
		void* pixels = (char*)picture->pixels + row * picture->pitch;
		glReadPixels(0, height - 1 - row, width, 1, GL_RGB, GL_UNSIGNED_BYTE, pixels);
	}
	SDL_SaveBMP(picture, path);
	SDL_FreeSurface(picture);
}

int main(int argc, char** argv)
{
	const int frameCount = argc > 1 ? SDL_atoi(argv[1]) : -1;
	tnWorld* world = MakeWorld();
	tnSurface* surface = NULL;
	tnSurfaceDef def = tnDefaultSurfaceDef(); // height; depth, velocity, foam; slopes, wetness, bend
	def.layers[0].channels[1] = tn_surfaceBed;
	def.layers[0].channelCount = 2;
	const tnResult made = tnCreateSurface(world, &def, &surface);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
	SDL_Init(SDL_INIT_VIDEO);
	SDL_Window* window = SDL_CreateWindow("tarn", 0, 0, width, height, SDL_WINDOW_OPENGL);
	const GLuint program = SDL_GL_CreateContext(window) != NULL ? MakeProgram() : 0;
	if (made.status != tn_ok || program == 0)
	{
		SDL_Log("no world, window or shaders: %s %s", made.text, SDL_GetError());
		return 1;
	}
	static const char* const names[3] = {"heightMap", "flowMap", "slopeMap"};
	GLuint textures[3];
	glGenTextures(3, textures);
	for (int i = 0; i < 3; ++i)
	{
		glActiveTexture(GL_TEXTURE0 + (GLenum)i);
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, i == 0 ? GL_RG32F : GL_RGBA16F, cells, cells, 0, GL_RGBA, GL_FLOAT, NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
		glUniform1i(glGetUniformLocation(program, names[i]), i);
	}
	glPixelStorei(GL_UNPACK_ROW_LENGTH, TN_SURFACE_TILE_SIZE);
	GLuint array;
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	const GLint water = glGetUniformLocation(program, "water");
	// The camera looks from the south at the middle of the world: a turn about x after a shift by the eye, row by row.
	const float eye[3] = {128.0f, 95.0f, 300.0f}, c = SDL_cosf(0.55f), s = SDL_sinf(0.55f), near = 1.0f, far = 700.0f;
	const float zoom = 1.6f, a = (far + near) / (near - far), b = 2.0f * far * near / (near - far);
	const float up = -c * eye[1] + s * eye[2], back = -s * eye[1] - c * eye[2], wide = zoom * height / width;
	const float matrix[16] = {
		wide, 0, 0, -wide * eye[0], 0, zoom * c, -zoom * s, zoom * up, 0, a * s, a * c, a * back + b, 0, -s, -c, -back};
	glUniform1i(glGetUniformLocation(program, "cells"), cells);
	glUniformMatrix4fv(glGetUniformLocation(program, "camera"), 1, GL_TRUE, matrix);
	glUniform3f(glGetUniformLocation(program, "eye"), eye[0], eye[1], eye[2]);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glClearColor(0.62f, 0.75f, 0.88f, 1.0f);
	const float step = 1.0f / 60.0f;
	float ahead = 0.0f;
	bool running = true;
	for (int frame = 0; running && frame != frameCount; ++frame)
	{
		for (SDL_Event event; SDL_PollEvent(&event) != 0;)
		{
			running = running && event.type != SDL_QUIT;
			const tnVec2 place = {cells * (float)event.button.x / width, cells * (float)event.button.y / height};
			(void)(event.type == SDL_MOUSEBUTTONDOWN && tnWorld_AddWater(world, place, 10.0f, 1500.0f, NULL).status);
		}
		// Steps have a fixed length; a picture shows a moment between the last two.
		for (ahead += 0.02f; ahead >= step; ahead -= step)
		{
			tnWorld_Step(world, step);
		}
		UpdateSurface(surface, world, ahead / step);
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		for (int i = 0; i < 2; ++i)
		{
			glUniform1i(water, i);
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

// SPDX-License-Identifier: MIT

// Water over the picture of a host that draws with OpenGL of its own, in both kinds of OpenGL: where it goes and where not, what it
// leaves alone, wrong input.

#include "canvas.h"

#include <GLES3/gl3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columnCount = 96,
	rowCount = 80,
};

// A host: a picture in two textures, and a program that draws ground and a post in it.
typedef struct Host
{
	Canvas canvas;
	bool isDesktop;
	GLuint framebuffer, color, depth, program, vertexArray, buffer;
	int vertexCount;
	float matrix[16];
	tnVec3 eye;
} Host;

static float GetBed(float x, float z)
{
	return 3.0f * sinf(x * 0.09f) * cosf(z * 0.08f) + 0.02f * x;
}

// How much the ground looks towards where a way comes from, times the length of that. Little: a pixel has more than that place.
static float GetFacing(tnVec2 place, tnVec3 way)
{
	const float x = place.x + 20.0f, z = place.z - 35.0f;
	const float slopeX = GetBed(x + 0.5f, z) - GetBed(x - 0.5f, z), slopeZ = GetBed(x, z + 0.5f) - GetBed(x, z - 0.5f);
	return (way.x * slopeX + way.z * slopeZ - way.y) / sqrtf(1.0f + slopeX * slopeX + slopeZ * slopeZ);
}

static tnWorld* MakeWorld(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.origin = (tnVec2){-20.0f, 35.0f};
	def.keepPrevious = true;
	def.spray.enable = true;
	tnWorld* world = NULL;
	static float bed[columnCount * rowCount];
	for (int i = 0; i < columnCount * rowCount; ++i)
	{
		bed[i] = GetBed((float)(i % columnCount) + 0.5f, (float)(i / columnCount) + 0.5f);
	}
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		tnWorld_SetTerrain(world, bed);
		tnWorld_FillToLevel(world, 0.8f);
		tnJetDef jet = tnDefaultJetDef();
		jet.position = (tnVec3){40.0f, 2.0f, 103.0f};
		jet.velocity = (tnVec3){-4.0f, 7.0f, 0.0f};
		tnJetId id;
		tnWorld_CreateJet(world, &jet, &id);
		for (int i = 0; i < 60; ++i)
		{
			tnWorld_Step(world, 1.0f / 60.0f);
		}
	}
	return world;
}

static void AddCorner(float** out, float x, float y, float z, float red)
{
	const float numbers[4] = {x - 20.0f, y, z + 35.0f, red};
	memcpy(*out, numbers, sizeof(numbers));
	*out += 4;
}

static void AddQuad(float** out, const tnVec3 corners[4], float red)
{
	static const int order[6] = {0, 1, 2, 2, 1, 3};
	for (int i = 0; i < 6; ++i)
	{
		AddCorner(out, corners[order[i]].x, corners[order[i]].y, corners[order[i]].z, red);
	}
}

static const char s_vertex[] = "in vec4 place; out float vRed; out float vHigh; uniform mat4 matrix;\n"
							   "void main() { vRed = place.w; vHigh = place.y;\n"
							   "gl_Position = matrix * vec4(place.xyz, 1.0); }\n";
static const char s_fragment[] = "in float vRed; in float vHigh; out vec4 color;\n"
								 "void main() { vec3 ground = vec3(0.35, 0.42, 0.22) + 0.05 * vHigh;\n"
								 "color = vec4(mix(ground, vec3(0.8, 0.1, 0.1), vRed), 1.0); }\n";

static GLuint MakeProgram(bool isDesktop)
{
	const char* start = isDesktop ? "#version 330 core\n" : "#version 300 es\nprecision highp float;\n";
	const GLuint program = glCreateProgram();
	for (int i = 0; i < 2; ++i)
	{
		const char* texts[2] = {start, i == 0 ? s_vertex : s_fragment};
		const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
		glShaderSource(shader, 2, texts, NULL);
		glCompileShader(shader);
		glAttachShader(program, shader);
		glDeleteShader(shader);
	}
	glBindAttribLocation(program, 0, "place");
	glLinkProgram(program);
	return program;
}

static GLuint MakePicture(GLenum inside, GLenum format, GLenum type)
{
	GLuint texture;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	// With the filters that textures have at first, which need levels that this has not.
	glTexImage2D(GL_TEXTURE_2D, 0, (GLint)inside, width, height, 0, format, type, NULL);
	return texture;
}

static void MakeMatrix(Host* host)
{
	host->eye = (tnVec3){28.0f, 16.0f, 128.0f};
	const float pitch = 0.3f, c = cosf(pitch), s = sinf(pitch), near = 1.0f, far = 300.0f, zoom = 1.5f;
	const float a = (far + near) / (near - far), b = 2.0f * far * near / (near - far);
	const float x = host->eye.x, up = -c * host->eye.y + s * host->eye.z, back = -s * host->eye.y - c * host->eye.z;
	const float aspect = (float)width / (float)height;
	const float rows[4][4] = {{zoom / aspect, 0.0f, 0.0f, -zoom / aspect * x}, {0.0f, zoom * c, -zoom * s, zoom * up},
		{0.0f, a * s, a * c, a * back + b}, {0.0f, -s, -c, -back}};
	for (int i = 0; i < 16; ++i)
	{
		host->matrix[i] = rows[i % 4][i / 4];
	}
}

static void MakeMesh(Host* host)
{
	const size_t quads = (columnCount - 1) * (rowCount - 1) + 2;
	float* numbers = malloc(quads * 6 * 4 * sizeof(float));
	float* out = numbers;
	for (int i = 0; i < (columnCount - 1) * (rowCount - 1); ++i)
	{
		const float x = (float)(i % (columnCount - 1)) + 0.5f, z = (float)(i / (columnCount - 1)) + 0.5f;
		const tnVec3 corners[4] = {{x, GetBed(x, z), z}, {x, GetBed(x, z + 1.0f), z + 1.0f},
			{x + 1.0f, GetBed(x + 1.0f, z), z}, {x + 1.0f, GetBed(x + 1.0f, z + 1.0f), z + 1.0f}};
		AddQuad(&out, corners, 0.0f);
	}
	// A post in the water, and one in the air before it.
	for (int i = 0; i < 2; ++i)
	{
		const float x = i == 0 ? 52.0f : 40.0f, z = i == 0 ? 66.0f : 72.0f, low = i == 0 ? -4.0f : 4.0f;
		const tnVec3 corners[4] = {{x, low, z}, {x + 3.0f, low, z}, {x, low + 8.0f, z}, {x + 3.0f, low + 8.0f, z}};
		AddQuad(&out, corners, 1.0f);
	}
	host->vertexCount = (int)(quads * 6);
	glGenVertexArrays(1, &host->vertexArray);
	glBindVertexArray(host->vertexArray);
	glGenBuffers(1, &host->buffer);
	glBindBuffer(GL_ARRAY_BUFFER, host->buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(quads * 6 * 4 * sizeof(float)), numbers, GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
	free(numbers);
}

static bool OpenHost(Host* host, bool isDesktop)
{
	tnrResult result;
	*host = (Host){.isDesktop = isDesktop};
	host->canvas.headless =
		isDesktop ? tnrCreateDesktopHeadless(width, height, &result) : tnrCreateHeadless(width, height, &result);
	if (host->canvas.headless != NULL)
	{
		host->canvas.renderer = tnrCreateRenderer(&result);
	}
	if (host->canvas.renderer == NULL)
	{
		printf("%s\n", result.text);
		return false;
	}
	host->color = MakePicture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
	host->depth = MakePicture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
	glGenFramebuffers(1, &host->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, host->color, 0);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, host->depth, 0);
	host->program = MakeProgram(isDesktop);
	MakeMatrix(host);
	MakeMesh(host);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void CloseHost(Host* host)
{
	glDeleteFramebuffers(1, &host->framebuffer);
	glDeleteTextures(1, &host->color);
	glDeleteTextures(1, &host->depth);
	glDeleteProgram(host->program);
	glDeleteBuffers(1, &host->buffer);
	glDeleteVertexArrays(1, &host->vertexArray);
	CloseCanvas(&host->canvas);
}

// The picture without water.
static void DrawHost(const Host* host)
{
	glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
	glViewport(0, 0, width, height);
	glDisable(GL_BLEND);
	glEnable(GL_DEPTH_TEST);
	glClearColor(0.6f, 0.75f, 0.9f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glUseProgram(host->program);
	glUniformMatrix4fv(glGetUniformLocation(host->program, "matrix"), 1, GL_FALSE, host->matrix);
	glBindVertexArray(host->vertexArray);
	glDrawArrays(GL_TRIANGLES, 0, host->vertexCount);
}

static void ReadHost(Host* host, uint8_t* pixels)
{
	static uint8_t rgba[width * height * 4];
	glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
	for (int i = 0; i < width * height; ++i)
	{
		const int from = (height - 1 - i / width) * width + i % width;
		memcpy(pixels + 3 * i, rgba + 4 * from, 3);
	}
}

static tnrOverFrame GetOverFrame(const Host* host)
{
	tnrOverFrame frame = tnrDefaultOverFrame();
	memcpy(frame.viewProjection, host->matrix, sizeof(frame.viewProjection));
	frame.eye = host->eye;
	frame.time = 10.0;
	frame.colorTexture = host->color;
	frame.depthTexture = host->depth;
	frame.framebuffer = host->framebuffer;
	frame.width = width;
	frame.height = height;
	return frame;
}

// Where a place is in the picture, and how deep. False if it is not.
static bool ProjectPlace(const Host* host, tnVec3 place, int* x, int* y, float* depth)
{
	float clip[4];
	for (int i = 0; i < 4; ++i)
	{
		const float* m = host->matrix + i;
		clip[i] = m[0] * place.x + m[4] * place.y + m[8] * place.z + m[12];
	}
	*x = (int)((clip[0] / clip[3] * 0.5f + 0.5f) * width);
	*y = (int)((0.5f - clip[1] / clip[3] * 0.5f) * height);
	*depth = clip[2] / clip[3] * 0.5f + 0.5f;
	return clip[3] > 0.0f && *x >= 0 && *y >= 0 && *x < width && *y < height;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is drawn

// Water is where the world has water that is seen, and nowhere else. Land, posts before it and the sky keep their bytes.
static int DrawsOnlyWater(void)
{
	static uint8_t before[byteCount], pictures[2][byteCount];
	for (int kind = 0; kind < 2; ++kind)
	{
		static Host host;
		tnWorld* world = MakeWorld();
		ENSURE(world != NULL && OpenHost(&host, kind == 1));
		ENSURE(tnrRenderer_SetWorld(host.canvas.renderer, world, NULL).ok);
		DrawHost(&host);
		ReadHost(&host, before);
		const tnrOverFrame frame = GetOverFrame(&host);
		const tnrResult result = tnrRenderer_DrawOver(host.canvas.renderer, &frame);
		ENSURE_TEXT(result.text, "");
		ENSURE(result.ok);
		ENSURE_EQUAL_INT((int)glGetError(), GL_NO_ERROR);
		ReadHost(&host, pictures[kind]);
		int wetCount = 0, dryCount = 0, wrong = 0;
		for (int i = 0; i < columnCount * rowCount; i += 3)
		{
			const tnVec2 place = {-20.0f + (float)(i % columnCount) + 0.5f, 35.0f + (float)(i / columnCount) + 0.5f};
			const tnSample sample = tnWorld_Sample(world, place);
			// At the rim of the world the host has no ground, and what it has ends in the middle of cells.
			const bool isRim = i % columnCount < 2 || i % columnCount >= columnCount - 2;
			const bool isWet = sample.wet && sample.depth > 0.3f && !isRim;
			const bool isDry = !sample.wet && sample.bed > 1.3f;
			const tnVec3 point = {place.x, isWet ? sample.surface : sample.bed, place.z};
			int x, y;
			float depth;
			tnRayHit hit;
			const tnVec3 way = {point.x - host.eye.x, point.y - host.eye.y, point.z - host.eye.z};
			const float length = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
			if (!(isWet || isDry) || !ProjectPlace(&host, point, &x, &y, &depth) ||
				tnWorld_CastRay(
					world, host.eye, (tnVec3){way.x / length, way.y / length, way.z / length}, 1000.0f, &hit)
						.status != tn_ok ||
				!hit.hit || fabsf(hit.distance - length) > 0.3f || GetFacing(place, way) < 0.08f * length)
			{
				continue;
			}
			const uint8_t* old = GetPixel(before, x, y);
			const bool isPost = old[0] > 180 && old[1] < 60;
			const bool same = memcmp(old, GetPixel(pictures[kind], x, y), 3) == 0;
			wetCount += isWet && !isPost ? 1 : 0;
			dryCount += isDry ? 1 : 0;
			wrong += isWet && !isPost && same ? 1 : 0;
			wrong += isDry && !same ? 1 : 0;
		}
		printf("%s: %d wet, %d dry places, %d wrong\n", kind == 1 ? "desktop" : "embedded", wetCount, dryCount, wrong);
		ENSURE(wetCount > 200 && dryCount > 200);
		ENSURE_EQUAL_INT(wrong, 0);

		// The upper part of the post in the water and all of the other one, away from the rims and the jet.
		for (int i = 0; i < 2; ++i)
		{
			int x, y;
			float depth;
			const tnVec3 middle = i == 0 ? (tnVec3){33.5f, 3.0f, 101.0f} : (tnVec3){21.5f, 10.0f, 107.0f};
			ENSURE(ProjectPlace(&host, middle, &x, &y, &depth));
			ENSURE(GetPixel(before, x, y)[0] > 180 && GetPixel(before, x, y)[1] < 60);
			ENSURE(memcmp(GetPixel(before, x, y), GetPixel(pictures[kind], x, y), 3) == 0);
		}
		memcpy(host.canvas.pixels, pictures[kind], byteCount);
		if (kind == 0)
		{
			ENSURE_EQUAL_INT(CompareGolden(&host.canvas, "over_host"), 0);
		}
		CloseHost(&host);
		tnDestroyWorld(world);
	}
	// Both kinds of OpenGL make the same picture.
	int unlike = 0;
	for (int i = 0; i < width * height; ++i)
	{
		unlike += GetDifference(pictures[0] + 3 * i, pictures[1] + 3 * i) > 3 ? 1 : 0;
	}
	ENSURE(unlike < width * height / 200);
	return 0;
}

// A depth buffer has the water afterwards: what the host draws next is hidden behind it.
static int WritesDepth(void)
{
	static Host host;
	static uint8_t before[byteCount], after[byteCount];
	tnWorld* world = MakeWorld();
	ENSURE(world != NULL && OpenHost(&host, false));
	ENSURE(tnrRenderer_SetWorld(host.canvas.renderer, world, NULL).ok);
	DrawHost(&host);
	const tnrOverFrame frame = GetOverFrame(&host);
	ENSURE(tnrRenderer_DrawOver(host.canvas.renderer, &frame).ok);
	ReadHost(&host, before);
	// The host's ground once more, where it is nearer or as near: only over land.
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	glUseProgram(host.program);
	glBindVertexArray(host.vertexArray);
	glBindFramebuffer(GL_FRAMEBUFFER, host.framebuffer);
	glViewport(0, 0, width, height);
	glDrawArrays(GL_TRIANGLES, 0, host.vertexCount);
	ReadHost(&host, after);
	int unlike = 0;
	for (int i = 0; i < width * height; ++i)
	{
		unlike += GetDifference(before + 3 * i, after + 3 * i) > 0 ? 1 : 0;
	}
	// Spray has no depth, and the last centimeters at shores are mixed.
	ENSURE(unlike < width * height / 50);
	CloseHost(&host);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// State

typedef struct State
{
	GLint64 numbers[400];
	int count;
} State;

static void Keep(State* state, GLint64 number)
{
	state->numbers[state->count] = number;
	state->count += state->count < 399 ? 1 : 0;
}

static void KeepAll(State* state, GLenum name, int count)
{
	GLint numbers[4] = {0};
	glGetIntegerv(name, numbers);
	for (int i = 0; i < count; ++i)
	{
		Keep(state, numbers[i]);
	}
}

// All of it that can be asked for.
static State AskState(bool isDesktop)
{
	static const GLenum singles[] = {GL_ACTIVE_TEXTURE, GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING,
		GL_ARRAY_BUFFER_BINDING, GL_ELEMENT_ARRAY_BUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER_BINDING,
		GL_PIXEL_PACK_BUFFER_BINDING, GL_COPY_READ_BUFFER_BINDING, GL_COPY_WRITE_BUFFER_BINDING,
		GL_UNIFORM_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_DRAW_FRAMEBUFFER_BINDING,
		GL_READ_FRAMEBUFFER_BINDING, GL_RENDERBUFFER_BINDING, GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH,
		GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_IMAGES, GL_PACK_ALIGNMENT,
		GL_PACK_ROW_LENGTH, GL_PACK_SKIP_PIXELS, GL_PACK_SKIP_ROWS, GL_BLEND_SRC_RGB, GL_BLEND_SRC_ALPHA,
		GL_BLEND_DST_RGB, GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA, GL_CULL_FACE_MODE,
		GL_FRONT_FACE, GL_DEPTH_FUNC, GL_DEPTH_WRITEMASK, GL_STENCIL_FUNC, GL_STENCIL_REF, GL_STENCIL_VALUE_MASK,
		GL_STENCIL_FAIL, GL_STENCIL_PASS_DEPTH_FAIL, GL_STENCIL_PASS_DEPTH_PASS, GL_STENCIL_WRITEMASK, GL_READ_BUFFER,
		GL_DRAW_BUFFER0, GL_DEPTH_CLEAR_VALUE, GL_STENCIL_CLEAR_VALUE};
	static const GLenum flags[] = {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_DITHER, GL_POLYGON_OFFSET_FILL,
		GL_RASTERIZER_DISCARD, GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_SCISSOR_TEST, GL_STENCIL_TEST};
	// PRIMITIVE_RESTART, FRAMEBUFFER_SRGB, COLOR_LOGIC_OP, DEPTH_CLAMP, CLIP_DISTANCE0.
	static const GLenum desktopFlags[] = {0x8F9D, 0x8DB9, 0x0BF2, 0x864F, 0x3000};
	static State state;
	state.count = 0;
	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); ++i)
	{
		KeepAll(&state, singles[i], 1);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i)
	{
		Keep(&state, glIsEnabled(flags[i]));
	}
	for (size_t i = 0; isDesktop && i < sizeof(desktopFlags) / sizeof(desktopFlags[0]); ++i)
	{
		Keep(&state, glIsEnabled(desktopFlags[i]));
	}
	KeepAll(&state, GL_VIEWPORT, 4);
	KeepAll(&state, GL_SCISSOR_BOX, 4);
	KeepAll(&state, GL_COLOR_WRITEMASK, 4);
	KeepAll(&state, GL_DEPTH_RANGE, 2);
	GLfloat floats[6] = {0};
	glGetFloatv(GL_COLOR_CLEAR_VALUE, floats);
	glGetFloatv(GL_POLYGON_OFFSET_FACTOR, floats + 4);
	glGetFloatv(GL_POLYGON_OFFSET_UNITS, floats + 5);
	for (int i = 0; i < 6; ++i)
	{
		Keep(&state, (GLint64)(floats[i] * 1000.0f));
	}
	GLint active;
	glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
	for (int unit = 0; unit < 32; ++unit)
	{
		glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
		KeepAll(&state, GL_TEXTURE_BINDING_2D, 1);
		KeepAll(&state, GL_TEXTURE_BINDING_2D_ARRAY, 1);
		KeepAll(&state, GL_TEXTURE_BINDING_CUBE_MAP, 1);
		KeepAll(&state, GL_TEXTURE_BINDING_3D, 1);
		KeepAll(&state, GL_SAMPLER_BINDING, 1);
	}
	glActiveTexture((GLenum)active);
	for (GLuint i = 0; i < 4; ++i)
	{
		GLint buffer = 0;
		GLint64 start = 0, size = 0;
		glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, i, &buffer);
		glGetInteger64i_v(GL_UNIFORM_BUFFER_START, i, &start);
		glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, i, &size);
		Keep(&state, buffer);
		Keep(&state, start);
		Keep(&state, size);
	}
	for (GLuint i = 0; i < 8; ++i)
	{
		GLint on = 0;
		glGetVertexAttribiv(i, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &on);
		Keep(&state, on);
	}
	return state;
}

// As unlike what one finds at first as can be.
static void SpoilState(const Host* host)
{
	GLuint things[4];
	GLuint sampler;
	glGenTextures(2, things);
	glGenBuffers(2, things + 2);
	glGenSamplers(1, &sampler);
	glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
	for (int unit = 0; unit < 22; unit += 3)
	{
		glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
		glBindTexture(GL_TEXTURE_2D, host->color);
		glBindTexture(GL_TEXTURE_2D_ARRAY, things[1]);
		glBindSampler((GLuint)unit, sampler);
	}
	glActiveTexture(GL_TEXTURE7);
	glBindBuffer(GL_UNIFORM_BUFFER, things[2]);
	glBufferData(GL_UNIFORM_BUFFER, 4096, NULL, GL_STATIC_DRAW);
	glBindBufferRange(GL_UNIFORM_BUFFER, 0, things[2], 256, 1024);
	glBindBufferBase(GL_UNIFORM_BUFFER, 1, things[2]);
	glBindBuffer(GL_PIXEL_UNPACK_BUFFER, things[3]);
	glBufferData(GL_PIXEL_UNPACK_BUFFER, 64, NULL, GL_STATIC_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, host->buffer);
	glBindVertexArray(host->vertexArray);
	glUseProgram(host->program);
	glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
	glViewport(3, 5, 70, 40);
	glScissor(2, 2, 30, 20);
	static const GLenum flags[] = {GL_BLEND, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_POLYGON_OFFSET_FILL,
		GL_SAMPLE_ALPHA_TO_COVERAGE, GL_RASTERIZER_DISCARD};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i)
	{
		glEnable(flags[i]);
	}
	glDisable(GL_DEPTH_TEST);
	glBlendFuncSeparate(GL_DST_COLOR, GL_ZERO, GL_ONE, GL_ONE);
	glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
	glCullFace(GL_FRONT);
	glFrontFace(GL_CW);
	glDepthFunc(GL_GREATER);
	glDepthMask(GL_FALSE);
	glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
	glStencilFunc(GL_NEVER, 3, 0x0F);
	glPolygonOffset(5.0f, 7.0f);
	glClearColor(0.1f, 0.2f, 0.3f, 0.4f);
	glClearDepthf(0.25f);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, 17);
	glPixelStorei(GL_UNPACK_SKIP_ROWS, 3);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	if (host->isDesktop)
	{
		glEnable(0x8DB9);
		glEnable(0x864F);
		glEnable(0x8F9D);
	}
}

// Whatever a host has set, all of it is the same afterwards, and does not spoil the picture.
static int LeavesStateAlone(void)
{
	static uint8_t clean[byteCount], spoilt[byteCount];
	for (int kind = 0; kind < 2; ++kind)
	{
		static Host host;
		tnWorld* world = MakeWorld();
		ENSURE(world != NULL && OpenHost(&host, kind == 1));
		tnrRenderer* renderer = host.canvas.renderer;
		tnrRenderer_KeepState(renderer, true);
		ENSURE(tnrRenderer_SetWorld(renderer, world, NULL).ok);
		const tnrOverFrame frame = GetOverFrame(&host);
		DrawHost(&host);
		ENSURE(tnrRenderer_DrawOver(renderer, &frame).ok);
		ReadHost(&host, clean);

		DrawHost(&host);
		SpoilState(&host);
		ENSURE_EQUAL_INT((int)glGetError(), GL_NO_ERROR);
		const State before = AskState(host.isDesktop);
		ENSURE(tnrRenderer_DrawOver(renderer, &frame).ok);
		State after = AskState(host.isDesktop);
		ENSURE(before.count > 250);
		for (int i = 0; i < before.count; ++i)
		{
			ENSURE_EQUAL_INT((int)after.numbers[i], (int)before.numbers[i]);
		}
		// All other calls, because the host has asked for it.
		ENSURE(tnrRenderer_SetWorld(renderer, world, NULL).ok);
		for (int i = 0; i < 3; ++i)
		{
			ENSURE(tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok);
			tnrRenderer_Update(renderer, world, 0.5f);
		}
		tnrFrame whole = MakeFrame(&host.canvas, tnrGetOverview(world));
		tnrRenderer_Draw(renderer, &whole);
		tnrResult result;
		tnrRenderer* second = tnrCreateRenderer(&result);
		ENSURE(second != NULL);
		tnrDestroyRenderer(second);
		after = AskState(host.isDesktop);
		for (int i = 0; i < before.count; ++i)
		{
			ENSURE_EQUAL_INT((int)after.numbers[i], (int)before.numbers[i]);
		}
		ENSURE_EQUAL_INT((int)glGetError(), GL_NO_ERROR);
		CloseHost(&host);
		tnDestroyWorld(world);

		// The picture is that of a host who has set nothing.
		world = MakeWorld();
		ENSURE(world != NULL && OpenHost(&host, kind == 1));
		renderer = host.canvas.renderer;
		tnrRenderer_KeepState(renderer, true);
		DrawHost(&host);
		SpoilState(&host);
		ENSURE(tnrRenderer_SetWorld(renderer, world, NULL).ok);
		const tnrOverFrame again = GetOverFrame(&host);
		ENSURE(tnrRenderer_DrawOver(renderer, &again).ok);
		glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
		ReadHost(&host, spoilt);
		ENSURE(memcmp(clean, spoilt, byteCount) == 0);
		CloseHost(&host);
		tnDestroyWorld(world);
	}
	return 0;
}

// The renderer's own picture is the same in both kinds of OpenGL.
static int DrawsOnDesktops(void)
{
	static uint8_t pictures[2][byteCount];
	for (int kind = 0; kind < 2; ++kind)
	{
		static Host host;
		tnWorld* world = MakeWorld();
		ENSURE(world != NULL && OpenHost(&host, kind == 1));
		ENSURE(tnrRenderer_SetWorld(host.canvas.renderer, world, NULL).ok);
		const tnrFrame frame = MakeFrame(&host.canvas, tnrGetOverview(world));
		Draw(&host.canvas, &frame);
		memcpy(pictures[kind], host.canvas.pixels, byteCount);
		CloseHost(&host);
		tnDestroyWorld(world);
	}
	int unlike = 0;
	for (int i = 0; i < width * height; ++i)
	{
		unlike += GetDifference(pictures[0] + 3 * i, pictures[1] + 3 * i) > 3 ? 1 : 0;
	}
	ENSURE(unlike < width * height / 200);
	return 0;
}

static int RefusesBadFrames(void)
{
	static Host host;
	static uint8_t before[byteCount], after[byteCount];
	tnWorld* world = MakeWorld();
	ENSURE(world != NULL && OpenHost(&host, false));
	const tnrOverFrame good = GetOverFrame(&host);
	tnrResult result = tnrRenderer_DrawOver(host.canvas.renderer, &good);
	ENSURE(!result.ok && strstr(result.text, "tnrRenderer_SetWorld") != NULL);
	ENSURE(tnrRenderer_SetWorld(host.canvas.renderer, world, NULL).ok);
	DrawHost(&host);
	ReadHost(&host, before);
	tnrOverFrame bad = good;
	bad.width = 0;
	result = tnrRenderer_DrawOver(host.canvas.renderer, &bad);
	ENSURE(!result.ok && strstr(result.text, "width") != NULL);
	bad = good;
	bad.depthTexture = 0;
	result = tnrRenderer_DrawOver(host.canvas.renderer, &bad);
	ENSURE(!result.ok && strstr(result.text, "depthTexture") != NULL);
	bad = good;
	bad.viewProjection[7] = NAN;
	result = tnrRenderer_DrawOver(host.canvas.renderer, &bad);
	ENSURE(!result.ok && strstr(result.text, "viewProjection[7]") != NULL);
	bad = good;
	bad.eye.y = INFINITY;
	ENSURE(!tnrRenderer_DrawOver(host.canvas.renderer, &bad).ok);
	bad = good;
	bad.colors = (tnrColors)9;
	result = tnrRenderer_DrawOver(host.canvas.renderer, &bad);
	ENSURE(!result.ok && strstr(result.text, "colors") != NULL && strstr(result.text, "9") != NULL);
	ENSURE(!tnrRenderer_DrawOver(host.canvas.renderer, NULL).ok);
	ENSURE(!tnrRenderer_DrawOver(NULL, &good).ok);
	// A matrix that shows nothing is no mistake.
	bad = good;
	memset(bad.viewProjection, 0, sizeof(bad.viewProjection));
	ENSURE(tnrRenderer_DrawOver(host.canvas.renderer, &bad).ok);
	ReadHost(&host, after);
	ENSURE(memcmp(before, after, byteCount) == 0);
	CloseHost(&host);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"DrawsOnlyWater", DrawsOnlyWater},
	{"WritesDepth", WritesDepth},
	{"LeavesStateAlone", LeavesStateAlone},
	{"DrawsOnDesktops", DrawsOnDesktops},
	{"RefusesBadFrames", RefusesBadFrames},
};
const TestSuite render_overSuite = TEST_SUITE("render_over", s_tests);

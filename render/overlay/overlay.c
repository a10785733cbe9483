// SPDX-License-Identifier: MIT

// Flat drawing on top of a picture: rectangles, lines and text, in few draw calls.

#include "overlay.h"

#include "gl/gl.h"
#include "gl/vectors.h"
#include "overlay/font.h"
#include "shaders.h"

#include <stddef.h>
#include <stdlib.h>

// Every shape is a quad whose fragment shader knows its distance to the rim, so that all edges are soft by a pixel:
//   box       rounded box; lines and discs are boxes too
//   triangle  distances to the three sides, interpolated
//   glyph     a cell of the font's atlas
// Vertices are collected in memory of fixed size; what does not fit is left out.

enum
{
	maxQuads = 16384, // 4 vertices each: indices of 16 bits reach them all
	boxKind = 0,
	triangleKind,
	glyphKind
};

typedef struct Vertex
{
	float x, y;
	// Box: place from its middle, and half size. Triangle: distances. Glyph: place in the atlas, pixels per unit.
	float shape[4];
	float corner, kind;
	// Left, top, right, bottom.
	float clip[4];
	uint8_t color[4];
} Vertex;

struct tnrOverlay
{
	tnrProgram program;
	GLint sizeLocation;
	GLuint vertexArray, vertexBuffer, indexBuffer, font;
	float width, height;
	float clip[4];
	int quadCount;
	Vertex vertices[maxQuads * 4];
};

static void tnrMakeQuadIndices(tnrOverlay* overlay)
{
	uint16_t* indices = malloc(sizeof(uint16_t) * maxQuads * 6);
	for (int i = 0; i < maxQuads && indices != NULL; ++i)
	{
		static const int corners[6] = {0, 1, 2, 2, 1, 3};
		for (int j = 0; j < 6; ++j)
		{
			indices[i * 6 + j] = (uint16_t)(i * 4 + corners[j]);
		}
	}
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, overlay->indexBuffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(sizeof(uint16_t) * maxQuads * 6), indices, GL_STATIC_DRAW);
	free(indices);
}

static void tnrMakeVertexArray(tnrOverlay* overlay)
{
	glGenVertexArrays(1, &overlay->vertexArray);
	glBindVertexArray(overlay->vertexArray);
	glGenBuffers(1, &overlay->vertexBuffer);
	glGenBuffers(1, &overlay->indexBuffer);
	tnrMakeQuadIndices(overlay);
	glBindBuffer(GL_ARRAY_BUFFER, overlay->vertexBuffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(overlay->vertices), NULL, GL_STREAM_DRAW);
	static const struct
	{
		GLint count;
		GLenum type;
		size_t offset;
	} attributes[] = {
		{2, GL_FLOAT, offsetof(Vertex, x)},
		{4, GL_FLOAT, offsetof(Vertex, shape)},
		{2, GL_FLOAT, offsetof(Vertex, corner)},
		{4, GL_FLOAT, offsetof(Vertex, clip)},
		{4, GL_UNSIGNED_BYTE, offsetof(Vertex, color)},
	};
	for (GLuint i = 0; i < 5; ++i)
	{
		glEnableVertexAttribArray(i);
		glVertexAttribPointer(i, attributes[i].count, attributes[i].type, attributes[i].type == GL_UNSIGNED_BYTE,
			(GLsizei)sizeof(Vertex), (const void*)attributes[i].offset);
	}
	glBindVertexArray(0);
}

static bool tnrMakeFontTexture(tnrOverlay* overlay)
{
	uint8_t* texels = malloc((size_t)tnr_fontWidth * tnr_fontHeight);
	if (texels == NULL)
	{
		return false;
	}
	tnrBakeFont(texels);
	overlay->font = tnrMakeTexture(GL_R8, tnr_fontWidth, tnr_fontHeight, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, tnr_fontWidth, tnr_fontHeight, GL_RED, GL_UNSIGNED_BYTE, texels);
	free(texels);
	return true;
}

tnrOverlay* tnrCreateOverlay(tnrResult* result)
{
	tnrResult scratch;
	result = result != NULL ? result : &scratch;
	*result = (tnrResult){.ok = true};
	tnrOverlay* overlay = calloc(1, sizeof(*overlay));
	if (overlay == NULL)
	{
		tnrSetFailure(result, "no memory for the overlay");
		return NULL;
	}
	const char* vertex[] = {s_overlay_vert};
	const char* fragment[] = {s_overlay_frag};
	overlay->program = tnrMakeProgram("overlay", vertex, 1, fragment, 1, result);
	overlay->sizeLocation = tnrFindUniform(&overlay->program, "overlaySize");
	tnrMakeVertexArray(overlay);
	if (tnrMakeFontTexture(overlay) == false)
	{
		tnrSetFailure(result, "no memory for the font");
	}
	if (result->ok == false)
	{
		tnrDestroyOverlay(overlay);
		return NULL;
	}
	return overlay;
}

void tnrDestroyOverlay(tnrOverlay* overlay)
{
	if (overlay == NULL)
	{
		return;
	}
	glDeleteProgram(overlay->program.id);
	glDeleteVertexArrays(1, &overlay->vertexArray);
	glDeleteBuffers(1, &overlay->vertexBuffer);
	glDeleteBuffers(1, &overlay->indexBuffer);
	glDeleteTextures(1, &overlay->font);
	free(overlay);
}

void tnrOverlay_Forget(tnrOverlay* overlay)
{
	free(overlay);
}

void tnrOverlay_Begin(tnrOverlay* overlay, float width, float height)
{
	overlay->width = width > 0.0f ? width : 1.0f;
	overlay->height = height > 0.0f ? height : 1.0f;
	overlay->quadCount = 0;
	tnrOverlay_Clip(overlay, 0.0f, 0.0f, 0.0f, 0.0f);
}

void tnrOverlay_End(tnrOverlay* overlay, uint32_t framebuffer, int width, int height)
{
	if (overlay->quadCount == 0 || width < 1 || height < 1)
	{
		return;
	}
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glViewport(0, 0, width, height);
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_CULL_FACE);
	glEnable(GL_BLEND);
	glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
	glUseProgram(overlay->program.id);
	glUniform4f(overlay->sizeLocation, overlay->width, overlay->height, (float)width / overlay->width,
		(float)height / overlay->height);
	tnrBindTexture(tnr_fontUnit, overlay->font);
	glBindVertexArray(overlay->vertexArray);
	glBindBuffer(GL_ARRAY_BUFFER, overlay->vertexBuffer);
	// New storage each time: the old one may still be read by the frame before.
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(overlay->vertices), NULL, GL_STREAM_DRAW);
	glBufferSubData(
		GL_ARRAY_BUFFER, 0, (GLsizeiptr)(sizeof(Vertex) * 4 * (size_t)overlay->quadCount), overlay->vertices);
	glDrawElements(GL_TRIANGLES, overlay->quadCount * 6, GL_UNSIGNED_SHORT, NULL);
	glBindVertexArray(0);
	glDisable(GL_BLEND);
	overlay->quadCount = 0;
}

// Four vertices with everything but place and shape filled in. NULL if there is no room.
static Vertex* tnrAddQuad(tnrOverlay* overlay, float kind, float corner, tnrColor color)
{
	if (overlay->quadCount >= maxQuads || (color & 0xFFu) == 0)
	{
		return NULL;
	}
	Vertex* vertices = overlay->vertices + 4 * overlay->quadCount++;
	for (int i = 0; i < 4; ++i)
	{
		vertices[i] = (Vertex){.corner = corner,
			.kind = kind,
			.clip = {overlay->clip[0], overlay->clip[1], overlay->clip[2], overlay->clip[3]},
			.color = {(uint8_t)(color >> 24), (uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color}};
	}
	return vertices;
}

// A rounded box around a middle, along a direction of length 1.
static void tnrAddBox(tnrOverlay* overlay, float x, float y, float halfWidth, float halfHeight, float dx, float dy,
	float corner, tnrColor color)
{
	const float limit = halfWidth < halfHeight ? halfWidth : halfHeight;
	Vertex* vertices = tnrAddQuad(overlay, boxKind, tnrClamp(corner, 0.0f, limit), color);
	for (int i = 0; i < 4 && vertices != NULL; ++i)
	{
		// Room for the soft rim.
		const float a = (i & 1) != 0 ? halfWidth + 1.0f : -halfWidth - 1.0f;
		const float b = (i & 2) != 0 ? halfHeight + 1.0f : -halfHeight - 1.0f;
		vertices[i].x = x + a * dx - b * dy;
		vertices[i].y = y + a * dy + b * dx;
		vertices[i].shape[0] = a;
		vertices[i].shape[1] = b;
		vertices[i].shape[2] = halfWidth;
		vertices[i].shape[3] = halfHeight;
	}
}

void tnrOverlay_Rectangle(
	tnrOverlay* overlay, float x, float y, float width, float height, float corner, tnrColor color)
{
	if (width > 0.0f && height > 0.0f)
	{
		tnrAddBox(overlay, x + 0.5f * width, y + 0.5f * height, 0.5f * width, 0.5f * height, 1.0f, 0.0f, corner, color);
	}
}

void tnrOverlay_Line(tnrOverlay* overlay, float x0, float y0, float x1, float y1, float thickness, tnrColor color)
{
	const float dx = x1 - x0, dy = y1 - y0;
	const float length = sqrtf(dx * dx + dy * dy);
	const float half = 0.5f * thickness;
	const bool pointLike = !(length > 0.0f);
	tnrAddBox(overlay, 0.5f * (x0 + x1), 0.5f * (y0 + y1), 0.5f * length + half, half, pointLike ? 1.0f : dx / length,
		pointLike ? 0.0f : dy / length, half, color);
}

void tnrOverlay_Disc(tnrOverlay* overlay, float x, float y, float radius, tnrColor color)
{
	tnrAddBox(overlay, x, y, radius, radius, 1.0f, 0.0f, radius, color);
}

void tnrOverlay_Triangle(
	tnrOverlay* overlay, float x0, float y0, float x1, float y1, float x2, float y2, tnrColor color)
{
	const float xs[3] = {x0, x1, x2}, ys[3] = {y0, y1, y2};
	const float area = fabsf((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0));
	Vertex* vertices = area > 0.0f ? tnrAddQuad(overlay, triangleKind, 0.0f, color) : NULL;
	for (int i = 0; i < 4 && vertices != NULL; ++i)
	{
		const int corner = i < 3 ? i : 2;
		vertices[i].x = xs[corner];
		vertices[i].y = ys[corner];
		// The distance to a side is the height of the triangle at the corner across, and zero at the two others.
		const int a = (corner + 1) % 3, b = (corner + 2) % 3;
		const float dx = xs[b] - xs[a], dy = ys[b] - ys[a];
		vertices[i].shape[corner] = area / sqrtf(dx * dx + dy * dy);
	}
}

float tnrGetTextWidth(float size, const char* text)
{
	float width = 0.0f;
	for (; text != NULL && *text != 0; ++text)
	{
		width += tnrGetGlyphAdvance(*text);
	}
	return width * size / TNR_FONT_LINE;
}

void tnrOverlay_Text(tnrOverlay* overlay, float x, float y, float size, tnrColor color, const char* text)
{
	const float unit = size / TNR_FONT_LINE;
	const float glyphWidth = unit * tnr_glyphWidth / tnr_fontScale,
				glyphHeight = unit * tnr_glyphHeight / tnr_fontScale;
	// Top of a glyph's cell in the atlas.
	const float top = y + unit * (TNR_FONT_ASCENT + TNR_FONT_DESCENT) - glyphHeight;
	for (; text != NULL && *text != 0; ++text)
	{
		const int glyph = tnrGetGlyphIndex(*text);
		Vertex* vertices = *text != ' ' ? tnrAddQuad(overlay, glyphKind, unit, color) : NULL;
		for (int i = 0; i < 4 && vertices != NULL; ++i)
		{
			const float a = (float)(i & 1), b = (float)(i >> 1);
			vertices[i].x = x - unit * TNR_FONT_LEFT + a * glyphWidth;
			vertices[i].y = top + b * glyphHeight;
			vertices[i].shape[0] = ((float)(glyph % tnr_glyphsPerRow) + a) / tnr_glyphsPerRow;
			vertices[i].shape[1] = ((float)(glyph / tnr_glyphsPerRow) + b) / tnr_glyphRows;
		}
		x += unit * tnrGetGlyphAdvance(*text);
	}
}

void tnrOverlay_Clip(tnrOverlay* overlay, float x, float y, float width, float height)
{
	// Larger than any overlay.
	const float far = 1.0e6f;
	overlay->clip[0] = width > 0.0f ? x : -far;
	overlay->clip[1] = width > 0.0f ? y : -far;
	overlay->clip[2] = width > 0.0f ? x + width : far;
	overlay->clip[3] = width > 0.0f ? y + height : far;
}

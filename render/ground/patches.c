// SPDX-License-Identifier: MIT

// The grid as a mesh of square patches, coarser far away.

#include "ground/patches.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

enum
{
	maxIndices = (tnr_patchQuads * tnr_patchQuads + 4 * tnr_patchQuads) * 6,
	firstSkirtVertex = tnr_patchVertices * tnr_patchVertices,
};

// A quad that is smaller than this on the screen is joined with its neighbours, pixels.
#define SMALLEST_QUAD 1.8f

static uint16_t* tnrAddQuadIndices(uint16_t* out, int a, int b, int c, int d)
{
	const int corners[6] = {a, b, c, c, b, d};
	for (int i = 0; i < 6; ++i)
	{
		*out++ = (uint16_t)corners[i];
	}
	return out;
}

// Vertex on the rim of a patch, going around it: 64 per side.
static int tnrGetRimVertex(int place)
{
	const int side = place / tnr_patchQuads % 4, i = place % tnr_patchQuads, n = tnr_patchVertices;
	const int last = tnr_patchQuads;
	const int columns[4] = {i, last, last - i, 0}, rows[4] = {0, i, last, last - i};
	return rows[side] * n + columns[side];
}

static uint16_t* tnrAddPatchIndices(uint16_t* out, int stride)
{
	const int n = tnr_patchVertices;
	for (int row = 0; row < tnr_patchQuads; row += stride)
	{
		for (int column = 0; column < tnr_patchQuads; column += stride)
		{
			const int a = row * n + column;
			out = tnrAddQuadIndices(out, a, a + stride * n, a + stride, a + stride * n + stride);
		}
	}
	const int around = 4 * tnr_patchQuads;
	for (int place = 0; place < around; place += stride)
	{
		const int next = (place + stride) % around;
		out = tnrAddQuadIndices(
			out, tnrGetRimVertex(place), tnrGetRimVertex(next), firstSkirtVertex + place, firstSkirtVertex + next);
	}
	return out;
}

bool tnrMakePatches(tnrPatches* patches)
{
	uint16_t* indices = malloc(sizeof(uint16_t) * maxIndices * 2);
	if (indices == NULL)
	{
		return false;
	}
	uint16_t* out = indices;
	for (int level = 0; level < tnr_strideCount; ++level)
	{
		uint16_t* begin = out;
		out = tnrAddPatchIndices(out, 1 << level);
		patches->indexOffsets[level] = (GLintptr)((size_t)(begin - indices) * sizeof(uint16_t));
		patches->indexCounts[level] = (GLsizei)(out - begin);
	}
	glGenVertexArrays(1, &patches->vertexArray);
	glBindVertexArray(patches->vertexArray);
	glGenBuffers(1, &patches->indexBuffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, patches->indexBuffer);
	glBufferData(
		GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)(out - indices) * sizeof(uint16_t)), indices, GL_STATIC_DRAW);
	glBindVertexArray(0);
	free(indices);
	return true;
}

void tnrDestroyPatches(tnrPatches* patches)
{
	glDeleteVertexArrays(1, &patches->vertexArray);
	glDeleteBuffers(1, &patches->indexBuffer);
	tnrForgetPatches(patches);
}

void tnrForgetPatches(tnrPatches* patches)
{
	free(patches->patches);
	memset(patches, 0, sizeof(*patches));
}

bool tnrResizePatches(tnrPatches* patches, int columnCount, int rowCount, float cellSize)
{
	// One quad more than there are cells: half a one on each rim.
	const int columns = columnCount / tnr_patchQuads + 1, rows = rowCount / tnr_patchQuads + 1;
	tnrPatch* list = calloc((size_t)columns * (size_t)rows, sizeof(tnrPatch));
	if (list == NULL)
	{
		return false;
	}
	free(patches->patches);
	patches->patches = list;
	patches->patchColumns = columns;
	patches->patchCount = columns * rows;
	patches->columnCount = columnCount;
	patches->rowCount = rowCount;
	patches->cellSize = cellSize;
	for (int i = 0; i < patches->patchCount; ++i)
	{
		list[i].column = i % columns * tnr_patchQuads;
		list[i].row = i / columns * tnr_patchQuads;
	}
	return true;
}

void tnrMeasurePatchGround(tnrPatches* patches, const float* bed)
{
	const int columns = patches->columnCount, rows = patches->rowCount;
	for (int i = 0; i < patches->patchCount; ++i)
	{
		tnrPatch* patch = &patches->patches[i];
		// Vertex i stands on cell i - 1, or on the rim.
		const int firstColumn = tnrClampInt(patch->column - 1, 0, columns - 1);
		const int firstRow = tnrClampInt(patch->row - 1, 0, rows - 1);
		const int lastColumn = tnrClampInt(patch->column + tnr_patchQuads - 1, 0, columns - 1);
		const int lastRow = tnrClampInt(patch->row + tnr_patchQuads - 1, 0, rows - 1);
		patch->low = INFINITY;
		patch->high = -INFINITY;
		for (int row = firstRow; row <= lastRow; ++row)
		{
			const float* heights = bed + (size_t)row * (size_t)columns;
			for (int column = firstColumn; column <= lastColumn; ++column)
			{
				patch->low = heights[column] < patch->low ? heights[column] : patch->low;
				patch->high = heights[column] > patch->high ? heights[column] : patch->high;
			}
		}
	}
}

// A patch is as large as a tile of the surface, and has the last cells of those before it, too.
static void tnrMeasurePatch(const tnrPatches* patches, tnrPatch* patch, const tnSurface* surface, float waves)
{
	const int tileColumns = (patches->columnCount + tnr_patchQuads - 1) / tnr_patchQuads;
	const int tileRows = (patches->rowCount + tnr_patchQuads - 1) / tnr_patchQuads;
	float low = patch->low, high = patch->high, deepest = 0.0f;
	for (int i = 0; i < 4; ++i)
	{
		const int column = patch->column / tnr_patchQuads - i % 2, row = patch->row / tnr_patchQuads - i / 2;
		tnSurfaceTile tile;
		if (column >= 0 && row >= 0 && column < tileColumns && row < tileRows &&
			tnSurface_GetTile(surface, row * tileColumns + column, &tile).status == tn_ok)
		{
			high = fmaxf(high, tile.highest);
			deepest = fmaxf(deepest, tile.maxDepth);
		}
	}
	if (deepest > 0.0f)
	{
		low -= waves;
		high += waves;
	}
	const float size = patches->cellSize;
	patch->box.low = (tnVec3){((float)patch->column - 0.5f) * size, low, ((float)patch->row - 0.5f) * size};
	patch->box.high =
		(tnVec3){((float)(patch->column + tnr_patchQuads)) * size, high, ((float)(patch->row + tnr_patchQuads)) * size};
	patch->wet = deepest > 0.0f;
}

void tnrMeasurePatches(tnrPatches* patches, const tnSurface* surface, float waves)
{
	for (int i = 0; i < patches->patchCount; ++i)
	{
		tnrMeasurePatch(patches, &patches->patches[i], surface, waves);
	}
}

// By insertion: from frame to frame the order hardly changes, and the sort of the C library may allocate.
static void tnrSortPatches(tnrPatches* patches)
{
	for (int i = 1; i < patches->patchCount; ++i)
	{
		const tnrPatch patch = patches->patches[i];
		int place = i;
		for (; place > 0 && patches->patches[place - 1].distance > patch.distance; --place)
		{
			patches->patches[place] = patches->patches[place - 1];
		}
		patches->patches[place] = patch;
	}
}

void tnrChoosePatches(tnrPatches* patches, const tnrMatrix* viewProjection, tnVec3 eye, float pixelsPerRadian)
{
	for (int i = 0; i < patches->patchCount; ++i)
	{
		tnrPatch* patch = &patches->patches[i];
		patch->distance = tnrGetDistanceToBox(eye, patch->box);
		if (tnrIsBoxVisible(viewProjection, patch->box) == false)
		{
			patch->level = -1;
			continue;
		}
		float quad = patches->cellSize / (patch->distance + 1.0e-3f) * pixelsPerRadian;
		patch->level = 0;
		while (quad < SMALLEST_QUAD && patch->level < tnr_strideCount - 1)
		{
			quad *= 2.0f;
			++patch->level;
		}
	}
	// Near ones first: what they hide is not shaded.
	tnrSortPatches(patches);
}

int tnrDrawPatches(const tnrPatches* patches, GLint patchLocation, bool onlyWet)
{
	int indices = 0;
	glBindVertexArray(patches->vertexArray);
	for (int i = 0; i < patches->patchCount; ++i)
	{
		const tnrPatch* patch = &patches->patches[i];
		if (patch->level >= 0 && (onlyWet == false || patch->wet))
		{
			glUniform4i(patchLocation, patch->column, patch->row, 1 << patch->level, 0);
			glDrawElements(GL_TRIANGLES, patches->indexCounts[patch->level], GL_UNSIGNED_SHORT,
				(const void*)patches->indexOffsets[patch->level]);
			indices += patches->indexCounts[patch->level];
		}
	}
	glBindVertexArray(0);
	return indices / 3;
}

int tnrDrawSurroundings(const tnrPatches* patches, GLint patchLocation)
{
	int indices = 0;
	glBindVertexArray(patches->vertexArray);
	for (int i = 0; i < 9; ++i)
	{
		if (i != 4)
		{
			glUniform4i(patchLocation, i % 3 - 1, i / 3 - 1, 0, 0);
			glDrawElements(
				GL_TRIANGLES, patches->indexCounts[0], GL_UNSIGNED_SHORT, (const void*)patches->indexOffsets[0]);
			indices += patches->indexCounts[0];
		}
	}
	glBindVertexArray(0);
	return indices / 3;
}

// A part of a patch. @param halvings of the cells of the grid
typedef struct FinePatch
{
	int column, row, halvings;
} FinePatch;

static int tnrDrawFinePatch(
	const tnrPatches* patches, GLint patchLocation, const tnrFineness* fineness, FinePatch patch, const tnrBox* around)
{
	const float size = ldexpf(patches->cellSize, -patch.halvings);
	if (patch.column >= (patches->columnCount + 1) << patch.halvings ||
		patch.row >= (patches->rowCount + 1) << patch.halvings)
	{
		return 0;
	}
	// Vertices stand in the middle of cells of the grid, whatever their number: half of one less.
	const float half = 0.5f * patches->cellSize;
	const tnrBox box = {{(float)patch.column * size - half, around->low.y, (float)patch.row * size - half},
		{(float)(patch.column + tnr_patchQuads) * size - half, around->high.y,
			(float)(patch.row + tnr_patchQuads) * size - half}};
	if (tnrIsBoxVisible(fineness->viewProjection, box) == false)
	{
		return 0;
	}
	// More than any world has levels.
	const int mostHalvings = 6;
	const float distance = tnrGetDistanceToBox(fineness->eye, box);
	const bool large = size * fineness->pixelsPerRadian > TNR_SMALLEST_WAVE_CELL * distance;
	if (large == false || patch.halvings == mostHalvings || size <= fineness->smallestCell ||
		fineness->smallestCell <= 0.0f)
	{
		glUniform4i(patchLocation, patch.column, patch.row, 1, patch.halvings);
		glDrawElements(GL_TRIANGLES, patches->indexCounts[0], GL_UNSIGNED_SHORT, (const void*)patches->indexOffsets[0]);
		return patches->indexCounts[0];
	}
	int indices = 0;
	for (int quarter = 0; quarter < 4; ++quarter)
	{
		const FinePatch part = {2 * patch.column + quarter % 2 * tnr_patchQuads,
			2 * patch.row + quarter / 2 * tnr_patchQuads, patch.halvings + 1};
		indices += tnrDrawFinePatch(patches, patchLocation, fineness, part, around);
	}
	return indices;
}

int tnrDrawFinePatches(const tnrPatches* patches, GLint patchLocation, const tnrFineness* fineness)
{
	int indices = 0;
	glBindVertexArray(patches->vertexArray);
	for (int i = 0; i < patches->patchCount; ++i)
	{
		const tnrPatch* patch = &patches->patches[i];
		if (patch->level == 0 && patch->wet)
		{
			indices += tnrDrawFinePatch(
				patches, patchLocation, fineness, (FinePatch){patch->column, patch->row, 0}, &patch->box);
		}
		else if (patch->level > 0 && patch->wet)
		{
			glUniform4i(patchLocation, patch->column, patch->row, 1 << patch->level, 0);
			glDrawElements(GL_TRIANGLES, patches->indexCounts[patch->level], GL_UNSIGNED_SHORT,
				(const void*)patches->indexOffsets[patch->level]);
			indices += patches->indexCounts[patch->level];
		}
	}
	glBindVertexArray(0);
	return indices / 3;
}

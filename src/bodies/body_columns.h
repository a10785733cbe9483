// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"

// What a body takes from the grid, as body_cut.c finds it and body_covered_cells.c uses it.

// What a body takes from a cell: a solid interval over a share of its area.
typedef struct tnColumn
{
	int32_t column, row;  // of the world, wrapped if it is
	float share;          // of the area of the cell, in (0, 1]
	float low, high;      // mean heights of its bottom and top, m
	float x, z;           // middle of what is covered, from the centre of mass of the body, m
	float widthX, widthZ; // extents of what is covered, as shares of the cell size
	float insetX,
		insetZ; // middle of these extents, from the west and the north side of the cell, as shares of the cell
	// What it takes of strips of the cell as wide as the way of the body in a step, along x and along z, on the sides from which
	// the body comes: over its share of all of the cell. See tnTravel.
	float stripX, stripZ;
} tnColumn;

// What it takes from a face: a solid interval over a share of its width, at the face itself.
typedef struct tnFaceCut
{
	int32_t column, row; // X face `column` of a row lies before cell `column`, Z face `row` before row `row`
	float share;         // of the width of the face, in (0, 1]
	float low, high;     // m
	bool alongZ;         // a Z face
} tnFaceCut;

// What the columns of a body have, as numbers: of each of them an array, so that loops over columns are loops over
// vectors.
typedef enum tnColumnField
{
	tn_columnShare = 0, // see tnColumn
	tn_columnLow,
	tn_columnHigh,
	tn_columnX,
	tn_columnZ,
	tn_columnWidthX,
	tn_columnWidthZ,
	tn_columnInsetX,
	tn_columnInsetZ,
	tn_columnStripX,
	tn_columnStripZ,
	tn_columnCounts, // 1 if body_covered_cells.c has put it into its group, else 0: it is in the ground, or far above the water
	tn_columnFieldCount,
} tnColumnField;

enum
{
	// Columns are read and written so many at once, and that far beyond the last one.
	TN_COLUMN_PAD = 8,
};

typedef struct tnColumnCell
{
	int32_t column, row;
} tnColumnCell;

// Columns of cells side by side in a row.
typedef struct tnColumnRun
{
	int32_t begin, end; // of the columns
	// Of the first one in the fields of its group, and of the cell south of it; the others follow. See body_covered_cells.c.
	int32_t slot, south;
} tnColumnRun;

typedef struct tnCut
{
	// Columns: by row, then column, then from below upwards.
	tnColumnCell* cells;
	float* fields; // see tnCut_GetField
	tnColumnRun* runs;
	int columnCount, columnCapacity, runCount;
	tnFaceCut* faces; // by row, then column, then X before Z, then from below upwards
	int faceCount, faceCapacity;
	bool facesMade; // else there are none yet: see tnCut_MakeFaces
	bool truncated; // there was no room for all
} tnCut;

// Memory for that many columns: runs, cells, fields. What may be read beyond the last column has to be numbers.
static inline void tnCut_PlaceColumns(tnCut* cut, tnCarver* carver, int capacity)
{
	const size_t count = (size_t)capacity;
	cut->runs = tnCarve(carver, count * sizeof(tnColumnRun));
	cut->cells = tnCarve(carver, (count + TN_COLUMN_PAD) * sizeof(tnColumnCell));
	cut->fields = tnCarve(carver, (count + TN_COLUMN_PAD) * tn_columnFieldCount * sizeof(float));
	cut->columnCapacity = capacity;
}

static inline float* tnCut_GetField(const tnCut* cut, tnColumnField field)
{
	return cut->fields + ((size_t)cut->columnCapacity + TN_COLUMN_PAD) * (size_t)field;
}

static inline void tnCut_ClearColumns(tnCut* cut)
{
	cut->columnCount = 0;
	cut->runCount = 0;
}

// The next columns are those of cells side by side: of the last run, or a new one.
static inline void tnCut_Continue(tnCut* cut, int column, int row, int count)
{
	const int begin = cut->columnCount;
	if (begin == 0 || cut->cells[begin - 1].row != row || cut->cells[begin - 1].column + 1 != column)
	{
		cut->runs[cut->runCount++] = (tnColumnRun){.begin = begin};
	}
	cut->runs[cut->runCount - 1].end = begin + count;
	cut->columnCount = begin + count;
}

// Make room for columns of cells side by side. There must be enough of it.
static inline int tnCut_AddCells(tnCut* cut, int column, int row, int count)
{
	const int begin = cut->columnCount;
	for (int i = 0; i < count; i += TN_COLUMN_PAD)
	{
		for (int k = i; k < i + TN_COLUMN_PAD; ++k)
		{
			cut->cells[begin + k] = (tnColumnCell){column + k, row};
		}
	}
	tnCut_Continue(cut, column, row, count);
	return begin;
}

// Sum of their shares: what they cover, in cells.
float tnCut_GetShares(const tnCut* cut);

static inline void tnCut_AddColumn(tnCut* cut, const tnColumn* column)
{
	const int index = cut->columnCount;
	tnCut_Continue(cut, column->column, column->row, 1);
	cut->cells[index] = (tnColumnCell){column->column, column->row};
	float* field = cut->fields + index;
	const size_t stride = (size_t)cut->columnCapacity + TN_COLUMN_PAD;
	field[stride * tn_columnShare] = column->share;
	field[stride * tn_columnLow] = column->low;
	field[stride * tn_columnHigh] = column->high;
	field[stride * tn_columnX] = column->x;
	field[stride * tn_columnZ] = column->z;
	field[stride * tn_columnWidthX] = column->widthX;
	field[stride * tn_columnWidthZ] = column->widthZ;
	field[stride * tn_columnInsetX] = column->insetX;
	field[stride * tn_columnInsetZ] = column->insetZ;
	field[stride * tn_columnStripX] = column->stripX;
	field[stride * tn_columnStripZ] = column->stripZ;
}

static inline tnColumn tnCut_GetColumn(const tnCut* cut, int index)
{
	const float* field = cut->fields + index;
	const size_t stride = (size_t)cut->columnCapacity + TN_COLUMN_PAD;
	return (tnColumn){
		.column = cut->cells[index].column,
		.row = cut->cells[index].row,
		.share = field[stride * tn_columnShare],
		.low = field[stride * tn_columnLow],
		.high = field[stride * tn_columnHigh],
		.x = field[stride * tn_columnX],
		.z = field[stride * tn_columnZ],
		.widthX = field[stride * tn_columnWidthX],
		.widthZ = field[stride * tn_columnWidthZ],
		.insetX = field[stride * tn_columnInsetX],
		.insetZ = field[stride * tn_columnInsetZ],
		.stripX = field[stride * tn_columnStripX],
		.stripZ = field[stride * tn_columnStripZ],
	};
}

// What of a column stands between the faces of its cell: see body_thin_parts.h.
typedef struct tnThinPart
{
	int32_t column;       // of the cut
	float takenX, takenZ; // share of the width of X faces, and of Z faces
} tnThinPart;

typedef struct tnThinParts
{
	tnThinPart* items; // room for all columns
	int count, capacity;
} tnThinParts;

enum
{
	// Intervals of one body above each other in one cell at most; more are merged.
	TN_MAX_BODY_LAYERS = 4,
};

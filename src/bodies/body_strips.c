// SPDX-License-Identifier: MIT

// Where a group has cells: pieces of rows, eight cells long.

#include "body_strips.h"

#include <string.h>

enum
{
	TN_WORD_BITS = 64,
};

// Strips across the world at most: a group may begin at any column, and one that crosses a wrapped edge has a strip
// more on each side.
static int tnGetStripColumns(const tnGrid* grid)
{
	return grid->columnCount / TN_STRIP_SIZE + 3;
}

static int tnGetRowWords(const tnGrid* grid)
{
	return (tnGetStripColumns(grid) + TN_WORD_BITS - 1) / TN_WORD_BITS;
}

size_t tnGetStripBitCount(const tnGrid* grid)
{
	return (size_t)tnGetRowWords(grid) * ((size_t)grid->rowCount + 1);
}

// Cells along a side of the box of a body at most: those it touches, one that it may have left, and one more on each side.
static int tnGetBoxLimit(const tnGrid* grid, const tnBody* body, int worldCount)
{
	const int touched = tnGetSpanLimit(grid, body->mesh.radius);
	return touched < worldCount + 1 - 3 ? touched + 3 : worldCount + 1;
}

// Strips in which a range of cells lies: it begins and ends within one. One that crosses a wrapped edge is two ranges,
// each with copies of cells at its ends.
static int tnGetStripsOfRange(const tnGrid* grid, int columnCount)
{
	const int strips = (columnCount - 2) / TN_STRIP_SIZE + 2 + (grid->wrapX ? 5 : 0);
	return tnMinInt(strips, tnGetStripColumns(grid));
}

int64_t tnGetRowLimit(const tnGrid* grid, const tnBody* body)
{
	return tnGetBoxLimit(grid, body, grid->rowCount);
}

int64_t tnGetStripLimit(const tnGrid* grid, const tnBody* body)
{
	// A group begins with a strip, so that its first body has one less in each row than it may have elsewhere, if it is not
	// of an odd width. That pays for the pads of the group.
	const int columnCount = tnGetBoxLimit(grid, body, grid->columnCount);
	const int64_t rowCount = tnGetRowLimit(grid, body);
	const int strips = tnGetStripsOfRange(grid, columnCount);
	const bool pays = rowCount >= 3 && !grid->wrapX && (columnCount + TN_STRIP_SIZE - 1) / TN_STRIP_SIZE < strips;
	return rowCount * strips + (pays ? 0 : 3);
}

int64_t tnGetStripsOfWorld(const tnGrid* grid, int leastSpan)
{
	// Boxes of different groups have no cell in common, and are some cells wide and high at least: three, or two more than the
	// thinnest body touches. A group begins with a strip: a body alone that is three by three cells has three of them, and
	// pads that are as much as two more; one of four by four has four, and three. In a group of several such a range of cells may
	// lie in two strips, but for those of the body that it begins with. So there are no more than two for each of these
	// ranges, with all pads; ten cells may lie in three strips, so that ranges of more than six do not count. At
	// the edges of the world, where boxes are cut off, there are two for each cell. A wrapped edge has copies of cells on both
	// sides.
	const int64_t least = tnClampInt(leastSpan, 1, 4) + 2;
	const int64_t columnCount = (int64_t)grid->columnCount + 1;
	const int64_t rowCount = (int64_t)grid->rowCount + 1;
	return 2 * columnCount * rowCount / least + 4 * (columnCount + rowCount) + (grid->wrapX ? 8 * rowCount : 0) + 3;
}

// Where the strips of a group are marked: a bit for each, some words for each row.
typedef struct tnMarks
{
	uint64_t* bits;
	size_t rowWords;
	const tnGroup* group;
	const tnGrid* grid;
} tnMarks;

static inline void tnMark(const tnMarks* marks, uint64_t* row, int columnBegin, int columnEnd)
{
	const uint32_t first = (uint32_t)(columnBegin - marks->group->columnBegin) / TN_STRIP_SIZE;
	const uint32_t last = (uint32_t)(columnEnd - 1 - marks->group->columnBegin) / TN_STRIP_SIZE;
	const uint64_t from = ~(uint64_t)0 << first % TN_WORD_BITS;
	const uint64_t until = ~(uint64_t)0 >> (TN_WORD_BITS - 1 - last % TN_WORD_BITS);
	uint32_t word = first / TN_WORD_BITS;
	uint64_t bits = from;
	for (; word < last / TN_WORD_BITS; ++word)
	{
		row[word] |= bits;
		bits = ~(uint64_t)0;
	}
	row[word] |= bits & until;
}

// Mark a run of columns in a row: it lies beyond the world if there is none.
static inline void tnMarkRun(const tnMarks* marks, int columnBegin, int columnEnd, int row)
{
	const tnGroup* group = marks->group;
	const int count = marks->grid->columnCount;
	const int rowCount = marks->grid->rowCount;
	if (marks->grid->wrapZ)
	{
		row = row < 0 ? row + rowCount : (row >= rowCount ? row - rowCount : row);
	}
	const int groupRow = row - group->firstRow;
	if (groupRow < 0 || groupRow >= group->rowCount)
	{
		return;
	}
	uint64_t* bits = marks->bits + (size_t)groupRow * marks->rowWords;
	const int first = group->crosses ? -1 : group->columnBegin;
	tnMark(marks, bits, tnMaxInt(columnBegin, first), tnMinInt(columnEnd, count + 1));
	// What lies at an edge that wraps has a copy at the other one.
	if (group->crosses && (columnBegin <= 0 || columnEnd >= count))
	{
		tnMark(marks, bits, -1, 1);
		tnMark(marks, bits, count - 1, count + 1);
	}
}

// Columns of a body that touch each other in a row, the cells beside them, and those in the rows beside.
static void tnMarkBody(const tnMarks* marks, const tnCut* cut)
{
	for (int i = 0; i < cut->runCount; ++i)
	{
		const tnColumnCell* first = cut->cells + cut->runs[i].begin;
		const int end = first->column + cut->runs[i].end - cut->runs[i].begin;
		tnMarkRun(marks, first->column - 1, end + 1, first->row);
		tnMarkRun(marks, first->column, end, first->row - 1);
		tnMarkRun(marks, first->column, end, first->row + 1);
	}
}

static void tnMarkLeft(const tnMarks* marks, const tnLeftRun* run)
{
	tnMarkRun(marks, run->column - 1, run->columnEnd + 1, run->row);
	tnMarkRun(marks, run->column, run->columnEnd, run->row - 1);
	tnMarkRun(marks, run->column, run->columnEnd, run->row + 1);
}

// The cells [begin, end) of a box along one axis, which may be far outside: within the world, in up to two ranges.
typedef struct tnBoxPart
{
	int begin, end;
} tnBoxPart;

static int tnSplitBox(int begin, int end, int count, bool wrap, tnBoxPart parts[2])
{
	if (!wrap)
	{
		parts[0] = (tnBoxPart){tnMaxInt(begin, 0), tnMinInt(end, count + 1)};
		return parts[0].begin < parts[0].end ? 1 : 0;
	}
	if (end - begin >= count)
	{
		parts[0] = (tnBoxPart){0, count};
		return 1;
	}
	const int rest = begin % count;
	const int first = rest < 0 ? rest + count : rest;
	const int last = first + (end - begin);
	parts[0] = (tnBoxPart){first, tnMinInt(last, count)};
	parts[1] = (tnBoxPart){0, last - count};
	return last > count ? 2 : 1;
}

static void tnMarkBox(const tnMarks* marks, const tnCellBox* box)
{
	const tnGrid* grid = marks->grid;
	tnBoxPart rows[2], columns[2];
	const int rowParts = tnSplitBox(box->rowBegin, box->rowEnd, grid->rowCount, grid->wrapZ, rows);
	const int columnParts = tnSplitBox(box->columnBegin, box->columnEnd, grid->columnCount, grid->wrapX, columns);
	for (int i = 0; i < rowParts; ++i)
	{
		for (int row = rows[i].begin; row < rows[i].end; ++row)
		{
			for (int k = 0; k < columnParts; ++k)
			{
				tnMarkRun(marks, columns[k].begin, columns[k].end, row);
			}
		}
	}
}

int tnGroup_CountStrips(
	const tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* indices, uint64_t* bits)
{
	const size_t words = (size_t)tnGetRowWords(grid);
	const tnMarks marks = {bits, words, group, grid};
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnMarkBox(&marks, &tnBodies_Get(bodies, indices[i])->box);
	}
	int count = 0;
	for (size_t word = 0; word < words * (size_t)group->rowCount; ++word)
	{
		for (; bits[word] != 0; ++count)
		{
			bits[word] &= bits[word] - 1;
		}
	}
	return count;
}

static void tnListRow(const tnMarks* marks, tnGroup* group, int groupRow)
{
	const uint64_t* bits = marks->bits + marks->rowWords * (size_t)groupRow;
	const int row = group->firstRow + groupRow;
	group->rowStrips[groupRow] = group->stripCount;
	for (int word = 0; word < (int)marks->rowWords; ++word)
	{
		uint64_t left = bits[word];
		for (int bit = 0; left != 0; ++bit, left >>= 1)
		{
			if ((left & 1) == 0)
			{
				continue;
			}
			const int column = group->columnBegin + (word * TN_WORD_BITS + bit) * TN_STRIP_SIZE;
			group->strips[group->stripCount] = (tnStrip){
				.column = column,
				.row = row,
				.index = (int32_t)tnGrid_Index(marks->grid, column, row),
				.north = group->stripCount,
				.south = group->stripCount,
			};
			group->columns[group->stripCount] = column;
			group->stripCount += 1;
		}
	}
}

// Find the strips beside each other in two rows.
static void tnJoinRows(tnGroup* group, int north, int south)
{
	int a = group->rowStrips[north];
	int b = group->rowStrips[south];
	while (a < group->rowStrips[north + 1] && b < group->rowStrips[south + 1])
	{
		tnStrip* first = group->strips + a;
		tnStrip* second = group->strips + b;
		if (first->column == second->column)
		{
			first->south = b;
			second->north = a;
			first->meetsSouth = tnStrip_GetParity(first) == tnStrip_GetParity(second);
			second->meetsNorth = first->meetsSouth;
		}
		const bool firstEnds = first->column <= second->column;
		b += first->column >= second->column ? 1 : 0;
		a += firstEnds ? 1 : 0;
	}
}

// Can a strip be worked on together with the next one?
static bool tnArePaired(const tnStrip* a, const tnStrip* b)
{
	return a->row == b->row && a->column + TN_STRIP_SIZE == b->column && a->north + 1 == b->north &&
		a->south + 1 == b->south && a->meetsNorth == b->meetsNorth && a->meetsSouth == b->meetsSouth;
}

void tnGroup_ListRuns(tnGroup* group)
{
	const int half = tnGroup_GetHalf(group);
	int count = 0;
	for (int i = 0; i < group->stripCount; ++i)
	{
		const tnStrip* strip = group->strips + i;
		if (!strip->solves)
		{
			continue;
		}
		const bool paired = i + 1 < group->stripCount && strip[1].solves && tnArePaired(strip, strip + 1);
		for (int colour = 0; colour < 2; ++colour)
		{
			const int own = colour * half;
			const int other = half - own;
			// Cells with even columns of a strip lie between the one before and that with the same place of the other
			// colour, those with odd ones between that and the next.
			const int shift = (tnStrip_GetParity(strip) + colour) & 1;
			group->runs[colour * group->stripCount + count] = (tnRun){
				.at = own + i * TN_STRIP_HALF,
				.west = other + i * TN_STRIP_HALF + shift - 1,
				.north = (strip->meetsNorth ? own : other) + strip->north * TN_STRIP_HALF,
				.south = (strip->meetsSouth ? own : other) + strip->south * TN_STRIP_HALF,
				.slot = i * TN_STRIP_SIZE + shift,
				.stripCount = paired ? 2 : 1,
			};
		}
		count += 1;
		i += paired ? 1 : 0;
	}
	group->runCount = count;
}

static void tnAddSeam(tnGroup* group, int copyColumn, int originColumn, int row)
{
	const int copy = tnGroup_FindSlot(group, copyColumn, row);
	const int origin = tnGroup_FindSlot(group, originColumn, row);
	if (copy >= 0 && origin >= 0)
	{
		group->seams[group->seamCount] = (tnSeam){copy, origin, copyColumn > originColumn};
		group->seamCount += 1;
	}
}

void tnGroup_LayStrips(tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* indices, uint64_t* bits)
{
	const size_t words = (size_t)tnGetRowWords(grid);
	const tnMarks marks = {bits, words, group, grid};
	group->leftCount = 0;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, indices[i]);
		tnMarkBody(&marks, &body->cut);
		group->leftCount +=
			tnBody_FindLeft(body, grid, group->left + group->leftCount, group->leftCapacity - group->leftCount);
	}
	for (int i = 0; i < group->leftCount; ++i)
	{
		tnMarkLeft(&marks, group->left + i);
	}
	group->stripCount = 0;
	for (int row = 0; row < group->rowCount; ++row)
	{
		tnListRow(&marks, group, row);
	}
	group->rowStrips[group->rowCount] = group->stripCount;
	memset(bits, 0, words * (size_t)group->rowCount * sizeof(uint64_t));
	tnGroup_JoinStrips(group, grid);
}

void tnGroup_JoinStrips(tnGroup* group, const tnGrid* grid)
{
	for (int row = 1; row < group->rowCount; ++row)
	{
		tnJoinRows(group, row - 1, row);
	}
	if (grid->wrapZ && group->rowCount == grid->rowCount && group->rowCount > 1)
	{
		tnJoinRows(group, group->rowCount - 1, 0);
	}
	group->seamCount = 0;
	for (int row = 0; row < group->rowCount && group->crosses; ++row)
	{
		tnAddSeam(group, -1, grid->columnCount - 1, group->firstRow + row);
		tnAddSeam(group, grid->columnCount, 0, group->firstRow + row);
	}
}

int tnGroup_FindSlot(const tnGroup* group, int column, int row)
{
	const int groupRow = row - group->firstRow;
	if (groupRow < 0 || groupRow >= group->rowCount)
	{
		return -1;
	}
	int low = group->rowStrips[groupRow];
	int high = group->rowStrips[groupRow + 1];
	while (low < high)
	{
		// Strips beside each other are the rule.
		const int offset = column - group->strips[low].column;
		if (offset < 0)
		{
			return -1;
		}
		const int guess = tnMinInt(low + offset / TN_STRIP_SIZE, high - 1);
		const int inside = column - group->strips[guess].column;
		if (inside >= 0 && inside < TN_STRIP_SIZE)
		{
			return guess * TN_STRIP_SIZE + inside;
		}
		// With gaps the guess is too far east, never too far west.
		high = guess;
		const int middle = low + (high - low) / 2;
		if (middle > low && group->strips[middle].column <= column)
		{
			low = middle;
		}
		else if (middle == low)
		{
			return -1;
		}
		else
		{
			high = middle;
		}
	}
	return -1;
}

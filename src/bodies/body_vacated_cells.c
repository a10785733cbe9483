// SPDX-License-Identifier: MIT

// Finds cells that bodies have just left.

#include "body_vacated_cells.h"

#include "body_patch.h"

typedef struct tnLeftList
{
	tnLeftRun* runs;
	int count, capacity;
} tnLeftList;

// Cells [column, columnEnd) of a row, not wrapped.
static void tnLeftList_Add(tnLeftList* list, const tnGrid* grid, int column, int columnEnd, int row)
{
	while (column < columnEnd && list->count < list->capacity)
	{
		const int wrapped = tnWrapIndex(column, grid->columnCount, grid->wrapX);
		const int count = tnMinInt(columnEnd - column, grid->columnCount - wrapped);
		list->runs[list->count] = (tnLeftRun){wrapped, wrapped + count, row};
		list->count += 1;
		column += count;
	}
}

// Cells of a row, not wrapped, from the first one that was covered to the last.
typedef struct tnLeftSpan
{
	int begin, end;
} tnLeftSpan;

static tnLeftSpan tnFindCovered(const tnGrid* grid, tnLeftSpan span, int row)
{
	const bool wrap = grid->wrapX;
	const int count = grid->columnCount;
	while (span.begin < span.end && !tnWasCovered(grid, tnGrid_Index(grid, tnWrapIndex(span.begin, count, wrap), row)))
	{
		++span.begin;
	}
	while (
		span.begin < span.end && !tnWasCovered(grid, tnGrid_Index(grid, tnWrapIndex(span.end - 1, count, wrap), row)))
	{
		--span.end;
	}
	return span;
}

// The cells of a box along one axis without its rim, which is for the cells around those that are left. Where the world wraps
// they begin in it and may end beyond, but not meet again.
static tnLeftSpan tnGetInside(int begin, int end, int count, bool wrap)
{
	if (!wrap)
	{
		return (tnLeftSpan){tnMaxInt(begin + 1, 0), tnMinInt(end - 1, count)};
	}
	const int first = (begin + 1) % count;
	const int wrapped = first < 0 ? first + count : first;
	return (tnLeftSpan){wrapped, wrapped + tnMinInt(end - begin - 2, count)};
}

int tnBody_FindLeft(const tnBody* body, const tnGrid* grid, tnLeftRun* runs, int capacity)
{
	const tnCut* cut = &body->cut;
	const tnCellBox* box = &body->box;
	const tnLeftSpan columns = tnGetInside(box->columnBegin, box->columnEnd, grid->columnCount, grid->wrapX);
	const tnLeftSpan rows = tnGetInside(box->rowBegin, box->rowEnd, grid->rowCount, grid->wrapZ);
	tnLeftList list = {runs, 0, capacity};
	int run = 0;
	for (int place = rows.begin; place < rows.end; ++place)
	{
		const int row = tnWrapIndex(place, grid->rowCount, grid->wrapZ);
		const tnLeftSpan covered = tnFindCovered(grid, columns, row);
		// What lies between the columns that the body has in this row now.
		int reached = covered.begin;
		for (; run < cut->runCount && cut->cells[cut->runs[run].begin].row == row; ++run)
		{
			const int column = cut->cells[cut->runs[run].begin].column;
			const int begin = grid->wrapX && column < columns.begin ? column + grid->columnCount : column;
			tnLeftList_Add(&list, grid, reached, tnMinInt(begin, covered.end), row);
			reached = tnMaxInt(reached, begin + cut->runs[run].end - cut->runs[run].begin);
		}
		tnLeftList_Add(&list, grid, reached, covered.end, row);
	}
	return list.count;
}

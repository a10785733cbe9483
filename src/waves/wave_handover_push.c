// SPDX-License-Identifier: MIT

// What the flow loses: K F of its surface, as exchange of depth through faces, and the gradient of F of the divergence,
// as discharge. Nothing passes a face unless both its cells are open, and no more than they can bear.
//
// One pass over the finest grid: potentials of its coarser grids are added row by row, three rows are kept. What is read
// of other rows than a piece's own is a copy (room, potentials), so pieces do not see each other's changes.

#include "wave_handover_parts.h"

#include <string.h>

// Of the depth of the shallower cell, what a face may carry at once. Weights see to it that it never is that much where
// depths are alike; with four faces it cannot empty a cell.
#define TN_MOST_DEPTH_SHARE 0.2f

enum
{
	tnPushRing = 3,
};

// The sum of all potentials in a row, from the first cell of a run on, with one more cell at each end.
static void tnGatherRow(const tnTaking* taking, int row, tnRun run, float* const outs[tnFieldCount], float* line)
{
	const tnHandoverGrid* fine = taking->handover->grids;
	const tnHandoverGrid* coarse = fine + 1;
	const int at = tnClampInt(row, 0, fine->rowCount - 1);
	const float* room = tnGetRow(fine, taking->handover->room, at) + run.begin;
	for (int f = 0; f < tnFieldCount; ++f)
	{
		const float* finer = taking->firstBand == 0 ? tnGetRow(fine, fine->fields[f], at) + run.begin : NULL;
		if (taking->bandCount > 1)
		{
			const int count = tnRefineAcross(taking, coarse, coarse->fields[f], at, run, line);
			taking->rows->deepenAlong(line, room, TN_ANY_DEPTH, finer, outs[f], count);
		}
		else
		{
			memcpy(outs[f], finer, (size_t)(run.end - run.begin) * sizeof(float));
		}
		// What is beside a run is closed.
		outs[f][-1] = 0.0f;
		outs[f][run.end - run.begin] = 0.0f;
	}
}

static void tnPushRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	tnGrid* grid = taking->grid;
	const tnHandoverGrid* level = taking->handover->grids;
	float* const* lines = taking->handover->scratch[workerIndex].lines;
	const tnRun rows = tnGetRows(level, item);
	tnRun run = {0, -1};
	while (tnNextRun(taking, 0, rows.begin, 0, &run))
	{
		// Rows r - 1, r and r + 1 of height and rate, in rings.
		float* rings[tnPushRing][tnFieldCount];
		for (int i = 0; i < tnPushRing; ++i)
		{
			rings[i][0] = lines[1 + i] + TN_ROW_PAD;
			rings[i][1] = lines[1 + tnPushRing + i] + TN_ROW_PAD;
		}
		tnGatherRow(taking, rows.begin - 1, run, rings[0], lines[0]);
		tnGatherRow(taking, rows.begin, run, rings[1], lines[0]);
		for (int row = rows.begin; row < rows.end; ++row)
		{
			const int at = row - rows.begin;
			tnGatherRow(taking, row + 1, run, rings[(at + 2) % tnPushRing], lines[0]);
			const ptrdiff_t cell = tnGrid_Index(grid, run.begin, row);
			tnHandoverPush push = {
				.mostShare = TN_MOST_DEPTH_SHARE,
				.cellSize = grid->cellSize,
				.storesVelocity = tnGrid_StoresVelocity(grid),
				.fixedSection = taking->fixedSection,
				.depth = grid->depth + cell,
				.residual = grid->residual != NULL ? grid->residual + cell : NULL,
				.previousDepth = grid->previousDepth != NULL ? grid->previousDepth + cell : NULL,
				.flowX = grid->flowX + cell,
				.flowZ = grid->flowZ + cell,
			};
			for (int i = 0; i < 3; ++i)
			{
				push.heights[i] = rings[(at + i) % tnPushRing][0];
				push.rates[i] = rings[(at + i) % tnPushRing][1];
				push.room[i] = tnGetRow(level, taking->handover->room, row - 1 + i) + run.begin;
			}
			taking->rows->push(&push, run.end - run.begin);
		}
	}
}

void tnPushFlow(tnTaking* taking, tnParallel* parallel)
{
	tnRunRows(taking, parallel, 0, 0, tnPushRows);
}

// SPDX-License-Identifier: MIT

// What the flow loses: K F of its surface, as exchange of depth through faces, and the gradient of F of the divergence,
// as discharge. Nothing passes a face unless both its cells are open, and no more than they can bear.
//
// Potentials of all coarser grids are added up first. What is read of other rows than a piece's own is a copy (room, potentials), so
// pieces do not see each other's changes.

#include "wave_handover_parts.h"

#include <string.h>

// Of the depth of the shallower cell, what a face may carry at once. Weights see to it that it never is that much where
// depths are alike; with four faces it cannot empty a cell.
#define TN_MOST_DEPTH_SHARE 0.2f

enum
{
	tnPushRing = 3,
};

// The sum of all potentials, into the spares of the finest grid.
static void tnSumRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const tnHandoverGrid* fine = taking->handover->grids;
	const tnHandoverGrid* coarse = fine + 1;
	float* line = taking->handover->scratch[workerIndex].lines[0];
	const tnRun rows = tnGetRows(fine, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		tnRun run = {0, -1};
		while (tnNextRun(taking, 0, row, 0, &run))
		{
			const float* room = tnGetRow(fine, taking->handover->room, row) + run.begin;
			for (int f = 0; f < tnFieldCount; ++f)
			{
				const float* finer = taking->firstBand == 0 ? tnGetRow(fine, fine->fields[f], row) + run.begin : NULL;
				float* out = tnGetRow(fine, fine->spares[f], row) + run.begin;
				if (taking->bandCount > 1)
				{
					const int count = tnRefineAcross(taking, coarse, coarse->fields[f], row, run, line);
					taking->rows->deepenAlong(line, room, TN_ANY_DEPTH, finer, out, count);
				}
				else
				{
					memcpy(out, finer, (size_t)(run.end - run.begin) * sizeof(float));
				}
			}
		}
	}
}

void tnSumPotentials(tnTaking* taking, tnParallel* parallel)
{
	tnRunRows(taking, parallel, 0, 0, tnSumRows);
}

// Potentials of rows r - 1, r and r + 1 of a run, in rings, with one more cell at each end.
typedef struct tnPushRows
{
	const tnTaking* taking;
	tnRun run;
	float* rings[tnPushRing][tnFieldCount];
} tnPushRows;

static void tnPushRows_Read(const tnPushRows* rows, int ring, int row)
{
	const tnHandoverGrid* fine = rows->taking->handover->grids;
	const int at = tnClampInt(row, 0, fine->rowCount - 1);
	const int count = rows->run.end - rows->run.begin;
	for (int f = 0; f < tnFieldCount; ++f)
	{
		float* out = rows->rings[ring][f];
		memcpy(out, tnGetRow(fine, fine->spares[f], at) + rows->run.begin, (size_t)count * sizeof(float));
		// What is beside a run is closed.
		out[-1] = 0.0f;
		out[count] = 0.0f;
	}
}

static tnPushRows tnPushRows_Begin(const tnTaking* taking, tnRun run, int row, float* const* lines)
{
	tnPushRows rows = {.taking = taking, .run = run};
	for (int i = 0; i < tnPushRing; ++i)
	{
		rows.rings[i][0] = lines[1 + i] + TN_ROW_PAD;
		rows.rings[i][1] = lines[1 + tnPushRing + i] + TN_ROW_PAD;
	}
	tnPushRows_Read(&rows, 0, row - 1);
	tnPushRows_Read(&rows, 1, row);
	return rows;
}

// What goes through the faces of a row. Rows of a block, from the first on, one after the other.
static tnHandoverPush tnPushRows_Next(const tnPushRows* rows, int row, int first)
{
	const tnTaking* taking = rows->taking;
	const tnGrid* grid = taking->grid;
	const int at = row - first;
	tnPushRows_Read(rows, (at + 2) % tnPushRing, row + 1);
	const ptrdiff_t cell = tnGrid_Index(grid, rows->run.begin, row);
	tnHandoverPush push = {
		.mostShare = TN_MOST_DEPTH_SHARE,
		.share = taking->share,
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
		push.heights[i] = rows->rings[(at + i) % tnPushRing][0];
		push.rates[i] = rows->rings[(at + i) % tnPushRing][1];
		push.room[i] = tnGetRow(taking->handover->grids, taking->handover->room, row - 1 + i) + rows->run.begin;
	}
	return push;
}

static void tnReleaseRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const tnGrid* grid = taking->grid;
	float* const* lines = taking->handover->scratch[workerIndex].lines;
	const tnRun rows = tnGetRows(taking->handover->grids, item);
	double sums[2] = {0.0, 0.0};
	tnRun run = {0, -1};
	while (tnNextRun(taking, 0, rows.begin, 0, &run))
	{
		const int count = run.end - run.begin;
		float* const energies[2] = {lines[0], lines[tnLineCount - 1]};
		memset(energies[0], 0, (size_t)(count + TN_HANDOVER_SLACK) * sizeof(float));
		memset(energies[1], 0, (size_t)(count + TN_HANDOVER_SLACK) * sizeof(float));
		const tnPushRows pushes = tnPushRows_Begin(taking, run, rows.begin, lines);
		for (int row = rows.begin; row < rows.end; ++row)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, run.begin, row);
			const tnHandoverRelease release = {
				.push = tnPushRows_Next(&pushes, row, rows.begin),
				.bed = grid->bed + cell,
				.stride = grid->stride,
				.gravity = taking->waves->gravity,
				.perKinetic = taking->perKinetic,
				.lag = taking->lag,
				.linear = energies[0],
				.square = energies[1],
			};
			taking->rows->release(&release, count);
		}
		for (int i = 0; i < count; ++i)
		{
			sums[0] += (double)energies[0][i];
			sums[1] += (double)energies[1][i];
		}
	}
	memcpy(taking->handover->sums + 2 * item, sums, sizeof(sums));
}

void tnFindRelease(tnTaking* taking, tnParallel* parallel, double release[2])
{
	tnRunRows(taking, parallel, 0, 0, tnReleaseRows);
	const tnHandoverGrid* level = taking->handover->grids;
	const int count = (level->rowEnd + tnBlockRows - 1) / tnBlockRows - level->rowBegin / tnBlockRows;
	const double area = (double)level->cellSize * level->cellSize;
	release[0] = release[1] = 0.0;
	for (int item = 0; item < count; ++item)
	{
		release[0] += area * taking->handover->sums[2 * item];
		release[1] += area * taking->handover->sums[2 * item + 1];
	}
}

static void tnPushFlowRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	float* const* lines = taking->handover->scratch[workerIndex].lines;
	const tnRun rows = tnGetRows(taking->handover->grids, item);
	tnRun run = {0, -1};
	while (tnNextRun(taking, 0, rows.begin, 0, &run))
	{
		const tnPushRows pushes = tnPushRows_Begin(taking, run, rows.begin, lines);
		for (int row = rows.begin; row < rows.end; ++row)
		{
			const tnHandoverPush push = tnPushRows_Next(&pushes, row, rows.begin);
			taking->rows->push(&push, run.end - run.begin);
		}
	}
}

void tnPushFlow(tnTaking* taking, tnParallel* parallel)
{
	tnRunRows(taking, parallel, 0, 0, tnPushFlowRows);
}

// SPDX-License-Identifier: MIT

// Scratch memory of the sweep over the edges of a simple mesh. body_sweep.inc has the sweep.

#include "body_sweep.h"

#include "body_sweep_parts.h"

#include <string.h>

size_t tnSweep_GetByteCount(const tnMesh* mesh, int columnLimit, int rowLimit)
{
	// One more column and row than nodes of the patch, which have one more than cells, and a row before them.
	const int64_t most = (int64_t)TN_MAX_SWEEP_NODES + columnLimit + rowLimit + 4;
	const int64_t all = (int64_t)(columnLimit + 2) * (rowLimit + 2);
	const size_t nodeCount = (size_t)(all < most ? all : most) + (size_t)columnLimit + 3;
	const size_t lineCount = (size_t)columnLimit + (size_t)rowLimit + 4;
	const size_t edgeCount = (size_t)mesh->edgeCount;
	const size_t ofColumns =
		nodeCount * (sizeof(tnSweepNode) + sizeof(tnRim) + sizeof(tnSweepTouch) + sizeof(int32_t)) +
		lineCount * (sizeof(tnReach) + sizeof(tnRowRange)) + (size_t)mesh->pointCount * sizeof(tnCornerCell) +
		((tn_listCount + 1) * edgeCount + TN_FOLD_LANES) * sizeof(int32_t);
	const size_t ofFaces = tnSweep_GetFaceByteCount(nodeCount);
	return tnGetPlaneRoom(mesh) * sizeof(tnPlane) + (ofColumns > ofFaces ? ofColumns : ofFaces);
}

void tnSweep_Place(tnSweep* sweep, void* scratch)
{
	const tnPatch* patch = sweep->patch;
	const tnMesh* mesh = sweep->mesh;
	const size_t nodeCount = (size_t)sweep->stride * (size_t)(patch->rowCount + 2);
	// Rounding may take the end of an edge on the western or the northern line for one beyond it.
	const size_t before = (size_t)sweep->stride + 1;
	sweep->planes = scratch;
	sweep->nodes = (tnSweepNode*)(sweep->planes + tnGetPlaneRoom(mesh)) + before;
	sweep->reaches[0] = (tnReach*)(sweep->nodes + nodeCount);
	sweep->reaches[1] = sweep->reaches[0] + patch->columnCount + 2;
	sweep->rims = (tnRim*)(sweep->reaches[1] + patch->rowCount + 2);
	sweep->ranges = (tnRowRange*)(sweep->rims + nodeCount + 1);
	sweep->cells = (tnCornerCell*)(sweep->ranges + patch->rowCount + 2);
	sweep->touches = (tnSweepTouch*)(sweep->cells + mesh->pointCount);
	sweep->rimOf = (int32_t*)(sweep->touches + nodeCount) + 1;
	sweep->lists = sweep->rimOf + nodeCount;
	sweep->folds = sweep->lists + (ptrdiff_t)tn_listCount * mesh->edgeCount;
	memset(sweep->nodes - before, 0, (nodeCount + before) * sizeof(tnSweepNode));
	memset(sweep->rimOf - 1, 0, (nodeCount + 1) * sizeof(int32_t));
	for (int i = 0; i < patch->columnCount + patch->rowCount + 4; ++i)
	{
		// Nothing is covered of a line that the outline does not cross.
		sweep->reaches[0][i] = (tnReach){1.0e30, -1.0e30};
	}
	for (int i = 0; i < patch->rowCount + 2; ++i)
	{
		sweep->ranges[i] = (tnRowRange){patch->columnCount, -1};
	}
}

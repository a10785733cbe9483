// SPDX-License-Identifier: MIT

#include "body_folds.h"

#include "simd_double.h"

// Folds are many and short. Those that cross the same number of lines are walked in step, two at once, in lanes that do
// not mix, and a processor that guesses ahead knows how long each of them is. See tnTrack for how an edge finds its way.

typedef struct tnFolds
{
	tnDouble2 slope;
	tnDouble2 xBegin, zBegin, dx, dz;
	tnDouble2 x, z;
	tnDouble2 nextX, nextZ, addX, addZ;
	tnDouble2 east, step;
	tnDouble2 place; // index of the node
	int sides[2];
} tnFolds;

static inline tnFolds tnFolds_Begin(const tnSweepEdge* first, const tnSweepEdge* second, bool single, double stride)
{
	const double signs[2] = {-1.0, 1.0};
	const tnDouble2 zero = tnSplat2(0.0);
	const tnDouble2 one = tnSplat2(1.0);
	const tnDouble2 never = tnSplat2(TN_TRACK_NEVER);
	tnFolds folds;
	folds.sides[0] = first->along->side;
	folds.sides[1] = second->along->side;
	folds.slope = tnSet2(signs[folds.sides[0]] * (first->along->slopeX - first->back->slopeX),
		single ? 0.0 : signs[folds.sides[1]] * (second->along->slopeX - second->back->slopeX));
	folds.xBegin = tnSet2(first->north->at[0], second->north->at[0]);
	folds.zBegin = tnSet2(first->north->at[1], second->north->at[1]);
	folds.x = folds.xBegin;
	folds.z = folds.zBegin;
	folds.dx = tnSub2(tnSet2(first->south->at[0], second->south->at[0]), folds.xBegin);
	folds.dz = tnSub2(tnSet2(first->south->at[1], second->south->at[1]), folds.zBegin);
	const tnDouble2 column = tnTrunc2(folds.xBegin);
	const tnDouble2 row = tnTrunc2(folds.zBegin);
	const tnMask2 east = tnGreater2(folds.dx, zero);
	const tnMask2 leavesX = tnDiffers2(folds.dx, zero);
	const tnMask2 leavesZ = tnDiffers2(folds.dz, zero);
	const tnDouble2 rateX = tnKeep2(leavesX, tnDiv2(one, folds.dx));
	folds.addZ = tnKeep2(leavesZ, tnDiv2(one, folds.dz));
	folds.step = tnSelect2(east, one, tnSplat2(-1.0));
	folds.addX = tnMul2(rateX, folds.step);
	const tnDouble2 lineX = tnAdd2(column, tnKeep2(east, one));
	folds.nextX = tnSelect2(leavesX, tnMul2(tnSub2(lineX, folds.xBegin), rateX), never);
	folds.nextZ = tnSelect2(leavesZ, tnMul2(tnSub2(tnAdd2(row, one), folds.zBegin), folds.addZ), never);
	folds.east = tnAdd2(column, one);
	folds.place = tnAdd2(tnMul2(row, tnSplat2(stride)), column);
	return folds;
}

static inline void tnSweepNode_Add(tnSweepNode* node, int side, tnDouble2 heights, double slope)
{
	double* sums = &node->sides[side].y;
	tnStore2(sums, tnAdd2(tnLoad2(sums), heights));
	node->carriedSlope[side] += slope;
}

// Add what lies between here and a place further on the way. Does not go there.
static inline void tnFolds_Add(const tnFolds* folds, tnSweepNode* nodes, tnDouble2 x, tnDouble2 z)
{
	const tnDouble2 a = tnSub2(folds->east, folds->x);
	const tnDouble2 b = tnSub2(folds->east, x);
	const tnDouble2 weight = tnMul2(folds->slope, tnSub2(z, folds->z));
	const tnDouble2 squares = tnAdd2(tnAdd2(tnMul2(a, a), tnMul2(a, b)), tnMul2(b, b));
	const tnDouble2 y = tnMul2(tnMul2(weight, tnSplat2(1.0 / 6.0)), squares);
	const tnDouble2 carriedY = tnMul2(tnMul2(weight, tnSplat2(-0.5)), tnAdd2(folds->x, x));
	tnSweepNode* first = nodes + (ptrdiff_t)tnFirst2(folds->place);
	tnSweepNode* second = nodes + (ptrdiff_t)tnSecond2(folds->place);
	tnSweepNode_Add(first, folds->sides[0], tnFirsts2(y, carriedY), tnFirst2(weight));
	tnSweepNode_Add(second, folds->sides[1], tnSeconds2(y, carriedY), tnSecond2(weight));
}

void tnFoldList_Walk(const tnFoldList* list, tnSweepNode* nodes, int stride)
{
	const tnDouble2 rowStep = tnSplat2((double)stride);
	for (int item = 0; item < list->count; item += 2)
	{
		// Without a second one the first goes twice, and brings nothing with it.
		const bool single = item + 1 == list->count;
		const int32_t* indices[2] = {list->edges + 4 * (ptrdiff_t)list->items[item],
			list->edges + 4 * (ptrdiff_t)list->items[single ? item : item + 1]};
		const tnSweepEdge first = tnGetSweepEdge(list->planes, list->corners, indices[0]);
		const tnSweepEdge second = tnGetSweepEdge(list->planes, list->corners, indices[1]);
		tnFolds folds = tnFolds_Begin(&first, &second, single, (double)stride);
		for (int i = 0; i < list->crossings; ++i)
		{
			const tnMask2 acrossZ = tnGreater2(folds.nextX, folds.nextZ);
			const tnDouble2 next = tnMin2(folds.nextX, folds.nextZ);
			const tnDouble2 x = tnAdd2(folds.xBegin, tnMul2(next, folds.dx));
			const tnDouble2 z = tnAdd2(folds.zBegin, tnMul2(next, folds.dz));
			tnFolds_Add(&folds, nodes, x, z);
			folds.x = x;
			folds.z = z;
			folds.nextX = tnAdd2(folds.nextX, tnDrop2(acrossZ, folds.addX));
			folds.nextZ = tnAdd2(folds.nextZ, tnKeep2(acrossZ, folds.addZ));
			folds.east = tnAdd2(folds.east, tnDrop2(acrossZ, folds.step));
			folds.place = tnAdd2(folds.place, tnSelect2(acrossZ, rowStep, folds.step));
		}
		tnFolds_Add(&folds, nodes, tnAdd2(folds.xBegin, folds.dx), tnAdd2(folds.zBegin, folds.dz));
	}
}

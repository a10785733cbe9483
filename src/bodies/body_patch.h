// SPDX-License-Identifier: MIT

// The cells below a body, and corners of its mesh among them.

#pragma once

#include "../flow/grid.h"
#include "../shapes/body_motion.h"
#include "body_columns.h"
#include "body_layers.h"

// How a body has come to where it is cut, for what it takes at faces in the mean of a step (body_flow.c): that is what it takes
// of a strip behind the face, as wide as its way in the step.
typedef struct tnTravel
{
	tnMotion motion;
	float perSpeed; // cells in a step for a speed of 1 m/s, s/m; 0 for a body at rest
} tnTravel;

// The footprint of a body: a patch of cells of the world.
typedef struct tnPatch
{
	const tnGrid* grid;
	tnCut* cut;
	tnVec3 position;           // of the centre of mass, m
	int columnBegin, rowBegin; // not wrapped
	int columnCount, rowCount;
	float centerX, centerZ; // centre of mass, cells from the corner
	tnTravel travel;
	tnVec2 stripWidths; // cells
} tnPatch;

// Cells from the corner of the patch, and m from the centre of mass. In arrays: 0 is x, 1 is z, 2 is y.
typedef struct tnCorner
{
	float at[3];
} tnCorner;

// The same for sweeps, as fine as doubles are: see body_sweep.c.
typedef struct tnFineCorner
{
	double at[4]; // the last is nothing: it makes a vector of them
} tnFineCorner;

// Columns that cover less than this of a cell are rounding errors of the sums.
#define TN_LEAST_SHARE 1.0e-6f
// Cells that are covered up to this are covered wholly, so that no sliver of water has to be tracked beside a wall that
// stands on a line of the grid but for rounding.
#define TN_WHOLE_SHARE (1.0f - 1.0e-4f)
// Edges that lie so near to a line of the grid, in cells, stand on it: a body that fills whole cells blocks the faces
// around it, though rounding may place it a little to one side.
#define TN_TOUCH 1.0e-4f

static inline int tnWrapIndex(int index, int count, bool wrap)
{
	return !wrap ? index : (index >= count ? index - count : (index < 0 ? index + count : index));
}

// Change the share without a change of volume.
static inline void tnLayer_SetShare(tnInterval* layer, float share)
{
	const float middle = 0.5f * (layer->low + layer->high);
	const float half = share > 0.0f ? 0.5f * (layer->high - layer->low) * (layer->share / share) : 0.0f;
	layer->low = middle - half;
	layer->high = middle + half;
	layer->share = share;
}

// Limit the share. False if nothing is left.
static inline bool tnLayer_Finish(tnInterval* layer)
{
	if (layer->share >= TN_WHOLE_SHARE)
	{
		tnLayer_SetShare(layer, 1.0f);
	}
	return layer->share >= TN_LEAST_SHARE && layer->high > layer->low;
}

// The way of a column in a step, in cells. As tnMotion_At.
static inline float tnPatch_GetWay(const tnPatch* patch, const tnColumn* column, bool alongZ)
{
	const tnVec3 v = patch->travel.motion.velocity;
	const tnVec3 s = patch->travel.motion.spin;
	const float y = 0.5f * (column->low + column->high) - patch->position.y;
	const float speed = alongZ ? v.z + (s.x * y - s.y * column->x) : v.x + (s.y * column->z - s.z * y);
	return speed * patch->travel.perSpeed;
}

// Strips are no narrower than this, in cells, and no wider than a cell. What floats say of less is rounding.
#define TN_LEAST_STRIP 1.0e-6f

// How wide strips are along both axes: as far as the body goes, and half of what its turning adds at its rim, since the strips of all
// cells are of one width.
static inline tnVec2 tnTravel_GetStripWidths(const tnTravel* travel, float radius)
{
	const float turn = 0.5f * radius * tnAbsFloat(travel->motion.spin.y);
	const float x = tnAbsFloat(travel->motion.velocity.x) + turn;
	const float z = tnAbsFloat(travel->motion.velocity.z) + turn;
	return (tnVec2){
		tnClampFloat(x * travel->perSpeed, TN_LEAST_STRIP, 1.0f),
		tnClampFloat(z * travel->perSpeed, TN_LEAST_STRIP, 1.0f),
	};
}

// Write out a layer, limited. False if it is too small, or there is no room for it.
static inline bool tnPatch_EmitColumn(const tnPatch* patch, int column, int row, tnInterval* layer, tnColumn* out)
{
	if (!tnLayer_Finish(layer))
	{
		return false;
	}
	tnCut* cut = patch->cut;
	if (cut->columnCount == cut->columnCapacity)
	{
		cut->truncated = true;
		return false;
	}
	const tnGrid* grid = patch->grid;
	*out = (tnColumn){
		.column = tnWrapIndex(patch->columnBegin + column, grid->columnCount, grid->wrapX),
		.row = tnWrapIndex(patch->rowBegin + row, grid->rowCount, grid->wrapZ),
		.share = layer->share,
		.low = patch->position.y + layer->low,
		.high = patch->position.y + layer->high,
		.x = ((float)column - patch->centerX + layer->x) * grid->cellSize,
		.z = ((float)row - patch->centerZ + layer->z) * grid->cellSize,
		.widthX = layer->xMax - layer->xMin,
		.widthZ = layer->zMax - layer->zMin,
		.insetX = 0.5f * (layer->xMin + layer->xMax),
		.insetZ = 0.5f * (layer->zMin + layer->zMax),
	};
	if (patch->travel.perSpeed > 0.0f)
	{
		const float x = layer->strips[tnPatch_GetWay(patch, out, false) > 0.0f ? tn_westStrip : tn_eastStrip];
		const float z = layer->strips[tnPatch_GetWay(patch, out, true) > 0.0f ? tn_northStrip : tn_southStrip];
		out->stripX = tnClampFloat(x, 0.0f, 1.0f) / layer->share;
		out->stripZ = tnClampFloat(z, 0.0f, 1.0f) / layer->share;
	}
	tnCut_AddColumn(cut, out);
	return true;
}

// @param axis 0 for X faces, 1 for Z faces
static inline void tnPatch_EmitFace(const tnPatch* patch, int column, int row, int axis, tnInterval* layer)
{
	if (!tnLayer_Finish(layer))
	{
		return;
	}
	tnCut* cut = patch->cut;
	if (cut->faceCount == cut->faceCapacity)
	{
		cut->truncated = true;
		return;
	}
	const tnGrid* grid = patch->grid;
	tnFaceCut* out = cut->faces + cut->faceCount++;
	out->column = tnWrapIndex(patch->columnBegin + column, grid->columnCount, grid->wrapX);
	out->row = tnWrapIndex(patch->rowBegin + row, grid->rowCount, grid->wrapZ);
	out->share = layer->share;
	out->low = patch->position.y + layer->low;
	out->high = patch->position.y + layer->high;
	out->alongZ = axis == 1;
}

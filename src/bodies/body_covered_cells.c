// SPDX-License-Identifier: MIT

// What the bodies of a group take from its cells and faces.
//
// A cell has one solid interval, which its fields hold. Where bodies stand over each other it has more: those are
// chained while they are collected, and become a profile.

#include "body_flow.h"

#include "../flow/cell_disc.h"
#include "body_cover.h"
#include "body_links.h"

#include <math.h>
#include <string.h>

// The least that solids give way (body_flow.c), so that water in a closed chamber has a head.
#define TN_LEAST_GIVING 1.0e-3f

// No body is so light that half of it counts as open.
#define TN_MOST_GIVING 0.5f

// Columns that hang higher than this above the water, in cells, are left out.
#define TN_CLEARANCE 1.0f

// What a solver may leave over without a body having jumped, in cells.
#define TN_LEFT_OVER 2.0e-3f

enum
{
	// Sweeps at most: this, and two more for each cell of the side of a body.
	TN_LEAST_SWEEPS = 12,
	TN_MOST_SWEEPS = 100,
};

// ---------------------------------------------------------------------------------------------------------------------
// Cells

typedef struct tnCollectContext
{
	tnBodyFlow* flow;
	const tnGrid* grid;
	tnBodies* bodies;
	tnGroup* group;
} tnCollectContext;

// The cell west, east, north or south of a cell, or -1 beyond an edge that does not wrap.
static ptrdiff_t tnFindNeighbor(const tnGrid* grid, int column, int row, int side)
{
	int c = column + (side == 1) - (side == 0);
	int r = row + (side == 3) - (side == 2);
	if (grid->wrapX)
	{
		c = c < 0 ? c + grid->columnCount : (c >= grid->columnCount ? c - grid->columnCount : c);
	}
	if (grid->wrapZ)
	{
		r = r < 0 ? r + grid->rowCount : (r >= grid->rowCount ? r - grid->rowCount : r);
	}
	const bool inside = c >= 0 && c < grid->columnCount && r >= 0 && r < grid->rowCount;
	return inside ? tnGrid_Index(grid, c, r) : -1;
}

// Is a column so far above the water that it may be left out of this step?
static bool tnHangsFree(const tnGrid* grid, tnColumnCell place, float low, float clearance)
{
	const ptrdiff_t index = tnGrid_Index(grid, place.column, place.row);
	if (low <= grid->bed[index] + tnGrid_GetHeight(grid, index) + clearance)
	{
		return false;
	}
	float surface = grid->bed[index];
	for (int side = 0; side < 4; ++side)
	{
		const ptrdiff_t next = tnFindNeighbor(grid, place.column, place.row, side);
		surface = next >= 0 ? tnMaxFloat(surface, grid->bed[next] + tnGrid_GetHeight(grid, next)) : surface;
	}
	return low > surface + clearance;
}

// The share of a body that gives way: see body_flow.c.
static float tnGetGivingShare(const tnBody* body, const tnGrid* grid, float gravity, float timeStep)
{
	const float area = tnCut_GetShares(&body->cut) * grid->cellSize * grid->cellSize;
	const float draft = (body->def.mass + body->heldMass) / (TN_WATER_DENSITY * tnMaxFloat(area, 1.0e-12f));
	const float fall = gravity * timeStep * timeStep;
	// In the shortest time steps nothing falls, and the lightest bodies have no draft.
	const float share = fall > 0.0f ? fall / (draft + fall) : 0.0f;
	return tnClampFloat(share, TN_LEAST_GIVING, TN_MOST_GIVING);
}

// Speed of the fastest point of a body at most, m/s.
static float tnGetFastest(const tnBody* body)
{
	const tnVec3 v = body->motion.velocity;
	const tnVec3 s = body->motion.spin;
	return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) + body->mesh.radius * sqrtf(s.x * s.x + s.y * s.y + s.z * s.z);
}

// Is there room for one more at a place, after those that are chained there?
static bool tnMayShare(const tnGroup* group, int chain)
{
	return group->sharing + (chain == 0 ? 2 : 1) <= group->sharingLimit;
}

static int tnAddLink(tnGroup* group, tnLayer layer, float speed, int next)
{
	TN_ASSERT(tnMayShare(group, next));
	group->sharing += next == 0 ? 2 : 1;
	group->layers[group->layerCount] = (tnLayerLink){layer, speed, next};
	group->layerCount += 1;
	return group->layerCount;
}

// As tnCoverVector in body_columns.inc.
void tnGroup_CoverColumn(
	tnGroup* group, const tnGrid* grid, tnCut* cut, const tnCoverValues* values, int column, int slot)
{
	const float low = tnCut_GetField(cut, tn_columnLow)[column];
	const float high = tnCut_GetField(cut, tn_columnHigh)[column];
	const float share = values->takes * tnCut_GetField(cut, tn_columnShare)[column];
	float* counts = tnCut_GetField(cut, tn_columnCounts) + column;
	const tnColumnCell place = cut->cells[column];
	*counts = 0.0f;
	// It counts if it is not wholly in the ground and not far above the water.
	if (slot < 0 || high <= grid->bed[tnGrid_Index(grid, place.column, place.row)])
	{
		return;
	}
	if (tnHangsFree(grid, place, low, values->clearance))
	{
		group->hangs = true;
		return;
	}
	*counts = 1.0f;
	float* covered = tnGroup_GetField(group, tn_cellCovered) + slot;
	float* givesWay = tnGroup_GetField(group, tn_cellGivesWay) + slot;
	float* allowance = tnGroup_GetField(group, tn_cellAllowance) + slot;
	const float allowed = values->way * (1.0f + (high - low) / grid->cellSize) + values->leftOver;
	if (*covered > 0.0f)
	{
		int* chain = tnGroup_GetChain(group, tn_cellChain) + slot;
		*chain = tnAddLink(group, (tnLayer){share, low, high}, 0.0f, *chain);
		*givesWay = tnMaxFloat(*givesWay, values->givesWay);
		*allowance = tnMaxFloat(*allowance, allowed);
	}
	else
	{
		group->strips[slot / TN_STRIP_SIZE].solves = true;
		group->cellCount += 1;
		*covered = 1.0f;
		tnGroup_GetField(group, tn_cellSolid)[slot] = share;
		tnGroup_GetField(group, tn_cellLow)[slot] = low;
		tnGroup_GetField(group, tn_cellHigh)[slot] = high;
		*givesWay = values->givesWay;
		*allowance = allowed;
	}
	if (values->blocked > 0.0f)
	{
		tnGroup_GetField(group, tn_cellBlocked)[slot] = 1.0f;
	}
}

static void tnAddColumns(const tnCollectContext* context, tnBody* body)
{
	const tnBodyFlow* flow = context->flow;
	const tnGrid* grid = context->grid;
	const tnGroup* group = context->group;
	tnCut* cut = &body->cut;
	for (int i = 0; i < cut->runCount; ++i)
	{
		tnColumnRun* run = cut->runs + i;
		const tnColumnCell* first = cut->cells + run->begin;
		run->slot = tnGroup_FindSlot(group, first->column, first->row);
		run->south = run->slot >= 0 ? tnGroup_GetSouthSlot(group, run->slot) : run->slot;
	}
	const tnCoverValues values = {
		.takes = 1.0f - body->relief,
		// All of nothing gives way.
		.givesWay = body->relief < 1.0f ? tnGetGivingShare(body, grid, flow->gravity, flow->timeStep) : 1.0f,
		.way = 2.0f * (flow->timeStep * tnGetFastest(body) + body->reshaped),
		.leftOver = TN_LEFT_OVER * grid->cellSize,
		.clearance = TN_CLEARANCE * grid->cellSize,
		.blocked = body->mode == tn_blockingBody && body->relief < 1.0f ? 1.0f : 0.0f,
	};
	flow->kernels->cover(context->group, grid, cut, &values);
}

// Cells that bodies have left are covered with nothing.
static void tnCoverLeft(const tnCollectContext* context)
{
	const tnGrid* grid = context->grid;
	tnGroup* group = context->group;
	float* covered = tnGroup_GetField(group, tn_cellCovered);
	for (int i = 0; i < group->leftCount; ++i)
	{
		const tnLeftRun* run = group->left + i;
		tnSlotWalk walk = {.slot = -1};
		for (int column = run->column; column < run->columnEnd; ++column)
		{
			const int slot = tnSlotWalk_Find(&walk, group, column, run->row);
			const ptrdiff_t index = tnGrid_Index(grid, column, run->row);
			if (slot < 0 || covered[slot] > 0.0f || !tnWasCovered(grid, index))
			{
				continue;
			}
			group->strips[slot / TN_STRIP_SIZE].solves = true;
			group->cellCount += 1;
			group->leaves = true;
			covered[slot] = 1.0f;
			tnGroup_GetField(group, tn_cellSolid)[slot] = 0.0f;
			// All of nothing gives way.
			tnGroup_GetField(group, tn_cellGivesWay)[slot] = 1.0f;
			tnGroup_GetField(group, tn_cellAllowance)[slot] = 0.0f;
		}
	}
}

// A lid has no end that water gets to, m.
#define TN_LID_HEIGHT 1000.0f

// The cells of decks in the rows of a group: body_deck.h.
static const tnDeckCell* tnGetLids(const tnCollectContext* context, int* count)
{
	const tnDecks* decks = context->flow->decks;
	const tnGroup* group = context->group;
	const ptrdiff_t begin = tnGrid_Index(context->grid, 0, group->firstRow);
	const ptrdiff_t end = tnGrid_Index(context->grid, 0, group->firstRow + group->rowCount);
	const int first = decks != NULL && decks->count > 0 ? tnDecks_FindFrom(decks, begin) : 0;
	*count = decks != NULL && decks->count > 0 ? tnDecks_FindFrom(decks, end) - first : 0;
	return *count > 0 ? decks->cells + first : NULL;
}

// The slot of a cell with a lid, or -1. Not of one whose body has plunged into so much water that it does not fit below.
static int tnFindLidSlot(const tnCollectContext* context, const tnDeckCell* deck)
{
	const tnGrid* grid = context->grid;
	const tnGroup* group = context->group;
	const int slot = deck->lid ? tnGroup_FindSlot(group, deck->cell % grid->stride, deck->cell / grid->stride) : -1;
	if (slot < 0 || !(tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f))
	{
		return -1;
	}
	// Where bodies share the cell fields do not say where they begin now.
	const bool shared = tnGroup_GetChain(group, tn_cellChain)[slot] > 0;
	const float now = shared ? deck->underside : tnGroup_GetField(group, tn_cellLow)[slot];
	const float low = tnMinFloat(now, deck->underside);
	const float room = tnMaxFloat(low - grid->bed[deck->cell], 0.0f);
	return grid->depth[deck->cell] <= room + TN_SEALED_GAP * grid->cellSize ? slot : -1;
}

// Solids that carry water of another level reach up without an end.
static void tnLidCells(const tnCollectContext* context)
{
	const tnGroup* group = context->group;
	int count;
	const tnDeckCell* decks = tnGetLids(context, &count);
	for (int i = 0; i < count; ++i)
	{
		const int slot = tnFindLidSlot(context, decks + i);
		if (slot < 0)
		{
			continue;
		}
		float* high = tnGroup_GetField(group, tn_cellHigh) + slot;
		const float from = decks[i].underside;
		*high = *high > from ? from + TN_LID_HEIGHT : *high;
		for (int link = tnGroup_GetChain(group, tn_cellChain)[slot]; link > 0; link = group->layers[link - 1].next)
		{
			tnLayer* layer = &group->layers[link - 1].layer;
			layer->high = layer->high > from ? from + TN_LID_HEIGHT : layer->high;
		}
	}
}

// The profile of the interval that fields hold and those that are chained to it.
static int tnMakeProfileOf(tnGroup* group, tnLayer first, float firstSpeed, int chain, float ground, float sealedGap,
	float givesWay, float leastBelow, float* speed)
{
	tnLayer layers[TN_MAX_LAYERS];
	int count = tnAddLayer(layers, 0, first);
	float weight = first.share;
	float sum = first.share * firstSpeed;
	for (int link = chain; link > 0; link = group->layers[link - 1].next)
	{
		const tnLayerLink* item = group->layers + link - 1;
		count = tnAddLayer(layers, count, item->layer);
		weight += item->layer.share;
		sum += item->layer.share * item->speed;
	}
	*speed = weight > 0.0f ? sum / weight : 0.0f;
	group->profiles[group->profileCount] =
		tnMakeProfile(ground, layers, count, sealedGap, givesWay, leastBelow, group->breaks + group->breakCount);
	group->breakCount += group->profiles[group->profileCount].count;
	group->profileCount += 1;
	return group->profileCount;
}

// One solid interval of a face, as tnMakeProfile would have it.
static tnLayer tnTrimLayer(tnLayer layer, float ground, float sealedGap)
{
	layer.low = layer.low < ground + sealedGap ? ground : layer.low;
	if (!(layer.high > layer.low && layer.share > 0.0f))
	{
		return (tnLayer){0.0f, ground, ground};
	}
	layer.share = layer.low > ground || layer.share < 1.0f - TN_SEALED_SHARE ? layer.share : 1.0f;
	return layer;
}

// Does a covered cell stand on the ground, with no water in it?
static bool tnIsSealed(const tnGroup* group, const tnGrid* grid, int slot)
{
	const int profile = tnGroup_GetChain(group, tn_cellChain)[slot];
	if (!(tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f))
	{
		return false;
	}
	if (profile > 0)
	{
		const tnProfile* p = group->profiles + profile - 1;
		return p->count > 0 && !(p->breaks->volume > 0.0f) && !(p->breaks->open > 0.0f);
	}
	return tnGroup_GetField(group, tn_cellSolid)[slot] >= 1.0f &&
		tnGroup_GetField(group, tn_cellLow)[slot] <= grid->bed[tnGroup_GetCell(group, slot)];
}

// Profiles of the cells that need one.
static void tnMakeCellProfiles(const tnCollectContext* context)
{
	const tnGrid* grid = context->grid;
	tnGroup* group = context->group;
	float* solid = tnGroup_GetField(group, tn_cellSolid);
	float* low = tnGroup_GetField(group, tn_cellLow);
	float* high = tnGroup_GetField(group, tn_cellHigh);
	const float* blocked = tnGroup_GetField(group, tn_cellBlocked);
	const float* givesWay = tnGroup_GetField(group, tn_cellGivesWay);
	int* chain = tnGroup_GetChain(group, tn_cellChain);
	const float sealedGap = TN_SEALED_GAP * grid->cellSize;
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		if (chain[slot] == 0)
		{
			continue;
		}
		const float ground = grid->bed[tnGroup_GetCell(group, slot)];
		const float leastBelow = blocked[slot] > 0.0f ? 0.0f : TN_THROUGH_SHARE;
		const tnLayer layer = {solid[slot], low[slot], high[slot]};
		float speed;
		chain[slot] =
			tnMakeProfileOf(group, layer, 0.0f, chain[slot], ground, sealedGap, givesWay[slot], leastBelow, &speed);
		solid[slot] = 0.0f;
		low[slot] = ground;
		high[slot] = ground;
		const bool sealed = tnIsSealed(group, grid, slot);
		group->stands |= sealed;
		group->leastOpen = sealed ? 0.0f : group->leastOpen;
	}
}

static void tnMakeCells(const tnCollectContext* context)
{
	tnGroup* group = context->group;
	const float* covered = tnGroup_GetField(group, tn_cellCovered);
	group->leastOpen = 1.0f;
	if (group->layerCount > 0)
	{
		tnMakeCellProfiles(context);
	}
	context->flow->kernels->makeCells(group, context->grid);
	// Cells beyond a wrapped edge look like those they are copies of, but are not solved for.
	const tnBodyField copied[] = {tn_cellSolid, tn_cellLow, tn_cellHigh, tn_cellBlocked};
	for (int i = 0; i < group->seamCount; ++i)
	{
		const tnSeam seam = group->seams[i];
		for (int k = 0; k < (int)(sizeof(copied) / sizeof(copied[0])); ++k)
		{
			float* field = tnGroup_GetField(group, copied[k]);
			field[seam.copy] = field[seam.origin];
		}
		tnGroup_GetField(group, tn_cellCovered)[seam.copy] = covered[seam.origin] > 0.0f ? TN_COVERED_COPY : 0.0f;
		int* chain = tnGroup_GetChain(group, tn_cellChain);
		chain[seam.copy] = chain[seam.origin];
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

// Faces beside cells that are sealed.
static void tnSealFaces(const tnCollectContext* context)
{
	const tnGroup* group = context->group;
	float* kindX = tnGroup_GetFace(group, false, tn_faceKind);
	float* kindZ = tnGroup_GetFace(group, true, tn_faceKind);
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		if (!tnIsSealed(group, context->grid, slot))
		{
			continue;
		}
		const int south = tnGroup_GetSouthSlot(group, slot);
		float* sides[4] = {kindX + slot, kindX + slot + 1, kindZ + slot, kindZ + south};
		for (int side = 0; side < 4; ++side)
		{
			*sides[side] = *sides[side] > 0.0f ? (float)tn_sealedFace : 0.0f;
		}
		group->strips[slot / TN_STRIP_SIZE].solid[0] = true;
		group->strips[(slot + 1) / TN_STRIP_SIZE].solid[0] = true;
		group->strips[slot / TN_STRIP_SIZE].solid[1] = true;
		group->strips[south / TN_STRIP_SIZE].solid[1] = true;
	}
}

void tnGroup_AddToFace(tnGroup* group, bool alongZ, int slot, tnLayer layer, float speed)
{
	float* solid = tnGroup_GetFace(group, alongZ, tn_faceSolid) + slot;
	float* low = tnGroup_GetFace(group, alongZ, tn_faceLow) + slot;
	float* high = tnGroup_GetFace(group, alongZ, tn_faceHigh) + slot;
	float* speeds = tnGroup_GetFace(group, alongZ, tn_faceSpeed) + slot;
	int* chain = tnGroup_GetChain(group, alongZ ? tn_faceChainZ : tn_faceChainX) + slot;
	if (*solid > 0.0f && tnMayShare(group, *chain))
	{
		*chain = tnAddLink(group, layer, speed, *chain);
		return;
	}
	if (*solid > 0.0f)
	{
		// No room for another one: one interval stands for both.
		speed = (*solid * *speeds + layer.share * speed) / (*solid + layer.share);
		const tnLayer other = layer;
		layer = (tnLayer){*solid, *low, *high};
		tnLayer_Merge(&layer, other);
	}
	*solid = layer.share;
	*low = layer.low;
	*high = layer.high;
	*speeds = speed;
}

// @param least kind of the faces that count
static void tnAddFaces(const tnCollectContext* context, const tnBody* body, const tnFaceCut* cuts, int count,
	tnFaceKind least, tnSlotWalk* walk)
{
	const tnGrid* grid = context->grid;
	tnGroup* group = context->group;
	for (int i = 0; i < count; ++i)
	{
		const tnFaceCut* cut = cuts + i;
		const int slot = tnSlotWalk_Find(walk, group, cut->column, cut->row);
		const float kind = slot >= 0 ? tnGroup_GetFace(group, cut->alongZ, tn_faceKind)[slot] : 0.0f;
		if (kind < (float)least || kind > (float)tn_sealedFace)
		{
			continue;
		}
		const tnVec2 offset = tnGetFaceOffset(grid, body, cut);
		const tnVec3 place = {offset.x, 0.5f * (cut->low + cut->high) - body->aheadPose.position.y, offset.z};
		const tnVec3 velocity = tnMotion_At(&body->motion, place);
		const float speed = cut->alongZ ? velocity.z : velocity.x;
		group->strips[slot / TN_STRIP_SIZE].solid[cut->alongZ] = true;
		tnGroup_AddToFace(group, cut->alongZ, slot, (tnLayer){cut->share, cut->low, cut->high}, speed);
	}
}

// Cuts count only at faces that are sealed, beside bodies that stand on the ground; what lies between faces always does.
static void tnAddFacesOf(const tnCollectContext* context, tnBody* body, void* scratch)
{
	const tnGrid* grid = context->grid;
	tnSlotWalk walk = {.slot = -1};
	if (context->group->stands)
	{
		tnBody_CutFaces(body, grid, scratch);
		tnAddFaces(context, body, body->cut.faces, body->cut.faceCount, tn_sealedFace, &walk);
	}
	walk.slot = -1;
	for (int i = 0; i < body->thinCount; ++i)
	{
		tnFaceCut sides[TN_THIN_SIDES];
		const int count = tnThinPart_Split(body->thinParts + i, &body->cut, grid, sides);
		tnAddFaces(context, body, sides, count, tn_freeFace, &walk);
	}
}

// Nothing passes beside a lid. Over ground that is lower the mean of the cells beside a face says so, as beside any body; but where
// the ground, or a body on it, is as high as the lid begins, that is half of what stands on it.
static void tnLidFaces(const tnCollectContext* context)
{
	tnGroup* group = context->group;
	int count;
	const tnDeckCell* decks = tnGetLids(context, &count);
	const float sealedGap = TN_SEALED_GAP * context->grid->cellSize;
	for (int i = 0; i < count; ++i)
	{
		const int slot = tnFindLidSlot(context, decks + i);
		if (slot < 0)
		{
			continue;
		}
		// It may have gone since the last step.
		const bool there = tnIdPool_IsUsed(&context->bodies->ids, decks[i].body);
		const tnVec3 velocity =
			there ? tnBodies_Get(context->bodies, decks[i].body)->motion.velocity : (tnVec3){0.0f, 0.0f, 0.0f};
		const tnLayer lid = {1.0f, decks[i].underside, decks[i].underside + TN_LID_HEIGHT};
		const int sides[2][2] = {{slot, slot + 1}, {slot, tnGroup_GetSouthSlot(group, slot)}};
		for (int side = 0; side < 4; ++side)
		{
			const bool alongZ = side >= 2;
			const int face = sides[alongZ][side % 2];
			// Of two lids beside each other one is enough: the lower one.
			const float* low = tnGroup_GetFace(group, alongZ, tn_faceLow) + face;
			const float* top = tnGroup_GetFace(group, alongZ, tn_faceHigh) + face;
			const float* solid = tnGroup_GetFace(group, alongZ, tn_faceSolid) + face;
			const bool shut = *solid >= 1.0f && *low <= lid.low && *top >= lid.low + 0.5f * TN_LID_HEIGHT;
			const float kind = tnGroup_GetFace(group, alongZ, tn_faceKind)[face];
			const int32_t second = tnGroup_GetCell(group, face);
			const int32_t first = alongZ ? tnGroup_GetCell(group, tnGroup_GetNorthSlot(group, face)) : second - 1;
			const float ground = tnMaxFloat(context->grid->bed[first], context->grid->bed[second]);
			const bool high = ground >= lid.low - sealedGap || kind > (float)tn_freeFace;
			if (kind > 0.0f && high && !shut)
			{
				group->strips[face / TN_STRIP_SIZE].solid[alongZ] = true;
				tnGroup_AddToFace(group, alongZ, face, lid, alongZ ? velocity.z : velocity.x);
			}
		}
	}
}

// What bodies take at a face, trimmed, and its profile if it needs one.
static void tnMakeFace(const tnCollectContext* context, bool alongZ, int slot)
{
	const tnGrid* grid = context->grid;
	tnGroup* group = context->group;
	const float sealedGap = TN_SEALED_GAP * grid->cellSize;
	float* solid = tnGroup_GetFace(group, alongZ, tn_faceSolid) + slot;
	float* low = tnGroup_GetFace(group, alongZ, tn_faceLow) + slot;
	float* high = tnGroup_GetFace(group, alongZ, tn_faceHigh) + slot;
	float* speed = tnGroup_GetFace(group, alongZ, tn_faceSpeed) + slot;
	int* chain = tnGroup_GetChain(group, alongZ ? tn_faceChainZ : tn_faceChainX) + slot;
	const int32_t second = tnGroup_GetCell(group, slot);
	const int32_t first = alongZ ? tnGroup_GetCell(group, tnGroup_GetNorthSlot(group, slot)) : second - 1;
	const float ground = tnMaxFloat(grid->bed[first], grid->bed[second]);
	tnLayer layer = {*solid, *low, *high};
	if (*chain == 0 && tnGroup_GetFace(group, alongZ, tn_faceKind)[slot] > (float)tn_sealedFace)
	{
		// Slivers are known to be parts of gaps.
		return;
	}
	if (*chain > 0)
	{
		float* kind = tnGroup_GetFace(group, alongZ, tn_faceKind) + slot;
		*kind = tnMinFloat(*kind, (float)tn_sealedFace);
		*chain = tnMakeProfileOf(group, layer, *speed, *chain, ground, sealedGap, 0.0f, 0.0f, speed);
	}
	layer = tnTrimLayer(layer, ground, sealedGap);
	*solid = layer.share;
	*low = layer.low;
	*high = layer.high;
}

static void tnMakeFaces(const tnCollectContext* context, bool alongZ)
{
	const tnGroup* group = context->group;
	const float* taken = tnGroup_GetFace(group, alongZ, tn_faceSolid);
	for (int i = 0; i < group->stripCount; ++i)
	{
		if (!group->strips[i].solid[alongZ])
		{
			continue;
		}
		for (int slot = i * TN_STRIP_SIZE; slot < (i + 1) * TN_STRIP_SIZE; ++slot)
		{
			if (taken[slot] > 0.0f)
			{
				tnMakeFace(context, alongZ, slot);
			}
		}
	}
	static const tnFaceField s_copied[] = {tn_faceSolid, tn_faceLow, tn_faceHigh, tn_faceSpeed};
	for (int i = 0; i < group->seamCount && !alongZ; ++i)
	{
		const tnSeam seam = group->seams[i];
		for (int k = 0; k < 4 && seam.east; ++k)
		{
			float* field = tnGroup_GetFace(group, false, s_copied[k]);
			field[seam.copy] = field[seam.origin];
			group->strips[seam.copy / TN_STRIP_SIZE].solid[0] |= group->strips[seam.origin / TN_STRIP_SIZE].solid[0];
		}
	}
}

// Strips with faces that profiles decide about: their own, or those of cells beside them.
static void tnMarkOddStrips(const tnGroup* group)
{
	const int* cells = tnGroup_GetChain(group, tn_cellChain);
	const int* facesX = tnGroup_GetChain(group, tn_faceChainX);
	const int* facesZ = tnGroup_GetChain(group, tn_faceChainZ);
	for (int i = 0; i < group->stripCount && group->profileCount > 0; ++i)
	{
		tnStrip* strip = group->strips + i;
		const int slot = i * TN_STRIP_SIZE;
		const int north = tnStrip_GetNorth(strip);
		int any = cells[slot - 1];
		for (int lane = 0; lane < TN_STRIP_SIZE; ++lane)
		{
			any |= cells[slot + lane] | cells[north + lane] | facesX[slot + lane] | facesZ[slot + lane];
		}
		strip->odd = any != 0;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Heads to begin with

// The mean surface of the water around a group. False if it is dry.
static bool tnFindSurroundings(const tnCollectContext* context, float* level)
{
	double sums[2];
	context->flow->kernels->sumSurroundings(context->group, context->grid, sums);
	*level = sums[0] > 0.0 ? (float)(sums[1] / sums[0]) : 0.0f;
	return sums[0] > 0.0;
}

// The head of a cell that has just been covered. If the body has come into standing water, it is the surface of that.
// If the water came after the body, it is lower in this cell than around it, as far as the body explains that.
static float tnGuessHead(const tnGroup* group, const tnGrid* grid, int slot, float around)
{
	const int32_t cell = tnGroup_GetCell(group, slot);
	const float surface = tnGetFreeHead(grid, cell);
	const float depth = grid->depth[cell];
	if (!(around > surface) || !(depth > TN_DRY_DEPTH))
	{
		return surface;
	}
	const float slack = 1.0e-3f;
	return tnMinFloat(around, tnGroup_SolveCell(group, slot, grid->bed[cell], slack, depth + slack * around));
}

static void tnPlaceHeads(const tnCollectContext* context)
{
	const tnGroup* group = context->group;
	const tnGrid* grid = context->grid;
	const float* covered = tnGroup_GetField(group, tn_cellCovered);
	float* head = tnGroup_GetField(group, tn_cellHead);
	float around = 0.0f;
	bool looked = false;
	bool wet = false;
	context->flow->kernels->placeHeads(group, grid);
	for (int i = 0; i < group->stripCount; ++i)
	{
		const tnStrip* strip = group->strips + i;
		if (!strip->fresh)
		{
			continue;
		}
		for (int lane = 0; lane < TN_STRIP_SIZE; ++lane)
		{
			const int slot = i * TN_STRIP_SIZE + lane;
			const float lift = grid->lift[strip->index + lane];
			if (!(covered[slot] > 0.0f) || !(fabsf(lift) < TN_NO_LIFT * grid->cellSize))
			{
				continue;
			}
			wet = looked ? wet : tnFindSurroundings(context, &around);
			looked = true;
			head[slot] = wet ? tnGuessHead(group, grid, slot, around) : head[slot];
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Carried water: see body_flow.c

// What the columns of a body take at faces and in cells as they move.
static void tnAddMotion(const tnCollectContext* context, const tnBody* body)
{
	const tnSweptValues values = {
		.motion = &body->motion,
		.height = body->aheadPose.position.y,
		.perSpeed = context->flow->timeStep / context->grid->cellSize,
		.blocks = body->mode == tn_blockingBody && body->relief < 1.0f,
	};
	context->flow->kernels->sweepAlong(context->group, context->grid, &body->cut, &values);
}

static void tnCopyMotion(const tnGroup* group)
{
	float* takenX = tnGroup_GetField(group, tn_faceTakenX);
	float* takenZ = tnGroup_GetField(group, tn_faceTakenZ);
	float* sweptX = tnGroup_GetField(group, tn_cellSweptX);
	float* sweptZ = tnGroup_GetField(group, tn_cellSweptZ);
	for (int i = 0; i < group->seamCount; ++i)
	{
		const tnSeam seam = group->seams[i];
		sweptX[seam.copy] = sweptX[seam.origin];
		sweptZ[seam.copy] = sweptZ[seam.origin];
		takenZ[seam.copy] = takenZ[seam.origin];
		if (seam.east)
		{
			// The face of the seam is that of both.
			takenX[seam.origin] += takenX[seam.copy];
			takenX[seam.copy] = takenX[seam.origin];
		}
	}
}

// The water of cells that bodies have swept goes along with them: body_links.c says where.
static void tnCarrySweptWater(const tnGroup* group)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		const float* swept = tnGroup_GetFace(group, axis == 1, tn_faceFall);
		float* carried = tnGroup_GetFace(group, axis == 1, tn_faceCarried);
		for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
		{
			carried[slot] = swept[slot] != 0.0f ? carried[slot] + swept[slot] : carried[slot];
		}
	}
}

static bool tnCarriesWater(const tnBody* body)
{
	return tnGetFastest(body) > 0.0f;
}

static void tnCarryWater(const tnCollectContext* context)
{
	tnGroup* group = context->group;
	const tnBodies* bodies = context->bodies;
	const int* grouped = context->flow->grouped;
	const size_t bytes = tnGetFieldLength(group->stripCount) * sizeof(float);
	group->carries = false;
	bool passable = false;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const bool carries = tnCarriesWater(tnBodies_Get(bodies, grouped[i]));
		group->carries |= carries;
		passable |= carries && tnBodies_Get(bodies, grouped[i])->mode == tn_floatingBody;
	}
	if (!group->carries)
	{
		return;
	}
	const int cleared[] = {tn_faceTakenX, tn_faceTakenZ, tn_cellSweptX, tn_cellSweptZ};
	for (int i = 0; i < (int)(sizeof(cleared) / sizeof(cleared[0])); ++i)
	{
		memset(tnGroup_GetField(group, cleared[i]) - TN_STRIP_SIZE, 0, bytes);
	}
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		if (tnCarriesWater(tnBodies_Get(bodies, grouped[i])))
		{
			tnAddMotion(context, tnBodies_Get(bodies, grouped[i]));
		}
	}
	tnCopyMotion(group);
	context->flow->kernels->carryFaces(group, false);
	context->flow->kernels->carryFaces(group, true);
	if (group->sweeps)
	{
		tnCarrySweptWater(group);
	}
	if (context->grid->method != tn_shallowMethod)
	{
		context->flow->kernels->narrowCells(group, context->flow->timeStep / context->grid->cellSize, passable);
		float* narrowed = tnGroup_GetField(group, tn_cellNarrowed);
		for (int i = 0; i < group->seamCount; ++i)
		{
			narrowed[group->seams[i].copy] = narrowed[group->seams[i].origin];
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

// Read a little of each cache line of the water around a body. A step goes through so much memory that nothing of it
// is near any more; here its lines are fetched side by side, while the passes that follow would wait for one after the
// other. The hint to prefetch them is no use: processors drop it where the address of a page has been forgotten, too.
static void tnFetchWater(const tnGrid* grid, const tnBody* body)
{
	enum
	{
		TN_LINE_FLOATS = 16,
		// More would push each other out again.
		TN_MOST_CELLS = 16384,
	};
	const int columnBegin = tnMaxInt(body->box.columnBegin, 0);
	const int columnEnd = tnMinInt(body->box.columnEnd, grid->columnCount);
	const int rowBegin = tnMaxInt(body->box.rowBegin, 0);
	const int rowEnd = tnMinInt(body->box.rowEnd, grid->rowCount);
	const float* fields[] = {grid->depth, grid->bed, grid->flowX, grid->flowZ, grid->lift};
	if (columnBegin >= columnEnd || (int64_t)(columnEnd - columnBegin) * (rowEnd - rowBegin) > TN_MOST_CELLS)
	{
		return;
	}
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		for (int column = columnBegin; column < columnEnd - 1 + TN_LINE_FLOATS; column += TN_LINE_FLOATS)
		{
			const int near = tnMinInt(column, columnEnd - 1);
			const ptrdiff_t index = tnGrid_Index(grid, near, row);
			for (int i = 0; i < (int)(sizeof(fields) / sizeof(fields[0])); ++i)
			{
				(void)*(const volatile float*)(fields[i] + index);
			}
		}
	}
}

// What says that the other fields count: the rest may hold any number.
static void tnClearFields(const tnGroup* group)
{
	const int cleared[] = {tn_cellCovered, tn_cellBlocked, tn_firstFaceX + tn_faceSolid, tn_firstFaceZ + tn_faceSolid};
	const size_t bytes = tnGetFieldLength(group->stripCount) * sizeof(float);
	for (int i = 0; i < (int)(sizeof(cleared) / sizeof(cleared[0])); ++i)
	{
		memset(tnGroup_GetField(group, cleared[i]) - TN_STRIP_SIZE, 0, bytes);
	}
	memset(group->chains, 0, tnGetFieldLength(group->stripCount) * tn_chainCount * sizeof(int));
	// Kinds of faces are found for all slots, but not beside the first and the last one.
	for (int axis = 0; axis < 2; ++axis)
	{
		float* kind = tnGroup_GetFace(group, axis == 1, tn_faceKind);
		kind[-1] = (float)tn_foreignFace;
		kind[group->stripCount * TN_STRIP_SIZE] = (float)tn_foreignFace;
	}
}

void tnBodyFlow_CollectGroup(tnBodyFlow* flow, const tnGrid* grid, tnBodies* bodies, int index, int workerIndex)
{
	tnGroup* group = flow->groups + index;
	const tnCollectContext context = {flow, grid, bodies, group};
	group->side = 1.0f;
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, flow->grouped[i]);
		tnFetchWater(grid, body);
		tnBody_Cut(body, grid, flow->timeStep, flow->kernels->cutColumns, tnBodies_GetScratch(bodies, workerIndex));
		group->side = tnMaxFloat(group->side, sqrtf((float)body->cut.columnCount));
	}
	group->sweepLimit = tnMinInt(TN_LEAST_SWEEPS + 2 * (int)group->side, TN_MOST_SWEEPS);
	tnGroup_LayStrips(group, grid, bodies, flow->grouped, flow->bits + tnGetStripBitCount(grid) * (size_t)workerIndex);
	if (group->stripCount == 0)
	{
		return;
	}
	tnClearFields(group);
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnAddColumns(&context, tnBodies_Get(bodies, flow->grouped[i]));
	}
	tnCoverLeft(&context);
	tnLidCells(&context);
	tnGroup_ListRuns(group);
	tnMakeCells(&context);
	flow->kernels->findFaces(group, grid);
	if (group->stands)
	{
		tnSealFaces(&context);
	}
	float* packed = tnBodyFlow_GetPacked(flow, index, workerIndex);
	group->stands |= tnGroup_LinkFaces(group, grid, bodies, flow->grouped, flow->timeStep / grid->cellSize, packed);
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, flow->grouped[i]);
		if (body->mode == tn_blockingBody)
		{
			tnAddFacesOf(&context, body, tnBodies_GetScratch(bodies, workerIndex));
		}
	}
	tnLidFaces(&context);
	tnMakeFaces(&context, false);
	tnMakeFaces(&context, true);
	tnMarkOddStrips(group);
	tnPlaceHeads(&context);
	tnCarryWater(&context);
}

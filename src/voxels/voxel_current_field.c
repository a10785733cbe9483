// SPDX-License-Identifier: MIT

// Currents within one part of one chunk: see voxel_current.c.

#include "voxel_current.h"

#include "../core/hash.h"
#include "voxel_components.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Shapes

// Ground and top of the liquid in 64ths of a voxel. What is thinner than one counts as one.
static uint16_t tnGetShape(const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel, uint16_t word)
{
	const int32_t ground = (store->cap - tnGetRoom(store, chunk, voxel)) * 64 / store->cap;
	const int32_t height = (tnGetAmount(word) * 64 + store->cap / 2) / store->cap;
	return (uint16_t)(ground << 8 | (ground + tnMaxInt(height, 1)));
}

// Wetted share of the face between two voxels, 0 if their liquid does not touch.
static double tnGetFaceArea(uint16_t a, uint16_t b, bool isUpright)
{
	if (!isUpright)
	{
		return 1.0;
	}
	const int32_t ground = tnMaxInt(a >> 8, b >> 8);
	const int32_t topA = a & 255;
	const int32_t topB = b & 255;
	return topA > ground && topB > ground ? (0.5 * (topA + topB) - ground) / 64.0 : 0.0;
}

static void tnFindShape(tnVoxelWorld* world, const tnFlowPlace* place)
{
	const tnVoxelStore* store = &world->store;
	tnFlowShape* shape = &world->flow->shape;
	const tnVoxelChunk* chunk = place->block->chunks + place->chunk;
	const int32_t kind = chunk->parts[place->label - 1].kind;
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		const uint16_t word = tnGetWord(store, chunk, voxel);
		const bool isMine = tnGetKind(word) == kind && tnGetLabel(store, chunk, voxel) == place->label;
		shape->inside[voxel] = isMine ? tnGetShape(store, chunk, voxel, word) : 0;
	}
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		const tnVoxelChunk* other =
			tnVoxelBlock_GetNeighbour(place->block, place->chunk, (tnVoxelSide)side, &owner, &index);
		for (int32_t i = 0; i < TN_LAYER; ++i)
		{
			int32_t here, there;
			tnGetFaceVoxels(side, i, &here, &there);
			const uint16_t word = other != NULL ? tnGetWord(store, other, there) : 0;
			const int32_t label = word != 0 && tnGetKind(word) == kind ? tnGetLabel(store, other, there) : 0;
			const bool isPart = label >= 1 && label <= other->partCount;
			shape->labels[side][i] = isPart ? (uint8_t)label : 0;
			shape->beside[side][i] = isPart ? tnGetShape(store, other, there, word) : 0;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Sources

// What flows out over the borders to each part that touches, in voxels a step, and over how many faces.
typedef struct tnBorderFlows
{
	double flows[tn_voxelSideCount][TN_NO_PART];
	double areas[tn_voxelSideCount][TN_NO_PART];
} tnBorderFlows;

static bool tnAddBorder(tnVoxelWorld* world, const tnFlowPlace* from, const tnFlowPlace* to, int side, void* context)
{
	tnBorderFlows* borders = context;
	// The area as it is in the edge, which goes forward.
	const double area =
		side % 2 != 0 ? tnGetTouchingArea(world, from, to, side) : tnGetTouchingArea(world, to, from, side ^ 1);
	borders->flows[side][to->label] = area * (tnGetFlowNode(world, from)->phi - tnGetFlowNode(world, to)->phi);
	return true;
}

static double tnGetBorderArea(const tnFlowShape* shape, int side, int32_t number)
{
	int32_t here, there;
	tnGetFaceVoxels(side, number, &here, &there);
	const uint16_t inside = shape->inside[here];
	const bool touches = inside != 0 && shape->labels[side][number] != 0;
	return touches ? tnGetFaceArea(inside, shape->beside[side][number], side < 4) : 0.0;
}

static void tnFindBorders(tnVoxelWorld* world, const tnFlowPlace* place, tnBorderFlows* borders)
{
	const tnFlowShape* shape = &world->flow->shape;
	memset(borders, 0, sizeof(*borders));
	(void)tnForEachLink(world, place, tnAddBorder, borders);
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		for (int32_t i = 0; i < TN_LAYER; ++i)
		{
			borders->areas[side][shape->labels[side][i]] += tnGetBorderArea(shape, side, i);
		}
	}
}

// Outwards over a face of the border, voxels a step.
static double tnGetBorderVelocity(const tnBorderFlows* borders, const tnFlowShape* shape, int side, int32_t number)
{
	const int32_t label = shape->labels[side][number];
	const double area = borders->areas[side][label];
	return area > 0.0 ? borders->flows[side][label] / area : 0.0;
}

// The cell that an exchange at a voxel belongs to, -1 if there is none: its own, or the nearest one below or above.
static int32_t tnFindNoteCell(const tnVoxelFlow* flow, int32_t voxel)
{
	for (int32_t i = 0; i < 2 * TN_VOXEL_CHUNK; ++i)
	{
		const int32_t other = voxel + (i % 2 == 0 ? -1 : 1) * ((i + 1) / 2) * TN_LAYER;
		if (other >= 0 && other < TN_CHUNK_VOXELS && flow->cells[other] >= 0)
		{
			return flow->cells[other];
		}
	}
	return -1;
}

static void tnAddNotes(tnVoxelWorld* world, const tnFlowPlace* place, const tnFlowRecord* record)
{
	const tnVoxelFlow* flow = world->flow;
	const tnVoxelChunk* chunk = place->block->chunks + place->chunk;
	const tnFlowNode* first = flow->nodes + tnFindComponent(chunk->parts + place->label - 1)->order;
	const tnVoxel where = tnGetChunkPlace(place->block, place->chunk);
	for (int32_t group = 0; group < record->groupCount; ++group)
	{
		const tnVoxel there = record->groups[group].place;
		if (there.x != where.x || there.y != where.y || there.z != where.z)
		{
			continue;
		}
		for (int32_t i = record->groups[group].first; i < tnGetNoteEnd(record, group); ++i)
		{
			const tnFlowNote note = record->notes[i];
			const int32_t cell =
				tnFindNoteLabel(chunk, note.voxel) == place->label ? tnFindNoteCell(flow, note.voxel) : -1;
			if (cell >= 0)
			{
				flow->potential.cells[cell].source +=
					note.units * (note.units > 0 ? first->takenScale : first->putScale);
			}
		}
	}
}

// What an ocean gives to the part, from the voxels of its box.
static void tnAddOcean(tnVoxelWorld* world, const tnFlowPlace* place)
{
	const tnVoxelFlow* flow = world->flow;
	tnVoxelPart* part = place->block->chunks[place->chunk].parts + place->label - 1;
	const double share = flow->nodes[tnFindComponent(part)->order].oceanShare;
	const tnVoxelBox* box = &world->oceans[part->kind].box;
	const tnVoxel where = tnGetChunkPlace(place->block, place->chunk);
	for (int pass = 0, count = 0; pass < 2; ++pass)
	{
		for (int32_t i = 0; i < flow->potential.cellCount; ++i)
		{
			const int32_t voxel = flow->voxels[i];
			const int32_t x = 16 * where.x + voxel % TN_ROW;
			const int32_t y = 16 * where.y + voxel / TN_LAYER;
			const int32_t z = 16 * where.z + voxel / TN_ROW % TN_ROW;
			const bool isInside = x >= box->low.x && x < box->high.x && y >= box->low.y && y < box->high.y &&
				z >= box->low.z && z < box->high.z;
			count += pass == 0 && isInside ? 1 : 0;
			flow->potential.cells[i].source += pass == 1 && isInside ? share / count : 0.0;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Velocities

// Cells of a part and the edges between them. False if memory ran out.
static bool tnFindCells(tnVoxelWorld* world)
{
	tnVoxelFlow* flow = world->flow;
	const uint16_t* inside = flow->shape.inside;
	static const int32_t strides[3] = {1, TN_LAYER, TN_ROW};
	tnPotential* potential = &flow->potential;
	if (!tnPotential_Reserve(potential, &world->memory, TN_CHUNK_VOXELS, 3 * TN_CHUNK_VOXELS))
	{
		return false;
	}
	potential->cellCount = 0;
	potential->edgeCount = 0;
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		flow->cells[voxel] = -1;
		if (inside[voxel] != 0)
		{
			flow->voxels[potential->cellCount] = (int16_t)voxel;
			potential->cells[potential->cellCount].source = 0.0;
			flow->cells[voxel] = (int16_t)potential->cellCount++;
		}
	}
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		const int32_t voxel = flow->voxels[i];
		for (int axis = 0; axis < 3; ++axis)
		{
			const int32_t next = voxel + strides[axis];
			if (tnGetCoordinate(voxel, axis) == TN_VOXEL_CHUNK - 1 || flow->cells[next] < 0)
			{
				continue;
			}
			const double area = tnGetFaceArea(inside[voxel], inside[next], axis != 1);
			if (area > 0.0)
			{
				potential->edges[potential->edgeCount++] = (tnPotentialEdge){i, flow->cells[next], area};
			}
		}
	}
	return true;
}

static void tnAddSources(tnVoxelWorld* world, const tnFlowPlace* place, const tnBorderFlows* borders)
{
	tnVoxelFlow* flow = world->flow;
	for (int i = 0; i <= TN_FLOW_PASSES; ++i)
	{
		if (i != flow->running)
		{
			tnAddNotes(world, place, flow->records + i);
		}
	}
	if (tnIsFlowInOcean(place))
	{
		tnAddOcean(world, place);
	}
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		for (int32_t i = 0; i < TN_LAYER; ++i)
		{
			const double area = tnGetBorderArea(&flow->shape, side, i);
			if (area > 0.0)
			{
				int32_t here, there;
				tnGetFaceVoxels(side, i, &here, &there);
				flow->potential.cells[flow->cells[here]].source -=
					area * tnGetBorderVelocity(borders, &flow->shape, side, i);
			}
		}
	}
}

static void tnFindVelocities(const tnVoxelFlow* flow, const tnBorderFlows* borders, tnFlowField* field)
{
	memset(field->faces, 0, sizeof(field->faces));
	for (int32_t i = 0; i < flow->potential.edgeCount; ++i)
	{
		const tnPotentialEdge edge = flow->potential.edges[i];
		const int32_t from = flow->voxels[edge.from];
		const int32_t to = flow->voxels[edge.to];
		const int forward = to - from == 1 ? tn_voxelEast : (to - from == TN_ROW ? tn_voxelSouth : tn_voxelUp);
		const float fall = (float)(flow->potential.cells[edge.from].phi - flow->potential.cells[edge.to].phi);
		field->faces[from][forward] = fall;
		field->faces[to][forward ^ 1] = fall;
	}
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		for (int32_t i = 0; i < TN_LAYER; ++i)
		{
			if (tnGetBorderArea(&flow->shape, side, i) > 0.0)
			{
				int32_t here, there;
				tnGetFaceVoxels(side, i, &here, &there);
				const double out = tnGetBorderVelocity(borders, &flow->shape, side, i);
				field->faces[here][side] = (float)(side % 2 != 0 ? out : -out);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking

static uint64_t tnGetFieldKey(const tnVoxelWorld* world, const tnFlowPlace* place)
{
	const tnVoxelFlow* flow = world->flow;
	const tnVoxel where = tnGetChunkPlace(place->block, place->chunk);
	const int64_t values[6] = {where.x, where.y, where.z, place->label, flow->mappedPass, (int64_t)flow->mappedGround};
	return tnHashBytes(tnHashBytes(TN_HASH_SEED, values, sizeof(values)), &flow->shape, sizeof(flow->shape));
}

// The field of a part, or the one that was not used for longest. NULL if there is no memory for any.
static tnFlowField* tnFindField(tnVoxelWorld* world, const tnFlowPlace* place)
{
	tnVoxelFlow* flow = world->flow;
	tnFlowField** oldest = flow->fields;
	for (int i = 0; i < TN_FLOW_FIELDS; ++i)
	{
		tnFlowField** field = flow->fields + i;
		if (*field != NULL && (*field)->block == place->block && (*field)->chunk == place->chunk &&
			(*field)->label == place->label)
		{
			return *field;
		}
		const uint64_t use = *field != NULL ? (*field)->lastUse : 0;
		oldest = use < (*oldest != NULL ? (*oldest)->lastUse : 0) ? field : oldest;
	}
	if (*oldest == NULL)
	{
		*oldest = tnMemory_Alloc(&world->memory, sizeof(tnFlowField));
	}
	if (*oldest != NULL)
	{
		(*oldest)->block = place->block;
		(*oldest)->chunk = place->chunk;
		(*oldest)->label = place->label;
		(*oldest)->key = 0;
		(*oldest)->version = UINT64_MAX;
	}
	return *oldest;
}

// Bring a field up to date. False if memory ran out.
static bool tnUpdateField(tnVoxelWorld* world, const tnFlowPlace* place, tnFlowField* field)
{
	tnVoxelFlow* flow = world->flow;
	tnFindShape(world, place);
	const uint64_t key = tnGetFieldKey(world, place);
	if (key != field->key)
	{
		tnBorderFlows borders;
		field->key = 0;
		tnFindBorders(world, place, &borders);
		if (!tnFindCells(world))
		{
			return false;
		}
		tnAddSources(world, place, &borders);
		tnPotential_Solve(&flow->potential);
		tnFindVelocities(flow, &borders, field);
		field->key = key;
	}
	field->version = world->version;
	return true;
}

bool tnVoxelWorld_GetCurrent(tnVoxelWorld* world, const tnVoxelSpot* spot, double faces[tn_voxelSideCount])
{
	const int32_t label = tnGetLabel(&world->store, spot->chunk, spot->voxel);
	const tnFlowPlace place = {spot->block, spot->index, label};
	if (label < 1 || label > spot->chunk->partCount || spot->chunk->parts[label - 1].kind != tnGetKind(spot->word) ||
		!tnVoxelWorld_SolveCurrents(world, &place))
	{
		return false;
	}
	tnFlowField* field = tnFindField(world, &place);
	if (field == NULL || (field->version != world->version && !tnUpdateField(world, &place, field)))
	{
		world->flow->isShort = true;
		return false;
	}
	field->lastUse = ++world->flow->useCount;
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		faces[side] = (double)field->faces[spot->voxel][side];
	}
	return true;
}

// SPDX-License-Identifier: MIT

// Currents of what levels and jets move. They take liquid at some surfaces of a component and put it at others, in no time.
// What was taken and put went through the liquid between. How, nobody has followed; but it can be said how it would go
// without turning or friction: as potential flow, v = -grad phi, with
//
//   div (A v) = (taken - put) / cap / steps
//
// where A is the wetted share of faces. This is solved twice. First for the parts of all chunks of the component, each one
// cell, joined by edges as wide as the faces over which they touch: that gives what flows from chunk to chunk. Then for the
// voxels of one part of one chunk, with what flows over its borders spread over the touching faces, and the exchanges of its
// surfaces as sources. Together with what steps move (voxel_flow.c) as much comes into each voxel as goes out.
//
// Exchanges are the mean of the last TN_FLOW_PASSES passes. If more was taken than put the rest is on account, and is put
// later; as much flows as is taken and put in the mean, up to twice the smaller of both. What an ocean gives comes from its box.
//
// Nothing of this is done before somebody asks. The first system depends only on what does not change between two passes,
// save for the ground; the second one on the present liquid, and it is solved again when that has changed by a 64th of a
// voxel somewhere in the chunk. So it does not matter when and how often somebody asks.

#include "voxel_current.h"

#include "../core/hash.h"
#include "voxel_components.h"

#include <string.h>

// Sides and the way that links go along them: links are kept by the chunk in the west, north or below.
static int tnGetDirection(int side)
{
	return side / 2;
}

static bool tnIsLinked(const tnVoxelPart* part, int32_t label, const tnVoxelPart* other, int32_t otherLabel, int side)
{
	const int direction = tnGetDirection(side);
	return side % 2 != 0 ? (part->links[direction] >> otherLabel & 1u) != 0
						 : (other->links[direction] >> label & 1u) != 0;
}

// The voxels on both sides of a face of a chunk, number 0 to 255.
void tnGetFaceVoxels(int side, int32_t number, int32_t* here, int32_t* there)
{
	static const int32_t lasts[3] = {TN_ROW - 1, TN_LAYER - TN_ROW, TN_CHUNK_VOXELS - TN_LAYER};
	const int32_t i = number / TN_ROW;
	const int32_t j = number % TN_ROW;
	const int direction = tnGetDirection(side);
	const int32_t first =
		direction == 0 ? i * TN_LAYER + j * TN_ROW : (direction == 1 ? i * TN_LAYER + j : i * TN_ROW + j);
	const bool isForward = side % 2 != 0;
	*here = first + (isForward ? lasts[direction] : 0);
	*there = first + (isForward ? 0 : lasts[direction]);
}

// ---------------------------------------------------------------------------------------------------------------------
// From chunk to chunk

// The label of a voxel when the chunk was last divided: where all liquid is of one part, all voxels are.
static int32_t tnGetOldLabel(const tnVoxelChunk* chunk, int32_t voxel)
{
	return chunk->labels != NULL ? chunk->labels[voxel / 2] >> (4 * (voxel % 2)) & 15 : chunk->partCount;
}

static bool tnIsPart(const tnVoxelChunk* chunk, int32_t label)
{
	return label >= 1 && label <= chunk->partCount;
}

// The part that an exchange belongs to: of the voxel, or of the one below or above, for surfaces rise and fall. 0: of none.
int32_t tnFindNoteLabel(const tnVoxelChunk* chunk, int32_t voxel)
{
	static const int32_t offsets[3] = {0, -TN_LAYER, TN_LAYER};
	for (int i = 0; i < 3; ++i)
	{
		const int32_t other = voxel + offsets[i];
		const int32_t label = other >= 0 && other < TN_CHUNK_VOXELS ? tnGetOldLabel(chunk, other) : 0;
		if (tnIsPart(chunk, label))
		{
			return label;
		}
	}
	return 0;
}

static bool tnReserveNodes(tnVoxelWorld* world, int32_t count)
{
	tnVoxelFlow* flow = world->flow;
	if (count <= flow->nodeCapacity)
	{
		return true;
	}
	tnMemory* memory = &world->memory;
	tnFlowNode* nodes = tnMemory_Alloc(memory, (size_t)count * sizeof(tnFlowNode));
	tnFlowPlace* places = tnMemory_Alloc(memory, (size_t)count * sizeof(tnFlowPlace));
	if (nodes == NULL || places == NULL)
	{
		tnMemory_Free(memory, nodes, (size_t)count * sizeof(tnFlowNode));
		tnMemory_Free(memory, places, (size_t)count * sizeof(tnFlowPlace));
		return false;
	}
	tnMemory_Free(memory, flow->nodes, (size_t)flow->nodeCapacity * sizeof(tnFlowNode));
	tnMemory_Free(memory, flow->places, (size_t)flow->nodeCapacity * sizeof(tnFlowPlace));
	flow->nodes = nodes;
	flow->places = places;
	flow->nodeCapacity = count;
	return true;
}

int32_t tnGetNoteEnd(const tnFlowRecord* record, int32_t group)
{
	return group + 1 < record->groupCount ? record->groups[group + 1].first : record->noteCount;
}

static void tnMapRecord(tnVoxelWorld* world, const tnFlowRecord* record)
{
	tnFlowNode* nodes = world->flow->nodes;
	for (int32_t group = 0; group < record->groupCount; ++group)
	{
		tnVoxelBlock* block;
		const tnVoxelChunk* chunk = tnVoxelStore_FindChunk(&world->store, record->groups[group].place, &block);
		const int32_t end = chunk != NULL ? tnGetNoteEnd(record, group) : 0;
		tnFlowNode* node = nodes;
		tnFlowNode* first = nodes;
		int32_t lastLabel = 0;
		for (int32_t i = record->groups[group].first; i < end; ++i)
		{
			const int32_t label = tnFindNoteLabel(chunk, record->notes[i].voxel);
			if (label == 0)
			{
				continue;
			}
			if (label != lastLabel)
			{
				lastLabel = label;
				node = nodes + chunk->parts[label - 1].order;
				first = nodes + tnFindComponent(chunk->parts + label - 1)->order;
			}
			const double units = record->notes[i].units;
			node->taken += units > 0.0 ? units : 0.0;
			node->put -= units < 0.0 ? units : 0.0;
			first->allTaken += units > 0.0 ? units : 0.0;
			first->allPut -= units < 0.0 ? units : 0.0;
		}
	}
}

// Find which parts the exchanges belong to. False if there are none, or nothing is known of them.
static bool tnMapRecords(tnVoxelWorld* world)
{
	tnVoxelFlow* flow = world->flow;
	int64_t noteCount = 0;
	for (int i = 0; i <= TN_FLOW_PASSES; ++i)
	{
		noteCount += i != flow->running ? flow->records[i].noteCount : 0;
	}
	if (noteCount == 0 || !world->componentsKnown)
	{
		return false;
	}
	if (flow->isMapped && flow->mappedPass == flow->passCount && flow->mappedGround == world->groundVersion)
	{
		return true;
	}
	flow->isMapped = tnReserveNodes(world, world->partCount);
	if (!flow->isMapped)
	{
		flow->isShort = true;
		return false;
	}
	flow->mappedPass = flow->passCount;
	flow->mappedGround = world->groundVersion;
	for (int32_t i = 0; i < world->partCount; ++i)
	{
		flow->nodes[i] = (tnFlowNode){.cell = -1};
	}
	for (int i = 0; i <= TN_FLOW_PASSES; ++i)
	{
		if (i != flow->running)
		{
			tnMapRecord(world, flow->records + i);
		}
	}
	return true;
}

// How high liquid of a part stands in a voxel, in units, if that is the height of its highest surface.
static int32_t tnGetOldHeight(
	const tnVoxelStore* store, const tnVoxelChunk* chunk, const tnVoxelPart* part, int64_t bottom, int32_t voxel)
{
	const int32_t room = tnGetRoom(store, chunk, voxel);
	if (part->surfaceCount == 0)
	{
		return room;
	}
	const int64_t height = part->highest - ((bottom + voxel / TN_LAYER + 1) * store->cap - room);
	return (int32_t)(height < 0 ? 0 : (height < room ? height : room));
}

// Are all columns of a chunk alike, as far as is known of it?
static bool tnIsPlain(const tnVoxelChunk* chunk)
{
	return chunk->labels == NULL && chunk->solid == NULL;
}

// The area over which two parts touch, in faces of voxels.
double tnGetTouchingArea(const tnVoxelWorld* world, const tnFlowPlace* from, const tnFlowPlace* to, int side)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelChunk* chunk = from->block->chunks + from->chunk;
	const tnVoxelChunk* other = to->block->chunks + to->chunk;
	const int64_t bottom = (int64_t)tnGetChunkPlace(from->block, from->chunk).y * TN_VOXEL_CHUNK;
	const int64_t otherBottom = (int64_t)tnGetChunkPlace(to->block, to->chunk).y * TN_VOXEL_CHUNK;
	// One voxel of each row is enough if they are all the same: of each layer, or of the only one.
	const int32_t stride = tnIsPlain(chunk) && tnIsPlain(other) ? TN_ROW : 1;
	int64_t area = 0;
	for (int32_t i = 0; i < TN_LAYER; i += stride)
	{
		int32_t here, there;
		tnGetFaceVoxels(side, i, &here, &there);
		if (tnGetOldLabel(chunk, here) == from->label && tnGetOldLabel(other, there) == to->label)
		{
			const int32_t height = tnMinInt(tnGetOldHeight(store, chunk, chunk->parts + from->label - 1, bottom, here),
				tnGetOldHeight(store, other, other->parts + to->label - 1, otherBottom, there));
			area += (int64_t)stride * (side < 4 || height == 0 ? height : store->cap);
		}
	}
	// They touch, or did a moment ago.
	const double least = 1.0 / 16.0;
	const double faces = (double)area / store->cap;
	return faces > least ? faces : least;
}

bool tnForEachLink(tnVoxelWorld* world, const tnFlowPlace* from, tnLinkFcn* fcn, void* context)
{
	static const tnVoxelSide sides[tn_voxelSideCount] = {
		tn_voxelWest, tn_voxelEast, tn_voxelNorth, tn_voxelSouth, tn_voxelDown, tn_voxelUp};
	const tnVoxelPart* part = from->block->chunks[from->chunk].parts + from->label - 1;
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		tnFlowPlace to = {0};
		const tnVoxelChunk* other =
			tnVoxelBlock_GetNeighbour(from->block, from->chunk, sides[side], &to.block, &to.chunk);
		for (int32_t label = 1; other != NULL && label <= other->partCount; ++label)
		{
			to.label = label;
			if (tnIsLinked(part, from->label, other->parts + label - 1, label, side) &&
				!fcn(world, from, &to, side, context))
			{
				return false;
			}
		}
	}
	return true;
}

tnFlowNode* tnGetFlowNode(const tnVoxelWorld* world, const tnFlowPlace* place)
{
	return world->flow->nodes + place->block->chunks[place->chunk].parts[place->label - 1].order;
}

// A neighbour becomes a cell, if it is none yet, and there is an edge to it if it lies forward.
static bool tnAddNeighbour(tnVoxelWorld* world, const tnFlowPlace* from, const tnFlowPlace* to, int side, void* context)
{
	(void)context;
	tnPotential* potential = &world->flow->potential;
	tnFlowNode* node = tnGetFlowNode(world, to);
	if (!tnPotential_Reserve(potential, &world->memory, potential->cellCount + 1, potential->edgeCount + 1))
	{
		return false;
	}
	if (node->cell < 0)
	{
		world->flow->places[potential->cellCount] = *to;
		node->cell = potential->cellCount++;
	}
	if (side % 2 != 0)
	{
		potential->edges[potential->edgeCount++] =
			(tnPotentialEdge){tnGetFlowNode(world, from)->cell, node->cell, tnGetTouchingArea(world, from, to, side)};
	}
	return true;
}

// Parts of a component from one of them on. False if memory ran out.
static bool tnCollectCells(tnVoxelWorld* world, const tnFlowPlace* start)
{
	tnPotential* potential = &world->flow->potential;
	if (!tnPotential_Reserve(potential, &world->memory, 1, 0))
	{
		return false;
	}
	potential->cellCount = 1;
	potential->edgeCount = 0;
	world->flow->places[0] = *start;
	tnGetFlowNode(world, start)->cell = 0;
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		const tnFlowPlace place = world->flow->places[i];
		if (!tnForEachLink(world, &place, tnAddNeighbour, NULL))
		{
			return false;
		}
	}
	return true;
}

bool tnIsFlowInOcean(const tnFlowPlace* place)
{
	return place->block->chunks[place->chunk].parts[place->label - 1].inOcean;
}

// Units in all passes to voxels a step.
static double tnGetRateScale(const tnVoxelWorld* world)
{
	return 1.0 / ((double)world->def.cap * TN_FLOW_PASSES * world->def.levelInterval);
}

// Where the part is that stands for a component: the first of it in the world.
static tnFlowPlace tnFindFirst(const tnVoxelWorld* world, const tnVoxelPart* component)
{
	const tnVoxelStore* store = &world->store;
	for (int32_t b = 0; b < store->blockCount; ++b)
	{
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			const tnVoxelChunk* chunk = store->blocks[b]->chunks + c;
			const int32_t number = chunk->partCount > 0 ? component->order - chunk->parts[0].order : -1;
			if (number >= 0 && number < chunk->partCount && chunk->parts + number == component)
			{
				return (tnFlowPlace){store->blocks[b], c, number + 1};
			}
		}
	}
	TN_ASSERT(false);
	return (tnFlowPlace){0};
}

// Rounding depends on the order of cells: it is the same whoever asks first.
static bool tnSolveComponent(tnVoxelWorld* world, const tnVoxelPart* component)
{
	tnVoxelFlow* flow = world->flow;
	const tnFlowPlace start = tnFindFirst(world, component);
	tnFlowNode* first = flow->nodes + component->order;
	const double rate = tnGetRateScale(world);
	const double least = first->allTaken < first->allPut ? first->allTaken : first->allPut;
	const double mean = 0.5 * (first->allTaken + first->allPut);
	const double through = mean < 2.0 * least ? mean : 2.0 * least;
	first->takenScale = rate * (component->allOcean ? 1.0 : through / first->allTaken);
	first->putScale = rate * (component->allOcean ? 1.0 : through / first->allPut);
	if (!tnCollectCells(world, &start))
	{
		// As if it had not been asked for, so that it may be tried again.
		flow->isMapped = false;
		flow->isShort = true;
		return false;
	}
	int32_t oceanCount = 0;
	for (int32_t i = 0; i < flow->potential.cellCount; ++i)
	{
		oceanCount += tnIsFlowInOcean(flow->places + i) ? 1 : 0;
	}
	const double gift = first->putScale * first->allPut - first->takenScale * first->allTaken;
	first->oceanShare = component->allOcean && oceanCount > 0 ? gift / oceanCount : 0.0;
	for (int32_t i = 0; i < flow->potential.cellCount; ++i)
	{
		const tnFlowNode* node = tnGetFlowNode(world, flow->places + i);
		flow->potential.cells[i].source = first->takenScale * node->taken - first->putScale * node->put +
			(tnIsFlowInOcean(flow->places + i) ? first->oceanShare : 0.0);
	}
	tnPotential_Solve(&flow->potential);
	for (int32_t i = 0; i < flow->potential.cellCount; ++i)
	{
		tnGetFlowNode(world, flow->places + i)->phi = flow->potential.cells[i].phi;
	}
	first->isSolved = true;
	return true;
}

bool tnVoxelWorld_SolveCurrents(tnVoxelWorld* world, const tnFlowPlace* place)
{
	if (!tnMapRecords(world))
	{
		return false;
	}
	const tnVoxelPart* component = tnFindComponent(place->block->chunks[place->chunk].parts + place->label - 1);
	const tnFlowNode* first = world->flow->nodes + component->order;
	const bool isQuiet = component->allOcean ? first->allTaken == 0.0 && first->allPut == 0.0
											 : first->allTaken == 0.0 || first->allPut == 0.0;
	return !isQuiet && (first->isSolved || tnSolveComponent(world, component));
}

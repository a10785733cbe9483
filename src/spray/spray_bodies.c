// SPDX-License-Identifier: MIT

// Bodies as spray sees them: where they are during a step, and what they get from it. spray_hits.c says what happens between.

#include "spray_bodies.h"

#include "../shapes/submerged_mesh.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static size_t tnGetBlockBytes(const tnSprayBodies* obstacles)
{
	return (size_t)obstacles->blockColumns * (size_t)obstacles->blockRows * sizeof(tnSprayBlock);
}

// Room for as many bodies as there are slots.
static bool tnReserveObstacles(tnSprayBodies* obstacles, tnMemory* memory, int slotCount, int workerCount)
{
	if (obstacles->capacity >= slotCount)
	{
		return true;
	}
	const size_t old = (size_t)obstacles->capacity;
	const size_t count = (size_t)slotCount;
	const size_t sumBytes = (size_t)workerCount * TN_HIT_SUMS * sizeof(int64_t);
	int64_t* sums = tnMemory_Alloc(memory, count * sumBytes);
	tnSprayBall* balls = sums != NULL ? tnMemory_Alloc(memory, count * sizeof(tnSprayBall)) : NULL;
	tnObstacle* items = balls != NULL
		? tnMemory_Grow(memory, obstacles->items, old * sizeof(tnObstacle), count * sizeof(tnObstacle))
		: NULL;
	if (items == NULL)
	{
		tnMemory_Free(memory, balls, count * sizeof(tnSprayBall));
		tnMemory_Free(memory, sums, count * sumBytes);
		return false;
	}
	tnMemory_Free(memory, obstacles->sums, old * sumBytes);
	tnMemory_Free(memory, obstacles->balls, old * sizeof(tnSprayBall));
	obstacles->sums = sums;
	obstacles->balls = balls;
	obstacles->items = items;
	obstacles->capacity = slotCount;
	obstacles->workerCount = workerCount;
	return true;
}

bool tnSprayBodies_Reserve(
	tnSprayBodies* obstacles, tnMemory* memory, const tnGrid* grid, const tnBodies* bodies, int workerCount)
{
	if (obstacles->blocks == NULL)
	{
		obstacles->blockColumns = (grid->columnCount + TN_SPRAY_BLOCK - 1) / TN_SPRAY_BLOCK;
		obstacles->blockRows = (grid->rowCount + TN_SPRAY_BLOCK - 1) / TN_SPRAY_BLOCK;
		obstacles->blocks = tnMemory_Alloc(memory, tnGetBlockBytes(obstacles));
	}
	return obstacles->blocks != NULL &&
		tnReserveObstacles(obstacles, memory, tnBodies_GetCapacity(bodies), workerCount);
}

void tnObstacle_SetMass(tnObstacle* item, const tnBody* body)
{
	item->massInverse = 0.0f;
	item->spinInverse = 0.0f;
	if (tnIsFinite(body->def.mass))
	{
		const float* k = body->mesh.inertia;
		const float least = tnMinFloat(k[0], tnMinFloat(k[1], k[2]));
		item->massInverse = 1.0f / body->def.mass;
		item->spinInverse = item->massInverse / tnMaxFloat(least, 1.0e-12f);
	}
}

bool tnObstacle_Make(tnObstacle* item, tnMemory* memory, const tnBody* body)
{
	*item = (tnObstacle){0};
	tnObstacle_SetMass(item, body);
	return tnMeshTree_Create(&item->tree, memory, &body->mesh);
}

void tnSprayBodies_Remove(tnSprayBodies* obstacles, tnMemory* memory, int index)
{
	if (index < obstacles->capacity)
	{
		tnMeshTree_Destroy(&obstacles->items[index].tree, memory);
		obstacles->items[index] = (tnObstacle){0};
	}
}

void tnSprayBodies_Destroy(tnSprayBodies* obstacles, tnMemory* memory)
{
	for (int i = 0; i < obstacles->capacity; ++i)
	{
		tnMeshTree_Destroy(&obstacles->items[i].tree, memory);
	}
	const size_t capacity = (size_t)obstacles->capacity;
	tnMemory_Free(memory, obstacles->items, capacity * sizeof(tnObstacle));
	tnMemory_Free(memory, obstacles->balls, capacity * sizeof(tnSprayBall));
	tnMemory_Free(memory, obstacles->sums, capacity * (size_t)obstacles->workerCount * TN_HIT_SUMS * sizeof(int64_t));
	tnMemory_Free(memory, obstacles->blocks, obstacles->blocks != NULL ? tnGetBlockBytes(obstacles) : 0);
	memset(obstacles, 0, sizeof(*obstacles));
}

// ---------------------------------------------------------------------------------------------------------------------
// Where bodies are

static float tnGetLength(tnVec3 v)
{
	return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static tnVec3 tnSubtract(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static float tnDotQuats(tnQuat a, tnQuat b)
{
	return tnAbsFloat(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

tnFrame tnObstacle_GetFrame(const tnObstacle* item, float share)
{
	const tnPose a = item->from;
	const tnPose b = item->to;
	const double s = share;
	tnFrame frame = {{(double)a.position.x + s * ((double)b.position.x - a.position.x),
						 (double)a.position.y + s * ((double)b.position.y - a.position.y),
						 (double)a.position.z + s * ((double)b.position.z - a.position.z)},
		{{0}}};
	tnQuat q = b.rotation;
	if (share < 1.0f && memcmp(&a.rotation, &b.rotation, sizeof(a.rotation)) != 0)
	{
		const float sign =
			a.rotation.x * q.x + a.rotation.y * q.y + a.rotation.z * q.z + a.rotation.w * q.w < 0.0f ? -1.0f : 1.0f;
		const float u = 1.0f - share;
		const float v = sign * share;
		q = tnQuat_Normalize((tnQuat){u * a.rotation.x + v * q.x, u * a.rotation.y + v * q.y,
			u * a.rotation.z + v * q.z, u * a.rotation.w + v * q.w});
	}
	const tnAxes axes = tnQuat_GetAxes(q);
	const tnVec3 columns[3] = {axes.x, axes.y, axes.z};
	for (int k = 0; k < 3; ++k)
	{
		frame.axes[k][0] = columns[k].x;
		frame.axes[k][1] = columns[k].y;
		frame.axes[k][2] = columns[k].z;
	}
	return frame;
}

// Cells [*begin, *end) of an axis with `count` of them: inside, or anywhere if it wraps but no more than once around.
static void tnClipCells(int* begin, int* end, int count, bool wraps)
{
	if (wraps && *end - *begin < count)
	{
		const int shift = (*begin % count + count) % count - *begin;
		*begin += shift;
		*end += shift;
		return;
	}
	*begin = tnClampInt(*begin, 0, count);
	*end = tnClampInt(*end, 0, count);
	*begin = wraps ? 0 : *begin;
	*end = wraps ? count : *end;
}

// The first cell of the next block. Cells go on beyond the end of a wrapped axis.
static int tnSkipBlock(int cell, int count)
{
	const int inside = cell % count;
	return cell - inside + tnMinInt((inside / TN_SPRAY_BLOCK + 1) * TN_SPRAY_BLOCK, count);
}

static void tnMarkBlock(tnSprayBlock* block, float low, float high, uint64_t bit)
{
	const bool isFirst = block->bits == 0;
	block->low = isFirst ? low : tnMinFloat(block->low, low);
	block->high = isFirst ? high : tnMaxFloat(block->high, high);
	block->bits |= bit;
}

// @param reach of a body beyond where it will be, m
static void tnMarkBlocks(tnSprayBodies* obstacles, const tnGrid* grid, const tnBody* body, float reach, uint64_t bit)
{
	// Far outside is as good as just outside, and fits into an int.
	const int far = 1 << 28;
	const int more = 2 + (int)tnMinFloat(reach / grid->cellSize, 1.0e6f);
	tnCellBox box = {tnClampInt(body->box.columnBegin, -far, far) - more,
		tnClampInt(body->box.columnEnd, -far, far) + more, tnClampInt(body->box.rowBegin, -far, far) - more,
		tnClampInt(body->box.rowEnd, -far, far) + more};
	const float high = body->aheadPose.position.y + body->mesh.radius + reach + 2.0f * grid->cellSize;
	const float low = body->aheadPose.position.y - body->mesh.radius - reach - 2.0f * grid->cellSize;
	tnClipCells(&box.columnBegin, &box.columnEnd, grid->columnCount, grid->wrapX);
	tnClipCells(&box.rowBegin, &box.rowEnd, grid->rowCount, grid->wrapZ);
	for (int row = box.rowBegin; row < box.rowEnd; row = tnSkipBlock(row, grid->rowCount))
	{
		tnSprayBlock* blocks =
			obstacles->blocks + row % grid->rowCount / TN_SPRAY_BLOCK * (ptrdiff_t)obstacles->blockColumns;
		for (int column = box.columnBegin; column < box.columnEnd; column = tnSkipBlock(column, grid->columnCount))
		{
			tnMarkBlock(blocks + column % grid->columnCount / TN_SPRAY_BLOCK, low, high, bit);
			obstacles->isAny = true;
		}
	}
}

void tnSprayBodies_Begin(tnSprayBodies* obstacles, const tnGrid* grid, const tnBodies* bodies)
{
	if (obstacles->isAny)
	{
		memset(obstacles->blocks, 0, tnGetBlockBytes(obstacles));
	}
	obstacles->isAny = false;
	obstacles->haveJumped = false;
	obstacles->shift = 0;
	while ((bodies->count - 1) >> obstacles->shift > 63)
	{
		obstacles->shift += 1;
	}
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		tnObstacle* item = obstacles->items + bodies->list[i];
		const float radius = body->mesh.radius;
		const float jump = tnGetLength(tnSubtract(body->aheadPose.position, item->to.position));
		const float close = tnDotQuats(body->aheadPose.rotation, item->to.rotation);
		// It has come, or was put elsewhere: nothing is swept aside.
		item->hasJumped = !item->isKnown || close < 0.9f ||
			jump > radius + 2.0f * bodies->timeStep * tnGetLength(body->motion.velocity);
		item->from = item->hasJumped ? body->aheadPose : item->to;
		item->to = body->aheadPose;
		item->isKnown = true;
		const float turn = 2.0f * sqrtf(tnMaxFloat(2.0f - 2.0f * close, 0.0f)); // rad, about
		const float reach = item->hasJumped ? 0.0f : jump + turn * radius;
		item->reach = radius + reach + 0.01f;
		item->begin = tnObstacle_GetFrame(item, 0.0f);
		item->end = tnObstacle_GetFrame(item, 1.0f);
		obstacles->balls[i] = (tnSprayBall){item->to.position, item->reach};
		obstacles->haveJumped = obstacles->haveJumped || item->hasJumped;
		tnMarkBlocks(obstacles, grid, body, reach, (uint64_t)1 << (i >> obstacles->shift));
		for (int worker = 0; worker < obstacles->workerCount; ++worker)
		{
			memset(obstacles->sums + ((ptrdiff_t)worker * obstacles->capacity + bodies->list[i]) * TN_HIT_SUMS, 0,
				TN_HIT_SUMS * sizeof(int64_t));
		}
	}
}

void tnSprayBodies_End(tnSprayBodies* obstacles, tnBodies* bodies, float timeStep)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		const int index = bodies->list[i];
		tnBody* body = tnBodies_Get(bodies, index);
		double sums[TN_HIT_SUMS];
		for (int k = 0; k < TN_HIT_SUMS; ++k)
		{
			int64_t sum = 0;
			for (int worker = 0; worker < obstacles->workerCount; ++worker)
			{
				sum += obstacles->sums[((ptrdiff_t)worker * obstacles->capacity + index) * TN_HIT_SUMS + k];
			}
			sums[k] = (double)sum / TN_IMPULSE_UNITS;
		}
		const double dt = timeStep;
		const tnVec3 force = {tnBoundForce(sums[0] / dt), tnBoundForce(sums[1] / dt), tnBoundForce(sums[2] / dt)};
		const tnVec3 torque = {tnBoundForce(sums[3] / dt), tnBoundForce(sums[4] / dt), tnBoundForce(sums[5] / dt)};
		const tnVec3 f = body->wrench.force, t = body->wrench.torque;
		body->wrench.force = (tnVec3){f.x + force.x, f.y + force.y, f.z + force.z};
		body->wrench.torque = (tnVec3){t.x + torque.x, t.y + torque.y, t.z + torque.z};
		body->state.sprayForce = force;
		body->state.sprayTorque = torque;
		obstacles->items[index].hitMass = sums[6];
	}
}

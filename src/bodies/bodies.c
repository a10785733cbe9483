// SPDX-License-Identifier: MIT

// Which bodies there are, and where they will be at the end of a step.

#include "bodies.h"

#include "body_hollow.h"

#include <math.h>
#include <string.h>

void tnBody_Move(tnBody* body, const tnPose* pose, tnVec3 velocity, tnVec3 spin)
{
	const tnPose next = {pose->position, tnQuat_Normalize(pose->rotation)};
	const tnMotion motion = {velocity, spin};
	body->moved |= memcmp(&next, &body->pose, sizeof(next)) != 0 || memcmp(&motion, &body->motion, sizeof(motion)) != 0;
	body->pose = next;
	body->motion = motion;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

// Lay the arrays of a body into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnBody_Lay(tnBody* body, char* block, const tnCutSize* size, bool waves)
{
	const size_t pointBytes = (size_t)body->mesh.pointCount * sizeof(tnVec3);
	tnCarver carver = {.block = block};
	body->points = tnCarve(&carver, pointBytes);
	body->aheadPoints = tnCarve(&carver, pointBytes);
	tnCut_PlaceColumns(&body->cut, &carver, size->columnCapacity);
	body->cut.faces = tnCarve(&carver, (size_t)size->faceCapacity * sizeof(tnFaceCut));
	body->cut.faceCapacity = size->faceCapacity;
	body->thinParts = tnCarve(&carver, (size_t)size->columnCapacity * sizeof(tnThinPart));
	body->prints = waves ? tnCarve(&carver, (size_t)size->columnCapacity * sizeof(tnPrint)) : NULL;
	body->heave = waves ? tnCarve(&carver, sizeof(tnBodyHeave)) : NULL;
	return carver.used;
}

void tnBody_Free(tnBody* body, tnMemory* memory)
{
	tnMemory_Free(memory, body->block, body->blockBytes);
	tnBodyHollows_Free(body->hollows, memory);
	tnMesh_Destroy(&body->mesh, memory);
	memset(body, 0, sizeof(*body));
}

// A page for an index.
static bool tnBodies_ReservePage(tnBodies* bodies, tnMemory* memory, int index)
{
	tnBody** page = bodies->pages + index / TN_BODY_PAGE;
	*page = *page != NULL ? *page : tnMemory_Alloc(memory, TN_BODY_PAGE * sizeof(tnBody));
	return *page != NULL;
}

bool tnBodies_Reserve(tnBodies* bodies, tnMemory* memory, int count, size_t scratchBytes, int workerCount)
{
	// Before the pages: the next one is among those.
	return tnIdPool_ReserveMany(&bodies->ids, memory, tnMaxInt(count, bodies->count + 1)) &&
		tnBodies_ReserveSlots(bodies, memory, count, scratchBytes, workerCount) &&
		tnBodies_ReservePage(bodies, memory, tnIdPool_GetNext(&bodies->ids));
}

bool tnBodies_ReserveSlots(tnBodies* bodies, tnMemory* memory, int count, size_t scratchBytes, int workerCount)
{
	if (count > 0 && !tnIdPool_ReserveMany(&bodies->ids, memory, count))
	{
		return false;
	}
	const int capacity = bodies->ids.capacity;
	const int pageCapacity = (capacity + TN_BODY_PAGE - 1) / TN_BODY_PAGE;
	if (bodies->pageCapacity < pageCapacity)
	{
		const size_t unit = sizeof(bodies->pages[0]);
		tnBody** pages =
			tnMemory_Grow(memory, bodies->pages, (size_t)bodies->pageCapacity * unit, (size_t)pageCapacity * unit);
		if (pages == NULL)
		{
			return false;
		}
		bodies->pages = pages;
		bodies->pageCapacity = pageCapacity;
	}
	if (bodies->listCapacity < capacity)
	{
		int* list = tnMemory_Grow(
			memory, bodies->list, (size_t)bodies->listCapacity * sizeof(int), (size_t)capacity * sizeof(int));
		if (list == NULL)
		{
			return false;
		}
		bodies->list = list;
		bodies->listCapacity = capacity;
	}
	scratchBytes = (scratchBytes + 63) / 64 * 64;
	if (bodies->scratchBytes < scratchBytes)
	{
		char* scratch = tnMemory_Alloc(memory, scratchBytes * (size_t)workerCount);
		if (scratch == NULL)
		{
			return false;
		}
		tnMemory_Free(memory, bodies->scratch, bodies->scratchBytes * (size_t)bodies->workerCount);
		bodies->scratch = scratch;
		bodies->scratchBytes = scratchBytes;
		bodies->workerCount = workerCount;
	}
	for (int index = 0; index < count; index += TN_BODY_PAGE)
	{
		if (!tnBodies_ReservePage(bodies, memory, index))
		{
			return false;
		}
	}
	return true;
}

void tnBodies_List(tnBodies* bodies)
{
	bodies->count = 0;
	for (int i = 0; i < bodies->ids.slotCount; ++i)
	{
		if (tnIdPool_IsUsed(&bodies->ids, i))
		{
			bodies->list[bodies->count] = i;
			bodies->count += 1;
		}
	}
	bodies->changed = true;
}

void tnBody_ChooseMode(tnBody* body, const tnGrid* grid)
{
	body->mode = body->def.mode;
	if (body->mode == tn_autoBody)
	{
		const bool thick = body->mesh.thickness > grid->cellSize;
		float extent = 0.0f;
		const bool narrow = !thick && tnMesh_GetWidth(&body->mesh, &body->pose, &extent) < grid->cellSize;
		// A fence, or a plank across a stream: it stands where it is, and dams. What moves is a log, or a boat.
		const bool fence = !tnIsFinite(body->def.mass) && extent >= grid->cellSize;
		body->mode = narrow && !fence ? tn_floatingBody : tn_blockingBody;
	}
}

tnResult tnBody_Make(tnBody* body, tnMemory* memory, const tnGrid* grid, const tnBodyDef* def, bool waves)
{
	*body = (tnBody){.def = *def};
	body->def.shapes = NULL;
	tnResult result = tnMesh_Create(&body->mesh, memory, def->shapes, def->shapeCount);
	if (result.status == tn_ok && !tnMesh_KeepShapes(&body->mesh, memory, def->shapes, def->shapeCount))
	{
		result =
			tnFail(tn_outOfMemory, "out of memory for the shapes of a body of %d triangles", body->mesh.triangleCount);
		tnMesh_Destroy(&body->mesh, memory);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	if (def->hollows && !tnMakeBodyHollows(&body->mesh, memory, &body->hollows))
	{
		const int triangleCount = body->mesh.triangleCount;
		tnBody_Free(body, memory);
		return tnFail(tn_outOfMemory, "out of memory for the hollows of a body of %d triangles", triangleCount);
	}
	const tnCutSize size = tnCut_GetSize(grid, &body->mesh);
	body->blockBytes = tnBody_Lay(body, NULL, &size, waves);
	body->block = tnMemory_Alloc(memory, body->blockBytes);
	if (body->block == NULL)
	{
		const int triangleCount = body->mesh.triangleCount;
		tnBody_Free(body, memory);
		return tnFail(tn_outOfMemory, "out of memory for a body of %d triangles", triangleCount);
	}
	tnBody_Lay(body, body->block, &size, waves);
	if (body->heave != NULL)
	{
		*body->heave = (tnBodyHeave){0};
	}
	body->scratchBytes = size.scratchBytes;
	body->pose.rotation.w = 1.0f;
	tnBody_Move(body, &def->pose, def->velocity, def->spin);
	body->moved = true;
	tnBody_ChooseMode(body, grid);
	if (body->hollows != NULL)
	{
		tnBodyHollows_Settle(body->hollows, body->pose.rotation);
	}
	return result;
}

// How far points have moved in a mesh, if it has the same points.
static float tnMesh_FindChange(const tnMesh* before, const tnMesh* after)
{
	float most = 0.0f;
	for (int i = 0; i < after->pointCount && before->pointCount == after->pointCount; ++i)
	{
		const tnVec3 a = before->points[i];
		const tnVec3 b = after->points[i];
		const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
		most = tnMaxFloat(most, sqrtf(x * x + y * y + z * z));
	}
	return most;
}

void tnBody_Replace(tnBody* body, tnMemory* memory, tnBody* made)
{
	made->reshaped = body->reshaped + tnMesh_FindChange(&body->mesh, &made->mesh);
	made->owed = body->owed;
	made->owedTurn = body->owedTurn;
	made->owedTo = body->owedTo;
	made->state = body->state;
	made->wrench = body->wrench;
	made->wet = body->wet;
	made->raised = body->raised;
	// Its decks are found anew if it has been cut more often than they know of.
	made->cutCount = body->cutCount;
	made->touched = body->touched;
	made->box = body->box;
	if (made->prints != NULL && body->printCount <= made->cut.columnCapacity)
	{
		memcpy(made->prints, body->prints, (size_t)body->printCount * sizeof(tnPrint));
		made->printCount = body->printCount;
		made->isPrinted = body->isPrinted;
		made->relief = body->relief;
		*made->heave = *body->heave;
		made->printed = body->printed;
	}
	tnBody_Free(body, memory);
	*body = *made;
}

// Look for one that is alike among the last ones.
static void tnBodies_ShareMesh(tnBodies* bodies, tnMemory* memory, tnBody* body)
{
	enum
	{
		lookCount = 8,
	};
	for (int i = bodies->count - 1; i >= 0 && i >= bodies->count - lookCount; --i)
	{
		if (tnMesh_Share(&body->mesh, &tnBodies_Get(bodies, bodies->list[i])->mesh, memory))
		{
			return;
		}
	}
}

tnBodyId tnBodies_Add(tnBodies* bodies, tnMemory* memory, const tnBody* body)
{
	const int index = tnIdPool_Take(&bodies->ids);
	tnBody* added = tnBodies_Get(bodies, index);
	*added = *body;
	tnBodies_ShareMesh(bodies, memory, added);
	tnBodies_List(bodies);
	return (tnBodyId){index + 1, tnIdPool_GetGeneration(&bodies->ids, index)};
}

// Give back a page whose last body has gone.
static void tnBodies_FreePage(tnBodies* bodies, tnMemory* memory, int page)
{
	for (int i = 0; i < TN_BODY_PAGE; ++i)
	{
		if (tnIdPool_IsUsed(&bodies->ids, page * TN_BODY_PAGE + i))
		{
			return;
		}
	}
	tnMemory_Free(memory, bodies->pages[page], TN_BODY_PAGE * sizeof(tnBody));
	bodies->pages[page] = NULL;
}

void tnBodies_Remove(tnBodies* bodies, tnMemory* memory, int index)
{
	tnBody_Free(tnBodies_Get(bodies, index), memory);
	tnIdPool_Release(&bodies->ids, index);
	tnBodies_List(bodies);
	tnBodies_FreePage(bodies, memory, index / TN_BODY_PAGE);
}

void tnBodies_Destroy(tnBodies* bodies, tnMemory* memory)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody_Free(tnBodies_Get(bodies, bodies->list[i]), memory);
	}
	for (int i = 0; i < bodies->pageCapacity; ++i)
	{
		tnMemory_Free(memory, bodies->pages[i], TN_BODY_PAGE * sizeof(tnBody));
	}
	tnMemory_Free(memory, bodies->pages, (size_t)bodies->pageCapacity * sizeof(bodies->pages[0]));
	tnMemory_Free(memory, bodies->list, (size_t)bodies->listCapacity * sizeof(int));
	tnMemory_Free(memory, bodies->scratch, bodies->scratchBytes * (size_t)bodies->workerCount);
	tnIdPool_Destroy(&bodies->ids, memory);
	memset(bodies, 0, sizeof(*bodies));
}

// ---------------------------------------------------------------------------------------------------------------------
// Cutting

void tnBodies_Wake(const tnBody* body, const tnGrid* grid, tnTiles* tiles)
{
	// The columns it had, for a body that has jumped away or is going, and the cells around it.
	const tnCellBox box = body->box;
	const bool whole =
		box.columnBegin >= 0 && box.columnEnd <= grid->columnCount && box.rowBegin >= 0 && box.rowEnd <= grid->rowCount;
	if (whole)
	{
		tnTiles_Touch(tiles, box);
	}
	for (int i = 0; i < body->cut.columnCount && !whole; ++i)
	{
		const tnColumnCell c = body->cut.cells[i];
		tnTiles_Touch(tiles, (tnCellBox){c.column, c.column + 1, c.row, c.row + 1});
	}
	const float half = body->mesh.radius + 2.0f * grid->cellSize;
	tnTiles_Touch(tiles, tnGrid_GetBox(grid, (tnVec2){body->pose.position.x, body->pose.position.z}, half, half));
}

void tnBodies_GroundChanged(tnBodies* bodies, const tnGrid* grid, tnCellBox box)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		const tnCellBox* own = &body->box;
		const bool rows = own->rowBegin < box.rowEnd && box.rowBegin < own->rowEnd;
		const bool columns = own->columnBegin < box.columnEnd && box.columnBegin < own->columnEnd;
		// Where the world wraps a box may lie anywhere.
		body->moved |= (rows || grid->wrapZ) && (columns || grid->wrapX);
	}
}

void tnBodies_CutAllAgain(tnBodies* bodies)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBodies_Get(bodies, bodies->list[i])->moved = true;
	}
}

// The begin or the end of cells along one axis, with those that were touched before, but no more than one cell further.
static int tnReachBack(int now, int before, int step)
{
	return (before - now) * step > 0 ? now + step : now;
}

tnCellBox tnBody_FindTouched(const tnBody* body, const tnGrid* grid)
{
	float low[2] = {0.0f, 0.0f};
	float high[2] = {0.0f, 0.0f};
	for (int i = 0; i < body->mesh.pointCount; ++i)
	{
		low[0] = tnMinFloat(low[0], body->aheadPoints[i].x);
		low[1] = tnMinFloat(low[1], body->aheadPoints[i].z);
		high[0] = tnMaxFloat(high[0], body->aheadPoints[i].x);
		high[1] = tnMaxFloat(high[1], body->aheadPoints[i].z);
	}
	const double x = (double)body->aheadPose.position.x - grid->origin.x;
	const double z = (double)body->aheadPose.position.z - grid->origin.z;
	// Far outside is as good as just outside, and fits into an int.
	const double limit = 1.0e9;
	const double size = grid->cellSize;
	const double sides[4] = {(x + low[0]) / size, (x + high[0]) / size, (z + low[1]) / size, (z + high[1]) / size};
	int cells[4];
	for (int i = 0; i < 4; ++i)
	{
		const double side = sides[i] < -limit ? -limit : (sides[i] > limit ? limit : sides[i]);
		cells[i] = (int)floor(side);
	}
	// A body as wide as a cell may seem to lie in one, for rounding: room is counted for those that do not.
	const int least = tnGetLeastSpan(grid, &body->mesh);
	return (tnCellBox){
		.columnBegin = cells[0],
		.columnEnd = tnMaxInt(cells[1] + 1, cells[0] + least),
		.rowBegin = cells[2],
		.rowEnd = tnMaxInt(cells[3] + 1, cells[2] + least),
	};
}

// The cells that a body can touch and those that it may have left, one more on each side.
static void tnFindBox(tnBody* body, const tnGrid* grid)
{
	const tnCellBox now = tnBody_FindTouched(body, grid);
	// Who has just appeared has left nothing.
	const tnCellBox before = body->touched.columnEnd > body->touched.columnBegin ? body->touched : now;
	body->touched = now;
	body->box = (tnCellBox){
		.columnBegin = tnReachBack(now.columnBegin, before.columnBegin, -1) - 1,
		.columnEnd = tnReachBack(now.columnEnd, before.columnEnd, 1) + 1,
		.rowBegin = tnReachBack(now.rowBegin, before.rowBegin, -1) - 1,
		.rowEnd = tnReachBack(now.rowEnd, before.rowEnd, 1) + 1,
	};
}

typedef struct tnAimContext
{
	tnBodies* bodies;
	const tnGrid* grid;
	float gravity, timeStep;
} tnAimContext;

// A pose after a time of even motion, and of falling if nothing holds the body.
static tnPose tnLookAhead(tnBody* body, float gravity, float timeStep)
{
	// A spin so fast that a step is a large part of a turn says nothing about the end of the step.
	const float mostTurn = 0.5f; // rad
	const tnVec3 v = body->motion.velocity;
	const tnVec3 s = body->motion.spin;
	const tnQuat q = body->pose.rotation;
	const float fall = tnIsFinite(body->def.mass) ? gravity * timeStep * timeStep : 0.0f;
	tnPose pose = body->pose;
	pose.position.x += timeStep * v.x;
	pose.position.y += timeStep * v.y - fall;
	body->fall = fall;
	pose.position.z += timeStep * v.z;
	if (sqrtf(s.x * s.x + s.y * s.y + s.z * s.z) * timeStep < mostTurn)
	{
		const float half = 0.5f * timeStep;
		pose.rotation = tnQuat_Normalize((tnQuat){
			q.x + half * (s.x * q.w + (s.y * q.z - s.z * q.y)),
			q.y + half * (s.y * q.w + (s.z * q.x - s.x * q.z)),
			q.z + half * (s.z * q.w + (s.x * q.y - s.y * q.x)),
			q.w - half * (s.x * q.x + s.y * q.y + s.z * q.z),
		});
	}
	return pose;
}

// Will a body be where it is after a step of any length?
static bool tnIsFixed(const tnBody* body)
{
	const tnVec3 v = body->motion.velocity;
	const tnVec3 s = body->motion.spin;
	return !tnIsFinite(body->def.mass) && v.x == 0.0f && v.y == 0.0f && v.z == 0.0f && s.x == 0.0f && s.y == 0.0f &&
		s.z == 0.0f;
}

void tnBody_Cut(tnBody* body, const tnGrid* grid, float timeStep, tnCutColumnsFcn* cutColumns, void* scratch)
{
	if (!body->moved)
	{
		return;
	}
	body->moved = false;
	body->cutCount += 1;
	tnThinParts thin = {.items = body->thinParts, .capacity = body->cut.columnCapacity};
	const tnTravel travel = {body->motion, timeStep / grid->cellSize};
	tnCut_Make(&body->cut, grid, &body->mesh, &body->aheadPose, &travel, &body->touched, cutColumns,
		body->mode == tn_blockingBody ? &thin : NULL, scratch);
	body->thinCount = thin.count;
}

void tnBody_CutFaces(tnBody* body, const tnGrid* grid, void* scratch)
{
	tnCut_MakeFaces(&body->cut, grid, &body->mesh, &body->aheadPose, &body->touched, scratch);
}

// Where a body is, and will be.
static void tnAimBody(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnAimContext* work = context;
	tnBody* body = tnBodies_Get(work->bodies, work->bodies->list[item]);
	if (!body->moved)
	{
		return;
	}
	tnBody_ChooseMode(body, work->grid);
	body->aheadPose = tnLookAhead(body, work->gravity, work->timeStep);
	body->turned = body->pose.rotation;
	tnMesh_Turn(&body->mesh, body->turned, body->points);
	tnMesh_Turn(&body->mesh, body->aheadPose.rotation, body->aheadPoints);
	tnFindBox(body, work->grid);
	tnBody_FindRelief(body, work->grid, work->timeStep);
}

void tnBodies_Aim(
	tnBodies* bodies, const tnGrid* grid, tnTiles* tiles, tnParallel* parallel, float gravity, float timeStep)
{
	const bool otherStep = bodies->timeStep != timeStep;
	bodies->timeStep = timeStep;
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		body->moved |= otherStep && !tnIsFixed(body);
		if (body->moved)
		{
			bodies->changed = true;
			tnBodies_Wake(body, grid, tiles);
		}
	}
	tnAimContext context = {bodies, grid, gravity, timeStep};
	tnParallelFor(parallel, bodies->count, tnAimBody, &context);
	// Where they will be: far from where they are if they are fast, and on the other side of a world that wraps.
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (body->moved)
		{
			tnTiles_TouchWrapped(tiles, grid, body->touched);
		}
	}
}

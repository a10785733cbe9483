// SPDX-License-Identifier: MIT

// Bodies as bytes: their shapes, as the host gave them; where they are and were cut; what the water did to them. And the groups
// that they form in the water, with heads and flows, which the next step goes on with where nothing has moved.
//
// A body that the world still has, by its id and a hash of its shapes, keeps its mesh. Others are made from their shapes by the
// same functions that a host calls.
//
// Groups hold places of cells and of each other. Whatever can be found from less is not stored: neighbours of strips, runs,
// seams, the places of columns in their group. What is stored is checked for what it leads to.

#include "body_snapshot.h"

#include "../flow/flow_snapshot.h"
#include "../shapes/body_def_check.h"
#include "body_hollow.h"

#include <float.h>
#include <string.h>

#define TN_ANY FLT_MAX
// Cells that bodies may touch: tnBody_FindTouched goes no further than this.
#define TN_MOST_CELL (1 << 30)

// ---------------------------------------------------------------------------------------------------------------------
// Shapes

static void tnArchivePose(tnPose* pose, tnArchive* archive, const char* name)
{
	tnVec3_Archive(&pose->position, archive, 1.0e8f, name);
	float* turn[4] = {&pose->rotation.x, &pose->rotation.y, &pose->rotation.z, &pose->rotation.w};
	for (int i = 0; i < 4; ++i)
	{
		tnArchive_Float(archive, turn[i], -TN_ANY, TN_ANY, name);
	}
}

// All but points and triangles. That they can be is for tnMesh_Create.
static void tnArchiveShapeValues(tnShapeDef* shape, tnArchive* archive)
{
	int kind = (int)shape->kind;
	tnArchive_Int(archive, &kind, 0, tn_shapeKindCount - 1, "shape.kind");
	shape->kind = (tnShapeKind)kind;
	tnArchive_RawFloat(archive, &shape->halfExtents.x);
	tnArchive_RawFloat(archive, &shape->halfExtents.y);
	tnArchive_RawFloat(archive, &shape->halfExtents.z);
	tnArchive_RawFloat(archive, &shape->radius);
	tnArchive_RawFloat(archive, &shape->halfLength);
	tnArchivePose(&shape->pose, archive, "shape.pose");
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) / 12 : INT32_MAX;
	const int most = rest < TN_MAX_BODY_POINTS ? (int)rest : TN_MAX_BODY_POINTS;
	tnArchive_Int(archive, &shape->pointCount, 0, most, "shape.pointCount");
	tnArchive_Int(archive, &shape->triangleCount, 0, tnMinInt(most, TN_MAX_BODY_TRIANGLES), "shape.triangleCount");
	shape->stamp = TN_DEF_STAMP;
}

static void tnArchiveShapeArrays(tnShapeDef* shape, tnArchive* archive, tnVec3* points, int32_t* triangles)
{
	tnArchive_Floats(archive, (float*)points, 3 * (size_t)shape->pointCount, TN_ANY, "shape.points");
	tnArchive_Ints(
		archive, triangles, 3 * (size_t)shape->triangleCount, 0, tnMaxInt(shape->pointCount - 1, 0), "shape.triangles");
}

// Shapes of a mesh as bytes, or over them.
static int tnArchiveShapes(const tnMesh* mesh, tnArchive* archive)
{
	// They are not read here, whatever the mode.
	const tnArchiveMode mode = archive->mode;
	archive->mode = mode == tn_applyArchive ? tn_checkArchive : mode;
	int count = mesh->shapeCount;
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) : INT32_MAX;
	tnArchive_Int(archive, &count, 1, rest < TN_MAX_BODY_TRIANGLES ? (int)rest : TN_MAX_BODY_TRIANGLES, "shapeCount");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnShapeDef shape = !tnArchive_Reads(archive) ? mesh->shapes[i] : (tnShapeDef){0};
		tnArchiveShapeValues(&shape, archive);
		tnArchiveShapeArrays(&shape, archive, (tnVec3*)shape.points, (int32_t*)shape.triangles);
	}
	archive->mode = mode;
	return count;
}

// Read shapes into memory of their own, from where tnArchiveShapes has begun.
typedef struct tnReadShapes
{
	tnShapeDef* shapes;
	int count;
	char* arrays;
	size_t arrayBytes;
} tnReadShapes;

static void tnFreeShapes(tnReadShapes* read, tnMemory* memory)
{
	tnMemory_Free(memory, read->shapes, (size_t)read->count * sizeof(tnShapeDef));
	tnMemory_Free(memory, read->arrays, read->arrayBytes);
	*read = (tnReadShapes){0};
}

// Go through them: count the bytes of arrays if there are none yet, else fill them.
static void tnWalkShapes(tnReadShapes* read, tnArchive archive)
{
	int count = 0;
	tnArchive_Int(&archive, &count, 0, INT32_MAX, "shapeCount");
	tnCarver carver = {.block = read->arrays};
	for (int i = 0; i < read->count; ++i)
	{
		tnShapeDef shape = {0};
		tnArchiveShapeValues(&shape, &archive);
		shape.points = shape.pointCount > 0 ? tnCarve(&carver, (size_t)shape.pointCount * sizeof(tnVec3)) : NULL;
		shape.triangles =
			shape.triangleCount > 0 ? tnCarve(&carver, 3 * (size_t)shape.triangleCount * sizeof(int32_t)) : NULL;
		archive.mode = read->arrays != NULL ? tn_applyArchive : tn_checkArchive;
		tnArchiveShapeArrays(&shape, &archive, (tnVec3*)shape.points, (int32_t*)shape.triangles);
		read->shapes[i] = shape;
	}
	read->arrayBytes = carver.used;
}

// @param at where they begin; they were checked
static bool tnReadShapesFrom(tnReadShapes* read, tnArchive archive, size_t at, int count, tnMemory* memory)
{
	archive.at = at;
	*read = (tnReadShapes){.count = count};
	read->shapes = tnMemory_Alloc(memory, (size_t)count * sizeof(tnShapeDef));
	if (read->shapes == NULL)
	{
		return false;
	}
	tnWalkShapes(read, archive);
	if (read->arrayBytes == 0)
	{
		return true;
	}
	read->arrays = tnMemory_Alloc(memory, read->arrayBytes);
	if (read->arrays == NULL)
	{
		return false;
	}
	tnWalkShapes(read, archive);
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// One body

static void tnArchiveBodyDef(tnBodyDef* def, tnArchive* archive)
{
	int mode = (int)def->mode;
	// A body that never moves has an infinite mass.
	bool fixed = !tnIsFinite(def->mass);
	float mass = fixed ? 1.0f : def->mass;
	tnArchive_Bool(archive, &fixed, "mass is infinite");
	tnArchive_Float(archive, &mass, 1.0e-45f, TN_ANY, "mass");
	tnArchive_Int(archive, &mode, 0, tn_bodyModeCount - 1, "mode");
	tnArchive_Float(archive, &def->pressureDrag, 0.0f, 1000.0f, "pressureDrag");
	tnArchive_Float(archive, &def->suction, 0.0f, 1.0f, "suction");
	tnArchive_Float(archive, &def->creepSpeed, 0.0f, 1000.0f, "creepSpeed");
	tnArchive_Float(archive, &def->skinFriction, 0.0f, 1000.0f, "skinFriction");
	tnArchive_Float(archive, &def->damping, 0.0f, 1000.0f, "damping");
	tnArchive_U64(archive, &def->userData);
	def->mode = (tnBodyMode)mode;
	const uint32_t infinity = 0x7f800000u;
	def->mass = mass;
	if (fixed)
	{
		memcpy(&def->mass, &infinity, sizeof(infinity));
	}
	def->stamp = TN_DEF_STAMP;
}

static void tnArchiveState(tnBodyState* state, tnWrench* wrench, tnArchive* archive)
{
	int mode = (int)state->mode;
	tnVec3* vectors[] = {&state->velocity, &state->spin, &state->buoyancyCenter, &state->pressure, &state->drag,
		&state->waveForce, &state->sprayForce, &state->pressureTorque, &state->dragTorque, &state->waveTorque,
		&state->sprayTorque, &state->heldForce, &state->heldTorque, &wrench->force, &wrench->torque};
	float* numbers[] = {&state->volume, &state->submergedVolume, &state->waterlineArea, &state->waterlineHeight,
		&state->heldVolume, &state->current.x, &state->current.z};
	tnArchivePose(&state->pose, archive, "state.pose");
	tnArchive_Int(archive, &mode, 0, tn_bodyModeCount - 1, "state.mode");
	state->mode = (tnBodyMode)mode;
	for (int i = 0; i < (int)(sizeof(vectors) / sizeof(vectors[0])); ++i)
	{
		tnVec3_Archive(vectors[i], archive, TN_ANY, "state");
	}
	for (int i = 0; i < (int)(sizeof(numbers) / sizeof(numbers[0])); ++i)
	{
		tnArchive_AnyFloat(archive, numbers[i], "state");
	}
	tnArchive_U64(archive, &state->userData);
}

// Columns, run by run: the cells of a run lie side by side.
static void tnArchiveColumns(tnCut* cut, tnArchive* archive, const tnGrid* grid, int capacity)
{
	tnCut values = *cut;
	tnArchive_Int(archive, &values.columnCount, 0, capacity, "cut.columnCount");
	tnArchive_Int(archive, &values.runCount, 0, values.columnCount, "cut.runCount");
	int begin = 0;
	for (int i = 0; i < values.runCount && tnArchive_IsOk(archive); ++i)
	{
		const bool writes = !tnArchive_Reads(archive);
		int end = writes ? cut->runs[i].end : 0;
		int column = writes ? cut->cells[begin].column : 0;
		int row = writes ? cut->cells[begin].row : 0;
		tnArchive_Int(archive, &end, begin + 1, values.columnCount, "cut.run");
		tnArchive_Int(archive, &column, 0, grid->columnCount - (end - begin), "cut.column");
		tnArchive_Int(archive, &row, 0, grid->rowCount - 1, "cut.row");
		if (tnArchive_Applies(archive))
		{
			cut->runs[i] = (tnColumnRun){.begin = begin, .end = end, .slot = -1, .south = -1};
			for (int k = begin; k < end; ++k)
			{
				cut->cells[k] = (tnColumnCell){column + k - begin, row};
			}
		}
		begin = end;
	}
	if (begin != values.columnCount)
	{
		tnArchive_Refuse(archive, "cut.runs must have %d columns, got %d", values.columnCount, begin);
	}
	for (int field = 0; field < tn_columnFieldCount; ++field)
	{
		float* floats = cut->fields != NULL ? tnCut_GetField(cut, (tnColumnField)field) : NULL;
		tnArchive_Floats(archive, floats, (size_t)values.columnCount, 1.0e9f, "cut");
	}
	if (tnArchive_Applies(archive))
	{
		*cut = values;
	}
}

static void tnArchiveFaces(tnCut* cut, tnArchive* archive, const tnGrid* grid, int capacity)
{
	tnCut values = *cut;
	tnArchive_Int(archive, &values.faceCount, 0, capacity, "cut.faceCount");
	tnArchive_Bool(archive, &values.facesMade, "cut.facesMade");
	tnArchive_Bool(archive, &values.truncated, "cut.truncated");
	for (int i = 0; i < values.faceCount && tnArchive_IsOk(archive); ++i)
	{
		tnFaceCut face = !tnArchive_Reads(archive) ? cut->faces[i] : (tnFaceCut){0};
		int column = face.column, row = face.row;
		tnArchive_Int(archive, &column, 0, grid->columnCount, "face.column");
		tnArchive_Int(archive, &row, 0, grid->rowCount, "face.row");
		tnArchive_Float(archive, &face.share, 0.0f, 1.0e9f, "face.share");
		tnArchive_Float(archive, &face.low, -1.0e9f, 1.0e9f, "face.low");
		tnArchive_Float(archive, &face.high, -1.0e9f, 1.0e9f, "face.high");
		tnArchive_Bool(archive, &face.alongZ, "face.alongZ");
		face.column = column;
		face.row = row;
		if (tnArchive_Applies(archive))
		{
			cut->faces[i] = face;
		}
	}
	if (tnArchive_Applies(archive))
	{
		*cut = values;
	}
}

// What of columns lies between faces, and what they had below the water, for waves.
static void tnArchiveParts(tnBody* body, tnArchive* archive, const tnGrid* grid, int columnCount, int capacity)
{
	int thinCount = body->thinCount, printCount = body->printCount;
	tnArchive_Int(archive, &thinCount, 0, columnCount, "thinCount");
	for (int i = 0; i < thinCount && tnArchive_IsOk(archive); ++i)
	{
		tnThinPart part = !tnArchive_Reads(archive) ? body->thinParts[i] : (tnThinPart){0};
		int column = part.column;
		tnArchive_Int(archive, &column, 0, columnCount - 1, "thin.column");
		tnArchive_Float(archive, &part.takenX, -1.0e9f, 1.0e9f, "thin.takenX");
		tnArchive_Float(archive, &part.takenZ, -1.0e9f, 1.0e9f, "thin.takenZ");
		part.column = column;
		if (tnArchive_Applies(archive))
		{
			body->thinParts[i] = part;
		}
	}
	tnArchive_Int(archive, &printCount, 0, capacity, "printCount");
	for (int i = 0; i < printCount && tnArchive_IsOk(archive); ++i)
	{
		tnPrint print = !tnArchive_Reads(archive) ? body->prints[i] : (tnPrint){0};
		int column = print.column, row = print.row;
		float* numbers[] = {&print.share, &print.low, &print.high, &print.insetX, &print.insetZ, &print.widthX,
			&print.widthZ, &print.draft, &print.water, &print.relief};
		// Once they had their thickness below the water, and nothing after that: a draft in deep water.
		const int numberCount = archive->version >= 2 ? 10 : 8;
		tnArchive_Int(archive, &column, 0, grid->columnCount - 1, "print.column");
		tnArchive_Int(archive, &row, 0, grid->rowCount - 1, "print.row");
		print.water = archive->version >= 2 ? print.water : TN_MAX_LENGTH;
		for (int k = 0; k < numberCount; ++k)
		{
			tnArchive_Float(archive, numbers[k], -1.0e9f, 1.0e9f, "print");
		}
		print.column = column;
		print.row = row;
		if (tnArchive_Applies(archive))
		{
			body->prints[i] = print;
		}
	}
	if (tnArchive_Applies(archive))
	{
		body->thinCount = thinCount;
		body->printCount = printCount;
	}
}

// @param isKnown the body is there, with its arrays: else only what can be said without is checked
static void tnArchiveBody(tnBody* body, tnArchive* archive, const tnGrid* grid, bool isKnown)
{
	tnBody values = *body;
	tnBodyHeave heave = {0};
	if (!tnArchive_Reads(archive) && body->heave != NULL)
	{
		heave = *body->heave;
	}
	int mode = (int)values.mode;
	tnArchiveBodyDef(&values.def, archive);
	tnArchive_Int(archive, &mode, tn_blockingBody, tn_floatingBody, "mode in use");
	values.mode = (tnBodyMode)mode;
	tnArchivePose(&values.pose, archive, "pose");
	tnVec3_Archive(&values.motion.velocity, archive, TN_ANY, "velocity");
	tnVec3_Archive(&values.motion.spin, archive, TN_ANY, "spin");
	if (tnArchive_Reads(archive) && tnArchive_IsOk(archive))
	{
		const tnResult result = tnBodies_CheckMotion(&values.pose, values.motion.velocity, values.motion.spin);
		tnArchive_RefuseResult(archive, "body", &result);
	}
	tnPose turned = {.rotation = values.turned};
	tnArchivePose(&turned, archive, "turned");
	values.turned = turned.rotation;
	tnArchivePose(&values.aheadPose, archive, "aheadPose");
	tnCellBox_Archive(&values.printed, archive, "printed");
	values.isPrinted = archive->version >= 2 ? values.isPrinted : true;
	values.relief = archive->version >= 2 ? values.relief : 0.0f;
	if (archive->version >= 2)
	{
		tnArchive_Bool(archive, &values.isPrinted, "isPrinted");
		tnArchive_Float(archive, &values.relief, 0.0f, 1.0f, "relief");
		tnArchive_Float(archive, &values.fall, 0.0f, TN_ANY, "fall");
		tnArchive_Float(archive, &heave.addedMass, 0.0f, TN_ANY, "addedMass");
		tnArchive_Float(archive, &heave.lastAdded, 0.0f, TN_ANY, "lastAdded");
		tnArchive_Float(archive, &heave.addedDepth, 0.0f, TN_ANY, "addedDepth");
		tnArchive_Float(archive, &heave.printedHeight, -TN_ANY, TN_ANY, "printedHeight");
		for (int i = 0; i < 6; ++i)
		{
			tnArchive_Float(archive, &heave.lastWaves[i], -TN_ANY, TN_ANY, "lastWaves");
		}
		tnArchive_Float(archive, &heave.lastRise, -TN_ANY, TN_ANY, "lastRise");
		tnArchive_Float(archive, &heave.lastPush, -TN_ANY, TN_ANY, "lastPush");
		tnArchive_Float(archive, &heave.lastStep, 0.0f, TN_ANY, "lastStep");
	}
	tnArchive_Bool(archive, &values.stirs, "stirs");
	tnCellBox_Archive(&values.stirred, archive, "stirred");
	tnCellBox_Archive(&values.touched, archive, "touched");
	tnCellBox_Archive(&values.box, archive, "box");
	// Far outside is as good as just outside, and sums of it fit into an int.
	const int far[8] = {values.touched.columnBegin, values.touched.columnEnd, values.touched.rowBegin,
		values.touched.rowEnd, values.box.columnBegin, values.box.columnEnd, values.box.rowBegin, values.box.rowEnd};
	for (int i = 0; i < 8 && tnArchive_Reads(archive) && tnArchive_IsOk(archive); ++i)
	{
		if (far[i] < -TN_MOST_CELL || far[i] > TN_MOST_CELL)
		{
			tnArchive_Refuse(
				archive, "cells of a body must be in [%d, %d], got %d", -TN_MOST_CELL, TN_MOST_CELL, far[i]);
		}
	}
	tnArchive_Bool(archive, &values.moved, "moved");
	tnArchive_Float(archive, &values.reshaped, 0.0f, TN_ANY, "reshaped");
	tnArchive_Bool(archive, &values.wet, "wet");
	tnArchive_Bool(archive, &values.raised, "raised");
	tnArchive_U32(archive, &values.cutCount);
	tnVec2_Archive(&values.owed, archive, TN_ANY, "owed");
	tnArchive_AnyFloat(archive, &values.owedTurn, "owedTurn");
	tnArchive_Float(archive, &values.owedTo, 0.0f, TN_ANY, "owedTo");
	tnArchive_AnyFloat(archive, &values.heldMass, "heldMass");
	tnArchiveState(&values.state, &values.wrench, archive);
	if (tnArchive_Applies(archive))
	{
		*body = values;
		if (body->heave != NULL)
		{
			*body->heave = heave;
		}
	}
	tnBodyHollows_Archive(body->hollows, archive, isKnown);
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) / 4 : INT32_MAX;
	const int unknown = rest < INT32_MAX / 16 ? (int)rest : INT32_MAX / 16;
	const int capacity = isKnown ? body->cut.columnCapacity : unknown;
	const int prints = isKnown ? (body->prints != NULL ? capacity : 0) : unknown;
	const size_t before = archive->at;
	tnArchiveColumns(&body->cut, archive, grid, capacity);
	// How many there are, in a check: the first number.
	int columnCount = body->cut.columnCount;
	if (archive->mode == tn_checkArchive && tnArchive_IsOk(archive))
	{
		tnArchive again = *archive;
		again.at = before;
		tnArchive_Int(&again, &columnCount, 0, INT32_MAX, "cut.columnCount");
	}
	tnArchiveFaces(&body->cut, archive, grid, isKnown ? body->cut.faceCapacity : unknown);
	tnArchiveParts(body, archive, grid, columnCount, prints);
}

static bool tnAreBoxesSame(const tnCellBox* a, const tnCellBox* b)
{
	return a->columnBegin == b->columnBegin && a->columnEnd == b->columnEnd && a->rowBegin == b->rowBegin &&
		a->rowEnd == b->rowEnd;
}

static bool tnIsJustBefore(int begin, int now)
{
	return begin == now - 1 || begin == now - 2;
}

// Turn the points of a body as they were. A body whose cells are not what it says is cut again.
static void tnRenewBody(tnBody* body, const tnGrid* grid)
{
	const tnQuat a = body->turned;
	const size_t bytes = (size_t)body->mesh.pointCount * sizeof(tnVec3);
	if (a.x == 0.0f && a.y == 0.0f && a.z == 0.0f && a.w == 0.0f)
	{
		// Not one step old.
		memset(body->points, 0, bytes);
		memset(body->aheadPoints, 0, bytes);
		body->moved = true;
		return;
	}
	tnMesh_Turn(&body->mesh, body->turned, body->points);
	tnMesh_Turn(&body->mesh, body->aheadPose.rotation, body->aheadPoints);
	if (!body->moved)
	{
		const tnCellBox now = tnBody_FindTouched(body, grid);
		const tnCellBox* box = &body->box;
		const bool same = tnAreBoxesSame(&now, &body->touched) && tnIsJustBefore(box->columnBegin, now.columnBegin) &&
			tnIsJustBefore(-box->columnEnd, -now.columnEnd) && tnIsJustBefore(box->rowBegin, now.rowBegin) &&
			tnIsJustBefore(-box->rowEnd, -now.rowEnd);
		body->moved = !same;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// All of them

bool tnBodiesPlan_Alloc(tnBodiesPlan* plan, tnMemory* memory)
{
	if (plan->missingCount > 0)
	{
		plan->made = tnMemory_Alloc(memory, (size_t)plan->missingCount * sizeof(tnMadeBody));
	}
	return plan->missingCount == 0 || plan->made != NULL;
}

bool tnBodiesPlan_Prepare(
	tnBodiesPlan* plan, tnBodies* bodies, tnBodyFlow* flow, tnMemory* memory, const tnGrid* grid, int workerCount)
{
	if (plan->outOfMemory || !tnBodies_ReserveSlots(bodies, memory, plan->slotCount, plan->scratchBytes, workerCount))
	{
		return false;
	}
	tnGrid wrapped = *grid;
	wrapped.wrapX = plan->wrapX;
	wrapped.wrapZ = plan->wrapZ;
	bool ok = true;
	if (plan->needs.bodies > 0)
	{
		tnBodyNeeds* needs = &plan->groups;
		needs->leastSpan = tnMinInt(needs->leastSpan, plan->needs.leastSpan);
		needs->bodies = needs->bodies > plan->needs.bodies ? needs->bodies : plan->needs.bodies;
		needs->strips = needs->strips > plan->needs.strips ? needs->strips : plan->needs.strips;
		needs->layers = needs->layers > plan->needs.layers ? needs->layers : plan->needs.layers;
		needs->rows = needs->rows > plan->needs.rows ? needs->rows : plan->needs.rows;
		ok = tnBodyFlow_ReserveMany(flow, memory, &wrapped, needs, workerCount);
	}
	else if (plan->isLifted)
	{
		ok = tnBodyFlow_ReserveWorld(flow, memory, &wrapped, workerCount);
	}
	return ok;
}

void tnBodiesPlan_Free(tnBodiesPlan* plan, tnMemory* memory)
{
	for (int i = 0; i < plan->madeCount; ++i)
	{
		tnBody_Free(&plan->made[i].body, memory);
	}
	tnMemory_Free(memory, plan->made, (size_t)plan->missingCount * sizeof(tnMadeBody));
	*plan = (tnBodiesPlan){0};
}

// Shapes in the bytes, and what is made of them.
typedef struct tnStoredShapes
{
	uint64_t hash;
	size_t at;
	int count;
	bool hollows; // are looked for
} tnStoredShapes;

// The mesh that has the shapes as the host gave them.
static const tnMesh* tnGetShapedMesh(const tnBody* body)
{
	return body->hollows != NULL ? &body->hollows->shown : &body->mesh;
}

// In the second check: make a body from its shapes.
static tnBody* tnMakeMissing(tnBodiesPlan* plan, tnArchive* archive, const tnStoredShapes* stored, int index,
	const tnGrid* grid, tnMemory* memory)
{
	if (!tnArchive_IsOk(archive) || plan->outOfMemory)
	{
		return NULL;
	}
	tnReadShapes read;
	tnMadeBody* made = plan->made + plan->madeCount;
	plan->outOfMemory = !tnReadShapesFrom(&read, *archive, stored->at, stored->count, memory);
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = read.shapes;
	def.shapeCount = stored->count;
	def.hollows = stored->hollows;
	if (!plan->outOfMemory)
	{
		const tnResult result = tnBody_Make(&made->body, memory, grid, &def, plan->hasWaves);
		plan->outOfMemory = result.status == tn_outOfMemory;
		if (result.status == tn_ok)
		{
			made->index = index;
			plan->madeCount += 1;
		}
		else if (!plan->outOfMemory)
		{
			tnArchive_RefuseResult(archive, "body", &result);
		}
	}
	tnFreeShapes(&read, memory);
	return tnArchive_IsOk(archive) && !plan->outOfMemory ? &made->body : NULL;
}

static int tnFindMade(const tnBodiesPlan* plan, int index)
{
	int found = -1;
	for (int i = 0; i < plan->madeCount; ++i)
	{
		found = plan->made[i].index == index ? i : found;
	}
	return found;
}

// A slot: who is in it stays, or makes way for another.
static void tnArchiveSlot(tnBodies* bodies, tnArchive* archive, const tnGrid* grid, tnMemory* memory, int index,
	uint32_t before, tnBodiesPlan* plan)
{
	uint32_t generation;
	const bool wasUsed = (before & 1u) != 0;
	const bool isUsed = tnIdPool_ArchiveSlot(&bodies->ids, archive, index, &generation);
	if (!isUsed)
	{
		if (tnArchive_Applies(archive) && wasUsed)
		{
			tnBody_Free(tnBodies_Get(bodies, index), memory);
		}
		return;
	}
	tnBody* own = wasUsed ? tnBodies_Get(bodies, index) : NULL;
	const tnMesh none = {0};
	const bool writes = !tnArchive_Reads(archive);
	tnStoredShapes stored = {
		.hash = writes ? tnGetShapedMesh(own)->shapeHash : 0, .hollows = writes && own->def.hollows};
	tnArchive_Bool(archive, &stored.hollows, "hollows");
	tnArchive_U64(archive, &stored.hash);
	stored.at = archive->at;
	stored.count = tnArchiveShapes(writes ? tnGetShapedMesh(own) : &none, archive);
	const bool isSame = own != NULL && before == generation && own->def.hollows == stored.hollows &&
		tnGetShapedMesh(own)->shapeHash == stored.hash;
	tnBody scratch = {0};
	tnBody* body = own;
	if (!writes && !isSame)
	{
		body = NULL;
		if (tnArchive_Applies(archive))
		{
			if (own != NULL)
			{
				tnBody_Free(own, memory);
			}
			const int made = tnFindMade(plan, index);
			TN_ASSERT(made >= 0);
			body = tnBodies_Get(bodies, index);
			*body = plan->made[made].body;
			plan->made[made].body = (tnBody){0};
		}
		else if (plan->makes)
		{
			body = tnMakeMissing(plan, archive, &stored, index, grid, memory);
		}
		else
		{
			plan->missingCount += 1;
		}
	}
	tnArchiveBody(body != NULL ? body : &scratch, archive, grid, body != NULL);
	if (archive->mode == tn_checkArchive && body != NULL)
	{
		tnGrid wrapped = *grid;
		wrapped.wrapX = plan->wrapX;
		wrapped.wrapZ = plan->wrapZ;
		tnBodyNeeds_Add(&plan->needs, &wrapped, body, 1);
		plan->scratchBytes = body->scratchBytes > plan->scratchBytes ? body->scratchBytes : plan->scratchBytes;
	}
	if (tnArchive_Applies(archive))
	{
		tnRenewBody(body, grid);
	}
}

static void tnArchiveSlots(
	tnBodies* bodies, tnArchive* archive, const tnGrid* grid, tnMemory* memory, tnBodiesPlan* plan)
{
	const int slotsBefore = bodies->ids.slotCount;
	for (int i = 0; i < slotsBefore && tnArchive_Applies(archive); ++i)
	{
		// Those beyond the last slot of the bytes, of which nobody else will hear.
		if (i >= plan->slotCount && tnIdPool_IsUsed(&bodies->ids, i))
		{
			tnBody_Free(tnBodies_Get(bodies, i), memory);
		}
	}
	plan->needs = (tnBodyNeeds){0};
	plan->scratchBytes = 0;
	const int count = tnIdPool_Archive(&bodies->ids, archive, "bodies");
	plan->slotCount = count;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		const uint32_t before = i < slotsBefore ? bodies->ids.generations[i] : 0;
		tnArchiveSlot(bodies, archive, grid, memory, i, before, plan);
	}
	tnIdPool_EndArchive(&bodies->ids, archive, count);
	if (tnArchive_Applies(archive))
	{
		tnBodies_List(bodies);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups

// Numbers of a group, all that it needs to get its place among them.
static void tnArchiveGroupValues(tnGroup* group, tnArchive* archive, const tnGrid* grid, int* bodyCount)
{
	const int most = INT32_MAX / 64;
	const int mostStrips = (grid->columnCount / TN_STRIP_SIZE + 3) * (grid->rowCount + 1);
	tnArchive_Int(archive, bodyCount, 1, most, "group.bodies");
	tnArchive_Int(archive, &group->stripLimit, 0, mostStrips, "group.stripLimit");
	tnArchive_Int(archive, &group->stripCount, 0, group->stripLimit, "group.stripCount");
	tnArchive_Int(archive, &group->firstRow, 0, grid->rowCount - 1, "group.firstRow");
	tnArchive_Int(archive, &group->rowCount, 0, grid->rowCount + 1 - group->firstRow, "group.rowCount");
	tnArchive_Int(archive, &group->columnBegin, -TN_STRIP_SIZE, grid->columnCount, "group.columnBegin");
	tnArchive_Int(archive, &group->columnEnd, INT32_MIN, grid->columnCount + 1, "group.columnEnd");
	tnArchive_Bool(archive, &group->crosses, "group.crosses");
	tnArchive_Int(archive, &group->sharingLimit, 0, most, "group.sharingLimit");
	tnArchive_Int(archive, &group->sharing, 0, group->sharingLimit, "group.sharing");
	tnArchive_Int(archive, &group->layerCount, 0, group->sharingLimit, "group.layerCount");
	tnArchive_Int(archive, &group->profileCount, 0, group->sharingLimit / 2 + 1, "group.profileCount");
	tnArchive_Int(archive, &group->breakCount, 0, 2 * group->sharingLimit, "group.breakCount");
	tnArchive_Int(archive, &group->leftCapacity, 0, most, "group.leftCapacity");
	tnArchive_Int(archive, &group->leftCount, 0, group->leftCapacity, "group.leftCount");
	tnArchive_Int(archive, &group->cellCount, 0, TN_STRIP_SIZE * group->stripCount, "group.cellCount");
	tnArchive_Float(archive, &group->side, 0.0f, 1.0e9f, "group.side");
	tnArchive_Float(archive, &group->leastOpen, 0.0f, 1.0e9f, "group.leastOpen");
	tnArchive_Int(archive, &group->sweepLimit, 0, 1000, "group.sweepLimit");
	bool* flags[] = {
		&group->kept, &group->hangs, &group->leaves, &group->stands, &group->narrow, &group->carries, &group->owes};
	for (int i = 0; i < (int)(sizeof(flags) / sizeof(flags[0])); ++i)
	{
		tnArchive_Bool(archive, flags[i], "group");
	}
	tnArchive_Float(archive, &group->rise, 0.0f, TN_ANY, "group.rise");
	tnArchive_Int(archive, &group->liftedBegin, 0, TN_MAX_CELLS, "group.liftedBegin");
}

static void tnArchiveStrips(tnGroup* group, tnArchive* archive, const tnGrid* grid)
{
	int lastRow = group->firstRow;
	int next = -TN_STRIP_SIZE;
	for (int i = 0; i < group->stripCount && tnArchive_IsOk(archive); ++i)
	{
		tnStrip strip = !tnArchive_Reads(archive) ? group->strips[i] : (tnStrip){0};
		// Vectors of eight know no halves: what saves have must not hang on the instruction set, or no machine could follow
		// another by deltas. To look at both halves of a strip changes no bit.
		int column = strip.column, row = strip.row;
		int halves[2] = {strip.halves[0] != 0 ? 3 : 0, strip.halves[1] != 0 ? 3 : 0};
		tnArchive_Int(archive, &row, lastRow, group->firstRow + group->rowCount - 1, "strip.row");
		next = row > lastRow ? -TN_STRIP_SIZE : next;
		tnArchive_Int(archive, &column, next, grid->columnCount, "strip.column");
		if ((column - group->columnBegin) % TN_STRIP_SIZE != 0 || column < group->columnBegin)
		{
			tnArchive_Refuse(archive, "strip.column must lie on the lattice of its group, got %d", column);
		}
		tnArchive_Bool(archive, &strip.solves, "strip.solves");
		tnArchive_Bool(archive, &strip.fresh, "strip.fresh");
		tnArchive_Bool(archive, &strip.odd, "strip.odd");
		for (int axis = 0; axis < 2; ++axis)
		{
			tnArchive_Bool(archive, strip.solid + axis, "strip.solid");
			tnArchive_Bool(archive, strip.narrow + axis, "strip.narrow");
			tnArchive_Int(archive, halves + axis, 0, 3, "strip.halves");
			strip.halves[axis] = (uint8_t)halves[axis];
		}
		lastRow = row;
		next = column + TN_STRIP_SIZE;
		if (tnArchive_Applies(archive))
		{
			strip.column = column;
			strip.row = row;
			strip.index = (int32_t)tnGrid_Index(grid, column, row);
			strip.north = i;
			strip.south = i;
			strip.meetsNorth = false;
			strip.meetsSouth = false;
			group->strips[i] = strip;
			group->columns[i] = column;
		}
	}
}

static void tnArchiveProfiles(tnGroup* group, tnArchive* archive)
{
	int begin = 0;
	for (int i = 0; i < group->profileCount && tnArchive_IsOk(archive); ++i)
	{
		tnProfile profile = !tnArchive_Reads(archive) ? group->profiles[i] : (tnProfile){0};
		tnArchive_Float(archive, &profile.ground, -TN_ANY, TN_ANY, "profile.ground");
		tnArchive_Int(archive, &profile.count, 0, tnMinInt(TN_MAX_BREAKS, group->breakCount - begin), "profile.count");
		for (int k = 0; k < profile.count && tnArchive_IsOk(archive); ++k)
		{
			tnBreak part = !tnArchive_Reads(archive) ? profile.breaks[k] : (tnBreak){0};
			tnArchive_Float(archive, &part.height, -TN_ANY, TN_ANY, "break.height");
			tnArchive_Float(archive, &part.open, 0.0f, 1.0e9f, "break.open");
			tnArchive_Float(archive, &part.volume, -TN_ANY, TN_ANY, "break.volume");
			if (tnArchive_Applies(archive))
			{
				group->breaks[begin + k] = part;
			}
		}
		if (tnArchive_Applies(archive))
		{
			profile.breaks = group->breaks + begin;
			group->profiles[i] = profile;
		}
		begin += profile.count;
	}
}

static void tnArchiveLeft(tnGroup* group, tnArchive* archive, const tnGrid* grid)
{
	for (int i = 0; i < group->leftCount && tnArchive_IsOk(archive); ++i)
	{
		tnLeftRun run = !tnArchive_Reads(archive) ? group->left[i] : (tnLeftRun){0};
		int column = run.column, end = run.columnEnd, row = run.row;
		tnArchive_Int(archive, &column, 0, grid->columnCount, "left.column");
		tnArchive_Int(archive, &end, column, grid->columnCount, "left.columnEnd");
		tnArchive_Int(archive, &row, 0, grid->rowCount - 1, "left.row");
		if (tnArchive_Applies(archive))
		{
			group->left[i] = (tnLeftRun){column, end, row};
		}
	}
}

static void tnArchiveGroup(tnGroup* group, tnArchive* archive, const tnGrid* grid)
{
	tnArchiveStrips(group, archive, grid);
	const bool isThere = archive->mode != tn_checkArchive;
	if (group->stripCount > 0)
	{
		const size_t length = tnGetFieldLength(group->stripCount);
		for (int field = 0; field < tn_bodyFieldCount; ++field)
		{
			float* floats = isThere ? tnGroup_GetField(group, field) - TN_STRIP_SIZE : NULL;
			tnArchive_Floats(archive, floats, length, TN_ANY, "group.fields");
		}
		int* chains = isThere ? group->chains : NULL;
		tnArchive_Ints(archive, chains, length * tn_chainCount, 0, group->profileCount, "group.chains");
	}
	tnArchiveProfiles(group, archive);
	tnArchiveLeft(group, archive, grid);
}

// What follows from the strips of a group. False if it is not what it says.
static bool tnRenewGroup(tnGroup* group, const tnGrid* grid)
{
	if ((group->crosses && !grid->wrapX) || (grid->wrapZ && group->firstRow + group->rowCount > grid->rowCount))
	{
		return false;
	}
	int strip = 0;
	for (int row = 0; row < group->rowCount; ++row)
	{
		group->rowStrips[row] = strip;
		while (strip < group->stripCount && group->strips[strip].row == group->firstRow + row)
		{
			strip += 1;
		}
	}
	group->rowStrips[group->rowCount] = strip;
	group->seamCount = 0;
	group->runCount = 0;
	if (group->stripCount == 0)
	{
		return group->cellCount == 0;
	}
	tnGroup_JoinStrips(group, grid);
	tnGroup_ListRuns(group);
	const float* covered = tnGroup_GetField(group, tn_cellCovered);
	int cells = 0;
	for (int slot = 0; slot < group->stripCount * TN_STRIP_SIZE; ++slot)
	{
		const tnStrip* own = group->strips + slot / TN_STRIP_SIZE;
		const int column = own->column + slot % TN_STRIP_SIZE;
		const bool isCovered = covered[slot] > TN_COVERED_COPY;
		cells += isCovered && own->solves ? 1 : 0;
		if (isCovered && (column < 0 || column >= grid->columnCount || own->row >= grid->rowCount))
		{
			return false;
		}
	}
	return cells == group->cellCount;
}

// Where the columns of a body are in its group. False if they are not there side by side.
static bool tnPlaceColumns(tnBody* body, const tnGroup* group)
{
	float* counts = tnCut_GetField(&body->cut, tn_columnCounts);
	bool ok = true;
	for (int i = 0; i < body->cut.runCount && ok; ++i)
	{
		tnColumnRun* run = body->cut.runs + i;
		const int way = run->end - run->begin - 1;
		const tnColumnCell first = body->cut.cells[run->begin];
		run->slot = tnGroup_FindSlot(group, first.column, first.row);
		run->south = run->slot >= 0 ? tnGroup_GetSouthSlot(group, run->slot) : run->slot;
		if (run->slot >= 0)
		{
			const int last = tnGroup_FindSlot(group, first.column + way, first.row);
			ok = last == run->slot + way && tnGroup_GetSouthSlot(group, last) == run->south + way;
			continue;
		}
		for (int k = run->begin; k < run->end; ++k)
		{
			counts[k] = 0.0f;
		}
	}
	return ok;
}

// The bodies of groups: each in one of them at most, and all if the groups go on as they are.
static bool tnRenewGrouped(tnBodyFlow* flow, tnBodies* bodies)
{
	for (int i = 0; i < bodies->count; ++i)
	{
		tnBodies_Get(bodies, bodies->list[i])->nextStirring = -1;
	}
	int living = 0;
	bool ok = true;
	for (int i = 0; i < flow->groupCount && ok; ++i)
	{
		const tnGroup* group = flow->groups + i;
		for (int k = group->bodyBegin; k < group->bodyEnd && ok; ++k)
		{
			if (!tnIdPool_IsUsed(&bodies->ids, flow->grouped[k]))
			{
				// It has gone since, so groups will be formed anew.
				ok = bodies->changed;
				continue;
			}
			tnBody* body = tnBodies_Get(bodies, flow->grouped[k]);
			ok = body->nextStirring < 0 && (body->moved || tnPlaceColumns(body, group));
			body->nextStirring = i;
			living += 1;
		}
	}
	return ok && (living == bodies->count || bodies->changed);
}

// Nothing is known of groups: all is found anew.
static void tnForgetGroups(tnBodyFlow* flow, tnBodies* bodies)
{
	flow->groupCount = 0;
	bodies->changed = true;
	tnBodies_CutAllAgain(bodies);
}

static void tnArchiveGroups(
	tnBodyFlow* flow, tnArchive* archive, tnBodies* bodies, const tnGrid* grid, tnBodiesPlan* plan)
{
	int count = flow->groupCount;
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) / 64 : INT32_MAX;
	tnArchive_Int(archive, &count, 0, rest < INT32_MAX / 64 ? (int)rest : INT32_MAX / 64, "groups");
	if (count > 0 && plan->needs.bodies == 0 && archive->mode == tn_checkArchive && plan->missingCount == 0)
	{
		tnArchive_Refuse(archive, "groups must be 0 without bodies, got %d", count);
	}
	tnBodyNeeds needs = {.leastSpan = flow->needs.leastSpan};
	tnArchive_Int(archive, &needs.leastSpan, 0, INT32_MAX / 2, "leastSpan");
	const size_t begin = archive->at;
	int bodyEnd = 0;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnGroup group = !tnArchive_Reads(archive) ? flow->groups[i] : (tnGroup){0};
		int bodyCount = group.bodyEnd - group.bodyBegin;
		tnArchiveGroupValues(&group, archive, grid, &bodyCount);
		group.bodyBegin = bodyEnd;
		bodyEnd += bodyCount;
		group.bodyEnd = bodyEnd;
		needs.strips += group.stripLimit > 0 ? (int64_t)tnGetStripRoom(group.stripLimit) : 0;
		needs.layers += group.sharingLimit;
		// As of its bodies: those that cross an edge have more, for which there is room beside that.
		needs.rows += group.leftCapacity / TN_LEFT_RUNS + bodyCount;
		if (bodyEnd > INT32_MAX / 64 || needs.strips > INT32_MAX / 64 || needs.layers > INT32_MAX / 64 ||
			needs.rows > INT32_MAX / 64)
		{
			tnArchive_Refuse(archive, "groups must not need more than there can be");
		}
		if (tnArchive_Applies(archive))
		{
			flow->groups[i] = group;
		}
	}
	needs.bodies = tnMaxInt(bodyEnd, count);
	if (archive->mode == tn_checkArchive)
	{
		plan->groups = needs;
	}
	bool fits = true;
	if (tnArchive_Applies(archive))
	{
		// Without bodies it is what those had that are gone: the bytes of this world are those of the one that was saved.
		flow->needs.leastSpan =
			flow->needs.bodies > 0 ? tnMinInt(flow->needs.leastSpan, needs.leastSpan) : needs.leastSpan;
		flow->groupCount = count;
		fits = count == 0 || (needs.bodies <= flow->room.bodyCapacity && tnBodyFlow_PlaceGroups(flow, grid));
	}
	tnArchive_Ints(archive, flow->grouped, (size_t)bodyEnd, 0, INT32_MAX, "grouped");
	// In a check the numbers are read once more beside what they belong to.
	tnArchive values = *archive;
	values.at = begin;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnGroup group = {0};
		if (archive->mode == tn_checkArchive)
		{
			int bodyCount = 0;
			tnArchiveGroupValues(&group, &values, grid, &bodyCount);
		}
		tnGroup* own = archive->mode == tn_checkArchive ? &group : flow->groups + i;
		tnArchiveGroup(own, archive, grid);
		fits = fits && (!tnArchive_Applies(archive) || tnRenewGroup(own, grid));
	}
	if (tnArchive_Applies(archive))
	{
		int64_t cells = 0;
		for (int i = 0; i < count; ++i)
		{
			cells += flow->groups[i].cellCount;
		}
		fits = fits && cells <= (int64_t)grid->columnCount * grid->rowCount && tnRenewGrouped(flow, bodies);
		if (!fits)
		{
			tnForgetGroups(flow, bodies);
		}
		if (flow->rowLists != NULL)
		{
			tnBodyFlow_ListGroups(flow, grid);
		}
	}
}

// Cells with a lift, by column and row.
static void tnArchiveLifted(tnBodyFlow* flow, tnArchive* archive, const tnGrid* grid, tnBodiesPlan* plan)
{
	const size_t rest = tnArchive_Reads(archive) ? tnArchive_GetRest(archive) / 4 : INT32_MAX;
	const int cells = grid->columnCount * grid->rowCount;
	for (int list = 0; list < 2; ++list)
	{
		int count = flow->liftedCount[list];
		tnArchive_Int(archive, &count, 0, rest < (size_t)cells ? (int)rest : cells, "lifted");
		plan->isLifted = (list == 1 && plan->isLifted) || count > 0;
		for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
		{
			int place = 0;
			if (!tnArchive_Reads(archive))
			{
				const int32_t index = flow->lifted[list][i];
				place = index / grid->stride * grid->columnCount + index % grid->stride;
			}
			tnArchive_Int(archive, &place, 0, cells - 1, "lifted");
			if (tnArchive_Applies(archive))
			{
				flow->lifted[list][i] =
					(int32_t)tnGrid_Index(grid, place % grid->columnCount, place / grid->columnCount);
			}
		}
		if (tnArchive_Applies(archive))
		{
			flow->liftedCount[list] = count;
		}
	}
}

void tnBodies_Archive(tnBodies* bodies, tnArchive* archive, tnBodyFlow* flow, tnGrid* grid, tnMemory* memory,
	int workerCount, tnBodiesPlan* plan)
{
	float timeStep = bodies->timeStep;
	bool changed = bodies->changed;
	tnArchive_Float(archive, &timeStep, 0.0f, 10.0f, "timeStep");
	tnArchive_Bool(archive, &changed, "changed");
	tnArchiveSlots(bodies, archive, grid, memory, plan);
	tnBodyFlow values = *flow;
	tnArchive_Int(archive, &values.subStepCount, 0, 1000000, "subStepCount");
	tnArchive_Int(archive, &values.subStep, 0, 1000000, "subStep");
	tnArchive_Bool(archive, &values.felt, "felt");
	tnArchive_Float(archive, &values.gravity, 0.0f, 1000.0f, "gravity");
	tnArchive_Float(archive, &values.timeStep, 0.0f, 10.0f, "timeStep");
	if (tnArchive_Applies(archive))
	{
		bodies->timeStep = timeStep;
		bodies->changed = changed;
		flow->subStepCount = values.subStepCount;
		flow->subStep = values.subStep;
		flow->felt = values.felt;
		flow->gravity = values.gravity;
		flow->timeStep = values.timeStep;
		flow->groupCount = 0;
		const tnBodyNeeds needs = tnBodies_FindNeeds(bodies, grid);
		if (needs.bodies > 0)
		{
			const bool ok = tnBodyFlow_Reserve(flow, memory, grid, &plan->groups, workerCount);
			TN_ASSERT(ok);
			(void)ok;
		}
		tnBodyFlow_SetNeeds(flow, memory, &needs);
	}
	tnArchiveGroups(flow, archive, bodies, grid, plan);
	tnArchiveLifted(flow, archive, grid, plan);
}

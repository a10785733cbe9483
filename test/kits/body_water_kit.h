// SPDX-License-Identifier: MIT

#pragma once

// Small worlds with water and boxes in it, stepped in every way in which water can move.

#include "harness.h"
#include "tarn/tarn.h"

#include <math.h>

enum
{
	// Odd and unequal.
	columnCount = 61,
	rowCount = 37,
	cellCount = columnCount * rowCount,
};

static const float s_cellSize = 0.5f;

// Every way to move water that bodies are made for.
typedef struct Way
{
	tnMethod method;
	tnAdvection advection;
} Way;

static const Way s_ways[] = {
	{tn_pipeMethod, tn_conservativeAdvection},
	{tn_linearMethod, tn_conservativeAdvection},
	{tn_shallowMethod, tn_conservativeAdvection},
	{tn_shallowMethod, tn_fineAdvection},
	{tn_shallowMethod, tn_semiLagrangianAdvection},
	{tn_shallowMethod, tn_macCormackAdvection},
};

enum
{
	wayCount = (int)(sizeof(s_ways) / sizeof(s_ways[0]))
};

static inline tnWorldDef MakeDef(int way)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = s_cellSize;
	def.method = s_ways[way].method;
	def.advection = s_ways[way].advection;
	return def;
}

static inline tnWorld* OpenWorld(const tnWorldDef* def, float level)
{
	tnWorld* world = NULL;
	if (tnCreateWorld(def, &world).status != tn_ok || tnWorld_FillToLevel(world, level).status != tn_ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static inline tnShapeDef MakeBox(float x, float y, float z)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_boxShape;
	shape.halfExtents = (tnVec3){0.5f * x, 0.5f * y, 0.5f * z};
	return shape;
}

static inline tnPose MakePose(float x, float y, float z)
{
	return (tnPose){{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}};
}

// A box that nothing moves.
static inline tnResult AddBox(tnWorld* world, tnVec3 size, tnVec3 middle, tnBodyMode mode, tnBodyId* id)
{
	const tnShapeDef shape = MakeBox(size.x, size.y, size.z);
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = INFINITY;
	def.mode = mode;
	def.pose = MakePose(middle.x, middle.y, middle.z);
	return tnWorld_CreateBody(world, &def, id);
}

static inline bool StepMany(tnWorld* world, int count)
{
	bool ok = true;
	for (int i = 0; i < count && ok; ++i)
	{
		ok = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	return ok;
}

static inline float GetDepth(const tnWorld* world, int column, int row)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	return depth.data[row * depth.stride + column];
}

static inline float GetSurface(const tnWorld* world, int column, int row)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	const tnFieldView lift = tnWorld_GetLift(world);
	const float lifted = lift.data != NULL ? lift.data[row * lift.stride + column] : 0.0f;
	return GetDepth(world, column, row) + bed.data[row * bed.stride + column] + lifted;
}

static inline bool IsSound(const tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	for (int row = 0; row < depth.rowCount; ++row)
	{
		for (int column = 0; column < depth.columnCount; ++column)
		{
			const float h = depth.data[row * depth.stride + column];
			if (!(h >= 0.0f && h < 1.0e5f) || isfinite(GetSurface(world, column, row)) == false)
			{
				return false;
			}
		}
	}
	return true;
}

// Drift of the ledger over its turnover.
static inline double GetDrift(tnWorld* world)
{
	const tnLedger ledger = tnWorld_GetLedger(world);
	return fabs(ledger.drift) / fabs(ledger.edits);
}

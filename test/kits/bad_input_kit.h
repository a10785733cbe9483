// SPDX-License-Identifier: MIT

#pragma once

// The def of a small world with an error hook that remembers what it was told.

#include "harness.h"
#include "tarn/tarn.h"

enum
{
	columnCount = 13,
	rowCount = 11,
	cellCount = columnCount * rowCount,
};

// What the error hook of the world under test has seen.
typedef struct Hook
{
	int count;
	tnResult last;
} Hook;

static inline void HearError(const tnResult* result, void* context)
{
	Hook* hook = context;
	hook->count += 1;
	hook->last = *result;
}

static inline tnWorldDef MakeDef(Hook* hook)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = 0.5f;
	def.origin = (tnVec2){-2.0f, 3.0f};
	def.tracerCount = 2;
	def.edges[tn_south].kind = tn_levelEdge;
	def.edges[tn_south].level = 1.0f;
	def.edges[tn_west].kind = tn_inflowEdge;
	def.edges[tn_west].inflow = 0.1f;
	if (hook != NULL)
	{
		def.errors = (tnErrorHook){HearError, hook};
	}
	return def;
}

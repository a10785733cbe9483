// SPDX-License-Identifier: MIT

// Water in the air as bytes: particles in their order, jets, what bodies have met of it. And foam, with what was added to it
// since the last step.

#include "spray_snapshot.h"

#include "../flow/flow_snapshot.h"

#include <float.h>
#include <string.h>

// Places, m, and speeds, m/s, that bytes may have.
#define TN_MOST_PLACE 1.0e7f

bool tnSprayPlan_Prepare(const tnSprayPlan* plan, tnSpray* spray, tnMemory* memory)
{
	return !spray->def.enable || tnSpray_ReserveJets(spray, memory, plan->jetCount);
}

// ---------------------------------------------------------------------------------------------------------------------
// Spray

static void tnArchiveParticles(tnSpray* spray, tnArchive* archive, int count, int64_t airborne)
{
	int64_t left = airborne;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		tnSprayParticle p = spray->particles[i];
		int64_t units = spray->units[i];
		int kind = (int)p.kind;
		tnVec3_Archive(&p.position, archive, TN_MOST_PLACE, "position");
		tnVec3_Archive(&p.velocity, archive, TN_MOST_PLACE, "velocity");
		tnArchive_Float(archive, &p.volume, 0.0f, FLT_MAX, "volume");
		tnArchive_Float(archive, &p.age, 0.0f, 1.0e18f, "age");
		tnArchive_Int(archive, &kind, 0, tn_sprayKindCount - 1, "kind");
		tnArchive_U32(archive, &p.seed);
		tnArchive_I64(archive, &units, 0, TN_MAX_AIRBORNE, "units");
		p.kind = (tnSprayKind)kind;
		left -= units;
		if (left < 0)
		{
			tnArchive_Refuse(archive, "units of particles must add up to %lld, got more", (long long)airborne);
		}
		if (tnArchive_Applies(archive))
		{
			spray->particles[i] = p;
			spray->units[i] = units;
		}
	}
	if (left != 0)
	{
		tnArchive_Refuse(archive, "units of particles must add up to %lld, got less", (long long)airborne);
	}
	tnArchive_Floats(archive, spray->tracers, (size_t)count * (size_t)spray->tracerCount, TN_MOST_PLACE, "tracers");
}

static int tnArchiveJets(tnSpray* spray, tnArchive* archive)
{
	const int count = tnIdPool_Archive(&spray->jetIds, archive, "jets");
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		if (!tnIdPool_ArchiveSlot(&spray->jetIds, archive, i, NULL))
		{
			continue;
		}
		tnJet jet = !tnArchive_Reads(archive) ? spray->jets[i] : (tnJet){.def.stamp = TN_DEF_STAMP};
		tnVec3_Archive(&jet.def.position, archive, TN_MAX_LENGTH, "jet.position");
		tnVec3_Archive(&jet.def.velocity, archive, 200.0f, "jet.velocity");
		tnArchive_Float(archive, &jet.def.rate, 0.0f, 1000.0f, "jet.rate");
		tnArchive_Float(archive, &jet.def.radius, 0.0f, 10.0f, "jet.radius");
		tnArchive_Float(archive, &jet.def.spread, 0.0f, 1.0f, "jet.spread");
		tnArchive_Double(archive, &jet.pending, -1.0e9, 1.0e12, "jet.pending");
		if (tnArchive_Applies(archive))
		{
			spray->jets[i] = jet;
		}
	}
	tnIdPool_EndArchive(&spray->jetIds, archive, count);
	return count;
}

// What is remembered of bodies, with their indices: bytes are checked before the bodies are there.
static void tnArchiveObstacles(tnSprayBodies* obstacles, tnArchive* archive, const tnBodies* bodies)
{
	int count = bodies->count;
	tnArchive_Int(archive, &count, 0, INT32_MAX / 4, "obstacles");
	int last = -1;
	for (int i = 0; i < count && tnArchive_IsOk(archive); ++i)
	{
		int index = !tnArchive_Reads(archive) ? bodies->list[i] : 0;
		tnArchive_Int(archive, &index, last + 1, INT32_MAX / 4, "obstacle");
		last = index;
		tnObstacle item = !tnArchive_Reads(archive) ? obstacles->items[index] : (tnObstacle){0};
		tnVec3_Archive(&item.to.position, archive, 2.0f * TN_MOST_PLACE, "obstacle.position");
		tnArchive_Float(archive, &item.to.rotation.x, -2.0f, 2.0f, "obstacle.rotation");
		tnArchive_Float(archive, &item.to.rotation.y, -2.0f, 2.0f, "obstacle.rotation");
		tnArchive_Float(archive, &item.to.rotation.z, -2.0f, 2.0f, "obstacle.rotation");
		tnArchive_Float(archive, &item.to.rotation.w, -2.0f, 2.0f, "obstacle.rotation");
		tnArchive_Bool(archive, &item.isKnown, "obstacle.isKnown");
		tnArchive_Double(archive, &item.hitMass, 0.0, 1.0e18, "obstacle.hitMass");
		tnArchive_Float(archive, &item.submerged, 0.0f, FLT_MAX, "obstacle.submerged");
		tnArchive_Bool(archive, &item.isSubmergedKnown, "obstacle.isSubmergedKnown");
		if (tnArchive_Applies(archive) && index < obstacles->capacity && tnIdPool_IsUsed(&bodies->ids, index))
		{
			tnObstacle* own = obstacles->items + index;
			own->to = item.to;
			own->isKnown = item.isKnown;
			own->hitMass = item.hitMass;
			own->submerged = item.submerged;
			own->isSubmergedKnown = item.isSubmergedKnown;
		}
	}
}

void tnSpray_Archive(tnSpray* spray, tnArchive* archive, const tnBodies* bodies, tnSprayPlan* plan)
{
	tnSpray values = *spray;
	tnArchive_Int(archive, &values.count, 0, spray->def.capacity, "particles");
	tnArchive_I64(archive, &values.airborne, 0, TN_MAX_AIRBORNE, "airborne");
	tnArchive_I64(archive, &values.rest, -TN_MAX_AIRBORNE / 2, TN_MAX_AIRBORNE / 2, "rest");
	tnArchive_I64(archive, &values.bornCount, 0, INT64_MAX / 2, "bornCount");
	tnArchive_I64(archive, &values.landedCount, 0, INT64_MAX / 2, "landedCount");
	tnArchive_I64(archive, &values.mergedCount, 0, INT64_MAX / 2, "mergedCount");
	tnArchiveParticles(spray, archive, values.count, values.airborne);
	tnArchive_Floats(archive, spray->splashes, (size_t)spray->splashCount, FLT_MAX, "splashes");
	if (tnArchive_Applies(archive))
	{
		*spray = values;
	}
	plan->jetCount = tnArchiveJets(spray, archive);
	tnArchiveObstacles(&spray->bodies, archive, bodies);
}

// ---------------------------------------------------------------------------------------------------------------------
// Foam

// Units that were added since the last step, of tiles that have some.
static void tnArchiveAdded(tnFoam* foam, tnArchive* archive, tnGrid* grid)
{
	for (int tile = 0; tile < foam->tileCount && tnArchive_IsOk(archive); ++tile)
	{
		tnStirred stirred = foam->stirred[tile];
		const tnStirred before = stirred;
		tnArchive_U64(archive, &stirred.rows);
		const tnCellBox box = tnGetTileCells(grid, tile);
		const int columns = box.columnEnd - box.columnBegin;
		const int rows = box.rowEnd - box.rowBegin;
		for (int row = 0; row < rows && tnArchive_Applies(archive) && before.rows != 0; ++row)
		{
			memset(grid->foamAdded + tnGrid_Index(grid, box.columnBegin, box.rowBegin + row), 0,
				(size_t)columns * sizeof(int32_t));
		}
		if (stirred.rows != 0)
		{
			tnArchive_U64(archive, &stirred.columns);
			if ((columns < 64 && stirred.columns >> columns != 0) || (rows < 64 && stirred.rows >> rows != 0))
			{
				tnArchive_Refuse(archive, "stirred must be inside of the world in tile %d", tile);
			}
			for (int row = 0; row < rows && tnArchive_IsOk(archive); ++row)
			{
				tnArchive_Ints(archive, grid->foamAdded + tnGrid_Index(grid, box.columnBegin, box.rowBegin + row),
					(size_t)columns, 0, INT32_MAX, "foamAdded");
			}
		}
		else
		{
			stirred.columns = 0;
		}
		if (tnArchive_Applies(archive))
		{
			foam->stirred[tile] = stirred;
		}
	}
}

void tnFoam_Archive(tnFoam* foam, tnArchive* archive, tnGrid* grid)
{
	const size_t count = (size_t)foam->tileCount;
	const tnArchiveField field = {
		.values = grid->foam,
		.stride = grid->stride,
		.columns = grid->columnCount,
		.rows = grid->rowCount,
		.tileColumns = grid->tileColumnCount,
		.tileRows = grid->tileRowCount,
		.least = 0.0f,
		.most = FLT_MAX,
		.name = "foam",
	};
	tnArchive_Field(archive, &field);
	tnArchive_Bytes(archive, foam->busy, count, 1, "busy");
	tnArchive_Bytes(archive, foam->carried, count, 1, "carried");
	for (int tile = 0; tile < foam->tileCount && tnArchive_IsOk(archive); ++tile)
	{
		// Where there is none there are no bits.
		uint64_t any = 0;
		for (int i = 0; i < TN_TILE_SIZE; ++i)
		{
			any |= tnFoam_GetRows(foam, tile)[i];
		}
		bool has = any != 0;
		tnArchive_Bool(archive, &has, "cells");
		if (has)
		{
			tnArchive_Words(archive, tnFoam_GetRows(foam, tile), TN_TILE_SIZE);
		}
		else if (tnArchive_Applies(archive))
		{
			memset(tnFoam_GetRows(foam, tile), 0, TN_TILE_SIZE * sizeof(uint64_t));
		}
	}
	tnArchiveAdded(foam, archive, grid);
	if (tnArchive_Applies(archive))
	{
		tnFoam_Renew(foam, grid);
	}
}

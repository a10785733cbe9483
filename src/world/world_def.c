// SPDX-License-Identifier: MIT

// Defaults of the def of a world, and whether one can be made of it.

#include "../core/def_checks.h"
#include "world.h"

static tnWavesDef tnDefaultWavesDef(void)
{
	tnWavesDef def = {0};
	def.kernel = tn_fineWaves;
	def.finerLevels = 2;
	def.levelCount = 6;
	def.tileCount = 96;
	def.breakingLimit = 1.0f;
	def.restHeight = 1.0e-6f; // a thousandth of a millimeter: no eye sees it
	def.enableDrift = true;
	def.takeFromFlow = false;
	def.enableDetail = true;
	def.timeStep = 1.0f / 60.0f;
	def.keptSteps = 1;
	return def;
}

tnWorldDef tnDefaultWorldDef(void)
{
	tnWorldDef def = {0};
	def.columnCount = 128;
	def.rowCount = 128;
	def.cellSize = 1.0f;
	def.gravity = 9.81f;
	def.method = tn_pipeMethod;
	def.section = tn_depthSection;
	def.fixedSection = 1.0f;
	def.liveliness = 1.0f;
	def.advection = tn_conservativeAdvection;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side] = tnDefaultEdgeDef();
	}
	def.maxSubSteps = 8;
	def.enableSleep = true;
	def.sleepSpeed = 1.0e-3f; // a millimeter a second: no eye sees it
	def.sleepTime = 1.0f;
	def.keepPrevious = true;
	def.waves = tnDefaultWavesDef();
	def.spray =
		(tnSprayDef){.capacity = 16384, .ledgeHeight = 1.0f, .breakingSlope = 0.36f, .drag = 0.01f, .slamSpeed = 1.0f};
	def.foam = (tnFoamDef){.lifetime = 8.0f, .strength = 1.0f};
	def.tasks.workerCount = 1;
	def.simd = tn_simdAuto;
	def.stamp = TN_DEF_STAMP;
	return def;
}

static bool tnCheckSpray(tnResult* result, const tnSprayDef* def)
{
	bool ok = tnCheckCount(result, "spray.capacity", def->capacity, 16, 1 << 20);
	ok = ok && tnCheckRange(result, "spray.ledgeHeight", def->ledgeHeight, 0.01f, TN_MAX_LENGTH);
	ok = ok && tnCheckRange(result, "spray.breakingSlope", def->breakingSlope, 0.0f, 10.0f);
	ok = ok && tnCheckRange(result, "spray.drag", def->drag, 0.0f, 100.0f);
	ok = ok && tnCheckRange(result, "spray.slamSpeed", def->slamSpeed, 0.0f, 1000.0f);
	ok = ok && tnCheckRange(result, "spray.wind.x", def->wind.x, -100.0f, 100.0f);
	return ok && tnCheckRange(result, "spray.wind.z", def->wind.z, -100.0f, 100.0f);
}

static bool tnCheckFoam(tnResult* result, const tnFoamDef* def)
{
	return tnCheckRange(result, "foam.lifetime", def->lifetime, 0.01f, 1.0e9f) &&
		tnCheckRange(result, "foam.strength", def->strength, 0.0f, 100.0f);
}

static bool tnCheckWaves(tnResult* result, const tnWavesDef* def)
{
	bool ok = tnCheckCount(result, "waves.kernel", (int)def->kernel, 0, tn_waveKernelCount - 1);
	ok = ok && tnCheckCount(result, "waves.finerLevels", def->finerLevels, 0, 6);
	ok = ok &&
		tnCheckCount(
			result, "waves.levelCount", def->levelCount, 1, tnMinInt(TN_MAX_WAVE_LEVELS, def->finerLevels + 7));
	ok = ok && tnCheckCount(result, "waves.tileCount", def->tileCount, 1, 65536);
	ok = ok && tnCheckCount(result, "waves.keptSteps", def->keptSteps, 1, TN_WAVE_MOST_KEPT);
	ok = ok && tnCheckRange(result, "waves.damping", def->damping, 0.0f, TN_MAX_WAVE_DAMPING);
	ok = ok && tnCheckRange(result, "waves.viscosity", def->viscosity, 0.0f, 1000.0f);
	ok = ok && tnCheckRange(result, "waves.breakingLimit", def->breakingLimit, 0.0f, 10.0f);
	ok = ok && tnCheckRange(result, "waves.restHeight", def->restHeight, 0.0f, 1000.0f);
	return ok && tnCheckRange(result, "waves.timeStep", def->timeStep, 1.0e-6f, 1.0f);
}

tnResult tnCheckWorldDef(const tnWorldDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(
			tn_invalidArgument, "def.stamp is wrong: start from tnDefaultWorldDef(), got 0x%x", (unsigned)def->stamp);
	}

	tnResult result = tnSuccess();
	bool ok = tnCheckCount(&result, "columnCount", def->columnCount, 4, 65536);
	ok = ok && tnCheckCount(&result, "rowCount", def->rowCount, 4, 65536);
	if (ok && (int64_t)def->columnCount * def->rowCount > TN_MAX_CELLS)
	{
		return tnFail(tn_outOfMemory, "columnCount * rowCount must be at most %d, got %d * %d", TN_MAX_CELLS,
			def->columnCount, def->rowCount);
	}
	ok = ok && tnCheckRange(&result, "cellSize", def->cellSize, 0.001f, 1000.0f);
	ok = ok && tnCheckRange(&result, "origin.x", def->origin.x, -TN_MAX_LENGTH, TN_MAX_LENGTH);
	ok = ok && tnCheckRange(&result, "origin.z", def->origin.z, -TN_MAX_LENGTH, TN_MAX_LENGTH);
	ok = ok && tnCheckRange(&result, "gravity", def->gravity, 1.0e-6f, 1000.0f);
	ok = ok && tnCheckCount(&result, "method", (int)def->method, 0, tn_methodCount - 1);
	ok = ok && tnCheckCount(&result, "section", (int)def->section, 0, tn_pipeSectionCount - 1);
	ok = ok && tnCheckRange(&result, "fixedSection", def->fixedSection, 1.0e-3f, TN_MAX_LENGTH);
	ok = ok && tnCheckRange(&result, "liveliness", def->liveliness, 0.01f, 4.0f);
	ok = ok && tnCheckCount(&result, "advection", (int)def->advection, 0, tn_advectionCount - 1);
	ok = ok && tnCheckRange(&result, "vorticityConfinement", def->vorticityConfinement, 0.0f, 1.0f);
	ok = ok && tnCheckRange(&result, "friction", def->friction, 0.0f, 1.0e6f);
	ok = ok && tnCheckRange(&result, "manning", def->manning, 0.0f, 10.0f);
	ok = ok && tnCheckRange(&result, "froudeLimit", def->froudeLimit, 0.0f, 1000.0f);
	ok = ok && tnCheckCount(&result, "maxSubSteps", def->maxSubSteps, 1, 256);
	ok = ok && tnCheckRange(&result, "sleepSpeed", def->sleepSpeed, 0.0f, 1000.0f);
	ok = ok && tnCheckRange(&result, "sleepTime", def->sleepTime, 0.0f, 1.0e9f);
	ok = ok && tnCheckCount(&result, "tracerCount", def->tracerCount, 0, TN_MAX_TRACERS);
	ok = ok && (!def->waves.enable || tnCheckWaves(&result, &def->waves));
	ok = ok && (!def->spray.enable || tnCheckSpray(&result, &def->spray));
	ok = ok && (!def->foam.enable || tnCheckFoam(&result, &def->foam));
	ok = ok && tnCheckHooks(&result, &def->allocator, &def->tasks);
	ok = ok && tnCheckCount(&result, "simd", (int)def->simd, 0, tn_simdWasm);
	if (!ok)
	{
		return result;
	}
	if (!tnIsSimdAvailable(def->simd))
	{
		return tnFail(tn_notAvailable, "simd must be available on this processor, got %s", tnGetSimdName(def->simd));
	}
	return tnEdges_CheckAll(def->edges);
}

// SPDX-License-Identifier: MIT

// A world with a terrain, and its twins, which differ in what must not change a bit.

#include "core.h"
#include "world_calls.h"

// What is done in a sub-step. Rows are done in whole vectors with ghosts at both ends, of which narrow worlds have more
// than cells.
double GetLaneCount(const tnWorldDef* def)
{
	return (double)((def->columnCount + 7) / 8 * 8 + 16) * (def->rowCount + 8);
}

void WidenTracers(Driver* d, const float* concentrations)
{
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		d->track.low[i] = fminf(d->track.low[i], concentrations[i]);
		d->track.high[i] = fmaxf(d->track.high[i], concentrations[i]);
	}
}

tnEdgeDef DrawEdge(Driver* d)
{
	tnEdgeDef edge = tnDefaultEdgeDef();
	// Wrap comes in pairs: the caller decides.
	static const tnEdgeKind kinds[] = {tn_wallEdge, tn_openEdge, tn_absorbEdge, tn_levelEdge, tn_inflowEdge};
	edge.kind = kinds[DrawInt(d, 0, 4)];
	if (edge.kind == tn_wallEdge)
	{
		return edge;
	}
	edge.level = DrawLimited(d, -2.0f, 6.0f, -TN_MAX_LENGTH, TN_MAX_LENGTH);
	edge.tideAmplitude = DrawOneIn(d, 4) ? DrawFloat(d, 0.0f, 2.0f) : 0.0f;
	edge.tidePeriod = DrawOneIn(d, 4) ? DrawPower(d, -1.0f, 3.0f) : 60.0f;
	edge.tidePhase = DrawOneIn(d, 8) ? DrawFloat(d, 0.0f, 1.0f) : 0.0f;
	edge.inflow = DrawBool(d) ? DrawFloat(d, 0.0f, 4.0f) : 0.0f;
	edge.inflowBegin = DrawOneIn(d, 4) ? DrawInt(d, -1, 30) : 0;
	edge.inflowEnd = DrawOneIn(d, 4) ? DrawInt(d, 0, 500) : edge.inflowEnd;
	edge.spongeWidth = DrawOneIn(d, 4) ? DrawInt(d, 0, 500) : DrawInt(d, 1, 20);
	if (DrawBool(d))
	{
		for (int i = 0; i < 3; ++i)
		{
			edge.tracers[i] = DrawFloat(d, -1.0f, 2.0f);
		}
	}
	return edge;
}

void DrawEdges(Driver* d, tnEdgeDef* edges)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		const bool wrap = DrawOneIn(d, 4);
		if (wrap)
		{
			edges[2 * axis] = tnDefaultEdgeDef();
			edges[2 * axis + 1] = tnDefaultEdgeDef();
			edges[2 * axis].kind = tn_wrapEdge;
			edges[2 * axis + 1].kind = DrawOneIn(d, 32) ? tn_wallEdge : tn_wrapEdge;
			continue;
		}
		// Walls keep the water in, so that there is some to look at.
		edges[2 * axis] = DrawBool(d) ? DrawEdge(d) : tnDefaultEdgeDef();
		edges[2 * axis + 1] = DrawEdge(d);
	}
}

// Mostly few cells, so that there is time for many worlds, but often several tiles.
static void DrawSize(Driver* d, tnWorldDef* def)
{
	static const int edgy[] = {4, 5, 16, 63, 64, 65, 72, 80};
	const int shape = DrawInt(d, 0, 15);
	if (shape < 6)
	{
		def->columnCount = DrawInt(d, 4, 24);
		def->rowCount = DrawInt(d, 4, 24);
	}
	else if (shape < 8)
	{
		def->columnCount = edgy[DrawInt(d, 0, 7)];
		def->rowCount = DrawInt(d, 4, maxShortSide);
	}
	else if (shape < 10)
	{
		def->columnCount = DrawInt(d, 4, maxShortSide);
		def->rowCount = edgy[DrawInt(d, 0, 7)];
	}
	else if (shape < 12)
	{
		def->columnCount = DrawInt(d, 100, maxLongSide);
		def->rowCount = DrawInt(d, 4, maxShortSide);
	}
	else if (shape < 14)
	{
		def->columnCount = DrawInt(d, 4, maxShortSide);
		def->rowCount = DrawInt(d, 100, maxLongSide);
	}
	else if (shape < 15)
	{
		def->columnCount = edgy[DrawInt(d, 0, 7)];
		def->rowCount = edgy[DrawInt(d, 0, 7)];
	}
	else
	{
		def->columnCount = DrawInt(d, 4, maxSquareSide);
		def->rowCount = DrawInt(d, 4, maxSquareSide);
	}
}

// Shallow as often as the two others together.
void DrawMethod(Driver* d, tnMethod* method, tnAdvection* advection)
{
	static const tnMethod methods[] = {
		tn_pipeMethod, tn_pipeMethod, tn_linearMethod, tn_shallowMethod, tn_shallowMethod, tn_shallowMethod};
	*method = methods[DrawInt(d, 0, 5)];
	*advection = (tnAdvection)DrawInt(d, 0, tn_advectionCount - 1);
	if (DrawOneIn(d, 64) && !d->sensible)
	{
		*method = (tnMethod)(tn_methodCount - DrawInt(d, 0, 1));
		*advection = (tnAdvection)(tn_advectionCount - DrawInt(d, 0, 1));
	}
}

static void DrawWaves(Driver* d, tnWavesDef* waves)
{
	waves->enable = true;
	waves->kernel = (tnWaveKernel)DrawInt(d, 0, tn_waveKernelCount - 1);
	waves->finerLevels = DrawInt(d, 0, DrawOneIn(d, 8) ? 6 : 2);
	waves->levelCount = DrawInt(d, 1, 3);
	waves->tileCount = DrawOneIn(d, 4) ? DrawInt(d, 1, 4) : 12;
	waves->damping = DrawBool(d) ? 0.0f : DrawPower(d, -3.0f, 3.0f);
	waves->viscosity = DrawBool(d) ? 1.0e-6f : DrawPower(d, -7.0f, 3.0f);
	waves->breakingLimit = DrawBool(d) ? 1.0f : DrawFloat(d, 0.0f, 10.0f);
	waves->restHeight = DrawBool(d) ? waves->restHeight : DrawPower(d, -9.0f, 0.0f);
	waves->enableDrift = DrawBool(d);
	waves->takeFromFlow = DrawOneIn(d, 4);
	waves->enableDetail = DrawBool(d);
	waves->timeStep = DrawOneIn(d, 8) ? DrawFloat(d, 0.0f, 1.0f) : 1.0f / 60.0f;
	waves->keptSteps = DrawOneIn(d, 8) ? DrawInt(d, 0, 5) : DrawInt(d, 1, 4);
	waves->reserve = DrawOneIn(d, 4);
	waves->enableWindWaves = DrawBool(d);
}

static void DrawSpray(Driver* d, tnSprayDef* spray)
{
	spray->enable = true;
	spray->capacity = DrawOneIn(d, 4) ? DrawInt(d, 15, 64) : 512;
	spray->ledgeHeight = DrawBool(d) ? DrawFloat(d, 0.01f, 2.0f) : 1.0f;
	spray->breakingSlope = DrawBool(d) ? DrawFloat(d, 0.0f, 10.0f) : 0.36f;
	spray->drag = DrawBool(d) ? DrawFloat(d, 0.0f, 100.0f) : 0.01f;
	spray->slamSpeed = DrawBool(d) ? DrawFloat(d, 0.0f, 1000.0f) : 1.0f;
	if (DrawBool(d))
	{
		spray->wind.x = DrawFloat(d, -100.0f, 100.0f);
		spray->wind.z = DrawFloat(d, -100.0f, 100.0f);
	}
}

static void DrawDef(Driver* d, tnWorldDef* def)
{
	*def = tnDefaultWorldDef();
	// A def has so many values that one would nearly always be refused.
	d->sensible = !DrawOneIn(d, 8);
	DrawSize(d, def);
	def->cellSize = DrawBool(d) ? 1.0f : DrawPower(d, -2.0f, 2.0f);
	if (DrawOneIn(d, 4))
	{
		def->origin.x = DrawFloat(d, -100.0f, 100.0f);
		def->origin.z = DrawFloat(d, -100.0f, 100.0f);
	}
	def->gravity = DrawBool(d) ? 9.81f : DrawPower(d, -2.0f, 3.0f);
	DrawMethod(d, &def->method, &def->advection);
	def->vorticityConfinement = DrawOneIn(d, 3) ? DrawFloat(d, 0.0f, 1.0f) : 0.0f;
	def->section = (tnPipeSection)DrawInt(d, 0, tn_pipeSectionCount - 1);
	def->fixedSection = DrawPower(d, -1.0f, 1.0f);
	def->liveliness = DrawBool(d) ? 1.0f : DrawPower(d, -2.0f, 0.6f);
	def->friction = DrawOneIn(d, 4) ? DrawPower(d, -2.0f, 4.0f) : 0.0f;
	def->manning = DrawOneIn(d, 3) ? DrawPower(d, -2.0f, 1.0f) : 0.0f;
	def->froudeLimit = DrawOneIn(d, 3) ? DrawPower(d, -1.0f, 1.0f) : 0.0f;
	DrawEdges(d, def->edges);
	def->maxSubSteps = DrawOneIn(d, 16) ? DrawInt(d, 1, 256) : DrawInt(d, 1, 8);
	def->enableSleep = !DrawOneIn(d, 4);
	def->sleepSpeed = DrawBool(d) ? 0.0f : DrawPower(d, -4.0f, 0.0f);
	def->sleepTime = DrawBool(d) ? 0.0f : DrawFloat(d, 0.0f, 2.0f);
	def->tracerCount = DrawInt(d, 0, 3);
	def->keepDischarge = DrawOneIn(d, 4);
	def->keepPrevious = DrawBool(d);
	if (DrawInt(d, 0, 4) < 2)
	{
		DrawWaves(d, &def->waves);
	}
	if (DrawOneIn(d, 2))
	{
		DrawSpray(d, &def->spray);
	}
	if (DrawOneIn(d, 2))
	{
		def->foam.enable = true;
		def->foam.lifetime = DrawBool(d) ? 8.0f : DrawPower(d, -2.0f, 9.0f);
		def->foam.strength = DrawBool(d) ? 1.0f : DrawFloat(d, 0.0f, 100.0f);
	}
	if (DrawOneIn(d, 32))
	{
		def->memoryLimit = (size_t)DrawInt(d, 1, 1 << 22);
	}
	def->stamp += DrawOneIn(d, 256) ? 1 : 0;
	d->sensible = false;
	if (DrawOneIn(d, 3))
	{
		// Calm, and long, so that most of it can sleep while something happens at a place.
		const int length = DrawInt(d, 300, maxLongSide);
		const int width = DrawInt(d, 4, maxShortSide);
		const bool wide = DrawBool(d);
		def->columnCount = wide ? length : width;
		def->rowCount = wide ? width : length;
		def->maxSubSteps = 8;
		def->enableSleep = true;
		def->sleepTime = 0.0f;
		for (int axis = 0; axis < 2; ++axis)
		{
			if (def->edges[2 * axis].kind != tn_wrapEdge || def->edges[2 * axis + 1].kind != tn_wrapEdge)
			{
				def->edges[2 * axis] = tnDefaultEdgeDef();
				def->edges[2 * axis + 1] = tnDefaultEdgeDef();
			}
		}
	}
	if (DrawOneIn(d, 4))
	{
		// Closed: nothing gives energy to the water unless a call does.
		for (int axis = 0; axis < 2; ++axis)
		{
			const bool wraps = def->edges[2 * axis].kind == tn_wrapEdge && def->edges[2 * axis + 1].kind == tn_wrapEdge;
			def->edges[2 * axis] = wraps ? def->edges[2 * axis] : tnDefaultEdgeDef();
			def->edges[2 * axis + 1] = wraps ? def->edges[2 * axis + 1] : tnDefaultEdgeDef();
		}
		def->spray.enable = false;
		def->waves.takeFromFlow = false;
		def->vorticityConfinement = 0.0f;
		def->liveliness = 1.0f;
	}
	if (def->waves.enable && def->columnCount * def->rowCount > 1500)
	{
		// Levels finer than the cells would fill all tiles that there are.
		def->waves.finerLevels = 0;
		def->waves.tileCount = def->waves.tileCount == 12 ? 24 : def->waves.tileCount;
	}
	// For the dearest method, which may come later, and for twins with other kernels.
	const double most = maxStepWork / (GetLaneCount(def) * fineWork * (1 + scalarWork));
	def->maxSubSteps = def->maxSubSteps > most ? (int)most : def->maxSubSteps;
}

// What must not change a bit.
static void DrawTwin(Driver* d, int which)
{
	tnWorldDef* twin = d->defs + which;
	const tnWorldDef* def = &d->track.def;
	*twin = *def;
	if (which == 0)
	{
		twin->tasks.workerCount = d->options.threads ? 3 : 1;
		return;
	}
	const bool exactSleep = !def->enableSleep || def->sleepSpeed == 0.0f;
	if (DrawBool(d) && exactSleep)
	{
		twin->enableSleep = !def->enableSleep;
		twin->sleepSpeed = 0.0f;
	}
	static const tnSimd sets[] = {tn_simdAuto, tn_simdScalar, tn_simdSse2, tn_simdAvx2, tn_simdNeon, tn_simdWasm};
	const tnSimd simd = sets[DrawInt(d, 0, 5)];
	twin->simd = tnIsSimdAvailable(simd) ? simd : tn_simdScalar;
	static const int workerCounts[] = {1, 2, 3, 7};
	const int workerCount = workerCounts[DrawInt(d, 0, 3)];
	twin->tasks.workerCount = workerCount;
	const int host = DrawInt(d, 0, 3);
	if (host >= 2 || workerCount == 7)
	{
		// Threads take long to start: not seven of them for a small world.
		d->tasks[which] = (TwinTasks){.isLate = host == 3};
		twin->tasks.startFcn = TwinStart;
		twin->tasks.waitFcn = TwinWait;
		twin->tasks.context = d->tasks + which;
	}
	const bool isOdd = DrawBool(d);
	d->memories[which].isOdd = isOdd;
	d->memories[which].junk = DRIVER_NO_JUNK ? 0 : (uint8_t)DrawInt(d, 0, 255);
	if (DrawOneIn(d, 4))
	{
		twin->keepPrevious = !def->keepPrevious;
	}
	if (DrawOneIn(d, 4))
	{
		twin->keepDischarge = !def->keepDischarge;
	}
	Show(d, "if (which == %d)", which);
	ShowText(d, "{");
	ShowFields(d, &worldDefInfo, "def", twin, def);
	if (twin->tasks.startFcn != NULL)
	{
		Show(d, "tasks.isLate = %d;", (int)(host == 3));
		ShowText(d, "def.tasks.startFcn = TwinStart;");
		ShowText(d, "def.tasks.waitFcn = TwinWait;");
		ShowText(d, "def.tasks.context = &tasks;");
	}
	Show(d, "memory.isOdd = %d;", (int)isOdd);
	Show(d, "memory.junk = %d;", (int)d->memories[which].junk);
	ShowText(d, "}");
}

static void CountError(const tnResult* result, void* context)
{
	int* count = context;
	*count += result->status != tn_ok ? 1 : 1000;
}

static bool CreateTwin(Driver* d, int which)
{
	tnWorldDef* def = d->defs + which;
	TwinMemory* memory = d->memories + which;
	def->errors = (tnErrorHook){CountError, d->errorCounts + which};
	def->allocator = (tnAllocator){TwinAlloc, TwinFree, memory};
	d->results[which] = tnCreateWorld(def, d->worlds + which);
	d->report->callCount += 1;
	EndTwin(d, which, def->stamp != tnDefaultWorldDef().stamp ? hookMayRest : 0);
	const bool ok = d->results[which].status == tn_ok;
	if (ok != (d->worlds[which] != NULL) || (!ok && memory->liveBytes != 0))
	{
		Fail(d, "create", "status %d, text \"%s\", %d bytes left", (int)d->results[which].status,
			d->results[which].text, (int)memory->liveBytes);
	}
	CountCalls("tnCreateWorld(", ok);
	if (d->results[which].status == tn_outOfMemory && memory->failCount > 0)
	{
		// Once more, with memory.
		d->errorCounts[which] = 0;
		memory->failCount = 0;
		d->results[which] = tnCreateWorld(def, d->worlds + which);
		return d->results[which].status == tn_ok;
	}
	return ok;
}

void CreateWorlds(Driver* d)
{
	tnWorldDef def;
	DrawDef(d, &def);
	d->track.def = def;
	d->track.energy = -1.0;
	const int twinCount = 1 + DrawInt(d, 0, twinLimit - 1);
	const tnWorldDef preset = tnDefaultWorldDef();
	SHOW_STRUCT(d, worldDefInfo, def, preset);
	for (int i = 0; i < twinCount; ++i)
	{
		DrawTwin(d, i);
	}
	ShowText(d, "def.allocator = (tnAllocator){TwinAlloc, TwinFree, &memory};");
	ShowText(d, "NOTE(tnCreateWorld(&def, &world));");
	ShowText(d, "if (world == NULL) { return; }");
	if (d->dry)
	{
		return;
	}
	// Twins with more workers need more memory: with a limit they are refused other things.
	d->twinCount = d->options.alone || d->options.threads || def.memoryLimit != 0 ? 1 : twinCount;
	d->sameHash = true;
	d->memories[0].failAt = d->options.failAt;
	BeginCall(d, "tnCreateWorld()");
	for (int i = 0; i < d->twinCount; ++i)
	{
		if (!CreateTwin(d, i))
		{
			d->report->refusedCount += 1;
			for (int k = 0; k < d->twinCount; ++k)
			{
				tnDestroyWorld(d->worlds[k]);
				d->worlds[k] = NULL;
			}
			return;
		}
	}
	d->report->twinCount = d->twinCount;
	d->track.cellCount = def.columnCount * def.rowCount;
	d->track.cellArea = (double)def.cellSize * def.cellSize;
	for (int i = 0; i < d->twinCount; ++i)
	{
		d->hashes[i] = tnWorld_GetHash(d->worlds[i]);
	}
	for (int side = 0; side < tn_sideCount; ++side)
	{
		WidenTracers(d, def.edges[side].tracers);
	}
}

// SPDX-License-Identifier: MIT

// Random closed worlds with every layer, stepped for long, and what is looked for in them.

#include "quiet.h"

#include "shared.h"

#include <math.h>
#include <stdio.h>

enum
{
	sideLimit = 40,
	cellLimit = sideLimit * sideLimit,
	// Friction takes 5 % of the speed in a second: after ten minutes nothing is left.
	restSteps = 36000,
};

typedef struct Quiet
{
	uint64_t state;
	tnWorldDef def;
	tnWorld* world;
	TwinMemory memory;
	double level;
	bool still, frictionless, hasBody;
	float bed[cellLimit], alongX[cellLimit], alongZ[cellLimit];
} Quiet;

// SplitMix64.
static float NextShare(Quiet* quiet)
{
	quiet->state += 0x9E3779B97F4A7C15u;
	uint64_t bits = (quiet->state ^ (quiet->state >> 30)) * 0xBF58476D1CE4E5B9u;
	bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
	return (float)((bits ^ (bits >> 31)) >> 40) * (1.0f / 16777216.0f);
}

static int NextInt(Quiet* quiet, int low, int high)
{
	return low + (int)(NextShare(quiet) * (float)(high - low + 1));
}

static void MakeDef(Quiet* quiet)
{
	tnWorldDef* def = &quiet->def;
	*def = tnDefaultWorldDef();
	def->columnCount = NextInt(quiet, 8, sideLimit);
	def->rowCount = NextInt(quiet, 8, sideLimit);
	def->cellSize = 0.25f + 1.5f * NextShare(quiet);
	def->method = (tnMethod)NextInt(quiet, 0, tn_methodCount - 1);
	// Those that do not conserve momentum make no promise about energy either.
	def->advection = NextInt(quiet, 0, 1) == 0 ? tn_conservativeAdvection : tn_fineAdvection;
	def->section = NextInt(quiet, 0, 1) == 0 ? tn_depthSection : tn_meanSection;
	for (int axis = 0; axis < 2; ++axis)
	{
		if (NextInt(quiet, 0, 3) == 0)
		{
			def->edges[2 * axis].kind = tn_wrapEdge;
			def->edges[2 * axis + 1].kind = tn_wrapEdge;
		}
	}
	quiet->frictionless = NextInt(quiet, 0, 1) == 0;
	if (!quiet->frictionless)
	{
		def->manning = 0.03f;
		def->friction = 0.05f;
	}
	def->enableSleep = NextInt(quiet, 0, 1) == 0;
	def->sleepSpeed = NextInt(quiet, 0, 1) == 0 ? 0.0f : 1.0e-3f;
	def->tracerCount = 1;
	def->maxSubSteps = NextInt(quiet, 0, 3) == 0 ? 1 : 16;
	def->waves.enable = NextInt(quiet, 0, 1) == 0;
	def->waves.finerLevels = 0;
	def->waves.levelCount = 2;
	def->waves.tileCount = 8;
	def->spray.enable = NextInt(quiet, 0, 1) == 0;
	def->spray.capacity = 1024;
	def->foam.enable = NextInt(quiet, 0, 1) == 0;
	def->allocator = (tnAllocator){TwinAlloc, TwinFree, &quiet->memory};
}

static void MakeBed(Quiet* quiet)
{
	const tnWorldDef* def = &quiet->def;
	const int kind = NextInt(quiet, 0, 3);
	const float height = 0.5f + 2.0f * NextShare(quiet);
	for (int i = 0; i < def->columnCount * def->rowCount; ++i)
	{
		const float x = (float)(i % def->columnCount) / (float)def->columnCount - 0.5f;
		const float z = (float)(i / def->columnCount) / (float)def->rowCount - 0.5f;
		const float noise = NextShare(quiet);
		const float shapes[4] = {0.0f, 4.0f * (x * x + z * z), noise, 0.5f + 0.5f * sinf(9.0f * x) * cosf(7.0f * z)};
		quiet->bed[i] = height * shapes[kind];
	}
	// Most levels are not multiples of anything.
	quiet->level = (double)(float)(0.3 + 8.0 * (double)NextShare(quiet));
}

// Crates that nobody moves: water runs against them, and they give it nothing.
static bool AddBodies(Quiet* quiet)
{
	const tnWorldDef* def = &quiet->def;
	quiet->hasBody = NextInt(quiet, 0, 1) == 0;
	for (int i = 0; i < 2 && quiet->hasBody; ++i)
	{
		tnShapeDef shape = tnDefaultShapeDef();
		shape.kind = i == 0 ? tn_boxShape : tn_sphereShape;
		shape.halfExtents = (tnVec3){1.3f * def->cellSize, 0.4f, 1.7f * def->cellSize};
		shape.radius = 1.2f * def->cellSize;
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.mode = NextInt(quiet, 0, 1) == 0 ? tn_blockingBody : tn_floatingBody;
		body.pose.position.x = def->cellSize * (float)def->columnCount * (0.2f + 0.6f * NextShare(quiet));
		body.pose.position.y = (float)quiet->level - 0.2f;
		body.pose.position.z = def->cellSize * (float)def->rowCount * (0.2f + 0.6f * NextShare(quiet));
		tnBodyId id;
		if (tnWorld_CreateBody(quiet->world, &body, &id).status != tn_ok)
		{
			return false;
		}
	}
	return true;
}

static bool StirUp(Quiet* quiet)
{
	const tnWorldDef* def = &quiet->def;
	const tnVec2 middle = {0.4f * def->cellSize * (float)def->columnCount, 0.6f * def->cellSize * (float)def->rowCount};
	for (int i = 0; i < def->columnCount * def->rowCount; ++i)
	{
		quiet->alongX[i] = 0.6f * (NextShare(quiet) - 0.5f);
		quiet->alongZ[i] = 0.6f * (NextShare(quiet) - 0.5f);
	}
	bool ok = tnWorld_SetVelocities(quiet->world, quiet->alongX, quiet->alongZ).status == tn_ok;
	const float volume = 2.0f * def->cellSize * def->cellSize;
	ok = ok && tnWorld_AddWater(quiet->world, middle, 2.0f * def->cellSize, volume, NULL).status == tn_ok;
	ok = ok && tnWorld_AddTracer(quiet->world, 0, middle, 2.0f * def->cellSize, 1.0f).status == tn_ok;
	if (def->waves.enable)
	{
		const tnWaveDrop drop = {middle, 0.02f * volume};
		ok = ok && tnWorld_AddDrops(quiet->world, &drop, 1).status == tn_ok;
	}
	if (def->foam.enable)
	{
		ok = ok && tnWorld_AddFoam(quiet->world, middle, 2.0f * def->cellSize, 1.0f).status == tn_ok;
	}
	return ok;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is measured

static double GetWaveEnergy(const Quiet* quiet)
{
	tnWaveStats stats;
	double sum = 0.0;
	if (quiet->def.waves.enable && tnWorld_GetWaveStats(quiet->world, &stats).status == tn_ok)
	{
		for (int i = 0; i < TN_MAX_WAVE_LEVELS; ++i)
		{
			sum += stats.energies[i] / 1000.0;
		}
	}
	return sum;
}

typedef struct Measure
{
	double kinetic, potential, speed, unrest;
} Measure;

static Measure Look(Quiet* quiet)
{
	Measure measure = {0};
	const tnWorldDef* def = &quiet->def;
	const tnFieldView depth = tnWorld_GetDepth(quiet->world);
	const double area = (double)def->cellSize * def->cellSize;
	tnWorld_CopyVelocities(quiet->world, quiet->alongX, quiet->alongZ);
	for (int i = 0; i < def->columnCount * def->rowCount; ++i)
	{
		const double h = depth.data[i / def->columnCount * depth.stride + i % def->columnCount];
		const double x = quiet->alongX[i];
		const double z = quiet->alongZ[i];
		measure.kinetic += 0.5 * area * h * (x * x + z * z);
		measure.potential += area * (double)def->gravity * h * ((double)quiet->bed[i] + 0.5 * h);
		if (h > (double)TN_WET_DEPTH)
		{
			measure.speed = fmax(measure.speed, sqrt(x * x + z * z));
			measure.unrest = fmax(measure.unrest, fabs((double)quiet->bed[i] + h - quiet->level));
		}
	}
	return measure;
}

// Of the same water at rest.
static double GetRestEnergy(const Quiet* quiet)
{
	const tnWorldDef* def = &quiet->def;
	const double area = (double)def->cellSize * def->cellSize;
	const double volume = tnWorld_GetLedger(quiet->world).volume;
	double low = -100.0;
	double high = 200.0;
	double energy = 0.0;
	for (int pass = 0; pass < 60; ++pass)
	{
		const double level = 0.5 * (low + high);
		double held = 0.0;
		energy = 0.0;
		for (int i = 0; i < def->columnCount * def->rowCount; ++i)
		{
			const double h = fmax(level - (double)quiet->bed[i], 0.0);
			held += area * h;
			energy += area * (double)def->gravity * h * ((double)quiet->bed[i] + 0.5 * h);
		}
		*(held > volume ? &high : &low) = level;
	}
	return energy;
}

static void LookAtSpray(const Quiet* quiet, QuietReport* report)
{
	const tnSprayView spray = tnWorld_GetSpray(quiet->world);
	for (int i = 0; i < spray.count; ++i)
	{
		report->oldestSpray = fmax(report->oldestSpray, spray.particles[i].age);
	}
}

// ---------------------------------------------------------------------------------------------------------------------

static void Describe(const Quiet* quiet, QuietReport* report)
{
	const tnWorldDef* def = &quiet->def;
	snprintf(report->world, sizeof(report->world),
		"%d x %d cells of %.3g m, method %d, advection %d, section %d, wrap %d %d, level %.9g, sub-steps %d, sleep %d "
		"%g%s%s%s%s%s%s",
		def->columnCount, def->rowCount, (double)def->cellSize, (int)def->method, (int)def->advection,
		(int)def->section, (int)(def->edges[0].kind == tn_wrapEdge), (int)(def->edges[2].kind == tn_wrapEdge),
		quiet->level, def->maxSubSteps, (int)def->enableSleep, (double)def->sleepSpeed,
		quiet->frictionless ? "" : ", friction", quiet->hasBody ? ", bodies" : "", def->waves.enable ? ", waves" : "",
		def->spray.enable ? ", spray" : "", def->foam.enable ? ", foam" : "", quiet->still ? ", still" : "");
}

static void Judge(const Quiet* quiet, QuietReport* report)
{
	char* text = report->text;
	const size_t size = sizeof(report->text);
	// A tenth of a millimeter a second in each cell counts as nothing.
	const double nothing = 0.5e-8 * tnWorld_GetLedger(quiet->world).volume;
	if (!(fabs(report->drift) <= 1.0e-5))
	{
		snprintf(text, size, "the ledger drifts by %g of the volume", report->drift);
	}
	else if (!(report->mostEnergy <= 1.25 * report->firstEnergy + nothing))
	{
		snprintf(text, size, "kinetic energy grows from %g to %g", report->firstEnergy, report->mostEnergy);
	}
	else if (report->firstTotal > 0.0 && !(report->mostTotal <= 1.01 * report->firstTotal + nothing))
	{
		snprintf(text, size, "energy grows from %g to %g", report->firstTotal, report->mostTotal);
	}
	else if (report->isStill && !(report->unrest <= 1.0e-5))
	{
		snprintf(text, size, "a still lake is %g m off its level", report->unrest);
	}
	else if (!quiet->frictionless && !quiet->def.waves.enable && report->stepCount >= restSteps &&
		!(report->speed <= 1.0e-3))
	{
		snprintf(text, size, "water with friction still runs at %g m/s", report->speed);
	}
	else if (!(report->oldestSpray <= 30.0))
	{
		snprintf(text, size, "spray is %g s old", report->oldestSpray);
	}
	else if (quiet->memory.badFreeCount != 0)
	{
		snprintf(text, size, "memory was written over its end");
	}
}

static bool Start(Quiet* quiet, QuietReport* report)
{
	MakeDef(quiet);
	MakeBed(quiet);
	quiet->still = NextInt(quiet, 0, 2) == 0;
	bool ok = tnCreateWorld(&quiet->def, &quiet->world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(quiet->world, quiet->bed).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(quiet->world, (float)quiet->level).status == tn_ok;
	ok = ok && AddBodies(quiet);
	ok = ok && (quiet->still || StirUp(quiet));
	// A body that comes into the water makes waves.
	report->isStill = quiet->still && !quiet->hasBody;
	Describe(quiet, report);
	return ok;
}

// Once a second is enough for energies, and the mean of a minute for how they go on: they slosh to and fro.
static bool Run(Quiet* quiet, double seconds, QuietReport* report)
{
	const bool alternates = NextInt(quiet, 0, 1) == 0;
	const bool judgesTotal = !quiet->hasBody && !quiet->def.waves.enable && !quiet->def.spray.enable;
	const int64_t stepCount = (int64_t)(60.0 * seconds);
	report->stepCount = stepCount;
	double sum = 0.0;
	double total = 0.0;
	int64_t allocationCount = 0;
	for (int64_t step = 0; step < stepCount; ++step)
	{
		const float timeStep = alternates && step % 2 != 0 ? 1.0f / 61.0f : 1.0f / 60.0f;
		if (tnWorld_Step(quiet->world, timeStep).status != tn_ok)
		{
			return false;
		}
		allocationCount = step == 0 ? quiet->memory.allocationCount : allocationCount;
		if (step % 60 != 59)
		{
			continue;
		}
		const Measure measure = Look(quiet);
		sum += measure.kinetic + GetWaveEnergy(quiet);
		LookAtSpray(quiet, report);
		report->speed = measure.speed;
		report->unrest = measure.unrest;
		if (!isfinite(measure.kinetic) || !isfinite(measure.potential) || !isfinite(sum))
		{
			snprintf(report->text, sizeof(report->text), "not finite after %d steps", (int)step);
			return true;
		}
		if (judgesTotal)
		{
			total += measure.kinetic + measure.potential - GetRestEnergy(quiet);
		}
		const int64_t window = seconds < 600.0 ? 600 : 3600;
		if ((step + 1) % window == 0)
		{
			const double mean = sum * 60.0 / (double)window;
			report->firstEnergy = step < window ? mean : report->firstEnergy;
			report->mostEnergy = step < window ? 0.0 : fmax(report->mostEnergy, mean);
			const double meanTotal = total * 60.0 / (double)window;
			report->firstTotal = step < window ? meanTotal : report->firstTotal;
			report->mostTotal = step < window ? 0.0 : fmax(report->mostTotal, meanTotal);
			sum = 0.0;
			total = 0.0;
		}
	}
	if (quiet->memory.allocationCount != allocationCount)
	{
		snprintf(report->text, sizeof(report->text), "steps allocate");
	}
	const tnLedger ledger = tnWorld_GetLedger(quiet->world);
	report->drift = ledger.drift / fmax(ledger.volume, 1.0e-9);
	return true;
}

bool QuietRun(uint64_t seed, double seconds, QuietReport* report)
{
	*report = (QuietReport){0};
	Quiet* quiet = calloc(1, sizeof(Quiet));
	if (quiet == NULL)
	{
		abort();
	}
	quiet->state = seed;
	if (!Start(quiet, report) || !Run(quiet, seconds, report))
	{
		snprintf(report->text, sizeof(report->text), "a call was refused");
	}
	if (report->text[0] == 0)
	{
		Judge(quiet, report);
	}
	tnDestroyWorld(quiet->world);
	if (quiet->memory.liveBytes != 0 && report->text[0] == 0)
	{
		snprintf(report->text, sizeof(report->text), "%d bytes are left", (int)quiet->memory.liveBytes);
	}
	free(quiet);
	return report->text[0] == 0;
}

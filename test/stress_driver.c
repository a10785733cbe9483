// SPDX-License-Identifier: MIT

#include "stress_driver.h"

#include <tarn/tarn.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Two tiles along both axes, or eight along one.
	maxSquareSide = 80,
	maxLongSide = 460,
	maxShortSide = 7,
	maxCells = 6500,
	// Steps included.
	maxCalls = 200,
	// What a run may ask for, in cells that vectors do in a sub-step of the pipe method: a tenth of a microsecond each with
	// sanitizers, so a second for the run, or two at worst. A run that would take longer ends.
	maxWork = 10000000,
	// The same for a step, which nobody can end early: where this is not enough for as many sub-steps as an input wants,
	// it gets fewer.
	maxStepWork = maxWork / 2,
	// Scalar kernels, the shallow method, and fine advection on top of it, take so many times as long.
	scalarWork = 3,
	shallowWork = 3,
	fineWork = 9,
	// Checks after a call, for each cell.
	checkWork = 2,
	// Many ids, so that stale ones are about.
	idCount = 8,
	worldCount = 2,
	curveLimit = 6,
	sampleCount = 5,
};

// Share of the turnover and of the volume that rounding may take or give in one sub-step: eight roundings of half a
// unit in the last place (2^-24) on the way from depth to depth (three sums and a product of discharges, limiting, the
// sum with the depth).
static const double s_roundingShare = 8.0 / 16777216.0;

// Order of a random sequence: SplitMix64.
typedef struct StressRandom
{
	uint64_t state;
} StressRandom;

typedef struct Stress
{
	const uint8_t* bytes;
	size_t size, position;
	bool sensible; // no absurd values for now
	bool calm;     // begins with still water
	StressReport* report;

	tnWorldDef def;
	// The second world differs in what must not change a bit. NULL if there is none.
	tnWorld* worlds[worldCount];
	tnWorldDef defs[worldCount];
	bool sameHash; // else only depths and velocities can be compared
	uint64_t hashes[worldCount];
	tnResult results[worldCount];
	int errorCounts[worldCount];

	int cellCount;
	double cellArea;
	// See maxWork.
	double work;
	float low[TN_MAX_TRACERS], high[TN_MAX_TRACERS];
	// Bound on the drift of the ledger so far, m^3.
	double driftLimit;
	// All that was brought and taken, and the last ledger.
	double turnover;
	tnLedger ledger;
	double time;
	int64_t stepCount;

	tnSourceId sources[idCount];
	tnRegionId regions[idCount];
	tnGaugeId gauges[idCount];

	float fieldA[maxCells], fieldB[maxCells];
	float velocities[2 * worldCount][maxCells];
	float faces[maxCells + maxLongSide + maxSquareSide];
} Stress;

// ---------------------------------------------------------------------------------------------------------------------
// Bytes and values

static bool IsAtEnd(const Stress* stress)
{
	return stress->position >= stress->size;
}

static int NextByte(Stress* stress)
{
	if (IsAtEnd(stress))
	{
		return 0;
	}
	stress->position += 1;
	return stress->bytes[stress->position - 1];
}

static int NextInt(Stress* stress, int low, int high)
{
	const int range = high - low + 1;
	const int bits = range > 256 ? NextByte(stress) | NextByte(stress) << 8 : NextByte(stress);
	return low + bits % range;
}

static bool NextBool(Stress* stress)
{
	return (NextByte(stress) & 1) != 0;
}

// One in about `count`. Not for the byte 0, which is what an input that has ended gives.
static bool IsOneIn(Stress* stress, int count)
{
	return NextByte(stress) % count == count - 1;
}

static const float s_absurd[] = {0.0f, -0.0f, -1.0f, 1.0e-45f, 1.0e-38f, 1.0e-6f, 1.0e5f, -1.0e5f, 1.0e6f, 1.0e9f,
	1.0e12f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN};

static float NextAbsurd(Stress* stress)
{
	return s_absurd[NextByte(stress) % (int)(sizeof(s_absurd) / sizeof(s_absurd[0]))];
}

// A value between low and high; one in 32 is absurd.
static float NextFloat(Stress* stress, float low, float high)
{
	if (IsOneIn(stress, 32) && !stress->sensible)
	{
		return NextAbsurd(stress);
	}
	return low + (high - low) * ((float)NextByte(stress) / 255.0f);
}

// 10^low .. 10^high.
static float NextPower(Stress* stress, float low, float high)
{
	if (IsOneIn(stress, 32) && !stress->sensible)
	{
		return NextAbsurd(stress);
	}
	return powf(10.0f, low + (high - low) * ((float)NextByte(stress) / 255.0f));
}

static uint32_t NextBits(StressRandom* random)
{
	random->state += 0x9E3779B97F4A7C15u;
	uint64_t bits = random->state;
	bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
	bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
	return (uint32_t)((bits ^ (bits >> 31)) >> 32);
}

static float NextShare(StressRandom* random)
{
	return (float)(NextBits(random) >> 8) * (1.0f / 16777216.0f);
}

// A field of one value per cell between low and high, in one of several patterns.
static void FillField(Stress* stress, float* field, float low, float high)
{
	StressRandom random = {(uint64_t)NextByte(stress)};
	const int pattern = NextInt(stress, 0, 7);
	const int columns = stress->def.columnCount;
	const int rows = stress->def.rowCount;
	const float span = high - low;
	for (int i = 0; i < columns * rows; ++i)
	{
		const float x = (float)(i % columns) / (float)columns;
		const float z = (float)(i / columns) / (float)rows;
		const float noise = NextShare(&random);
		float share = 0.0f;
		switch (pattern)
		{
			case 0:
				share = 0.5f;
				break;
			case 1:
				share = x;
				break;
			case 2:
				share = noise;
				break;
			case 3:
				// A bowl.
				share = 2.0f * ((x - 0.5f) * (x - 0.5f) + (z - 0.5f) * (z - 0.5f));
				break;
			case 4:
				// A few columns in an empty world.
				share = noise > 0.99f ? 1.0f : 0.0f;
				break;
			case 5:
				// Steps.
				share = floorf(4.0f * z) * 0.25f + (noise > 0.5f ? 0.01f : 0.0f);
				break;
			case 6:
				// One half.
				share = x < 0.5f ? 1.0f : 0.0f;
				break;
			default:
				// All orders of magnitude.
				share = powf(10.0f, -40.0f * noise);
				break;
		}
		field[i] = low + span * share;
	}
	if (IsOneIn(stress, 32))
	{
		field[NextInt(stress, 0, columns * rows - 1)] = NextAbsurd(stress);
	}
}

// Mostly inside the world.
static tnVec2 NextPlace(Stress* stress)
{
	const tnWorldDef* def = &stress->def;
	const float margin = IsOneIn(stress, 16) ? 0.5f : 0.0f;
	const float x = NextFloat(stress, -margin, 1.0f + margin);
	const float z = NextFloat(stress, -margin, 1.0f + margin);
	return (tnVec2){def->origin.x + x * def->cellSize * (float)def->columnCount,
		def->origin.z + z * def->cellSize * (float)def->rowCount};
}

static float NextRadius(Stress* stress)
{
	return stress->def.cellSize * NextPower(stress, -1.0f, 1.5f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Checks

static bool HasFailed(const Stress* stress)
{
	return stress->report->text[0] != 0;
}

#if defined(__GNUC__)
#define CHECK_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define CHECK_PRINTF
#endif

CHECK_PRINTF static void Fail(Stress* stress, const char* call, const char* format, ...)
{
	if (HasFailed(stress))
	{
		return;
	}
	char* text = stress->report->text;
	const size_t size = sizeof(stress->report->text);
	const tnWorldDef* def = &stress->def;
	int length = snprintf(text, size,
		"%d x %d cells of %g m, method %d, advection %d, confinement %g, section %d, edges %d %d %d %d, tracers %d, "
		"sleep %d %g, at most %d sub-steps, call %d, step %d, %s: ",
		def->columnCount, def->rowCount, (double)def->cellSize, (int)def->method, (int)def->advection,
		(double)def->vorticityConfinement, (int)def->section, (int)def->edges[0].kind, (int)def->edges[1].kind,
		(int)def->edges[2].kind, (int)def->edges[3].kind, def->tracerCount, (int)def->enableSleep,
		(double)def->sleepSpeed, def->maxSubSteps, stress->report->callCount, stress->report->stepCount, call);
	length = length < 0 || (size_t)length >= size ? 0 : length;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text + length, size - (size_t)length, format, arguments);
	va_end(arguments);
}

static int GetWorldCount(const Stress* stress)
{
	return stress->worlds[1] != NULL ? 2 : 1;
}

static double SumLedger(const tnLedger* ledger)
{
	double sum = ledger->sources + ledger->drains + ledger->wells + ledger->rain + ledger->evaporation +
		ledger->infiltration + ledger->edits;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		sum += ledger->edges[side];
	}
	return sum;
}

// How much was brought and taken from one ledger to the next.
static double GetTurnover(const tnLedger* before, const tnLedger* after)
{
	double sum = fabs(after->sources - before->sources) + fabs(after->drains - before->drains) +
		fabs(after->wells - before->wells) + fabs(after->rain - before->rain) +
		fabs(after->evaporation - before->evaporation) + fabs(after->infiltration - before->infiltration) +
		fabs(after->edits - before->edits);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		sum += fabs(after->edges[side] - before->edges[side]);
	}
	return sum;
}

static void CheckLedger(Stress* stress, const char* call, int subSteps)
{
	const tnLedger ledger = tnWorld_GetLedger(stress->worlds[0]);
	const double turnover = GetTurnover(&stress->ledger, &ledger);
	stress->driftLimit += s_roundingShare * subSteps * (stress->ledger.volume + ledger.volume + turnover);
	// The sums over cells round too, in double precision.
	stress->driftLimit += DBL_EPSILON * stress->cellCount * (fabs(ledger.edits) + ledger.volume + turnover);
	// Depths below 2^-46 m are lost in the sums of edits and sources.
	stress->driftLimit += stress->cellCount * stress->cellArea / 70368744177664.0;
	if (!(ledger.volume >= 0.0) || !(fabs(ledger.drift) <= stress->driftLimit) ||
		!(fabs(ledger.volume - SumLedger(&ledger) - ledger.drift) <= 1.0e-9 * (ledger.volume + turnover)))
	{
		Fail(stress, call, "drift is %g of a volume of %g and a turnover of %g, limit %g", ledger.drift, ledger.volume,
			turnover, stress->driftLimit);
	}
	if (stress->worlds[1] != NULL)
	{
		const tnLedger other = tnWorld_GetLedger(stress->worlds[1]);
		// Sums over four sub-steps at once round differently from sums one by one.
		const double slack = stress->sameHash ? 0.0 : 1.0e-12 * (stress->turnover + turnover);
		if (other.volume != ledger.volume || GetTurnover(&other, &ledger) > slack)
		{
			Fail(stress, call, "two worlds that should be the same have volumes %.17g and %.17g, entries differ by %g",
				ledger.volume, other.volume, GetTurnover(&other, &ledger));
		}
	}
	stress->ledger = ledger;
	stress->turnover += turnover;
}

// How long a method takes, for each cell.
static int GetMethodWork(tnMethod method, tnAdvection advection)
{
	if (method != tn_shallowMethod)
	{
		return 1;
	}
	return advection == tn_fineAdvection ? fineWork : shallowWork;
}

// What is done in a sub-step. Rows are done in whole vectors with ghosts at both ends, of which narrow worlds have more
// than cells.
static double GetLaneCount(const tnWorldDef* def)
{
	return (double)((def->columnCount + 7) / 8 * 8 + 16) * (def->rowCount + 8);
}

// A failing call says why and changes nothing; both worlds say the same.
static void JudgeResults(Stress* stress, const char* call, bool mayChange, bool compare)
{
	stress->report->callCount += 1;
	stress->work += (double)checkWork * stress->cellCount * GetWorldCount(stress);
	for (int i = 0; i < GetWorldCount(stress); ++i)
	{
		const tnResult* result = stress->results + i;
		const bool ok = result->status == tn_ok;
		if (ok != (result->text[0] == 0) || ok != (stress->errorCounts[i] == 0))
		{
			Fail(stress, call, "status %d, text \"%s\", %d calls of the error hook", (int)result->status, result->text,
				stress->errorCounts[i]);
		}
		stress->errorCounts[i] = 0;
		const uint64_t hash = tnWorld_GetHash(stress->worlds[i]);
		if ((!ok || !mayChange) && hash != stress->hashes[i])
		{
			Fail(stress, call, "the world has changed, result \"%s\"", result->text);
		}
		stress->hashes[i] = hash;
	}
	stress->report->refusedCount += stress->results[0].status != tn_ok ? 1 : 0;
	if (mayChange)
	{
		// Steps move water sub-step by sub-step, edits at once.
		const tnStats stats = tnWorld_GetStats(stress->worlds[0]);
		CheckLedger(stress, call, stats.stepCount != stress->stepCount ? stats.subSteps : 0);
	}
	if (stress->worlds[1] == NULL || !compare)
	{
		return;
	}
	if (stress->results[0].status != stress->results[1].status ||
		strcmp(stress->results[0].text, stress->results[1].text) != 0)
	{
		Fail(stress, call, "two worlds that should be the same say \"%s\" and \"%s\"", stress->results[0].text,
			stress->results[1].text);
	}
	if (stress->sameHash && stress->hashes[0] != stress->hashes[1])
	{
		Fail(stress, call, "two worlds that should be the same have different hashes");
	}
}

static bool IsOk(const Stress* stress)
{
	return stress->results[0].status == tn_ok;
}

// Makes a call on all worlds. `world` is the world in question and `which` its index.
#define CALL_AND_JUDGE(stress, mayChange, compare, call)            \
	do                                                              \
	{                                                               \
		for (int which = 0; which < GetWorldCount(stress); ++which) \
		{                                                           \
			tnWorld* world = (stress)->worlds[which];               \
			(stress)->results[which] = (call);                      \
		}                                                           \
		JudgeResults((stress), #call, (mayChange), (compare));      \
	} while (0)

#define CHANGE(stress, call) CALL_AND_JUDGE(stress, true, true, call)
#define ASK(stress, call) CALL_AND_JUDGE(stress, false, true, call)

static bool IsFinite(float value)
{
	return isfinite(value) != 0;
}

static void CheckDepths(Stress* stress, tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	float largest = 0.0f;
	for (int row = 0; row < depth.rowCount; ++row)
	{
		for (int column = 0; column < depth.columnCount; ++column)
		{
			const float d = depth.data[row * depth.stride + column];
			if (!IsFinite(d) || d < 0.0f || !IsFinite(bed.data[row * bed.stride + column]))
			{
				Fail(stress, "step", "depth of (%d, %d) is %g", column, row, (double)d);
				return;
			}
			largest = d > largest ? d : largest;
		}
	}
	const tnStats stats = tnWorld_GetStats(world);
	if (stats.maxDepth != largest)
	{
		Fail(stress, "step", "stats.maxDepth is %.9g, the largest depth is %.9g", (double)stats.maxDepth,
			(double)largest);
	}
}

static void CheckTracers(Stress* stress, tnWorld* world, const tnWorldDef* def)
{
	for (int channel = 0; channel < def->tracerCount; ++channel)
	{
		const tnFieldView tracer = tnWorld_GetTracer(world, channel);
		for (int row = 0; row < tracer.rowCount; ++row)
		{
			for (int column = 0; column < tracer.columnCount; ++column)
			{
				const float c = tracer.data[row * tracer.stride + column];
				if (!(c >= stress->low[channel] && c <= stress->high[channel]))
				{
					Fail(stress, "step", "tracer %d of (%d, %d) is %.9g, all that was put in is in [%.9g, %.9g]",
						channel, column, row, (double)c, (double)stress->low[channel], (double)stress->high[channel]);
					return;
				}
			}
		}
	}
}

// @param stepped edits may leave the two sides of a wrapped edge apart until the next step
static void CheckFlow(Stress* stress, const char* call, int which, bool stepped)
{
	const tnWorldDef* def = &stress->def;
	tnWorld* world = stress->worlds[which];
	float* x = stress->velocities[2 * which];
	float* z = stress->velocities[2 * which + 1];
	tnResult result = tnWorld_CopyVelocities(world, x, z);
	for (int i = 0; i < stress->cellCount; ++i)
	{
		if (result.status != tn_ok || !IsFinite(x[i]) || !IsFinite(z[i]))
		{
			Fail(stress, call, "velocity of (%d, %d) is (%g, %g)", i % def->columnCount, i / def->columnCount,
				(double)x[i], (double)z[i]);
			return;
		}
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		const int columns = def->columnCount + (axis == 0 ? 1 : 0);
		const int rows = def->rowCount + (axis == 1 ? 1 : 0);
		result = tnWorld_CopyDischarge(world, axis == 0 ? stress->faces : NULL, axis == 1 ? stress->faces : NULL);
		for (int i = 0; i < columns * rows; ++i)
		{
			if (result.status != tn_ok || !IsFinite(stress->faces[i]))
			{
				Fail(stress, call, "discharge %d of axis %d is %g", i, axis, (double)stress->faces[i]);
				return;
			}
		}
		// The two sides of a wrapped world are one.
		const int last = axis == 0 ? def->columnCount : def->columnCount * def->rowCount;
		const int count = axis == 0 ? def->rowCount : def->columnCount;
		const int step = axis == 0 ? columns : 1;
		for (int i = 0; stepped && def->edges[2 * axis].kind == tn_wrapEdge && i < count; ++i)
		{
			if (stress->faces[i * step] != stress->faces[i * step + last])
			{
				Fail(stress, call, "discharge %d through a wrapped edge is %g on one side and %g on the other", i,
					(double)stress->faces[i * step], (double)stress->faces[i * step + last]);
				return;
			}
		}
	}
}

static void CheckTwin(Stress* stress)
{
	const tnFieldView first = tnWorld_GetDepth(stress->worlds[0]);
	const tnFieldView second = tnWorld_GetDepth(stress->worlds[1]);
	for (int row = 0; row < first.rowCount; ++row)
	{
		for (int column = 0; column < first.columnCount; ++column)
		{
			const float a = first.data[row * first.stride + column];
			const float b = second.data[row * second.stride + column];
			if (a != b)
			{
				Fail(stress, "step", "two worlds that should be the same have depths %.9g and %.9g at (%d, %d)",
					(double)a, (double)b, column, row);
				return;
			}
		}
	}
	for (int i = 0; i < stress->cellCount; ++i)
	{
		for (int axis = 0; axis < 2; ++axis)
		{
			const float a = stress->velocities[axis][i];
			const float b = stress->velocities[axis + 2][i];
			if (a != b)
			{
				Fail(stress, "step", "two worlds that should be the same have velocities %.9g and %.9g at (%d, %d)",
					(double)a, (double)b, i % stress->def.columnCount, i / stress->def.columnCount);
				return;
			}
		}
	}
}

static void CheckStats(Stress* stress, int which, size_t byteCount)
{
	const tnWorldDef* def = &stress->def;
	const tnStats stats = tnWorld_GetStats(stress->worlds[which]);
	const int tiles = ((def->columnCount + 63) / 64) * ((def->rowCount + 63) / 64);
	if (stats.stepCount != stress->stepCount || stats.subSteps < 1 || stats.subSteps > def->maxSubSteps ||
		stats.subStepsWanted < stats.subSteps || !(stats.waveSlowdown > 0.0f && stats.waveSlowdown <= 1.0f) ||
		(stats.waveSlowdown < 1.0f) != (stats.subStepsWanted > stats.subSteps) || !(stats.stableTimeStep > 0.0f) ||
		stats.tileCount != tiles || stats.awakeTileCount < 0 || stats.awakeTileCount > tiles ||
		(!stress->defs[which].enableSleep && stats.awakeTileCount != tiles))
	{
		Fail(stress, "step", "stats: %d steps, %d of %d sub-steps, slowdown %g, stable %g, %d of %d tiles awake",
			(int)stats.stepCount, stats.subSteps, stats.subStepsWanted, (double)stats.waveSlowdown,
			(double)stats.stableTimeStep, stats.awakeTileCount, stats.tileCount);
	}
	if (stats.byteCount != byteCount)
	{
		Fail(stress, "step", "%zu bytes before, %zu after", byteCount, stats.byteCount);
	}
	StressReport* report = stress->report;
	report->maxSubSteps = stats.subSteps > report->maxSubSteps ? stats.subSteps : report->maxSubSteps;
	const int sleeping = stats.awakeTileCount > 0 ? stats.tileCount - stats.awakeTileCount : 0;
	report->maxSleepingTiles = sleeping > report->maxSleepingTiles ? sleeping : report->maxSleepingTiles;
}

static void CheckEvents(Stress* stress)
{
	const tnRegionEvents events = tnWorld_GetRegionEvents(stress->worlds[0]);
	for (int i = 0; i < events.count; ++i)
	{
		const tnRegionEvent* event = events.events + i;
		const bool ordered = i == 0 || event[-1].region.index1 < event->region.index1 ||
			(event[-1].region.index1 == event->region.index1 && event[-1].kind < event->kind);
		if (!ordered || !tnRegion_IsValid(stress->worlds[0], event->region) || !(event->maxDepth >= 0.0f))
		{
			Fail(stress, "step", "event %d of %d: region %d, kind %d, depth %g", i, events.count,
				(int)event->region.index1, (int)event->kind, (double)event->maxDepth);
		}
	}
	if (stress->worlds[1] != NULL && tnWorld_GetRegionEvents(stress->worlds[1]).count != events.count)
	{
		Fail(stress, "step", "two worlds that should be the same have %d and %d events", events.count,
			tnWorld_GetRegionEvents(stress->worlds[1]).count);
	}
}

static void CheckSample(Stress* stress, const char* call, const tnSample* sample)
{
	const tnVec3 n = sample->normal;
	const double length = sqrt((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z);
	bool good = IsFinite(sample->surface) && IsFinite(sample->bed) && sample->depth >= 0.0f &&
		IsFinite(sample->depth) && IsFinite(sample->velocity.x) && IsFinite(sample->velocity.z) && n.y >= 0.0f &&
		fabs(length - 1.0) < 1.0e-5 && sample->wet == (sample->depth > TN_WET_DEPTH);
	good = good && (sample->wet || (sample->velocity.x == 0.0f && sample->velocity.z == 0.0f));
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		// A mean of concentrations, rounded a few times.
		const float slack = 1.0e-6f * fmaxf(fabsf(stress->low[i]), fabsf(stress->high[i]));
		good = good && sample->tracers[i] >= stress->low[i] - slack && sample->tracers[i] <= stress->high[i] + slack;
	}
	if (!good)
	{
		Fail(stress, call, "surface %g, bed %g, depth %g, velocity (%g, %g), normal (%g, %g, %g), tracer %g, wet %d",
			(double)sample->surface, (double)sample->bed, (double)sample->depth, (double)sample->velocity.x,
			(double)sample->velocity.z, (double)n.x, (double)n.y, (double)n.z, (double)sample->tracers[0],
			(int)sample->wet);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Worlds

static void WidenTracers(Stress* stress, const float* concentrations)
{
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		stress->low[i] = fminf(stress->low[i], concentrations[i]);
		stress->high[i] = fmaxf(stress->high[i], concentrations[i]);
	}
}

static tnEdgeDef NextEdge(Stress* stress)
{
	tnEdgeDef edge = tnDefaultEdgeDef();
	// Wrap comes in pairs: the caller decides.
	static const tnEdgeKind kinds[] = {tn_wallEdge, tn_openEdge, tn_absorbEdge, tn_levelEdge, tn_inflowEdge};
	edge.kind = kinds[NextInt(stress, 0, 4)];
	edge.level = NextFloat(stress, -2.0f, 6.0f);
	edge.tideAmplitude = IsOneIn(stress, 4) ? NextFloat(stress, 0.0f, 2.0f) : 0.0f;
	edge.tidePeriod = IsOneIn(stress, 4) ? NextPower(stress, -1.0f, 3.0f) : 60.0f;
	edge.inflow = NextBool(stress) ? NextFloat(stress, 0.0f, 4.0f) : 0.0f;
	edge.inflowBegin = IsOneIn(stress, 4) ? NextInt(stress, -1, 30) : 0;
	edge.inflowEnd = IsOneIn(stress, 4) ? NextInt(stress, 0, 500) : edge.inflowEnd;
	edge.spongeWidth = IsOneIn(stress, 4) ? NextInt(stress, 0, 500) : NextInt(stress, 1, 20);
	for (int i = 0; i < 3; ++i)
	{
		edge.tracers[i] = NextFloat(stress, -1.0f, 2.0f);
	}
	return edge;
}

static void NextEdges(Stress* stress, tnEdgeDef* edges)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		const bool wrap = IsOneIn(stress, 4);
		edges[2 * axis] = NextEdge(stress);
		edges[2 * axis + 1] = NextEdge(stress);
		if (wrap)
		{
			edges[2 * axis].kind = tn_wrapEdge;
			edges[2 * axis + 1].kind = IsOneIn(stress, 32) ? tn_wallEdge : tn_wrapEdge;
		}
		else if (NextBool(stress))
		{
			// Walls keep the water in, so that there is some to look at.
			edges[2 * axis] = tnDefaultEdgeDef();
		}
	}
}

static void CountError(const tnResult* result, void* context)
{
	int* count = context;
	*count += result->status != tn_ok ? 1 : 1000;
}

// Mostly few cells, so that there is time for many worlds, but often several tiles.
static void ChooseSize(Stress* stress)
{
	tnWorldDef* def = &stress->def;
	static const int edgy[] = {4, 5, 16, 63, 64, 65, 72, 80};
	const int shape = NextInt(stress, 0, 15);
	if (shape < 6)
	{
		def->columnCount = NextInt(stress, 4, 24);
		def->rowCount = NextInt(stress, 4, 24);
	}
	else if (shape < 8)
	{
		def->columnCount = edgy[NextInt(stress, 0, 7)];
		def->rowCount = NextInt(stress, 4, maxShortSide);
	}
	else if (shape < 10)
	{
		def->columnCount = NextInt(stress, 4, maxShortSide);
		def->rowCount = edgy[NextInt(stress, 0, 7)];
	}
	else if (shape < 12)
	{
		def->columnCount = NextInt(stress, 100, maxLongSide);
		def->rowCount = NextInt(stress, 4, maxShortSide);
	}
	else if (shape < 14)
	{
		def->columnCount = NextInt(stress, 4, maxShortSide);
		def->rowCount = NextInt(stress, 100, maxLongSide);
	}
	else if (shape < 15)
	{
		def->columnCount = edgy[NextInt(stress, 0, 7)];
		def->rowCount = edgy[NextInt(stress, 0, 7)];
	}
	else
	{
		def->columnCount = NextInt(stress, 4, maxSquareSide);
		def->rowCount = NextInt(stress, 4, maxSquareSide);
	}
}

// Shallow as often as the two others together.
static void NextMethod(Stress* stress, tnMethod* method, tnAdvection* advection)
{
	static const tnMethod methods[] = {
		tn_pipeMethod, tn_pipeMethod, tn_linearMethod, tn_shallowMethod, tn_shallowMethod, tn_shallowMethod};
	*method = methods[NextInt(stress, 0, 5)];
	*advection = (tnAdvection)NextInt(stress, 0, tn_advectionCount - 1);
	if (IsOneIn(stress, 64) && !stress->sensible)
	{
		*method = (tnMethod)(tn_methodCount - NextInt(stress, 0, 1));
		*advection = (tnAdvection)(tn_advectionCount - NextInt(stress, 0, 1));
	}
}

static void ChooseDef(Stress* stress)
{
	tnWorldDef* def = &stress->def;
	*def = tnDefaultWorldDef();
	// A def has so many values that one would nearly always be refused.
	stress->sensible = !IsOneIn(stress, 8);
	ChooseSize(stress);
	def->cellSize = NextBool(stress) ? 1.0f : NextPower(stress, -2.0f, 2.0f);
	if (IsOneIn(stress, 4))
	{
		def->origin = (tnVec2){NextFloat(stress, -100.0f, 100.0f), NextFloat(stress, -100.0f, 100.0f)};
	}
	def->gravity = NextBool(stress) ? 9.81f : NextPower(stress, -2.0f, 3.0f);
	NextMethod(stress, &def->method, &def->advection);
	def->vorticityConfinement = IsOneIn(stress, 3) ? NextFloat(stress, 0.0f, 1.0f) : 0.0f;
	def->section = (tnPipeSection)NextInt(stress, 0, tn_pipeSectionCount - 1);
	def->fixedSection = NextPower(stress, -1.0f, 1.0f);
	def->liveliness = NextBool(stress) ? 1.0f : NextPower(stress, -2.0f, 0.6f);
	def->friction = IsOneIn(stress, 4) ? NextPower(stress, -2.0f, 4.0f) : 0.0f;
	def->manning = IsOneIn(stress, 3) ? NextPower(stress, -2.0f, 1.0f) : 0.0f;
	def->froudeLimit = IsOneIn(stress, 3) ? NextPower(stress, -1.0f, 1.0f) : 0.0f;
	NextEdges(stress, def->edges);
	def->maxSubSteps = IsOneIn(stress, 16) ? NextInt(stress, 1, 256) : NextInt(stress, 1, 8);
	def->enableSleep = !IsOneIn(stress, 4);
	def->sleepSpeed = NextBool(stress) ? 0.0f : NextPower(stress, -4.0f, 0.0f);
	def->sleepTime = NextBool(stress) ? 0.0f : NextFloat(stress, 0.0f, 2.0f);
	def->tracerCount = NextInt(stress, 0, 3);
	def->keepDischarge = IsOneIn(stress, 4);
	def->keepPrevious = NextBool(stress);
	def->tasks.workerCount = IsOneIn(stress, 32) ? 2 : 1;
	def->simd = IsOneIn(stress, 8) ? tn_simdScalar : tn_simdAuto;
	stress->sensible = false;
	stress->calm = IsOneIn(stress, 3);
	if (stress->calm)
	{
		// Long, so that most of it can sleep while something happens at a place.
		const int length = NextInt(stress, 300, maxLongSide);
		const int width = NextInt(stress, 4, maxShortSide);
		const bool wide = NextBool(stress);
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
}

// For the dearest method, which may come later, and for a second world with the other kernels.
static void LimitSubSteps(tnWorldDef* def)
{
	const double most = maxStepWork / (GetLaneCount(def) * fineWork * (1 + scalarWork));
	def->maxSubSteps = def->maxSubSteps > most ? (int)most : def->maxSubSteps;
}

// What must not change a bit.
static void ChooseTwin(Stress* stress)
{
	tnWorldDef* twin = stress->defs + 1;
	const tnWorldDef* def = &stress->def;
	const int bits = NextByte(stress);
	*twin = *def;
	stress->sameHash = true;
	const bool exactSleep = !def->enableSleep || def->sleepSpeed == 0.0f;
	if ((bits & 1) != 0 && exactSleep)
	{
		twin->enableSleep = !def->enableSleep;
		twin->sleepSpeed = 0.0f;
	}
	if ((bits & 2) != 0)
	{
		twin->simd = def->simd == tn_simdScalar ? tn_simdAuto : tn_simdScalar;
	}
	if ((bits & 12) == 12)
	{
		twin->tasks.workerCount = 3;
	}
	if ((bits & 16) != 0)
	{
		twin->keepPrevious = !def->keepPrevious;
	}
	if ((bits & 64) != 0)
	{
		twin->keepDischarge = !def->keepDischarge;
	}
	if ((bits & 32) != 0 && exactSleep && (def->tracerCount == 0))
	{
		// With tracers the flow goes through memory once per sub-step, without up to four at a time.
		twin->tracerCount = 1;
		stress->sameHash = false;
	}
}

static bool CreateWorlds(Stress* stress)
{
	ChooseDef(stress);
	LimitSubSteps(&stress->def);
	stress->defs[0] = stress->def;
	const bool hasTwin = NextBool(stress);
	ChooseTwin(stress);
	for (int i = 0; i < (hasTwin ? 2 : 1); ++i)
	{
		tnWorldDef* def = stress->defs + i;
		def->errors = (tnErrorHook){CountError, stress->errorCounts + i};
		const tnResult result = tnCreateWorld(def, stress->worlds + i);
		stress->report->callCount += 1;
		const bool ok = result.status == tn_ok;
		if (ok != (result.text[0] == 0) || ok != (stress->errorCounts[i] == 0) || ok != (stress->worlds[i] != NULL))
		{
			Fail(stress, "tnCreateWorld", "status %d, text \"%s\"", (int)result.status, result.text);
		}
		if (!ok)
		{
			stress->report->refusedCount += 1;
			return false;
		}
		stress->hashes[i] = tnWorld_GetHash(stress->worlds[i]);
	}
	stress->report->hadTwin = hasTwin;
	stress->cellCount = stress->def.columnCount * stress->def.rowCount;
	stress->cellArea = (double)stress->def.cellSize * stress->def.cellSize;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		WidenTracers(stress, stress->def.edges[side].tracers);
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

static void StepOnce(Stress* stress, float timeStep)
{
	size_t byteCounts[worldCount] = {0};
	for (int i = 0; i < GetWorldCount(stress); ++i)
	{
		byteCounts[i] = tnWorld_GetStats(stress->worlds[i]).byteCount;
	}
	CHANGE(stress, tnWorld_Step(world, timeStep));
	if (!IsOk(stress))
	{
		return;
	}
	stress->report->stepCount += 1;
	stress->report->shallowStepCount += stress->def.method == tn_shallowMethod ? 1 : 0;
	stress->stepCount += 1;
	stress->time += timeStep;
	for (int i = 0; i < GetWorldCount(stress); ++i)
	{
		if (tnWorld_GetTime(stress->worlds[i]) != stress->time)
		{
			Fail(stress, "step", "time is %g, expected %g", tnWorld_GetTime(stress->worlds[i]), stress->time);
		}
		const int kernelWork = stress->defs[i].simd == tn_simdScalar ? scalarWork : 1;
		stress->work += GetLaneCount(&stress->def) * tnWorld_GetStats(stress->worlds[i]).subSteps * kernelWork *
			GetMethodWork(stress->def.method, stress->def.advection);
		CheckStats(stress, i, byteCounts[i]);
		CheckDepths(stress, stress->worlds[i]);
		CheckTracers(stress, stress->worlds[i], stress->defs + i);
		CheckFlow(stress, "step", i, true);
	}
	if (stress->worlds[1] != NULL)
	{
		CheckTwin(stress);
	}
	CheckEvents(stress);
}

static bool IsOver(const Stress* stress)
{
	return HasFailed(stress) || stress->work > maxWork;
}

static void Step(Stress* stress)
{
	StepOnce(stress, IsOneIn(stress, 4) ? NextPower(stress, -4.0f, IsOneIn(stress, 8) ? 1.0f : 0.0f) : 1.0f / 60.0f);
}

static void Steps(Stress* stress)
{
	const int count = NextInt(stress, 1, 12);
	for (int i = 0; i < count && !IsOver(stress); ++i)
	{
		Step(stress);
	}
}

// Nothing happens for a while: time to fall asleep.
static void Wait(Stress* stress)
{
	const float timeStep = NextBool(stress) ? 1.0f / 60.0f : 0.1f;
	const int count = NextInt(stress, 8, 40);
	for (int i = 0; i < count && !IsOver(stress); ++i)
	{
		StepOnce(stress, timeStep);
	}
}

static void SetTerrain(Stress* stress)
{
	const float scale = IsOneIn(stress, 8) ? NextPower(stress, -3.0f, 5.0f) : 4.0f;
	FillField(stress, stress->fieldA, -scale, scale);
	CHANGE(stress, tnWorld_SetTerrain(world, stress->fieldA));
}

static void SetTerrainBlock(Stress* stress)
{
	FillField(stress, stress->fieldA, -2.0f, 4.0f);
	const int column = NextInt(stress, -1, stress->def.columnCount);
	const int row = NextInt(stress, -1, stress->def.rowCount);
	const int columns = NextInt(stress, 0, 8);
	const int rows = NextInt(stress, 0, 8);
	CHANGE(stress, tnWorld_SetTerrainBlock(world, column, row, columns, rows, stress->fieldA));
}

static void EditTerrain(Stress* stress)
{
	tnBrush brush = tnDefaultBrush();
	brush.kind = (tnBrushKind)NextInt(stress, 0, tn_brushKindCount - 1 + (IsOneIn(stress, 32) ? 1 : 0));
	brush.shape = (tnBrushShape)NextInt(stress, 0, tn_brushShapeCount - 1);
	brush.center = NextPlace(stress);
	brush.radius = NextRadius(stress);
	brush.falloff = NextFloat(stress, 0.0f, 1.0f);
	brush.amount = brush.kind == tn_raiseBrush ? NextFloat(stress, -3.0f, 3.0f) : NextFloat(stress, 0.0f, 1.0f);
	brush.height = NextFloat(stress, -3.0f, 3.0f);
	CHANGE(stress, tnWorld_EditTerrain(world, &brush));
}

static void SetDepths(Stress* stress)
{
	const float scale = IsOneIn(stress, 8) ? NextPower(stress, -44.0f, 5.0f) : 4.0f;
	FillField(stress, stress->fieldA, 0.0f, scale);
	CHANGE(stress, tnWorld_SetDepths(world, stress->fieldA));
}

static void FillToLevel(Stress* stress)
{
	const float level = NextFloat(stress, -4.0f, 6.0f);
	CHANGE(stress, tnWorld_FillToLevel(world, level));
}

static void SetVelocities(Stress* stress)
{
	const float scale = NextPower(stress, -2.0f, 1.5f);
	FillField(stress, stress->fieldA, -scale, scale);
	FillField(stress, stress->fieldB, -scale, scale);
	CHANGE(stress, tnWorld_SetVelocities(world, stress->fieldA, stress->fieldB));
}

static void AddWater(Stress* stress)
{
	const tnVec2 center = NextPlace(stress);
	const float radius = NextRadius(stress);
	const float volume = NextFloat(stress, -20.0f, 20.0f) * stress->def.cellSize * stress->def.cellSize;
	double moved[worldCount] = {0.0};
	CHANGE(stress, tnWorld_AddWater(world, center, radius, volume, moved + which));
	// Each depth is rounded once.
	const double slack = s_roundingShare *
		(fabs((double)volume) +
			stress->cellCount * stress->cellArea * (double)tnWorld_GetStats(stress->worlds[0]).maxDepth);
	if (moved[0] * (double)volume < 0.0 || fabs(moved[0]) > fabs((double)volume) + slack)
	{
		Fail(stress, "AddWater", "moved %g of %g", moved[0], (double)volume);
	}
}

static void AddImpulse(Stress* stress)
{
	const tnVec2 center = NextPlace(stress);
	const float radius = NextRadius(stress);
	const float size = NextPower(stress, 0.0f, 7.0f);
	const tnVec2 impulse = {NextFloat(stress, -size, size), NextFloat(stress, -size, size)};
	CHANGE(stress, tnWorld_AddImpulse(world, center, radius, impulse));
}

static void SetTracer(Stress* stress)
{
	const int channel = NextInt(stress, 0, 3);
	FillField(stress, stress->fieldA, -1.0f, 3.0f);
	CALL_AND_JUDGE(stress, true, stress->sameHash, tnWorld_SetTracer(world, channel, stress->fieldA));
	for (int i = 0; i < stress->cellCount && (IsOk(stress) || !stress->sameHash) && channel < TN_MAX_TRACERS; ++i)
	{
		if (IsFinite(stress->fieldA[i]))
		{
			stress->low[channel] = fminf(stress->low[channel], stress->fieldA[i]);
			stress->high[channel] = fmaxf(stress->high[channel], stress->fieldA[i]);
		}
	}
}

static void AddTracer(Stress* stress)
{
	const int channel = NextInt(stress, -1, 3);
	const tnVec2 center = NextPlace(stress);
	const float radius = NextRadius(stress);
	const float concentration = NextFloat(stress, -2.0f, 5.0f);
	CALL_AND_JUDGE(stress, true, stress->sameHash, tnWorld_AddTracer(world, channel, center, radius, concentration));
	if (channel >= 0 && IsFinite(concentration) && (IsOk(stress) || !stress->sameHash))
	{
		stress->low[channel] = fminf(stress->low[channel], concentration);
		stress->high[channel] = fmaxf(stress->high[channel], concentration);
	}
}

static void SetWeather(Stress* stress)
{
	const int kind = NextInt(stress, 0, 2);
	const float rate = NextBool(stress) ? 0.0f : NextPower(stress, -8.0f, -1.0f);
	const float* map = NULL;
	if (IsOneIn(stress, 3))
	{
		FillField(stress, stress->fieldA, 0.0f, 2.0f);
		map = stress->fieldA;
	}
	switch (kind)
	{
		case 0:
			CHANGE(stress, tnWorld_SetRain(world, rate, map));
			break;
		case 1:
			CHANGE(stress, tnWorld_SetEvaporation(world, rate, map));
			break;
		default:
			CHANGE(stress, tnWorld_SetInfiltration(world, rate, map));
			break;
	}
}

static void SetAcceleration(Stress* stress)
{
	tnVec2 acceleration = {0.0f, 0.0f};
	if (NextBool(stress))
	{
		acceleration = (tnVec2){NextFloat(stress, -3.0f, 3.0f), NextFloat(stress, -3.0f, 3.0f)};
	}
	CHANGE(stress, tnWorld_SetAcceleration(world, acceleration));
}

static void SetMethod(Stress* stress)
{
	tnMethod method;
	tnAdvection advection;
	NextMethod(stress, &method, &advection);
	const bool keepsFlow = (method == tn_pipeMethod) == (stress->def.method == tn_pipeMethod);
	for (int i = 0; i < stress->cellCount; ++i)
	{
		const tnFieldView depth = tnWorld_GetDepth(stress->worlds[0]);
		stress->fieldA[i] = depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount];
	}
	const uint64_t hash = stress->hashes[0];
	CHANGE(stress, tnWorld_SetMethod(world, method, advection));
	if (!IsOk(stress))
	{
		return;
	}
	stress->report->methodChangeCount += method != stress->def.method || advection != stress->def.advection ? 1 : 0;
	stress->def.method = method;
	stress->def.advection = advection;
	const tnFieldView depth = tnWorld_GetDepth(stress->worlds[0]);
	for (int i = 0; i < stress->cellCount; ++i)
	{
		const float now = depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount];
		if (now != stress->fieldA[i])
		{
			Fail(stress, "SetMethod", "depth %d was %.9g and is %.9g", i, (double)stress->fieldA[i], (double)now);
			return;
		}
	}
	if (keepsFlow && stress->hashes[0] != hash)
	{
		Fail(stress, "SetMethod", "the water has changed");
	}
	for (int i = 0; i < GetWorldCount(stress); ++i)
	{
		const tnWorldDef def = tnWorld_GetDef(stress->worlds[i]);
		if (def.method != method || def.advection != advection)
		{
			Fail(stress, "SetMethod", "the def says %d, %d", (int)def.method, (int)def.advection);
		}
		CheckFlow(stress, "SetMethod", i, false);
	}
}

static void SetVorticityConfinement(Stress* stress)
{
	const float strength = NextBool(stress) ? NextFloat(stress, 0.0f, 1.0f) : 0.0f;
	CHANGE(stress, tnWorld_SetVorticityConfinement(world, strength));
	stress->def.vorticityConfinement = IsOk(stress) ? strength : stress->def.vorticityConfinement;
}

static void SetEdge(Stress* stress)
{
	const tnSide side = (tnSide)NextInt(stress, 0, tn_sideCount - 1 + (IsOneIn(stress, 32) ? 1 : 0));
	const tnEdgeDef edge = NextEdge(stress);
	CHANGE(stress, tnWorld_SetEdge(world, side, &edge));
	if (IsOk(stress))
	{
		stress->def.edges[side] = edge;
		WidenTracers(stress, edge.tracers);
	}
}

static void SetEdges(Stress* stress)
{
	tnEdgeDef edges[tn_sideCount];
	NextEdges(stress, edges);
	CHANGE(stress, tnWorld_SetEdges(world, edges));
	for (int side = 0; side < tn_sideCount && IsOk(stress); ++side)
	{
		stress->def.edges[side] = edges[side];
		WidenTracers(stress, edges[side].tracers);
	}
}

static void SetEdgeCurve(Stress* stress)
{
	const tnSide side = (tnSide)NextInt(stress, 0, tn_sideCount - 1);
	const int count = NextInt(stress, -1, curveLimit);
	tnCurvePoint points[curveLimit] = {{0.0f, 0.0f}};
	float time = (float)stress->time;
	for (int i = 0; i < count; ++i)
	{
		time += NextFloat(stress, 0.0f, 0.2f);
		points[i] = (tnCurvePoint){time, NextFloat(stress, -1.0f, 5.0f)};
	}
	CHANGE(stress, tnWorld_SetEdgeCurve(world, side, count == 0 ? NULL : points, count));
}

static tnSourceDef NextSource(Stress* stress)
{
	tnSourceDef def = tnDefaultSourceDef();
	def.kind = (tnSourceKind)NextInt(stress, 0, tn_sourceKindCount - 1);
	def.center = NextPlace(stress);
	def.radius = NextRadius(stress);
	def.rate = NextFloat(stress, -20.0f, 20.0f) * stress->def.cellSize * stress->def.cellSize;
	def.level = NextFloat(stress, -3.0f, 5.0f);
	if (IsOneIn(stress, 3))
	{
		def.velocity = (tnVec2){NextFloat(stress, -5.0f, 5.0f), NextFloat(stress, -5.0f, 5.0f)};
	}
	for (int i = 0; i < 3; ++i)
	{
		def.tracers[i] = NextFloat(stress, -1.0f, 2.0f);
	}
	def.stamp += IsOneIn(stress, 64) ? 1u : 0u;
	return def;
}

static void ChangeSource(Stress* stress)
{
	tnSourceId* id = stress->sources + NextInt(stress, 0, idCount - 1);
	const tnSourceDef def = NextSource(stress);
	const int action = NextInt(stress, 0, 4);
	tnSourceId made[worldCount] = {{0, 0}};
	double volume;
	tnSourceDef now;
	switch (action)
	{
		case 0:
		case 1:
			CHANGE(stress, tnWorld_CreateSource(world, &def, made + which));
			// The id that was there may go on living without anybody who knows it.
			*id = IsOk(stress) ? made[0] : *id;
			if (tnSource_IsValid(stress->worlds[0], made[0]) != IsOk(stress))
			{
				Fail(stress, "CreateSource", "valid is %d", (int)!IsOk(stress));
			}
			break;
		case 2:
			// Destroyed and kept: stale from now on.
			CHANGE(stress, tnWorld_DestroySource(world, *id));
			break;
		case 3:
			CHANGE(stress, tnWorld_SetSource(world, *id, &def));
			break;
		default:
			ASK(stress, tnWorld_GetSource(world, *id, &now, &volume));
			if (IsOk(stress) != tnSource_IsValid(stress->worlds[0], *id) || (IsOk(stress) && isfinite(volume) == 0))
			{
				Fail(stress, "GetSource", "volume is %g", volume);
			}
			return;
	}
	if (IsOk(stress) && action != 2)
	{
		WidenTracers(stress, def.tracers);
	}
}

static void CheckRegionState(Stress* stress, const tnRegionState* state)
{
	if (!(state->volume >= 0.0 && state->wetArea >= 0.0 && state->wetArea <= state->area && state->area > 0.0 &&
			state->maxDepth >= 0.0f))
	{
		Fail(stress, "region", "volume %g, wet %g of %g, depth %g", state->volume, state->wetArea, state->area,
			(double)state->maxDepth);
	}
}

static void ChangeRegion(Stress* stress)
{
	tnRegionId* id = stress->regions + NextInt(stress, 0, idCount - 1);
	tnRegionDef def = tnDefaultRegionDef();
	def.shape = (tnRegionShape)NextInt(stress, 0, tn_regionShapeCount - 1);
	def.center = NextPlace(stress);
	def.extent = (tnVec2){NextRadius(stress), NextRadius(stress)};
	def.triggerDepth = NextFloat(stress, 0.01f, 2.0f);
	def.hysteresis = NextFloat(stress, 0.0f, 0.1f);
	tnRegionId made[worldCount] = {{0, 0}};
	tnRegionState state;
	switch (NextInt(stress, 0, 4))
	{
		case 0:
		case 1:
			CHANGE(stress, tnWorld_CreateRegion(world, &def, made + which));
			*id = IsOk(stress) ? made[0] : *id;
			break;
		case 2:
			CHANGE(stress, tnWorld_DestroyRegion(world, *id));
			break;
		case 3:
			ASK(stress, tnWorld_GetRegionState(world, *id, &state));
			break;
		default:
			ASK(stress, tnWorld_MeasureRegion(world, &def, &state));
			if (IsOk(stress))
			{
				CheckRegionState(stress, &state);
			}
			break;
	}
}

static void ChangeGauge(Stress* stress)
{
	tnGaugeId* id = stress->gauges + NextInt(stress, 0, idCount - 1);
	const tnVec2 place = NextPlace(stress);
	tnGaugeId made[worldCount] = {{0, 0}};
	tnGaugeState state;
	switch (NextInt(stress, 0, 4))
	{
		case 0:
		case 1:
			CHANGE(stress, tnWorld_CreateGauge(world, place, made + which));
			*id = IsOk(stress) ? made[0] : *id;
			break;
		case 2:
			CHANGE(stress, tnWorld_DestroyGauge(world, *id));
			break;
		case 3:
			CHANGE(stress, tnWorld_ResetGauge(world, *id));
			break;
		default:
			ASK(stress, tnWorld_GetGaugeState(world, *id, &state));
			if (IsOk(stress))
			{
				CheckSample(stress, "gauge", &state.sample);
				if (state.maxDepth < state.sample.depth || !(state.arrivalTime <= stress->time))
				{
					Fail(stress, "gauge", "depth %g of %g, arrival %g", (double)state.sample.depth,
						(double)state.maxDepth, state.arrivalTime);
				}
			}
			break;
	}
}

static void Sample(Stress* stress)
{
	tnVec2 places[sampleCount];
	tnSample samples[worldCount][sampleCount];
	for (int i = 0; i < sampleCount; ++i)
	{
		places[i] = NextPlace(stress);
		const tnSample sample = tnWorld_Sample(stress->worlds[0], places[i]);
		CheckSample(stress, "Sample", &sample);
	}
	ASK(stress, tnWorld_SampleMany(world, places, sampleCount, samples[which]));
	for (int i = 0; i < sampleCount && IsOk(stress); ++i)
	{
		CheckSample(stress, "SampleMany", samples[0] + i);
	}
}

static void CastRay(Stress* stress)
{
	const tnVec2 place = NextPlace(stress);
	const tnVec3 origin = {place.x, NextFloat(stress, -10.0f, 30.0f), place.z};
	const tnVec3 direction = {
		NextFloat(stress, -2.0f, 2.0f), NextFloat(stress, -2.0f, 0.5f), NextFloat(stress, -2.0f, 2.0f)};
	const float maxDistance = NextPower(stress, 0.0f, 3.0f);
	tnRayHit hits[worldCount];
	ASK(stress, tnWorld_CastRay(world, origin, direction, maxDistance, hits + which));
	if (hits[0].hit &&
		!(hits[0].distance >= 0.0f && hits[0].distance <= maxDistance && IsFinite(hits[0].point.x) &&
			IsFinite(hits[0].point.y) && IsFinite(hits[0].point.z)))
	{
		Fail(stress, "CastRay", "distance %g of %g", (double)hits[0].distance, (double)maxDistance);
	}
}

static void CopySurface(Stress* stress)
{
	const float alpha = NextFloat(stress, 0.0f, 1.0f);
	CALL_AND_JUDGE(stress, false, stress->defs[0].keepPrevious == stress->defs[1].keepPrevious,
		tnWorld_CopySurface(world, alpha, stress->fieldA));
	for (int i = 0; i < stress->cellCount && IsOk(stress) && stress->worlds[1] == NULL; ++i)
	{
		if (!IsFinite(stress->fieldA[i]))
		{
			Fail(stress, "CopySurface", "surface %d is %g", i, (double)stress->fieldA[i]);
			return;
		}
	}
}

typedef void StressCall(Stress* stress);

// Steps are as frequent as all else together.
static StressCall* const s_calls[] = {Step, Steps, Steps, Steps, Steps, Steps, Steps, Wait, Step, Step, Step, Step,
	SetTerrain, SetTerrainBlock, EditTerrain, EditTerrain, SetDepths, FillToLevel, SetVelocities, AddWater, AddWater,
	AddImpulse, SetMethod, SetVorticityConfinement, SetTracer, AddTracer, SetWeather, SetAcceleration, SetEdge,
	SetEdges, SetEdgeCurve, ChangeSource, ChangeSource, ChangeRegion, ChangeGauge, Sample, CastRay, CopySurface};

bool StressRun(const uint8_t* bytes, size_t size, StressReport* report)
{
	memset(report, 0, sizeof(*report));
	Stress* stress = calloc(1, sizeof(Stress));
	if (stress == NULL)
	{
		snprintf(report->text, sizeof(report->text), "out of memory");
		return false;
	}
	stress->bytes = bytes;
	stress->size = size;
	stress->report = report;
	if (CreateWorlds(stress) && !HasFailed(stress))
	{
		// Something to look at: ground and water.
		if (!stress->calm)
		{
			SetTerrain(stress);
		}
		if (!stress->calm && NextBool(stress))
		{
			SetDepths(stress);
		}
		else
		{
			FillToLevel(stress);
		}
		while (!IsAtEnd(stress) && report->callCount < maxCalls && !IsOver(stress))
		{
			s_calls[NextByte(stress) % (int)(sizeof(s_calls) / sizeof(s_calls[0]))](stress);
		}
	}
	report->hash = stress->hashes[0];
	for (int i = 0; i < worldCount; ++i)
	{
		tnDestroyWorld(stress->worlds[i]);
	}
	free(stress);
	return report->text[0] == 0;
}

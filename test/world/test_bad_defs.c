// SPDX-License-Identifier: MIT

// Everything a host can get wrong when it makes a world: each field of the def, lack of memory, limits.

#include "bad_input_kit.h"

#include <float.h>
#include <math.h>
#include <string.h>

static tnResult TryDef(tnWorldDef def)
{
	tnWorld* world = (tnWorld*)&def;
	tnResult result = tnCreateWorld(&def, &world);
	if (result.status != tn_ok && world != NULL)
	{
		return (tnResult){.status = tn_ok, .text = "a world came with an error"};
	}
	tnDestroyWorld(world);
	return result;
}

// Tries values for one field of the def. The text must hold the name of the field and the value.
#define REFUSE_FIELD(field, badValue, status, valueText) \
	do                                                   \
	{                                                    \
		Hook hook = {0};                                 \
		tnWorldDef def = MakeDef(&hook);                 \
		def.field = badValue;                            \
		const tnResult result = TryDef(def);             \
		ENSURE_REFUSED(result, status, #field);          \
		ENSURE_TEXT(result.text, valueText);             \
		ENSURE_EQUAL_INT(hook.count, 1);                 \
		ENSURE_TEXT(hook.last.text, result.text);        \
	} while (0)

#define INVALID_FIELD(field, badValue, valueText) REFUSE_FIELD(field, badValue, tn_invalidArgument, valueText)

#define INVALID_FLOAT_FIELD(field)           \
	INVALID_FIELD(field, NAN, "nan");        \
	INVALID_FIELD(field, INFINITY, "inf");   \
	INVALID_FIELD(field, -INFINITY, "-inf"); \
	INVALID_FIELD(field, -FLT_MAX, "-3.40282e+38")

static int WorldDefs(void)
{
	ENSURE_OK(TryDef(MakeDef(NULL)));

	INVALID_FIELD(columnCount, 0, "got 0");
	INVALID_FIELD(columnCount, -1, "got -1");
	INVALID_FIELD(columnCount, 3, "got 3");
	INVALID_FIELD(columnCount, 65537, "got 65537");
	INVALID_FIELD(columnCount, INT32_MAX, "2147483647");
	INVALID_FIELD(columnCount, INT32_MIN, "-2147483648");
	INVALID_FIELD(rowCount, 0, "got 0");
	INVALID_FIELD(rowCount, -7, "got -7");
	INVALID_FIELD(rowCount, INT32_MAX, "2147483647");

	INVALID_FLOAT_FIELD(cellSize);
	INVALID_FIELD(cellSize, 0.0f, "got 0");
	INVALID_FIELD(cellSize, -1.0f, "got -1");
	INVALID_FIELD(cellSize, 1001.0f, "1001");
	INVALID_FLOAT_FIELD(origin.x);
	INVALID_FLOAT_FIELD(origin.z);
	INVALID_FIELD(origin.x, 1.0e6f, "1e+06");
	INVALID_FLOAT_FIELD(gravity);
	INVALID_FIELD(gravity, 0.0f, "got 0");
	INVALID_FIELD(gravity, -9.81f, "-9.81");
	INVALID_FIELD(gravity, 1001.0f, "1001");

	INVALID_FIELD(method, (tnMethod)99, "99");
	INVALID_FIELD(method, (tnMethod)-1, "-1");
	INVALID_FIELD(method, tn_methodCount, "[0, 2], got 3");
	INVALID_FIELD(section, (tnPipeSection)99, "99");
	INVALID_FIELD(section, (tnPipeSection)-1, "-1");
	INVALID_FLOAT_FIELD(fixedSection);
	INVALID_FIELD(fixedSection, 0.0f, "got 0");
	INVALID_FLOAT_FIELD(liveliness);
	INVALID_FIELD(liveliness, 0.0f, "got 0");
	INVALID_FIELD(liveliness, 4.5f, "4.5");
	INVALID_FIELD(advection, (tnAdvection)99, "99");
	INVALID_FIELD(advection, (tnAdvection)-1, "-1");
	INVALID_FIELD(advection, tn_advectionCount, "[0, 3], got 4");
	INVALID_FLOAT_FIELD(vorticityConfinement);
	INVALID_FIELD(vorticityConfinement, -0.001f, "-0.001");
	INVALID_FIELD(vorticityConfinement, 1.5f, "1.5");
	INVALID_FLOAT_FIELD(friction);
	INVALID_FIELD(friction, -0.5f, "-0.5");
	INVALID_FLOAT_FIELD(manning);
	INVALID_FIELD(manning, -0.03f, "-0.03");
	INVALID_FLOAT_FIELD(froudeLimit);
	INVALID_FIELD(froudeLimit, -1.0f, "-1");

	INVALID_FIELD(maxSubSteps, 0, "got 0");
	INVALID_FIELD(maxSubSteps, -1, "got -1");
	INVALID_FIELD(maxSubSteps, 257, "257");
	INVALID_FLOAT_FIELD(sleepSpeed);
	INVALID_FIELD(sleepSpeed, -1.0f, "-1");
	INVALID_FLOAT_FIELD(sleepTime);
	INVALID_FIELD(sleepTime, -1.0f, "-1");
	INVALID_FIELD(tracerCount, -1, "-1");
	INVALID_FIELD(tracerCount, TN_MAX_TRACERS + 1, "9");
	INVALID_FIELD(tasks.workerCount, 0, "got 0");
	INVALID_FIELD(tasks.workerCount, -3, "got -3");
	INVALID_FIELD(tasks.workerCount, TN_MAX_WORKERS + 1, "65");
	INVALID_FIELD(simd, (tnSimd)99, "99");
	INVALID_FIELD(simd, (tnSimd)-1, "-1");
	return 0;
}

static int WorldDefEdges(void)
{
	tnWorldDef def = MakeDef(NULL);
	def.edges[tn_east].kind = (tnEdgeKind)99;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "edges[east].kind");
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "got 99");
	def.edges[tn_east].kind = (tnEdgeKind)-1;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "got -1");

	static const struct
	{
		tnEdgeKind kind;
		size_t offset;
		float value;
		const char* field;
		const char* text;
	} cases[] = {
		{tn_levelEdge, offsetof(tnEdgeDef, level), NAN, "level", "nan"},
		{tn_levelEdge, offsetof(tnEdgeDef, level), INFINITY, "level", "inf"},
		{tn_levelEdge, offsetof(tnEdgeDef, level), 2.0e5f, "level", "200000"},
		{tn_absorbEdge, offsetof(tnEdgeDef, level), NAN, "level", "nan"},
		{tn_levelEdge, offsetof(tnEdgeDef, tideAmplitude), NAN, "tideAmplitude", "nan"},
		{tn_levelEdge, offsetof(tnEdgeDef, tideAmplitude), 1.0e9f, "tideAmplitude", "1e+09"},
		{tn_levelEdge, offsetof(tnEdgeDef, tidePhase), NAN, "tidePhase", "nan"},
		{tn_inflowEdge, offsetof(tnEdgeDef, inflow), NAN, "inflow", "nan"},
		{tn_inflowEdge, offsetof(tnEdgeDef, inflow), -0.5f, "inflow", "-0.5"},
		{tn_inflowEdge, offsetof(tnEdgeDef, inflow), 1.0e30f, "inflow", "1e+30"},
		{tn_inflowEdge, offsetof(tnEdgeDef, tracers[1]), NAN, "tracers[1]", "nan"},
		{tn_levelEdge, offsetof(tnEdgeDef, tracers[0]), 1.0e9f, "tracers[0]", "1e+09"},
	};
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); ++i)
	{
		for (int side = 0; side < tn_sideCount; ++side)
		{
			Hook hook = {0};
			def = MakeDef(&hook);
			def.edges[side].kind = cases[i].kind;
			memcpy((char*)&def.edges[side] + cases[i].offset, &cases[i].value, sizeof(float));
			const tnResult result = TryDef(def);
			ENSURE_REFUSED(result, tn_invalidArgument, cases[i].field);
			ENSURE_TEXT(result.text, cases[i].text);
			ENSURE_EQUAL_INT(hook.count, 1);
		}
	}

	def = MakeDef(NULL);
	def.edges[tn_east].kind = tn_levelEdge;
	def.edges[tn_east].tideAmplitude = 1.0f;
	def.edges[tn_east].tidePeriod = 0.0f;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "tidePeriod");
	def.edges[tn_east].tidePeriod = NAN;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "nan");

	def = MakeDef(NULL);
	def.edges[tn_north].kind = tn_absorbEdge;
	def.edges[tn_north].spongeWidth = 0;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "spongeWidth");
	def.edges[tn_north].spongeWidth = -5;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "-5");

	def = MakeDef(NULL);
	def.edges[tn_north].kind = tn_inflowEdge;
	def.edges[tn_north].inflowBegin = 5;
	def.edges[tn_north].inflowEnd = 3;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "inflowBegin");
	def.edges[tn_north].inflowBegin = -1;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "-1");

	// A world that goes on at one side only.
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def = MakeDef(NULL);
		def.edges[side].kind = tn_wrapEdge;
		ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "wrap");
		ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "kind");
	}
	return 0;
}

static void* NoMemory(size_t size, size_t alignment, void* context)
{
	(void)size;
	(void)alignment;
	*(int*)context += 1;
	return NULL;
}

static void NoFree(void* memory, size_t size, void* context)
{
	(void)memory;
	(void)size;
	*(int*)context -= 1000;
}

static void* NeverStart(tnTaskFcn* task, void* taskContext, void* context)
{
	(void)task;
	(void)taskContext;
	(void)context;
	return NULL;
}

static int WorldCreation(void)
{
	// No def, no place for the world, and a def that nobody has filled in.
	tnWorld* world = (tnWorld*)&world;
	ENSURE_REFUSED(tnCreateWorld(NULL, &world), tn_invalidArgument, "def must not be NULL");
	ENSURE(world == NULL);
	tnWorldDef def = MakeDef(NULL);
	ENSURE_REFUSED(tnCreateWorld(&def, NULL), tn_invalidArgument, "world must not be NULL");
	ENSURE_REFUSED(TryDef((tnWorldDef){0}), tn_invalidArgument, "stamp");
	memset(&def, 0xa5, sizeof(def));
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "stamp");
	tnDestroyWorld(NULL);

	// One hook of two.
	int calls = 0;
	def = MakeDef(NULL);
	def.allocator.allocFcn = NoMemory;
	def.allocator.context = &calls;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "freeFcn");
	ENSURE_EQUAL_INT(calls, 0);
	def = MakeDef(NULL);
	def.tasks.startFcn = NeverStart;
	ENSURE_REFUSED(TryDef(def), tn_invalidArgument, "waitFcn");

	// Too large: past the limit of the library, past the limit of the def, past what the host can give.
	def = MakeDef(NULL);
	def.columnCount = 65536;
	def.rowCount = 65536;
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, "columnCount");
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, "65536");
	def.rowCount = 4096;
	def.memoryLimit = 1 << 20;
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, "columnCount");
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, "4096");
	// The text says what is needed and what the limit is, however small.
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, " GiB are needed at least, memoryLimit is 1.0 MiB");
	def.columnCount = 21;
	def.rowCount = 13;
	def.memoryLimit = 1000;
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, " KiB are needed at least, memoryLimit is 1000 bytes");
	def.memoryLimit = 30 * 1024;
	def.columnCount = 128;
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, " KiB are needed at least, memoryLimit is 30.0 KiB");
	def.columnCount = 65536;
	def.rowCount = 4096;
	def.memoryLimit = 0;
	def.allocator = (tnAllocator){NoMemory, NoFree, &calls};
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, "65536");
	ENSURE_REFUSED(TryDef(def), tn_outOfMemory, " GiB are needed at least, the allocator gave less");
	ENSURE(calls > 0);

	// What is not on this machine is told apart from what does not exist.
	for (int simd = 0; simd <= tn_simdWasm; ++simd)
	{
		def = MakeDef(NULL);
		def.simd = (tnSimd)simd;
		if (tnIsSimdAvailable(def.simd))
		{
			ENSURE_OK(TryDef(def));
		}
		else
		{
			ENSURE_REFUSED(TryDef(def), tn_notAvailable, "simd");
			ENSURE_REFUSED(TryDef(def), tn_notAvailable, tnGetSimdName(def.simd));
		}
	}
	ENSURE(!tnIsSimdAvailable((tnSimd)99) && !tnIsSimdAvailable((tnSimd)-1));
	ENSURE(tnGetSimdName((tnSimd)99) != NULL && tnGetSimdName((tnSimd)-1) != NULL);
	return 0;
}

// The n-th allocation fails, for all n.
static int CreationWithoutMemory(void)
{
	for (int variant = 0; variant < 9; ++variant)
	{
		int failures = 0;
		bool made = false;
		for (int n = 1; n < 200 && !made; ++n)
		{
			for (int afterwards = 0; afterwards < 2; ++afterwards)
			{
				TestAllocator counter = {.failIn = n, .failAfterwards = afterwards == 1};
				Hook hook = {0};
				tnWorldDef def = MakeDef(&hook);
				def.allocator = TestGetAllocator(&counter);
				def.method = (tnMethod)(variant % tn_methodCount);
				def.advection = (tnAdvection)(variant % tn_advectionCount);
				def.tracerCount = variant / 3;
				def.keepPrevious = variant != 3;
				def.tasks.workerCount = variant == 5 ? 3 : 1;
				tnWorld* world = (tnWorld*)&def;
				const tnResult result = tnCreateWorld(&def, &world);
				if (result.status == tn_ok)
				{
					ENSURE(world != NULL);
					ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
					tnDestroyWorld(world);
					made = true;
				}
				else
				{
					failures += 1;
					ENSURE_REFUSED(result, tn_outOfMemory, "memory");
					ENSURE(world == NULL);
					ENSURE_EQUAL_INT(hook.count, 1);
				}
				ENSURE_EQUAL_INT(counter.liveBytes, 0);
				ENSURE_EQUAL_INT(counter.badFreeCount, 0);
			}
		}
		ENSURE(made);
		ENSURE(failures > 10);
	}
	return 0;
}

// A limit of any size either makes a world that stays below it, or none.
static int CreationWithLimits(void)
{
	TestAllocator counter = {0};
	tnWorldDef def = MakeDef(NULL);
	def.allocator = TestGetAllocator(&counter);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const size_t needed = tnWorld_GetStats(world).byteCount;
	ENSURE_EQUAL_INT(needed, counter.liveBytes);
	tnDestroyWorld(world);
	for (int i = 0; i < 40; ++i)
	{
		def.memoryLimit = i == 0 ? needed - 1 : 1 + (needed - 2) * (size_t)i / 40;
		ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_outOfMemory, "memory");
		ENSURE(world == NULL);
		ENSURE_EQUAL_INT(counter.liveBytes, 0);
	}
	def.memoryLimit = counter.peakBytes;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	return 0;
}

static const Test s_tests[] = {
	{"WorldDefs", WorldDefs},
	{"WorldDefEdges", WorldDefEdges},
	{"WorldCreation", WorldCreation},
	{"CreationWithoutMemory", CreationWithoutMemory},
	{"CreationWithLimits", CreationWithLimits},
};

const TestSuite bad_defsSuite = TEST_SUITE("bad_defs", s_tests);

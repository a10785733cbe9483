// SPDX-License-Identifier: MIT

// Water for those who only look: what a client shows is never further off than stated, whatever gets lost on the way; budgets are
// kept; and messages that are not what was written change nothing.

#include "busy_world.h"
#include "stream/stream_coder.h"
#include "stream/stream_message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	roomBytes = 1 << 21,
};

// Numbers of all sizes come back as they were, and zeros cost next to nothing.
static int CoderReturnsNumbers(void)
{
	enum
	{
		count = 4000,
	};
	uint8_t* bytes = malloc(roomBytes);
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(20); ++seed)
	{
		TestRandom random = TestMakeRandom(seed);
		const int rare = TestRandomInt(&random, 1, 60), bits = TestRandomInt(&random, 1, 29);
		static int32_t numbers[count];
		for (int i = 0; i < count; ++i)
		{
			numbers[i] = IsBusyChance(&random, rare) ? TestRandomInt(&random, -(1 << bits), 1 << bits) : 0;
		}
		tnBitModel models[TN_NUMBER_MODELS];
		tnStreamCoder coder;
		tnStreamCoder_BeginWriting(&coder, bytes, roomBytes);
		tnBitModels_Init(models, TN_NUMBER_MODELS);
		for (int i = 0; i < count; ++i)
		{
			ENSURE_EQUAL_INT(tnStreamCoder_Number(&coder, models, numbers[i]), numbers[i]);
			ENSURE_EQUAL_INT(tnStreamCoder_Raw(&coder, (uint32_t)i & 3u, 2), i & 3);
		}
		const size_t size = tnStreamCoder_End(&coder);
		ENSURE(!coder.full);
		ENSURE(size <= (size_t)(count / 4) + (size_t)(count / 8) + (size_t)(count * (bits + 4) / rare / 4));
		uint8_t* copy = malloc(size + 1);
		memcpy(copy, bytes, size);
		tnStreamCoder_BeginReading(&coder, copy, size);
		tnBitModels_Init(models, TN_NUMBER_MODELS);
		for (int i = 0; i < count; ++i)
		{
			ENSURE_EQUAL_INT(tnStreamCoder_Number(&coder, models, 0), numbers[i]);
			ENSURE_EQUAL_INT(tnStreamCoder_Raw(&coder, 0, 2), i & 3);
		}
		free(copy);
	}
	free(bytes);
	return 0;
}

typedef struct Worst
{
	float surface, dry, bed, velocity, foam;
} Worst;

static float Larger(float a, float b)
{
	return a > b ? a : b;
}

// How far a view is off, in units of the errors that it states.
static Worst Compare(const tnWorld* world, const tnStreamView* view)
{
	const tnStreamViewInfo info = tnStreamView_GetInfo(view);
	const size_t cells = (size_t)info.columnCount * (size_t)info.rowCount;
	float* surface = malloc(cells * sizeof(float));
	float* u = malloc(cells * sizeof(float));
	float* w = malloc(cells * sizeof(float));
	Worst worst = {0};
	if (tnWorld_CopySurface(world, 1.0f, surface).status != tn_ok ||
		tnWorld_CopyVelocities(world, u, w).status != tn_ok)
	{
		worst.surface = INFINITY;
	}
	const tnFieldView bed = tnWorld_GetBed(world), depth = tnWorld_GetDepth(world), foam = tnWorld_GetFoam(world);
	tnFieldView fields[tn_streamFieldCount];
	for (int i = 0; i < tn_streamFieldCount; ++i)
	{
		fields[i] = tnStreamView_GetField(view, (tnStreamField)i);
	}
	for (size_t i = 0; i < cells; ++i)
	{
		const size_t at = i / (size_t)info.columnCount * (size_t)bed.stride + i % (size_t)info.columnCount;
		worst.bed = Larger(worst.bed, fabsf(fields[tn_streamBed].data[i] - bed.data[at]) / info.heightError);
		const float cover = foam.data != NULL ? foam.data[at] / (1.0f + foam.data[at]) : 0.0f;
		const bool wet = fields[tn_streamDepth].data[i] > 0.0f;
		if (wet)
		{
			worst.surface =
				Larger(worst.surface, fabsf(fields[tn_streamSurface].data[i] - surface[i]) / info.heightError);
			worst.velocity =
				Larger(worst.velocity, fabsf(fields[tn_streamVelocityX].data[i] - u[i]) / info.velocityError);
			worst.velocity =
				Larger(worst.velocity, fabsf(fields[tn_streamVelocityZ].data[i] - w[i]) / info.velocityError);
			worst.foam = Larger(worst.foam, fabsf(fields[tn_streamFoam].data[i] - cover) / info.foamError);
		}
		else
		{
			// Water that the errors of ground and surface may hide, too.
			// And bodies press it down to the ground.
			const float stands = surface[i] - bed.data[at];
			const float hidden = stands < depth.data[at] ? stands : depth.data[at];
			worst.dry = Larger(worst.dry, hidden / (info.dryDepth + 2.0f * info.heightError));
		}
	}
	free(surface);
	free(u);
	free(w);
	return worst;
}

static bool IsWithin(Worst worst)
{
	// Floats round at heights of some meters by 1e-6.
	const float most = 1.001f;
	const bool good =
		worst.surface <= most && worst.dry <= most && worst.bed <= most && worst.velocity <= most && worst.foam <= most;
	if (!good)
	{
		printf("off by %g of the error of surface, %g where dry, %g bed, %g velocity, %g foam\n", (double)worst.surface,
			(double)worst.dry, (double)worst.bed, (double)worst.velocity, (double)worst.foam);
	}
	return good;
}

static tnStreamDef DrawDef(TestRandom* random)
{
	tnStreamDef def = tnDefaultStreamDef();
	static const int s_sides[3] = {16, 32, 64};
	def.tileSize = s_sides[TestRandomInt(random, 0, 2)];
	if (IsBusyChance(random, 2))
	{
		def.heightError = TestRandomFloat(random, 0.001f, 0.1f);
		def.velocityError = TestRandomFloat(random, 0.05f, 1.0f);
		def.foamError = TestRandomFloat(random, 0.01f, 0.5f);
		def.dryDepth = TestRandomFloat(random, 0.0f, 0.02f);
	}
	return def;
}

// With room enough nothing is ever off by more than stated.
static int StaysWithinErrors(void)
{
	uint8_t* bytes = malloc(roomBytes);
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(16); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeScaledBusyWorld(&busy, seed, 1, false, (tnAllocator){0}, seed % 2 == 0 ? 1 : busyScale));
		TestRandom random = TestMakeRandom(seed);
		const tnStreamDef def = DrawDef(&random);
		tnStream* stream;
		ENSURE_OK(tnCreateStream(busy.world, &def, &stream));
		tnStreamView* view;
		const tnStreamViewDef viewDef = tnDefaultStreamViewDef();
		ENSURE_OK(tnCreateStreamView(&viewDef, &view));
		for (int i = 0; i < 12; ++i)
		{
			size_t size;
			tnStreamState state;
			ENSURE_OK(tnStream_Write(stream, bytes, roomBytes, &size, &state));
			ENSURE_EQUAL_INT(state.waitingCount, 0);
			ENSURE_OK(tnStreamView_Read(view, bytes, size));
			if (!IsWithin(Compare(busy.world, view)))
			{
				printf("seed %llu, message %d\n", (unsigned long long)seed, i + 1);
				return 1;
			}
			for (int k = TestRandomInt(&random, 0, 5); k > 0; --k)
			{
				ENSURE(StepBusyWorld(&busy).status == tn_ok);
			}
		}
		tnDestroyStreamView(view);
		tnDestroyStream(stream);
		tnDestroyWorld(busy.world);
	}
	free(bytes);
	return 0;
}

// Messages that are lost, doubled and late, a small budget, receipts that are lost: once it is quiet, all is right.
static int RecoversFromLosses(void)
{
	uint8_t* bytes = malloc(roomBytes);
	uint8_t* late = malloc(roomBytes);
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(12); ++seed)
	{
		BusyWorld busy;
		ENSURE(MakeScaledBusyWorld(&busy, seed, 1, false, (tnAllocator){0}, busyScale));
		TestRandom random = TestMakeRandom(seed);
		tnStreamDef def = DrawDef(&random);
		def.tileSize = 16;
		tnStream* stream;
		ENSURE_OK(tnCreateStream(busy.world, &def, &stream));
		tnStreamView* view;
		const tnStreamViewDef viewDef = tnDefaultStreamViewDef();
		ENSURE_OK(tnCreateStreamView(&viewDef, &view));
		size_t lateSize = 0;
		const size_t budget = (size_t)TestRandomInt(&random, 3000, 20000);
		for (int i = 0; i < 100; ++i)
		{
			size_t size;
			ENSURE_OK(tnStream_Write(stream, bytes, budget, &size, NULL));
			ENSURE(size <= budget);
			const int fate = TestRandomInt(&random, 0, 9);
			if (fate > 2)
			{
				const tnResult result = tnStreamView_Read(view, bytes, size);
				ENSURE_OK(result);
				ENSURE(fate > 3 || tnStreamView_Read(view, bytes, size).status == tn_notAvailable);
			}
			if (lateSize > 0 && IsBusyChance(&random, 3))
			{
				const tnStatus status = tnStreamView_Read(view, late, lateSize).status;
				ENSURE(status == tn_notAvailable || status == tn_ok);
				lateSize = 0;
			}
			if (fate == 0)
			{
				memcpy(late, bytes, size);
				lateSize = size;
			}
			if (IsBusyChance(&random, 2))
			{
				const tnStreamReceipt receipt = tnStreamView_GetReceipt(view);
				ENSURE_OK(tnStream_TakeReceipt(stream, &receipt));
			}
			if (i % 3 == 0)
			{
				ENSURE(StepBusyWorld(&busy).status == tn_ok);
			}
		}
		for (int i = 0; i < 6; ++i)
		{
			size_t size;
			ENSURE_OK(tnStream_Write(stream, bytes, roomBytes, &size, NULL));
			ENSURE_OK(tnStreamView_Read(view, bytes, size));
			const tnStreamReceipt receipt = tnStreamView_GetReceipt(view);
			ENSURE_OK(tnStream_TakeReceipt(stream, &receipt));
		}
		if (!IsWithin(Compare(busy.world, view)))
		{
			printf("seed %llu\n", (unsigned long long)seed);
			return 1;
		}
		tnDestroyStreamView(view);
		tnDestroyStream(stream);
		tnDestroyWorld(busy.world);
	}
	free(bytes);
	free(late);
	return 0;
}

// A dam break over ground: 256 x 256 cells.
static tnWorld* MakeFlood(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 256, def.rowCount = 256;
	def.method = tn_shallowMethod;
	def.manning = 0.03f;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return NULL;
	}
	const size_t cells = 256 * 256;
	float* bed = malloc(cells * sizeof(float));
	float* depth = calloc(cells, sizeof(float));
	for (size_t i = 0; i < cells; ++i)
	{
		const float x = (float)(i % 256), z = (float)(i / 256);
		bed[i] = 2.0f + 1.5f * sinf(x * 0.07f) * cosf(z * 0.05f) + 0.2f * sinf(x * 0.9f + z * 0.7f) - 0.01f * x;
		depth[i] = x < 60.0f ? 6.0f - bed[i] : 0.0f;
		depth[i] = depth[i] > 0.0f ? depth[i] : 0.0f;
	}
	const bool ok = tnWorld_SetTerrain(world, bed).status == tn_ok && tnWorld_SetDepths(world, depth).status == tn_ok;
	free(bed);
	free(depth);
	return ok ? world : NULL;
}

// What is urgent goes first, and what a client does not look at is not sent.
static int FollowsInterests(void)
{
	tnWorld* world = MakeFlood();
	ENSURE(world != NULL);
	tnStreamDef def = tnDefaultStreamDef();
	def.tileSize = 32;
	tnStream* stream;
	ENSURE_OK(tnCreateStream(world, &def, &stream));
	const tnStreamInterest interests[2] = {{{48.0f, 48.0f}, 40.0f, 1.0f}, {{200.0f, 200.0f}, 5.0f, 100.0f}};
	ENSURE_OK(tnStream_SetInterests(stream, interests, 2));
	tnStreamView* view;
	const tnStreamViewDef viewDef = tnDefaultStreamViewDef();
	ENSURE_OK(tnCreateStreamView(&viewDef, &view));
	uint8_t* bytes = malloc(roomBytes);
	size_t size;
	tnStreamState state;
	ENSURE_OK(tnStream_Write(stream, bytes, 2600, &size, &state));
	ENSURE(size <= 2600 && state.tileCount >= 1 && state.waitingCount >= 1);
	ENSURE_OK(tnStreamView_Read(view, bytes, size));
	ENSURE(tnStreamView_GetCellNumber(view, 200, 200) == 1);
	ENSURE_OK(tnStream_Write(stream, bytes, roomBytes, &size, &state));
	ENSURE_EQUAL_INT(state.waitingCount, 0);
	ENSURE_OK(tnStreamView_Read(view, bytes, size));
	ENSURE(tnStreamView_GetCellNumber(view, 48, 48) != 0);
	ENSURE(tnStreamView_GetCellNumber(view, 120, 120) == 0 && tnStreamView_GetCellNumber(view, 250, 10) == 0);
	// At rest nothing is sent but the header.
	ENSURE_OK(tnStream_Write(stream, bytes, roomBytes, &size, &state));
	ENSURE_EQUAL_INT(state.tileCount, 0);
	ENSURE_EQUAL_INT(size, TN_STREAM_HEADER);
	free(bytes);
	tnDestroyStreamView(view);
	tnDestroyStream(stream);
	tnDestroyWorld(world);
	return 0;
}

// A flood of 256 x 256 cells at 10 Hz with errors of 5 mm.
static int FloodTakesLittle(void)
{
	tnWorld* world = MakeFlood();
	ENSURE(world != NULL);
	const tnStreamDef def = tnDefaultStreamDef();
	tnStream* stream;
	ENSURE_OK(tnCreateStream(world, &def, &stream));
	uint8_t* bytes = malloc(roomBytes);
	size_t size, first = 0, sum = 0, most = 0;
	const int messages = 100;
	for (int i = 0; i < messages; ++i)
	{
		ENSURE_OK(tnStream_Write(stream, bytes, roomBytes, &size, NULL));
		first = i == 0 ? size : first;
		sum += i > 0 ? size : 0;
		most = i > 0 && size > most ? size : most;
		for (int k = 0; k < 6; ++k)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
	}
	// The ground comes first, once. Then the figures of docs/saving.md: 64 kB a second.
	ENSURE(first < 64000 && sum / (messages - 1) * 10 < 64000 && most < 12000);
	free(bytes);
	tnDestroyStream(stream);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bytes that are not what was written

static uint64_t HashView(const tnStreamView* view)
{
	uint64_t hash = tnStreamView_GetInfo(view).number;
	for (int i = 0; i < tn_streamFieldCount; ++i)
	{
		const tnFieldView field = tnStreamView_GetField(view, (tnStreamField)i);
		for (int k = 0; k < field.columnCount * field.rowCount; ++k)
		{
			uint32_t bits;
			memcpy(&bits, field.data + k, sizeof(bits));
			hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
		}
	}
	return hash;
}

static bool IsRefused(tnStreamView* view, const uint8_t* data, size_t size, const char* word)
{
	const uint64_t hash = HashView(view);
	uint8_t* copy = malloc(size > 0 ? size : 1);
	memcpy(copy, data, size);
	const tnResult result = tnStreamView_Read(view, copy, size);
	free(copy);
	const bool good =
		result.status == tn_invalidArgument && strstr(result.text, word) != NULL && HashView(view) == hash;
	if (!good)
	{
		printf("status %d, \"%s\" should have %s\n", (int)result.status, result.text, word);
	}
	return good;
}

static int RefusesBadMessages(void)
{
	BusyWorld busy, foreign;
	ENSURE(MakeBusyWorld(&busy, 9, 1, false) && MakeBusyWorld(&foreign, 10, 1, false));
	tnStreamDef def = tnDefaultStreamDef();
	def.tileSize = 16;
	tnStream *stream, *other;
	ENSURE_OK(tnCreateStream(busy.world, &def, &stream));
	ENSURE_OK(tnCreateStream(foreign.world, &def, &other));
	tnStreamViewDef viewDef = tnDefaultStreamViewDef();
	tnStreamView* view;
	ENSURE_OK(tnCreateStreamView(&viewDef, &view));
	uint8_t* bytes = malloc(roomBytes);
	uint8_t* strange = malloc(roomBytes);
	size_t size, strangeSize;
	ENSURE_OK(tnStream_Write(other, strange, roomBytes, &strangeSize, NULL));
	TestRandom random = TestMakeRandom(5);
	for (int message = 0; message < 3; ++message)
	{
		ENSURE_OK(tnStream_Write(stream, bytes, roomBytes, &size, NULL));
		for (size_t cut = 0; cut < size; cut += cut < 100 ? 1 : 97)
		{
			ENSURE(IsRefused(view, bytes, cut, cut < TN_STREAM_HEADER ? "cut off" : "size"));
		}
		bytes[4] = 2;
		ENSURE(IsRefused(view, bytes, size, "version"));
		bytes[4] = 1;
		bytes[0] = 'x';
		ENSURE(IsRefused(view, bytes, size, "not bytes of a stream"));
		bytes[0] = 't';
		for (int i = 0; i < TEST_REPEATS(200); ++i)
		{
			const size_t at = (size_t)TestRandomInt(&random, 16, (int)size - 1);
			const uint8_t was = bytes[at];
			bytes[at] ^= (uint8_t)(1u << TestRandomInt(&random, 0, 7));
			ENSURE(IsRefused(view, bytes, size, "damaged"));
			bytes[at] = was;
		}
		// Tiles twice: a message and its tiles once more.
		uint8_t* twice = malloc(2 * size);
		memcpy(twice, bytes, size);
		memcpy(twice + size, bytes + TN_STREAM_HEADER, size - TN_STREAM_HEADER);
		tnMendStreamMessage(twice, 2 * size - TN_STREAM_HEADER);
		ENSURE(size == TN_STREAM_HEADER || IsRefused(view, twice, 2 * size - TN_STREAM_HEADER, "tiles"));
		free(twice);
		ENSURE_OK(tnStreamView_Read(view, bytes, size));
		ENSURE(IsRefused(view, strange, strangeSize, "another stream"));
		ENSURE(StepBusyWorld(&busy).status == tn_ok);
	}
	// Somebody who lies has the right sum: then anything may be shown, and nothing else happens.
	for (int i = 0; i < TEST_REPEATS(300); ++i)
	{
		tnStreamView* victim;
		ENSURE_OK(tnCreateStreamView(&viewDef, &victim));
		const size_t at = (size_t)TestRandomInt(&random, 24, (int)strangeSize - 1);
		uint8_t* copy = malloc(strangeSize);
		memcpy(copy, strange, strangeSize);
		copy[at] ^= (uint8_t)TestRandomInt(&random, 1, 255);
		tnMendStreamMessage(copy, strangeSize);
		(void)tnStreamView_Read(victim, copy, strangeSize);
		free(copy);
		tnDestroyStreamView(victim);
	}
	free(bytes);
	free(strange);
	tnDestroyStreamView(view);
	tnDestroyStream(stream);
	tnDestroyStream(other);
	tnDestroyWorld(busy.world);
	tnDestroyWorld(foreign.world);
	return 0;
}

static int RefusesBadCalls(void)
{
	tnWorld* world = MakeFlood();
	ENSURE(world != NULL);
	tnStream* stream;
	tnStreamDef def = tnDefaultStreamDef();
	ENSURE(tnCreateStream(NULL, &def, &stream).status == tn_invalidArgument && stream == NULL);
	ENSURE(tnCreateStream(world, NULL, &stream).status == tn_invalidArgument);
	ENSURE(tnCreateStream(world, &def, NULL).status == tn_invalidArgument);
	const float bad[5] = {0.0f, -1.0f, NAN, INFINITY, 1000.0f};
	for (int i = 0; i < 5; ++i)
	{
		def = tnDefaultStreamDef();
		def.heightError = bad[i];
		tnResult result = tnCreateStream(world, &def, &stream);
		ENSURE(result.status == tn_invalidArgument && strstr(result.text, "heightError") != NULL);
		def = tnDefaultStreamDef();
		def.velocityError = bad[i];
		ENSURE(tnCreateStream(world, &def, &stream).status == tn_invalidArgument);
		def = tnDefaultStreamDef();
		def.foamError = bad[i];
		ENSURE(tnCreateStream(world, &def, &stream).status == tn_invalidArgument);
	}
	def = tnDefaultStreamDef();
	def.tileSize = 48;
	ENSURE(tnCreateStream(world, &def, &stream).status == tn_invalidArgument);
	def = tnDefaultStreamDef();
	def.stamp = 1;
	ENSURE(tnCreateStream(world, &def, &stream).status == tn_invalidArgument);
	def = tnDefaultStreamDef();
	ENSURE_OK(tnCreateStream(world, &def, &stream));
	uint8_t bytes[256];
	size_t size;
	ENSURE(tnStream_Write(stream, NULL, 10, &size, NULL).status == tn_invalidArgument);
	ENSURE(tnStream_Write(stream, bytes, 71, &size, NULL).status == tn_invalidArgument && size == 0);
	ENSURE(tnStream_Write(stream, bytes, 256, NULL, NULL).status == tn_invalidArgument);
	ENSURE(tnStream_Write(NULL, bytes, 256, &size, NULL).status == tn_invalidArgument);
	// A lie about what was got.
	const tnStreamReceipt receipt = {.newest = 7};
	ENSURE(tnStream_TakeReceipt(stream, &receipt).status == tn_invalidArgument);
	ENSURE(tnStream_TakeReceipt(stream, NULL).status == tn_invalidArgument);
	ENSURE(tnStream_TakeReceipt(NULL, &receipt).status == tn_invalidArgument);
	const tnStreamInterest interests[1] = {{{NAN, 0.0f}, 1.0f, 1.0f}};
	ENSURE(tnStream_SetInterests(stream, interests, 1).status == tn_invalidArgument);
	ENSURE(tnStream_SetInterests(stream, NULL, 1).status == tn_invalidArgument);
	ENSURE(tnStream_SetInterests(stream, NULL, -1).status == tn_invalidArgument);
	ENSURE(tnStream_SetInterests(NULL, interests, 1).status == tn_invalidArgument);
	tnDestroyStream(stream);
	tnDestroyStream(NULL);

	tnStreamView* view;
	tnStreamViewDef viewDef = tnDefaultStreamViewDef();
	ENSURE(tnCreateStreamView(NULL, &view).status == tn_invalidArgument && view == NULL);
	ENSURE(tnCreateStreamView(&viewDef, NULL).status == tn_invalidArgument);
	viewDef.cellLimit = 0;
	ENSURE(tnCreateStreamView(&viewDef, &view).status == tn_invalidArgument);
	viewDef = tnDefaultStreamViewDef();
	viewDef.stamp = 0;
	ENSURE(tnCreateStreamView(&viewDef, &view).status == tn_invalidArgument);
	viewDef = tnDefaultStreamViewDef();
	viewDef.cellLimit = 1000;
	ENSURE_OK(tnCreateStreamView(&viewDef, &view));
	ENSURE(tnStreamView_Read(view, NULL, 0).status == tn_invalidArgument);
	ENSURE(tnStreamView_Read(NULL, bytes, 5).status == tn_invalidArgument);
	ENSURE(tnStreamView_GetField(view, tn_streamSurface).data == NULL && tnStreamView_GetInfo(view).columnCount == 0);
	ENSURE(tnStreamView_GetField(NULL, tn_streamSurface).data == NULL && tnStreamView_GetInfo(NULL).columnCount == 0);
	ENSURE(tnStreamView_GetReceipt(NULL).newest == 0 && tnStreamView_GetCellNumber(NULL, 0, 0) == 0);
	def = tnDefaultStreamDef();
	ENSURE_OK(tnCreateStream(world, &def, &stream));
	ENSURE_OK(tnStream_Write(stream, bytes, sizeof(bytes), &size, NULL));
	ENSURE(tnStreamView_Read(view, bytes, size).status == tn_outOfMemory);
	tnDestroyStream(stream);
	tnDestroyStreamView(view);
	tnDestroyStreamView(NULL);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"CoderReturnsNumbers", CoderReturnsNumbers},
	{"StaysWithinErrors", StaysWithinErrors},
	{"RecoversFromLosses", RecoversFromLosses},
	{"FollowsInterests", FollowsInterests},
	{"FloodTakesLittle", FloodTakesLittle},
	{"RefusesBadMessages", RefusesBadMessages},
	{"RefusesBadCalls", RefusesBadCalls},
};

const TestSuite streamSuite = TEST_SUITE("stream", s_tests);

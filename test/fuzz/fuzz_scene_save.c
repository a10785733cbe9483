// SPDX-License-Identifier: MIT

// Saves of scenes that somebody has changed: fuzz_busy_kit.h says how. What is refused changes nothing, and what is let in goes on.

#include "core/archive.h"
#include "fuzz_busy_kit.h"
#include "scene.h"

enum
{
	headerSize = 40,
	sizeAt = 16,
	sumAt = 24,
};

static const char s_text[] =
	"{\"world\": {\"columns\": 17, \"rows\": 13, \"cellSize\": 0.5}, \"timeStep\": 0.0166666667, \"method\": "
	"\"shallow\","
	"\"terrain\": {\"kind\": \"flat\"}, \"water\": {\"level\": 1}, \"rain\": {\"mmPerHour\": 100, \"stop\": 1},"
	"\"waves\": {\"finerLevels\": 0, \"levelCount\": 1, \"tileCount\": 2}, \"spray\": {\"capacity\": 64}, \"foam\": "
	"{\"lifetime\": 4},"
	"\"sources\": [{\"x\": 4, \"z\": 4, \"radius\": 1, \"rate\": 1, \"start\": 0.03}],"
	"\"gauges\": [{\"x\": 4, \"z\": 4}], \"regions\": [{\"name\": \"r\", \"shape\": \"disc\", \"x\": 5, \"z\": 5, "
	"\"radius\": 1}],"
	"\"bodies\": [{\"name\": \"a\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [6, 1.5, 4], \"density\": "
	"400}]}";

static void MendHost(uint8_t* save, size_t size)
{
	uint64_t length = 0;
	for (int i = 0; i < 8 && size >= headerSize; ++i)
	{
		length |= (uint64_t)save[sizeAt + i] << 8 * i;
	}
	if (size < headerSize || length > size - headerSize)
	{
		return;
	}
	const uint64_t sum = tnSumBytes(save + headerSize, (size_t)length);
	for (int i = 0; i < 8; ++i)
	{
		save[sumAt + i] = (uint8_t)(sum >> 8 * i);
	}
	tnMendSnapshot(save + headerSize + length, size - headerSize - (size_t)length);
}

static uint8_t* Save(const tnsRun* run, size_t* size)
{
	REQUIRE(tnsRun_Save(run, NULL, 0, size).status == tns_ok);
	uint8_t* bytes = malloc(*size);
	REQUIRE(tnsRun_Save(run, bytes, *size, size).status == tns_ok);
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	tnSetAssertHandler(IgnoreAssert);
	Input input = {bytes, size};
	const int stepCount = (int)(Draw(&input, 1) % 8);
	const bool mends = Draw(&input, 1) % 8 != 0;
	tnsResult result;
	tnsScene* scene = tnsParseScene(s_text, sizeof(s_text) - 1, "save", NULL, &result);
	REQUIRE(scene != NULL);
	tnsRun* run = NULL;
	REQUIRE(tnsStartScene(scene, NULL, &run).status == tns_ok);
	for (int i = 0; i < stepCount; ++i)
	{
		REQUIRE(tnsRun_Step(run).status == tns_ok);
	}
	size_t saveSize = 0;
	uint8_t* data = Save(run, &saveSize);
	REQUIRE(tnsRun_Step(run).status == tns_ok);
	saveSize = Spoil(&input, data, saveSize);
	uint8_t* save = CopyExactly(data, saveSize);
	free(data);
	if (mends)
	{
		MendHost(save, saveSize);
	}
	const uint64_t hash = tnWorld_GetHash(tnsRun_GetWorld(run));
	result = tnsRun_Restore(run, save, saveSize);
	REQUIRE(result.status == tns_ok || (result.text[0] != 0 && tnWorld_GetHash(tnsRun_GetWorld(run)) == hash));
	for (int i = 0; i < 2 && result.status == tns_ok; ++i)
	{
		result = tnsRun_Step(run);
	}
	free(save);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

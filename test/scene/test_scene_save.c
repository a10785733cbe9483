// SPDX-License-Identifier: MIT

// Runs as bytes: all scenes that ship, and bytes that somebody has changed.

#include "bodies/scene_bodies.h"
#include "files/scene_codec.h"
#include "harness.h"
#include "voxel_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Of a save: where its parts begin, and where the size and the sum of the part of the host stand.
	headerSize = 40,
	sizeAt = 16,
	sumAt = 24,
};

static const char* const s_sceneNames[] = {
#include "scene_names.inc"
};

static const char* const s_voxelNames[] = {
#include "voxel_scene_names.inc"
};

static bool Step(tnsRun* run, int count)
{
	bool good = true;
	for (int i = 0; i < count && good; ++i)
	{
		good = tnsRun_Step(run).status == tns_ok;
	}
	return good;
}

static uint8_t* Save(const tnsRun* run, size_t* size)
{
	uint8_t* bytes = tnsRun_Save(run, NULL, 0, size).status == tns_ok ? malloc(*size) : NULL;
	if (bytes != NULL && tnsRun_Save(run, bytes, *size, size).status != tns_ok)
	{
		free(bytes);
		return NULL;
	}
	return bytes;
}

static bool HasMovingBodies(const tnsRun* run)
{
	for (int i = 0; i < tnsRun_GetBodyEnd(run); ++i)
	{
		tnsBody body;
		if (tnsRun_GetBody(run, i, &body) && isfinite(body.mass))
		{
			return tnsHavePhysics();
		}
	}
	return false;
}

// A run that was just begun goes on as the one that was saved. With bodies that move: from the same place, and twice the same.
static int ScenesGoOnFromTheirSaves(void)
{
	const int before = 40, after = 20;
	int exact = 0;
	for (size_t i = 0; i < sizeof(s_sceneNames) / sizeof(s_sceneNames[0]); ++i)
	{
		if (TEST_LEAVES_OUT(i))
		{
			continue;
		}
		char path[512];
		snprintf(path, sizeof(path), "%s/scenes/%s.json", TARN_SOURCE_FOLDER, s_sceneNames[i]);
		tnsResult result;
		tnsScene* scene = tnsLoadScene(path, &result);
		ENSURE(scene != NULL);
		const tnWorldDef def = tnsScene_GetInfo(scene)->worldDef;
		if (def.columnCount * def.rowCount > 400 * 400)
		{
			// More of the same; the time goes into making terrain.
			tnsDestroyScene(scene);
			continue;
		}
		tnsRun *first, *second;
		ENSURE(tnsStartScene(scene, NULL, &first).status == tns_ok);
		ENSURE(Step(first, before));
		size_t size;
		uint8_t* bytes = Save(first, &size);
		ENSURE(bytes != NULL);
		const uint64_t saved = tnWorld_GetHash(tnsRun_GetWorld(first));
		ENSURE(Step(first, after));
		const uint64_t went = tnWorld_GetHash(tnsRun_GetWorld(first));
		uint64_t hashes[2];
		for (int k = 0; k < 2; ++k)
		{
			ENSURE(tnsStartScene(scene, NULL, &second).status == tns_ok);
			ENSURE(Step(second, k * 3));
			const tnsResult restored = tnsRun_Restore(second, bytes, size);
			ENSURE_TEXT(restored.text, "");
			ENSURE_EQUAL_INT(restored.status, tns_ok);
			ENSURE_EQUAL_HEX(tnWorld_GetHash(tnsRun_GetWorld(second)), saved);
			ENSURE(Step(second, after));
			hashes[k] = tnWorld_GetHash(tnsRun_GetWorld(second));
			tnsDestroyRun(second);
		}
		ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
		if (HasMovingBodies(first) == false)
		{
			exact += 1;
			ENSURE_EQUAL_HEX(hashes[0], went);
		}
		free(bytes);
		tnsDestroyRun(first);
		tnsDestroyScene(scene);
	}
	ENSURE(exact >= 10 / TEST_BREVITY);
	return 0;
}

static int VoxelScenesGoOnFromTheirSaves(void)
{
	for (size_t i = 0; i < sizeof(s_voxelNames) / sizeof(s_voxelNames[0]); ++i)
	{
		char path[512];
		snprintf(path, sizeof(path), "%s/scenes/voxels/%s.json", TARN_SOURCE_FOLDER, s_voxelNames[i]);
		tnsVoxelScene* scene = tnsLoadVoxelScene(path, NULL);
		ENSURE(scene != NULL);
		tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
		ENSURE(run != NULL);
		for (int k = 0; k < 60; ++k)
		{
			ENSURE(tnsVoxelRun_Step(run).status == tns_ok);
		}
		size_t size;
		ENSURE(tnsVoxelRun_Save(run, NULL, 0, &size).status == tns_ok);
		uint8_t* bytes = malloc(size);
		ENSURE(tnsVoxelRun_Save(run, bytes, size, &size).status == tns_ok);
		ENSURE(tnsVoxelRun_Save(run, bytes, size - 1, &size).status == tns_invalidArgument);
		const uint64_t saved = tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run));
		uint64_t hashes[2];
		for (int round = 0; round < 2; ++round)
		{
			ENSURE_TEXT(tnsVoxelRun_Restore(run, bytes, size).text, "");
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run)), saved);
			ENSURE_EQUAL_INT(tnsVoxelRun_GetStepCount(run), 60);
			for (int k = 0; k < 30; ++k)
			{
				ENSURE(tnsVoxelRun_Step(run).status == tns_ok);
			}
			hashes[round] = tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run));
			bytes[size / 2] ^= 16;
			ENSURE(tnsVoxelRun_Restore(run, bytes, size).status != tns_ok);
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run)), hashes[round]);
			bytes[size / 2] ^= 16;
		}
		ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
		free(bytes);
		tnsDestroyVoxelRun(run);
		tnsDestroyVoxelScene(scene);
	}
	return 0;
}

static const char s_text[] =
	"{\"world\": {\"columns\": 29, \"rows\": 23, \"cellSize\": 0.5}, \"timeStep\": 0.0166666667, \"method\": "
	"\"shallow\","
	"\"terrain\": {\"kind\": \"flat\"}, \"water\": {\"level\": 1}, \"rain\": {\"mmPerHour\": 100, \"stop\": 1},"
	"\"sources\": [{\"x\": 4, \"z\": 4, \"radius\": 1, \"rate\": 1, \"start\": 0.3}],"
	"\"gauges\": [{\"x\": 4, \"z\": 4}], \"regions\": [{\"name\": \"r\", \"shape\": \"disc\", \"x\": 5, \"z\": 5, "
	"\"radius\": 2}],"
	"\"bodies\": ["
	"{\"name\": \"a\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [8, 1.5, 6], \"density\": 400},"
	"{\"name\": \"b\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [6, 1.5, 6], \"density\": 400, \"tied\": "
	"true},"
	"{\"name\": \"c\", \"shape\": \"box\", \"size\": [1, 3, 1], \"position\": [10, 1, 6], \"fixed\": true}],"
	"\"joints\": [{\"kind\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"at\": [7, 1.5, 6]}]}";

static void PutWord(uint8_t* bytes, uint64_t value)
{
	for (int i = 0; i < 8; ++i)
	{
		bytes[i] = (uint8_t)(value >> 8 * i);
	}
}

// Sums that are right with values that are not: they are refused by what they mean, or the run goes on.
static int ChangedValuesDoNoHarm(void)
{
	TestRandom random = TestMakeRandom(23);
	tnsResult result;
	tnsScene* scene = tnsParseScene(s_text, strlen(s_text), "changed", NULL, &result);
	ENSURE_TEXT(result.text, "");
	tnsRun* run;
	ENSURE(tnsStartScene(scene, NULL, &run).status == tns_ok);
	ENSURE(tnsHavePhysics() == false ||
		tnsRun_AddBody(run, tns_boulder, (tnVec3){4.0f, 2.0f, 8.0f}, 0.7f, NULL).status == tns_ok);
	ENSURE(Step(run, 30));
	size_t size;
	uint8_t* bytes = Save(run, &size);
	ENSURE(bytes != NULL);
	uint64_t hostSize = 0;
	for (int i = 0; i < 8; ++i)
	{
		hostSize |= (uint64_t)bytes[sizeAt + i] << 8 * i;
	}
	ENSURE(headerSize + hostSize < size);
	int refused = 0;
	uint8_t* bad = malloc(size);
	for (int i = 0; i < 1500; ++i)
	{
		static const uint32_t words[] = {0x7fc00000u, 0x7f800000u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0u, 1u};
		memcpy(bad, bytes, size);
		const size_t at = headerSize + (size_t)TestRandomInt(&random, 0, (int)hostSize - 4);
		if (i % 2 == 0)
		{
			bad[at] = (uint8_t)TestRandomBits(&random);
		}
		else
		{
			memcpy(bad + at, words + TestRandomInt(&random, 0, 6), 4);
		}
		PutWord(bad + sumAt, tnsSumBytes(bad + headerSize, (size_t)hostSize));
		const tnsResult restored = tnsRun_Restore(run, bad, size);
		refused += restored.status != tns_ok ? 1 : 0;
		ENSURE(restored.status == tns_ok || restored.text[0] != '\0');
		if (i % 8 == 0 && restored.status == tns_ok)
		{
			(void)Step(run, 2);
		}
	}
	ENSURE(refused > 300);
	// And what was not changed is still good.
	ENSURE_TEXT(tnsRun_Restore(run, bytes, size).text, "");
	ENSURE(Step(run, 10));
	free(bad);
	free(bytes);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

// Parts that are right, of two saves: the scene's, and a world in which its source is gone.
static int SplicedSavesChangeNothing(void)
{
	tnsResult result;
	tnsScene* scene = tnsParseScene(s_text, strlen(s_text), "spliced", NULL, &result);
	tnsRun *run, *poor;
	ENSURE(tnsStartScene(scene, NULL, &run).status == tns_ok && tnsStartScene(scene, NULL, &poor).status == tns_ok);
	ENSURE(Step(run, 30) && Step(poor, 30));
	ENSURE_OK(tnWorld_DestroySource(tnsRun_GetWorld(poor), tnsRun_GetSource(poor, 0)));
	size_t size, worldSize = 0;
	uint8_t* bytes = Save(run, &size);
	ENSURE(bytes != NULL);
	uint64_t hostSize = 0;
	for (int i = 0; i < 8; ++i)
	{
		hostSize |= (uint64_t)bytes[sizeAt + i] << 8 * i;
	}
	ENSURE_OK(tnWorld_Save(tnsRun_GetWorld(poor), NULL, 0, &worldSize));
	uint8_t* spliced = malloc(headerSize + (size_t)hostSize + worldSize);
	memcpy(spliced, bytes, headerSize + (size_t)hostSize);
	PutWord(spliced + sumAt + 8, worldSize);
	ENSURE_OK(tnWorld_Save(tnsRun_GetWorld(poor), spliced + headerSize + hostSize, worldSize, &worldSize));
	ENSURE(Step(run, 7));
	const uint64_t hash = tnWorld_GetHash(tnsRun_GetWorld(run));
	ENSURE_TEXT(tnsRun_Restore(run, spliced, headerSize + (size_t)hostSize + worldSize).text, "does not have");
	ENSURE_EQUAL_HEX(tnWorld_GetHash(tnsRun_GetWorld(run)), hash);
	ENSURE(tnSource_IsValid(tnsRun_GetWorld(run), tnsRun_GetSource(run, 0)));
	ENSURE(Step(run, 10));
	ENSURE_TEXT(tnsRun_Restore(run, bytes, size).text, "");
	free(spliced);
	free(bytes);
	tnsDestroyRun(run);
	tnsDestroyRun(poor);
	tnsDestroyScene(scene);
	return 0;
}

static int BadSavesAreRefused(void)
{
	tnsResult result;
	tnsScene* scene = tnsParseScene(s_text, strlen(s_text), "one", NULL, &result);
	static const char otherText[] = "{\"world\": {\"columns\": 29, \"rows\": 23, \"cellSize\": 0.5}}";
	tnsScene* other = tnsParseScene(otherText, strlen(otherText), "other", NULL, &result);
	tnsRun *run, *elsewhere;
	ENSURE(tnsStartScene(scene, NULL, &run).status == tns_ok);
	ENSURE(tnsStartScene(other, NULL, &elsewhere).status == tns_ok);
	size_t size;
	uint8_t* bytes = Save(run, &size);
	ENSURE(bytes != NULL);
	const tnsResult foreign = tnsRun_Restore(elsewhere, bytes, size);
	ENSURE_EQUAL_INT(foreign.status, tns_badFormat);
	ENSURE_TEXT(foreign.text, "sources");
	ENSURE(tnsRun_Restore(NULL, bytes, size).status == tns_invalidArgument);
	ENSURE(tnsRun_Restore(run, NULL, 0).status == tns_badFormat);
	ENSURE(tnsRun_Save(NULL, NULL, 0, &size).status == tns_invalidArgument);
	ENSURE(tnsRun_Save(run, NULL, 0, NULL).status == tns_invalidArgument);
	ENSURE(tnsRun_Save(run, bytes, 10, &size).status == tns_invalidArgument);
	// Of a later version, and of voxels.
	bytes[8] = 2;
	ENSURE_TEXT(tnsRun_Restore(run, bytes, size).text, "version 2");
	bytes[8] = 1;
	bytes[12] = 2;
	ENSURE_TEXT(tnsRun_Restore(run, bytes, size).text, "of voxels");
	bytes[12] = 1;
	ENSURE(tnsRun_Restore(run, bytes, size).status == tns_ok);
	const uint64_t hash = tnWorld_GetHash(tnsRun_GetWorld(run));
	for (size_t cut = 0; cut < size; cut += cut < 200 ? 1 : 997)
	{
		ENSURE(tnsRun_Restore(run, bytes, cut).status == tns_badFormat);
	}
	ENSURE_EQUAL_HEX(tnWorld_GetHash(tnsRun_GetWorld(run)), hash);
	free(bytes);
	tnsDestroyRun(run);
	tnsDestroyRun(elsewhere);
	tnsDestroyScene(scene);
	tnsDestroyScene(other);
	return 0;
}

static const Test s_tests[] = {
	{"ScenesGoOnFromTheirSaves", ScenesGoOnFromTheirSaves},
	{"VoxelScenesGoOnFromTheirSaves", VoxelScenesGoOnFromTheirSaves},
	{"ChangedValuesDoNoHarm", ChangedValuesDoNoHarm},
	{"BadSavesAreRefused", BadSavesAreRefused},
	{"SplicedSavesChangeNothing", SplicedSavesChangeNothing},
};

const TestSuite scene_saveSuite = TEST_SUITE("scene_save", s_tests);

// SPDX-License-Identifier: MIT

// Saves of what a viewer shows, undo and redo, the time line, and what links carry of what was built.

#include "play_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Springs, rain, a spray jet and foam: nothing is ever at rest. An odd size, and cells that are no power of two.
static const char s_riverText[] =
	"{\"name\": \"river\", \"world\": {\"columns\": 67, \"rows\": 43, \"cellSize\": 0.9},"
	"\"timeStep\": 0.0166666667, \"manning\": 0.03, \"method\": \"shallow\", \"foam\": {},"
	"\"terrain\": {\"kind\": \"plane\", \"slope\": [-0.05, 0.01]},"
	"\"water\": {\"boxes\": [{\"x\": 9, \"z\": 20, \"width\": 18, \"length\": 30, \"depth\": 2}]},"
	"\"rain\": {\"mmPerHour\": 500, \"start\": 0.5, \"stop\": 2.5},"
	"\"sources\": [{\"x\": 40, \"z\": 30, \"radius\": 2, \"rate\": 3, \"start\": 1}]}";

// Bodies of each sort: they float, are tied, hang on a hinge and a rope, stand, and come later.
static const char s_harborText[] =
	"{\"name\": \"harbor\", \"world\": {\"columns\": 48, \"rows\": 41, \"cellSize\": 0.5},"
	"\"timeStep\": 0.0166666667, \"manning\": 0.03, \"method\": \"shallow\", \"terrain\": {\"kind\": \"flat\"},"
	"\"water\": {\"level\": 1.5}, \"bodies\": ["
	"{\"name\": \"crate\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [8, 2.5, 10], \"density\": 400},"
	"{\"name\": \"tied\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [12, 2.5, 12], \"density\": 400,"
	" \"tied\": true, \"release\": 1},"
	"{\"name\": \"pier\", \"shape\": \"box\", \"size\": [2, 4, 2], \"position\": [18, 2, 10], \"fixed\": true},"
	"{\"name\": \"late\", \"shape\": \"cylinder\", \"radius\": 0.4, \"length\": 1, \"position\": [5, 3, 6],"
	" \"density\": 300, \"appear\": 1.2}],"
	"\"joints\": [{\"kind\": \"rope\", \"a\": \"crate\", \"b\": \"pier\", \"at\": [8, 2.5, 10], \"to\": [18, 3, 10]}]}";

static const char s_lakeText[] =
	"{\"name\": \"lake\", \"eye\": [16, 38, 30], \"target\": [16, 11, 13], \"voxels\": {\"size\": [37, 31, 29],"
	"\"voxelSize\": 0.9, \"cap\": 500, \"ground\": [{\"box\": [0, 0, 0, 37, 15, 29]},"
	"{\"box\": [12, 12, 8, 25, 15, 19], \"solid\": 0}], \"fills\": [{\"box\": [12, 14, 8, 18, 15, 19]}],"
	"\"sources\": [{\"box\": [14, 14, 9, 15, 15, 10], \"rate\": 40}]}}";

static const char s_levelText[] =
	"{\"world\": {\"columns\": 31, \"rows\": 23, \"cellSize\": 1}, \"terrain\": {\"kind\": \"flat\"},"
	"\"regions\": [{\"name\": \"floor\", \"shape\": \"disc\", \"x\": 15, \"z\": 11, \"radius\": 5}],"
	"\"level\": {\"title\": \"L\", \"classes\": \"G4 C1\", \"story\": \"Wait.\", \"timeLimit\": 9, \"atEnd\": \"win\","
	"\"tools\": [{\"tool\": \"pour\", \"budget\": 500, \"radius\": 4, \"strength\": 10}],"
	"\"goals\": [{\"label\": \"Floor\", \"measure\": \"volume\", \"region\": \"floor\", \"atLeast\": 1, \"then\": "
	"\"lose\"}]}}";

enum
{
	riverScene = 0,
	harborScene,
	lakeScene,
	levelScene,
	sceneCount,
};

static bool Open(Fixture* fixture, int scene)
{
	static const tnpSceneItem items[sceneCount] = {{"river", "past_river.json", false},
		{"harbor", "past_harbor.json", false}, {"lake", "past_lake.json", false}, {"level", "past_level.json", true}};
	static const char* const texts[sceneCount] = {s_riverText, s_harborText, s_lakeText, s_levelText};
	return OpenFixture(fixture, items, texts, sceneCount) && tnpPlay_SetScene(fixture->play, scene).ok;
}

static bool Step(tnpPlay* play, int count)
{
	bool good = true;
	for (int i = 0; i < count && good; ++i)
	{
		good = tnpStepWater(play);
	}
	return good;
}

static void* Save(tnpPlay* play, size_t* size)
{
	void* bytes = tnpPlay_Save(play, NULL, 0, size).ok ? malloc(*size) : NULL;
	if (bytes != NULL && tnpPlay_Save(play, bytes, *size, size).ok == false)
	{
		free(bytes);
		return NULL;
	}
	return bytes;
}

// Hold a tool at the middle of the picture for some pictures.
static void Stroke(Fixture* fixture, tnpTool tool, int frames)
{
	tnpPlay_SetTool(fixture->play, tool);
	tnpPlay_MouseMove(fixture->play, 0.5f * windowWidth, 0.5f * windowHeight);
	Frames(fixture, 1);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, true);
	Frames(fixture, frames);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, false);
	Frames(fixture, 1);
}

static double SumBed(const tnpPlay* play)
{
	const tnFieldView bed = tnWorld_GetBed(play->world);
	double sum = 0.0;
	for (int i = 0; i < bed.rowCount * bed.columnCount; ++i)
	{
		sum += (double)bed.data[i / bed.columnCount * bed.stride + i % bed.columnCount];
	}
	return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves

static int LoadedWorldsGoOnWithTheSameBits(void)
{
	static const int scenes[] = {riverScene, lakeScene};
	for (int i = 0; i < 2; ++i)
	{
		Fixture fixture, other;
		ENSURE(Open(&fixture, scenes[i]));
		tnpPlay* play = fixture.play;
		tnpPlay_SetPaused(play, true);
		Stroke(&fixture, tnp_pourTool, 5);
		tnpPlay_SetParameter(play, "gravity", 7.5f);
		tnpPlay_SetParameter(play, "manning", 0.05f);
		ENSURE(Step(play, 75));
		size_t size;
		void* bytes = Save(play, &size);
		ENSURE(bytes != NULL && tnpIsSave(bytes, size));
		char key[TNP_SCENE_KEY];
		ENSURE(tnpReadSaveScene(bytes, size, key).ok);
		ENSURE(strcmp(key, scenes[i] == riverScene ? "past_river" : "past_lake") == 0);
		const uint64_t saved = tnpPlay_GetHash(play);
		const int64_t steps = play->stepCount;
		ENSURE(Step(play, 110));
		const uint64_t later = tnpPlay_GetHash(play);
		// Here again, and where another scene is shown.
		ENSURE(tnpPlay_Load(play, bytes, size).ok);
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), saved);
		ENSURE_EQUAL_INT(play->stepCount, steps);
		ENSURE(Step(play, 110));
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), later);
		Close(&fixture);
		ENSURE(Open(&other, harborScene));
		ENSURE(tnpPlay_Load(other.play, bytes, size).ok);
		ENSURE_EQUAL_INT(tnpPlay_GetScene(other.play), scenes[i]);
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(other.play), saved);
		ENSURE(Step(other.play, 110));
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(other.play), later);
		if (scenes[i] == riverScene)
		{
			ENSURE_CLOSE(tnWorld_GetDef(other.play->world).gravity, 7.5, 0.0);
		}
		Close(&other);
		free(bytes);
	}
	return 0;
}

// The engine keeps a little for itself: not the same bits as without saving, but the same each time, and the same place.
static int BodiesGoOnFromWhereTheyWere(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, harborScene));
	tnpPlay* play = fixture.play;
	tnpPlay_SetPaused(play, true);
	int added = -1;
	const bool moves = tnsHavePhysics();
	ENSURE(moves == false ||
		tnsRun_AddBody(play->run, tns_boulder, (tnVec3){15.0f, 3.0f, 14.0f}, 0.8f, &added).status == tns_ok);
	for (int round = 0; round < 3; ++round)
	{
		// Before the late one comes, after the tie is cut, and when most is at rest.
		ENSURE(Step(play, 40));
		size_t size;
		void* bytes = Save(play, &size);
		ENSURE(bytes != NULL);
		tnsBody before[5] = {0}, after[5] = {0}, went[5] = {0};
		const uint64_t saved = tnpPlay_GetHash(play);
		for (int i = 0; i < 5; ++i)
		{
			(void)tnsRun_GetBody(play->run, i, before + i);
		}
		ENSURE(Step(play, 60));
		for (int i = 0; i < 5; ++i)
		{
			(void)tnsRun_GetBody(play->run, i, went + i);
		}
		uint64_t hashes[2];
		for (int again = 0; again < 2; ++again)
		{
			ENSURE(tnpPlay_Load(play, bytes, size).ok);
			ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), saved);
			for (int i = 0; i < 5; ++i)
			{
				(void)tnsRun_GetBody(play->run, i, after + i);
				ENSURE(memcmp(&before[i].pose, &after[i].pose, sizeof(tnPose)) == 0);
				ENSURE(memcmp(&before[i].velocity, &after[i].velocity, sizeof(tnVec3)) == 0);
				ENSURE_EQUAL_INT(before[i].tied, after[i].tied);
				ENSURE(before[i].mass == after[i].mass);
				after[i] = (tnsBody){0};
			}
			ENSURE(Step(play, 60));
			hashes[again] = tnpPlay_GetHash(play);
			for (int i = 0; i < 5; ++i)
			{
				tnsBody body = {0};
				(void)tnsRun_GetBody(play->run, i, &body);
				const tnVec3 p = body.pose.position, q = went[i].pose.position;
				// After a second, m.
				ENSURE_CLOSE(hypotf(hypotf(p.x - q.x, p.y - q.y), p.z - q.z), 0.0, 0.02);
			}
		}
		ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
		free(bytes);
	}
	Close(&fixture);
	return 0;
}

static int DamagedSavesChangeNothing(void)
{
	TestRandom random = TestMakeRandom(71);
	for (int scene = riverScene; scene <= lakeScene; ++scene)
	{
		Fixture fixture;
		ENSURE(Open(&fixture, scene));
		tnpPlay* play = fixture.play;
		tnpPlay_SetPaused(play, true);
		ENSURE(Step(play, 80));
		size_t size;
		uint8_t* bytes = Save(play, &size);
		ENSURE(bytes != NULL);
		ENSURE(Step(play, 7));
		const uint64_t hash = tnpPlay_GetHash(play);
		for (int i = 0; i < 120; ++i)
		{
			// Cut off; one byte changed; or with something after it.
			const size_t at = i < 40 ? (size_t)i * 2 : (size_t)TestRandomInt(&random, 0, (int)size - 1);
			uint8_t* bad = malloc(size + 1);
			memcpy(bad, bytes, size);
			bad[size] = 0;
			bad[at] ^= (uint8_t)TestRandomInt(&random, 1, 255);
			const tnrResult result = i % 3 == 0 ? tnpPlay_Load(play, bytes, at)
				: i == 1                        ? tnpPlay_Load(play, bad, size + 1)
												: tnpPlay_Load(play, bad, size);
			free(bad);
			ENSURE(result.ok == false);
			ENSURE(result.text[0] != '\0');
			ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), hash);
			ENSURE_EQUAL_INT(tnpPlay_GetScene(play), scene);
		}
		ENSURE(tnpPlay_Load(play, NULL, 0).ok == false);
		ENSURE(tnpPlay_Load(play, "nonsense", 8).ok == false);
		size_t needed;
		ENSURE(tnpPlay_Save(play, NULL, 0, &needed).ok);
		ENSURE(tnpPlay_Save(play, bytes, needed - 1, &size).ok == false);
		ENSURE_EQUAL_INT((int)size, (int)needed);
		ENSURE(Step(play, 5));
		free(bytes);
		Close(&fixture);
	}
	return 0;
}

static int LevelsHaveNoPast(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, levelScene));
	size_t size;
	ENSURE(tnpPlay_Save(fixture.play, NULL, 0, &size).ok == false);
	tnpPlay_Remember(fixture.play);
	tnpPlay_SetPaused(fixture.play, false);
	Frames(&fixture, 60);
	const tnpPast past = tnpPlay_GetPast(fixture.play);
	ENSURE(past.available == false && past.count == 0 && past.undoCount == 0);
	ENSURE(tnpPlay_GoBack(fixture.play, 0) == false && tnpPlay_Undo(fixture.play) == false);
	ENSURE(tnpPlay_Build(fixture.play, "1").ok == false);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Undo

static int StrokesAreUndoneAndDoneAgain(void)
{
	static const tnpTool tools[] = {tnp_pourTool, tnp_lowerTool, tnp_sourceTool, tnp_rainTool, tnp_stackTool};
	Fixture fixture;
	ENSURE(Open(&fixture, riverScene));
	tnpPlay* play = fixture.play;
	uint64_t hashes[7];
	int64_t steps[7];
	const int count = tnsHavePhysics() ? 5 : 4;
	Frames(&fixture, 30);
	for (int i = 0; i < count; ++i)
	{
		tnpPlay_SetPaused(play, i % 2 == 1);
		hashes[i] = 0;
		// The press makes the image.
		tnpPlay_SetTool(play, tools[i]);
		tnpPlay_MouseMove(play, 0.5f * windowWidth, 0.5f * windowHeight);
		Frames(&fixture, 1);
		hashes[i] = tnpPlay_GetHash(play);
		steps[i] = play->stepCount;
		tnpPlay_MouseButton(play, tnp_leftButton, true);
		Frames(&fixture, 20);
		tnpPlay_MouseButton(play, tnp_leftButton, false);
		Frames(&fixture, 5);
	}
	const uint64_t last = tnpPlay_GetHash(play);
	ENSURE_EQUAL_INT(tnpPlay_GetPast(play).undoCount, count);
	ENSURE_EQUAL_INT(play->springs.count, 1);
	tnpPlay_SetPaused(play, true);
	for (int i = count - 1; i >= 0; --i)
	{
		ENSURE(tnpPlay_Undo(play));
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), hashes[i]);
		ENSURE_EQUAL_INT(play->stepCount, steps[i]);
	}
	ENSURE(tnpPlay_Undo(play) == false);
	ENSURE_EQUAL_INT(play->springs.count, 0);
	for (int i = 1; i < count; ++i)
	{
		ENSURE(tnpPlay_Redo(play));
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), hashes[i]);
	}
	ENSURE(tnpPlay_Redo(play));
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), last);
	ENSURE(tnpPlay_Redo(play) == false);
	// By keys; and a new stroke ends what could be done again.
	tnpPlay_Key(play, tnp_controlKey, true);
	tnpPlay_Key(play, 'Z', true);
	tnpPlay_Key(play, tnp_controlKey, false);
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), hashes[count - 1]);
	Stroke(&fixture, tnp_drainTool, 3);
	ENSURE_EQUAL_INT(tnpPlay_GetPast(play).redoCount, 0);
	Close(&fixture);
	return 0;
}

static int VoxelStrokesAreUndone(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, lakeScene));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 20);
	tnpPlay_SetPaused(play, true);
	const uint64_t before = tnpPlay_GetHash(play);
	Stroke(&fixture, tnp_digTool, 30);
	const uint64_t dug = tnpPlay_GetHash(play);
	ENSURE(dug != before);
	ENSURE(tnpPlay_GetBuilt(play)[0] == '1');
	ENSURE(tnpPlay_Undo(play));
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), before);
	ENSURE_EQUAL_INT(play->past.built.count, 0);
	ENSURE(tnpPlay_Redo(play));
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), dug);
	Frames(&fixture, 3);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The time line

static int GoingBackGoesOnTheSame(void)
{
	enum
	{
		most = 400,
	};
	static uint64_t hashes[most];
	Fixture fixture;
	ENSURE(Open(&fixture, riverScene));
	tnpPlay* play = fixture.play;
	while (play->stepCount < most - 50)
	{
		Frames(&fixture, 1);
		hashes[play->stepCount] = tnpPlay_GetHash(play);
	}
	const int64_t present = play->stepCount;
	const uint64_t now = tnpPlay_GetHash(play);
	tnpPast past = tnpPlay_GetPast(play);
	// How many depends on how fast images are made.
	ENSURE(past.count > 2 && past.index == -1);
	ENSURE_CLOSE(past.end - past.begin, past.end, 0.3);
	// Back, further, to the present, and to the middle.
	ENSURE(tnpPlay_GoBack(play, past.count / 2));
	ENSURE(play->paused);
	past = tnpPlay_GetPast(play);
	ENSURE(tnpPlay_GoBack(play, 1));
	const double early = tnpPlay_GetTime(play);
	ENSURE(tnpPlay_GoBack(play, past.count - 1));
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), now);
	ENSURE_EQUAL_INT(play->stepCount, present);
	ENSURE(tnpPlay_GoBackTo(play, early));
	ENSURE_CLOSE(tnpPlay_GetTime(play), early, 0.0);
	// What is there is what was there, and what comes is what came.
	ENSURE(hashes[play->stepCount] == 0 || tnpPlay_GetHash(play) == hashes[play->stepCount]);
	while (play->stepCount < present)
	{
		ENSURE(Step(play, 1));
		ENSURE(hashes[play->stepCount] == 0 || tnpPlay_GetHash(play) == hashes[play->stepCount]);
	}
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), now);
	// The line ends here now.
	past = tnpPlay_GetPast(play);
	ENSURE_EQUAL_INT(past.index, -1);
	ENSURE(past.count == 2);
	Close(&fixture);
	return 0;
}

static int MemoryOfThePastIsBounded(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, riverScene));
	tnpPlay* play = fixture.play;
	size_t size;
	ENSURE(Step(play, 200));
	ENSURE(tnpPlay_Save(play, NULL, 0, &size).ok);
	const size_t limit = 12 * size;
	tnpBeginPast(play, limit);
	for (int i = 0; i < 200; ++i)
	{
		tnpPlay_Remember(play);
		ENSURE(Step(play, 20));
		tnpWatchPast(play);
		const tnpPast past = tnpPlay_GetPast(play);
		ENSURE(past.byteCount <= limit);
		ENSURE(i < 40 || (past.count > 1 && past.undoCount > 1));
	}
	// Nothing fits: nothing is kept, and everything else works.
	tnpForgetPast(play);
	tnpBeginPast(play, size / 2);
	tnpPlay_Remember(play);
	Frames(&fixture, 40);
	const tnpPast past = tnpPlay_GetPast(play);
	ENSURE(past.count == 0 && past.undoCount == 0);
	ENSURE(tnpPlay_GoBack(play, 0) == false && tnpPlay_Undo(play) == false);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What was built

static int LinksBuildTheSame(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, riverScene));
	tnpPlay* play = fixture.play;
	tnpPlay_SetPaused(play, true);
	const double flat = SumBed(play);
	ENSURE(strcmp(tnpPlay_GetBuilt(play), "") == 0);
	Stroke(&fixture, tnp_raiseTool, 150);
	tnpPlay_SetParameter(play, "brushRadius", 2.5f);
	Stroke(&fixture, tnp_lowerTool, 25);
	Stroke(&fixture, tnp_sourceTool, 1);
	if (tnsHavePhysics())
	{
		Stroke(&fixture, tnp_stackTool, 1);
	}
	const double built = SumBed(play) - flat;
	ENSURE(fabs(built) > 1.0);
	static char text[TNP_BUILT_TEXT + 1];
	snprintf(text, sizeof(text), "%s", tnpPlay_GetBuilt(play));
	ENSURE(strlen(text) < 200);
	ENSURE(tnpPlay_SetScene(play, riverScene).ok);
	ENSURE(tnpPlay_Build(play, text).ok);
	ENSURE_CLOSE(SumBed(play) - flat, built, 1.0e-3 * fabs(built));
	ENSURE_EQUAL_INT(play->springs.count, 1);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, tnsHavePhysics() ? 1 : 0);
	ENSURE(strcmp(tnpPlay_GetBuilt(play), text) == 0);
	ENSURE(Step(play, 30));
	// In another scene, what fits.
	ENSURE(tnpPlay_SetScene(play, lakeScene).ok);
	const tnrResult result = tnpPlay_Build(play, text);
	ENSURE(result.ok == false);
	ENSURE_TEXT(result.text, "do not fit");
	ENSURE(Step(play, 5));
	Close(&fixture);
	return 0;
}

static int BadLinksAreRefused(void)
{
	TestRandom random = TestMakeRandom(5);
	tnpBuilt built = {0};
	static char text[TNP_BUILT_TEXT + 64];
	for (int i = 0; i < TNP_MAX_BUILT + 7; ++i)
	{
		const tnpTool tools[] = {tnp_raiseTool, tnp_flattenTool, tnp_wellTool, tnp_stackTool, tnp_digTool};
		tnpBuiltItem item = {.tool = tools[i % 5], .radius = TestRandomFloat(&random, 0.1f, 50.0f), .body = -1};
		item.place = (tnVec3){TestRandomFloat(&random, -900.0f, 900.0f), 0.0f, TestRandomFloat(&random, 0.0f, 900.0f)};
		item.place.y = item.tool >= tnp_stackTool ? TestRandomFloat(&random, -9.0f, 9.0f) : 0.0f;
		item.amount = TestRandomFloat(&random, 0.0f, 30.0f);
		item.height = item.tool == tnp_flattenTool ? TestRandomFloat(&random, -9.0f, 9.0f) : 0.0f;
		item.kind = item.tool == tnp_stackTool ? tns_boulder : tns_crate;
		tnpBuilt_Add(&built, &item);
	}
	ENSURE(built.full);
	ENSURE_EQUAL_INT(built.count, TNP_MAX_BUILT);
	tnpBuilt_Write(&built, text);
	ENSURE((int)strlen(text) <= TNP_BUILT_TEXT);
	tnpBuilt read;
	ENSURE(tnpBuilt_Read(&read, text).ok);
	ENSURE_EQUAL_INT(read.count, built.count);
	for (int i = 0; i < built.count; ++i)
	{
		ENSURE_EQUAL_INT(read.items[i].tool, built.items[i].tool);
		ENSURE_CLOSE(read.items[i].place.x, built.items[i].place.x, 0.03);
		ENSURE_CLOSE(read.items[i].radius, built.items[i].radius, 1.0e-3);
		ENSURE_CLOSE(read.items[i].height, built.items[i].height, 1.0e-3);
	}
	// Anything else is refused, and nothing is read.
	const size_t length = strlen(text);
	tnpBuilt kept = {.count = 3};
	static char bad[TNP_BUILT_TEXT + 128];
	for (int i = 0; i < 3000; ++i)
	{
		memcpy(bad, text, length + 1);
		const size_t at = (size_t)TestRandomInt(&random, 0, (int)length - 1);
		if (i % 2 == 0)
		{
			bad[at] = '\0';
		}
		else
		{
			bad[at] = (char)TestRandomInt(&random, 1, 255);
		}
		tnpBuilt other = kept;
		const tnrResult result = tnpBuilt_Read(&other, bad);
		ENSURE(result.ok || (other.count == 3 && result.text[0] != '\0'));
		for (int k = 0; result.ok && k < other.count; ++k)
		{
			ENSURE(other.items[k].radius > 0.0f && isfinite(other.items[k].amount + other.items[k].place.x));
		}
	}
	static const char* const wrong[] = {"", "2", "1A", "1!!!!", "0AAAA", "1AAAAAAAAAAAAAAAAAAAAAA", "x"};
	for (int i = 0; i < 7; ++i)
	{
		ENSURE(tnpBuilt_Read(&kept, wrong[i]).ok == false);
		ENSURE_EQUAL_INT(kept.count, 3);
	}
	ENSURE(tnpBuilt_Read(&kept, NULL).ok == false);
	memset(bad, 'A', sizeof(bad) - 1);
	bad[0] = '1';
	ENSURE(tnpBuilt_Read(&kept, bad).ok == false);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Anything in any order

static int RandomPasts(void)
{
	for (int seed = 1; seed <= 6; ++seed)
	{
		TestRandom random = TestMakeRandom((uint64_t)seed);
		Fixture fixture;
		ENSURE(Open(&fixture, seed % 3));
		tnpPlay* play = fixture.play;
		uint8_t* kept = NULL;
		size_t keptSize = 0;
		uint64_t keptHash = 0;
		for (int i = 0; i < 60; ++i)
		{
			switch (TestRandomInt(&random, 0, 9))
			{
				case 0:
					tnpPlay_Undo(play);
					break;
				case 1:
					tnpPlay_Redo(play);
					break;
				case 2:
					tnpPlay_GoBack(play, TestRandomInt(&random, -3, 70));
					break;
				case 3:
					tnpPlay_GoBackTo(play, (double)TestRandomFloat(&random, -1.0f, 9.0f));
					break;
				case 4:
					free(kept);
					kept = Save(play, &keptSize);
					ENSURE(kept != NULL);
					keptHash = tnpPlay_GetHash(play);
					break;
				case 5:
					if (kept != NULL)
					{
						ENSURE(tnpPlay_Load(play, kept, keptSize).ok);
						ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), keptHash);
					}
					break;
				case 6:
					tnpPlay_SetTool(play, (tnpTool)TestRandomInt(&random, 0, tnp_toolCount - 1));
					tnpPlay_MouseMove(play, TestRandomFloat(&random, 0.0f, windowWidth),
						TestRandomFloat(&random, 0.0f, windowHeight));
					tnpPlay_MouseButton(play, tnp_leftButton, TestRandomInt(&random, 0, 1) == 1);
					break;
				case 7:
					tnpPlay_MouseButton(play, tnp_leftButton, false);
					tnpPlay_SetPaused(play, TestRandomInt(&random, 0, 2) == 0);
					break;
				case 8:
					tnpPlay_SetParameter(play, TestRandomInt(&random, 0, 1) == 0 ? "gravity" : "subSteps",
						TestRandomFloat(&random, 1.0f, 20.0f));
					break;
				default:
					break;
			}
			Frames(&fixture, TestRandomInt(&random, 1, 12));
			const tnpStatus status = tnpPlay_GetStatus(play);
			ENSURE(isfinite(status.volume) && fabs(status.drift) < 1.0e-2 && isfinite(status.time));
			ENSURE(tnpPlay_GetPast(play).byteCount <= TNP_DEFAULT_PAST);
		}
		free(kept);
		Close(&fixture);
	}
	return 0;
}

static const Test s_tests[] = {
	{"LoadedWorldsGoOnWithTheSameBits", LoadedWorldsGoOnWithTheSameBits},
	{"BodiesGoOnFromWhereTheyWere", BodiesGoOnFromWhereTheyWere},
	{"DamagedSavesChangeNothing", DamagedSavesChangeNothing},
	{"LevelsHaveNoPast", LevelsHaveNoPast},
	{"StrokesAreUndoneAndDoneAgain", StrokesAreUndoneAndDoneAgain},
	{"VoxelStrokesAreUndone", VoxelStrokesAreUndone},
	{"GoingBackGoesOnTheSame", GoingBackGoesOnTheSame},
	{"MemoryOfThePastIsBounded", MemoryOfThePastIsBounded},
	{"LinksBuildTheSame", LinksBuildTheSame},
	{"BadLinksAreRefused", BadLinksAreRefused},
	{"RandomPasts", RandomPasts},
};

const TestSuite play_pastSuite = TEST_SUITE("play_past", s_tests);

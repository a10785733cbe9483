// SPDX-License-Identifier: MIT

// Scenes of voxels in the viewer: the cursor, the tools, and how scenes come and go.

#include "play_fixture.h"

#include <math.h>

// A lake of 13 x 11 voxels, 1 deep in a bed of 3, on 4 of rock; below it a cave. The camera looks down on it.
static const char s_lakeText[] =
	"{\"name\": \"lake\", \"eye\": [16, 38, 30], \"target\": [16, 11, 13], \"voxels\": {\"size\": [37, 31, 29],"
	"\"voxelSize\": 0.9, \"cap\": 500, \"ground\": [{\"box\": [0, 0, 0, 37, 15, 29]},"
	"{\"box\": [11, 2, 7, 26, 8, 22], \"solid\": 0}, {\"box\": [12, 12, 8, 25, 15, 19], \"solid\": 0}],"
	"\"fills\": [{\"box\": [12, 12, 8, 25, 13, 19]}]}}";

// Water and lava, which together make stone.
static const char s_stoneText[] =
	"{\"name\": \"stone\", \"eye\": [14, 30, 28], \"target\": [14, 5, 11], \"voxels\": {\"size\": [33, 25, 27],"
	"\"liquids\": [{\"name\": \"water\"}, {\"name\": \"lava\", \"viscosity\": 2, \"density\": 2500,"
	" \"glow\": \"#ff6010\"}],"
	"\"reactions\": [{\"first\": \"lava\", \"second\": \"water\", \"ground\": 2}],"
	"\"ground\": [{\"box\": [0, 0, 0, 33, 9, 27]}, {\"box\": [11, 6, 8, 24, 9, 19], \"solid\": 0}],"
	"\"fills\": [{\"box\": [11, 6, 8, 24, 9, 19], \"liquid\": \"water\"}]}}";

static const char s_pondText[] = "{\"name\": \"pond\", \"world\": {\"columns\": 31, \"rows\": 27, \"cellSize\": 0.5},"
								 "\"timeStep\": 0.0166666667, \"water\": {\"level\": 0.5}}";

static const char s_wrongText[] = "{\"voxels\": {\"size\": [37, 31, 0]}}";

enum
{
	lakeScene = 0,
	stoneScene,
	pondScene,
	wrongScene,
	sceneCount,
};

static bool Open(Fixture* fixture)
{
	static const tnpSceneItem items[sceneCount] = {{"lake", "play_lake.json", false},
		{"stone", "play_stone.json", false}, {"pond", "play_voxel_pond.json", false},
		{"wrong", "play_wrong.json", false}};
	static const char* const texts[sceneCount] = {s_lakeText, s_stoneText, s_pondText, s_wrongText};
	return OpenFixture(fixture, items, texts, sceneCount);
}

static tnVoxelWorld* GetWorld(const Fixture* fixture)
{
	return tnpPlay_GetVoxelWorld(fixture->play);
}

// Units of any liquid in a box, and its ground in 255ths of voxels.
static int64_t CountBox(const tnVoxelWorld* world, tnVoxelBox box, int64_t* ground)
{
	int64_t units = 0;
	*ground = 0;
	for (int32_t y = box.low.y; y < box.high.y; ++y)
	{
		for (int32_t z = box.low.z; z < box.high.z; ++z)
		{
			for (int32_t x = box.low.x; x < box.high.x; ++x)
			{
				const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z});
				units += state.amount;
				*ground += state.solid;
			}
		}
	}
	return units;
}

static int64_t CountGround(const Fixture* fixture)
{
	int64_t ground;
	(void)CountBox(GetWorld(fixture), tnpPlay_GetVoxelBox(fixture->play), &ground);
	return ground;
}

static int64_t SumDrift(const Fixture* fixture)
{
	return tnpVoxels_GetDrift(fixture->play->voxels);
}

// Hold the button over a place for so many pictures.
static bool Hold(Fixture* fixture, tnpTool tool, tnVec3 place, int frames)
{
	tnpPlay_SetTool(fixture->play, tool);
	const bool seen = PointAt(fixture, place);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, true);
	Frames(fixture, frames);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, false);
	return seen && tnpPlay_GetTool(fixture->play) == tool;
}

// The middle of the lake, m.
static const tnVec3 s_lake = {0.9f * 18.5f, 0.9f * 13.0f, 0.9f * 13.5f};
static const tnVec3 s_pool = {0.75f * 17.5f, 0.75f * 9.0f, 0.75f * 13.5f};

// ---------------------------------------------------------------------------------------------------------------------
// Tools

// Through the water, 4 voxels of rock: the lake falls into the cave, and not a unit is lost on the way.
static int DiggingUnderALakeLetsItFall(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	// The cave, and what is dug of its floor.
	const tnVoxelBox cave = {{0, 0, 0}, {37, 8, 29}};
	int64_t ground;
	const int64_t before = CountGround(&fixture);
	ENSURE_EQUAL_INT(CountBox(GetWorld(&fixture), cave, &ground), 0);
	const int64_t volume = tnVoxelWorld_GetLedger(GetWorld(&fixture), 1).volume;
	ENSURE_EQUAL_INT(volume, 13 * 11 * 500);
	ENSURE(Hold(&fixture, tnp_digTool, s_lake, 90));
	ENSURE(CountGround(&fixture) < before);
	Frames(&fixture, 300);
	// What is left lies on the bed around the hole.
	const int64_t fallen = CountBox(GetWorld(&fixture), cave, &ground);
	ENSURE(fallen > volume * 9 / 10);
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(GetWorld(&fixture), 1);
	ENSURE_EQUAL_INT(ledger.volume + ledger.waiting, volume);
	ENSURE_EQUAL_INT(SumDrift(&fixture), 0);
	Close(&fixture);
	return 0;
}

// A still hand digs five balls a second, not one in each step.
static int DiggingTakesItsTime(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	const tnVec3 meadow = {0.9f * 31.0f, 0.9f * 15.0f, 0.9f * 18.0f};
	const int64_t start = CountGround(&fixture);
	ENSURE(Hold(&fixture, tnp_digTool, meadow, 2));
	const int64_t first = CountGround(&fixture);
	ENSURE(first < start);
	// Half a ball of 2.5 voxels, with the steps of its sphere.
	ENSURE_CLOSE((double)(start - first) / 255.0, 2.0 / 3.0 * 3.14159 * 2.5 * 2.5 * 2.5, 12.0);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	Frames(&fixture, 10);
	const int64_t second = CountGround(&fixture);
	Frames(&fixture, 2);
	ENSURE_EQUAL_INT(CountGround(&fixture), second);
	Frames(&fixture, 12);
	ENSURE(CountGround(&fixture) < second);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	Close(&fixture);
	return 0;
}

// Ground goes on top of ground, grows while the hand is still, and goes along with it.
static int BuildingGrows(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	tnpPlay_SetTool(fixture.play, tnp_buildTool);
	const tnVec3 meadow = {0.9f * 31.0f, 0.9f * 15.0f, 0.9f * 18.0f}, far = {0.9f * 31.0f, 0.9f * 15.0f, 0.9f * 9.0f};
	ENSURE(PointAt(&fixture, meadow));
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	Frames(&fixture, 2);
	const tnVoxelBox column = {{31, 15, 18}, {32, 31, 19}};
	int64_t low, high;
	(void)CountBox(GetWorld(&fixture), column, &low);
	ENSURE(low > 0);
	Frames(&fixture, 60);
	(void)CountBox(GetWorld(&fixture), column, &high);
	ENSURE(high >= low + 3 * 255);
	// Along with the hand, at the height where it began: a wall without gaps.
	ENSURE(PointAt(&fixture, far));
	Frames(&fixture, 2);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	for (int z = 9; z <= 18; ++z)
	{
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(GetWorld(&fixture), (tnVoxel){31, 15, z}).solid, TN_VOXEL_ROCK);
	}
	ENSURE_EQUAL_INT(SumDrift(&fixture), 0);
	Close(&fixture);
	return 0;
}

// What was poured is in the ledger to the unit, and so is what was drained.
static int PouringAndDrainingKeepTheBooks(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	const tnVoxelLedger start = tnVoxelWorld_GetLedger(GetWorld(&fixture), 1);
	ENSURE(Hold(&fixture, tnp_pourTool, s_lake, 30));
	const tnVoxelLedger poured = tnVoxelWorld_GetLedger(GetWorld(&fixture), 1);
	// 30 steps, and at most the voxels of a disc of 1.25 voxels with half of 500 units each.
	ENSURE(poured.added - start.added >= 30 * 250);
	ENSURE(poured.added - start.added <= 31 * 9 * 250);
	ENSURE_EQUAL_INT(poured.volume + poured.waiting, poured.added);
	tnpPlay_SetParameter(fixture.play, "brushRadius", 0.9f * 12.0f);
	tnpPlay_SetParameter(fixture.play, "brushStrength", 10.0f);
	ENSURE(Hold(&fixture, tnp_drainTool, s_lake, 30));
	const tnVoxelLedger drained = tnVoxelWorld_GetLedger(GetWorld(&fixture), 1);
	ENSURE_EQUAL_INT(drained.volume + drained.waiting, 0);
	ENSURE_EQUAL_INT(drained.removed, drained.added);
	ENSURE_EQUAL_INT(SumDrift(&fixture), 0);
	ENSURE_CLOSE(tnpPlay_GetStatus(fixture.play).volume, 0.0, 0.0);
	Close(&fixture);
	return 0;
}

static int LavaAndWaterMakeStone(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	ENSURE_TEXT(tnpPlay_SetScene(fixture.play, stoneScene).text, "");
	ENSURE_EQUAL_INT(tnpPlay_GetScene(fixture.play), stoneScene);
	Frames(&fixture, 3);
	const int64_t before = CountGround(&fixture);
	ENSURE(Hold(&fixture, tnp_lavaTool, s_pool, 60));
	Frames(&fixture, 120);
	const tnVoxelLedger water = tnVoxelWorld_GetLedger(GetWorld(&fixture), 1);
	const tnVoxelLedger lava = tnVoxelWorld_GetLedger(GetWorld(&fixture), 2);
	ENSURE(lava.added > 0);
	ENSURE(lava.reactions < 0 && water.reactions < 0);
	ENSURE(CountGround(&fixture) > before);
	ENSURE_EQUAL_INT(SumDrift(&fixture), 0);
	Close(&fixture);
	return 0;
}

// Time stands still, tools do not: dig first, then let it run.
static int ToolsWorkWhilePaused(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	tnpPlay_SetPaused(fixture.play, true);
	const int64_t before = CountGround(&fixture), steps = tnpPlay_GetStatus(fixture.play).stepCount;
	ENSURE(Hold(&fixture, tnp_digTool, s_lake, 20));
	ENSURE(CountGround(&fixture) < before);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).stepCount, steps);
	// The shortest click counts.
	const int64_t dug = CountGround(&fixture);
	ENSURE(Hold(&fixture, tnp_digTool, (tnVec3){0.9f * 31.0f, 0.9f * 15.0f, 0.9f * 18.0f}, 0));
	Frames(&fixture, 1);
	ENSURE(CountGround(&fixture) < dug);
	tnpPlay_StepOnce(fixture.play);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).stepCount, steps + 1);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The cursor

// The walk finds what small steps along the ray find.
static int PickingFindsWhatIsThere(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	const tnpVoxelPlay* voxels = fixture.play->voxels;
	const float size = 0.9f;
	TestRandom random = TestMakeRandom(77);
	int hits = 0;
	for (int i = 0; i < 200; ++i)
	{
		const tnVec3 from = {TestRandomFloat(&random, -20.0f, 60.0f), TestRandomFloat(&random, -10.0f, 50.0f),
			TestRandomFloat(&random, -20.0f, 50.0f)};
		tnVec3 way = {TestRandomFloat(&random, 5.0f, 28.0f) - from.x, TestRandomFloat(&random, 2.0f, 22.0f) - from.y,
			TestRandomFloat(&random, 5.0f, 20.0f) - from.z};
		const float length = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
		way = (tnVec3){way.x / length, way.y / length, way.z / length};
		const bool liquid = i % 2 == 0;
		const tnpVoxelHit hit = tnpVoxels_Pick(voxels, from, way, liquid);
		// Ten steps to a voxel; at a grazing corner both may be right.
		float found = -1.0f;
		for (float far = 0.0f; far < 120.0f && found < 0.0f; far += 0.02f * size)
		{
			const tnVec3 at = {from.x + far * way.x, from.y + far * way.y, from.z + far * way.z};
			const tnVoxel voxel = {(int)floorf(at.x / size), (int)floorf(at.y / size), (int)floorf(at.z / size)};
			const bool inside =
				voxel.x >= 0 && voxel.y >= 0 && voxel.z >= 0 && voxel.x < 37 && voxel.y < 31 && voxel.z < 29;
			const tnVoxelState state = tnVoxelWorld_GetVoxel(voxels->world, voxel);
			const float filled = (float)state.solid / 255.0f + (liquid ? (float)state.amount / 500.0f : 0.0f);
			found = inside && filled > 0.0f && at.y / size - (float)voxel.y <= filled ? far : found;
		}
		const float got = hit.hit
			? (hit.point.x - from.x) * way.x + (hit.point.y - from.y) * way.y + (hit.point.z - from.z) * way.z
			: -1.0f;
		ENSURE(hit.hit || found < 0.0f);
		// A corner may be cut in less than a step.
		ENSURE(found < 0.0f || got <= found + 0.001f);
		hits += hit.hit && found >= 0.0f && fabsf(got - found) < 0.03f * size ? 1 : 0;
	}
	ENSURE(hits > 150);
	Close(&fixture);
	return 0;
}

// The cursor is where the mouse points, with and without the water that lies over the ground.
static int CursorGoesThroughWaterToTheGround(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	tnpPlay_SetTool(fixture.play, tnp_pourTool);
	ENSURE(PointAt(&fixture, s_lake));
	Frames(&fixture, 1);
	ENSURE(fixture.play->cursor.hit);
	ENSURE_CLOSE(fixture.play->cursor.point.y, s_lake.y, 0.01);
	ENSURE_CLOSE(fixture.play->cursor.point.x, s_lake.x, 0.1);
	tnpPlay_SetTool(fixture.play, tnp_digTool);
	Frames(&fixture, 1);
	ENSURE_CLOSE(fixture.play->cursor.point.y, 0.9 * 12.0, 0.01);
	// Beside the world a drag turns the camera.
	tnpPlay_MouseMove(fixture.play, 3.0f, 3.0f);
	Frames(&fixture, 1);
	ENSURE(fixture.play->cursor.hit == false);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

// A click drops a crate into the lake: it takes room, floats, and can be taken away.
static int CratesAreDroppedIntoVoxels(void)
{
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	tnVoxelWorld* world = GetWorld(&fixture);
	tnpPlay* play = fixture.play;
	ENSURE(tnpPlay_HasTool(play, tnp_stackTool) && tnpPlay_HasTool(play, tnp_grabTool));
	const tnpStage stage = tnpVoxels_GetStage(play->voxels);
	const tnVec3 middle = {
		0.5f * (stage.low.x + stage.high.x), 0.5f * stage.high.y, 0.5f * (stage.low.z + stage.high.z)};
	ENSURE(Hold(&fixture, tnp_stackTool, middle, 1));
	ENSURE(tnVoxelWorld_GetBodies(world, NULL, 0) >= 1);
	Frames(&fixture, 60);
	tnBodyId id;
	(void)tnVoxelWorld_GetBodies(world, &id, 1);
	tnBodyState state;
	ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
	ENSURE_EQUAL_INT(state.mode, tn_blockingBody);
	ENSURE_EQUAL_INT(SumDrift(&fixture), 0);
	Close(&fixture);
	return 0;
}

static int RefusalsSayWhy(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	tnpPlay* play = fixture.play;
	ENSURE(tnpPlay_HasTool(play, tnp_lavaTool));
	tnpPlay_Key(play, '5', true);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	ENSURE_TEXT(play->message, "This scene has no lava");
	tnpPlay_SetTool(play, tnp_flattenTool);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	ENSURE_TEXT(play->message, "not for voxels");
	ENSURE(tnpPlay_SetMethod(play, tn_pipeMethod, tn_conservativeAdvection).ok == false);
	static const char keys[] = "12341MVKFO";
	for (const char* key = keys; *key != '\0'; ++key)
	{
		tnpPlay_Key(play, *key, true);
		Frames(&fixture, 1);
	}
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	ENSURE_EQUAL_INT(tnpPlay_GetView(play), tnr_waterView);
	ENSURE(tnpPlay_SetScene(play, stoneScene).ok);
	tnpPlay_Key(play, '5', true);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_lavaTool);
	// A scene without it takes another one.
	ENSURE(tnpPlay_SetScene(play, lakeScene).ok);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	ENSURE(tnpPlay_SetScene(play, pondScene).ok);
	tnpPlay_SetTool(play, tnp_digTool);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	ENSURE_TEXT(play->message, "for voxels only");
	Close(&fixture);
	return 0;
}

// From voxels to columns and back, with a stroke in progress. Sanitizers see what would be left behind.
static int ScenesCanBeSwitched(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	const uint64_t start = tnpPlay_GetHash(play);
	for (int i = 0; i < 3; ++i)
	{
		ENSURE(tnpPlay_GetWorld(play) == NULL && tnpPlay_GetRun(play) == NULL && GetWorld(&fixture) != NULL);
		ENSURE(PointAt(&fixture, s_lake));
		tnpPlay_MouseButton(play, tnp_leftButton, true);
		Frames(&fixture, 4);
		ENSURE(tnpPlay_GetHash(play) != start);
		ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).liquidCount, 1);
		ENSURE(tnpPlay_SetScene(play, pondScene).ok);
		tnpPlay_MouseButton(play, tnp_leftButton, false);
		ENSURE(tnpPlay_GetWorld(play) != NULL && tnpPlay_GetRun(play) != NULL && GetWorld(&fixture) == NULL);
		Frames(&fixture, 2);
		ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).liquidCount, 0);
		tnpPlay_SetView(play, tnr_depthView);
		ENSURE(tnpPlay_SetScene(play, lakeScene).ok);
		ENSURE_EQUAL_INT(tnpPlay_GetView(play), tnr_waterView);
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), start);
	}
	tnpPlay_Reset(play);
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), start);
	Close(&fixture);
	return 0;
}

static int WrongScenesAreRefused(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 3);
	const uint64_t hash = tnpPlay_GetHash(play);
	const tnrResult result = tnpPlay_SetScene(play, wrongScene);
	ENSURE(result.ok == false);
	ENSURE_TEXT(result.text, "play_wrong.json:1:");
	ENSURE_TEXT(result.text, "size");
	ENSURE_TEXT(play->message, "size");
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), lakeScene);
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), hash);
	Frames(&fixture, 2);
	Close(&fixture);
	return 0;
}

static int LostContextLeavesTheVoxels(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	tnpPlay_SetPaused(fixture.play, true);
	const uint64_t hash = tnpPlay_GetHash(fixture.play);
	tnpPlay_LoseContext(fixture.play);
	Frames(&fixture, 2);
	ENSURE(tnpPlay_RestoreContext(fixture.play).ok);
	Frames(&fixture, 2);
	ENSURE_EQUAL_HEX(tnpPlay_GetHash(fixture.play), hash);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The picture

// With no time at all each picture takes a portion, and none of the chunks waits for ever, although all change always.
static int MeshesComeInTurn(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpVoxelPlay* voxels = fixture.play->voxels;
	tnpVoxels_CatchUp(voxels, fixture.play->renderer, 0.0);
	ENSURE_EQUAL_INT(voxels->pendingCount, 0);
	ENSURE_EQUAL_INT(voxels->chunkCount, 3 * 2 * 2);
	int last = voxels->nextChunk, turns = 0;
	for (int i = 0; i < 6; ++i)
	{
		// Every chunk changes.
		ENSURE(tnVoxelWorld_FillSolid(voxels->world, tnpPlay_GetVoxelBox(fixture.play), 10 + i).status == tn_ok);
		tnpVoxels_CatchUp(voxels, fixture.play->renderer, 0.0);
		ENSURE_EQUAL_INT(voxels->pendingCount, voxels->chunkCount - TNP_MESH_PORTION);
		turns += voxels->nextChunk < last ? 1 : 0;
		last = voxels->nextChunk;
	}
	// 6 x 4 of 12.
	ENSURE_EQUAL_INT(turns, 2);
	tnpVoxels_CatchUp(voxels, fixture.play->renderer, 10.0);
	ENSURE_EQUAL_INT(voxels->pendingCount, 0);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Determinism

static uint64_t PlayStrokes(int workerCount)
{
	tnsResult result;
	tnpVoxelPlay* voxels = tnpOpenVoxels("play_stone.json", workerCount, 0, &result);
	if (voxels == NULL)
	{
		printf("%s\n", result.text);
		return 0;
	}
	static const tnpTool tools[] = {tnp_pourTool, tnp_digTool, tnp_lavaTool, tnp_buildTool, tnp_drainTool};
	tnpVoxelStroke stroke = {0};
	for (int step = 0; step < 200; ++step)
	{
		const tnpTool tool = tools[step / 40];
		stroke = tool == stroke.tool ? stroke : (tnpVoxelStroke){.tool = tool};
		stroke.radius = 1.7f;
		stroke.strength = 1.3f;
		stroke.along = (tnVec3){0.0f, -1.0f, 0.0f};
		stroke.hand.normal = (tnVec3){0.0f, 1.0f, 0.0f};
		stroke.hand.point = (tnVec3){9.0f + 0.11f * (float)(step % 40), 7.1f, 8.0f + 0.05f * (float)step};
		if (tnpVoxels_ApplyStroke(voxels, &stroke).status != tn_ok || tnsVoxelRun_Step(voxels->run).status != tns_ok)
		{
			break;
		}
	}
	const uint64_t hash = tnpVoxels_GetDrift(voxels) == 0 ? tnVoxelWorld_GetHash(voxels->world) : 0;
	tnpCloseVoxels(voxels);
	return hash;
}

static int StrokesAreDeterministic(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	const uint64_t golden = 0x84b9b54c6f6a94b6u;
	ENSURE_EQUAL_HEX(PlayStrokes(1), golden);
	ENSURE_EQUAL_HEX(PlayStrokes(3), golden);
	Close(&fixture);
	return 0;
}

static const Test s_tests[] = {
	{"DiggingUnderALakeLetsItFall", DiggingUnderALakeLetsItFall},
	{"DiggingTakesItsTime", DiggingTakesItsTime},
	{"BuildingGrows", BuildingGrows},
	{"PouringAndDrainingKeepTheBooks", PouringAndDrainingKeepTheBooks},
	{"LavaAndWaterMakeStone", LavaAndWaterMakeStone},
	{"ToolsWorkWhilePaused", ToolsWorkWhilePaused},
	{"PickingFindsWhatIsThere", PickingFindsWhatIsThere},
	{"CursorGoesThroughWaterToTheGround", CursorGoesThroughWaterToTheGround},
	{"CratesAreDroppedIntoVoxels", CratesAreDroppedIntoVoxels},
	{"RefusalsSayWhy", RefusalsSayWhy},
	{"ScenesCanBeSwitched", ScenesCanBeSwitched},
	{"WrongScenesAreRefused", WrongScenesAreRefused},
	{"LostContextLeavesTheVoxels", LostContextLeavesTheVoxels},
	{"MeshesComeInTurn", MeshesComeInTurn},
	{"StrokesAreDeterministic", StrokesAreDeterministic},
};

const TestSuite play_voxelsSuite = TEST_SUITE("play_voxels", s_tests);

// SPDX-License-Identifier: MIT

// What is shown as bytes, for files and for the time line: which scene, what belongs to the viewer, and the run.

#include "files/scene_codec.h"
#include "viewer/play_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	TNP_SAVE_VERSION = 1,
	// Magic, version, size and sum of the part of the viewer.
	TNP_SAVE_HEADER = 8 + 4 + 8 + 8,
};

static const char s_magic[8] = {'t', 'a', 'r', 'n', 'p', 'l', 'a', 'y'};

// The name of a scene in saves: that of its file, without folder and ending.
static void tnpGetSceneKey(const char* path, char* key)
{
	const char* slash = strrchr(path, '/');
	const char* name = slash != NULL ? slash + 1 : path;
	snprintf(key, TNP_SCENE_KEY, "%s", name);
	char* dot = strrchr(key, '.');
	if (dot != NULL && dot != key)
	{
		*dot = '\0';
	}
}

static void tnpCodeKey(tnsCodec* codec, char* key)
{
	for (int i = 0; i < TNP_SCENE_KEY; i += 4)
	{
		uint32_t word = 0;
		for (int k = 3; k >= 0; --k)
		{
			word = word << 8 | (uint8_t)key[i + k];
		}
		tnsCodec_U32(codec, &word);
		for (int k = 0; k < 4; ++k)
		{
			key[i + k] = (char)(word >> 8 * k & 255u);
		}
	}
	key[TNP_SCENE_KEY - 1] = '\0';
	for (char* letter = key; *letter != '\0'; ++letter)
	{
		if ((unsigned char)*letter < 32)
		{
			tnsCodec_Refuse(codec, "the name of the scene cannot be");
		}
	}
}

static void tnpCodeSprings(tnsCodec* codec, tnpSprings* springs)
{
	tnsCodec_Int(codec, &springs->count, 0, TNP_MAX_SPRINGS, "the number of springs");
	for (int i = 0; i < springs->count && tnsCodec_IsOk(codec); ++i)
	{
		tnpSpring* spring = springs->items + i;
		int kind = (int)spring->kind;
		tnsCodec_Id(codec, &spring->id.index1, &spring->id.generation);
		tnsCodec_Int(codec, &kind, 0, tn_wellSource, "the kind of a spring");
		tnsCodec_Float(codec, &spring->center.x, TN_MAX_LENGTH, "the place of a spring");
		tnsCodec_Float(codec, &spring->center.z, TN_MAX_LENGTH, "the place of a spring");
		tnsCodec_Float(codec, &spring->radius, TN_MAX_LENGTH, "the radius of a spring");
		spring->kind = (tnSourceKind)kind;
	}
}

static void tnpCodeBuilt(tnsCodec* codec, tnpBuilt* built)
{
	tnsCodec_Int(codec, &built->count, 0, TNP_MAX_BUILT, "the number of edits");
	tnsCodec_Bool(codec, &built->full);
	for (int i = 0; i < built->count && tnsCodec_IsOk(codec); ++i)
	{
		tnpBuiltItem* item = built->items + i;
		int tool = (int)item->tool, kind = (int)item->kind;
		tnsCodec_Int(codec, &tool, 0, tnp_toolCount - 1, "the tool of an edit");
		tnsCodec_Int(codec, &kind, 0, tns_bodyKindCount - 1, "the kind of a body");
		tnsCodec_Int(codec, &item->body, -1, TNS_MAX_BODIES, "the body of an edit");
		tnsCodec_Vector(codec, &item->place, TN_MAX_LENGTH, "the place of an edit");
		tnsCodec_Float(codec, &item->radius, TN_MAX_LENGTH, "the radius of an edit");
		tnsCodec_Float(codec, &item->amount, 1.0e9f, "the amount of an edit");
		tnsCodec_Float(codec, &item->height, TN_MAX_LENGTH, "the height of an edit");
		item->tool = (tnpTool)tool;
		item->kind = (tnsBodyKind)kind;
	}
}

// What of the sliders is not in the world.
static const tnpParameterIndex s_kept[] = {tnp_rain, tnp_windSpeed, tnp_windDirection};

static void tnpCodeState(tnsCodec* codec, tnpState* state)
{
	tnpCodeKey(codec, state->key);
	tnsCodec_Int(codec, &state->extraTracers, 0, 1, "the number of tracers for dye");
	tnsCodec_I64(codec, &state->stepCount, 0, INT64_MAX / 4, "the number of steps");
	tnsCodec_I64(codec, &state->strokeTicks, 0, INT64_MAX / 4, "the number of strokes");
	for (int i = 0; i < 3; ++i)
	{
		tnsCodec_Float(codec, state->kept + i, 1.0e6f, "a slider");
	}
	float* camera[] = {
		&state->eye.x, &state->eye.y, &state->eye.z, &state->target.x, &state->target.y, &state->target.z};
	for (int i = 0; i < 6; ++i)
	{
		tnsCodec_Float(codec, camera[i], 10.0f * TN_MAX_LENGTH, "the camera");
	}
	tnpCodeSprings(codec, &state->springs);
	tnsCodec_Bool(codec, &state->hose.isMade);
	tnsCodec_Bool(codec, &state->hose.isOpen);
	tnsCodec_Id(codec, &state->hose.id.index1, &state->hose.id.generation);
	tnpCodeBuilt(codec, &state->built);
}

static void tnpFillState(const tnpPlay* play, tnpState* state)
{
	*state = (tnpState){.stepCount = play->stepCount, .strokeTicks = play->strokeTicks, .springs = play->springs};
	tnpGetSceneKey(play->paths[play->sceneIndex], state->key);
	if (play->world != NULL)
	{
		state->extraTracers =
			tnWorld_GetDef(play->world).tracerCount - tnsScene_GetInfo(play->scene)->worldDef.tracerCount;
	}
	for (int i = 0; i < 3; ++i)
	{
		state->kept[i] = play->values[s_kept[i]];
	}
	const tnrCamera camera = tnpPlay_GetCamera(play);
	state->eye = camera.eye;
	state->target = camera.target;
	state->hose = play->hose;
	state->built = play->past.built;
}

static tnrResult tnpTell(const tnsResult* result)
{
	return result->status == tns_ok ? (tnrResult){.ok = true} : tnpMakeError("%s", result->text);
}

static tnsResult tnpSaveRun(const tnpPlay* play, void* bytes, size_t capacity, size_t* size)
{
	return play->voxels != NULL ? tnsVoxelRun_Save(play->voxels->run, bytes, capacity, size)
								: tnsRun_Save(play->run, bytes, capacity, size);
}

tnrResult tnpSaveState(tnpPlay* play, void* bytes, size_t capacity, size_t* size)
{
	tnpState* state = &play->state;
	tnpFillState(play, state);
	tnsCodec counter = {0};
	tnpCodeState(&counter, state);
	size_t runSize = 0;
	tnsResult result = tnpSaveRun(play, NULL, 0, &runSize);
	*size = TNP_SAVE_HEADER + counter.at + runSize;
	if (result.status != tns_ok || bytes == NULL)
	{
		return tnpTell(&result);
	}
	if (capacity < *size)
	{
		return tnpMakeError("a save of %zu bytes does not fit into %zu", *size, capacity);
	}
	uint8_t* out = bytes;
	memcpy(out, s_magic, sizeof(s_magic));
	tnsCodec body = {.out = out + TNP_SAVE_HEADER, .size = counter.at};
	tnpCodeState(&body, state);
	uint32_t version = TNP_SAVE_VERSION;
	uint64_t length = counter.at, sum = tnsSumBytes(out + TNP_SAVE_HEADER, counter.at);
	tnsCodec header = {.out = out, .size = TNP_SAVE_HEADER, .at = sizeof(s_magic)};
	tnsCodec_U32(&header, &version);
	tnsCodec_U64(&header, &length);
	tnsCodec_U64(&header, &sum);
	result = tnpSaveRun(play, out + TNP_SAVE_HEADER + counter.at, runSize, &runSize);
	return tnpTell(&result);
}

// What bytes say of the viewer. @return where those of the run begin, or 0 if the codec has refused
static size_t tnpReadState(tnsCodec* codec, const void* bytes, size_t size, tnpState* state)
{
	static const uint8_t none = 0;
	*codec = (tnsCodec){.in = bytes != NULL ? bytes : &none, .size = bytes != NULL ? size : 0};
	*state = (tnpState){0};
	if (codec->size < TNP_SAVE_HEADER || memcmp(codec->in, s_magic, sizeof(s_magic)) != 0)
	{
		tnsCodec_Refuse(codec, "this is not a saved world");
		return 0;
	}
	uint32_t version = 0;
	uint64_t length = 0, sum = 0;
	codec->at = sizeof(s_magic);
	tnsCodec_U32(codec, &version);
	tnsCodec_U64(codec, &length);
	tnsCodec_U64(codec, &sum);
	if (version < 1 || version > TNP_SAVE_VERSION)
	{
		tnsCodec_Refuse(
			codec, "the saved world has version %u, and this program reads up to %d", version, TNP_SAVE_VERSION);
		return 0;
	}
	if (length > codec->size - TNP_SAVE_HEADER)
	{
		tnsCodec_Refuse(codec, "the saved world is cut off");
		return 0;
	}
	if (tnsSumBytes(codec->in + TNP_SAVE_HEADER, (size_t)length) != sum)
	{
		tnsCodec_Refuse(codec, "the saved world is damaged");
		return 0;
	}
	codec->size = TNP_SAVE_HEADER + (size_t)length;
	tnpCodeState(codec, state);
	if (tnsCodec_IsOk(codec) && codec->at != codec->size)
	{
		tnsCodec_Refuse(codec, "the saved world has more in it than this program knows");
	}
	return tnsCodec_IsOk(codec) ? codec->size : 0;
}

static void tnpTakeState(tnpPlay* play, const tnpState* state)
{
	play->stepCount = state->stepCount;
	play->strokeTicks = state->strokeTicks;
	play->springs = state->springs;
	play->hose = state->hose;
	play->past.built = state->built;
	play->strokePending = false;
	play->loop.due = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		// The world has its wind already.
		const tnpParameter parameter = tnpGetParameter(play, s_kept[i]);
		play->values[s_kept[i]] = fminf(fmaxf(state->kept[i], parameter.low), parameter.high);
	}
	if (play->world != NULL)
	{
		const tnWorldDef def = tnWorld_GetDef(play->world);
		play->values[tnp_vorticityConfinement] = def.vorticityConfinement;
		play->method = def.method;
		play->advection = def.advection;
	}
}

tnrResult tnpRestoreState(tnpPlay* play, const void* bytes, size_t size)
{
	tnpState* state = &play->state;
	tnsCodec codec;
	const size_t begin = tnpReadState(&codec, bytes, size, state);
	if (begin == 0)
	{
		return tnpTell(&codec.result);
	}
	const uint8_t* run = (const uint8_t*)bytes + begin;
	tnpEndStroke(play);
	tnpForgetHand(play);
	const tnsResult result = play->voxels != NULL ? tnsVoxelRun_Restore(play->voxels->run, run, size - begin)
												  : tnsRun_Restore(play->run, run, size - begin);
	if (play->voxels != NULL)
	{
		play->voxels->world = tnsVoxelRun_GetWorld(play->voxels->run);
	}
	if (result.status != tns_ok)
	{
		return tnpTell(&result);
	}
	tnpTakeState(play, state);
	return tnpShowScene(play);
}

tnrResult tnpPlay_Save(tnpPlay* play, void* bytes, size_t capacity, size_t* size)
{
	size_t unused;
	size = size != NULL ? size : &unused;
	*size = 0;
	if (play->level != NULL)
	{
		return tnpMakeError("Levels are played in one go: they cannot be saved");
	}
	return tnpSaveState(play, bytes, capacity, size);
}

static int tnpFindKey(const tnpPlay* play, const char* wanted)
{
	char key[TNP_SCENE_KEY];
	for (int i = 0; i < play->sceneCount; ++i)
	{
		tnpGetSceneKey(play->paths[i], key);
		if (strcmp(key, wanted) == 0 && play->levels[i].given == false)
		{
			return i;
		}
	}
	return -1;
}

tnrResult tnpPlay_Load(tnpPlay* play, const void* bytes, size_t size)
{
	tnpState* state = &play->state;
	tnsCodec codec;
	const size_t begin = tnpReadState(&codec, bytes, size, state);
	if (begin == 0)
	{
		return tnpTell(&codec.result);
	}
	const int scene = tnpFindKey(play, state->key);
	if (scene < 0)
	{
		return tnpMakeError("the saved world is of the scene %s, which is not here", state->key);
	}
	const tnpLoading loading = {
		.bytes = (const uint8_t*)bytes + begin, .size = size - begin, .extraTracers = state->extraTracers};
	play->loading = &loading;
	const tnrResult result = tnpPlay_SetScene(play, scene);
	play->loading = NULL;
	if (result.ok == false)
	{
		return result;
	}
	tnpTakeState(play, state);
	const tnrCamera camera = {.eye = state->eye, .target = state->target};
	tnpPlay_SetCamera(play, &camera);
	return result;
}

tnrResult tnpReadSaveScene(const void* bytes, size_t size, char* key)
{
	tnpState* state = calloc(1, sizeof(tnpState));
	if (state == NULL)
	{
		return tnpMakeError("out of memory");
	}
	tnsCodec codec;
	(void)tnpReadState(&codec, bytes, size, state);
	memcpy(key, state->key, TNP_SCENE_KEY);
	free(state);
	return tnpTell(&codec.result);
}

bool tnpIsSave(const void* bytes, size_t size)
{
	return bytes != NULL && size >= sizeof(s_magic) && memcmp(bytes, s_magic, sizeof(s_magic)) == 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What was built

const char* tnpPlay_GetBuilt(tnpPlay* play)
{
	tnpBuilt_Write(&play->past.built, play->builtText);
	return play->past.built.count > 0 && play->level == NULL ? play->builtText : "";
}

static bool tnpBuildColumns(tnpPlay* play, tnpBuiltItem* item)
{
	tnpStroke stroke = {.tool = item->tool, .center = {item->place.x, item->place.z}, .radius = item->radius};
	stroke.strength = item->amount;
	stroke.height = item->height;
	switch (item->tool)
	{
		case tnp_raiseTool:
		case tnp_lowerTool:
		case tnp_flattenTool:
			// One stroke of a second, as strong as all of them.
			return tnpApplyStroke(play->world, &stroke, 1.0f).status == tn_ok;
		case tnp_sourceTool:
		case tnp_wellTool:
		{
			char text[128];
			return tnpClickSpring(play->world, &play->springs, &stroke, text, sizeof(text)).status == tn_ok;
		}
		default:
			return false;
	}
}

static bool tnpBuildItem(tnpPlay* play, tnpBuiltItem* item)
{
	if (item->tool == tnp_stackTool)
	{
		tnsRun* bodies = play->voxels != NULL ? tnsVoxelRun_GetBodies(play->voxels->run) : play->run;
		return tnsRun_AddBody(bodies, item->kind, item->place, item->radius, &item->body).status == tns_ok;
	}
	if (play->voxels != NULL)
	{
		return (item->tool == tnp_digTool || item->tool == tnp_buildTool) &&
			tnpVoxels_PutBall(play->voxels, item->tool, item->place, item->radius).status == tn_ok;
	}
	return tnpBuildColumns(play, item);
}

tnrResult tnpPlay_Build(tnpPlay* play, const char* text)
{
	tnpBuilt* built = &play->state.built;
	if (play->level != NULL)
	{
		return tnpMakeError("nothing is built in levels by a link");
	}
	const tnrResult result = tnpBuilt_Read(built, text);
	if (result.ok == false)
	{
		return result;
	}
	int missed = 0;
	for (int i = 0; i < built->count; ++i)
	{
		if (tnpBuildItem(play, built->items + i))
		{
			tnpBuilt_Add(&play->past.built, built->items + i);
		}
		else
		{
			missed += 1;
		}
	}
	return missed == 0 ? result : tnpMakeError("%d of %d things that were built do not fit here", missed, built->count);
}

// SPDX-License-Identifier: MIT

#pragma once

// What all calls of the driver share. A call is a function that draws values (from bytes, or from a record of an earlier run),
// shows them as C, makes the call on all twins and judges it:
//
//	static void AddWater(Driver* d)
//	{
//		const tnVec2 center = DrawPlace(d);
//		const float volume = DrawFloat(d, -20.0f, 20.0f);
//		SHOW_VEC2(d, center);
//		SHOW_FLOAT(d, volume);
//		CHANGE(d, tnWorld_AddWater(world, center, 1.0f, volume, NULL));
//	}
//
// It draws all values before the first call, and what it draws must not depend on the state of the worlds: then calls can be
// left out when a failure is shrunk, and shown without being made.

#include "driver.h"
#include "shared.h"

#include <tarn/tarn.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	twinLimit = 3,
	// Two tiles along both axes, or eight along one.
	maxSquareSide = 80,
	maxLongSide = 460,
	maxShortSide = 7,
	maxCells = 6500,
	// Calls of a run, steps included.
	maxCalls = 400,
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
	// A cell of a wave tile in a step, and a body.
	waveWork = 4,
	bodyWork = 20000,
	curveLimit = 6,
	sampleCount = 5,
	waterlineLimit = 512,
};

// A value that was drawn.
typedef struct Word
{
	bool isFloat;
	int64_t whole;
	float real;
} Word;

typedef struct CallRecord
{
	int kind;
	int wordCount;
	Word* words;
} CallRecord;

struct DriverRecord
{
	CallRecord* calls;
	int callCount;
	int capacity;
};

// What the checks know of one kind of world between calls.
typedef struct WorldTrack
{
	tnWorldDef def;
	int cellCount;
	double cellArea;
	float low[TN_MAX_TRACERS], high[TN_MAX_TRACERS];
	// Bound on the drift of the ledger so far, m^3, all that was brought and taken, and the last ledger.
	double driftLimit;
	double turnover;
	tnLedger ledger;
	double time;
	int64_t stepCount;
	bool hadBody;
	// A body got other shapes since the last step: what it tells is of the old ones, but for its volume.
	bool reshaped;
	// Largest depth so far, m.
	double deepest;
	// Energy of the flow when something last could have added to it, J; negative: not known.
	double energy;
	int quietSteps;
	// Largest depth before the last step, m, which its sub-steps follow from.
	double maxDepth;
	// Depends on sub-steps alone: nothing brings water or pushes it.
	bool rains, pushed;
} WorldTrack;

typedef struct VoxelTrack
{
	tnVoxelWorldDef def;
	// What each twin was created with, and what its mesher has.
	tnVoxelWorldDef defs[twinLimit];
	size_t mesherBytes[twinLimit];
	int64_t stepCount;
	bool hadBody;
	// A twin was saved and loaded.
	bool reloaded;
	bool rested;
} VoxelTrack;

typedef struct Driver
{
	DriverOptions options;
	DriverReport* report;

	const uint8_t* bytes;
	size_t size, position;
	// Values come from this call instead of from bytes.
	const CallRecord* replayed;
	int replayAt;
	// The call that is being recorded; NULL if nobody wants to know.
	CallRecord* recorded;
	bool sensible; // no absurd values for now

	// Receives the calls as C; NULL for none. Dry: nothing is called.
	FILE* out;
	bool dry;
	bool muted;

	int twinCount;
	tnWorld* worlds[twinLimit];
	tnVoxelWorld* voxelWorlds[twinLimit];
	tnVoxelMesher* meshers[twinLimit];
	TwinMemory memories[twinLimit];
	TwinTasks tasks[twinLimit];
	// What each world was created with.
	tnWorldDef defs[twinLimit];
	Ids ids[twinLimit];
	uint64_t hashes[twinLimit];
	tnResult results[twinLimit];
	int errorCounts[twinLimit];
	const char* call;
	bool sameHash; // else only depths and velocities can be compared
	double work;

	WorldTrack track;
	// When the snapshot was taken that can be restored.
	WorldTrack savedTrack;
	uint64_t savedHash;
	// What had been done when the recording began.
	double recordWork;
	VoxelTrack voxelTrack;

	float fieldA[maxCells], fieldB[maxCells];
	float velocities[2][maxCells];
	float faces[maxCells + maxLongSide + maxSquareSide];
} Driver;

typedef void DriverCallFcn(Driver* d);
typedef struct DriverCall
{
	const char* name;
	DriverCallFcn* fcn;
	// How often it comes. At least 2: a byte chooses among up to 512 shares.
	int weight;
	// Of 4: how often a run begins with it, so that there is something to look at.
	int opening;
	// Calm runs begin with such calls only, and have more of them: water rests and sleeps until something happens.
	bool isCalm;
} DriverCall;

// ---------------------------------------------------------------------------------------------------------------------
// Drawing values (draw.c)

bool IsAtEnd(const Driver* d);
int DrawInt(Driver* d, int low, int high);
// One is used more than the others, so that something is often there.
int DrawSlot(Driver* d);
bool DrawBool(Driver* d);
// One in about `count`. Not for the byte 0, which is what an input that has ended gives.
bool DrawOneIn(Driver* d, int count);
// Between low and high; now and then absurd, or at a limit from either side.
float DrawFloat(Driver* d, float low, float high);
float DrawLimited(Driver* d, float low, float high, float least, float most);
// 10^low .. 10^high.
float DrawPower(Driver* d, float low, float high);
// Mostly inside the world.
tnVec2 DrawPlace(Driver* d);
tnVec3 DrawVec3(Driver* d, float low, float high);
float DrawRadius(Driver* d);
tnQuat DrawTurn(Driver* d);
tnPose DrawPose(Driver* d);
// A value per cell in one of several patterns, and its C.
void DrawField(Driver* d, const char* name, float* field, int columns, int rows, float low, float high);

// ---------------------------------------------------------------------------------------------------------------------
// Showing values as C (show.c)

#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTF_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

PRINTF_LIKE(2, 3) void Show(Driver* d, const char* format, ...);
void ShowText(Driver* d, const char* text);

typedef struct FloatText
{
	char text[40];
} FloatText;
FloatText GetFloatText(float value);

typedef enum FieldKind
{
	floatField,
	intField,
	longField,
	boolField,
	quadField, // size_t and uint64_t
} FieldKind;

typedef struct FieldInfo
{
	const char* name;
	FieldKind kind;
	size_t offset;
} FieldInfo;

typedef struct StructInfo
{
	const char* type;
	// How to make one with defaults, as C.
	const char* preset;
	const FieldInfo* fields;
	int fieldCount;
} StructInfo;

extern const StructInfo worldDefInfo, edgeDefInfo, brushInfo, sourceDefInfo, regionDefInfo, shapeDefInfo, bodyDefInfo,
	leakDefInfo, pumpDefInfo, poseInfo, jetDefInfo, interestDefInfo, ellipseInfo, swellInfo, spectrumDefInfo,
	voxelWorldDefInfo, reactionDefInfo, voxelSourceDefInfo, voxelOceanDefInfo, voxelMeshDefInfo;

// `name` with all fields that differ from those of a default.
void ShowStruct(Driver* d, const StructInfo* info, const char* name, const void* value, const void* preset);
// Only the assignments.
void ShowFields(Driver* d, const StructInfo* info, const char* name, const void* value, const void* preset);

#define SHOW_FLOAT(d, name) Show((d), "const float %s = %s;", #name, GetFloatText(name).text)
#define SHOW_INT(d, name) Show((d), "const int %s = %d;", #name, (int)(name))
#define SHOW_VEC2(d, name) \
	Show((d), "const tnVec2 %s = {%s, %s};", #name, GetFloatText((name).x).text, GetFloatText((name).z).text)
#define SHOW_VEC3(d, name)                                                                                        \
	Show((d), "const tnVec3 %s = {%s, %s, %s};", #name, GetFloatText((name).x).text, GetFloatText((name).y).text, \
		GetFloatText((name).z).text)
#define SHOW_STRUCT(d, info, name, preset) ShowStruct((d), &(info), #name, &(name), &(preset))

// ---------------------------------------------------------------------------------------------------------------------
// Making calls and judging them (judge.c)

PRINTF_LIKE(3, 4) void Fail(Driver* d, const char* check, const char* format, ...);
bool HasFailed(const Driver* d);
bool IsOver(const Driver* d);
// Has the first world agreed?
bool IsOk(const Driver* d);

typedef enum CallFlags
{
	mayChange = 1,
	// Twins may say different things.
	mayDiffer = 2,
	isStep = 4,
	// The error hook may be silent: nobody trusts a def without its stamp.
	hookMayRest = 8,
} CallFlags;

void BeginCall(Driver* d, const char* call);
void EndTwin(Driver* d, int which, int flags);
void Judge(Driver* d, int flags);
void CountCalls(const char* text, bool ok);
// All twins have the same bytes at `first`, `stride` bytes apart.
void CompareOutputs(Driver* d, const char* name, const void* first, size_t stride, size_t size);

// Makes a call that returns a tnResult on all twins. `world` is the world in question, `which` its number, `ids` what it has.
#define CALL_AND_JUDGE(d, flags, call)                          \
	do                                                          \
	{                                                           \
		ShowCall((d), #call);                                   \
		if ((d)->dry)                                           \
		{                                                       \
			break;                                              \
		}                                                       \
		BeginCall((d), #call);                                  \
		for (int which = 0; which < (d)->twinCount; ++which)    \
		{                                                       \
			tnWorld* world = (d)->worlds[which];                \
			tnVoxelWorld* voxels = (d)->voxelWorlds[which];     \
			tnVoxelMesher* mesher = (d)->meshers[which];        \
			Ids* ids = (d)->ids + which;                        \
			(void)world, (void)voxels, (void)mesher, (void)ids; \
			(d)->results[which] = (call);                       \
			EndTwin((d), which, (flags));                       \
		}                                                       \
		Judge((d), (flags));                                    \
	} while (0)

#define CHANGE(d, call) CALL_AND_JUDGE(d, mayChange, call)
#define ASK(d, call) CALL_AND_JUDGE(d, 0, call)

// The same for a function that returns something else, as an expression or an assignment.
#define TAKE(d, call)                                        \
	do                                                       \
	{                                                        \
		Show((d), "%s;", #call);                             \
		if ((d)->dry)                                        \
		{                                                    \
			break;                                           \
		}                                                    \
		BeginCall((d), #call);                               \
		for (int which = 0; which < (d)->twinCount; ++which) \
		{                                                    \
			tnWorld* world = (d)->worlds[which];             \
			tnVoxelWorld* voxels = (d)->voxelWorlds[which];  \
			Ids* ids = (d)->ids + which;                     \
			(void)world, (void)voxels, (void)ids;            \
			call;                                            \
			(d)->results[which] = (tnResult){0};             \
			EndTwin((d), which, 0);                          \
		}                                                    \
		Judge((d), 0);                                       \
	} while (0)

void ShowCall(Driver* d, const char* call);

// After the last call: what follows is about what came out of it.
#define DONE(d)   \
	if ((d)->dry) \
	{             \
		return;   \
	}             \
	(void)0

// ---------------------------------------------------------------------------------------------------------------------
// Kinds of calls

// The first call of a run. On failure there is no world.
void CreateWorlds(Driver* d);
void CreateVoxelWorlds(Driver* d);

// ---------------------------------------------------------------------------------------------------------------------
// Checks (world_checks.c, voxel_checks.c)

void CheckLedger(Driver* d, int subSteps);
void CheckStep(Driver* d);
void CheckSample(Driver* d, const tnSample* sample);
void CheckFlow(Driver* d, int which, bool stepped);
// Something may have given energy to the water.
void ForgetEnergy(Driver* d);

void CheckVoxelCall(Driver* d);
void PrepareVoxelStep(Driver* d);
void CheckVoxelStep(Driver* d);
int CountKnownBlocks(const Driver* d);
size_t GetMesherBytes(const Driver* d, int which);

static inline bool IsFinite(float value)
{
	return isfinite(value) != 0;
}

static inline bool AreFinite(const float* values, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (!IsFinite(values[i]))
		{
			return false;
		}
	}
	return true;
}

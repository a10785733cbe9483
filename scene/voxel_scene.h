// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

/// @file Scenes of voxel worlds: files like those of scene.h, with a part "voxels" instead of terrain and water.
/// docs/scenes.md describes them. Load one, begin a run of it, step the run.

typedef struct tnsVoxelScene tnsVoxelScene;

/// What a liquid of a scene is called and looks like. Colours as light (not as a screen counts them), 0 to 1.
typedef struct tnsLiquidInfo
{
	/// "water" if the scene has no liquids of its own.
	const char* name;
	/// Of deep liquid. Negative: the program chooses.
	tnVec3 color;
	/// Meters that light goes in it, > 0.
	float clarity;
	/// Light that it gives, 0 for none. What glows is not clear.
	tnVec3 glow;
} tnsLiquidInfo;

/// A box to look at: a wall, a roof, a beam. It does nothing; what should stop water is ground.
typedef struct tnsVoxelProp
{
	/// m.
	tnVec3 low, high;
	/// As light, 0 to 1.
	tnVec3 color;
	/// 0 wood, 1 stone, 2 paint.
	int material;
} tnsVoxelProp;

typedef struct tnsVoxelSceneInfo
{
	const char* name;
	const char* description;
	/// What it is created with, without hooks.
	tnVoxelWorldDef worldDef;
	/// By number, less 1: worldDef.liquidCount of them.
	tnsLiquidInfo liquids[TN_MAX_LIQUIDS];
	/// Voxels from (0, 0, 0) on that the scene is about, all loaded. Around them is rock.
	tnVoxel size;
	/// Part of it that is shown, as a cut through ground and liquid if `cutOut`.
	tnVoxelBox clip;
	bool cutOut, grass;
	/// Colour of rock. Negative: the program chooses.
	tnVec3 rock;
	/// Steps that show something.
	int steps;
	/// Voxels that a step may work on, 0 for all that move.
	int workLimit;
	/// Where to look from, m.
	tnVec3 eye, target;
	/// Degrees: the way to the sun, from x (0) towards z (90), and how high it stands. (160, 48) unless the scene says.
	tnVec2 sun;
	int wheelCount;
	const tnsVoxelProp* props;
	int propCount;
	/// Bodies that come, all in all.
	int bodyCount;
} tnsVoxelSceneInfo;

/// @return NULL if the result is not tns_ok
tnsVoxelScene* tnsLoadVoxelScene(const char* path, tnsResult* result);
/// @param name stands for the file in errors
tnsVoxelScene* tnsParseVoxelScene(const char* text, size_t size, const char* name, tnsResult* result);
/// NULL is allowed.
void tnsDestroyVoxelScene(tnsVoxelScene* scene);
const tnsVoxelSceneInfo* tnsVoxelScene_GetInfo(const tnsVoxelScene* scene);
/// What it has in common with scenes of columns: regions, and the level, if it is one (tnsScene_GetLevel).
const tnsScene* tnsVoxelScene_GetBase(const tnsVoxelScene* scene);

/// Is this the text of a scene of voxels, rather than of one with columns? Only looks for its part "voxels": the scene
/// may still be wrong.
bool tnsIsVoxelScene(const char* text, size_t size);
/// The same for a file. False if it cannot be read.
bool tnsIsVoxelSceneFile(const char* path);

// ---------------------------------------------------------------------------------------------------------------------
// Runs

/// A scene that runs: a world, and what is still to happen to it.
typedef struct tnsVoxelRun tnsVoxelRun;

/// Make the world of a scene, with ground, liquid, oceans and sources. The scene must outlive the run.
/// @return NULL if the result is not tns_ok
tnsVoxelRun* tnsVoxelScene_Begin(const tnsVoxelScene* scene, tnsResult* result);
/// The same with tasks, allocator, error hook, instructions and limits of memory from another def.
/// @param hooks NULL for those of the default def, with TNS_DEFAULT_MEMORY_LIMIT
tnsVoxelRun* tnsVoxelScene_BeginWith(const tnsVoxelScene* scene, const tnVoxelWorldDef* hooks, tnsResult* result);
/// NULL is allowed.
void tnsDestroyVoxelRun(tnsVoxelRun* run);

/// Do what is due (edits, sources that begin or end), then step the world and what it turns. May be called past the end
/// of the scene.
tnsResult tnsVoxelRun_Step(tnsVoxelRun* run);

/// Steps since the beginning.
int64_t tnsVoxelRun_GetStepCount(const tnsVoxelRun* run);
/// Has it made the steps of its scene?
bool tnsVoxelRun_IsOver(const tnsVoxelRun* run);
/// Will nothing happen any more: the world is at rest, and nothing is still to come?
bool tnsVoxelRun_IsAtRest(const tnsVoxelRun* run);
/// The world, to look at and to play with. Owned by the run.
tnVoxelWorld* tnsVoxelRun_GetWorld(const tnsVoxelRun* run);
const tnsVoxelScene* tnsVoxelRun_GetScene(const tnsVoxelRun* run);
/// As tnsRun_Save and tnsRun_Restore. Restoring makes a new world: pointers to the old one are not valid any more. Bodies go on
/// from where they were; what the water knows of its currents beside them it finds out anew.
tnsResult tnsVoxelRun_Save(tnsVoxelRun* run, void* bytes, size_t capacity, size_t* size);
tnsResult tnsVoxelRun_Restore(tnsVoxelRun* run, const void* bytes, size_t size);
/// Its bodies, for all that bodies/scene_bodies.h has to say about bodies of a run, and for nothing else: it has no world of
/// columns. Owned by the run.
tnsRun* tnsVoxelRun_GetBodies(const tnsVoxelRun* run);

// ---------------------------------------------------------------------------------------------------------------------
// Wheels

/// A water wheel: it turns with the liquid at its blades, and does nothing to the liquid.
typedef struct tnsWheel
{
	/// Middle of the wheel and its size, m. The blades reach from `hub` to `radius`.
	tnVec3 center;
	float radius, hub, width;
	int bladeCount;
	/// Does its axle lie along z? Else along x.
	bool alongZ;
	/// How far it has turned, as cosine and sine. With the axle along z a positive turn takes x to y, with the axle
	/// along x it takes y to z.
	float cosine, sine;
	/// rad/s.
	float spin;
	/// Turns since the beginning.
	double turns;
} tnsWheel;

/// @param index in [0, wheelCount) @return a wheel of radius 0 for an index out of range
tnsWheel tnsVoxelRun_GetWheel(const tnsVoxelRun* run, int index);
/// Which way a blade points from the middle: its length is 1.
tnVec3 tnsWheel_GetBlade(const tnsWheel* wheel, int blade);

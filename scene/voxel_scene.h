// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

/// @file Scenes of voxel worlds: files like those of scene.h, with a part "voxels" instead of terrain and water.

typedef struct tnsVoxelScene tnsVoxelScene;

typedef struct tnsVoxelSceneInfo
{
	const char* name;
	const char* description;
	/// What it is created with.
	tnVoxelWorldDef worldDef;
	/// Voxels from (0, 0, 0) on that the scene is about, all loaded. Around them is rock.
	tnVoxel size;
	/// Part of it that is shown, as a cut through ground and liquid if `cutOut`.
	tnVoxelBox clip;
	bool cutOut, grass;
	/// Steps that show something.
	int steps;
	/// Where to look from, m.
	tnVec3 eye, target;
} tnsVoxelSceneInfo;

/// @return NULL if the result is not tns_ok
tnsVoxelScene* tnsLoadVoxelScene(const char* path, tnsResult* result);
/// @param name stands for the file in errors
tnsVoxelScene* tnsParseVoxelScene(const char* text, size_t size, const char* name, tnsResult* result);
void tnsDestroyVoxelScene(tnsVoxelScene* scene);
const tnsVoxelSceneInfo* tnsVoxelScene_GetInfo(const tnsVoxelScene* scene);

/// Make its world, with ground, liquid and sources. @return NULL if the result is not tns_ok
tnVoxelWorld* tnsVoxelScene_CreateWorld(const tnsVoxelScene* scene, tnsResult* result);

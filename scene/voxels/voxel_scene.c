// SPDX-License-Identifier: MIT

// Scenes of voxels from texts and files.

#include "terrain/terrain_files.h"
#include "voxels/voxel_scene_model.h"

#include <stdlib.h>
#include <string.h>

void tnsDestroyVoxelScene(tnsVoxelScene* scene)
{
	if (scene != NULL)
	{
		tnsDestroyScene(scene->base);
		free(scene);
	}
}

tnsVoxelScene* tnsParseVoxelScene(const char* text, size_t size, const char* name, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	*result = (tnsResult){0};
	if (text == NULL || name == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a scene needs a text and a name");
		return NULL;
	}
	tnsVoxelScene* scene = calloc(1, sizeof(*scene));
	tnsScene* base = calloc(1, sizeof(tnsScene));
	char* fileName = malloc(strlen(name) + 1);
	if (scene == NULL || base == NULL || fileName == NULL)
	{
		free(scene);
		free(base);
		free(fileName);
		*result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory", name);
		return NULL;
	}
	strcpy(fileName, name);
	const char* slash = strrchr(fileName, '/');
	base->fileName = fileName;
	scene->base = base;
	scene->info = (tnsVoxelSceneInfo){.name = slash != NULL ? slash + 1 : fileName,
		.description = "",
		.steps = 600,
		.cutOut = true,
		.grass = true,
		.rock = {-1.0f, -1.0f, -1.0f},
		.sun = {160.0f, 48.0f},
		.worldDef = tnDefaultVoxelWorldDef()};
	tnsSceneReader reader = {.scene = base};
	reader.result = tnsParseJson(text, size, name, &base->document);
	if (reader.result.status == tns_ok)
	{
		tnsReadVoxelScene(&reader, tnsJson_GetRoot(base->document), scene);
	}
	*result = reader.result;
	if (result->status != tns_ok)
	{
		tnsDestroyVoxelScene(scene);
		return NULL;
	}
	return scene;
}

tnsVoxelScene* tnsLoadVoxelScene(const char* path, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	if (path == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a scene needs a path");
		return NULL;
	}
	char* text = NULL;
	size_t size = 0;
	*result = tnsReadFile(path, TNS_MAX_SCENE_BYTES, &text, &size);
	tnsVoxelScene* scene = result->status == tns_ok ? tnsParseVoxelScene(text, size, path, result) : NULL;
	free(text);
	return scene;
}

const tnsScene* tnsVoxelScene_GetBase(const tnsVoxelScene* scene)
{
	return scene->base;
}

const tnsVoxelSceneInfo* tnsVoxelScene_GetInfo(const tnsVoxelScene* scene)
{
	return &scene->info;
}

bool tnsIsVoxelScene(const char* text, size_t size)
{
	tnsJsonDocument* document = NULL;
	bool is = false;
	if (text != NULL && tnsParseJson(text, size, "scene", &document).status == tns_ok)
	{
		const tnsJson* root = tnsJson_GetRoot(document);
		is = root->kind == tns_jsonObject && tnsJson_Find(root, "voxels") != NULL;
		tnsDestroyJson(document);
	}
	return is;
}

bool tnsIsVoxelSceneFile(const char* path)
{
	char* text = NULL;
	size_t size = 0;
	const bool is = path != NULL && tnsReadFile(path, TNS_MAX_SCENE_BYTES, &text, &size).status == tns_ok &&
		tnsIsVoxelScene(text, size);
	free(text);
	return is;
}

// SPDX-License-Identifier: MIT

// A run of a scene of voxels, drawn frame by frame without a window.

#include "films/voxel_film.h"

#include "films/easel.h"
#include "system/errors.h"
#include "voxels/voxel_looks.h"

#include <stdlib.h>

enum
{
	// Changed chunks that are asked for at once.
	changedCount = 4096,
};

// Where ripples and clouds of the first frame are, s.
static const double s_beginning = 3.0;

struct VoxelFilm
{
	VoxelFilmDef def;
	Easel easel;
	int frameCount;
	tnVoxel changed[changedCount];
};

static tnsResult StartVoxelFilm(VoxelFilm* film)
{
	const VoxelFilmDef* def = &film->def;
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(tnsVoxelRun_GetScene(def->run));
	tnsResult result = def->picture != NULL ? MakeFolderOf(def->picture) : (tnsResult){.status = tns_ok};
	result = result.status == tns_ok ? OpenEasel(&film->easel, def->width, def->height) : result;
	if (result.status != tns_ok)
	{
		return result;
	}
	const tnrVoxelDef shown = tnpMakeVoxelDef(info, def->blocky ? tn_blockyMesh : tn_smoothMesh);
	const tnrResult drawing = tnrRenderer_SetVoxels(film->easel.renderer, tnsVoxelRun_GetWorld(def->run), &shown);
	if (drawing.ok == false)
	{
		return MakeError(tns_fileError, "cannot draw: %.400s", drawing.text);
	}
	return def->video != NULL ? Easel_OpenVideo(&film->easel, def->video, def->framesPerSecond) : result;
}

VoxelFilm* OpenVoxelFilm(const VoxelFilmDef* def, tnsResult* result)
{
	VoxelFilm* film = calloc(1, sizeof(VoxelFilm));
	if (film == NULL)
	{
		*result = MakeError(tns_outOfMemory, "no memory for a film");
		return NULL;
	}
	film->def = *def;
	*result = StartVoxelFilm(film);
	if (result->status != tns_ok)
	{
		CloseEasel(&film->easel);
		free(film);
		return NULL;
	}
	return film;
}

static void DrawVoxels(VoxelFilm* film, double time)
{
	const tnsVoxelRun* run = film->def.run;
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(tnsVoxelRun_GetScene(run));
	tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	int count = changedCount;
	while (count >= changedCount)
	{
		count = tnVoxelWorld_TakeChanged(world, film->changed, changedCount);
		tnrRenderer_UpdateVoxels(
			film->easel.renderer, world, film->changed, count < changedCount ? count : changedCount);
	}
	tnpShowVoxelBoxes(film->easel.renderer, run, -1);
	Easel_Draw(&film->easel,
		(tnrFrame){.camera = tnpGetVoxelCamera(info), .look = tnpMakeVoxelLook(info), .time = s_beginning + time});
}

tnsResult VoxelFilm_Advance(VoxelFilm* film)
{
	const VoxelFilmDef* def = &film->def;
	const double rate = (double)tnsVoxelScene_GetInfo(tnsVoxelRun_GetScene(def->run))->worldDef.stepRate;
	const double now = (double)tnsVoxelRun_GetStepCount(def->run) / rate;
	tnsResult result = {.status = tns_ok};
	while (def->video != NULL && result.status == tns_ok)
	{
		// A film has at least one frame. Each shows the state that is nearest to its time: half a step of slack.
		const double filmTime = (double)film->frameCount / def->framesPerSecond, time = filmTime * def->speed;
		if (time > now + 0.5 / rate || (time * rate > (double)def->steps - 0.5 && film->frameCount > 0))
		{
			break;
		}
		DrawVoxels(film, filmTime);
		result = Easel_AddFrame(&film->easel);
		film->frameCount += 1;
	}
	return result;
}

tnsResult CloseVoxelFilm(VoxelFilm* film)
{
	if (film == NULL)
	{
		return (tnsResult){.status = tns_ok};
	}
	const VoxelFilmDef* def = &film->def;
	tnsResult result = {.status = tns_ok};
	if (def->picture != NULL)
	{
		DrawVoxels(film, (double)film->frameCount / def->framesPerSecond);
		result = tnsWritePicture(def->picture, film->easel.pixels, def->width, def->height);
	}
	const tnsResult closed = CloseEasel(&film->easel);
	free(film);
	return result.status == tns_ok ? closed : result;
}

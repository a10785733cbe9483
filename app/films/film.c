// SPDX-License-Identifier: MIT

// A run as the viewer would show it, drawn frame by frame without a window.

#include "films/film.h"

#include "bodies/body_looks.h"
#include "bodies/displacer_looks.h"
#include "films/easel.h"
#include "system/errors.h"
#include "system/platform.h"
#include "viewer/ground_looks.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxFilmPath = 1024,
};

// Frames this much after a state, in steps, belong to it: times are sums of rounded numbers.
static const double s_slack = 1.0e-6;

// A picture shows foam and wet ground of the last seconds: three times as long as foam lives, and how often the renderer
// must see the water to remember it, seconds.
static const double s_memory = 6.0;
static const double s_memoryStep = 0.25;

struct Film
{
	FilmDef def;
	Easel easel;
	tnrLook look;
	tnrCamera overview;
	int frameCount;
	// Seconds of water when the renderer last saw it.
	double seenAt;
	double drawSeconds, writeSeconds;
	// Of writing frames. Once it has failed, it is not tried again.
	tnsResult result;
};

static tnrLook MakeLook(const FilmDef* def)
{
	static const struct
	{
		const char* name;
		tnrView view;
	} views[] = {
		{"water", tnr_waterView},
		{"depth", tnr_depthView},
		{"speed", tnr_speedView},
		{"tracer", tnr_tracerView},
		{"vorticity", tnr_vorticityView},
	};
	const tnsView* wanted = &tnsScene_GetInfo(tnsRun_GetScene(def->run))->view;
	tnrLook look = tnrDefaultLook();
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); ++i)
	{
		look.view = strcmp(def->view, views[i].name) == 0 ? views[i].view : look.view;
	}
	look.tracer = wanted->tracer;
	look.maxDepth = wanted->maxDepth;
	look.maxSpeed = wanted->maxSpeed;
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		look.tracerColors[i] = wanted->hasTracerColor[i] ? wanted->tracerColors[i] : look.tracerColors[i];
	}
	return look;
}

static tnsResult StartDrawing(Film* film)
{
	const tnWorld* world = tnsRun_GetWorld(film->def.run);
	tnsResult result = OpenEasel(&film->easel, film->def.width, film->def.height);
	if (result.status == tns_ok)
	{
		const tnrGroundDef ground = tnpGetGroundDef(film->def.run);
		const tnrResult drawing = tnrRenderer_SetWorld(film->easel.renderer, world, &ground);
		result = drawing.ok ? result : MakeError(tns_fileError, "cannot draw: %.400s", drawing.text);
	}
	film->look = MakeLook(&film->def);
	film->overview = tnrGetOverview(world);
	return result;
}

static tnsResult StartWriting(Film* film)
{
	const FilmDef* def = &film->def;
	if (def->frames != NULL && !MakeFolders(def->frames))
	{
		return MakeError(tns_fileError, "%s: cannot be made: %s", def->frames, strerror(errno));
	}
	tnsResult result = def->picture != NULL ? MakeFolderOf(def->picture) : (tnsResult){.status = tns_ok};
	if (result.status == tns_ok && def->video != NULL)
	{
		result = Easel_OpenVideo(&film->easel, def->video, def->framesPerSecond);
	}
	return result;
}

Film* OpenFilm(const FilmDef* def, tnsResult* result)
{
	Film* film = calloc(1, sizeof(Film));
	if (film == NULL)
	{
		*result = MakeError(tns_outOfMemory, "no memory for a film");
		return NULL;
	}
	film->def = *def;
	*result = StartDrawing(film);
	if (result->status == tns_ok)
	{
		*result = StartWriting(film);
	}
	if (result->status != tns_ok)
	{
		CloseEasel(&film->easel);
		free(film);
		return NULL;
	}
	return film;
}

static tnrCamera FindCamera(const Film* film, double time)
{
	tnrCamera camera = film->overview;
	tnsCamera wanted;
	if (tnsScene_GetCamera(tnsRun_GetScene(film->def.run), time, &wanted))
	{
		camera.eye = wanted.eye;
		camera.target = wanted.target;
		camera.fieldOfView = wanted.fieldOfView;
		// As suits the world.
		camera.nearPlane = 0.0f;
		camera.farPlane = 0.0f;
	}
	return camera;
}

// @param time seconds of water @param alpha between the last two states
static void DrawFrame(Film* film, double time, double filmTime, float alpha)
{
	const double begin = GetSeconds();
	const tnWorld* world = tnsRun_GetWorld(film->def.run);
	const tnrFrame frame = {
		.camera = FindCamera(film, time),
		.look = film->look,
		.time = filmTime,
	};
	tnpShowBodies(film->easel.renderer, film->def.run, -1);
	tnpShowDisplacers(film->easel.renderer, film->def.run);
	tnrRenderer_Update(film->easel.renderer, world, alpha);
	film->seenAt = tnsRun_GetTime(film->def.run);
	Easel_Draw(&film->easel, frame);
	film->drawSeconds += GetSeconds() - begin;
}

static tnsResult WriteFrame(Film* film)
{
	const double begin = GetSeconds();
	const FilmDef* def = &film->def;
	tnsResult result = {.status = tns_ok};
	if (def->frames != NULL)
	{
		char path[maxFilmPath];
		snprintf(path, sizeof(path), "%s/frame_%05d.png", def->frames, film->frameCount);
		result = tnsWritePicture(path, film->easel.pixels, def->width, def->height);
	}
	if (result.status == tns_ok)
	{
		result = Easel_AddFrame(&film->easel);
	}
	film->frameCount += result.status == tns_ok ? 1 : 0;
	film->writeSeconds += GetSeconds() - begin;
	return result;
}

// Let the renderer see the water before a picture at a time.
static void Remember(Film* film, double pictureTime, double step)
{
	const double now = tnsRun_GetTime(film->def.run);
	if (now + s_memory >= pictureTime && now - film->seenAt + 0.5 * step >= s_memoryStep)
	{
		const double begin = GetSeconds();
		tnrRenderer_Update(film->easel.renderer, tnsRun_GetWorld(film->def.run), 1.0f);
		film->seenAt = now;
		film->drawSeconds += GetSeconds() - begin;
	}
}

tnsResult Film_Advance(Film* film)
{
	const FilmDef* def = &film->def;
	const double step = (double)tnsScene_GetInfo(tnsRun_GetScene(def->run))->timeStep;
	const double now = tnsRun_GetTime(def->run);
	if (def->video == NULL && def->frames == NULL)
	{
		Remember(film, tnsRun_GetSeconds(def->run), step);
		return film->result;
	}
	// Slow motion has many frames in a step.
	while (film->result.status == tns_ok && !WasInterrupted())
	{
		const double filmTime = film->frameCount / def->framesPerSecond;
		const double time = def->from + filmTime * def->speed;
		// The end of the run is the beginning of a frame that would be shown after it. A film has at least one.
		const double end = tnsRun_GetSeconds(def->run) - s_slack * step;
		if (time > now + s_slack * step || (time >= end && film->frameCount > 0))
		{
			break;
		}
		const double alpha = 1.0 - (now - time) / step;
		DrawFrame(film, time, filmTime, (float)fmin(1.0, fmax(0.0, alpha)));
		film->result = WriteFrame(film);
	}
	Remember(film, def->from + film->frameCount / def->framesPerSecond * def->speed, step);
	return film->result;
}

// A longer film before this one may have left more pictures in the folder.
static void RemoveOldPictures(const Film* film)
{
	for (int i = film->frameCount; film->def.frames != NULL; ++i)
	{
		char path[maxFilmPath];
		snprintf(path, sizeof(path), "%s/frame_%05d.png", film->def.frames, i);
		if (!IsFile(path) || remove(path) != 0)
		{
			return;
		}
	}
}

tnsResult CloseFilm(Film* film)
{
	if (film == NULL)
	{
		return (tnsResult){.status = tns_ok};
	}
	tnsResult result = film->result;
	RemoveOldPictures(film);
	if (film->def.picture != NULL)
	{
		const double time = tnsRun_GetTime(film->def.run);
		DrawFrame(film, time, (time - film->def.from) / film->def.speed, 1.0f);
		const tnsResult written =
			tnsWritePicture(film->def.picture, film->easel.pixels, film->def.width, film->def.height);
		result = result.status == tns_ok ? written : result;
	}
	const tnsResult closed = CloseEasel(&film->easel);
	free(film);
	return result.status == tns_ok ? closed : result;
}

int Film_GetFrameCount(const Film* film)
{
	return film->frameCount;
}

double Film_GetDrawSeconds(const Film* film)
{
	return film->drawSeconds;
}

double Film_GetWriteSeconds(const Film* film)
{
	return film->writeSeconds;
}

const char* Film_GetDeviceName(const Film* film)
{
	return tnrHeadless_GetDeviceName(film->easel.headless);
}

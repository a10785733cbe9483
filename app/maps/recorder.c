// SPDX-License-Identifier: MIT

// What runs leave in a folder: maps, raw fields, time series and a summary.

#include "maps/recorder.h"

#include "commands/methods.h"
#include "maps/wave_map.h"
#include "system/errors.h"
#include "system/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxName = 64,
	maxFolder = 960,
	// With the slash between, and the zero at the end of either.
	maxPath = maxFolder + maxName,
	maxNumber = 32,
};

// One of the runs beside each other.
typedef struct Track
{
	tnsRun* run;
	char folder[maxFolder];
	tnWorldDef worldDef;
	const char* methodName;

	FILE* gauges;
	FILE* events;
	int64_t eventCount;

	// Packed copies of the fields of the world.
	float* bed;
	float* depth;
	float* velocityX;
	float* velocityZ;
	float* tracers[TN_MAX_TRACERS];
	float* scratch;
	// The wave layer on a finer grid. NULL if nobody wants it.
	float* waves;
	int waveScale;
} Track;

struct Recorder
{
	RecorderDef def;
	const tnsScene* scene;
	const tnsSceneInfo* info;
	Track tracks[maxMapPanels];
	int trackCount;

	Map* map;
	MapMark* marks;
	char subtitle[maxMapText];
	int frameCount;
};

static tnsResult Succeed(void)
{
	return (tnsResult){.status = tns_ok};
}

static void MakePath(const char folder[maxFolder], const char* name, char path[maxPath])
{
	snprintf(path, maxPath, "%s/%s", folder, name);
}

static FILE* OpenFile(const Track* track, const char* name, tnsResult* result)
{
	char path[maxPath];
	MakePath(track->folder, name, path);
	FILE* file = fopen(path, "w");
	if (file == NULL)
	{
		*result = MakeError(tns_fileError, "%s: %s", path, strerror(errno));
	}
	return file;
}

// A disk that is full shows when the last bytes are written.
static tnsResult CloseFile(const Track* track, FILE** file, const char* name)
{
	if (*file == NULL)
	{
		return Succeed();
	}
	const bool written = ferror(*file) == 0;
	const bool closed = fclose(*file) == 0;
	*file = NULL;
	if (!written || !closed)
	{
		return MakeError(tns_fileError, "%s/%s: could not be written to the end", track->folder, name);
	}
	return Succeed();
}

// A name as a CSV field: quoted if it has to be.
static void WriteCsvText(FILE* file, const char* text, const char* ending)
{
	const bool quote = strpbrk(text, ",\"\r\n") != NULL;
	if (quote)
	{
		fputc('"', file);
	}
	for (const char* c = text; *c != '\0'; ++c)
	{
		if (*c == '"')
		{
			fputc('"', file);
		}
		fputc(*c, file);
	}
	fputs(ending, file);
	if (quote)
	{
		fputc('"', file);
	}
}

static void WriteJsonText(FILE* file, const char* text)
{
	fputc('"', file);
	for (const char* c = text; *c != '\0'; ++c)
	{
		if (*c == '"' || *c == '\\')
		{
			fputc('\\', file);
			fputc(*c, file);
		}
		else if ((unsigned char)*c < 0x20)
		{
			fprintf(file, "\\u%04x", (unsigned)(unsigned char)*c);
		}
		else
		{
			fputc(*c, file);
		}
	}
	fputc('"', file);
}

// JSON has no infinity and no NaN.
static void WriteJsonNumber(FILE* file, double value)
{
	if (isfinite(value))
	{
		fprintf(file, "%.10g", value);
	}
	else
	{
		fputs("null", file);
	}
}

static bool CreateFields(Track* track, const RecorderDef* def)
{
	const size_t cellCount = (size_t)track->worldDef.columnCount * (size_t)track->worldDef.rowCount;
	float** fields[] = {&track->bed, &track->depth, &track->velocityX, &track->velocityZ, &track->scratch};
	bool ok = true;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i)
	{
		*fields[i] = malloc(cellCount * sizeof(float));
		ok = ok && *fields[i] != NULL;
	}
	for (int i = 0; i < track->worldDef.tracerCount; ++i)
	{
		track->tracers[i] = malloc(cellCount * sizeof(float));
		ok = ok && track->tracers[i] != NULL;
	}
	const bool wantsWaves = def->mode == mapWaves || def->mode == mapSurfaceWithWaves || (def->dumps & dumpWaves) != 0;
	if (wantsWaves)
	{
		track->waveScale = ChooseWaveScale(&track->worldDef);
		track->waves = malloc(cellCount * (size_t)(track->waveScale * track->waveScale) * sizeof(float));
		ok = ok && track->waves != NULL;
	}
	return ok;
}

static bool CreatePicture(Recorder* recorder)
{
	const tnsScene* scene = recorder->scene;
	const tnsSceneInfo* info = recorder->info;
	const tnWorldDef* worldDef = &recorder->tracks[0].worldDef;
	recorder->marks = calloc((size_t)info->gaugeCount + (size_t)info->regionCount + 1, sizeof(MapMark));
	if (recorder->marks == NULL)
	{
		return false;
	}
	for (int i = 0; i < info->gaugeCount; ++i)
	{
		const tnVec2 position = tnsScene_GetGaugePosition(scene, i);
		recorder->marks[i] =
			(MapMark){.kind = mapGauge, .name = tnsScene_GetGaugeName(scene, i), .x = position.x, .z = position.z};
	}
	for (int i = 0; i < info->regionCount; ++i)
	{
		const tnRegionDef region = tnsScene_GetRegionDef(scene, i);
		recorder->marks[info->gaugeCount + i] = (MapMark){
			.kind = region.shape == tn_discRegion ? mapDisc : mapBox,
			.name = tnsScene_GetRegionName(scene, i),
			.x = region.center.x,
			.z = region.center.z,
			.extentX = region.extent.x,
			.extentZ = region.extent.z,
		};
	}
	// Several methods have their names over their panels.
	const bool single = recorder->trackCount == 1;
	snprintf(recorder->subtitle, sizeof(recorder->subtitle), "%s%s%d \xc3\x97 %d cells of %g m",
		single ? recorder->tracks[0].methodName : "", single ? " method, " : "", worldDef->columnCount,
		worldDef->rowCount, (double)worldDef->cellSize);

	MapDef def = {
		.columnCount = worldDef->columnCount,
		.rowCount = worldDef->rowCount,
		.cellSize = worldDef->cellSize,
		.originX = worldDef->origin.x,
		.originZ = worldDef->origin.z,
		.pixelsPerCell = recorder->def.pixelsPerCell,
		.mode = recorder->def.mode,
		.tracer = info->view.tracer,
		.maxDepth = info->view.maxDepth,
		.maxSpeed = info->view.maxSpeed,
		.title = info->name,
		.subtitle = recorder->subtitle,
		.panelCount = recorder->trackCount,
		.tracerCount = worldDef->tracerCount,
		.marks = recorder->marks,
		.markCount = info->gaugeCount + info->regionCount,
		.waveScale = recorder->tracks[0].waveScale,
		.threadCount = GetProcessorCount(),
	};
	for (int i = 0; i < worldDef->tracerCount; ++i)
	{
		def.tracerNames[i] = info->tracerNames[i] != NULL ? info->tracerNames[i] : "tracer";
	}
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		def.captions[i] = recorder->tracks[i].methodName;
	}
	recorder->map = CreateMap(&def);
	return recorder->map != NULL;
}

static bool OpenSeries(const Recorder* recorder, Track* track, tnsResult* result)
{
	track->gauges = OpenFile(track, "gauges.csv", result);
	track->events = OpenFile(track, "events.csv", result);
	if (track->gauges == NULL || track->events == NULL)
	{
		return false;
	}
	static const char* const columns[] = {" surface", " depth", " vx", " vz"};
	fputs("time", track->gauges);
	for (int i = 0; i < recorder->info->gaugeCount; ++i)
	{
		for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]); ++k)
		{
			fputc(',', track->gauges);
			WriteCsvText(track->gauges, tnsScene_GetGaugeName(recorder->scene, i), columns[k]);
		}
	}
	fputc('\n', track->gauges);
	fputs("time,region,event,max_depth\n", track->events);
	return true;
}

static bool OpenTrack(Recorder* recorder, tnsRun* run, tnsResult* result)
{
	Track* track = recorder->tracks + recorder->trackCount;
	const bool first = recorder->trackCount == 0;
	recorder->trackCount += 1;
	track->run = run;
	track->worldDef = tnWorld_GetDef(tnsRun_GetWorld(run));
	track->methodName = g_methodNames[FindMethodName(track->worldDef.method, track->worldDef.advection)];
	const int length = snprintf(track->folder, sizeof(track->folder), "%s%s%s", recorder->def.folder, first ? "" : "/",
		first ? "" : track->methodName);
	if (length < 0 || length >= maxFolder)
	{
		*result = MakeError(tns_fileError, "the path of the output folder is too long");
		return false;
	}
	if (!MakeFolders(track->folder))
	{
		*result = MakeError(tns_fileError, "%s: the folder could not be made: %s", track->folder, strerror(errno));
		return false;
	}
	if (!CreateFields(track, &recorder->def))
	{
		*result = MakeError(tns_outOfMemory, "no memory for pictures of %d x %d cells", track->worldDef.columnCount,
			track->worldDef.rowCount);
		return false;
	}
	return OpenSeries(recorder, track, result);
}

Recorder* CreateRecorder(const RecorderDef* def, tnsRun* const* runs, int runCount, tnsResult* result)
{
	*result = MakeError(tns_outOfMemory, "no memory for the pictures");
	Recorder* recorder = calloc(1, sizeof(Recorder));
	if (recorder == NULL)
	{
		return NULL;
	}
	recorder->def = *def;
	recorder->scene = tnsRun_GetScene(runs[0]);
	recorder->info = tnsScene_GetInfo(recorder->scene);
	bool ok = true;
	for (int i = 0; i < runCount && ok; ++i)
	{
		ok = OpenTrack(recorder, runs[i], result);
	}
	if (!ok || !CreatePicture(recorder))
	{
		DestroyRecorder(recorder);
		return NULL;
	}
	*result = Succeed();
	return recorder;
}

static void CloseTrack(Track* track)
{
	if (track->gauges != NULL)
	{
		fclose(track->gauges);
	}
	if (track->events != NULL)
	{
		fclose(track->events);
	}
	free(track->bed);
	free(track->depth);
	free(track->velocityX);
	free(track->velocityZ);
	free(track->scratch);
	free(track->waves);
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		free(track->tracers[i]);
	}
}

void DestroyRecorder(Recorder* recorder)
{
	if (recorder == NULL)
	{
		return;
	}
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		CloseTrack(recorder->tracks + i);
	}
	DestroyMap(recorder->map);
	free(recorder->marks);
	free(recorder);
}

static const char* EventName(tnRegionEventKind kind)
{
	switch (kind)
	{
		case tn_becameWet:
			return "became_wet";
		case tn_becameDry:
			return "became_dry";
		case tn_roseAbove:
			return "rose_above";
		case tn_fellBelow:
			return "fell_below";
	}
	return "unknown";
}

static tnsResult WriteSeries(const Recorder* recorder, Track* track)
{
	const tnWorld* world = tnsRun_GetWorld(track->run);
	const double time = tnsRun_GetTime(track->run);
	if (recorder->info->gaugeCount > 0)
	{
		fprintf(track->gauges, "%.6g", time);
		for (int i = 0; i < recorder->info->gaugeCount; ++i)
		{
			tnGaugeState state;
			const tnResult result = tnWorld_GetGaugeState(world, tnsRun_GetGauge(track->run, i), &state);
			if (result.status != tn_ok)
			{
				return MakeError(
					tns_worldError, "gauge '%s': %s", tnsScene_GetGaugeName(recorder->scene, i), result.text);
			}
			const tnSample* sample = &state.sample;
			fprintf(track->gauges, ",%.7g,%.7g,%.6g,%.6g", (double)sample->surface, (double)sample->depth,
				(double)sample->velocity.x, (double)sample->velocity.z);
		}
		fputc('\n', track->gauges);
	}

	const tnRegionEvents events = tnWorld_GetRegionEvents(world);
	for (int i = 0; i < events.count; ++i)
	{
		const tnRegionEvent* event = events.events + i;
		const char* name = tnsScene_GetRegionName(recorder->scene, (int)event->userData);
		fprintf(track->events, "%.6g,", time);
		WriteCsvText(track->events, name != NULL ? name : "", "");
		fprintf(track->events, ",%s,%.7g\n", EventName(event->kind), (double)event->maxDepth);
		track->eventCount += 1;
	}
	if (ferror(track->gauges) != 0 || ferror(track->events) != 0)
	{
		return MakeError(tns_fileError, "%s: a time series could not be written", track->folder);
	}
	return Succeed();
}

tnsResult RecordStep(Recorder* recorder)
{
	tnsResult result = Succeed();
	for (int i = 0; i < recorder->trackCount && result.status == tns_ok; ++i)
	{
		result = WriteSeries(recorder, recorder->tracks + i);
	}
	return result;
}

static void PackField(tnFieldView view, float* packed)
{
	for (int row = 0; row < view.rowCount; ++row)
	{
		memcpy(packed + (size_t)row * (size_t)view.columnCount, view.data + (size_t)row * (size_t)view.stride,
			(size_t)view.columnCount * sizeof(float));
	}
}

static tnsResult CopyFields(Track* track)
{
	const tnWorld* world = tnsRun_GetWorld(track->run);
	PackField(tnWorld_GetBed(world), track->bed);
	PackField(tnWorld_GetDepth(world), track->depth);
	for (int i = 0; i < track->worldDef.tracerCount; ++i)
	{
		PackField(tnWorld_GetTracer(world, i), track->tracers[i]);
	}
	if (track->waves != NULL && !CopyWaves(world, track->waveScale, track->waves))
	{
		return MakeError(tns_outOfMemory, "no memory for a picture of the waves");
	}
	const tnResult result = tnWorld_CopyVelocities(world, track->velocityX, track->velocityZ);
	return result.status == tn_ok ? Succeed() : MakeError(tns_worldError, "%s", result.text);
}

static tnsResult WriteField(
	const Track* track, const float* values, const char* quantity, const char* unit, const char* ending)
{
	char name[maxName];
	char path[maxPath];
	snprintf(name, sizeof(name), "%s_%s.r32", quantity, ending);
	MakePath(track->folder, name, path);
	const tnWorldDef* def = &track->worldDef;
	const tnsFieldInfo info = {
		.quantity = quantity,
		.unit = unit,
		.time = tnsRun_GetTime(track->run),
		.cellSize = def->cellSize,
		.origin = def->origin,
	};
	return tnsWriteField(path, values, def->columnCount, def->rowCount, def->columnCount, &info);
}

// On a grid of its own.
static tnsResult WriteWaves(const Track* track, const char* ending)
{
	char name[maxName];
	char path[maxPath];
	snprintf(name, sizeof(name), "waves_%s.r32", ending);
	MakePath(track->folder, name, path);
	const tnWorldDef* def = &track->worldDef;
	const int columnCount = def->columnCount * track->waveScale, rowCount = def->rowCount * track->waveScale;
	const tnsFieldInfo info = {
		.quantity = "waves",
		.unit = "m",
		.time = tnsRun_GetTime(track->run),
		.cellSize = def->cellSize / (float)track->waveScale,
		.origin = def->origin,
	};
	return tnsWriteField(path, track->waves, columnCount, rowCount, columnCount, &info);
}

static tnsResult WriteDumps(Track* track, unsigned dumps, const char* ending)
{
	tnsResult result = Succeed();
	if ((dumps & dumpDepth) != 0)
	{
		result = WriteField(track, track->depth, "depth", "m", ending);
	}
	if ((dumps & dumpBed) != 0 && result.status == tns_ok)
	{
		result = WriteField(track, track->bed, "bed", "m", ending);
	}
	if ((dumps & dumpSurface) != 0 && result.status == tns_ok)
	{
		const size_t cellCount = (size_t)track->worldDef.columnCount * (size_t)track->worldDef.rowCount;
		for (size_t i = 0; i < cellCount; ++i)
		{
			track->scratch[i] = track->bed[i] + track->depth[i];
		}
		result = WriteField(track, track->scratch, "surface", "m", ending);
	}
	if ((dumps & dumpVelocity) != 0 && result.status == tns_ok)
	{
		result = WriteField(track, track->velocityX, "velocity_x", "m/s", ending);
		if (result.status == tns_ok)
		{
			result = WriteField(track, track->velocityZ, "velocity_z", "m/s", ending);
		}
	}
	if ((dumps & dumpWaves) != 0 && result.status == tns_ok)
	{
		result = WriteWaves(track, ending);
	}
	for (int i = 0; i < track->worldDef.tracerCount && (dumps & dumpTracer) != 0 && result.status == tns_ok; ++i)
	{
		char quantity[maxNumber];
		snprintf(quantity, sizeof(quantity), "tracer%d", i);
		result = WriteField(track, track->tracers[i], quantity, "1", ending);
	}
	return result;
}

static tnsResult WritePicture(Recorder* recorder, const char* name)
{
	MapFields panels[maxMapPanels];
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		const Track* track = recorder->tracks + i;
		panels[i] = (MapFields){
			.bed = track->bed,
			.depth = track->depth,
			.velocityX = track->velocityX,
			.velocityZ = track->velocityZ,
			.waves = track->waves,
		};
		for (int channel = 0; channel < TN_MAX_TRACERS; ++channel)
		{
			panels[i].tracers[channel] = track->tracers[channel];
		}
	}
	tnsRun* run = recorder->tracks[0].run;
	char note[64] = "";
	if (recorder->trackCount == 1)
	{
		snprintf(note, sizeof(note), "%.4g m\xc2\xb3 of water", tnWorld_GetLedger(tnsRun_GetWorld(run)).volume);
	}
	const Image* picture = DrawMap(recorder->map, panels, tnsRun_GetTime(run), note);
	char path[maxPath];
	MakePath(recorder->tracks[0].folder, name, path);
	return tnsWritePicture(path, picture->pixels, picture->width, picture->height);
}

// A picture of all runs, and the fields to dump of each. Every file is tried, so that one that fails does not take the
// others with it; the first failure is told.
static tnsResult WriteState(Recorder* recorder, const char* picture, const char* ending)
{
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		const tnsResult result = CopyFields(recorder->tracks + i);
		if (result.status != tns_ok)
		{
			return result;
		}
	}
	tnsResult first = WritePicture(recorder, picture);
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		const tnsResult result = WriteDumps(recorder->tracks + i, recorder->def.dumps, ending);
		first = first.status == tns_ok ? result : first;
	}
	return first;
}

tnsResult RecordFrame(Recorder* recorder)
{
	char number[maxNumber];
	char name[maxName];
	snprintf(number, sizeof(number), "%04d", recorder->frameCount);
	snprintf(name, sizeof(name), "frame_%s.png", number);
	const tnsResult result = WriteState(recorder, name, number);
	// With every picture the series are on the disk too, for whoever watches the run.
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		fflush(recorder->tracks[i].gauges);
		fflush(recorder->tracks[i].events);
	}
	recorder->frameCount += result.status == tns_ok ? 1 : 0;
	return result;
}

int GetFrameCount(const Recorder* recorder)
{
	return recorder->frameCount;
}

// A longer run before this one may have left more pictures, and a film made of both would be nonsense. They are
// numbered without gaps, so the first number that is missing ends them.
static void RemoveOldFrames(const Recorder* recorder)
{
	for (int i = recorder->frameCount;; ++i)
	{
		char name[maxName];
		char path[maxPath];
		snprintf(name, sizeof(name), "frame_%04d.png", i);
		MakePath(recorder->tracks[0].folder, name, path);
		if (!IsFile(path) || remove(path) != 0)
		{
			return;
		}
	}
}

void ListLedger(const tnLedger* ledger, LedgerLine lines[ledgerLineCount])
{
	const LedgerLine all[ledgerLineCount] = {
		{"volume", ledger->volume},
		{"airborne", ledger->airborne},
		{"held", ledger->held},
		{"edits", ledger->edits},
		{"sources", ledger->sources},
		{"drains", ledger->drains},
		{"wells", ledger->wells},
		{"rain", ledger->rain},
		{"evaporation", ledger->evaporation},
		{"infiltration", ledger->infiltration},
		{"edge_west", ledger->edges[tn_west]},
		{"edge_east", ledger->edges[tn_east]},
		{"edge_north", ledger->edges[tn_north]},
		{"edge_south", ledger->edges[tn_south]},
		{"drift", ledger->drift},
	};
	memcpy(lines, all, sizeof(all));
}

static void WriteGaugeSummary(const Recorder* recorder, const Track* track, FILE* file)
{
	for (int i = 0; i < recorder->info->gaugeCount; ++i)
	{
		tnGaugeState state;
		const tnGaugeId id = tnsRun_GetGauge(track->run, i);
		if (tnWorld_GetGaugeState(tnsRun_GetWorld(track->run), id, &state).status != tn_ok)
		{
			continue;
		}
		fputs(i > 0 ? ",\n\t\t{\"name\": " : "\n\t\t{\"name\": ", file);
		WriteJsonText(file, tnsScene_GetGaugeName(recorder->scene, i));
		fputs(", \"max_depth\": ", file);
		WriteJsonNumber(file, (double)state.maxDepth);
		fputs(", \"max_speed\": ", file);
		WriteJsonNumber(file, (double)state.maxSpeed);
		fputs(", \"arrival_time\": ", file);
		// Minus one means never.
		WriteJsonNumber(file, state.arrivalTime < 0.0 ? NAN : state.arrivalTime);
		fputs("}", file);
	}
}

static void WriteRegionSummary(const Recorder* recorder, const Track* track, FILE* file)
{
	for (int i = 0; i < recorder->info->regionCount; ++i)
	{
		tnRegionState state;
		const tnRegionId id = tnsRun_GetRegion(track->run, i);
		if (tnWorld_GetRegionState(tnsRun_GetWorld(track->run), id, &state).status != tn_ok)
		{
			continue;
		}
		fputs(i > 0 ? ",\n\t\t{\"name\": " : "\n\t\t{\"name\": ", file);
		WriteJsonText(file, tnsScene_GetRegionName(recorder->scene, i));
		fputs(", \"volume\": ", file);
		WriteJsonNumber(file, state.volume);
		fputs(", \"wet_area\": ", file);
		WriteJsonNumber(file, state.wetArea);
		fputs(", \"area\": ", file);
		WriteJsonNumber(file, state.area);
		fputs(", \"max_depth\": ", file);
		WriteJsonNumber(file, (double)state.maxDepth);
		fputs("}", file);
	}
}

static tnsResult WriteSummary(const Recorder* recorder, const Track* track, const RunNumbers* numbers)
{
	tnsResult result;
	FILE* file = OpenFile(track, "summary.json", &result);
	if (file == NULL)
	{
		return result;
	}
	tnWorld* world = tnsRun_GetWorld(track->run);
	const tnWorldDef* def = &track->worldDef;
	const tnStats stats = tnWorld_GetStats(world);
	const tnLedger ledger = tnWorld_GetLedger(world);
	const double time = tnsRun_GetTime(track->run);

	fprintf(file, "{\n\t\"scene\": ");
	WriteJsonText(file, recorder->info->name);
	fprintf(file, ",\n\t\"hash\": \"%016" PRIx64 "\"", tnWorld_GetHash(world));
	fprintf(file, ",\n\t\"interrupted\": %s", numbers->interrupted ? "true" : "false");
	fprintf(file, ",\n\t\"time\": %.10g,\n\t\"steps\": %" PRId64 ",\n\t\"time_step\": %.9g", time, numbers->stepCount,
		(double)recorder->info->timeStep);
	fprintf(file, ",\n\t\"method\": \"%s\",\n\t\"columns\": %d,\n\t\"rows\": %d,\n\t\"cell_size\": %.9g",
		track->methodName, def->columnCount, def->rowCount, (double)def->cellSize);
	fprintf(file, ",\n\t\"workers\": %d,\n\t\"simd\": \"%s\"", def->tasks.workerCount, tnGetSimdName(stats.simd));
	fprintf(file, ",\n\t\"sub_steps\": %" PRId64 ",\n\t\"most_sub_steps\": %d,\n\t\"least_wave_speed\": %.6g",
		numbers->subStepCount, numbers->mostSubSteps, (double)numbers->leastWaveSpeed);
	fprintf(file, ",\n\t\"tiles\": %d,\n\t\"awake_tiles\": %d,\n\t\"most_awake_tiles\": %d", stats.tileCount,
		stats.awakeTileCount, numbers->mostAwakeTiles);
	fprintf(file, ",\n\t\"max_depth\": %.9g,\n\t\"bytes\": %zu", (double)stats.maxDepth, stats.byteCount);
	fprintf(
		file, ",\n\t\"step_seconds\": %.6g,\n\t\"record_seconds\": %.6g", numbers->stepSeconds, numbers->recordSeconds);
	fprintf(file, ",\n\t\"frames\": %d,\n\t\"events\": %" PRId64, recorder->frameCount, track->eventCount);

	if (recorder->trackCount > 1)
	{
		fputs(",\n\t\"beside\": [", file);
		const char* comma = "";
		for (int i = 0; i < recorder->trackCount; ++i)
		{
			if (recorder->tracks + i != track)
			{
				fprintf(file, "%s\"%s\"", comma, recorder->tracks[i].methodName);
				comma = ", ";
			}
		}
		fputs("]", file);
	}
	LedgerLine lines[ledgerLineCount];
	ListLedger(&ledger, lines);
	fputs(",\n\t\"ledger\": {", file);
	for (int i = 0; i < ledgerLineCount; ++i)
	{
		fprintf(file, "%s\n\t\t\"%s\": ", i > 0 ? "," : "", lines[i].name);
		WriteJsonNumber(file, lines[i].volume);
	}
	fputs("\n\t},\n\t\"gauges\": [", file);
	WriteGaugeSummary(recorder, track, file);
	fputs("],\n\t\"regions\": [", file);
	WriteRegionSummary(recorder, track, file);
	fputs("]\n}\n", file);
	return CloseFile(track, &file, "summary.json");
}

tnsResult RecordEnd(Recorder* recorder, const RunNumbers* numbers)
{
	tnsResult first = WriteState(recorder, "final.png", "final");
	for (int i = 0; i < recorder->trackCount; ++i)
	{
		Track* track = recorder->tracks + i;
		const tnsResult others[] = {
			CloseFile(track, &track->gauges, "gauges.csv"),
			CloseFile(track, &track->events, "events.csv"),
			WriteSummary(recorder, track, numbers + i),
		};
		for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); ++k)
		{
			first = first.status == tns_ok ? others[k] : first;
		}
	}
	RemoveOldFrames(recorder);
	return first;
}

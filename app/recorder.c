// SPDX-License-Identifier: MIT

#include "recorder.h"

#include "platform.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxPath = 1024,
	maxNumber = 32,
};

struct Recorder
{
	RecorderDef def;
	tnsRun* run;
	const tnsSceneInfo* info;
	tnWorldDef worldDef;

	Map* map;
	MapMark* marks;
	char subtitle[maxMapText];
	int frameCount;

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
};

static tnsResult Fail(tnsStatus status, const char* format, ...)
{
	tnsResult result = {.status = status};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(result.text, sizeof(result.text), format, arguments);
	va_end(arguments);
	return result;
}

static tnsResult Succeed(void)
{
	return (tnsResult){.status = tns_ok};
}

static void MakePath(const Recorder* recorder, const char* name, char path[maxPath])
{
	snprintf(path, maxPath, "%s/%s", recorder->def.folder, name);
}

static FILE* OpenFile(const Recorder* recorder, const char* name, tnsResult* result)
{
	char path[maxPath];
	MakePath(recorder, name, path);
	FILE* file = fopen(path, "w");
	if (file == NULL)
	{
		*result = Fail(tns_fileError, "%s: %s", path, strerror(errno));
	}
	return file;
}

// A disk that is full shows when the last bytes are written.
static tnsResult CloseFile(const Recorder* recorder, FILE** file, const char* name)
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
		return Fail(tns_fileError, "%s/%s: could not be written to the end", recorder->def.folder, name);
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

static const char* MethodName(tnMethod method)
{
	return method == tn_pipeMethod ? "pipe" : "linear";
}

static MapMode ModeOf(tnsViewMode mode)
{
	switch (mode)
	{
		case tns_depthView:
			return mapDepth;
		case tns_speedView:
			return mapSpeed;
		case tns_tracerView:
			return mapTracer;
		case tns_waterView:
		case tns_viewModeCount:
			break;
	}
	return mapWater;
}

static bool CreateFields(Recorder* recorder)
{
	const size_t cellCount = (size_t)recorder->worldDef.columnCount * (size_t)recorder->worldDef.rowCount;
	float** fields[] = {
		&recorder->bed, &recorder->depth, &recorder->velocityX, &recorder->velocityZ, &recorder->scratch};
	bool ok = true;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i)
	{
		*fields[i] = malloc(cellCount * sizeof(float));
		ok = ok && *fields[i] != NULL;
	}
	for (int i = 0; i < recorder->worldDef.tracerCount; ++i)
	{
		recorder->tracers[i] = malloc(cellCount * sizeof(float));
		ok = ok && recorder->tracers[i] != NULL;
	}
	return ok;
}

static bool CreatePicture(Recorder* recorder)
{
	const tnsScene* scene = tnsRun_GetScene(recorder->run);
	const tnsSceneInfo* info = recorder->info;
	const tnWorldDef* worldDef = &recorder->worldDef;
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
	snprintf(recorder->subtitle, sizeof(recorder->subtitle), "%s method, %d \xc3\x97 %d cells of %g m",
		MethodName(worldDef->method), worldDef->columnCount, worldDef->rowCount, (double)worldDef->cellSize);

	MapDef def = {
		.columnCount = worldDef->columnCount,
		.rowCount = worldDef->rowCount,
		.cellSize = worldDef->cellSize,
		.originX = worldDef->origin.x,
		.originZ = worldDef->origin.z,
		.pixelsPerCell = recorder->def.pixelsPerCell,
		.mode = ModeOf(info->view.mode),
		.tracer = info->view.tracer,
		.maxDepth = info->view.maxDepth,
		.maxSpeed = info->view.maxSpeed,
		.title = info->name,
		.subtitle = recorder->subtitle,
		.tracerCount = worldDef->tracerCount,
		.marks = recorder->marks,
		.markCount = info->gaugeCount + info->regionCount,
		.threadCount = GetProcessorCount(),
	};
	for (int i = 0; i < worldDef->tracerCount; ++i)
	{
		def.tracerNames[i] = info->tracerNames[i] != NULL ? info->tracerNames[i] : "tracer";
	}
	recorder->map = CreateMap(&def);
	return recorder->map != NULL;
}

static bool OpenSeries(Recorder* recorder, tnsResult* result)
{
	recorder->gauges = OpenFile(recorder, "gauges.csv", result);
	recorder->events = OpenFile(recorder, "events.csv", result);
	if (recorder->gauges == NULL || recorder->events == NULL)
	{
		return false;
	}
	static const char* const columns[] = {" surface", " depth", " vx", " vz"};
	fputs("time", recorder->gauges);
	for (int i = 0; i < recorder->info->gaugeCount; ++i)
	{
		for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]); ++k)
		{
			fputc(',', recorder->gauges);
			WriteCsvText(recorder->gauges, tnsScene_GetGaugeName(tnsRun_GetScene(recorder->run), i), columns[k]);
		}
	}
	fputc('\n', recorder->gauges);
	fputs("time,region,event,max_depth\n", recorder->events);
	return true;
}

Recorder* CreateRecorder(const RecorderDef* def, tnsRun* run, tnsResult* result)
{
	Recorder* recorder = calloc(1, sizeof(Recorder));
	if (recorder == NULL)
	{
		*result = Fail(tns_outOfMemory, "no memory");
		return NULL;
	}
	recorder->def = *def;
	recorder->run = run;
	recorder->info = tnsScene_GetInfo(tnsRun_GetScene(run));
	recorder->worldDef = tnWorld_GetDef(tnsRun_GetWorld(run));

	if (strlen(def->folder) + 64 > maxPath)
	{
		*result = Fail(tns_fileError, "the path of the output folder is too long");
	}
	else if (!MakeFolders(def->folder))
	{
		*result = Fail(tns_fileError, "%s: the folder could not be made: %s", def->folder, strerror(errno));
	}
	else if (!CreateFields(recorder) || !CreatePicture(recorder))
	{
		*result = Fail(tns_outOfMemory, "no memory for pictures of %d x %d cells", recorder->worldDef.columnCount,
			recorder->worldDef.rowCount);
	}
	else if (OpenSeries(recorder, result))
	{
		*result = Succeed();
		return recorder;
	}
	DestroyRecorder(recorder);
	return NULL;
}

void DestroyRecorder(Recorder* recorder)
{
	if (recorder == NULL)
	{
		return;
	}
	if (recorder->gauges != NULL)
	{
		fclose(recorder->gauges);
	}
	if (recorder->events != NULL)
	{
		fclose(recorder->events);
	}
	DestroyMap(recorder->map);
	free(recorder->marks);
	free(recorder->bed);
	free(recorder->depth);
	free(recorder->velocityX);
	free(recorder->velocityZ);
	free(recorder->scratch);
	for (int i = 0; i < TN_MAX_TRACERS; ++i)
	{
		free(recorder->tracers[i]);
	}
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

tnsResult RecordStep(Recorder* recorder)
{
	const tnWorld* world = tnsRun_GetWorld(recorder->run);
	const tnsScene* scene = tnsRun_GetScene(recorder->run);
	const double time = tnsRun_GetTime(recorder->run);
	if (recorder->info->gaugeCount > 0)
	{
		fprintf(recorder->gauges, "%.6g", time);
		for (int i = 0; i < recorder->info->gaugeCount; ++i)
		{
			tnGaugeState state;
			const tnResult result = tnWorld_GetGaugeState(world, tnsRun_GetGauge(recorder->run, i), &state);
			if (result.status != tn_ok)
			{
				return Fail(tns_worldError, "gauge '%s': %s", tnsScene_GetGaugeName(scene, i), result.text);
			}
			const tnSample* sample = &state.sample;
			fprintf(recorder->gauges, ",%.7g,%.7g,%.6g,%.6g", (double)sample->surface, (double)sample->depth,
				(double)sample->velocity.x, (double)sample->velocity.z);
		}
		fputc('\n', recorder->gauges);
	}

	const tnRegionEvents events = tnWorld_GetRegionEvents(world);
	for (int i = 0; i < events.count; ++i)
	{
		const tnRegionEvent* event = events.events + i;
		const char* name = tnsScene_GetRegionName(scene, (int)event->userData);
		fprintf(recorder->events, "%.6g,", time);
		WriteCsvText(recorder->events, name != NULL ? name : "", "");
		fprintf(recorder->events, ",%s,%.7g\n", EventName(event->kind), (double)event->maxDepth);
		recorder->eventCount += 1;
	}
	if (ferror(recorder->gauges) != 0 || ferror(recorder->events) != 0)
	{
		return Fail(tns_fileError, "%s: a time series could not be written", recorder->def.folder);
	}
	return Succeed();
}

static void PackField(tnFieldView view, float* packed)
{
	for (int row = 0; row < view.rowCount; ++row)
	{
		memcpy(packed + (size_t)row * (size_t)view.columnCount, view.data + (size_t)row * (size_t)view.stride,
			(size_t)view.columnCount * sizeof(float));
	}
}

static tnsResult CopyFields(Recorder* recorder)
{
	const tnWorld* world = tnsRun_GetWorld(recorder->run);
	PackField(tnWorld_GetBed(world), recorder->bed);
	PackField(tnWorld_GetDepth(world), recorder->depth);
	for (int i = 0; i < recorder->worldDef.tracerCount; ++i)
	{
		PackField(tnWorld_GetTracer(world, i), recorder->tracers[i]);
	}
	const tnResult result = tnWorld_CopyVelocities(world, recorder->velocityX, recorder->velocityZ);
	return result.status == tn_ok ? Succeed() : Fail(tns_worldError, "%s", result.text);
}

static tnsResult WriteField(
	const Recorder* recorder, const float* values, const char* quantity, const char* unit, const char* ending)
{
	char name[128];
	char path[maxPath];
	snprintf(name, sizeof(name), "%s_%s.r32", quantity, ending);
	MakePath(recorder, name, path);
	const tnWorldDef* def = &recorder->worldDef;
	const tnsFieldInfo info = {
		.quantity = quantity,
		.unit = unit,
		.time = tnsRun_GetTime(recorder->run),
		.cellSize = def->cellSize,
		.origin = def->origin,
	};
	return tnsWriteField(path, values, def->columnCount, def->rowCount, def->columnCount, &info);
}

static tnsResult WriteDumps(Recorder* recorder, const char* ending)
{
	const unsigned dumps = recorder->def.dumps;
	tnsResult result = Succeed();
	if ((dumps & dumpDepth) != 0)
	{
		result = WriteField(recorder, recorder->depth, "depth", "m", ending);
	}
	if ((dumps & dumpBed) != 0 && result.status == tns_ok)
	{
		result = WriteField(recorder, recorder->bed, "bed", "m", ending);
	}
	if ((dumps & dumpSurface) != 0 && result.status == tns_ok)
	{
		const size_t cellCount = (size_t)recorder->worldDef.columnCount * (size_t)recorder->worldDef.rowCount;
		for (size_t i = 0; i < cellCount; ++i)
		{
			recorder->scratch[i] = recorder->bed[i] + recorder->depth[i];
		}
		result = WriteField(recorder, recorder->scratch, "surface", "m", ending);
	}
	if ((dumps & dumpVelocity) != 0 && result.status == tns_ok)
	{
		result = WriteField(recorder, recorder->velocityX, "velocity_x", "m/s", ending);
		if (result.status == tns_ok)
		{
			result = WriteField(recorder, recorder->velocityZ, "velocity_z", "m/s", ending);
		}
	}
	for (int i = 0; i < recorder->worldDef.tracerCount && (dumps & dumpTracer) != 0 && result.status == tns_ok; ++i)
	{
		char quantity[maxNumber];
		snprintf(quantity, sizeof(quantity), "tracer%d", i);
		result = WriteField(recorder, recorder->tracers[i], quantity, "1", ending);
	}
	return result;
}

static tnsResult WritePicture(Recorder* recorder, const char* name)
{
	const MapFields fields = {
		.bed = recorder->bed,
		.depth = recorder->depth,
		.velocityX = recorder->velocityX,
		.velocityZ = recorder->velocityZ,
		.tracers = {recorder->tracers[0], recorder->tracers[1], recorder->tracers[2], recorder->tracers[3],
			recorder->tracers[4], recorder->tracers[5], recorder->tracers[6], recorder->tracers[7]},
	};
	char note[64];
	snprintf(note, sizeof(note), "%.4g m\xc2\xb3 of water", tnWorld_GetLedger(tnsRun_GetWorld(recorder->run)).volume);
	const Image* picture = DrawMap(recorder->map, &fields, tnsRun_GetTime(recorder->run), note);
	char path[maxPath];
	MakePath(recorder, name, path);
	return tnsWritePicture(path, picture->pixels, picture->width, picture->height);
}

tnsResult RecordFrame(Recorder* recorder)
{
	char number[maxNumber];
	char name[maxNumber + 16];
	snprintf(number, sizeof(number), "%04d", recorder->frameCount);
	snprintf(name, sizeof(name), "frame_%s.png", number);
	tnsResult result = CopyFields(recorder);
	if (result.status == tns_ok)
	{
		result = WritePicture(recorder, name);
	}
	if (result.status == tns_ok)
	{
		result = WriteDumps(recorder, number);
	}
	// With every picture the series are on the disk too, for whoever watches the run.
	fflush(recorder->gauges);
	fflush(recorder->events);
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
		char name[maxNumber + 16];
		char path[maxPath];
		snprintf(name, sizeof(name), "frame_%04d.png", i);
		MakePath(recorder, name, path);
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

static void WriteGaugeSummary(const Recorder* recorder, FILE* file)
{
	const tnsScene* scene = tnsRun_GetScene(recorder->run);
	for (int i = 0; i < recorder->info->gaugeCount; ++i)
	{
		tnGaugeState state;
		const tnGaugeId id = tnsRun_GetGauge(recorder->run, i);
		if (tnWorld_GetGaugeState(tnsRun_GetWorld(recorder->run), id, &state).status != tn_ok)
		{
			continue;
		}
		fputs(i > 0 ? ",\n\t\t{\"name\": " : "\n\t\t{\"name\": ", file);
		WriteJsonText(file, tnsScene_GetGaugeName(scene, i));
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

static void WriteRegionSummary(const Recorder* recorder, FILE* file)
{
	const tnsScene* scene = tnsRun_GetScene(recorder->run);
	for (int i = 0; i < recorder->info->regionCount; ++i)
	{
		tnRegionState state;
		const tnRegionId id = tnsRun_GetRegion(recorder->run, i);
		if (tnWorld_GetRegionState(tnsRun_GetWorld(recorder->run), id, &state).status != tn_ok)
		{
			continue;
		}
		fputs(i > 0 ? ",\n\t\t{\"name\": " : "\n\t\t{\"name\": ", file);
		WriteJsonText(file, tnsScene_GetRegionName(scene, i));
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

static tnsResult WriteSummary(const Recorder* recorder, const RunNumbers* numbers)
{
	tnsResult result;
	FILE* file = OpenFile(recorder, "summary.json", &result);
	if (file == NULL)
	{
		return result;
	}
	tnWorld* world = tnsRun_GetWorld(recorder->run);
	const tnWorldDef* def = &recorder->worldDef;
	const tnStats stats = tnWorld_GetStats(world);
	const tnLedger ledger = tnWorld_GetLedger(world);
	const double time = tnsRun_GetTime(recorder->run);

	fprintf(file, "{\n\t\"scene\": ");
	WriteJsonText(file, recorder->info->name);
	fprintf(file, ",\n\t\"hash\": \"%016" PRIx64 "\"", tnWorld_GetHash(world));
	fprintf(file, ",\n\t\"interrupted\": %s", numbers->interrupted ? "true" : "false");
	fprintf(file, ",\n\t\"time\": %.10g,\n\t\"steps\": %" PRId64 ",\n\t\"time_step\": %.9g", time, numbers->stepCount,
		(double)recorder->info->timeStep);
	fprintf(file, ",\n\t\"method\": \"%s\",\n\t\"columns\": %d,\n\t\"rows\": %d,\n\t\"cell_size\": %.9g",
		MethodName(def->method), def->columnCount, def->rowCount, (double)def->cellSize);
	fprintf(file, ",\n\t\"workers\": %d,\n\t\"simd\": \"%s\"", def->tasks.workerCount, tnGetSimdName(stats.simd));
	fprintf(file, ",\n\t\"sub_steps\": %" PRId64 ",\n\t\"most_sub_steps\": %d,\n\t\"least_wave_speed\": %.6g",
		numbers->subStepCount, numbers->mostSubSteps, (double)numbers->leastWaveSpeed);
	fprintf(file, ",\n\t\"tiles\": %d,\n\t\"awake_tiles\": %d,\n\t\"most_awake_tiles\": %d", stats.tileCount,
		stats.awakeTileCount, numbers->mostAwakeTiles);
	fprintf(file, ",\n\t\"max_depth\": %.9g,\n\t\"bytes\": %zu", (double)stats.maxDepth, stats.byteCount);
	fprintf(
		file, ",\n\t\"step_seconds\": %.6g,\n\t\"record_seconds\": %.6g", numbers->stepSeconds, numbers->recordSeconds);
	fprintf(file, ",\n\t\"frames\": %d,\n\t\"events\": %" PRId64, recorder->frameCount, recorder->eventCount);

	LedgerLine lines[ledgerLineCount];
	ListLedger(&ledger, lines);
	fputs(",\n\t\"ledger\": {", file);
	for (int i = 0; i < ledgerLineCount; ++i)
	{
		fprintf(file, "%s\n\t\t\"%s\": ", i > 0 ? "," : "", lines[i].name);
		WriteJsonNumber(file, lines[i].volume);
	}
	fputs("\n\t},\n\t\"gauges\": [", file);
	WriteGaugeSummary(recorder, file);
	fputs("],\n\t\"regions\": [", file);
	WriteRegionSummary(recorder, file);
	fputs("]\n}\n", file);
	return CloseFile(recorder, &file, "summary.json");
}

tnsResult RecordEnd(Recorder* recorder, const RunNumbers* numbers)
{
	// Every file is tried, so that one that fails does not take the others with it; the first failure is told.
	tnsResult first = CopyFields(recorder);
	if (first.status == tns_ok)
	{
		first = WritePicture(recorder, "final.png");
		const tnsResult dumps = WriteDumps(recorder, "final");
		first = first.status == tns_ok ? dumps : first;
	}
	const tnsResult others[] = {
		CloseFile(recorder, &recorder->gauges, "gauges.csv"),
		CloseFile(recorder, &recorder->events, "events.csv"),
		WriteSummary(recorder, numbers),
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i)
	{
		first = first.status == tns_ok ? others[i] : first;
	}
	RemoveOldFrames(recorder);
	return first;
}

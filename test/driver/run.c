// SPDX-License-Identifier: MIT

// A run: a world, calls until the bytes end, and an end without a leak.

#include "voxel_calls.h"

enum
{
	callKindLimit = 128
};

typedef struct CallTable
{
	DriverCall calls[callKindLimit];
	int count;
	int weight, calmWeight;
} CallTable;

static void AddCalls(CallTable* table, const DriverCall* calls, int count)
{
	for (int i = 0; i < count; ++i)
	{
		table->calls[table->count] = calls[i];
		table->count += 1;
		table->weight += calls[i].weight;
		table->calmWeight += calls[i].isCalm ? calls[i].weight : 0;
	}
}

static const CallTable* GetTable(bool voxels)
{
	static CallTable tables[2];
	CallTable* table = tables + (voxels ? 1 : 0);
	if (table->count == 0 && voxels)
	{
		AddCalls(table, voxelEditCalls, voxelEditCallCount);
		AddCalls(table, voxelAskCalls, voxelAskCallCount);
	}
	else if (table->count == 0)
	{
		AddCalls(table, editCalls, editCallCount);
		AddCalls(table, tuneCalls, tuneCallCount);
		AddCalls(table, keepCalls, keepCallCount);
		AddCalls(table, bodyCalls, bodyCallCount);
		AddCalls(table, waveCalls, waveCallCount);
		AddCalls(table, sprayCalls, sprayCallCount);
		AddCalls(table, queryCalls, queryCallCount);
	}
	return table;
}

static int PickKind(Driver* d, const CallTable* table, bool isCalm)
{
	const int byte = d->bytes[d->position];
	d->position += 1;
	const bool onlyCalm = isCalm && byte % 2 == 0;
	int left = byte * (onlyCalm ? table->calmWeight : table->weight) / 256;
	int kind = 0;
	while (left >= table->calls[kind].weight || (onlyCalm && !table->calls[kind].isCalm))
	{
		left -= onlyCalm && !table->calls[kind].isCalm ? 0 : table->calls[kind].weight;
		kind += 1;
	}
	return kind;
}

static bool IsCalm(Driver* d)
{
	if (IsAtEnd(d))
	{
		return false;
	}
	d->position += 1;
	return d->bytes[d->position - 1] % 3 == 0;
}

// Does a run begin with this call?
static bool IsOpening(Driver* d, const CallTable* table, int kind, bool isCalm)
{
	if (table->calls[kind].opening == 0 || IsAtEnd(d))
	{
		return false;
	}
	d->position += 1;
	const int byte = d->bytes[d->position - 1];
	return byte % 4 < table->calls[kind].opening && (table->calls[kind].isCalm || !isCalm);
}

// ---------------------------------------------------------------------------------------------------------------------
// Records

DriverRecord* DriverCreateRecord(void)
{
	return calloc(1, sizeof(DriverRecord));
}

static void ClearRecord(DriverRecord* record)
{
	for (int i = 0; i < record->callCount; ++i)
	{
		free(record->calls[i].words);
	}
	record->callCount = 0;
}

void DriverDestroyRecord(DriverRecord* record)
{
	if (record != NULL)
	{
		ClearRecord(record);
		free(record->calls);
		free(record);
	}
}

int DriverGetCallCount(const DriverRecord* record)
{
	return record->callCount;
}

static CallRecord* AddCall(DriverRecord* record, int kind)
{
	if (record->callCount == record->capacity)
	{
		record->capacity = record->capacity > 0 ? 2 * record->capacity : 64;
		record->calls = realloc(record->calls, sizeof(CallRecord) * (size_t)record->capacity);
		if (record->calls == NULL)
		{
			abort();
		}
	}
	CallRecord* call = record->calls + record->callCount;
	*call = (CallRecord){.kind = kind};
	record->callCount += 1;
	return call;
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs

// The first call makes the worlds.
enum
{
	terrainKind = -1,
	voxelsKind = -2,
};

static void MakeCall(Driver* d, int kind, DriverRecord* record, const CallRecord* replayed)
{
	d->recorded = record != NULL ? AddCall(record, kind) : NULL;
	d->replayed = replayed;
	d->replayAt = 0;
	d->muted = false;
	// Calls with many values would nearly always be refused.
	d->sensible = kind >= 0 && !DrawOneIn(d, 4);
	if (kind < 0)
	{
		(kind == voxelsKind ? CreateVoxelWorlds : CreateWorlds)(d);
		return;
	}
	const CallTable* table = GetTable(d->options.voxels);
	if (kind < table->count)
	{
		table->calls[kind].fcn(d);
	}
}

static bool HasWorld(const Driver* d)
{
	return d->options.voxels ? d->voxelWorlds[0] != NULL : d->worlds[0] != NULL;
}

static Driver* CreateDriver(const DriverOptions* options, DriverReport* report)
{
	memset(report, 0, sizeof(*report));
	Driver* d = calloc(1, sizeof(Driver));
	if (d == NULL)
	{
		abort();
	}
	d->options = *options;
	d->report = report;
	return d;
}

static bool Finish(Driver* d)
{
	DriverReport* report = d->report;
	report->hash = d->hashes[0];
	report->allocationCount = d->memories[0].allocationCount;
	for (int i = 0; i < twinLimit; ++i)
	{
		tnDestroyVoxelMesher(d->meshers[i]);
		tnDestroyVoxelWorld(d->voxelWorlds[i]);
		tnDestroyWorld(d->worlds[i]);
		for (int k = 0; k < saveSlotCount; ++k)
		{
			free(d->ids[i].saves[k]);
		}
		free(d->ids[i].snapshot);
		free(d->ids[i].record);
		d->call = "tnDestroyWorld()";
		if (d->memories[i].liveBytes != 0 || d->memories[i].badFreeCount != 0)
		{
			Fail(d, "leak", "%d bytes are left, %d bad frees", (int)d->memories[i].liveBytes,
				d->memories[i].badFreeCount);
		}
	}
	CountCalls(d->options.voxels ? "tnDestroyVoxelWorld(" : "tnDestroyWorld(", true);
	free(d);
	return report->text[0] == 0;
}

bool DriverRunBytes(
	const uint8_t* bytes, size_t size, const DriverOptions* options, DriverRecord* record, DriverReport* report)
{
	Driver* d = CreateDriver(options, report);
	d->bytes = bytes;
	d->size = size;
	if (record != NULL)
	{
		ClearRecord(record);
	}
	const CallTable* table = GetTable(options->voxels);
	MakeCall(d, options->voxels ? voxelsKind : terrainKind, record, NULL);
	const bool isCalm = IsCalm(d);
	for (int kind = 0; kind < table->count && HasWorld(d) && !IsOver(d); ++kind)
	{
		if (IsOpening(d, table, kind, isCalm))
		{
			MakeCall(d, kind, record, NULL);
		}
	}
	while (HasWorld(d) && !IsAtEnd(d) && report->callCount < maxCalls && !IsOver(d))
	{
		MakeCall(d, PickKind(d, table, isCalm), record, NULL);
	}
	return Finish(d);
}

void DriverRecordBytes(const uint8_t* bytes, size_t size, const DriverOptions* options, DriverRecord* record)
{
	DriverReport report;
	Driver* d = CreateDriver(options, &report);
	d->bytes = bytes;
	d->size = size;
	d->dry = true;
	ClearRecord(record);
	const CallTable* table = GetTable(options->voxels);
	MakeCall(d, options->voxels ? voxelsKind : terrainKind, record, NULL);
	const bool isCalm = IsCalm(d);
	for (int kind = 0; kind < table->count; ++kind)
	{
		if (IsOpening(d, table, kind, isCalm))
		{
			MakeCall(d, kind, record, NULL);
		}
	}
	while (!IsAtEnd(d) && record->callCount < maxCalls)
	{
		MakeCall(d, PickKind(d, table, isCalm), record, NULL);
	}
	free(d);
}

bool DriverRunRecord(const DriverRecord* record, const DriverOptions* options, DriverReport* report)
{
	Driver* d = CreateDriver(options, report);
	d->options.voxels = record->callCount > 0 && record->calls[0].kind == voxelsKind;
	for (int i = 0; i < record->callCount && !IsOver(d) && (i == 0 || HasWorld(d)); ++i)
	{
		MakeCall(d, record->calls[i].kind, NULL, record->calls + i);
	}
	return Finish(d);
}

void DriverMakeBytes(uint64_t seed, uint8_t* bytes, int byteCount)
{
	// SplitMix64.
	uint64_t state = seed * 0xD1342543DE82EF95u + 1u;
	for (int i = 0; i < byteCount; ++i)
	{
		state += 0x9E3779B97F4A7C15u;
		uint64_t bits = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
		bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
		bytes[i] = (uint8_t)((bits ^ (bits >> 31)) >> 56);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// As a program

// One statement a line.
static void PrintSource(FILE* file, const char* source)
{
	int depth = 0;
	int parens = 0;
	for (const char* at = source; *at != 0; ++at)
	{
		parens += *at == '(' ? 1 : *at == ')' ? -1 : 0;
		depth -= *at == '}' ? 1 : 0;
		fputc(*at, file);
		depth += *at == '{' ? 1 : 0;
		if ((*at == ';' || *at == '{' || *at == '}') && parens == 0)
		{
			while (at[1] == ' ')
			{
				at += 1;
			}
			fputc('\n', file);
			for (int i = 0; i < depth - (at[1] == '}' ? 1 : 0); ++i)
			{
				fputc('\t', file);
			}
		}
	}
	fputc('\n', file);
}

void DriverPrint(const DriverRecord* record, const DriverReport* report, FILE* file)
{
	DriverReport none;
	const DriverOptions options = {.voxels = record->callCount > 0 && record->calls[0].kind == voxelsKind};
	Driver* d = CreateDriver(&options, &none);
	d->dry = true;
	d->out = file;
	fprintf(file, "// %s\n", report->text);
	fprintf(file, "#include <tarn/tarn.h>\n\n#include <float.h>\n#include <math.h>\n#include <stdio.h>\n");
	fprintf(file, "#include <stdlib.h>\n#include <string.h>\n\n");
	PrintSource(file, s_idsSource);
	PrintSource(file, s_saveSource);
	PrintSource(file, s_reloadSource);
	PrintSource(file, s_snapshotSource);
	PrintSource(file, s_recordSource);
	PrintSource(file, s_rollbackSource);
	PrintSource(file, s_streamSource);
	PrintSource(file, s_fillSource);
	PrintSource(file, s_memorySource);
	PrintSource(file, s_tasksSource);
	fprintf(file, "static uint64_t s_hashes[4][4096];\n");
	fprintf(file, "static tnResult s_result;\nstatic int s_noteCount;\n");
	fprintf(file, "static float heights[6500], depths[6500], concentrations[6500], alongX[6500], alongZ[6500];\n");
	fprintf(file, "#define NOTE(call) (s_result = (call), Note(which, #call, GET_HASH))\n");
	fprintf(file, "static void Note(int which, const char* call, uint64_t hash)\n{\n");
	fprintf(file,
		"\tprintf(\"twin %%d: %%016llx %%d %%s   %%s\\n\", which, (unsigned long long)hash, s_result.status, call, "
		"s_result.text);\n");
	fprintf(file, "\tconst int at = s_noteCount++ %% 4096;\n");
	fprintf(file, "\ts_hashes[which][at] = hash;\n");
	fprintf(file, "\tif (which > 0 && hash != s_hashes[0][at]) { printf(\"TWINS DIFFER\\n\"); }\n}\n\n");
	if (options.voxels)
	{
		fprintf(file, "#define GET_HASH tnVoxelWorld_GetHash(voxels)\n");
	}
	else
	{
		fprintf(file, "#define GET_HASH Look(world)\n");
		fprintf(file, "static uint64_t Look(tnWorld* world)\n{\n");
		fprintf(file, "\tif (world == NULL) { return 0; }\n");
		fprintf(file, "\tconst tnLedger l = tnWorld_GetLedger(world);\n\tconst tnStats s = tnWorld_GetStats(world);\n");
		fprintf(file,
			"\tprintf(\"    volume %%g airborne %%g drift %%g, depth %%g, %%d of %%d sub-steps, %%d of %%d tiles "
			"awake\\n\", l.volume, l.airborne, l.drift, (double)s.maxDepth, s.subSteps, s.subStepsWanted, "
			"s.awakeTileCount, s.tileCount);\n");
		fprintf(file, "\ttnBodyId bodies[5];\n\tconst int count = tnWorld_GetBodies(world, bodies, 5);\n");
		fprintf(file, "\tfor (int i = 0; i < count && i < 5; ++i)\n\t{\n\t\ttnWrench w;\n\t\ttnBodyState b;\n");
		fprintf(file,
			"\t\ttnWorld_GetBodyWrench(world, bodies[i], &w);\n\t\ttnWorld_GetBodyState(world, bodies[i], &b);\n");
		fprintf(file,
			"\t\tprintf(\"    body %%d: submerged %%g of %%g, force (%%g, %%g, %%g), torque (%%g, %%g, %%g)\\n\", i, "
			"(double)b.submergedVolume, (double)b.volume, (double)w.force.x, (double)w.force.y, "
			"(double)w.force.z, (double)w.torque.x, (double)w.torque.y, (double)w.torque.z);\n\t}\n");
		fprintf(file, "\treturn tnWorld_GetHash(world);\n}\n");
	}
	fprintf(file, "\nstatic void Run(int which)\n{\n\ttnWorld* world = NULL;\n\ttnVoxelWorld* voxels = NULL;\n");
	fprintf(file, "\ttnVoxelMesher* mesher = NULL;\n");
	fprintf(
		file, "\tIds idStore = {0};\n\tIds* ids = &idStore;\n\tTwinTasks tasks = {0};\n\tTwinMemory memory = {0};\n");
	fprintf(file, "\t(void)ids;\n\t(void)tasks;\n\t(void)mesher;\n\ts_noteCount = 0;\n");
	for (int i = 0; i < record->callCount; ++i)
	{
		fputs("\t{\n", file);
		MakeCall(d, record->calls[i].kind, NULL, record->calls + i);
		fputs("\t}\n", file);
	}
	fprintf(file, "\ttnDestroyVoxelMesher(mesher);\n\ttnDestroyVoxelWorld(voxels);\n\ttnDestroyWorld(world);\n}\n\n");
	const int twinCount = report->twinCount > 0 ? report->twinCount : 1;
	fprintf(
		file, "int main(void)\n{\n\tfor (int i = 0; i < %d; ++i)\n\t{\n\t\tRun(i);\n\t}\n\treturn 0;\n}\n", twinCount);
	free(d);
}

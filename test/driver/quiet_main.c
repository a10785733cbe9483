// SPDX-License-Identifier: MIT

// Long quiet worlds as a program: random closed worlds, ponds of critical depths, and, where the scene library is there, scenes
// of columns and of voxels by their path. Prints a line each and fails if one is not quiet.

#include "quiet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TARN_HAS_SCENES
#include "scene.h"
#include "voxel_scene.h"

// An hour of a scene: it may have rivers and tides, so energy and volume may grow, but not for ever.
static bool RunColumnScene(const char* path, double seconds)
{
	tnsResult result = {0};
	tnsScene* scene = tnsLoadScene(path, &result);
	tnsRun* run = NULL;
	if (scene != NULL)
	{
		result = tnsStartScene(scene, NULL, &run);
	}
	char text[640] = "";
	double energies[2] = {0.0, 0.0};
	double oldest = 0.0;
	size_t byteCounts[2] = {0, 0};
	int64_t stepCount = 0;
	while (run != NULL && tnsRun_GetTime(run) < seconds && text[0] == 0)
	{
		result = tnsRun_Step(run);
		if (result.text[0] != 0)
		{
			break;
		}
		stepCount += 1;
		if (stepCount % 60 != 0)
		{
			continue;
		}
		tnWorld* world = tnsRun_GetWorld(run);
		const tnFieldView depth = tnWorld_GetDepth(world);
		const int cells = depth.columnCount * depth.rowCount;
		static float* velocities;
		velocities = realloc(velocities, 2 * sizeof(float) * (size_t)cells);
		if (velocities == NULL)
		{
			return false;
		}
		tnWorld_CopyVelocities(world, velocities, velocities + cells);
		double energy = 0.0;
		for (int i = 0; i < cells; ++i)
		{
			const double h = depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount];
			energy +=
				h * ((double)velocities[i] * velocities[i] + (double)velocities[i + cells] * velocities[i + cells]);
		}
		tnWaveStats stats;
		for (int i = 0; i < TN_MAX_WAVE_LEVELS && tnWorld_GetWaveStats(world, &stats).status == tn_ok; ++i)
		{
			energy += stats.energies[i] / 1000.0;
		}
		const bool isLate = tnsRun_GetTime(run) > 0.5 * seconds;
		energies[isLate ? 1 : 0] = fmax(energies[isLate ? 1 : 0], energy);
		byteCounts[isLate ? 1 : 0] = tnWorld_GetStats(world).byteCount;
		const tnSprayView spray = tnWorld_GetSpray(world);
		for (int i = 0; i < spray.count; ++i)
		{
			oldest = fmax(oldest, spray.particles[i].age);
		}
		const tnLedger ledger = tnWorld_GetLedger(world);
		double turnover = ledger.volume + fabs(ledger.sources) + fabs(ledger.drains) + fabs(ledger.rain);
		for (int side = 0; side < tn_sideCount; ++side)
		{
			turnover += fabs(ledger.edges[side]);
		}
		if (!isfinite(energy))
		{
			snprintf(text, sizeof(text), "not finite after %g s", tnsRun_GetTime(run));
		}
		else if (!(fabs(ledger.drift) <= 1.0e-5 * turnover))
		{
			snprintf(text, sizeof(text), "the ledger drifts by %g of %g m^3", ledger.drift, turnover);
		}
		else if (oldest > 60.0)
		{
			snprintf(text, sizeof(text), "spray is %g s old", oldest);
		}
	}
	if (text[0] == 0 && (run == NULL || result.text[0] != 0))
	{
		snprintf(text, sizeof(text), "%s", result.text);
	}
	// Twice as much as ever in the first half is a world that goes wild.
	if (text[0] == 0 && energies[1] > 2.0 * energies[0])
	{
		snprintf(text, sizeof(text), "energy was %g in the first half and is %g", energies[0], energies[1]);
	}
	if (text[0] == 0 && byteCounts[1] > byteCounts[0] + byteCounts[0] / 2)
	{
		snprintf(text, sizeof(text), "%zu bytes in the first half, %zu now", byteCounts[0], byteCounts[1]);
	}
	printf("%-4s %s: %d steps, energy %.3g, then %.3g, spray up to %.3g s, %zu bytes%s%s\n",
		text[0] == 0 ? "ok" : "FAIL", path, (int)stepCount, energies[0], energies[1], oldest, byteCounts[1],
		text[0] != 0 ? ": " : "", text);
	fflush(stdout);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return text[0] == 0;
}

// The ledgers of all liquids must close, and nothing is below 0.
static void LookAtVoxels(const tnVoxelWorld* world, int liquidCount, char* text, size_t size)
{
	for (int liquid = 1; liquid <= liquidCount; ++liquid)
	{
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, liquid);
		if (ledger.drift != 0)
		{
			snprintf(text, size, "the ledger of liquid %d drifts by %lld units", liquid, (long long)ledger.drift);
		}
		else if (ledger.volume < 0 || ledger.waiting < 0)
		{
			snprintf(text, size, "there are %lld and %lld units of liquid %d", (long long)ledger.volume,
				(long long)ledger.waiting, liquid);
		}
	}
}

static bool RunVoxelScene(const char* path, double seconds)
{
	tnsResult result = {0};
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, &result);
	tnsVoxelRun* run = scene != NULL ? tnsVoxelScene_Begin(scene, &result) : NULL;
	char text[640] = "";
	size_t byteCounts[2] = {0, 0};
	const tnVoxelWorldDef* def = scene != NULL ? &tnsVoxelScene_GetInfo(scene)->worldDef : NULL;
	const int64_t stepCount = def != NULL ? (int64_t)(seconds * (double)def->stepRate) : 0;
	while (run != NULL && tnsVoxelRun_GetStepCount(run) < stepCount && text[0] == 0)
	{
		result = tnsVoxelRun_Step(run);
		if (result.text[0] != 0)
		{
			break;
		}
		if (tnsVoxelRun_GetStepCount(run) % 60 == 0)
		{
			const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
			LookAtVoxels(world, def->liquidCount, text, sizeof(text));
			const size_t byteCount = tnVoxelWorld_GetStats(world).byteCount;
			size_t* most = byteCounts + (2 * tnsVoxelRun_GetStepCount(run) > stepCount ? 1 : 0);
			*most = byteCount > *most ? byteCount : *most;
		}
	}
	if (text[0] == 0 && (run == NULL || result.text[0] != 0))
	{
		snprintf(text, sizeof(text), "%s", result.text);
	}
	if (text[0] == 0 && byteCounts[1] > byteCounts[0] + byteCounts[0] / 2)
	{
		snprintf(text, sizeof(text), "%zu bytes in the first half, %zu now", byteCounts[0], byteCounts[1]);
	}
	const bool rests = run != NULL && tnsVoxelRun_IsAtRest(run);
	printf("%-4s %s: %lld steps, %zu bytes%s%s%s\n", text[0] == 0 ? "ok" : "FAIL", path, (long long)stepCount,
		byteCounts[1], rests ? ", at rest" : "", text[0] != 0 ? ": " : "", text);
	fflush(stdout);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return text[0] == 0;
}

static bool RunScene(const char* path, double seconds)
{
	return tnsIsVoxelSceneFile(path) ? RunVoxelScene(path, seconds) : RunColumnScene(path, seconds);
}
#else
static bool RunScene(const char* path, double seconds)
{
	(void)seconds;
	printf("FAIL %s: built without scenes\n", path);
	return false;
}
#endif

int main(int argc, char** argv)
{
	uint64_t seed = 0;
	int count = 30;
	double seconds = 3600.0;
	int failCount = 0;
	bool ponds = false;
	for (int i = 1; i < argc; ++i)
	{
		const char* value = i + 1 < argc ? argv[i + 1] : "";
		if (strcmp(argv[i], "--seed") == 0)
		{
			seed = strtoull(value, NULL, 10);
			i += 1;
		}
		else if (strcmp(argv[i], "--count") == 0)
		{
			count = atoi(value);
			i += 1;
		}
		else if (strcmp(argv[i], "--seconds") == 0)
		{
			seconds = strtod(value, NULL);
			i += 1;
		}
		else if (strcmp(argv[i], "--ponds") == 0)
		{
			ponds = true;
		}
		else if (argv[i][0] == '-')
		{
			printf("tarn_quiet [--seed N] [--count N] [--seconds S] [SCENE.json ...]\nClosed worlds and scenes for an "
				   "hour.\ntarn_quiet --ponds [--count N] [--seconds S]\nPonds of N depths around each limit.\n");
			return 2;
		}
	}
	for (int i = 0; i < QuietGetPondCount(count) && ponds; ++i)
	{
		QuietReport report;
		const bool ok = QuietRunPond(i, count, seconds, &report);
		printf("%-4s %d: %s: energy %.3g, then %.3g; %d changes; drift %.2g%s%s\n", ok ? "ok" : "FAIL", i, report.world,
			report.firstEnergy, report.mostEnergy, (int)report.changeCount, report.drift, ok ? "" : ": ", report.text);
		fflush(stdout);
		failCount += ok ? 0 : 1;
	}
	for (int i = 0; i < count && !ponds; ++i)
	{
		QuietReport report;
		const bool ok = QuietRun(seed + (uint64_t)i, seconds, &report);
		printf("%-4s %d: %s: energy %.3g, then %.3g; above rest %.3g, then %.3g; drift %.2g; %.2g m/s, %.2g m off; "
			   "spray %.2g "
			   "s%s%s\n",
			ok ? "ok" : "FAIL", (int)seed + i, report.world, report.firstEnergy, report.mostEnergy, report.firstTotal,
			report.mostTotal, report.drift, report.speed, report.unrest, report.oldestSpray, ok ? "" : ": ",
			report.text);
		fflush(stdout);
		failCount += ok ? 0 : 1;
	}
	for (int i = 1; i < argc; ++i)
	{
		const bool isOption = argv[i][0] == '-';
		if (!isOption)
		{
			failCount += RunScene(argv[i], seconds) ? 0 : 1;
		}
		i += isOption && strcmp(argv[i], "--ponds") != 0 ? 1 : 0;
	}
	printf("%d not quiet\n", failCount);
	return failCount == 0 ? 0 : 1;
}

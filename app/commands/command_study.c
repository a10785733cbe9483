// SPDX-License-Identifier: MIT

// tarn study: a user study of methods by playing. One participant plays levels with several methods, does not know which, and answers questions;
// each trial is a line of a table. docs/study.md says how to run one.
//
// The order of methods is a Williams design (Williams 1949): over all participants each method stands equally often in each place, and follows
// each other one equally often. With k methods it has k rows, or 2 k if k is odd.

#include "commands/methods.h"
#include "commands/options.h"
#include "commands/scene_paths.h"
#include "level.h"
#include "viewer/viewer_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char s_help[] =
	"tarn study - compare methods by playing levels with them\n"
	"\n"
	"Usage: tarn study --participant N [OPTIONS]\n"
	"\n"
	"One participant plays three levels, each with every method, without being told which. After each the terminal "
	"asks\n"
	"three questions, and after each level which version was better. Every trial becomes a line of a CSV file.\n"
	"\n"
	"  --participant N  1 and on; who has which number decides the order, so that orders are balanced\n"
	"  --methods LIST   two or more of pipe, linear, shallow, shallow-fine, shallow-sl, shallow-mc (default: "
	"pipe,shallow)\n"
	"  --levels LIST    files or names, with commas (default: 01_the_ford,06_the_broom,19_save_the_houses)\n"
	"  --out FILE       table to append to (default: study.csv)\n"
	"  --size WxH       size of the window (default: 1280x720)\n"
	"  --plan           print who plays what when, for participants 1 to N, and do nothing\n"
	"\n"
	"Exit codes: 0 done, 1 wrong usage or no display, 2 a level or the table is missing or wrong, 130 interrupted.\n";

static int RunStudy(int argc, char** argv);

const Command g_studyCommand = {"study", "compare methods by playing levels with them", s_help, RunStudy};

enum
{
	mostLevels = 16,
	questionCount = 3,
	scale = 7,
};

typedef struct Study
{
	int participant;
	const char* out;
	char levels[mostLevels][maxScenePath];
	int levelCount;
	MethodName methods[methodNameCount];
	int methodCount;
	ViewerOptions viewer;
} Study;

// ---------------------------------------------------------------------------------------------------------------------
// Order

// The method at a place of a row of the Williams design for `count` of them.
static int GetWilliams(int count, int row, int place)
{
	const bool back = row >= count;
	const int along = back ? count - 1 - place : place;
	const int step = along % 2 == 0 ? along / 2 : count - (along + 1) / 2;
	return (row + step) % count;
}

static int CountRows(int methodCount)
{
	return methodCount % 2 == 0 ? methodCount : 2 * methodCount;
}

// Levels turn with every participant; the row of the design after each turn, and from level to level.
static int GetLevel(const Study* study, int participant, int place)
{
	return (place + participant - 1) % study->levelCount;
}

static MethodName GetMethod(const Study* study, int participant, int level, int place)
{
	const int row = ((participant - 1) / study->levelCount + level) % CountRows(study->methodCount);
	return study->methods[GetWilliams(study->methodCount, row, place)];
}

static void PrintPlan(const Study* study)
{
	printf("participant,trial,level,place,method\n");
	for (int participant = 1; participant <= study->participant; ++participant)
	{
		int trial = 1;
		for (int i = 0; i < study->levelCount; ++i)
		{
			const int level = GetLevel(study, participant, i);
			char stem[maxScenePath];
			GetSceneStem(study->levels[level], stem, sizeof(stem));
			for (int place = 0; place < study->methodCount; ++place, ++trial)
			{
				printf("%d,%d,%s,%d,%s\n", participant, trial, stem, place + 1,
					g_methodNames[GetMethod(study, participant, level, place)]);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Questions

// A whole number from the terminal. @return false at the end of the input
static bool Ask(const char* question, int least, int most, int* answer)
{
	char line[64];
	for (;;)
	{
		printf("%s (%d to %d): ", question, least, most);
		fflush(stdout);
		if (fgets(line, sizeof(line), stdin) == NULL)
		{
			printf("\n");
			return false;
		}
		char rest;
		if (sscanf(line, "%d %c", answer, &rest) == 1 && *answer >= least && *answer <= most)
		{
			return true;
		}
		printf("Please a whole number from %d to %d.\n", least, most);
	}
}

typedef struct Trial
{
	int level, place;
	MethodName method;
	ViewerOutcome outcome;
	int answers[questionCount];
} Trial;

static bool AskAboutTrial(Trial* trial)
{
	static const char* const questions[questionCount] = {
		"How much did the water move like water? 1 not at all, 7 entirely",
		"How well could you make it do what you wanted? 1 not at all, 7 entirely",
		"How much fun was it? 1 none, 7 very much",
	};
	bool good = true;
	for (int i = 0; good && i < questionCount; ++i)
	{
		good = Ask(questions[i], 1, scale, trial->answers + i);
	}
	return good;
}

// ---------------------------------------------------------------------------------------------------------------------
// Playing

// One level with every method. @return an ExitCode
static int PlayLevel(const Study* study, int level, FILE* table, int* number)
{
	Trial trials[methodNameCount];
	char stem[maxScenePath];
	GetSceneStem(study->levels[level], stem, sizeof(stem));
	for (int place = 0; place < study->methodCount; ++place)
	{
		Trial* trial = trials + place;
		*trial = (Trial){.level = level, .place = place, .method = GetMethod(study, study->participant, level, place)};
		printf("\nVersion %d of %d of this level. The window closes by itself when it is over.\n", place + 1,
			study->methodCount);
		char* path = (char*)study->levels[level];
		ViewerOptions viewer = study->viewer;
		viewer.paths = &path;
		viewer.pathCount = 1;
		viewer.method = GetNamedMethod(trial->method);
		viewer.advection = GetNamedAdvection(trial->method);
		viewer.outcome = &trial->outcome;
		const int exitCode = RunViewer(&viewer);
		if (exitCode != exitOk)
		{
			return exitCode;
		}
		if (AskAboutTrial(trial) == false)
		{
			fprintf(stderr, "tarn study: the answers ended before the questions; this level is not in the table\n");
			return exitUsage;
		}
	}
	int best = 0;
	if (Ask("Which version was better? 0 no difference, else its number", 0, study->methodCount, &best) == false)
	{
		fprintf(stderr, "tarn study: the answers ended before the questions; this level is not in the table\n");
		return exitUsage;
	}
	for (int place = 0; place < study->methodCount; ++place)
	{
		const Trial* trial = trials + place;
		fprintf(table, "%d,%d,%s,%d,%s,%s,%.3f,%d,%d,%d,%d,%d,%d\n", study->participant, (*number)++, stem, place + 1,
			g_methodNames[trial->method], trial->outcome.state, trial->outcome.seconds, trial->outcome.stars,
			trial->outcome.attempts, trial->answers[0], trial->answers[1], trial->answers[2],
			best == 0               ? 0
				: best == place + 1 ? 1
									: -1);
	}
	return fflush(table) == 0 ? exitOk : exitFile;
}

static int Play(const Study* study)
{
	FILE* table = fopen(study->out, "a");
	if (table == NULL)
	{
		fprintf(stderr, "tarn study: cannot write %s\n", study->out);
		return exitFile;
	}
	fseek(table, 0, SEEK_END);
	if (ftell(table) == 0)
	{
		fprintf(table,
			"participant,trial,level,place,method,outcome,seconds,stars,attempts,natural,control,fun,preferred\n");
	}
	int exitCode = exitOk, number = 1;
	for (int i = 0; i < study->levelCount && exitCode == exitOk; ++i)
	{
		exitCode = PlayLevel(study, GetLevel(study, study->participant, i), table, &number);
	}
	if (fclose(table) != 0 && exitCode == exitOk)
	{
		fprintf(stderr, "tarn study: cannot write %s\n", study->out);
		exitCode = exitFile;
	}
	if (exitCode == exitOk)
	{
		printf("\nThank you. The answers are in %s.\n", study->out);
	}
	return exitCode;
}

// ---------------------------------------------------------------------------------------------------------------------
// Options

// Levels with columns: voxels know one method only. @return an ExitCode
static int FindLevels(Study* study, const char* list)
{
	char unknown[maxScenePathError], name[maxScenePath];
	while (*list != '\0')
	{
		const size_t length = strcspn(list, ",");
		snprintf(name, sizeof(name), "%.*s", (int)length, list);
		list += length;
		list += *list == ',' ? 1 : 0;
		if (study->levelCount == mostLevels)
		{
			return ReportUsage(&g_studyCommand, "--levels: at most %d", mostLevels);
		}
		char* path = study->levels[study->levelCount];
		if (!FindScenePath(name, path, maxScenePath, unknown, sizeof(unknown)))
		{
			fprintf(stderr, "tarn study: %s\n", unknown);
			return exitFile;
		}
		tnsResult result;
		tnsScene* scene = tnsLoadScene(path, &result);
		const bool isLevel = scene != NULL && tnsScene_GetLevel(scene) != NULL;
		tnsDestroyScene(scene);
		if (isLevel == false)
		{
			fprintf(stderr, "tarn study: %s is no level with columns. %s\n", path, result.text);
			return exitFile;
		}
		study->levelCount += 1;
	}
	return study->levelCount > 0 ? exitOk : ReportUsage(&g_studyCommand, "--levels needs at least one");
}

static int RunStudy(int argc, char** argv)
{
	Study study = {.out = "study.csv", .viewer = {.width = 1280, .height = 720, .memory = defaultMemory, .quality = 2}};
	unsigned methods = 1u << namedPipe | 1u << namedShallow;
	const char *levels = "01_the_ford,06_the_broom,19_save_the_houses", *size = NULL;
	bool plan = false;
	const Option options[] = {
		{"participant", optionInt, &study.participant, 1.0, 1.0e6, NULL},
		{"methods", optionChoices, &methods, 0.0, 0.0, g_methodNames},
		{"levels", optionText, &levels, 0.0, 0.0, NULL},
		{"out", optionText, &study.out, 0.0, 0.0, NULL},
		{"size", optionText, &size, 0.0, 0.0, NULL},
		{"plan", optionFlag, &plan, 0.0, 0.0, NULL},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(
			&g_studyCommand, options, (int)(sizeof(options) / sizeof(options[0])), argc, argv, &words, 0, &exitCode))
	{
		return exitCode;
	}
	if (study.participant == 0)
	{
		return ReportUsage(&g_studyCommand, "which participant? --participant 1 is the first");
	}
	if (size != NULL && ReadWindowSize(size, &study.viewer.width, &study.viewer.height) == false)
	{
		return ReportUsage(&g_studyCommand, "--size is like 1280x720, each side from 64 to 16384, not '%s'", size);
	}
	for (int name = 0; name < methodNameCount; ++name)
	{
		if ((methods >> name & 1u) != 0)
		{
			study.methods[study.methodCount++] = (MethodName)name;
		}
	}
	if (study.methodCount < 2)
	{
		return ReportUsage(&g_studyCommand, "--methods needs at least two to compare");
	}
	exitCode = FindLevels(&study, levels);
	if (exitCode != exitOk)
	{
		return exitCode;
	}
	if (plan)
	{
		PrintPlan(&study);
		return exitOk;
	}
	printf(
		"Participant %d: %d levels with %d versions each.\n", study.participant, study.levelCount, study.methodCount);
	return Play(&study);
}

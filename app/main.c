// SPDX-License-Identifier: MIT

// The program tarn: finds the command that the first word names, and prints what there is.

#include "commands/options.h"
#include "tarn/tarn.h"

#include <stdio.h>
#include <string.h>

static const Command* const s_commands[] = {&g_viewCommand, &g_runCommand, &g_replayCommand, &g_studyCommand,
	&g_voxelsCommand, &g_benchCommand, &g_checkCommand};

enum
{
	commandCount = sizeof(s_commands) / sizeof(s_commands[0]),
};

static void PrintHelp(void)
{
	fputs("tarn - water that runs over terrain, fills lakes, floods villages, and keeps its books.\n"
		  "\n"
		  "Usage: tarn COMMAND [ARGUMENTS]\n"
		  "\n"
		  "Commands:\n",
		stdout);
	for (int i = 0; i < commandCount; ++i)
	{
		printf("  %-8s %s\n", s_commands[i]->name, s_commands[i]->summary);
	}
	fputs("\n"
		  "Start here:\n"
		  "  tarn view                           a window to play in: pour, dig, push; F1 shows the keys\n"
		  "  tarn run river_valley               water finds its way down a valley; pictures in out/river_valley\n"
		  "  tarn run --help                     everything a run can do\n"
		  "  tarn check --list                   the published cases that the water is measured against\n"
		  "  tarn bench pipe                     how fast this machine is\n"
		  "\n"
		  "A scene is a text file: terrain, water, springs, rain, tides, gauges. Copy one from scenes/ and change\n"
		  "a number. The same scene gives the same water, bit for bit, on every machine, with any number of\n"
		  "workers: the hash at the end of a run proves it.\n"
		  "\n"
		  "Scenes have names: those in the folder that TARN_SCENES names (an environment variable), in scenes/ here,\n"
		  "and those that came with the program.\n"
		  "\n"
		  "  tarn COMMAND --help   a page about a command\n"
		  "  tarn --version        version, and the instructions this processor can use\n"
		  "\n"
		  "Exit codes: 0 done, 1 wrong usage, 2 a scene or file is missing or wrong, 3 the world refused\n"
		  "something, 4 a check failed, 130 interrupted.\n",
		stdout);
}

static void PrintVersion(void)
{
	const int version = tnGetVersion();
	printf("tarn %d.%d.%d (", version / 10000, version / 100 % 100, version % 100);
	static const tnSimd sets[] = {tn_simdScalar, tn_simdSse2, tn_simdAvx2, tn_simdNeon, tn_simdWasm};
	bool first = true;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); ++i)
	{
		if (tnIsSimdAvailable(sets[i]))
		{
			printf("%s%s", first ? "" : ", ", tnGetSimdName(sets[i]));
			first = false;
		}
	}
	printf(")\n");
}

static const Command* FindCommand(const char* name)
{
	for (int i = 0; i < commandCount; ++i)
	{
		if (strcmp(s_commands[i]->name, name) == 0)
		{
			return s_commands[i];
		}
	}
	return NULL;
}

int main(int argc, char** argv)
{
	if (argc < 2)
	{
		PrintHelp();
		return exitUsage;
	}
	const char* name = argv[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc == 2))
	{
		PrintHelp();
		return exitOk;
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
	{
		PrintVersion();
		return exitOk;
	}
	// `tarn help run` is what people type.
	if (strcmp(name, "help") == 0)
	{
		const Command* command = FindCommand(argv[2]);
		if (command != NULL)
		{
			fputs(command->help, stdout);
			return exitOk;
		}
		name = argv[2];
	}
	const Command* command = FindCommand(name);
	if (command != NULL)
	{
		return command->runFcn(argc - 2, argv + 2);
	}

	const char* names[commandCount];
	for (int i = 0; i < commandCount; ++i)
	{
		names[i] = s_commands[i]->name;
	}
	const char* nearest = FindNearest(name, names, commandCount);
	if (nearest != NULL)
	{
		fprintf(stderr, "tarn: there is no command '%s': did you mean %s?\n", name, nearest);
	}
	else
	{
		fprintf(stderr, "tarn: there is no command '%s'\n", name);
	}
	fprintf(stderr, "`tarn --help` says what there is.\n");
	return exitUsage;
}

// SPDX-License-Identifier: MIT

#include "cases.h"
#include "options.h"
#include "platform.h"

#include <stdio.h>
#include <string.h>

static const char s_help[] =
	"tarn check - measure the water against published cases\n"
	"\n"
	"Usage: tarn check [CASE...] [OPTIONS]\n"
	"\n"
	"Runs verification cases: water at rest, dam breaks, standing waves, spilling lakes, volume, symmetry and\n"
	"more. Each gives a few numbers, each number has a limit. Without a CASE all of them run.\n"
	"\n"
	"  CASE             a name such as F01; F15 means all parts of F15\n"
	"  --list           say which cases there are and run none\n"
	"  --method M       only this method (default: all of them)\n"
	"  --short          leave out the cases that take minutes\n"
	"  --workers N      threads, 1 to 64 (default: one per processor; the numbers do not depend on it)\n"
	"  --references DIR where the reference tables are (default: $TARN_REFERENCE_DIR, then the source tree)\n"
	"  --csv            comma-separated lines: case,method,measure,value,limit,pass\n"
	"\n"
	"A row is `pass`, `fail`, or `info`: a number without a limit that this method could be held to.\n"
	"\n"
	"Examples:\n"
	"  tarn check --short              a first look\n"
	"  tarn check F01 F02              two cases with every method\n"
	"  tarn check --method pipe --csv > pipe.csv\n"
	"\n"
	"Exit codes: 0 all passed, 1 wrong usage, 4 something failed, 130 interrupted.\n";

static int RunCheck(int argc, char** argv);

const Command g_checkCommand = {"check", "measure the water against published cases", s_help, RunCheck};

static void ListCases(void)
{
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const tncCase* testCase = tncGetCase(i);
		printf("%-6s %-5s %s\n", testCase->name, testCase->cost == tnc_longCase ? "long" : "short", testCase->title);
	}
}

static bool IsWanted(const tncCase* testCase, const Words* words, bool onlyShort)
{
	if (words->count == 0)
	{
		return !onlyShort || testCase->cost == tnc_shortCase;
	}
	for (int i = 0; i < words->count; ++i)
	{
		if (tncMatchCase(testCase, words->words[i]))
		{
			return !onlyShort || testCase->cost == tnc_shortCase;
		}
	}
	return false;
}

static bool CheckNames(const Words* words)
{
	for (int i = 0; i < words->count; ++i)
	{
		bool known = false;
		for (int k = 0; k < tncGetCaseCount(); ++k)
		{
			known = known || tncMatchCase(tncGetCase(k), words->words[i]);
		}
		if (!known)
		{
			ReportUsage(&g_checkCommand, "there is no case '%s'; `tarn check --list` shows them all", words->words[i]);
			return false;
		}
	}
	return true;
}

static void PrintRows(const tncReport* report, int begin, bool csv)
{
	for (int i = begin; i < report->count; ++i)
	{
		const tncRow* row = report->rows + i;
		char text[512];
		if (csv)
		{
			tncFormatCsv(row, text, sizeof(text));
			puts(text);
			continue;
		}
		tncFormatLimit(row, text, sizeof(text));
		printf("%-6s %-11s %-60s %13.6g  %-18s %s\n", row->caseName, row->method, row->measure, row->value, text,
			tncGetVerdict(row));
	}
	fflush(stdout);
}

static int RunCheck(int argc, char** argv)
{
	bool csv = false;
	bool list = false;
	bool onlyShort = false;
	const char* methodName = NULL;
	const char* references = NULL;
	const int processorCount = GetProcessorCount();
	int workerCount = processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS;
	const Option options[] = {
		{.name = "csv", .kind = optionFlag, .target = &csv},
		{.name = "list", .kind = optionFlag, .target = &list},
		{.name = "short", .kind = optionFlag, .target = &onlyShort},
		{.name = "method", .kind = optionText, .target = (void*)&methodName},
		{.name = "references", .kind = optionText, .target = (void*)&references},
		{.name = "workers", .kind = optionInt, .target = &workerCount, .least = 1, .most = TN_MAX_WORKERS},
	};
	Words words;
	int exitCode;
	if (!ReadOptions(&g_checkCommand, options, sizeof(options) / sizeof(options[0]), argc, argv, &words, 64, &exitCode))
	{
		return exitCode;
	}
	if (list)
	{
		ListCases();
		return exitOk;
	}
	const tncMethod* onlyMethod = NULL;
	if (methodName != NULL)
	{
		onlyMethod = tncFindMethod(methodName);
		if (onlyMethod == NULL)
		{
			char names[256] = "";
			for (int i = 0; i < tncGetMethodCount(); ++i)
			{
				const size_t used = strlen(names);
				snprintf(names + used, sizeof(names) - used, "%s%s", i > 0 ? ", " : "", tncGetMethod(i)->name);
			}
			return ReportUsage(&g_checkCommand, "--method is one of %s, not '%s'", names, methodName);
		}
	}
	if (!CheckNames(&words))
	{
		return exitUsage;
	}

	tncConfig config = tncDefaultConfig();
	config.workerCount = workerCount;
	if (references != NULL)
	{
		config.referenceDir = references;
	}
	CatchInterrupts();
	if (csv)
	{
		puts(TNC_CSV_HEADER);
	}
	else
	{
		printf("%-6s %-11s %-60s %13s  %-18s %s\n", "case", "method", "measure", "value", "limit", "verdict");
	}

	const double begin = GetSeconds();
	tncReport report = {0};
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const tncCase* testCase = tncGetCase(i);
		for (int k = 0; k < tncGetMethodCount() && IsWanted(testCase, &words, onlyShort) && !WasInterrupted(); ++k)
		{
			const tncMethod* method = tncGetMethod(k);
			if (onlyMethod == NULL || method == onlyMethod)
			{
				const int rowCount = report.count;
				tncRunCase(testCase, method, &config, &report);
				PrintRows(&report, rowCount, csv);
			}
		}
	}

	int infoCount = 0;
	for (int i = 0; i < report.count; ++i)
	{
		infoCount += report.rows[i].informational ? 1 : 0;
	}
	const int failCount = report.failCount;
	const bool incomplete = report.incomplete;
	if (!csv)
	{
		printf("\n%d numbers: %d passed, %d failed, %d for information, in %.1f s\n", report.count,
			report.count - failCount - infoCount, failCount, infoCount, GetSeconds() - begin);
	}
	tncDestroyReport(&report);
	if (WasInterrupted())
	{
		fprintf(stderr, "tarn check: interrupted\n");
		return exitInterrupted;
	}
	if (incomplete)
	{
		fprintf(stderr, "tarn check: out of memory, rows are missing\n");
	}
	return failCount > 0 || incomplete ? exitFailed : exitOk;
}

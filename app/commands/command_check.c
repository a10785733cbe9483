// SPDX-License-Identifier: MIT

// `tarn check`: runs verification cases, prints a row for each measure, and draws what they measured.

#include "cases.h"
#include "commands/options.h"
#include "plots/plot.h"
#include "system/platform.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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
	"  --plots DIR      draw each case as an SVG, reference and result together, with an index.html around them\n"
	"\n"
	"A row is `pass`, `fail`, or `info`: a number without a limit that this method could be held to.\n"
	"\n"
	"Examples:\n"
	"  tarn check --short              a first look\n"
	"  tarn check F01 F02              two cases with every method\n"
	"  tarn check --method pipe --csv > pipe.csv\n"
	"  tarn check F02 --plots out      pictures of a dam break: open out/index.html\n"
	"\n"
	"Exit codes: 0 all passed, 1 wrong usage, 2 pictures could not be written, 4 something failed, 130 interrupted.\n";

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
		printf("%-6s %-12s %-60s %13.6g  %-18s %s\n", row->caseName, row->method, row->measure, row->value, text,
			tncGetVerdict(row));
	}
	fflush(stdout);
}

// One case with one method.
typedef struct Job
{
	const tncCase* testCase;
	const tncMethod* method;
	tncReport report;
	tncPlots plots;
	atomic_bool done;
} Job;

typedef struct JobList
{
	Job* jobs;
	int count;
	const tncConfig* config;
	bool csv;
	bool draw;
	/// The next job to take.
	atomic_int next;
	/// Held by the thread that prints, which alone touches the fields below.
	atomic_flag printing;
	int printed;
	tncReport report;
	tncPlots plots;
} JobList;

// Print the jobs that are done, in order, up to the first that is not. Whoever finds another thread at it leaves it to
// that one.
static void PrintDoneJobs(JobList* list)
{
	while (!atomic_flag_test_and_set(&list->printing))
	{
		while (list->printed < list->count && atomic_load(&list->jobs[list->printed].done))
		{
			Job* job = list->jobs + list->printed;
			const int rowCount = list->report.count;
			tncMoveRows(&list->report, &job->report);
			tncMovePlots(&list->plots, &job->plots, rowCount);
			PrintRows(&list->report, rowCount, list->csv);
			list->printed += 1;
		}
		const int printed = list->printed;
		atomic_flag_clear(&list->printing);
		// A job that was done after the look above and before the flag was cleared would be left behind.
		if (printed == list->count || !atomic_load(&list->jobs[printed].done))
		{
			return;
		}
	}
}

static void RunJobs(void* context, int thread)
{
	(void)thread;
	JobList* list = context;
	while (!WasInterrupted())
	{
		const int index = atomic_fetch_add(&list->next, 1);
		if (index >= list->count)
		{
			return;
		}
		Job* job = list->jobs + index;
		tncConfig config = *list->config;
		config.plots = list->draw ? &job->plots : NULL;
		tncRunCase(job->testCase, job->method, &config, &job->report);
		atomic_store(&job->done, true);
		PrintDoneJobs(list);
	}
}

// Every wanted case with every wanted method. @return false if there is no memory
static bool ListJobs(const Words* words, bool onlyShort, const tncMethod* onlyMethod, JobList* list)
{
	list->jobs = calloc((size_t)(tncGetCaseCount() * tncGetMethodCount()), sizeof(Job));
	if (list->jobs == NULL)
	{
		return false;
	}
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		for (int k = 0; k < tncGetMethodCount() && IsWanted(tncGetCase(i), words, onlyShort); ++k)
		{
			const tncMethod* method = tncGetMethod(k);
			if ((onlyMethod == NULL || method == onlyMethod) && tncIsAbout(tncGetCase(i), method))
			{
				Job* job = list->jobs + list->count;
				job->testCase = tncGetCase(i);
				job->method = method;
				atomic_init(&job->done, false);
				list->count += 1;
			}
		}
	}
	return true;
}

static void FreeJobs(JobList* list)
{
	// After an interrupt some are left.
	for (int i = 0; i < list->count; ++i)
	{
		tncDestroyReport(&list->jobs[i].report);
		tncDestroyPlots(&list->jobs[i].plots);
	}
	free(list->jobs);
	tncDestroyReport(&list->report);
	tncDestroyPlots(&list->plots);
}

// A folder that cannot be written shall be known now and not after minutes.
static bool PrepareFolder(const char* folder)
{
	if (!MakeFolders(folder))
	{
		fprintf(stderr, "tarn check: cannot make the folder %s: %s\n", folder, strerror(errno));
		return false;
	}
	char error[1280];
	const tncPlots noPlots = {0};
	const tncReport noReport = {0};
	if (!tncWritePlots(&noPlots, &noReport, folder, error, sizeof(error)))
	{
		fprintf(stderr, "tarn check: %s\n", error);
		return false;
	}
	return true;
}

static void PrintSummary(const tncReport* report, double seconds)
{
	int infoCount = 0;
	for (int i = 0; i < report->count; ++i)
	{
		infoCount += report->rows[i].informational ? 1 : 0;
	}
	printf("\n%d numbers: %d passed, %d failed, %d for information, in %.1f s\n", report->count,
		report->count - report->failCount - infoCount, report->failCount, infoCount, seconds);
}

// @return what the program shall return
static int FinishCheck(const JobList* list, const char* plotFolder)
{
	bool failed = list->report.failCount > 0;
	if (list->report.incomplete)
	{
		fprintf(stderr, "tarn check: out of memory, rows are missing\n");
		failed = true;
	}
	char error[1280];
	if (plotFolder != NULL && !tncWritePlots(&list->plots, &list->report, plotFolder, error, sizeof(error)))
	{
		fprintf(stderr, "tarn check: %s\n", error);
		return exitFile;
	}
	if (plotFolder != NULL && !list->csv)
	{
		printf("The pictures are in %s/index.html\n", plotFolder);
	}
	if (WasInterrupted())
	{
		fprintf(stderr, "tarn check: interrupted\n");
		return exitInterrupted;
	}
	return failed ? exitFailed : exitOk;
}

static int RunCheck(int argc, char** argv)
{
	bool csv = false;
	bool list = false;
	bool onlyShort = false;
	const char* methodName = NULL;
	const char* references = NULL;
	const char* plotFolder = NULL;
	const int processorCount = GetProcessorCount();
	int workerCount = processorCount < TN_MAX_WORKERS ? processorCount : TN_MAX_WORKERS;
	const Option options[] = {
		{.name = "csv", .kind = optionFlag, .target = &csv},
		{.name = "list", .kind = optionFlag, .target = &list},
		{.name = "short", .kind = optionFlag, .target = &onlyShort},
		{.name = "method", .kind = optionText, .target = (void*)&methodName},
		{.name = "plots", .kind = optionText, .target = (void*)&plotFolder},
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

	if (plotFolder != NULL && !PrepareFolder(plotFolder))
	{
		return exitFile;
	}

	// The worlds of the cases are small: two cases at once are faster than two workers on one.
	tncConfig config = tncDefaultConfig();
	config.workerCount = 1;
	if (references != NULL)
	{
		config.referenceDir = references;
	}
	JobList jobs = {.config = &config, .csv = csv, .draw = plotFolder != NULL, .printing = ATOMIC_FLAG_INIT};
	atomic_init(&jobs.next, 0);
	if (!ListJobs(&words, onlyShort, onlyMethod, &jobs))
	{
		fprintf(stderr, "tarn check: out of memory\n");
		return exitWorld;
	}
	CatchInterrupts();
	if (csv)
	{
		puts(TNC_CSV_HEADER);
	}
	else
	{
		printf("%-6s %-12s %-60s %13s  %-18s %s\n", "case", "method", "measure", "value", "limit", "verdict");
	}

	const double begin = GetSeconds();
	RunOnThreads(RunJobs, &jobs, workerCount);
	if (!csv)
	{
		PrintSummary(&jobs.report, GetSeconds() - begin);
	}
	exitCode = FinishCheck(&jobs, plotFolder);
	FreeJobs(&jobs);
	return exitCode;
}

// SPDX-License-Identifier: MIT

// The quickest verification cases, each with every method: they also run with sanitizers. All others are in
// test_long_cases.c and test_shallow_cases.c. A failing row is printed as `tarn check` prints it.

#include "case_tests.h"
#include "cases.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool IsWanted(const tncCase* testCase, const tncMethod* method, CaseMethods methods)
{
	if (tncIsAbout(testCase, method) == false)
	{
		return false;
	}
	bool isShallow = method->model == tnc_shallowModel;
	if (methods == plainMethods && isShallow)
	{
		return false;
	}
	if ((methods == shallowMethods || methods == judgedShallowMethods) && isShallow == false)
	{
		return false;
	}
	bool isSkipped = (testCase->skippedModels & (1u << method->model)) != 0;
	if (methods == bodyMethods && (isSkipped || method->grade == tnc_gatesGrade))
	{
		return false;
	}
	if (methods == judgedShallowMethods && method->grade == tnc_gatesGrade)
	{
		return false;
	}
	bool isMain = strcmp(method->name, "pipe") == 0 || strcmp(method->name, "linear") == 0 ||
		strcmp(method->name, "shallow") == 0 || strcmp(method->name, "waves") == 0 ||
		strcmp(method->name, "voxels") == 0;
	return testCase->cost == tnc_shortCase || isMain;
}

int TestRunCase(const char* name, CaseMethods methods)
{
	tncConfig config = tncDefaultConfig();
	config.brief = TEST_BREVITY > 1;
	config.ends = true;
	int failCount = 0;
	int rowCount = 0;
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const tncCase* testCase = tncGetCase(i);
		if (strcmp(testCase->name, name) != 0)
		{
			continue;
		}
		tncReport report = {0};
		for (int j = 0; j < tncGetMethodCount(); ++j)
		{
			if (IsWanted(testCase, tncGetMethod(j), methods))
			{
				tncRunCase(testCase, tncGetMethod(j), &config, &report);
			}
		}
		for (int row = 0; row < report.count; ++row)
		{
			if (strcmp(tncGetVerdict(report.rows + row), "fail") == 0)
			{
				char text[256];
				tncFormatCsv(report.rows + row, text, sizeof(text));
				printf("%s\n", text);
			}
		}
		failCount += report.failCount + (report.incomplete ? 1 : 0);
		rowCount += report.count;
		tncDestroyReport(&report);
	}
	ENSURE(rowCount > 0);
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

#define CASE(name)                             \
	static int Case##name(void)                \
	{                                          \
		return TestRunCase(#name, allMethods); \
	}

CASE(F02)
CASE(F03)
CASE(F04)
CASE(F09)
CASE(F10)
CASE(F17)
CASE(P05)

static int NamesMatch(void)
{
	const tncCase part = {"F15b", "", tnc_shortCase, NULL, 0};
	const tncCase whole = {"F01", "", tnc_shortCase, NULL, 0};
	ENSURE(tncMatchCase(&part, "F15b"));
	ENSURE(tncMatchCase(&part, "f15B"));
	ENSURE(tncMatchCase(&part, "F15"));
	ENSURE(tncMatchCase(&part, "F1") == false);
	ENSURE(tncMatchCase(&part, "F15a") == false);
	ENSURE(tncMatchCase(&part, "F15bc") == false);
	ENSURE(tncMatchCase(&part, "") == false);
	ENSURE(tncMatchCase(&whole, "f01"));
	ENSURE(tncMatchCase(&whole, "F0") == false);
	ENSURE(tncMatchCase(&whole, "F011") == false);
	return 0;
}

static int RowsAreFormatted(void)
{
	char text[256];
	tncRow row = {"F01", "pipe", "speed (m/s)", 0.25, -INFINITY, 0.5, false, true, tnc_gateRow};
	tncFormatCsv(&row, text, sizeof(text));
	ENSURE(strcmp(text, "F01,pipe,speed (m/s),0.25,<=0.5,pass") == 0);
	row.lower = -0.001;
	row.pass = false;
	tncFormatCsv(&row, text, sizeof(text));
	ENSURE(strcmp(text, "F01,pipe,speed (m/s),0.25,-0.001..0.5,fail") == 0);
	row.informational = true;
	row.upper = INFINITY;
	tncFormatCsv(&row, text, sizeof(text));
	ENSURE(strcmp(text, "F01,pipe,speed (m/s),0.25,>=-0.001,info") == 0);
	row.lower = -INFINITY;
	row.pass = true;
	tncFormatCsv(&row, text, sizeof(text));
	ENSURE(strcmp(text, "F01,pipe,speed (m/s),0.25,,info") == 0);
	row.lower = 0.0;
	row.upper = 0.0;
	tncFormatCsv(&row, text, sizeof(text));
	ENSURE(strcmp(text, "F01,pipe,speed (m/s),0.25,=0,pass") == 0);
	return 0;
}

// A table that is not there is a failing row and not a crash.
static int MissingTableFails(void)
{
	tncConfig config = tncDefaultConfig();
	config.referenceDir = "no such folder";
	tncReport report = {0};
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		if (tncMatchCase(tncGetCase(i), "F02"))
		{
			ENSURE(tncRunCase(tncGetCase(i), tncGetMethod(0), &config, &report) == false);
		}
	}
	ENSURE_EQUAL_INT(report.failCount, 1);
	ENSURE_TEXT(report.rows[0].measure, "f02_ritter.csv");
	tncDestroyReport(&report);
	return 0;
}

// A case that a method is not run with says so in one row, and no other way: it neither passes nor fails.
static int SkippedCasesSaySo(void)
{
	const tncMethod* method = tncFindMethod("pipe-mean");
	ENSURE(method != NULL);
	tncConfig config = tncDefaultConfig();
	int skippedCount = 0;
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const tncCase* testCase = tncGetCase(i);
		if (tncIsAbout(testCase, method) == false)
		{
			continue;
		}
		// Whatever is skipped, the default pipe, the linear method and the full equations are always run.
		ENSURE((testCase->skippedModels & (1u << tnc_pipeModel)) == 0);
		ENSURE((testCase->skippedModels & (1u << tnc_linearModel)) == 0);
		ENSURE((testCase->skippedModels & (1u << tnc_shallowModel)) == 0);
		if ((testCase->skippedModels & (1u << method->model)) != 0)
		{
			tncReport report = {0};
			ENSURE(tncRunCase(testCase, method, &config, &report));
			ENSURE_EQUAL_INT(report.count, 1);
			ENSURE_TEXT(report.rows[0].measure, "not run");
			ENSURE(strcmp(tncGetVerdict(report.rows), "info") == 0);
			tncDestroyReport(&report);
			skippedCount += 1;
		}
	}
	ENSURE(skippedCount > 0);
	return 0;
}

static const Test s_tests[] = {
	{"NamesMatch", NamesMatch},
	{"RowsAreFormatted", RowsAreFormatted},
	{"MissingTableFails", MissingTableFails},
	{"SkippedCasesSaySo", SkippedCasesSaySo},
	{"F02", CaseF02},
	{"F03", CaseF03},
	{"F04", CaseF04},
	{"F09", CaseF09},
	{"F10", CaseF10},
	{"F17", CaseF17},
	{"P05", CaseP05},
};
const TestSuite casesSuite = TEST_SUITE("cases", s_tests);

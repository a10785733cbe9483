// SPDX-License-Identifier: MIT

// All verification cases that are not in test_cases.c, with the methods without self-advection. The full equations are
// in test_shallow_cases.c.

#include "case_tests.h"
#include "cases.h"
#include "harness.h"

#include <string.h>

#define CASE(name)                               \
	static int Case##name(void)                  \
	{                                            \
		return TestRunCase(#name, plainMethods); \
	}

CASE(F01)
CASE(F05)
CASE(F06)
CASE(F07)
CASE(F08)
CASE(F11)
CASE(F12)
CASE(F13)
CASE(F14)
CASE(F15a)
CASE(F15b)
CASE(F15c)
CASE(F16)
CASE(F18)
CASE(P01)
CASE(P02)
CASE(P03)
CASE(P04)

// Defined below the table that it looks into.
static int EveryCaseIsATest(void);

static const Test s_tests[] = {
	{"EveryCaseIsATest", EveryCaseIsATest},
	{"F01", CaseF01},
	{"F05", CaseF05},
	{"F06", CaseF06},
	{"F07", CaseF07},
	{"F08", CaseF08},
	{"F11", CaseF11},
	{"F12", CaseF12},
	{"F13", CaseF13},
	{"F14", CaseF14},
	{"F15a", CaseF15a},
	{"F15b", CaseF15b},
	{"F15c", CaseF15c},
	{"F16", CaseF16},
	{"F18", CaseF18},
	{"P01", CaseP01},
	{"P02", CaseP02},
	{"P03", CaseP03},
	{"P04", CaseP04},
};
const TestSuite long_casesSuite = TEST_SUITE("long_cases", s_tests);

extern const TestSuite casesSuite;
extern const TestSuite shallow_casesSuite;
extern const TestSuite body_casesSuite;
extern const TestSuite wave_casesSuite;
extern const TestSuite voxel_casesSuite;
extern const TestSuite long_voxel_casesSuite;

static int CountTests(const TestSuite* suite, const char* name)
{
	int count = 0;
	for (int i = 0; i < suite->testCount; ++i)
	{
		count += strcmp(suite->tests[i].name, name) == 0 ? 1 : 0;
	}
	return count;
}

// Once for all methods, or once for each kind.
static int EveryCaseIsATest(void)
{
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const char* name = tncGetCase(i)->name;
		int all = CountTests(&casesSuite, name) + CountTests(&body_casesSuite, name);
		all += CountTests(&wave_casesSuite, name);
		all += CountTests(&voxel_casesSuite, name) + CountTests(&long_voxel_casesSuite, name);
		ENSURE_EQUAL_INT(all + CountTests(&long_casesSuite, name), 1);
		ENSURE_EQUAL_INT(all + CountTests(&shallow_casesSuite, name), 1);
	}
	return 0;
}

// SPDX-License-Identifier: MIT

// The cases of test_long_cases.c for the full shallow water equations: beside it and not in it, so that both run at the
// same time.

#include "case_tests.h"
#include "harness.h"

#define CASE(name, methods)                 \
	static int Case##name(void)             \
	{                                       \
		return TestRunCase(#name, methods); \
	}

// Semi-Lagrangian methods are held to gates only: they run where those are what the case is about.
CASE(F01, shallowMethods)
CASE(F05, judgedShallowMethods)
CASE(F06, judgedShallowMethods)
CASE(F07, judgedShallowMethods)
CASE(F08, judgedShallowMethods)
CASE(F11, shallowMethods)
CASE(F12, judgedShallowMethods)
CASE(F13, judgedShallowMethods)
CASE(F14, judgedShallowMethods)
CASE(F15a, judgedShallowMethods)
CASE(F15b, shallowMethods)
CASE(F15c, shallowMethods)
CASE(F16, shallowMethods)
CASE(F18, judgedShallowMethods)
CASE(P01, judgedShallowMethods)
CASE(P02, shallowMethods)
CASE(P03, shallowMethods)
CASE(P04, shallowMethods)

static const Test s_tests[] = {
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
const TestSuite shallow_casesSuite = TEST_SUITE("shallow_cases", s_tests);

// SPDX-License-Identifier: MIT

// The verification cases of the wave layer, long ones with the standard kernel only.

#include "case_tests.h"
#include "harness.h"

#define CASE(name)                              \
	static int Case##name(void)                 \
	{                                           \
		return TestRunCase(#name, waveMethods); \
	}

CASE(W01)
CASE(W02a)
CASE(W02b)
CASE(W03)
CASE(W04)
CASE(W05)
CASE(W06)
CASE(W07)
CASE(W08)
CASE(W09)
CASE(W10)
CASE(W11)
CASE(W12)
CASE(W13)
CASE(W14)
CASE(W15)
CASE(W16)

static const Test s_tests[] = {
	{"W01", CaseW01},
	{"W02a", CaseW02a},
	{"W02b", CaseW02b},
	{"W03", CaseW03},
	{"W04", CaseW04},
	{"W05", CaseW05},
	{"W06", CaseW06},
	{"W07", CaseW07},
	{"W08", CaseW08},
	{"W09", CaseW09},
	{"W10", CaseW10},
	{"W11", CaseW11},
	{"W12", CaseW12},
	{"W13", CaseW13},
	{"W14", CaseW14},
	{"W15", CaseW15},
	{"W16", CaseW16},
};
const TestSuite wave_casesSuite = TEST_SUITE("wave_cases", s_tests);

// SPDX-License-Identifier: MIT

// The verification cases of bodies, with the methods that are held to their limits.

#include "case_tests.h"
#include "harness.h"

#define CASE(name)                              \
	static int Case##name(void)                 \
	{                                           \
		return TestRunCase(#name, bodyMethods); \
	}

CASE(B01)
CASE(B02a)
CASE(B02b)
CASE(B03)
CASE(B04)
CASE(B05)
CASE(B06)
CASE(B07)
CASE(B08)
CASE(B09)
CASE(B10)
CASE(B11)
CASE(B12)
CASE(B13)
CASE(B19)
CASE(B18)
CASE(B14)
CASE(B15)
CASE(B16)
CASE(B17)
CASE(B20)

static const Test s_tests[] = {
	{"B01", CaseB01},
	{"B02a", CaseB02a},
	{"B02b", CaseB02b},
	{"B03", CaseB03},
	{"B04", CaseB04},
	{"B05", CaseB05},
	{"B06", CaseB06},
	{"B07", CaseB07},
	{"B08", CaseB08},
	{"B09", CaseB09},
	{"B10", CaseB10},
	{"B11", CaseB11},
	{"B12", CaseB12},
	{"B13", CaseB13},
	{"B19", CaseB19},
	{"B18", CaseB18},
	{"B14", CaseB14},
	{"B15", CaseB15},
	{"B16", CaseB16},
	{"B17", CaseB17},
	{"B20", CaseB20},
};
const TestSuite body_casesSuite = TEST_SUITE("body_cases", s_tests);

// SPDX-License-Identifier: MIT

// The verification cases of voxels.

#include "case_tests.h"
#include "harness.h"

#define CASE(name)                               \
	static int Case##name(void)                  \
	{                                            \
		return TestRunCase(#name, voxelMethods); \
	}

CASE(V01)
CASE(V02)
CASE(V03)
CASE(V04)
CASE(V05)
CASE(V06)
CASE(V07)
CASE(V08)
CASE(V09)
CASE(V10)
CASE(V11)

static const Test s_tests[] = {
	{"V01", CaseV01},
	{"V02", CaseV02},
	{"V03", CaseV03},
	{"V04", CaseV04},
	{"V05", CaseV05},
	{"V06", CaseV06},
	{"V07", CaseV07},
	{"V08", CaseV08},
	{"V09", CaseV09},
	{"V10", CaseV10},
	{"V11", CaseV11},
};
const TestSuite voxel_casesSuite = TEST_SUITE("voxel_cases", s_tests);

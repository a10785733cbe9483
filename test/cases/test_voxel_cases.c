// SPDX-License-Identifier: MIT

// The quick verification cases of voxels. The others are in test_long_voxel_cases.c.

#include "case_tests.h"
#include "harness.h"

#define CASE(name)                               \
	static int Case##name(void)                  \
	{                                            \
		return TestRunCase(#name, voxelMethods); \
	}

CASE(V01)
CASE(V02)
CASE(V05)
CASE(V06)
CASE(V07)
CASE(V08)
CASE(V11)

static const Test s_tests[] = {
	{"V01", CaseV01},
	{"V02", CaseV02},
	{"V05", CaseV05},
	{"V06", CaseV06},
	{"V07", CaseV07},
	{"V08", CaseV08},
	{"V11", CaseV11},
};
const TestSuite voxel_casesSuite = TEST_SUITE("voxel_cases", s_tests);

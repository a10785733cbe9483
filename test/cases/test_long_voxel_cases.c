// SPDX-License-Identifier: MIT

// The verification cases of voxels that take longer.

#include "case_tests.h"
#include "harness.h"

#define CASE(name)                               \
	static int Case##name(void)                  \
	{                                            \
		return TestRunCase(#name, voxelMethods); \
	}

CASE(V03)
CASE(V04)
CASE(V09)
CASE(V10)

static const Test s_tests[] = {
	{"V03", CaseV03},
	{"V04", CaseV04},
	{"V09", CaseV09},
	{"V10", CaseV10},
};
const TestSuite long_voxel_casesSuite = TEST_SUITE("long_voxel_cases", s_tests);

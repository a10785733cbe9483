// SPDX-License-Identifier: MIT

// The verification cases of the wave layer, with all its kernels.

#include "case_tests.h"
#include "harness.h"

#define CASE(name)                              \
	static int Case##name(void)                 \
	{                                           \
		return TestRunCase(#name, waveMethods); \
	}

CASE(W01)

static const Test s_tests[] = {
	{"W01", CaseW01},
};
const TestSuite wave_casesSuite = TEST_SUITE("wave_cases", s_tests);

// SPDX-License-Identifier: MIT

// The program of all suites: runs all, one, or one test, and lists them.

#include "harness.h"

#include <stdio.h>
#include <string.h>

// The list of suites is made by test/CMakeLists.txt.
#define SUITE(suite) extern const TestSuite suite;
#include "suites.inc"
#undef SUITE

static const TestSuite* const s_suites[] = {
#define SUITE(suite) &suite,
#include "suites.inc"
#undef SUITE
};

enum
{
	suiteCount = (int)(sizeof(s_suites) / sizeof(s_suites[0]))
};

int main(int argumentCount, char** arguments)
{
	if (argumentCount > 2 || (argumentCount == 2 && strcmp(arguments[1], "--help") == 0))
	{
		printf("usage: tarn_test [--list | SUITE | SUITE.TEST]\n");
		return argumentCount > 2 ? 2 : 0;
	}
	if (argumentCount == 2 && strcmp(arguments[1], "--list") == 0)
	{
		for (int i = 0; i < suiteCount; ++i)
		{
			for (int j = 0; j < s_suites[i]->testCount; ++j)
			{
				printf("%s.%s\n", s_suites[i]->name, s_suites[i]->tests[j].name);
			}
		}
		return 0;
	}
	// Line by line, so that a crash does not swallow what was said before it.
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	return TestRunSuites(s_suites, suiteCount, argumentCount == 2 ? arguments[1] : NULL);
}

// SPDX-License-Identifier: MIT

// Any bytes as calls on a world: see stress_driver.h.

#include "stress_driver.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	StressReport report;
	if (!StressRun(bytes, size, &report))
	{
		fprintf(stderr, "%s\n", report.text);
		abort();
	}
	return 0;
}

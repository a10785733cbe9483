// SPDX-License-Identifier: MIT

// Any bytes as calls on a world with a terrain: see driver.h. tarn_driver --file shrinks what it finds.

#include "driver.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	const DriverOptions options = {0};
	DriverReport report;
	if (!DriverRunBytes(bytes, size, &options, NULL, &report))
	{
		fprintf(stderr, "%s\n", report.text);
		abort();
	}
	return 0;
}

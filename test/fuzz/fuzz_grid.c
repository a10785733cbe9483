// SPDX-License-Identifier: MIT

// Any bytes as .asc, .r16 or .r32: refused with a text, or a grid of finite values. The first byte chooses the format,
// for raw files the next two the size of the grid.

#include "scene.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	if (size < 3)
	{
		return 0;
	}
	static const tnsGridFormat formats[] = {tns_ascFormat, tns_r16Format, tns_r32Format};
	tnsGridRequest request = {0};
	request.format = formats[bytes[0] % 3];
	request.columnCount = bytes[1];
	request.rowCount = bytes[2];
	request.hasFill = bytes[0] >= 128;
	const size_t header = request.format == tns_ascFormat ? 1 : 3;
	tnsGrid grid;
	const tnsResult result = tnsReadGrid(bytes + header, size - header, "fuzz", &request, &grid);
	if ((grid.values != NULL) != (result.status == tns_ok) || (result.status != tns_ok && result.text[0] == 0))
	{
		abort();
	}
	for (int64_t i = 0; grid.values != NULL && i < (int64_t)grid.columnCount * grid.rowCount; ++i)
	{
		if (isfinite(grid.values[i]) == 0)
		{
			abort();
		}
	}
	tnsFreeGrid(&grid);
	return 0;
}

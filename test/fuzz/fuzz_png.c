// SPDX-License-Identifier: MIT

// Any bytes as a PNG: refused with a text, or a grid of values from 0 to 1. Checksums of chunks are made right first,
// or almost no input would get past them.

#include "scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static uint32_t GetCrc(const uint8_t* bytes, size_t size)
{
	uint32_t crc = 0xFFFFFFFFu;
	for (size_t i = 0; i < size; ++i)
	{
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; ++bit)
		{
			crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
		}
	}
	return ~crc;
}

// Chunks follow the 8 bytes of the signature: length, 4 letters, data, checksum of letters and data.
static void RepairChecksums(uint8_t* bytes, size_t size)
{
	size_t at = 8;
	while (at + 12 <= size)
	{
		const uint32_t length =
			(uint32_t)bytes[at] << 24 | (uint32_t)bytes[at + 1] << 16 | (uint32_t)bytes[at + 2] << 8 | bytes[at + 3];
		if (length > size - at - 12)
		{
			return;
		}
		const uint32_t crc = GetCrc(bytes + at + 4, length + 4);
		for (int i = 0; i < 4; ++i)
		{
			bytes[at + 8 + length + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
		}
		at += 12 + (size_t)length;
	}
}

static void CheckPng(const uint8_t* bytes, size_t size)
{
	const tnsGridRequest request = {.format = tns_pngFormat};
	tnsGrid grid;
	const tnsResult result = tnsReadGrid(bytes, size, "fuzz.png", &request, &grid);
	if ((grid.values != NULL) != (result.status == tns_ok) || (result.status != tns_ok && result.text[0] == 0))
	{
		abort();
	}
	if (grid.values != NULL)
	{
		float resampled[7 * 5];
		tnsResampleGrid(&grid, 7, 5, resampled);
		for (int i = 0; i < 7 * 5; ++i)
		{
			if ((resampled[i] >= 0.0f && resampled[i] <= 1.0f) == false)
			{
				abort();
			}
		}
	}
	tnsFreeGrid(&grid);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	CheckPng(bytes, size);
	uint8_t* repaired = malloc(size > 0 ? size : 1);
	if (repaired != NULL && size > 0)
	{
		memcpy(repaired, bytes, size);
		RepairChecksums(repaired, size);
		CheckPng(repaired, size);
	}
	free(repaired);
	return 0;
}

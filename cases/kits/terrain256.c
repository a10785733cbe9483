// SPDX-License-Identifier: MIT

// Terrain in integers of 1/256 m: the same on every machine and exact in float32. Bilinear interpolation of hashed
// lattices, one for each octave.

#include "kits/case_kit.h"

// The octaves of F01 and F15.
#define TNC_OCTAVE_COUNT 4
static const tncOctave s_octaves[TNC_OCTAVE_COUNT] = {{16, 2048}, {8, 1024}, {4, 512}, {2, 192}};

uint32_t tncHash3(uint32_t x, uint32_t y, uint32_t seed)
{
	uint32_t v = x * 0x9E3779B1u + y * 0x85EBCA77u + seed * 0xC2B2AE3Du;
	v ^= v >> 15;
	v *= 0x2C1B3C6Du;
	v ^= v >> 12;
	v *= 0x297A2D39u;
	v ^= v >> 15;
	return v;
}

double tncNoise(uint32_t x, uint32_t y, uint32_t seed)
{
	return (double)tncHash3(x, y, seed) / 2147483648.0 - 1.0;
}

int32_t tncSumOctaves(int column, int row, uint32_t seed, const tncOctave* octaves, int count)
{
	int64_t height = 0;
	for (int o = 0; o < count; ++o)
	{
		int64_t p = octaves[o].spacing;
		int64_t fx = column % p;
		int64_t fz = row % p;
		uint32_t a = (uint32_t)(column / p);
		uint32_t b = (uint32_t)(row / p);
		uint32_t s = seed + 101u * (uint32_t)o;
		int64_t sum = (int64_t)(tncHash3(a, b, s) >> 20) * (p - fx) * (p - fz);
		sum += (int64_t)(tncHash3(a + 1, b, s) >> 20) * fx * (p - fz);
		sum += (int64_t)(tncHash3(a, b + 1, s) >> 20) * (p - fx) * fz;
		sum += (int64_t)(tncHash3(a + 1, b + 1, s) >> 20) * fx * fz;
		height += octaves[o].amplitude * sum / (p * p * 4096);
	}
	return (int32_t)height;
}

int32_t tncTerrain256(int column, int row, uint32_t seed)
{
	return tncSumOctaves(column, row, seed, s_octaves, TNC_OCTAVE_COUNT);
}

void tncMakeTerrain256(int columnCount, int rowCount, uint32_t seed, int32_t* heights)
{
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			heights[row * columnCount + column] = tncTerrain256(column, row, seed);
		}
	}
}

uint32_t tncCrc32(const int32_t* values, int count)
{
	uint32_t crc = 0xFFFFFFFFu;
	for (int i = 0; i < count; ++i)
	{
		uint32_t value = (uint32_t)values[i];
		for (int byte = 0; byte < 4; ++byte)
		{
			crc ^= (value >> (8 * byte)) & 0xFFu;
			for (int bit = 0; bit < 8; ++bit)
			{
				crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
			}
		}
	}
	return ~crc;
}

// Relaxation instead of a priority queue: the grids are small, and the fixed point is the same.
void tncFloodToSpill(const int32_t* heights, int columnCount, int rowCount, int32_t* levels)
{
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			bool isEdge = row == 0 || row == rowCount - 1 || column == 0 || column == columnCount - 1;
			int cell = row * columnCount + column;
			levels[cell] = isEdge ? heights[cell] : INT32_MAX;
		}
	}

	bool changed = true;
	while (changed)
	{
		changed = false;
		for (int row = 1; row < rowCount - 1; ++row)
		{
			for (int column = 1; column < columnCount - 1; ++column)
			{
				int cell = row * columnCount + column;
				int neighbours[4] = {cell - 1, cell + 1, cell - columnCount, cell + columnCount};
				for (int i = 0; i < 4; ++i)
				{
					int32_t outlet = levels[neighbours[i]];
					int32_t level = outlet > heights[cell] ? outlet : heights[cell];
					if (level < levels[cell])
					{
						levels[cell] = level;
						changed = true;
					}
				}
			}
		}
	}
}

// SPDX-License-Identifier: MIT

// A PNG without compression, for builds without libpng: three bytes a pixel and a little more.
//
//     signature, IHDR, an IDAT for each row, IEND
//
// The data of all IDAT together are one zlib stream. A row is a filter byte (0: none) and its pixels, as stored blocks.

#include "files/scene_files.h"
#include "terrain/png_files.h"
#include "terrain/terrain_files.h"

#include "files/json.h"

#include <stdio.h>

enum
{
	// Most bytes of a stored block.
	TNS_BLOCK_SIZE = 65535,
	// The modulus of Adler-32, and how many bytes can be added before sums of 32 bits need it.
	TNS_ADLER_PRIME = 65521,
	TNS_ADLER_RUN = 5552,
};

typedef struct tnsPlainPng
{
	FILE* file;
	uint32_t table[256];
	// Of the chunk that is being written.
	uint32_t crc;
	// Adler-32 of all rows.
	uint32_t sumA, sumB;
} tnsPlainPng;

static void tnsInitCrc(uint32_t* table)
{
	for (uint32_t i = 0; i < 256; ++i)
	{
		uint32_t bits = i;
		for (int k = 0; k < 8; ++k)
		{
			bits = (bits & 1) != 0 ? 0xedb88320u ^ (bits >> 1) : bits >> 1;
		}
		table[i] = bits;
	}
}

static void tnsPutBytes(tnsPlainPng* png, const uint8_t* bytes, size_t size)
{
	for (size_t i = 0; i < size; ++i)
	{
		png->crc = png->table[(png->crc ^ bytes[i]) & 255] ^ (png->crc >> 8);
	}
	fwrite(bytes, 1, size, png->file);
}

static void tnsPutNumber(tnsPlainPng* png, uint32_t number)
{
	const uint8_t bytes[4] = {
		(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
	tnsPutBytes(png, bytes, sizeof(bytes));
}

static void tnsBeginChunk(tnsPlainPng* png, const char* name, size_t size)
{
	tnsPutNumber(png, (uint32_t)size);
	png->crc = 0xffffffffu; // over name and data, not over the size
	tnsPutBytes(png, (const uint8_t*)name, 4);
}

static void tnsEndChunk(tnsPlainPng* png)
{
	tnsPutNumber(png, ~png->crc);
}

// Bytes of the picture: they count for Adler-32.
static void tnsPutData(tnsPlainPng* png, const uint8_t* bytes, size_t size)
{
	for (size_t begin = 0; begin < size; begin += TNS_ADLER_RUN)
	{
		const size_t end = size - begin < TNS_ADLER_RUN ? size : begin + TNS_ADLER_RUN;
		for (size_t i = begin; i < end; ++i)
		{
			png->sumA += bytes[i];
			png->sumB += png->sumA;
		}
		png->sumA %= TNS_ADLER_PRIME;
		png->sumB %= TNS_ADLER_PRIME;
	}
	tnsPutBytes(png, bytes, size);
}

static void tnsPutRow(tnsPlainPng* png, const uint8_t* pixels, size_t size, bool first, bool last)
{
	static const uint8_t zlibHeader[2] = {0x78, 0x01}, filter[1] = {0};
	const size_t whole = size + 1;
	const size_t blockCount = (whole + TNS_BLOCK_SIZE - 1) / TNS_BLOCK_SIZE;
	tnsBeginChunk(png, "IDAT", whole + 5 * blockCount + (first ? 2 : 0) + (last ? 4 : 0));
	if (first)
	{
		tnsPutBytes(png, zlibHeader, sizeof(zlibHeader));
	}
	for (size_t begin = 0; begin < whole; begin += TNS_BLOCK_SIZE)
	{
		const size_t end = whole - begin < TNS_BLOCK_SIZE ? whole : begin + TNS_BLOCK_SIZE;
		const uint32_t length = (uint32_t)(end - begin);
		const uint8_t head[5] = {
			last && end == whole, (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)~length, (uint8_t)(~length >> 8)};
		tnsPutBytes(png, head, sizeof(head));
		// The filter byte is the first of the row.
		if (begin == 0)
		{
			tnsPutData(png, filter, 1);
		}
		const size_t from = begin == 0 ? 0 : begin - 1;
		tnsPutData(png, pixels + from, end - 1 - from);
	}
	if (last)
	{
		tnsPutNumber(png, png->sumB << 16 | png->sumA);
	}
	tnsEndChunk(png);
}

tnsResult tnsWritePlainPicture(const char* path, const uint8_t* pixels, int width, int height)
{
	static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	// 8 bits a channel, RGB, the only kinds of compression, filters and interlacing that there are.
	static const uint8_t kind[5] = {8, 2, 0, 0, 0};
	if (path == NULL || pixels == NULL || width < 1 || width > TNS_MAX_SIDE || height < 1 || height > TNS_MAX_SIDE)
	{
		return tnsMakeError(tns_invalidArgument, "a picture needs a path, pixels and sides from 1 to %d, got %d x %d",
			TNS_MAX_SIDE, width, height);
	}
	tnsResult result = {0};
	tnsPlainPng png = {.sumA = 1};
	png.file = tnsOpenForWriting(path, &result);
	if (png.file == NULL)
	{
		return result;
	}
	tnsInitCrc(png.table);
	tnsPutBytes(&png, signature, sizeof(signature));
	tnsBeginChunk(&png, "IHDR", 13);
	tnsPutNumber(&png, (uint32_t)width);
	tnsPutNumber(&png, (uint32_t)height);
	tnsPutBytes(&png, kind, sizeof(kind));
	tnsEndChunk(&png);
	const size_t rowSize = (size_t)width * 3;
	for (int row = 0; row < height; ++row)
	{
		tnsPutRow(&png, pixels + (size_t)row * rowSize, rowSize, row == 0, row == height - 1);
	}
	tnsBeginChunk(&png, "IEND", 0);
	tnsEndChunk(&png);
	tnsCloseWritten(png.file, path, &result);
	return result;
}

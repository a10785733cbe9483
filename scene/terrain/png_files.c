// SPDX-License-Identifier: MIT

// PNG by libpng. Where there is no libpng, png_missing.c takes the place of this file.

#include "terrain/png_files.h"

#include "files/json.h"
#include "terrain/terrain_files.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Deflate turns at most 1032 bytes into one. A PNG that promises more than its bytes can hold lies.
#define TNS_MAX_DEFLATE_RATIO 1032

// libpng reports errors by a jump. All that must survive the jump lives here, in a caller of the function that jumps,
// because local variables of that function would be lost.
typedef struct tnsPngJob
{
	jmp_buf jump;
	const char* name;
	const unsigned char* bytes;
	size_t size, at;
	const tnsGridRequest* request;
	FILE* file;
	png_structp png;
	png_infop info;
	unsigned char* pixels;
	png_bytep* rows;
	tnsResult result;
} tnsPngJob;

static void tnsFailPng(png_structp png, png_const_charp message)
{
	tnsPngJob* job = png_get_error_ptr(png);
	if (job->result.status == tns_ok)
	{
		job->result = tnsMakeError(tns_badFormat, "%.300s: not a good PNG: %.150s", job->name, message);
	}
	longjmp(job->jump, 1);
}

static void tnsIgnorePngWarning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void tnsReadPngBytes(png_structp png, png_bytep bytes, size_t count)
{
	tnsPngJob* job = png_get_io_ptr(png);
	if (count > job->size - job->at)
	{
		png_error(png, "the data ends too early");
	}
	memcpy(bytes, job->bytes + job->at, count);
	job->at += count;
}

// Everything that may jump.
static void tnsDecodePng(tnsPngJob* job, tnsGrid* grid)
{
	png_structp png = job->png;
	png_set_read_fn(png, job, tnsReadPngBytes);
	png_set_user_limits(png, TNS_MAX_SIDE, TNS_MAX_SIDE);
	// Heights need no text and no profiles. Without those, what libpng calls a benign error is about the pixels, for
	// instance more of them than the header says, and that is an error here. 1 MB is for a palette.
	png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
	png_set_benign_errors(png, 0);
	png_set_chunk_malloc_max(png, 1 << 20);
	png_set_chunk_cache_max(png, 16);
	png_read_info(png, job->info);

	const int64_t width = png_get_image_width(png, job->info);
	const int64_t height = png_get_image_height(png, job->info);
	const int depth = png_get_bit_depth(png, job->info);
	const int color = png_get_color_type(png, job->info);
	const int64_t bitsPerPixel = (int64_t)depth * png_get_channels(png, job->info);
	if ((width * bitsPerPixel + 7) / 8 * height / TNS_MAX_DEFLATE_RATIO > (int64_t)job->size)
	{
		job->result =
			tnsMakeError(tns_badFormat, "%.300s: says it has %lld x %lld pixels, but its %llu bytes cannot hold them",
				job->name, (long long)width, (long long)height, (unsigned long long)job->size);
		return;
	}
	job->result = tnsCreateGrid(job->name, width, height, job->request, grid);
	if (job->result.status != tns_ok)
	{
		return;
	}

	if (color == PNG_COLOR_TYPE_PALETTE)
	{
		png_set_palette_to_rgb(png);
	}
	if (color == PNG_COLOR_TYPE_GRAY && depth < 8)
	{
		png_set_expand_gray_1_2_4_to_8(png);
	}
	// Also for a palette whose transparency would come out as a fourth channel.
	png_set_strip_alpha(png);
	// Rows that are whole come one after the other, and only one of them is kept.
	const bool isWhole = png_set_interlace_handling(png) == 1;
	png_read_update_info(png, job->info);

	const uint64_t rowBytes = png_get_rowbytes(png, job->info);
	const uint64_t keptRows = isWhole ? 1 : (uint64_t)height;
	const uint64_t gridBytes = (uint64_t)(width * height) * sizeof(float);
	if (!tnsIsAllowed(job->request, gridBytes + keptRows * (rowBytes + sizeof(png_bytep))))
	{
		job->result = tnsMakeGridMemoryError(job->name, job->request, width, height);
		return;
	}
	job->pixels = malloc((size_t)(rowBytes * keptRows));
	job->rows = malloc((size_t)keptRows * sizeof(png_bytep));
	if (job->pixels == NULL || job->rows == NULL)
	{
		job->result = tnsMakeError(tns_outOfMemory, "%.300s: out of memory for %lld x %lld pixels", job->name,
			(long long)width, (long long)height);
		return;
	}
	for (uint64_t row = 0; row < keptRows; ++row)
	{
		job->rows[row] = job->pixels + (size_t)(row * rowBytes);
	}
	if (!isWhole)
	{
		png_read_image(png, job->rows);
	}

	const int channelCount = png_get_channels(png, job->info);
	const bool wide = png_get_bit_depth(png, job->info) == 16;
	for (int64_t row = 0; row < height; ++row)
	{
		if (isWhole)
		{
			png_read_row(png, job->rows[0], NULL);
		}
		const unsigned char* pixel = job->rows[isWhole ? 0 : row];
		for (int64_t column = 0; column < width; ++column)
		{
			uint32_t channels[4] = {0};
			for (int channel = 0; channel < channelCount; ++channel)
			{
				channels[channel] = wide ? (uint32_t)pixel[0] << 8 | pixel[1] : pixel[0];
				pixel += wide ? 2 : 1;
			}
			// Weights of Rec. 709 in 1/10000, in integers: a grey picture saved as colour gives the same heights.
			const int only = job->request->channel;
			const uint32_t light = channelCount == 1 ? 10000 * channels[0]
				: only > 0                           ? 10000 * channels[only - 1]
													 : 2126 * channels[0] + 7152 * channels[1] + 722 * channels[2];
			grid->values[row * width + column] = (float)((double)light / (wide ? 655350000.0 : 2550000.0));
		}
	}
	png_read_end(png, NULL);
}

static void tnsTryDecodePng(tnsPngJob* job, tnsGrid* grid)
{
	if (setjmp(job->jump) != 0)
	{
		return;
	}
	job->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, job, tnsFailPng, tnsIgnorePngWarning);
	job->info = job->png != NULL ? png_create_info_struct(job->png) : NULL;
	if (job->info == NULL)
	{
		job->result = tnsMakeError(tns_outOfMemory, "%.300s: out of memory", job->name);
		return;
	}
	tnsDecodePng(job, grid);
}

tnsResult tnsReadPng(
	const unsigned char* bytes, size_t size, const char* name, const tnsGridRequest* request, tnsGrid* grid)
{
	if (size < 8 || png_sig_cmp(bytes, 0, 8) != 0)
	{
		return tnsMakeError(tns_badFormat, "%.300s: is not a PNG", name);
	}
	tnsPngJob job = {0};
	job.name = name;
	job.bytes = bytes;
	job.size = size;
	job.request = request;
	tnsTryDecodePng(&job, grid);
	png_destroy_read_struct(&job.png, &job.info, NULL);
	free(job.pixels);
	free(job.rows);
	return job.result;
}

static void tnsEncodePicture(tnsPngJob* job, const uint8_t* pixels, int width, int height)
{
	png_structp png = job->png;
	png_init_io(png, job->file);
	png_set_IHDR(png, job->info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	// A fifth of the time of level 6 (0.06 s instead of 0.33 s for a megapixel map) for a tenth more bytes.
	png_set_compression_level(png, 2);
	png_write_info(png, job->info);
	for (int row = 0; row < height; ++row)
	{
		png_write_row(png, pixels + (size_t)row * (size_t)width * 3);
	}
	png_write_end(png, NULL);
}

static void tnsFailPngWrite(png_structp png, png_const_charp message)
{
	tnsPngJob* job = png_get_error_ptr(png);
	job->result = tnsMakeError(tns_fileError, "%.300s: cannot be written: %.150s", job->name, message);
	longjmp(job->jump, 1);
}

static void tnsTryEncodePicture(tnsPngJob* job, const uint8_t* pixels, int width, int height)
{
	if (setjmp(job->jump) != 0)
	{
		return;
	}
	job->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job, tnsFailPngWrite, tnsIgnorePngWarning);
	job->info = job->png != NULL ? png_create_info_struct(job->png) : NULL;
	if (job->info == NULL)
	{
		job->result = tnsMakeError(tns_outOfMemory, "%.300s: out of memory", job->name);
		return;
	}
	tnsEncodePicture(job, pixels, width, height);
}

tnsResult tnsWritePicture(const char* path, const uint8_t* pixels, int width, int height)
{
	tnsPngJob job = {0};
	if (path == NULL || pixels == NULL || width < 1 || width > TNS_MAX_SIDE || height < 1 || height > TNS_MAX_SIDE)
	{
		return tnsMakeError(tns_invalidArgument, "a picture needs a path, pixels and sides from 1 to %d, got %d x %d",
			TNS_MAX_SIDE, width, height);
	}
	job.name = path;
	job.file = tnsOpenForWriting(path, &job.result);
	if (job.file == NULL)
	{
		return job.result;
	}
	tnsTryEncodePicture(&job, pixels, width, height);
	png_destroy_write_struct(&job.png, &job.info);
	tnsCloseWritten(job.file, path, &job.result);
	return job.result;
}

// SPDX-License-Identifier: MIT

#include "system/packed_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TARN_HAVE_ZSTD
#include <zstd.h>
#endif

enum
{
	// Of zstd: a world is packed in the time of a few pictures.
	level = 3,
};

static char s_error[512];

static const char* Refuse(const char* path, const char* why)
{
	snprintf(s_error, sizeof(s_error), "%.300s: %.180s", path, why);
	return s_error;
}

static const char* WriteBytes(const char* path, const void* bytes, size_t size)
{
	char part[4096];
	if (snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
	{
		return Refuse(path, "the name is too long");
	}
	FILE* file = fopen(part, "wb");
	if (file == NULL)
	{
		return Refuse(path, strerror(errno));
	}
	const bool written = fwrite(bytes, 1, size, file) == size;
	const bool closed = fclose(file) == 0;
#ifdef _WIN32
	// There a file is not renamed onto another.
	if (written && closed)
	{
		remove(path);
	}
#endif
	if (written == false || closed == false || rename(part, path) != 0)
	{
		const char* error = Refuse(path, errno != 0 ? strerror(errno) : "it cannot be written");
		remove(part);
		return error;
	}
	return NULL;
}

const char* WritePackedFile(const char* path, const void* bytes, size_t size)
{
#ifdef TARN_HAVE_ZSTD
	const size_t capacity = ZSTD_compressBound(size);
	void* packed = malloc(capacity);
	if (packed == NULL)
	{
		return Refuse(path, "out of memory");
	}
	const size_t packedSize = ZSTD_compress(packed, capacity, bytes, size, level);
	const char* error =
		ZSTD_isError(packedSize) ? Refuse(path, ZSTD_getErrorName(packedSize)) : WriteBytes(path, packed, packedSize);
	free(packed);
	return error;
#else
	return WriteBytes(path, bytes, size);
#endif
}

// Takes `packed`, which is freed unless it is what comes out.
static const char* Unpack(const char* path, size_t most, void* packed, size_t packedSize, void** bytes, size_t* size)
{
	static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
	if (packedSize < sizeof(magic) || memcmp(packed, magic, sizeof(magic)) != 0)
	{
		*bytes = packed;
		*size = packedSize;
		return NULL;
	}
#ifdef TARN_HAVE_ZSTD
	const unsigned long long wanted = ZSTD_getFrameContentSize(packed, packedSize);
	const char* error = NULL;
	if (wanted == ZSTD_CONTENTSIZE_UNKNOWN || wanted == ZSTD_CONTENTSIZE_ERROR || wanted > most)
	{
		error = Refuse(path, "it is damaged, or larger than what may be read");
	}
	void* out = error == NULL ? malloc((size_t)wanted + 1) : NULL;
	if (error == NULL && out == NULL)
	{
		error = Refuse(path, "out of memory");
	}
	if (error == NULL)
	{
		const size_t got = ZSTD_decompress(out, (size_t)wanted, packed, packedSize);
		error = ZSTD_isError(got) ? Refuse(path, "it is damaged") : NULL;
		*size = got;
	}
	free(packed);
	if (error != NULL)
	{
		free(out);
		return error;
	}
	*bytes = out;
	return NULL;
#else
	(void)most;
	free(packed);
	return Refuse(path, "it is packed with zstd, which this program was built without");
#endif
}

const char* ReadPackedFile(const char* path, size_t most, void** bytes, size_t* size)
{
	*bytes = NULL;
	*size = 0;
	errno = 0;
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		return Refuse(path, strerror(errno));
	}
	size_t count = 0, capacity = 1 << 16;
	uint8_t* read = malloc(capacity);
	while (read != NULL)
	{
		const size_t got = fread(read + count, 1, capacity - count, file);
		count += got;
		if (got == 0 || count > most)
		{
			break;
		}
		if (count == capacity)
		{
			capacity *= 2;
			uint8_t* more = realloc(read, capacity);
			if (more == NULL)
			{
				free(read);
			}
			read = more;
		}
	}
	const bool failed = ferror(file) != 0;
	fclose(file);
	if (read == NULL)
	{
		return Refuse(path, "out of memory");
	}
	if (failed || count > most)
	{
		free(read);
		return Refuse(path, failed ? "it cannot be read" : "it is larger than what may be read");
	}
	return Unpack(path, most, read, count, bytes, size);
}

// SPDX-License-Identifier: MIT

// Files as a whole. Whoever wrote a scene decides which files are opened, so only regular ones are, and those that a scene
// names only in its folder: a pipe would wait for ever, a device may never end, and a link may lead anywhere.

#if !defined(_WIN32) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif

#include "files/scene_files.h"

#include "files/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Opening

typedef enum tnsOpening
{
	tns_opened = 0,
	tns_openingFailed, // errno says why
	tns_notRegular,
	tns_outside,
} tnsOpening;

#if !defined(__EMSCRIPTEN__)

// Does a path lie in a folder? Both are complete, without links and `..`.
static bool tnsIsInFolder(const char* path, const char* folder, char separator)
{
	size_t length = strlen(folder);
	// The root ends with a separator, others do not.
	length -= length > 0 && folder[length - 1] == separator ? 1 : 0;
	return strncmp(path, folder, length) == 0 && path[length] == separator;
}

#endif

#if defined(_WIN32)

static bool tnsGetFinalPath(HANDLE handle, char path[MAX_PATH * 4])
{
	const DWORD length = GetFinalPathNameByHandleA(handle, path, MAX_PATH * 4, FILE_NAME_NORMALIZED);
	return length > 0 && length < MAX_PATH * 4;
}

static bool tnsIsOpenedIn(FILE* file, const char* folder)
{
	static const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
	char path[MAX_PATH * 4], base[MAX_PATH * 4];
	HANDLE handle =
		CreateFileA(folder[0] != 0 ? folder : ".", 0, share, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	const bool is = handle != INVALID_HANDLE_VALUE && tnsGetFinalPath(handle, base) &&
		tnsGetFinalPath((HANDLE)_get_osfhandle(_fileno(file)), path) && tnsIsInFolder(path, base, '\\');
	if (handle != INVALID_HANDLE_VALUE)
	{
		CloseHandle(handle);
	}
	return is;
}

static tnsOpening tnsOpenRegular(const char* path, const char* folder, FILE** file, uint64_t* size)
{
	struct _stat64 info;
	if (_stat64(path, &info) != 0)
	{
		return tns_openingFailed;
	}
	if ((info.st_mode & _S_IFMT) != _S_IFREG)
	{
		return tns_notRegular;
	}
	*file = fopen(path, "rb");
	if (*file == NULL)
	{
		return tns_openingFailed;
	}
	const bool isRegular = _fstat64(_fileno(*file), &info) == 0 && (info.st_mode & _S_IFMT) == _S_IFREG;
	const bool isInside = folder == NULL || tnsIsOpenedIn(*file, folder);
	*size = (uint64_t)info.st_size;
	if (isRegular && isInside)
	{
		return tns_opened;
	}
	fclose(*file);
	return isRegular ? tns_outside : tns_notRegular;
}

#else

// The file that was opened, not another one that has its name by now.
static bool tnsIsOpenedIn(const struct stat* opened, const char* path, const char* folder)
{
#if defined(__EMSCRIPTEN__)
	// All files are those that the page has put there, and none of them is a link.
	(void)opened;
	(void)path;
	(void)folder;
	return true;
#else
	char* base = realpath(folder[0] != 0 ? folder : ".", NULL);
	char* real = realpath(path, NULL);
	struct stat found;
	const bool is = base != NULL && real != NULL && tnsIsInFolder(real, base, '/') && stat(real, &found) == 0 &&
		found.st_dev == opened->st_dev && found.st_ino == opened->st_ino;
	free(base);
	free(real);
	return is;
#endif
}

static tnsOpening tnsOpenRegular(const char* path, const char* folder, FILE** file, uint64_t* size)
{
	struct stat info;
	if (stat(path, &info) != 0)
	{
		return tns_openingFailed;
	}
	if (!S_ISREG(info.st_mode))
	{
		// To open a device may do something to it.
		return tns_notRegular;
	}
	// What has taken its place since then must not make this wait.
	const int handle = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (handle < 0)
	{
		return tns_openingFailed;
	}
	const bool isRegular = fstat(handle, &info) == 0 && S_ISREG(info.st_mode);
	const bool isInside = folder == NULL || tnsIsOpenedIn(&info, path, folder);
	*size = (uint64_t)info.st_size;
	*file = isRegular && isInside ? fdopen(handle, "rb") : NULL;
	if (*file != NULL)
	{
		return tns_opened;
	}
	const int error = errno;
	close(handle);
	errno = error;
	return !isRegular ? tns_notRegular : (!isInside ? tns_outside : tns_openingFailed);
}

#endif

// ---------------------------------------------------------------------------------------------------------------------
// Reading

static tnsResult tnsReadOpened(
	FILE* file, const char* path, size_t maxSize, uint64_t statedSize, char** bytes, size_t* size)
{
	if (statedSize > maxSize)
	{
		return tnsMakeError(
			tns_badFormat, "%.300s: has more than the %llu bytes that are allowed", path, (unsigned long long)maxSize);
	}
	// One more, to see that it has not grown.
	const size_t capacity = (size_t)statedSize + 1;
	char* memory = malloc(capacity);
	if (memory == NULL)
	{
		return tnsMakeError(tns_outOfMemory, "%.300s: out of memory", path);
	}
	errno = 0;
	const size_t used = fread(memory, 1, capacity, file);
	if (ferror(file) != 0 || used == capacity)
	{
		free(memory);
		return tnsMakeError(tns_fileError, "%.300s: cannot be read: %s", path,
			used == capacity ? "it grows while it is read" : strerror(errno));
	}
	*bytes = memory;
	*size = used;
	return (tnsResult){0};
}

tnsResult tnsReadFileIn(const char* path, const char* folder, size_t maxSize, char** bytes, size_t* size)
{
	*bytes = NULL;
	*size = 0;
	FILE* file = NULL;
	uint64_t statedSize = 0;
	errno = 0;
	switch (tnsOpenRegular(path, folder, &file, &statedSize))
	{
		case tns_opened:
			break;
		case tns_notRegular:
			return tnsMakeError(tns_fileError, "%.300s: cannot be read: it is no regular file", path);
		case tns_outside:
			return tnsMakeError(tns_fileError, "%.300s: cannot be read: it is not in the folder of the scene", path);
		default:
			return tnsMakeError(tns_fileError, "%.300s: cannot be opened: %s", path, strerror(errno));
	}
	const tnsResult result = tnsReadOpened(file, path, maxSize, statedSize, bytes, size);
	fclose(file);
	return result;
}

tnsResult tnsReadFile(const char* path, size_t maxSize, char** bytes, size_t* size)
{
	return tnsReadFileIn(path, NULL, maxSize, bytes, size);
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

FILE* tnsOpenForWriting(const char* path, tnsResult* result)
{
	FILE* file = fopen(path, "wb");
	if (file == NULL)
	{
		*result = tnsMakeError(tns_fileError, "%.300s: cannot be written: %s", path, strerror(errno));
	}
	return file;
}

void tnsCloseWritten(FILE* file, const char* path, tnsResult* result)
{
	errno = 0;
	const bool failed = ferror(file) != 0;
	if ((fclose(file) != 0 || failed) && result->status == tns_ok)
	{
		*result = tnsMakeError(
			tns_fileError, "%.300s: cannot be written: %s", path, errno != 0 ? strerror(errno) : "write failed");
	}
}

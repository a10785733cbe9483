// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

#include <stdio.h>

// Longest side of a grid, as of a world.
#define TNS_MAX_SIDE 65536

// Read a whole file. The bytes are freed by the caller with free.
tnsResult tnsReadFile(const char* path, size_t maxSize, char** bytes, size_t* size);

// NULL, and an error in the result, if the file cannot be opened.
FILE* tnsOpenForWriting(const char* path, tnsResult* result);
// A full disk often shows only here.
void tnsCloseWritten(FILE* file, const char* path, tnsResult* result);

// Checks the size before any memory is asked for.
tnsResult tnsCreateGrid(const char* name, int64_t columnCount, int64_t rowCount, tnsGrid* grid);

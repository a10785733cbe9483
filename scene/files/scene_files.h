// SPDX-License-Identifier: MIT

#pragma once

// Files that scenes name: read whole, and only from where they may lie.

#include "scene.h"

#include <stdio.h>

// Read a whole regular file: pipes, devices and folders are refused before they are opened. The bytes are freed by the caller
// with free.
// @param folder NULL, or where the file must lie once all links are followed; empty for the current one
tnsResult tnsReadFileIn(const char* path, const char* folder, size_t maxSize, char** bytes, size_t* size);
// The same, anywhere.
tnsResult tnsReadFile(const char* path, size_t maxSize, char** bytes, size_t* size);

// NULL, and an error in the result, if the file cannot be opened.
FILE* tnsOpenForWriting(const char* path, tnsResult* result);
// A full disk often shows only here.
void tnsCloseWritten(FILE* file, const char* path, tnsResult* result);

// SPDX-License-Identifier: MIT

#pragma once

#include <stddef.h>

/// @file Files of bytes, packed with zstd where the program was built with it, plain elsewhere. Reading knows both.

/// Write a file as a whole: whoever reads it meanwhile sees the old one. @return NULL, or why not; lives until the next call
const char* WritePackedFile(const char* path, const void* bytes, size_t size);

/// @param most bytes that may come out of it @param bytes receives memory to be freed
/// @return NULL, or why not; lives until the next call
const char* ReadPackedFile(const char* path, size_t most, void** bytes, size_t* size);

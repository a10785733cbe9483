// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

// Read a whole file. The bytes are freed by the caller with free.
tnsResult tnsReadFile(const char* path, size_t maxSize, char** bytes, size_t* size);

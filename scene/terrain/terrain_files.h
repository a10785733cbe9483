// SPDX-License-Identifier: MIT

#pragma once

// Grids of heights from files.

#include "files/scene_files.h"

// Longest side of a grid, as of a world.
#define TNS_MAX_SIDE 65536

// Cells that a grid may have.
int64_t tnsGetMaxCells(const tnsGridRequest* request);
// May so many bytes be asked for?
bool tnsIsAllowed(const tnsGridRequest* request, uint64_t byteCount);
tnsResult tnsMakeGridMemoryError(
	const char* name, const tnsGridRequest* request, int64_t columnCount, int64_t rowCount);

// Checks the size before any memory is asked for.
tnsResult tnsCreateGrid(
	const char* name, int64_t columnCount, int64_t rowCount, const tnsGridRequest* request, tnsGrid* grid);

// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/tarn.h"

/// @file The heights of the wave layer on one grid, for maps and files.

/// Cells of that grid along each side of a cell of the world: as many as the finest band has, if that is not too many.
int ChooseWaveScale(const tnWorldDef* def);

/// Sum of all bands. Bands finer than the grid are left out.
/// @param heights receives columnCount * scale values in each of rowCount * scale rows, meters
/// @return false if there is no memory
bool CopyWaves(const tnWorld* world, int scale, float* heights);

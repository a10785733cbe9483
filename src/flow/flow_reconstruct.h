// SPDX-License-Identifier: MIT

// Pass R of a sub-step: what faces carry, second order.

#pragma once

#include "flow_rows.h"

// Pass R at a position: what its faces carry. @param first nothing was reconstructed before
void tnReconstructRows(const tnBand* band, const tnStage* stage, int row, bool first);
// Slow down what the Z faces below a row carry, and alsoX: the X faces of the row, where they were limited.
void tnLimitCarriedFaces(const tnBand* band, const tnStage* stage, int row, bool alsoX);

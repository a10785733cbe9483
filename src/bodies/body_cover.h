// SPDX-License-Identifier: MIT

#pragma once

// What body_covered_cells.c and its loops in body_cover.inc agree on.

// Gaps below bodies that are lower than this share of a cell are closed: no grid resolves what runs through there.
#define TN_SEALED_GAP 0.02f

// Bodies that stand on the ground and let the water through leave it this share of a cell: what a cell does not hold
// it cannot pass on.
#define TN_THROUGH_SHARE 0.3f

// SPDX-License-Identifier: MIT

#define TN_SIMD_NEON
#define TN_HANDOVER_TABLE tnHandoverRowsNeon
#include "wave_flow_rows.inc"

// SPDX-License-Identifier: MIT

#define TN_SIMD_AVX2
#define TN_HANDOVER_TABLE tnHandoverRowsAvx2
#include "wave_flow_rows.inc"

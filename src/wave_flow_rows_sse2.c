// SPDX-License-Identifier: MIT

#define TN_SIMD_SSE2
#define TN_HANDOVER_TABLE tnHandoverRowsSse2
#include "wave_flow_rows.inc"

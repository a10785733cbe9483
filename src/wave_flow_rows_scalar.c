// SPDX-License-Identifier: MIT

#define TN_SIMD_SCALAR
#define TN_HANDOVER_TABLE tnHandoverRowsScalar
#include "wave_flow_rows.inc"

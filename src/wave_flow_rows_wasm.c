// SPDX-License-Identifier: MIT

#define TN_SIMD_WASM
#define TN_HANDOVER_TABLE tnHandoverRowsWasm
#include "wave_flow_rows.inc"

// SPDX-License-Identifier: MIT

#pragma once

// Hashes of case P05, the same for every compiler, optimisation level, instruction set, worker count and machine. They
// change only in a commit that says why.

#define TNC_GOLDEN_PIPE 0xdcb23f703ee320d5u
#define TNC_GOLDEN_PIPE_MEAN 0x89690956941920eau
#define TNC_GOLDEN_PIPE_FIXED 0x2d9f6776efd9c602u
#define TNC_GOLDEN_LINEAR 0x83de33e704e7e9cbu
#define TNC_GOLDEN_SHALLOW 0xe33ef532fd3e2c1bu
#define TNC_GOLDEN_SHALLOW_FINE 0xa16e7c1a9453dc3cu
#define TNC_GOLDEN_SHALLOW_SL 0x06ad7570f1c2f7a0u
#define TNC_GOLDEN_SHALLOW_MC 0xf52fd4e63c1811dbu

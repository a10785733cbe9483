// SPDX-License-Identifier: MIT

#pragma once

// Hashes of case P05, the same for every compiler, optimisation level, instruction set, worker count and machine. They
// change only in a commit that says why.

#define TNC_GOLDEN_PIPE 0xdcb23f703ee320d5u
#define TNC_GOLDEN_PIPE_MEAN 0x89690956941920eau
#define TNC_GOLDEN_PIPE_FIXED 0x2d9f6776efd9c602u
#define TNC_GOLDEN_LINEAR 0x83de33e704e7e9cbu
#define TNC_GOLDEN_SHALLOW 0xc179d03feaa700cfu
#define TNC_GOLDEN_SHALLOW_FINE 0xdd26c148c5d0929au
#define TNC_GOLDEN_SHALLOW_SL 0x33aa3e8871f38a5fu
#define TNC_GOLDEN_SHALLOW_MC 0x745980152950463du

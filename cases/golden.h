// SPDX-License-Identifier: MIT

#pragma once

// Hashes of case P05, the same for every compiler, optimisation level, instruction set, worker count and machine. They
// change only in a commit that says why.

#define TNC_GOLDEN_PIPE 0xdcb23f703ee320d5u
#define TNC_GOLDEN_PIPE_MEAN 0x89690956941920eau
#define TNC_GOLDEN_PIPE_FIXED 0x2d9f6776efd9c602u
#define TNC_GOLDEN_LINEAR 0x83de33e704e7e9cbu
#define TNC_GOLDEN_SHALLOW 0x7e82a2d9142e6fd0u
#define TNC_GOLDEN_SHALLOW_FINE 0x2ae7c53d2d644af7u
#define TNC_GOLDEN_SHALLOW_SL 0xe3e7333799172db0u
#define TNC_GOLDEN_SHALLOW_MC 0x4ae5dc0d6af96d7eu

// Hashes of the water and of the wrenches of the busy scene of the suite bodies.
#define TNC_GOLDEN_BODIES_PIPE 0x6fec8e152a10c5d9u
#define TNC_GOLDEN_BODIES_LINEAR 0x48aa7e3e438b871du
#define TNC_GOLDEN_BODIES_SHALLOW 0xac50de3ed078b3f4u
#define TNC_GOLDEN_BODIES_SHALLOW_FINE 0x8af8430d5b6b7ffdu
#define TNC_GOLDEN_BODIES_SHALLOW_SL 0x5968128b22a6d1bau
#define TNC_GOLDEN_BODIES_SHALLOW_MC 0xbff8ed93718945c4u

// Hashes of the busy scene of the suite waves.
#define TNC_GOLDEN_WAVES 0xd2ca9e61961d26acu
#define TNC_GOLDEN_WAVES_QUICK 0x4384fa63c1b05f07u
#define TNC_GOLDEN_WAVES_GAUSSIAN 0x897f64ac72b3a1a9u

/// Rubble with three liquids after 60 steps (test_voxels.c).
#define TNC_GOLDEN_VOXELS 0x55db57666093ae2full

// The fall and the hose of test_spray.c after 1200 steps.
#define TNC_GOLDEN_SPRAY 0xb2c1b927a7acb269ull

// The busy scene of test_foam.c after 400 steps.
#define TNC_GOLDEN_FOAM 0x80efde0595c2280bull

// The pool with crates and hoses of test_spray_bodies.c after 400 steps.
#define TNC_GOLDEN_SPRAY_BODIES 0xab06aff8138a3391ull

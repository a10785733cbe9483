// SPDX-License-Identifier: MIT

#pragma once

// Hashes of case P05, the same for every compiler, optimisation level, instruction set, worker count and machine. They
// change only in a commit that says why.

#define TNC_GOLDEN_PIPE 0xc1da05439903657bu
#define TNC_GOLDEN_PIPE_MEAN 0x14088da6f8e3d68bu
#define TNC_GOLDEN_PIPE_FIXED 0xb19bac9a93ada34cu
#define TNC_GOLDEN_LINEAR 0xbfebaaeb568c1f4au
#define TNC_GOLDEN_SHALLOW 0xe96df3bab098aeaau
#define TNC_GOLDEN_SHALLOW_FINE 0x25321d9cd8c32d23u
#define TNC_GOLDEN_SHALLOW_SL 0x107afeee68f13ab5u
#define TNC_GOLDEN_SHALLOW_MC 0x25ba11443e8e92c6u

// Hashes of the water and of the wrenches of the busy scene of the suite bodies.
#define TNC_GOLDEN_BODIES_PIPE 0xd24252723994a9abu
#define TNC_GOLDEN_BODIES_LINEAR 0x8f54b54407da06f2u
#define TNC_GOLDEN_BODIES_SHALLOW 0x796c6c9a942a9204u
#define TNC_GOLDEN_BODIES_SHALLOW_FINE 0x10d640ef68eb0769u
#define TNC_GOLDEN_BODIES_SHALLOW_SL 0x7de63513b950b033u
#define TNC_GOLDEN_BODIES_SHALLOW_MC 0x22607c761dc914afu

// Hashes of the busy scene of the suite waves.
#define TNC_GOLDEN_WAVES 0x7fe1c8d5e33003eau
#define TNC_GOLDEN_WAVES_QUICK 0x29df5bdef39aad36u
#define TNC_GOLDEN_WAVES_GAUSSIAN 0xb6e2077524683e16u

/// Rubble with three liquids after 60 steps (test_voxels.c).
#define TNC_GOLDEN_VOXELS 0x55db57666093ae2full

// The fall and the hose of test_spray.c after 1200 steps.
#define TNC_GOLDEN_SPRAY 0x31d00af0140ff9dfull

// The busy scene of test_foam.c after 400 steps.
#define TNC_GOLDEN_FOAM 0x3e9d1fb2f25dc0f9ull

// The pool with crates and hoses of test_spray_bodies.c after 400 steps.
#define TNC_GOLDEN_SPRAY_BODIES 0x931e2e58c9f48a43ull

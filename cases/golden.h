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
#define TNC_GOLDEN_BODIES_PIPE 0x82734bd2377fe338u
#define TNC_GOLDEN_BODIES_LINEAR 0x25343fa6ff833480u
#define TNC_GOLDEN_BODIES_SHALLOW 0xdd042fde82c7d7dcu
#define TNC_GOLDEN_BODIES_SHALLOW_FINE 0xab31724e3eafde56u
#define TNC_GOLDEN_BODIES_SHALLOW_SL 0xe096b7f7dd73ec41u
#define TNC_GOLDEN_BODIES_SHALLOW_MC 0x80bf8b82d116dc1du

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
#define TNC_GOLDEN_SPRAY_BODIES 0x3ce7347b4f8ca7ffull

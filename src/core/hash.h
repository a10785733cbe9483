// SPDX-License-Identifier: MIT

// A hash that is the same on every machine.

#pragma once

#include <stddef.h>
#include <stdint.h>

// A 64-bit hash of bytes, continued from an earlier hash. Multiply and rotate on little-endian words: the same
// everywhere.
#define TN_HASH_SEED 0x9e3779b97f4a7c15ull

uint64_t tnHashBytes(uint64_t hash, const void* bytes, size_t count);

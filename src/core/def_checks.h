// SPDX-License-Identifier: MIT

#pragma once

#include "core.h"

// Fields of defs. Each returns whether all is well, and says in the result which field is not, and what it holds.

// Is a value in [low, high]? NaN is not.
bool tnCheckRange(tnResult* result, const char* name, float value, float low, float high);
bool tnCheckCount(tnResult* result, const char* name, int value, int low, int high);
// Hooks come in pairs.
bool tnCheckHooks(tnResult* result, const tnAllocator* allocator, const tnTaskSystem* tasks);

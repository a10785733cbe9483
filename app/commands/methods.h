// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"

/// @file Names of the ways in which water can move, for options, tables and captions. A way is a method, and for the
/// shallow one how it carries momentum.

typedef enum MethodName
{
	namedPipe = 0,
	namedLinear,
	namedShallow,
	namedShallowFine,
	namedShallowSemiLagrangian,
	namedShallowMacCormack,
	methodNameCount,
} MethodName;

/// The names in the order of MethodName, and NULL.
extern const char* const g_methodNames[methodNameCount + 1];

tnMethod GetNamedMethod(MethodName name);
tnAdvection GetNamedAdvection(MethodName name);

/// @param advection ignored unless the method is shallow
MethodName FindMethodName(tnMethod method, tnAdvection advection);

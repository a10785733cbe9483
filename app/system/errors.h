// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

// A failed result with a text, as printf makes it.
tnsResult MakeError(tnsStatus status, const char* format, ...)
#if defined(__GNUC__)
	__attribute__((format(printf, 2, 3)))
#endif
	;

// SPDX-License-Identifier: MIT

// Failed results with a text.

#include "system/errors.h"

#include <stdarg.h>
#include <stdio.h>

tnsResult MakeError(tnsStatus status, const char* format, ...)
{
	tnsResult result = {.status = status};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(result.text, sizeof(result.text), format, arguments);
	va_end(arguments);
	return result;
}

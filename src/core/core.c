// SPDX-License-Identifier: MIT

// Asserts, results and the version.

// The texts of results need %zu, which an old run-time of Windows does not have.
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1
#endif

#include "core.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

// The one global of the library: an assert has no world at hand. Atomic, because worlds may run on several threads.
static _Atomic(tnAssertFcn*) s_assertHandler;

void tnSetAssertHandler(tnAssertFcn* handler)
{
	atomic_store(&s_assertHandler, handler);
}

#ifdef TN_ENABLE_ASSERT
int tnAssertFailed(const char* condition, const char* file, int line)
{
	tnAssertFcn* handler = atomic_load(&s_assertHandler);
	return handler != NULL ? handler(condition, file, line) : 1;
}
#endif

int tnGetVersion(void)
{
	return TN_VERSION;
}

tnResult tnSuccess(void)
{
	tnResult result;
	result.status = tn_ok;
	result.text[0] = 0;
	return result;
}

tnResult tnFail(tnStatus status, const char* format, ...)
{
	tnResult result = {.status = status};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(result.text, sizeof(result.text), format, arguments);
	va_end(arguments);
	return result;
}

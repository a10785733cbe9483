// SPDX-License-Identifier: MIT

// What holds for every call: a failing one says why and changes nothing, and all twins say the same.

#include "core.h"

#include <ctype.h>
#include <stdarg.h>

// ---------------------------------------------------------------------------------------------------------------------
// Who was called

typedef struct FunctionCount
{
	char name[48];
	int64_t okCount, refusedCount;
} FunctionCount;

enum
{
	functionLimit = 256
};
static FunctionCount s_counts[functionLimit];
static int s_countCount;

static FunctionCount* FindCount(const char* name, size_t length)
{
	for (int i = 0; i < s_countCount; ++i)
	{
		if (strlen(s_counts[i].name) == length && memcmp(s_counts[i].name, name, length) == 0)
		{
			return s_counts + i;
		}
	}
	if (s_countCount == functionLimit || length >= sizeof(s_counts[0].name))
	{
		abort();
	}
	FunctionCount* count = s_counts + s_countCount;
	s_countCount += 1;
	memcpy(count->name, name, length);
	count->name[length] = 0;
	return count;
}

// Every name of a public function that is called in a piece of C.
void CountCalls(const char* text, bool ok)
{
	for (const char* at = strstr(text, "tn"); at != NULL; at = strstr(at, "tn"))
	{
		const char* end = at;
		while (isalnum((unsigned char)*end) || *end == '_')
		{
			end += 1;
		}
		const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
		if (begins && *end == '(')
		{
			FunctionCount* count = FindCount(at, (size_t)(end - at));
			*(ok ? &count->okCount : &count->refusedCount) += 1;
		}
		at = end;
	}
}

void DriverGetCounts(const char* function, int64_t* okCount, int64_t* refusedCount)
{
	const FunctionCount* count = FindCount(function, strlen(function));
	*okCount = count->okCount;
	*refusedCount = count->refusedCount;
}

// ---------------------------------------------------------------------------------------------------------------------
// Failing

bool HasFailed(const Driver* d)
{
	return d->report->text[0] != 0;
}

bool IsOver(const Driver* d)
{
	return HasFailed(d) || d->work > maxWork;
}

bool IsOk(const Driver* d)
{
	return d->results[0].status == tn_ok;
}

void Fail(Driver* d, const char* check, const char* format, ...)
{
	if (HasFailed(d) || d->dry)
	{
		return;
	}
	DriverReport* report = d->report;
	const char* call = d->call != NULL ? d->call : "";
	snprintf(report->check, sizeof(report->check), "%.40s in %.*s", check, (int)strcspn(call, "("), call);
	int length = snprintf(report->text, sizeof(report->text), "%s (call %d, step %d): ", report->check,
		(int)report->callCount, (int)report->stepCount);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(report->text + length, sizeof(report->text) - (size_t)length, format, arguments);
	va_end(arguments);
}

// ---------------------------------------------------------------------------------------------------------------------
// Judging

void BeginCall(Driver* d, const char* call)
{
	// The function that is called last in an expression is the one that matters: the first name is it.
	d->call = strstr(call, "tn") != NULL ? strstr(call, "tn") : call;
	for (int i = 0; i < d->twinCount; ++i)
	{
		d->errorCounts[i] = 0;
		d->memories[i].failCount = 0;
	}
}

static uint64_t GetHash(Driver* d, int which)
{
	return d->options.voxels ? tnVoxelWorld_GetHash(d->voxelWorlds[which]) : tnWorld_GetHash(d->worlds[which]);
}

// Right after the call, while it is known whose memory was asked.
void EndTwin(Driver* d, int which, int flags)
{
	const tnResult* result = d->results + which;
	const bool ok = result->status == tn_ok;
	if (ok != (result->text[0] == 0) || memchr(result->text, 0, sizeof(result->text)) == NULL)
	{
		Fail(d, "text", "status %d, text \"%.150s\"", (int)result->status, result->text);
	}
	if ((int)result->status < 0 || (int)result->status > (int)tn_notAvailable)
	{
		Fail(d, "status", "status %d", (int)result->status);
	}
	if ((ok != (d->errorCounts[which] == 0) && (flags & hookMayRest) == 0) || d->errorCounts[which] > 1)
	{
		Fail(d, "error hook", "status %d, text \"%s\", %d calls of the error hook", (int)result->status, result->text,
			d->errorCounts[which]);
	}
	if (d->memories[which].badFreeCount != 0)
	{
		Fail(d, "memory", "%d blocks were written over their end or given back with another size",
			d->memories[which].badFreeCount);
	}
	// Water that finds no room in memory waits.
	if (d->memories[which].failCount > 0 && result->status != tn_outOfMemory && (flags & isStep) == 0)
	{
		Fail(d, "out of memory", "memory ran out, and the result is %d \"%s\"", (int)result->status, result->text);
	}
}

void Judge(Driver* d, int flags)
{
	DriverReport* report = d->report;
	report->callCount += 1;
	const bool ok = IsOk(d);
	CountCalls(d->call, ok);
	report->refusedCount += ok ? 0 : 1;
	d->work += (double)checkWork * d->track.cellCount * d->twinCount;
	const uint64_t before = d->hashes[0];
	for (int i = 0; i < d->twinCount; ++i)
	{
		const tnResult* result = d->results + i;
		const uint64_t hash = GetHash(d, i);
		if ((result->status != tn_ok || (flags & mayChange) == 0) && hash != d->hashes[i])
		{
			Fail(d, "changed", "the world has changed, result %d \"%s\"", (int)result->status, result->text);
		}
		d->hashes[i] = hash;
		if ((flags & mayDiffer) != 0)
		{
			continue;
		}
		if (result->status != d->results[0].status || strcmp(result->text, d->results[0].text) != 0)
		{
			Fail(d, "twins differ", "twins say \"%s\" and \"%s\"", d->results[0].text, result->text);
		}
		if (d->sameHash && hash != d->hashes[0])
		{
			Fail(d, "twins differ", "twins 0 and %d have different hashes", i);
		}
	}
	if (d->options.voxels)
	{
		CheckVoxelCall(d);
	}
	else if ((flags & mayChange) != 0)
	{
		if ((flags & isStep) == 0 && d->hashes[0] != before)
		{
			ForgetEnergy(d);
		}
		// Steps move water sub-step by sub-step, edits at once.
		const tnStats stats = tnWorld_GetStats(d->worlds[0]);
		CheckLedger(d, stats.stepCount != d->track.stepCount ? stats.subSteps : 0);
	}
}

void CompareOutputs(Driver* d, const char* name, const void* first, size_t stride, size_t size)
{
	const uint8_t* bytes = first;
	for (int i = 1; i < d->twinCount; ++i)
	{
		if (memcmp(bytes, bytes + (size_t)i * stride, size) != 0)
		{
			size_t at = 0;
			while (bytes[at] == bytes[(size_t)i * stride + at])
			{
				at += 1;
			}
			Fail(d, "twins differ", "twins 0 and %d have different %s, from byte %d on", i, name, (int)at);
		}
	}
}

// SPDX-License-Identifier: MIT

// Checks of fields that several defs have.

#include "def_checks.h"

bool tnCheckRange(tnResult* result, const char* name, float value, float low, float high)
{
	if (value >= low && value <= high)
	{
		return true;
	}
	*result =
		tnFail(tn_invalidArgument, "%s must be in [%g, %g], got %g", name, (double)low, (double)high, (double)value);
	return false;
}

bool tnCheckCount(tnResult* result, const char* name, int value, int low, int high)
{
	if (value >= low && value <= high)
	{
		return true;
	}
	*result = tnFail(tn_invalidArgument, "%s must be in [%d, %d], got %d", name, low, high, value);
	return false;
}

bool tnCheckHooks(tnResult* result, const tnAllocator* allocator, const tnTaskSystem* tasks)
{
	if ((allocator->allocFcn == NULL) != (allocator->freeFcn == NULL))
	{
		*result =
			tnFail(tn_invalidArgument, "allocator.allocFcn and allocator.freeFcn must both be set or both be NULL");
		return false;
	}
	if ((tasks->startFcn == NULL) != (tasks->waitFcn == NULL))
	{
		*result = tnFail(tn_invalidArgument, "tasks.startFcn and tasks.waitFcn must both be set or both be NULL");
		return false;
	}
	return tnCheckCount(result, "tasks.workerCount", tasks->workerCount, 1, TN_MAX_WORKERS);
}

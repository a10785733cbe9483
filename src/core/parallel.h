// SPDX-License-Identifier: MIT

#pragma once

#include "memory.h"

// Runs a function over items 0 .. count - 1, each exactly once, on up to workerCount threads, and waits for all.
// Each worker begins with its own share, the same in every pass over as many items, and then helps others: who runs
// which item is left to chance. An item must therefore write only its own data, and the bits of the
// result cannot depend on the number of workers. Work is cut into items by data, never by worker count.

// workerIndex is in [0, workerCount) and no two items run with the same workerIndex at the same time: use it for
// scratch memory only.
typedef void tnItemFcn(int item, int workerIndex, void* context);

typedef struct tnParallel tnParallel;

// Starts built-in threads if the host gave no hooks and workerCount > 1. If threads cannot be started it runs with
// those it got. NULL only if memory runs out.
tnParallel* tnCreateParallel(tnMemory* memory, const tnTaskSystem* tasks);
void tnDestroyParallel(tnParallel* parallel, tnMemory* memory);
int tnParallel_GetWorkerCount(const tnParallel* parallel);
// Is this a call from within an item, or from the hooks of the host's job system? NULL is allowed.
bool tnParallel_IsRunning(const tnParallel* parallel);

// Does not allocate.
void tnParallelFor(tnParallel* parallel, int count, tnItemFcn* fcn, void* context);

// SPDX-License-Identifier: MIT

#pragma once

#include "memory.h"

// A thread beside that of the caller, which does one thing at a time. Where there are no threads it is done at once.

typedef struct tnSideThread tnSideThread;

typedef void tnSideFcn(void* context);

// NULL if memory ran out.
tnSideThread* tnCreateSideThread(tnMemory* memory);
// Nothing may be going on. NULL is allowed.
void tnDestroySideThread(tnSideThread* thread, tnMemory* memory);
// Does not allocate. Wait for it before the next one.
void tnSideThread_Start(tnSideThread* thread, tnSideFcn* fcn, void* context);
// Only the thread that started it may, and not from within the function: anyone else may be whom it waits for.
bool tnSideThread_MayWait(const tnSideThread* thread);
void tnSideThread_Wait(tnSideThread* thread);

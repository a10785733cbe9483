// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @file What the program needs from the operating system and C does not have.

/// Seconds on a clock that never jumps. Only differences mean something.
double GetSeconds(void);

/// Processors this machine has, at least 1.
int GetProcessorCount(void);

/// Is standard error a terminal, and how many columns does it have?
bool IsErrorTerminal(void);
int GetTerminalWidth(void);

bool IsFile(const char* path);
bool IsFolder(const char* path);

/// The folder that the file of this program is in, without a slash at the end.
/// @return false where the system does not tell
bool GetProgramFolder(char* folder, size_t size);

/// Make a folder and those above it. One that exists is fine.
/// @return false if it could not be made; errno says why
bool MakeFolders(const char* path);

/// From now on the first SIGINT or SIGTERM only sets a flag; the second ends the program as usual.
void CatchInterrupts(void);
bool WasInterrupted(void);

/// Run a function on several threads, the calling one included, and wait for all of them.
/// @param fcn receives the context and the number of the thread, from 0
/// @return false if threads could not be made; the function was then called for fewer of them
bool RunOnThreads(void (*fcn)(void* context, int thread), void* context, int threadCount);

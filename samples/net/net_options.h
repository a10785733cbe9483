// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

// Options of a command line: --name VALUE, or --name alone for those that are on or off.
typedef struct NetOption
{
	const char* name;
	// One of them, and what it is for.
	int* number;
	const char** word;
	bool* flag;
	// Range of a number.
	int least, most;
	const char* help;
} NetOption;

// Prints what is wrong, or the help, to stderr and returns false.
bool Net_ReadOptions(int argumentCount, char** arguments, const NetOption* options, int optionCount);

// SPDX-License-Identifier: MIT

// Options of commands: read by tables, with errors that name the option and what was wrong with its value.

#include "commands/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	mostNames = 64,
	mostNameLength = 63,
};

int ReportUsage(const Command* command, const char* format, ...)
{
	fprintf(stderr, "tarn %s: ", command->name);
	va_list arguments;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\n`tarn %s --help` says what there is.\n", command->name);
	return exitUsage;
}

// Letters to insert, delete or replace to turn one word into the other (Levenshtein).
static int EditDistance(const char* a, const char* b)
{
	int row[mostNameLength + 1];
	const int lengthB = (int)strlen(b);
	if (lengthB > mostNameLength)
	{
		return INT_MAX;
	}
	for (int j = 0; j <= lengthB; ++j)
	{
		row[j] = j;
	}
	for (int i = 0; a[i] != '\0'; ++i)
	{
		int diagonal = row[0];
		row[0] = i + 1;
		for (int j = 0; j < lengthB; ++j)
		{
			const int replaced = diagonal + (a[i] != b[j]);
			diagonal = row[j + 1];
			const int inserted = row[j] + 1;
			const int deleted = row[j + 1] + 1;
			const int least = inserted < deleted ? inserted : deleted;
			row[j + 1] = replaced < least ? replaced : least;
		}
	}
	return row[lengthB];
}

const char* FindNearest(const char* word, const char* const* names, int count)
{
	const char* nearest = NULL;
	// A word with more than this share of its letters wrong means something else.
	const int length = (int)strlen(word);
	int least = length / 3 + 2;
	for (int i = 0; i < count; ++i)
	{
		int distance = EditDistance(word, names[i]);
		// The beginning of a name is as good as a slip of the finger.
		if (length >= 2 && strncmp(word, names[i], (size_t)length) == 0)
		{
			distance = 1;
		}
		if (distance < least)
		{
			least = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

size_t GetMemoryLimit(int mebibytes)
{
	const size_t most = SIZE_MAX >> 20;
	return (size_t)mebibytes < most ? (size_t)mebibytes << 20 : SIZE_MAX;
}

static int CountChoices(const char* const* choices)
{
	int count = 0;
	while (choices[count] != NULL)
	{
		count += 1;
	}
	return count;
}

// "pipe, linear"
static void ListChoices(const char* const* choices, char* text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; choices[i] != NULL && used < size; ++i)
	{
		const int written = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", choices[i]);
		used += written > 0 ? (size_t)written : 0;
	}
}

static bool ReadNumber(const Command* command, const Option* option, const char* text, bool whole, double* number)
{
	char* end;
	errno = 0;
	*number = strtod(text, &end);
	const bool isNumber = end != text && *end == '\0' && isfinite(*number);
	if (isNumber && *number >= option->least && *number <= option->most && (!whole || floor(*number) == *number))
	{
		return true;
	}
	ReportUsage(command, "--%s must be a %s in [%.10g, %.10g], got '%s'", option->name,
		whole ? "whole number" : "number", option->least, option->most, text);
	return false;
}

static bool ReadChoice(const Command* command, const Option* option, const char* text, int* index)
{
	const int count = CountChoices(option->choices);
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(text, option->choices[i]) == 0)
		{
			*index = i;
			return true;
		}
	}
	char list[256];
	ListChoices(option->choices, list, sizeof(list));
	const char* nearest = FindNearest(text, option->choices, count);
	ReportUsage(command, "--%s is one of %s, not '%s'%s%s%s", option->name, list, text,
		nearest != NULL ? ": did you mean " : "", nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
	return false;
}

// Take the next part of a list. Returns false at the end of it.
static bool NextPart(const char** text, char* part, size_t size)
{
	if (*text == NULL)
	{
		return false;
	}
	const char* comma = strchr(*text, ',');
	const size_t length = comma != NULL ? (size_t)(comma - *text) : strlen(*text);
	snprintf(part, size, "%.*s", (int)(length < INT_MAX ? length : INT_MAX), *text);
	*text = comma != NULL ? comma + 1 : NULL;
	return true;
}

static bool ReadValue(const Command* command, const Option* option, const char* text)
{
	double number;
	int index;
	char part[mostNameLength + 1];
	switch (option->kind)
	{
		case optionFlag:
			break;
		case optionText:
			*(const char**)option->target = text;
			return true;
		case optionInt:
			if (!ReadNumber(command, option, text, true, &number))
			{
				return false;
			}
			*(int*)option->target = (int)number;
			return true;
		case optionDouble:
			return ReadNumber(command, option, text, false, (double*)option->target);
		case optionChoice:
			return ReadChoice(command, option, text, (int*)option->target);
		case optionChoices:
			*(unsigned*)option->target = 0;
			while (NextPart(&text, part, sizeof(part)))
			{
				if (!ReadChoice(command, option, part, &index))
				{
					return false;
				}
				*(unsigned*)option->target |= 1u << index;
			}
			return true;
		case optionInts:
		{
			IntList* list = option->target;
			const int capacity = (int)(sizeof(list->values) / sizeof(list->values[0]));
			list->count = 0;
			while (NextPart(&text, part, sizeof(part)))
			{
				if (!ReadNumber(command, option, part, true, &number))
				{
					return false;
				}
				if (list->count == capacity)
				{
					ReportUsage(command, "--%s takes at most %d numbers", option->name, capacity);
					return false;
				}
				list->values[list->count] = (int)number;
				list->count += 1;
			}
			return true;
		}
	}
	return false;
}

static const Option* FindOption(const Option* options, int optionCount, const char* name, size_t length)
{
	for (int i = 0; i < optionCount; ++i)
	{
		if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
		{
			return options + i;
		}
	}
	return NULL;
}

static void ReportUnknown(const Command* command, const Option* options, int optionCount, const char* argument,
	const char* name, size_t length)
{
	const char* names[mostNames] = {"help"};
	int count = 1;
	for (int i = 0; i < optionCount && count < mostNames; ++i, ++count)
	{
		names[count] = options[i].name;
	}
	char word[mostNameLength + 1];
	snprintf(word, sizeof(word), "%.*s", (int)(length < mostNameLength ? length : mostNameLength), name);
	const char* nearest = FindNearest(word, names, count);
	if (nearest != NULL)
	{
		ReportUsage(command, "unknown option %s: did you mean --%s?", argument, nearest);
	}
	else
	{
		ReportUsage(command, "unknown option %s", argument);
	}
}

bool ReadOptions(const Command* command, const Option* options, int optionCount, int argc, char** argv, Words* words,
	int mostWords, int* exitCode)
{
	words->count = 0;
	*exitCode = exitUsage;
	bool optionsEnded = false;
	const int capacity = (int)(sizeof(words->words) / sizeof(words->words[0]));
	const int wordLimit = mostWords < capacity ? mostWords : capacity;

	for (int i = 0; i < argc; ++i)
	{
		const char* argument = argv[i];
		if (optionsEnded || argument[0] != '-' || argument[1] == '\0')
		{
			if (words->count == wordLimit)
			{
				ReportUsage(command, "too many arguments: '%s'", argument);
				return false;
			}
			words->words[words->count] = argument;
			words->count += 1;
			continue;
		}
		if (strcmp(argument, "--") == 0)
		{
			optionsEnded = true;
			continue;
		}
		if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
		{
			fputs(command->help, stdout);
			*exitCode = exitOk;
			return false;
		}

		const char* name = argument[1] == '-' ? argument + 2 : argument + 1;
		const size_t length = strcspn(name, "=");
		const Option* option = argument[1] == '-' ? FindOption(options, optionCount, name, length) : NULL;
		if (option == NULL)
		{
			ReportUnknown(command, options, optionCount, argument, name, length);
			return false;
		}
		const char* value = name[length] == '=' ? name + length + 1 : NULL;
		if (option->kind == optionFlag)
		{
			if (value != NULL)
			{
				ReportUsage(command, "--%s takes no value", option->name);
				return false;
			}
			*(bool*)option->target = true;
			continue;
		}
		if (value == NULL)
		{
			i += 1;
			value = i < argc ? argv[i] : NULL;
		}
		if (value == NULL)
		{
			ReportUsage(command, "--%s needs a value", option->name);
			return false;
		}
		if (!ReadValue(command, option, value))
		{
			return false;
		}
	}
	*exitCode = exitOk;
	return true;
}

bool ReadPictureSize(const char* text, int* width, int* height)
{
	enum
	{
		least = 16,
		most = 8192,
	};
	int end = 0;
	// Five digits are more than any size has, and never more than an int holds.
	return strspn(text, "0123456789x") == strlen(text) && sscanf(text, "%5dx%5d%n", width, height, &end) == 2 &&
		text[end] == '\0' && *width >= least && *width <= most && *height >= least && *height <= most;
}

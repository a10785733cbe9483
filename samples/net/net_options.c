// SPDX-License-Identifier: MIT

#include "net_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void PrintHelp(const char* program, const NetOption* options, int optionCount)
{
	fprintf(stderr, "usage: %s [OPTIONS]\n", program);
	for (int i = 0; i < optionCount; ++i)
	{
		const NetOption* option = &options[i];
		const char* value = option->flag ? "" : option->number ? " NUMBER" : " WORD";
		fprintf(stderr, "  --%s%s\t%s\n", option->name, value, option->help);
	}
}

static bool ReadOption(const NetOption* option, const char* value)
{
	if (option->flag)
	{
		*option->flag = true;
		return true;
	}
	if (!value)
	{
		fprintf(stderr, "--%s needs a value\n", option->name);
		return false;
	}
	if (option->word)
	{
		*option->word = value;
		return true;
	}
	char* end;
	const long number = strtol(value, &end, 10);
	if (end == value || *end != 0 || number < option->least || number > option->most)
	{
		fprintf(
			stderr, "--%s must be a number in [%d, %d], got '%s'\n", option->name, option->least, option->most, value);
		return false;
	}
	*option->number = (int)number;
	return true;
}

bool Net_ReadOptions(int argumentCount, char** arguments, const NetOption* options, int optionCount)
{
	for (int i = 1; i < argumentCount; ++i)
	{
		const NetOption* option = NULL;
		for (int j = 0; j < optionCount; ++j)
		{
			if (strncmp(arguments[i], "--", 2) == 0 && strcmp(arguments[i] + 2, options[j].name) == 0)
			{
				option = &options[j];
			}
		}
		if (!option)
		{
			fprintf(stderr, "unknown option '%s'\n", arguments[i]);
			PrintHelp(arguments[0], options, optionCount);
			return false;
		}
		const bool takesValue = !option->flag;
		if (!ReadOption(option, takesValue && i + 1 < argumentCount ? arguments[i + 1] : NULL))
		{
			return false;
		}
		i += takesValue;
	}
	return true;
}

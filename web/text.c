// SPDX-License-Identifier: MIT

// Text for the page, put together piece by piece.

#include "text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct tnwText
{
	char* characters;
	size_t size, capacity;
	bool failed;
};

static tnwText s_text;

tnwText* tnwBeginText(void)
{
	s_text.size = 0;
	s_text.failed = false;
	return &s_text;
}

// Room for so many characters and the zero after them.
static bool tnwText_Reserve(tnwText* text, size_t count)
{
	const size_t needed = text->size + count + 1;
	if (needed > text->capacity)
	{
		const size_t capacity = 2 * needed;
		char* characters = realloc(text->characters, capacity);
		if (characters == NULL)
		{
			text->failed = true;
			return false;
		}
		text->characters = characters;
		text->capacity = capacity;
	}
	return true;
}

void tnwText_Add(tnwText* text, const char* format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, arguments);
	if (length >= 0 && tnwText_Reserve(text, (size_t)length))
	{
		vsnprintf(text->characters + text->size, (size_t)length + 1, format, again);
		text->size += (size_t)length;
	}
	va_end(again);
	va_end(arguments);
}

void tnwText_AddString(tnwText* text, const char* string)
{
	tnwText_Add(text, "\"");
	for (const char* c = string; *c != 0; ++c)
	{
		if (*c == '"' || *c == '\\')
		{
			tnwText_Add(text, "\\%c", *c);
		}
		else if ((unsigned char)*c < 0x20)
		{
			tnwText_Add(text, "\\u%04x", (unsigned int)*c);
		}
		else
		{
			tnwText_Add(text, "%c", *c);
		}
	}
	tnwText_Add(text, "\"");
}

const char* tnwText_Get(const tnwText* text)
{
	return text->failed || text->characters == NULL ? "" : text->characters;
}

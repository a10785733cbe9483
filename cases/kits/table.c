// SPDX-License-Identifier: MIT

// Reference tables: comment lines that start with #, one line of column names, lines of numbers. Split in place.

#include "kits/case_kit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Largest table file, bytes. Ours are below 12 kB: whatever is larger is not one of them.
#define TNC_MAX_TABLE_BYTES (1 << 20)

static char* tncReadText(const char* path)
{
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		return NULL;
	}

	char* text = malloc(TNC_MAX_TABLE_BYTES + 1);
	if (text != NULL)
	{
		size_t size = fread(text, 1, TNC_MAX_TABLE_BYTES + 1, file);
		if (size == 0 || size > TNC_MAX_TABLE_BYTES)
		{
			free(text);
			text = NULL;
		}
		else
		{
			text[size] = 0;
		}
	}
	fclose(file);
	return text;
}

static int tncCountFields(const char* line)
{
	int count = 1;
	for (const char* at = line; *at != 0 && *at != '\n'; ++at)
	{
		count += *at == ',' ? 1 : 0;
	}
	return count;
}

// The end of a field that is a number, a word (NAN) or a list such as 0;90, of which the first number is taken. NULL if
// it is neither.
static char* tncParseField(const char* at, double* value)
{
	char* end = NULL;
	*value = strtod(at, &end);
	if (end != at && *end == ';')
	{
		end += strcspn(end, ",\r\n");
	}
	else if (end == at && isalpha((unsigned char)*at))
	{
		*value = NAN;
		end += strcspn(end, ",\r\n");
	}
	return end != at ? end : NULL;
}

// Parse one line. Returns the start of the next line, NULL if the line is not columnCount fields.
static const char* tncParseLine(const char* line, int columnCount, double* values)
{
	const char* at = line;
	for (int column = 0; column < columnCount; ++column)
	{
		char* end = tncParseField(at, values + column);
		if (end == NULL)
		{
			return NULL;
		}
		bool isLast = column == columnCount - 1;
		bool isEnd = *end == '\n' || *end == '\r' || *end == 0;
		if (isLast ? isEnd == false : *end != ',')
		{
			return NULL;
		}
		at = isLast ? end : end + 1;
	}
	while (*at == '\r' || *at == '\n')
	{
		at += 1;
	}
	return at;
}

static bool tncSplitTable(tncTable* table)
{
	char* at = table->text;
	while (*at == '#')
	{
		char* end = strchr(at, '\n');
		if (end == NULL)
		{
			return false;
		}
		at = end + 1;
	}

	table->columnCount = tncCountFields(at);
	table->names = calloc((size_t)table->columnCount, sizeof(char*));
	char* header = at;
	char* body = strchr(at, '\n');
	if (table->names == NULL || body == NULL || body == at)
	{
		return false;
	}

	// End the comments before the header, so that remarks are not searched for in the names and numbers.
	if (header > table->text)
	{
		header[-1] = 0;
	}
	*body = 0;
	body += 1;
	for (int i = 0; i < table->columnCount; ++i)
	{
		table->names[i] = header;
		char* comma = strpbrk(header, ",\r");
		if (comma != NULL)
		{
			*comma = 0;
			header = comma + 1;
		}
	}

	int lineCount = 1;
	for (const char* c = body; *c != 0; ++c)
	{
		lineCount += *c == '\n' ? 1 : 0;
	}
	table->values = calloc((size_t)lineCount * (size_t)table->columnCount, sizeof(double));
	if (table->values == NULL)
	{
		return false;
	}

	const char* line = body;
	while (*line != 0)
	{
		line = tncParseLine(line, table->columnCount, table->values + table->rowCount * table->columnCount);
		if (line == NULL)
		{
			return false;
		}
		table->rowCount += 1;
	}
	return table->rowCount > 0;
}

bool tncReadTable(tncContext* context, const char* fileName, tncTable* table)
{
	*table = (tncTable){0};
	char path[1024];
	int length = snprintf(path, sizeof(path), "%s/%s", context->config.referenceDir, fileName);
	if (length > 0 && length < (int)sizeof(path))
	{
		table->text = tncReadText(path);
	}

	bool good = table->text != NULL && tncSplitTable(table);
	if (good == false)
	{
		tncFreeTable(table);
		tncRequire(context, NAN, 0.0, 0.0, "reference table %s cannot be read", fileName);
	}
	return good;
}

void tncFreeTable(tncTable* table)
{
	free(table->text);
	free(table->names);
	free(table->values);
	*table = (tncTable){0};
}

int tncFindColumn(const tncTable* table, const char* name)
{
	for (int i = 0; i < table->columnCount; ++i)
	{
		if (strcmp(table->names[i], name) == 0)
		{
			return i;
		}
	}
	return -1;
}

double tncGetValue(const tncTable* table, int row, int column)
{
	if (column < 0 || column >= table->columnCount || row < 0 || row >= table->rowCount)
	{
		return NAN;
	}
	return table->values[row * table->columnCount + column];
}

double tncGetRemark(const tncTable* table, const char* key)
{
	if (table->text == NULL || table->text[0] != '#')
	{
		return NAN;
	}
	const char* at = strstr(table->text, key);
	return at != NULL ? strtod(at + strlen(key), NULL) : NAN;
}

// SPDX-License-Identifier: MIT

// Text of drawings. printf takes the decimal point from the locale and the length of exponents from the C library, so
// numbers are put together here from their digits.

#include "plots/plot_draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for `count` more characters and a zero.
static bool tncReserve(tncText* text, size_t count)
{
	if (text->failed)
	{
		return false;
	}
	if (text->size + count + 1 > text->capacity)
	{
		size_t capacity = 2 * text->capacity + count + 4096;
		char* data = realloc(text->data, capacity);
		if (data == NULL)
		{
			text->failed = true;
			return false;
		}
		text->data = data;
		text->capacity = capacity;
	}
	return true;
}

void tncText_Put(tncText* text, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length >= 0 && tncReserve(text, (size_t)length))
	{
		va_start(arguments, format);
		vsnprintf(text->data + text->size, (size_t)length + 1, format, arguments);
		va_end(arguments);
		text->size += (size_t)length;
	}
}

void tncText_PutPlace(tncText* text, double value)
{
	// Places are inside a picture or clipped near it.
	double hundredths = isfinite(value) ? floor(fmax(-1.0e6, fmin(1.0e6, value)) * 100.0 + 0.5) : 0.0;
	int64_t whole = (int64_t)fabs(hundredths);
	tncText_Put(text, "%s%d", hundredths < 0.0 ? "-" : "", (int)(whole / 100));
	int rest = (int)(whole % 100);
	if (rest != 0)
	{
		tncText_Put(text, rest % 10 == 0 ? ".%d" : ".%02d", rest % 10 == 0 ? rest / 10 : rest);
	}
}

void tncText_PutEscaped(tncText* text, const char* string)
{
	for (const char* at = string; *at != 0; ++at)
	{
		switch (*at)
		{
			case '&':
				tncText_Put(text, "&amp;");
				break;
			case '<':
				tncText_Put(text, "&lt;");
				break;
			case '>':
				tncText_Put(text, "&gt;");
				break;
			case '"':
				tncText_Put(text, "&quot;");
				break;
			default:
				tncText_Put(text, "%c", *at);
				break;
		}
	}
}

char* tncText_Take(tncText* text)
{
	if (text->failed)
	{
		free(text->data);
		text->data = NULL;
	}
	return text->data;
}

void tncFormatNumber(double value, int digits, char* text, size_t size)
{
	if (isfinite(value) == false)
	{
		snprintf(text, size, "%s", isnan(value) ? "not a number" : (value > 0.0 ? "infinite" : "-infinite"));
		return;
	}
	if (value == 0.0)
	{
		snprintf(text, size, "0");
		return;
	}

	// "-d.ddde-dd": the digits before the e, whatever stands between them, and the exponent.
	char raw[48];
	snprintf(raw, sizeof(raw), "%.*e", digits - 1, value);
	char all[32];
	int count = 0;
	const char* at = raw;
	for (; *at != 0 && *at != 'e' && *at != 'E'; ++at)
	{
		if (*at >= '0' && *at <= '9' && count < (int)sizeof(all) - 1)
		{
			all[count] = *at;
			count += 1;
		}
	}
	int exponent = *at != 0 ? atoi(at + 1) : 0;
	while (count > 1 && all[count - 1] == '0')
	{
		count -= 1;
	}
	all[count] = 0;

	const char* sign = value < 0.0 ? "-" : "";
	if (exponent < -4 || exponent >= digits + 2)
	{
		snprintf(text, size, "%s%c%s%se%s%02d", sign, all[0], count > 1 ? "." : "", all + 1, exponent < 0 ? "-" : "+",
			abs(exponent));
	}
	else if (exponent < 0)
	{
		snprintf(text, size, "%s0.%.*s%s", sign, -exponent - 1, "0000", all);
	}
	else if (count <= exponent + 1)
	{
		snprintf(text, size, "%s%s%.*s", sign, all, exponent + 1 - count, "00000000");
	}
	else
	{
		snprintf(text, size, "%s%.*s.%s", sign, exponent + 1, all, all + exponent + 1);
	}
}

void tncFormatBound(const tncRow* row, char* text, size_t size)
{
	char lower[32];
	char upper[32];
	tncFormatNumber(row->lower, 4, lower, sizeof(lower));
	tncFormatNumber(row->upper, 4, upper, sizeof(upper));
	bool hasLower = isfinite(row->lower);
	bool hasUpper = isfinite(row->upper);
	if (hasLower && hasUpper && row->lower == row->upper)
	{
		snprintf(text, size, "= %s", lower);
	}
	else if (hasLower && hasUpper)
	{
		snprintf(text, size, "%s \xE2\x80\xA6 %s", lower, upper);
	}
	else if (hasLower || hasUpper)
	{
		snprintf(text, size, "%s %s", hasLower ? "\xE2\x89\xA5" : "\xE2\x89\xA4", hasLower ? lower : upper);
	}
	else
	{
		snprintf(text, size, "%s", "");
	}
}

tncTally tncCountRows(const tncReport* report, int begin, int end)
{
	tncTally tally = {0};
	for (int i = begin; i < end; ++i)
	{
		const tncRow* row = report->rows + i;
		bool failed = row->informational == false && row->pass == false;
		tally.requiredCount += row->informational ? 0 : 1;
		tally.failCount += failed ? 1 : 0;
		bool isGate = row->kind == tnc_gateRow && row->informational == false;
		tally.gateCount += isGate ? 1 : 0;
		tally.gateFailCount += isGate && failed ? 1 : 0;
	}
	return tally;
}

bool tncIsPartner(const tncReport* report, int begin, int row)
{
	return row > begin && report->rows[row].kind == tnc_ambitiousRow && report->rows[row - 1].kind == tnc_realisticRow;
}

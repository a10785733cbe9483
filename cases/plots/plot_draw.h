// SPDX-License-Identifier: MIT

#pragma once

#include "plots/plot.h"

/// @file What the drawings are made of: text that grows, numbers as text, axes.

/// Text that grows. Once memory has run out it stays as it is and `failed` is set.
typedef struct tncText
{
	char* data;
	size_t size, capacity;
	bool failed;
} tncText;

#if defined(__GNUC__)
#define TNC_TEXT_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define TNC_TEXT_PRINTF
#endif

/// Only for strings and whole numbers: others depend on the locale.
void tncText_Put(tncText* text, const char* format, ...) TNC_TEXT_PRINTF;

/// A number with at most two decimals: a place in a picture.
void tncText_PutPlace(tncText* text, double value);

/// Text with the signs of XML replaced.
void tncText_PutEscaped(tncText* text, const char* string);

/// The text, which the caller frees, or NULL if memory ran out.
char* tncText_Take(tncText* text);

/// A number with so many significant digits, without needless zeros: "0.0123", "-4", "1.5e-07", "not a number".
void tncFormatNumber(double value, int digits, char* text, size_t size);

/// The limit of a row for people: "≤ 0.02". Empty if there is none.
void tncFormatBound(const tncRow* row, char* text, size_t size);

/// One axis of a panel.
typedef struct tncAxis
{
	double low, high;
	bool isLog;
	double ticks[32];
	int tickCount;
} tncAxis;

/// Where a value is on the axis, 0 at its beginning and 1 at its end.
double tncAxis_Place(const tncAxis* axis, double value);

/// Axes that hold all that is drawn in a panel, of results only as much as leaves the reference readable.
void tncMakeAxes(const tncPanel* panel, int tickHint, tncAxis* x, tncAxis* y);

/// Rows of a picture, counted.
typedef struct tncTally
{
	/// Required rows, those of them that failed; gates, those of them that failed.
	int requiredCount, failCount;
	int gateCount, gateFailCount;
} tncTally;

tncTally tncCountRows(const tncReport* report, int begin, int end);

/// Is this row the ambitious partner of the row before it?
bool tncIsPartner(const tncReport* report, int begin, int row);

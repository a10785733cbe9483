// SPDX-License-Identifier: MIT

#pragma once

#include <stdio.h>

/// @file Text for the page, put together piece by piece. One text at a time: it lives until the next tnwBeginText.

typedef struct tnwText tnwText;

tnwText* tnwBeginText(void);
/// As printf.
void tnwText_Add(tnwText* text, const char* format, ...);
/// A string of JSON, with its quotes.
void tnwText_AddString(tnwText* text, const char* string);
/// Never NULL. Empty if there was no memory.
const char* tnwText_Get(const tnwText* text);

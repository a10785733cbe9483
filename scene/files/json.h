// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

#include <stdarg.h>

// Strict JSON with // comments. Every value and key remembers where it stands, so that whoever finds it wrong later
// can say where. All memory of a document is freed at once.

#define TNS_JSON_MAX_DEPTH 64

// A scene of a million values is not a scene. Bounds memory at about 100 MB, whatever the text.
#define TNS_JSON_MAX_VALUES 1000000

typedef enum tnsJsonKind
{
	tns_jsonNull = 0,
	tns_jsonBool,
	tns_jsonNumber,
	tns_jsonString,
	tns_jsonArray,
	tns_jsonObject,
} tnsJsonKind;

// From 1. Columns count characters, not bytes.
typedef struct tnsPlace
{
	int line, column;
} tnsPlace;

typedef struct tnsJson tnsJson;

struct tnsJson
{
	tnsJsonKind kind;
	tnsPlace place;
	// Bool: 0 or 1.
	double number;
	// Null-terminated, without NUL inside.
	const char* string;
	// Array, object.
	tnsJson* first;
	int count;
	// Next in the same array or object.
	tnsJson* next;
	// NULL unless in an object.
	const char* key;
	tnsPlace keyPlace;
};

typedef struct tnsJsonDocument tnsJsonDocument;

// name stands for the file in errors and is copied.
tnsResult tnsParseJson(const char* text, size_t size, const char* name, tnsJsonDocument** document);
void tnsDestroyJson(tnsJsonDocument* document);

const tnsJson* tnsJson_GetRoot(const tnsJsonDocument* document);

// NULL if the object has no such key.
const tnsJson* tnsJson_Find(const tnsJson* object, const char* key);

// "a number", "an object", ...
const char* tnsJson_GetKindName(tnsJsonKind kind);

// "name:line:column: text"
tnsResult tnsMakePlaceError(tnsStatus status, const char* name, tnsPlace place, const char* format, va_list arguments);

// "text", for errors of files without lines
tnsResult tnsMakeError(tnsStatus status, const char* format, ...);

// Parse the longest decimal number at text, JSON's grammar plus, if relaxed, a leading + or dot. Correctly rounded and
// blind to the locale.
// Returns the characters used; 0 if there is no number. The value is infinite if it does not fit in a double.
size_t tnsParseNumber(const char* text, size_t size, bool relaxed, double* value);

// Copy text for quoting in an error: printable, at most 40 characters.
typedef struct tnsQuote
{
	char text[176];
} tnsQuote;

tnsQuote tnsMakeQuote(const char* text, size_t size);

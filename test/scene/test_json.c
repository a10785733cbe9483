// SPDX-License-Identifier: MIT

// The reader of JSON: what it takes, what it refuses, and where it says the mistake is.

#include "files/json.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Parse a text that is wrong and compare all of its error.
static int CheckError(const char* text, size_t size, const char* expected)
{
	tnsJsonDocument* document = NULL;
	const tnsResult result = tnsParseJson(text, size, "f", &document);
	ENSURE(document == NULL);
	ENSURE_EQUAL_INT(result.status, tns_badFormat);
	ENSURE_TEXT(result.text, expected);
	ENSURE(strncmp(result.text, expected, strlen(expected)) == 0);
	return 0;
}

static int Errors(void)
{
	static const struct
	{
		const char* text;
		const char* error;
	} cases[] = {
		{"", "f:1:1: there is nothing in this text"},
		{" // only a comment\n", "f:2:1: there is nothing in this text"},
		{"{", "f:1:2: expected a key in double quotes, got the end of the text"},
		{"{\"a\": 1", "f:1:8: the text ends inside the object that begins at 1:1"},
		{"[1, 2", "f:1:6: the text ends inside the array that begins at 1:1"},
		{"[1,\n 2,\n]", "f:2:3: the last item of an array has no comma after it"},
		{"{\"a\": 1,\n}", "f:1:8: the last item of an object has no comma after it"},
		{"[1 2]", "f:1:4: expected , or ] in the array that begins at 1:1, got '2'"},
		{"{\"a\" 1}", "f:1:6: expected : after the key \"a\", got '1'"},
		{"{a: 1}", "f:1:2: expected a key in double quotes or }, got 'a'"},
		{"{'a': 1}", "f:1:2: expected a key in double quotes or }, got '''"},
		{"['a']", "f:1:2: strings need double quotes"},
		{"[NaN]", "f:1:2: unknown word NaN"},
		{"[True]", "f:1:2: unknown word True"},
		{"[-Infinity]", "f:1:2: -Infinity is not a number"},
		{"[01]", "f:1:2: 01 is not a number"},
		{"[+1]", "f:1:2: +1 is not a number"},
		{"[.5]", "f:1:2: .5 is not a number"},
		{"[5.]", "f:1:2: 5. is not a number"},
		{"[1e]", "f:1:2: 1e is not a number"},
		{"[-]", "f:1:2: - is not a number"},
		{"[0x10]", "f:1:2: 0x10 is not a number"},
		{"[1.2.3]", "f:1:2: 1.2.3 is not a number"},
		{"[1e999]", "f:1:2: number 1e999 is too large"},
		{"[\n  \"abc\n\"]", "f:2:3: this string has no closing quote"},
		{"\"abc", "f:1:1: this string has no closing quote"},
		{"\"abc\\", "f:1:5: unknown escape"},
		{"[\"a\tb\"]", "f:1:4: a control character is not allowed in a string"},
		{"[\"\\q\"]", "f:1:3: unknown escape"},
		{"[\"\\u12G4\"]", "f:1:3: \\u needs four hexadecimal digits"},
		{"[\"\\u12", "f:1:3: \\u needs four hexadecimal digits"},
		{"[\"\\uDC00\"]", "f:1:3: \\uDC00 is the second half of a surrogate pair"},
		{"[\"\\uD800x\"]", "f:1:3: \\uD800 is the first half of a surrogate pair"},
		{"[\"\\uD800\\uD800\"]", "f:1:3: \\uD800 is the first half of a surrogate pair"},
		{"[\"\\u0000\"]", "f:1:3: \\u0000 is not allowed"},
		{"[1] /* no */", "f:1:5: /* */ comments are not allowed"},
		{"[1] / 2", "f:1:5: a comment begins with //"},
		{"[1] [2]", "f:1:5: nothing may follow the end of the outermost value, got '['"},
		{"{\"a\": 1, \"b\": {\"a\": 2},\n \"a\": 3}", "f:2:2: key \"a\" is given twice; the first is at 1:2"},
		// Columns count characters: the two-byte letter is one.
		{"[\"\xC3\xA4\", x]", "f:1:7: unknown word x"},
		{"[\"\xC3\x28\"]", "f:1:3: byte 0xC3 is not valid UTF-8"},
		{"[\"\xC0\x80\"]", "f:1:3: byte 0xC0 is not valid UTF-8"},
		{"[\"\xED\xA0\x80\"]", "f:1:3: byte 0xED is not valid UTF-8"},
		{"[\"\xF5\x80\x80\x80\"]", "f:1:3: byte 0xF5 is not valid UTF-8"},
		{"[\"\xE2\x82", "f:1:3: byte 0xE2 is not valid UTF-8"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		if (CheckError(cases[i].text, strlen(cases[i].text), cases[i].error) != 0)
		{
			return 1;
		}
	}
	// A NUL is a character like any other wrong one.
	return CheckError("[1, \0 2]", 8, "f:1:5: expected a value");
}

static int Values(void)
{
	static const char text[] = "\xEF\xBB\xBF// first a comment\r\n"
							   "{ \"n\": -12.5e-1, // and one here\n"
							   "  \"s\": \"a\\n\\\"\\u00e4\\uD83D\\uDCA7\\/\",\n"
							   "  \"t\": true, \"f\": false, \"z\": null,\n"
							   "\t\"list\": [ [], {}, 0, -0 ] } // last";
	tnsJsonDocument* document = NULL;
	const tnsResult result = tnsParseJson(text, sizeof(text) - 1, "f", &document);
	ENSURE_TEXT(result.text, "");
	ENSURE_EQUAL_INT(result.status, tns_ok);
	const tnsJson* root = tnsJson_GetRoot(document);
	ENSURE_EQUAL_INT(root->kind, tns_jsonObject);
	ENSURE_EQUAL_INT(root->count, 6);
	ENSURE(tnsJson_Find(root, "n")->number == -1.25);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "n")->place.line, 2);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "n")->place.column, 8);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "n")->keyPlace.column, 3);
	ENSURE(strcmp(tnsJson_Find(root, "s")->string, "a\n\"\xC3\xA4\xF0\x9F\x92\xA7/") == 0);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "t")->kind, tns_jsonBool);
	ENSURE(tnsJson_Find(root, "t")->number == 1.0);
	ENSURE(tnsJson_Find(root, "f")->number == 0.0);
	ENSURE_EQUAL_INT(tnsJson_Find(root, "z")->kind, tns_jsonNull);
	ENSURE(tnsJson_Find(root, "q") == NULL);

	const tnsJson* list = tnsJson_Find(root, "list");
	ENSURE_EQUAL_INT(list->count, 4);
	ENSURE_EQUAL_INT(list->place.line, 5);
	ENSURE_EQUAL_INT(list->place.column, 10);
	ENSURE_EQUAL_INT(list->first->kind, tns_jsonArray);
	ENSURE_EQUAL_INT(list->first->next->kind, tns_jsonObject);
	ENSURE(signbit(list->first->next->next->next->number) != 0);
	tnsDestroyJson(document);
	return 0;
}

// Correctly rounded: the same double as the compiler's. The long ones leave the exact path.
static int Numbers(void)
{
	static const struct
	{
		const char* text;
		double value;
	} cases[] = {
		{"0", 0.0},
		{"0.1", 0.1},
		{"-0.5e3", -0.5e3},
		{"1e22", 1e22},
		{"1e23", 1e23},
		{"9007199254740993", 9007199254740993.0},
		{"3.14159265358979323846264338327950288", 3.14159265358979323846264338327950288},
		{"1.7976931348623157e308", 1.7976931348623157e308},
		{"4.9e-324", 4.9e-324},
		{"123456789012345678901234567890e-20", 123456789012345678901234567890e-20},
		{"1E+2", 100.0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		double value = 0.0;
		ENSURE_EQUAL_INT(tnsParseNumber(cases[i].text, strlen(cases[i].text), false, &value), strlen(cases[i].text));
		ENSURE(value == cases[i].value);
	}
	double value = 0.0;
	ENSURE_EQUAL_INT(tnsParseNumber("+.5", 3, true, &value), 3);
	ENSURE(value == 0.5);
	ENSURE_EQUAL_INT(tnsParseNumber("5.", 2, true, &value), 2);
	ENSURE_EQUAL_INT(tnsParseNumber("1e", 2, true, &value), 1);
	ENSURE_EQUAL_INT(tnsParseNumber("nan", 3, true, &value), 0);
	ENSURE_EQUAL_INT(tnsParseNumber(".", 1, true, &value), 0);
	return 0;
}

// 64 levels are allowed, 65 are not, and ten million brackets cost no more than looking at them.
static int Nesting(void)
{
	enum
	{
		size = 10 * 1024 * 1024
	};
	char* text = malloc(size);
	ENSURE(text != NULL);
	memset(text, '[', size);
	int failed =
		CheckError(text, size, "f:1:65: arrays and objects are nested too deeply; at most 64 levels are allowed");
	memset(text + 64, ']', 64);
	tnsJsonDocument* document = NULL;
	const tnsResult result = tnsParseJson(text, 128, "f", &document);
	tnsDestroyJson(document);
	memset(text, '{', size);
	failed += CheckError(text, size, "f:1:2: expected a key in double quotes or }, got '{'");
	free(text);
	ENSURE_EQUAL_INT(failed, 0);
	ENSURE_EQUAL_INT(result.status, tns_ok);
	return 0;
}

// A text of many keys and values is either read or refused, but not in quadratic time: half a million comparisons per
// key would take minutes here.
static int ManyValues(void)
{
	enum
	{
		keyCount = 400000,
		size = 16 * keyCount
	};
	char* text = malloc(size);
	ENSURE(text != NULL);
	size_t used = 0;
	text[used++] = '{';
	for (int i = 0; i < keyCount; ++i)
	{
		char key[8];
		for (int k = 0, rest = i; k < 7; ++k, rest /= 10)
		{
			key[k] = (char)('0' + rest % 10);
		}
		text[used++] = '"';
		memcpy(text + used, key, 7);
		used += 7;
		memcpy(text + used, "\":1,", 4);
		used += 4;
	}
	text[used - 1] = '}';
	tnsJsonDocument* document = NULL;
	tnsResult result = tnsParseJson(text, used, "f", &document);
	const int count = document != NULL ? tnsJson_GetRoot(document)->count : 0;
	tnsDestroyJson(document);

	text[0] = '[';
	for (size_t i = 1; i < size; ++i)
	{
		text[i] = i % 2 == 1 ? '1' : ',';
	}
	const tnsResult tooMany = tnsParseJson(text, size, "f", &document);
	free(text);
	ENSURE_EQUAL_INT(result.status, tns_ok);
	ENSURE_EQUAL_INT(count, keyCount);
	ENSURE_EQUAL_INT(tooMany.status, tns_badFormat);
	ENSURE_TEXT(tooMany.text, "too many values; at most 1000000 are allowed");
	ENSURE(document == NULL);
	return 0;
}

// Every prefix of a good text is an error with a place, and none reads past its end (the sanitizers watch).
static int Truncated(void)
{
	static const char text[] = "{\"a\": [1.5e2, \"x\\u00e4\\uD83D\\uDCA7\", {\"b\": null}], // c\n \"d\": true}";
	for (size_t size = 0; size + 1 < sizeof(text); ++size)
	{
		char* copy = malloc(size + 1);
		ENSURE(copy != NULL);
		memcpy(copy, text, size);
		// Exactly as long as the text says.
		char* exact = realloc(copy, size > 0 ? size : 1);
		tnsJsonDocument* document = NULL;
		const tnsResult result = tnsParseJson(exact, size, "f", &document);
		free(exact);
		ENSURE_EQUAL_INT(result.status, tns_badFormat);
		ENSURE(strncmp(result.text, "f:1:", 4) == 0 || strncmp(result.text, "f:2:", 4) == 0);
	}
	return 0;
}

static int LongNamesKeepTheMessage(void)
{
	char name[2000];
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	tnsJsonDocument* document = NULL;
	const tnsResult result = tnsParseJson("[1,]", 4, name, &document);
	ENSURE_TEXT(result.text, "n:1:3: the last item of an array");
	return 0;
}

static const Test s_tests[] = {
	{"Errors", Errors},
	{"Values", Values},
	{"Numbers", Numbers},
	{"Nesting", Nesting},
	{"ManyValues", ManyValues},
	{"Truncated", Truncated},
	{"LongNamesKeepTheMessage", LongNamesKeepTheMessage},
};
const TestSuite jsonSuite = TEST_SUITE("json", s_tests);

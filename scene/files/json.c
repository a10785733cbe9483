// SPDX-License-Identifier: MIT

// Strict JSON with // comments. Every value remembers where it stands, so that errors can say line and column.

#include "files/json.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Memory comes in blocks of this many bytes: a usual scene fits in one.
#define TNS_BLOCK_BYTES (64 * 1024)

// Longest number in characters. Doubles need 17 digits; nobody writes more than a few dozen.
#define TNS_MAX_NUMBER_LENGTH 128

typedef struct tnsBlock
{
	struct tnsBlock* next;
	size_t used, size;
	// The memory follows.
} tnsBlock;

struct tnsJsonDocument
{
	tnsBlock* blocks;
	tnsJson* root;
};

// A key that was seen, for finding duplicates in constant time.
typedef struct tnsSeenKey
{
	const tnsJson* object;
	const tnsJson* member;
} tnsSeenKey;

typedef struct tnsJsonParser
{
	const char* text;
	size_t size, at;
	tnsPlace place;
	const char* name;
	tnsJsonDocument* document;
	tnsResult result;
	int valueCount;
	// Open addressing, a power of two of slots, at most half full.
	tnsSeenKey* seen;
	size_t seenCount, seenCapacity;
} tnsJsonParser;

// ---------------------------------------------------------------------------------------------------------------------
// Errors

tnsResult tnsMakePlaceError(tnsStatus status, const char* name, tnsPlace place, const char* format, va_list arguments)
{
	tnsResult result = {0};
	result.status = status;
	// A path that fills the whole text would hide what is wrong: keep its end.
	const size_t maxName = sizeof(result.text) / 2;
	const size_t length = strlen(name);
	const char* tail = length > maxName ? name + (length - maxName) : name;
	int used = snprintf(
		result.text, sizeof(result.text), "%s%s:%d:%d: ", tail != name ? "..." : "", tail, place.line, place.column);
	if (used > 0 && (size_t)used < sizeof(result.text))
	{
		vsnprintf(result.text + used, sizeof(result.text) - (size_t)used, format, arguments);
	}
	return result;
}

tnsResult tnsMakeError(tnsStatus status, const char* format, ...)
{
	tnsResult result = {0};
	result.status = status;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(result.text, sizeof(result.text), format, arguments);
	va_end(arguments);
	return result;
}

static tnsJson* tnsFailAt(tnsJsonParser* parser, tnsPlace place, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	parser->result = tnsMakePlaceError(tns_badFormat, parser->name, place, format, arguments);
	va_end(arguments);
	return NULL;
}

static tnsJson* tnsFailMemory(tnsJsonParser* parser)
{
	parser->result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory", parser->name);
	return NULL;
}

tnsQuote tnsMakeQuote(const char* text, size_t size)
{
	enum
	{
		maxCharacters = 40
	};
	tnsQuote quote = {0};
	size_t used = 0;
	int characters = 0;
	for (size_t i = 0; i < size; ++i)
	{
		const unsigned char c = (unsigned char)text[i];
		const bool continues = (c & 0xC0) == 0x80;
		// The second condition only matters for bytes that are not UTF-8.
		if ((continues == false && characters == maxCharacters) || used + 4 >= sizeof(quote.text))
		{
			memcpy(quote.text + used, "...", 3);
			break;
		}
		characters += continues ? 0 : 1;
		quote.text[used++] = c < 0x20 || c == 0x7F ? '?' : (char)c;
	}
	return quote;
}

const char* tnsJson_GetKindName(tnsJsonKind kind)
{
	static const char* const names[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
	return names[kind];
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static void* tnsAllocate(tnsJsonParser* parser, size_t size)
{
	tnsJsonDocument* document = parser->document;
	const size_t alignment = sizeof(double);
	size = (size + alignment - 1) & ~(alignment - 1);
	tnsBlock* block = document->blocks;
	if (block == NULL || block->size - block->used < size)
	{
		const size_t blockSize = size > TNS_BLOCK_BYTES ? size : TNS_BLOCK_BYTES;
		block = malloc(sizeof(tnsBlock) + blockSize);
		if (block == NULL)
		{
			tnsFailMemory(parser);
			return NULL;
		}
		block->next = document->blocks;
		block->used = 0;
		block->size = blockSize;
		document->blocks = block;
	}
	void* memory = (char*)(block + 1) + block->used;
	block->used += size;
	return memory;
}

void tnsDestroyJson(tnsJsonDocument* document)
{
	if (document == NULL)
	{
		return;
	}
	tnsBlock* block = document->blocks;
	while (block != NULL)
	{
		tnsBlock* next = block->next;
		free(block);
		block = next;
	}
	free(document);
}

// ---------------------------------------------------------------------------------------------------------------------
// Characters

// Length of the UTF-8 sequence at text, 0 if it is not a valid one (overlong forms, surrogates and values above
// 10FFFF are not).
static size_t tnsGetCharacterLength(const char* text, size_t size)
{
	const unsigned char* c = (const unsigned char*)text;
	if (c[0] < 0x80)
	{
		return 1;
	}
	size_t length = 0;
	unsigned char low = 0x80, high = 0xBF;
	if (c[0] >= 0xC2 && c[0] <= 0xDF)
	{
		length = 2;
	}
	else if (c[0] >= 0xE0 && c[0] <= 0xEF)
	{
		length = 3;
		low = c[0] == 0xE0 ? 0xA0 : 0x80;
		high = c[0] == 0xED ? 0x9F : 0xBF;
	}
	else if (c[0] >= 0xF0 && c[0] <= 0xF4)
	{
		length = 4;
		low = c[0] == 0xF0 ? 0x90 : 0x80;
		high = c[0] == 0xF4 ? 0x8F : 0xBF;
	}
	if (length == 0 || length > size || c[1] < low || c[1] > high)
	{
		return 0;
	}
	for (size_t i = 2; i < length; ++i)
	{
		if (c[i] < 0x80 || c[i] > 0xBF)
		{
			return 0;
		}
	}
	return length;
}

static bool tnsCheckCharacters(tnsJsonParser* parser)
{
	tnsPlace place = parser->place;
	size_t at = parser->at;
	while (at < parser->size)
	{
		const size_t length = tnsGetCharacterLength(parser->text + at, parser->size - at);
		if (length == 0)
		{
			tnsFailAt(parser, place, "byte 0x%02X is not valid UTF-8 here; save the file as UTF-8",
				(unsigned)(unsigned char)parser->text[at]);
			return false;
		}
		place.column += 1;
		if (parser->text[at] == '\n')
		{
			place.line += 1;
			place.column = 1;
		}
		at += length;
	}
	return true;
}

// 0 at the end of the text. A NUL in the text reads as 1, which is as wrong everywhere.
static char tnsPeek(const tnsJsonParser* parser)
{
	if (parser->at >= parser->size)
	{
		return 0;
	}
	const char c = parser->text[parser->at];
	return c == 0 ? 1 : c;
}

// Skip one byte. Only first bytes of characters count as columns.
static void tnsAdvance(tnsJsonParser* parser)
{
	const unsigned char c = (unsigned char)parser->text[parser->at];
	parser->at += 1;
	if (c == '\n')
	{
		parser->place.line += 1;
		parser->place.column = 1;
	}
	else if ((c & 0xC0) != 0x80)
	{
		parser->place.column += 1;
	}
}

static bool tnsSkipSpace(tnsJsonParser* parser)
{
	for (;;)
	{
		const char c = tnsPeek(parser);
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		{
			tnsAdvance(parser);
		}
		else if (c == '/')
		{
			const char second = parser->at + 1 < parser->size ? parser->text[parser->at + 1] : 0;
			if (second != '/')
			{
				tnsFailAt(parser, parser->place, "%s",
					second == '*' ? "/* */ comments are not allowed; begin each line of the comment with //"
								  : "a comment begins with //, not with a single /");
				return false;
			}
			while (parser->at < parser->size && parser->text[parser->at] != '\n')
			{
				tnsAdvance(parser);
			}
		}
		else
		{
			return true;
		}
	}
}

// The character at the cursor, for errors.
static tnsQuote tnsQuoteHere(const tnsJsonParser* parser)
{
	if (parser->at >= parser->size)
	{
		return tnsMakeQuote("the end of the text", strlen("the end of the text"));
	}
	const char* text = parser->text + parser->at;
	char buffer[16];
	const size_t length = tnsGetCharacterLength(text, parser->size - parser->at);
	buffer[0] = '\'';
	memcpy(buffer + 1, text, length);
	buffer[length + 1] = '\'';
	return tnsMakeQuote(buffer, length + 2);
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers

static bool tnsIsDigit(char c)
{
	return c >= '0' && c <= '9';
}

// The length of the number at text by grammar, 0 for none.
static size_t tnsMeasureNumber(const char* text, size_t size, bool relaxed)
{
	size_t i = 0;
	if (i < size && (text[i] == '-' || (relaxed && text[i] == '+')))
	{
		i += 1;
	}
	const size_t firstDigit = i;
	while (i < size && tnsIsDigit(text[i]))
	{
		i += 1;
	}
	size_t digits = i - firstDigit;
	if (digits == 0 && relaxed == false)
	{
		return 0;
	}
	if (digits > 1 && text[firstDigit] == '0' && relaxed == false)
	{
		return 0;
	}
	if (i < size && text[i] == '.')
	{
		size_t k = i + 1;
		while (k < size && tnsIsDigit(text[k]))
		{
			k += 1;
		}
		if (k - i - 1 == 0 && relaxed == false)
		{
			return 0;
		}
		digits += k - i - 1;
		i = k;
	}
	if (digits == 0)
	{
		return 0;
	}
	if (i < size && (text[i] == 'e' || text[i] == 'E'))
	{
		size_t k = i + 1;
		if (k < size && (text[k] == '-' || text[k] == '+'))
		{
			k += 1;
		}
		const size_t firstExponentDigit = k;
		while (k < size && tnsIsDigit(text[k]))
		{
			k += 1;
		}
		if (k == firstExponentDigit)
		{
			return relaxed ? i : 0;
		}
		i = k;
	}
	return i;
}

// The C library rounds correctly, but wants the decimal point of the locale.
static double tnsParseSlowly(const char* text, size_t length)
{
	char buffer[TNS_MAX_NUMBER_LENGTH + 16];
	const char* point = localeconv()->decimal_point;
	const size_t pointLength = strlen(point);
	size_t used = 0;
	for (size_t i = 0; i < length && used + pointLength + 1 < sizeof(buffer); ++i)
	{
		if (text[i] == '.')
		{
			memcpy(buffer + used, point, pointLength);
			used += pointLength;
		}
		else
		{
			buffer[used++] = text[i];
		}
	}
	buffer[used] = 0;
	return strtod(buffer, NULL);
}

size_t tnsParseNumber(const char* text, size_t size, bool relaxed, double* value)
{
	// Powers of ten that a double holds exactly. One division or product of two exact doubles is correctly rounded.
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const size_t length = tnsMeasureNumber(text, size, relaxed);
	if (length == 0 || length > TNS_MAX_NUMBER_LENGTH)
	{
		return 0;
	}

	size_t i = text[0] == '-' || text[0] == '+' ? 1 : 0;
	uint64_t mantissa = 0;
	int exponent = 0;
	bool point = false, exact = true;
	for (; i < length && text[i] != 'e' && text[i] != 'E'; ++i)
	{
		if (text[i] == '.')
		{
			point = true;
			continue;
		}
		mantissa = 10 * mantissa + (uint64_t)(text[i] - '0');
		exponent -= point ? 1 : 0;
		// 2^53: every integer up to here is a double.
		if (mantissa > 9007199254740992u)
		{
			exact = false;
			break;
		}
	}
	if (exact && i < length)
	{
		i += 1;
		const bool negative = text[i] == '-';
		i += text[i] == '-' || text[i] == '+' ? 1 : 0;
		int written = 0;
		for (; i < length; ++i)
		{
			written = written < 100000 ? 10 * written + (text[i] - '0') : written;
		}
		exponent += negative ? -written : written;
	}
	if (exact && exponent >= -22 && exponent <= 22)
	{
		const double magnitude =
			exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
		*value = text[0] == '-' ? -magnitude : magnitude;
		return length;
	}
	*value = tnsParseSlowly(text, length);
	return length;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

static bool tnsReadHex(const char* text, uint32_t* value)
{
	uint32_t sum = 0;
	for (int i = 0; i < 4; ++i)
	{
		const char c = text[i];
		uint32_t digit = 0;
		if (tnsIsDigit(c))
		{
			digit = (uint32_t)(c - '0');
		}
		else if (c >= 'a' && c <= 'f')
		{
			digit = (uint32_t)(c - 'a') + 10;
		}
		else if (c >= 'A' && c <= 'F')
		{
			digit = (uint32_t)(c - 'A') + 10;
		}
		else
		{
			return false;
		}
		sum = 16 * sum + digit;
	}
	*value = sum;
	return true;
}

static size_t tnsWriteCharacter(char* text, uint32_t code)
{
	if (code < 0x80)
	{
		text[0] = (char)code;
		return 1;
	}
	if (code < 0x800)
	{
		text[0] = (char)(0xC0 | (code >> 6));
		text[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000)
	{
		text[0] = (char)(0xE0 | (code >> 12));
		text[1] = (char)(0x80 | ((code >> 6) & 0x3F));
		text[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	text[0] = (char)(0xF0 | (code >> 18));
	text[1] = (char)(0x80 | ((code >> 12) & 0x3F));
	text[2] = (char)(0x80 | ((code >> 6) & 0x3F));
	text[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

// The cursor is on the u of \uXXXX and moves behind the last digit.
static bool tnsReadUnicodeEscape(tnsJsonParser* parser, tnsPlace place, uint32_t* code)
{
	uint32_t value = 0;
	if (parser->size - parser->at < 5 || tnsReadHex(parser->text + parser->at + 1, &value) == false)
	{
		tnsFailAt(parser, place, "\\u needs four hexadecimal digits");
		return false;
	}
	for (int i = 0; i < 5; ++i)
	{
		tnsAdvance(parser);
	}
	if (value >= 0xDC00 && value <= 0xDFFF)
	{
		tnsFailAt(parser, place, "\\u%04X is the second half of a surrogate pair without the first", (unsigned)value);
		return false;
	}
	if (value >= 0xD800 && value <= 0xDBFF)
	{
		uint32_t second = 0;
		const char* rest = parser->text + parser->at;
		if (parser->size - parser->at < 6 || rest[0] != '\\' || rest[1] != 'u' ||
			tnsReadHex(rest + 2, &second) == false || second < 0xDC00 || second > 0xDFFF)
		{
			tnsFailAt(parser, place,
				"\\u%04X is the first half of a surrogate pair and needs \\uDC00 to \\uDFFF after it", (unsigned)value);
			return false;
		}
		for (int i = 0; i < 6; ++i)
		{
			tnsAdvance(parser);
		}
		value = 0x10000 + ((value - 0xD800) << 10) + (second - 0xDC00);
	}
	if (value == 0)
	{
		tnsFailAt(parser, place, "\\u0000 is not allowed in a string");
		return false;
	}
	*code = value;
	return true;
}

// The cursor is on the opening quote.
static const char* tnsReadString(tnsJsonParser* parser)
{
	const tnsPlace start = parser->place;
	// The decoded string is never longer than the written one.
	size_t end = parser->at + 1;
	while (end < parser->size && parser->text[end] != '"' && parser->text[end] != '\n')
	{
		end += parser->text[end] == '\\' ? 2 : 1;
	}
	char* string = tnsAllocate(parser, (end < parser->size ? end : parser->size) - parser->at + 1);
	if (string == NULL)
	{
		return NULL;
	}
	size_t used = 0;
	tnsAdvance(parser);
	for (;;)
	{
		const tnsPlace place = parser->place;
		const char c = tnsPeek(parser);
		if (c == 0 || c == '\n' || c == '\r')
		{
			tnsFailAt(parser, start, "this string has no closing quote on its line; write a line break as \\n");
			return NULL;
		}
		if ((unsigned char)c < 0x20)
		{
			tnsFailAt(parser, place, "a control character is not allowed in a string; write it as \\t, \\n or \\u00XX");
			return NULL;
		}
		if (c == '"')
		{
			tnsAdvance(parser);
			string[used] = 0;
			return string;
		}
		if (c != '\\')
		{
			string[used++] = c;
			tnsAdvance(parser);
			continue;
		}
		tnsAdvance(parser);
		const char escape = tnsPeek(parser);
		static const char escapes[] = "\"\\/bfnrt";
		static const char characters[] = "\"\\/\b\f\n\r\t";
		const char* found = escape != 0 ? strchr(escapes, escape) : NULL;
		if (found != NULL)
		{
			string[used++] = characters[found - escapes];
			tnsAdvance(parser);
		}
		else if (escape == 'u')
		{
			uint32_t code = 0;
			if (tnsReadUnicodeEscape(parser, place, &code) == false)
			{
				return NULL;
			}
			used += tnsWriteCharacter(string + used, code);
		}
		else
		{
			tnsFailAt(parser, place, "unknown escape; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
			return NULL;
		}
	}
}

static tnsJson* tnsReadNumber(tnsJsonParser* parser, tnsJson* value)
{
	const char* text = parser->text + parser->at;
	size_t length = 0;
	const size_t rest = parser->size - parser->at;
	// What looks like one word must be one number: 0x10, 1.5.2 and 12abc are not.
	while (length < rest &&
		(tnsIsDigit(text[length]) || (text[length] >= 'a' && text[length] <= 'z') ||
			(text[length] >= 'A' && text[length] <= 'Z') ||
			(text[length] != 0 && strchr("+-._", text[length]) != NULL)))
	{
		length += 1;
	}
	const tnsQuote quote = tnsMakeQuote(text, length);
	if (length > TNS_MAX_NUMBER_LENGTH)
	{
		return tnsFailAt(parser, value->place, "number %s is too long; at most %d characters are allowed", quote.text,
			TNS_MAX_NUMBER_LENGTH);
	}
	double number = 0.0;
	if (tnsParseNumber(text, length, false, &number) != length)
	{
		return tnsFailAt(parser, value->place,
			"%s is not a number; allowed are forms like 12, -0.5 and 1.5e3 (no + in front, no leading "
			"zeros, digits on both sides of the point)",
			quote.text);
	}
	if (isfinite(number) == 0)
	{
		return tnsFailAt(parser, value->place, "number %s is too large; it must be finite", quote.text);
	}
	for (size_t i = 0; i < length; ++i)
	{
		tnsAdvance(parser);
	}
	value->kind = tns_jsonNumber;
	value->number = number;
	return value;
}

static tnsJson* tnsReadWord(tnsJsonParser* parser, tnsJson* value)
{
	static const struct
	{
		const char* text;
		tnsJsonKind kind;
		double number;
	} words[] = {{"true", tns_jsonBool, 1.0}, {"false", tns_jsonBool, 0.0}, {"null", tns_jsonNull, 0.0}};

	const char* text = parser->text + parser->at;
	size_t length = 0;
	while (length < parser->size - parser->at &&
		((text[length] >= 'a' && text[length] <= 'z') || (text[length] >= 'A' && text[length] <= 'Z')))
	{
		length += 1;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i)
	{
		if (length == strlen(words[i].text) && memcmp(text, words[i].text, length) == 0)
		{
			for (size_t k = 0; k < length; ++k)
			{
				tnsAdvance(parser);
			}
			value->kind = words[i].kind;
			value->number = words[i].number;
			return value;
		}
	}
	if (length > 0)
	{
		return tnsFailAt(parser, value->place,
			"unknown word %s; a value is a number, a \"string\", true, false, null, [ or {",
			tnsMakeQuote(text, length).text);
	}
	if (tnsPeek(parser) == '\'')
	{
		return tnsFailAt(parser, value->place, "strings need double quotes, not single ones");
	}
	return tnsFailAt(parser, value->place, "expected a value (number, \"string\", true, false, null, [ or {), got %s",
		tnsQuoteHere(parser).text);
}

// FNV-1a over the key, mixed with the address of the object. Only decides where to look, never what is found.
static size_t tnsHashKey(const tnsJson* object, const char* key)
{
	uint64_t hash = 14695981039346656037u ^ (uint64_t)(uintptr_t)object;
	for (const char* c = key; *c != 0; ++c)
	{
		hash = (hash ^ (unsigned char)*c) * 1099511628211u;
	}
	return (size_t)(hash ^ (hash >> 32));
}

static tnsSeenKey* tnsFindSlot(tnsSeenKey* seen, size_t capacity, const tnsJson* object, const char* key)
{
	size_t slot = tnsHashKey(object, key) & (capacity - 1);
	while (seen[slot].member != NULL && (seen[slot].object != object || strcmp(seen[slot].member->key, key) != 0))
	{
		slot = (slot + 1) & (capacity - 1);
	}
	return seen + slot;
}

// Returns the member that has the key already, or NULL.
static const tnsJson* tnsNoteKey(tnsJsonParser* parser, const tnsJson* object, const tnsJson* member)
{
	if (2 * (parser->seenCount + 1) > parser->seenCapacity)
	{
		const size_t capacity = parser->seenCapacity == 0 ? 256 : 2 * parser->seenCapacity;
		tnsSeenKey* seen = calloc(capacity, sizeof(tnsSeenKey));
		if (seen == NULL)
		{
			tnsFailMemory(parser);
			return NULL;
		}
		for (size_t i = 0; i < parser->seenCapacity; ++i)
		{
			if (parser->seen[i].member != NULL)
			{
				*tnsFindSlot(seen, capacity, parser->seen[i].object, parser->seen[i].member->key) = parser->seen[i];
			}
		}
		free(parser->seen);
		parser->seen = seen;
		parser->seenCapacity = capacity;
	}
	tnsSeenKey* slot = tnsFindSlot(parser->seen, parser->seenCapacity, object, member->key);
	if (slot->member != NULL)
	{
		return slot->member;
	}
	slot->object = object;
	slot->member = member;
	parser->seenCount += 1;
	return NULL;
}

static tnsJson* tnsReadValue(tnsJsonParser* parser, int depth);

// The cursor is on the first character of a key. Leaves it behind the colon.
static const char* tnsReadKey(tnsJsonParser* parser)
{
	if (tnsPeek(parser) != '"')
	{
		tnsFailAt(parser, parser->place, "expected a key in double quotes%s, got %s",
			parser->at < parser->size ? " or }" : "", tnsQuoteHere(parser).text);
		return NULL;
	}
	const char* key = tnsReadString(parser);
	if (key == NULL || tnsSkipSpace(parser) == false)
	{
		return NULL;
	}
	if (tnsPeek(parser) != ':')
	{
		tnsFailAt(parser, parser->place, "expected : after the key \"%s\", got %s", tnsMakeQuote(key, strlen(key)).text,
			tnsQuoteHere(parser).text);
		return NULL;
	}
	tnsAdvance(parser);
	return key;
}

// Arrays and objects: the cursor is on the opening bracket.
static tnsJson* tnsReadChildren(tnsJsonParser* parser, tnsJson* parent, int depth)
{
	const bool isObject = tnsPeek(parser) == '{';
	const char close = isObject ? '}' : ']';
	const char* name = isObject ? "object" : "array";
	parent->kind = isObject ? tns_jsonObject : tns_jsonArray;
	if (depth >= TNS_JSON_MAX_DEPTH)
	{
		return tnsFailAt(parser, parent->place,
			"arrays and objects are nested too deeply; at most %d levels are allowed", TNS_JSON_MAX_DEPTH);
	}
	tnsAdvance(parser);
	if (tnsSkipSpace(parser) == false)
	{
		return NULL;
	}
	if (tnsPeek(parser) == close)
	{
		tnsAdvance(parser);
		return parent;
	}

	tnsJson** link = &parent->first;
	for (;;)
	{
		const char* key = NULL;
		const tnsPlace keyPlace = parser->place;
		if (isObject)
		{
			key = tnsReadKey(parser);
			if (key == NULL)
			{
				return NULL;
			}
		}
		tnsJson* child = tnsReadValue(parser, depth + 1);
		if (child == NULL)
		{
			return NULL;
		}
		child->key = key;
		child->keyPlace = keyPlace;
		*link = child;
		link = &child->next;
		parent->count += 1;
		if (isObject)
		{
			const tnsJson* twin = tnsNoteKey(parser, parent, child);
			if (twin != NULL)
			{
				return tnsFailAt(parser, keyPlace, "key \"%s\" is given twice; the first is at %d:%d",
					tnsMakeQuote(key, strlen(key)).text, twin->keyPlace.line, twin->keyPlace.column);
			}
			if (parser->result.status != tns_ok)
			{
				return NULL;
			}
		}

		if (tnsSkipSpace(parser) == false)
		{
			return NULL;
		}
		const char c = tnsPeek(parser);
		if (c == close)
		{
			tnsAdvance(parser);
			return parent;
		}
		if (c == 0)
		{
			return tnsFailAt(parser, parser->place,
				"the text ends inside the %s that begins at %d:%d; expected , or %c", name, parent->place.line,
				parent->place.column, close);
		}
		if (c != ',')
		{
			return tnsFailAt(parser, parser->place, "expected , or %c in the %s that begins at %d:%d, got %s", close,
				name, parent->place.line, parent->place.column, tnsQuoteHere(parser).text);
		}
		const tnsPlace comma = parser->place;
		tnsAdvance(parser);
		if (tnsSkipSpace(parser) == false)
		{
			return NULL;
		}
		if (tnsPeek(parser) == close)
		{
			return tnsFailAt(parser, comma, "the last item of an %s has no comma after it; remove this comma", name);
		}
	}
}

static tnsJson* tnsReadValue(tnsJsonParser* parser, int depth)
{
	if (tnsSkipSpace(parser) == false)
	{
		return NULL;
	}
	if (parser->valueCount >= TNS_JSON_MAX_VALUES)
	{
		return tnsFailAt(parser, parser->place, "too many values; at most %d are allowed", TNS_JSON_MAX_VALUES);
	}
	parser->valueCount += 1;
	tnsJson* value = tnsAllocate(parser, sizeof(tnsJson));
	if (value == NULL)
	{
		return NULL;
	}
	*value = (tnsJson){0};
	value->place = parser->place;

	const char c = tnsPeek(parser);
	if (c == '{' || c == '[')
	{
		return tnsReadChildren(parser, value, depth);
	}
	if (c == '"')
	{
		value->kind = tns_jsonString;
		value->string = tnsReadString(parser);
		return value->string != NULL ? value : NULL;
	}
	if (tnsIsDigit(c) || c == '-' || c == '+' || c == '.')
	{
		return tnsReadNumber(parser, value);
	}
	return tnsReadWord(parser, value);
}

tnsResult tnsParseJson(const char* text, size_t size, const char* name, tnsJsonDocument** document)
{
	*document = NULL;
	tnsJsonParser parser = {0};
	parser.text = text;
	parser.size = size;
	parser.place = (tnsPlace){1, 1};
	parser.name = name;
	if (size > TNS_MAX_SCENE_BYTES)
	{
		return tnsMakeError(tns_badFormat, "%.200s: the text has more than %d bytes", name, TNS_MAX_SCENE_BYTES);
	}
	parser.document = calloc(1, sizeof(tnsJsonDocument));
	if (parser.document == NULL)
	{
		return tnsMakeError(tns_outOfMemory, "%.200s: out of memory", name);
	}
	// Some editors begin UTF-8 files with a byte order mark.
	if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
	{
		parser.at = 3;
	}

	if (tnsCheckCharacters(&parser) && tnsSkipSpace(&parser))
	{
		if (tnsPeek(&parser) == 0)
		{
			tnsFailAt(&parser, parser.place, "there is nothing in this text; expected {");
		}
		else
		{
			parser.document->root = tnsReadValue(&parser, 0);
		}
	}
	if (parser.document->root != NULL && tnsSkipSpace(&parser) && tnsPeek(&parser) != 0)
	{
		tnsFailAt(&parser, parser.place, "nothing may follow the end of the outermost value, got %s",
			tnsQuoteHere(&parser).text);
	}
	free(parser.seen);
	if (parser.result.status != tns_ok)
	{
		tnsDestroyJson(parser.document);
		return parser.result;
	}
	*document = parser.document;
	return parser.result;
}

const tnsJson* tnsJson_GetRoot(const tnsJsonDocument* document)
{
	return document->root;
}

const tnsJson* tnsJson_Find(const tnsJson* object, const char* key)
{
	for (const tnsJson* child = object->first; child != NULL; child = child->next)
	{
		if (child->key != NULL && strcmp(child->key, key) == 0)
		{
			return child;
		}
	}
	return NULL;
}

// SPDX-License-Identifier: MIT

// Reading values out of a JSON document by tables of rules.

#include "world/scene_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Errors

tnsResult tnsMakeSceneError(const tnsScene* scene, tnsStatus status, tnsPlace place, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const tnsResult result = tnsMakePlaceError(status, scene->fileName, place, format, arguments);
	va_end(arguments);
	return result;
}

bool tnsFail(tnsSceneReader* reader, tnsPlace place, const char* format, ...)
{
	if (reader->result.status == tns_ok)
	{
		va_list arguments;
		va_start(arguments, format);
		reader->result = tnsMakePlaceError(tns_badScene, reader->scene->fileName, place, format, arguments);
		va_end(arguments);
	}
	return false;
}

void* tnsSceneAlloc(tnsSceneReader* reader, size_t count, size_t size)
{
	// The link to the next block comes first, in the space of one double to keep what follows aligned.
	void** block = calloc(1, sizeof(double) + (count > 0 ? count : 1) * size);
	if (block == NULL)
	{
		reader->result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory", reader->scene->fileName);
		return NULL;
	}
	*block = reader->scene->blocks;
	reader->scene->blocks = block;
	return (char*)block + sizeof(double);
}

// Number of characters to insert, remove or replace to turn one word into the other.
static int tnsGetEditDistance(const char* a, const char* b)
{
	enum
	{
		maxLength = 40
	};
	int previous[maxLength + 1], current[maxLength + 1];
	const int lengthA = (int)strlen(a), lengthB = (int)strlen(b);
	if (lengthA > maxLength || lengthB > maxLength)
	{
		return lengthA + lengthB;
	}
	for (int j = 0; j <= lengthB; ++j)
	{
		previous[j] = j;
	}
	for (int i = 1; i <= lengthA; ++i)
	{
		current[0] = i;
		for (int j = 1; j <= lengthB; ++j)
		{
			int best = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
			best = previous[j] + 1 < best ? previous[j] + 1 : best;
			best = current[j - 1] + 1 < best ? current[j - 1] + 1 : best;
			current[j] = best;
		}
		memcpy(previous, current, sizeof(previous));
	}
	return previous[lengthB];
}

static bool tnsFailKey(
	tnsSceneReader* reader, const tnsJson* child, const char* what, const tnsRule* rules, int ruleCount)
{
	char allowed[320] = {0};
	size_t used = 0;
	const char* nearest = rules[0].key;
	int nearestDistance = tnsGetEditDistance(child->key, nearest);
	for (int i = 0; i < ruleCount; ++i)
	{
		const int distance = tnsGetEditDistance(child->key, rules[i].key);
		if (distance < nearestDistance)
		{
			nearest = rules[i].key;
			nearestDistance = distance;
		}
		const int written = snprintf(allowed + used, sizeof(allowed) - used, "%s%s", i > 0 ? ", " : "", rules[i].key);
		used = used + (size_t)written < sizeof(allowed) ? used + (size_t)written : sizeof(allowed) - 1;
	}
	return tnsFail(reader, child->keyPlace, "unknown key \"%s\" in %s; did you mean \"%s\"? Allowed are %s",
		tnsMakeQuote(child->key, strlen(child->key)).text, what, nearest, allowed);
}

tnsQuote tnsDescribe(const tnsJson* value)
{
	char text[128];
	if (value->kind == tns_jsonNumber)
	{
		snprintf(text, sizeof(text), "%.9g", value->number);
	}
	else if (value->kind == tns_jsonString)
	{
		snprintf(text, sizeof(text), "the string \"%.60s\"", value->string);
	}
	else if (value->kind == tns_jsonBool)
	{
		snprintf(text, sizeof(text), "%s", value->number != 0.0 ? "true" : "false");
	}
	else
	{
		snprintf(text, sizeof(text), "%s", tnsJson_GetKindName(value->kind));
	}
	return tnsMakeQuote(text, strlen(text));
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

bool tnsCheckNumber(tnsSceneReader* reader, const tnsJson* value, const char* key, double low, double high)
{
	if (value->kind != tns_jsonNumber || value->number < low || value->number > high)
	{
		return tnsFail(reader, value->place, "%s must be a number from %.9g to %.9g, got %s", key, low, high,
			tnsDescribe(value).text);
	}
	return true;
}

bool tnsCheckWhole(tnsSceneReader* reader, const tnsJson* value, const char* key, double low, double high)
{
	if (value->kind != tns_jsonNumber || value->number < low || value->number > high ||
		value->number != floor(value->number))
	{
		return tnsFail(reader, value->place, "%s must be a whole number from %.10g to %.10g, got %s", key, low, high,
			tnsDescribe(value).text);
	}
	return true;
}

bool tnsCheckText(tnsSceneReader* reader, const tnsJson* value, const char* key, bool isName)
{
	if (value->kind != tns_jsonString)
	{
		return tnsFail(reader, value->place, "%s must be a string, got %s", key, tnsDescribe(value).text);
	}
	const size_t length = strlen(value->string), longest = isName ? TNS_MAX_NAME : TNS_MAX_DESCRIPTION;
	if (length > longest)
	{
		return tnsFail(reader, value->place, "%s must have at most %d bytes, got %d", key, (int)longest, (int)length);
	}
	if (isName)
	{
		bool good = length > 0;
		for (const char* c = value->string; *c != 0; ++c)
		{
			good = good && (unsigned char)*c >= 0x20 && *c != 0x7F && strchr("\",;\\/", *c) == NULL;
		}
		if (good == false)
		{
			return tnsFail(
				reader, value->place, "%s must be a name: not empty, without control characters and \" , ; \\ /", key);
		}
	}
	return true;
}

bool tnsReadChoice(tnsSceneReader* reader, const tnsJson* value, const char* key, const char* const* names, int* choice)
{
	char allowed[200] = {0};
	size_t used = 0;
	for (int i = 0; names[i] != NULL; ++i)
	{
		if (value->kind == tns_jsonString && strcmp(value->string, names[i]) == 0)
		{
			*choice = i;
			return true;
		}
		const int written = snprintf(allowed + used, sizeof(allowed) - used, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
		used = used + (size_t)written < sizeof(allowed) ? used + (size_t)written : sizeof(allowed) - 1;
	}
	return tnsFail(reader, value->place, "%s must be one of %s, got %s", key, allowed, tnsDescribe(value).text);
}

bool tnsReadNumbers(
	tnsSceneReader* reader, const tnsJson* value, const char* key, int count, double low, double high, double* numbers)
{
	if (value->kind != tns_jsonArray || value->count != count)
	{
		return tnsFail(reader, value->place, "%s must be an array of %d numbers, got %s", key, count,
			value->kind == tns_jsonArray ? "another count" : tnsDescribe(value).text);
	}
	int i = 0;
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		if (tnsCheckNumber(reader, item, key, low, high) == false)
		{
			return false;
		}
		numbers[i++] = item->number;
	}
	return true;
}

// Two hexadecimal digits of a colour as light: screens take about the power 2.2 of what they are told.
static float tnsReadLight(const char* digits)
{
	const char pair[3] = {digits[0], digits[1], 0};
	return powf((float)strtoul(pair, NULL, 16) / 255.0f, 2.2f);
}

bool tnsReadColor(tnsSceneReader* reader, const tnsJson* value, tnVec3* color)
{
	const char* text = value->kind == tns_jsonString ? value->string : "";
	if (strlen(text) != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
	{
		return tnsFail(reader, value->place,
			"a colour must be a # and six hexadecimal digits, like \"#d01040\", got %s", tnsDescribe(value).text);
	}
	*color = (tnVec3){tnsReadLight(text + 1), tnsReadLight(text + 3), tnsReadLight(text + 5)};
	return true;
}

// Where it may lie is decided when it is read.
bool tnsReadFileRef(tnsSceneReader* reader, const tnsJson* value, const char* key, tnsFileRef* file)
{
	if (tnsCheckText(reader, value, key, false) == false)
	{
		return false;
	}
	const char* path = value->string;
	if (strchr(path, '\\') != NULL || strchr(path, ':') != NULL)
	{
		return tnsFail(reader, value->place, "%s must be a path with / between folders, without \\ and :, got \"%s\"",
			key, tnsMakeQuote(path, strlen(path)).text);
	}
	if (tnsGetGridFormat(path) == tns_gridFormatCount)
	{
		return tnsFail(reader, value->place, "%s must end with .png, .r16, .r32 or .asc, got \"%s\"", key,
			tnsMakeQuote(path, strlen(path)).text);
	}
	file->path = path;
	file->place = value->place;
	return true;
}

static bool tnsReadByRule(tnsSceneReader* reader, const tnsJson* value, const tnsRule* rule, void* target)
{
	if (rule->type == tns_customRule)
	{
		return true;
	}
	void* field = (char*)target + rule->offset;
	switch (rule->type)
	{
		case tns_floatRule:
		{
			if (tnsCheckNumber(reader, value, rule->key, rule->low, rule->high) == false)
			{
				return false;
			}
			*(float*)field = (float)value->number;
			return true;
		}
		case tns_doubleRule:
		{
			if (tnsCheckNumber(reader, value, rule->key, rule->low, rule->high) == false)
			{
				return false;
			}
			*(double*)field = value->number;
			return true;
		}
		case tns_intRule:
		{
			if (tnsCheckWhole(reader, value, rule->key, rule->low, rule->high) == false)
			{
				return false;
			}
			*(int*)field = (int)value->number;
			return true;
		}
		case tns_seedRule:
		{
			if (tnsCheckWhole(reader, value, rule->key, 0.0, 4294967295.0) == false)
			{
				return false;
			}
			*(uint32_t*)field = (uint32_t)value->number;
			return true;
		}
		case tns_boolRule:
		{
			if (value->kind != tns_jsonBool)
			{
				return tnsFail(
					reader, value->place, "%s must be true or false, got %s", rule->key, tnsDescribe(value).text);
			}
			*(bool*)field = value->number != 0.0;
			return true;
		}
		case tns_vectorRule:
		{
			double numbers[2] = {0};
			if (tnsReadNumbers(reader, value, rule->key, 2, rule->low, rule->high, numbers) == false)
			{
				return false;
			}
			*(tnVec2*)field = (tnVec2){(float)numbers[0], (float)numbers[1]};
			return true;
		}
		case tns_spaceRule:
		{
			double numbers[3] = {0};
			if (tnsReadNumbers(reader, value, rule->key, 3, rule->low, rule->high, numbers) == false)
			{
				return false;
			}
			*(tnVec3*)field = (tnVec3){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
			return true;
		}
		case tns_textRule:
		case tns_nameRule:
		{
			if (tnsCheckText(reader, value, rule->key, rule->type == tns_nameRule) == false)
			{
				return false;
			}
			*(const char**)field = value->string;
			return true;
		}
		case tns_choiceRule:
		{
			int choice = 0;
			if (tnsReadChoice(reader, value, rule->key, rule->names, &choice) == false)
			{
				return false;
			}
			// Enums have the size of an int, but are another type.
			memcpy(field, &choice, sizeof(choice));
			return true;
		}
		case tns_fileRule:
			return tnsReadFileRef(reader, value, rule->key, field);
		default:
			return true;
	}
}

bool tnsReadObject(
	tnsSceneReader* reader, const tnsJson* value, const char* what, const tnsRule* rules, int ruleCount, void* target)
{
	if (value->kind != tns_jsonObject)
	{
		return tnsFail(reader, value->place, "%s must be an object, got %s", what, tnsDescribe(value).text);
	}
	for (const tnsJson* child = value->first; child != NULL; child = child->next)
	{
		int i = 0;
		while (i < ruleCount && strcmp(rules[i].key, child->key) != 0)
		{
			i += 1;
		}
		if (i == ruleCount)
		{
			return tnsFailKey(reader, child, what, rules, ruleCount);
		}
		if (tnsReadByRule(reader, child, rules + i, target) == false)
		{
			return false;
		}
	}
	for (int i = 0; i < ruleCount; ++i)
	{
		if (rules[i].required && tnsJson_Find(value, rules[i].key) == NULL)
		{
			return tnsFail(reader, value->place, "%s needs \"%s\"", what, rules[i].key);
		}
	}
	return true;
}

bool tnsCheckArray(tnsSceneReader* reader, const tnsJson* value, const char* what, int maxCount)
{
	if (value->kind != tns_jsonArray)
	{
		return tnsFail(reader, value->place, "%s must be an array, got %s", what, tnsDescribe(value).text);
	}
	if (value->count > maxCount)
	{
		return tnsFail(reader, value->place, "%s must have at most %d items, got %d", what, maxCount, value->count);
	}
	return true;
}

int tnsFindOneOf(
	tnsSceneReader* reader, const tnsJson* object, const char* what, const char* const* keys, int count, bool optional)
{
	int found = -1;
	char allowed[160] = {0};
	size_t used = 0;
	for (int i = 0; i < count; ++i)
	{
		const tnsJson* child = tnsJson_Find(object, keys[i]);
		if (child != NULL && found >= 0)
		{
			tnsFail(reader, child->keyPlace, "%s can have \"%s\" or \"%s\", but not both", what, keys[found], keys[i]);
			return -1;
		}
		found = child != NULL ? i : found;
		const int written = snprintf(allowed + used, sizeof(allowed) - used, "%s\"%s\"", i > 0 ? ", " : "", keys[i]);
		used = used + (size_t)written < sizeof(allowed) ? used + (size_t)written : sizeof(allowed) - 1;
	}
	if (found < 0 && optional == false)
	{
		tnsFail(reader, object->place, "%s needs one of %s", what, allowed);
	}
	return found;
}

bool tnsCheckInside(tnsSceneReader* reader, const tnsJson* object, const char* what, tnVec2 position)
{
	const tnsCells* cells = &reader->scene->cells;
	const double lowX = cells->originX, highX = lowX + cells->columnCount * cells->cellSize;
	const double lowZ = cells->originZ, highZ = lowZ + cells->rowCount * cells->cellSize;
	const bool insideX = (double)position.x >= lowX && (double)position.x < highX;
	const bool insideZ = (double)position.z >= lowZ && (double)position.z < highZ;
	if (insideX && insideZ)
	{
		return true;
	}
	const tnsJson* wrong = tnsJson_Find(object, insideX ? "z" : "x");
	return tnsFail(reader, wrong != NULL ? wrong->place : object->place,
		"%s must be inside the world, x in [%.9g, %.9g) and z in [%.9g, %.9g), got x = %.9g, z = %.9g", what, lowX,
		highX, lowZ, highZ, (double)position.x, (double)position.z);
}

// ---------------------------------------------------------------------------------------------------------------------
// Tracers

bool tnsFindTracer(tnsSceneReader* reader, const char* name, tnsPlace place, int* channel)
{
	const tnsSceneInfo* info = &reader->scene->info;
	char allowed[200] = {0};
	size_t used = 0;
	for (int i = 0; i < info->worldDef.tracerCount; ++i)
	{
		if (strcmp(info->tracerNames[i], name) == 0)
		{
			*channel = i;
			return true;
		}
		const int written =
			snprintf(allowed + used, sizeof(allowed) - used, "%s\"%s\"", i > 0 ? ", " : "", info->tracerNames[i]);
		used = used + (size_t)written < sizeof(allowed) ? used + (size_t)written : sizeof(allowed) - 1;
	}
	return tnsFail(reader, place, "there is no tracer \"%s\"; tracers of this scene: %s",
		tnsMakeQuote(name, strlen(name)).text, info->worldDef.tracerCount > 0 ? allowed : "none");
}

bool tnsReadConcentrations(tnsSceneReader* reader, const tnsJson* value, float* concentrations)
{
	if (value == NULL)
	{
		return true;
	}
	if (value->kind != tns_jsonObject)
	{
		return tnsFail(reader, value->place,
			"tracers must be an object of concentrations by name, like {\"dye\": 1}, got %s", tnsDescribe(value).text);
	}
	for (const tnsJson* child = value->first; child != NULL; child = child->next)
	{
		int channel = 0;
		if (tnsFindTracer(reader, child->key, child->keyPlace, &channel) == false ||
			tnsCheckNumber(reader, child, "a concentration", -1.0e6, 1.0e6) == false)
		{
			return false;
		}
		concentrations[channel] = (float)child->number;
	}
	return true;
}

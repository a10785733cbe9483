// SPDX-License-Identifier: MIT

#pragma once

/// @file tarn for Godot: classes TarnWorld and TarnVoxelWorld with a method for each function of a world. Methods are made of the headers
/// (calls.inc, by bindings/generate/godot.py); here is how values of Godot become values of C and back. All of it is code: godot3.c and
/// godot4.c include it once, after they have said what a value is (godot_variant and gd_...) and before they register the classes.
///
/// Structs are dictionaries, and what is left out has its default; enums are strings, vectors and rotations those of Godot or arrays, fields
/// and lists of numbers packed arrays of floats, saves packed arrays of bytes. All that comes back is a copy. What is refused prints an
/// error with the text of the library, returns null, and is told by get_error().

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tarn/tarn.h>

// ---------------------------------------------------------------------------------------------------------------------
// What calls.inc has tables of

typedef enum
{
	tng_bool,
	tng_signed,
	tng_unsigned,
	tng_real,
	tng_enum,
	tng_text,
	tng_struct,
	tng_vector2,
	tng_vector3,
	tng_quat,
	tng_field,
} tngKind;

typedef struct tngType tngType;

typedef struct
{
	const char* name;
	const tngType* type;
	size_t offset;
	// 0: one value; > 0: an array; -1: a pointer to as many as the int at `counter` says, or to so many times `group`.
	int count;
	size_t counter;
	int group;
} tngMember;

typedef struct
{
	const char* name;
	int value;
} tngEnumerator;

struct tngType
{
	const char* name;
	tngKind kind;
	size_t size;
	const tngMember* members;
	int memberCount;
	const tngEnumerator* enumerators;
	int enumeratorCount;
	void (*setDefault)(void* place);
};

enum
{
	tng_maxAnswers = 4,
	tng_errorSize = 224
};

typedef struct
{
	void* world;
	char error[tng_errorSize];
} tngObject;

typedef struct tngRoom
{
	struct tngRoom* next;
	max_align_t bytes[];
} tngRoom;

typedef struct
{
	tngObject* object;
	const char* method;
	int count, next;
	godot_variant** given;
	bool failed;
	tngRoom* rooms;
	int answerCount;
	const char* names[tng_maxAnswers];
	godot_variant answers[tng_maxAnswers];
} tngCall;

static void tngFail(tngCall* call, const char* text, const char* name, const char* more)
{
	if (call->failed == false)
	{
		call->failed = true;
		snprintf(call->object->error, tng_errorSize, text, name, more);
		gd_print_error(call->object->error, call->method, "tarn", 0);
	}
}

static bool tngCheck(tngCall* call, tnResult result)
{
	if (result.status != tn_ok)
	{
		tngFail(call, "%s%s", result.text, "");
	}
	return result.status == tn_ok;
}

// Zeros, until the call is over.
static void* tngTakeRoom(tngCall* call, size_t count, size_t size)
{
	tngRoom* room = size == 0 || count <= (SIZE_MAX / 2) / size ? calloc(1, sizeof(tngRoom) + count * size) : NULL;
	if (room == NULL)
	{
		tngFail(call, "no memory for %s%s", call->method, "");
		return NULL;
	}
	room->next = call->rooms;
	call->rooms = room;
	return room->bytes;
}

// ---------------------------------------------------------------------------------------------------------------------
// From Godot

static void tngRead(tngCall* call, const tngType* type, void* place, const godot_variant* value, const char* name);

static void tngReadWhole(tngCall* call, const tngType* type, void* place, const godot_variant* value, const char* name)
{
	if (gd_variant_get_type(value) != gd_int)
	{
		tngFail(call, "%s must be a whole number%s", name, "");
		return;
	}
	const int64_t number = gd_variant_as_int(value);
	const int bits = 8 * (int)type->size;
	const int64_t most = type->kind == tng_unsigned ? (int64_t)((UINT64_C(1) << bits % 64) - 1)
													: (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
	const int64_t least = type->kind == tng_unsigned ? 0 : -most - 1;
	if (bits < 64 && (number < least || number > most))
	{
		tngFail(call, "%s does not fit into %s", name, type->name);
		return;
	}
	// Lowest byte first, as on all machines that Godot runs on.
	memcpy(place, &number, type->size);
}

static void tngReadEnum(tngCall* call, const tngType* type, void* place, const godot_variant* value, const char* name)
{
	char text[64];
	if (gd_is_text(gd_variant_get_type(value)) == false)
	{
		tngReadWhole(call, type, place, value, name);
		return;
	}
	gd_read_text(value, text, sizeof(text));
	for (int i = 0; i < type->enumeratorCount; ++i)
	{
		if (strcmp(type->enumerators[i].name, text) == 0)
		{
			memcpy(place, &type->enumerators[i].value, sizeof(int));
			return;
		}
	}
	tngFail(call, "%s must not be \"%s\"", name, text);
}

static const tngMember* tngFindMember(const tngType* type, const char* name)
{
	for (int i = 0; i < type->memberCount; ++i)
	{
		if (strcmp(type->members[i].name, name) == 0)
		{
			return &type->members[i];
		}
	}
	return NULL;
}

// A list of numbers, vectors or structs. NULL if there are none.
static void* tngReadList(tngCall* call, const tngType* type, const godot_variant* value, const char* name, int* count)
{
	const int kind = gd_variant_get_type(value);
	void* items = NULL;
	*count = 0;
	if (kind == gd_reals)
	{
		// Numbers one after the other: floats, or the parts of vectors.
		const int parts = type->memberCount > 0 ? type->memberCount : 1;
		const int size = gd_count_reals(value);
		const bool fits = (type->kind == tng_real && type->size == 4) || type->kind == tng_vector2 ||
			type->kind == tng_vector3 || type->kind == tng_quat;
		if (fits == false || size % parts != 0)
		{
			tngFail(call, "%s must be an array of %s", name, type->name);
		}
		else if ((items = tngTakeRoom(call, (size_t)size, sizeof(float))) != NULL)
		{
			gd_read_reals(value, items, size);
			*count = size / parts;
		}
	}
	else if (kind == gd_bytes)
	{
		const int size = gd_count_bytes(value);
		if (type->size != 1)
		{
			tngFail(call, "%s must be an array of %s", name, type->name);
		}
		else if ((items = tngTakeRoom(call, (size_t)size, 1)) != NULL)
		{
			gd_read_bytes(value, items, size);
			*count = size;
		}
	}
	else if (gd_is_array(kind))
	{
		godot_array array = gd_variant_as_array(value);
		const int size = gd_array_size(&array);
		items = tngTakeRoom(call, (size_t)size, type->size);
		for (int i = 0; i < size && call->failed == false; ++i)
		{
			void* item = (char*)items + (size_t)i * type->size;
			godot_variant part = gd_array_get(&array, i);
			if (type->setDefault != NULL)
			{
				type->setDefault(item);
			}
			tngRead(call, type, item, &part, name);
			gd_variant_destroy(&part);
		}
		*count = size;
		gd_array_destroy(&array);
	}
	else
	{
		tngFail(call, "%s must be an array%s", name, "");
	}
	return call->failed ? NULL : items;
}

static void tngReadMember(
	tngCall* call, const tngType* type, const tngMember* member, void* place, const godot_variant* value)
{
	char* at = (char*)place + member->offset;
	if (member->count == 0)
	{
		tngRead(call, member->type, at, value, member->name);
		return;
	}
	if (member->count < 0)
	{
		int count;
		const void* items = tngReadList(call, member->type, value, member->name, &count);
		memcpy(at, &items, sizeof(items));
		count /= member->group;
		memcpy((char*)place + member->counter, &count, sizeof(count));
		return;
	}
	// Places are set by a dictionary, by number, or from the first one on.
	const int kind = gd_variant_get_type(value);
	const bool byNumber = kind == gd_dictionary;
	if (byNumber == false && gd_is_array(kind) == false)
	{
		tngFail(call, "%s must be an array%s", member->name, "");
		return;
	}
	godot_dictionary dictionary;
	if (byNumber)
	{
		dictionary = gd_variant_as_dictionary(value);
	}
	godot_array items = byNumber ? gd_dictionary_keys(&dictionary) : gd_variant_as_array(value);
	for (int i = 0; i < gd_array_size(&items) && call->failed == false; ++i)
	{
		godot_variant key = gd_array_get(&items, i);
		godot_variant item = byNumber ? gd_dictionary_get(&dictionary, &key) : gd_array_get(&items, i);
		const int64_t index = byNumber ? gd_variant_as_int(&key) : i;
		if (index < 0 || index >= member->count)
		{
			tngFail(call, "%s.%s has not so many places", type->name, member->name);
		}
		else
		{
			tngRead(call, member->type, at + (size_t)index * member->type->size, &item, member->name);
		}
		gd_variant_destroy(&item);
		gd_variant_destroy(&key);
	}
	gd_array_destroy(&items);
	if (byNumber)
	{
		gd_dictionary_destroy(&dictionary);
	}
}

static void tngReadStruct(tngCall* call, const tngType* type, void* place, const godot_variant* value, const char* name)
{
	const int kind = gd_variant_get_type(value);
	if (kind == gd_dictionary)
	{
		godot_dictionary dictionary = gd_variant_as_dictionary(value);
		godot_array keys = gd_dictionary_keys(&dictionary);
		for (int i = 0; i < gd_array_size(&keys) && call->failed == false; ++i)
		{
			char text[64];
			godot_variant key = gd_array_get(&keys, i), part = gd_dictionary_get(&dictionary, &key);
			gd_read_text(&key, text, sizeof(text));
			const tngMember* member = tngFindMember(type, text);
			if (member != NULL)
			{
				tngReadMember(call, type, member, place, &part);
			}
			else
			{
				tngFail(call, "%s has no field %s", type->name, text);
			}
			gd_variant_destroy(&part);
			gd_variant_destroy(&key);
		}
		gd_array_destroy(&keys);
		gd_dictionary_destroy(&dictionary);
	}
	else if (gd_is_array(kind))
	{
		godot_array array = gd_variant_as_array(value);
		if (gd_array_size(&array) != type->memberCount)
		{
			tngFail(call, "%s must have all parts of %s", name, type->name);
		}
		for (int i = 0; i < type->memberCount && call->failed == false; ++i)
		{
			godot_variant part = gd_array_get(&array, i);
			tngReadMember(call, type, &type->members[i], place, &part);
			gd_variant_destroy(&part);
		}
		gd_array_destroy(&array);
	}
	else
	{
		tngFail(call, "%s must be a dictionary with fields of %s", name, type->name);
	}
}

static void tngRead(tngCall* call, const tngType* type, void* place, const godot_variant* value, const char* name)
{
	const int kind = gd_variant_get_type(value);
	switch (type->kind)
	{
		case tng_bool:
			if (kind != gd_bool)
			{
				tngFail(call, "%s must be true or false%s", name, "");
				return;
			}
			*(bool*)place = gd_variant_as_bool(value);
			return;
		case tng_real:
		{
			if (kind != gd_int && kind != gd_real)
			{
				tngFail(call, "%s must be a number%s", name, "");
				return;
			}
			const double number = gd_variant_as_real(value);
			const float single = (float)number;
			memcpy(place, type->size == 4 ? (const void*)&single : (const void*)&number, type->size);
			return;
		}
		case tng_signed:
		case tng_unsigned:
			tngReadWhole(call, type, place, value, name);
			return;
		case tng_enum:
			tngReadEnum(call, type, place, value, name);
			return;
		case tng_vector2:
			if (kind == gd_vector2)
			{
				const godot_vector2 vector = gd_variant_as_vector2(value);
				memcpy(place, &vector, type->size);
				return;
			}
			break;
		case tng_vector3:
			if (kind == gd_vector3)
			{
				const godot_vector3 vector = gd_variant_as_vector3(value);
				memcpy(place, &vector, type->size);
				return;
			}
			break;
		case tng_quat:
			if (kind == gd_quat)
			{
				const godot_quat turn = gd_variant_as_quat(value);
				memcpy(place, &turn, type->size);
				return;
			}
			break;
		default:
			break;
	}
	tngReadStruct(call, type, place, value, name);
}

// The next parameter of a method; NULL for one that is left out or null where that is allowed.
static const godot_variant* tngNext(tngCall* call, const char* name, bool optional)
{
	const godot_variant* value = call->next < call->count ? call->given[call->next] : NULL;
	++call->next;
	if (value != NULL && optional && gd_variant_get_type(value) == gd_nil)
	{
		return NULL;
	}
	if (value == NULL && optional == false)
	{
		tngFail(call, "%s: %s is missing", call->method, name);
	}
	return call->failed ? NULL : value;
}

static void tngTake(tngCall* call, const tngType* type, const char* name, void* place)
{
	const godot_variant* value = tngNext(call, name, false);
	if (value != NULL)
	{
		tngRead(call, type, place, value, name);
	}
}

static const void* tngTakeStruct(tngCall* call, const tngType* type, const char* name, void* place, bool optional)
{
	const godot_variant* value = tngNext(call, name, optional);
	if (value == NULL)
	{
		return NULL;
	}
	if (type->setDefault != NULL)
	{
		type->setDefault(place);
	}
	tngRead(call, type, place, value, name);
	return place;
}

static const void* tngTakeList(tngCall* call, const tngType* type, const char* name, bool optional, int* count)
{
	const godot_variant* value = tngNext(call, name, optional);
	*count = 0;
	return value != NULL ? tngReadList(call, type, value, name, count) : NULL;
}

// @return whether all that a function reads is there
static bool tngNeed(tngCall* call, const char* name, const void* items, int count, int64_t wanted)
{
	if (items != NULL && (int64_t)count != wanted)
	{
		char numbers[64];
		snprintf(numbers, sizeof(numbers), "%lld values, got %d", (long long)wanted, count);
		tngFail(call, "%s must have %s", name, numbers);
	}
	return call->failed == false;
}

// ---------------------------------------------------------------------------------------------------------------------
// To Godot

static godot_variant tngMake(const tngType* type, const void* place);

static godot_variant tngMakeList(const tngType* type, const void* items, int count)
{
	if (type->kind == tng_real && type->size == 4)
	{
		return gd_make_reals(items, count, 1, count);
	}
	if (type->size == 1)
	{
		return gd_make_bytes(items, (size_t)count);
	}
	godot_variant value;
	godot_array array;
	gd_array_new(&array);
	for (int i = 0; i < count; ++i)
	{
		godot_variant item = tngMake(type, (const char*)items + (size_t)i * type->size);
		gd_array_append(&array, &item);
		gd_variant_destroy(&item);
	}
	gd_variant_new_array(&value, &array);
	gd_array_destroy(&array);
	return value;
}

static godot_variant tngMakeStruct(const tngType* type, const char* place)
{
	godot_variant value;
	godot_dictionary dictionary;
	gd_dictionary_new(&dictionary);
	for (int i = 0; i < type->memberCount; ++i)
	{
		const tngMember* member = &type->members[i];
		godot_variant key = gd_make_text(member->name), item;
		if (member->count < 0)
		{
			int count;
			const void* items;
			memcpy(&items, place + member->offset, sizeof(items));
			memcpy(&count, place + member->counter, sizeof(count));
			item = tngMakeList(member->type, items, items != NULL ? count * member->group : 0);
		}
		else
		{
			item = member->count > 0 && member->type->kind != tng_text
				? tngMakeList(member->type, place + member->offset, member->count)
				: tngMake(member->type, place + member->offset);
		}
		gd_dictionary_set(&dictionary, &key, &item);
		gd_variant_destroy(&item);
		gd_variant_destroy(&key);
	}
	gd_variant_new_dictionary(&value, &dictionary);
	gd_dictionary_destroy(&dictionary);
	return value;
}

static godot_variant tngMake(const tngType* type, const void* place)
{
	godot_variant value;
	int64_t whole = 0;
	switch (type->kind)
	{
		case tng_bool:
			gd_variant_new_bool(&value, *(const bool*)place);
			return value;
		case tng_real:
			gd_variant_new_real(&value, type->size == 4 ? (double)*(const float*)place : *(const double*)place);
			return value;
		case tng_signed:
			whole = type->size == 8 ? *(const int64_t*)place : *(const int32_t*)place;
			break;
		case tng_unsigned:
			memcpy(&whole, place, type->size);
			break;
		case tng_enum:
			for (int i = 0; i < type->enumeratorCount; ++i)
			{
				if (type->enumerators[i].value == *(const int*)place)
				{
					return gd_make_text(type->enumerators[i].name);
				}
			}
			whole = *(const int*)place;
			break;
		case tng_text:
			return gd_make_text(place);
		case tng_vector2:
		{
			godot_vector2 vector;
			memcpy(&vector, place, sizeof(vector));
			gd_variant_new_vector2(&value, &vector);
			return value;
		}
		case tng_vector3:
		{
			godot_vector3 vector;
			memcpy(&vector, place, sizeof(vector));
			gd_variant_new_vector3(&value, &vector);
			return value;
		}
		case tng_quat:
		{
			godot_quat turn;
			memcpy(&turn, place, sizeof(turn));
			gd_variant_new_quat(&value, &turn);
			return value;
		}
		case tng_field:
		{
			const tnFieldView* view = place;
			return gd_make_reals(view->data, view->data != NULL ? view->columnCount : 0, view->rowCount, view->stride);
		}
		default:
			return tngMakeStruct(type, place);
	}
	gd_variant_new_int(&value, whole);
	return value;
}

static void tngAnswer(tngCall* call, const char* name, godot_variant value)
{
	call->names[call->answerCount] = name;
	call->answers[call->answerCount++] = value;
}

static void tngGive(tngCall* call, const tngType* type, const char* name, const void* place)
{
	tngAnswer(call, name, tngMake(type, place));
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

static tngCall tngBegin(tngObject* object, const char* method, int count, godot_variant** given, bool needsWorld)
{
	tngCall call = {.object = object, .method = method, .count = count, .given = given};
	object->error[0] = 0;
	if (needsWorld && object->world == NULL)
	{
		tngFail(&call, "%s: there is no world: call create() first%s", method, "");
	}
	return call;
}

// Has a method all that it takes, and no more? Asked before it changes anything.
static bool tngIsReady(tngCall* call)
{
	if (call->next < call->count)
	{
		tngFail(call, "%s takes fewer parameters%s", call->method, "");
	}
	return call->failed == false;
}

// One answer by itself, several as a dictionary, none as null.
static godot_variant tngEnd(tngCall* call)
{
	godot_variant value;
	for (tngRoom *room = call->rooms, *next; room != NULL; room = next)
	{
		next = room->next;
		free(room);
	}
	if (call->answerCount == 1)
	{
		return call->answers[0];
	}
	if (call->answerCount == 0)
	{
		gd_variant_new_nil(&value);
		return value;
	}
	godot_dictionary dictionary;
	gd_dictionary_new(&dictionary);
	for (int i = 0; i < call->answerCount; ++i)
	{
		godot_variant key = gd_make_text(call->names[i]);
		gd_dictionary_set(&dictionary, &key, &call->answers[i]);
		gd_variant_destroy(&key);
		gd_variant_destroy(&call->answers[i]);
	}
	gd_variant_new_dictionary(&value, &dictionary);
	gd_dictionary_destroy(&dictionary);
	return value;
}

static int64_t tngCountCells(const tnWorld* world, int moreColumns, int moreRows)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	return (int64_t)(def.columnCount + moreColumns) * (def.rowCount + moreRows);
}

static int64_t tngCountVoxels(tnVoxelBox box)
{
	const int64_t x = (int64_t)box.high.x - box.low.x, y = (int64_t)box.high.y - box.low.y,
				  z = (int64_t)box.high.z - box.low.z;
	const int64_t most = INT32_MAX;
	return x > 0 && y > 0 && z > 0 && x <= most / y && x * y <= most / z ? x * y * z : 0;
}

#include "calls.inc"

// ---------------------------------------------------------------------------------------------------------------------
// Classes

static void tngDropWorld(tngObject* object)
{
	tnDestroyWorld(object->world);
	object->world = NULL;
}

static void tngDropVoxelWorld(tngObject* object)
{
	tnDestroyVoxelWorld(object->world);
	object->world = NULL;
}

typedef struct
{
	const char* name;
	bool isVoxels;
	void (*drop)(tngObject* object);
	const tngMethod* methods;
	int methodCount;
} tngClass;

static const tngClass s_classes[] = {
	{"TarnWorld", false, tngDropWorld, s_worldMethods, (int)(sizeof(s_worldMethods) / sizeof(*s_worldMethods))},
	{"TarnVoxelWorld", true, tngDropVoxelWorld, s_voxelMethods,
		(int)(sizeof(s_voxelMethods) / sizeof(*s_voxelMethods))},
};

static tngObject* tngMakeObject(void)
{
	return calloc(1, sizeof(tngObject));
}

static void tngDestroyObject(const tngClass* class, tngObject* object)
{
	if (object != NULL)
	{
		class->drop(object);
		free(object);
	}
}

static godot_variant tngCreate(godot_object* object, void* data, void* self, int count, godot_variant** given)
{
	(void)object;
	const tngClass* class = data;
	const bool isVoxels = class->isVoxels;
	tngObject* owner = self;
	tngCall call = tngBegin(owner, "create", count, given, false);
	tnWorldDef def = tnDefaultWorldDef();
	tnVoxelWorldDef voxelDef = tnDefaultVoxelWorldDef();
	tngTakeStruct(&call, isVoxels ? &tngOf_tnVoxelWorldDef : &tngOf_tnWorldDef, "def",
		isVoxels ? (void*)&voxelDef : (void*)&def, true);
	if (tngIsReady(&call))
	{
		tnWorld* world = NULL;
		tnVoxelWorld* voxels = NULL;
		if (tngCheck(&call, isVoxels ? tnCreateVoxelWorld(&voxelDef, &voxels) : tnCreateWorld(&def, &world)))
		{
			class->drop(owner);
			owner->world = isVoxels ? (void*)voxels : (void*)world;
		}
	}
	godot_variant made;
	gd_variant_new_bool(&made, call.failed == false);
	tngAnswer(&call, "made", made);
	return tngEnd(&call);
}

static godot_variant tngDestroy(godot_object* object, void* data, void* self, int count, godot_variant** given)
{
	(void)object;
	tngCall call = tngBegin(self, "destroy", count, given, false);
	if (tngIsReady(&call))
	{
		((const tngClass*)data)->drop(self);
	}
	return tngEnd(&call);
}

static godot_variant tngGetError(godot_object* object, void* data, void* self, int count, godot_variant** given)
{
	(void)object, (void)data, (void)count, (void)given;
	return gd_make_text(((tngObject*)self)->error);
}

// What both classes have.
static const tngMethod s_commonMethods[] = {{"create", tngCreate}, {"destroy", tngDestroy}, {"get_error", tngGetError}};

enum
{
	tng_commonCount = sizeof(s_commonMethods) / sizeof(*s_commonMethods)
};

// SPDX-License-Identifier: MIT

// tarn for Godot 3, as a GDNative library: what a value is, and how classes are registered. All else is in tarn_godot.h.

#include "gdnative.h"

#include <stdio.h>
#include <string.h>

#define GD_DECLARE(place, result, name, parameters) static result(*gd_##name) parameters;
GD_FUNCTIONS(GD_DECLARE)

static bool gd_is_text(int kind)
{
	return kind == gd_string;
}

static bool gd_is_array(int kind)
{
	return kind >= gd_array && kind <= gd_lastArray;
}

static void gd_read_text(const godot_variant* value, char* text, size_t size)
{
	godot_string string = gd_variant_as_string(value);
	godot_char_string bytes = gd_string_utf8(&string);
	snprintf(text, size, "%s", gd_char_string_get_data(&bytes));
	gd_char_string_destroy(&bytes);
	gd_string_destroy(&string);
}

static int gd_count_reals(const godot_variant* value)
{
	godot_pool_array array = gd_variant_as_reals(value);
	const int count = gd_reals_size(&array);
	gd_reals_destroy(&array);
	return count;
}

static void gd_read_reals(const godot_variant* value, float* reals, int count)
{
	godot_pool_array array = gd_variant_as_reals(value);
	godot_access* access = gd_reals_read(&array);
	memcpy(reals, gd_reals_read_place(access), (size_t)count * sizeof(float));
	gd_reals_end_read(access);
	gd_reals_destroy(&array);
}

static int gd_count_bytes(const godot_variant* value)
{
	godot_pool_array array = gd_variant_as_bytes(value);
	const int count = gd_bytes_size(&array);
	gd_bytes_destroy(&array);
	return count;
}

static void gd_read_bytes(const godot_variant* value, uint8_t* bytes, int count)
{
	godot_pool_array array = gd_variant_as_bytes(value);
	godot_access* access = gd_bytes_read(&array);
	memcpy(bytes, gd_bytes_read_place(access), (size_t)count);
	gd_bytes_end_read(access);
	gd_bytes_destroy(&array);
}

static godot_variant gd_make_text(const char* text)
{
	godot_variant value;
	godot_string string;
	gd_string_new(&string);
	gd_string_parse_utf8(&string, text);
	gd_variant_new_string(&value, &string);
	gd_string_destroy(&string);
	return value;
}

static godot_variant gd_make_reals(const float* data, int columns, int rows, int stride)
{
	godot_variant value;
	godot_pool_array array;
	gd_reals_new(&array);
	gd_reals_resize(&array, columns * rows);
	godot_access* access = gd_reals_write(&array);
	for (int row = 0; row < rows; ++row)
	{
		memcpy(gd_reals_write_place(access) + (size_t)row * (size_t)columns, data + (size_t)row * (size_t)stride,
			(size_t)columns * sizeof(float));
	}
	gd_reals_end_write(access);
	gd_variant_new_reals(&value, &array);
	gd_reals_destroy(&array);
	return value;
}

static godot_variant gd_make_bytes(const void* bytes, size_t size)
{
	godot_variant value;
	godot_pool_array array;
	gd_bytes_new(&array);
	gd_bytes_resize(&array, (int)size);
	godot_access* access = gd_bytes_write(&array);
	memcpy(gd_bytes_write_place(access), bytes, size);
	gd_bytes_end_write(access);
	gd_variant_new_bytes(&value, &array);
	gd_bytes_destroy(&array);
	return value;
}

#include "tarn_godot.h"

static void* gdCreateObject(godot_object* object, void* data)
{
	(void)object, (void)data;
	return tngMakeObject();
}

static void gdDestroyObject(godot_object* object, void* data, void* self)
{
	(void)object;
	tngDestroyObject(data, self);
}

static void gdRegister(
	void* handle, const gdNativeScript* script, const tngClass* class, const tngMethod* methods, int count)
{
	const gdAttributes attributes = {0};
	for (int i = 0; i < count; ++i)
	{
		script->registerMethod(
			handle, class->name, methods[i].name, attributes, (gdMethod){methods[i].function, (void*)class, NULL});
	}
}

static const gdNativeScript* s_script;

TN_EXPORT void godot_gdnative_init(const gdInitOptions* options)
{
	enum
	{
		nativeScript = 1
	};
#define GD_LOAD(place, result, name, parameters) gd_##name = (result(*) parameters)options->core->functions[place];
	GD_FUNCTIONS(GD_LOAD)
	for (unsigned int i = 0; i < options->core->extensionCount; ++i)
	{
		const gdNativeScript* extension = options->core->extensions[i];
		s_script = extension->type == nativeScript ? extension : s_script;
	}
}

TN_EXPORT void godot_gdnative_terminate(const void* options)
{
	(void)options;
}

TN_EXPORT void godot_nativescript_init(void* handle)
{
	for (size_t i = 0; i < sizeof(s_classes) / sizeof(*s_classes); ++i)
	{
		const tngClass* class = &s_classes[i];
		s_script->registerClass(handle, class->name, "Reference", (gdCreate){gdCreateObject, NULL, NULL},
			(gdDestroy){gdDestroyObject, (void*)class, NULL});
		gdRegister(handle, s_script, class, s_commonMethods, tng_commonCount);
		gdRegister(handle, s_script, class, class->methods, class->methodCount);
	}
}

// SPDX-License-Identifier: MIT

// tarn for Godot 4, as a GDExtension against its published C interface, whose header is not part of tarn: what a value is, and how classes
// are registered. All else is in tarn_godot.h.
//
// Arrays and dictionaries stay in the values that hold them, and their methods are called by name. So nothing here depends on hashes of
// methods, which differ between versions of Godot.

#include <gdextension_interface.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Sizes of Godot's values, for single precision, as its extension_api.json has them; strings and names are a pointer, packed arrays two.
typedef struct
{
	uint64_t opaque[3];
} godot_variant;
typedef godot_variant godot_array, godot_dictionary;
typedef struct
{
	uint64_t opaque;
} gdString, gdName;
typedef struct
{
	uint64_t opaque[2];
} gdPacked;
typedef struct
{
	float x, y;
} godot_vector2;
typedef struct
{
	float x, y, z;
} godot_vector3;
typedef struct
{
	float x, y, z, w;
} godot_quat;
typedef void godot_object;
typedef godot_variant gdMethodFcn(godot_object* object, void* data, void* self, int count, godot_variant** given);

enum
{
	gd_nil = GDEXTENSION_VARIANT_TYPE_NIL,
	gd_bool = GDEXTENSION_VARIANT_TYPE_BOOL,
	gd_int = GDEXTENSION_VARIANT_TYPE_INT,
	gd_real = GDEXTENSION_VARIANT_TYPE_FLOAT,
	gd_string = GDEXTENSION_VARIANT_TYPE_STRING,
	gd_vector2 = GDEXTENSION_VARIANT_TYPE_VECTOR2,
	gd_vector3 = GDEXTENSION_VARIANT_TYPE_VECTOR3,
	gd_quat = GDEXTENSION_VARIANT_TYPE_QUATERNION,
	gd_stringName = GDEXTENSION_VARIANT_TYPE_STRING_NAME,
	gd_dictionary = GDEXTENSION_VARIANT_TYPE_DICTIONARY,
	gd_array = GDEXTENSION_VARIANT_TYPE_ARRAY,
	gd_bytes = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
	gd_reals = GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY,
	gd_typeCount = GDEXTENSION_VARIANT_TYPE_VARIANT_MAX
};

// X(type, name of it in the interface)
#define GD_FUNCTIONS(X)                                                                                    \
	X(GDExtensionInterfacePrintError, print_error)                                                         \
	X(GDExtensionInterfaceVariantNewCopy, variant_new_copy)                                                \
	X(GDExtensionInterfaceVariantNewNil, variant_new_nil)                                                  \
	X(GDExtensionInterfaceVariantDestroy, variant_destroy)                                                 \
	X(GDExtensionInterfaceVariantGetType, variant_get_type)                                                \
	X(GDExtensionInterfaceVariantCall, variant_call)                                                       \
	X(GDExtensionInterfaceVariantConstruct, variant_construct)                                             \
	X(GDExtensionInterfaceVariantStringify, variant_stringify)                                             \
	X(GDExtensionInterfaceVariantGetIndexed, variant_get_indexed)                                          \
	X(GDExtensionInterfaceVariantGetKeyed, variant_get_keyed)                                              \
	X(GDExtensionInterfaceVariantSetKeyed, variant_set_keyed)                                              \
	X(GDExtensionInterfaceGetVariantFromTypeConstructor, get_variant_from_type_constructor)                \
	X(GDExtensionInterfaceGetVariantToTypeConstructor, get_variant_to_type_constructor)                    \
	X(GDExtensionInterfaceVariantGetPtrDestructor, variant_get_ptr_destructor)                             \
	X(GDExtensionInterfaceStringNewWithUtf8Chars, string_new_with_utf8_chars)                              \
	X(GDExtensionInterfaceStringToUtf8Chars, string_to_utf8_chars)                                         \
	X(GDExtensionInterfaceStringNameNewWithLatin1Chars, string_name_new_with_latin1_chars)                 \
	X(GDExtensionInterfacePackedByteArrayOperatorIndex, packed_byte_array_operator_index)                  \
	X(GDExtensionInterfacePackedByteArrayOperatorIndexConst, packed_byte_array_operator_index_const)       \
	X(GDExtensionInterfacePackedFloat32ArrayOperatorIndex, packed_float32_array_operator_index)            \
	X(GDExtensionInterfacePackedFloat32ArrayOperatorIndexConst, packed_float32_array_operator_index_const) \
	X(GDExtensionInterfaceClassdbConstructObject, classdb_construct_object)                                \
	X(GDExtensionInterfaceObjectSetInstance, object_set_instance)                                          \
	X(GDExtensionInterfaceClassdbRegisterExtensionClass3, classdb_register_extension_class3)               \
	X(GDExtensionInterfaceClassdbRegisterExtensionClassMethod, classdb_register_extension_class_method)    \
	X(GDExtensionInterfaceClassdbUnregisterExtensionClass, classdb_unregister_extension_class)

#define GD_MEMBER(type, name) type name;
static struct
{
	GD_FUNCTIONS(GD_MEMBER)
	// Only where there is an editor.
	GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars loadHelp;
	// By types of values. Values can be made of what all types of the library are, and be read as such.
	GDExtensionVariantFromTypeConstructorFunc from[gd_typeCount];
	GDExtensionTypeFromVariantConstructorFunc to[gd_typeCount];
	GDExtensionPtrDestructor destroy[gd_typeCount];
	gdName size, append, keys, resize;
	GDExtensionClassLibraryPtr library;
} s_gd;

// ---------------------------------------------------------------------------------------------------------------------
// Values, by the names that tarn_godot.h has for them

static void gd_print_error(const char* text, const char* function, const char* file, int line)
{
	s_gd.print_error(text, function, file, line, false);
}

static int gd_variant_get_type(const godot_variant* value)
{
	return (int)s_gd.variant_get_type(value);
}

static void gd_variant_destroy(godot_variant* value)
{
	s_gd.variant_destroy(value);
}

static void gd_variant_new_nil(godot_variant* value)
{
	s_gd.variant_new_nil(value);
}

static void gd_variant_new_bool(godot_variant* value, bool given)
{
	GDExtensionBool whole = given;
	s_gd.from[gd_bool](value, &whole);
}

static void gd_variant_new_int(godot_variant* value, int64_t given)
{
	GDExtensionInt whole = given;
	s_gd.from[gd_int](value, &whole);
}

static void gd_variant_new_real(godot_variant* value, double given)
{
	s_gd.from[gd_real](value, &given);
}

static void gd_variant_new_vector2(godot_variant* value, godot_vector2* given)
{
	s_gd.from[gd_vector2](value, given);
}

static void gd_variant_new_vector3(godot_variant* value, godot_vector3* given)
{
	s_gd.from[gd_vector3](value, given);
}

static void gd_variant_new_quat(godot_variant* value, godot_quat* given)
{
	s_gd.from[gd_quat](value, given);
}

static void gd_variant_new_dictionary(godot_variant* value, const godot_dictionary* given)
{
	s_gd.variant_new_copy(value, given);
}

static void gd_variant_new_array(godot_variant* value, const godot_array* given)
{
	s_gd.variant_new_copy(value, given);
}

// Reading as a type wants a value of that type, and does not change it.
static void gdReadAs(int kind, void* place, const godot_variant* value)
{
	s_gd.to[kind](place, (GDExtensionVariantPtr)value);
}

static bool gd_variant_as_bool(const godot_variant* value)
{
	GDExtensionBool whole;
	gdReadAs(gd_bool, &whole, value);
	return whole != 0;
}

// What is no whole number is no place of an array either.
static int64_t gd_variant_as_int(const godot_variant* value)
{
	GDExtensionInt whole = -1;
	if (gd_variant_get_type(value) == gd_int)
	{
		gdReadAs(gd_int, &whole, value);
	}
	return whole;
}

static double gd_variant_as_real(const godot_variant* value)
{
	double real;
	if (gd_variant_get_type(value) == gd_int)
	{
		return (double)gd_variant_as_int(value);
	}
	gdReadAs(gd_real, &real, value);
	return real;
}

static godot_vector2 gd_variant_as_vector2(const godot_variant* value)
{
	godot_vector2 vector;
	gdReadAs(gd_vector2, &vector, value);
	return vector;
}

static godot_vector3 gd_variant_as_vector3(const godot_variant* value)
{
	godot_vector3 vector;
	gdReadAs(gd_vector3, &vector, value);
	return vector;
}

static godot_quat gd_variant_as_quat(const godot_variant* value)
{
	godot_quat turn;
	gdReadAs(gd_quat, &turn, value);
	return turn;
}

static bool gd_is_text(int kind)
{
	return kind == gd_string || kind == gd_stringName;
}

static bool gd_is_array(int kind)
{
	return kind >= gd_array && kind < gd_typeCount;
}

static void gd_read_text(const godot_variant* value, char* text, size_t size)
{
	gdString string;
	s_gd.string_new_with_utf8_chars(&string, "");
	s_gd.variant_stringify(value, &string);
	const GDExtensionInt length = s_gd.string_to_utf8_chars(&string, text, (GDExtensionInt)size - 1);
	text[length < (GDExtensionInt)size ? length : (GDExtensionInt)size - 1] = 0;
	s_gd.destroy[gd_string](&string);
}

static godot_variant gd_make_text(const char* text)
{
	godot_variant value;
	gdString string;
	s_gd.string_new_with_utf8_chars(&string, text);
	s_gd.from[gd_string](&value, &string);
	s_gd.destroy[gd_string](&string);
	return value;
}

// A method of an array or dictionary, with one argument or none.
static godot_variant gdCall(const godot_variant* value, const gdName* method, const godot_variant* argument)
{
	godot_variant result;
	GDExtensionCallError error;
	const GDExtensionConstVariantPtr arguments[] = {argument};
	s_gd.variant_call((GDExtensionVariantPtr)value, method, arguments, argument != NULL, &result, &error);
	return result;
}

static int gdCount(const godot_variant* value)
{
	godot_variant size = gdCall(value, &s_gd.size, NULL);
	const int64_t count = gd_variant_as_int(&size);
	gd_variant_destroy(&size);
	return (int)count;
}

static void gdConstruct(godot_variant* value, int kind, const godot_variant* of)
{
	GDExtensionCallError error;
	const GDExtensionConstVariantPtr arguments[] = {of};
	s_gd.variant_construct((GDExtensionVariantType)kind, value, arguments, of != NULL, &error);
}

static void gd_array_new(godot_array* array)
{
	gdConstruct(array, gd_array, NULL);
}

static void gd_array_append(godot_array* array, const godot_variant* item)
{
	godot_variant nothing = gdCall(array, &s_gd.append, item);
	gd_variant_destroy(&nothing);
}

static godot_variant gd_array_get(const godot_array* array, int index)
{
	godot_variant item;
	GDExtensionBool valid, outside;
	s_gd.variant_get_indexed(array, index, &item, &valid, &outside);
	return item;
}

static int gd_array_size(const godot_array* array)
{
	return gdCount(array);
}

static void gd_array_destroy(godot_array* array)
{
	gd_variant_destroy(array);
}

static godot_array gd_variant_as_array(const godot_variant* value)
{
	godot_array array;
	if (gd_variant_get_type(value) == gd_array)
	{
		s_gd.variant_new_copy(&array, value);
	}
	else
	{
		gdConstruct(&array, gd_array, value);
	}
	return array;
}

static void gd_dictionary_new(godot_dictionary* dictionary)
{
	gdConstruct(dictionary, gd_dictionary, NULL);
}

static void gd_dictionary_destroy(godot_dictionary* dictionary)
{
	gd_variant_destroy(dictionary);
}

static godot_array gd_dictionary_keys(const godot_dictionary* dictionary)
{
	return gdCall(dictionary, &s_gd.keys, NULL);
}

static godot_variant gd_dictionary_get(const godot_dictionary* dictionary, const godot_variant* key)
{
	godot_variant item;
	GDExtensionBool valid;
	s_gd.variant_get_keyed(dictionary, key, &item, &valid);
	return item;
}

static void gd_dictionary_set(godot_dictionary* dictionary, const godot_variant* key, const godot_variant* item)
{
	GDExtensionBool valid;
	s_gd.variant_set_keyed(dictionary, key, item, &valid);
}

static godot_dictionary gd_variant_as_dictionary(const godot_variant* value)
{
	godot_dictionary dictionary;
	s_gd.variant_new_copy(&dictionary, value);
	return dictionary;
}

static int gd_count_reals(const godot_variant* value)
{
	return gdCount(value);
}

static int gd_count_bytes(const godot_variant* value)
{
	return gdCount(value);
}

static void gd_read_reals(const godot_variant* value, float* reals, int count)
{
	gdPacked array;
	gdReadAs(gd_reals, &array, value);
	if (count > 0)
	{
		memcpy(reals, s_gd.packed_float32_array_operator_index_const(&array, 0), (size_t)count * sizeof(float));
	}
	s_gd.destroy[gd_reals](&array);
}

static void gd_read_bytes(const godot_variant* value, uint8_t* bytes, int count)
{
	gdPacked array;
	gdReadAs(gd_bytes, &array, value);
	if (count > 0)
	{
		memcpy(bytes, s_gd.packed_byte_array_operator_index_const(&array, 0), (size_t)count);
	}
	s_gd.destroy[gd_bytes](&array);
}

// Resized by name in a value, then taken out of it: the only owner writes without a copy.
static gdPacked gdMakePacked(int kind, int64_t count)
{
	gdPacked array;
	godot_variant value, wanted;
	gdConstruct(&value, kind, NULL);
	gd_variant_new_int(&wanted, count);
	godot_variant result = gdCall(&value, &s_gd.resize, &wanted);
	gd_variant_destroy(&result);
	gd_variant_destroy(&wanted);
	gdReadAs(kind, &array, &value);
	gd_variant_destroy(&value);
	return array;
}

static godot_variant gd_make_reals(const float* data, int columns, int rows, int stride)
{
	godot_variant value;
	gdPacked array = gdMakePacked(gd_reals, (int64_t)columns * rows);
	float* place = columns > 0 && rows > 0 ? s_gd.packed_float32_array_operator_index(&array, 0) : NULL;
	for (int row = 0; row < rows && place != NULL; ++row)
	{
		memcpy(place + (size_t)row * (size_t)columns, data + (size_t)row * (size_t)stride,
			(size_t)columns * sizeof(float));
	}
	s_gd.from[gd_reals](&value, &array);
	s_gd.destroy[gd_reals](&array);
	return value;
}

static godot_variant gd_make_bytes(const void* bytes, size_t size)
{
	godot_variant value;
	gdPacked array = gdMakePacked(gd_bytes, (int64_t)size);
	if (size > 0)
	{
		memcpy(s_gd.packed_byte_array_operator_index(&array, 0), bytes, size);
	}
	s_gd.from[gd_bytes](&value, &array);
	s_gd.destroy[gd_bytes](&array);
	return value;
}

#include "tarn_godot.h"

// TarnWorld.xml and TarnVoxelWorld.xml as texts.
#include "help.inc"

// ---------------------------------------------------------------------------------------------------------------------
// Classes

// What a call needs to know: the method and its class.
typedef struct
{
	const tngMethod* method;
	const tngClass* class;
} gdBound;

enum
{
	gd_classCount = sizeof(s_classes) / sizeof(*s_classes)
};

static gdBound* s_bound[gd_classCount];

static gdName gdMakeName(const char* text)
{
	gdName name;
	s_gd.string_name_new_with_latin1_chars(&name, text, false);
	return name;
}

static void gdDestroyName(gdName* name)
{
	s_gd.destroy[gd_stringName](name);
}

static GDExtensionObjectPtr gdCreateObject(void* data)
{
	const tngClass* class = data;
	gdName base = gdMakeName("RefCounted"), name = gdMakeName(class->name);
	GDExtensionObjectPtr object = s_gd.classdb_construct_object(&base);
	s_gd.object_set_instance(object, &name, tngMakeObject());
	gdDestroyName(&name);
	gdDestroyName(&base);
	return object;
}

static void gdDestroyObject(void* data, GDExtensionClassInstancePtr self)
{
	tngDestroyObject(data, self);
}

// @param result a value that is there and null
static void gdCallMethod(void* data, GDExtensionClassInstancePtr self, const GDExtensionConstVariantPtr* given,
	GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError* error)
{
	const gdBound* bound = data;
	if (self == NULL)
	{
		error->error = GDEXTENSION_CALL_ERROR_INSTANCE_IS_NULL;
		return;
	}
	const godot_variant value =
		bound->method->function(NULL, (void*)bound->class, self, (int)count, (godot_variant**)(void*)given);
	s_gd.variant_destroy(result);
	memcpy(result, &value, sizeof(value));
	error->error = GDEXTENSION_CALL_OK;
}

// With as many parameters as one likes, because methods count theirs themselves, and with a value of any type as the result.
static void gdRegisterMethod(gdName* class, gdBound* bound)
{
	enum
	{
		// PROPERTY_USAGE_DEFAULT and PROPERTY_USAGE_NIL_IS_VARIANT of extension_api.json
		usage = 6 | 1 << 17
	};
	gdName name = gdMakeName(bound->method->name), none = gdMakeName("");
	gdString hint;
	s_gd.string_new_with_utf8_chars(&hint, "");
	GDExtensionPropertyInfo result = {.type = GDEXTENSION_VARIANT_TYPE_NIL,
		.name = &none,
		.class_name = &none,
		.hint = 0,
		.hint_string = &hint,
		.usage = usage};
	const GDExtensionClassMethodInfo info = {.name = &name,
		.method_userdata = bound,
		.call_func = gdCallMethod,
		.method_flags = GDEXTENSION_METHOD_FLAG_NORMAL | GDEXTENSION_METHOD_FLAG_VARARG,
		.has_return_value = true,
		.return_value_info = &result,
		.return_value_metadata = GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
	s_gd.classdb_register_extension_class_method(s_gd.library, class, &info);
	s_gd.destroy[gd_string](&hint);
	gdDestroyName(&none);
	gdDestroyName(&name);
}

static void gdRegister(int place)
{
	const tngClass* class = &s_classes[place];
	const int count = tng_commonCount + class->methodCount;
	s_bound[place] = calloc((size_t)count, sizeof(gdBound));
	if (s_bound[place] == NULL)
	{
		gd_print_error("no memory for methods", class->name, "tarn", 0);
		return;
	}
	gdName name = gdMakeName(class->name), base = gdMakeName("RefCounted");
	const GDExtensionClassCreationInfo3 info = {.is_exposed = true,
		.create_instance_func = gdCreateObject,
		.free_instance_func = gdDestroyObject,
		.class_userdata = (void*)class};
	s_gd.classdb_register_extension_class3(s_gd.library, &name, &base, &info);
	for (int i = 0; i < count; ++i)
	{
		gdBound* bound = &s_bound[place][i];
		bound->class = class;
		bound->method = i < tng_commonCount ? &s_commonMethods[i] : &class->methods[i - tng_commonCount];
		gdRegisterMethod(&name, bound);
	}
	gdDestroyName(&base);
	gdDestroyName(&name);
}

static void gdInitialize(void* data, GDExtensionInitializationLevel level)
{
	(void)data;
	if (level == GDEXTENSION_INITIALIZATION_SCENE)
	{
		s_gd.size = gdMakeName("size");
		s_gd.append = gdMakeName("append");
		s_gd.keys = gdMakeName("keys");
		s_gd.resize = gdMakeName("resize");
		for (int i = 0; i < gd_classCount; ++i)
		{
			gdRegister(i);
		}
	}
	else if (level == GDEXTENSION_INITIALIZATION_EDITOR && s_gd.loadHelp != NULL)
	{
		for (int i = 0; i < gd_classCount; ++i)
		{
			s_gd.loadHelp(s_help[i]);
		}
	}
}

static void gdDeinitialize(void* data, GDExtensionInitializationLevel level)
{
	(void)data;
	if (level != GDEXTENSION_INITIALIZATION_SCENE)
	{
		return;
	}
	for (int i = 0; i < gd_classCount; ++i)
	{
		if (s_bound[i] != NULL)
		{
			gdName name = gdMakeName(s_classes[i].name);
			s_gd.classdb_unregister_extension_class(s_gd.library, &name);
			gdDestroyName(&name);
			free(s_bound[i]);
			s_bound[i] = NULL;
		}
	}
	gdDestroyName(&s_gd.size);
	gdDestroyName(&s_gd.append);
	gdDestroyName(&s_gd.keys);
	gdDestroyName(&s_gd.resize);
}

// The entry that tarn.gdextension names. Refused by an older Godot than 4.3, which has not all that is called here.
TN_EXPORT GDExtensionBool tarn_godot_init(GDExtensionInterfaceGetProcAddress getProcAddress,
	GDExtensionClassLibraryPtr library, GDExtensionInitialization* initialization)
{
	static const int types[] = {
		gd_bool, gd_int, gd_real, gd_string, gd_vector2, gd_vector3, gd_quat, gd_bytes, gd_reals};
	static const int owners[] = {gd_string, gd_stringName, gd_bytes, gd_reals};
#define GD_LOAD(type, name)                         \
	s_gd.name = (type)(void*)getProcAddress(#name); \
	if (s_gd.name == NULL)                          \
	{                                               \
		return false;                               \
	}
	GD_FUNCTIONS(GD_LOAD)
	s_gd.loadHelp = (GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars)(void*)getProcAddress(
		"editor_help_load_xml_from_utf8_chars");
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); ++i)
	{
		s_gd.from[types[i]] = s_gd.get_variant_from_type_constructor((GDExtensionVariantType)types[i]);
		s_gd.to[types[i]] = s_gd.get_variant_to_type_constructor((GDExtensionVariantType)types[i]);
	}
	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); ++i)
	{
		s_gd.destroy[owners[i]] = s_gd.variant_get_ptr_destructor((GDExtensionVariantType)owners[i]);
	}
	s_gd.library = library;
	initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
	initialization->userdata = NULL;
	initialization->initialize = gdInitialize;
	initialization->deinitialize = gdDeinitialize;
	return true;
}

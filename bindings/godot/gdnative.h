// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// @file What is used here of the C interface of Godot 3, GDNative 1.0. Godot hands over tables of functions whose places never change: they
/// are numbered as in its gdnative_api.json. Values of Godot are opaque; their sizes and how they are passed are part of the interface.

typedef struct
{
	uint64_t opaque[3];
} godot_variant;
// Eight bytes: a pointer, or two floats.
typedef struct
{
	uint64_t opaque;
} godot_string, godot_char_string, godot_array, godot_dictionary, godot_pool_array, godot_vector2;
// Three and four floats, passed as whole numbers.
typedef struct
{
	uint32_t opaque[3];
} godot_vector3;
typedef struct
{
	uint64_t opaque[2];
} godot_quat;
typedef void godot_object;
typedef void godot_access;

enum
{
	gd_nil,
	gd_bool,
	gd_int,
	gd_real,
	gd_string,
	gd_vector2,
	gd_vector3 = 7,
	gd_quat = 10,
	gd_dictionary = 18,
	gd_array = 19,
	gd_bytes = 20,
	gd_ints = 21,
	gd_reals = 22,
	gd_lastArray = 26,
};

typedef struct
{
	unsigned int type;
	unsigned int versionMajor, versionMinor;
	const void* next;
	unsigned int extensionCount;
	const void** extensions;
	void (*functions[744])(void);
} gdCore;

/// The beginning of the extension `nativescript`, of type 1.
typedef struct
{
	void* (*create)(godot_object* object, void* data);
	void* data;
	void (*free)(void* data);
} gdCreate;
typedef struct
{
	void (*destroy)(godot_object* object, void* data, void* self);
	void* data;
	void (*free)(void* data);
} gdDestroy;
typedef godot_variant gdMethodFcn(godot_object* object, void* data, void* self, int count, godot_variant** given);
typedef struct
{
	gdMethodFcn* method;
	void* data;
	void (*free)(void* data);
} gdMethod;
typedef struct
{
	int rpc;
} gdAttributes;
typedef struct
{
	unsigned int type;
	unsigned int versionMajor, versionMinor;
	const void* next;
	void (*registerClass)(void* handle, const char* name, const char* base, gdCreate create, gdDestroy destroy);
	void (*registerToolClass)(void* handle, const char* name, const char* base, gdCreate create, gdDestroy destroy);
	void (*registerMethod)(
		void* handle, const char* name, const char* method, gdAttributes attributes, gdMethod function);
} gdNativeScript;

typedef struct
{
	bool inEditor;
	uint64_t hashes[3];
	void* reportMismatch;
	void* reportError;
	godot_object* library;
	const gdCore* core;
	const godot_string* path;
} gdInitOptions;

// X(place in the table, result, name, parameters)
#define GD_FUNCTIONS(X)                                                                           \
	X(507, int, variant_get_type, (const godot_variant*))                                         \
	X(509, void, variant_new_nil, (godot_variant*))                                               \
	X(510, void, variant_new_bool, (godot_variant*, bool))                                        \
	X(512, void, variant_new_int, (godot_variant*, int64_t))                                      \
	X(513, void, variant_new_real, (godot_variant*, double))                                      \
	X(514, void, variant_new_string, (godot_variant*, const godot_string*))                       \
	X(515, void, variant_new_vector2, (godot_variant*, const godot_vector2*))                     \
	X(517, void, variant_new_vector3, (godot_variant*, const godot_vector3*))                     \
	X(520, void, variant_new_quat, (godot_variant*, const godot_quat*))                           \
	X(528, void, variant_new_dictionary, (godot_variant*, const godot_dictionary*))               \
	X(529, void, variant_new_array, (godot_variant*, const godot_array*))                         \
	X(530, void, variant_new_bytes, (godot_variant*, const godot_pool_array*))                    \
	X(532, void, variant_new_reals, (godot_variant*, const godot_pool_array*))                    \
	X(537, bool, variant_as_bool, (const godot_variant*))                                         \
	X(539, int64_t, variant_as_int, (const godot_variant*))                                       \
	X(540, double, variant_as_real, (const godot_variant*))                                       \
	X(541, godot_string, variant_as_string, (const godot_variant*))                               \
	X(542, godot_vector2, variant_as_vector2, (const godot_variant*))                             \
	X(544, godot_vector3, variant_as_vector3, (const godot_variant*))                             \
	X(547, godot_quat, variant_as_quat, (const godot_variant*))                                   \
	X(555, godot_dictionary, variant_as_dictionary, (const godot_variant*))                       \
	X(556, godot_array, variant_as_array, (const godot_variant*))                                 \
	X(557, godot_pool_array, variant_as_bytes, (const godot_variant*))                            \
	X(559, godot_pool_array, variant_as_reals, (const godot_variant*))                            \
	X(570, void, variant_destroy, (godot_variant*))                                               \
	X(572, const char*, char_string_get_data, (const godot_char_string*))                         \
	X(573, void, char_string_destroy, (godot_char_string*))                                       \
	X(574, void, string_new, (godot_string*))                                                     \
	X(678, godot_char_string, string_utf8, (const godot_string*))                                 \
	X(679, bool, string_parse_utf8, (godot_string*, const char*))                                 \
	X(721, void, string_destroy, (godot_string*))                                                 \
	X(323, void, array_new, (godot_array*))                                                       \
	X(336, void, array_append, (godot_array*, const godot_variant*))                              \
	X(333, godot_variant, array_get, (const godot_array*, int))                                   \
	X(356, int, array_size, (const godot_array*))                                                 \
	X(361, void, array_destroy, (godot_array*))                                                   \
	X(362, void, dictionary_new, (godot_dictionary*))                                             \
	X(364, void, dictionary_destroy, (godot_dictionary*))                                         \
	X(372, godot_array, dictionary_keys, (const godot_dictionary*))                               \
	X(374, godot_variant, dictionary_get, (const godot_dictionary*, const godot_variant*))        \
	X(375, void, dictionary_set, (godot_dictionary*, const godot_variant*, const godot_variant*)) \
	X(155, void, bytes_new, (godot_pool_array*))                                                  \
	X(164, void, bytes_resize, (godot_pool_array*, int))                                          \
	X(169, int, bytes_size, (const godot_pool_array*))                                            \
	X(165, godot_access*, bytes_read, (const godot_pool_array*))                                  \
	X(166, godot_access*, bytes_write, (godot_pool_array*))                                       \
	X(268, const uint8_t*, bytes_read_place, (const godot_access*))                               \
	X(296, uint8_t*, bytes_write_place, (const godot_access*))                                    \
	X(270, void, bytes_end_read, (godot_access*))                                                 \
	X(298, void, bytes_end_write, (godot_access*))                                                \
	X(170, void, bytes_destroy, (godot_pool_array*))                                              \
	X(187, void, reals_new, (godot_pool_array*))                                                  \
	X(196, void, reals_resize, (godot_pool_array*, int))                                          \
	X(201, int, reals_size, (const godot_pool_array*))                                            \
	X(197, godot_access*, reals_read, (const godot_pool_array*))                                  \
	X(198, godot_access*, reals_write, (godot_pool_array*))                                       \
	X(276, const float*, reals_read_place, (const godot_access*))                                 \
	X(304, float*, reals_write_place, (const godot_access*))                                      \
	X(278, void, reals_end_read, (godot_access*))                                                 \
	X(306, void, reals_end_write, (godot_access*))                                                \
	X(202, void, reals_destroy, (godot_pool_array*))                                              \
	X(741, void, print_error, (const char*, const char*, const char*, int))

// SPDX-License-Identifier: MIT

#pragma once

/// @file Stand-ins of what tarn uses of the C interface of Godot 4, to compile and try bindings/godot/godot4.c where there is no Godot 4: its
/// names and signatures, structs with only those members that are used. What is compiled with these does not run in Godot.

#include <stdint.h>

typedef enum
{
	GDEXTENSION_VARIANT_TYPE_NIL = 0,
	GDEXTENSION_VARIANT_TYPE_BOOL = 1,
	GDEXTENSION_VARIANT_TYPE_INT = 2,
	GDEXTENSION_VARIANT_TYPE_FLOAT = 3,
	GDEXTENSION_VARIANT_TYPE_STRING = 4,
	GDEXTENSION_VARIANT_TYPE_VECTOR2 = 5,
	GDEXTENSION_VARIANT_TYPE_VECTOR3 = 9,
	GDEXTENSION_VARIANT_TYPE_QUATERNION = 15,
	GDEXTENSION_VARIANT_TYPE_STRING_NAME = 21,
	GDEXTENSION_VARIANT_TYPE_DICTIONARY = 27,
	GDEXTENSION_VARIANT_TYPE_ARRAY = 28,
	GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY = 29,
	GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY = 32,
	GDEXTENSION_VARIANT_TYPE_VARIANT_MAX = 39
} GDExtensionVariantType;

typedef void *GDExtensionVariantPtr, *GDExtensionUninitializedVariantPtr, *GDExtensionStringNamePtr,
	*GDExtensionStringPtr;
typedef void *GDExtensionUninitializedStringNamePtr, *GDExtensionUninitializedStringPtr,
	*GDExtensionUninitializedTypePtr;
typedef void *GDExtensionTypePtr, *GDExtensionObjectPtr, *GDExtensionClassInstancePtr, *GDExtensionClassLibraryPtr;
typedef const void *GDExtensionConstVariantPtr, *GDExtensionConstStringNamePtr, *GDExtensionConstStringPtr;
typedef const void* GDExtensionConstTypePtr;
typedef int64_t GDExtensionInt;
typedef uint8_t GDExtensionBool;

typedef enum
{
	GDEXTENSION_CALL_OK = 0,
	GDEXTENSION_CALL_ERROR_INSTANCE_IS_NULL = 5
} GDExtensionCallErrorType;

typedef struct
{
	GDExtensionCallErrorType error;
	int32_t argument;
	int32_t expected;
} GDExtensionCallError;

typedef void (*GDExtensionVariantFromTypeConstructorFunc)(GDExtensionUninitializedVariantPtr, GDExtensionTypePtr);
typedef void (*GDExtensionTypeFromVariantConstructorFunc)(GDExtensionUninitializedTypePtr, GDExtensionVariantPtr);
typedef void (*GDExtensionPtrDestructor)(GDExtensionTypePtr p_base);

// Classes

typedef struct
{
	GDExtensionVariantType type;
	GDExtensionStringNamePtr name;
	GDExtensionStringNamePtr class_name;
	uint32_t hint;
	GDExtensionStringPtr hint_string;
	uint32_t usage;
} GDExtensionPropertyInfo;

typedef GDExtensionObjectPtr (*GDExtensionClassCreateInstance)(void* p_class_userdata);
typedef void (*GDExtensionClassFreeInstance)(void* p_class_userdata, GDExtensionClassInstancePtr p_instance);
typedef struct
{
	GDExtensionBool is_exposed;
	GDExtensionClassCreateInstance create_instance_func;
	GDExtensionClassFreeInstance free_instance_func;
	void* class_userdata;
} GDExtensionClassCreationInfo3;

typedef enum
{
	GDEXTENSION_METHOD_FLAG_NORMAL = 1,
	GDEXTENSION_METHOD_FLAG_VARARG = 16
} GDExtensionClassMethodFlags;

typedef enum
{
	GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE = 0
} GDExtensionClassMethodArgumentMetadata;

typedef void (*GDExtensionClassMethodCall)(void* method_userdata, GDExtensionClassInstancePtr p_instance,
	const GDExtensionConstVariantPtr* p_args, GDExtensionInt p_argument_count, GDExtensionVariantPtr r_return,
	GDExtensionCallError* r_error);
typedef struct
{
	GDExtensionStringNamePtr name;
	void* method_userdata;
	GDExtensionClassMethodCall call_func;
	uint32_t method_flags;
	GDExtensionBool has_return_value;
	GDExtensionPropertyInfo* return_value_info;
	GDExtensionClassMethodArgumentMetadata return_value_metadata;
} GDExtensionClassMethodInfo;

// The entry

typedef enum
{
	GDEXTENSION_INITIALIZATION_SCENE = 2,
	GDEXTENSION_INITIALIZATION_EDITOR = 3
} GDExtensionInitializationLevel;

typedef struct
{
	GDExtensionInitializationLevel minimum_initialization_level;
	void* userdata;
	void (*initialize)(void* p_userdata, GDExtensionInitializationLevel p_level);
	void (*deinitialize)(void* p_userdata, GDExtensionInitializationLevel p_level);
} GDExtensionInitialization;

typedef void (*GDExtensionInterfaceFunctionPtr)();
typedef GDExtensionInterfaceFunctionPtr (*GDExtensionInterfaceGetProcAddress)(const char* p_function_name);
typedef GDExtensionBool (*GDExtensionInitializationFunction)(GDExtensionInterfaceGetProcAddress p_get_proc_address,
	GDExtensionClassLibraryPtr p_library, GDExtensionInitialization* r_initialization);

// Functions

typedef void (*GDExtensionInterfacePrintError)(const char* p_description, const char* p_function, const char* p_file,
	int32_t p_line, GDExtensionBool p_editor_notify);
typedef void (*GDExtensionInterfaceVariantNewCopy)(
	GDExtensionUninitializedVariantPtr r_dest, GDExtensionConstVariantPtr p_src);
typedef void (*GDExtensionInterfaceVariantNewNil)(GDExtensionUninitializedVariantPtr r_dest);
typedef void (*GDExtensionInterfaceVariantDestroy)(GDExtensionVariantPtr p_self);
typedef GDExtensionVariantType (*GDExtensionInterfaceVariantGetType)(GDExtensionConstVariantPtr p_self);
typedef void (*GDExtensionInterfaceVariantCall)(GDExtensionVariantPtr p_self, GDExtensionConstStringNamePtr p_method,
	const GDExtensionConstVariantPtr* p_args, GDExtensionInt p_argument_count,
	GDExtensionUninitializedVariantPtr r_return, GDExtensionCallError* r_error);
typedef void (*GDExtensionInterfaceVariantConstruct)(GDExtensionVariantType p_type,
	GDExtensionUninitializedVariantPtr r_base, const GDExtensionConstVariantPtr* p_args, int32_t p_argument_count,
	GDExtensionCallError* r_error);
typedef void (*GDExtensionInterfaceVariantStringify)(GDExtensionConstVariantPtr p_self, GDExtensionStringPtr r_ret);
typedef void (*GDExtensionInterfaceVariantGetIndexed)(GDExtensionConstVariantPtr p_self, GDExtensionInt p_index,
	GDExtensionUninitializedVariantPtr r_ret, GDExtensionBool* r_valid, GDExtensionBool* r_oob);
typedef void (*GDExtensionInterfaceVariantGetKeyed)(GDExtensionConstVariantPtr p_self, GDExtensionConstVariantPtr p_key,
	GDExtensionUninitializedVariantPtr r_ret, GDExtensionBool* r_valid);
typedef void (*GDExtensionInterfaceVariantSetKeyed)(GDExtensionVariantPtr p_self, GDExtensionConstVariantPtr p_key,
	GDExtensionConstVariantPtr p_value, GDExtensionBool* r_valid);
typedef GDExtensionVariantFromTypeConstructorFunc (*GDExtensionInterfaceGetVariantFromTypeConstructor)(
	GDExtensionVariantType p_type);
typedef GDExtensionTypeFromVariantConstructorFunc (*GDExtensionInterfaceGetVariantToTypeConstructor)(
	GDExtensionVariantType p_type);
typedef GDExtensionPtrDestructor (*GDExtensionInterfaceVariantGetPtrDestructor)(GDExtensionVariantType p_type);
typedef void (*GDExtensionInterfaceStringNewWithUtf8Chars)(
	GDExtensionUninitializedStringPtr r_dest, const char* p_contents);
typedef GDExtensionInt (*GDExtensionInterfaceStringToUtf8Chars)(
	GDExtensionConstStringPtr p_self, char* r_text, GDExtensionInt p_max_write_length);
typedef void (*GDExtensionInterfaceStringNameNewWithLatin1Chars)(
	GDExtensionUninitializedStringNamePtr r_dest, const char* p_contents, GDExtensionBool p_is_static);
typedef uint8_t* (*GDExtensionInterfacePackedByteArrayOperatorIndex)(GDExtensionTypePtr p_self, GDExtensionInt p_index);
typedef const uint8_t* (*GDExtensionInterfacePackedByteArrayOperatorIndexConst)(
	GDExtensionConstTypePtr p_self, GDExtensionInt p_index);
typedef float* (*GDExtensionInterfacePackedFloat32ArrayOperatorIndex)(
	GDExtensionTypePtr p_self, GDExtensionInt p_index);
typedef const float* (*GDExtensionInterfacePackedFloat32ArrayOperatorIndexConst)(
	GDExtensionConstTypePtr p_self, GDExtensionInt p_index);
typedef GDExtensionObjectPtr (*GDExtensionInterfaceClassdbConstructObject)(GDExtensionConstStringNamePtr p_classname);
typedef void (*GDExtensionInterfaceObjectSetInstance)(
	GDExtensionObjectPtr p_o, GDExtensionConstStringNamePtr p_classname, GDExtensionClassInstancePtr p_instance);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClass3)(GDExtensionClassLibraryPtr p_library,
	GDExtensionConstStringNamePtr p_class_name, GDExtensionConstStringNamePtr p_parent_class_name,
	const GDExtensionClassCreationInfo3* p_extension_funcs);
typedef void (*GDExtensionInterfaceClassdbRegisterExtensionClassMethod)(GDExtensionClassLibraryPtr p_library,
	GDExtensionConstStringNamePtr p_class_name, const GDExtensionClassMethodInfo* p_method_info);
typedef void (*GDExtensionInterfaceClassdbUnregisterExtensionClass)(
	GDExtensionClassLibraryPtr p_library, GDExtensionConstStringNamePtr p_class_name);
typedef void (*GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars)(const char* p_data);

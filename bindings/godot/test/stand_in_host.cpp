// SPDX-License-Identifier: MIT
//
// A stand-in of Godot 4 for the extension: values, classes and the functions of its interface that tarn calls, as small as they can be and
// stricter than Godot is, because each misuse ends the program. Then what program.gd does in Godot 3.
//
//   stand_in_host LIBRARY FILE      FILE gets what the program prints

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <gdextension_interface.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

static void Demand(bool holds, const char* what)
{
	if (!holds)
	{
		fprintf(stderr, "FAIL misused: %s\n", what);
		abort();
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Values. What does not fit into one is counted, so that what is forgotten is noticed.

struct Shared;
static int s_alive = 0;

struct Variant
{
	uint64_t type;
	union
	{
		int64_t whole;
		double real;
		float parts[4];
		Shared* shared;
	};
};

struct Shared
{
	int references = 1;
	std::string text;
	std::vector<Variant> items;
	std::vector<std::pair<Variant, Variant>> pairs;
	std::vector<uint8_t> bytes;
	std::vector<float> reals;
	Shared() { ++s_alive; }
	Shared(const Shared& other) : text(other.text), bytes(other.bytes), reals(other.reals) { ++s_alive; }
	~Shared();
};

struct Packed
{
	void* nothing;
	Shared* shared;
};

static_assert(sizeof(Variant) == 24 && sizeof(Packed) == 16, "as in Godot");

enum
{
	kNil = GDEXTENSION_VARIANT_TYPE_NIL,
	kBool = GDEXTENSION_VARIANT_TYPE_BOOL,
	kInt = GDEXTENSION_VARIANT_TYPE_INT,
	kReal = GDEXTENSION_VARIANT_TYPE_FLOAT,
	kString = GDEXTENSION_VARIANT_TYPE_STRING,
	kVector2 = GDEXTENSION_VARIANT_TYPE_VECTOR2,
	kVector3 = GDEXTENSION_VARIANT_TYPE_VECTOR3,
	kTurn = GDEXTENSION_VARIANT_TYPE_QUATERNION,
	kName = GDEXTENSION_VARIANT_TYPE_STRING_NAME,
	kDictionary = GDEXTENSION_VARIANT_TYPE_DICTIONARY,
	kArray = GDEXTENSION_VARIANT_TYPE_ARRAY,
	kBytes = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
	kReals = GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY,
	kDestroyed = 0xdead
};

static bool IsShared(uint64_t type)
{
	return type == kString || type == kName || type == kDictionary || type == kArray || type == kBytes || type == kReals;
}

static void Release(Shared* shared)
{
	Demand(shared != nullptr && shared->references > 0, "something is destroyed twice");
	if (--shared->references == 0)
	{
		delete shared;
	}
}

static void Drop(Variant* value)
{
	Demand(value->type < GDEXTENSION_VARIANT_TYPE_VARIANT_MAX, "a value that is none is destroyed");
	if (IsShared(value->type))
	{
		Release(value->shared);
	}
	value->type = kDestroyed;
}

Shared::~Shared()
{
	--s_alive;
	for (Variant& item : items)
	{
		Drop(&item);
	}
	for (auto& pair : pairs)
	{
		Drop(&pair.first);
		Drop(&pair.second);
	}
}

static const Variant* Look(const void* value)
{
	const Variant* variant = static_cast<const Variant*>(value);
	Demand(variant != nullptr && variant->type < GDEXTENSION_VARIANT_TYPE_VARIANT_MAX, "a value that is none is looked at");
	return variant;
}

static Variant Copy(const void* value)
{
	Variant copy = *Look(value);
	if (IsShared(copy.type))
	{
		++copy.shared->references;
	}
	return copy;
}

static Variant Make(uint64_t type)
{
	Variant value{};
	value.type = type;
	if (IsShared(type))
	{
		value.shared = new Shared;
	}
	return value;
}

// Packed arrays and strings are values: who writes has its own.
static Shared* Own(Shared** shared)
{
	if ((*shared)->references > 1)
	{
		Shared* own = new Shared(**shared);
		--(*shared)->references;
		*shared = own;
	}
	return *shared;
}

// Names and strings with the same text are the same key, as in Godot.
static bool IsSame(const Variant& a, const Variant& b)
{
	const auto isText = [](const Variant& value) { return value.type == kString || value.type == kName; };
	if (isText(a) && isText(b))
	{
		return a.shared->text == b.shared->text;
	}
	return a.type == b.type && !IsShared(a.type) && a.whole == b.whole;
}

// ---------------------------------------------------------------------------------------------------------------------
// The interface

struct Class
{
	std::string name, base;
	GDExtensionClassCreationInfo3 info;
	std::map<std::string, GDExtensionClassMethodInfo> methods;
};
struct Object
{
	Class* type = nullptr;
	void* instance = nullptr;
};

static std::map<std::string, Class> s_types;
static std::string s_printed;
static int s_helpPages = 0;
static int s_library;

static const std::string& GetText(const void* name)
{
	const Shared* shared = *static_cast<Shared* const*>(name);
	Demand(shared != nullptr && shared->references > 0, "a text that is none");
	return shared->text;
}

template <int type> static void FromType(void* place, void* of)
{
	Variant value{};
	value.type = type;
	switch (type)
	{
		case kBool: value.whole = *static_cast<uint8_t*>(of); break;
		case kInt: value.whole = *static_cast<int64_t*>(of); break;
		case kReal: value.real = *static_cast<double*>(of); break;
		case kVector2: memcpy(value.parts, of, 8); break;
		case kVector3: memcpy(value.parts, of, 12); break;
		case kTurn: memcpy(value.parts, of, 16); break;
		case kString: value.shared = *static_cast<Shared**>(of); break;
		default: value.shared = static_cast<Packed*>(of)->shared; break;
	}
	if (IsShared(type))
	{
		++value.shared->references;
	}
	memcpy(place, &value, sizeof(value));
}

template <int type> static void ToType(void* place, void* of)
{
	const Variant* value = Look(of);
	Demand(value->type == type, "a value is read as what it is not");
	switch (type)
	{
		case kBool: *static_cast<uint8_t*>(place) = value->whole != 0; break;
		case kInt: *static_cast<int64_t*>(place) = value->whole; break;
		case kReal: *static_cast<double*>(place) = value->real; break;
		case kVector2: memcpy(place, value->parts, 8); break;
		case kVector3: memcpy(place, value->parts, 12); break;
		case kTurn: memcpy(place, value->parts, 16); break;
		case kString: *static_cast<Shared**>(place) = value->shared; break;
		default: *static_cast<Packed*>(place) = {nullptr, value->shared}; break;
	}
	if (IsShared(type))
	{
		++value->shared->references;
	}
}

template <template <int> class Of> static auto Choose(GDExtensionVariantType type) -> decltype(Of<kBool>::Get())
{
	switch (static_cast<int>(type))
	{
		case kBool: return Of<kBool>::Get();
		case kInt: return Of<kInt>::Get();
		case kReal: return Of<kReal>::Get();
		case kString: return Of<kString>::Get();
		case kVector2: return Of<kVector2>::Get();
		case kVector3: return Of<kVector3>::Get();
		case kTurn: return Of<kTurn>::Get();
		case kBytes: return Of<kBytes>::Get();
		case kReals: return Of<kReals>::Get();
		default: return nullptr;
	}
}
template <int type> struct From
{
	static GDExtensionVariantFromTypeConstructorFunc Get() { return FromType<type>; }
};
template <int type> struct To
{
	static GDExtensionTypeFromVariantConstructorFunc Get() { return ToType<type>; }
};

static void CallMethod(void* self, const void* name, const void* const* arguments, int64_t count, void* place, GDExtensionCallError* error)
{
	Look(self);
	Variant* value = static_cast<Variant*>(self);
	const std::string& method = GetText(name);
	Variant result{};
	error->error = GDEXTENSION_CALL_OK;
	if (method == "size" && count == 0 && IsShared(value->type))
	{
		const Shared* shared = value->shared;
		result = Make(kInt);
		result.whole = static_cast<int64_t>(value->type == kArray ? shared->items.size() : value->type == kBytes ? shared->bytes.size() :
			value->type == kReals ? shared->reals.size() : shared->pairs.size());
	}
	else if (method == "append" && count == 1 && value->type == kArray)
	{
		value->shared->items.push_back(Copy(arguments[0]));
	}
	else if (method == "keys" && count == 0 && value->type == kDictionary)
	{
		result = Make(kArray);
		for (auto& pair : value->shared->pairs)
		{
			result.shared->items.push_back(Copy(&pair.first));
		}
	}
	else if (method == "resize" && count == 1 && (value->type == kBytes || value->type == kReals))
	{
		const size_t size = static_cast<size_t>(Look(arguments[0])->whole);
		Shared* own = Own(&value->shared);
		value->type == kBytes ? own->bytes.resize(size) : own->reals.resize(size);
		result = Make(kInt);
	}
	else
	{
		Demand(false, ("there is no method " + method).c_str());
	}
	memcpy(place, &result, sizeof(result));
}

static void Construct(GDExtensionVariantType type, void* place, const void* const* arguments, int32_t count, GDExtensionCallError* error)
{
	Demand(count == 0 || (count == 1 && type == GDEXTENSION_VARIANT_TYPE_ARRAY), "there is no such constructor");
	Variant value = Make(type);
	error->error = GDEXTENSION_CALL_OK;
	if (count == 1)
	{
		const Variant* of = Look(arguments[0]);
		Demand(of->type == kBytes || of->type == kReals, "an array is made of what is none");
		for (uint8_t byte : of->shared->bytes)
		{
			Variant item = Make(kInt);
			item.whole = byte;
			value.shared->items.push_back(item);
		}
		for (float real : of->shared->reals)
		{
			Variant item = Make(kReal);
			item.real = real;
			value.shared->items.push_back(item);
		}
	}
	memcpy(place, &value, sizeof(value));
}

static void Stringify(const void* self, void* text)
{
	const Variant* value = Look(self);
	Release(*static_cast<Shared**>(text));
	Shared* made = new Shared;
	made->text = value->type == kString || value->type == kName ? value->shared->text :
		value->type == kInt ? std::to_string(value->whole) : "?";
	*static_cast<Shared**>(text) = made;
}

static Variant* Find(const void* self, const void* key)
{
	const Variant* dictionary = Look(self);
	Demand(dictionary->type == kDictionary, "what is no dictionary has no keys");
	for (auto& pair : dictionary->shared->pairs)
	{
		if (IsSame(pair.first, *Look(key)))
		{
			return &pair.second;
		}
	}
	return nullptr;
}

static void NewText(void* place, const char* text)
{
	Shared* made = new Shared;
	made->text = text;
	*static_cast<Shared**>(place) = made;
}

template <typename T, std::vector<T> Shared::*list> static T* Index(void* self, int64_t index)
{
	Shared* own = Own(&static_cast<Packed*>(self)->shared);
	Demand(index >= 0 && index < static_cast<int64_t>((own->*list).size()), "a place that a packed array has not");
	return &(own->*list)[static_cast<size_t>(index)];
}

template <typename T, std::vector<T> Shared::*list> static const T* IndexConst(const void* self, int64_t index)
{
	const Shared* shared = static_cast<const Packed*>(self)->shared;
	Demand(index >= 0 && index < static_cast<int64_t>((shared->*list).size()), "a place that a packed array has not");
	return &(shared->*list)[static_cast<size_t>(index)];
}

// A function with the signature that the interface has for it, or it does not compile.
template <typename Function> static GDExtensionInterfaceFunctionPtr As(Function function)
{
	return reinterpret_cast<GDExtensionInterfaceFunctionPtr>(function);
}

static GDExtensionInterfaceFunctionPtr GetProcAddress(const char* name)
{
	static const std::map<std::string, GDExtensionInterfaceFunctionPtr> functions = {
		{"print_error", As<GDExtensionInterfacePrintError>([](const char* text, const char*, const char*, int32_t, uint8_t) { s_printed = text; })},
		{"variant_new_copy", As<GDExtensionInterfaceVariantNewCopy>([](void* place, const void* of) { *static_cast<Variant*>(place) = Copy(of); })},
		{"variant_new_nil", As<GDExtensionInterfaceVariantNewNil>([](void* place) { *static_cast<Variant*>(place) = Make(kNil); })},
		{"variant_destroy", As<GDExtensionInterfaceVariantDestroy>([](void* self) { Drop(static_cast<Variant*>(self)); })},
		{"variant_get_type", As<GDExtensionInterfaceVariantGetType>([](const void* self) { return static_cast<GDExtensionVariantType>(Look(self)->type); })},
		{"variant_call", As<GDExtensionInterfaceVariantCall>(CallMethod)},
		{"variant_construct", As<GDExtensionInterfaceVariantConstruct>(Construct)},
		{"variant_stringify", As<GDExtensionInterfaceVariantStringify>(Stringify)},
		{"variant_get_indexed", As<GDExtensionInterfaceVariantGetIndexed>([](const void* self, int64_t index, void* place, uint8_t* valid, uint8_t* outside) {
			const Variant* array = Look(self);
			Demand(array->type == kArray && index >= 0 && index < static_cast<int64_t>(array->shared->items.size()), "a place that an array has not");
			*static_cast<Variant*>(place) = Copy(&array->shared->items[static_cast<size_t>(index)]);
			*valid = true, *outside = false;
		})},
		{"variant_get_keyed", As<GDExtensionInterfaceVariantGetKeyed>([](const void* self, const void* key, void* place, uint8_t* valid) {
			const Variant* found = Find(self, key);
			Demand(found != nullptr, "a key that a dictionary has not");
			*static_cast<Variant*>(place) = Copy(found);
			*valid = true;
		})},
		{"variant_set_keyed", As<GDExtensionInterfaceVariantSetKeyed>([](void* self, const void* key, const void* item, uint8_t* valid) {
			Demand(Find(self, key) == nullptr, "a key is set twice");
			static_cast<Variant*>(self)->shared->pairs.push_back({Copy(key), Copy(item)});
			*valid = true;
		})},
		{"get_variant_from_type_constructor", As<GDExtensionInterfaceGetVariantFromTypeConstructor>([](GDExtensionVariantType type) { return Choose<From>(type); })},
		{"get_variant_to_type_constructor", As<GDExtensionInterfaceGetVariantToTypeConstructor>([](GDExtensionVariantType type) { return Choose<To>(type); })},
		{"variant_get_ptr_destructor", As<GDExtensionInterfaceVariantGetPtrDestructor>([](GDExtensionVariantType type) -> GDExtensionPtrDestructor {
			if (type == GDEXTENSION_VARIANT_TYPE_STRING || type == GDEXTENSION_VARIANT_TYPE_STRING_NAME)
			{
				return [](void* self) { Release(*static_cast<Shared**>(self)); };
			}
			return [](void* self) { Release(static_cast<Packed*>(self)->shared); };
		})},
		{"string_new_with_utf8_chars", As<GDExtensionInterfaceStringNewWithUtf8Chars>(NewText)},
		{"string_to_utf8_chars", As<GDExtensionInterfaceStringToUtf8Chars>([](const void* self, char* text, int64_t room) {
			const std::string& all = GetText(self);
			memcpy(text, all.data(), std::min(all.size(), static_cast<size_t>(room)));
			return static_cast<int64_t>(all.size());
		})},
		{"string_name_new_with_latin1_chars", As<GDExtensionInterfaceStringNameNewWithLatin1Chars>([](void* place, const char* text, uint8_t) { NewText(place, text); })},
		{"packed_byte_array_operator_index", As<GDExtensionInterfacePackedByteArrayOperatorIndex>(Index<uint8_t, &Shared::bytes>)},
		{"packed_byte_array_operator_index_const", As<GDExtensionInterfacePackedByteArrayOperatorIndexConst>(IndexConst<uint8_t, &Shared::bytes>)},
		{"packed_float32_array_operator_index", As<GDExtensionInterfacePackedFloat32ArrayOperatorIndex>(Index<float, &Shared::reals>)},
		{"packed_float32_array_operator_index_const", As<GDExtensionInterfacePackedFloat32ArrayOperatorIndexConst>(IndexConst<float, &Shared::reals>)},
		{"classdb_construct_object", As<GDExtensionInterfaceClassdbConstructObject>([](const void* name) -> void* {
			Demand(GetText(name) == "RefCounted", "a class that there is not");
			return new Object;
		})},
		{"object_set_instance", As<GDExtensionInterfaceObjectSetInstance>([](void* object, const void* name, void* instance) {
			Demand(s_types.count(GetText(name)) == 1, "a class that is not registered");
			*static_cast<Object*>(object) = {&s_types[GetText(name)], instance};
		})},
		{"classdb_register_extension_class3", As<GDExtensionInterfaceClassdbRegisterExtensionClass3>(
			[](void* library, const void* name, const void* base, const GDExtensionClassCreationInfo3* info) {
				Demand(library == &s_library && s_types.count(GetText(name)) == 0, "a class is registered twice");
				s_types[GetText(name)] = {GetText(name), GetText(base), *info, {}};
			})},
		{"classdb_register_extension_class_method", As<GDExtensionInterfaceClassdbRegisterExtensionClassMethod>(
			[](void* library, const void* name, const GDExtensionClassMethodInfo* info) {
				Demand(library == &s_library && s_types.count(GetText(name)) == 1, "a method of no class");
				auto& methods = s_types[GetText(name)].methods;
				Demand(methods.count(GetText(info->name)) == 0, "a method is registered twice");
				Demand((info->method_flags & GDEXTENSION_METHOD_FLAG_VARARG) != 0 && info->has_return_value, "a method has a call only");
				methods[GetText(info->name)] = *info;
			})},
		{"classdb_unregister_extension_class", As<GDExtensionInterfaceClassdbUnregisterExtensionClass>(
			[](void*, const void* name) { Demand(s_types.erase(GetText(name)) == 1, "a class that is not registered"); })},
		{"editor_help_load_xml_from_utf8_chars", As<GDExtensionsInterfaceEditorHelpLoadXmlFromUtf8Chars>([](const char* text) {
			s_helpPages += strstr(text, "<class name=\"Tarn") != nullptr && strstr(text, "</class>") != nullptr;
		})},
	};
	const auto found = functions.find(name);
	return found != functions.end() ? found->second : nullptr;
}

// ---------------------------------------------------------------------------------------------------------------------
// Scripts

class Value
{
public:
	Variant variant;
	Value() : variant(Make(kNil)) {}
	Value(bool whole) : variant(Make(kBool)) { variant.whole = whole; }
	Value(int whole) : variant(Make(kInt)) { variant.whole = whole; }
	Value(int64_t whole) : variant(Make(kInt)) { variant.whole = whole; }
	Value(double real) : variant(Make(kReal)) { variant.real = real; }
	Value(const char* text) : variant(Make(kString)) { variant.shared->text = text; }
	Value(const Value& other) : variant(Copy(&other.variant)) {}
	Value& operator=(const Value& other)
	{
		const Variant copy = Copy(&other.variant);
		Drop(&variant);
		variant = copy;
		return *this;
	}
	~Value() { Drop(&variant); }
	uint64_t Type() const { return variant.type; }
	const std::string& Text() const { return GetText(&variant.shared); }
	size_t Size() const
	{
		return variant.type == kArray ? variant.shared->items.size() : variant.type == kReals ? variant.shared->reals.size() :
			variant.type == kBytes ? variant.shared->bytes.size() : 0;
	}
	Value operator[](const char* key) const
	{
		const Value name(key);
		const Variant* found = variant.type == kDictionary ? Find(&variant, &name.variant) : nullptr;
		return found != nullptr ? Of(*found) : Value();
	}
	Value At(size_t place) const { return Of(variant.shared->items.at(place)); }
	static Value Of(const Variant& variant)
	{
		Value value;
		value.variant = Copy(&variant);
		return value;
	}
};

using Pairs = std::vector<std::pair<Value, Value>>;
using Values = std::vector<Value>;

static Value Dictionary(const Pairs& pairs)
{
	Value value;
	value.variant = Make(kDictionary);
	for (auto& pair : pairs)
	{
		value.variant.shared->pairs.push_back({Copy(&pair.first.variant), Copy(&pair.second.variant)});
	}
	return value;
}

static Value Array(const Values& items)
{
	Value value;
	value.variant = Make(kArray);
	for (auto& item : items)
	{
		value.variant.shared->items.push_back(Copy(&item.variant));
	}
	return value;
}

static Value Vector(std::vector<float> parts)
{
	Value value;
	value.variant = Make(parts.size() == 2 ? kVector2 : parts.size() == 3 ? kVector3 : kTurn);
	memcpy(value.variant.parts, parts.data(), parts.size() * sizeof(float));
	return value;
}

static Value Reals(std::vector<float> reals)
{
	Value value;
	value.variant = Make(kReals);
	value.variant.shared->reals = reals;
	return value;
}

static Value Bytes(std::vector<uint8_t> bytes)
{
	Value value;
	value.variant = Make(kBytes);
	value.variant.shared->bytes = bytes;
	return value;
}

static Value Name(const char* text)
{
	Value value(text);
	value.variant.type = kName;
	return value;
}

static int s_failed = 0;

static void Expect(bool holds, const char* what)
{
	if (!holds)
	{
		++s_failed;
		fprintf(stderr, "FAIL %s (last error: %s)\n", what, s_printed.c_str());
	}
}

class Script
{
public:
	Object* object;
	explicit Script(const char* name)
	{
		Class& type = s_types.at(name);
		object = static_cast<Object*>(type.info.create_instance_func(type.info.class_userdata));
		Demand(object->type == &type, "an object of another class");
	}
	Script(const Script&) = delete;
	~Script()
	{
		object->type->info.free_instance_func(object->type->info.class_userdata, object->instance);
		delete object;
	}
	Value Call(const char* method, const Values& given = {}) const
	{
		const auto& found = object->type->methods.at(method);
		std::vector<const void*> arguments;
		for (auto& value : given)
		{
			arguments.push_back(&value.variant);
		}
		Value result;
		GDExtensionCallError error{};
		found.call_func(found.method_userdata, object->instance, arguments.data(), static_cast<int64_t>(arguments.size()), &result.variant, &error);
		Demand(error.error == GDEXTENSION_CALL_OK, method);
		return result;
	}
	// What is refused returns null or false, says why, and has changed nothing.
	void Refuse(const char* method, const Values& given, const char* text) const
	{
		s_printed.clear();
		const Value result = Call(method, given);
		Expect(result.Type() == kNil || (result.Type() == kBool && result.variant.whole == 0), method);
		Expect(Call("get_error").Text().find(text) != std::string::npos && s_printed.find(text) != std::string::npos, text);
	}
};

static std::string GetHash(const Script& world)
{
	char text[32];
	snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(world.Call("get_hash").variant.whole));
	return text;
}

static std::string RunWorld()
{
	Script world("TarnWorld");
	const Value made = world.Call("create", {Dictionary({{"columnCount", 96}, {"rowCount", 64}, {"cellSize", 0.5}, {Name("method"), Name("shallow")},
		{"tracerCount", 1}, {"edges", Dictionary({{1, Dictionary({{"kind", "open"}})}})},
		{"waves", Dictionary({{"enable", true}, {"levelCount", 3}, {"tileCount", 64}})}, {"spray", Dictionary({{"enable", true}})},
		{"foam", Dictionary({{"enable", true}})}})});
	Expect(made.Type() == kBool && made.variant.whole == 1, "create");
	std::vector<float> heights;
	for (int row = 0; row < 64; ++row)
	{
		for (int column = 0; column < 96; ++column)
		{
			heights.push_back(static_cast<float>((column * 7 + row * 13) % 16) / 16.0f + static_cast<float>(column) / 32.0f);
		}
	}
	world.Call("set_terrain", {Reals(heights)});
	world.Call("add_water", {Vector({12, 16}), 6, 200});
	world.Call("create_source", {Dictionary({{"center", Vector({36, 8})}, {"rate", 2.5}, {"tracers", Array({0.5})}})});
	const Value crate = world.Call("create_body", {Dictionary({{"shapes", Array({Dictionary({{"halfExtents", Vector({1, 0.5, 1.5})}})})}, {"mass", 1500},
		{"pose", Dictionary({{"position", Vector({14, 2, 16})}})}})});
	for (int step = 0; step < 90; ++step)
	{
		world.Call("move_body", {crate, Dictionary({{"position", Vector({14.0f + static_cast<float>(step) / 32.0f, 2, 16})},
			{"rotation", Vector({0, 0, 0, 1})}}), Vector({1.875, 0, 0}), Vector({0, 0, 0})});
		world.Call("step", {1.0 / 64});
	}
	Expect(world.Call("get_error").Text().empty(), "no error");
	return "world " + GetHash(world);
}

static std::string RunVoxels()
{
	Script world("TarnVoxelWorld");
	world.Call("create", {Dictionary({{"liquidCount", 2}, {"liquids", Dictionary({{1, Dictionary({{"viscosity", 4}, {"density", 2500}})}})}})});
	const auto box = [](Values low, Values high) { return Dictionary({{"low", Array(low)}, {"high", Array(high)}}); };
	world.Call("load_block", {Array({0, 0, 0})});
	world.Call("fill_solid", {box({0, 0, 0}, {64, 8, 64}), 255});
	world.Call("fill_solid_ball", {Vector({20, 8, 20}), 7.5, 0});
	world.Call("add_liquid", {box({14, 20, 14}, {26, 30, 26}), 1, 1024});
	world.Call("add_liquid", {box({30, 12, 30}, {34, 20, 34}), 2, 700});
	for (int step = 0; step < 120; ++step)
	{
		world.Call("step", {0});
	}
	const Value solid = world.Call("read", {box({0, 8, 0}, {64, 9, 64})})["solid"];
	Expect(solid.Type() == kBytes && solid.Size() == 64 * 64, "read");
	return "voxels " + GetHash(world);
}

static void TestValues()
{
	Script world("TarnWorld");
	world.Refuse("step", {0.1}, "call create() first");
	world.Call("create", {Dictionary({{"columnCount", 37}, {"rowCount", 23}})});
	world.Call("fill_to_level", {1.0});
	const Value depth = world.Call("get_depth");
	Expect(depth.Type() == kReals && depth.Size() == 37 * 23 && depth.variant.shared->reals.back() == 1.0f, "fields");
	Expect(world.Call("sample", {Vector({5, 5})})["depth"].variant.real == 1.0, "sample");
	Expect(world.Call("sample_many", {Reals({5, 5, 900, 1})}).Size() == 2, "samples");
	const Value outside = world.Call("sample_many", {Array({Vector({5, 5}), Array({900, 1})})}).At(1)["inside"];
	Expect(outside.Type() == kBool && outside.variant.whole == 0, "outside");
	Expect(world.Call("sample", {Reals({5, 5})})["depth"].variant.real == 1.0, "an array of floats as a vector");
	Expect(world.Call("get_def")["method"].Text() == "pipe", "enums");
	Expect(world.Call("get_def")["edges"].At(3)["kind"].Text() == "wall", "arrays of structs");
	Expect(world.Call("add_water", {Vector({10, 10}), 3, 20}).variant.real == 20.0, "what comes back");
	const Value velocities = world.Call("copy_velocities");
	Expect(velocities["velocitiesX"].Size() == 37 * 23 && velocities["velocitiesZ"].Size() == 37 * 23, "several values");
	const Value saved = world.Call("save");
	const std::string before = GetHash(world);
	world.Call("step", {1.0 / 60});
	Expect(GetHash(world) != before, "stepped");
	world.Call("restore", {saved});
	Expect(saved.Type() == kBytes && GetHash(world) == before, "restored");
	const Value body = world.Call("create_body", {Dictionary({{"shapes", Array({Dictionary({{"kind", "sphere"}, {"radius", 2}})})},
		{"pose", Dictionary({{"position", Vector({18, 1, 11})}})}})});
	world.Call("step", {1.0 / 60});
	Expect(world.Call("get_bodies").Size() == 1, "bodies");
	Expect(world.Call("get_body_wrench", {body})["force"].variant.parts[1] > 1000.0f, "wrench");
	Expect(world.Call("get_body_state", {body})["pose"]["rotation"].Type() == kTurn, "rotation");
	Expect(world.Call("get_body_mesh", {body})["points"].Size() > 8, "mesh");
	Expect(world.Call("get_sounds").Size() < 257, "lists that may be empty");
	world.Call("destroy_body", {body});
	world.Refuse("get_body_state", {body}, "body");
	world.Call("destroy");
	world.Refuse("get_depth", {}, "call create() first");
	world.Call("destroy");
}

static void TestRefused()
{
	Script world("TarnWorld");
	const std::vector<std::pair<Value, const char*>> mistakes = {
		{Dictionary({{"columnCount", 12.5}}), "columnCount must be a whole number"},
		{Dictionary({{"columnCount", int64_t{1} << 40}}), "columnCount does not fit into int"},
		{Dictionary({{"cellSize", "1"}}), "cellSize must be a number"},
		{Dictionary({{"cellSize", std::nan("")}}), "cellSize"},
		{Dictionary({{"cellsize", 1}}), "has no field cellsize"},
		{Dictionary({{7, 1}}), "has no field 7"},
		{Dictionary({{"a name that is longer than any that a field of a struct of the library has got", 1}}), "has no field a name"},
		{Dictionary({{"method", "fluid"}}), "method must not be \"fluid\""},
		{Dictionary({{"enableSleep", 1}}), "enableSleep must be true or false"},
		{Dictionary({{"edges", Dictionary({{4, Dictionary({})}})}}), "edges has not so many places"},
		{Dictionary({{"edges", Dictionary({{"east", Dictionary({})}})}}), "edges has not so many places"},
		{Dictionary({{"edges", 3}}), "edges must be an array"},
		{Dictionary({{"waves", 3}}), "waves must be a dictionary"},
		{Dictionary({{"waves", Dictionary({{"enable", true}, {"levelCount", 99}})}}), "levelCount"},
		{7, "def must be a dictionary"},
		{"", "def must be a dictionary"},
	};
	for (auto& mistake : mistakes)
	{
		world.Refuse("create", {mistake.first}, mistake.second);
	}
	world.Call("create");
	const std::string before = GetHash(world);
	world.Refuse("step", {}, "step: timeStep is missing");
	world.Refuse("step", {0.1, 2}, "fewer parameters");
	world.Refuse("step", {std::nan("")}, "timeStep");
	world.Refuse("step", {Value()}, "timeStep must be a number");
	world.Refuse("set_terrain", {Reals({1, 2})}, "heights must have 16384 values, got 2");
	world.Refuse("set_terrain", {Reals({})}, "heights must have 16384 values, got 0");
	world.Refuse("set_terrain", {Bytes({1})}, "heights must be an array of float");
	world.Refuse("set_edges", {Array({Dictionary({}), Dictionary({})})}, "defs must have 4 values, got 2");
	world.Refuse("sample", {Array({1, 2, 3})}, "position must have all parts");
	world.Refuse("sample_many", {Reals({1, 2, 3})}, "positions must be an array of tnVec2");
	world.Refuse("restore", {Bytes({1, 2, 3})}, "it is cut off");
	world.Refuse("create_body", {Dictionary({{"shapes", Array({Dictionary({}), 3})}})}, "shapes must be a dictionary");
	world.Refuse("create", {Dictionary({{"cellSize", -1}})}, "cellSize must be in [0.001, 1000], got -1");
	world.Refuse("create", {Dictionary({}), 1}, "fewer parameters");
	world.Refuse("destroy", {1}, "fewer parameters");
	Expect(world.Call("get_def")["columnCount"].variant.whole == 128 && GetHash(world) == before, "nothing has changed");
}

int main(int count, char** arguments)
{
	void* library = count == 3 ? dlopen(arguments[1], RTLD_NOW) : nullptr;
	if (library == nullptr)
	{
		fprintf(stderr, "stand_in_host LIBRARY FILE: %s\n", dlerror());
		return 2;
	}
	const auto enter = reinterpret_cast<GDExtensionInitializationFunction>(dlsym(library, "tarn_godot_init"));
	GDExtensionInitialization levels{};
	// An older Godot has not all functions.
	const auto old = [](const char* name) { return strcmp(name, "variant_get_keyed") == 0 ? nullptr : GetProcAddress(name); };
	Expect(enter(old, &s_library, &levels) == 0, "an interface that lacks something");
	Expect(enter(GetProcAddress, &s_library, &levels) == 1 && levels.minimum_initialization_level == GDEXTENSION_INITIALIZATION_SCENE, "entry");
	levels.initialize(levels.userdata, GDEXTENSION_INITIALIZATION_SCENE);
	levels.initialize(levels.userdata, GDEXTENSION_INITIALIZATION_EDITOR);
	Expect(s_types.size() == 2 && s_types["TarnWorld"].base == "RefCounted" && s_helpPages == 2, "classes");
	{
		std::ofstream file(arguments[2]);
		file << RunWorld() << "\n" << RunVoxels() << "\n";
		Script world("TarnWorld");
		world.Call("create", {Dictionary({{"cellSize", -1}})});
		file << world.Call("get_error").Text() << "\n";
	}
	const int alive = s_alive;
	TestValues();
	TestRefused();
	Expect(s_alive == alive, "values that are left");
	levels.deinitialize(levels.userdata, GDEXTENSION_INITIALIZATION_EDITOR);
	levels.deinitialize(levels.userdata, GDEXTENSION_INITIALIZATION_SCENE);
	Expect(s_types.empty() && s_alive == 0, "nothing is left");
	printf("failed: %d\n", s_failed);
	return s_failed != 0;
}

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Writes what bindings/godot/tarn_godot.h has of the headers: calls.inc, with tables of structs and enums, and for each function of a world
# a method; doc_classes/*.xml, the documentation of these methods as Godot 3 or 4 has it; and help.inc, the same as texts of C, for Godot 4,
# which has no other way to it.
#
#   godot.py VERSION FOLDER PAGES      calls.inc and help.inc go into FOLDER, pages into PAGES

import os
import re
import sys
from xml.sax.saxutils import escape, quoteattr

from describe import describe, spell

CLASSES = {"tnWorld": "world", "tnVoxelWorld": "voxel"}
# What GDScript has no use for or no way to: callbacks, tasks, allocators, and what asks other objects.
LEFT_OUT_ROLES = {"callback", "context", "tasks", "mesh", "newHandle"}
LEFT_OUT_FUNCTIONS = {"tnVoxelWorld_TakeChanged"}
HIDDEN_FIELDS = {"tnAllocator", "tnTaskSystem", "tnErrorHook", "void"}
REALS = {"float", "double"}
SIGNED = {"int", "int32_t", "int64_t"}
UNSIGNED = {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t"}

# What Godot calls its types, by its version.
NAMES = {
    "3": {"base": "Reference", "version": "3.2", "reals": "PoolRealArray", "bytes": "PoolByteArray", "turn": "Quat"},
    "4": {"base": "RefCounted", "version": "4.3", "reals": "PackedFloat32Array", "bytes": "PackedByteArray", "turn": "Quaternion"},
}


def snake(name):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def get_method(description, name):
    """Class and method of a function of a world, or None."""
    function = description["functions"][name]
    parameters = function["parameters"]
    if not parameters or parameters[0]["role"] != "handle" or parameters[0]["type"]["name"] not in CLASSES or \
            name in LEFT_OUT_FUNCTIONS or re.match(r"tn(Create|Destroy)[A-Z]", name):
        return None
    if any(p["role"] in LEFT_OUT_ROLES or i and p["role"] == "handle" for i, p in enumerate(parameters)):
        return None
    prefix, _, rest = name[2:].partition("_")
    if "tn" + prefix not in CLASSES:
        rest = rest.replace("Is", "Is" + prefix, 1)
    return parameters[0]["type"]["name"], snake(rest)


class Writer:
    def __init__(self, description):
        self.description = description
        self.done = set()
        self.lines = []

    def type(self, name):
        """The place of a type in the tables, which are written when one is asked for first."""
        if name not in self.done:
            self.done.add(name)
            if name in self.description["structs"]:
                self.write_struct(name)
            elif name in self.description["enums"]:
                values = [v for v in self.description["enums"][name]["values"] if "short" in v]
                names = ", ".join(f'{{"{v["short"]}", {v["value"]}}}' for v in values)
                self.lines.append(f"static const tngEnumerator tngOf_{name}_names[] = {{{names}}};")
                self.lines.append(f'static const tngType tngOf_{name} = {{"{name}", tng_enum, sizeof({name}), NULL, 0, '
                                  f"tngOf_{name}_names, {len(values)}, NULL}};")
            else:
                kind = "bool" if name == "bool" else "real" if name in REALS else "signed" if name in SIGNED else \
                    "unsigned" if name in UNSIGNED else "text" if name == "char" else None
                assert kind, name
                self.lines.append(f'static const tngType tngOf_{name} = {{"{name}", tng_{kind}, sizeof({name}), NULL, 0, NULL, 0, NULL}};')
        return f"tngOf_{name}"

    def write_struct(self, name):
        fields = self.description["structs"][name]["fields"]
        members = []
        for field in fields:
            kind = field["type"]
            if field["name"] == "stamp" or not kind["name"] or kind["name"] in HIDDEN_FIELDS or name == "tnFieldView" or \
                    kind["pointer"] and kind["counts"]:
                continue
            count, counter, group = 0, "0", 1
            if kind["pointer"]:
                wanted = (re.sub("s$", "", field["name"]) + "Count", "count")
                found = next((f["name"] for f in fields if f["name"] in wanted), None)
                if not found:
                    continue
                count, counter, group = -1, f"offsetof({name}, {found})", 3 if field["name"] == "triangles" else 1
            elif kind["counts"]:
                count = kind["counts"][0]
            members.append(f'{{"{field["name"]}", &{self.type(kind["name"])}, offsetof({name}, {field["name"]}), {count}, {counter}, {group}}}')
        table = "NULL"
        if members:
            table = f"tngOf_{name}_members"
            self.lines.append(f"static const tngMember {table}[] = {{" + ", ".join(members) + "};")
        default = f"tnDefault{name[2:]}"
        setter = "NULL"
        if default in self.description["functions"]:
            setter = f"tngSet{name[2:]}"
            self.lines.append(f"static void {setter}(void* place)\n{{\n\t*({name}*)place = {default}();\n}}")
        kind = {"tnVec2": "vector2", "tnVec3": "vector3", "tnQuat": "quat", "tnFieldView": "field"}.get(name, "struct")
        self.lines.append(f'static const tngType tngOf_{name} = {{"{name}", tng_{kind}, sizeof({name}), {table}, {len(members)}, NULL, 0, {setter}}};')

    def write_call(self, name, method):
        function = self.description["functions"][name]
        first, *parameters = function["parameters"]
        world = first["type"]["name"]
        take, ready, arguments, give = [], [], ["world"], []
        twice = None
        counted = None
        cells = {"world": "tngCountCells(world, 0, 0)", "xFaces": "tngCountCells(world, 1, 0)", "zFaces": "tngCountCells(world, 0, 1)",
                 "block": "(columns > 0 && rows > 0 ? (int64_t)columns * rows : 0)", "box": "tngCountVoxels(box)"}
        for i, p in enumerate(parameters):
            role, label, kind = p["role"], p["name"], p["type"]["name"]
            if role == "value":
                take += [f"{kind} {label};", f"memset(&{label}, 0, sizeof({label}));", f'tngTake(&call, &{self.type(kind)}, "{label}", &{label});']
                arguments.append(label)
            elif role == "struct":
                optional = "true" if p.get("optional") else "false"
                take += [f"{kind} {label}Value;", f"memset(&{label}Value, 0, sizeof({label}Value));",
                         f'const {kind}* {label} = tngTakeStruct(&call, &{self.type(kind)}, "{label}", &{label}Value, {optional});']
                arguments.append(label)
            elif role in ("list", "cells", "bytes"):
                item = "uint8_t" if role == "bytes" else kind
                optional = "true" if p.get("optional") else "false"
                take += [f"int {label}Count;",
                         f'const {item}* {label} = tngTakeList(&call, &{self.type(item)}, "{label}", {optional}, &{label}Count);']
                if role == "cells":
                    take.append(f'tngNeed(&call, "{label}", {label}, {label}Count, call.failed ? 0 : {cells[p["cells"]]});')
                elif p.get("count", "").isdigit():
                    take.append(f'tngNeed(&call, "{label}", {label}, {label}Count, {p["count"]});')
                counted = f"{label}Count"
                arguments.append(label)
            elif role in ("count", "size"):
                arguments.append("&filled" if twice else f"(size_t){counted}" if role == "size" else counted)
            elif role == "out":
                take += [f"{kind} {label};", f"memset(&{label}, 0, sizeof({label}));"]
                arguments.append(f"&{label}")
                give.append(f'tngGive(&call, &{self.type(kind)}, "{label}", &{label});')
            elif role in ("outCells", "outList"):
                count = cells[p["cells"]] if role == "outCells" else counted
                ready += [f"const int {label}Count = (int){count};",
                          f"{kind}* {label} = tngTakeRoom(&call, (size_t){label}Count, sizeof({kind}));"]
                arguments.append(label)
                give.append(f'tngAnswer(&call, "{label}", tngMakeList(&{self.type(kind)}, {label}, {label}Count));')
            elif role in ("save", "fill"):
                kind = "uint8_t" if role == "save" else kind
                twice = (label, kind, "size_t" if role == "save" else "int")
                arguments.append(label)
            elif role == "capacity":
                arguments.append("capacity")
        result = spell(function["result"])
        lines = [f"static godot_variant tngCall_{name}(godot_object* object, void* data, void* self, int givenCount, godot_variant** given)", "{",
                 "\t(void)object, (void)data;", f'\ttngCall call = tngBegin(self, "{method}", givenCount, given, true);',
                 f"\t{world}* world = ((tngObject*)self)->world;"]
        lines += ["\t" + line for line in take]
        body = list(ready)
        if twice:
            label, kind, number = twice
            has_count = "&filled" in arguments
            body += [f"{number} capacity = 0, filled = 0;", f"{kind}* {label} = NULL;"]
            call = f"{name}({', '.join(arguments)})"
            # What takes a budget or a greatest number is asked for all there may be.
            if name == "tnWorld_GetSounds":
                body += ["filled = 256;"]
            else:
                body += [f"{call};" if has_count else f"filled = {call};"]
            body += ["capacity = filled;", f"{label} = tngTakeRoom(&call, (size_t)capacity, sizeof({kind}));"]
            if result == "tnResult":
                body += [f"if (call.failed == false && tngCheck(&call, {call}))", "{"]
            else:
                body += ["if (call.failed == false)", "{", f"\tfilled = {call};"]
            body += ["\tfilled = filled < capacity ? filled : capacity;",
                     f'\ttngAnswer(&call, "{label}", tngMakeList(&{self.type(kind)}, {label}, (int)filled));']
            body += ["\t" + line for line in give] + ["}"]
        else:
            call = f"{name}({', '.join(arguments)})"
            if result == "tnResult":
                if ready:
                    body += ["if (call.failed)", "{", "\treturn tngEnd(&call);", "}"]
                body += [f"if (tngCheck(&call, {call}))", "{"] + ["\t" + line for line in give] + ["}"] if give else [f"tngCheck(&call, {call});"]
            elif result == "void":
                body += [f"{call};"]
            elif result == "bool" and give:
                body += [f"if ({call})", "{"] + ["\t" + line for line in give] + ["}"]
            elif result == "const char*":
                body += [f'tngAnswer(&call, "result", tngMakeText({call}));']
            else:
                body += [f"{result} result = {call};"] if not (give and result == "int") else [f"{call};"] + give
                if not (give and result == "int"):
                    body += [f'tngGive(&call, &{self.type(result)}, "result", &result);'] + give
        lines += ["\tif (tngIsReady(&call))", "\t{"] + ["\t\t" + line for line in body] + ["\t}", "\treturn tngEnd(&call);", "}", ""]
        self.lines.append("\n".join(lines))

    def write(self):
        methods = {kind: [] for kind in CLASSES}
        for kind in CLASSES:
            self.type(kind + "Def")
        for name in self.description["functions"]:
            place = get_method(self.description, name)
            if place:
                self.write_call(name, place[1])
                methods[place[0]].append(f'{{"{place[1]}", tngCall_{name}}}')
        head = "// SPDX-License-Identifier: MIT\n//\n// Made of the headers by bindings/generate/godot.py.\n"
        tail = ["typedef struct\n{\n\tconst char* name;\n\tgdMethodFcn* function;\n} tngMethod;"]
        tail += [f"static const tngMethod s_{CLASSES[kind]}Methods[] = {{\n\t" + ",\n\t".join(found) + "};" for kind, found in methods.items()]
        return "\n".join([head, *self.lines, *tail, ""])


class Pages:
    """Documentation of the classes, for one version of Godot."""

    def __init__(self, description, version):
        self.description = description
        self.names = NAMES[version]
        self.version = version

    def spell(self, kind):
        """A type of C as a type of Godot."""
        name = kind["name"]
        return "bool" if name == "bool" else "float" if name in REALS else "int" if name in SIGNED | UNSIGNED else \
            "String" if name in self.description["enums"] or name == "char" else self.names["reals"] if name == "tnFieldView" else \
            {"tnVec2": "Vector2", "tnVec3": "Vector3", "tnQuat": self.names["turn"]}.get(name, "Dictionary")

    def write_method(self, name, result, given, text):
        """Parameters: pairs of name and type, or three with the default."""
        if self.version == "3":
            lines = [f'<return type="{result}"></return>']
            lines += [f'<argument index="{i}" name={quoteattr(p[0])} type="{p[1]}"{self.write_default(p)}></argument>' for i, p in enumerate(given)]
        else:
            lines = [f'<return type="{result}" />']
            lines += [f'<param index="{i}" name={quoteattr(p[0])} type="{p[1]}"{self.write_default(p)} />' for i, p in enumerate(given)]
        lines += ["<description>", *[f"\t{escape(line)}" for line in text.split("\n")], "</description>"]
        return [f'\t\t<method name="{name}">', *["\t\t\t" + line for line in lines], "\t\t</method>"]

    @staticmethod
    def write_default(parameter):
        return f' default="{parameter[2]}"' if len(parameter) > 2 else ""

    def describe_method(self, name, method):
        function = self.description["functions"][name]
        given, comments, back = [], [], []
        for p in function["parameters"][1:]:
            role, kind = p["role"], self.spell(p["type"]) if p["type"]["name"] != "void" else self.names["bytes"]
            if role in ("list", "cells", "bytes"):
                kind = self.names["bytes"] if role == "bytes" else self.names["reals"] if p["type"]["name"] == "float" else "Array"
            if role in ("value", "struct", "list", "cells", "bytes"):
                given.append((p["name"], kind))
                comments += [f"{p['name']}: {p['comment']}"] if p.get("comment") else []
            elif role in ("out", "outCells", "outList", "fill", "save"):
                back.append((p["name"], kind if role == "out" else self.names["bytes"] if role == "save" else "Array"))
        if function["result"]["name"] not in ("tnResult", "void") and not (back and function["result"]["name"] in ("int", "bool")):
            back.insert(0, ("result", self.spell(function["result"])))
        text = [function["comment"], *comments]
        text += [f"Returns {function['returns']}"] if function.get("returns") else []
        text += ["Returns a dictionary with " + ", ".join(label for label, _ in back) + "."] if len(back) > 1 else []
        result = back[0][1] if len(back) == 1 else "Dictionary" if back else "void"
        return self.write_method(method, result, given, "\n".join(line for line in text if line))

    def write(self, handle):
        name = handle.replace("tn", "Tarn", 1)
        lines = ['<?xml version="1.0" encoding="UTF-8" ?>',
                 f'<class name="{name}" inherits="{self.names["base"]}" version="{self.names["version"]}">',
                 "\t<brief_description>", "\t\tReal-time water, by tarn.", "\t</brief_description>", "\t<description>",
                 *["\t\t" + escape(line) for line in self.description["handles"][handle]["comment"].split("\n")], "\t</description>",
                 "\t<methods>"]
        lines += self.write_method("create", "bool", [("def", "Dictionary", "null")],
                                   f"Make a world in place of the one there may be: fields of {handle}Def.")
        lines += self.write_method("destroy", "void", [], "Destroy the world, if there is one.")
        lines += self.write_method("get_error", "String", [], "Why the last call was refused; empty if it was not.")
        for function in self.description["functions"]:
            place = get_method(self.description, function)
            if place and place[0] == handle:
                lines += self.describe_method(function, place[1])
        return name, "\n".join([*lines, "\t</methods>", "</class>", ""])


def spell_text(text):
    """A text as one of C, in bytes: compilers have limits for what is in quotes."""
    data = text.encode("utf-8") + b"\0"
    lines = [", ".join(str(byte) for byte in data[i:i + 32]) for i in range(0, len(data), 32)]
    return "{\n\t" + ",\n\t".join(lines) + "}"


def main():
    version, folder, pages = sys.argv[1:]
    description = describe()
    os.makedirs(folder, exist_ok=True)
    os.makedirs(pages, exist_ok=True)
    with open(os.path.join(folder, "calls.inc"), "w", encoding="utf-8") as file:
        file.write(Writer(description).write())
    written = [Pages(description, version).write(handle) for handle in CLASSES]
    for name, text in written:
        with open(os.path.join(pages, name + ".xml"), "w", encoding="utf-8") as file:
            file.write(text)
    if version == "4":
        with open(os.path.join(folder, "help.inc"), "w", encoding="utf-8") as file:
            file.writelines(f"static const char s_helpOf{name}[] = {spell_text(text)};\n" for name, text in written)
            file.write("static const char* const s_help[] = {" + ", ".join(f"s_helpOf{name}" for name, _ in written) + "};\n")


if __name__ == "__main__":
    main()

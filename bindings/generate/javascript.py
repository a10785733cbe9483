#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Writes what the npm package has of the headers: api.mjs, tables that the code reads, and index.d.ts, types as a person would write
# them, with the comments.
#
#   javascript.py FOLDER

import json
import os
import re
import sys

from describe import ROOT, describe, spell

# Not there, or written by hand in index.mjs and types.d.ts.
BY_HAND = {
    "tnSetAssertHandler", "tnWorld_StartRecording", "tnReplay_GetWorld", "tnSurface_GetTile", "tnSurface_BuildMesh",
    "tnVoxelMesher_Build", "tnVoxelMesher_BuildMany", "tnVoxelWorld_TakeChanged",
}
# Nothing that JavaScript could fill in.
HIDDEN = {"tnAllocator", "tnTaskSystem", "tnErrorHook", "tnResult", "tnSurfaceMesh", "tnVoxelMesh", "tnVoxelMeshTask"}
NUMBERS = {"float", "double", "int", "int32_t", "uint32_t", "uint8_t", "uint16_t", "size_t", "int64_t"}


def lower(text):
    return text[0].lower() + text[1:]


def is_called(name):
    return name not in BY_HAND and not re.match(r"tn(Create|Destroy|Default)[A-Z]", name)


def get_place(description, name):
    """Class and method of a function; no class for those that are about nothing."""
    prefix, _, rest = name[2:].partition("_")
    if not rest:
        return None, lower(prefix)
    if "tn" + prefix in description["handles"]:
        return prefix, lower(rest)
    return "World", lower(rest.replace("Is", "Is" + prefix, 1))


def write_tables(description):
    structs = {}
    for name, struct in description["structs"].items():
        fields = []
        for field, offset in zip(struct["fields"], struct["layout"]["32"]["offsets"]):
            kind = field["type"]
            count = -1 if kind["pointer"] and not kind["counts"] else kind["counts"][0] if kind["counts"] else 0
            fields.append([field["name"], kind["name"] or "function", offset, count])
        structs[name] = [struct["layout"]["32"]["size"], fields]
    enums = {name: {v["short"]: v["value"] for v in enum["values"] if "short" in v} for name, enum in description["enums"].items()}
    functions = []
    for name, function in description["functions"].items():
        if not is_called(name):
            continue
        parameters = []
        for p in function["parameters"]:
            extra = p.get("cells") or (p.get("count", "") if p["role"] == "fill" else "")
            parameters.append([p["role"], p["name"], p["type"]["name"], extra, 1 if p.get("optional") else 0])
        place = get_place(description, name)
        functions.append([name, place[0] or "", place[1], spell(function["result"]), parameters])
    parts = [
        "// SPDX-License-Identifier: MIT",
        "//",
        "// Made of the headers by bindings/generate/javascript.py.",
        "",
        "// [bytes, [name, type, offset, -1 for a pointer or the length of an array]]",
        f"export const structs = {dump(structs)};",
        f"export const enums = {dump(enums)};",
        "// [name in C, class, method, result, [role, name, type, extra, optional]]",
        f"export const functions = {dump(functions)};",
        f"export const constants = {dump({n[3:]: c['value'] for n, c in description['constants'].items()})};",
        f"export const handles = {dump([n[2:] for n in description['handles']])};",
        f"export const defaults = {dump([n[9:] for n in description['functions'] if n.startswith('tnDefault')])};",
        "",
    ]
    return "\n".join(parts)


def dump(value):
    return json.dumps(value, separators=(",", ":"))


class Types:
    """TypeScript of the description."""

    def __init__(self, description):
        self.description = description

    def comment(self, text, indent="", tags=()):
        lines = [line.replace("*/", "* /") for line in text.split("\n")] if text else []
        lines += list(tags)
        if not lines:
            return ""
        if len(lines) == 1:
            return f"{indent}/** {lines[0]} */\n"
        return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"

    def value(self, kind, given):
        """The type of a value. `given`: it goes in, so that fields may be left out."""
        name = kind["name"]
        if name == "bool":
            text = "boolean"
        elif name == "uint64_t":
            text = "bigint"
        elif name in NUMBERS:
            text = "number"
        elif name == "char":
            text = "string"
        elif name in self.description["enums"]:
            text = name[2:]
        elif name == "tnFieldView":
            text = "FieldView | null"
        elif name in ("tnVec2", "tnVec3", "tnQuat", "tnVoxel"):
            text = name[2:] + ("Like" if given else "")
        else:
            text = f"Given<{name[2:]}>" if given and not name.endswith("Id") else name[2:]
        return text

    def field(self, field):
        kind = field["type"]
        if kind["pointer"]:
            if kind["name"] in ("float", "int32_t", "uint32_t", "tnVec2", "tnVec3"):
                array = {"int32_t": "Int32Array", "uint32_t": "Uint32Array"}.get(kind["name"], "Float32Array")
                return f"{array} | null"
            if "const" in spell(kind) and kind["name"] in self.description["structs"]:
                return f"{kind['name'][2:]}[]" if kind["name"].endswith("Def") else f"StructList<{kind['name'][2:]}>"
            return None
        if kind["counts"] and kind["name"] != "char":
            return f"{self.value(kind, False)}[]"
        return self.value(kind, False)

    def is_list(self, name):
        fields = self.description["structs"][name]["fields"]
        return len(fields) == 2 and fields[1]["name"] == "count" and fields[0]["type"]["pointer"] > 0

    def result(self, kind):
        name = kind["name"]
        if name in self.description["structs"] and self.is_list(name):
            return f"StructList<{self.description['structs'][name]['fields'][0]['type']['name'][2:]}>"
        return self.value(kind, False)

    def method(self, name, function, indent, keyword=""):
        arguments, results, tags = [], [], []
        optional_from_here = True
        for p in reversed([p for p in function["parameters"][1 if function["parameters"] and
                                                               function["parameters"][0]["role"] == "handle" else 0 :]]):
            role, kind = p["role"], p["type"]
            own = p.get("optional") or (name, p["name"]) == ("tnVoxelWorld_Step", "workLimit")
            if role == "handle":
                text = kind["name"][2:]
            elif role == "value":
                text = self.value(kind, True)
            elif role == "struct":
                text = self.value(kind, True) + (" | null" if own else "")
            elif role == "list":
                text = f"ArrayLike<number> | {self.value(kind, True)}[]" if kind["name"] in ("tnVec2", "tnVec3", "tnVoxel") else \
                    f"({self.value(kind, True)})[]"
            elif role == "cells":
                text = "ArrayLike<number>" + (" | null" if own else "")
            elif role == "bytes":
                text = "Uint8Array"
            elif role == "capacity" and name in ("tnStream_Write", "tnWorld_GetSounds"):
                text = "number"
            else:
                continue
            optional_from_here = optional_from_here and bool(own)
            arguments.insert(0, f"{'_' if p['name'] in ('in', 'function') else ''}{p['name']}{'?' if optional_from_here else ''}: {text}")
            if p.get("comment"):
                tags.insert(0, f"@param {p['name']} {p['comment']}")
        names = []
        for p in function["parameters"]:
            role, kind = p["role"], p["type"]
            if role == "save":
                results.append("Uint8Array")
            elif role == "fill":
                results.append("Float32Array" if kind["name"] in ("tnVec2", "tnVec3") else f"{kind['name'][2:]}[]")
            elif role == "out":
                results.append(self.result(kind))
            elif role == "outList":
                results.append(f"{kind['name'][2:]}[]")
            elif role == "outCells":
                results.append({"float": "Float32Array", "uint8_t": "Uint8Array", "uint16_t": "Uint16Array"}[kind["name"]])
            else:
                continue
            names.append(p["name"])
        result = function["result"]
        if result["name"] in ("tnResult", "void") or results and result["name"] == "int":
            pass
        elif result["name"] == "bool" and results:
            results = [results[0] + " | null"]
        else:
            results.insert(0, self.result(result))
        text = "void" if not results else results[0] if len(results) == 1 else \
            "{ " + "; ".join(f"{n}: {r}" for n, r in zip(names, results)) + " }"
        if function.get("returns"):
            tags.append(f"@returns {function['returns']}")
        _, method = get_place(self.description, name)
        return self.comment(function["comment"], indent, tags) + f"{indent}{keyword}{method}({', '.join(arguments)}): {text};\n"

    def write(self, by_hand):
        parts = ["// SPDX-License-Identifier: MIT\n//\n// Made of the headers by bindings/generate/javascript.py, and of types.d.ts.\n"]
        for name, enum in self.description["enums"].items():
            parts.append(self.comment(enum["comment"], tags=[f"- `{v['short']}`: {' '.join(v['comment'].split())}"
                                                             for v in enum["values"] if v.get("comment") and "short" in v]) +
                         f"export type {name[2:]} = " + " | ".join(f'"{v["short"]}"' for v in enum["values"] if "short" in v) + ";\n")
        for name, struct in self.description["structs"].items():
            if name in HIDDEN or name == "tnFieldView" or self.is_list(name):
                continue
            lines = [self.comment(struct["comment"]) + f"export interface {name[2:]} {{\n"]
            for field in struct["fields"]:
                if field["name"] == "stamp" or field["type"]["name"] in HIDDEN or "function" in field["type"]:
                    continue
                text = self.field(field)
                if text:
                    lines.append(self.comment(field["comment"], "\t") + f"\t{field['name']}: {text};\n")
            parts.append("".join(lines) + "}\n")
        classes = {}
        free = []
        for name, function in self.description["functions"].items():
            if is_called(name):
                place, _ = get_place(self.description, name)
                if place:
                    classes.setdefault(place, []).append(self.method(name, function, "\t"))
                else:
                    free.append(self.method(name, function, "", "export function "))

        def put(match):
            return "".join(classes.pop(match[1], []))

        parts.append(re.sub(r"^\t// more of (\w+)\n", put, by_hand, flags=re.M))
        assert not classes, classes.keys()
        parts += free
        constants = "".join(self.comment(c["comment"], "\t") + f"\treadonly {n[3:]}: {c['value']};\n"
                            for n, c in self.description["constants"].items())
        parts.append(f"export const constants: {{\n{constants}}};\n")
        return "\n".join(parts)


def main():
    description = describe()
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(ROOT, "bindings", "js", "src", "types.txt"), encoding="utf-8") as file:
        by_hand = file.read()
    names = [*description["functions"], "tnjsStartRecording", "malloc", "free"]
    files = {
        "api.mjs": write_tables(description),
        "index.d.ts": Types(description).write(by_hand),
        "exports.txt": "[" + ",".join(f'"_{name}"' for name in names) + "]\n",
    }
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()

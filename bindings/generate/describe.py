#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Reads the public headers and writes what is in them as JSON: constants, enums, structs, callbacks, handles and functions, with
# comments, units, ranges, and where every field lies in memory. All bindings and docs/api/ are made from this.
#
#   describe.py [--output FILE]        JSON, to standard output by default
#   describe.py --layout-check FILE    a C file that compiles only if sizes and offsets are what the description says
#   describe.py --declarations FILE    C without preprocessor and comments
#   describe.py --self-test            does it find what it looks for?
#
# Needs pycparser (Debian: python3-pycparser). What it does not understand is an error, never left out.

import argparse
import json
import os
import re
import sys

from pycparser import c_ast, c_parser

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PRELUDE = """typedef _Bool bool;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef unsigned long long uint64_t; typedef unsigned long size_t;
"""
# Bytes of plain types. size_t and pointers are as wide as an address.
SIZES = {
    "bool": 1, "char": 1, "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int": 4, "int32_t": 4, "uint32_t": 4,
    "float": 4, "int64_t": 8, "uint64_t": 8, "double": 8,
}
# Of an address: 64-bit processors, and WebAssembly.
TARGETS = {"64": 8, "32": 4}


class Unclear(Exception):
    """Something in a header that this generator does not know."""


# ----------------------------------------------------------------------------------------------------------------------
# Comments

UNIT = re.compile(
    r"(?<![\w^/('])(kg/m\^3|m\^3/s|m\^2/s|m/s\^2|m/s|m\^3|m\^2|m/m|s/m\^\(1/3\)|rad/s|1/s|1/m|N m|N s|meters|seconds|"
    r"dimensionless|without unit|per second|turns|bytes|kg|rad|W|J|N|m|s)(?![\w^/'])"
)
UNIT_NAMES = {"meters": "m", "seconds": "s", "dimensionless": "1", "without unit": "1", "per second": "1/s", "m/m": "1"}
NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e-?\d+)?(?:\^\d+)?|TN_\w+)"
RANGES = [
    (re.compile(rf"\bin ([\[(])({NUMBER}), ({NUMBER})([\])])", re.I), lambda m: m.groups()),
    (re.compile(rf"\|\w+\| <= ({NUMBER})"), lambda m: ("[", "-" + m[1], m[1], "]")),
    (re.compile(rf"(?<![\w)\]] )> ({NUMBER})(?= for)"), lambda m: None),
    (re.compile(rf"(?:^|[,.] |, )> ({NUMBER})"), lambda m: ("(", m[1], None, ")")),
    (re.compile(rf"(?:^|[,.;] )>= ({NUMBER})"), lambda m: ("[", m[1], None, ")")),
    (re.compile(rf"\bat least ({NUMBER})(?! of)\b", re.I), lambda m: ("[", m[1], None, ")")),
]


def find_units(text):
    """All units that a comment names, in order."""
    found = [UNIT_NAMES.get(name, name) for name in UNIT.findall(text)]
    return list(dict.fromkeys(found))


def find_range(text, constants):
    """The first range that a comment names: {low, high, openLow, openHigh}; a bound that is not there is null."""

    def value(word):
        if word is None:
            return None
        sign, word = (-1, word[1:]) if word.startswith("-") else (1, word)
        if word.startswith("TN_"):
            return sign * constants[word]["value"] if word in constants else None
        if "^" in word:
            base, power = word.split("^")
            return sign * int(base) ** int(power)
        number = float(word)
        return sign * (int(number) if number.is_integer() and "e" not in word else number)

    for pattern, read in RANGES:
        found = pattern.search(text)
        parts = found and read(found)
        if parts:
            left, low, high, right = parts
            both = re.search(rf"at most ({NUMBER})\b", text[found.end() :]) if high is None else None
            if both and both.start() < 40:
                high, right = both[1], "]"
            result = {"low": value(low), "high": value(high), "openLow": left == "(", "openHigh": right == ")"}
            if re.match(r"; 0 ", text[found.end() :]):
                # "in [1, 1e6]; 0 never"
                result["orZero"] = True
            # A bound that is a name of something else, such as columnCount, is no number.
            if result["low"] is not None or result["high"] is not None:
                return result
    return None


def split_comment(lines):
    """Text, {parameter: text} and what is returned, of a comment with @param and @return."""
    text, parameters, result = [], {}, []
    target = text
    joined = []
    for line in lines:
        # Several on one line.
        joined += re.split(r"(?<=[;.]) (?=@(?:param|return))", line)
    for line in joined:
        found = re.match(r"@(param|return)s?\s+(.*)", line)
        if not found:
            if target is not text and re.match(r"[A-Z]([a-z]+)? ", line):
                # A line that begins a sentence, after the last parameter, is about the function again.
                target = text
            target.append(line)
        elif found[1] == "return":
            target = result
            target.append(found[2])
        else:
            names = re.match(r"((?:`?\w+`?)(?:, (?!each|may|or|in|at|of|room|not|that|which)`?\w+`?)*)\s*(.*)", found[2])
            target = []
            for name in names[1].split(","):
                parameters[name.strip().strip("`")] = target
            target.append(names[2].lstrip(", "))
    return (
        "\n".join(text).strip(),
        {name: " ".join(p for p in parts if p).rstrip("; ") for name, parts in parameters.items()},
        " ".join(result),
    )


class Comments:
    """The comments of a header by line, numbers from 1."""

    def __init__(self, text):
        self.lines = text.split("\n")

    def above(self, line):
        """The lines of `///` directly above a line."""
        found = []
        line -= 1
        while line >= 1 and self.lines[line - 1].strip().startswith("///"):
            found.insert(0, re.sub(r"^\s*/// ?", "", self.lines[line - 1]).rstrip())
            line -= 1
        return [] if found and found[0].startswith("@file") else found

    def beside(self, line):
        found = re.search(r";\s*//+ ?(.*)$", self.lines[line - 1])
        return [found[1].strip()] if found else []

    def is_blank(self, line):
        return not self.lines[line - 1].strip()

    def head(self):
        """What the file is about: the comment that begins with @file."""
        found = []
        for line in self.lines:
            if line.startswith("/// @file"):
                found.append(line[9:].strip())
            elif found and line.startswith("///"):
                found.append(re.sub(r"^/// ?", "", line).rstrip())
            elif found:
                break
        return "\n".join(found)


# ----------------------------------------------------------------------------------------------------------------------
# Headers

def list_headers(folder):
    """All headers, each after those that it includes."""
    order = []

    def visit(name):
        if name in order:
            return
        with open(os.path.join(folder, "tarn", name), encoding="utf-8") as file:
            for include in re.findall(r'^#include "tarn/([^"]+)"', file.read(), re.M):
                visit(include)
        order.append(name)

    visit("tarn.h")
    missing = set(n for n in os.listdir(os.path.join(folder, "tarn")) if n.endswith(".h")) - set(order)
    if missing:
        raise Unclear(f"tarn.h does not include {sorted(missing)}")
    return [name for name in order if name != "tarn.h"]


def strip(text, name):
    """C without comments and preprocessor, on the same lines."""
    lines = []
    continued = False
    for line in text.split("\n"):
        skip = continued or line.lstrip().startswith("#")
        continued = skip and line.endswith("\\")
        line = "" if skip else re.sub(r"//.*", "", line)
        lines.append(line.replace("TN_API ", ""))
    if "/*" in text:
        raise Unclear(f"{name}: comments in the old style are not read")
    return "\n".join(lines)


def evaluate(expression, known):
    """The value of an expression of numbers and constants."""
    words = re.sub(r"\b(\d+(?:\.\d*)?(?:e[+-]?\d+)?)[fuU]\b", r"\1", expression.strip())
    words = re.sub(r"\b(T[Nn]_\w+|tn_\w+)\b", lambda m: str(known[m[1]]), words)
    if not re.fullmatch(r"[\d\s.e+\-*/()<>|&]+", words):
        raise Unclear(f"what is {expression}?")
    return eval(words, {"__builtins__": {}})  # numbers and operators only, see above


def evaluate_node(node, known):
    if isinstance(node, c_ast.Constant):
        return evaluate(node.value, known)
    if isinstance(node, c_ast.ID):
        return known[node.name]
    if isinstance(node, c_ast.BinaryOp):
        return evaluate(f"({evaluate_node(node.left, known)}) {node.op} ({evaluate_node(node.right, known)})", known)
    if isinstance(node, c_ast.UnaryOp):
        return evaluate(f"{node.op}({evaluate_node(node.expr, known)})", known)
    raise Unclear(f"{node.coord}: a constant of a new kind")


def read_type(node, known):
    """{name, pointer, const, counts}: `const float*` is float, 1, True; `float x[8]` has counts [8]."""
    counts = []
    while isinstance(node, c_ast.ArrayDecl):
        counts.append(evaluate_node(node.dim, known))
        node = node.type
    pointer = 0
    while isinstance(node, c_ast.PtrDecl):
        if isinstance(node.type, c_ast.FuncDecl):
            return {"name": "", "pointer": 1, "const": False, "counts": counts, "function": read_function(node.type, known)}
        pointer += 1
        node = node.type
    if not isinstance(node, c_ast.TypeDecl) or not isinstance(node.type, c_ast.IdentifierType):
        raise Unclear(f"{node.coord}: a type of a new kind")
    return {"name": " ".join(node.type.names), "pointer": pointer, "const": "const" in node.quals, "counts": counts}


def read_function(node, known):
    parameters = []
    for parameter in node.args.params if node.args else []:
        kind = read_type(parameter.type, known)
        if kind["name"] == "void" and not kind["pointer"]:
            continue
        parameters.append({"name": parameter.name or "", "type": kind})
    return {"parameters": parameters, "result": read_type(node.type, known)}


def spell(kind, name=""):
    """A type as C has it."""
    if "function" in kind:
        inner = ", ".join(spell(p["type"], p["name"]) for p in kind["function"]["parameters"])
        return f"{spell(kind['function']['result'])} (*{name})({inner or 'void'})"
    text = ("const " if kind["const"] else "") + kind["name"] + "*" * kind["pointer"]
    return text + (" " + name if name else "") + "".join(f"[{count}]" for count in kind["counts"])


class Description:
    def __init__(self, folder):
        self.headers, self.constants, self.enums, self.structs = [], {}, {}, {}
        self.callbacks, self.handles, self.functions = {}, {}, {}
        self.known = {}
        parser = c_parser.CParser()
        source = PRELUDE
        texts = {}
        for name in list_headers(folder):
            with open(os.path.join(folder, "tarn", name), encoding="utf-8") as file:
                texts[name] = file.read()
            self.read_defines(name, texts[name])
        # Array sizes that are macros; those that are enumerators are known to the parser.
        for name, text in texts.items():
            code = strip(text, name)
            code = re.sub(r"\[(TN_\w+)\]", lambda m: f"[{self.known[m[1]]}]" if m[1] in self.known else m[0], code)
            source += f'# 1 "{name}"\n{code}\n'
        self.comments = {name: Comments(text) for name, text in texts.items()}
        for name in texts:
            self.headers.append({"name": name, "comment": self.comments[name].head()})
        for node in parser.parse(source, "prelude").ext:
            if node.coord.file in texts:
                self.read(node, node.coord.file)
        for struct in self.structs.values():
            struct["layout"] = {target: self.lay_out(struct, target) for target in TARGETS}

    def read_defines(self, header, text):
        comments = Comments(text)
        for number, line in enumerate(text.split("\n"), 1):
            found = re.match(r"#define (TN_\w+) (.+)$", line)
            if not found or found[1] in ("TN_EXTERN_C", "TN_EXPORT", "TN_API"):
                continue
            value = evaluate(found[2], self.known)
            self.known[found[1]] = value
            self.add_constant(header, number, found[1], value, comments.above(number))

    def add_constant(self, header, line, name, value, comment):
        self.constants[name] = {"header": header, "line": line, "value": value, "comment": "\n".join(comment)}

    def read(self, node, header):
        comments = self.comments[header]
        above = comments.above(node.coord.line)
        if isinstance(node, c_ast.Typedef):
            self.read_typedef(node, header, above)
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            text, parameters, result = split_comment(above)
            function = {"header": header, "comment": text, "line": node.coord.line, **read_function(node.type, self.known)}
            function["returns"] = result
            for parameter in function["parameters"]:
                parameter["comment"] = parameters.pop(parameter["name"], "")
            if parameters:
                raise Unclear(f"{header}:{node.coord.line}: @param of {sorted(parameters)}, which {node.name} does not have")
            self.functions[node.name] = function
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Enum) and node.type.name is None:
            for value in node.type.values.enumerators:
                number = evaluate_node(value.value, self.known)
                self.known[value.name] = number
                line = value.coord.line
                self.add_constant(header, line, value.name, number, comments.above(line))
        else:
            raise Unclear(f"{header}:{node.coord.line}: a declaration of a new kind")

    def read_typedef(self, node, header, above):
        comments = self.comments[header]
        place = {"header": header, "line": node.coord.line, "comment": "\n".join(above)}
        kind = node.type
        if isinstance(kind, c_ast.FuncDecl):
            self.callbacks[node.name] = {**place, **read_function(kind, self.known)}
            return
        inner = kind.type
        if isinstance(inner, c_ast.Struct) and inner.decls is None:
            self.handles[node.name] = place
        elif isinstance(inner, c_ast.Enum):
            values, next_value = [], 0
            for value in inner.values.enumerators:
                if value.value is not None:
                    next_value = evaluate_node(value.value, self.known)
                self.known[value.name] = next_value
                own = comments.above(value.coord.line)
                values.append({"name": value.name, "value": next_value, "comment": "\n".join(own)})
                next_value += 1
            self.enums[node.name] = {**place, "values": values}
        elif isinstance(inner, c_ast.Struct):
            declarations = {}
            for field in inner.decls:
                declarations.setdefault(field.coord.line, []).append(field)
            fields = []
            for line, group in declarations.items():
                text = "\n".join(comments.above(line) or comments.beside(line))
                units = find_units(text)
                for i, field in enumerate(group):
                    kind = read_type(field.type, self.known)
                    plain = not kind["pointer"] and kind["name"] != "bool" and kind["name"] not in self.enums
                    # Names that share a line share a comment, and have one unit, or a unit each.
                    unit = units[0] if len(units) == 1 or len(group) == 1 and units else units[i] if len(units) == len(group) else None
                    fields.append({"name": field.name, "type": kind, "comment": text, "shared": i > 0,
                                   "unit": unit if plain else None,
                                   "range": find_range(text, self.constants) if plain else None})
            self.structs[node.name] = {**place, "fields": fields}
        else:
            raise Unclear(f"{header}:{node.coord.line}: a typedef of a new kind")

    def measure(self, kind, target):
        """Size and alignment of a type."""
        address = TARGETS[target]
        if kind["pointer"] or kind["name"] == "size_t":
            size, alignment = address, address
        elif kind["name"] in SIZES:
            size = alignment = SIZES[kind["name"]]
        elif kind["name"] in self.enums:
            size = alignment = 4
        else:
            layout = self.structs[kind["name"]]["layout"][target]
            size, alignment = layout["size"], layout["alignment"]
        for count in kind["counts"]:
            size *= count
        return size, alignment

    def lay_out(self, struct, target):
        offset, largest, offsets = 0, 1, []
        for field in struct["fields"]:
            size, alignment = self.measure(field["type"], target)
            offset = -(-offset // alignment) * alignment
            offsets.append(offset)
            offset += size
            largest = max(largest, alignment)
        return {"size": -(-offset // largest) * largest, "alignment": largest, "offsets": offsets}

    def as_dict(self):
        return {
            "about": "The public interface of tarn, read from its headers by bindings/generate/describe.py. Units and ranges are as "
            "the comments have them; layouts are by the width of an address.",
            "version": ".".join(str(self.known[f"TN_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH")),
            "headers": self.headers,
            "constants": self.constants,
            "enums": self.enums,
            "structs": self.structs,
            "callbacks": self.callbacks,
            "handles": self.handles,
            "functions": self.functions,
        }


# ----------------------------------------------------------------------------------------------------------------------
# What parameters are for, so that languages without pointers can have values in their place

# Those that no rule below can know.
ROLES = {
    ("tnWorld_SetEdges", "defs"): {"role": "list", "count": "4"},
    ("tnWorld_CopyDischarge", "dischargeX"): {"role": "outCells", "cells": "xFaces"},
    ("tnWorld_CopyDischarge", "dischargeZ"): {"role": "outCells", "cells": "zFaces"},
    ("tnSurface_BuildMesh", "mesh"): {"role": "mesh"},
    ("tnVoxelMesher_Build", "mesh"): {"role": "mesh"},
    ("tnVoxelMesher_BuildMany", "tasks"): {"role": "tasks"},
}
CELL_TYPES = ("float", "uint8_t", "uint16_t")


def find_cells(names):
    """How many values an array without a count has."""
    return "block" if "columns" in names else "box" if "box" in names else "world"


def give_roles(description):
    """The role of each parameter:

    value; handle; newHandle (a pointer to it that is filled); struct (a pointer to one that is read; `optional` if NULL may be given);
    out (one that is filled); list (`count` names the parameter that counts it); outList; cells and outCells (`cells`: of the world, of
    a block of columns and rows, of a box of voxels, or faces); bytes; save (bytes to be filled, called twice); fill (an array to be
    filled, called twice; `count` names the parameter that receives the number, or is empty if the result is it); count, size, capacity
    (of the one before); callback; context; mesh and tasks (structs with arrays to be filled).
    """
    handles, callbacks = description["handles"], description["callbacks"]
    for name, function in description["functions"].items():
        parameters = function["parameters"]
        names = [p["name"] for p in parameters]
        for i, parameter in enumerate(parameters):
            kind = parameter["type"]
            after = parameters[i + 1] if i + 1 < len(parameters) else None
            later = parameters[i + 2] if i + 2 < len(parameters) else None
            if "role" in parameter:
                continue
            if (name, parameter["name"]) in ROLES:
                parameter.update(ROLES[name, parameter["name"]])
            elif not kind["pointer"]:
                parameter["role"] = "value"
            elif kind["name"] in callbacks:
                parameter["role"] = "callback"
                if after:
                    after["role"] = "context"
            elif kind["name"] in handles:
                parameter["role"] = "newHandle" if kind["pointer"] == 2 else "handle"
            elif kind["name"] == "void" and kind["const"]:
                parameter["role"], after["role"] = "bytes", "size"
            elif kind["name"] == "void":
                parameter["role"], after["role"], later["role"] = "save", "capacity", "size"
            elif after and after["name"] == "capacity":
                parameter["role"], after["role"] = "fill", "capacity"
                parameter["count"] = later["name"] if later and later["name"] == "count" else ""
                if parameter["count"]:
                    later["role"] = "count"
            elif kind["const"] and after and re.fullmatch(r"count|\w+Count", after["name"]):
                parameter["role"], after["role"], parameter["count"] = "list", "count", after["name"]
            elif kind["name"] in CELL_TYPES:
                parameter.update({"role": "cells" if kind["const"] else "outCells", "cells": find_cells(names)})
                parameter["optional"] = kind["const"] and ("NULL" in parameter["comment"] or parameter["name"] == "map")
            elif kind["const"]:
                # Named in the comment as something that may be NULL, be it of the parameter or of the function.
                parameter["role"], parameter["optional"] = "struct", "NULL" in parameter["comment"]
            elif "count" in names[:i]:
                parameter["role"], parameter["count"] = "outList", "count"
            elif kind["pointer"] == 1 and (kind["name"] in SIZES or kind["name"] in description["structs"]):
                parameter["role"] = "out"
            else:
                raise Unclear(f"{function['header']}:{function['line']}: what is {parameter['name']} of {name} for?")


def give_short_names(description):
    """Of enumerators: `shallow` for tn_shallowMethod, without the word that all of them share. Those that count are left out."""
    for enum in description["enums"].values():
        values = [v for v in enum["values"] if not v["name"].endswith("Count")]
        words = [re.findall(r"^[a-z0-9]+|[A-Z][a-z0-9]*", v["name"][3:]) for v in values]
        for place in (-1, 0):
            if len({w[place] for w in words}) == 1 and all(len(w) > 1 for w in words):
                words = [w[:-1] if place else w[1:] for w in words]
                break
        for value, parts in zip(values, words):
            text = "".join(parts)
            value["short"] = text[0].lower() + text[1:]


def describe(folder=os.path.join(ROOT, "include")):
    description = Description(folder).as_dict()
    give_roles(description)
    give_short_names(description)
    return description


def write_layout_check(description):
    lines = ["// Made by describe.py: compiles only if fields lie where the description says.", "#include <stddef.h>",
             "#include <tarn/tarn.h>"]
    for name, struct in description["structs"].items():
        layout = struct["layout"]
        lines.append(f"_Static_assert(sizeof({name}) == (sizeof(void*) == 8 ? {layout['64']['size']} : {layout['32']['size']}), "
                     f'"{name}");')
        for i, field in enumerate(struct["fields"]):
            lines.append(
                f"_Static_assert(offsetof({name}, {field['name']}) == (sizeof(void*) == 8 ? {layout['64']['offsets'][i]} : "
                f"{layout['32']['offsets'][i]}), \"{name}.{field['name']}\");")
    for name, enum in description["enums"].items():
        lines.append(f'_Static_assert(sizeof({name}) == 4, "{name}");')
        lines += [f'_Static_assert({v["name"]} == {v["value"]}, "{v["name"]}");' for v in enum["values"]]
    # Floats are no constant expressions to all compilers.
    for name, constant in description["constants"].items():
        if isinstance(constant["value"], int):
            lines.append(f'_Static_assert({name} == {constant["value"]}, "{name}");')
    return "\n".join(lines) + "\n"


def self_test():
    def has(text, low, high, open_low=False, open_high=False):
        expected = {"low": low, "high": high, "openLow": open_low, "openHigh": open_high}
        found = find_range(text, {"TN_MAX_LENGTH": {"value": 1.0e5}})
        assert found == expected, (text, found)

    has("Meters, in [0.001, 1000].", 0.001, 1000)
    has("Gravity, m/s^2, in (0, 1000]. Acts along -y.", 0, 1000, open_low=True)
    has("kg, > 0. Forces follow", 0, None, open_low=True, open_high=True)
    has("m/s, |v| <= 1000: a jet", -1000, 1000)
    has("Meters, in (0, TN_MAX_LENGTH].", 0, 1.0e5, open_low=True)
    has("per meter of edge, m^2/s, at least 0 (inflow).", 0, None, open_high=True)
    assert find_range("Steps, in [1, 1e6]; 0 never.", {})["orZero"]
    assert find_range("How it is.", {}) is None
    assert find_units("Gravity, m/s^2, in (0, 1000].") == ["m/s^2"]
    assert find_units("Edge length, meters, of m^2 and m.") == ["m", "m^2"]
    assert find_units("Manning's n, s/m^(1/3): 0.01 glass") == ["s/m^(1/3)"]
    assert find_units("The world itself") == []
    text, parameters, result = split_comment(
        ["Do it.", "@param a, b meters, > 0; @param c may be NULL", "@return 0 if not"])
    assert (text, result) == ("Do it.", "0 if not")
    assert parameters == {"a": "meters, > 0", "b": "meters, > 0", "c": "may be NULL"}, parameters
    description = describe()
    world = description["structs"]["tnWorldDef"]
    by_name = {field["name"]: field for field in world["fields"]}
    assert by_name["cellSize"]["range"]["high"] == 1000 and by_name["cellSize"]["unit"] == "m"
    assert by_name["edges"]["type"]["counts"] == [4]
    roles = {n: [p["role"] for p in f["parameters"]] for n, f in description["functions"].items()}
    assert roles["tnWorld_Save"] == ["handle", "save", "capacity", "size"]
    assert roles["tnWorld_CopyWaterline"] == ["handle", "value", "fill", "capacity", "count"]
    assert roles["tnWorld_SampleMany"] == ["handle", "list", "count", "outList"]
    assert roles["tnWorld_SetRain"] == ["handle", "value", "cells"]
    assert [v.get("short") for v in description["enums"]["tnMethod"]["values"]] == ["pipe", "linear", "shallow", None]
    assert description["enums"]["tnSimd"]["values"][0]["short"] == "auto"
    step = description["functions"]["tnWorld_Step"]
    assert [p["name"] for p in step["parameters"]] == ["world", "timeStep"] and step["parameters"][1]["comment"]
    for path in ("js/package.json", "csharp/package.json"):
        with open(os.path.join(ROOT, "bindings", path), encoding="utf-8") as file:
            assert json.load(file)["version"] == description["version"], f"{path} has another version than base.h"
    # Nothing that headers have is missing: every name is somewhere in the description.
    names = set(description["constants"]) | set(description["enums"]) | set(description["structs"])
    names |= set(description["callbacks"]) | set(description["handles"]) | set(description["functions"])
    names |= {v["name"] for e in description["enums"].values() for v in e["values"]}
    for header in description["headers"]:
        with open(os.path.join(ROOT, "include", "tarn", header["name"]), encoding="utf-8") as file:
            code = strip(file.read(), header["name"])
        for word in set(re.findall(r"\btn[A-Z_]\w*|\bTN_\w+", code)) - names:
            raise AssertionError(f"{header['name']}: {word} is not in the description")
    print(f"self-test: {len(description['functions'])} functions, {len(description['structs'])} structs, "
          f"{len(description['enums'])} enums, {len(description['constants'])} constants")


def write_declarations(description):
    """All types and functions as C without preprocessor, comments or bodies, for those who read C themselves: cffi and LuaJIT."""
    entries = [(list_order(description, entry), kind, name, entry)
               for kind in ("enums", "structs", "callbacks", "handles", "functions") for name, entry in description[kind].items()]
    lines = []
    for _, kind, name, entry in sorted(entries, key=lambda item: item[0]):
        if kind == "enums":
            values = ", ".join(f"{v['name']} = {v['value']}" for v in entry["values"])
            lines.append(f"typedef enum {name} {{ {values} }} {name};")
        elif kind == "structs":
            fields = " ".join(f"{spell(f['type'], f['name'])};" for f in entry["fields"])
            lines.append(f"typedef struct {name} {{ {fields} }} {name};")
        elif kind == "handles":
            lines.append(f"typedef struct {name} {name};")
        else:
            parameters = ", ".join(spell(p["type"], p["name"]) for p in entry["parameters"]) or "void"
            start = "typedef " if kind == "callbacks" else ""
            lines.append(f"{start}{spell(entry['result'])} {name}({parameters});")
    return "\n".join(lines) + "\n"


def list_order(description, entry):
    names = [header["name"] for header in description["headers"]]
    return names.index(entry["header"]), entry["line"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--output")
    arguments.add_argument("--layout-check")
    arguments.add_argument("--declarations")
    arguments.add_argument("--self-test", action="store_true")
    options = arguments.parse_args()
    if options.self_test:
        self_test()
        return 0
    description = describe()
    if options.declarations:
        text, path = write_declarations(description), options.declarations
    elif options.layout_check:
        text, path = write_layout_check(description), options.layout_check
    else:
        text, path = json.dumps(description, indent="\t", ensure_ascii=False) + "\n", options.output
    if path:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

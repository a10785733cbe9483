#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Writes tarn.lua: bindings/lua/tarn.lua with the declarations and the roles of parameters put into it.
#
#   lua.py FILE

import os
import re
import sys

from describe import ROOT, describe, spell, write_declarations


def write_roles(description):
    """A line for each function: its result, and for each parameter a role and a type."""
    lines = []
    for name, function in description["functions"].items():
        if re.match(r"tn(Create|Destroy|Default)[A-Z]", name):
            continue
        parts = []
        for p in function["parameters"]:
            extra = "?" if p.get("optional") else ""
            if p["role"] in ("list", "fill"):
                extra = ":" + p["count"] if p["role"] == "fill" else extra
            if p["role"] in ("cells", "outCells"):
                extra += ":" + p["cells"]
            parts.append(f"{p['role']}:{p['name']}:{p['type']['name']}{extra}")
        lines.append(f"\t{{\"{name}\", \"{spell(function['result'])}\", \"{' '.join(parts)}\"}},")
    return "\n".join(lines)


def write_structs(description):
    """Fields that are no plain numbers: structs, enums, and arrays with the field that counts them."""
    lines = []
    for name, struct in description["structs"].items():
        names = [f["name"] for f in struct["fields"]]
        parts = []
        for f in struct["fields"]:
            kind = f["type"]
            if kind["pointer"]:
                singular = f["name"][:-1] if f["name"].endswith("s") else f["name"]
                count = next((n for n in (singular + "Count", "count") if n in names), None)
                if count and kind["name"] != "void":
                    parts.append(f'{f["name"]} = "*{kind["name"]} {count}"')
            elif kind["counts"]:
                parts.append(f'{f["name"]} = "[{kind["name"]} {kind["counts"][0]}"')
            elif kind["name"] in description["structs"] or kind["name"] in description["enums"]:
                parts.append(f'{f["name"]} = "{kind["name"]}"')
        if parts:
            lines.append(f"\t{name} = {{{', '.join(parts)}}},")
    return "\n".join(lines)


def write_enums(description):
    lines = []
    for name, entry in description["enums"].items():
        parts = ", ".join(f"{v['short']} = {v['value']}" for v in entry["values"] if "short" in v)
        lines.append(f"\t{name} = {{{parts}}},")
    return "\n".join(lines)


def main():
    description = describe()
    with open(os.path.join(ROOT, "bindings", "lua", "tarn.lua"), encoding="utf-8") as file:
        text = file.read()
    parts = {
        "declarations": write_declarations(description).rstrip("\n"), "roles": write_roles(description),
        "structs": write_structs(description), "enums": write_enums(description),
        "classes": "\n".join(f'\t"{name[2:]}",' for name in description["handles"]),
        "constants": "\n".join(f"\t{n[3:]} = {c['value']}," for n, c in description["constants"].items()),
    }
    for name, part in parts.items():
        marker = f"--@{name}@"
        assert text.count(marker) == 1, marker
        text = text.replace(marker, part)
    os.makedirs(os.path.dirname(os.path.abspath(sys.argv[1])), exist_ok=True)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()

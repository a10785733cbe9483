#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Writes docs/api/: a page for each public header, with every function, struct, enum and constant in it, from the comments.
#
#   api_pages.py           writes what has changed
#   api_pages.py --check   says which pages are not what headers say, and fails

import os
import re
import sys

from describe import ROOT, describe, spell

FOLDER = os.path.join(ROOT, "docs", "api")
KINDS = ["constants", "enums", "structs", "callbacks", "handles", "functions"]


class Pages:
    def __init__(self, description):
        self.description = description
        self.pages_of = {}
        for kind in KINDS:
            for name, entry in description[kind].items():
                self.pages_of[name] = entry["header"]
        for enum in description["enums"].values():
            for value in enum["values"]:
                self.pages_of[value["name"]] = enum["header"]

    def flow(self, text):
        """A comment as Markdown: names of the interface are code, and what is indented stays as it is."""
        lines, fenced = [], False
        for line in text.split("\n"):
            indented = line.startswith("  ")
            if indented != fenced and line.strip():
                if fenced and not lines[-1]:
                    lines[-1:] = []
                # Of code the indent of the comment goes.
                lines += ["```c"] if indented else ["```", ""]
                fenced = indented
            lines.append(re.sub(r"^  ", "", line).rstrip() if fenced else self.mark(line))
        if fenced:
            lines.append("```")
        return "\n".join(lines).strip()

    def mark(self, line):
        parts = re.split(r"(`[^`]*`)", line)
        for i in range(0, len(parts), 2):
            part = parts[i].replace("*", "\\*").replace("<", "\\<").replace("[", "\\[")
            part = re.sub(r"\b(tn[A-Z]\w*|TN_\w+|tn_\w+)(\(\))?", lambda m: f"`{m[0]}`", part)
            parts[i] = part
        return "".join(parts)

    def cell(self, text):
        return self.mark(" ".join(text.split())).replace("|", "\\|")

    def type_link(self, kind):
        text = f"`{spell(kind)}`"
        page = self.pages_of.get(kind["name"])
        return f"[{text}]({page[:-2]}.md#{kind['name'].lower()})" if page else text

    def section(self, kind, name, entry):
        lines = [f"## {name}", ""]
        if kind == "constants":
            lines += [f"```c\n{name} = {entry['value']}\n```", "", self.flow(entry["comment"])]
        elif kind == "handles":
            lines += [f"```c\ntypedef struct {name} {name};\n```", "", self.flow(entry["comment"])]
        elif kind == "enums":
            lines += [self.flow(entry["comment"]), "", "| name | value | |", "|---|---|---|"]
            lines += [f"| `{v['name']}` | {v['value']} | {self.cell(v['comment'])} |" for v in entry["values"]]
        elif kind == "structs":
            lines += [self.flow(entry["comment"]), "", "| field | type | unit | range | |", "|---|---|---|---|---|"]
            for field in entry["fields"]:
                comment = "as above" if field["shared"] and field["comment"] else self.cell(field["comment"])
                lines.append(f"| `{field['name']}` | {self.type_link(field['type'])} | {field['unit'] or ''} | "
                             f"{show_range(field['range'])} | {comment} |")
        else:
            result = spell(entry["result"])
            parameters = ", ".join(spell(p["type"], p["name"]) for p in entry["parameters"]) or "void"
            lines += [f"```c\n{result} {name}({parameters});\n```", "", self.flow(entry["comment"])]
            told = [p for p in entry["parameters"] if p.get("comment")]
            if told:
                lines += [""] + [f"- `{p['name']}`: {self.cell(p['comment'])}" for p in told]
            if entry.get("returns"):
                lines += ["", f"Returns {self.cell(entry['returns'])}"]
        text = "\n".join(lines)
        return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"

    def entries(self, header):
        found = [(entry["line"], kind, name, entry) for kind in KINDS
                 for name, entry in self.description[kind].items() if entry["header"] == header]
        return sorted(found, key=lambda item: item[0])

    def page(self, header):
        lines = [f"# {header['name']}", "", "<!-- Made from the header by `make bindings`. -->", "",
                 f"`#include <tarn/{header['name']}>`, or `<tarn/tarn.h>` for all. [All pages](README.md)", ""]
        if header["comment"]:
            lines += [self.flow(header["comment"]), ""]
        for _, kind, name, entry in self.entries(header["name"]):
            lines += [self.section(kind, name, entry)]
        return "\n".join(lines).rstrip() + "\n"

    def index(self):
        lines = ["# The interface of tarn", "", "<!-- Made from the headers by `make bindings`. -->", "",
                 "A page for each header, from its comments. SI units; x to the right, z towards the viewer, y up. Calls that take "
                 "outside data return a [tnResult](base.md#tnresult).", ""]
        for header in self.description["headers"]:
            entries = self.entries(header["name"])
            page = header["name"][:-2] + ".md"
            lines.append(f"## [{header['name']}]({page})")
            lines.append("")
            first = header["comment"].split("\n\n")[0].split("\n  ")[0]
            first = re.split(r"(?<=[.:]) ", " ".join(first.split()))[0]
            if first:
                lines += [self.mark(first.rstrip(":.")) + ".", ""]
            names = [f"[{name}]({page}#{name.lower()})" for _, _, name, _ in entries]
            lines += [", ".join(names) + ".", ""]
        return "\n".join(lines).rstrip() + "\n"

    def all(self):
        pages = {"README.md": self.index()}
        for header in self.description["headers"]:
            pages[header["name"][:-2] + ".md"] = self.page(header)
        return pages


def show_range(found):
    if not found:
        return ""

    def show(value):
        return f"{value:g}" if isinstance(value, float) else str(value)

    low, high = found["low"], found["high"]
    if high is None:
        text = ("> " if found["openLow"] else "≥ ") + show(low)
    elif low is None:
        text = ("< " if found["openHigh"] else "≤ ") + show(high)
    else:
        text = ("(" if found["openLow"] else "[") + f"{show(low)}, {show(high)}" + (")" if found["openHigh"] else "]")
    return text + (" or 0" if found.get("orZero") else "")


def main():
    check = sys.argv[1:] == ["--check"]
    pages = Pages(describe()).all()
    os.makedirs(FOLDER, exist_ok=True)
    stale = []
    for name in sorted(set(pages) | set(os.listdir(FOLDER))):
        path = os.path.join(FOLDER, name)
        there = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                there = file.read()
        if there == pages.get(name):
            continue
        stale.append(name)
        if check:
            continue
        if name in pages:
            with open(path, "w", encoding="utf-8") as file:
                file.write(pages[name])
        else:
            os.remove(path)
    for name in stale:
        print(f"docs/api/{name} {'is not what headers say: make bindings' if check else 'written'}")
    if not stale:
        print(f"{len(pages)} pages of docs/api are what headers say")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

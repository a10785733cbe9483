#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes the library as two files, tarn.h and tarn.c, for those who copy rather than link:
#
#   cc -O2 -c tarn.c
#
#   amalgamate.py [FOLDER]        build/amalgamation by default
#
# The sources stay as they are, one after the other, but for names. What two files of the library each have for themselves would
# meet here, so it gets the name of its file in front: `tnFindRow` of flow_curl.c becomes `flow_curl_tnFindRow`. Templates
# (`.inc`, and headers that depend on an instruction set) are there once for each file that includes them, with its name in front of
# everything they define. Needs nothing but Python.

import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SRC = os.path.join(ROOT, "src")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)".*$', re.M)
NAME = re.compile(r"\b(?:tn[A-Z_]|TN_|s_)\w*")
# Names that a file defines: functions and variables of its own, types, macros.
DEFINED = [
    re.compile(r"^(?:static|TN_INLINE|TN_NOINLINE)\b[^;={(]*?\b(\w+)[ \t]*[(=;\[]", re.M),
    re.compile(r"^typedef\b[^;{]*?\b(\w+)(?:\[[^\]]*\])?;", re.M),
    re.compile(r"^typedef[ \t]+(?:struct|enum|union)[ \t]+(\w+)[ \t]*$", re.M),
    re.compile(r"^\}[ \t]*(\w+);", re.M),
    re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M),
]
EXTERNAL = re.compile(r"^(?!static|TN_INLINE|TN_NOINLINE|typedef)[A-Za-z_][\w \t*]*?\b(tn\w+)\([^;{}]*\)\s*\{", re.M)
# Headers that are different for every instruction set. What includes them is, too.
TEMPLATE_HEADER = re.compile(r"\bTN_SIMD_(?:AVX2|WIDTH)\b|\btnFloatW\b")
# They include windows.h, which has macros for everything: nothing may come after them.
LAST = ["core/parallel.c", "core/side_thread.c"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def get_defined(text):
    names = set()
    for pattern in DEFINED:
        names.update(pattern.findall(text))
    for body in re.findall(r"^enum(?:[ \t]+\w+)?\s*\{(.*?)^\}", text, re.M | re.S):
        names.update(re.findall(r"^\s*(\w+)\s*(?:=|,|$)", body, re.M))
    for body in re.findall(r"^typedef enum(?:[ \t]+\w+)?\s*\{(.*?)^\}", text, re.M | re.S):
        names.update(re.findall(r"^\s*(\w+)\s*(?:=|,|$)", body, re.M))
    # A struct that a header only names is defined elsewhere without a typedef: neither is a name of its own.
    names -= {name for name in re.findall(r"^typedef struct (\w+) \1;$", text, re.M)}
    return {name for name in names if NAME.fullmatch(name)}


def rename(text, names):
    return NAME.sub(lambda m: names.get(m[0], m[0]), text) if names else text


def get_stem(path):
    return os.path.splitext(os.path.basename(path))[0]


class Library:
    def __init__(self):
        listed = re.findall(r"^\t(\w+/\w+\.c)$", read(os.path.join(SRC, "CMakeLists.txt")), re.M)
        self.sources = [path for path in listed if path not in LAST] + LAST
        assert len(set(self.sources)) == len(self.sources) == len(listed)
        self.texts = {}
        for room in sorted(os.listdir(SRC)):
            folder = os.path.join(SRC, room)
            for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
                if name.endswith((".c", ".h", ".inc")):
                    self.texts[f"{room}/{name}"] = read(os.path.join(folder, name))
        self.includes = {path: [self.find(path, i) for i in INCLUDE.findall(text) if not i.startswith("tarn/")]
                         for path, text in self.texts.items()}
        self.templates = {path for path in self.texts if path.endswith(".inc") or
                          path.startswith("core/") and path.endswith(".h") and TEMPLATE_HEADER.search(self.texts[path])}
        while True:
            more = {path for path in self.texts if path.endswith(".h") and path not in self.templates and
                    any(i in self.templates for i in self.includes[path])}
            if not more:
                break
            self.templates |= more
        self.headers = [path for path in self.texts if path.endswith(".h") and path not in self.templates]
        self.rename_headers()

    def find(self, path, include):
        found = os.path.normpath(os.path.join(os.path.dirname(path), include)).replace(os.sep, "/")
        if found not in self.texts:
            sys.exit(f"{path}: there is no {include}")
        return found

    def reach(self, path):
        """All files that a file includes, and what these include."""
        found, open_paths = set(), [path]
        while open_paths:
            for include in self.includes[open_paths.pop()]:
                if include not in found:
                    found.add(include)
                    open_paths.append(include)
        return found

    def rename_headers(self):
        """Names that several headers define, each for those who include it."""
        definers = {}
        for path in self.headers:
            for name in get_defined(self.texts[path]):
                definers.setdefault(name, []).append(path)
        public = set(NAME.findall(self.public()))
        reached = {path: self.reach(path) | {path} for path in self.texts}
        # A template may lean on what the one that includes it has included.
        for path, includes in self.includes.items():
            for include in includes:
                if include.endswith(".inc") and not path.startswith("kernels/"):
                    reached[include] |= reached[path]
        changes = {path: {} for path in self.texts}
        for name, paths in definers.items():
            if len(paths) < 2 and name not in public:
                continue
            for header in paths:
                for path in self.texts:
                    if header in reached[path]:
                        if name in changes[path]:
                            sys.exit(f"{path}: {name} of {header} is {changes[path][name]}, too")
                        changes[path][name] = f"{get_stem(header)}_{name}"
        for path, names in changes.items():
            self.texts[path] = rename(self.texts[path], names)

    def public(self):
        if not hasattr(self, "public_text"):
            done, parts = set(), []

            def add(name):
                if name not in done:
                    done.add(name)
                    text = read(os.path.join(ROOT, "include", "tarn", name))
                    for include in re.findall(r'^#include "tarn/([^"]+)"', text, re.M):
                        add(include)
                    parts.append(f"// {'-' * 117}\n// tarn/{name}\n\n" + strip(text))

            add("tarn.h")
            self.public_text = "\n".join(parts[:-1])
        return self.public_text

    def expand(self, path, done):
        """The text of a file with the templates that it includes; other headers are there already."""
        text = re.sub(r"^// SPDX-License-Identifier: .*\n+|^#pragma once\n+", "", self.texts[path], flags=re.M)

        def replace(match):
            if match[1].startswith("tarn/"):
                return ""
            include = self.find(path, match[1])
            if include not in self.templates or include.endswith(".h") and include in done:
                return ""
            done.add(include)
            return self.expand(include, done)

        return INCLUDE.sub(replace, text)

    def order_headers(self):
        order = []

        def visit(path):
            if path in order:
                return
            for include in self.includes[path]:
                visit(include)
            if path in self.headers:
                order.append(path)

        for path in sorted(self.headers):
            visit(path)
        return order

    def write(self, folder):
        common = "".join(self.texts[path] for path in self.headers)
        shared = set(NAME.findall(common)) | set(NAME.findall(self.public()))
        # Functions that one file has for all, though only templates declare them.
        for path in self.sources:
            shared.update(EXTERNAL.findall(self.texts[path]))
        expanded = {path: self.expand(path, set()) for path in self.sources}
        private = {}
        for path, text in expanded.items():
            defined = get_defined(text)
            # What no header names is its own, and so is what it defines itself.
            private[path] = {name for name in set(NAME.findall(text)) if name not in shared or name in defined}
        count = {}
        for names in private.values():
            for name in names:
                count[name] = count.get(name, 0) + 1
        parts = [f"// {'=' * 117}\n// {path}\n\n" + strip(self.expand(path, set())) for path in self.order_headers()]
        for path, text in expanded.items():
            own = {n: f"{get_stem(path)}_{n}" for n in private[path] if count[n] > 1 or n in shared}
            # Macros that the compiler or the host gives.
            own = {n: m for n, m in own.items() if n not in SWITCHES}
            text = strip(rename(text, own))
            if "#pragma GCC target" in text:
                text = PUSH + text + POP
            parts.append(f"// {'=' * 117}\n// {path}\n\n" + text)
        os.makedirs(folder, exist_ok=True)
        version = re.findall(r"#define TN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", self.public())
        head = f"// SPDX-License-Identifier: MIT\n//\n// tarn {'.'.join(version)}, {{}}: made of its sources by `make amalgamation`.\n"
        licence = "".join(f"// {line}".rstrip() + "\n" for line in read(os.path.join(ROOT, "LICENSE")).splitlines())
        write(os.path.join(folder, "tarn.h"), head.format("all public headers in one file") + "//\n" + licence +
              "\n#pragma once\n\n" + self.public())
        write(os.path.join(folder, "tarn.c"), head.format("the library in one file") + "//\n" + licence + TOP + "\n" +
              "\n".join(parts))


SWITCHES = {"TN_ENABLE_ASSERT", "TN_ENABLE_VALIDATE", "TN_ONLY_SCALAR", "TN_WITHOUT_SCALAR"}
TOP = """
// Compile it as it is: `cc -O2 -c tarn.c`. Every instruction set is in it, by attributes of functions, and the one to use is found at
// run time. No flag is needed for the bits to be those of any other build; -ffast-math would break them.

#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "tarn.h"
"""
PUSH = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC push_options\n#endif\n\n"
POP = "\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC pop_options\n#endif\n"


def strip(text):
    text = re.sub(r'^// SPDX-License-Identifier: .*\n+|^#pragma once\n+|^#include "[^"]*"\n', "", text, flags=re.M)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


def write(path, text):
    if not os.path.exists(path) or read(path) != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    print(f"{os.path.relpath(path, os.getcwd())}: {text.count(chr(10))} lines, {len(text) // 1024} KiB")


if __name__ == "__main__":
    Library().write(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "amalgamation"))

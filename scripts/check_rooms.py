#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Who leans on whom. Reads the table of docs/architecture.md and every #include of the project, and fails, with file and
# line, when
#   - an include goes against the table, or a folder of src/ is not in it;
#   - rooms of the table, or files, lean on each other in a circle (in src/ a header, its .c and its .inc are one);
#   - two files of src/ have the same name: `cc -c src/*/*.c` puts their objects into one folder;
#   - a file of src/ does not say at its top what it is for.
#
#   scripts/check_rooms.py [FOLDER]       the project in FOLDER, or this one
#   scripts/check_rooms.py --self-test    does it find what it looks for?

import os
import re
import sys
import tempfile

TABLE = "docs/architecture.md"
ENDINGS = (".c", ".h", ".inc", ".cpp", ".hpp")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
ROW = re.compile(r"^\| `([a-z/]+)` \|[^|]*\|([^|]*)\|\s*$")


def read_table(root):
    """Rooms in order, each with the set of rooms that it may lean on."""
    table = {}
    with open(os.path.join(root, TABLE), encoding="utf-8") as file:
        for line in file:
            row = ROW.match(line)
            if row:
                table[row.group(1)] = set(re.findall(r"`([a-z/]+)`", row.group(2)))
    return table


def list_files(root):
    """All that is in folders: a new one cannot be forgotten. Builds and what is hidden are not ours."""
    files = []
    for path, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build", "__")))
        for name in sorted(names) if path != root else []:
            if name.endswith(ENDINGS):
                files.append(os.path.relpath(os.path.join(path, name), root))
    return files


def get_room(path):
    parts = path.split("/")
    if parts[0] == "src" or parts[0] == "include":
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]
    return parts[0]


def get_unit(path):
    return os.path.splitext(path)[0] if path.startswith("src/") else path


class Project:
    def __init__(self, root):
        self.root = root
        self.files = list_files(root)
        self.known = set(self.files)
        self.by_name = {}
        for path in self.files:
            self.by_name.setdefault(os.path.basename(path), []).append(path)

    def find(self, path, include):
        """The file that an include means: beside the one that includes it, or below any folder. None: not of ours."""
        beside = os.path.normpath(os.path.join(os.path.dirname(path), include))
        if beside in self.known:
            return beside
        if include.startswith(".."):
            return None
        found = [f for f in self.by_name.get(os.path.basename(include), []) if ("/" + f).endswith("/" + include)]
        near = [f for f in found if get_room(f) == get_room(path)]
        return (near or found or [None])[0]

    def read_includes(self):
        """Lines (file, number, file that is included)."""
        for path in self.files:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    include = INCLUDE.match(line)
                    found = include and self.find(path, include.group(1))
                    if found:
                        yield path, number, found


def find_circle(graph):
    """A list of nodes, each of which leads to the next, and the last to the first; or None."""
    state = {}
    for start in sorted(graph):
        if start in state:
            continue
        way = [(start, iter(sorted(graph[start])))]
        state[start] = "open"
        while way:
            node, others = way[-1]
            following = next(others, None)
            if following is None:
                state[node] = "done"
                way.pop()
            elif state.get(following) == "open":
                names = [n for n, _ in way]
                return names[names.index(following) :]
            elif following not in state:
                state[following] = "open"
                way.append((following, iter(sorted(graph.get(following, ())))))
    return None


def has_head(text):
    """Is there a comment before anything but includes?"""
    lines = text.split("\n")
    if not lines[0].startswith("// SPDX-License-Identifier: "):
        return False
    for line in lines[1:]:
        if line.startswith("//"):
            return not line.startswith("// ---")
        if line and not line.startswith("#pragma once") and not line.startswith("#include"):
            return False
    return False


def check(root):
    """Everything that is wrong, a line each."""
    wrong = []
    table = read_table(root)
    if not table:
        return [f"{TABLE}: there is no table of rooms"]
    circle = find_circle(table)
    if circle:
        wrong.append(f"{TABLE}: rooms lean on each other in a circle: {' -> '.join(circle + circle[:1])}")
    for room in sorted(set().union(*table.values()) - set(table)):
        wrong.append(f"{TABLE}: `{room}` is leant on but has no row")

    project = Project(root)
    for room in sorted({get_room(path) for path in project.files} - set(table)):
        path = next(p for p in project.files if get_room(p) == room)
        wrong.append(f"{path}:1: `{room}` has no row in {TABLE}")

    graph = {}
    places = {}
    for path, number, found in project.read_includes():
        here, there = get_room(path), get_room(found)
        if here != there and there not in table.get(here, set()):
            wrong.append(f"{path}:{number}: `{here}` must not lean on `{there}` (includes {found})")
        if get_unit(path) != get_unit(found):
            graph.setdefault(get_unit(path), set()).add(get_unit(found))
            places[get_unit(path), get_unit(found)] = f"{path}:{number}"
    circle = find_circle(graph)
    if circle:
        names = " -> ".join(circle + circle[:1])
        wrong.append(f"{places[circle[0], (circle + circle)[1]]}: files lean on each other in a circle: {names}")

    for name, paths in sorted(project.by_name.items()):
        same = [path for path in paths if path.startswith("src/")]
        if len(same) > 1:
            wrong.append(f"{same[1]}:1: there is another {name}: {same[0]}")
    for path in project.files:
        if path.startswith("src/"):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                if not has_head(file.read()):
                    wrong.append(f"{path}:1: a comment must say here what the file is for")
    return wrong


def self_test():
    head = "// SPDX-License-Identifier: MIT\n\n// For a test.\n\n"
    good = {
        TABLE: "| `src/low` | a | |\n| `src/high` | b | `src/low` |\n| `test` | c | `src/low`, `src/high` |\n",
        "src/low/low.h": head,
        "src/low/low.c": head + '#include "low.h"\n',
        "src/high/high.c": head + '#include "../low/low.h"\n',
        "test/test_high.c": '#include "low/low.h"\n',
    }
    # What is changed, and what must be said about it. Nothing may be said about the rest.
    trials = [
        ({}, None),
        ({"src/low/low.c": head + '#include "../high/other.h"\n', "src/high/other.h": head}, "src/low/low.c:5: `src/low` must not"),
        ({"src/low/low.h": head + '#include "other.h"\n', "src/low/other.h": head + '#include "low.h"\n'}, "in a circle: src/low/low ->"),
        ({"src/high/low.c": head}, "there is another low.c"),
        ({"src/high/high.c": '// SPDX-License-Identifier: MIT\n\n#include "../low/low.h"\nint high;\n'}, "src/high/high.c:1: a comment"),
        ({"src/new/new.c": head}, "`src/new` has no row"),
        ({"new/new.c": head}, "`new` has no row"),
        ({"build/made.c": "int made;\n"}, None),
        ({TABLE: good[TABLE].replace("| a | |", "| a | `src/high` |")}, "rooms lean on each other in a circle"),
        ({TABLE: "nothing\n"}, "there is no table"),
    ]
    for number, (changes, expected) in enumerate(trials):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**good, **changes}.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            wrong = check(root)
        if len(wrong) != (expected is not None) or (wrong and expected not in wrong[0]):
            print(f"self-test {number}: expected {expected!r}, got {wrong}")
            return 1
    print(f"self-test: {len(trials)} trees judged rightly")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    wrong = check(root)
    for line in wrong:
        print(line)
    if not wrong:
        print(f"{len(list_files(root))} files lean on each other as {TABLE} says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Takes the programs out of docs/engines.md: first_programs.py FOLDER writes first.c, first.cpp, ...

import os
import re
import sys

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "engines.md"), encoding="utf-8") as file:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.M | re.S)
for language, text in blocks:
    ending = {"js": "mjs"}.get(language, language)
    with open(os.path.join(sys.argv[1], "first." + ending), "w", encoding="utf-8") as file:
        file.write(text)
print(f"{len(blocks)} programs of docs/engines.md")

# SPDX-License-Identifier: MIT
#
# Builds the Python package from the checkout it is in:
#
#   pip install --no-build-isolation bindings/python
#
# The library is compiled into it, from one file; or, if TARN_LIBRARY names a static libtarn.a, that one is linked.

import json
import os
import sys

from cffi import FFI
from setuptools import setup

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bindings", "generate"))

import amalgamate  # noqa: E402
import describe  # noqa: E402


def get_extension(description):
    ffi = FFI()
    ffi.cdef(describe.write_declarations(description))
    library = os.environ.get("TARN_LIBRARY")
    windows = sys.platform == "win32"
    options = {
        "include_dirs": [os.path.join(ROOT, "include")],
        "libraries": [] if windows else ["m", "pthread"],
        "extra_compile_args": [] if windows else ["-O2", "-fvisibility=hidden"],
    }
    if library:
        options["extra_objects"] = [os.path.abspath(library)]
        source = "#include <tarn/tarn.h>"
    else:
        folder = os.path.join(HERE, "build", "amalgamation")
        amalgamate.Library().write(folder)
        options["include_dirs"] = [folder]
        options["sources"] = [os.path.relpath(os.path.join(folder, "tarn.c"), HERE)]
        source = '#include "tarn.h"'
    ffi.set_source("tarn._tarn", source, **options)
    return ffi.distutils_extension(tmpdir=os.path.join(HERE, "build"))


os.chdir(HERE)
DESCRIPTION = describe.describe()
with open(os.path.join(HERE, "tarn", "_description.json"), "w", encoding="utf-8") as file:
    json.dump(DESCRIPTION, file, ensure_ascii=False, separators=(",", ":"))

setup(
    name="tarn-water",
    version=DESCRIPTION["version"],
    description="Real-time, interactive water: rivers, floods, waves, floating bodies, water for voxel worlds",
    license="MIT",
    packages=["tarn"],
    package_data={"tarn": ["_description.json"]},
    ext_modules=[get_extension(DESCRIPTION)],
    python_requires=">=3.8",
    install_requires=["numpy", "cffi"],
    zip_safe=False,
)

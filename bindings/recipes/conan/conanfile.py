# SPDX-License-Identifier: MIT
#
# A recipe for Conan 2. Not tested.

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get


class TarnConan(ConanFile):
    name = "tarn"
    version = "0.1.0"
    license = "MIT"
    description = "Real-time, interactive water for games"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    package_type = "library"

    def configure(self):
        # It is a library of C.
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def layout(self):
        cmake_layout(self)

    def source(self):
        get(self, "TARN_URL", sha256="TARN_SHA", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("TESTS", "APP", "SCENE", "RENDER", "SAMPLES", "ODE", "WERROR"):
            toolchain.variables[f"TARN_{option}"] = False
        toolchain.variables["TARN_INSTALL"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, f"{self.package_folder}/licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["tarn"]
        self.cpp_info.set_property("cmake_target_name", "tarn::tarn")
        if self.options.shared:
            self.cpp_info.defines = ["TARN_SHARED"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]

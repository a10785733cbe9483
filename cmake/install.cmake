# SPDX-License-Identifier: MIT

# What is installed, in parts (cmake --install build --component NAME):
#
#   library    tarn::tarn: library, headers, files for find_package and pkg-config
#   render     tarn::render, the renderer
#   adapters   tarn::ode and tarn::bullet, the glue to physics engines
#   program    tarn, and the scenes that it finds beside itself
#
# find_package(tarn) gives all libraries that are there.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(TARN_CONFIG_FOLDER "${CMAKE_INSTALL_LIBDIR}/cmake/tarn")

install(TARGETS tarn EXPORT tarnTargets
	ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library
	LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library
	RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT library)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tarn" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT library
	FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/bindings/cpp/tarn.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tarn" COMPONENT library)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/tarn" COMPONENT library)
install(EXPORT tarnTargets NAMESPACE tarn:: DESTINATION "${TARN_CONFIG_FOLDER}" COMPONENT library)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tarnConfig.cmake.in"
	"${CMAKE_CURRENT_BINARY_DIR}/tarnConfig.cmake"
	INSTALL_DESTINATION "${TARN_CONFIG_FOLDER}")
# Until version 1 a new minor version may change the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/tarnConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tarnConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/tarnConfigVersion.cmake"
	DESTINATION "${TARN_CONFIG_FOLDER}" COMPONENT library)

# For pkg-config. Folders are told from where the file is, so that an installation can be moved.
set(TARN_PC_FOLDER "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH TARN_PC_PREFIX "${CMAKE_INSTALL_PREFIX}/${TARN_PC_FOLDER}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" TARN_PC_PREFIX "${TARN_PC_PREFIX}")
set(TARN_PC_NEEDS "-pthread")
if(UNIX AND NOT APPLE)
	set(TARN_PC_NEEDS "-lm -pthread")
endif()
# There is either a shared or a static library. Who links the static one needs the rest too, whether or not --static is
# said.
set(TARN_PC_LIBS "")
set(TARN_PC_CFLAGS "")
if(NOT BUILD_SHARED_LIBS)
	set(TARN_PC_LIBS " ${TARN_PC_NEEDS}")
elseif(WIN32)
	set(TARN_PC_CFLAGS " -DTARN_SHARED")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/tarn.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/tarn.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tarn.pc" DESTINATION "${TARN_PC_FOLDER}" COMPONENT library)

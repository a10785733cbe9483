# SPDX-License-Identifier: MIT

# find_package(tarn) then gives the target tarn::tarn.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(TARN_CONFIG_FOLDER "${CMAKE_INSTALL_LIBDIR}/cmake/tarn")

install(TARGETS tarn EXPORT tarnTargets
	ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
	LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
	RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tarn" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
	FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/tarn")
install(EXPORT tarnTargets NAMESPACE tarn:: DESTINATION "${TARN_CONFIG_FOLDER}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tarnConfig.cmake.in"
	"${CMAKE_CURRENT_BINARY_DIR}/tarnConfig.cmake"
	INSTALL_DESTINATION "${TARN_CONFIG_FOLDER}")
# Until version 1 a new minor version may change the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/tarnConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tarnConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/tarnConfigVersion.cmake"
	DESTINATION "${TARN_CONFIG_FOLDER}")

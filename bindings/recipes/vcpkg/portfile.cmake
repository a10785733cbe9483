# SPDX-License-Identifier: MIT
#
# A port for vcpkg. Not tested.

vcpkg_download_distfile(archive URLS "TARN_URL" FILENAME "tarn-${VERSION}.tar.gz" SHA512 TARN_SHA)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS
	-DTARN_TESTS=OFF -DTARN_APP=OFF -DTARN_SCENE=OFF -DTARN_RENDER=OFF -DTARN_SAMPLES=OFF -DTARN_ODE=OFF -DTARN_WERROR=OFF
	-DTARN_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tarn)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")

# SPDX-License-Identifier: MIT

# Built on its own, tarn is optimised, debuggable and has its asserts on. Inside another project that project decides.
if(PROJECT_IS_TOP_LEVEL)
	get_property(TARN_MULTI_CONFIG GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
	if(NOT TARN_MULTI_CONFIG AND NOT CMAKE_BUILD_TYPE)
		set(CMAKE_BUILD_TYPE "RelWithDebInfo" CACHE STRING "Debug, RelWithDebInfo, Release or MinSizeRel" FORCE)
	endif()
	# CMake's own default is -O2 -g -DNDEBUG. A choice made by the user is kept.
	if(CMAKE_C_FLAGS_RELWITHDEBINFO STREQUAL "-O2 -g -DNDEBUG")
		set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g")
	endif()
endif()

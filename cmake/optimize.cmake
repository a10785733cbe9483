# SPDX-License-Identifier: MIT

# A game that is debugged is compiled without optimisation, and so would be the water in it: ten times slower, without a
# word. The kernels are not what its author looks for mistakes in, so inside another project the library is optimised in
# Debug builds and in builds without a type too, and does not validate every step. Asserts stay on.

if(PROJECT_IS_TOP_LEVEL OR MSVC)
	set(TARN_OPTIMIZE_DEFAULT OFF)
else()
	set(TARN_OPTIMIZE_DEFAULT ON)
endif()
option(TARN_OPTIMIZE "Optimise the library in Debug builds too (gcc and clang)" ${TARN_OPTIMIZE_DEFAULT})
if(TARN_OPTIMIZE AND MSVC)
	# Its flags for Debug (/RTC1) and /O2 exclude each other.
	message(FATAL_ERROR "TARN_OPTIMIZE is for gcc and clang")
endif()

function(tarn_optimize target)
	if(TARN_OPTIMIZE)
		target_compile_options(${target} PRIVATE $<$<OR:$<CONFIG:Debug>,$<NOT:$<BOOL:$<CONFIG>>>>:-O2>)
		if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
			message(STATUS "tarn is optimised (-O2) in this build too; TARN_OPTIMIZE=OFF leaves it as slow as the rest")
		endif()
	endif()
endfunction()

# SPDX-License-Identifier: MIT

# What is installed beside the library; cmake/install.cmake says in which parts. Called from the top when all targets are
# there.

include(GNUInstallDirs)

# tarn_install_part(<target> <name> <component> <folder of its headers> <header>...): target tarn_NAME becomes tarn::NAME
# of the package, its headers go where programs find them by the names that they have in the sources.
function(tarn_install_part target name component folder)
	set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
	target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/${target}>)
	install(TARGETS ${target} EXPORT ${target}Targets
		ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component}
		LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component}
		RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
	foreach(header IN LISTS ARGN)
		install(FILES "${folder}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${target}" COMPONENT ${component})
	endforeach()
	install(EXPORT ${target}Targets NAMESPACE tarn:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tarn"
		COMPONENT ${component})
endfunction()

if(TARGET tarn_render)
	tarn_install_part(tarn_render render render "${PROJECT_SOURCE_DIR}/render" render.h headless.h overlay.h)
endif()
if(TARGET tarn_ode)
	tarn_install_part(tarn_ode ode adapters "${PROJECT_SOURCE_DIR}/adapters/ode" tarn_ode.h)
endif()
if(TARGET tarn_bullet)
	tarn_install_part(tarn_bullet bullet adapters "${PROJECT_SOURCE_DIR}/adapters/bullet" tarn_bullet.h)
endif()
if(TARGET tarn_app)
	install(TARGETS tarn_app RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
	# app/scene_paths.c looks there.
	install(DIRECTORY "${PROJECT_SOURCE_DIR}/scenes" DESTINATION "${CMAKE_INSTALL_DATADIR}/tarn" COMPONENT program)
	if(BUILD_SHARED_LIBS AND UNIX AND NOT APPLE)
		file(RELATIVE_PATH toLibraries "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
		set_target_properties(tarn_app PROPERTIES INSTALL_RPATH "$ORIGIN/${toLibraries}")
	endif()
endif()

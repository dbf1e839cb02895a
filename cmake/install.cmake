# `cmake --install`: headers, both libraries, and what find_package and pkg-config need. Every path
# in the installed files is relative to them, so that the tree can be moved.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
set(generated ${PROJECT_BINARY_DIR}/install)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cairn TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
foreach(library shared static)
    install(TARGETS cairn_${library} EXPORT cairn_${library}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT cairn_${library}
        NAMESPACE cairn:: FILE cairn-${library}.cmake DESTINATION ${package_dir})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cairnConfig.cmake.in
    ${generated}/cairnConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${generated}/cairnConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/cairnConfig.cmake ${generated}/cairnConfigVersion.cmake
    DESTINATION ${package_dir})

file(RELATIVE_PATH includedir_from_pc
    /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
list(TRANSFORM guards PREPEND -D OUTPUT_VARIABLE guards_flag)
configure_file(${PROJECT_SOURCE_DIR}/cmake/cairn.pc.in ${generated}/cairn.pc @ONLY)
install(FILES ${generated}/cairn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# `cmake --install`: headers, libraries, and the files for find_package and pkg-config. All paths in the
# installed files are relative, so that the installation can be moved.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
set(generated ${PROJECT_BINARY_DIR}/install)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cairn TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
# Files that the shaders of programs include.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shaders/render DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn/shaders
    FILES_MATCHING PATTERN "*.glsl")
# Mods that come with Crafty, beside the program's folder (games/crafty/mods/program_mods.h), also for
# the program in the build folder.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/crafty)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/games/crafty/mods/examples ${PROJECT_BINARY_DIR}/share/crafty/mods SYMBOLIC)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/games/crafty/mods/examples/
    DESTINATION ${CMAKE_INSTALL_DATADIR}/crafty/mods)
foreach(library shared static headless_shared headless_static)
    install(TARGETS cairn_${library} EXPORT cairn_${library}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT cairn_${library}
        NAMESPACE cairn:: FILE cairn-${library}.cmake DESTINATION ${package_dir})
endforeach()
# Stores in PostgreSQL: linked in addition to one of the libraries above.
install(TARGETS cairn_postgres EXPORT cairn_postgres INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cairn_postgres NAMESPACE cairn:: FILE cairn-postgres.cmake DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cairnConfig.cmake.in
    ${generated}/cairnConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${generated}/cairnConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/cairnConfig.cmake ${generated}/cairnConfigVersion.cmake
    DESTINATION ${package_dir})

file(RELATIVE_PATH includedir_from_pc
    /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
list(TRANSFORM guards PREPEND -D OUTPUT_VARIABLE guards_flag)
set(headless_libs "-lxxhash -lsodium -lzstd -lsqlite3 -lphysfs -ljansson -lode -lluajit-5.1 -lngtcp2_crypto_gnutls -lngtcp2 -lgnutls")
set(screen_libs "-lspng -lturbojpeg -lwebp -lmeshoptimizer -lfreetype -lSDL2 -lvorbisfile -lstdc++")
function(cairn_pkg_config name description packages)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/cairn.pc.in ${generated}/${name}.pc @ONLY)
    install(FILES ${generated}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
cairn_pkg_config(cairn "${PROJECT_DESCRIPTION}" "${headless_libs} ${screen_libs}")
cairn_pkg_config(cairn-headless "${PROJECT_DESCRIPTION}, without graphics and sound" "${headless_libs}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/cairn-postgres.pc.in ${generated}/cairn-postgres.pc @ONLY)
install(FILES ${generated}/cairn-postgres.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The licence of the embedded fonts.
find_file(CAIRN_DEJAVU_LICENCE copyright PATHS /usr/share/doc/fonts-dejavu-core
    /usr/share/licenses/ttf-dejavu NO_DEFAULT_PATH)
if(CAIRN_DEJAVU_LICENCE)
    install(FILES ${CAIRN_DEJAVU_LICENCE} TYPE DOC RENAME DejaVu-fonts.copyright)
endif()

# libcairn and libcairn-headless, each as .a and .so, from objects that are compiled once. The headless
# library lacks the graphics, window and sound modules and does not need their packages.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRN_XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(CAIRN_SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(CAIRN_ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(CAIRN_SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.37)
pkg_check_modules(CAIRN_PHYSFS REQUIRED IMPORTED_TARGET physfs)
pkg_check_modules(CAIRN_JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(CAIRN_ODE REQUIRED IMPORTED_TARGET ode)
pkg_check_modules(CAIRN_LUAJIT REQUIRED IMPORTED_TARGET luajit)
pkg_check_modules(CAIRN_NGTCP2 REQUIRED IMPORTED_TARGET libngtcp2>=0.12 libngtcp2<0.13 libngtcp2_crypto_gnutls)
pkg_check_modules(CAIRN_GNUTLS REQUIRED IMPORTED_TARGET gnutls>=3.7.3)
pkg_check_modules(CAIRN_SPNG REQUIRED IMPORTED_TARGET spng)
pkg_check_modules(CAIRN_TURBOJPEG REQUIRED IMPORTED_TARGET libturbojpeg)
pkg_check_modules(CAIRN_WEBP REQUIRED IMPORTED_TARGET libwebp)
find_package(meshoptimizer REQUIRED)
pkg_check_modules(CAIRN_FREETYPE REQUIRED IMPORTED_TARGET freetype2)
pkg_check_modules(CAIRN_SDL2 REQUIRED IMPORTED_TARGET sdl2)
pkg_check_modules(CAIRN_VORBISFILE REQUIRED IMPORTED_TARGET vorbisfile)
# Headers only: OpenAL is loaded at run time; without it, programs are silent.
find_path(CAIRN_OPENAL_INCLUDES AL/alext.h REQUIRED)
# Headers only: Vulkan is loaded at run time, so that servers do not need it.
find_path(CAIRN_VOLK_INCLUDES volk.h REQUIRED)
set(headless_packages PkgConfig::CAIRN_XXHASH PkgConfig::CAIRN_SODIUM PkgConfig::CAIRN_ZSTD
    PkgConfig::CAIRN_SQLITE PkgConfig::CAIRN_PHYSFS PkgConfig::CAIRN_JANSSON PkgConfig::CAIRN_ODE
    PkgConfig::CAIRN_LUAJIT PkgConfig::CAIRN_NGTCP2 PkgConfig::CAIRN_GNUTLS)
set(screen_packages PkgConfig::CAIRN_SPNG PkgConfig::CAIRN_TURBOJPEG PkgConfig::CAIRN_WEBP
    meshoptimizer::meshoptimizer PkgConfig::CAIRN_FREETYPE PkgConfig::CAIRN_SDL2
    PkgConfig::CAIRN_VORBISFILE)
set(screen_modules gpu render ui audio engine)

set(sources)
set(screen_sources)
foreach(module IN LISTS CAIRN_MODULES)
    file(GLOB_RECURSE module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.c)
    if(module IN_LIST screen_modules)
        list(APPEND screen_sources ${module_sources})
    else()
        list(APPEND sources ${module_sources})
    endif()
endforeach()

# Public, because inline functions in headers contain guards, too.
set(guards)
if(CAIRN_GUARDS)
    set(guards CN_GUARDS=1)
endif()

list(APPEND sources ${CAIRN_LUA_PRELUDE})
add_library(cairn_objects OBJECT ${sources})
add_library(cairn_screen_objects OBJECT ${screen_sources})
foreach(objects cairn_objects cairn_screen_objects)
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${objects} PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${objects} PRIVATE ${guards})
    target_link_libraries(${objects} PRIVATE ${headless_packages} Threads::Threads)
endforeach()
target_include_directories(cairn_screen_objects PRIVATE ${CAIRN_SHADER_INCLUDES})
target_include_directories(cairn_screen_objects SYSTEM PRIVATE ${CAIRN_VOLK_INCLUDES} ${CAIRN_OPENAL_INCLUDES})
target_link_libraries(cairn_screen_objects PRIVATE ${screen_packages})
add_dependencies(cairn_screen_objects cairn_shaders)
# From the folder of the shared library to that of cairn-decode.
include(GNUInstallDirs)
file(RELATIVE_PATH libexec_from_lib /${CMAKE_INSTALL_LIBDIR} /${CMAKE_INSTALL_LIBEXECDIR})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/vfs/decode/helper_program.c PROPERTIES
    COMPILE_DEFINITIONS "CAIRN_LIBEXEC_FROM_LIB=\"${libexec_from_lib}\"")

# Creates <name>_static and <name>_shared.
function(cairn_library name output packages)
    add_library(${name}_static STATIC ${ARGN})
    add_library(${name}_shared SHARED ${ARGN})
    foreach(library ${name}_static ${name}_shared)
        set_target_properties(${library} PROPERTIES OUTPUT_NAME ${output} LINKER_LANGUAGE C)
        target_include_directories(${library} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
        target_compile_definitions(${library} INTERFACE ${guards})
        # Systems of programs must be bit-identical on every SIMD path as well; AVX-512 could contract.
        target_compile_options(${library} INTERFACE -ffp-contract=off)
        target_link_libraries(${library} PRIVATE ${packages} Threads::Threads m ${CMAKE_DL_LIBS})
    endforeach()
    set_target_properties(${name}_shared PROPERTIES
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR})
    set(exported ${PROJECT_SOURCE_DIR}/cmake/exported.map)
    set_target_properties(${name}_shared PROPERTIES LINK_DEPENDS ${exported})
    target_link_options(${name}_shared PRIVATE
        -Wl,-Bsymbolic-functions -Wl,--version-script=${exported})
    if(NOT CAIRN_SANITIZE)
        # The symbols of the sanitizers come from the program.
        target_link_options(${name}_shared PRIVATE -Wl,--no-undefined)
    endif()
endfunction()

cairn_library(cairn cairn "${headless_packages};${screen_packages}"
    $<TARGET_OBJECTS:cairn_objects> $<TARGET_OBJECTS:cairn_screen_objects>)
cairn_library(cairn_headless cairn-headless "${headless_packages}" $<TARGET_OBJECTS:cairn_objects>)
add_library(cairn::static ALIAS cairn_static)
add_library(cairn::cairn ALIAS cairn_shared)
add_library(cairn::headless_static ALIAS cairn_headless_static)
add_library(cairn::headless ALIAS cairn_headless_shared)
set_target_properties(cairn_static PROPERTIES EXPORT_NAME static)
set_target_properties(cairn_shared PROPERTIES EXPORT_NAME cairn)
set_target_properties(cairn_headless_static PROPERTIES EXPORT_NAME headless_static)
set_target_properties(cairn_headless_shared PROPERTIES EXPORT_NAME headless)

# libcairn-postgres: stores in PostgreSQL, for programs that link one of the libraries above. Without a
# link to either, because a program must not link both variants.
pkg_check_modules(CAIRN_LIBPQ REQUIRED IMPORTED_TARGET libpq>=14)
file(GLOB postgres_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/postgres/*.c)
add_library(cairn_postgres STATIC ${postgres_sources})
set_target_properties(cairn_postgres PROPERTIES OUTPUT_NAME cairn-postgres EXPORT_NAME postgres
    POSITION_INDEPENDENT_CODE ON)
target_include_directories(cairn_postgres PRIVATE ${PROJECT_SOURCE_DIR}/src
    INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_include_directories(cairn_postgres PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(cairn_postgres PUBLIC ${guards})
target_link_libraries(cairn_postgres PRIVATE PkgConfig::CAIRN_LIBPQ)
add_library(cairn::postgres ALIAS cairn_postgres)

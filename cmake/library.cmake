# libcairn.a and libcairn.so, from objects that are compiled once.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRN_XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(CAIRN_ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(CAIRN_PHYSFS REQUIRED IMPORTED_TARGET physfs)
pkg_check_modules(CAIRN_JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(CAIRN_ODE REQUIRED IMPORTED_TARGET ode)
pkg_check_modules(CAIRN_LUAJIT REQUIRED IMPORTED_TARGET luajit)
# Headers alone: Vulkan itself is loaded at run time, so that servers do without it.
find_path(CAIRN_VOLK_INCLUDES volk.h REQUIRED)
set(packages PkgConfig::CAIRN_XXHASH PkgConfig::CAIRN_ZSTD PkgConfig::CAIRN_PHYSFS
    PkgConfig::CAIRN_JANSSON PkgConfig::CAIRN_ODE PkgConfig::CAIRN_LUAJIT)

set(sources)
foreach(module IN LISTS CAIRN_MODULES)
    file(GLOB module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${module}/*.c)
    list(APPEND sources ${module_sources})
endforeach()

# Public, because inline functions in headers carry guards too.
set(guards)
if(CAIRN_GUARDS)
    set(guards CN_GUARDS=1)
endif()

add_library(cairn_objects OBJECT ${sources})
set_target_properties(cairn_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(cairn_objects PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${CAIRN_SHADER_INCLUDES})
target_include_directories(cairn_objects SYSTEM PRIVATE ${CAIRN_VOLK_INCLUDES})
add_dependencies(cairn_objects cairn_shaders)
target_compile_definitions(cairn_objects PRIVATE ${guards})
target_link_libraries(cairn_objects PRIVATE ${packages} Threads::Threads)

add_library(cairn_static STATIC $<TARGET_OBJECTS:cairn_objects>)
add_library(cairn_shared SHARED $<TARGET_OBJECTS:cairn_objects>)
add_library(cairn::static ALIAS cairn_static)
add_library(cairn::cairn ALIAS cairn_shared)

foreach(library cairn_static cairn_shared)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME cairn LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
    target_compile_definitions(${library} INTERFACE ${guards})
    # Systems of programs, too, give the same bits on every SIMD path: AVX-512 could contract.
    target_compile_options(${library} INTERFACE -ffp-contract=off)
    target_link_libraries(${library} PRIVATE ${packages} Threads::Threads m ${CMAKE_DL_LIBS})
endforeach()

set_target_properties(cairn_static PROPERTIES EXPORT_NAME static)
set_target_properties(cairn_shared PROPERTIES
    EXPORT_NAME cairn
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_options(cairn_shared PRIVATE -Wl,-Bsymbolic-functions)
if(NOT CAIRN_SANITIZE)
    # The sanitizers' own symbols come from the program.
    target_link_options(cairn_shared PRIVATE -Wl,--no-undefined)
endif()

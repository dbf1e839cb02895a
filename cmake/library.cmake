# libcairn.a and libcairn.so, from objects that are compiled once.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRN_XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(CAIRN_ZSTD REQUIRED IMPORTED_TARGET libzstd)

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
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(cairn_objects PRIVATE ${guards})
target_link_libraries(cairn_objects PRIVATE PkgConfig::CAIRN_XXHASH PkgConfig::CAIRN_ZSTD
    Threads::Threads)

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
    target_link_libraries(${library} PRIVATE PkgConfig::CAIRN_XXHASH PkgConfig::CAIRN_ZSTD
        Threads::Threads m ${CMAKE_DL_LIBS})
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

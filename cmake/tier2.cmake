# Tier-2 modules: reads modules.toml and makes the library cairn_modules from the folders of modules/
# that it switches on, with the table cn_module_table. A module that is off is not even compiled.

set(CAIRN_MODULES_FILE ${PROJECT_SOURCE_DIR}/modules.toml CACHE FILEPATH
    "Says which modules are compiled in")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CAIRN_MODULES_FILE})

set(module_sources)
set(module_declarations "")
set(module_entries "")
set(module_folder ${PROJECT_SOURCE_DIR}/modules)
set(seen_modules)
set(line_number 0)
file(READ ${CAIRN_MODULES_FILE} content)
string(REGEX REPLACE ";" "," content "${content}")
string(REGEX REPLACE "\n" ";" lines "${content}")
foreach(line IN LISTS lines)
    math(EXPR line_number "${line_number} + 1")
    string(REGEX REPLACE "#.*$" "" line "${line}")
    string(STRIP "${line}" line)
    if(line STREQUAL "" OR line STREQUAL "[modules]")
        continue()
    endif()
    set(place "${CAIRN_MODULES_FILE}:${line_number}")
    if(NOT line MATCHES "^([a-z][a-z0-9_]*) *= *(true|false)$")
        message(FATAL_ERROR "${place}: expected \"name = true\" or \"name = false\": ${line}")
    endif()
    set(module ${CMAKE_MATCH_1})
    set(wanted ${CMAKE_MATCH_2})
    if(module IN_LIST seen_modules)
        message(FATAL_ERROR "${place}: module ${module} is listed twice")
    endif()
    list(APPEND seen_modules ${module})
    file(GLOB sources CONFIGURE_DEPENDS ${module_folder}/${module}/*.c)
    if(NOT sources)
        message(FATAL_ERROR "${place}: there is no module ${module}: modules/${module}/ has no C file")
    endif()
    if(wanted STREQUAL "true")
        list(APPEND module_sources ${sources})
        string(APPEND module_declarations "extern const CnPlugin cn_module_${module};\n")
        string(APPEND module_entries "    &cn_module_${module},\n")
    endif()
endforeach()

set(module_table ${PROJECT_BINARY_DIR}/modules/table.c)
file(CONFIGURE OUTPUT ${module_table} CONTENT
"/* Made from modules.toml. */
#include <cairn/plugin.h>

@module_declarations@
const CnPlugin *const cn_module_table[] = {
@module_entries@    NULL,
};
" @ONLY)

add_library(cairn_modules STATIC ${module_table} ${module_sources})
set_target_properties(cairn_modules PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(cairn_modules PUBLIC ${module_folder})
target_include_directories(cairn_modules PRIVATE
    $<TARGET_PROPERTY:cairn_shared,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(cairn_modules PRIVATE
    $<TARGET_PROPERTY:cairn_shared,INTERFACE_COMPILE_DEFINITIONS>)

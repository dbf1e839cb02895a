# Tier-2 modules: reads modules.toml and builds the library cairn_modules, with the table cn_module_table,
# from the enabled folders of modules/. Disabled modules are not compiled.

set(CAIRN_MODULES_FILE ${PROJECT_SOURCE_DIR}/modules.toml CACHE FILEPATH
    "Says which modules are compiled in")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CAIRN_MODULES_FILE})

set(module_sources)
set(module_declarations "")
set(module_entries "")
set(module_folder ${PROJECT_SOURCE_DIR}/modules)
include(${CMAKE_CURRENT_LIST_DIR}/modules_file.cmake)
cairn_read_modules_file(${CAIRN_MODULES_FILE} ${module_folder} wanted_modules)
foreach(module IN LISTS wanted_modules)
    file(GLOB sources CONFIGURE_DEPENDS ${module_folder}/${module}/*.c)
    list(APPEND module_sources ${sources})
    string(APPEND module_declarations "extern const CnPlugin cn_module_${module};\n")
    string(APPEND module_entries "    &cn_module_${module},\n")
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

# Compiles shaders/x/y.frag to the header shaders/x/y.frag.h with the array cn_shader_x_y_frag, for the
# library, tests and programs. Includes of shaders (*.glsl, from the folder shaders/) are tracked.
# A full-screen pass shaders/x/y.pass.glsl (cairn/render/full_screen.h) becomes both y.frag and y.comp.

find_program(CAIRN_GLSLC glslc REQUIRED)
set(CAIRN_SHADER_INCLUDES ${PROJECT_BINARY_DIR}/generated)
set(CAIRN_SHADER_CACHE "" CACHE PATH "Compiled shaders that several build trees share; empty: none")

file(GLOB_RECURSE shaders CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/shaders/*.vert ${PROJECT_SOURCE_DIR}/shaders/*.frag
    ${PROJECT_SOURCE_DIR}/shaders/*.comp)
list(TRANSFORM shaders PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE shader_paths)

# src/render/shader/shader_source.c writes the same text when shaders are compiled at run time.
file(GLOB_RECURSE passes CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/shaders
    ${PROJECT_SOURCE_DIR}/shaders/*.pass.glsl)
foreach(pass IN LISTS passes)
    foreach(form frag comp)
        string(REGEX REPLACE "\\.pass\\.glsl$" ".${form}" shader shaders/${pass})
        file(CONFIGURE OUTPUT ${CAIRN_SHADER_INCLUDES}/${shader} CONTENT
"#version 460
#include \"${pass}\"
#include \"render/core/full_screen_${form}.glsl\"
")
        list(APPEND shaders ${shader})
        list(APPEND shader_paths ${CAIRN_SHADER_INCLUDES}/${shader})
    endforeach()
endforeach()

set(shader_words)
foreach(shader path IN ZIP_LISTS shaders shader_paths)
    set(words ${CAIRN_SHADER_INCLUDES}/${shader}.inc)
    cmake_path(GET words PARENT_PATH folder)
    cmake_path(GET words FILENAME words_name)
    file(MAKE_DIRECTORY ${folder})
    set(shared)
    if(CAIRN_SHADER_CACHE)
        set(shared ${PROJECT_SOURCE_DIR}/tools/compile-shader ${CAIRN_SHADER_CACHE} ${shader} ${words})
    endif()
    add_custom_command(OUTPUT ${words}
        COMMAND ${shared} ${CAIRN_GLSLC} --target-env=vulkan1.3 -O -Werror -mfmt=c
            -I ${PROJECT_SOURCE_DIR}/shaders -MD -MF ${words}.d -o ${words}
            ${path}
        DEPENDS ${path}
        DEPFILE ${words}.d
        COMMENT "Compiling ${shader}"
        VERBATIM)
    list(APPEND shader_words ${words})

    string(REGEX REPLACE "^shaders/" "cn_shader_" array ${shader})
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" array ${array})
    file(CONFIGURE OUTPUT ${CAIRN_SHADER_INCLUDES}/${shader}.h CONTENT
"#include <stdint.h>

static const uint32_t ${array}[] =
#include \"${words_name}\"
    ;
")
endforeach()

# The library also contains the sources of the renderer's shaders: material surfaces are compiled with them.
file(GLOB_RECURSE shader_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/shaders
    ${PROJECT_SOURCE_DIR}/shaders/render/*.*)
list(TRANSFORM shader_sources PREPEND ${PROJECT_SOURCE_DIR}/shaders/ OUTPUT_VARIABLE shader_source_files)
list(JOIN shader_sources " " shader_source_names)
set(embedded ${CAIRN_SHADER_INCLUDES}/shader_sources.inc)
add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/shaders -DOUTPUT=${embedded}
        -DFILES=${shader_source_names} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${shader_source_files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding the sources of shaders"
    VERBATIM)

add_custom_target(cairn_shaders DEPENDS ${shader_words} ${embedded})

# shaders/x/y.frag becomes the header shaders/x/y.frag.h with the array of words cn_shader_x_y_frag, for
# the library, tests and programs that want it. What a shader includes (*.glsl, from the folder shaders/)
# is tracked.

find_program(CAIRN_GLSLC glslc REQUIRED)
set(CAIRN_SHADER_INCLUDES ${PROJECT_BINARY_DIR}/generated)

file(GLOB_RECURSE shaders CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/shaders/*.vert ${PROJECT_SOURCE_DIR}/shaders/*.frag
    ${PROJECT_SOURCE_DIR}/shaders/*.comp)
set(shader_words)
foreach(shader IN LISTS shaders)
    set(words ${CAIRN_SHADER_INCLUDES}/${shader}.inc)
    cmake_path(GET words PARENT_PATH folder)
    cmake_path(GET words FILENAME words_name)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${words}
        COMMAND ${CAIRN_GLSLC} --target-env=vulkan1.3 -O -Werror -mfmt=c
            -I ${PROJECT_SOURCE_DIR}/shaders -MD -MF ${words}.d -o ${words}
            ${PROJECT_SOURCE_DIR}/${shader}
        DEPENDS ${PROJECT_SOURCE_DIR}/${shader}
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
add_custom_target(cairn_shaders DEPENDS ${shader_words})

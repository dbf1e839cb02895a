# The standard blocks of Crafty: the program `blocks` generates them from block_metadata.json and the
# families. standard_blocks.c holds their properties, which games/crafty/world/blocks.c registers at run
# time; blocks.tiles is the texture array; standard_block_numbers.h is for tests and benchmarks.

file(GLOB block_tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/crafty/blocks/*.c)
add_executable(blocks ${block_tool_sources})
target_link_libraries(blocks PRIVATE PkgConfig::CAIRN_JANSSON m)

set(block_metadata ${PROJECT_SOURCE_DIR}/games/crafty/blocks/block_metadata.json)
set(CRAFTY_BLOCK_INCLUDES ${PROJECT_BINARY_DIR}/generated/blocks)
set(CRAFTY_BLOCK_TILES ${CRAFTY_BLOCK_INCLUDES}/blocks.tiles)
set(generated_blocks ${CRAFTY_BLOCK_INCLUDES}/standard_blocks.c
    ${CRAFTY_BLOCK_INCLUDES}/standard_item_tiles.c
    ${CRAFTY_BLOCK_INCLUDES}/standard_block_numbers.h)
file(MAKE_DIRECTORY ${CRAFTY_BLOCK_INCLUDES})
add_custom_command(OUTPUT ${generated_blocks} ${CRAFTY_BLOCK_TILES}
    COMMAND blocks ${block_metadata} ${CRAFTY_BLOCK_INCLUDES}
    DEPENDS blocks ${block_metadata}
    COMMENT "Making the standard blocks"
    VERBATIM)
add_custom_target(crafty_generated_blocks DEPENDS ${generated_blocks} ${CRAFTY_BLOCK_TILES})

# The block table: tools/blocks generates it from block_metadata.json and the families, for the library
# (block_table.c), its public headers (cairn/voxel/block_ids.h) and the renderer (blocks.tiles, the
# texture array).

file(GLOB block_tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/blocks/*.c)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRN_JANSSON REQUIRED IMPORTED_TARGET jansson)
add_executable(blocks ${block_tool_sources})
target_link_libraries(blocks PRIVATE PkgConfig::CAIRN_JANSSON m)

set(block_metadata ${PROJECT_SOURCE_DIR}/tools/blocks/block_metadata.json)
set(CAIRN_BLOCK_INCLUDES ${PROJECT_BINARY_DIR}/generated/blocks)
set(CAIRN_BLOCK_IDS ${CAIRN_BLOCK_INCLUDES}/cairn/voxel/block_ids.h)
set(CAIRN_BLOCK_TABLE ${CAIRN_BLOCK_INCLUDES}/block_table.c)
set(CAIRN_BLOCK_TILES ${CAIRN_BLOCK_INCLUDES}/blocks.tiles)
file(MAKE_DIRECTORY ${CAIRN_BLOCK_INCLUDES}/cairn/voxel)
add_custom_command(OUTPUT ${CAIRN_BLOCK_IDS} ${CAIRN_BLOCK_TABLE} ${CAIRN_BLOCK_TILES}
    COMMAND blocks ${block_metadata} ${CAIRN_BLOCK_INCLUDES}
    DEPENDS blocks ${block_metadata}
    COMMENT "Making the table of blocks"
    VERBATIM)
add_custom_target(cairn_blocks DEPENDS ${CAIRN_BLOCK_IDS} ${CAIRN_BLOCK_TABLE} ${CAIRN_BLOCK_TILES})

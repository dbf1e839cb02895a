# games/<name>/: games. The files in sim/ and client/ form a library, so that tests can link it, too; the
# program is client/main.c. Games use only the public headers.

file(GLOB crafty_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/games/crafty/world/*.c ${PROJECT_SOURCE_DIR}/games/crafty/sim/*.c
    ${PROJECT_SOURCE_DIR}/games/crafty/client/*.c)
set(crafty_main ${PROJECT_SOURCE_DIR}/games/crafty/client/main.c)
list(REMOVE_ITEM crafty_sources ${crafty_main})

add_library(crafty_parts STATIC ${crafty_sources})
target_include_directories(crafty_parts PUBLIC ${PROJECT_SOURCE_DIR}/games)
target_link_libraries(crafty_parts PUBLIC cairn::static)
add_dependencies(crafty_parts cairn_blocks)
set_source_files_properties(${PROJECT_SOURCE_DIR}/games/crafty/client/block_textures.c PROPERTIES
    COMPILE_DEFINITIONS "CRAFTY_TILES=\"${CAIRN_BLOCK_TILES}\"" OBJECT_DEPENDS ${CAIRN_BLOCK_TILES})

add_executable(crafty ${crafty_main})
target_link_libraries(crafty PRIVATE crafty_parts)
install(TARGETS crafty)

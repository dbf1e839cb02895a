# games/<name>/: games. Each folder of a game is a library, so that tests can link it; games use only the
# public headers. world/, sim/ and save/ are headless: they use nothing that draws, and the program that links them
# chooses between libcairn and libcairn-headless. client/main.c and server/main.c are the programs.

# Without a link to the library itself, because a program must not link both variants.
function(cairn_game_library name folder)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/${folder}/*.c)
    list(FILTER sources EXCLUDE REGEX "/main\\.c$")
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/games
        $<TARGET_PROPERTY:cairn_headless_static,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${name} PUBLIC
        $<TARGET_PROPERTY:cairn_headless_static,INTERFACE_COMPILE_DEFINITIONS>)
    target_compile_options(${name} PUBLIC
        $<TARGET_PROPERTY:cairn_headless_static,INTERFACE_COMPILE_OPTIONS>)
endfunction()

include(${PROJECT_SOURCE_DIR}/cmake/crafty_blocks.cmake)
cairn_game_library(crafty_world crafty/world)
target_sources(crafty_world PRIVATE ${CRAFTY_BLOCK_INCLUDES}/standard_blocks.c)
cairn_game_library(crafty_sim crafty/sim)
cairn_game_library(crafty_save crafty/save)
cairn_game_library(crafty_replay crafty/replay)
cairn_game_library(crafty_crash crafty/crash)
cairn_game_library(crafty_server crafty/server)
cairn_game_library(crafty_world_command crafty/world_command)
cairn_game_library(crafty_client crafty/client)
target_link_libraries(crafty_sim PUBLIC crafty_world)
target_link_libraries(crafty_save PUBLIC crafty_sim crafty_world)
target_link_libraries(crafty_replay PUBLIC crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_crash PUBLIC crafty_replay crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_server PUBLIC crafty_crash crafty_replay crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_world_command PUBLIC crafty_replay crafty_save crafty_sim crafty_world
    PkgConfig::CAIRN_JANSSON PkgConfig::CAIRN_TURBOJPEG PkgConfig::CAIRN_SQLITE)
target_link_libraries(crafty_client PUBLIC crafty_crash crafty_replay crafty_save crafty_sim crafty_world
    cairn::static)
target_link_libraries(crafty_client PRIVATE PkgConfig::CAIRN_JANSSON) # reads the settings file
set_source_files_properties(${PROJECT_SOURCE_DIR}/games/crafty/client/block_textures.c PROPERTIES
    COMPILE_DEFINITIONS "CRAFTY_TILES=\"${CRAFTY_BLOCK_TILES}\"" OBJECT_DEPENDS ${CRAFTY_BLOCK_TILES})
add_dependencies(crafty_client crafty_generated_blocks)

add_executable(crafty ${PROJECT_SOURCE_DIR}/games/crafty/client/main.c)
target_link_libraries(crafty PRIVATE crafty_world_command crafty_client)
add_executable(crafty-server ${PROJECT_SOURCE_DIR}/games/crafty/server/main.c)
target_link_libraries(crafty-server PRIVATE crafty_server cairn::headless_static)
install(TARGETS crafty crafty-server)

# games/<name>/: games. Each folder of a game is a library, so that tests can link it; games use only the
# public headers. world/, sim/ and save/ are headless: they use nothing that draws, and the program that links them
# chooses between libcairn and libcairn-headless. client/main.c and server/main.c are the programs.

# Without a link to the library itself, because a program must not link both variants.
function(cairn_game_library name folder)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/${folder}/*.c
        ${PROJECT_SOURCE_DIR}/games/${folder}/*/*.c) # subfolders by concern
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
include(${PROJECT_SOURCE_DIR}/cmake/crafty_sounds.cmake)
cairn_game_library(crafty_world crafty/world)
target_sources(crafty_world PRIVATE ${CRAFTY_BLOCK_INCLUDES}/standard_blocks.c
    ${CRAFTY_BLOCK_INCLUDES}/standard_item_tiles.c)
target_link_libraries(crafty_world PRIVATE PkgConfig::CAIRN_JANSSON) # reads the data of the game
file(GLOB crafty_data CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/crafty/data/*.json)
set_source_files_properties(${PROJECT_SOURCE_DIR}/games/crafty/world/game_data.c PROPERTIES
    COMPILE_DEFINITIONS "CRAFTY_DATA=\"${PROJECT_SOURCE_DIR}/games/crafty/data\""
    OBJECT_DEPENDS "${crafty_data}")
cairn_game_library(crafty_sim crafty/sim)
cairn_game_library(crafty_save crafty/save)
cairn_game_library(crafty_mods crafty/mods)
cairn_game_library(crafty_net crafty/net)
cairn_game_library(crafty_replay crafty/replay)
cairn_game_library(crafty_robot crafty/robot)
cairn_game_library(crafty_crash crafty/crash)
cairn_game_library(crafty_server crafty/server)
cairn_game_library(crafty_bots crafty/bots)
cairn_game_library(crafty_world_command crafty/world_command)
cairn_game_library(crafty_mod_command crafty/mod_command)
cairn_game_library(crafty_client crafty/client)
target_link_libraries(crafty_sim PUBLIC crafty_world)
target_link_libraries(crafty_sim PRIVATE PkgConfig::CAIRN_JANSSON) # definitions of mods
set_source_files_properties(${PROJECT_SOURCE_DIR}/games/crafty/sim/mod/mods.c PROPERTIES
    COMPILE_DEFINITIONS "CRAFTY_BASE_MOD=\"${PROJECT_SOURCE_DIR}/games/crafty/mods/base/main.lua\""
    OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/games/crafty/mods/base/main.lua)
target_link_libraries(crafty_save PUBLIC crafty_sim crafty_world)
target_link_libraries(crafty_mods PUBLIC crafty_save crafty_world)
target_link_libraries(crafty_mods PRIVATE PkgConfig::CAIRN_JANSSON) # reads mod.json
target_link_libraries(crafty_bots PUBLIC crafty_net crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_net PUBLIC crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_replay PUBLIC crafty_mods crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_robot PUBLIC crafty_replay crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_crash PUBLIC crafty_replay crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_server PUBLIC crafty_net crafty_crash crafty_replay crafty_save crafty_sim crafty_world
    cairn::postgres)
target_link_libraries(crafty_server PRIVATE PkgConfig::CAIRN_JANSSON) # the file of accounts
target_link_libraries(crafty_world_command PUBLIC crafty_replay crafty_mods crafty_save crafty_sim crafty_world
    PkgConfig::CAIRN_JANSSON PkgConfig::CAIRN_TURBOJPEG PkgConfig::CAIRN_SQLITE)
target_link_libraries(crafty_mod_command PUBLIC crafty_mods crafty_save crafty_sim crafty_world)
target_link_libraries(crafty_client PUBLIC crafty_net crafty_crash crafty_replay crafty_save crafty_sim crafty_world
    cairn::static)
target_link_libraries(crafty_client PRIVATE PkgConfig::CAIRN_JANSSON) # reads the settings file
set_source_files_properties(${PROJECT_SOURCE_DIR}/games/crafty/client/block_textures.c PROPERTIES
    COMPILE_DEFINITIONS "CRAFTY_TILES=\"${CRAFTY_BLOCK_TILES}\"" OBJECT_DEPENDS ${CRAFTY_BLOCK_TILES})
set_source_files_properties(${PROJECT_SOURCE_DIR}/games/crafty/client/sound_bank.c PROPERTIES
    COMPILE_DEFINITIONS "CRAFTY_SOUND_PACK=\"${CRAFTY_SOUND_PACK}\"" OBJECT_DEPENDS ${CRAFTY_SOUND_PACK})
add_dependencies(crafty_client crafty_generated_blocks crafty_generated_sounds)

add_executable(crafty ${PROJECT_SOURCE_DIR}/games/crafty/client/main.c)
target_link_libraries(crafty PRIVATE crafty_world_command crafty_mod_command crafty_client)
add_executable(crafty-bots ${PROJECT_SOURCE_DIR}/games/crafty/bots/main.c)
target_link_libraries(crafty-bots PRIVATE crafty_bots cairn::headless_static)
add_executable(crafty-server ${PROJECT_SOURCE_DIR}/games/crafty/server/main.c)
target_link_libraries(crafty-server PRIVATE crafty_server cairn::headless_static)
file(GLOB crafty_capture_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/crafty/capture/*.c)
add_executable(capture_screens ${crafty_capture_sources})
target_link_libraries(capture_screens PRIVATE crafty_client)
add_executable(creature_scenes ${PROJECT_SOURCE_DIR}/games/crafty/creature_scenes/creature_scenes.c)
target_link_libraries(creature_scenes PRIVATE crafty_client)
if(CAIRN_SANITIZE)
    set_target_properties(capture_screens creature_scenes PROPERTIES EXCLUDE_FROM_ALL ON) # not used by tests in this build
endif()
install(TARGETS crafty crafty-bots crafty-server)
# For systemd, which searches the folders lib/systemd/system and lib/sysusers.d of /usr and /usr/local.
install(FILES ${PROJECT_SOURCE_DIR}/games/crafty/server/systemd/crafty-server.service DESTINATION lib/systemd/system)
install(FILES ${PROJECT_SOURCE_DIR}/games/crafty/server/systemd/crafty-server.sysusers DESTINATION lib/sysusers.d
    RENAME crafty-server.conf)
add_executable(capture_walk ${PROJECT_SOURCE_DIR}/games/crafty/walk/main.c)
target_link_libraries(capture_walk PRIVATE crafty_robot crafty_client)
set_target_properties(capture_walk PROPERTIES EXCLUDE_FROM_ALL ON)

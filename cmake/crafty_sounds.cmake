# The sounds of Crafty: the program `sounds` synthesises them from games/crafty/sounds/*.json. sounds.pack
# is embedded in the client; sounds.tsv holds the measures of every sound, for tests.

pkg_check_modules(CAIRN_VORBISENC REQUIRED IMPORTED_TARGET vorbisenc vorbis ogg)
file(GLOB sounds_tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/sounds/*.c)
list(FILTER sounds_tool_sources EXCLUDE REGEX "/main\\.c$")
add_library(sounds_synthesis STATIC ${sounds_tool_sources})
# Also in debug builds: it computes minutes of sound. Results do not depend on the optimisation level.
target_compile_options(sounds_synthesis PRIVATE -O2)
target_include_directories(sounds_synthesis PUBLIC ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(sounds_synthesis PUBLIC PkgConfig::CAIRN_JANSSON PRIVATE PkgConfig::CAIRN_VORBISENC
    PkgConfig::CAIRN_SPNG)
target_include_directories(sounds_synthesis PUBLIC
    $<TARGET_PROPERTY:cairn_headless_static,INTERFACE_INCLUDE_DIRECTORIES>)
add_executable(sounds ${PROJECT_SOURCE_DIR}/tools/sounds/main.c)
target_link_libraries(sounds PRIVATE sounds_synthesis cairn::headless_static)

file(GLOB crafty_sound_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/games/crafty/sounds/*.json)
set(CRAFTY_SOUNDS ${PROJECT_BINARY_DIR}/generated/sounds)
set(CRAFTY_SOUND_PACK ${CRAFTY_SOUNDS}/sounds.pack)
file(MAKE_DIRECTORY ${CRAFTY_SOUNDS})
add_custom_command(OUTPUT ${CRAFTY_SOUND_PACK} ${CRAFTY_SOUNDS}/sounds.tsv
    COMMAND sounds ${CRAFTY_SOUNDS} ${crafty_sound_files}
    DEPENDS sounds ${crafty_sound_files}
    COMMENT "Making the sounds"
    VERBATIM)
add_custom_target(crafty_generated_sounds DEPENDS ${CRAFTY_SOUND_PACK} ${CRAFTY_SOUNDS}/sounds.tsv)

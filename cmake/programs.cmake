# Samples, benchmarks and tools: each source file is a program, named after the file. They use only the
# public headers.

function(cairn_program source)
    cmake_path(GET source STEM name)
    add_executable(${name} ${source} ${ARGN})
    target_link_libraries(${name} PRIVATE cairn::static)
    target_include_directories(${name} PRIVATE ${CAIRN_SHADER_INCLUDES}) # shaders of samples
    add_dependencies(${name} cairn_shaders cairn-decode)
endfunction()

file(GLOB programs CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/samples/[0-9][0-9]_*.c ${PROJECT_SOURCE_DIR}/tools/*.c)
foreach(source IN LISTS programs)
    cairn_program(${source})
    if(CAIRN_SANITIZE)
        cmake_path(GET source STEM name)
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON) # not used by tests in this build
    endif()
endforeach()

# scenes/<name>/: worlds shared by programs, tests and benchmarks.
file(GLOB scene_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*/*.c)
function(cairn_scenes name library)
    add_library(${name} STATIC ${scene_sources})
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/scenes)
    target_link_libraries(${name} PUBLIC ${library})
endfunction()
cairn_scenes(cairn_scenes cairn::static)
cairn_scenes(cairn_scenes_shared cairn::cairn)

# The program `cairn` uses the shared library, like the plugins it loads.
file(GLOB cairn_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/cairn/*.c)
add_executable(cairn ${cairn_sources})
target_link_libraries(cairn PRIVATE cairn_scenes_shared cairn_modules crafty_world)
set_target_properties(cairn PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(TARGETS cairn)

# These programs write images.
pkg_check_modules(spng REQUIRED IMPORTED_TARGET spng)
target_link_libraries(cairn PRIVATE PkgConfig::spng)
target_link_libraries(00_show PRIVATE PkgConfig::spng)
target_link_libraries(07_swarm_film PRIVATE PkgConfig::spng cairn_scenes)
target_link_libraries(13_falling_boxes PRIVATE PkgConfig::spng)
target_link_libraries(25_voxels PRIVATE PkgConfig::spng crafty_world)

# bench/bench_x.c, together with the files in bench/bench_x/. Not built with guards, which would distort
# the results and take long to compile.
if(CAIRN_GUARDS)
    return()
endif()
file(GLOB benches CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/bench_*.c)
foreach(source IN LISTS benches)
    cmake_path(GET source STEM name)
    file(GLOB companions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/${name}/*.c)
    cairn_program(${source} ${companions})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
endforeach()

# The generator places the blocks of Crafty; standard_block_numbers.h is generated.
target_link_libraries(bench_voxel PRIVATE crafty_world)
target_include_directories(bench_voxel PRIVATE ${CRAFTY_BLOCK_INCLUDES})
add_dependencies(bench_voxel crafty_generated_blocks)

# Measures single shaders of the library.
target_include_directories(bench_post PRIVATE ${CAIRN_SHADER_INCLUDES})
add_dependencies(bench_post cairn_shaders)

# Its rays meet the blocks of Crafty.
target_link_libraries(bench_audio PRIVATE crafty_world)

# Compares with ODE directly.
target_link_libraries(bench_physics PRIVATE cairn_scenes PkgConfig::CAIRN_ODE)

# Compares stores in files and in a database.
target_link_libraries(bench_store_backends PRIVATE cairn::postgres cairn::static)

# Measures frames of the game.
target_link_libraries(bench_player_view PRIVATE crafty_client)
target_link_libraries(bench_creature_models PRIVATE crafty_client)

# Measures saved worlds of the game.
target_link_libraries(bench_save PRIVATE crafty_replay cairn::static)

# Measures recipes and furnaces of the game.
target_link_libraries(bench_items PRIVATE crafty_sim cairn::static)

# Measures creatures and paths of the game.
target_link_libraries(bench_creatures PRIVATE crafty_sim cairn::static)

# Measures mods of the game.
target_link_libraries(bench_mods PRIVATE crafty_replay cairn::static)

# Measures players of the game.
target_link_libraries(bench_crafty_players PRIVATE crafty_replay cairn::static)

# Measures growth in the game.
target_link_libraries(bench_growth PRIVATE crafty_replay cairn::static)

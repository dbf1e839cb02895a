# tests/<kind>/<module>/test_<name>.c becomes the program and the ctest test <kind>.<module>.<name>,
# labelled with its kind and module and with the words of a comment near the top of the file:
#
#     /* test-labels: threads slow */
#
# Labels with a meaning: `threads` tests run under ThreadSanitizer; `soak` tests may take hours and run
# only in `make soak`; `window` tests open windows on a virtual display. `rendering` tests draw on a
# device for seconds each; golden tests of the renderer have this label by default. The preset `release`
# compares their images, `asan` checks guards and memory while they draw, and `validate`, which would
# find nothing more, skips them. `statistics` tests measure many generated worlds and are not built with
# sanitizers. `leaks` tests test the leak check and exist only in builds with AddressSanitizer, `guards`
# tests make calls that are undefined without guards and exist only in builds with them.

enable_testing()
# No test reads or writes the cache of the person who runs it.
set(test_environment XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/test-cache)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(SDL2 REQUIRED IMPORTED_TARGET sdl2)
pkg_check_modules(X11 REQUIRED IMPORTED_TARGET x11)
find_program(CAIRN_XVFB_RUN xvfb-run)

file(GLOB_RECURSE support CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.c)
file(GLOB support_includes CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/tests/support/*)
list(FILTER support_includes EXCLUDE REGEX "\\.[ch]$")
list(PREPEND support_includes ${PROJECT_SOURCE_DIR}/tests/support)
set(leak_scope ${PROJECT_SOURCE_DIR}/tests/support/common/leak_scope.c)
list(REMOVE_ITEM support ${leak_scope})
if(support)
    add_library(cairn_test_support STATIC ${support})
    set(scope PUBLIC)
else()
    add_library(cairn_test_support INTERFACE)
    set(scope INTERFACE)
endif()
target_include_directories(cairn_test_support ${scope}
    ${support_includes} ${PROJECT_SOURCE_DIR}/src ${CAIRN_SHADER_INCLUDES})
target_link_libraries(cairn_test_support ${scope} crafty_world_command crafty_world cairn::postgres cairn::static
    PkgConfig::CMOCKA PkgConfig::CAIRN_SQLITE PkgConfig::CAIRN_LIBPQ) # crafty_world_command simulates disks below it
target_include_directories(cairn_test_support ${scope} ${CRAFTY_BLOCK_INCLUDES})
target_compile_definitions(cairn_test_support ${scope} CRAFTY_BLOCK_TILES="${CRAFTY_BLOCK_TILES}")
add_dependencies(cairn_test_support crafty_generated_blocks)
pkg_check_modules(VORBISENC REQUIRED IMPORTED_TARGET vorbisenc vorbis ogg)
target_link_libraries(cairn_test_support ${scope} PkgConfig::VORBISENC) # encodes sounds for tests

# Tests find the helper process beside them. The other one misbehaves as the tests of fault.render.decoder want.
cairn_decoder(cairn-decode-faulty 1)
set_target_properties(cairn-decode-faulty PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests)
add_custom_command(TARGET cairn-decode POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../cairn-decode ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests/cairn-decode)
add_dependencies(cairn_test_support cairn-decode cairn-decode-faulty)

# Only allocations of our own code are checked for leaks: see leak_scope.c. Tests of the plugin module load
# no drivers and use the shared library, whose calls cannot be distinguished this way, so all allocations
# are checked there.
string(FIND "${CAIRN_SANITIZE}" address address_sanitizer)
add_library(cairn_leak_scope INTERFACE)
if(address_sanitizer GREATER -1)
    add_library(cairn_leak_scope_objects OBJECT ${leak_scope})
    target_link_libraries(cairn_leak_scope INTERFACE $<TARGET_OBJECTS:cairn_leak_scope_objects>)
    foreach(function malloc calloc realloc aligned_alloc posix_memalign strdup)
        target_link_options(cairn_leak_scope INTERFACE -Wl,--wrap=${function})
    endforeach()
endif()

# tests/plugins/<name>.c and the template are built as libraries that tests load.
set(plugins_dir ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests/plugins)
set(plugins)
function(cairn_test_plugin name source)
    add_library(${name} MODULE ${source})
    set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${plugins_dir})
    target_link_libraries(${name} PRIVATE cairn::cairn)
    set(plugins ${plugins} ${name} PARENT_SCOPE)
endfunction()
file(GLOB plugin_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/plugins/*.c)
foreach(source IN LISTS plugin_sources)
    cmake_path(GET source STEM name)
    cairn_test_plugin(${name} ${source})
endforeach()
# Plugins may have either hash table of symbols.
target_link_options(edition_a PRIVATE -Wl,--hash-style=gnu)
target_link_options(edition_b PRIVATE -Wl,--hash-style=sysv)
cairn_test_plugin(template_plugin ${PROJECT_SOURCE_DIR}/samples/template_plugin/plugin.c)

# The other template is only compiled.
add_library(template_module OBJECT ${PROJECT_SOURCE_DIR}/samples/template_module/module.c)
target_link_libraries(template_module PRIVATE cairn::cairn)

# Everything that runs under ThreadSanitizer.
add_custom_target(threads_tests)

# What the private headers of a module need.
function(cairn_test_libraries name module)
    if(module STREQUAL render OR module STREQUAL ui)
        target_link_libraries(${name} PRIVATE PkgConfig::CAIRN_FREETYPE) # private font headers
    endif()
    if(module STREQUAL crafty)
        target_link_libraries(${name} PRIVATE crafty_world_command crafty_mod_command crafty_mods crafty_robot crafty_net crafty_server crafty_client)
    endif()
    if(module STREQUAL script)
        target_link_libraries(${name} PRIVATE PkgConfig::CAIRN_LUAJIT) # its private headers include lua.h
    endif()
    if(module STREQUAL cairn)
        target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/cairn/recorded_settings.c)
        target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/cairn)
    endif()
    if(module STREQUAL sounds)
        target_link_libraries(${name} PRIVATE sounds_synthesis)
        target_compile_definitions(${name} PRIVATE CRAFTY_SOUNDS="${CRAFTY_SOUNDS}")
        add_dependencies(${name} crafty_generated_sounds)
    endif()
    if(module STREQUAL net)
        target_link_libraries(${name} PRIVATE PkgConfig::CAIRN_NGTCP2 PkgConfig::CAIRN_GNUTLS) # private headers
    endif()
    if(module STREQUAL audio)
        target_link_libraries(${name} PRIVATE PkgConfig::CAIRN_VORBISFILE) # private headers
        target_include_directories(${name} SYSTEM PRIVATE ${CAIRN_OPENAL_INCLUDES})
    endif()
    if(module STREQUAL gpu)
        target_include_directories(${name} SYSTEM PRIVATE ${CAIRN_VOLK_INCLUDES})
    endif()
endfunction()

function(cairn_test source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
    string(REGEX MATCH "^(.+)/(.+)/test_(.+)\\.c$" matched ${source})
    set(kind ${CMAKE_MATCH_1})
    set(module ${CMAKE_MATCH_2})
    set(name ${kind}.${module}.${CMAKE_MATCH_3})
    set(source ${PROJECT_SOURCE_DIR}/tests/${source})

    file(STRINGS ${source} comment LIMIT_INPUT 1000 REGEX "test-labels:")
    string(REGEX REPLACE ".*test-labels:([a-z -]*).*" "\\1" words "${comment}")
    separate_arguments(words)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    if(kind STREQUAL golden AND module STREQUAL render)
        list(APPEND words rendering)
    endif()

    if((leaks IN_LIST words AND address_sanitizer EQUAL -1) OR
       (guards IN_LIST words AND NOT CAIRN_GUARDS) OR
       (statistics IN_LIST words AND CAIRN_SANITIZE))
        return()
    endif()

    set(timeout_seconds 300)
    if(soak IN_LIST words)
        set(timeout_seconds 14400)
    endif()

    add_executable(${name} ${source})
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests)
    if(module STREQUAL plugin OR leaks IN_LIST words)
        target_compile_definitions(${name} PRIVATE CAIRN_TEST_PLUGINS="${plugins_dir}")
        add_dependencies(${name} ${plugins})
    endif()
    if(module STREQUAL plugin AND NOT kind STREQUAL fuzz)
        # Loaded plugins must find the library in the program.
        target_include_directories(${name} PRIVATE ${support_includes})
        target_link_libraries(${name} PRIVATE cairn_scenes_shared PkgConfig::CMOCKA)
    else()
        target_link_libraries(${name} PRIVATE cairn_test_support cairn_scenes cairn_leak_scope)
    endif()
    cairn_test_libraries(${name} ${module})
    set(screen)
    if(window IN_LIST words)
        target_link_libraries(${name} PRIVATE PkgConfig::SDL2 PkgConfig::X11)
        if(CAIRN_XVFB_RUN)
            # Otherwise it resets when its last client disconnects, and refuses new clients meanwhile.
            set(screen ${CAIRN_XVFB_RUN} -a -s "-screen 0 1280x1024x24 -noreset")
        endif()
    endif()
    if(threads IN_LIST words AND NOT soak IN_LIST words)
        add_dependencies(threads_tests ${name})
    endif()
    add_test(NAME ${name} COMMAND ${screen} $<TARGET_FILE:${name}> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES
        LABELS "${kind};${module};${words}" TIMEOUT ${timeout_seconds} SKIP_RETURN_CODE 77
        ENVIRONMENT "${test_environment}")
endfunction()

foreach(kind unit golden determinism fault fuzz)
    file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${kind}/*/test_*.c)
    foreach(source IN LISTS tests)
        cairn_test(${source})
    endforeach()
endforeach()

# tests/fuzz/<module>/fuzz_<name>.c describes a surface: see tests/fuzz/fuzz_surface.h. It becomes the
# test fuzz.<module>.<name>, which runs a fixed number of inputs, and with CAIRN_FUZZERS the program
# bin/fuzz/<module>.<name>, which libFuzzer guides by coverage: see tools/fuzz.
add_custom_target(fuzzers)

# Their bytes choose the statements of a program: see fuzz_compare.c.
set(surfaces_of_programs fuzz.crafty.mod_api fuzz.crafty.mod_definitions fuzz.script.owners)

function(cairn_fuzz_surface source)
    string(REGEX MATCH "([^/]+)/fuzz_([^/]+)\\.c$" matched ${source})
    set(module ${CMAKE_MATCH_1})
    set(surface ${CMAKE_MATCH_2})
    set(name fuzz.${module}.${surface})
    set(fuzz ${PROJECT_SOURCE_DIR}/tests/fuzz)
    set(programs ${name})
    add_executable(${name} ${source} ${fuzz}/fuzz_seeds.c ${fuzz}/fuzz_test.c)
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests)
    if(CAIRN_FUZZERS)
        set(fuzzer fuzzer.${module}.${surface})
        list(APPEND programs ${fuzzer})
        add_executable(${fuzzer} ${source} ${fuzz}/fuzz_seeds.c ${fuzz}/fuzz_libfuzzer.c)
        set_target_properties(${fuzzer} PROPERTIES OUTPUT_NAME ${module}.${surface}
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/fuzz)
        target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
        if(name IN_LIST surfaces_of_programs)
            target_sources(${fuzzer} PRIVATE ${fuzz}/fuzz_compare.c)
            foreach(kind cmp1 cmp2 cmp4 cmp8 const_cmp1 const_cmp2 const_cmp4 const_cmp8 switch)
                target_link_options(${fuzzer} PRIVATE
                    -Wl,--wrap=__sanitizer_cov_trace_${kind})
            endforeach()
        endif()
        add_dependencies(fuzzers ${fuzzer})
    endif()
    foreach(program IN LISTS programs)
        target_include_directories(${program} PRIVATE ${fuzz})
        target_compile_definitions(${program} PRIVATE
            CAIRN_FUZZ_CORPUS="tests/fuzz/${module}/corpus/${surface}")
        target_link_libraries(${program} PRIVATE cairn_test_support cairn_scenes)
        cairn_test_libraries(${program} ${module})
        if(surface STREQUAL shader_source)
            target_link_libraries(${program} PRIVATE PkgConfig::CAIRN_SHADERC)
        endif()
    endforeach()
    add_test(NAME ${name} COMMAND $<TARGET_FILE:${name}> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE cairn_leak_scope)
    set_tests_properties(${name} PROPERTIES LABELS "fuzz;${module}" TIMEOUT 300 SKIP_RETURN_CODE 77)
endfunction()

file(GLOB surfaces CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*/fuzz_*.c)
foreach(source IN LISTS surfaces)
    cairn_fuzz_surface(${source})
endforeach()

function(cairn_house_test name)
    add_test(NAME house.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(house.${name} PROPERTIES LABELS house TIMEOUT 300 SKIP_RETURN_CODE 77
        ENVIRONMENT "${test_environment}")
endfunction()

set(tools ${PROJECT_SOURCE_DIR}/tools)
set(house ${PROJECT_SOURCE_DIR}/tests/house)

# Tests of programs, with and without guards.
if(NOT CAIRN_SANITIZE)
    cairn_house_test(samples ${house}/test_samples.sh ${PROJECT_BINARY_DIR}/bin)
    cairn_house_test(cairn ${house}/test_cairn.sh $<TARGET_FILE:cairn> ${plugins_dir})
    cairn_house_test(hot_reload_window ${house}/test_hot_reload_window.py $<TARGET_FILE:cairn>)
    cairn_house_test(hostile ${house}/test_hostile.sh ${PROJECT_BINARY_DIR}/bin)
    cairn_house_test(crafty ${house}/test_crafty.sh $<TARGET_FILE:crafty>)
    cairn_house_test(crafty_window ${house}/test_crafty_window.py $<TARGET_FILE:crafty>)
    cairn_house_test(crafty_inventory_window ${house}/test_crafty_inventory_window.py $<TARGET_FILE:crafty>)
    cairn_house_test(crafty_survival_window ${house}/test_crafty_survival_window.py $<TARGET_FILE:crafty>)
    cairn_house_test(crafty_mods_window ${house}/test_crafty_mods_window.py $<TARGET_FILE:crafty>)
    cairn_house_test(crafty_saved_world ${house}/test_crafty_saved_world.sh $<TARGET_FILE:crafty> $<TARGET_FILE:crafty-server>)
    cairn_house_test(crafty_server ${house}/test_crafty_server.sh $<TARGET_FILE:crafty-server>)
    cairn_house_test(crafty_bots ${house}/test_crafty_bots.sh $<TARGET_FILE:crafty-server> $<TARGET_FILE:crafty-bots>)
    cairn_house_test(crafty_server_run ${house}/test_crafty_server_run.py $<TARGET_FILE:crafty-server>
        $<TARGET_FILE:crafty>)
    cairn_house_test(crafty_server_postgres ${house}/test_crafty_server_postgres.sh $<TARGET_FILE:crafty-server>)
    cairn_house_test(crafty_crash ${house}/test_crafty_crash.sh $<TARGET_FILE:crafty-server>)
    cairn_house_test(crafty_crash_mods ${house}/test_crafty_crash_mods.sh $<TARGET_FILE:crafty-server>)
    cairn_house_test(crafty_mod_command ${house}/test_crafty_mod_command.py $<TARGET_FILE:crafty> $<TARGET_FILE:crafty-server>)
    cairn_house_test(crafty_world_command ${house}/test_crafty_world_command.py $<TARGET_FILE:crafty>
        $<TARGET_FILE:crafty-server>)
endif()

# Tests of the source tree do not depend on the build, so only the release preset runs them.
if(CAIRN_HOUSE_TESTS)
    cairn_house_test(arrows ${tools}/check_arrows.py)
    cairn_house_test(arrows_are_checked ${house}/test_check_arrows.py)
    cairn_house_test(tree ${tools}/check_house.py)
    cairn_house_test(tree_is_checked ${house}/test_check_house.py)
    cairn_house_test(simulation ${tools}/check_sim.py
        --objects ${PROJECT_BINARY_DIR}/CMakeFiles/cairn_objects.dir
        --objects ${PROJECT_BINARY_DIR}/CMakeFiles/crafty_world.dir
        --objects ${PROJECT_BINARY_DIR}/CMakeFiles/crafty_sim.dir)
    cairn_house_test(simulation_is_checked ${house}/test_check_sim.py)
    cairn_house_test(client ${tools}/check_client.py)
    cairn_house_test(client_is_checked ${house}/test_check_client.py)
    cairn_house_test(sounds ${tools}/check_sounds.py)
    cairn_house_test(sounds_are_checked ${house}/test_check_sounds.py)
    cairn_house_test(crafty_kill ${house}/kill_crafty.sh ${PROJECT_BINARY_DIR}/bin 3)
    cairn_house_test(headers ${tools}/check_headers)
    cairn_house_test(header_examples ${house}/test_header_examples.py
        -I ${CAIRN_SHADER_INCLUDES})
    cairn_house_test(descriptions ${house}/test_descriptions.sh $<TARGET_FILE:cairn_headless_shared>)
    cairn_house_test(symbols ${tools}/check_symbols $<TARGET_FILE:cairn_shared>)
    cairn_house_test(symbols_headless ${tools}/check_symbols $<TARGET_FILE:cairn_headless_shared>)
    cairn_house_test(format ${tools}/format --check)
    cairn_house_test(setup ${house}/test_setup.sh)
    cairn_house_test(test_summary ${house}/test_summary.sh)
    cairn_house_test(lacking ${house}/test_lacking.sh ${PROJECT_BINARY_DIR}/bin)
    cairn_house_test(check_fresh ${house}/test_check_fresh.sh)
    cairn_house_test(system_macro ${house}/test_system_macro.sh)
    cairn_house_test(vectorised ${house}/test_vectorised.sh)
    cairn_house_test(no_guards ${house}/test_no_guards.sh $<TARGET_FILE:cairn_static>)
    cairn_house_test(bench ${house}/test_bench.sh $<TARGET_FILE:bench_ecs>)
    cairn_house_test(bench_math ${house}/test_bench_math.sh $<TARGET_FILE:bench_math>)
    cairn_house_test(bench_graph ${house}/test_bench_graph.sh $<TARGET_FILE:bench_graph>)
    cairn_house_test(bench_voxel ${house}/test_bench_voxel.sh $<TARGET_FILE:bench_voxel>)
    cairn_house_test(bench_renderer ${house}/test_bench_renderer.sh $<TARGET_FILE:bench_renderer>)
    cairn_house_test(bench_post ${house}/test_bench_post.sh $<TARGET_FILE:bench_post>)
    cairn_house_test(bench_options ${house}/test_bench_options.sh ${PROJECT_BINARY_DIR}/bin)
    cairn_house_test(blocks ${house}/test_blocks.py $<TARGET_FILE:blocks>)
    cairn_house_test(game_data ${house}/test_game_data.py)
    cairn_house_test(recipes_page ${tools}/make_recipes.py --check)
    cairn_house_test(modules ${house}/test_modules.sh ${PROJECT_BINARY_DIR})
    cairn_house_test(install ${house}/test_install.sh ${PROJECT_BINARY_DIR})
endif()

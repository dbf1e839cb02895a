# The prelude of Lua plugin files is embedded in the library: cni_script_prelude.

set(lua_prelude ${PROJECT_SOURCE_DIR}/src/script/system/prelude.lua)
set(CAIRN_LUA_PRELUDE ${PROJECT_BINARY_DIR}/generated/lua/prelude.c)
add_custom_command(OUTPUT ${CAIRN_LUA_PRELUDE}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${lua_prelude} -DOUTPUT=${CAIRN_LUA_PRELUDE}
        -P ${PROJECT_SOURCE_DIR}/cmake/embed_lua.cmake
    DEPENDS ${lua_prelude} ${PROJECT_SOURCE_DIR}/cmake/embed_lua.cmake
    COMMENT "Embedding the prelude of Lua plugin files"
    VERBATIM)

/* Files of an owner: compiling, and `require`. */
#include "script/host/lua_sandbox.h"

#include "script/bind/bind.h"

#define MAX_FILE_BYTES (256u << 10)

void cni_lua_run_text(lua_State *lua, CnLuaSandbox *sandbox, const char *file, CnText text)
{
    if (text.size > MAX_FILE_BYTES)
        luaL_error(lua, "%s has more than %d KiB", file, MAX_FILE_BYTES / 1024);
    if (text.size && text.data[0] == LUA_SIGNATURE[0])
        luaL_error(lua, "%s is bytecode, which is not loaded", file);
    cni_script_budget_charge(lua, text.size * 4);
    cni_script_compile(lua, text, file);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, sandbox->environment);
    lua_setfenv(lua, -2);
    lua_call(lua, 0, 1);
}

/* Returns the folder of a library and moves `name` behind its prefix; NULL if there is none. */
static const char *folder_of(const CnLuaSandbox *sandbox, const char **name)
{
    const char *colon = strchr(*name, ':');
    if (!colon)
        return sandbox->folder;
    CnText prefix = {*name, (size_t)(colon - *name)};
    *name = colon + 1;
    for (const CnLuaLibrary *library = sandbox->desc.libraries; library && library->name; library++)
        if (cn_text_equal(prefix, cn_text(library->name)))
            return library->folder;
    return NULL;
}

/* The bytes of a file in a userdata, so that errors of Lua free them. */
static int collect_bytes(lua_State *lua)
{
    cn_file_bytes_free(lua_touserdata(lua, 1));
    return 0;
}

static CnFileBytes *push_bytes(lua_State *lua)
{
    CnFileBytes *bytes = lua_newuserdata(lua, sizeof *bytes);
    *bytes = (CnFileBytes){0};
    lua_newtable(lua);
    lua_pushcfunction(lua, collect_bytes);
    lua_setfield(lua, -2, "__gc");
    lua_setmetatable(lua, -2);
    return bytes;
}

static int load_file(lua_State *lua, CnLuaSandbox *sandbox, const char *path)
{
    CnFileSystem *files = sandbox->desc.files;
    CnFileInfo info;
    CnError error = {0};
    CnFileBytes *bytes = push_bytes(lua);
    if (!files)
        return luaL_error(lua, "%s cannot be read: there are no files", path);
    if (!files->info(files, path, &info, &error))
        return luaL_error(lua, "%s cannot be read: %s", path, error.message);
    if (info.is_directory || info.size_bytes > MAX_FILE_BYTES)
        return luaL_error(lua, "%s is not a file of at most %d KiB", path, MAX_FILE_BYTES / 1024);
    if (!cn_file_read_all(files, path, sandbox->scripts.allocator, bytes, &error))
        return luaL_error(lua, "%s cannot be read: %s", path, error.message);
    cni_lua_run_text(lua, sandbox, path, (CnText){(const char *)bytes->data, bytes->size});
    cn_file_bytes_free(bytes);
    *bytes = (CnFileBytes){0};
    return 1;
}

static void write_path(char path[CN_LUA_PATH_BYTES], lua_State *lua, const char *folder,
                       const char *name)
{
    if (!cni_script_module_path(path, CN_LUA_PATH_BYTES, folder, name))
        luaL_error(lua, "require takes a name such as \"parts.door\", not \"%s\"", name);
}

static int require_file(lua_State *lua)
{
    CnLuaSandbox *sandbox = cni_lua_sandbox_of(lua);
    char path[CN_LUA_PATH_BYTES];
    const char *name = luaL_checkstring(lua, 1);
    lua_settop(lua, 1);
    const char *folder = folder_of(sandbox, &name);
    if (!folder)
        return luaL_error(lua, "\"%s\" is not a dependency of this mod", lua_tostring(lua, 1));
    if (!sandbox->loading)
        return luaL_error(lua, "files are loaded at the start, not later");
    write_path(path, lua, folder, name);
    cni_script_check_stack(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, sandbox->modules);
    lua_getfield(lua, 2, path);
    if (lua_isboolean(lua, 3) && !lua_toboolean(lua, 3))
        return luaL_error(lua, "%s requires itself", path);
    if (!lua_isnil(lua, 3))
        return 1;
    lua_settop(lua, 2);
    lua_pushboolean(lua, 0);
    lua_setfield(lua, 2, path);
    load_file(lua, sandbox, path);
    if (lua_isnil(lua, -1)) {
        lua_pop(lua, 1);
        lua_pushboolean(lua, 1);
    }
    lua_pushvalue(lua, -1);
    lua_setfield(lua, 2, path);
    return 1;
}

void cni_lua_bind_require(lua_State *lua)
{
    lua_pushcfunction(lua, require_file);
    lua_setfield(lua, -2, "require");
}

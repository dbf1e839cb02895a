/*
 * Internals of Lua plugin files: the code of one version of a file, and how it runs.
 *
 * A CniScriptPlugin is a file that a simulation has loaded; a CniScriptPluginCode is one version of
 * its text, with a Lua state of its own. A reload compiles new code beside the old one.
 */
#ifndef CAIRN_SRC_SCRIPT_SYSTEM_PLUGIN_CODE_H
#define CAIRN_SRC_SCRIPT_SYSTEM_PLUGIN_CODE_H

#include "script/runtime/lua_allocator.h"

#include <cairn/script/system_plugin.h>
#include <cairn/sim/loop.h>
#include <lua.h>
#include <string.h>

/* ---- Structs that Lua reads through FFI; prelude.lua contains the same declarations ---- */

typedef struct CniScriptBatch {
    const CnEntity *entities;
    uint32_t count, first_column; /* index in CniScriptSystemCall.columns */
} CniScriptBatch;

/* One run of a system. */
typedef struct CniScriptSystemCall {
    const CniScriptBatch *batches;
    void *const *columns;
    uint32_t batch_count;
    float dt;
    double tick;
} CniScriptSystemCall;

#define CNI_SCRIPT_UNARY_FUNCTIONS 9
#define CNI_SCRIPT_BINARY_FUNCTIONS 3

/* Functions that compiled Lua code calls directly. They must not throw. */
typedef struct CniScriptSystemApi {
    void *code;
    const CniScriptSystemCall *call;
    double (*unary[CNI_SCRIPT_UNARY_FUNCTIONS])(double x);
    double (*binary[CNI_SCRIPT_BINARY_FUNCTIONS])(double x, double y);
    double (*random)(void *code, uint64_t index, uint32_t salt);
    void (*add)(float *target, const float *source, float factor, uint32_t count);
    void (*scale)(float *target, float factor, uint32_t count);
    void (*fill)(float *target, float value, uint32_t count);
    uint64_t (*spawn)(void *code, uint32_t count, const uint32_t *components,
                      const void *const *values);
    bool (*set)(void *code, uint64_t entity, uint32_t component, const void *value);
    bool (*add_default)(void *code, uint64_t entity, uint32_t component);
    bool (*remove)(void *code, uint64_t entity, uint32_t component);
    bool (*destroy)(void *code, uint64_t entity);
    bool (*set_parent)(void *code, uint64_t entity, uint64_t parent);
} CniScriptSystemApi;

/* ---- The code of a file ---- */

typedef struct CniScriptPluginCode CniScriptPluginCode;

/* A column that a system passes to Lua: the structs of a packed component, or one field. */
typedef struct CniScriptPluginColumn {
    CnComponent component;
    const CnField *field; /* NULL: packed */
    uint32_t row_bytes;
    bool writes;
} CniScriptPluginColumn;

typedef struct CniScriptPluginSystem {
    CniScriptPluginCode *code;
    char name[CN_MAX_NAME_BYTES];
    CnStage stage;
    int driver; /* reference: the function that runs all batches */
    uint64_t name_hash;
    uint32_t first_column, column_count; /* in `columns` of the code */
    CnComponent changed[CN_MAX_TERMS];
    uint32_t changed_count;
    bool is_added; /* to the world, by this build or an earlier one */
    bool failed;   /* stays disabled until a reload */
    CnError error;
} CniScriptPluginSystem;

struct CniScriptPluginCode {
    CnAllocator *allocator;
    CnWorld *world;
    const char *path;
    bool is_checked;
    CniScriptLuaAllocator blocks;
    lua_State *lua;
    int handler, trampoline, declarations, bind; /* references */
    int names; /* reference: the ids of reflected components by name */
    void (*job)(lua_State *lua, CniScriptPluginCode *code, void *user);
    void *job_user;
    bool is_noted;
    CnError fault; /* of the last failed call */
    CniScriptPluginSystem *systems;
    uint32_t system_count;
    const CniScriptPluginCode *replaced; /* whose systems wait for a replacement; or NULL */
    CnComponent lock, random;
    CN_ARRAY(CniScriptPluginColumn) columns;
    /* Of the running system. */
    CnCommands *commands;
    uint64_t random_key, tick;
    CniScriptSystemCall call;
    CniScriptSystemApi api;
    CN_ARRAY(CniScriptBatch) batches;
    CN_ARRAY(void *) addresses;
};

/* ---- plugin_code.c ---- */

/* Compiles and runs the text of a file, which declares components and systems; the world does not
 * change. Returns NULL and sets an error with the line. `path` must outlive the code. */
CniScriptPluginCode *cni_script_plugin_compile(CnWorld *world, CnAllocator *allocator,
                                               const char *path, CnText text, bool is_checked,
                                               CnError *error);
void cni_script_plugin_code_free(CniScriptPluginCode *code);

typedef void CniScriptPluginJob(lua_State *lua, CniScriptPluginCode *code, void *user);
/* Runs a job that may throw. Returns false with the error in code->fault. */
bool cni_script_plugin_protected(CniScriptPluginCode *code, CniScriptPluginJob *job, void *user);
/* Calls the function on the stack without arguments and results; otherwise the same. */
bool cni_script_plugin_call(CniScriptPluginCode *code);

/* ---- plugin_build.c ---- */

/* Adds the declared components and systems to the world, between ticks. May be called again. */
bool cni_script_plugin_code_build(CniScriptPluginCode *code, CnError *error);
/* A Lua function that describes a component of the world by name. */
int cni_script_plugin_describe(lua_State *lua);

/* ---- plugin_run.c ---- */

void cni_script_plugin_system_run(CnSystemContext *context);
/* Fills the table of functions for compiled Lua code. */
void cni_script_plugin_api_init(CniScriptPluginCode *code);

/* ---- column_math.c ---- */

void cni_script_column_add(float *target, const float *source, float factor, uint32_t count);
void cni_script_column_scale(float *target, float factor, uint32_t count);
void cni_script_column_fill(float *target, float value, uint32_t count);

/* ---- plugin_annotations.c ---- */

extern const char cni_script_plugin_annotations[];

/* ---- prelude.lua, embedded by the build ---- */

extern const unsigned char cni_script_prelude[];
extern const size_t cni_script_prelude_size;

#endif

/* Internals of the runtime: Lua states, script files, scripts on objects. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_RUNTIME_H
#define CAIRN_SRC_SCRIPT_RUNTIME_RUNTIME_H

#include "script/runtime/lua_allocator.h"
#include "script/script_internal.h"

#include <cairn/scene/collision.h>
#include <lauxlib.h>

#define CNI_SCRIPT_PATH_BYTES 128u
#define CNI_TRACE_BYTES 1024u
#define CNI_THROW_COST 500u                    /* instructions; unwinding takes microseconds */
#define CNI_MAX_BLOCK_BYTES ((2u << 20) + 64u) /* 2^18 array items in a sandboxed script */

typedef enum CniCallback {
    CNI_ON_INIT,
    CNI_ON_UPDATE,
    CNI_ON_FIXEDUPDATE,
    CNI_ON_COLLISIONENTER,
    CNI_ON_COLLISIONLEAVE,
    CNI_ON_RELOAD,
    CNI_ON_DESTROY,
    CNI_CALLBACK_COUNT
} CniCallback;

/* Why a sandboxed call is being stopped. */
typedef enum CniStop {
    CNI_GO_ON,
    CNI_STOP_CALL,   /* instruction limit of a call */
    CNI_STOP_TICK,   /* instruction limit of a tick */
    CNI_STOP_MEMORY, /* memory limit of all sandboxed scripts */
    CNI_STOP_TIME    /* the instructions took far too long */
} CniStop;

/* The error of a call, as recorded by the error handler. */
typedef struct CniFault {
    bool noted;
    CnErrorCode code;
    char file[CNI_SCRIPT_PATH_BYTES];
    int line;
    char message[CN_ERROR_MESSAGE_BYTES];
    char trace[CNI_TRACE_BYTES];
} CniFault;

/* A Lua state, for trusted or for sandboxed scripts. */
typedef struct CniLua {
    CniScripts *scripts;
    lua_State *lua; /* the main thread; NULL: not created yet */
    bool boxed;
    CniLuaBlocks blocks;
    size_t bytes, peak_bytes;
    /* sandbox: stops scripts, fails, fails for blocks */
    size_t soft_bytes, hard_bytes, block_bytes;
    uint64_t call_used, tick_used; /* instructions */
    uint64_t call_limit, tick_limit;
    /* The start of the window that compares time with instructions; thread time 0: not started. */
    uint64_t window_ns, window_thread_ns, window_used;
    uint32_t depth;    /* of nested calls of scripts */
    const char *stack; /* the C stack at the outermost call */
    CniStop stop;
    bool armed;     /* the hook runs with each instruction */
    bool collected; /* a call performs at most one full garbage collection */
    bool starved;   /* a script was stopped because of memory */
    /* References: the error handler, the functions that run jobs, calls with an object and
     * bodies of scripts, and the metatable of environments. */
    int handler, trampoline, object_call, define, metatable;
    int names[CNI_CALLBACK_COUNT]; /* references of strings */
    /* For the function that is called next. Pushing an address may allocate, and throw where
     * nothing catches it. */
    void *argument;
    CniFault fault;
} CniLua;

/* A script file in use, or one that could not be read. */
typedef struct CniScriptFile {
    char path[CNI_SCRIPT_PATH_BYTES];
    CniLua *state;
    int function; /* reference; LUA_NOREF: not compiled */
    uint64_t size_bytes, hash;
    int64_t modified_ns;
    uint32_t users;
    CnError error; /* why it did not compile */
} CniScriptFile;

/* A script on an object. */
typedef struct CniInstance {
    CnEntity object;
    CniScriptFile *file;
    CnScriptStatus status;
    bool begun;             /* on_init was called */
    bool gone;              /* its component was removed; it ends when no script runs */
    int environment, keeps; /* references: its globals, this.state; LUA_NOREF: none */
    CnError *error;         /* if it failed */
} CniInstance;

typedef CN_ARRAY(CniInstance *) CniInstances;

typedef struct CniRuntime {
    CniScripts shared; /* first: a CniScripts is a CniRuntime */
    CnSim *sim;
    CniLua trusted, boxed;
    CN_ARRAY(CniScriptFile *) script_files;
    CniInstances instances; /* in order of objects */
    CnCommands *commands;   /* of hooks and consoles */
    CnQuery *query;         /* of CnScript */
    CnChannel *collisions;
    CnComponent script, inactive;
    uint32_t running;     /* depth of nested calls of scripts */
    uint32_t boxed_count; /* running sandboxed scripts, counted at the start of a tick */
    bool walking;         /* a system is iterating over the instances */
    bool stale;           /* scripts may have been added without a hook: search for them */
    uint64_t calls, errors;
} CniRuntime;

static inline CniRuntime *cni_runtime(CniScripts *scripts)
{
    return (CniRuntime *)(void *)scripts;
}

/* Returns the runtime of a world; NULL if it has no scripts. */
CniRuntime *cni_runtime_of(const CnWorld *world);

/* ---- lua_state.c ---- */

CniLua *cni_lua_of(lua_State *lua);
bool cni_lua_open(CniRuntime *runtime, CniLua *state, CnError *error);
void cni_lua_close(CniLua *state);
/* Runs `job` in protected mode; it may throw. Returns false with the error in state->fault.
 * Restores Lua's stack. */
typedef void CniJob(lua_State *lua, void *user);
bool cni_protected(CniLua *state, CniJob *job, void *user);
/* Calls the function below `arguments` on the stack; without results. */
bool cni_pcall(CniLua *state, lua_State *lua, int arguments);
void cni_unref(CniLua *state, int *reference);
/* Writes the fault without a stack trace into an error, or with it into the log. */
void cni_fault_error(const CniFault *fault, CnError *error);
/* Pushes a new environment. */
void cni_push_environment(lua_State *lua);
/* Records the current position in the fault. The error handler itself is level 0, so it begins with
 * 1. */
void cni_note_place(CniLua *state, lua_State *lua, int first_level);

/* ---- budget.c ---- */

void *cni_lua_memory(void *user, void *block, size_t old_bytes, size_t new_bytes);
typedef struct CniBudget {
    uint64_t call_used;
} CniBudget;
void cni_budget_begin(CniLua *state, CniBudget *outer);
void cni_budget_end(CniLua *state, const CniBudget *outer);
/* Collects garbage after a script that used too much memory was dropped. */
void cni_collect_if_starved(CniLua *state);
/* Returns whether the budget of the tick is used up: sandboxed scripts pause until the next
 * tick. */
bool cni_budget_spent(const CniLua *state);

/* ---- sandbox.c ---- */

/* Pushes the table in which environments of sandboxed scripts look up globals. */
void cni_push_box(lua_State *lua);
void cni_box_strings(lua_State *lua, int box);
void cni_box_tables(lua_State *lua, int box);
void cni_box_coroutines(lua_State *lua, int box);

/* ---- script_file.c ---- */

/* Finds or creates a file; returns NULL when out of memory. A file that did not compile has no
 * function and an error. */
CniScriptFile *cni_file_acquire(CniRuntime *runtime, const char *path);
void cni_file_release(CniRuntime *runtime, CniScriptFile *file);
bool cni_file_read(CniRuntime *runtime, const char *path, CnFileBytes *bytes, CnFileInfo *info,
                   CnError *error);
bool cni_load_text(CniLua *state, const char *name, CnText text, int *function, CnError *error);

/* ---- script_instance.c ---- */

/* Lua functions; the argument is an ObjectCall or an instance, respectively. */
int cni_call_with_object(lua_State *lua);
int cni_define(lua_State *lua);

CniInstance *cni_instance_find(const CniRuntime *runtime, CnEntity object);
/* Finds or creates a waiting instance; returns NULL when out of memory. */
CniInstance *cni_instance_add(CniRuntime *runtime, CnEntity object);
/* Called when its component is removed: calls on_destroy, now or when no script runs. */
void cni_instance_end(CniRuntime *runtime, CniInstance *instance);
/* Ends instances whose end was deferred. */
void cni_end_gone(CniRuntime *runtime);
/* Reads its file, if necessary, and starts it: its body, then on_init. */
void cni_instance_start(CniRuntime *runtime, CniInstance *instance);
/* Runs the body of the file in a new environment with the same this.state. */
bool cni_instance_define(CniRuntime *runtime, CniInstance *instance);
/* The same for a started script, followed by on_reload. Its old environment, timers and
 * subscriptions are dropped. */
void cni_instance_redefine(CniRuntime *runtime, CniInstance *instance);
/* Calls the callback with this name, if the script has it. Returns false if it failed; it is then
 * disabled. */
bool cni_instance_call(CniRuntime *runtime, CniInstance *instance, CniCallback callback,
                       CnEntity other);
void cni_instance_fail(CniRuntime *runtime, CniInstance *instance, const CnError *error,
                       const char *trace);
/* Drops its timers and subscriptions. */
void cni_instance_forget_bound(CniInstance *instance);
/* Drops all instances, without on_destroy. */
void cni_instances_clear(CniRuntime *runtime);

/* ---- script_state_save.c: this.state is saved and restored with the simulation ---- */

bool cni_keep_begin(CniRuntime *runtime, CnError *error);
void cni_keep_end(CniRuntime *runtime);

#endif

/* What the files of the runtime share: Lua states, script files, scripts on objects. */
#ifndef CAIRN_SCRIPT_RUNTIME_H
#define CAIRN_SCRIPT_RUNTIME_H

#include "lua_blocks.h"
#include "scripts.h"

#include <cairn/scene/collision.h>
#include <lauxlib.h>

#define CNI_SCRIPT_PATH_BYTES 128u
#define CNI_TRACE_BYTES 1024u
#define CNI_THROW_COST 500u                    /* instructions; unwinding takes microseconds */
#define CNI_MAX_BLOCK_BYTES ((2u << 20) + 64u) /* 2^18 items of an array in a boxed script */

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

/* Why a boxed call is being stopped. */
typedef enum CniStop {
    CNI_GO_ON,
    CNI_STOP_CALL,   /* instructions of this call */
    CNI_STOP_TICK,   /* instructions of this tick */
    CNI_STOP_MEMORY, /* of all boxed scripts */
    CNI_STOP_TIME    /* instructions that took far longer than instructions take */
} CniStop;

/* What went wrong in a call, as the error handler saw it. */
typedef struct CniFault {
    bool noted;
    CnErrorCode code;
    char file[CNI_SCRIPT_PATH_BYTES];
    int line;
    char message[CN_ERROR_MESSAGE_BYTES];
    char trace[CNI_TRACE_BYTES];
} CniFault;

/* One Lua state, of trusted or of boxed scripts. */
typedef struct CniLua {
    CniScripts *scripts;
    lua_State *lua; /* the main thread; NULL: not made yet */
    bool boxed;
    CniLuaBlocks blocks;
    size_t bytes, peak_bytes;
    size_t soft_bytes, hard_bytes, block_bytes; /* of boxed ones: stops, refuses, refuses blocks */
    uint64_t call_used, tick_used;              /* instructions */
    uint64_t call_limit, tick_limit;
    /* Since when time is compared with instructions; the thread's time 0: not yet. */
    uint64_t window_ns, window_thread_ns, window_used;
    uint32_t depth;    /* calls of scripts, in each other */
    const char *stack; /* the C stack where the outermost call began */
    CniStop stop;
    bool armed;     /* the hook comes with each instruction */
    bool collected; /* a call collects all garbage at most once */
    bool starved;   /* a script was stopped because of memory */
    /* References: the handler of errors, what runs jobs, calls with an object and bodies of scripts, the
     * metatable of environments. */
    int handler, trampoline, object_call, define, metatable;
    int names[CNI_CALLBACK_COUNT]; /* references: of texts */
    /* For the function that is called next. Pushing an address may take memory, and throw where nothing
     * catches. */
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
    CnError error; /* why it is not compiled */
} CniScriptFile;

/* A script on an object. */
typedef struct CniInstance {
    CnEntity object;
    CniScriptFile *file;
    CnScriptStatus status;
    bool begun;             /* on_init was called */
    bool gone;              /* its component is gone; it ends when no script runs */
    int environment, keeps; /* references: its globals, this.state; LUA_NOREF: none */
    CnError *error;         /* of a failed one */
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
    uint32_t running;     /* calls of scripts, in each other */
    uint32_t boxed_count; /* boxed scripts that run, counted at the start of a tick */
    bool walking;         /* a system goes through the instances */
    bool stale;           /* scripts may have come without a hook: look for them */
    uint64_t calls, errors;
} CniRuntime;

static inline CniRuntime *cni_runtime(CniScripts *scripts)
{
    return (CniRuntime *)(void *)scripts;
}

/* The runtime of a world; NULL: it has no scripts. */
CniRuntime *cni_runtime_of(const CnWorld *world);

/* ---- state.c ---- */

CniLua *cni_lua_of(lua_State *lua);
bool cni_lua_open(CniRuntime *runtime, CniLua *state, CnError *error);
void cni_lua_close(CniLua *state);
/* Runs `job` protected; it may throw. False: state->fault says what. Lua's stack is as before. */
typedef void CniJob(lua_State *lua, void *user);
bool cni_protected(CniLua *state, CniJob *job, void *user);
/* Calls what lies below `arguments` on the stack; no results. */
bool cni_pcall(CniLua *state, lua_State *lua, int arguments);
void cni_unref(CniLua *state, int *reference);
/* Without a trace into an error; with it into the log. */
void cni_fault_error(const CniFault *fault, CnError *error);
/* A new environment. */
void cni_push_environment(lua_State *lua);
/* Where Lua is, into the fault. The handler of errors is itself level 0 and begins with 1. */
void cni_note_place(CniLua *state, lua_State *lua, int first_level);

/* ---- budget.c ---- */

void *cni_lua_memory(void *user, void *block, size_t old_bytes, size_t new_bytes);
typedef struct CniBudget {
    uint64_t call_used;
} CniBudget;
void cni_budget_begin(CniLua *state, CniBudget *outer);
void cni_budget_end(CniLua *state, const CniBudget *outer);
/* When the script that took too much memory has been forgotten. */
void cni_collect_if_starved(CniLua *state);
/* The tick's budget is used up: boxed scripts rest until the next. */
bool cni_budget_spent(const CniLua *state);

/* ---- box.c ---- */

/* Pushes the table that the environments of boxed scripts look into. */
void cni_push_box(lua_State *lua);
void cni_box_strings(lua_State *lua, int box);
void cni_box_tables(lua_State *lua, int box);
void cni_box_coroutines(lua_State *lua, int box);

/* ---- script_file.c ---- */

/* Found or made; NULL when out of memory. One that did not compile has no function and an error. */
CniScriptFile *cni_file_acquire(CniRuntime *runtime, const char *path);
void cni_file_release(CniRuntime *runtime, CniScriptFile *file);
bool cni_file_read(CniRuntime *runtime, const char *path, CnFileBytes *bytes, CnFileInfo *info,
                   CnError *error);
bool cni_load_text(CniLua *state, const char *name, CnText text, int *function, CnError *error);

/* ---- instance.c ---- */

/* Functions of Lua; the argument is an ObjectCall, an instance. */
int cni_call_with_object(lua_State *lua);
int cni_define(lua_State *lua);

CniInstance *cni_instance_find(const CniRuntime *runtime, CnEntity object);
/* Found or made, waiting; NULL when out of memory. */
CniInstance *cni_instance_add(CniRuntime *runtime, CnEntity object);
/* Its component goes: on_destroy is called, now or when no script runs. */
void cni_instance_end(CniRuntime *runtime, CniInstance *instance);
/* Ends what was put off. */
void cni_end_gone(CniRuntime *runtime);
/* Reads its file, if it has not been read, and begins it: its body, on_init. */
void cni_instance_start(CniRuntime *runtime, CniInstance *instance);
/* A new environment with the same this.state, and the body of the file run in it. */
bool cni_instance_define(CniRuntime *runtime, CniInstance *instance);
/* The same for one that has begun, and on_reload. Its old environment, timers and subscriptions go. */
void cni_instance_redefine(CniRuntime *runtime, CniInstance *instance);
/* Calls what the script has under this name, if anything. False: it failed, and is disabled. */
bool cni_instance_call(CniRuntime *runtime, CniInstance *instance, CniCallback callback,
                       CnEntity other);
void cni_instance_fail(CniRuntime *runtime, CniInstance *instance, const CnError *error,
                       const char *trace);
/* Its timers and subscriptions. */
void cni_instance_forget_bound(CniInstance *instance);
/* Forgets all of them, without on_destroy. */
void cni_instances_clear(CniRuntime *runtime);

/* ---- keep.c: this.state is saved and restored with the simulation ---- */

bool cni_keep_begin(CniRuntime *runtime, CnError *error);
void cni_keep_end(CniRuntime *runtime);

#endif

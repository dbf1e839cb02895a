/* Internals of the runtime: Lua states, script files, scripts on objects. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_RUNTIME_H
#define CAIRN_SRC_SCRIPT_RUNTIME_RUNTIME_H

#include "script/runtime/lua_allocator.h"
#include "script/runtime/script_game.h"
#include "script/runtime/script_clips.h"
#include "script/runtime/script_bursts.h"
#include "script/runtime/script_sounds.h"
#include "script/runtime/script_ui.h"
#include "script/runtime/stored_values.h"
#include "script/sandbox/hidden_work.h"
#include "script/script_internal.h"

#include <cairn/physics/physics.h>
#include <cairn/sim/random.h>
#include <lauxlib.h>

#define CNI_SCRIPT_PATH_BYTES 128u
#define CNI_SCRIPT_TRACE_BYTES 1024u
#define CNI_SCRIPT_THROW_COST 500u /* instructions; unwinding takes microseconds */
#define CNI_SCRIPT_MAX_BLOCK_BYTES ((2u << 20) + 64u) /* 2^18 array items in a sandboxed script */

typedef enum CniScriptCallback {
    CNI_SCRIPT_ON_INIT,
    CNI_SCRIPT_ON_UPDATE,
    CNI_SCRIPT_ON_FIXEDUPDATE,
    CNI_SCRIPT_ON_COLLISIONENTER,
    CNI_SCRIPT_ON_COLLISIONSTAY,
    CNI_SCRIPT_ON_COLLISIONLEAVE,
    CNI_SCRIPT_ON_SOUNDEND,
    CNI_SCRIPT_ON_ANIMATIONEND,
    CNI_SCRIPT_ON_PAUSED,
    CNI_SCRIPT_ON_RELOAD,
    CNI_SCRIPT_ON_DESTROY,
    CNI_SCRIPT_CALLBACK_COUNT
} CniScriptCallback;

/* Why a sandboxed call is being stopped. */
typedef enum CniScriptStopReason {
    CNI_SCRIPT_NOT_STOPPED,
    CNI_SCRIPT_STOP_CALL,   /* instruction limit of a call */
    CNI_SCRIPT_STOP_TICK,   /* nested calls used far more than the limit of a tick */
    CNI_SCRIPT_STOP_MEMORY, /* memory limit of the owner */
    CNI_SCRIPT_STOP_TIME    /* the watchdog: the replay is void */
} CniScriptStopReason;

/* The error of a call, as recorded by the error handler. */
typedef struct CniScriptFault {
    bool noted;
    CnErrorCode code;
    char file[CNI_SCRIPT_PATH_BYTES];
    int line;
    char message[CN_ERROR_MESSAGE_BYTES];
    char trace[CNI_SCRIPT_TRACE_BYTES];
} CniScriptFault;

#define CNI_SCRIPT_OWNER_BYTES 64u
#define CNI_SCRIPT_MAX_REQUIRES 16u /* modules that require each other, in depth */
#define CNI_SCRIPT_PLAIN_REQUIRE "cairn.require"

/* Limits of the code of one owner. */
typedef struct CniScriptLimits {
    size_t memory_bytes;
    uint64_t instructions_per_tick, instructions_per_call;
    uint64_t watchdog_ns; /* of thread time in a tick */
} CniScriptLimits;

/* What an owner could not do in a tick because something was used up. */
typedef struct CniScriptSkipped {
    uint64_t calls;    /* callbacks that were not called */
    uint64_t deferred; /* deliveries and timers that wait for the next tick */
    uint64_t lost;     /* events for which there was no room */
} CniScriptSkipped;

/* A Lua state: that of all trusted scripts, or of the sandboxed scripts of one owner. */
typedef struct CniScriptLuaState {
    char owner[CNI_SCRIPT_OWNER_BYTES]; /* in messages: "mods://flood" */
    CniScriptContext *scripts;
    lua_State *lua; /* the main thread; NULL: not created yet */
    bool sandboxed;
    CniScriptLuaAllocator blocks;
    size_t bytes, peak_bytes;
    /* Lua's table of strings; the block that may replace it, and what it was charged. */
    const void *strings, *next_strings;
    size_t strings_bytes, next_strings_bytes;
    uint64_t next_strings_cost;
    /* sandbox: stops scripts, fails, fails for blocks */
    size_t soft_bytes, hard_bytes, block_bytes;
    uint64_t call_used, tick_used; /* instructions */
    uint64_t call_limit, tick_limit;
    uint32_t running; /* scripts on objects, counted at the start of a tick */
    uint32_t number;  /* of the state, in order of opening; the trusted one is 0 */
    CniScriptSkipped skipped, skipped_in_tick;
    CniScriptHiddenWork hidden;
    uint64_t watchdog_ns, watched_ns, watched_from; /* limit; used; last look, 0: none */
    uint32_t looks, watchdog_stops;
    CnRandom random;   /* of sandboxed scripts; see cni_script_random */
    uint32_t depth;    /* of nested calls of scripts */
    const char *stack; /* the C stack at the outermost call */
    CniScriptStopReason stop;
    bool armed;          /* the hook runs with each instruction */
    bool collected;      /* a call performs at most one full garbage collection */
    bool memory_stopped; /* a script was stopped because of memory */
    /* References: the error handler, the functions that run jobs, calls with an object and
     * bodies of scripts, and the metatable of environments. */
    int handler, trampoline, object_call, pushed_call, define, metatable;
    int modules; /* reference: results of require by path */
    uint32_t use_count;
    char loading[CNI_SCRIPT_MAX_REQUIRES][CNI_SCRIPT_PATH_BYTES]; /* modules, one by the other */
    uint32_t loading_count;
    int names[CNI_SCRIPT_CALLBACK_COUNT]; /* references of strings */
    /* For the function that is called next. Pushing an address may allocate, and throw where
     * nothing catches it. */
    void *argument;
    CniScriptFault fault;
} CniScriptLuaState;

/* A script file in use, or one that could not be read. */
typedef struct CniScriptFile {
    char path[CNI_SCRIPT_PATH_BYTES];
    CniScriptLuaState *state; /* NULL: no script of its owner could be read yet */
    int function;             /* reference; LUA_NOREF: not compiled */
    uint64_t size_bytes, hash;
    int64_t modified_ns;
    uint32_t users;
    bool is_foreign;      /* by its origin */
    bool starts_over;     /* while modules are reloaded: it uses one that has changed */
    CnError error;        /* why it did not compile */
    CnError reload_error; /* why its newest text is not in use; CN_OK: it is */
} CniScriptFile;

/* A file that require has read in a state. */
typedef struct CniScriptModule {
    char path[CNI_SCRIPT_PATH_BYTES];
    CniScriptLuaState *state;
    uint64_t size_bytes, hash;
    int64_t modified_ns;
    uint64_t path_hash;
    bool has_changed; /* while modules are reloaded: it, or one that it requires */
} CniScriptModule;

/* A script on an object. */
typedef struct CniScriptInstance {
    CnEntity object;
    CniScriptFile *file;
    CnScriptStatus status;
    bool begun;                   /* on_init was called */
    bool gone;                    /* its component was removed; it ends when no script runs */
    int environment, state_table; /* references: its globals, this.state; LUA_NOREF: none */
    CnError *error;               /* if it failed */
    CniScriptPlayCount plays;     /* of audio.play */
    CniScriptUiCount drawn;       /* of ui */
    CniScriptBound bound;
} CniScriptInstance;

typedef CN_ARRAY(CniScriptInstance *) CniScriptInstances;

typedef struct CniScriptChannelName {
    uint32_t state; /* its number */
    char name[CN_MAX_NAME_BYTES];
} CniScriptChannelName;

/* A file or a module of a state requires a module. Paths are hashes. */
typedef struct CniScriptUse {
    const CniScriptLuaState *state;
    uint64_t user, used;
} CniScriptUse;

struct CniScriptRuntime {
    CniScriptContext shared; /* first: a CniScriptContext is a CniScriptRuntime */
    CnSim *sim;
    CniScriptLuaState trusted;
    CN_ARRAY(CniScriptLuaState *) owners; /* of sandboxed scripts, in order of their names */
    CN_ARRAY(CniScriptFile *) script_files;
    CN_ARRAY(CniScriptModule) modules; /* files that were read by require */
    CniScriptInstances instances;      /* in order of objects */
    CnHashMap destroyed;               /* keys: objects that scripts destroyed, in order */
    CN_ARRAY(CnEntity) ending;         /* those whose scripts end */
    CnQuery *query;                    /* of CnScript */
    CnChannel *collisions, *input;
    CN_ARRAY(CnContact) contacts; /* of one object, while its script is called */
    CnComponent script, inactive;
    CN_ARRAY(CniScriptUse) uses;   /* of modules, */
    CnHashMap is_used;             /* and whether there is one with this hash */
    CN_ARRAY(CniScriptKept) ended; /* what bodies made and has ended since */
    /* While a state is restored. */
    CN_ARRAY(CniScriptKept) kept;                 /* in order of objects and numbers */
    CN_ARRAY(CniScriptChannelName) channel_names; /* of each state, in order */
    uint32_t running;                             /* depth of nested calls of scripts */
    bool walking;                                 /* a system is iterating over the instances */
    bool stale; /* scripts may have been added without a hook: search for them */
    uint64_t calls, errors;
    CniScriptStoredValues stored; /* of store.set */
    CniScriptSounds sounds;       /* of audio.play */
    CniScriptBursts bursts;       /* of particles.burst */
    CniScriptModels models;       /* of animation.play */
    CniScriptUi ui;
    CniScriptGameState game;
};

static inline CniScriptRuntime *cni_script_runtime(CniScriptContext *scripts)
{
    return (CniScriptRuntime *)(void *)scripts;
}

/* Returns the runtime of a world; NULL if it has no scripts. */
CniScriptRuntime *cni_script_runtime_of(const CnWorld *world);

/* ---- lua_state.c ---- */

CniScriptLuaState *cni_script_lua_of(lua_State *lua);
typedef struct CniScriptLuaDesc {
    const char *owner; /* copied */
    CniScriptContext *scripts;
    bool sandboxed;
    uint32_t number;
    CniScriptLimits limits; /* of a sandboxed state */
} CniScriptLuaDesc;
#define CNI_SCRIPT_WATCHDOG_NS UINT64_C(10000000000) /* the default */
/* Opens a zeroed state. Does nothing if it is open. */
bool cni_script_lua_open(CniScriptLuaState *state, const CniScriptLuaDesc *desc, CnError *error);
void cni_script_lua_close(CniScriptLuaState *state);
/* Runs `job` in protected mode; it may throw. Returns false with the error in state->fault.
 * Restores Lua's stack. */
typedef void CniScriptProtectedFn(lua_State *lua, void *user);
bool cni_script_protected(CniScriptLuaState *state, CniScriptProtectedFn *job, void *user);
/* Calls the function below `arguments` on the stack; without results. */
bool cni_script_pcall(CniScriptLuaState *state, lua_State *lua, int arguments);
void cni_script_unref(CniScriptLuaState *state, int *reference);
/* Compiles a text and pushes its function. May throw. */
void cni_script_compile(lua_State *lua, CnText text, const char *name);
/* Logs that the watchdog stopped a script, and marks the run. The message is in the fault. */
void cni_script_watchdog_stopped(CniScriptLuaState *state);
/* Writes the fault without a stack trace into an error, or with it into the log. */
void cni_script_fault_to_error(const CniScriptFault *fault, CnError *error);
/* Pushes a new environment. */
void cni_script_push_environment(lua_State *lua);
/* Records the current position in the fault. The error handler itself is level 0, so it begins with
 * 1. */
void cni_script_fault_locate(CniScriptLuaState *state, lua_State *lua, int first_level);

/* ---- budget.c ---- */

void *cni_script_lua_alloc(void *user, void *block, size_t old_bytes, size_t new_bytes);
typedef struct CniScriptBudget {
    uint64_t call_used;
} CniScriptBudget;
/* Starts the budget of a tick. */
void cni_script_budget_begin_tick(CniScriptLuaState *state);
void cni_script_budget_begin(CniScriptLuaState *state, CniScriptBudget *outer);
void cni_script_budget_end(CniScriptLuaState *state, const CniScriptBudget *outer);
/* Collects garbage after a script that used too much memory was dropped. */
void cni_script_collect_after_stop(CniScriptLuaState *state);
/* Returns false and sets the error while scripts run: `what` would change them meanwhile. */
bool cni_script_check_idle(const CniScriptRuntime *runtime, const char *what, CnError *error);
/* Returns whether the budget of the tick is used up: sandboxed scripts pause until the next
 * tick. */
bool cni_script_budget_spent(const CniScriptLuaState *state);
/* The same with a reserve of an eighth, for on_destroy, which cannot be called later. */
bool cni_script_reserve_spent(const CniScriptLuaState *state);
/* Charges work that is done for an owner outside of its calls. */
void cni_script_budget_charge_owner(CniScriptLuaState *state, uint64_t instructions);

/* ---- script_owner.c: the owners of sandboxed scripts ---- */

/* Writes the owner of a script: the mount of its path and the first folder, if there is one:
 * "mods://flood" for "mods://flood/lib/a.lua", "scripts://" for "scripts://a.lua". */
void cni_script_owner_name(const char *path, char name[CNI_SCRIPT_OWNER_BYTES]);
/* Returns the state of an owner, opened on demand, or NULL and an error. */
CniScriptLuaState *cni_script_owner_open(CniScriptRuntime *runtime, const char *name,
                                         CnError *error);
CniScriptLuaState *cni_script_trusted_open(CniScriptRuntime *runtime, CnError *error);
/* All states: the trusted one first, which may be closed, then those of owners. */
uint32_t cni_script_state_count(const CniScriptRuntime *runtime);
CniScriptLuaState *cni_script_state_at(CniScriptRuntime *runtime, uint32_t index);
/* Starts the budgets of a tick. */
void cni_script_owners_begin_tick(CniScriptRuntime *runtime);
/* Logs and counts what owners could not do, once per tick. */
void cni_script_owners_end_tick(CniScriptRuntime *runtime);
void cni_script_owners_close(CniScriptRuntime *runtime);

/* ---- sandbox.c ---- */

/* Pushes the table in which environments of sandboxed scripts look up globals. */
void cni_script_push_sandbox(lua_State *lua);
void cni_script_sandbox_strings(lua_State *lua, int sandbox);
void cni_script_sandbox_tables(lua_State *lua, int sandbox);
void cni_script_sandbox_coroutines(lua_State *lua, int sandbox);

/* ---- script_file.c ---- */

#define CNI_SCRIPT_MAX_TEXT_BYTES (256u << 10) /* sandboxed: limits the time of the parser */

/* Finds or creates a file; returns NULL when out of memory. A file that did not compile has no
 * function and an error. */
CniScriptFile *cni_script_file_acquire(CniScriptRuntime *runtime, const char *path);
/* Opens the Lua state to which the file belongs, unless it is open. */
bool cni_script_file_open_state(CniScriptRuntime *runtime, CniScriptFile *file, CnError *error);
void cni_script_file_release(CniScriptRuntime *runtime, CniScriptFile *file);
bool cni_script_file_read(CniScriptRuntime *runtime, const char *path, CnFileBytes *bytes,
                          CnFileInfo *info, CnError *error);
bool cni_script_load_text(CniScriptLuaState *state, const char *name, CnText text, int *function,
                          CnError *error);

bool cni_script_is_trusted(const CnScriptDesc *desc, const char *path);

/* ---- script_module.c ---- */

/* Forgets all modules: they are read again when they are required. */
void cni_script_modules_clear(CniScriptRuntime *runtime, CniScriptLuaState *state);
/* Reads modules that have changed again; returns how many scripts were replaced. */
uint32_t cni_script_modules_reload(CniScriptRuntime *runtime);

/* ---- script_instance.c ---- */

/* Lua functions; the argument is an ObjectCall or an instance, respectively. */
int cni_script_call_with_object(lua_State *lua);
int cni_script_call_pushed(lua_State *lua);
int cni_script_define(lua_State *lua);

CniScriptInstance *cni_script_instance_find(const CniScriptRuntime *runtime, CnEntity object);
/* Finds or creates a waiting instance; returns NULL when out of memory. */
CniScriptInstance *cni_script_instance_add(CniScriptRuntime *runtime, CnEntity object);
/* Called when its component is removed: calls on_destroy, now or when no script runs. */
void cni_script_instance_end(CniScriptRuntime *runtime, CniScriptInstance *instance);
/* Ends instances whose end was deferred. */
void cni_script_end_removed(CniScriptRuntime *runtime);
/* Reads its file, if necessary, and starts it: its body, then on_init. */
void cni_script_instance_start(CniScriptRuntime *runtime, CniScriptInstance *instance);
/* Runs the body of the file in a new environment with the same this.state. */
bool cni_script_instance_define(CniScriptRuntime *runtime, CniScriptInstance *instance);
/* The same for a started script, followed by on_reload. Its old environment, timers and
 * subscriptions are dropped. */
void cni_script_instance_redefine(CniScriptRuntime *runtime, CniScriptInstance *instance);
/* Calls the callback with this name, if the script has it. Returns false if it failed; it is then
 * disabled. */
bool cni_script_instance_call(CniScriptRuntime *runtime, CniScriptInstance *instance,
                              CniScriptCallback callback, CnEntity other);
/* The same with a contact as the second argument; NULL: none. */
bool cni_script_instance_call_contact(CniScriptRuntime *runtime, CniScriptInstance *instance,
                                      CniScriptCallback callback, const CnContact *contact);
/* Returns whether a running script has this callback. */
bool cni_script_instance_has(const CniScriptInstance *instance, CniScriptCallback callback);
/* Returns whether the script may be called: its object exists and is active. */
bool cni_script_instance_is_active(const CniScriptRuntime *runtime,
                                   const CniScriptInstance *instance);
/* Calls on_soundend, if the script has it. */
void cni_script_instance_sound_end(CniScriptRuntime *runtime, CniScriptInstance *instance,
                                   uint32_t sound);
/* Calls on_animationend, if the script has it. */
void cni_script_instance_animation_end(CniScriptRuntime *runtime, CniScriptInstance *instance,
                                       uint32_t clip);
void cni_script_instance_fail(CniScriptRuntime *runtime, CniScriptInstance *instance,
                              const CnError *error, const char *trace);
/* Drops its timers and subscriptions. */
void cni_script_instance_drop_bindings(CniScriptInstance *instance);
/* Drops all instances, without on_destroy. */
void cni_script_instances_clear(CniScriptRuntime *runtime);

/* ---- script_collisions.c ---- */

/* Before the physics step: requests what on_collisionstay will be told. */
void cni_script_collisions_prepare(CniScriptRuntime *runtime);
/* After it: calls on_collisionenter and on_collisionleave, then on_collisionstay. */
void cni_script_collisions_notify(CniScriptRuntime *runtime);

/* ---- script_removal.c ---- */

/* Ends the scripts that were removed and destroys the objects that scripts destroyed, after scripts
 * have run. */
void cni_script_apply_removals(CniScriptRuntime *runtime);

/* ---- script_owners_save.c: what the engine keeps for owners is saved ---- */

bool cni_script_owners_section_begin(CniScriptRuntime *runtime, CnError *error);
void cni_script_owners_section_end(CniScriptRuntime *runtime);
/* All bodies have run again: orders what they subscribed as before. */
bool cni_script_owners_restored(CniScriptRuntime *runtime, CnError *error);

/* ---- script_state_save.c: this.state is saved and restored with the simulation ---- */

bool cni_script_state_section_begin(CniScriptRuntime *runtime, CnError *error);
void cni_script_state_section_end(CniScriptRuntime *runtime);

#endif

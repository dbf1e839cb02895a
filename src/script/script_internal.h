/* Internals shared by the files of the script module. */
#ifndef CAIRN_SRC_SCRIPT_SCRIPT_INTERNAL_H
#define CAIRN_SRC_SCRIPT_SCRIPT_INTERNAL_H

#include <cairn/base/hash_map.h>
#include <cairn/physics/physics.h>
#include <cairn/script/script.h>
#include <cairn/sim/random.h>
#include <lua.h>

#define CNI_SCRIPT_MAX_OWNERS 32u /* of sandboxed scripts */
#define CNI_SCRIPT_MAX_STATES (CNI_SCRIPT_MAX_OWNERS + 1u)

/* A name of events that has subscribers. */
typedef struct CniScriptTopicName {
    char name[CN_MAX_NAME_BYTES];
    uint64_t readers; /* bit n: scripts of state n subscribe; 0: the entry is free */
} CniScriptTopicName;

/* What the Lua states of a world share about events. See bind_message.c. */
typedef struct CniScriptMessages {
    CnHashMap topic_of; /* hash of a name to its place in `topics` */
    CN_ARRAY(CniScriptTopicName) topics;
    CN_ARRAY(uint32_t) free_topics;
    CnU8Array sent;     /* since the last distribution */
    uint32_t committed; /* bytes of complete messages */
    uint32_t sent_bytes[CNI_SCRIPT_MAX_STATES];
    struct CniScriptBindings *readers[CNI_SCRIPT_MAX_STATES];
} CniScriptMessages;

/* What the bindings know about a script on an object. */
typedef struct CniScriptBound {
    uint32_t number;      /* of its state */
    uint32_t first, last; /* subscriptions, in order; 0: none */
    uint32_t timers;
    uint32_t made;  /* subscriptions and timers by its body */
    uint32_t ended; /* of them, noted in CniScriptRuntime.ended */
} CniScriptBound;

/* A subscription or a timer that the body of a script made, as it was when the state was saved. */
typedef struct CniScriptKept {
    CnEntity object;
    uint64_t id;     /* 0: it is a new one */
    uint64_t due;    /* of a timer */
    uint32_t number; /* among what the body made; 0: not made by a body */
    uint32_t tag;    /* differs for other events and times */
    bool has_ended;
} CniScriptKept;

/* All scripts of one world. */
typedef struct CniScriptContext {
    CnWorld *world; /* NULL: a sandbox for games */
    const CnScriptDesc *desc;
    CnAllocator *allocator;
    float dt;
    CnEntity current; /* whose script is running; null: a console */
    /* The body of a script is running, before on_init: it may define and read. It runs again
     * after a reload and after a restore, so it must not change the world. */
    bool defining;
    CnEntity body; /* the object whose body is running; null: none */
    /* on_destroy runs inside a hook of the world: changes of structure are applied when the
     * operation that called the hook is complete. */
    bool in_hook;
    CniScriptMessages messages;
    /* Called when the watchdog stopped a script. */
    void (*on_watchdog)(struct CniScriptContext *scripts, const char *reason);
} CniScriptContext;

typedef enum CniScriptBindingKind {
    CNI_SCRIPT_FUNCTION, /* getObject(path), input.key(name) */
    CNI_SCRIPT_METHOD,   /* object:getChild(path) */
    CNI_SCRIPT_PROPERTY, /* object.position; `call` gets, `set` sets */
    CNI_SCRIPT_OPERATOR  /* a metamethod, "__add" */
} CniScriptBindingKind;

/* A function or property for scripts; annotations for editors are generated from the same row. */
typedef struct CniScriptBinding {
    const char *name;
    CniScriptBindingKind kind;
    lua_CFunction call;
    lua_CFunction set; /* NULL: read-only, or not a property */
    /* In LuaLS notation: "Vec3" for a property, "(path: string, parent?: Object): Object?" for
     * others. */
    const char *type;
    const char *about;
} CniScriptBinding;

typedef struct CniScriptBindingTable {
    const char *name; /* "Object": a class; "input": a table; NULL: globals */
    const char *about;
    const CniScriptBinding *bindings; /* ends with a NULL name */
} CniScriptBindingTable;

/* Returns the scripts to which a Lua state belongs. */
CniScriptContext *cni_script_context_of(lua_State *lua);

/* ---- runtime.c, for bind*.c ---- */

/* Calls the function below its `arguments` on the stack, and pops both. It runs in protected
 * mode as a part of the script of `owner`, with its name and budgets; an error disables that
 * script. Returns false if it failed, or that script is not running. No results. */
bool cni_script_call(lua_State *lua, CnEntity owner, int arguments);
/* Pushes this.state of an object's script; returns false, and pushes nothing, when it has none
 * here. */
bool cni_script_push_state(lua_State *lua, CnEntity object);
/* Destroys an object and everything below it when all scripts of the stage have run. Returns false
 * when out of memory. */
bool cni_script_destroy_later(CniScriptContext *scripts, CnEntity object);
/* Charges work that a C function does for a sandboxed script, in instructions of about 2 ns:
 * comparing, copying and searching in proportion to the input. Throws when the budget is used
 * up; memory that Lua allocates is charged automatically. Free for trusted scripts. */
void cni_script_budget_charge(lua_State *lua, uint64_t instructions);
/* Returns the instructions that are left to the call and the tick; UINT64_MAX for trusted scripts.
 */
uint64_t cni_script_budget_left(lua_State *lua);
bool cni_script_is_sandboxed(lua_State *lua);
/* Like cni_script_call, with a function that pushes the arguments as a part of the call, so that
 * their cost is the script's. It returns their number and may throw. */
typedef int CniScriptPushFn(lua_State *lua, void *user);
bool cni_script_call_with(lua_State *lua, CnEntity owner, CniScriptPushFn *push, void *user);
/* Calls a function of an object's script with the arguments above index 2, and returns the number
 * of results. Throws if that script belongs to another owner or has no such function. */
int cni_script_call_object(lua_State *lua, CnEntity object, const char *name);
/* Pushes the result of a module. */
int cni_script_require(lua_State *lua);
/* Returns the record of a script that runs; NULL if there is none. */
CniScriptBound *cni_script_bound_of(CniScriptContext *scripts, CnEntity object);
/* Called when the running script subscribes or makes a timer: numbers it if its body does, and
 * returns what it continues after a restore. */
CniScriptKept cni_script_take_kept(CniScriptContext *scripts, CniScriptBound *bound, uint32_t tag);
/* Something that a body made ends, while its script goes on; nothing if the number is 0. */
void cni_script_note_ended(CniScriptContext *scripts, CnEntity object, uint32_t number,
                           uint32_t tag);
/* A script ends, or its body runs again. */
void cni_script_forget_ended(CniScriptContext *scripts, CnEntity object);
/* Random numbers of the world for trusted scripts, and of the owner for others, so that no owner
 * changes what others draw. NULL: the world has none. */
CnRandom *cni_script_random(lua_State *lua, CnComponent stream);
/* The number of a state; the trusted one is 0. */
uint32_t cni_script_state_number(lua_State *lua);
/* Whether the owner has used up its tick, what it used, and its limit. */
bool cni_script_is_spent(lua_State *lua);
uint64_t cni_script_tick_used(lua_State *lua);
uint64_t cni_script_tick_limit(lua_State *lua);
/* Charges the owner of a state outside of its calls. */
void cni_script_charge_state(lua_State *lua, uint64_t instructions);
/* Count what an owner loses or has to do later. */
void cni_script_count_lost(lua_State *lua, uint64_t events);
void cni_script_count_deferred(lua_State *lua, uint64_t events);

/* Limits of sandboxed scripts: objects that exist and were created by the scripts of one owner,
 * and scripts running at the same time. */
#define CNI_SCRIPT_MAX_OBJECTS 20000u
#define CNI_SCRIPT_MAX_SANDBOXED 16384u
/* Call it before a C function calls Lua (a comparator, a metamethod): throws when such calls are
 * nested too deeply for the C stack. */
void cni_script_check_stack(lua_State *lua);
/* Pushes a value as text, like tostring but without addresses: "table", "function". May call
 * __tostring. */
const char *cni_script_push_text(lua_State *lua, int index, size_t *size);

/* Names of modules, as in "parts.door", "parts/door" or "parts/door.lua": letters, digits, '_',
 * '-',
 * '.' and '/', without "..". Writes the path of the file below a folder; returns false if the name
 * is not valid or too long. */
bool cni_script_module_path(char *path, size_t path_bytes, const char *folder, const char *name);

/* ---- bind*.c, for runtime.c ---- */

/* Adds all bindings to the table on top of the stack, which is the global environment of trusted
 * scripts or the sandbox. May throw: call it in protected mode. Once per state; `math` of that
 * table is extended, or created. Everything else that is added is read-only. */
void cni_script_bind_all(lua_State *lua);
/* Pushes a table with the data of a contact. May throw. */
void cni_script_push_contact(lua_State *lua, const CnContact *contact);
/* Adds what needs no world to the sandbox on top of the stack: ordered pairs, mathematics. For
 * states without a world, instead of cni_script_bind_all. */
void cni_script_bind_library(lua_State *lua);
/* Pushes the userdata of an object: the same one as long as it is referenced. */
void cni_script_push_object(lua_State *lua, CnEntity object);
/* The next three may throw, too. Calls the timers that are due: once per tick, in Update, just
 * before on_update. */
void cni_script_bind_timers(lua_State *lua);
/* Delays all timers by a tick instead, while the game is paused. */
void cni_script_bind_delay_timers(lua_State *lua);
/* Delivers events to subscribers: once per tick, in PostUpdate. Call it for all states in turn
 * until it returns false, because a handler in one state may send to another. */
bool cni_script_bind_events(lua_State *lua);
void cni_script_messages_init(CniScriptContext *scripts);
void cni_script_messages_fini(CniScriptContext *scripts);
/* Hands sent messages to the states that subscribe; returns whether there were any. */
bool cni_script_messages_distribute(CniScriptContext *scripts);
/* Counts what waits for the next tick. */
void cni_script_bind_count_waiting(lua_State *lua);
/* Drops timers and subscriptions of an object's script that is removed, failed, or about to be
 * reloaded. */
void cni_script_bind_drop(lua_State *lua, CnEntity owner);
/* Returns all tables, for annotations; NULL-terminated. */
const CniScriptBindingTable *const *cni_script_binding_tables(void);

#endif

/* What the files of the script module share. */
#ifndef CAIRN_SCRIPT_SCRIPTS_H
#define CAIRN_SCRIPT_SCRIPTS_H

#include <cairn/ecs/command.h>
#include <cairn/script/script.h>
#include <lua.h>

#define CNI_MAIL_READERS 2u

/* What scripts send each other under names that are no components, between the Lua states of a world.
 * bind_mail.c sees to it; zeros are a good beginning. */
typedef struct CniMail {
    CN_ARRAY(uint8_t) bytes;
    uint32_t committed;              /* bytes that are whole events */
    uint32_t read[CNI_MAIL_READERS]; /* where each state stands */
    bool reads[CNI_MAIL_READERS];    /* which states there are */
} CniMail;

/* All scripts of one world. */
typedef struct CniScripts {
    CnWorld *world;
    const CnScriptDesc *desc;
    CnAllocator *allocator;
    /* Of the system that runs now; what scripts spawn and destroy goes here. Never NULL while Lua runs:
     * code between ticks (a console) makes a buffer and flushes it. */
    CnCommands *commands;
    float dt;
    CnEntity current; /* whose script runs now; null: a console's */
    /* The body of a script runs, on_init has not been called: it may define and read. It runs again after
     * a reload and after a restore, so it must not change the world. */
    bool defining;
    CniMail mail;
} CniScripts;

typedef enum CniBindingKind {
    CNI_FUNCTION, /* getObject(path), input.key(name) */
    CNI_METHOD,   /* object:getChild(path) */
    CNI_PROPERTY, /* object.position; `call` gets, `set` sets */
    CNI_OPERATOR  /* a metamethod, "__add" */
} CniBindingKind;

/* One function or property that scripts see; annotations for editors are made from the same row. */
typedef struct CniBinding {
    const char *name;
    CniBindingKind kind;
    lua_CFunction call;
    lua_CFunction set; /* NULL: read only, or not a property */
    /* As LuaLS writes types: "Vec3" of a property, "(path: string, parent?: Object): Object?" of others. */
    const char *type;
    const char *about;
} CniBinding;

typedef struct CniBindingTable {
    const char *name; /* "Object": a class; "input": a table; NULL: globals */
    const char *about;
    const CniBinding *bindings; /* ends with a NULL name */
} CniBindingTable;

/* The scripts that a Lua state belongs to. */
CniScripts *cni_scripts_of(lua_State *lua);

/* ---- runtime.c, for bind*.c ---- */

/* Calls the function below its `arguments` on the stack, and pops both. It runs protected, as a part of
 * the script of `owner`: its name, its budgets; an error disables that script. False: it failed, or
 * that script does not run. No results. */
bool cni_script_call(lua_State *lua, CnEntity owner, int arguments);
/* Pushes this.state of an object's script; false, and nothing pushed, when it has none here. */
bool cni_push_state(lua_State *lua, CnEntity object);
/* Counts work that a C function does for a boxed script, in instructions of about 2 ns: comparing,
 * copying, searching in proportion to what the script gave. Throws when the budget is used up; memory
 * that Lua allocates is counted by itself. Free for trusted scripts. */
void cni_charge(lua_State *lua, uint64_t instructions);
bool cni_is_boxed(lua_State *lua);

/* Boxed scripts may not spawn beyond this many entities, nor run more than this many at a time. */
#define CNI_MAX_OBJECTS 100000u
#define CNI_MAX_BOXED_SCRIPTS 16384u
/* Before a C function calls Lua (a comparator, a metamethod): throws when such calls are nested too
 * deep for the C stack. */
void cni_check_stack(lua_State *lua);
/* Pushes a value as text, as tostring does, without addresses: "table", "function". May call
 * __tostring. */
const char *cni_push_text(lua_State *lua, int index, size_t *size);

/* ---- bind*.c, for runtime.c ---- */

/* Puts everything that scripts see into the table on top of the stack, which is the global
 * environment of trusted scripts or the box of others. May throw: call it protected. Once per state;
 * `math` of that table is filled, or made. All other things that are put there cannot be written. */
void cni_bind_all(lua_State *lua);
/* Pushes what Lua sees of an object: the same userdata as long as somebody holds it. */
void cni_push_object(lua_State *lua, CnEntity object);
/* The next three may throw, too.
 * Calls the timers that are due: once a tick, in Update, just before on_update. */
void cni_bind_timers(lua_State *lua);
/* Delivers events to those who subscribed: once a tick, in PostUpdate. For all states in turn until
 * it returns false: a handler in one state may send to one in another. */
bool cni_bind_events(lua_State *lua);
/* Forgets timers and subscriptions of an object's script: it is gone, failed, or about to be reloaded. */
void cni_bind_drop(lua_State *lua, CnEntity owner);
/* All tables, for annotations; ends with NULL. */
const CniBindingTable *const *cni_binding_tables(void);

#endif

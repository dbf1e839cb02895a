/* What the files that bind things to Lua share. */
#ifndef CAIRN_SCRIPT_BIND_H
#define CAIRN_SCRIPT_BIND_H

#include "scripts.h"

#include <cairn/scene/shown.h>
#include <lauxlib.h>

/*
 * Nothing here owns memory outside of Lua while a function may throw: what grows lies in userdata, so
 * that it counts to the budget of boxed scripts and is freed with the state.
 *
 * Every function that is bound has the CniBound of its state as its first upvalue.
 */

/* Userdata that scripts see; each has a metatable of its own. */
typedef enum CniClass {
    CNI_OBJECT,
    CNI_VEC2,
    CNI_VEC3,
    CNI_VEC4,
    CNI_QUAT,
    CNI_COMPONENT,
    CNI_QUERY,
    CNI_BATCH,
    CNI_LOG,
    CNI_INPUT,
    CNI_TIME,
    CNI_PHYSICS,
    CNI_CLASS_COUNT
} CniClass;

#define CNI_LUA_NAME_BYTES 32u

typedef struct CniLuaObject {
    CnEntity entity;
    char name[CNI_LUA_NAME_BYTES]; /* as last seen, for errors about objects that are gone */
} CniLuaObject;

/* An object that was spawned and is not there before the flush. */
typedef struct CniPending {
    CnEntity entity, parent;
    CnObject object; /* without uid */
    CnTransform transform;
    uint64_t tick; /* of spawning */
    bool destroyed;
} CniPending;

/* A change of a parent that was recorded. */
typedef struct CniLink {
    CnEntity child, parent;
    uint64_t tick;
} CniLink;

/* An array in a userdata that the registry holds. */
typedef struct CniLuaArray {
    void *items;
    uint32_t count, capacity;
    int reference; /* of the userdata */
} CniLuaArray;

typedef struct CniView CniView;

typedef struct CniTimer {
    uint64_t due, id; /* tick; order of making */
    uint64_t every;   /* ticks; 0: once */
    CnEntity owner;
    int function; /* reference; LUA_NOREF: cancelled */
} CniTimer;

typedef struct CniSubscription {
    uint64_t id;
    CnEntity owner;
    int function; /* reference; LUA_NOREF: gone */
    uint32_t topic;
} CniSubscription;

/* What is subscribed to: a channel of the world, or a name that only scripts know. */
typedef struct CniTopic {
    CnChannel *channel;  /* NULL: script to script */
    const CniView *view; /* of the channel's events */
    uint64_t tick;       /* of `delivered` */
    uint32_t delivered;  /* events of the channel that handlers have seen in that tick */
    char name[CN_MAX_NAME_BYTES];
} CniTopic;

/* What bindings keep for one Lua state. It lies in a userdata of its registry. */
typedef struct CniBound {
    CniScripts *scripts;
    CnWorld *world;
    const void *metatables[CNI_CLASS_COUNT]; /* addresses, to compare */
    int metatable_references[CNI_CLASS_COUNT];
    int objects;    /* reference of a weak table: entity index to userdata */
    int views;      /* reference: component id to its CniView */
    int keys, axes; /* references: names of input to numbers */
    CnComponent transform, object, random;
    CniLuaArray pending;       /* CniPending */
    CniLuaArray links;         /* CniLink */
    CniLuaArray timers;        /* CniTimer, a heap by due and id */
    CniLuaArray topics;        /* CniTopic */
    CniLuaArray subscriptions; /* CniSubscription, in order of id */
    uint32_t reader;           /* of the mail */
    uint64_t last_id;          /* of timers and subscriptions */
    uint64_t log_tick;         /* of log_lines */
    uint32_t log_lines;        /* written in that tick */
} CniBound;

static inline CniBound *cni_bound(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* The CniBound of a state, from outside of bound functions. */
CniBound *cni_bound_of(lua_State *lua);

/* ---- Classes ---- */

/* CNI_CLASS_COUNT: none of them. */
CniClass cni_class_of(lua_State *lua, const CniBound *bound, int index);
/* The address of a userdata of this class, or NULL. */
void *cni_as(lua_State *lua, const CniBound *bound, int index, CniClass kind);
/* The same, or an error that names the argument. */
void *cni_check(lua_State *lua, int index, CniClass kind);
/* A new one on the stack. */
void *cni_push_new(lua_State *lua, const CniBound *bound, CniClass kind, size_t bytes);
/* __gc of a query. */
int cni_query_collect(lua_State *lua);
const char *cni_class_name(CniClass kind);
/* What something is, for errors: "nil", "Vec3". Pushes it. */
const char *cni_type_name(lua_State *lua, int index);
/* In the setter of a property: an error that says what it must be. */
int cni_bad_value(lua_State *lua, const char *expected);
/* Of a name that does not exist: pushes ", did you mean 'x'?" or "" from the keys of a table. */
const char *cni_suggest(lua_State *lua, int table, const char *name);

/* Room for one more item; throws when Lua is out of memory. */
void *cni_lua_array_push(lua_State *lua, CniLuaArray *array, size_t item_bytes);
void cni_lua_array_reserve(lua_State *lua, CniLuaArray *array, size_t item_bytes, uint32_t count);

/* ---- Vectors ---- */

static inline uint32_t cni_floats_of(CniClass kind)
{
    return kind == CNI_VEC2 ? 2 : kind == CNI_VEC3 ? 3 : 4;
}
void cni_push_floats(lua_State *lua, const CniBound *bound, CniClass kind, const float *values);
void cni_push_vec3(lua_State *lua, const CniBound *bound, CnVec3 value);
void cni_push_quat(lua_State *lua, const CniBound *bound, CnQuat value);
/* An argument whose numbers are finite. */
CnVec3 cni_check_vec3(lua_State *lua, int index);
/* The value that a setter gets, at 3, with finite numbers. */
CnVec3 cni_value_vec3(lua_State *lua);
CnQuat cni_value_quat(lua_State *lua);
bool cni_finite(const float *values, uint32_t count);

/* ---- Objects ---- */

/* An argument, alive or not. */
CnEntity cni_check_entity(lua_State *lua, int index);
/* nil, or an object that is there or will be, for what is to hang on it. */
CnEntity cni_check_parent(lua_State *lua, const CniBound *bound, int index);
/* An argument that is alive; an error that names it otherwise. */
CnEntity cni_check_alive(lua_State *lua, int index);
/* NULL: not pending. */
CniPending *cni_pending(const CniBound *bound, CnEntity entity);
/* Remembers an object that commands will make. Before recording: it may throw. */
CniPending *cni_add_pending(lua_State *lua, CniBound *bound);
/* What was recorded in earlier ticks, and is done by now. */
void cni_forget_pending(CniBound *bound, uint64_t tick);
/* The name by which the tables know the function that runs, whatever a script calls it. */
const char *cni_running_name(lua_State *lua);
/* Throws what an object's being gone or pending means for the use of `what`. */
int cni_not_alive(lua_State *lua, const CniBound *bound, int index, const char *what);
/* Throws while the body of a script runs, which may not change the world. */
static inline void cni_check_changing(lua_State *lua, const CniBound *bound)
{
    if (CN_UNLIKELY(bound->scripts->defining))
        luaL_error(lua, "the body of a script cannot change the world; do it in on_init");
}
/* Where changes of structure are recorded; throws where nothing may be changed. */
CnCommands *cni_commands(lua_State *lua, const CniBound *bound);
int cni_out_of_memory(lua_State *lua);
int cni_throw(lua_State *lua, const CnError *error);

/* ---- Components and their fields ---- */

/* A component as it is shown, with its fields. Views are kept as long as the state. */
struct CniView {
    CnShown shown;
    CnComponentInfo info;
    uint32_t field_count;
    CnShownItem items[];
};

/* By the shown name at `index`; an error that says what is near for others. */
const CniView *cni_check_view(lua_State *lua, CniBound *bound, int index);
const CniView *cni_view_of(lua_State *lua, CniBound *bound, const CnShown *shown);
/* A field by its whole key; NULL: none. */
const CnShownItem *cni_view_item(const CniView *view, CnText key);
/* Pushes the value of a field that lies at `address`. */
void cni_push_field(lua_State *lua, CniBound *bound, const CnShownItem *item, const void *address);
/* Reads the value at `index` into a field at `address`, or throws. */
void cni_read_field(lua_State *lua, CniBound *bound, int index, const CniView *view,
                    const CnShownItem *item, void *address);
/* Reads a table of fields (or nil) over a value of the component and asks `check`, or throws. */
void cni_read_fields(lua_State *lua, CniBound *bound, int table, const CniView *view, void *value);
void cni_check_value(lua_State *lua, const CniView *view, const void *value);
/* A buffer on the Lua stack with the component's default value. */
void *cni_push_default(lua_State *lua, const CniView *view);
void cni_push_component(lua_State *lua, CniBound *bound, CnEntity entity, const CniView *view);

/* ---- Functions that lie in another file than their row ---- */

int cni_object_destroy(lua_State *lua);
int cni_object_clone(lua_State *lua);
int cni_object_get_component(lua_State *lua);
int cni_object_has_component(lua_State *lua);
int cni_object_add_component(lua_State *lua);
int cni_object_remove_component(lua_State *lua);
int cni_object_get_components(lua_State *lua);
int cni_object_add_force(lua_State *lua);
int cni_object_add_torque(lua_State *lua);
int cni_object_add_impulse(lua_State *lua);
int cni_object_wake(lua_State *lua);
int cni_object_get_velocity(lua_State *lua);
int cni_object_set_velocity(lua_State *lua);
int cni_object_get_spin(lua_State *lua);
int cni_object_set_spin(lua_State *lua);
int cni_object_get_asleep(lua_State *lua);
int cni_pairs(lua_State *lua);
int cni_next(lua_State *lua);

/* ---- Tables, one per file ---- */

extern const CniBindingTable cni_bind_object, cni_bind_vec2, cni_bind_vec3, cni_bind_vec4,
    cni_bind_quat, cni_bind_component, cni_bind_query, cni_bind_batch, cni_bind_log, cni_bind_input,
    cni_bind_time, cni_bind_scene, cni_bind_event, cni_bind_timer, cni_bind_base, cni_bind_math,
    cni_bind_values, cni_bind_search, cni_bind_physics, cni_bind_bodies, cni_bind_filter,
    cni_bind_ray, cni_bind_shape, cni_bind_sweep, cni_bind_hit;

/* ---- What belongs to a script and goes with it ---- */

void cni_drop_timers(lua_State *lua, CniBound *bound, CnEntity owner);
void cni_drop_subscriptions(lua_State *lua, CniBound *bound, CnEntity owner);

/* ---- What scripts send each other (bind_mail.c) ---- */

void cni_mail_join(CniBound *bound);
void cni_mail_leave(CniBound *bound);
/* Packs the value at `index` under a name; throws for what cannot be sent and for too much. */
void cni_mail_send(lua_State *lua, CniBound *bound, CnText name, int index);
/* An event that waits. */
typedef struct CniLetter {
    char name[CN_MAX_NAME_BYTES];
    uint32_t value; /* where it is */
} CniLetter;
/* Takes the next one for this state; false: no more. */
bool cni_mail_next(CniBound *bound, CniLetter *letter);
/* Pushes its value; again for each who gets it. */
void cni_mail_push(lua_State *lua, const CniBound *bound, const CniLetter *letter);

void cni_bind_input_names(lua_State *lua, CniBound *bound);
uint64_t cni_tick_now(const CniBound *bound);

#endif

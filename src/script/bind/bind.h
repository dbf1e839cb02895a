/* Internals shared by the Lua bindings. */
#ifndef CAIRN_SRC_SCRIPT_BIND_BIND_H
#define CAIRN_SRC_SCRIPT_BIND_BIND_H

#include "script/script_internal.h"

#include <cairn/scene/reflection.h>
#include <lauxlib.h>

/*
 * No binding owns memory outside of Lua while a function may throw: growing data is in userdata, so
 * that it counts towards the budget of sandboxed scripts and is freed with the state.
 *
 * Every bound function has the CniBound of its state as its first upvalue.
 */

/* Kinds of userdata that scripts see; each has its own metatable. */
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
    char name[CNI_LUA_NAME_BYTES]; /* as last seen, for errors about destroyed objects */
} CniLuaObject;

/* An object that was spawned and exists after the flush. */
typedef struct CniPending {
    CnEntity entity, parent;
    CnObject object; /* without uid */
    CnTransform transform;
    uint64_t tick; /* of spawning */
    bool destroyed;
} CniPending;

/* A recorded change of a parent. */
typedef struct CniLink {
    CnEntity child, parent;
    uint64_t tick;
} CniLink;

/* An array in a userdata that is referenced by the registry. */
typedef struct CniLuaArray {
    void *items;
    uint32_t count, capacity;
    int reference; /* of the userdata */
} CniLuaArray;

typedef struct CniView CniView;

typedef struct CniTimer {
    uint64_t due, id; /* tick; order of creation */
    uint64_t every;   /* ticks; 0: once */
    CnEntity owner;
    int function; /* reference; LUA_NOREF: cancelled */
} CniTimer;

typedef struct CniSubscription {
    uint64_t id;
    CnEntity owner;
    int function; /* reference; LUA_NOREF: removed */
    uint32_t topic;
} CniSubscription;

/* The subject of subscriptions: a channel of the world, or a name that only scripts use. */
typedef struct CniTopic {
    CnChannel *channel;  /* NULL: script to script */
    const CniView *view; /* of the channel's events */
    uint64_t tick;       /* of `delivered` */
    uint32_t delivered;  /* events of the channel that were delivered in that tick */
    char name[CN_MAX_NAME_BYTES];
} CniTopic;

/* Data of the bindings for one Lua state, in a userdata of its registry. */
typedef struct CniBound {
    CniScripts *scripts;
    CnWorld *world;
    const void *metatables[CNI_CLASS_COUNT]; /* addresses, for comparison */
    int metatable_references[CNI_CLASS_COUNT];
    int objects;    /* reference of a weak table: entity index to userdata */
    int views;      /* reference: component id to its CniView */
    int keys, axes; /* references: input names to numbers */
    CnComponent transform, object, random;
    CniLuaArray pending;       /* CniPending */
    CniLuaArray links;         /* CniLink */
    CniLuaArray timers;        /* CniTimer, a heap by due and id */
    CniLuaArray topics;        /* CniTopic */
    CniLuaArray subscriptions; /* CniSubscription, in order of id */
    uint32_t reader;           /* index in CniMail */
    uint64_t last_id;          /* of timers and subscriptions */
    uint64_t log_tick;         /* of log_lines */
    uint32_t log_lines;        /* written in that tick */
} CniBound;

static inline CniBound *cni_bound(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* Returns the CniBound of a state, outside of bound functions. */
CniBound *cni_bound_of(lua_State *lua);

/* ---- Classes ---- */

/* Returns CNI_CLASS_COUNT if it is none of them. */
CniClass cni_class_of(lua_State *lua, const CniBound *bound, int index);
/* Returns the address of a userdata of this class, or NULL. */
void *cni_as(lua_State *lua, const CniBound *bound, int index, CniClass kind);
/* The same, or throws an error that names the argument. */
void *cni_check(lua_State *lua, int index, CniClass kind);
/* Pushes a new userdata. */
void *cni_push_new(lua_State *lua, const CniBound *bound, CniClass kind, size_t bytes);
/* __gc of a query. */
int cni_query_collect(lua_State *lua);
const char *cni_class_name(CniClass kind);
/* Pushes the name of a type, for errors: "nil", "Vec3". */
const char *cni_type_name(lua_State *lua, int index);
/* In the setter of a property: throws an error about the expected type. */
int cni_bad_value(lua_State *lua, const char *expected);
/* Pushes "; did you mean 'x'?", from the keys of a table, for an unknown name, or "". */
const char *cni_suggest(lua_State *lua, int table, const char *name);

/* Appends room for one item; throws when Lua is out of memory. */
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
/* Returns an argument whose numbers are finite. */
CnVec3 cni_check_vec3(lua_State *lua, int index);
/* Returns the value that a setter receives at index 3, with finite numbers. */
CnVec3 cni_value_vec3(lua_State *lua);
CnQuat cni_value_quat(lua_State *lua);
bool cni_finite(const float *values, uint32_t count);

/* ---- Objects ---- */

/* Returns an argument, alive or not. */
CnEntity cni_check_entity(lua_State *lua, int index);
/* Returns the parent for an object: nil, or an object that exists or will exist. */
CnEntity cni_check_parent(lua_State *lua, const CniBound *bound, int index);
/* Returns an argument that is alive; otherwise throws an error that names it. */
CnEntity cni_check_alive(lua_State *lua, int index);
/* Returns NULL if it is not pending. */
CniPending *cni_pending(const CniBound *bound, CnEntity entity);
/* Adds an object that commands will create. Call it before recording, because it may throw. */
CniPending *cni_add_pending(lua_State *lua, CniBound *bound);
/* Removes entries of earlier ticks, whose commands have been executed. */
void cni_forget_pending(CniBound *bound, uint64_t tick);
/* Returns the name of the running function in the binding tables, whatever a script calls it. */
const char *cni_running_name(lua_State *lua);
/* Throws an error about the use of `what` on an object that was destroyed or is pending. */
int cni_not_alive(lua_State *lua, const CniBound *bound, int index, const char *what);
/* Throws while the body of a script runs, which must not change the world. */
static inline void cni_check_changing(lua_State *lua, const CniBound *bound)
{
    if (CN_UNLIKELY(bound->scripts->defining))
        luaL_error(lua, "the body of a script cannot change the world; do this in on_init");
}
/* Returns the buffer for structural changes; throws where changes are not allowed. */
CnCommands *cni_commands(lua_State *lua, const CniBound *bound);
int cni_out_of_memory(lua_State *lua);
int cni_throw(lua_State *lua, const CnError *error);

/* ---- Components and their fields ---- */

/* A reflected component with its fields. Views are kept as long as the state. */
struct CniView {
    CnShown shown;
    CnComponentInfo info;
    uint32_t field_count;
    CnShownItem items[];
};

/* Finds a component by its reflected name at `index`; throws an error with a suggestion
 * otherwise. */
const CniView *cni_check_view(lua_State *lua, CniBound *bound, int index);
const CniView *cni_view_of(lua_State *lua, CniBound *bound, const CnShown *shown);
/* Returns a field by its whole key; NULL if there is none. */
const CnShownItem *cni_view_item(const CniView *view, CnText key);
/* Pushes the value of a field at `address`. */
void cni_push_field(lua_State *lua, CniBound *bound, const CnShownItem *item, const void *address);
/* Reads the value at `index` into a field at `address`, or throws. */
void cni_read_field(lua_State *lua, CniBound *bound, int index, const CniView *view,
                    const CnShownItem *item, void *address);
/* Reads a table of fields (or nil) over a value of the component and calls its check, or throws. */
void cni_read_fields(lua_State *lua, CniBound *bound, int table, const CniView *view, void *value);
void cni_check_value(lua_State *lua, const CniView *view, const void *value);
/* Pushes a buffer with the default value of the component. */
void *cni_push_default(lua_State *lua, const CniView *view);
void cni_push_component(lua_State *lua, CniBound *bound, CnEntity entity, const CniView *view);

/* ---- Functions that are in another file than their row ---- */

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

/* ---- Data that belongs to a script ---- */

void cni_drop_timers(lua_State *lua, CniBound *bound, CnEntity owner);
void cni_drop_subscriptions(lua_State *lua, CniBound *bound, CnEntity owner);

/* ---- Messages between scripts (bind_message.c) ---- */

void cni_mail_join(CniBound *bound);
void cni_mail_leave(CniBound *bound);
/* Packs the value at `index` under a name; throws if it cannot be sent or is too large. */
void cni_mail_send(lua_State *lua, CniBound *bound, CnText name, int index);
/* A queued message. */
typedef struct CniLetter {
    char name[CN_MAX_NAME_BYTES];
    uint32_t value; /* offset of its value */
} CniLetter;
/* Takes the next message for this state; returns false when there are no more. */
bool cni_mail_next(CniBound *bound, CniLetter *letter);
/* Pushes the value of a message, separately for each receiver. */
void cni_mail_push(lua_State *lua, const CniBound *bound, const CniLetter *letter);

void cni_bind_input_names(lua_State *lua, CniBound *bound);
uint64_t cni_tick_now(const CniBound *bound);

#endif

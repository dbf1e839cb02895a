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
 * Every bound function has the CniScriptBindings of its state as its first upvalue.
 */

/* Kinds of userdata that scripts see; each has its own metatable. */
typedef enum CniScriptClass {
    CNI_SCRIPT_CLASS_OBJECT,
    CNI_SCRIPT_CLASS_VEC2,
    CNI_SCRIPT_CLASS_VEC3,
    CNI_SCRIPT_CLASS_VEC4,
    CNI_SCRIPT_CLASS_QUAT,
    CNI_SCRIPT_CLASS_COMPONENT,
    CNI_SCRIPT_CLASS_QUERY,
    CNI_SCRIPT_CLASS_BATCH,
    CNI_SCRIPT_CLASS_LOG,
    CNI_SCRIPT_CLASS_INPUT,
    CNI_SCRIPT_CLASS_TIME,
    CNI_SCRIPT_CLASS_PHYSICS,
    CNI_SCRIPT_CLASS_STORE,
    CNI_SCRIPT_CLASS_AUDIO,
    CNI_SCRIPT_CLASS_ANIMATION,
    CNI_SCRIPT_CLASS_PARTICLES,
    CNI_SCRIPT_CLASS_CAMERA,
    CNI_SCRIPT_CLASS_UI,
    CNI_SCRIPT_CLASS_PANEL,
    CNI_SCRIPT_CLASS_GAME,
    CNI_SCRIPT_CLASS_WINDOW,
    CNI_SCRIPT_CLASS_COUNT
} CniScriptClass;

#define CNI_SCRIPT_LUA_NAME_BYTES 32u

typedef struct CniScriptLuaObject {
    CnEntity entity;
    char name[CNI_SCRIPT_LUA_NAME_BYTES]; /* as last seen, for errors about destroyed objects */
} CniScriptLuaObject;

/* An object that was created in a hook, and exists after the operation that called the hook. */
typedef struct CniScriptPendingObject {
    CnEntity entity, parent;
    CnObject object; /* without uid */
    CnTransform transform;
    uint64_t tick;    /* of its creation */
    uint32_t objects; /* itself and those below it */
    bool destroyed;
} CniScriptPendingObject;

/* An array in a userdata that is referenced by the registry. */
typedef struct CniScriptLuaArray {
    void *items;
    uint32_t count, capacity;
    int reference; /* of the userdata */
} CniScriptLuaArray;

typedef struct CniScriptComponentView CniScriptComponentView;

typedef struct CniScriptTimer {
    uint64_t due, id; /* tick; order of creation */
    uint64_t every;   /* ticks; 0: once */
    CnEntity owner;
    int function;    /* reference; LUA_NOREF: cancelled */
    uint32_t number; /* among what the body of its script made; 0: made later */
    uint32_t tag;    /* of its time */
} CniScriptTimer;

/* What a subscription with a filter compares: a field of the event, and its value. */
typedef struct CniScriptKey {
    uint64_t bits; /* of a number, an object, a boolean; of a text: its hash */
    uint8_t kind;  /* CniScriptKeyKind */
    uint8_t field; /* place in the fields of the topic */
} CniScriptKey;

typedef enum CniScriptKeyKind {
    CNI_SCRIPT_KEY_NONE,
    CNI_SCRIPT_KEY_BOOLEAN,
    CNI_SCRIPT_KEY_NUMBER,
    CNI_SCRIPT_KEY_TEXT,
    CNI_SCRIPT_KEY_OBJECT
} CniScriptKeyKind;

/* In a list of its topic, or of its key if it has a filter, and in that of its script, all in order
 * of ids. Links are places in the array; place 0 is not used. */
typedef struct CniScriptSubscription {
    uint64_t id;
    CnEntity owner;
    CniScriptKey key; /* of the filter */
    int function;     /* reference; LUA_NOREF: removed */
    uint32_t topic;   /* place in CniScriptBindings.topics */
    uint32_t number;  /* among what the body of its script made; 0: made later */
    uint32_t next, previous, next_of_owner;
} CniScriptSubscription;

#define CNI_SCRIPT_MAX_FILTER_FIELDS 4u
#define CNI_SCRIPT_FIELD_BYTES 32u

/* A field that filters of a topic compare. */
typedef struct CniScriptFilterField {
    char name[CNI_SCRIPT_FIELD_BYTES];
    uint32_t count; /* of subscriptions; 0: the entry is free */
} CniScriptFilterField;

/* The subscriptions of one state to a channel of the world, or to a name that only scripts use. */
typedef struct CniScriptTopic {
    CnChannel *channel;                 /* NULL: script to script */
    const CniScriptComponentView *view; /* of the channel's events */
    uint64_t tick;                      /* of `delivered` */
    uint32_t delivered;                 /* events of the channel that were delivered in that tick */
    uint32_t name;                      /* place in CniScriptMessages.topics */
    uint32_t count;                     /* of subscriptions; 0: the entry is free */
    uint32_t first, last;               /* those without a filter; 0: none */
    CniScriptFilterField fields[CNI_SCRIPT_MAX_FILTER_FIELDS];
} CniScriptTopic;

/* Subscriptions whose keys have the same hash, in order of ids. */
typedef struct CniScriptBucket {
    uint32_t first, last; /* 0: none */
} CniScriptBucket;

/* Messages that wait for a state. */
typedef struct CniScriptInbox {
    CnU8Array bytes;
    uint32_t bytes_from[CNI_SCRIPT_MAX_STATES];
    uint64_t used_for[CNI_SCRIPT_MAX_STATES]; /* instructions, in the tick */
    uint64_t tick;                            /* of used_for */
    /* While messages are delivered: those before `kept` wait, those from `next` on are untouched.
     */
    uint32_t kept, next;
    uint64_t lost; /* messages for which there was no room, not counted yet */
} CniScriptInbox;

/* Data of the bindings for one Lua state, in a userdata of its registry. */
typedef struct CniScriptBindings {
    CniScriptContext *scripts;
    CnWorld *world;
    const void *metatables[CNI_SCRIPT_CLASS_COUNT]; /* addresses, for comparison */
    int metatable_references[CNI_SCRIPT_CLASS_COUNT];
    int objects;       /* reference of a weak table: entity index to userdata */
    int views;         /* reference: component id to its CniScriptComponentView */
    int query_handles; /* reference of a weak table: address of a query to its userdata */
    int keys, axes;    /* references: input names to numbers */
    CnComponent transform, object, random;
    CniScriptLuaArray pending;       /* CniScriptPendingObject */
    CniScriptLuaArray timers;        /* CniScriptTimer, a heap by due and id, */
    uint32_t timer_count;            /* and how many of them are not cancelled */
    CniScriptLuaArray topics;        /* CniScriptTopic */
    CN_ARRAY(uint32_t) topic_of;     /* by place in CniScriptMessages.topics; 0: none */
    CniScriptLuaArray subscriptions; /* CniScriptSubscription */
    CniScriptLuaArray buckets;       /* CniScriptBucket, by the hash of a key */
    CniScriptLuaArray channels;      /* uint32_t: topics with a channel, in order */
    uint32_t free_subscription;      /* a list of unused places */
    uint32_t subscription_count, filter_count, topic_count, ended_count;
    bool delivering;      /* subscriptions that end stay in their lists */
    uint32_t number;      /* of the state */
    uint64_t sent_tick;   /* of sent_events */
    uint32_t sent_events; /* to channels of the world in that tick */
    CniScriptInbox inbox;
    uint32_t queries;          /* that are alive */
    CniScriptLuaArray spawned; /* CnEntity: objects that scripts of this state created */
    uint64_t last_id;          /* of timers and subscriptions */
    uint64_t log_tick;         /* of log_lines */
    uint32_t log_lines;        /* written in that tick */
    uint64_t burst_tick;       /* of the next two */
    uint32_t bursts, burst_particles;
} CniScriptBindings;

static inline CniScriptBindings *cni_script_bindings(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* Returns the CniScriptBindings of a state, outside of bound functions. */
CniScriptBindings *cni_script_bindings_of(lua_State *lua);

/* ---- Classes ---- */

/* Returns CNI_SCRIPT_CLASS_COUNT if it is none of them. */
CniScriptClass cni_script_class_of(lua_State *lua, const CniScriptBindings *bound, int index);
/* Returns the address of a userdata of this class, or NULL. */
void *cni_script_to_class(lua_State *lua, const CniScriptBindings *bound, int index,
                          CniScriptClass kind);
/* The same, or throws an error that names the argument. */
void *cni_script_check_class(lua_State *lua, int index, CniScriptClass kind);
/* Pushes a new userdata. */
void *cni_script_push_new(lua_State *lua, const CniScriptBindings *bound, CniScriptClass kind,
                          size_t bytes);
/* __gc of a query. */
int cni_script_query_collect(lua_State *lua);
const char *cni_script_class_name(CniScriptClass kind);
/* Pushes the name of a type, for errors: "nil", "Vec3". */
const char *cni_script_type_name(lua_State *lua, int index);
/* In the setter of a property: throws an error about the expected type. */
int cni_script_throw_bad_value(lua_State *lua, const char *expected);
/* Pushes "; did you mean 'x'?", from the keys of a table, for an unknown name, or "". */
const char *cni_script_suggest(lua_State *lua, int table, const char *name);

/* Appends room for one item; throws when Lua is out of memory. */
void *cni_script_lua_array_push(lua_State *lua, CniScriptLuaArray *array, size_t item_bytes);
void cni_script_lua_array_reserve(lua_State *lua, CniScriptLuaArray *array, size_t item_bytes,
                                  uint32_t count);

/* ---- Vectors ---- */

static inline uint32_t cni_script_floats_of(CniScriptClass kind)
{
    return kind == CNI_SCRIPT_CLASS_VEC2 ? 2 : kind == CNI_SCRIPT_CLASS_VEC3 ? 3 : 4;
}
void cni_script_push_floats(lua_State *lua, const CniScriptBindings *bound, CniScriptClass kind,
                            const float *values);
void cni_script_push_vec3(lua_State *lua, const CniScriptBindings *bound, CnVec3 value);
void cni_script_push_quat(lua_State *lua, const CniScriptBindings *bound, CnQuat value);
/* Returns an argument whose numbers are finite. */
CnVec3 cni_script_check_vec3(lua_State *lua, int index);
/* Returns the value that a setter receives at index 3, with finite numbers. */
CnVec3 cni_script_value_vec3(lua_State *lua);
CnQuat cni_script_value_quat(lua_State *lua);
bool cni_script_all_finite(const float *values, uint32_t count);

/* ---- Objects ---- */

/* Returns an argument, alive or not. */
CnEntity cni_script_check_entity(lua_State *lua, int index);
/* Returns the parent for an object: nil, or an object that is alive or pending. */
CnEntity cni_script_check_parent(lua_State *lua, const CniScriptBindings *bound, int index);
/* Returns an argument that is alive; otherwise throws an error that names it. */
CnEntity cni_script_check_alive(lua_State *lua, int index);
/* Returns NULL if it is not pending. */
CniScriptPendingObject *cni_script_find_pending(const CniScriptBindings *bound, CnEntity entity);
/* Adds an object that is created in a hook. Call it before creating the object, because it may
 * throw.
 */
CniScriptPendingObject *cni_script_add_pending(lua_State *lua, CniScriptBindings *bound);
/* Removes entries of earlier ticks. */
void cni_script_forget_pending(CniScriptBindings *bound, uint64_t tick);
/* Returns the name of the running function in the binding tables, whatever a script calls it. */
const char *cni_script_running_name(lua_State *lua);
/* Throws an error about the use of `what` on an object that was destroyed or is pending. */
int cni_script_throw_not_alive(lua_State *lua, const CniScriptBindings *bound, int index,
                               const char *what);
/* Throws while the body of a script runs, which must not change the world. */
static inline void cni_script_check_may_change(lua_State *lua, const CniScriptBindings *bound)
{
    if (CN_UNLIKELY(bound->scripts->defining))
        luaL_error(lua, "the body of a script cannot change the world; do this in on_init");
}
/* Applies what hooks have recorded about a change, so that its effects are visible at once: a body
 * has a velocity. Throws when out of memory. */
void cni_script_settle(lua_State *lua, const CniScriptBindings *bound);
int cni_script_throw_out_of_memory(lua_State *lua);
int cni_script_throw(lua_State *lua, const CnError *error);

/* Returns the object at a path from the roots or an object, and charges the search. */
CnEntity cni_script_search(lua_State *lua, const CniScriptBindings *bound, CnEntity from,
                           const char *path);

/* ---- Components and their fields ---- */

/* A reflected component with its fields. Views are kept as long as the state. */
struct CniScriptComponentView {
    CnReflectedComponent reflected;
    CnComponentInfo info;
    uint32_t field_count;
    CnReflectedMember items[];
};

/* Finds a component by its reflected name at `index`; throws an error with a suggestion
 * otherwise. */
const CniScriptComponentView *cni_script_check_view(lua_State *lua, CniScriptBindings *bound,
                                                    int index);
const CniScriptComponentView *cni_script_view_of(lua_State *lua, CniScriptBindings *bound,
                                                 const CnReflectedComponent *reflected);
/* Returns a field by its whole key; NULL if there is none. */
const CnReflectedMember *cni_script_view_item(const CniScriptComponentView *view, CnText key);
/* Pushes the value of a field at `address`. */
void cni_script_push_field(lua_State *lua, CniScriptBindings *bound, const CnReflectedMember *item,
                           const void *address);
/* Reads the value at `index` into a field at `address`, or throws. */
void cni_script_read_field(lua_State *lua, CniScriptBindings *bound, int index,
                           const CniScriptComponentView *view, const CnReflectedMember *item,
                           void *address);
/* Reads a table of fields (or nil) over a value of the component and calls its check, or throws. */
void cni_script_read_fields(lua_State *lua, CniScriptBindings *bound, int table,
                            const CniScriptComponentView *view, void *value);
void cni_script_check_value(lua_State *lua, const CniScriptComponentView *view, const void *value);
/* Pushes a buffer with the default value of the component. */
void *cni_script_push_default(lua_State *lua, const CniScriptComponentView *view);
void cni_script_push_component(lua_State *lua, CniScriptBindings *bound, CnEntity entity,
                               const CniScriptComponentView *view);

/* ---- Functions that are in another file than their row ---- */

int cni_script_object_destroy(lua_State *lua);
int cni_script_object_clone(lua_State *lua);
int cni_script_object_call(lua_State *lua);
int cni_script_object_get_component(lua_State *lua);
int cni_script_object_has_component(lua_State *lua);
int cni_script_object_add_component(lua_State *lua);
int cni_script_object_remove_component(lua_State *lua);
int cni_script_object_get_components(lua_State *lua);
int cni_script_object_add_force(lua_State *lua);
int cni_script_object_add_torque(lua_State *lua);
int cni_script_object_add_impulse(lua_State *lua);
int cni_script_object_wake(lua_State *lua);
int cni_script_object_get_velocity(lua_State *lua);
int cni_script_object_set_velocity(lua_State *lua);
int cni_script_object_get_angular_velocity(lua_State *lua);
int cni_script_object_set_angular_velocity(lua_State *lua);
int cni_script_object_get_asleep(lua_State *lua);
int cni_script_pairs(lua_State *lua);
int cni_script_next(lua_State *lua);
int cni_script_raycast(lua_State *lua);
int cni_script_pointer_ray(lua_State *lua);
int cni_script_pick(lua_State *lua);

/* ---- Tables, one per file ---- */

extern const CniScriptBindingTable cni_script_bind_object, cni_script_bind_vec2,
    cni_script_bind_vec3, cni_script_bind_vec4, cni_script_bind_quat, cni_script_bind_component,
    cni_script_bind_query, cni_script_bind_batch, cni_script_bind_log, cni_script_bind_input,
    cni_script_bind_time, cni_script_bind_scene, cni_script_bind_event, cni_script_bind_timer,
    cni_script_bind_base, cni_script_bind_math, cni_script_bind_values, cni_script_bind_search,
    cni_script_bind_physics, cni_script_bind_bodies, cni_script_bind_filter, cni_script_bind_ray,
    cni_script_bind_shape, cni_script_bind_sweep, cni_script_bind_hit, cni_script_bind_store,
    cni_script_bind_audio, cni_script_bind_sound_options, cni_script_bind_ui, cni_script_bind_panel,
    cni_script_bind_ui_options, cni_script_bind_game, cni_script_bind_window,
    cni_script_bind_scene_changes, cni_script_bind_contact, cni_script_bind_module,
    cni_script_bind_animation, cni_script_bind_animation_options, cni_script_bind_clip,
    cni_script_bind_camera, cni_script_bind_particles, cni_script_bind_burst_options;

/* Throws if the running script must not control the game: in a body, and for foreign files. */
void cni_script_check_game(lua_State *lua, const char *what);

/* ---- Data that belongs to a script ---- */

void cni_script_drop_timers(lua_State *lua, CniScriptBindings *bound, CnEntity owner);
void cni_script_drop_subscriptions(lua_State *lua, CniScriptBindings *bound, CnEntity owner);

/* ---- After a restore (bind_subscription.c) ---- */

/* A number that differs for subscriptions to other events. */
uint32_t cni_script_subscription_tag(const CniScriptBindings *bound,
                                     const CniScriptSubscription *subscription);
/* Orders the receivers by their ids; false when out of memory. */
bool cni_script_subscriptions_sort(CniScriptBindings *bound);
/* Orders the channels as in a list of names. */
void cni_script_channels_sort(CniScriptBindings *bound, const char (*names)[CN_MAX_NAME_BYTES],
                              uint32_t count);

/* ---- Messages between scripts (bind_message.c) ---- */

void cni_script_messages_join(CniScriptBindings *bound);
void cni_script_messages_leave(CniScriptBindings *bound);
/* Packs the value at `index` under a name, for one object or for all (null); throws if it cannot be
 * sent or is too large. */
void cni_script_message_send(lua_State *lua, CniScriptBindings *bound, CnText name, CnEntity target,
                             int index);
/* A message, or an event of a channel that could not be delivered in its tick. */
typedef struct CniScriptMessage {
    uint32_t size; /* with name and value, which follow */
    uint8_t sender, name_size;
    bool is_event; /* the value is one of the channel's type */
    CnEntity target;
    uint64_t until, done; /* subscriptions that receive it; 0: not determined, none yet */
} CniScriptMessage;
/* Appends an event; counts it as lost if there is no room. */
void cni_script_message_keep(lua_State *lua, CniScriptBindings *bound,
                             const CniScriptMessage *message, CnText name, const void *value);
/* Reads the value of a field of a packed table as a key; false if it has none that can be one. */
bool cni_script_message_key(const uint8_t *value, size_t bytes, const char *field,
                            CniScriptKey *key);
/* Returns whether `size` bytes from outside are messages whose values can be unpacked. */
bool cni_script_messages_are_valid(const uint8_t *bytes, size_t size, uint32_t senders);
/* Pushes the packed value at `at`, separately for each receiver. */
void cni_script_message_push_value(lua_State *lua, const CniScriptBindings *bound,
                                   const uint8_t *at);
/* Returns the place of a name in CniScriptMessages.topics, or UINT32_MAX. */
uint32_t cni_script_topic_find(const CniScriptMessages *messages, CnText name);
/* The same, or makes it; UINT32_MAX when out of memory. */
uint32_t cni_script_topic_open(CniScriptMessages *messages, CnText name);
/* A state subscribes to a topic, or has no subscription left. */
void cni_script_topic_read(CniScriptMessages *messages, uint32_t topic, uint32_t state);
void cni_script_topic_leave(CniScriptMessages *messages, uint32_t topic, uint32_t state);

void cni_script_bind_input_names(lua_State *lua, CniScriptBindings *bound);
uint64_t cni_script_tick_now(const CniScriptBindings *bound);

#endif

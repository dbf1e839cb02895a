/*
 * Objects: entities with a name and a transform, arranged in a tree.
 *
 *     void build_car(CnWorld *world)
 *     {
 *         CnEntity car = cn_object(world, "Car");
 *         CnEntity wheel = cn_object(world, "Wheel", .parent = car);
 *         cn_get_mut(world, wheel, CnTransform)->position.y = 0.4f;      // any component
 *         CnEntity found = cn_object_find(world, "Car/Wheel");           // wheel
 *         cn_object_set_enabled(world, car, false);                      // wheel is inactive, too
 *         cn_destroy(world, car);                                        // and everything below
 *     }
 *
 * All ECS functions work with objects: cn_get, cn_set, cn_remove, queries. Siblings may share a
 * name; a path then refers to the first of them.
 *
 * An object is active when it and all objects above it are enabled. Inactive objects have the tag
 * CnInactive, so queries exclude them with `.none = {cn_tag(CnInactive)}`.
 *
 * These functions change structure: call them between ticks, in hooks, and in systems that run
 * alone. Other systems record commands: cn_defer_object, cn_defer_destroy, cn_defer_set_parent.
 */
#ifndef CAIRN_SCENE_OBJECT_H
#define CAIRN_SCENE_OBJECT_H

#include <cairn/scene/transform.h>

CN_EXTERN_C_BEGIN

#define CN_OBJECT_NAME_BYTES 64u /* including the terminator */
#define CN_OBJECT_PATH_BYTES 1024u
#define CN_NO_PARENT ((CnEntity){0})

#define CN_OBJECT_UID_MAX ((UINT64_C(1) << 53) - 1) /* exactly representable in JSON and Lua */

/*
 * uid             1 to CN_OBJECT_UID_MAX, unique in its world, kept in files
 * creation_order  increases with each object that is created
 * name            UTF-8 without '/', at least one character; change it with cn_object_rename or by
 *                 setting the component, not through a pointer
 * enabled         of this object alone; see cn_object_is_active
 *
 * Hooks maintain uid, creation_order and name, also when the component is added or set without the
 * functions below: a uid that is 0 or in use is replaced by a new one, and an invalid name is
 * corrected.
 */
CN_COMPONENT(CnObject, (u64, uid), (u64, creation_order), (text, name, CN_OBJECT_NAME_BYTES),
             (bool, enabled));
/* On all objects that are disabled or below a disabled object. Set by the functions below. */
CN_TAG(CnInactive);

/* A resource; part of the state. `created` is the number of objects created so far, from which uid
 * and creation_order are derived. */
CN_COMPONENT(CnObjectCounter, (u64, created));
/* A transient resource: the indices by uid and name, and the queries of the functions below. */
typedef struct CnObjects {
    struct CniSceneObjects *inside;
} CnObjects;
CN_OPAQUE(CnObjects);

/* For CnSystemDesc.access of systems that look up objects and run in parallel with others.
 * Systems that call cn_object_by_uid or cn_object_rename declare cn_writes(CnObjects) instead of
 * cn_reads. */
#define CN_OBJECT_ACCESS cn_reads(CnObject), cn_reads(CnNode), cn_reads(CnObjects)

/* Registers the components; includes cn_transform_add. Calling it again has no effect. */
CN_API bool cn_object_add(CnWorld *world, CnError *error);

typedef struct CnObjectDesc {
    const char *name; /* NULL: "Object" */
    CnEntity parent;
    const CnTransform *transform; /* NULL: identity */
    uint64_t uid;                 /* 0: a new one */
    bool disabled;
    const CnValue *values; /* further components */
    uint32_t value_count;
} CnObjectDesc;

/* Creates an object. Returns null and an error if the name is empty, too long or contains a '/',
 * if the uid is in use or the parent does not exist, or when out of memory. */
CN_API CnEntity cn_object_create(CnWorld *world, const CnObjectDesc *desc, CnError *error);
/* Creates an object with a name; further members of CnObjectDesc may follow, such as
 * `.parent = car`. A failure is reported to the world. */
#define cn_object(world, name_, ...)                                                               \
    cn_object_create((world), &(const CnObjectDesc){.name = (name_), __VA_ARGS__}, NULL)
/* Creates an object from a system. The returned id is valid immediately; the object exists after
 * the flush. Invalid names are corrected, not rejected; the uid cannot be specified. */
CN_API CnEntity cn_defer_object(CnCommands *commands, const CnObjectDesc *desc);
/* Copies an object and everything below it, with new uids. References within the copied objects
 * refer to the copies. */
CN_API CnEntity cn_object_clone(CnWorld *world, CnEntity object, CnEntity parent, CnError *error);

/* Returns whether a text is a valid name of an object. */
CN_API bool cn_object_name_valid(CnText name);
/* Changes the name. Returns false and an error if the name is not valid or the entity is not an
 * object. */
CN_API bool cn_object_rename(CnWorld *world, CnEntity object, const char *name, CnError *error);
/* Return "" and 0 if the entity is not an object. */
CN_API const char *cn_object_name(const CnWorld *world, CnEntity object);
CN_API uint64_t cn_object_uid(const CnWorld *world, CnEntity object);

/* Returns the object at a path from the roots, such as "Car/Wheel"; null when there is none. */
CN_API CnEntity cn_object_find(const CnWorld *world, const char *path);
/* Returns the object at a path relative to `object`. */
CN_API CnEntity cn_object_child(const CnWorld *world, CnEntity object, const char *path);
/* Returns the object at a path from the roots (`object` is null) or relative to an object, and how
 * many objects were looked at. */
CN_API CnEntity cn_object_search(const CnWorld *world, CnEntity object, const char *path,
                                 uint32_t *steps);
/* Returns the object with this uid; null when there is none. */
CN_API CnEntity cn_object_by_uid(CnWorld *world, uint64_t uid);
/* Writes the path of an object. Returns false when it does not fit. */
CN_API bool cn_object_path(const CnWorld *world, CnEntity object, char *path, size_t path_bytes);

typedef enum CnReparentMode {
    CN_REPARENT_KEEP_LOCAL, /* keeps the local transform: the object moves with its new parent */
    CN_REPARENT_KEEP_WORLD  /* keeps the world transform: the local values change */
} CnReparentMode;
/* Changes the parent. Returns false and an error for a cycle or an entity that does not exist.
 * In a hook, where the change is deferred, only CN_REPARENT_KEEP_LOCAL is allowed. */
CN_API bool cn_object_set_parent(CnWorld *world, CnEntity object, CnEntity parent,
                                 CnReparentMode keep, CnError *error);

/* Enables or disables an object. Returns false if the entity is not an object. */
CN_API bool cn_object_set_enabled(CnWorld *world, CnEntity object, bool enabled);
CN_API bool cn_object_is_enabled(const CnWorld *world, CnEntity object);
/* Returns whether the object and all objects above it are enabled. */
CN_API bool cn_object_is_active(const CnWorld *world, CnEntity object);
/* Updates CnInactive immediately after the tree was changed by cn_set_parent or commands, or
 * `enabled` was written. Systems of PreUpdate and PostUpdate call it. Examines only what changed
 * since. */
CN_API bool cn_object_refresh_active(CnWorld *world);

/* ---- Several objects ---- */

/* Returns the number of objects that have no object above them, and stores at most `capacity` of
 * them in order of creation, including those that became roots later. */
CN_API uint32_t cn_object_roots(const CnWorld *world, CnEntity *roots, uint32_t capacity);
/* Returns the number of active objects with a component, and stores at most `capacity` of them:
 * level by level, parents before children, and in order of creation within a level. */
CN_API uint32_t cn_objects_with(CnWorld *world, CnComponent component, CnEntity *objects,
                                uint32_t capacity);
/* Returns the first object with the component at or below `object`, depth first, or null. */
CN_API CnEntity cn_object_first_with(const CnWorld *world, CnEntity object, CnComponent component);
/* Returns the number of objects with the component at or below `object`, active or not, and
 * stores at most `capacity` of them, depth first with siblings in order. 0 for an object that
 * does not exist or the null component. */
CN_API uint32_t cn_object_all_with(const CnWorld *world, CnEntity object, CnComponent component,
                                   CnEntity *objects, uint32_t capacity);

CN_EXTERN_C_END

#endif

/*
 * Objects: entities with a name and a transform, in a tree.
 *
 *     CnEntity car = cn_object_create(world, "Car", CN_NO_PARENT);
 *     CnEntity wheel = cn_object_create(world, "Wheel", car);
 *     cn_set(world, wheel, Spin, {.speed = 90});                   // any component
 *     cn_object_find(world, "Car/Wheel");                          // wheel
 *     cn_object_set_enabled(world, car, false);                    // wheel is not active either
 *     cn_destroy(world, car);                                      // with all below it
 *
 * Everything that the ECS does with entities it does with objects: cn_get, cn_set, cn_remove, queries.
 * Siblings may share a name; a path then means the first of them.
 *
 * An object is active when it and all above it are enabled. Those that are not have the tag CnInactive,
 * so that queries pass them over with `.none = {cn_tag(CnInactive)}`.
 *
 * These functions change structure: they are for code between ticks, hooks and systems that run alone.
 * Others record: cn_defer_object, cn_defer_destroy, cn_defer_set_parent.
 */
#ifndef CAIRN_SCENE_OBJECT_H
#define CAIRN_SCENE_OBJECT_H

#include <cairn/scene/transform.h>

CN_EXTERN_C_BEGIN

#define CN_OBJECT_NAME_BYTES 64u /* with the terminator */
#define CN_OBJECT_PATH_BYTES 1024u
#define CN_NO_PARENT ((CnEntity){0})

#define CN_OBJECT_UID_MAX ((UINT64_C(1) << 53) - 1) /* exact as a number of JSON and Lua */

/*
 * uid      1 to CN_OBJECT_UID_MAX, unique in its world, kept in files
 * born     rises with each object that is made: the order of creation
 * name     UTF-8 without '/', at least one character; changed by cn_object_rename, or by setting the
 *          component, not through a pointer
 * enabled  by itself; see cn_object_is_active
 *
 * Hooks see to uid, born and name, also of one that is added or set without the functions below: a
 * uid that is 0 or taken becomes a new one, a name that is not valid is mended.
 */
CN_COMPONENT(CnObject, (u64, uid), (u64, born), (text, name, CN_OBJECT_NAME_BYTES),
             (bool, enabled));
/* On all that are disabled or below something that is. Set by the functions below. */
CN_TAG(CnInactive);

/* A resource, part of the state: where uid and born come from. */
CN_COMPONENT(CnObjectCounter, (u64, born));
/* A transient resource: what is found by uid and by name, and the queries behind the functions below. */
typedef struct CnObjects {
    struct CniObjects *inside;
} CnObjects;
CN_OPAQUE(CnObjects);

/* In CnSystemDesc.access of systems that share their wave and look for objects. Those that call
 * cn_object_by_uid or cn_object_rename declare cn_writes(CnObjects) instead of reading it. */
#define CN_OBJECT_ACCESS cn_reads(CnObject), cn_reads(CnNode), cn_reads(CnObjects)

/* Registers the components; cn_transform_add is part of it. Calling it again is harmless. */
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

/* Null and an error for a name that is empty, too long or has a '/', a uid that is taken, a dead
 * parent, or when out of memory. */
CN_API CnEntity cn_object_create_desc(CnWorld *world, const CnObjectDesc *desc, CnError *error);
/* The same with a name and a parent, or CN_NO_PARENT. */
CN_API CnEntity cn_object_create(CnWorld *world, const char *name, CnEntity parent);
/* In a system. The id is good at once; the object is there after the flush. Names that are not valid
 * are mended, not refused; a uid cannot be given. */
CN_API CnEntity cn_defer_object(CnCommands *commands, const CnObjectDesc *desc);
/* A copy of the object and all below it, with new uids. Fields that point into what is copied point into
 * the copy. */
CN_API CnEntity cn_object_clone(CnWorld *world, CnEntity object, CnEntity parent, CnError *error);

CN_API bool cn_object_name_valid(CnText name);
CN_API bool cn_object_rename(CnWorld *world, CnEntity object, const char *name, CnError *error);
/* "" and 0 for what is not an object. */
CN_API const char *cn_object_name(const CnWorld *world, CnEntity object);
CN_API uint64_t cn_object_uid(const CnWorld *world, CnEntity object);

/* By path from the roots, "Car/Wheel"; null when there is none. */
CN_API CnEntity cn_object_find(const CnWorld *world, const char *path);
/* By path from `object`. */
CN_API CnEntity cn_object_child(const CnWorld *world, CnEntity object, const char *path);
CN_API CnEntity cn_object_by_uid(CnWorld *world, uint64_t uid);
/* The path of an object; false when it did not fit. */
CN_API bool cn_object_path(const CnWorld *world, CnEntity object, char *path, size_t path_bytes);

typedef enum CnKeep {
    CN_KEEP_LOCAL, /* its numbers stay, it moves with the new parent */
    CN_KEEP_WORLD  /* it stays where it is, its numbers change */
} CnKeep;
/* False and an error for a cycle or something dead. In a hook, where the parent changes later, with
 * CN_KEEP_LOCAL alone. */
CN_API bool cn_object_set_parent(CnWorld *world, CnEntity object, CnEntity parent, CnKeep keep,
                                 CnError *error);

CN_API bool cn_object_set_enabled(CnWorld *world, CnEntity object, bool enabled);
CN_API bool cn_object_is_enabled(const CnWorld *world, CnEntity object);
/* It and all above it are enabled. */
CN_API bool cn_object_is_active(const CnWorld *world, CnEntity object);
/* Sets CnInactive right after the tree was changed by cn_set_parent or commands, or `enabled` was
 * written. Systems of PreUpdate and PostUpdate call it; it looks at what changed since. */
CN_API bool cn_object_refresh_active(CnWorld *world);

/* ---- Many ---- */

/* Objects that have no object above them, in order of creation (born), also those that became roots
 * later: fills at most `capacity`, returns how many there are. */
CN_API uint32_t cn_object_roots(const CnWorld *world, CnEntity *roots, uint32_t capacity);
/* All active objects with a component, level by level, so that parents come before children, and in
 * order of creation within a level: fills at most `capacity`, returns how many there are. */
CN_API uint32_t cn_objects_with(CnWorld *world, CnComponent component, CnEntity *objects,
                                uint32_t capacity);
/* Those at or below `object`, depth first; the first one found, or null. */
CN_API CnEntity cn_object_first_with(const CnWorld *world, CnEntity object, CnComponent component);
/* All at or below `object` that have the component, active or not, depth first with siblings in order:
 * fills at most `capacity`, returns how many there are; 0 for a dead object or the null component. Read
 * a component with cn_get on each. */
CN_API uint32_t cn_object_all_with(const CnWorld *world, CnEntity object, CnComponent component,
                                   CnEntity *objects, uint32_t capacity);

CN_EXTERN_C_END

#endif

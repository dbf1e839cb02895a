/* Internals shared by the files about objects. */
#ifndef CAIRN_SRC_SCENE_OBJECT_OBJECT_INTERNAL_H
#define CAIRN_SRC_SCENE_OBJECT_OBJECT_INTERNAL_H

#include <cairn/ecs/snapshot.h>
#include <cairn/scene/object.h>

/* An entry in the list of objects with the same name; positions are entity indices + 1, 0: none. */
typedef struct CniSceneNameLink {
    uint64_t hash; /* of the name; 0: in no list */
    uint32_t previous, next;
} CniSceneNameLink;

typedef struct CniSceneObjects {
    CnWorld *world;
    CnQuery *all, *active, *inactive;
    CnHashMap active_with; /* component -> CnQuery *, of cn_objects_with */
    /* Indices by uid and by name, maintained by hooks. Entries may be outdated, so each is
     * checked when it is found. */
    CnHashMap by_uid;                      /* -> CnEntity */
    CnHashMap by_name;                     /* hash of a name -> position of the first namesake */
    CN_ARRAY(CniSceneNameLink) name_links; /* by entity index */
    bool is_complete;                      /* false: memory ran out while adding an entry */
    uint32_t loads;                        /* load count of the world when the index was built */
    /* Objects whose tag is wrong; scratch memory of cn_object_refresh_active. */
    CN_ARRAY(CnEntity) wrong;
    uint64_t refreshed;              /* tick of the world at the last refresh */
    CnArena scratch;                 /* for cloning */
    CnBitSet behaviors;              /* components that are behaviors */
    struct CniScenePrefabs *prefabs; /* the cache of prefabs; initially NULL */
} CniSceneObjects;

/* Returns NULL before cn_object_add. */
CniSceneObjects *cni_scene_objects_mut(CnWorld *world);
const CniSceneObjects *cni_scene_objects_get(const CnWorld *world);

/* object_uid_index.c */
/* Returns whether all objects are in the index. */
bool cni_scene_objects_are_indexed(const CniSceneObjects *objects);
/* Completes the index, unless memory runs out. */
void cni_scene_objects_index(CniSceneObjects *objects);
/* Returns the next number, or 0 when out of memory. */
uint64_t cni_scene_object_take_order(CnWorld *world);
/* Returns the last number, when the operation that used it failed. */
void cni_scene_object_return_order(CnWorld *world, uint64_t creation_order);
/* Returns a uid that no object has. */
uint64_t cni_scene_object_new_uid(CnWorld *world, const char *name, uint64_t creation_order);
/* Hooks of CnObject: they maintain uid, creation_order, name and the index. */
void cni_scene_object_on_add(CnWorld *world, CnEntity object, CnComponent component, void *user);
void cni_scene_object_on_remove(CnWorld *world, CnEntity object, CnComponent component, void *user);

/* object_name_index.c */
/* Lists an object under its name and no other; returns false when out of memory. */
bool cni_scene_name_index_add(CniSceneObjects *objects, CnEntity object, const char *name);
bool cni_scene_name_index_contains(const CniSceneObjects *objects, CnEntity object, CnText name);
void cni_scene_name_index_remove(CniSceneObjects *objects, CnEntity object);
void cni_scene_name_index_clear(CniSceneObjects *objects);
/* Returns the first root with this name, and adds how many objects were looked at. */
CnEntity cni_scene_name_index_find_root(const CniSceneObjects *objects, CnText name,
                                        uint32_t *steps);
/* The objects with one name, in no particular order. */
typedef struct CniSceneNameWalk {
    CnText name;
    uint32_t next;
    bool is_usable; /* false: the objects are not indexed */
} CniSceneNameWalk;
CniSceneNameWalk cni_scene_name_walk_begin(const CniSceneObjects *objects, CnText name);
/* Returns null after the last one. */
CnEntity cni_scene_name_walk_next(const CniSceneObjects *objects, CniSceneNameWalk *walk);

/* object_active.c */
/* Updates CnInactive of an object and everything below it; returns false when out of memory. */
bool cni_scene_object_update_active(CnWorld *world, CnEntity object);

/* object_order.c */
/* Sorts level by level, and in order of creation within a level. */
void cni_scene_objects_sort(const CnWorld *world, CnEntity *objects, uint32_t count);

/* object.c */
/* Makes a valid name from any text. */
void cni_scene_object_sanitize_name(char name[CN_OBJECT_NAME_BYTES], CnText text);

/* prefab.c */
void cni_scene_prefabs_destroy(struct CniScenePrefabs *prefabs); /* may be NULL */

static inline const CnObject *cni_scene_object_get(const CnWorld *world, CnEntity entity)
{
    return cn_get(world, entity, CnObject);
}

static inline bool cni_scene_has_name(const CnObject *object, CnText name)
{
    return !strncmp(object->name, name.data, name.size) && !object->name[name.size];
}

static inline bool cni_scene_is_root(const CnWorld *world, CnEntity object)
{
    return !cni_scene_object_get(world, cn_parent(world, object));
}

/* Returns the next entity of a pre-order traversal below `root`; null at the end. With `descend`
 * false, skips what is below `entity`. */
static inline CnEntity cni_scene_next_below(const CnWorld *world, CnEntity root, CnEntity entity,
                                            bool descend)
{
    CnEntity child = descend ? cn_first_child(world, entity) : CN_NO_PARENT;
    if (child.id)
        return child;
    while (entity.id != root.id) {
        CnEntity next = cn_next_sibling(world, entity);
        if (next.id)
            return next;
        entity = cn_parent(world, entity);
    }
    return CN_NO_PARENT;
}

#endif

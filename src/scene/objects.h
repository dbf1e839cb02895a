/* What the files about objects share. */
#ifndef CAIRN_SRC_SCENE_OBJECTS_H
#define CAIRN_SRC_SCENE_OBJECTS_H

#include <cairn/ecs/snapshot.h>
#include <cairn/scene/object.h>

/* One object in the list of its namesakes; positions are entity indices + 1, 0: none. */
typedef struct CniNamesake {
    uint64_t hash; /* of the name; 0: in no list */
    uint32_t previous, next;
} CniNamesake;

typedef struct CniObjects {
    CnWorld *world;
    CnQuery *all, *active, *inactive;
    CnHashMap active_with; /* component -> CnQuery *, of cn_objects_with */
    /* By uid and by name, fed by hooks. An entry may be out of date, so each is checked when it is
     * found. */
    CnHashMap by_uid;                /* -> CnEntity */
    CnHashMap by_name;               /* hash of a name -> position of the first namesake */
    CN_ARRAY(CniNamesake) namesakes; /* by entity index */
    bool is_complete;                /* false: memory ran out when something was entered */
    uint32_t loads;                  /* of the world when the index was right */
    /* Those whose tag is wrong; scratch of cn_object_refresh_active. */
    CN_ARRAY(CnEntity) wrong;
    uint64_t refreshed;         /* the world's tick then */
    CnArena scratch;            /* of a clone */
    CnBitSet behaviours;        /* components that are some */
    struct CniPrefabs *prefabs; /* that were read; NULL at first */
} CniObjects;

/* NULL before cn_object_add. */
CniObjects *cni_objects(CnWorld *world);
const CniObjects *cni_objects_const(const CnWorld *world);

/* object_index.c */
/* Whether all objects are in the index. */
bool cni_objects_are_indexed(const CniObjects *objects);
/* Makes it so, but for a lack of memory. */
void cni_objects_index(CniObjects *objects);
/* The next number, or 0 when out of memory. */
uint64_t cni_object_next_born(CnWorld *world);
/* Undoes the last one, when what it was for came to nothing. */
void cni_object_return_born(CnWorld *world, uint64_t born);
/* One that no object has. */
uint64_t cni_object_new_uid(CnWorld *world, const char *name, uint64_t born);
/* Hooks of CnObject: see to uid, born and name, and keep the index. */
void cni_object_arrived(CnWorld *world, CnEntity object, CnComponent component, void *user);
void cni_object_leaves(CnWorld *world, CnEntity object, CnComponent component, void *user);

/* object_names.c */
/* Lists an object under its name, and under no other; false when out of memory. */
bool cni_name_enter(CniObjects *objects, CnEntity object, const char *name);
bool cni_name_is_entered(const CniObjects *objects, CnEntity object, CnText name);
void cni_name_leave(CniObjects *objects, CnEntity object);
void cni_names_clear(CniObjects *objects);
/* The first root of this name. */
CnEntity cni_root_by_name(const CniObjects *objects, CnText name);

/* object_active.c */
/* Brings CnInactive of an object and those below it up to date; false when out of memory. */
bool cni_object_update_active(CnWorld *world, CnEntity object);

/* object_order.c */
/* Level by level, in order of creation within a level. */
void cni_objects_sort(const CnWorld *world, CnEntity *objects, uint32_t count);

/* object.c */
/* A valid name made from any text. */
void cni_object_mend_name(char name[CN_OBJECT_NAME_BYTES], CnText text);

/* prefab.c */
void cni_prefabs_destroy(struct CniPrefabs *prefabs); /* may be NULL */

static inline const CnObject *cni_object(const CnWorld *world, CnEntity entity)
{
    return cn_get(world, entity, CnObject);
}

static inline bool cni_has_name(const CnObject *object, CnText name)
{
    return !strncmp(object->name, name.data, name.size) && !object->name[name.size];
}

static inline bool cni_is_root(const CnWorld *world, CnEntity object)
{
    return !cni_object(world, cn_parent(world, object));
}

/* The next one in a walk over what is below `root`, parents first; null at the end. With `descend`
 * false, what is below `entity` is passed over. */
static inline CnEntity cni_next_below(const CnWorld *world, CnEntity root, CnEntity entity,
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

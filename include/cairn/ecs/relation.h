/*
 * Relations between entities.
 *
 * Parent and child: a tree of entities that does not split archetypes by parent. Destroying a
 * parent destroys its subtree.
 *
 *     cn_set_parent(world, wheel, car);
 *     for (CnEntity c = cn_first_child(world, car); !cn_entity_is_null(c);
 *          c = cn_next_sibling(world, c))
 *         paint(c);
 *
 * Pairs: the combination (kind, target) is a component, with the data of the kind, if it has any.
 *
 *     CnComponent likes = cn_id(world, Likes);
 *     CnComponent likes_alice = cn_pair(world, likes, alice);
 *     cn_set_component(world, bob, likes_alice, &(Likes){0.9f});
 *     CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(likes_alice)}},
 * NULL); CnComponent likes_any = cn_pair_any(world, likes); CnQuery *anyone =
 * cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(likes_any)}}, NULL);
 *
 * When the target is destroyed, the pair is removed from all entities.
 */
#ifndef CAIRN_ECS_RELATION_H
#define CAIRN_ECS_RELATION_H

#include <cairn/ecs/command.h>

CN_EXTERN_C_BEGIN

/* The component that stores the tree. All code may read it; only the functions below change it. */
CN_COMPONENT(CnNode, (entity, parent), (entity, first_child), (entity, last_child),
             (entity, previous), (entity, next), (u32, depth), (u32, child_count));

/* Appends `child` to the children of `parent`; the null parent detaches it. Returns false if one of
 * them is dead, if the change would create a cycle, or when out of memory. */
CN_API bool cn_set_parent(CnWorld *world, CnEntity child, CnEntity parent);
CN_API CnEntity cn_parent(const CnWorld *world, CnEntity entity); /* null for a root */
CN_API CnEntity cn_first_child(const CnWorld *world, CnEntity entity);
CN_API CnEntity cn_next_sibling(const CnWorld *world, CnEntity entity);
CN_API uint32_t cn_child_count(const CnWorld *world, CnEntity entity);
CN_API uint32_t cn_depth(const CnWorld *world, CnEntity entity); /* 0 for a root */

/* An entity of a tree that is spawned as a whole. */
typedef struct CnTreeSpawn {
    const CnValue *values; /* at most CN_MAX_VALUES */
    uint32_t value_count;
    uint32_t parent; /* position in the list, before this one; UINT32_MAX: `root_parent` */
} CnTreeSpawn;

typedef struct CnTreeSpawnDesc {
    const CnTreeSpawn *spawns;
    uint32_t count;
    CnEntity root_parent; /* null: entities without a parent are roots */
    /* Called when the ids are known and before the values are read, so that it can put ids into
     * them. Nothing can fail after that. May be NULL. */
    void (*on_ids_reserved)(const CnEntity *entities, void *user);
    void *user;
} CnTreeSpawnDesc;

/* Spawns all entities or none. On failure, when out of memory or if `root_parent` is dead, the
 * state of the world is unchanged, including the ids that it assigns next. Hooks are called in
 * order after all entities exist. `entities` has room for all ids. In a hook, the spawn is deferred
 * like other changes. */
CN_API bool cn_spawn_tree(CnWorld *world, const CnTreeSpawnDesc *desc, CnEntity *entities);
/* The same as commands; the components must be registered. On failure, the next flush destroys the
 * entities that were already recorded. */
CN_API bool cn_defer_tree(CnCommands *commands, const CnTreeSpawnDesc *desc, CnEntity *entities);

/* All trees, level by level, parents before children; siblings in their order, roots in order of
 * entity index. Valid until the tree or the structure of the world changes. */
typedef struct CnTreeOrder {
    const CnEntity *entities;
    const uint32_t *parents; /* position of the parent in this order; UINT32_MAX for a root */
    const uint32_t *rows;    /* location of the entity's data; see cn_tree_addresses */
    const uint32_t *levels;  /* level_count + 1 positions: the start of each depth */
    /* run_count + 1 positions: the start of each run. The data of the entities in a run is
     * contiguous in memory, so the address of a component of the first entity is that of an
     * array. */
    const uint32_t *runs;
    uint32_t count, level_count, run_count;
    uint64_t version; /* equal versions: the order and all addresses are unchanged */
} CnTreeOrder;

/* Computes the order, or returns the cached one if nothing changed. Returns false when out of
 * memory. */
CN_API bool cn_tree_order(CnWorld *world, CnTreeOrder *order);
/* Fills `addresses`, which has room for order->count, with the address of a packed component of
 * each entity in the order, NULL for entities without it. */
CN_API void cn_tree_addresses(const CnWorld *world, const CnTreeOrder *order, CnComponent component,
                              void **addresses);

/* ---- Pairs ---- */

/* Returns the component of a pair, which is created on first use. Returns null if the target is
 * dead, the kind is unknown, or no component ids are left. */
CN_API CnComponent cn_pair(CnWorld *world, CnComponent kind, CnEntity target);
/* Returns the component of a pair if an entity or resource has it, otherwise null. Earlier calls of
 * cn_pair do not affect the result. */
CN_API CnComponent cn_pair_find(const CnWorld *world, CnComponent kind, CnEntity target);
/* Returns a tag that every entity with a pair of this kind has. */
CN_API CnComponent cn_pair_any(CnWorld *world, CnComponent kind);
/* Returns the n-th target of the pairs of this kind that an entity has, in order of index and
 * generation of the targets; null if there are fewer. */
CN_API CnEntity cn_pair_target(const CnWorld *world, CnEntity entity, CnComponent kind, uint32_t n);

CN_EXTERN_C_END

#endif

/*
 * Relations.
 *
 * Parent and child: a tree over entities that does not split archetypes by parent. Destroying a
 * parent destroys its subtree.
 *
 *     cn_set_parent(world, wheel, car);
 *     for (CnEntity c = cn_first_child(world, car); !cn_entity_is_null(c);
 *          c = cn_next_sibling(world, c))
 *
 * Pairs: (kind, target) as a component of its own, with the data of the kind, if it has any.
 *
 *     cn_set_component(world, bob, cn_pair(world, cn_id(world, Likes), alice), &(Likes){0.9f});
 *     CnComponent likes_alice = cn_pair(world, likes, alice);
 *     CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(likes_alice)}});
 *     CnComponent likes_any = cn_pair_any(world, likes);
 *     CnQuery *anyone = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(likes_any)}});
 *
 * A pair is removed from everyone when its target is destroyed.
 */
#ifndef CAIRN_ECS_RELATION_H
#define CAIRN_ECS_RELATION_H

#include <cairn/ecs/command.h>

CN_EXTERN_C_BEGIN

/* The component behind the tree: anyone may read it, only the functions below change it. */
CN_COMPONENT(CnNode, (entity, parent), (entity, first_child), (entity, last_child),
             (entity, previous), (entity, next), (u32, depth), (u32, child_count));

/* Appends `child` to the children of `parent`; the null parent detaches. False when one is dead,
 * when it would make a cycle, or when out of memory. */
CN_API bool cn_set_parent(CnWorld *world, CnEntity child, CnEntity parent);
CN_API CnEntity cn_parent(const CnWorld *world, CnEntity entity); /* null: a root */
CN_API CnEntity cn_first_child(const CnWorld *world, CnEntity entity);
CN_API CnEntity cn_next_sibling(const CnWorld *world, CnEntity entity);
CN_API uint32_t cn_child_count(const CnWorld *world, CnEntity entity);
CN_API uint32_t cn_depth(const CnWorld *world, CnEntity entity); /* 0: a root */

/* Many entities with their parents in one go. */
typedef struct CnTreeSpawn {
    const CnValue *values; /* at most CN_MAX_VALUES */
    uint32_t value_count;
    uint32_t parent; /* its position in the list, before this one; UINT32_MAX: `above` */
} CnTreeSpawn;

typedef struct CnTreeSpawnDesc {
    const CnTreeSpawn *spawns;
    uint32_t count;
    CnEntity above; /* null: those without a parent are roots */
    /* Called when the ids are known and before the values are looked at, to put ids into them; from
     * then on nothing can fail. May be NULL. */
    void (*known)(const CnEntity *entities, void *user);
    void *user;
} CnTreeSpawnDesc;

/* All or none: when it fails, out of memory or because `above` is dead, the state of the world is
 * what it was, down to the ids it hands out next. Hooks are called when all of it is there, in
 * order. `entities` has room for all. In a hook it is recorded, as all changes are. */
CN_API bool cn_spawn_tree(CnWorld *world, const CnTreeSpawnDesc *desc, CnEntity *entities);
/* The same as commands; the components must be registered. When it fails, what was recorded is
 * destroyed by the flush that makes it. */
CN_API bool cn_defer_tree(CnCommands *commands, const CnTreeSpawnDesc *desc, CnEntity *entities);

/* The whole forest, parents before children, level by level; siblings in their order, roots in
 * order of entity index. Kept until the tree or the structure of the world changes; valid until
 * then. */
typedef struct CnTreeOrder {
    const CnEntity *entities;
    const uint32_t *parents; /* position of the parent in this order; UINT32_MAX: a root */
    const uint32_t *rows;    /* where the entity's data is; see cn_tree_addresses */
    const uint32_t *levels;  /* level_count + 1 positions: where each depth begins */
    /* run_count + 1 positions: where each run begins. The data of the entities in a run follow each
     * other in memory, so that the address of a component of the first is that of an array. */
    const uint32_t *runs;
    uint32_t count, level_count, run_count;
    uint64_t version; /* equal versions: equal orders, and addresses are still good */
} CnTreeOrder;

/* False when out of memory. */
CN_API bool cn_tree_order(CnWorld *world, CnTreeOrder *order);
/* The address of a packed component of each entity in the order (NULL where it has none).
 * `addresses` has room for order->count. */
CN_API void cn_tree_addresses(const CnWorld *world, const CnTreeOrder *order, CnComponent component,
                              void **addresses);

/* ---- Pairs ---- */

/* The component of a pair, made on first use; null when the target is dead, the kind unknown, or
 * components run out. */
CN_API CnComponent cn_pair(CnWorld *world, CnComponent kind, CnEntity target);
/* The same if some entity or resource has it, else null: whether somebody has asked for it with
 * cn_pair makes no difference. */
CN_API CnComponent cn_pair_find(const CnWorld *world, CnComponent kind, CnEntity target);
/* A tag that every entity with some pair of this kind has. */
CN_API CnComponent cn_pair_any(CnWorld *world, CnComponent kind);
/* The n-th target of this kind that an entity points to, in order of index and generation of the
 * targets; null: no more. */
CN_API CnEntity cn_pair_target(const CnWorld *world, CnEntity entity, CnComponent kind, uint32_t n);

CN_EXTERN_C_END

#endif

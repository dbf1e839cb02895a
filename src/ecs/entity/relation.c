#include "ecs/world/world_internal.h"

/* ---- Parent and child ---- */

static CnNode *node_of(const CnWorld *world, CnEntity entity)
{
    const CniEcsSlot *slot = world->node ? cni_ecs_live_slot(world, entity) : NULL;
    if (!slot)
        return NULL;
    CniEcsRowRef place = cni_ecs_row_ref(slot->location);
    const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
    const CniEcsColumn *column =
        cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), world->node);
    return column ? (CnNode *)(void *)cni_ecs_column_values(chunk, column) + place.row : NULL;
}

static void mark_node_changed(CnWorld *world, CnEntity entity)
{
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    const CniEcsChunk *chunk = &world->chunks.items[cni_ecs_row_ref(slot->location).chunk];
    cni_ecs_column_changed(world, chunk,
                           cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), world->node));
}

static CniEcsArchetype *archetype_of(const CnWorld *world, CnEntity entity)
{
    return cni_ecs_chunk_archetype(
        &world->chunks.items[cni_ecs_row_ref(cni_ecs_live_slot(world, entity)->location).chunk]);
}

bool cni_ecs_node_ensure(CnWorld *world, CnEntity entity, CniEcsArchetype **left)
{
    *left = NULL;
    if (!world->node) {
        world->node = cn_component_ensure(world, &cn_type_CnNode).id;
        if (!world->node)
            return false;
    }
    CniEcsArchetype *from = archetype_of(world, entity);
    if (from->has_node)
        return true;
    CniEcsArchetype *to = cni_ecs_archetype_toggle(world, from, world->node);
    if (!to || !cni_ecs_rows_reserve_one(world, to))
        return false;
    cni_ecs_hooks_removed(world, entity, from, to);
    cni_ecs_row_move(world, cni_ecs_live_slot(world, entity), entity, to);
    *left = from;
    return true;
}

/* Adds the component to both, or to none when out of memory. */
static bool ensure_nodes(CnWorld *world, CnEntity child, CnEntity parent)
{
    CniEcsArchetype *child_left, *parent_left = NULL;
    if (!cni_ecs_node_ensure(world, child, &child_left))
        return false;
    if (parent.id && !cni_ecs_node_ensure(world, parent, &parent_left)) {
        if (child_left) { /* its old row is still free, so this cannot fail */
            const CniEcsArchetype *entered = archetype_of(world, child);
            cni_ecs_row_move(world, cni_ecs_live_slot(world, child), child, child_left);
            cni_ecs_hooks_added(world, child, entered,
                                child_left); /* for observers whose queries it left */
        }
        return false;
    }
    if (child_left)
        cni_ecs_hooks_added(world, child, child_left, archetype_of(world, child));
    if (parent_left)
        cni_ecs_hooks_added(world, parent, parent_left, archetype_of(world, parent));
    return true;
}

void cni_ecs_node_unlink(CnWorld *world, CnEntity entity)
{
    CnNode *node = node_of(world, entity);
    CnNode *parent = node_of(world, node->parent);
    world->tree_version++;
    if (!parent)
        return;
    CnNode *previous = node_of(world, node->previous), *next = node_of(world, node->next);
    if (previous)
        previous->next = node->next;
    else
        parent->first_child = node->next;
    if (next)
        next->previous = node->previous;
    else
        parent->last_child = node->previous;
    parent->child_count--;
    mark_node_changed(world, node->parent);
    node->parent = node->previous = node->next = (CnEntity){0};
}

static void link_last(CnWorld *world, CnEntity child, CnEntity parent)
{
    CnNode *node = node_of(world, child), *above = node_of(world, parent);
    CnNode *last = node_of(world, above->last_child);
    node->parent = parent;
    node->previous = above->last_child;
    if (last)
        last->next = child;
    else
        above->first_child = child;
    above->last_child = child;
    above->child_count++;
    mark_node_changed(world, parent);
}

void cni_ecs_node_link_new(CnWorld *world, CnEntity child, CnEntity parent)
{
    link_last(world, child, parent);
    node_of(world, child)->depth = node_of(world, parent)->depth + 1;
    mark_node_changed(world, child);
    world->tree_version++;
}

/* Returns the entity after `entity` in a traversal of the subtree of `root`, parents first; null at
 * the end. */
static CnEntity next_in_subtree(const CnWorld *world, CnEntity root, CnEntity entity)
{
    const CnNode *node = node_of(world, entity);
    if (node->first_child.id)
        return node->first_child;
    while (entity.id != root.id) {
        node = node_of(world, entity);
        if (node->next.id)
            return node->next;
        entity = node->parent;
    }
    return (CnEntity){0};
}

static void update_depths(CnWorld *world, CnEntity root)
{
    for (CnEntity e = root; e.id; e = next_in_subtree(world, root, e)) {
        CnNode *node = node_of(world, e);
        const CnNode *parent = node_of(world, node->parent);
        node->depth = parent ? parent->depth + 1 : 0;
        mark_node_changed(world, e);
    }
}

/* Whether an entity is alive or, in a hook, has been spawned by it. */
static bool can_be_linked(const CnWorld *world, CnEntity entity)
{
    return cn_is_alive(world, entity) ||
           (world->hook_depth && cni_ecs_slot_is_reserved(&world->slots, entity));
}

bool cn_set_parent(CnWorld *world, CnEntity child, CnEntity parent)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!can_be_linked(world, child) || (parent.id && !can_be_linked(world, parent)))
        return false;
    if (child.id == parent.id)
        return false;
    /* Only an entity that has children can be above the parent. */
    for (CnEntity e = parent; e.id && cn_child_count(world, child); e = cn_parent(world, e))
        if (e.id == child.id)
            return false;
    if (world->hook_depth)
        return cn_defer_set_parent(world->hook_commands, child, parent);
    if (cn_parent(world, child).id == parent.id && parent.id)
        return true;
    if (!parent.id && !node_of(world, child))
        return true;
    if (!ensure_nodes(world, child, parent))
        return false;
    cni_ecs_node_unlink(world, child);
    if (parent.id)
        link_last(world, child, parent);
    update_depths(world, child);
    cni_ecs_hooks_flush(world);
    return true;
}

CnEntity cn_parent(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnNode *node = node_of(world, entity);
    return node ? node->parent : (CnEntity){0};
}

CnEntity cn_first_child(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnNode *node = node_of(world, entity);
    return node ? node->first_child : (CnEntity){0};
}

CnEntity cn_next_sibling(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnNode *node = node_of(world, entity);
    return node ? node->next : (CnEntity){0};
}

uint32_t cn_child_count(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnNode *node = node_of(world, entity);
    return node ? node->child_count : 0;
}

uint32_t cn_depth(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnNode *node = node_of(world, entity);
    return node ? node->depth : 0;
}

/* ---- Pairs; cn_pair and related functions are in component.c ---- */

CnEntity cn_pair_target(const CnWorld *world, CnEntity entity, CnComponent kind, uint32_t n)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    if (!slot)
        return (CnEntity){0};
    const CniEcsArchetype *archetype =
        cni_ecs_chunk_archetype(&world->chunks.items[cni_ecs_row_ref(slot->location).chunk]);
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        const CnComponentInfo *info = &world->components.items[archetype->ordered[i]].info;
        if (info->pair_kind.id && info->pair_kind.id == kind.id && n-- == 0)
            return info->pair_target;
    }
    return (CnEntity){0};
}

/* Removes a pair from all entities. Returns false when out of memory: some still have it. */
static bool remove_pair_everywhere(CnWorld *world, uint32_t pair)
{
    while (world->components.items[pair].archetypes.count) {
        CniEcsArchetype *from = world->components.items[pair].archetypes.items[0].archetype;
        if (!from->head.chunk_count) {
            cni_ecs_archetype_destroy(world, from);
            continue;
        }
        CniEcsArchetype *to = cni_ecs_archetype_toggle(world, from, pair);
        if (!to)
            return false;
        if (!cni_ecs_hooks_move_all(world, from, to))
            return false;
        cni_ecs_archetype_destroy(world, from);
    }
    return true;
}

static bool commands_wait(const CnWorld *world)
{
    for (uint32_t i = 0; i < world->commands.count; i++)
        if (cn_commands_count(world->commands.items[i]))
            return true;
    return false;
}

static void unlist_pair(CnWorld *world, uint32_t pair, CnEntity target)
{
    uint32_t *at = cn_hash_map_get(&world->first_pairs, target.id);
    while (*at != pair)
        at = &world->components.items[*at].next_pair;
    *at = world->components.items[pair].next_pair;
}

/* The id is not reused while pending commands may refer to it. */
static void forget_pair(CnWorld *world, uint32_t pair, CnEntity target)
{
    CnComponent kind = world->components.items[pair].info.pair_kind;
    unlist_pair(world, pair, target);
    cn_hash_map_remove(&world->pairs, cni_ecs_pair_key(kind.id, target));
    cn_bitset_clear(&world->components.items[kind.id].pairs, pair);
    cni_ecs_queries_pair_died(world, pair);
    cni_ecs_component_release(world, pair);
    if (commands_wait(world)) {
        world->free_components.count--;
        world->quarantined_components.items[world->quarantined_components.count++] = pair;
    }
}

void cni_ecs_components_reclaim(CnWorld *world)
{
    if (CN_LIKELY(!world->quarantined_components.count) || commands_wait(world))
        return;
    while (world->quarantined_components.count)
        world->free_components.items[world->free_components.count++] =
            cn_array_pop(&world->quarantined_components);
}

void cni_ecs_pairs_target_died(CnWorld *world, CnEntity target)
{
    const uint32_t *head;
    /* Read in each iteration, because hooks may create further pairs with the target. */
    while ((head = cn_hash_map_get(&world->first_pairs, target.id)) && *head) {
        uint32_t pair = *head;
        if (!remove_pair_everywhere(world, pair)) {
            CN_LOG_ERROR("ecs",
                         "out of memory: pairs with a dead target remain until a later flush");
            world->has_stale_pairs = world->has_commands = true; /* the next flush removes them */
            return;
        }
        forget_pair(world, pair, target);
    }
    cn_hash_map_remove(&world->first_pairs, target.id);
    /* The index may belong to a new entity with its own pairs. */
    uint32_t index = cn_entity_index(target);
    CnEntity now = cn_entity_make(index, cni_ecs_slots_at(&world->slots, index)->generation);
    if (!cn_hash_map_get(&world->first_pairs, now.id))
        cn_bitset_clear(&world->pair_targets, index);
}

void cni_ecs_pairs_sweep(CnWorld *world)
{
    world->has_stale_pairs = false;
    for (uint32_t i = 0; i < world->first_pairs.count && !world->has_stale_pairs;) {
        CnEntity target = {cn_hash_map_key(&world->first_pairs, i)};
        if (cn_is_alive(world, target))
            i++;
        else
            cni_ecs_pairs_target_died(world, target);
    }
}

#include "ecs/command/command_buffer.h"

#define FEW 64u /* trees up to this size need no heap allocation */

/* First performs everything that can fail (archetypes, rows, indices), then writes the rows, then
 * calls the hooks. */
typedef struct TreeSpawner {
    CnWorld *world;
    const CnTreeSpawnDesc *desc;
    CnEntity *entities;
    CniEcsArchetype **archetypes; /* of each entity and of the parent above */
    uint32_t archetype_count;
    bool *has_children;
} TreeSpawner;

/* ---- Steps that can fail ---- */

static bool want_row(TreeSpawner *spawner, CniEcsArchetype *archetype)
{
    if (!archetype)
        return false;
    archetype->wanted_rows++;
    spawner->archetypes[spawner->archetype_count++] = archetype;
    return true;
}

static void find_parents(TreeSpawner *spawner)
{
    const CnTreeSpawnDesc *desc = spawner->desc;
    for (uint32_t i = 0; i < desc->count; i++) {
        uint32_t parent = desc->spawns[i].parent;
        CN_ASSERT(parent == UINT32_MAX || parent < i, "the parent of %u comes after it", i);
        if (parent != UINT32_MAX)
            spawner->has_children[parent] = true;
    }
}

static bool find_archetypes(TreeSpawner *spawner)
{
    CnWorld *world = spawner->world;
    const CnTreeSpawnDesc *desc = spawner->desc;
    for (uint32_t i = 0; i < desc->count; i++) {
        const CnTreeSpawn *spawn = &desc->spawns[i];
        uint32_t ids[CN_MAX_VALUES];
        CniEcsArchetype *archetype =
            cni_ecs_archetype_of_values(world, spawn->values, spawn->value_count, ids);
        bool is_linked =
            spawn->parent != UINT32_MAX || desc->root_parent.id || spawner->has_children[i];
        if (archetype && is_linked)
            archetype = cni_ecs_archetype_toggle(world, archetype, world->node);
        if (!want_row(spawner, archetype))
            return false;
    }
    return true;
}

/* The parent above may have to move, too. */
static bool find_root_parent(TreeSpawner *spawner)
{
    CnWorld *world = spawner->world;
    if (!spawner->desc->root_parent.id)
        return true;
    const CniEcsSlot *slot = cni_ecs_live_slot(world, spawner->desc->root_parent);
    CniEcsArchetype *from =
        cni_ecs_chunk_archetype(&world->chunks.items[cni_ecs_row_ref(slot->location).chunk]);
    return from->has_node || want_row(spawner, cni_ecs_archetype_toggle(world, from, world->node));
}

static bool reserve(TreeSpawner *spawner)
{
    CnWorld *world = spawner->world;
    if (!world->node)
        world->node = cn_component_ensure(world, &cn_type_CnNode).id;
    if (!world->node || (world->slots.reserved && !cni_ecs_commands_resolve_ids(world)))
        return false;
    find_parents(spawner);
    bool found = find_archetypes(spawner) && find_root_parent(spawner);
    bool has_room =
        cni_ecs_rows_reserve_wanted(world, spawner->archetypes, spawner->archetype_count);
    return found && has_room && cni_ecs_slots_reserve_numbers(&world->slots, spawner->desc->count);
}

/* ---- Steps that cannot fail ---- */

static void name_entities(const TreeSpawner *spawner)
{
    CniEcsSlots *slots = &spawner->world->slots;
    for (uint32_t i = 0; i < spawner->desc->count; i++) {
        uint32_t index = 0;
        bool acquired = cni_ecs_slot_acquire(slots, &index);
        CN_ASSERT(acquired, "a number was reserved");
        (void)acquired;
        spawner->entities[i] = cn_entity_make(index, cni_ecs_slots_at(slots, index)->generation);
    }
    if (spawner->desc->on_ids_reserved)
        spawner->desc->on_ids_reserved(spawner->entities, spawner->desc->user);
}

static void write_row(CnWorld *world, const CniEcsArchetype *archetype, const CnTreeSpawn *spawn,
                      CniEcsRowRef place)
{
    const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
    if (archetype->has_node)
        cni_ecs_values_write(world, chunk, cni_ecs_archetype_column(archetype, world->node),
                             place.row, 1, NULL, 0);
    for (uint32_t i = 0; i < spawn->value_count; i++) {
        const CnValue *value = &spawn->values[i];
        uint32_t id = cni_ecs_value_component(world, value->type, value->component);
        const CniEcsColumn *column = cni_ecs_archetype_column(archetype, id);
        if (column)
            cni_ecs_values_write(world, chunk, column, place.row, 1, value->data, 0);
    }
}

static void make_rows(const TreeSpawner *spawner)
{
    CnWorld *world = spawner->world;
    for (uint32_t i = 0; i < spawner->desc->count; i++) {
        CnEntity entity = spawner->entities[i];
        CniEcsArchetype *archetype = spawner->archetypes[i];
        CniEcsRowRef place = {0, 0};
        bool appended = cni_ecs_row_append(
            world, archetype, entity, cni_ecs_world_slot(world, cn_entity_index(entity)), &place);
        CN_ASSERT(appended, "a row was reserved");
        (void)appended;
        write_row(world, archetype, &spawner->desc->spawns[i], place);
    }
    cni_ecs_structure_changed(world);
}

static CniEcsArchetype *link_all(const TreeSpawner *spawner)
{
    CnWorld *world = spawner->world;
    const CnTreeSpawnDesc *desc = spawner->desc;
    CniEcsArchetype *left = NULL;
    if (desc->root_parent.id)
        cni_ecs_node_ensure(world, desc->root_parent, &left);
    for (uint32_t i = 0; i < desc->count; i++) {
        uint32_t parent = desc->spawns[i].parent;
        CnEntity above = parent == UINT32_MAX ? desc->root_parent : spawner->entities[parent];
        if (above.id)
            cni_ecs_node_link_new(world, spawner->entities[i], above);
    }
    world->tree_version++;
    return left;
}

static void call_hooks(const TreeSpawner *spawner, const CniEcsArchetype *above_left)
{
    CnWorld *world = spawner->world;
    const CnTreeSpawnDesc *desc = spawner->desc;
    if (above_left) {
        const CniEcsSlot *slot = cni_ecs_live_slot(world, desc->root_parent);
        cni_ecs_hooks_added(
            world, desc->root_parent, above_left,
            cni_ecs_chunk_archetype(&world->chunks.items[cni_ecs_row_ref(slot->location).chunk]));
    }
    for (uint32_t i = 0; i < desc->count; i++) {
        const CniEcsArchetype *archetype = spawner->archetypes[i];
        const CnTreeSpawn *spawn = &desc->spawns[i];
        uint32_t ids[CN_MAX_VALUES];
        if (!archetype->hook_flags)
            continue;
        for (uint32_t v = 0; v < spawn->value_count; v++)
            ids[v] =
                cni_ecs_value_component(world, spawn->values[v].type, spawn->values[v].component);
        cni_ecs_hooks_spawned(world, spawner->entities[i], archetype, spawn->values, ids,
                              spawn->value_count);
    }
    cni_ecs_hooks_flush(world);
}

/* ---- Recording ---- */

static bool defer_values(CnCommands *commands, CnEntity entity, const CnTreeSpawn *spawn)
{
    for (uint32_t i = 0; i < spawn->value_count; i++) {
        const CnValue *value = &spawn->values[i];
        CnComponent component =
            value->type ? cn_component_of(commands->world, value->type) : value->component;
        if (!(value->data ? cn_defer_set_component(commands, entity, component, value->data)
                          : cn_defer_add_component(commands, entity, component)))
            return false;
    }
    return true;
}

static bool defer_all(CnCommands *commands, const CnTreeSpawnDesc *desc, CnEntity *entities,
                      uint32_t *spawned)
{
    for (; *spawned < desc->count; ++*spawned) {
        const CnTreeSpawn *spawn = &desc->spawns[*spawned];
        CnEntity entity = desc->on_ids_reserved
                              ? cn_defer_spawn_values(commands, NULL, 0)
                              : cn_defer_spawn_values(commands, spawn->values, spawn->value_count);
        if (!entity.id)
            return false;
        entities[*spawned] = entity;
    }
    if (desc->on_ids_reserved)
        desc->on_ids_reserved(entities, desc->user);
    for (uint32_t i = 0; i < desc->count; i++) {
        uint32_t parent = desc->spawns[i].parent;
        CnEntity above = parent == UINT32_MAX ? desc->root_parent : entities[parent];
        if ((desc->on_ids_reserved && !defer_values(commands, entities[i], &desc->spawns[i])) ||
            (above.id && !cn_defer_set_parent(commands, entities[i], above)))
            return false;
    }
    return true;
}

bool cn_defer_tree(CnCommands *commands, const CnTreeSpawnDesc *desc, CnEntity *entities)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    uint32_t spawned = 0;
    if (defer_all(commands, desc, entities, &spawned))
        return true;
    for (uint32_t i = 0; i < spawned; i++)
        cn_defer_destroy(commands, entities[i]);
    return false;
}

bool cn_spawn_tree(CnWorld *world, const CnTreeSpawnDesc *desc, CnEntity *entities)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    if (world->hook_depth)
        return cn_defer_tree(world->hook_commands, desc, entities);
    if (desc->root_parent.id && !cn_is_alive(world, desc->root_parent))
        return false;
    if (!desc->count)
        return true;
    TreeSpawner spawner = {.world = world, .desc = desc, .entities = entities};
    CniEcsArchetype *few[FEW + 1];
    bool few_have_children[FEW] = {false};
    bool are_few = desc->count <= FEW;
    size_t list_bytes = (desc->count + (size_t)1) * sizeof *few, flag_bytes = desc->count;
    spawner.archetypes = are_few ? few : cn_alloc(world->allocator, list_bytes);
    spawner.has_children =
        are_few ? few_have_children : cn_alloc_zeroed(world->allocator, flag_bytes);
    bool done = spawner.archetypes && spawner.has_children && reserve(&spawner);
    if (done) {
        name_entities(&spawner);
        make_rows(&spawner);
        call_hooks(&spawner, link_all(&spawner));
    }
    if (!are_few) {
        cn_free(world->allocator, spawner.archetypes, list_bytes);
        cn_free(world->allocator, spawner.has_children, flag_bytes);
    }
    return done;
}

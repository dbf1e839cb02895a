#include "ecs/command/command_buffer.h"

#define FEW 64u /* so many are spawned without a heap call */

/* First everything that can fail: archetypes, rows, numbers. Then the rows, and then the hooks. */
typedef struct Planting {
    CnWorld *world;
    const CnTreeSpawnDesc *desc;
    CnEntity *entities;
    Archetype **archetypes; /* of each entity, and of the one above */
    uint32_t archetype_count;
    bool *has_children;
} Planting;

/* ---- What can fail ---- */

static bool want_row(Planting *planting, Archetype *archetype)
{
    if (!archetype)
        return false;
    archetype->wanted_rows++;
    planting->archetypes[planting->archetype_count++] = archetype;
    return true;
}

static void find_parents(Planting *planting)
{
    const CnTreeSpawnDesc *desc = planting->desc;
    for (uint32_t i = 0; i < desc->count; i++) {
        uint32_t parent = desc->spawns[i].parent;
        CN_ASSERT(parent == UINT32_MAX || parent < i, "the parent of %u comes after it", i);
        if (parent != UINT32_MAX)
            planting->has_children[parent] = true;
    }
}

static bool find_archetypes(Planting *planting)
{
    CnWorld *world = planting->world;
    const CnTreeSpawnDesc *desc = planting->desc;
    for (uint32_t i = 0; i < desc->count; i++) {
        const CnTreeSpawn *spawn = &desc->spawns[i];
        uint32_t ids[CN_MAX_VALUES];
        Archetype *archetype =
            cni_archetype_of_values(world, spawn->values, spawn->value_count, ids);
        bool is_linked = spawn->parent != UINT32_MAX || desc->above.id || planting->has_children[i];
        if (archetype && is_linked)
            archetype = cni_archetype_toggle(world, archetype, world->node);
        if (!want_row(planting, archetype))
            return false;
    }
    return true;
}

/* The one above may have to move, too. */
static bool find_above(Planting *planting)
{
    CnWorld *world = planting->world;
    if (!planting->desc->above.id)
        return true;
    const Slot *slot = cni_slot_of(world, planting->desc->above);
    Archetype *from = cni_chunk_archetype(&world->chunks.items[cni_place(slot->location).chunk]);
    return from->has_node || want_row(planting, cni_archetype_toggle(world, from, world->node));
}

static bool reserve(Planting *planting)
{
    CnWorld *world = planting->world;
    if (!world->node)
        world->node = cn_component_ensure(world, &cn_type_CnNode).id;
    if (!world->node || (world->slots.reserved && !cni_commands_settle(world)))
        return false;
    find_parents(planting);
    bool found = find_archetypes(planting) && find_above(planting);
    bool has_room = cni_rows_reserve_wanted(world, planting->archetypes, planting->archetype_count);
    return found && has_room && cni_slots_reserve_numbers(&world->slots, planting->desc->count);
}

/* ---- What cannot ---- */

static void name_entities(const Planting *planting)
{
    Slots *slots = &planting->world->slots;
    for (uint32_t i = 0; i < planting->desc->count; i++) {
        uint32_t index = 0;
        bool acquired = cni_slot_acquire(slots, &index);
        CN_ASSERT(acquired, "a number was reserved");
        (void)acquired;
        planting->entities[i] = cn_entity_make(index, cni_slot(slots, index)->generation);
    }
    if (planting->desc->known)
        planting->desc->known(planting->entities, planting->desc->user);
}

static void write_row(CnWorld *world, const Archetype *archetype, const CnTreeSpawn *spawn,
                      Place place)
{
    const CniChunk *chunk = &world->chunks.items[place.chunk];
    if (archetype->has_node)
        cni_values_write(world, chunk, cni_archetype_column(archetype, world->node), place.row, 1,
                         NULL, 0);
    for (uint32_t i = 0; i < spawn->value_count; i++) {
        const CnValue *value = &spawn->values[i];
        uint32_t id = cni_value_component(world, value->type, value->component);
        const Column *column = cni_archetype_column(archetype, id);
        if (column)
            cni_values_write(world, chunk, column, place.row, 1, value->data, 0);
    }
}

static void make_rows(const Planting *planting)
{
    CnWorld *world = planting->world;
    for (uint32_t i = 0; i < planting->desc->count; i++) {
        CnEntity entity = planting->entities[i];
        Archetype *archetype = planting->archetypes[i];
        Place place = {0, 0};
        bool appended = cni_row_append(world, archetype, entity,
                                       cni_world_slot(world, cn_entity_index(entity)), &place);
        CN_ASSERT(appended, "a row was reserved");
        (void)appended;
        write_row(world, archetype, &planting->desc->spawns[i], place);
    }
    cni_structure_changed(world);
}

static Archetype *link_all(const Planting *planting)
{
    CnWorld *world = planting->world;
    const CnTreeSpawnDesc *desc = planting->desc;
    Archetype *left = NULL;
    if (desc->above.id)
        cni_node_ensure(world, desc->above, &left);
    for (uint32_t i = 0; i < desc->count; i++) {
        uint32_t parent = desc->spawns[i].parent;
        CnEntity above = parent == UINT32_MAX ? desc->above : planting->entities[parent];
        if (above.id)
            cni_node_link_new(world, planting->entities[i], above);
    }
    world->tree_version++;
    return left;
}

static void call_hooks(const Planting *planting, const Archetype *above_left)
{
    CnWorld *world = planting->world;
    const CnTreeSpawnDesc *desc = planting->desc;
    if (above_left) {
        const Slot *slot = cni_slot_of(world, desc->above);
        cni_hooks_added(world, desc->above, above_left,
                        cni_chunk_archetype(&world->chunks.items[cni_place(slot->location).chunk]));
    }
    for (uint32_t i = 0; i < desc->count; i++) {
        const Archetype *archetype = planting->archetypes[i];
        const CnTreeSpawn *spawn = &desc->spawns[i];
        uint32_t ids[CN_MAX_VALUES];
        if (!archetype->hook_flags)
            continue;
        for (uint32_t v = 0; v < spawn->value_count; v++)
            ids[v] = cni_value_component(world, spawn->values[v].type, spawn->values[v].component);
        cni_hooks_spawned(world, planting->entities[i], archetype, spawn->values, ids,
                          spawn->value_count);
    }
    cni_hooks_settle(world);
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
        CnEntity entity = desc->known
                              ? cn_defer_spawn_values(commands, NULL, 0)
                              : cn_defer_spawn_values(commands, spawn->values, spawn->value_count);
        if (!entity.id)
            return false;
        entities[*spawned] = entity;
    }
    if (desc->known)
        desc->known(entities, desc->user);
    for (uint32_t i = 0; i < desc->count; i++) {
        uint32_t parent = desc->spawns[i].parent;
        CnEntity above = parent == UINT32_MAX ? desc->above : entities[parent];
        if ((desc->known && !defer_values(commands, entities[i], &desc->spawns[i])) ||
            (above.id && !cn_defer_set_parent(commands, entities[i], above)))
            return false;
    }
    return true;
}

bool cn_defer_tree(CnCommands *commands, const CnTreeSpawnDesc *desc, CnEntity *entities)
{
    uint32_t spawned = 0;
    if (defer_all(commands, desc, entities, &spawned))
        return true;
    for (uint32_t i = 0; i < spawned; i++)
        cn_defer_destroy(commands, entities[i]);
    return false;
}

bool cn_spawn_tree(CnWorld *world, const CnTreeSpawnDesc *desc, CnEntity *entities)
{
    if (world->hook_depth)
        return cn_defer_tree(world->hook_commands, desc, entities);
    if (desc->above.id && !cn_is_alive(world, desc->above))
        return false;
    if (!desc->count)
        return true;
    Planting planting = {.world = world, .desc = desc, .entities = entities};
    Archetype *few[FEW + 1];
    bool few_have_children[FEW] = {false};
    bool are_few = desc->count <= FEW;
    size_t list_bytes = (desc->count + (size_t)1) * sizeof *few, flag_bytes = desc->count;
    planting.archetypes = are_few ? few : cn_alloc(world->allocator, list_bytes);
    planting.has_children =
        are_few ? few_have_children : cn_alloc_zeroed(world->allocator, flag_bytes);
    bool done = planting.archetypes && planting.has_children && reserve(&planting);
    if (done) {
        name_entities(&planting);
        make_rows(&planting);
        call_hooks(&planting, link_all(&planting));
    }
    if (!are_few) {
        cn_free(world->allocator, planting.archetypes, list_bytes);
        cn_free(world->allocator, planting.has_children, flag_bytes);
    }
    return done;
}

#include "ecs/snapshot/snapshot_format.h"

#include <stdlib.h>

/* ---- Emptying ---- */

static void forget_commands(CnWorld *world)
{
    world->spawning_buffers = 0;
    world->has_commands = false;
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        cni_ecs_batch_reset(&commands->batches[0]);
        cni_ecs_batch_reset(&commands->batches[1]);
        cn_array_clear(&commands->owned);
        cn_array_clear(&commands->pages_taken);
        cn_array_clear(&commands->rest);
        commands->stripes_taken = commands->stripe_left = 0;
        commands->page_next = commands->page_end = 0;
        commands->rank = 0;
        commands->has_spawned = false;
        commands->spawn.count = 0;                        /* the next spawn counts as the first */
        world->has_commands |= commands->destroy_pending; /* the next flush destroys it */
    }
    cni_ecs_components_reclaim(world);
}

static void destroy_archetypes(CnWorld *world)
{
    CniEcsArchetype **archetypes = world->archetypes.items;
    uint32_t count = world->archetypes.count;
    for (uint32_t i = 0; i < count; i++) {
        while (archetypes[i]->head.chunk_count)
            cni_ecs_rows_drop_last_chunk(world, archetypes[i]);
        cni_ecs_rows_drop_spare(world, archetypes[i]);
    }
    /* The lists are cleared at once, so that removed archetypes need not be searched in them. The
     * archetype without components remains; it comes first in queries that match it. */
    for (uint32_t i = 0; i < world->queries.count; i++) {
        CniEcsQueryHead *query = &world->queries.items[i]->head;
        world->queries.items[i]->matches_version++;
        query->match_count =
            query->match_count && query->matches->archetype == &archetypes[0]->head;
    }
    for (uint32_t id = 0; id < world->components.count; id++)
        cn_array_clear(&world->components.items[id].archetypes);
    world->archetypes.count = 0;
    for (uint32_t i = count; i-- > 1;)
        cni_ecs_archetype_destroy(world, archetypes[i]);
    world->archetypes.count = 1;
}

/* Removes all entities and commands; pairs are left without targets. */
static void wipe(CnWorld *world, uint32_t first_generation)
{
    world->loads++;
    forget_commands(world);
    destroy_archetypes(world);
    CniEcsBlockAllocator *blocks = world->slots.blocks;
    cni_ecs_slots_fini(&world->slots);
    world->head.pages = NULL;
    world->head.page_count = 0;
    cni_ecs_slots_init(&world->slots, &world->head, world->allocator, blocks, first_generation);
    cni_ecs_structure_changed(world);
    world->tree_version++;
}

/* ---- Slots ---- */

static bool apply_slots(const CniEcsSavedWorld *saved, CnWorld *world)
{
    CniEcsSlots *slots = &world->slots;
    if (!cn_array_reserve(&slots->free, saved->free_count))
        return false;
    uint32_t slot = 0;
    for (uint32_t page = 0; page < saved->page_count; page++) {
        if (saved->page_order[page] == UINT32_MAX)
            continue;
        if (!cni_ecs_slots_install_page(slots, page))
            return false;
        for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS; i++)
            cni_ecs_slots_at(slots, page * CNI_ECS_PAGE_SLOTS + i)->generation =
                cni_ecs_saved_generation(saved, slot++);
    }
    /* Installing pages has found the holes, but not their order. */
    if (saved->hole_count)
        memcpy(slots->holes.items, saved->holes, saved->hole_count * sizeof(uint32_t));
    for (uint32_t i = saved->free_count; i-- > 0;)
        slots->free.items[slots->free.count++] =
            cn_load_u32(saved->free + (size_t)i * sizeof(uint32_t));
    slots->fresh_next = saved->fresh_next;
    slots->fresh_end = saved->fresh_end;
    slots->alive = saved->alive;
    slots->retired = saved->retired;
    return true;
}

/* Buffers belong to the program. They get their ranks back if they are the same buffers. */
static void apply_ranks(const CniEcsSavedWorld *saved, CnWorld *world)
{
    if (world->commands.count != saved->buffer_count)
        return;
    world->spawning_buffers = saved->spawning_buffers;
    for (uint32_t i = 0; i < saved->buffer_count; i++) {
        CnCommands *commands = world->commands.items[i];
        commands->rank = cn_load_u32(saved->ranks + (size_t)i * sizeof(uint32_t));
        commands->has_spawned = commands->rank != 0;
    }
}

/* ---- Archetypes and rows ---- */

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static CniEcsArchetype *apply_archetype(const CniEcsSavedWorld *saved, CnWorld *world,
                                        const CniEcsSavedArchetype *archetype)
{
    CnU32Array *ids = &world->scratch_ids;
    cn_array_clear(ids);
    if (!cn_array_reserve(ids, (uint64_t)archetype->component_count * 2))
        return NULL;
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        uint32_t entry = cn_load_u32(archetype->components + i * sizeof entry);
        uint32_t id = cni_ecs_saved_id(saved, entry);
        ids->items[ids->count++] = id;
        if (entry >= saved->components.count)
            ids->items[ids->count++] = world->components.items[id].any_tag;
    }
    if (ids->count)
        qsort(ids->items, ids->count, sizeof *ids->items, compare_ids);
    uint32_t count = 0;
    for (uint32_t i = 0; i < ids->count; i++)
        if (!count || ids->items[count - 1] != ids->items[i])
            ids->items[count++] = ids->items[i];
    return cni_ecs_archetype_find_or_create(world, ids->items, count);
}

/* Fills the first `count` rows of a chunk with saved rows from `row` on. */
static void fill_columns(const CniEcsSavedWorld *saved, CnWorld *world,
                         const CniEcsSavedArchetype *archetype, uint32_t row,
                         const CniEcsChunk *chunk, uint32_t count)
{
    const uint8_t *from = archetype->rows + (size_t)archetype->row_count * sizeof(CnEntity);
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        uint32_t entry = cn_load_u32(archetype->components + i * sizeof entry);
        const CniEcsSavedComponent *component = cni_ecs_saved_component(saved, entry);
        const CniEcsColumn *column = cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk),
                                                              cni_ecs_saved_id(saved, entry));
        if (column) {
            cni_ecs_column_changed(world, chunk, column);
            if (!component->is_whole)
                cni_ecs_values_write(world, chunk, column, 0, count, NULL, 0);
        }
        for (uint32_t f = 0; f < component->field_count; f++) {
            const CniEcsSavedField *field = &saved->fields.items[component->first_field + f];
            if (column && field->field) {
                CniEcsFieldColumn to = cni_ecs_field_column(chunk, column, field->field);
                cni_ecs_field_copy(field->type, field->size, to.first, to.step,
                                   from + (size_t)row * field->size, field->size, count);
            }
            from += (size_t)archetype->row_count * field->size;
        }
    }
}

CniEcsChunk *cni_ecs_rows_next_chunk(CnWorld *world, CniEcsArchetype *archetype, uint32_t rows)
{
    for (;;) {
        if (!cni_ecs_rows_extend(world, archetype))
            return NULL;
        CniEcsChunk *chunk = &world->chunks.items[archetype->head.tail];
        if (chunk->capacity >= rows || chunk->capacity == archetype->full_capacity)
            return chunk;
    }
}

static bool apply_rows(const CniEcsSavedWorld *saved, CnWorld *world,
                       const CniEcsSavedArchetype *from, CniEcsArchetype *to)
{
    for (uint32_t row = 0; row < from->row_count;) {
        uint32_t count = from->row_count - row;
        CniEcsChunk *chunk = cni_ecs_rows_next_chunk(world, to, count);
        if (!chunk)
            return false;
        count = count < chunk->capacity ? count : chunk->capacity;
        CnEntity *entities = cni_ecs_chunk_entities(chunk);
        memcpy(entities, from->rows + (size_t)row * sizeof *entities, count * sizeof *entities);
        for (uint32_t i = 0; i < count; i++)
            cni_ecs_slots_at(&world->slots, cn_entity_index(entities[i]))->location =
                cni_ecs_row_ref_pack((CniEcsRowRef){to->head.tail, i});
        fill_columns(saved, world, from, row, chunk, count);
        chunk->count = (uint16_t)count;
        chunk->changed = world->head.tick;
        row += count;
    }
    return true;
}

static bool apply_archetypes(const CniEcsSavedWorld *saved, CnWorld *world)
{
    for (uint32_t i = 0; i < saved->archetypes.count; i++) {
        const CniEcsSavedArchetype *from = &saved->archetypes.items[i];
        CniEcsArchetype *to = apply_archetype(saved, world, from);
        if (!to || !apply_rows(saved, world, from, to))
            return false;
    }
    return true;
}

/* ---- The whole ---- */

bool cni_ecs_saved_apply(const CniEcsSavedWorld *saved, CnWorld *world, const CnBitSet *retained)
{
    wipe(world, saved->first_generation);
    world->head.tick++; /* loaded state is newer than what any system has seen */
    for (uint32_t i = 0; i < saved->components.count; i++)
        if (cn_text_equal(saved->components.items[i].name, cn_text(cn_type_CnNode.name)))
            world->node = saved->components.items[i].id;
    if (apply_slots(saved, world) && cni_ecs_saved_apply_pairs(saved, world, retained) &&
        apply_archetypes(saved, world)) {
        apply_ranks(saved, world);
        return true;
    }
    wipe(world, saved->first_generation);
    cni_ecs_pairs_drop(world, NULL);
    cni_ecs_blocks_trim(&world->blocks);
    cni_ecs_blocks_trim(world->slots.blocks);
    return false;
}

static bool is_in_data(const CniEcsSavedWorld *saved, uint32_t id)
{
    for (uint32_t i = 0; i < saved->resources.count; i++)
        if (cni_ecs_saved_id(saved, saved->resources.items[i].component) == id)
            return true;
    return false;
}

void cni_ecs_saved_apply_resources(CniEcsSavedWorld *saved, CnWorld *world)
{
    /* Components that are not saved belong to the program and remain. */
    CnU32Array *list = &world->resources;
    for (uint32_t i = list->count; i-- > 0;)
        if (cni_ecs_component_is_saved(world, list->items[i]) && !is_in_data(saved, list->items[i]))
            cn_resource_remove_value(world, (CnComponent){list->items[i]});
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (!is_in_data(saved, list->items[i]))
            list->items[count++] = list->items[i];
    list->count = count;
    for (uint32_t i = 0; i < saved->resources.count; i++) {
        CniEcsSavedResource *resource = &saved->resources.items[i];
        const CniEcsSavedComponent *component = cni_ecs_saved_component(saved, resource->component);
        uint32_t id = cni_ecs_saved_id(saved, resource->component);
        CniEcsComponent *target = &world->components.items[id];
        if (!target->resource) {
            target->resource = resource->memory;
            resource->memory = NULL;
        }
        list->items[list->count++] = id;
        uint8_t *to = target->resource;
        if (target->info.default_value)
            memcpy(to, target->info.default_value, target->info.size);
        else
            memset(to, 0, target->info.size ? target->info.size : 1);
        const uint8_t *from = resource->values;
        for (uint32_t f = 0; f < component->field_count; f++) {
            const CniEcsSavedField *field = &saved->fields.items[component->first_field + f];
            if (field->field)
                cni_ecs_field_copy(field->type, field->size, to + field->field->offset, field->size,
                                   from, field->size, 1);
            from += field->size;
        }
    }
}

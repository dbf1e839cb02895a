#include "ecs/schedule/split_system.h"

CnWorld *cn_world_create(const CnWorldDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "ecs", NULL);
    CnWorldDesc options = desc ? *desc : (CnWorldDesc){0};
    CnAllocator *allocator = options.allocator ? options.allocator : cn_system_allocator();
    CnWorld *world = cn_alloc_zeroed(allocator, sizeof *world);
    if (!world) {
        cn_error_memory(error, "a world");
        return NULL;
    }
    world->allocator = allocator;
    world->head.tick = 1;
    cni_ecs_blocks_init(&world->blocks, allocator, (size_t)64 << 10);
    cni_ecs_blocks_init(&world->slot_blocks, allocator, (size_t)64 << 10);
    cni_ecs_blocks_init(&world->core_blocks, allocator, (size_t)8 << 10);
    cni_ecs_edges_forget(world);
    cni_ecs_slots_init(&world->slots, &world->head, allocator, &world->slot_blocks,
                       options.first_generation);
    cn_array_init(&world->components, allocator);
    cn_array_init(&world->free_components, allocator);
    cn_array_init(&world->quarantined_components, allocator);
    cn_array_init(&world->component_by_slot, allocator);
    cn_array_init(&world->component_by_name, allocator);
    cn_names_init(&world->names, allocator);
    cn_bitset_init(&world->pair_targets, allocator);
    cn_hash_map_init_keyed(&world->pairs, allocator, sizeof(uint32_t));
    cn_hash_map_init_keyed(&world->first_pairs, allocator, sizeof(uint32_t));
    cn_array_init(&world->chunks, allocator);
    cn_array_init(&world->free_chunks, allocator);
    cn_array_init(&world->extents, allocator);
    cn_array_init(&world->chunk_extents, allocator);
    cn_array_init(&world->archetypes, allocator);
    cn_array_init(&world->scratch_ids, allocator);
    cn_array_init(&world->queries, allocator);
    cn_array_init(&world->free_queries, allocator);
    cn_array_init(&world->matching, allocator);
    cn_array_init(&world->new_columns, allocator);
    cn_hash_map_init(&world->query_by_hash, allocator, sizeof(CnQuery *));
    cn_array_init(&world->observers, allocator);
    cn_array_init(&world->disabled_sets, allocator);
    cn_array_init(&world->commands, allocator);
    cn_array_init(&world->pending, allocator);
    cn_bitset_init(&world->taken_stripes, allocator);
    cn_array_init(&world->channels, allocator);
    cn_bitset_init(&world->frame_reads, allocator);
    pthread_mutex_init(&world->channel_mutex, NULL);
    cn_array_init(&world->resources, allocator);
    cn_array_init(&world->row_changes, allocator);
    cn_array_init(&world->systems, allocator);
    cn_array_init(&world->producers, allocator);
    for (int stage = 0; stage < CN_STAGE_COUNT; stage++) {
        cn_array_init(&world->sorted[stage], allocator);
        cn_array_init(&world->dispatch_list[stage], allocator);
        cn_array_init(&world->by_wave[stage], allocator);
    }
    world->hook_commands = cn_commands_create(world, error);
    /* Parallel loops outside of systems need it from the first one on, without a heap
     * allocation. */
    bool may_loop = world->hook_commands && cni_ecs_split_of(world->hook_commands, NULL);
    if (!may_loop || !cni_ecs_archetype_find_or_create(world, NULL, 0)) {
        cn_world_destroy(world);
        cn_error_memory(error, "a world");
        return NULL;
    }
    return world;
}

void cn_world_destroy(CnWorld *world)
{
    if (!world)
        return;
    CnAllocator *allocator = world->allocator;
    world->hook_depth = 1; /* changes made by callbacks are recorded and dropped with the rest */
    cni_ecs_systems_fini(world);
    cni_ecs_producers_fini(world);
    cni_ecs_channels_fini(world);
    cni_ecs_observers_fini(world);
    cni_ecs_row_changes_fini(world);
    cni_ecs_queries_fini(world);
    cni_ecs_tree_fini(world);
    cni_ecs_archetypes_fini(world);
    for (uint32_t i = 0; i < world->commands.count; i++)
        cni_ecs_commands_free(world->commands.items[i]);
    cn_array_fini(&world->commands);
    cn_array_fini(&world->pending);
    cn_bitset_fini(&world->taken_stripes);
    for (uint32_t id = world->components.count; id-- > 1;)
        if (world->components.items[id].info.name)
            cni_ecs_component_release(world, id);
    cn_array_fini(&world->components);
    cn_array_fini(&world->free_components);
    cn_array_fini(&world->quarantined_components);
    cn_array_fini(&world->component_by_slot);
    cn_array_fini(&world->component_by_name);
    cn_array_fini(&world->resources);
    cn_bitset_fini(&world->frame_reads);
    cn_names_fini(&world->names);
    cn_bitset_fini(&world->pair_targets);
    cn_hash_map_fini(&world->pairs);
    cn_hash_map_fini(&world->first_pairs);
    cn_array_fini(&world->chunks);
    cn_array_fini(&world->free_chunks);
    cn_array_fini(&world->extents);
    cn_array_fini(&world->chunk_extents);
    cn_array_fini(&world->scratch_ids);
    cni_ecs_slots_fini(&world->slots);
    cni_ecs_blocks_fini(&world->core_blocks);
    cni_ecs_blocks_fini(&world->slot_blocks);
    cni_ecs_blocks_fini(&world->blocks);
    cn_free(allocator, world, sizeof *world);
}

CnAllocator *cn_world_allocator(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->allocator;
}

void cn_world_clear(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->hook_depth && !world->flushing, "a hook cannot clear the world");
    if (world->hook_depth || world->flushing)
        return;
    /* Destroying the target of a pair moves other entities into other archetypes, possibly ones
     * that were already cleared, and removes the pairs. */
    for (uint32_t i = 0; world->slots.alive; i = i + 1 < world->archetypes.count ? i + 1 : 0) {
        const CniEcsArchetype *archetype = world->archetypes.items[i];
        while (i < world->archetypes.count && world->archetypes.items[i] == archetype &&
               archetype->head.chunk_count) {
            const CniEcsChunk *chunk = &world->chunks.items[archetype->head.tail];
            cni_ecs_entity_destroy_now(world, cni_ecs_chunk_entities(chunk)[chunk->count - 1u]);
        }
    }
    cni_ecs_hooks_flush(world);
}

void cn_world_trim(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->hook_depth && !world->flushing, "a hook cannot trim the world");
    if (world->hook_depth || world->flushing)
        return;
    uint32_t trimmed = 0;
    for (uint32_t i = world->archetypes.count; i-- > 1;) {
        CniEcsArchetype *archetype = world->archetypes.items[i];
        if (archetype->head.chunk_count || archetype->is_trimmed)
            continue;
        cni_ecs_archetype_trim(world, archetype);
        trimmed++;
    }
    if (trimmed)
        cni_ecs_structure_changed(
            world); /* no rows moved, but archetypes are removed from queries */
    if (world->has_stale_pairs)
        cni_ecs_pairs_sweep(world);
    cni_ecs_rows_drop_spare(world, world->archetypes.items[0]);
    bool moved = false;
    for (uint32_t i = 0; i < world->archetypes.count; i++)
        moved |= cni_ecs_rows_shrink(world, world->archetypes.items[i]);
    if (moved)
        cni_ecs_structure_changed(world);
    cni_ecs_blocks_trim(&world->blocks);
    cni_ecs_blocks_trim(&world->core_blocks);
}

CnWorldStats cn_world_stats(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnWorldStats stats = {
        .entities = world->slots.alive,
        .retired_slots = world->slots.retired,
        .queries = world->queries.count,
        .skipped_commands = world->skipped_commands,
        .failed_commands = world->failed_commands,
        .oversize_commands = world->oversize_commands,
    };
    for (uint32_t i = 1; i < world->components.count; i++)
        stats.components += world->components.items[i].info.name != NULL;
    for (uint32_t i = 0; i < world->archetypes.count; i++) {
        if (world->archetypes.items[i]->is_trimmed)
            continue;
        stats.archetypes++;
        stats.empty_archetypes += world->archetypes.items[i]->head.chunk_count == 0;
        stats.chunks += world->archetypes.items[i]->head.chunk_count;
    }
    for (uint32_t i = 0; i < world->channels.count; i++)
        stats.dropped_events += world->channels.items[i]->dropped;
    stats.unhandled_errors = __atomic_load_n(&world->unhandled.count, __ATOMIC_RELAXED);
    return stats;
}

CnUnhandledErrors *cn_world_unhandled_errors(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return (CnUnhandledErrors *)(uintptr_t)&world->unhandled;
}

bool cni_ecs_report(const CnWorld *world, CnErrorCode code, const char *format, ...)
{
    CnError error;
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    cn_error_set(&error, code, "%s", message);
    cn_error_report(cn_world_unhandled_errors(world), "ecs", &error);
    return false;
}

uint32_t cn_world_load_count(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->loads;
}

uint64_t cn_world_tick(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->head.tick;
}

uint64_t cn_world_advance_tick(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return ++world->head.tick;
}

/* ---- Resources ---- */

static size_t resource_bytes(const CniEcsComponent *component)
{
    return component->info.size ? component->info.size : 1;
}

void *cn_resource_set_value(CnWorld *world, CnComponent id, const void *value)
{
    CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    CN_ASSERT(component || !id.id, "a resource refers to component %u, which is not registered",
              id.id);
    if (!component)
        return NULL;
    CN_ASSERT(cni_ecs_may_write(world, id.id), "%s", cni_ecs_access_text(world, id.id, "write"));
    if (!component->resource) {
        CN_ASSERT(cni_ecs_running_system_is_exclusive(),
                  "a system that shares its wave creates resource %s", component->info.name);
        if (!cn_array_reserve(&world->resources, (uint64_t)world->resources.count + 1))
            return NULL;
        component->resource = cn_alloc_aligned(world->allocator, resource_bytes(component), 64);
        if (!component->resource)
            return NULL;
        world->resources.items[world->resources.count++] = id.id;
        memset(component->resource, 0, resource_bytes(component));
    }
    if (value && component->info.size)
        memcpy(component->resource, value, component->info.size);
    else if (component->info.default_value)
        memcpy(component->resource, component->info.default_value, component->info.size);
    else
        memset(component->resource, 0, resource_bytes(component));
    return component->resource;
}

const void *cn_resource_get(const CnWorld *world, CnComponent id)
{
    const CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    CN_ASSERT(!component || cni_ecs_may_read(world, id.id), "%s",
              cni_ecs_access_text(world, id.id, "read"));
    return component ? component->resource : NULL;
}

void *cn_resource_get_mut(CnWorld *world, CnComponent id)
{
    const CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    CN_ASSERT(!component || cni_ecs_may_write(world, id.id), "%s",
              cni_ecs_access_text(world, id.id, "write"));
    return component ? component->resource : NULL;
}

bool cn_resource_remove_value(CnWorld *world, CnComponent id)
{
    CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    if (!component || !component->resource)
        return false;
    CN_ASSERT(cni_ecs_may_write(world, id.id), "%s", cni_ecs_access_text(world, id.id, "write"));
    cn_free_aligned(world->allocator, component->resource, resource_bytes(component), 64);
    component->resource = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->resources.count; i++)
        if (world->resources.items[i] != id.id)
            world->resources.items[n++] = world->resources.items[i];
    world->resources.count = n;
    return true;
}

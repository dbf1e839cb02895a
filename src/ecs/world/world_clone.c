/* Copies whole worlds. A failure leaves a world that cn_world_destroy can destroy. */
#include "ecs/command/command_buffer.h"
#include "ecs/schedule/split_system.h"
#include "ecs/schedule/schedule.h"

#include <cairn/ecs/clone.h>

/* ---- Components ---- */

static const char *copy_name(CnWorld *to, const char *name)
{
    CnName interned = cn_name(&to->names, name);
    return interned.id ? cn_name_text(&to->names, interned) : NULL;
}

static bool copy_fields(CnWorld *to, CnComponentInfo *info, const CnComponentInfo *from)
{
    if (!from->field_count)
        return true;
    CnField *fields = cn_alloc(to->allocator, from->field_count * sizeof *fields);
    if (!fields)
        return false;
    info->fields = fields;
    info->field_count = from->field_count;
    for (uint32_t f = 0; f < from->field_count; f++) {
        fields[f] = from->fields[f];
        fields[f].name = copy_name(to, from->fields[f].name);
        if (!fields[f].name)
            return false;
    }
    return true;
}

static bool copy_default(CnWorld *to, CnComponentInfo *info, const CnComponentInfo *from)
{
    if (!from->default_value)
        return true;
    void *value = cn_alloc(to->allocator, from->size);
    if (value)
        memcpy(value, from->default_value, from->size);
    info->default_value = value;
    return value != NULL;
}

static bool enter_name(CnWorld *to, uint32_t id)
{
    CnName name = cn_name_find(&to->names, cn_text(to->components.items[id].info.name));
    CnU32Array *map = &to->component_by_name;
    if (!cn_array_reserve(map, (uint64_t)name.id + 1))
        return false;
    while (map->count <= name.id)
        map->items[map->count++] = 0;
    map->items[name.id] = id;
    return true;
}

static bool copy_added_hooks(CniEcsComponent *component, const CniEcsComponent *from)
{
    for (uint32_t i = 0; i < from->added_hooks.count; i++)
        if (!cni_ecs_is_row_changes_hook(&from->added_hooks.items[i].hooks) &&
            !cn_array_push(&component->added_hooks, from->added_hooks.items[i]))
            return false;
    return true;
}

/* What a pair inherits from its kind, the copy inherits from the kind's clone. */
static bool copy_component(CnWorld *to, const CnWorld *world, uint32_t id)
{
    const CniEcsComponent *from = &world->components.items[id];
    CniEcsComponent *component = &to->components.items[id];
    const char *name = copy_name(to, from->info.name);
    if (!name)
        return false;
    *component = *from;
    cn_array_init(&component->added_hooks, to->allocator);
    cn_array_init(&component->archetypes, to->allocator);
    cn_array_init(&component->queries, to->allocator);
    cn_array_init(&component->named_by, to->allocator);
    cn_bitset_init(&component->pairs, to->allocator);
    component->resource = NULL;
    component->channel = NULL;
    component->info.name = name;
    component->info.fields = NULL;
    component->info.field_count = 0;
    component->info.default_value = NULL;
    if (from->place)
        component->place = copy_name(to, from->place);
    uint32_t kind = from->info.pair_kind.id;
    if (kind) {
        const CnComponentInfo *of_kind = &to->components.items[kind].info;
        component->info.fields = of_kind->fields;
        component->info.field_count = of_kind->field_count;
        component->info.default_value = of_kind->default_value;
    }
    return (!from->place || component->place) && cn_bitset_copy(&component->pairs, &from->pairs) &&
           copy_added_hooks(component, from) &&
           (kind || (copy_fields(to, &component->info, &from->info) &&
                     copy_default(to, &component->info, &from->info) && enter_name(to, id)));
}

static bool copy_pairs(CnWorld *to, const CnWorld *from)
{
    for (uint32_t id = 1; id < from->components.count; id++) {
        const CnComponentInfo *info = &from->components.items[id].info;
        if (!info->name || !info->pair_kind.id)
            continue;
        uint64_t key = cni_ecs_pair_key(info->pair_kind.id, info->pair_target);
        const uint32_t *known = cn_hash_map_get(&from->pairs, key);
        const uint32_t *head = cn_hash_map_get(&from->first_pairs, info->pair_target.id);
        if ((known && !cn_hash_map_set(&to->pairs, key, known)) ||
            (head && !cn_hash_map_set(&to->first_pairs, info->pair_target.id, head)))
            return false;
    }
    to->has_stale_pairs = from->has_stale_pairs;
    return cn_bitset_copy(&to->pair_targets, &from->pair_targets);
}

static bool copy_components(CnWorld *to, const CnWorld *from)
{
    uint32_t count = from->components.count;
    if (!cn_array_reserve(&to->components, (uint64_t)count + 1) ||
        !cn_array_reserve(&to->free_components, to->components.capacity) ||
        !cn_array_reserve(&to->quarantined_components, to->components.capacity))
        return false;
    if (count)
        memset(to->components.items, 0, count * sizeof *to->components.items);
    to->components.count = count;
    for (int pairs = 0; pairs < 2; pairs++)
        for (uint32_t id = 1; id < count; id++) {
            const CnComponentInfo *info = &from->components.items[id].info;
            if (info->name && (info->pair_kind.id != 0) == pairs && !copy_component(to, from, id))
                return false;
        }
    to->node = from->node;
    bool done = cni_ecs_numbers_copy(&to->free_components, &from->free_components) &&
                cni_ecs_numbers_copy(&to->quarantined_components, &from->quarantined_components) &&
                cni_ecs_numbers_copy(&to->component_by_slot, &from->component_by_slot) &&
                copy_pairs(to, from);
    to->head.component_by_slot = to->component_by_slot.items;
    to->head.slot_count = to->component_by_slot.count;
    return done;
}

/* ---- Rows ---- */

/* Copies the ticks of a chunk: the latest of the chunks that its rows came from. */
static void copy_ticks(const CniEcsChunk *to, const CniEcsChunk *from)
{
    const CniEcsArchetype *archetype = cni_ecs_chunk_archetype(to);
    uint64_t *ticks = cni_ecs_chunk_ticks(to);
    const uint64_t *old = cni_ecs_chunk_ticks(from);
    for (uint32_t c = 0; c < archetype->column_count; c++)
        ticks[c] = old[c] > ticks[c] ? old[c] : ticks[c];
}

static bool copy_rows(CnWorld *to, CniEcsArchetype *target, const CnWorld *from,
                      const CniEcsArchetype *source)
{
    uint32_t left = cni_ecs_archetype_rows(from, source);
    for (uint32_t c = 0, row = 0; left;) {
        CniEcsChunk *chunk = cni_ecs_rows_next_chunk(to, target, left);
        if (!chunk)
            return false;
        uint32_t id = target->head.tail;
        while (left && chunk->count < chunk->capacity) {
            const CniEcsChunk *old = &from->chunks.items[source->head.chunk_ids[c]];
            uint32_t room = (uint32_t)chunk->capacity - chunk->count, count = old->count - row;
            count = count < room ? count : room;
            cni_ecs_rows_copy(to, (CniEcsRowRef){id, chunk->count}, old, row, count);
            chunk->count = (uint16_t)(chunk->count + count);
            chunk->changed = old->changed > chunk->changed ? old->changed : chunk->changed;
            copy_ticks(chunk, old);
            left -= count;
            row += count;
            if (row == old->count)
                row = 0, c++;
        }
    }
    return true;
}

static bool copy_archetypes(CnWorld *to, const CnWorld *from)
{
    for (uint32_t i = 0; i < from->archetypes.count; i++) {
        const CniEcsArchetype *source = from->archetypes.items[i];
        CniEcsArchetype *target =
            cni_ecs_archetype_find_or_create(to, source->ids, source->id_count);
        if (!target || !copy_rows(to, target, from, source))
            return false;
    }
    return true;
}

/* ---- Resources and events ---- */

static bool copy_resources(CnWorld *to, const CnWorld *from)
{
    if (!cn_array_reserve(&to->resources, from->resources.count))
        return false;
    for (uint32_t i = 0; i < from->resources.count; i++) {
        uint32_t id = from->resources.items[i];
        const CniEcsComponent *source = &from->components.items[id];
        size_t size = source->info.size ? source->info.size : 1;
        void *value = cn_alloc_aligned(to->allocator, size, 64);
        if (!value)
            return false;
        memcpy(value, source->resource, size);
        to->components.items[id].resource = value;
        to->resources.items[to->resources.count++] = id;
    }
    return true;
}

static bool copy_channels(CnWorld *to, const CnWorld *from)
{
    for (uint32_t i = 0; i < from->channels.count; i++) {
        const CnChannel *source = from->channels.items[i];
        CnChannel *channel = cn_channel_open(
            to, &(CnChannelDesc){.component = source->component, .max_events = source->max_events});
        if (!channel || !cni_ecs_channel_copy(channel, source))
            return false;
    }
    return true;
}

/* ---- Systems and buffers ---- */

static bool copy_system(CnWorld *to, const CniEcsSystem *source, CnError *error)
{
    CnSystemDesc desc = source->desc;
    desc.on_added = desc.on_removed = NULL;
    desc.dispose = NULL;
    desc.disabled = !source->enable_wanted;
    /* Systems given by handle are among the names. */
    memset(desc.before_system, 0, sizeof desc.before_system);
    memset(desc.after_system, 0, sizeof desc.after_system);
    CnSystem id = cn_system_add_query(to, &desc, &desc.query, error);
    CniEcsSystem *system = id.id ? cni_ecs_system_get(to, id.id) : NULL;
    if (!system)
        return false;
    system->id = source->id;
    system->owner = source->owner;
    system->runnable->context.last_run = source->runnable->context.last_run;
    return true;
}

static bool copy_systems(CnWorld *to, const CnWorld *from, CnError *error)
{
    for (uint32_t i = 0; i < from->disabled_sets.count; i++) {
        CnName set = cn_name(&to->names, from->disabled_sets.items[i]);
        if (!set.id || !cn_array_push(&to->disabled_sets, cn_name_text(&to->names, set)))
            return false;
    }
    for (uint32_t i = 0; i < from->systems.count; i++) {
        /* The numbers of removed systems are not reused. */
        to->last_system = from->last_system + i;
        if (!copy_system(to, from->systems.items[i], error))
            return false;
    }
    to->last_system = from->last_system;
    to->owner = from->owner;
    return true;
}

/* Returns the buffer of the clone's system, or a placeholder for a buffer of other code. */
static CnCommands *counterpart(CnWorld *to, const CnWorld *from, const CnCommands *source)
{
    if (source == from->hook_commands)
        return to->hook_commands;
    for (uint32_t i = 0; i < from->systems.count; i++)
        if (from->systems.items[i]->runnable->context.commands == source)
            return to->systems.items[i]->runnable->context.commands;
    return cn_commands_create(to, NULL);
}

/* The indices that a buffer assigns to spawned entities depend on its position and its content. */
static bool copy_buffers(CnWorld *to, const CnWorld *from)
{
    uint32_t count = from->commands.count;
    CnCommands **places = cn_alloc(to->allocator, count * sizeof(CnCommands *));
    bool done = places != NULL;
    for (uint32_t i = 0; i < count && done; i++) {
        const CnCommands *source = from->commands.items[i];
        CnCommands *buffer = counterpart(to, from, source);
        done = buffer && cni_ecs_numbers_copy(&buffer->pages_taken, &source->pages_taken) &&
               cni_ecs_numbers_copy(&buffer->owned, &source->owned);
        places[i] = buffer;
    }
    done = done && to->commands.count == count;
    for (uint32_t i = 0; i < count && done; i++) {
        const CnCommands *source = from->commands.items[i];
        CnCommands *buffer = places[i];
        to->commands.items[i] = buffer;
        buffer->order = i;
        buffer->rank = source->rank;
        buffer->has_spawned = source->has_spawned;
        buffer->stripes_taken = source->stripes_taken;
        buffer->stripe_left = source->stripe_left;
        buffer->stripe_next = source->stripe_next;
        buffer->page_next = source->page_next;
        buffer->page_end = source->page_end;
    }
    cn_free(to->allocator, places, count * sizeof(CnCommands *));
    to->spawning_buffers = from->spawning_buffers;
    return done;
}

/* ---- Worlds ---- */

static bool has_rows(const CniEcsComponent *component)
{
    for (uint32_t i = 0; i < component->archetypes.count; i++)
        if (component->archetypes.items[i].archetype->head.chunk_count)
            return true;
    return false;
}

static bool check(const CnWorld *world, CnError *error)
{
    if (world->hook_depth || world->flushing || world->updating)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "a world cannot be cloned in a hook, a system or a flush");
    for (uint32_t i = 0; i < world->commands.count; i++)
        if (cn_commands_count(world->commands.items[i]) ||
            world->commands.items[i]->destroy_pending)
            return cn_error_set(error, CN_ERROR_PERMISSION,
                                "a world with pending commands cannot be cloned; flush it first");
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CniEcsComponent *component = &world->components.items[id];
        const CnComponentInfo *info = &component->info;
        bool is_opaque = info->name && info->size && !info->field_count;
        if (is_opaque && !(info->flags & (CN_COMPONENT_DERIVED | CN_COMPONENT_COPYABLE)) &&
            (component->resource || has_rows(component)))
            return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                                "the world cannot be cloned: component %s is opaque and does not "
                                "declare that its bytes may be copied (CN_COMPONENT_COPYABLE); "
                                "clone a simulation with cn_sim_clone",
                                info->name);
    }
    return true;
}

static bool copy_world(CnWorld *to, const CnWorld *from, CnError *error)
{
    if (!copy_components(to, from) || !cni_ecs_slots_copy(&to->slots, &from->slots) ||
        !copy_archetypes(to, from) || !cni_ecs_observers_copy(to, from) ||
        !copy_resources(to, from) || !copy_channels(to, from) || !copy_systems(to, from, error) ||
        !copy_buffers(to, from))
        return false;
    to->head.tick = from->head.tick;
    to->head.structure = from->head.structure;
    to->loads = from->loads;
    to->skipped_commands = from->skipped_commands;
    to->failed_commands = from->failed_commands;
    to->oversize_commands = from->oversize_commands;
    to->next_producer = from->next_producer;
    return true;
}

CnWorld *cn_world_clone(const CnWorld *world, CnAllocator *allocator, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (!check(world, error))
        return NULL;
    CnWorld *clone =
        cn_world_create(&(CnWorldDesc){.allocator = allocator ? allocator : world->allocator,
                                       .first_generation = world->slots.first_generation},
                        error);
    if (clone && copy_world(clone, world, error))
        return clone;
    cn_world_destroy(clone);
    if (error->code == CN_OK)
        cn_error_memory(error, "cloning the world");
    return NULL;
}

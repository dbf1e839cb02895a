#include "ecs/command/command_buffer.h"

/* ---- One entity's chain of records ---- */

static const CniEcsComponent *component_of(const CnWorld *world, uint32_t id)
{
    return &world->components.items[id];
}

/* Returns the archetype that the steps lead to from `archetype`; NULL when out of memory. */
static CniEcsArchetype *walk(CnWorld *world, CniEcsArchetype *archetype,
                             const CniEcsCommandRecord *first)
{
    for (const CniEcsCommandRecord *record = first; record; record = record->next) {
        const CniEcsCommandItem *item = cni_ecs_record_items(record);
        for (uint32_t i = 0; i < record->item_count; i++, item = cni_ecs_item_next(item)) {
            if (CN_UNLIKELY(!component_of(world, item->component)->info.name))
                continue; /* a pair whose target has died since */
            bool has = cni_ecs_archetype_has(archetype, item->component);
            if (has != (item->op == CNI_ECS_OP_REMOVE))
                continue;
            archetype = cni_ecs_archetype_toggle(world, archetype, item->component);
            if (!archetype)
                return NULL;
        }
    }
    return archetype;
}

/* Writes the values of the steps into a row of `to`, starting from the values in `from`. */
static void write_values(CnWorld *world, CniEcsArchetype *from, const CniEcsCommandRecord *first,
                         CniEcsChunk *chunk, uint32_t row)
{
    const CniEcsArchetype *to = cni_ecs_chunk_archetype(chunk);
    CniEcsArchetype *at = from;
    for (const CniEcsCommandRecord *record = first; record; record = record->next) {
        const CniEcsCommandItem *item = cni_ecs_record_items(record);
        for (uint32_t i = 0; i < record->item_count; i++, item = cni_ecs_item_next(item)) {
            if (CN_UNLIKELY(!component_of(world, item->component)->info.name))
                continue;
            bool has = cni_ecs_archetype_has(at, item->component);
            const CniEcsColumn *column = cni_ecs_archetype_column(to, item->component);
            if (column && item->op == CNI_ECS_OP_SET) {
                cni_ecs_value_write(chunk, column, row, cni_ecs_item_value(item));
                cni_ecs_column_changed(world, chunk, column);
            } else if (column &&
                       (item->op == CNI_ECS_OP_RESET || (item->op == CNI_ECS_OP_ADD && !has))) {
                cni_ecs_values_write(world, chunk, column, row, 1, NULL, 0);
                cni_ecs_column_changed(world, chunk, column);
            }
            if (has == (item->op == CNI_ECS_OP_REMOVE))
                at = cni_ecs_archetype_toggle(world, at, item->component);
        }
    }
}

static void call_set_hooks(CnWorld *world, CnEntity entity, const CniEcsArchetype *to,
                           const CniEcsCommandRecord *first)
{
    for (const CniEcsCommandRecord *record = first; record; record = record->next) {
        const CniEcsCommandItem *item = cni_ecs_record_items(record);
        for (uint32_t i = 0; i < record->item_count; i++, item = cni_ecs_item_next(item))
            if (item->op == CNI_ECS_OP_SET && cni_ecs_archetype_has(to, item->component))
                cni_ecs_hook_set(world, entity, item->component);
    }
}

static bool apply_steps(CnWorld *world, CniEcsSlot *slot, const CniEcsCommandRecord *record)
{
    CnEntity entity = record->entity;
    CniEcsRowRef place = cni_ecs_row_ref(slot->location);
    CniEcsArchetype *from = cni_ecs_chunk_archetype(&world->chunks.items[place.chunk]);
    CniEcsArchetype *to = walk(world, from, record);
    if (!to)
        return false;
    if (to != from) {
        if (!cni_ecs_rows_reserve_one(world, to))
            return false;
        cni_ecs_hooks_removed(world, entity, from, to);
        cni_ecs_row_move(world, slot, entity, to);
        place = cni_ecs_row_ref(slot->location);
    }
    write_values(world, from, record, &world->chunks.items[place.chunk], place.row);
    if (CN_UNLIKELY(to->hook_flags)) {
        cni_ecs_hooks_added(world, entity, from, to);
        call_set_hooks(world, entity, to, record);
    }
    return true;
}

/* The common case: one step along a plain edge. */
static bool apply_one_step(CnWorld *world, CniEcsSlot *slot, const CniEcsCommandRecord *record)
{
    const CniEcsCommandItem *item = cni_ecs_record_items(record);
    CniEcsChunk *chunk = &world->chunks.items[cni_ecs_row_ref(slot->location).chunk];
    const CniEcsArchetypeEdge *edge =
        cni_ecs_archetype_edge(cni_ecs_chunk_archetype(chunk), item->component);
    CniEcsEdgeKind edge_kind =
        item->op == CNI_ECS_OP_REMOVE ? CNI_ECS_EDGE_REMOVES : CNI_ECS_EDGE_ADDS;
    if (CN_UNLIKELY(!edge || edge->edge_kind != edge_kind))
        return apply_steps(world, slot, record);
    return edge->step(world, slot, record->entity, edge,
                      item->op == CNI_ECS_OP_SET ? cni_ecs_item_value(item) : NULL, chunk);
}

/* Returns the number of commands in a chain of records. */
static uint32_t count_commands(const CniEcsCommandRecord *first)
{
    uint32_t count = 0;
    for (const CniEcsCommandRecord *record = first; record; record = record->next)
        count += record->item_count;
    return count;
}

static void apply_record(CnWorld *world, const CniEcsCommandRecord *record)
{
    CniEcsSlot *slot = cni_ecs_live_slot(world, record->entity);
    if (CN_UNLIKELY(!slot)) {
        world->skipped_commands += count_commands(record);
        return;
    }
    bool done = record->item_count == 1 && !record->next ? apply_one_step(world, slot, record)
                                                         : apply_steps(world, slot, record);
    if (CN_UNLIKELY(!done))
        world->failed_commands += count_commands(record);
}

/* ---- Runs: equal steps on consecutive entities, applied together ---- */

typedef struct Run {
    const CniEcsCommandRecord *first;
    uint32_t count;
    size_t bytes;  /* of all its records */
    size_t stride; /* of one */
} Run;

static const CniEcsCommandRecord *run_record(const Run *run, uint32_t i)
{
    return (const CniEcsCommandRecord *)(const void *)((const uint8_t *)run->first +
                                                       run->stride * i);
}

static void unlink_record(CnWorld *world, const CniEcsCommandRecord *record)
{
    uint32_t index = cn_entity_index(record->entity);
    if (CN_LIKELY(index < world->pending.count && world->pending.items[index] == record))
        world->pending.items[index] = NULL;
}

/* Whether a record contains the same single step as the first record of a run. */
static inline bool is_same_step(const CniEcsCommandRecord *record, const CniEcsCommandRecord *first)
{
    return !record->next &&
           !memcmp(&record->item_bytes, &first->item_bytes,
                   sizeof *record - offsetof(CniEcsCommandRecord, item_bytes)) &&
           !memcmp(cni_ecs_record_items(record), cni_ecs_record_items(first),
                   sizeof(CniEcsCommandItem));
}

/* Finds records with the same single step on entities in consecutive rows of a chunk, as recorded
 * by a system that iterates over a query. The records are not linked. */
static CN_NOINLINE Run find_step_run(CnWorld *world, const CniEcsCommandRecord *first, size_t left,
                                     bool linked)
{
    Run run = {first, 1, 0, sizeof *first + first->item_bytes};
    const CniEcsSlot *slot = cni_ecs_live_slot(world, first->entity);
    uint32_t expected = slot ? slot->location + 1 : 0;
    if (linked)
        unlink_record(world, first);
    for (size_t at = run.stride; slot && at + run.stride <= left; at += run.stride) {
        const CniEcsCommandRecord *record =
            (const CniEcsCommandRecord *)(const void *)((const uint8_t *)first + at);
        if (!is_same_step(record, first))
            break;
        slot = cni_ecs_live_slot(world, record->entity);
        if (!slot || slot->location != expected || !(expected & (CN_CHUNK_MAX_ROWS - 1u)))
            break;
        if (linked)
            unlink_record(world, record);
        expected++;
        run.count++;
    }
    run.bytes = run.stride * run.count;
    return run;
}

static void write_run_values(CnWorld *world, const Run *run, uint32_t moved)
{
    for (uint32_t i = 0; i < moved; i++) {
        const CniEcsCommandRecord *record = run_record(run, i);
        const CniEcsCommandItem *item = cni_ecs_record_items(record);
        CniEcsRowRef place = cni_ecs_row_ref(
            cni_ecs_slots_at(&world->slots, cn_entity_index(record->entity))->location);
        const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
        const CniEcsColumn *column =
            cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), item->component);
        cni_ecs_value_write(chunk, column, place.row, cni_ecs_item_value(item));
        cni_ecs_column_changed(world, chunk, column);
    }
}

/* Moves the entities of a run together. Rows end up in the same positions with and without
 * hooks. */
static uint32_t move_run(CnWorld *world, const Run *run, CniEcsRowRef place, CniEcsArchetype *from,
                         CniEcsArchetype *to)
{
    const CniEcsCommandItem *step = cni_ecs_record_items(run->first);
    bool has_hooks = cni_ecs_move_calls(from, to);
    if (CN_UNLIKELY(has_hooks)) {
        to->wanted_rows = run->count;
        if (!cni_ecs_rows_reserve_wanted(world, &to, 1))
            return 0; /* one by one: hooks are called for actual changes only */
        for (uint32_t i = 0; i < run->count; i++)
            cni_ecs_hooks_removed(world, run_record(run, i)->entity, from, to);
    }
    uint32_t moved = cni_ecs_rows_move_range(world, place, run->count, to);
    if (step->op == CNI_ECS_OP_SET && step->value_bytes)
        write_run_values(world, run, moved);
    for (uint32_t i = 0; i < moved && CN_UNLIKELY(has_hooks); i++) {
        const CniEcsCommandRecord *record = run_record(run, i);
        cni_ecs_hooks_added(world, record->entity, from, to);
        call_set_hooks(world, record->entity, to, record);
    }
    return moved;
}

#define SHORT_RUN 4

static void apply_step_run(CnWorld *world, const Run *run)
{
    uint32_t moved = 0;
    if (run->count > SHORT_RUN) {
        const CniEcsCommandItem *step = cni_ecs_record_items(run->first);
        CniEcsRowRef place = cni_ecs_row_ref(
            cni_ecs_slots_at(&world->slots, cn_entity_index(run->first->entity))->location);
        CniEcsArchetype *from = cni_ecs_chunk_archetype(&world->chunks.items[place.chunk]);
        bool known = component_of(world, step->component)->info.name != NULL;
        bool moves = known && cni_ecs_archetype_has(from, step->component) ==
                                  (step->op == CNI_ECS_OP_REMOVE);
        CniEcsArchetype *to = moves ? cni_ecs_archetype_toggle(world, from, step->component) : NULL;
        if (to)
            moved = move_run(world, run, place, from, to);
    }
    for (uint32_t i = moved; i < run->count; i++)
        apply_record(world, run_record(run, i));
}

/* ---- Spawns ---- */

/* Returns the archetype of spawned entities; NULL when out of memory. */
static CniEcsArchetype *spawn_archetype(CnWorld *world, const CniEcsSpawnRecord *spawns)
{
    CniEcsArchetype *archetype = world->archetypes.items[0];
    for (uint32_t i = 0; i < spawns->head.item_count && archetype; i++) {
        uint32_t id = spawns->items[i].component;
        /* A component without a name is a pair whose target has died since. */
        if (CN_LIKELY(component_of(world, id)->info.name) && !cni_ecs_archetype_has(archetype, id))
            archetype = cni_ecs_archetype_toggle(world, archetype, id);
    }
    return archetype;
}

/* Writes the values of spawned entities into consecutive rows. */
static void write_spawned(CnWorld *world, const CniEcsSpawnRecord *spawns, uint32_t first,
                          uint32_t count, const CniEcsChunk *chunk, uint32_t row)
{
    const CniEcsArchetype *to = cni_ecs_chunk_archetype(chunk);
    const uint8_t *stored = (const uint8_t *)(cni_ecs_spawn_row(spawns, first) + 1);
    for (uint32_t i = 0; i < spawns->head.item_count; i++) {
        const CniEcsCommandItem *item = &spawns->items[i];
        const CniEcsColumn *column = cni_ecs_archetype_column(to, item->component);
        if (column && item->in_arena)
            for (uint32_t n = 0; n < count; n++)
                cni_ecs_value_write(
                    chunk, column, row + n,
                    cni_ecs_stored_value(item, stored + (size_t)n * spawns->row_bytes));
        else if (column)
            cni_ecs_values_write(world, chunk, column, row, count,
                                 item->op == CNI_ECS_OP_SET ? stored : NULL, spawns->row_bytes);
        stored += item->value_bytes;
    }
}

/* Spawns one entity, with the steps recorded on it later. */
static bool apply_spawn(CnWorld *world, const CniEcsSpawnRecord *spawns, uint32_t n,
                        CniEcsArchetype *base, const CniEcsCommandRecord *steps)
{
    CnEntity entity = *cni_ecs_spawn_row(spawns, n);
    CniEcsArchetype *to = base ? walk(world, base, steps) : NULL;
    CniEcsSlot *slot = cni_ecs_slots_at(&world->slots, cn_entity_index(entity));
    CniEcsRowRef place;
    if (!to || !cni_ecs_row_append(world, to, entity, slot, &place)) {
        cni_ecs_slot_cancel_reservation(&world->slots, cn_entity_index(entity));
        return false;
    }
    slot->generation++;
    world->slots.alive++;
    cni_ecs_structure_changed(world);
    CniEcsChunk *chunk = &world->chunks.items[place.chunk];
    write_spawned(world, spawns, n, 1, chunk, place.row);
    write_values(world, base, steps, chunk, place.row);
    if (CN_UNLIKELY(to->hook_flags)) {
        cni_ecs_hooks_added(world, entity, NULL, to);
        for (uint32_t i = 0; i < spawns->head.item_count; i++)
            if (spawns->items[i].op == CNI_ECS_OP_SET &&
                cni_ecs_archetype_has(to, spawns->items[i].component))
                cni_ecs_hook_set(world, entity, spawns->items[i].component);
        call_set_hooks(world, entity, to, steps);
    }
    return true;
}

/* Number of command rows that stay in the L1 cache while their columns are written. */
#define SPAWN_BLOCK 256u

/* Spawns entities that have no hooks and no further steps. Returns how many were spawned before
 * memory ran out. */
static uint32_t apply_spawn_block(CnWorld *world, const CniEcsSpawnRecord *spawns, uint32_t first,
                                  uint32_t count, CniEcsArchetype *to)
{
    if (!to || to->hook_flags || !count || !cni_ecs_rows_reserve_one(world, to))
        return 0;
    uint32_t id = to->head.tail;
    CniEcsChunk *chunk = &world->chunks.items[id];
    uint32_t row = chunk->count, room = (uint32_t)chunk->capacity - row;
    count = count < room ? count : room;
    count = count < SPAWN_BLOCK ? count : SPAWN_BLOCK;
    CnEntity *entities = cni_ecs_chunk_entities(chunk) + row;
    for (uint32_t n = 0; n < count; n++) {
        CnEntity entity = *cni_ecs_spawn_row(spawns, first + n);
        entities[n] = entity;
        *cni_ecs_world_slot(world, cn_entity_index(entity)) = (CniEcsSlot){
            cn_entity_generation(entity), cni_ecs_row_ref_pack((CniEcsRowRef){id, row + n})};
    }
    chunk->count = (uint16_t)(row + count);
    chunk->changed = world->head.tick;
    world->slots.alive += count;
    cni_ecs_structure_changed(world);
    write_spawned(world, spawns, first, count, chunk, row);
    return count;
}

/* Returns the steps recorded on a spawned entity, and opens the ring in which they are linked, of
 * which the last one is known. */
static CniEcsCommandRecord *take_steps(CnWorld *world, const CniEcsSpawnRecord *spawns, uint32_t n)
{
    CniEcsCommandRecord **pending =
        &world->pending.items[cn_entity_index(*cni_ecs_spawn_row(spawns, n))];
    CniEcsCommandRecord *last = *pending, *first = NULL;
    *pending = NULL;
    if (last != &spawns->head) {
        first = last->next;
        last->next = NULL;
    }
    return first;
}

static void apply_spawns(CnWorld *world, const CniEcsSpawnRecord *spawns, bool linked)
{
    CniEcsArchetype *base = spawn_archetype(world, spawns);
    for (uint32_t done = 0; done < spawns->row_count;) {
        const CniEcsCommandRecord *steps = NULL;
        uint32_t end = linked ? done : spawns->row_count;
        while (end < spawns->row_count && !(steps = take_steps(world, spawns, end)))
            end++;
        for (uint32_t block = 1; done < end && block; done += block)
            block = apply_spawn_block(world, spawns, done, end - done, base);
        for (end += steps != NULL; done < end; done++) {
            const CniEcsCommandRecord *own = done + 1 == end ? steps : NULL;
            if (!apply_spawn(world, spawns, done, base, own))
                world->failed_commands += 1 + count_commands(own);
        }
    }
}

/* ---- All records ---- */

/* Applies the record at the start of `left` bytes and those that belong to it. Returns the number
 * of bytes. */
static size_t apply_next(CnWorld *world, const CniEcsCommandRecord *record, size_t left,
                         bool linked)
{
    if (record->flags == CNI_ECS_RECORD_SPAWN) {
        apply_spawns(world, (const CniEcsSpawnRecord *)(const void *)record, linked);
        return sizeof *record + record->item_bytes;
    }
    if (!record->flags && !record->next && record->item_count == 1) {
        Run run = find_step_run(world, record, left, linked);
        apply_step_run(world, &run);
        return run.bytes;
    }
    if (linked)
        unlink_record(world, record);
    if (!(record->flags &
          CNI_ECS_RECORD_CONTINUES)) /* otherwise it was applied with the first of its chain */
        apply_record(world, record);
    return sizeof *record + record->item_bytes;
}

/* ---- All buffers ---- */

static CniEcsCommandBatch *applying(const CnCommands *commands)
{
    return &((CnCommands *)(uintptr_t)commands)->batches[commands->active ^ 1u];
}

/* Links the records of one entity. world->pending refers to the last one, or to the record that
 * spawns the entity. From there a ring leads through the steps, because nothing else refers to the
 * first. If a dead and a live entity have the same index, the records of the live one are linked.
 * Steps recorded in an earlier buffer than the one that spawns the entity are applied before the
 * spawn and find the entity dead. */
static void link_record(CnWorld *world, CniEcsCommandRecord *record)
{
    uint32_t index = cn_entity_index(record->entity);
    if (CN_UNLIKELY(index >= world->pending.count))
        return;
    CniEcsCommandRecord **last = &world->pending.items[index];
    if (CN_UNLIKELY(*last != NULL)) {
        if ((*last)->flags & CNI_ECS_RECORD_SPAWN) {
            if (cni_ecs_slots_at(&world->slots, index)->generation + 1 !=
                cn_entity_generation(record->entity))
                return;
            record->next = record;
            record->flags |= CNI_ECS_RECORD_CONTINUES;
        } else if ((*last)->entity.id == record->entity.id) {
            record->next = (*last)->next;
            (*last)->next = record;
            record->flags |= CNI_ECS_RECORD_CONTINUES;
        } else if (!cni_ecs_live_slot(world, record->entity)) {
            return;
        }
    }
    *last = record;
}

static void link_spawns(CnWorld *world, CniEcsSpawnRecord *spawns)
{
    for (uint32_t i = 0; i < spawns->row_count; i++)
        world->pending.items[cn_entity_index(*cni_ecs_spawn_row(spawns, i))] = &spawns->head;
}

static void link_batch(CnWorld *world, const CniEcsCommandBatch *batch)
{
    for (CniEcsCommandBlock *block = batch->first; block; block = block->next) {
        for (size_t at = 0; at < block->used;) {
            CniEcsCommandRecord *record = (CniEcsCommandRecord *)(void *)(block->bytes + at);
            __builtin_prefetch(block->bytes + at + 1024);
            if (record->flags & CNI_ECS_RECORD_SPAWN)
                link_spawns(world, (CniEcsSpawnRecord *)(void *)record);
            else
                link_record(world, record);
            at += sizeof *record + record->item_bytes;
        }
        if (block == batch->current)
            break;
    }
}

static bool has_steps(const CniEcsCommandBatch *batch)
{
    return batch->count > batch->spawned + batch->destroyed.count + batch->parents.count;
}

/* Whether records of one entity may have to be linked. This is not necessary for spawns alone, nor
 * for the steps of one buffer that refer to each entity once. */
static bool needs_links(const CnWorld *world, uint32_t count)
{
    bool has_spawns = false, has_unordered = false;
    uint32_t with_steps = 0;
    for (uint32_t i = 0; i < count; i++) {
        const CniEcsCommandBatch *batch = applying(world->commands.items[i]);
        bool steps = has_steps(batch);
        with_steps += steps;
        has_unordered |= steps && batch->unordered;
        has_spawns |= batch->spawned > 0;
    }
    return with_steps > 1 || (with_steps && (has_spawns || has_unordered));
}

static void apply_batch(CnWorld *world, const CniEcsCommandBatch *batch, bool linked)
{
    for (CniEcsCommandBlock *block = batch->first; block; block = block->next) {
        for (size_t at = 0; at < block->used;)
            at += apply_next(world, (const CniEcsCommandRecord *)(const void *)(block->bytes + at),
                             block->used - at, linked);
        if (block == batch->current)
            break;
    }
}

static bool reserve_pending(CnWorld *world)
{
    uint32_t needed = world->slots.head->page_count * CNI_ECS_PAGE_SLOTS;
    if (!cn_array_reserve(&world->pending, needed))
        return false;
    if (world->pending.count < needed)
        memset(world->pending.items + world->pending.count, 0,
               (needed - world->pending.count) * sizeof *world->pending.items);
    world->pending.count = world->pending.count < needed ? needed : world->pending.count;
    return true;
}

static void apply_parents(CnWorld *world, const CniEcsCommandBatch *batch)
{
    for (uint32_t i = 0; i < batch->parents.count; i++) {
        CniEcsParentLink link = batch->parents.items[i];
        bool alive =
            cn_is_alive(world, link.child) && (!link.parent.id || cn_is_alive(world, link.parent));
        if (!alive)
            world->skipped_commands++;
        else if (!cn_set_parent(world, link.child, link.parent))
            world->failed_commands++;
    }
}

static void apply_destroys(CnWorld *world, const CniEcsCommandBatch *batch)
{
    for (uint32_t i = 0; i < batch->destroyed.count; i++)
        if (!cni_ecs_entity_destroy_now(world, batch->destroyed.items[i]))
            world->skipped_commands++;
}

bool cni_ecs_commands_prepare(CnWorld *world)
{
    if ((!world->slots.reserved || cni_ecs_commands_resolve_ids(world)) && reserve_pending(world))
        return true;
    CN_LOG_ERROR("ecs", "out of memory: commands remain pending until the next flush");
    return false;
}

bool cni_ecs_commands_apply(CnWorld *world, uint32_t count)
{
    uint64_t failed = world->failed_commands;
    world->flushing = true;
    /* Fetched in each iteration, because hooks may create buffers, which take part in the next
     * round. */
    for (uint32_t i = 0; i < count; i++)
        world->commands.items[i]->active ^= 1u;
    world->hook_removed = false;
    const bool linked = needs_links(world, count);
    for (uint32_t i = 0; i < count && linked; i++)
        link_batch(world, applying(world->commands.items[i]));
    for (uint32_t i = 0; i < count; i++)
        apply_batch(world, applying(world->commands.items[i]), linked);
    for (uint32_t i = 0; i < count; i++)
        apply_parents(world, applying(world->commands.items[i]));
    for (uint32_t i = 0; i < count; i++)
        apply_destroys(world, applying(world->commands.items[i]));
    for (uint32_t i = 0; i < count; i++)
        cni_ecs_batch_reset(applying(world->commands.items[i]));
    world->flushing = false;
    return world->failed_commands == failed;
}

/* Commands that hooks record into any buffer belong to the same flush. */
#define MAX_ROUNDS 1000

bool cn_flush(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->hook_depth && !world->flushing, "a hook cannot flush");
    if (world->hook_depth || world->flushing)
        return false;
    if (!__atomic_load_n(&world->has_commands, __ATOMIC_RELAXED))
        return true;
    if (CN_UNLIKELY(world->has_stale_pairs))
        cni_ecs_pairs_sweep(world);
    bool done = true;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        uint32_t pending = 0;
        cni_ecs_commands_reap(world);
        for (uint32_t i = 0; i < world->commands.count; i++)
            pending += cn_commands_count(world->commands.items[i]);
        if (!pending) {
            for (uint32_t i = world->commands.count; i-- > 0;)
                cni_ecs_commands_return_owned(world->commands.items[i]);
            cni_ecs_components_reclaim(world);
            world->has_commands = false;
            return done;
        }
        if (!cni_ecs_commands_prepare(world))
            return false;
        done &= cni_ecs_commands_apply(world, world->commands.count);
    }
    CN_LOG_ERROR("ecs", "hooks trigger each other endlessly: commands are dropped");
    for (uint32_t i = 0; i < world->commands.count; i++) {
        uint32_t count = cn_commands_count(world->commands.items[i]);
        if (cni_ecs_commands_discard(world->commands.items[i]))
            world->failed_commands += count;
    }
    return false;
}

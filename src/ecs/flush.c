#include "commands.h"

/* ---- One entity's chain of records ---- */

static const Component *component_of(const CnWorld *world, uint32_t id)
{
    return &world->components.items[id];
}

/* Where the steps lead from `archetype`; NULL when out of memory. */
static Archetype *walk(CnWorld *world, Archetype *archetype, const Record *first)
{
    for (const Record *record = first; record; record = record->next) {
        const Item *item = cni_record_items(record);
        for (uint32_t i = 0; i < record->item_count; i++, item = cni_item_next(item)) {
            if (CN_UNLIKELY(!component_of(world, item->component)->info.name))
                continue; /* a pair whose target died meanwhile */
            bool has = cni_archetype_has(archetype, item->component);
            if (has != (item->op == OP_REMOVE))
                continue;
            archetype = cni_archetype_toggle(world, archetype, item->component);
            if (!archetype)
                return NULL;
        }
    }
    return archetype;
}

/* Writes the values of the steps into a row of `to`, starting from what `from` had. */
static void write_values(CnWorld *world, Archetype *from, const Record *first, CniChunk *chunk,
                         uint32_t row)
{
    const Archetype *to = cni_chunk_archetype(chunk);
    Archetype *at = from;
    for (const Record *record = first; record; record = record->next) {
        const Item *item = cni_record_items(record);
        for (uint32_t i = 0; i < record->item_count; i++, item = cni_item_next(item)) {
            if (CN_UNLIKELY(!component_of(world, item->component)->info.name))
                continue;
            bool has = cni_archetype_has(at, item->component);
            const Column *column = cni_archetype_column(to, item->component);
            if (column && item->op == OP_SET) {
                cni_value_write(chunk, column, row, cni_item_value(item));
                cni_chunk_ticks(chunk)[column - to->columns + 1] = world->tick;
            } else if (column && item->op == OP_ADD && !has) {
                cni_values_write(world, chunk, column, row, 1, NULL, 0);
            }
            if (has == (item->op == OP_REMOVE))
                at = cni_archetype_toggle(world, at, item->component);
        }
    }
}

static void call_set_hooks(CnWorld *world, CnEntity entity, const Archetype *to,
                           const Record *first)
{
    for (const Record *record = first; record; record = record->next) {
        const Item *item = cni_record_items(record);
        for (uint32_t i = 0; i < record->item_count; i++, item = cni_item_next(item))
            if (item->op == OP_SET && cni_archetype_has(to, item->component))
                cni_hook_set(world, entity, item->component);
    }
}

static bool apply_spawn(CnWorld *world, const Record *record)
{
    CnEntity entity = record->entity;
    uint32_t index = cn_entity_index(entity);
    Archetype *root = world->archetypes.items[0], *to = walk(world, root, record);
    Slot *slot = cni_slot(&world->slots, index);
    Place place;
    if (!to || !cni_row_append(world, to, entity, slot, &place)) {
        cni_slot_return(&world->slots, index);
        return false;
    }
    slot->generation++;
    world->slots.alive++;
    cni_structure_changed(world);
    write_values(world, root, record, &world->chunks.items[place.chunk], place.row);
    if (CN_UNLIKELY(to->hook_flags)) {
        cni_hooks_added(world, entity, NULL, to);
        call_set_hooks(world, entity, to, record);
    }
    return true;
}

static bool apply_steps(CnWorld *world, Slot *slot, const Record *record)
{
    CnEntity entity = record->entity;
    Place place = cni_place(slot->location);
    Archetype *from = cni_chunk_archetype(&world->chunks.items[place.chunk]);
    Archetype *to = walk(world, from, record);
    if (!to)
        return false;
    if (to != from) {
        if (!cni_rows_make_room(world, to))
            return false;
        cni_hooks_removed(world, entity, from, to);
        cni_row_move(world, slot, entity, to, 0);
        place = cni_place(slot->location);
    }
    write_values(world, from, record, &world->chunks.items[place.chunk], place.row);
    if (CN_UNLIKELY(to->hook_flags)) {
        cni_hooks_added(world, entity, from, to);
        call_set_hooks(world, entity, to, record);
    }
    return true;
}

/* The common case: one step. */
static bool apply_one_step(CnWorld *world, Slot *slot, const Record *record)
{
    const Item *item = cni_record_items(record);
    CniChunk *chunk = &world->chunks.items[cni_place(slot->location).chunk];
    Archetype *from = cni_chunk_archetype(chunk), *to = from;
    if (CN_UNLIKELY(!component_of(world, item->component)->info.name))
        return true;
    bool has = cni_archetype_has(from, item->component);
    if (has == (item->op == OP_REMOVE)) {
        to = cni_archetype_toggle(world, from, item->component);
        if (CN_UNLIKELY(!to))
            return false;
        if (CN_UNLIKELY(from->hook_flags & CNI_HOOK_REMOVE)) {
            if (!cni_rows_make_room(world, to))
                return false;
            cni_hooks_removed(world, record->entity, from, to);
        }
        if (CN_UNLIKELY(!cni_row_move(world, slot, record->entity, to, item->component)))
            return false;
    }
    if (item->op == OP_SET && item->value_bytes) {
        Place place = cni_place(slot->location);
        chunk = &world->chunks.items[place.chunk];
        const Column *column = cni_archetype_column(to, item->component);
        cni_value_write(chunk, column, place.row, cni_item_value(item));
        cni_chunk_ticks(chunk)[column - to->columns + 1] = world->tick;
    }
    if (CN_UNLIKELY(to->hook_flags)) {
        cni_hooks_added(world, record->entity, from, to);
        if (item->op == OP_SET)
            cni_hook_set(world, record->entity, item->component);
    }
    return true;
}

static void apply_record(CnWorld *world, const Record *record)
{
    bool done;
    if (record->flags & RECORD_SPAWN) {
        done = apply_spawn(world, record);
    } else {
        Slot *slot = cni_slot_live(&world->slots, record->entity);
        if (CN_UNLIKELY(!slot)) {
            world->skipped_commands++;
            return;
        }
        done = record->item_count == 1 && !record->next ? apply_one_step(world, slot, record)
                                                        : apply_steps(world, slot, record);
    }
    if (CN_UNLIKELY(!done))
        world->failed_commands++;
}

/* ---- All buffers ---- */

static Batch *applying(const CnCommands *commands)
{
    return &((CnCommands *)(uintptr_t)commands)->batches[commands->active ^ 1u];
}

typedef void (*RecordFn)(CnWorld *world, Record *record);

static inline void for_each_record(CnWorld *world, const Batch *batch, RecordFn visit)
{
    for (CommandBlock *block = batch->first; block; block = block->next) {
        for (size_t at = 0; at < block->used;) {
            Record *record = (Record *)(void *)(block->bytes + at);
            size_t bytes = sizeof *record + record->item_bytes;
            __builtin_prefetch((uint8_t *)record + 512);
            visit(world, record);
            at += bytes;
        }
        if (block == batch->current)
            break;
    }
}

/* Chains the records of one entity together; world->pending knows the last one. A record of a dead
 * entity may share its index with a live one: only equal ids are chained. */
static void link_record(CnWorld *world, Record *record)
{
    uint32_t index = cn_entity_index(record->entity);
    if (CN_UNLIKELY(index >= world->pending.count))
        return;
    Record **last = &world->pending.items[index];
    if (CN_UNLIKELY(*last != NULL)) {
        if ((*last)->entity.id != record->entity.id)
            return;
        (*last)->next = record;
        record->flags |= RECORD_CONTINUES;
    }
    *last = record;
}

/* Applies the whole chain at its first record. */
static void unlink_and_apply(CnWorld *world, Record *record)
{
    uint32_t index = cn_entity_index(record->entity);
    if (CN_LIKELY(index < world->pending.count))
        world->pending.items[index] = NULL;
    if (!(record->flags & RECORD_CONTINUES))
        apply_record(world, record);
}

static bool reserve_pending(CnWorld *world)
{
    uint32_t needed = world->slots.page_count * CNI_PAGE_SLOTS;
    if (!cn_array_reserve(&world->pending, needed))
        return false;
    if (world->pending.count < needed)
        memset(world->pending.items + world->pending.count, 0,
               (needed - world->pending.count) * sizeof *world->pending.items);
    world->pending.count = world->pending.count < needed ? needed : world->pending.count;
    return true;
}

static void apply_parents(CnWorld *world, const Batch *batch)
{
    for (uint32_t i = 0; i < batch->parents.count; i++) {
        ParentLink link = batch->parents.items[i];
        bool alive = cn_is_alive(world, link.child) &&
                     (!link.parent.id || cn_is_alive(world, link.parent));
        if (!alive)
            world->skipped_commands++;
        else if (!cn_set_parent(world, link.child, link.parent))
            world->failed_commands++;
    }
}

bool cni_commands_apply(CnWorld *world, CnCommands *const *buffers, uint32_t count)
{
    if ((world->slots.reserved && !cni_commands_settle(world)) || !reserve_pending(world)) {
        CN_LOG_ERROR("ecs", "out of memory: commands are kept for the next flush");
        return false;
    }
    uint64_t failed = world->failed_commands;
    world->flushing = true;
    for (uint32_t i = 0; i < count; i++)
        buffers[i]->active ^= 1u;
    for (uint32_t i = 0; i < count; i++)
        for_each_record(world, applying(buffers[i]), link_record);
    for (uint32_t i = 0; i < count; i++)
        for_each_record(world, applying(buffers[i]), unlink_and_apply);
    for (uint32_t i = 0; i < count; i++)
        apply_parents(world, applying(buffers[i]));
    for (uint32_t i = 0; i < count; i++) {
        const Batch *batch = applying(buffers[i]);
        for (uint32_t d = 0; d < batch->destroyed.count; d++)
            if (!cni_destroy_now(world, batch->destroyed.items[d]))
                world->skipped_commands++;
    }
    for (uint32_t i = 0; i < count; i++)
        cni_batch_reset(applying(buffers[i]));
    world->flushing = false;
    return world->failed_commands == failed;
}

/* Commands that hooks record into any buffer belong to the same flush. */
#define MAX_ROUNDS 1000

bool cn_flush(CnWorld *world)
{
    CN_ASSERT(!world->hook_depth && !world->flushing, "a hook cannot flush");
    if (world->hook_depth || world->flushing)
        return false;
    if (!__atomic_load_n(&world->has_commands, __ATOMIC_RELAXED))
        return true;
    bool done = true;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        uint32_t pending = 0;
        for (uint32_t i = 0; i < world->commands.count; i++)
            pending += cn_commands_count(world->commands.items[i]);
        if (!pending) {
            for (uint32_t i = world->commands.count; i-- > 0;)
                cni_commands_return_owned(world->commands.items[i]);
            world->has_commands = false;
            return done;
        }
        bool settled = !world->slots.reserved || cni_commands_settle(world);
        done &= settled && cni_commands_apply(world, world->commands.items, world->commands.count);
        if (!settled)
            return false;
    }
    CN_LOG_ERROR("ecs", "hooks cause each other without end: commands dropped");
    for (uint32_t i = 0; i < world->commands.count; i++) {
        world->failed_commands += cn_commands_count(world->commands.items[i]);
        cni_commands_discard(world->commands.items[i]);
    }
    return false;
}

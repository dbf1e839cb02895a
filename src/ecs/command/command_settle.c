/* Steps between recording and flushing: final ids of spawned entities, the order of buffers, and
 * discarding. */
#include "ecs/command/command_buffer.h"

#include "ecs/schedule/split_system.h"

/* Performs everything that may fail, so that a failure changes nothing. */
static bool reserve_resolved_ids(CnWorld *world, CnBitSet *stripes)
{
    uint32_t pages = 0, last = 0;
    cn_bitset_clear_all(stripes);
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        uint32_t left = commands->stripe_left + (commands->page_end - commands->page_next) +
                        commands->rest.count;
        if (!cn_array_reserve(&commands->owned, (uint64_t)commands->owned.count + left))
            return false;
        for (uint32_t s = 0; s < commands->stripes_taken; s++)
            if (!cn_bitset_set(stripes, s * world->spawning_buffers + commands->rank - 1))
                return false;
    }
    for (uint32_t i = 0; i < world->commands.count; i++) {
        const CnCommands *commands = world->commands.items[i];
        pages += commands->pages_taken.count;
        for (uint32_t p = 0; p < commands->pages_taken.count; p++)
            last = last > commands->pages_taken.items[p] ? last : commands->pages_taken.items[p];
    }
    return !pages || cni_ecs_slots_reserve(&world->slots, pages, last);
}

static void own_rest(CnCommands *commands)
{
    const CniEcsSlots *slots = &commands->world->slots;
    while (commands->page_end > commands->page_next)
        commands->owned.items[commands->owned.count++] = --commands->page_end;
    /* The next index comes last, which preserves the order in which indices are assigned. */
    for (uint32_t i = commands->stripe_left; i > 0; i--)
        commands->owned.items[commands->owned.count++] =
            slots->free.items[commands->stripe_next - i];
    for (uint32_t i = 0; i < commands->rest.count; i++)
        commands->owned.items[commands->owned.count++] = commands->rest.items[i];
    cn_array_clear(&commands->rest);
}

/* Closes the gaps that taken stripes leave on the free stack. */
static void compact_free(CniEcsSlots *slots, const CnBitSet *stripes)
{
    uint32_t *items = slots->free.items, total = slots->striped / CNI_ECS_STRIPE;
    uint32_t to = slots->striped - total * CNI_ECS_STRIPE;
    for (uint32_t stripe = total; stripe-- > 0;) {
        if (cn_bitset_has(stripes, stripe))
            continue;
        memmove(&items[to], &items[slots->striped - (stripe + 1) * CNI_ECS_STRIPE],
                CNI_ECS_STRIPE * sizeof *items);
        to += CNI_ECS_STRIPE;
    }
    uint32_t above = slots->free.count - slots->striped;
    memmove(&items[to], &items[slots->striped], above * sizeof *items);
    slots->free.count = to + above;
}

bool cni_ecs_commands_resolve_ids(CnWorld *world)
{
    if (!reserve_resolved_ids(world, &world->taken_stripes))
        return false;
    bool taken = false;
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        for (uint32_t p = 0; p < commands->pages_taken.count; p++)
            cni_ecs_slots_install_page(&world->slots, commands->pages_taken.items[p]);
        taken |= commands->stripes_taken > 0;
        own_rest(commands);
    }
    if (taken)
        compact_free(&world->slots, &world->taken_stripes);
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        commands->stripes_taken = commands->stripe_left = 0;
        commands->page_next = commands->page_end = 0;
        cn_array_clear(&commands->pages_taken);
        if (commands->has_spawned && !commands->rank)
            commands->rank = ++world->spawning_buffers;
    }
    world->slots.reserved = false;
    return true;
}

bool cni_ecs_commands_reorder(CnWorld *world, CnCommands *const *wanted, uint32_t count)
{
    /* The indices that buffers take depend on the order of the buffers. */
    if (world->slots.reserved && !cni_ecs_commands_resolve_ids(world))
        return false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++)
        wanted[i]->arranged = true;
    for (uint32_t i = 0; i < world->commands.count && next < count; i++)
        if (world->commands.items[i]->arranged)
            world->commands.items[i] = wanted[next++];
    for (uint32_t i = 0; i < world->commands.count; i++) {
        world->commands.items[i]->order = i;
        world->commands.items[i]->arranged = false;
    }
    return true;
}

void cni_ecs_commands_return_owned(CnCommands *commands)
{
    for (uint32_t i = 0; i < commands->owned.count; i++)
        cni_ecs_slot_return(&commands->world->slots, commands->owned.items[i]);
    cn_array_clear(&commands->owned);
}

static void cancel_reservations(CniEcsSlots *slots, const CniEcsSpawnRecord *spawns)
{
    for (uint32_t i = 0; i < spawns->row_count; i++)
        cni_ecs_slot_cancel_reservation(slots, cn_entity_index(*cni_ecs_spawn_row(spawns, i)));
}

bool cni_ecs_commands_discard(CnCommands *commands)
{
    CnWorld *world = commands->world;
    if (world->slots.reserved && !cni_ecs_commands_resolve_ids(world))
        return false;
    CniEcsCommandBatch *batch = &commands->batches[commands->active];
    for (CniEcsCommandBlock *block = batch->first; block && batch->spawned; block = block->next) {
        for (size_t at = 0; at < block->used;) {
            const CniEcsCommandRecord *record =
                (const CniEcsCommandRecord *)(const void *)(block->bytes + at);
            if (record->flags & CNI_ECS_RECORD_SPAWN)
                cancel_reservations(&world->slots, (const CniEcsSpawnRecord *)(const void *)record);
            at += sizeof *record + record->item_bytes;
        }
        if (block == batch->current)
            break;
    }
    cni_ecs_commands_return_owned(commands);
    cni_ecs_batch_reset(batch);
    return true;
}

void cni_ecs_commands_forget_types(CnWorld *world)
{
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        commands->spawn.count = 0;
        for (uint32_t s = 0; commands->split && s < commands->split->shares.count; s++)
            if (commands->split->shares.items[s] && commands->split->shares.items[s]->commands)
                commands->split->shares.items[s]->commands->spawn.count = 0;
    }
}

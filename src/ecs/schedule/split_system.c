/* Recording by the lanes of a split system: each share of the rows has its own buffers, which are
 * merged in the order of the shares. */
#include "ecs/schedule/split_system.h"

#include "ecs/command/command_buffer.h"
#include "ecs/schedule/schedule.h"

/* The share that this thread works on, or NULL. */
static _Thread_local CniEcsLane *current;

CniEcsLane *cni_ecs_lane_set(CniEcsLane *lane)
{
    CniEcsLane *before = current;
    current = lane;
    return before;
}

bool cni_ecs_lane_records(void)
{
    return current && current->split;
}

/* Hints to the CPU that this is a spin loop. */
static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void cni_ecs_spin_lock(uint32_t *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(lock, __ATOMIC_RELAXED))
            relax();
}

void cni_ecs_spin_unlock(uint32_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

bool cni_ecs_in_lane(void)
{
    return current != NULL;
}

/* ---- Coming and going ---- */

CniEcsSplit *cni_ecs_split_of(CnCommands *own, const CniEcsSystem *system)
{
    CnWorld *world = own->world;
    if (!own->split) {
        CniEcsSplit *split = cn_alloc_zeroed(world->allocator, sizeof *split);
        if (!split)
            return NULL;
        split->world = world;
        split->own = own;
        cn_array_init(&split->shares, world->allocator);
        own->split = split;
    }
    own->split->system = system;
    return own->split;
}

static void share_free(CnWorld *world, CniEcsSplitShare *share)
{
    if (!share)
        return;
    for (uint32_t i = 0; i < share->channels.count; i++)
        cni_ecs_channel_free(world, share->channels.items[i]);
    cn_array_fini(&share->channels);
    if (share->commands)
        cni_ecs_commands_free(share->commands);
    cn_free(world->allocator, share, sizeof *share);
}

void cni_ecs_split_destroy(CniEcsSplit *split)
{
    if (!split)
        return;
    for (uint32_t i = 0; i < split->shares.count; i++)
        share_free(split->world, split->shares.items[i]);
    cn_array_fini(&split->shares);
    cn_free(split->world->allocator, split, sizeof *split);
}

/* Returns the share of this thread; NULL when out of memory. */
static CniEcsSplitShare *share_here(CniEcsLane *lane)
{
    CniEcsSplit *split = lane->split;
    if (CN_LIKELY(lane->share != NULL))
        return lane->share;
    cni_ecs_spin_lock(&split->lock);
    bool room = cn_array_reserve(&split->shares, (uint64_t)lane->number + 1);
    while (room && split->shares.count <= lane->number)
        split->shares.items[split->shares.count++] = NULL;
    CniEcsSplitShare *share = room ? split->shares.items[lane->number] : NULL;
    if (room && !share) {
        share = cn_alloc_zeroed(split->world->allocator, sizeof *share);
        split->shares.items[lane->number] = share;
        if (share)
            cn_array_init(&share->channels, split->world->allocator);
    }
    cni_ecs_spin_unlock(&split->lock);
    lane->share = share;
    return share;
}

/* ---- Recording ---- */

/* Initializes the indices of spawned entities and the shares of a buffer for a loop. */
static void split_open(CniEcsSplit *split, uint32_t share_count)
{
    split->is_open = true;
    split->share_count = share_count;
    split->units = 0;
    split->first_stripe = split->own->stripes_taken;
    split->first_page = split->own->pages_taken.count;
}

/* A loop outside of systems may record into any buffer, so a buffer is opened when the loop first
 * records into it. */
static CniEcsSplit *open_split_of(const CniEcsLane *lane, CnCommands *own)
{
    CniEcsSplit *loop = lane->split;
    if (own == loop->own)
        return loop;
    cni_ecs_spin_lock(&loop->lock);
    CniEcsSplit *split = cni_ecs_split_of(own, own->split ? own->split->system : NULL);
    if (split && !split->is_open)
        split_open(split, loop->share_count);
    cni_ecs_spin_unlock(&loop->lock);
    return split;
}

static CnCommands *commands_of_share(CniEcsLane *lane)
{
    CniEcsSplitShare *share = share_here(lane);
    if (share && !share->commands)
        share->commands = cni_ecs_share_commands_create(lane->split, lane->number);
    return share ? share->commands : NULL;
}

static CnCommands *free_share_commands(CniEcsLane *lane, CnCommands *own)
{
    if (CN_LIKELY(lane->last_own == own))
        return lane->last;
    CniEcsLane there = {.split = open_split_of(lane, own), .number = lane->number};
    CnCommands *commands = there.split ? commands_of_share(&there) : NULL;
    lane->last_own = commands ? own : NULL;
    lane->last = commands;
    return commands;
}

CnCommands *cni_ecs_share_commands(CnCommands *own)
{
    CniEcsLane *lane = current;
    if (!lane) /* a thread that does not belong to the loop */
        return own;
    if (lane->split && !lane->split->system)
        return free_share_commands(lane, own);
    bool may = lane->split && lane->split->own == own;
    CN_ASSERT(may, "%s",
              lane->split
                  ? "a parallel loop of a system records into a buffer that is not the system's"
                  : "a loop inside a parallel loop records commands");
    if (!may) {
        cni_ecs_report(own->world, CN_ERROR_PERMISSION,
                       lane->split
                           ? "a parallel loop of a system records into a buffer that is not the "
                             "system's: the command is dropped"
                           : "a loop inside a parallel loop records commands: they are dropped");
        return NULL;
    }
    return commands_of_share(lane);
}

static CnChannel *side_channel(CniEcsSplitShare *share, const CnChannel *channel)
{
    for (uint32_t i = 0; i < share->channels.count; i++)
        if (share->channels.items[i]->component.id == channel->component.id)
            return share->channels.items[i];
    CnAllocator *allocator = channel->world->allocator;
    CnChannel *side = cn_alloc_zeroed(allocator, sizeof *side);
    if (!side)
        return NULL;
    side->row_bytes = channel->row_bytes;
    side->component = channel->component;
    side->world = channel->world;
    if (!cn_array_push(&share->channels, side)) {
        cn_free(allocator, side, sizeof *side);
        return NULL;
    }
    return side;
}

CnChannel *cni_ecs_share_channel(const CnChannel *channel)
{
    CN_ASSERT(cni_ecs_lane_records(), "a loop inside a parallel loop sends events");
    if (!cni_ecs_lane_records()) {
        cni_ecs_report(channel->world, CN_ERROR_PERMISSION,
                       "a loop inside a parallel loop sends events: they are dropped");
        return NULL;
    }
    CniEcsSplitShare *share = share_here(current);
    CnChannel *side = share ? side_channel(share, channel) : NULL;
    if (side && !side->count)
        cni_ecs_channel_set_limit(side, channel->max_events);
    return side;
}

/* ---- Numbers for spawned entities ---- */

uint32_t cni_ecs_split_stack_units(const CniEcsSplit *split)
{
    const CnCommands *own = split->own;
    const CnWorld *world = split->world;
    uint32_t stripes = __atomic_load_n(&world->slots.striped, __ATOMIC_RELAXED) / CNI_ECS_STRIPE;
    uint32_t before = own->rank - 1;
    if (!own->rank || stripes <= before)
        return 0;
    uint32_t all = (stripes - before + world->spawning_buffers - 1) / world->spawning_buffers;
    return all > split->first_stripe ? all - split->first_stripe : 0;
}

bool cni_ecs_split_unit_location(const CniEcsSplit *split, uint32_t unit, CniEcsUnitLocation *place)
{
    const CnWorld *world = split->world;
    const CnCommands *own = split->own;
    uint32_t on_stack = cni_ecs_split_stack_units(split);
    *place = (CniEcsUnitLocation){.on_stack = unit < on_stack};
    if (place->on_stack) {
        uint32_t stripe = (split->first_stripe + unit) * world->spawning_buffers + own->rank - 1;
        place->top =
            __atomic_load_n(&world->slots.striped, __ATOMIC_RELAXED) - stripe * CNI_ECS_STRIPE;
        return true;
    }
    uint32_t piece = unit - on_stack, pieces = CNI_ECS_PAGE_SLOTS / CNI_ECS_STRIPE;
    uint32_t nth = (split->first_page + piece / pieces) * world->commands.count + own->order;
    place->page = cni_ecs_slots_nth_page(&world->slots, nth);
    place->first = place->page * CNI_ECS_PAGE_SLOTS + piece % pieces * CNI_ECS_STRIPE;
    return place->page < CN_MAX_ENTITIES / CNI_ECS_PAGE_SLOTS;
}

/* Returns how many indices of a unit its share has used. */
static uint32_t used_of_unit(const CniEcsSplit *split, uint32_t unit)
{
    uint32_t number = unit % split->share_count, nth = unit / split->share_count;
    const CniEcsSplitShare *share =
        number < split->shares.count ? split->shares.items[number] : NULL;
    const CnCommands *commands = share ? share->commands : NULL;
    if (!commands || nth >= commands->units_taken)
        return 0;
    return nth + 1 < commands->units_taken ? CNI_ECS_STRIPE
                                           : CNI_ECS_STRIPE - commands->stripe_left -
                                                 (commands->page_end - commands->page_next);
}

/* The system's buffer takes all units up to the highest one used, including the following ones in
 * the same page, and keeps the unused indices. Room was reserved with each unit. */
static void take_over_units(CniEcsSplit *split)
{
    CnCommands *own = split->own;
    const CniEcsSlots *slots = &split->world->slots;
    if (!split->units)
        return;
    uint32_t on_stack = cni_ecs_split_stack_units(split), last_page = CNI_ECS_ABSENT,
             end = split->units;
    if (end > on_stack) {
        const uint32_t pieces = CNI_ECS_PAGE_SLOTS / CNI_ECS_STRIPE;
        end = on_stack + (end - on_stack + pieces - 1) / pieces * pieces;
    }
    for (uint32_t unit = end; unit-- > 0;) {
        CniEcsUnitLocation place;
        cni_ecs_split_unit_location(split, unit, &place);
        for (uint32_t i = CNI_ECS_STRIPE; i-- > used_of_unit(split, unit);)
            own->rest.items[own->rest.count++] =
                place.on_stack ? slots->free.items[place.top - 1 - i] : place.first + i;
        if (!place.on_stack && place.page != last_page)
            own->pages_taken.items[own->pages_taken.count++] = last_page = place.page;
    }
    own->stripes_taken += split->units < on_stack ? split->units : on_stack;
    own->has_spawned = true;
}

/* ---- A run ---- */

/* Redirects events sent to a channel to the shares, or back to the channel. */
static void redirect_channel(CnWorld *world, uint32_t component, bool on)
{
    CnChannel *channel = world->components.items[component].channel;
    if (!channel)
        return;
    channel->redirected = on;
    cni_ecs_channel_set_limit(channel, channel->max_events);
}

/* Redirects the channels that the loop may send to; no other code sends to them meanwhile. */
static void redirect_channels(const CniEcsSplit *split, bool on)
{
    CnWorld *world = split->world;
    const CniEcsSystem *system = split->system;
    bool all = !system || system->alone;
    for (uint32_t i = 0; i < world->channels.count && all; i++)
        redirect_channel(world, world->channels.items[i]->component.id, on);
    if (all)
        return;
    for (uint32_t id = cn_bitset_next(&system->writes, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(&system->writes, id + 1))
        redirect_channel(world, id, on);
}

static void divert_buffer(CnCommands *commands, bool on)
{
    __atomic_fetch_add(&commands->is_split, on ? 1u : UINT32_MAX, __ATOMIC_RELAXED);
}

static void divert_buffers(const CniEcsSplit *split, bool on)
{
    CnWorld *world = split->world;
    if (split->system)
        divert_buffer(split->own, on);
    for (uint32_t i = 0; i < world->commands.count && (!split->system || world->loose_buffers); i++)
        if (!split->system || world->commands.items[i]->is_loose)
            divert_buffer(world->commands.items[i], on);
}

void cni_ecs_split_begin(CniEcsSplit *split, uint32_t share_count)
{
    split_open(split, share_count);
    divert_buffers(split, true);
    redirect_channels(split, true);
}

/* Appends the commands and events of the shares. */
static void split_close(CniEcsSplit *split)
{
    take_over_units(split);
    for (uint32_t i = 0; i < split->shares.count && i < split->share_count; i++) {
        CniEcsSplitShare *share = split->shares.items[i];
        for (uint32_t c = 0; share && c < share->channels.count; c++)
            cni_ecs_channel_append_share(share->channels.items[c]);
        if (share && share->commands)
            cni_ecs_commands_append_share(split->own, share->commands);
    }
    split->is_open = false;
}

void cni_ecs_split_end(CniEcsSplit *split)
{
    const CnWorld *world = split->world;
    divert_buffers(split, false);
    redirect_channels(split, false);
    split_close(split);
    for (uint32_t i = 0; i < world->commands.count && !split->system; i++) {
        CniEcsSplit *other = world->commands.items[i]->split;
        if (other && other->is_open)
            split_close(other);
    }
}

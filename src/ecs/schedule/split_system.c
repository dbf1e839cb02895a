/* Recording by the lanes of a split system: buffers for shares of its rows, merged in their order. */
#include "ecs/schedule/split_system.h"

#include "ecs/command/command_buffer.h"
#include "ecs/schedule/schedule.h"

/* The share that this thread works on; NULL: none. */
static _Thread_local Lane *current;

Lane *cni_lane_set(Lane *lane)
{
    Lane *before = current;
    current = lane;
    return before;
}

bool cni_lane_records(void)
{
    return current && current->split;
}

/* Tells the core that this loop waits for another thread. */
static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void cni_lock(uint32_t *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(lock, __ATOMIC_RELAXED))
            relax();
}

void cni_unlock(uint32_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

bool cni_in_lane(void)
{
    return current != NULL;
}

/* ---- Coming and going ---- */

Split *cni_split_of(CnCommands *own, const System *system)
{
    CnWorld *world = own->world;
    if (!own->split) {
        Split *split = cn_alloc_zeroed(world->allocator, sizeof *split);
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

static void share_free(CnWorld *world, Share *share)
{
    if (!share)
        return;
    for (uint32_t i = 0; i < share->channels.count; i++)
        cni_channel_free(world, share->channels.items[i]);
    cn_array_fini(&share->channels);
    if (share->commands)
        cni_commands_free(share->commands);
    cn_free(world->allocator, share, sizeof *share);
}

void cni_split_destroy(Split *split)
{
    if (!split)
        return;
    for (uint32_t i = 0; i < split->shares.count; i++)
        share_free(split->world, split->shares.items[i]);
    cn_array_fini(&split->shares);
    cn_free(split->world->allocator, split, sizeof *split);
}

/* The share of this thread; NULL when out of memory. */
static Share *share_here(Lane *lane)
{
    Split *split = lane->split;
    if (CN_LIKELY(lane->share != NULL))
        return lane->share;
    cni_lock(&split->lock);
    bool room = cn_array_reserve(&split->shares, (uint64_t)lane->number + 1);
    while (room && split->shares.count <= lane->number)
        split->shares.items[split->shares.count++] = NULL;
    Share *share = room ? split->shares.items[lane->number] : NULL;
    if (room && !share) {
        share = cn_alloc_zeroed(split->world->allocator, sizeof *share);
        split->shares.items[lane->number] = share;
        if (share)
            cn_array_init(&share->channels, split->world->allocator);
    }
    cni_unlock(&split->lock);
    lane->share = share;
    return share;
}

/* ---- Recording ---- */

/* Numbers of spawned entities and shares of a buffer, for the loop that begins. */
static void split_open(Split *split, uint32_t share_count)
{
    split->is_open = true;
    split->share_count = share_count;
    split->units = 0;
    split->first_stripe = split->own->stripes_taken;
    split->first_page = split->own->pages_taken.count;
}

/* A loop outside of systems may record into any buffer: which ones, it shows by doing so. */
static Split *open_split_of(const Lane *lane, CnCommands *own)
{
    Split *loop = lane->split;
    if (own == loop->own)
        return loop;
    cni_lock(&loop->lock);
    Split *split = cni_split_of(own, own->split ? own->split->system : NULL);
    if (split && !split->is_open)
        split_open(split, loop->share_count);
    cni_unlock(&loop->lock);
    return split;
}

static CnCommands *commands_of_share(Lane *lane)
{
    Share *share = share_here(lane);
    if (share && !share->commands)
        share->commands = cni_share_commands_create(lane->split, lane->number);
    return share ? share->commands : NULL;
}

static CnCommands *free_share_commands(Lane *lane, CnCommands *own)
{
    if (CN_LIKELY(lane->last_own == own))
        return lane->last;
    Lane there = {.split = open_split_of(lane, own), .number = lane->number};
    CnCommands *commands = there.split ? commands_of_share(&there) : NULL;
    lane->last_own = commands ? own : NULL;
    lane->last = commands;
    return commands;
}

CnCommands *cni_share_commands(CnCommands *own)
{
    Lane *lane = current;
    if (!lane) /* a thread of its own, beside the loop */
        return own;
    if (lane->split && !lane->split->system)
        return free_share_commands(lane, own);
    bool may = lane->split && lane->split->own == own;
    CN_ASSERT(may, "%s",
              lane->split
                  ? "a parallel loop of a system records into a buffer that is not the system's"
                  : "a loop inside of a parallel loop records commands");
    if (!may) {
        cni_report(own->world, CN_ERROR_PERMISSION,
                   lane->split
                       ? "a parallel loop of a system records into a buffer that is not the "
                         "system's: the command is dropped"
                       : "a loop inside of a parallel loop records commands: they are dropped");
        return NULL;
    }
    return commands_of_share(lane);
}

static CnChannel *side_channel(Share *share, const CnChannel *channel)
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

CnChannel *cni_share_channel(const CnChannel *channel)
{
    CN_ASSERT(cni_lane_records(), "a loop inside of a parallel loop sends events");
    if (!cni_lane_records()) {
        cni_report(channel->world, CN_ERROR_PERMISSION,
                   "a loop inside of a parallel loop sends events: they are dropped");
        return NULL;
    }
    Share *share = share_here(current);
    CnChannel *side = share ? side_channel(share, channel) : NULL;
    if (side && !side->count)
        cni_channel_set_limit(side, channel->max_events);
    return side;
}

/* ---- Numbers for spawned entities ---- */

uint32_t cni_split_stack_units(const Split *split)
{
    const CnCommands *own = split->own;
    const CnWorld *world = split->world;
    uint32_t stripes = __atomic_load_n(&world->slots.striped, __ATOMIC_RELAXED) / CNI_STRIPE;
    uint32_t before = own->rank - 1;
    if (!own->rank || stripes <= before)
        return 0;
    uint32_t all = (stripes - before + world->spawning_buffers - 1) / world->spawning_buffers;
    return all > split->first_stripe ? all - split->first_stripe : 0;
}

bool cni_split_unit_place(const Split *split, uint32_t unit, UnitPlace *place)
{
    const CnWorld *world = split->world;
    const CnCommands *own = split->own;
    uint32_t on_stack = cni_split_stack_units(split);
    *place = (UnitPlace){.on_stack = unit < on_stack};
    if (place->on_stack) {
        uint32_t stripe = (split->first_stripe + unit) * world->spawning_buffers + own->rank - 1;
        place->top = __atomic_load_n(&world->slots.striped, __ATOMIC_RELAXED) - stripe * CNI_STRIPE;
        return true;
    }
    uint32_t piece = unit - on_stack, pieces = CNI_PAGE_SLOTS / CNI_STRIPE;
    uint32_t nth = (split->first_page + piece / pieces) * world->commands.count + own->order;
    place->page = cni_slots_nth_page(&world->slots, nth);
    place->first = place->page * CNI_PAGE_SLOTS + piece % pieces * CNI_STRIPE;
    return place->page < CN_MAX_ENTITIES / CNI_PAGE_SLOTS;
}

/* How many numbers of a unit its share has used. */
static uint32_t used_of_unit(const Split *split, uint32_t unit)
{
    uint32_t number = unit % split->share_count, nth = unit / split->share_count;
    const Share *share = number < split->shares.count ? split->shares.items[number] : NULL;
    const CnCommands *commands = share ? share->commands : NULL;
    if (!commands || nth >= commands->units_taken)
        return 0;
    return nth + 1 < commands->units_taken
               ? CNI_STRIPE
               : CNI_STRIPE - commands->stripe_left - (commands->page_end - commands->page_next);
}

/* The system's buffer takes all units up to the highest, those behind it in the same page included, and
 * keeps the numbers that no share used. Room was reserved with each unit. */
static void take_over_units(Split *split)
{
    CnCommands *own = split->own;
    const Slots *slots = &split->world->slots;
    if (!split->units)
        return;
    uint32_t on_stack = cni_split_stack_units(split), last_page = CNI_ABSENT, end = split->units;
    if (end > on_stack) {
        const uint32_t pieces = CNI_PAGE_SLOTS / CNI_STRIPE;
        end = on_stack + (end - on_stack + pieces - 1) / pieces * pieces;
    }
    for (uint32_t unit = end; unit-- > 0;) {
        UnitPlace place;
        cni_split_unit_place(split, unit, &place);
        for (uint32_t i = CNI_STRIPE; i-- > used_of_unit(split, unit);)
            own->rest.items[own->rest.count++] =
                place.on_stack ? slots->free.items[place.top - 1 - i] : place.first + i;
        if (!place.on_stack && place.page != last_page)
            own->pages_taken.items[own->pages_taken.count++] = last_page = place.page;
    }
    own->stripes_taken += split->units < on_stack ? split->units : on_stack;
    own->has_spawned = true;
}

/* ---- A run ---- */

/* Lets what is sent to a channel go to the shares, or to the channel again. */
static void divert(CnWorld *world, uint32_t component, bool on)
{
    CnChannel *channel = world->components.items[component].channel;
    if (!channel)
        return;
    channel->diverted = on;
    cni_channel_set_limit(channel, channel->max_events);
}

/* Those that the loop may send to; nobody else sends to them meanwhile. */
static void divert_channels(const Split *split, bool on)
{
    CnWorld *world = split->world;
    const System *system = split->system;
    bool all = !system || system->alone;
    for (uint32_t i = 0; i < world->channels.count && all; i++)
        divert(world, world->channels.items[i]->component.id, on);
    if (all)
        return;
    for (uint32_t id = cn_bitset_next(&system->writes, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(&system->writes, id + 1))
        divert(world, id, on);
}

static void divert_buffer(CnCommands *commands, bool on)
{
    __atomic_fetch_add(&commands->is_split, on ? 1u : UINT32_MAX, __ATOMIC_RELAXED);
}

static void divert_buffers(const Split *split, bool on)
{
    CnWorld *world = split->world;
    if (split->system)
        divert_buffer(split->own, on);
    for (uint32_t i = 0; i < world->commands.count && (!split->system || world->loose_buffers); i++)
        if (!split->system || world->commands.items[i]->is_loose)
            divert_buffer(world->commands.items[i], on);
}

void cni_split_begin(Split *split, uint32_t share_count)
{
    split_open(split, share_count);
    divert_buffers(split, true);
    divert_channels(split, true);
}

/* Appends what the shares have recorded. */
static void split_close(Split *split)
{
    take_over_units(split);
    for (uint32_t i = 0; i < split->shares.count && i < split->share_count; i++) {
        Share *share = split->shares.items[i];
        for (uint32_t c = 0; share && c < share->channels.count; c++)
            cni_channel_take(share->channels.items[c]);
        if (share && share->commands)
            cni_commands_take(split->own, share->commands);
    }
    split->is_open = false;
}

void cni_split_end(Split *split)
{
    const CnWorld *world = split->world;
    divert_buffers(split, false);
    divert_channels(split, false);
    split_close(split);
    for (uint32_t i = 0; i < world->commands.count && !split->system; i++) {
        Split *other = world->commands.items[i]->split;
        if (other && other->is_open)
            split_close(other);
    }
}

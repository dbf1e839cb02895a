#include "commands.h"

#include "split.h"

/* ---- Buffers ---- */

static void batch_init(Batch *batch, CnAllocator *allocator)
{
    memset(batch, 0, sizeof *batch);
    cn_array_init(&batch->destroyed, allocator);
    cn_array_init(&batch->parents, allocator);
    cn_arena_init(&batch->large, allocator, 0);
}

static void batch_fini(Batch *batch, CnAllocator *allocator)
{
    for (CommandBlock *block = batch->first; block;) {
        CommandBlock *next = block->next;
        cn_free(allocator, block, CNI_COMMAND_BLOCK_BYTES);
        block = next;
    }
    cn_array_fini(&batch->destroyed);
    cn_array_fini(&batch->parents);
    cn_arena_fini(&batch->large);
}

/* A rank that a destroyed buffer had, or 0. New buffers take these over: those that come and go would
 * otherwise each take a page of numbers. */
static uint32_t vacant_rank(const CnWorld *world)
{
    for (uint32_t rank = 1; rank <= world->spawning_buffers; rank++) {
        bool taken = false;
        for (uint32_t i = 0; i < world->commands.count && !taken; i++)
            taken = world->commands.items[i]->rank == rank;
        if (!taken)
            return rank;
    }
    return 0;
}

static CnCommands *make_buffer(CnWorld *world)
{
    CnCommands *commands = cn_alloc_zeroed(world->allocator, sizeof *commands);
    if (!commands)
        return NULL;
    commands->world = world;
    batch_init(&commands->batches[0], world->allocator);
    batch_init(&commands->batches[1], world->allocator);
    cn_array_init(&commands->pages_taken, world->allocator);
    cn_array_init(&commands->owned, world->allocator);
    cn_array_init(&commands->rest, world->allocator);
    return commands;
}

CnCommands *cn_commands_create(CnWorld *world)
{
    CN_ASSERT(cni_runs_alone(), "a system that shares its wave makes a command buffer");
    /* The stripes depend on the number of buffers. */
    if (world->slots.reserved && !cni_commands_settle(world))
        return NULL;
    CnCommands *commands = make_buffer(world);
    if (!commands)
        return NULL;
    commands->order = world->commands.count;
    commands->rank = vacant_rank(world);
    commands->is_loose = true;
    if (!cn_array_push(&world->commands, commands)) {
        cni_commands_free(commands);
        return NULL;
    }
    world->loose_buffers++;
    return commands;
}

void cni_commands_free(CnCommands *commands)
{
    CnAllocator *allocator = commands->world->allocator;
    batch_fini(&commands->batches[0], allocator);
    batch_fini(&commands->batches[1], allocator);
    cn_array_fini(&commands->pages_taken);
    cn_array_fini(&commands->owned);
    cn_array_fini(&commands->rest);
    cni_split_destroy(commands->split);
    cn_free(allocator, commands, sizeof *commands);
}

static void drop_buffer(CnCommands *commands)
{
    CnWorld *world = commands->world;
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *other = world->commands.items[i];
        if (other == commands)
            continue;
        other->order = n;
        world->commands.items[n++] = other;
    }
    world->commands.count = n;
    world->loose_buffers -= commands->is_loose;
    cni_commands_free(commands);
}

/* A flush that is under way may still read the buffer, and without memory its numbers cannot be told
 * from those of others: then it goes later. */
void cn_commands_destroy(CnCommands *commands)
{
    if (!commands)
        return;
    if (!commands->world->flushing && cni_commands_discard(commands)) {
        drop_buffer(commands);
        return;
    }
    commands->world->doomed_buffers += !commands->doomed;
    commands->doomed = true;
    __atomic_store_n(&commands->world->has_commands, true, __ATOMIC_RELAXED);
}

void cni_commands_reap(CnWorld *world)
{
    for (uint32_t i = world->commands.count; i-- > 0 && CN_UNLIKELY(world->doomed_buffers);) {
        CnCommands *commands = world->commands.items[i];
        if (!commands->doomed || !cni_commands_discard(commands))
            continue;
        drop_buffer(commands);
        world->doomed_buffers--;
    }
}

static Batch *active(const CnCommands *commands)
{
    return (Batch *)(uintptr_t)&commands->batches[commands->active];
}

/* Whether lanes of a parallel loop may be recording here, which have buffers of their own. */
static inline bool is_split(const CnCommands *commands)
{
    uint32_t loops = __atomic_load_n(&commands->is_split, __ATOMIC_RELAXED);
    CN_ASSERT(loops || !cni_lane_records(),
              "a parallel loop of a system records into a buffer that is not the system's");
    return CN_UNLIKELY(loops);
}

/* Where a thread records. NULL when out of memory. Hot paths ask is_split alone and leave the rest to
 * slow ones: a function that makes no calls saves no registers. */
static inline CnCommands *here(CnCommands *commands)
{
    return is_split(commands) ? cni_share_commands(commands) : commands;
}

uint32_t cn_commands_count(const CnCommands *commands)
{
    const CnCommands *recorded = here((CnCommands *)(uintptr_t)commands);
    return recorded ? active(recorded)->count : 0;
}

void cni_batch_reset(Batch *batch)
{
    for (CommandBlock *block = batch->first; block; block = block->next)
        block->used = 0;
    batch->current = batch->first;
    batch->last = NULL;
    batch->spawns = NULL;
    batch->count = batch->spawned = 0;
    batch->unordered = false;
    cn_array_clear(&batch->destroyed);
    cn_array_clear(&batch->parents);
    cn_arena_reset(&batch->large);
}

/* ---- Recording ---- */

/* A block that the system's buffer has and does not need; NULL: none. */
static CommandBlock *spare_block(Split *split)
{
    cni_lock(&split->lock);
    Batch *batch = active(split->own);
    CommandBlock **from = batch->current ? &batch->current->next : &batch->first;
    CommandBlock *block = *from;
    if (block)
        *from = block->next;
    cni_unlock(&split->lock);
    return block;
}

static CommandBlock *next_block(CnCommands *commands, Batch *batch)
{
    CommandBlock *block = batch->current ? batch->current->next : batch->first;
    if (!block) {
        if (commands->share_of)
            block = spare_block(commands->share_of);
        if (!block)
            block = cn_alloc(commands->world->allocator, CNI_COMMAND_BLOCK_BYTES);
        if (!block)
            return NULL;
        block->next = NULL;
        if (batch->current)
            batch->current->next = block;
        else
            batch->first = block;
    }
    block->used = 0;
    batch->current = block;
    return block;
}

static void *reserve(CnCommands *commands, Batch *batch, size_t bytes)
{
    CommandBlock *block = batch->current;
    if (CN_UNLIKELY(!block ||
                    block->used + bytes > CNI_COMMAND_BLOCK_BYTES - sizeof(CommandBlock))) {
        block = next_block(commands, batch);
        if (!block)
            return NULL;
    }
    return block->bytes + block->used;
}

static size_t item_bytes(uint32_t value_bytes)
{
    size_t in_line = value_bytes <= CN_COMMAND_SLOT_BYTES ? value_bytes : sizeof(void *);
    return sizeof(Item) + ((in_line + 7u) & ~(size_t)7u);
}

/* Lets cn_flush know that there is something to do. */
static void announce(CnCommands *commands)
{
    __atomic_store_n(&commands->world->has_commands, true, __ATOMIC_RELAXED);
}

/* The record that takes `bytes` more: the last one when it is about the same entity and there is
 * room behind it, else a new one. */
static inline Record *open_record(CnCommands *commands, Batch *batch, CnEntity entity, size_t bytes)
{
    Record *last = batch->last;
    if (last && last->entity.id == entity.id && last->item_count < UINT16_MAX &&
        batch->current->used + bytes <= CNI_COMMAND_BLOCK_BYTES - sizeof(CommandBlock))
        return last;
    Record *record = reserve(commands, batch, sizeof *record + bytes);
    if (!record)
        return NULL;
    if (!batch->count)
        announce(commands);
    if (last && cn_entity_index(entity) <= cn_entity_index(last->entity))
        batch->unordered = true;
    *record = (Record){.entity = entity};
    batch->current->used += sizeof *record;
    batch->last = record;
    batch->spawns = NULL;
    return record;
}

static inline void put_item(Batch *batch, Record *record, CommandOp op, uint32_t component,
                            const void *value, uint32_t value_bytes)
{
    Item *item = (Item *)(void *)(batch->current->bytes + batch->current->used);
    bool in_arena = value_bytes > CN_COMMAND_SLOT_BYTES;
    uint32_t stored = in_arena ? (uint32_t)sizeof(void *) : value_bytes;
    *item = (Item){.component = component,
                   .op = (uint32_t)op & 3u,
                   .in_arena = in_arena,
                   .value_bytes = stored & 0x1fffffffu};
    if (in_arena) {
        memcpy(item + 1, &value, sizeof value);
    } else if (value_bytes) {
        switch (value_bytes) {
        case 4:
            memcpy(item + 1, value, 4);
            break;
        case 12:
            memcpy(item + 1, value, 12);
            break;
        default:
            memcpy(item + 1, value, value_bytes);
        }
    }
    size_t bytes = sizeof(Item) + ((stored + 7u) & ~7u);
    batch->current->used += bytes;
    record->item_bytes += (uint32_t)bytes;
    record->item_count++;
}

/* Shares use the arena of the system's buffer, which keeps values until they are applied. */
static void *alloc_large(CnCommands *commands, Batch *batch, uint32_t bytes)
{
    Split *split = commands->share_of;
    if (CN_LIKELY(!split))
        return cn_arena_alloc(&batch->large, bytes, 16);
    cni_lock(&split->lock);
    void *memory = cn_arena_alloc(&active(split->own)->large, bytes, 16);
    cni_unlock(&split->lock);
    return memory;
}

/* A value too large for a slot is copied into the batch's arena. */
static bool stow_value(CnCommands *commands, Batch *batch, const void **value, uint32_t bytes)
{
    if (CN_LIKELY(bytes <= CN_COMMAND_SLOT_BYTES))
        return true;
    void *copy = alloc_large(commands, batch, bytes);
    if (!copy)
        return false;
    memcpy(copy, *value, bytes);
    *value = copy;
    __atomic_fetch_add(&commands->world->oversize_commands, 1, __ATOMIC_RELAXED);
    return true;
}

static CN_NOINLINE bool record_item_slowly(CnCommands *commands, CnEntity entity, CommandOp op,
                                           CnComponent component, const void *value, uint32_t bytes)
{
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    Batch *batch = active(commands);
    if (!stow_value(commands, batch, &value, bytes))
        return false;
    Record *record = open_record(commands, batch, entity, item_bytes(bytes));
    if (!record)
        return false;
    put_item(batch, record, op, component.id, value, bytes);
    batch->count++;
    return true;
}

/* Null is what a search for a type gave that the world never saw: that was reported with its name. */
static CN_NOINLINE bool refuse_component(const CnCommands *commands, uint32_t component)
{
    const Component *found = cni_component(commands->world, component);
    if (found)
        return cni_report(commands->world, CN_ERROR_PERMISSION,
                          "a command names component %s, which commands cannot change",
                          found->info.name);
    if (component)
        return cni_report(commands->world, CN_ERROR_NOT_FOUND,
                          "a command names component %u, which is not registered", component);
    return false;
}

CnComponent cni_unknown_type(const CnCommands *commands, const CnType *type)
{
    CnComponent component = cni_component_search(commands->world, type);
    if (!component.id)
        cni_report(commands->world, CN_ERROR_NOT_FOUND,
                   "a command names component %s, which is not registered: use cn_register before",
                   type->name);
    return component;
}

/* The common case, a step without a value on another entity than the last one, is made here. Calls are
 * made last: see here. */
static inline bool record_item(CnCommands *commands, CnEntity entity, CommandOp op,
                               CnComponent component, const void *value)
{
    CN_ASSERT(cni_may_defer(commands->world, component.id), "%s",
              cni_access_text(commands->world, component.id, "record commands for"));
    CN_ASSERT(component.id, "a command names a component that is not registered");
    if (CN_UNLIKELY(!cni_may_change(commands->world, component.id)))
        return refuse_component(commands, component.id);
    uint32_t bytes = op == OP_SET ? commands->world->components.items[component.id].info.size : 0;
    Batch *batch = active(commands);
    const Record *last = batch->last;
    CommandBlock *block = batch->current;
    if (CN_UNLIKELY(is_split(commands) || bytes || !last || last->entity.id == entity.id ||
                    block->used + sizeof(Record) + sizeof(Item) >
                        CNI_COMMAND_BLOCK_BYTES - sizeof(CommandBlock)))
        return record_item_slowly(commands, entity, op, component, value, bytes);
    Record *record = (Record *)(void *)(block->bytes + block->used);
    record->entity = entity;
    record->next = NULL;
    record->item_bytes = sizeof(Item);
    record->item_count = 1;
    record->flags = 0;
    if (cn_entity_index(entity) <= cn_entity_index(last->entity))
        batch->unordered = true;
    *cni_record_items(record) = (Item){component.id, (uint32_t)op & 3u, 0, 0};
    block->used += sizeof(Record) + sizeof(Item);
    batch->last = record;
    batch->count++;
    return true;
}

bool cn_defer_add_component(CnCommands *commands, CnEntity entity, CnComponent component)
{
    return record_item(commands, entity, OP_ADD, component, NULL);
}

bool cn_defer_set_component(CnCommands *commands, CnEntity entity, CnComponent component,
                            const void *value)
{
    return record_item(commands, entity, value ? OP_SET : OP_ADD, component, value);
}

bool cn_defer_remove_component(CnCommands *commands, CnEntity entity, CnComponent component)
{
    if (!component.id) /* a C type this world never saw: nothing has it */
        return true;
    return record_item(commands, entity, OP_REMOVE, component, NULL);
}

/* Room for all of them is made before the first is recorded. */
bool cn_defer_remove_components(CnCommands *commands, CnEntity entity,
                                const CnComponent *components, uint32_t count)
{
    uint32_t known = 0;
    CN_ASSERT(count <= CN_MAX_VALUES, "%u components; the limit is %u", count, CN_MAX_VALUES);
    if (count > CN_MAX_VALUES)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!components[i].id) /* a C type this world never saw: nothing has it */
            continue;
        CN_ASSERT(cni_may_defer(commands->world, components[i].id), "%s",
                  cni_access_text(commands->world, components[i].id, "record commands for"));
        if (!cni_may_change(commands->world, components[i].id))
            return false;
        known++;
    }
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    Batch *batch = active(commands);
    Record *record = known ? open_record(commands, batch, entity, known * sizeof(Item)) : NULL;
    for (uint32_t i = 0; record && i < count; i++)
        if (components[i].id) {
            put_item(batch, record, OP_REMOVE, components[i].id, NULL, 0);
            batch->count++;
        }
    return record || !known;
}

bool cn_defer_destroy(CnCommands *commands, CnEntity entity)
{
    CN_ASSERT(cni_may_defer(commands->world, 0), "%s",
              cni_access_text(commands->world, 0, "record commands for"));
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    Batch *batch = active(commands);
    if (!cn_array_push(&batch->destroyed, entity))
        return false;
    announce(commands);
    batch->count++;
    return true;
}

bool cn_defer_set_parent(CnCommands *commands, CnEntity child, CnEntity parent)
{
    CN_ASSERT(cni_may_defer(commands->world, 0), "%s",
              cni_access_text(commands->world, 0, "record commands for"));
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    Batch *batch = active(commands);
    if (!cn_array_push(&batch->parents, (ParentLink){child, parent}))
        return false;
    announce(commands);
    batch->count++;
    return true;
}

/* ---- Numbers of spawned entities ---- */

/* From the first unit on, the free stack only grows above `striped`, and no page is installed, until
 * cni_commands_settle. Threads that come first together store the same values. */
static void begin_reservations(Slots *slots)
{
    if (__atomic_load_n(&slots->reserved, __ATOMIC_ACQUIRE))
        return;
    __atomic_store_n(&slots->striped, slots->free.count, __ATOMIC_RELAXED);
    __atomic_store_n(&slots->reserved, true, __ATOMIC_RELEASE);
}

/* Room for what cni_split_end gives to the system's buffer. */
static bool reserve_units(Split *split, uint32_t units)
{
    CnCommands *own = split->own;
    cni_lock(&split->lock);
    uint32_t all = split->units > units ? split->units : units;
    bool done = cn_array_reserve(&own->rest,
                                 own->rest.count + (uint64_t)all * CNI_STRIPE + CNI_PAGE_SLOTS) &&
                cn_array_reserve(&own->pages_taken, (uint64_t)own->pages_taken.count +
                                                        all * CNI_STRIPE / CNI_PAGE_SLOTS + 1);
    if (done)
        split->units = all;
    cni_unlock(&split->lock);
    return done;
}

static bool take_share_unit(CnCommands *commands)
{
    Split *split = commands->share_of;
    UnitPlace place;
    begin_reservations(&commands->world->slots);
    uint64_t unit = (uint64_t)commands->units_taken * split->share_count + commands->share;
    if (unit >= CN_MAX_ENTITIES / CNI_STRIPE ||
        !cni_split_unit_place(split, (uint32_t)unit, &place) ||
        !reserve_units(split, (uint32_t)unit + 1))
        return false;
    commands->units_taken++;
    commands->has_spawned = true;
    if (place.on_stack) {
        commands->stripe_left = CNI_STRIPE;
        commands->stripe_next = place.top;
    } else {
        commands->page_next = place.first;
        commands->page_end = place.first + CNI_STRIPE;
    }
    return true;
}

static bool take_unit(CnCommands *commands)
{
    CnWorld *world = commands->world;
    Slots *slots = &world->slots;
    if (commands->share_of)
        return take_share_unit(commands);
    begin_reservations(slots);
    if (commands->rank) {
        uint32_t stripe = commands->stripes_taken * world->spawning_buffers + commands->rank - 1;
        if ((uint64_t)(stripe + 1) * CNI_STRIPE <=
            __atomic_load_n(&slots->striped, __ATOMIC_RELAXED)) {
            commands->stripes_taken++;
            commands->stripe_left = CNI_STRIPE;
            commands->stripe_next =
                __atomic_load_n(&slots->striped, __ATOMIC_RELAXED) - stripe * CNI_STRIPE;
            return true;
        }
    }
    uint32_t nth = commands->pages_taken.count * world->commands.count + commands->order;
    uint32_t page = cni_slots_nth_page(slots, nth);
    if (page >= CN_MAX_ENTITIES / CNI_PAGE_SLOTS || !cn_array_push(&commands->pages_taken, page))
        return false;
    commands->page_next = page * CNI_PAGE_SLOTS;
    commands->page_end = commands->page_next + CNI_PAGE_SLOTS;
    return true;
}

static inline CnEntity next_entity(CnCommands *commands)
{
    const Slots *slots = &commands->world->slots;
    uint32_t index;
    if (CN_LIKELY(commands->stripe_left)) {
        commands->stripe_left--;
        index = slots->free.items[--commands->stripe_next];
    } else if (commands->owned.count) {
        index = cn_array_pop(&commands->owned);
    } else if (commands->page_next != commands->page_end) {
        return cn_entity_make(commands->page_next++, slots->first_generation);
    } else {
        return take_unit(commands) ? next_entity(commands) : (CnEntity){0};
    }
    return cn_entity_make(index, cni_slot(slots, index)->generation + 1);
}

/* ---- Spawns ---- */

/* Components do not change their id or size while a buffer is recorded. */
static inline bool fits_template(const SpawnTemplate *spawn, const CnValue *values, uint32_t count)
{
    if (!spawn->known || spawn->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (spawn->types[i] != values[i].type ||
            (values[i].data != NULL) != (spawn->items[i].op == OP_SET))
            return false;
    return true;
}

/* False when a component is unknown or must not be spawned. */
static bool make_template(CnCommands *commands, const CnValue *values, uint32_t count)
{
    const CnWorld *world = commands->world;
    SpawnTemplate *spawn = &commands->spawn;
    spawn->known = false;
    CN_ASSERT(count <= CN_MAX_VALUES, "%u values; the limit is %u", count, CN_MAX_VALUES);
    if (count > CN_MAX_VALUES)
        return cni_report(world, CN_ERROR_LIMIT, "a command spawns with %u values; the limit is %u",
                          count, CN_MAX_VALUES);
    bool known = true;
    uint32_t bytes = sizeof(CnEntity);
    for (uint32_t i = 0; i < count; i++) {
        const CnType *type = values[i].type;
        uint32_t id = type ? cn_component_of(world, type).id : values[i].component.id;
        CN_ASSERT(id, "a command names component %s, which is not registered",
                  type ? type->name : "0");
        if (type && !id)
            cni_unknown_type(commands, type);
        if (!id || !cni_may_change(world, id))
            return refuse_component(commands, id);
        uint32_t size = values[i].data ? world->components.items[id].info.size : 0;
        bool in_arena = size > CN_COMMAND_SLOT_BYTES;
        uint32_t stored = in_arena ? (uint32_t)sizeof(void *) : size;
        spawn->types[i] = type;
        spawn->items[i] = (Item){.component = id,
                                 .op = values[i].data ? OP_SET : OP_RESET,
                                 .in_arena = in_arena,
                                 .value_bytes = stored & 0x1fffffffu};
        bytes += stored;
        known &= type != NULL; /* ids of pairs may come to mean another pair */
    }
    spawn->count = count;
    spawn->row_bytes = (bytes + 7u) & ~7u;
    spawn->known = known;
    return true;
}

static bool has_items(const SpawnRecord *spawns, const SpawnTemplate *spawn)
{
    return spawns->head.item_count == spawn->count &&
           !memcmp(spawns->items, spawn->items, spawn->count * sizeof *spawn->items);
}

/* For a spawn that is not like the last one into this buffer: the buffer to record into, with the
 * template made; NULL when that is not possible. */
static CN_NOINLINE CnCommands *prepare_spawn(CnCommands *commands, const CnValue *values,
                                             uint32_t count)
{
    if (!(commands = here(commands)))
        return NULL;
    const SpawnTemplate *spawn = &commands->spawn;
    if (fits_template(spawn, values, count)) /* the buffer of a share */
        return commands;
    if (!make_template(commands, values, count))
        return NULL;
    Batch *batch = active(commands);
    if (batch->spawns && !has_items(batch->spawns, spawn))
        batch->spawns = NULL;
    return commands;
}

/* A record for entities like the template, with room for one. */
static SpawnRecord *open_spawns(CnCommands *commands, Batch *batch)
{
    const SpawnTemplate *spawn = &commands->spawn;
    size_t item_bytes_all = spawn->count * sizeof *spawn->items;
    size_t bytes = sizeof(SpawnRecord) + item_bytes_all;
    SpawnRecord *spawns = reserve(commands, batch, bytes + spawn->row_bytes);
    if (!spawns)
        return NULL;
    *spawns = (SpawnRecord){
        .head = {.item_bytes = (uint32_t)(bytes - sizeof(Record)),
                 .item_count = (uint16_t)spawn->count,
                 .flags = RECORD_SPAWN},
        .row_bytes = spawn->row_bytes,
    };
    memcpy(spawns->items, spawn->items, item_bytes_all);
    batch->current->used += bytes;
    batch->last = NULL;
    batch->unordered = true;
    batch->spawns = spawns;
    commands->has_spawned = true;
    return spawns;
}

/* Where the next row like the template goes; NULL when out of memory. */
static inline CnEntity *next_row(CnCommands *commands, Batch *batch)
{
    const size_t room = CNI_COMMAND_BLOCK_BYTES - sizeof(CommandBlock);
    if (CN_UNLIKELY(!batch->spawns || batch->current->used + commands->spawn.row_bytes > room) &&
        !open_spawns(commands, batch))
        return NULL;
    return (CnEntity *)(void *)(batch->current->bytes + batch->current->used);
}

CnEntity cn_defer_spawn_values(CnCommands *commands, const CnValue *values, uint32_t count)
{
    CN_ASSERT(cni_may_defer(commands->world, 0), "%s",
              cni_access_text(commands->world, 0, "record commands for"));
    const CnEntity none = {0};
    if (CN_UNLIKELY(is_split(commands) || !fits_template(&commands->spawn, values, count)) &&
        !(commands = prepare_spawn(commands, values, count)))
        return none;
    const SpawnTemplate *spawn = &commands->spawn;
    Batch *batch = active(commands);
    CnEntity *row = next_row(commands, batch);
    if (CN_UNLIKELY(!row))
        return none;
    uint8_t *to = (uint8_t *)(row + 1);
    for (uint32_t i = 0; i < count; i++) {
        const void *value = values[i].data;
        uint32_t bytes = spawn->items[i].value_bytes;
        if (CN_LIKELY(!spawn->items[i].in_arena)) {
            cni_copy_fresh(to, value, bytes);
        } else {
            uint32_t id = spawn->items[i].component;
            if (!stow_value(commands, batch, &value,
                            commands->world->components.items[id].info.size))
                return none;
            memcpy(to, &value, sizeof value);
        }
        to += bytes;
    }
    CnEntity entity = next_entity(commands);
    if (CN_UNLIKELY(!entity.id))
        return none;
    *row = entity;
    batch->current->used += spawn->row_bytes;
    batch->spawns->head.item_bytes += spawn->row_bytes;
    batch->spawns->row_count++;
    batch->spawned++;
    if (CN_UNLIKELY(!batch->count++))
        announce(commands);
    return entity;
}

/* ---- Settling ---- */

/* All that may fail, so that nothing has changed when it does. */
static bool settle_reserve(CnWorld *world, CnBitSet *stripes)
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
    return !pages || cni_slots_reserve(&world->slots, pages, last);
}

static void own_rest(CnCommands *commands)
{
    const Slots *slots = &commands->world->slots;
    while (commands->page_end > commands->page_next)
        commands->owned.items[commands->owned.count++] = --commands->page_end;
    /* The next one last, so that they are handed out in the same order as before. */
    for (uint32_t i = commands->stripe_left; i > 0; i--)
        commands->owned.items[commands->owned.count++] =
            slots->free.items[commands->stripe_next - i];
    for (uint32_t i = 0; i < commands->rest.count; i++)
        commands->owned.items[commands->owned.count++] = commands->rest.items[i];
    cn_array_clear(&commands->rest);
}

/* Closes the gaps that taken stripes leave on the free stack. */
static void compact_free(Slots *slots, const CnBitSet *stripes)
{
    uint32_t *items = slots->free.items, total = slots->striped / CNI_STRIPE;
    uint32_t to = slots->striped - total * CNI_STRIPE;
    for (uint32_t stripe = total; stripe-- > 0;) {
        if (cn_bitset_has(stripes, stripe))
            continue;
        memmove(&items[to], &items[slots->striped - (stripe + 1) * CNI_STRIPE],
                CNI_STRIPE * sizeof *items);
        to += CNI_STRIPE;
    }
    uint32_t above = slots->free.count - slots->striped;
    memmove(&items[to], &items[slots->striped], above * sizeof *items);
    slots->free.count = to + above;
}

bool cni_commands_settle(CnWorld *world)
{
    if (!settle_reserve(world, &world->taken_stripes))
        return false;
    bool taken = false;
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        for (uint32_t p = 0; p < commands->pages_taken.count; p++)
            cni_slots_install_page(&world->slots, commands->pages_taken.items[p]);
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

bool cni_commands_arrange(CnWorld *world, CnCommands *const *wanted, uint32_t count)
{
    /* The numbers that buffers take depend on their order. */
    if (world->slots.reserved && !cni_commands_settle(world))
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

void cni_commands_return_owned(CnCommands *commands)
{
    for (uint32_t i = 0; i < commands->owned.count; i++)
        cni_slot_return(&commands->world->slots, commands->owned.items[i]);
    cn_array_clear(&commands->owned);
}

static void break_promises(Slots *slots, const SpawnRecord *spawns)
{
    for (uint32_t i = 0; i < spawns->row_count; i++)
        cni_slot_break_promise(slots, cn_entity_index(*cni_spawn_row(spawns, i)));
}

bool cni_commands_discard(CnCommands *commands)
{
    CnWorld *world = commands->world;
    if (world->slots.reserved && !cni_commands_settle(world))
        return false;
    Batch *batch = active(commands);
    for (CommandBlock *block = batch->first; block && batch->spawned; block = block->next) {
        for (size_t at = 0; at < block->used;) {
            const Record *record = (const Record *)(const void *)(block->bytes + at);
            if (record->flags & RECORD_SPAWN)
                break_promises(&world->slots, (const SpawnRecord *)(const void *)record);
            at += sizeof *record + record->item_bytes;
        }
        if (block == batch->current)
            break;
    }
    cni_commands_return_owned(commands);
    cni_batch_reset(batch);
    return true;
}

void cni_commands_forget_types(CnWorld *world)
{
    for (uint32_t i = 0; i < world->commands.count; i++) {
        CnCommands *commands = world->commands.items[i];
        commands->spawn.count = 0;
        for (uint32_t s = 0; commands->split && s < commands->split->shares.count; s++)
            if (commands->split->shares.items[s] && commands->split->shares.items[s]->commands)
                commands->split->shares.items[s]->commands->spawn.count = 0;
    }
}

/* ---- Shares of a split system: see split.h ---- */

CnCommands *cni_share_commands_create(Split *split, uint32_t share)
{
    CnCommands *commands = make_buffer(split->world);
    if (!commands)
        return NULL;
    commands->share_of = split;
    commands->share = share;
    return commands;
}

/* The blocks change hands: nothing is copied, nothing can fail. */
static void take_blocks(Batch *to, Batch *from)
{
    if (!from->first)
        return;
    CommandBlock **after = to->current ? &to->current->next : &to->first;
    from->current->next = *after;
    *after = from->first;
    to->current = from->current;
    to->last = NULL;
    to->unordered = true;
    to->spawns = NULL;
    from->first = from->current = NULL;
}

void cni_commands_take(CnCommands *own, CnCommands *share)
{
    Batch *to = active(own), *from = active(share);
    uint32_t destroyed = from->destroyed.count, parents = from->parents.count, lost = 0;
    take_blocks(to, from);
    if (cn_array_reserve(&to->destroyed, (uint64_t)to->destroyed.count + destroyed))
        for (uint32_t i = 0; i < destroyed; i++)
            to->destroyed.items[to->destroyed.count++] = from->destroyed.items[i];
    else
        lost += destroyed;
    if (cn_array_reserve(&to->parents, (uint64_t)to->parents.count + parents))
        for (uint32_t i = 0; i < parents; i++)
            to->parents.items[to->parents.count++] = from->parents.items[i];
    else
        lost += parents;
    if (CN_UNLIKELY(lost)) {
        __atomic_fetch_add(&own->world->failed_commands, lost, __ATOMIC_RELAXED);
        cni_report(own->world, CN_ERROR_MEMORY, "commands of a split system: out of memory");
    }
    to->count += from->count - lost;
    to->spawned += from->spawned;
    cni_batch_reset(from);
    share->units_taken = share->stripe_left = 0;
    share->page_next = share->page_end = 0;
}

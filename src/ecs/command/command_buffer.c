#include "ecs/command/command_buffer.h"

#include "ecs/schedule/split_system.h"

/* ---- Buffers ---- */

static void batch_init(CniEcsCommandBatch *batch, CnAllocator *allocator)
{
    memset(batch, 0, sizeof *batch);
    cn_array_init(&batch->destroyed, allocator);
    cn_array_init(&batch->parents, allocator);
    cn_arena_init(&batch->large, allocator, 0);
}

static void batch_fini(CniEcsCommandBatch *batch, CnAllocator *allocator)
{
    for (CniEcsCommandBlock *block = batch->first; block;) {
        CniEcsCommandBlock *next = block->next;
        cn_free(allocator, block, CNI_ECS_COMMAND_BLOCK_BYTES);
        block = next;
    }
    cn_array_fini(&batch->destroyed);
    cn_array_fini(&batch->parents);
    cn_arena_fini(&batch->large);
}

/* Returns a rank of a destroyed buffer, or 0. New buffers reuse ranks, because otherwise each
 * short-lived buffer would take a page of entity indices. */
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

CnCommands *cn_commands_create(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave creates a command buffer");
    /* The stripes depend on the number of buffers. */
    bool resolved = !world->slots.reserved || cni_ecs_commands_resolve_ids(world);
    CnCommands *commands = resolved ? make_buffer(world) : NULL;
    if (!commands) {
        cn_error_memory(error, "a command buffer");
        return NULL;
    }
    commands->order = world->commands.count;
    commands->rank = vacant_rank(world);
    commands->is_loose = true;
    if (!cn_array_push(&world->commands, commands)) {
        cni_ecs_commands_free(commands);
        cn_error_memory(error, "a command buffer");
        return NULL;
    }
    world->loose_buffers++;
    return commands;
}

void cni_ecs_commands_free(CnCommands *commands)
{
    CnAllocator *allocator = commands->world->allocator;
    batch_fini(&commands->batches[0], allocator);
    batch_fini(&commands->batches[1], allocator);
    cn_array_fini(&commands->pages_taken);
    cn_array_fini(&commands->owned);
    cn_array_fini(&commands->rest);
    cni_ecs_split_destroy(commands->split);
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
    cni_ecs_commands_free(commands);
}

/* Destruction is postponed if a flush in progress may still read the buffer, or if no memory is
 * available to sort out its reserved indices. */
void cn_commands_destroy(CnCommands *commands)
{
    if (!commands)
        return;
    if (!commands->world->flushing && cni_ecs_commands_discard(commands)) {
        drop_buffer(commands);
        return;
    }
    commands->world->destroy_pending_buffers += !commands->destroy_pending;
    commands->destroy_pending = true;
    __atomic_store_n(&commands->world->has_commands, true, __ATOMIC_RELAXED);
}

void cni_ecs_commands_reap(CnWorld *world)
{
    for (uint32_t i = world->commands.count;
         i-- > 0 && CN_UNLIKELY(world->destroy_pending_buffers);) {
        CnCommands *commands = world->commands.items[i];
        if (!commands->destroy_pending || !cni_ecs_commands_discard(commands))
            continue;
        drop_buffer(commands);
        world->destroy_pending_buffers--;
    }
}

static CniEcsCommandBatch *active(const CnCommands *commands)
{
    return (CniEcsCommandBatch *)(uintptr_t)&commands->batches[commands->active];
}

/* Whether lanes of a parallel loop, which have their own buffers, may be recording here. */
static inline bool is_split(const CnCommands *commands)
{
    uint32_t loops = __atomic_load_n(&commands->is_split, __ATOMIC_RELAXED);
    CN_ASSERT(loops || !cni_ecs_lane_records(),
              "a parallel loop of a system records into a buffer that is not the system's");
    return CN_UNLIKELY(loops);
}

/* Returns the buffer that a thread records into; NULL when out of memory. Hot paths only check
 * is_split and leave the rest to slow paths: a function that makes no calls saves no registers. */
static inline CnCommands *here(CnCommands *commands)
{
    return is_split(commands) ? cni_ecs_share_commands(commands) : commands;
}

uint32_t cn_commands_count(const CnCommands *commands)
{
    const CnCommands *recorded = here((CnCommands *)(uintptr_t)commands);
    return recorded ? active(recorded)->count : 0;
}

void cni_ecs_batch_reset(CniEcsCommandBatch *batch)
{
    for (CniEcsCommandBlock *block = batch->first; block; block = block->next)
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

/* Returns an unused block of the system's buffer, or NULL. */
static CniEcsCommandBlock *spare_block(CniEcsSplit *split)
{
    cni_ecs_spin_lock(&split->lock);
    CniEcsCommandBatch *batch = active(split->own);
    CniEcsCommandBlock **from = batch->current ? &batch->current->next : &batch->first;
    CniEcsCommandBlock *block = *from;
    if (block)
        *from = block->next;
    cni_ecs_spin_unlock(&split->lock);
    return block;
}

static CniEcsCommandBlock *next_block(CnCommands *commands, CniEcsCommandBatch *batch)
{
    CniEcsCommandBlock *block = batch->current ? batch->current->next : batch->first;
    if (!block) {
        if (commands->share_of)
            block = spare_block(commands->share_of);
        if (!block)
            block = cn_alloc(commands->world->allocator, CNI_ECS_COMMAND_BLOCK_BYTES);
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

static void *reserve(CnCommands *commands, CniEcsCommandBatch *batch, size_t bytes)
{
    CniEcsCommandBlock *block = batch->current;
    if (CN_UNLIKELY(!block || block->used + bytes >
                                  CNI_ECS_COMMAND_BLOCK_BYTES - sizeof(CniEcsCommandBlock))) {
        block = next_block(commands, batch);
        if (!block)
            return NULL;
    }
    return block->bytes + block->used;
}

static size_t item_bytes(uint32_t value_bytes)
{
    size_t in_line = value_bytes <= CN_COMMAND_SLOT_BYTES ? value_bytes : sizeof(void *);
    return sizeof(CniEcsCommandItem) + ((in_line + 7u) & ~(size_t)7u);
}

/* Tells cn_flush that commands are pending. */
static void mark_has_commands(CnCommands *commands)
{
    __atomic_store_n(&commands->world->has_commands, true, __ATOMIC_RELAXED);
}

static inline bool is_behind(CnEntity entity, const CniEcsCommandRecord *last)
{
    return cn_entity_index(entity) > cn_entity_index(last->entity);
}

/* Returns the record that receives `bytes` more: the last one if it concerns the same entity and
 * there is room behind it, otherwise a new one. */
static inline CniEcsCommandRecord *open_record(CnCommands *commands, CniEcsCommandBatch *batch,
                                               CnEntity entity, size_t bytes)
{
    CniEcsCommandRecord *last = batch->last;
    if (last && last->entity.id == entity.id && last->item_count < UINT16_MAX &&
        batch->current->used + bytes <= CNI_ECS_COMMAND_BLOCK_BYTES - sizeof(CniEcsCommandBlock))
        return last;
    CniEcsCommandRecord *record = reserve(commands, batch, sizeof *record + bytes);
    if (!record)
        return NULL;
    if (!batch->count)
        mark_has_commands(commands);
    if (last && !is_behind(entity, last))
        batch->unordered = true;
    *record = (CniEcsCommandRecord){.entity = entity};
    batch->current->used += sizeof *record;
    batch->last = record;
    batch->spawns = NULL;
    return record;
}

static inline void put_item(CniEcsCommandBatch *batch, CniEcsCommandRecord *record,
                            CniEcsCommandOp op, uint32_t component, const void *value,
                            uint32_t value_bytes)
{
    CniEcsCommandItem *item =
        (CniEcsCommandItem *)(void *)(batch->current->bytes + batch->current->used);
    bool in_arena = value_bytes > CN_COMMAND_SLOT_BYTES;
    uint32_t stored = in_arena ? (uint32_t)sizeof(void *) : value_bytes;
    *item = (CniEcsCommandItem){.component = component,
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
    size_t bytes = sizeof(CniEcsCommandItem) + ((stored + 7u) & ~7u);
    batch->current->used += bytes;
    record->item_bytes += (uint32_t)bytes;
    record->item_count++;
}

/* Shares use the arena of the system's buffer, which keeps the values until they are applied. */
static void *alloc_large(CnCommands *commands, CniEcsCommandBatch *batch, uint32_t bytes)
{
    CniEcsSplit *split = commands->share_of;
    if (CN_LIKELY(!split))
        return cn_arena_alloc(&batch->large, bytes, 16);
    cni_ecs_spin_lock(&split->lock);
    void *memory = cn_arena_alloc(&active(split->own)->large, bytes, 16);
    cni_ecs_spin_unlock(&split->lock);
    return memory;
}

/* A value too large for a slot is copied into the batch's arena. */
static bool store_value(CnCommands *commands, CniEcsCommandBatch *batch, const void **value,
                        uint32_t bytes)
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

static CN_NOINLINE bool record_item_slowly(CnCommands *commands, CnEntity entity,
                                           CniEcsCommandOp op, CnComponent component,
                                           const void *value, uint32_t bytes)
{
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    CniEcsCommandBatch *batch = active(commands);
    if (!store_value(commands, batch, &value, bytes))
        return false;
    CniEcsCommandRecord *record = open_record(commands, batch, entity, item_bytes(bytes));
    if (!record)
        return false;
    put_item(batch, record, op, component.id, value, bytes);
    batch->count++;
    return true;
}

/* The null component results from a failed type lookup, which has already been reported by name. */
static CN_NOINLINE bool refuse_component(const CnCommands *commands, uint32_t component)
{
    __atomic_fetch_add(&commands->world->failed_commands, 1, __ATOMIC_RELAXED);
    const CniEcsComponent *found = cni_ecs_component_get(commands->world, component);
    if (found)
        return cni_ecs_report(commands->world, CN_ERROR_PERMISSION,
                              "a command refers to component %s, which commands cannot change",
                              found->info.name);
    if (component)
        return cni_ecs_report(commands->world, CN_ERROR_NOT_FOUND,
                              "a command refers to component %u, which is not registered",
                              component);
    return false;
}

CnComponent cni_ecs_report_unknown_type(const CnCommands *commands, const CnType *type)
{
    CnComponent component = cni_ecs_component_search(commands->world, type);
    if (!component.id)
        cni_ecs_report(
            commands->world, CN_ERROR_NOT_FOUND,
            "a command refers to component %s, which is not registered; call cn_register first",
            type->name);
    return component;
}

/* Handles the common case here: a step without a value on another entity than the last one. Calls
 * come last; see here(). */
static inline bool record_item(CnCommands *commands, CnEntity entity, CniEcsCommandOp op,
                               CnComponent component, const void *value)
{
    CN_ASSERT(cni_ecs_may_defer(commands->world, component.id), "%s",
              cni_ecs_access_text(commands->world, component.id, "record commands for"));
    CN_ASSERT(component.id, "a command refers to a component that is not registered");
    if (CN_UNLIKELY(!cni_ecs_may_change(commands->world, component.id)))
        return refuse_component(commands, component.id);
    uint32_t bytes =
        op == CNI_ECS_OP_SET ? commands->world->components.items[component.id].info.size : 0;
    CniEcsCommandBatch *batch = active(commands);
    const CniEcsCommandRecord *last = batch->last;
    CniEcsCommandBlock *block = batch->current;
    if (CN_UNLIKELY(is_split(commands) || bytes || !last || last->entity.id == entity.id ||
                    block->used + sizeof(CniEcsCommandRecord) + sizeof(CniEcsCommandItem) >
                        CNI_ECS_COMMAND_BLOCK_BYTES - sizeof(CniEcsCommandBlock)))
        return record_item_slowly(commands, entity, op, component, value, bytes);
    CniEcsCommandRecord *record = (CniEcsCommandRecord *)(void *)(block->bytes + block->used);
    record->entity = entity;
    record->next = NULL;
    record->item_bytes = sizeof(CniEcsCommandItem);
    record->item_count = 1;
    record->flags = 0;
    if (!is_behind(entity, last))
        batch->unordered = true;
    *cni_ecs_record_items(record) = (CniEcsCommandItem){component.id, (uint32_t)op & 3u, 0, 0};
    block->used += sizeof(CniEcsCommandRecord) + sizeof(CniEcsCommandItem);
    batch->last = record;
    batch->count++;
    return true;
}

bool cn_defer_add_component(CnCommands *commands, CnEntity entity, CnComponent component)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    return record_item(commands, entity, CNI_ECS_OP_ADD, component, NULL);
}

bool cn_defer_set_component(CnCommands *commands, CnEntity entity, CnComponent component,
                            const void *value)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    return record_item(commands, entity, value ? CNI_ECS_OP_SET : CNI_ECS_OP_ADD, component, value);
}

bool cn_defer_remove_component(CnCommands *commands, CnEntity entity, CnComponent component)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!component.id) /* the type is not registered, so no entity has it */
        return true;
    return record_item(commands, entity, CNI_ECS_OP_REMOVE, component, NULL);
}

/* Reserves room for all removals before the first is recorded. */
bool cn_defer_remove_components(CnCommands *commands, CnEntity entity,
                                const CnComponent *components, uint32_t count)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    uint32_t known = 0;
    CN_ASSERT(count <= CN_MAX_VALUES, "%u components; the limit is %u", count, CN_MAX_VALUES);
    if (count > CN_MAX_VALUES)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!components[i].id) /* the type is not registered, so no entity has it */
            continue;
        CN_ASSERT(cni_ecs_may_defer(commands->world, components[i].id), "%s",
                  cni_ecs_access_text(commands->world, components[i].id, "record commands for"));
        if (!cni_ecs_may_change(commands->world, components[i].id))
            return false;
        known++;
    }
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    CniEcsCommandBatch *batch = active(commands);
    CniEcsCommandRecord *record =
        known ? open_record(commands, batch, entity, known * sizeof(CniEcsCommandItem)) : NULL;
    for (uint32_t i = 0; record && i < count; i++)
        if (components[i].id) {
            put_item(batch, record, CNI_ECS_OP_REMOVE, components[i].id, NULL, 0);
            batch->count++;
        }
    return record || !known;
}

bool cn_defer_destroy(CnCommands *commands, CnEntity entity)
{
    CN_ASSERT(cni_ecs_may_defer(commands->world, 0), "%s",
              cni_ecs_access_text(commands->world, 0, "record commands for"));
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    CniEcsCommandBatch *batch = active(commands);
    if (!cn_array_push(&batch->destroyed, entity))
        return false;
    mark_has_commands(commands);
    batch->count++;
    return true;
}

bool cn_defer_set_parent(CnCommands *commands, CnEntity child, CnEntity parent)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CN_ASSERT(cni_ecs_may_defer(commands->world, 0), "%s",
              cni_ecs_access_text(commands->world, 0, "record commands for"));
    if (CN_UNLIKELY(!(commands = here(commands))))
        return false;
    CniEcsCommandBatch *batch = active(commands);
    if (!cn_array_push(&batch->parents, (CniEcsParentLink){child, parent}))
        return false;
    mark_has_commands(commands);
    batch->count++;
    return true;
}

/* ---- Numbers of spawned entities ---- */

/* After the first unit is taken, the free stack only grows above `striped`, and no page is
 * installed until cni_ecs_commands_resolve_ids. Threads that arrive first at the same time store
 * the same values. */
static void begin_reservations(CniEcsSlots *slots)
{
    if (__atomic_load_n(&slots->reserved, __ATOMIC_ACQUIRE))
        return;
    __atomic_store_n(&slots->striped, slots->free.count, __ATOMIC_RELAXED);
    __atomic_store_n(&slots->reserved, true, __ATOMIC_RELEASE);
}

/* Reserves room for the indices that cni_ecs_split_end returns to the system's buffer. */
static bool reserve_units(CniEcsSplit *split, uint32_t units)
{
    CnCommands *own = split->own;
    cni_ecs_spin_lock(&split->lock);
    uint32_t all = split->units > units ? split->units : units;
    bool done =
        cn_array_reserve(&own->rest,
                         own->rest.count + (uint64_t)all * CNI_ECS_STRIPE + CNI_ECS_PAGE_SLOTS) &&
        cn_array_reserve(&own->pages_taken, (uint64_t)own->pages_taken.count +
                                                all * CNI_ECS_STRIPE / CNI_ECS_PAGE_SLOTS + 1);
    if (done)
        split->units = all;
    cni_ecs_spin_unlock(&split->lock);
    return done;
}

static bool take_share_unit(CnCommands *commands)
{
    CniEcsSplit *split = commands->share_of;
    CniEcsUnitLocation place;
    begin_reservations(&commands->world->slots);
    uint64_t unit = (uint64_t)commands->units_taken * split->share_count + commands->share;
    if (unit >= CN_MAX_ENTITIES / CNI_ECS_STRIPE ||
        !cni_ecs_split_unit_location(split, (uint32_t)unit, &place) ||
        !reserve_units(split, (uint32_t)unit + 1))
        return false;
    commands->units_taken++;
    commands->has_spawned = true;
    if (place.on_stack) {
        commands->stripe_left = CNI_ECS_STRIPE;
        commands->stripe_next = place.top;
    } else {
        commands->page_next = place.first;
        commands->page_end = place.first + CNI_ECS_STRIPE;
    }
    return true;
}

static bool take_unit(CnCommands *commands)
{
    CnWorld *world = commands->world;
    CniEcsSlots *slots = &world->slots;
    if (commands->share_of)
        return take_share_unit(commands);
    begin_reservations(slots);
    if (commands->rank) {
        uint32_t stripe = commands->stripes_taken * world->spawning_buffers + commands->rank - 1;
        if ((uint64_t)(stripe + 1) * CNI_ECS_STRIPE <=
            __atomic_load_n(&slots->striped, __ATOMIC_RELAXED)) {
            commands->stripes_taken++;
            commands->stripe_left = CNI_ECS_STRIPE;
            commands->stripe_next =
                __atomic_load_n(&slots->striped, __ATOMIC_RELAXED) - stripe * CNI_ECS_STRIPE;
            return true;
        }
    }
    uint32_t nth = commands->pages_taken.count * world->commands.count + commands->order;
    uint32_t page = cni_ecs_slots_nth_page(slots, nth);
    if (page >= CN_MAX_ENTITIES / CNI_ECS_PAGE_SLOTS ||
        !cn_array_push(&commands->pages_taken, page))
        return false;
    commands->page_next = page * CNI_ECS_PAGE_SLOTS;
    commands->page_end = commands->page_next + CNI_ECS_PAGE_SLOTS;
    return true;
}

static inline CnEntity next_entity(CnCommands *commands)
{
    const CniEcsSlots *slots = &commands->world->slots;
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
    return cn_entity_make(index, cni_ecs_slots_at(slots, index)->generation + 1);
}

/* ---- Spawns ---- */

/* Components do not change their id or size while a buffer is recorded. */
static inline bool fits_template(const CniEcsSpawnTemplate *spawn, const CnValue *values,
                                 uint32_t count)
{
    if (!spawn->known || spawn->count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (spawn->types[i] != values[i].type ||
            (values[i].data != NULL) != (spawn->items[i].op == CNI_ECS_OP_SET))
            return false;
    return true;
}

/* Returns false if a component is unknown or must not be spawned. */
static bool make_template(CnCommands *commands, const CnValue *values, uint32_t count)
{
    const CnWorld *world = commands->world;
    CniEcsSpawnTemplate *spawn = &commands->spawn;
    spawn->known = false;
    CN_ASSERT(count <= CN_MAX_VALUES, "%u values; the limit is %u", count, CN_MAX_VALUES);
    if (count > CN_MAX_VALUES)
        return cni_ecs_report(world, CN_ERROR_LIMIT,
                              "a command spawns with %u values; the limit is %u", count,
                              CN_MAX_VALUES);
    bool known = true;
    uint32_t bytes = sizeof(CnEntity);
    for (uint32_t i = 0; i < count; i++) {
        const CnType *type = values[i].type;
        uint32_t id = type ? cn_component_of(world, type).id : values[i].component.id;
        CN_ASSERT(id, "a command refers to component %s, which is not registered",
                  type ? type->name : "0");
        if (type && !id)
            cni_ecs_report_unknown_type(commands, type);
        if (!id || !cni_ecs_may_change(world, id))
            return refuse_component(commands, id);
        uint32_t size = values[i].data ? world->components.items[id].info.size : 0;
        bool in_arena = size > CN_COMMAND_SLOT_BYTES;
        uint32_t stored = in_arena ? (uint32_t)sizeof(void *) : size;
        spawn->types[i] = type;
        spawn->items[i] =
            (CniEcsCommandItem){.component = id,
                                .op = values[i].data ? CNI_ECS_OP_SET : CNI_ECS_OP_RESET,
                                .in_arena = in_arena,
                                .value_bytes = stored & 0x1fffffffu};
        bytes += stored;
        known &= type != NULL; /* the id of a pair may be reused */
    }
    spawn->count = count;
    spawn->row_bytes = (bytes + 7u) & ~7u;
    spawn->known = known;
    return true;
}

static bool has_items(const CniEcsSpawnRecord *spawns, const CniEcsSpawnTemplate *spawn)
{
    return spawns->head.item_count == spawn->count &&
           !memcmp(spawns->items, spawn->items, spawn->count * sizeof *spawn->items);
}

/* For a spawn that differs from the last one in this buffer: returns the buffer to record into,
 * with the template filled in; NULL on failure. */
static CN_NOINLINE CnCommands *prepare_spawn(CnCommands *commands, const CnValue *values,
                                             uint32_t count)
{
    if (!(commands = here(commands)))
        return NULL;
    const CniEcsSpawnTemplate *spawn = &commands->spawn;
    if (fits_template(spawn, values, count)) /* the buffer of a share */
        return commands;
    if (!make_template(commands, values, count))
        return NULL;
    CniEcsCommandBatch *batch = active(commands);
    if (batch->spawns && !has_items(batch->spawns, spawn))
        batch->spawns = NULL;
    return commands;
}

/* Opens a record for entities that match the template, with room for one. */
static CniEcsSpawnRecord *open_spawns(CnCommands *commands, CniEcsCommandBatch *batch)
{
    const CniEcsSpawnTemplate *spawn = &commands->spawn;
    size_t item_bytes_all = spawn->count * sizeof *spawn->items;
    size_t bytes = sizeof(CniEcsSpawnRecord) + item_bytes_all;
    CniEcsSpawnRecord *spawns = reserve(commands, batch, bytes + spawn->row_bytes);
    if (!spawns)
        return NULL;
    *spawns = (CniEcsSpawnRecord){
        .head = {.item_bytes = (uint32_t)(bytes - sizeof(CniEcsCommandRecord)),
                 .item_count = (uint16_t)spawn->count,
                 .flags = CNI_ECS_RECORD_SPAWN},
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

/* Returns the position of the next row that matches the template; NULL when out of memory. */
static inline CnEntity *next_row(CnCommands *commands, CniEcsCommandBatch *batch)
{
    const size_t room = CNI_ECS_COMMAND_BLOCK_BYTES - sizeof(CniEcsCommandBlock);
    if (CN_UNLIKELY(!batch->spawns || batch->current->used + commands->spawn.row_bytes > room) &&
        !open_spawns(commands, batch))
        return NULL;
    return (CnEntity *)(void *)(batch->current->bytes + batch->current->used);
}

CnEntity cn_defer_spawn_values(CnCommands *commands, const CnValue *values, uint32_t count)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CN_ASSERT(cni_ecs_may_defer(commands->world, 0), "%s",
              cni_ecs_access_text(commands->world, 0, "record commands for"));
    const CnEntity none = {0};
    if (CN_UNLIKELY(is_split(commands) || !fits_template(&commands->spawn, values, count)) &&
        !(commands = prepare_spawn(commands, values, count)))
        return none;
    const CniEcsSpawnTemplate *spawn = &commands->spawn;
    CniEcsCommandBatch *batch = active(commands);
    CnEntity *row = next_row(commands, batch);
    if (CN_UNLIKELY(!row))
        return none;
    uint8_t *to = (uint8_t *)(row + 1);
    for (uint32_t i = 0; i < count; i++) {
        const void *value = values[i].data;
        uint32_t bytes = spawn->items[i].value_bytes;
        if (CN_LIKELY(!spawn->items[i].in_arena)) {
            cni_ecs_copy_recent_value(to, value, bytes);
        } else {
            uint32_t id = spawn->items[i].component;
            if (!store_value(commands, batch, &value,
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
        mark_has_commands(commands);
    return entity;
}

/* ---- Shares of a split system: see split_system.h ---- */

CnCommands *cni_ecs_share_commands_create(CniEcsSplit *split, uint32_t share)
{
    CnCommands *commands = make_buffer(split->world);
    if (!commands)
        return NULL;
    commands->share_of = split;
    commands->share = share;
    return commands;
}

/* The blocks are moved, so nothing is copied and nothing can fail. */
static void take_blocks(CniEcsCommandBatch *to, CniEcsCommandBatch *from)
{
    if (!from->first)
        return;
    CniEcsCommandBlock **after = to->current ? &to->current->next : &to->first;
    from->current->next = *after;
    *after = from->first;
    to->current = from->current;
    to->last = NULL;
    to->unordered = true;
    to->spawns = NULL;
    from->first = from->current = NULL;
}

void cni_ecs_commands_append_share(CnCommands *own, CnCommands *share)
{
    CniEcsCommandBatch *to = active(own), *from = active(share);
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
        cni_ecs_report(own->world, CN_ERROR_MEMORY, "commands of a split system: out of memory");
    }
    to->count += from->count - lost;
    to->spawned += from->spawned;
    cni_ecs_batch_reset(from);
    share->units_taken = share->stripe_left = 0;
    share->page_next = share->page_end = 0;
}

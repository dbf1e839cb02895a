#include "ecs_reference.h"

#include "random.h"

#include <stdlib.h>

CN_COMPONENT(RefPosition, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(RefSerial, (u64, number));
CN_COMPONENT(RefMixed, (u8, small), (f64, large), (u16, odd));
CN_COMPONENT(RefShape, (vec3, at), (u8, kind), (quat, turn));
CN_COMPONENT(RefLarge, (u32, words, 80));
CN_COMPONENT(RefSlot, (u8, bytes, 256));
CN_COMPONENT(RefSmall, (u8, value));
CN_COMPONENT(RefDefault, (i32, a), (i32, b));
CN_COMPONENT(RefHooked, (u32, value));
CN_COMPONENT(RefGreeter, (u16, value));
CN_TAG(RefFrozen);
CN_TAG(RefEnemy);
CN_TAG(RefGreeted);
CN_COMPONENT(RefLikes, (f32, amount));
CN_TAG(RefKnows);

const CnType *const reference_types[REF_COMPONENTS] = {
    [REF_POSITION] = &cn_type_RefPosition, [REF_SERIAL] = &cn_type_RefSerial,
    [REF_MIXED] = &cn_type_RefMixed,       [REF_SHAPE] = &cn_type_RefShape,
    [REF_LARGE] = &cn_type_RefLarge,       [REF_SLOT] = &cn_type_RefSlot,
    [REF_SMALL] = &cn_type_RefSmall,       [REF_DEFAULT] = &cn_type_RefDefault,
    [REF_HOOKED] = &cn_type_RefHooked,     [REF_GREETER] = &cn_type_RefGreeter,
    [REF_FROZEN] = &cn_type_RefFrozen,     [REF_ENEMY] = &cn_type_RefEnemy,
    [REF_GREETED] = &cn_type_RefGreeted,
};

const CnType *const reference_kinds[REF_KINDS] = {
    [REF_LIKES] = &cn_type_RefLikes,
    [REF_KNOWS] = &cn_type_RefKnows,
};

static void put_number(uint8_t *to, CnFieldType type, uint64_t bits)
{
    float f32 = (float)((double)(bits >> 40) * 0.25);
    double f64 = (double)(bits >> 20) * 0.125;
    switch (cn_field_type_size(type)) {
    case 1:
        *to = (uint8_t)bits;
        break;
    case 2:
        memcpy(to, &(uint16_t){(uint16_t)bits}, 2);
        break;
    case 4:
        memcpy(to, type == CN_FIELD_F32 ? (const void *)&f32 : &(uint32_t){(uint32_t)bits}, 4);
        break;
    case 8:
        memcpy(to, type == CN_FIELD_F64 ? (const void *)&f64 : &bits, 8);
        break;
    default: /* vectors of floats */
        for (uint32_t i = 0; i < cn_field_type_size(type); i += 4) {
            memcpy(to + i, &f32, 4);
            f32 = f32 * 0.5f + 1.0f;
        }
    }
}

void reference_value(const CnType *type, uint64_t seed, void *value)
{
    memset(value, 0, type->size);
    if (!seed) {
        if (type == &cn_type_RefDefault)
            memcpy(value, &(RefDefault){7, -3}, sizeof(RefDefault));
        return;
    }
    TestRandom random = {seed};
    for (uint32_t f = 0; f < type->field_count; f++) {
        const CnField *field = &type->fields[f];
        uint32_t size = cn_field_type_size(field->type);
        for (uint32_t i = 0; i < field->count; i++)
            put_number((uint8_t *)value + field->offset + (size_t)i * size, field->type,
                       test_random(&random));
    }
}

bool reference_init(Reference *reference)
{
    memset(reference, 0, sizeof *reference);
    reference->entities = calloc(REF_MAX_ENTITIES, sizeof *reference->entities);
    reference->by_index = malloc(REF_MAX_INDICES * sizeof *reference->by_index);
    if (!reference->entities || !reference->by_index)
        return false;
    for (uint32_t i = 0; i < REF_MAX_INDICES; i++)
        reference->by_index[i] = REF_NONE;
    for (uint32_t i = 0; i < REF_MAX_ENTITIES; i++)
        reference->free[reference->free_count++] = REF_MAX_ENTITIES - 1 - i;
    reference->tick = 1;
    return true;
}

void reference_fini(Reference *reference)
{
    free(reference->entities);
    free(reference->by_index);
    for (uint32_t i = 0; i < REF_BUFFERS; i++)
        cn_array_fini(&reference->buffers[i]);
    cn_array_fini(&reference->from_hooks);
}

uint32_t reference_find(const Reference *reference, CnEntity id)
{
    uint32_t index = cn_entity_index(id);
    uint32_t position = index < REF_MAX_INDICES ? reference->by_index[index] : REF_NONE;
    if (position == REF_NONE || !reference->entities[position].alive ||
        reference->entities[position].id.id != id.id)
        return REF_NONE;
    return position;
}

/* ---- Hooks ---- */

static void ask_from_hook(Reference *reference, const RefEntity *entity, RefOp op)
{
    cn_array_push(&reference->from_hooks,
                  (RefCommand){.op = op, .entity = entity->id, .component = REF_GREETED});
}

static void call_added(Reference *reference, const RefEntity *entity, uint32_t added)
{
    reference->hooks.added += added >> REF_HOOKED & 1u;
    if (added >> REF_GREETER & 1u)
        ask_from_hook(reference, entity, REF_ADD);
}

static void call_removed(Reference *reference, const RefEntity *entity, uint32_t removed)
{
    reference->hooks.removed += removed >> REF_HOOKED & 1u;
    if (removed >> REF_GREETER & 1u)
        ask_from_hook(reference, entity, REF_REMOVE);
}

/* ---- Parts of operations, without hooks ---- */

static void put(Reference *reference, RefEntity *entity, uint32_t component, bool has_data,
                uint64_t seed)
{
    bool had = entity->mask >> component & 1u;
    entity->mask |= 1u << component;
    if (!had) {
        entity->seeds[component] = 0;
        entity->written[component] = reference->tick;
    }
    if (has_data) {
        entity->seeds[component] = seed;
        entity->written[component] = reference->tick;
    }
}

static void take(RefEntity *entity, uint32_t component)
{
    entity->mask &= ~(1u << component);
}

static RefEntity *enter(Reference *reference, CnEntity id)
{
    uint32_t position = reference->free[--reference->free_count];
    RefEntity *entity = &reference->entities[position];
    *entity = (RefEntity){
        .id = id, .alive = true, .moved = reference->tick, .parent = REF_NONE, .touched = 0};
    reference->by_index[cn_entity_index(id)] = position;
    reference->live[reference->live_count++] = position;
    return entity;
}

static void detach(Reference *reference, RefEntity *entity)
{
    if (entity->parent != REF_NONE)
        reference->entities[entity->parent].child_count--;
    entity->parent = REF_NONE;
}

RefPair *reference_pair(RefEntity *entity, uint32_t kind, uint32_t target)
{
    for (uint32_t i = 0; i < entity->pair_count; i++)
        if (entity->pairs[i].kind == kind && entity->pairs[i].target == target)
            return &entity->pairs[i];
    return NULL;
}

static void drop_pair(Reference *reference, RefEntity *entity, uint32_t i)
{
    reference->entities[entity->pairs[i].target].pointed_at--;
    entity->pairs[i] = entity->pairs[--entity->pair_count];
}

static void destroy_one(Reference *reference, uint32_t position)
{
    RefEntity *entity = &reference->entities[position];
    call_removed(reference, entity, entity->mask);
    detach(reference, entity);
    for (uint32_t i = 0; i < reference->live_count && entity->pointed_at; i++) {
        RefEntity *other = &reference->entities[reference->live[i]];
        for (uint32_t p = other->pair_count; p-- > 0;)
            if (other->pairs[p].target == position)
                drop_pair(reference, other, p);
    }
    while (entity->pair_count)
        drop_pair(reference, entity, 0);
    entity->alive = false;
    for (uint32_t i = 0; i < reference->live_count; i++) {
        if (reference->live[i] != position)
            continue;
        reference->live[i] = reference->live[--reference->live_count];
        break;
    }
    reference->free[reference->free_count++] = position;
}

void reference_destroy(Reference *reference, uint32_t position)
{
    while (reference->entities[position].child_count) {
        uint32_t i = 0;
        while (reference->entities[reference->live[i]].parent != position)
            i++;
        reference_destroy(reference, reference->live[i]);
    }
    destroy_one(reference, position);
}

/* ---- Immediate operations ---- */

void reference_spawn(Reference *reference, CnEntity id, const RefValue *values, uint32_t count)
{
    RefEntity *entity = enter(reference, id);
    for (uint32_t i = 0; i < count; i++) {
        put(reference, entity, values[i].component, true, values[i].has_data ? values[i].seed : 0);
        reference->hooks.set += values[i].has_data && values[i].component == REF_HOOKED;
    }
    call_added(reference, entity, entity->mask);
}

void reference_change(Reference *reference, uint32_t position, const uint32_t *removed,
                      uint32_t removed_count, const RefValue *values, uint32_t count)
{
    RefEntity *entity = &reference->entities[position];
    uint32_t before = entity->mask;
    for (uint32_t i = 0; i < removed_count; i++)
        take(entity, removed[i]);
    for (uint32_t i = 0; i < count; i++) {
        put(reference, entity, values[i].component, values[i].has_data, values[i].seed);
        reference->hooks.set += values[i].has_data && values[i].component == REF_HOOKED;
    }
    if (entity->mask != before)
        entity->moved = reference->tick;
    call_removed(reference, entity, before & ~entity->mask);
    call_added(reference, entity, entity->mask & ~before);
}

void reference_set_pair(Reference *reference, uint32_t position, uint32_t kind, uint32_t target,
                        bool has_data, uint64_t seed)
{
    RefEntity *entity = &reference->entities[position];
    RefPair *pair = reference_pair(entity, kind, target);
    if (!pair) {
        pair = &entity->pairs[entity->pair_count++];
        *pair = (RefPair){kind, target, 0};
        reference->entities[target].pointed_at++;
    }
    if (has_data)
        pair->seed = seed;
}

void reference_remove_pair(Reference *reference, uint32_t position, uint32_t kind, uint32_t target)
{
    RefEntity *entity = &reference->entities[position];
    RefPair *pair = reference_pair(entity, kind, target);
    if (pair)
        drop_pair(reference, entity, (uint32_t)(pair - entity->pairs));
}

bool reference_set_parent(Reference *reference, uint32_t child, uint32_t parent)
{
    RefEntity *entity = &reference->entities[child];
    for (uint32_t up = parent; up != REF_NONE; up = reference->entities[up].parent)
        if (up == child)
            return false;
    if (parent != REF_NONE && entity->parent == parent)
        return true;
    if (parent == REF_NONE && !entity->has_node)
        return true;
    detach(reference, entity);
    entity->has_node = true;
    entity->parent = parent;
    entity->place = ++reference->next_place;
    if (parent != REF_NONE) {
        reference->entities[parent].child_count++;
        reference->entities[parent].has_node = true;
    }
    return true;
}

/* ---- Deferred operations ---- */

bool reference_record(Reference *reference, uint32_t buffer, const RefCommand *command)
{
    return cn_array_push(&reference->buffers[buffer], *command);
}

void reference_discard(Reference *reference, uint32_t buffer)
{
    cn_array_clear(&reference->buffers[buffer]);
}

static void apply_to(Reference *reference, uint32_t position, const RefCommand *command)
{
    RefEntity *entity = &reference->entities[position];
    uint32_t target = REF_NONE;
    if (command->op >= REF_ADD_PAIR) {
        target = reference_find(reference, command->other);
        if (target == REF_NONE)
            return; /* the pair went with its target */
    }
    switch (command->op) {
    case REF_ADD:
        put(reference, entity, command->component, false, 0);
        break;
    case REF_SET:
        put(reference, entity, command->component, true, command->seed);
        entity->hooked_sets += command->component == REF_HOOKED;
        break;
    case REF_RESET:
        put(reference, entity, command->component, true, 0);
        break;
    case REF_REMOVE:
        take(entity, command->component);
        break;
    case REF_ADD_PAIR:
    case REF_SET_PAIR:
        reference_set_pair(reference, position, command->component, target,
                           command->op == REF_SET_PAIR, command->seed);
        break;
    case REF_REMOVE_PAIR:
        reference_remove_pair(reference, position, command->component, target);
        break;
    default:
        break;
    }
}

/* Remembers what the entity had before the flush, for its hooks. */
static void touch(Reference *reference, RefEntity *entity)
{
    if (entity->touched == reference->flush)
        return;
    entity->touched = reference->flush;
    entity->mask_before = entity->mask;
    entity->hooked_sets = 0;
}

static void apply_structure(Reference *reference, const RefCommands *commands)
{
    for (uint32_t i = 0; i < commands->count; i++) {
        const RefCommand *command = &commands->items[i];
        if (command->op >= REF_SET_PARENT)
            continue;
        if (command->op == REF_SPAWN) {
            touch(reference, enter(reference, command->entity));
            continue;
        }
        uint32_t position = reference_find(reference, command->entity);
        if (position == REF_NONE) {
            reference->skipped++;
            continue;
        }
        touch(reference, &reference->entities[position]);
        apply_to(reference, position, command);
    }
}

/* Hooks see the difference between before and after, once for each entity. */
static void call_flush_hooks(Reference *reference)
{
    for (uint32_t i = 0; i < reference->live_count; i++) {
        RefEntity *entity = &reference->entities[reference->live[i]];
        if (entity->touched != reference->flush)
            continue;
        uint32_t before = entity->mask_before, after = entity->mask;
        if (before != after)
            entity->moved = reference->tick;
        call_removed(reference, entity, before & ~after);
        call_added(reference, entity, after & ~before);
        if (after >> REF_HOOKED & 1u)
            reference->hooks.set += entity->hooked_sets;
    }
}

static void apply_parents(Reference *reference, const RefCommands *commands)
{
    for (uint32_t i = 0; i < commands->count; i++) {
        const RefCommand *command = &commands->items[i];
        if (command->op != REF_SET_PARENT)
            continue;
        uint32_t child = reference_find(reference, command->entity);
        uint32_t parent = reference_find(reference, command->other);
        if (child == REF_NONE || (command->other.id && parent == REF_NONE))
            reference->skipped++;
        else if (!reference_set_parent(reference, child, parent))
            reference->failed++;
    }
}

static void apply_destroys(Reference *reference, const RefCommands *commands)
{
    for (uint32_t i = 0; i < commands->count; i++) {
        if (commands->items[i].op != REF_DESTROY)
            continue;
        uint32_t position = reference_find(reference, commands->items[i].entity);
        if (position == REF_NONE)
            reference->skipped++;
        else
            reference_destroy(reference, position);
    }
}

static void apply_round(Reference *reference, const RefCommands *lists, uint32_t count)
{
    reference->flush++;
    for (uint32_t i = 0; i < count; i++)
        apply_structure(reference, &lists[i]);
    call_flush_hooks(reference);
    for (uint32_t i = 0; i < count; i++)
        apply_parents(reference, &lists[i]);
    for (uint32_t i = 0; i < count; i++)
        apply_destroys(reference, &lists[i]);
}

void reference_settle(Reference *reference)
{
    while (reference->from_hooks.count) {
        RefCommands commands = reference->from_hooks;
        cn_array_init(&reference->from_hooks, NULL);
        apply_round(reference, &commands, 1);
        cn_array_fini(&commands);
    }
}

void reference_flush(Reference *reference)
{
    apply_round(reference, reference->buffers, REF_BUFFERS);
    for (uint32_t i = 0; i < REF_BUFFERS; i++)
        cn_array_clear(&reference->buffers[i]);
    for (uint32_t i = 0; i < REF_MAX_ENTITIES; i++)
        reference->entities[i].pairs_asked = 0;
    reference_settle(reference);
}

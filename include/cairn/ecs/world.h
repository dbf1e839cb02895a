/*
 * A world: entities, their components, and the operations on single entities. One thread owns a
 * world at a time; query.h and command.h describe what other threads may do meanwhile.
 *
 *     CnWorld *world = cn_world_create(NULL, NULL);
 *     CnEntity e = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with_tag(Enemy));
 *     cn_set(world, e, Health, {100, 100}); // adds or overwrites
 *     const Position *p = cn_get(world, e, Position);
 *     cn_remove(world, e, Enemy);
 *     cn_destroy(world, e);
 *     cn_world_destroy(world);
 *
 * Values are always complete: as everywhere in C, members that an initializer does not name are
 * zero, whatever the component's default is. The default is used only where no value is given:
 * cn_add, cn_with_default, cn_defer_add, NULL as the data of a CnValue, and NULL for
 * cn_resource_set_value. This holds for spawning, setting, deferred and bulk changes, and
 * resources. To change one member of the default, read it first:
 *
 *     Health health;
 *     cn_read_default(world, Health, &health);
 *     health.now = 5;
 *     cn_set_component(world, e, cn_id(world, Health), &health);
 *
 * Functions called with a dead entity fail: they return false, NULL or the null entity and change
 * nothing. Guards report the call if it is a mistake of the caller. When out of memory, functions
 * fail in the same way and leave the world unchanged.
 */
#ifndef CAIRN_ECS_WORLD_H
#define CAIRN_ECS_WORLD_H

#include <cairn/ecs/storage.h>

CN_EXTERN_C_BEGIN

typedef struct CnWorldDesc {
    CnAllocator *allocator;    /* NULL: the system allocator */
    uint32_t first_generation; /* of new slots, odd; 0 means 1. For tests of the wrap. */
} CnWorldDesc;

/* Creates a world. `desc` may be NULL. Returns NULL and sets the error when out of memory. */
CN_API CnWorld *cn_world_create(const CnWorldDesc *desc, CnError *error);
/* Destroys a world and everything in it. NULL is ignored. */
CN_API void cn_world_destroy(CnWorld *world);
/* Returns the allocator of the world, for data that has the lifetime of the world. */
CN_API CnAllocator *cn_world_allocator(const CnWorld *world);
/* Destroys all entities and calls their hooks. Registrations, queries and systems remain. */
CN_API void cn_world_clear(CnWorld *world);
/* Frees unused memory: spare chunks and empty archetypes. Queries no longer visit these archetypes.
 * A record of a few hundred bytes remains for each, so that it returns to its old position and the
 * order of iteration does not depend on trimming. */
CN_API void cn_world_trim(CnWorld *world);

typedef struct CnWorldStats {
    uint32_t entities;      /* alive */
    uint32_t retired_slots; /* retired because their generation would wrap */
    uint32_t components;
    uint32_t archetypes, empty_archetypes;
    uint32_t chunks;
    uint32_t queries;
    uint64_t skipped_commands;  /* deferred operations whose entity was dead at the flush */
    uint64_t failed_commands;   /* commands that were refused or exhausted memory or a limit */
    uint64_t oversize_commands; /* commands whose value is larger than CN_COMMAND_SLOT_BYTES */
    uint64_t dropped_events;
    uint64_t unhandled_errors; /* failures without an error receiver; each cause is logged once */
} CnWorldStats;

CN_API CnWorldStats cn_world_stats(const CnWorld *world);
/* Returns where failures of this world are reported if the caller passes no CnError; for other
 * modules and CN_REPORT_UNHANDLED. Reporting does not change the world. Any thread. */
CN_API CnUnhandledErrors *cn_world_unhandled_errors(const CnWorld *world);

/* ---- Entities ---- */

/* Creates an entity without components. Returns the null entity when out of memory or slots. */
CN_API CnEntity cn_entity_create(CnWorld *world);
/* Creates an entity with at most CN_MAX_VALUES components; if a component is given twice, the later
 * value is used. */
CN_API CnEntity cn_spawn_values(CnWorld *world, const CnValue *values, uint32_t count);
#define cn_spawn(world, ...)                                                                       \
    cn_spawn_values((world), (const CnValue[]){__VA_ARGS__},                                       \
                    (uint32_t)(sizeof((const CnValue[]){__VA_ARGS__}) / sizeof(CnValue)))
/* Creates `count` entities, all or none. `entities` receives their ids and may be NULL. */
CN_API bool cn_spawn_many_values(CnWorld *world, uint32_t count, CnEntity *entities,
                                 const CnValue *values, uint32_t value_count);
#define cn_spawn_many(world, count, entities, ...)                                                 \
    cn_spawn_many_values((world), (count), (entities), (const CnValue[]){__VA_ARGS__},             \
                         (uint32_t)(sizeof((const CnValue[]){__VA_ARGS__}) / sizeof(CnValue)))

/* Destroys an entity with its children and removes pairs that target them. Returns false if it was
 * already dead. It cannot fail: cleanup for which no memory is available is done later. */
CN_API bool cn_destroy(CnWorld *world, CnEntity entity);
/* Destroys several entities and skips dead ones. Returns the number of destroyed entities. */
CN_API uint32_t cn_destroy_many(CnWorld *world, const CnEntity *entities, uint32_t count);
static inline bool cn_is_alive(const CnWorld *world, CnEntity entity)
{
    return cni_ecs_live_slot(world, entity) != NULL;
}
CN_API uint32_t cn_entity_count(const CnWorld *world);

/* ---- Components of one entity ---- */

/* Adds a component with its default value (see cn_register). Does nothing if it already exists. */
CN_API bool cn_add_component(CnWorld *world, CnEntity entity, CnComponent component);
#define cn_add(world, entity, T) cn_add_component((world), (entity), cn_id((world), T))

/* Adds or overwrites a component with a complete value; members that are not named are zero. */
CN_API bool cn_set_component(CnWorld *world, CnEntity entity, CnComponent component,
                             const void *value);
#define cn_set(world, entity, T, ...)                                                              \
    cn_set_component((world), (entity), cn_id((world), T), &(const T)__VA_ARGS__)

/* Removes a component. Returns true if the entity does not have the component afterwards, including
 * when it never had it. */
CN_API bool cn_remove_component(CnWorld *world, CnEntity entity, CnComponent component);
#define cn_remove(world, entity, T)                                                                \
    cn_remove_component((world), (entity), cn_component_of((world), &cn_type_##T))

/* Removes several components in one move: cn_remove_many(world, e, Position, Velocity, Enemy). The
 * on_remove hook of each existing one is called once. On failure, returns false and removes
 * nothing. */
CN_API bool cn_remove_components(CnWorld *world, CnEntity entity, const CnComponent *components,
                                 uint32_t count);
#define cn_remove_many(world, entity, ...)                                                         \
    cn_remove_components((world), (entity),                                                        \
                         (const CnComponent[]){CNI_EACH(CNI_COMPONENT_OF, world, __VA_ARGS__)},    \
                         (uint32_t)CNI_COUNT(__VA_ARGS__))
#define CNI_COMPONENT_OF(world, T) cn_component_of((world), &cn_type_##T),

/* Several changes in one move: first all removals, then all values. */
typedef struct CnChange {
    const CnValue *set;
    uint32_t set_count;
    const CnComponent *remove;
    uint32_t remove_count;
} CnChange;
CN_API bool cn_change(CnWorld *world, CnEntity entity, const CnChange *change);

CN_API bool cn_has_component(const CnWorld *world, CnEntity entity, CnComponent component);
#define cn_has(world, entity, T)                                                                   \
    cn_has_component((world), (entity), cn_component_of((world), &cn_type_##T))

/* Returns the address of a packed component, or NULL. Valid until the next structural change. */
static inline const void *cn_get_component(const CnWorld *world, CnEntity entity,
                                           CnComponent component)
{
    const CniEcsChunk *chunks = ((const CniEcsWorldHead *)(const void *)world)->chunks;
    CN_ASSERT(cni_ecs_may_read(world, component.id), "%s",
              cni_ecs_access_text(world, component.id, "read"));
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    if (CN_UNLIKELY(!slot))
        return NULL;
    const CniEcsChunk *chunk = &chunks[slot->location >> CNI_ECS_ROW_BITS];
    const uint32_t place = component.id % CNI_ECS_CACHED_COLUMNS;
    if (CN_LIKELY(chunk->near_components[place] == component.id)) {
        if (!chunk->data)
            __builtin_unreachable(); /* spares callers a check */
        return chunk->data + chunk->near_offsets[place] +
               cni_ecs_row_of(slot) * chunk->near_sizes[place];
    }
    const CniEcsColumnSlot *column = cni_ecs_packed_column(chunk, component);
    return column
               ? chunk->data + column->offset + (chunk->first + cni_ecs_row_of(slot)) * column->size
               : NULL;
}
#define cn_get(world, entity, T)                                                                   \
    ((const T *)cn_get_component((world), (entity), cn_component_of((world), &cn_type_##T)))

/* The same for writing. Marks the column as changed; on_set is not called. */
static inline void *cn_get_component_mut(CnWorld *world, CnEntity entity, CnComponent component)
{
    const CniEcsWorldHead *head = (const CniEcsWorldHead *)(const void *)world;
    CN_ASSERT(cni_ecs_may_write(world, component.id), "%s",
              cni_ecs_access_text(world, component.id, "write"));
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    if (CN_UNLIKELY(!slot))
        return NULL;
    const CniEcsChunk *chunk = &head->chunks[slot->location >> CNI_ECS_ROW_BITS];
    const CniEcsColumnSlot *column = cni_ecs_packed_column(chunk, component);
    if (CN_UNLIKELY(!column))
        return NULL;
    const CniEcsArchetypeHead *archetype = chunk->archetype;
    archetype->ticks[(size_t)chunk->position * archetype->tick_stride + column->column] =
        head->tick;
    if (CN_UNLIKELY(column->is_tracked))
        cni_ecs_row_mark_written(world, entity, component);
    return chunk->data + column->offset + (chunk->first + cni_ecs_row_of(slot)) * column->size;
}
#define cn_get_mut(world, entity, T)                                                               \
    ((T *)cn_get_component_mut((world), (entity), cn_component_of((world), &cn_type_##T)))

/* Copies the complete value, in either layout. Returns false if the component is absent. */
CN_API bool cn_read_component(const CnWorld *world, CnEntity entity, CnComponent component,
                              void *value);
#define cn_read(world, entity, T, value)                                                           \
    cn_read_component((world), (entity), cn_component_of((world), &cn_type_##T), (T *){(value)})

/* Copies the default value of a component: zeros unless one was registered. Returns false and
 * leaves `value` unchanged if the component is not registered. */
CN_API bool cn_read_default_value(const CnWorld *world, CnComponent component, void *value);
#define cn_read_default(world, T, value)                                                           \
    cn_read_default_value((world), cn_component_of((world), &cn_type_##T), (T *){(value)})

/* Returns the address of one field, in either layout; NULL if it is absent. The second function
 * marks a change. */
CN_API const void *cn_get_field(const CnWorld *world, CnEntity entity, CnComponent component,
                                const CnField *field);
CN_API void *cn_get_field_mut(CnWorld *world, CnEntity entity, CnComponent component,
                              const CnField *field);
/* Read or write a field by name. Return false and set an error that names the cause if the entity,
 * component or field does not exist, or if `size` is not the size of the field. */
CN_API bool cn_read_field(const CnWorld *world, CnEntity entity, const char *component,
                          const char *field, void *value, size_t size, CnError *error);
CN_API bool cn_write_field(CnWorld *world, CnEntity entity, const char *component,
                           const char *field, const void *value, size_t size, CnError *error);

/* Fills `components` with at most `capacity` components of an entity, in order of their names;
 * pairs of one kind in order of index and generation of their targets. Returns the number of
 * components. */
CN_API uint32_t cn_entity_components(const CnWorld *world, CnEntity entity, CnComponent *components,
                                     uint32_t capacity);

/* ---- Change ticks ---- */

/* Returns the current change tick, which is stored with writes; each wave of systems has its
 * own. */
CN_API uint64_t cn_world_tick(const CnWorld *world);
/* Starts a new change tick, so that later writes can be distinguished from earlier ones. Returns
 * it. */
CN_API uint64_t cn_world_advance_tick(CnWorld *world);

/* ---- Resources: typed singletons ---- */

/* Stores a copy of the value, or of the component's default if `value` is NULL, and replaces an
 * existing one. The address is valid until the resource is removed or the world is destroyed.
 * Returns NULL when out of memory. */
CN_API void *cn_resource_set_value(CnWorld *world, CnComponent component, const void *value);
#define cn_resource_set(world, T, ...)                                                             \
    ((T *)cn_resource_set_value((world), cn_id((world), T), &(const T)__VA_ARGS__))
/* Return the resource, or NULL if there is none. The second function is for writing. */
CN_API const void *cn_resource_get(const CnWorld *world, CnComponent component);
CN_API void *cn_resource_get_mut(CnWorld *world, CnComponent component);
#define cn_resource(world, T)                                                                      \
    ((const T *)cn_resource_get((world), cn_component_of((world), &cn_type_##T)))
#define cn_resource_mut(world, T)                                                                  \
    ((T *)cn_resource_get_mut((world), cn_component_of((world), &cn_type_##T)))
CN_API bool cn_resource_remove_value(CnWorld *world, CnComponent component);
#define cn_resource_remove(world, T)                                                               \
    cn_resource_remove_value((world), cn_component_of((world), &cn_type_##T))

CN_EXTERN_C_END

#endif

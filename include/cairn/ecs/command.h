/*
 * Commands: structural changes recorded now and applied later, because iterating and moving rows
 * do not mix. A system has a buffer of its own in its context; other code makes one.
 *
 *     CnCommands *commands = cn_commands_create(world);
 *     CnEntity spark = cn_defer_spawn(commands, cn_with(Position, {0, 1, 0}));   // usable at once
 *     cn_defer_set(commands, e, Health, {0, 100});
 *     cn_defer_destroy(commands, e);
 *     cn_flush(world);
 *
 * A flush takes the buffers in order of creation, those of a stage's systems in the order in which
 * they run. It applies additions and removals in the order they were recorded, folded into one move
 * per entity, then the destructions. What targets an entity that is dead by then is skipped and
 * counted; so is a command on an entity that a later buffer spawns, because it comes before the
 * spawning. Each buffer may be recorded by a different thread; the ids of spawned entities depend
 * on the buffer and its commands, never on timing.
 */
#ifndef CAIRN_ECS_COMMAND_H
#define CAIRN_ECS_COMMAND_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef struct CnCommands CnCommands;

CN_API CnCommands *cn_commands_create(CnWorld *world); /* NULL when out of memory */
/* Drops what it still holds. */
CN_API void cn_commands_destroy(CnCommands *commands);
/* Recorded since the last flush; a spawn counts as one. */
CN_API uint32_t cn_commands_count(const CnCommands *commands);

/* Every buffer begins with its world. */
static inline CnWorld *cn_commands_world(const CnCommands *commands)
{
    return *(CnWorld *const *)(const void *)commands;
}

/* All return false (the null entity) when out of memory; nothing is recorded then. */
CN_API CnEntity cn_defer_spawn_values(CnCommands *commands, const CnValue *values, uint32_t count);
#define cn_defer_spawn(commands, ...)                                                              \
    cn_defer_spawn_values((commands), (const CnValue[]){__VA_ARGS__},                              \
                          (uint32_t)(sizeof((const CnValue[]){__VA_ARGS__}) / sizeof(CnValue)))
CN_API bool cn_defer_add_component(CnCommands *commands, CnEntity entity, CnComponent component);
CN_API bool cn_defer_set_component(CnCommands *commands, CnEntity entity, CnComponent component,
                                   const void *value);
CN_API bool cn_defer_remove_component(CnCommands *commands, CnEntity entity, CnComponent component);
/* All of them, or none when out of memory; at most CN_MAX_VALUES. */
CN_API bool cn_defer_remove_components(CnCommands *commands, CnEntity entity,
                                       const CnComponent *components, uint32_t count);
CN_API bool cn_defer_destroy(CnCommands *commands, CnEntity entity);
/* Applied after additions and removals, before destructions. */
CN_API bool cn_defer_set_parent(CnCommands *commands, CnEntity child, CnEntity parent);

/* Reports a type that the world never saw. */
CN_API CnComponent cni_ecs_report_unknown_type(const CnCommands *commands, const CnType *type);

static inline CnComponent cni_ecs_component_for_command(const CnCommands *commands,
                                                        const CnType *type)
{
    CnComponent component = {cni_ecs_component_by_slot(cn_commands_world(commands), type)};
    return CN_LIKELY(component.id != 0) ? component : cni_ecs_report_unknown_type(commands, type);
}

/* The component must be registered: a recording thread cannot do it. Otherwise they return false,
 * and the cause is logged once and counted in the world's stats. */
#define cn_defer_add(commands, entity, T)                                                          \
    cn_defer_add_component((commands), (entity),                                                   \
                           cni_ecs_component_for_command((commands), &cn_type_##T))
#define cn_defer_set(commands, entity, T, ...)                                                     \
    cn_defer_set_component((commands), (entity),                                                   \
                           cni_ecs_component_for_command((commands), &cn_type_##T),                \
                           &(const T)__VA_ARGS__)
#define cn_defer_remove(commands, entity, T)                                                       \
    cn_defer_remove_component((commands), (entity),                                                \
                              cn_component_of(cn_commands_world(commands), &cn_type_##T))

#define cn_defer_remove_many(commands, entity, ...)                                                \
    cn_defer_remove_components((commands), (entity),                                               \
                               (const CnComponent[]){CNI_EACH(                                     \
                                   CNI_COMPONENT_OF, cn_commands_world(commands), __VA_ARGS__)},   \
                               (uint32_t)CNI_COUNT(__VA_ARGS__))

/* Applies every buffer of the world. Commands recorded by hooks meanwhile are applied too. False
 * when some command ran out of memory or of a limit: it was dropped and counted, the others hold.
 */
CN_API bool cn_flush(CnWorld *world);

CN_EXTERN_C_END

#endif

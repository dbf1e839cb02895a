/*
 * Commands: structural changes that are recorded now and applied later, because rows must not move
 * while they are being iterated. Each system has a command buffer in its context; other code
 * creates its own.
 *
 *     CnCommands *commands = cn_commands_create(world, NULL);
 *     CnEntity spark = cn_defer_spawn(commands, cn_with(Position, {0, 1, 0})); // a valid id
 *     cn_defer_set(commands, e, Health, {0, 100});
 *     cn_defer_destroy(commands, spark);
 *     cn_flush(world);
 *
 * A flush applies the buffers in order of creation, and the buffers of a stage's systems in the
 * order in which the systems run. Within a buffer it first applies additions and removals in the
 * order in which they were recorded, combined into one move per entity, and then the destructions.
 * A command whose entity is dead by then is skipped and counted. So is a command on an entity that
 * a later buffer spawns, because it is applied before the spawn. Each buffer may be recorded by a
 * different thread. The ids of spawned entities depend on the buffer and its commands, never on
 * timing.
 */
#ifndef CAIRN_ECS_COMMAND_H
#define CAIRN_ECS_COMMAND_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef struct CnCommands CnCommands;

/* Creates an empty buffer, on the thread that owns the world. Returns NULL and sets the error when
 * out of memory. */
CN_API CnCommands *cn_commands_create(CnWorld *world, CnError *error);
/* Destroys a buffer and discards the commands that have not been applied. NULL is ignored. */
CN_API void cn_commands_destroy(CnCommands *commands);
/* Returns the number of commands recorded since the last flush; a spawn counts as one. */
CN_API uint32_t cn_commands_count(const CnCommands *commands);

/* The first member of every buffer is its world. */
static inline CnWorld *cn_commands_world(const CnCommands *commands)
{
    return *(CnWorld *const *)(const void *)commands;
}

/* The following functions record commands. When out of memory, they record nothing and return false
 * or the null entity. */
CN_API CnEntity cn_defer_spawn_values(CnCommands *commands, const CnValue *values, uint32_t count);
#define cn_defer_spawn(commands, ...)                                                              \
    cn_defer_spawn_values((commands), (const CnValue[]){__VA_ARGS__},                              \
                          (uint32_t)(sizeof((const CnValue[]){__VA_ARGS__}) / sizeof(CnValue)))
CN_API bool cn_defer_add_component(CnCommands *commands, CnEntity entity, CnComponent component);
CN_API bool cn_defer_set_component(CnCommands *commands, CnEntity entity, CnComponent component,
                                   const void *value);
CN_API bool cn_defer_remove_component(CnCommands *commands, CnEntity entity, CnComponent component);
/* Removes up to CN_MAX_VALUES components. When out of memory, records none of the removals. */
CN_API bool cn_defer_remove_components(CnCommands *commands, CnEntity entity,
                                       const CnComponent *components, uint32_t count);
CN_API bool cn_defer_destroy(CnCommands *commands, CnEntity entity);
/* Sets the parent; applied after additions and removals and before destructions. */
CN_API bool cn_defer_set_parent(CnCommands *commands, CnEntity child, CnEntity parent);

/* Reports a type that is not registered in the world. */
CN_API CnComponent cni_ecs_report_unknown_type(const CnCommands *commands, const CnType *type);

static inline CnComponent cni_ecs_component_for_command(const CnCommands *commands,
                                                        const CnType *type)
{
    CnComponent component = {cni_ecs_component_by_slot(cn_commands_world(commands), type)};
    return CN_LIKELY(component.id != 0) ? component : cni_ecs_report_unknown_type(commands, type);
}

/* The component must already be registered, because a recording thread cannot register it.
 * Otherwise these macros return false, and the cause is logged once and counted in the world's
 * statistics. */
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

/* Applies all command buffers of the world, including the commands that hooks record meanwhile.
 * Returns false if a command failed because memory or a limit was exhausted; such a command is
 * dropped and counted, and the others take effect. */
CN_API bool cn_flush(CnWorld *world);
/* Applies only the commands that hooks have recorded, for a system that runs alone and continues
 * with what its own changes caused, before its stage is flushed. Returns false if a command failed.
 * Must not be called in a hook. */
CN_API bool cn_flush_hooks(CnWorld *world);

CN_EXTERN_C_END

#endif

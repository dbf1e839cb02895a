#include "store.h"

/* Hooks that write values call hooks; a chain that never ends is cut. */
#define MAX_DEPTH 100

void cni_hook_call(CnWorld *world, const CnHook *hook, CnEntity entity, uint32_t component)
{
    if (CN_UNLIKELY(world->hook_depth == MAX_DEPTH)) {
        CN_LOG_ERROR("ecs", "hooks call each other without end: one of %s is left out",
                     world->components.items[component].info.name);
        return;
    }
    CnHook copy = *hook; /* the hook may register components, which moves the original */
    world->hook_depth++;
    copy.call(world, entity, (CnComponent){component}, copy.user);
    world->hook_depth--;
}

void cni_hooks_removed(CnWorld *world, CnEntity entity, const Archetype *from, const Archetype *to)
{
    if (CN_LIKELY(!(from->hook_flags & CNI_HOOK_REMOVE)))
        return;
    for (uint32_t i = 0; i < from->id_count; i++) {
        const Component *component = &world->components.items[from->ids[i]];
        if ((component->hook_flags & CNI_HOOK_REMOVE) &&
            !(to && cni_archetype_has(to, from->ids[i])))
            cni_hook_call(world, &component->hooks.on_remove, entity, from->ids[i]);
    }
}

void cni_hooks_removed_all(CnWorld *world, const Archetype *from, const Archetype *to)
{
    for (uint32_t c = 0; c < from->head.chunk_count; c++) {
        uint32_t id = from->head.chunk_ids[c];
        for (uint32_t row = 0; row < world->chunks.items[id].count; row++)
            cni_hooks_removed(world, cni_chunk_entities(&world->chunks.items[id])[row], from, to);
    }
}

void cni_hooks_added(CnWorld *world, CnEntity entity, const Archetype *from, const Archetype *to)
{
    if (CN_LIKELY(!(to->hook_flags & CNI_HOOK_ADD)))
        return;
    for (uint32_t i = 0; i < to->id_count; i++) {
        const Component *component = &world->components.items[to->ids[i]];
        if ((component->hook_flags & CNI_HOOK_ADD) &&
            !(from && cni_archetype_has(from, to->ids[i])))
            cni_hook_call(world, &component->hooks.on_add, entity, to->ids[i]);
    }
}

void cni_hook_set(CnWorld *world, CnEntity entity, uint32_t id)
{
    const Component *component = &world->components.items[id];
    if (CN_UNLIKELY(component->hook_flags & CNI_HOOK_SET))
        cni_hook_call(world, &component->hooks.on_set, entity, id);
}

void cni_archetype_update_hook_flags(CnWorld *world, Archetype *archetype)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < archetype->id_count; i++)
        flags |= world->components.items[archetype->ids[i]].hook_flags;
    archetype->hook_flags = (uint8_t)flags;
    cni_archetype_refresh_edges(archetype);
}

/* Hooks may record commands whose hooks record commands; one that never ends is cut. */
#define MAX_ROUNDS 1000

void cni_hooks_settle(CnWorld *world)
{
    if (CN_LIKELY(!world->hook_commands || !cn_commands_count(world->hook_commands)) ||
        world->hook_depth || world->flushing || world->in_stage)
        return; /* a flush does it, that of the stage where a system is running */
    for (int round = 0; cn_commands_count(world->hook_commands); round++) {
        if (round == MAX_ROUNDS) {
            uint32_t dropped = cn_commands_count(world->hook_commands);
            CN_LOG_ERROR("ecs", "hooks cause each other without end: %u commands dropped", dropped);
            if (cni_commands_discard(world->hook_commands))
                world->failed_commands += dropped;
            return;
        }
        if (!cni_commands_prepare(world))
            return;
        cni_commands_apply(world, 1);
        cni_commands_reap(world);
    }
    cni_commands_return_owned(world->hook_commands);
    cni_components_wake(world);
}

#include "ecs/world/world_internal.h"

/* Hooks that write values call further hooks; this limit ends infinite recursion. */
#define MAX_DEPTH 100

static void call(CnWorld *world, CnHook hook, CnEntity entity, uint32_t component)
{
    if (!hook.call)
        return;
    if (CN_UNLIKELY(world->hook_depth == MAX_DEPTH)) {
        CN_LOG_ERROR("ecs", "hooks call each other endlessly: a hook of %s is skipped",
                     world->components.items[component].info.name);
        return;
    }
    world->hook_depth++;
    hook.call(world, entity, (CnComponent){component}, hook.user);
    world->hook_depth--;
}

static CnHook pick(const CnHooks *hooks, uint32_t flag)
{
    return flag == CNI_ECS_HOOK_ADD   ? hooks->on_add
           : flag == CNI_ECS_HOOK_SET ? hooks->on_set
                                      : hooks->on_remove;
}

/* Component and hook are fetched in each iteration, because a hook may register components and add
 * hooks, which reallocates both. */
static void call_all(CnWorld *world, uint32_t flag, CnEntity entity, uint32_t id)
{
    uint32_t kind = world->components.items[id].info.pair_kind.id;
    call(world, pick(&world->components.items[id].hooks, flag), entity, id);
    for (uint32_t i = 0;; i++) {
        const CniEcsComponent *source = &world->components.items[kind ? kind : id];
        if (CN_LIKELY(i >= source->added_hooks.count))
            return;
        call(world, pick(&source->added_hooks.items[i].hooks, flag), entity, id);
    }
}

void cni_ecs_hooks_removed(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                           const CniEcsArchetype *to)
{
    if (CN_LIKELY(!(from->hook_flags & CNI_ECS_HOOK_ANY_EXIT)))
        return;
    cni_ecs_observers_left(world, entity, from, to);
    if (!(from->hook_flags & CNI_ECS_HOOK_REMOVE))
        return;
    for (uint32_t i = 0; i < from->id_count; i++) {
        uint32_t id = from->ordered[i];
        if ((world->components.items[id].hook_flags & CNI_ECS_HOOK_REMOVE) &&
            !(to && cni_ecs_archetype_has(to, id)))
            call_all(world, CNI_ECS_HOOK_REMOVE, entity, id);
    }
}

void cni_ecs_hooks_removed_all(CnWorld *world, const CniEcsArchetype *from,
                               const CniEcsArchetype *to)
{
    for (uint32_t c = 0; c < from->head.chunk_count; c++) {
        uint32_t id = from->head.chunk_ids[c];
        for (uint32_t row = 0; row < world->chunks.items[id].count; row++)
            cni_ecs_hooks_removed(world, cni_ecs_chunk_entities(&world->chunks.items[id])[row],
                                  from, to);
    }
}

void cni_ecs_hooks_added(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                         const CniEcsArchetype *to)
{
    if (CN_LIKELY(!(to->hook_flags & CNI_ECS_HOOK_ANY_ENTER)))
        return;
    for (uint32_t i = 0; i < to->id_count && (to->hook_flags & CNI_ECS_HOOK_ADD); i++) {
        uint32_t id = to->ordered[i];
        if ((world->components.items[id].hook_flags & CNI_ECS_HOOK_ADD) &&
            !(from && cni_ecs_archetype_has(from, id)))
            call_all(world, CNI_ECS_HOOK_ADD, entity, id);
    }
    cni_ecs_observers_entered(world, entity, from, to);
}

static void list_rows(const CnWorld *world, const CniEcsArchetype *archetype, CnEntity *entities)
{
    for (uint32_t c = 0; c < archetype->head.chunk_count; c++) {
        const CniEcsChunk *chunk = &world->chunks.items[archetype->head.chunk_ids[c]];
        memcpy(entities, cni_ecs_chunk_entities(chunk), chunk->count * sizeof *entities);
        entities += chunk->count;
    }
}

bool cni_ecs_hooks_move_all(CnWorld *world, CniEcsArchetype *from, CniEcsArchetype *to)
{
    if (CN_LIKELY(!cni_ecs_move_calls(from, to)))
        return cni_ecs_rows_move_all(world, from, to);
    /* New entities are mixed with existing ones, so they are collected before the change. */
    uint32_t count =
        to->hook_flags & CNI_ECS_HOOK_OBSERVED ? cni_ecs_archetype_rows(world, from) : 0;
    CnEntity *entities = cn_alloc(world->allocator, count * sizeof *entities);
    bool done = (entities || !count) && cni_ecs_rows_reserve(world, from, to);
    if (done && count)
        list_rows(world, from, entities);
    if (done)
        cni_ecs_hooks_removed_all(world, from, to);
    done = done && cni_ecs_rows_move_all(world, from, to);
    for (uint32_t i = 0; i < count && done; i++)
        cni_ecs_hooks_added(world, entities[i], from, to);
    cn_free(world->allocator, entities, count * sizeof *entities);
    return done;
}

void cni_ecs_hook_set(CnWorld *world, CnEntity entity, uint32_t id)
{
    const CniEcsComponent *component = &world->components.items[id];
    if (CN_UNLIKELY(component->hook_flags & CNI_ECS_HOOK_SET))
        call_all(world, CNI_ECS_HOOK_SET, entity, id);
}

void cni_ecs_archetype_update_hook_flags(CnWorld *world, CniEcsArchetype *archetype)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < archetype->id_count; i++)
        flags |= world->components.items[archetype->ids[i]].hook_flags;
    flags |= archetype->observers.count ? CNI_ECS_HOOK_OBSERVED : 0u;
    archetype->hook_flags = (uint8_t)flags;
    cni_ecs_archetype_refresh_edges(archetype);
}

/* ---- Coming and going ---- */

uint32_t cni_ecs_hook_flags(const CnHooks *hooks)
{
    return (hooks->on_add.call ? CNI_ECS_HOOK_ADD : 0u) |
           (hooks->on_set.call ? CNI_ECS_HOOK_SET : 0u) |
           (hooks->on_remove.call ? CNI_ECS_HOOK_REMOVE : 0u);
}

static uint32_t added_flags(const CniEcsComponent *component)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < component->added_hooks.count; i++)
        flags |= cni_ecs_hook_flags(&component->added_hooks.items[i].hooks);
    return flags;
}

static void set_flags(CnWorld *world, CniEcsComponent *component, uint32_t flags)
{
    /* Systems that call hooks run alone. */
    if ((component->hook_flags ^ flags) & CNI_ECS_HOOK_SET)
        memset(world->sorted_valid, 0, sizeof world->sorted_valid);
    component->hook_flags = flags;
    for (uint32_t i = 0; i < component->archetypes.count; i++)
        cni_ecs_archetype_update_hook_flags(world, component->archetypes.items[i].archetype);
}

/* Called after the hooks of a component changed. Pairs use the hooks of their kind, even if the
 * pair existed before the hooks. */
static void update_flags(CnWorld *world, CniEcsComponent *component)
{
    uint32_t kind = component->info.pair_kind.id;
    uint32_t added = added_flags(kind ? &world->components.items[kind] : component);
    set_flags(world, component, cni_ecs_hook_flags(&component->hooks) | added);
    for (uint32_t id = cn_bitset_next(&component->pairs, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(&component->pairs, id + 1)) {
        CniEcsComponent *pair = &world->components.items[id];
        if (!pair->has_own_hooks) {
            pair->hooks = component->hooks;
            pair->hook_owner = component->hook_owner;
        }
        set_flags(world, pair, cni_ecs_hook_flags(&pair->hooks) | added);
    }
}

static CniEcsComponent *checked(CnWorld *world, CnComponent id)
{
    CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    CN_ASSERT(component, "component %u is not registered", id.id);
    return component;
}

void cn_component_set_hooks(CnWorld *world, CnComponent id, const CnHooks *hooks)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(hooks, "%s: hooks is NULL", __func__);
    CniEcsComponent *component = checked(world, id);
    if (!component)
        return;
    component->hooks = *hooks;
    component->hook_owner = cni_ecs_hook_flags(hooks) ? world->owner : 0;
    component->has_own_hooks = component->info.pair_kind.id != 0;
    update_flags(world, component);
}

bool cn_component_add_hooks(CnWorld *world, CnComponent id, const CnHooks *hooks)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(hooks, "%s: hooks is NULL", __func__);
    CniEcsComponent *component = checked(world, id);
    CN_ASSERT(!component || !component->info.pair_kind.id, "hooks are added to a kind of pairs");
    if (!component || component->info.pair_kind.id ||
        !cn_array_push(&component->added_hooks, (CniEcsAddedHooks){*hooks, world->owner}))
        return false;
    update_flags(world, component);
    return true;
}

static bool is_same_hook(CnHook a, CnHook b)
{
    return a.call == b.call && a.user == b.user;
}

static void remove_added(CnWorld *world, CniEcsComponent *component, uint32_t at)
{
    for (uint32_t i = at + 1; i < component->added_hooks.count; i++)
        component->added_hooks.items[i - 1] = component->added_hooks.items[i];
    component->added_hooks.count--;
    update_flags(world, component);
}

bool cn_component_remove_hooks(CnWorld *world, CnComponent id, const CnHooks *hooks)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(hooks, "%s: hooks is NULL", __func__);
    CniEcsComponent *component = checked(world, id);
    for (uint32_t i = 0; component && i < component->added_hooks.count; i++) {
        const CnHooks *added = &component->added_hooks.items[i].hooks;
        if (is_same_hook(added->on_add, hooks->on_add) &&
            is_same_hook(added->on_set, hooks->on_set) &&
            is_same_hook(added->on_remove, hooks->on_remove)) {
            remove_added(world, component, i);
            return true;
        }
    }
    return false;
}

void cni_ecs_hooks_forget_owner(CnWorld *world, uint32_t owner)
{
    for (uint32_t id = 1; id < world->components.count; id++) {
        CniEcsComponent *component = &world->components.items[id];
        bool inherits = component->info.pair_kind.id && !component->has_own_hooks;
        if (component->hook_owner == owner && !inherits)
            cn_component_set_hooks(world, (CnComponent){id}, &(CnHooks){0});
        for (uint32_t i = component->added_hooks.count; i-- > 0;)
            if (component->added_hooks.items[i].owner == owner)
                remove_added(world, component, i);
    }
}

/* ---- Commands recorded by hooks ---- */

/* Hooks may record commands whose hooks record commands; this limit ends infinite loops. */
#define MAX_ROUNDS 1000

/* Applies commands of hooks in rounds. Returns false if some of them could not be applied. */
static bool apply_rounds(CnWorld *world)
{
    bool done = true;
    for (int round = 0; cn_commands_count(world->hook_commands); round++) {
        if (round == MAX_ROUNDS) {
            uint32_t dropped = cn_commands_count(world->hook_commands);
            CN_LOG_ERROR("ecs", "hooks trigger each other endlessly: %u commands are dropped",
                         dropped);
            if (cni_ecs_commands_discard(world->hook_commands))
                world->failed_commands += dropped;
            return false;
        }
        if (!cni_ecs_commands_prepare(world))
            return false;
        done &= cni_ecs_commands_apply(world, 1);
        cni_ecs_commands_reap(world);
    }
    cni_ecs_commands_return_owned(world->hook_commands);
    cni_ecs_components_reclaim(world);
    return done;
}

void cni_ecs_hooks_flush(CnWorld *world)
{
    if (CN_LIKELY(!world->hook_commands || !cn_commands_count(world->hook_commands)) ||
        world->hook_depth || world->flushing || world->in_stage)
        return; /* left to a flush; in a system, to that of its stage */
    apply_rounds(world);
}

bool cn_flush_hooks(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->hook_depth && !world->flushing, "a hook cannot flush");
    CN_ASSERT(cni_ecs_may_change_structure(), "only a system that runs alone may flush");
    if (world->hook_depth || world->flushing)
        return false;
    return apply_rounds(world);
}

#include "ecs/world/world_internal.h"

struct CnObserver {
    CnWorld *world;
    CnQuery *query;
    CnObserverFn on_enter, on_exit;
    void *user;
    CnQueryDesc desc; /* for clones */
    uint32_t owner;
    bool is_ended; /* destroyed by a callback; freed when no callback runs */
};

static bool is_in(const CniEcsArchetype *archetype, const CnObserver *observer)
{
    for (uint32_t i = 0; archetype && i < archetype->observers.count; i++)
        if (archetype->observers.items[i] == observer)
            return true;
    return false;
}

static void call(CnWorld *world, const CnObserver *observer, CnObserverFn function, CnEntity entity)
{
    if (!function || observer->is_ended)
        return;
    world->hook_depth++;
    function(world, entity, observer->user);
    world->hook_depth--;
}

void cni_ecs_observers_left(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                            const CniEcsArchetype *to)
{
    for (uint32_t i = 0; i < from->observers.count; i++) {
        const CnObserver *observer = from->observers.items[i];
        if (!is_in(to, observer))
            call(world, observer, observer->on_exit, entity);
    }
}

void cni_ecs_observers_entered(CnWorld *world, CnEntity entity, const CniEcsArchetype *from,
                               const CniEcsArchetype *to)
{
    for (uint32_t i = 0; i < to->observers.count; i++) {
        const CnObserver *observer = to->observers.items[i];
        if (!is_in(from, observer))
            call(world, observer, observer->on_enter, entity);
    }
}

bool cni_ecs_same_observers(const CniEcsArchetype *a, const CniEcsArchetype *b)
{
    return a->observers.count == b->observers.count &&
           (!a->observers.count || !memcmp(a->observers.items, b->observers.items,
                                           a->observers.count * sizeof *a->observers.items));
}

bool cni_ecs_observers_find(CnWorld *world, CniEcsArchetype *archetype)
{
    for (uint32_t i = 0; i < world->observers.count; i++) {
        CnObserver *observer = world->observers.items[i];
        if (cni_ecs_query_matches_archetype(observer->query, archetype) &&
            !cn_array_push(&archetype->observers, observer))
            return false;
    }
    return true;
}

/* ---- Coming and going ---- */

/* Enters the observer in all matching archetypes or in none. */
static bool enter_archetypes(CnWorld *world, CnObserver *observer)
{
    for (uint32_t i = 0; i < world->archetypes.count; i++) {
        CniEcsArchetype *archetype = world->archetypes.items[i];
        if (cni_ecs_query_matches_archetype(observer->query, archetype) &&
            !cn_array_reserve(&archetype->observers, (uint64_t)archetype->observers.count + 1))
            return false;
    }
    for (uint32_t i = 0; i < world->archetypes.count; i++) {
        CniEcsArchetype *archetype = world->archetypes.items[i];
        if (!cni_ecs_query_matches_archetype(observer->query, archetype))
            continue;
        archetype->observers.items[archetype->observers.count++] = observer;
        cni_ecs_archetype_update_hook_flags(world, archetype);
    }
    return true;
}

static void leave_archetypes(CnWorld *world, const CnObserver *observer)
{
    for (uint32_t i = 0; i < world->archetypes.count; i++) {
        CniEcsArchetype *archetype = world->archetypes.items[i];
        uint32_t retained = 0, count = archetype->observers.count;
        for (uint32_t k = 0; k < count; k++)
            if (archetype->observers.items[k] != observer)
                archetype->observers.items[retained++] = archetype->observers.items[k];
        archetype->observers.count = retained;
        if (retained != count)
            cni_ecs_archetype_update_hook_flags(world, archetype);
    }
}

static void free_observer(CnWorld *world, CnObserver *observer)
{
    cn_query_release(observer->query);
    cn_free(world->allocator, observer, sizeof *observer);
}

static void end_observer(CnWorld *world, CnObserver *observer)
{
    uint32_t retained = 0;
    for (uint32_t i = 0; i < world->observers.count; i++)
        if (world->observers.items[i] != observer)
            world->observers.items[retained++] = world->observers.items[i];
    world->observers.count = retained;
    leave_archetypes(world, observer);
    free_observer(world, observer);
}

/* Frees the observers that callbacks have destroyed. */
static void end_marked(CnWorld *world)
{
    for (uint32_t i = world->observers.count; i-- > 0 && world->has_ended_observers;)
        if (world->observers.items[i]->is_ended)
            end_observer(world, world->observers.items[i]);
    world->has_ended_observers = false;
}

static bool enter_existing(CnObserver *observer)
{
    CnWorld *world = observer->world;
    uint32_t count = cn_query_count(observer->query);
    CnEntity *entities = cn_alloc(world->allocator, count * sizeof *entities);
    if (count && !entities)
        return false;
    cn_query_entities(observer->query, entities, count);
    for (uint32_t i = 0; i < count; i++)
        call(world, observer, observer->on_enter, entities[i]);
    cn_free(world->allocator, entities, count * sizeof *entities);
    cni_ecs_hooks_flush(world);
    return true;
}

static bool out_of_memory(CnError *error)
{
    return cn_error_memory(error, "an observer");
}

CnObserver *cn_observer_create(CnWorld *world, const CnObserverDesc *desc, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave creates an observer");
    if (world->hook_depth) {
        cn_error_set(error, CN_ERROR_PERMISSION,
                     "an observer cannot be created in a hook or a callback of another");
        return NULL;
    }
    end_marked(world);
    CnQuery *query = cn_query_acquire(world, &desc->query, error);
    if (!query)
        return NULL;
    CnObserver *observer = cn_alloc_zeroed(world->allocator, sizeof *observer);
    if (!observer || !cn_array_reserve(&world->observers, (uint64_t)world->observers.count + 1)) {
        cn_query_release(query);
        cn_free(world->allocator, observer, sizeof *observer);
        out_of_memory(error);
        return NULL;
    }
    *observer = (CnObserver){.world = world,
                             .query = query,
                             .on_enter = desc->on_enter,
                             .on_exit = desc->on_exit,
                             .user = desc->user,
                             .desc = desc->query,
                             .owner = world->owner};
    if (!enter_archetypes(world, observer)) {
        free_observer(world, observer);
        out_of_memory(error);
        return NULL;
    }
    world->observers.items[world->observers.count++] = observer;
    if (desc->existing && desc->on_enter && !enter_existing(observer)) {
        end_observer(world, observer);
        out_of_memory(error);
        return NULL;
    }
    return observer;
}

void cn_observer_destroy(CnObserver *observer)
{
    if (!observer)
        return;
    CnWorld *world = observer->world;
    CN_ASSERT(!observer->is_ended, "an observer is destroyed twice");
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave destroys an observer");
    observer->is_ended = world->has_ended_observers = true;
    if (!world->hook_depth)
        end_marked(world);
}

/* Omits terms of pairs whose target has died since, as the query did. */
static void copy_terms(CnTerm *to, const CnTerm *from, const CnWorld *world, const CnBitSet *named)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CN_MAX_TERMS && (from[i].type || from[i].component.id); i++) {
        CnComponent id = from[i].type ? cn_component_of(world, from[i].type) : from[i].component;
        if (cn_bitset_has(named, id.id))
            to[count++] = from[i];
    }
}

bool cni_ecs_observers_copy(CnWorld *to, const CnWorld *from)
{
    for (uint32_t i = 0; i < from->observers.count; i++) {
        const CnObserver *source = from->observers.items[i];
        const CnQuery *query = source->query;
        CnError error = {0};
        CnObserverDesc desc = {
            .on_enter = source->on_enter, .on_exit = source->on_exit, .user = source->user};
        if (source->is_ended || query->is_dead)
            continue;
        copy_terms(desc.query.all, source->desc.all, from, &query->all);
        copy_terms(desc.query.any, source->desc.any, from, &query->any);
        copy_terms(desc.query.none, source->desc.none, from, &query->none);
        copy_terms(desc.query.optional, source->desc.optional, from, &query->optional);
        CnObserver *observer = cn_observer_create(to, &desc, &error);
        if (!observer)
            return false;
        observer->owner = source->owner;
    }
    return true;
}

void cni_ecs_observers_forget_owner(CnWorld *world, uint32_t owner)
{
    for (uint32_t i = world->observers.count; i-- > 0;)
        if (world->observers.items[i]->owner == owner)
            cn_observer_destroy(world->observers.items[i]);
}

void cni_ecs_observers_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->observers.count; i++)
        free_observer(world, world->observers.items[i]);
    cn_array_fini(&world->observers);
}

/* ---- Removal lists ---- */

/* The channel is looked up in the calling world, because a clone has its own. */
static void note_removal(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    const CnComponentInfo *info = &world->components.items[component.id].info;
    uint32_t listed = info->pair_kind.id ? info->pair_kind.id : component.id;
    CnRemoval removal = {entity, info->pair_target};
    bool lane;
    const CniEcsSystem *running = cni_ecs_running_system(&lane);
    cni_ecs_set_running_system(
        NULL, false); /* independent of the accesses that the running system declares */
    cn_send_value(world->components.items[world->components.items[listed].removals].channel,
                  &removal);
    cni_ecs_set_running_system(running, lane);
}

CnChannel *cn_removals_of(CnWorld *world, CnComponent id)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    CN_ASSERT(component || !id.id, "component %u is not registered", id.id);
    CN_ASSERT(!component || !component->info.pair_kind.id, "removals are listed by kind of pairs");
    if (!component || component->info.pair_kind.id)
        return NULL;
    if (component->removals)
        return world->components.items[component->removals].channel;
    char name[CN_MAX_NAME_BYTES];
    if (!cn_format(name, sizeof name, "(%s,removed)", component->info.name))
        cn_format(name, sizeof name, "(#%016llx,removed)",
                  (unsigned long long)component->name_hash);
    CnType type = cn_type_CnRemoval;
    type.name = name;
    type.site = NULL;
    CnComponentDesc desc = {.type = &type, .flags = CN_COMPONENT_TRANSIENT};
    CnComponent event = cn_component_register(world, &desc, NULL);
    CnChannel *channel =
        event.id ? cn_channel_open(world, &(CnChannelDesc){.component = event}) : NULL;
    if (!channel)
        return NULL;
    uint32_t owner =
        cn_world_set_owner(world, 0); /* the list outlives the code that requested it */
    bool added = cn_component_add_hooks(world, id, &(CnHooks){.on_remove = {note_removal, NULL}});
    cn_world_set_owner(world, owner);
    if (!added)
        return NULL;
    world->components.items[id.id].removals = event.id;
    return channel;
}

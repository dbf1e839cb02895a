#include "ecs/command/command_buffer.h"
#include "ecs/schedule/split_system.h"
#include "ecs/schedule/schedule.h"

CniEcsSystem *cni_ecs_system_get(const CnWorld *world, uint32_t id)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (world->systems.items[i]->id.id == id && !world->systems.items[i]->leaving)
            return world->systems.items[i];
    return NULL;
}

CniEcsSystem *cni_ecs_system_by_name(const CnWorld *world, const char *name)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (!world->systems.items[i]->leaving && !strcmp(world->systems.items[i]->desc.name, name))
            return world->systems.items[i];
    return NULL;
}

const CniEcsSystem *cni_ecs_system_of_set(const CnWorld *world, const char *set, CnStage stage)
{
    const CniEcsSystem *found = NULL;
    for (uint32_t i = 0; i < world->systems.count; i++) {
        const CniEcsSystem *system = world->systems.items[i];
        if (system->leaving || !system->desc.set || strcmp(system->desc.set, set))
            continue;
        if (system->desc.stage == stage)
            return system;
        found = found ? found : system;
    }
    return found;
}

CnSystem cn_system_find(const CnWorld *world, const char *name)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsSystem *system = cni_ecs_system_by_name(world, name);
    return system ? system->id : (CnSystem){0};
}

const char *cn_system_name(const CnWorld *world, CnSystem id)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsSystem *system = cni_ecs_system_get(world, id.id);
    return system ? system->desc.name : NULL;
}

/* ---- Adding ---- */

static bool intern(CnWorld *world, const char **name)
{
    if (!*name)
        return true;
    CnName interned = cn_name(&world->names, *name);
    *name = cn_name_text(&world->names, interned);
    return interned.id != 0;
}

static bool fail_for_memory(CnError *error, const char *name)
{
    return cn_error_set(error, CN_ERROR_MEMORY, "system %s: out of memory or an unknown component",
                        name);
}

/* Adds the names of systems given by handle to those given by name. */
static bool name_handles(CnWorld *world, const CnSystemDesc *desc, const CnSystem *handles,
                         const char **names, CnError *error)
{
    uint32_t count = 0;
    while (count < CN_MAX_ORDER && names[count])
        count++;
    for (uint32_t i = 0; i < CN_MAX_ORDER && handles[i].id; i++) {
        const CniEcsSystem *other = cni_ecs_system_get(world, handles[i].id);
        if (!other)
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "system %s is ordered by a handle that does not refer to a system",
                                desc->name);
        if (count == CN_MAX_ORDER)
            return cn_error_set(error, CN_ERROR_LIMIT,
                                "system %s is ordered by more than %u others", desc->name,
                                CN_MAX_ORDER);
        names[count++] = other->desc.name;
    }
    return true;
}

static bool declare(CnWorld *world, CniEcsSystem *system, const CnTerm *terms, CnError *error)
{
    for (uint32_t i = 0; i < CN_MAX_TERMS && (terms[i].type || terms[i].component.id); i++) {
        uint32_t id = cni_ecs_value_component(world, terms[i].type, terms[i].component);
        bool writes = terms[i].access == CN_ACCESS_WRITE;
        if (!cni_ecs_access_exists(terms[i].access))
            return cn_error_set(error, CN_ERROR_FORMAT, "system %s: invalid access %d",
                                system->desc.name, (int)terms[i].access);
        if (!id)
            return fail_for_memory(error, system->desc.name);
        /* Which entities have a component cannot change while a stage runs, so matching alone is no
         * access. */
        if (terms[i].access == CN_ACCESS_NONE)
            continue;
        if (!cn_bitset_set(writes ? &system->writes : &system->reads, id))
            return fail_for_memory(error, system->desc.name);
        const CnComponentInfo *info = &world->components.items[id].info;
        if (writes && cn_stage_is_frame(system->desc.stage) &&
            !(info->flags & (CN_COMPONENT_TRANSIENT | CN_COMPONENT_DERIVED)))
            return cn_error_set(error, CN_ERROR_PERMISSION,
                                "system %s of stage %s declares writing %s, which is simulated: "
                                "frame systems may write only transient components",
                                system->desc.name, cn_stage_name(system->desc.stage), info->name);
    }
    return true;
}

static bool is_empty_query(const CnQueryDesc *query)
{
    const CnTerm *first[] = {query->all, query->any, query->none, query->optional};
    for (uint32_t i = 0; i < CN_COUNT_OF(first); i++)
        if (first[i]->type || first[i]->component.id)
            return false;
    return true;
}

static void system_free(CnWorld *world, CniEcsSystem *system)
{
    if (system->runnable) {
        cn_commands_destroy(system->runnable->context.commands);
        cn_query_release(system->runnable->context.query);
        cni_ecs_block_release(&world->core_blocks, system->runnable, CNI_ECS_BLOCK_MIN_CLASS);
    }
    cn_bitset_fini(&system->reads);
    cn_bitset_fini(&system->writes);
    cn_free(world->allocator, system, sizeof *system);
}

static uint32_t find_disabled_set(const CnWorld *world, const char *set)
{
    uint32_t place = 0;
    while (place < world->disabled_sets.count && world->disabled_sets.items[place] != set)
        place++;
    return place;
}

static void set_enabled(const CnWorld *world, CniEcsSystem *system)
{
    system->disabled = !system->enable_wanted ||
                       (system->desc.set &&
                        find_disabled_set(world, system->desc.set) < world->disabled_sets.count);
    system->runnable->run = system->disabled ? NULL : system->desc.run;
}

/* Fills in everything except the command buffer and the list entry. */
static bool fill_system(CnWorld *world, CniEcsSystem *system, const CnSystemDesc *given,
                        const CnQueryDesc *query, CnError *error)
{
    system->desc = *given;
    CnSystemDesc *desc = &system->desc;
    bool done = intern(world, &desc->name) && intern(world, &desc->set);
    for (uint32_t i = 0; i < CN_MAX_ORDER && done; i++)
        done = intern(world, &desc->before[i]) && intern(world, &desc->after[i]);
    if (!done)
        return fail_for_memory(error, given->name);
    if (!name_handles(world, desc, desc->before_system, desc->before, error) ||
        !name_handles(world, desc, desc->after_system, desc->after, error) ||
        !declare(world, system, desc->access, error))
        return false;
    system->runnable->context.query = NULL;
    if (!is_empty_query(query)) {
        system->runnable->context.query = cn_query_acquire(world, query, error);
        if (!system->runnable->context.query)
            return cn_error_set(error, error->code, "system %s: %s", desc->name, error->message);
        if (!declare(world, system, query->all, error) ||
            !declare(world, system, query->any, error) ||
            !declare(world, system, query->optional, error))
            return false;
    }
    desc->query = *query;
    system->enable_wanted = !desc->disabled;
    set_enabled(world, system);
    system->runnable->context.user = desc->user;
    system->runnable->context.split = desc->split;
    system->free =
        desc->alone || (!system->runnable->context.query && cn_bitset_is_empty(&system->reads) &&
                        cn_bitset_is_empty(&system->writes));
    system->owner = world->owner;
    return !cn_stage_is_frame(desc->stage) ||
           cni_ecs_events_add_frame_reader(world, &system->reads, system->free) ||
           fail_for_memory(error, desc->name);
}

static CniEcsSystem *make_system(CnWorld *world, const CnSystemDesc *desc, const CnQueryDesc *query,
                                 CnError *error)
{
    CniEcsSystem *system = cn_alloc_zeroed(world->allocator, sizeof *system);
    if (!system) {
        fail_for_memory(error, desc->name);
        return NULL;
    }
    cn_bitset_init(&system->reads, world->allocator);
    cn_bitset_init(&system->writes, world->allocator);
    system->runnable = cni_ecs_block_acquire(&world->core_blocks, CNI_ECS_BLOCK_MIN_CLASS);
    if (system->runnable)
        *system->runnable = (CniEcsRunnable){.context = {.world = world}};
    else
        fail_for_memory(error, desc->name);
    if (!system->runnable || !fill_system(world, system, desc, query, error)) {
        system_free(world, system);
        return NULL;
    }
    return system;
}

static bool check_desc(const CnSystemDesc *desc, CnError *error)
{
    if (!desc->name || !desc->name[0] || strlen(desc->name) >= CN_MAX_NAME_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "a system needs a name of 1 to %u bytes",
                            CN_MAX_NAME_BYTES - 1);
    if (!desc->run || (unsigned)desc->stage >= CN_STAGE_COUNT)
        return cn_error_set(error, CN_ERROR_FORMAT, "system %s has no %s", desc->name,
                            desc->run ? "valid stage" : "function to run");
    if (desc->set && (!desc->set[0] || strlen(desc->set) >= CN_MAX_NAME_BYTES))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "system %s: the name of a set must have 1 to %u bytes", desc->name,
                            CN_MAX_NAME_BYTES - 1);
    return true;
}

/* `before` and `after` accept names of systems and of sets. */
static bool check_set_names(const CnWorld *world, const CnSystemDesc *desc, CnError *error)
{
    const bool is_set = cni_ecs_system_of_set(world, desc->name, desc->stage) != NULL;
    const bool is_system = desc->set && (!strcmp(desc->set, desc->name) ||
                                         cni_ecs_system_by_name(world, desc->set) != NULL);
    CN_ASSERT(!is_set && !is_system, "system %s: %s is the name of a set and of a system",
              desc->name, is_set ? desc->name : desc->set);
    return (!is_set && !is_system) ||
           cn_error_set(error, CN_ERROR_EXISTS,
                        "system %s: %s is the name of a set and of a system", desc->name,
                        is_set ? desc->name : desc->set);
}

/* Assigns the buffer that a system records into, and the data for the lanes of a split system. */
static bool give_commands(CniEcsSystem *system, CnCommands *commands)
{
    system->runnable->context.commands = commands;
    if (!commands)
        return false;
    commands->world->loose_buffers -= commands->is_loose;
    commands->is_loose = false;
    return !system->desc.split || cni_ecs_split_of(commands, system);
}

/* The new code takes over the position, the number and the commands of the old one. */
static CnSystem replace_in_place(CnWorld *world, CniEcsSystem *old, CniEcsSystem *system,
                                 CnError *error)
{
    CN_ASSERT(!world->updating, "code cannot be replaced while a stage runs");
    CnCommands *commands = old->runnable->context.commands;
    if (!give_commands(system, commands)) {
        system->runnable->context.commands = NULL;
        fail_for_memory(error, system->desc.name);
        system_free(world, system);
        return (CnSystem){0};
    }
    system->runnable->context.last_run = old->runnable->context.last_run;
    system->id = old->id;
    system->stats = old->stats;
    old->runnable->context.commands = NULL;
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (world->systems.items[i] == old)
            world->systems.items[i] = system;
    system_free(world, old);
    world->sorted_valid[system->desc.stage] = false;
    if (system->desc.on_added)
        system->desc.on_added(world, system->desc.user);
    return system->id;
}

CnSystem cn_system_add_query(CnWorld *world, const CnSystemDesc *desc, const CnQueryDesc *query,
                             CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    CnSystem none = {0};
    CN_ASSERT(cni_ecs_running_system_is_exclusive(), "a system that shares its wave adds a system");
    if (!check_desc(desc, error) || !check_set_names(world, desc, error))
        return none;
    CniEcsSystem *old = cni_ecs_system_by_name(world, desc->name);
    if (old && !old->stale) {
        cn_error_set(error, CN_ERROR_EXISTS, "system %s is registered twice", desc->name);
        CN_ASSERT(false, "system %s is registered twice", desc->name);
        return none;
    }
    CniEcsSystem *system = make_system(world, desc, query, error);
    if (!system)
        return none;
    if (old)
        return replace_in_place(world, old, system, error);
    if (!give_commands(system, cn_commands_create(world, error)) ||
        !cn_array_reserve(&world->systems, (uint64_t)world->systems.count + 1)) {
        fail_for_memory(error, desc->name);
        system_free(world, system);
        return none;
    }
    CnSystem id = system->id = (CnSystem){++world->last_system};
    system->coming = world->systems_changed = true;
    world->systems.items[world->systems.count++] = system;
    cni_ecs_systems_apply_pending(world);
    return id;
}

CnSystem cn_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    return cn_system_add_query(world, desc, &desc->query, error);
}

CnSystem cni_ecs_system_add_options(CnWorld *world, const char *name,
                                    void (*run)(CnSystemContext *context), const CnQueryDesc *query,
                                    CnSystemOptions options)
{
    /* The description ends with the same fields in the same order. */
    CN_STATIC_ASSERT(sizeof(CnSystemDesc) == offsetof(CnSystemDesc, user) + sizeof options,
                     "the options do not fit");
    CnSystemDesc desc = {.name = name, .run = run};
    memcpy((char *)&desc + offsetof(CnSystemDesc, user), &options, sizeof options);
    return cn_system_add_query(world, &desc, query, NULL);
}

bool cn_system_enable(CnWorld *world, CnSystem id, bool enabled)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave enables or disables a system");
    CniEcsSystem *system = cni_ecs_system_get(world, id.id);
    if (!system)
        return false;
    system->enable_wanted = enabled;
    world->systems_changed = true;
    cni_ecs_systems_apply_pending(world);
    return true;
}

bool cn_system_set_enable(CnWorld *world, const char *set, bool enabled)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave enables or disables a set");
    const CniEcsSystem *member = cni_ecs_system_of_set(world, set, CN_STAGE_UPDATE);
    if (!member)
        return false;
    uint32_t place = find_disabled_set(world, member->desc.set);
    if (enabled && place < world->disabled_sets.count)
        cn_array_remove_swap(&world->disabled_sets, place);
    if (!enabled && place == world->disabled_sets.count &&
        !cn_array_push(&world->disabled_sets, member->desc.set))
        return false;
    world->systems_changed = true;
    cni_ecs_systems_apply_pending(world);
    return true;
}

bool cn_system_remove(CnWorld *world, CnSystem id)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave removes a system");
    CniEcsSystem *system = cni_ecs_system_get(world, id.id);
    if (!system)
        return false;
    system->leaving = world->systems_changed = true;
    cni_ecs_systems_apply_pending(world);
    return true;
}

/* ---- Boundaries ---- */

static void end_system(CnWorld *world, CniEcsSystem *system)
{
    if (system->stale)
        return; /* its code has been removed */
    if (system->desc.on_removed && !system->coming)
        system->desc.on_removed(world, system->desc.user);
    if (system->desc.dispose)
        system->desc.dispose(system->desc.user);
}

static void drop_system(CnWorld *world, uint32_t place)
{
    CniEcsSystem *system = world->systems.items[place];
    memmove(&world->systems.items[place], &world->systems.items[place + 1],
            (world->systems.count - place - 1) * sizeof system);
    world->systems.count--;
    world->sorted_valid[system->desc.stage] = false;
    end_system(world, system);
    system_free(world, system);
}

/* Callbacks may request further changes, so the search restarts after each. */
static bool apply_one_change(CnWorld *world)
{
    for (uint32_t i = 0; i < world->systems.count; i++) {
        CniEcsSystem *system = world->systems.items[i];
        set_enabled(world, system);
        if (system->leaving) {
            drop_system(world, i);
            return true;
        }
        if (system->coming) {
            system->coming = false;
            world->sorted_valid[system->desc.stage] = false;
            if (system->desc.on_added)
                system->desc.on_added(world, system->desc.user);
            return true;
        }
    }
    return false;
}

void cni_ecs_systems_apply_pending(CnWorld *world)
{
    if (!world->systems_changed || world->updating || world->applying_changes)
        return;
    world->applying_changes = true;
    while (apply_one_change(world)) {
    }
    world->applying_changes = world->systems_changed = false;
}

void cni_ecs_systems_fini(CnWorld *world)
{
    while (world->systems.count) {
        CniEcsSystem *system = world->systems.items[--world->systems.count];
        if (system->desc.dispose && !system->stale)
            system->desc.dispose(system->desc.user);
        system_free(world, system);
    }
    cn_array_fini(&world->systems);
    cn_array_fini(&world->disabled_sets);
    for (int stage = 0; stage < CN_STAGE_COUNT; stage++) {
        cn_array_fini(&world->sorted[stage]);
        cn_array_fini(&world->dispatch_list[stage]);
        cn_array_fini(&world->by_wave[stage]);
    }
}

/* ---- Replaceable code ---- */

uint32_t cn_world_set_owner(CnWorld *world, uint32_t owner)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t before = world->owner;
    world->owner = owner;
    return before;
}

void cn_owner_begin_replace(CnWorld *world, uint32_t owner)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(!world->updating, "code cannot be removed while a stage runs");
    bool applying_changes = world->applying_changes;
    world->applying_changes =
        true; /* requests of callbacks are deferred, so the list does not change */
    for (uint32_t i = 0; i < world->systems.count; i++) {
        CniEcsSystem *system = world->systems.items[i];
        if (system->owner != owner || system->stale)
            continue;
        end_system(world, system);
        system->stale = true;
        system->coming = false;
        world->sorted_valid[system->desc.stage] = false;
    }
    world->applying_changes = applying_changes;
    cni_ecs_hooks_forget_owner(world, owner);
    cni_ecs_observers_forget_owner(world, owner);
    cni_ecs_queries_forget_types(world);
    cni_ecs_commands_forget_types(world);
    world->spawn_cache.archetype = NULL;
    /* Restores the types in the queries of other owners. */
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (!world->systems.items[i]->stale && world->systems.items[i]->runnable->context.query)
            cni_ecs_query_resolve_types(world->systems.items[i]->runnable->context.query,
                                        &world->systems.items[i]->desc.query);
    cni_ecs_systems_apply_pending(world);
}

void cn_owner_end_replace(CnWorld *world, uint32_t owner)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    for (uint32_t i = 0; i < world->systems.count; i++) {
        CniEcsSystem *system = world->systems.items[i];
        if (system->owner == owner && system->stale)
            system->leaving = world->systems_changed = true;
    }
    cni_ecs_systems_apply_pending(world);
}

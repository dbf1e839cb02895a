#include "ecs/schedule/schedule.h"

static const char *const stage_names[CN_STAGE_COUNT] = {
    "PreStartup", "Startup",    "PostStartup", "Input", "PreUpdate", "Update",
    "PostUpdate", "PreExtract", "PreFrame",    "Frame", "PostFrame",
};

const char *cn_stage_name(CnStage stage)
{
    return (unsigned)stage < CN_STAGE_COUNT ? stage_names[stage] : "unknown";
}

bool cni_ecs_stage_exists(CnStage stage, CnError *error)
{
    CN_ASSERT((unsigned)stage < CN_STAGE_COUNT, "invalid stage %d", (int)stage);
    return (unsigned)stage < CN_STAGE_COUNT ||
           cn_error_set(error, CN_ERROR_FORMAT, "invalid stage %d", (int)stage);
}

/* ---- Order ---- */

/* Names are interned: equal names have the same address. */
bool cni_ecs_system_runs_before(const CniEcsSystem *a, const CniEcsSystem *b)
{
    /* A set that one of its own systems refers to represents its other systems. */
    const char *set_of_a = a != b ? a->desc.set : NULL, *set_of_b = a != b ? b->desc.set : NULL;
    for (uint32_t i = 0; i < CN_MAX_ORDER && a->desc.before[i]; i++)
        if (a->desc.before[i] == b->desc.name || a->desc.before[i] == set_of_b)
            return true;
    for (uint32_t i = 0; i < CN_MAX_ORDER && b->desc.after[i]; i++)
        if (b->desc.after[i] == a->desc.name || b->desc.after[i] == set_of_a)
            return true;
    return false;
}

static bool check_names(const CnWorld *world, const CniEcsSystem *system, const char *const *names,
                        const char *word, CnError *error)
{
    for (uint32_t i = 0; i < CN_MAX_ORDER && names[i]; i++) {
        const CniEcsSystem *other = cni_ecs_system_by_name(world, names[i]);
        if (!other)
            other = cni_ecs_system_of_set(world, names[i], system->desc.stage);
        if (!other)
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "system %s must run %s %s, which does not exist", system->desc.name,
                                word, names[i]);
        if (other->desc.stage != system->desc.stage)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "system %s (%s) must run %s %s, which is in stage %s",
                                system->desc.name, cn_stage_name(system->desc.stage), word,
                                names[i], cn_stage_name(other->desc.stage));
    }
    return true;
}

static bool in_stage(const CniEcsSystem *system, CnStage stage)
{
    return system->desc.stage == stage && cni_ecs_system_is_active(system);
}

#define SORTED UINT32_MAX /* value of waits_for */

static bool is_waiting(const CniEcsSystem *system, CnStage stage)
{
    return in_stage(system, stage) && system->waits_for != SORTED;
}

/* Returns the number of unsorted systems that wait for the system. */
static uint32_t count_waiting(const CnWorld *world, const CniEcsSystem *system, CnStage stage)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->systems.count; i++)
        count += is_waiting(world->systems.items[i], stage) &&
                 cni_ecs_system_runs_before(system, world->systems.items[i]);
    return count;
}

/* Systems that no other system waits for are behind a cycle, not part of it; this removes them from
 * the report. The sorted list of the stage is not valid here and serves as a stack of the removed
 * systems. */
static void leave_the_cycle(CnWorld *world, CnStage stage)
{
    cn_array_clear(&world->sorted[stage]); /* has room for all systems */
    CniEcsSystem **stack = world->sorted[stage].items;
    uint32_t top = 0;
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (is_waiting(world->systems.items[i], stage))
            world->systems.items[i]->waited_by =
                count_waiting(world, world->systems.items[i], stage);
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (is_waiting(world->systems.items[i], stage) && !world->systems.items[i]->waited_by)
            stack[top++] = world->systems.items[i];
    while (top) {
        CniEcsSystem *behind = stack[--top];
        behind->waits_for = SORTED;
        for (uint32_t i = 0; i < world->systems.count; i++) {
            CniEcsSystem *other = world->systems.items[i];
            if (is_waiting(other, stage) && cni_ecs_system_runs_before(other, behind) &&
                !--other->waited_by)
                stack[top++] = other;
        }
    }
}

static bool report_cycle(CnWorld *world, CnStage stage, CnError *error)
{
    leave_the_cycle(world, stage);
    char names[200] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < world->systems.count; i++) {
        const CniEcsSystem *system = world->systems.items[i];
        if (!is_waiting(system, stage) || used >= sizeof names - 1)
            continue;
        cn_format(names + used, sizeof names - used, "%s%s", used ? ", " : "", system->desc.name);
        used = strlen(names);
    }
    CN_ASSERT(false, "systems of stage %s wait for each other: %s", cn_stage_name(stage), names);
    return cn_error_set(error, CN_ERROR_CYCLE, "systems of stage %s wait for each other: %s",
                        cn_stage_name(stage), names);
}

/* A flush applies the commands of a stage in the order in which its systems run. */
static bool arrange_buffers(CnWorld *world, CnStage stage)
{
    uint32_t count = world->sorted[stage].count;
    CnCommands **buffers = cn_alloc(world->allocator, count * sizeof *buffers);
    if (!buffers)
        return !count;
    for (uint32_t i = 0; i < count; i++)
        buffers[i] = world->sorted[stage].items[i]->runnable->context.commands;
    bool done = cni_ecs_commands_reorder(world, buffers, count);
    cn_free(world->allocator, buffers, count * sizeof *buffers);
    return done;
}

static bool count_waits(CnWorld *world, CnStage stage, uint32_t *total, CnError *error)
{
    *total = 0;
    for (uint32_t i = 0; i < world->systems.count; i++) {
        CniEcsSystem *system = world->systems.items[i];
        if (!in_stage(system, stage))
            continue;
        if (!check_names(world, system, system->desc.before, "before", error) ||
            !check_names(world, system, system->desc.after, "after", error))
            return false;
        (*total)++;
        system->waits_for = 0;
        for (uint32_t j = 0; j < world->systems.count; j++)
            if (in_stage(world->systems.items[j], stage))
                system->waits_for += cni_ecs_system_runs_before(world->systems.items[j], system);
    }
    return true;
}

/* Kahn's algorithm; of the systems that are ready, the first registered comes first. */
static bool put_in_order(CnWorld *world, CnStage stage, uint32_t total, CnError *error)
{
    while (world->sorted[stage].count < total) {
        CniEcsSystem *runnable = NULL;
        for (uint32_t i = 0; i < world->systems.count && !runnable; i++)
            if (in_stage(world->systems.items[i], stage) && world->systems.items[i]->waits_for == 0)
                runnable = world->systems.items[i];
        if (!runnable)
            return report_cycle(world, stage, error);
        runnable->waits_for = SORTED;
        world->sorted[stage].items[world->sorted[stage].count++] = runnable;
        for (uint32_t i = 0; i < world->systems.count; i++) {
            CniEcsSystem *other = world->systems.items[i];
            if (is_waiting(other, stage) && cni_ecs_system_runs_before(runnable, other))
                other->waits_for--;
        }
    }
    return true;
}

/* ---- Waves ---- */

bool cni_ecs_systems_conflict(const CniEcsSystem *a, const CniEcsSystem *b)
{
    return a->alone || b->alone || cn_bitset_overlaps(&a->writes, &b->writes) ||
           cn_bitset_overlaps(&a->writes, &b->reads) || cn_bitset_overlaps(&a->reads, &b->writes);
}

bool cni_ecs_system_must_precede(const CniEcsSystem *earlier, const CniEcsSystem *later)
{
    return cni_ecs_system_runs_before(earlier, later) || cni_ecs_systems_conflict(earlier, later);
}

/* The accesses of hooks are unknown. */
static bool calls_hooks(const CnWorld *world, const CniEcsSystem *system)
{
    for (uint32_t id = cn_bitset_next(&system->writes, 0); id != CN_BITSET_NONE;
         id = cn_bitset_next(&system->writes, id + 1))
        if (world->components.items[id].hook_flags & CNI_ECS_HOOK_SET)
            return true;
    return false;
}

/* The edges of the graph lead from each system to the later ones that it must precede; a system's
 * wave is the length of the longest path to it. */
static void make_waves(CnWorld *world, CnStage stage)
{
    uint32_t waves = 0;
    for (uint32_t i = 0; i < world->sorted[stage].count; i++)
        world->sorted[stage].items[i]->alone = world->sorted[stage].items[i]->free ||
                                               calls_hooks(world, world->sorted[stage].items[i]);
    for (uint32_t i = 0; i < world->sorted[stage].count; i++) {
        CniEcsSystem *system = world->sorted[stage].items[i];
        system->wave = 0;
        for (uint32_t j = 0; j < i; j++) {
            const CniEcsSystem *earlier = world->sorted[stage].items[j];
            if (earlier->wave >= system->wave && cni_ecs_system_must_precede(earlier, system))
                system->wave = earlier->wave + 1;
        }
        if (system->wave >= waves)
            waves = system->wave + 1;
    }
    world->wave_count[stage] = waves;
}

bool cni_ecs_stage_sort(CnWorld *world, CnStage stage, CnError *error)
{
    uint32_t total;
    cn_array_clear(&world->sorted[stage]);
    cn_array_clear(&world->by_wave[stage]);
    cn_array_clear(&world->dispatch_list[stage]);
    if (!cn_array_reserve(&world->dispatch_list[stage], world->systems.count) ||
        !cn_array_reserve(&world->sorted[stage], world->systems.count) ||
        !cn_array_reserve(&world->by_wave[stage], world->systems.count))
        return cn_error_memory(error, "stage %s", cn_stage_name(stage));
    if (!count_waits(world, stage, &total, error) || !put_in_order(world, stage, total, error))
        return false;
    make_waves(world, stage);
    for (uint32_t i = 0; i < total; i++) {
        CniEcsSystem *system = world->sorted[stage].items[i];
        world->dispatch_list[stage].items[world->dispatch_list[stage].count++] =
            (CniEcsDispatchEntry){system->runnable, system, system->wave,
                                  system->desc.run_if != NULL};
    }
    for (uint32_t wave = 0; wave < world->wave_count[stage]; wave++)
        for (uint32_t i = 0; i < total; i++)
            if (world->sorted[stage].items[i]->wave == wave)
                world->by_wave[stage].items[world->by_wave[stage].count++] =
                    world->sorted[stage].items[i];
    if (!arrange_buffers(world, stage))
        return cn_error_memory(error, "stage %s", cn_stage_name(stage));
    world->sorted_valid[stage] = true;
    return true;
}

/* ---- Inspection ---- */

bool cn_stage_systems(CnWorld *world, CnStage stage, CnScheduled *systems, uint32_t capacity,
                      uint32_t *count, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    *count = 0;
    if (!cni_ecs_stage_exists(stage, error))
        return false;
    if (!world->sorted_valid[stage] && world->updating)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "stage %s cannot be sorted while systems run", cn_stage_name(stage));
    if (!world->sorted_valid[stage] && !cni_ecs_stage_sort(world, stage, error))
        return false;
    *count = world->sorted[stage].count;
    for (uint32_t i = 0; i < *count && i < capacity; i++) {
        const CniEcsSystem *system = world->sorted[stage].items[i];
        systems[i] = (CnScheduled){system->id, system->desc.name, system->wave, system->alone,
                                   !system->disabled};
    }
    return true;
}

static uint32_t first_common(const CnBitSet *a, const CnBitSet *b, uint32_t limit)
{
    for (uint32_t id = 1; id < limit; id++)
        if (cn_bitset_has(a, id) && cn_bitset_has(b, id))
            return id;
    return 0;
}

const char *cn_system_conflict(const CnWorld *world, CnSystem first, CnSystem second, char *text,
                               size_t text_bytes)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniEcsSystem *a = cni_ecs_system_get(world, first.id),
                       *b = cni_ecs_system_get(world, second.id);
    if (!a || !b)
        return NULL;
    const uint32_t limit = world->components.count;
    uint32_t both = first_common(&a->writes, &b->writes, limit);
    uint32_t read = both ? 0 : first_common(&a->writes, &b->reads, limit);
    uint32_t written = both || read ? 0 : first_common(&a->reads, &b->writes, limit);
    uint32_t id = both ? both : read ? read : written;
    if (cni_ecs_system_runs_before(a, b))
        cn_format(text, text_bytes, "before");
    else if (a->alone || b->alone)
        cn_format(text, text_bytes, "%s runs alone", a->alone ? a->desc.name : b->desc.name);
    else if (id)
        cn_format(text, text_bytes, "%s %s",
                  both   ? "both write"
                  : read ? "writes"
                         : "reads",
                  world->components.items[id].info.name);
    else
        return NULL;
    return text;
}

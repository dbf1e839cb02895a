/* Copies the state of one world to another one that the same code has set up. */
#include "ecs/command/command_buffer.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/split_system.h"

#include <cairn/ecs/clone.h>
#include <cairn/ecs/snapshot.h>

/* ---- Checks, before anything changes ---- */

static bool check_idle(const CnWorld *world, CnError *error)
{
    if (world->hook_depth || world->flushing || world->updating)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "the state of a world cannot be copied in a hook, a system or a flush");
    for (uint32_t i = 0; i < world->commands.count; i++)
        if (cn_commands_count(world->commands.items[i]) ||
            world->commands.items[i]->destroy_pending)
            return cn_error_set(error, CN_ERROR_PERMISSION,
                                "the state of a world with pending commands cannot be copied; "
                                "flush it first");
    return true;
}

static bool check_systems(const CnWorld *to, const CnWorld *from, CnError *error)
{
    for (uint32_t i = 0; i < from->systems.count; i++) {
        const CniEcsSystem *source = from->systems.items[i];
        const CniEcsSystem *system = cni_ecs_system_by_name(to, source->desc.name);
        if (!system || system->desc.stage != source->desc.stage)
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "the destination world has no system %s in this stage",
                                source->desc.name);
    }
    for (uint32_t i = 0; i < to->systems.count; i++)
        if (!cni_ecs_system_by_name(from, to->systems.items[i]->desc.name))
            return cn_error_set(error, CN_ERROR_NOT_FOUND, "the source world has no system %s",
                                to->systems.items[i]->desc.name);
    /* Ids of spawned entities depend on the number and order of buffers. */
    return to->commands.count == from->commands.count ||
           cn_error_set(error, CN_ERROR_MISMATCH,
                        "the worlds have %u and %u command buffers; create the same in both",
                        from->commands.count, to->commands.count);
}

static uint32_t counterpart(const CnWorld *to, const CnComponentInfo *info)
{
    return cn_component_find(to, info->name).id;
}

static bool check_channels(const CnWorld *to, const CnWorld *from, CnError *error)
{
    for (uint32_t i = 0; i < from->channels.count; i++) {
        const CnChannel *source = from->channels.items[i];
        const CnComponentInfo *info = &from->components.items[source->component.id].info;
        const CniEcsComponent *known = cni_ecs_component_get(to, counterpart(to, info));
        if (!known && source->count)
            return cn_error_set(
                error, CN_ERROR_NOT_FOUND,
                "events of %s are pending, which the destination world does not know", info->name);
        if (known && (known->info.size != info->size || known->info.layout != info->layout))
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "events of %s have a different structure in the destination world",
                                info->name);
    }
    return true;
}

/* ---- State that snapshots do not contain ---- */

static bool copy_events(CnWorld *to, const CnWorld *from)
{
    for (uint32_t i = 0; i < to->channels.count; i++)
        to->channels.items[i]->count = to->channels.items[i]->old_count = 0;
    for (uint32_t i = 0; i < from->channels.count; i++) {
        const CnChannel *source = from->channels.items[i];
        uint32_t id = counterpart(to, &from->components.items[source->component.id].info);
        if (!id)
            continue; /* no pending events */
        CnChannel *channel = cn_channel_open(
            to, &(CnChannelDesc){.component = {id}, .max_events = source->max_events});
        if (!channel || !cni_ecs_channel_copy(channel, source))
            return false;
    }
    return true;
}

static bool is_disabled_set(const CnWorld *world, const char *set)
{
    for (uint32_t i = 0; i < world->disabled_sets.count; i++)
        if (!strcmp(world->disabled_sets.items[i], set))
            return true;
    return false;
}

static bool copy_switches(CnWorld *to, const CnWorld *from)
{
    for (uint32_t i = 0; i < from->systems.count; i++) {
        const CniEcsSystem *source = from->systems.items[i];
        const CniEcsSystem *system = cni_ecs_system_by_name(to, source->desc.name);
        const char *set = system->desc.set;
        if (system->enable_wanted != source->enable_wanted)
            cn_system_enable(to, system->id, source->enable_wanted);
        if (set && is_disabled_set(to, set) != is_disabled_set(from, set) &&
            !cn_system_set_enable(to, set, !is_disabled_set(from, set)))
            return false;
    }
    return true;
}

/* Command buffers are identified by their positions, which sorting determines. A stage that cannot
 * be sorted is reported by the next update. */
static void sort_stages(const CnWorld *world)
{
    uint32_t count;
    CnError ignored;
    for (uint32_t stage = 0; stage < CN_STAGE_COUNT; stage++)
        cn_stage_systems((CnWorld *)(uintptr_t)world, (CnStage)stage, NULL, 0, &count, &ignored);
}

bool cn_world_copy_state(CnWorld *to, const CnWorld *from, CnError *error)
{
    CN_ASSERT(to, "%s: to is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(from, error);
    CN_ASSERT(to != from, "a world cannot be copied to itself");
    if (to == from)
        return cn_error_set(error, CN_ERROR_PERMISSION, "a world cannot be copied to itself");
    if (!check_idle(from, error) || !check_idle(to, error) || !check_systems(to, from, error) ||
        !check_channels(to, from, error))
        return false;
    sort_stages(from);
    sort_stages(to);
    CnSnapshot snapshot;
    bool done = cn_world_save(from, &snapshot, error) &&
                cn_world_load(to, snapshot.bytes, snapshot.size, error);
    cn_snapshot_free(&snapshot);
    if (done && !(copy_events(to, from) && copy_switches(to, from)))
        done = cn_error_set(error, CN_ERROR_MEMORY,
                            "out of memory: the state of the world is incomplete");
    return done;
}

/*
 * 14: events between C and Lua.
 *
 * Events connect parts of a game that do not know each other. The clock, a system in C, sends
 * Strike without knowing who listens. Scripts subscribe to it and send Ring, which another system
 * in C and another script receive. An event type is described like a component, so scripts can
 * access its fields by name; scripts can use any event name among themselves.
 *
 * Systems send events in Update, scripts receive them after all scripts have run, and PreExtract
 * sees everything that was sent in the tick. The scene is scenes/bells. Run it in the folder that
 * contains scenes/.
 */
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

#include <inttypes.h>
#include <stdio.h>

CN_COMPONENT(Strike, (u32, hour));
CN_COMPONENT(Ring, (entity, bell), (u32, times));
CN_COMPONENT(Bark, (u32, times));

static void strike(CnSystemContext *context)
{
    uint64_t tick = cn_resource(context->world, CnTickInfo)->tick;
    if (tick % 20 == 10)
        cn_send(cn_channel(context->world, Strike), Strike, {.hour = (uint32_t)(tick / 20) + 1});
}

static void listen(CnSystemContext *context)
{
    CnWorld *world = context->world;
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    CnChannel *rings = cn_channel(world, Ring), *barks = cn_channel(world, Bark);
    for (uint32_t i = 0; i < cn_event_count(rings); i++) {
        const Ring *ring = &cn_events(rings, Ring)[i];
        printf("tick %2" PRIu64 ": %s rings %u times\n", tick, cn_object_name(world, ring->bell),
               ring->times);
    }
    for (uint32_t i = 0; i < cn_event_count(barks); i++)
        printf("tick %2" PRIu64 ": the dog barks %u times\n", tick,
               cn_events(barks, Bark)[i].times);
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    CnWorld *world = cn_sim_world(sim);
    CnSystemDesc systems[] = {
        {.name = "strike",
         .run = strike,
         .stage = CN_STAGE_UPDATE,
         .access = {cn_reads(CnTickInfo), cn_writes(Strike)}},
        {.name = "listen",
         .run = listen,
         .stage = CN_STAGE_PRE_EXTRACT,
         .access = {cn_reads(CnTickInfo), cn_reads(Ring), cn_reads(Bark), CN_OBJECT_ACCESS}},
    };
    /* Scripts know the event types whose channels are open. */
    return cn_channel(world, Strike) && cn_channel(world, Ring) && cn_channel(world, Bark) &&
           cn_system_add(world, &systems[0], error).id &&
           cn_system_add(world, &systems[1], error).id;
}

static bool run(CnVfs *vfs, CnScenes *scenes, CnError *error)
{
    return cn_vfs_mount(vfs, "project", "scenes/bells", CN_MOUNT_READ, error) &&
           cn_vfs_mount(vfs, "scripts", "scenes/bells/scripts", CN_MOUNT_READ, error) &&
           cn_scene_load(scenes, cn_vfs_files(vfs), "project://main.json", error) &&
           cn_scenes_tick_n(scenes, 60, error);
}

int main(void)
{
    CnError error = {0};
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    const CnScriptDesc scripts = {.files = vfs ? cn_vfs_files(vfs) : NULL};
    const CnPlugin plugins[] = {{.name = "Clock", .version = 1, .build = build},
                                cn_script_plugin(&scripts)};
    CnScenes *scenes =
        vfs ? cn_scenes_create(
                  &(CnScenesDesc){.plugins = plugins, .plugin_count = CN_COUNT_OF(plugins)}, &error)
            : NULL;
    bool done = scenes && run(vfs, scenes, &error);
    if (!done)
        fprintf(stderr, "14_event_bus: %s\n", error.message);
    cn_scenes_destroy(scenes);
    cn_vfs_destroy(vfs);
    return done ? 0 : 1;
}

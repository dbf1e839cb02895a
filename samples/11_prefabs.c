/*
 * 11: a spawner of prefabs.
 *
 * A prefab is a file with one node and its subtree. It is read once and instantiated any number of
 * times; each instance has its own name, components and children, and records its origin.
 *
 * Creating objects changes the structure of the world, so the spawning system runs alone.
 *
 * Run it in the folder that contains scenes/.
 */
#include <cairn/scene.h>
#include <cairn/vfs.h>

#include <inttypes.h>
#include <stdio.h>

CN_COMPONENT(Spawner, (u32, every_ticks), (u32, left), (f32, apart), (text, prefab, 128));

static void spawn_next(CnWorld *world, CnEntity at, CnFileSystem *files)
{
    CnError error = {0};
    Spawner *spawner = cn_get_mut(world, at, Spawner);
    float x = spawner->apart * (float)cn_child_count(world, at);
    spawner->left--;
    CnEntity made = cn_prefab_spawn(world, files, spawner->prefab, at, &error);
    if (made.id)
        cn_get_mut(world, made, CnTransform)->position.x = x;
    else
        fprintf(stderr, "11_prefabs: %s\n", error.message);
}

static void spawn(CnSystemContext *context)
{
    uint64_t tick = cn_resource(context->world, CnTickInfo)->tick;
    CnEntity spawners[8];
    uint32_t count = cn_query_entities(context->query, spawners, 8);
    for (uint32_t i = 0; i < count && i < 8; i++) {
        const Spawner *spawner = cn_get(context->world, spawners[i], Spawner);
        if (spawner->left && tick % spawner->every_ticks == 0)
            spawn_next(context->world, spawners[i], context->user);
    }
}

static bool build(CnSim *sim, void *files, CnError *error)
{
    CnSystemDesc system = {.name = "spawn",
                           .run = spawn,
                           .user = files,
                           .stage = CN_STAGE_UPDATE,
                           .alone = true,
                           .query = {.all = {cn_reads(Spawner)}}};
    return cn_system_add(cn_sim_world(sim), &system, error).id != 0;
}

static void show(const CnSim *sim, CnEntity street)
{
    CnWorld *world = cn_sim_world(sim);
    printf("tick %" PRIu64 ": %u lamps\n", cn_sim_tick(sim), cn_child_count(world, street));
    CnEntity lamp = cn_first_child(world, street);
    for (; lamp.id; lamp = cn_next_sibling(world, lamp)) {
        CnEntity bulb = cn_object_child(world, lamp, "Bulb");
        CnVec3 at = cn_transform_world_position(world, bulb);
        printf("  %s shines at (%g, %g, %g) as bright as %g, from %s\n",
               cn_object_name(world, bulb), (double)at.x, (double)at.y, (double)at.z,
               (double)cn_get(world, bulb, CnLight)->intensity,
               cn_get(world, lamp, CnPrefabSource)->path);
    }
}

static bool run(CnVfs *vfs, CnScenes *scenes, CnError *error)
{
    const char *path = "assets://lamp.json";
    if (!cn_vfs_mount(vfs, "assets", "scenes/rooms/assets", CN_MOUNT_READ, error))
        return false;
    CnScene *scene = cn_scene_create(scenes, &(CnSceneDesc){.name = "Night"}, error);
    if (!scene)
        return false;
    CnWorld *world = cn_scene_world(scene);
    CnEntity street = cn_object(world, "Street");
    cn_set(world, street, Spawner, {.every_ticks = 30, .left = 3, .apart = 8});
    cn_copy_text(cn_get_mut(world, street, Spawner)->prefab, 128, cn_text(path));

    if (!cn_scenes_tick_n(scenes, 31, error))
        return false;
    show(cn_scene_sim(scene), street);
    /* Each instance is an independent object. */
    cn_get_mut(world, cn_object_find(world, "Street/Lamp/Bulb"), CnLight)->intensity = 3;
    if (!cn_scenes_tick_n(scenes, 60, error))
        return false;
    show(cn_scene_sim(scene), street);
    return true;
}

int main(void)
{
    CnError error = {0};
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    const CnPlugin spawning = {
        .name = "Spawning", .version = 1, .build = build, .user = vfs ? cn_vfs_files(vfs) : NULL};
    CnScenes *scenes =
        vfs ? cn_scenes_create(&(CnScenesDesc){.plugins = &spawning, .plugin_count = 1}, &error)
            : NULL;
    bool done = scenes && run(vfs, scenes, &error);
    if (!done)
        fprintf(stderr, "11_prefabs: %s\n", error.message);
    cn_scenes_destroy(scenes);
    cn_vfs_destroy(vfs);
    return done ? 0 : 1;
}

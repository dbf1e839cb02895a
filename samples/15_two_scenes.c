/*
 * 15: two scenes.
 *
 * A scene is a separate world with its own time, random numbers, physics and scripts. Several
 * scenes can exist at once, identified by name; one is active and runs, the others are suspended. A
 * script, a system or the program switches to another scene, which continues where it stopped when
 * the current tick is complete. Scenes share nothing: two objects named Hero are two objects.
 *
 * Menu and Level are files in scenes/doors. Run it in the folder that contains scenes/.
 */
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

#include <inttypes.h>
#include <stdio.h>

static void show(const CnScenes *scenes)
{
    for (uint32_t i = 0; i < cn_scenes_count(scenes); i++) {
        const CnScene *scene = cn_scenes_at(scenes, i);
        CnWorld *world = cn_scene_world(scene);
        CnVec3 at = cn_transform_world_position(world, cn_object_find(world, "Hero"));
        printf("  %-5s tick %3" PRIu64 ", its hero at (%.2f, %.2f)%s\n", cn_scene_name(scene),
               cn_sim_tick(cn_scene_sim(scene)), (double)at.x, (double)at.y,
               scene == cn_scenes_active(scenes) ? ", active" : "");
    }
}

static bool run(CnVfs *vfs, CnScenes *scenes, CnError *error)
{
    CnFileSystem *files = cn_vfs_files(vfs);
    if (!cn_vfs_mount(vfs, "project", "scenes/doors", CN_MOUNT_READ, error) ||
        !cn_vfs_mount(vfs, "scripts", "scenes/doors/scripts", CN_MOUNT_READ, error) ||
        !cn_scene_load(scenes, files, "project://menu.json", error) || /* the first is active */
        !cn_scene_load(scenes, files, "project://level.json", error))
        return false;
    puts("loaded");
    show(scenes);

    /* A script of the menu switches to the level after half a second. */
    if (!cn_scenes_tick_n(scenes, 60, error))
        return false;
    puts("a second later");
    show(scenes);

    if (!cn_scenes_switch(scenes, "Menu", error) || !cn_scenes_tick_n(scenes, 1, error))
        return false;
    puts("back in the menu, for one tick: its script leaves again");
    show(scenes);

    cn_scene_destroy(cn_scenes_find(scenes, "Menu"));
    if (!cn_scenes_tick_n(scenes, 30, error))
        return false;
    puts("without the menu");
    show(scenes);
    return true;
}

int main(void)
{
    CnError error = {0};
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    const CnScriptDesc scripts = {.files = vfs ? cn_vfs_files(vfs) : NULL};
    const CnPlugin plugin = cn_script_plugin(&scripts);
    CnScenes *scenes =
        vfs ? cn_scenes_create(&(CnScenesDesc){.plugins = &plugin, .plugin_count = 1}, &error)
            : NULL;
    bool done = scenes && run(vfs, scenes, &error);
    if (!done)
        fprintf(stderr, "15_two_scenes: %s\n", error.message);
    cn_scenes_destroy(scenes);
    cn_vfs_destroy(vfs);
    return done ? 0 : 1;
}

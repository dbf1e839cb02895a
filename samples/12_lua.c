/*
 * 12: behavior in Lua.
 *
 * A script belongs to an object, which it accesses as `this`. It is called once per tick, reads and
 * writes the reflected fields of components, and keeps persistent data in this.state. Untrusted
 * scripts run in a sandbox with a list of allowed functions and with budgets for instructions and
 * memory. A script that fails is disabled, with an error that names file and line, and the game
 * continues.
 *
 * The scene is scenes/machines, and its scripts are in scenes/machines/scripts. Run it in the
 * folder that contains scenes/.
 */
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

#include <inttypes.h>
#include <stdio.h>

static void show(CnScene *scene)
{
    CnWorld *world = cn_scene_world(scene);
    CnVec3 tip = cn_transform_world_position(world, cn_object_find(world, "Mill/Tip"));
    CnVec3 drone = cn_transform_world_position(world, cn_object_find(world, "Drone"));
    printf("tick %3" PRIu64 ": the tip of the mill is %.2f high, the drone at (%.2f, %.2f, %.2f)\n",
           cn_sim_tick(cn_scene_sim(scene)), (double)tip.y, (double)drone.x, (double)drone.y,
           (double)drone.z);
}

static void show_scripts(CnWorld *world)
{
    static const char *const names[] = {"Mill", "Drone", "Broken"};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnError error = {0};
        CnEntity object = cn_object_find(world, names[i]);
        bool failed = cn_script_status(world, object) == CN_SCRIPT_FAILED;
        if (failed)
            cn_script_error(world, object, &error);
        printf("%s %s", names[i], failed ? "was disabled" : "runs");
        if (failed)
            printf(": %s:%d: %s", error.file, error.line, error.message);
        puts("");
    }
}

static bool run(CnVfs *vfs, CnScenes *scenes, CnError *error)
{
    if (!cn_vfs_mount(vfs, "project", "scenes/machines", CN_MOUNT_READ, error) ||
        !cn_vfs_mount(vfs, "scripts", "scenes/machines/scripts", CN_MOUNT_READ, error))
        return false;
    CnScene *scene = cn_scene_load(scenes, cn_vfs_files(vfs), "project://main.json", error);
    if (!scene)
        return false;
    for (int second = 0; second <= 4; second++) {
        show(scene);
        if (!cn_scenes_tick_n(scenes, 60, error))
            return false;
    }
    show_scripts(cn_scene_world(scene));
    return true;
}

int main(void)
{
    CnError error = {0};
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* the failing script is reported below */
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    const CnScriptDesc scripts = {.files = vfs ? cn_vfs_files(vfs) : NULL};
    const CnPlugin plugin = cn_script_plugin(&scripts);
    CnScenes *scenes =
        vfs ? cn_scenes_create(&(CnScenesDesc){.plugins = &plugin, .plugin_count = 1}, &error)
            : NULL;
    bool done = scenes && run(vfs, scenes, &error);
    if (!done)
        fprintf(stderr, "12_lua: %s\n", error.message);
    cn_scenes_destroy(scenes);
    cn_vfs_destroy(vfs);
    return done ? 0 : 1;
}

/* A server: a scene with physics and scripts, and a world of blocks, without a screen. */
#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/voxel.h>
#include <stdio.h>

int main(void)
{
    CnError error = {0};
    CnScriptDesc scripts = {0};
    CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
    CnScenes *scenes =
        cn_scenes_create(&(CnScenesDesc){.plugins = plugins, .plugin_count = 2}, &error);
    bool done = scenes && cn_scene_create(scenes, &(CnSceneDesc){.name = "Main"}, &error) &&
                cn_scenes_tick_n(scenes, 10, &error);
    done = done && cn_block_find("stone") == CN_BLOCK_STONE;
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    cn_scenes_destroy(scenes);
    return done ? 0 : 1;
}

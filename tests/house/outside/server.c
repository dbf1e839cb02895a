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
    CnBlockTable *blocks = cn_block_table_create(NULL, &error);
    CnBlockInfo stone = cn_block_info_default("stone");
    done = done && blocks && cn_block_table_add(blocks, &stone, NULL, &error) &&
           cn_block_exists(blocks, cn_block_find(blocks, "stone"));
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    cn_block_table_destroy(blocks);
    cn_scenes_destroy(scenes);
    return done ? 0 : 1;
}

/* Carries out what scripts request: quitting, other scenes, saved games, speed. */
#include "engine/engine_internal.h"

bool cni_engine_script_game_begin(CnEngine *engine, CnError *error)
{
    cn_array_init(&engine->script_ui.boxes, engine->allocator);
    engine->script_game =
        cn_script_game_create(&(CnScriptGameDesc){.allocator = engine->allocator,
                                                  .scenes = engine->scenes,
                                                  .files = cn_vfs_files(engine->vfs),
                                                  .save_folder = engine->desc.save_folder},
                              error);
    return engine->script_game != NULL;
}

/* A state that was restored does not know the window, the gamepads and the focus of today. */
static void notify_again(CnEngine *engine)
{
    CnScene *scene = cn_scenes_active(engine->scenes);
    cni_engine_clear_notified_scene(engine);
    engine->sound.heard_scene = NULL; /* loops of the old state stop */
    cni_engine_notify_scene(engine);
    if (scene && engine->devices.input.focused && !engine->desc.own_input)
        cn_input_focus(cn_sim_input(cn_scene_sim(scene)), true);
}

void cni_engine_script_game_update(CnEngine *engine)
{
    CnScriptGameResult result = {0};
    cn_script_game_update(engine->script_game, &result);
    if (result.replaced)
        notify_again(engine);
    if (result.quit)
        cn_engine_quit(engine, 0);
}

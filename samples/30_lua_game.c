/*
 * 30: a complete game in Lua: a title, a round with a score, music, a saved best and a way back.
 *
 * samples/lua_game has all of it: the scene, the sounds and one script. This program opens a window
 * for it, and names the folder in which the game keeps its values. Run it in the folder that
 * contains samples/. Keys, the mouse and gamepads work.
 */
#include <cairn/engine.h>

static bool start(CnEngine *engine, void *user, CnError *error)
{
    (void)user;
    return cn_engine_load(engine, "samples/lua_game/main.json", error) != NULL;
}

int main(int count, char **arguments)
{
    CnEngineDesc desc = {.title = "Ducklings",
                         .preset = cn_preset_deferred,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                                    .shadow = CN_SWITCH_ON,
                                    .ao = CN_SWITCH_ON,
                                    .bloom = CN_SWITCH_ON},
                         .save_folder = "out/lua_game"};
    return cn_engine_main(&desc, count, arguments, start, NULL);
}

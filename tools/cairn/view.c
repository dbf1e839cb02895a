/* Displays a scene in a window, or renders it to an image. */
#include "commands.h"
#include "options.h"

#include <cairn/engine.h>

#include <stdio.h>
#include <string.h>

typedef struct View {
    const char *scene;
    const char *preset;
    bool fly;
} View;

static const struct {
    const char *name;
    CnPreset preset;
} presets[] = {{"forward", cn_preset_forward},
               {"forward+", cn_preset_forward_plus},
               {"deferred", cn_preset_deferred}};

static CnPreset find_preset(const char *name)
{
    for (size_t i = 0; i < CN_COUNT_OF(presets); i++)
        if (!strcmp(name, presets[i].name))
            return presets[i].preset;
    return NULL;
}

/* Returns the camera of the scene, and adds one if it has none. */
static CnEntity need_camera(CnWorld *world)
{
    CnEntity camera = cn_camera_find(world);
    if (!cn_entity_is_null(camera))
        return camera;
    camera = cn_object(world, "Viewer");
    cn_add(world, camera, CnCamera);
    CnTransform *transform = cn_get_mut(world, camera, CnTransform);
    transform->position = (CnVec3){6, 5, 12};
    transform->rotation = cn_quat_look((CnVec3){-6, -4, -12}, (CnVec3){0, 1, 0});
    return camera;
}

static void need_light(CnWorld *world)
{
    CnEntity any;
    if (cn_objects_with(world, cn_id(world, CnLight), &any, 1))
        return;
    CnEntity sun = cn_object(world, "Viewer's sun");
    cn_set(world, sun, CnLight,
           {.kind = CN_LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .intensity = 3, .shadows = true});
    cn_get_mut(world, sun, CnTransform)->rotation =
        cn_quat_look((CnVec3){-0.5f, -1, -0.7f}, (CnVec3){0, 1, 0});
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    const View *view = user;
    if (!cn_engine_load(engine, view->scene, error))
        return false;
    CnWorld *world = cn_engine_world(engine);
    CnEntity camera = need_camera(world);
    need_light(world);
    return !view->fly || cn_add(world, camera, CnFlyCamera) || cn_error_memory(error, "the viewer");
}

static bool is_captured(const CnEngineDesc *desc)
{
    return desc->image_path || desc->video_path || desc->audio_path;
}

static int usage_error(const char *what)
{
    cn_print_error("cairn view: %s (try cairn view --help)", what);
    return 2;
}

int command_view(int count, char **arguments)
{
    View view = {.preset = "deferred"};
    CnEngineDesc desc = {
        .title = "cairn view",
        .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}, .point_spot_lights = CN_SWITCH_ON}};
    const CnOption options[] = {{"SCENE", NULL, "a scene file", CN_OPTION_TEXT, &view.scene, 0, 0},
                                {"--preset", "NAME", "forward, forward+ or deferred (deferred)",
                                 CN_OPTION_TEXT, &view.preset, 0, 0},
                                {"--fly", NULL, "control the camera with the mouse and W A S D",
                                 CN_OPTION_FLAG, &view.fly, 0, 0},
                                {0}};
    desc.options = options;
    static char name[] = "cairn view";
    arguments[-1] = name; /* replaces the name of the command */
    CnOptionsResult result = cn_engine_read_options(&desc, count + 1, arguments - 1);
    if (result != CN_OPTIONS_CONTINUE)
        return result == CN_OPTIONS_HELP_PRINTED ? 0 : 2;
    if (!desc.headless && desc.hot_reload == CN_SWITCH_DEFAULT)
        desc.hot_reload = is_captured(&desc) ? CN_SWITCH_OFF : CN_SWITCH_ON;
    desc.preset = find_preset(view.preset);
    if (!view.scene)
        return usage_error("no scene file given");
    if (!desc.preset) {
        cn_print_error("cairn view: --preset needs forward, forward+ or deferred, not \"%s\"",
                       view.preset);
        return 2;
    }
    return cn_engine_main(&desc, 1, arguments - 1, start, &view);
}

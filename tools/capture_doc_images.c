/*
 * Takes the screenshots of docs/rendering.md: the gallery, drawn with and without each effect.
 *
 *     capture_doc_images [FOLDER] # default: docs/images/render, run from the root of the tree
 */
#include <cairn/base/console.h>
#include <cairn/engine.h>

#include <stdio.h>
#include <string.h>

#define FRAMES 48 /* until TAA and exposure have converged */

typedef struct Shot {
    const char *name;
    CnPreset preset;
    float sun; /* degrees above the horizon; 0: as in the file */
    CnRenderOptions options;
} Shot;

#define ATMOSPHERE .sky = {.kind = CN_SKY_ATMOSPHERE}
#define ALL                                                                                        \
    ATMOSPHERE, .shadow = CN_SWITCH_ON, .point_spot_lights = CN_SWITCH_ON, .taa = CN_SWITCH_ON

static const Shot shots[] = {
    {"deferred", cn_preset_deferred, 0, {ALL}},
    {"forward", cn_preset_forward, 0, {ALL}},
    {"forward_plus", cn_preset_forward_plus, 0, {ALL}},
    {"no_ibl", cn_preset_deferred, 0, {ALL, .sky.ibl = CN_SWITCH_OFF}},
    {"no_shadow",
     cn_preset_deferred,
     0,
     {ATMOSPHERE, .shadow = CN_SWITCH_OFF, .point_spot_lights = CN_SWITCH_ON}},
    {"no_ao", cn_preset_deferred, 0, {ALL, .ao = CN_SWITCH_OFF}},
    {"no_taa",
     cn_preset_deferred,
     0,
     {ATMOSPHERE, .point_spot_lights = CN_SWITCH_ON, .taa = CN_SWITCH_OFF}},
    {"dof",
     cn_preset_deferred,
     0,
     {ALL, .dof = CN_SWITCH_ON, .dof_options = {.focus = 7, .range = 10}}},
    {"no_bloom", cn_preset_deferred, 3, {ALL}},
    {"evening", cn_preset_deferred, 3, {ALL, .bloom = CN_SWITCH_ON}},
    {"lamps", cn_preset_deferred, -8, {ALL, .bloom = CN_SWITCH_ON, .auto_exposure = CN_SWITCH_ON}},
    {"sky_noon", cn_preset_deferred, 60, {ALL}},
    {"sky_ten", cn_preset_deferred, 10, {ALL}},
    {"sky_two", cn_preset_deferred, 2, {ALL}},
    {"sky_dusk", cn_preset_deferred, -4, {ALL, .auto_exposure = CN_SWITCH_ON}},
};

/* Turns the sun of the file to another height, with the color that the atmosphere leaves. */
static void turn_sun(CnWorld *world, float degrees)
{
    CnEntity sun = cn_light_find_sun(world);
    CnTransform *transform = cn_get_mut(world, sun, CnTransform);
    CnVec3 angles = cn_quat_to_euler(transform->rotation);
    transform->rotation = cn_quat_from_euler(cn_vec3(-degrees, angles.y, 0));
    CnVec3 color = cn_atmosphere_sun_color(cn_quat_rotate(transform->rotation, cn_vec3(0, 0, 1)));
    CnLight *light = cn_get_mut(world, sun, CnLight);
    light->color = (CnVec4){color.x, color.y, color.z, 1};
    if (degrees <= 0)
        light->intensity = 0;
}

static bool take(const Shot *shot, const char *folder, CnError *error)
{
    char path[512];
    if (!cn_format(path, sizeof path, "%s/%s.png", folder, shot->name))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the folder is too long");
    CnEngine *engine = cn_engine_create(&(CnEngineDesc){.headless = true,
                                                        .width = 480,
                                                        .height = 270,
                                                        .frames = FRAMES,
                                                        .image_path = path,
                                                        .preset = shot->preset,
                                                        .render = shot->options},
                                        error);
    bool ok = engine && cn_engine_load(engine, "scenes/gallery/main.json", error);
    if (ok) {
        if (shot->sun != 0)
            turn_sun(cn_engine_world(engine), shot->sun);
        ok = cn_engine_run(engine) == 0;
        if (!ok)
            *error = *cn_engine_error(engine);
    }
    cn_engine_destroy(engine);
    return ok;
}

int main(int count, char **arguments)
{
    const char *folder = count > 1 ? arguments[1] : "docs/images/render";
    bool helps = count == 2 && !strcmp(folder, "--help");
    if (helps || count > 2 || folder[0] == '-') {
        fprintf(helps ? stdout : stderr,
                "usage: capture_doc_images [FOLDER]\n\n"
                "Takes the screenshots of docs/rendering.md. Run it from the root of the tree.\n");
        return helps ? 0 : 2;
    }
    for (size_t i = 0; i < CN_COUNT_OF(shots); i++) {
        CnError error = {0};
        cn_print_error("%s", shots[i].name);
        if (!take(&shots[i], folder, &error)) {
            char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
            cn_print_error("capture_doc_images: %s", cn_error_text(&error, text, sizeof text));
            return 1;
        }
    }
    return 0;
}

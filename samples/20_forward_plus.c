/* 20: forward+. Five hundred lights that wander among columns, sorted into screen tiles. */
#include "scene_helpers.h"

#include <cairn/base/math.h>

CN_COMPONENT(Wander, (vec3, center), (f32, radius), (f32, speed), (f32, angle));

CN_SYSTEM(wander, (write, Wander, w), (write, CnTransform, t))
{
    for (uint32_t i = 0; i < count; i++) {
        w[i].angle += w[i].speed * context->dt;
        t[i].position.x = w[i].center.x + w[i].radius * cn_cosf(w[i].angle);
        t[i].position.y = w[i].center.y + 0.2f * cn_sinf(3 * w[i].angle);
        t[i].position.z = w[i].center.z + w[i].radius * cn_sinf(w[i].angle);
    }
}

/* Returns a reproducible pseudo-random number from 0 to 1 for each light and purpose. */
static float share(uint32_t light, uint32_t purpose)
{
    uint32_t x = (light * 4u + purpose + 1u) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    return (float)((x ^ x >> 13) >> 8) / 16777216.0f;
}

#define HUES 12u

static CnVec3 rainbow(uint32_t hue)
{
    float angle = 6.2832f * (float)hue / HUES;
    return (CnVec3){0.5f + 0.5f * cn_cosf(angle), 0.5f + 0.5f * cn_cosf(angle - 2.0944f),
                    0.5f + 0.5f * cn_cosf(angle + 2.0944f)};
}

/* Creates a light and a small glowing cube; a sphere would be two thousand triangles for a few
 * pixels. */
static void make_light(CnWorld *world, uint32_t i)
{
    uint32_t hue = (uint32_t)(share(i, 0) * HUES);
    CnVec3 color = rainbow(hue);
    char material[32];
    cn_format(material, sizeof material, "Glow %u", hue);
    CnEntity light =
        place(world, "shapes://cube", material, (CnVec3){0, 0, 0}, (CnVec3){0.1f, 0.1f, 0.1f});
    cn_get_mut(world, light, CnMeshRenderer)->casts_shadows = false;
    cn_set(world, light, CnLight,
           {.kind = CN_LIGHT_POINT,
            .color = {color.x, color.y, color.z, 1},
            .intensity = 1.2f,
            .range = 3.5f});
    cn_set(world, light, Wander,
           {.center = {share(i, 1) * 36 - 18, 0.4f + 2.2f * share(i, 0), share(i, 2) * 36 - 18},
            .radius = 0.5f + share(i, 3),
            .speed = 0.5f + share(i, 0),
            .angle = 6.2832f * share(i, 3)});
}

static bool make_materials(CnRenderer *renderer, CnError *error)
{
    bool done = cn_material_create(renderer,
                                   &(CnMaterialDesc){.name = "Stone",
                                                     .base_color = {0.4f, 0.39f, 0.37f, 1},
                                                     .roughness = 0.35f},
                                   error)
                    .id;
    for (uint32_t hue = 0; done && hue < HUES; hue++) {
        char name[32];
        cn_format(name, sizeof name, "Glow %u", hue);
        done =
            cn_material_create(
                renderer,
                &(CnMaterialDesc){.name = name, .emissive = cn_vec3_scale(rainbow(hue), 4)}, error)
                .id;
    }
    return done;
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    CnWorld *world = cn_engine_world(engine);
    if (!cn_register(world, Wander).id)
        return cn_error_memory(error, "the lights");
    cn_system(world, wander, .stage = CN_STAGE_UPDATE);
    if (!make_materials(cn_engine_renderer(engine), error))
        return false;
    place(world, "shapes://plane", "Stone", (CnVec3){0, 0, 0}, (CnVec3){40, 1, 40});
    for (int x = -4; x <= 4; x++)
        for (int z = -4; z <= 4; z++)
            place(world, "shapes://cylinder", "Stone", (CnVec3){(float)x * 4, 1.5f, (float)z * 4},
                  (CnVec3){0.9f, 3, 0.9f});
    for (uint32_t i = 0; i < *(const uint64_t *)user; i++)
        make_light(world, i);
    CnEntity camera = place_camera(world, (CnVec3){11, 7, 16}, (CnVec3){0, 0, 1});
    return cn_add(world, camera, CnFlyCamera);
}

int main(int count, char **arguments)
{
    uint64_t lights = 500;
    CnEngineDesc desc = {.title = "Forward+",
                         .preset = cn_preset_forward_plus,
                         .render = {.sky = {.kind = CN_SKY_COLOR, .color = {0.004f, 0.005f, 0.01f}},
                                    .bloom = CN_SWITCH_ON},
                         .options = (CnOption[]){{"--lights", "N", "number of lights; default 500",
                                                  CN_OPTION_NUMBER, &lights, 0, CN_MAX_LIGHTS},
                                                 {0}}};
    return cn_engine_main(&desc, count, arguments, start, &lights);
}

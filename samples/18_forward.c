/* 18: forward rendering. Materials from rough to smooth and from plastic to metal under a sky.
 * Click to capture the mouse; fly with W, A, S and D. */
#include "scene_helpers.h"

#define COLUMNS 7
#define ROWS 3

static bool make_material(CnRenderer *renderer, int row, int column, char name[32], CnError *error)
{
    static const CnVec4 colors[ROWS] = {
        {0.95f, 0.64f, 0.54f, 1}, {0.8f, 0.1f, 0.08f, 1}, {0.1f, 0.35f, 0.75f, 1}};
    cn_format(name, 32, "Row %d, column %d", row, column);
    return cn_material_create(
               renderer,
               &(CnMaterialDesc){.name = name,
                                 .base_color = colors[row],
                                 .metallic = row == 0,
                                 .roughness = 0.06f + 0.94f * (float)column / (COLUMNS - 1)},
               error)
        .id;
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    (void)user;
    CnWorld *world = cn_engine_world(engine);
    CnRenderer *renderer = cn_engine_renderer(engine);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            char name[32];
            if (!make_material(renderer, row, column, name, error))
                return false;
            place(world, "shapes://sphere", name,
                  (CnVec3){(float)(column - COLUMNS / 2) * 1.2f, 0.6f + (float)row * 1.2f, 0},
                  (CnVec3){1, 1, 1});
        }
    cn_material_create(
        renderer,
        &(CnMaterialDesc){.name = "Floor", .base_color = {0.2f, 0.21f, 0.2f, 1}, .roughness = 0.7f},
        NULL);
    place(world, "shapes://plane", "Floor", (CnVec3){0, 0, 0}, (CnVec3){30, 1, 30});
    place_sun(world, (CnVec3){-0.5f, -1, -0.7f}, 4);
    CnEntity camera = place_camera(world, (CnVec3){0, 2.3f, 5.4f}, (CnVec3){0, 1.75f, 0});
    return cn_add(world, camera, CnFlyCamera);
}

int main(int count, char **arguments)
{
    CnEngineDesc desc = {.title = "Forward",
                         .preset = cn_preset_forward,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}, .shadow = CN_SWITCH_ON}};
    return cn_engine_main(&desc, count, arguments, start, NULL);
}

/*
 * 23: a user interface.
 *
 * The program declares its widgets in every frame, and each call returns what the user did: there
 * are no callbacks and no widget tree to maintain. Here sliders and colors change a shape, and a
 * second window shows every available widget.
 */
#include "scene_helpers.h"

typedef struct Panel {
    CnEntity shape;
    CnMaterial material;
    float size, roughness, metallic;
    uint32_t mesh;
    bool spins;
    CnUiDemo demo;
} Panel;

static const char *const meshes[] = {"torus", "cube", "sphere", "capsule"};

static void draw_panel(CnUi *ui, Panel *panel)
{
    float right = cn_canvas_area(cn_ui_canvas(ui)).width;
    if (cn_ui_begin_window(ui,
                           &(CnUiWindow){.title = "Shape", .rect = {right - 304, 20, 284, 0}})) {
        cn_ui_combo(ui, "Mesh", &panel->mesh, meshes, CN_COUNT_OF(meshes));
        cn_ui_slider(ui, "Size", &panel->size, 0.5f, 2);
        cn_ui_slider(ui, "Roughness", &panel->roughness, 0.05f, 1);
        cn_ui_slider(ui, "Metallic", &panel->metallic, 0, 1);
        cn_ui_checkbox(ui, "Spins", &panel->spins);
        if (cn_ui_button(ui, "As before"))
            panel->size = 1;
    }
    cn_ui_end_window(ui);
}

static void before_frame(CnEngine *engine, void *user)
{
    Panel *panel = user;
    CnUi *ui = cn_engine_ui(engine);
    CnWorld *world = cn_engine_world(engine);
    draw_panel(ui, panel);
    cn_ui_demo(ui, &panel->demo);

    CnTransform *transform = cn_get_mut(world, panel->shape, CnTransform);
    transform->scale = (CnVec3){panel->size, panel->size, panel->size};
    if (panel->spins)
        transform->rotation =
            cn_quat_mul(cn_quat_from_axis((CnVec3){0.3f, 0.9f, 0.2f}, 0.01f), transform->rotation);
    CnMeshRenderer *look = cn_get_mut(world, panel->shape, CnMeshRenderer);
    cn_format(look->mesh, sizeof look->mesh, "shapes://%s", meshes[panel->mesh]);
    cn_material_set(cn_engine_renderer(engine), panel->material,
                    &(CnMaterialDesc){.base_color = {0.9f, 0.55f, 0.2f, 1},
                                      .roughness = panel->roughness,
                                      .metallic = panel->metallic},
                    NULL);
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    Panel *panel = user;
    CnWorld *world = cn_engine_world(engine);
    panel->material =
        cn_material_create(cn_engine_renderer(engine), &(CnMaterialDesc){.name = "Shape"}, error);
    panel->shape = place(world, "shapes://torus", "Shape", (CnVec3){0, 0, 0}, (CnVec3){1, 1, 1});
    place_sun(world, (CnVec3){-0.5f, -1, -0.8f}, 4);
    place_camera(world, (CnVec3){0, 0.7f, 1.7f}, (CnVec3){0, 0, 0});
    return panel->material.id && cn_engine_before_frame(engine, before_frame, panel);
}

int main(int count, char **arguments)
{
    Panel panel = {
        .size = 1, .roughness = 0.25f, .metallic = 1, .spins = true, .demo = {.open = true}};
    CnEngineDesc desc = {.title = "User interface",
                         .preset = cn_preset_forward,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}}};
    return cn_engine_main(&desc, count, arguments, start, &panel);
}

#include "script_world.h"

#include <stdlib.h>
#include <string.h>

static const char *const trusted_paths[] = {"trusted://", NULL};

static const char *const lamp_kinds[] = {"Bulb", "Spot", NULL};
static const CnReflectedField lamp_fields[] = {
    {.key = "lampType", .field = "kind", .kind = CN_REFLECTED_CHOICE, .choices = lamp_kinds},
    {.key = "watts", .field = "power", .minimum = 1, .maximum = 100, .about = "how much it takes"},
    {.key = "shape.radius", .field = "radius", .of_choice = "lampType", .of_value = 1},
    {.key = "shape.size", .field = "size"},
    {.key = "turn", .field = "turn", .kind = CN_REFLECTED_EULER},
    {.key = "secret", .field = "secret", .kind = CN_REFLECTED_HIDDEN},
};

static bool check_lamp(const void *value, CnError *error)
{
    const SceneLamp *lamp = value;
    return lamp->radius <= lamp->power ||
           cn_error_set(error, CN_ERROR_MISMATCH, "the radius is more than the watts");
}

static const CnReflectedType lamp_shown = {.name = "LampComponent",
                                           .type = &cn_type_SceneLamp,
                                           .fields = lamp_fields,
                                           .field_count = CN_COUNT_OF(lamp_fields),
                                           .check = check_lamp,
                                           .about = "A lamp."};

static bool fill(ScriptWorld *w)
{
    CnWorld *world = w->world;
    SceneLamp lamp = {.power = 40, .size = {1, 1, 1}, .turn = {0, 0, 0, 1}};
    cn_register(world, SceneLamp, .default_value = &lamp);
    cn_register(world, SceneEvery);
    cn_register(world, ScriptSpeed, .layout = CN_LAYOUT_FIELDS);
    cn_register(world, ScriptDamage);
    cn_register(world, ScriptAlarm);
    cn_register(world, SceneNested);
    w->car = cn_object(world, "Car");
    w->wheel = cn_object(world, "Wheel", .parent = w->car);
    w->door = cn_object(world, "Door", .parent = w->car);
    return cn_reflection_add(world, &lamp_shown, NULL) && w->door.id &&
           cn_add(world, w->wheel, SceneLamp);
}

static void add_bodies(ScriptWorld *w)
{
    CnRigidbody box = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_BOX);
    CnRigidbody sphere = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_SPHERE);
    CnComponent body = cn_id(w->world, CnRigidbody);
    box.half_extents = cn_vec3(50, 1, 50);
    sphere.radius = 1;
    sphere.mass = 2;
    w->floor = cn_object(w->world, "Floor");
    w->ball = cn_object(w->world, "Ball");
    cn_get_mut(w->world, w->floor, CnTransform)->position = cn_vec3(0, -1, 0);
    cn_get_mut(w->world, w->ball, CnTransform)->position = cn_vec3(0, 5, 0);
    cn_set_component(w->world, w->floor, body, &box);
    cn_set_component(w->world, w->ball, body, &sphere);
}

bool script_world_init(ScriptWorld *w, const ScriptWorldDesc *desc)
{
    memset(w, 0, sizeof *w);
    w->desc = *desc;
    memory_files_init(&w->files);
    cn_array_init(&w->text, NULL);
    w->scripts = (CnScriptDesc){.files = &w->files.files, .trusted = trusted_paths};
    CnPlugin core[] = {cn_scene_plugin()};
    CnError error = {0};
    w->sim = cn_sim_create(&(CnSimDesc){.core = core,
                                        .core_count = 1,
                                        .seed = desc->seed,
                                        .allocator = desc->allocator,
                                        .jobs = desc->jobs},
                           &error);
    if (!w->sim)
        return false;
    w->world = cn_sim_world(w->sim);
    CnPlugin scripts = cn_script_plugin(&w->scripts), physics = cn_physics_plugin(NULL);
    if ((desc->physics && !cn_sim_add_plugin(w->sim, &physics, &error)) ||
        !cn_sim_add_plugin(w->sim, &scripts, &error) || !fill(w))
        return false;
    if (desc->physics)
        add_bodies(w);
    return true;
}

void script_world_fini(ScriptWorld *w)
{
    if (w->sim)
        cn_sim_destroy(w->sim);
    for (uint32_t i = 0; i < w->path_count; i++)
        free(w->codes[i]);
    cn_array_fini(&w->text);
}

const char *script_run(ScriptWorld *w, const char *code)
{
    CnError error = {0};
    cn_array_clear(&w->text);
    cn_text_append(&w->text, cn_text("")); /* terminates */
    if (!cn_script_run(w->world,
                       &(CnScriptRunDesc){
                           .name = "test", .code = cn_text(code), .trusted = !w->desc.sandboxed},
                       &w->text, &error)) {
        cn_array_clear(&w->text);
        cn_text_append_format(&w->text, "error: %s", error.message);
    }
    return w->text.count ? w->text.items : "";
}

CnEntity script_add(ScriptWorld *w, const char *name, const char *code)
{
    CnScript script = {0};
    cn_copy_text(script.script_name, sizeof script.script_name, cn_text(name));
    char *path = w->paths[w->path_count++];
    cn_format(path, sizeof w->paths[0], "%s://%s%u.lua", w->desc.sandboxed ? "mods" : "trusted",
              name, w->path_count);
    cn_copy_text(script.script_path, sizeof script.script_path, cn_text(path));
    w->codes[w->path_count - 1] = strdup(code);
    memory_files_set(&w->files, path, w->codes[w->path_count - 1]);
    CnEntity object = cn_object(w->world, name);
    cn_set_component(w->world, object, cn_id(w->world, CnScript), &script);
    return object;
}

bool script_tick(ScriptWorld *w, uint64_t ticks)
{
    CnError error = {0};
    bool done = cn_sim_tick_n(w->sim, ticks, &error);
    cn_array_clear(&w->text);
    cn_text_append_format(&w->text, "%s", error.message);
    return done;
}

const char *script_error(ScriptWorld *w, CnEntity object)
{
    CnError error = {0};
    cn_array_clear(&w->text);
    cn_script_error(w->world, object, &error);
    cn_text_append_format(&w->text, "%s", error.message);
    return w->text.items;
}

/*
 * 16: a plugin.
 *
 * A plugin adds a part of a game to a simulation: one function adds components, behaviors and
 * systems. This one adds wind: a component Sail with a function that is called for each sail, a
 * system that changes the wind, and a resource that holds it. Because components are described,
 * scene files can contain sails at once, with names and limits that the plugin chooses.
 *
 * The same plugin can be compiled in (modules/) or loaded as a library (samples/template_plugin).
 */
#include <cairn/scene.h>

#include <stdio.h>

CN_COMPONENT(Sail, (f32, area), (vec3, velocity));
CN_COMPONENT(Wind, (vec3, speed)); /* a resource: one for the world */

/* ---- A behavior, called once per tick for each active object with a sail ---- */

static void sail_attached(const CnBehaviorCall *call, void *self)
{
    printf("a sail of area %g is set on %s\n", (double)((Sail *)self)->area,
           cn_object_name(call->world, call->object));
}

static void sail_update(const CnBehaviorCall *call, void *self)
{
    Sail *sail = self;
    CnVec3 wind = cn_resource(call->world, Wind)->speed;
    float grip = sail->area * 0.1f * call->dt;
    sail->velocity =
        cn_vec3_add(sail->velocity, cn_vec3_scale(cn_vec3_sub(wind, sail->velocity), grip));
    CnTransform *transform = cn_get_mut(call->world, call->object, CnTransform);
    transform->position = cn_vec3_add(transform->position, cn_vec3_scale(sail->velocity, call->dt));
}

/* ---- A system, called once per tick ---- */

static void turn_wind(CnSystemContext *context)
{
    CnVec3 *wind = &cn_resource_mut(context->world, Wind)->speed;
    CnQuat turn = cn_quat_from_axis(cn_vec3(0, 1, 0), 0.2f * context->dt);
    *wind = cn_quat_rotate(turn, *wind);
}

/* ---- The plugin ---- */

static const CnReflectedField sail_fields[] = {
    {.key = "area", .field = "area", .minimum = 0, .maximum = 1000, .about = "square meters"},
    {.key = "velocity", .field = "velocity", .kind = CN_REFLECTED_HIDDEN},
};
static const CnReflectedType reflected_sail = {.name = "SailComponent",
                                               .type = &cn_type_Sail,
                                               .fields = sail_fields,
                                               .field_count = CN_COUNT_OF(sail_fields)};

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    CnWorld *world = cn_sim_world(sim);
    if (!cn_resource_set(world, Wind, {.speed = {6, 0, 0}}))
        return cn_error_memory(error, "the plugin");
    const CnBehavior sailing = {
        .type = &cn_type_Sail, .on_attach = sail_attached, .update = sail_update};
    const CnSystemDesc turning = {.name = "turn_wind",
                                  .run = turn_wind,
                                  .stage = CN_STAGE_PRE_UPDATE,
                                  .access = {cn_writes(Wind)}};
    return cn_behavior_add(world, &sailing, error) &&
           cn_reflection_add(world, &reflected_sail, error) &&
           cn_system_add(world, &turning, error).id;
}

static const CnPlugin wind = {.name = "Wind", .version = 1, .needs = {"Scene"}, .build = build};

/* ---- A program that uses it ---- */

static const char harbour[] =
    "{\"id\": \"Harbour\", \"nodes\": [\n"
    "  {\"id\": \"Cutter\", \"components\": [{\"type\": \"SailComponent\", \"area\": 40}]},\n"
    "  {\"id\": \"Dinghy\", \"components\": [{\"type\": \"SailComponent\", \"area\": 8}]}]}";

static void show(CnScene *scene, int second)
{
    static const char *const names[] = {"Cutter", "Dinghy"};
    CnWorld *world = cn_scene_world(scene);
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnVec3 at = cn_transform_world_position(world, cn_object_find(world, names[i]));
        printf("  %2d s: %s at (%6.2f, %6.2f)\n", second, names[i], (double)at.x,
               (double)at.z + 0.0);
    }
}

static bool run(CnScenes *scenes, CnError *error)
{
    CnScene *scene = cn_scene_create(scenes, &(CnSceneDesc){.name = "Harbour"}, error);
    if (!scene || !cn_scene_read_text(cn_scene_world(scene), NULL, "harbour.json", cn_text(harbour),
                                      NULL, error))
        return false;
    for (int second = 0; second <= 10; second += 5) {
        show(scene, second);
        if (second < 10 && !cn_scenes_tick_n(scenes, 300, error))
            return false;
    }
    return true;
}

int main(void)
{
    CnError error = {0};
    CnScenes *scenes =
        cn_scenes_create(&(CnScenesDesc){.plugins = &wind, .plugin_count = 1}, &error);
    bool done = scenes && run(scenes, &error);
    if (!done)
        fprintf(stderr, "16_plugin: %s\n", error.message);
    cn_scenes_destroy(scenes);
    return done ? 0 : 1;
}

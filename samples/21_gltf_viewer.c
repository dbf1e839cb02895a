/*
 * 21: a model viewer.
 *
 * Displays a model from a .gltf, .glb or .obj file and plays an animation. Drag to rotate, turn the
 * wheel to zoom. Options select a scene, a variant of the materials and a camera of the file; a
 * model with a directional light is displayed without a further sun. The camera is a behavior: a
 * component with its own update function, which runs in ticks and reads input like everything else,
 * so recordings include its movements.
 */
#include "scene_helpers.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>

CN_COMPONENT(Orbit, (vec3, target), (f32, distance), (f32, yaw), (f32, pitch), (bool, still));

typedef struct Options {
    const char *model, *scene, *variant;
    uint64_t time_ms, clip, camera; /* camera from 1; 0: the viewer's own */
    bool front;
} Options;

static void orbit_update(const CnBehaviorCall *call, void *self)
{
    Orbit *orbit = self;
    const CnInputState *input = cn_resource(call->world, CnInputState);
    if (cn_mouse_held(input, CN_MOUSE_LEFT)) {
        orbit->yaw -= input->mouse_dx * 0.4f;
        orbit->pitch -= input->mouse_dy * 0.4f;
        orbit->pitch = orbit->pitch < -85 ? -85 : orbit->pitch > 85 ? 85 : orbit->pitch;
    } else if (!orbit->still) {
        orbit->yaw += 12 * call->dt;
    }
    orbit->distance *= cn_powf(0.9f, input->wheel_y);
    CnTransform *transform = cn_get_mut(call->world, call->object, CnTransform);
    transform->rotation = cn_quat_from_euler((CnVec3){orbit->pitch, orbit->yaw, 0});
    CnVec3 back = cn_quat_rotate(transform->rotation, (CnVec3){0, 0, orbit->distance});
    transform->position = cn_vec3_add(orbit->target, back);
}

/* Returns the virtual path of a file of the operating system by mounting its folder. */
static bool mount(CnEngine *engine, const char *file, char path[CN_ASSET_PATH_BYTES],
                  CnError *error)
{
    const char *slash = strrchr(file, '/');
    char folder[512] = ".";
    CnText before = {file, slash ? (size_t)(slash - file) + 1 : 0};
    if (slash && !cn_copy_text(folder, sizeof folder, before))
        return cn_error_set(error, CN_ERROR_FORMAT, "the path of the model is too long");
    return cn_vfs_mount(cn_engine_vfs(engine), "model", folder, CN_MOUNT_READ, error) &&
           (cn_format(path, CN_ASSET_PATH_BYTES, "model://%s", slash ? slash + 1 : file) ||
            cn_error_set(error, CN_ERROR_FORMAT, "the name of the model is too long"));
}

/* Appends the scene and the variant to the path of the model. */
static bool select_parts(const Options *options, char path[CN_ASSET_PATH_BYTES], CnError *error)
{
    char file[CN_ASSET_PATH_BYTES];
    const char *scene = options->scene, *variant = options->variant;
    cn_copy_text(file, sizeof file, cn_text(path));
    return cn_format(path, CN_ASSET_PATH_BYTES, "%s%s%s%s%s%s", file, scene || variant ? "#" : "",
                     scene ? "scene=" : "", scene ? scene : "",
                     variant ? (scene ? "&variant=" : "variant=") : "", variant ? variant : "") ||
           cn_error_set(error, CN_ERROR_FORMAT, "the name of the scene or variant is too long");
}

/* Logs what the options can select. */
static void list_choices(const CnRenderer *renderer, CnModel model)
{
    CnModelInfo info = cn_model_info(renderer, model);
    const char *name;
    CnModelCamera camera;
    for (uint32_t i = 0; info.scene_count > 1 && i < info.scene_count; i++)
        CN_LOG_INFO("viewer", "scene %u: %s", i, cn_model_scene(renderer, model, i));
    for (uint32_t i = 0; i < info.variant_count; i++)
        CN_LOG_INFO("viewer", "variant: %s", cn_model_variant(renderer, model, i));
    for (uint32_t i = 0; i < info.clip_count; i++)
        if (cn_model_clip(renderer, model, i, &name, NULL))
            CN_LOG_INFO("viewer", "clip %u: %s", i, name);
    for (uint32_t i = 0; i < info.camera_count; i++)
        if (cn_model_camera(renderer, model, i, CN_MODEL_REST, 0, &camera))
            CN_LOG_INFO("viewer", "camera %u: %s", i + 1, camera.name);
}

/* Places the camera where a camera of the model is. */
static bool use_model_camera(CnWorld *world, const CnRenderer *renderer, CnModel model,
                             const Options *options, float reach, CnError *error)
{
    CnModelCamera from;
    if (!cn_model_camera(renderer, model, (uint32_t)options->camera - 1, (uint32_t)options->clip,
                         (float)options->time_ms / 1000, &from))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the model has only %u cameras",
                            cn_model_info(renderer, model).camera_count);
    CnEntity camera = place_camera(world, (CnVec3){0, 0, 0}, (CnVec3){0, 0, -1});
    CnTransform *transform = cn_get_mut(world, camera, CnTransform);
    CnVec3 scale;
    cn_affine_to_trs(&from.transform, &transform->position, &transform->rotation, &scale);
    float near = from.near > 0 ? from.near : reach * 0.01f;
    float far = from.far > near ? from.far : near + reach * 100;
    return from.is_orthographic ? cn_camera_set_orthographic(world, camera, from.height, near, far)
                                : cn_camera_set_perspective(world, camera, from.fov, near, far);
}

/* Places a camera that orbits the model. From the front, it is as near as the model allows in an
 * image of 4:3; flat and deep models are displayed from above and from the side. */
static bool use_orbit(CnWorld *world, const CnModelInfo *info, bool front, CnError *error)
{
    CnVec3 size = cn_vec3_sub(info->maximum, info->minimum);
    CnVec3 middle = cn_vec3_lerp(info->minimum, info->maximum, 0.5f);
    float reach = cn_vec3_length(size);
    float larger = size.x > size.z ? size.x : size.z;
    bool is_flat = size.y < 0.2f * larger, is_deep = !is_flat && size.z > 0.5f * size.x;
    Orbit orbit = {.target = middle, .distance = reach * 1.4f, .yaw = 30, .pitch = -18};
    if (front) {
        float width = is_deep ? 0.87f * size.x + 0.5f * size.z : size.x;
        float height = is_flat ? size.z * 0.6f : size.y + (is_deep ? 0.3f * larger : 0);
        float half = height > width * 0.75f ? height / 2 : width * 0.375f;
        orbit.distance = half * 1.15f / 0.4142f + (is_flat ? 0.4f : 0.5f) * size.z;
        orbit.yaw = is_deep ? 30 : 0;
        orbit.pitch = is_flat ? -35 : is_deep ? -18 : -5;
        orbit.still = true;
    }
    const CnBehavior orbiting = {.type = &cn_type_Orbit, .update = orbit_update};
    CnEntity camera = place_camera(world, middle, cn_vec3_add(middle, (CnVec3){0, 0, -1}));
    return cn_behavior_add(world, &orbiting, error) &&
           cn_camera_set_perspective(world, camera, 45, reach * 0.01f, reach * 40) &&
           cn_set_component(world, camera, cn_id(world, Orbit), &orbit);
}

/* Returns whether the model has a directional light. */
static bool has_sun(const CnRenderer *renderer, CnModel model)
{
    CnModelLight light;
    for (uint32_t i = 0; cn_model_light(renderer, model, i, CN_MODEL_REST, 0, &light); i++)
        if (light.kind == CN_LIGHT_DIRECTIONAL)
            return true;
    return false;
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    const Options *options = user;
    char path[CN_ASSET_PATH_BYTES];
    CnWorld *world = cn_engine_world(engine);
    CnRenderer *renderer = cn_engine_renderer(engine);
    if (!mount(engine, options->model, path, error) || !select_parts(options, path, error))
        return false;
    CnModel model = cn_model_load(renderer, path, error);
    if (!model.id)
        return false;
    list_choices(renderer, model);

    CnModelInfo info = cn_model_info(renderer, model);
    CnVec3 middle = cn_vec3_lerp(info.minimum, info.maximum, 0.5f);
    float reach = cn_vec3_length(cn_vec3_sub(info.maximum, info.minimum));
    reach = reach > 0.01f ? reach : 0.01f; /* also for a model of one point */
    CnEntity object = place(world, path, "", (CnVec3){0, 0, 0}, (CnVec3){1, 1, 1});
    if (info.clip_count)
        cn_set(world, object, CnAnimator,
               {.clip = (uint32_t)options->clip,
                .speed = 1,
                .seconds = (float)options->time_ms / 1000,
                .playing = true});
    cn_material_create(
        renderer, &(CnMaterialDesc){.name = "Ground", .base_color = {0.2f, 0.2f, 0.22f, 1}}, NULL);
    if (!options->front)
        place(world, "shapes://plane", "Ground", (CnVec3){middle.x, info.minimum.y, middle.z},
              (CnVec3){reach * 8, 1, reach * 8});
    if (!has_sun(renderer, model)) /* a dim one, if the model has lights */
        place_sun(world,
                  options->front ? (CnVec3){-0.5f, -0.8f, -0.7f} : (CnVec3){-0.9f, -0.8f, -0.1f},
                  info.light_count ? 0.3f : 4);
    return options->camera ? use_model_camera(world, renderer, model, options, reach, error)
                           : use_orbit(world, &info, options->front, error);
}

int main(int count, char **arguments)
{
    Options options = {.model = "scenes/models/lighthouse.glb"};
    CnEngineDesc desc = {
        .title = "Viewer",
        .preset = cn_preset_deferred,
        .render = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                   .point_spot_lights = CN_SWITCH_ON,
                   .auto_exposure = CN_SWITCH_ON,
                   .exposure_options = {.minimum = 0.002f, .speed = 20}},
        .options = (CnOption[]){
            {"--model", "FILE", "model to display", CN_OPTION_TEXT, &options.model, 0, 0},
            {"--scene", "NAME", "scene of the file", CN_OPTION_TEXT, &options.scene, 0, 0},
            {"--variant", "NAME", "variant of the materials", CN_OPTION_TEXT, &options.variant, 0,
             0},
            {"--camera", "NUMBER", "camera of the file, from 1", CN_OPTION_NUMBER, &options.camera,
             0, CN_MODEL_MAX_CAMERAS},
            {"--clip", "NUMBER", "animation to play, from 0", CN_OPTION_NUMBER, &options.clip, 0,
             CN_MODEL_MAX_CLIPS},
            {"--front", NULL, "look at it from the front, without a ground", CN_OPTION_FLAG,
             &options.front, 0, 0},
            {"--time", "MS", "start of the animation", CN_OPTION_NUMBER, &options.time_ms, 0,
             3600000},
            {0}}};
    return cn_engine_main(&desc, count, arguments, start, &options);
}

/*
 * 21: a model viewer.
 *
 * Displays a model from a .gltf, .glb or .obj file and plays its first animation. Drag to rotate,
 * turn the wheel to zoom. The camera is a behavior: a component with its own update function, which
 * runs in ticks and reads input like everything else, so recordings include its movements.
 */
#include "scene_helpers.h"

#include <cairn/base/math.h>

CN_COMPONENT(Orbit, (vec3, target), (f32, distance), (f32, yaw), (f32, pitch), (bool, still));

typedef struct Options {
    const char *model;
    uint64_t time_ms;
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

static bool start(CnEngine *engine, void *user, CnError *error)
{
    const Options *options = user;
    char path[CN_ASSET_PATH_BYTES];
    CnWorld *world = cn_engine_world(engine);
    CnRenderer *renderer = cn_engine_renderer(engine);
    if (!mount(engine, options->model, path, error))
        return false;
    CnModel model = cn_model_load(renderer, path, error);
    if (!model.id)
        return false;

    CnModelInfo info = cn_model_info(renderer, model);
    CnVec3 size = cn_vec3_sub(info.maximum, info.minimum);
    CnVec3 middle = cn_vec3_lerp(info.minimum, info.maximum, 0.5f);
    float reach = cn_vec3_length(size);
    CnEntity object = place(world, path, "", (CnVec3){0, 0, 0}, (CnVec3){1, 1, 1});
    if (info.clip_count)
        cn_set(world, object, CnAnimator,
               {.speed = 1, .seconds = (float)options->time_ms / 1000, .playing = true});
    cn_material_create(
        renderer, &(CnMaterialDesc){.name = "Ground", .base_color = {0.2f, 0.2f, 0.22f, 1}}, NULL);
    if (!options->front)
        place(world, "shapes://plane", "Ground", (CnVec3){middle.x, info.minimum.y, middle.z},
              (CnVec3){reach * 8, 1, reach * 8});
    place_sun(world, options->front ? (CnVec3){-0.5f, -0.8f, -0.7f} : (CnVec3){-0.9f, -0.8f, -0.1f},
              4);

    const CnBehavior orbiting = {.type = &cn_type_Orbit, .update = orbit_update};
    CnEntity camera = place_camera(world, middle, cn_vec3_add(middle, (CnVec3){0, 0, -1}));
    return cn_behavior_add(world, &orbiting, error) &&
           cn_camera_set_perspective(world, camera, 45, reach * 0.01f, reach * 40) &&
           cn_set(world, camera, Orbit,
                  {.target = middle,
                   .distance = reach * (options->front ? 1.2f : 1.4f),
                   .yaw = options->front ? 0 : 30,
                   .pitch = options->front ? -8 : -18,
                   .still = options->front});
}

int main(int count, char **arguments)
{
    Options options = {.model = "scenes/models/lighthouse.glb"};
    CnEngineDesc desc = {
        .title = "Viewer",
        .preset = cn_preset_deferred,
        .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}},
        .options = (CnOption[]){
            {"--model", "FILE", "model to display", CN_OPTION_TEXT, &options.model, 0, 0},
            {"--front", NULL, "look at it from the front, without a ground", CN_OPTION_FLAG,
             &options.front, 0, 0},
            {"--time", "MS", "start of the animation", CN_OPTION_NUMBER, &options.time_ms, 0,
             3600000},
            {0}}};
    return cn_engine_main(&desc, count, arguments, start, &options);
}

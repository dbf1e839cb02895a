#include "scene/object/first_active_object.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/reflection.h>

#include <string.h>

#define DEFAULT_ASPECT (16.0f / 9)

/* ---- Validation ---- */

static bool is_between(float value, float least, float most)
{
    return value >= least && value <= most; /* false for NaN */
}

bool cn_camera_valid(const CnCamera *camera, CnError *error)
{
    CN_ASSERT(camera, "%s: camera is NULL", __func__);
    const char *wrong = NULL;
    bool flat = camera->projection == CN_ORTHOGRAPHIC; /* the field of the other kind is ignored */
    if (camera->projection > CN_ORTHOGRAPHIC)
        wrong = "view is neither perspective nor orthographic";
    else if (!is_between(camera->fov, flat ? 0 : CN_CAMERA_MIN_FOV, CN_CAMERA_MAX_FOV))
        wrong = "fov must be from 0.01 to 179 degrees";
    else if (!is_between(camera->height, flat ? 1e-6f : 0, 1e12f))
        wrong = "height must be greater than 0";
    else if (!is_between(camera->near_plane, flat ? -1e12f : 1e-6f, 1e12f))
        wrong = "near must be greater than 0";
    else if (!is_between(camera->far_plane, -1e12f, 1e12f) ||
             !(camera->far_plane > camera->near_plane))
        wrong = "far must be greater than near";
    else if (camera->aspect != 0 && !is_between(camera->aspect, 1e-4f, 1e4f))
        wrong = "aspect must be greater than 0, or 0 for that of the window";
    return !wrong || cn_error_set(error, CN_ERROR_MISMATCH, "%s", wrong);
}

static float aspect_of(const CnWorld *world, const CnCamera *camera)
{
    if (camera->aspect != 0)
        return camera->aspect;
    const CnWindowSize *window = cn_resource(world, CnWindowSize);
    if (!window || !window->width || !window->height)
        return DEFAULT_ASPECT;
    return (float)window->width / (float)window->height;
}

/* ---- Matrices ---- */

static bool is_baked(const CnCameraMatrices *matrices, CnEntity entity, const CnCamera *camera,
                     float aspect)
{
    return cn_entity_equal(matrices->entity, entity) && matrices->aspect == aspect &&
           matrices->baked.projection == camera->projection && matrices->baked.fov == camera->fov &&
           matrices->baked.height == camera->height &&
           matrices->baked.near_plane == camera->near_plane &&
           matrices->baked.far_plane == camera->far_plane &&
           matrices->baked.aspect == camera->aspect;
}

static void bake_projection(CnCameraMatrices *matrices, CnEntity entity, const CnCamera *camera,
                            float aspect)
{
    CnMat4 identity = cn_mat4_identity();
    *matrices = (CnCameraMatrices){.entity = entity,
                                   .baked = *camera,
                                   .aspect = aspect,
                                   .projection = identity,
                                   .view = identity,
                                   .view_projection = identity};
    if (!cn_camera_valid(camera, NULL))
        return;
    if (camera->projection == CN_PERSPECTIVE)
        matrices->projection =
            cn_mat4_perspective(camera->fov, aspect, camera->near_plane, camera->far_plane);
    else
        matrices->projection =
            cn_mat4_orthographic(camera->height, aspect, camera->near_plane, camera->far_plane);
}

static bool is_finite(const CnMat4 *matrix)
{
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += matrix->m[i] * 0; /* NaN if an element is not finite */
    return sum == 0;
}

static bool has_basis(const CnAffine *a)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += cn_fabsf(a->m[i][j]);
    return sum > 0;
}

static void bake_view(CnWorld *world, CnCameraMatrices *matrices)
{
    CnAffine inverse = cn_transform_world_to_local(world, matrices->entity);
    matrices->view = cn_affine_to_mat4(&inverse);
    matrices->view_projection = cn_mat4_mul(&matrices->projection, &matrices->view);
    matrices->valid = cn_camera_valid(&matrices->baked, NULL) && has_basis(&inverse) &&
                      is_finite(&matrices->view_projection);
    if (!matrices->valid)
        matrices->projection = matrices->view = matrices->view_projection = cn_mat4_identity();
}

CnCameraMatrices cn_camera_matrices(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnCameraMatrices none;
    const CnCamera *camera = cn_get(world, entity, CnCamera);
    if (!camera) {
        bake_projection(&none, (CnEntity){0}, &(CnCamera){0}, DEFAULT_ASPECT);
        return none;
    }
    CnCameras *cameras = cn_resource_mut(world, CnCameras);
    CnCameraMatrices *matrices =
        cameras ? &cameras->matrices[cn_entity_index(entity) % CN_CAMERA_CACHE_SLOTS] : &none;
    float aspect = aspect_of(world, camera);
    uint32_t version = cn_transform_world_version(world, entity);
    bool is_new = !cameras || !is_baked(matrices, entity, camera, aspect);
    /* An invalid camera has no projection: it is computed again when the transform changes. */
    if (is_new || (!matrices->valid && matrices->world_version != version))
        bake_projection(matrices, entity, camera, aspect);
    if (is_new || matrices->world_version != version || !version) {
        bake_view(world, matrices);
        matrices->world_version = version;
    }
    return *matrices;
}

/* ---- Setting ---- */

static void camera_was_set(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)user;
    const CnCamera *camera = cn_get_component(world, entity, component);
    CnCameras *cameras = cn_resource_mut(world, CnCameras);
    if (!camera || !cameras)
        return;
    bake_projection(&cameras->matrices[cn_entity_index(entity) % CN_CAMERA_CACHE_SLOTS], entity,
                    camera, aspect_of(world, camera));
}

static bool set_camera(CnWorld *world, CnEntity entity, const CnCamera *camera)
{
    return cn_camera_valid(camera, NULL) &&
           cn_set_component(world, entity, cn_id(world, CnCamera), camera);
}

bool cn_camera_set_perspective(CnWorld *world, CnEntity entity, float fov, float near_plane,
                               float far_plane)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnCamera camera;
    if (!cn_read(world, entity, CnCamera, &camera))
        return false;
    camera.projection = CN_PERSPECTIVE;
    camera.fov = fov;
    camera.near_plane = near_plane;
    camera.far_plane = far_plane;
    return set_camera(world, entity, &camera);
}

bool cn_camera_set_orthographic(CnWorld *world, CnEntity entity, float height, float near_plane,
                                float far_plane)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnCamera camera;
    if (!cn_read(world, entity, CnCamera, &camera))
        return false;
    camera.projection = CN_ORTHOGRAPHIC;
    camera.height = height;
    camera.near_plane = near_plane;
    camera.far_plane = far_plane;
    return set_camera(world, entity, &camera);
}

bool cn_camera_set_aspect(CnWorld *world, CnEntity entity, float aspect)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnCamera camera;
    if (!cn_read(world, entity, CnCamera, &camera))
        return false;
    camera.aspect = aspect;
    return set_camera(world, entity, &camera);
}

/* ---- The active camera ---- */

CnEntity cn_camera_active(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnActiveCamera *active = cn_resource(world, CnActiveCamera);
    return active && cn_has(world, active->camera, CnCamera) ? active->camera : (CnEntity){0};
}

bool cn_camera_set_active(CnWorld *world, CnEntity camera)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_has(world, camera, CnCamera) &&
           cn_resource_set(world, CnActiveCamera, {camera}) != NULL;
}

CnEntity cn_camera_find(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnEntity active = cn_camera_active(world);
    if (!cn_entity_is_null(active) && !cn_has(world, active, CnInactive))
        return active;
    const CnCameras *cameras = cn_resource(world, CnCameras);
    return cni_scene_first_object(cameras ? cameras->active : NULL, &cn_type_CnCamera, NULL);
}

static void camera_was_added(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    if (cn_entity_is_null(cn_camera_active(world)))
        cn_camera_set_active(world, entity);
}

/* ---- Reflection and registration ---- */

static bool check_camera(const void *value, CnError *error)
{
    return cn_camera_valid(value, error);
}

static const char *const projections[] = {"Perspective", "Orthographic", NULL};

static const CnReflectedField camera_fields[] = {
    {.key = "projection",
     .alias = "view",
     .field = "projection",
     .kind = CN_REFLECTED_CHOICE,
     .choices = projections,
     .about = "the kind of projection"},
    {.key = "fov",
     .field = "fov",
     .minimum = 0,
     .maximum = (double)CN_CAMERA_MAX_FOV,
     .unit = "degrees",
     .about = "perspective: vertical field of view"},
    {.key = "near", .field = "near_plane", .unit = "m", .about = "distance of the near plane"},
    {.key = "far", .field = "far_plane", .unit = "m", .about = "distance of the far plane"},
    {.key = "height",
     .field = "height",
     .minimum = 0,
     .maximum = 1e12,
     .unit = "m",
     .about = "orthographic: from bottom to top"},
    {.key = "aspect",
     .field = "aspect",
     .minimum = 0,
     .maximum = 1e4,
     .about = "width over height; 0: that of the window"},
};

static const CnReflectedType reflected_camera = {.name = "CameraComponent",
                                                 .type = &cn_type_CnCamera,
                                                 .fields = camera_fields,
                                                 .field_count = CN_COUNT_OF(camera_fields),
                                                 .check = check_camera,
                                                 .about = "a camera that looks along -z"};

static bool add_resources(CnWorld *world, CnError *error)
{
    CnCameras *cameras = cn_resource_mut(world, CnCameras);
    if (!cameras)
        cameras = cn_resource_set_value(world, cn_id(world, CnCameras), NULL);
    if (cameras && !cameras->active)
        cameras->active = cni_scene_active_with(world, &cn_type_CnCamera, error);
    return cameras && cameras->active &&
           (cn_resource(world, CnActiveCamera) || cn_resource_set(world, CnActiveCamera, {{0}}));
}

bool cn_camera_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    static const CnCamera usual = {CN_PERSPECTIVE, 60, 10, 0.1f, 1000, 0};
    if (!cn_object_add(world, error))
        return false;
    CnComponentDesc camera = {
        .type = &cn_type_CnCamera,
        .default_value = &usual,
        .hooks = {.on_add = {camera_was_added, NULL}, .on_set = {camera_was_set, NULL}}};
    CnComponentDesc cameras = {.type = &cn_type_CnCameras, .flags = CN_COMPONENT_TRANSIENT};
    CnComponentDesc active = {.type = &cn_type_CnActiveCamera};
    if (!cn_component_register(world, &camera, error).id ||
        !cn_component_register(world, &cameras, error).id ||
        !cn_component_register(world, &active, error).id)
        return false;
    if (!add_resources(world, error))
        return cn_error_memory(error, "cameras");
    return cn_reflection_add(world, &reflected_camera, error);
}

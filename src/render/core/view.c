/* The camera of a frame: interpolated between two snapshots, with reversed depth. */
#include "render/core/renderer_internal.h"

#include <string.h>

#define DEFAULT_FOV 1.04719755f /* 60 degrees */

/* Replaces values that give no valid projection: external data must not bring NaN into the
 * image. */
static void repair(CnRenderCamera *camera)
{
    const CnRenderCamera good = {
        .rotation = {0, 0, 0, 1}, .fov = DEFAULT_FOV, .near_plane = 0.1f, .far_plane = 1000.0f};
    bool is_flat = camera->height > 0;
    float sum = camera->position.x + camera->position.y + camera->position.z;
    bool ok = camera->valid && sum - sum == 0 && camera->far_plane > camera->near_plane &&
              (is_flat || (camera->near_plane > 0 && camera->fov > 1e-4f && camera->fov < 3.13f));
    if (!ok)
        *camera = good;
    camera->rotation = cn_quat_normalize(camera->rotation);
}

static CnVec4 plane_through(CnVec3 normal, CnVec3 point)
{
    return (CnVec4){normal.x, normal.y, normal.z, -cn_vec3_dot(normal, point)};
}

/* Computed from the parameters, because the matrix has little precision for the far plane. */
static CnFrustum frustum_of(const CnView *view)
{
    CnFrustum frustum;
    bool is_flat = view->fov <= 0;
    float half_height = is_flat ? view->height / 2 : cn_tanf(view->fov / 2);
    float half_width = half_height * view->aspect;
    for (uint32_t i = 0; i < 4; i++) {
        bool is_side = i < 2;
        float sign = i % 2 ? -1.0f : 1.0f; /* left and bottom face right and up */
        CnVec3 across = cn_vec3_scale(is_side ? view->right : view->up, sign);
        float half = is_side ? half_width : half_height;
        if (is_flat) {
            CnVec3 point = cn_vec3_add(view->position, cn_vec3_scale(across, -half));
            frustum.planes[i] = plane_through(across, point);
        } else {
            CnVec3 normal =
                cn_vec3_normalize(cn_vec3_add(across, cn_vec3_scale(view->forward, half)));
            frustum.planes[i] = plane_through(normal, view->position);
        }
    }
    CnVec3 near_point = cn_vec3_add(view->position, cn_vec3_scale(view->forward, view->near_plane));
    CnVec3 far_point = cn_vec3_add(view->position, cn_vec3_scale(view->forward, view->far_plane));
    frustum.planes[4] = plane_through(view->forward, near_point);
    frustum.planes[5] = plane_through(cn_vec3_scale(view->forward, -1), far_point);
    return frustum;
}

static CnMat4 view_matrix(const CnView *view)
{
    CnVec3 back = cn_vec3_scale(view->forward, -1);
    const CnVec3 rows[3] = {view->right, view->up, back};
    CnMat4 m = cn_mat4_identity();
    for (uint32_t i = 0; i < 3; i++) {
        m.m[i] = rows[i].x;
        m.m[4 + i] = rows[i].y;
        m.m[8 + i] = rows[i].z;
        m.m[12 + i] = -cn_vec3_dot(rows[i], view->position);
    }
    return m;
}

/* Depth is 1 at the near plane and 0 at the far plane; y points down, as in the image. */
static CnMat4 projection_matrix(const CnView *view)
{
    CnMat4 m = {{0}};
    float n = view->near_plane, f = view->far_plane;
    if (view->fov <= 0) {
        m.m[0] = 2 / (view->height * view->aspect);
        m.m[5] = -2 / view->height;
        m.m[10] = 1 / (f - n);
        m.m[14] = f / (f - n);
        m.m[15] = 1;
        return m;
    }
    float scale = 1 / cn_tanf(view->fov / 2);
    m.m[0] = scale / view->aspect;
    m.m[5] = -scale;
    m.m[10] = n / (f - n);
    m.m[14] = n * f / (f - n);
    m.m[11] = -1;
    return m;
}

bool cni_render_frame_is_interpolated(const CnFrameDesc *frame_desc)
{
    return frame_desc->previous && frame_desc->current && frame_desc->alpha < 1 &&
           frame_desc->current->tick == frame_desc->previous->tick + 1;
}

/* Far from the origin of the world, positions are relative to a point near the camera, which stays
 * while the camera is near it. */
#define ORIGIN_STEP 4096.0f
#define ORIGIN_REACH 6144.0f
static float origin_near(float at, float last)
{
    if (at - last < ORIGIN_REACH && last - at < ORIGIN_REACH)
        return last;
    const float most = 2e9f; /* the range of block coordinates */
    float kept = at > most ? most : at < -most ? -most : at;
    return kept < ORIGIN_REACH && kept > -ORIGIN_REACH
               ? 0
               : cn_floorf(kept / ORIGIN_STEP + 0.5f) * ORIGIN_STEP;
}

void cni_render_view_begin(CnFrame *frame, const CnFrameDesc *frame_desc, bool between)
{
    CnRenderCamera camera = {0};
    if (frame_desc->current)
        camera = frame_desc->current->camera;
    if (between)
        cn_render_camera_lerp(&frame_desc->previous->camera, &frame_desc->current->camera,
                              frame_desc->alpha, &camera);
    if (frame_desc->camera.valid)
        camera = frame_desc->camera;
    if (frame_desc->lens.fov > 0 && camera.valid) {
        camera.fov = frame_desc->lens.fov;
        camera.near_plane = frame_desc->lens.near_plane;
        camera.far_plane = frame_desc->lens.far_plane;
    }
    repair(&camera);
    frame->origin = cn_vec3(origin_near(camera.position.x, frame->renderer->last_origin.x), 0,
                            origin_near(camera.position.z, frame->renderer->last_origin.z));
    camera.position = cn_vec3_sub(camera.position, frame->origin);
    frame->atmosphere =
        frame_desc->current ? frame_desc->current->atmosphere : (CnRenderAtmosphere){0};
    if (between)
        cn_render_atmosphere_lerp(&frame_desc->previous->atmosphere,
                                  &frame_desc->current->atmosphere, frame_desc->alpha,
                                  &frame->atmosphere);
    CnView *view = &frame->view;
    *view = (CnView){.position = camera.position,
                     .right = cn_quat_rotate(camera.rotation, cn_vec3(1, 0, 0)),
                     .up = cn_quat_rotate(camera.rotation, cn_vec3(0, 1, 0)),
                     .forward = cn_quat_rotate(camera.rotation, cn_vec3(0, 0, -1)),
                     .near_plane = camera.near_plane,
                     .far_plane = camera.far_plane,
                     .fov = camera.height > 0 ? 0 : camera.fov,
                     .height = camera.height,
                     .aspect = camera.aspect > 0 ? camera.aspect
                                                 : (float)frame->width / (float)frame->height};
    view->frustum = frustum_of(view);
}

/* Adapts the matrix to points relative to an origin that has moved by this offset. */
static CnMat4 moved(const CnMat4 *matrix, CnVec3 by)
{
    CnMat4 result = *matrix;
    for (uint32_t row = 0; row < 4 && (by.x != 0 || by.z != 0); row++)
        result.m[12 + row] += matrix->m[row] * by.x + matrix->m[8 + row] * by.z;
    return result;
}

void cni_render_view_finish(CnRenderer *renderer)
{
    CnFrame *frame = &renderer->frame;
    CnView *view = &frame->view;
    view->view = view_matrix(view);
    view->projection = projection_matrix(view);
    view->unjittered_view_projection = cn_mat4_mul(&view->projection, &view->view);
    float x = 2 * view->jitter.x / (float)frame->width;
    float y = 2 * view->jitter.y / (float)frame->height;
    bool is_flat = view->fov <= 0; /* w is -z in perspective */
    view->projection.m[is_flat ? 12 : 8] += is_flat ? x : -x;
    view->projection.m[is_flat ? 13 : 9] += is_flat ? y : -y;
    view->view_projection = cn_mat4_mul(&view->projection, &view->view);
    view->inverse_view_projection = cn_mat4_inverse(&view->view_projection);
    view->previous_view_projection = renderer->has_last_view
                                         ? moved(&renderer->last_view_projection,
                                                 cn_vec3_sub(frame->origin, renderer->last_origin))
                                         : view->unjittered_view_projection;
    renderer->last_origin = frame->origin;
    renderer->last_view_projection = view->unjittered_view_projection;
    renderer->has_last_view = true;
}

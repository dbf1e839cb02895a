/* Conversions between screen and world: rays, projected points and frustums. */
#include <cairn/scene/camera.h>

#include <float.h>

/* ---- Rays and points ---- */

static bool is_near(CnVec3 v)
{
    const float limit = 1e18f; /* its square is still finite */
    return v.x >= -limit && v.x <= limit && v.y >= -limit && v.y <= limit && v.z >= -limit &&
           v.z <= limit;
}

CnRay cn_camera_ray(CnWorld *world, CnEntity camera, float x, float y)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnRay ray = {{0, 0, 0}, {0, 0, -1}};
    CnCameraMatrices matrices = cn_camera_matrices(world, camera);
    if (!matrices.valid)
        return ray;
    const float *p = matrices.projection.m;
    float near_plane = matrices.baked.near_plane;
    /* The intersection with the plane at distance 1, or with any plane for orthographic cameras. */
    CnVec3 at = {(2 * x - 1) / p[0], (2 * y - 1) / p[5], -1};
    CnAffine transform = cn_transform_world_affine(world, camera);
    CnVec3 direction, origin;
    if (matrices.baked.projection == CN_PERSPECTIVE) {
        direction = cn_affine_direction(&transform, at);
        origin = cn_affine_point(&transform, cn_vec3_scale(at, near_plane));
    } else {
        direction = cn_affine_direction(&transform, cn_vec3(0, 0, -1));
        origin = cn_affine_point(&transform, cn_vec3(at.x, at.y, -near_plane));
    }
    float length = is_near(direction) ? cn_vec3_length(direction) : 0;
    if (!is_near(origin) || !(length > 1e-18f))
        return ray;
    ray.origin = origin;
    ray.direction = cn_vec3_normalize(direction);
    return ray;
}

bool cn_camera_project(CnWorld *world, CnEntity camera, CnVec3 point, CnVec3 *screen)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(screen, "%s: screen is NULL", __func__);
    CnCameraMatrices matrices = cn_camera_matrices(world, camera);
    if (!matrices.valid || !is_near(point))
        return false;
    /* In two steps: the product of the matrices loses small differences far from the origin. */
    CnVec4 seen = cn_mat4_transform(&matrices.view, (CnVec4){point.x, point.y, point.z, 1});
    CnVec4 clip = cn_mat4_transform(&matrices.projection, seen);
    if (!(clip.z >= 0) || !(clip.w > 0))
        return false;
    CnVec3 projected = {(clip.x / clip.w + 1) / 2, (clip.y / clip.w + 1) / 2, clip.z / clip.w};
    if (!is_near(projected))
        return false;
    *screen = projected;
    return true;
}

/* ---- Frustums ---- */

/* A plane that is degenerate, or beyond the range of numbers, has everything inside. */
static CnVec4 unit_plane(const double plane[4])
{
    double length = cn_sqrt(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]);
    double distance = plane[3] / length;
    if (!(length > 0 && length < (double)FLT_MAX) || !(cn_fabs(distance) < (double)FLT_MAX))
        return (CnVec4){0, 0, 0, 1};
    return (CnVec4){(float)(plane[0] / length), (float)(plane[1] / length),
                    (float)(plane[2] / length), (float)distance};
}

CnFrustum cn_frustum_from_matrix(const CnMat4 *view_projection)
{
    CN_ASSERT(view_projection, "%s: view_projection is NULL", __func__);
    const float *m = view_projection->m;
    float rows[4][4];
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            rows[row][column] = m[column * 4 + row];
    /* Inside: -w <= x <= w, -w <= y <= w (down), 0 <= z <= w. */
    static const struct {
        int row;
        double sign, w;
    } sides[6] = {{0, 1, 1}, {0, -1, 1}, {1, -1, 1}, {1, 1, 1}, {2, 1, 0}, {2, -1, 1}};
    CnFrustum frustum;
    for (int i = 0; i < 6; i++) {
        double plane[4];
        for (int j = 0; j < 4; j++)
            plane[j] =
                sides[i].w * (double)rows[3][j] + sides[i].sign * (double)rows[sides[i].row][j];
        frustum.planes[i] = unit_plane(plane);
    }
    return frustum;
}

/* Transforms a plane from camera space to world space: planes transform inversely to points. */
static CnVec4 plane_to_world(const CnMat4 *view, CnVec4 plane)
{
    const float *m = view->m;
    double in_world[4];
    for (int column = 0; column < 4; column++)
        in_world[column] = (double)plane.x * (double)m[column * 4] +
                           (double)plane.y * (double)m[column * 4 + 1] +
                           (double)plane.z * (double)m[column * 4 + 2];
    in_world[3] += (double)plane.w;
    return unit_plane(in_world);
}

CnFrustum cn_camera_frustum(CnWorld *world, CnEntity camera)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnCameraMatrices matrices = cn_camera_matrices(world, camera);
    if (!matrices.valid)
        return cn_frustum_from_matrix(&matrices.view_projection);
    float across = matrices.projection.m[0], along = -matrices.projection.m[5];
    /* The sides of a perspective frustum pass through the camera; those of the other are
     * parallel. */
    bool opens = matrices.baked.projection == CN_PERSPECTIVE;
    float z = opens ? -1 : 0, w = opens ? 0 : 1;
    const CnVec4 planes[6] = {{across, 0, z, w},
                              {-across, 0, z, w},
                              {0, along, z, w},
                              {0, -along, z, w},
                              {0, 0, -1, -matrices.baked.near_plane},
                              {0, 0, 1, matrices.baked.far_plane}};
    CnFrustum frustum;
    for (int i = 0; i < 6; i++)
        frustum.planes[i] = plane_to_world(&matrices.view, planes[i]);
    return frustum;
}

bool cn_frustum_intersects_sphere(const CnFrustum *frustum, CnVec3 center, float radius)
{
    CN_ASSERT(frustum, "%s: frustum is NULL", __func__);
    for (int i = 0; i < 6; i++) {
        const CnVec4 *p = &frustum->planes[i];
        if (!(p->x * center.x + p->y * center.y + p->z * center.z + p->w >= -radius))
            return false;
    }
    return true;
}

bool cn_frustum_intersects_box(const CnFrustum *frustum, CnVec3 minimum, CnVec3 maximum)
{
    CN_ASSERT(frustum, "%s: frustum is NULL", __func__);
    for (int i = 0; i < 6; i++) {
        const CnVec4 *p = &frustum->planes[i];
        /* The corner farthest inwards. */
        float x = p->x >= 0 ? maximum.x : minimum.x, y = p->y >= 0 ? maximum.y : minimum.y,
              z = p->z >= 0 ? maximum.z : minimum.z;
        if (!(p->x * x + p->y * y + p->z * z + p->w >= 0))
            return false;
    }
    return true;
}

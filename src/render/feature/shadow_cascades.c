/*
 * The views of the sun's cascades. Each covers a sphere around a part of the view, so that its size
 * does not change when the camera turns, and moves in whole texels, so that shadow edges do not
 * crawl when the camera moves.
 */
#include "render/feature/shadows.h"

#include <cairn/base/linear.h>

#define LOG_SHARE 0.75      /* logarithmic fraction of splits; the rest is uniform */
#define BAND 0.2            /* fraction of a cascade that is blended with the next */
#define SEARCH_METERS 30.0f /* to casters: beyond that, penumbras do not grow */
#define MARGIN 6u           /* texels around the sphere, for snapping and small filters */

typedef struct Lens {    /* the extent of the view by distance */
    double slope, width; /* half the diagonal: slope * distance + width */
    double near_plane, far_plane;
} Lens;

static bool is_finite(float x)
{
    return x - x == 0;
}

static bool is_finite_vector(CnVec3 v)
{
    return is_finite(v.x) && is_finite(v.y) && is_finite(v.z);
}

static bool find_lens(const CnView *view, float distance, Lens *lens)
{
    double across = view->aspect, diagonal = cn_sqrt(1 + across * across);
    *lens = (Lens){.near_plane = view->near_plane, .far_plane = view->far_plane};
    if (!(across > 0) || !is_finite(view->aspect) || !is_finite(view->far_plane))
        return false;
    double limit = distance;
    if (view->fov > 0) {
        lens->slope = cn_tan((double)view->fov / 2) * diagonal;
    } else {
        lens->width = (double)view->height / 2 * diagonal;
        limit += lens->near_plane; /* an orthographic view has no defined camera position */
    }
    if (lens->far_plane > limit)
        lens->far_plane = limit;
    double widest = lens->slope * lens->far_plane + lens->width;
    return widest > 0 && widest < 1e12 && lens->far_plane > lens->near_plane &&
           (lens->near_plane > 0 || lens->slope == 0);
}

/* Returns the start of cascade `i` of `count`, without blending. */
static double split_at(const Lens *lens, uint32_t i, uint32_t count)
{
    double part = (double)i / count, n = lens->near_plane, f = lens->far_plane;
    double uniform = n + (f - n) * part;
    if (lens->slope == 0 || i == 0 || i == count)
        return uniform;
    return LOG_SHARE * n * cn_pow(f / n, part) + (1 - LOG_SHARE) * uniform;
}

/* Returns the radius of the smallest sphere around the view from `n` to `f`; its center is on the
 * axis. */
static double ball(const Lens *lens, double n, double f, double *center)
{
    double near_half = lens->slope * n + lens->width, far_half = lens->slope * f + lens->width;
    double middle = (n + f) / 2 + (far_half * far_half - near_half * near_half) / (2 * (f - n));
    *center = middle < f ? middle : f;
    double ahead = f - *center;
    return cn_sqrt(ahead * ahead + far_half * far_half);
}

typedef struct Basis {
    CnVec3 right, up, forward;
} Basis;

/* Depends on the sun only: the same for all cascades and frames. */
static Basis sun_basis(CnVec3 direction)
{
    Basis basis = {.forward = cn_vec3_normalize(direction)};
    float y = basis.forward.y;
    CnVec3 up = y > -0.99f && y < 0.99f ? cn_vec3(0, 1, 0) : cn_vec3(0, 0, 1);
    basis.right = cn_vec3_normalize(cn_vec3_cross(basis.forward, up));
    basis.up = cn_vec3_cross(basis.right, basis.forward);
    return basis;
}

static double dot(CnVec3 a, CnVec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static double snap(double at, double step)
{
    double steps = at / step;
    if (!(steps > -1e15 && steps < 1e15))
        return at;
    double whole = (double)(int64_t)steps;
    return (whole > steps ? whole - 1 : whole) * step;
}

static void set_row(CnMat4 *matrix, int row, CnVec3 axis, double scale, double offset)
{
    matrix->m[row] = (float)((double)axis.x * scale);
    matrix->m[4 + row] = (float)((double)axis.y * scale);
    matrix->m[8 + row] = (float)((double)axis.z * scale);
    matrix->m[12 + row] = (float)offset;
}

/* `reach`: distance towards the sun over which depth is exact. Geometry beyond it is drawn at the
 * near plane. */
static void aim(CniRenderCascade *cascade, const Basis *basis, uint32_t size, double reach)
{
    double texel = 2 * (double)cascade->radius / (size - 2 * MARGIN), half = texel * size / 2;
    double x = snap(dot(cascade->center, basis->right), texel);
    double y = snap(dot(cascade->center, basis->up), texel);
    double z = snap(dot(cascade->center, basis->forward), texel);
    double depth = 2 * half + reach;
    CnMat4 matrix = {0};
    set_row(&matrix, 0, basis->right, 1 / half, -x / half);
    set_row(&matrix, 1, basis->up, -1 / half, y / half);
    set_row(&matrix, 2, basis->forward, 1 / depth, (half + reach - z) / depth);
    matrix.m[15] = 1;
    cascade->texel = (float)texel;
    cascade->depth = (float)depth;
    cascade->world_to_clip = matrix;
    cascade->casters = cn_frustum_from_matrix(&matrix);
    cascade->casters.planes[4] = (CnVec4){0, 0, 0, 1}; /* open: everything is inside */
}

bool cni_render_shadow_fit_cascades(const CnView *view, CnVec3 sun_direction, uint32_t count,
                                    uint32_t size, float distance, CniRenderCascade *cascades)
{
    Lens lens;
    if (!is_finite_vector(sun_direction) || !(cn_vec3_length(sun_direction) > 1e-6f) ||
        !is_finite_vector(view->position) || !is_finite_vector(view->forward) ||
        !find_lens(view, distance, &lens))
        return false;
    Basis basis = sun_basis(sun_direction);
    double from = lens.near_plane;
    for (uint32_t i = 0; i < count; i++) {
        double begin = split_at(&lens, i, count), end = split_at(&lens, i + 1, count), center;
        double radius = ball(&lens, from, end, &center);
        double blend = end - BAND * (end - begin);
        CniRenderCascade *cascade = &cascades[i];
        *cascade = (CniRenderCascade){
            .from = (float)from, .to = (float)end, .blend = (float)blend, .radius = (float)radius};
        cascade->center = cn_vec3_add(view->position, cn_vec3_scale(view->forward, (float)center));
        aim(cascade, &basis, size, distance);
        from = blend;
    }
    return true;
}

CnMat4 cni_render_shadow_clip_to_texture(const CnMat4 *world_to_clip, float x, float y, float width,
                                         float height)
{
    CnMat4 to_texture = {
        {width / 2, 0, 0, 0, 0, height / 2, 0, 0, 0, 0, 1, 0, x + width / 2, y + height / 2, 0, 1}};
    return cn_mat4_mul(&to_texture, world_to_clip);
}

void cni_render_shadow_write_sun(CniRenderShadowData *data, const CniRenderCascade *cascades,
                                 uint32_t count, uint32_t size, float softness, float far_plane)
{
    for (uint32_t i = 0; i < count; i++) {
        const CniRenderCascade *cascade = &cascades[i];
        data->cascades[i] = cni_render_shadow_clip_to_texture(&cascade->world_to_clip, 0, 0, 1, 1);
        data->cascade_numbers[i] =
            (CnVec4){cascade->texel, cascade->depth, cascade->blend, cascade->to};
    }
    /* At the end of the view there is nothing to fade to. */
    CnVec4 *last = &data->cascade_numbers[count - 1];
    if (last->w >= far_plane)
        last->z = last->w = 2 * last->w;
    float tangent = cn_tanf(softness / 2 * 0.01745329252f);
    data->sun = (CnVec4){(float)count, 1 / (float)size, tangent, tangent * SEARCH_METERS};
}

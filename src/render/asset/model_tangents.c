#include "render/asset/model_import.h"

/* Adds the u and v directions of a triangle to its corners, weighted by its size. */
static void add_triangle(const CnVertex *vertices, const uint32_t corner[3], CnVec3 *sums)
{
    const CnVertex *a = &vertices[corner[0]], *b = &vertices[corner[1]], *c = &vertices[corner[2]];
    CnVec3 e1 = cn_vec3_sub(b->position, a->position), e2 = cn_vec3_sub(c->position, a->position);
    float u1 = b->uv.x - a->uv.x, v1 = b->uv.y - a->uv.y;
    float u2 = c->uv.x - a->uv.x, v2 = c->uv.y - a->uv.y;
    float side = u1 * v2 - u2 * v1 < 0 ? -1.0f : 1.0f;
    CnVec3 along_u = cn_vec3_scale(cn_vec3_sub(cn_vec3_scale(e1, v2), cn_vec3_scale(e2, v1)), side);
    CnVec3 along_v = cn_vec3_scale(cn_vec3_sub(cn_vec3_scale(e2, u1), cn_vec3_scale(e1, u2)), side);
    for (int i = 0; i < 3; i++) {
        CnVec3 *sum = &sums[(size_t)corner[i] * 2];
        sum[0] = cn_vec3_add(sum[0], along_u);
        sum[1] = cn_vec3_add(sum[1], along_v);
    }
}

/* In normal maps the bitangent points to the top of the image, where v is small. */
static CnVec4 make_tangent(CnVec3 normal, const CnVec3 sums[2])
{
    CnVec3 tangent = cn_vec3_sub(sums[0], cn_vec3_scale(normal, cn_vec3_dot(normal, sums[0])));
    if (!(cn_vec3_dot(tangent, tangent) > 1e-20f))
        return (CnVec4){0};
    tangent = cn_vec3_normalize(tangent);
    CnVec3 up = cn_vec3_scale(sums[1], -1);
    float side = cn_vec3_dot(cn_vec3_cross(normal, tangent), up) < 0 ? -1.0f : 1.0f;
    return (CnVec4){tangent.x, tangent.y, tangent.z, side};
}

bool cni_render_make_tangents(CnVertex *vertices, uint32_t vertex_count, const uint32_t *indices,
                              uint32_t index_count, CnAllocator *allocator)
{
    size_t bytes = (size_t)vertex_count * 2 * sizeof(CnVec3);
    CnVec3 *sums = cn_alloc_zeroed(allocator, bytes);
    if (!sums && bytes)
        return false;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
        add_triangle(vertices, indices + i, sums);
    for (uint32_t i = 0; i < vertex_count; i++)
        vertices[i].tangent = make_tangent(vertices[i].normal, &sums[(size_t)i * 2]);
    cn_free(allocator, sums, bytes);
    return true;
}

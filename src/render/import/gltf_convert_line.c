/* Converts points and lines of a glTF primitive to triangles: points become tetrahedra, lines thin
 * prisms. Their size depends on that of the primitive, because the renderer draws triangles only.
 */
#include "render/import/gltf_convert.h"

enum { MODE_POINTS, MODE_LINES, MODE_LINE_LOOP, MODE_LINE_STRIP };

#define POINT_SIZE 0.02f /* radius, as a part of the size of the primitive */
#define LINE_SIZE 0.008f
#define SIDES 3u /* of a prism */
#define POINT_VERTICES 4u
#define POINT_INDICES 12u
#define LINE_INDICES (6 * SIDES)

typedef struct Lines {
    CniRenderGltfConversion *conversion;
    const CniRenderGltfPrimitive *primitive;
    const CniRenderGltfAccessor *indices, *position, *normal, *uv, *color;
    uint32_t corners; /* positions in the list of vertices that the primitive uses */
    float radius;
    uint32_t first_vertex; /* of the mesh */
} Lines;

/* ---- Vertices of the file ---- */

static bool vertex_at(const Lines *lines, uint32_t corner, uint32_t *vertex)
{
    *vertex = corner;
    if (lines->indices)
        cni_render_gltf_element_uint(lines->indices, corner, 1, vertex);
    return *vertex < lines->primitive->vertex_count ||
           cni_render_import_fails(lines->conversion->import, CN_ERROR_FORMAT,
                                   "an index of a primitive is %u, but there are only %u vertices",
                                   *vertex, lines->primitive->vertex_count);
}

static CnVec3 position_of(const Lines *lines, uint32_t vertex)
{
    float p[3];
    cni_render_gltf_element(lines->position, vertex, 3, p);
    return cn_vec3(p[0], p[1], p[2]);
}

static CnVertex read_vertex(const Lines *lines, uint32_t vertex)
{
    float values[4];
    CnVertex v = {.position = position_of(lines, vertex), .normal = {0, 1, 0}};
    if (lines->normal) {
        cni_render_gltf_element(lines->normal, vertex, 3, values);
        CnVec3 normal = cn_vec3_normalize(cn_vec3(values[0], values[1], values[2]));
        v.normal = cn_vec3_dot(normal, normal) > 0.5f ? normal : v.normal;
    }
    if (lines->uv) {
        cni_render_gltf_element(lines->uv, vertex, 2, values);
        v.uv = (CnVec2){values[0], values[1]};
    }
    memset(v.color, 255, sizeof v.color);
    if (lines->color) {
        cni_render_gltf_element(lines->color, vertex, lines->color->width, values);
        for (uint32_t i = 0; i < lines->color->width; i++)
            v.color[i] =
                (uint8_t)(values[i] > 0 ? (values[i] < 1 ? values[i] * 255 + 0.5f : 255) : 0);
    }
    return v;
}

/* Returns the length of the diagonal of the box around the vertices. */
static float size_of(const Lines *lines)
{
    CnVec3 low = {0, 0, 0}, high = {0, 0, 0};
    for (uint32_t i = 0; i < lines->primitive->vertex_count; i++) {
        CnVec3 p = position_of(lines, i);
        if (i == 0)
            low = high = p;
        low = cn_vec3(p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y,
                      p.z < low.z ? p.z : low.z);
        high = cn_vec3(p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y,
                       p.z > high.z ? p.z : high.z);
    }
    return cn_vec3_length(cn_vec3_sub(high, low));
}

/* ---- Triangles ---- */

static void add_vertex(const Lines *lines, CnVertex v, CnVec3 away)
{
    CniRenderModelData *data = lines->conversion->data;
    v.position = cn_vec3_add(v.position, cn_vec3_scale(away, lines->radius));
    data->vertices.items[data->vertices.count++] = v;
}

static void add_index(const Lines *lines, uint32_t vertex)
{
    CniRenderModelData *data = lines->conversion->data;
    data->indices.items[data->indices.count++] = vertex - lines->first_vertex;
}

static bool add_point(const Lines *lines, uint32_t corner)
{
    static const float ways[POINT_VERTICES][3] = {
        {0, 1, 0}, {0.943f, -0.333f, 0}, {-0.471f, -0.333f, 0.816f}, {-0.471f, -0.333f, -0.816f}};
    static const uint8_t corners[POINT_INDICES] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    uint32_t vertex, first = lines->conversion->data->vertices.count;
    if (!vertex_at(lines, corner, &vertex))
        return false;
    CnVertex v = read_vertex(lines, vertex);
    for (uint32_t i = 0; i < POINT_VERTICES; i++)
        add_vertex(lines, v, cn_vec3(ways[i][0], ways[i][1], ways[i][2]));
    for (uint32_t i = 0; i < POINT_INDICES; i++)
        add_index(lines, first + corners[i]);
    return true;
}

/* Adds the vertices around a corner, perpendicular to the line from one corner to another. */
static bool add_ring(const Lines *lines, uint32_t corner, uint32_t from, uint32_t to)
{
    uint32_t vertex, a, b;
    if (!vertex_at(lines, corner, &vertex) || !vertex_at(lines, from, &a) ||
        !vertex_at(lines, to, &b))
        return false;
    CnVertex v = read_vertex(lines, vertex);
    CnVec3 along = cn_vec3_normalize(cn_vec3_sub(position_of(lines, b), position_of(lines, a)));
    CnVec3 other = cn_fabsf(along.y) < 0.9f ? cn_vec3(0, 1, 0) : cn_vec3(1, 0, 0);
    CnVec3 x = cn_vec3_normalize(cn_vec3_cross(other, along)), y = cn_vec3_cross(along, x);
    const CnVec3 ways[SIDES] = {x, cn_vec3_add(cn_vec3_scale(x, -0.5f), cn_vec3_scale(y, 0.866f)),
                                cn_vec3_add(cn_vec3_scale(x, -0.5f), cn_vec3_scale(y, -0.866f))};
    for (uint32_t i = 0; i < SIDES; i++)
        add_vertex(lines, v, ways[i]);
    return true;
}

/* Connects two rings by their numbers. */
static void connect_rings(const Lines *lines, uint32_t from, uint32_t to)
{
    uint32_t first = lines->first_vertex + from * SIDES, second = lines->first_vertex + to * SIDES;
    for (uint32_t i = 0; i < SIDES; i++) {
        uint32_t next = (i + 1) % SIDES;
        const uint32_t corners[6] = {first + i,    first + next,  second + i,
                                     first + next, second + next, second + i};
        for (uint32_t j = 0; j < 6; j++)
            add_index(lines, corners[j]);
    }
}

static bool add_lines(const Lines *lines)
{
    uint32_t corners = lines->corners / 2 * 2;
    if (!cni_render_import_reserve(lines->conversion->import, (uint64_t)corners * SIDES,
                                   (uint64_t)corners / 2 * LINE_INDICES))
        return false;
    for (uint32_t i = 0; i < corners; i++)
        if (!add_ring(lines, i, i & ~1u, i | 1u))
            return false;
    for (uint32_t i = 0; i < corners; i += 2)
        connect_rings(lines, i, i + 1);
    return true;
}

/* Neighboring lines share a ring. */
static bool add_strip(const Lines *lines)
{
    uint32_t corners = lines->corners;
    if (corners < 2)
        return true;
    if (!cni_render_import_reserve(lines->conversion->import, (uint64_t)corners * SIDES,
                                   (uint64_t)corners * LINE_INDICES))
        return false;
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t from = i + 1 < corners ? i : i - 1;
        if (!add_ring(lines, i, from, from + 1))
            return false;
    }
    for (uint32_t i = 0; i + 1 < corners; i++)
        connect_rings(lines, i, i + 1);
    if (lines->primitive->mode == MODE_LINE_LOOP)
        connect_rings(lines, corners - 1, 0);
    return true;
}

static bool add_points(const Lines *lines)
{
    if (!cni_render_import_reserve(lines->conversion->import,
                                   (uint64_t)lines->corners * POINT_VERTICES,
                                   (uint64_t)lines->corners * POINT_INDICES))
        return false;
    for (uint32_t i = 0; i < lines->corners; i++)
        if (!add_point(lines, i))
            return false;
    return true;
}

static bool add_all(const Lines *lines)
{
    return lines->primitive->mode == MODE_POINTS  ? add_points(lines)
           : lines->primitive->mode == MODE_LINES ? add_lines(lines)
                                                  : add_strip(lines);
}

/* Points and lines without normals have no shading; they need an unlit copy of their material. */
static bool use_unlit(CniRenderGltfConversion *conversion, uint32_t *material)
{
    CniRenderModelData *data = conversion->data;
    CniRenderModelMaterial unlit = {.base_color = {1, 1, 1, 1},
                                    .roughness = 1,
                                    .normal_scale = 1,
                                    .alpha_cutoff = 0.5f,
                                    .uv_scale = {1, 1}};
    if (*material)
        unlit = data->materials.items[*material - 1];
    unlit.is_unlit = 1;
    if (!cn_array_push(&data->materials, unlit))
        return cni_render_import_memory(conversion->import);
    *material = data->materials.count;
    return true;
}

bool cni_render_gltf_convert_lines(CniRenderGltfConversion *conversion,
                                   const CniRenderGltfPrimitive *primitive,
                                   CniRenderImportMesh *mesh)
{
    const CniRenderGltf *gltf = conversion->gltf;
    Lines lines = {.conversion = conversion,
                   .primitive = primitive,
                   .indices = cni_render_gltf_accessor(gltf, primitive->indices),
                   .position = cni_render_gltf_accessor(gltf, primitive->position),
                   .normal = cni_render_gltf_accessor(gltf, primitive->normal),
                   .uv = cni_render_gltf_accessor(gltf, primitive->uv[0]),
                   .color = cni_render_gltf_accessor(gltf, primitive->color),
                   .first_vertex = mesh->mesh.first_vertex};
    lines.corners = lines.indices ? lines.indices->count : primitive->vertex_count;
    float size = size_of(&lines);
    lines.radius =
        (size > 0 ? size : 1) * (primitive->mode == MODE_POINTS ? POINT_SIZE : LINE_SIZE);
    if (!add_all(&lines) || (!lines.normal && !use_unlit(conversion, &mesh->mesh.material)))
        return false;
    mesh->mesh.vertex_count = conversion->data->vertices.count - mesh->mesh.first_vertex;
    mesh->mesh.index_count = conversion->data->indices.count - mesh->mesh.first_index;
    mesh->has_normals = true;
    mesh->has_uv = lines.uv != NULL;
    return true;
}

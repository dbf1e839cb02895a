/* Converts the triangles of a glTF primitive: only the vertices that its indices refer to. */
#include "render/import/gltf_convert.h"

enum { MODE_TRIANGLES = 4, MODE_STRIP, MODE_FAN };

static const CniRenderGltfPrimitive *primitive_of(const CniRenderGltfConversion *conversion,
                                                  const CniRenderGltfSource *source)
{
    return &conversion->gltf->meshes[source->mesh].primitives[source->primitive];
}

static bool fails_index(const CniRenderGltfConversion *conversion,
                        const CniRenderGltfSource *source, uint32_t index, uint32_t vertex_count)
{
    return cni_render_import_fails(conversion->import, CN_ERROR_FORMAT,
                                   "meshes[%u].primitives[%u].indices: an index is %u, but there "
                                   "are only %u vertices",
                                   source->mesh, source->primitive, index, vertex_count);
}

/* ---- Triangles ---- */

/* Returns how many indices the triangles of a primitive have. */
static uint32_t count_indices(const CniRenderGltfPrimitive *primitive, uint32_t corners)
{
    if (primitive->mode == MODE_TRIANGLES)
        return corners / 3 * 3;
    return corners > 2 ? (corners - 2) * 3 : 0;
}

/* Writes the positions, in the list of corners, of the corners of a triangle. */
static void triangle_corners(uint32_t mode, uint32_t triangle, uint32_t corners[3])
{
    uint32_t t = triangle, odd = t & 1;
    if (mode == MODE_TRIANGLES)
        corners[0] = t * 3, corners[1] = t * 3 + 1, corners[2] = t * 3 + 2;
    else if (mode == MODE_STRIP)
        corners[0] = t, corners[1] = t + 1 + odd, corners[2] = t + 2 - odd;
    else
        corners[0] = t + 1, corners[1] = t + 2, corners[2] = 0;
}

/* Returns the vertex of the mesh for a vertex of the file. */
static bool use_vertex(CniRenderGltfConversion *conversion, uint32_t vertex, uint32_t *number)
{
    uint32_t *found = &conversion->vertex_of.items[vertex];
    if (!*found) {
        if (!cn_array_push(&conversion->used, vertex))
            return cni_render_import_memory(conversion->import);
        *found = conversion->used.count;
    }
    *number = *found - 1;
    return true;
}

static bool make_room(CniRenderGltfConversion *conversion, uint32_t vertex_count)
{
    CnU32Array *map = &conversion->vertex_of;
    if (!cn_array_reserve(map, vertex_count))
        return cni_render_import_memory(conversion->import);
    for (; map->count < vertex_count; map->count++)
        map->items[map->count] = 0;
    return true;
}

static bool add_triangles(CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                          uint32_t index_count)
{
    const CniRenderGltfPrimitive *primitive = primitive_of(conversion, source);
    const CniRenderGltfAccessor *indices =
        cni_render_gltf_accessor(conversion->gltf, primitive->indices);
    CniRenderModelData *data = conversion->data;
    for (uint32_t i = 0; i < index_count / 3; i++) {
        uint32_t corners[3];
        triangle_corners(primitive->mode, i, corners);
        for (uint32_t j = 0; j < 3; j++) {
            uint32_t vertex = corners[j], number = 0;
            if (indices)
                cni_render_gltf_element_uint(indices, corners[j], 1, &vertex);
            if (vertex >= primitive->vertex_count)
                return fails_index(conversion, source, vertex, primitive->vertex_count);
            if (!use_vertex(conversion, vertex, &number))
                return false;
            data->indices.items[data->indices.count++] = number;
        }
    }
    return true;
}

/* ---- Vertices ---- */

/* Normalises the vector. */
static CnVec3 unit(const float v[3])
{
    CnVec3 normal = cn_vec3_normalize(cn_vec3(v[0], v[1], v[2]));
    float length = cn_vec3_dot(normal, normal);
    return length > 0.9f && length < 1.1f ? normal : cn_vec3(0, 1, 0);
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(value > 0 ? (value < 1 ? value * 255 + 0.5f : 255) : 0);
}

typedef struct Accessors {
    const CniRenderGltfAccessor *position, *normal, *tangent, *uv, *color;
    bool has_transform;
    float uv_rows[2][3];
} Accessors;

/* KHR_texture_transform: scales, rotates and translates the coordinates. */
static void find_transform(const CniRenderGltfTextureUse *use, Accessors *accessors)
{
    float sine, cosine;
    cn_sincosf(use->rotation, &sine, &cosine);
    accessors->uv_rows[0][0] = cosine * use->scale[0];
    accessors->uv_rows[0][1] = sine * use->scale[1];
    accessors->uv_rows[0][2] = use->offset[0];
    accessors->uv_rows[1][0] = -sine * use->scale[0];
    accessors->uv_rows[1][1] = cosine * use->scale[1];
    accessors->uv_rows[1][2] = use->offset[1];
    accessors->has_transform = use->rotation != 0 || use->scale[0] != 1 || use->scale[1] != 1 ||
                               use->offset[0] != 0 || use->offset[1] != 0;
}

static Accessors find_accessors(const CniRenderGltf *gltf, const CniRenderGltfPrimitive *primitive)
{
    Accessors found = {.position = cni_render_gltf_accessor(gltf, primitive->position),
                       .normal = cni_render_gltf_accessor(gltf, primitive->normal),
                       .tangent = cni_render_gltf_accessor(gltf, primitive->tangent),
                       .color = cni_render_gltf_accessor(gltf, primitive->color)};
    const CniRenderGltfTextureUse *use = NULL;
    if (primitive->material)
        use = cni_render_gltf_leading_use(&gltf->materials[primitive->material - 1]);
    found.uv = cni_render_gltf_accessor(gltf, primitive->uv[use ? use->uv_set : 0]);
    if (use)
        find_transform(use, &found);
    return found;
}

static CnVec2 read_uv(const Accessors *accessors, uint32_t vertex)
{
    float uv[2];
    cni_render_gltf_element(accessors->uv, vertex, 2, uv);
    if (!accessors->has_transform)
        return (CnVec2){uv[0], uv[1]};
    const float(*rows)[3] = accessors->uv_rows;
    return (CnVec2){rows[0][0] * uv[0] + rows[0][1] * uv[1] + rows[0][2],
                    rows[1][0] * uv[0] + rows[1][1] * uv[1] + rows[1][2]};
}

static CnVertex read_vertex(const Accessors *accessors, uint32_t vertex)
{
    CnVertex v = {.normal = {0, 1, 0}};
    float values[4];
    cni_render_gltf_element(accessors->position, vertex, 3, values);
    v.position = cn_vec3(values[0], values[1], values[2]);
    if (accessors->normal) {
        cni_render_gltf_element(accessors->normal, vertex, 3, values);
        v.normal = unit(values);
    }
    if (accessors->tangent) {
        cni_render_gltf_element(accessors->tangent, vertex, 4, values);
        CnVec3 t = unit(values);
        v.tangent = (CnVec4){t.x, t.y, t.z, values[3] < 0 ? -1.0f : 1.0f};
    }
    if (accessors->uv)
        v.uv = read_uv(accessors, vertex);
    memset(v.color, 255, sizeof v.color);
    if (accessors->color) {
        uint32_t width = accessors->color->width;
        cni_render_gltf_element(accessors->color, vertex, width, values);
        for (uint32_t i = 0; i < width; i++)
            v.color[i] = to_byte(values[i]);
    }
    return v;
}

/* ---- Primitives ---- */

static bool fill_mesh(CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                      CniRenderImportMesh *mesh)
{
    const CniRenderGltf *gltf = conversion->gltf;
    CniRenderModelData *data = conversion->data;
    const CniRenderGltfPrimitive *primitive = primitive_of(conversion, source);
    const CniRenderGltfAccessor *indices = cni_render_gltf_accessor(gltf, primitive->indices);
    uint32_t index_count =
        count_indices(primitive, indices ? indices->count : primitive->vertex_count);
    if (primitive->vertex_count > CNI_RENDER_MODEL_MAX_VERTICES)
        return cni_render_import_fails(
            conversion->import, CN_ERROR_LIMIT, "meshes[%u].primitives[%u]: more than %u vertices",
            source->mesh, source->primitive, CNI_RENDER_MODEL_MAX_VERTICES);
    if (!cni_render_import_reserve(conversion->import, 0, index_count) ||
        !make_room(conversion, primitive->vertex_count) ||
        !add_triangles(conversion, source, index_count) ||
        !cni_render_import_reserve(conversion->import, conversion->used.count, 0))
        return false;
    if (!conversion->used.count)
        return true;
    Accessors accessors = find_accessors(gltf, primitive);
    CnVertex *vertices = data->vertices.items + mesh->mesh.first_vertex;
    for (uint32_t i = 0; i < conversion->used.count; i++)
        vertices[i] = read_vertex(&accessors, conversion->used.items[i]);
    mesh->mesh.vertex_count = conversion->used.count;
    mesh->mesh.index_count = index_count;
    data->vertices.count += conversion->used.count;
    mesh->has_normals = accessors.normal != NULL;
    mesh->has_tangents = accessors.tangent != NULL;
    mesh->has_uv = accessors.uv != NULL;
    return true;
}

/* Numbers the vertices, so that the targets find them when finishing the mesh has moved them. */
static bool number_vertices(CniRenderGltfConversion *conversion)
{
    CnU32Array *origins = &conversion->import->origins;
    if (!cn_array_reserve(origins, conversion->used.count))
        return cni_render_import_memory(conversion->import);
    for (uint32_t i = 0; i < conversion->used.count; i++)
        origins->items[i] = i;
    origins->count = conversion->used.count;
    return true;
}

static bool add_mesh(CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                     CniRenderImportMesh *mesh, uint32_t *number)
{
    CniRenderGltfJoints joints;
    const CniRenderGltfPrimitive *primitive = primitive_of(conversion, source);
    if (!fill_mesh(conversion, source, mesh))
        return false;
    bool is_skinned = source->skin && primitive->joints[0] && mesh->mesh.vertex_count;
    if (is_skinned && (!cni_render_gltf_convert_joints(conversion, source, &joints) ||
                       !cni_render_gltf_convert_skins(conversion, source, &joints, &mesh->mesh)))
        return false;
    bool has_targets = primitive->target_count && mesh->mesh.vertex_count;
    if ((has_targets && !number_vertices(conversion)) ||
        !cni_render_import_finish_mesh(conversion->import, mesh, number) ||
        (has_targets && !cni_render_gltf_convert_targets(conversion, source,
                                                         &conversion->data->meshes.items[*number])))
        return false;
    if (is_skinned)
        cni_render_import_move(conversion->data, &conversion->data->meshes.items[*number],
                               &joints.rest);
    return true;
}

bool cni_render_gltf_convert_primitive(CniRenderGltfConversion *conversion,
                                       const CniRenderGltfSource *source, uint32_t *number)
{
    CniRenderModelData *data = conversion->data;
    const CniRenderGltfPrimitive *primitive = primitive_of(conversion, source);
    const char *name = conversion->gltf->meshes[source->mesh].name;
    bool ok = true;
    CniRenderImportMesh mesh = {
        .mesh = {.name = cni_render_model_text(data, cn_text(name ? name : ""), &ok),
                 .first_vertex = data->vertices.count,
                 .first_index = data->indices.count}};
    if (!ok)
        return cni_render_import_memory(conversion->import);
    if (!primitive->position || primitive->mode < MODE_TRIANGLES) {
        conversion->gltf->notes |= CNI_RENDER_GLTF_NOTE_POINTS;
        return cni_render_import_finish_mesh(conversion->import, &mesh, number);
    }
    if (primitive->material &&
        !cni_render_gltf_convert_material(conversion, primitive->material - 1, &mesh.mesh.material))
        return false;
    ok = add_mesh(conversion, source, &mesh, number);
    for (uint32_t i = 0; i < conversion->used.count; i++)
        conversion->vertex_of.items[conversion->used.items[i]] = 0;
    cn_array_clear(&conversion->used);
    cn_array_clear(&conversion->import->origins);
    return ok;
}

/* Converts the triangles of a glTF primitive: only the vertices that its indices refer to. */
#include "render/import/gltf_convert.h"

#include <cairn/base/bytes.h>

#define PREFETCH 16u /* vertices */

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

static bool make_room(CniRenderGltfConversion *conversion, uint32_t vertex_count)
{
    CnU32Array *map = &conversion->vertex_of;
    if (!cn_array_reserve(map, vertex_count))
        return cni_render_import_memory(conversion->import);
    if (map->count < vertex_count) {
        memset(map->items + map->count, 0, (vertex_count - map->count) * sizeof *map->items);
        map->count = vertex_count;
    }
    return true;
}

/* Copies the indices of separate triangles; *most receives the largest one. */
static void copy_indices(const CniRenderGltfAccessor *indices, uint32_t count,
                         uint32_t *restrict out, uint32_t *most)
{
    const uint8_t *from = indices->bytes;
    uint32_t largest = 0;
    if (indices->component == CNI_RENDER_GLTF_U32 && indices->stride == 4) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = cn_load_u32(from + (size_t)i * 4);
    } else if (indices->component == CNI_RENDER_GLTF_U16 && indices->stride == 2) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = cn_load_u16(from + (size_t)i * 2);
    } else {
        for (uint32_t i = 0; i < count; i++)
            cni_render_gltf_element_uint(indices, i, 1, &out[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        largest = out[i] > largest ? out[i] : largest;
    *most = largest;
}

/* Lists the indices of the triangles as the file numbers them. */
static bool list_indices(const CniRenderGltfConversion *conversion,
                         const CniRenderGltfSource *source, uint32_t index_count, uint32_t *out)
{
    const CniRenderGltfPrimitive *primitive = primitive_of(conversion, source);
    const CniRenderGltfAccessor *indices =
        cni_render_gltf_accessor(conversion->gltf, primitive->indices);
    uint32_t most = 0;
    if (indices && primitive->mode == MODE_TRIANGLES) {
        copy_indices(indices, index_count, out, &most);
    } else {
        for (uint32_t i = 0; i < index_count / 3; i++) {
            triangle_corners(primitive->mode, i, &out[(size_t)i * 3]);
            for (uint32_t j = 0; j < 3; j++) {
                uint32_t *index = &out[(size_t)i * 3 + j];
                if (indices)
                    cni_render_gltf_element_uint(indices, *index, 1, index);
                most = *index > most ? *index : most;
            }
        }
    }
    for (uint32_t i = 0; most >= primitive->vertex_count && i < index_count; i++)
        if (out[i] >= primitive->vertex_count)
            return fails_index(conversion, source, out[i], primitive->vertex_count);
    return true;
}

/* Adds the indices of all triangles, and lists the vertices that they use in order of first use.
 * Orders the triangles if nothing depends on their order any more; not if that would take longer
 * than linear time, because a few triangles use vertices of a large array. */
static bool add_triangles(CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                          uint32_t index_count, CniRenderImportMesh *mesh)
{
    CniRenderModelData *data = conversion->data;
    uint32_t *indices = data->indices.items + data->indices.count;
    uint32_t vertex_count = primitive_of(conversion, source)->vertex_count;
    if (!cn_array_reserve(&conversion->used, vertex_count))
        return cni_render_import_memory(conversion->import);
    if (!list_indices(conversion, source, index_count, indices))
        return false;
    mesh->is_ordered =
        mesh->has_normals && !cni_render_import_lacks_tangents(mesh) && vertex_count <= index_count;
    if (mesh->is_ordered &&
        !cni_render_import_order(conversion->import, indices, index_count, vertex_count))
        return false;
    uint32_t *vertex_of = conversion->vertex_of.items, *used = conversion->used.items, count = 0;
    for (uint32_t i = 0; i < index_count; i++) {
        uint32_t vertex = indices[i];
        if (!vertex_of[vertex]) {
            used[count++] = vertex;
            vertex_of[vertex] = count;
        }
        indices[i] = vertex_of[vertex] - 1;
    }
    conversion->used.count = count;
    data->indices.count += index_count;
    return true;
}

/* ---- Vertices ---- */

static uint8_t to_byte(float value)
{
    return (uint8_t)(value > 0 ? (value < 1 ? value * 255 + 0.5f : 255) : 0);
}

/* As cni_render_gltf_element, faster for floats. */
static inline void load(const CniRenderGltfAccessor *accessor, uint32_t vertex, uint32_t count,
                        float *values)
{
    if (accessor->component == CNI_RENDER_GLTF_F32)
        memcpy(values, accessor->bytes + (size_t)vertex * accessor->stride, count * sizeof *values);
    else
        cni_render_gltf_element(accessor, vertex, count, values);
}

typedef struct Accessors {
    const CniRenderGltfAccessor *position, *normal, *tangent, *uv, *color;
    const CniRenderGltfAccessor *second_uv;
    bool has_transform;
    bool is_uniform; /* CniRenderGltfCoordinates */
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
    CniRenderGltfCoordinates coordinates = {.is_uniform = true};
    if (primitive->material)
        coordinates = cni_render_gltf_coordinates(&gltf->materials[primitive->material - 1]);
    found.uv = cni_render_gltf_accessor(gltf, primitive->uv[coordinates.sets[0]]);
    found.is_uniform = coordinates.is_uniform;
    if (coordinates.set_count > 1)
        found.second_uv = cni_render_gltf_accessor(gltf, primitive->uv[coordinates.sets[1]]);
    if (coordinates.leading)
        find_transform(coordinates.leading, &found);
    return found;
}

static CnVec2 read_uv(const Accessors *accessors, uint32_t vertex)
{
    float uv[2];
    load(accessors->uv, vertex, 2, uv);
    if (!accessors->has_transform)
        return (CnVec2){uv[0], uv[1]};
    const float(*rows)[3] = accessors->uv_rows;
    return (CnVec2){rows[0][0] * uv[0] + rows[0][1] * uv[1] + rows[0][2],
                    rows[1][0] * uv[0] + rows[1][1] * uv[1] + rows[1][2]};
}

/* Fills the vertex in place: copying it would wait for the parts that were just written. */
static inline void read_vertex(const Accessors *accessors, uint32_t vertex, CnVertex *v)
{
    float values[4];
    load(accessors->position, vertex, 3, values);
    v->position = cn_vec3(values[0], values[1], values[2]);
    v->normal = cn_vec3(0, 1, 0);
    if (accessors->normal) {
        load(accessors->normal, vertex, 3, values);
        v->normal = cni_render_import_unit(cn_vec3(values[0], values[1], values[2]));
    }
    v->tangent = (CnVec4){0};
    if (accessors->tangent) {
        load(accessors->tangent, vertex, 4, values);
        CnVec3 t = cni_render_import_unit(cn_vec3(values[0], values[1], values[2]));
        v->tangent = (CnVec4){t.x, t.y, t.z, values[3] < 0 ? -1.0f : 1.0f};
    }
    v->uv = accessors->uv ? read_uv(accessors, vertex) : (CnVec2){0};
    memset(v->color, 255, sizeof v->color);
    if (accessors->color) {
        uint32_t width = accessors->color->width;
        load(accessors->color, vertex, width, values);
        for (uint32_t i = 0; i < width; i++)
            v->color[i] = to_byte(values[i]);
    }
}

/* Vertices are read in the order of their first use. */
static void prefetch(const Accessors *accessors, uint32_t vertex)
{
    const CniRenderGltfAccessor *list[] = {accessors->position, accessors->normal, accessors->uv};
    for (uint32_t i = 0; i < CN_COUNT_OF(list); i++)
        if (list[i])
            __builtin_prefetch(list[i]->bytes + (size_t)vertex * list[i]->stride);
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
    Accessors accessors = find_accessors(gltf, primitive);
    mesh->has_normals = accessors.normal != NULL;
    mesh->has_tangents = accessors.tangent != NULL;
    mesh->has_uv = accessors.uv != NULL;
    mesh->needs_tangents =
        primitive->target_count ||
        (primitive->material && gltf->materials[primitive->material - 1].needs_tangents);
    if (!cni_render_import_reserve(conversion->import, 0, index_count) ||
        !make_room(conversion, primitive->vertex_count) ||
        !add_triangles(conversion, source, index_count, mesh) ||
        !cni_render_import_reserve(conversion->import, conversion->used.count, 0))
        return false;
    CnVertex *vertices = data->vertices.items + mesh->mesh.first_vertex;
    const uint32_t *used = conversion->used.items, count = conversion->used.count;
    for (uint32_t i = 0; i < count; i++) {
        if (i + PREFETCH < count)
            prefetch(&accessors, used[i + PREFETCH]);
        read_vertex(&accessors, used[i], &vertices[i]);
    }
    mesh->mesh.vertex_count = count;
    mesh->mesh.index_count = index_count;
    data->vertices.count += count;
    return true;
}

/* Numbers the vertices, so that they are found when finishing the mesh has moved them. */
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

/*
 * Appends the second set of texture coordinates. The first one gets the values of the file if the
 * textures have different transforms, which the material contains; until now it was transformed as
 * the leading texture, for the tangents.
 */
static bool finish_uv(CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                      CniRenderModelMesh *mesh)
{
    Accessors accessors = find_accessors(conversion->gltf, primitive_of(conversion, source));
    CniRenderModelData *data = conversion->data;
    const uint32_t *origins = conversion->import->origins.items;
    accessors.has_transform = false;
    CnVertex *vertices = data->vertices.items + mesh->first_vertex;
    for (uint32_t i = 0; accessors.uv && i < mesh->vertex_count; i++)
        vertices[i].uv = read_uv(&accessors, conversion->used.items[origins[i]]);
    if (!accessors.second_uv)
        return true;
    if (!cn_array_reserve(&data->second_uvs, (uint64_t)data->second_uvs.count + mesh->vertex_count))
        return cni_render_import_memory(conversion->import);
    mesh->first_uv = data->second_uvs.count + 1;
    accessors.uv = accessors.second_uv;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        data->second_uvs.items[data->second_uvs.count++] =
            read_uv(&accessors, conversion->used.items[origins[i]]);
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
    bool has_own_uv = !find_accessors(conversion->gltf, primitive).is_uniform;
    if (((has_targets || has_own_uv) && !number_vertices(conversion)) ||
        !cni_render_import_finish_mesh(conversion->import, mesh, number) ||
        (has_own_uv && !finish_uv(conversion, source, &conversion->data->meshes.items[*number])) ||
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
    if (!primitive->position)
        return cni_render_import_finish_mesh(conversion->import, &mesh, number);
    if (primitive->material &&
        !cni_render_gltf_convert_material(conversion, primitive->material - 1, &mesh.mesh.material))
        return false;
    if (primitive->mode < MODE_TRIANGLES) {
        conversion->gltf->notes |= CNI_RENDER_GLTF_NOTE_POINTS;
        return cni_render_gltf_convert_lines(conversion, primitive, &mesh) &&
               cni_render_import_finish_mesh(conversion->import, &mesh, number);
    }
    ok = add_mesh(conversion, source, &mesh, number) &&
         cni_render_gltf_convert_mappings(conversion, primitive, *number);
    for (uint32_t i = 0; i < conversion->used.count; i++)
        conversion->vertex_of.items[conversion->used.items[i]] = 0;
    cn_array_clear(&conversion->used);
    cn_array_clear(&conversion->import->origins);
    return ok;
}

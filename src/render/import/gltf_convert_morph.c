/* Converts the morph targets of a glTF document, and their weights. */
#include "render/import/gltf_convert.h"

#include <math.h>

#define EXPANSION 64u              /* deltas per byte of the files */
#define SMALL_EXPANSION (1u << 20) /* always allowed */

/* ---- Deltas ---- */

static bool reserve(CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                    uint64_t deltas)
{
    CniRenderModelData *data = conversion->data;
    deltas += data->deltas.count;
    if (deltas > CNI_RENDER_MODEL_MAX_DELTAS ||
        deltas > conversion->import->total_bytes * EXPANSION + SMALL_EXPANSION)
        return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                       "meshes[%u].primitives[%u].targets: the morph targets of "
                                       "the model have too many vertices",
                                       source->mesh, source->primitive);
    return cn_array_reserve(&data->deltas, deltas) || cni_render_import_memory(conversion->import);
}

static void read_halves(const CniRenderGltfAccessor *accessor, uint32_t vertex, uint16_t halves[3])
{
    float v[3] = {0};
    if (accessor)
        cni_render_gltf_element(accessor, vertex, 3, v);
    for (uint32_t i = 0; i < 3; i++)
        halves[i] = cni_render_half_from_float(v[i]);
}

static void add_target(CniRenderGltfConversion *conversion, const CniRenderGltfTarget *target,
                       const CniRenderModelMesh *mesh)
{
    const CniRenderGltf *gltf = conversion->gltf;
    CniRenderModelData *data = conversion->data;
    const CniRenderGltfAccessor *position = cni_render_gltf_accessor(gltf, target->position),
                                *normal = cni_render_gltf_accessor(gltf, target->normal),
                                *tangent = cni_render_gltf_accessor(gltf, target->tangent);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t vertex = conversion->used.items[conversion->import->origins.items[i]];
        CniRenderModelDelta *delta = &data->deltas.items[data->deltas.count++];
        float p[3] = {0};
        if (position)
            cni_render_gltf_element(position, vertex, 3, p);
        delta->position = cn_vec3(p[0], p[1], p[2]);
        read_halves(normal, vertex, delta->normal);
        read_halves(tangent, vertex, delta->tangent);
    }
}

/* ---- Flat normals ---- */

/* Without normals in the file, those of a target are the flat ones of the moved triangles. Every
 * corner has a vertex of its own. */
static void add_flat_normals(CniRenderModelData *data, const CniRenderModelMesh *mesh,
                             CniRenderModelDelta *deltas)
{
    const uint32_t *indices = data->indices.items + mesh->first_index;
    const CnVertex *vertices = data->vertices.items + mesh->first_vertex;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        CnVertex corners[3];
        for (uint32_t j = 0; j < 3; j++) {
            corners[j] = vertices[indices[i + j]];
            corners[j].position = cn_vec3_add(corners[j].position, deltas[indices[i + j]].position);
        }
        CnVec3 moved = cni_render_import_face_normal(corners);
        CnVec3 d = cn_vec3_sub(moved, corners[0].normal);
        for (uint32_t j = 0; j < 3; j++) {
            uint16_t *normal = deltas[indices[i + j]].normal;
            normal[0] = cni_render_half_from_float(d.x);
            normal[1] = cni_render_half_from_float(d.y);
            normal[2] = cni_render_half_from_float(d.z);
        }
    }
}

bool cni_render_gltf_convert_targets(CniRenderGltfConversion *conversion,
                                     const CniRenderGltfSource *source, CniRenderModelMesh *mesh)
{
    const CniRenderGltfPrimitive *primitive =
        &conversion->gltf->meshes[source->mesh].primitives[source->primitive];
    CniRenderModelData *data = conversion->data;
    uint32_t first = data->deltas.count;
    if (!reserve(conversion, source, (uint64_t)primitive->target_count * mesh->vertex_count))
        return false;
    for (uint32_t i = 0; i < primitive->target_count; i++) {
        add_target(conversion, &primitive->targets[i], mesh);
        if (!primitive->normal)
            add_flat_normals(data, mesh,
                             data->deltas.items + data->deltas.count - mesh->vertex_count);
    }
    mesh->first_delta = first + 1;
    mesh->target_count = primitive->target_count;
    return true;
}

/* ---- Weights ---- */

bool cni_render_gltf_convert_weights(CniRenderGltfConversion *conversion, uint32_t number)
{
    const CniRenderGltfNode *node = &conversion->gltf->nodes[number];
    const CniRenderGltfMesh *mesh = &conversion->gltf->meshes[node->mesh - 1];
    CniRenderModelData *data = conversion->data;
    const float *weights = node->weights ? node->weights : mesh->weights;
    uint32_t given = node->weights ? node->weight_count : mesh->weight_count;
    CniRenderModelMorph morph = {data->weights.count, mesh->target_count};
    if (!mesh->target_count || conversion->morph_of[number])
        return true;
    if (morph.weight_count > CNI_RENDER_MODEL_MAX_WEIGHTS - morph.first_weight)
        return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                       "the nodes of the model have more than %u morph weights",
                                       CNI_RENDER_MODEL_MAX_WEIGHTS);
    if (!cn_array_reserve(&data->weights, (uint64_t)morph.first_weight + morph.weight_count) ||
        !cn_array_push(&data->morphs, morph))
        return cni_render_import_memory(conversion->import);
    for (uint32_t i = 0; i < morph.weight_count; i++)
        data->weights.items[data->weights.count++] = i < given ? weights[i] : 0;
    conversion->morph_of[number] = data->morphs.count;
    return true;
}

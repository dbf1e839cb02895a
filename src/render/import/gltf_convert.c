/* Converts a glTF document: the order of the steps, and the parts of the scene. */
#include "render/import/gltf_convert.h"

#include <cairn/base/log.h>

static CnText name_text(const char *name)
{
    return cn_text(name ? name : "");
}

/* ---- Parts ---- */

/* Adds all primitives; *first receives the index of the first mesh, the others follow it. */
static bool add_primitives(CniRenderGltfConversion *conversion, const CniRenderGltfNode *node,
                           uint32_t *first)
{
    const CniRenderGltfMesh *mesh = &conversion->gltf->meshes[node->mesh - 1];
    CniRenderGltfSource source = {.mesh = node->mesh - 1, .skin = node->skin};
    *first = conversion->data->meshes.count;
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        uint32_t number;
        source.primitive = i;
        if (!cni_render_gltf_convert_primitive(conversion, &source, &number))
            return false;
    }
    return true;
}

static bool add_parts(CniRenderGltfConversion *conversion, const CniRenderGltfNode *node,
                      uint32_t first, const CnAffine *place)
{
    uint32_t count = conversion->gltf->meshes[node->mesh - 1].primitive_count;
    uint32_t number = (uint32_t)(node - conversion->gltf->nodes);
    uint32_t first_part = conversion->data->parts.count;
    for (uint32_t i = 0; i < count; i++)
        if (!cni_render_import_part(conversion->import, first + i, name_text(node->name), place,
                                    conversion->morph_of[number]))
            return false;
    /* Of the document; replaced when nodes are added to the model. */
    for (uint32_t i = first_part; node->is_toggled && i < conversion->data->parts.count; i++)
        conversion->data->parts.items[i].node = number + 1;
    return true;
}

/* Vertices of skinned meshes are moved by joints instead of their node, so that a mesh with the
 * same skin on several nodes is drawn once. */
static bool add_skinned(CniRenderGltfConversion *conversion, const CniRenderGltfNode *node)
{
    uint64_t key = (uint64_t)node->mesh << 32 | node->skin;
    CnAffine identity = cn_affine_identity();
    uint32_t first;
    if (cn_hash_map_get(&conversion->skinned, key))
        return true;
    if (!cn_hash_map_set(&conversion->skinned, key, NULL))
        return cni_render_import_memory(conversion->import);
    return add_primitives(conversion, node, &first) &&
           add_parts(conversion, node, first, &identity);
}

/* A mesh on a node that a clip moves has vertices of its own, attached to one joint. */
static bool add_moved(CniRenderGltfConversion *conversion, uint32_t number, const CnAffine *place)
{
    const CniRenderGltfNode *node = &conversion->gltf->nodes[number];
    uint32_t count = conversion->gltf->meshes[node->mesh - 1].primitive_count, first;
    CnAffine identity = cn_affine_identity();
    if (!add_primitives(conversion, node, &first))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (conversion->data->meshes.items[first + i].index_count &&
            !cni_render_gltf_convert_rigid(conversion, number, place, first + i))
            return false;
    return add_parts(conversion, node, first, &identity);
}

static bool add_static(CniRenderGltfConversion *conversion, const CniRenderGltfNode *node,
                       const CnAffine *place)
{
    uint32_t first, *seen = &conversion->mesh_of[node->mesh - 1];
    if (*seen)
        return add_parts(conversion, node, *seen - 1, place);
    if (!add_primitives(conversion, node, &first))
        return false;
    *seen = first + 1;
    return add_parts(conversion, node, first, place);
}

/* Returns the transform of an instance (EXT_mesh_gpu_instancing) in the model. */
static CnAffine instance_place(const CniRenderGltf *gltf, const CniRenderGltfNode *node,
                               uint32_t instance)
{
    float p[3] = {0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (node->instance_position)
        cni_render_gltf_element(&gltf->accessors[node->instance_position - 1], instance, 3, p);
    if (node->instance_rotation)
        cni_render_gltf_element(&gltf->accessors[node->instance_rotation - 1], instance, 4, r);
    if (node->instance_scale)
        cni_render_gltf_element(&gltf->accessors[node->instance_scale - 1], instance, 3, s);
    CnAffine local = cn_affine_from_trs(cn_vec3(p[0], p[1], p[2]),
                                        cn_quat_normalize((CnQuat){r[0], r[1], r[2], r[3]}),
                                        cn_vec3(s[0], s[1], s[2]));
    return cn_affine_mul(&node->place, &local);
}

static bool add_node(CniRenderGltfConversion *conversion, uint32_t number)
{
    const CniRenderGltf *gltf = conversion->gltf;
    const CniRenderGltfNode *node = &gltf->nodes[number];
    bool is_hidden = node->is_hidden && !node->is_toggled;
    if (!is_hidden && !cni_render_gltf_convert_light(conversion, number))
        return false;
    if (!node->mesh || is_hidden)
        return true;
    if (!cni_render_gltf_convert_weights(conversion, number))
        return false;
    if (node->skin)
        return add_skinned(conversion, node);
    for (uint32_t i = 0; i < (node->instance_count ? node->instance_count : 1); i++) {
        CnAffine place = node->instance_count ? instance_place(gltf, node, i) : node->place;
        if (node->is_moved ? !add_moved(conversion, number, &place)
                           : !add_static(conversion, node, &place))
            return false;
    }
    return true;
}

/* Breadth-first, as nodes are listed. */
bool cni_render_gltf_convert_parts(CniRenderGltfConversion *conversion)
{
    CniRenderGltf *gltf = conversion->gltf;
    uint32_t count = gltf->counts[CNI_RENDER_GLTF_NODES], reached = 0;
    uint32_t *queue = cni_render_gltf_alloc(gltf, count, sizeof *queue);
    uint8_t *is_queued = cni_render_gltf_alloc(gltf, count, 1);
    if (!queue || !is_queued)
        return false;
    for (uint32_t i = 0; i < gltf->root_count; i++)
        if (!is_queued[gltf->roots[i]]) {
            is_queued[gltf->roots[i]] = 1;
            queue[reached++] = gltf->roots[i];
        }
    for (uint32_t i = 0; i < reached; i++) {
        const CniRenderGltfNode *node = &gltf->nodes[queue[i]];
        if (!add_node(conversion, queue[i]))
            return false;
        for (uint32_t j = 0; j < node->child_count; j++)
            queue[reached++] = node->children[j];
    }
    return true;
}

/* ---- The import ---- */

static void note_omissions(const CniRenderGltf *gltf)
{
    static const char *const texts[] = {
        "points and lines are drawn as thin triangles, without skins and morph targets",
        "textures with a third set of coordinates in their material are left out",
        "textures in KTX2 files (KHR_texture_basisu) are left out or replaced by other images"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++)
        if (gltf->notes >> i & 1)
            CN_LOG_INFO("render", "%s: %s", gltf->import->path, texts[i]);
}

static bool convert(CniRenderGltf *gltf)
{
    CniRenderImport *import = gltf->import;
    const uint32_t *counts = gltf->counts;
    CniRenderGltfConversion conversion = {.gltf = gltf, .import = import, .data = import->data};
    cn_hash_map_init_keyed(&conversion.skinned, import->allocator, 1);
    cn_hash_map_init_keyed(&conversion.joints, import->allocator, sizeof(uint32_t));
    cn_array_init(&conversion.vertex_of, import->allocator);
    cn_array_init(&conversion.used, import->allocator);
    cn_array_init(&conversion.light_of, import->allocator);
    cn_array_init(&conversion.camera_of, import->allocator);
    conversion.images =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_IMAGES], sizeof *conversion.images);
    conversion.material_of =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_MATERIALS], sizeof(uint32_t));
    conversion.mesh_of =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_MESHES], sizeof(uint32_t));
    conversion.morph_of =
        cni_render_gltf_alloc(gltf, counts[CNI_RENDER_GLTF_NODES], sizeof(uint32_t));
    bool ok = conversion.images && conversion.material_of && conversion.mesh_of &&
              conversion.morph_of && cni_render_gltf_convert_names(&conversion) &&
              cni_render_gltf_convert_parts(&conversion) &&
              cni_render_gltf_convert_clips(&conversion);
    cn_array_fini(&conversion.camera_of);
    cn_array_fini(&conversion.light_of);
    cn_array_fini(&conversion.used);
    cn_array_fini(&conversion.vertex_of);
    cn_hash_map_fini(&conversion.joints);
    cn_hash_map_fini(&conversion.skinned);
    return ok;
}

bool cni_render_import_gltf(CniRenderImport *import)
{
    CniRenderGltf gltf = {.import = import};
    cn_arena_init(&gltf.arena, import->allocator, 0);
    bool ok = cni_render_gltf_open(&gltf) && cni_render_gltf_read_buffers(&gltf) &&
              cni_render_gltf_read_accessors(&gltf) && cni_render_gltf_read_materials(&gltf) &&
              cni_render_gltf_read_variants(&gltf) && cni_render_gltf_read_meshes(&gltf) &&
              cni_render_gltf_read_lights(&gltf) && cni_render_gltf_read_nodes(&gltf) &&
              cni_render_gltf_read_animations(&gltf) && convert(&gltf);
    if (ok)
        note_omissions(&gltf);
    json_decref(gltf.root);
    cn_arena_fini(&gltf.arena);
    return ok;
}

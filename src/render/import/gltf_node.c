/* Nodes, scenes and skins of a glTF document. The nodes form trees; everything is iterative, so
 * that deep trees need no stack. */
#include "render/import/gltf.h"

/* ---- Transforms ---- */

static CnAffine affine_of_columns(const float m[16])
{
    return (CnAffine){
        {{m[0], m[4], m[8], m[12]}, {m[1], m[5], m[9], m[13]}, {m[2], m[6], m[10], m[14]}}};
}

/* Rotations must have length 1; those of few digits are normalized. */
static bool read_rotation(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                          CnQuat *rotation)
{
    float v[4] = {0, 0, 0, 1};
    if (!cni_render_gltf_floats(gltf, at, item, "rotation", 4, v))
        return false;
    *rotation = (CnQuat){v[0], v[1], v[2], v[3]};
    return cn_quat_make_unit(rotation) ||
           cni_render_gltf_fails(gltf, at, "rotation", CN_ERROR_FORMAT,
                                 "is zero or not finite; no rotation is [0, 0, 0, 1]");
}

static bool read_transform(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                           CniRenderGltfNode *node)
{
    float matrix[16], position[3] = {0}, scale[3] = {1, 1, 1};
    if (json_object_get(item, "matrix")) {
        if (!cni_render_gltf_floats(gltf, at, item, "matrix", 16, matrix))
            return false;
        node->local = affine_of_columns(matrix);
        cn_affine_to_trs(&node->local, &node->position, &node->rotation, &node->scale);
        return true;
    }
    if (!cni_render_gltf_floats(gltf, at, item, "translation", 3, position) ||
        !cni_render_gltf_floats(gltf, at, item, "scale", 3, scale) ||
        !read_rotation(gltf, at, item, &node->rotation))
        return false;
    node->position = cn_vec3(position[0], position[1], position[2]);
    node->scale = cn_vec3(scale[0], scale[1], scale[2]);
    node->local = cn_affine_from_trs(node->position, node->rotation, node->scale);
    return true;
}

/* ---- Instances ---- */

static bool read_instance_attribute(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                    const json_t *from, const char *key, uint32_t width,
                                    uint32_t *reference, uint32_t *count)
{
    if (!cni_render_gltf_index(gltf, at, from, key, CNI_RENDER_GLTF_ACCESSORS, reference))
        return false;
    if (!*reference)
        return true;
    const CniRenderGltfAccessor *accessor = &gltf->accessors[*reference - 1];
    if (accessor->is_matrix || accessor->width != width || (*count && accessor->count != *count))
        return cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT,
                                     "accessor %u has the wrong type or count", *reference - 1);
    *count = accessor->count;
    return true;
}

static bool read_instances(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                           CniRenderGltfNode *node)
{
    CniRenderGltfAt extensions = {at, "extensions", 0},
                    extension = {&extensions, "EXT_mesh_gpu_instancing", 0},
                    place = {&extension, "attributes", 0};
    const json_t *from, *attributes;
    if (!cni_render_gltf_extension(gltf, at, item, extension.key, &from) ||
        !cni_render_gltf_object(gltf, &extension, from, "attributes", &attributes))
        return false;
    return read_instance_attribute(gltf, &place, attributes, "TRANSLATION", 3,
                                   &node->instance_position, &node->instance_count) &&
           read_instance_attribute(gltf, &place, attributes, "ROTATION", 4,
                                   &node->instance_rotation, &node->instance_count) &&
           read_instance_attribute(gltf, &place, attributes, "SCALE", 3, &node->instance_scale,
                                   &node->instance_count);
}

/* ---- Nodes ---- */

static bool read_visibility(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                            const json_t *item, CniRenderGltfNode *node)
{
    CniRenderGltfAt above = {at, "extensions", 0}, place = {&above, "KHR_node_visibility", 0};
    const json_t *from;
    bool is_visible = true;
    if (!cni_render_gltf_extension(gltf, at, item, place.key, &from) ||
        !cni_render_gltf_flag(gltf, &place, from, "visible", &is_visible))
        return false;
    node->hides = !is_visible;
    return true;
}

static bool read_node(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                      uint32_t number)
{
    CniRenderGltfNode *node = &gltf->nodes[number];
    return cni_render_gltf_text(gltf, at, item, "name", &node->name) &&
           cni_render_gltf_index(gltf, at, item, "mesh", CNI_RENDER_GLTF_MESHES, &node->mesh) &&
           cni_render_gltf_index(gltf, at, item, "skin", CNI_RENDER_GLTF_SKINS, &node->skin) &&
           cni_render_gltf_index(gltf, at, item, "camera", CNI_RENDER_GLTF_CAMERAS,
                                 &node->camera) &&
           cni_render_gltf_read_node_light(gltf, at, item, &node->light) &&
           cni_render_gltf_index_list(gltf, at, item, "children", CNI_RENDER_GLTF_NODES,
                                      &node->children, &node->child_count) &&
           cni_render_gltf_float_list(gltf, at, item, "weights", &node->weights,
                                      &node->weight_count) &&
           read_transform(gltf, at, item, node) && read_visibility(gltf, at, item, node) &&
           read_instances(gltf, at, item, node);
}

/* ---- The tree ---- */

static bool find_parents(CniRenderGltf *gltf)
{
    CniRenderGltfAt list = {NULL, "nodes", 0};
    for (uint32_t i = 0; i < gltf->counts[CNI_RENDER_GLTF_NODES]; i++) {
        const CniRenderGltfNode *node = &gltf->nodes[i];
        CniRenderGltfAt at = {&list, NULL, i};
        for (uint32_t j = 0; j < node->child_count; j++) {
            CniRenderGltfNode *child = &gltf->nodes[node->children[j]];
            if (child->parent)
                return cni_render_gltf_fails(gltf, &at, "children", CN_ERROR_FORMAT,
                                             "node %u has another parent, node %u",
                                             node->children[j], child->parent - 1);
            child->parent = i + 1;
        }
    }
    return true;
}

/* Orders nodes breadth-first, so that parents come before their children. Nodes of a cycle are not
 * reached from a root. */
static bool order_nodes(CniRenderGltf *gltf)
{
    uint32_t count = gltf->counts[CNI_RENDER_GLTF_NODES], reached = 0;
    gltf->order = cni_render_gltf_alloc(gltf, count, sizeof *gltf->order);
    if (!gltf->order)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!gltf->nodes[i].parent)
            gltf->order[reached++] = i;
    for (uint32_t i = 0; i < reached; i++) {
        CniRenderGltfNode *node = &gltf->nodes[gltf->order[i]];
        node->place = node->local;
        node->is_hidden = node->hides;
        if (node->parent) {
            const CniRenderGltfNode *parent = &gltf->nodes[node->parent - 1];
            node->place = cn_affine_mul(&parent->place, &node->local);
            node->is_hidden |= parent->is_hidden;
        }
        for (uint32_t j = 0; j < node->child_count; j++)
            gltf->order[reached++] = node->children[j];
    }
    return reached == count || cni_render_gltf_fails(gltf, NULL, "nodes", CN_ERROR_FORMAT,
                                                     "some nodes are their own descendants");
}

/* ---- Scenes ---- */

/* Returns the number that the text is; UINT32_MAX: it is none, or too large. */
static uint32_t number_of(const char *text)
{
    uint32_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number < CNI_RENDER_GLTF_MAX_ITEMS; at++)
        number = number * 10 + (uint32_t)(*at - '0');
    return at > text && !*at ? number : UINT32_MAX;
}

/* Finds the scene that was asked for by its name or, if none has it, its index; *scene receives
 * its index + 1. */
static bool find_scene(const CniRenderGltf *gltf, uint32_t *scene)
{
    const char *wanted = gltf->import->scene;
    uint32_t number = number_of(wanted);
    CniRenderGltfAt above = {NULL, "scenes", 0};
    for (uint32_t i = 0; i < gltf->counts[CNI_RENDER_GLTF_SCENES]; i++) {
        const char *name = NULL;
        if (!cni_render_gltf_text(gltf, &(CniRenderGltfAt){&above, NULL, i},
                                  json_array_get(gltf->lists[CNI_RENDER_GLTF_SCENES], i), "name",
                                  &name))
            return false;
        if (name && !strcmp(name, wanted)) {
            *scene = i + 1;
            return true;
        }
    }
    *scene = number + 1; /* UINT32_MAX becomes 0, which is checked, too */
    return (*scene && number < gltf->counts[CNI_RENDER_GLTF_SCENES]) ||
           cni_render_gltf_fails(gltf, NULL, "scenes", CN_ERROR_NOT_FOUND,
                                 "there is no scene with the name or index %s", wanted);
}

/* Draws the scene that was asked for or that the document selects, or else the first; without
 * scenes, all nodes. */
static bool read_scene(CniRenderGltf *gltf)
{
    uint32_t scene = 0, count = gltf->counts[CNI_RENDER_GLTF_NODES];
    if (!cni_render_gltf_index(gltf, NULL, gltf->root, "scene", CNI_RENDER_GLTF_SCENES, &scene) ||
        (gltf->import->scene && !find_scene(gltf, &scene)))
        return false;
    if (gltf->counts[CNI_RENDER_GLTF_SCENES]) {
        CniRenderGltfAt above = {NULL, "scenes", 0}, at = {&above, NULL, scene ? scene - 1 : 0};
        const json_t *item = json_array_get(gltf->lists[CNI_RENDER_GLTF_SCENES], at.index);
        if (!cni_render_gltf_index_list(gltf, &at, item, "nodes", CNI_RENDER_GLTF_NODES,
                                        &gltf->roots, &gltf->root_count))
            return false;
        for (uint32_t i = 0; i < gltf->root_count; i++)
            if (gltf->nodes[gltf->roots[i]].parent)
                return cni_render_gltf_fails(gltf, &at, "nodes", CN_ERROR_FORMAT,
                                             "node %u is not a root: its parent is node %u",
                                             gltf->roots[i],
                                             gltf->nodes[gltf->roots[i]].parent - 1);
        return true;
    }
    gltf->roots = cni_render_gltf_alloc(gltf, count, sizeof *gltf->roots);
    for (uint32_t i = 0; gltf->roots && i < count; i++)
        if (!gltf->nodes[i].parent)
            gltf->roots[gltf->root_count++] = i;
    return gltf->roots != NULL;
}

/* ---- Skins ---- */

static bool read_skin(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                      uint32_t number)
{
    CniRenderGltfSkin *skin = &gltf->skins[number];
    uint32_t skeleton = 0;
    if (!cni_render_gltf_index_list(gltf, at, item, "joints", CNI_RENDER_GLTF_NODES, &skin->joints,
                                    &skin->joint_count) ||
        !cni_render_gltf_index(gltf, at, item, "skeleton", CNI_RENDER_GLTF_NODES, &skeleton) ||
        !cni_render_gltf_index(gltf, at, item, "inverseBindMatrices", CNI_RENDER_GLTF_ACCESSORS,
                               &skin->matrices))
        return false;
    if (!skin->joint_count)
        return cni_render_gltf_fails(gltf, at, "joints", CN_ERROR_FORMAT,
                                     "a skin needs at least one joint");
    if (skin->joint_count > CNI_RENDER_MODEL_MAX_NODES)
        return cni_render_gltf_fails(gltf, at, "joints", CN_ERROR_LIMIT, "more than %u joints",
                                     CNI_RENDER_MODEL_MAX_NODES);
    const CniRenderGltfAccessor *matrices = cni_render_gltf_accessor(gltf, skin->matrices);
    return !matrices ||
           (matrices->width == 16 && matrices->component == CNI_RENDER_GLTF_F32 &&
            matrices->count >= skin->joint_count) ||
           cni_render_gltf_fails(gltf, at, "inverseBindMatrices", CN_ERROR_FORMAT,
                                 "accessor %u must have %u matrices of floats", skin->matrices - 1,
                                 skin->joint_count);
}

bool cni_render_gltf_read_nodes(CniRenderGltf *gltf)
{
    gltf->nodes =
        cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_NODES], sizeof *gltf->nodes);
    gltf->skins =
        cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_SKINS], sizeof *gltf->skins);
    return gltf->nodes && gltf->skins &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_NODES, read_node) && find_parents(gltf) &&
           order_nodes(gltf) && read_scene(gltf) &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_SKINS, read_skin);
}

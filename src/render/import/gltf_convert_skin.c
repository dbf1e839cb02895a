/* Converts the skins of a glTF document: at most four joints per vertex, and one list of joints for
 * the whole model, of which each mesh can refer to 256 that follow each other. */
#include "render/import/gltf_convert.h"

#include <math.h>

typedef struct Weights {
    float weight[4]; /* the largest ones, unordered */
    uint32_t joint[4];
} Weights;

static const CniRenderGltfPrimitive *primitive_of(const CniRenderGltfConversion *conversion,
                                                  const CniRenderGltfSource *source)
{
    return &conversion->gltf->meshes[source->mesh].primitives[source->primitive];
}

/* ---- Joints ---- */

/*
 * Finds an equal joint or adds one; *number receives its index from conversion->first_joint on. Its
 * node is a node of the document until the conversion determines which nodes are kept. Sets
 * *is_full, and adds nothing, if the index does not fit a byte.
 */
static bool add_joint(CniRenderGltfConversion *conversion, uint32_t node, const CnAffine *offset,
                      uint8_t *number, bool *is_full)
{
    CniRenderModelData *data = conversion->data;
    CniRenderModelJoint joint = {.node = node, .offset = *offset};
    uint64_t key = cn_hash_bytes(&joint, sizeof joint, 0);
    const uint32_t *found = cn_hash_map_get(&conversion->joints, key);
    if (found && *found >= conversion->first_joint &&
        !memcmp(&data->joints.items[*found], &joint, sizeof joint)) {
        *number = (uint8_t)(*found - conversion->first_joint);
        return true;
    }
    uint32_t index = data->joints.count;
    *is_full = index - conversion->first_joint >= CNI_RENDER_MODEL_MESH_JOINTS;
    if (*is_full)
        return true;
    if (index >= CN_MODEL_MAX_JOINTS)
        return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                       "the model has more than %u joints", CN_MODEL_MAX_JOINTS);
    *number = (uint8_t)(index - conversion->first_joint);
    return (cn_array_push(&data->joints, joint) &&
            cn_hash_map_set(&conversion->joints, key, &index)) ||
           cni_render_import_memory(conversion->import);
}

static CnAffine bind_matrix(const CniRenderGltf *gltf, const CniRenderGltfSkin *skin,
                            uint32_t joint)
{
    float m[16];
    if (!skin->matrices)
        return cn_affine_identity();
    cni_render_gltf_element(&gltf->accessors[skin->matrices - 1], joint, 16, m);
    return (CnAffine){
        {{m[0], m[4], m[8], m[12]}, {m[1], m[5], m[9], m[13]}, {m[2], m[6], m[10], m[14]}}};
}

static bool is_near_identity(const CnAffine *a)
{
    CnAffine identity = cn_affine_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!(fabsf(a->m[i][j] - identity.m[i][j]) < 1e-5f))
                return false;
    return true;
}

static bool is_usable(const CnAffine *a)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            sum += fabsf(a->m[i][j]);
    return isfinite(sum) && sum > 0;
}

/*
 * Returns the transform that moves vertices to their rest pose in the model. It is taken from the
 * first joint, and is right for the others if the mesh was bound in its rest pose. `back` is the
 * inverse, to the coordinates in the file.
 */
static CnAffine find_rest(const CniRenderGltf *gltf, const CniRenderGltfSkin *skin, CnAffine *back)
{
    CnAffine offset = bind_matrix(gltf, skin, 0);
    CnAffine rest = cn_affine_mul(&gltf->nodes[skin->joints[0]].place, &offset);
    *back = cn_affine_inverse(&rest);
    if (is_near_identity(&rest) || !is_usable(&rest) || !is_usable(back))
        rest = *back = cn_affine_identity();
    return rest;
}

/* ---- Weights ---- */

static void add_weight(Weights *weights, uint32_t joint, float weight)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < 4; i++)
        if (weights->weight[i] < weights->weight[least])
            least = i;
    if (weight > weights->weight[least]) {
        weights->weight[least] = weight;
        weights->joint[least] = joint;
    }
}

static Weights read_weights(const CniRenderGltf *gltf, const CniRenderGltfPrimitive *primitive,
                            uint32_t vertex)
{
    Weights weights = {{0}, {0}};
    for (uint32_t set = 0; set < CNI_RENDER_GLTF_MAX_JOINT_SETS && primitive->joints[set]; set++) {
        uint32_t joints[4];
        float values[4];
        cni_render_gltf_element_uint(&gltf->accessors[primitive->joints[set] - 1], vertex, 4,
                                     joints);
        const CniRenderGltfAccessor *from = &gltf->accessors[primitive->weights[set] - 1];
        cni_render_gltf_element(from, vertex, 4, values);
        for (uint32_t i = 0; i < 4; i++)
            add_weight(&weights, joints[i], values[i]);
    }
    return weights;
}

/* Returns bytes with a sum of 255. Vertices without weights follow the first joint of the skin. */
static CnVertexSkin quantise(const Weights *weights, const uint8_t *joint_of)
{
    CnVertexSkin skin = {.joints = {joint_of[0]}, .weights = {255}};
    float sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        sum += weights->weight[i];
    if (!(sum > 1e-6f) || !isfinite(sum))
        return skin;
    uint32_t total = 0, most = 0;
    for (uint32_t i = 0; i < 4; i++) {
        float share = weights->weight[i] / sum * 255;
        skin.weights[i] = (uint8_t)(share + 0.5f);
        skin.joints[i] = weights->weight[i] > 0 ? joint_of[weights->joint[i]] : 0;
        total += skin.weights[i];
        if (skin.weights[i] > skin.weights[most])
            most = i;
    }
    skin.weights[most] = (uint8_t)(skin.weights[most] + 255 - (int)total);
    return skin;
}

/* ---- Skins ---- */

/* Marks the joints that have a weight at a used vertex, and the first, which others follow. */
static bool find_used(const CniRenderGltfConversion *conversion, const CniRenderGltfSource *source,
                      uint8_t *is_used)
{
    const CniRenderGltf *gltf = conversion->gltf;
    uint32_t count = gltf->skins[source->skin - 1].joint_count;
    is_used[0] = 1;
    for (uint32_t i = 0; i < conversion->used.count; i++) {
        Weights weights =
            read_weights(gltf, primitive_of(conversion, source), conversion->used.items[i]);
        for (uint32_t j = 0; j < 4; j++) {
            if (!(weights.weight[j] > 0))
                continue;
            if (weights.joint[j] >= count)
                return cni_render_import_fails(
                    conversion->import, CN_ERROR_FORMAT,
                    "meshes[%u].primitives[%u].attributes.JOINTS_0: vertex %u refers to joint %u, "
                    "but skins[%u] has only %u",
                    source->mesh, source->primitive, conversion->used.items[i], weights.joint[j],
                    source->skin - 1, count);
            is_used[weights.joint[j]] = 1;
        }
    }
    return true;
}

/* Adds the used joints of a skin. `back`: from the rest pose to the coordinates in the file. */
static bool add_joints(CniRenderGltfConversion *conversion, const CniRenderGltfSkin *skin,
                       const CnAffine *back, const uint8_t *is_used, uint8_t *joint_of,
                       bool *is_full)
{
    *is_full = false;
    for (uint32_t i = 0; i < skin->joint_count && !*is_full; i++) {
        if (!is_used[i])
            continue;
        CnAffine offset = bind_matrix(conversion->gltf, skin, i);
        offset = cn_affine_mul(&offset, back);
        if (!add_joint(conversion, skin->joints[i], &offset, &joint_of[i], is_full))
            return false;
    }
    return true;
}

bool cni_render_gltf_convert_joints(CniRenderGltfConversion *conversion,
                                    const CniRenderGltfSource *source, CniRenderGltfJoints *joints)
{
    CniRenderGltf *gltf = conversion->gltf;
    const CniRenderGltfSkin *skin = &gltf->skins[source->skin - 1];
    uint8_t *is_used = cni_render_gltf_alloc(gltf, skin->joint_count, 1);
    joints->joint_of = cni_render_gltf_alloc(gltf, skin->joint_count, 1);
    if (!is_used || !joints->joint_of || !find_used(conversion, source, is_used))
        return false;
    CnAffine back;
    joints->rest = find_rest(gltf, skin, &back);
    bool is_full;
    if (!add_joints(conversion, skin, &back, is_used, joints->joint_of, &is_full))
        return false;
    if (is_full) { /* the mesh and those after it refer to joints from here on */
        conversion->first_joint = conversion->data->joints.count;
        if (!add_joints(conversion, skin, &back, is_used, joints->joint_of, &is_full))
            return false;
    }
    return !is_full ||
           cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                   "meshes[%u].primitives[%u] uses more than %u joints",
                                   source->mesh, source->primitive, CNI_RENDER_MODEL_MESH_JOINTS);
}

bool cni_render_gltf_convert_skins(CniRenderGltfConversion *conversion,
                                   const CniRenderGltfSource *source,
                                   const CniRenderGltfJoints *joints, CniRenderModelMesh *mesh)
{
    CniRenderModelData *data = conversion->data;
    if (!cn_array_reserve(&data->skins, (uint64_t)data->skins.count + conversion->used.count))
        return cni_render_import_memory(conversion->import);
    mesh->first_skin = data->skins.count + 1;
    mesh->first_joint = conversion->first_joint;
    for (uint32_t i = 0; i < conversion->used.count; i++) {
        Weights weights = read_weights(conversion->gltf, primitive_of(conversion, source),
                                       conversion->used.items[i]);
        data->skins.items[data->skins.count++] = quantise(&weights, joints->joint_of);
    }
    return true;
}

bool cni_render_gltf_convert_rigid(CniRenderGltfConversion *conversion, uint32_t node,
                                   const CnAffine *place, uint32_t number)
{
    CniRenderModelData *data = conversion->data;
    CniRenderModelMesh *mesh = &data->meshes.items[number];
    CnAffine rest = *place, back = cn_affine_inverse(&conversion->gltf->nodes[node].place);
    uint8_t joint;
    bool is_full = false;
    if (!is_usable(&rest) || !is_usable(&back))
        rest = back = cn_affine_identity();
    if (!add_joint(conversion, node, &back, &joint, &is_full))
        return false;
    if (is_full) {
        conversion->first_joint = data->joints.count;
        if (!add_joint(conversion, node, &back, &joint, &is_full))
            return false;
    }
    if (!cn_array_reserve(&data->skins, (uint64_t)data->skins.count + mesh->vertex_count))
        return cni_render_import_memory(conversion->import);
    mesh->first_skin = data->skins.count + 1;
    mesh->first_joint = conversion->first_joint;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        data->skins.items[data->skins.count++] =
            (CnVertexSkin){.joints = {joint}, .weights = {255}};
    cni_render_import_move(data, mesh, &rest);
    return true;
}

#include "render/asset/model_import.h"

#include <math.h>

typedef struct Weights {
    float weight[4]; /* the largest ones, unordered */
    uint8_t joint[4];
} Weights;

static bool no_memory(const CniRenderImport *import)
{
    return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
}

/* Returns the index of an equal joint. Its node is an index into the tree of the file, until the
 * import determines which nodes it keeps. */
static bool add_joint(CniRenderImport *import, uint32_t node, const CnAffine *offset,
                      uint32_t *number)
{
    CniRenderModelData *data = import->data;
    CniRenderModelJoint joint = {.node = node, .offset = *offset};
    for (uint32_t i = 0; i < data->joints.count; i++)
        if (memcmp(&data->joints.items[i], &joint, sizeof joint) == 0) {
            *number = i;
            return true;
        }
    if (data->joints.count >= CN_MODEL_MAX_JOINTS)
        return cni_render_import_fails(import, CN_ERROR_LIMIT,
                                       "the model has more than 256 joints");
    *number = data->joints.count;
    return cn_array_push(&data->joints, joint) || no_memory(import);
}

static void add_weight(Weights *weights, uint32_t joint, float weight)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < 4; i++)
        if (weights->weight[i] < weights->weight[least])
            least = i;
    if (weight > weights->weight[least]) {
        weights->weight[least] = weight;
        weights->joint[least] = (uint8_t)joint;
    }
}

/* Returns bytes with a sum of 255. */
static CnVertexSkin quantise(const Weights *weights, uint8_t none)
{
    CnVertexSkin skin = {.joints = {none}, .weights = {255}};
    float sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        sum += weights->weight[i];
    if (!(sum > 1e-6f) || !isfinite(sum))
        return skin;
    uint32_t total = 0, most = 0;
    for (uint32_t i = 0; i < 4; i++) {
        float share = weights->weight[i] / sum * 255;
        skin.weights[i] = (uint8_t)(share + 0.5f);
        skin.joints[i] = weights->joint[i];
        total += skin.weights[i];
        if (skin.weights[i] > skin.weights[most])
            most = i;
    }
    skin.weights[most] = (uint8_t)(skin.weights[most] + 255 - (int)total);
    return skin;
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
    for (int i = 0; i < 12; i++)
        sum += fabsf((&a->m[0][0])[i]);
    return isfinite(sum) && sum > 0;
}

/*
 * Returns the transform that moves vertices to their rest pose in the model. It is taken from the
 * first bone, and is right for the others if the mesh was bound in its rest pose. `back` is the
 * inverse, to the coordinates in the file.
 */
static CnAffine find_rest(const CniRenderImport *import, const struct aiMesh *from, CnAffine *back)
{
    const struct aiBone *bone = from->mBones[0];
    const CniRenderImportNode *node =
        cni_render_import_find(import, cni_render_import_text(&bone->mName));
    CnAffine offset = cni_render_import_affine(&bone->mOffsetMatrix);
    CnAffine rest = node ? cn_affine_mul(&node->place, &offset) : cn_affine_identity();
    *back = cn_affine_inverse(&rest);
    if (is_near_identity(&rest) || !is_usable(&rest) || !is_usable(back))
        rest = *back = cn_affine_identity();
    return rest;
}

static bool read_bone(CniRenderImport *import, const struct aiMesh *from, const struct aiBone *bone,
                      const CnAffine *back, Weights *weights, uint32_t *joint)
{
    const CniRenderImportNode *node =
        cni_render_import_find(import, cni_render_import_text(&bone->mName));
    if (!node)
        return cni_render_import_fails(import, CN_ERROR_FORMAT, "a joint of the model has no node");
    CnAffine offset = cni_render_import_affine(&bone->mOffsetMatrix);
    offset = cn_affine_mul(&offset, back);
    if (!add_joint(import, (uint32_t)(node - import->nodes.items), &offset, joint))
        return false;
    for (uint32_t i = 0; i < bone->mNumWeights; i++) {
        const struct aiVertexWeight *weight = &bone->mWeights[i];
        if (weight->mVertexId >= from->mNumVertices)
            return cni_render_import_fails(import, CN_ERROR_FORMAT,
                                           "a joint refers to a vertex that does not exist");
        add_weight(&weights[weight->mVertexId], *joint, weight->mWeight);
    }
    return true;
}

static bool add_skins(CniRenderImport *import, CniRenderModelMesh *mesh, const Weights *weights,
                      uint8_t none)
{
    CniRenderModelData *data = import->data;
    if (!cn_array_reserve(&data->skins, (uint64_t)data->skins.count + mesh->vertex_count))
        return no_memory(import);
    mesh->first_skin = data->skins.count + 1;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        data->skins.items[data->skins.count++] =
            quantise(weights ? &weights[i] : &(Weights){0}, none);
    return true;
}

bool cni_render_import_bones(CniRenderImport *import, const struct aiMesh *from,
                             CniRenderModelMesh *mesh)
{
    CnAffine back, rest = find_rest(import, from, &back);
    size_t bytes = (size_t)from->mNumVertices * sizeof(Weights);
    Weights *weights = cn_alloc_zeroed(import->allocator, bytes);
    if (!weights)
        return no_memory(import);
    uint32_t first = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < from->mNumBones; i++) {
        uint32_t joint;
        ok = read_bone(import, from, from->mBones[i], &back, weights, &joint);
        if (ok && i == 0)
            first = joint;
    }
    ok = ok && add_skins(import, mesh, weights, (uint8_t)first);
    cn_free(import->allocator, weights, bytes);
    if (ok)
        cni_render_import_move(import->data, mesh, &rest);
    return ok;
}

bool cni_render_import_rigid(CniRenderImport *import, uint32_t node, CniRenderModelMesh *mesh)
{
    CnAffine rest = import->nodes.items[node].place, back = cn_affine_inverse(&rest);
    uint32_t joint;
    if (!is_usable(&rest) || !is_usable(&back))
        rest = back = cn_affine_identity();
    if (!add_joint(import, node, &back, &joint) || !add_skins(import, mesh, NULL, (uint8_t)joint))
        return false;
    cni_render_import_move(import->data, mesh, &rest);
    return true;
}

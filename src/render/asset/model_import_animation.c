#include "render/asset/model_gltf.h"

static bool no_memory(const CniRenderImport *import)
{
    return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
}

/* ---- Nodes ---- */

bool cni_render_import_keep_nodes(CniRenderImport *import)
{
    CniRenderModelData *data = import->data;
    for (uint32_t i = 0; i < data->joints.count; i++)
        for (uint32_t at = data->joints.items[i].node + 1; at && !import->nodes.items[at - 1].kept;
             at = import->nodes.items[at - 1].parent)
            import->nodes.items[at - 1].kept = UINT32_MAX;
    for (uint32_t i = 0; i < import->nodes.count; i++) {
        CniRenderImportNode *node = &import->nodes.items[i];
        if (!node->kept)
            continue;
        bool ok = true;
        CniRenderModelNode kept = {
            .name = cni_render_model_text(data, cni_render_import_text(&node->node->mName), &ok),
            .parent = node->parent ? import->nodes.items[node->parent - 1].kept : 0};
        CnAffine local = cni_render_import_affine(&node->node->mTransformation);
        cn_affine_to_trs(&local, &kept.position, &kept.rotation, &kept.scale);
        if (!ok || !cn_array_push(&data->nodes, kept))
            return no_memory(import);
        node->kept = data->nodes.count;
    }
    for (uint32_t i = 0; i < data->joints.count; i++)
        data->joints.items[i].node = import->nodes.items[data->joints.items[i].node].kept - 1;
    return true;
}

/* ---- Clips ---- */

#define CUBIC_STEPS 8u /* linear segments per curve segment */

/* The source of one channel. */
typedef struct Source {
    CniRenderImport *import;
    uint32_t clip;
    double per_second;
    uint32_t node; /* index among the kept nodes */
    CnText name;
} Source;

static bool add_key(CniRenderImport *import, float seconds, CnVec4 value)
{
    CniRenderModelData *data = import->data;
    if (data->keys.count >= CNI_RENDER_MODEL_MAX_KEYS)
        return cni_render_import_fails(import, CN_ERROR_LIMIT,
                                       "the clips of the model have too many keys");
    return cn_array_push(&data->keys, (CniRenderModelKey){seconds, value}) || no_memory(import);
}

static CnVec4 unit(CnVec4 v)
{
    CnQuat q = cn_quat_normalize((CnQuat){v.x, v.y, v.z, v.w});
    return (CnVec4){q.x, q.y, q.z, q.w};
}

/* Adds a key of the file; between the keys of a curve, unit() is sufficient. */
static bool add_rotation(CniRenderImport *import, float seconds, CnVec4 v)
{
    CnQuat q = {v.x, v.y, v.z, v.w};
    if (!cn_quat_make_unit(&q))
        return cni_render_import_fails(import, CN_ERROR_FORMAT,
                                       "a rotation of an animation is zero or not finite");
    return add_key(import, seconds, (CnVec4){q.x, q.y, q.z, q.w});
}

static float load_float(const uint8_t *at)
{
    float value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Returns one of the three values of a key: 0 in-tangent, 1 value, 2 out-tangent. */
static CnVec4 load_value(const CniRenderGltfKeys *keys, uint32_t key, uint32_t which)
{
    const uint8_t *at = keys->values + (size_t)(key * 3 + which) * keys->value_stride;
    CnVec4 value = {load_float(at), load_float(at + 4), load_float(at + 8), 0};
    if (keys->width == 4)
        value.w = load_float(at + 12);
    return value;
}

static CnVec4 add_scaled(CnVec4 a, CnVec4 b, float s)
{
    return (CnVec4){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s, a.w + b.w * s};
}

/* Cubic Hermite spline, as specified by glTF. */
static CnVec4 cubic(const CniRenderGltfKeys *keys, uint32_t key, float span, float t)
{
    float t2 = t * t, t3 = t2 * t;
    CnVec4 v = add_scaled((CnVec4){0}, load_value(keys, key, 1), 2 * t3 - 3 * t2 + 1);
    v = add_scaled(v, load_value(keys, key, 2), span * (t3 - 2 * t2 + t));
    v = add_scaled(v, load_value(keys, key + 1, 1), 3 * t2 - 2 * t3);
    return add_scaled(v, load_value(keys, key + 1, 0), span * (t3 - t2));
}

static bool add_cubic(CniRenderImport *import, const CniRenderGltfKeys *keys, uint32_t kind)
{
    for (uint32_t i = 0; i < keys->count; i++) {
        float from = load_float(keys->times + (size_t)i * keys->time_stride);
        uint32_t steps = i + 1 < keys->count ? CUBIC_STEPS : 1;
        float to = steps > 1 ? load_float(keys->times + (size_t)(i + 1) * keys->time_stride) : from;
        for (uint32_t j = 0; j < steps; j++) {
            float t = (float)j / CUBIC_STEPS;
            float seconds = from + (to - from) * t;
            CnVec4 value = j ? cubic(keys, i, to - from, t) : load_value(keys, i, 1);
            bool is_rotation = kind == CNI_RENDER_CHANNEL_ROTATION;
            if (is_rotation && !j ? !add_rotation(import, seconds, value)
                                  : !add_key(import, seconds, is_rotation ? unit(value) : value))
                return false;
        }
    }
    return true;
}

static bool add_vectors(const Source *source, const struct aiVectorKey *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CnVec4 value = {keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z, 0};
        if (!add_key(source->import, (float)(keys[i].mTime / source->per_second), value))
            return false;
    }
    return true;
}

static bool add_rotations(const Source *source, const struct aiQuatKey *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CnVec4 value = {keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z, keys[i].mValue.w};
        if (!add_rotation(source->import, (float)(keys[i].mTime / source->per_second), value))
            return false;
    }
    return true;
}

static bool read_channel(const Source *source, const struct aiNodeAnim *from, uint32_t kind)
{
    CniRenderImport *import = source->import;
    CniRenderModelData *data = import->data;
    CniRenderGltfKeys keys = cni_render_gltf_keys(import->gltf, source->clip, source->name, kind);
    CniRenderModelChannel channel = {.node = source->node,
                                     .kind = kind,
                                     .is_stepped = keys.curve == CNI_RENDER_CURVE_STEP,
                                     .first_key = data->keys.count};
    bool ok;
    if (keys.curve == CNI_RENDER_CURVE_CUBIC && keys.times && keys.values)
        ok = add_cubic(import, &keys, kind);
    else if (kind == CNI_RENDER_CHANNEL_ROTATION)
        ok = add_rotations(source, from->mRotationKeys, from->mNumRotationKeys);
    else if (kind == CNI_RENDER_CHANNEL_POSITION)
        ok = add_vectors(source, from->mPositionKeys, from->mNumPositionKeys);
    else
        ok = add_vectors(source, from->mScalingKeys, from->mNumScalingKeys);
    channel.key_count = data->keys.count - channel.first_key;
    return ok &&
           (channel.key_count == 0 || cn_array_push(&data->channels, channel) || no_memory(import));
}

/* Channels are in node order, so that sampling can iterate over both at once. */
static bool read_channels(Source *source, const struct aiAnimation *from, uint32_t *channel_of)
{
    CniRenderImport *import = source->import;
    memset(channel_of, 0, import->data->nodes.count * sizeof *channel_of);
    for (uint32_t i = 0; i < from->mNumChannels; i++) {
        const CniRenderImportNode *node =
            cni_render_import_find(import, cni_render_import_text(&from->mChannels[i]->mNodeName));
        if (node && node->kept)
            channel_of[node->kept - 1] = i + 1;
    }
    for (uint32_t i = 0; i < import->data->nodes.count; i++) {
        if (!channel_of[i])
            continue;
        const struct aiNodeAnim *channel = from->mChannels[channel_of[i] - 1];
        source->node = i;
        source->name = cni_render_import_text(&channel->mNodeName);
        for (uint32_t kind = 0; kind < CNI_RENDER_CHANNEL_KINDS; kind++)
            if (!read_channel(source, channel, kind))
                return false;
    }
    return true;
}

static bool read_clip(CniRenderImport *import, uint32_t number, uint32_t *channel_of)
{
    CniRenderModelData *data = import->data;
    const struct aiAnimation *from = import->scene->mAnimations[number];
    Source source = {.import = import,
                     .clip = number,
                     .per_second = from->mTicksPerSecond > 0 ? from->mTicksPerSecond : 25};
    bool ok = true;
    CniRenderModelClip clip = {
        .name = cni_render_model_text(data, cni_render_import_text(&from->mName), &ok),
        .first_channel = data->channels.count};
    uint32_t first_key = data->keys.count;
    if (!ok)
        return no_memory(import);
    if (!read_channels(&source, from, channel_of))
        return false;
    clip.channel_count = data->channels.count - clip.first_channel;
    for (uint32_t i = first_key; i < data->keys.count; i++)
        if (data->keys.items[i].seconds > clip.seconds)
            clip.seconds = data->keys.items[i].seconds;
    return cn_array_push(&data->clips, clip) || no_memory(import);
}

bool cni_render_import_clips(CniRenderImport *import)
{
    size_t bytes = (size_t)import->data->nodes.count * sizeof(uint32_t);
    if (!bytes)
        return true; /* nothing to animate */
    if (import->scene->mNumAnimations > CN_MODEL_MAX_CLIPS)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has more than 64 clips");
    uint32_t *channel_of = cn_alloc(import->allocator, bytes);
    if (!channel_of)
        return no_memory(import);
    bool ok = true;
    for (uint32_t i = 0; ok && i < import->scene->mNumAnimations; i++)
        ok = read_clip(import, i, channel_of);
    cn_free(import->allocator, channel_of, bytes);
    return ok;
}

/* Converts the animations of a glTF document, and the nodes that they move. */
#include "render/import/gltf_convert.h"

#define CUBIC_STEPS 8u /* linear segments per curve segment */
#define MAX_CHANNELS (CN_MODEL_MAX_CLIPS * CNI_RENDER_MODEL_MAX_NODES)

/* ---- Nodes ---- */

/* Marks a node (index + 1) and its ancestors. */
static void mark_node(CniRenderGltf *gltf, uint32_t node)
{
    for (uint32_t at = node; at && !gltf->nodes[at - 1].kept; at = gltf->nodes[at - 1].parent)
        gltf->nodes[at - 1].kept = UINT32_MAX;
}

static void mark_nodes(CniRenderGltf *gltf, const CniRenderModelData *data)
{
    for (uint32_t i = 0; i < data->joints.count; i++)
        mark_node(gltf, data->joints.items[i].node + 1);
    for (uint32_t i = 0; i < data->lights.count; i++)
        mark_node(gltf, data->lights.items[i].node + 1);
    for (uint32_t i = 0; i < data->cameras.count; i++)
        mark_node(gltf, data->cameras.items[i].node + 1);
    for (uint32_t i = 0; i < data->parts.count; i++)
        mark_node(gltf, data->parts.items[i].node);
}

/* Replaces nodes of the document by those of the model. */
static void replace_nodes(const CniRenderGltf *gltf, CniRenderModelData *data)
{
    for (uint32_t i = 0; i < data->joints.count; i++)
        data->joints.items[i].node = gltf->nodes[data->joints.items[i].node].kept - 1;
    for (uint32_t i = 0; i < data->lights.count; i++)
        data->lights.items[i].node = gltf->nodes[data->lights.items[i].node].kept - 1;
    for (uint32_t i = 0; i < data->cameras.count; i++)
        data->cameras.items[i].node = gltf->nodes[data->cameras.items[i].node].kept - 1;
    for (uint32_t i = 0; i < data->parts.count; i++)
        if (data->parts.items[i].node)
            data->parts.items[i].node = gltf->nodes[data->parts.items[i].node - 1].kept;
}

/* Keeps the nodes that something refers to and their ancestors, parents before children. */
static bool keep_nodes(CniRenderGltfConversion *conversion)
{
    CniRenderGltf *gltf = conversion->gltf;
    CniRenderModelData *data = conversion->data;
    mark_nodes(gltf, data);
    for (uint32_t i = 0; i < gltf->counts[CNI_RENDER_GLTF_NODES]; i++) {
        CniRenderGltfNode *node = &gltf->nodes[gltf->order[i]];
        bool ok = true;
        if (!node->kept)
            continue;
        CniRenderModelNode kept = {
            .name = cni_render_model_text(data, cn_text(node->name ? node->name : ""), &ok),
            .parent = node->parent ? gltf->nodes[node->parent - 1].kept : 0,
            .is_hidden = node->hides,
            .position = node->position,
            .rotation = node->rotation,
            .scale = node->scale};
        if (!ok || !cn_array_push(&data->nodes, kept))
            return cni_render_import_memory(conversion->import);
        node->kept = data->nodes.count;
    }
    replace_nodes(gltf, data);
    return true;
}

/* ---- Keys ---- */

typedef struct Keys {
    const CniRenderGltfAccessor *times, *values;
    CniRenderGltfCurve curve;
    bool is_rotation;
    uint32_t width;                     /* components of a key; 0: morph weights */
    uint32_t weight_count;              /* of morph targets */
    uint32_t first_weight;              /* of up to four */
    const CniRenderGltfChannel *scaled; /* by its scale; NULL: not scaled */
} Keys;

static bool add_key(CniRenderGltfConversion *conversion, float seconds, CnVec4 value)
{
    CniRenderModelData *data = conversion->data;
    if (data->keys.count >= CNI_RENDER_MODEL_MAX_KEYS)
        return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                       "the clips of the model have more than %u keys",
                                       CNI_RENDER_MODEL_MAX_KEYS);
    return cn_array_push(&data->keys, (CniRenderModelKey){seconds, value}) ||
           cni_render_import_memory(conversion->import);
}

static float load_time(const Keys *keys, uint32_t key)
{
    float seconds;
    cni_render_gltf_element(keys->times, key, 1, &seconds);
    return seconds;
}

static CnVec4 load_value(const Keys *keys, uint32_t element)
{
    float v[4] = {0};
    if (keys->width)
        cni_render_gltf_element(keys->values, element, keys->width, v);
    for (uint32_t i = 1; keys->scaled && keys->scaled->is_spread && i < 3; i++)
        v[i] = v[0];
    for (uint32_t i = 0; keys->scaled && i < 3; i++)
        v[i] *= keys->scaled->scale[i];
    for (uint32_t i = 0; i < 4 && keys->first_weight + i < keys->weight_count; i++)
        cni_render_gltf_element(keys->values, element * keys->weight_count + keys->first_weight + i,
                                1, &v[i]);
    return (CnVec4){v[0], v[1], v[2], v[3]};
}

static CnVec4 add_scaled(CnVec4 a, CnVec4 b, float s)
{
    return (CnVec4){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s, a.w + b.w * s};
}

/* Cubic Hermite spline, as specified by glTF. A key has an in-tangent, a value and an
 * out-tangent. */
static CnVec4 cubic(const Keys *keys, uint32_t key, float span, float t)
{
    float t2 = t * t, t3 = t2 * t;
    CnVec4 v = add_scaled((CnVec4){0}, load_value(keys, key * 3 + 1), 2 * t3 - 3 * t2 + 1);
    v = add_scaled(v, load_value(keys, key * 3 + 2), span * (t3 - 2 * t2 + t));
    v = add_scaled(v, load_value(keys, key * 3 + 4), 3 * t2 - 2 * t3);
    return add_scaled(v, load_value(keys, key * 3 + 3), span * (t3 - t2));
}

/* Adds a value of the file. */
static bool add_file_key(CniRenderGltfConversion *conversion, const Keys *keys, float seconds,
                         CnVec4 v)
{
    if (!keys->is_rotation)
        return add_key(conversion, seconds, v);
    CnQuat q = {v.x, v.y, v.z, v.w};
    if (!cn_quat_make_unit(&q))
        return cni_render_import_fails(conversion->import, CN_ERROR_FORMAT,
                                       "a rotation of an animation is zero or not finite");
    return add_key(conversion, seconds, (CnVec4){q.x, q.y, q.z, q.w});
}

static bool add_curve(CniRenderGltfConversion *conversion, const Keys *keys, uint32_t key)
{
    float from = load_time(keys, key), to = load_time(keys, key + 1);
    for (uint32_t i = 1; i < CUBIC_STEPS; i++) {
        float t = (float)i / CUBIC_STEPS;
        CnVec4 v = cubic(keys, key, to - from, t);
        if (keys->is_rotation) {
            CnQuat q = cn_quat_normalize((CnQuat){v.x, v.y, v.z, v.w});
            v = (CnVec4){q.x, q.y, q.z, q.w};
        }
        if (!add_key(conversion, from + (to - from) * t, v))
            return false;
    }
    return true;
}

static bool add_keys(CniRenderGltfConversion *conversion, const Keys *keys)
{
    bool is_cubic = keys->curve == CNI_RENDER_CURVE_CUBIC;
    for (uint32_t i = 0; i < keys->times->count; i++) {
        CnVec4 value = load_value(keys, is_cubic ? i * 3 + 1 : i);
        if (!add_file_key(conversion, keys, load_time(keys, i), value) ||
            (is_cubic && i + 1 < keys->times->count && !add_curve(conversion, keys, i)))
            return false;
    }
    return true;
}

/* ---- Clips ---- */

/* Appends the keys and the channel. */
static bool push_channel(CniRenderGltfConversion *conversion, const Keys *keys,
                         CniRenderModelChannel channel)
{
    CniRenderModelData *data = conversion->data;
    channel.is_stepped = keys->curve == CNI_RENDER_CURVE_STEP;
    channel.first_key = data->keys.count;
    if (data->channels.count >= MAX_CHANNELS)
        return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                       "the clips of the model have more than %u channels",
                                       MAX_CHANNELS);
    if (!add_keys(conversion, keys))
        return false;
    channel.key_count = data->keys.count - channel.first_key;
    return !channel.key_count || cn_array_push(&data->channels, channel) ||
           cni_render_import_memory(conversion->import);
}

static bool add_channel(CniRenderGltfConversion *conversion, const CniRenderGltfChannel *from)
{
    const CniRenderGltf *gltf = conversion->gltf;
    Keys keys = {.times = &gltf->accessors[from->sampler.input - 1],
                 .values = &gltf->accessors[from->sampler.output - 1],
                 .curve = from->sampler.curve,
                 .is_rotation = from->kind == CNI_RENDER_CHANNEL_ROTATION,
                 .width = from->width};
    return push_channel(
        conversion, &keys,
        (CniRenderModelChannel){.target = gltf->nodes[from->target].kept - 1, .kind = from->kind});
}

/* Adds a channel per four weights of a node. */
static bool add_weights(CniRenderGltfConversion *conversion, const CniRenderGltfChannel *from)
{
    const CniRenderGltf *gltf = conversion->gltf;
    uint32_t morph = conversion->morph_of[from->target];
    if (!morph)
        return true; /* the node is not part of the scene */
    Keys keys = {.times = &gltf->accessors[from->sampler.input - 1],
                 .values = &gltf->accessors[from->sampler.output - 1],
                 .curve = from->sampler.curve,
                 .weight_count = conversion->data->morphs.items[morph - 1].weight_count};
    for (; keys.first_weight < keys.weight_count; keys.first_weight += 4)
        if (!push_channel(conversion, &keys,
                          (CniRenderModelChannel){.target = morph - 1,
                                                  .kind = CNI_RENDER_CHANNEL_WEIGHTS,
                                                  .first = keys.first_weight}))
            return false;
    return true;
}

/* Channels are in the order of nodes, so that sampling can iterate over both at once. `channel_of`
 * has the index + 1 of the channel per kept node and kind. */
static bool add_channels(CniRenderGltfConversion *conversion,
                         const CniRenderGltfAnimation *animation, uint32_t *channel_of)
{
    const CniRenderGltf *gltf = conversion->gltf;
    uint32_t count = conversion->data->nodes.count * CNI_RENDER_CHANNEL_NODE_KINDS;
    memset(channel_of, 0, count * sizeof *channel_of);
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const CniRenderGltfChannel *channel = &animation->channels[i];
        if (channel->kind >= CNI_RENDER_CHANNEL_NODE_KINDS)
            continue;
        uint32_t kept = gltf->nodes[channel->target].kept;
        if (kept)
            channel_of[(kept - 1) * CNI_RENDER_CHANNEL_NODE_KINDS + channel->kind] = i + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        if (channel_of[i] && !add_channel(conversion, &animation->channels[channel_of[i] - 1]))
            return false;
    return true;
}

/* Adds a channel that changes an item of the model (index + 1; 0: it is not part of it). */
static bool add_value_of(CniRenderGltfConversion *conversion, const CniRenderGltfChannel *from,
                         uint32_t item)
{
    const CniRenderGltf *gltf = conversion->gltf;
    Keys keys = {.times = &gltf->accessors[from->sampler.input - 1],
                 .values = &gltf->accessors[from->sampler.output - 1],
                 .curve = from->sampler.curve,
                 .width = from->width,
                 .scaled = from};
    return !item ||
           push_channel(conversion, &keys,
                        (CniRenderModelChannel){
                            .target = item - 1, .kind = from->kind, .first = from->property});
}

/* Several nodes may have the same light or camera. */
static bool add_value_of_each(CniRenderGltfConversion *conversion, const CniRenderGltfChannel *from,
                              const CnU32Array *sources)
{
    for (uint32_t i = 0; i < sources->count; i++)
        if (sources->items[i] == from->target && !add_value_of(conversion, from, i + 1))
            return false;
    return true;
}

static bool add_value(CniRenderGltfConversion *conversion, const CniRenderGltfChannel *from)
{
    switch (from->kind) {
    case CNI_RENDER_CHANNEL_WEIGHTS:
        return add_weights(conversion, from);
    case CNI_RENDER_CHANNEL_VISIBLE:
        return add_value_of(conversion, from, conversion->gltf->nodes[from->target].kept);
    case CNI_RENDER_CHANNEL_MATERIAL:
        return add_value_of(conversion, from, conversion->material_of[from->target]);
    case CNI_RENDER_CHANNEL_LIGHT:
        return add_value_of_each(conversion, from, &conversion->light_of);
    case CNI_RENDER_CHANNEL_CAMERA:
        return add_value_of_each(conversion, from, &conversion->camera_of);
    default:
        return true;
    }
}

/* Adds the channels of other kinds than those of nodes. */
static bool add_values(CniRenderGltfConversion *conversion, const CniRenderGltfAnimation *animation)
{
    for (uint32_t i = 0; i < animation->channel_count; i++)
        if (!add_value(conversion, &animation->channels[i]))
            return false;
    return true;
}

/* Returns whether an animation changes anything but nodes. */
static bool has_values(const CniRenderGltf *gltf)
{
    for (uint32_t i = 0; i < gltf->counts[CNI_RENDER_GLTF_ANIMATIONS]; i++)
        for (uint32_t j = 0; j < gltf->animations[i].channel_count; j++)
            if (gltf->animations[i].channels[j].kind >= CNI_RENDER_CHANNEL_NODE_KINDS)
                return true;
    return false;
}

static bool add_clip(CniRenderGltfConversion *conversion, const CniRenderGltfAnimation *animation,
                     uint32_t *channel_of)
{
    CniRenderModelData *data = conversion->data;
    bool ok = true;
    CniRenderModelClip clip = {
        .name = cni_render_model_text(data, cn_text(animation->name ? animation->name : ""), &ok),
        .first_channel = data->channels.count};
    uint32_t first_key = data->keys.count;
    if (!ok)
        return cni_render_import_memory(conversion->import);
    if (!add_channels(conversion, animation, channel_of))
        return false;
    clip.channel_count = data->channels.count - clip.first_channel;
    if (!add_values(conversion, animation))
        return false;
    clip.value_count = data->channels.count - clip.first_channel - clip.channel_count;
    for (uint32_t i = first_key; i < data->keys.count; i++)
        if (data->keys.items[i].seconds > clip.seconds)
            clip.seconds = data->keys.items[i].seconds;
    return cn_array_push(&data->clips, clip) || cni_render_import_memory(conversion->import);
}

bool cni_render_gltf_convert_clips(CniRenderGltfConversion *conversion)
{
    CniRenderGltf *gltf = conversion->gltf;
    uint32_t clip_count = gltf->counts[CNI_RENDER_GLTF_ANIMATIONS];
    if (!keep_nodes(conversion))
        return false;
    uint32_t count = conversion->data->nodes.count * CNI_RENDER_CHANNEL_NODE_KINDS;
    if (!count && !has_values(gltf))
        return true; /* nothing to animate */
    if (clip_count > CN_MODEL_MAX_CLIPS)
        return cni_render_import_fails(conversion->import, CN_ERROR_LIMIT,
                                       "the model has more than %u clips", CN_MODEL_MAX_CLIPS);
    uint32_t *channel_of = cni_render_gltf_alloc(gltf, count, sizeof *channel_of);
    bool ok = channel_of != NULL;
    for (uint32_t i = 0; ok && i < clip_count; i++)
        ok = add_clip(conversion, &gltf->animations[i], channel_of);
    return ok;
}

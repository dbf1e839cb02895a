#include "render/asset/model_data.h"

#include <math.h>

/* Returns the key at or before this time; the first key if the time is before all. */
static uint32_t find_key(const CniRenderModelKey *keys, uint32_t count, float seconds)
{
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (keys[middle].seconds <= seconds)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static CnVec4 sample_channel(const CniRenderModelData *data, const CniRenderModelChannel *channel,
                             float seconds)
{
    const CniRenderModelKey *keys = data->keys.items + channel->first_key;
    uint32_t at = find_key(keys, channel->key_count, seconds);
    const CniRenderModelKey *a = &keys[at], *b = &keys[at + 1 < channel->key_count ? at + 1 : at];
    float span = b->seconds - a->seconds;
    if (channel->is_stepped || seconds <= a->seconds || !(span > 0))
        return a->value;
    float t = (seconds - a->seconds) / span;
    t = t < 1 ? t : 1;
    if (channel->kind == CNI_RENDER_CHANNEL_ROTATION) {
        CnQuat from = {a->value.x, a->value.y, a->value.z, a->value.w};
        CnQuat to = {b->value.x, b->value.y, b->value.z, b->value.w};
        CnQuat q = cn_quat_slerp(from, to, t);
        return (CnVec4){q.x, q.y, q.z, q.w};
    }
    return (CnVec4){
        a->value.x + (b->value.x - a->value.x) * t, a->value.y + (b->value.y - a->value.y) * t,
        a->value.z + (b->value.z - a->value.z) * t, a->value.w + (b->value.w - a->value.w) * t};
}

/* Processes the channels of one node; the channels of a clip are sorted by node. */
static uint32_t place_node(const CniRenderModelData *data, const CniRenderModelNode *node,
                           uint32_t number, const CniRenderModelClip *clip, uint32_t channel,
                           float seconds, CnAffine *local)
{
    CnVec3 position = node->position, scale = node->scale;
    CnQuat rotation = node->rotation;
    for (; clip && channel < clip->channel_count; channel++) {
        const CniRenderModelChannel *c = &data->channels.items[clip->first_channel + channel];
        if (c->target > number)
            break;
        if (c->target < number)
            continue;
        CnVec4 v = sample_channel(data, c, seconds);
        if (c->kind == CNI_RENDER_CHANNEL_POSITION)
            position = cn_vec3(v.x, v.y, v.z);
        else if (c->kind == CNI_RENDER_CHANNEL_SCALE)
            scale = cn_vec3(v.x, v.y, v.z);
        else
            rotation = cn_quat_normalize((CnQuat){v.x, v.y, v.z, v.w});
    }
    cni_base_affine_from_trs(local, &position, &rotation, &scale);
    return channel;
}

/* Returns the clip, and the time in it, which loops; NULL: there is no such clip. */
static const CniRenderModelClip *find_clip(const CniRenderModelData *data, uint32_t number,
                                           float *seconds)
{
    if (number >= data->clips.count)
        return NULL;
    const CniRenderModelClip *clip = &data->clips.items[number];
    *seconds = clip->seconds > 0 ? fmodf(*seconds, clip->seconds) : 0;
    if (*seconds < 0)
        *seconds += clip->seconds;
    return clip;
}

void cni_render_model_sample(const CniRenderModelData *data, uint32_t clip_number, float seconds,
                             CnAffine *globals, CnAffine *joints)
{
    const CniRenderModelClip *clip = find_clip(data, clip_number, &seconds);
    uint32_t channel = 0;
    for (uint32_t i = 0; i < data->nodes.count; i++) {
        const CniRenderModelNode *node = &data->nodes.items[i];
        CnAffine local;
        channel = place_node(data, node, i, clip, channel, seconds, &local);
        if (node->parent)
            cni_base_affine_mul(&globals[i], &globals[node->parent - 1], &local);
        else
            globals[i] = local;
    }
    for (uint32_t i = 0; i < data->joints.count; i++) {
        const CniRenderModelJoint *joint = &data->joints.items[i];
        cni_base_affine_mul(&joints[i], &globals[joint->node], &joint->offset);
    }
}

void cni_render_model_sample_weights(const CniRenderModelData *data, uint32_t clip_number,
                                     float seconds, uint32_t morph_number, float *weights)
{
    const CniRenderModelMorph *morph = &data->morphs.items[morph_number];
    const CniRenderModelClip *clip = find_clip(data, clip_number, &seconds);
    memcpy(weights, data->weights.items + morph->first_weight,
           morph->weight_count * sizeof *weights);
    for (uint32_t i = 0; clip && i < clip->value_count; i++) {
        const CniRenderModelChannel *c =
            &data->channels.items[clip->first_channel + clip->channel_count + i];
        if (c->kind != CNI_RENDER_CHANNEL_WEIGHTS || c->target != morph_number)
            continue;
        CnVec4 v = sample_channel(data, c, seconds);
        const float values[4] = {v.x, v.y, v.z, v.w};
        for (uint32_t j = 0; j < 4 && c->first + j < morph->weight_count; j++)
            weights[c->first + j] = values[j];
    }
}

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

typedef struct Local {
    CnVec3 position, scale;
    CnQuat rotation;
} Local;

/* The iteration over the channels of nodes in a clip, which are sorted by node. */
typedef struct ClipNodes {
    const CniRenderModelClip *clip; /* NULL: the rest pose */
    float seconds;
    uint32_t channel;
} ClipNodes;

static Local next_local(const CniRenderModelData *data, uint32_t number, ClipNodes *nodes)
{
    const CniRenderModelNode *node = &data->nodes.items[number];
    const CniRenderModelClip *clip = nodes->clip;
    Local local = {node->position, node->scale, node->rotation};
    for (; clip && nodes->channel < clip->channel_count; nodes->channel++) {
        const CniRenderModelChannel *c =
            &data->channels.items[clip->first_channel + nodes->channel];
        if (c->target > number)
            break;
        if (c->target < number)
            continue;
        CnVec4 v = sample_channel(data, c, nodes->seconds);
        if (c->kind == CNI_RENDER_CHANNEL_POSITION)
            local.position = cn_vec3(v.x, v.y, v.z);
        else if (c->kind == CNI_RENDER_CHANNEL_SCALE)
            local.scale = cn_vec3(v.x, v.y, v.z);
        else
            local.rotation = cn_quat_normalize((CnQuat){v.x, v.y, v.z, v.w});
    }
    return local;
}

static Local local_between(const Local *from, const Local *to, float t)
{
    return (Local){cn_vec3_lerp(from->position, to->position, t),
                   cn_vec3_lerp(from->scale, to->scale, t),
                   cn_quat_slerp(from->rotation, to->rotation, t)};
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

/* Returns a channel of another kind than those of nodes. */
static const CniRenderModelChannel *value_channel(const CniRenderModelData *data,
                                                  const CniRenderModelClip *clip, uint32_t index)
{
    return &data->channels.items[clip->first_channel + clip->channel_count + index];
}

static ClipNodes nodes_of(const CniRenderModelData *data, uint32_t clip, float seconds)
{
    ClipNodes nodes = {.seconds = seconds};
    nodes.clip = find_clip(data, clip, &nodes.seconds);
    return nodes;
}

void cni_render_model_sample_pose(const CniRenderModelData *data, const CniRenderModelPose *pose,
                                  CnAffine *globals)
{
    ClipNodes nodes = nodes_of(data, pose->clip, pose->seconds);
    ClipNodes from = nodes_of(data, pose->from_clip, pose->from_seconds);
    for (uint32_t i = 0; i < data->nodes.count; i++) {
        uint32_t parent = data->nodes.items[i].parent;
        Local local = next_local(data, i, &nodes);
        if (pose->weight > 0) {
            Local before = next_local(data, i, &from);
            local = local_between(&before, &local, 1 - pose->weight);
        }
        CnAffine *global = &globals[i], placed;
        cni_base_affine_from_trs(parent ? &placed : global, &local.position, &local.rotation,
                                 &local.scale);
        if (parent)
            cni_base_affine_mul(global, &globals[parent - 1], &placed);
    }
}

void cni_render_model_sample_nodes(const CniRenderModelData *data, uint32_t clip, float seconds,
                                   CnAffine *globals)
{
    cni_render_model_sample_pose(data, &(CniRenderModelPose){clip, seconds, 0, 0, 0}, globals);
}

void cni_render_model_sample(const CniRenderModelData *data, const CniRenderModelPose *pose,
                             CnAffine *globals, CnAffine *joints)
{
    cni_render_model_sample_pose(data, pose, globals);
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
        const CniRenderModelChannel *c = value_channel(data, clip, i);
        if (c->kind != CNI_RENDER_CHANNEL_WEIGHTS || c->target != morph_number)
            continue;
        CnVec4 v = sample_channel(data, c, seconds);
        const float values[4] = {v.x, v.y, v.z, v.w};
        for (uint32_t j = 0; j < 4 && c->first + j < morph->weight_count; j++)
            weights[c->first + j] = values[j];
    }
}

void cni_render_model_sample_hidden(const CniRenderModelData *data, uint32_t clip_number,
                                    float seconds, uint8_t *hidden)
{
    const CniRenderModelClip *clip = find_clip(data, clip_number, &seconds);
    for (uint32_t i = 0; i < data->nodes.count; i++)
        hidden[i] = data->nodes.items[i].is_hidden != 0;
    for (uint32_t i = 0; clip && i < clip->value_count; i++) {
        const CniRenderModelChannel *c = value_channel(data, clip, i);
        if (c->kind == CNI_RENDER_CHANNEL_VISIBLE)
            hidden[c->target] = sample_channel(data, c, seconds).x < 0.5f;
    }
    for (uint32_t i = 0; i < data->nodes.count; i++)
        if (data->nodes.items[i].parent)
            hidden[i] |= hidden[data->nodes.items[i].parent - 1];
}

/* ---- Materials, lights and cameras ---- */

static float between(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* Returns the next channel of the clip, from *next on, that changes this item; NULL: none. */
static const CniRenderModelChannel *next_channel(const CniRenderModelData *data,
                                                 const CniRenderModelClip *clip, uint32_t kind,
                                                 uint32_t target, uint32_t *next)
{
    while (clip && *next < clip->value_count) {
        const CniRenderModelChannel *c = value_channel(data, clip, (*next)++);
        if (c->kind == kind && c->target == target)
            return c;
    }
    return NULL;
}

static CnVec3 color_of(CnVec4 v)
{
    return cn_vec3(between(v.x, 0, 1e6f), between(v.y, 0, 1e6f), between(v.z, 0, 1e6f));
}

/* Changes a number of an extension, or the coordinates of a texture. */
static void change_extension(CniRenderModelMaterial *material, uint32_t first, CnVec4 v)
{
    uint32_t property = first & CNI_RENDER_MATERIAL_PROPERTY, index = first - property;
    float *number = &material->extensions.ior + index;
    if (property == CNI_RENDER_MATERIAL_NUMBER)
        number[0] = v.x;
    else if (property == CNI_RENDER_MATERIAL_COLOR)
        memcpy(number, &v, 3 * sizeof *number);
    else if (property == CNI_RENDER_MATERIAL_UV_OFFSET)
        material->coordinates[index].offset = (CnVec2){v.x, v.y};
    else if (property == CNI_RENDER_MATERIAL_UV_ROTATION)
        material->coordinates[index].rotation = v.x;
    else
        material->coordinates[index].scale = (CnVec2){v.x, v.y};
}

CniRenderModelMaterial cni_render_model_sample_material(const CniRenderModelData *data,
                                                        uint32_t clip_number, float seconds,
                                                        uint32_t number)
{
    CniRenderModelMaterial material = data->materials.items[number];
    const CniRenderModelClip *clip = find_clip(data, clip_number, &seconds);
    const CniRenderModelChannel *c;
    for (uint32_t next = 0;
         (c = next_channel(data, clip, CNI_RENDER_CHANNEL_MATERIAL, number, &next)) != NULL;) {
        CnVec4 v = sample_channel(data, c, seconds);
        CnVec3 color = color_of(v);
        if (c->first == CNI_RENDER_MATERIAL_BASE_COLOR)
            material.base_color = (CnVec4){color.x, color.y, color.z, between(v.w, 0, 1)};
        else if (c->first == CNI_RENDER_MATERIAL_EMISSIVE)
            material.emissive = color;
        else if (c->first == CNI_RENDER_MATERIAL_METALLIC)
            material.metallic = between(v.x, 0, 1);
        else if (c->first == CNI_RENDER_MATERIAL_ROUGHNESS)
            material.roughness = between(v.x, 0, 1);
        else if (c->first == CNI_RENDER_MATERIAL_NORMAL_SCALE)
            material.normal_scale = between(v.x, -100, 100);
        else if (c->first == CNI_RENDER_MATERIAL_ALPHA_CUTOFF)
            material.alpha_cutoff = between(v.x, 0, 1);
        else if (c->first == CNI_RENDER_MATERIAL_OCCLUSION_STRENGTH)
            material.occlusion_strength = between(v.x, 0, 1);
        else if (c->first & CNI_RENDER_MATERIAL_PROPERTY)
            change_extension(&material, c->first, v);
    }
    if (material.alpha_mode == CN_ALPHA_OPAQUE)
        material.base_color.w = 1;
    return material;
}

CniRenderModelLight cni_render_model_sample_light(const CniRenderModelData *data,
                                                  uint32_t clip_number, float seconds,
                                                  uint32_t number)
{
    CniRenderModelLight light = data->lights.items[number];
    const CniRenderModelClip *clip = find_clip(data, clip_number, &seconds);
    const CniRenderModelChannel *c;
    for (uint32_t next = 0;
         (c = next_channel(data, clip, CNI_RENDER_CHANNEL_LIGHT, number, &next)) != NULL;) {
        CnVec4 v = sample_channel(data, c, seconds);
        if (c->first == CNI_RENDER_LIGHT_COLOR)
            light.color = color_of(v);
        else if (c->first == CNI_RENDER_LIGHT_INTENSITY)
            light.intensity = between(v.x, 0, 1e9f);
        else if (c->first == CNI_RENDER_LIGHT_RANGE)
            light.range = between(v.x, 0, 1e9f);
        else if (c->first == CNI_RENDER_LIGHT_INNER)
            light.inner = between(v.x, 0, 1.5707f);
        else if (c->first == CNI_RENDER_LIGHT_OUTER)
            light.outer = between(v.x, 0, 1.5707f);
    }
    return light;
}

CniRenderModelCamera cni_render_model_sample_camera(const CniRenderModelData *data,
                                                    uint32_t clip_number, float seconds,
                                                    uint32_t number)
{
    CniRenderModelCamera camera = data->cameras.items[number];
    const CniRenderModelClip *clip = find_clip(data, clip_number, &seconds);
    const CniRenderModelChannel *c;
    for (uint32_t next = 0;
         (c = next_channel(data, clip, CNI_RENDER_CHANNEL_CAMERA, number, &next)) != NULL;) {
        float value = between(sample_channel(data, c, seconds).x, 0, 1e9f);
        if (c->first == CNI_RENDER_CAMERA_SIZE)
            camera.size = value;
        else if (c->first == CNI_RENDER_CAMERA_NEAR)
            camera.near = value;
        else if (c->first == CNI_RENDER_CAMERA_FAR)
            camera.far = value;
        else if (c->first == CNI_RENDER_CAMERA_ASPECT)
            camera.aspect = value;
    }
    return camera;
}

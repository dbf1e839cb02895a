/* Animations of a glTF document: channels of nodes, morph weights and other properties. */
#include "render/import/gltf.h"

static bool read_curve(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                       CniRenderGltfCurve *curve)
{
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const char *name = names[0];
    if (!cni_render_gltf_text(gltf, at, item, "interpolation", &name))
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        if (!strcmp(names[i], name)) {
            *curve = (CniRenderGltfCurve)i;
            return true;
        }
    return cni_render_gltf_fails(gltf, at, "interpolation", CN_ERROR_FORMAT,
                                 "must be LINEAR, STEP or CUBICSPLINE");
}

static bool read_sampler(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                         CniRenderGltfSampler *sampler)
{
    if (!json_is_object(item))
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT, "must be an object");
    if (!cni_render_gltf_index(gltf, at, item, "input", CNI_RENDER_GLTF_ACCESSORS,
                               &sampler->input) ||
        !cni_render_gltf_index(gltf, at, item, "output", CNI_RENDER_GLTF_ACCESSORS,
                               &sampler->output) ||
        !read_curve(gltf, at, item, &sampler->curve))
        return false;
    const CniRenderGltfAccessor *input = cni_render_gltf_accessor(gltf, sampler->input),
                                *output = cni_render_gltf_accessor(gltf, sampler->output);
    if (!input || !output)
        return cni_render_gltf_fails(gltf, at, input ? "output" : "input", CN_ERROR_FORMAT,
                                     "is missing");
    if (input->width != 1 || input->component != CNI_RENDER_GLTF_F32)
        return cni_render_gltf_fails(gltf, at, "input", CN_ERROR_FORMAT,
                                     "accessor %u must have floats", sampler->input - 1);
    uint64_t needed = (uint64_t)input->count * (sampler->curve == CNI_RENDER_CURVE_CUBIC ? 3 : 1);
    return output->count >= needed ||
           cni_render_gltf_fails(gltf, at, "output", CN_ERROR_FORMAT,
                                 "accessor %u has %u elements, but %u keys need %llu",
                                 sampler->output - 1, output->count, input->count,
                                 (unsigned long long)needed);
}

/* Returns the number of morph targets of a node. */
static uint32_t count_targets(const CniRenderGltf *gltf, const CniRenderGltfNode *node)
{
    return node->mesh ? gltf->meshes[node->mesh - 1].target_count : 0;
}

/* Reads the target and the kind of a channel; *is_kept: the renderer can play it. */
static bool read_target(CniRenderGltf *gltf, const CniRenderGltfAt *above, const json_t *item,
                        CniRenderGltfChannel *channel, bool *is_kept)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    CniRenderGltfAt at = {above, "target", 0};
    const json_t *target;
    const char *path = NULL;
    uint32_t node = 0;
    if (!cni_render_gltf_object(gltf, above, item, at.key, &target) ||
        !cni_render_gltf_index(gltf, &at, target, "node", CNI_RENDER_GLTF_NODES, &node) ||
        !cni_render_gltf_text(gltf, &at, target, "path", &path))
        return false;
    if (!path)
        return cni_render_gltf_fails(gltf, &at, "path", CN_ERROR_FORMAT, "is missing");
    *is_kept = false;
    if (!strcmp(path, "pointer"))
        return cni_render_gltf_read_pointer(gltf, &at, target, channel, is_kept);
    for (uint32_t i = 0; i < CN_COUNT_OF(paths); i++)
        if (!strcmp(paths[i], path)) {
            channel->kind = i;
            channel->target = node ? node - 1 : 0;
            channel->width = i == CNI_RENDER_CHANNEL_ROTATION ? 4 : 3;
            *is_kept = node != 0;
        }
    return true; /* other paths are those of extensions, and ignored */
}

static bool check_weights(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const CniRenderGltfChannel *channel)
{
    const CniRenderGltfAccessor *input = &gltf->accessors[channel->sampler.input - 1],
                                *output = &gltf->accessors[channel->sampler.output - 1];
    uint32_t targets = count_targets(gltf, &gltf->nodes[channel->target]);
    uint64_t needed = (uint64_t)input->count * targets *
                      (channel->sampler.curve == CNI_RENDER_CURVE_CUBIC ? 3 : 1);
    if (output->width != 1 || output->component == CNI_RENDER_GLTF_U32)
        return cni_render_gltf_fails(gltf, at, "sampler", CN_ERROR_FORMAT,
                                     "accessor %u does not have the type of weights",
                                     channel->sampler.output - 1);
    return output->count >= needed ||
           cni_render_gltf_fails(gltf, at, "sampler", CN_ERROR_FORMAT,
                                 "accessor %u has %u elements, but %u keys of %u weights need %llu",
                                 channel->sampler.output - 1, output->count, input->count, targets,
                                 (unsigned long long)needed);
}

static bool check_output(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                         const CniRenderGltfChannel *channel)
{
    static const char *const kinds[CNI_RENDER_CHANNEL_KINDS] = {
        "translation", "rotation",          "scale",          "weight",
        "visibility",  "material property", "light property", "camera property"};
    bool may_be_small =
        channel->kind == CNI_RENDER_CHANNEL_ROTATION || channel->kind >= CNI_RENDER_CHANNEL_VISIBLE;
    if (channel->kind == CNI_RENDER_CHANNEL_WEIGHTS)
        return check_weights(gltf, at, channel);
    const CniRenderGltfAccessor *output = &gltf->accessors[channel->sampler.output - 1];
    return (output->width == channel->width && !output->is_matrix &&
            (output->component == CNI_RENDER_GLTF_F32 ||
             (may_be_small && output->component != CNI_RENDER_GLTF_U32))) ||
           cni_render_gltf_fails(gltf, at, "sampler", CN_ERROR_FORMAT,
                                 "accessor %u does not have the type of a %s",
                                 channel->sampler.output - 1, kinds[channel->kind]);
}

static bool read_channel(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                         const CniRenderGltfSampler *samplers, uint32_t sampler_count,
                         CniRenderGltfAnimation *animation)
{
    CniRenderGltfChannel channel = {0};
    uint32_t sampler = UINT32_MAX;
    bool is_kept = false;
    if (!json_is_object(item))
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT, "must be an object");
    if (!cni_render_gltf_uint(gltf, at, item, "sampler", UINT32_MAX, &sampler) ||
        !read_target(gltf, at, item, &channel, &is_kept))
        return false;
    if (sampler >= sampler_count)
        return cni_render_gltf_fails(gltf, at, "sampler", CN_ERROR_FORMAT,
                                     "is not an index of the animation's samplers");
    channel.sampler = samplers[sampler];
    if (!is_kept || (channel.kind == CNI_RENDER_CHANNEL_WEIGHTS &&
                     !count_targets(gltf, &gltf->nodes[channel.target])))
        return true;
    if (!check_output(gltf, at, &channel))
        return false;
    if (channel.kind < CNI_RENDER_CHANNEL_NODE_KINDS)
        gltf->nodes[channel.target].is_moved = true;
    if (channel.kind == CNI_RENDER_CHANNEL_VISIBLE)
        gltf->nodes[channel.target].is_toggled = true;
    animation->channels[animation->channel_count++] = channel;
    return true;
}

static bool read_animation(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                           uint32_t number)
{
    CniRenderGltfAnimation *animation = &gltf->animations[number];
    CniRenderGltfAt above = {at, "samplers", 0};
    const json_t *list, *channels;
    uint32_t sampler_count, channel_count;
    if (!cni_render_gltf_text(gltf, at, item, "name", &animation->name) ||
        !cni_render_gltf_list(gltf, at, item, "samplers", &list, &sampler_count) ||
        !cni_render_gltf_list(gltf, at, item, "channels", &channels, &channel_count))
        return false;
    CniRenderGltfSampler *samplers = cni_render_gltf_alloc(gltf, sampler_count, sizeof *samplers);
    animation->channels = cni_render_gltf_alloc(gltf, channel_count, sizeof *animation->channels);
    bool ok = samplers && animation->channels;
    for (uint32_t i = 0; ok && i < sampler_count; i++)
        ok = read_sampler(gltf, &(CniRenderGltfAt){&above, NULL, i}, json_array_get(list, i),
                          &samplers[i]);
    above.key = "channels";
    for (uint32_t i = 0; ok && i < channel_count; i++)
        ok = read_channel(gltf, &(CniRenderGltfAt){&above, NULL, i}, json_array_get(channels, i),
                          samplers, sampler_count, animation);
    return ok;
}

bool cni_render_gltf_read_animations(CniRenderGltf *gltf)
{
    gltf->animations = cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_ANIMATIONS],
                                             sizeof *gltf->animations);
    if (!gltf->animations ||
        !cni_render_gltf_each(gltf, CNI_RENDER_GLTF_ANIMATIONS, read_animation))
        return false;
    for (uint32_t i = 0; i < gltf->counts[CNI_RENDER_GLTF_NODES]; i++) {
        CniRenderGltfNode *node = &gltf->nodes[gltf->order[i]];
        if (node->parent) {
            node->is_moved |= gltf->nodes[node->parent - 1].is_moved;
            node->is_toggled |= gltf->nodes[node->parent - 1].is_toggled;
        }
    }
    return true;
}

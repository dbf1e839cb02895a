/* The features of a renderer: adding, ordering, enabling and removing them. */
#include "render/core/renderer_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

#define SELF_OFFSET ((sizeof(CnFeature) + 15u) & ~(size_t)15u)

static size_t feature_bytes(const CnFeatureType *type)
{
    return SELF_OFFSET + type->size;
}

void *cn_feature_self(CnFeature *feature)
{
    return (char *)feature + SELF_OFFSET;
}

static void free_feature(CnFeature *feature)
{
    CnRenderer *renderer = feature->renderer;
    if (feature->type->destroy)
        feature->type->destroy(renderer, cn_feature_self(feature));
    cn_free(renderer->allocator, feature, feature_bytes(feature->type));
}

CnFeature *cn_renderer_add_feature(CnRenderer *renderer, const CnFeatureType *type,
                                   const void *options, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(type, "%s: type is NULL", __func__);
    CN_ASSERT(!renderer->is_drawing, "cn_renderer_add_feature was called while a frame is drawn");
    if (renderer->feature_count == CN_MAX_FEATURES) {
        cn_error_set(error, CN_ERROR_LIMIT, "cannot add feature %s: the limit is %u", type->name,
                     CN_MAX_FEATURES);
        return NULL;
    }
    CnFeature *feature = cn_alloc_zeroed(renderer->allocator, feature_bytes(type));
    if (!feature) {
        cn_error_memory(error, "feature %s", type->name);
        return NULL;
    }
    *feature = (CnFeature){.type = type, .renderer = renderer, .is_enabled = true};
    if (!type->setup(renderer, cn_feature_self(feature), options, error)) {
        free_feature(feature);
        return NULL;
    }
    renderer->features[renderer->feature_count++] = feature;
    return feature;
}

void cn_renderer_remove_feature(CnRenderer *renderer, CnFeature *feature)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(!renderer->is_drawing,
              "cn_renderer_remove_feature was called while a frame is drawn");
    uint32_t kept = 0;
    for (uint32_t i = 0; i < renderer->feature_count; i++) {
        if (renderer->features[i] != feature)
            renderer->features[kept++] = renderer->features[i];
    }
    CN_ASSERT(kept < renderer->feature_count,
              "cn_renderer_remove_feature: the feature does not belong to this renderer");
    if (kept == renderer->feature_count)
        return;
    renderer->feature_count = kept;
    free_feature(feature);
}

CnFeature *cn_renderer_feature(const CnRenderer *renderer, const char *name)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    for (uint32_t i = 0; i < renderer->feature_count; i++) {
        if (!strcmp(renderer->features[i]->type->name, name))
            return renderer->features[i];
    }
    return NULL;
}

CnFeature *cn_renderer_feature_at(const CnRenderer *renderer, uint32_t index)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return index < renderer->feature_count ? renderer->features[index] : NULL;
}

const char *cn_feature_name(const CnFeature *feature)
{
    CN_ASSERT(feature, "%s: feature is NULL", __func__);
    return feature->type->name;
}

void cn_feature_set_enabled(CnFeature *feature, bool enabled)
{
    CN_ASSERT(feature, "%s: feature is NULL", __func__);
    feature->is_enabled = enabled;
}

bool cn_feature_is_enabled(const CnFeature *feature)
{
    CN_ASSERT(feature, "%s: feature is NULL", __func__);
    return feature->is_enabled;
}

void cni_render_features_run(CnRenderer *renderer, CniRenderFeatureStep step)
{
    for (uint32_t i = 0; i < renderer->feature_count; i++) {
        CnFeature *feature = renderer->features[i];
        if (step == CNI_RENDER_STEP_EARLY_UPDATE)
            feature->is_active = feature->is_enabled;
        if (!feature->is_active)
            continue;
        const CnFeatureType *type = feature->type;
        void (*call)(CnFrame *, void *) = step == CNI_RENDER_STEP_EARLY_UPDATE ? type->early_update
                                          : step == CNI_RENDER_STEP_UPDATE     ? type->update
                                                                               : type->add_passes;
        if (call)
            call(&renderer->frame, cn_feature_self(feature));
    }
}

/* Destroys in reverse order, because later features may depend on earlier ones. */
void cni_render_features_fini(CnRenderer *renderer)
{
    while (renderer->feature_count)
        free_feature(renderer->features[--renderer->feature_count]);
}

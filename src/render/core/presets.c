/* Sets of features in order. */
#include <cairn/render/presets.h>

#define MAX_ADDED 16u

/* Adds features until one fails. */
typedef struct Adding {
    CnRenderer *renderer;
    const CnRenderOptions *options;
    CnError *error;
    CnFeature *added[MAX_ADDED];
    uint32_t count;
    bool has_failed;
} Adding;

static Adding begin(CnRenderer *renderer, const CnRenderOptions *options, CnError *error)
{
    static const CnRenderOptions defaults;
    return (Adding){.renderer = renderer, .options = options ? options : &defaults, .error = error};
}

static void add(Adding *adding, const CnFeatureType *type, const void *options)
{
    if (adding->has_failed)
        return;
    CnFeature *feature = cn_renderer_add_feature(adding->renderer, type, options, adding->error);
    if (feature)
        adding->added[adding->count++] = feature;
    else
        adding->has_failed = true;
}

static bool end(Adding *adding)
{
    while (adding->has_failed && adding->count > 0)
        cn_renderer_remove_feature(adding->renderer, adding->added[--adding->count]);
    return !adding->has_failed;
}

static bool is_on(CnSwitch choice, bool by_default)
{
    return choice == CN_SWITCH_DEFAULT ? by_default : choice == CN_SWITCH_ON;
}

static void add_sky(Adding *adding)
{
    if (adding->options->sky.kind != CN_SKY_NONE)
        add(adding, &cn_feature_sky, &adding->options->sky);
}

static void add_environment(Adding *adding)
{
    const CnSkyOptions *sky = &adding->options->sky;
    if (sky->kind != CN_SKY_NONE && is_on(sky->ibl, true))
        add(adding, &cn_feature_environment, sky);
}

static void add_shadows(Adding *adding, bool by_default)
{
    if (is_on(adding->options->shadow, by_default))
        add(adding, &cn_feature_shadows, &adding->options->shadows);
}

static void add_lighting(Adding *adding, const CnFeatureType *type)
{
    add(adding, type, &(CnLightingOptions){.ambient = adding->options->ambient});
}

static void add_post(Adding *adding, bool taa_by_default)
{
    const CnRenderOptions *options = adding->options;
    /* Before TAA: the depth used for blurring is that of one jittered frame, and TAA resolves the
     * result. */
    if (is_on(options->dof, false))
        add(adding, &cn_feature_dof, &options->dof_options);
    if (is_on(options->taa, taa_by_default))
        add(adding, &cn_feature_taa, &options->taa_options);
    /* After TAA, which treats small, fast particles as flicker; before bloom, so that they glow. */
    add(adding, &cn_feature_scene_particles, NULL);
    if (is_on(options->bloom, false))
        add(adding, &cn_feature_bloom, &options->bloom_options);
    if (is_on(options->auto_exposure, false))
        add(adding, &cn_feature_exposure, &options->exposure_options);
    add(adding, &cn_feature_tone_map, &options->tone_map);
    add(adding, &cn_feature_ui, NULL);
}

static bool forward(CnRenderer *renderer, const CnRenderOptions *options,
                    const CnFeatureType *lighting, CnError *error)
{
    Adding adding = begin(renderer, options, error);
    add_sky(&adding);
    add_environment(&adding);
    add_shadows(&adding, false);
    add_lighting(&adding, lighting);
    add_post(&adding, false);
    return end(&adding);
}

bool cn_preset_forward(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                       CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    (void)user;
    return forward(renderer, options, &cn_feature_forward, error);
}

bool cn_preset_forward_plus(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                            CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    (void)user;
    return forward(renderer, options, &cn_feature_forward_plus, error);
}

bool cn_preset_deferred(CnRenderer *renderer, const CnRenderOptions *options, void *user,
                        CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    (void)user;
    Adding adding = begin(renderer, options, error);
    options = adding.options;
    add_shadows(&adding, true);
    add(&adding, &cn_feature_geometry, NULL);
    if (is_on(options->ao, true))
        add(&adding, &cn_feature_ao, &options->ssao);
    add_sky(&adding);
    add_environment(&adding);
    add_lighting(&adding, &cn_feature_deferred);
    if (is_on(options->point_spot_lights, false))
        add(&adding, &cn_feature_point_spot, NULL);
    if (is_on(options->transparent, true))
        add(&adding, &cn_feature_transparent,
            &(CnTransparentOptions){.tiled_lights = options->transparent_tiled_lights});
    add_post(&adding, true);
    return end(&adding);
}

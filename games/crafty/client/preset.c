#include "preset.h"

typedef struct Adding {
    CnRenderer *renderer;
    const CraftySettings *settings;
    CnError *error;
    bool failed;
} Adding;

static void add(Adding *adding, const CnFeatureType *type, const void *options)
{
    adding->failed |=
        !adding->failed && !cn_renderer_add_feature(adding->renderer, type, options, adding->error);
}

static bool has(const Adding *adding, CraftyEffect effect)
{
    return (adding->settings->effects & effect) != 0;
}

static void add_if(Adding *adding, CraftyEffect effect, const CnFeatureType *type,
                   const void *options)
{
    if (has(adding, effect))
        add(adding, type, options);
}

static void add_models(Adding *adding, const CraftyRenderSources *shown, CnModelLayer layer)
{
    if (shown->models)
        add(adding, &cn_feature_block_models,
            &(CnBlockModelsOptions){
                .models = shown->models, .view = shown->blocks, .layer = layer});
}

/* Adds the scene: depth, surfaces, shadows and occlusion. */
static void add_scene(Adding *adding, const CraftyRenderSources *shown)
{
    const CraftySettings *settings = adding->settings;
    add_if(adding, CRAFTY_CLOUD_SHADOWS, &cn_feature_cloud_shadows, NULL);
    add_if(adding, CRAFTY_SHADOWS, &cn_feature_shadows,
           &(CnShadowOptions){.cascades = settings->cascades,
                              .size = settings->shadow_size,
                              .distance = settings->shadow_distance,
                              .local_lights = settings->local_shadows});
    add(adding, &cn_feature_geometry, NULL);
    add(adding, &cn_feature_blocks,
        &(CnBlocksOptions){.view = shown->blocks, .no_occlusion = !has(adding, CRAFTY_OCCLUSION)});
    add_if(adding, CRAFTY_AO, &cn_feature_ao, NULL);
}

/* Fog hides the edge of the world. */
static CnFogOptions fog_of(const Adding *adding)
{
    const CraftySettings *settings = adding->settings;
    float chunks_end = (float)settings->view_distance * CN_CHUNK_SIZE;
    return (CnFogOptions){.edge = has(adding, CRAFTY_FAR) ? settings->far_edge : chunks_end,
                          .sea_level = 16};
}

/* Adds the baked lighting path, in one feature, for CPUs. */
static void add_light_path(Adding *adding, const CraftyRenderSources *shown)
{
    add(adding, &cn_feature_lit_blocks,
        &(CnLitBlocksOptions){.view = shown->blocks,
                              .no_occlusion = !has(adding, CRAFTY_OCCLUSION),
                              .water = has(adding, CRAFTY_WATER) ? CN_SWITCH_ON : CN_SWITCH_OFF,
                              .clouds = has(adding, CRAFTY_CLOUDS) ? CN_SWITCH_ON : CN_SWITCH_OFF,
                              .fog = has(adding, CRAFTY_FOG) ? CN_SWITCH_ON : CN_SWITCH_OFF,
                              .fog_options = fog_of(adding)});
    add_models(adding, shown, CN_MODEL_LAYER_WORLD);
    add_if(adding, CRAFTY_HIGHLIGHT, &cn_feature_block_highlight,
           &(CnBlocksOptions){.view = shown->blocks});
}

/* Adds lighting and the atmosphere. */
static void add_light(Adding *adding, const CraftyRenderSources *shown)
{
    static const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    add(adding, &cn_feature_sky, &sky);
    add(adding, &cn_feature_environment, &sky);
    add(adding, &cn_feature_deferred, NULL);
    add_if(adding, CRAFTY_LIGHTS, &cn_feature_point_spot, NULL);
    add_models(adding, shown, CN_MODEL_LAYER_WORLD);
    add_if(adding, CRAFTY_HIGHLIGHT, &cn_feature_block_highlight,
           &(CnBlocksOptions){.view = shown->blocks});
    add_if(adding, CRAFTY_CLOUDS, &cn_feature_clouds,
           &(CnCloudOptions){.steps = adding->settings->cloud_steps,
                             .resolution_divisor = adding->settings->cloud_resolution_divisor});
    add_if(adding, CRAFTY_WATER, &cn_feature_water,
           &(CnWaterOptions){.view = shown->blocks,
                             .reflections =
                                 has(adding, CRAFTY_REFLECTIONS) ? CN_SWITCH_ON : CN_SWITCH_OFF});
    CnFogOptions fog = fog_of(adding);
    add_if(adding, CRAFTY_FOG, &cn_feature_fog, &fog);
    add_if(adding, CRAFTY_GOD_RAYS, &cn_feature_god_rays,
           &(CnGodRayOptions){.steps = adding->settings->god_ray_steps});
    add(adding, &cn_feature_transparent, NULL);
}

/* Adds post-processing. */
static void add_post(Adding *adding, const CraftyRenderSources *shown)
{
    add_if(adding, CRAFTY_TAA, &cn_feature_taa, NULL);
    /* Small, fast particles would be treated as flicker by TAA and smoothed away. */
    if (shown->particles)
        add_if(adding, CRAFTY_PARTICLES, &cn_feature_particles,
               &(CnParticlesOptions){.system = shown->particles});
    add_if(adding, CRAFTY_DOF, &cn_feature_dof, NULL);
    add_models(adding, shown, CN_MODEL_LAYER_HAND);
    add_if(adding, CRAFTY_BLOOM, &cn_feature_bloom, NULL);
    /* Light values are already balanced for every hour; auto exposure only adapts slightly. Nights
     * and caves stay dark. */
    add_if(adding, CRAFTY_AUTO_EXPOSURE, &cn_feature_exposure,
           &(CnExposureOptions){
               .minimum = 0.75f, .maximum = 1.25f, .speed = 1.2f, .key = 0.3f, .strength = 0.4f});
    add(adding, &cn_feature_tone_map, NULL);
    if (shown->preview)
        add(adding, &cn_feature_preview, &(CnPreviewOptions){.preview = shown->preview});
    add(adding, &cn_feature_ui, NULL);
}

bool crafty_preset(CnRenderer *renderer, const CraftySettings *settings,
                   const CraftyRenderSources *shown, CnError *error)
{
    Adding adding = {.renderer = renderer, .settings = settings, .error = error};
    if (crafty_uses_baked_lighting(settings)) {
        add_light_path(&adding, shown);
    } else {
        add_scene(&adding, shown);
        add_light(&adding, shown);
    }
    add_post(&adding, shown);
    return !adding.failed;
}

static uint32_t count_features(const CnRenderer *renderer)
{
    uint32_t count = 0;
    while (cn_renderer_feature_at(renderer, count))
        count++;
    return count;
}

/* Adds the new features before removing the old ones, so that the block view's GPU data stays in
 * use throughout. */
bool crafty_preset_change(CnRenderer *renderer, const CraftySettings *settings,
                          const CraftyRenderSources *shown, CnError *error)
{
    CnFeature *particles = cn_renderer_feature(renderer, cn_feature_particles.name);
    if (particles) /* only one feature can draw the particles */
        cn_renderer_remove_feature(renderer, particles);
    uint32_t before = count_features(renderer);
    bool is_fine = crafty_preset(renderer, settings, shown, error);
    uint32_t first = is_fine ? 0 : before;
    uint32_t count = is_fine ? before : count_features(renderer) - before;
    while (count-- > 0)
        cn_renderer_remove_feature(renderer, cn_renderer_feature_at(renderer, first + count));
    return is_fine;
}

void crafty_preset_clear(CnRenderer *renderer)
{
    const CnFeature *ui = cn_renderer_feature(renderer, cn_feature_ui.name);
    for (uint32_t i = count_features(renderer); i-- > 0;) {
        CnFeature *feature = cn_renderer_feature_at(renderer, i);
        if (feature != ui)
            cn_renderer_remove_feature(renderer, feature);
    }
}

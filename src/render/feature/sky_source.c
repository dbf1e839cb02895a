/* The sky as features read it: a texture, one white texel for a single color, or the table of the
 * atmosphere. */
#include "render/feature/sky_source.h"

#include "shaders/render/feature/sky_view.comp.h"

#define VIEW_WIDTH 64u /* SKY_VIEW_SIZE, in two halves */
#define VIEW_HEIGHT 128u
#define VIEW_SINE_STEP 2e-4f /* an invisible change of the sun's height: 0.01 degrees */

/* Sets `loaded` to the texture of the options. */
static bool load_texture(CnRenderer *renderer, CnSkyOptions *options, CnError *error)
{
    if (options->kind != CN_SKY_TEXTURE || options->loaded.id)
        return true;
    if (!options->texture)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "a sky of kind texture has no texture");
    options->loaded =
        cn_texture_load(renderer, &(CnTextureLoadDesc){.path = options->texture}, error);
    return options->loaded.id != 0;
}

bool cni_render_sky_source_set(CniRenderSkySource *source, const CnSkyOptions *options,
                               CnError *error)
{
    CnSkyOptions all = options ? *options : (CnSkyOptions){0};
    if (!load_texture(source->renderer, &all, error))
        return false;
    if (all.intensity <= 0)
        all.intensity = 1;
    all.texture = NULL; /* owned by the caller */
    source->options = all;
    source->changes++;
    return true;
}

bool cn_sky_set(CnRenderer *renderer, const CnSkyOptions *options, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CnSkyOptions all = options ? *options : (CnSkyOptions){0};
    if (!load_texture(renderer, &all, error))
        return false;
    for (uint32_t i = 0; i < renderer->feature_count; i++) {
        CnFeature *feature = renderer->features[i];
        bool has_source =
            feature->type == &cn_feature_sky || feature->type == &cn_feature_environment;
        if (has_source && !cni_render_sky_source_set(cn_feature_self(feature), &all, error))
            return false;
    }
    return true;
}

bool cni_render_sky_source_setup(CniRenderSkySource *source, CnRenderer *renderer,
                                 const char *view_name, const CnSkyOptions *options, CnError *error)
{
    source->renderer = renderer;
    source->view_name = view_name;
    source->view = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){.compute = CN_SHADER(render_feature_sky_view_comp),
                                .state = {.name = "sky view",
                                          .bindings = {CN_GPU_BIND_STORAGE_TEXTURE},
                                          .constants = 16}},
        error);
    return source->view.id && cni_render_sky_source_set(source, options, error);
}

void cni_render_sky_source_destroy(CniRenderSkySource *source)
{
    if (source->view.id)
        cn_render_pipeline_destroy(source->renderer, source->view);
}

static void run_view(const CnGraphRun *run)
{
    CniRenderSkySource *source = run->user;
    CnGpuPipeline pipeline = cn_render_pipeline_get(source->renderer, source->view);
    cn_gpu_bind_pipeline(run->commands, pipeline);
    cn_gpu_bind_storage_texture(run->commands, 0,
                                cn_graph_get_texture(run->graph, source->table_now), 0);
    cn_gpu_push_constants(run->commands, &source->constants, 16);
    cn_gpu_dispatch(run->commands, VIEW_WIDTH / 8, VIEW_HEIGHT / 2 / 8, 1);
    source->view_pipeline = pipeline.id;
    source->view_rise = source->constants.to_sun.y;
}

/* Returns the table of this frame, rewritten if the sun's height changed. */
static CnGraphTexture declare_view(CnFrame *frame, CniRenderSkySource *source)
{
    bool is_new;
    CnGraphTexture view = cn_graph_persistent_texture(
        frame->graph,
        &(CnGpuTextureDesc){.name = source->view_name,
                            .format = CN_GPU_FORMAT_RGBA16F,
                            .width = VIEW_WIDTH,
                            .height = VIEW_HEIGHT,
                            .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_SAMPLED},
        &is_new);
    uint32_t pipeline = cn_render_pipeline_get(source->renderer, source->view).id;
    float change = source->constants.to_sun.y - source->view_rise;
    if (!is_new && pipeline == source->view_pipeline && change < VIEW_SINE_STEP &&
        change > -VIEW_SINE_STEP)
        return view;
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = source->view_name,
                                                                          .kind = CN_GRAPH_COMPUTE,
                                                                          .run = run_view,
                                                                          .user = source});
    return cn_graph_write_texture(frame->graph, pass, view, CN_GPU_ACCESS_WRITE_COMPUTE,
                                  &(CnGraphSubresource){.overwrite = true});
}

void cni_render_sky_source_update(CnFrame *frame, CniRenderSkySource *source)
{
    const CnSkyOptions *options = &source->options;
    if (options->kind != CN_SKY_ATMOSPHERE) {
        CnVec3 color = options->kind == CN_SKY_COLOR ? options->color : cn_vec3(1, 1, 1);
        source->constants =
            (CniRenderSkyConstants){.tint = cn_vec3_scale(color, options->intensity)};
        return;
    }
    source->constants = cni_render_atmosphere_constants(frame, options->intensity);
    if (!frame->sky_view.id)
        frame->sky_view = declare_view(frame, source);
    source->table_now = frame->sky_view;
}

void cni_render_sky_source_read(CnFrame *frame, const CniRenderSkySource *source, CnGraphPass pass,
                                CnGpuAccess access)
{
    if (source->options.kind == CN_SKY_ATMOSPHERE)
        cn_graph_read_texture(frame->graph, pass, source->table_now, access, NULL);
}

void cni_render_sky_source_bind(const CniRenderSkySource *source, const CnGraphRun *run)
{
    const CniRenderDefaults *defaults = &source->renderer->defaults;
    CnGpuTexture texture = defaults->white;
    if (source->options.kind == CN_SKY_ATMOSPHERE)
        texture = cn_graph_get_texture(run->graph, source->table_now);
    else if (source->options.kind == CN_SKY_TEXTURE)
        texture = cn_texture_gpu(source->renderer, source->options.loaded);
    bool wraps = source->options.kind == CN_SKY_TEXTURE; /* around the horizon */
    cn_gpu_bind_texture(run->commands, 1, texture,
                        wraps ? defaults->linear : defaults->linear_clamp);
}

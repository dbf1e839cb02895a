/*
 * Shadow maps: depth from the sun, one array layer per cascade, and from point and spot lights, in
 * tiles of an atlas. shaders/render/feature/shadow.glsl reads both.
 */
#include "render/feature/shadows.h"

#include <string.h>

#include "shaders/render/feature/depth_masked.frag.h"
#include "shaders/render/feature/depth_masked_extended.frag.h"
#include "shaders/render/feature/shadow.vert.h"
#include "shaders/render/feature/shadow_extended.vert.h"

#define DEFAULT_CASCADES 3u
#define DEFAULT_SIZE 2048u
#define DEFAULT_DISTANCE 128.0f
#define DEFAULT_SOFTNESS 1.06f /* degrees: twice the sun's diameter */
#define DEFAULT_LIGHTS 4u
#define DEFAULT_LIGHT_SIZE 512u
#define MIN_CASCADES 2u /* a single one would not be a texture array */
#define MIN_SIZE 32u
#define MAX_SIZE 8192u
#define NO_CASTER UINT32_MAX
#define NO_SCENE (CN_SCENE_AO | CN_SCENE_SHADOWS | CN_SCENE_IBL | CN_SCENE_TILES)

typedef struct Shadows Shadows;

/* A view from a light. */
typedef struct ShadowMapView {
    CnMat4 world_to_clip;
    const CnDrawList *casters;
    CnShadowView shadow_view; /* for casters other than meshes */
    uint32_t column, row;     /* of the atlas */
} ShadowMapView;

typedef struct CascadePass {
    Shadows *shadows;
    ShadowMapView shadow_view;
} CascadePass;

struct Shadows {
    CnShadowOptions options; /* with defaults filled in */
    CnDrawPass sun_pass, light_pass;
    CniRenderShadowSlots slots;
    /* Of this frame. */
    CnFrame *frame;
    uint32_t cascade_count, tile_count;
    uint32_t filler; /* the caster that drew the whole map of the sun, or NO_CASTER */
    CascadePass cascades[CNI_RENDER_MAX_CASCADES];
    ShadowMapView tiles[CNI_RENDER_MAX_SHADOW_LIGHTS * CNI_RENDER_LIGHT_TILES];
};

/* ---- Setup ---- */

static uint32_t pick(uint32_t value, uint32_t otherwise, uint32_t least, uint32_t most)
{
    value = value ? value : otherwise;
    return value < least ? least : value > most ? most : value;
}

static CnShadowOptions complete(const CnShadowOptions *given, uint32_t max_texture_size)
{
    CnShadowOptions options = given ? *given : (CnShadowOptions){0};
    uint32_t most = max_texture_size < MAX_SIZE ? max_texture_size : MAX_SIZE;
    options.cascades =
        pick(options.cascades, DEFAULT_CASCADES, MIN_CASCADES, CNI_RENDER_MAX_CASCADES);
    options.size = pick(options.size, DEFAULT_SIZE, MIN_SIZE, most);
    options.distance = options.distance > 0 ? options.distance : DEFAULT_DISTANCE;
    options.softness = options.softness > 0 ? options.softness : DEFAULT_SOFTNESS;
    options.softness = options.softness < 20 ? options.softness : 20;
    options.local_lights =
        options.local_lights == UINT32_MAX
            ? 0
            : pick(options.local_lights, DEFAULT_LIGHTS, 1, CNI_RENDER_MAX_SHADOW_LIGHTS);
    most = max_texture_size / CNI_RENDER_MAX_SHADOW_LIGHTS;
    options.local_size = pick(options.local_size, DEFAULT_LIGHT_SIZE, MIN_SIZE, most);
    return options;
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Shadows *shadows = self;
    CnGpuInfo info = cn_gpu_info(cn_renderer_gpu(renderer));
    shadows->options = complete(options, info.max_texture_size);
    CnDrawPassDesc desc = {.name = "sun shadows",
                           .vertex = CN_SHADER(render_feature_shadow_vert),
                           .masked = CN_SHADER(render_feature_depth_masked_frag),
                           .extended_vertex = CN_SHADER(render_feature_shadow_extended_vert),
                           .extended_masked = CN_SHADER(render_feature_depth_masked_extended_frag),
                           .depth = CN_GPU_FORMAT_D32F,
                           .depth_test = CN_GPU_LESS_EQUAL,
                           .depth_write = true,
                           .depth_clamp = true,
                           .constants = sizeof(CnMat4)};
    shadows->sun_pass = cn_draw_pass_create(renderer, &desc, error);
    if (!shadows->sun_pass.id)
        return false;
    desc.name = "light shadows";
    desc.depth_clamp = false;
    shadows->light_pass = cn_draw_pass_create(renderer, &desc, error);
    return shadows->light_pass.id != 0;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Shadows *shadows = self;
    if (shadows->sun_pass.id)
        cn_draw_pass_destroy(renderer, shadows->sun_pass);
    if (shadows->light_pass.id)
        cn_draw_pass_destroy(renderer, shadows->light_pass);
}

/* ---- Views and shader data ---- */

static void update_sun(CnFrame *frame, Shadows *shadows, CniRenderShadowData *data)
{
    const CnShadowOptions *options = &shadows->options;
    CniRenderCascade cascades[CNI_RENDER_MAX_CASCADES];
    if (!frame->sun.exists || !frame->sun.casts_shadows ||
        !cni_render_shadow_fit_cascades(&frame->view, frame->sun.direction, options->cascades,
                                        options->size, options->distance, cascades))
        return;
    shadows->cascade_count = options->cascades;
    for (uint32_t i = 0; i < options->cascades; i++)
        shadows->cascades[i] =
            (CascadePass){shadows,
                          {.world_to_clip = cascades[i].world_to_clip,
                           .casters = cn_frame_cull(frame, &cascades[i].casters, CN_DRAW_CASTERS),
                           .shadow_view = {.index = i,
                                           .of_sun = true,
                                           .world_to_clip = cascades[i].world_to_clip,
                                           .frustum = cascades[i].casters}}};
    cni_render_shadow_write_sun(data, cascades, options->cascades, options->size, options->softness,
                                frame->view.far_plane);
}

static void update_light(CnFrame *frame, Shadows *shadows, CniRenderShadowData *data, uint32_t slot,
                         const CnFrameLight *light)
{
    CniRenderLightView views[CNI_RENDER_LIGHT_TILES];
    CnVec4 numbers;
    uint32_t count =
        cni_render_shadow_light_views(light, shadows->options.local_size, views, &numbers);
    for (uint32_t i = 0; i < count; i++) {
        shadows->tiles[shadows->tile_count] =
            (ShadowMapView){.world_to_clip = views[i].world_to_clip,
                            .casters = cn_frame_cull(frame, &views[i].frustum, CN_DRAW_CASTERS),
                            .shadow_view = {.index = CNI_RENDER_MAX_CASCADES + shadows->tile_count,
                                            .world_to_clip = views[i].world_to_clip,
                                            .frustum = views[i].frustum,
                                            .reach = light->range},
                            .column = i,
                            .row = slot};
        shadows->tile_count++;
    }
    cni_render_shadow_write_light(data, slot, views, count, numbers);
}

static void update_lights(CnFrame *frame, Shadows *shadows, CniRenderShadowData *data)
{
    uint32_t capacity = shadows->options.local_lights;
    uint32_t lights_at[CNI_RENDER_MAX_SHADOW_LIGHTS];
    cni_render_shadow_assign_slots(&shadows->slots, capacity, frame->lights, frame->light_count,
                                   frame->view.position, lights_at);
    if (capacity == 0)
        return;
    cni_render_shadow_write_atlas(data, capacity, shadows->options.local_size);
    for (uint32_t slot = 0; slot < capacity; slot++)
        if (lights_at[slot] != UINT32_MAX)
            update_light(frame, shadows, data, slot, &frame->lights[lights_at[slot]]);
}

static void update(CnFrame *frame, void *self)
{
    Shadows *shadows = self;
    shadows->frame = frame;
    shadows->cascade_count = shadows->tile_count = 0;
    CnGpuUpload upload = cn_gpu_upload(frame->commands, sizeof(CniRenderShadowData), 0);
    if (!upload.data)
        return; /* counted by the device; this frame has no shadows */
    CniRenderShadowData data = {0};
    update_sun(frame, shadows, &data);
    update_lights(frame, shadows, &data);
    if (shadows->cascade_count == 0 && shadows->tile_count == 0)
        return;
    memcpy(upload.data, &data, sizeof data);
    frame->shadow_data = upload;
}

/* ---- Passes ---- */

static void prepare_casters(CnFrame *frame, const ShadowMapView *shadow_view, uint32_t without)
{
    for (uint32_t i = 0; i < frame->caster_count; i++)
        if (frame->casters[i].prepare && i != without)
            frame->casters[i].prepare(frame, frame->casters[i].self, &shadow_view->shadow_view);
}

static void read_casters(CnFrame *frame, const ShadowMapView *shadow_view, CnGraphPass pass,
                         uint32_t without)
{
    for (uint32_t i = 0; i < frame->caster_count; i++)
        if (frame->casters[i].read && i != without)
            frame->casters[i].read(frame, frame->casters[i].self, &shadow_view->shadow_view, pass);
}

static void draw_casters(CnFrame *frame, const ShadowMapView *shadow_view, const CnGraphRun *run,
                         uint32_t without)
{
    for (uint32_t i = 0; i < frame->caster_count; i++)
        if (i != without)
            frame->casters[i].draw(frame, frame->casters[i].self, &shadow_view->shadow_view, run);
}

static void run_cascade(const CnGraphRun *run)
{
    const CascadePass *pass = run->user;
    CnFrame *frame = pass->shadows->frame;
    cn_frame_bind_scene(frame, run, NO_SCENE);
    cn_gpu_push_constants(run->commands, &pass->shadow_view.world_to_clip,
                          sizeof pass->shadow_view.world_to_clip);
    cn_frame_draw(frame, run, pass->shadows->sun_pass, pass->shadow_view.casters);
    draw_casters(frame, &pass->shadow_view, run, pass->shadows->filler);
}

static void run_atlas(const CnGraphRun *run)
{
    Shadows *shadows = run->user;
    uint32_t size = shadows->options.local_size;
    for (uint32_t i = 0; i < shadows->tile_count; i++) {
        const ShadowMapView *shadow_view = &shadows->tiles[i];
        uint32_t x = shadow_view->column * size, y = shadow_view->row * size;
        cn_gpu_set_viewport(run->commands, (float)x, (float)y, (float)size, (float)size);
        cn_gpu_set_scissor(run->commands, (int32_t)x, (int32_t)y, size, size);
        cn_frame_bind_scene(shadows->frame, run, NO_SCENE); /* casters bind their own resources */
        cn_gpu_push_constants(run->commands, &shadow_view->world_to_clip,
                              sizeof shadow_view->world_to_clip);
        cn_frame_draw(shadows->frame, run, shadows->light_pass, shadow_view->casters);
        draw_casters(shadows->frame, shadow_view, run, NO_CASTER);
    }
}

static CnGraphTexture new_map(CnFrame *frame, const Shadows *shadows)
{
    uint32_t size = shadows->options.size;
    return cn_graph_create_texture(frame->graph,
                                   &(CnGpuTextureDesc){.name = "shadow map",
                                                       .format = CN_GPU_FORMAT_D32F,
                                                       .width = size,
                                                       .height = size,
                                                       .layers = shadows->options.cascades});
}

static bool has_meshes(const Shadows *shadows)
{
    for (uint32_t i = 0; i < shadows->cascade_count; i++) {
        if (cn_draw_list_count(shadows->cascades[i].shadow_view.casters))
            return true;
    }
    return false;
}

/* Lets `shadows->filler`, a caster that can draw the whole map, do so; empty if there is none. */
static CnGraphTexture fill_map(CnFrame *frame, Shadows *shadows, bool is_alone)
{
    CnShadowView shadow_views[CNI_RENDER_MAX_CASCADES];
    CnGraphTexture map = {0};
    shadows->filler = NO_CASTER;
    for (uint32_t i = 0; i < shadows->cascade_count; i++)
        shadow_views[i] = shadows->cascades[i].shadow_view.shadow_view;
    for (uint32_t i = 0; i < frame->caster_count; i++) {
        const CnShadowCaster *caster = &frame->casters[i];
        if (!caster->fill)
            continue;
        map =
            caster->fill(frame, caster->self, shadow_views, shadows->cascade_count,
                         shadows->options.size, is_alone ? CN_GPU_FORMAT_R32F : CN_GPU_FORMAT_D32F);
        shadows->filler = map.id ? i : NO_CASTER;
        break;
    }
    return map;
}

static void add_cascades(CnFrame *frame, Shadows *shadows)
{
    static const char *const names[CNI_RENDER_MAX_CASCADES] = {
        "shadow cascade 0", "shadow cascade 1", "shadow cascade 2", "shadow cascade 3"};
    bool is_alone = frame->caster_count == 1 && !has_meshes(shadows);
    CnGraphTexture map = fill_map(frame, shadows, is_alone);
    bool is_filled = map.id != 0;
    if (!is_filled)
        map = new_map(frame, shadows);
    for (uint32_t i = 0; i < shadows->cascade_count && !(is_filled && is_alone); i++) {
        const ShadowMapView *shadow_view = &shadows->cascades[i].shadow_view;
        prepare_casters(frame, shadow_view, shadows->filler);
        CnGraphPass pass = cn_graph_add_pass(
            frame->graph, &(CnGraphPassDesc){
                              .name = names[i], .run = run_cascade, .user = &shadows->cascades[i]});
        cn_frame_read_scene(frame, pass, NO_SCENE);
        read_casters(frame, shadow_view, pass, shadows->filler);
        map = cn_graph_depth_attachment(
            frame->graph, pass, map,
            &(CnGraphAttachment){
                .layer = i, .load = is_filled ? CN_GPU_LOAD : CN_GPU_CLEAR, .clear = {1}});
    }
    frame->shadow_map = map;
}

static void add_atlas(CnFrame *frame, Shadows *shadows)
{
    uint32_t size = shadows->options.local_size;
    CnGraphTexture atlas = cn_graph_create_texture(
        frame->graph, &(CnGpuTextureDesc){.name = "shadow atlas",
                                          .format = CN_GPU_FORMAT_D32F,
                                          .width = size * CNI_RENDER_LIGHT_TILES,
                                          .height = size * shadows->options.local_lights});
    for (uint32_t i = 0; i < shadows->tile_count; i++)
        prepare_casters(frame, &shadows->tiles[i], NO_CASTER);
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph,
        &(CnGraphPassDesc){.name = "shadow atlas", .run = run_atlas, .user = shadows});
    cn_frame_read_scene(frame, pass, NO_SCENE);
    for (uint32_t i = 0; i < shadows->tile_count; i++)
        read_casters(frame, &shadows->tiles[i], pass, NO_CASTER);
    frame->shadow_atlas = cn_graph_depth_attachment(
        frame->graph, pass, atlas, &(CnGraphAttachment){.load = CN_GPU_CLEAR, .clear = {1}});
}

static void add_passes(CnFrame *frame, void *self)
{
    Shadows *shadows = self;
    if (shadows->cascade_count)
        add_cascades(frame, shadows);
    if (shadows->tile_count)
        add_atlas(frame, shadows);
}

const CnFeatureType cn_feature_shadows = {
    .name = "Shadows",
    .size = sizeof(Shadows),
    .setup = setup,
    .update = update,
    .add_passes = add_passes,
    .destroy = destroy,
};

/*
 * Block models: boxes and sprites, drawn over lit geometry. The parts in view are written to one
 * buffer: boxes, sprites, then distant sprites, each kind drawn by one instanced draw.
 */
#include "render/block/block_models.h"
#include "render/block/block_view.h"

#include "shaders/render/feature/block_models.frag.h"
#include "shaders/render/feature/block_models.vert.h"

#include <cairn/base/assert.h>

#include <string.h>

#define MODELS_BINDING ((uint32_t)CNI_RENDER_BLOCK_BINDINGS) /* block_models.glsl */
#define IRRADIANCE_BINDING (MODELS_BINDING + 1)              /* block_models.frag */
#define SKY_BINDING (MODELS_BINDING + 2)
#define BOX_CORNERS 36u
#define SPRITE_CORNERS (66u * 6u)
#define FLAT_CORNERS 12u     /* front and back only */
#define THICK_DISTANCE 12.0f /* blocks: beyond it, the thickness of sprites is not seen */
#define HAND_FOV (70 * CN_PIF / 180)
#define HAND_NEAR 0.02f
#define HAND_FAR 8.0f
/* The hand is drawn into the nearest tenth of the depth range. Surfaces are farther than that:
 * beyond 10/9 of the near plane. */
#define HAND_DEPTH 0.1f

typedef struct ModelRow { /* block_models.glsl */
    float rows[3][4];
    uint32_t tiles[3], bounds, tint, light;
    uint32_t skin[2]; /* origins of six faces, white, fade */
} ModelRow;

typedef struct ModelConstants { /* block_models.vert */
    CnMat4 eye_to_clip;
    float depth_scale, depth_offset;
    uint32_t is_sprite, unused;
    float edge, haze, sea_level, has_air; /* as in CniRenderLitConstants */
    CnVec3 water;
    float unused2;
} ModelConstants;

typedef enum Kind { KIND_BOX, KIND_SPRITE, KIND_FLAT, KIND_COUNT } Kind;

typedef struct Models {
    CnBlockModelsOptions options;
    CnBlockView *view; /* NULL: not attached */
    CnRenderPipeline box, sprite;
    CnRenderPipeline shadow[2]; /* of local lights; of the sun, whose depth is clamped */
    /* Of the frame. */
    CnFrame *frame;
    CnGraphTexture irradiance, sky_table;
    CnGpuUpload rows, caster_rows;
    uint32_t counts[KIND_COUNT], caster_count;
} Models;

/* ---- Setup ---- */

static CnRenderPipeline make_pipeline(CnRenderer *renderer, const char *name, CnGpuCull cull,
                                      CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_feature_block_models_vert),
                                 .fragment = CN_SHADER(render_feature_block_models_frag),
                                 .state = {.name = name,
                                           .constants = sizeof(ModelConstants),
                                           .color = {CN_HDR_FORMAT},
                                           .depth = CN_DEPTH_FORMAT,
                                           .depth_test = CN_GPU_GREATER_EQUAL,
                                           .depth_write = true,
                                           .cull = cull}};
    cni_render_block_bindings(desc.state.bindings);
    desc.state.bindings[MODELS_BINDING] = CN_GPU_BIND_STORAGE;
    desc.state.bindings[IRRADIANCE_BINDING] = CN_GPU_BIND_TEXTURE;
    desc.state.bindings[SKY_BINDING] = CN_GPU_BIND_TEXTURE;
    return cn_render_pipeline_create(renderer, &desc, error);
}

static CnRenderPipeline make_shadow(CnRenderer *renderer, bool of_sun, CnError *error)
{
    CnRenderPipelineDesc desc = {.vertex = CN_SHADER(render_feature_block_models_vert),
                                 .state = {.name = of_sun ? "sun model shadows" : "model shadows",
                                           .constants = sizeof(ModelConstants),
                                           .depth = CN_GPU_FORMAT_D32F,
                                           .depth_test = CN_GPU_LESS_EQUAL,
                                           .depth_write = true,
                                           .depth_clamp = of_sun,
                                           .cull = CN_GPU_CULL_NONE}};
    cni_render_block_bindings(desc.state.bindings);
    desc.state.bindings[MODELS_BINDING] = CN_GPU_BIND_STORAGE;
    return cn_render_pipeline_create(renderer, &desc, error);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    Models *models = self;
    const CnBlockModelsOptions *wanted = options;
    if (!wanted || !wanted->models)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "block models need CnBlockModelsOptions with a list of models");
    if (!cni_render_block_view_attach(renderer, wanted->view, error))
        return false;
    models->options = *wanted;
    models->view = wanted->view;
    models->options.models->users++;
    models->box = make_pipeline(renderer, "block models", CN_GPU_CULL_BACK, error);
    models->sprite = make_pipeline(renderer, "sprites", CN_GPU_CULL_NONE, error);
    bool ok = models->box.id && models->sprite.id;
    for (int of_sun = 0; of_sun < 2 && ok && wanted->layer == CN_MODEL_LAYER_WORLD; of_sun++) {
        models->shadow[of_sun] = make_shadow(renderer, of_sun, error);
        ok = models->shadow[of_sun].id != 0;
    }
    return ok;
}

static void destroy(CnRenderer *renderer, void *self)
{
    Models *models = self;
    cn_render_pipeline_destroy(renderer, models->box);
    cn_render_pipeline_destroy(renderer, models->sprite);
    cn_render_pipeline_destroy(renderer, models->shadow[0]);
    cn_render_pipeline_destroy(renderer, models->shadow[1]);
    if (models->view)
        models->options.models->users--;
    cni_render_block_view_detach(renderer, models->view);
}

static void update(CnFrame *frame, void *self)
{
    cni_render_block_view_begin(frame, ((Models *)self)->view);
}

/* ---- Parts ---- */

static uint32_t unorm(float value)
{
    return value >= 1 ? 255u : value > 0 ? (uint32_t)(value * 255 + 0.5f) : 0u;
}

static uint32_t bounds_of(const CnBlockModelPart *part)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 3; i++)
        bits |= (uint32_t)(part->low[i] & 31u) << 5 * i | (uint32_t)(part->high[i] & 31u)
                                                              << (15 + 5 * i);
    return bits;
}

/* The axes of the camera as a matrix: from its space to directions of the world. */
static CnAffine camera_axes(const CnView *view)
{
    return (CnAffine){{{view->right.x, view->up.x, -view->forward.x, 0},
                       {view->right.y, view->up.y, -view->forward.y, 0},
                       {view->right.z, view->up.z, -view->forward.z, 0}}};
}

/* Relative to the camera. */
static CnAffine place_of(const CnFrame *frame, CnModelLayer layer, const CnBlockModelPart *part)
{
    CnAffine place = part->place;
    if (layer == CN_MODEL_LAYER_HAND) {
        CnAffine axes = camera_axes(&frame->view);
        return cn_affine_mul(&axes, &place);
    }
    place.m[0][3] = place.m[0][3] - frame->origin.x - frame->view.position.x;
    place.m[1][3] = place.m[1][3] - frame->origin.y - frame->view.position.y;
    place.m[2][3] = place.m[2][3] - frame->origin.z - frame->view.position.z;
    return place;
}

/* The sphere around the block of a part, relative to the camera. */
static CnVec3 middle_of(const CnAffine *place, float *radius)
{
    float squared = 0;
    CnVec3 middle = {0};
    float *out[3] = {&middle.x, &middle.y, &middle.z};
    for (uint32_t i = 0; i < 3; i++) {
        const float *m = place->m[i];
        squared += m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
        *out[i] = 0.5f * (m[0] + m[1] + m[2]) + m[3];
    }
    *radius = 0.5f * cn_sqrtf(squared) * 1.01f;
    return middle;
}

static ModelRow row_of(const CnBlockModelPart *part, const CnAffine *place)
{
    ModelRow row = {.bounds = bounds_of(part)};
    memcpy(row.rows, place->m, sizeof row.rows);
    for (uint32_t i = 0; i < 3; i++)
        row.tiles[i] = (uint32_t)part->tiles[2 * i] | (uint32_t)part->tiles[2 * i + 1] << 16;
    bool is_plain = !part->tint[0] && !part->tint[1] && !part->tint[2];
    row.tint = is_plain ? 0xFFFFFFu
                        : (uint32_t)part->tint[0] | (uint32_t)part->tint[1] << 8 |
                              (uint32_t)part->tint[2] << 16;
    row.tint |= part->in_greens && !is_plain ? 1u << 24 : 0;
    for (uint32_t i = 0; i < 6; i++)
        row.skin[i >> 2] |= (uint32_t)part->origins[i] << 8 * (i & 3u);
    row.skin[1] |= unorm(part->white) << 16 | unorm(part->fade) << 24;
    row.tint |= part->has_skin ? 1u << 25 : 0;
    row.light = unorm(part->sky) | unorm(part->block) << 8 | unorm(part->glow) << 16 |
                unorm(part->flash) << 24;
    return row;
}

/* Returns KIND_COUNT for parts that are not drawn. */
static Kind kind_of(const CnFrame *frame, CnModelLayer layer, const CnBlockModelPart *part,
                    const CnAffine *place)
{
    float radius;
    CnVec3 middle = middle_of(place, &radius);
    if (part->is_hidden || !(radius < 1e4f)) /* also for NaN */
        return KIND_COUNT;
    if (layer == CN_MODEL_LAYER_WORLD &&
        !cn_frustum_intersects_sphere(&frame->view.frustum,
                                      cn_vec3_add(middle, frame->view.position), radius))
        return KIND_COUNT;
    bool is_near = layer == CN_MODEL_LAYER_HAND || cn_vec3_length(middle) < THICK_DISTANCE;
    return !part->is_sprite ? KIND_BOX : is_near ? KIND_SPRITE : KIND_FLAT;
}

/* Writes the rows of parts in view, sorted by kind. */
static void write_rows(Models *models, CnFrame *frame)
{
    CnModelLayer layer = models->options.layer;
    CnBlockModels *list = models->options.models;
    const CniRenderModelParts *parts = &list->published[layer];
    memset(models->counts, 0, sizeof models->counts);
    uint8_t *kinds = cn_frame_alloc(frame, parts->count);
    if (!kinds)
        return;
    uint32_t starts[KIND_COUNT] = {0}, drawn = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        CnAffine place = place_of(frame, layer, &parts->items[i]);
        Kind kind = kind_of(frame, layer, &parts->items[i], &place);
        kinds[i] = (uint8_t)kind;
        if (kind < KIND_COUNT)
            models->counts[kind]++;
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        starts[i] = drawn;
        drawn += models->counts[i];
    }
    list->drawn[layer] = drawn;
    models->rows =
        drawn ? cn_gpu_upload(frame->commands, drawn * sizeof(ModelRow), 0) : (CnGpuUpload){0};
    ModelRow *rows = models->rows.data;
    for (uint32_t i = 0; rows && i < parts->count; i++) {
        if (kinds[i] == KIND_COUNT)
            continue;
        CnAffine place = place_of(frame, layer, &parts->items[i]);
        rows[starts[kinds[i]]++] = row_of(&parts->items[i], &place);
    }
}

/* ---- Shadows ---- */

static void draw_shadow_view(CnFrame *frame, void *self, const CnShadowView *shadow_view,
                             const CnGraphRun *run)
{
    const Models *models = self;
    ModelConstants constants = {
        .eye_to_clip = cni_render_eye_to_clip(&shadow_view->world_to_clip, frame->view.position),
        .depth_scale = 1};
    if (!models->caster_rows.data || !cni_render_block_view_is_ready(models->view))
        return;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(
                                            frame->renderer, models->shadow[shadow_view->of_sun]));
    cni_render_block_bind(frame, models->view, run->commands);
    cn_gpu_bind_buffer(run->commands, MODELS_BINDING, models->caster_rows.buffer,
                       models->caster_rows.offset, 0);
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
    cn_gpu_draw(run->commands, BOX_CORNERS, models->caster_count, 0, 0);
    CnRendererStats *stats = &frame->renderer->stats;
    stats->draws++;
    stats->draw_calls++;
    stats->triangles += (uint64_t)BOX_CORNERS / 3 * models->caster_count;
}

/* Without parts that cast shadows, shadow maps are drawn as if the feature did not exist. */
static void early_update(CnFrame *frame, void *self)
{
    Models *models = self;
    CnBlockModels *list = models->options.models;
    const CniRenderModelParts *parts = &list->published[CN_MODEL_LAYER_WORLD];
    models->caster_count = 0;
    models->caster_rows = (CnGpuUpload){0};
    if (models->options.layer != CN_MODEL_LAYER_WORLD)
        return;
    pthread_mutex_lock(&list->lock);
    for (uint32_t i = 0; i < parts->count; i++)
        models->caster_count += parts->items[i].casts_shadow;
    if (models->caster_count)
        models->caster_rows =
            cn_gpu_upload(frame->commands, models->caster_count * sizeof(ModelRow), 0);
    ModelRow *rows = models->caster_rows.data;
    for (uint32_t i = 0, next = 0; rows && i < parts->count; i++) {
        CnAffine place = place_of(frame, CN_MODEL_LAYER_WORLD, &parts->items[i]);
        if (parts->items[i].casts_shadow)
            rows[next++] = row_of(&parts->items[i], &place);
    }
    pthread_mutex_unlock(&list->lock);
    if (rows)
        cn_frame_add_shadow_caster(frame,
                                   &(CnShadowCaster){.self = self, .draw = draw_shadow_view});
}

/* ---- Drawing ---- */

static CnMat4 hand_projection(const Models *models, const CnView *view)
{
    float fov = models->options.fov > 0 ? models->options.fov : HAND_FOV;
    float scale = 1 / cn_tanf(fov / 2);
    CnMat4 m = {{0}};
    m.m[0] = scale / view->aspect;
    m.m[5] = -scale;
    m.m[10] = HAND_NEAR / (HAND_FAR - HAND_NEAR);
    m.m[14] = HAND_NEAR * HAND_FAR / (HAND_FAR - HAND_NEAR);
    m.m[11] = -1;
    CnMat4 turn = view->view;
    turn.m[12] = turn.m[13] = turn.m[14] = 0;
    return cn_mat4_mul(&m, &turn);
}

static void draw_kind(const Models *models, const CnGraphRun *run, Kind kind, uint32_t first)
{
    static const uint32_t corners[KIND_COUNT] = {BOX_CORNERS, SPRITE_CORNERS, FLAT_CORNERS};
    CnRendererStats *stats = &models->frame->renderer->stats;
    cn_gpu_draw(run->commands, corners[kind], models->counts[kind], 0, first);
    stats->draws++;
    stats->draw_calls++;
    stats->triangles += (uint64_t)corners[kind] / 3 * models->counts[kind];
}

static void run_models(const CnGraphRun *run)
{
    const Models *models = run->user;
    CnFrame *frame = models->frame;
    const CniRenderDefaults *defaults = &frame->renderer->defaults;
    bool is_hand = models->options.layer == CN_MODEL_LAYER_HAND;
    ModelConstants constants = {.eye_to_clip = is_hand ? hand_projection(models, &frame->view)
                                                       : cni_render_view_from_eye(&frame->view),
                                .depth_scale = is_hand ? HAND_DEPTH : 1,
                                .depth_offset = is_hand ? 1 - HAND_DEPTH : 0};
    if (models->sky_table.id && !is_hand) {
        constants.edge = frame->table_air.x;
        constants.haze = frame->table_air.y;
        constants.sea_level = frame->table_air.z;
        constants.has_air = frame->table_air.w;
        constants.water = frame->table_water;
    }
    uint32_t first = 0;
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
        if (!models->counts[kind])
            continue;
        CnRenderPipeline pipeline = kind == KIND_BOX ? models->box : models->sprite;
        constants.is_sprite = kind != KIND_BOX;
        cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(frame->renderer, pipeline));
        cni_render_block_bind(frame, models->view, run->commands);
        cn_gpu_bind_buffer(run->commands, MODELS_BINDING, models->rows.buffer, models->rows.offset,
                           0);
        cn_gpu_bind_texture(run->commands, IRRADIANCE_BINDING,
                            models->irradiance.id
                                ? cn_graph_get_texture(run->graph, models->irradiance)
                                : defaults->black_cube,
                            defaults->linear_clamp);
        cn_gpu_bind_texture(run->commands, SKY_BINDING,
                            models->sky_table.id
                                ? cn_graph_get_texture(run->graph, models->sky_table)
                                : defaults->white,
                            defaults->linear_clamp);
        cn_gpu_push_constants(run->commands, &constants, sizeof constants);
        draw_kind(models, run, (Kind)kind, first);
        first += models->counts[kind];
    }
}

static void add_passes(CnFrame *frame, void *self)
{
    Models *models = self;
    CnBlockModels *list = models->options.models;
    bool is_hand = models->options.layer == CN_MODEL_LAYER_HAND;
    if (!cni_render_block_view_is_ready(models->view) || !frame->hdr.id || !frame->depth.id ||
        (is_hand && frame->view.fov <= 0))
        return;
    pthread_mutex_lock(&list->lock);
    write_rows(models, frame);
    pthread_mutex_unlock(&list->lock);
    if (!models->rows.data)
        return;
    models->frame = frame;
    models->irradiance = frame->irradiance;
    models->sky_table = frame->sky_table;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = is_hand ? "hand" : "block models",
                                         .run = run_models,
                                         .user = models});
    if (models->irradiance.id)
        cn_graph_read_texture(frame->graph, pass, models->irradiance, CN_GPU_ACCESS_SAMPLE, NULL);
    if (models->sky_table.id)
        cn_graph_read_texture(frame->graph, pass, models->sky_table, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->hdr = cn_graph_color_attachment(frame->graph, pass, frame->hdr, NULL);
    frame->depth = cn_graph_depth_attachment(frame->graph, pass, frame->depth, NULL);
}

const CnFeatureType cn_feature_block_models = {.name = "Block models",
                                               .size = sizeof(Models),
                                               .setup = setup,
                                               .early_update = early_update,
                                               .update = update,
                                               .add_passes = add_passes,
                                               .destroy = destroy};

/* Draw passes: a pipeline for each variant that materials require, and drawing lists with them. */
#include "render/core/renderer_internal.h"
#include "render/core/scene_bindings.h"
#include "render/feature/shadows.h"

#include <cairn/base/assert.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

/* Bits of a state that select the pipeline; the others are textures. */
#define STATE_PIPELINE_MASK 0xFFFF0000u
#define STATE_ALPHA(state) ((CnAlphaMode)((state) >> 30))
#define STATE_MIRRORED(state) ((state) >> 29 & 1u)
#define STATE_DOUBLE_SIDED(state) ((state) >> 28 & 1u)
#define STATE_SURFACE(state) ((state) >> 16 & 0x7FFu)

CN_STATIC_ASSERT(CNI_RENDER_BIND_MATERIAL_TEXTURES + CN_TEXTURE_CORE_COUNT == CNI_RENDER_BIND_SKINS,
                 "a material has another number of textures than scene.glsl");
CN_STATIC_ASSERT(CNI_RENDER_BIND_EXTENSION_TEXTURES + CN_MAX_EXTENSION_TEXTURES ==
                         CNI_RENDER_EXTENDED_BINDING_COUNT &&
                     CNI_RENDER_EXTENDED_BINDING_COUNT <= CN_GPU_MAX_BINDINGS,
                 "the textures of extensions have bindings");
CN_STATIC_ASSERT(CNI_RENDER_MAX_SURFACES < 0x800u, "a state has 11 bits for the surface");

void cni_render_scene_bindings(CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS])
{
    memset(bindings, 0, CN_GPU_MAX_BINDINGS * sizeof *bindings);
    for (uint32_t i = 0; i < CNI_RENDER_SCENE_BINDING_COUNT; i++)
        bindings[i] = CN_GPU_BIND_TEXTURE;
    for (uint32_t i = CNI_RENDER_BIND_INSTANCES; i <= CNI_RENDER_BIND_LIGHT_TILES; i++)
        bindings[i] = CN_GPU_BIND_STORAGE;
    bindings[CNI_RENDER_BIND_SKINS] = CN_GPU_BIND_STORAGE;
    bindings[CNI_RENDER_BIND_FRAME] = CN_GPU_BIND_UNIFORM;
    bindings[CNI_RENDER_BIND_SHADOW_DATA] = CN_GPU_BIND_UNIFORM;
}

/* ---- Variants ---- */

static CnGpuCull cull_of(const CnDrawPassDesc *desc, uint32_t state,
                         const CniRenderSurface *surface)
{
    if (surface && surface->cull == CN_GPU_CULL_NONE && STATE_DOUBLE_SIDED(state))
        return CN_GPU_CULL_NONE;
    if (!surface && STATE_DOUBLE_SIDED(state))
        return CN_GPU_CULL_NONE;
    CnGpuCull cull = surface && surface->cull ? surface->cull : CN_GPU_CULL_BACK;
    bool turn = desc->cull_front != (STATE_MIRRORED(state) != 0);
    if (!turn)
        return cull;
    return cull == CN_GPU_CULL_BACK ? CN_GPU_CULL_FRONT : CN_GPU_CULL_BACK;
}

static CnRenderPipelineDesc variant_desc(const CniRenderDrawPass *pass, uint32_t state,
                                         const CniRenderSurface *surface)
{
    const CnDrawPassDesc *desc = &pass->desc;
    bool is_extended = state & CNI_RENDER_STATE_EXTENDED && desc->extended_vertex.name;
    CnShader fragment = is_extended ? desc->extended_fragment : desc->fragment;
    CnShader masked = is_extended ? desc->extended_masked : desc->masked;
    bool is_masked = STATE_ALPHA(state) == CN_ALPHA_MASK && masked.name;
    CnRenderPipelineDesc made = {.vertex = is_extended ? desc->extended_vertex : desc->vertex,
                                 .fragment = is_masked ? masked : fragment,
                                 .state = {.name = pass->name,
                                           .constants = desc->constants,
                                           .depth = desc->depth,
                                           .depth_test = desc->depth_test,
                                           .depth_write = desc->depth_write,
                                           .depth_bias = desc->depth_bias,
                                           .depth_bias_slope = desc->depth_bias_slope,
                                           .depth_clamp = desc->depth_clamp,
                                           .cull = cull_of(desc, state, surface)}};
    cni_render_scene_bindings(made.state.bindings);
    for (uint32_t i = CNI_RENDER_BIND_BEHIND; is_extended && i < CNI_RENDER_EXTENDED_BINDING_COUNT;
         i++)
        made.state.bindings[i] = CN_GPU_BIND_TEXTURE;
    for (uint32_t i = 0; i < CN_GPU_MAX_COLORS; i++) {
        made.state.color[i] = desc->color[i];
        made.state.blend[i] = desc->blend[i];
        if (surface && surface->blend && desc->blend[i])
            made.state.blend[i] = surface->blend;
    }
    if (surface && surface->no_depth_write)
        made.state.depth_write = false;
    return made;
}

static const CniRenderSurface *surface_of(const CnRenderer *renderer, uint32_t state)
{
    uint32_t number = STATE_SURFACE(state);
    if (!number || number > renderer->surfaces.count)
        return NULL;
    return cn_slot_table_live_at(&renderer->surfaces, number - 1);
}

/* Adds the variant even if its pipeline cannot be created, so that it is not retried in every
 * frame. */
static const CniRenderPipelineVariant *add_variant(CnRenderer *renderer, CniRenderDrawPass *pass,
                                                   uint32_t state, CnError *error)
{
    const CniRenderSurface *surface = surface_of(renderer, state);
    CnRenderPipelineDesc desc = variant_desc(pass, state, surface);
    if (!cn_array_reserve(&pass->variants, (uint64_t)pass->variants.count + 1)) {
        cn_error_memory(error, "pipelines of %s", pass->name);
        return NULL;
    }
    uint32_t number = surface && desc.fragment.name ? STATE_SURFACE(state) : 0;
    CniRenderPipelineVariant variant = {
        .state = state, .pipeline = cni_render_pipeline_create(renderer, &desc, number, error)};
    cn_array_push(&pass->variants, variant);
    return &pass->variants.items[pass->variants.count - 1];
}

static const CniRenderPipelineVariant *find_variant(const CniRenderDrawPass *pass, uint32_t state)
{
    for (uint32_t i = 0; i < pass->variants.count; i++) {
        if (pass->variants.items[i].state == state)
            return &pass->variants.items[i];
    }
    return NULL;
}

static CnGpuPipeline variant_pipeline(CnRenderer *renderer, CniRenderDrawPass *pass, uint32_t state)
{
    state &= STATE_PIPELINE_MASK;
    const CniRenderPipelineVariant *variant = find_variant(pass, state);
    if (!variant) {
        CnError error = {0};
        variant = add_variant(renderer, pass, state, &error);
        if (!variant || !variant->pipeline.id)
            CN_LOG_ERROR("render", "pass %s cannot draw some meshes: %s", pass->name,
                         error.message);
    }
    return variant && variant->pipeline.id ? cn_render_pipeline_get(renderer, variant->pipeline)
                                           : (CnGpuPipeline){0};
}

/* ---- Passes ---- */

CnDrawPass cn_draw_pass_create(CnRenderer *renderer, const CnDrawPassDesc *desc, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnDrawPass none = {0}, made;
    CniRenderDrawPass *pass = cn_slot_table_acquire(&renderer->draw_passes, &made.id);
    if (!pass) {
        cn_error_set(error, CN_ERROR_MEMORY, "too many draw passes: cannot create %s",
                     desc->name ? desc->name : "unnamed");
        return none;
    }
    cn_copy_text(pass->name, sizeof pass->name, cn_text(desc->name ? desc->name : "unnamed"));
    pass->desc = *desc;
    cn_array_init(&pass->variants, renderer->allocator);
    bool ok = true;
    const uint32_t common[] = {0, (uint32_t)CN_ALPHA_MASK << 30};
    for (uint32_t i = 0; i < CN_COUNT_OF(common) && ok && !desc->on_demand; i++) {
        const CniRenderPipelineVariant *variant = add_variant(renderer, pass, common[i], error);
        ok = variant && variant->pipeline.id;
    }
    if (!ok) {
        cn_draw_pass_destroy(renderer, made);
        return none;
    }
    return made;
}

void cn_draw_pass_destroy(CnRenderer *renderer, CnDrawPass pass)
{
    CniRenderDrawPass *found = cn_slot_table_get(&renderer->draw_passes, pass.id);
    if (!found)
        return;
    for (uint32_t i = 0; i < found->variants.count; i++)
        cn_render_pipeline_destroy(renderer, found->variants.items[i].pipeline);
    cn_array_fini(&found->variants);
    cn_slot_table_release(&renderer->draw_passes, cn_slot_index(pass.id));
}

bool cni_render_draw_passes_add_surface(CnRenderer *renderer, uint32_t surface_index,
                                        CnError *error)
{
    for (uint32_t i = 0; i < renderer->draw_passes.count; i++) {
        CniRenderDrawPass *pass = cn_slot_table_live_at(&renderer->draw_passes, i);
        if (!pass || !pass->desc.fragment.name || pass->desc.on_demand)
            continue;
        const CniRenderPipelineVariant *variant =
            add_variant(renderer, pass, (surface_index + 1) << 16, error);
        if (!variant || !variant->pipeline.id)
            return false;
    }
    return true;
}

void cni_render_draw_passes_drop_surface(CnRenderer *renderer, uint32_t surface_index)
{
    for (uint32_t i = 0; i < renderer->draw_passes.count; i++) {
        CniRenderDrawPass *pass = cn_slot_table_live_at(&renderer->draw_passes, i);
        uint32_t kept = 0;
        for (uint32_t j = 0; pass && j < pass->variants.count; j++) {
            CniRenderPipelineVariant variant = pass->variants.items[j];
            if (STATE_SURFACE(variant.state) == surface_index + 1)
                cn_render_pipeline_destroy(renderer, variant.pipeline);
            else
                pass->variants.items[kept++] = variant;
        }
        if (pass)
            pass->variants.count = kept;
    }
}

/* ---- Scene bindings ---- */

static bool is_compute(const CnFrame *frame, CnGraphPass pass)
{
    return cn_graph_pass_kind(frame->graph, pass) == CN_GRAPH_COMPUTE;
}

static void read_texture(CnFrame *frame, CnGraphPass pass, CnGraphTexture texture)
{
    if (texture.id)
        cn_graph_read_texture(
            frame->graph, pass, texture,
            is_compute(frame, pass) ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_SAMPLE, NULL);
}

void cn_frame_read_scene(CnFrame *frame, CnGraphPass pass, uint32_t without)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CnRenderer *renderer = frame->renderer;
    CniRenderSceneReads *reads = cn_frame_alloc(frame, sizeof *reads);
    if (!reads)
        return;
    *reads = (CniRenderSceneReads){.next = renderer->scene_reads, .pass = pass.id};
    renderer->scene_reads = reads;
    if (!(without & CN_SCENE_AO))
        read_texture(frame, pass, reads->ao = frame->ao);
    if (!(without & CN_SCENE_SHADOWS)) {
        read_texture(frame, pass, reads->shadow_map = frame->shadow_map);
        read_texture(frame, pass, reads->shadow_atlas = frame->shadow_atlas);
        read_texture(frame, pass, reads->cloud_shadow = frame->cloud_shadow);
        reads->has_shadows = frame->shadow_data.data != NULL;
    }
    if (!(without & CN_SCENE_IBL)) {
        read_texture(frame, pass, reads->irradiance = frame->irradiance);
        read_texture(frame, pass, reads->prefiltered = frame->prefiltered);
        read_texture(frame, pass, reads->brdf_lut = frame->brdf_lut);
    }
    if (!(without & CN_SCENE_BEHIND))
        read_texture(frame, pass, reads->behind = frame->behind);
    if (!(without & CN_SCENE_TILES) && frame->light_tiles.id) {
        reads->light_tiles = frame->light_tiles;
        cn_graph_read_buffer(frame->graph, pass, frame->light_tiles,
                             is_compute(frame, pass) ? CN_GPU_ACCESS_READ_COMPUTE
                                                     : CN_GPU_ACCESS_READ);
    }
}

static void bind_upload(CnFrame *frame, CnGpuCommands *commands, uint32_t binding,
                        const CnGpuUpload *upload, uint64_t size)
{
    if (upload->data)
        cn_gpu_bind_buffer(commands, binding, upload->buffer, upload->offset, size);
    else
        cn_gpu_bind_buffer(commands, binding, frame->renderer->defaults.zeros, 0, 0);
}

static void bind_slot(const CnGraphRun *run, uint32_t binding, CnGraphTexture slot, bool is_wanted,
                      CnGpuTexture defaults, CnGpuSampler sampler)
{
    CnGpuTexture texture = {0};
    if (slot.id && is_wanted)
        texture = cn_graph_get_texture(run->graph, slot);
    cn_gpu_bind_texture(run->commands, binding, texture.id ? texture : defaults, sampler);
}

static void bind_pool(CnFrame *frame, CnGpuCommands *commands, uint32_t binding,
                      CniRenderPoolKind kind)
{
    const CnRenderer *renderer = frame->renderer;
    CnGpuBuffer buffer = renderer->pools[kind].buffer;
    cn_gpu_bind_buffer(commands, binding, buffer.id ? buffer : renderer->defaults.zeros, 0, 0);
}

static void bind_meshes(CnFrame *frame, CnGpuCommands *commands)
{
    const CnRenderer *renderer = frame->renderer;
    bind_upload(frame, commands, CNI_RENDER_BIND_INSTANCES, &frame->instance_data, 0);
    cn_gpu_bind_buffer(commands, CNI_RENDER_BIND_ORDER, renderer->defaults.zeros, 0, 0);
    bind_pool(frame, commands, CNI_RENDER_BIND_VERTICES, CNI_RENDER_POOL_VERTICES);
    cn_gpu_bind_buffer(commands, CNI_RENDER_BIND_MATERIALS, renderer->material_buffer, 0, 0);
    bind_upload(frame, commands, CNI_RENDER_BIND_JOINTS, &frame->joint_data, 0);
    bind_pool(frame, commands, CNI_RENDER_BIND_SKINS, CNI_RENDER_POOL_SKINS);
}

/* The barriers allow only graphics passes to read meshes and materials. */
static void bind_no_meshes(CnFrame *frame, CnGpuCommands *commands)
{
    for (uint32_t i = CNI_RENDER_BIND_INSTANCES; i <= CNI_RENDER_BIND_JOINTS; i++)
        cn_gpu_bind_buffer(commands, i, frame->renderer->defaults.zeros, 0, 0);
    cn_gpu_bind_buffer(commands, CNI_RENDER_BIND_SKINS, frame->renderer->defaults.zeros, 0, 0);
}

static void bind_material(const CnRenderer *renderer, CnGpuCommands *commands, uint32_t index)
{
    const CniRenderMaterial *material = cni_render_material_at(renderer, index);
    for (uint32_t i = 0; i < CN_TEXTURE_CORE_COUNT; i++)
        cn_gpu_bind_texture(commands, CNI_RENDER_BIND_MATERIAL_TEXTURES + i, material->textures[i],
                            material->samplers[i]);
}

static void bind_extension(const CnRenderer *renderer, CnGpuCommands *commands, uint32_t index)
{
    const CniRenderMaterial *material = cni_render_material_at(renderer, index);
    for (uint32_t i = 0; i < CN_MAX_EXTENSION_TEXTURES; i++)
        cn_gpu_bind_texture(commands, CNI_RENDER_BIND_EXTENSION_TEXTURES + i,
                            material->textures[CN_TEXTURE_CORE_COUNT + i],
                            material->samplers[CN_TEXTURE_CORE_COUNT + i]);
}

static const CniRenderSceneReads *reads_of(const CnRenderer *renderer, CnGraphPass pass)
{
    static const CniRenderSceneReads nothing = {0};
    const CniRenderSceneReads *reads = renderer->scene_reads;
    while (reads && reads->pass != pass.id)
        reads = reads->next;
    return reads ? reads : &nothing;
}

void cn_frame_bind_scene(CnFrame *frame, const CnGraphRun *run, uint32_t without)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CN_ASSERT(run, "%s: run is NULL", __func__);
    CnRenderer *renderer = frame->renderer;
    const CniRenderDefaults *defaults = &renderer->defaults;
    const CniRenderSceneReads *reads = reads_of(renderer, run->pass);
    bind_upload(frame, run->commands, CNI_RENDER_BIND_FRAME, &frame->frame_data,
                sizeof(CniRenderFrameData));
    bind_upload(frame, run->commands, CNI_RENDER_BIND_LIGHTS, &frame->light_data, 0);
    if (is_compute(frame, run->pass))
        bind_no_meshes(frame, run->commands);
    else
        bind_meshes(frame, run->commands);
    CnGpuBuffer tiles = {0};
    if (reads->light_tiles.id && !(without & CN_SCENE_TILES))
        tiles = cn_graph_get_buffer(run->graph, reads->light_tiles);
    cn_gpu_bind_buffer(run->commands, CNI_RENDER_BIND_LIGHT_TILES,
                       tiles.id ? tiles : defaults->zeros, 0, 0);
    bool shadows = reads->has_shadows && !(without & CN_SCENE_SHADOWS);
    const CnGpuUpload no_shadows = {0};
    bind_upload(frame, run->commands, CNI_RENDER_BIND_SHADOW_DATA,
                shadows ? &frame->shadow_data : &no_shadows, sizeof(CniRenderShadowData));
    bind_slot(run, CNI_RENDER_BIND_SHADOW_MAP, reads->shadow_map, shadows, defaults->depth_array,
              defaults->nearest_clamp);
    bind_slot(run, CNI_RENDER_BIND_SHADOW_ATLAS, reads->shadow_atlas, shadows, defaults->depth,
              defaults->shadow);
    bind_slot(run, CNI_RENDER_BIND_CLOUD_SHADOW, reads->cloud_shadow, !(without & CN_SCENE_SHADOWS),
              defaults->white, defaults->linear_clamp);
    bool ibl = !(without & CN_SCENE_IBL);
    bind_slot(run, CNI_RENDER_BIND_IRRADIANCE, reads->irradiance, ibl, defaults->black_cube,
              defaults->linear_clamp);
    bind_slot(run, CNI_RENDER_BIND_PREFILTERED, reads->prefiltered, ibl, defaults->black_cube,
              defaults->linear_clamp);
    bind_slot(run, CNI_RENDER_BIND_BRDF_LUT, reads->brdf_lut, ibl, defaults->white,
              defaults->linear_clamp);
    bind_slot(run, CNI_RENDER_BIND_AO, reads->ao, !(without & CN_SCENE_AO), defaults->white,
              defaults->linear_clamp);
    bool has_terrain = frame->terrain_heights.id && shadows;
    cn_gpu_bind_texture(run->commands, CNI_RENDER_BIND_TERRAIN_HEIGHTS,
                        has_terrain ? frame->terrain_heights : defaults->white, defaults->linear);
    bind_material(renderer, run->commands, 0);
}

/* ---- Drawing ---- */

void cn_frame_draw(CnFrame *frame, const CnGraphRun *run, CnDrawPass pass, const CnDrawList *list)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CN_ASSERT(run, "%s: run is NULL", __func__);
    CN_ASSERT(list, "%s: list is NULL", __func__);
    CnRenderer *renderer = frame->renderer;
    CniRenderDrawPass *found = cn_slot_table_get(&renderer->draw_passes, pass.id);
    CN_ASSERT(found, "cn_frame_draw: the draw pass is %s", pass.id ? "dead" : "null");
    if (!found || !list->count)
        return;
    cn_gpu_bind_buffer(run->commands, CNI_RENDER_BIND_ORDER, list->order.buffer, list->order.offset,
                       (uint64_t)list->count * sizeof(uint32_t));
    cn_gpu_bind_indices(run->commands, renderer->pools[CNI_RENDER_POOL_INDICES].buffer, 0,
                        CN_GPU_FORMAT_R32U);
    uint32_t texture_set = 0; /* as bound by cn_frame_bind_scene */
    bool has_behind = false;
    for (uint32_t i = 0; i < list->call_count; i++) {
        const CniRenderDrawCall *call = &list->calls[i];
        CnGpuPipeline pipeline = variant_pipeline(renderer, found, call->state);
        if (!pipeline.id)
            continue;
        if ((call->state & 0xFFFFu) != texture_set) {
            texture_set = call->state & 0xFFFFu;
            bind_material(renderer, run->commands, call->material);
        }
        if (call->state & CNI_RENDER_STATE_EXTENDED) {
            bind_extension(renderer, run->commands, call->material);
            if (!has_behind)
                bind_slot(run, CNI_RENDER_BIND_BEHIND, reads_of(renderer, run->pass)->behind, true,
                          renderer->defaults.white, renderer->defaults.linear_clamp);
            has_behind = true;
        }
        cn_gpu_bind_pipeline(run->commands, pipeline);
        cn_gpu_draw_indexed_indirect(run->commands, list->draws.buffer,
                                     list->draws.offset +
                                         (uint64_t)call->first_draw * sizeof(CniRenderDrawIndexed),
                                     call->draw_count, sizeof(CniRenderDrawIndexed));
        renderer->stats.draw_calls++;
        renderer->stats.draws += call->draw_count;
    }
    if (texture_set)
        bind_material(renderer, run->commands, 0);
    renderer->stats.triangles += list->triangles;
}

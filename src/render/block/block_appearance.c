/* Reduces visible tiling of block textures: which tiles are rotated, and the climate tint of
 * greens. */
#include "render/block/block_view.h"

#include <string.h>

/* ---- Tile rotation ---- */

enum { /* LOOK_ in blocks.glsl */
       TURNS = 1,
       MIRRORS = 2,
       CLIMATE = 4,
       FOLIAGE = 8
};

static const struct {
    uint16_t block;
    uint16_t appearance;
} special[] = {
    {CN_BLOCK_GRASS, TURNS | MIRRORS | CLIMATE},
    {CN_BLOCK_DIRT, TURNS},
    {CN_BLOCK_STONE, TURNS},
    {CN_BLOCK_SAND, TURNS},
    {CN_BLOCK_RED_SAND, TURNS},
    {CN_BLOCK_GRAVEL, TURNS},
    {CN_BLOCK_SNOW, TURNS},
    {CN_BLOCK_GRASS_SNOW, TURNS | MIRRORS},
    {CN_BLOCK_CLAY, TURNS},
    {CN_BLOCK_MUD, TURNS},
    {CN_BLOCK_PODZOL, TURNS | MIRRORS},
    {CN_BLOCK_MYCELIUM, TURNS | MIRRORS},
    {CN_BLOCK_COARSE_DIRT, TURNS},
    {CN_BLOCK_MOSS, TURNS | CLIMATE},
    {CN_BLOCK_SANDSTONE, TURNS | MIRRORS},
    {CN_BLOCK_RED_SANDSTONE, TURNS | MIRRORS},
    {CN_BLOCK_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_WHITE_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_ORANGE_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_YELLOW_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_RED_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_BROWN_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_LIGHT_GRAY_TERRACOTTA, TURNS | MIRRORS},
    {CN_BLOCK_GRANITE, TURNS},
    {CN_BLOCK_DIORITE, TURNS},
    {CN_BLOCK_ANDESITE, TURNS},
    {CN_BLOCK_DEEPSLATE, TURNS | MIRRORS},
    {CN_BLOCK_OAK_LEAVES, TURNS | CLIMATE | FOLIAGE},
    {CN_BLOCK_BIRCH_LEAVES, TURNS | CLIMATE | FOLIAGE},
    {CN_BLOCK_JUNGLE_LEAVES, TURNS | CLIMATE | FOLIAGE},
    {CN_BLOCK_ACACIA_LEAVES, TURNS | CLIMATE | FOLIAGE},
    {CN_BLOCK_SHORT_GRASS, MIRRORS | CLIMATE | FOLIAGE},
    {CN_BLOCK_TALL_GRASS, MIRRORS | CLIMATE | FOLIAGE},
    {CN_BLOCK_FERN, MIRRORS | CLIMATE | FOLIAGE},
};

uint32_t cni_render_block_appearance(CnBlock block)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(special); i++)
        if (special[i].block == block)
            return special[i].appearance;
    const CnBlockInfo *info = &cn_blocks[block];
    if (info->surface != CN_BLOCK_SURFACE_GRASS)
        return 0;
    /* Leaves are translucent; needles and hanging plants have a fixed orientation. */
    if (info->material == CN_BLOCK_MATERIAL_SEMI)
        return MIRRORS | FOLIAGE;
    return info->material == CN_BLOCK_MATERIAL_PROP ? MIRRORS | FOLIAGE : 0;
}

/* ---- Climate ---- */

#define ONE 128 /* a factor of 1 */

void cn_block_view_set_climate(CnBlockView *view, const uint8_t (*factors)[4])
{
    pthread_mutex_lock(&view->lock);
    memcpy(view->climate.factors, factors, sizeof view->climate.factors);
    view->climate.is_new = true;
    pthread_mutex_unlock(&view->lock);
}

bool cni_render_block_climate_create(CnRenderer *renderer, CniRenderBlockClimate *climate,
                                     CnError *error)
{
    climate->sampler = cn_gpu_sampler_get(
        renderer->gpu, &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR, .wrap = CN_GPU_REPEAT}, error);
    climate->texture =
        cn_gpu_texture_create(renderer->gpu,
                              &(CnGpuTextureDesc){.name = "block climate",
                                                  .format = CN_GPU_FORMAT_RGBA8,
                                                  .width = CN_CLIMATE_SIZE,
                                                  .height = CN_CLIMATE_SIZE,
                                                  .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO},
                              error);
    static const uint8_t nothing[4] = {ONE, ONE, ONE, 255};
    for (uint32_t i = 0; i < CN_COUNT_OF(climate->factors) && !climate->is_new; i++)
        memcpy(climate->factors[i], nothing, sizeof nothing);
    climate->is_new = true;
    climate->is_sent = false;
    return climate->sampler.id && climate->texture.id;
}

void cni_render_block_climate_destroy(CnRenderer *renderer, CniRenderBlockClimate *climate)
{
    if (climate->texture.id)
        cn_gpu_texture_destroy(renderer->gpu, climate->texture);
    climate->texture.id = 0;
}

static void move(CnFrame *frame, CnGpuTexture texture, CnGpuAccess before, CnGpuAccess after)
{
    cn_gpu_barriers(frame->commands,
                    &(CnGpuBarrier){.texture = texture, .before = before, .after = after}, 1);
}

void cni_render_block_climate_send(CnFrame *frame, CnBlockView *view)
{
    CniRenderBlockClimate *climate = &view->climate;
    pthread_mutex_lock(&view->lock);
    bool is_new = climate->is_new;
    CnGpuUpload upload = {0};
    if (is_new)
        upload = cn_gpu_upload(frame->commands, sizeof climate->factors, 16);
    if (upload.data) {
        memcpy(upload.data, climate->factors, sizeof climate->factors);
        climate->is_new = false;
    }
    pthread_mutex_unlock(&view->lock);
    if (!upload.data)
        return;
    /* Read by both graphics and compute shaders. */
    CnGpuAccess before = climate->is_sent ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_NONE;
    move(frame, climate->texture, before, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_to_texture(frame->commands, upload.buffer, climate->texture,
                           &(CnGpuRegion){.layer_count = 1, .offset = upload.offset});
    move(frame, climate->texture, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_SAMPLE);
    move(frame, climate->texture, CN_GPU_ACCESS_SAMPLE, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    climate->is_sent = true;
}

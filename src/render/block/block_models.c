#include "render/block/block_models.h"

#include <cairn/base/assert.h>

#include <string.h>

CnBlockModels *cn_block_models_create(CnAllocator *allocator, CnError *error)
{
    CnAllocator *used = allocator ? allocator : cn_system_allocator();
    CnBlockModels *models = cn_alloc_zeroed(used, sizeof *models);
    if (!models) {
        cn_error_memory(error, "block models");
        return NULL;
    }
    models->allocator = used;
    for (uint32_t i = 0; i < CN_MODEL_LAYER_COUNT; i++) {
        cn_array_init(&models->filled[i], used);
        cn_array_init(&models->published[i], used);
    }
    pthread_mutex_init(&models->lock, NULL);
    return models;
}

void cn_block_models_destroy(CnBlockModels *models)
{
    if (!models)
        return;
    CN_ASSERT(models->users == 0, "a feature still uses these block models");
    for (uint32_t i = 0; i < CN_MODEL_LAYER_COUNT; i++) {
        cn_array_fini(&models->filled[i]);
        cn_array_fini(&models->published[i]);
    }
    pthread_mutex_destroy(&models->lock);
    cn_free(models->allocator, models, sizeof *models);
}

void cn_block_models_begin(CnBlockModels *models)
{
    CN_ASSERT(models, "%s: models is NULL", __func__);
    for (uint32_t i = 0; i < CN_MODEL_LAYER_COUNT; i++)
        cn_array_clear(&models->filled[i]);
}

CnBlockModelPart *cn_block_models_add(CnBlockModels *models, CnModelLayer layer, uint32_t count)
{
    CN_ASSERT(models, "%s: models is NULL", __func__);
    CN_ASSERT(layer < CN_MODEL_LAYER_COUNT, "there is no layer %d", (int)layer);
    CniRenderModelParts *parts = &models->filled[layer];
    uint64_t sum = (uint64_t)parts->count + count;
    if (sum > CN_MODEL_MAX_PARTS || !cn_array_reserve(parts, sum)) {
        pthread_mutex_lock(&models->lock);
        models->refused += count;
        pthread_mutex_unlock(&models->lock);
        return NULL;
    }
    CnBlockModelPart *added = parts->items + parts->count;
    parts->count += count;
    return memset(added, 0, count * sizeof *added);
}

void cn_block_models_end(CnBlockModels *models)
{
    CN_ASSERT(models, "%s: models is NULL", __func__);
    pthread_mutex_lock(&models->lock);
    for (uint32_t i = 0; i < CN_MODEL_LAYER_COUNT; i++) {
        CniRenderModelParts old = models->published[i];
        models->published[i] = models->filled[i];
        models->filled[i] = old;
    }
    pthread_mutex_unlock(&models->lock);
}

CnBlockModelStats cn_block_models_stats(CnBlockModels *models)
{
    CN_ASSERT(models, "%s: models is NULL", __func__);
    CnBlockModelStats stats = {0};
    pthread_mutex_lock(&models->lock);
    for (uint32_t i = 0; i < CN_MODEL_LAYER_COUNT; i++) {
        stats.parts += models->published[i].count;
        stats.drawn += models->drawn[i];
    }
    stats.refused = models->refused;
    pthread_mutex_unlock(&models->lock);
    return stats;
}

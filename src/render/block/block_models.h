/* The list of a CnBlockModels, shared by the thread that fills it and the features that draw it. */
#ifndef CAIRN_SRC_RENDER_BLOCK_BLOCK_MODELS_H
#define CAIRN_SRC_RENDER_BLOCK_BLOCK_MODELS_H

#include <cairn/base/array.h>
#include <cairn/render/block_models.h>

#include <pthread.h>

typedef CN_ARRAY(CnBlockModelPart) CniRenderModelParts;

struct CnBlockModels {
    CnAllocator *allocator;
    CniRenderModelParts filled[CN_MODEL_LAYER_COUNT]; /* by the thread of the game */
    pthread_mutex_t lock;                             /* protects what follows */
    CniRenderModelParts published[CN_MODEL_LAYER_COUNT];
    uint32_t drawn[CN_MODEL_LAYER_COUNT];
    uint64_t refused;
    uint32_t users; /* features */
};

#endif

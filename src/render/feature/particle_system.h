/* The queue between the thread of the game and the feature "Particles". */
#ifndef CAIRN_SRC_RENDER_FEATURE_PARTICLE_SYSTEM_H
#define CAIRN_SRC_RENDER_FEATURE_PARTICLE_SYSTEM_H

#include "render/core/renderer_internal.h"

#include <cairn/render/particles.h>

#include <pthread.h>

#define CNI_RENDER_MAX_BURSTS 256u /* between two frames */
#define CNI_RENDER_MAX_GROUND 256u /* columns in each direction */

typedef struct CniRenderParticleGround {
    int32_t x, z;
    uint32_t size; /* 0: no ground is set */
    CnGroundColumn columns[CNI_RENDER_MAX_GROUND * CNI_RENDER_MAX_GROUND];
} CniRenderParticleGround;

struct CnParticleSystem {
    CnAllocator *allocator;
    CnEmitterDesc emitters[CN_MAX_EMITTERS]; /* without their names */
    uint32_t emitter_count;
    uint32_t firsts[CN_MAX_EMITTERS + 1]; /* index of the first particle of each emitter */
    uint32_t users;                       /* number of features */

    pthread_mutex_t lock; /* protects the following fields */
    CnBurst bursts[CNI_RENDER_MAX_BURSTS];
    uint32_t burst_count;
    float strengths[CN_MAX_EMITTERS];
    CniRenderParticleGround ground;
    uint64_t dropped;
};

#endif

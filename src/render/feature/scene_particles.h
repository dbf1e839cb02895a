/* The particles of emitters and bursts in snapshots: their simulation, without drawing. */
#ifndef CAIRN_SRC_RENDER_FEATURE_SCENE_PARTICLES_H
#define CAIRN_SRC_RENDER_FEATURE_SCENE_PARTICLES_H

#include <cairn/render/features.h>
#include <cairn/sim/extract.h>

typedef struct CniRenderSceneParticle {
    double birth; /* in the time of snapshots */
    CnVec3 start, velocity;
    float life, gravity, start_size, end_size;
    CnVec4 start_color, end_color;
    uint16_t emitter; /* index + 1 of the emitter with which it moves; 0: none */
    bool is_additive;
} CniRenderSceneParticle;

typedef struct CniRenderSceneEmitter {
    CnEntity entity;  /* null: the entry is free */
    bool is_seen;     /* in this snapshot */
    bool is_playing;  /* in the last frame */
    uint32_t alive;   /* particles that move with it */
    uint32_t started; /* particles so far, modulo 2^32: what their random numbers depend on */
    double owed;      /* fraction of the next particle */
    CnVec3 position;  /* in the last frame */
    CnQuat rotation;
} CniRenderSceneEmitter;

typedef struct CniRenderParticleRow { /* scene_particles.vert */
    CnVec3 from_eye;
    float size; /* negative: additive */
    CnVec4 color;
} CniRenderParticleRow;

/* Initialized with zeros and an allocator in the arrays: cni_render_scene_particles_init. */
typedef struct CniRenderSceneParticles {
    CniRenderSceneEmitter emitters[CN_MAX_SCENE_EMITTERS];
    uint32_t emitter_count; /* entries before the last one in use */
    CN_ARRAY(CniRenderSceneParticle) particles;
    CN_ARRAY(CniRenderParticleRow) rows; /* those in front of the camera, in any order */
    CN_ARRAY(uint32_t) order;            /* of rows, farthest first */
    CN_ARRAY(uint32_t) scratch;
    CN_ARRAY(uint64_t) keys;
    double time;        /* of the last frame */
    uint64_t next_tick; /* bursts of this tick and later ones are new */
    uint32_t world;
    bool is_started;
    CnSceneParticleStats stats;
} CniRenderSceneParticles;

/* A frame: between two snapshots of a world. */
typedef struct CniRenderParticleFrame {
    const CnRenderSnapshot *previous, *current; /* previous may be NULL */
    float alpha;
    uint32_t world; /* another number: everything starts anew */
} CniRenderParticleFrame;

void cni_render_scene_particles_init(CniRenderSceneParticles *self, CnAllocator *allocator);
void cni_render_scene_particles_fini(CniRenderSceneParticles *self);

/* Starts and ends particles. */
void cni_render_scene_particles_advance(CniRenderSceneParticles *self,
                                        const CniRenderParticleFrame *frame);
/* Computes `rows` and `order` for a camera. */
void cni_render_scene_particles_sort(CniRenderSceneParticles *self, CnVec3 eye, CnVec3 forward);

#endif

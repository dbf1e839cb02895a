/*
 * Particles: emitters that a program describes, simulated on the GPU.
 *
 *     CnParticleBox *box = cn_particle_box_create(&(CnParticleBoxDesc){.emitters = emitters, .emitter_count = 4}, &error);
 *     cn_renderer_add(renderer, &cn_feature_particles, &(CnParticlesOptions){.box = box}, &error);
 *     cn_particle_box_burst(box, &(CnBurst){.emitter = CHIPS, .position = middle, .color = color, .count = 4});
 *
 * Spawn, update, compact and draw are compute and draw passes of the feature; nothing comes back. A box is the letter box
 * between the thread of the game and the one that draws. The same bursts and frames give the same particles.
 *
 * They are lit by the light of the cell that they come from, by the sun and the sky, and by the nearest lamps.
 */
#ifndef CAIRN_RENDER_PARTICLES_H
#define CAIRN_RENDER_PARTICLES_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_EMITTERS 16u

typedef enum CnParticleShape {
    CN_PARTICLE_PIXEL, /* a square, facing the camera */
    CN_PARTICLE_ROUND, /* soft: smoke, snow */
    CN_PARTICLE_STREAK /* drawn out along its speed: rain */
} CnParticleShape;

typedef struct CnEmitterDesc {
    const char *name;
    uint32_t max_particles; /* the oldest give way */
    bool
        around_eye; /* spawned in a box around the camera, at `rate` times the box's strength: weather */
    CnVec3 half_extents; /* of that box; y of its top is this far above the eye */
    float radius;        /* of the ball that bursts come from */
    float cone;          /* half the angle that they fly into, upwards, radians; 0: all around */
    float lifetime[2], speed[2], size[2]; /* from, to */
    float grow;                           /* times the size, at the end of a life; 0 means 1 */
    float rate;                           /* a second, of around_eye ones */
    CnVec3 velocity;                      /* added to all */
    float gravity, drag;
    float flutter;     /* how far they sway: snow */
    CnVec3 color;      /* linear, times the burst's */
    float vary;        /* how much brighter or darker one is than the next: 0 to 1 */
    float alpha, fade; /* fades out over the last so many seconds */
    float emission;    /* light of their own, which is added: sparks */
    CnParticleShape shape;
    bool collides;   /* with the ground that the box knows: stops there, */
    uint32_t splash; /* or becomes a particle of emitter splash - 1 (0: none) */
} CnEmitterDesc;

typedef struct CnParticleBox CnParticleBox;
typedef struct CnParticleBoxDesc {
    CnAllocator *allocator;
    const CnEmitterDesc *emitters; /* copied */
    uint32_t emitter_count;
} CnParticleBoxDesc;
CN_API CnParticleBox *cn_particle_box_create(const CnParticleBoxDesc *desc, CnError *error);
CN_API void cn_particle_box_destroy(CnParticleBox *box); /* after the feature */

typedef struct CnBurst {
    uint32_t emitter, count;
    CnVec3 position, color;
    float block_light, sky_light; /* 0 to 1: how bright it is there */
    bool has_floor; /* under a roof: they fall to `floor`, not to the ground that the box knows */
    float floor;
} CnBurst;
/* From one thread. What does not fit before the next frame is dropped and counted. */
CN_API bool cn_particle_box_burst(CnParticleBox *box, const CnBurst *burst);
/* Of an emitter around the eye: 0 to 1. */
CN_API void cn_particle_box_strength(CnParticleBox *box, uint32_t emitter, float strength);
/* A column of the ground. */
typedef struct CnGroundColumn {
    int16_t height; /* the top of the highest block */
    uint16_t
        falls; /* bits of the emitters around the eye whose particles fall here: 1 << emitter */
} CnGroundColumn;
/* The ground around the eye: `size` x `size` columns from (x, z), row after row along x; at most 256 each way (false).
 * Nothing that falls from above comes through roofs; what begins below them is not stopped. */
CN_API bool cn_particle_box_ground(CnParticleBox *box, int32_t x, int32_t z, uint32_t size,
                                   const CnGroundColumn *columns);
/* Bursts that did not fit. */
CN_API uint64_t cn_particle_box_dropped(CnParticleBox *box);

typedef struct CnParticlesOptions {
    CnParticleBox *box;
} CnParticlesOptions;
CN_API extern const CnFeatureType cn_feature_particles; /* "Particles": over hdr */

CN_EXTERN_C_END

#endif

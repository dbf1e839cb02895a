/*
 * Particle emitters, defined by the program and simulated on the GPU.
 *
 *     CnEmitterDesc emitters[] = {{.name = "chips", .max_particles = 1024, .lifetime = {0.5f, 1}}};
 *     CnParticleSystemDesc desc = {.emitters = emitters, .emitter_count = 1};
 *     CnParticleSystem *particle_system = cn_particle_system_create(&desc, &error);
 *     CnParticlesOptions options = {.system = particle_system};
 *     cn_renderer_add_feature(renderer, &cn_feature_particles, &options, &error);
 *     CnBurst burst = {.emitter = 0, .position = {0, 64, 0}, .count = 4};
 *     cn_particle_system_burst(particle_system, &burst);
 *
 * The feature spawns, updates, compacts and draws particles in compute and draw passes; nothing is
 * read back. The particle system is the queue between the thread of the game and the render thread.
 * The same bursts and frames give the same particles.
 *
 * Particles are lit by the light of the cell in which they spawn, by the sun and the sky, and by
 * the nearest lights.
 */
#ifndef CAIRN_RENDER_PARTICLES_H
#define CAIRN_RENDER_PARTICLES_H

#include <cairn/render/features.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_EMITTERS 16u

typedef enum CnParticleShape {
    CN_PARTICLE_PIXEL, /* a square, facing the camera */
    CN_PARTICLE_ROUND, /* soft disc: smoke, snow */
    CN_PARTICLE_STREAK /* stretched along its velocity: rain */
} CnParticleShape;

typedef struct CnEmitterDesc {
    const char *name;
    uint32_t max_particles; /* the oldest are replaced */
    /* spawn in a box around the camera, at `rate` times the strength of the emitter: weather */
    bool follows_camera;
    CnVec3 half_extents; /* of that box; its top is this far above the camera */
    float radius;        /* of the sphere in which bursts spawn */
    float cone;          /* half-angle of the upward emission cone, radians; 0: all directions */
    float lifetime[2], speed[2], size[2]; /* ranges: minimum, maximum */
    float grow;                           /* size factor at the end of the lifetime; 0 selects 1 */
    float rate;                           /* particles per second, of follows_camera emitters */
    CnVec3 velocity;                      /* added to every particle */
    float gravity, drag;
    float flutter;     /* amplitude of sideways motion: snow */
    CnVec3 color;      /* linear, multiplied with the burst's */
    float vary;        /* random variation of brightness, 0 to 1 */
    float alpha, fade; /* fade: seconds at the end of the lifetime over which it fades out */
    float emission;    /* emitted light, added: sparks */
    CnParticleShape shape;
    bool collides;   /* with the ground set by cn_particle_system_set_ground: stops there, */
    uint32_t splash; /* or becomes a particle of emitter splash - 1 (0: none) */
} CnEmitterDesc;

typedef struct CnParticleSystem CnParticleSystem;
typedef struct CnParticleSystemDesc {
    CnAllocator *allocator;
    const CnEmitterDesc *emitters; /* copied */
    uint32_t emitter_count;
} CnParticleSystemDesc;
/* Creates a particle system. Returns NULL and an error if an emitter is invalid, a limit is
 * exceeded or memory runs out. */
CN_API CnParticleSystem *cn_particle_system_create(const CnParticleSystemDesc *desc,
                                                   CnError *error);
CN_API void
cn_particle_system_destroy(CnParticleSystem *particle_system); /* remove the feature first */

typedef struct CnBurst {
    uint32_t emitter, count;
    CnVec3 position, color;
    float block_light, sky_light; /* brightness at the position, 0 to 1 */
    bool has_floor; /* below a roof: particles fall to `floor` instead of the ground */
    float floor;
} CnBurst;
/* Queues a burst; call it from one thread. Returns false if the queue is full until the next frame;
 * the burst is dropped and counted. */
CN_API bool cn_particle_system_burst(CnParticleSystem *particle_system, const CnBurst *burst);
/* Sets the strength of an follows_camera emitter, 0 to 1. */
CN_API void cn_particle_system_set_strength(CnParticleSystem *particle_system, uint32_t emitter,
                                            float strength);
/* One column of the ground. */
typedef struct CnGroundColumn {
    int16_t height; /* top of the highest block */
    uint16_t falls; /* bits 1 << emitter of the follows_camera emitters whose particles fall here */
} CnGroundColumn;
/* Sets the ground around the camera: `size` x `size` columns from (x, z), in rows along x. Returns
 * false if `size` exceeds 256. Particles that fall from above stop at the ground; particles that
 * spawn below it do not collide with it. */
CN_API bool cn_particle_system_set_ground(CnParticleSystem *particle_system, int32_t x, int32_t z,
                                          uint32_t size, const CnGroundColumn *columns);
/* Returns the number of dropped bursts. */
CN_API uint64_t cn_particle_system_dropped(CnParticleSystem *particle_system);

typedef struct CnParticlesOptions {
    CnParticleSystem *system;
} CnParticlesOptions;
CN_API extern const CnFeatureType cn_feature_particles; /* "Particles": over hdr */

CN_EXTERN_C_END

#endif

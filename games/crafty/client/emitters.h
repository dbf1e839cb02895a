/*
 * Particle emitters: block debris, rain and splashes, snow, the flames, embers and smoke of
 * torches, and what happens to creatures.
 *
 *     CraftyEmitters *emitters = crafty_emitters_create(&error);
 *     shown.particles = crafty_emitters_particles(emitters);
 *     crafty_emitters_interact(emitters, voxels, events, count); // debris of breaking blocks
 *     crafty_emitters_frame(emitters, &frame);               // before each frame
 *
 * Use from the simulation thread only.
 */
#ifndef CRAFTY_CLIENT_EMITTERS_H
#define CRAFTY_CLIENT_EMITTERS_H

#include "crafty/sim/weather.h"
#include "lamps.h"

#include <cairn/render/particles.h>

typedef struct CraftyEmitters CraftyEmitters;

CraftyEmitters *crafty_emitters_create(CnError *error);
/* Call after removing the features that draw them (crafty_preset_clear). */
void crafty_emitters_destroy(CraftyEmitters *emitters);
CnParticleSystem *crafty_emitters_particles(CraftyEmitters *emitters);

void crafty_emitters_interact(CraftyEmitters *emitters, CnVoxels *voxels,
                              const CnInteractEvent *events, uint32_t count);

/* Single bursts. */
typedef enum CraftyBurst {
    CRAFTY_BURST_HEARTS,
    CRAFTY_BURST_POOF,     /* a small white cloud */
    CRAFTY_BURST_FEATHERS, /* slow flakes in a color */
    CRAFTY_BURST_CRUMBS,   /* small pieces in a color */
    CRAFTY_BURST_BLAST,    /* debris in a color, smoke and a flash; `count` is that of the debris */
    CRAFTY_BURST_COUNT
} CraftyBurst;
/* Lit by the light around the position. `color` is linear; ignored by hearts and clouds. */
void crafty_emitters_burst(CraftyEmitters *emitters, CnVoxels *voxels, CraftyBurst kind,
                           uint32_t count, CnVec3 position, CnVec3 color);

typedef struct CraftyEmittersFrame {
    CnVoxels *voxels;
    const CraftyLamps *lamps;
    CnGenerator *generator; /* decides where it rains and where it snows */
    CnGenerateScratch *scratch;
    CnVec3 eye;
    CnBiome biome;    /* at the camera */
    float rain, snow; /* at the camera, 0 to 1 */
    float seconds;    /* since the last frame */
} CraftyEmittersFrame;
/* Does not allocate from the heap if the chunks around the camera are loaded. */
void crafty_emitters_frame(CraftyEmitters *emitters, const CraftyEmittersFrame *frame);

#endif

/*
 * What flies about in Crafty: chips and pieces of blocks, rain and its splashes, snow, flames, embers and smoke of torches.
 *
 *     CraftyEmitters *emitters = crafty_emitters_create(&error);
 *     shown.particles = crafty_emitters_box(emitters);
 *     crafty_emitters_hand(emitters, voxels, events, count);                            // what was chipped and broken
 *     crafty_emitters_frame(emitters, &(CraftyEmittersFrame){.voxels = voxels, ...});   // before each frame
 *
 * One thread owns them: that of the ticks.
 */
#ifndef CRAFTY_CLIENT_EMITTERS_H
#define CRAFTY_CLIENT_EMITTERS_H

#include "../sim/weather.h"
#include "lamps.h"

#include <cairn/render/particles.h>

typedef struct CraftyEmitters CraftyEmitters;

CraftyEmitters *crafty_emitters_create(CnError *error);
/* After the engine that draws them. */
void crafty_emitters_destroy(CraftyEmitters *emitters);
CnParticleBox *crafty_emitters_box(CraftyEmitters *emitters);

void crafty_emitters_hand(CraftyEmitters *emitters, CnVoxels *voxels, const CnInteractEvent *events,
                          uint32_t count);

typedef struct CraftyEmittersFrame {
    CnVoxels *voxels;
    const CraftyLamps *lamps;
    CnGenerator *generator; /* which says where it rains and where it snows */
    CnGenerateScratch *scratch;
    CnVec3 eye;
    CnBiome biome;    /* of the eye */
    float rain, snow; /* there, 0 to 1 */
    float seconds;    /* since the last frame */
} CraftyEmittersFrame;
/* Makes no heap call where the chunks around the eye are loaded. */
void crafty_emitters_frame(CraftyEmitters *emitters, const CraftyEmittersFrame *frame);

#endif

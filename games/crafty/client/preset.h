/*
 * The features of Crafty, in their order:
 *
 * Cloud shadows, Shadows, Geometry, Blocks, AO, Sky, Environment, Deferred, Point and spot lights, Block highlight,
 * Clouds, Water, Fog, God rays, Transparent, TAA, Particles, DoF, Bloom, Auto exposure, Tone map, UI.
 *
 * On the light path (crafty_is_light) Lit blocks stands for all of them from the beginning to Fog, but for the highlight.
 */
#ifndef CRAFTY_CLIENT_PRESET_H
#define CRAFTY_CLIENT_PRESET_H

#include "quality.h"

#include <cairn/render.h>
#include <cairn/render/air.h>
#include <cairn/render/blocks.h>
#include <cairn/render/particles.h>

/* What the game and the features share; they outlive the renderer. */
typedef struct CraftyShown {
    CnBlockView *blocks;
    CnParticleBox *particles; /* NULL: none */
} CraftyShown;

bool crafty_preset(CnRenderer *renderer, const CraftySettings *settings, const CraftyShown *shown,
                   CnError *error);
/* The same instead of what was there before; after an error that stays, but for particles. */
bool crafty_preset_change(CnRenderer *renderer, const CraftySettings *settings,
                          const CraftyShown *shown, CnError *error);

#endif

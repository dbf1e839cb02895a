/*
 * Crafty's render features, in order:
 *
 * Cloud shadows, Shadows, Geometry, Blocks, AO, Sky, Environment, Deferred, Point and spot lights,
 * Block models of the world, Block highlight, Clouds, Water, Fog, God rays, Transparent, TAA,
 * Particles, DoF, Block models of the hand, Bloom, Auto exposure, Tone map, Preview, UI.
 *
 * With baked lighting (crafty_uses_baked_lighting), Lit blocks replaces everything up to and
 * including Fog, except for models and the highlight.
 */
#ifndef CRAFTY_CLIENT_PRESET_H
#define CRAFTY_CLIENT_PRESET_H

#include "quality.h"

#include <cairn/render.h>
#include <cairn/render/atmosphere.h>
#include <cairn/render/blocks.h>
#include <cairn/render/particles.h>
#include <cairn/render/preview.h>

/* Data shared by the game and the features; must outlive the features. */
typedef struct CraftyRenderSources {
    CnBlockView *blocks;
    CnParticleSystem *particles; /* NULL: none */
    CnBlockModels *models;       /* hand, figures, drops; NULL: none */
    CnPreview *preview;          /* NULL: none */
} CraftyRenderSources;

bool crafty_preset(CnRenderer *renderer, const CraftySettings *settings,
                   const CraftyRenderSources *shown, CnError *error);
/* Replaces the current features. On error the old ones remain, except for particles. */
bool crafty_preset_change(CnRenderer *renderer, const CraftySettings *settings,
                          const CraftyRenderSources *shown, CnError *error);
/* Removes all features but the UI, which keeps drawing; the sources may then be destroyed. */
void crafty_preset_clear(CnRenderer *renderer);

#endif

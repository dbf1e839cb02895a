/*
 * Creatures as the client draws them: between the last two ticks, with the animations of what they
 * do, the names that players gave them, and particles for what happens to them.
 *
 *     CraftyCreatureView *view = crafty_creature_view_create(&error);
 *     crafty_creature_view_add(view, world, &error);   // once, to a world: system ShowCreatures
 *     CraftyCreatureViewFrame frame = {.world = world, .voxels = voxels, .alpha = alpha};
 *     crafty_creature_view_frame(view, &frame, models); // every frame, after the ticks
 *
 * The clocks of animations advance in ticks and are kept with the creatures of the last tick, so
 * that frames between ticks only interpolate. Frames do not allocate, apart from the list of
 * models.
 */
#ifndef CRAFTY_CLIENT_CREATURE_VIEW_H
#define CRAFTY_CLIENT_CREATURE_VIEW_H

#include "creature_model.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/mod/mods.h"

#define CRAFTY_CREATURE_REACH 112.0f  /* blocks: beyond it, creatures are not drawn */
#define CRAFTY_CREATURE_SHADOWS 40.0f /* blocks: beyond it, they cast no shadows */
#define CRAFTY_CREATURE_NAMES 16.0f   /* blocks: beyond it, names are not readable */

typedef struct CraftyCreatureView CraftyCreatureView;

/* Returns NULL and an error if the models cannot be read, or when out of memory. */
CraftyCreatureView *crafty_creature_view_create(CnError *error);
/* Adds the system that notes creatures; it only reads the world. Worlds without creatures have
 * none. */
bool crafty_creature_view_add(CraftyCreatureView *view, CnWorld *world, CnError *error);
/* Shows the skins of mods, which must outlive the view. Call it before the first tick. */
void crafty_creature_view_set_mods(CraftyCreatureView *view, const CraftyMods *mods);
/* After the world whose systems use it. NULL is ignored. */
void crafty_creature_view_destroy(CraftyCreatureView *view);
const CraftyCreatureModels *crafty_creature_view_models(const CraftyCreatureView *view);

typedef struct CraftyCreatureViewFrame {
    const CnWorld *world;
    CnVoxels *voxels;
    CnVec3 eye, forward; /* of the camera */
    float cone;    /* cosine of the largest angle between `forward` and what is seen; -1: all */
    float alpha;   /* between the last two ticks */
    float seconds; /* since the last frame */
    bool is_still; /* fewer movements: nothing flashes */
} CraftyCreatureViewFrame;

/* Adds the creatures in view. Returns how many. */
uint32_t crafty_creature_view_frame(CraftyCreatureView *view, const CraftyCreatureViewFrame *frame,
                                    CnBlockModels *models);
/* Returns how many creatures were noted in the last tick. */
uint32_t crafty_creature_view_count(const CraftyCreatureView *view);

#endif

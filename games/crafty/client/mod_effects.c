#include "mod_effects.h"

static float linear_of(uint32_t color, uint32_t shift)
{
    float value = (float)(color >> shift & 255u) / 255;
    return value * value; /* near enough for particles */
}

void crafty_mod_particles(CraftyEmitters *emitters, CnVoxels *voxels, const CraftyModEffect *effect,
                          CnVec3 eye)
{
    static const CraftyBurst bursts[CRAFTY_MOD_PARTICLES_COUNT] = {
        [CRAFTY_MOD_HEARTS] = CRAFTY_BURST_HEARTS,
        [CRAFTY_MOD_POOF] = CRAFTY_BURST_POOF,
        [CRAFTY_MOD_FEATHERS] = CRAFTY_BURST_FEATHERS,
        [CRAFTY_MOD_CRUMBS] = CRAFTY_BURST_CRUMBS,
        [CRAFTY_MOD_BLAST] = CRAFTY_BURST_BLAST};
    float way = cn_vec3_length(cn_vec3_sub(effect->position, eye));
    if (effect->kind != CRAFTY_MOD_EFFECT_PARTICLES ||
        effect->choice >= CRAFTY_MOD_PARTICLES_COUNT || !(way < CRAFTY_MOD_PARTICLES_REACH))
        return;
    uint32_t count =
        effect->count < CRAFTY_MOD_PARTICLES_MOST ? effect->count : CRAFTY_MOD_PARTICLES_MOST;
    crafty_emitters_burst(emitters, voxels, bursts[effect->choice], count, effect->position,
                          cn_vec3(linear_of(effect->color, 16), linear_of(effect->color, 8),
                                  linear_of(effect->color, 0)));
}

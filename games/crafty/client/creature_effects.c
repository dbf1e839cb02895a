#include "creature_effects.h"

#include <string.h>

#define HEART_COUNT 7u
#define POOF_COUNT 12u
#define FEATHER_COUNT 8u
#define DEBRIS_PER_RADIUS 40u
#define MAX_RADIUS 8.0f

static const CnVec3 white = {0.8f, 0.78f, 0.72f}, brown = {0.16f, 0.11f, 0.075f},
                    green = {0.12f, 0.24f, 0.07f}, wool = {0.75f, 0.72f, 0.66f};

static CnVec3 color_of(const CnVoxels *voxels, uint16_t block)
{
    const CnBlockTable *blocks = cn_voxels_blocks(voxels);
    if (!cn_block_exists(blocks, block))
        return brown;
    const uint8_t *color = blocks->info[block].color;
    float linear[3];
    for (int i = 0; i < 3; i++) {
        float value = (float)color[i] / 255;
        linear[i] = value * value; /* near enough for crumbs */
    }
    return cn_vec3(linear[0], linear[1], linear[2]);
}

static bool has_feathers(const CraftyCreatureKind *kind)
{
    return kind && (strcmp(kind->model, "duck") == 0 || strcmp(kind->model, "chicken") == 0);
}

static void burst(const CraftyCreatureEffects *effects, CraftyBurst kind, uint32_t count, CnVec3 at,
                  CnVec3 color)
{
    crafty_emitters_burst(effects->emitters, effects->voxels, kind, count, at, color);
}

static void explode(const CraftyCreatureEffects *effects, CnVec3 at, float radius)
{
    float size = radius > MAX_RADIUS ? MAX_RADIUS : radius > 1 ? radius : 1;
    burst(effects, CRAFTY_BURST_BLAST, (uint32_t)((float)DEBRIS_PER_RADIUS * size), at, brown);
    burst(effects, CRAFTY_BURST_CRUMBS, DEBRIS_PER_RADIUS, at, green);
}

void crafty_creature_effect(const CraftyCreatureEffects *effects, const CraftyCreatureEvent *event)
{
    if (!(cn_vec3_length(cn_vec3_sub(event->position, effects->eye)) < CRAFTY_EFFECT_REACH))
        return;
    const CraftyCreatureKind *kind =
        effects->kinds ? crafty_creature_kind(effects->kinds, event->creature) : NULL;
    float height = kind ? kind->height : 0.8f;
    CnVec3 middle = {event->position.x, event->position.y + 0.5f * height, event->position.z};
    CnVec3 top = {middle.x, event->position.y + height, middle.z};
    switch (event->kind) {
    case CRAFTY_CREATURE_TAMED:
    case CRAFTY_CREATURE_BRED:
        burst(effects, CRAFTY_BURST_HEARTS, HEART_COUNT, top, white);
        break;
    case CRAFTY_CREATURE_ATE:
        if (!cn_entity_is_null(event->other))
            burst(effects, CRAFTY_BURST_HEARTS, 3, top, white);
        else
            burst(effects, CRAFTY_BURST_CRUMBS, 4, event->position,
                  color_of(effects->voxels, event->block));
        break;
    case CRAFTY_CREATURE_REFUSED:
        burst(effects, CRAFTY_BURST_POOF, 3, top, white);
        break;
    case CRAFTY_CREATURE_DIED:
        burst(effects, CRAFTY_BURST_POOF, POOF_COUNT, middle, white);
        if (has_feathers(kind))
            burst(effects, CRAFTY_BURST_FEATHERS, FEATHER_COUNT, middle, white);
        break;
    case CRAFTY_CREATURE_WAS_HURT:
        if (has_feathers(kind))
            burst(effects, CRAFTY_BURST_FEATHERS, 3, middle, white);
        break;
    case CRAFTY_CREATURE_SHEARED:
        burst(effects, CRAFTY_BURST_FEATHERS, FEATHER_COUNT, middle, wool);
        break;
    case CRAFTY_CREATURE_EXPLODED:
        explode(effects, middle, event->value);
        break;
    default:
        break;
    }
}

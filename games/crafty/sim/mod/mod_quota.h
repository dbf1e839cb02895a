/*
 * Quotas of each mod for what all mods and players share: events, lines of the chat, sounds and
 * particles, scheduled ticks, creatures and drops. What a mod causes while one of its handlers runs
 * counts, such as the drops of its explosions; what exceeds a quota does not happen, is logged once
 * per tick and counted. So no mod can take them from another one or from the players.
 *
 *     if (!crafty_mods_may_add(world, CRAFTY_MOD_DROPS))
 *         return (CnEntity){0};
 *     CnEntity drop = make_drop(world);
 *     crafty_mods_added(world, CRAFTY_MOD_DROPS, drop);
 */
#ifndef CRAFTY_SIM_MOD_MOD_QUOTA_H
#define CRAFTY_SIM_MOD_MOD_QUOTA_H

#include <cairn/ecs/world.h>

typedef enum CraftyModQuota {
    /* In each tick. */
    CRAFTY_MOD_NOTES,     /* events that other mods are notified of */
    CRAFTY_MOD_LINES,     /* of the chat */
    CRAFTY_MOD_EFFECTS,   /* sounds and particles */
    CRAFTY_MOD_SCHEDULES, /* calls of world.schedule */
    /* At the same time. */
    CRAFTY_MOD_CREATURES,
    CRAFTY_MOD_DROPS,
    CRAFTY_MOD_PENDING, /* scheduled ticks that have not run yet */
    CRAFTY_MOD_QUOTA_COUNT
} CraftyModQuota;

#define CRAFTY_MOD_MOST_PENDING 8192u

/* Of creatures and drops that a mod created: a hash of its name, and the quota. */
CN_COMPONENT(CraftyModOwned, (u64, mod), (u32, quota));

/* Returns whether the mod whose handler runs may create another creature or drop; true if no
 * handler runs. */
bool crafty_mods_may_add(CnWorld *world, CraftyModQuota quota);
/* Counts the entity for the mod whose handler runs. */
void crafty_mods_added(CnWorld *world, CraftyModQuota quota, CnEntity entity);

#endif

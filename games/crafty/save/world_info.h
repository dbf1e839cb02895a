/*
 * What a world file says about its world without the simulation: for lists of worlds, and to create
 * the world before its state is restored.
 */
#ifndef CRAFTY_SAVE_WORLD_INFO_H
#define CRAFTY_SAVE_WORLD_INFO_H

#include "crafty/sim/player.h"
#include "crafty/sim/weather_kind.h"

#define CRAFTY_WORLD_NAME_BYTES 64u /* with terminator */
#define CRAFTY_GENERATOR_ID_BYTES 32u
#define CRAFTY_GENERATOR_ID "cairn.terrain"
#define CRAFTY_GENERATOR_VERSION 1u /* increases when the generator creates other blocks */

/* Fixed when the world is created. Times are milliseconds since 1970, UTC. */
typedef struct CraftyWorldIdentity {
    char name[CRAFTY_WORLD_NAME_BYTES];
    uint64_t seed, random_seed; /* of the generator; of the random streams */
    int64_t created_ms;
    uint32_t tick_hz;
    char generator[CRAFTY_GENERATOR_ID_BYTES];
    uint32_t generator_version;
    /* The rules with which the first session starts; the state of a saved world has its own. */
    bool has_rules; /* false: chosen by the program that plays it first */
    uint8_t mode;   /* CraftyPlayerMode */
    bool commands, keep_inventory;
} CraftyWorldIdentity;

/* The state when the world was last saved, as far as lists show it. The simulation's own state is
 * saved beside it and decides. */
typedef struct CraftyWorldSummary {
    int64_t played_ms;
    uint64_t tick;
    uint64_t blocks_hash; /* cn_voxels_hash */
    double days;          /* CraftyDay.days */
    float sun_angle;      /* radians; 0 at sunrise, pi at sunset */
    float moon_phase;     /* 0 new, 0.5 full */
    CraftyPose pose;      /* of the first player */
    uint8_t mode;         /* CraftyPlayerMode */
    uint8_t weather;      /* CraftyWeatherKind */
    uint8_t slot;         /* the selected one */
    CraftyStack slots[CRAFTY_SLOTS];
    CraftyStack inventory[CRAFTY_INVENTORY_SLOTS];
} CraftyWorldSummary;

/* Append the rows of a world file (docs/formats.md). Return false when out of memory. */
bool crafty_world_identity_write(const CraftyWorldIdentity *identity, CnU8Array *bytes);
bool crafty_world_summary_write(const CraftyWorldSummary *summary, CnU8Array *bytes);
/* Return false and an error if the bytes are malformed; nothing is written then. */
bool crafty_world_identity_read(CraftyWorldIdentity *identity, const uint8_t *bytes, size_t size,
                                CnError *error);
bool crafty_world_summary_read(CraftyWorldSummary *summary, const uint8_t *bytes, size_t size,
                               CnError *error);

/* Returns the current summary of a simulation; `played_ms` is now. */
CraftyWorldSummary crafty_world_summary_of(const CnSim *sim, CnVoxels *voxels);
/* Returns milliseconds since 1970. */
int64_t crafty_unix_ms(void);

#endif

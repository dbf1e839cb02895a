/*
 * Kinds of creatures: what creatures.json says about ducks, wolves and creepers.
 *
 *     CraftyCreatureKinds *kinds = crafty_creature_kinds_create(NULL, &error);
 *     crafty_creature_kinds_read(kinds, items, "creatures.json", text, &error);
 *     const CraftyCreatureKind *duck = crafty_creature_kind_find(kinds, "duck");
 *     crafty_creature_kinds_destroy(kinds);
 *
 * A kind has a number, which saved worlds contain: it never changes, and the number of a removed
 * kind is not used again. Once read, the kinds are immutable and any thread may read them.
 */
#ifndef CRAFTY_WORLD_CREATURE_KINDS_H
#define CRAFTY_WORLD_CREATURE_KINDS_H

#include "items.h"

#define CRAFTY_CREATURE_NAME_BYTES 32u
#define CRAFTY_MAX_CREATURE_KINDS 64u
#define CRAFTY_MAX_CREATURE_NUMBER 255u
#define CRAFTY_MAX_CREATURE_DROPS 4u
#define CRAFTY_MAX_CREATURE_FOODS 8u
#define CRAFTY_MAX_CREATURE_PREY 8u
#define CRAFTY_MAX_CREATURE_BEHAVIOURS 16u

/* Where a creature moves. */
typedef enum CraftyMedium {
    CRAFTY_MEDIUM_GROUND, /* walks; floats in water */
    CRAFTY_MEDIUM_WATER,  /* swims; helpless on land */
    CRAFTY_MEDIUM_AIR,    /* flies */
    CRAFTY_MEDIUM_COUNT
} CraftyMedium;

/* Where creatures appear. */
typedef enum CraftyHabitat {
    CRAFTY_HABITAT_SURFACE, /* on the ground under the open sky */
    CRAFTY_HABITAT_SHORE,   /* on the ground near water, or on it */
    CRAFTY_HABITAT_FLOWERS, /* above ground with a flower nearby */
    CRAFTY_HABITAT_WATER,   /* in water at least two blocks deep */
    CRAFTY_HABITAT_CAVE,    /* in the air below rock */
    CRAFTY_HABITAT_DARK,    /* on any ground, where the light allows it */
    CRAFTY_HABITAT_COUNT
} CraftyHabitat;

/* What a creature does. A kind lists its behaviours; the first one whose conditions hold is active.
 * The parameters of a behaviour are those of CraftyBehaviour; the defaults are in creatures.json's
 * schema. */
typedef enum CraftyBehaviourKind {
    CRAFTY_BEHAVIOUR_PANIC,         /* runs away after it was hurt */
    CRAFTY_BEHAVIOUR_FUSE,          /* burns its fuse near a player, then explodes */
    CRAFTY_BEHAVIOUR_ATTACK,        /* chases and hits players */
    CRAFTY_BEHAVIOUR_REVENGE,       /* chases and hits what hurt it or its owner */
    CRAFTY_BEHAVIOUR_HUNT,          /* wild and adult: chases and hits its prey */
    CRAFTY_BEHAVIOUR_SHELTER,       /* burns in the sun and looks for shade */
    CRAFTY_BEHAVIOUR_SIT,           /* tame: stays where it is told to */
    CRAFTY_BEHAVIOUR_TEMPT,         /* follows a player who holds its food */
    CRAFTY_BEHAVIOUR_BREED,         /* fed: looks for a partner */
    CRAFTY_BEHAVIOUR_FOLLOW_OWNER,  /* tame */
    CRAFTY_BEHAVIOUR_FOLLOW_PARENT, /* young */
    CRAFTY_BEHAVIOUR_FLOCK,         /* stays near others of its kind and moves as they do */
    CRAFTY_BEHAVIOUR_AVOID,         /* keeps away from players and from hunters */
    CRAFTY_BEHAVIOUR_HANG,          /* by day, hangs below a ceiling */
    CRAFTY_BEHAVIOUR_VISIT,         /* flies from flower to flower */
    CRAFTY_BEHAVIOUR_GRAZE,         /* eats grass */
    CRAFTY_BEHAVIOUR_LOOK,          /* looks at a player nearby */
    CRAFTY_BEHAVIOUR_WANDER,        /* goes somewhere */
    CRAFTY_BEHAVIOUR_SCRIPT,        /* what a mod decided (sim/mod/mod_creature.c) */
    CRAFTY_BEHAVIOUR_COUNT
} CraftyBehaviourKind;

typedef struct CraftyBehaviour {
    CraftyBehaviourKind kind;
    float speed;    /* times the walking speed */
    float distance; /* blocks */
    float seconds;  /* duration */
    float chance;   /* per second, of starting */
} CraftyBehaviour;

typedef struct CraftyCreatureDrop {
    CraftyItem item;
    uint8_t low, high; /* count */
    float chance;
} CraftyCreatureDrop;

typedef struct CraftyCreatureSpawn {
    CraftyHabitat habitat;
    uint32_t biomes;     /* one bit for each CnBiome */
    float chance;        /* of a group in a column of chunks that is seen for the first time */
    uint8_t low, high;   /* group size */
    float family_chance; /* that the group has young */
    uint8_t family;      /* how many */
    uint8_t light_low;   /* brightest of sky and block light at which it appears, 0 to 15 */
    uint8_t light_high;  /* at night, the light of the sky counts less */
    uint16_t cap;        /* within the active area of a player */
    bool by_day, by_night;
} CraftyCreatureSpawn;

typedef struct CraftyCreatureKind {
    uint16_t number;                        /* 1 to CRAFTY_MAX_CREATURE_NUMBER */
    char name[CRAFTY_CREATURE_NAME_BYTES];  /* "duck" */
    char title[CRAFTY_CREATURE_NAME_BYTES]; /* "Duck" */
    char model[CRAFTY_CREATURE_NAME_BYTES]; /* the same as the name unless given */
    char sound[CRAFTY_CREATURE_NAME_BYTES]; /* prefix of its voices; the same as the name */
    CraftyMedium medium;
    bool is_hostile;      /* absent from peaceful worlds */
    bool opens_doors;     /* finds paths through closed doors */
    bool is_shorn;        /* has wool that shears take and that grows again */
    float width, height;  /* blocks, of an adult */
    float baby_scale;     /* size of the young, 0 to 1 */
    float eye;            /* height of the eyes, as a part of the height */
    float health;         /* 1 to 1000 */
    float speed;          /* blocks per second, walking, flying or swimming */
    float damage;         /* of an attack, of a blast in its middle */
    float reach;          /* blocks, of an attack; radius of a blast */
    float attack_seconds; /* between attacks; duration of a fuse */
    float voice_seconds;  /* mean time between two idle sounds; 0: silent */
    float grow_seconds;   /* until the young are adult */
    float tame_chance;    /* of each gift; 0: cannot be tamed */
    CraftyItem foods[CRAFTY_MAX_CREATURE_FOODS]; /* tempt, heal and breed */
    uint32_t food_count;
    CraftyItem gifts[CRAFTY_MAX_CREATURE_FOODS]; /* tame */
    uint32_t gift_count;
    uint16_t prey[CRAFTY_MAX_CREATURE_PREY]; /* numbers of kinds that it hunts */
    uint32_t prey_count;
    CraftyItem wool; /* what shearing gives; 0: nothing */
    CraftyItem egg;  /* laid now and then; 0: none */
    float egg_seconds;
    CraftyCreatureDrop drops[CRAFTY_MAX_CREATURE_DROPS];
    uint32_t drop_count;
    CraftyCreatureSpawn spawn;
    CraftyBehaviour behaviours[CRAFTY_MAX_CREATURE_BEHAVIOURS];
    uint32_t behaviour_count;
} CraftyCreatureKind;

typedef struct CraftyCreatureKinds CraftyCreatureKinds;

extern const char *const crafty_medium_words[CRAFTY_MEDIUM_COUNT];
extern const char *const crafty_habitat_words[CRAFTY_HABITAT_COUNT];
extern const char *const crafty_behaviour_words[CRAFTY_BEHAVIOUR_COUNT];

CraftyCreatureKinds *crafty_creature_kinds_create(CnAllocator *allocator, CnError *error);
void crafty_creature_kinds_destroy(CraftyCreatureKinds *kinds); /* NULL is ignored */
/* Adds the kinds of a text in JSON. Returns false and an error with file and line if the text is
 * not valid, a name or number is used twice, an item does not exist, or when out of memory. */
bool crafty_creature_kinds_read(CraftyCreatureKinds *kinds, const CraftyItems *items,
                                const char *file, CnText text, CnError *error);

uint32_t crafty_creature_kinds_count(const CraftyCreatureKinds *kinds);
/* In the order of the file. */
const CraftyCreatureKind *crafty_creature_kind_at(const CraftyCreatureKinds *kinds, uint32_t index);
/* Return NULL if there is no such kind. */
const CraftyCreatureKind *crafty_creature_kind(const CraftyCreatureKinds *kinds, uint32_t number);
const CraftyCreatureKind *crafty_creature_kind_find(const CraftyCreatureKinds *kinds,
                                                    const char *name);
/* Returns whether bees visit the block. */
bool crafty_creature_flower(const CraftyCreatureKinds *kinds, CnBlock block);
/* Returns the behaviour of this kind, or NULL. */
const CraftyBehaviour *crafty_creature_behaviour(const CraftyCreatureKind *kind,
                                                 CraftyBehaviourKind behaviour);

#endif

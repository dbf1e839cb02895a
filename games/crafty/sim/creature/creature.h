/*
 * Creatures: entities with a CnTransform and the components of this file.
 *
 *     CnEntity duck = crafty_creature_spawn(
 *         world, &(CraftyCreatureDesc){.kind = "duck", .position = at, .is_young = true});
 *     const CraftyCreature *creature = cn_get(world, duck, CraftyCreature);
 *     draw(kinds, creature->kind, creature->state, creature->state_ticks);
 *
 * The position of the CnTransform is the middle of the feet, its rotation the yaw of the body; at
 * yaw 0 a creature faces -z. The creature is as large as its kind says
 * (crafty/world/creature_kinds.h); crafty_creature_scale gives the size of a young one.
 *
 * Structure of the world: spawning creates an entity, so it must not happen while a query is
 * iterated.
 */
#ifndef CRAFTY_SIM_CREATURE_CREATURE_H
#define CRAFTY_SIM_CREATURE_CREATURE_H

#include "crafty/world/creature_kinds.h"

#include <cairn/ecs/event.h>
#include <cairn/scene/transform.h>
#include <cairn/voxel/voxels.h>

#define CRAFTY_MAX_CREATURES 16384u
#define CRAFTY_CREATURE_LABEL_BYTES 32u

/* What a creature visibly does, for its animation. */
typedef enum CraftyCreatureState {
    CRAFTY_CREATURE_IDLE,
    CRAFTY_CREATURE_WALK, /* also running: see CraftyBody */
    CRAFTY_CREATURE_LOOK, /* stands and looks at something */
    CRAFTY_CREATURE_EAT,  /* head down */
    CRAFTY_CREATURE_HURT, /* for CRAFTY_HURT_TICKS after a hit, whatever else it does */
    CRAFTY_CREATURE_DIE,  /* for CRAFTY_DEATH_TICKS, then it vanishes */
    CRAFTY_CREATURE_FLY,
    CRAFTY_CREATURE_SWIM,
    CRAFTY_CREATURE_SIT,
    CRAFTY_CREATURE_HANG, /* upside down, feet at the ceiling */
    CRAFTY_CREATURE_FUSE, /* about to explode: see `fuse` */
    CRAFTY_CREATURE_ATTACK,
    CRAFTY_CREATURE_STATE_COUNT
} CraftyCreatureState;

#define CRAFTY_HURT_TICKS 30u
#define CRAFTY_DEATH_TICKS 45u
#define CRAFTY_ATTACK_TICKS 20u

/*
 * Fields:
 *     kind         number of its kind; one that the program does not know stays and does nothing
 *     state        a CraftyCreatureState
 *     state_ticks  since the state began
 *     growth       ticks until it is adult; 0: adult
 *     health       0: dead
 *     head_yaw     degrees to the left of the body's direction, -90 to 90
 *     head_pitch   degrees up, -90 to 90
 *     hurt_ticks   left of being hurt: it flashes and is not hurt again
 *     owner        number of the player who tamed it; 0: wild
 *     sits         tame: was told to stay
 *     sheared      its wool has not grown again
 *     fuse         ticks for which its fuse has been burning
 *     love         ticks for which it looks for a partner after it was fed
 *     rest         ticks until it can breed again
 *     seed         constant; for differences between creatures of a kind
 *     label        the name that a player gave it; empty: none
 */
CN_COMPONENT(CraftyCreature, (u16, kind), (u8, state), (bool, sits), (bool, sheared),
             (u32, state_ticks), (u32, growth), (f32, health), (f32, head_yaw), (f32, head_pitch),
             (u16, hurt_ticks), (u16, fuse), (u16, love), (u32, rest), (u32, owner), (u32, seed),
             (text, label, CRAFTY_CREATURE_LABEL_BYTES));

/*
 * How a creature moves. Fields:
 *     velocity   blocks per second
 *     yaw        degrees, as the rotation of its CnTransform
 *     walked     blocks moved on the ground, wraps at 1,024: for legs
 *     fall       blocks fallen since it last stood
 *     grounded   stands on something
 *     swims      is in water
 *     blocked    something is in its way
 */
CN_COMPONENT(CraftyBody, (vec3, velocity), (f32, yaw), (f32, walked), (f32, fall), (bool, grounded),
             (bool, swims), (bool, blocked));

/* ---- Events ---- */

typedef enum CraftyCreatureEventKind {
    CRAFTY_CREATURE_SPAWNED,
    CRAFTY_CREATURE_VOICE,    /* an idle sound */
    CRAFTY_CREATURE_STEPPED,  /* `block` is the block below */
    CRAFTY_CREATURE_SPLASHED, /* into water, with the speed `value` */
    CRAFTY_CREATURE_WAS_HURT, /* lost `value` health; `other` did it, if anybody */
    CRAFTY_CREATURE_DIED,     /* `other` did it, if anybody */
    CRAFTY_CREATURE_ATTACKED, /* hits `other` */
    CRAFTY_CREATURE_ATE,      /* grass (`block`), or food from the player `other` */
    CRAFTY_CREATURE_TAMED,    /* by the player `other` */
    CRAFTY_CREATURE_REFUSED,  /* a gift of `other` did not tame it */
    CRAFTY_CREATURE_SAT,      /* was told to stay (`value` 1) or to come (0) by `other` */
    CRAFTY_CREATURE_BRED,     /* with `other` */
    CRAFTY_CREATURE_GREW_UP,
    CRAFTY_CREATURE_SHEARED,  /* by the player `other` */
    CRAFTY_CREATURE_LAID,     /* an egg */
    CRAFTY_CREATURE_FUSED,    /* a fuse began to burn */
    CRAFTY_CREATURE_EXPLODED, /* with the radius `value`; it does not exist any more */
    CRAFTY_CREATURE_REMOVED,  /* too far away, or by a command: without a trace */
    CRAFTY_CREATURE_EVENT_COUNT
} CraftyCreatureEventKind;

/* What happened to a creature: for sounds, effects and screens. `kind` is a
 * CraftyCreatureEventKind, which determines the other fields; `creature` is the number of the
 * creature's kind, `position` that of its feet. `entity` may not exist any more when the event is
 * read. Readers get each event exactly once (cn_event_reader_create). */
CN_COMPONENT(CraftyCreatureEvent, (entity, entity), (entity, other), (u8, kind), (u16, creature),
             (u16, block), (f32, value), (vec3, position));

/* ---- What changes creatures ---- */

/* Transient resource: the kinds of the world. NULL: there are no creatures. */
typedef struct CraftyCreatureList {
    const CraftyCreatureKinds *kinds;
    struct CraftyCreatureWork *work; /* private to sim/creature */
    uint64_t seed;                   /* of worlds that have no creatures yet */
    uint8_t difficulty;
} CraftyCreatureList;
CN_OPAQUE(CraftyCreatureList);

typedef struct CraftyCreatureDesc {
    const char *kind;
    CnVec3 position; /* of the feet */
    float yaw;       /* degrees */
    bool is_young;
    uint32_t owner;    /* number of a player; 0: wild */
    CnEntity parent;   /* that a young one follows; may be null */
    const char *label; /* NULL: none */
} CraftyCreatureDesc;
/* Returns the null entity if there is no such kind, the position is outside of the world, there are
 * CRAFTY_MAX_CREATURES already, or when out of memory. */
CnEntity crafty_creature_spawn(CnWorld *world, const CraftyCreatureDesc *desc);

/* Returns the kind of a creature; NULL if the entity is none, or its kind is not known. */
const CraftyCreatureKind *crafty_creature_kind_of(const CnWorld *world, CnEntity entity);
/* Returns the size of a creature, as a part of the size of an adult. */
float crafty_creature_scale(const CraftyCreatureKind *kind, const CraftyCreature *creature);
/* Returns the box of a creature at this position. */
CnVoxelBox crafty_creature_box(const CraftyCreatureKind *kind, const CraftyCreature *creature,
                               CnVec3 position);
/* Takes health and pushes: `push` is added to the velocity. `attacker` is the player or creature
 * that did it, or the null entity. Returns false if nothing changed: it is dead, or was hurt a
 * moment ago. A dead creature leaves its drops and vanishes after CRAFTY_DEATH_TICKS. */
bool crafty_creature_hurt(CnWorld *world, CnEntity entity, float damage, CnVec3 push,
                          CnEntity attacker);
/* Names a creature, which then stays forever; an empty text takes the name. */
bool crafty_creature_set_label(CnWorld *world, CnEntity entity, const char *label);
/* Sends a creature to a point, for up to 20 seconds; it does nothing else meanwhile. Returns false
 * if it is dead or does not walk by itself, as a villager. */
bool crafty_creature_send(CnWorld *world, CnEntity entity, CnVec3 goal);

/* What a mod decided that a creature does; until the next order, at most for `seconds` of the
 * behaviour. */
typedef enum CraftyOrderKind {
    CRAFTY_ORDER_NONE,   /* the other behaviours decide */
    CRAFTY_ORDER_GO,     /* to `goal` */
    CRAFTY_ORDER_FOLLOW, /* `target` */
    CRAFTY_ORDER_ATTACK  /* `target` */
} CraftyOrderKind;
typedef struct CraftyOrder {
    CraftyOrderKind kind;
    CnVec3 goal;
    CnEntity target;
} CraftyOrder;
/* Gives a creature an order for the behaviour "script" at this index of its kind. What stands
 * before it in the list is more important and goes on. Returns false if the entity has no mind or
 * the behaviour is another one. */
bool crafty_creature_order(CnWorld *world, CnEntity entity, uint32_t behaviour,
                           const CraftyOrder *order);
/* Removes a creature without drops. */
void crafty_creature_remove(CnWorld *world, CnEntity entity);
/* Returns how many creatures of a kind there are; of all kinds for number 0. */
uint32_t crafty_creature_count(CnWorld *world, uint32_t kind);

#endif

/*
 * What the parts of the creatures share. A tick has these phases:
 *
 *     collect   the creatures near players, the players, and the blocks around both
 *     act       each creature thinks and moves, on any thread: it reads copies of the others and
 *               writes only its own components and its actor
 *     search    paths are found, on any thread, in the order of their tickets
 *     apply     what creatures did to others and to blocks, one after the other
 */
#ifndef CRAFTY_SIM_CREATURE_CREATURE_INTERNAL_H
#define CRAFTY_SIM_CREATURE_CREATURE_INTERNAL_H

#include "block_window.h"
#include "creature.h"
#include "difficulty.h"

#include "../path_find.h"
#include "../player.h"

#include <cairn/sim/random.h>

#define CRAFTY_ACTIVE_DISTANCE 64.0f  /* blocks from a player; further away, creatures freeze */
#define CRAFTY_NEAR_DISTANCE 32.0f    /* further away, they act in every second tick */
#define CRAFTY_REMOVE_DISTANCE 112.0f /* wild ones vanish */
#define CRAFTY_DECIDE_TICKS 10u       /* between two decisions of a creature */
#define CRAFTY_NO_BEHAVIOUR 255u
#define CRAFTY_ERRAND 254u /* was sent to `goal` */
#define CRAFTY_WALK_CELLS 40u
#define CRAFTY_SEARCHES_PER_TICK 12u
#define CRAFTY_REMOVED_PER_TICK 64u

/*
 * The mind of a creature. Fields:
 *     behaviour     index in the list of its kind; CRAFTY_NO_BEHAVIOUR: none; CRAFTY_ERRAND
 *     ticks         since the behaviour began
 *     target        a player or creature that the behaviour is about
 *     goal          a position that the behaviour is about
 *     attacker      who hurt it last, while `anger` ticks are left
 *     parent        of a young one
 *     attack_wait   ticks until the next attack
 *     stuck         ticks without getting nearer
 *     voice_wait, egg_wait   ticks
 *     door          cell of a door that it opened, if has_door
 */
CN_COMPONENT(CraftyMind, (u8, behaviour), (u16, ticks), (entity, target), (vec3, goal),
             (entity, attacker), (u16, anger), (entity, parent), (u16, attack_wait), (u16, stuck),
             (u32, voice_wait), (u32, egg_wait), (bool, has_door), (i32, door, 3));

typedef enum CraftyWalkStatus {
    CRAFTY_WALK_NONE,
    CRAFTY_WALK_WAITING, /* for a path */
    CRAFTY_WALK_FOLLOWING,
    CRAFTY_WALK_FAILED, /* there is no path */
    CRAFTY_WALK_STATUS_COUNT
} CraftyWalkStatus;

/*
 * The path of a creature. Fields:
 *     status        a CraftyWalkStatus
 *     count, index  cells of the path, and the next one
 *     near          blocks from the goal that are near enough
 *     ticket        requests are served in this order
 *     ticks         since the status or the index changed
 *     goal, origin  cells
 *     cells         from the origin, three numbers each
 */
CN_COMPONENT(CraftyWalk, (u8, status), (u8, count), (u8, index), (u8, near), (u32, ticket),
             (u16, ticks), (i32, goal, 3), (i32, origin, 3), (i8, cells, 120));
_Static_assert(sizeof(((CraftyWalk *)0)->cells) == 3 * CRAFTY_WALK_CELLS, "as many as said");

/* Resource, part of the state. difficulty: a CraftyDifficulty; key: of random numbers; seeds and
 * tickets: how many were given. */
CN_COMPONENT(CraftyCreatureRules, (u8, difficulty), (u64, key), (u32, seeds), (u32, tickets));

/* Component of entities: which columns of chunks were populated, 16 x 16 of them. */
CN_COMPONENT(CraftyPopulated, (i32, x), (i32, z), (u64, columns, 4));

/* Component of players: the creature that they hit last, and when. */
CN_COMPONENT(CraftyStrike, (entity, target), (u64, tick));

/* What a creature did in a tick, applied later. */
#define CRAFTY_DID_VOICE 1u
#define CRAFTY_DID_STEP 2u
#define CRAFTY_DID_SPLASH 4u
#define CRAFTY_DID_SUFFER 8u  /* `value`: damage of its surroundings */
#define CRAFTY_DID_ATTACK 16u /* `target` */
#define CRAFTY_DID_FUSE 32u   /* began */
#define CRAFTY_DID_EXPLODE 64u
#define CRAFTY_DID_EAT 128u   /* `cell` */
#define CRAFTY_DID_BREED 256u /* `target` */
#define CRAFTY_DID_LAY 512u
#define CRAFTY_DID_GROW 1024u
#define CRAFTY_DID_OPEN 2048u  /* `cell` */
#define CRAFTY_DID_CLOSE 4096u /* `cell` */
#define CRAFTY_DID_VANISH 8192u
#define CRAFTY_DID_ASK 16384u /* for a path */

typedef struct CraftyActor {
    CnEntity entity;
    const CraftyCreatureKind *kind;
    CraftyCreature *creature;
    CraftyBody *body;
    CraftyMind *mind;
    CraftyWalk *walk;
    CnTransform *transform;
    /* Copies of the beginning of the tick, for others. */
    CnVec3 position, velocity;
    uint32_t owner;
    bool is_adult, loves, is_dead, is_kept;
    uint8_t steps; /* ticks that it acts for at once; 0: it does not act in this tick */
    /* What it wants and did. */
    CnVec3 wish; /* velocity */
    CnVec3 look; /* at this point, if looks */
    bool looks, jumps, is_still;
    bool waits; /* for a path */
    uint32_t did;
    CnEntity target;
    float value;
    CnCell cell;
} CraftyActor;

typedef struct CraftyWatcher {
    CnEntity entity;
    uint32_t number;
    CnVec3 eye, feet;
    CraftyItem held;
    bool is_target;    /* alive and in survival */
    bool has_body;     /* not a spectator */
    CnEntity attacked; /* a creature that it hit a moment ago: tame ones help */
} CraftyWatcher;

#define CRAFTY_CREATURE_CELL 2.0f         /* blocks along x and z */
#define CRAFTY_CREATURE_GRID_SLOTS 16384u /* at most; a power of two */

/* What others look at first: sorted by the slots of their cells, so that those of a cell lie side
 * by side. */
typedef struct CraftyNeighbor {
    CnVec3 position;
    uint32_t cell; /* hash; slots are shared */
    uint16_t kind;
    uint16_t actor;
} CraftyNeighbor;
_Static_assert(CRAFTY_MAX_CREATURES <= UINT16_MAX + 1, "an actor has 16 bits");

/* The rows of a chunk of entities. */
typedef struct CraftyActorRange {
    uint32_t first, count; /* actors */
    const CnEntity *entities;
    CraftyCreature *creatures;
    CraftyBody *bodies;
    CraftyMind *minds;
    CraftyWalk *walks;
    CnTransform *transforms;
} CraftyActorRange;

/* Memory for the actors of a tick. */
typedef struct CraftyActorLists {
    CraftyActor *actors;       /* one for each creature; those that do not act have no kind */
    CraftyNeighbor *found;     /* as many; without a kind, `cell` is whether it vanishes */
    CraftyNeighbor *neighbors; /* those with a kind, sorted */
    CraftyActorRange *ranges;
    uint32_t *table;   /* twice as many: indices + 1 by entity, with open addressing */
    uint32_t capacity; /* a power of two */
} CraftyActorLists;

typedef struct CraftyCreatureWork {
    CnAllocator *allocator;
    const CraftyCreatureKinds *kinds;
    CraftyPathTraits *traits;
    CnQuery *creatures, *players, *populated;
    CraftyBlockWindow window;
    CraftyActorLists lists;
    CraftyActor *actors; /* those of the lists */
    uint32_t actor_count, neighbor_count;
    CraftyDifficulty difficulty;
    uint32_t grid_slots;                       /* in use; a power of two */
    uint32_t grid[CRAFTY_CREATURE_GRID_SLOTS]; /* the end of each slot in the neighbors */
    CraftyWatcher watchers[CRAFTY_MAX_PLAYERS];
    uint32_t watcher_count;
    CnEntity removed[CRAFTY_REMOVED_PER_TICK]; /* at the end of the tick */
    uint32_t removed_count;
    CraftyPathScratch **scratches; /* one for each lane */
    uint32_t scratch_count;
    struct CraftySearch *searches;
    uint64_t tick, key;
    float dt;
    bool is_night;
    CnBlock grass, dirt;
} CraftyCreatureWork;

/* A creature while it acts. */
typedef struct CraftyThink {
    const CraftyCreatureWork *work;
    CraftyActor *actor;
    const CraftyBehaviour *behaviour;
    CraftyWindowView *view;
    CnBlockReader reader;
    CnRandom random;
    float dt; /* seconds of its steps */
} CraftyThink;

static inline CnCell crafty_cell_of(CnVec3 point)
{
    return (CnCell){(int32_t)cn_floorf(point.x), (int32_t)cn_floorf(point.y),
                    (int32_t)cn_floorf(point.z)};
}

static inline float crafty_distance2(CnVec3 a, CnVec3 b)
{
    CnVec3 d = cn_vec3_sub(a, b);
    return cn_vec3_dot(d, d);
}

static inline int32_t crafty_grid_cell(float at)
{
    return (int32_t)cn_floorf(at * (1 / CRAFTY_CREATURE_CELL));
}

static inline uint32_t crafty_grid_hash(int32_t x, int32_t z)
{
    uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u;
    return hash ^ hash >> 15;
}

CraftyCreatureWork *crafty_creature_work(const CnWorld *world);
void crafty_creature_event(CnWorld *world, CraftyCreatureEventKind kind, CnEntity entity,
                           uint16_t creature, CnVec3 position, CnEntity other, float value);

/* ---- Phases ---- */

void crafty_creature_collect_players(CnWorld *world, CraftyCreatureWork *work);
/* Lists the creatures that act, those that vanish, and the blocks around them. */
void crafty_creature_collect(CnWorld *world, CraftyCreatureWork *work, CnJobPool *jobs);
void crafty_creature_forget_actors(CraftyCreatureWork *work); /* frees their memory */
void crafty_creature_remove_far(CnWorld *world, CraftyCreatureWork *work);
bool crafty_creature_is_kept(const CraftyCreature *creature); /* it never vanishes */
void crafty_creature_decide(CraftyThink *think);
void crafty_creature_act(CraftyThink *think);
void crafty_creature_move(CraftyThink *think);
void crafty_creature_burn(CraftyThink *think); /* in the sun, if its kind looks for shade */
void crafty_creature_search(CnWorld *world, CraftyCreatureWork *work, CnJobPool *jobs);
size_t crafty_creature_search_bytes(void); /* of CraftyCreatureWork.searches */
void crafty_creature_apply(CnWorld *world, CraftyCreatureWork *work);
void crafty_creatures_populate(CnWorld *world, CraftyCreatureWork *work);

/* ---- What behaviours use ---- */

uint8_t crafty_think_traits(CraftyThink *think, CnCell cell);
/* Returns an actor by entity, or NULL. */
const CraftyActor *crafty_think_find(const CraftyThink *think, CnEntity entity, float distance);
/* Returns the nearest player within a distance that `accepts`, or NULL. */
const CraftyWatcher *crafty_think_player(const CraftyThink *think, float distance,
                                         bool (*accepts)(const CraftyThink *think,
                                                         const CraftyWatcher *watcher));
/* Calls `visit` for the actors of a kind (0: of any) within a distance, until it returns false. */
void crafty_think_near(const CraftyThink *think, float distance, uint32_t kind,
                       bool (*visit)(void *user, const CraftyActor *other), void *user);
CnVec3 crafty_actor_eye(const CraftyActor *actor);
/* Returns whether nothing solid is between two points. */
bool crafty_think_sees(CraftyThink *think, CnVec3 to);

typedef enum CraftyGoing { CRAFTY_GOING, CRAFTY_ARRIVED, CRAFTY_BLOCKED } CraftyGoing;
/* Moves towards a point, straight ahead; stops before cliffs, danger and water. */
CraftyGoing crafty_think_steer(CraftyThink *think, CnVec3 goal, float speed, float near);
/* The same, along a path where the straight way is blocked. */
CraftyGoing crafty_think_go(CraftyThink *think, CnVec3 goal, float speed, float near);
void crafty_think_stop(CraftyThink *think);
/* Where the target of a behaviour is now. Returns false if it is gone. */
bool crafty_think_target(const CraftyThink *think, CnVec3 *feet);

#endif

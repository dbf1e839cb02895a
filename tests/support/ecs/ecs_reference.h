/*
 * A naive ECS: the behavior of a world, written as plainly as possible, with an array of entities
 * that each hold all their data. The model test performs everything twice, here and in a real
 * world, and compares the results.
 *
 * A component's value is stored as the seed it was generated from; reference_value generates it
 * again. Seed 0 is the default value.
 */
#ifndef CAIRN_TESTS_SUPPORT_ECS_ECS_REFERENCE_H
#define CAIRN_TESTS_SUPPORT_ECS_ECS_REFERENCE_H

#include <cairn/ecs.h>

enum {
    REF_POSITION,
    REF_SERIAL,
    REF_MIXED,
    REF_SHAPE,
    REF_LARGE,
    REF_SLOT,
    REF_SMALL,
    REF_DEFAULT,
    REF_HOOKED,  /* its hooks are counted */
    REF_GREETER, /* adds GREETED when added, removes it when removed, by hooks */
    REF_FROZEN,
    REF_ENEMY,
    REF_GREETED,
    REF_COMPONENTS
};

enum { REF_LIKES, REF_KNOWS, REF_KINDS };

#define REF_MAX_ENTITIES 4096u
#define REF_MAX_PAIRS 6u
#define REF_MAX_INDICES (1u << 20)
#define REF_BUFFERS 4u
#define REF_NONE UINT32_MAX

typedef struct RefPair {
    uint32_t kind;
    uint32_t target; /* position in entities */
    uint64_t seed;
} RefPair;

typedef struct RefEntity {
    CnEntity id;
    bool alive;
    uint32_t mask;
    uint64_t seeds[REF_COMPONENTS];
    uint64_t written[REF_COMPONENTS]; /* tick of the last write */
    uint64_t moved;                   /* tick of the last change of its set of components */
    bool has_node;
    uint32_t parent; /* position, or REF_NONE */
    uint64_t place;  /* siblings are sorted by it */
    uint32_t child_count;
    RefPair pairs[REF_MAX_PAIRS];
    uint32_t pair_count;
    uint32_t pairs_asked; /* by commands since the last flush */
    uint32_t pointed_at;  /* number of pairs with this target */
    uint32_t touched;     /* flush number: see reference_flush */
    uint32_t mask_before;
    uint32_t hooked_sets;
} RefEntity;

typedef enum RefOp {
    REF_SPAWN,
    REF_ADD,
    REF_SET,
    REF_RESET, /* to the default, as a spawn does with a value without data */
    REF_REMOVE,
    REF_ADD_PAIR,
    REF_SET_PAIR,
    REF_REMOVE_PAIR,
    REF_SET_PARENT,
    REF_DESTROY
} RefOp;

typedef struct RefCommand {
    RefOp op;
    CnEntity entity;
    uint32_t component; /* or kind */
    CnEntity other;     /* target or parent */
    uint64_t seed;
} RefCommand;

typedef CN_ARRAY(RefCommand) RefCommands;

typedef struct RefHookCounts {
    uint64_t added, set, removed;
} RefHookCounts;

typedef struct Reference {
    RefEntity *entities; /* REF_MAX_ENTITIES */
    uint32_t *by_index;  /* position of the entity with this index, or REF_NONE */
    uint32_t live[REF_MAX_ENTITIES], live_count;
    uint32_t free[REF_MAX_ENTITIES], free_count;
    RefCommands buffers[REF_BUFFERS];
    RefCommands from_hooks;
    RefHookCounts hooks;
    uint64_t skipped, failed;
    uint64_t tick;
    uint64_t next_place;
    uint32_t flush;
} Reference;

extern const CnType *const reference_types[REF_COMPONENTS];
extern const CnType *const reference_kinds[REF_KINDS];
#define REF_MAX_VALUE_BYTES 512u /* no value is larger */

/* Generates the value of a seed; padding is zero. */
void reference_value(const CnType *type, uint64_t seed, void *value);

bool reference_init(Reference *reference);
void reference_fini(Reference *reference);

/* Returns the position of a living entity, or REF_NONE. */
uint32_t reference_find(const Reference *reference, CnEntity id);
static inline RefEntity *reference_at(Reference *reference, uint32_t position)
{
    return &reference->entities[position];
}

/* One value of a spawn, change or bulk operation. */
typedef struct RefValue {
    uint32_t component;
    bool has_data;
    uint64_t seed;
} RefValue;

/* Immediate operations on living entities. Those that call hooks end with reference_settle. */
void reference_spawn(Reference *reference, CnEntity id, const RefValue *values, uint32_t count);
void reference_destroy(Reference *reference, uint32_t position);
void reference_change(Reference *reference, uint32_t position, const uint32_t *removed,
                      uint32_t removed_count, const RefValue *values, uint32_t count);
void reference_set_pair(Reference *reference, uint32_t position, uint32_t kind, uint32_t target,
                        bool has_data, uint64_t seed);
void reference_remove_pair(Reference *reference, uint32_t position, uint32_t kind, uint32_t target);
RefPair *reference_pair(RefEntity *entity, uint32_t kind, uint32_t target);
/* Returns false if it would create a cycle. REF_NONE detaches. */
bool reference_set_parent(Reference *reference, uint32_t child, uint32_t parent);
/* Applies the changes requested by the hooks of the last operation. */
void reference_settle(Reference *reference);

/* Deferred operations. */
bool reference_record(Reference *reference, uint32_t buffer, const RefCommand *command);
void reference_discard(Reference *reference, uint32_t buffer);
void reference_flush(Reference *reference);

#endif

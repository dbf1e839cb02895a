/*
 * Random operations on a world and on the naive reference. The same seed yields the same operations
 * and, with every build and on every machine, the same final state.
 *
 *     ModelResult result = model_run(&(ModelOptions){.seed = 1, .operations = 100000});
 *     if (result.error[0]) ...
 */
#ifndef CAIRN_TESTS_SUPPORT_ECS_ECS_MODEL_H
#define CAIRN_TESTS_SUPPORT_ECS_ECS_MODEL_H

#include "ecs_reference.h"
#include "random.h"

typedef struct ModelOptions {
    uint64_t seed;
    uint32_t operations;
    uint32_t compare_every; /* operations between full comparisons; 0: only at the end */
    const char *(*check)(const CnWorld *world); /* in addition to the comparison; may be NULL */
    CnAllocator *allocator;
    uint32_t first_generation;
} ModelOptions;

typedef struct ModelResult {
    char error[512]; /* empty if everything was equal */
    uint64_t hash;   /* of the final state, by model_hash */
    uint32_t entities;
    uint64_t flushes;
} ModelResult;

ModelResult model_run(const ModelOptions *options);

/* ---- For the files of the model ---- */

#define MODEL_QUERIES 40u
#define MODEL_STALE 512u
#define MODEL_MAX_EVENTS 48u

typedef struct ModelQuery {
    CnQuery *query;
    uint32_t all, any, none; /* masks of components */
    uint32_t pair_kind;      /* a pair of this kind is required; REF_NONE: none */
} ModelQuery;

typedef struct Model {
    const ModelOptions *options;
    CnWorld *world;
    Reference reference;
    TestRandom random;
    CnComponent components[REF_COMPONENTS];
    CnComponent kinds[REF_KINDS];
    CnCommands *buffers[REF_BUFFERS];
    RefHookCounts hooks; /* seen by the world's hooks */
    ModelQuery queries[MODEL_QUERIES];
    uint32_t query_count;
    CnEntity stale[MODEL_STALE]; /* ids of dead entities */
    uint32_t stale_count;
    CnEntity promised[REF_MAX_ENTITIES]; /* spawned by commands, not flushed yet */
    uint32_t promised_count;
    uint32_t *last_generation; /* by index: of the last assigned id */
    CnChannel *channel;
    uint64_t events[MODEL_MAX_EVENTS];
    uint32_t event_count, old_events;
    uint64_t dropped_events, oversize, sent;
    uint32_t operation;
    bool aims_at_dead; /* the operation refers to a dead entity: guards may report it */
    ModelResult result;
} Model;

/* Stores the description of the first failure and returns false. */
bool model_fail(Model *model, const char *format, ...) CN_PRINTF_LIKE(2, 3);

#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            model_fail(model, __VA_ARGS__);                                                        \
            return;                                                                                \
        }                                                                                          \
    } while (0)

static inline uint32_t below(Model *model, uint32_t n)
{
    return test_random_below(&model->random, n);
}

static inline bool chance(Model *model, uint32_t percent)
{
    return test_random_chance(&model->random, percent);
}

static inline uint64_t new_seed(Model *model)
{
    return test_random(&model->random) | 1u;
}

static inline bool has_room(const Model *model, uint32_t count)
{
    return model->reference.live_count + model->promised_count + count <= REF_MAX_ENTITIES;
}

#define MODEL_MAX_VALUES 8u

/* Values as the world takes them. */
typedef struct ModelValues {
    _Alignas(16) uint8_t bytes[MODEL_MAX_VALUES][REF_MAX_VALUE_BYTES];
    CnValue values[MODEL_MAX_VALUES];
} ModelValues;

/* ecs_model.c */
uint32_t model_some_living(Model *model); /* position, or REF_NONE */
CnEntity model_some_entity(Model *model); /* mostly alive */
uint32_t model_some_values(Model *model, RefValue *values, uint32_t most);
void model_make_values(const Model *model, ModelValues *made, const RefValue *values,
                       uint32_t count);
void model_note_new_id(Model *model, CnEntity id);
void model_note_stale(Model *model, CnEntity id);
CnEntity model_id_at(const Model *model, uint32_t position);

/* ecs_model_operations.c, ecs_model_commands.c: one random operation each. */
void model_change_one(Model *model);
void model_change_many(Model *model);
void model_defer_one(Model *model);
void model_flush(Model *model);
void model_drop_buffer(Model *model);

/* ecs_model_compare.c */
void model_compare_entity(Model *model, uint32_t position);
void model_compare_query(Model *model, const ModelQuery *query);
void model_compare_changed(Model *model, const ModelQuery *query, uint64_t since);
void model_compare_all(Model *model);
bool model_query_matches(const ModelQuery *query, const RefEntity *entity);
uint64_t model_hash(const Model *model);

#endif

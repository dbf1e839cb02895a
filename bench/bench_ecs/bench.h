/*
 * Shared by the files of bench_ecs. A workload is a function that measures one case: it sets up
 * both sides, lets take_turns run them alternately, and cleans up.
 */
#ifndef CAIRN_BENCH_ECS_BENCH_H
#define CAIRN_BENCH_ECS_BENCH_H

#include "../measure.h"

#include <cairn/ecs.h>

#define DT 0.016f
#define NO_RAW -1.0

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Extra, (f32, value));
CN_TAG(Mark);

typedef struct Case {
    uint32_t n, threads;
    uint32_t runs;
    CnLayout layout; /* of every component of the workload */
} Case;

/* Medians: nanoseconds (or bytes) for one entity or operation. */
typedef struct Figures {
    double ns;
    double raw_ns; /* NO_RAW if there is nothing to compare with */
} Figures;

typedef Figures (*MeasureFn)(const Case *run);

/* Runs one side once. Returns the nanoseconds of the measured part. */
typedef uint64_t (*RunFn)(void *state);

/* After one untimed run of each side, runs both alternately `run->runs` times, so that both are
 * exposed to the same noise. `raw` may be NULL. Results are divided by `operations`. */
Figures take_turns(const Case *run, RunFn ours, RunFn raw, void *state, double operations);

/* These functions exit the program when out of memory. */
void *need(void *pointer);
void *need_array(size_t count, size_t bytes);
/* Exits the program if a side did not do its work. */
void expect_count(const char *what, uint32_t found, uint32_t expected);

/* Creates a world in which the given types, up to NULL, are registered with the case's layout. */
CnWorld *make_world(const Case *run, const CnType *const *types);
/* Creates a world with Position, Velocity, Extra and Mark. */
CnWorld *make_moving_world(const Case *run);
/* Adds n entities with Position and Velocity. `entities` may be NULL. */
void add_movers(CnWorld *world, uint32_t n, CnEntity *entities);
/* Returns how often to repeat a pass over n rows so that it can be timed. */
uint32_t repetitions(uint32_t n);

/* iterate.c */
Figures measure_iterate_move(const Case *run);
Figures measure_fragmented_26(const Case *run);
/* threads.c */
Figures measure_iterate_move_threads(const Case *run);
/* entities.c */
Figures measure_create_pv(const Case *run);
Figures measure_create_pv_bulk(const Case *run);
Figures measure_create_pv_bulk_equal(const Case *run);
Figures measure_destroy_order(const Case *run);
Figures measure_destroy_random(const Case *run);
Figures measure_get_random(const Case *run);
Figures measure_bytes_per_entity(const Case *run);
Figures measure_world_create_destroy(const Case *run);
/* structure.c */
Figures measure_add_remove_tag(const Case *run);
Figures measure_observe_add_remove(const Case *run);
Figures measure_add_remove_component(const Case *run);
Figures measure_bulk_add_remove(const Case *run);
Figures measure_bulk_add_remove_tag(const Case *run);
/* commands.c */
Figures measure_deferred_add_remove(const Case *run);
Figures measure_deferred_spawn(const Case *run);
Figures measure_event(const Case *run);
/* sorted.c */
Figures measure_sorted_query_update(const Case *run);
Figures measure_grouped_query(const Case *run); /* raw: the query without groups */
/* row_changes.c */
Figures measure_changes_per_entity(const Case *run); /* raw: by chunks */
/* clone.c */
Figures measure_world_clone(const Case *run);
/* queries.c */
Figures measure_query_create_1000(const Case *run);
Figures measure_query_empty(const Case *run);
Figures measure_new_archetype_100_queries(const Case *run);
/* systems.c */
Figures measure_tick_100_systems(const Case *run);
/* split.c */
Figures measure_split_send(const Case *run);   /* raw: the system is not split */
Figures measure_split_silent(const Case *run); /* likewise */
/* tree.c */
Figures measure_tree_transforms(const Case *run);

#endif

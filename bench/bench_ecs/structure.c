/* Adding and removing components, one by one and over whole queries. */
#include "raw.h"

typedef struct Changes {
    uint32_t n;
    CnWorld *world;
    CnEntity *entities;
    CnQuery *movers;
    RawStore store;
    CnEntity *raw_entities;
    CnObserver *observer; /* NULL: not yet */
} Changes;

static void changes_init(Changes *changes, const Case *run)
{
    *changes = (Changes){
        .n = run->n,
        .world = make_moving_world(run),
        .entities = need_array(run->n, sizeof(CnEntity)),
        .raw_entities = need_array(run->n, sizeof(CnEntity)),
    };
    add_movers(changes->world, run->n, changes->entities);
    changes->movers = need(cn_query_acquire(
        changes->world, &(CnQueryDesc){.all = {cn_reads(Position), cn_reads(Velocity)}}, NULL));
    raw_store_init(&changes->store, run->n);
    raw_add_movers(&changes->store, run->n, changes->raw_entities);
}

/* Every addition and every removal counts as one operation. */
static Figures measure_changes(const Case *run, RunFn ours, RunFn raw)
{
    Changes changes;
    changes_init(&changes, run);
    Figures figures = take_turns(run, ours, raw, &changes, 2.0 * run->n);
    expect_count("archetypes match", cn_query_archetype_count(changes.movers), 2);
    expect_count("entities match", cn_query_count(changes.movers), run->n);
    cn_world_destroy(changes.world);
    raw_store_fini(&changes.store);
    free(changes.entities);
    free(changes.raw_entities);
    return figures;
}

/* ---- A tag ---- */

static uint64_t tag_ours(void *state)
{
    Changes *changes = state;
    CnWorld *world = changes->world;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < changes->n; i++)
        cn_add(world, changes->entities[i], Mark);
    for (uint32_t i = 0; i < changes->n; i++)
        cn_remove(world, changes->entities[i], Mark);
    return cn_clock_ns() - start;
}

static uint64_t tag_raw(void *state)
{
    Changes *changes = state;
    RawStore *store = &changes->store;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < changes->n; i++)
        raw_mark(store, changes->raw_entities[i], false, (Extra){0});
    for (uint32_t i = 0; i < changes->n; i++)
        raw_unmark(store, changes->raw_entities[i], false);
    return cn_clock_ns() - start;
}

Figures measure_add_remove_tag(const Case *run)
{
    return measure_changes(run, tag_ours, tag_raw);
}

/* ---- A tag with an observer ---- */

/* The work of the callbacks on both sides. */
typedef struct Counter {
    uint64_t entered, left;
} Counter;

static Counter counter;

static void count_entered(CnWorld *world, CnEntity entity, void *user)
{
    (void)world;
    ((Counter *)user)->entered += cn_entity_index(entity);
}

static void count_left(CnWorld *world, CnEntity entity, void *user)
{
    (void)world;
    ((Counter *)user)->left += cn_entity_index(entity);
}

/* Called through pointers that the compiler cannot resolve. */
static CnObserverFn volatile raw_entered = count_entered, raw_left = count_left;

static uint64_t observed_raw(void *state)
{
    Changes *changes = state;
    RawStore *store = &changes->store;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < changes->n; i++) {
        raw_mark(store, changes->raw_entities[i], false, (Extra){0});
        raw_entered(NULL, changes->entities[i], &counter);
    }
    for (uint32_t i = 0; i < changes->n; i++) {
        raw_left(NULL, changes->entities[i], &counter);
        raw_unmark(store, changes->raw_entities[i], false);
    }
    return cn_clock_ns() - start;
}

static uint64_t observed_ours(void *state)
{
    Changes *changes = state;
    if (!changes->observer)
        changes->observer = need(cn_observer_create(
            changes->world,
            &(CnObserverDesc){.query = {.all = {cn_reads(Position), cn_tag(Mark)}},
                              .on_enter = count_entered,
                              .on_exit = count_left,
                              .user = &counter},
            NULL));
    return tag_ours(state);
}

Figures measure_observe_add_remove(const Case *run)
{
    return measure_changes(run, observed_ours, observed_raw);
}

/* ---- Four bytes ---- */

static uint64_t component_ours(void *state)
{
    Changes *changes = state;
    CnWorld *world = changes->world;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < changes->n; i++)
        cn_set(world, changes->entities[i], Extra, {1});
    for (uint32_t i = 0; i < changes->n; i++)
        cn_remove(world, changes->entities[i], Extra);
    return cn_clock_ns() - start;
}

static uint64_t component_raw(void *state)
{
    Changes *changes = state;
    RawStore *store = &changes->store;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < changes->n; i++)
        raw_mark(store, changes->raw_entities[i], true, (Extra){1});
    for (uint32_t i = 0; i < changes->n; i++)
        raw_unmark(store, changes->raw_entities[i], true);
    return cn_clock_ns() - start;
}

Figures measure_add_remove_component(const Case *run)
{
    return measure_changes(run, component_ours, component_raw);
}

/* ---- Over a whole query ---- */

static uint64_t bulk_ours(void *state)
{
    Changes *changes = state;
    uint64_t start = cn_clock_ns();
    cn_query_set(changes->movers, cn_with(Extra, {1}));
    cn_query_remove(changes->movers, cn_id(changes->world, Extra));
    return cn_clock_ns() - start;
}

Figures measure_bulk_add_remove(const Case *run)
{
    return measure_changes(run, bulk_ours, NULL);
}

static uint64_t bulk_tag_ours(void *state)
{
    Changes *changes = state;
    uint64_t start = cn_clock_ns();
    cn_query_set(changes->movers, cn_with_tag(Mark));
    cn_query_remove(changes->movers, cn_id(changes->world, Mark));
    return cn_clock_ns() - start;
}

Figures measure_bulk_add_remove_tag(const Case *run)
{
    return measure_changes(run, bulk_tag_ours, NULL);
}

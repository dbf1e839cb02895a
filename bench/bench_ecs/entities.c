/* Creating and destroying entities one by one and in bulk, reading them by id, and memory. */
#include "raw.h"

typedef struct Lives {
    uint32_t n;
    CnLayout layout;
    CnWorld *world;
    RawStore store;
    CnEntity *entities;    /* of the side being measured, in order of creation */
    CnEntity *by_index;    /* used by start_over */
    uint32_t *order;       /* of destruction or of reading */
    CnEntity *shuffled[2]; /* ours and raw, for reading */
    Position *positions;
    Velocity *velocities;
} Lives;

static void lives_init(Lives *lives, const Case *run)
{
    uint32_t n = run->n;
    *lives = (Lives){
        .n = n,
        .layout = run->layout,
        .world = make_moving_world(run),
        .entities = raw_alloc(n * sizeof(CnEntity)),
        .by_index = raw_alloc(n * sizeof(CnEntity)),
        .order = raw_alloc(n * sizeof(uint32_t)),
        .positions = raw_alloc(n * sizeof(Position)),
        .velocities = raw_alloc(n * sizeof(Velocity)),
    };
    raw_store_init(&lives->store, n);
    for (uint32_t i = 0; i < n; i++) {
        lives->order[i] = i;
        lives->positions[i] = (Position){(float)i, 1, 2};
        lives->velocities[i] = (Velocity){1, (float)(i & 15), 3};
    }
}

static void lives_fini(Lives *lives)
{
    cn_world_destroy(lives->world);
    raw_store_fini(&lives->store);
    raw_free(lives->entities);
    raw_free(lives->by_index);
    raw_free(lives->order);
    raw_free(lives->positions);
    raw_free(lives->velocities);
}

/* ---- Creating and destroying ---- */

static void create_ours(Lives *lives)
{
    CnWorld *world = lives->world;
    for (uint32_t i = 0; i < lives->n; i++)
        lives->entities[i] =
            cn_spawn(world, cn_with(Position, {(float)i, 1, 2}), cn_with(Velocity, {1, 2, 3}));
}

static void create_raw(Lives *lives)
{
    RawStore *store = &lives->store;
    for (uint32_t i = 0; i < lives->n; i++)
        lives->entities[i] = raw_create(store, (Position){(float)i, 1, 2}, (Velocity){1, 2, 3});
}

static void destroy_ours(Lives *lives)
{
    CnWorld *world = lives->world;
    for (uint32_t i = 0; i < lives->n; i++)
        cn_destroy(world, lives->entities[i]);
}

static void destroy_raw(Lives *lives)
{
    RawStore *store = &lives->store;
    for (uint32_t i = 0; i < lives->n; i++)
        raw_destroy(store, lives->entities[i]);
}

static uint64_t create_ours_run(void *state)
{
    uint64_t start = cn_clock_ns();
    create_ours(state);
    uint64_t ns = cn_clock_ns() - start;
    destroy_ours(state);
    return ns;
}

static uint64_t create_raw_run(void *state)
{
    uint64_t start = cn_clock_ns();
    create_raw(state);
    uint64_t ns = cn_clock_ns() - start;
    destroy_raw(state);
    return ns;
}

static Figures measure_lives(const Case *run, RunFn ours, RunFn raw, bool shuffle)
{
    Lives lives;
    lives_init(&lives, run);
    if (shuffle)
        measure_shuffle(lives.order, run->n);
    Figures figures = take_turns(run, ours, raw, &lives, run->n);
    expect_count("entities live", cn_entity_count(lives.world), 0);
    expect_count("raw rows live", lives.store.plain.count, 0);
    lives_fini(&lives);
    return figures;
}

Figures measure_create_pv(const Case *run)
{
    return measure_lives(run, create_ours_run, create_raw_run, false);
}

static uint64_t create_bulk_ours_run(void *state)
{
    Lives *lives = state;
    uint64_t start = cn_clock_ns();
    cn_spawn_many(lives->world, lives->n, lives->entities,
                  cn_with_array(Position, lives->positions),
                  cn_with_array(Velocity, lives->velocities));
    uint64_t ns = cn_clock_ns() - start;
    destroy_ours(state);
    return ns;
}

static inline void raw_create_ids(RawStore *store, CnEntity *restrict ids, CnEntity *restrict copy,
                                  uint32_t n, uint32_t row)
{
    for (uint32_t i = 0; i < n; i++)
        copy[i] = ids[i] = raw_slot_acquire(store, row + i);
}

static uint64_t create_bulk_raw_run(void *state)
{
    Lives *lives = state;
    RawStore *store = &lives->store;
    RawTable *table = &store->plain;
    uint32_t n = lives->n;
    uint64_t start = cn_clock_ns();
    if (table->capacity - table->count < n)
        raw_table_grow(table, table->count + n);
    __builtin_memcpy(table->positions + table->count, lives->positions, n * sizeof(Position));
    __builtin_memcpy(table->velocities + table->count, lives->velocities, n * sizeof(Velocity));
    raw_create_ids(store, table->entities + table->count, lives->entities, n, table->count);
    table->count += n;
    uint64_t ns = cn_clock_ns() - start;
    destroy_raw(state);
    return ns;
}

Figures measure_create_pv_bulk(const Case *run)
{
    return measure_lives(run, create_bulk_ours_run, create_bulk_raw_run, false);
}

static uint64_t create_equal_ours_run(void *state)
{
    Lives *lives = state;
    uint64_t start = cn_clock_ns();
    cn_spawn_many(lives->world, lives->n, lives->entities, cn_with(Position, {1, 2, 3}),
                  cn_with(Velocity, {1, 2, 3}));
    uint64_t ns = cn_clock_ns() - start;
    destroy_ours(state);
    return ns;
}

Figures measure_create_pv_bulk_equal(const Case *run)
{
    return measure_lives(run, create_equal_ours_run, NULL, false);
}

/* Destroys all entities in `entities`, the highest slot first, so that the next ones get rising
 * slots again, whatever the order of the last destruction was. */
static const CnEntity *sort_by_index(Lives *lives)
{
    for (uint32_t i = 0; i < lives->n; i++)
        lives->by_index[cn_entity_index(lives->entities[i]) % lives->n] = lives->entities[i];
    return lives->by_index;
}

static uint64_t destroy_ours_run(void *state)
{
    Lives *lives = state;
    CnWorld *world = lives->world;
    create_ours(lives);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < lives->n; i++)
        cn_destroy(world, lives->entities[lives->order[i]]);
    uint64_t ns = cn_clock_ns() - start;
    create_ours(lives);
    const CnEntity *sorted = sort_by_index(lives);
    for (uint32_t i = lives->n; i-- > 0;)
        cn_destroy(world, sorted[i]);
    return ns;
}

static uint64_t destroy_raw_run(void *state)
{
    Lives *lives = state;
    RawStore *store = &lives->store;
    create_raw(lives);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < lives->n; i++)
        raw_destroy(store, lives->entities[lives->order[i]]);
    uint64_t ns = cn_clock_ns() - start;
    create_raw(lives);
    const CnEntity *sorted = sort_by_index(lives);
    for (uint32_t i = lives->n; i-- > 0;)
        raw_destroy(store, sorted[i]);
    return ns;
}

Figures measure_destroy_order(const Case *run)
{
    return measure_lives(run, destroy_ours_run, destroy_raw_run, false);
}

Figures measure_destroy_random(const Case *run)
{
    return measure_lives(run, destroy_ours_run, destroy_raw_run, true);
}

/* ---- Reading by id ---- */

static uint64_t get_ours_run(void *state)
{
    Lives *lives = state;
    const CnWorld *world = lives->world;
    const CnEntity *entities = lives->shuffled[0];
    CnComponent position = cn_component_of(world, &cn_type_Position); /* once, as hot loops do */
    float sum = 0;
    uint64_t start = cn_clock_ns();
    if (lives->layout == CN_LAYOUT_PACKED) {
        for (uint32_t i = 0; i < lives->n; i++) {
            const Position *p = cn_get_component(world, entities[i], position);
            if (p)
                sum += p->x + p->y + p->z;
        }
    } else {
        for (uint32_t i = 0; i < lives->n; i++) {
            Position p;
            if (cn_read(world, entities[i], Position, &p))
                sum += p.x + p.y + p.z;
        }
    }
    uint64_t ns = cn_clock_ns() - start;
    measure_keep(sum);
    return ns;
}

static uint64_t get_raw_run(void *state)
{
    Lives *lives = state;
    const RawStore *store = &lives->store;
    const CnEntity *entities = lives->shuffled[1];
    float sum = 0;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < lives->n; i++) {
        const RawSlot *slot = raw_find(store, entities[i]);
        if (slot) {
            const Position *p = &store->plain.positions[slot->row];
            sum += p->x + p->y + p->z;
        }
    }
    uint64_t ns = cn_clock_ns() - start;
    measure_keep(sum);
    return ns;
}

Figures measure_get_random(const Case *run)
{
    Lives lives;
    lives_init(&lives, run);
    measure_shuffle(lives.order, run->n);
    for (int side = 0; side < 2; side++) {
        lives.shuffled[side] = raw_alloc(run->n * sizeof(CnEntity));
        if (side == 0)
            create_ours(&lives);
        else
            create_raw(&lives);
        for (uint32_t i = 0; i < run->n; i++)
            lives.shuffled[side][i] = lives.entities[lives.order[i]];
    }
    Figures figures = take_turns(run, get_ours_run, get_raw_run, &lives, run->n);
    raw_free(lives.shuffled[0]);
    raw_free(lives.shuffled[1]);
    lives_fini(&lives);
    return figures;
}

/* ---- Memory, and whole worlds ---- */

Figures measure_bytes_per_entity(const Case *run)
{
    CnHeap *heap = need(cn_heap_create(NULL, NULL));
    CnWorld *world =
        need(cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL));
    cn_register(world, Position, .layout = run->layout);
    cn_register(world, Velocity, .layout = run->layout);
    uint64_t before = cn_heap_stats(heap).live_bytes;
    cn_spawn_many(world, run->n, NULL, cn_with(Position, {1, 2, 3}), cn_with(Velocity, {1, 2, 3}));
    uint64_t bytes = cn_heap_stats(heap).live_bytes - before;
    cn_world_destroy(world);
    cn_heap_destroy(heap);
    return (Figures){(double)bytes / run->n, sizeof(Position) + sizeof(Velocity)};
}

static uint64_t world_run(void *state)
{
    (void)state;
    uint64_t start = cn_clock_ns();
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_world_destroy(world);
    return cn_clock_ns() - start;
}

Figures measure_world_create_destroy(const Case *run)
{
    return take_turns(run, world_run, NULL, NULL, 1);
}

/* Loops over all rows, on one thread. */
#include "raw.h"

/* ---- iterate_move: position += velocity * dt ---- */

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    float dt = context->dt;
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
        p[i].z += v[i].z * dt;
    }
}

CN_SYSTEM(move_fields, (write, Position, x, px), (write, Position, y, py), (write, Position, z, pz),
          (read, Velocity, x, vx), (read, Velocity, y, vy), (read, Velocity, z, vz))
{
    float dt = context->dt;
    for (uint32_t i = 0; i < count; i++) {
        px[i] += vx[i] * dt;
        py[i] += vy[i] * dt;
        pz[i] += vz[i] * dt;
    }
}

CN_SIMD_DISPATCH(raw_move,
                 (uint32_t count, Position *restrict p, const Velocity *restrict v, float dt),
                 (count, p, v, dt))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
        p[i].z += v[i].z * dt;
    }
}

typedef struct Moving {
    uint32_t n, passes;
    CnLayout layout;
    CnSystemContext context;
    Position *positions;
    Velocity *velocities;
} Moving;

static uint64_t move_ours(void *state)
{
    Moving *moving = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < moving->passes; pass++) {
        if (moving->layout == CN_LAYOUT_PACKED)
            move(&moving->context);
        else
            move_fields(&moving->context);
    }
    return cn_clock_ns() - start;
}

static uint64_t move_raw(void *state)
{
    Moving *moving = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < moving->passes; pass++)
        raw_move(moving->n, moving->positions, moving->velocities, DT);
    return cn_clock_ns() - start;
}

Figures measure_iterate_move(const Case *run)
{
    CnWorld *world = make_moving_world(run);
    add_movers(world, run->n, NULL);
    bool packed = run->layout == CN_LAYOUT_PACKED;
    Moving moving = {
        .n = run->n,
        .passes = repetitions(run->n),
        .layout = run->layout,
        .context = {.world = world,
                    .query = need(
                        cn_query_acquire(world, packed ? &move_query : &move_fields_query, NULL)),
                    .dt = DT},
        .positions = raw_alloc(run->n * sizeof(Position)),
        .velocities = raw_alloc(run->n * sizeof(Velocity)),
    };
    for (uint32_t i = 0; i < run->n; i++) {
        moving.positions[i] = (Position){(float)i, 1, 2};
        moving.velocities[i] = (Velocity){1, (float)(i & 15), 3};
    }
    Figures figures = take_turns(run, move_ours, move_raw, &moving, (double)run->n * moving.passes);
    raw_free(moving.positions);
    raw_free(moving.velocities);
    cn_world_destroy(world);
    return figures;
}

/* ---- fragmented_26: one shared float in 26 archetypes ---- */

/* clang-format off */
#define LETTERS(use)                                                                               \
    use(A) use(B) use(C) use(D) use(E) use(F) use(G) use(H) use(I) use(J) use(K) use(L) use(M)     \
    use(N) use(O) use(P) use(Q) use(R) use(S) use(T) use(U) use(V) use(W) use(X) use(Y) use(Z)
/* clang-format on */
#define LETTER_COUNT 26u

CN_COMPONENT(Shared, (f32, value));
#define DECLARE_LETTER(letter) CN_COMPONENT(Letter##letter, (f32, value));
LETTERS(DECLARE_LETTER)

CN_SYSTEM(add_one, (write, Shared, shared))
{
    for (uint32_t i = 0; i < count; i++)
        shared[i].value += 1.0f;
}

/* The raw side has 26 arrays, too, each with its own lifetime. */
typedef struct Fragments {
    uint32_t passes;
    CnSystemContext context;
    struct {
        Shared *rows;
        uint32_t count;
    } arrays[LETTER_COUNT];
} Fragments;

static inline __attribute__((always_inline)) void raw_add_one_rows(uint32_t count,
                                                                   Shared *restrict shared)
{
    for (uint32_t i = 0; i < count; i++)
        shared[i].value += 1.0f;
}

CN_SIMD_DISPATCH(raw_add_one, (const Fragments *fragments), (fragments))
{
    for (uint32_t k = 0; k < LETTER_COUNT; k++)
        raw_add_one_rows(fragments->arrays[k].count, fragments->arrays[k].rows);
}

static uint64_t fragments_ours(void *state)
{
    Fragments *fragments = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < fragments->passes; pass++)
        add_one(&fragments->context);
    return cn_clock_ns() - start;
}

static uint64_t fragments_raw(void *state)
{
    Fragments *fragments = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < fragments->passes; pass++)
        raw_add_one(fragments);
    return cn_clock_ns() - start;
}

Figures measure_fragmented_26(const Case *run)
{
#define LETTER_TYPE(letter) &cn_type_Letter##letter,
    static const CnType *const types[] = {LETTERS(LETTER_TYPE) NULL};
    CnWorld *world = make_world(run, types);
    cn_register(world, Shared, .layout = run->layout);
    Fragments fragments = {.passes = repetitions(run->n)};
    for (uint32_t k = 0; k < LETTER_COUNT; k++) {
        uint32_t rows = run->n / LETTER_COUNT + (k < run->n % LETTER_COUNT);
        cn_spawn_many(world, rows, NULL, cn_with(Shared, {1}), ((CnValue){.type = types[k]}));
        fragments.arrays[k].count = rows;
        fragments.arrays[k].rows = raw_alloc((rows + 1) * sizeof(Shared));
    }
    fragments.context = (CnSystemContext){
        .world = world, .query = need(cn_query_acquire(world, &add_one_query, NULL))};
    Figures figures = take_turns(run, fragments_ours, fragments_raw, &fragments,
                                 (double)run->n * fragments.passes);
    for (uint32_t k = 0; k < LETTER_COUNT; k++)
        raw_free(fragments.arrays[k].rows);
    cn_world_destroy(world);
    return figures;
}

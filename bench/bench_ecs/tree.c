/* The world matrices of a tree: each is its parent's times its own local one. */
#include "raw.h"

CN_COMPONENT(LocalMatrix, (mat4, matrix));
CN_COMPONENT(WorldMatrix, (mat4, matrix));

#define FAN_OUT 10u

/* Both are affine: the last row is 0 0 0 1. */
static inline __attribute__((always_inline)) void
multiply(CnMat4 *restrict out, const CnMat4 *restrict a, const CnMat4 *restrict b)
{
    for (uint32_t column = 0; column < 4; column++) {
        const float *from = &b->m[column * 4];
        for (uint32_t row = 0; row < 4; row++) {
            float sum = a->m[row] * from[0] + a->m[4 + row] * from[1] + a->m[8 + row] * from[2];
            out->m[column * 4 + row] = column == 3 ? sum + a->m[12 + row] : sum;
        }
    }
}

typedef struct Forest {
    uint32_t n, passes;
    CnLayout layout;
    CnWorld *world;
    uint64_t version; /* of the order that the addresses belong to */
    void **locals, **worlds;
    CnMat4 *raw_locals, *raw_worlds;
    uint32_t *raw_parents;
} Forest;

/* ---- Ours ---- */

/* Nodes whose data is contiguous: only the parents are looked up. */
CN_SIMD_DISPATCH(transform_run,
                 (uint32_t begin, uint32_t end, const uint32_t *restrict parents,
                  void *const *restrict locals, void *const *restrict worlds),
                 (begin, end, parents, locals, worlds))
{
    const CnMat4 *local = locals[begin];
    CnMat4 *matrix = worlds[begin];
    for (uint32_t i = begin; i < end; i++)
        multiply(matrix++, worlds[parents[i]], local++);
}

/* Field columns hold whole matrices, like packed ones. */
static void find_addresses(Forest *forest, const CnTreeOrder *order, const CnType *type,
                           void **addresses)
{
    CnComponent component = cn_component_of(forest->world, type);
    if (forest->layout == CN_LAYOUT_PACKED) {
        cn_tree_addresses(forest->world, order, component, addresses);
        return;
    }
    for (uint32_t i = 0; i < order->count; i++)
        addresses[i] =
            cn_get_field_mut(forest->world, order->entities[i], component, &type->fields[0]);
}

static void transform_ours(Forest *forest)
{
    CnTreeOrder order;
    if (!cn_tree_order(forest->world, &order))
        need(NULL);
    if (order.version != forest->version) {
        find_addresses(forest, &order, &cn_type_LocalMatrix, forest->locals);
        find_addresses(forest, &order, &cn_type_WorldMatrix, forest->worlds);
        forest->version = order.version;
    }
    for (uint32_t i = 0; i < order.levels[1]; i++)
        ((WorldMatrix *)forest->worlds[i])->matrix = ((LocalMatrix *)forest->locals[i])->matrix;
    for (uint32_t r = 0; r < order.run_count; r++) {
        uint32_t begin = order.runs[r], end = order.runs[r + 1], roots = order.levels[1];
        begin = begin > roots ? begin : roots;
        if (begin < end)
            transform_run(begin, end, order.parents, forest->locals, forest->worlds);
    }
}

static uint64_t tree_ours(void *state)
{
    Forest *forest = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < forest->passes; pass++)
        transform_ours(forest);
    return cn_clock_ns() - start;
}

/* ---- Raw: arrays in level order ---- */

CN_SIMD_DISPATCH(raw_transform,
                 (uint32_t begin, uint32_t end, const uint32_t *restrict parents,
                  const CnMat4 *restrict locals, CnMat4 *worlds),
                 (begin, end, parents, locals, worlds))
{
    for (uint32_t i = begin; i < end; i++)
        multiply(&worlds[i], &worlds[parents[i]], &locals[i]);
}

static uint64_t tree_raw(void *state)
{
    Forest *forest = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t pass = 0; pass < forest->passes; pass++) {
        forest->raw_worlds[0] = forest->raw_locals[0];
        raw_transform(1, forest->n, forest->raw_parents, forest->raw_locals, forest->raw_worlds);
    }
    return cn_clock_ns() - start;
}

/* ---- Both ---- */

static CnMat4 some_matrix(uint32_t i)
{
    CnMat4 matrix = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, (float)(i % 7), 2, 3, 1}};
    return matrix;
}

static void forest_init(Forest *forest, const Case *run)
{
    uint32_t n = run->n;
    *forest = (Forest){
        .n = n,
        .passes = repetitions(n * 4),
        .layout = run->layout,
        .world = make_world(
            run, (const CnType *const[]){&cn_type_LocalMatrix, &cn_type_WorldMatrix, NULL}),
        .version = UINT64_MAX,
        .locals = need_array(n, sizeof(void *)),
        .worlds = need_array(n, sizeof(void *)),
        .raw_locals = raw_alloc(n * sizeof(CnMat4)),
        .raw_worlds = raw_alloc(n * sizeof(CnMat4)),
        .raw_parents = raw_alloc(n * sizeof(uint32_t)),
    };
    CnEntity *entities = need_array(n, sizeof *entities);
    for (uint32_t i = 0; i < n; i++) {
        CnMat4 matrix = some_matrix(i);
        entities[i] =
            cn_spawn(forest->world, cn_with(LocalMatrix, {matrix}), cn_with(WorldMatrix, {{{0}}}));
        forest->raw_locals[i] = matrix;
        forest->raw_parents[i] = i ? (i - 1) / FAN_OUT : 0;
    }
    for (uint32_t i = 1; i < n; i++)
        cn_set_parent(forest->world, entities[i], entities[(i - 1) / FAN_OUT]);
    free(entities);
}

static void forest_fini(Forest *forest)
{
    cn_world_destroy(forest->world);
    free(forest->locals);
    free(forest->worlds);
    raw_free(forest->raw_locals);
    raw_free(forest->raw_worlds);
    raw_free(forest->raw_parents);
}

Figures measure_tree_transforms(const Case *run)
{
    Forest forest;
    forest_init(&forest, run);
    Figures figures = take_turns(run, tree_ours, tree_raw, &forest, (double)run->n * forest.passes);
    uint32_t equal = 0;
    for (uint32_t i = 0; i < run->n; i++)
        equal += __builtin_memcmp(forest.worlds[i], &forest.raw_worlds[i], sizeof(CnMat4)) == 0;
    expect_count("matrices are equal on both sides", equal, run->n);
    forest_fini(&forest);
    return figures;
}

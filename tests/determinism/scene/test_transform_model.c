/* test-labels: threads
 *
 * Random trees of 10,000 nodes, random writes, new parents, deaths and reads, done to several
 * worlds at the same time. One only reads, others only run the pass, on different numbers of
 * threads and SIMD paths, one does both. All have the same bits after every round, and those are
 * what a plain computation in double precision gives, up to rounding.
 */
#include "jobs.h"
#include "random.h"

#include <cairn/base/cpu.h>
#include <cairn/scene/transform.h>

#include <string.h>

#define NODES 10000u
#define ROUNDS 60u
#define NONE UINT32_MAX

CN_TAG(Painted);

/* ---- The plain model ---- */

typedef struct Node {
    CnEntity entity; /* the same in all worlds; null: dead */
    CnTransform local;
    uint32_t parent;
    bool has_transform;
    bool known; /* what follows is computed */
    uint32_t depth;
    double matrix[3][4];
    double size[3]
               [4]; /* the same with the sizes of all terms summed up: what rounding scales with */
} Node;

static Node nodes[NODES];

static void own_matrix(const CnTransform *t, double m[3][4])
{
    double x = (double)t->rotation.x, y = (double)t->rotation.y, z = (double)t->rotation.z,
           w = (double)t->rotation.w;
    double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                         {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                         {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double scale[3] = {(double)t->scale.x, (double)t->scale.y, (double)t->scale.z};
    double position[3] = {(double)t->position.x, (double)t->position.y, (double)t->position.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            m[i][j] = turn[i][j] * scale[j];
        m[i][3] = position[i];
    }
}

/* Elements of a rotation are differences of terms up to 1. */
static void own_size(const CnTransform *t, double m[3][4])
{
    own_matrix(t, m);
    double scale[3] = {(double)t->scale.x, (double)t->scale.y, (double)t->scale.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            m[i][j] = 2 * cn_fabs(scale[j]);
        m[i][3] = cn_fabs(m[i][3]);
    }
}

static void multiply(const double a[3][4], const double b[3][4], double m[3][4])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] =
                a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + (j == 3 ? a[i][3] : 0);
}

static void compute(Node *node)
{
    if (node->known)
        return;
    Node *parent =
        node->parent != NONE && nodes[node->parent].has_transform ? &nodes[node->parent] : NULL;
    double own[3][4], size[3][4];
    own_matrix(&node->local, own);
    own_size(&node->local, size);
    node->known = true;
    node->depth = 0;
    if (!parent) {
        memcpy(node->matrix, own, sizeof own);
        memcpy(node->size, size, sizeof size);
        return;
    }
    compute(parent);
    node->depth = parent->depth + 1;
    multiply((const double(*)[4])parent->matrix, (const double(*)[4])own, node->matrix);
    multiply((const double(*)[4])parent->size, (const double(*)[4])size, node->size);
}

/* A level costs an element about eight roundings of half an ulp of its terms. */
static void assert_near_model(Node *node, const CnAffine *matrix)
{
    compute(node);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double most = 8 * (node->depth + 1) * 0x1p-24 * node->size[i][j];
            assert_true(cn_fabs((double)matrix->m[i][j] - node->matrix[i][j]) <= most);
        }
}

/* ---- The worlds ---- */

typedef struct World {
    CnWorld *world;
    CnJobPool *jobs;
    CnSimdPath path;
    bool reads, passes;
} World;

static World worlds[] = {
    {.path = CN_SIMD_SCALAR, .reads = true},
    {.path = CN_SIMD_SCALAR, .passes = true},
    {.path = CN_SIMD_AVX2, .passes = true},
    {.path = CN_SIMD_AVX512, .passes = true},
    {.path = CN_SIMD_AVX512, .passes = true}, /* one worker */
    {.path = CN_SIMD_AVX2, .passes = true},   /* four workers */
    {.path = CN_SIMD_AVX512, .passes = true, .reads = true},
};
#define WORLDS CN_COUNT_OF(worlds)
#define EACH_WORLD(w) for (World *w = worlds; w < worlds + WORLDS; w++)

static TestRandom randoms;

static float number(float low, float high)
{
    return low + (float)test_random_unit(&randoms) * (high - low);
}

static CnTransform some_transform(void)
{
    CnTransform t = {
        .position = {number(-10, 10), number(-10, 10), number(-10, 10)},
        .rotation =
            cn_quat_from_euler(cn_vec3(number(-90, 90), number(-180, 180), number(-180, 180))),
        .scale = {number(0.5f, 1.5f), number(0.5f, 1.5f), number(0.5f, 1.5f)},
    };
    if (test_random_chance(&randoms, 10))
        t.scale.x = -t.scale.x;
    if (test_random_chance(&randoms, 2))
        t.scale = cn_vec3(0, 0, 0);
    return t;
}

/* Mostly bare: the pass adds what is missing; in those that only read, nobody does. */
static void spawn(uint32_t i)
{
    Node *node = &nodes[i];
    bool bare = test_random_chance(&randoms, 30);
    *node = (Node){.local = some_transform(), .parent = NONE, .has_transform = true};
    EACH_WORLD(w)
    {
        const CnValue values[] = {{.type = &cn_type_CnTransform, .data = &node->local},
                                  cn_with_default(CnWorldTransform),
                                  cn_with_default(CnTransformCache)};
        CnEntity entity = cn_spawn_values(w->world, values, bare ? 1 : 3);
        assert_true(w == worlds || entity.id == node->entity.id);
        node->entity = entity;
    }
}

static void set_parent(uint32_t i, uint32_t parent)
{
    CnEntity above = parent == NONE ? (CnEntity){0} : nodes[parent].entity;
    bool done = false;
    EACH_WORLD(w)
    {
        bool result = cn_set_parent(w->world, nodes[i].entity, above);
        assert_true(w == worlds || result == done); /* false: a cycle */
        done = result;
    }
    if (done)
        nodes[i].parent = parent;
}

static void write_local(uint32_t i)
{
    nodes[i].local = some_transform();
    EACH_WORLD(w)
    if (nodes[i].has_transform)
        *cn_get_mut(w->world, nodes[i].entity, CnTransform) = nodes[i].local;
}

static void toggle_transform(uint32_t i)
{
    nodes[i].has_transform = !nodes[i].has_transform;
    EACH_WORLD(w)
    {
        if (nodes[i].has_transform)
            cn_set_component(w->world, nodes[i].entity, cn_id(w->world, CnTransform),
                             &nodes[i].local);
        else
            cn_remove(w->world, nodes[i].entity, CnTransform);
    }
}

static void toggle_tag(uint32_t i)
{
    EACH_WORLD(w)
    {
        if (cn_has(w->world, nodes[i].entity, Painted))
            cn_remove(w->world, nodes[i].entity, Painted);
        else
            cn_add(w->world, nodes[i].entity, Painted);
    }
}

/* With all below it; they come back as others. */
static void replace(uint32_t i)
{
    EACH_WORLD(w)
    cn_destroy(w->world, nodes[i].entity);
    for (uint32_t k = 0; k < NODES; k++)
        if (!cn_is_alive(worlds[0].world, nodes[k].entity)) {
            spawn(k);
            if (test_random_chance(&randoms, 90))
                set_parent(k, test_random_below(&randoms, NODES));
        }
}

static void read_one(uint32_t i)
{
    CnAffine first = {0};
    EACH_WORLD(w)
    {
        CnAffine here = cn_transform_world_affine_peek(w->world, nodes[i].entity);
        if (w->reads)
            here = cn_transform_world_affine(w->world, nodes[i].entity);
        assert_true(w == worlds || memcmp(&first, &here, sizeof here) == 0);
        first = here;
    }
}

static void change_something(void)
{
    uint32_t i = test_random_below(&randoms, NODES), chance = test_random_below(&randoms, 100);
    if (chance < 50)
        write_local(i);
    else if (chance < 75)
        read_one(i);
    else if (chance < 85)
        set_parent(i, test_random_below(&randoms, NODES));
    else if (chance < 90)
        set_parent(i, NONE);
    else if (chance < 96)
        toggle_tag(i);
    else
        toggle_transform(i);
}

/* ---- Rounds ---- */

static void compare_all(void)
{
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i].known = false;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        CnAffine read = cn_transform_world_affine(worlds[0].world, nodes[i].entity);
        if (!nodes[i].has_transform)
            continue;
        assert_near_model(&nodes[i], &read);
        for (World *w = worlds + 1; w < worlds + WORLDS; w++)
            assert_memory_equal(&cn_get(w->world, nodes[i].entity, CnWorldTransform)->matrix, &read,
                                sizeof read);
    }
}

static void run_round(uint32_t round)
{
    /* Mostly few: then most chunks are as they were, and what hides there shows. */
    static const uint32_t changes[] = {0, 1, 2, 5, 5, 10, 10, 30, 300, NODES};
    uint32_t count = changes[test_random_below(&randoms, CN_COUNT_OF(changes))];
    if (round % 12 == 5)
        for (uint32_t i = 0; i < NODES; i++)
            write_local(i);
    for (uint32_t i = 0; i < count; i++)
        change_something();
    if (round % 8 == 3)
        replace(test_random_below(&randoms, NODES));
    EACH_WORLD(w)
    if (w->passes) {
        cn_simd_force(w->path);
        assert_true(cn_transform_propagate(w->world, w->jobs, NULL));
    }
    compare_all();
}

static void all_ways_give_the_same_bits_and_what_a_plain_computation_gives(void **state)
{
    (void)state;
    CnSimdPath before = cn_simd_path();
    randoms.state = 20261115;
    EACH_WORLD(w)
    {
        w->world = cn_world_create(NULL, NULL);
        assert_true(w->world && cn_transform_add(w->world, NULL));
    }
    worlds[4].jobs = create_pool(1, 0);
    worlds[5].jobs = create_pool(4, 0);
    for (uint32_t i = 0; i < NODES; i++) {
        spawn(i);
        /* Wide near the root, some long chains. */
        if (i && !test_random_chance(&randoms, 5))
            set_parent(i, test_random_chance(&randoms, 5) ? i - 1 : test_random_below(&randoms, i));
    }
    for (uint32_t round = 0; round < ROUNDS; round++)
        run_round(round);
    EACH_WORLD(w)
    {
        cn_world_destroy(w->world);
        if (w->jobs)
            cn_job_pool_destroy(w->jobs);
    }
    cn_simd_force(before);
}

/* ---- Many enough to be split ---- */

#define WIDE 60000u

static void levels_that_are_split_give_the_same_bits(void **state)
{
    (void)state;
    static CnEntity entities[WIDE];
    CnWorld *made[3];
    for (uint32_t k = 0; k < 3; k++) {
        TestRandom local_random = {7};
        CnWorld *world = made[k] = cn_world_create(NULL, NULL);
        CnJobPool *jobs = create_pool(k == 2 ? 4 : k, 0);
        assert_true(cn_transform_add(world, NULL));
        randoms = local_random;
        for (uint32_t i = 0; i < WIDE; i++) {
            CnTransform t = some_transform();
            entities[i] =
                cn_spawn_values(world, &(CnValue){.type = &cn_type_CnTransform, .data = &t}, 1);
            if (i >= 3000) /* two levels; the last 20,000 stay loose */
                (void)(i < 40000 && cn_set_parent(world, entities[i], entities[i % 3000]));
        }
        for (uint32_t round = 0; round < 4; round++) {
            assert_true(cn_transform_propagate(world, jobs, NULL));
            for (uint32_t i = round; i < WIDE; i += 1 + round)
                cn_get_mut(world, entities[i], CnTransform)->position.y += 1;
        }
        assert_true(cn_transform_propagate(world, jobs, NULL));
        cn_job_pool_destroy(jobs);
    }
    for (uint32_t i = 0; i < WIDE; i++)
        for (uint32_t k = 1; k < 3; k++)
            assert_memory_equal(cn_get(made[k], entities[i], CnWorldTransform),
                                cn_get(made[0], entities[i], CnWorldTransform), sizeof(CnAffine));
    for (uint32_t k = 0; k < 3; k++)
        cn_world_destroy(made[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_give_the_same_bits_and_what_a_plain_computation_gives),
        cmocka_unit_test(levels_that_are_split_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

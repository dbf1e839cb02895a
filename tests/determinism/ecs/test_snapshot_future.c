/* A world goes through random steps; another one loads its state now and then and does the same
 * from there on. They must stay equal: ids, order of rows and archetypes, pairs, tree. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "random.h"
#include "rich_world.h"

#define BUFFERS 3
#define TAGS 4

CN_TAG(FutureA);
CN_TAG(FutureB);
CN_TAG(FutureC);

typedef struct Side {
    CnWorld *world;
    CnCommands *buffers[BUFFERS];
    CnComponent ids[TAGS + 3]; /* tags, then components with values */
    CnComponent kinds[3];
    CnQuery *queries[2];
} Side;

enum { SIDES = 2, MOST = 400 };

static Side sides[SIDES];
static CnEntity entities[MOST];
static uint32_t count;
static TestRandom random_numbers;

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static void make_side(Side *side)
{
    side->world = cn_world_create(NULL, NULL);
    CnWorld *world = side->world;
    side->ids[0] = cn_id(world, RichFrozen);
    side->ids[1] = cn_id(world, FutureA);
    side->ids[2] = cn_id(world, FutureB);
    side->ids[3] = cn_id(world, FutureC);
    side->ids[4] = cn_id(world, RichPosition);
    side->ids[5] = cn_register(world, RichParticle, .layout = CN_LAYOUT_FIELDS);
    side->ids[6] = cn_id(world, RichLabel);
    side->kinds[0] = cn_id(world, RichLikes);
    side->kinds[1] = cn_id(world, RichKnows);
    side->kinds[2] = side->ids[1];
    for (int b = 0; b < BUFFERS; b++)
        side->buffers[b] = cn_commands_create(world, NULL);
    side->queries[0] = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(RichPosition)}, .none = {cn_tag(FutureB)}}, NULL);
    side->queries[1] =
        cn_query_acquire(world, &(CnQueryDesc){.any = {cn_tag(FutureA), cn_tag(FutureC)}}, NULL);
}

static int make_sides(void **state)
{
    (void)state;
    for (int s = 0; s < SIDES; s++)
        make_side(&sides[s]);
    count = 0;
    return 0;
}

static int drop_sides(void **state)
{
    (void)state;
    for (int s = 0; s < SIDES; s++)
        cn_world_destroy(sides[s].world);
    return 0;
}

/* ---- Steps: each does the same on every side from `first` on ---- */

static uint32_t first_side;

static CnEntity some_entity(void)
{
    return entities[below(count)];
}

/* The same id on all sides. */
static void note(CnEntity entity, CnEntity *noted)
{
    if (noted->id)
        assert_int_equal(entity.id, noted->id);
    *noted = entity;
}

static void remember(CnEntity entity)
{
    assert_true(entity.id != 0);
    if (count < MOST)
        entities[count++] = entity;
}

static void spawn(void)
{
    float x = (float)below(100);
    uint32_t kind = below(4), tag = below(TAGS);
    CnEntity spawned = {0};
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++) {
        CnValue values[] = {{.component = side->ids[tag]},
                            cn_with(RichPosition, {x, 2, 3}),
                            cn_with(RichParticle, {.kind = 3, .age = x}),
                            cn_with(RichLabel, {"text", 4})};
        note(cn_spawn_values(side->world, values, kind), &spawned);
    }
    remember(spawned);
}

static void destroy(void)
{
    CnEntity entity = some_entity();
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++)
        cn_destroy(side->world, entity);
}

static void change(void)
{
    CnEntity entity = some_entity();
    uint32_t which = below(TAGS + 3);
    bool adds = below(2);
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++) {
        if (!cn_is_alive(side->world, entity))
            continue;
        if (adds)
            cn_add_component(side->world, entity, side->ids[which]);
        else
            cn_remove_component(side->world, entity, side->ids[which]);
    }
}

static void relate(void)
{
    CnEntity entity = some_entity(), target = some_entity();
    uint32_t kind = below(3);
    bool adds = below(3) != 0;
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++) {
        if (!cn_is_alive(side->world, entity) || !cn_is_alive(side->world, target))
            continue;
        CnComponent pair = cn_pair(side->world, side->kinds[kind], target);
        if (adds)
            cn_add_component(side->world, entity, pair);
        else
            cn_remove_component(side->world, entity, pair);
    }
}

static void adopt(void)
{
    CnEntity child = some_entity(), parent = below(5) ? some_entity() : (CnEntity){0};
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++)
        if (cn_is_alive(side->world, child) && (!parent.id || cn_is_alive(side->world, parent)))
            cn_set_parent(side->world, child, parent);
}

/* Many at once now and then, so that buffers take stripes and pages. */
static void defer(void)
{
    uint32_t buffer = below(BUFFERS), times = below(100) == 0 ? 5000 : below(20);
    uint32_t which = below(TAGS);
    bool destroys = below(2);
    CnEntity entity = some_entity(), last[5000] = {0};
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++) {
        CnCommands *commands = side->buffers[buffer];
        for (uint32_t i = 0; i < times; i++) {
            note(cn_defer_spawn(commands, cn_with(RichPosition, {1, 2, 3})), &last[i]);
            if (i % 4)
                cn_defer_destroy(commands, last[i]);
        }
        if (cn_is_alive(side->world, entity))
            cn_defer_add_component(commands, entity, side->ids[which]);
        if (destroys)
            cn_defer_destroy(commands, entity);
        assert_true(cn_flush(side->world));
    }
    if (times)
        remember(last[0]);
}

static void bulk(void)
{
    uint32_t which = below(TAGS), query = below(2), what = below(20);
    for (Side *side = &sides[first_side]; side < sides + SIDES; side++) {
        if (what == 0)
            cn_query_destroy_entities(side->queries[query]);
        else if (what < 4)
            cn_query_set(side->queries[query], (CnValue){.component = side->ids[which]});
        else if (what < 8)
            cn_query_remove(side->queries[query], side->ids[which]);
        else if (what == 8)
            cn_world_trim(side->world);
    }
}

static void forget_dead(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (cn_is_alive(sides[1].world, entities[i]) || below(20))
            entities[n++] = entities[i];
    count = n;
}

static void step(void)
{
    static void (*const steps[])(void) = {spawn,  spawn,  spawn, destroy, change, change,
                                          relate, relate, adopt, defer,   bulk,   forget_dead};
    if (count)
        steps[below(CN_COUNT_OF(steps))]();
    else
        spawn();
}

/* ---- Tests ---- */

static void copy_state(Side *from, Side *to)
{
    CnSnapshot snapshot;
    CnError error = {0};
    assert_true(cn_world_save(from->world, &snapshot, &error));
    if (!cn_world_load(to->world, snapshot.bytes, snapshot.size, &error))
        fail_msg("%s", error.message);
    cn_snapshot_free(&snapshot);
    assert_world_sound(to->world);
}

static void assert_sides_equal(uint64_t seed, uint32_t round)
{
    if (cn_world_hash(sides[0].world) != cn_world_hash(sides[1].world))
        fail_msg("seed %llu, round %u: the worlds differ", (unsigned long long)seed, round);
    for (int q = 0; q < 2; q++)
        assert_int_equal(cn_query_count(sides[0].queries[q]), cn_query_count(sides[1].queries[q]));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++)
                assert_int_equal(
                    cn_pair_target(sides[0].world, entities[i], sides[0].kinds[k], n).id,
                    cn_pair_target(sides[1].world, entities[i], sides[1].kinds[k], n).id);
    assert_world_sound(sides[0].world);
    assert_world_sound(sides[1].world);
}

static void a_loaded_world_has_the_same_future(void **state)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        random_numbers.state = seed;
        for (uint32_t round = 0; round < 20; round++) {
            /* The second one goes its own way, or comes from its last round, and then follows. */
            first_side = 0;
            copy_state(&sides[0], &sides[1]);
            assert_sides_equal(seed, round);
            for (int i = 0; i < 300; i++)
                step();
            assert_sides_equal(seed, round);
        }
        drop_sides(state);
        make_sides(state);
    }
}

/* As in a rollback: back to an earlier state, and again. */
static void a_world_that_is_taken_back_repeats_itself(void **state)
{
    (void)state;
    first_side = 1;
    random_numbers.state = 77;
    for (uint32_t round = 0; round < 30; round++) {
        CnSnapshot snapshot;
        assert_true(cn_world_save(sides[1].world, &snapshot, NULL));
        TestRandom then = random_numbers;
        CnEntity known[MOST];
        uint32_t known_count = count;
        memcpy(known, entities, sizeof known);
        for (int i = 0; i < 200; i++)
            step();
        uint64_t hash = cn_world_hash(sides[1].world);
        assert_true(cn_world_load(sides[1].world, snapshot.bytes, snapshot.size, NULL));
        assert_world_sound(sides[1].world);
        cn_snapshot_free(&snapshot);
        random_numbers = then;
        count = known_count;
        memcpy(entities, known, sizeof known);
        for (int i = 0; i < 200; i++)
            step();
        assert_int_equal(cn_world_hash(sides[1].world), hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_loaded_world_has_the_same_future, make_sides, drop_sides),
        cmocka_unit_test_setup_teardown(a_world_that_is_taken_back_repeats_itself, make_sides,
                                        drop_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

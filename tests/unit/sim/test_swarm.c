/* The demo swarm does what scenes/swarm/swarm.h says. */
#include "swarm_run.h"

#include <cairn/ecs/relation.h>

enum { WANTED = 1000, TICKS = 3000 };

/* ---- One long life, and what was seen in it ---- */

typedef struct Life {
    uint32_t fewest, most, wrong_counts;
    uint32_t off_the_torus, too_fast; /* NaN is both */
    uint32_t young, orphans, grown_with_parent;
    SwarmCounts counts;
} Life;

static Life life;

static CnQuery *query_of(CnSim *sim)
{
    CnQuery *query = cn_query_acquire(
        cn_sim_world(sim),
        &(CnQueryDesc){.all = {cn_reads(SwarmPosition), cn_reads(SwarmVelocity)}}, NULL);
    assert_non_null(query);
    return query;
}

static void look_at_places(CnSim *sim, CnQuery *query)
{
    const float size = cn_resource(cn_sim_world(sim), SwarmSettings)->size;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const SwarmPosition *p = cn_column_const(&view, SwarmPosition);
        const SwarmVelocity *v = cn_column_const(&view, SwarmVelocity);
        for (uint32_t i = 0; i < view.count; i++) {
            life.off_the_torus += !(p[i].x >= 0 && p[i].x < size && p[i].y >= 0 && p[i].y < size);
            life.too_fast += !(v[i].x * v[i].x + v[i].y * v[i].y <= 12.01f * 12.01f);
        }
    }
}

static void look_at_parents(CnSim *sim, CnQuery *query)
{
    const CnWorld *world = cn_sim_world(sim);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            bool young = cn_has(world, view.entities[i], SwarmYoung);
            CnEntity parent = cn_parent(world, view.entities[i]);
            life.young += young;
            life.orphans += young && !(parent.id && cn_get(world, parent, SwarmPosition));
            life.grown_with_parent += !young && parent.id;
        }
}

static int live(void **state)
{
    (void)state;
    CnSim *sim = start_swarm(WANTED, NULL);
    CnQuery *query = query_of(sim);
    life = (Life){.fewest = UINT32_MAX};
    while (cn_sim_tick(sim) < TICKS) {
        tick_swarm(sim);
        uint32_t count = cn_query_count(query);
        life.fewest = count < life.fewest ? count : life.fewest;
        life.most = count > life.most ? count : life.most;
        life.wrong_counts += cn_resource(cn_sim_world(sim), SwarmCounts)->alive != count;
        if (cn_sim_tick(sim) % 10 == 0)
            look_at_places(sim, query);
        if (cn_sim_tick(sim) % 50 == 0)
            look_at_parents(sim, query);
    }
    life.counts = *cn_resource(cn_sim_world(sim), SwarmCounts);
    cn_sim_destroy(sim);
    return 0;
}

static void the_number_of_boids_stays_near_the_number_wanted(void **state)
{
    (void)state;
    assert_in_range(life.fewest, WANTED * 4 / 5, WANTED);
    assert_in_range(life.most, WANTED, WANTED * 6 / 5);
}

static void boids_are_born_grow_up_and_die(void **state)
{
    (void)state;
    assert_true(life.counts.births > WANTED);
    assert_true(life.counts.deaths > WANTED);
    assert_true(life.counts.grown > WANTED / 2);
    assert_true(life.counts.grown < life.counts.births);
}

static void the_count_is_of_those_alive(void **state)
{
    (void)state;
    assert_int_equal(life.wrong_counts, 0);
}

static void the_young_have_parents_and_the_grown_have_none(void **state)
{
    (void)state;
    assert_true(life.young > 0);
    assert_int_equal(life.orphans, 0);
    assert_int_equal(life.grown_with_parent, 0);
}

static void boids_stay_on_the_torus(void **state)
{
    (void)state;
    assert_int_equal(life.off_the_torus, 0);
}

static void no_boid_is_too_fast(void **state)
{
    (void)state;
    assert_int_equal(life.too_fast, 0);
}

/* ---- The pointer ---- */

static float shorter_way(float difference, float size)
{
    difference = difference < 0 ? -difference : difference;
    return difference > 0.5f * size ? size - difference : difference;
}

/* How many boids are near the pointer after two seconds. */
static uint32_t count_near_pointer(bool pressed)
{
    CnError error = {0};
    CnSim *sim = start_swarm(300, NULL);
    CnQuery *query = query_of(sim);
    cn_input_mouse_move(cn_sim_input(sim), 0.5f, 0.5f, 0, 0);
    if (pressed)
        cn_input_mouse_button(cn_sim_input(sim), CN_MOUSE_LEFT, true);
    check_done(cn_sim_tick_n(sim, 120, &error), &error);
    const float size = cn_resource(cn_sim_world(sim), SwarmSettings)->size;
    uint32_t near = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const SwarmPosition *p = cn_column_const(&view, SwarmPosition);
        for (uint32_t i = 0; i < view.count; i++) {
            float dx = shorter_way(p[i].x - 0.5f * size, size);
            float dy = shorter_way(p[i].y - 0.5f * size, size);
            near += dx * dx + dy * dy < 6.0f * 6.0f;
        }
    }
    cn_sim_destroy(sim);
    return near;
}

static void a_pressed_button_scares_the_swarm(void **state)
{
    (void)state;
    assert_true(2 * count_near_pointer(true) < count_near_pointer(false));
}

/* ---- Adding ---- */

static void a_swarm_that_is_too_large_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = cn_sim_create(NULL, &error);
    assert_false(swarm_add(sim, &(SwarmDesc){SWARM_MAX_ENTITIES + 1}, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    cn_sim_destroy(sim);
}

static void a_second_swarm_is_refused_and_the_first_lives_on(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = start_swarm(100, NULL);
    assert_false(swarm_add(sim, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    play_swarm(sim, 10);
    assert_true(cn_resource(cn_sim_world(sim), SwarmCounts)->alive > 0);
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_boids_stays_near_the_number_wanted),
        cmocka_unit_test(boids_are_born_grow_up_and_die),
        cmocka_unit_test(the_count_is_of_those_alive),
        cmocka_unit_test(the_young_have_parents_and_the_grown_have_none),
        cmocka_unit_test(boids_stay_on_the_torus),
        cmocka_unit_test(no_boid_is_too_fast),
        cmocka_unit_test(a_pressed_button_scares_the_swarm),
        cmocka_unit_test(a_swarm_that_is_too_large_is_refused),
        cmocka_unit_test(a_second_swarm_is_refused_and_the_first_lives_on),
    };
    return cmocka_run_group_tests(tests, live, NULL);
}

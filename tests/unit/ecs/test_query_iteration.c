#include "world_internals.h"

CN_COMPONENT(Particle, (vec3, place), (u8, color, 4), (f32, age));

static CnQuery *movers(void)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Position), cn_reads(Velocity)}},
                            NULL);
}

/* ---- Chunks and columns ---- */

static void iteration_visits_every_row_of_every_matching_archetype_once(void **state)
{
    (void)state;
    CnEntity entities[3000];
    for (int i = 0; i < 3000; i++) {
        entities[i] =
            cn_spawn(world, cn_with(Position, {(float)i, 0, 0}), cn_with(Velocity, {1, 0, 0}));
        if (i % 3 == 1)
            cn_add(world, entities[i], Enemy);
        if (i % 3 == 2)
            cn_add(world, entities[i], Frozen);
    }
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(movers()); cn_query_next(&it, &view);) {
        Position *p = cn_column(&view, Position);
        const Velocity *v = cn_column_const(&view, Velocity);
        for (uint32_t i = 0; i < view.count; i++)
            p[i].x += v[i].x;
    }
    for (int i = 0; i < 3000; i++)
        assert_number_equal(cn_get(world, entities[i], Position)->x, i + 1);
}

static void a_view_holds_the_entities_beside_their_columns(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++)
        cn_set(world, cn_spawn(world, cn_with(Health, {0})), Health, {i, i});
    CnChunkView view = {0};
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            assert_ptr_equal(cn_get(world, view.entities[i], Health),
                             &cn_column_const(&view, Health)[i]);
}

static void empty_archetypes_are_skipped(void **state)
{
    (void)state;
    cn_destroy(world, cn_spawn(world, cn_with(Health, {0}), cn_with_tag(Enemy)));
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    assert_int_equal(cn_query_archetype_count(query), 2);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_entity_equal(view.entities[0], entity);
    assert_false(cn_query_next(&it, &view));
}

static void an_ended_iteration_stays_ended(void **state)
{
    (void)state;
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(movers());
    assert_false(cn_query_next(&it, &view));
    assert_false(cn_query_next(&it, &view));
}

static void a_column_of_tags_is_null(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {0}), cn_with_tag(Enemy));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health), cn_tag(Enemy)}}, NULL);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_null(cni_ecs_column_const(&view, &cn_type_Enemy, 0, 0));
}

static void an_optional_column_is_null_where_it_is_absent(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {1, 1}));
    cn_spawn(world, cn_with(Health, {2, 2}), cn_with(Mass, {70}));
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Health)}, .optional = {cn_writes(Mass)}}, NULL);
    CnChunkView view = {0};
    uint32_t with = 0, without = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        bool heavy = cn_column_const(&view, Health)->now == 2;
        assert_int_equal(cn_column(&view, Mass) != NULL, heavy);
        assert_int_equal(cn_column_const(&view, Mass) != NULL, heavy);
        *(heavy ? &with : &without) += view.count;
    }
    assert_int_equal(with, 1);
    assert_int_equal(without, 1);
}

static void alternatives_are_distinguished_by_their_columns(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {1, 1}));
    cn_spawn(world, cn_with(Mass, {2}));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.any = {cn_reads(Health), cn_reads(Mass)}}, NULL);
    CnChunkView view = {0};
    uint32_t rows = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view); rows++)
        assert_int_not_equal(cn_column_const(&view, Health) != NULL,
                             cn_column_const(&view, Mass) != NULL);
    assert_int_equal(rows, 2);
}

static void columns_are_typed(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(movers());
    assert_true(cn_query_next(&it, &view));
    assert_true(_Generic(cn_column(&view, Position), Position * : true, default : false));
    assert_true(
        _Generic(cn_column_const(&view, Velocity), const Velocity * : true, default : false));
}

static void fields_have_columns_of_their_own(void **state)
{
    (void)state;
    cn_register(world, Particle, .layout = CN_LAYOUT_FIELDS);
    for (int i = 0; i < 3000; i++)
        cn_spawn(world, cn_with(Particle, {{(float)i, 0, 0}, {1, 2, 3, 4}, 0}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Particle)}}, NULL);
    CnChunkView view = {0};
    uint32_t seen = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnVec3 *place = cn_field_const(&view, Particle, place);
        const uint8_t(*color)[4] = cn_field_const(&view, Particle, color);
        float *age = cn_field(&view, Particle, age);
        for (uint32_t i = 0; i < view.count; i++) {
            Particle whole;
            age[i] = place[i].x;
            assert_true(cn_read(world, view.entities[i], Particle, &whole));
            assert_number_equal(whole.place.x, place[i].x);
            assert_number_equal(whole.age, place[i].x);
            assert_int_equal(color[i][3], 4);
            seen++;
        }
    }
    assert_int_equal(seen, 3000);
}

static void iteration_allocates_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++)
        cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    CnQuery *query = movers();
    uint64_t calls = heap_calls();
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        cn_column(&view, Position)->x++;
    assert_int_equal(heap_calls(), calls);
}

/* ---- Components known only at run time ---- */

static void columns_are_reached_by_id(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 2}));
    CnComponent health = cn_id(world, Health);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes_id(health)}}, NULL);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_ptr_equal(cn_column_by_id(&view, health, NULL), cn_get(world, entity, Health));
    ((Health *)cn_column_by_id_mut(&view, health, NULL))->most = 9;
    assert_int_equal(cn_get(world, entity, Health)->most, 9);
}

static void fields_are_reached_by_id_and_name(void **state)
{
    (void)state;
    CnComponent health = cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    cn_spawn(world, cn_with(Health, {1, 2}));
    cn_spawn(world, cn_with(Health, {3, 4}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes_id(health)}}, NULL);
    const CnField *most = cn_component_field(world, health, "most");
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    int32_t *column = cn_column_by_id_mut(&view, health, most);
    assert_int_equal(column[0], 2);
    assert_int_equal(column[1], 4);
    assert_ptr_equal(cn_column_by_id(&view, health, most), column);
}

static void a_query_made_by_id_gives_columns_by_type(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {1, 2}));
    CnComponent health = cn_id(world, Health);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes_id(health)}}, NULL);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_int_equal(cn_column_const(&view, Health)->most, 2);
    assert_ptr_equal(cn_column(&view, Health), cn_column_const(&view, Health));
}

/* ---- Changed since ---- */

static uint32_t changed_rows(const CnQuery *query, uint64_t since)
{
    uint32_t rows = 0;
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter_changed(query, since); cn_query_next(&it, &view);)
        rows += view.count;
    return rows;
}

static void since_zero_everything_has_changed(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {0}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    assert_int_equal(changed_rows(query, 0), 1);
    assert_int_equal(changed_rows(query, cn_world_tick(world)), 0);
}

static void a_tick_tells_later_writes_from_earlier_ones(void **state)
{
    (void)state;
    uint64_t tick = cn_world_tick(world);
    assert_true(tick > 0);
    assert_int_equal(cn_world_advance_tick(world), tick + 1);
    assert_int_equal(cn_world_tick(world), tick + 1);
}

static void only_the_chunks_that_were_written_have_changed(void **state)
{
    (void)state;
    CnEntity entities[5000];
    cn_spawn_many(world, 5000, entities, cn_with(Position, {0}), cn_with(Velocity, {0}));
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_set(world, entities[4999], Position, {1, 1, 1});
    CnQuery *query = movers();
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter_changed(query, since);
    assert_true(cn_query_next(&it, &view));
    assert_ptr_equal(view.entities, cni_ecs_chunk_entities(chunk_of(entities[4999])));
    assert_false(cn_query_next(&it, &view));
}

static void taking_a_column_to_write_marks_it_and_to_read_does_not(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(movers());
    assert_true(cn_query_next(&it, &view));
    cn_column_const(&view, Velocity);
    cn_column_const(&view, Position);
    assert_int_equal(changed_rows(movers(), since), 0);
    cn_column(&view, Position);
    assert_int_equal(changed_rows(movers(), since), 1);
}

static void what_another_component_does_is_not_a_change(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}), cn_with(Mass, {0}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_set(world, entity, Mass, {5});
    assert_int_equal(changed_rows(query, since), 0);
}

static void a_component_that_is_required_without_access_is_not_watched(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}), cn_with(Mass, {0}));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health), cn_tag(Mass)}}, NULL);
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_set(world, entity, Mass, {5});
    assert_int_equal(changed_rows(query, since), 0);
    cn_set(world, entity, Health, {5, 5});
    assert_int_equal(changed_rows(query, since), 1);
}

static void an_optional_component_is_watched(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}), cn_with(Mass, {0}));
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Health)}, .optional = {cn_reads(Mass)}}, NULL);
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_set(world, entity, Mass, {5});
    assert_int_equal(changed_rows(query, since), 1);
}

static void a_write_by_id_is_a_change(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {0}));
    CnComponent health = cn_id(world, Health);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes_id(health)}}, NULL);
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    cn_query_next(&it, &view);
    cn_column_by_id(&view, health, NULL);
    assert_int_equal(changed_rows(query, since), 0);
    cn_column_by_id_mut(&view, health, NULL);
    assert_int_equal(changed_rows(query, since), 1);
}

static void a_moved_entity_brings_its_change_along(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health), cn_tag(Enemy)}}, NULL);
    cn_spawn(world, cn_with(Health, {0}), cn_with_tag(Enemy));
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_add(world, entity, Enemy);
    assert_int_equal(changed_rows(query, since), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(iteration_visits_every_row_of_every_matching_archetype_once),
        WORLD_TEST(a_view_holds_the_entities_beside_their_columns),
        WORLD_TEST(empty_archetypes_are_skipped),
        WORLD_TEST(an_ended_iteration_stays_ended),
        WORLD_TEST(a_column_of_tags_is_null),
        WORLD_TEST(an_optional_column_is_null_where_it_is_absent),
        WORLD_TEST(alternatives_are_distinguished_by_their_columns),
        WORLD_TEST(columns_are_typed),
        WORLD_TEST(fields_have_columns_of_their_own),
        WORLD_TEST(iteration_allocates_nothing),
        WORLD_TEST(columns_are_reached_by_id),
        WORLD_TEST(fields_are_reached_by_id_and_name),
        WORLD_TEST(a_query_made_by_id_gives_columns_by_type),
        WORLD_TEST(since_zero_everything_has_changed),
        WORLD_TEST(a_tick_tells_later_writes_from_earlier_ones),
        WORLD_TEST(only_the_chunks_that_were_written_have_changed),
        WORLD_TEST(taking_a_column_to_write_marks_it_and_to_read_does_not),
        WORLD_TEST(what_another_component_does_is_not_a_change),
        WORLD_TEST(a_component_that_is_required_without_access_is_not_watched),
        WORLD_TEST(an_optional_component_is_watched),
        WORLD_TEST(a_write_by_id_is_a_change),
        WORLD_TEST(a_moved_entity_brings_its_change_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The order of rows, which queries, snapshots and state hashes show, follows from the operations
 * alone: not from how memory for them grows. Random operations on rows so wide that few of them
 * pass every size of memory, beside a model that has nothing but lists. */
#include "../../unit/ecs/world_internals.h"

#include "check_world.h"
#include "random.h"

#include <stdlib.h>

CN_COMPONENT(Wide, (u32, words, 120)); /* 64 rows to a chunk */

#define ARCHETYPES 4u
#define MAX_ROWS 16384u

typedef struct Rows {
    CnEntity ids[MAX_ROWS];
    uint32_t count;
} Rows;

static Rows lists[ARCHETYPES]; /* by tags: 1 Frozen, 2 Enemy */
static uint32_t total;

static uint32_t rows_of_a_chunk(void)
{
    return CN_CHUNK_BYTES / (uint32_t)(sizeof(Wide) + sizeof(CnEntity)) / CN_CHUNK_MIN_ROWS *
           CN_CHUNK_MIN_ROWS;
}

/* ---- The model ---- */

static void append(Rows *rows, const CnEntity *ids, uint32_t count)
{
    assert_true(rows->count + count <= MAX_ROWS);
    memcpy(rows->ids + rows->count, ids, count * sizeof *ids);
    rows->count += count;
}

static void erase(Rows *rows, uint32_t row)
{
    rows->ids[row] = rows->ids[--rows->count];
}

/* Full chunks arrive behind the full ones, before the rest. The rest of the source follows: what
 * does not fit into the last chunk is its beginning. */
static void move_all(Rows *from, Rows *to)
{
    uint32_t chunk = rows_of_a_chunk(), full = from->count / chunk * chunk;
    uint32_t at = to->count / chunk * chunk, behind = to->count - at, rest = from->count - full;
    assert_true(to->count + from->count <= MAX_ROWS);
    memmove(to->ids + at + full, to->ids + at, behind * sizeof *to->ids);
    memcpy(to->ids + at, from->ids, full * sizeof *to->ids);
    to->count += full;
    uint32_t room = chunk - behind, late = rest > room ? rest - room : 0;
    append(to, from->ids + full + late, rest - late);
    append(to, from->ids + full, late);
    from->count = 0;
}

/* ---- Beside the world ---- */

static CnQuery *query_of(uint32_t tags)
{
    CnQueryDesc desc = {.all = {cn_reads(Wide)}};
    CnTerm frozen = cn_tag(Frozen), enemy = cn_tag(Enemy);
    *(tags & 1u ? &desc.all[1] : &desc.none[0]) = frozen;
    *(tags & 2u ? &desc.all[1 + (tags & 1u)] : &desc.none[!(tags & 1u)]) = enemy;
    return cn_query_acquire(world, &desc, NULL);
}

static void assert_rows_equal(uint32_t tags)
{
    const Rows *rows = &lists[tags];
    CnChunkView view;
    uint32_t row = 0;
    for (CnQueryIter it = cn_query_iter(query_of(tags)); cn_query_next(&it, &view);) {
        const Wide *wide = cn_column_const(&view, Wide);
        for (uint32_t i = 0; i < view.count; i++, row++) {
            assert_true(row < rows->count);
            assert_entity_equal(view.entities[i], rows->ids[row]);
            assert_int_equal(wide[i].words[0], cn_entity_index(rows->ids[row]));
            assert_int_equal(wide[i].words[119], cn_entity_generation(rows->ids[row]));
            assert_ptr_equal(cn_get(world, rows->ids[row], Wide), &wide[i]);
        }
    }
    assert_int_equal(row, rows->count);
}

static void write_value(CnEntity id)
{
    Wide *wide = cn_get_mut(world, id, Wide);
    wide->words[0] = cn_entity_index(id);
    wide->words[119] = cn_entity_generation(id);
}

static void spawn(uint32_t tags, uint32_t count)
{
    static CnEntity ids[MAX_ROWS];
    if (total + count > MAX_ROWS)
        return;
    const CnValue values[] = {cn_with_default(Wide), cn_with_tag(Frozen), cn_with_tag(Enemy)};
    CnValue chosen[3] = {values[0]};
    uint32_t n = 1;
    for (uint32_t t = 0; t < 2; t++)
        if (tags >> t & 1u)
            chosen[n++] = values[t + 1];
    assert_true(cn_spawn_many_values(world, count, ids, chosen, n));
    for (uint32_t i = 0; i < count; i++)
        write_value(ids[i]);
    append(&lists[tags], ids, count);
    total += count;
}

static void destroy(uint32_t tags, uint32_t row)
{
    assert_true(cn_destroy(world, lists[tags].ids[row]));
    erase(&lists[tags], row);
    total--;
}

static void toggle(uint32_t tags, uint32_t row, uint32_t tag)
{
    CnEntity id = lists[tags].ids[row];
    CnComponent component = tag ? cn_id(world, Enemy) : cn_id(world, Frozen);
    assert_true(tags >> tag & 1u ? cn_remove_component(world, id, component)
                                 : cn_add_component(world, id, component));
    append(&lists[tags ^ 1u << tag], &id, 1);
    erase(&lists[tags], row);
}

static void toggle_all(uint32_t tags, uint32_t tag)
{
    CnComponent component = tag ? cn_id(world, Enemy) : cn_id(world, Frozen);
    assert_true(tags >> tag & 1u ? cn_query_remove(query_of(tags), component)
                                 : cn_query_set(query_of(tags), (CnValue){.component = component}));
    move_all(&lists[tags], &lists[tags ^ 1u << tag]);
}

static void random_operation(TestRandom *random)
{
    uint32_t tags = test_random_below(random, ARCHETYPES), kind = test_random_below(random, 100);
    uint32_t count = test_random_below(random, kind % 2 ? 40 : 1500);
    if (kind < 30)
        spawn(tags, count);
    else if (kind < 60)
        while (lists[tags].count && count--)
            destroy(tags, test_random_below(random, lists[tags].count));
    else if (kind < 80)
        for (uint32_t tag = kind % 2; lists[tags].count && count; count--)
            toggle(tags, test_random_below(random, lists[tags].count), tag);
    else if (kind < 97)
        toggle_all(tags, kind % 2);
    else
        cn_world_trim(world);
}

static void rows_are_in_the_order_of_the_operations_at_every_size(void **state)
{
    (void)state;
    assert_int_equal(rows_of_a_chunk(), 64);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TestRandom random = {seed};
        for (uint32_t i = 0; i < 150; i++) {
            random_operation(&random);
            assert_world_sound(world);
            for (uint32_t tags = 0; tags < ARCHETYPES; tags++)
                assert_rows_equal(tags);
        }
        for (uint32_t tags = 0; tags < ARCHETYPES; tags++)
            while (lists[tags].count)
                destroy(tags, 0);
    }
}

/* ---- Whole archetypes, of every size, onto every size ---- */

static const uint32_t sizes[] = {0,   1,    63,   64,   65,   127,  130,
                                 700, 1024, 1100, 2048, 2049, 2500, 4500};

static void an_archetype_moves_onto_another_in_the_same_order_at_every_size(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < CN_COUNT_OF(sizes); a++)
        for (uint32_t b = 0; b < CN_COUNT_OF(sizes); b++) {
            spawn(0, sizes[a]);
            spawn(1, sizes[b]);
            toggle_all(0, 0);
            assert_rows_equal(0);
            assert_rows_equal(1);
            assert_world_sound(world);
            for (uint32_t i = 0; lists[1].count; i++)
                destroy(1, i % 2 ? 0 : lists[1].count - 1);
            assert_world_sound(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(rows_are_in_the_order_of_the_operations_at_every_size),
        WORLD_TEST(an_archetype_moves_onto_another_in_the_same_order_at_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

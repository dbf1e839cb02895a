/* Between two snapshots: matching and interpolation. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/sim/extract.h>

#include <math.h>
#include <string.h>

#define MOST 400u

static CnSnapshotMatch match;

static int make_match(void **state)
{
    (void)state;
    cn_snapshot_match_init(&match, NULL);
    return 0;
}

static int drop_match(void **state)
{
    (void)state;
    cn_snapshot_match_fini(&match);
    return 0;
}

#define MATCH_TEST(name) cmocka_unit_test_setup_teardown(name, make_match, drop_match)

typedef struct TestSnapshot {
    CnRenderItem items[MOST];
    CnRenderSnapshot snapshot;
} TestSnapshot;

static void fill_snapshot(TestSnapshot *shown, const uint64_t *ids, uint32_t count)
{
    memset(shown, 0, sizeof *shown);
    for (uint32_t i = 0; i < count; i++)
        shown->items[i].entity.id = ids[i];
    shown->snapshot.items = shown->items;
    shown->snapshot.item_count = count;
}

#define IDS(...) (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8

static void expect_matches(const uint64_t *before, uint32_t before_count, const uint64_t *now,
                           uint32_t now_count, const uint32_t *expected)
{
    static TestSnapshot previous, current;
    fill_snapshot(&previous, before, before_count);
    fill_snapshot(&current, now, now_count);
    assert_true(cn_snapshot_match(&match, &previous.snapshot, &current.snapshot));
    assert_int_equal(match.previous.count, now_count);
    for (uint32_t i = 0; i < now_count; i++)
        assert_int_equal(match.previous.items[i], expected[i]);
}

#define NONE CN_NO_MATCH

static void items_in_the_same_order_match_one_to_one(void **state)
{
    (void)state;
    expect_matches(IDS(11, 12, 13), IDS(11, 12, 13), (uint32_t[]){0, 1, 2});
}

static void items_match_in_any_order(void **state)
{
    (void)state;
    expect_matches(IDS(11, 12, 13, 14), IDS(14, 12, 11, 13), (uint32_t[]){3, 1, 0, 2});
}

static void an_item_that_is_new_has_no_match(void **state)
{
    (void)state;
    expect_matches(IDS(11, 12), IDS(11, 99, 12), (uint32_t[]){0, NONE, 1});
}

static void a_removed_item_matches_nothing(void **state)
{
    (void)state;
    expect_matches(IDS(11, 12, 13), IDS(11, 13), (uint32_t[]){0, 2});
}

static void another_generation_is_another_entity(void **state)
{
    (void)state;
    expect_matches(IDS(1ull << 32 | 5), IDS(3ull << 32 | 5), (uint32_t[]){NONE});
}

static void items_without_an_entity_match_nothing(void **state)
{
    (void)state;
    expect_matches(IDS(0, 0, 11, 12), IDS(0, 0, 12, 0), (uint32_t[]){NONE, NONE, 3, NONE});
}

static void the_nth_item_of_an_entity_matches_its_nth(void **state)
{
    (void)state;
    expect_matches(IDS(11, 12, 11, 12, 11), IDS(12, 11, 11, 12, 12, 11),
                   (uint32_t[]){1, 0, 2, 3, NONE, 4});
}

static void without_a_previous_snapshot_nothing_matches(void **state)
{
    (void)state;
    static TestSnapshot current;
    fill_snapshot(&current, IDS(11, 12));
    assert_true(cn_snapshot_match(&match, NULL, &current.snapshot));
    assert_int_equal(match.previous.count, 2);
    assert_int_equal(match.previous.items[0], NONE);
    assert_int_equal(match.previous.items[1], NONE);
}

static void empty_snapshots_match(void **state)
{
    (void)state;
    static TestSnapshot nothing, something;
    fill_snapshot(&nothing, NULL, 0);
    fill_snapshot(&something, IDS(11));
    assert_true(cn_snapshot_match(&match, &nothing.snapshot, &nothing.snapshot));
    assert_int_equal(match.previous.count, 0);
    assert_true(cn_snapshot_match(&match, &nothing.snapshot, &something.snapshot));
    assert_int_equal(match.previous.items[0], NONE);
    assert_true(cn_snapshot_match(&match, &something.snapshot, &nothing.snapshot));
    assert_int_equal(match.previous.count, 0);
}

/* The plain way: for each item, the first of the same entity that is not taken yet. */
static uint32_t naive(const TestSnapshot *previous, const TestSnapshot *current, uint32_t *expected)
{
    bool taken[MOST] = {false};
    for (uint32_t i = 0; i < current->snapshot.item_count; i++) {
        CnEntity entity = current->items[i].entity;
        expected[i] = NONE;
        for (uint32_t j = 0; j < previous->snapshot.item_count && entity.id; j++)
            if (!taken[j] && previous->items[j].entity.id == entity.id) {
                taken[j] = true;
                expected[i] = j;
                break;
            }
    }
    return current->snapshot.item_count;
}

static void matching_is_the_same_as_the_plain_way(void **state)
{
    (void)state;
    static TestSnapshot previous, current;
    TestRandom random = {1};
    for (uint32_t round = 0; round < 200; round++) {
        uint64_t before[MOST], now[MOST];
        uint32_t range = 1 + test_random_below(&random, 2 * MOST);
        uint32_t same = test_random_below(&random, MOST);
        for (uint32_t i = 0; i < MOST; i++) {
            before[i] = test_random_below(&random, range) * 0x100000001ull;
            now[i] = i < same ? before[i] : test_random_below(&random, range) * 0x100000001ull;
        }
        fill_snapshot(&previous, before, test_random_below(&random, MOST + 1));
        fill_snapshot(&current, now, test_random_below(&random, MOST + 1));
        uint32_t expected[MOST];
        uint32_t count = naive(&previous, &current, expected);
        assert_true(cn_snapshot_match(&match, &previous.snapshot, &current.snapshot));
        assert_int_equal(match.previous.count, count);
        assert_memory_equal(match.previous.items, expected, count * sizeof *expected);
    }
}

static void matching_again_makes_no_heap_call(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnSnapshotMatch own;
    cn_snapshot_match_init(&own, cn_heap_tag(heap, "match"));
    static TestSnapshot previous, current;
    fill_snapshot(&previous, IDS(11, 12, 13, 14, 15));
    fill_snapshot(&current, IDS(15, 12, 13, 14, 11));
    assert_true(cn_snapshot_match(&own, &previous.snapshot, &current.snapshot));
    uint64_t calls = cn_heap_stats(heap).calls;
    for (int i = 0; i < 10; i++)
        assert_true(cn_snapshot_match(&own, &previous.snapshot, &current.snapshot));
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    cn_snapshot_match_fini(&own);
    cn_heap_destroy(heap);
}

/* ---- Interpolation ---- */

#define assert_near(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-6)

static const CnRenderItem here = {
    .position = {1, 2, 3}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .mesh = 1, .flags = 1};
static const CnRenderItem there = {
    .position = {3, 2, -1}, .rotation = {0, 1, 0, 0}, .scale = {1, 3, 1}, .mesh = 2, .flags = 2};

static void position_and_scale_go_straight(void **state)
{
    (void)state;
    CnRenderItem between;
    cn_render_item_lerp(&here, &there, 0.25f, &between);
    assert_near(between.position.x, 1.5);
    assert_near(between.position.y, 2);
    assert_near(between.position.z, 2);
    assert_near(between.scale.y, 1.5);
}

static void everything_else_is_the_current_one(void **state)
{
    (void)state;
    CnRenderItem between;
    cn_render_item_lerp(&here, &there, 0, &between);
    assert_int_equal(between.mesh, 2);
    assert_int_equal(between.flags, 2);
}

static void alpha_0_is_the_previous_place(void **state)
{
    (void)state;
    CnRenderItem between;
    cn_render_item_lerp(&here, &there, 0, &between);
    assert_memory_equal(&between.position, &here.position, sizeof between.position);
    assert_memory_equal(&between.rotation, &here.rotation, sizeof between.rotation);
    assert_memory_equal(&between.scale, &here.scale, sizeof between.scale);
}

static void what_rests_is_exact_at_every_alpha(void **state)
{
    (void)state;
    CnRenderItem rests = here, between;
    rests.position = (CnVec3){0.1f, 1e7f, -3.3f};
    for (int i = 0; i <= 100; i++) {
        cn_render_item_lerp(&rests, &rests, (float)i / 100, &between);
        assert_memory_equal(&between, &rests, sizeof rests);
    }
}

static void rotations_stay_of_length_1(void **state)
{
    (void)state;
    for (int i = 0; i <= 10; i++) {
        CnRenderItem between;
        cn_render_item_lerp(&here, &there, (float)i / 10, &between);
        CnQuat q = between.rotation;
        assert_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1);
    }
}

static void rotations_take_the_shorter_way(void **state)
{
    (void)state;
    CnRenderItem turned = here, between;
    turned.rotation = (CnQuat){0, 0, -0.6f, -0.8f}; /* the same as (0, 0, 0.6, 0.8) */
    cn_render_item_lerp(&here, &turned, 0.5f, &between);
    assert_near(between.rotation.z, 0.6 / sqrt(3.6));
    assert_near(between.rotation.w, 1.8 / sqrt(3.6));
}

static void rotations_that_cancel_out_give_the_current_one(void **state)
{
    (void)state;
    CnRenderItem a = here, b = here, between;
    a.rotation = b.rotation = (CnQuat){0, 0, 0, 0};
    cn_render_item_lerp(&a, &b, 0.5f, &between);
    assert_memory_equal(&between.rotation, &b.rotation, sizeof b.rotation);
}

static void the_result_may_replace_an_argument(void **state)
{
    (void)state;
    CnRenderItem between, a = here, b = there;
    cn_render_item_lerp(&here, &there, 0.3f, &between);
    cn_render_item_lerp(&a, &there, 0.3f, &a);
    cn_render_item_lerp(&here, &b, 0.3f, &b);
    assert_memory_equal(&a, &between, sizeof a);
    assert_memory_equal(&b, &between, sizeof b);
}

static void cameras_are_interpolated_too(void **state)
{
    (void)state;
    CnRenderCamera a = {true, {0, 0, 0}, {0, 0, 0, 1}, 1, 1, 100, 0, 0};
    CnRenderCamera b = {true, {2, 4, 6}, {0, 0, 0, 1}, 2, 3, 300, 0, 0}, between;
    cn_render_camera_lerp(&a, &b, 0.5f, &between);
    assert_true(between.valid);
    assert_near(between.position.z, 3);
    assert_near(between.fov, 1.5);
    assert_near(between.near_plane, 2);
    assert_near(between.far_plane, 200);
}

static void orthographic_cameras_are_interpolated_by_height(void **state)
{
    (void)state;
    CnRenderCamera a = {.valid = true, .height = 10, .aspect = 1};
    CnRenderCamera b = {.valid = true, .height = 20, .aspect = 2}, between;
    cn_render_camera_lerp(&a, &b, 0.5f, &between);
    assert_near(between.height, 15);
    assert_near(between.aspect, 2);
}

static void between_two_projections_there_is_the_later_one(void **state)
{
    (void)state;
    CnRenderCamera a = {.valid = true, .height = 10}, b = {.valid = true, .fov = 1}, between;
    cn_render_camera_lerp(&a, &b, 0.5f, &between);
    assert_near(between.height, 0);
    cn_render_camera_lerp(&b, &a, 0.5f, &between);
    assert_near(between.height, 10);
}

static void a_camera_that_was_not_there_does_not_count(void **state)
{
    (void)state;
    CnRenderCamera a = {0}, b = {true, {2, 4, 6}, {0, 0, 0, 1}, 2, 3, 300, 0, 0}, between;
    cn_render_camera_lerp(&a, &b, 0.5f, &between);
    assert_near(between.position.z, 6);
    cn_render_camera_lerp(&b, &a, 0.5f, &between);
    assert_false(between.valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MATCH_TEST(items_in_the_same_order_match_one_to_one),
        MATCH_TEST(items_match_in_any_order),
        MATCH_TEST(an_item_that_is_new_has_no_match),
        MATCH_TEST(a_removed_item_matches_nothing),
        MATCH_TEST(another_generation_is_another_entity),
        MATCH_TEST(items_without_an_entity_match_nothing),
        MATCH_TEST(the_nth_item_of_an_entity_matches_its_nth),
        MATCH_TEST(without_a_previous_snapshot_nothing_matches),
        MATCH_TEST(empty_snapshots_match),
        MATCH_TEST(matching_is_the_same_as_the_plain_way),
        MATCH_TEST(matching_again_makes_no_heap_call),
        MATCH_TEST(position_and_scale_go_straight),
        MATCH_TEST(everything_else_is_the_current_one),
        MATCH_TEST(alpha_0_is_the_previous_place),
        MATCH_TEST(what_rests_is_exact_at_every_alpha),
        MATCH_TEST(rotations_stay_of_length_1),
        MATCH_TEST(rotations_take_the_shorter_way),
        MATCH_TEST(rotations_that_cancel_out_give_the_current_one),
        MATCH_TEST(the_result_may_replace_an_argument),
        MATCH_TEST(cameras_are_interpolated_too),
        MATCH_TEST(orthographic_cameras_are_interpolated_by_height),
        MATCH_TEST(between_two_projections_there_is_the_later_one),
        MATCH_TEST(a_camera_that_was_not_there_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

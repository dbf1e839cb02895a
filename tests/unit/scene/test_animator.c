/* Clips: time passes in them tick by tick, and those who draw see where they are. */
#include "camera_fixture.h"

static CnOutbox *outbox;
static uint64_t tick;

static int make_all(void **state)
{
    if (make_eyes(state))
        return -1;
    tick = 0;
    outbox = cn_outbox_create(&(CnOutboxDesc){.allocator = cn_heap_tag(heap, "outbox")}, NULL);
    return outbox && cn_extract_add(world, outbox, NULL) ? 0 : -1;
}

static int drop_all(void **state)
{
    cn_outbox_destroy(outbox);
    return drop_eyes(state);
}

#define ANIMATOR_TEST(name) cmocka_unit_test_setup_teardown(name, make_all, drop_all)

static CnRenderItem run_tick(float dt)
{
    cn_outbox_begin(outbox, ++tick, 0);
    assert_true(cn_world_update(world, dt, NULL));
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
    assert_int_equal(pair.current->render.item_count, 1);
    return pair.current->render.items[0];
}

static CnEntity make_fox(CnAnimator animator)
{
    CnEntity fox = cn_object(world, "Fox");
    cn_set(world, fox, CnMeshRenderer, {.mesh = "assets://fox.glb", .visible = true});
    cn_set_component(world, fox, cn_id(world, CnAnimator), &animator);
    return fox;
}

static float seconds_after(CnAnimator animator, float dt)
{
    CnEntity fox = make_fox(animator);
    run_tick(dt);
    return cn_get(world, fox, CnAnimator)->seconds;
}

static void a_new_one_plays_the_first_clip(void **state)
{
    (void)state;
    CnEntity fox = cn_object(world, "Fox");
    cn_add(world, fox, CnAnimator);
    const CnAnimator *animator = cn_get(world, fox, CnAnimator);
    assert_true(animator->clip == 0 && animator->seconds == 0 && animator->speed == 1);
    assert_true(animator->playing);
}

static void time_passes_at_its_speed(void **state)
{
    (void)state;
    assert_true(seconds_after((CnAnimator){.seconds = 1, .speed = 2, .playing = true}, 0.25f) ==
                1.5f);
}

static void time_stands_still_in_what_does_not_play(void **state)
{
    (void)state;
    assert_true(seconds_after((CnAnimator){.seconds = 1, .speed = 2}, 0.25f) == 1);
}

static void time_stands_still_in_what_is_switched_off(void **state)
{
    (void)state;
    CnEntity fox = make_fox((CnAnimator){.speed = 1, .playing = true});
    run_tick(0.25f);
    cn_object_set_enabled(world, fox, false);
    assert_true(cn_world_update(world, 0.25f, NULL));
    assert_true(cn_get(world, fox, CnAnimator)->seconds == 0.25f);
}

static void time_wraps_forwards(void **state)
{
    (void)state;
    CnAnimator animator = {.seconds = CN_ANIMATION_WRAP - 0.25f, .speed = 1, .playing = true};
    assert_true(seconds_after(animator, 0.5f) == 0.25f);
}

static void time_wraps_backwards(void **state)
{
    (void)state;
    assert_true(seconds_after((CnAnimator){.speed = -1, .playing = true}, 0.5f) ==
                CN_ANIMATION_WRAP - 0.5f);
}

static void a_time_that_makes_no_sense_starts_over(void **state)
{
    (void)state;
    assert_true(seconds_after((CnAnimator){.seconds = 1e30f, .speed = 1, .playing = true}, 0.5f) ==
                0);
}

static void items_say_clip_and_time(void **state)
{
    (void)state;
    make_fox((CnAnimator){.clip = 2, .speed = 1, .playing = true});
    assert_int_equal(run_tick(0.5f).value, 3u << 24 | 512);
}

static void items_without_an_animator_are_in_rest(void **state)
{
    (void)state;
    CnEntity fox = cn_object(world, "Fox");
    cn_set(world, fox, CnMeshRenderer, {.mesh = "assets://fox.glb", .visible = true});
    assert_int_equal(run_tick(0.5f).value, 0);
}

static void a_clip_that_no_value_can_say_is_rest(void **state)
{
    (void)state;
    assert_int_equal(cn_animation_value(CN_ANIMATION_CLIPS, 1), 0);
    assert_int_equal(cn_animation_value(0, -1), 1u << 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ANIMATOR_TEST(a_new_one_plays_the_first_clip),
        ANIMATOR_TEST(time_passes_at_its_speed),
        ANIMATOR_TEST(time_stands_still_in_what_does_not_play),
        ANIMATOR_TEST(time_stands_still_in_what_is_switched_off),
        ANIMATOR_TEST(time_wraps_forwards),
        ANIMATOR_TEST(time_wraps_backwards),
        ANIMATOR_TEST(a_time_that_makes_no_sense_starts_over),
        ANIMATOR_TEST(items_say_clip_and_time),
        ANIMATOR_TEST(items_without_an_animator_are_in_rest),
        ANIMATOR_TEST(a_clip_that_no_value_can_say_is_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

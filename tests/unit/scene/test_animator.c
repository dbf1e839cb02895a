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

/* ---- Playing clips ---- */

static const CnAnimator *play_and_run(CnEntity fox, CnAnimationPlay play, uint32_t ticks)
{
    assert_true(cn_animator_play(world, fox, &play));
    for (uint32_t i = 0; i < ticks; i++)
        run_tick(0.25f);
    return cn_get(world, fox, CnAnimator);
}

static CnEntity walking_fox(void)
{
    return make_fox((CnAnimator){.clip = 1, .seconds = 3, .speed = 2, .playing = true});
}

static void a_clip_that_is_played_begins_at_its_start(void **state)
{
    (void)state;
    const CnAnimator *animator = play_and_run(walking_fox(), (CnAnimationPlay){.clip = 4}, 1);
    assert_int_equal(animator->clip, 4);
    assert_true(animator->seconds == 0.25f && animator->speed == 1 && animator->playing);
    assert_true(animator->blend_left == 0);
}

static void playing_adds_the_component(void **state)
{
    (void)state;
    CnEntity fox = cn_object(world, "Fox");
    assert_true(cn_animator_play(world, fox, &(CnAnimationPlay){.clip = 2, .blend = 1}));
    assert_int_equal(cn_get(world, fox, CnAnimator)->clip, 2);
    assert_true(cn_get(world, fox, CnAnimator)->blend_left == 0);
    cn_destroy(world, fox);
    assert_false(cn_animator_play(world, fox, &(CnAnimationPlay){.clip = 2}));
}

static void the_clip_before_continues_during_a_transition(void **state)
{
    (void)state;
    const CnAnimator *animator =
        play_and_run(walking_fox(), (CnAnimationPlay){.clip = 4, .blend = 1}, 2);
    assert_int_equal(animator->from_clip, 1);
    assert_true(animator->from_seconds == 4 && animator->seconds == 0.5f);
    assert_true(animator->blend_left == 0.5f && animator->blend == 1);
}

static void snapshots_have_both_clips_of_a_transition(void **state)
{
    (void)state;
    CnEntity fox = walking_fox();
    play_and_run(fox, (CnAnimationPlay){.clip = 4, .blend = 1}, 1);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    const CnRenderSnapshot *snapshot = &pair.current->render;
    assert_int_equal(snapshot->blend_count, 1);
    assert_int_equal(snapshot->blends[0].entity.id, fox.id);
    assert_int_equal(snapshot->blends[0].value, cn_animation_value(1, 3.5));
    assert_true(snapshot->blends[0].weight == 0.75f);
    cn_outbox_release(outbox);
    play_and_run(fox, (CnAnimationPlay){.clip = 4}, 1);
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_int_equal(pair.current->render.blend_count, 0);
    cn_outbox_release(outbox);
}

static void a_clip_played_once_ends_in_the_tick_of_its_length(void **state)
{
    (void)state;
    CnEntity fox = walking_fox();
    CnAnimationPlay play = {.clip = 4, .mode = CN_ANIMATION_ONCE, .length = 1};
    const CnAnimator *animator = play_and_run(fox, play, 3);
    assert_false(animator->ended);
    run_tick(0.25f);
    assert_true(animator->ended && !animator->playing);
    assert_int_equal(animator->ended_clip, 4);
    assert_int_equal(cn_animation_value(4, (double)animator->seconds), 5u << 24 | 1023);
    run_tick(0.25f);
    assert_false(animator->ended);
}

static void sixty_ticks_of_a_sixtieth_are_a_second(void **state)
{
    (void)state;
    CnEntity fox = walking_fox();
    CnAnimationPlay play = {.clip = 4, .mode = CN_ANIMATION_ONCE, .length = 1};
    assert_true(cn_animator_play(world, fox, &play));
    uint32_t ticks = 0;
    do
        run_tick(1.0f / 60);
    while (++ticks < 100 && !cn_get(world, fox, CnAnimator)->ended);
    assert_int_equal(ticks, 60);
}

static void a_clip_played_backwards_ends_at_its_start(void **state)
{
    (void)state;
    CnAnimationPlay play = {.clip = 4, .mode = CN_ANIMATION_ONCE, .length = 1, .speed = -2};
    const CnAnimator *animator = play_and_run(walking_fox(), play, 2);
    assert_true(animator->ended && animator->seconds == 0);
}

static void the_clip_before_returns_after_the_end(void **state)
{
    (void)state;
    CnAnimationPlay play = {.clip = 4, .mode = CN_ANIMATION_RETURN, .length = 1, .blend = 0.5f};
    const CnAnimator *animator = play_and_run(walking_fox(), play, 4);
    assert_true(animator->ended && animator->playing);
    assert_int_equal(animator->clip, 1);
    assert_int_equal(animator->mode, CN_ANIMATION_LOOP);
    assert_true(animator->seconds == 3 && animator->speed == 2);
    assert_int_equal(animator->from_clip, 4);
    assert_true(animator->from_speed == 0 && animator->blend_left == 0.5f);
}

static void one_shots_in_a_row_return_to_the_loop_before_them(void **state)
{
    (void)state;
    CnEntity fox = walking_fox();
    CnAnimationPlay play = {.clip = 4, .mode = CN_ANIMATION_RETURN, .length = 1};
    play_and_run(fox, play, 2);
    play.clip = 5;
    const CnAnimator *animator = play_and_run(fox, play, 4);
    assert_int_equal(animator->ended_clip, 5);
    assert_int_equal(animator->clip, 1);
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
        ANIMATOR_TEST(a_clip_that_is_played_begins_at_its_start),
        ANIMATOR_TEST(playing_adds_the_component),
        ANIMATOR_TEST(the_clip_before_continues_during_a_transition),
        ANIMATOR_TEST(snapshots_have_both_clips_of_a_transition),
        ANIMATOR_TEST(a_clip_played_once_ends_in_the_tick_of_its_length),
        ANIMATOR_TEST(sixty_ticks_of_a_sixtieth_are_a_second),
        ANIMATOR_TEST(a_clip_played_backwards_ends_at_its_start),
        ANIMATOR_TEST(the_clip_before_returns_after_the_end),
        ANIMATOR_TEST(one_shots_in_a_row_return_to_the_loop_before_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

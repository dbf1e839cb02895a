/* animation.play, animation.playOnce and on_animationend. */
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/log.h>
#include <cairn/scene/presentation.h>

static ScriptWorld w;

static const char model[] =
    "{\"animations\": [{\"name\": \"Walk\", \"samplers\": [{\"input\": 0}]},"
    "{\"name\": \"Jump\", \"samplers\": [{\"input\": 1}]}],"
    "\"accessors\": [{\"max\": [2]}, {\"max\": [0.25]}]}";

static int make_as(bool sandboxed)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    if (!script_world_init(&w, &(ScriptWorldDesc){.sandboxed = sandboxed}))
        return -1;
    memory_files_set(&w.files, "assets://fox.gltf", model);
    return 0;
}

static int make(void **state)
{
    (void)state;
    return make_as(false);
}

static int make_sandboxed(void **state)
{
    (void)state;
    return make_as(true);
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, make, drop),                                             \
        cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)

static CnEntity add(const char *code)
{
    CnEntity fox = script_add(&w, "Fox", code);
    cn_set(w.world, fox, CnMeshRenderer, {.mesh = "assets://fox.gltf", .visible = true});
    return fox;
}

static void run(CnEntity object, uint64_t ticks)
{
    assert_true(script_tick(&w, ticks));
    assert_string_equal(script_error(&w, object), "");
}

static void a_clip_is_played_by_name_or_number(void **state)
{
    (void)state;
    CnEntity fox =
        add("function on_init() animation.play(this, 'Jump', {speed = 2}) end\n"
            "function on_update() if time.tick == 4 then animation.play(this, 0) end end");
    run(fox, 1);
    assert_int_equal(cn_get(w.world, fox, CnAnimator)->clip, 1);
    assert_true(cn_get(w.world, fox, CnAnimator)->speed == 2);
    run(fox, 5);
    assert_int_equal(cn_get(w.world, fox, CnAnimator)->clip, 0);
}

static void a_clip_blends_into_another(void **state)
{
    (void)state;
    CnEntity fox = add("function on_update()\n"
                       "    if time.tick == 0 then animation.play(this, 'Walk') end\n"
                       "    if time.tick == 9 then animation.play(this, 'Jump', {blend = .5}) end\n"
                       "end");
    run(fox, 25);
    const CnAnimator *animator = cn_get(w.world, fox, CnAnimator);
    assert_true(animator->clip == 1 && animator->from_clip == 0);
    assert_true(animator->blend == 0.5f && animator->blend_left > 0.24f &&
                animator->blend_left < 0.26f);
    assert_true(animator->from_seconds > 0.39f && animator->from_seconds < 0.41f);
}

/* 15 ticks are a quarter of a second. */
static void playing_once_calls_back_and_returns(void **state)
{
    (void)state;
    CnEntity fox =
        add("function on_update()\n"
            "    if time.tick == 0 then animation.play(this, 'Walk') end\n"
            "    if time.tick == 10 then animation.playOnce(this, 'Jump') end\n"
            "end\n"
            "function on_animationend(clip) this.position = Vec3(clip, time.tick, 0) end");
    run(fox, 25);
    assert_int_equal(cn_get(w.world, fox, CnAnimator)->clip, 1);
    run(fox, 1);
    assert_int_equal(cn_get(w.world, fox, CnAnimator)->clip, 0);
    const CnVec3 at = cn_get(w.world, fox, CnTransform)->position;
    assert_true(at.x == 1 && at.y == 25);
    run(fox, 40);
    assert_true(cn_get(w.world, fox, CnTransform)->position.y == 25);
}

static void a_pose_is_held_on_request(void **state)
{
    (void)state;
    CnEntity fox = add("function on_init() animation.playOnce(this, 'Jump', {hold = true}) end");
    run(fox, 40);
    const CnAnimator *animator = cn_get(w.world, fox, CnAnimator);
    assert_true(animator->clip == 1 && !animator->playing);
}

static void clips_lists_names_and_lengths(void **state)
{
    (void)state;
    CnEntity fox = add("function on_init()\n"
                       "    local clips = animation.clips(this)\n"
                       "    assert(#clips == 2 and clips[2].name == 'Jump')\n"
                       "    assert(clips[2].seconds == .25)\n"
                       "end");
    run(fox, 1);
}

static void assert_refused(const char *code, const char *expected)
{
    char text[256];
    cn_format(text, sizeof text, "function on_init() %s end", code);
    CnEntity fox = add(text);
    assert_true(script_tick(&w, 1));
    if (!strstr(script_error(&w, fox), expected))
        fail_msg("%s: %s", code, script_error(&w, fox));
    cn_destroy(w.world, fox);
}

static void wrong_arguments_say_what_is_wrong(void **state)
{
    (void)state;
    assert_refused("animation.play(this, 'Run')",
                   "play: the mesh has no clip 'Run'; it has Walk, Jump");
    assert_refused("animation.playOnce(this, 2)", "playOnce: the mesh has no clip '2'");
    assert_refused("animation.play(this, 0/0)", "the mesh has no clip");
    assert_refused("animation.play(this, 0, {blend = -1})", "'blend' must be a number from 0");
    assert_refused("animation.play(this, 0, {speed = 0})", "'speed' must not be 0");
    assert_refused("animation.play(this, 0, {hold = 1})", "'hold' must be true or false");
    assert_refused("animation.play(this, 0, {fade = 1})", "there is no option 'fade'");
    assert_refused("animation.play(getObject('Car'), 0)", "the object has no mesh with clips");
    assert_refused("animation.play(7, 0)", "Object");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(a_clip_is_played_by_name_or_number),  BOTH(a_clip_blends_into_another),
        BOTH(playing_once_calls_back_and_returns), BOTH(a_pose_is_held_on_request),
        BOTH(clips_lists_names_and_lengths),       BOTH(wrong_arguments_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

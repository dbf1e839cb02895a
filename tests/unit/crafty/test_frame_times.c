/* The longest frames of a run, and what they say of themselves. */
#include "cmocka_tests.h"

#include <crafty/client/frame_times.h>

#include <string.h>

static void the_longest_frames_are_kept_in_order(void **state)
{
    (void)state;
    CraftyLongestFrames longest = {0};
    for (uint32_t i = 0; i < 100; i++) {
        CraftyFrameTimes times = {.frame = i, .total_ms = (float)(i * 37 % 100)};
        crafty_longest_frames_add(&longest, &times);
    }
    assert_int_equal(longest.count, CRAFTY_LONGEST_FRAMES);
    for (uint32_t i = 0; i < CRAFTY_LONGEST_FRAMES; i++) {
        assert_true(longest.frames[i].total_ms == (float)(99 - i));
        assert_int_equal(longest.frames[i].frame * 37 % 100, 99 - i);
    }
}

static void phases_are_parts_of_the_frame(void **state)
{
    (void)state;
    CraftyFrameTimes times;
    crafty_frame_times_begin(&times, 7);
    crafty_phase_end(&times, CRAFTY_PHASE_CAMERA);
    crafty_phase_end(&times, CRAFTY_PHASE_CHUNKS);
    crafty_frame_times_end(&times);
    float sum = times.phase_ms[CRAFTY_PHASE_CAMERA] + times.phase_ms[CRAFTY_PHASE_CHUNKS];
    assert_true(sum <= times.total_ms * 1.001f + 1e-6f);
    assert_true(times.phase_ms[CRAFTY_PHASE_FAR] == 0);
    assert_int_equal(times.frame, 7);
}

static void each_frame_is_an_object_with_its_phases(void **state)
{
    (void)state;
    CraftyLongestFrames longest = {0};
    CraftyFrameTimes times = {.frame = 12, .total_ms = 3.5f, .page_faults = 4};
    times.phase_ms[CRAFTY_PHASE_FAR] = 1.25f;
    crafty_longest_frames_add(&longest, &times);
    CnTextBuilder text;
    cn_array_init(&text, cn_system_allocator());
    assert_true(crafty_longest_frames_write(&longest, &text));
    assert_true(cn_text_append_format(&text, "%c", 0));
    assert_non_null(strstr(text.items, "\"frame\": 12, \"ms\": 3.50"));
    assert_non_null(strstr(text.items, "\"far\": 1.25"));
    assert_non_null(strstr(text.items, "\"page_faults\": 4"));
    cn_array_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_frames_are_kept_in_order),
        cmocka_unit_test(phases_are_parts_of_the_frame),
        cmocka_unit_test(each_frame_is_an_object_with_its_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

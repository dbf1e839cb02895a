/* The lines of the game beside the F3 overlay. */
#include "cmocka_tests.h"

#include <crafty/client/debug_info.h>

#include <string.h>

static void assert_line(const CraftyDebugInfo *info, const char *wanted)
{
    CraftyDebugLines lines;
    crafty_debug_info_fill(&lines, info);
    for (uint32_t i = 0; i < lines.count; i++)
        if (!strcmp(lines.lines[i], wanted))
            return;
    fail_msg("\"%s\" is not among the lines", wanted);
}

static void negative_positions_are_in_negative_chunks(void **state)
{
    (void)state;
    CraftyDebugInfo info = {.feet = {-0.5f, 63, 16.25f}};
    assert_line(&info, "position -0.50 63.00 16.25");
    assert_line(&info, "block    -1 63 16");
    assert_line(&info, "chunk    15 15 0 in -1 3 1");
}

static void north_is_towards_negative_z(void **state)
{
    (void)state;
    assert_line(&(CraftyDebugInfo){.forward = {0.2f, 0, -0.9f}}, "facing   north (-z)");
    assert_line(&(CraftyDebugInfo){.forward = {0.2f, 0, 0.9f}}, "facing   south (+z)");
    assert_line(&(CraftyDebugInfo){.forward = {0.9f, 0, 0.1f}}, "facing   east (+x)");
    assert_line(&(CraftyDebugInfo){.forward = {-0.9f, 0, 0.1f}}, "facing   west (-x)");
}

static void light_seed_and_mode_are_shown(void **state)
{
    (void)state;
    CraftyDebugInfo info = {.light = 15 << 4 | 7,
                            .seed = (uint64_t)-5,
                            .mode = "survival",
                            .biome = CN_BIOME_GRASSY_PLAINS,
                            .days = 2.4,
                            .hours = 9.5f};
    assert_line(&info, "light    sky 15, block 7");
    assert_line(&info, "seed     -5");
    assert_line(&info, "mode     survival");
    assert_line(&info, "biome    grassy plains");
    assert_line(&info, "time     day 3, 09:30");
}

static void counts_are_those_of_the_renderer(void **state)
{
    (void)state;
    CraftyDebugInfo info = {
        .terrain.view = {.drawn_chunks = 12, .chunks = 340, .drawn_quads = 120000, .quads = 990000},
        .terrain.voxels.waiting = 7,
        .memory_bytes = UINT64_C(300) << 20};
    assert_line(&info, "chunks   12 of 340, 7 pending");
    assert_line(&info, "quads    0.12 of 0.99 million");
    assert_line(&info, "memory   300 MiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(negative_positions_are_in_negative_chunks),
        cmocka_unit_test(north_is_towards_negative_z),
        cmocka_unit_test(light_seed_and_mode_are_shown),
        cmocka_unit_test(counts_are_those_of_the_renderer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every sound of the game, as measured when it was made (sounds.tsv). */
#include "cmocka_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    char name[48], bus[16], hash[20];
    int variant, loops, channels;
    unsigned frames;
    float lufs, peak_db, dc, onset_ms, loop_jump;
    unsigned long bytes;
} Row;

static Row rows[1024];
static uint32_t row_count;

static int read_rows(void **state)
{
    (void)state;
    FILE *file = fopen(CRAFTY_SOUNDS "/sounds.tsv", "r");
    char line[512];
    if (!file)
        return -1;
    while (row_count < 1024 && fgets(line, sizeof line, file)) {
        Row *row = &rows[row_count];
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%47s %d %15s %d %d %u %f %f %f %f %f %lu %19s", row->name, &row->variant,
                   row->bus, &row->loops, &row->channels, &row->frames, &row->lufs, &row->peak_db,
                   &row->dc, &row->onset_ms, &row->loop_jump, &row->bytes, row->hash) != 13)
            return -1;
        row_count++;
    }
    fclose(file);
    return row_count ? 0 : -1;
}

#define FOR_ROWS(row) for (const Row *row = rows; row < rows + row_count; row++)

static void check(const Row *row, bool holds, const char *what)
{
    if (!holds)
        fail_msg("%s.%d: %s (%.2f LUFS, peak %.2f dB, dc %.4f, onset %.1f ms, jump %.2f)",
                 row->name, row->variant, what, (double)row->lufs, (double)row->peak_db,
                 (double)row->dc, (double)row->onset_ms, (double)row->loop_jump);
}

static void every_loudness_is_between_minus_23_and_minus_16_lufs(void **state)
{
    (void)state;
    FOR_ROWS(row)
    check(row, row->lufs >= -23.05f && row->lufs <= -15.95f, "loudness");
}

static void nothing_clips(void **state)
{
    (void)state;
    FOR_ROWS(row)
    check(row, row->peak_db <= -0.9f, "true peak");
}

static void no_sound_has_a_dc_offset(void **state)
{
    (void)state;
    FOR_ROWS(row)
    check(row, row->dc < 0.003f, "DC");
}

static void loops_do_not_click_at_their_end(void **state)
{
    (void)state;
    FOR_ROWS(row)
    check(row, row->loop_jump <= 1.2f, "jump at the end");
}

static void one_shots_begin_within_20_ms(void **state)
{
    (void)state;
    FOR_ROWS(row)
    check(row, row->loops || strcmp(row->bus, "music") == 0 || row->onset_ms <= 20, "onset");
}

static void no_two_variants_are_equal(void **state)
{
    (void)state;
    FOR_ROWS(row)
    FOR_ROWS(other)
    check(row, row == other || strcmp(row->hash, other->hash) != 0, "same samples as another");
}

static uint32_t variants_of(const char *name)
{
    uint32_t count = 0;
    FOR_ROWS(row)
    count += strcmp(row->name, name) == 0;
    return count;
}

static void every_surface_has_four_variants_of_each_sound(void **state)
{
    static const char *const surfaces[] = {"stone", "grass", "sand", "wood"};
    static const char *const actions[] = {"dig", "step", "place", "break"};
    (void)state;
    for (uint32_t s = 0; s < 4; s++) {
        for (uint32_t a = 0; a < 4; a++) {
            char name[48];
            snprintf(name, sizeof name, "block.%s.%s", surfaces[s], actions[a]);
            assert_int_equal(variants_of(name), 4);
        }
    }
}

static void all_sounds_together_take_less_than_12_mb(void **state)
{
    unsigned long bytes = 0;
    (void)state;
    FOR_ROWS(row)
    bytes += row->bytes;
    assert_true(bytes < 12ul << 20);
}

static void there_are_five_pieces_of_at_least_90_seconds(void **state)
{
    uint32_t pieces = 0;
    (void)state;
    FOR_ROWS(row)
    pieces += strcmp(row->bus, "music") == 0 && row->frames >= 90 * 48000u;
    assert_true(pieces >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loudness_is_between_minus_23_and_minus_16_lufs),
        cmocka_unit_test(nothing_clips),
        cmocka_unit_test(no_sound_has_a_dc_offset),
        cmocka_unit_test(loops_do_not_click_at_their_end),
        cmocka_unit_test(one_shots_begin_within_20_ms),
        cmocka_unit_test(no_two_variants_are_equal),
        cmocka_unit_test(every_surface_has_four_variants_of_each_sound),
        cmocka_unit_test(all_sounds_together_take_less_than_12_mb),
        cmocka_unit_test(there_are_five_pieces_of_at_least_90_seconds),
    };
    return cmocka_run_group_tests(tests, read_rows, NULL);
}

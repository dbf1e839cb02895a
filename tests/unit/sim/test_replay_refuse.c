/* Recordings that are not good: each is refused with an error that says what, and at which byte. */
#include "recording.h"
#include "replay_fixture.h"
#include "scratch.h"
#include "sim/replay_format.h"

#include <stdio.h>

static Recording run;

static int make_run(void **state)
{
    (void)state;
    run = record_run(&(SimWorldDesc){.seed = 7}, 10, &(CnRecorderDesc){.keyframe_ticks = 4});
    return 0;
}

static int drop_run(void **state)
{
    (void)state;
    free(run.bytes);
    return 0;
}

static void assert_refused(CnErrorCode code, const char *text)
{
    CnError error = {0};
    assert_null(cn_replay_open_bytes(run.bytes, run.size, NULL, &error));
    if (error.code != code || !strstr(error.message, text))
        fail_msg("it says: %s (%s)", error.message, cn_error_code_name(error.code));
}

/* At this byte of the content of a block of the kind. */
static void assert_refused_in(CniSimBlockKind kind, uint32_t nth, size_t offset, const char *text)
{
    size_t at = recording_find(run.bytes, run.size, (uint8_t)kind, nth);
    char place[160];
    snprintf(place, sizeof place, "byte %zu: %s", at + CNI_SIM_BLOCK_HEAD_BYTES + offset, text);
    recording_seal(run.bytes, run.size);
    assert_refused(CN_ERROR_FORMAT, place);
}

static uint8_t *content(CniSimBlockKind kind, uint32_t nth)
{
    size_t at = recording_find(run.bytes, run.size, (uint8_t)kind, nth);
    assert_true(at > 0);
    return run.bytes + at + CNI_SIM_BLOCK_HEAD_BYTES;
}

static void another_file_is_refused(void **state)
{
    (void)state;
    run.bytes[0] = 'X';
    assert_refused(CN_ERROR_FORMAT, "byte 0: this is not a recording");
}

static void another_version_is_refused(void **state)
{
    (void)state;
    run.bytes[8] = 1;
    assert_refused(CN_ERROR_VERSION, "version 1; this build reads versions 3 to 4");
    run.bytes[8] = 2;
    assert_refused(CN_ERROR_VERSION, "version 2; this build reads versions 3 to 4");
}

/* Every byte where that is quick. */
#ifdef CN_GUARDS
enum { STEP = 13 };
#else
enum { STEP = 1 };
#endif

static void any_damaged_bit_is_an_error(void **state)
{
    (void)state;
    for (size_t at = 0; at < run.size; at += STEP) {
        for (uint32_t bit = 0; bit < 8; bit++) {
            run.bytes[at] ^= (uint8_t)(1u << bit);
            CnError error = {0};
            if (cn_replay_open_bytes(run.bytes, run.size, NULL, &error))
                fail_msg("bit %u of byte %zu", bit, at);
            assert_true(error.code == CN_ERROR_FORMAT || error.code == CN_ERROR_VERSION);
            run.bytes[at] ^= (uint8_t)(1u << bit);
        }
    }
}

static void any_overwritten_bytes_are_an_error(void **state)
{
    (void)state;
    uint8_t *copy = malloc(run.size);
    for (size_t at = 0; at + 16 <= run.size; at += STEP) {
        for (uint32_t fill = 0; fill < 2; fill++) {
            memcpy(copy, run.bytes, run.size);
            memset(copy + at, fill ? 0xFF : 0, 16);
            if (memcmp(copy, run.bytes, run.size) == 0)
                continue;
            CnError error = {0};
            if (cn_replay_open_bytes(copy, run.size, NULL, &error))
                fail_msg("bytes from %zu", at);
        }
    }
    free(copy);
}

/* What a crash leaves: the file ends somewhere. */
static void a_file_that_ends_early_is_cut_off_and_never_passes_for_whole(void **state)
{
    (void)state;
    uint64_t most = 0;
    for (size_t size = 0; size <= run.size; size++) {
        CnError error = {0};
        CnReplay *replay = cn_replay_open_bytes(run.bytes, size, NULL, &error);
        if (!replay) {
            assert_int_equal(most, 0); /* it ends before its first keyframe */
            continue;
        }
        const CnReplayInfo *info = cn_replay_info(replay);
        assert_true(info->cut_off);
        assert_true(info->tick_count >= most && info->tick_count <= most + 1);
        most = info->tick_count;
        cn_replay_close(replay);
    }
    assert_int_equal(most, 10);
}

static void a_damaged_size_is_not_the_end_of_the_file(void **state)
{
    (void)state;
    size_t at = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_TICK, 6);
    char text[120];
    run.bytes[at + 4] = 0x7F;
    snprintf(text, sizeof text, "byte %zu, before tick 6: the checksum of the kind and size", at);
    assert_refused(CN_ERROR_FORMAT, text);
}

static void a_block_that_was_moved_is_an_error(void **state)
{
    (void)state;
    size_t first = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_TICK, 1);
    size_t next = recording_next_block(run.bytes, run.size, first);
    memmove(run.bytes + first, run.bytes + next, run.size - next);
    run.size -= next - first;
    assert_refused(CN_ERROR_FORMAT, "before tick 1: the checksum of the kind and size");
}

static void a_damaged_block_is_named_by_its_byte(void **state)
{
    (void)state;
    size_t at = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_TICK, 3);
    char text[80];
    run.bytes[at + CNI_SIM_BLOCK_HEAD_BYTES] ^= 1;
    snprintf(text, sizeof text, "byte %zu, before tick 3: the checksum of a block", at);
    assert_refused(CN_ERROR_FORMAT, text);
}

static void the_file_is_named(void **state)
{
    (void)state;
    Scratch scratch;
    CnError error = {0};
    char text[256];
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "bad.cnr");
    assert_true(cn_file_write_all(cn_native_files(), path, "nothing", 7, &error));
    assert_null(cn_replay_open(cn_native_files(), path, NULL, &error));
    assert_non_null(strstr(cn_error_text(&error, text, sizeof text), "bad.cnr"));
    assert_null(cn_replay_open(cn_native_files(), scratch_path(&scratch, "none"), NULL, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    scratch_fini(&scratch);
}

static void a_block_of_an_unknown_kind_is_refused(void **state)
{
    (void)state;
    size_t at = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_TICK, 2);
    run.bytes[at] = 77;
    recording_seal(run.bytes, run.size);
    assert_refused(CN_ERROR_FORMAT, "a block of an unknown kind");
}

static void an_unknown_channel_is_refused(void **state)
{
    (void)state;
    uint32_t nth = 0;
    while (cn_load_u32(content(CNI_SIM_BLOCK_TICK, nth)) == 0)
        nth++;
    content(CNI_SIM_BLOCK_TICK, nth)[5] = 0xff;
    assert_refused_in(CNI_SIM_BLOCK_TICK, nth, 4, "an event of a channel that is not defined");
}

static void an_unknown_component_is_refused(void **state)
{
    (void)state;
    content(CNI_SIM_BLOCK_STATE, 0)[14] = 0xff;
    assert_refused_in(CNI_SIM_BLOCK_STATE, 0, 12, "a change of a component that is not defined");
}

static void a_count_beyond_the_block_is_refused(void **state)
{
    (void)state;
    content(CNI_SIM_BLOCK_TICK, 0)[3] = 0xff;
    recording_seal(run.bytes, run.size);
    assert_refused(CN_ERROR_FORMAT, "byte ");
}

static void an_empty_name_is_refused(void **state)
{
    (void)state;
    content(CNI_SIM_BLOCK_CHANNEL, 0)[0] = 0;
    assert_refused_in(CNI_SIM_BLOCK_CHANNEL, 0, 0, "a name is empty or too long");
}

static void a_name_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    content(CNI_SIM_BLOCK_COMPONENT, 0)[1] = 0xff;
    assert_refused_in(CNI_SIM_BLOCK_COMPONENT, 0, 1, "a text is not UTF-8");
}

static void a_rate_that_cannot_be_is_refused(void **state)
{
    (void)state;
    memset(content(CNI_SIM_BLOCK_HEADER, 0), 0, 4);
    assert_refused_in(CNI_SIM_BLOCK_HEADER, 0, 0, "the header has impossible values");
}

static void a_component_that_is_there_twice_is_refused(void **state)
{
    (void)state;
    size_t first = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_COMPONENT, 0);
    size_t next = recording_next_block(run.bytes, run.size, first);
    size_t bytes = next - first;
    uint8_t *longer = malloc(run.size + bytes);
    memcpy(longer, run.bytes, next);
    memcpy(longer + next, run.bytes + first, run.size - first);
    free(run.bytes);
    run.bytes = longer;
    run.size += bytes;
    recording_seal(run.bytes, run.size);
    assert_refused(CN_ERROR_FORMAT, "a component is defined twice");
}

static void a_keyframe_that_would_be_huge_is_refused(void **state)
{
    (void)state;
    content(CNI_SIM_BLOCK_KEYFRAME, 1)[4] = 5; /* 80 MiB in a few hundred bytes */
    assert_refused_in(CNI_SIM_BLOCK_KEYFRAME, 1, 0,
                      "a keyframe has an unknown compression or is too large");
}

static void a_keyframe_that_cannot_be_unpacked_is_an_error_of_the_seek(void **state)
{
    (void)state;
    SimWorld again;
    CnError error = {0};
    content(CNI_SIM_BLOCK_KEYFRAME, 1)[40] ^= 0xff;
    recording_seal(run.bytes, run.size);
    CnReplay *replay = open_recording(&run);
    start(&again, &(SimWorldDesc){.seed = 7});
    assert_true(cn_replay_seek(replay, again.sim, 2, &error));
    uint64_t hash = cn_sim_hash(again.sim);
    assert_false(cn_replay_seek(replay, again.sim, 5, &error));
    assert_int_equal(cn_sim_hash(again.sim), hash);
    sim_world_fini(&again);
    cn_replay_close(replay);
}

static void ticks_without_a_state_before_them_are_refused(void **state)
{
    (void)state;
    size_t at = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_KEYFRAME, 0);
    size_t next = recording_next_block(run.bytes, run.size, at);
    memmove(run.bytes + at, run.bytes + next, run.size - next);
    run.size -= next - at;
    recording_seal(run.bytes, run.size);
    assert_refused(CN_ERROR_FORMAT, "a tick precedes the initial state");
}

#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, make_run, drop_run)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(another_file_is_refused),
        RUN_TEST(another_version_is_refused),
        RUN_TEST(any_damaged_bit_is_an_error),
        RUN_TEST(any_overwritten_bytes_are_an_error),
        RUN_TEST(a_file_that_ends_early_is_cut_off_and_never_passes_for_whole),
        RUN_TEST(a_damaged_size_is_not_the_end_of_the_file),
        RUN_TEST(a_block_that_was_moved_is_an_error),
        RUN_TEST(a_damaged_block_is_named_by_its_byte),
        RUN_TEST(the_file_is_named),
        RUN_TEST(a_block_of_an_unknown_kind_is_refused),
        RUN_TEST(an_unknown_channel_is_refused),
        RUN_TEST(an_unknown_component_is_refused),
        RUN_TEST(a_count_beyond_the_block_is_refused),
        RUN_TEST(an_empty_name_is_refused),
        RUN_TEST(a_name_that_is_not_utf8_is_refused),
        RUN_TEST(a_rate_that_cannot_be_is_refused),
        RUN_TEST(a_component_that_is_there_twice_is_refused),
        RUN_TEST(a_keyframe_that_would_be_huge_is_refused),
        RUN_TEST(a_keyframe_that_cannot_be_unpacked_is_an_error_of_the_seek),
        RUN_TEST(ticks_without_a_state_before_them_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

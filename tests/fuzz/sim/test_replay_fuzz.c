/*
 * Recordings that were changed at random, mostly with checksums that fit again: none may crash or
 * hang, or leave a simulation that cannot be brought back to a recorded state. The cases come from
 * a seed, so they are always the same.
 */
#include "random.h"
#include "recording.h"
#include "replay_fixture.h"

enum { CASES = 1500, TICKS = 16 };

static const SimWorldDesc usual = {.seed = 7, .animals = 6};
static TestRandom random_numbers = {2026};
static Recording original;
static CnReplay *good;

static uint32_t below(size_t n)
{
    return test_random_below(&random_numbers, (uint32_t)n);
}

/* ---- Changes ---- */

static void change_bytes(uint8_t *bytes, size_t size)
{
    for (uint32_t n = 1 + below(4); n > 0; n--) {
        uint8_t *at = &bytes[below(size)];
        *at = (uint8_t)(below(2) ? below(256) : *at ^ (1u << below(8)));
    }
}

/* Numbers that are at the edge of something. */
static void change_number(uint8_t *bytes, size_t size)
{
    static const uint32_t edges[] = {0, 1, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t value = edges[below(CN_COUNT_OF(edges))];
    size_t width = (size_t)1 << below(3);
    if (size >= width)
        memcpy(bytes + below(size - width + 1), &value, width);
}

static size_t remove_part(uint8_t *bytes, size_t size)
{
    size_t at = below(size), count = 1 + below(40);
    if (count > size - at)
        count = size - at;
    memmove(bytes + at, bytes + at + count, size - at - count);
    return size - count;
}

/* The room behind is as large again. */
static size_t repeat_part(uint8_t *bytes, size_t size)
{
    size_t from = below(size), count = 1 + below(size - from < 200 ? size - from : 200);
    size_t at = below(size);
    uint8_t part[200];
    memcpy(part, bytes + from, count);
    memmove(bytes + at + count, bytes + at, size - at);
    memcpy(bytes + at, part, count);
    return size + count;
}

/* Whole blocks come twice or in another order. */
static size_t repeat_block(uint8_t *bytes, size_t size)
{
    size_t at = RECORDING_FIRST_BLOCK, next = 0;
    for (uint32_t n = below(30); n > 0; n--) {
        next = recording_next_block(bytes, size, at);
        if (!next || next >= size)
            break;
        at = next;
    }
    next = recording_next_block(bytes, size, at);
    if (!next || next - at > original.size / 2)
        return size;
    memmove(bytes + next + (next - at), bytes + next, size - next);
    memcpy(bytes + next, bytes + at, next - at);
    return size + (next - at);
}

static size_t change(uint8_t *bytes, size_t size)
{
    switch (below(6)) {
    case 0:
        change_number(bytes, size);
        return size;
    case 1:
        return remove_part(bytes, size);
    case 2:
        return repeat_part(bytes, size);
    case 3:
        return repeat_block(bytes, size);
    case 4:
        /* In the small blocks, between the first keyframe and the end. */
        change_number(bytes + size / 2, size / 2);
        return size;
    default:
        change_bytes(bytes, size);
        return size;
    }
}

/* ---- One case ---- */

static void try_bytes(SimWorld *world, const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    if (!replay) {
        assert_true(error.code != CN_OK && error.message[0]);
        return;
    }
    CnU8Array attachment;
    cn_array_init(&attachment, NULL);
    for (uint32_t i = 0; i < cn_replay_attachment_count(replay); i++)
        if (cn_replay_attachment_read(replay, i, &attachment, &error))
            assert_true(attachment.count <= CN_MAX_ATTACHMENT_BYTES);
    cn_array_fini(&attachment);
    CnReplayDifference difference;
    const CnReplayInfo *info = cn_replay_info(replay);
    uint64_t last = info->first_tick + info->tick_count;
    bool sought = cn_replay_seek(replay, world->sim, info->first_tick, &error);
    if (sought)
        cn_replay_run(replay, world->sim, UINT64_MAX, &difference, &error);
    cn_replay_seek(replay, world->sim, info->first_tick + info->tick_count / 2, &error);
    cn_replay_seek(replay, world->sim, last, &error);
    cn_replay_close(replay);
    /* Whatever was played, the world is sound. */
    check_error(cn_replay_seek(good, world->sim, TICKS / 2, &error), &error);
    assert_int_equal(cn_sim_hash(world->sim), original.hashes[TICKS / 2]);
}

static void changed_recordings_do_no_harm(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    uint8_t *bytes = malloc(original.size * 4);
    for (uint32_t i = 0; i < CASES; i++) {
        size_t size = original.size;
        memcpy(bytes, original.bytes, size);
        for (uint32_t n = 1 + below(3); n > 0 && size > 0; n--) {
            size = change(bytes, size);
            if (size > original.size * 2)
                break;
        }
        if (below(8))
            recording_seal(bytes, size);
        try_bytes(&world, bytes, size);
    }
    free(bytes);
    sim_world_fini(&world);
}

static void noise_does_no_harm(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    uint8_t bytes[600];
    for (uint32_t i = 0; i < CASES; i++) {
        size_t size = below(sizeof bytes + 1);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)below(i % 2 ? 256 : 8);
        memcpy(bytes, original.bytes, size < 12 + i % 100 ? size : 12 + i % 100);
        recording_seal(bytes, size);
        try_bytes(&world, bytes, size);
    }
    sim_world_fini(&world);
}

/* With an attachment before the ticks and another in the middle. */
static Recording record_with_attachments(void)
{
    static uint8_t zeros[3000];
    Recording run = {0};
    SimWorld world;
    start(&world, &usual);
    CnRecorder *recorder =
        cn_recorder_create(world.sim, &(CnRecorderDesc){.keyframe_ticks = 6}, NULL);
    assert_non_null(recorder);
    assert_true(cn_recorder_attach(recorder, "noise", "abcdefghij", 10));
    run.hashes[0] = cn_sim_hash(world.sim);
    for (uint32_t i = 0; i < TICKS; i++) {
        if (i == TICKS / 2)
            assert_true(cn_recorder_attach(recorder, "zeros", zeros, sizeof zeros));
        sim_world_play(&world, 1);
        run.hashes[i + 1] = cn_sim_hash(world.sim);
    }
    assert_true(cn_recorder_finish(recorder, NULL));
    const uint8_t *bytes = cn_recorder_bytes(recorder, &run.size);
    run.bytes = malloc(run.size);
    memcpy(run.bytes, bytes, run.size);
    cn_recorder_destroy(recorder);
    sim_world_fini(&world);
    return run;
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    original = record_with_attachments();
    good = open_recording(&original);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_recordings_do_no_harm),
        cmocka_unit_test(noise_does_no_harm),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cn_replay_close(good);
    free(original.bytes);
    return failed;
}

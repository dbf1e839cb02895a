/* What recordings may take. Keyframes that unpack to much more than their recording: sizes are
 * declared, checked before anything is unpacked, and limited. Blocks of a few bytes are counted. */
#define ZSTD_STATIC_LINKING_ONLY
#include "recording.h"
#include "replay_fixture.h"
#include "scratch.h"
#include "sim/replay_format.h"

#include <zstd.h>

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

#define RUN_TEST(name) cmocka_unit_test_setup_teardown(name, make_run, drop_run)

/* Replaces the keyframe before tick 4 with `size` packed zeros that it declares as `declared`. */
static void plant_zeros(size_t size, uint64_t declared, bool has_size)
{
    void *zeros = calloc(1, size);
    size_t most = ZSTD_compressBound(size);
    uint8_t *packed = malloc(most);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, has_size);
    size_t packed_bytes = ZSTD_compress2(context, packed, most, zeros, size);
    ZSTD_freeCCtx(context);
    free(zeros);
    assert_false(ZSTD_isError(packed_bytes));

    size_t at = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_KEYFRAME, 1);
    size_t next = recording_next_block(run.bytes, run.size, at);
    size_t head = at + CNI_SIM_BLOCK_HEAD_BYTES + 9, tail = next - CNI_SIM_BLOCK_TAIL_BYTES;
    uint8_t *bytes = malloc(run.size + packed_bytes);
    memcpy(bytes, run.bytes, head);
    memcpy(bytes + head, packed, packed_bytes);
    memcpy(bytes + head + packed_bytes, run.bytes + tail, run.size - tail);
    uint32_t content = (uint32_t)packed_bytes + 9;
    memcpy(bytes + at + 1, &content, sizeof content);
    bytes[head - 9] = CNI_SIM_PACKING_ZSTD;
    memcpy(bytes + head - 8, &declared, sizeof declared);
    run.size = head + packed_bytes + (run.size - tail);
    free(run.bytes);
    free(packed);
    run.bytes = bytes;
    recording_seal(run.bytes, run.size);
}

static void assert_refused(const char *text)
{
    CnError error = {0};
    assert_null(cn_replay_open_bytes(run.bytes, run.size, NULL, &error));
    if (error.code != CN_ERROR_FORMAT || !strstr(error.message, text))
        fail_msg("it says: %s (%s)", error.message, cn_error_code_name(error.code));
}

#define MIB ((size_t)1 << 20)

static void a_frame_that_is_larger_than_declared_is_refused(void **state)
{
    (void)state;
    plant_zeros(2 * MIB, MIB, true);
    assert_refused("does not have the size that it declares");
}

static void a_frame_that_is_smaller_than_declared_is_refused(void **state)
{
    (void)state;
    plant_zeros(MIB, 2 * MIB, true);
    assert_refused("does not have the size that it declares");
}

static void a_frame_without_a_size_is_refused(void **state)
{
    (void)state;
    plant_zeros(MIB, MIB, false);
    assert_refused("does not have the size that it declares");
}

static void a_small_recording_takes_at_most_64_MiB_more_than_its_size(void **state)
{
    (void)state;
    plant_zeros(64 * MIB, 64 * MIB, true);
    assert_true(run.size < MIB);
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnError error = {0};
    CnReplay *replay =
        cn_replay_open_bytes(run.bytes, run.size, cn_heap_tag(heap, "replay"), &error);
    check_error(replay != NULL, &error);
    assert_true(cn_heap_stats(heap).peak_bytes < MIB);
    SimWorld again;
    start(&again, &(SimWorldDesc){.seed = 7});
    assert_false(cn_replay_seek(replay, again.sim, 5, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_true(cn_heap_stats(heap).peak_bytes < 65 * MIB);
    sim_world_fini(&again);
    cn_replay_close(replay);
    cn_heap_destroy(heap);
}

static void more_than_64_MiB_in_a_small_recording_are_refused(void **state)
{
    (void)state;
    plant_zeros(64 * MIB + 1024, 64 * MIB + 1024, true);
    assert_refused("a keyframe has an unknown compression or is too large");
}

static CnBudget small;

static const CnBudget *small_budget(CnFileSystem *files, CnFile *file)
{
    (void)files;
    (void)file;
    return &small;
}

static void a_keyframe_that_is_larger_than_the_budget_is_refused(void **state)
{
    (void)state;
    plant_zeros(MIB, MIB, true);
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "bomb.cnr");
    CnError error = {0};
    check_error(cn_file_write_all(cn_native_files(), path, run.bytes, run.size, &error), &error);
    CnFileSystem files = *cn_native_files();
    files.budget = small_budget;
    small = *cn_budget_of(CN_ORIGIN_FOREIGN);
    CnReplay *replay = cn_replay_open(&files, path, NULL, &error);
    check_error(replay != NULL, &error);
    cn_replay_close(replay);
    small.file_bytes = MIB - 1;
    assert_null(cn_replay_open(&files, path, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "file_bytes is 1048576"));
    assert_string_equal(error.file, path);
    scratch_fini(&scratch);
}

/* ---- Blocks that take more memory than they have bytes ---- */

static void write_name(CniSimReplayWriter *writer, uint32_t number)
{
    char name[16];
    cn_format(name, sizeof name, "%x", number);
    cni_sim_write_name(writer, name);
}

static void write_channel(CniSimReplayWriter *writer, uint32_t number)
{
    write_name(writer, number);
    cni_sim_write_u8(writer, CN_MAX_FIELDS);
    for (uint32_t i = 0; i < CN_MAX_FIELDS; i++) {
        write_name(writer, i);
        cni_sim_write_u8(writer, CN_FIELD_U8);
        cni_sim_write_u32(writer, 1);
    }
}

static void write_keyframe(CniSimReplayWriter *writer, uint32_t number)
{
    (void)number;
    cni_sim_write_u8(writer, CNI_SIM_PACKING_NONE);
    cni_sim_write_u64(writer, 0);
}

/* Replaces everything behind the first keyframe. */
static void plant_blocks(CniSimBlockKind kind, uint32_t count,
                         void (*write)(CniSimReplayWriter *writer, uint32_t number))
{
    size_t at = recording_find(run.bytes, run.size, CNI_SIM_BLOCK_KEYFRAME, 0);
    at = recording_next_block(run.bytes, run.size, at);
    CniSimReplayWriter writer = {0};
    cn_array_init(&writer.bytes, NULL);
    cni_sim_write(&writer, run.bytes, at);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = cni_sim_block_begin(&writer, kind);
        write(&writer, i);
        cni_sim_block_end(&writer, block);
    }
    assert_false(writer.failed);
    free(run.bytes);
    run.size = writer.bytes.count;
    run.bytes = malloc(run.size);
    assert_non_null(run.bytes);
    memcpy(run.bytes, writer.bytes.items, run.size);
    cn_array_fini(&writer.bytes);
    recording_seal(run.bytes, run.size);
}

static void assert_opens(void)
{
    CnError error = {0};
    CnReplay *replay = cn_replay_open_bytes(run.bytes, run.size, NULL, &error);
    check_error(replay != NULL, &error);
    cn_replay_close(replay);
}

static void many_components_are_accepted(void **state)
{
    (void)state;
    plant_blocks(CNI_SIM_BLOCK_COMPONENT, CN_MAX_COMPONENTS / 2, write_name);
    assert_opens();
}

static void more_components_than_a_world_can_have_are_refused(void **state)
{
    (void)state;
    plant_blocks(CNI_SIM_BLOCK_COMPONENT, CN_MAX_COMPONENTS + 1, write_name);
    assert_refused("more components than a world can have");
}

static void many_fields_of_channels_are_accepted(void **state)
{
    (void)state;
    plant_blocks(CNI_SIM_BLOCK_CHANNEL, 1000, write_channel);
    assert_opens();
}

static void too_many_fields_of_channels_are_refused(void **state)
{
    (void)state;
    plant_blocks(CNI_SIM_BLOCK_CHANNEL, CNI_SIM_MAX_RECORDED_FIELDS / CN_MAX_FIELDS + 1,
                 write_channel);
    assert_refused("too many fields in all channels");
}

static void a_second_keyframe_of_one_tick_is_refused(void **state)
{
    (void)state;
    plant_blocks(CNI_SIM_BLOCK_KEYFRAME, 1, write_keyframe);
    assert_refused("a second keyframe of one tick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(a_frame_that_is_larger_than_declared_is_refused),
        RUN_TEST(a_frame_that_is_smaller_than_declared_is_refused),
        RUN_TEST(a_frame_without_a_size_is_refused),
        RUN_TEST(a_small_recording_takes_at_most_64_MiB_more_than_its_size),
        RUN_TEST(more_than_64_MiB_in_a_small_recording_are_refused),
        RUN_TEST(a_keyframe_that_is_larger_than_the_budget_is_refused),
        RUN_TEST(many_components_are_accepted),
        RUN_TEST(more_components_than_a_world_can_have_are_refused),
        RUN_TEST(many_fields_of_channels_are_accepted),
        RUN_TEST(too_many_fields_of_channels_are_refused),
        RUN_TEST(a_second_keyframe_of_one_tick_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

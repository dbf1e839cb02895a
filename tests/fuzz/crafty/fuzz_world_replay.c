/*
 * The attachments of recordings of saved worlds: a replay is created from any attachments or
 * refused. An input is a list of attachments: a kind of one byte, a size of two bytes, the content.
 */
#include "fuzz_surface.h"

#include <crafty/replay/world_recorder.h>
#include <crafty/replay/world_replay.h>

#include <cairn/base/bytes.h>

#include <string.h>

static const char *const words[] = {"cairn.terrain", "CNACTIV\n", NULL};
static const char *const kinds[] = {CRAFTY_ATTACHMENT_WORLD,  CRAFTY_ATTACHMENT_ACTIVITY,
                                    CRAFTY_ATTACHMENT_CHUNKS, CRAFTY_ATTACHMENT_DATA_KINDS,
                                    CRAFTY_ATTACHMENT_DATA,   "other"};
static const char settings[] = "crafty seed=42 viewer=walks x=1 y=70.5 z=-3 yaw=30 pitch=0 "
                               "hours=9.5 weather=any frozen=0 torches=0 players=1\n"
                               "blocks=air,stone\nitems=stone";

static void append(CnU8Array *input, uint8_t kind, const void *bytes, uint16_t size)
{
    FUZZ_CHECK(cn_bytes_append(input, &kind, 1) && cn_bytes_append(input, &size, 2) &&
               cn_bytes_append(input, bytes, size));
}

static void add_seeds(FuzzSeeds *seeds)
{
    CnU8Array input, part;
    cn_array_init(&input, NULL);
    cn_array_init(&part, NULL);
    CraftyWorldIdentity identity = {.name = "Home",
                                    .seed = 7,
                                    .random_seed = 7,
                                    .tick_hz = 60,
                                    .generator = CRAFTY_GENERATOR_ID,
                                    .generator_version = CRAFTY_GENERATOR_VERSION};
    FUZZ_CHECK(crafty_world_identity_write(&identity, &part));
    append(&input, 0, part.items, (uint16_t)part.count);
    append(&input, 1, "CNACTIV\n\1\0\0\0", 12);
    /* Key, size, and a row: a hash and one run of one cell. */
    const uint8_t row[] = {1, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1};
    append(&input, 2, row, sizeof row);
    append(&input, 3, "game.chest", 10);
    append(&input, 4, row, sizeof row);
    fuzz_add(seeds, input.items, input.count);
    cn_array_fini(&part);
    cn_array_fini(&input);
}

static void attach_all(CnRecorder *recorder, const uint8_t *bytes, size_t size)
{
    while (size >= 3) {
        size_t part = cn_load_u16(bytes + 1);
        part = part < size - 3 ? part : size - 3;
        FUZZ_CHECK(
            cn_recorder_attach(recorder, kinds[bytes[0] % CN_COUNT_OF(kinds)], bytes + 3, part));
        bytes += 3 + part;
        size -= 3 + part;
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    static CnSim *sim; /* without ticks, so that it is always the same */
    CnError error = {0};
    if (!sim)
        sim = cn_sim_create(NULL, NULL);
    CnRecorder *recorder = cn_recorder_create(
        sim, &(CnRecorderDesc){.settings = settings, .without_compression = true}, NULL);
    FUZZ_CHECK(recorder);
    attach_all(recorder, bytes, size);
    FUZZ_CHECK(cn_recorder_finish(recorder, NULL));
    size_t recorded;
    const uint8_t *recording = cn_recorder_bytes(recorder, &recorded);
    CnReplay *replay = cn_replay_open_bytes(recording, recorded, NULL, &error);
    FUZZ_CHECK(replay);
    cn_recorder_destroy(recorder);
    CraftyWorldReplay *world = crafty_world_replay_create(replay, &error);
    FUZZ_CHECK((world != NULL) == (error.code == CN_OK));
    bool accepted = world && crafty_world_replay_identity(world);
    crafty_world_replay_close(world);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 1024, .words = words, .add_seeds = add_seeds, .run = run};

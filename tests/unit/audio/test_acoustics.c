/* Acoustics of rooms, caves and fields made of blocks. */
#include "audio_fixture.h"
#include "voxel_room.h"

#include <cairn/base/job.h>

#define MIDDLE ((CnVec3){0.5f, ROOM_FLOOR + 2.5f, 0.5f})

/* A hollow box around the middle, with walls of two blocks. */
static void build_hall(Room *room, int32_t half, int32_t height, CnBlock block)
{
    int32_t low = ROOM_FLOOR, high = ROOM_FLOOR + height;
    for (int32_t x = -half - 2; x <= half + 2; x++)
        for (int32_t z = -half - 2; z <= half + 2; z++)
            for (int32_t y = low - 2; y <= high + 1; y++) {
                bool inside = abs(x) <= half && abs(z) <= half && y >= low && y < high;
                if (!inside)
                    room_put(room, x, y, z, block);
            }
}

static void build_floor(Room *room, CnBlock block)
{
    room_fill(room, (CnCell){-30, ROOM_FLOOR - 1, -30}, (CnCell){30, ROOM_FLOOR - 1, 30}, block);
}

static CnAcoustics *acoustics_of(CnAudio *audio, CnJobPool *jobs)
{
    CnAcoustics *acoustics =
        cn_acoustics_create(&(CnAcousticsDesc){.audio = audio, .jobs = jobs, .wait = true}, NULL);
    assert_non_null(acoustics);
    return acoustics;
}

static CnAcousticSpace space_of(Room *room)
{
    CnAudio *audio = cn_audio_create(NULL, NULL);
    CnAcoustics *acoustics = acoustics_of(audio, NULL);
    cn_audio_set_listener(audio, &(CnAudioListener){.position = MIDDLE});
    cn_acoustics_update(acoustics, room->world, 1);
    CnAcousticSpace space = cn_acoustics_space(acoustics);
    assert_int_equal(cn_acoustics_stats(acoustics).probes, 1);
    cn_acoustics_destroy(acoustics);
    cn_audio_destroy(audio);
    return space;
}

static void a_meadow_is_a_field(void **state)
{
    (void)state;
    Room room = room_open();
    build_floor(&room, BLOCK_GRASS);
    CnAcousticSpace space = space_of(&room);
    assert_int_equal(space.kind, CN_SPACE_FIELD);
    assert_true(space.sky > 0.95f);
    assert_true(space.reverb.gain < 0.03f);
    room_close(&room);
}

static void a_small_closed_space_is_a_room(void **state)
{
    (void)state;
    Room room = room_open();
    build_hall(&room, 3, 4, BLOCK_STONE);
    CnAcousticSpace space = space_of(&room);
    assert_int_equal(space.kind, CN_SPACE_ROOM);
    assert_true(space.openness < 0.01f);
    room_close(&room);
}

static void a_large_closed_space_of_stone_is_a_cave_with_a_long_decay(void **state)
{
    (void)state;
    Room small = room_open(), large = room_open();
    build_hall(&small, 2, 4, BLOCK_STONE);
    build_hall(&large, 14, 14, BLOCK_STONE);
    CnAcousticSpace space = space_of(&large);
    assert_int_equal(space.kind, CN_SPACE_CAVE);
    assert_true(space.reverb.decay_seconds > 1.5f * space_of(&small).reverb.decay_seconds);
    room_close(&small);
    room_close(&large);
}

/* Trees on a meadow: trunks of five blocks with a crown, every `step` blocks. */
static void build_forest(Room *room, int32_t step)
{
    build_floor(room, BLOCK_GRASS);
    for (int32_t x = -24; x <= 24; x += step)
        for (int32_t z = -24; z <= 24; z += step) {
            int32_t shift = (x * 7 + z * 3) & 1;
            if (abs(x + shift) <= 1 && abs(z) <= 1)
                continue;
            room_fill(room, (CnCell){x + shift - 2, ROOM_FLOOR + 4, z - 2},
                      (CnCell){x + shift + 2, ROOM_FLOOR + 6, z + 2}, BLOCK_OAK_LEAVES);
            room_fill(room, (CnCell){x + shift, ROOM_FLOOR, z},
                      (CnCell){x + shift, ROOM_FLOOR + 5, z}, BLOCK_OAK_LOG);
        }
}

static void a_forest_is_told_from_a_field_and_a_cave(void **state)
{
    (void)state;
    Room forest = room_open(), field = room_open(), cave = room_open();
    build_forest(&forest, 6);
    build_floor(&field, BLOCK_GRASS);
    build_hall(&cave, 14, 14, BLOCK_STONE);
    CnAcousticSpace of_forest = space_of(&forest), of_field = space_of(&field),
                    of_cave = space_of(&cave);
    assert_int_equal(of_forest.kind, CN_SPACE_FOREST);
    assert_int_equal(of_field.kind, CN_SPACE_FIELD);
    assert_int_equal(of_cave.kind, CN_SPACE_CAVE);
    /* Trunks scatter sound, but leaves take it: more than a field, much shorter than a cave. */
    assert_true(of_forest.reverb.reflections_gain > of_field.reverb.reflections_gain);
    assert_true(of_forest.reverb.gain < 0.5f * of_cave.reverb.gain);
    assert_true(of_forest.reverb.decay_seconds < 0.5f * of_cave.reverb.decay_seconds);
    room_close(&forest);
    room_close(&field);
    room_close(&cave);
}

static void a_closed_canopy_is_a_forest_and_no_cave(void **state)
{
    (void)state;
    Room room = room_open();
    build_forest(&room, 5);
    assert_int_equal(space_of(&room).kind, CN_SPACE_FOREST);
    room_close(&room);
}

static void a_hut_of_wood_is_a_room_and_no_forest(void **state)
{
    (void)state;
    Room room = room_open();
    build_hall(&room, 3, 4, BLOCK_OAK_PLANKS);
    assert_int_equal(space_of(&room).kind, CN_SPACE_ROOM);
    room_close(&room);
}

static void a_listener_under_water_hears_muffled_sounds(void **state)
{
    (void)state;
    Room room = room_open();
    room_fill(&room, (CnCell){-2, ROOM_FLOOR, -2}, (CnCell){2, ROOM_FLOOR + 4, 2}, CN_BLOCK_WATER);
    CnAcousticSpace space = space_of(&room);
    assert_int_equal(space.kind, CN_SPACE_WATER);
    assert_true(space.reverb.muffle < 0.5f);
    room_close(&room);
}

/* The level between half a second and a second after a burst of noise in the room. */
static double tail_in(Room *room)
{
    Loopback loop = loopback_open(NULL);
    CnAcoustics *acoustics = acoustics_of(loop.audio, NULL);
    CnSound noise = sound_of_function(loop.audio, 2400, noise_value);
    cn_audio_set_listener(loop.audio, &(CnAudioListener){.position = MIDDLE});
    for (int i = 0; i < 60; i++) {
        cn_acoustics_update(acoustics, room->world, 1.0 / 60);
        loopback_listen(&loop, 1);
    }
    CnVec3 near = cn_vec3_add(MIDDLE, cn_vec3(0, 0, -1));
    cn_audio_play(loop.audio, &(CnPlayDesc){.sound = noise, .spatial = true, .position = near});
    loopback_listen(&loop, 60);
    double level = loopback_level(&loop, 0, 24000, 48000);
    cn_acoustics_destroy(acoustics);
    loopback_close(&loop);
    return level;
}

static void a_cave_has_a_longer_tail_than_a_field(void **state)
{
    (void)state;
    Room field = room_open(), cave = room_open();
    build_floor(&field, BLOCK_GRASS);
    build_hall(&cave, 12, 10, BLOCK_STONE);
    double of_field = tail_in(&field), of_cave = tail_in(&cave);
    assert_true(of_cave > 1e-5);
    assert_true(of_cave > 20 * of_field);
    room_close(&field);
    room_close(&cave);
}

/* The levels of the high and the low band, with or without a wall. */
static void bands_behind(Room *room, double *high, double *low)
{
    Loopback loop = loopback_open(NULL);
    CnAcoustics *acoustics = acoustics_of(loop.audio, NULL);
    CnSound noise = sound_of_function(loop.audio, AUDIO_RATE, noise_value);
    CnVec3 place = cn_vec3_add(MIDDLE, cn_vec3(0, 0, -6));
    cn_audio_set_listener(loop.audio, &(CnAudioListener){.position = MIDDLE});
    cn_audio_play(
        loop.audio,
        &(CnPlayDesc){
            .sound = noise, .spatial = true, .dry = true, .loop = true, .position = place});
    for (int i = 0; i < 60; i++) {
        cn_acoustics_update(acoustics, room->world, 1.0 / 60);
        loopback_listen(&loop, 1);
    }
    loopback_listen(&loop, 30);
    double smooth = 0, high_sum = 0, low_sum = 0;
    for (uint32_t i = 1; i < loop.frames; i++) {
        double step = (double)loop.stereo[2 * i] - (double)loop.stereo[2 * i - 2];
        smooth += 0.02 * ((double)loop.stereo[2 * i] - smooth);
        high_sum += step * step;
        low_sum += smooth * smooth;
    }
    *high = sqrt(high_sum);
    *low = sqrt(low_sum);
    cn_acoustics_destroy(acoustics);
    loopback_close(&loop);
}

static void a_wall_lowers_the_high_band(void **state)
{
    (void)state;
    Room room = room_open();
    double high, low, muffled_high, muffled_low;
    build_floor(&room, BLOCK_GRASS);
    bands_behind(&room, &high, &low);
    room_fill(&room, (CnCell){-8, ROOM_FLOOR, -4}, (CnCell){8, ROOM_FLOOR + 8, -3}, BLOCK_STONE);
    bands_behind(&room, &muffled_high, &muffled_low);
    assert_true(muffled_high < 0.4 * high);
    assert_true(muffled_low / low > 1.5 * muffled_high / high);
    room_close(&room);
}

static void jobs_find_the_same_as_no_jobs(void **state)
{
    (void)state;
    Room room = room_open();
    build_hall(&room, 5, 6, BLOCK_STONE);
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 2}, NULL);
    CnAcousticSpace spaces[2];
    for (int i = 0; i < 2; i++) {
        CnAudio *audio = cn_audio_create(NULL, NULL);
        CnAcoustics *acoustics = acoustics_of(audio, i ? pool : NULL);
        cn_audio_set_listener(audio, &(CnAudioListener){.position = MIDDLE});
        cn_acoustics_update(acoustics, room.world, 1);
        spaces[i] = cn_acoustics_space(acoustics);
        cn_acoustics_destroy(acoustics);
        cn_audio_destroy(audio);
    }
    assert_memory_equal(&spaces[0], &spaces[1], sizeof spaces[0]);
    cn_job_pool_destroy(pool);
    room_close(&room);
}

static void blocks_may_change_while_a_probe_runs(void **state)
{
    (void)state;
    Room room = room_open();
    build_hall(&room, 4, 5, BLOCK_STONE);
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 2}, NULL);
    CnAudio *audio = cn_audio_create(NULL, NULL);
    CnAcoustics *acoustics = cn_acoustics_create(
        &(CnAcousticsDesc){.audio = audio, .jobs = pool, .interval_ms = 1}, NULL);
    cn_audio_set_listener(audio, &(CnAudioListener){.position = MIDDLE});
    for (int32_t i = 0; i < 200; i++) {
        cn_acoustics_update(acoustics, room.world, 1.0 / 60);
        room_put(&room, i % 4, ROOM_FLOOR, i % 3, i % 2 ? BLOCK_STONE : CN_BLOCK_AIR);
    }
    cn_acoustics_destroy(acoustics); /* with a probe that may still run */
    cn_audio_destroy(audio);
    cn_job_pool_destroy(pool);
    room_close(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_meadow_is_a_field),
        cmocka_unit_test(a_small_closed_space_is_a_room),
        cmocka_unit_test(a_large_closed_space_of_stone_is_a_cave_with_a_long_decay),
        cmocka_unit_test(a_forest_is_told_from_a_field_and_a_cave),
        cmocka_unit_test(a_closed_canopy_is_a_forest_and_no_cave),
        cmocka_unit_test(a_hut_of_wood_is_a_room_and_no_forest),
        cmocka_unit_test(a_listener_under_water_hears_muffled_sounds),
        cmocka_unit_test(a_cave_has_a_longer_tail_than_a_field),
        cmocka_unit_test(a_wall_lowers_the_high_band),
        cmocka_unit_test(jobs_find_the_same_as_no_jobs),
        cmocka_unit_test(blocks_may_change_while_a_probe_runs),
    };
    return cmocka_run_group_tests_name("acoustics", tests, NULL, NULL);
}

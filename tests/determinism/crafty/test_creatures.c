/* test-labels: threads slow */
/*
 * A world with creatures has the same states for any number of threads, and after it was saved and
 * opened again.
 */
#include "crafty_play.h"
#include "scratch.h"

#include <crafty/sim/creature/creatures.h>

#define TICKS 600u
#define HERD 120u

static Scratch scratch;

static CraftySession *open_game(uint32_t threads, CraftySave *save)
{
    CnError error = {0};
    CraftySessionDesc desc = {.start = {.seed = 42,
                                        .viewer = CRAFTY_VIEWER_WALKS,
                                        .mode = CRAFTY_MODE_SURVIVAL,
                                        .difficulty = CRAFTY_NORMAL,
                                        .hours = 20},
                              .finds_spawn = true,
                              .threads = threads,
                              .save = save};
    CraftySession *session = crafty_session_create(&desc, &error);
    if (!session)
        fail_msg("%s", error.message);
    return session;
}

/* Some of every kind around the player, so that they meet, fight and search for paths. */
static void add_herd(CraftySession *session)
{
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    CnVec3 at = crafty_session_start(session)->pose.position;
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(session));
    const CraftyCreatureKinds *kinds = crafty_world_creatures(crafty_session_world(session));
    for (uint32_t i = 0; i < HERD; i++) {
        float x = at.x + (float)(i % 12) * 4 - 22, z = at.z + (float)(i / 12) * 4 - 20;
        int32_t y = cn_voxels_height(voxels, (int32_t)cn_floorf(x), (int32_t)cn_floorf(z)) + 1;
        CraftyCreatureDesc desc = {
            .kind = crafty_creature_kind_at(kinds, i % crafty_creature_kinds_count(kinds))->name,
            .position = {x, (float)y + 0.1f, z},
            .is_young = i % 7 == 0};
        assert_int_not_equal(crafty_creature_spawn(world, &desc).id, 0);
    }
}

static uint64_t hash_of(CraftySession *session)
{
    return cn_sim_hash(crafty_session_sim(session)) ^
           cn_voxels_hash(crafty_world_voxels(crafty_session_world(session)));
}

static uint64_t play(uint32_t threads)
{
    CraftySession *session = open_game(threads, NULL);
    add_herd(session);
    assert_true(cn_sim_tick_n(crafty_session_sim(session), TICKS, NULL));
    assert_true(crafty_creature_count(cn_sim_world(crafty_session_sim(session)), 0) > 20);
    uint64_t hash = hash_of(session);
    crafty_session_destroy(session);
    return hash;
}

static void the_number_of_threads_does_not_matter(void **state)
{
    (void)state;
    uint64_t one = play(1);
    assert_int_equal(play(2), one);
    assert_int_equal(play(4), one);
}

static void a_saved_world_goes_on_as_if_it_had_not_been_interrupted(void **state)
{
    CnError error = {0};
    (void)state;
    CraftySession *whole = open_game(1, NULL);
    add_herd(whole);
    assert_true(cn_sim_tick_n(crafty_session_sim(whole), TICKS, NULL));
    uint64_t expected = hash_of(whole);
    crafty_session_destroy(whole);
    const char *path = scratch_path(&scratch, "creatures.crafty");
    for (uint32_t part = 0; part < 2; part++) {
        CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = 42}, &error);
        assert_non_null(save);
        CraftySession *session = open_game(2, save);
        if (part == 0)
            add_herd(session);
        assert_true(cn_sim_tick_n(crafty_session_sim(session), TICKS / 2, NULL));
        if (part == 1)
            assert_int_equal(hash_of(session), expected);
        assert_true(crafty_save_write(save, crafty_session_world(session),
                                      crafty_session_sim(session), &error) &&
                    crafty_save_flush(save, 60000, &error));
        crafty_session_destroy(session);
        crafty_save_close(save);
    }
}

static void creatures_appear_by_themselves_and_stay_within_their_caps(void **state)
{
    (void)state;
    CraftySession *session = open_game(1, NULL);
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    const CraftyCreatureKinds *kinds = crafty_world_creatures(crafty_session_world(session));
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 3 * TICKS, NULL));
    print_message("%u creatures\n", crafty_creature_count(world, 0));
    assert_true(crafty_creature_count(world, 0) > 5);
    for (uint32_t i = 0; i < crafty_creature_kinds_count(kinds); i++) {
        const CraftyCreatureKind *kind = crafty_creature_kind_at(kinds, i);
        uint32_t group = kind->spawn.high + kind->spawn.family;
        assert_true(crafty_creature_count(world, kind->number) <= kind->spawn.cap + group);
    }
    crafty_session_destroy(session);
}

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(creatures_appear_by_themselves_and_stay_within_their_caps),
        cmocka_unit_test(a_saved_world_goes_on_as_if_it_had_not_been_interrupted),
    };
    return cmocka_run_group_tests(tests, make, clean);
}

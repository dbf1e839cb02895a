/* test-labels: threads slow */
/*
 * A day of a village and its surroundings, shortened: creatures, villagers and growth together.
 * They are the same with any number of threads, and survive being saved, left and visited again.
 * test_life_weeks.c goes on for two weeks.
 */
#include "life_world.h"
#include "scratch.h"

#define TICKS 4000u
#define FLUSH_MS 60000u

static uint64_t first_hash;

static void tick(const LifeWorld *life, uint32_t ticks)
{
    assert_true(cn_sim_tick_n(life->sim, ticks, NULL));
}

static uint64_t live(uint32_t threads)
{
    LifeWorld life = life_open(threads, NULL);
    tick(&life, 600);
    LifeCensus begin = life_census(&life);
    tick(&life, TICKS - 600);
    LifeCensus end = life_census(&life);
    life_print(&life, &end, "end");
    life_expect_bounds(&life, &begin, &end);
    uint64_t hash = life_hash(&life);
    life_close(&life);
    return hash;
}

static void life_stays_within_bounds(void **state)
{
    (void)state;
    first_hash = live(1);
}

static void life_is_the_same_with_two_threads(void **state)
{
    (void)state;
    assert_true(live(2) == first_hash);
}

static void life_is_the_same_with_four_threads(void **state)
{
    (void)state;
    assert_true(live(4) == first_hash);
}

/* ---- Saved, left and visited again ---- */

static CraftySave *open_save(const char *path)
{
    CnError error = {0};
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = LIFE_SEED}, &error);
    if (!save)
        fail_msg("%s", error.message);
    return save;
}

static void save_and_close(LifeWorld *life, CraftySave *save)
{
    CnError error = {0};
    if (!crafty_save_write(save, crafty_session_world(life->session), life->sim, &error) ||
        !crafty_save_flush(save, FLUSH_MS, &error))
        fail_msg("%s", error.message);
    life_close(life);
    crafty_save_close(save);
}

static void a_world_that_is_saved_in_between_lives_on_as_if_it_were_not(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "Life.crafty");
    for (uint32_t part = 0; part < 4; part++) {
        CraftySave *save = open_save(path);
        LifeWorld life = life_open(1 + part, save);
        tick(&life, TICKS / 4);
        if (part == 3)
            assert_true(life_hash(&life) == first_hash);
        save_and_close(&life, save);
    }
    scratch_fini(&scratch);
}

static void move_eye(const LifeWorld *life, float along)
{
    cn_get_mut(life->world, cn_camera_active(life->world), CnTransform)->position =
        cn_vec3((float)life->village.x + 0.5f + along, (float)life->village.y + 12,
                (float)life->village.z + 0.5f);
}

static CnEntity spawn_at_village(const LifeWorld *life, CraftyCreatureDesc desc)
{
    CnCell at = {life->village.x + 6, 0, life->village.z + 6};
    at.y = cn_voxels_height(life->voxels, at.x, at.z) + 1;
    desc.kind = "wolf";
    desc.position = cn_vec3((float)at.x + 0.5f, (float)at.y + 0.01f, (float)at.z + 0.5f);
    CnEntity entity = crafty_creature_spawn(life->world, &desc);
    assert_int_not_equal(entity.id, 0);
    return entity;
}

/* The chunks around are unloaded meanwhile, and the world is closed. */
static void tame_ones_and_villagers_are_there_when_a_player_returns(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "Visit.crafty");
    CraftySave *save = open_save(path);
    LifeWorld life = life_open(2, save);
    tick(&life, 120);
    uint32_t villagers = crafty_villager_count(life.world);
    CnEntity tame = spawn_at_village(&life, (CraftyCreatureDesc){.owner = 1, .label = "Rex"});
    CnEntity wild = spawn_at_village(&life, (CraftyCreatureDesc){0});
    cn_get_mut(life.world, tame, CraftyCreature)->sits = true;
    tick(&life, 60);
    CnVec3 before = cn_get(life.world, tame, CnTransform)->position;
    move_eye(&life, 3000);
    for (uint32_t i = 0; i < 120; i++) {
        CnVec3 eye = cn_get(life.world, cn_camera_active(life.world), CnTransform)->position;
        cn_voxels_stream(life.voxels,
                         &(CnVoxelsView){.eye = eye, .forward = {0, 0, -1}, .radius = 2});
        tick(&life, 1);
    }
    assert_null(cn_get(life.world, wild, CraftyCreature));
    save_and_close(&life, save);
    save = open_save(path);
    life = life_open(1, save);
    move_eye(&life, 0);
    tick(&life, 120);
    const CraftyCreature *creature = cn_get(life.world, tame, CraftyCreature);
    assert_non_null(creature);
    assert_string_equal(creature->label, "Rex");
    CnVec3 after = cn_get(life.world, tame, CnTransform)->position;
    assert_true(cn_fabsf(after.x - before.x) < 0.5f && cn_fabsf(after.y - before.y) < 0.5f &&
                cn_fabsf(after.z - before.z) < 0.5f);
    assert_true(villagers >= 3);
    assert_int_equal(crafty_villager_count(life.world), villagers);
    save_and_close(&life, save);
    scratch_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(life_stays_within_bounds),
        cmocka_unit_test(life_is_the_same_with_two_threads),
        cmocka_unit_test(life_is_the_same_with_four_threads),
        cmocka_unit_test(a_world_that_is_saved_in_between_lives_on_as_if_it_were_not),
        cmocka_unit_test(tame_ones_and_villagers_are_there_when_a_player_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: slow */
/* A day in a village: everybody sleeps, works and meets at the well; nobody is outside at night. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/replay/session.h>
#include <crafty/sim/creature/creature.h>
#include <crafty/sim/day.h>
#include <crafty/sim/villager.h>
#include <crafty/sim/weather.h>

#include <cairn/base/hash_map.h>

#define SEED 42u
#define FLUSH_MS 60000u

typedef struct Game {
    CraftySave *save;
    CraftySession *session;
    CnCell village;
} Game;

static CnWorld *world_of(const Game *game)
{
    return cn_sim_world(crafty_session_sim(game->session));
}

static void open_game(Game *game, uint32_t threads, const char *path)
{
    CnError error = {0};
    CraftySessionDesc desc = {
        .start = {.seed = SEED, .viewer = CRAFTY_VIEWER_FLIES, .hours = 5, .players = 1},
        .threads = threads};
    if (path) {
        game->save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = SEED}, &error);
        assert_non_null(game->save);
        desc.save = game->save;
    }
    CraftyWorld *probe =
        crafty_world_create(&(CraftyWorldDesc){.seed = SEED, .workers = CN_JOBS_NONE}, NULL);
    assert_non_null(probe);
    assert_true(cn_generate_find_village(crafty_world_generator(probe), crafty_world_scratch(probe),
                                         0, 0, 4000, &game->village));
    crafty_world_destroy(probe);
    desc.start.pose.position = cn_vec3((float)game->village.x + 0.5f, (float)game->village.y + 12,
                                       (float)game->village.z + 0.5f);
    game->session = crafty_session_create(&desc, &error);
    if (!game->session)
        fail_msg("%s", error.message);
    crafty_weather_hold(world_of(game), CRAFTY_CLEAR);
}

static void close_game(Game *game)
{
    crafty_session_destroy(game->session);
    crafty_save_close(game->save);
    *game = (Game){0};
}

static void tick(const Game *game, uint32_t ticks)
{
    assert_true(cn_sim_tick_n(crafty_session_sim(game->session), ticks, NULL));
}

/* Lets the clock run until this hour, at most a day. */
static void tick_until(const Game *game, float hours)
{
    for (uint32_t i = 0; i < 2000; i++) {
        float now = crafty_day_hours(world_of(game));
        if (now >= hours && now < hours + 1.5f)
            return;
        tick(game, 20);
    }
    fail_msg("the hour %f does not come", (double)hours);
}

typedef struct Census {
    uint32_t count, asleep, inside, arrived, worked, met;
    uint64_t hash;
} Census;

/* Inside: under a roof. */
static Census take_census(const Game *game)
{
    CnWorld *world = world_of(game);
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(game->session));
    Census census = {0};
    CnQueryDesc desc = {.all = {cn_reads(CraftyVillager), cn_reads(CnTransform)}};
    CnQuery *query = cn_query_acquire(world, &desc, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CraftyVillager *villager = &cn_column_const(&view, CraftyVillager)[i];
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            CnCell feet = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y),
                           (int32_t)cn_floorf(at.z)};
            census.count++;
            census.arrived += villager->arrived;
            census.asleep += villager->arrived && villager->activity == CRAFTY_VILLAGER_SLEEPS;
            census.inside += cn_voxels_height(voxels, feet.x, feet.z) > feet.y + 1;
            census.worked += villager->did >> CRAFTY_VILLAGER_WORKS & 1;
            census.met += villager->did >> CRAFTY_VILLAGER_MEETS & 1;
            census.hash = cn_hash_bytes(&at, sizeof at, census.hash);
            if (!villager->arrived)
                print_message("house %u, profession %u, activity %u at %d %d %d\n", villager->house,
                              villager->profession, villager->activity, feet.x, feet.y, feet.z);
        }
    cn_query_release(query);
    return census;
}

static void the_day_has_its_order(void **state)
{
    (void)state;
    assert_int_equal(crafty_villager_round(3), CRAFTY_VILLAGER_SLEEPS);
    assert_int_equal(crafty_villager_round(9), CRAFTY_VILLAGER_WORKS);
    assert_int_equal(crafty_villager_round(12.5f), CRAFTY_VILLAGER_MEETS);
    assert_int_equal(crafty_villager_round(15), CRAFTY_VILLAGER_WORKS);
    assert_int_equal(crafty_villager_round(18), CRAFTY_VILLAGER_LAMPS);
    assert_int_equal(crafty_villager_round(19), CRAFTY_VILLAGER_HOME);
    assert_int_equal(crafty_villager_round(23), CRAFTY_VILLAGER_SLEEPS);
}

static void everybody_works_meets_and_sleeps(void **state)
{
    (void)state;
    Game game = {0};
    open_game(&game, 1, NULL);
    tick(&game, 60);
    Census census = take_census(&game);
    assert_true(census.count >= 3);
    tick_until(&game, 11);
    census = take_census(&game);
    print_message("at 11: %u of %u work\n", census.worked, census.count);
    assert_int_equal(census.worked, census.count);
    tick_until(&game, 12.8f);
    census = take_census(&game);
    assert_int_equal(census.met, census.count);
    tick_until(&game, 23);
    census = take_census(&game);
    assert_int_equal(census.asleep, census.count);
    assert_int_equal(census.inside, census.count);
    close_game(&game);
}

static void rain_sends_them_home(void **state)
{
    (void)state;
    Game game = {0};
    open_game(&game, 1, NULL);
    tick_until(&game, 10);
    crafty_weather_hold(world_of(&game), CRAFTY_HEAVY_RAIN);
    tick(&game, 2400);
    Census census = take_census(&game);
    assert_true(census.count >= 3);
    assert_int_equal(census.inside, census.count);
    close_game(&game);
}

static CnEntity find_standing(CnWorld *world)
{
    CnQueryDesc desc = {.all = {cn_reads(CraftyVillager), cn_reads(CnTransform)}};
    CnQuery *query = cn_query_acquire(world, &desc, NULL);
    CnEntity found = {0};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            if (cn_column_const(&view, CraftyVillager)[i].arrived)
                found = view.entities[i];
    cn_query_release(query);
    return found;
}

static void a_villager_that_stands_looks_at_a_player_beside_it(void **state)
{
    (void)state;
    Game game = {0};
    open_game(&game, 1, NULL);
    tick_until(&game, 10);
    CnWorld *world = world_of(&game);
    CnEntity villager = find_standing(world);
    const CnTransform *own = cn_get(world, villager, CnTransform);
    assert_non_null(own);
    CnVec3 left = cn_quat_rotate(own->rotation, cn_vec3(-2, 1.62f, 0));
    cn_get_mut(world, cn_camera_active(world), CnTransform)->position =
        cn_vec3_add(own->position, left);
    tick(&game, 60);
    assert_true(cn_get(world, villager, CraftyCreature)->head_yaw > 60);
    cn_get_mut(world, cn_camera_active(world), CnTransform)->position.y += 40;
    tick(&game, 60);
    assert_float_equal(cn_get(world, villager, CraftyCreature)->head_yaw, 0, 1);
    close_game(&game);
}

static void two_threads_and_a_save_change_nothing(void **state)
{
    (void)state;
    Game game = {0};
    CnError error = {0};
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "Village.crafty");
    open_game(&game, 1, NULL);
    tick(&game, 2400);
    Census expected = take_census(&game);
    uint64_t hash = cn_sim_hash(crafty_session_sim(game.session));
    close_game(&game);
    open_game(&game, 4, path);
    tick(&game, 1100);
    assert_true(crafty_save_write(game.save, crafty_session_world(game.session),
                                  crafty_session_sim(game.session), &error) &&
                crafty_save_flush(game.save, FLUSH_MS, &error));
    close_game(&game);
    open_game(&game, 2, path);
    assert_true(crafty_villager_count(world_of(&game)) == expected.count);
    tick(&game, 1300);
    Census census = take_census(&game);
    assert_int_equal(census.count, expected.count);
    assert_true(census.hash == expected.hash);
    assert_true(cn_sim_hash(crafty_session_sim(game.session)) == hash);
    close_game(&game);
    scratch_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_day_has_its_order),
        cmocka_unit_test(everybody_works_meets_and_sleeps),
        cmocka_unit_test(rain_sends_them_home),
        cmocka_unit_test(a_villager_that_stands_looks_at_a_player_beside_it),
        cmocka_unit_test(two_threads_and_a_save_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The surroundings of the player, which every tick computes. */
#include "cmocka_tests.h"

#include <crafty/replay/session.h>
#include <crafty/sim/connection.h>
#include <crafty/sim/place.h>

static CraftySession *session;
static CraftyConnection *connection;

static int begin(void **state)
{
    (void)state;
    session =
        crafty_session_create(&(CraftySessionDesc){.start = {.seed = 42,
                                                             .viewer = CRAFTY_VIEWER_FLIES,
                                                             .pose = {.position = {0, 200, 0}},
                                                             .players = 2,
                                                             .freeze_blocks = true},
                                                   .threads = 1},
                              NULL);
    if (!session)
        return -1;
    connection = crafty_connection_create(cn_sim_world(crafty_session_sim(session)),
                                          CRAFTY_FIRST_PLAYER, NULL);
    return connection ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    crafty_connection_destroy(connection);
    crafty_session_destroy(session);
    return 0;
}

#define PLACE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static const CraftyPlace *place_at(CnVec3 position)
{
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    assert_true(crafty_connection_send_command(
        connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_MOVE, .position = position}));
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 1, NULL));
    return cn_get(world, cn_camera_active(world), CraftyPlace);
}

static void the_biome_is_that_of_the_generator_with_erosion(void **state)
{
    (void)state;
    CraftyWorld *world = crafty_session_world(session);
    for (int32_t i = 0; i < 16; i++) {
        int32_t x = i * 397 - 3000, z = i * i * 57 - 5000;
        CnColumn column =
            cn_generate_column(crafty_world_generator(world), crafty_world_scratch(world), x, z);
        assert_int_equal(place_at(cn_vec3((float)x + 0.5f, 200, (float)z + 0.5f))->biome,
                         column.biome);
    }
}

static void the_place_is_known_before_the_first_tick(void **state)
{
    (void)state;
    CraftyWorld *world = crafty_session_world(session);
    CnColumn column =
        cn_generate_column(crafty_world_generator(world), crafty_world_scratch(world), 0, 0);
    const CnWorld *simulated = cn_sim_world(crafty_session_sim(session));
    assert_int_equal(cn_get(simulated, cn_camera_active(simulated), CraftyPlace)->biome,
                     column.biome);
    assert_int_equal(cn_resource(simulated, CraftyWeather)->biome, column.biome);
}

static void rock_around_the_eye_shelters_without_any_chunk_loaded(void **state)
{
    (void)state;
    int32_t ground = cn_voxels_height(crafty_world_voxels(crafty_session_world(session)), 0, 0);
    assert_true(place_at(cn_vec3(0.5f, (float)ground + 40, 0.5f))->shelter == 0);
    assert_true(place_at(cn_vec3(0.5f, (float)ground - 20, 0.5f))->shelter > 0.9f);
}

static CnEntity second_player(CnWorld *world)
{
    CnEntity second = cn_object_find(world, "Player 2");
    assert_false(cn_entity_is_null(second));
    return second;
}

static CnBiome biome_at(int32_t x, int32_t z)
{
    CraftyWorld *world = crafty_session_world(session);
    return cn_generate_column(crafty_world_generator(world), crafty_world_scratch(world), x, z)
        .biome;
}

/* Returns a column whose biome is not that of the origin. */
static int32_t find_other_biome(void)
{
    int32_t x = 0;
    while (biome_at(x, 0) == biome_at(0, 0))
        x += 64;
    return x;
}

static void each_player_has_its_own_place(void **state)
{
    (void)state;
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    CnEntity second = second_player(world);
    int32_t x = find_other_biome();
    place_at(cn_vec3((float)x + 0.5f, 200, 0.5f));
    assert_int_equal(cn_get(world, cn_camera_active(world), CraftyPlace)->biome, biome_at(x, 0));
    assert_int_equal(cn_get(world, second, CraftyPlace)->biome, biome_at(0, 0));
}

static void the_weather_follows_the_player_with_the_lowest_number(void **state)
{
    (void)state;
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    CraftyConnection *first = connection;
    int32_t x = find_other_biome();
    CnVec3 away = cn_vec3((float)x + 0.5f, 200, 0.5f);
    connection = crafty_connection_create(world, 2, NULL);
    place_at(away); /* player 2 */
    assert_int_equal(cn_resource(world, CraftyWeather)->biome, biome_at(0, 0));
    crafty_connection_destroy(connection);
    connection = first;
    place_at(away);
    assert_int_equal(cn_resource(world, CraftyWeather)->biome, biome_at(x, 0));
}

/* Which camera draws is no business of the simulation. */
static void the_active_camera_does_not_change_the_weather(void **state)
{
    (void)state;
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    int32_t x = find_other_biome();
    CnEntity camera = cn_object(world, "Other camera");
    assert_true(cn_add(world, camera, CnCamera));
    cn_get_mut(world, camera, CnTransform)->position = cn_vec3((float)x + 0.5f, 200, 0.5f);
    assert_true(cn_camera_set_active(world, camera));
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 1, NULL));
    assert_int_equal(cn_resource(world, CraftyWeather)->biome, biome_at(0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(the_biome_is_that_of_the_generator_with_erosion),
        PLACE_TEST(the_place_is_known_before_the_first_tick),
        PLACE_TEST(each_player_has_its_own_place),
        PLACE_TEST(the_weather_follows_the_player_with_the_lowest_number),
        PLACE_TEST(the_active_camera_does_not_change_the_weather),
        PLACE_TEST(rock_around_the_eye_shelters_without_any_chunk_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

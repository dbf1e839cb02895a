/* Creatures that a mod decides about: orders are carried out, functions are called at their rate,
 * and what is wrong names the mod. */
#include "cmocka_tests.h"
#include "mod_fixture.h"

static ModGame game;
static CnEntity dog;

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    mod_game_init(&game);
    game.difficulty = CRAFTY_NORMAL;
    return 0;
}

static int end(void **state)
{
    (void)state;
    mod_game_close(&game);
    return 0;
}

#define DOG                                                                                        \
    "creature { name = 'dog', model = 'pig', sound = 'pig', size = { 0.5, 0.5 }, speed = 3,\n"     \
    "           damage = 2, behaviours = { { ['do'] = 'script', every = 20, run = function(c)\n"

static void open_at(const char *code, float x, float z)
{
    mod_game_add(&game, "farm", code);
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
    dog = crafty_creature_spawn(
        game.world,
        &(CraftyCreatureDesc){.kind = "farm:dog", .position = {x, MOD_GAME_FLOOR + 1.01f, z}});
    assert_true(dog.id);
}

static CnVec3 feet(void)
{
    const CnTransform *transform = cn_get(game.world, dog, CnTransform);
    assert_non_null(transform);
    return transform->position;
}

static float distance_to(float x, float z)
{
    float dx = feet().x - x, dz = feet().z - z;
    return cn_sqrtf(dx * dx + dz * dz);
}

/* ---- Orders ---- */

static void a_creature_goes_to_its_goal(void **state)
{
    (void)state;
    open_at(DOG "return { goal = { x = 3.5, y = 301, z = -2.5 } } end } } }", -2.5f, 3);
    mod_game_ticks(&game, 400);
    assert_true(distance_to(3.5f, -2.5f) < 1.5f);
}

static void a_creature_follows_the_player(void **state)
{
    (void)state;
    open_at(DOG "return 'follow' end } } }", -3.5f, -3.5f);
    mod_game_ticks(&game, 300);
    assert_true(distance_to(0.5f, 0.5f) < 3);
}

static void a_creature_stays_when_it_is_idle(void **state)
{
    (void)state;
    open_at(DOG "return 'idle' end }, { ['do'] = 'wander', chance = 60 } } }", -2.5f, -2.5f);
    mod_game_ticks(&game, 21);
    CnVec3 before = feet();
    mod_game_ticks(&game, 300);
    assert_true(distance_to(before.x, before.z) < 1);
}

static void a_creature_attacks_a_player_in_survival(void **state)
{
    (void)state;
    game.mode = CRAFTY_MODE_SURVIVAL;
    open_at("on('hurt', function(e) storage.set('hurt', e.amount) end)\n" DOG
            "return 'attack' end } } }",
            3.5f, 3.5f);
    mod_game_ticks(&game, 400);
    assert_true(*mod_game_stored(&game, "farm", "hurt"));
}

static void without_an_order_other_behaviours_decide(void **state)
{
    (void)state;
    open_at(DOG "end }, { ['do'] = 'wander', chance = 60, distance = 4 } } }", 2.5f, 2.5f);
    float most = 0;
    for (uint32_t i = 0; i < 60; i++) {
        mod_game_ticks(&game, 10);
        float way = distance_to(2.5f, 2.5f);
        most = way > most ? way : most;
    }
    assert_true(most > 1);
}

static void an_order_to_an_entity_that_is_no_creature_is_refused(void **state)
{
    (void)state;
    open_at(DOG "end } } }", 2.5f, 2.5f);
    const CraftyOrder order = {.kind = CRAFTY_ORDER_GO};
    assert_false(crafty_creature_order(game.world, game.player, 0, &order));
    assert_false(crafty_creature_order(game.world, dog, 1, &order));
    assert_true(crafty_creature_order(game.world, dog, 0, &order));
}

/* ---- Calls ---- */

static void functions_are_called_at_their_rate(void **state)
{
    (void)state;
    open_at(DOG "storage.set('n', (storage.get('n') or 0) + 1)\n"
                "storage.set('kind', c.kind) storage.set('near', c.distance < 8)\n"
                "return 'idle' end } } }",
            2.5f, 2.5f);
    mod_game_ticks(&game, 200);
    assert_string_equal(mod_game_stored(&game, "farm", "n"), "10");
    assert_string_equal(mod_game_stored(&game, "farm", "kind"), "\"farm:dog\"");
    assert_string_equal(mod_game_stored(&game, "farm", "near"), "true");
}

static void a_function_that_uses_up_the_budget_is_skipped(void **state)
{
    (void)state;
    open_at(DOG "while true do end end } } }", 2.5f, 2.5f);
    mod_game_ticks(&game, 40);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.skipped > 0 && !status.is_disabled);
}

static void a_wrong_answer_disables_the_mod(void **state)
{
    (void)state;
    static const char *const answers[] = {"'dance'", "7", "{ goal = 3 }",
                                          "{ goal = { x = 1, y = 2 } }",
                                          "{ goal = { x = 1e300, y = 2, z = 3 } }"};
    for (uint32_t i = 0; i < CN_COUNT_OF(answers); i++) {
        char code[512];
        snprintf(code, sizeof code, "%s return %s end } } }", DOG, answers[i]);
        begin(NULL);
        open_at(code, 2.5f, 2.5f);
        mod_game_ticks(&game, 25);
        CraftyModStatus status = crafty_mods_status(game.mods, 1);
        assert_true(status.is_disabled);
        assert_non_null(strstr(status.error.message, "farm:dog must return"));
        end(NULL);
    }
    begin(NULL);
}

static void wrong_definitions_name_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *code, *part;
    } cases[] = {{"\ncreature { name = 'dog', model = 'pig', size = { 1, 1 },\n"
                  "  behaviours = { { ['do'] = 'script' } } }",
                  "\"run\""},
                 {"\ncreature { name = 'dog', model = 'pig', size = { 1, 1 },\n"
                  "  behaviours = { { ['do'] = 'script', every = 0, run = print } } }",
                  "\"every\""},
                 {"\ncreature { name = 'dog', model = 'pig', size = { 1, 1 },\n"
                  "  behaviours = { { ['do'] = 'wander', run = print } } }",
                  "\"run\""}};
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        begin(NULL);
        mod_game_add(&game, "farm", cases[i].code);
        mod_game_load(&game);
        CraftyModStatus status = crafty_mods_status(game.mods, 1);
        assert_true(status.is_disabled);
        if (!strstr(status.error.message, cases[i].part))
            fail_msg("'%s' is not in '%s'", cases[i].part, status.error.message);
        assert_string_equal(status.error.file, "mods/farm/main.lua");
        assert_true(status.error.line > 0);
        end(NULL);
    }
    begin(NULL);
}

static void orders_are_the_same_with_threads(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (uint32_t i = 0; i < 2; i++) {
        begin(NULL);
        game.threads = i ? 4 : 1;
        open_at(DOG "if c.distance < 3 then return 'flee' end\nreturn 'follow' end } } }", 3.5f,
                3.5f);
        mod_game_ticks(&game, 200);
        hashes[i] = cn_sim_hash(game.sim);
        end(NULL);
    }
    begin(NULL);
    assert_int_equal(hashes[0], hashes[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_creature_goes_to_its_goal),
        TEST(a_creature_follows_the_player),
        TEST(a_creature_stays_when_it_is_idle),
        TEST(a_creature_attacks_a_player_in_survival),
        TEST(without_an_order_other_behaviours_decide),
        TEST(an_order_to_an_entity_that_is_no_creature_is_refused),
        TEST(functions_are_called_at_their_rate),
        TEST(a_function_that_uses_up_the_budget_is_skipped),
        TEST(a_wrong_answer_disables_the_mod),
        TEST(wrong_definitions_name_file_and_line),
        TEST(orders_are_the_same_with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Models of creatures: the file of the game, errors, poses and animations. */
#include "cmocka_tests.h"

#include "crafty/client/creature_motion.h"
#include "crafty/world/game_data.h"
#include "crafty/world/skin_tiles.h"

#include <cairn/base/math.h>

#include <string.h>

static CraftyCreatureModels *read_text(const char *text, CnError *error)
{
    return crafty_creature_models_create(
        &(CraftyCreatureModelsDesc){.file = "file", .text = cn_text(text)}, error);
}

static CraftyCreatureModels *read_game(void)
{
    CnError error = {0};
    CraftyCreatureModels *models = crafty_creature_models_create(
        &(CraftyCreatureModelsDesc){.file = "creature_models.json",
                                    .text = crafty_creature_models_text()},
        &error);
    if (!models)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return models;
}

/* Expects an error on this line. */
static void expect_error(const char *text, int line, const char *part)
{
    CnError error = {0};
    assert_null(read_text(text, &error));
    assert_string_equal(error.file, "file");
    assert_int_equal(error.line, line);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not contain \"%s\"", error.message, part);
}

static void every_creature_has_a_model(void **state)
{
    (void)state;
    static const char *const names[] = {"duck", "pig", "sheep", "cow",     "chicken", "bee",
                                        "fish", "bat", "wolf",  "creeper", "zombie",  "villager"};
    CraftyCreatureModels *models = read_game();
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        assert_non_null(crafty_creature_model_find(models, names[i]));
    crafty_creature_models_destroy(models);
}

static void the_young_may_have_a_model_of_their_own(void **state)
{
    (void)state;
    CraftyCreatureModels *models = read_game();
    const CraftyCreatureModel *duck = crafty_creature_model_find(models, "duck");
    const CraftyCreatureModel *pig = crafty_creature_model_find(models, "pig");
    assert_string_equal(crafty_creature_model_shown(duck, true)->name, "duckling");
    assert_ptr_equal(crafty_creature_model_shown(duck, false), duck);
    assert_ptr_equal(crafty_creature_model_shown(pig, true), pig);
    crafty_creature_models_destroy(models);
}

static void skins_are_found_by_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_skin_tile_count; i++)
        assert_int_equal(crafty_skin_tile(crafty_skin_tiles[i].name), crafty_skin_tiles[i].layer);
    assert_int_equal(crafty_skin_tile("unicorn"), -1);
}

static void errors_name_the_line(void **state)
{
    (void)state;
    expect_error("{\"models\": [\n{\"name\": \"Pig\"}]}", 2, "lower-case");
    expect_error("{\"models\": [\n{\"name\": \"a\"},\n{\"name\": \"a\"}]}", 3, "twice");
    expect_error("{\"models\": [{\"name\": \"a\",\n\"young\": \"b\"}]}", 2, "another model");
    expect_error("{\"models\": [{\"name\": \"a\", \"parts\": [\n{\"name\": \"x\", \"parent\": "
                 "\"y\"}]}]}",
                 2, "not a part");
    expect_error("{\"models\": [{\"name\": \"a\", \"parts\": [{\"name\": \"x\"}], \"boxes\": "
                 "[{\"part\": \"x\",\n\"size\": [1, 1]}]}]}",
                 2, "three numbers");
    expect_error("{\"models\": [{\"name\": \"a\", \"parts\": [{\"name\": \"x\"}], \"boxes\": "
                 "[{\"part\": \"x\", \"size\": [1, 1, 1],\n\"all\": \"unicorn\"}]}]}",
                 2, "does not exist");
    expect_error("{\"models\": [{\"name\": \"a\", \"parts\": [{\"name\": \"x\"}], \"tracks\": "
                 "[{\"part\": \"x\",\n\"in\": \"dance\"}]}]}",
                 2, "one of always");
    expect_error(
        "{\"models\": [{\"name\": \"a\", \"parts\": [{\"name\": \"x\"}], \"tracks\": "
        "[{\"part\": \"x\", \"in\": \"walk\",\n\"keys\": [[1, 0, 0, 0], [0, 0, 0, 0]]}]}]}",
        2, "ascending");
}

static void too_many_parts_are_refused(void **state)
{
    (void)state;
    char text[4096] = "{\"models\": [{\"name\": \"a\", \"parts\": [";
    for (uint32_t i = 0; i <= CRAFTY_MODEL_MAX_PARTS; i++) {
        size_t length = strlen(text);
        cn_format(text + length, sizeof text - length, "%s{\"name\": \"p%u\"}", i ? "," : "", i);
    }
    strcat(text, "]}]}");
    expect_error(text, 1, "at most 24 parts");
}

static void tracks_hold_and_swing(void **state)
{
    (void)state;
    CraftyModelTrack track = {.hold = {10, 0, 0}, .swing = {4, 0, 0}, .rate = 1};
    assert_float_equal(crafty_model_track_at(&track, 0).x, 10, 1e-4);
    assert_float_equal(crafty_model_track_at(&track, 0.25f).x, 14, 1e-4);
    assert_float_equal(crafty_model_track_at(&track, 0.75f).x, 6, 1e-4);
    track.wave = CRAFTY_WAVE_BOUNCE;
    assert_float_equal(crafty_model_track_at(&track, 0.75f).x, 14, 1e-4);
}

static void keys_are_passed_in_order(void **state)
{
    (void)state;
    CraftyModelTrack track = {.key_count = 2, .key_times = {1, 2}, .keys = {{0, 8, 0}, {0, 2, 0}}};
    assert_float_equal(crafty_model_track_at(&track, 0).y, 8, 1e-4);
    assert_float_equal(crafty_model_track_at(&track, 1.5f).y, 5, 1e-4);
    assert_float_equal(crafty_model_track_at(&track, 9).y, 2, 1e-4);
}

static uint32_t boxes_of(const CraftyCreatureModel *model, CraftyCreaturePose pose)
{
    CnBlockModels *list = cn_block_models_create(NULL, NULL);
    assert_non_null(list);
    cn_block_models_begin(list);
    uint32_t count = crafty_creature_model_add(model, &pose, list);
    cn_block_models_end(list);
    assert_int_equal(cn_block_models_stats(list).parts, count);
    cn_block_models_destroy(list);
    return count;
}

static void a_shorn_sheep_has_no_wool(void **state)
{
    (void)state;
    CraftyCreatureModels *models = read_game();
    const CraftyCreatureModel *sheep = crafty_creature_model_find(models, "sheep");
    uint32_t woolly = boxes_of(sheep, (CraftyCreaturePose){0});
    uint32_t shorn = boxes_of(sheep, (CraftyCreaturePose){.is_shorn = true});
    assert_true(shorn + 4 < woolly);
    crafty_creature_models_destroy(models);
}

static void a_tame_wolf_has_a_collar(void **state)
{
    (void)state;
    CraftyCreatureModels *models = read_game();
    const CraftyCreatureModel *wolf = crafty_creature_model_find(models, "wolf");
    uint32_t wild = boxes_of(wolf, (CraftyCreaturePose){0});
    assert_int_equal(boxes_of(wolf, (CraftyCreaturePose){.is_tame = true}), wild + 2);
    crafty_creature_models_destroy(models);
}

/* ---- Motion ---- */

static void tick(CraftyCreatureMotion *motion, const CraftyCreature *creature, float way,
                 uint32_t ticks)
{
    CraftyCreatureInput input = {.creature = creature, .way = way, .stride = 1};
    for (uint32_t i = 0; i < ticks; i++)
        crafty_creature_motion_tick(motion, &input, 1.0f / 60);
}

static void steps_follow_the_way(void **state)
{
    (void)state;
    CraftyCreatureMotion motion;
    CraftyCreature creature = {.state = CRAFTY_CREATURE_WALK};
    crafty_creature_motion_begin(&motion, 0);
    tick(&motion, &creature, 0.02f, 60);
    assert_float_equal(motion.clocks[CRAFTY_ANIMATION_WALK], 1.2f, 1e-3);
    assert_true(motion.weights[CRAFTY_ANIMATION_WALK] > 0.95f);
    assert_true(motion.weights[CRAFTY_ANIMATION_STAND] < 0.05f);
    tick(&motion, &creature, 0, 60);
    assert_float_equal(motion.clocks[CRAFTY_ANIMATION_WALK], 1.2f, 1e-3);
    assert_true(motion.weights[CRAFTY_ANIMATION_WALK] < 0.05f);
}

static void an_animation_begins_with_its_state(void **state)
{
    (void)state;
    CraftyCreatureMotion motion;
    CraftyCreature creature = {0};
    crafty_creature_motion_begin(&motion, 7);
    tick(&motion, &creature, 0, 100);
    creature.state = CRAFTY_CREATURE_EAT;
    tick(&motion, &creature, 0, 30);
    assert_float_equal(motion.clocks[CRAFTY_ANIMATION_EAT], 0.5f, 1e-3);
    assert_true(motion.weights[CRAFTY_ANIMATION_EAT] > 0.9f);
}

static void an_unknown_state_is_drawn_as_idle(void **state)
{
    (void)state;
    CraftyCreatureMotion motion;
    CraftyCreature creature = {.state = 200};
    crafty_creature_motion_begin(&motion, 7);
    tick(&motion, &creature, 0, 100);
    assert_true(motion.weights[CRAFTY_ANIMATION_STAND] > 0.95f);
}

static void the_dead_fall_over_and_fade(void **state)
{
    (void)state;
    CraftyCreature creature = {.state = CRAFTY_CREATURE_DIE};
    CraftyCreaturePose begin = {0}, end = {0};
    crafty_creature_damage_pose(&creature, 0, false, &begin);
    creature.state_ticks = CRAFTY_DEATH_TICKS;
    crafty_creature_damage_pose(&creature, 0, false, &end);
    assert_float_equal(begin.roll, 0, 1e-3);
    assert_float_equal(begin.fade, 0, 1e-3);
    assert_float_equal(end.fade, 1, 1e-3);
    assert_true(end.roll > 80);
}

static void a_fuse_does_not_blink_with_reduced_motion(void **state)
{
    (void)state;
    float low = 1, high = 0;
    for (uint16_t fuse = 1; fuse < 90; fuse++) {
        CraftyCreaturePose pose = {0};
        crafty_creature_damage_pose(&(CraftyCreature){.fuse = fuse}, 0, true, &pose);
        low = pose.white < low ? pose.white : low;
        high = pose.white > high ? pose.white : high;
    }
    assert_float_equal(low, high, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_creature_has_a_model),
        cmocka_unit_test(the_young_may_have_a_model_of_their_own),
        cmocka_unit_test(skins_are_found_by_name),
        cmocka_unit_test(errors_name_the_line),
        cmocka_unit_test(too_many_parts_are_refused),
        cmocka_unit_test(tracks_hold_and_swing),
        cmocka_unit_test(keys_are_passed_in_order),
        cmocka_unit_test(a_shorn_sheep_has_no_wool),
        cmocka_unit_test(a_tame_wolf_has_a_collar),
        cmocka_unit_test(steps_follow_the_way),
        cmocka_unit_test(an_animation_begins_with_its_state),
        cmocka_unit_test(an_unknown_state_is_drawn_as_idle),
        cmocka_unit_test(the_dead_fall_over_and_fade),
        cmocka_unit_test(a_fuse_does_not_blink_with_reduced_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

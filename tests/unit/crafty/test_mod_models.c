/* Models of creatures that mods make: what is read, their textures, and errors with file and line.
 */
#include "mod_client_fixture.h"

#include <crafty/client/creature_model.h>
#include <crafty/world/item_tiles.h>
#include <crafty/world/skin_tiles.h>

#include <string.h>

#define PARTS "parts = {{name = 'body', pivot = {0, 6, 0}}}, "
#define BODY "part = 'body', from = {-4, -6, -4}, size = {8, 12, 8}"
#define CREATURE(model) "creature { name = 'golem', size = {0.8, 1.6}, model = { " model " } }"

static const CraftyCreatureModel *load(const char *code)
{
    mod_client_load_good(code);
    return crafty_mods_model(mod_client.mods, "castle:golem");
}

static void a_creature_has_the_model_of_its_definition(void **state)
{
    (void)state;
    const CraftyCreatureModel *golem =
        load(CREATURE("height = 24, " PARTS "boxes = {{" BODY ", color = '#8090A0'}}, "
                      "tracks = {{part = 'body', ['in'] = 'walk', swing = {0, 0, 8}}}"));
    assert_non_null(golem);
    assert_true(golem->height == 24);
    assert_int_equal(golem->part_count, 1);
    assert_int_equal(golem->box_count, 1);
    assert_int_equal(golem->track_count, 1);
    assert_int_equal(golem->boxes[0].shape.tint[0], 0x80);
    assert_int_equal(golem->boxes[0].shape.tiles[0], CRAFTY_MODEL_NO_TILE);
}

static void faces_show_textures_of_the_mod_and_standard_skins(void **state)
{
    (void)state;
    mod_client_write_texture("fur", 16, 0xFF0000FF);
    const CraftyCreatureModel *golem =
        load(CREATURE(PARTS "boxes = {{" BODY ", all = 'fur', front = {'pig', 8, 0}}}"));
    const CraftyModelShape *shape = &golem->boxes[0].shape;
    assert_int_equal(crafty_mods_texture_count(mod_client.mods), 1);
    assert_int_equal(shape->tiles[CN_FACE_POS_Y], crafty_mods_texture(mod_client.mods, 0)->layer);
    assert_int_equal(shape->tiles[CN_FACE_NEG_Z], crafty_skin_tile("pig"));
    assert_int_equal(shape->origins[CN_FACE_NEG_Z], 8);
}

static void a_model_of_a_mod_is_drawn(void **state)
{
    (void)state;
    const CraftyCreatureModel *golem = load(CREATURE(PARTS "boxes = {{" BODY "}, {" BODY "}}"));
    CnBlockModels *models = cn_block_models_create(NULL, NULL);
    assert_non_null(models);
    CraftyCreaturePose pose = {.feet = {1, 2, 3}};
    assert_int_equal(crafty_creature_model_add(golem, &pose, models), 2);
    cn_block_models_destroy(models);
}

static void a_creature_with_a_standard_model_has_none_of_its_own(void **state)
{
    (void)state;
    assert_null(load("creature { name = 'golem', size = {1, 1}, model = 'pig' }"));
}

static void refuse(const char *code, int line, const char *part)
{
    mod_client_load(code);
    CraftyModStatus status = mod_client_status();
    assert_true(status.is_disabled);
    if (!strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    if (!strstr(status.error.file, "castle/main.lua"))
        fail_msg("the file is '%s'", status.error.file);
    assert_int_equal(status.error.line, line);
    mod_client_unload();
}

static void wrong_models_name_file_and_line(void **state)
{
    (void)state;
    refuse("\n" CREATURE(PARTS "boxes = {{part = 'head', size = {1, 1, 1}}}"), 2, "\"part\"");
    refuse(CREATURE("hight = 3"), 1, "did you mean \"height\"");
    refuse(CREATURE(PARTS "boxes = {{" BODY ", all = 'fur'}}"), 1, "skin that does not exist");
    refuse(CREATURE(PARTS "boxes = {{" BODY ", all = '#3'}}"), 1, "the name of a texture");
    refuse(CREATURE("name = 'pig'"), 1, "its name is that of the creature");
    refuse(CREATURE("young = 'pig'"), 1, "\"young\"");
    refuse(CREATURE("parts = 3"), 1, "must be an array");
    refuse("\n\n" CREATURE(PARTS "boxes = {{" BODY ", size = {900, 1, 1}}}"), 3, "\"size\"");
}

static void parts_and_models_are_limited(void **state)
{
    (void)state;
    refuse("local many = {}\n"
           "for i = 1, 25 do many[i] = { name = 'p' .. i } end\n"
           "creature { name = 'golem', size = {1, 1}, model = { parts = many } }",
           3, "at most 24 parts");
    refuse("for i = 1, 65 do\n"
           "  creature { name = 'golem' .. i, size = {1, 1}, model = {height = 9} }\n"
           "end",
           2, "at most 64 models");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, mod_client_begin, mod_client_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_creature_has_the_model_of_its_definition),
        TEST(faces_show_textures_of_the_mod_and_standard_skins),
        TEST(a_model_of_a_mod_is_drawn),
        TEST(a_creature_with_a_standard_model_has_none_of_its_own),
        TEST(wrong_models_name_file_and_line),
        TEST(parts_and_models_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

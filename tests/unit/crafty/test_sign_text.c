/* The texts of signs as parts of block models. */
#include "cmocka_tests.h"
#include "faulty_allocator.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include "render/block/block_models.h"

#include <crafty/client/sign_text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BOARD_WIDTH 1.0f
#define BOARD_HEIGHT 0.5f

/* ---- Layout ---- */

static CraftySignGlyph glyphs[CRAFTY_SIGN_GLYPHS];

static uint32_t lay_out(const char *text)
{
    return crafty_sign_layout(cn_text(text), BOARD_WIDTH, BOARD_HEIGHT, glyphs);
}

static float right_of(const CraftySignGlyph *glyph)
{
    return glyph->x + (float)glyph->glyph->width * glyph->pixel[0];
}

static void every_character_but_a_space_has_a_glyph(void **state)
{
    (void)state;
    assert_int_equal(lay_out(""), 0);
    assert_int_equal(lay_out("   \n "), 0);
    assert_int_equal(lay_out("a bc\n\nd"), 4);
    assert_ptr_equal(glyphs[3].glyph, crafty_glyph('d'));
}

static void characters_follow_each_other_without_touching(void **state)
{
    (void)state;
    assert_int_equal(lay_out("Will"), 4);
    for (uint32_t i = 1; i < 4; i++)
        assert_float_equal(glyphs[i].x, right_of(&glyphs[i - 1]) + glyphs[i].pixel[0], 1e-5f);
}

static void a_line_is_in_the_middle_of_the_board(void **state)
{
    (void)state;
    uint32_t count = lay_out("Hello");
    assert_float_equal(glyphs[0].x, -right_of(&glyphs[count - 1]), 1e-5f);
}

static void lines_are_below_each_other(void **state)
{
    (void)state;
    assert_int_equal(lay_out("a\nb\nc\nd"), 4);
    for (uint32_t i = 1; i < 4; i++)
        assert_float_equal(glyphs[i - 1].y - glyphs[i].y, 9 * glyphs[0].pixel[1], 1e-5f);
}

static void a_full_text_fits_on_the_board(void **state)
{
    (void)state;
    static const char line[] = "WWWWWWWWWWWWWWW";
    char text[CRAFTY_SIGN_BYTES];
    snprintf(text, sizeof text, "%s\n%s\n%s\n%s", line, line, line, line);
    assert_int_equal(lay_out(text), CRAFTY_SIGN_GLYPHS);
    for (uint32_t i = 0; i < CRAFTY_SIGN_GLYPHS; i++) {
        assert_true(glyphs[i].x > -BOARD_WIDTH / 2 && right_of(&glyphs[i]) < BOARD_WIDTH / 2);
        /* without the rows of accents above, to the last row below the line */
        assert_true(glyphs[i].y - 3 * glyphs[i].pixel[1] < BOARD_HEIGHT / 2);
        assert_true(glyphs[i].y - CRAFTY_GLYPH_ROWS * glyphs[i].pixel[1] > -BOARD_HEIGHT / 2);
    }
}

static void only_a_line_that_is_too_wide_is_narrower(void **state)
{
    (void)state;
    uint32_t count = lay_out("iiiiiiiiiiiiiii\nWWWWWWWWWWWWWWW");
    assert_true(glyphs[0].pixel[0] == glyphs[0].pixel[1]);
    assert_true(glyphs[count - 1].pixel[0] < glyphs[0].pixel[0]);
    assert_true(glyphs[count - 1].pixel[1] == glyphs[0].pixel[1]);
}

static void letters_of_latin_1_have_glyphs_and_others_are_boxes(void **state)
{
    (void)state;
    const CraftyGlyph *box = crafty_glyph(0x4E00);
    assert_int_equal(lay_out("\xC3\xA9\xC3\x9F\xE4\xB8\x80"), 3);
    assert_ptr_equal(glyphs[0].glyph, crafty_glyph(0xE9));
    assert_ptr_not_equal(glyphs[0].glyph, box);
    assert_ptr_not_equal(glyphs[1].glyph, box);
    assert_ptr_equal(glyphs[2].glyph, box);
    assert_ptr_equal(crafty_glyph(0x7F), box);
    assert_ptr_equal(crafty_glyph(0x100), box);
}

static void glyphs_are_within_their_tiles(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_GLYPH_COUNT; i++) {
        assert_in_range(crafty_glyphs[i].layer, 1, BLOCK_TILE_COUNT - 1);
        assert_true(crafty_glyphs[i].left == 0 || crafty_glyphs[i].left == 8);
        assert_in_range(crafty_glyphs[i].width, 1, 7);
    }
}

/* ---- Signs ---- */

static const CnCell CELL = {4, 300, 4};

typedef struct Place {
    VoxelWorld blocks;
    CnVoxels *voxels;
    CnBlockModels *models;
    CraftySignTexts *texts;
    CnVec3 eye;
} Place;

static Place make_place(void)
{
    Place place = {.blocks = voxel_world_create(NULL, 0, NULL),
                   .eye = cn_vec3((float)CELL.x + 0.5f, (float)CELL.y + 0.5f, (float)CELL.z)};
    place.voxels = place.blocks.world;
    place.texts = crafty_sign_texts_create(NULL);
    assert_non_null(place.texts);
    place.models = cn_block_models_create(NULL, NULL);
    assert_non_null(place.models);
    return place;
}

static void end_place(Place *place)
{
    crafty_sign_texts_destroy(place->texts);
    cn_block_models_destroy(place->models);
    voxel_world_destroy(&place->blocks);
}

static void put_sign(Place *place, CnCell cell, const char *block, const char *text)
{
    CnBlock number = cn_block_find(standard_blocks(), block);
    assert_true(number != CN_BLOCK_NONE && voxel_set(place->voxels, cell, number));
    assert_true(crafty_sign_write(place->voxels, cell, cn_text(text), NULL));
}

/* Returns the number of parts of a frame, which begins at `parts`. */
static uint32_t show(Place *place, float seconds, const CnBlockModelPart **parts)
{
    CraftySignFrame frame = {.voxels = place->voxels, .eye = place->eye, .seconds = seconds};
    cn_block_models_begin(place->models);
    crafty_sign_texts_frame(place->texts, &frame, place->models);
    cn_block_models_end(place->models);
    if (parts)
        *parts = place->models->published[CN_MODEL_LAYER_WORLD].items;
    return place->models->published[CN_MODEL_LAYER_WORLD].count;
}

/* Returns the corner of a part where its picture begins, relative to the middle of the cell. */
static CnVec3 corner(const CnBlockModelPart *part, const uint8_t at[3])
{
    CnVec3 point = cn_affine_point(
        &part->place, cn_vec3((float)at[0] / 16, (float)at[1] / 16, (float)at[2] / 16));
    return cn_vec3_sub(point,
                       cn_vec3((float)CELL.x + 0.5f, (float)CELL.y + 0.5f, (float)CELL.z + 0.5f));
}

/* The text is in front of the board, is read from left to right, and its face points outwards. */
static void expect_on_face(const char *block, CnVec3 normal, float front, float bottom)
{
    Place place = make_place();
    const CnBlockModelPart *parts;
    CnVec3 right = {normal.z, 0, -normal.x};
    place.eye =
        cn_vec3_add(cn_vec3((float)CELL.x + 0.5f, (float)CELL.y + 0.5f, (float)CELL.z + 0.5f),
                    cn_vec3_scale(normal, 3));
    put_sign(&place, CELL, block, "ab\nab\nab\nab");
    assert_int_equal(show(&place, 0, &parts), 8);
    for (uint32_t i = 0; i < 8; i++) {
        CnVec3 low = corner(&parts[i], parts[i].low), high = corner(&parts[i], parts[i].high);
        float out = cn_vec3_dot(low, normal);
        assert_true(out > front && out < front + 1.0f / 64);
        assert_float_equal(cn_vec3_dot(high, normal), out, 1e-4f);
        assert_true(cn_vec3_dot(cn_vec3_sub(high, low), right) > 0.02f);
        assert_true(high.y > low.y && low.y > bottom && low.y < bottom + 0.5f);
        CnVec3 face = cn_affine_direction(&parts[i].place, cn_vec3(0, 0, 1));
        assert_true(cn_vec3_dot(face, normal) > 0);
    }
    CnVec3 first = corner(&parts[0], parts[0].low), second = corner(&parts[1], parts[1].low);
    assert_true(cn_vec3_dot(second, right) > cn_vec3_dot(first, right));
    end_place(&place);
}

static const struct {
    const char *name;
    CnVec3 normal;
} directions[] = {
    {"north", {0, 0, -1}}, {"east", {1, 0, 0}}, {"south", {0, 0, 1}}, {"west", {-1, 0, 0}}};

static void a_standing_sign_has_its_text_on_the_side_that_it_faces(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        char block[32];
        snprintf(block, sizeof block, "sign_%s", directions[i].name);
        expect_on_face(block, directions[i].normal, 1.0f / 16, 0);
    }
}

static void a_wall_sign_has_its_text_on_the_side_that_it_faces(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        char block[32];
        snprintf(block, sizeof block, "wall_sign_%s", directions[i].name);
        expect_on_face(block, directions[i].normal, -6.0f / 16, -0.25f);
    }
}

static void a_part_shows_the_picture_of_its_character(void **state)
{
    (void)state;
    Place place = make_place();
    const CnBlockModelPart *parts;
    put_sign(&place, CELL, "sign_north", "Q");
    assert_int_equal(show(&place, 0, &parts), 1);
    const CraftyGlyph *glyph = crafty_glyph('Q');
    assert_int_equal(parts->tiles[CN_FACE_POS_Z], glyph->layer);
    assert_int_equal(parts->low[0], glyph->left);
    assert_int_equal(parts->high[0], glyph->left + glyph->width);
    assert_int_equal(parts->low[2], parts->high[2]);
    end_place(&place);
}

static void the_back_of_a_sign_has_no_text(void **state)
{
    (void)state;
    Place place = make_place();
    put_sign(&place, CELL, "sign_south", "Home");
    assert_int_equal(show(&place, 0, NULL), 0);
    assert_int_equal(crafty_sign_texts_count(place.texts), 1);
    place.eye.z += 4;
    assert_int_equal(show(&place, 0, NULL), 4);
    end_place(&place);
}

static void a_text_has_the_light_of_its_cell(void **state)
{
    (void)state;
    Place place = make_place();
    const CnBlockModelPart *parts;
    put_sign(&place, CELL, "sign_north", "a");
    assert_true(voxel_set(place.voxels, (CnCell){CELL.x + 2, CELL.y, CELL.z}, BLOCK_TORCH));
    uint8_t levels = cn_voxels_light(place.voxels, CELL);
    assert_true((levels & 15) > 0 && (levels & 15) < 15);
    assert_int_equal(show(&place, 0, &parts), 1);
    assert_float_equal(parts->sky, (float)(levels >> 4) / 15, 1e-6f);
    assert_float_equal(parts->block, (float)(levels & 15) / 15, 1e-6f);
    end_place(&place);
}

static void a_changed_text_is_shown_in_the_next_frame(void **state)
{
    (void)state;
    Place place = make_place();
    put_sign(&place, CELL, "sign_north", "one");
    assert_int_equal(show(&place, 0.01f, NULL), 3);
    assert_true(crafty_sign_write(place.voxels, CELL, cn_text("three"), NULL));
    assert_int_equal(show(&place, 0.01f, NULL), 5);
    assert_true(voxel_set(place.voxels, CELL, BLOCK_AIR));
    assert_int_equal(show(&place, 0.01f, NULL), 0);
    end_place(&place);
}

static void a_sign_that_is_turned_is_shown_after_a_moment(void **state)
{
    (void)state;
    Place place = make_place();
    put_sign(&place, CELL, "sign_north", "one");
    assert_int_equal(show(&place, 0.01f, NULL), 3);
    CnEdit edit = {.cell = CELL,
                   .old_block = cn_voxels_get(place.voxels, CELL),
                   .new_block = cn_block_find(standard_blocks(), "sign_south")};
    assert_true(cn_voxels_edit_keeping_data(place.voxels, &edit, NULL));
    show(&place, 0.5f, NULL);
    assert_int_equal(show(&place, 0.01f, NULL), 0);
    end_place(&place);
}

static void only_signs_within_reach_are_shown(void **state)
{
    (void)state;
    Place place = make_place();
    put_sign(&place, CELL, "sign_north", "one");
    place.eye.z = (float)CELL.z + 0.5f - CRAFTY_SIGN_TEXTS_REACH + 0.1f;
    assert_int_equal(show(&place, 1, NULL), 3);
    place.eye.z -= 0.2f;
    assert_int_equal(show(&place, 1, NULL), 0);
    end_place(&place);
}

static void the_nearest_signs_are_shown(void **state)
{
    (void)state;
    Place place = make_place();
    /* Signs of one character near the eye, and nearer ones of two. */
    for (int32_t i = 0; i < 100; i++)
        put_sign(&place, (CnCell){CELL.x + i % 10, CELL.y + i / 10, CELL.z + 10}, "sign_north",
                 "a");
    put_sign(&place, (CnCell){CELL.x, CELL.y, CELL.z + 2}, "sign_north", "bc");
    assert_int_equal(show(&place, 1, NULL), CRAFTY_SIGN_TEXTS_MAX + 1);
    assert_int_equal(crafty_sign_texts_count(place.texts), CRAFTY_SIGN_TEXTS_MAX);
    end_place(&place);
}

static void other_block_data_is_not_shown(void **state)
{
    (void)state;
    Place place = make_place();
    CnBlockData data = {.bytes = (const uint8_t *)"Home", .size = 4};
    assert_true(cn_block_data_kind(place.voxels, "test.other", &data.kind, NULL));
    assert_true(voxel_set(place.voxels, CELL, cn_block_find(standard_blocks(), "sign_north")));
    assert_true(cn_block_data_set(place.voxels, CELL, &data, NULL));
    assert_int_equal(show(&place, 0, NULL), 0);
    assert_true(cn_block_data_kind(place.voxels, CRAFTY_SIGN_KIND, &data.kind, NULL));
    assert_true(voxel_set(place.voxels, CELL, BLOCK_STONE));
    assert_true(cn_block_data_set(place.voxels, CELL, &data, NULL));
    assert_int_equal(show(&place, 0, NULL), 0);
    end_place(&place);
}

static void chunks_are_not_loaded_for_their_signs(void **state)
{
    (void)state;
    Place place = make_place();
    CnBlockData data = {.bytes = (const uint8_t *)"Home", .size = 4};
    assert_true(cn_block_data_kind(place.voxels, CRAFTY_SIGN_KIND, &data.kind, NULL));
    assert_true(cn_block_data_set(place.voxels, CELL, &data, NULL));
    assert_int_equal(show(&place, 1, NULL), 0);
    assert_false(cn_voxels_is_loaded(place.voxels, cn_chunk_of(CELL)));
    end_place(&place);
}

static void steady_frames_do_not_allocate(void **state)
{
    (void)state;
    FaultyAllocator memory = faulty_allocator(cn_system_allocator());
    Place place = make_place();
    CnBlockModels *models = place.models;
    voxel_world_destroy(&place.blocks);
    place.blocks = voxel_world_create(&memory.base, 0, NULL);
    place.voxels = place.blocks.world;
    place.models = cn_block_models_create(&memory.base, NULL);
    assert_non_null(place.models);
    cn_block_models_destroy(models);
    put_sign(&place, CELL, "sign_north", "Home");
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(show(&place, 1, NULL), 4);
    uint64_t calls = memory.calls;
    for (uint32_t i = 0; i < 10; i++) /* with and without a scan */
        assert_int_equal(show(&place, i % 2 ? 1 : 0.01f, NULL), 4);
    assert_true(memory.calls == calls);
    end_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_but_a_space_has_a_glyph),
        cmocka_unit_test(characters_follow_each_other_without_touching),
        cmocka_unit_test(a_line_is_in_the_middle_of_the_board),
        cmocka_unit_test(lines_are_below_each_other),
        cmocka_unit_test(a_full_text_fits_on_the_board),
        cmocka_unit_test(only_a_line_that_is_too_wide_is_narrower),
        cmocka_unit_test(letters_of_latin_1_have_glyphs_and_others_are_boxes),
        cmocka_unit_test(glyphs_are_within_their_tiles),
        cmocka_unit_test(a_standing_sign_has_its_text_on_the_side_that_it_faces),
        cmocka_unit_test(a_wall_sign_has_its_text_on_the_side_that_it_faces),
        cmocka_unit_test(a_part_shows_the_picture_of_its_character),
        cmocka_unit_test(the_back_of_a_sign_has_no_text),
        cmocka_unit_test(a_text_has_the_light_of_its_cell),
        cmocka_unit_test(a_changed_text_is_shown_in_the_next_frame),
        cmocka_unit_test(a_sign_that_is_turned_is_shown_after_a_moment),
        cmocka_unit_test(only_signs_within_reach_are_shown),
        cmocka_unit_test(the_nearest_signs_are_shown),
        cmocka_unit_test(other_block_data_is_not_shown),
        cmocka_unit_test(chunks_are_not_loaded_for_their_signs),
        cmocka_unit_test(steady_frames_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

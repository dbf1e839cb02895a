#include "cmocka_tests.h"
#include "guards.h"
#include "random.h"
#include "standard_blocks.h"

#include <cairn/voxel/edit.h>
#include <string.h>

static const CnEdit sample = {.tick = 0x0102030405060708,
                              .player = 0x11121314,
                              .kind = CN_EDIT_BREAK,
                              .face = 5,
                              .cell = {-1, 200, 0x123456},
                              .old_block = BLOCK_STONE,
                              .new_block = CN_BLOCK_AIR};

static CnEdit edit_of(uint32_t player, int32_t x, CnBlock old_block, CnBlock new_block)
{
    return (CnEdit){.player = player,
                    .kind = CN_EDIT_PLACE,
                    .face = CN_EDIT_NO_FACE,
                    .cell = {x, 0, 0},
                    .old_block = old_block,
                    .new_block = new_block};
}

static void append(CnEditLog *log, CnEdit edit)
{
    assert_true(cn_edit_log_append(log, &edit));
}

/* Takes back and appends what that did; the cell's x. */
static int32_t undo(CnEditLog *log, uint32_t player)
{
    CnEdit back;
    assert_true(cn_edit_log_undo(log, player, &back));
    assert_int_equal(back.kind, CN_EDIT_UNDO);
    assert_int_equal(back.player, player);
    append(log, back);
    return back.cell.x;
}

static void assert_nothing_to_undo(CnEditLog *log, uint32_t player)
{
    CnEdit back;
    assert_false(cn_edit_log_undo(log, player, &back));
}

/* ---- Bytes ---- */

static void the_bytes_of_an_edit_are_pinned(void **state)
{
    (void)state;
    static const uint8_t expected[CN_EDIT_BYTES] = {
        8, 7,    6,    5,    4,    3,   2, 1, 0x14, 0x13, 0x12, 0x11, CN_EDIT_BREAK,
        5, 0xFF, 0xFF, 0xFF, 0xFF, 200, 0, 0, 0,    0x56, 0x34, 0x12, 0,
        0, 0,    1,    0};
    uint8_t bytes[CN_EDIT_BYTES];
    CnBlockPalette *palette = cn_block_palette_create(NULL, standard_blocks());
    assert_true(cn_edit_write(&sample, palette, bytes, NULL));
    assert_memory_equal(bytes, expected, CN_EDIT_BYTES);
    assert_string_equal(cn_block_palette_name(palette, 0), "stone");
    assert_string_equal(cn_block_palette_name(palette, 1), "air");
    cn_block_palette_destroy(palette);
}

static void assert_same_edit(const CnEdit *a, const CnEdit *b)
{
    assert_true(a->tick == b->tick && a->player == b->player && a->kind == b->kind &&
                a->face == b->face && a->old_block == b->old_block && a->new_block == b->new_block);
    assert_memory_equal(&a->cell, &b->cell, sizeof a->cell);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    uint8_t bytes[CN_EDIT_BYTES];
    CnEdit read;
    CnBlockPalette *palette = cn_block_palette_create(NULL, standard_blocks());
    assert_true(cn_edit_write(&sample, palette, bytes, NULL));
    assert_true(cn_edit_read(&read, palette, bytes, NULL));
    assert_same_edit(&read, &sample);
    cn_block_palette_destroy(palette);
}

/* The numbers in the bytes belong to the palette, not to this build of the program. */
static void a_palette_in_another_order_gives_the_same_blocks(void **state)
{
    (void)state;
    uint8_t bytes[CN_EDIT_BYTES], other_bytes[CN_EDIT_BYTES];
    CnBlockPalette *palette = cn_block_palette_create(NULL, standard_blocks());
    CnBlockPalette *other = cn_block_palette_create(NULL, standard_blocks());
    uint16_t number;
    for (CnBlock block = BLOCK_COUNT; block-- > 0;)
        assert_true(cn_block_palette_add(other, block, &number, NULL));
    CnEdit read, other_read;
    assert_true(cn_edit_write(&sample, palette, bytes, NULL));
    assert_true(cn_edit_write(&sample, other, other_bytes, NULL));
    assert_memory_not_equal(bytes, other_bytes, CN_EDIT_BYTES);
    assert_true(cn_edit_read(&read, palette, bytes, NULL));
    assert_true(cn_edit_read(&other_read, other, other_bytes, NULL));
    assert_same_edit(&read, &sample);
    assert_same_edit(&other_read, &sample);
    cn_block_palette_destroy(palette);
    cn_block_palette_destroy(other);
}

static void assert_not_read(CnEdit edit, const char *message)
{
    uint8_t bytes[CN_EDIT_BYTES];
    CnEdit read = sample;
    CnError error = {0};
    CnBlockPalette *palette = cn_block_palette_create(NULL, standard_blocks());
    assert_true(cn_edit_write(&edit, palette, bytes, NULL));
    assert_false(cn_edit_read(&read, palette, bytes, &error));
    cn_block_palette_destroy(palette);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(read.player, sample.player); /* untouched */
}

static void what_is_out_of_range_is_not_read(void **state)
{
    (void)state;
    CnEdit edit = sample;
    edit.kind = CN_EDIT_KIND_COUNT;
    assert_not_read(edit, "kind");
    edit = sample;
    edit.face = 6;
    assert_not_read(edit, "face");
    edit = sample;
    edit.cell.x = CN_CELL_LIMIT;
    assert_not_read(edit, "cell");
    edit = sample;
    edit.cell.z = -CN_CELL_LIMIT - 1;
    assert_not_read(edit, "cell");
}

static void a_block_that_is_not_in_the_palette_is_not_read(void **state)
{
    (void)state;
    CnBlockPalette *palette = cn_block_palette_create(NULL, standard_blocks());
    for (uint32_t offset = 26; offset < CN_EDIT_BYTES; offset += 2) {
        uint8_t bytes[CN_EDIT_BYTES];
        CnEdit read = {.player = 99};
        CnError error = {0};
        assert_true(cn_edit_write(&sample, palette, bytes, NULL));
        bytes[offset] = 2;
        assert_false(cn_edit_read(&read, palette, bytes, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        assert_int_equal(read.player, 99);
    }
    cn_block_palette_destroy(palette);
}

static void random_bytes_are_refused_or_come_back_the_same(void **state)
{
    (void)state;
    TestRandom random = {1};
    int good = 0;
    CnBlockPalette *palette = cn_block_palette_create(NULL, standard_blocks());
    uint16_t number;
    for (CnBlock block = 0; block < 200; block++)
        assert_true(cn_block_palette_add(palette, block, &number, NULL));
    for (int i = 0; i < 200000; i++) {
        uint8_t bytes[CN_EDIT_BYTES], again[CN_EDIT_BYTES];
        for (int b = 0; b < CN_EDIT_BYTES; b++)
            bytes[b] = (uint8_t)(test_random_chance(&random, 70) ? 0 : test_random(&random));
        CnEdit edit;
        if (!cn_edit_read(&edit, palette, bytes, NULL))
            continue;
        good++;
        assert_true(cn_edit_write(&edit, palette, again, NULL));
        assert_memory_equal(bytes, again, CN_EDIT_BYTES);
    }
    cn_block_palette_destroy(palette);
    assert_in_range(good, 1000, 199000);
}

/* ---- The log ---- */

static void a_log_keeps_the_newest(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    for (int32_t i = 0; i < 1000; i++) {
        append(log, edit_of(1, i, CN_BLOCK_AIR, BLOCK_STONE));
        assert_int_equal(cn_edit_log_count(log), i < 100 ? i + 1 : 100);
        assert_int_equal(cn_edit_log_at(log, 0).cell.x, i < 100 ? 0 : i - 99);
        assert_int_equal(cn_edit_log_at(log, cn_edit_log_count(log) - 1).cell.x, i);
    }
    cn_edit_log_destroy(log);
}

static void undo_takes_back_from_the_newest_to_the_oldest(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    for (int32_t i = 0; i < 5; i++)
        append(log, edit_of(1, i, CN_BLOCK_AIR, BLOCK_STONE));
    for (int32_t i = 4; i >= 0; i--)
        assert_int_equal(undo(log, 1), i);
    assert_nothing_to_undo(log, 1);
    cn_edit_log_destroy(log);
}

static void undo_turns_the_blocks_around(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(1, 7, BLOCK_DIRT, BLOCK_STONE));
    CnEdit back;
    assert_true(cn_edit_log_undo(log, 1, &back));
    assert_int_equal(back.old_block, BLOCK_STONE);
    assert_int_equal(back.new_block, BLOCK_DIRT);
    assert_int_equal(back.cell.x, 7);
    assert_int_equal(cn_edit_log_count(log), 1); /* not appended by the question */
    cn_edit_log_destroy(log);
}

static void players_undo_their_own_edits(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(1, 10, CN_BLOCK_AIR, BLOCK_STONE));
    append(log, edit_of(2, 20, CN_BLOCK_AIR, BLOCK_STONE));
    append(log, edit_of(1, 11, CN_BLOCK_AIR, BLOCK_STONE));
    assert_int_equal(undo(log, 2), 20);
    assert_int_equal(undo(log, 1), 11);
    assert_int_equal(undo(log, 1), 10);
    assert_nothing_to_undo(log, 2);
    assert_nothing_to_undo(log, 3);
    cn_edit_log_destroy(log);
}

static void undo_skips_what_somebody_else_has_changed(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(1, 1, CN_BLOCK_AIR, BLOCK_STONE));
    append(log, edit_of(1, 2, CN_BLOCK_AIR, BLOCK_STONE));
    append(log, edit_of(2, 2, BLOCK_STONE, CN_BLOCK_AIR));
    assert_int_equal(undo(log, 1), 1);
    assert_nothing_to_undo(log, 1);
    cn_edit_log_destroy(log);
}

static void undo_skips_what_water_has_taken(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(1, 1, BLOCK_STONE, CN_BLOCK_AIR));
    CnEdit flow = edit_of(CN_EDIT_NOBODY, 1, CN_BLOCK_AIR, CN_BLOCK_WATER_7);
    flow.kind = CN_EDIT_FLOW;
    append(log, flow);
    assert_nothing_to_undo(log, 1);
    cn_edit_log_destroy(log);
}

static void what_the_other_takes_back_can_be_taken_back_again(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(1, 2, CN_BLOCK_AIR, BLOCK_STONE));
    append(log, edit_of(2, 2, BLOCK_STONE, BLOCK_DIRT));
    assert_nothing_to_undo(log, 1);
    assert_int_equal(undo(log, 2), 2);
    assert_int_equal(undo(log, 1), 2);
    cn_edit_log_destroy(log);
}

static void several_edits_of_one_cell_are_taken_back_one_by_one(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(1, 2, CN_BLOCK_AIR, BLOCK_STONE));
    append(log, edit_of(1, 2, BLOCK_STONE, BLOCK_DIRT));
    append(log, edit_of(1, 2, BLOCK_DIRT, BLOCK_SAND));
    CnEdit back;
    static const CnBlock expected[] = {BLOCK_DIRT, BLOCK_STONE, CN_BLOCK_AIR};
    for (int i = 0; i < 3; i++) {
        assert_true(cn_edit_log_undo(log, 1, &back));
        assert_int_equal(back.new_block, expected[i]);
        append(log, back);
    }
    assert_nothing_to_undo(log, 1);
    cn_edit_log_destroy(log);
}

static void what_has_fallen_out_is_not_undone(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 4);
    for (int32_t i = 0; i < 6; i++)
        append(log, edit_of(1, i, CN_BLOCK_AIR, BLOCK_STONE));
    /* Each undo takes a place in the log, too: 5 and 4 push 2 and 3 out. */
    assert_int_equal(undo(log, 1), 5);
    assert_int_equal(undo(log, 1), 4);
    assert_nothing_to_undo(log, 1);
    cn_edit_log_destroy(log);
}

static void an_undo_of_what_is_not_known_counts_as_a_change(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100);
    append(log, edit_of(2, 1, CN_BLOCK_AIR, BLOCK_STONE));
    CnEdit back = edit_of(1, 1, BLOCK_STONE, BLOCK_SAND);
    back.kind = CN_EDIT_UNDO;
    append(log, back);
    assert_nothing_to_undo(log, 1);
    assert_nothing_to_undo(log, 2);
    cn_edit_log_destroy(log);
}

static void cells_that_are_far_apart_are_not_confused(void **state)
{
    (void)state;
    CnEditLog *log = cn_edit_log_create(NULL, 100000);
    const int32_t far = CN_CELL_LIMIT - 1;
    TestRandom random = {2};
    for (int i = 0; i < 20000; i++) {
        CnEdit edit = edit_of(1 + (uint32_t)i, 0, CN_BLOCK_AIR, BLOCK_STONE);
        for (int axis = 0; axis < 3; axis++) {
            int32_t at = (int32_t)test_random_below(&random, 1u << 25) - far - 1;
            *(axis == 0 ? &edit.cell.x : axis == 1 ? &edit.cell.y : &edit.cell.z) = at;
        }
        append(log, edit);
    }
    for (uint32_t i = 0; i < 20000; i++) {
        CnEdit back;
        assert_true(cn_edit_log_undo(log, 1 + i, &back));
    }
    cn_edit_log_destroy(log);
}

#ifdef CN_GUARDS
static void wrong_calls_are_guarded(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_edit_log_create(NULL, 0));
    CnEditLog *log = cn_edit_log_create(NULL, 3);
    EXPECT_GUARD(cn_edit_log_at(log, 0));
    cn_edit_log_destroy(log);
}
#endif

/* ---- Against a log that is looked through ---- */

#define CELLS 6
#define PLAYERS 3
#define LIMIT 40

typedef struct Model {
    CnEdit edits[4000];
    bool taken_back[4000];
    int count, oldest;
} Model;

/* The newest edit of the cell that stands, at or after `from`; -1: none. */
static int model_standing(const Model *model, int32_t cell)
{
    for (int i = model->count - 1; i >= model->oldest; i--)
        if (model->edits[i].cell.x == cell && !model->taken_back[i])
            return i;
    return -1;
}

static int model_undo(const Model *model, uint32_t player)
{
    for (int i = model->count - 1; i >= model->oldest; i--)
        if (model->edits[i].player == player && model->edits[i].kind != CN_EDIT_UNDO &&
            !model->taken_back[i] && model_standing(model, model->edits[i].cell.x) == i)
            return i;
    return -1;
}

static void model_append(Model *model, const CnEdit *edit, int takes_back)
{
    if (model->count - model->oldest == LIMIT)
        model->oldest++;
    model->edits[model->count] = *edit;
    model->taken_back[model->count] = false;
    if (takes_back >= model->oldest) {
        model->taken_back[takes_back] = true;
        model->taken_back[model->count] = true; /* the undo itself does not stand either */
    }
    model->count++;
}

static void random_edits_and_undos_agree_with_a_search(void **state)
{
    (void)state;
    static Model model;
    TestRandom random = {9};
    for (int run = 0; run < 20; run++) {
        CnEditLog *log = cn_edit_log_create(NULL, LIMIT);
        CnBlock blocks[CELLS] = {0};
        model.count = model.oldest = 0;
        int undone = 0;
        for (int step = 0; step < 3000; step++) {
            uint32_t player = test_random_below(&random, PLAYERS);
            CnEdit edit, expected;
            int takes_back = -1;
            if (test_random_chance(&random, 45)) {
                takes_back = model_undo(&model, player);
                assert_true(cn_edit_log_undo(log, player, &edit) == (takes_back >= 0));
                if (takes_back < 0)
                    continue;
                expected = model.edits[takes_back];
                assert_int_equal(edit.cell.x, expected.cell.x);
                assert_int_equal(edit.new_block, expected.old_block);
                assert_int_equal(edit.old_block, blocks[edit.cell.x]); /* what is really there */
                undone++;
            } else {
                int32_t cell = (int32_t)test_random_below(&random, CELLS);
                edit = edit_of(player, cell, blocks[cell],
                               (CnBlock)((blocks[cell] + 1 + test_random_below(&random, 5)) % 7));
            }
            blocks[edit.cell.x] = edit.new_block;
            append(log, edit);
            model_append(&model, &edit, takes_back);
            assert_int_equal(cn_edit_log_count(log), model.count - model.oldest);
        }
        assert_true(undone > 100);
        cn_edit_log_destroy(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_of_an_edit_are_pinned),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_palette_in_another_order_gives_the_same_blocks),
        cmocka_unit_test(what_is_out_of_range_is_not_read),
        cmocka_unit_test(a_block_that_is_not_in_the_palette_is_not_read),
        cmocka_unit_test(random_bytes_are_refused_or_come_back_the_same),
        cmocka_unit_test(a_log_keeps_the_newest),
        cmocka_unit_test(undo_takes_back_from_the_newest_to_the_oldest),
        cmocka_unit_test(undo_turns_the_blocks_around),
        cmocka_unit_test(players_undo_their_own_edits),
        cmocka_unit_test(undo_skips_what_somebody_else_has_changed),
        cmocka_unit_test(undo_skips_what_water_has_taken),
        cmocka_unit_test(what_the_other_takes_back_can_be_taken_back_again),
        cmocka_unit_test(several_edits_of_one_cell_are_taken_back_one_by_one),
        cmocka_unit_test(what_has_fallen_out_is_not_undone),
        cmocka_unit_test(an_undo_of_what_is_not_known_counts_as_a_change),
        cmocka_unit_test(cells_that_are_far_apart_are_not_confused),
#ifdef CN_GUARDS
        cmocka_unit_test(wrong_calls_are_guarded),
#endif
        cmocka_unit_test(random_edits_and_undos_agree_with_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

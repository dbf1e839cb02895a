/* Undo and redo: groups, data of blocks, what changed meanwhile, limits, and saved histories. */
#include "sim_fixture.h"

#include <crafty/sim/container.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/sign.h>
#include <crafty/sim/undo.h>
#include <crafty/sim/undo_history.h>

#include <cairn/base/log.h>

static SimFixture fixture;
static const CnCell CELL = {3, FLOOR_Y + 1, 3};

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 2);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static CnEntity eye(void)
{
    return fixture.players[0];
}

static CnBlock at(CnCell cell)
{
    return cn_voxels_get(fixture.voxels, cell);
}

static void put_as(CnEntity player, CnCell cell, CnBlock block)
{
    CnEdit edit = {
        .kind = CN_EDIT_PLACE, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = block};
    assert_true(crafty_undo_edit(fixture.world, player, &edit, NULL));
}

static void put(CnCell cell, CnBlock block)
{
    put_as(eye(), cell, block);
}

static CnCell beside(int32_t x)
{
    return (CnCell){CELL.x + x, CELL.y, CELL.z};
}

static void undo_takes_back_the_last_change(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    assert_int_equal(crafty_undo(fixture.world, eye()), 1);
    assert_int_equal(at(CELL), CN_BLOCK_AIR);
}

static void redo_repeats_what_was_undone(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    crafty_undo(fixture.world, eye());
    assert_int_equal(crafty_redo(fixture.world, eye()), 1);
    assert_int_equal(at(CELL), BLOCK_STONE);
    assert_int_equal(crafty_redo(fixture.world, eye()), 0);
}

static void changes_of_one_tick_are_undone_together(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    fixture_ticks(&fixture, 1);
    put(beside(1), BLOCK_STONE);
    put(beside(2), BLOCK_STONE);
    assert_int_equal(crafty_undo(fixture.world, eye()), 2);
    assert_int_equal(at(CELL), BLOCK_STONE);
}

static void a_group_is_undone_together(void **state)
{
    (void)state;
    crafty_undo_begin_group(fixture.world, eye());
    for (int32_t i = 0; i < 5; i++) {
        put(beside(i), BLOCK_STONE);
        fixture_ticks(&fixture, 1);
    }
    crafty_undo_end_group(fixture.world, eye());
    assert_int_equal(crafty_undo_count(fixture.world, eye()), 1);
    assert_int_equal(crafty_undo(fixture.world, eye()), 5);
    assert_int_equal(crafty_redo(fixture.world, eye()), 5);
}

static void what_falls_apart_is_undone_with_its_group(void **state)
{
    (void)state;
    CnCell torch = {CELL.x, CELL.y + 1, CELL.z};
    assert_true(voxel_set(fixture.voxels, CELL, BLOCK_STONE));
    assert_true(voxel_set(fixture.voxels, torch, BLOCK_TORCH));
    fixture_ticks(&fixture, 1);
    assert_true(crafty_connection_send_command(
        fixture.inputs[0].connection,
        &(CraftyCommand){.kind = CRAFTY_COMMAND_CHAT, .text = "/fill 3 301 3 3 301 3 air"}));
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(torch), CN_BLOCK_AIR);
    assert_int_equal(crafty_undo(fixture.world, eye()), 2);
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(torch), BLOCK_TORCH);
}

static void a_cell_that_changed_twice_in_a_group_gets_its_first_block_back(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    put(CELL, BLOCK_DIRT);
    crafty_undo(fixture.world, eye());
    assert_int_equal(at(CELL), CN_BLOCK_AIR);
    crafty_redo(fixture.world, eye());
    assert_int_equal(at(CELL), BLOCK_DIRT);
}

static void a_new_change_forgets_what_could_be_redone(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    crafty_undo(fixture.world, eye());
    put(beside(1), BLOCK_DIRT);
    assert_int_equal(crafty_redo(fixture.world, eye()), 0);
}

static void a_cell_that_another_player_changed_is_left_alone(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    put_as(fixture.players[1], CELL, BLOCK_DIRT);
    assert_int_equal(crafty_undo(fixture.world, eye()), 0);
    assert_int_equal(at(CELL), BLOCK_DIRT);
}

static void each_player_has_a_history(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    put_as(fixture.players[1], beside(1), BLOCK_DIRT);
    assert_int_equal(crafty_undo(fixture.world, eye()), 1);
    assert_int_equal(at(beside(1)), BLOCK_DIRT);
}

static void survival_has_no_undo(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SURVIVAL;
    assert_int_equal(crafty_undo(fixture.world, eye()), 0);
    put(beside(1), BLOCK_STONE);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    assert_int_equal(crafty_undo_count(fixture.world, eye()), 1);
}

/* ---- Containers and signs ---- */

static void fill_crate(uint32_t sticks)
{
    CraftyContainer container = {0};
    container.slots[4] =
        (CraftyStack){.item = fixture_item(&fixture, "stick"), .count = (uint16_t)sticks};
    put(CELL, fixture_block(&fixture, CRAFTY_CRATE));
    fixture_ticks(&fixture, 1);
    assert_true(crafty_container_write(fixture.voxels, CELL, &container, NULL));
}

static uint64_t dropped_sticks(void)
{
    return crafty_drop_items(fixture.world, fixture_item(&fixture, "stick"));
}

/* Sticks in the crate and as drops. */
static uint64_t all_sticks(void)
{
    CraftyContainer container = {0};
    crafty_container_read(fixture.voxels, CELL, &container);
    return dropped_sticks() + container.slots[4].count;
}

static void the_contents_of_a_broken_crate_drop(void **state)
{
    (void)state;
    fill_crate(7);
    put(CELL, CN_BLOCK_AIR);
    assert_int_equal(dropped_sticks(), 7);
}

static void a_broken_crate_comes_back_empty(void **state)
{
    (void)state;
    fill_crate(7);
    put(CELL, CN_BLOCK_AIR);
    assert_int_equal(crafty_undo(fixture.world, eye()), 1);
    assert_int_equal(at(CELL), fixture_block(&fixture, CRAFTY_CRATE));
    assert_int_equal(dropped_sticks(), 7);
    assert_int_equal(all_sticks(), 7);
}

static void undo_of_placing_drops_the_contents(void **state)
{
    (void)state;
    fill_crate(3);
    assert_int_equal(crafty_undo(fixture.world, eye()), 1);
    assert_int_equal(dropped_sticks(), 3);
    assert_int_equal(crafty_redo(fixture.world, eye()), 1);
    assert_int_equal(all_sticks(), 3);
}

static void redo_of_breaking_drops_what_was_put_in_since(void **state)
{
    (void)state;
    CraftyContainer container = {0};
    fill_crate(7);
    put(CELL, CN_BLOCK_AIR);
    crafty_undo(fixture.world, eye());
    container.slots[4] = (CraftyStack){.item = fixture_item(&fixture, "stick"), .count = 5};
    assert_true(crafty_container_write(fixture.voxels, CELL, &container, NULL));
    assert_int_equal(crafty_redo(fixture.world, eye()), 1);
    assert_int_equal(dropped_sticks(), 12);
}

static void contents_of_forgotten_changes_are_not_lost(void **state)
{
    (void)state;
    fill_crate(7);
    for (uint32_t i = 0; i < CRAFTY_UNDO_GROUPS + 2; i++) {
        put(CELL, i % 2 ? (CnBlock)CN_BLOCK_AIR : (CnBlock)BLOCK_STONE);
        fixture_ticks(&fixture, 1);
    }
    uint64_t held = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        CraftyStack stack = *crafty_player_slot(fixture_player(&fixture, 0), i);
        held += stack.item == fixture_item(&fixture, "stick") ? stack.count : 0;
    }
    assert_int_equal(dropped_sticks() + held, 7);
}

static void a_crate_whose_contents_cannot_drop_stays_and_is_not_noted(void **state)
{
    (void)state;
    CraftyPlayer *player = fixture_player(&fixture, 0);
    fill_crate(7);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player, i) =
            (CraftyStack){.item = fixture_item(&fixture, "dirt"), .count = 64};
    while (crafty_drop_count(fixture.world) < CRAFTY_MAX_DROP_ENTITIES)
        assert_true(crafty_drop_spawn(
                        fixture.world, cn_vec3(0, FLOOR_Y + 20, 0), cn_vec3(0, 0, 0),
                        (CraftyStack){.item = fixture_item(&fixture, "dirt"), .count = 64}, 1000)
                        .id);
    uint32_t groups = crafty_undo_count(fixture.world, eye());
    put(CELL, CN_BLOCK_AIR);
    assert_int_equal(at(CELL), fixture_block(&fixture, CRAFTY_CRATE));
    assert_int_equal(all_sticks(), 7);
    assert_int_equal(crafty_undo_count(fixture.world, eye()), groups);
    assert_int_equal(crafty_undo(fixture.world, eye()), 0); /* of placing it */
    assert_int_equal(all_sticks(), 7);
}

static void write_sign(const char *text)
{
    put(CELL, fixture_block(&fixture, "sign_north"));
    fixture_ticks(&fixture, 1);
    assert_true(crafty_sign_write(fixture.voxels, CELL, cn_text(text), NULL));
}

static void the_text_of_a_broken_sign_comes_back(void **state)
{
    (void)state;
    char text[CRAFTY_SIGN_BYTES];
    write_sign("home");
    put(CELL, CN_BLOCK_AIR);
    crafty_undo(fixture.world, eye());
    assert_true(crafty_sign_read(fixture.voxels, CELL, text));
    assert_string_equal(text, "home");
}

static void the_oldest_groups_are_forgotten(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_UNDO_GROUPS + 10; i++) {
        put(CELL, i % 2 ? (CnBlock)CN_BLOCK_AIR : (CnBlock)BLOCK_STONE);
        fixture_ticks(&fixture, 1);
    }
    assert_int_equal(crafty_undo_count(fixture.world, eye()), CRAFTY_UNDO_GROUPS);
}

static void a_group_larger_than_the_history_forgets_itself(void **state)
{
    (void)state;
    CnEdit edit = {.cell = CELL, .old_block = CN_BLOCK_AIR, .new_block = BLOCK_STONE};
    for (uint32_t i = 0; i < CRAFTY_UNDO_EDITS + 1; i++)
        assert_true(crafty_undo_note(fixture.world, eye(), &edit));
    assert_int_equal(crafty_undo(fixture.world, eye()), 0);
}

static void keys_undo_and_redo(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    input_key(&fixture.inputs[0], CN_KEY_Z, true);
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(CELL), CN_BLOCK_AIR);
    input_key(&fixture.inputs[0], CN_KEY_Y, true);
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(CELL), BLOCK_STONE);
}

static void commands_undo_and_redo(void **state)
{
    (void)state;
    put(CELL, BLOCK_STONE);
    assert_true(crafty_connection_send_command(fixture.inputs[0].connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_UNDO}));
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(CELL), CN_BLOCK_AIR);
    assert_true(crafty_connection_send_command(fixture.inputs[0].connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_REDO}));
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(CELL), BLOCK_STONE);
}

/* ---- Saving ---- */

static void a_saved_history_is_the_same_after_loading(void **state)
{
    (void)state;
    CnSnapshot snapshot = {0};
    char text[CRAFTY_SIGN_BYTES];
    write_sign("home");
    put(CELL, CN_BLOCK_AIR);
    put(beside(1), BLOCK_STONE);
    fixture_ticks(&fixture, 1);
    put(beside(2), BLOCK_STONE);
    crafty_undo(fixture.world, eye());
    assert_true(cn_sim_save(fixture.sim, &snapshot, NULL));
    crafty_undo(fixture.world, eye());
    crafty_undo(fixture.world, eye());
    put(CELL, CN_BLOCK_AIR);
    put(beside(1), BLOCK_STONE);
    assert_true(cn_sim_restore(fixture.sim, snapshot.bytes, snapshot.size, NULL));
    assert_int_equal(crafty_redo_count(fixture.world, eye()), 1);
    assert_int_equal(crafty_undo_count(fixture.world, eye()), 2);
    assert_int_equal(crafty_undo(fixture.world, eye()), 2);
    assert_true(crafty_sign_read(fixture.voxels, CELL, text));
    assert_string_equal(text, "home");
    cn_snapshot_free(&snapshot);
}

static void damaged_histories_are_refused(void **state)
{
    (void)state;
    CraftyUndoHistories *histories = crafty_undo_histories_create(cn_system_allocator());
    CnU8Array bytes;
    CnError error = {0};
    cn_array_init(&bytes, NULL);
    assert_non_null(histories);
    CraftyUndoStep step = {.cell = CELL, .expected = BLOCK_STONE, .group = 1};
    for (uint32_t i = 0; i < 3; i++)
        assert_true(crafty_undo_stack_push(&crafty_undo_history_of(histories, 2)->undo, &step));
    assert_true(crafty_undo_histories_write(histories, &bytes, NULL));
    assert_true(
        crafty_undo_histories_read(histories, fixture.voxels, bytes.items, bytes.count, NULL));
    assert_int_equal(crafty_undo_history_find(histories, 2)->undo.count, 3);
    for (uint32_t size = 1; size < bytes.count; size++)
        if (size != 4) /* only the version: empty */
            assert_false(
                crafty_undo_histories_read(histories, fixture.voxels, bytes.items, size, &error));
    for (uint32_t i = 0; i < bytes.count; i++)
        for (uint32_t bit = 0; bit < 8; bit++) {
            bytes.items[i] ^= (uint8_t)(1u << bit); /* must not crash */
            crafty_undo_histories_read(histories, fixture.voxels, bytes.items, bytes.count, &error);
            bytes.items[i] ^= (uint8_t)(1u << bit);
        }
    cn_array_fini(&bytes);
    crafty_undo_histories_destroy(histories);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(undo_takes_back_the_last_change, make, unmake),
        cmocka_unit_test_setup_teardown(redo_repeats_what_was_undone, make, unmake),
        cmocka_unit_test_setup_teardown(changes_of_one_tick_are_undone_together, make, unmake),
        cmocka_unit_test_setup_teardown(a_group_is_undone_together, make, unmake),
        cmocka_unit_test_setup_teardown(what_falls_apart_is_undone_with_its_group, make, unmake),
        cmocka_unit_test_setup_teardown(
            a_cell_that_changed_twice_in_a_group_gets_its_first_block_back, make, unmake),
        cmocka_unit_test_setup_teardown(a_new_change_forgets_what_could_be_redone, make, unmake),
        cmocka_unit_test_setup_teardown(a_cell_that_another_player_changed_is_left_alone, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(each_player_has_a_history, make, unmake),
        cmocka_unit_test_setup_teardown(survival_has_no_undo, make, unmake),
        cmocka_unit_test_setup_teardown(the_contents_of_a_broken_crate_drop, make, unmake),
        cmocka_unit_test_setup_teardown(a_broken_crate_comes_back_empty, make, unmake),
        cmocka_unit_test_setup_teardown(undo_of_placing_drops_the_contents, make, unmake),
        cmocka_unit_test_setup_teardown(redo_of_breaking_drops_what_was_put_in_since, make, unmake),
        cmocka_unit_test_setup_teardown(contents_of_forgotten_changes_are_not_lost, make, unmake),
        cmocka_unit_test_setup_teardown(a_crate_whose_contents_cannot_drop_stays_and_is_not_noted,
                                        make, unmake),
        cmocka_unit_test_setup_teardown(the_text_of_a_broken_sign_comes_back, make, unmake),
        cmocka_unit_test_setup_teardown(the_oldest_groups_are_forgotten, make, unmake),
        cmocka_unit_test_setup_teardown(a_group_larger_than_the_history_forgets_itself, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(keys_undo_and_redo, make, unmake),
        cmocka_unit_test_setup_teardown(commands_undo_and_redo, make, unmake),
        cmocka_unit_test_setup_teardown(a_saved_history_is_the_same_after_loading, make, unmake),
        cmocka_unit_test_setup_teardown(damaged_histories_are_refused, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

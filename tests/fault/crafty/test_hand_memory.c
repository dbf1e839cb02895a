/*
 * Allocations that fail while a player breaks, places, throws, picks up, opens a crate of items and
 * undoes: no item is lost or doubled, and the game goes on.
 */
#include "failing_system.h"
#include "sim_fixture.h"

#include <crafty/sim/container.h>
#include <crafty/sim/undo.h>

#include <cairn/base/log.h>

static SimFixture fixture;
static const CnCell AHEAD = {0, FLOOR_Y + 2, -2};

/* Ticks may fail for lack of memory. */
static void ticks(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cn_actions_evaluate(crafty_actions(), &fixture.inputs[0].devices.input,
                            &fixture.inputs[0].devices.gamepads, 0, &fixture.inputs[0].actions);
        crafty_connection_send_actions(fixture.inputs[0].connection, &fixture.inputs[0].actions);
        cn_input_devices_begin_tick(&fixture.inputs[0].devices);
        cn_sim_tick_n(fixture.sim, 1, NULL);
    }
}

static void hold_button(uint32_t button, uint64_t count)
{
    input_button(&fixture.inputs[0], button, true);
    ticks(count);
    input_button(&fixture.inputs[0], button, false);
    ticks(1);
}

static uint64_t count_in(CraftyItem item, const CraftyStack *slots, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += slots[i].item == item ? slots[i].count : 0;
    return sum;
}

/* Of an item, in slots, drops, crates and as blocks. */
static uint64_t count_all(const char *name)
{
    CraftyItem item = fixture_item(&fixture, name);
    const CraftyPlayer *player = fixture_player(&fixture, 0);
    CraftyContainer container;
    uint64_t sum = count_in(item, player->slots, CRAFTY_SLOTS) +
                   count_in(item, player->inventory, CRAFTY_INVENTORY_SLOTS) +
                   crafty_drop_items(fixture.world, item);
    for (int32_t x = -8; x <= 8; x++)
        for (int32_t y = FLOOR_Y; y < FLOOR_Y + 8; y++)
            for (int32_t z = -8; z <= 8; z++) {
                CnCell cell = {x, y, z};
                sum +=
                    crafty_harvest_item(fixture.world, cn_voxels_get(fixture.voxels, cell)) == item;
                if (crafty_container_read(fixture.voxels, cell, &container))
                    sum += count_in(item, container.slots, CRAFTY_CONTAINER_SLOTS);
            }
    return sum;
}

static void begin(void)
{
    fixture_make(&fixture, 1);
    CraftyPlayer *player = fixture_player(&fixture, 0);
    player->mode = CRAFTY_MODE_SURVIVAL;
    player->slots[0] = (CraftyStack){.item = fixture_item(&fixture, "oak_planks"), .count = 5};
    CraftyContainer container = {0};
    container.slots[2] = (CraftyStack){.item = fixture_item(&fixture, "coal"), .count = 9};
    assert_true(voxel_set(fixture.voxels, AHEAD, fixture_block(&fixture, "crate")));
    assert_true(crafty_container_write(fixture.voxels, AHEAD, &container, NULL));
    assert_true(voxel_set(fixture.voxels, (CnCell){0, FLOOR_Y + 2, -4}, BLOCK_DIRT));
    ticks(2);
}

static void play(void)
{
    hold_button(CN_MOUSE_LEFT, 190); /* the crate */
    hold_button(CN_MOUSE_LEFT, 50);  /* the dirt */
    hold_button(CN_MOUSE_RIGHT, 1);
    input_key(&fixture.inputs[0], CN_KEY_Q, true);
    ticks(150);
}

static void expect_all(int64_t nth)
{
    static const struct {
        const char *name;
        uint64_t count;
    } items[] = {{"oak_planks", 5}, {"coal", 9}, {"crate", 1}, {"dirt", 1}};
    for (uint32_t i = 0; i < CN_COUNT_OF(items); i++)
        if (count_all(items[i].name) != items[i].count)
            fail_msg("allocation %lld: %llu of %s", (long long)nth,
                     (unsigned long long)count_all(items[i].name), items[i].name);
}

static void no_item_is_lost_when_memory_runs_out(void **state)
{
    (void)state;
    begin();
    failing_system_begin(INT64_MAX, 0);
    play();
    int64_t allocations = failing_system_end();
    expect_all(-1);
    fixture_end(&fixture);
    assert_true(allocations > 5);
    for (int64_t nth = 0; nth < allocations; nth++) {
        begin();
        failing_system_begin(nth, 1);
        play();
        failing_system_end();
        expect_all(nth);
        fixture_end(&fixture);
    }
}

static void no_item_is_lost_when_all_allocations_fail(void **state)
{
    (void)state;
    begin();
    failing_system_begin(0, INT64_MAX);
    play();
    failing_system_end();
    expect_all(0);
    fixture_end(&fixture);
}

/* A change that cannot be noted is not undone; what is undone is undone completely. */
static void undo_without_memory_does_no_harm(void **state)
{
    (void)state;
    for (int64_t nth = 0; nth < 20; nth++) {
        CnEdit edit = {.kind = CN_EDIT_BREAK, .face = CN_EDIT_NO_FACE, .cell = AHEAD};
        begin();
        fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
        failing_system_begin(nth, 1);
        bool is_done = crafty_undo_edit(fixture.world, fixture.players[0], &edit, NULL);
        uint32_t undone = crafty_undo(fixture.world, fixture.players[0]);
        failing_system_end();
        assert_true(undone == 0 || is_done);
        bool is_there = cn_voxels_get(fixture.voxels, AHEAD) == fixture_block(&fixture, "crate");
        assert_true(is_there || (is_done && undone == 0));
        assert_int_equal(count_all("coal"), 9);
        fixture_end(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_item_is_lost_when_memory_runs_out),
        cmocka_unit_test(no_item_is_lost_when_all_allocations_fail),
        cmocka_unit_test(undo_without_memory_does_no_harm),
    };
    failing_system_install();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

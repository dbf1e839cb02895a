/* Crates and inventories: moving items by commands, reach, and what happens to the contents of a
 * crate that is broken. */
#include "item_fixture.h"
#include "player_input.h"
#include "voxel_world.h"

#include <crafty/sim/block_sum.h>
#include <crafty/sim/connection.h>
#include <crafty/sim/container.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/drops.h>

#include <cairn/base/log.h>

#define BOX(slot) (uint8_t)(CRAFTY_COMMAND_CONTAINER + (slot))
#define BAG(slot) (uint8_t)(CRAFTY_SLOTS + (slot))

static const CnCell CRATE = {2, 300, 0};
static const CnCell FAR_CRATE = {9, 300, 0};

static VoxelWorld blocks;
static CraftyItems *items;
static CraftySimDesc desc;
static CnSim *sim;
static CnWorld *world;
static CnEntity eye;
static CraftyConnection *connection;

static CnBlock block_of(const char *name)
{
    return cn_block_find(cn_voxels_blocks(blocks.world), name);
}

/* A flying player at 0, 300, 0 with empty slots, and two crates. */
static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    blocks = voxel_world_create(cn_system_allocator(), 0, NULL);
    items = make_items(NULL);
    desc = (CraftySimDesc){.voxels = blocks.world,
                           .items = items,
                           .start = {.viewer = CRAFTY_VIEWER_FLIES,
                                     .pose = {.position = {0.5f, 300.5f, 0.5f}},
                                     .freeze_blocks = true}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&desc);
    sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(sim);
    assert_true(cn_sim_add_plugin(sim, &crafty, NULL));
    world = cn_sim_world(sim);
    eye = cn_camera_active(world);
    connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, NULL);
    assert_non_null(connection);
    assert_true(voxel_set(blocks.world, CRATE, block_of(CRAFTY_CRATE)));
    assert_true(voxel_set(blocks.world, FAR_CRATE, block_of(CRAFTY_CRATE)));
    memset(cn_get_mut(world, eye, CraftyPlayer)->slots, 0, CRAFTY_SLOTS * sizeof(CraftyStack));
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    crafty_connection_destroy(connection);
    cn_sim_destroy(sim);
    crafty_items_destroy(items);
    voxel_world_destroy(&blocks);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    return 0;
}

static CraftyStack stack_of(const char *name, uint16_t count)
{
    return (CraftyStack){.item = crafty_items_find(items, name), .count = count};
}

static CraftyPlayer *player(void)
{
    return cn_get_mut(world, eye, CraftyPlayer);
}

static void expect_slot(uint32_t slot, const char *name, uint16_t count)
{
    const CraftyStack *stack = crafty_player_slot(player(), slot);
    assert_int_equal(stack->item, count ? crafty_items_find(items, name) : CRAFTY_NO_ITEM);
    assert_int_equal(stack->count, count);
}

static CraftyContainer contents(CnCell cell)
{
    CraftyContainer container;
    assert_true(crafty_container_read(blocks.world, cell, &container));
    return container;
}

static void fill(CnCell cell, uint32_t slot, CraftyStack stack)
{
    CraftyContainer container = contents(cell);
    container.slots[slot] = stack;
    assert_true(crafty_container_write(blocks.world, cell, &container, NULL));
}

/* Returns whether the command was applied; a refused one is counted. */
static bool move(uint8_t from, uint8_t to, uint16_t count, CnCell cell)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_MOVE_ITEMS,
                             .from = from,
                             .to = to,
                             .count = count,
                             .cell = {cell.x, cell.y, cell.z}};
    CraftyCommandCounts before = *cn_resource(world, CraftyCommandCounts);
    assert_true(crafty_connection_send_command(connection, &command));
    assert_true(cn_sim_tick_n(sim, 1, NULL));
    const CraftyCommandCounts *after = cn_resource(world, CraftyCommandCounts);
    assert_int_equal(after->applied + after->ignored + after->without_effect,
                     before.applied + before.ignored + before.without_effect + 1);
    return after->applied > before.applied;
}

/* ---- The inventory ---- */

static void a_new_player_carries_nothing_beside_the_hotbar(void **state)
{
    (void)state;
    for (uint32_t i = CRAFTY_SLOTS; i < CRAFTY_PLAYER_SLOTS; i++)
        expect_slot(i, NULL, 0);
    assert_null(crafty_player_slot(player(), CRAFTY_PLAYER_SLOTS));
}

static void items_move_between_hotbar_and_inventory(void **state)
{
    (void)state;
    player()->slots[2] = stack_of("stone", 10);
    assert_true(move(2, BAG(26), 4, CRATE));
    expect_slot(2, "stone", 6);
    expect_slot(BAG(26), "stone", 4);
    assert_true(move(BAG(26), 0, 4, CRATE));
    expect_slot(0, "stone", 4);
    expect_slot(BAG(26), NULL, 0);
}

static void a_move_that_is_not_possible_is_counted_and_changes_nothing(void **state)
{
    (void)state;
    player()->slots[2] = stack_of("stone", 10);
    assert_false(move(2, 3, 11, CRATE));
    assert_false(move(3, 2, 1, CRATE));
    expect_slot(2, "stone", 10);
}

static void slots_that_do_not_exist_are_not_sent(void **state)
{
    (void)state;
    static const uint8_t slots[][2] = {
        {0, CRAFTY_SLOT_RESULT}, {BOX(CRAFTY_CONTAINER_SLOTS), 0}, {255, 0}, {46, 0}, {4, 4}};
    for (uint32_t i = 0; i < CN_COUNT_OF(slots); i++)
        assert_false(crafty_connection_send_command(
            connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_MOVE_ITEMS,
                                         .from = slots[i][0],
                                         .to = slots[i][1],
                                         .count = 1}));
    assert_false(crafty_connection_send_command(
        connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_MOVE_ITEMS, .from = 0, .to = 1}));
}

static void given_items_join_stacks_before_they_take_empty_slots(void **state)
{
    (void)state;
    CraftyStack given = stack_of("stone", 64);
    player()->inventory[20] = stack_of("stone", 60);
    player()->slots[0] = stack_of("stick", 1);
    crafty_player_give(items, player(), &given);
    assert_int_equal(given.count, 0);
    expect_slot(BAG(20), "stone", 64);
    expect_slot(1, "stone", 60);
}

static void what_a_player_cannot_carry_is_not_given(void **state)
{
    (void)state;
    CraftyStack given = stack_of("stone", 64);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player(), i) = stack_of("stick", 64);
    *crafty_player_slot(player(), 30) = stack_of("stone", 60);
    crafty_player_give(items, player(), &given);
    assert_int_equal(given.count, 60);
    expect_slot(30, "stone", 64);
}

/* ---- Crates ---- */

static void items_move_into_a_crate_and_out_of_it(void **state)
{
    (void)state;
    player()->slots[0] = stack_of("stone", 10);
    assert_true(move(0, BOX(26), 7, CRATE));
    expect_slot(0, "stone", 3);
    assert_int_equal(contents(CRATE).slots[26].count, 7);
    assert_true(move(BOX(26), BAG(3), 2, CRATE));
    expect_slot(BAG(3), "stone", 2);
    assert_int_equal(contents(CRATE).slots[26].count, 5);
}

static void items_move_within_a_crate(void **state)
{
    (void)state;
    fill(CRATE, 0, stack_of("stone", 10));
    assert_true(move(BOX(0), BOX(5), 4, CRATE));
    assert_int_equal(contents(CRATE).slots[0].count, 6);
    assert_int_equal(contents(CRATE).slots[5].count, 4);
}

static void an_empty_crate_has_no_data(void **state)
{
    (void)state;
    fill(CRATE, 3, stack_of("stone", 10));
    assert_int_equal(cn_block_data_stats(blocks.world).blocks, 1);
    assert_true(move(BOX(3), 0, 10, CRATE));
    assert_int_equal(cn_block_data_stats(blocks.world).blocks, 0);
}

static void a_crate_out_of_reach_is_refused(void **state)
{
    (void)state;
    fill(FAR_CRATE, 0, stack_of("stone", 10));
    assert_false(move(BOX(0), 0, 10, FAR_CRATE));
    cn_get_mut(world, eye, CnTransform)->position.x += 3; /* 5.5 blocks away */
    assert_true(move(BOX(0), 0, 10, FAR_CRATE));
    expect_slot(0, "stone", 10);
}

static void a_block_that_is_no_crate_holds_nothing(void **state)
{
    (void)state;
    player()->slots[0] = stack_of("stone", 10);
    assert_false(move(0, BOX(0), 1, (CnCell){0, 302, 0}));
    assert_true(voxel_set(blocks.world, (CnCell){0, 302, 0}, BLOCK_STONE));
    assert_false(move(0, BOX(0), 1, (CnCell){0, 302, 0}));
    expect_slot(0, "stone", 10);
}

static void data_of_another_kind_is_left_alone(void **state)
{
    (void)state;
    CnBlockData data = {.size = 4, .bytes = (const uint8_t *)"mod!"};
    assert_true(cn_block_data_kind(blocks.world, "mod:locked", &data.kind, NULL));
    assert_true(cn_block_data_set(blocks.world, CRATE, &data, NULL));
    player()->slots[0] = stack_of("stone", 10);
    assert_false(move(0, BOX(0), 10, CRATE));
    assert_true(cn_block_data_get(blocks.world, CRATE, &data));
    assert_memory_equal(data.bytes, "mod!", 4);
}

static void malformed_contents_are_left_alone(void **state)
{
    (void)state;
    static const uint8_t bytes[CRAFTY_CONTAINER_SLOTS * 6 + 6];
    static const uint16_t sizes[] = {1, 8, sizeof bytes};
    CnBlockData data = {.bytes = bytes};
    CraftyContainer container;
    assert_true(cn_block_data_kind(blocks.world, CRAFTY_CONTAINER_KIND, &data.kind, NULL));
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        data.size = sizes[i];
        assert_true(cn_block_data_set(blocks.world, CRATE, &data, NULL));
        assert_false(crafty_container_read(blocks.world, CRATE, &container));
    }
}

static void the_contents_of_a_crate_are_part_of_the_state_hash(void **state)
{
    (void)state;
    assert_true(cn_sim_tick_n(sim, 1, NULL));
    uint64_t before = cn_resource(world, CraftyBlockSum)->data;
    player()->slots[0] = stack_of("stone", 10);
    assert_true(move(0, BOX(0), 1, CRATE));
    assert_true(cn_resource(world, CraftyBlockSum)->data != before);
    assert_true(move(BOX(0), 0, 1, CRATE));
    assert_true(cn_resource(world, CraftyBlockSum)->data == before);
}

/* ---- Breaking ---- */

static void break_crate(uint32_t number)
{
    CnEdit edit = {
        .player = number, .kind = CN_EDIT_BREAK, .cell = CRATE, .new_block = CN_BLOCK_AIR};
    assert_true(cn_voxels_edit(blocks.world, &edit, NULL));
}

static uint64_t dropped(const char *name)
{
    return crafty_drop_items(world, crafty_items_find(items, name));
}

static void the_contents_of_a_broken_crate_drop(void **state)
{
    (void)state;
    fill(CRATE, 0, stack_of("stone", 10));
    fill(CRATE, 20, stack_of("stick", 3));
    break_crate(CRAFTY_FIRST_PLAYER);
    assert_int_equal(cn_voxels_get(blocks.world, CRATE), CN_BLOCK_AIR);
    assert_int_equal(dropped("stone"), 10);
    assert_int_equal(dropped("stick"), 3);
    assert_int_equal(cn_block_data_stats(blocks.world).blocks, 0);
}

static void the_contents_of_a_crate_that_is_broken_by_hand_drop(void **state)
{
    (void)state;
    const CnCell ahead = {0, 300, -3};
    PlayerInput input = make_input(world, CRAFTY_FIRST_PLAYER);
    assert_true(voxel_set(blocks.world, ahead, block_of(CRAFTY_CRATE)));
    fill(ahead, 5, stack_of("stone", 10));
    assert_true(voxel_set(blocks.world, (CnCell){0, 298, 0}, BLOCK_STONE));
    assert_true(crafty_player_set_mode(world, eye, CRAFTY_MODE_SURVIVAL));
    assert_true(crafty_player_capture(world, eye, true));
    input_ticks(&input, sim, 30);
    input_button(&input, CN_MOUSE_LEFT, true);
    input_ticks(&input, sim, 190); /* 3 seconds are 180 ticks */
    assert_int_equal(cn_voxels_get(blocks.world, ahead), CN_BLOCK_AIR);
    assert_int_equal(dropped("stone"), 10);
    end_input(&input);
}

static void fill_world_with_drops(void)
{
    CraftyStack dirt = stack_of("dirt", 64);
    for (uint32_t i = 0; i < CRAFTY_MAX_DROP_ENTITIES; i++)
        assert_true(crafty_drop_spawn(world, cn_vec3(100, 300, 0), cn_vec3(0, 0, 0), dirt, 0).id);
}

static void what_cannot_drop_goes_to_the_player(void **state)
{
    (void)state;
    fill_world_with_drops();
    fill(CRATE, 20, stack_of("stick", 3));
    break_crate(CRAFTY_FIRST_PLAYER);
    assert_int_equal(cn_voxels_get(blocks.world, CRATE), CN_BLOCK_AIR);
    expect_slot(0, "stick", 3);
}

static void a_crate_stays_with_what_cannot_drop(void **state)
{
    (void)state;
    fill_world_with_drops();
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player(), i) = stack_of("dirt", 64);
    fill(CRATE, 0, stack_of("stone", 10));
    fill(CRATE, 20, stack_of("stick", 3));
    break_crate(CN_EDIT_NOBODY); /* a player would get them */
    assert_int_equal(cn_voxels_get(blocks.world, CRATE), block_of(CRAFTY_CRATE));
    assert_int_equal(contents(CRATE).slots[0].count, 10);
    assert_int_equal(contents(CRATE).slots[20].count, 3);
}

static void an_empty_crate_breaks_although_the_player_carries_much(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player(), i) = stack_of("dirt", 64);
    break_crate(CRAFTY_FIRST_PLAYER);
    assert_int_equal(cn_voxels_get(blocks.world, CRATE), CN_BLOCK_AIR);
}

static void the_contents_of_a_crate_that_the_world_replaces_drop(void **state)
{
    (void)state;
    fill(CRATE, 0, stack_of("stone", 10));
    break_crate(CN_EDIT_NOBODY);
    assert_int_equal(cn_voxels_get(blocks.world, CRATE), CN_BLOCK_AIR);
    assert_int_equal(dropped("stone"), 10);
}

/* Slots of four bytes, without wear. */
static void the_contents_of_a_crate_of_an_older_world_are_read(void **state)
{
    (void)state;
    const uint16_t slots[] = {0, 0, crafty_items_find(items, "stone"), 10};
    CnBlockData data = {.size = sizeof slots, .bytes = (const uint8_t *)slots};
    assert_true(cn_block_data_kind(blocks.world, CRAFTY_CRATE_KIND, &data.kind, NULL));
    assert_true(cn_block_data_set(blocks.world, CRATE, &data, NULL));
    assert_int_equal(contents(CRATE).slots[1].count, 10);
    assert_true(move(BOX(1), BOX(0), 4, CRATE));
    assert_int_equal(contents(CRATE).slots[0].count, 4);
    assert_int_equal(contents(CRATE).slots[1].count, 6);
    assert_true(cn_block_data_get(blocks.world, CRATE, &data));
    assert_string_equal(cn_block_data_kind_name(blocks.world, data.kind), CRAFTY_CONTAINER_KIND);
}

/* ---- Conservation ---- */

static uint32_t count_of(CraftyItem item)
{
    CraftyContainer container = contents(CRATE);
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        const CraftyStack *stack = crafty_player_slot(player(), i);
        count += stack->item == item ? stack->count : 0;
    }
    for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++)
        count += container.slots[i].item == item ? container.slots[i].count : 0;
    return count;
}

static void ten_thousand_random_moves_neither_create_nor_lose_items(void **state)
{
    (void)state;
    static const char *const names[] = {"stone", "stick", "dirt"};
    uint64_t random = 7;
    uint32_t sent = 0;
    for (uint32_t i = 0; i < 20; i++)
        *crafty_player_slot(player(), i) = stack_of(names[i % 3], (uint16_t)(3 * i + 1));
    uint32_t counts[3];
    for (uint32_t i = 0; i < 3; i++)
        counts[i] = count_of(crafty_items_find(items, names[i]));
    for (uint32_t i = 0; i < 10000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t bits = (uint32_t)(random >> 33);
        uint32_t from = bits % 63, to = bits / 63 % 63;
        CraftyCommand command = {.kind = CRAFTY_COMMAND_MOVE_ITEMS,
                                 .from =
                                     (uint8_t)(from < CRAFTY_PLAYER_SLOTS ? from : from - 36 + 64),
                                 .to = (uint8_t)(to < CRAFTY_PLAYER_SLOTS ? to : to - 36 + 64),
                                 .count = (uint16_t)(1 + bits / 3969 % 8),
                                 .cell = {CRATE.x, CRATE.y, CRATE.z}};
        sent += crafty_connection_send_command(connection, &command);
        if (i % 50 == 49)
            assert_true(cn_sim_tick_n(sim, 1, NULL));
    }
    const CraftyCommandCounts *after = cn_resource(world, CraftyCommandCounts);
    assert_int_equal(after->applied + after->ignored + after->without_effect, sent);
    assert_true(after->applied > 500 && after->ignored + after->without_effect > 500);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(count_of(crafty_items_find(items, names[i])), counts[i]);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_player_carries_nothing_beside_the_hotbar),
        TEST(items_move_between_hotbar_and_inventory),
        TEST(a_move_that_is_not_possible_is_counted_and_changes_nothing),
        TEST(slots_that_do_not_exist_are_not_sent),
        TEST(given_items_join_stacks_before_they_take_empty_slots),
        TEST(what_a_player_cannot_carry_is_not_given),
        TEST(items_move_into_a_crate_and_out_of_it),
        TEST(items_move_within_a_crate),
        TEST(an_empty_crate_has_no_data),
        TEST(a_crate_out_of_reach_is_refused),
        TEST(a_block_that_is_no_crate_holds_nothing),
        TEST(data_of_another_kind_is_left_alone),
        TEST(malformed_contents_are_left_alone),
        TEST(the_contents_of_a_crate_are_part_of_the_state_hash),
        TEST(the_contents_of_a_broken_crate_drop),
        TEST(the_contents_of_a_crate_that_is_broken_by_hand_drop),
        TEST(what_cannot_drop_goes_to_the_player),
        TEST(a_crate_stays_with_what_cannot_drop),
        TEST(an_empty_crate_breaks_although_the_player_carries_much),
        TEST(the_contents_of_a_crate_that_the_world_replaces_drop),
        TEST(the_contents_of_a_crate_of_an_older_world_are_read),
        TEST(ten_thousand_random_moves_neither_create_nor_lose_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test-labels: slow */
/*
 * 200,000 random inputs of four players who break, place, use, pick, drop, write signs, move items
 * and undo. They take turns to build and to break what was built. In survival no item appears or
 * vanishes: what is tracked is in slots, crates, drops or in the world as a block. In creative mode
 * nothing crashes.
 */
#include "random.h"
#include "sim_fixture.h"

#include <crafty/sim/container.h>
#include <crafty/sim/vitals.h>

#include <cairn/base/log.h>

#define PLAYERS 4u
#define TICKS 50000u /* times four players */
#define CHECK_TICKS 500u
#define REACH 13
#define TURN_TICKS 300u /* of building, then of breaking */
#define BREAK_TICKS 8.0f

/* Blocks that drop their own item whatever breaks them. Two slabs become another block. */
static const char *const tracked[] = {"dirt",       "oak_planks", "torch", "oak_door",
                                      "ladder",     "sign",       "chest", "red_bed",
                                      "oak_stairs", "furnace",    "crate"};
#define TRACKED CN_COUNT_OF(tracked)

static SimFixture fixture;
static TestRandom numbers;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)test_random_below(&numbers, limit);
}

/* ---- Counting ---- */

typedef struct Ledger {
    uint64_t items[TRACKED];
    uint64_t buckets;
} Ledger;

static void add(Ledger *ledger, CraftyStack stack)
{
    const CraftyItemInfo *info = crafty_items_info(fixture.items, stack.item);
    if (crafty_stack_is_empty(stack) || !info)
        return;
    for (uint32_t i = 0; i < TRACKED; i++)
        if (strcmp(info->name, tracked[i]) == 0)
            ledger->items[i] += stack.count;
    if (strcmp(info->name, "bucket") == 0 || strcmp(info->name, "water_bucket") == 0)
        ledger->buckets += stack.count;
}

static void add_player(Ledger *ledger, uint32_t index)
{
    CraftyPlayer *player = fixture_player(&fixture, index);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        add(ledger, *crafty_player_slot(player, i));
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        add(ledger, player->grid[i]);
    add(ledger, player->carried);
}

static void add_cell(Ledger *ledger, CnCell cell)
{
    CnBlock block = cn_voxels_get(fixture.voxels, cell);
    CraftyContainer container;
    bool is_second_half = crafty_block_is_second(fixture.families, block) &&
                          (crafty_block_kind(fixture.families, block) == CRAFTY_KIND_DOOR ||
                           crafty_block_kind(fixture.families, block) == CRAFTY_KIND_BED);
    if (block == CN_BLOCK_AIR)
        return;
    if (!is_second_half)
        add(ledger, (CraftyStack){.item = crafty_harvest_item(fixture.world, block), .count = 1});
    if (crafty_container_read(fixture.voxels, cell, &container))
        for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++)
            add(ledger, container.slots[i]);
}

static Ledger count_all(void)
{
    Ledger ledger = {0};
    for (uint32_t i = 0; i < PLAYERS; i++)
        add_player(&ledger, i);
    for (int32_t x = -REACH; x <= REACH; x++)
        for (int32_t y = FLOOR_Y - REACH; y <= FLOOR_Y + REACH; y++)
            for (int32_t z = -REACH; z <= REACH; z++)
                add_cell(&ledger, (CnCell){x, y, z});
    for (uint32_t i = 0; i < TRACKED; i++)
        ledger.items[i] += crafty_drop_items(fixture.world, fixture_item(&fixture, tracked[i]));
    ledger.buckets += crafty_drop_items(fixture.world, fixture_item(&fixture, "bucket")) +
                      crafty_drop_items(fixture.world, fixture_item(&fixture, "water_bucket"));
    return ledger;
}

static void expect(const Ledger *expected, uint32_t tick)
{
    Ledger now = count_all();
    for (uint32_t i = 0; i < TRACKED; i++)
        if (now.items[i] != expected->items[i])
            fail_msg("tick %u: there are %llu of %s instead of %llu", tick,
                     (unsigned long long)now.items[i], tracked[i],
                     (unsigned long long)expected->items[i]);
    assert_int_equal(now.buckets, expected->buckets);
}

/* ---- Playing ---- */

static void repair_floor(void)
{
    for (int32_t x = -8; x <= 8; x++)
        for (int32_t z = -8; z <= 8; z++) {
            CnCell cell = {x, FLOOR_Y, z};
            if (cn_voxels_get(fixture.voxels, cell) == CN_BLOCK_AIR)
                voxel_set(fixture.voxels, cell, BLOCK_STONE);
        }
}

/* Drops that fell out of reach do not vanish. */
static void keep_drops(void)
{
    CnQuery *drops =
        cn_query_acquire(fixture.world, &(CnQueryDesc){.all = {cn_writes(CraftyDrop)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(drops); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_column(&view, CraftyDrop)[i].age = 0;
    cn_query_release(drops);
}

/* Items are used up by dying otherwise, and who falls leaves the counted cells. */
static void look_after(uint32_t index)
{
    CnTransform *transform = cn_get_mut(fixture.world, fixture.players[index], CnTransform);
    CraftyVitals *vitals = cn_get_mut(fixture.world, fixture.players[index], CraftyVitals);
    vitals->health = CRAFTY_MAX_HEALTH;
    vitals->food = CRAFTY_MAX_FOOD;
    vitals->air = CRAFTY_MAX_AIR;
    vitals->fall = 0;
    if (transform->position.y < FLOOR_Y || below(200) == 0) {
        transform->position =
            cn_vec3((float)below(9) - 3.5f, FLOOR_Y + 3.0f, (float)below(9) - 3.5f);
        cn_get_mut(fixture.world, fixture.players[index], CnPlayerController)->velocity =
            cn_vec3(0, 0, 0);
    }
}

static void look_around(uint32_t index)
{
    CraftyPose pose = {.yaw = (float)below(360), .pitch = (float)below(120) - 80};
    cn_get_mut(fixture.world, fixture.players[index], CnTransform)->rotation =
        crafty_pose_rotation(&pose);
}

static void look_at(uint32_t index, CnVec3 point)
{
    CnTransform *transform = cn_get_mut(fixture.world, fixture.players[index], CnTransform);
    CnVec3 way = cn_vec3_sub(point, transform->position);
    float along = cn_sqrtf(way.x * way.x + way.z * way.z);
    CraftyPose pose = {.yaw = cn_atan2f(-way.x, -way.z) * 180 / CN_PIF,
                       .pitch = cn_atan2f(way.y, along) * 180 / CN_PIF};
    transform->rotation = crafty_pose_rotation(&pose);
}

/* Looks at something near that a player has built, or anywhere if there is nothing. */
static void look_at_building(uint32_t index)
{
    CnVec3 eye = cn_get(fixture.world, fixture.players[index], CnTransform)->position;
    for (uint32_t i = 0; i < 100; i++) {
        CnVec3 point = {cn_floorf(eye.x) + (float)below(9) - 3.5f, FLOOR_Y + 0.5f + (float)below(6),
                        cn_floorf(eye.z) + (float)below(9) - 3.5f};
        CnBlock block =
            cn_voxels_get(fixture.voxels, (CnCell){(int32_t)cn_floorf(point.x), (int32_t)point.y,
                                                   (int32_t)cn_floorf(point.z)});
        if (block == CN_BLOCK_AIR || block == BLOCK_STONE)
            continue;
        look_at(index, point);
        return;
    }
    look_around(index);
}

/* Keeps aiming while a block breaks, mostly. By hand a chest takes four seconds; here everything
 * breaks in BREAK_TICKS, because many blocks are to be broken. */
static void break_blocks(uint32_t index)
{
    CraftyHand *hand = cn_get_mut(fixture.world, fixture.players[index], CraftyHand);
    input_button(&fixture.inputs[index], CN_MOUSE_LEFT, below(100) > 0);
    if (hand->breaking)
        hand->progress_ms += hand->break_ms / BREAK_TICKS;
    if (!hand->breaking || hand->breaking_block == BLOCK_STONE || below(100) == 0)
        look_at_building(index);
}

static void build(uint32_t index)
{
    static const uint32_t slots[] = {CN_KEY_1, CN_KEY_2, CN_KEY_3, CN_KEY_4, CN_KEY_5,
                                     CN_KEY_6, CN_KEY_7, CN_KEY_8, CN_KEY_9};
    PlayerInput *input = &fixture.inputs[index];
    input_button(input, CN_MOUSE_RIGHT, below(2) == 0);
    if (below(6) == 0)
        input_key(input, slots[below(CN_COUNT_OF(slots))], below(2) == 0);
    if (below(6) == 0)
        look_around(index);
    if (below(12) == 0)
        look_at_building(index);
}

/* Half of the players build while the others break. */
static void use_devices(uint32_t index, uint32_t tick)
{
    static const uint32_t rarely[] = {CN_KEY_Q, CN_KEY_Z, CN_KEY_Y, CN_KEY_LEFT_CTRL, CN_KEY_SPACE};
    PlayerInput *input = &fixture.inputs[index];
    bool builds = (tick / TURN_TICKS + index) % 2 == 0;
    if (tick % TURN_TICKS == 0)
        input_button(input, builds ? CN_MOUSE_LEFT : CN_MOUSE_RIGHT, false);
    if (builds)
        build(index);
    else
        break_blocks(index);
    if (below(40) == 0)
        input_key(input, rarely[below(CN_COUNT_OF(rarely))], below(3) == 0);
    if (below(50) == 0)
        input_button(input, CN_MOUSE_MIDDLE, below(2) == 0);
}

static void send_command(uint32_t index)
{
    CraftyCommand command = {.count = (uint16_t)(1 + below(64))};
    CnVec3 eye = cn_get(fixture.world, fixture.players[index], CnTransform)->position;
    static const uint8_t kinds[] = {CRAFTY_COMMAND_SIGN_TEXT, CRAFTY_COMMAND_UNDO,
                                    CRAFTY_COMMAND_REDO,      CRAFTY_COMMAND_MOVE_ITEMS,
                                    CRAFTY_COMMAND_CLOSE,     CRAFTY_COMMAND_QUICK_MOVE,
                                    CRAFTY_COMMAND_DROP_ITEMS};
    command.kind = kinds[below(CN_COUNT_OF(kinds))];
    command.from = (uint8_t)below(100);
    command.to = (uint8_t)below(100);
    const int32_t *open = fixture_player(&fixture, index)->open_cell;
    for (uint32_t i = 0; i < 3; i++)
        command.cell[i] = open[i];
    if (command.kind == CRAFTY_COMMAND_SIGN_TEXT && below(2) == 0)
        command.cell[0] = (int32_t)eye.x + (int32_t)below(5) - 2;
    for (uint32_t i = 0; i < 20; i++)
        command.text[i] = (char)below(below(4) ? 128 : 256);
    crafty_connection_send_command(fixture.inputs[index].connection, &command);
}

static void play(uint32_t ticks, const Ledger *expected)
{
    for (uint32_t tick = 0; tick < ticks; tick++) {
        for (uint32_t i = 0; i < PLAYERS; i++) {
            look_after(i);
            use_devices(i, tick);
            if (below(20) == 0)
                send_command(i);
            if (below(30) == 0) /* a screen that is never closed would end the play */
                crafty_connection_send_command(fixture.inputs[i].connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE});
        }
        fixture_ticks(&fixture, 1);
        if (tick % 100 == 0)
            repair_floor();
        if (tick % 10000 == 0)
            keep_drops();
        if (expected && tick % CHECK_TICKS == 0)
            expect(expected, tick);
    }
}

static uint32_t count_edits(CnEditKind kind)
{
    const CnEditLog *log = cn_voxels_log(fixture.voxels);
    uint32_t count = 0;
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++)
        count += cn_edit_log_at(log, i).kind == kind;
    return count;
}

static void begin(CraftyPlayerMode mode)
{
    numbers.state = 20;
    fixture_make(&fixture, PLAYERS);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        CraftyPlayer *player = fixture_player(&fixture, i);
        player->mode = (uint8_t)mode;
        for (uint32_t k = 0; k < TRACKED; k++)
            *crafty_player_slot(player, k) =
                (CraftyStack){.item = fixture_item(&fixture, tracked[k]), .count = 30};
        *crafty_player_slot(player, 8) =
            (CraftyStack){.item = fixture_item(&fixture, "bucket"), .count = 3};
    }
}

static void no_item_appears_or_vanishes_in_survival(void **state)
{
    (void)state;
    begin(CRAFTY_MODE_SURVIVAL);
    Ledger expected = count_all();
    play(TICKS, &expected);
    expect(&expected, TICKS);
    assert_int_equal(cn_resource(fixture.world, CraftyDropCounts)->vanished_items, 0);
    print_message("%u blocks placed, %u broken, %u other changes\n", count_edits(CN_EDIT_PLACE),
                  count_edits(CN_EDIT_BREAK),
                  count_edits(CN_EDIT_TICK) + count_edits(CN_EDIT_FLOW));
    assert_true(count_edits(CN_EDIT_PLACE) > 4000 && count_edits(CN_EDIT_BREAK) > 3000);
    fixture_end(&fixture);
}

static void random_inputs_in_creative_mode_do_no_harm(void **state)
{
    (void)state;
    begin(CRAFTY_MODE_CREATIVE);
    play(TICKS / 2, NULL);
    assert_true(count_edits(CN_EDIT_PLACE) > 3000 && count_edits(CN_EDIT_BREAK) > 3000);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_item_appears_or_vanishes_in_survival),
        cmocka_unit_test(random_inputs_in_creative_mode_do_no_harm),
    };
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

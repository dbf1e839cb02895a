#include "random.h"
#include "standard_blocks.h"
#include "voxel_room.h"

#include <cairn/voxel/interact.h>
#include <math.h>
#include <string.h>

#define Y ROOM_FLOOR
#define TICK_S (1.0f / 60)

typedef struct Player {
    Room room;
    CnInteract state;
    CnInteractInput input;
    CnInteractEvent events[CN_INTERACT_MAX_EVENTS];
    uint32_t event_count;
} Player;

/* On a floor of stone at Y, looking down at (0, Y, 2): the top of that block. */
static void begin(Player *player)
{
    *player = (Player){.room = room_open(), .state = {.player = 7}};
    room_fill(&player->room, (CnCell){-3, Y, -3}, (CnCell){3, Y, 5}, BLOCK_STONE);
    player->input = (CnInteractInput){.eye = {0.5f, Y + 1 + 1.62f, 0.5f},
                                      .forward = {0, -1.62f, 2},
                                      .body = {{0.2f, Y + 1.001f, 0.2f}, {0.8f, Y + 2.8f, 0.8f}},
                                      .dt = TICK_S,
                                      .tick = 100};
}

static void end(Player *player)
{
    room_close(&player->room);
}

static void update(Player *player)
{
    cn_interact_update(&player->state, player->room.world, &player->input, player->events,
                       &player->event_count);
    assert_true(player->event_count <= CN_INTERACT_MAX_EVENTS);
}

static void look_at(Player *player, float x, float y, float z)
{
    CnVec3 eye = player->input.eye;
    player->input.forward = (CnVec3){x - eye.x, y - eye.y, z - eye.z};
}

/* Updates until the first event of this kind, at most so many; how many it took, or -1. */
static int updates_until(Player *player, CnInteractKind kind, int most)
{
    for (int i = 1; i <= most; i++) {
        update(player);
        for (uint32_t e = 0; e < player->event_count; e++)
            if (player->events[e].kind == kind)
                return i;
    }
    return -1;
}

/* ---- Breaking ---- */

static void a_block_takes_its_hardness_times_1500_ms(void **state)
{
    (void)state;
    static const struct {
        CnBlock block;
        float ms;
    } cases[] = {{BLOCK_DIRT, 750},           {BLOCK_SAND, 750},         {BLOCK_GRASS, 900},
                 {BLOCK_STONE, 2250},         {BLOCK_AMETHYST, 2250},    {BLOCK_OAK_LOG, 3000},
                 {BLOCK_SPRUCE_PLANKS, 3000}, {BLOCK_DIAMOND_ORE, 4500}, {BLOCK_IRON_ORE, 4500},
                 {BLOCK_OBSIDIAN, 15000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(fabsf(cn_block_break_ms(standard_blocks(), cases[i].block) - cases[i].ms) <
                    0.01f);
        Player player;
        begin(&player);
        room_put(&player.room, 0, Y, 2, cases[i].block);
        player.input.breaking = true;
        player.input.dt = 0.05f;
        int updates = updates_until(&player, CN_INTERACT_BREAK, 1000);
        assert_true(fabsf((float)updates * 50 - cases[i].ms) <= 50);
        assert_int_equal(room_get(&player.room, 0, Y, 2), CN_BLOCK_AIR);
        end(&player);
    }
}

static void cracks_go_through_ten_stages_with_a_chip_each(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    int stage = 0, breaks = 0;
    for (int i = 0; i < 140 && !breaks; i++) {
        update(&player);
        for (uint32_t e = 0; e < player.event_count; e++) {
            breaks += player.events[e].kind == CN_INTERACT_BREAK;
            if (player.events[e].kind != CN_INTERACT_CHIP)
                continue;
            assert_int_equal(player.events[e].stage, stage++);
            assert_int_equal(player.state.crack_stage, player.events[e].stage);
            assert_int_equal(player.events[e].block, BLOCK_STONE);
        }
    }
    assert_int_equal(stage, 10);
    assert_int_equal(breaks, 1);
    assert_int_equal(player.state.crack_stage, -1);
    end(&player);
}

static void releasing_the_button_restarts_breaking(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    for (int i = 0; i < 100; i++)
        update(&player);
    assert_true(player.state.progress_ms > 1600);
    player.input.breaking = false;
    update(&player);
    assert_true(player.state.progress_ms == 0);
    assert_int_equal(player.state.crack_stage, -1);
    player.input.breaking = true;
    assert_true(updates_until(&player, CN_INTERACT_BREAK, 200) > 130);
    end(&player);
}

static void looking_away_restarts_breaking(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    for (int i = 0; i < 100; i++)
        update(&player);
    look_at(&player, 1.5f, Y + 1, 2.5f);
    update(&player);
    assert_int_equal(player.state.breaking_cell.x, 1);
    assert_true(player.state.progress_ms < 20);
    look_at(&player, 0.5f, Y + 1, 2.5f);
    assert_true(updates_until(&player, CN_INTERACT_BREAK, 200) > 130);
    end(&player);
}

static void a_block_that_becomes_another_starts_over(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    for (int i = 0; i < 100; i++)
        update(&player);
    room_put(&player.room, 0, Y, 2, BLOCK_OBSIDIAN);
    update(&player);
    assert_true(player.state.break_ms == 15000 && player.state.progress_ms < 20);
    end(&player);
}

static void soft_blocks_break_at_once(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y + 1, 2, BLOCK_POPPY);
    look_at(&player, 0.5f, Y + 1.5f, 2.5f);
    player.input.breaking = true;
    player.input.dt = 0;
    update(&player);
    assert_int_equal(player.event_count, 1);
    assert_int_equal(player.events[0].kind, CN_INTERACT_BREAK);
    assert_int_equal(player.events[0].block, BLOCK_POPPY);
    assert_int_equal(room_get(&player.room, 0, Y + 1, 2), CN_BLOCK_AIR);
    assert_int_equal(room_get(&player.room, 0, Y, 2), BLOCK_STONE);
    end(&player);
}

static void bedrock_never_breaks_and_says_so_once(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y, 2, BLOCK_BEDROCK);
    player.input.breaking = true;
    player.input.dt = 100;
    update(&player);
    assert_int_equal(player.event_count, 1);
    assert_int_equal(player.events[0].kind, CN_INTERACT_REFUSED);
    assert_int_equal(player.events[0].reason, CN_INTERACT_UNBREAKABLE);
    update(&player);
    assert_int_equal(player.event_count, 0);
    assert_int_equal(room_get(&player.room, 0, Y, 2), BLOCK_BEDROCK);
    end(&player);
}

static void blocks_out_of_reach_are_not_broken(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y + 2, 7, BLOCK_DIRT);
    player.input.forward = (CnVec3){0, 0, 1};
    player.input.breaking = true;
    assert_int_equal(updates_until(&player, CN_INTERACT_BREAK, 100), -1);
    assert_false(player.state.aiming);
    player.input.eye.z = 1.5f;
    assert_true(updates_until(&player, CN_INTERACT_BREAK, 100) > 0);
    end(&player);
}

static void props_break_with_the_block_under_them(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y, 2, BLOCK_DIRT);
    for (int i = 1; i <= 3; i++)
        room_put(&player.room, 0, Y + i, 2, BLOCK_SUGAR_CANE);
    room_put(&player.room, 0, Y + 5, 2, BLOCK_POPPY); /* not connected */
    player.input.eye = (CnVec3){0.5f, Y + 0.5f, -0.5f};
    player.input.forward = (CnVec3){0, 0, 1};
    room_fill(&player.room, (CnCell){0, Y, -1}, (CnCell){0, Y, 1}, CN_BLOCK_AIR);
    player.input.breaking = true;
    assert_true(updates_until(&player, CN_INTERACT_BREAK, 100) > 0);
    assert_int_equal(player.event_count, 4);
    for (int i = 0; i <= 4; i++)
        assert_int_equal(room_get(&player.room, 0, Y + i, 2), CN_BLOCK_AIR);
    assert_int_equal(room_get(&player.room, 0, Y + 5, 2), BLOCK_POPPY);
    end(&player);
}

static void a_high_reed_breaks_whole_though_events_are_limited(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_fill(&player.room, (CnCell){0, Y + 1, 2}, (CnCell){0, Y + 40, 2}, BLOCK_SUGAR_CANE);
    look_at(&player, 0.5f, Y + 1.5f, 2.5f);
    player.input.breaking = true;
    update(&player);
    assert_int_equal(player.event_count, CN_INTERACT_MAX_EVENTS);
    assert_int_equal(room_get(&player.room, 0, Y + 40, 2), CN_BLOCK_AIR);
    end(&player);
}

static void a_break_is_in_the_log_and_can_be_undone(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    player.input.dt = 10;
    update(&player);
    CnEditLog *log = cn_voxels_log(player.room.world);
    CnEdit edit = cn_edit_log_at(log, cn_edit_log_count(log) - 1);
    assert_int_equal(edit.kind, CN_EDIT_BREAK);
    assert_int_equal(edit.player, 7);
    assert_int_equal(edit.tick, 100);
    assert_int_equal(edit.face, CN_FACE_POS_Y);
    assert_int_equal(edit.old_block, BLOCK_STONE);
    CnEdit back;
    assert_true(cn_edit_log_undo(log, 7, &back));
    assert_true(cn_voxels_edit(player.room.world, &back, NULL));
    assert_int_equal(room_get(&player.room, 0, Y, 2), BLOCK_STONE);
    assert_false(cn_edit_log_undo(log, 7, &back));
    end(&player);
}

static void events_carry_surface_and_linear_color(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    update(&player);
    assert_int_equal(player.events[0].kind, CN_INTERACT_CHIP);
    assert_int_equal(player.events[0].surface, CN_BLOCK_SURFACE_STONE);
    for (int i = 0; i < 3; i++) {
        double srgb = standard_blocks()->info[BLOCK_STONE].color[i] / 255.0;
        double linear = srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
        assert_true(fabs(player.events[0].color[i] - linear) < 1e-5);
    }
    end(&player);
}

/* ---- Placing ---- */

static void a_block_is_placed_at_the_face_that_is_aimed_at(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.placing = true;
    player.input.held = BLOCK_BRICKS;
    update(&player);
    assert_int_equal(player.event_count, 1);
    assert_int_equal(player.events[0].kind, CN_INTERACT_PLACE);
    assert_int_equal(player.events[0].block, BLOCK_BRICKS);
    assert_int_equal(room_get(&player.room, 0, Y + 1, 2), BLOCK_BRICKS);
    assert_int_equal(room_get(&player.room, 0, Y, 2), BLOCK_STONE);
    end(&player);
}

static void placing_repeats_after_700_ms_then_every_300(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.placing = true;
    player.input.held = BLOCK_BRICKS;
    player.input.dt = 0.05f;
    int placed[4], count = 0;
    for (int i = 0; i < 60 && count < 4; i++) {
        /* Another free place each time. */
        look_at(&player, (float)count - 1.5f, Y + 1, 3.5f);
        update(&player);
        if (player.event_count > 0 && player.events[0].kind == CN_INTERACT_PLACE)
            placed[count++] = i;
    }
    assert_int_equal(count, 4);
    assert_int_equal(placed[0], 0);
    assert_in_range(placed[1], 14, 15);
    assert_in_range(placed[2] - placed[1], 5, 7);
    assert_in_range(placed[3] - placed[2], 5, 7);
    end(&player);
}

static void releasing_the_button_allows_placing_at_once(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.held = BLOCK_BRICKS;
    for (int i = 0; i < 3; i++) {
        look_at(&player, (float)i - 0.5f, Y + 1, 3.5f);
        player.input.placing = true;
        update(&player);
        assert_int_equal(player.events[0].kind, CN_INTERACT_PLACE);
        player.input.placing = false;
        update(&player);
        assert_int_equal(player.event_count, 0);
    }
    end(&player);
}

static void assert_refused(Player *player, CnInteractReason reason)
{
    player->input.placing = false;
    update(player);
    uint64_t before = cn_voxels_hash(player->room.world);
    player->input.placing = true;
    update(player);
    assert_int_equal(player->event_count, 1);
    assert_int_equal(player->events[0].kind, CN_INTERACT_REFUSED);
    assert_int_equal(player->events[0].reason, reason);
    assert_true(cn_voxels_hash(player->room.world) == before);
}

static void nothing_is_placed_inside_of_a_body(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.held = BLOCK_BRICKS;
    look_at(&player, 0.55f, Y + 1, 0.55f); /* the block that the player stands on */
    assert_refused(&player, CN_INTERACT_BODY_INSIDE);
    CnVoxelBox other = {{0.2f, Y + 1.2f, 2.2f}, {0.8f, Y + 3, 2.8f}};
    player.input.others = &other;
    player.input.other_count = 1;
    look_at(&player, 0.5f, Y + 1, 2.5f);
    assert_refused(&player, CN_INTERACT_BODY_INSIDE);
    end(&player);
}

static void props_may_be_placed_where_a_body_is(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.held = BLOCK_TORCH;
    player.input.placing = true;
    look_at(&player, 0.55f, Y + 1, 0.55f);
    update(&player);
    assert_int_equal(player.events[0].kind, CN_INTERACT_PLACE);
    end(&player);
}

static void nothing_is_placed_without_a_face(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.held = BLOCK_BRICKS;
    player.input.forward = (CnVec3){0, 1, 0};
    assert_refused(&player, CN_INTERACT_NO_FACE);
    /* The eye inside of a block. */
    room_put(&player.room, 0, Y + 2, 0, BLOCK_SAND);
    assert_refused(&player, CN_INTERACT_NO_FACE);
    end(&player);
}

static void only_placeable_blocks_are_placed(void **state)
{
    (void)state;
    static const CnBlock not [] = {CN_BLOCK_AIR, BLOCK_BEDROCK, CN_BLOCK_WATER_3, BLOCK_COUNT,
                                   65535};
    Player player;
    begin(&player);
    for (int i = 0; i < 5; i++) {
        player.input.held = not [i];
        assert_refused(&player, CN_INTERACT_NOT_PLACEABLE);
    }
    end(&player);
}

/* The block under the water is broken, and the water stays: it is taken away by placing a block in
 * its cell. */
static void water_is_looked_through_when_blocks_are_broken(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y + 1, 2, CN_BLOCK_WATER);
    room_put(&player.room, 0, Y, 2, BLOCK_TORCH); /* breaks at once, as water would */
    player.input.breaking = true;
    update(&player);
    assert_true(player.state.aiming);
    assert_int_equal(player.state.target.block, BLOCK_TORCH);
    assert_int_equal(room_get(&player.room, 0, Y, 2), CN_BLOCK_AIR);
    assert_int_equal(room_get(&player.room, 0, Y + 1, 2), CN_BLOCK_WATER);
    assert_true(cn_block_break_ms(standard_blocks(), CN_BLOCK_WATER) == 0);
    end(&player);
}

static void water_and_short_grass_give_way(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y + 1, 2, CN_BLOCK_WATER); /* rays go through it */
    room_put(&player.room, 1, Y + 1, 2, BLOCK_SHORT_GRASS);
    player.input.held = BLOCK_BRICKS;
    player.input.placing = true;
    update(&player);
    assert_int_equal(room_get(&player.room, 0, Y + 1, 2), BLOCK_BRICKS);
    player.input.placing = false;
    update(&player);
    player.input.placing = true;
    look_at(&player, 1.5f, Y + 1.5f, 2.5f);
    update(&player);
    assert_int_equal(room_get(&player.room, 1, Y + 1, 2), BLOCK_BRICKS);
    end(&player);
}

static void flowers_do_not_give_way(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y + 1, 3, BLOCK_POPPY);
    room_put(&player.room, 1, Y + 1, 3, BLOCK_STONE);
    player.input.held = BLOCK_BRICKS;
    /* At the flower's neighbor, from the side where the flower is. */
    CnVoxelHit at = {.cell = {1, Y + 1, 3}, .face = CN_FACE_NEG_X};
    assert_int_equal(cn_interact_may_place(player.room.world, &player.input, &at),
                     CN_INTERACT_OCCUPIED);
    end(&player);
}

static void props_need_a_block_under_them(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    room_put(&player.room, 0, Y + 2, 3, BLOCK_STONE);
    player.input.forward = (CnVec3){0, -0.05f, 1};
    player.input.held = BLOCK_POPPY; /* on the side of a block that hangs, above the floor by one */
    assert_refused(&player, CN_INTERACT_NO_SUPPORT);
    end(&player);
}

static void reeds_stand_on_reeds_and_lily_pads_on_water(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    CnVoxelHit at = {.cell = {0, Y + 1, 2}, .face = CN_FACE_POS_Y};
    room_put(&player.room, 0, Y + 1, 2, BLOCK_SUGAR_CANE);
    player.input.held = BLOCK_SUGAR_CANE;
    assert_int_equal(cn_interact_may_place(player.room.world, &player.input, &at),
                     CN_INTERACT_ALLOWED);
    player.input.held = BLOCK_POPPY;
    assert_int_equal(cn_interact_may_place(player.room.world, &player.input, &at),
                     CN_INTERACT_NO_SUPPORT);
    room_put(&player.room, 1, Y, 2, CN_BLOCK_WATER);
    at = (CnVoxelHit){.cell = {0, Y + 1, 2}, .face = CN_FACE_POS_X};
    player.input.held = BLOCK_LILY_PAD;
    assert_int_equal(cn_interact_may_place(player.room.world, &player.input, &at),
                     CN_INTERACT_ALLOWED);
    player.input.held = BLOCK_POPPY;
    assert_int_equal(cn_interact_may_place(player.room.world, &player.input, &at),
                     CN_INTERACT_NO_SUPPORT);
    end(&player);
}

static void a_server_refuses_what_a_client_made_up(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.held = BLOCK_BRICKS;
    static const struct {
        CnVoxelHit at;
        CnInteractReason reason;
    } cases[] = {
        {{.cell = {0, Y, 2}, .face = CN_FACE_POS_Y}, CN_INTERACT_ALLOWED},
        {{.cell = {0, Y, 2}, .face = 6}, CN_INTERACT_NO_FACE},
        {{.cell = {0, Y, 2}, .face = CN_EDIT_NO_FACE}, CN_INTERACT_NO_FACE},
        {{.cell = {0, Y + 1, 2}, .face = CN_FACE_POS_Y}, CN_INTERACT_NO_FACE}, /* air */
        {{.cell = {0, Y, 2}, .face = CN_FACE_POS_X}, CN_INTERACT_OCCUPIED},
        {{.cell = {0, Y, 200}, .face = CN_FACE_POS_Y}, CN_INTERACT_OUT_OF_REACH},
        {{.cell = {0, INT32_MAX, 0}, .face = CN_FACE_POS_Y}, CN_INTERACT_NO_FACE},
        {{.cell = {INT32_MIN, Y, 0}, .face = CN_FACE_NEG_X}, CN_INTERACT_NO_FACE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cn_interact_may_place(player.room.world, &player.input, &cases[i].at),
                         cases[i].reason);
    end(&player);
}

static void a_state_that_is_copied_goes_on_the_same(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    for (int i = 0; i < 60; i++)
        update(&player);
    CnInteract copy = player.state;
    update(&player);
    CnInteract after = player.state;
    player.state = copy;
    update(&player);
    assert_true(player.state.progress_ms == after.progress_ms);
    assert_int_equal(player.state.crack_stage, after.crack_stage);
    end(&player);
}

static void wrong_times_do_nothing(void **state)
{
    (void)state;
    Player player;
    begin(&player);
    player.input.breaking = true;
    player.input.dt = -5;
    update(&player);
    player.input.dt = NAN;
    update(&player);
    assert_true(player.state.progress_ms == 0);
    end(&player);
}

/* ---- Long play ---- */

#define SPAN 12 /* of the cube around the player that is compared */

static void copy_room(Player *player, CnBlock blocks[SPAN][SPAN][SPAN])
{
    for (int z = 0; z < SPAN; z++)
        for (int y = 0; y < SPAN; y++)
            for (int x = 0; x < SPAN; x++)
                blocks[z][y][x] = room_get(&player->room, x - SPAN / 2, Y - 4 + y, z - SPAN / 2);
}

/* Looks around, breaks and places at random. */
static void play(Player *player, TestRandom *random, int updates)
{
    static const CnBlock held[] = {BLOCK_DIRT,        BLOCK_BRICKS,     BLOCK_POPPY,
                                   BLOCK_SHORT_GRASS, BLOCK_SUGAR_CANE, BLOCK_GLASS};
    for (int i = 0; i < updates; i++) {
        if (i % 8 == 0) {
            player->input.forward = (CnVec3){(float)test_random_below(random, 201) - 100,
                                             (float)test_random_below(random, 150) - 120,
                                             (float)test_random_below(random, 201) - 100};
            player->input.held = held[test_random_below(random, 6)];
            player->input.breaking = test_random_chance(random, 50);
            player->input.placing = test_random_chance(random, 50);
            player->input.dt = (float)test_random_below(random, 400) / 1000;
        }
        player->input.tick++;
        update(player);
    }
}

static void all_that_a_player_does_can_be_taken_back(void **state)
{
    (void)state;
    static CnBlock before[SPAN][SPAN][SPAN], after[SPAN][SPAN][SPAN];
    TestRandom random = {11};
    Player player;
    begin(&player);
    copy_room(&player, before);
    play(&player, &random, 4000);
    copy_room(&player, after);
    assert_memory_not_equal(before, after, sizeof before);
    CnEdit back;
    int undone = 0;
    for (; cn_edit_log_undo(cn_voxels_log(player.room.world), 7, &back); undone++)
        assert_true(cn_voxels_edit(player.room.world, &back, NULL));
    assert_true(undone > 100);
    copy_room(&player, after);
    assert_memory_equal(before, after, sizeof before);
    end(&player);
}

static void what_was_logged_makes_the_same_world_again(void **state)
{
    (void)state;
    static CnBlock played[SPAN][SPAN][SPAN], replayed[SPAN][SPAN][SPAN];
    TestRandom random = {12};
    Player player, other;
    begin(&player);
    play(&player, &random, 4000);
    copy_room(&player, played);
    other = (Player){.room = room_open()};
    CnEditLog *log = cn_voxels_log(player.room.world);
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        assert_true(cn_voxels_edit(other.room.world, &edit, NULL));
    }
    copy_room(&other, replayed);
    assert_memory_equal(played, replayed, sizeof played);
    assert_true(cn_voxels_hash(player.room.world) == cn_voxels_hash(other.room.world));
    end(&other);
    end(&player);
}

static void no_prop_is_left_in_the_air(void **state)
{
    (void)state;
    TestRandom random = {13};
    Player player;
    begin(&player);
    for (int i = 0; i < 40; i++) {
        play(&player, &random, 100);
        for (int32_t z = -8; z < 8; z++)
            for (int32_t y = Y - 4; y < Y + 10; y++)
                for (int32_t x = -8; x < 8; x++)
                    if (standard_blocks()->flags[room_get(&player.room, x, y, z)] &
                        CN_BLOCK_IS_PROP)
                        assert_int_not_equal(room_get(&player.room, x, y - 1, z), CN_BLOCK_AIR);
    }
    end(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_takes_its_hardness_times_1500_ms),
        cmocka_unit_test(cracks_go_through_ten_stages_with_a_chip_each),
        cmocka_unit_test(releasing_the_button_restarts_breaking),
        cmocka_unit_test(looking_away_restarts_breaking),
        cmocka_unit_test(a_block_that_becomes_another_starts_over),
        cmocka_unit_test(soft_blocks_break_at_once),
        cmocka_unit_test(bedrock_never_breaks_and_says_so_once),
        cmocka_unit_test(blocks_out_of_reach_are_not_broken),
        cmocka_unit_test(props_break_with_the_block_under_them),
        cmocka_unit_test(a_high_reed_breaks_whole_though_events_are_limited),
        cmocka_unit_test(a_break_is_in_the_log_and_can_be_undone),
        cmocka_unit_test(events_carry_surface_and_linear_color),
        cmocka_unit_test(a_block_is_placed_at_the_face_that_is_aimed_at),
        cmocka_unit_test(placing_repeats_after_700_ms_then_every_300),
        cmocka_unit_test(releasing_the_button_allows_placing_at_once),
        cmocka_unit_test(nothing_is_placed_inside_of_a_body),
        cmocka_unit_test(props_may_be_placed_where_a_body_is),
        cmocka_unit_test(nothing_is_placed_without_a_face),
        cmocka_unit_test(only_placeable_blocks_are_placed),
        cmocka_unit_test(water_is_looked_through_when_blocks_are_broken),
        cmocka_unit_test(water_and_short_grass_give_way),
        cmocka_unit_test(flowers_do_not_give_way),
        cmocka_unit_test(props_need_a_block_under_them),
        cmocka_unit_test(reeds_stand_on_reeds_and_lily_pads_on_water),
        cmocka_unit_test(a_server_refuses_what_a_client_made_up),
        cmocka_unit_test(a_state_that_is_copied_goes_on_the_same),
        cmocka_unit_test(wrong_times_do_nothing),
        cmocka_unit_test(all_that_a_player_does_can_be_taken_back),
        cmocka_unit_test(what_was_logged_makes_the_same_world_again),
        cmocka_unit_test(no_prop_is_left_in_the_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

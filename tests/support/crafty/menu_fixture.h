/* A player with the windows of Crafty, in an engine without rendering. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MENU_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MENU_FIXTURE_H

#include "engine_fixture.h"
#include "item_fixture.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/client/controls.h>
#include <crafty/client/menu.h>
#include <crafty/sim/player.h>

#define DESK_WIDTH 640u
#define DESK_HEIGHT 360u

typedef struct Desk {
    VoxelWorld blocks;
    CraftyItems *items;
    CnEngine *engine;
    CnEntity eye;
    CraftyMenu menu;
    CraftyQuality quality;
    CraftySettings settings;
    CraftyIcons icons;
    CraftyConnection *connection;
    CraftyControls *controls;
    CraftyLens lens;
    bool has_company; /* another player is in the world */
    uint32_t changes;
} Desk;

static inline void desk_show(CnEngine *engine, void *user)
{
    Desk *desk = user;
    crafty_controls_frame(desk->controls, cn_engine_devices(engine),
                          desk->menu.is_paused ? NULL : desk->connection);
    desk->changes += crafty_menu_frame(&desk->menu, engine,
                                       &(CraftyMenuView){.player = desk->eye,
                                                         .is_alone = !desk->has_company,
                                                         .items = desk->items,
                                                         .connection = desk->connection,
                                                         .lens = &desk->lens,
                                                         .quality = &desk->quality,
                                                         .settings = &desk->settings,
                                                         .icons = &desk->icons});
}

static inline void desk_send(Desk *desk, CnInputEvent event)
{
    cn_engine_send(desk->engine, &event);
}

static inline void desk_press(Desk *desk, uint32_t key)
{
    desk_send(desk, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = key});
    run_frames(desk->engine, 1);
    desk_send(desk, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key});
    run_frames(desk->engine, 2); /* the height of windows is known in the second frame */
}

static inline void desk_click(Desk *desk, float x, float y)
{
    desk_send(desk, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = x, .y = y});
    run_frames(desk->engine, 1);
    desk_send(desk,
              (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    run_frames(desk->engine, 1);
    desk_send(desk, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    run_frames(desk->engine, 1);
}

static inline bool desk_aims(const Desk *desk)
{
    return crafty_player_aims(cn_engine_world(desk->engine), desk->eye);
}

/* The block of the held item. */
static inline CnBlock desk_held(const Desk *desk)
{
    const CraftyPlayer *player = cn_get(cn_engine_world(desk->engine), desk->eye, CraftyPlayer);
    return crafty_items_block(desk->items, crafty_player_held(desk->items, player).item);
}

/* A player plays. */
static inline void desk_begin(Desk *desk)
{
    *desk = (Desk){.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                   .items = make_items(NULL),
                   .menu.sensitivity = 1,
                   .lens = {.fov = 70, .near_plane = 0.1f, .far_plane = 1000},
                   .quality = CRAFTY_LOW,
                   .settings = crafty_settings(CRAFTY_LOW),
                   .icons.blocks = standard_blocks()};
    desk->engine =
        make_engine(&(CnEngineDesc){.width = DESK_WIDTH, .height = DESK_HEIGHT, .own_input = true});
    CnWorld *world = cn_engine_world(desk->engine);
    assert_true(crafty_player_add(world, desk->blocks.world, desk->items, NULL));
    assert_true(crafty_commands_add(world, NULL));
    desk->connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, NULL);
    desk->controls = crafty_controls_create(NULL, NULL);
    assert_true(desk->connection && desk->controls);
    desk->eye = add_camera(world, cn_vec3(0, 300, 0));
    assert_true(crafty_player_make(world, desk->eye, CRAFTY_FIRST_PLAYER, CRAFTY_PLAYER_FLIES));
    cn_engine_before_frame(desk->engine, desk_show, desk);
    desk_send(desk, (CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED});
    crafty_player_capture(world, desk->eye, true);
    run_frames(desk->engine, 2);
    assert_int_equal(desk->menu.page, CRAFTY_MENU_CLOSED);
}

static inline void desk_end(Desk *desk)
{
    crafty_connection_destroy(desk->connection);
    end_engine(desk->engine);
    crafty_controls_destroy(desk->controls);
    crafty_items_destroy(desk->items);
    voxel_world_destroy(&desk->blocks);
}

#endif

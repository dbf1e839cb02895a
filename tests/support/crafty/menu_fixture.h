/* A player with the windows of Crafty, in an engine without rendering. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MENU_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MENU_FIXTURE_H

#include "engine_fixture.h"
#include "item_fixture.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/client/controls.h>
#include <crafty/client/menu.h>
#include <crafty/client/ui_style.h>
#include <crafty/sim/player.h>

#define FIXTURE_WIDTH 640u
#define FIXTURE_HEIGHT 360u

typedef struct MenuFixture {
    VoxelWorld blocks;
    CraftyItems *items;
    CnEngine *engine;
    CnEntity eye;
    CraftyMenu menu;
    CraftyChatScreen chat;
    CraftyQuality quality;
    CraftySettings settings;
    CraftyItemIcons icons;
    CraftyConnection *connection;
    CraftyControls *controls;
    CraftyPreferences preferences;
    CraftyGlyphs glyphs;
    bool has_no_chat;
    bool has_company; /* another player is in the world */
    uint32_t changes;
} MenuFixture;

static inline void fixture_show(CnEngine *engine, void *user)
{
    MenuFixture *fixture = user;
    crafty_controls_frame(fixture->controls, cn_engine_devices(engine),
                          fixture->menu.is_paused ? NULL : fixture->connection);
    crafty_glyphs_frame(&fixture->glyphs, fixture->controls, engine);
    crafty_ui_style_apply(cn_engine_ui(engine), &fixture->preferences);
    fixture->changes +=
        crafty_menu_frame(&fixture->menu, engine,
                          &(CraftyMenuView){.player = fixture->eye,
                                            .is_alone = !fixture->has_company,
                                            .connection = fixture->connection,
                                            .chat = fixture->has_no_chat ? NULL : &fixture->chat,
                                            .settings = {.quality = &fixture->quality,
                                                         .settings = &fixture->settings,
                                                         .preferences = &fixture->preferences,
                                                         .controls = fixture->controls,
                                                         .glyphs = &fixture->glyphs},
                                            .icons = &fixture->icons});
}

static inline void fixture_send(MenuFixture *fixture, CnInputEvent event)
{
    cn_engine_send(fixture->engine, &event);
}

static inline void fixture_press(MenuFixture *fixture, uint32_t key)
{
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = key});
    run_frames(fixture->engine, 1);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key});
    run_frames(fixture->engine, 2); /* the height of windows is known in the second frame */
}

static inline void fixture_click(MenuFixture *fixture, float x, float y)
{
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = x, .y = y});
    run_frames(fixture->engine, 1);
    fixture_send(fixture, (CnInputEvent){
                              .kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    run_frames(fixture->engine, 1);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    run_frames(fixture->engine, 1);
}

static inline void fixture_touch(MenuFixture *fixture, CnInputKind kind, float x, float y)
{
    fixture_send(fixture, (CnInputEvent){.kind = (uint8_t)kind, .finger = 1, .x = x, .y = y});
    run_frames(fixture->engine, 1);
}

/* A finger that touches a point and is lifted there. */
static inline void fixture_tap(MenuFixture *fixture, float x, float y)
{
    fixture_touch(fixture, CN_INPUT_TOUCH_BEGIN, x, y);
    fixture_touch(fixture, CN_INPUT_TOUCH_END, x, y);
}

static inline bool fixture_aims(const MenuFixture *fixture)
{
    return crafty_player_aims(cn_engine_world(fixture->engine), fixture->eye);
}

/* The block of the held item. */
static inline CnBlock fixture_held(const MenuFixture *fixture)
{
    const CraftyPlayer *player =
        cn_get(cn_engine_world(fixture->engine), fixture->eye, CraftyPlayer);
    return crafty_items_block(fixture->items, crafty_player_held(fixture->items, player).item);
}

/* A player plays. */
static inline void fixture_begin(MenuFixture *fixture)
{
    *fixture = (MenuFixture){.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                             .items = make_items(NULL),
                             .preferences = crafty_preferences_default(),
                             .menu.sent_bits = UINT32_MAX,
                             .quality = CRAFTY_LOW,
                             .settings = crafty_settings(CRAFTY_LOW)};
    fixture->icons.items = fixture->items;
    fixture->engine = make_engine(
        &(CnEngineDesc){.width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .own_input = true});
    CnWorld *world = cn_engine_world(fixture->engine);
    assert_true(crafty_player_add(world, fixture->blocks.world, fixture->items, NULL));
    assert_true(crafty_commands_add(world, NULL));
    fixture->connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, NULL);
    fixture->controls = crafty_controls_create(NULL, NULL);
    assert_true(fixture->connection && fixture->controls);
    fixture->eye = add_camera(world, cn_vec3(0, 300, 0));
    assert_true(
        crafty_player_make(world, fixture->eye, CRAFTY_FIRST_PLAYER, CRAFTY_MODE_SPECTATOR));
    crafty_chat_screen_init(&fixture->chat, NULL);
    assert_true(crafty_chat_screen_begin(&fixture->chat, world, fixture->connection, NULL));
    cn_engine_before_frame(fixture->engine, fixture_show, fixture);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED});
    crafty_player_capture(world, fixture->eye, true);
    run_frames(fixture->engine, 2);
    assert_int_equal(fixture->menu.page, CRAFTY_MENU_CLOSED);
}

static inline void fixture_end(MenuFixture *fixture)
{
    crafty_chat_screen_end(&fixture->chat);
    crafty_connection_destroy(fixture->connection);
    end_engine(fixture->engine);
    crafty_controls_destroy(fixture->controls);
    crafty_items_destroy(fixture->items);
    voxel_world_destroy(&fixture->blocks);
}

#endif

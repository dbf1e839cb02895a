/*
 * A player with the screens of slots, in a simulation with all items and recipes and an engine
 * without rendering.
 *
 *     SlotFixture fixture;
 *     fixture_begin(&fixture, CRAFTY_MODE_SURVIVAL);
 *     fixture_give(&fixture, 9, "oak_log", 5);
 *     fixture_key(&fixture, CN_KEY_E);                  // opens the inventory
 *     fixture_click(&fixture, 9, CN_MOUSE_LEFT);        // on the slot with this number
 *     fixture_end(&fixture);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_SLOT_SCREEN_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_SLOT_SCREEN_FIXTURE_H

#include "engine_fixture.h"

#include <crafty/client/menu.h>
#include <crafty/client/ui_style.h>
#include <crafty/sim/container.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/furnace.h>
#include <crafty/sim/inventory.h>
#include <crafty/world/world.h>

typedef struct SlotFixture {
    CnHeap *heap;
    CraftyWorld *world;
    CraftySimDesc sim;
    CnEngine *engine;
    CnEntity player;
    CraftyMenu menu;
    CraftyConnection *connection;
    CraftyControls *controls;
    CraftyPreferences preferences;
    CraftyGlyphs glyphs;
    CraftyItemIcons icons;
} SlotFixture;

static inline void fixture_show(CnEngine *engine, void *user)
{
    SlotFixture *fixture = user;
    crafty_controls_frame(fixture->controls, cn_engine_devices(engine), fixture->connection);
    crafty_glyphs_frame(&fixture->glyphs, fixture->controls, engine);
    crafty_ui_style_apply(cn_engine_ui(engine), &fixture->preferences);
    crafty_menu_frame(&fixture->menu, engine,
                      &(CraftyMenuView){.player = fixture->player,
                                        .has_list = true,
                                        .connection = fixture->connection,
                                        .settings = {.preferences = &fixture->preferences,
                                                     .controls = fixture->controls,
                                                     .glyphs = &fixture->glyphs},
                                        .icons = &fixture->icons});
}

static inline const CraftyPlayer *fixture_player(const SlotFixture *fixture)
{
    return cn_get(cn_engine_world(fixture->engine), fixture->player, CraftyPlayer);
}

static inline CraftyPlayer *fixture_player_mut(SlotFixture *fixture)
{
    return cn_get_mut(cn_engine_world(fixture->engine), fixture->player, CraftyPlayer);
}

static inline void fixture_begin(SlotFixture *fixture, CraftyPlayerMode mode)
{
    CnError error = {0};
    *fixture = (SlotFixture){.heap = cn_heap_create(NULL, NULL),
                             .world = crafty_world_create(&(CraftyWorldDesc){.seed = 7}, &error),
                             .controls = crafty_controls_create(NULL, NULL),
                             .preferences = crafty_preferences_default()};
    if (!fixture->world)
        fail_msg("%s", error.message);
    fixture->sim = (CraftySimDesc){.voxels = crafty_world_voxels(fixture->world),
                                   .items = crafty_world_items(fixture->world),
                                   .recipes = crafty_world_recipes(fixture->world),
                                   .block_rules = crafty_world_block_rules(fixture->world),
                                   .biomes = crafty_world_biomes(fixture->world),
                                   .start = {.viewer = crafty_start_viewer(mode),
                                             .mode = mode,
                                             .hours = 12,
                                             .pose.position = {8.5f, 250, 8.5f}}};
    fixture->icons.items = fixture->sim.items;
    CnPlugin plugin = crafty_sim_plugin(&fixture->sim);
    fixture->engine = make_engine(&(CnEngineDesc){.allocator = cn_heap_tag(fixture->heap, "engine"),
                                                  .width = 640,
                                                  .height = 360,
                                                  .own_input = true,
                                                  .plugins = &plugin,
                                                  .plugin_count = 1});
    CnWorld *world = cn_engine_world(fixture->engine);
    fixture->player = cn_camera_active(world);
    fixture->connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, NULL);
    assert_non_null(fixture->connection);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(fixture_player_mut(fixture), i) = (CraftyStack){0};
    fixture_player_mut(fixture)->flies = mode == CRAFTY_MODE_CREATIVE; /* stays where it is */
    cn_engine_before_frame(fixture->engine, fixture_show, fixture);
    cn_engine_send(fixture->engine, &(CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED});
    crafty_player_capture(world, fixture->player, true);
    run_frames(fixture->engine, 2);
}

static inline void fixture_end(SlotFixture *fixture)
{
    crafty_inventory_screen_fini(&fixture->menu.inventory);
    crafty_connection_destroy(fixture->connection);
    end_engine(fixture->engine);
    crafty_controls_destroy(fixture->controls);
    crafty_world_destroy(fixture->world);
    cn_heap_destroy(fixture->heap);
}

/* ---- Input ---- */

static inline void fixture_send(SlotFixture *fixture, CnInputEvent event)
{
    cn_engine_send(fixture->engine, &event);
}

static inline void fixture_key(SlotFixture *fixture, uint32_t key)
{
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = key});
    run_frames(fixture->engine, 1);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key});
    run_frames(fixture->engine, 4);
}

static inline void fixture_button(SlotFixture *fixture, uint32_t button)
{
    fixture_send(fixture,
                 (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .pressed = 1, .code = button});
    run_frames(fixture->engine, 1);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = button});
    run_frames(fixture->engine, 4);
}

static inline void fixture_mouse(SlotFixture *fixture, uint32_t button, bool is_pressed)
{
    fixture_send(
        fixture,
        (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = is_pressed, .code = button});
    run_frames(fixture->engine, 2);
}

static inline CnRect fixture_rect(const SlotFixture *fixture, uint32_t number)
{
    const CraftySlotView *slots = &fixture->menu.inventory.slots;
    for (uint32_t i = 0; i < slots->count; i++)
        if (slots->slots[i].number == number)
            return slots->slots[i].rect;
    fail_msg("slot %u is not shown", number);
    return (CnRect){0};
}

/* Moves the mouse to the slot with this number. */
static inline void fixture_point(SlotFixture *fixture, uint32_t number)
{
    CnRect rect = fixture_rect(fixture, number);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                         .x = rect.x + rect.width / 2,
                                         .y = rect.y + rect.height / 2});
    run_frames(fixture->engine, 1);
}

/* Slow enough not to be a double click. */
static inline void fixture_click(SlotFixture *fixture, uint32_t number, uint32_t button)
{
    run_frames(fixture->engine, 30);
    fixture_point(fixture, number);
    fixture_mouse(fixture, button, true);
    fixture_mouse(fixture, button, false);
}

/* ---- State ---- */

static inline CraftyItem fixture_item(const SlotFixture *fixture, const char *name)
{
    CraftyItem item = crafty_items_find(fixture->sim.items, name);
    if (!item)
        fail_msg("there is no item %s", name);
    return item;
}

static inline void fixture_give(SlotFixture *fixture, uint32_t slot, const char *name,
                                uint32_t count)
{
    *crafty_player_slot(fixture_player_mut(fixture), slot) =
        (CraftyStack){fixture_item(fixture, name), (uint16_t)count, 0};
}

/* Puts a block beside the player, who opens it. Returns its cell. */
static inline CnCell fixture_open(SlotFixture *fixture, const char *block, CraftyOpen open)
{
    CnWorld *world = cn_engine_world(fixture->engine);
    CnVec3 eye = cn_get(world, fixture->player, CnTransform)->position;
    CnCell cell = {(int32_t)eye.x, (int32_t)eye.y, (int32_t)eye.z - 2};
    CnEdit edit = {.player = 1,
                   .kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = cn_block_find(crafty_world_blocks(fixture->world), block)};
    assert_true(edit.new_block && cn_voxels_edit(fixture->sim.voxels, &edit, NULL));
    crafty_inventory_open(world, fixture->player, open, cell);
    run_frames(fixture->engine, 4);
    assert_int_equal(fixture->menu.page, CRAFTY_MENU_INVENTORY);
    return cell;
}

#endif

/* The controls of the local player: bindings from files, and what is sent. */
#include "item_fixture.h"
#include "player_input.h"
#include "voxel_world.h"

#include <crafty/client/controls.h>
#include <crafty/sim/actions.h>
#include <crafty/sim/player.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHIPPED "games/crafty/config/bindings.json"

typedef struct LocalPlayer {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    CraftyConnection *connection;
    CraftyControls *controls;
    CnInputDevices devices;
} LocalPlayer;

static LocalPlayer local_player_create(const char *bindings)
{
    LocalPlayer player = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                          .items = make_items(NULL)};
    CnPlugin scene = cn_scene_plugin();
    player.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(player.sim);
    player.world = cn_sim_world(player.sim);
    assert_true(crafty_player_add(player.world, player.blocks.world, player.items, NULL));
    assert_true(crafty_commands_add(player.world, NULL));
    player.eye = cn_object(player.world, "Eye");
    assert_true(crafty_player_make(player.world, player.eye, 1, CRAFTY_MODE_SPECTATOR));
    player.connection = crafty_connection_create(player.world, 1, NULL);
    player.controls = crafty_controls_create(bindings, NULL);
    assert_true(player.connection && player.controls);
    return player;
}

static void local_player_destroy(LocalPlayer *player)
{
    crafty_connection_destroy(player->connection);
    crafty_controls_destroy(player->controls);
    cn_sim_destroy(player->sim);
    crafty_items_destroy(player->items);
    voxel_world_destroy(&player->blocks);
}

static void frame(LocalPlayer *player)
{
    crafty_controls_frame(player->controls, &player->devices, player->connection);
    cn_input_devices_begin_tick(&player->devices);
}

static void key(LocalPlayer *player, uint32_t code, bool pressed)
{
    CnInputEvent event = {.kind = CN_INPUT_KEY, .code = code, .pressed = pressed};
    cn_input_devices_apply(&player->devices, &event);
}

static bool flies(const LocalPlayer *player)
{
    return cn_get(player->world, player->eye, CraftyPlayer)->mode == CRAFTY_MODE_SPECTATOR;
}

static void tick(LocalPlayer *player)
{
    assert_true(cn_sim_tick_n(player->sim, 1, NULL));
}

static void a_key_reaches_the_player_by_the_default_bindings(void **state)
{
    (void)state;
    LocalPlayer player = local_player_create(NULL);
    key(&player, CN_KEY_F, true);
    frame(&player);
    tick(&player);
    assert_false(flies(&player));
    local_player_destroy(&player);
}

static void a_press_and_a_release_between_two_ticks_are_one_press(void **state)
{
    (void)state;
    LocalPlayer player = local_player_create(NULL);
    key(&player, CN_KEY_F, true);
    frame(&player);
    key(&player, CN_KEY_F, false);
    frame(&player);
    frame(&player);
    tick(&player);
    assert_false(flies(&player));
    tick(&player);
    assert_false(flies(&player));
    local_player_destroy(&player);
}

static const CnPlayerActions *actions_of(const LocalPlayer *player)
{
    return cn_get(player->world, player->eye, CnPlayerActions);
}

static bool sneaks(const LocalPlayer *player)
{
    return cn_action_held(&actions_of(player)->actions, crafty_action_set().sneak);
}

static void press_and_release(LocalPlayer *player, uint32_t code)
{
    key(player, code, true);
    frame(player);
    tick(player);
    key(player, code, false);
    frame(player);
    tick(player);
}

static void sneaking_can_be_toggled_by_presses(void **state)
{
    (void)state;
    LocalPlayer player = local_player_create(NULL);
    CraftyPreferences preferences = crafty_preferences_default();
    press_and_release(&player, CN_KEY_LEFT_CTRL);
    assert_false(sneaks(&player));
    preferences.toggles_sneak = true;
    crafty_controls_set_preferences(player.controls, &preferences);
    press_and_release(&player, CN_KEY_LEFT_CTRL);
    assert_true(sneaks(&player));
    press_and_release(&player, CN_KEY_LEFT_CTRL);
    assert_false(sneaks(&player));
    local_player_destroy(&player);
}

static float look_up(LocalPlayer *player)
{
    CnInputEvent event = {.kind = CN_INPUT_MOUSE_MOVE, .dy = -10};
    cn_input_devices_apply(&player->devices, &event);
    frame(player);
    tick(player);
    return cn_action_axis2(&actions_of(player)->actions, cn_action_find(crafty_actions(), "look"))
        .y;
}

static void looking_up_can_be_inverted(void **state)
{
    (void)state;
    LocalPlayer player = local_player_create(NULL);
    CraftyPreferences preferences = crafty_preferences_default();
    preferences.inverts_y = true;
    assert_true(look_up(&player) == 10);
    crafty_controls_set_preferences(player.controls, &preferences);
    assert_true(look_up(&player) == -10);
    local_player_destroy(&player);
}

static void actions_of_the_client_are_not_sent(void **state)
{
    (void)state;
    LocalPlayer player = local_player_create(NULL);
    press_and_release(&player, CN_KEY_F5);
    assert_int_equal(actions_of(&player)->actions.pressed >> crafty_actions().count, 0);
    key(&player, CN_KEY_E, true);
    frame(&player);
    tick(&player);
    assert_int_equal(actions_of(&player)->actions.held, 0);
    local_player_destroy(&player);
}

static void count(CnChannel *channel, const void *value, void *user)
{
    (void)channel;
    (void)value;
    ++*(uint32_t *)user;
}

static uint32_t messages(LocalPlayer *player)
{
    uint32_t all = 0;
    cn_producers_merge(player->world, count, &all);
    return all;
}

static void what_does_not_change_is_not_sent_again(void **state)
{
    (void)state;
    LocalPlayer player = local_player_create(NULL);
    frame(&player);
    assert_int_equal(messages(&player), 0);
    key(&player, CN_KEY_W, true);
    frame(&player); /* pressed */
    frame(&player); /* held, as the simulation knows */
    assert_int_equal(messages(&player), 1);
    key(&player, CN_KEY_W, false);
    frame(&player);
    frame(&player);
    assert_int_equal(messages(&player), 1);
    local_player_destroy(&player);
}

/* ---- Files ---- */

static char path[256];

static void write_file(const char *text)
{
    snprintf(path, sizeof path, "/tmp/cairn_controls_%d.json", (int)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void a_file_binds_another_key(void **state)
{
    (void)state;
    write_file("{\"version\": 1, \"actions\": {\"toggle_fly\": [\"Z\"]}}");
    LocalPlayer player = local_player_create(path);
    assert_string_equal(crafty_controls_file(player.controls), path);
    key(&player, CN_KEY_F, true);
    frame(&player);
    tick(&player);
    assert_true(flies(&player));
    key(&player, CN_KEY_Z, true);
    frame(&player);
    tick(&player);
    assert_false(flies(&player));
    local_player_destroy(&player);
    unlink(path);
}

static void a_wrong_file_is_an_error_with_its_line_and_what_to_do(void **state)
{
    (void)state;
    CnError error = {0};
    write_file("{\"version\": 1, \"actions\": {\n  \"brake_block\": [\"MouseLeft\"]}}");
    assert_null(crafty_controls_create(path, &error));
    assert_string_equal(error.file, path);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "break_block")); /* the most similar one */
    assert_non_null(strstr(error.message, "delete the file"));
    unlink(path);
}

static void a_file_that_is_missing_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(crafty_controls_create("/tmp/there/is/none.json", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void the_shipped_file_has_the_default_bindings(void **state)
{
    (void)state;
    CnFileBytes shipped;
    CnTextBuilder text;
    CnError error = {0};
    cn_array_init(&text, NULL);
    CnActionMap *map = cn_action_map_create(
        &(CnActionMapDesc){.lists = {crafty_actions(), crafty_client_actions()}}, NULL);
    assert_true(map && cn_action_map_write_text(map, &text, NULL));
    if (!cn_file_read_all(cn_native_files(), SHIPPED, cn_system_allocator(), &shipped, &error))
        fail_msg("%s", error.message);
    assert_int_equal(shipped.size, text.count);
    assert_memory_equal(shipped.data, text.items, text.count);
    cn_file_bytes_free(&shipped);
    cn_action_map_destroy(map);
    cn_array_fini(&text);
}

static void the_players_own_file_is_in_the_configuration_folder(void **state)
{
    (void)state;
    char folder[128], inner[160], file[192], found[256];
    snprintf(folder, sizeof folder, "/tmp/cairn_config_%d", (int)getpid());
    snprintf(inner, sizeof inner, "%s/crafty", folder);
    snprintf(file, sizeof file, "%s/bindings.json", inner);
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
    assert_false(crafty_controls_find_file(found, sizeof found));
    assert_int_equal(mkdir(folder, 0700) + mkdir(inner, 0700), 0);
    FILE *made = fopen(file, "w");
    assert_true(made && !fclose(made));
    assert_true(crafty_controls_find_file(found, sizeof found));
    assert_string_equal(found, file);
    unlink(file);
    rmdir(inner);
    rmdir(folder);
    unsetenv("XDG_CONFIG_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sneaking_can_be_toggled_by_presses),
        cmocka_unit_test(looking_up_can_be_inverted),
        cmocka_unit_test(actions_of_the_client_are_not_sent),
        cmocka_unit_test(a_key_reaches_the_player_by_the_default_bindings),
        cmocka_unit_test(a_press_and_a_release_between_two_ticks_are_one_press),
        cmocka_unit_test(what_does_not_change_is_not_sent_again),
        cmocka_unit_test(a_file_binds_another_key),
        cmocka_unit_test(a_wrong_file_is_an_error_with_its_line_and_what_to_do),
        cmocka_unit_test(a_file_that_is_missing_is_an_error),
        cmocka_unit_test(the_shipped_file_has_the_default_bindings),
        cmocka_unit_test(the_players_own_file_is_in_the_configuration_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

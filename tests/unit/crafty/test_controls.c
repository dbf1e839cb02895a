/* The controls of the local player: bindings from files, and what is sent. */
#include "item_fixture.h"
#include "player_input.h"
#include "voxel_world.h"

#include <crafty/client/controls.h>
#include <crafty/sim/player.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHIPPED "games/crafty/config/bindings.json"

typedef struct Seat {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    CraftyConnection *connection;
    CraftyControls *controls;
    CnInputDevices devices;
} Seat;

static Seat sit_down(const char *bindings)
{
    Seat seat = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                 .items = make_items(NULL)};
    CnPlugin scene = cn_scene_plugin();
    seat.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(seat.sim);
    seat.world = cn_sim_world(seat.sim);
    assert_true(crafty_player_add(seat.world, seat.blocks.world, seat.items, NULL));
    assert_true(crafty_commands_add(seat.world, NULL));
    seat.eye = cn_object(seat.world, "Eye");
    assert_true(crafty_player_make(seat.world, seat.eye, 1, CRAFTY_PLAYER_FLIES));
    seat.connection = crafty_connection_create(seat.world, 1, NULL);
    seat.controls = crafty_controls_create(bindings, NULL);
    assert_true(seat.connection && seat.controls);
    return seat;
}

static void get_up(Seat *seat)
{
    crafty_connection_destroy(seat->connection);
    crafty_controls_destroy(seat->controls);
    cn_sim_destroy(seat->sim);
    crafty_items_destroy(seat->items);
    voxel_world_destroy(&seat->blocks);
}

static void frame(Seat *seat)
{
    crafty_controls_frame(seat->controls, &seat->devices, seat->connection);
    cn_input_devices_begin_tick(&seat->devices);
}

static void key(Seat *seat, uint32_t code, bool pressed)
{
    CnInputEvent event = {.kind = CN_INPUT_KEY, .code = code, .pressed = pressed};
    cn_input_devices_apply(&seat->devices, &event);
}

static bool flies(const Seat *seat)
{
    return cn_get(seat->world, seat->eye, CraftyPlayer)->mode == CRAFTY_PLAYER_FLIES;
}

static void tick(Seat *seat)
{
    assert_true(cn_sim_tick_n(seat->sim, 1, NULL));
}

static void a_key_reaches_the_player_by_the_default_bindings(void **state)
{
    (void)state;
    Seat seat = sit_down(NULL);
    key(&seat, CN_KEY_F, true);
    frame(&seat);
    tick(&seat);
    assert_false(flies(&seat));
    get_up(&seat);
}

static void a_press_and_a_release_between_two_ticks_are_one_press(void **state)
{
    (void)state;
    Seat seat = sit_down(NULL);
    key(&seat, CN_KEY_F, true);
    frame(&seat);
    key(&seat, CN_KEY_F, false);
    frame(&seat);
    frame(&seat);
    tick(&seat);
    assert_false(flies(&seat));
    tick(&seat);
    assert_false(flies(&seat));
    get_up(&seat);
}

static void count(CnChannel *channel, const void *value, void *user)
{
    (void)channel;
    (void)value;
    ++*(uint32_t *)user;
}

static uint32_t messages(Seat *seat)
{
    uint32_t all = 0;
    cn_producers_merge(seat->world, count, &all);
    return all;
}

static void what_does_not_change_is_not_sent_again(void **state)
{
    (void)state;
    Seat seat = sit_down(NULL);
    frame(&seat);
    assert_int_equal(messages(&seat), 0);
    key(&seat, CN_KEY_W, true);
    frame(&seat); /* pressed */
    frame(&seat); /* held, as the simulation knows */
    assert_int_equal(messages(&seat), 1);
    key(&seat, CN_KEY_W, false);
    frame(&seat);
    frame(&seat);
    assert_int_equal(messages(&seat), 1);
    get_up(&seat);
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
    Seat seat = sit_down(path);
    assert_string_equal(crafty_controls_file(seat.controls), path);
    key(&seat, CN_KEY_F, true);
    frame(&seat);
    tick(&seat);
    assert_true(flies(&seat));
    key(&seat, CN_KEY_Z, true);
    frame(&seat);
    tick(&seat);
    assert_false(flies(&seat));
    get_up(&seat);
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
    CnActionMap *map = cn_action_map_create(&(CnActionMapDesc){.lists = {crafty_actions()}}, NULL);
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

/*
 * 26: two players on one keyboard.
 *
 * A program has actions ("move", "jump"), and each player has a map that binds them to keys, mouse
 * and gamepad, with bindings from a JSON text or file. The program evaluates the maps once per tick
 * and sends the result to the simulation, one message per player. There, each player's object has a
 * component CnPlayerActions, which its controller reads. The simulation knows neither keys nor
 * bindings, so a recording can be replayed on a computer with other bindings.
 */
#include <cairn/input.h>
#include <cairn/scene.h>
#include <cairn/sim.h>

#include <stdio.h>

enum { PLAYERS = 2 };

static const char *const names[PLAYERS] = {"Ada", "Ben"};
static const char *const bindings[PLAYERS] = {
    "{\"version\": 1, \"actions\": {\n"
    "  \"move\": {\"x\": [{\"control\": \"D\", \"negative\": \"A\"}],\n"
    "             \"y\": [{\"control\": \"W\", \"negative\": \"S\"}]},\n"
    "  \"jump\": [\"Space\"], \"rise\": [], \"fast\": [\"LeftShift\"],\n"
    "  \"slow\": [\"LeftControl\"],"
    "  \"look_rate\": {}}}",
    "{\"version\": 1, \"actions\": {\n"
    "  \"move\": {\"x\": [{\"control\": \"Right\", \"negative\": \"Left\"}],\n"
    "             \"y\": [{\"control\": \"Up\", \"negative\": \"Down\"}]},\n"
    "  \"jump\": [\"Keypad0\"], \"rise\": [], \"fast\": [\"RightShift\"], \"slow\": "
    "[\"RightControl\"],\n"
    "  \"look\": {}, \"look_rate\": {}, \"capture_mouse\": [], \"release_mouse\": []}}",
};

typedef struct Game {
    CnSim *sim;
    CnPlayerActionsSource source;
    CnEntity objects[PLAYERS];
    CnInputDevices devices; /* the keyboard */
    CnActionMap *maps[PLAYERS];
    CnActions actions[PLAYERS];
} Game;

static bool add_players(Game *game, CnError *error)
{
    CnWorld *world = cn_sim_world(game->sim);
    if (!cn_player_actions_add(world, cn_controller_actions(), error))
        return false;
    game->source = cn_player_actions_source(world, cn_producer_create(world, NULL, error));
    for (uint32_t i = 0; i < PLAYERS; i++) {
        game->objects[i] = cn_object(world, names[i]);
        cn_add(world, game->objects[i], CnPlayerController);
        cn_set(world, game->objects[i], CnPlayerActions, {.player = i + 1});
        game->maps[i] =
            cn_action_map_create(&(CnActionMapDesc){.lists = {cn_controller_actions()}}, error);
        if (!game->maps[i] ||
            !cn_action_map_read_text(game->maps[i], names[i], cn_text(bindings[i]), error))
            return false;
    }
    return true;
}

/* A program with a window has these devices already: cn_engine_devices. */
static void set_key(Game *game, uint32_t key, bool pressed)
{
    CnInputEvent event = {.kind = CN_INPUT_KEY, .code = key, .pressed = pressed};
    cn_input_devices_apply(&game->devices, &event);
}

static bool run_ticks(Game *game, uint32_t count, CnError *error)
{
    for (uint32_t tick = 0; tick < count; tick++) {
        for (uint32_t i = 0; i < PLAYERS; i++) {
            cn_action_map_evaluate(game->maps[i], &game->devices.input, &game->devices.gamepads,
                                   &game->actions[i]);
            cn_player_actions_send(game->source, i + 1, cn_action_map_actions(game->maps[i]),
                                   &game->actions[i]);
        }
        if (!cn_sim_tick_n(game->sim, 1, error))
            return false;
        cn_input_devices_begin_tick(&game->devices); /* events from here on belong to the next */
    }
    return true;
}

static void show(const Game *game, const char *when)
{
    printf("%s:\n", when);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        const CnTransform *at = cn_get(cn_sim_world(game->sim), game->objects[i], CnTransform);
        printf("  %s at (%.2f, %.2f, %.2f)\n", names[i], (double)at->position.x,
               (double)at->position.y, (double)at->position.z + 0.0);
    }
}

/* Do the players need the same key? */
static void show_conflicts(const Game *game)
{
    CnActionConflict conflicts[16];
    CnActionList first = cn_action_map_actions(game->maps[0]);
    CnActionList second = cn_action_map_actions(game->maps[1]);
    uint32_t count = cn_action_conflicts(first, second, conflicts, CN_COUNT_OF(conflicts));
    printf("conflicts: %u\n", count);
    for (uint32_t i = 0; i < count && i < CN_COUNT_OF(conflicts); i++) {
        char control[CN_CONTROL_TEXT_BYTES];
        printf("  %s: %s of %s, %s of %s\n", cn_control_text(conflicts[i].control, control),
               first.actions[conflicts[i].first].name, names[0],
               second.actions[conflicts[i].second].name, names[1]);
    }
}

static bool play(Game *game, CnError *error)
{
    show_conflicts(game);
    set_key(game, CN_KEY_W, true);
    set_key(game, CN_KEY_RIGHT, true);
    set_key(game, CN_KEY_RIGHT_SHIFT, true);
    if (!run_ticks(game, 60, error))
        return false;
    show(game, "W, Right and RightShift for a second");
    set_key(game, CN_KEY_W, false);
    set_key(game, CN_KEY_RIGHT, false);
    set_key(game, CN_KEY_SPACE, true);
    if (!run_ticks(game, 12, error))
        return false;
    show(game, "Space");
    /* Bindings may change at any time; here, Ben takes Ada's key. */
    const CnBinding space[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)}};
    if (!cn_action_map_bind(game->maps[1], "jump", space, 1, error))
        return false;
    show_conflicts(game);
    if (!run_ticks(game, 12, error))
        return false;
    show(game, "Space, which both are bound to");
    return true;
}

int main(void)
{
    CnError error = {0};
    Game game = {0};
    CnPlugin scene = cn_scene_plugin();
    game.sim = cn_sim_create(&(CnSimDesc){.tick_hz = 60, .core = &scene, .core_count = 1}, &error);
    bool done = game.sim && add_players(&game, &error) && play(&game, &error);
    if (!done)
        fprintf(stderr, "26_two_players: %s\n", error.message);
    for (uint32_t i = 0; i < PLAYERS; i++)
        cn_action_map_destroy(game.maps[i]);
    cn_sim_destroy(game.sim);
    return done ? 0 : 1;
}

/*
 * Takes screenshots of all screens of Crafty, over a picture of a world.
 *
 *     capture_screens [--text-size NUMBER] [--high-contrast] [--only SCREEN] FOLDER WIDTHxHEIGHT
 * ...
 *
 * Run it from the root of the tree; tools/capture-screens does so in the usual sizes. Screens of a
 * game belong to a real simulation, whose player this program gives items and lets open blocks.
 */
#include "capture.h"

#include <cairn/base/console.h>
#include <crafty/client/debug_info.h>
#include <crafty/client/ui_style.h>
#include <crafty/save/worlds.h>
#include <crafty/sim/place.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BACKDROP "docs/images/gallery/forest.jpg"
#define PREPARE_FRAME 2u
#define LIST_FRAME 12u /* the list of worlds was read by its thread */
/* Until the simulation has opened the screen and the layout is known. */
#define FRAMES 8u
#define DRAG_FRAMES 14u
#define DEATH_FRAMES 34u /* until the buttons react */
#define LIST_FRAMES 18u
#define SHOWN_OFFER 3u /* of a villager, under the mouse */

static const char *const names[SCREEN_COUNT] = {
    [SCREEN_TITLE] = "title",
    [SCREEN_WORLDS] = "worlds",
    [SCREEN_NEW_WORLD] = "new_world",
    [SCREEN_VIDEO] = "settings_video",
    [SCREEN_AUDIO] = "settings_audio",
    [SCREEN_CONTROLS] = "settings_controls",
    [SCREEN_ACCESSIBILITY] = "settings_accessibility",
    [SCREEN_BINDINGS] = "bindings",
    [SCREEN_PAUSE] = "pause",
    [SCREEN_HUD] = "hud",
    [SCREEN_HURT] = "hud_hurt",
    [SCREEN_HUD_CREATIVE] = "hud_creative",
    [SCREEN_HINT] = "hint",
    [SCREEN_DEBUG_INFO] = "debug_info",
    [SCREEN_CHAT] = "chat",
    [SCREEN_TOUCH] = "touch",
    [SCREEN_INVENTORY] = "inventory",
    [SCREEN_DRAG] = "inventory_drag",
    [SCREEN_CREATIVE] = "creative",
    [SCREEN_TABLE] = "table",
    [SCREEN_CHEST] = "chest",
    [SCREEN_FURNACE] = "furnace",
    [SCREEN_SIGN] = "sign",
    [SCREEN_TRADE] = "trade",
    [SCREEN_USE_PROMPT] = "use_prompt",
    [SCREEN_DEATH] = "death",
};

typedef struct Options {
    const char *folder;
    const char *only; /* name of a screen; NULL: all */
    CraftyPreferences preferences;
} Options;

static bool has_world(Screen screen)
{
    return screen > SCREEN_NEW_WORLD;
}

static uint64_t frames_of(Screen screen)
{
    return !has_world(screen)       ? LIST_FRAMES
           : screen == SCREEN_DEATH ? DEATH_FRAMES
           : screen == SCREEN_DRAG  ? DRAG_FRAMES
                                    : FRAMES;
}

/* ---- Frames ---- */

static void send(Capture *capture, CnInputEvent event)
{
    cn_engine_send(capture->engine, &event);
}

/* The mouse rests on a slot or an offer, or drags the carried stack over several. */
static void point(Capture *capture)
{
    const CraftySlotView *slots = &capture->menu.inventory.slots;
    uint32_t first = slots->count > 36 ? slots->count - 36 : 0;
    float scale = cn_canvas_scale(cn_engine_canvas(capture->engine));
    if (!slots->count || capture->frame < 5)
        return;
    uint32_t slot = first; /* of the inventory */
    if (capture->screen == SCREEN_DRAG)
        slot = first + 4 + (capture->frame - 5 < 6 ? (capture->frame - 5) : 6);
    CnRect rect = slots->slots[slot].rect;
    if (capture->screen == SCREEN_TRADE)
        rect = capture->menu.inventory.trade.rows[SHOWN_OFFER];
    send(capture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                 .x = (rect.x + rect.width / 2) * scale,
                                 .y = (rect.y + rect.height / 2) * scale});
    if (capture->screen == SCREEN_DRAG && capture->frame == 6)
        send(capture,
             (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
}

/* Only the last frames have one, which takes long in large images without a graphics card. */
static bool has_backdrop(const Capture *capture)
{
    return capture->backdrop.id && capture->frame + 2 >= frames_of(capture->screen);
}

/* Screens without a world. */
static void draw_menu(Capture *capture)
{
    CraftyLandscape landscape = {.visible = 1};
    if (has_backdrop(capture))
        landscape.still = capture->backdrop;
    if (capture->screen == SCREEN_TITLE)
        crafty_title_screen_frame(
            &capture->title, capture->engine,
            &(CraftyTitleView){.landscape = landscape, .glyphs = &capture->glyphs});
    else
        crafty_world_screen_frame(capture->worlds, capture->engine, landscape);
}

static void draw_debug_info(Capture *capture)
{
    const CnWorld *world = cn_engine_world(capture->engine);
    const CnTransform *eye = cn_get(world, capture->player, CnTransform);
    const CraftyPlace *place = cn_get(world, capture->player, CraftyPlace);
    CraftyDebugLines lines;
    crafty_debug_info_fill(
        &lines, &(CraftyDebugInfo){.feet = eye->position,
                                   .forward = cn_quat_rotate(eye->rotation, cn_vec3(0, 0, -1)),
                                   .biome = place ? (CnBiome)place->biome : CN_BIOME_GRASSY_PLAINS,
                                   .seed = capture->sim.start.seed,
                                   .tick = cn_sim_tick(cn_engine_sim(capture->engine)),
                                   .mode = "survival",
                                   .hours = 12});
    crafty_debug_info_draw(cn_engine_canvas(capture->engine), &lines, capture->hud.icons.text_size);
}

/* What lies over the HUD. */
static void draw_more(Capture *capture)
{
    CnCanvas *canvas = cn_engine_canvas(capture->engine);
    if (capture->screen == SCREEN_TOUCH)
        crafty_touch_controls_draw(&capture->touch, canvas, capture->hud.icons.text_size);
    if (capture->screen == SCREEN_HINT)
        crafty_hints_draw(&(CraftyHints){.hint = CRAFTY_HINT_WOOD, .seconds = 1}, &capture->glyphs,
                          canvas, capture->hud.icons.text_size);
    if (capture->screen == SCREEN_USE_PROMPT)
        crafty_use_prompt_draw(cn_engine_world(capture->engine), capture->player, &capture->glyphs,
                               canvas, capture->hud.icons.text_size);
    if (capture->screen == SCREEN_DEBUG_INFO)
        draw_debug_info(capture);
}

static void draw_game(Capture *capture)
{
    CnEngine *engine = capture->engine;
    const CnWorld *world = cn_engine_world(engine);
    CnCanvas *canvas = cn_engine_canvas(engine);
    const CraftyPlayer *player = cn_get(world, capture->player, CraftyPlayer);
    if (has_backdrop(capture))
        cn_canvas_sprite(canvas, cn_canvas_area(canvas), &(CnSprite){.texture = capture->backdrop});
    crafty_menu_frame(&capture->menu, engine,
                      &(CraftyMenuView){.player = capture->player,
                                        .is_alone = true,
                                        .has_list = true,
                                        .connection = capture->connection,
                                        .chat = &capture->chat,
                                        .settings = {.quality = &capture->quality,
                                                     .settings = &capture->settings,
                                                     .preferences = &capture->preferences,
                                                     .controls = capture->controls,
                                                     .glyphs = &capture->glyphs},
                                        .icons = &capture->hud.icons});
    CraftyMenuPage page = capture->menu.page;
    crafty_hud_draw(
        &capture->hud, canvas,
        &(CraftyHudView){.player = player,
                         .vitals = cn_get(world, capture->player, CraftyVitals),
                         .items = capture->sim.items,
                         .has_screen = page != CRAFTY_MENU_CLOSED && page != CRAFTY_MENU_PAUSE,
                         .aims = page == CRAFTY_MENU_CLOSED,
                         .seconds = 1.0f / 60});
    draw_more(capture);
    point(capture);
}

static void draw(CnEngine *engine, void *user)
{
    Capture *capture = user;
    crafty_ui_style_apply(cn_engine_ui(engine), &capture->preferences);
    capture->hud.icons.text_size = crafty_ui_text_factor(cn_engine_ui(engine));
    capture->hud.icons.high_contrast = capture->preferences.high_contrast;
    crafty_glyphs_frame(&capture->glyphs, capture->controls, engine);
    if (capture->screen == SCREEN_TOUCH)
        capture->glyphs.device = CRAFTY_DEVICE_TOUCH;
    if (capture->frame == (has_world(capture->screen) ? PREPARE_FRAME : LIST_FRAME))
        capture_prepare(capture);
    if (has_world(capture->screen))
        draw_game(capture);
    else
        draw_menu(capture);
    capture->frame++;
}

static CnTexture read_backdrop(CnRenderer *renderer)
{
    CnImage image;
    CnFileBytes bytes;
    CnTexture texture = {0};
    if (!cn_file_read_all(cn_native_files(), BACKDROP, NULL, &bytes, NULL))
        return texture;
    if (cn_image_read(&(CnImageReadDesc){.bytes = bytes.data, .size = bytes.size, .name = BACKDROP},
                      &image, NULL)) {
        texture = cn_texture_create(
            renderer,
            &(CnTextureDesc){.name = "backdrop", .image = &image, .no_mips = true, .clamp = true},
            NULL);
        cn_image_free(&image);
    }
    cn_file_bytes_free(&bytes);
    return texture;
}

/* ---- Screenshots ---- */

/* Worlds for the list, which stay from one screenshot to the next. */
static bool create_worlds(const char *folder, CnError *error)
{
    static const char *const worlds[] = {"Home", "Castle by the lake", "Badlands"};
    char path[CN_STORE_PATH_BYTES];
    for (uint32_t i = 0; i < CN_COUNT_OF(worlds); i++)
        if (!crafty_worlds_create(folder, &(CraftyNewWorld){.name = worlds[i], .seed = 42 + i},
                                  path, error) &&
            error->code != CN_ERROR_EXISTS)
            return false;
    *error = (CnError){0};
    return true;
}

static bool make_hud(Capture *capture, CraftyWorld *world, CnError *error)
{
    CraftyWorldTiles *tiles = crafty_world_tiles_create(NULL, NULL, error);
    bool is_made =
        tiles && crafty_hud_create(&capture->hud, cn_engine_renderer(capture->engine),
                                   &(CraftyItemIconsDesc){.items = capture->sim.items,
                                                          .blocks = crafty_world_blocks(world),
                                                          .tiles = crafty_world_tiles(tiles)},
                                   error);
    crafty_world_tiles_destroy(tiles);
    return is_made;
}

static bool begin(Capture *capture, CraftyWorld *world, const char *worlds, CnError *error)
{
    CnWorld *state = cn_engine_world(capture->engine);
    CnRenderer *renderer = cn_engine_renderer(capture->engine);
    cn_engine_set_ui_scale(capture->engine, capture->preferences.ui_scale);
    capture->player = cn_camera_active(state);
    capture->connection = crafty_connection_create(state, CRAFTY_FIRST_PLAYER, error);
    capture->backdrop = read_backdrop(renderer);
    crafty_chat_screen_init(&capture->chat, NULL);
    capture->worlds = crafty_world_screen_create(worlds, NULL, error);
    if (capture->worlds)
        crafty_world_screen_show(capture->worlds, NULL, NULL);
    return capture->connection && capture->worlds && create_worlds(worlds, error) &&
           crafty_chat_screen_begin(&capture->chat, state, capture->connection, error) &&
           cn_renderer_add_feature(renderer, &cn_feature_ui, NULL, error) &&
           make_hud(capture, world, error) &&
           cn_engine_before_frame(capture->engine, draw, capture);
}

static void end(Capture *capture)
{
    crafty_world_screen_destroy(capture->worlds, capture->engine);
    crafty_chat_screen_end(&capture->chat);
    crafty_inventory_screen_fini(&capture->menu.inventory);
    crafty_connection_destroy(capture->connection);
    crafty_hud_destroy(&capture->hud, cn_engine_renderer(capture->engine));
}

static bool take(Screen screen, CraftyWorld *world, uint32_t width, uint32_t height,
                 const Options *options, CnError *error)
{
    char path[512], worlds[512];
    cn_format(path, sizeof path, "%s/%s_%ux%u.png", options->folder, names[screen], width, height);
    cn_format(worlds, sizeof worlds, "%s/worlds", options->folder);
    Capture capture = {.screen = screen,
                       .controls = crafty_controls_create(NULL, error),
                       .quality = CRAFTY_HIGH,
                       .settings = crafty_settings(CRAFTY_HIGH),
                       .preferences = options->preferences,
                       .sim = {.voxels = crafty_world_voxels(world),
                               .items = crafty_world_items(world),
                               .recipes = crafty_world_recipes(world),
                               .block_rules = crafty_world_block_rules(world),
                               .trades = crafty_world_trades(world),
                               .weather = crafty_world_weather(world),
                               .biomes = crafty_world_biomes(world),
                               .start = {.viewer = crafty_start_viewer(CRAFTY_MODE_SURVIVAL),
                                         .mode = CRAFTY_MODE_SURVIVAL,
                                         .commands = true,
                                         .hours = 12,
                                         .pose.position = {8.5f, 200, 8.5f}}}};
    CnPlugin plugin = crafty_sim_plugin(&capture.sim);
    capture.engine = cn_engine_create(&(CnEngineDesc){.headless = true,
                                                      .width = width,
                                                      .height = height,
                                                      .own_input = true,
                                                      .frames = frames_of(screen),
                                                      .image_path = path,
                                                      .make_folders = true,
                                                      .plugins = &plugin,
                                                      .plugin_count = 1},
                                      error);
    bool ok = capture.engine && capture.controls;
    if (ok) {
        ok = begin(&capture, world, worlds, error);
        while (ok && cn_engine_frame(capture.engine))
            ;
        ok = ok && cn_engine_error(capture.engine)->code == CN_OK;
        end(&capture);
    }
    cn_engine_destroy(capture.engine);
    crafty_controls_destroy(capture.controls);
    if (ok)
        cn_print("%s", path);
    return ok;
}

static bool take_all(CraftyWorld *world, const char *size, const Options *options, CnError *error)
{
    uint32_t width, height;
    if (sscanf(size, "%ux%u", &width, &height) != 2) {
        cn_error_set(error, CN_ERROR_FORMAT, "%s is not a size such as 1280x720", size);
        return false;
    }
    for (uint32_t i = 0; i < SCREEN_COUNT; i++)
        if ((!options->only || strcmp(options->only, names[i]) == 0) &&
            !take((Screen)i, world, width, height, options, error))
            return false;
    return true;
}

/* Returns the index of the first argument that is not an option. */
static int parse(int count, char **arguments, Options *options)
{
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i++) {
        if (strcmp(arguments[i], "--high-contrast") == 0)
            options->preferences.high_contrast = true;
        else if (strcmp(arguments[i], "--text-size") == 0 && i + 1 < count)
            options->preferences.text_size = strtof(arguments[++i], NULL);
        else if (strcmp(arguments[i], "--only") == 0 && i + 1 < count)
            options->only = arguments[++i];
        else
            return count;
    }
    if (i < count)
        options->folder = arguments[i++];
    return i;
}

int main(int argument_count, char **arguments)
{
    Options options = {.preferences = crafty_preferences_default()};
    CnError error = {0};
    int first = parse(argument_count, arguments, &options);
    if (first >= argument_count) {
        cn_print_error("usage: capture_screens [--text-size NUMBER] [--high-contrast] "
                       "[--only SCREEN] FOLDER WIDTHxHEIGHT ...");
        return 2;
    }
    CraftyWorld *world = crafty_world_create(&(CraftyWorldDesc){.seed = 42}, &error);
    bool ok = world != NULL;
    for (int i = first; ok && i < argument_count; i++)
        ok = take_all(world, arguments[i], &options, &error);
    if (!ok)
        cn_print_error("capture_screens: %s", error.message);
    crafty_world_destroy(world);
    return ok ? 0 : 1;
}

/* The list of worlds over a folder of its own, in an engine without rendering. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_WORLD_SCREEN_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_WORLD_SCREEN_FIXTURE_H

#include "engine_fixture.h"
#include "scratch.h"

#include <crafty/client/world_screen_internal.h>
#include <crafty/save/save_internal.h>

#include <time.h>

#define SCREEN_FIXTURE_WIDTH 640u
#define SCREEN_FIXTURE_HEIGHT 360u

/* The buttons from the left. */
typedef enum ScreenFixtureButton {
    SCREEN_FIXTURE_PLAY,
    SCREEN_FIXTURE_CREATE,
    SCREEN_FIXTURE_RENAME,
    SCREEN_FIXTURE_COPY,
    SCREEN_FIXTURE_BACK_UP,
    SCREEN_FIXTURE_RESTORE,
    SCREEN_FIXTURE_DELETE,
    SCREEN_FIXTURE_QUIT
} ScreenFixtureButton;

typedef struct ScreenFixture {
    Scratch scratch;
    const char *folder; /* NULL: that of `scratch` */
    bool has_mods;
    CnEngine *engine;
    CraftyWorldScreen *screen;
    CraftyWorldScreenEvent event; /* of the last frame */
    CnUiStats stats;              /* of the frame before it */
} ScreenFixture;

static inline void screen_fixture_draw(CnEngine *engine, void *user)
{
    ScreenFixture *fixture = user;
    fixture->stats = cn_ui_stats(cn_engine_ui(engine));
    fixture->event = crafty_world_screen_frame(fixture->screen, engine, (CraftyLandscape){0});
}

/* Runs frames until no task runs and its result was taken. */
static inline void screen_fixture_settle(ScreenFixture *fixture)
{
    for (uint32_t i = 0; i < 20000; i++) {
        run_frames(fixture->engine, 1);
        if (!crafty_world_task_is_busy(fixture->screen->task) && !fixture->screen->has_pending &&
            crafty_world_task_is_idle(fixture->screen->task)) {
            run_frames(fixture->engine, 2);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("a task does not end");
}

static inline void screen_fixture_send(ScreenFixture *fixture, CnInputEvent event)
{
    cn_engine_send(fixture->engine, &event);
}

static inline void screen_fixture_press(ScreenFixture *fixture, uint32_t key)
{
    screen_fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = key});
    run_frames(fixture->engine, 1);
    screen_fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key});
    run_frames(fixture->engine, 2);
}

static inline void screen_fixture_type(ScreenFixture *fixture, const char *text)
{
    for (CnText rest = cn_text(text); rest.size;) {
        uint32_t character;
        size_t bytes = cn_utf8_next(rest, 0, &character);
        CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = (uint8_t)bytes};
        memcpy(event.data, rest.data, bytes);
        screen_fixture_send(fixture, event);
        rest = (CnText){rest.data + bytes, rest.size - bytes};
    }
    run_frames(fixture->engine, 1);
}

static inline void screen_fixture_click(ScreenFixture *fixture, float x, float y)
{
    screen_fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = x, .y = y});
    run_frames(fixture->engine, 1);
    screen_fixture_send(
        fixture,
        (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    run_frames(fixture->engine, 1);
    screen_fixture_send(fixture,
                        (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    run_frames(fixture->engine, 1);
}

static inline void screen_fixture_click_button(ScreenFixture *fixture, ScreenFixtureButton button)
{
    screen_fixture_click(fixture, 19 + 76 * (float)button + 35,
                         SCREEN_FIXTURE_HEIGHT - 8 - 11 - 13);
    run_frames(fixture->engine, 2);
}

/* The n-th row from the top of the list. */
static inline void screen_fixture_click_row(ScreenFixture *fixture, uint32_t row)
{
    screen_fixture_click(fixture, 300, 38 + 11 + 56 * (float)row + 28);
}

static inline void screen_fixture_add_world(ScreenFixture *fixture, const char *name, uint64_t seed)
{
    char path[CN_STORE_PATH_BYTES];
    CnError error = {0};
    if (!crafty_worlds_create(fixture->scratch.folder,
                              &(CraftyNewWorld){.name = name, .seed = seed}, path, &error))
        fail_msg("%s", error.message);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* worlds are ordered by time */
}

/* Gives a world a picture of one color. */
static inline void screen_fixture_set_picture(const ScreenFixture *fixture, const char *name,
                                              uint32_t width, uint32_t height)
{
    char path[CN_STORE_PATH_BYTES];
    CnFileBytes bytes;
    CnError error = {0};
    size_t size = (size_t)width * height * 4;
    CnImage image = {width, height, cn_alloc(NULL, size), NULL};
    const char *file = scratch_path(&fixture->scratch, "picture.png");
    assert_non_null(image.pixels);
    memset(image.pixels, 200, size);
    assert_true(cn_image_write(&image, cn_native_files(), file, &error));
    cn_free(NULL, image.pixels, size);
    assert_true(cn_file_read_all(cn_native_files(), file, NULL, &bytes, &error));
    assert_true(crafty_world_path(name, fixture->scratch.folder, path, &error));
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path}, &error);
    assert_non_null(save);
    CnStoreBatch *batch = cn_store_batch_create(crafty_save_store(save), &error);
    assert_true(batch && cn_store_batch_put(batch, CRAFTY_SAVE_INFO,
                                            cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL), bytes.data,
                                            bytes.size, &error));
    assert_true(cn_store_submit(crafty_save_store(save), batch));
    crafty_save_close(save);
    cn_file_bytes_free(&bytes);
}

/* Installs a mod, before the folder is shown. */
static inline void screen_fixture_add_mod(ScreenFixture *fixture, const char *name)
{
    char path[128], text[128];
    CnError error = {0};
    cn_format(path, sizeof path, "mods/%s/mod.json", name);
    cn_format(text, sizeof text, "{\"name\": \"%s\", \"version\": \"1.0.0\"}", name);
    const char *native = scratch_path(&fixture->scratch, path);
    if (!cn_file_make_folder_of(cn_native_files(), native, &error) ||
        !cn_file_write_all(cn_native_files(), native, text, strlen(text), &error))
        fail_msg("%s", error.message);
    cn_format(path, sizeof path, "mods/%s/main.lua", name);
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&fixture->scratch, path), "--", 2,
                                  &error));
    fixture->has_mods = true;
}

/* Shows the folder. */
static inline void screen_fixture_open(ScreenFixture *fixture)
{
    CnError error = {0};
    fixture->engine = make_engine(
        &(CnEngineDesc){.width = SCREEN_FIXTURE_WIDTH, .height = SCREEN_FIXTURE_HEIGHT});
    fixture->screen = crafty_world_screen_create(
        fixture->folder ? fixture->folder : fixture->scratch.folder, NULL, &error);
    if (!fixture->screen)
        fail_msg("%s", error.message);
    if (fixture->has_mods)
        crafty_world_screen_set_mods(fixture->screen, scratch_path(&fixture->scratch, "mods"),
                                     NULL);
    cn_engine_before_frame(fixture->engine, screen_fixture_draw, fixture);
    crafty_world_screen_show(fixture->screen, NULL, NULL);
    screen_fixture_settle(fixture);
}

static inline void screen_fixture_prepare(ScreenFixture *fixture, const char *const *names)
{
    *fixture = (ScreenFixture){0};
    scratch_init(&fixture->scratch);
    for (uint32_t i = 0; names && names[i]; i++)
        screen_fixture_add_world(fixture, names[i], i);
}

/* names: of the worlds, oldest first, which are listed last first; up to NULL. */
static inline void screen_fixture_begin(ScreenFixture *fixture, const char *const *names)
{
    screen_fixture_prepare(fixture, names);
    screen_fixture_open(fixture);
}

/* The same with an installed mod, "lamps", which is not enabled. */
static inline void screen_fixture_begin_with_mod(ScreenFixture *fixture, const char *const *names)
{
    screen_fixture_prepare(fixture, names);
    screen_fixture_add_mod(fixture, "lamps");
    screen_fixture_open(fixture);
}

static inline void screen_fixture_end(ScreenFixture *fixture)
{
    crafty_world_screen_destroy(fixture->screen, fixture->engine);
    end_engine(fixture->engine);
    scratch_fini(&fixture->scratch);
}

static inline const char *screen_fixture_name(const ScreenFixture *fixture, uint32_t index)
{
    assert_true(index < fixture->screen->list.count);
    return fixture->screen->list.items[index].name;
}

#endif

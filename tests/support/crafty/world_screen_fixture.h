/* The list of worlds over a folder of its own, in an engine without rendering. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_WORLD_SCREEN_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_WORLD_SCREEN_FIXTURE_H

#include "engine_fixture.h"
#include "scratch.h"

#include <crafty/client/world_screen_internal.h>
#include <crafty/save/save_internal.h>

#include <time.h>

#define SHELF_WIDTH 640u
#define SHELF_HEIGHT 360u

/* The buttons from the left. */
typedef enum ShelfButton {
    SHELF_PLAY,
    SHELF_CREATE,
    SHELF_RENAME,
    SHELF_COPY,
    SHELF_BACK_UP,
    SHELF_RESTORE,
    SHELF_DELETE,
    SHELF_QUIT
} ShelfButton;

typedef struct Shelf {
    Scratch scratch;
    const char *folder; /* NULL: that of `scratch` */
    CnEngine *engine;
    CraftyWorldScreen *screen;
    CraftyWorldScreenEvent event; /* of the last frame */
    CnUiStats stats;              /* of the frame before it */
} Shelf;

static inline void shelf_draw(CnEngine *engine, void *user)
{
    Shelf *shelf = user;
    shelf->stats = cn_ui_stats(cn_engine_ui(engine));
    shelf->event = crafty_world_screen_frame(shelf->screen, engine);
}

/* Runs frames until no task runs and its result was taken. */
static inline void shelf_settle(Shelf *shelf)
{
    for (uint32_t i = 0; i < 20000; i++) {
        run_frames(shelf->engine, 1);
        if (!crafty_world_task_is_busy(shelf->screen->task) && !shelf->screen->has_pending &&
            crafty_world_task_is_idle(shelf->screen->task)) {
            run_frames(shelf->engine, 2);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("a task does not end");
}

static inline void shelf_send(Shelf *shelf, CnInputEvent event)
{
    cn_engine_send(shelf->engine, &event);
}

static inline void shelf_press(Shelf *shelf, uint32_t key)
{
    shelf_send(shelf, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = key});
    run_frames(shelf->engine, 1);
    shelf_send(shelf, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key});
    run_frames(shelf->engine, 2);
}

static inline void shelf_type(Shelf *shelf, const char *text)
{
    for (CnText rest = cn_text(text); rest.size;) {
        uint32_t character;
        size_t bytes = cn_utf8_next(rest, 0, &character);
        CnInputEvent event = {.kind = CN_INPUT_TEXT, .bytes = (uint8_t)bytes};
        memcpy(event.data, rest.data, bytes);
        shelf_send(shelf, event);
        rest = (CnText){rest.data + bytes, rest.size - bytes};
    }
    run_frames(shelf->engine, 1);
}

static inline void shelf_click(Shelf *shelf, float x, float y)
{
    shelf_send(shelf, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = x, .y = y});
    run_frames(shelf->engine, 1);
    shelf_send(shelf,
               (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    run_frames(shelf->engine, 1);
    shelf_send(shelf, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    run_frames(shelf->engine, 1);
}

static inline void shelf_click_button(Shelf *shelf, ShelfButton button)
{
    shelf_click(shelf, 19 + 76 * (float)button + 35, SHELF_HEIGHT - 8 - 11 - 13);
    run_frames(shelf->engine, 2);
}

/* The n-th row from the top of the list. */
static inline void shelf_click_row(Shelf *shelf, uint32_t row)
{
    shelf_click(shelf, 300, 38 + 11 + 56 * (float)row + 28);
}

static inline void shelf_add_world(Shelf *shelf, const char *name, uint64_t seed)
{
    char path[CN_STORE_PATH_BYTES];
    CnError error = {0};
    if (!crafty_worlds_create(shelf->scratch.folder, &(CraftyNewWorld){.name = name, .seed = seed},
                              path, &error))
        fail_msg("%s", error.message);
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* worlds are ordered by time */
}

/* Gives a world a picture of one color. */
static inline void shelf_set_picture(const Shelf *shelf, const char *name, uint32_t width,
                                     uint32_t height)
{
    char path[CN_STORE_PATH_BYTES];
    CnFileBytes bytes;
    CnError error = {0};
    size_t size = (size_t)width * height * 4;
    CnImage image = {width, height, cn_alloc(NULL, size), NULL};
    const char *file = scratch_path(&shelf->scratch, "picture.png");
    assert_non_null(image.pixels);
    memset(image.pixels, 200, size);
    assert_true(cn_image_write(&image, cn_native_files(), file, &error));
    cn_free(NULL, image.pixels, size);
    assert_true(cn_file_read_all(cn_native_files(), file, NULL, &bytes, &error));
    assert_true(crafty_world_path(name, shelf->scratch.folder, path, &error));
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

/* Shows the folder. */
static inline void shelf_open(Shelf *shelf)
{
    CnError error = {0};
    shelf->engine = make_engine(&(CnEngineDesc){.width = SHELF_WIDTH, .height = SHELF_HEIGHT});
    shelf->screen = crafty_world_screen_create(
        shelf->folder ? shelf->folder : shelf->scratch.folder, NULL, &error);
    if (!shelf->screen)
        fail_msg("%s", error.message);
    cn_engine_before_frame(shelf->engine, shelf_draw, shelf);
    crafty_world_screen_show(shelf->screen, NULL, NULL);
    shelf_settle(shelf);
}

/* names: of the worlds, oldest first, which are listed last first; up to NULL. */
static inline void shelf_begin(Shelf *shelf, const char *const *names)
{
    *shelf = (Shelf){0};
    scratch_init(&shelf->scratch);
    for (uint32_t i = 0; names && names[i]; i++)
        shelf_add_world(shelf, names[i], i);
    shelf_open(shelf);
}

static inline void shelf_end(Shelf *shelf)
{
    crafty_world_screen_destroy(shelf->screen, shelf->engine);
    end_engine(shelf->engine);
    scratch_fini(&shelf->scratch);
}

static inline const char *shelf_name(const Shelf *shelf, uint32_t index)
{
    assert_true(index < shelf->screen->list.count);
    return shelf->screen->list.items[index].name;
}

#endif

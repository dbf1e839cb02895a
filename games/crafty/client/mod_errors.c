#include "mod_errors.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define TEXT 13.0f
#define PAD 8.0f
#define WIDTH_SHARE 0.8f

static void add(CraftyModErrors *errors, const char *text, uint64_t *state)
{
    *state = cn_hash_bytes(text, strlen(text), *state + 1);
    if (errors->count == CRAFTY_MOD_ERRORS_SHOWN)
        errors->more++;
    else
        cn_copy_text(errors->texts[errors->count++], CRAFTY_MOD_ERROR_TEXT_BYTES, cn_text(text));
}

static void add_status(CraftyModErrors *errors, const CraftyModStatus *status, uint64_t *state)
{
    char text[CRAFTY_MOD_ERROR_TEXT_BYTES],
        error[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    if (status->error.code == CN_OK)
        return;
    cn_format(text, sizeof text, "%s%s: %s", status->name,
              status->is_disabled ? " is disabled" : " keeps its old code",
              cn_error_text(&status->error, error, sizeof error));
    add(errors, text, state);
}

static void add_textures(CraftyModErrors *errors, const CraftyWorldTiles *tiles, uint64_t *state)
{
    char text[CRAFTY_MOD_ERROR_TEXT_BYTES],
        error[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    for (uint32_t i = 0; i < crafty_world_tiles_problem_count(tiles); i++) {
        const CnError *problem = crafty_world_tiles_problem(tiles, i);
        cn_format(text, sizeof text, "A texture is not shown: %s",
                  cn_error_text(problem, error, sizeof error));
        add(errors, text, state);
    }
}

void crafty_mod_errors_frame(CraftyModErrors *errors, const CraftyMods *mods,
                             const CraftyWorldTiles *tiles)
{
    uint64_t state = 0;
    errors->count = errors->more = 0;
    for (uint32_t i = 0; mods && i < crafty_mods_count(mods); i++) {
        CraftyModStatus status = crafty_mods_status(mods, i);
        add_status(errors, &status, &state);
    }
    if (tiles)
        add_textures(errors, tiles, &state);
    errors->state = state;
}

bool crafty_mod_errors_exist(const CraftyModErrors *errors)
{
    return errors->count > 0 && errors->state != errors->dismissed;
}

void crafty_mod_errors_dismiss(CraftyModErrors *errors)
{
    errors->dismissed = errors->state;
}

static void write_all(const CraftyModErrors *errors, const char *key, char *text, size_t bytes)
{
    cn_copy_text(text, bytes, cn_text("Mods"));
    for (uint32_t i = 0; i < errors->count; i++) {
        size_t size = strlen(text);
        cn_format(text + size, bytes - size, "\n%s", errors->texts[i]);
    }
    size_t size = strlen(text);
    if (errors->more)
        cn_format(text + size, bytes - size, "\n%u more are in the log.", errors->more);
    size = strlen(text);
    if (key)
        cn_format(text + size, bytes - size, "\n%s: menu, which can hide this", key);
}

void crafty_mod_errors_draw(const CraftyModErrors *errors, CnCanvas *canvas, float text_size,
                            const char *key)
{
    char text[(CRAFTY_MOD_ERRORS_SHOWN + 1) * CRAFTY_MOD_ERROR_TEXT_BYTES];
    CnRect area = cn_canvas_area(canvas);
    CnTextStyle style = {.size = TEXT * (text_size > 0 ? text_size : 1), .color = cn_rgb(0xFFFFFF)};
    CnRect box = {area.x + area.width * (1 - WIDTH_SHARE) / 2, area.y + PAD,
                  area.width * WIDTH_SHARE, 0};
    if (!crafty_mod_errors_exist(errors))
        return;
    write_all(errors, key, text, sizeof text);
    CnVec2 size = cn_canvas_text_size(canvas, &style, cn_text(text), box.width - 2 * PAD);
    box.height = size.y + 2 * PAD;
    if (box.height > area.height / 2)
        box.height = area.height / 2;
    cn_canvas_box(canvas, box, &(CnBoxStyle){.fill = cn_rgba(0x7A1E14E0), .radius = 4});
    cn_canvas_push_clip(canvas, box);
    cn_canvas_text_in(canvas, cn_rect_inset(box, PAD), &style, &(CnTextLayout){.wrap = true},
                      cn_text(text));
    cn_canvas_pop_clip(canvas);
}

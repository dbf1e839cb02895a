#include "chat_screen.h"

#include "crafty/sim/rules.h"
#include "crafty/sim/hand.h"
#include "hud.h"

#include <cairn/base/log.h>

#define MARGIN 8.0f
#define FIELD_HEIGHT 28.0f
#define HINT_HEIGHT 20.0f
#define CLOSED_SHARE 0.36f /* width of the lines while it is closed, of that of the screen */
#define OPEN_SHARE 0.72f
#define MIN_WIDTH 220.0f
#define MAX_WIDTH 760.0f
#define TEXT_SIZE 14.0f
#define WORD_ROWS 8u /* of the list of words */
#define WORD_HEIGHT 20.0f
#define WORD_WIDTH 210.0f
#define QUICK_WIDTH 190.0f
#define WHEEL_LINES 3
/* The hotbar (hud.c), the bars and the name of the held item above it. */
#define ABOVE_HOTBAR 60.0f

/* ---- World ---- */

void crafty_chat_screen_init(CraftyChatScreen *chat, const char *path)
{
    *chat = (CraftyChatScreen){.chosen = UINT32_MAX};
    if (!path || !cn_copy_text(chat->path, sizeof chat->path, cn_text(path))) {
        chat->path[0] = '\0';
        return;
    }
    crafty_chat_history_load(&chat->history, cn_native_files(), chat->path);
}

bool crafty_chat_screen_begin(CraftyChatScreen *chat, CnWorld *world, CraftyConnection *connection,
                              CnError *error)
{
    CnChannel *channel = cn_channel(world, CraftyChatLine);
    chat->log = (CraftyChatLog){0};
    chat->connection = connection;
    chat->lines = channel ? cn_event_reader_create(channel, error) : NULL;
    chat->players =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, error);
    if (chat->lines && chat->players)
        return true;
    crafty_chat_screen_end(chat);
    return cn_error_memory(error, "the chat");
}

void crafty_chat_screen_end(CraftyChatScreen *chat)
{
    if (chat->lines)
        cn_event_reader_destroy(chat->lines);
    if (chat->players)
        cn_query_release(chat->players);
    chat->lines = NULL;
    chat->players = NULL;
    chat->connection = NULL;
}

void crafty_chat_screen_open(CraftyChatScreen *chat, bool with_slash)
{
    cn_copy_text(chat->text, sizeof chat->text, cn_text(with_slash ? "/" : ""));
    chat->caret = (uint32_t)strlen(chat->text);
    chat->frames = chat->scrolled = 0;
    chat->chosen = UINT32_MAX;
    chat->is_completing = chat->shows_errors = false;
    crafty_chat_history_rewind(&chat->history);
}

/* ---- Text ---- */

static void set_text(CraftyChatScreen *chat, const char *text)
{
    char copy[sizeof chat->text];
    cn_copy_text(copy, sizeof copy, cn_text(text));
    memcpy(chat->text, copy, sizeof copy);
    chat->caret = (uint32_t)strlen(chat->text);
    chat->is_completing = chat->shows_errors = false;
}

static CraftyChatNames names_of(const CraftyChatScreen *chat, const CnWorld *world, CnEntity player)
{
    CraftyChatNames names =
        crafty_chat_names(world, chat->players, crafty_connection_player(chat->connection));
    const CraftyHand *hand = cn_get(world, player, CraftyHand);
    names.has_aim = hand && hand->aiming;
    if (names.has_aim)
        names.aim = (CnCell){hand->target_cell[0], hand->target_cell[1], hand->target_cell[2]};
    return names;
}

static bool is_command(const char *text)
{
    CnText trimmed = cn_text_trim(cn_text(text));
    return trimmed.size && trimmed.data[0] == '/';
}

/* Parses and completes the text, except while the player goes through the words. */
static void examine(CraftyChatScreen *chat, const CnWorld *world, CnEntity player)
{
    CraftyChatNames names = names_of(chat, world, player);
    CraftyCommand typed = {0};
    memcpy(typed.text, chat->text, sizeof typed.text);
    chat->is_valid = crafty_chat_text_valid(typed.text);
    chat->parse = (CraftyChatParse){0};
    if (is_command(chat->text))
        chat->is_valid &= crafty_chat_parse(&names, chat->text, &chat->parse);
    if (chat->is_completing)
        return;
    crafty_chat_complete(&names, chat->text, chat->caret, &chat->completion);
    chat->chosen = UINT32_MAX;
}

/* Inserts the next or previous word of the list, and keeps the list. */
static void complete(CraftyChatScreen *chat, int32_t by)
{
    CraftyChatCompletion *words = &chat->completion;
    if (!words->count)
        return;
    if (words->count == 1) { /* finished: the next word follows */
        chat->caret = crafty_chat_insert(words, 0, true, chat->text, sizeof chat->text);
        chat->is_completing = false;
        return;
    }
    uint32_t count = words->count;
    chat->chosen = chat->chosen == UINT32_MAX ? (by > 0 ? 0 : count - 1)
                                              : (chat->chosen + count + (uint32_t)by) % count;
    chat->caret = crafty_chat_insert(words, chat->chosen, false, chat->text, sizeof chat->text);
    words->bytes = chat->caret - words->at;
    chat->is_completing = true;
}

static bool send(CraftyChatScreen *chat)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    memcpy(command.text, chat->text, sizeof command.text);
    CnError error = {0};
    crafty_chat_history_add(&chat->history, chat->text);
    if (chat->path[0] &&
        !crafty_chat_history_save(&chat->history, cn_native_files(), chat->path, &error)) {
        CN_LOG_WARNING("crafty", "the history of the chat is not kept: %s", error.message);
        chat->path[0] = '\0';
    }
    if (crafty_connection_send_command(chat->connection, &command))
        return true;
    crafty_chat_log_note(&chat->log, CRAFTY_CHAT_ERROR,
                         "The line could not be sent. Try again in a moment.");
    return false;
}

/* Returns true if the chat should be closed. */
static bool finish(CraftyChatScreen *chat)
{
    if (!cn_text_trim(cn_text(chat->text)).size)
        return true;
    chat->shows_errors = !chat->is_valid;
    return chat->is_valid && send(chat);
}

/* ---- Keys ---- */

static void step_history(CraftyChatScreen *chat, int32_t by)
{
    const char *line = crafty_chat_history_step(&chat->history, by, chat->text);
    if (line)
        set_text(chat, line);
}

static void scroll(CraftyChatScreen *chat, int32_t by, uint32_t visible)
{
    uint32_t most = chat->log.count > visible ? chat->log.count - visible : 0;
    int64_t to = (int64_t)chat->scrolled + by;
    chat->scrolled = to < 0 ? 0 : to > most ? most : (uint32_t)to;
}

/* Keys that the field does not use. Gamepads use the arrows and shoulders for the buttons. */
static void use_keys(CraftyChatScreen *chat, CnUi *ui, uint32_t visible)
{
    uint32_t modifiers;
    while (cn_ui_take_key(ui, CN_UI_NEXT, NULL))
        complete(chat, 1);
    while (cn_ui_take_key(ui, CN_UI_PREVIOUS, NULL))
        complete(chat, -1);
    while (cn_ui_take_key(ui, CN_UI_UP, &modifiers))
        if (chat->is_completing)
            complete(chat, -1);
        else
            step_history(chat, -1);
    while (cn_ui_take_key(ui, CN_UI_DOWN, &modifiers))
        if (chat->is_completing)
            complete(chat, 1);
        else
            step_history(chat, 1);
    while (cn_ui_take_key(ui, CN_UI_PAGE_UP, NULL))
        scroll(chat, (int32_t)visible, visible);
    while (cn_ui_take_key(ui, CN_UI_PAGE_DOWN, NULL))
        scroll(chat, -(int32_t)visible, visible);
    scroll(chat, (int32_t)cn_ui_input(ui)->wheel.y * WHEEL_LINES, visible);
}

/* ---- Drawing ---- */

static float text_size(CnUi *ui)
{
    return cn_ui_theme(ui)->text_size < TEXT_SIZE ? TEXT_SIZE : cn_ui_theme(ui)->text_size;
}

static CnRect panel_of(CnCanvas *canvas, float share)
{
    CnRect area = cn_canvas_area(canvas);
    float width = area.width * share;
    width = width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
    width = width > area.width - 2 * MARGIN ? area.width - 2 * MARGIN : width;
    return (CnRect){area.x + MARGIN, area.y + MARGIN, width, area.height - 2 * MARGIN};
}

/* Returns whether to show the error of the line: a word that may become right while it is typed,
 * and words that are missing, are none until Return is pressed. */
static bool has_error(const CraftyChatScreen *chat)
{
    const CraftyChatParse *parse = &chat->parse;
    bool is_typing = chat->completion.count && parse->at + parse->bytes == strlen(chat->text);
    return parse->error[0] && (chat->shows_errors || (!parse->is_incomplete && !is_typing));
}

/* The line above the field: an error, or how the command is typed, with the present word bright. */
static void draw_hint(const CraftyChatScreen *chat, CnCanvas *canvas, CnRect rect, float size)
{
    const CraftyChatCompletion *words = &chat->completion;
    CnTextStyle style = {.size = size, .color = cn_rgb(0xFF9B8C)};
    const CnTextLayout line = {.align_y = CN_ALIGN_CENTER, .ellipsis = true};
    CnRect inner = {rect.x + 6, rect.y, rect.width - 12, rect.height};
    if (has_error(chat)) {
        cn_canvas_fill(canvas, rect, cn_rgba(0x301010E0));
        cn_canvas_text_in(canvas, inner, &style, &line, cn_text(chat->parse.error));
        return;
    }
    if (!words->usage[0])
        return;
    cn_canvas_fill(canvas, rect, cn_rgba(0x0A0E12D0));
    style.color = cn_rgb(0xA8B4C0);
    CnText usage = cn_text(words->usage);
    cn_canvas_text_in(canvas, inner, &style, &line, usage);
    if (!words->usage_bytes)
        return;
    inner.x += cn_canvas_text_x_at_byte(canvas, &style, usage, words->usage_at);
    style.color = cn_rgb(0xFFFFFF);
    cn_canvas_text_in(canvas, inner, &style, &line,
                      (CnText){usage.data + words->usage_at, words->usage_bytes});
}

/* The list of words above the field, near the word that it completes. Returns the word that was
 * clicked; UINT32_MAX: none. */
static uint32_t show_words(const CraftyChatScreen *chat, CnUi *ui, CnRect field, float size)
{
    const CraftyChatCompletion *words = &chat->completion;
    CnCanvas *canvas = cn_ui_canvas(ui);
    uint32_t rows = words->count < WORD_ROWS ? words->count : WORD_ROWS, clicked = UINT32_MAX;
    uint32_t first =
        chat->chosen != UINT32_MAX && chat->chosen >= rows ? chat->chosen - rows + 1 : 0;
    CnTextStyle style = {.size = size};
    if (!rows || !chat->text[0])
        return clicked;
    float left = cn_canvas_text_x_at_byte(canvas, &style, cn_text(chat->text), words->at);
    float factor = size / TEXT_SIZE, width = WORD_WIDTH * factor, height = WORD_HEIGHT * factor;
    float most = field.x + field.width - width;
    CnRect box = {field.x + left < most ? field.x + left : most,
                  field.y - HINT_HEIGHT * factor - (float)rows * height, width,
                  (float)rows * height};
    cn_canvas_box(canvas, box, &(CnBoxStyle){.fill = cn_rgba(0x10161CFF), .radius = 3});
    for (uint32_t i = 0; i < rows; i++) {
        char id[16];
        CnRect row = {box.x, box.y + (float)i * height, box.width, height};
        bool is_chosen = first + i == chat->chosen;
        cn_format(id, sizeof id, "word%u", i);
        CnUiArea area = cn_ui_area(ui, id, row);
        if (is_chosen || area.hovered)
            cn_canvas_fill(canvas, row, cn_rgba(is_chosen ? 0x2F6FB0FF : 0x2F6FB060));
        if (area.pressed & 1u << CN_MOUSE_LEFT)
            clicked = first + i;
        style.color = cn_rgb(is_chosen ? 0xFFFFFF : 0xC8D4E0);
        cn_canvas_text_in(canvas, (CnRect){row.x + 6, row.y, row.width - 12, row.height}, &style,
                          &(CnTextLayout){.align_y = CN_ALIGN_CENTER, .ellipsis = true},
                          cn_text(words->words[first + i]));
    }
    return clicked;
}

/* Common commands as buttons. Returns true if one was sent. */
static bool show_quick_list(CraftyChatScreen *chat, CnEngine *engine)
{
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    bool is_sent = false, wants_focus = chat->frames == 1;
    CnWorld *world = cn_engine_world(engine);
    CraftyRole role = crafty_role_of(
        world, crafty_player_find(chat->players, crafty_connection_player(chat->connection)));
    cn_ui_begin_region(
        ui, (CnRect){area.x + area.width - QUICK_WIDTH - MARGIN, MARGIN, QUICK_WIDTH, area.height});
    cn_ui_label(ui, "Common commands");
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        const char *common = crafty_chat_command_at(i)->common;
        if (!common || !crafty_chat_may_use(crafty_chat_command_at(i), role))
            continue;
        if (wants_focus)
            cn_ui_focus_next(ui);
        wants_focus = false;
        cn_ui_next_height(ui, 22);
        if (!cn_ui_button(ui, common))
            continue;
        set_text(chat, common);
        is_sent = send(chat);
    }
    cn_ui_end_region(ui);
    return is_sent;
}

static bool show_field(CraftyChatScreen *chat, CnUi *ui, CnRect rect, bool has_focus)
{
    char before[sizeof chat->text];
    uint32_t caret = chat->caret;
    memcpy(before, chat->text, sizeof before);
    cn_ui_begin_region(ui, rect);
    if (has_focus)
        cn_ui_focus_next(ui);
    cn_ui_next_height(ui, rect.height);
    CnUiFieldResult result =
        cn_ui_field(ui, "##line",
                    &(CnUiField){.text = chat->text,
                                 .text_bytes = sizeof chat->text,
                                 .hint = "Type a message, or / for a command",
                                 .caret = &chat->caret,
                                 .wrong_at = chat->parse.at,
                                 .wrong_bytes = has_error(chat) ? chat->parse.bytes : 0});
    cn_ui_end_region(ui);
    if (strcmp(before, chat->text) != 0)
        chat->is_completing = chat->shows_errors = false;
    else if (caret != chat->caret)
        chat->is_completing = false;
    return result == CN_UI_FIELD_DONE;
}

static bool show_open(CraftyChatScreen *chat, CnEngine *engine, const CraftyChatScreenView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    CnCanvas *canvas = cn_engine_canvas(engine);
    CnRect area = cn_canvas_area(canvas), panel = panel_of(canvas, OPEN_SHARE);
    float factor = text_size(ui) / TEXT_SIZE, height = FIELD_HEIGHT * factor;
    CnRect field = {panel.x, panel.y + panel.height - height, panel.width, height};
    CnRect hint = {field.x, field.y - HINT_HEIGHT * factor, field.width, HINT_HEIGHT * factor};
    CnRect log = {panel.x, panel.y, panel.width, hint.y - panel.y - 2};
    bool closes = false, is_done = false;
    uint32_t clicked = UINT32_MAX;
    if (cn_ui_begin_window(
            ui, &(CnUiWindow){.title = "Chat##screen",
                              .rect = area,
                              .flags = CN_UI_PANEL | CN_UI_NO_BACKGROUND | CN_UI_NO_SCROLL})) {
        uint32_t visible = crafty_chat_log_draw(&chat->log, canvas,
                                                &(CraftyChatLogView){.area = log,
                                                                     .is_open = true,
                                                                     .skipped = chat->scrolled,
                                                                     .text_size = text_size(ui)});
        bool wants_focus = !view->has_quick_list && chat->frames > 0;
        is_done = show_field(chat, ui, field, wants_focus);
        examine(chat, cn_engine_world(engine), view->player); /* for keys of the same frame */
        if (!view->has_quick_list)
            use_keys(chat, ui, visible);
        examine(chat, cn_engine_world(engine), view->player);
        draw_hint(chat, canvas, hint, text_size(ui));
        clicked = show_words(chat, ui, field, text_size(ui));
        if (view->has_quick_list)
            closes = show_quick_list(chat, engine);
    }
    cn_ui_end_window(ui);
    if (clicked != UINT32_MAX) {
        chat->caret =
            crafty_chat_insert(&chat->completion, clicked, true, chat->text, sizeof chat->text);
        chat->is_completing = false;
    }
    if (++chat->frames == 3) /* the field has the focus */
        CN_LOG_DEBUG("crafty", "the chat is open");
    return closes || (is_done && finish(chat));
}

/* Returns the height of the hotbar and of what stands above it. */
static float above_hotbar(const CnCanvas *canvas)
{
    CnRect area = cn_canvas_area(canvas);
    return area.y + area.height - crafty_hud_slot(area, 0).y + ABOVE_HOTBAR;
}

static void show_line(CraftyChatScreen *chat, const CraftyChatLine *line)
{
    uint32_t player = crafty_connection_player(chat->connection);
    if (crafty_chat_is_for(line, player))
        CN_LOG_DEBUG("crafty", "chat: %s", line->text);
    crafty_chat_log_add(&chat->log, line, player);
}

bool crafty_chat_screen_frame(CraftyChatScreen *chat, CnEngine *engine,
                              const CraftyChatScreenView *view)
{
    if (!chat->lines)
        return view->is_open;
    for (const CraftyChatLine *line; (line = cn_read_next(chat->lines, CraftyChatLine));)
        show_line(chat, line);
    crafty_chat_log_frame(&chat->log, (float)cn_engine_time(engine)->unscaled_delta);
    if (view->is_open)
        return show_open(chat, engine, view);
    if (view->is_hidden)
        return false;
    CnRect panel = panel_of(cn_engine_canvas(engine), CLOSED_SHARE);
    panel.height -= above_hotbar(cn_engine_canvas(engine));
    crafty_chat_log_draw(
        &chat->log, cn_engine_canvas(engine),
        &(CraftyChatLogView){.area = panel, .text_size = text_size(cn_engine_ui(engine))});
    return false;
}

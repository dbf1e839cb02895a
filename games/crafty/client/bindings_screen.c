#include "bindings_screen.h"

#include "ui_style.h"

#include <string.h>

#define WIDTH 600.0f
#define MARGIN 12.0f
#define LEAST_SCROLL 60.0f
#define RESET_WIDTH 56.0f
#define GLYPH_SHARE 0.72f     /* of the height of a cell */
#define WAIT_SECONDS 8.0f     /* until it gives up */
#define FIRST_SECONDS 0.1f    /* the press that began it does not count */
#define STICK_MOVED 0.6f      /* from where it was */
#define ERROR_COLOR 0xFFB199u /* light enough on the dark window */

static void say(CraftyBindingsScreen *screen, bool is_error, const char *text)
{
    screen->is_error = is_error;
    cn_copy_text(screen->status, sizeof screen->status, cn_text(text));
}

static void save(CraftyBindingsScreen *screen, CraftyControls *controls)
{
    CnError error = {0};
    if (!crafty_controls_save(controls, &error))
        say(screen, true, error.message);
}

/* ---- Waiting for a control ---- */

static bool pressed_key(CnEngine *engine, CraftyRowControl *found)
{
    const CnUiInput *input = cn_ui_input(cn_engine_ui(engine));
    for (uint32_t key = 1; key < CN_KEY_COUNT; key++)
        if (cn_engine_key_pressed(engine, key)) {
            *found = (CraftyRowControl){.control = CN_CONTROL_KEY_OF((uint16_t)key)};
            return true;
        }
    for (uint32_t button = CN_MOUSE_LEFT; button <= CN_MOUSE_FORWARD; button++)
        if (input->mouse_pressed >> button & 1u) {
            *found = (CraftyRowControl){.control = CN_CONTROL_MOUSE_BUTTON_OF((uint16_t)button)};
            return true;
        }
    *found = (CraftyRowControl){.control = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_WHEEL_Y),
                                .is_negative = true}; /* down is to the right */
    return input->wheel.y != 0;
}

static bool pressed_button(const CraftyBindingsScreen *screen, CnEngine *engine,
                           CraftyRowControl *found)
{
    const CnGamepadState *pads = &cn_engine_devices(engine)->gamepads;
    for (uint32_t button = 0; button < CN_GAMEPAD_BUTTON_COUNT; button++)
        if (cn_engine_gamepad_pressed(engine, button)) {
            *found = (CraftyRowControl){.control = CN_CONTROL_GAMEPAD_BUTTON_OF((uint16_t)button)};
            return true;
        }
    for (uint32_t pad = 0; pad < CN_GAMEPAD_COUNT; pad++)
        for (uint32_t axis = 0; axis < CN_GAMEPAD_AXIS_COUNT; axis++) {
            float moved =
                cn_gamepad_axis(pads, pad, axis) - cn_gamepad_axis(&screen->rest, pad, axis);
            if (moved < STICK_MOVED && moved > -STICK_MOVED)
                continue;
            *found = (CraftyRowControl){.control = CN_CONTROL_GAMEPAD_AXIS_OF((uint16_t)axis),
                                        .is_negative = moved < 0};
            return true;
        }
    return false;
}

static void bind(CraftyBindingsScreen *screen, CraftyControls *controls,
                 const CraftyBindingRow *row, CraftyRowControl control)
{
    CnError error = {0};
    screen->waits = false;
    screen->status[0] = '\0';
    if (crafty_binding_set(crafty_controls_map(controls), row, screen->column, control, &error))
        save(screen, controls);
    else
        say(screen, true, error.message);
}

static void wait_for_control(CraftyBindingsScreen *screen, CnEngine *engine,
                             CraftyControls *controls, const CraftyBindingRow *row)
{
    CraftyRowControl found;
    screen->seconds += (float)cn_engine_time(engine)->unscaled_delta;
    if (screen->seconds > WAIT_SECONDS)
        screen->waits = false;
    if (screen->seconds < FIRST_SECONDS || cn_engine_key_pressed(engine, CN_KEY_ESCAPE))
        return; /* the caller handles Escape with crafty_bindings_screen_back */
    if (cn_engine_key_pressed(engine, CN_KEY_DELETE))
        bind(screen, controls, row, (CraftyRowControl){0});
    else if (screen->column == CRAFTY_COLUMN_KEYBOARD ? pressed_key(engine, &found)
                                                      : pressed_button(screen, engine, &found))
        bind(screen, controls, row, found);
}

static void begin_waiting(CraftyBindingsScreen *screen, CnEngine *engine, uint32_t row,
                          CraftyColumn column)
{
    screen->waits = true;
    screen->row = row;
    screen->column = column;
    screen->seconds = 0;
    screen->rest = cn_engine_devices(engine)->gamepads;
    screen->status[0] = '\0';
    cn_ui_clear_focus(cn_engine_ui(engine));
}

/* ---- Drawing ---- */

typedef struct Table {
    CraftyBindingsScreen *screen;
    CnEngine *engine;
    CnUi *ui;
    CraftyControls *controls;
    CnActionList list;
    CraftyBindingRow rows[CRAFTY_MAX_BINDING_ROWS];
    uint32_t count;
    CraftyDevice gamepad; /* labels of the second column */
} Table;

static void draw_mark(CnCanvas *canvas, CnRect rect)
{
    CnRect sign = {rect.x + rect.width - 16, rect.y, 14, rect.height};
    cn_canvas_box(canvas, rect,
                  &(CnBoxStyle){.radius = 4, .border = 2, .border_color = cn_rgb(0xFF7A45)});
    cn_canvas_text_in(canvas, sign, &(CnTextStyle){.size = 15, .color = cn_rgb(ERROR_COLOR)},
                      &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER},
                      cn_text("!"));
}

static void draw_controls(const Table *table, CnRect rect, uint32_t row, CraftyColumn column)
{
    CraftyRowControl controls[CRAFTY_MAX_ROW_CONTROLS];
    uint32_t count = crafty_binding_controls(table->list, &table->rows[row], column, controls);
    CraftyDevice device = column == CRAFTY_COLUMN_GAMEPAD ? table->gamepad : CRAFTY_DEVICE_KEYBOARD;
    CnCanvas *canvas = cn_ui_canvas(table->ui);
    float height = rect.height * GLYPH_SHARE, x = rect.x + 8;
    float y = rect.y + (rect.height - height) / 2;
    cn_canvas_push_clip(canvas, rect);
    for (uint32_t i = 0; i < count; i++)
        x +=
            crafty_glyph_draw_control(canvas, (CnVec2){x, y}, height, device, controls[i].control) +
            5;
    cn_canvas_pop_clip(canvas);
}

static void show_cell(Table *table, uint32_t row, CraftyColumn column)
{
    CraftyBindingsScreen *screen = table->screen;
    bool waits = screen->waits && screen->row == row && screen->column == column;
    cn_ui_push_number(table->ui, row * CRAFTY_COLUMN_COUNT + (uint32_t)column);
    if (cn_ui_button(table->ui, waits ? "Press ...##cell" : "##cell"))
        begin_waiting(screen, table->engine, row, column);
    cn_ui_pop_id(table->ui);
    if (waits)
        return;
    CnRect rect = cn_ui_last_rect(table->ui);
    uint32_t other = crafty_binding_conflict(table->list, table->rows, table->count, row, column);
    draw_controls(table, rect, row, column);
    if (other == UINT32_MAX)
        return;
    draw_mark(cn_ui_canvas(table->ui), rect);
    cn_ui_tooltip(table->ui,
                  cn_ui_format(table->ui, "Also used for: %s", table->rows[other].title));
}

static void show_row(Table *table, uint32_t number)
{
    const CraftyBindingRow *row = &table->rows[number];
    const float widths[] = {-1, -1, -1, RESET_WIDTH * crafty_ui_text_factor(table->ui)};
    CnError error = {0};
    cn_ui_begin_row(table->ui, widths, CN_COUNT_OF(widths));
    cn_ui_label(table->ui, row->title);
    show_cell(table, number, CRAFTY_COLUMN_KEYBOARD);
    show_cell(table, number, CRAFTY_COLUMN_GAMEPAD);
    cn_ui_push_number(table->ui, number);
    cn_ui_begin_disabled(table->ui, crafty_binding_is_default(table->list, row));
    if (cn_ui_button(table->ui, "Reset")) {
        if (crafty_binding_reset(crafty_controls_map(table->controls), row, &error))
            save(table->screen, table->controls);
        else
            say(table->screen, true, error.message);
    }
    cn_ui_end_disabled(table->ui);
    cn_ui_pop_id(table->ui);
    cn_ui_end_row(table->ui);
}

static void show_rows(Table *table)
{
    static const char *const sections[] = {[CRAFTY_SECTION_MOVEMENT] = "Movement",
                                           [CRAFTY_SECTION_HANDS] = "Hands and items",
                                           [CRAFTY_SECTION_INTERFACE] = "Interface"};
    for (uint32_t i = 0; i < table->count; i++) {
        if (i == 0 || table->rows[i].section != table->rows[i - 1].section)
            cn_ui_heading(table->ui, sections[table->rows[i].section]);
        show_row(table, i);
    }
}

static uint32_t count_conflicts(const Table *table)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->count; i++)
        for (uint32_t column = 0; column < CRAFTY_COLUMN_COUNT; column++)
            count += crafty_binding_conflict(table->list, table->rows, table->count, i,
                                             (CraftyColumn)column) != UINT32_MAX;
    return count;
}

/* One line above the buttons. */
static void show_status(const Table *table)
{
    const CraftyBindingsScreen *screen = table->screen;
    const CnUiTheme *theme = cn_ui_theme(table->ui);
    uint32_t conflicts = screen->waits ? 0 : count_conflicts(table);
    if (screen->waits)
        cn_ui_label_format(
            table->ui, "%s: press the new control. Esc cancels, Del clears. (%.0f s)",
            table->rows[screen->row].title, (double)(WAIT_SECONDS - screen->seconds));
    else if (screen->status[0])
        cn_ui_label_colored(table->ui, screen->is_error ? cn_rgb(ERROR_COLOR) : theme->text,
                            CN_ALIGN_START, screen->status);
    else if (conflicts)
        cn_ui_label_colored(table->ui, cn_rgb(ERROR_COLOR), CN_ALIGN_START,
                            "Marked controls (!) are used for more than one action.");
    else
        cn_ui_label_colored(table->ui, theme->text_dim, CN_ALIGN_START,
                            "Choose a cell, then press the new key or button.");
}

/* Returns true if the player leaves the screen. */
static bool show_buttons(Table *table)
{
    CraftyBindingsScreen *screen = table->screen;
    bool leaves = false;
    cn_ui_begin_row(table->ui, NULL, screen->asks_reset ? 3 : 2);
    if (screen->asks_reset) {
        cn_ui_label(table->ui, "Reset all bindings?");
        if (cn_ui_button(table->ui, "Reset")) {
            cn_action_map_reset(crafty_controls_map(table->controls));
            save(screen, table->controls);
            screen->asks_reset = false;
        }
        if (cn_ui_button(table->ui, "Keep"))
            screen->asks_reset = false;
    } else {
        if (cn_ui_button(table->ui, "Reset all ..."))
            screen->asks_reset = true;
        leaves = cn_ui_button(table->ui, "Back");
    }
    cn_ui_end_row(table->ui);
    return leaves;
}

bool crafty_bindings_screen_back(CraftyBindingsScreen *screen)
{
    bool was_busy = screen->waits || screen->asks_reset;
    screen->waits = screen->asks_reset = false;
    if (!was_busy)
        *screen = (CraftyBindingsScreen){0};
    return was_busy;
}

/* Returns the height that is left for the rows. */
static float scroll_height(CnUi *ui, float window_height)
{
    const CnUiTheme *theme = cn_ui_theme(ui);
    float used =
        theme->title_size + 14 + 2 * theme->padding + 2 * theme->row_height + 2 * theme->spacing;
    return window_height - used > LEAST_SCROLL ? window_height - used : LEAST_SCROLL;
}

bool crafty_bindings_screen_frame(CraftyBindingsScreen *screen, CnEngine *engine,
                                  CraftyControls *controls, const CraftyGlyphs *glyphs)
{
    CnUi *ui = cn_engine_ui(engine);
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    Table table = {.screen = screen,
                   .engine = engine,
                   .ui = ui,
                   .controls = controls,
                   .list = cn_action_map_actions(crafty_controls_map(controls)),
                   .gamepad = crafty_device_is_gamepad(glyphs->device) ? glyphs->device
                                                                       : CRAFTY_DEVICE_XBOX};
    table.count = crafty_binding_rows(table.list, table.rows);
    if (screen->waits && screen->row < table.count)
        wait_for_control(screen, engine, controls, &table.rows[screen->row]);
    float width = WIDTH * crafty_ui_text_factor(ui), height = area.height - 2 * MARGIN;
    width = width < area.width - 2 * MARGIN ? width : area.width - 2 * MARGIN;
    CnRect rect = {(area.width - width) / 2, MARGIN, width, height};
    bool leaves = false;
    if (cn_ui_begin_window(
            ui, &(CnUiWindow){.title = "Keys and buttons",
                              .rect = rect,
                              .flags = CN_UI_NO_MOVE | CN_UI_NO_RESIZE | CN_UI_NO_SCROLL})) {
        cn_ui_begin_disabled(ui, screen->waits);
        cn_ui_begin_scroll(ui, "rows", scroll_height(ui, height));
        if (screen->shown == 1)
            cn_ui_focus_next(ui);
        show_rows(&table);
        cn_ui_end_scroll(ui);
        show_status(&table);
        leaves = show_buttons(&table);
        cn_ui_end_disabled(ui);
    }
    cn_ui_end_window(ui);
    screen->shown++;
    if (leaves)
        *screen = (CraftyBindingsScreen){0};
    return leaves;
}

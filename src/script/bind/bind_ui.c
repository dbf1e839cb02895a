/* ui: texts, buttons and panels, recorded anew in each tick. */
#include "script/bind/bind.h"
#include "script/runtime/runtime.h"

#include <cairn/base/log.h>
#include <string.h>

#define ITEM_COST 200u                      /* instructions, in addition to the bytes of the text */
#define NO_PANEL (CN_SCRIPT_UI_SCREEN - 1u) /* a panel that was one too many */

/* A panel as scripts see it. */
typedef struct LuaPanel {
    uint32_t index, generation;
} LuaPanel;

/* ---- Options ---- */

typedef enum OptionKind { NUMBER, BOOLEAN, COLOR, CHOICE } OptionKind;

static const char *const anchors[] = {
    [CN_SCRIPT_UI_TOP_LEFT] = "topLeft",
    [CN_SCRIPT_UI_TOP] = "top",
    [CN_SCRIPT_UI_TOP_RIGHT] = "topRight",
    [CN_SCRIPT_UI_LEFT] = "left",
    [CN_SCRIPT_UI_CENTER] = "center",
    [CN_SCRIPT_UI_RIGHT] = "right",
    [CN_SCRIPT_UI_BOTTOM_LEFT] = "bottomLeft",
    [CN_SCRIPT_UI_BOTTOM] = "bottom",
    [CN_SCRIPT_UI_BOTTOM_RIGHT] = "bottomRight",
};
static const char *const aligns[] = {
    [CN_SCRIPT_UI_START] = "start", [CN_SCRIPT_UI_MIDDLE] = "center", [CN_SCRIPT_UI_END] = "end"};

typedef struct Option {
    const char *key;
    OptionKind kind;
    size_t offset;  /* in CnScriptUiItem */
    size_t given;   /* of colors: offset of the flag */
    double minimum; /* of numbers */
    const char *const *choices;
    uint32_t choice_count;
} Option;

#define OFFSET(member) offsetof(CnScriptUiItem, member)
static const Option options[] = {
    {.key = "align",
     .kind = CHOICE,
     .offset = OFFSET(align),
     .choices = aligns,
     .choice_count = CN_COUNT_OF(aligns)},
    {.key = "anchor",
     .kind = CHOICE,
     .offset = OFFSET(anchor),
     .choices = anchors,
     .choice_count = CN_COUNT_OF(anchors)},
    {.key = "background",
     .kind = COLOR,
     .offset = OFFSET(background),
     .given = OFFSET(has_background)},
    {.key = "border", .kind = COLOR, .offset = OFFSET(border), .given = OFFSET(has_border)},
    {.key = "color", .kind = COLOR, .offset = OFFSET(color), .given = OFFSET(has_color)},
    {.key = "disabled", .kind = BOOLEAN, .offset = OFFSET(disabled)},
    {.key = "focus", .kind = BOOLEAN, .offset = OFFSET(takes_focus)},
    {.key = "height", .kind = NUMBER, .offset = OFFSET(height)},
    {.key = "padding", .kind = NUMBER, .offset = OFFSET(padding)},
    {.key = "radius", .kind = NUMBER, .offset = OFFSET(radius)},
    {.key = "size", .kind = NUMBER, .offset = OFFSET(size)},
    {.key = "spacing", .kind = NUMBER, .offset = OFFSET(spacing)},
    {.key = "width", .kind = NUMBER, .offset = OFFSET(width)},
    {.key = "x", .kind = NUMBER, .offset = OFFSET(x), .minimum = -(double)CNI_SCRIPT_UI_LENGTH},
    {.key = "y", .kind = NUMBER, .offset = OFFSET(y), .minimum = -(double)CNI_SCRIPT_UI_LENGTH},
};

static bool is_option(const char *key)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(options); i++)
        if (!strcmp(options[i].key, key))
            return true;
    return false;
}

/* If several keys are unknown, reports the first by name, so that the message does not depend on
 * the order of the table. */
static void check_keys(lua_State *lua, int table)
{
    const char *wrong = NULL;
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        if (!is_option(key) && (!wrong || strcmp(key, wrong) < 0))
            wrong = key; /* kept alive by the table */
    }
    if (wrong)
        luaL_error(lua,
                   "there is no option '%s'; the options are align, anchor, background, border, "
                   "color, disabled, focus, height, padding, radius, size, spacing, width, x and y",
                   wrong);
}

static void throw_type(lua_State *lua, const char *key, const char *expected)
{
    luaL_error(lua, "'%s' must be %s, not %s", key, expected, cni_script_type_name(lua, -1));
}

static float read_number(lua_State *lua, const Option *option)
{
    double value = lua_tonumber(lua, -1);
    if (lua_type(lua, -1) != LUA_TNUMBER)
        throw_type(lua, option->key, "a number");
    if (!(value >= option->minimum && value <= (double)CNI_SCRIPT_UI_LENGTH))
        luaL_error(lua, "'%s' must be between %d and %d", option->key, (int)option->minimum,
                   (int)CNI_SCRIPT_UI_LENGTH);
    return (float)value;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "#RRGGBB" or "#RRGGBBAA" */
static uint32_t read_color(lua_State *lua, const Option *option)
{
    size_t size = 0;
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &size) : "";
    uint32_t color = 0;
    bool good = (size == 7 || size == 9) && text[0] == '#';
    for (size_t i = 1; good && i < size; i++) {
        int digit = hex_digit(text[i]);
        good = digit >= 0;
        color = color << 4 | ((uint32_t)digit & 15u);
    }
    if (!good)
        throw_type(lua, option->key, "a color such as \"#FF8000\" or \"#FF800080\"");
    return size == 7 ? color << 8 | 0xFFu : color;
}

static uint8_t read_choice(lua_State *lua, const Option *option)
{
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    for (uint32_t i = 0; i < option->choice_count; i++)
        if (!strcmp(text, option->choices[i]))
            return (uint8_t)i;
    luaL_Buffer names;
    luaL_buffinit(lua, &names);
    for (uint32_t i = 0; i < option->choice_count; i++) {
        luaL_addstring(&names, i ? ", " : "");
        luaL_addstring(&names, option->choices[i]);
    }
    luaL_pushresult(&names);
    luaL_error(lua, "'%s' must be one of %s", option->key, lua_tostring(lua, -1));
    return 0;
}

/* Reads the option on top of the stack. */
static void read_option(lua_State *lua, const Option *option, CnScriptUiItem *item)
{
    char *bytes = (char *)item;
    switch (option->kind) {
    case NUMBER:
        *(float *)(void *)(bytes + option->offset) = read_number(lua, option);
        break;
    case BOOLEAN:
        if (!lua_isboolean(lua, -1))
            throw_type(lua, option->key, "a boolean");
        *(bool *)(bytes + option->offset) = lua_toboolean(lua, -1) != 0;
        break;
    case COLOR:
        *(uint32_t *)(void *)(bytes + option->offset) = read_color(lua, option);
        *(bool *)(bytes + option->given) = true;
        break;
    case CHOICE:
        *(uint8_t *)(bytes + option->offset) = read_choice(lua, option);
        break;
    }
}

static void read_options(lua_State *lua, int table, CnScriptUiItem *item)
{
    if (lua_isnoneornil(lua, table))
        return;
    luaL_checktype(lua, table, LUA_TTABLE);
    check_keys(lua, table);
    for (uint32_t i = 0; i < CN_COUNT_OF(options); i++) {
        lua_pushstring(lua, options[i].key);
        lua_rawget(lua, table);
        if (!lua_isnil(lua, -1)) {
            read_option(lua, &options[i], item);
            if (options[i].offset == OFFSET(takes_focus))
                item->no_focus = !item->takes_focus;
        }
        lua_pop(lua, 1);
    }
}

/* ---- Recording ---- */

static CniScriptUiCount *count_of(CniScriptRuntime *runtime, uint64_t tick)
{
    CniScriptInstance *instance = cni_script_instance_find(runtime, runtime->shared.current);
    CniScriptUiCount *count = instance ? &instance->drawn : &runtime->ui.console;
    if (count->tick != tick + 1)
        *count = (CniScriptUiCount){.tick = tick + 1};
    return count;
}

static void log_refusal(lua_State *lua, CniScriptUi *ui, uint64_t tick)
{
    if (ui->log_tick == tick + 1)
        return;
    ui->log_tick = tick + 1;
    luaL_where(lua, 1);
    CN_LOG_ERROR("script",
                 "%s the user interface is not complete: a script draws at most %u items with %u "
                 "bytes of text in a tick, all scripts %u items with %u bytes",
                 lua_tostring(lua, -1), CNI_SCRIPT_UI_ITEMS, CNI_SCRIPT_UI_TEXT,
                 CN_SCRIPT_UI_MAX_ITEMS, CN_SCRIPT_UI_MAX_TEXT_BYTES);
    lua_pop(lua, 1);
}

/* `self` is 1 for methods of a panel, whose arguments begin after it, and 0 for functions of ui. */
static uint32_t check_parent(lua_State *lua, const CniScriptUi *ui, int self)
{
    if (!self)
        return CN_SCRIPT_UI_SCREEN;
    const LuaPanel *panel = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_PANEL);
    if (panel->generation != ui->generation)
        luaL_error(lua, "this panel belongs to an earlier tick; draw it again in each tick");
    return panel->index;
}

/* Returns false if the item was one too many. */
static bool add(lua_State *lua, int self, CnScriptUiItem *item, CnText text, int option_index)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CniScriptRuntime *runtime = cni_script_runtime(bound->scripts);
    uint64_t tick = cni_script_tick_now(bound);
    cni_script_check_may_change(lua, bound);
    cni_script_budget_charge(lua, ITEM_COST + text.size);
    item->parent = check_parent(lua, &runtime->ui, self);
    item->owner = bound->scripts->current;
    read_options(lua, option_index, item);
    if (cn_script_ui_is_widget(item->kind))
        item->id = cn_hash_bytes(text.data, text.size, item->owner.id) | 1u;
    CniScriptUiResult result = CNI_SCRIPT_UI_REFUSED;
    if (item->parent == NO_PANEL)
        runtime->ui.refused++;
    else
        result = cni_script_ui_add(&runtime->ui, count_of(runtime, tick), item, text);
    if (result == CNI_SCRIPT_UI_NO_MEMORY)
        cni_script_throw_out_of_memory(lua);
    if (result == CNI_SCRIPT_UI_REFUSED)
        log_refusal(lua, &runtime->ui, tick);
    return result == CNI_SCRIPT_UI_ADDED;
}

static CnText check_text(lua_State *lua, int index)
{
    CnText text;
    text.data = luaL_checklstring(lua, index, &text.size);
    if (text.size > CNI_SCRIPT_UI_LABEL)
        luaL_argerror(lua, index, "a text has at most 4096 bytes");
    if (memchr(text.data, 0, text.size) || !cn_text_is_utf8(text))
        luaL_argerror(lua, index, "not UTF-8");
    return text;
}

/* Returns what was done with the widget in this tick; NULL: nothing. */
static const CniScriptUiAnswer *answer_of(lua_State *lua, const CnScriptUiItem *item)
{
    const CniScriptRuntime *runtime = cni_script_runtime(cni_script_bindings(lua)->scripts);
    return item->disabled ? NULL : cni_script_ui_answer(&runtime->ui, item->id);
}

/* ---- Items ---- */

static int panel(lua_State *lua, int self, CnScriptUiKind kind)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CniScriptUi *ui = &cni_script_runtime(bound->scripts)->ui;
    CnScriptUiItem item = {.kind = (uint8_t)kind, .spacing = 8};
    bool added = add(lua, self, &item, (CnText){"", 0}, self + 1);
    LuaPanel *pushed = cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_PANEL, sizeof *pushed);
    *pushed = (LuaPanel){added ? ui->items.count - 1 : NO_PANEL, ui->generation};
    return 1;
}

static int text(lua_State *lua, int self)
{
    CnScriptUiItem item = {.kind = CN_SCRIPT_UI_TEXT};
    add(lua, self, &item, check_text(lua, self + 1), self + 2);
    return 0;
}

static int image(lua_State *lua, int self)
{
    CnScriptUiItem item = {.kind = CN_SCRIPT_UI_IMAGE};
    CnText path = check_text(lua, self + 1);
    if (!path.size || path.size >= CN_ASSET_PATH_BYTES)
        return luaL_argerror(lua, self + 1, "a path has 1 to 127 bytes");
    add(lua, self, &item, path, self + 2);
    return 0;
}

static int progress(lua_State *lua, int self)
{
    double share = luaL_checknumber(lua, self + 1);
    CnScriptUiItem item = {.kind = CN_SCRIPT_UI_PROGRESS, .maximum = 1};
    item.value = share >= 1 ? 1 : share > 0 ? (float)share : 0;
    add(lua, self, &item, (CnText){"", 0}, self + 2);
    return 0;
}

static int button(lua_State *lua, int self)
{
    CnScriptUiItem item = {.kind = CN_SCRIPT_UI_BUTTON};
    bool added = add(lua, self, &item, check_text(lua, self + 1), self + 2);
    lua_pushboolean(lua, added && answer_of(lua, &item));
    return 1;
}

static int checkbox(lua_State *lua, int self)
{
    CnText label = check_text(lua, self + 1);
    luaL_checktype(lua, self + 2, LUA_TBOOLEAN);
    bool value = lua_toboolean(lua, self + 2) != 0;
    CnScriptUiItem item = {.kind = CN_SCRIPT_UI_CHECKBOX, .value = value, .maximum = 1};
    bool added = add(lua, self, &item, label, self + 3);
    const CniScriptUiAnswer *answer = added ? answer_of(lua, &item) : NULL;
    lua_pushboolean(lua, answer ? answer->value != 0 : value);
    return 1;
}

static float limited(double value, float low, float high)
{
    return value <= (double)low ? low : value >= (double)high ? high : (float)value;
}

static int slider(lua_State *lua, int self)
{
    CnText label = check_text(lua, self + 1);
    double value = luaL_checknumber(lua, self + 2), low = luaL_checknumber(lua, self + 3);
    double high = luaL_checknumber(lua, self + 4);
    if (!(low >= -1e9 && high <= 1e9 && low < high) || value != value)
        return luaL_error(lua, "slider: value, minimum and maximum are not numbers in order");
    CnScriptUiItem item = {
        .kind = CN_SCRIPT_UI_SLIDER, .minimum = (float)low, .maximum = (float)high};
    item.value = limited(value, item.minimum, item.maximum);
    bool added = add(lua, self, &item, label, self + 5);
    const CniScriptUiAnswer *answer = added ? answer_of(lua, &item) : NULL;
    lua_pushnumber(lua, answer
                            ? (lua_Number)limited((double)answer->value, item.minimum, item.maximum)
                            : (lua_Number)item.value);
    return 1;
}

static int panel_space(lua_State *lua)
{
    double points = luaL_checknumber(lua, 2);
    if (!(points >= 0 && points <= (double)CNI_SCRIPT_UI_LENGTH))
        return luaL_argerror(lua, 2, "points must be between 0 and 16384");
    CnScriptUiItem item = {
        .kind = CN_SCRIPT_UI_SPACE, .width = (float)points, .height = (float)points};
    add(lua, 1, &item, (CnText){"", 0}, 3);
    return 0;
}

/* ---- Functions of ui and methods of panels ---- */

static int ui_panel(lua_State *lua)
{
    return panel(lua, 0, CN_SCRIPT_UI_COLUMN);
}

static int ui_row(lua_State *lua)
{
    return panel(lua, 0, CN_SCRIPT_UI_ROW);
}

static int ui_text(lua_State *lua)
{
    return text(lua, 0);
}

static int ui_image(lua_State *lua)
{
    return image(lua, 0);
}

static int ui_progress(lua_State *lua)
{
    return progress(lua, 0);
}

static int ui_button(lua_State *lua)
{
    return button(lua, 0);
}

static int ui_checkbox(lua_State *lua)
{
    return checkbox(lua, 0);
}

static int ui_slider(lua_State *lua)
{
    return slider(lua, 0);
}

static int panel_column(lua_State *lua)
{
    return panel(lua, 1, CN_SCRIPT_UI_COLUMN);
}

static int panel_row(lua_State *lua)
{
    return panel(lua, 1, CN_SCRIPT_UI_ROW);
}

static int panel_text(lua_State *lua)
{
    return text(lua, 1);
}

static int panel_image(lua_State *lua)
{
    return image(lua, 1);
}

static int panel_progress(lua_State *lua)
{
    return progress(lua, 1);
}

static int panel_button(lua_State *lua)
{
    return button(lua, 1);
}

static int panel_checkbox(lua_State *lua)
{
    return checkbox(lua, 1);
}

static int panel_slider(lua_State *lua)
{
    return slider(lua, 1);
}

/* ---- Tables ---- */

#define TEXT_TYPE "(text: string|number, options?: UiOptions)"
#define IMAGE_TYPE "(path: string, options?: UiOptions)"
#define PROGRESS_TYPE "(share: number, options?: UiOptions)"
#define BUTTON_TYPE "(label: string, options?: UiOptions): boolean"
#define CHECKBOX_TYPE "(label: string, value: boolean, options?: UiOptions): boolean"
#define SLIDER_TYPE                                                                                \
    "(label: string, value: number, low: number, high: number, options?: UiOptions): number"

static const CniScriptBinding ui_rows[] = {
    {"panel", CNI_SCRIPT_FUNCTION, ui_panel, NULL, "(options?: UiOptions): Panel",
     "A panel whose contents are below each other."},
    {"row", CNI_SCRIPT_FUNCTION, ui_row, NULL, "(options?: UiOptions): Panel",
     "A panel whose contents are beside each other."},
    {"text", CNI_SCRIPT_FUNCTION, ui_text, NULL, TEXT_TYPE, "A text; with a width, it is wrapped."},
    {"image", CNI_SCRIPT_FUNCTION, ui_image, NULL, IMAGE_TYPE,
     "An image file, in its own size if no width and height are given."},
    {"progress", CNI_SCRIPT_FUNCTION, ui_progress, NULL, PROGRESS_TYPE,
     "A bar that is filled from 0 to 1."},
    {"button", CNI_SCRIPT_FUNCTION, ui_button, NULL, BUTTON_TYPE,
     "A button. Returns true in the tick in which it was pressed. What follows \"##\" in its label "
     "is not shown and makes it different from others."},
    {"checkbox", CNI_SCRIPT_FUNCTION, ui_checkbox, NULL, CHECKBOX_TYPE,
     "A check box. Returns the new value."},
    {"slider", CNI_SCRIPT_FUNCTION, ui_slider, NULL, SLIDER_TYPE,
     "A slider for a number. Returns the new value."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_ui = {
    "ui", "The user interface: drawn anew in each tick, on the screen.", ui_rows};

static const CniScriptBinding panel_rows[] = {
    {"column", CNI_SCRIPT_METHOD, panel_column, NULL, "(options?: UiOptions): Panel",
     "A panel in this one, whose contents are below each other."},
    {"row", CNI_SCRIPT_METHOD, panel_row, NULL, "(options?: UiOptions): Panel",
     "A panel in this one, whose contents are beside each other."},
    {"text", CNI_SCRIPT_METHOD, panel_text, NULL, TEXT_TYPE, "See ui.text."},
    {"image", CNI_SCRIPT_METHOD, panel_image, NULL, IMAGE_TYPE, "See ui.image."},
    {"progress", CNI_SCRIPT_METHOD, panel_progress, NULL, PROGRESS_TYPE, "See ui.progress."},
    {"button", CNI_SCRIPT_METHOD, panel_button, NULL, BUTTON_TYPE, "See ui.button."},
    {"checkbox", CNI_SCRIPT_METHOD, panel_checkbox, NULL, CHECKBOX_TYPE, "See ui.checkbox."},
    {"slider", CNI_SCRIPT_METHOD, panel_slider, NULL, SLIDER_TYPE, "See ui.slider."},
    {"space", CNI_SCRIPT_METHOD, panel_space, NULL, "(points: number)", "Empty space."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_panel = {
    "Panel", "A part of the user interface of one tick.", panel_rows};

/* For annotations. */
static const CniScriptBinding option_rows[] = {
    {"anchor", CNI_SCRIPT_PROPERTY, NULL, NULL,
     "\"topLeft\"|\"top\"|\"topRight\"|\"left\"|\"center\"|\"right\"|\"bottomLeft\"|\"bottom\"|"
     "\"bottomRight\"|nil",
     "Where on the screen; topLeft if not given. Not within a panel."},
    {"x", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Offset to the right, in points."},
    {"y", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Offset down, in points."},
    {"width", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "As wide as the contents if not given."},
    {"height", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "As high as the contents if not given."},
    {"size", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Size of the text in points."},
    {"align", CNI_SCRIPT_PROPERTY, NULL, NULL, "\"start\"|\"center\"|\"end\"|nil",
     "Of texts and images in a column, and of the contents of a panel in the space that is left."},
    {"color", CNI_SCRIPT_PROPERTY, NULL, NULL, "string?",
     "Of the text, the filled part of a bar, or a tint: \"#RRGGBB\" or \"#RRGGBBAA\"."},
    {"background", CNI_SCRIPT_PROPERTY, NULL, NULL, "string?", "A color; without it, none."},
    {"border", CNI_SCRIPT_PROPERTY, NULL, NULL, "string?", "A color; without it, none."},
    {"radius", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?", "Of the corners."},
    {"padding", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Space between the edge of a panel and its contents."},
    {"spacing", CNI_SCRIPT_PROPERTY, NULL, NULL, "number?",
     "Space between the contents of a panel; 8 if not given."},
    {"disabled", CNI_SCRIPT_PROPERTY, NULL, NULL, "boolean?", "Whether a widget cannot be used."},
    {"focus", CNI_SCRIPT_PROPERTY, NULL, NULL, "boolean?",
     "Of a panel on the screen. True: keys and gamepads go to its first widget when it appears. "
     "False: never, for buttons beside a game that is played with keys."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_ui_options = {"UiOptions", "Options of what ui draws.",
                                                          option_rows};

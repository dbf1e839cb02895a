/* Elements and dialogs from JSON, which mods have written. */
#include "hud_internal.h"

#include "crafty/world/data_reader.h"

#include <string.h>

static const char *const kind_words[] = {"text", "bar", "image", "grid", "panel", "marker"};
static const char *const anchor_words[] = {
    "topLeft", "top", "topRight", "left", "center", "right", "bottomLeft", "bottom", "bottomRight"};

/* What is read for one element. */
typedef struct Source {
    CraftyDataReader reader;
    CraftyModHudView *view;
    const char *mod, *key;
    uint32_t first; /* element of the view */
} Source;

/* ---- Texts ---- */

static bool is_line(CnText line)
{
    char escaped[2 * CRAFTY_MOD_DIALOG_TEXT_BYTES];
    return cn_text_equal(cn_text(cn_text_escape(line, escaped, sizeof escaped)), line);
}

static bool is_readable(CnText text)
{
    CnText line;
    while (cn_text_split(&text, '\n', &line))
        if (!is_line(line))
            return false;
    return true;
}

static bool copy_text(CraftyDataReader *reader, CnArena *memory, const char *key, const char *text,
                      size_t bytes, const char **copy)
{
    size_t size = strlen(text);
    if (size >= bytes)
        return crafty_data_fail(reader, "\"%s\" has more than %zu bytes", key, bytes - 1);
    if (!is_readable((CnText){text, size}))
        return crafty_data_fail(reader, "\"%s\" has control characters", key);
    *copy = cn_arena_copy_text(memory, text, size);
    return *copy || cn_error_memory(reader->error, "a text of the HUD");
}

/* The value stays unchanged if there is no such key. */
static bool text_of(CraftyDataReader *reader, json_t *table, const char *key, const char **text)
{
    const json_t *value = json_object_get(table, key);
    if (value && !json_is_string(value))
        return crafty_data_fail(reader, "\"%s\" must be a text", key);
    *text = value ? json_string_value(value) : *text;
    return true;
}

static bool read_text(CraftyDataReader *reader, CnArena *memory, json_t *table, const char *key,
                      size_t bytes, const char **copy)
{
    const char *text = "";
    return text_of(reader, table, key, &text) && copy_text(reader, memory, key, text, bytes, copy);
}

/* ---- Numbers ---- */

static bool read_float(CraftyDataReader *reader, json_t *table, const char *key, float low,
                       float high, float *number)
{
    double value = (double)*number;
    if (!crafty_data_number(reader, table, key, (double)low, (double)high, &value))
        return false;
    *number = (float)value;
    return true;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads six digits as 0xRRGGBBFF. */
static bool parse_color(const char *digits, uint32_t *color)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < 6; i++) {
        int digit = digit_of(digits[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
    }
    *color = value << 8 | 0xFF;
    return true;
}

static bool read_color(CraftyDataReader *reader, json_t *table, const char *key, uint32_t *color)
{
    const char *text = NULL;
    if (!text_of(reader, table, key, &text))
        return false;
    if (!text)
        return true;
    size_t size = strlen(text);
    bool good = text[0] == '#' && (size == 7 || size == 9) && parse_color(text + 1, color);
    if (good && size == 9) {
        int high = digit_of(text[7]), low = digit_of(text[8]);
        good = high >= 0 && low >= 0;
        *color = (*color & 0xFFFFFF00u) | (good ? (uint32_t)(high << 4 | low) : 0);
    }
    return good ||
           crafty_data_fail(reader, "\"%s\" must be a color: \"#RRGGBB\" or \"#RRGGBBAA\"", key);
}

/* ---- Kinds ---- */

static bool read_grid(Source *source, json_t *table, CraftyModHudElement *element)
{
    CraftyDataReader *reader = &source->reader;
    uint16_t columns = 0, rows = 0;
    const char *colors = NULL;
    if (!crafty_data_whole(reader, table, "columns", 1, CRAFTY_MOD_HUD_CELLS, &columns) ||
        !crafty_data_whole(reader, table, "rows", 1, CRAFTY_MOD_HUD_CELLS, &rows) ||
        !text_of(reader, table, "colors", &colors))
        return false;
    uint32_t count = (uint32_t)columns * rows;
    if (!count || !colors || strlen(colors) != (size_t)count * 6)
        return crafty_data_fail(reader, "a grid needs \"columns\", \"rows\" and \"colors\" with 6 "
                                        "digits for each cell");
    uint32_t *cells = cn_arena_alloc(&source->view->memory, count * sizeof *cells, sizeof *cells);
    if (!cells)
        return cn_error_memory(reader->error, "a grid of the HUD");
    for (uint32_t i = 0; i < count; i++)
        if (!parse_color(colors + (size_t)i * 6, &cells[i]))
            return crafty_data_fail(reader,
                                    "\"colors\" has something that is not a hexadecimal "
                                    "digit, in cell %u",
                                    i + 1);
    element->columns = columns;
    element->rows = rows;
    element->cells = cells;
    return true;
}

static bool read_position(Source *source, json_t *table, CraftyModHudElement *element)
{
    static const char *const keys[] = {"x", "y", "z", NULL};
    CraftyDataReader *reader = &source->reader;
    json_t *position = json_object_get(table, "position");
    float *const numbers[] = {&element->position.x, &element->position.y, &element->position.z};
    if (!json_is_object(position) || json_object_size(position) != 3)
        return crafty_data_fail(reader, "a marker needs a \"position\" with x, y and z");
    for (uint32_t i = 0; i < 3; i++)
        if (!read_float(reader, position, keys[i], -8e6f, 8e6f, numbers[i]))
            return false;
    return crafty_data_keys(reader, position, keys);
}

static bool read_kind(Source *source, json_t *table, CraftyModHudElement *element)
{
    switch (element->kind) {
    case CRAFTY_MOD_HUD_GRID:
        return read_grid(source, table, element);
    case CRAFTY_MOD_HUD_MARKER:
        return read_position(source, table, element);
    case CRAFTY_MOD_HUD_TEXT:
        return element->text[0] || crafty_data_fail(&source->reader, "a text needs \"text\"");
    case CRAFTY_MOD_HUD_IMAGE:
        return element->tile[0] || crafty_data_fail(&source->reader, "an image needs \"tile\"");
    default:
        return true;
    }
}

/* ---- Elements ---- */

static bool read_fields(Source *source, json_t *table, CraftyModHudElement *element)
{
    static const char *const keys[] = {"kind",     "anchor",     "x",       "y",      "width",
                                       "height",   "size",       "value",   "color",  "text",
                                       "tile",     "rows",       "columns", "colors", "position",
                                       "children", "background", NULL};
    CraftyDataReader *reader = &source->reader;
    CnArena *memory = &source->view->memory;
    const float most = CRAFTY_MOD_HUD_SIZE;
    uint32_t kind = CRAFTY_MOD_HUD_KIND_COUNT, anchor = 0;
    if (!crafty_data_keys(reader, table, keys) ||
        !crafty_data_word(reader, table, "kind", kind_words, CN_COUNT_OF(kind_words), &kind) ||
        !crafty_data_word(reader, table, "anchor", anchor_words, CN_COUNT_OF(anchor_words),
                          &anchor))
        return false;
    if (kind == CRAFTY_MOD_HUD_KIND_COUNT)
        return crafty_data_fail(reader, "an element needs a \"kind\", such as \"text\"");
    element->kind = (CraftyModHudKind)kind;
    element->anchor = (CraftyModHudAnchor)anchor;
    return read_float(reader, table, "x", -most, most, &element->x) &&
           read_float(reader, table, "y", -most, most, &element->y) &&
           read_float(reader, table, "width", 0, most, &element->width) &&
           read_float(reader, table, "height", 0, most, &element->height) &&
           read_float(reader, table, "size", 0.5f, 4, &element->size) &&
           read_float(reader, table, "value", 0, 1, &element->value) &&
           read_color(reader, table, "color", &element->color) &&
           read_color(reader, table, "background", &element->background) &&
           read_text(reader, memory, table, "text", CRAFTY_MOD_HUD_TEXT_BYTES, &element->text) &&
           read_text(reader, memory, table, "tile", CRAFTY_MOD_HUD_TILE_BYTES, &element->tile) &&
           read_kind(source, table, element);
}

static bool push(Source *source, const CraftyModHudElement *element)
{
    CraftyModHudView *view = source->view;
    uint32_t count = view->element_count, capacity = view->element_capacity;
    if (count == capacity) {
        uint32_t more = capacity ? 2 * capacity : 16;
        CraftyModHudElement *larger = cn_alloc(view->allocator, more * sizeof *larger);
        if (!larger)
            return cn_error_memory(source->reader.error, "the HUD");
        if (count)
            memcpy(larger, view->elements, count * sizeof *larger);
        cn_free(view->allocator, view->elements, capacity * sizeof *larger);
        view->elements = larger;
        view->element_capacity = more;
    }
    view->elements[view->element_count++] = *element;
    return true;
}

static bool read_element(Source *source, json_t *table, uint32_t parent, uint32_t depth)
{
    CraftyDataReader *reader = &source->reader;
    CraftyModHudElement element = {
        .parent = parent, .mod = source->mod, .key = source->key, .size = 1, .color = 0xFFFFFFFF};
    uint32_t index = source->view->element_count;
    if (!json_is_object(table))
        return crafty_data_fail(reader, "an element must be a table with named fields");
    if (index - source->first == CRAFTY_MOD_HUD_PARTS)
        return crafty_data_fail(reader, "an element has more than %u parts", CRAFTY_MOD_HUD_PARTS);
    if (!read_fields(source, table, &element) || !push(source, &element))
        return false;
    json_t *children = json_object_get(table, "children"), *child;
    size_t i;
    if (children && (element.kind != CRAFTY_MOD_HUD_PANEL || !json_is_array(children)))
        return crafty_data_fail(reader, "\"children\" is a list of elements in a panel");
    if (json_array_size(children) && depth == CRAFTY_MOD_HUD_DEPTH)
        return crafty_data_fail(reader, "elements are nested more than %u deep",
                                CRAFTY_MOD_HUD_DEPTH);
    json_array_foreach(children, i, child)
    {
        if (json_is_object(child) &&
            strcmp("marker", json_is_string(json_object_get(child, "kind"))
                                 ? json_string_value(json_object_get(child, "kind"))
                                 : "") == 0)
            return crafty_data_fail(reader, "a marker is not part of a panel");
        if (!read_element(source, child, index, depth + 1))
            return false;
    }
    return true;
}

static json_t *parse(CnText json, CnError *error)
{
    json_error_t wrong;
    json_t *root = json_loadb(json.data, json.size, 0, &wrong);
    if (!root)
        cn_error_set(error, CN_ERROR_FORMAT, "%s", wrong.text);
    return root;
}

bool crafty_mod_hud_read(CraftyModHudView *view, const char *mod, const char *key, CnText json,
                         CnError *error)
{
    json_t *root = parse(json, error);
    Source source = {.reader = {.file = "", .text = cn_text("{}"), .error = error, .root = root},
                     .view = view,
                     .mod = mod,
                     .key = key,
                     .first = view->element_count};
    bool good = root && read_element(&source, root, CRAFTY_MOD_HUD_NO_PARENT, 1);
    if (!good)
        view->element_count = source.first;
    json_decref(root);
    return good;
}

/* ---- Dialogs ---- */

static bool read_choices(CraftyDataReader *reader, CnArena *memory, const json_t *choices,
                         CraftyModDialog *dialog)
{
    size_t count = json_array_size(choices);
    if (count < 1 || count > CRAFTY_MOD_DIALOG_CHOICES)
        return crafty_data_fail(reader, "\"choices\" must be a list of 1 to %u texts",
                                CRAFTY_MOD_DIALOG_CHOICES);
    for (size_t i = 0; i < count; i++) {
        const char *choice = json_string_value(json_array_get(choices, i));
        if (!choice || !*choice)
            return crafty_data_fail(reader, "\"choices\" must be a list of texts");
        if (!copy_text(reader, memory, "choices", choice, CRAFTY_MOD_DIALOG_CHOICE_BYTES,
                       &dialog->choices[i]))
            return false;
    }
    dialog->choice_count = (uint32_t)count;
    return true;
}

bool crafty_mod_dialog_read(CraftyModDialog *dialog, CnArena *memory, CnText json, CnError *error)
{
    static const char *const keys[] = {"title", "text", "choices", NULL};
    json_t *root = parse(json, error);
    CraftyDataReader reader = {.file = "", .text = cn_text("{}"), .error = error, .root = root};
    bool good =
        root &&
        (json_is_object(root) || crafty_data_fail(&reader, "a dialog has \"title\", \"text\" and "
                                                           "\"choices\"")) &&
        crafty_data_keys(&reader, root, keys) &&
        read_text(&reader, memory, root, "title", CRAFTY_MOD_DIALOG_TITLE_BYTES, &dialog->title) &&
        read_text(&reader, memory, root, "text", CRAFTY_MOD_DIALOG_TEXT_BYTES, &dialog->text) &&
        read_choices(&reader, memory, json_object_get(root, "choices"), dialog);
    json_decref(root);
    return good;
}

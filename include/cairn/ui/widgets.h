/*
 * Widgets. A widget with a value returns true in the frame in which the user changes it.
 *
 *     static const char *const names[] = {"Low", "High"};
 *     static uint32_t quality, chosen;
 *     if (cn_ui_combo(ui, "Quality", &quality, names, 2))
 *         apply(quality);
 *
 *     CnUiList list;
 *     cn_ui_begin_list(ui, &(CnUiListDesc){.id = "players", .count = 2, .height = 200}, &list);
 *     for (uint32_t i = list.first; i < list.end; i++) // only the visible items
 *         if (cn_ui_list_item(ui, &list, i, names[i], i == chosen))
 *             chosen = i;
 *     cn_ui_end_list(ui, &list);
 *     if (list.activated != UINT32_MAX) // Return or a double click
 *         apply(list.activated);
 */
#ifndef CAIRN_UI_WIDGETS_H
#define CAIRN_UI_WIDGETS_H

#include <cairn/ui/ui.h>

CN_EXTERN_C_BEGIN

/* ---- Display ---- */

CN_API void cn_ui_label(CnUi *ui, const char *text); /* one line, truncated with … */
CN_API void cn_ui_label_format(CnUi *ui, const char *format, ...) CN_PRINTF_LIKE(2, 3);
/* Draws one line of text in a color, aligned within the width of the widget. */
CN_API void cn_ui_label_colored(CnUi *ui, CnColor color, CnAlign align, const char *text);
CN_API void cn_ui_text(CnUi *ui, const char *text); /* wraps to as many lines as needed */
CN_API void cn_ui_heading(CnUi *ui, const char *text);
/* Draws a horizontal line. */
CN_API void cn_ui_separator(CnUi *ui);
/* share: 0 to 1; text may be NULL */
CN_API void cn_ui_progress(CnUi *ui, float share, const char *text);
/* Draws a sprite of this size in points. */
CN_API void cn_ui_image(CnUi *ui, const CnSprite *sprite, float width, float height);
/* Shows a tooltip while the mouse rests on the last widget, or below the widget if it has the
 * keyboard focus. */
CN_API void cn_ui_tooltip(CnUi *ui, const char *text);

/* ---- Buttons and choices ---- */

/* Buttons return true in the frame in which they are activated. */
CN_API bool cn_ui_button(CnUi *ui, const char *label);
CN_API bool cn_ui_image_button(CnUi *ui, const char *id, const CnSprite *sprite, float width,
                               float height);
/* Toggles `value`. */
CN_API bool cn_ui_checkbox(CnUi *ui, const char *label, bool *value);
/* Sets `value` to `mine` when it is activated, and is marked if they are equal. */
CN_API bool cn_ui_radio(CnUi *ui, const char *label, uint32_t *value, uint32_t mine);
/* Draws a header line that toggles `open`; the program draws the contents below it if it is
 * open. */
CN_API bool cn_ui_collapsible(CnUi *ui, const char *label, bool *open);
/* Draws the names side by side; one of them is selected. */
CN_API bool cn_ui_tabs(CnUi *ui, const char *id, uint32_t *value, const char *const *names,
                       uint32_t count);
/* Opens a menu of the names; `value` is the index of the selected one. */
CN_API bool cn_ui_combo(CnUi *ui, const char *label, uint32_t *value, const char *const *names,
                        uint32_t count);

/* ---- Numbers ---- */

/* Sliders change `value` within the range by mouse, arrow keys or gamepad. */
CN_API bool cn_ui_slider(CnUi *ui, const char *label, float *value, float minimum, float maximum);
CN_API bool cn_ui_slider_int(CnUi *ui, const char *label, int32_t *value, int32_t minimum,
                             int32_t maximum);

/* ---- Text ---- */

typedef struct CnUiField {
    char *text; /* null-terminated; invalid UTF-8 is replaced */
    size_t text_bytes;
    const char *hint; /* shown while the field is empty; may be NULL */
    bool secret;      /* shows dots instead of characters; cannot be copied */
    /* The position of the caret while the field is edited, in bytes: read and written, so that a
     * program can complete the text. NULL: only the user moves it. */
    uint32_t *caret;
    uint32_t wrong_at, wrong_bytes; /* a part of the text to mark as wrong; 0 bytes: none */
} CnUiField;
typedef enum CnUiFieldResult {
    CN_UI_FIELD_NONE,
    CN_UI_FIELD_CHANGED,
    CN_UI_FIELD_DONE /* Return was pressed; the field lost the focus */
} CnUiFieldResult;
/* Draws a text field. The mouse or Shift with the arrow keys selects text, a double click selects a
 * word, Ctrl with the arrow keys moves by words, and Escape leaves the field. */
CN_API CnUiFieldResult cn_ui_field(CnUi *ui, const char *label, const CnUiField *field);
CN_API bool cn_ui_text_field(CnUi *ui, const char *label, char *text,
                             size_t text_bytes); /* returns true if the text changed */

/* ---- Lists ---- */

typedef struct CnUiListDesc {
    const char *id;
    uint32_t count;
    float height;      /* of the whole list */
    float item_height; /* 0 selects the height of a text row */
    /* The program's selection, from which arrow keys move; an item that becomes selected is
     * scrolled into view. Its color shows whether the list has the focus. Without it, they move
     * from the item that was last clicked. */
    bool has_selection;
    uint32_t selected;
} CnUiListDesc;
typedef struct CnUiList {
    uint32_t first, end; /* range of the items to draw */
    uint32_t count;
    float item_height;
    CnRect area;
    double top;        /* y of the first item on the canvas */
    uint32_t moved_to; /* item selected with the arrow keys; UINT32_MAX: none */
    /* item on which Return was pressed or a double click ended, after its cn_ui_list_item;
     * UINT32_MAX: none */
    uint32_t activated;
    bool focused;       /* the list has the keyboard focus */
    bool has_selection; /* as in the description */
} CnUiList;
/* Begins a list that draws only its visible items, so that it may have any number of them. */
CN_API void cn_ui_begin_list(CnUi *ui, const CnUiListDesc *desc, CnUiList *list);
/* Draws an item. Returns true if it was clicked or selected with the arrow keys. */
CN_API bool cn_ui_list_item(CnUi *ui, CnUiList *list, uint32_t index, const char *text,
                            bool selected);
/* Returns the rectangle of an item that the program draws itself. */
CN_API CnRect cn_ui_list_item_rect(const CnUiList *list, uint32_t index);
CN_API void cn_ui_end_list(CnUi *ui, CnUiList *list);

/* ---- The last widget ---- */

/* Return the state and the rectangle of the last widget. */
CN_API bool cn_ui_is_hovered(const CnUi *ui);
CN_API bool cn_ui_is_pressed(const CnUi *ui); /* held down */
CN_API bool cn_ui_is_focused(const CnUi *ui);
CN_API CnRect cn_ui_last_rect(const CnUi *ui);
/* Returns how many widgets were clicked or activated by keys since the creation, for sounds. */
CN_API uint64_t cn_ui_clicks(const CnUi *ui);
/* Return how many times the mouse came over a widget, and how many checkboxes, radio buttons and
 * tabs were changed, since the creation. A change is also a click. */
CN_API uint64_t cn_ui_hovers(const CnUi *ui);
CN_API uint64_t cn_ui_toggles(const CnUi *ui);

CN_EXTERN_C_END

#endif

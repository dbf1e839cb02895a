/*
 * Widgets. Those with a value return true in the frame in which the user has changed it.
 *
 *     static const char *const names[] = {"Low", "High"};
 *     if (cn_ui_combo(ui, "Quality", &quality, names, 2))
 *         apply(quality);
 *
 *     CnUiList list;
 *     cn_ui_begin_list(ui, &(CnUiListDesc){.id = "players", .count = player_count, .height = 200}, &list);
 *     for (uint32_t i = list.first; i < list.end; i++)          // only those that are seen
 *         if (cn_ui_list_item(ui, &list, i, players[i].name, i == chosen))
 *             chosen = i;
 *     cn_ui_end_list(ui, &list);
 */
#ifndef CAIRN_UI_WIDGETS_H
#define CAIRN_UI_WIDGETS_H

#include <cairn/ui/ui.h>

CN_EXTERN_C_BEGIN

/* ---- To read ---- */

CN_API void cn_ui_label(CnUi *ui, const char *text); /* one line, cut with … */
CN_API void cn_ui_label_format(CnUi *ui, const char *format, ...) CN_PRINTF_LIKE(2, 3);
CN_API void cn_ui_label_colored(CnUi *ui, CnColor color, CnAlign align, const char *text);
CN_API void cn_ui_text(CnUi *ui, const char *text); /* as many lines as it takes */
CN_API void cn_ui_heading(CnUi *ui, const char *text);
CN_API void cn_ui_separator(CnUi *ui);
CN_API void cn_ui_progress(CnUi *ui, float share, const char *text); /* text may be NULL */
CN_API void cn_ui_image(CnUi *ui, const CnSprite *sprite, float width, float height);
/* Beside the mouse, when it rests on the last widget, or below it when the keyboard does. */
CN_API void cn_ui_tooltip(CnUi *ui, const char *text);

/* ---- To press ---- */

CN_API bool cn_ui_button(CnUi *ui, const char *label);
CN_API bool cn_ui_image_button(CnUi *ui, const char *id, const CnSprite *sprite, float width,
                               float height);
CN_API bool cn_ui_checkbox(CnUi *ui, const char *label, bool *value);
CN_API bool cn_ui_radio(CnUi *ui, const char *label, uint32_t *value, uint32_t mine);
/* A line that opens and closes what the program draws below it. */
CN_API bool cn_ui_fold(CnUi *ui, const char *label, bool *open);
/* Beside each other; one is chosen. */
CN_API bool cn_ui_tabs(CnUi *ui, const char *id, uint32_t *value, const char *const *names,
                       uint32_t count);
CN_API bool cn_ui_combo(CnUi *ui, const char *label, uint32_t *value, const char *const *names,
                        uint32_t count);

/* ---- Numbers ---- */

CN_API bool cn_ui_slider(CnUi *ui, const char *label, float *value, float minimum, float maximum);
CN_API bool cn_ui_slider_int(CnUi *ui, const char *label, int32_t *value, int32_t minimum,
                             int32_t maximum);

/* ---- Text ---- */

typedef struct CnUiField {
    char *text; /* terminated UTF-8; what is not is made so */
    size_t text_bytes;
    const char *hint; /* while it is empty; may be NULL */
    bool secret;      /* shows a dot for each character; cannot be copied */
} CnUiField;
typedef enum CnUiFieldResult {
    CN_UI_FIELD_NONE,
    CN_UI_FIELD_CHANGED,
    CN_UI_FIELD_DONE /* return was pressed; it is left */
} CnUiFieldResult;
/* Marking by mouse, shift and arrows, double click for a word; control and arrows by words. Escape leaves it. */
CN_API CnUiFieldResult cn_ui_field(CnUi *ui, const char *label, const CnUiField *field);
CN_API bool cn_ui_text_field(CnUi *ui, const char *label, char *text,
                             size_t text_bytes); /* changed */

/* ---- Lists ---- */

typedef struct CnUiListDesc {
    const char *id;
    uint32_t count;
    float height;      /* of the whole */
    float item_height; /* 0: of a row of text */
} CnUiListDesc;
typedef struct CnUiList {
    uint32_t first, end; /* the items that are to be drawn */
    uint32_t count;
    float item_height;
    CnRect area;
    double top;        /* of the first item, in the picture */
    uint32_t moved_to; /* arrows have chosen this item; UINT32_MAX: none */
} CnUiList;
CN_API void cn_ui_begin_list(CnUi *ui, const CnUiListDesc *desc, CnUiList *list);
/* True when it is clicked, or chosen with the arrows. */
CN_API bool cn_ui_list_item(CnUi *ui, CnUiList *list, uint32_t index, const char *text,
                            bool selected);
/* An item drawn by the program: where it is. */
CN_API CnRect cn_ui_list_place(const CnUiList *list, uint32_t index);
CN_API void cn_ui_end_list(CnUi *ui, CnUiList *list);

/* ---- The last widget ---- */

CN_API bool cn_ui_is_hovered(const CnUi *ui);
CN_API bool cn_ui_is_pressed(const CnUi *ui); /* held down */
CN_API bool cn_ui_is_focused(const CnUi *ui);
CN_API CnRect cn_ui_last_rect(const CnUi *ui);

CN_EXTERN_C_END

#endif

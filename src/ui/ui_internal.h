/* Declarations shared by the files of the user interface. */
#ifndef CAIRN_SRC_UI_UI_INTERNAL_H
#define CAIRN_SRC_UI_UI_INTERNAL_H

#include <cairn/base/assert.h>
#include <cairn/ui/widgets.h>

#define CNI_UI_SEEN (2u * CN_UI_MAX_WIDGETS)
#define CNI_UI_FORGET_FRAMES 600u
#define CNI_UI_NO_ITEM UINT32_MAX

/* Offsets from the lowest layer. */
enum { CNI_UI_POPUP_LAYER = CN_UI_MAX_WINDOWS, CNI_UI_TOOLTIP_LAYER };

typedef struct CniUiWindow {
    uint64_t id;
    CnRect rect;
    float content_height; /* of the last frame */
    float scroll;
    uint64_t frame; /* in which it was last drawn; 0: never */
    uint32_t flags;
    uint32_t order; /* among windows; higher is in front */
} CniUiWindow;

/* Stored state of a scroll area or a list. */
typedef struct CniUiState {
    uint64_t frame;
    double scroll, content;
    uint32_t item;     /* selected with the arrow keys */
    double clicked_at; /* time at which the item was clicked; 0: not clicked */
} CniUiState;

/* A widget that can take the keyboard focus. */
typedef struct CniUiFocusTarget {
    uint64_t id;
    uint64_t window;
    CnRect rect;
} CniUiFocusTarget;

typedef struct CniUiLayout {
    float x, y, width; /* y: top of the next row */
    float next_height; /* of the next widget; 0: default */
    /* Of rows: */
    uint32_t cells, cell;
    float cell_x[CN_UI_MAX_CELLS], cell_width[CN_UI_MAX_CELLS];
    float row_height;
} CniUiLayout;

/* A scroll area; the first one is that of the window. */
typedef struct CniUiScrollArea {
    uint64_t id;
    CnRect view;
    float top; /* y of its contents, scrolled */
    bool has_reveal;
    float reveal_top, reveal_bottom; /* range to scroll into view */
} CniUiScrollArea;

typedef struct CniUiSeen {
    uint64_t id, frame;
} CniUiSeen;

/* The text field being edited. */
typedef struct CniUiEdit {
    uint64_t id;
    size_t cursor, anchor; /* byte offsets; the selection lies between them */
    float scroll;
    double moved_at; /* time of the last cursor movement, after which the cursor is visible */
    double clicked_at;
    bool is_selecting; /* with the mouse */
} CniUiEdit;

struct CnUi {
    CnAllocator *allocator;
    CnFonts *fonts;
    CnUiTheme theme;
    CnUiClipboard clipboard;
    uint32_t layer;

    CnCanvas *canvas; /* NULL outside of a frame */
    CnUiInput input;
    CnVec2 mouse;    /* in points */
    uint64_t clicks; /* of all widgets, since the creation */
    uint64_t hovers, toggles;
    double time;
    uint64_t frame;
    float repeat[CN_UI_KEY_COUNT]; /* seconds until a held key repeats */
    bool wheel_used;
    CnArena texts;

    uint64_t ids[CN_UI_MAX_DEPTH + 1];
    uint32_t id_depth;
    CniUiLayout layouts[CN_UI_MAX_DEPTH];
    uint32_t layout_depth; /* number in use */
    CniUiScrollArea areas[CN_UI_MAX_DEPTH];
    uint32_t area_depth;
    /* begun beyond the limit and not yet ended */
    uint32_t ids_refused, layouts_refused, areas_refused;
    uint32_t disabled; /* depth at which it was disabled, counted from 1; 0: enabled */
    uint32_t disabled_depth;

    CniUiWindow windows[CN_UI_MAX_WINDOWS];
    uint32_t window_count;
    CniUiWindow *window; /* currently drawn; NULL: none */
    bool *window_open;   /* NULL: the window cannot be closed */
    uint64_t window_id;  /* owner of the widgets: a window or a popup */
    uint64_t hot_window; /* under the mouse */
    uint64_t modal;      /* as of the last frame */
    uint64_t modal_now;

    uint64_t active; /* held with the mouse */
    CnVec2 grip;     /* position at which it is held */
    uint64_t focus;  /* keyboard focus */
    uint64_t focus_window;
    bool focus_shown; /* reached by keyboard or gamepad */
    bool focus_moved; /* scroll it into view */
    bool focus_next;
    float label_width; /* beside the next widget: keys that move the focus treat both as one */
    bool focus_found, focus_taken; /* in this frame */
    uint64_t hovered;
    double hovered_at; /* time at which hovering began */
    uint64_t hovered_now;

    uint64_t popup;        /* the widget with an open menu */
    uint64_t popup_closed; /* by a mouse press */
    CnRect popup_rect;
    uint32_t popup_item;
    bool popup_shown;

    const char *tooltip;
    CnRect tooltip_at;

    CniUiEdit edit;
    CnRect text_place;
    bool wants_text, wanted_text; /* in this frame, in the last one */
    CnTextBuilder copied;         /* used without a clipboard */

    struct {
        uint64_t id;
        CnRect rect;
        bool hovered, pressed, focused;
    } last;

    CnHashMap states; /* CniUiState by id */
    CN_ARRAY(CniUiFocusTarget) stops;
    CniUiSeen *seen; /* CNI_UI_SEEN entries */
    uint32_t widgets;
    uint64_t duplicate_ids, refused;
};

/* ---- ui.c ---- */

/* Returns the id of a label, combined with the pushed ids. */
uint64_t cni_ui_id(const CnUi *ui, const char *label);
/* Returns the displayed part of a label. */
CnText cni_ui_visible_label(const char *label);
/* Removes the first such key from the typed input. */
bool cni_ui_take_key(CnUi *ui, CnUiKey key, uint32_t *modifiers);
/* Returns NULL if out of memory. */
CniUiState *cni_ui_state(CnUi *ui, uint64_t id);
CnTextStyle cni_ui_style(const CnUi *ui, CnColor color);
CnColor cni_ui_fade(const CnUi *ui, CnColor color); /* dims the color of disabled widgets */

/* ---- layout.c ---- */

CnRect cni_ui_layout_next(CnUi *ui, float height);
void cni_ui_push_layout(CnUi *ui, CnRect area);
float cni_ui_pop_layout(CnUi *ui); /* returns the y at which its contents end */
/* Begins a scroll area; `scroll` and `content` are those of the last frame. Returns the rectangle
 * of the contents. */
CnRect cni_ui_begin_scroll_area(CnUi *ui, uint64_t id, CnRect view, double *scroll, double content);
void cni_ui_end_scroll_area(CnUi *ui, double *scroll, double content);

/* ---- focus.c ---- */

void cni_ui_add_focus_target(CnUi *ui, uint64_t id, CnRect rect);
void cni_ui_navigate(CnUi *ui);

/* ---- interaction.c ---- */

typedef struct CniUiInteraction {
    bool hovered, held;
    bool pressed; /* the button was pressed on it in this frame */
    bool clicked; /* or activated with a key */
    bool focused;
} CniUiInteraction;

enum { /* flags of cni_ui_interact */
       CNI_UI_NO_FOCUS_TARGET = 1 << 0,
       CNI_UI_NO_KEYS = 1 << 1, /* Return and Space do not activate it */
       CNI_UI_WRITES = 1 << 2   /* useless without the keyboard */
};
CniUiInteraction cni_ui_interact(CnUi *ui, uint64_t id, CnRect rect, uint32_t flags);
/* Counts a widget of this frame, and ids that occur more than once. */
void cni_ui_count_widget(CnUi *ui, uint64_t id);
/* Gives the focus to a widget; `shown`: it was reached by keys. */
void cni_ui_take_focus(CnUi *ui, uint64_t id, bool shown);
void cni_ui_focus_ring(CnUi *ui, CnRect rect, bool focused);
/* Draws the frame of a button or field. */
void cni_ui_frame(CnUi *ui, CnRect rect, CnColor fill, bool focused);
CnColor cni_ui_widget_color(const CnUi *ui, CniUiInteraction interaction);
void cni_ui_text_in(CnUi *ui, CnRect rect, CnColor color, CnAlign align_x, CnText text);
/* Reserves space for a widget and draws its label on the left. */
CnRect cni_ui_begin_labelled(CnUi *ui, const char *label);

/* ---- text_edit.c: text editing ---- */

/* Makes the text valid, null-terminated UTF-8. */
void cni_ui_edit_repair(char *text, size_t bytes);
/* Replaces the selection. Omits control characters, and whole characters that do not fit. */
bool cni_ui_edit_insert(CniUiEdit *edit, char *text, size_t bytes, CnText insert);
bool cni_ui_edit_key(CniUiEdit *edit, char *text, CnUiKey key, uint32_t modifiers);
void cni_ui_edit_select_word(CniUiEdit *edit, const char *text, size_t at);
static inline CnText cni_ui_edit_selection(const CniUiEdit *edit, const char *text)
{
    size_t from = edit->cursor < edit->anchor ? edit->cursor : edit->anchor;
    size_t to = edit->cursor < edit->anchor ? edit->anchor : edit->cursor;
    return (CnText){text + from, to - from};
}

#endif

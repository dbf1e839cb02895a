/* What the files of the user interface share. */
#ifndef CAIRN_SRC_UI_UI_H
#define CAIRN_SRC_UI_UI_H

#include <cairn/base/assert.h>
#include <cairn/ui/widgets.h>

#define CNI_UI_SEEN (2u * CN_UI_MAX_WIDGETS)
#define CNI_UI_FORGET_FRAMES 600u
#define CNI_UI_NO_ITEM UINT32_MAX

/* Layers above the lowest. */
enum { CNI_UI_POPUP_LAYER = CN_UI_MAX_WINDOWS, CNI_UI_TOOLTIP_LAYER };

typedef struct CniUiWindow {
    uint64_t id;
    CnRect rect;
    float content_height; /* of the last frame */
    float scroll;
    uint64_t frame; /* in which it was shown last; 0: never */
    uint32_t flags;
    uint32_t order; /* among windows; higher is in front */
} CniUiWindow;

/* What is remembered of a scrolled area or a list. */
typedef struct CniUiState {
    uint64_t frame;
    double scroll, content;
    uint32_t item; /* where the arrows are */
} CniUiState;

/* Where the keyboard can go. */
typedef struct CniUiStop {
    uint64_t id;
    uint64_t window;
    CnRect rect;
} CniUiStop;

typedef struct CniUiLayout {
    float x, y, width; /* y: where the next row begins */
    float next_height; /* of the next widget; 0: as usual */
    /* Of rows: */
    uint32_t cells, cell;
    float cell_x[CN_UI_MAX_CELLS], cell_width[CN_UI_MAX_CELLS];
    float row_height;
} CniUiLayout;

/* A scrolled area, with the window's own at the bottom. */
typedef struct CniUiArea {
    uint64_t id;
    CnRect view;
    float top; /* where its contents begin, scrolled */
    bool has_reveal;
    float reveal_top, reveal_bottom; /* what should be seen */
} CniUiArea;

typedef struct CniUiSeen {
    uint64_t id, frame;
} CniUiSeen;

/* The field that is written into. */
typedef struct CniUiEdit {
    uint64_t id;
    size_t cursor, anchor; /* bytes; between them is the selection */
    float scroll;
    double moved_at; /* when the cursor last moved: it is shown then */
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
    CnVec2 mouse; /* in points */
    double time;
    uint64_t frame;
    float repeat[CN_UI_KEY_COUNT]; /* seconds until a held key repeats */
    bool wheel_used;
    CnArena texts;

    uint64_t ids[CN_UI_MAX_DEPTH + 1];
    uint32_t id_depth;
    CniUiLayout layouts[CN_UI_MAX_DEPTH];
    uint32_t layout_depth; /* of those in use */
    CniUiArea areas[CN_UI_MAX_DEPTH];
    uint32_t area_depth;
    uint32_t ids_refused, layouts_refused, areas_refused; /* begun beyond the limit and not ended */
    uint32_t disabled; /* depth at which it began, counted from 1; 0: not */
    uint32_t disabled_depth;

    CniUiWindow windows[CN_UI_MAX_WINDOWS];
    uint32_t window_count;
    CniUiWindow *window; /* that is drawn; NULL: none */
    bool *window_open;   /* NULL: it cannot be closed */
    uint64_t window_id;  /* what widgets belong to: a window or a popup */
    uint64_t hot_window; /* under the mouse */
    uint64_t modal;      /* shown in the last frame */
    uint64_t modal_now;

    uint64_t active; /* held by the mouse */
    CnVec2 grip;     /* where it is held */
    uint64_t focus;  /* of the keyboard */
    uint64_t focus_window;
    bool focus_shown; /* it was reached by keyboard or gamepad */
    bool focus_moved; /* it should be seen */
    bool focus_next;
    bool focus_found, focus_taken; /* in this frame */
    uint64_t hovered;
    double hovered_at; /* since when */
    uint64_t hovered_now;

    uint64_t popup;        /* the widget whose menu is open */
    uint64_t popup_closed; /* by the press of the mouse */
    CnRect popup_rect;
    uint32_t popup_item;
    bool popup_shown;

    const char *tooltip;
    CnRect tooltip_at;

    CniUiEdit edit;
    CnRect text_place;
    bool wants_text;
    CnTextBuilder copied; /* without a clipboard */

    struct {
        uint64_t id;
        CnRect rect;
        bool hovered, pressed, focused;
    } last;

    CnHashMap states; /* CniUiState by id */
    CN_ARRAY(CniUiStop) stops;
    CniUiSeen *seen; /* CNI_UI_SEEN */
    uint32_t widgets;
    uint64_t doubles, refused;
};

/* ---- ui.c ---- */

/* Of a label, with the ids pushed before. */
uint64_t cni_ui_id(const CnUi *ui, const char *label);
/* What is shown of a label. */
CnText cni_ui_shown(const char *label);
/* Takes the first such key out of what was typed. */
bool cni_ui_take_key(CnUi *ui, CnUiKey key, uint32_t *modifiers);
/* NULL when out of memory. */
CniUiState *cni_ui_state(CnUi *ui, uint64_t id);
CnTextStyle cni_ui_style(const CnUi *ui, CnColor color);
CnColor cni_ui_fade(const CnUi *ui, CnColor color); /* as disabled as the widget is */

/* ---- layout.c ---- */

CnRect cni_ui_next(CnUi *ui, float height);
void cni_ui_push_layout(CnUi *ui, CnRect area);
float cni_ui_pop_layout(CnUi *ui); /* where its contents end */
/* A scrolled area: `scroll` and `content` are of the last frame. Returns where contents go. */
CnRect cni_ui_begin_area(CnUi *ui, uint64_t id, CnRect view, double *scroll, double content);
void cni_ui_end_area(CnUi *ui, double *scroll, double content);

/* ---- focus.c ---- */

void cni_ui_add_stop(CnUi *ui, uint64_t id, CnRect rect);
void cni_ui_navigate(CnUi *ui);

/* ---- touch.c ---- */

typedef struct CniUiTouch {
    bool hovered, held;
    bool pressed; /* the button went down on it in this frame */
    bool clicked; /* or activated by a key */
    bool focused;
} CniUiTouch;

enum { /* flags of cni_ui_touch */
       CNI_UI_NO_STOP = 1 << 0,
       CNI_UI_NO_KEYS = 1 << 1, /* return and space do not press it */
       CNI_UI_WRITES = 1 << 2   /* of no use without the keyboard */
};
CniUiTouch cni_ui_touch(CnUi *ui, uint64_t id, CnRect rect, uint32_t flags);
void cni_ui_focus_ring(CnUi *ui, CnRect rect, bool focused);
/* A frame as of buttons and fields. */
void cni_ui_frame(CnUi *ui, CnRect rect, CnColor fill, bool focused);
CnColor cni_ui_widget_color(const CnUi *ui, CniUiTouch touch);
void cni_ui_text_in(CnUi *ui, CnRect rect, CnColor color, CnAlign across, CnText text);
/* Room for a widget, its label drawn on the left. */
CnRect cni_ui_labelled(CnUi *ui, const char *label);

/* ---- edit.c: text with a cursor and a selection ---- */

/* Makes it UTF-8 and terminated. */
void cni_edit_repair(char *text, size_t bytes);
/* Replaces the selection; what does not fit is left out, whole characters. Without control characters. */
bool cni_edit_insert(CniUiEdit *edit, char *text, size_t bytes, CnText insert);
bool cni_edit_key(CniUiEdit *edit, char *text, CnUiKey key, uint32_t modifiers);
void cni_edit_select_word(CniUiEdit *edit, const char *text, size_t at);
static inline CnText cni_edit_selection(const CniUiEdit *edit, const char *text)
{
    size_t from = edit->cursor < edit->anchor ? edit->cursor : edit->anchor;
    size_t to = edit->cursor < edit->anchor ? edit->anchor : edit->cursor;
    return (CnText){text + from, to - from};
}

#endif

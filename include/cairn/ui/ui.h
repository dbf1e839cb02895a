/*
 * An immediate-mode user interface: the program declares its widgets in every frame, and each call
 * returns what the user did with the widget.
 *
 *     CnUi *ui = cn_ui_create(&(CnUiDesc){.fonts = fonts}, &error);
 *
 *     cn_canvas_begin(canvas, 1280, 720, 1);
 *     cn_ui_begin(ui, canvas, &input);
 *     if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "Options", .rect = {20, 20, 260, 0}})) {
 *         cn_ui_slider(ui, "Volume", &volume, 0, 1);
 *         if (cn_ui_button(ui, "Quit"))
 *             quit = true;
 *     }
 *     cn_ui_end_window(ui);
 *     cn_ui_end(ui);
 *     cn_canvas_end(canvas);
 *
 * A widget is identified by its label and the ids pushed around it. The part of a label after "##"
 * is not displayed, so "Delete##3" and "Delete##4" are two buttons. After "###" it is the whole id:
 * "Page 1###book" and "Page 2###book" are one window. Widgets that share an id within a frame react
 * to each other's clicks; they are counted in CnUiStats.duplicate_ids.
 *
 * Keyboard and gamepads: Tab and the shoulder buttons move the focus from widget to widget, and the
 * arrow keys and the D-pad move it in a direction. Return, Space and A activate the widget; Escape
 * and B remove the focus. Sliders, lists and combo boxes handle the arrow keys themselves first.
 *
 * The interface draws to the canvas layers from CnUiDesc.layer up. One thread at a time uses a
 * CnUi. The state of windows and scroll areas that have not been used for a while is dropped.
 * Steady frames do not allocate.
 */
#ifndef CAIRN_UI_UI_H
#define CAIRN_UI_UI_H

#include <cairn/render/canvas.h>
#include <cairn/ui/input.h>

CN_EXTERN_C_BEGIN

#define CN_UI_MAX_WINDOWS 64u
#define CN_UI_MAX_DEPTH 32u     /* nested ids and layouts */
#define CN_UI_MAX_CELLS 16u     /* per row */
#define CN_UI_MAX_WIDGETS 4096u /* focusable, per frame */
#define CN_UI_MAX_STATES 1024u

typedef struct CnUi CnUi;

typedef struct CnUiTheme {
    CnFont font, mono;
    float text_size, title_size;
    float row_height; /* of buttons, fields and similar widgets */
    float spacing;    /* between widgets */
    float padding;    /* inside windows */
    float radius, border;
    float label_width; /* fraction of a row taken by the label of a slider or field */
    CnColor text, text_dim, text_on_accent;
    CnColor window, window_title, window_border, shadow;
    CnColor widget, widget_hot, widget_pressed, widget_border;
    CnColor field;  /* background of text fields, lists and tracks */
    CnColor accent; /* active, selected or filled parts */
    CnColor focus;  /* ring around the focused widget */
    CnColor selection;
} CnUiTheme;
/* The dark theme is the default of a new CnUi. */
CN_API CnUiTheme cn_ui_theme_dark(void);
CN_API CnUiTheme cn_ui_theme_light(void);

/* Access to the system clipboard. `get` returns null-terminated UTF-8 that is valid until the next
 * call, or NULL. Without these functions, the interface keeps copied text internally. */
typedef struct CnUiClipboard {
    const char *(*get)(void *user);
    void (*set)(void *user, const char *text);
    void *user;
} CnUiClipboard;

typedef struct CnUiDesc {
    CnAllocator *allocator;
    CnFonts *fonts;
    const CnUiTheme *theme; /* copied; NULL selects the dark theme */
    CnUiClipboard clipboard;
    uint32_t layer; /* lowest canvas layer to use; 0 selects 16 */
} CnUiDesc;

/* Creates a user interface. Returns NULL and an error if out of memory. */
CN_API CnUi *cn_ui_create(const CnUiDesc *desc, CnError *error);
CN_API void cn_ui_destroy(CnUi *ui);
CN_API CnUiTheme *cn_ui_theme(CnUi *ui); /* may be modified between frames */

/* Begins a frame. `input` is read during the call. */
CN_API void cn_ui_begin(CnUi *ui, CnCanvas *canvas, const CnUiInput *input);
/* Ends the frame: draws the tooltip and updates the focus. */
CN_API void cn_ui_end(CnUi *ui);
/* Returns the canvas of the frame, between cn_ui_begin and cn_ui_end. */
CN_API CnCanvas *cn_ui_canvas(CnUi *ui);

/* Return whether the game should ignore the device. The value is valid from cn_ui_end to the next
 * cn_ui_end. */
CN_API bool cn_ui_wants_mouse(const CnUi *ui);
CN_API bool cn_ui_wants_keyboard(const CnUi *ui); /* a widget has the focus */
/* Returns whether a text field has the focus, or had it at the begin of the frame: the window
 * should deliver text input and put the candidate list of an input method near `area`, and keys are
 * not commands. */
CN_API bool cn_ui_wants_text(const CnUi *ui, CnRect *area);

/* Formats text for a label; the result is valid until the next cn_ui_begin. */
CN_API const char *cn_ui_format(CnUi *ui, const char *format, ...) CN_PRINTF_LIKE(2, 3);

/* ---- Ids ---- */

/* Ids pushed here become part of the ids of all widgets until they are popped. */
CN_API void cn_ui_push_id(CnUi *ui, const char *id);
CN_API void cn_ui_push_number(CnUi *ui, uint64_t id);
CN_API void cn_ui_pop_id(CnUi *ui);

/* ---- Windows ---- */

enum { /* CnUiWindow.flags */
       CN_UI_NO_TITLE = 1 << 0,
       CN_UI_NO_MOVE = 1 << 1,
       CN_UI_NO_RESIZE = 1 << 2,
       CN_UI_NO_BACKGROUND = 1 << 3,
       CN_UI_NO_SCROLL = 1 << 4,
       CN_UI_MODAL = 1 << 5,    /* blocks all other windows while it is open */
       CN_UI_NO_FOCUS = 1 << 6, /* never takes the keyboard focus: for a HUD during play */
       CN_UI_PANEL = CN_UI_NO_TITLE | CN_UI_NO_MOVE | CN_UI_NO_RESIZE
};

typedef struct CnUiWindow {
    const char *title; /* also the id */
    CnRect rect;       /* initial; of panels always. Height 0 fits the contents */
    bool *open;        /* adds a close button; NULL: no button */
    uint32_t flags;
} CnUiWindow;

/* Begins a window. Returns false if no part of it is visible; call cn_ui_end_window in either
 * case. */
CN_API bool cn_ui_begin_window(CnUi *ui, const CnUiWindow *window);
CN_API void cn_ui_end_window(CnUi *ui);

/* ---- Layout: widgets are stacked vertically and use the full width ---- */

/* Begins a row: the next `count` widgets are placed side by side, the following `count` below them,
 * until cn_ui_end_row. Widths are in points; negative widths share the remaining space (-1 and -2:
 * one third and two thirds). NULL makes all cells equally wide. */
CN_API void cn_ui_begin_row(CnUi *ui, const float *widths, uint32_t count);
CN_API void cn_ui_end_row(CnUi *ui);
/* Stack widgets vertically inside a cell of a row. */
CN_API void cn_ui_begin_column(CnUi *ui);
CN_API void cn_ui_end_column(CnUi *ui);
/* Leaves empty vertical space. */
CN_API void cn_ui_space(CnUi *ui, float points);
/* Sets the height of the next widget. */
CN_API void cn_ui_next_height(CnUi *ui, float points);
/* Reserves space for custom drawing with cn_ui_canvas. */
CN_API CnRect cn_ui_reserve(CnUi *ui, float height);
/* Returns the remaining width. */
CN_API float cn_ui_available_width(const CnUi *ui);

/* Begins a stack of widgets in a part of the canvas, for programs with a layout of their own. The
 * height of the rectangle is not used. */
CN_API void cn_ui_begin_region(CnUi *ui, CnRect rect);
CN_API void cn_ui_end_region(CnUi *ui);

/* Disabled widgets are dimmed and ignore input. Calls nest. */
CN_API void cn_ui_begin_disabled(CnUi *ui, bool disabled);
CN_API void cn_ui_end_disabled(CnUi *ui);

/* Begins a scroll area, which has a scroll bar if its contents are higher than `height`. */
CN_API void cn_ui_begin_scroll(CnUi *ui, const char *id, float height);
CN_API void cn_ui_end_scroll(CnUi *ui);

/* ---- Areas: widgets that the program draws itself, such as the slots of an inventory ---- */

typedef struct CnUiArea {
    bool hovered; /* by the mouse, also while a button is held that was pressed elsewhere */
    bool focused;
    bool has_ring;              /* the focus was moved by keys and should be visible */
    uint32_t pressed, released; /* mouse buttons over the area, bits 1 << CnMouseButton */
    /* Key typed while it has the focus: CN_UI_ACTIVATE, CN_UI_SPACE, CN_UI_SECOND or CN_UI_THIRD;
     * CN_UI_KEY_COUNT: none. */
    CnUiKey key;
    uint32_t modifiers; /* held, or of the key */
} CnUiArea;
/* Makes a rectangle of the canvas a widget of the window, which can take the focus. The program
 * draws it. It is the last widget, for cn_ui_tooltip. */
CN_API CnUiArea cn_ui_area(CnUi *ui, const char *id, CnRect rect);
/* Returns the position of the mouse in points. */
CN_API CnVec2 cn_ui_mouse(const CnUi *ui);
/* Returns the input of the frame. */
CN_API const CnUiInput *cn_ui_input(const CnUi *ui);

/* Takes a key that was typed in this frame and that no widget used so far, such as Tab to complete
 * the text of a field: the focus does not move then. Stores its modifiers unless that is NULL. */
CN_API bool cn_ui_take_key(CnUi *ui, CnUiKey key, uint32_t *modifiers);

/* ---- Scale ---- */

/* Returns a number of pixels per point at which an interface of at least 640 x 360 points fits an
 * image of any size: at least `density`, in steps of 0.5, times the user's factor, but no more than
 * leaves 640 x 360 points, and at least 1. */
CN_API float cn_ui_scale(uint32_t width, uint32_t height, float density, float factor);

/* ---- Focus ---- */

/* Gives the keyboard focus to the next widget. */
CN_API void cn_ui_focus_next(CnUi *ui);
/* Takes the keyboard focus away from all widgets. */
CN_API void cn_ui_clear_focus(CnUi *ui);

/* ---- Statistics ---- */

typedef struct CnUiStats {
    uint32_t windows, widgets, states;
    uint64_t duplicate_ids; /* total widgets whose id was already used in their frame */
    uint64_t refused;       /* total widgets and states refused because of the limits */
} CnUiStats;
/* Returns the statistics of the last frame. */
CN_API CnUiStats cn_ui_stats(const CnUi *ui);

CN_EXTERN_C_END

#endif

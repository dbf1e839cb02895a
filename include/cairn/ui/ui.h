/*
 * Immediate mode: the program says each frame what there is, and hears at once what was done to it.
 *
 *     CnUi *ui = cn_ui_create(&(CnUiDesc){.fonts = fonts}, &error);
 *
 *     cn_canvas_begin(canvas, width, height, scale);
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
 * A widget is known by its label and the ids pushed around it. What follows "##" in a label is not shown, so
 * "Delete##3" and "Delete##4" are two buttons. Two widgets with the same id in a frame are counted
 * (CnUiStats.doubles); they answer to each other's clicks.
 *
 * Keyboard and gamepads: tab and the shoulders go from widget to widget, arrows and the D-pad to the one that lies
 * that way, return, space and A press it, escape and B leave it. Sliders, lists and combos use the arrows first.
 *
 * Layers of the canvas from CnUiDesc.layer on are the interface's. One thread at a time uses a CnUi. What is
 * remembered of windows and scrolled areas that were not shown for a while is forgotten. Steady frames make no
 * heap call.
 */
#ifndef CAIRN_UI_UI_H
#define CAIRN_UI_UI_H

#include <cairn/render/canvas.h>
#include <cairn/ui/input.h>

CN_EXTERN_C_BEGIN

#define CN_UI_MAX_WINDOWS 64u
#define CN_UI_MAX_DEPTH 32u     /* of ids and layouts inside of each other */
#define CN_UI_MAX_CELLS 16u     /* of a row */
#define CN_UI_MAX_WIDGETS 4096u /* in a frame, that the keyboard reaches */
#define CN_UI_MAX_STATES 1024u

typedef struct CnUi CnUi;

typedef struct CnUiTheme {
    CnFont font, mono;
    float text_size, title_size;
    float row_height; /* of buttons, fields and so on */
    float spacing;    /* between widgets */
    float padding;    /* inside of windows */
    float radius, border;
    float label_width; /* share of a row that the label of a slider or field takes */
    CnColor text, text_dim, text_on_accent;
    CnColor window, window_title, window_border, shadow;
    CnColor widget, widget_hot, widget_pressed, widget_border;
    CnColor field;  /* behind text, lists, tracks */
    CnColor accent; /* what is on, selected, filled */
    CnColor focus;  /* the ring around what the keyboard is at */
    CnColor selection;
} CnUiTheme;
/* Dark; what a new CnUi has. */
CN_API CnUiTheme cn_ui_theme_dark(void);
CN_API CnUiTheme cn_ui_theme_light(void);

/* Text that leaves and enters the program. `get` returns terminated UTF-8 that is good until the next call, or NULL.
 * Without one, copies are kept inside. */
typedef struct CnUiClipboard {
    const char *(*get)(void *user);
    void (*set)(void *user, const char *text);
    void *user;
} CnUiClipboard;

typedef struct CnUiDesc {
    CnAllocator *allocator;
    CnFonts *fonts;
    const CnUiTheme *theme; /* copied; NULL: dark */
    CnUiClipboard clipboard;
    uint32_t layer; /* of the canvas, the lowest that is used; 0 means 16 */
} CnUiDesc;

CN_API CnUi *cn_ui_create(const CnUiDesc *desc, CnError *error);
CN_API void cn_ui_destroy(CnUi *ui);
CN_API CnUiTheme *cn_ui_theme(CnUi *ui); /* may be changed between frames */

/* A frame. `input` is read at once. */
CN_API void cn_ui_begin(CnUi *ui, CnCanvas *canvas, const CnUiInput *input);
CN_API void cn_ui_end(CnUi *ui);
CN_API CnCanvas *cn_ui_canvas(CnUi *ui);

/* Whether the game should leave these alone; known from cn_ui_end to the next. */
CN_API bool cn_ui_wants_mouse(const CnUi *ui);
CN_API bool cn_ui_wants_keyboard(const CnUi *ui); /* something has the focus */
/* A field is written into: the window should deliver text, and put an input method's list near `place`. */
CN_API bool cn_ui_wants_text(const CnUi *ui, CnRect *place);

/* Text for labels, good until the next cn_ui_begin. */
CN_API const char *cn_ui_format(CnUi *ui, const char *format, ...) CN_PRINTF_LIKE(2, 3);

/* ---- Ids ---- */

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
       CN_UI_MODAL = 1 << 5, /* nothing else can be used while it is shown */
       CN_UI_NO_FOCUS =
           1 << 6, /* the keyboard does not go there: for a HUD beside which one plays */
       CN_UI_PANEL = CN_UI_NO_TITLE | CN_UI_NO_MOVE | CN_UI_NO_RESIZE
};

typedef struct CnUiWindow {
    const char *title; /* the id, too */
    CnRect rect;       /* at first; of panels always. Height 0: as high as what is in it */
    bool *open;        /* with a button that closes it; NULL: without */
    uint32_t flags;
} CnUiWindow;

/* False when nothing of it is seen; cn_ui_end_window is called either way. */
CN_API bool cn_ui_begin_window(CnUi *ui, const CnUiWindow *window);
CN_API void cn_ui_end_window(CnUi *ui);

/* ---- Layout: widgets below each other, as wide as there is room ---- */

/* The next `count` widgets beside each other, then the next `count` below them, until the end of the row. Widths in
 * points; those below 0 share what is left (-1 and -2: a third and two thirds). NULL: all the same. */
CN_API void cn_ui_begin_row(CnUi *ui, const float *widths, uint32_t count);
CN_API void cn_ui_end_row(CnUi *ui);
/* In a cell of a row: widgets below each other again. */
CN_API void cn_ui_begin_column(CnUi *ui);
CN_API void cn_ui_end_column(CnUi *ui);
CN_API void cn_ui_space(CnUi *ui, float points);
/* The height of the next widget. */
CN_API void cn_ui_next_height(CnUi *ui, float points);
/* Room for something of one's own, drawn with cn_ui_canvas. */
CN_API CnRect cn_ui_place(CnUi *ui, float height);
/* The room that is left across. */
CN_API float cn_ui_room(const CnUi *ui);

/* What cannot be used is shown as such; they nest. */
CN_API void cn_ui_begin_disabled(CnUi *ui, bool disabled);
CN_API void cn_ui_end_disabled(CnUi *ui);

/* An area of its own with a bar if there is more in it than it shows. */
CN_API void cn_ui_begin_scroll(CnUi *ui, const char *id, float height);
CN_API void cn_ui_end_scroll(CnUi *ui);

/* ---- Focus ---- */

/* The next widget has the keyboard's focus from now on. */
CN_API void cn_ui_focus_next(CnUi *ui);
CN_API void cn_ui_clear_focus(CnUi *ui);

/* ---- To look at ---- */

typedef struct CnUiStats {
    uint32_t windows, widgets, states;
    uint64_t doubles; /* widgets with an id that was there already, so far */
    uint64_t refused; /* beyond the limits, so far */
} CnUiStats;
CN_API CnUiStats cn_ui_stats(const CnUi *ui);

CN_EXTERN_C_END

#endif

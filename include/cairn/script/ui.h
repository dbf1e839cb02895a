/*
 * User interfaces of scripts, as data: what the scripts of a world drew in the last tick.
 *
 * In every tick, scripts record a list of texts, buttons and panels (`ui` in docs/scripting.md).
 * A tick never draws and never sees a window: a program draws the list between ticks, as the engine
 * does, and sends what a person does with it as input messages of a later tick. Recordings contain
 * these messages, so replays need no user interface. The list itself is not part of the state.
 *
 *     void press_play(CnSim *sim)
 *     {
 *         CnScriptUi ui = cn_script_ui(cn_sim_world(sim));
 *         const CnScriptUiItem *play = cn_script_ui_find(&ui, "Play");
 *         if (play)
 *             cn_script_ui_send(cn_sim_input(sim), play->id, 0); // ui.button("Play") returns true
 *     }
 *
 * Sizes are in points. A list belongs to its world and is valid until the next tick. Call the
 * functions between ticks, on the thread that owns the simulation.
 */
#ifndef CAIRN_SCRIPT_UI_H
#define CAIRN_SCRIPT_UI_H

#include <cairn/base/text.h>
#include <cairn/sim/input.h>

CN_EXTERN_C_BEGIN

#define CN_SCRIPT_UI_MAX_ITEMS 4096u              /* per tick */
#define CN_SCRIPT_UI_MAX_TEXT_BYTES 65536u        /* per tick */
#define CN_SCRIPT_UI_MAX_ANSWERS 64u              /* messages per tick */
#define CN_SCRIPT_UI_MESSAGE 0x43530001u          /* code: a widget was used */
#define CN_SCRIPT_WINDOW_SIZE_MESSAGE 0x43530002u /* code: the size of the window */

typedef enum CnScriptUiKind {
    CN_SCRIPT_UI_COLUMN, /* panels: contain other items */
    CN_SCRIPT_UI_ROW,
    CN_SCRIPT_UI_TEXT,
    CN_SCRIPT_UI_IMAGE,
    CN_SCRIPT_UI_PROGRESS,
    CN_SCRIPT_UI_SPACE,
    CN_SCRIPT_UI_BUTTON, /* widgets: have an id */
    CN_SCRIPT_UI_CHECKBOX,
    CN_SCRIPT_UI_SLIDER,
    CN_SCRIPT_UI_KIND_COUNT
} CnScriptUiKind;

static inline bool cn_script_ui_is_panel(uint8_t kind)
{
    return kind <= CN_SCRIPT_UI_ROW;
}

static inline bool cn_script_ui_is_widget(uint8_t kind)
{
    return kind >= CN_SCRIPT_UI_BUTTON;
}

/* Positions on the screen of items without a panel. The order is that of rows and columns. */
typedef enum CnScriptUiAnchor {
    CN_SCRIPT_UI_TOP_LEFT,
    CN_SCRIPT_UI_TOP,
    CN_SCRIPT_UI_TOP_RIGHT,
    CN_SCRIPT_UI_LEFT,
    CN_SCRIPT_UI_CENTER,
    CN_SCRIPT_UI_RIGHT,
    CN_SCRIPT_UI_BOTTOM_LEFT,
    CN_SCRIPT_UI_BOTTOM,
    CN_SCRIPT_UI_BOTTOM_RIGHT
} CnScriptUiAnchor;

typedef enum CnScriptUiAlign {
    CN_SCRIPT_UI_START,
    CN_SCRIPT_UI_MIDDLE,
    CN_SCRIPT_UI_END
} CnScriptUiAlign;

/*
 * owner       the object whose script drew it; null: a console
 * id          of widgets: for cn_script_ui_send
 * parent      the index of its panel, which is lower than its own; CN_SCRIPT_UI_SCREEN: none
 * text        a label or a path: see cn_script_ui_text
 * width, ...  0: as large as the content needs
 * size        of text; 0: the default of the program
 * value       of checkboxes (0 or 1), sliders, and bars (0 to 1)
 * colors      0xRRGGBBAA; `color` is that of text or the tint of an image
 */
#define CN_SCRIPT_UI_SCREEN UINT32_MAX
typedef struct CnScriptUiItem {
    CnEntity owner;
    uint64_t id;
    uint32_t parent;
    uint32_t text, text_bytes; /* position in CnScriptUi.texts */
    uint8_t kind, anchor, align;
    bool has_color, has_background, has_border;
    bool disabled;
    bool takes_focus; /* panels: their first widget has the keyboard focus when they appear */
    bool no_focus;    /* panels: their widgets never have the keyboard focus */
    float x, y;       /* offset from the anchor, to the right and down */
    float width, height, size;
    float value, minimum, maximum;
    float padding, spacing, radius;
    uint32_t color, background, border;
} CnScriptUiItem;

typedef struct CnScriptUi {
    const CnScriptUiItem *items;
    uint32_t count;
    const char *texts; /* not terminated */
    uint64_t refused;  /* items so far that were too many */
} CnScriptUi;

/* Returns what the scripts drew in the last tick; empty if the world has no scripts. */
CN_API CnScriptUi cn_script_ui(const CnWorld *world);
/* Returns the text of an item without the part after "##", which distinguishes widgets. */
CN_API CnText cn_script_ui_text(const CnScriptUi *ui, const CnScriptUiItem *item);
/* Returns the first widget that is not disabled and whose whole label is `text`, or whose label is
 * `text` up to "##"; NULL if there is none. */
CN_API const CnScriptUiItem *cn_script_ui_find(const CnScriptUi *ui, const char *text);
/* Reports that a widget was used: a button was pressed (`value` is ignored), or a checkbox or
 * slider has a new value. Returns false when the message could not be sent. */
CN_API bool cn_script_ui_send(CnInputSource source, uint64_t id, float value);
/* Reports the size of the window in pixels, 1 to CN_SCRIPT_MAX_WINDOW. Scripts see 1280 x 720 until
 * the first report. */
#define CN_SCRIPT_MAX_WINDOW 65536u
CN_API bool cn_script_send_window_size(CnInputSource source, uint32_t width, uint32_t height);

CN_EXTERN_C_END

#endif

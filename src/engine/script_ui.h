/* The user interface of scripts: layout and drawing. */
#ifndef CAIRN_SRC_ENGINE_SCRIPT_UI_H
#define CAIRN_SRC_ENGINE_SCRIPT_UI_H

#include <cairn/render/canvas.h>
#include <cairn/scene/presentation.h>
#include <cairn/script/ui.h>

#define CNI_ENGINE_SCRIPT_IMAGES 64u
#define CNI_ENGINE_NO_ITEM UINT32_MAX

typedef struct CnEngine CnEngine;

/* An item of CnScriptUi: its place and its contents. */
typedef struct CniEngineScriptBox {
    CnRect rect;
    float width, height;        /* that it needs */
    uint32_t first, last, next; /* contents of a panel; its next neighbor */
    uint32_t count;             /* contents of a panel */
    bool has_widget;            /* in it */
} CniEngineScriptBox;

/* An image file, loaded when it is first drawn. */
typedef struct CniEngineScriptImage {
    char path[CN_ASSET_PATH_BYTES];
    CnTexture texture; /* null: it could not be loaded */
    float width, height;
} CniEngineScriptImage;

typedef struct CniEngineScriptUi {
    CN_ARRAY(CniEngineScriptBox) boxes;
    CniEngineScriptImage images[CNI_ENGINE_SCRIPT_IMAGES];
    uint32_t image_count;
    uint64_t pressed;    /* the widget on which the mouse button went down; 0: none */
    uint64_t focused_by; /* the first widget of the panel that takes the focus; 0: there is none */
    bool has_focus;      /* a widget of a script has the keyboard focus */
} CniEngineScriptUi;

/* The style of the text of an item. */
CnTextStyle cni_engine_script_text_style(CnEngine *engine, const CnScriptUiItem *item);
/* Returns the image of an item; NULL if it could not be loaded. */
const CniEngineScriptImage *cni_engine_script_image(CnEngine *engine, CnText path);
/* Computes the places of all items. Returns false when out of memory. */
bool cni_engine_script_layout(CnEngine *engine, const CnScriptUi *ui);

/* Draws the user interface of the active scene and sends it what was done with it: after the
 * ticks. */
void cni_engine_script_ui_draw(CnEngine *engine);
/* Returns whether the interface leaves this event to the scene, although a widget of a script has
 * the focus: everything that widgets do not use. */
bool cni_engine_script_ui_passes(const CnEngine *engine, const CnInputEvent *event);
void cni_engine_script_ui_fini(CnEngine *engine);

#endif

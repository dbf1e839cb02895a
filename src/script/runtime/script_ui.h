/* User interfaces of scripts: the list of the tick, and what was done with that of earlier ticks.
 */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_UI_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_UI_H

#include <cairn/base/array.h>
#include <cairn/script/ui.h>

typedef struct CniScriptRuntime CniScriptRuntime;

#define CNI_SCRIPT_UI_ITEMS 512u     /* of one script and tick */
#define CNI_SCRIPT_UI_TEXT 16384u    /* bytes of one script and tick */
#define CNI_SCRIPT_UI_LABEL 4096u    /* bytes of one text */
#define CNI_SCRIPT_UI_LENGTH 16384.f /* largest size or offset, in points */

/* A message: what a person did with a widget. */
typedef struct CniScriptUiAnswer {
    uint64_t id;
    float value;
} CniScriptUiAnswer;

/* Items of one script in a tick. */
typedef struct CniScriptUiCount {
    uint64_t tick;
    uint32_t items, bytes;
} CniScriptUiCount;

typedef struct CniScriptUi {
    CN_ARRAY(CnScriptUiItem) items;
    CN_ARRAY(char) texts;
    CniScriptUiAnswer answers[CN_SCRIPT_UI_MAX_ANSWERS];
    uint32_t answer_count;
    uint32_t generation; /* of the list, for panels that scripts keep too long */
    CniScriptUiCount console;
    uint64_t refused;
    uint64_t log_tick; /* tick + 1 in which the last refusal was logged */
} CniScriptUi;

void cni_script_ui_init(CniScriptUi *ui, CnAllocator *allocator);
void cni_script_ui_fini(CniScriptUi *ui);
/* Begins the list of a tick and reads the messages of the tick. */
void cni_script_ui_begin_tick(CniScriptRuntime *runtime);
/* Forgets everything; after a restore. */
void cni_script_ui_clear(CniScriptUi *ui);
/* Returns the last answer for a widget in this tick; NULL: it was not used. */
const CniScriptUiAnswer *cni_script_ui_answer(const CniScriptUi *ui, uint64_t id);

typedef enum CniScriptUiResult {
    CNI_SCRIPT_UI_ADDED,
    CNI_SCRIPT_UI_REFUSED, /* too many; counted */
    CNI_SCRIPT_UI_NO_MEMORY
} CniScriptUiResult;
/* Appends an item with its text. `count` is that of the script. */
CniScriptUiResult cni_script_ui_add(CniScriptUi *ui, CniScriptUiCount *count,
                                    const CnScriptUiItem *item, CnText text);

#endif

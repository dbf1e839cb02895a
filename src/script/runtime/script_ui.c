/* The user interface that scripts draw in a tick, and input messages about earlier ones. */
#include "script/runtime/runtime.h"

#include <cairn/base/bytes.h>

#include <float.h>

#define ANSWER_BYTES 12u /* u64 id, f32 value */

void cni_script_ui_init(CniScriptUi *ui, CnAllocator *allocator)
{
    cn_array_init(&ui->items, allocator);
    cn_array_init(&ui->texts, allocator);
}

void cni_script_ui_fini(CniScriptUi *ui)
{
    cn_array_fini(&ui->items);
    cn_array_fini(&ui->texts);
}

void cni_script_ui_clear(CniScriptUi *ui)
{
    cn_array_clear(&ui->items);
    cn_array_clear(&ui->texts);
    ui->answer_count = 0;
    ui->generation++;
    ui->console = (CniScriptUiCount){0};
    ui->log_tick = 0;
}

/* ---- Messages ---- */

static void read_answer(CniScriptUi *ui, const CnInputEvent *message)
{
    CniScriptUiAnswer answer;
    if (message->bytes != ANSWER_BYTES || ui->answer_count == CN_SCRIPT_UI_MAX_ANSWERS)
        return;
    answer.id = cn_load_u64(message->data);
    memcpy(&answer.value, message->data + 8, sizeof answer.value);
    if (answer.value >= -FLT_MAX && answer.value <= FLT_MAX) /* not NaN */
        ui->answers[ui->answer_count++] = answer;
}

void cni_script_ui_begin_tick(CniScriptRuntime *runtime)
{
    CniScriptUi *ui = &runtime->ui;
    cn_array_clear(&ui->items);
    cn_array_clear(&ui->texts);
    ui->answer_count = 0;
    ui->generation++;
    uint32_t index = 0;
    for (const CnInputEvent *m;
         (m = cn_input_next_message(runtime->input, CN_SCRIPT_UI_MESSAGE, &index));)
        read_answer(ui, m);
}

const CniScriptUiAnswer *cni_script_ui_answer(const CniScriptUi *ui, uint64_t id)
{
    for (uint32_t i = ui->answer_count; i-- > 0;)
        if (ui->answers[i].id == id)
            return &ui->answers[i];
    return NULL;
}

bool cn_script_ui_send(CnInputSource source, uint64_t id, float value)
{
    uint8_t bytes[ANSWER_BYTES];
    memcpy(bytes, &id, sizeof id);
    memcpy(bytes + 8, &value, sizeof value);
    return cn_input_message(source, CN_SCRIPT_UI_MESSAGE, bytes, sizeof bytes);
}

/* ---- The list ---- */

CniScriptUiResult cni_script_ui_add(CniScriptUi *ui, CniScriptUiCount *count,
                                    const CnScriptUiItem *item, CnText text)
{
    CN_ASSERT(item->parent == CN_SCRIPT_UI_SCREEN || item->parent < ui->items.count,
              "the panel %u of an item does not exist", item->parent);
    if (count->items == CNI_SCRIPT_UI_ITEMS || text.size > CNI_SCRIPT_UI_TEXT - count->bytes ||
        ui->items.count == CN_SCRIPT_UI_MAX_ITEMS ||
        text.size > CN_SCRIPT_UI_MAX_TEXT_BYTES - ui->texts.count) {
        ui->refused++;
        return CNI_SCRIPT_UI_REFUSED;
    }
    if (!cn_array_reserve(&ui->items, ui->items.count + 1u) ||
        !cn_array_reserve(&ui->texts, ui->texts.count + (uint32_t)text.size + 1u))
        return CNI_SCRIPT_UI_NO_MEMORY;
    CnScriptUiItem *added = &ui->items.items[ui->items.count++];
    *added = *item;
    added->text = ui->texts.count;
    added->text_bytes = (uint32_t)text.size;
    if (text.size)
        memcpy(ui->texts.items + ui->texts.count, text.data, text.size);
    ui->texts.count += (uint32_t)text.size;
    count->items++;
    count->bytes += (uint32_t)text.size;
    return CNI_SCRIPT_UI_ADDED;
}

/* ---- Access ---- */

CnScriptUi cn_script_ui(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniScriptRuntime *runtime = cni_script_runtime_of(world);
    if (!runtime)
        return (CnScriptUi){0};
    return (CnScriptUi){.items = runtime->ui.items.items,
                        .count = runtime->ui.items.count,
                        .texts = runtime->ui.texts.items,
                        .refused = runtime->ui.refused};
}

static CnText whole_text(const CnScriptUi *ui, const CnScriptUiItem *item)
{
    return (CnText){ui->texts + item->text, item->text_bytes};
}

CnText cn_script_ui_text(const CnScriptUi *ui, const CnScriptUiItem *item)
{
    CN_ASSERT(ui && item, "%s: an argument is NULL", __func__);
    CnText text = whole_text(ui, item);
    for (size_t i = 0; i + 1 < text.size; i++)
        if (text.data[i] == '#' && text.data[i + 1] == '#')
            return (CnText){text.data, i};
    return text;
}

const CnScriptUiItem *cn_script_ui_find(const CnScriptUi *ui, const char *text)
{
    CN_ASSERT(ui && text, "%s: an argument is NULL", __func__);
    for (uint32_t i = 0; i < ui->count; i++) {
        const CnScriptUiItem *item = &ui->items[i];
        if (cn_script_ui_is_widget(item->kind) && !item->disabled &&
            (cn_text_equal(whole_text(ui, item), cn_text(text)) ||
             cn_text_equal(cn_script_ui_text(ui, item), cn_text(text))))
            return item;
    }
    return NULL;
}

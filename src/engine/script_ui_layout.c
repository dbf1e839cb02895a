/* Layout of the user interface of scripts: sizes from the contents up, places from the screen down.
 */
#include "engine/engine_internal.h"

#include <math.h>
#include <string.h>

#define TEXT_SIZE 16.0f
#define BUTTON_PADDING 16.0f
#define SLIDER_WIDTH 240.0f
#define PROGRESS_WIDTH 160.0f
#define PROGRESS_HEIGHT 16.0f
#define IMAGE_SIZE 64.0f /* of files that could not be loaded */

CnTextStyle cni_engine_script_text_style(CnEngine *engine, const CnScriptUiItem *item)
{
    const CnUiTheme *theme = cn_ui_theme(engine->ui);
    return (CnTextStyle){.font = theme->font,
                         .size = item->size > 0 ? item->size : TEXT_SIZE,
                         .color = item->has_color ? cn_rgba(item->color) : theme->text};
}

/* ---- Images ---- */

static void load_image(CnEngine *engine, CniEngineScriptImage *image)
{
    CnError error = {0};
    CnRenderer *renderer = cn_engine_renderer(engine);
    image->texture = cn_texture_load(renderer, &(CnTextureLoadDesc){.path = image->path}, &error);
    if (!image->texture.id) {
        CN_LOG_ERROR("engine", "image of a script: %s", error.message);
        return;
    }
    CnGpuTextureDesc desc =
        cn_gpu_texture_desc(engine->gpu, cn_texture_gpu(renderer, image->texture));
    image->width = (float)desc.width;
    image->height = (float)desc.height;
}

const CniEngineScriptImage *cni_engine_script_image(CnEngine *engine, CnText path)
{
    CniEngineScriptUi *state = &engine->script_ui;
    for (uint32_t i = 0; i < state->image_count; i++)
        if (cn_text_equal(cn_text(state->images[i].path), path))
            return state->images[i].texture.id ? &state->images[i] : NULL;
    if (state->image_count == CNI_ENGINE_SCRIPT_IMAGES)
        return NULL;
    CniEngineScriptImage *image = &state->images[state->image_count++];
    *image = (CniEngineScriptImage){0};
    cn_copy_text(image->path, sizeof image->path, path);
    load_image(engine, image);
    return image->texture.id ? image : NULL;
}

/* ---- Sizes ---- */

static CnVec2 text_size(CnEngine *engine, const CnScriptUi *ui, const CnScriptUiItem *item,
                        float wrap_width)
{
    CnTextStyle style = cni_engine_script_text_style(engine, item);
    return cn_canvas_text_size(cn_ui_canvas(engine->ui), &style, cn_script_ui_text(ui, item),
                               wrap_width);
}

static CnVec2 image_size(CnEngine *engine, const CnScriptUi *ui, const CnScriptUiItem *item)
{
    const CniEngineScriptImage *image =
        cni_engine_script_image(engine, cn_script_ui_text(ui, item));
    float width = image ? image->width : IMAGE_SIZE, height = image ? image->height : IMAGE_SIZE;
    if (item->width > 0 && item->height <= 0)
        return (CnVec2){item->width, height * item->width / width};
    if (item->height > 0 && item->width <= 0)
        return (CnVec2){width * item->height / height, item->height};
    return (CnVec2){width, height};
}

/* What a panel needs for the contents that were added to its box. */
static CnVec2 panel_size(const CnScriptUiItem *item, const CniEngineScriptBox *box)
{
    float gaps = box->count > 1 ? item->spacing * (float)(box->count - 1) : 0;
    bool is_row = item->kind == CN_SCRIPT_UI_ROW;
    return (CnVec2){box->width + 2 * item->padding + (is_row ? gaps : 0),
                    box->height + 2 * item->padding + (is_row ? 0 : gaps)};
}

static CnVec2 content_size(CnEngine *engine, const CnScriptUi *ui, const CnScriptUiItem *item,
                           const CniEngineScriptBox *box)
{
    const CnUiTheme *theme = cn_ui_theme(engine->ui);
    CnVec2 size = {0, 0};
    switch ((CnScriptUiKind)item->kind) {
    case CN_SCRIPT_UI_COLUMN:
    case CN_SCRIPT_UI_ROW:
        return panel_size(item, box);
    case CN_SCRIPT_UI_TEXT:
        return text_size(engine, ui, item, item->width);
    case CN_SCRIPT_UI_IMAGE:
        return image_size(engine, ui, item);
    case CN_SCRIPT_UI_PROGRESS:
        return (CnVec2){PROGRESS_WIDTH, PROGRESS_HEIGHT};
    case CN_SCRIPT_UI_BUTTON:
        size = text_size(engine, ui, item, 0);
        return (CnVec2){size.x + 2 * BUTTON_PADDING, size.y + BUTTON_PADDING};
    case CN_SCRIPT_UI_CHECKBOX:
        size = text_size(engine, ui, item, 0);
        return (CnVec2){size.x + theme->row_height + 8, theme->row_height};
    case CN_SCRIPT_UI_SLIDER:
        return (CnVec2){SLIDER_WIDTH, theme->row_height};
    default:
        return size;
    }
}

/* Contents have higher indices than their panels, so that a panel is complete when it is reached
 * from the end. */
static void measure(CnEngine *engine, const CnScriptUi *ui, CniEngineScriptBox *boxes)
{
    for (uint32_t i = ui->count; i-- > 0;) {
        const CnScriptUiItem *item = &ui->items[i];
        CniEngineScriptBox *box = &boxes[i];
        CnVec2 size = content_size(engine, ui, item, box);
        box->width = item->width > 0 ? item->width : ceilf(size.x);
        box->height = item->height > 0 ? item->height : ceilf(size.y);
        box->has_widget |= cn_script_ui_is_widget(item->kind);
        if (item->parent == CN_SCRIPT_UI_SCREEN)
            continue;
        CniEngineScriptBox *panel = &boxes[item->parent];
        bool in_row = ui->items[item->parent].kind == CN_SCRIPT_UI_ROW;
        float width = item->kind == CN_SCRIPT_UI_SPACE && !in_row ? 0 : box->width;
        float height = item->kind == CN_SCRIPT_UI_SPACE && in_row ? 0 : box->height;
        panel->width = in_row ? panel->width + width : fmaxf(panel->width, width);
        panel->height = in_row ? fmaxf(panel->height, height) : panel->height + height;
        panel->count++;
        panel->has_widget |= box->has_widget;
    }
}

/* ---- Places ---- */

static float share_of(uint32_t third)
{
    return (float)third / 2;
}

static void place_on_screen(const CnScriptUiItem *item, CniEngineScriptBox *box, CnRect screen)
{
    uint32_t column = item->anchor % 3u, row = item->anchor / 3u;
    box->rect = (CnRect){screen.x + (screen.width - box->width) * share_of(column) + item->x,
                         screen.y + (screen.height - box->height) * share_of(row) + item->y,
                         box->width, box->height};
    box->rect.x = roundf(box->rect.x);
    box->rect.y = roundf(box->rect.y);
}

static bool fills_column(const CnScriptUiItem *item)
{
    return item->kind != CN_SCRIPT_UI_IMAGE && item->width <= 0;
}

static void place_in_column(const CnScriptUi *ui, CniEngineScriptBox *boxes, uint32_t panel)
{
    const CnScriptUiItem *outer = &ui->items[panel];
    CnRect area = cn_rect_inset(boxes[panel].rect, outer->padding);
    float y = area.y;
    for (uint32_t i = boxes[panel].first; i != CNI_ENGINE_NO_ITEM; i = boxes[i].next) {
        CniEngineScriptBox *box = &boxes[i];
        float width = fills_column(&ui->items[i]) ? area.width : box->width;
        float offset = roundf((area.width - width) * share_of(ui->items[i].align));
        box->rect = (CnRect){area.x + offset, y, width, box->height};
        y += box->height + outer->spacing;
    }
}

static void place_in_row(const CnScriptUi *ui, CniEngineScriptBox *boxes, uint32_t panel)
{
    const CnScriptUiItem *outer = &ui->items[panel];
    CnRect area = cn_rect_inset(boxes[panel].rect, outer->padding);
    float used = outer->spacing * (float)(boxes[panel].count ? boxes[panel].count - 1 : 0);
    for (uint32_t i = boxes[panel].first; i != CNI_ENGINE_NO_ITEM; i = boxes[i].next)
        used += boxes[i].width;
    float x = area.x + roundf((area.width - used) * share_of(outer->align));
    for (uint32_t i = boxes[panel].first; i != CNI_ENGINE_NO_ITEM; i = boxes[i].next) {
        CniEngineScriptBox *box = &boxes[i];
        bool fills = cn_script_ui_is_panel(ui->items[i].kind) && ui->items[i].height <= 0;
        float height = fills ? area.height : box->height;
        box->rect = (CnRect){x, area.y + roundf((area.height - height) / 2), box->width, height};
        x += box->width + outer->spacing;
    }
}

static void link_contents(const CnScriptUi *ui, CniEngineScriptBox *boxes)
{
    for (uint32_t i = 0; i < ui->count; i++) {
        boxes[i] = (CniEngineScriptBox){
            .first = CNI_ENGINE_NO_ITEM, .last = CNI_ENGINE_NO_ITEM, .next = CNI_ENGINE_NO_ITEM};
        uint32_t parent = ui->items[i].parent;
        if (parent == CN_SCRIPT_UI_SCREEN)
            continue;
        CniEngineScriptBox *panel = &boxes[parent];
        if (panel->first == CNI_ENGINE_NO_ITEM)
            panel->first = i;
        else
            boxes[panel->last].next = i;
        panel->last = i;
    }
}

bool cni_engine_script_layout(CnEngine *engine, const CnScriptUi *ui)
{
    CniEngineScriptUi *state = &engine->script_ui;
    if (!cn_array_reserve(&state->boxes, ui->count))
        return false;
    CniEngineScriptBox *boxes = state->boxes.items;
    CnRect screen = cn_canvas_area(cn_ui_canvas(engine->ui));
    link_contents(ui, boxes);
    measure(engine, ui, boxes);
    for (uint32_t i = 0; i < ui->count; i++) {
        if (ui->items[i].parent == CN_SCRIPT_UI_SCREEN)
            place_on_screen(&ui->items[i], &boxes[i], screen);
        if (ui->items[i].kind == CN_SCRIPT_UI_COLUMN)
            place_in_column(ui, boxes, i);
        else if (ui->items[i].kind == CN_SCRIPT_UI_ROW)
            place_in_row(ui, boxes, i);
    }
    return true;
}

#include "inventory_pages.h"

#include "crafty/sim/container.h"

#include <math.h>

#define PADDING 10.0f
#define TITLE_HEIGHT 28.0f
#define LABEL_HEIGHT 18.0f
#define HOTBAR_GAP 6.0f
#define SIDE_WIDTH 248.0f
#define SIDE_GAP 8.0f
#define TOP_ROWS 3.0f /* of the part above the inventory */
#define PITCH CRAFTY_SLOT_PITCH
#define COLUMNS 9u
#define PANEL_WIDTH (COLUMNS * PITCH - (PITCH - CRAFTY_SLOT_SIZE) + 2 * PADDING)

/* ---- Places ---- */

static void place_panels(CraftyPage *page, CnRect area, bool has_side)
{
    float height = TITLE_HEIGHT + TOP_ROWS * PITCH + LABEL_HEIGHT + 3 * PITCH + HOTBAR_GAP +
                   CRAFTY_SLOT_SIZE + PADDING;
    float width = PANEL_WIDTH + (has_side ? SIDE_WIDTH + SIDE_GAP : 0);
    float x = floorf((area.width - width) / 2), y = floorf((area.height - height) / 2);
    if (has_side) {
        page->side = (CnRect){x, y, SIDE_WIDTH, height};
        x += SIDE_WIDTH + SIDE_GAP;
    }
    page->panel = (CnRect){x, y, PANEL_WIDTH, height};
}

/* The grid has its columns and rows of 3, of which the page shows `width`. */
static void place_grid(CraftyPage *page, CraftySlotView *slots, const CraftyPlayer *player,
                       CraftyStack result, uint32_t width)
{
    float x = page->panel.x + PADDING + 1.5f * PITCH;
    float y = page->panel.y + TITLE_HEIGHT + (TOP_ROWS - (float)width) * PITCH / 2;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        uint32_t column = i % CRAFTY_GRID_WIDTH, row = i / CRAFTY_GRID_WIDTH;
        if (column < width && row < width)
            crafty_slot_add(slots, CRAFTY_SLOT_GRID + i, player->grid[i], x + (float)column * PITCH,
                            y + (float)row * PITCH);
    }
    float middle = y + ((float)width * PITCH - PITCH) / 2;
    float right = x + (float)width * PITCH;
    page->arrow = (CnRect){right + 8, middle, PITCH, CRAFTY_SLOT_SIZE};
    crafty_slot_add(slots, CRAFTY_SLOT_RESULT, result, right + PITCH + 20, middle);
    slots->slots[slots->count - 1].gives_only = true;
    page->has_grid = true;
}

static void place_furnace(CraftyPage *page, CraftySlotView *slots, const CnWorld *world,
                          CnCell cell)
{
    float x = page->panel.x + PADDING + 2.5f * PITCH, y = page->panel.y + TITLE_HEIGHT + 6;
    page->is_furnace = crafty_furnace_read(world, cell, &page->furnace);
    if (!page->is_furnace)
        return;
    const CraftyStack *stacks = page->furnace.slots;
    float second = y + 1.5f * PITCH, middle = y + 0.75f * PITCH;
    crafty_slot_add(slots, CRAFTY_COMMAND_CONTAINER + CRAFTY_FURNACE_INPUT,
                    stacks[CRAFTY_FURNACE_INPUT], x, y);
    crafty_slot_add(slots, CRAFTY_COMMAND_CONTAINER + CRAFTY_FURNACE_FUEL,
                    stacks[CRAFTY_FURNACE_FUEL], x, second);
    crafty_slot_add(slots, CRAFTY_COMMAND_CONTAINER + CRAFTY_FURNACE_RESULT,
                    stacks[CRAFTY_FURNACE_RESULT], x + 3 * PITCH, middle);
    slots->slots[slots->count - 1].gives_only = true;
    page->flame = (CnRect){x + 7, y + PITCH - 1, 16, 16};
    page->arrow = (CnRect){x + 1.4f * PITCH, middle, 1.25f * PITCH, CRAFTY_SLOT_SIZE};
}

static void place_crate(const CraftyPage *page, CraftySlotView *slots, const CnWorld *world,
                        CnCell cell)
{
    CraftyContainer container;
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    if (!blocks || !crafty_container_read(blocks->voxels, cell, &container))
        return;
    uint32_t count = crafty_container_slots(cn_voxels_blocks(blocks->voxels),
                                            cn_voxels_get(blocks->voxels, cell));
    crafty_slots_add(slots, CRAFTY_COMMAND_CONTAINER, container.slots, count, COLUMNS,
                     page->panel.x + PADDING, page->panel.y + TITLE_HEIGHT);
}

static CraftyStack result_of(const CnWorld *world, CnEntity player)
{
    const CraftyRecipe *recipe = crafty_inventory_recipe(world, player);
    return recipe ? (CraftyStack){recipe->result, recipe->count, 0} : (CraftyStack){0};
}

static const char *title_of(const CnWorld *world, CraftyOpen open, CnCell cell)
{
    if (open == CRAFTY_OPEN_INVENTORY)
        return "Crafting";
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    if (!blocks || !list)
        return "";
    CraftyItem item = crafty_items_of_block(list->items, cn_voxels_get(blocks->voxels, cell));
    const CraftyItemInfo *info = crafty_items_info(list->items, item);
    return info && item != CRAFTY_NO_ITEM ? info->title : "";
}

void crafty_page_place(CraftyPage *page, CraftySlotView *slots, const CnWorld *world,
                       CnEntity entity, CnRect area, bool has_side)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    CraftyOpen open = (CraftyOpen)player->open;
    CnCell cell = {player->open_cell[0], player->open_cell[1], player->open_cell[2]};
    *page = (CraftyPage){0};
    if (open == CRAFTY_OPEN_TRADE)
        crafty_trade_title(world, entity, page->title);
    else
        cn_copy_text(page->title, sizeof page->title, cn_text(title_of(world, open, cell)));
    slots->count = 0;
    slots->items = list->items;
    slots->carried = player->carried;
    for (uint32_t i = 0; i < 3; i++)
        slots->cell[i] = player->open_cell[i];
    place_panels(page, area, has_side);
    uint32_t width = crafty_inventory_grid_width(player);
    if (width)
        place_grid(page, slots, player, result_of(world, entity), width);
    else if (open == CRAFTY_OPEN_FURNACE)
        place_furnace(page, slots, world, cell);
    else if (open == CRAFTY_OPEN_CRATE)
        place_crate(page, slots, world, cell);
    else if (open == CRAFTY_OPEN_TRADE)
        page->trade = (CnRect){page->panel.x + PADDING, page->panel.y + TITLE_HEIGHT,
                               PANEL_WIDTH - 2 * PADDING, TOP_ROWS * PITCH};
    float x = page->panel.x + PADDING;
    page->labels_y = page->panel.y + TITLE_HEIGHT + TOP_ROWS * PITCH;
    float y = page->labels_y + LABEL_HEIGHT;
    crafty_slots_add(slots, CRAFTY_SLOTS, player->inventory, CRAFTY_INVENTORY_SLOTS, COLUMNS, x, y);
    crafty_slots_add(slots, 0, player->slots, CRAFTY_SLOTS, COLUMNS, x, y + 3 * PITCH + HOTBAR_GAP);
    if (player->mode == CRAFTY_MODE_CREATIVE && open == CRAFTY_OPEN_INVENTORY)
        page->trash = (CnRect){x + 8 * PITCH, page->panel.y + TITLE_HEIGHT + PITCH,
                               CRAFTY_SLOT_SIZE, CRAFTY_SLOT_SIZE};
}

/* ---- Drawing ---- */

void crafty_arrow_draw(CnCanvas *canvas, CnRect rect, CnColor color)
{
    float y = rect.y + rect.height / 2, right = rect.x + rect.width - 6, head = 7;
    cn_canvas_fill(canvas, (CnRect){rect.x, y - 2, rect.width - 9, 4}, color);
    float step = 1 / cn_canvas_scale(canvas); /* a column of pixels */
    uint32_t columns = (uint32_t)(head / step);
    for (uint32_t i = 0; i < columns; i++) {
        float at = (float)i * step;
        cn_canvas_fill(canvas, (CnRect){right - head + at, y - head + at, step, 2 * (head - at)},
                       color);
    }
}

/* Filled from the left up to `share`. */
static void draw_progress(CnCanvas *canvas, CnRect rect, float share)
{
    crafty_arrow_draw(canvas, rect, cn_rgb(0x4A5666));
    if (share <= 0)
        return;
    cn_canvas_push_clip(canvas,
                        (CnRect){rect.x, rect.y, rect.width * fminf(share, 1), rect.height});
    crafty_arrow_draw(canvas, rect, cn_rgb(0xF4F7FB));
    cn_canvas_pop_clip(canvas);
}

static float share_of(uint32_t part, uint32_t whole)
{
    return whole ? (float)part / (float)whole : 0;
}

void crafty_page_draw(const CraftyPage *page, CnUi *ui, const CraftyItemIcons *icons)
{
    CnCanvas *canvas = cn_ui_canvas(ui);
    crafty_panel_draw(ui, page->panel, page->title);
    cn_canvas_text(canvas, page->panel.x + PADDING, page->labels_y + 2,
                   &(CnTextStyle){.size = crafty_icons_text(icons, 12, 15),
                                  .color = cn_ui_theme(ui)->text_dim},
                   cn_text("Inventory"));
    if (page->has_grid)
        crafty_arrow_draw(canvas, page->arrow, cn_rgb(0x8A94A3));
    if (!page->is_furnace)
        return;
    const CraftyFurnace *furnace = &page->furnace;
    draw_progress(canvas, page->arrow, share_of(furnace->progress, furnace->total));
    crafty_symbol_draw(icons, canvas, page->flame, CRAFTY_SYMBOL_FLAME_EMPTY, 1);
    float burns = fminf(share_of(furnace->burn_left, furnace->burn_total), 1);
    if (burns > 0)
        crafty_symbol_draw_part(icons, canvas, page->flame, CRAFTY_SYMBOL_FLAME,
                                (CnRect){0, 1 - burns, 1, burns});
}

#include "inventory_screen.h"

#include "inventory_pages.h"

#include <cairn/base/log.h>

#include <string.h>

#define BUTTON_HEIGHT 20.0f
#define CLOSE_WIDTH 28.0f
#define FOCUS_FRAME 3u /* in which gamepads get a focus */

/* ---- Opening and closing ---- */

void crafty_inventory_screen_fini(CraftyInventoryScreen *screen)
{
    crafty_recipe_book_fini(&screen->book);
    *screen = (CraftyInventoryScreen){0};
}

static const CraftyPlayer *player_of(CnEngine *engine, const CraftyInventoryView *view)
{
    return cn_get(cn_engine_world(engine), view->player, CraftyPlayer);
}

bool crafty_inventory_screen_is_open(const CraftyInventoryScreen *screen, CnEngine *engine,
                                     const CraftyInventoryView *view)
{
    const CraftyPlayer *player = player_of(engine, view);
    if (!player)
        return false;
    if (cn_sim_tick(cn_engine_sim(engine)) < screen->asked_tick)
        return screen->asked_open;
    return player->open != CRAFTY_OPEN_NOTHING;
}

static void ask(CraftyInventoryScreen *screen, CnEngine *engine, const CraftyInventoryView *view,
                bool opens)
{
    CraftyCommand command = {.kind = opens ? CRAFTY_COMMAND_OPEN : CRAFTY_COMMAND_CLOSE,
                             .choice = opens ? CRAFTY_OPEN_INVENTORY : CRAFTY_OPEN_NOTHING};
    if (!player_of(engine, view) || !crafty_connection_send_command(view->connection, &command))
        return;
    screen->asked_open = opens;
    screen->asked_tick = cn_sim_tick(cn_engine_sim(engine)) + 1;
    screen->shown = 0;
    screen->gesture = (CraftySlotGesture){.mouse = screen->gesture.mouse};
}

void crafty_inventory_screen_open(CraftyInventoryScreen *screen, CnEngine *engine,
                                  const CraftyInventoryView *view)
{
    ask(screen, engine, view, true);
}

void crafty_inventory_screen_close(CraftyInventoryScreen *screen, CnEngine *engine,
                                   const CraftyInventoryView *view)
{
    crafty_sign_editor_finish(&screen->sign, view->connection);
    ask(screen, engine, view, false);
}

/* ---- Panels ---- */

static void send(const CraftyInventoryView *view, CraftyCommand command)
{
    crafty_connection_send_command(view->connection, &command);
}

static void show_book(CraftyInventoryScreen *screen, CnEngine *engine,
                      const CraftyInventoryView *view, const CraftyPage *page)
{
    const CraftyPlayer *player = player_of(engine, view);
    const CraftyItemList *list = cn_resource(cn_engine_world(engine), CraftyItemList);
    CraftyBookView book = {.recipes = list->recipes,
                           .items = list->items,
                           .icons = view->icons,
                           .player = player,
                           .grid_width = crafty_inventory_grid_width(player)};
    CraftyRecipeChoice choice;
    crafty_panel_draw(cn_engine_ui(engine), page->side, "Recipes");
    if (!crafty_recipe_book_frame(&screen->book, engine, &book, page->side, &choice))
        return;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_FILL_RECIPE, .count = (uint16_t)choice.times};
    cn_copy_text(command.item, sizeof command.item, cn_text(choice.recipe->name));
    send(view, command);
}

static void show_items(CraftyInventoryScreen *screen, CnEngine *engine,
                       const CraftyInventoryView *view, const CraftyPage *page)
{
    uint32_t count;
    crafty_panel_draw(cn_engine_ui(engine), page->side, "All items");
    CraftyItem item =
        crafty_item_browser_frame(&screen->browser, engine, view->icons, page->side, &count);
    if (item == CRAFTY_NO_ITEM)
        return;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = (uint16_t)count};
    cn_copy_text(command.item, sizeof command.item,
                 cn_text(crafty_items_info(view->icons->items, item)->name));
    send(view, command);
}

static void show_trades(CraftyInventoryScreen *screen, CnEngine *engine,
                        const CraftyInventoryView *view, const CraftyPage *page)
{
    CraftyTradeView trade = {.world = cn_engine_world(engine),
                             .player = view->player,
                             .icons = view->icons,
                             .gets_focus = screen->shown == FOCUS_FRAME && view->uses_gamepad};
    CraftyTradeChoice choice;
    crafty_panel_draw(cn_engine_ui(engine), page->side, "Offers");
    if (crafty_trade_panel_frame(&screen->trade, engine, &trade, page->side, page->trade, &choice))
        send(view, (CraftyCommand){.kind = CRAFTY_COMMAND_TRADE,
                                   .choice = (uint8_t)choice.number,
                                   .count = (uint16_t)choice.times});
}

/* Deletes the carried stack. */
static void show_trash(CnUi *ui, const CraftyInventoryView *view, const CraftyPage *page,
                       CraftyStack carried)
{
    if (page->trash.width <= 0)
        return;
    CnCanvas *canvas = cn_ui_canvas(ui);
    CnUiArea area = cn_ui_area(ui, "trash", page->trash);
    crafty_slot_frame(view->icons, canvas, page->trash, area.hovered, area.has_ring);
    crafty_symbol_draw(view->icons, canvas, cn_rect_inset(page->trash, 5), CRAFTY_SYMBOL_TRASH, 1);
    if (!carried.count && (area.hovered || area.has_ring))
        crafty_tooltip_draw(view->icons, canvas, (CnVec2){page->trash.x, page->trash.y},
                            "Delete\nPut a stack here");
    if (carried.count && (area.pressed & 1u << CN_MOUSE_LEFT || area.key == CN_UI_ACTIVATE))
        send(view, (CraftyCommand){.kind = CRAFTY_COMMAND_DELETE_ITEMS,
                                   .from = CRAFTY_SLOT_CARRIED,
                                   .count = carried.count});
}

/* Returns false if the player closes the screen: fingers have no key for that. */
static bool show_buttons(CraftyInventoryScreen *screen, CnUi *ui, const CraftyInventoryView *view,
                         const CraftyPage *page, bool is_creative)
{
    bool has_switch = is_creative && page->has_grid && !screen->hides_book, closes = false;
    uint32_t count = 1 + page->has_grid + has_switch;
    float width = view->uses_touch ? 60 : 70, spacing = 4, all = (float)count * (width + spacing);
    const float widths[] = {width, width, width, CLOSE_WIDTH};
    const float *last = widths + CN_COUNT_OF(widths) - count - view->uses_touch;
    all += view->uses_touch ? CLOSE_WIDTH + spacing : 0;
    CnRect row = {page->panel.x + page->panel.width - 10 - all + spacing, page->panel.y + 5,
                  all - spacing, 0};
    CnUiTheme *theme = cn_ui_theme(ui);
    CnUiTheme before = *theme;
    theme->spacing = spacing;
    theme->text_size = 12;
    cn_ui_begin_region(ui, row);
    cn_ui_begin_row(ui, view->uses_touch ? last : NULL, count + view->uses_touch);
    cn_ui_next_height(ui, BUTTON_HEIGHT);
    if (cn_ui_button(ui, "Sort"))
        send(view, (CraftyCommand){.kind = CRAFTY_COMMAND_SORT, .from = CRAFTY_SLOTS});
    if (has_switch) {
        cn_ui_next_height(ui, BUTTON_HEIGHT);
        if (cn_ui_button(ui, screen->shows_recipes ? "All items" : "Recipes"))
            screen->shows_recipes = !screen->shows_recipes;
    }
    if (page->has_grid) {
        cn_ui_next_height(ui, BUTTON_HEIGHT);
        if (cn_ui_button(ui, screen->hides_book ? "Show list" : "Hide list"))
            screen->hides_book = !screen->hides_book;
    }
    if (view->uses_touch) {
        cn_ui_next_height(ui, BUTTON_HEIGHT);
        closes = cn_ui_button(ui, "\xC3\x97##close");
    }
    cn_ui_end_row(ui);
    cn_ui_end_region(ui);
    *theme = before;
    return !closes;
}

/* ---- Frames ---- */

static bool is_beside(const CraftyPage *page, CnVec2 mouse)
{
    return !cn_rect_contains(page->panel, mouse.x, mouse.y) &&
           !cn_rect_contains(page->side, mouse.x, mouse.y);
}

static void use_slots(CraftyInventoryScreen *screen, CnEngine *engine,
                      const CraftyInventoryView *view, const CraftyPage *page)
{
    CraftySlotInput input;
    CraftyGestureCommands commands = {.count = 0};
    CnUi *ui = cn_engine_ui(engine);
    if (screen->shown == FOCUS_FRAME && view->uses_gamepad && page->trade.width <= 0)
        cn_ui_focus_next(ui);
    crafty_slots_frame(&screen->slots, &screen->gesture, engine, view->icons, &input);
    screen->focused = input.focused < screen->slots.count
                          ? screen->slots.slots[input.focused].number
                          : UINT32_MAX;
    input.is_outside = is_beside(page, cn_ui_mouse(ui)) && !cn_ui_input(ui)->no_mouse;
    crafty_slot_gesture_frame(&screen->gesture, &screen->slots, &input, &commands);
    for (uint32_t i = 0; i < commands.count; i++)
        send(view, commands.items[i]);
    crafty_slots_finish(&screen->slots, &screen->gesture, &input, engine, view->icons);
}

/* For tests of windows and for reports of players; CAIRN_LOG=debug shows it. */
static void log_changes(CraftyInventoryScreen *screen, const CraftyPage *page)
{
    CraftyStack carried = screen->slots.carried;
    if (screen->shown == 1)
        CN_LOG_DEBUG("crafty", "a screen shows %u slots: %s", screen->slots.count, page->title);
    if (carried.item == screen->logged.item && carried.count == screen->logged.count)
        return;
    const CraftyItemInfo *info = crafty_items_info(screen->slots.items, carried.item);
    CN_LOG_DEBUG("crafty", "the player carries %u %s", carried.count,
                 carried.count && info ? info->name : "items");
    screen->logged = carried;
}

/* Returns false if the player closes the screen. */
static bool show_page(CraftyInventoryScreen *screen, CnEngine *engine,
                      const CraftyInventoryView *view)
{
    CnUi *ui = cn_engine_ui(engine);
    CnWorld *world = cn_engine_world(engine);
    const CraftyPlayer *player = player_of(engine, view);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    bool is_creative = player->mode == CRAFTY_MODE_CREATIVE;
    bool has_grid = crafty_inventory_grid_width(player) > 0;
    CnRect area = cn_canvas_area(cn_engine_canvas(engine));
    CraftyPage page;
    crafty_page_place(&page, &screen->slots, world, view->player, area,
                      player->open == CRAFTY_OPEN_TRADE ||
                          (has_grid && !screen->hides_book && (is_creative || list->recipes)));
    log_changes(screen, &page);
    cn_ui_begin_window(ui, &(CnUiWindow){.title = "Inventory",
                                         .rect = area,
                                         .flags = CN_UI_PANEL | CN_UI_MODAL | CN_UI_NO_SCROLL |
                                                  CN_UI_NO_BACKGROUND});
    cn_canvas_fill(cn_ui_canvas(ui), area, cn_rgba(0x00000078));
    crafty_page_draw(&page, ui, view->icons);
    use_slots(screen, engine, view, &page);
    show_trash(ui, view, &page, screen->slots.carried);
    bool goes_on = show_buttons(screen, ui, view, &page, is_creative);
    if (page.side.width > 0) {
        if (page.trade.width > 0)
            show_trades(screen, engine, view, &page);
        else if (is_creative && !screen->shows_recipes)
            show_items(screen, engine, view, &page);
        else if (list->recipes)
            show_book(screen, engine, view, &page);
    }
    cn_ui_end_window(ui);
    return goes_on;
}

bool crafty_inventory_screen_frame(CraftyInventoryScreen *screen, CnEngine *engine,
                                   const CraftyInventoryView *view)
{
    const CraftyPlayer *player = player_of(engine, view);
    bool goes_on = true;
    if (!player || player->open == CRAFTY_OPEN_NOTHING)
        return true; /* the tick that opens it has not run yet */
    screen->shown++;
    if (player->open == CRAFTY_OPEN_SIGN) {
        const CraftyBlocks *blocks = cn_resource(cn_engine_world(engine), CraftyBlocks);
        goes_on =
            crafty_sign_editor_frame(&screen->sign, engine, blocks->voxels, player->open_cell);
    } else {
        goes_on = show_page(screen, engine, view);
    }
    return goes_on;
}

#include "recipe_book.h"

#include "slot_panel.h"

#include <string.h>

#define ROW_HEIGHT 38.0f
#define ICON 30.0f
#define SMALL_ICON 15.0f
#define SMALL_TEXT 12.0f
#define MOST_TIMES 64u

/* ---- Contents ---- */

void crafty_recipe_book_fini(CraftyRecipeBook *book)
{
    cn_array_fini(&book->rows);
    *book = (CraftyRecipeBook){0};
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a')
           : letter == '_'                ? ' '
                                          : letter;
}

static bool contains(const char *text, const char *wanted)
{
    for (; *text; text++) {
        size_t i = 0;
        while (wanted[i] && lower(text[i]) == lower(wanted[i]))
            i++;
        if (!wanted[i])
            return true;
    }
    return !*wanted;
}

bool crafty_search_finds(const CraftyItemInfo *item, const char *search)
{
    return contains(item->title, search) || contains(item->name, search);
}

static void count_items(CraftyRecipeBook *book)
{
    book->count_count = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(book->have); i++) {
        uint32_t at = 0;
        if (!book->have[i].count)
            continue;
        while (at < book->count_count && book->counts[at].item != book->have[i].item)
            at++;
        if (at == book->count_count)
            book->counts[book->count_count++] = (CraftyItemCount){.item = book->have[i].item};
        book->counts[at].count += book->have[i].count;
    }
}

static uint32_t owned(const CraftyRecipeBook *book, CraftyItem item)
{
    for (uint32_t i = 0; i < book->count_count; i++)
        if (book->counts[i].item == item)
            return book->counts[i].count;
    return 0;
}

uint32_t crafty_recipe_book_times(const CraftyRecipeBook *book, const CraftyBookView *view,
                                  const CraftyRecipe *recipe, uint32_t most)
{
    uint32_t low = 0, high = most;
    while (low < high) {
        CraftyItem chosen[CRAFTY_GRID_SLOTS];
        uint32_t times = (low + high + 1) / 2;
        CraftyItemCount left[CN_COUNT_OF(book->counts)];
        memcpy(left, book->counts, sizeof left);
        if (crafty_recipes_choose(view->recipes, recipe, times, left, book->count_count, chosen))
            low = times;
        else
            high = times - 1;
    }
    return low;
}

static void add_rows(CraftyRecipeBook *book, const CraftyBookView *view, bool is_possible)
{
    for (uint32_t i = 0; i < crafty_recipes_count(view->recipes); i++) {
        const CraftyRecipe *recipe = crafty_recipes_at(view->recipes, i);
        const CraftyItemInfo *info = crafty_items_info(view->items, recipe->result);
        if (recipe->kind == CRAFTY_RECIPE_SMELTING || !info ||
            !crafty_search_finds(info, book->search))
            continue;
        bool fits = recipe->width <= view->grid_width && recipe->height <= view->grid_width;
        bool can = fits && crafty_recipe_book_times(book, view, recipe, 1);
        if (can == is_possible)
            cn_array_push(&book->rows, (CraftyBookRow){i, can, fits});
    }
}

static bool is_current(const CraftyRecipeBook *book, const CraftyBookView *view,
                       const CraftyStack *have)
{
    return book->recipes == view->recipes && book->grid_width == view->grid_width &&
           book->made_only_possible == book->only_possible &&
           !strcmp(book->made_search, book->search) && !memcmp(book->have, have, sizeof book->have);
}

void crafty_recipe_book_update(CraftyRecipeBook *book, const CraftyBookView *view)
{
    CraftyStack have[CN_COUNT_OF(book->have)];
    memcpy(have, view->player->slots, sizeof view->player->slots);
    memcpy(have + CRAFTY_SLOTS, view->player->inventory, sizeof view->player->inventory);
    memcpy(have + CRAFTY_PLAYER_SLOTS, view->player->grid, sizeof view->player->grid);
    if (is_current(book, view, have))
        return;
    cn_array_clear(&book->rows);
    /* Memory for all rows at once, so that later changes do not allocate. */
    if (!cn_array_reserve(&book->rows, crafty_recipes_count(view->recipes)))
        return; /* an empty list; the next frame tries again */
    book->recipes = view->recipes;
    book->grid_width = view->grid_width;
    book->made_only_possible = book->only_possible;
    memcpy(book->made_search, book->search, sizeof book->search);
    memcpy(book->have, have, sizeof have);
    count_items(book);
    add_rows(book, view, true);
    if (!book->only_possible)
        add_rows(book, view, false);
}

/* ---- Drawing ---- */

/* Returns an item that stands for the ingredient: one that the player has, or the first. */
static CraftyItem example(const CraftyRecipeBook *book, const CraftyBookView *view,
                          CraftyIngredient ingredient, uint32_t *have)
{
    uint32_t count = crafty_ingredient_count(view->recipes, ingredient);
    CraftyItem best = count ? crafty_ingredient_at(view->recipes, ingredient, 0) : CRAFTY_NO_ITEM;
    uint32_t most = 0;
    *have = 0;
    for (uint32_t i = 0; i < count; i++) {
        CraftyItem item = crafty_ingredient_at(view->recipes, ingredient, i);
        uint32_t count_of = owned(book, item);
        *have += count_of;
        if (count_of > most) {
            most = count_of;
            best = item;
        }
    }
    return best;
}

static void draw_ingredients(const CraftyRecipeBook *book, const CraftyBookView *view,
                             CnCanvas *canvas, CnRect rect, const CraftyRecipe *recipe)
{
    float x = rect.x;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        uint32_t needed = 0, have;
        bool is_first = recipe->cells[i] != 0;
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++) {
            needed += recipe->cells[k] == recipe->cells[i];
            is_first &= k >= i || recipe->cells[k] != recipe->cells[i];
        }
        if (!is_first)
            continue;
        CraftyItem item = example(book, view, recipe->cells[i], &have);
        bool is_there = have >= needed;
        char text[12];
        cn_format(text, sizeof text, "%u", needed);
        float size = crafty_icons_text(view->icons, 11, 20), small = SMALL_ICON * size / 11;
        CnTextStyle style = {.size = size, .color = cn_rgb(is_there ? 0xC8D0DC : 0xE07A6A)};
        crafty_item_icon_draw(view->icons, canvas, (CnRect){x, rect.y, small, small}, item,
                              is_there ? 1 : 0.35f);
        cn_canvas_text(canvas, x + small + 1, rect.y + 1, &style, cn_text(text));
        x += small + 5 + cn_canvas_text_size(canvas, &style, cn_text(text), 0).x;
    }
}

static void draw_row(const CraftyRecipeBook *book, const CraftyBookView *view, CnCanvas *canvas,
                     CnRect rect, const CraftyBookRow *row, const CnUiArea *area)
{
    const CraftyRecipe *recipe = crafty_recipes_at(view->recipes, row->recipe);
    const CraftyItemInfo *info = crafty_items_info(view->items, recipe->result);
    CnRect box = {rect.x, rect.y, rect.width, rect.height - 2};
    float factor = rect.height / ROW_HEIGHT;
    crafty_slot_frame(view->icons, canvas, box, area->hovered, area->has_ring);
    CnRect icon = {box.x + 3, box.y + 3, ICON, ICON};
    crafty_stack_draw(view->icons, canvas, icon, (CraftyStack){recipe->result, recipe->count, 0},
                      row->is_possible ? 1 : 0.4f);
    float x = icon.x + ICON + 6;
    cn_canvas_text_in(canvas, (CnRect){x, box.y + 3, box.x + box.width - x - 4, 15 * factor},
                      &(CnTextStyle){.size = SMALL_TEXT * factor,
                                     .color = cn_rgb(row->is_possible ? 0xF0F4FA : 0x97A2B2)},
                      &(CnTextLayout){.ellipsis = true}, cn_text(info->title));
    draw_ingredients(book, view, canvas, (CnRect){x, box.y + 3 + 16 * factor, 0, 0}, recipe);
}

/* Lists the ingredients by name. */
static void draw_details(const CraftyRecipeBook *book, const CraftyBookView *view, CnCanvas *canvas,
                         CnVec2 at, const CraftyBookRow *row)
{
    char text[CRAFTY_TOOLTIP_BYTES];
    const CraftyRecipe *recipe = crafty_recipes_at(view->recipes, row->recipe);
    crafty_stack_describe(view->items, (CraftyStack){recipe->result, recipe->count, 0}, text);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        uint32_t needed = 0, have;
        bool is_first = recipe->cells[i] != 0;
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++) {
            needed += recipe->cells[k] == recipe->cells[i];
            is_first &= k >= i || recipe->cells[k] != recipe->cells[i];
        }
        if (!is_first)
            continue;
        CraftyItem item = example(book, view, recipe->cells[i], &have);
        const CraftyItemInfo *info = crafty_items_info(view->items, item);
        const char *group = crafty_ingredient_group(view->recipes, recipe->cells[i]);
        size_t used = strlen(text);
        cn_format(text + used, sizeof text - used, "\n%u %s%s (%u)", needed, group ? "any " : "",
                  group  ? group
                  : info ? info->title
                         : "?",
                  have);
    }
    size_t used = strlen(text);
    if (!row->fits)
        cn_format(text + used, sizeof text - used, "\nNeeds a crafting table");
    crafty_tooltip_draw(view->icons, canvas, at, text);
}

static bool is_visible(CnRect rect, CnRect clip)
{
    return cn_rect_intersection(rect, clip).height > 0;
}

static const CraftyBookRow *show_rows(const CraftyRecipeBook *book, CnUi *ui,
                                      const CraftyBookView *view, uint32_t *modifiers)
{
    CnCanvas *canvas = cn_ui_canvas(ui);
    const CraftyBookRow *chosen = NULL;
    float height = crafty_icons_text(view->icons, ROW_HEIGHT, 2 * ROW_HEIGHT);
    CnRect all = cn_ui_reserve(ui, (float)book->rows.count * height);
    for (uint32_t i = 0; i < book->rows.count; i++) {
        const CraftyBookRow *row = &book->rows.items[i];
        CnRect rect = {all.x, all.y + (float)i * height, all.width, height};
        cn_ui_push_number(ui, row->recipe);
        CnUiArea area = cn_ui_area(ui, "recipe", (CnRect){rect.x, rect.y, rect.width, height - 2});
        cn_ui_pop_id(ui);
        if (is_visible(rect, cn_canvas_clip(canvas)))
            draw_row(book, view, canvas, rect, row, &area);
        if (area.has_ring)
            draw_details(book, view, canvas, (CnVec2){rect.x + rect.width - 8, rect.y}, row);
        else if (area.hovered)
            draw_details(book, view, canvas, cn_ui_mouse(ui), row);
        bool is_third = area.key == CN_UI_THIRD;
        if (row->is_possible &&
            (area.pressed & 1u << CN_MOUSE_LEFT || area.key != CN_UI_KEY_COUNT)) {
            chosen = row;
            *modifiers = is_third ? CN_UI_SHIFT : area.modifiers;
        }
    }
    return chosen;
}

bool crafty_recipe_book_frame(CraftyRecipeBook *book, CnEngine *engine, const CraftyBookView *view,
                              CnRect panel, CraftyRecipeChoice *choice)
{
    const float widths[] = {-1, crafty_icons_text(view->icons, 106, 150)};
    CnUi *ui = cn_engine_ui(engine);
    uint32_t modifiers = 0;
    cn_ui_begin_region(ui, (CnRect){panel.x + 8, panel.y + 26, panel.width - 16, 0});
    cn_ui_begin_row(ui, widths, 2);
    cn_ui_field(
        ui, "##recipes",
        &(CnUiField){.text = book->search, .text_bytes = sizeof book->search, .hint = "Search"});
    float text_size = cn_ui_theme(ui)->text_size;
    cn_ui_theme(ui)->text_size = crafty_icons_text(view->icons, SMALL_TEXT, 17);
    cn_ui_checkbox(ui, "Craftable", &book->only_possible);
    cn_ui_theme(ui)->text_size = text_size;
    cn_ui_end_row(ui);
    crafty_recipe_book_update(book, view);
    float used = 26 + cn_ui_theme(ui)->row_height + cn_ui_theme(ui)->spacing + 8;
    cn_ui_begin_scroll(ui, "recipes", panel.height - used);
    const CraftyBookRow *row = show_rows(book, ui, view, &modifiers);
    if (!book->rows.count)
        cn_ui_text(ui, book->search[0] || !book->only_possible
                           ? "No recipe found."
                           : "Nothing can be made of what you have.");
    cn_ui_end_scroll(ui);
    cn_ui_end_region(ui);
    if (!row)
        return false;
    choice->recipe = crafty_recipes_at(view->recipes, row->recipe);
    choice->times = modifiers & CN_UI_SHIFT
                        ? crafty_recipe_book_times(book, view, choice->recipe, MOST_TIMES)
                        : 1;
    return choice->times > 0;
}

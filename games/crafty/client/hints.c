#include "hints.h"

#include "crafty/sim/actions.h"
#include "crafty/sim/inventory.h"
#include "crafty/sim/place.h"

#include <cairn/base/math.h>

#include <string.h>

#define LOOK_DEGREES 60.0f
#define WALK_BLOCKS 4.0f
#define JUMP_BLOCKS 20.0f /* in one frame: the player was moved */
#define REST_SECONDS 1.5f /* between two hints */
#define FADE_SECONDS 0.4f
#define EVENING_HOURS 15.0f /* from then on, a shelter is needed */
#define NIGHT_HOURS 19.0f
#define SHELTERED 0.6f     /* of the sky is hidden */
#define FROM_BOTTOM 128.0f /* above the hotbar and what stands over it */

static const struct {
    const char *name, *action, *text, *touch;
} hints_table[] = {
    [CRAFTY_HINT_LOOK] = {"look", "look", "Look around", NULL},
    [CRAFTY_HINT_MOVE] = {"move", "move", "Walk", NULL},
    [CRAFTY_HINT_JUMP] = {"jump", "jump", "Jump", NULL},
    [CRAFTY_HINT_WOOD] = {"wood", "break_block", "Gather wood: hold while you aim at a tree",
                          "Gather wood: touch and hold a tree"},
    [CRAFTY_HINT_INVENTORY] = {"inventory", "inventory", "Open the inventory", NULL},
    [CRAFTY_HINT_PLANKS] = {"planks", "inventory", "Craft planks from wood in the inventory", NULL},
    [CRAFTY_HINT_TABLE] = {"table", "inventory", "Craft a crafting table from four planks", NULL},
    [CRAFTY_HINT_USE_TABLE] = {"use_table", "place_block", "Place the crafting table and use it",
                               NULL},
    [CRAFTY_HINT_PICKAXE] = {"pickaxe", "place_block",
                             "Make sticks and a wooden pickaxe at the table", NULL},
    [CRAFTY_HINT_STONE] = {"stone", "break_block", "Mine stone with the pickaxe", NULL},
    [CRAFTY_HINT_SHELTER] = {"shelter", NULL, "Night is coming: find or build a shelter", NULL},
    [CRAFTY_HINT_FLY] = {"fly", "toggle_fly", "Fly", NULL},
};

const char *crafty_hint_name(uint32_t number)
{
    return number < CRAFTY_HINT_COUNT ? hints_table[number].name : NULL;
}

/* ---- What the player did ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && !strcmp(text + length - end_length, end);
}

static bool is_like(const CraftyItems *items, CraftyStack stack, const char *end)
{
    const CraftyItemInfo *info = stack.count ? crafty_items_info(items, stack.item) : NULL;
    return info && ends_with(info->name, end);
}

/* Returns whether the player has an item whose name ends like this. */
static bool has(const CraftyPlayer *player, const CraftyItems *items, const char *end)
{
    bool any = is_like(items, player->carried, end);
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        any |= is_like(items, player->slots[i], end);
    for (uint32_t i = 0; i < CRAFTY_INVENTORY_SLOTS; i++)
        any |= is_like(items, player->inventory[i], end);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        any |= is_like(items, player->grid[i], end);
    return any;
}

static void follow(CraftyHints *hints, const CnTransform *transform)
{
    CnVec3 way = cn_vec3_sub(transform->position, hints->position);
    CnVec3 was = cn_quat_rotate(hints->rotation, cn_vec3(0, 0, -1));
    CnVec3 is = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1));
    float walked = cn_sqrtf(way.x * way.x + way.z * way.z);
    float cosine = cn_vec3_dot(was, is);
    if (hints->has_pose && walked < JUMP_BLOCKS) {
        hints->walked += walked;
        hints->turned += cosine < 1 ? cn_sqrtf(2 * (1 - cosine)) * 180 / CN_PIF : 0; /* a chord */
    }
    hints->has_pose = true;
    hints->position = transform->position;
    hints->rotation = transform->rotation;
}

static bool jumps(const CraftyHintsView *view)
{
    const CnPlayerActions *actions = cn_get(view->world, view->player, CnPlayerActions);
    return actions && cn_action_held(&actions->actions, crafty_action_set().jump);
}

static bool is_sheltered(const CraftyHintsView *view)
{
    const CraftyPlace *place = cn_get(view->world, view->player, CraftyPlace);
    return place && place->shelter > SHELTERED;
}

static bool is_done(const CraftyHints *hints, CraftyHint hint, const CraftyPlayer *player,
                    const CraftyHintsView *view)
{
    switch (hint) {
    case CRAFTY_HINT_LOOK:
        return hints->turned > LOOK_DEGREES;
    case CRAFTY_HINT_MOVE:
        return hints->walked > WALK_BLOCKS;
    case CRAFTY_HINT_JUMP:
        return jumps(view);
    case CRAFTY_HINT_WOOD:
        return has(player, view->items, "_log") || has(player, view->items, "_planks");
    case CRAFTY_HINT_INVENTORY:
        return view->has_list || player->open != CRAFTY_OPEN_NOTHING;
    case CRAFTY_HINT_PLANKS:
        return has(player, view->items, "_planks");
    case CRAFTY_HINT_TABLE:
        return has(player, view->items, "crafting_table") || player->open == CRAFTY_OPEN_TABLE;
    case CRAFTY_HINT_USE_TABLE:
        return player->open == CRAFTY_OPEN_TABLE;
    case CRAFTY_HINT_PICKAXE:
        return has(player, view->items, "_pickaxe");
    case CRAFTY_HINT_STONE:
        return has(player, view->items, "stone");
    case CRAFTY_HINT_SHELTER:
        return view->hours >= NIGHT_HOURS && is_sheltered(view);
    case CRAFTY_HINT_FLY:
        return player->flies;
    case CRAFTY_HINT_COUNT:
        break;
    }
    return false;
}

/* ---- What is shown ---- */

/* Hints that other modes do not need, and the evening. */
static bool is_apt(CraftyHint hint, const CraftyPlayer *player, const CraftyHintsView *view)
{
    bool is_survival = player->mode == CRAFTY_MODE_SURVIVAL;
    bool is_general = hint <= CRAFTY_HINT_JUMP || hint == CRAFTY_HINT_INVENTORY;
    if (hint == CRAFTY_HINT_FLY)
        return player->mode == CRAFTY_MODE_CREATIVE;
    if (hint == CRAFTY_HINT_SHELTER)
        return is_survival && view->hours >= EVENING_HOURS && !is_sheltered(view);
    return is_general ? player->mode != CRAFTY_MODE_SPECTATOR : is_survival;
}

/* In the evening, the shelter comes before other goals. */
static CraftyHint next(uint32_t done, const CraftyPlayer *player, const CraftyHintsView *view)
{
    if (!(done >> CRAFTY_HINT_SHELTER & 1u) && is_apt(CRAFTY_HINT_SHELTER, player, view))
        return CRAFTY_HINT_SHELTER;
    for (uint32_t i = 0; i < CRAFTY_HINT_COUNT; i++)
        if (!(done >> i & 1u) && is_apt((CraftyHint)i, player, view))
            return (CraftyHint)i;
    return CRAFTY_HINT_COUNT;
}

void crafty_hints_reset(CraftyHints *hints)
{
    *hints = (CraftyHints){.hint = CRAFTY_HINT_COUNT, .rest = REST_SECONDS};
}

bool crafty_hints_frame(CraftyHints *hints, uint32_t *done, const CraftyHintsView *view)
{
    const CraftyPlayer *player = cn_get(view->world, view->player, CraftyPlayer);
    const CnTransform *transform = cn_get(view->world, view->player, CnTransform);
    uint32_t before = *done;
    if (!player || !transform) {
        hints->hint = CRAFTY_HINT_COUNT;
        return false;
    }
    follow(hints, transform);
    for (uint32_t i = 0; i < CRAFTY_HINT_COUNT; i++)
        if (!(*done >> i & 1u) && is_done(hints, (CraftyHint)i, player, view))
            *done |= 1u << i;
    hints->rest -= view->seconds;
    CraftyHint hint = next(*done, player, view);
    if (hint != hints->hint) {
        bool was_shown = hints->hint != CRAFTY_HINT_COUNT;
        hints->hint = hint;
        hints->seconds = 0;
        if (was_shown)
            hints->rest = REST_SECONDS;
    } else if (hints->rest <= 0) {
        hints->seconds += view->seconds;
    }
    return *done != before;
}

void crafty_hints_draw(const CraftyHints *hints, const CraftyGlyphs *glyphs, CnCanvas *canvas,
                       float text_size)
{
    if (hints->hint >= CRAFTY_HINT_COUNT || hints->rest > 0)
        return;
    bool is_touch = glyphs->device == CRAFTY_DEVICE_TOUCH;
    const char *action = hints_table[hints->hint].action;
    const char *text = is_touch && hints_table[hints->hint].touch ? hints_table[hints->hint].touch
                                                                  : hints_table[hints->hint].text;
    if (hints->hint == CRAFTY_HINT_LOOK && crafty_device_is_gamepad(glyphs->device))
        action = "look_rate";
    float alpha = hints->seconds < FADE_SECONDS ? hints->seconds / FADE_SECONDS : 1;
    float height = 20 * text_size;
    CnRect area = cn_canvas_area(canvas);
    CnTextStyle style = {.size = height * 0.75f};
    float glyph = action ? crafty_glyph_width(glyphs, canvas, height, action) : 0;
    float width = cn_canvas_text_size(canvas, &style, cn_text(text), 0).x;
    width += glyph > 0 ? glyph + height * 0.35f : 0;
    CnRect box = {area.x + (area.width - width) / 2 - 12, area.y + area.height - FROM_BOTTOM,
                  width + 24, height + 12};
    cn_canvas_box(canvas, box,
                  &(CnBoxStyle){.fill = cn_color_fade(cn_rgba(0x10141AD0), alpha), .radius = 6});
    crafty_glyph_prompt(glyphs, canvas, (CnVec2){box.x + 12, box.y + 6}, height,
                        action ? action : "", text);
}

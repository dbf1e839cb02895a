#include "use_prompt.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/trade.h"
#include "crafty/sim/villager.h"

#define ACTION "place_block"
#define BELOW 22.0f /* points from the middle of the crosshair */
#define HEIGHT 18.0f

bool crafty_use_prompt_text(CnWorld *world, CnEntity player, char text[CRAFTY_USE_PROMPT_BYTES])
{
    CnEntity entity = crafty_villager_aimed(world, player);
    const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    if (!villager || !creature || !list)
        return false;
    CraftyProfession profession = (CraftyProfession)villager->profession;
    const char *name = crafty_profession_name(profession);
    if (!crafty_trades_count(list->trades, profession))
        return false;
    if (villager->activity == CRAFTY_VILLAGER_SLEEPS)
        return cn_format(text, CRAFTY_USE_PROMPT_BYTES, "The %s is asleep", name);
    if (creature->label[0])
        return cn_format(text, CRAFTY_USE_PROMPT_BYTES, "Trade with %s, the %s", creature->label,
                         name);
    return cn_format(text, CRAFTY_USE_PROMPT_BYTES, "Trade with the %s", name);
}

void crafty_use_prompt_draw(CnWorld *world, CnEntity player, const CraftyGlyphs *glyphs,
                            CnCanvas *canvas, float text_size)
{
    char text[CRAFTY_USE_PROMPT_BYTES];
    if (!crafty_use_prompt_text(world, player, text))
        return;
    float height = HEIGHT * text_size;
    CnRect area = cn_canvas_area(canvas);
    CnTextStyle style = {.size = height * 0.75f};
    float glyph = crafty_glyph_width(glyphs, canvas, height, ACTION);
    float width = cn_canvas_text_size(canvas, &style, cn_text(text), 0).x;
    width += glyph > 0 ? glyph + height * 0.35f : 0;
    CnRect box = {area.x + (area.width - width) / 2 - 10, area.y + area.height / 2 + BELOW,
                  width + 20, height + 10};
    cn_canvas_box(canvas, box, &(CnBoxStyle){.fill = cn_rgba(0x10141AC0), .radius = 6});
    crafty_glyph_prompt(glyphs, canvas, (CnVec2){box.x + 10, box.y + 5}, height, ACTION, text);
}

/* The table `hud`: elements and dialogs on the screens of players. */
#include "hud.h"
#include "mod_cost.h"
#include "mod_effect.h"
#include "mod_resource.h"
#include "mods_internal.h"

#include <string.h>

static uint32_t player_of(const CnLuaCall *call)
{
    return (uint32_t)call->arguments[0].number;
}

static const char *mod_name(const CnLuaCall *call)
{
    return crafty_mod_of(call)->source->name;
}

static bool set(CnLuaCall *call)
{
    const CnText json = call->arguments[2].text;
    if (!crafty_mod_may_act(call) || !crafty_mod_player(call, 0).id)
        return false;
    cn_lua_charge(call, CRAFTY_MOD_COST_EVENT + json.size * (uint64_t)CRAFTY_MOD_COST_BYTE);
    return crafty_mod_hud_set(crafty_mod_run(call)->world, player_of(call), mod_name(call),
                              call->arguments[1].text, json, call->error);
}

static bool erase(CnLuaCall *call)
{
    return crafty_mod_may_act(call) && crafty_mod_player(call, 0).id &&
           cn_lua_return_boolean(call,
                                 crafty_mod_hud_erase(crafty_mod_run(call)->world, player_of(call),
                                                      mod_name(call), call->arguments[1].text));
}

static bool clear(CnLuaCall *call)
{
    if (!crafty_mod_may_act(call) || !crafty_mod_player(call, 0).id)
        return false;
    crafty_mod_hud_clear(crafty_mod_run(call)->world, player_of(call), mod_name(call));
    return true;
}

static bool ask(CnLuaCall *call)
{
    const CnText json = call->arguments[1].text;
    bool opened;
    if (!crafty_mod_may_act(call) || !crafty_mod_player(call, 0).id)
        return false;
    cn_lua_charge(call, CRAFTY_MOD_COST_EVENT + json.size * (uint64_t)CRAFTY_MOD_COST_BYTE);
    return crafty_mod_dialog_ask(crafty_mod_run(call)->world, player_of(call), mod_name(call),
                                 call->arguments[2].text, json, &opened, call->error) &&
           cn_lua_return_boolean(call, opened);
}

static bool close_dialog(CnLuaCall *call)
{
    return crafty_mod_may_act(call) && crafty_mod_player(call, 0).id &&
           cn_lua_return_boolean(call, crafty_mod_dialog_close(crafty_mod_run(call)->world,
                                                               player_of(call), mod_name(call)));
}

/* ---- Choices ---- */

void crafty_mods_leave(CnWorld *world, uint32_t player)
{
    crafty_mod_hud_leave(world, player);
}

bool crafty_mods_choose(CnWorld *world, uint32_t player, uint32_t number, uint32_t choice)
{
    const CraftyModding *modding = cn_resource(world, CraftyModding);
    CraftyModChoice answer;
    if (!modding || !crafty_mod_dialog_choose(world, player, number, choice, &answer))
        return false;
    CraftyModNote note = {.event = CRAFTY_MOD_CHOICE, .player = player, .count = (uint16_t)choice};
    if (cn_format(note.text, sizeof note.text, "%s:%s", answer.mod, answer.dialog))
        crafty_mods_note(world, &note);
    return true;
}

/* ---- The part of the state ---- */

static void *create(CraftyModRun *run, CnError *error)
{
    bool good = crafty_mod_hud_add(run->world, error) && crafty_mod_effects_add(run->world, error);
    return good ? run : NULL;
}

static void destroy(void *part)
{
    crafty_mod_hud_remove(((CraftyModRun *)part)->world);
}

static bool save(const void *part, CnU8Array *bytes, CnError *error)
{
    return crafty_mod_hud_write(((const CraftyModRun *)part)->world, bytes, error);
}

static bool runs(const void *user, CnText name)
{
    const CraftyMods *mods = user;
    for (uint32_t i = 0; i < mods->count; i++)
        if (cn_text_equal(cn_text(mods->list[i].source->name), name))
            return true;
    return false;
}

/* What mods show that are missing now is gone. */
static bool restore(void *part, const uint8_t *bytes, size_t size, CnError *error)
{
    CraftyModRun *run = part;
    if (!crafty_mod_hud_restore(run->world, bytes, size, error))
        return false;
    crafty_mod_hud_keep(run->world, runs, run->mods);
    return true;
}

static uint64_t hash(const void *part)
{
    return crafty_mod_hud_hash(((const CraftyModRun *)part)->world);
}

static void tick(void *part)
{
    crafty_mod_dialogs_tick(((CraftyModRun *)part)->world);
}

const CraftyModPart crafty_mod_hud_part = {.name = "hud",
                                           .create = create,
                                           .destroy = destroy,
                                           .save = save,
                                           .restore = restore,
                                           .hash = hash,
                                           .tick = tick};

/* ---- The table ---- */

static const CnLuaField element_fields[] = {
    {"kind", "string",
     "`text`, `bar`, `image`, `grid`, `panel`, or `marker`: at a position in the world."},
    {"anchor", "string?",
     "Where it lies on the screen, or in its panel: `topLeft` (by default), `top`, `topRight`, "
     "`left`, `center`, `right`, `bottomLeft`, `bottom` or `bottomRight`."},
    {"x", "number?", "Points to the right of the anchor."},
    {"y", "number?", "Points down from the anchor."},
    {"width", "number?", "In points; by default as wide as the content."},
    {"height", "number?", "In points; by default as high as the content."},
    {"text", "string?", "At most 255 bytes; lines end with `\\n`."},
    {"size", "number?", "Of the text, as a multiple of the normal size: 0.5 to 4."},
    {"color", "string?", "Of the text or the bar: `#RRGGBB` or `#RRGGBBAA`; white by default."},
    {"background", "string?", "Of the box behind it; none by default."},
    {"value", "number?", "Of a bar: how much is filled, 0 to 1."},
    {"tile", "string?", "Of an image or a marker: an item, a block or a picture of the mod."},
    {"columns", "integer?", "Of a grid: 1 to 64."},
    {"rows", "integer?", "Of a grid: 1 to 64."},
    {"colors", "string?", "Of a grid: six hexadecimal digits for each cell, row by row."},
    {"position", "Position?", "Of a marker."},
    {"children", "HudElement[]?", "Of a panel: elements in it."},
    {0}};
static const CnLuaField dialog_fields[] = {
    {"title", "string?", "At most 63 bytes."},
    {"text", "string?", "At most 1,023 bytes; lines end with `\\n`."},
    {"choices", "string[]", "The texts of 1 to 8 buttons, at most 95 bytes each."},
    {0}};
static const CnLuaClass classes[] = {
    {"HudElement", "Something on the screen of a player.", element_fields},
    {"Dialog", "A question to a player.", dialog_fields},
    {0}};
static const CnLuaFunction functions[] = {
    {"set", set, "(player: integer, key: string, element: HudElement)",
     "Shows an element, instead of the one with the same key. A mod shows at most 64 elements and "
     "64 KiB to a player.",
     "on(\"join\", function(e)\n"
     "    hud.set(e.player, \"goal\", {\n"
     "        kind = \"panel\", anchor = \"topRight\", x = -8, y = 8, background = \"#00000080\",\n"
     "        children = {\n"
     "            { kind = \"text\", text = \"Find the bell\", color = \"#ffe070\" },\n"
     "            { kind = \"bar\", y = 20, width = 120, height = 8, value = 0.25 },\n"
     "        },\n"
     "    })\n"
     "end)"},
    {"remove", erase, "(player: integer, key: string): boolean",
     "Removes an element. Returns whether there was one.",
     "on(\"died\", function(e) hud.remove(e.player, \"goal\") end)"},
    {"clear", clear, "(player: integer)", "Removes all elements of the mod.",
     "on(\"died\", function(e) hud.clear(e.player) end)"},
    {"ask", ask, "(player: integer, dialog: Dialog, name: string): boolean",
     "Opens a dialog, instead of one of the same mod. The choice comes back as the event "
     "`choice`: `dialog` is the name, `choice` the number of the button, 0 if the player closed "
     "it. Returns false if it waits, because a dialog of another mod is open or the player has just "
     "closed one: it opens later, unless the mod closes or replaces it.",
     "on(\"join\", function(e)\n"
     "    hud.ask(e.player, { title = \"Guide\", text = \"Do you need help?\",\n"
     "                        choices = { \"Yes\", \"No\" } }, \"help\")\n"
     "end)\n"
     "on(\"choice\", function(e)\n"
     "    if e.dialog == \"help\" and e.choice == 1 then print(\"Help is near.\") end\n"
     "end)"},
    {"close", close_dialog, "(player: integer): boolean",
     "Closes the dialog of the mod, open or waiting. Returns whether there was one.",
     "on(\"hurt\", function(e) hud.close(e.player) end)"},
    {0}};
const CnLuaTable crafty_mod_hud_table = {
    "hud", "The screen: elements and dialogs for each player. Both are saved with the world.",
    functions, classes};

/* What the systems of Crafty ask mods, and of what they notify them, where it happens. */
#include "mods_internal.h"

#include "mod_resource.h"

#include "crafty/sim/chat.h"

#include <cairn/base/log.h>

#include <stdlib.h>
#include <string.h>

#define REFUSAL_PAUSE 40u /* ticks between two reasons for a player */
#define ANSWER_LINES 10u

static CraftyModRun *run_of(const CnWorld *world)
{
    const CraftyModding *modding = cn_resource(world, CraftyModding);
    return modding ? modding->run : NULL;
}

/* What handlers do is not asked about, so that mods never wait for each other. */
static bool is_idle(const CraftyModRun *run)
{
    return run && run->is_active && run->mods->phase == CRAFTY_MODS_IDLE;
}

static CnText text_of(const CnTextBuilder *text)
{
    return (CnText){text->items, text->count};
}

/* ---- Notes ---- */

void crafty_mods_note(CnWorld *world, const CraftyModNote *note)
{
    CraftyModRun *run = run_of(world);
    if (!run || !run->is_active)
        return;
    if (run->mods->running && !crafty_mod_take_quota(run->mods->running, CRAFTY_MOD_NOTES))
        return;
    if (run->notes.count < CRAFTY_MOD_MAX_NOTES && cn_array_push(&run->notes, *note))
        return;
    run->notes_dropped++;
    if (!run->dropped_logged)
        CN_LOG_WARNING("mods",
                       "mods are not notified of all events of tick %llu: there are too many",
                       (unsigned long long)run->tick);
    run->dropped_logged = true;
}

/* ---- Asking ---- */

static void refuse(CraftyModRun *run, const CraftyModNote *note, const CraftyModState *mod,
                   CnText reason)
{
    CraftyChatLine line = {.to = note->player, .from = note->player, .kind = CRAFTY_CHAT_ERROR};
    CraftyModVisitor *visitor = crafty_mods_visitor(run, note->player);
    if (!visitor || run->tick < visitor->refused_tick)
        return;
    visitor->refused_tick = run->tick + REFUSAL_PAUSE;
    if (reason.size)
        cn_copy_text(line.text, sizeof line.text, reason);
    else
        cn_format(line.text, sizeof line.text, "The mod %s prevents this.", mod->source->name);
    crafty_chat_send(run->world, &line);
}

/* Returns false if the handler prevents it. */
static bool ask(CraftyModRun *run, CraftyModState *mod, const CraftyModHandler *handler,
                CraftyModNote *note)
{
    CnLuaValue results[2];
    if (!crafty_mod_note_write(run, note, &run->text))
        return true;
    if (!crafty_mod_call(mod, CRAFTY_MODS_ASK, handler->function, text_of(&run->text), results, 2))
        return true;
    if (results[0].kind == CN_LUA_BOOLEAN && !results[0].boolean) {
        refuse(run, note, mod, results[1].kind == CN_LUA_TEXT ? results[1].text : (CnText){0});
        return false;
    }
    if (note->event == CRAFTY_MOD_HURT && results[0].kind == CN_LUA_NUMBER) {
        double amount = results[0].number;
        note->value = amount > 0 ? (float)(amount < 1000 ? amount : 1000) : 0;
    }
    return true;
}

bool crafty_mods_ask(CnWorld *world, CraftyModNote *note)
{
    CraftyModRun *run = run_of(world);
    if (!is_idle(run))
        return true;
    for (uint32_t i = 0; i < run->mods->count; i++) {
        CraftyModState *mod = &run->mods->list[i];
        for (uint32_t k = 0; k < mod->hooks.handlers.count && !mod->is_disabled; k++) {
            const CraftyModHandler *handler = &mod->hooks.handlers.items[k];
            if (handler->is_before && handler->event == note->event &&
                !ask(run, mod, handler, note))
                return false;
        }
    }
    return true;
}

/* ---- Blocks ---- */

const CraftyBlockHandlers *crafty_mods_block_handlers(const CraftyModRun *run, CnBlock block,
                                                      CraftyModState **mod)
{
    if (!run || !run->is_active || !run->of_block || block >= run->blocks->count)
        return NULL;
    CraftyModOfBlock entry = run->of_block[block];
    if (!entry.index)
        return NULL;
    *mod = &run->mods->list[entry.mod];
    return (*mod)->is_disabled ? NULL : &(*mod)->hooks.blocks.items[entry.index - 1];
}

bool crafty_mods_use_block(CnWorld *world, CnEntity player, CnCell cell, CnBlock block)
{
    CraftyModRun *run = run_of(world);
    CraftyModState *mod;
    CnLuaValue result;
    const CraftyBlockHandlers *handlers =
        is_idle(run) ? crafty_mods_block_handlers(run, block, &mod) : NULL;
    if (!handlers || !handlers->on_use)
        return false;
    CraftyModNote note = {.event = CRAFTY_MOD_USE,
                          .player = crafty_mod_player_number(run, player),
                          .cell = cell,
                          .block = block,
                          .item = crafty_mods_held(run, player)};
    return crafty_mod_note_write(run, &note, &run->text) &&
           crafty_mod_call(mod, CRAFTY_MODS_RUN, handlers->on_use, text_of(&run->text), &result,
                           1) &&
           result.kind == CN_LUA_BOOLEAN && result.boolean;
}

bool crafty_mods_wants_random(const CnWorld *world, CnBlock block)
{
    CraftyModState *mod;
    const CraftyBlockHandlers *handlers = crafty_mods_block_handlers(run_of(world), block, &mod);
    return handlers && handlers->on_random_tick;
}

bool crafty_mods_block_tick(CnWorld *world, CnCell cell, CnBlock block, bool random)
{
    CraftyModRun *run = run_of(world);
    CraftyModState *mod;
    const CraftyBlockHandlers *handlers =
        is_idle(run) ? crafty_mods_block_handlers(run, block, &mod) : NULL;
    uint32_t function = !handlers ? 0 : random ? handlers->on_random_tick : handlers->on_tick;
    if (!function)
        return false;
    run->text.count = 0;
    if (cn_text_append_format(&run->text,
                              "{\"block\":\"%s\",\"random\":%s,\"x\":%d,\"y\":%d,\"z\":%d}",
                              handlers->name, random ? "true" : "false", cell.x, cell.y, cell.z))
        crafty_mod_call(mod, CRAFTY_MODS_RUN, function, text_of(&run->text), NULL, 0);
    return true;
}

/* ---- Commands ---- */

static const CraftyModCommand *find_command(const CraftyModRun *run, CnText name,
                                            CraftyModState **mod)
{
    for (uint32_t i = 0; i < run->mods->count; i++) {
        *mod = &run->mods->list[i];
        for (uint32_t k = 0; k < (*mod)->hooks.commands.count && !(*mod)->is_disabled; k++)
            if (cn_text_equal(cn_text((*mod)->hooks.commands.items[k].name), name))
                return &(*mod)->hooks.commands.items[k];
    }
    return NULL;
}

static json_t *words_of(CnText text)
{
    json_t *words = json_array();
    CnText word;
    while (words && cn_text_split(&text, ' ', &word))
        if (word.size && json_array_append_new(words, json_stringn(word.data, word.size)) != 0)
            break;
    return words;
}

static bool write_command(CraftyModRun *run, uint32_t player, CnText text)
{
    json_t *table = json_pack("{s:o, s:I, s:s%}", "arguments", words_of(text), "player",
                              (json_int_t)player, "text", text.size ? text.data : "", text.size);
    char *json = table ? json_dumps(table, JSON_COMPACT) : NULL;
    run->text.count = 0;
    bool good = json && cn_text_append(&run->text, cn_text(json));
    free(json);
    json_decref(table);
    return good;
}

static void answer(CraftyModRun *run, uint32_t player, CnText text)
{
    CnText part;
    for (uint32_t i = 0; i < ANSWER_LINES && cn_text_split(&text, '\n', &part); i++) {
        CraftyChatLine line = {.to = player, .from = player, .kind = CRAFTY_CHAT_ANSWER};
        if (!part.size)
            continue;
        cn_copy_text(line.text, sizeof line.text, part);
        crafty_chat_send(run->world, &line);
    }
}

bool crafty_mods_run_command(CnWorld *world, uint32_t player, CnText name, CnText text)
{
    CraftyModRun *run = run_of(world);
    CraftyModState *mod;
    CnLuaValue result;
    const CraftyModCommand *command = is_idle(run) ? find_command(run, name, &mod) : NULL;
    if (!command)
        return false;
    if (write_command(run, player, cn_text_trim(text)) &&
        crafty_mod_call(mod, CRAFTY_MODS_RUN, command->function, text_of(&run->text), &result, 1) &&
        result.kind == CN_LUA_TEXT)
        answer(run, player, result.text);
    return true;
}

const CraftyChatCommand *crafty_mods_commands(const CnWorld *world, uint32_t *count)
{
    const CraftyModRun *run = run_of(world);
    *count = run ? run->commands.count : 0;
    return run ? run->commands.items : NULL;
}

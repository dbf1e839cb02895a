/* on, before, command: of what mods want to be notified, and the events that they get. */
#include "mods_internal.h"

#include "crafty/sim/chat_commands.h"

#include <stdlib.h>
#include <string.h>

#define TICK_PERIOD 20u
#define MAX_PERIOD 72000u
#define MAX_HANDLERS 512u
#define MAX_COMMANDS 64u

static const char *const names[CRAFTY_MOD_EVENT_COUNT] = {[CRAFTY_MOD_PLACE] = "place",
                                                          [CRAFTY_MOD_BREAK] = "break",
                                                          [CRAFTY_MOD_USE] = "use",
                                                          [CRAFTY_MOD_HURT] = "hurt",
                                                          [CRAFTY_MOD_DIED] = "died",
                                                          [CRAFTY_MOD_RESPAWNED] = "respawned",
                                                          [CRAFTY_MOD_ATE] = "ate",
                                                          [CRAFTY_MOD_CRAFTED] = "crafted",
                                                          [CRAFTY_MOD_PICKED_UP] = "picked_up",
                                                          [CRAFTY_MOD_STEPPED] = "stepped",
                                                          [CRAFTY_MOD_CHAT] = "chat",
                                                          [CRAFTY_MOD_JOIN] = "join",
                                                          [CRAFTY_MOD_TALK] = "talk",
                                                          [CRAFTY_MOD_TICK] = "tick",
                                                          [CRAFTY_MOD_CHOICE] = "choice"};
static const bool can_prevent[CRAFTY_MOD_EVENT_COUNT] = {
    [CRAFTY_MOD_PLACE] = true, [CRAFTY_MOD_BREAK] = true, [CRAFTY_MOD_USE] = true,
    [CRAFTY_MOD_HURT] = true,  [CRAFTY_MOD_CHAT] = true,  [CRAFTY_MOD_TALK] = true};

const char *crafty_mod_event_name(CraftyModEvent event)
{
    return names[event];
}

/* ---- Registering ---- */

static bool find_event(CnLuaCall *call, bool is_before, uint8_t *event)
{
    char list[256] = "", escaped[CRAFTY_MOD_KEY_BYTES];
    size_t size = 0;
    for (uint8_t i = 0; i < CRAFTY_MOD_EVENT_COUNT; i++) {
        if (is_before && !can_prevent[i])
            continue;
        *event = i;
        if (cn_text_equal(call->arguments[0].text, cn_text(names[i])))
            return true;
        cn_format(list + size, sizeof list - size, "%s%s", size ? ", " : "", names[i]);
        size = strlen(list);
    }
    return cn_error_set(call->error, CN_ERROR_NOT_FOUND,
                        "there is no event \"%s\" here; there are: %s",
                        cn_text_escape(call->arguments[0].text, escaped, sizeof escaped), list);
}

static bool add_handler(CnLuaCall *call, bool is_before)
{
    CraftyModHooks *hooks = &crafty_mod_of(call)->hooks;
    CraftyModHandler handler = {
        .function = call->arguments[1].function, .period = TICK_PERIOD, .is_before = is_before};
    if (!crafty_mod_may_register(call) || !find_event(call, is_before, &handler.event))
        return false;
    if (handler.event == CRAFTY_MOD_CHAT && !crafty_mod_has_permission(call, CRAFTY_MOD_MAY_CHAT))
        return false;
    if (!is_before && call->arguments[2].kind == CN_LUA_NUMBER) {
        double period = call->arguments[2].number;
        if (handler.event != CRAFTY_MOD_TICK || !(period >= 1 && period <= MAX_PERIOD))
            return cn_error_set(call->error, CN_ERROR_LIMIT,
                                "only the event \"tick\" has a period, 1 to %u ticks", MAX_PERIOD);
        handler.period = (uint32_t)period;
    }
    if (hooks->handlers.count == MAX_HANDLERS)
        return cn_error_set(call->error, CN_ERROR_LIMIT, "a mod has at most %u handlers of events",
                            MAX_HANDLERS);
    return cn_array_push(&hooks->handlers, handler) || cn_error_memory(call->error, "a handler");
}

static bool on(CnLuaCall *call)
{
    return add_handler(call, false);
}

static bool before(CnLuaCall *call)
{
    return add_handler(call, true);
}

/* ---- Commands ---- */

static bool is_word(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_'))
            return false;
    return *name != 0;
}

static bool is_taken(const CraftyMods *mods, const char *name)
{
    if (crafty_chat_command_find(cn_text(name)))
        return true;
    for (uint32_t i = 0; i < mods->count; i++)
        for (uint32_t k = 0; k < mods->list[i].hooks.commands.count; k++)
            if (strcmp(mods->list[i].hooks.commands.items[k].name, name) == 0)
                return true;
    return false;
}

static bool read_command(CnLuaCall *call, json_t *table, CraftyModCommand *command)
{
    const char *name = json_string_value(json_object_get(table, "name"));
    const char *usage = json_string_value(json_object_get(table, "usage"));
    const char *help = json_string_value(json_object_get(table, "help"));
    command->function = crafty_mod_take_handler(table, "run");
    if (!name || !cn_copy_text(command->name, sizeof command->name, cn_text(name)) ||
        !is_word(name))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"name\" must be 1 to %u lower-case letters, digits and '_'",
                            (uint32_t)sizeof command->name - 1);
    if (!command->function)
        return cn_error_set(call->error, CN_ERROR_FORMAT, "\"run\" must be a function");
    if (!cn_copy_text(command->usage, sizeof command->usage, cn_text(usage ? usage : "")) ||
        !cn_copy_text(command->help, sizeof command->help, cn_text(help ? help : "")))
        return cn_error_set(
            call->error, CN_ERROR_LIMIT, "\"usage\" has at most %u bytes, \"help\" %u",
            (uint32_t)sizeof command->usage - 1, (uint32_t)sizeof command->help - 1);
    return !is_taken(crafty_mod_of(call)->mods, name) ||
           cn_error_set(call->error, CN_ERROR_EXISTS, "there is a command /%s already", name);
}

static bool define_command(CnLuaCall *call)
{
    CraftyModHooks *hooks = &crafty_mod_of(call)->hooks;
    CraftyModCommand command = {0};
    if (!crafty_mod_may_register(call) || !crafty_mod_has_permission(call, CRAFTY_MOD_MAY_COMMANDS))
        return false;
    if (hooks->commands.count == MAX_COMMANDS)
        return cn_error_set(call->error, CN_ERROR_LIMIT, "a mod has at most %u commands",
                            MAX_COMMANDS);
    json_t *table = crafty_mod_table_of(call, 0);
    bool good =
        table && read_command(call, table, &command) &&
        (cn_array_push(&hooks->commands, command) || cn_error_memory(call->error, "a command"));
    json_decref(table);
    return good;
}

/* ---- What handlers get ---- */

static bool put_cell(json_t *table, CnCell cell)
{
    return json_object_set_new(table, "x", json_integer(cell.x)) == 0 &&
           json_object_set_new(table, "y", json_integer(cell.y)) == 0 &&
           json_object_set_new(table, "z", json_integer(cell.z)) == 0;
}

static bool put_text(json_t *table, const char *key, const char *text)
{
    return !text || !*text || json_object_set_new(table, key, json_string(text)) == 0;
}

static bool put_number(json_t *table, const char *key, json_int_t number)
{
    return json_object_set_new(table, key, json_integer(number)) == 0;
}

static bool put_block(const CraftyModRun *run, json_t *table, const CraftyModNote *note)
{
    return put_cell(table, note->cell) &&
           put_text(table, "block", crafty_mod_block_name(run, note->block)) &&
           put_text(table, "item", crafty_mod_item_name(run, note->item));
}

static const char *dialog_of(const CraftyModNote *note)
{
    const char *colon = strchr(note->text, ':');
    return colon ? colon + 1 : note->text;
}

static bool put_fields(const CraftyModRun *run, json_t *table, const CraftyModNote *note)
{
    switch ((CraftyModEvent)note->event) {
    case CRAFTY_MOD_PLACE:
    case CRAFTY_MOD_BREAK:
    case CRAFTY_MOD_USE:
    case CRAFTY_MOD_STEPPED:
        return put_block(run, table, note);
    case CRAFTY_MOD_HURT:
        return json_object_set_new(table, "amount", json_real((double)note->value)) == 0 &&
               put_text(table, "cause", note->text);
    case CRAFTY_MOD_DIED:
        return put_text(table, "cause", note->text);
    case CRAFTY_MOD_ATE:
        return put_text(table, "item", crafty_mod_item_name(run, note->item));
    case CRAFTY_MOD_CRAFTED:
    case CRAFTY_MOD_PICKED_UP:
        return put_text(table, "item", crafty_mod_item_name(run, note->item)) &&
               put_number(table, "count", note->count);
    case CRAFTY_MOD_CHAT:
        return json_object_set_new(table, "text", json_string(note->text)) == 0;
    case CRAFTY_MOD_TALK:
        return json_object_set_new(table, "creature",
                                   json_real(crafty_mod_creature_id((CnEntity){note->creature}))) ==
                   0 &&
               put_text(table, "profession", note->text);
    case CRAFTY_MOD_TICK:
        return put_number(table, "tick", (json_int_t)run->tick);
    case CRAFTY_MOD_CHOICE:
        return put_text(table, "dialog", dialog_of(note)) &&
               put_number(table, "choice", note->count);
    case CRAFTY_MOD_RESPAWNED:
    case CRAFTY_MOD_JOIN:
    case CRAFTY_MOD_EVENT_COUNT:
        break;
    }
    return true;
}

bool crafty_mod_note_write(const CraftyModRun *run, const CraftyModNote *note, CnTextBuilder *text)
{
    json_t *table = json_object();
    bool good = table && (!note->player || put_number(table, "player", note->player)) &&
                put_fields(run, table, note);
    char *json = good ? json_dumps(table, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    text->count = 0;
    good = json && cn_text_append(text, cn_text(json));
    free(json);
    json_decref(table);
    return good;
}

/* ---- The table ---- */

static const CnLuaField block_fields[] = {
    {"player", "integer?", "The number of the player; nil in ticks."},
    {"x", "integer", "The cell of the block."},
    {"y", "integer", ""},
    {"z", "integer", ""},
    {"block", "string", "The name of the block."},
    {"item", "string?", "What the player holds, in `on_use`, \"use\" and \"place\"."},
    {"random", "boolean?", "Whether it is a random tick."},
    {0}};
static const CnLuaField command_fields[] = {
    {"name", "string", "What is typed after `/`: lower-case letters, digits and `_`."},
    {"usage", "string?", "What follows the name, such as `name [x y z]`."},
    {"help", "string?", "One sentence, for `/help`."},
    {"run", "fun(e: CommandEvent): string?", "Carries it out. A text is the answer to the player."},
    {0}};
static const CnLuaField event_fields[] = {
    {"player", "integer", "The number of the player; 0: the console."},
    {"arguments", "string[]", "The words after the name."},
    {"text", "string", "All that follows the name."},
    {0}};
static const CnLuaClass classes[] = {
    {"BlockEvent", "What happens to a block.", block_fields},
    {"CommandDef", "A command of the chat.", command_fields},
    {"CommandEvent", "A command that a player typed.", event_fields},
    {0}};
static const CnLuaFunction functions[] = {
    {"on", on, "(event: string, handler: fun(e: table), every?: integer)",
     "Calls a function after something happened.\n\n"
     "| Event | Fields |\n|---|---|\n"
     "| `place`, `break`, `use` | `player`, `x`, `y`, `z`, `block`, `item` |\n"
     "| `stepped` | `player`, `x`, `y`, `z`, `block`: the block below the feet is another one |\n"
     "| `hurt` | `player`, `amount`, `cause` |\n"
     "| `died` | `player`, `cause` |\n"
     "| `respawned`, `join` | `player` |\n"
     "| `ate` | `player`, `item` |\n"
     "| `crafted`, `picked_up` | `player`, `item`, `count` |\n"
     "| `chat` | `player`, `text`; needs the permission `chat` |\n"
     "| `talk` | `player`, `creature`, `profession`: the player used a villager |\n"
     "| `choice` | `player`, `dialog`, `choice`: the answer to `hud.ask` |\n"
     "| `tick` | `tick`; every 20th tick (60 are a second), or every `every` ticks |",
     "on(\"break\", function(e)\n"
     "    print(e.player, e.block, e.x, e.y, e.z)\n"
     "end)"},
    {"before", before, "(event: string, handler: fun(e: table): any)",
     "Asks a function before `place`, `break`, `use`, `hurt`, `chat` or `talk` happens. It must "
     "not change anything. If it returns `false` and a reason, it does not happen, and the player "
     "reads the reason. Of `hurt`, it may also return the new amount. What mods do themselves is "
     "not asked about.",
     "before(\"break\", function(e)\n"
     "    if e.block == \"bookshelf\" then return false, \"Books are sacred.\" end\n"
     "end)"},
    {"command", define_command, "(definition: CommandDef)",
     "Adds a command to the chat. Needs the permission `commands`.",
     "command {\n"
     "    name = \"roll\", usage = \"[sides]\", help = \"Rolls a die.\",\n"
     "    run = function(e)\n"
     "        return \"A die with \" .. (e.arguments[1] or 6) .. \" sides.\"\n"
     "    end,\n"
     "}"},
    {0}};
const CnLuaTable crafty_mod_event_table = {
    NULL,
    "Events and commands: registered while `main.lua` runs. Handlers run in the order of the mods "
    "and of their registration.",
    functions, classes};

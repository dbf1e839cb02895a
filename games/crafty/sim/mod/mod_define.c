/* Functions with which mods register items, recipes, rules, creatures and trades. */
#include "mods_internal.h"

#include "crafty/world/creature_kinds.h"
#include "crafty/world/data_reader.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/json_size.h>

#include <stdlib.h>
#include <string.h>

/* ---- Shared by all definitions ---- */

/* Numbers of functions differ when code changes, the content does not. */
static uint64_t hash_without_functions(CnText text, uint64_t hash)
{
    static const char mark[] = "{\"function\":";
    size_t begin = 0, size = sizeof mark - 1;
    for (size_t i = 0; i + size < text.size; i++)
        if (memcmp(text.data + i, mark, size) == 0) {
            hash = cn_hash_bytes(text.data + begin, i - begin, hash);
            for (i += size; i < text.size && text.data[i] != '}';)
                i++;
            begin = i;
        }
    return begin < text.size ? cn_hash_bytes(text.data + begin, text.size - begin, hash) : hash;
}

bool crafty_mod_may_define(CnLuaCall *call, bool *again)
{
    CraftyModState *mod = crafty_mod_of(call);
    *again = mod->mods->phase == CRAFTY_MODS_REDEFINE;
    if (!crafty_mod_may_register(call))
        return false;
    for (uint32_t i = 0; i < call->argument_count; i++)
        mod->hooks.definitions =
            hash_without_functions(call->arguments[i].text, cn_hash_mix(mod->hooks.definitions));
    return true;
}

json_t *crafty_mod_table_of(CnLuaCall *call, uint32_t argument)
{
    json_error_t wrong;
    const CnText text = call->arguments[argument].text;
    json_t *table = json_loadb(text.data, text.size, 0, &wrong);
    if (!table)
        cn_error_memory(call->error, "a definition");
    return table;
}

uint32_t crafty_mod_take_handler(json_t *table, const char *key)
{
    json_int_t function =
        json_integer_value(json_object_get(json_object_get(table, key), "function"));
    if (function <= 0 || function > CN_LUA_MAX_HANDLERS)
        return 0;
    json_object_del(table, key);
    return (uint32_t)function;
}

void crafty_mod_title(const char *name, char *title, size_t title_bytes)
{
    const char *colon = strchr(name, ':');
    bool starts = true;
    cn_copy_text(title, title_bytes, cn_text(colon ? colon + 1 : name));
    for (char *c = title; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
        if (starts && *c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
        starts = *c == ' ';
    }
}

/* Names of recipes may have stars, which stand for words. */
static bool is_valid(const char *name)
{
    char plain[CRAFTY_MOD_KEY_BYTES];
    cn_copy_text(plain, sizeof plain, cn_text(name));
    for (char *c = plain; *c; c++)
        *c = *c == '*' ? 'x' : *c;
    return crafty_item_name_valid(cn_text(plain));
}

bool crafty_mod_name(CnLuaCall *call, const char *name, char full[CRAFTY_MOD_KEY_BYTES])
{
    const CraftyModState *mod = call->user;
    const char *own = mod->source->name, *colon = name ? strchr(name, ':') : NULL;
    char escaped[CRAFTY_MOD_KEY_BYTES];
    if (!name)
        return cn_error_set(call->error, CN_ERROR_FORMAT, "\"name\" is missing");
    cn_text_escape(cn_text(name), escaped, sizeof escaped);
    size_t size = strlen(own);
    if (colon && ((size_t)(colon - name) != size || strncmp(name, own, size) != 0))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"%s\" must begin with \"%s:\", or have no ':'", escaped, own);
    bool fits = mod->source->is_standard || colon
                    ? cn_copy_text(full, CRAFTY_MOD_KEY_BYTES - 6, cn_text(name))
                    : cn_format(full, CRAFTY_MOD_KEY_BYTES - 6, "%s:%s", own, name);
    return (fits && is_valid(full)) ||
           cn_error_set(call->error, CN_ERROR_FORMAT,
                        "the name \"%s\" must be lower-case letters, digits and '_', at most %u "
                        "with \"%s:\"",
                        escaped, CRAFTY_MOD_KEY_BYTES - 7, own);
}

static bool fill_record(CraftyMods *mods, CraftyRecord *record, const char *file, const char *key,
                        const json_t *value)
{
    char *json = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    record->file = crafty_mods_copy(mods, file);
    record->key = key ? crafty_mods_copy(mods, key) : NULL;
    record->json = json ? crafty_mods_copy(mods, json) : NULL;
    free(json);
    return record->file && record->json && (!key || record->key);
}

#define MAX_RECORD_BYTES (128u << 10)

/* Otherwise the document of all records could not be read, and nobody would know whose fault it
 * is. Rows are two levels deep in it, offers four. */
static bool check_size(CnLuaCall *call, CraftyRecordKind kind, const char *json)
{
    const uint32_t most = CRAFTY_DATA_MAX_DEPTH - (kind == CRAFTY_RECORD_OFFER ? 4 : 2);
    const CnJsonSize size = cn_json_measure(cn_text(json));
    if (size.depth > most)
        return cn_error_set(call->error, CN_ERROR_LIMIT,
                            "the tables of a definition are nested at most %u deep", most);
    return strlen(json) <= MAX_RECORD_BYTES ||
           cn_error_set(call->error, CN_ERROR_LIMIT, "a definition has at most %u bytes as text",
                        MAX_RECORD_BYTES);
}

bool crafty_mod_record(CnLuaCall *call, CraftyRecordKind kind, const char *key, const json_t *value)
{
    const CraftyModState *mod = call->user;
    CraftyMods *mods = mod->mods;
    char file[CN_LUA_PATH_BYTES];
    CraftyRecord record = {.kind = kind, .mod = mod->index};
    cn_lua_call_position(call, file, &record.line);
    cn_lua_charge(call, call->argument_count ? call->arguments[0].text.size * 4 : 0);
    /* Pushed first, so that what was allocated is freed with the other records. */
    if (!cn_array_push(&mods->records, record))
        return cn_error_memory(call->error, "a definition");
    CraftyRecord *last = &mods->records.items[mods->records.count - 1];
    if (!fill_record(mods, last, file, key, value))
        return cn_error_memory(call->error, "a definition");
    return mod->source->is_standard || check_size(call, kind, last->json);
}

static bool set_full_name(CnLuaCall *call, json_t *row)
{
    char name[CRAFTY_MOD_KEY_BYTES];
    if (!crafty_mod_name(call, json_string_value(json_object_get(row, "name")), name))
        return false;
    return json_object_set_new(row, "name", json_string(name)) == 0 ||
           cn_error_memory(call->error, "a definition");
}

bool crafty_mod_define_named(CnLuaCall *call, CraftyRecordKind kind)
{
    bool again;
    if (!crafty_mod_may_define(call, &again) || again)
        return again;
    json_t *row = crafty_mod_table_of(call, 0);
    if (!row)
        return false;
    bool good =
        json_is_object(row)
            ? set_full_name(call, row) && crafty_mod_record(call, kind, NULL, row)
            : cn_error_set(call->error, CN_ERROR_FORMAT, "a table with named fields is expected");
    json_decref(row);
    return good;
}

/* ---- Rows with a name ---- */

typedef struct Definition {
    CraftyRecordKind kind;
    bool has_title;                                 /* derived from the name */
    bool is_named;                                  /* "name" is required */
    bool (*complete)(CnLuaCall *call, json_t *row); /* NULL: nothing is added */
    /* Takes functions from the row, also when main.lua runs again; NULL: it has none. */
    bool (*take_functions)(CnLuaCall *call, json_t *row);
} Definition;

static bool set_names(CnLuaCall *call, const Definition *definition, json_t *row)
{
    char name[CRAFTY_MOD_KEY_BYTES], title[CRAFTY_MOD_KEY_BYTES];
    const CraftyModState *mod = call->user;
    const char *given = json_string_value(json_object_get(row, "name"));
    if (!given && !definition->is_named)
        return true;
    if (!crafty_mod_name(call, given, name))
        return false;
    crafty_mod_title(name, title, sizeof title);
    if (mod->source->is_standard) /* titles of the standard content follow its own rule */
        return true;
    bool needs_title = definition->has_title && !json_object_get(row, "title");
    return (json_object_set_new(row, "name", json_string(name)) == 0 &&
            (!needs_title || json_object_set_new(row, "title", json_string(title)) == 0)) ||
           cn_error_memory(call->error, "a definition");
}

static bool define(CnLuaCall *call, const Definition *definition)
{
    bool again;
    if (!crafty_mod_may_define(call, &again) || (again && !definition->take_functions))
        return again;
    json_t *row = crafty_mod_table_of(call, 0);
    if (!row)
        return false;
    bool good = json_is_object(row) ||
                cn_error_set(call->error, CN_ERROR_FORMAT, "a table with named fields is expected");
    good = good && (!definition->take_functions || definition->take_functions(call, row));
    good = good && (again || (set_names(call, definition, row) &&
                              (!definition->complete || definition->complete(call, row)) &&
                              crafty_mod_record(call, definition->kind, NULL, row)));
    json_decref(row);
    return good;
}

static bool define_item(CnLuaCall *call)
{
    return define(call, &(Definition){CRAFTY_RECORD_ITEM, true, true, crafty_mod_item_tile, NULL});
}

static bool define_block_items(CnLuaCall *call)
{
    return define(call, &(Definition){.kind = CRAFTY_RECORD_BLOCK_ITEMS});
}

static bool define_recipe(CnLuaCall *call)
{
    return define(call, &(Definition){.kind = CRAFTY_RECORD_RECIPE});
}

static bool define_rule(CnLuaCall *call)
{
    return define(call, &(Definition){.kind = CRAFTY_RECORD_RULE});
}

/* ---- Creatures ---- */

#define FIRST_MOD_NUMBER 128u

static bool is_used(const CraftyMods *mods, uint32_t number)
{
    char text[32];
    cn_format(text, sizeof text, "\"number\":%u,", number);
    for (uint32_t i = 0; i < mods->records.count; i++)
        if (mods->records.items[i].kind == CRAFTY_RECORD_CREATURE &&
            strstr(mods->records.items[i].json, text))
            return true;
    return false;
}

/* A number that follows from the name, so that saved worlds find the kind again. */
static uint32_t number_of(const CraftyMods *mods, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619u;
    uint32_t range = CRAFTY_MAX_CREATURE_NUMBER - FIRST_MOD_NUMBER + 1, first = hash % range;
    for (uint32_t i = 0; i < range; i++)
        if (!is_used(mods, FIRST_MOD_NUMBER + (first + i) % range))
            return FIRST_MOD_NUMBER + (first + i) % range;
    return FIRST_MOD_NUMBER;
}

static bool complete_creature(CnLuaCall *call, json_t *row)
{
    const CraftyModState *mod = call->user;
    const char *name = json_string_value(json_object_get(row, "name"));
    if (mod->source->is_standard)
        return true;
    if (json_object_get(row, "number"))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"number\" is not set by mods: it follows from the name");
    json_int_t number = name ? number_of(mod->mods, name) : FIRST_MOD_NUMBER;
    if (json_object_set_new(row, "number", json_integer(number)) != 0)
        return cn_error_memory(call->error, "a creature");
    return crafty_mod_creature_model(call, row) && crafty_mod_creature_skin(call, row);
}

static bool define_creature(CnLuaCall *call)
{
    return define(call, &(Definition){CRAFTY_RECORD_CREATURE, true, true, complete_creature,
                                      crafty_mod_take_behaviours});
}

/* ---- Rows with a key ---- */

static bool define_keyed(CnLuaCall *call, CraftyRecordKind kind)
{
    bool again;
    char key[CRAFTY_MOD_KEY_BYTES], escaped[CRAFTY_MOD_KEY_BYTES];
    if (!crafty_mod_may_define(call, &again) || again)
        return again;
    if (!cn_copy_text(key, sizeof key, call->arguments[0].text) ||
        !crafty_item_name_valid(cn_text(key)))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "the name \"%s\" must be lower-case letters, digits and '_'",
                            cn_text_escape(call->arguments[0].text, escaped, sizeof escaped));
    json_t *value = crafty_mod_table_of(call, 1);
    bool good = value && crafty_mod_record(call, kind, key, value);
    json_decref(value);
    return good;
}

static bool define_words(CnLuaCall *call)
{
    return define_keyed(call, CRAFTY_RECORD_WORDS);
}

static bool define_group(CnLuaCall *call)
{
    return define_keyed(call, CRAFTY_RECORD_GROUP);
}

static bool define_trade(CnLuaCall *call)
{
    return define_keyed(call, CRAFTY_RECORD_OFFER);
}

static bool define_flower(CnLuaCall *call)
{
    bool again;
    char name[CRAFTY_MOD_KEY_BYTES];
    if (!crafty_mod_may_define(call, &again) || again)
        return again;
    if (!cn_copy_text(name, sizeof name, call->arguments[0].text))
        return cn_error_set(call->error, CN_ERROR_FORMAT, "the name is too long");
    json_t *value = json_string(name);
    bool good = value ? crafty_mod_record(call, CRAFTY_RECORD_FLOWER, NULL, value)
                      : cn_error_memory(call->error, "a flower");
    json_decref(value);
    return good;
}

/* ---- Data files ---- */

static bool read_embedded(CnLuaCall *call, const CraftyModSource *source, CnText name)
{
    char escaped[CRAFTY_MOD_KEY_BYTES];
    for (const CraftyModFile *file = source->embedded; file->name; file++)
        if (cn_text_equal(cn_text(file->name), name))
            return cn_lua_return(call, cn_lua_json(file->text));
    return cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no file \"%s\"",
                        cn_text_escape(name, escaped, sizeof escaped));
}

static bool is_path(CnText name)
{
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        bool is_good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       (c && strchr("_-./", c));
        if (!is_good || (c == '.' && i + 1 < name.size && name.data[i + 1] == '.'))
            return false;
    }
    return name.size && name.data[0] != '/' && name.data[0] != '.';
}

/* Copies the text, because it must outlive the file until the call returns. */
static bool read_file(CnLuaCall *call, const CraftyModSource *source, CnText name)
{
    char path[CN_LUA_PATH_BYTES];
    CnFileInfo info;
    CnFileBytes bytes = {0};
    const char *folder = source->folder ? source->folder : "";
    if (!is_path(name) || !cn_format(path, sizeof path, "%s%s%.*s", folder, *folder ? "/" : "",
                                     (int)name.size, name.data))
        return cn_error_set(call->error, CN_ERROR_FORMAT, "this is not the name of a file");
    if (!source->files->info(source->files, path, &info, call->error))
        return false;
    if (info.is_directory || info.size_bytes > CRAFTY_DATA_MAX_BYTES)
        return cn_error_set(call->error, CN_ERROR_LIMIT, "%s is not a file of at most %u KiB", path,
                            CRAFTY_DATA_MAX_BYTES / 1024);
    if (!cn_file_read_all(source->files, path, NULL, &bytes, call->error))
        return false;
    cn_lua_charge(call, bytes.size);
    bool fits = cn_text_append(call->text, (CnText){(const char *)bytes.data, bytes.size});
    cn_file_bytes_free(&bytes);
    if (!fits)
        return cn_error_memory(call->error, "a file");
    return cn_lua_return(call, cn_lua_json((CnText){call->text->items, call->text->count}));
}

static bool read_data(CnLuaCall *call)
{
    const CraftyModSource *source = ((CraftyModState *)call->user)->source;
    bool again;
    if (!crafty_mod_may_define(call, &again))
        return false;
    return source->embedded ? read_embedded(call, source, call->arguments[0].text)
                            : read_file(call, source, call->arguments[0].text);
}

/* ---- The table ---- */

static const CnLuaField item_fields[] = {
    {"name", "string", "Lower-case letters, digits and `_`. The mod's name and `:` are added."},
    {"title", "string?", "What players see; by default made from the name."},
    {"stack", "integer?", "How many a slot holds: 1 to 64."},
    {"tool", "string?", "`pickaxe`, `axe`, `shovel`, `hoe`, `sword`, `shears` or `bucket`."},
    {"tier", "string?", "`hand`, `wood`, `stone`, `iron`, `gold` or `diamond`."},
    {"durability", "integer?", "Uses until it breaks."},
    {"food", "integer?", "Points of food that eating it gives: 1 to 20."},
    {"fuel_seconds", "number?", "How long it burns in a furnace."},
    {"tile", "string?",
     "The picture: `textures/NAME.png` of the mod, or that of another item, such as `item_stick`. "
     "By default the texture of the item's own name, if there is one."},
    {"remainder", "string?", "The item that is left when it is used up."},
    {0}};
static const CnLuaField recipe_fields[] = {
    {"shape", "string[]?", "1 to 3 lines of 1 to 3 characters; a space is an empty cell."},
    {"keys", "table<string, string>?", "The item of each character; `#group` is any of a group."},
    {"shapeless", "string[]?", "Instead of a shape: items that lie anywhere."},
    {"smelt", "string?", "Instead of both: the item that a furnace turns into the result."},
    {"seconds", "number?", "How long smelting takes; 10 by default."},
    {"result", "string", "The item that is made."},
    {"count", "integer?", "How many; 1 by default."},
    {"name", "string?", "Needed if another recipe has the same result."},
    {"over", "(string[]|string)?", "What `*` in names stands for, one after the other."},
    {0}};
static const CnLuaField creature_fields[] = {
    {"name", "string", "Lower-case letters, digits and `_`; at most 31 with the mod's name."},
    {"title", "string?", "What players see."},
    {"model", "(string|table)",
     "The model of a standard creature, such as `pig`, or a table in the form of "
     "`creature_models.json` (docs/formats.md) without `name`: `{height = 12, parts = {{name = "
     "\"body\", pivot = {0, 6, 0}}}, boxes = {{part = \"body\", from = {-4, -6, -4}, size = {8, "
     "12, 8}, all = \"fur\"}}}`. Its skins are textures of the mod, or those of standard "
     "creatures."},
    {"skin", "(string|table<string, string>)?",
     "`textures/NAME.png` of the mod instead of all skins of the model, or a table of textures by "
     "the skin that they replace, such as `{pig_body = \"stripes\"}`."},
    {"sound", "string?", "The voice of a standard creature."},
    {"medium", "string?", "`ground`, `water` or `air`."},
    {"hostile", "boolean?", "Absent from peaceful worlds."},
    {"size", "number[]", "Width and height in blocks."},
    {"health", "number?", "1 to 1000; 10 by default."},
    {"speed", "number?", "Blocks per second."},
    {"damage", "number?", "Of an attack."},
    {"foods", "string[]?", "Items that tempt, heal and breed it."},
    {"drops", "table[]?", "`{item = \"leather\", count = {0, 2}, chance = 0.5}`."},
    {"spawn", "table?", "Where it appears: `habitat`, `biomes`, `chance`, `group`, `cap`, ..."},
    {"behaviours", "table[]?",
     "What it does, most important first: `{do = \"wander\", speed = 1}`. The word `do` is a key: "
     "write `[\"do\"]`. In `{do = \"script\", run = function(c) ... end, every = 20}`, `run` is "
     "called every 20 ticks, with a ThoughtEvent, and returns `\"wander\"` or nil (what follows in "
     "the list decides), `\"idle\"`, `\"flee\"`, `\"follow\"`, `\"attack\"` or `{goal = {x = 1, y "
     "= 2, z = 3}}`; `speed` is that of the steps."},
    {0}};
static const CnLuaField thought_fields[] = {
    {"id", "integer", "The number of the creature."},
    {"kind", "string", "Its name."},
    {"health", "number", "What is left."},
    {"position", "table", "Its feet: `{x, y, z}`."},
    {"player", "integer", "The number of the nearest player."},
    {"distance", "number", "How far the player is: at most 64 blocks."},
    {0}};
static const CnLuaClass classes[] = {{"ThoughtEvent", "What a creature knows.", thought_fields},
                                     {"ItemDef", "An item.", item_fields},
                                     {"RecipeDef", "A recipe.", recipe_fields},
                                     {"CreatureDef", "A kind of creature.", creature_fields},
                                     {0}};

static const CnLuaFunction functions[] = {
    {"item", define_item, "(definition: ItemDef)", "Registers an item that places nothing.",
     "item { name = \"ruby\", tile = \"item_emerald\", stack = 16 }"},
    {"block_items", define_block_items, "(definition: table)",
     "Changes the items of blocks whose names fit `match`: `food`, `fuel_seconds`, `remainder` and "
     "`stack`.",
     "block_items { match = \"*_planks\", fuel_seconds = 15 }"},
    {"recipe", define_recipe, "(definition: RecipeDef)", "Registers a recipe.",
     "recipe { name = \"quick_torch\", shape = { \"c\", \"s\" },\n"
     "         keys = { c = \"charcoal\", s = \"stick\" }, result = \"torch\", count = 8 }"},
    {"recipe_group", define_group, "(name: string, items: string[])",
     "Names items that recipes accept in each other's place, as `#name`.",
     "recipe_group(\"shiny\", { \"diamond\", \"emerald\" })\n"
     "recipe { shapeless = { \"#shiny\", \"stick\" }, result = \"torch\", name = \"shiny_torch\" }"},
    {"recipe_words", define_words, "(name: string, words: string[])",
     "Names a list of words for `over`.", "recipe_words(\"metals\", { \"iron\", \"gold\" })"},
    {"block_rule", define_rule, "(definition: table)",
     "Says which tool breaks blocks, and what they drop: `match` or `surface`, `tool`, `tier`, "
     "`drops`, `when_shorn`. The first rule that fits holds; those of mods come before the "
     "standard ones.",
     "block_rule { match = \"sand\", tool = \"shovel\", drops = { { item = \"sand\", min = 1, max "
     "= 2 } } }"},
    {"creature", define_creature, "(definition: CreatureDef)", "Registers a kind of creature.",
     "creature { name = \"piglet\", model = \"pig\", sound = \"pig\", size = { 0.5, 0.5 },\n"
     "           behaviours = { { [\"do\"] = \"script\", every = 40, run = function(c)\n"
     "               if c.distance < 5 then return \"flee\" end\n"
     "           end }, { [\"do\"] = \"wander\" } } }"},
    {"flower", define_flower, "(block: string)", "Registers a block that bees visit.",
     "flower(\"sunflower\")"},
    {"trade", define_trade, "(profession: string, offer: table)",
     "Registers an offer of villagers: `number` (1 to 8, unique in the profession), `cost`, "
     "`result`, `count` and `stock`.",
     "trade(\"farmer\", { number = 8, cost = { { item = \"apple\", count = 9 } },\n"
     "                  result = \"emerald\", stock = 4 })"},
    {"read_json", read_data, "(file: string): table",
     "Reads a JSON file of the mod while main.lua runs.",
     "for _, name in ipairs(read_json(\"gems.json\").gems) do\n"
     "    item { name = name, tile = \"item_emerald\" }\n"
     "end"},
    {0}};
const CnLuaTable crafty_mod_define_table = {
    NULL,
    "Definitions: called while `main.lua` runs. Names of other content are complete: `stone`, "
    "`castle:gate`.",
    functions, classes};

/*
 * The functions `decoration` and `structure`. Variants may be Lua functions: they are called when
 * main.lua has run for the first time, a fixed number of times, and their results are data like any
 * other. Generation never calls Lua.
 */
#include "mods_internal.h"

#include "crafty/world/features.h"

#include <cairn/base/hash_map.h>

#include <stdlib.h>
#include <string.h>

#define DEFAULT_SAMPLES 4u

/* ---- Definitions ---- */

static bool define_decoration(CnLuaCall *call)
{
    return crafty_mod_define_named(call, CRAFTY_RECORD_DECORATION);
}

static bool define_structure(CnLuaCall *call)
{
    return crafty_mod_define_named(call, CRAFTY_RECORD_STRUCTURE);
}

/* ---- Random numbers of variants ---- */

static bool draw(CnLuaCall *call)
{
    CraftyModState *mod = crafty_mod_of(call);
    if (!mod->dice)
        return cn_error_set(call->error, CN_ERROR_PERMISSION,
                            "generation.random is for functions that make variants");
    double low = call->arguments[0].number, high = call->arguments[1].number;
    mod->dice = cn_hash_mix(mod->dice) | 1;
    const double part = (double)(cn_hash_mix(mod->dice) >> 11) * 0x1p-53;
    if (call->arguments[0].kind == CN_LUA_NIL)
        return cn_lua_return_number(call, part);
    if (call->arguments[1].kind == CN_LUA_NIL) {
        high = low;
        low = 1;
    }
    if (low > high || high - low >= 0x1p31)
        return cn_error_set(call->error, CN_ERROR_FORMAT, "the range is empty or too large");
    return cn_lua_return_number(call, low + (double)(uint64_t)(part * (high - low + 1)));
}

/* ---- Variants from functions ---- */

static uint32_t function_of(const json_t *value)
{
    const json_int_t function = json_integer_value(json_object_get(value, "function"));
    return json_object_size(value) == 1 && function > 0 && function <= CN_LUA_MAX_HANDLERS
               ? (uint32_t)function
               : 0;
}

/* Calls a function once and appends the variant that it returns. */
static bool make_variant(CraftyModState *mod, uint32_t function, uint64_t dice, json_t *variants,
                         CnError *error)
{
    CnLuaValue result = {0};
    json_error_t wrong;
    cn_lua_sandbox_begin_tick(mod->sandbox);
    mod->dice = dice | 1;
    mod->mods->phase = CRAFTY_MODS_IDLE; /* nothing is registered now */
    bool good = cn_lua_sandbox_call(mod->sandbox, function, NULL, 0, &result, error);
    mod->mods->phase = CRAFTY_MODS_DEFINE;
    mod->dice = 0;
    if (!good)
        return false;
    if (result.kind != CN_LUA_TABLE)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the function of a variant must return a table with \"layers\"");
    json_t *variant = json_loadb(result.text.data, result.text.size, 0, &wrong);
    return (variant && json_array_append_new(variants, variant) == 0) ||
           cn_error_memory(error, "a variant");
}

/* The random numbers follow from the name and the number of the variant. */
static bool make_variants(CraftyModState *mod, json_t *row, uint32_t samples, CnError *error)
{
    json_t *given = json_object_get(row, "variants"), *made = json_array(), *value;
    const char *name = json_string_value(json_object_get(row, "name"));
    bool good = made || cn_error_memory(error, "a variant");
    size_t i;
    json_array_foreach(given, i, value)
    {
        const uint32_t function = function_of(value);
        for (uint32_t k = 0; good && k < (function ? samples : 1); k++) {
            uint64_t dice =
                cn_hash_mix(cn_hash_bytes(name, strlen(name), 64 * (uint64_t)i + k + 1));
            good = function
                       ? make_variant(mod, function, dice, made, error)
                       : json_array_append(made, value) == 0 || cn_error_memory(error, "a variant");
        }
    }
    if (good)
        good = json_object_set(row, "variants", made) == 0 || cn_error_memory(error, "a variant");
    json_decref(made);
    return good;
}

static bool has_function(const json_t *row)
{
    json_t *value;
    size_t i;
    json_array_foreach(json_object_get(row, "variants"), i,
                       value) if (function_of(value)) return true;
    return false;
}

static bool take_samples(json_t *row, uint32_t *samples, CnError *error)
{
    json_t *value = json_object_get(row, "samples");
    const json_int_t number = value ? json_integer_value(value) : DEFAULT_SAMPLES;
    *samples = (uint32_t)number;
    if ((value && !json_is_integer(value)) || number < 1 || number > CRAFTY_FEATURE_MAX_VARIANTS)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "\"samples\" must be a whole number from 1 to %u",
                            CRAFTY_FEATURE_MAX_VARIANTS);
    json_object_del(row, "samples");
    return true;
}

static bool replace_json(CraftyMods *mods, CraftyRecord *record, const json_t *row, CnError *error)
{
    char *json = json_dumps(row, JSON_COMPACT | JSON_SORT_KEYS);
    char *copy = json ? crafty_mods_copy(mods, json) : NULL;
    free(json);
    if (!copy)
        return cn_error_memory(error, "a variant");
    cn_free(mods->allocator, record->json, strlen(record->json) + 1);
    record->json = copy;
    return true;
}

/* The file and the line of the definition, if the error has none of its own. */
static void set_position(CnError *error, const CraftyRecord *record)
{
    const CnError cause = *error;
    if (!error->line)
        cn_error_set_at(error, cause.code, record->file, record->line, 0, "%s", cause.message);
}

static bool complete(CraftyModState *mod, CraftyRecord *record, CnError *error)
{
    json_error_t wrong;
    json_t *row = json_loads(record->json, 0, &wrong);
    uint32_t samples;
    if (!row)
        return cn_error_memory(error, "a variant");
    bool good = true;
    if (json_object_get(row, "samples") || has_function(row))
        good = take_samples(row, &samples, error) && make_variants(mod, row, samples, error) &&
               replace_json(mod->mods, record, row, error);
    json_decref(row);
    if (!good)
        set_position(error, record);
    return good;
}

bool crafty_mod_make_variants(CraftyModState *mod, CnError *error)
{
    CraftyMods *mods = mod->mods;
    for (uint32_t i = 0; i < mods->records.count; i++) {
        CraftyRecord *record = &mods->records.items[i];
        const bool is_feature =
            record->kind == CRAFTY_RECORD_DECORATION || record->kind == CRAFTY_RECORD_STRUCTURE;
        if (record->mod == mod->index && record->json && is_feature &&
            !complete(mod, record, error))
            return false;
    }
    return true;
}

/* ---- The tables ---- */

static const CnLuaField pattern_fields[] = {
    {"layers", "string[][]?",
     "Layers, the lowest first; each has rows from north to south, whose characters go from west to "
     "east. A space keeps what is there."},
    {"palette", "table<string, string|string[]>?",
     "The block of each character, or several, one of which is chosen for each cell. That of the "
     "definition by default."},
    {"block", "string?", "Instead of layers: one block."},
    {"height", "integer?", "How many of them stand on each other; 1 by default."},
    {"weight", "integer?", "How frequent it is among the variants: 1 to 1000; 1 by default."},
    {0}};

#define COMMON_FIELDS                                                                              \
    {"name", "string", "Lower-case letters, digits and `_`. The mod's name and `:` are added."},   \
        {"biomes", "string[]?", "Biomes in which it stands; all by default."},                     \
        {"on", "string[]?", "Blocks of the ground on which it stands; any by default."},           \
        {"heights", "integer[]?", "The lowest and the highest y of the ground: 15 to 255."},       \
        {"uneven", "integer?", "How many blocks the ground below it may differ; 255: any."},       \
        {"sunk", "integer?", "How many of its layers are below the ground's surface."},            \
        {"variants", "(PatternDef|fun(): PatternDef)[]?",                                          \
         "One of them is chosen for each place. A function is called `samples` times while the "   \
         "mod is loaded; it makes variants with `generation.random`."},                            \
        {"samples", "integer?", "How often functions are called: 1 to 16; 4 by default."},         \
        {"layers", "string[][]?", "Instead of variants: the layers of the only one."},             \
        {"palette", "table<string, string|string[]>?", "The blocks of the layers."},               \
        {"turn", "boolean?", "Whether it is turned in four directions; true by default."},         \
    {                                                                                              \
        "salt", "integer?", "Changes all places: 0 to 65535."                                      \
    }

static const CnLuaField decoration_fields[] = {
    COMMON_FIELDS,
    {"blocks", "(string|string[])?", "Instead of variants: single blocks."},
    {"per_chunk", "number?", "How many places a square of 16 blocks has: up to 64."},
    {"chance", "number?", "Instead of it: the chance that such a square has one, 0 to 1."},
    {0}};
static const CnLuaField structure_fields[] = {
    COMMON_FIELDS,
    {"spacing", "integer?",
     "Edge of the squares of which each has one place: 32 to 4096 blocks; 256 by default."},
    {"separation", "integer?", "Least distance between places, at least its width."},
    {"chance", "number?", "The chance that it stands at its place, 0 to 1."},
    {"foundation", "string?", "The block that fills the space below it."},
    {0}};
static const CnLuaClass classes[] = {
    {"PatternDef", "Blocks of a decoration or structure.", pattern_fields},
    {"DecorationDef", "A small feature of the ground, at most 16 blocks wide.", decoration_fields},
    {"StructureDef", "A building, at most 48 blocks wide and high.", structure_fields},
    {0}};

static const CnLuaFunction functions[] = {
    {"decoration", define_decoration, "(definition: DecorationDef)",
     "Registers plants, rocks or small trees of new terrain. They replace air and plants only.",
     "decoration { name = \"rock\", biomes = { \"taiga\", \"forest\" }, on = { \"grass\" },\n"
     "             chance = 0.3, sunk = 1, palette = { s = { \"stone\", \"mossy_cobblestone\" } "
     "},\n"
     "             variants = { { layers = { { \"sss\", \"sss\", \"sss\" }, { \" s \", \"ss \", \" "
     "  \" } } } } }"},
    {"structure", define_structure, "(definition: StructureDef)",
     "Registers a building of new terrain. Trees and villages keep off it. Changed cells of a world "
     "stay as they are; what nobody changed follows the mods that run.",
     "structure { name = \"hut\", biomes = { \"grassy_plains\" }, spacing = 200, sunk = 1,\n"
     "            foundation = \"cobblestone\",\n"
     "            palette = { w = \"oak_planks\", f = \"cobblestone\", [\".\"] = \"air\" },\n"
     "            variants = { function()\n"
     "                local layers = { { \"fff\", \"fff\", \"fff\" } }\n"
     "                for _ = 1, generation.random(2, 4) do\n"
     "                    table.insert(layers, { \"www\", \"w.w\", \"w.w\" })\n"
     "                end\n"
     "                table.insert(layers, { \"www\", \"www\", \"www\" })\n"
     "                return { layers = layers }\n"
     "            end } }"},
    {0}};
const CnLuaTable crafty_mod_feature_table = {
    NULL,
    "Decorations and structures of terrain. They are data when the mod is loaded, so that terrain "
    "depends on the seed, the place and the mods alone.",
    functions, classes};

static const CnLuaFunction generation_functions[] = {
    {"random", draw, "(low?: integer, high?: integer): number",
     "Returns a whole number from `low` to `high`, from 1 to `low`, or a number from 0 to 1. In "
     "functions that make variants only; the numbers are the same in every world.",
     "decoration { name = \"post\", samples = 3, variants = { function()\n"
     "    return { block = \"oak_log\", height = generation.random(2, 4) }\n"
     "end } }"},
    {0}};
const CnLuaTable crafty_mod_generation_table = {
    "generation", "Random numbers for variants of decorations and structures.",
    generation_functions, NULL};

/* The function `block`. */
#include "mods_internal.h"

#include "crafty/sim/container.h"
#include "crafty/world/blocks.h"
#include "crafty/world/data_reader.h"
#include "crafty/world/items_file.h"

#include <string.h>

static const char *const material_words[] = {"opaque", "semi", "water", "prop"};
static const char *const surface_words[] = {"stone", "grass", "sand", "wood"};

/* ---- Looks ---- */

static const CnBlockInfo *find_look(const CraftyMods *mods, const char *name)
{
    for (uint32_t i = 0; i < crafty_standard_block_count; i++)
        if (strcmp(crafty_standard_blocks[i].name, name) == 0)
            return &crafty_standard_blocks[i];
    for (uint32_t i = 0; i < mods->blocks.count; i++)
        if (strcmp(mods->blocks.items[i]->name, name) == 0)
            return &mods->blocks.items[i]->info;
    return NULL;
}

static bool read_text(CraftyDataReader *reader, json_t *table, const char *key, const char **name)
{
    *name = NULL;
    return crafty_data_text(reader, table, key, name);
}

static bool read_like(CraftyDataReader *reader, const CraftyMods *mods, json_t *table,
                      const CnBlockInfo **like)
{
    char escaped[CRAFTY_ITEM_NAME_BYTES];
    const char *name;
    *like = NULL;
    if (!read_text(reader, table, "like", &name))
        return false;
    if (!name)
        return true;
    *like = find_look(mods, name);
    return *like || crafty_data_fail(reader, "there is no block \"%s\" whose picture can be used",
                                     cn_text_escape(cn_text(name), escaped, sizeof escaped));
}

typedef enum Face { FACE_TOP, FACE_SIDE, FACE_BOTTOM } Face;

static uint16_t layer_of(const CnBlockInfo *info, Face face)
{
    return face == FACE_TOP ? info->top : face == FACE_SIDE ? info->side : info->bottom;
}

/* Reads what a face shows: a texture of the mod, or that of a block. */
static bool read_face(CnLuaCall *call, CraftyDataReader *reader, json_t *table, const char *key,
                      Face face, uint16_t *layer)
{
    const CraftyModTexture *texture;
    const char *name;
    if (!read_text(reader, table, key, &name) ||
        (name && !crafty_mod_texture(call, name, &texture)))
        return false;
    if (!name)
        return true;
    const CnBlockInfo *look =
        texture ? NULL : find_look(((CraftyModState *)call->user)->mods, name);
    if (!texture && !look)
        return crafty_mod_no_texture(call, key, name, "block");
    *layer = texture ? texture->layer : layer_of(look, face);
    return true;
}

/* Everything about the look, except for the shape. */
static void copy_look(CnBlockInfo *info, const CnBlockInfo *look)
{
    const CnBlockInfo own = *info;
    *info = *look;
    info->name = own.name;
    info->title = own.title;
    info->placeable = true;
    info->is_placeholder = false;
    info->shape = NULL;
    info->facing = CN_BLOCK_FACING_NONE;
    if (look->shape) /* a block with a shape looks like a full cube */
        info->material = CN_BLOCK_MATERIAL_OPAQUE;
}

static bool read_looks(CnLuaCall *call, CraftyDataReader *reader, json_t *table, CnBlockInfo *info)
{
    const CnBlockInfo *like;
    if (!read_like(reader, ((CraftyModState *)call->user)->mods, table, &like))
        return false;
    if (like)
        copy_look(info, like);
    return read_face(call, reader, table, "all", FACE_TOP, &info->top) &&
           read_face(call, reader, table, "all", FACE_SIDE, &info->side) &&
           read_face(call, reader, table, "all", FACE_BOTTOM, &info->bottom) &&
           read_face(call, reader, table, "top", FACE_TOP, &info->top) &&
           read_face(call, reader, table, "side", FACE_SIDE, &info->side) &&
           read_face(call, reader, table, "bottom", FACE_BOTTOM, &info->bottom);
}

/* ---- Numbers ---- */

static bool read_flag(CraftyDataReader *reader, json_t *table, const char *key, bool *flag)
{
    json_t *value = json_object_get(table, key);
    if (value && !json_is_boolean(value))
        return crafty_data_fail(reader, "\"%s\" must be true or false", key);
    *flag = value ? json_is_true(value) : *flag;
    return true;
}

static bool read_float(CraftyDataReader *reader, json_t *table, const char *key, double low,
                       double high, float *number)
{
    double value = (double)*number;
    if (!crafty_data_number(reader, table, key, low, high, &value))
        return false;
    *number = (float)value;
    return true;
}

static bool read_word(CraftyDataReader *reader, json_t *table, const char *key,
                      const char *const *words, uint32_t count, uint8_t *value)
{
    uint32_t index = *value;
    if (!crafty_data_word(reader, table, key, words, count, &index))
        return false;
    *value = (uint8_t)index;
    return true;
}

static bool read_slots(CraftyDataReader *reader, json_t *table, CnBlockInfo *info)
{
    uint16_t slots = 0;
    info->slots = 0; /* that of `like` is not copied */
    if (!crafty_data_whole(reader, table, "slots", 1, CRAFTY_CONTAINER_SLOTS, &slots))
        return false;
    info->slots = (uint8_t)slots;
    return true;
}

/* Red, green and blue; stays as it is if there is none. */
static bool read_color(CraftyDataReader *reader, json_t *table, const char *key, uint8_t color[3])
{
    json_t *given = json_object_get(table, key);
    if (!given)
        return true;
    for (uint32_t i = 0; i < 3; i++) {
        json_int_t value = json_integer_value(json_array_get(given, i));
        if (json_array_size(given) != 3 || value < 0 || value > 255 ||
            !json_is_integer(json_array_get(given, i)))
            return crafty_data_fail(reader, "\"%s\" must be three whole numbers, 0 to 255", key);
        color[i] = (uint8_t)value;
    }
    return true;
}

/* What maps, distant terrain and particles show. Textures are decoded by clients only, so it is not
 * taken from them: all machines must know the same color. */
static bool read_colors(CraftyDataReader *reader, json_t *table, CnBlockInfo *info)
{
    const uint8_t before[3] = {info->tint[0], info->tint[1], info->tint[2]};
    if (!read_color(reader, table, "tint", info->tint))
        return false;
    for (uint32_t i = 0; i < 3; i++) { /* the color is that of the tinted texture */
        uint32_t color = before[i] ? info->color[i] * (uint32_t)info->tint[i] / before[i] : 0;
        info->color[i] = (uint8_t)(color < 255 ? color : 255);
    }
    return read_color(reader, table, "color", info->color);
}

static bool read_light(CraftyDataReader *reader, json_t *table, CnBlockInfo *info)
{
    uint16_t level = info->light_level;
    if (!crafty_data_whole(reader, table, "light", 0, 15, &level))
        return false;
    if (level == info->light_level)
        return true;
    info->light_level = (uint8_t)level;
    info->emits_light = level > 0;
    info->light_radius = (float)level;
    info->light_intensity = level ? 1 : 0;
    for (uint32_t i = 0; i < 3; i++)
        info->light_color[i] = level ? (float)info->tint[i] / 255 : 0;
    return true;
}

/* ---- Shape: boxes in 1/16 of a block ---- */

static bool read_box(CraftyDataReader *reader, const json_t *row, CnBlockBox *box)
{
    uint8_t *numbers[6] = {&box->low[0],  &box->low[1],  &box->low[2],
                           &box->high[0], &box->high[1], &box->high[2]};
    for (uint32_t i = 0; i < 6; i++) {
        const json_t *value = json_array_get(row, i);
        json_int_t number = json_integer_value(value);
        if (json_array_size(row) != 6 || !json_is_integer(value) || number < 0 ||
            number > CN_BLOCK_SHAPE_UNITS)
            return crafty_data_fail(reader, "a box of \"shape\" must be six whole numbers, 0 to "
                                            "16: {x1, y1, z1, x2, y2, z2}");
        *numbers[i] = (uint8_t)number;
    }
    return true;
}

static bool read_shape(CraftyDataReader *reader, json_t *table, CraftyModBlock *block)
{
    json_t *shape = json_object_get(table, "shape"), *row;
    size_t i;
    if (!shape)
        return true;
    if (json_array_size(shape) == 0 || json_array_size(shape) > CN_BLOCK_SHAPE_BOXES)
        return crafty_data_fail(reader, "\"shape\" must be 1 to %d boxes", CN_BLOCK_SHAPE_BOXES);
    json_array_foreach(shape, i, row)
    {
        if (!read_box(reader, row, &block->shape.boxes[i]))
            return false;
        block->shape.count++;
    }
    block->info.shape = &block->shape;
    block->info.material = CN_BLOCK_MATERIAL_PROP;
    block->info.light_loss = 0;
    return true;
}

/* ---- All ---- */

static bool read_block(CnLuaCall *call, CraftyDataReader *reader, json_t *table,
                       CraftyModBlock *block)
{
    static const char *const keys[] = {
        "name",       "title",      "like",        "top",       "side",     "bottom",
        "tint",       "color",      "material",    "surface",   "hardness", "light",
        "collidable", "shape",      "replaceable", "climbable", "tool",     "tier",
        "drops",      "when_shorn", "all",         "slots",     NULL};
    CnBlockInfo *info = &block->info;
    return crafty_data_keys(reader, table, keys) && read_looks(call, reader, table, info) &&
           read_colors(reader, table, info) &&
           read_word(reader, table, "material", material_words, CN_COUNT_OF(material_words),
                     &info->material) &&
           read_word(reader, table, "surface", surface_words, CN_COUNT_OF(surface_words),
                     &info->surface) &&
           read_float(reader, table, "hardness", -1, 1000, &info->hardness) &&
           read_light(reader, table, info) && read_slots(reader, table, info) &&
           read_flag(reader, table, "collidable", &info->collidable) &&
           read_flag(reader, table, "replaceable", &info->replaceable) &&
           read_flag(reader, table, "climbable", &info->climbable) &&
           read_shape(reader, table, block);
}

static bool name_block(CnLuaCall *call, json_t *table, CraftyModBlock *block)
{
    char name[CRAFTY_MOD_KEY_BYTES];
    const CraftyMods *mods = ((CraftyModState *)call->user)->mods;
    const char *title = json_string_value(json_object_get(table, "title"));
    if (!crafty_mod_name(call, json_string_value(json_object_get(table, "name")), name))
        return false;
    cn_copy_text(block->name, sizeof block->name, cn_text(name));
    crafty_mod_title(name, block->title, sizeof block->title);
    if (title && (!*title || !cn_copy_text(block->title, sizeof block->title, cn_text(title))))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"title\" must be a text of 1 to %d "
                            "bytes",
                            CN_BLOCK_NAME_BYTES - 1);
    if (find_look(mods, block->name))
        return cn_error_set(call->error, CN_ERROR_EXISTS, "there already is a block \"%s\"",
                            block->name);
    return true;
}

/* Checks the properties as the block table does. */
static bool check_block(CnLuaCall *call, const CnBlockInfo *info)
{
    CnBlockTable *table = cn_block_table_create(NULL, call->error);
    bool good = table && cn_block_table_add(table, info, NULL, call->error);
    cn_block_table_destroy(table);
    return good;
}

static CraftyModBlock *add_block(CnLuaCall *call)
{
    CraftyModState *mod = call->user;
    CraftyMods *mods = mod->mods;
    CraftyModBlock *block = cn_alloc_zeroed(mods->allocator, sizeof *block);
    if (!block || !cn_array_push(&mods->blocks, block)) {
        cn_free(mods->allocator, block, sizeof *block);
        cn_error_memory(call->error, "a block");
        return NULL;
    }
    block->mod = mod->index;
    return block;
}

static void remove_last(CraftyMods *mods)
{
    CraftyModBlock *last = cn_array_pop(&mods->blocks);
    cn_free(mods->allocator, last, sizeof *last);
}

static bool take_handlers(CnLuaCall *call, json_t *table, const char *name)
{
    CraftyModState *mod = call->user;
    CraftyBlockHandlers handlers = {.on_use = crafty_mod_take_handler(table, "on_use"),
                                    .on_place = crafty_mod_take_handler(table, "on_place"),
                                    .on_break = crafty_mod_take_handler(table, "on_break"),
                                    .on_step = crafty_mod_take_handler(table, "on_step"),
                                    .on_tick = crafty_mod_take_handler(table, "on_tick"),
                                    .on_random_tick =
                                        crafty_mod_take_handler(table, "on_random_tick")};
    if (!handlers.on_use && !handlers.on_place && !handlers.on_break && !handlers.on_step &&
        !handlers.on_tick && !handlers.on_random_tick)
        return true;
    cn_copy_text(handlers.name, sizeof handlers.name, cn_text(name));
    return cn_array_push(&mod->hooks.blocks, handlers) || cn_error_memory(call->error, "a block");
}

/* Tool, tier and drops are a rule. */
static bool add_rule(CnLuaCall *call, json_t *table, const char *name)
{
    static const char *const keys[] = {"tool", "tier", "drops", "when_shorn"};
    json_t *rule = json_pack("{s:s}", "match", name);
    bool has_any = false, good = rule != NULL;
    for (uint32_t i = 0; i < CN_COUNT_OF(keys) && good; i++) {
        json_t *value = json_object_get(table, keys[i]);
        has_any |= value != NULL;
        good = !value || json_object_set(rule, keys[i], value) == 0;
    }
    if (good && has_any && !json_object_get(table, "drops"))
        good = json_object_set_new(rule, "drops", json_string("self")) == 0;
    if (!good)
        cn_error_memory(call->error, "a block");
    good = good && (!has_any || crafty_mod_record(call, CRAFTY_RECORD_RULE, NULL, rule));
    json_decref(rule);
    return good;
}

static bool fill_block(CnLuaCall *call, json_t *table, CraftyModBlock *block)
{
    CraftyDataReader reader = {
        .file = "", .text = cn_text("{}"), .error = call->error, .root = table};
    block->info = cn_block_info_default(block->name);
    block->info.title = block->title;
    return take_handlers(call, table, block->name) && read_block(call, &reader, table, block) &&
           check_block(call, &block->info) && add_rule(call, table, block->name);
}

/* The block exists: only its functions are taken. */
static bool define_again(CnLuaCall *call)
{
    char name[CRAFTY_MOD_KEY_BYTES];
    json_t *table = crafty_mod_table_of(call, 0);
    bool good = table &&
                crafty_mod_name(call, json_string_value(json_object_get(table, "name")), name) &&
                take_handlers(call, table, name);
    json_decref(table);
    return good;
}

static bool define_block(CnLuaCall *call)
{
    CraftyMods *mods = ((CraftyModState *)call->user)->mods;
    bool again;
    if (!crafty_mod_may_define(call, &again))
        return false;
    if (again)
        return define_again(call);
    json_t *table = crafty_mod_table_of(call, 0);
    if (table && !json_is_object(table)) {
        json_decref(table);
        return cn_error_set(call->error, CN_ERROR_FORMAT, "a table with named fields is expected");
    }
    CraftyModBlock named = {0}, *block;
    bool good = table && name_block(call, table, &named) && (block = add_block(call)) != NULL;
    if (good) {
        memcpy(block->name, named.name, sizeof named.name);
        memcpy(block->title, named.title, sizeof named.title);
        good = fill_block(call, table, block);
        if (!good)
            remove_last(mods);
    }
    json_decref(table);
    return good;
}

static const CnLuaField block_fields[] = {
    {"name", "string", "Lower-case letters, digits and `_`. The mod's name and `:` are added."},
    {"title", "string?", "What players see; by default made from the name."},
    {"like", "string?", "A block whose look and properties it has, except for its shape."},
    {"all", "string?",
     "What it shows: `textures/NAME.png` of the mod, or those of the block of this name."},
    {"top", "string?", "What its top shows, instead of `all`."},
    {"side", "string?", "What its sides show, instead of `all`."},
    {"bottom", "string?", "What its bottom shows, instead of `all`."},
    {"tint", "integer[]?",
     "A color by which the pictures are multiplied: red, green, blue, 0 to "
     "255."},
    {"color", "integer[]?",
     "What distant terrain, maps and particles show: red, green, blue, 0 to 255; by default that of "
     "`like`, multiplied by `tint`; gray without `like`."},
    {"material", "string?", "`opaque`, `semi` (leaves, glass) or `prop` (flowers)."},
    {"surface", "string?", "How it sounds: `stone`, `grass`, `sand` or `wood`."},
    {"hardness", "number?", "Breaking takes 1.5 seconds times this; -1: cannot be broken."},
    {"light", "integer?", "Light that it emits: 0 to 15."},
    {"collidable", "boolean?", "Whether bodies collide with it."},
    {"replaceable", "boolean?", "Whether a block placed into its cell replaces it."},
    {"climbable", "boolean?", "Whether bodies climb in its cell."},
    {"shape", "integer[][]?", "Boxes in sixteenths: `{x1, y1, z1, x2, y2, z2}`."},
    {"tool", "string?", "The tool that breaks it well."},
    {"tier", "string?", "The tier of the tool that it needs to drop something."},
    {"drops", "(string|table)?",
     "What drops: an item, or `{item = \"coal\", min = 1, max = 2, "
     "chance = 0.5}`, or a list of these; `self` by default."},
    {"when_shorn", "string?", "What shears get instead."},
    {"slots", "integer?", "An inventory of 1 to 27 slots, which players open by using it."},
    {"on_use", "fun(e: BlockEvent)?", "A player used it."},
    {"on_place", "fun(e: BlockEvent)?", "A player placed it."},
    {"on_break", "fun(e: BlockEvent)?", "A player broke it."},
    {"on_step", "fun(e: BlockEvent)?", "A player stepped onto it."},
    {"on_tick", "fun(e: BlockEvent)?", "A tick that `world.schedule` requested."},
    {"on_random_tick", "fun(e: BlockEvent)?", "Now and then, near players."},
    {0}};
static const CnLuaClass classes[] = {{"BlockDef", "A block.", block_fields}, {0}};
static const CnLuaFunction functions[] = {
    {"block", define_block, "(definition: BlockDef)",
     "Registers a block. It has an item of the same name, which places it.",
     "block {\n"
     "    name = \"moon_lamp\", like = \"glass\", tint = { 200, 220, 255 }, light = 12,\n"
     "    tool = \"pickaxe\",\n"
     "    on_use = function(e)\n"
     "        chat.send(e.player, \"The lamp is cold.\")\n"
     "    end,\n"
     "}"},
    {0}};
const CnLuaTable crafty_mod_block_table = {NULL, "Blocks: called while `main.lua` runs.", functions,
                                           classes};

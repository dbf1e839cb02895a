/* Patterns of features: from layers of text, or single blocks; turned in four directions. */
#include "features_internal.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define MAX_CHOICES 16u /* of one character of a palette */

/* The blocks that each character stands for. */
typedef struct Palette {
    CnBlock blocks[128][MAX_CHOICES];
    uint8_t counts[128];
} Palette;

typedef struct Patterns {
    CraftyDataReader *reader;
    CraftyFeatures *features;
    CraftyFeature *feature;
    json_t *palette; /* of the row, for variants without one; NULL: none */
    bool turns;
} Patterns;

/* ---- Blocks ---- */

typedef struct BlockCursor {
    const CnBlockTable *blocks;
    uint32_t next;
} BlockCursor;

static const char *next_block(void *user)
{
    BlockCursor *cursor = user;
    return cursor->next < cursor->blocks->count ? cursor->blocks->info[cursor->next++].name : NULL;
}

bool crafty_feature_find_block(CraftyDataReader *reader, const CraftyFeatures *features,
                               const char *name, CnBlock *block)
{
    char escaped[2 * CRAFTY_ITEM_NAME_BYTES];
    if (!name)
        return crafty_data_fail(reader, "the name of a block is expected");
    *block = cn_block_find(features->blocks, name);
    if (*block != CN_BLOCK_NONE)
        return true;
    cn_text_escape(cn_text(name), escaped, sizeof escaped);
    const char *similar =
        cn_text_most_similar(name, next_block, &(BlockCursor){features->blocks, 0});
    return similar ? crafty_data_fail(reader, "there is no block \"%s\" (did you mean \"%s\"?)",
                                      escaped, similar)
                   : crafty_data_fail(reader, "there is no block \"%s\"", escaped);
}

static bool read_choices(CraftyDataReader *reader, const CraftyFeatures *features, json_t *value,
                         CnBlock blocks[MAX_CHOICES], uint8_t *count)
{
    const size_t size = json_is_array(value) ? json_array_size(value) : 1;
    if (size == 0 || size > MAX_CHOICES)
        return crafty_data_fail(reader, "a character stands for a block, or for one of 1 to %u",
                                MAX_CHOICES);
    for (size_t i = 0; i < size; i++) {
        json_t *name = json_is_array(value) ? json_array_get(value, i) : value;
        if (!crafty_feature_find_block(reader, features, json_string_value(name), &blocks[i]))
            return false;
    }
    *count = (uint8_t)size;
    return true;
}

static bool read_palette(CraftyDataReader *reader, const CraftyFeatures *features, json_t *object,
                         Palette *palette)
{
    const char *key;
    json_t *value;
    size_t number = 0;
    memset(palette, 0, sizeof *palette);
    if (!json_is_object(object))
        return crafty_data_fail(reader, "\"palette\" must say what the characters of the layers "
                                        "stand for: {[\"#\"] = \"stone\"}");
    json_object_foreach(object, key, value)
    {
        crafty_data_enter(reader, number++, true);
        if (strlen(key) != 1 || key[0] <= ' ' || key[0] > '~')
            return crafty_data_fail(reader, "a key of \"palette\" must be one printable character "
                                            "of ASCII; a space always keeps what is there");
        const uint32_t at = (uint8_t)key[0];
        if (!read_choices(reader, features, value, palette->blocks[at], &palette->counts[at]))
            return false;
        crafty_data_leave(reader);
    }
    return true;
}

/* ---- Patterns ---- */

uint32_t crafty_feature_width(const CraftyFeature *feature)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < feature->placement.pattern_count; i++) {
        most = feature->patterns[i].width > most ? feature->patterns[i].width : most;
        most = feature->patterns[i].depth > most ? feature->patterns[i].depth : most;
    }
    return most;
}

static CnBlock *add_pattern(Patterns *patterns, uint32_t width, uint32_t height, uint32_t depth,
                            uint16_t weight)
{
    CraftyFeature *feature = patterns->feature;
    const size_t cells = (size_t)width * height * depth;
    const uint32_t number = feature->placement.pattern_count;
    patterns->features->cells += cells;
    if (patterns->features->cells > CRAFTY_FEATURE_MAX_CELLS) {
        crafty_data_fail(patterns->reader,
                         "all decorations and structures together have more than "
                         "%u cells",
                         CRAFTY_FEATURE_MAX_CELLS);
        return NULL;
    }
    CnBlock *blocks = cn_alloc(patterns->features->allocator, cells * sizeof *blocks);
    if (!blocks) {
        cn_error_memory(patterns->reader->error, "a structure");
        return NULL;
    }
    feature->patterns[number] =
        (CnPattern){(uint8_t)width, (uint8_t)height, (uint8_t)depth, weight, blocks};
    feature->cells[number] = cells;
    feature->placement.pattern_count++;
    return blocks;
}

static CnBlock turned(const Patterns *patterns, CnBlock block)
{
    const CraftyBlockFamilies *families = patterns->features->families;
    if (block == CN_BLOCK_NONE || !families || !crafty_block_has_direction(families, block))
        return block;
    const CraftyDirection direction =
        (crafty_block_direction(families, block) + 1) % CRAFTY_DIRECTION_COUNT;
    return crafty_block_turned(families, block, direction);
}

/* Adds the last pattern once more, turned clockwise as seen from above. */
static bool add_turned(Patterns *patterns)
{
    const CnPattern from =
        patterns->feature->patterns[patterns->feature->placement.pattern_count - 1];
    CnBlock *blocks = add_pattern(patterns, from.depth, from.height, from.width, from.weight);
    if (!blocks)
        return false;
    for (uint32_t z = 0; z < from.depth; z++)
        for (uint32_t y = 0; y < from.height; y++)
            for (uint32_t x = 0; x < from.width; x++) {
                const uint32_t to_x = from.depth - 1u - z, to_z = x;
                blocks[to_x + (size_t)from.depth * (y + (size_t)from.height * to_z)] = turned(
                    patterns, from.blocks[x + (size_t)from.width * (y + (size_t)from.height * z)]);
            }
    return true;
}

static bool finish_pattern(Patterns *patterns)
{
    for (uint32_t i = 0; i < 3 && patterns->turns; i++)
        if (!add_turned(patterns))
            return false;
    return true;
}

/* ---- Layers ---- */

static bool measure(CraftyDataReader *reader, json_t *layers, uint32_t most, uint32_t size[3])
{
    size[1] = (uint32_t)json_array_size(layers);
    if (!json_is_array(layers) || size[1] == 0 || size[1] > CN_PATTERN_MAX_HEIGHT)
        return crafty_data_fail(reader, "\"layers\" must be 1 to %u layers, the lowest first",
                                CN_PATTERN_MAX_HEIGHT);
    json_t *first = json_array_get(layers, 0);
    size[2] = (uint32_t)json_array_size(first);
    size[0] = (uint32_t)json_string_length(json_array_get(first, 0));
    if (size[0] == 0 || size[0] > most || size[2] == 0 || size[2] > most)
        return crafty_data_fail(reader, "a layer must be 1 to %u rows of 1 to %u characters", most,
                                most);
    return true;
}

static bool read_cell(CraftyDataReader *reader, const Palette *palette, char c, uint64_t dice,
                      CnBlock *block)
{
    *block = CN_BLOCK_NONE;
    if (c == ' ')
        return true;
    const uint8_t at = (uint8_t)c;
    if (at >= 128 || palette->counts[at] == 0) {
        const char text[2] = {c, 0};
        char escaped[16];
        return crafty_data_fail(reader, "the character \"%s\" is not in \"palette\"",
                                at < 128 ? cn_text_escape(cn_text(text), escaped, sizeof escaped)
                                         : "not ASCII");
    }
    *block = palette->blocks[at][dice % palette->counts[at]];
    return true;
}

static bool read_row(Patterns *patterns, const Palette *palette, json_t *text,
                     const uint32_t size[3], uint32_t y, uint32_t z, CnBlock *blocks)
{
    const char *cells = json_string_value(text);
    const size_t first = (size_t)size[0] * (y + (size_t)size[1] * z);
    if (!cells || json_string_length(text) != size[0])
        return crafty_data_fail(
            patterns->reader, "all rows must be texts of %u characters, as the first one", size[0]);
    for (uint32_t x = 0; x < size[0]; x++) {
        const uint64_t dice = cn_hash_mix(
            first + x + (uint64_t)patterns->feature->placement.pattern_count * 0x9E3779B97F4A7C15u);
        if (!read_cell(patterns->reader, palette, cells[x], dice, &blocks[first + x]))
            return false;
    }
    return true;
}

static bool read_layer(Patterns *patterns, const Palette *palette, json_t *layer,
                       const uint32_t size[3], uint32_t y, CnBlock *blocks)
{
    if (!json_is_array(layer) || json_array_size(layer) != size[2])
        return crafty_data_fail(patterns->reader, "all layers must have %u rows, as the first one",
                                size[2]);
    for (uint32_t z = 0; z < size[2]; z++) {
        crafty_data_enter(patterns->reader, z, false);
        if (!read_row(patterns, palette, json_array_get(layer, z), size, y, z, blocks))
            return false;
        crafty_data_leave(patterns->reader);
    }
    return true;
}

static bool read_layers(Patterns *patterns, json_t *object, uint16_t weight)
{
    CraftyDataReader *reader = patterns->reader;
    json_t *layers = json_object_get(object, "layers");
    json_t *own = json_object_get(object, "palette");
    const uint32_t most = patterns->feature->placement.is_structure ? CN_STRUCTURE_MAX_WIDTH
                                                                    : CN_DECORATION_MAX_WIDTH;
    uint32_t size[3] = {0};
    Palette palette;
    if (own)
        crafty_data_enter_key(reader, object, "palette");
    if (!read_palette(reader, patterns->features, own ? own : patterns->palette, &palette))
        return false;
    if (own)
        crafty_data_leave(reader);
    crafty_data_enter_key(reader, object, "layers");
    if (!measure(reader, layers, most, size))
        return false;
    CnBlock *blocks = add_pattern(patterns, size[0], size[1], size[2], weight);
    for (uint32_t y = 0; blocks && y < size[1]; y++) {
        crafty_data_enter(reader, y, false);
        if (!read_layer(patterns, &palette, json_array_get(layers, y), size, y, blocks))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return blocks && finish_pattern(patterns);
}

/* ---- Variants ---- */

/* A column of one block. */
static bool read_column(Patterns *patterns, json_t *name, uint16_t height, uint16_t weight)
{
    CnBlock block = CN_BLOCK_NONE;
    if (!crafty_feature_find_block(patterns->reader, patterns->features, json_string_value(name),
                                   &block))
        return false;
    CnBlock *blocks = add_pattern(patterns, 1, height, 1, weight);
    for (uint32_t y = 0; blocks && y < height; y++)
        blocks[y] = block;
    const CraftyBlockFamilies *families = patterns->features->families;
    const bool turns = patterns->turns && families && crafty_block_has_direction(families, block);
    return blocks && (!turns || finish_pattern(patterns));
}

static bool read_variant(Patterns *patterns, json_t *object)
{
    static const char *const keys[] = {"layers", "palette", "block", "height", "weight", NULL};
    CraftyDataReader *reader = patterns->reader;
    uint16_t weight = 1, height = 1;
    if (!json_is_object(object))
        return crafty_data_fail(reader, "a variant must be a table with \"layers\" or \"block\"");
    if (!crafty_data_keys(reader, object, keys) ||
        !crafty_data_whole(reader, object, "weight", 1, 1000, &weight) ||
        !crafty_data_whole(reader, object, "height", 1, CN_PATTERN_MAX_HEIGHT, &height))
        return false;
    json_t *block = json_object_get(object, "block");
    if (!block)
        return read_layers(patterns, object, weight);
    crafty_data_enter_key(reader, object, "block");
    if (!read_column(patterns, block, height, weight))
        return false;
    crafty_data_leave(reader);
    return true;
}

static bool read_list(Patterns *patterns, json_t *row, const char *key,
                      bool (*read)(Patterns *patterns, json_t *value))
{
    json_t *list = json_object_get(row, key);
    const size_t count = json_is_array(list) ? json_array_size(list) : 1;
    crafty_data_enter_key(patterns->reader, row, key);
    if (count == 0 || count > CRAFTY_FEATURE_MAX_VARIANTS)
        return crafty_data_fail(patterns->reader, "\"%s\" must have 1 to %u values", key,
                                CRAFTY_FEATURE_MAX_VARIANTS);
    for (size_t i = 0; i < count; i++) {
        if (json_is_array(list))
            crafty_data_enter(patterns->reader, i, false);
        if (!read(patterns, json_is_array(list) ? json_array_get(list, i) : list))
            return false;
        if (json_is_array(list))
            crafty_data_leave(patterns->reader);
    }
    crafty_data_leave(patterns->reader);
    return true;
}

static bool read_single(Patterns *patterns, json_t *name)
{
    return read_column(patterns, name, 1, 1);
}

bool crafty_feature_read_patterns(CraftyDataReader *reader, CraftyFeatures *features, json_t *row,
                                  CraftyFeature *feature)
{
    json_t *turn = json_object_get(row, "turn");
    Patterns patterns = {.reader = reader,
                         .features = features,
                         .feature = feature,
                         .palette = json_object_get(row, "palette"),
                         .turns = !turn || json_is_true(turn)};
    const bool has_variants = json_object_get(row, "variants"),
               has_blocks = json_object_get(row, "blocks"),
               has_layers = json_object_get(row, "layers");
    if (turn && !json_is_boolean(turn)) {
        crafty_data_enter_key(reader, row, "turn");
        return crafty_data_fail(reader, "\"turn\" must be true or false");
    }
    if (has_variants + has_blocks + has_layers != 1)
        return crafty_data_fail(reader,
                                "either \"variants\", \"blocks\" or \"layers\" is required");
    if (has_variants)
        return read_list(&patterns, row, "variants", read_variant);
    if (has_blocks)
        return read_list(&patterns, row, "blocks", read_single);
    return read_layers(&patterns, row, 1);
}

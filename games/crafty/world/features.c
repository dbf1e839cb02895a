/* Reads features: names, biomes, ground and density. */
#include "features_internal.h"

#include <cairn/base/hash_map.h>
#include <cairn/voxel/generate.h>

#include <string.h>

#define LOWEST_GROUND CN_SEA_LEVEL
#define HIGHEST_GROUND 255
#define DEFAULT_SPACING 256u
#define NARROW 3u /* decorations up to this width stand on any slope */

/* ---- Lists of names ---- */

static bool add_biome(CraftyDataReader *reader, json_t *value, uint32_t *biomes)
{
    const char *name = json_string_value(value);
    for (uint32_t i = 0; name && i < CN_BIOME_COUNT; i++)
        if (strcmp(cn_biome_name((CnBiome)i), name) == 0) {
            *biomes |= 1u << i;
            return true;
        }
    return crafty_data_fail(reader, "there is no biome of this name");
}

static bool add_ground(CraftyDataReader *reader, const CraftyFeatures *features, json_t *value,
                       CnPlacement *placement)
{
    return crafty_feature_find_block(reader, features, json_string_value(value),
                                     &placement->on[placement->on_count++]);
}

static bool read_names(CraftyDataReader *reader, const CraftyFeatures *features, json_t *row,
                       const char *key, CnPlacement *placement)
{
    json_t *list = json_object_get(row, key), *value;
    const bool is_biomes = strcmp(key, "biomes") == 0;
    size_t i;
    if (!list)
        return true;
    crafty_data_enter_key(reader, row, key);
    if (!json_is_array(list) || json_array_size(list) == 0 ||
        json_array_size(list) > CN_PLACEMENT_MAX_NAMES)
        return crafty_data_fail(reader, "\"%s\" must be a list of 1 to %u names", key,
                                CN_PLACEMENT_MAX_NAMES);
    json_array_foreach(list, i, value)
    {
        crafty_data_enter(reader, i, false);
        if (!(is_biomes ? add_biome(reader, value, &placement->biomes)
                        : add_ground(reader, features, value, placement)))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Numbers ---- */

static bool read_heights(CraftyDataReader *reader, json_t *row, CnPlacement *placement)
{
    json_t *range = json_object_get(row, "heights");
    json_t *low = json_array_get(range, 0), *high = json_array_get(range, 1);
    placement->lowest = LOWEST_GROUND;
    placement->highest = HIGHEST_GROUND;
    if (!range)
        return true;
    const json_int_t a = json_integer_value(low), b = json_integer_value(high);
    if (json_array_size(range) != 2 || !json_is_integer(low) || !json_is_integer(high) ||
        a < LOWEST_GROUND || b > HIGHEST_GROUND || a > b) {
        crafty_data_enter_key(reader, row, "heights");
        return crafty_data_fail(reader,
                                "\"heights\" must be two whole numbers from %d to %d, the lower "
                                "one first",
                                LOWEST_GROUND, HIGHEST_GROUND);
    }
    placement->lowest = (int16_t)a;
    placement->highest = (int16_t)b;
    return true;
}

static bool read_small(CraftyDataReader *reader, json_t *row, const char *key, uint32_t most,
                       uint8_t *value)
{
    uint16_t number = *value;
    if (!crafty_data_whole(reader, row, key, 0, most, &number))
        return false;
    *value = (uint8_t)number;
    return true;
}

static bool read_ground(CraftyDataReader *reader, const CraftyFeatures *features, json_t *row,
                        CnPlacement *placement)
{
    json_t *foundation = json_object_get(row, "foundation");
    if (!read_names(reader, features, row, "biomes", placement) ||
        !read_names(reader, features, row, "on", placement) ||
        !read_heights(reader, row, placement) ||
        !read_small(reader, row, "uneven", UINT8_MAX, &placement->unevenness) ||
        !read_small(reader, row, "sunk", CN_PATTERN_MAX_HEIGHT, &placement->sunk))
        return false;
    if (!foundation)
        return true;
    crafty_data_enter_key(reader, row, "foundation");
    if (!crafty_feature_find_block(reader, features, json_string_value(foundation),
                                   &placement->foundation))
        return false;
    crafty_data_leave(reader);
    return true;
}

/* The largest squares in which one candidate is enough. */
static bool read_density(CraftyDataReader *reader, json_t *row, CnPlacement *placement)
{
    double density = 1;
    if (json_object_get(row, "per_chunk") && json_object_get(row, "chance"))
        return crafty_data_fail(reader, "either \"per_chunk\" or \"chance\" is given");
    if (!crafty_data_number(reader, row, "per_chunk", 0.0001, 64, &density) ||
        !crafty_data_number(reader, row, "chance", 0.0001, 1, &density))
        return false;
    uint32_t edge = 16;
    while (edge > 1 && density * edge * edge > 256)
        edge--;
    const double chance = density * edge * edge / 256 * CN_PLACEMENT_ALWAYS + 0.5;
    placement->spacing = (uint16_t)edge;
    placement->chance = chance < 1 ? 1 : (uint32_t)chance;
    return true;
}

static bool read_grid(CraftyDataReader *reader, json_t *row, const CraftyFeature *feature,
                      CnPlacement *placement)
{
    const uint32_t width = crafty_feature_width(feature);
    double chance = 1;
    placement->spacing = DEFAULT_SPACING;
    if (!crafty_data_whole(reader, row, "spacing", 32, CN_PLACEMENT_MAX_SPACING,
                           &placement->spacing))
        return false;
    if (width >= placement->spacing) {
        crafty_data_enter_key(reader, row, "spacing");
        return crafty_data_fail(reader,
                                "\"spacing\" must be more than the width of the structure, "
                                "%u",
                                width);
    }
    const uint32_t quarter = placement->spacing / 4u;
    placement->separation = (uint16_t)(quarter > width ? quarter : width);
    if (!crafty_data_whole(reader, row, "separation", width, placement->spacing - 1u,
                           &placement->separation) ||
        !crafty_data_number(reader, row, "chance", 0.0001, 1, &chance))
        return false;
    const double part = chance * CN_PLACEMENT_ALWAYS + 0.5;
    placement->chance = part < 1 ? 1 : (uint32_t)part;
    return true;
}

/* ---- Rows ---- */

static uint64_t salt_of(const char *name, uint32_t salt)
{
    return cn_hash_mix(cn_hash_bytes(name, strlen(name), 0x5A17 + (uint64_t)salt));
}

static bool read_name(CraftyDataReader *reader, const CraftyFeatures *features, json_t *row,
                      CraftyFeature *feature)
{
    const char *name = NULL;
    if (!crafty_data_text(reader, row, "name", &name))
        return false;
    if (!name)
        return crafty_data_fail(reader, "\"name\" is missing");
    for (uint32_t i = 0; i < features->list.count; i++)
        if (strcmp(features->list.items[i]->name, name) == 0)
            return crafty_data_fail(reader, "there already is a decoration or structure \"%s\"",
                                    name);
    cn_copy_text(feature->name, sizeof feature->name, cn_text(name));
    return true;
}

static bool read_feature(CraftyDataReader *reader, CraftyFeatures *features, json_t *row,
                         CraftyFeature *feature)
{
    static const char *const decoration_keys[] = {
        "name", "biomes",   "on",     "heights", "uneven",  "sunk", "per_chunk", "chance",
        "salt", "variants", "blocks", "layers",  "palette", "turn", NULL};
    static const char *const structure_keys[] = {
        "name",       "biomes", "on",       "heights",    "uneven", "sunk",    "spacing", "chance",
        "separation", "salt",   "variants", "foundation", "layers", "palette", "turn",    NULL};
    CnPlacement *placement = &feature->placement;
    const bool is_structure = placement->is_structure;
    uint16_t salt = 0;
    if (!json_is_object(row))
        return crafty_data_fail(reader, "a table with named fields is expected");
    if (!crafty_data_keys(reader, row, is_structure ? structure_keys : decoration_keys) ||
        !read_name(reader, features, row, feature) ||
        !crafty_data_whole(reader, row, "salt", 0, UINT16_MAX, &salt) ||
        !crafty_feature_read_patterns(reader, features, row, feature))
        return false;
    placement->name = feature->name;
    placement->salt = salt_of(feature->name, salt);
    placement->patterns = feature->patterns;
    placement->unevenness = is_structure                             ? 4
                            : crafty_feature_width(feature) > NARROW ? 3
                                                                     : UINT8_MAX;
    CnError wrong = {0};
    return read_ground(reader, features, row, placement) &&
           (is_structure ? read_grid(reader, row, feature, placement)
                         : read_density(reader, row, placement)) &&
           (cn_placements_check(placement, 1, &wrong) || crafty_data_fail_with(reader, &wrong));
}

static CraftyFeature *add_feature(CraftyFeatures *features, bool is_structure, CnError *error)
{
    CraftyFeature *feature = cn_alloc_zeroed(features->allocator, sizeof *feature);
    if (!feature || !cn_array_push(&features->list, feature)) {
        cn_free(features->allocator, feature, sizeof *feature);
        cn_error_memory(error, "a structure");
        return NULL;
    }
    feature->placement.is_structure = is_structure;
    return feature;
}

static bool read_rows(CraftyDataReader *reader, CraftyFeatures *features, const char *key)
{
    const bool is_structure = strcmp(key, "structures") == 0;
    json_t *rows = json_object_get(reader->root, key), *row;
    size_t i;
    if (!rows)
        return true;
    crafty_data_enter_key(reader, reader->root, key);
    if (!json_is_array(rows))
        return crafty_data_fail(reader, "\"%s\" must be an array", key);
    json_array_foreach(rows, i, row)
    {
        crafty_data_enter(reader, i, false);
        CraftyFeature *feature = add_feature(features, is_structure, reader->error);
        if (!feature || !read_feature(reader, features, row, feature))
            return false;
        crafty_data_leave(reader);
    }
    crafty_data_leave(reader);
    return true;
}

/* ---- Creation ---- */

/* Inserts copies in the order of the names. */
static bool sort(CraftyFeatures *features, const char *file, CnError *error)
{
    CnError wrong = {0};
    for (uint32_t i = 0; i < features->list.count; i++) {
        const CnPlacement *placement = &features->list.items[i]->placement;
        if (!cn_array_push(&features->placements, *placement))
            return cn_error_memory(error, "the structures");
        CnPlacement *list = features->placements.items;
        uint32_t at = i;
        for (; at > 0 && strcmp(list[at - 1].name, placement->name) > 0; at--)
            list[at] = list[at - 1];
        list[at] = *placement;
    }
    return cn_placements_check(features->placements.items, features->placements.count, &wrong) ||
           cn_error_set_at(error, wrong.code, file, 0, 0, "%s", wrong.message);
}

static bool read_text(CraftyFeatures *features, const CraftyFeaturesDesc *desc, CnError *error)
{
    static const char *const keys[] = {"$schema", "decorations", "structures", NULL};
    CraftyDataReader reader;
    if (desc->text.size == 0)
        return true;
    if (!crafty_data_open(&reader, desc->file, desc->text, error))
        return false;
    bool good = crafty_data_keys(&reader, reader.root, keys) &&
                read_rows(&reader, features, "decorations") &&
                read_rows(&reader, features, "structures");
    crafty_data_close(&reader);
    return good && sort(features, desc->file, error);
}

CraftyFeatures *crafty_features_create(const CraftyFeaturesDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyFeatures *features = cn_alloc_zeroed(allocator, sizeof *features);
    if (!features) {
        cn_error_memory(error, "the structures");
        return NULL;
    }
    features->allocator = allocator;
    features->blocks = desc->blocks;
    features->families = desc->families;
    features->list.allocator = features->placements.allocator = allocator;
    if (read_text(features, desc, error))
        return features;
    crafty_features_destroy(features);
    return NULL;
}

void crafty_features_destroy(CraftyFeatures *features)
{
    if (!features)
        return;
    for (uint32_t i = 0; i < features->list.count; i++) {
        CraftyFeature *feature = features->list.items[i];
        for (uint32_t k = 0; k < feature->placement.pattern_count; k++)
            cn_free(features->allocator, (void *)(uintptr_t)feature->patterns[k].blocks,
                    feature->cells[k] * sizeof(CnBlock));
        cn_free(features->allocator, feature, sizeof *feature);
    }
    cn_array_fini(&features->list);
    cn_array_fini(&features->placements);
    cn_free(features->allocator, features, sizeof *features);
}

const CnPlacement *crafty_features_placements(const CraftyFeatures *features)
{
    return features->placements.items;
}

uint32_t crafty_features_count(const CraftyFeatures *features)
{
    return features->placements.count;
}

/* ---- Hash ---- */

static void add_block(uint64_t *hash, const CraftyFeatures *features, CnBlock block)
{
    const char *name = block == CN_BLOCK_NONE ? "" : cn_block_info(features->blocks, block)->name;
    *hash = cn_hash_bytes(name, strlen(name), *hash);
}

static void add_placement(uint64_t *hash, const CraftyFeatures *features,
                          const CnPlacement *placement)
{
    const uint64_t numbers[] = {placement->salt,
                                placement->spacing,
                                placement->separation,
                                placement->chance,
                                placement->biomes,
                                (uint64_t)placement->lowest,
                                (uint64_t)placement->highest,
                                placement->unevenness,
                                placement->sunk,
                                placement->is_structure,
                                placement->on_count,
                                placement->pattern_count};
    *hash = cn_hash_bytes(numbers, sizeof numbers, *hash);
    add_block(hash, features, placement->foundation);
    for (uint32_t i = 0; i < placement->on_count; i++)
        add_block(hash, features, placement->on[i]);
    for (uint32_t i = 0; i < placement->pattern_count; i++) {
        const CnPattern *pattern = &placement->patterns[i];
        const uint16_t size[] = {pattern->width, pattern->height, pattern->depth, pattern->weight};
        const size_t cells = (size_t)pattern->width * pattern->height * pattern->depth;
        *hash = cn_hash_bytes(size, sizeof size, *hash);
        for (size_t k = 0; k < cells; k++)
            add_block(hash, features, pattern->blocks[k]);
    }
}

uint64_t crafty_features_hash(const CraftyFeatures *features)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < features->placements.count; i++)
        add_placement(&hash, features, &features->placements.items[i]);
    return hash;
}

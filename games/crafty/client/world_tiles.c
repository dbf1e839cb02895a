#include "world_tiles.h"

#include "block_textures.h"
#include "tile_image.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

#define HEAD_BYTES 32u
#define VERSION 1u
/* Of the textures of mods: even and rough. */
static const uint8_t plain[4] = {128, 128, 230, 0};

/* What was loaded from a file. */
typedef struct Loaded {
    int64_t modified_ns;
    uint64_t size_bytes;
    bool failed;
    CnError error;
} Loaded;

struct CraftyWorldTiles {
    CnAllocator *allocator;
    const CraftyMods *mods;
    uint32_t count; /* textures of mods */
    Loaded *loaded;
    uint8_t *bytes; /* NULL: the standard tiles */
    size_t size;
    CnBlockTiles tiles;
};

/* ---- Loading ---- */

/* Much smaller than what is allowed for foreign images elsewhere. */
static CnBudget budget_of(const CnBudget *files)
{
    CnBudget budget = *files;
    budget.image_pixels = CRAFTY_TILE_IMAGE_MAX * CRAFTY_TILE_IMAGE_MAX;
    return budget;
}

static bool read_image(const CraftyModTexture *texture, CnAllocator *allocator, CnImage *image,
                       CnError *error)
{
    CnFileBytes bytes = {0};
    CnFileInfo info;
    if (!texture->files->info(texture->files, texture->path, &info, error))
        return false;
    if (info.size_bytes > CRAFTY_MOD_TEXTURE_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the file has %llu bytes; textures have at most "
                            "%u",
                            (unsigned long long)info.size_bytes, CRAFTY_MOD_TEXTURE_BYTES);
    if (!cn_file_read_all(texture->files, texture->path, allocator, &bytes, error))
        return false;
    CnBudget budget = budget_of(bytes.budget ? bytes.budget : cn_budget_of(CN_ORIGIN_FOREIGN));
    bool is_read = cn_image_read(&(CnImageReadDesc){.bytes = bytes.data,
                                                    .size = bytes.size,
                                                    .name = texture->path,
                                                    .budget = &budget,
                                                    .allocator = allocator},
                                 image, error);
    cn_file_bytes_free(&bytes);
    return is_read;
}

static bool load_tile(const CraftyModTexture *texture, CnAllocator *allocator,
                      CraftyTileImage *tile, CnError *error)
{
    CnImage image = {0};
    if (!read_image(texture, allocator, &image, error))
        return false;
    bool is_made = crafty_tile_image_make(&image, tile, error);
    cn_image_free(&image);
    return is_made;
}

/* ---- The tile file ---- */

static size_t holes_bytes(uint32_t count)
{
    return ((size_t)count + 3) / 4 * 4;
}

static size_t file_bytes(uint32_t count)
{
    return HEAD_BYTES + holes_bytes(count) + (size_t)count * 2 * CRAFTY_TILE_BYTES;
}

/* Copies the standard layers of all levels; those of mods follow in each level. */
static uint8_t *copy_levels(uint8_t *at, const uint8_t *const levels[CN_TILE_LEVELS],
                            uint32_t standard, uint32_t count)
{
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        memcpy(at, levels[level], standard * CRAFTY_TILE_LEVEL_BYTES(level));
        at += count * CRAFTY_TILE_LEVEL_BYTES(level);
    }
    return at;
}

static void set_plain(uint8_t *detail, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++)
        memcpy(detail + 4 * i, plain, sizeof plain);
}

static void set_tile(CraftyWorldTiles *tiles, uint32_t layer, const CraftyTileImage *image)
{
    const uint8_t *from = image->color;
    tiles->bytes[HEAD_BYTES + layer] = image->has_holes;
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        size_t size = CRAFTY_TILE_LEVEL_BYTES(level), at = layer * size;
        memcpy(tiles->bytes + (tiles->tiles.color[level] - tiles->bytes) + at, from, size);
        set_plain(tiles->bytes + (tiles->tiles.detail[level] - tiles->bytes) + at, size / 4);
        from += size;
    }
}

static void store(uint8_t *bytes, uint64_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void sign(CraftyWorldTiles *tiles)
{
    store(tiles->bytes + 24,
          cn_hash_bytes(tiles->bytes + HEAD_BYTES, tiles->size - HEAD_BYTES, VERSION), 8);
}

static void write_head(CraftyWorldTiles *tiles, const CnBlockTiles *standard)
{
    uint32_t count = standard->count + tiles->count;
    uint8_t *at = tiles->bytes + HEAD_BYTES + holes_bytes(count);
    memcpy(tiles->bytes, crafty_tiles, HEAD_BYTES);
    store(tiles->bytes + 12, count, 4);
    memcpy(tiles->bytes + HEAD_BYTES, standard->holes, standard->count);
    at = copy_levels(at, standard->color, standard->count, count);
    copy_levels(at, standard->detail, standard->count, count);
    sign(tiles);
}

/* ---- All textures ---- */

/* Returns whether the file differs from what was loaded. */
static bool has_changed(const CraftyModTexture *texture, Loaded *loaded)
{
    CnFileInfo info = {0};
    CnError ignored = {0};
    if (!texture->files->info(texture->files, texture->path, &info, &ignored))
        info = (CnFileInfo){.modified_ns = -1};
    if (info.modified_ns == loaded->modified_ns && info.size_bytes == loaded->size_bytes)
        return false;
    loaded->modified_ns = info.modified_ns;
    loaded->size_bytes = info.size_bytes;
    return true;
}

static void load(CraftyWorldTiles *tiles, uint32_t index)
{
    const CraftyModTexture *texture = crafty_mods_texture(tiles->mods, index);
    Loaded *loaded = &tiles->loaded[index];
    CraftyTileImage image;
    CnError error = {0};
    loaded->failed = !load_tile(texture, tiles->allocator, &image, &error);
    if (loaded->failed) {
        crafty_tile_image_missing(&image);
        cn_error_set_at(&loaded->error, error.code, texture->path, 0, 0, "%s", error.message);
        CN_LOG_WARNING("mods", "the texture %s is not shown: %s", texture->path, error.message);
    }
    set_tile(tiles, texture->layer, &image);
}

static uint32_t load_changed(CraftyWorldTiles *tiles)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < tiles->count; i++)
        if (has_changed(crafty_mods_texture(tiles->mods, i), &tiles->loaded[i])) {
            load(tiles, i);
            changed++;
        }
    return changed;
}

static bool build(CraftyWorldTiles *tiles, CnError *error)
{
    CnBlockTiles standard;
    size_t standard_size = (size_t)(crafty_tiles_end - crafty_tiles);
    if (!cn_block_tiles_read(crafty_tiles, standard_size, &standard, error))
        return false;
    tiles->tiles = standard;
    tiles->size = standard_size;
    if (tiles->count == 0)
        return true;
    tiles->size = file_bytes(standard.count + tiles->count);
    tiles->bytes = cn_alloc_zeroed(tiles->allocator, tiles->size);
    tiles->loaded = cn_alloc_zeroed(tiles->allocator, tiles->count * sizeof *tiles->loaded);
    if (!tiles->bytes || !tiles->loaded)
        return cn_error_memory(error, "the textures of mods");
    write_head(tiles, &standard);
    if (!cn_block_tiles_read(tiles->bytes, tiles->size, &tiles->tiles, error))
        return false;
    load_changed(tiles);
    sign(tiles);
    return true;
}

CraftyWorldTiles *crafty_world_tiles_create(CnAllocator *allocator, const CraftyMods *mods,
                                            CnError *error)
{
    allocator = allocator ? allocator : cn_system_allocator();
    CraftyWorldTiles *tiles = cn_alloc_zeroed(allocator, sizeof *tiles);
    if (!tiles) {
        cn_error_memory(error, "the textures of mods");
        return NULL;
    }
    tiles->allocator = allocator;
    tiles->mods = mods;
    tiles->count = mods ? crafty_mods_texture_count(mods) : 0;
    if (build(tiles, error))
        return tiles;
    crafty_world_tiles_destroy(tiles);
    return NULL;
}

void crafty_world_tiles_destroy(CraftyWorldTiles *tiles)
{
    if (!tiles)
        return;
    cn_free(tiles->allocator, tiles->loaded, tiles->count * sizeof *tiles->loaded);
    cn_free(tiles->allocator, tiles->bytes, tiles->bytes ? tiles->size : 0);
    cn_free(tiles->allocator, tiles, sizeof *tiles);
}

const uint8_t *crafty_world_tiles_bytes(const CraftyWorldTiles *tiles, size_t *size)
{
    *size = tiles->size;
    return tiles->bytes ? tiles->bytes : crafty_tiles;
}

const CnBlockTiles *crafty_world_tiles(const CraftyWorldTiles *tiles)
{
    return &tiles->tiles;
}

uint32_t crafty_world_tiles_problem_count(const CraftyWorldTiles *tiles)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tiles->count; i++)
        count += tiles->loaded[i].failed;
    return count;
}

const CnError *crafty_world_tiles_problem(const CraftyWorldTiles *tiles, uint32_t index)
{
    for (uint32_t i = 0; i < tiles->count; i++)
        if (tiles->loaded[i].failed && index-- == 0)
            return &tiles->loaded[i].error;
    return NULL;
}

uint32_t crafty_world_tiles_reload(CraftyWorldTiles *tiles)
{
    uint32_t changed = load_changed(tiles);
    if (changed > 0)
        sign(tiles);
    return changed;
}

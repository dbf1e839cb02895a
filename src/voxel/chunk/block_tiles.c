/* Reads tile files. */
#include <cairn/voxel/tiles.h>

#include <cairn/base/bytes.h>

#include <xxhash.h>

#define HEAD_BYTES 32
#define VERSION 1u
#define MAGIC "CNTILES\n"

static size_t level_bytes(uint32_t level, uint32_t count)
{
    size_t side = CN_TILE_SIZE >> level;
    return side * side * 4 * count;
}

static const uint8_t *set_levels(const uint8_t *levels[CN_TILE_LEVELS], const uint8_t *at,
                                 uint32_t count)
{
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        levels[level] = at;
        at += level_bytes(level, count);
    }
    return at;
}

bool cn_block_tiles_read(const uint8_t *bytes, size_t size, CnBlockTiles *textures, CnError *error)
{
    if (size < HEAD_BYTES || memcmp(bytes, MAGIC, 8) != 0)
        return cn_error_set(error, CN_ERROR_FORMAT, "not a tile file");
    uint32_t version = cn_load_u32(bytes + 8), count = cn_load_u32(bytes + 12);
    if (version != VERSION)
        return cn_error_set(error, CN_ERROR_VERSION, "the tile file has version %u, not %u",
                            version, VERSION);
    if (cn_load_u32(bytes + 16) != CN_TILE_SIZE || cn_load_u32(bytes + 20) != CN_TILE_LEVELS)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the tiles are not %d pixels wide with all mip levels", CN_TILE_SIZE);
    if (count < CN_TILE_CRACKS || count > CN_TILE_MAX)
        return cn_error_set(error, CN_ERROR_FORMAT, "the tile file has %u tiles, not %d to %d",
                            count, CN_TILE_CRACKS, CN_TILE_MAX);
    size_t expected = HEAD_BYTES + ((size_t)count + 3) / 4 * 4;
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++)
        expected += 2 * level_bytes(level, count);
    if (size != expected)
        return cn_error_set(error, CN_ERROR_FORMAT, "%u tiles need %zu bytes, but the file has %zu",
                            count, expected, size);
    if (XXH3_64bits_withSeed(bytes + HEAD_BYTES, size - HEAD_BYTES, VERSION) !=
        cn_load_u64(bytes + 24))
        return cn_error_set(error, CN_ERROR_FORMAT, "the tile file is corrupt");
    textures->count = count;
    textures->holes = bytes + HEAD_BYTES;
    const uint8_t *at = bytes + HEAD_BYTES + ((size_t)count + 3) / 4 * 4;
    set_levels(textures->detail, set_levels(textures->color, at, count), count);
    return true;
}

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/block_palette.h>

#define PALETTE_VERSION 1
#define HEADER_BYTES 3 /* u8 version, u16 count */
#define NOT_ADDED UINT16_MAX

typedef struct Name {
    CnBlock block; /* CN_BLOCK_NONE: not in the table */
    char text[CN_BLOCK_NAME_BYTES];
} Name;

struct CnBlockPalette {
    CnAllocator *allocator;
    const CnBlockTable *table;
    CN_ARRAY(Name) names;
    uint16_t numbers[CN_BLOCK_MAX + 1]; /* of each block, or NOT_ADDED */
};
CN_STATIC_ASSERT(CN_BLOCK_PALETTE_MAX <= NOT_ADDED, "numbers fit into 16 bits");

CnBlockPalette *cn_block_palette_create(CnAllocator *allocator, const CnBlockTable *table)
{
    CnBlockPalette *palette = cn_alloc(allocator, sizeof *palette);
    if (!palette)
        return NULL;
    palette->allocator = allocator;
    palette->table = table;
    cn_array_init(&palette->names, allocator);
    memset(palette->numbers, 0xFF, sizeof palette->numbers);
    return palette;
}

void cn_block_palette_destroy(CnBlockPalette *palette)
{
    if (!palette)
        return;
    cn_array_fini(&palette->names);
    cn_free(palette->allocator, palette, sizeof *palette);
}

/* ---- Numbers and names ---- */

/* Returns false when out of memory. */
static bool add_name(CnBlockPalette *palette, const char *text, size_t length)
{
    if (!cn_array_reserve(&palette->names, palette->names.count + 1u))
        return false;
    Name *name = &palette->names.items[palette->names.count];
    *name = (Name){0};
    memcpy(name->text, text, length);
    name->block = cn_block_find(palette->table, name->text);
    if (name->block != CN_BLOCK_NONE)
        palette->numbers[name->block] = (uint16_t)palette->names.count;
    palette->names.count++;
    return true;
}

bool cn_block_palette_add(CnBlockPalette *palette, CnBlock block, uint16_t *number, CnError *error)
{
    CN_ASSERT(palette, "%s: palette is NULL", __func__);
    CN_ASSERT(number, "%s: number is NULL", __func__);
    bool exists = cn_block_exists(palette->table, block);
    CN_ASSERT(exists, "unknown block %u", block);
    if (!exists)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "unknown block %u", block);
    if (palette->numbers[block] == NOT_ADDED) {
        size_t length = strlen(palette->table->info[block].name);
        if (length >= CN_BLOCK_NAME_BYTES)
            return cn_error_set(error, CN_ERROR_LIMIT, "the block name '%s' is too long",
                                palette->table->info[block].name);
        if (palette->names.count == CN_BLOCK_PALETTE_MAX)
            return cn_error_set(error, CN_ERROR_LIMIT, "a block palette has at most %d names",
                                CN_BLOCK_PALETTE_MAX);
        if (!add_name(palette, palette->table->info[block].name, length))
            return cn_error_memory(error, "a block palette");
    }
    *number = palette->numbers[block];
    return true;
}

uint32_t cn_block_palette_count(const CnBlockPalette *palette)
{
    CN_ASSERT(palette, "%s: palette is NULL", __func__);
    return palette->names.count;
}

const char *cn_block_palette_name(const CnBlockPalette *palette, uint32_t number)
{
    CN_ASSERT(palette, "%s: palette is NULL", __func__);
    return number < palette->names.count ? palette->names.items[number].text : NULL;
}

bool cn_block_palette_find(const CnBlockPalette *palette, uint32_t number, CnBlock *block,
                           CnError *error)
{
    CN_ASSERT(palette, "%s: palette is NULL", __func__);
    CN_ASSERT(block, "%s: block is NULL", __func__);
    if (number >= palette->names.count)
        return cn_error_set(error, CN_ERROR_FORMAT, "block number %u is not in the palette of %u",
                            number, palette->names.count);
    const Name *name = &palette->names.items[number];
    if (name->block == CN_BLOCK_NONE)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "unknown block '%s': written by a newer version or with a mod that is "
                            "missing; read it with that one",
                            name->text);
    *block = name->block;
    return true;
}

/* ---- Bytes ---- */

bool cn_block_palette_write(const CnBlockPalette *palette, CnU8Array *bytes)
{
    CN_ASSERT(palette, "%s: palette is NULL", __func__);
    uint64_t size = HEADER_BYTES;
    for (uint32_t i = 0; i < palette->names.count; i++)
        size += 1 + strlen(palette->names.items[i].text);
    if (!cn_array_reserve(bytes, bytes->count + size))
        return false;
    uint8_t *out = bytes->items + bytes->count;
    *out++ = PALETTE_VERSION;
    *out++ = (uint8_t)palette->names.count;
    *out++ = (uint8_t)(palette->names.count >> 8);
    for (uint32_t i = 0; i < palette->names.count; i++) {
        size_t length = strlen(palette->names.items[i].text);
        *out++ = (uint8_t)length;
        memcpy(out, palette->names.items[i].text, length);
        out += length;
    }
    bytes->count += (uint32_t)size;
    return true;
}

static bool is_name(const uint8_t *text, size_t length)
{
    bool valid = length > 0 && length < CN_BLOCK_NAME_BYTES;
    for (size_t i = 0; i < length && valid; i++)
        valid = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') ||
                text[i] == '_' || text[i] == ':';
    return valid;
}

/* Reads one name at `*at`. `seen` holds the hashes of earlier names. */
static bool read_name(CnBlockPalette *palette, CnHashMap *seen, const uint8_t *bytes, size_t size,
                      size_t *at, CnError *error)
{
    uint32_t number = palette->names.count;
    if (*at >= size || bytes[*at] > size - *at - 1)
        return cn_error_set(error, CN_ERROR_FORMAT, "the block palette ends within name %u",
                            number);
    size_t length = bytes[*at];
    const uint8_t *text = bytes + *at + 1;
    if (!is_name(text, length))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "name %u of the block palette is not 1 to %d of a-z, 0-9, _ and :",
                            number, CN_BLOCK_NAME_BYTES - 1);
    uint64_t hash = cn_hash_keyed(text, length, 0);
    if (cn_hash_map_get(seen, hash))
        return cn_error_set(error, CN_ERROR_FORMAT, "the block palette has the name '%.*s' twice",
                            (int)length, (const char *)text);
    if (!cn_hash_map_set(seen, hash, NULL) || !add_name(palette, (const char *)text, length))
        return cn_error_memory(error, "a block palette");
    *at += 1 + length;
    return true;
}

CnBlockPalette *cn_block_palette_read(CnAllocator *allocator, const CnBlockTable *table,
                                      const uint8_t *bytes, size_t size, size_t *used,
                                      CnError *error)
{
    if (size < HEADER_BYTES) {
        cn_error_set(error, CN_ERROR_FORMAT, "the block palette ends within its header");
        return NULL;
    }
    if (bytes[0] != PALETTE_VERSION) {
        cn_error_set(error, CN_ERROR_VERSION, "block palette of version %u; this program reads %d",
                     bytes[0], PALETTE_VERSION);
        return NULL;
    }
    uint32_t count = cn_load_u16(bytes + 1);
    if (count > CN_BLOCK_PALETTE_MAX) {
        cn_error_set(error, CN_ERROR_LIMIT, "block palette of %u names; at most %d are allowed",
                     count, CN_BLOCK_PALETTE_MAX);
        return NULL;
    }
    CnBlockPalette *palette = cn_block_palette_create(allocator, table);
    CnHashMap seen;
    cn_hash_map_init_keyed(&seen, allocator, 1);
    size_t at = HEADER_BYTES;
    bool is_read = palette || cn_error_memory(error, "a block palette");
    for (uint32_t i = 0; i < count && is_read; i++)
        is_read = read_name(palette, &seen, bytes, size, &at, error);
    cn_hash_map_fini(&seen);
    if (!is_read) {
        cn_block_palette_destroy(palette);
        return NULL;
    }
    *used = at;
    return palette;
}

bool cn_block_palette_register(CnBlockPalette *palette, CnBlockTable *table,
                               const CnBlockInfo *look, CnError *error)
{
    CN_ASSERT(palette, "%s: palette is NULL", __func__);
    CN_ASSERT(table == palette->table, "the palette belongs to another block table");
    for (uint32_t i = 0; i < palette->names.count; i++) {
        Name *name = &palette->names.items[i];
        if (name->block != CN_BLOCK_NONE)
            continue;
        if (!cn_block_table_add_placeholder(table, name->text, look, &name->block, error))
            return false;
        palette->numbers[name->block] = (uint16_t)i;
    }
    return true;
}

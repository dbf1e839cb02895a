#include "zip_write.h"

#include <cairn/base/text.h>

#include <string.h>

#define LOCAL_MAGIC 0x04034b50u
#define CENTRAL_MAGIC 0x02014b50u
#define END_MAGIC 0x06054b50u
#define VERSION 20u     /* of the format: folders and no compression */
#define MADE_BY 0x0314u /* Unix, so that the attributes are permissions */
#define NAMES_ARE_UTF8 0x0800u
#define DATE 0x0021u           /* 1980-01-01 */
#define ATTRIBUTES 0x81a40000u /* a regular file, rw-r--r-- */

typedef struct Entry {
    uint32_t crc, size, offset;
} Entry;

typedef struct Writer {
    CnU8Array *bytes;
    bool failed; /* out of memory */
} Writer;

/* The checksum of zip: the polynomial of Ethernet, bits reversed. */
static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (uint32_t bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put(Writer *writer, uint32_t value, uint32_t size)
{
    uint8_t bytes[4];
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    writer->failed |= !cn_bytes_append(writer->bytes, bytes, size);
}

/* The part that local and central headers share. */
static void put_description(Writer *writer, const Entry *entry, const char *path)
{
    put(writer, VERSION, 2);
    put(writer, NAMES_ARE_UTF8, 2);
    put(writer, 0, 2); /* stored */
    put(writer, 0, 2); /* time */
    put(writer, DATE, 2);
    put(writer, entry->crc, 4);
    put(writer, entry->size, 4); /* compressed */
    put(writer, entry->size, 4);
    put(writer, (uint32_t)strlen(path), 2);
    put(writer, 0, 2); /* extra fields */
}

static bool put_file(Writer *writer, CnFileSystem *files, const char *root, const char *path,
                     Entry *entry, CnError *error)
{
    char full[CRAFTY_PACKAGE_PATH_BYTES + 128];
    CnFileBytes content;
    if (!cn_format(full, sizeof full, "%s/%s", root, path))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the mod is too long");
    if (!cn_file_read_all(files, full, NULL, &content, error))
        return false;
    if ((uint64_t)writer->bytes->count + content.size > CRAFTY_ZIP_MAX_BYTES) {
        cn_file_bytes_free(&content);
        return cn_error_set(error, CN_ERROR_LIMIT, "the mod has more than %u MiB",
                            CRAFTY_ZIP_MAX_BYTES >> 20);
    }
    *entry = (Entry){.crc = checksum(content.data, content.size),
                     .size = (uint32_t)content.size,
                     .offset = writer->bytes->count};
    put(writer, LOCAL_MAGIC, 4);
    put_description(writer, entry, path);
    writer->failed |= !cn_bytes_append(writer->bytes, path, strlen(path)) ||
                      !cn_bytes_append(writer->bytes, content.data, content.size);
    cn_file_bytes_free(&content);
    return true;
}

static void put_directory(Writer *writer, const CraftyPackageFiles *list, const Entry *entries)
{
    uint32_t start = writer->bytes->count;
    for (uint32_t i = 0; i < list->count; i++) {
        const char *path = list->items[i].path;
        put(writer, CENTRAL_MAGIC, 4);
        put(writer, MADE_BY, 2);
        put_description(writer, &entries[i], path);
        put(writer, 0, 2); /* comment */
        put(writer, 0, 2); /* disk */
        put(writer, 0, 2); /* internal attributes */
        put(writer, ATTRIBUTES, 4);
        put(writer, entries[i].offset, 4);
        writer->failed |= !cn_bytes_append(writer->bytes, path, strlen(path));
    }
    uint32_t size = writer->bytes->count - start;
    put(writer, END_MAGIC, 4);
    put(writer, 0, 4); /* disks */
    put(writer, list->count, 2);
    put(writer, list->count, 2);
    put(writer, size, 4);
    put(writer, start, 4);
    put(writer, 0, 2); /* comment */
}

bool crafty_zip_write(CnFileSystem *files, const char *root, const CraftyPackageFiles *list,
                      CnU8Array *bytes, CnError *error)
{
    Writer writer = {.bytes = bytes};
    size_t size = (list->count + 1u) * sizeof(Entry);
    Entry *entries = cn_alloc_zeroed(bytes->allocator, size);
    bool done = entries || cn_error_memory(error, "the archive");
    for (uint32_t i = 0; i < list->count && done; i++)
        done = put_file(&writer, files, root, list->items[i].path, &entries[i], error) &&
               (!writer.failed || cn_error_memory(error, "the archive"));
    if (done) {
        put_directory(&writer, list, entries);
        done = !writer.failed || cn_error_memory(error, "the archive");
    }
    cn_free(bytes->allocator, entries, size);
    return done;
}

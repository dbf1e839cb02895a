#include "zip_file.h"

#include <cairn/base/file.h>

#include <string.h>

typedef struct Writer {
    uint8_t *bytes;
    size_t size, capacity;
    bool is_full;
} Writer;

static void put(Writer *writer, const void *bytes, size_t size)
{
    if (size > writer->capacity - writer->size) {
        writer->is_full = true;
        return;
    }
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

static void put16(Writer *writer, uint32_t value)
{
    uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8)};
    put(writer, bytes, sizeof bytes);
}

static void put32(Writer *writer, uint32_t value)
{
    put16(writer, value & 0xffff);
    put16(writer, value >> 16);
}

static uint32_t crc_of(const char *text)
{
    uint32_t crc = 0xffffffff;
    for (; *text; text++) {
        crc ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* What local and central headers share: from the version needed to the length of the extra field.
 * The time is noon of the first of January 2026. */
static void put_common(Writer *writer, const ZipEntry *entry)
{
    uint32_t size = (uint32_t)strlen(entry->content);
    put16(writer, 10);
    put16(writer, 0x800); /* names are UTF-8 */
    put16(writer, 0);     /* stored */
    put16(writer, 12 << 11);
    put16(writer, (2026 - 1980) << 9 | 1 << 5 | 1);
    put32(writer, crc_of(entry->content));
    put32(writer, size);
    put32(writer, size);
    put16(writer, (uint32_t)strlen(entry->name));
    put16(writer, 0);
}

static void put_local(Writer *writer, const ZipEntry *entry)
{
    put32(writer, 0x04034b50);
    put_common(writer, entry);
    put(writer, entry->name, strlen(entry->name));
    put(writer, entry->content, strlen(entry->content));
}

static void put_central(Writer *writer, const ZipEntry *entry, uint32_t offset)
{
    put32(writer, 0x02014b50);
    put16(writer, 3 << 8 | 20); /* made on Unix: the attributes have a mode */
    put_common(writer, entry);
    put16(writer, 0);
    put16(writer, 0);
    put16(writer, 0);
    put32(writer, (entry->is_link ? 0120777u : 0100644u) << 16);
    put32(writer, offset);
    put(writer, entry->name, strlen(entry->name));
}

size_t zip_make(const ZipEntry *entries, size_t count, uint8_t *bytes, size_t capacity)
{
    enum { MAX_ENTRIES = 20000 };
    static uint32_t offsets[MAX_ENTRIES];
    Writer writer = {.bytes = bytes, .capacity = capacity, .is_full = count > MAX_ENTRIES};
    for (size_t i = 0; i < count && !writer.is_full; i++) {
        offsets[i] = (uint32_t)writer.size;
        put_local(&writer, &entries[i]);
    }
    uint32_t directory = (uint32_t)writer.size;
    for (size_t i = 0; i < count && !writer.is_full; i++)
        put_central(&writer, &entries[i], offsets[i]);
    uint32_t directory_bytes = (uint32_t)writer.size - directory;
    put32(&writer, 0x06054b50);
    put32(&writer, 0);
    put16(&writer, (uint32_t)count);
    put16(&writer, (uint32_t)count);
    put32(&writer, directory_bytes);
    put32(&writer, directory);
    put16(&writer, 0);
    return writer.is_full ? 0 : writer.size;
}

bool zip_write(const char *path, const ZipEntry *entries, size_t count)
{
    static uint8_t bytes[4 << 20];
    size_t size = zip_make(entries, count, bytes, sizeof bytes);
    return size > 0 && cn_file_write_all(cn_native_files(), path, bytes, size, NULL);
}

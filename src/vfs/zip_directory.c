#include "vfs/zip_directory.h"

#include <cairn/base/bytes.h>
#include <cairn/base/file.h>
#include <cairn/vfs.h>

#include <string.h>
#include <unistd.h>

/* ---- The format: records with little-endian numbers ---- */

#define END_BYTES 22u /* the end of the directory, without its comment */
#define MAX_COMMENT_BYTES 65535u
#define LOCATOR_BYTES 20u /* precedes the end in ZIP64 */
#define HEADER_BYTES 46u  /* of an entry, without name, extra data and comment */
#define END_MAGIC 0x06054b50u
#define LOCATOR_MAGIC 0x07064b50u
#define HEADER_MAGIC 0x02014b50u

/* Deflate packs at most 1,032 bytes into one; a few more for tiny files. */
#define MAX_RATIO 1032u
#define MAX_DIRECTORY_BYTES (32u << 20)

typedef struct ZipArchive {
    int descriptor;
    uint64_t size;
    const char *path;
    const CnBudget *budget;
    CnAllocator *allocator;
    CnError *error;
} ZipArchive;

typedef struct ZipEnd {
    uint64_t directory; /* offset */
    uint32_t bytes, entries;
} ZipEnd;

static bool refuse(const ZipArchive *zip, CnErrorCode code, const char *reason)
{
    return cn_file_set_error(zip->error, code, "mount", zip->path, reason);
}

static bool damaged(const ZipArchive *zip)
{
    return refuse(zip, CN_ERROR_FORMAT, "the directory of the zip archive is damaged");
}

static bool not_a_zip(const ZipArchive *zip)
{
    return refuse(zip, CN_ERROR_FORMAT, "it is neither a folder nor a zip archive");
}

static bool read_at(const ZipArchive *zip, uint64_t offset, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t part =
            pread(zip->descriptor, (uint8_t *)bytes + done, size - done, (off_t)(offset + done));
        if (part <= 0)
            return refuse(zip, CN_ERROR_IO, "it cannot be read");
        done += (size_t)part;
    }
    return true;
}

/* ---- The end of the directory ---- */

/* Finds the last one in the tail of the file, as PhysicsFS does. */
static const uint8_t *find_end(const uint8_t *tail, size_t bytes)
{
    for (size_t at = bytes - END_BYTES + 1; at-- > 0;)
        if (cn_load_u32(tail + at) == END_MAGIC)
            return tail + at;
    return NULL;
}

static bool parse_end(const ZipArchive *zip, const uint8_t *tail, size_t bytes, ZipEnd *end)
{
    const uint8_t *record = find_end(tail, bytes);
    if (!record)
        return not_a_zip(zip);
    if (record - tail >= LOCATOR_BYTES && cn_load_u32(record - LOCATOR_BYTES) == LOCATOR_MAGIC)
        return refuse(zip, CN_ERROR_UNSUPPORTED,
                      "it is a ZIP64 archive; pack fewer or smaller files");
    const uint64_t position = zip->size - bytes + (uint64_t)(record - tail);
    end->entries = cn_load_u16(record + 10);
    end->bytes = cn_load_u32(record + 12);
    if (end->bytes > position)
        return damaged(zip);
    end->directory = position - end->bytes;
    return true;
}

static bool read_end(const ZipArchive *zip, ZipEnd *end)
{
    const uint64_t most = LOCATOR_BYTES + END_BYTES + MAX_COMMENT_BYTES;
    const size_t bytes = (size_t)(zip->size < most ? zip->size : most);
    if (bytes < END_BYTES)
        return not_a_zip(zip);
    uint8_t *tail = cn_alloc(zip->allocator, bytes);
    if (!tail)
        return cn_error_memory(zip->error, "mounting %s", zip->path);
    bool done = read_at(zip, zip->size - bytes, tail, bytes) && parse_end(zip, tail, bytes, end);
    cn_free(zip->allocator, tail, bytes);
    return done;
}

/* ---- Entries ---- */

typedef struct ZipTotals {
    uint64_t nodes, packed, unpacked;
    CnText last; /* the previous name */
} ZipTotals;

static uint32_t count_parts(CnText name)
{
    uint32_t parts = 0;
    for (CnText part; cn_text_split(&name, '/', &part);)
        parts += part.size > 0;
    return parts;
}

/* Returns the number of folders at the start that two names share. */
static uint32_t shared_folders(CnText a, CnText b)
{
    uint32_t shared = 0;
    for (size_t i = 0; i < a.size && i < b.size && a.data[i] == b.data[i]; i++)
        shared += a.data[i] == '/' && i > 0 && a.data[i - 1] != '/';
    return shared;
}

static bool check_name(const ZipArchive *zip, CnText name, ZipTotals *totals)
{
    const uint32_t parts = count_parts(name), shared = shared_folders(name, totals->last);
    totals->nodes += parts > shared ? parts - shared : 1;
    totals->last = name;
    if (name.size >= CN_VFS_PATH_BYTES)
        return refuse(zip, CN_ERROR_LIMIT, "a path in the zip archive has more than 511 bytes");
    if (parts > CNI_VFS_ZIP_MAX_DEPTH)
        return refuse(zip, CN_ERROR_LIMIT, "a path in the zip archive has more than 32 parts");
    return totals->nodes <= CNI_VFS_ZIP_MAX_ENTRIES ||
           refuse(zip, CN_ERROR_LIMIT, "the zip archive has more than 16,384 files and folders");
}

/* PhysicsFS follows links before it says that they are some, and never ends if the target of one
 * has a part that begins with a dot. */
static bool check_kind(const ZipArchive *zip, const uint8_t *header)
{
    const uint32_t mode = cn_load_u32(header + 38) >> 16; /* as in stat.st_mode */
    return (mode & 0170000) != 0120000 ||
           refuse(zip, CN_ERROR_UNSUPPORTED,
                  "the zip archive contains a symbolic link; pack the file itself (zip does so "
                  "without -y)");
}

static bool check_sizes(const ZipArchive *zip, const uint8_t *header, ZipTotals *totals)
{
    const uint64_t packed = cn_load_u32(header + 20), unpacked = cn_load_u32(header + 24);
    totals->packed += packed;
    totals->unpacked += unpacked;
    if (totals->packed > zip->size || unpacked > packed * MAX_RATIO + 64)
        return damaged(zip);
    return totals->unpacked <= zip->budget->unpacked_bytes ||
           cn_budget_refuse(zip->error, zip->budget, zip->path, "unpacked_bytes", totals->unpacked,
                            zip->budget->unpacked_bytes);
}

static bool check_entries(const ZipArchive *zip, const ZipEnd *end, const uint8_t *bytes)
{
    ZipTotals totals = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < end->entries; i++) {
        if (end->bytes - at < HEADER_BYTES || cn_load_u32(bytes + at) != HEADER_MAGIC)
            return damaged(zip);
        const uint8_t *header = bytes + at;
        const size_t name = cn_load_u16(header + 28);
        const size_t total =
            HEADER_BYTES + name + cn_load_u16(header + 30) + cn_load_u16(header + 32);
        if (end->bytes - at < total)
            return damaged(zip);
        if (!check_name(zip, (CnText){(const char *)header + HEADER_BYTES, name}, &totals) ||
            !check_kind(zip, header) || !check_sizes(zip, header, &totals))
            return false;
        at += total;
    }
    return true;
}

bool cni_vfs_zip_check(int descriptor, uint64_t size, const char *path, const CnBudget *budget,
                       CnAllocator *allocator, CnError *error)
{
    const ZipArchive zip = {descriptor, size, path, budget, allocator, error};
    ZipEnd end = {0};
    if (!read_end(&zip, &end))
        return false;
    if (end.entries > CNI_VFS_ZIP_MAX_ENTRIES)
        return refuse(&zip, CN_ERROR_LIMIT,
                      "the zip archive has more than 16,384 files and folders");
    if (end.bytes > MAX_DIRECTORY_BYTES)
        return refuse(&zip, CN_ERROR_LIMIT, "the directory of the zip archive is too large");
    uint8_t *bytes = cn_alloc(allocator, end.bytes ? end.bytes : 1);
    if (!bytes)
        return cn_error_memory(error, "mounting %s", path);
    bool done = read_at(&zip, end.directory, bytes, end.bytes) && check_entries(&zip, &end, bytes);
    cn_free(allocator, bytes, end.bytes ? end.bytes : 1);
    return done;
}

/* Finds rows in the pages of an SQLite file without using its structure. The format of the pages is
 * described at sqlite.org/fileformat2.html. */
#include "store/sqlite_connection.h"

#include <cairn/base/bitset.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_HEADER_BYTES = 100,
    LEAF_INDEX = 0x0a,
    LEAF_TABLE = 0x0d,
    INTERIOR_INDEX = 0x02,
    INTERIOR_TABLE = 0x05,
    MAX_PAGE_BYTES = 65536
};

typedef struct Pages {
    int descriptor;
    uint32_t page_bytes, usable_bytes, count;
    CnBitSet free_pages;
    uint8_t *page; /* the current one */
    CnU8Array payload;
    CnStoreVisitCandidate visit;
    void *user;
    bool is_stopped, is_out_of_memory;
    int read_errno; /* 0: all pages could be read */
} Pages;

static uint32_t load_u16_big(const uint8_t *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t load_u32_big(const uint8_t *at)
{
    return load_u16_big(at) << 16 | load_u16_big(at + 2);
}

/* Reads SQLite's integers of 1 to 9 bytes. Returns their size, or 0 beyond the end. */
static size_t read_varint(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < 9 && at + i < end; i++) {
        if (i == 8) {
            *number = *number << 8 | at[i];
            return 9;
        }
        *number = *number << 7 | (at[i] & 0x7f);
        if (!(at[i] & 0x80))
            return i + 1;
    }
    return 0;
}

/* Returns false beyond the end of the file, and if it cannot be read, which ends the scan. */
static bool read_page(Pages *pages, uint32_t number, uint8_t *bytes)
{
    if (!number || number > pages->count)
        return false;
    memset(bytes, 0, pages->page_bytes);
    ssize_t got = pread(pages->descriptor, bytes, pages->page_bytes,
                        (off_t)(number - 1) * (off_t)pages->page_bytes);
    if (got < 0)
        pages->read_errno = errno;
    return got > 0;
}

/* ---- Payloads ---- */

/* How many bytes of a payload are on the page itself. */
static size_t local_bytes(const Pages *pages, uint64_t size, bool is_table)
{
    uint64_t usable = pages->usable_bytes;
    uint64_t most = is_table ? usable - 35 : (usable - 12) * 64 / 255 - 23;
    uint64_t least = (usable - 12) * 32 / 255 - 23;
    if (size <= most)
        return (size_t)size;
    uint64_t local = least + (size - least) % (usable - 4);
    return (size_t)(local <= most ? local : least);
}

/* Collects a payload from the page and its overflow pages. */
static bool collect(Pages *pages, const uint8_t *at, const uint8_t *end, uint64_t size,
                    bool is_table)
{
    uint8_t overflow[MAX_PAGE_BYTES];
    size_t local = local_bytes(pages, size, is_table);
    if (!size || size > CN_STORE_MAX_VALUE_BYTES + 1024u ||
        size > (uint64_t)pages->count * pages->page_bytes || local > (size_t)(end - at))
        return false;
    if (!cn_array_reserve(&pages->payload, size)) {
        pages->is_out_of_memory = true;
        return false;
    }
    memcpy(pages->payload.items, at, local);
    pages->payload.count = (uint32_t)local;
    if (local == size)
        return true;
    if ((size_t)(end - at) < local + 4)
        return false;
    uint32_t next = load_u32_big(at + local);
    while (pages->payload.count < size) {
        if (!read_page(pages, next, overflow))
            return false;
        size_t part = pages->usable_bytes - 4;
        if (part > size - pages->payload.count)
            part = (size_t)size - pages->payload.count;
        memcpy(pages->payload.items + pages->payload.count, overflow + 4, part);
        pages->payload.count += (uint32_t)part;
        next = load_u32_big(overflow);
    }
    return true;
}

static bool blob_size(uint64_t type, size_t *size)
{
    *size = (size_t)((type - 12) / 2);
    return type >= 12 && type % 2 == 0 && type < (UINT64_C(1) << 32);
}

/* Reads the columns k and v of a payload. In tables by number, k is the row's id instead. */
static void read_payload(Pages *pages, bool is_table, int64_t number, bool is_certain)
{
    const uint8_t *at = pages->payload.items, *end = at + pages->payload.count;
    uint64_t header, key_type, value_type;
    size_t a = read_varint(at, end, &header);
    size_t b = a ? read_varint(at + a, end, &key_type) : 0;
    size_t c = b ? read_varint(at + a + b, end, &value_type) : 0;
    if (!c || header != a + b + c)
        return;
    CnStoreCandidate candidate = {.is_by_bytes = !is_table, .is_certain = is_certain};
    at += header;
    if (is_table) {
        if (key_type != 0)
            return;
        candidate.key.number = number;
    } else {
        if (!blob_size(key_type, &candidate.key.size) ||
            candidate.key.size > CN_STORE_MAX_KEY_BYTES || candidate.key.size > (size_t)(end - at))
            return;
        candidate.key.bytes = at;
        at += candidate.key.size;
    }
    if (!blob_size(value_type, &candidate.size) || candidate.size != (size_t)(end - at))
        return;
    candidate.bytes = at;
    pages->is_stopped = !pages->visit(&candidate, pages->user);
}

/* ---- Pages ---- */

typedef struct Cell {
    uint64_t size;
    int64_t number;
    size_t payload_at;
    size_t page_bytes; /* that it takes on the page */
} Cell;

static bool read_cell(const Pages *pages, size_t at, uint8_t type, Cell *cell)
{
    const uint8_t *page = pages->page, *end = page + pages->usable_bytes;
    size_t start = at;
    uint64_t number = 0;
    if (type == INTERIOR_INDEX)
        at += 4;
    if (at >= pages->usable_bytes)
        return false;
    size_t used = read_varint(page + at, end, &cell->size);
    at += used;
    if (used && type == LEAF_TABLE) {
        used = read_varint(page + at, end, &number);
        at += used;
    }
    if (!used)
        return false;
    cell->number = (int64_t)number;
    cell->payload_at = at;
    size_t local = local_bytes(pages, cell->size, type == LEAF_TABLE);
    cell->page_bytes = at - start + local + (local < cell->size ? 4 : 0);
    if (cell->page_bytes < 4)
        cell->page_bytes = 4;
    return true;
}

static void visit_cell(Pages *pages, size_t at, uint8_t type, bool is_certain)
{
    Cell cell;
    if (read_cell(pages, at, type, &cell) &&
        collect(pages, pages->page + cell.payload_at, pages->page + pages->usable_bytes, cell.size,
                type == LEAF_TABLE))
        read_payload(pages, type == LEAF_TABLE, cell.number, is_certain);
}

/* Whether cells, gaps and the header of a page add up. If not, its list of cells is damaged. */
static bool adds_up(const Pages *pages, size_t header, uint8_t type, uint32_t cells, size_t list)
{
    const uint8_t *page = pages->page;
    size_t content = load_u16_big(page + header + 5), used = page[header + 7];
    if (!content)
        content = MAX_PAGE_BYTES;
    if (list + 2u * cells > content || content > pages->usable_bytes)
        return false;
    for (uint32_t i = 0; i < cells; i++) {
        Cell cell;
        if (!read_cell(pages, load_u16_big(page + list + 2u * i), type, &cell))
            return false;
        used += cell.page_bytes;
    }
    size_t before = 0;
    for (size_t gap = load_u16_big(page + header + 1); gap;) {
        if (gap <= before || gap + 4 > pages->usable_bytes)
            return false;
        before = gap;
        used += load_u16_big(page + gap + 2);
        gap = load_u16_big(page + gap);
    }
    return used == pages->usable_bytes - content;
}

static void visit_as(Pages *pages, size_t header, uint8_t type, bool is_known_type)
{
    const uint8_t *page = pages->page;
    size_t list = header + (type == INTERIOR_INDEX ? 12 : 8);
    uint32_t cells = load_u16_big(page + header + 3);
    bool is_intact = is_known_type && adds_up(pages, header, type, cells, list);
    for (uint32_t i = 0; !pages->is_stopped && list + 2u * i + 2 <= pages->usable_bytes; i++) {
        if (is_intact && i == cells)
            break;
        size_t at = load_u16_big(page + list + 2u * i);
        if (at >= list && at + 4 <= pages->usable_bytes)
            visit_cell(pages, at, type, is_intact || (is_known_type && i < cells));
    }
}

static void visit_page(Pages *pages, uint32_t number)
{
    size_t header = number == 1 ? FILE_HEADER_BYTES : 0;
    uint8_t type = pages->page[header];
    if (type == LEAF_TABLE || type == LEAF_INDEX || type == INTERIOR_INDEX) {
        visit_as(pages, header, type, true);
    } else if (type != INTERIOR_TABLE) {
        /* The byte may be damaged. */
        visit_as(pages, header, LEAF_TABLE, false);
        visit_as(pages, header, LEAF_INDEX, false);
        visit_as(pages, header, INTERIOR_INDEX, false);
    }
}

/* ---- The file ---- */

/* Marks the pages in the list of unused ones, unless the list is damaged. */
static void find_free_pages(Pages *pages)
{
    if (!read_page(pages, 1, pages->page))
        return;
    uint32_t trunk = load_u32_big(pages->page + 32), left = load_u32_big(pages->page + 36);
    while (trunk && trunk <= pages->count && left && !cn_bitset_has(&pages->free_pages, trunk)) {
        (void)cn_bitset_set(&pages->free_pages, trunk);
        if (!read_page(pages, trunk, pages->page))
            return;
        uint32_t leaves = load_u32_big(pages->page + 4);
        for (uint32_t i = 0; i < leaves && 8 + 4 * i + 4 <= pages->usable_bytes; i++) {
            uint32_t leaf = load_u32_big(pages->page + 8 + 4 * i);
            if (leaf && leaf <= pages->count)
                (void)cn_bitset_set(&pages->free_pages, leaf);
        }
        trunk = load_u32_big(pages->page);
        left--;
    }
}

static void read_sizes(Pages *pages, uint64_t file_bytes)
{
    uint8_t header[FILE_HEADER_BYTES] = {0};
    uint32_t bytes = 4096, reserved = 0;
    ssize_t got = pread(pages->descriptor, header, sizeof header, 0);
    if (got < 0)
        pages->read_errno = errno;
    if (got == (ssize_t)sizeof header) {
        uint32_t stated = load_u16_big(header + 16);
        stated = stated == 1 ? MAX_PAGE_BYTES : stated;
        /* We write pages of 4096 bytes; another size counts only if the rest looks right. */
        if (stated >= 512 && !(stated & (stated - 1)) &&
            memcmp(header, "SQLite format 3", 16) == 0 && header[21] == 64 && header[22] == 32 &&
            header[23] == 32 && file_bytes % stated == 0)
            bytes = stated;
        reserved = header[20] <= 32 ? header[20] : 0;
    }
    pages->page_bytes = bytes;
    pages->usable_bytes = bytes - reserved;
    uint64_t count = (file_bytes + bytes - 1) / bytes;
    pages->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX - 1;
}

static bool visit_pages(Pages *pages, const char *path, CnError *error)
{
    struct stat info;
    if (fstat(pages->descriptor, &info))
        return cn_file_set_errno(error, "read", path, errno);
    read_sizes(pages, (uint64_t)info.st_size);
    if (!cn_bitset_reserve(&pages->free_pages, pages->count + 1))
        return cn_error_memory(error, "repairing '%s'", path);
    find_free_pages(pages);
    for (uint32_t i = 1; i <= pages->count && !pages->is_stopped && !pages->read_errno; i++)
        if (!cn_bitset_has(&pages->free_pages, i) && read_page(pages, i, pages->page))
            visit_page(pages, i);
    if (pages->read_errno)
        return cn_file_set_errno(error, "read", path, pages->read_errno);
    return !pages->is_out_of_memory || cn_error_memory(error, "repairing '%s'", path);
}

bool cni_store_sqlite_each_candidate(const CnStoreConnectionDesc *desc, CnStoreVisitCandidate visit,
                                     void *user, CnError *error)
{
    Pages pages = {.visit = visit, .user = user};
    pages.descriptor = open(desc->path, O_RDONLY | O_CLOEXEC);
    if (pages.descriptor < 0)
        return cn_file_set_errno(error, "read", desc->path, errno);
    pages.page = cn_alloc(desc->allocator, MAX_PAGE_BYTES);
    cn_array_init(&pages.payload, desc->allocator);
    cn_bitset_init(&pages.free_pages, desc->allocator);
    bool done = pages.page ? visit_pages(&pages, desc->path, error)
                           : cn_error_memory(error, "repairing '%s'", desc->path);
    cn_bitset_fini(&pages.free_pages);
    cn_array_fini(&pages.payload);
    cn_free(desc->allocator, pages.page, MAX_PAGE_BYTES);
    close(pages.descriptor);
    return done;
}

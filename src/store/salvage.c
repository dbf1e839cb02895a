/* Salvage: copies every row whose checksum fits to a new store. */
#include "store/maintenance_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

enum { ROWS_PER_COMMIT = 20000, COPY_BYTES = 1 << 16, SECTOR_BYTES = 4096 };

static bool is_remote(const CnStoreDesc *desc)
{
    return desc->backend && desc->backend->is_remote;
}

/* ---- A copy to work on, with the content of the write-ahead log ---- */

/* Sectors that the disk cannot read any more become zeros: their rows are lost, the others not. */
static ssize_t skip_sector(int from, uint64_t size, uint8_t *bytes)
{
    off_t at = lseek(from, 0, SEEK_CUR);
    if (errno != EIO || at < 0 || (uint64_t)at >= size || lseek(from, SECTOR_BYTES, SEEK_CUR) < 0)
        return -1;
    memset(bytes, 0, SECTOR_BYTES);
    return SECTOR_BYTES;
}

static bool copy_bytes(int from, int to)
{
    uint8_t bytes[COPY_BYTES];
    struct stat info;
    if (fstat(from, &info))
        return false;
    for (;;) {
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0)
            got = skip_sector(from, (uint64_t)info.st_size, bytes);
        if (got <= 0)
            return got == 0;
        for (ssize_t at = 0; at < got;) {
            ssize_t put = write(to, bytes + at, (size_t)(got - at));
            if (put < 0)
                return false;
            at += put;
        }
    }
}

static bool copy_file(const char *from, const char *to, CnError *error)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return cn_file_set_errno(error, "read", from, errno);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool done = out >= 0 && copy_bytes(in, out);
    int number = errno;
    close(in);
    if (out >= 0 && close(out))
        done = false;
    return done || cn_file_set_errno(error, "write", to, number);
}

typedef struct WorkPaths {
    char file[CN_STORE_PATH_BYTES + 16], log[CN_STORE_PATH_BYTES + 16];
    char memory[CN_STORE_PATH_BYTES + 16], source_log[CN_STORE_PATH_BYTES + 16];
} WorkPaths;

static void remove_copy(const WorkPaths *work)
{
    unlink(work->file);
    unlink(work->log);
    unlink(work->memory);
}

static bool make_copy(const CnStoreDesc *desc, const char *path, WorkPaths *work, CnError *error)
{
    cn_format(work->file, sizeof work->file, "%s.work", path);
    cn_format(work->log, sizeof work->log, "%s.work-wal", path);
    cn_format(work->memory, sizeof work->memory, "%s.work-shm", path);
    cn_format(work->source_log, sizeof work->source_log, "%s-wal", desc->path);
    remove_copy(work);
    if (!copy_file(desc->path, work->file, error) ||
        (access(work->source_log, F_OK) == 0 && !copy_file(work->source_log, work->log, error)))
        return false;
    /* Opening and closing moves the log into the file, if enough of both is intact. */
    const CnStoreBackend *backend = desc->backend ? desc->backend : cn_store_sqlite();
    CnStoreConnectionDesc connection = cni_store_connection_desc(desc);
    connection.path = work->file;
    connection.mode = CN_STORE_OPEN;
    connection.accept_unknown = true;
    CnStoreConnection *opened;
    CnError ignored = {0};
    if (backend->open(backend, &connection, &opened, &ignored))
        backend->close(opened);
    return true;
}

/* ---- Rows ---- */

typedef enum Pass { PASS_VERSION, PASS_CERTAIN, PASS_UNCERTAIN } Pass;

typedef struct Salvage {
    const CnStoreDesc *desc;
    const CnStoreCheckDesc *check;
    CnStoreReport *report;
    CniStoreTable tables[CNI_STORE_ALL_TABLES];
    Pass pass;
    uint32_t version;
    CnStore *to;
    CniStoreCodec codec;
    CnU8Array value;
    uint32_t uncommitted;
    uint64_t seen;
    CnError *error;
    bool has_failed;
} Salvage;

static const CniStoreTable *table_of(const Salvage *salvage, const CnStoreCandidate *candidate,
                                     uint32_t *number)
{
    for (uint32_t i = 0; i < CNI_STORE_ALL_TABLES; i++) {
        const CniStoreTable *table = &salvage->tables[i];
        if (table->name && (table->kind == CN_STORE_BY_BYTES) == candidate->is_by_bytes &&
            cni_store_seal_fits(table, &candidate->key, candidate->bytes, candidate->size)) {
            *number = i;
            return table;
        }
    }
    return NULL;
}

static void read_version(Salvage *salvage, const CnStoreCandidate *candidate)
{
    static const char name[] = CNI_STORE_META_VERSION;
    CnError ignored = {0};
    if (candidate->key.size == sizeof name - 1 &&
        memcmp(candidate->key.bytes, name, sizeof name - 1) == 0 &&
        cni_store_unseal(&salvage->codec, &salvage->tables[CNI_STORE_META], &candidate->key,
                         candidate->bytes, candidate->size, &salvage->value, &ignored) &&
        salvage->value.count == 4)
        salvage->version = cn_load_u32(salvage->value.items);
}

static bool fails(Salvage *salvage)
{
    salvage->has_failed = true;
    return false;
}

static bool is_wanted(Salvage *salvage, const CnStoreCandidate *candidate, uint32_t table)
{
    if (table == CNI_STORE_META)
        return true;
    CnError problem = {0};
    char message[CN_STORE_DAMAGE_BYTES], key[CNI_STORE_KEY_TEXT_BYTES];
    const CniStoreTable *own = &salvage->tables[table];
    CnStoreRow row = {.table = table, .key = candidate->key};
    bool fits = cni_store_unseal(&salvage->codec, own, &candidate->key, candidate->bytes,
                                 candidate->size, &salvage->value, &problem);
    if (fits && salvage->check && salvage->check->verify) {
        row.bytes = salvage->value.items;
        row.size = salvage->value.count;
        fits = salvage->check->verify(&row, salvage->check->user, &problem);
    }
    if (fits)
        return true;
    if (problem.code == CN_ERROR_MEMORY) { /* nothing is wrong with the row */
        *salvage->error = problem;
        return fails(salvage);
    }
    cn_format(message, sizeof message, "table %s, row %s is gone: %s", own->name,
              cni_store_key_text(own->kind, &candidate->key, key), problem.message);
    cni_store_report_add(salvage->report, table, key, message);
    return false;
}

static bool write_row(Salvage *salvage, const CnStoreCandidate *candidate, uint32_t table)
{
    CnStore *to = salvage->to;
    bool exists;
    if (table != CNI_STORE_META && !cni_store_table_is_in(&to->desc.tables[table], to->version))
        return true;
    if (!to->backend->get(to->connection, table, &candidate->key, &to->sealed, &exists,
                          salvage->error))
        return fails(salvage);
    if ((exists && table != CNI_STORE_META) || !is_wanted(salvage, candidate, table))
        return !salvage->has_failed;
    if (!to->backend->put(to->connection, table, &candidate->key, candidate->bytes, candidate->size,
                          salvage->error))
        return fails(salvage);
    if (table != CNI_STORE_META) {
        salvage->report->row_count++;
        salvage->report->rows[table]++;
    }
    if (++salvage->uncommitted < ROWS_PER_COMMIT)
        return true;
    salvage->uncommitted = 0;
    return (to->backend->commit(to->connection, salvage->error) &&
            to->backend->begin(to->connection, salvage->error)) ||
           fails(salvage);
}

static bool visit(const CnStoreCandidate *candidate, void *user)
{
    Salvage *salvage = user;
    uint32_t table;
    const CnStoreCheckDesc *check = salvage->check;
    if (++salvage->seen % 4096 == 0 && check && check->progress &&
        !check->progress(salvage->seen, 0, check->user)) {
        cn_error_set(salvage->error, CN_ERROR_LIMIT, "the repair was canceled");
        return fails(salvage);
    }
    if (candidate->is_certain == (salvage->pass == PASS_UNCERTAIN) ||
        !table_of(salvage, candidate, &table))
        return true;
    if (salvage->pass == PASS_VERSION) {
        if (table == CNI_STORE_META)
            read_version(salvage, candidate);
        return true;
    }
    return write_row(salvage, candidate, table);
}

static bool scan(Salvage *salvage, const char *path, Pass pass)
{
    const CnStoreDesc *desc = salvage->desc;
    const CnStoreBackend *backend = desc->backend ? desc->backend : cn_store_sqlite();
    CnStoreConnectionDesc connection = cni_store_connection_desc(desc);
    connection.path = path;
    salvage->pass = pass;
    return backend->each_candidate(&connection, visit, salvage, salvage->error) &&
           !salvage->has_failed;
}

static bool fill(Salvage *salvage, const char *work)
{
    CnStore *to = salvage->to;
    return to->backend->begin(to->connection, salvage->error) &&
           scan(salvage, work, PASS_CERTAIN) && scan(salvage, work, PASS_UNCERTAIN) &&
           to->backend->commit(to->connection, salvage->error);
}

/* ---- The whole ---- */

static bool salvage_to(Salvage *salvage, const char *work, const char *temporary)
{
    if (!scan(salvage, work, PASS_VERSION))
        return false;
    if (salvage->version > salvage->desc->version)
        return cn_error_set(salvage->error, CN_ERROR_VERSION,
                            "'%s' has version %u, which is newer than this program",
                            salvage->desc->path, salvage->version);
    CnStoreDesc desc = *salvage->desc;
    desc.path = temporary;
    desc.mode = CN_STORE_CREATE;
    if (is_remote(salvage->desc))
        desc.backend = NULL; /* the new store is a file */
    desc.version = salvage->version ? salvage->version : desc.version;
    salvage->to = cni_store_open(&desc, CNI_STORE_FOR_MAINTENANCE, salvage->error);
    bool done = salvage->to && fill(salvage, work);
    cn_store_destroy(salvage->to);
    return done;
}

/* Names the rows that the original still lists, but damaged. */
static void list_damage(const CnStoreDesc *desc, const char *work, CnStoreReport *report)
{
    CnStoreReport found;
    CnError problem = {0};
    CnStoreDesc copy = *desc;
    copy.path = work;
    copy.mode = CN_STORE_OPEN;
    if (!cn_store_check(&copy, NULL, &found, &problem))
        cni_store_report_add(report, UINT32_MAX, NULL, problem.message);
    for (uint32_t i = 0; i < found.item_count; i++)
        cni_store_report_add(report, found.items[i].table, found.items[i].row,
                             found.items[i].message);
    report->damage_count += found.damage_count - found.item_count;
    cn_store_report_free(&found);
}

static void init_tables(Salvage *salvage)
{
    const CnStoreDesc *desc = salvage->desc;
    for (uint32_t i = 0; i < desc->table_count; i++)
        cni_store_table_init(&salvage->tables[i], &desc->tables[i]);
    cni_store_table_init(
        &salvage->tables[CNI_STORE_META],
        &(CnStoreTableDesc){.name = CNI_STORE_META_NAME, .kind = CN_STORE_BY_BYTES});
}

bool cn_store_salvage(const CnStoreDesc *desc, const char *path, const CnStoreCheckDesc *check,
                      CnStoreReport *report, CnError *error)
{
    CN_ASSERT(desc && path && report, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    cni_store_report_init(report, desc->allocator);
    char temporary[CN_STORE_PATH_BYTES + 8];
    WorkPaths work;
    Salvage salvage = {.desc = desc, .check = check, .report = report, .error = error};
    if (!cni_store_copy_begin(path, temporary, sizeof temporary, error))
        return false;
    cn_array_init(&salvage.value, desc->allocator);
    init_tables(&salvage);
    bool has_copy = !is_remote(desc);
    bool done = !has_copy || make_copy(desc, path, &work, error);
    if (done) {
        const char *source = has_copy ? work.file : desc->path;
        list_damage(desc, source, report);
        done =
            salvage_to(&salvage, source, temporary) && cni_store_copy_end(temporary, path, error);
    }
    if (has_copy)
        remove_copy(&work);
    cni_store_codec_fini(&salvage.codec);
    cn_array_fini(&salvage.value);
    if (!done)
        unlink(temporary);
    return done;
}

/* Checking a store: its structure, the checksum of each row, and what the application checks.
 * Copies of stores that are not open. */
#include "store/maintenance_internal.h"

void cni_store_report_init(CnStoreReport *report, CnAllocator *allocator)
{
    *report = (CnStoreReport){.allocator = allocator};
}

void cn_store_report_free(CnStoreReport *report)
{
    cn_free(report->allocator, report->items, CN_STORE_REPORT_MAX_ITEMS * sizeof *report->items);
    *report = (CnStoreReport){0};
}

void cni_store_report_add(CnStoreReport *report, uint32_t table, const char *row,
                          const char *message)
{
    report->damage_count++;
    if (!report->items) {
        report->items =
            cn_alloc(report->allocator, CN_STORE_REPORT_MAX_ITEMS * sizeof *report->items);
        if (!report->items)
            return; /* counted */
    }
    if (report->item_count == CN_STORE_REPORT_MAX_ITEMS)
        return;
    CnStoreDamage *item = &report->items[report->item_count++];
    item->table = table;
    cn_text_escape(cn_text(row ? row : ""), item->row, sizeof item->row);
    cn_text_escape(cn_text(message), item->message, sizeof item->message);
}

/* ---- Rows ---- */

typedef struct Check {
    CnStore *store;
    const CnStoreCheckDesc *desc;
    CnStoreReport *report;
    int64_t last_number; /* of a log; 0: none yet */
    uint64_t seen;
    bool is_canceled;
} Check;

static void check_number(Check *check, const CnStoreRow *row)
{
    int64_t last = check->last_number, number = row->key.number;
    char message[CN_STORE_DAMAGE_BYTES];
    check->last_number = number;
    if (!last || number == last + 1)
        return;
    cn_format(message, sizeof message, "log %s: records %lld to %lld are missing",
              check->store->tables[row->table].name, (long long)last + 1, (long long)number - 1);
    cni_store_report_add(check->report, row->table, NULL, message);
}

static bool check_row(const CnStoreRow *row, void *user, CnError *error)
{
    Check *check = user;
    const CnStoreCheckDesc *desc = check->desc;
    const CniStoreTable *table = &check->store->tables[row->table];
    char message[CN_STORE_DAMAGE_BYTES], key[CNI_STORE_KEY_TEXT_BYTES];
    CnError problem = {0};
    if (table->kind == CN_STORE_LOG)
        check_number(check, row);
    if (row->is_damaged || (desc && desc->verify && !desc->verify(row, desc->user, &problem))) {
        if (problem.code == CN_ERROR_MEMORY) {
            *error = problem;
            return false;
        }
        cn_format(message, sizeof message, "table %s, row %s: %s", table->name,
                  cni_store_key_text(table->kind, &row->key, key),
                  row->is_damaged ? "the checksum is wrong" : problem.message);
        cni_store_report_add(check->report, row->table, key, message);
    } else {
        check->report->row_count++;
        check->report->rows[row->table]++;
    }
    if (++check->seen % 1024 == 0 && desc && desc->progress &&
        !desc->progress(check->seen, 0, desc->user)) {
        check->is_canceled = true;
        return cn_error_set(error, CN_ERROR_LIMIT, "the check of '%s' was canceled",
                            check->store->desc.path);
    }
    return true;
}

static void note_damage(const char *message, void *user)
{
    Check *check = user;
    cni_store_report_add(check->report, UINT32_MAX, NULL, message);
}

static bool report_progress(uint64_t done, uint64_t total, void *user)
{
    const Check *check = user;
    const CnStoreCheckDesc *desc = check->desc;
    return !desc || !desc->progress || desc->progress(done, total, desc->user);
}

static bool check_table(Check *check, uint32_t table, CnError *error)
{
    CnError problem = {0};
    check->last_number = 0;
    if (cn_store_each(check->store, table, NULL, NULL, check_row, check, &problem))
        return true;
    if (check->is_canceled || problem.code != CN_ERROR_FORMAT)
        return cn_error_set(error, problem.code, "%s", problem.message);
    char message[CN_STORE_DAMAGE_BYTES];
    cn_format(message, sizeof message, "table %s cannot be read to its end",
              check->store->tables[table].name);
    cni_store_report_add(check->report, table, NULL, message);
    return true;
}

static bool check_store(Check *check, CnError *error)
{
    CnStore *store = check->store;
    if (!store->backend->check(store->connection, note_damage, report_progress, check, error))
        return false;
    for (uint32_t i = 0; i < store->desc.table_count; i++)
        if (cni_store_table_is_in(&store->desc.tables[i], store->version) &&
            !check_table(check, i, error))
            return false;
    return true;
}

static CnStore *open_for_maintenance(const CnStoreDesc *desc, CnError *error)
{
    CnStoreDesc existing = *desc;
    if (existing.mode != CN_STORE_READ_ONLY)
        existing.mode = CN_STORE_OPEN;
    return cni_store_open(&existing, CNI_STORE_FOR_MAINTENANCE, error);
}

bool cn_store_check(const CnStoreDesc *desc, const CnStoreCheckDesc *check, CnStoreReport *report,
                    CnError *error)
{
    CN_ASSERT(desc && report, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    cni_store_report_init(report, desc->allocator);
    CnStore *store = open_for_maintenance(desc, error);
    if (!store)
        return false;
    Check checking = {.store = store, .desc = check, .report = report};
    bool done = check_store(&checking, error);
    cn_store_destroy(store);
    return done;
}

/* ---- Whole files ---- */

bool cn_store_settle(const CnStoreDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->mode != CN_STORE_READ_ONLY, "%s: the store is read-only", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    CnStore *store = open_for_maintenance(desc, error);
    bool done = store != NULL;
    cn_store_destroy(store);
    return done;
}

bool cn_store_copy(const CnStoreDesc *desc, const char *path, CnStoreProgress progress, void *user,
                   CnError *error)
{
    CN_ASSERT(desc && path, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    CnStore *store = open_for_maintenance(desc, error);
    bool done = store && cni_store_copy(store, path, progress, user, error);
    cn_store_destroy(store);
    return done;
}

bool cn_store_compact(const CnStoreDesc *desc, const char *path, CnStoreProgress progress,
                      void *user, CnError *error)
{
    CN_ASSERT(desc && path, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    char temporary[CN_STORE_PATH_BYTES + 8];
    if (!cni_store_copy_begin(path, temporary, sizeof temporary, error))
        return false;
    CnStore *store = open_for_maintenance(desc, error);
    bool done = store &&
                store->backend->compact(store->connection, temporary, progress, user, error) &&
                cni_store_copy_end(temporary, path, error);
    cn_store_destroy(store);
    if (!done)
        unlink(temporary);
    return done;
}

#include "check.h"

#include "crafty/save/world_files.h"
#include "crafty/save/world_rows.h"
#include "crafty/replay/session.h"

#include <stdlib.h>

const char *crafty_damage_part_name(CraftyDamagePart part)
{
    static const char *const names[CRAFTY_DAMAGE_PART_COUNT] = {
        [CRAFTY_DAMAGE_FILE] = "file",       [CRAFTY_DAMAGE_DESCRIPTION] = "description",
        [CRAFTY_DAMAGE_CHUNK] = "chunk",     [CRAFTY_DAMAGE_LOG] = "log",
        [CRAFTY_DAMAGE_STATE] = "state",     [CRAFTY_DAMAGE_COPY] = "copy",
        [CRAFTY_DAMAGE_DATA] = "block data", [CRAFTY_DAMAGE_BLOCKS] = "world"};
    return names[part];
}

void crafty_world_check_free(CraftyWorldCheck *check)
{
    cn_free(cn_system_allocator(), check->items, CRAFTY_CHECK_MAX_ITEMS * sizeof *check->items);
    *check = (CraftyWorldCheck){0};
}

/* Returns the entry for its text, or NULL if there is no room. */
static CraftyWorldDamage *add_damage(CraftyWorldCheck *check, CraftyDamagePart part)
{
    check->damage_count++;
    if (!check->items)
        check->items =
            cn_alloc(cn_system_allocator(), CRAFTY_CHECK_MAX_ITEMS * sizeof *check->items);
    if (!check->items || check->item_count == CRAFTY_CHECK_MAX_ITEMS)
        return NULL;
    CraftyWorldDamage *damage = &check->items[check->item_count++];
    *damage = (CraftyWorldDamage){.part = part};
    return damage;
}

static void add_problem(CraftyWorldCheck *check, CraftyDamagePart part, const char *message)
{
    CraftyWorldDamage *damage = add_damage(check, part);
    if (damage)
        cn_text_escape(cn_text(message), damage->message, sizeof damage->message);
}

/* ---- Rows ---- */

typedef struct Checking {
    CraftyWorldCheck *check;
    CraftyWorldRows rows;
    bool has_summary, has_identity, has_blocks, has_items, has_sim, has_activity;
    CnStoreProgress progress;
    void *user;
    uint64_t differences; /* of the current chunk */
    uint64_t chunk;
} Checking;

static CraftyDamagePart part_of(uint32_t table)
{
    switch (table) {
    case CRAFTY_SAVE_INFO:
        return CRAFTY_DAMAGE_DESCRIPTION;
    case CRAFTY_SAVE_CHUNKS:
        return CRAFTY_DAMAGE_CHUNK;
    case CRAFTY_SAVE_LOG:
        return CRAFTY_DAMAGE_LOG;
    case CRAFTY_SAVE_STATE:
        return CRAFTY_DAMAGE_STATE;
    case CRAFTY_SAVE_COPY:
        return CRAFTY_DAMAGE_COPY;
    case CRAFTY_SAVE_DATA:
        return CRAFTY_DAMAGE_DATA;
    default:
        return CRAFTY_DAMAGE_FILE;
    }
}

static void note_key(Checking *checking, const CnStoreRow *row)
{
    struct {
        uint32_t table;
        const char *key;
        bool *has;
    } const keys[] = {{CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_SUMMARY, &checking->has_summary},
                      {CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_IDENTITY, &checking->has_identity},
                      {CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_BLOCKS, &checking->has_blocks},
                      {CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_ITEMS, &checking->has_items},
                      {CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_SIM, &checking->has_sim},
                      {CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_ACTIVITY, &checking->has_activity}};
    for (uint32_t i = 0; row->key.bytes && i < CN_COUNT_OF(keys); i++)
        if (row->table == keys[i].table && row->key.size == strlen(keys[i].key) &&
            memcmp(row->key.bytes, keys[i].key, row->key.size) == 0)
            *keys[i].has = true;
}

static bool verify_row(const CnStoreRow *row, void *user, CnError *error)
{
    Checking *checking = user;
    note_key(checking, row);
    return crafty_world_rows_add(&checking->rows, row, error);
}

static bool report_progress(uint64_t done, uint64_t total, void *user)
{
    const Checking *checking = user;
    return !checking->progress || checking->progress(done, total, checking->user);
}

static void copy_report(CraftyWorldCheck *check, const CnStoreReport *report)
{
    for (uint32_t i = 0; i < report->item_count; i++) {
        const CnStoreDamage *item = &report->items[i];
        CraftyWorldDamage *damage = add_damage(check, part_of(item->table));
        char *end;
        long long key = strtoll(item->row, &end, 10);
        if (!damage)
            continue;
        cn_copy_text(damage->message, sizeof damage->message, cn_text(item->message));
        bool is_of_chunk =
            damage->part == CRAFTY_DAMAGE_CHUNK || damage->part == CRAFTY_DAMAGE_DATA;
        if (!is_of_chunk || !item->row[0] || *end)
            continue;
        damage->has_chunk = true;
        damage->chunk = cn_chunk_from_key((uint64_t)key);
    }
    check->damage_count += report->damage_count - report->item_count;
}

static bool check_rows(Checking *checking, const char *path, CnError *error)
{
    CnStoreReport report;
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    CnStoreCheckDesc rows = {.verify = verify_row, .progress = report_progress, .user = checking};
    CnError problem = {0};
    bool done = cn_store_check(&desc, &rows, &report, &problem);
    copy_report(checking->check, &report);
    checking->check->rows = report.row_count;
    checking->check->chunks = report.rows[CRAFTY_SAVE_CHUNKS];
    checking->check->edits = checking->rows.edits;
    cn_store_report_free(&report);
    if (done)
        return true;
    if (problem.code == CN_ERROR_FORMAT) { /* so damaged that it cannot even be opened */
        add_problem(checking->check, CRAFTY_DAMAGE_FILE, problem.message);
        return true;
    }
    if (error)
        *error = problem;
    return false;
}

/* ---- The rows together ---- */

static bool note_difference(const CraftyWorldDifference *difference, void *user, CnError *error)
{
    (void)error;
    Checking *checking = user;
    const CraftyLoggedCell *cell = difference->cell;
    if (!difference->is_after_gap) /* newer edits may be missing in the log */
        return true;
    if (checking->differences > 0 && checking->chunk == cell->chunk) { /* once for each chunk */
        checking->differences++;
        return true;
    }
    checking->differences = 1;
    checking->chunk = cell->chunk;
    CraftyWorldDamage *damage = add_damage(checking->check, CRAFTY_DAMAGE_CHUNK);
    if (!damage)
        return true;
    damage->has_chunk = true;
    damage->chunk = cn_chunk_from_key(cell->chunk);
    cn_format(damage->message, sizeof damage->message,
              difference->has_chunk
                  ? "the blocks of chunk %d, %d, %d do not agree with the log of edits"
                  : "the log has edits of chunk %d, %d, %d, but its row is missing",
              damage->chunk.x, damage->chunk.y, damage->chunk.z);
    return true;
}

static void check_presence(Checking *checking)
{
    CraftyWorldCheck *check = checking->check;
    bool is_played = checking->has_summary || checking->has_sim || check->chunks > 0;
    if (!is_played)
        return;
    static const char *const missing = "the row \"%s\" is missing";
    const struct {
        bool has;
        CraftyDamagePart part;
        const char *key;
    } keys[] = {
        {checking->has_identity, CRAFTY_DAMAGE_DESCRIPTION, CRAFTY_SAVE_KEY_IDENTITY},
        {checking->has_summary, CRAFTY_DAMAGE_DESCRIPTION, CRAFTY_SAVE_KEY_SUMMARY},
        {checking->has_blocks, CRAFTY_DAMAGE_DESCRIPTION, CRAFTY_SAVE_KEY_BLOCKS},
        {checking->has_items, CRAFTY_DAMAGE_DESCRIPTION, CRAFTY_SAVE_KEY_ITEMS},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        CraftyWorldDamage *damage = keys[i].has ? NULL : add_damage(check, keys[i].part);
        if (damage)
            cn_format(damage->message, sizeof damage->message, missing, keys[i].key);
    }
}

/* Opens the world like a game does: its blocks must have the saved hash, and its state must be
 * complete. */
static bool check_opening(CraftyWorldCheck *check, const char *path, CnError *error)
{
    CnError problem = {0};
    CraftySave *save =
        crafty_save_open(&(CraftySaveDesc){.path = path, .mode = CN_STORE_OPEN}, &problem);
    CraftySession *session =
        save ? crafty_session_create(&(CraftySessionDesc){.start = {.viewer = CRAFTY_VIEWER_WALKS},
                                                          .threads = 1,
                                                          .save = save},
                                     &problem)
             : NULL;
    bool is_open = session != NULL;
    crafty_session_destroy(session);
    crafty_save_close(save);
    if (is_open)
        return true;
    if (problem.code != CN_ERROR_FORMAT && problem.code != CN_ERROR_MISMATCH) {
        if (error)
            *error = problem;
        return false;
    }
    add_problem(check, CRAFTY_DAMAGE_BLOCKS, problem.message);
    return true;
}

bool crafty_world_check(const char *path, CnStoreProgress progress, void *user,
                        CraftyWorldCheck *check, CnError *error)
{
    bool is_open;
    Checking checking = {.check = check, .progress = progress, .user = user};
    *check = (CraftyWorldCheck){0};
    if (!crafty_world_settle(path, &is_open, error))
        return false;
    crafty_world_rows_init(&checking.rows);
    checking.rows.check_thumbnail = crafty_thumbnail_check;
    bool done = check_rows(&checking, path, error);
    if (done && check->damage_count == 0)
        check_presence(&checking);
    done = done && crafty_world_rows_compare(&checking.rows, note_difference, &checking, error) &&
           (check->damage_count > 0 || check_opening(check, path, error));
    crafty_world_rows_fini(&checking.rows);
    return done;
}

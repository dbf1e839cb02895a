/* crafty world torture: rounds of disturbances, and what they found. */
#include "torture.h"

#include "run.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>
#include <cairn/base/log.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define DEFAULT_SECONDS 60u
#define NEEDED_BYTES (64ull << 20)
#define MAX_FAILURES 20u /* that are described */

typedef struct TortureDesc {
    const char *name, *title;
    bool (*run)(TortureRound *round, CnError *error);
} TortureDesc;

static const TortureDesc kinds[TORTURE_KIND_COUNT] = {
    [TORTURE_KILL] = {"kill", "killed games", torture_kill},
    [TORTURE_CUT] = {"power_cut", "power cuts (simulated)", torture_cut},
    [TORTURE_FULL] = {"disk_full", "full disks (simulated)", torture_full},
    [TORTURE_FLIP] = {"bit_flip", "changed bits", torture_flip},
};

typedef struct Torture {
    CraftyWorldRun *run;
    char folder[CN_STORE_PATH_BYTES];
    uint64_t rounds[TORTURE_KIND_COUNT], failed[TORTURE_KIND_COUNT], saves;
    uint64_t start_ns, seconds;
    TortureSync sync;
    json_t *failures;
    uint32_t failure_count;
} Torture;

/* ---- The folder ---- */

/* Removes files and folders below `folder`, and itself. */
static bool remove_entry(const char *name, bool is_directory, void *user);

static void remove_folder(const char *folder)
{
    CnError ignored = {0};
    cn_native_files()->list(cn_native_files(), folder, remove_entry, (void *)(uintptr_t)folder,
                            &ignored);
    rmdir(folder);
}

static bool remove_entry(const char *name, bool is_directory, void *user)
{
    char path[CN_STORE_PATH_BYTES];
    if (!cn_format(path, sizeof path, "%s/%s", (const char *)user, name))
        return true;
    if (is_directory)
        remove_folder(path);
    else
        unlink(path);
    return true;
}

static bool make_folder(Torture *torture, CnError *error)
{
    const char *folder = torture->run->options->folder;
    struct statvfs space;
    if (!folder)
        folder = torture->run->folder;
    if (!cn_native_files()->make_folder(cn_native_files(), folder, error))
        return false;
    if (statvfs(folder, &space))
        return cn_file_set_errno(error, "use", folder, errno);
    if ((uint64_t)space.f_bavail * space.f_frsize < NEEDED_BYTES)
        return cn_file_set_error(error, CN_ERROR_LIMIT, "use", folder,
                                 "less than 64 MiB are free: free some space");
    if (!cn_format(torture->folder, sizeof torture->folder, "%s/crafty-torture-XXXXXX", folder))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "use", folder, "the path is too long");
    return mkdtemp(torture->folder) || cn_file_set_errno(error, "write to", folder, errno);
}

/* ---- Rounds ---- */

static void note_failure(Torture *torture, TortureKind kind, uint64_t seed, const CnError *error)
{
    torture->failed[kind]++;
    torture->run->found_damage = true;
    if (torture->failure_count++ >= MAX_FAILURES)
        return;
    json_t *failure = crafty_json_append(torture->failures);
    crafty_json_text(failure, "kind", kinds[kind].name);
    crafty_json_number(failure, "seed", (int64_t)seed);
    crafty_json_text(failure, "message", error->message);
    crafty_world_print(torture->run, "FAILED: %s, seed %" PRIu64 ": %s", kinds[kind].title, seed,
                       error->message);
}

static void run_round(Torture *torture, TortureKind kind)
{
    char folder[CN_STORE_PATH_BYTES + 8];
    CnError error = {0};
    TortureRound round = {.folder = folder, .seed = torture->rounds[kind] + 1};
    cn_format(folder, sizeof folder, "%s/round", torture->folder);
    remove_folder(folder);
    if (!cn_native_files()->make_folder(cn_native_files(), folder, &error) ||
        !kinds[kind].run(&round, &error))
        note_failure(torture, kind, round.seed, &error);
    torture->rounds[kind]++;
    torture->saves += round.saves;
    remove_folder(folder);
}

/* Returns false when the time or the rounds are over, or after SIGINT. */
static bool goes_on(Torture *torture)
{
    const CraftyWorldOptions *options = torture->run->options;
    uint64_t passed = (cn_clock_ns() - torture->start_ns) / 1000000000u;
    uint64_t round = torture->rounds[TORTURE_KIND_COUNT - 1];
    bool by_rounds = options->rounds > 0;
    if ((by_rounds && round >= options->rounds) ||
        ((!by_rounds || options->seconds > 0) && passed >= torture->seconds))
        return false;
    return by_rounds ? crafty_world_progress(round, options->rounds, torture->run)
                     : crafty_world_progress(passed, torture->seconds, torture->run);
}

/* ---- The report ---- */

static void report_sync(Torture *torture)
{
    const TortureSync *sync = &torture->sync;
    bool is_fast = sync->median_us < TORTURE_FAST_SYNC_US;
    json_t *object = crafty_json_object(torture->run->json, "sync");
    crafty_json_real(object, "median_us", sync->median_us);
    crafty_json_real(object, "worst_us", sync->worst_us);
    crafty_json_flag(object, "is_implausibly_fast", is_fast);
    crafty_world_print(torture->run, "making 4 KiB durable takes %.0f us (median), at most %.0f us",
                       sync->median_us, sync->worst_us);
    if (is_fast)
        crafty_world_print(
            torture->run, "WARNING: no disk is that fast. This is memory, or the disk reports data "
                          "as saved before it is: a real power cut can lose it.");
}

static void report(Torture *torture)
{
    CraftyWorldRun *run = torture->run;
    json_t *rounds = crafty_json_object(run->json, "rounds");
    uint64_t failed = 0;
    for (uint32_t i = 0; i < TORTURE_KIND_COUNT; i++) {
        json_t *kind = crafty_json_object(rounds, kinds[i].name);
        crafty_json_number(kind, "count", (int64_t)torture->rounds[i]);
        crafty_json_number(kind, "failed", (int64_t)torture->failed[i]);
        crafty_world_print(run, "%6" PRIu64 " rounds of %s, %" PRIu64 " failed", torture->rounds[i],
                           kinds[i].title, torture->failed[i]);
        failed += torture->failed[i];
    }
    crafty_json_number(run->json, "saves", (int64_t)torture->saves);
    crafty_json_flag(run->json, "is_reliable", failed == 0);
    crafty_world_print(run,
                       failed == 0 ? "%" PRIu64 " saves; nothing that was saved was lost"
                                   : "%" PRIu64 " saves; see the failures above",
                       torture->saves);
}

bool crafty_world_torture_action(CraftyWorldRun *run, CnError *error)
{
    Torture torture = {.run = run, .failures = crafty_json_array(run->json, "failures")};
    torture.seconds = run->options->seconds ? run->options->seconds : DEFAULT_SECONDS;
    if (!make_folder(&torture, error))
        return false;
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* failures of simulated disks are wanted */
    crafty_json_text(run->json, "folder", torture.folder);
    crafty_world_print(run, "testing in %s", torture.folder);
    crafty_world_begin_task(run, "torture");
    bool done = torture_measure_sync(torture.folder, &torture.sync, error);
    if (done)
        report_sync(&torture);
    torture.start_ns = cn_clock_ns();
    while (done && goes_on(&torture))
        for (uint32_t i = 0; i < TORTURE_KIND_COUNT && !run->was_canceled; i++)
            run_round(&torture, (TortureKind)i);
    remove_folder(torture.folder);
    if (done)
        report(&torture);
    return done;
}

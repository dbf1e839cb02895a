/* The writer thread: commits what was submitted, keeps it where that fails, and reports both. */
#include "store/store_internal.h"

#include <cairn/base/clock.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

enum { DEFAULT_RETRY_MS = 500, MAX_RETRY_FACTOR = 16, LARGE_BUFFER_BYTES = 8 << 20 };

/* ---- Handing over ---- */

uint64_t cn_store_submit(CnStore *store, CnStoreBatch *batch)
{
    CN_ASSERT(store, "%s: store is NULL", __func__);
    CN_ASSERT(batch && batch->store == store, "%s: the batch belongs to another store", __func__);
    CN_ASSERT(store->has_thread, "%s: the store is read-only", __func__);
    uint64_t number = atomic_load_explicit(&store->submitted, memory_order_relaxed) + 1;
    uint64_t durable = atomic_load_explicit(&store->durable, memory_order_acquire);
    if (number - durable > store->queue_mask + 1)
        return 0;
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        batch->log_base[i] = store->log_next[i];
        store->log_next[i] += batch->log_count[i];
    }
    store->queue[(number - 1) & store->queue_mask] = batch;
    atomic_store_explicit(&store->submitted, number, memory_order_release);
    sem_post(&store->wake);
    return number;
}

int64_t cn_store_log_next(const CnStore *store, uint32_t table)
{
    CN_ASSERT(table < store->desc.table_count && store->tables[table].kind == CN_STORE_LOG,
              "%s: table %u is not a log", __func__, table);
    return store->log_next[table];
}

uint64_t cn_store_durable(const CnStore *store)
{
    CN_ASSERT(store, "%s: store is NULL", __func__);
    return atomic_load_explicit(&store->durable, memory_order_acquire);
}

void cn_store_status(const CnStore *store, CnStoreStatus *status)
{
    CN_ASSERT(store && status, "%s: an argument is NULL", __func__);
    CnStore *own = (CnStore *)store; /* only its lock changes */
    pthread_mutex_lock(&own->status_lock);
    *status = (CnStoreStatus){.state = store->state,
                              .submitted = atomic_load(&store->submitted),
                              .durable = atomic_load(&store->durable),
                              .retries = store->retries};
    if (store->state != CN_STORE_OK)
        status->error = store->error;
    pthread_mutex_unlock(&own->status_lock);
}

/* ---- Committing ---- */

static void set_state(CnStore *store, CnStoreState state, const CnError *error)
{
    pthread_mutex_lock(&store->status_lock);
    bool is_news = state != CN_STORE_OK &&
                   (store->state != state || strcmp(store->error.message, error->message) != 0);
    store->state = state;
    if (state != CN_STORE_OK) {
        store->error = *error;
        store->retries++;
    }
    pthread_cond_broadcast(&store->changed);
    pthread_mutex_unlock(&store->status_lock);
    if (is_news)
        CN_LOG_ERROR("store", "saving failed: %s", error->message);
    if (store->desc.notify) {
        CnStoreStatus status;
        cn_store_status(store, &status);
        store->desc.notify(&status, store->desc.user);
    }
}

static bool write_batches(CnStore *store, uint64_t from, uint64_t to, CnError *error)
{
    if (!store->backend->begin(store->connection, error))
        return false;
    for (uint64_t number = from; number <= to; number++)
        if (!cni_store_batch_apply(store, store->queue[(number - 1) & store->queue_mask], error))
            return false;
    return store->backend->commit(store->connection, error);
}

/* Commits the batches up to `to` in one transaction. */
static bool commit(CnStore *store, uint64_t to, CnError *error)
{
    pthread_mutex_lock(&store->lock);
    uint64_t durable = atomic_load(&store->durable);
    bool done = write_batches(store, durable + 1, to, error);
    if (!done) {
        store->backend->rollback(store->connection);
    } else {
        for (uint64_t number = durable + 1; number <= to; number++)
            cn_store_batch_destroy(store->queue[(number - 1) & store->queue_mask]);
        atomic_store_explicit(&store->durable, to, memory_order_release);
    }
    if (store->sealed.capacity > LARGE_BUFFER_BYTES)
        cn_array_fini(&store->sealed);
    pthread_mutex_unlock(&store->lock);
    return done;
}

static void maintain(CnStore *store)
{
    CnError error = {0};
    pthread_mutex_lock(&store->lock);
    bool done = store->backend->maintain(store->connection, &error);
    pthread_mutex_unlock(&store->lock);
    if (!done) /* everything is durable in the write-ahead log; the next commit tries again */
        CN_LOG_WARNING("store", "%s", error.message);
}

static bool tries_again(CnErrorCode code)
{
    return code == CN_ERROR_IO || code == CN_ERROR_LIMIT || code == CN_ERROR_MEMORY ||
           code == CN_ERROR_PERMISSION;
}

/* ---- The thread ---- */

static void wait_until(CnStore *store, uint64_t deadline_ns)
{
    struct timespec when;
    for (;;) {
        uint64_t now = cn_clock_ns();
        if (now >= deadline_ns || atomic_load(&store->retries_now) ||
            atomic_load(&store->is_ending))
            return;
        uint64_t left = deadline_ns - now;
        clock_gettime(CLOCK_REALTIME, &when);
        uint64_t at = (uint64_t)when.tv_nsec + left % 1000000000u;
        when.tv_sec += (time_t)(left / 1000000000u + at / 1000000000u);
        when.tv_nsec = (long)(at % 1000000000u);
        sem_timedwait(&store->wake, &when);
    }
}

static void pause_after(CnStore *store, CnStoreState state, uint32_t *factor)
{
    uint64_t first = store->desc.retry_ms ? store->desc.retry_ms : DEFAULT_RETRY_MS;
    uint64_t pause_ns = first * *factor * 1000000u;
    wait_until(store, state == CN_STORE_FAILED ? UINT64_MAX : cn_clock_ns() + pause_ns);
    if (*factor < MAX_RETRY_FACTOR)
        *factor *= 2;
}

static void *write_loop(void *data)
{
    CnStore *store = data;
    uint32_t factor = 1;
    /* A thread of this class does not interrupt the one that wakes it, which is in a tick. */
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0});
    for (;;) {
        /* Read before `submitted`: what was submitted before the end is written. */
        bool is_ending = atomic_load(&store->is_ending);
        atomic_store(&store->retries_now, false);
        uint64_t to = atomic_load_explicit(&store->submitted, memory_order_acquire);
        if (to == atomic_load(&store->durable)) {
            if (is_ending)
                return NULL;
            while (sem_wait(&store->wake) && errno == EINTR) {
            }
            continue;
        }
        CnError error = {0};
        if (commit(store, to, &error)) {
            factor = 1;
            set_state(store, CN_STORE_OK, NULL);
            maintain(store);
            continue;
        }
        CnStoreState state = tries_again(error.code) ? CN_STORE_RETRYING : CN_STORE_FAILED;
        set_state(store, state, &error);
        if (is_ending)
            return NULL;
        pause_after(store, state, &factor);
    }
}

bool cni_store_writer_start(CnStore *store, CnError *error)
{
    /* Signals are for the threads of the program. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&store->thread, NULL, write_loop, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return cn_error_set(error, CN_ERROR_LIMIT, "cannot create the thread that saves");
    pthread_setname_np(store->thread, "store");
    store->has_thread = true;
    return true;
}

void cni_store_writer_end(CnStore *store)
{
    if (!store->has_thread)
        return;
    atomic_store(&store->is_ending, true);
    sem_post(&store->wake);
    pthread_join(store->thread, NULL);
    store->has_thread = false;
    uint64_t durable = atomic_load(&store->durable), submitted = atomic_load(&store->submitted);
    if (durable < submitted)
        CN_LOG_ERROR("store", "'%s' was closed without the last %llu batches: %s", store->desc.path,
                     (unsigned long long)(submitted - durable), store->error.message);
    for (uint64_t number = durable + 1; number <= submitted; number++)
        cn_store_batch_destroy(store->queue[(number - 1) & store->queue_mask]);
}

/* ---- Waiting ---- */

static bool wait_for(CnStore *store, uint64_t number, const struct timespec *until)
{
    int failed = 0;
    while (cn_store_durable(store) < number && failed != ETIMEDOUT)
        failed = pthread_cond_timedwait(&store->changed, &store->status_lock, until);
    return cn_store_durable(store) >= number;
}

bool cn_store_flush(CnStore *store, uint32_t timeout_ms, CnError *error)
{
    CN_ASSERT(store, "%s: store is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    uint64_t number = atomic_load(&store->submitted);
    if (cn_store_durable(store) >= number)
        return true;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t at = (uint64_t)until.tv_nsec + timeout_ms % 1000u * UINT64_C(1000000);
    until.tv_sec += (time_t)(timeout_ms / 1000u + at / 1000000000u);
    until.tv_nsec = (long)(at % 1000000000u);
    atomic_store(&store->retries_now, true);
    sem_post(&store->wake);
    pthread_mutex_lock(&store->status_lock);
    bool done = wait_for(store, number, &until);
    CnStoreState state = store->state;
    CnError reason = store->error;
    pthread_mutex_unlock(&store->status_lock);
    if (done)
        return true;
    unsigned long long left = number - cn_store_durable(store);
    if (state == CN_STORE_OK)
        return cn_error_set(error, CN_ERROR_LIMIT, "'%s': %llu batches are not saved yet",
                            store->desc.path, left);
    return cn_error_set(error, reason.code, "%llu batches are not saved yet: %s", left,
                        reason.message);
}

/*
 * Threads: pthreads under short names, and the place where idle ones sleep.
 */
#ifndef CAIRN_SRC_BASE_THREAD_H
#define CAIRN_SRC_BASE_THREAD_H

#include <cairn/base/api.h>

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

/* What one thread writes often and another reads lies this far apart. */
#define CNI_CACHE_LINE_BYTES 64

typedef struct CniThread {
    pthread_t handle;
#if defined(__linux__)
    cpu_set_t allowed_cores;
#endif
} CniThread;

/* `name` is what debuggers and top show, at most 15 characters. False when there are no resources
 * for another thread; nothing is left behind then. */
bool cni_thread_start(CniThread *thread, const char *name, void *(*run)(void *data), void *data);
void cni_thread_join(CniThread *thread);
/* Lets another thread that is ready have this core. */
void cni_thread_yield(void);

/* The core the calling thread runs on at the moment; CNI_CORE_UNKNOWN where that cannot be told. */
#define CNI_CORE_UNKNOWN UINT32_MAX
uint32_t cni_thread_core(void);
/* Lets another thread run on every core that was allowed when it started except `core`; on all of
 * them if there would be none left. */
void cni_thread_keep_off(CniThread *thread, uint32_t core);

/* For tests: lets `count` further threads start and fails every one after them;
 * CNI_THREADS_NEVER_FAIL switches it off. */
#define CNI_THREADS_NEVER_FAIL UINT32_MAX
void cni_thread_fail_after(uint32_t count);

/* Tells the core that this is a loop which waits for another thread's write. */
static inline void cni_thread_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/*
 * Parking: where threads sleep until there is something to do. No wake-up is lost: who wants to
 * sleep announces it, looks once more whether there is something to do, and only then sleeps:
 *
 *     cni_parking_enter(&parking);
 *     if (something_to_do())                  // sequentially consistent loads
 *         cni_parking_leave(&parking);
 *     else
 *         cni_parking_sleep(&parking);
 *
 *     publish_something_to_do();              // a sequentially consistent store
 *     cni_parking_wake(&parking, 1);
 *
 * There are as many wake-ups as threads that were chosen, so a burst of calls makes no more system
 * calls than there are sleepers. Which of them wakes is open: all in one parking must be content
 * with the same things to do.
 */
typedef struct CniParking {
    _Atomic uint32_t parked; /* entered, and neither left nor chosen to be woken */
    sem_t wake_ups;          /* one for each thread that was chosen */
} CniParking;

void cni_parking_init(CniParking *parking);
void cni_parking_fini(CniParking *parking);
void cni_parking_enter(CniParking *parking);
void cni_parking_leave(CniParking *parking);
void cni_parking_sleep(CniParking *parking);
/* Wakes at most `count` and returns how many. Costs one load when nobody sleeps. */
uint32_t cni_parking_wake_some(CniParking *parking, uint32_t count);

static inline uint32_t cni_parking_wake(CniParking *parking, uint32_t count)
{
    if (CN_LIKELY(atomic_load(&parking->parked) == 0))
        return 0;
    return cni_parking_wake_some(parking, count);
}

#endif

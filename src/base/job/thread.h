/*
 * Threads: thin wrappers of pthreads, and a place where idle threads sleep.
 */
#ifndef CAIRN_SRC_BASE_JOB_THREAD_H
#define CAIRN_SRC_BASE_JOB_THREAD_H

#include <cairn/base/api.h>

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

/* Distance between data that one thread writes often and others read. */
#define CNI_BASE_CACHE_LINE_BYTES 64

typedef struct CniBaseThread {
    pthread_t handle;
#if defined(__linux__)
    cpu_set_t allowed_cores;
#endif
} CniBaseThread;

/* `name` is displayed by debuggers and top; at most 15 characters. Returns false, and leaves
 * nothing behind, when there are no resources for another thread. */
bool cni_base_thread_start(CniBaseThread *thread, const char *name, void *(*run)(void *data),
                           void *data);
void cni_base_thread_join(CniBaseThread *thread);
/* Lets another ready thread run on this core. */
void cni_base_thread_yield(void);

/* The core on which the calling thread currently runs; CNI_BASE_CORE_UNKNOWN if this is not
 * available. */
#define CNI_BASE_CORE_UNKNOWN UINT32_MAX
uint32_t cni_base_thread_core(void);
/* Lets another thread run on every core that was allowed when it started except `core`; on all
 * of them if none would be left. */
void cni_base_thread_avoid_core(CniBaseThread *thread, uint32_t core);

/* For tests: lets the next `count` threads start and all later ones fail;
 * CNI_BASE_THREADS_NEVER_FAIL turns this off. */
#define CNI_BASE_THREADS_NEVER_FAIL UINT32_MAX
void cni_base_thread_fail_after(uint32_t count);

/* Tells the core that this loop waits for a write of another thread. */
static inline void cni_base_cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/*
 * Parking: where threads sleep until there is something to do. No wake-up is lost: a thread that
 * wants to sleep announces this, checks once more whether there is something to do, and only then
 * sleeps:
 *
 *     cni_base_parking_enter(&parking);
 *     if (something_to_do())                  // sequentially consistent loads
 *         cni_base_parking_leave(&parking);
 *     else
 *         cni_base_parking_sleep(&parking);
 *
 *     publish_something_to_do();              // a sequentially consistent store
 *     cni_base_parking_wake(&parking, 1);
 *
 * There are as many wake-ups as chosen threads, so a burst of calls makes no more system calls than
 * there are sleeping threads. Which of them wakes is unspecified: all threads in one parking must
 * be able to do the same work.
 */
typedef struct CniBaseParking {
    _Atomic uint32_t parked; /* entered, and neither left nor chosen to be woken */
    sem_t wake_ups;          /* one for each thread that was chosen */
} CniBaseParking;

void cni_base_parking_init(CniBaseParking *parking);
void cni_base_parking_fini(CniBaseParking *parking);
void cni_base_parking_enter(CniBaseParking *parking);
void cni_base_parking_leave(CniBaseParking *parking);
void cni_base_parking_sleep(CniBaseParking *parking);
/* Wakes at most `count` threads and returns how many. Costs one load when none sleeps. */
uint32_t cni_base_parking_wake_some(CniBaseParking *parking, uint32_t count);

static inline uint32_t cni_base_parking_wake(CniBaseParking *parking, uint32_t count)
{
    if (CN_LIKELY(atomic_load(&parking->parked) == 0))
        return 0;
    return cni_base_parking_wake_some(parking, count);
}

#endif

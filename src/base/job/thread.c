#include "base/job/thread.h"

#include <errno.h>

static _Atomic uint32_t starts_left = CNI_BASE_THREADS_NEVER_FAIL;

void cni_base_thread_fail_after(uint32_t count)
{
    atomic_store(&starts_left, count);
}

static bool may_start(void)
{
    uint32_t left = atomic_load(&starts_left);
    while (left != 0 && left != CNI_BASE_THREADS_NEVER_FAIL) {
        if (atomic_compare_exchange_weak(&starts_left, &left, left - 1))
            break;
    }
    return left != 0;
}

bool cni_base_thread_start(CniBaseThread *thread, const char *name, void *(*run)(void *data),
                           void *data)
{
    if (!may_start() || pthread_create(&thread->handle, NULL, run, data) != 0)
        return false;
#if defined(__linux__)
    pthread_setname_np(thread->handle, name);
    /* The thread inherits the affinity of the thread that started it. */
    if (sched_getaffinity(0, sizeof thread->allowed_cores, &thread->allowed_cores) != 0)
        CPU_ZERO(&thread->allowed_cores);
#else
    (void)name;
#endif
    return true;
}

void cni_base_thread_join(CniBaseThread *thread)
{
    pthread_join(thread->handle, NULL);
}

void cni_base_thread_yield(void)
{
    sched_yield();
}

#if defined(__linux__)
uint32_t cni_base_thread_core(void)
{
    int core = sched_getcpu();
    return core >= 0 && core < CPU_SETSIZE ? (uint32_t)core : CNI_BASE_CORE_UNKNOWN;
}

void cni_base_thread_avoid_core(CniBaseThread *thread, uint32_t core)
{
    cpu_set_t cores = thread->allowed_cores;
    if (core < CPU_SETSIZE)
        CPU_CLR(core, &cores);
    if (CPU_COUNT(&cores) == 0)
        cores = thread->allowed_cores;
    pthread_setaffinity_np(thread->handle, sizeof cores, &cores);
}
#else
uint32_t cni_base_thread_core(void)
{
    return CNI_BASE_CORE_UNKNOWN;
}

void cni_base_thread_avoid_core(CniBaseThread *thread, uint32_t core)
{
    (void)thread;
    (void)core;
}
#endif

void cni_base_parking_init(CniBaseParking *parking)
{
    atomic_init(&parking->parked, 0);
    sem_init(&parking->wake_ups, 0, 0);
}

void cni_base_parking_fini(CniBaseParking *parking)
{
    sem_destroy(&parking->wake_ups);
}

void cni_base_parking_enter(CniBaseParking *parking)
{
    atomic_fetch_add(&parking->parked, 1);
}

void cni_base_parking_sleep(CniBaseParking *parking)
{
    /* A signal handler may interrupt the wait. */
    while (sem_wait(&parking->wake_ups) != 0 && errno == EINTR) {
    }
}

/* Removes at most `count` threads from the number of sleeping ones. */
static uint32_t choose(CniBaseParking *parking, uint32_t count)
{
    uint32_t parked = atomic_load(&parking->parked);
    uint32_t chosen;
    do {
        chosen = parked < count ? parked : count;
        if (chosen == 0)
            return 0;
    } while (!atomic_compare_exchange_weak(&parking->parked, &parked, parked - chosen));
    return chosen;
}

void cni_base_parking_leave(CniBaseParking *parking)
{
    /* If all threads that entered were chosen, so was this one: its wake-up is on the way. */
    if (choose(parking, 1) == 0)
        cni_base_parking_sleep(parking);
}

uint32_t cni_base_parking_wake_some(CniBaseParking *parking, uint32_t count)
{
    uint32_t chosen = choose(parking, count);
    for (uint32_t i = 0; i < chosen; i++)
        sem_post(&parking->wake_ups);
    return chosen;
}

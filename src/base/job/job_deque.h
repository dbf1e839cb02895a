/*
 * The two lists of the job pool. Both hold small numbers, have a fixed size and are lock-free.
 *
 * CniBaseJobDeque: the ready jobs of one thread, after D. Chase and Y. Lev, "Dynamic Circular
 * Work-Stealing Deque" (2005). The owner pushes and takes at the bottom, newest first; other
 * threads steal at the top, oldest first. There are no fences, because ThreadSanitizer does not
 * support them: accesses whose order between threads matters are sequentially consistent.
 *
 * CniBaseFreeList: free numbers, shared by all threads.
 */
#ifndef CAIRN_SRC_BASE_JOB_JOB_DEQUE_H
#define CAIRN_SRC_BASE_JOB_JOB_DEQUE_H

#include "base/job/thread.h"

#include <stdalign.h>

#define CNI_BASE_JOB_NONE UINT32_MAX

typedef struct CniBaseJobDeque {
    alignas(CNI_BASE_CACHE_LINE_BYTES) _Atomic uint64_t bottom; /* written by the owner alone */
    _Atomic uint32_t *ring;
    uint32_t mask;
    alignas(CNI_BASE_CACHE_LINE_BYTES) _Atomic uint64_t top; /* only grows */
} CniBaseJobDeque;

/* `ring` has room for `capacity` numbers, a power of two. The caller guarantees that the deque
 * never holds more. */
static inline void cni_base_job_deque_init(CniBaseJobDeque *deque, _Atomic uint32_t *ring,
                                           uint32_t capacity)
{
    atomic_init(&deque->bottom, 0);
    atomic_init(&deque->top, 0);
    deque->ring = ring;
    deque->mask = capacity - 1;
}

/* For any thread. The result may be outdated immediately. */
static inline bool cni_base_job_deque_is_empty(CniBaseJobDeque *deque)
{
    return atomic_load(&deque->top) >= atomic_load(&deque->bottom);
}

/* Owner only. Sequentially consistent, so that a thread that is about to sleep sees the job. */
static inline void cni_base_job_deque_push(CniBaseJobDeque *deque, uint32_t job)
{
    uint64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    atomic_store_explicit(&deque->ring[bottom & deque->mask], job, memory_order_relaxed);
    atomic_store(&deque->bottom, bottom + 1);
}

/* Owner only. Returns the newest job, or CNI_BASE_JOB_NONE. */
static inline uint32_t cni_base_job_deque_take(CniBaseJobDeque *deque)
{
    uint64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    uint64_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    if (top >= bottom)
        return CNI_BASE_JOB_NONE; /* nothing is written, so other threads keep their cached copy */

    bottom--;
    atomic_store(&deque->bottom, bottom); /* from here on, thieves do not take the newest job */
    top = atomic_load(&deque->top);
    if (top < bottom)
        return atomic_load_explicit(&deque->ring[bottom & deque->mask], memory_order_relaxed);

    /* It is the last job, or already gone: thieves may compete for it. */
    uint32_t job = CNI_BASE_JOB_NONE;
    if (top == bottom) {
        job = atomic_load_explicit(&deque->ring[bottom & deque->mask], memory_order_relaxed);
        if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
            job = CNI_BASE_JOB_NONE;
    }
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
    return job;
}

/* For any thread. Returns the oldest job, or CNI_BASE_JOB_NONE when there is none or another thread
 * was faster. */
static inline uint32_t cni_base_job_deque_steal(CniBaseJobDeque *deque)
{
    uint64_t top = atomic_load(&deque->top);
    if (top >= atomic_load(&deque->bottom))
        return CNI_BASE_JOB_NONE;
    uint32_t job = atomic_load_explicit(&deque->ring[top & deque->mask], memory_order_relaxed);
    return atomic_compare_exchange_strong(&deque->top, &top, top + 1) ? job : CNI_BASE_JOB_NONE;
}

/* A stack. The upper half of `head` counts changes, so that an interrupted thread does not
 * mistake a later state for the one it read; the lower half is the first number plus 1. */
typedef struct CniBaseFreeList {
    alignas(CNI_BASE_CACHE_LINE_BYTES) _Atomic uint64_t head;
    _Atomic uint32_t *next; /* plus 1; 0 ends the list. The holder of a number may use its entry */
} CniBaseFreeList;

static inline uint64_t cni_base_free_list_head(uint64_t previous, uint32_t first)
{
    return ((previous >> 32) + 1) << 32 | first;
}

/* Puts 0 to count - 1 into the list; 0 is taken first. */
static inline void cni_base_free_list_init(CniBaseFreeList *list, _Atomic uint32_t *next,
                                           uint32_t count)
{
    list->next = next;
    for (uint32_t i = 0; i < count; i++)
        atomic_init(&next[i], i + 1 < count ? i + 2 : 0);
    atomic_init(&list->head, count > 0 ? 1 : 0);
}

static inline uint32_t cni_base_free_list_acquire(CniBaseFreeList *list)
{
    uint64_t head = atomic_load_explicit(&list->head, memory_order_acquire);
    uint32_t first;
    do {
        first = (uint32_t)head;
        if (first == 0)
            return CNI_BASE_JOB_NONE;
    } while (!atomic_compare_exchange_weak_explicit(
        &list->head, &head,
        cni_base_free_list_head(head,
                                atomic_load_explicit(&list->next[first - 1], memory_order_relaxed)),
        memory_order_acquire, memory_order_acquire));
    return first - 1;
}

static inline void cni_base_free_list_release(CniBaseFreeList *list, uint32_t number)
{
    uint64_t head = atomic_load_explicit(&list->head, memory_order_relaxed);
    do {
        atomic_store_explicit(&list->next[number], (uint32_t)head, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&list->head, &head,
                                                    cni_base_free_list_head(head, number + 1),
                                                    memory_order_release, memory_order_relaxed));
}

#endif

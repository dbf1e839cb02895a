#include "base/memory/heap_block.h"

#include <cairn/base/assert.h>
#include <cairn/base/memory.h>
#include <cairn/base/text.h>

#include <pthread.h>
#include <stdatomic.h>

#define TAG_BYTES 32
#define OVERFLOW_TAG "other"

typedef struct Counters {
    _Atomic uint64_t live_bytes, live_blocks, peak_bytes, calls;
} Counters;

typedef struct HeapTag {
    CnAllocator allocator; /* first, so that the address of the allocator is that of the tag */
    CnHeap *heap;
    char name[TAG_BYTES];
    Counters counters;
} HeapTag;

struct CnHeap {
    CnAllocator *parent;
    Counters total;
    _Atomic uint64_t may_succeed; /* remaining allocations before failure, or CN_HEAP_NEVER_FAIL */
    pthread_mutex_t tag_mutex;    /* held while a tag is created */
    atomic_uint tag_count;        /* tags below it are complete and keep their name */
    HeapTag tags[CN_HEAP_MAX_TAGS + 1];
};

static void raise_peak(Counters *counters, uint64_t live_bytes)
{
    uint64_t peak = atomic_load_explicit(&counters->peak_bytes, memory_order_relaxed);
    while (peak < live_bytes &&
           !atomic_compare_exchange_weak_explicit(&counters->peak_bytes, &peak, live_bytes,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void count_change(Counters *counters, size_t old_bytes, size_t new_bytes)
{
    uint64_t change = (uint64_t)new_bytes - (uint64_t)old_bytes; /* wraps when shrinking */
    uint64_t before =
        atomic_fetch_add_explicit(&counters->live_bytes, change, memory_order_relaxed);
    if (new_bytes > old_bytes)
        raise_peak(counters, before + change);
    if (old_bytes == 0)
        atomic_fetch_add_explicit(&counters->live_blocks, 1, memory_order_relaxed);
    else if (new_bytes == 0)
        atomic_fetch_sub_explicit(&counters->live_blocks, 1, memory_order_relaxed);
}

static void count_call(HeapTag *tag)
{
    atomic_fetch_add_explicit(&tag->counters.calls, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&tag->heap->total.calls, 1, memory_order_relaxed);
}

/* Consumes one of the allocations that may still succeed; returns false when none is left. */
static bool may_allocate(CnHeap *heap)
{
    uint64_t left = atomic_load_explicit(&heap->may_succeed, memory_order_relaxed);
    do {
        if (left == CN_HEAP_NEVER_FAIL)
            return true;
        if (left == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&heap->may_succeed, &left, left - 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void *tag_resize(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                        size_t alignment)
{
    HeapTag *tag = (HeapTag *)self;
    CnHeap *heap = tag->heap;
    if (!block)
        old_bytes = 0;
    if (new_bytes > 0)
        count_call(tag);
    if (new_bytes > old_bytes && !may_allocate(heap))
        return NULL;

    void *resized =
        cni_base_heap_block_resize(heap->parent, tag->name, block, old_bytes, new_bytes, alignment);
    if (!resized && new_bytes > 0) {
        if (new_bytes > old_bytes)
            return NULL;
        resized = block; /* shrinking never fails: the larger block is kept */
    }
    count_change(&tag->counters, old_bytes, new_bytes);
    count_change(&heap->total, old_bytes, new_bytes);
    return resized;
}

CnHeap *cn_heap_create(const CnHeapDesc *desc, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "base", NULL);
    CnAllocator *parent = desc && desc->parent ? desc->parent : cn_system_allocator();
    CnHeap *heap = cn_alloc_zeroed(parent, sizeof *heap);
    if (!heap) {
        cn_error_memory(error, "a heap");
        return NULL;
    }
    heap->parent = parent;
    atomic_init(&heap->may_succeed, CN_HEAP_NEVER_FAIL);
    pthread_mutex_init(&heap->tag_mutex, NULL);
    return heap;
}

#ifdef CN_GUARDS
typedef struct LeakReport {
    char text[512];
} LeakReport;

static void add_leak(const char *tag, CnHeapStats stats, void *user)
{
    LeakReport *report = user;
    if (stats.live_blocks == 0)
        return;
    char so_far[sizeof report->text];
    cn_copy_text(so_far, sizeof so_far, cn_text(report->text));
    cn_format(report->text, sizeof report->text, "%s%s%s (%llu blocks, %llu bytes)", so_far,
              so_far[0] ? ", " : "", tag, (unsigned long long)stats.live_blocks,
              (unsigned long long)stats.live_bytes);
}

static void report_leaks(const CnHeap *heap)
{
    LeakReport report = {""};
    cn_heap_each_tag(heap, add_leak, &report);
    CN_ASSERT(report.text[0] == '\0', "heap destroyed with live blocks: %s", report.text);
}
#else
static void report_leaks(const CnHeap *heap)
{
    (void)heap;
}
#endif

void cn_heap_destroy(CnHeap *heap)
{
    if (!heap)
        return;
    report_leaks(heap);
    pthread_mutex_destroy(&heap->tag_mutex);
    cn_free(heap->parent, heap, sizeof *heap);
}

static HeapTag *find_tag(const CnHeap *heap, const char *name)
{
    uint32_t count = atomic_load_explicit(&heap->tag_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(heap->tags[i].name, name) == 0)
            return (HeapTag *)&heap->tags[i];
    }
    return NULL;
}

static HeapTag *find_or_make_tag(CnHeap *heap, const char *name)
{
    HeapTag *tag = find_tag(heap, name);
    uint32_t count = atomic_load_explicit(&heap->tag_count, memory_order_relaxed);
    if (!tag && count >= CN_HEAP_MAX_TAGS) {
        name = OVERFLOW_TAG;
        tag = find_tag(heap, name);
    }
    if (tag)
        return tag;
    tag = &heap->tags[count];
    tag->allocator.resize = tag_resize;
    tag->heap = heap;
    cn_copy_text(tag->name, sizeof tag->name, cn_text(name));
    atomic_store_explicit(&heap->tag_count, count + 1, memory_order_release);
    return tag;
}

CnAllocator *cn_heap_tag(CnHeap *heap, const char *tag)
{
    char name[TAG_BYTES];
    cn_copy_text(name, sizeof name, cn_text(tag));
    HeapTag *found = find_tag(heap, name);
    if (!found) {
        pthread_mutex_lock(&heap->tag_mutex);
        found = find_or_make_tag(heap, name);
        pthread_mutex_unlock(&heap->tag_mutex);
    }
    return &found->allocator;
}

static CnHeapStats read_counters(const Counters *counters)
{
    return (CnHeapStats){
        .live_bytes = atomic_load_explicit(&counters->live_bytes, memory_order_relaxed),
        .live_blocks = atomic_load_explicit(&counters->live_blocks, memory_order_relaxed),
        .peak_bytes = atomic_load_explicit(&counters->peak_bytes, memory_order_relaxed),
        .calls = atomic_load_explicit(&counters->calls, memory_order_relaxed),
    };
}

CnHeapStats cn_heap_stats(const CnHeap *heap)
{
    return read_counters(&heap->total);
}

CnHeapStats cn_heap_tag_stats(const CnHeap *heap, const char *tag)
{
    char name[TAG_BYTES];
    cn_copy_text(name, sizeof name, cn_text(tag));
    const HeapTag *found = find_tag(heap, name);
    return found ? read_counters(&found->counters) : (CnHeapStats){0};
}

void cn_heap_each_tag(const CnHeap *heap,
                      void (*visit)(const char *tag, CnHeapStats stats, void *user), void *user)
{
    uint32_t count = atomic_load_explicit(&heap->tag_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++)
        visit(heap->tags[i].name, read_counters(&heap->tags[i].counters), user);
}

void cn_heap_fail_after(CnHeap *heap, uint64_t count)
{
    atomic_store_explicit(&heap->may_succeed, count, memory_order_relaxed);
}

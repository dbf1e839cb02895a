#include <cairn/base.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", CN_VERSION_MAJOR, CN_VERSION_MINOR,
             CN_VERSION_PATCH);
    if (strcmp(cn_version(), expected) != 0) {
        fprintf(stderr, "headers %s, library %s\n", expected, cn_version());
        return 1;
    }

    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnAllocator *allocator = cn_heap_tag(heap, "outside");
    void *block = cn_alloc(allocator, 100);
    bool counted = cn_heap_stats(heap).live_bytes == 100;
    cn_free(allocator, block, 100);
    cn_heap_destroy(heap);
    return counted ? 0 : 1;
}

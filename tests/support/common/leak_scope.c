/*
 * Limits LeakSanitizer to the blocks that code of this tree allocates. Part of every test program
 * in builds with AddressSanitizer.
 *
 * Graphics drivers, layers and libraries of windows lose memory of their own, and blocks that they
 * still hold become unreachable when they are unloaded. LeakSanitizer can leave them out only by
 * the name of the module that an address belongs to, which is wrong as soon as the module is gone.
 * So blocks are distinguished by their caller instead: the linker sends the calls of all code
 * that is linked into the program (the library, test support and the test) to the functions below
 * (--wrap), which mark the thread; a hook that AddressSanitizer calls for every new block takes the
 * blocks of unmarked threads out of the check. What such blocks point to counts as reachable.
 */
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **block, size_t alignment, size_t bytes);
char *__real_strdup(const char *text);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes);
char *__wrap_strdup(const char *text);

/* Of the sanitizer's interface; gcc does not install the header that declares the first one. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
void __lsan_ignore_object(const void *block);

static _Thread_local bool is_ours;

static void on_malloc(const volatile void *block, size_t bytes)
{
    (void)bytes;
    if (block && !is_ours)
        __lsan_ignore_object((const void *)block);
}

static void on_free(const volatile void *block)
{
    (void)block;
}

__attribute__((constructor)) static void limit_leak_check(void)
{
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

void *__wrap_malloc(size_t bytes)
{
    is_ours = true;
    void *block = __real_malloc(bytes);
    is_ours = false;
    return block;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    is_ours = true;
    void *block = __real_calloc(count, bytes);
    is_ours = false;
    return block;
}

void *__wrap_realloc(void *block, size_t bytes)
{
    is_ours = true;
    void *resized = __real_realloc(block, bytes);
    is_ours = false;
    return resized;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    is_ours = true;
    void *block = __real_aligned_alloc(alignment, bytes);
    is_ours = false;
    return block;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t bytes)
{
    is_ours = true;
    int result = __real_posix_memalign(block, alignment, bytes);
    is_ours = false;
    return result;
}

char *__wrap_strdup(const char *text)
{
    is_ours = true;
    char *copy = __real_strdup(text);
    is_ours = false;
    return copy;
}

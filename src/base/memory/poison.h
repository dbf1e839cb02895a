/*
 * Patterns that expose the use of uninitialized and freed memory. With CN_GUARDS, new memory is
 * filled with 0xCD and freed memory with 0xDD; with AddressSanitizer, memory can also be poisoned,
 * so that any access is reported immediately. Release builds do nothing.
 */
#ifndef CAIRN_SRC_BASE_MEMORY_POISON_H
#define CAIRN_SRC_BASE_MEMORY_POISON_H

#include <cairn/base/api.h>

#include <string.h>

#define CNI_BASE_FRESH_BYTE 0xCD
#define CNI_BASE_DEAD_BYTE 0xDD
/* Larger blocks are not filled: this would cost more than it finds. */
#define CNI_BASE_POISON_LIMIT ((size_t)1 << 20)

#if defined(__SANITIZE_ADDRESS__)
#define CNI_BASE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CNI_BASE_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(CN_GUARDS) && defined(CNI_BASE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#define CNI_BASE_POISON_MEMORY(memory, bytes) __asan_poison_memory_region((memory), (bytes))
#define CNI_BASE_UNPOISON_MEMORY(memory, bytes) __asan_unpoison_memory_region((memory), (bytes))
#else
#define CNI_BASE_POISON_MEMORY(memory, bytes) ((void)(memory), (void)(bytes))
#define CNI_BASE_UNPOISON_MEMORY(memory, bytes) ((void)(memory), (void)(bytes))
#endif

static inline void cni_base_fill_memory(void *memory, int byte, size_t bytes)
{
#ifdef CN_GUARDS
    if (bytes > 0 && bytes <= CNI_BASE_POISON_LIMIT)
        memset(memory, byte, bytes);
#else
    (void)memory, (void)byte, (void)bytes;
#endif
}

#endif

/*
 * A private folder for data that can be computed again, such as compiled pipelines and imported
 * models.
 *
 *     CnError error = {0};
 *     CnFileBytes bytes;
 *     CnCache *cache = cn_cache_create(NULL, &error);
 *     if (cache && cn_cache_read(cache, "pipelines", NULL, &bytes))
 *         cn_file_bytes_free(&bytes);
 *     cn_cache_destroy(cache);
 *
 * The folder is $XDG_CACHE_HOME/cairn, or ~/.cache/cairn. It is created with the permissions 0700,
 * its files with 0600. Each entry begins with a message authentication code (XChaCha20-Poly1305)
 * over its name and its bytes; the key is random, made once per user, and lies in the folder in the
 * file `key`. An entry that was damaged, renamed, or written with another key is never returned. A
 * folder, key or entry is not used if it is a symbolic link, belongs to another user, or may be
 * written by others. Entries are replaced atomically, so that several processes may use the same
 * folder. Thread-safe.
 */
#ifndef CAIRN_BASE_CACHE_H
#define CAIRN_BASE_CACHE_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

typedef struct CnCache CnCache;

#define CN_CACHE_NAME_BYTES 64u                /* of the longest name, including the final zero */
#define CN_CACHE_ENTRY_BYTES ((size_t)1 << 30) /* of the largest entry */

typedef struct CnCacheDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    const char *folder;     /* NULL: the folder of the user, as described above */
} CnCacheDesc;

/* Opens the folder, creating it and its key if necessary. `desc` may be NULL. Returns NULL if the
 * user has no cache folder, or it cannot be created or must not be used; programs then run
 * without a cache. */
CN_API CnCache *cn_cache_create(const CnCacheDesc *desc, CnError *error);
CN_API void cn_cache_destroy(CnCache *cache);

/* Reads an entry into memory from `allocator` (NULL: the system allocator). Returns false if there
 * is none or it is not used; the log says why it is not used. */
CN_API bool cn_cache_read(CnCache *cache, const char *name, CnAllocator *allocator,
                          CnFileBytes *bytes);
/* Creates or replaces an entry. If `error` is NULL, the log reports each kind of failure once. */
CN_API bool cn_cache_write(CnCache *cache, const char *name, const void *bytes, size_t size,
                           CnError *error);

/* Writes the name of an entry that depends on `parts`: a keyed hash of 128 bits, as 32 hexadecimal
 * digits, followed by a dot and `kind`. Different parts have different names, even if somebody
 * chooses them; parts that an entry depends on are therefore not repeated in its content. `kind`
 * has at most 16 lower-case letters. */
CN_API void cn_cache_name(const CnCache *cache, const char *kind, const CnText *parts,
                          uint32_t part_count, char name[CN_CACHE_NAME_BYTES]);

CN_EXTERN_C_END

#endif

/*
 * A palette of blocks: the numbers by which one file or world refers to blocks, with their names.
 *
 *     CnBlockPalette *palette = cn_block_palette_create(NULL, table);
 *     CnU8Array bytes;
 *     cn_array_init(&bytes, NULL);
 *     uint16_t number;
 *     if (cn_block_palette_add(palette, CN_BLOCK_WATER, &number, NULL) && // 0: the first block
 *         cn_block_palette_write(palette, &bytes))                        // 0 is "water"
 *         printf("%u bytes\n", bytes.count);
 *     cn_array_fini(&bytes);
 *     cn_block_palette_destroy(palette);
 *
 * Block numbers (CnBlock) belong to one block table: they depend on which blocks are registered,
 * and in which order. Whatever outlives the table is written with palette numbers, together with
 * the palette. A palette that was read keeps names that the table lacks, so that writing it again
 * loses nothing; cn_block_palette_register adds placeholders for them to a table that is still
 * open. Use a palette from one thread at a time.
 */
#ifndef CAIRN_VOXEL_BLOCK_PALETTE_H
#define CAIRN_VOXEL_BLOCK_PALETTE_H

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/voxel/block.h>

CN_EXTERN_C_BEGIN

#define CN_BLOCK_PALETTE_MAX (CN_BLOCK_MAX + 1)

typedef struct CnBlockPalette CnBlockPalette;

/* Creates an empty palette of blocks of a table. `allocator` may be NULL (the system allocator).
 * Returns NULL when out of memory. */
CN_API CnBlockPalette *cn_block_palette_create(CnAllocator *allocator, const CnBlockTable *table);
CN_API void cn_block_palette_destroy(CnBlockPalette *palette); /* NULL is ignored */

/* Stores in `number` the number of a block, adding the block to the palette if needed. Numbers are
 * given in order, starting at 0, and never change. Returns false and sets `error` when out of
 * memory or if the palette is full. */
CN_API bool cn_block_palette_add(CnBlockPalette *palette, CnBlock block, uint16_t *number,
                                 CnError *error);
/* Returns how many numbers are in use. */
CN_API uint32_t cn_block_palette_count(const CnBlockPalette *palette);
/* Returns the name of a number, or NULL if it is not in use. Valid until the palette changes. */
CN_API const char *cn_block_palette_name(const CnBlockPalette *palette, uint32_t number);
/* Stores in `block` the block of a number. Returns false and sets `error` if the number is not in
 * use (CN_ERROR_FORMAT) or the table has no block of this name (CN_ERROR_NOT_FOUND). */
CN_API bool cn_block_palette_find(const CnBlockPalette *palette, uint32_t number, CnBlock *block,
                                  CnError *error);

/* Appends the palette to `bytes` in the form described in docs/formats.md. Returns false when out
 * of memory; `bytes` is unchanged then. */
CN_API bool cn_block_palette_write(const CnBlockPalette *palette, CnU8Array *bytes);
/* Reads a palette from the start of `bytes` and stores in `used` how many bytes it takes. Returns
 * NULL and sets `error` if the data is malformed or of another version, or when out of memory. */
CN_API CnBlockPalette *cn_block_palette_read(CnAllocator *allocator, const CnBlockTable *table,
                                             const uint8_t *bytes, size_t size, size_t *used,
                                             CnError *error);
/* Registers a placeholder (cn_block_table_add_placeholder) for every name of the palette that
 * `table` lacks, so that nothing is lost when a mod is missing. `table` must be the palette's own
 * and still open; `look` may be NULL. Returns false and sets `error` if it is closed or full, or
 * when out of memory; placeholders that were added until then remain. */
CN_API bool cn_block_palette_register(CnBlockPalette *palette, CnBlockTable *table,
                                      const CnBlockInfo *look, CnError *error);

CN_EXTERN_C_END

#endif

/*
 * A palette of blocks: the numbers by which one file or world refers to blocks, with their names.
 *
 *     CnBlockPalette *palette = cn_block_palette_create(NULL);
 *     CnU8Array bytes;
 *     cn_array_init(&bytes, NULL);
 *     uint16_t number;
 *     if (cn_block_palette_add(palette, CN_BLOCK_STONE, &number, NULL) && // 0: the first block
 *         cn_block_palette_write(palette, &bytes))                        // 0 is "stone"
 *         printf("%u bytes\n", bytes.count);
 *     cn_array_fini(&bytes);
 *     cn_block_palette_destroy(palette);
 *
 * Block ids (CnBlock) belong to one build of a program: they change when blocks are added. Whatever
 * outlives the program is written with palette numbers, together with the palette. A palette that
 * was read keeps names that this program does not know, so that writing it again loses nothing.
 * Use a palette from one thread at a time.
 */
#ifndef CAIRN_VOXEL_BLOCK_PALETTE_H
#define CAIRN_VOXEL_BLOCK_PALETTE_H

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/voxel/block.h>

CN_EXTERN_C_BEGIN

#define CN_BLOCK_NAME_BYTES 64 /* including the terminating zero */
#define CN_BLOCK_PALETTE_MAX (CN_BLOCK_MAX + 1)

typedef struct CnBlockPalette CnBlockPalette;

/* Creates an empty palette. `allocator` may be NULL (the system allocator). Returns NULL when out
 * of memory. */
CN_API CnBlockPalette *cn_block_palette_create(CnAllocator *allocator);
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
 * use (CN_ERROR_FORMAT) or its name is unknown to this program (CN_ERROR_NOT_FOUND). */
CN_API bool cn_block_palette_find(const CnBlockPalette *palette, uint32_t number, CnBlock *block,
                                  CnError *error);

/* Appends the palette to `bytes` in the form described in docs/formats.md. Returns false when out
 * of memory; `bytes` is unchanged then. */
CN_API bool cn_block_palette_write(const CnBlockPalette *palette, CnU8Array *bytes);
/* Reads a palette from the start of `bytes` and stores in `used` how many bytes it takes. Returns
 * NULL and sets `error` if the data is malformed or of another version, or when out of memory. */
CN_API CnBlockPalette *cn_block_palette_read(CnAllocator *allocator, const uint8_t *bytes,
                                             size_t size, size_t *used, CnError *error);

CN_EXTERN_C_END

#endif

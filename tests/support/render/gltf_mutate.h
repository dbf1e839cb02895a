/*
 * Random changes of the structure of glTF documents: numbers, references, types and keys are
 * replaced, values are removed, copied to other places or repeated, items of lists and extensions
 * are added, nodes are nested, and bytes of the binary chunk change.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GLTF_MUTATE_H
#define CAIRN_TESTS_SUPPORT_RENDER_GLTF_MUTATE_H

#include "random.h"

#include <stddef.h>

/* Writes a GLB file; the JSON text has single quotes, which become double quotes. Returns its size,
 * 0 if it needs more than `capacity` bytes. */
size_t gltf_make_glb(const char *json, const void *bin, size_t bin_bytes, uint8_t *bytes,
                     size_t capacity);
/* Changes a document, as GLB or as text, and returns its new size; 0 if it cannot be read or grows
 * beyond `capacity`. Items that are added to its lists are copies of those of `donor`, a document
 * in JSON. */
size_t gltf_mutate(uint8_t *bytes, size_t size, size_t capacity, TestRandom *random,
                   const char *donor);

#endif

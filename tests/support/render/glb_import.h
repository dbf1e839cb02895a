/* Imports small glTF documents that tests write as text, as the JSON chunk of a .glb. */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GLB_IMPORT_H
#define CAIRN_TESTS_SUPPORT_RENDER_GLB_IMPORT_H

#include "render/asset/model_data.h"

typedef struct GlbImport {
    CniRenderModelData data;
    CnError error;
} GlbImport;

/* `json` is written with single quotes, which become double quotes; `bin` is the binary chunk.
 * Returns whether the import succeeded. The file has exactly its size on the heap, so that
 * sanitizers notice reads beyond it. */
bool glb_import(GlbImport *glb, const char *json, const void *bin, size_t bin_bytes);
/* Imports any file of this name; its further files are those of `files`, or none if it is NULL. */
bool glb_import_file(GlbImport *glb, const char *path, const void *bytes, size_t size,
                     CnFileSystem *files);
void glb_free(GlbImport *glb);

/* A document with one buffer, and a view and an accessor for each array. Zero-initialize it. */
typedef struct GlbBuilder {
    uint8_t bin[8192];
    size_t bin_bytes;
    char views[4096], accessors[4096];
} GlbBuilder;

/* Adds an array. `accessor` has the other keys of its accessor, such as "'componentType': 5126,
 * 'count': 3, 'type': 'VEC3'", and `stride` is that of its view; 0: none. */
void glb_add(GlbBuilder *builder, const void *bytes, size_t size, uint32_t stride,
             const char *accessor);
/* Imports the document with these further keys. */
bool glb_build(GlbImport *glb, const GlbBuilder *builder, const char *keys);
/* Writes it to a file of the operating system. */
bool glb_write(const GlbBuilder *builder, const char *keys, const char *path, CnError *error);

#endif

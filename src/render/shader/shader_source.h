/*
 * Shader sources, from the watched folder or as embedded in the library. Paths are relative to
 * shaders/, as in #include.
 */
#ifndef CAIRN_SRC_RENDER_SHADER_SHADER_SOURCE_H
#define CAIRN_SRC_RENDER_SHADER_SHADER_SOURCE_H

#include "render/core/renderer_internal.h"

#include <cairn/base/text.h>

typedef struct CniRenderShaderSource {
    const char *path;
    const char *text; /* terminated */
    size_t size;
} CniRenderShaderSource;

#define CNI_RENDER_SHADER_PATH_BYTES 128u

/* Returns an embedded source; NULL: no such file. */
const CniRenderShaderSource *cni_render_shader_embedded(const char *path);

/* Reads from the folder if there is one and it has the file, otherwise returns the embedded source.
 * Free with cn_file_bytes_free. */
bool cni_render_shader_read(const CnRenderer *renderer, const char *path, CnFileBytes *bytes,
                            CnError *error);

/* Looks up the path of a CnShader.name. Returns false if there is none. */
bool cni_render_shader_path(const CnRenderer *renderer, const char *name,
                            char path[CNI_RENDER_SHADER_PATH_BYTES]);

/* Returns the next file that a source includes, from *at on; false: no more. Only quoted names at
 * the start of a line. */
bool cni_render_shader_next_include(CnText text, size_t *at,
                                    char path[CNI_RENDER_SHADER_PATH_BYTES]);

#endif

/*
 * Sources of shaders: from the folder that is watched, or as they were when the library was built. Paths are below
 * shaders/, as in #include.
 */
#ifndef CAIRN_SRC_RENDER_SHADER_SOURCE_H
#define CAIRN_SRC_RENDER_SHADER_SOURCE_H

#include "renderer.h"

#include <cairn/base/text.h>

typedef struct CniShaderSource {
    const char *path;
    const char *text; /* terminated */
    size_t size;
} CniShaderSource;

#define CNI_SHADER_PATH_BYTES 128u

/* What the library was built with; NULL: no such file. */
const CniShaderSource *cni_shader_embedded(const char *path);

/* Reads from the folder if there is one and it has the file, else what is embedded. Free with cn_file_bytes_free. */
bool cni_shader_read(const CnRenderer *renderer, const char *path, CnFileBytes *bytes,
                     CnError *error);

/* The path of a CnShader.name, found among the files. False: there is none. */
bool cni_shader_path(const CnRenderer *renderer, const char *name,
                     char path[CNI_SHADER_PATH_BYTES]);

/* The next file that a text includes, from *at on; false: no more. Quoted, at the beginning of a line. */
bool cni_shader_next_include(CnText text, size_t *at, char path[CNI_SHADER_PATH_BYTES]);

#endif

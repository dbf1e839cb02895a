/*
 * Decodes files in the helper process, and checks what comes back. cairn/vfs/decoder.h says
 * which files these are.
 */
#ifndef CAIRN_SRC_RENDER_DECODE_DECODER_H
#define CAIRN_SRC_RENDER_DECODE_DECODER_H

#include "render/asset/model_data.h"
#include <cairn/vfs/decode_job.h>

/* As cn_image_read. */
bool cni_render_decode_image(const CnImageReadDesc *desc, CnImage *image, CnError *error);
/* As cni_render_model_import. The model may refer to files in its folder and below. */
bool cni_render_decode_model(CnFileSystem *files, const char *path, const char *scene,
                             CnFileBytes main, CniRenderModelData *data, CnError *error);

typedef struct CniRenderDecodeGlsl {
    const char *path; /* in errors */
    CnText source;
    CnDecodeStage stage;
    bool is_surface;
    CnDecodeRead *read_include;
    void *user;
} CniRenderDecodeGlsl;

/* Compiles GLSL to SPIR-V, which the caller frees with this size. */
bool cni_render_decode_glsl(const CniRenderDecodeGlsl *glsl, CnAllocator *allocator,
                            uint32_t **words, size_t *bytes, CnError *error);

/* ---- In this process; the helper calls them ---- */

bool cni_render_image_decode(const CnImageReadDesc *desc, CnImage *image, CnError *error);
bool cni_render_model_decode(CnFileSystem *files, const char *path, const char *scene,
                             CnFileBytes main, CniRenderModelData *data, CnError *error);

#endif

/* Compiles GLSL to SPIR-V at run time, for surfaces of materials and changed sources. The helper
 * process does it (render/decode). */
#include "render/decode/decoder.h"
#include "render/shader/shader_source.h"

#include <string.h>

#define SURFACE_INCLUDE "surface_user.glsl"

typedef struct Including {
    CnRenderer *renderer;
    const CniRenderSurface *surface;
} Including;

static bool read_surface(const Including *including, CnFileBytes *bytes, CnError *error)
{
    const CniRenderSurface *surface = including->surface;
    CnAllocator *allocator = including->renderer->allocator;
    *bytes = (CnFileBytes){.data = cn_alloc(allocator, surface->glsl_bytes),
                           .size = surface->glsl_bytes - 1,
                           .allocator = allocator};
    if (!bytes->data)
        return cn_error_memory(error, "the surface %s", surface->name);
    memcpy(bytes->data, surface->glsl, surface->glsl_bytes);
    return true;
}

/* Finds the text of an include. */
static bool read_include(void *user, const char *path, CnFileBytes *bytes,
                         char name[CN_DECODE_TEXT_BYTES], CnError *error)
{
    const Including *including = user;
    const CniRenderSurface *surface = including->surface;
    if (surface && !strcmp(path, SURFACE_INCLUDE)) {
        cn_copy_text(name, CN_DECODE_TEXT_BYTES,
                     cn_text(surface->path[0] ? surface->path : surface->name));
        return read_surface(including, bytes, error);
    }
    cn_copy_text(name, CN_DECODE_TEXT_BYTES, cn_text(path));
    return cni_render_shader_read(including->renderer, path, bytes, error);
}

static CnDecodeStage stage_of(CnText path)
{
    return cn_text_ends_with(path, cn_text(".vert"))   ? CN_DECODE_VERTEX
           : cn_text_ends_with(path, cn_text(".comp")) ? CN_DECODE_COMPUTE
                                                       : CN_DECODE_FRAGMENT;
}

bool cni_render_shader_compile(CnRenderer *renderer, const char *name,
                               const CniRenderSurface *surface, CniRenderSpirv *spirv,
                               CnError *error)
{
    char path[CNI_RENDER_SHADER_PATH_BYTES];
    CnFileBytes bytes;
    *spirv = (CniRenderSpirv){0};
    if (!cni_render_shader_path(renderer, name, path))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the source of shader %s does not exist",
                            name);
    if (!cni_render_shader_read(renderer, path, &bytes, error))
        return false;
    Including including = {renderer, surface};
    const CniRenderDecodeGlsl glsl = {.path = path,
                                      .source = {(const char *)bytes.data, bytes.size},
                                      .stage = stage_of(cn_text(path)),
                                      .is_surface = surface != NULL,
                                      .read_include = read_include,
                                      .user = &including};
    bool ok =
        cni_render_decode_glsl(&glsl, renderer->allocator, &spirv->words, &spirv->bytes, error);
    cn_file_bytes_free(&bytes);
    return ok;
}

void cni_render_spirv_free(CnRenderer *renderer, CniRenderSpirv *spirv)
{
    cn_free(renderer->allocator, spirv->words, spirv->bytes);
    *spirv = (CniRenderSpirv){0};
}

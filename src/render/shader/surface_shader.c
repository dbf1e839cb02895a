/* Surfaces: custom GLSL that modifies the values of a material and how it is drawn. */
#include "render/core/renderer_internal.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#define MAX_GLSL_BYTES (1u << 20)

uint32_t cni_render_surface_find(const CnRenderer *renderer, const char *name)
{
    for (uint32_t i = 0; name && name[0] && i < renderer->surfaces.count; i++) {
        const CniRenderSurface *surface = cn_slot_table_live_at(&renderer->surfaces, i);
        if (surface && !strcmp(surface->name, name))
            return i + 1;
    }
    return 0;
}

static void free_surface(CnRenderer *renderer, uint32_t index)
{
    CniRenderSurface *surface = cn_slot_table_live_at(&renderer->surfaces, index);
    cni_render_draw_passes_drop_surface(renderer, index);
    cn_free(renderer->allocator, surface->glsl, surface->glsl_bytes);
    cn_slot_table_release(&renderer->surfaces, index);
}

static bool check_desc(const CnSurfaceDesc *desc, CnError *error)
{
    if (!desc->name || !desc->name[0] || strlen(desc->name) >= CNI_RENDER_NAME_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "a surface needs a name of 1 to %u bytes",
                            CNI_RENDER_NAME_BYTES - 1);
    if (desc->path && strlen(desc->path) >= CNI_RENDER_PATH_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of surface %s is too long",
                            desc->name);
    if (desc->origin == CN_ORIGIN_FOREIGN)
        return cn_error_set_at(error, CN_ERROR_PERMISSION, desc->path, 0, 0,
                               "surface %s: GLSL of foreign origin is not compiled; it must come "
                               "from a mount of another origin",
                               desc->name);
    if (desc->glsl.size == 0 || desc->glsl.size > MAX_GLSL_BYTES ||
        memchr(desc->glsl.data, 0, desc->glsl.size))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "surface %s: the GLSL source is empty or too long", desc->name);
    return true;
}

/* Compiles a new surface, besides others of its name; returns index + 1, or 0 and an error. */
static uint32_t make_surface(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error)
{
    uint32_t id;
    size_t bytes = desc->glsl.size + 1;
    char *glsl = cn_alloc(renderer->allocator, bytes);
    CniRenderSurface *surface = glsl ? cn_slot_table_acquire(&renderer->surfaces, &id) : NULL;
    if (!surface) {
        cn_free(renderer->allocator, glsl, bytes);
        cn_error_set(error, CN_ERROR_LIMIT, "too many surfaces: cannot create %s", desc->name);
        return 0;
    }
    memcpy(glsl, desc->glsl.data, desc->glsl.size);
    glsl[desc->glsl.size] = 0;
    surface->glsl = glsl;
    surface->glsl_bytes = bytes;
    surface->hash = cn_hash_bytes(glsl, desc->glsl.size, 0);
    surface->cull = desc->cull;
    surface->blend = desc->blend;
    surface->no_depth_write = desc->no_depth_write;
    /* It has no name before it is committed, so errors use this path. */
    cn_copy_text(surface->path, sizeof surface->path,
                 cn_text(desc->path ? desc->path : desc->name));
    CnFileInfo info;
    if (desc->path && renderer->files &&
        renderer->files->info(renderer->files, desc->path, &info, NULL))
        surface->modified_ns = info.modified_ns;
    uint32_t index = cn_slot_index(id);
    if (cni_render_draw_passes_add_surface(renderer, index, error))
        return index + 1;
    free_surface(renderer, index);
    return 0;
}

uint32_t cni_render_surface_prepare(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error)
{
    return check_desc(desc, error) ? make_surface(renderer, desc, error) : 0;
}

void cni_render_surface_drop(CnRenderer *renderer, uint32_t surface)
{
    free_surface(renderer, surface - 1);
}

void cni_render_surface_commit(CnRenderer *renderer, uint32_t surface, const char *name)
{
    uint32_t old = cni_render_surface_find(renderer, name);
    CniRenderSurface *made = cn_slot_table_live_at(&renderer->surfaces, surface - 1);
    cn_copy_text(made->name, sizeof made->name, cn_text(name));
    if (!old)
        return;
    cni_render_materials_move_surface(renderer, old, surface);
    free_surface(renderer, old - 1);
}

bool cn_surface_register(CnRenderer *renderer, const CnSurfaceDesc *desc, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    uint32_t made = cni_render_surface_prepare(renderer, desc, error);
    if (made)
        cni_render_surface_commit(renderer, made, desc->name);
    return made != 0;
}

/* ---- Reloading ---- */

static bool reload(CnRenderer *renderer, const CniRenderSurface *surface, const CnFileBytes *bytes,
                   CnError *error)
{
    char name[CNI_RENDER_NAME_BYTES], path[CNI_RENDER_PATH_BYTES]; /* slots move */
    memcpy(name, surface->name, sizeof name);
    memcpy(path, surface->path, sizeof path);
    return cn_surface_register(renderer,
                               &(CnSurfaceDesc){.name = name,
                                                .glsl = {(const char *)bytes->data, bytes->size},
                                                .path = path,
                                                .origin = bytes->budget->origin,
                                                .cull = surface->cull,
                                                .blend = surface->blend,
                                                .no_depth_write = surface->no_depth_write},
                               error);
}

/* Returns whether the contents of its file changed since the last check. */
static bool look_at(CnRenderer *renderer, CniRenderSurface *surface, bool thorough,
                    CnFileBytes *bytes)
{
    CnFileInfo info;
    if (!surface->path[0] || !surface->modified_ns ||
        !renderer->files->info(renderer->files, surface->path, &info, NULL) ||
        (!thorough && info.modified_ns == surface->modified_ns) ||
        !cn_file_read_all(renderer->files, surface->path, renderer->allocator, bytes, NULL))
        return false;
    uint64_t hash = cn_hash_bytes(bytes->data, bytes->size, 0);
    bool has_changed = hash != surface->hash;
    surface->modified_ns = info.modified_ns; /* one attempt per change */
    surface->hash = hash;
    if (!has_changed)
        cn_file_bytes_free(bytes);
    return has_changed;
}

uint32_t cni_render_surfaces_reload(CnRenderer *renderer, bool thorough, CnError *error)
{
    uint32_t reloaded = 0;
    for (uint32_t i = 0; renderer->files && i < renderer->surfaces.count; i++) {
        CniRenderSurface *surface = cn_slot_table_live_at(&renderer->surfaces, i);
        CnFileBytes bytes;
        if (!surface || !look_at(renderer, surface, thorough, &bytes))
            continue;
        reloaded += reload(renderer, surface, &bytes, error);
        cn_file_bytes_free(&bytes);
    }
    return reloaded;
}

uint32_t cni_render_surfaces_reload_file(CnRenderer *renderer, const char *path, CnError *error)
{
    uint32_t reloaded = 0;
    for (uint32_t i = 0; i < renderer->surfaces.count; i++) {
        CniRenderSurface *surface = cn_slot_table_live_at(&renderer->surfaces, i);
        CnFileBytes bytes;
        if (!surface || !surface->modified_ns || strcmp(surface->path, path))
            continue;
        if (!cn_file_read_all(renderer->files, path, renderer->allocator, &bytes, error))
            return reloaded;
        uint64_t hash = cn_hash_bytes(bytes.data, bytes.size, 0);
        /* A replaced surface may take a later slot. */
        if (surface->hash != hash || surface->has_failed) {
            surface->hash = hash;
            bool done = reload(renderer, surface, &bytes, error);
            surface = cn_slot_table_live_at(&renderer->surfaces, i);
            if (!done && surface)
                surface->has_failed = true;
            reloaded += done;
        }
        cn_file_bytes_free(&bytes);
    }
    return reloaded;
}

void cni_render_surfaces_fini(CnRenderer *renderer)
{
    for (uint32_t i = 0; i < renderer->surfaces.count; i++) {
        CniRenderSurface *surface = cn_slot_table_live_at(&renderer->surfaces, i);
        if (surface)
            cn_free(renderer->allocator, surface->glsl, surface->glsl_bytes);
    }
}

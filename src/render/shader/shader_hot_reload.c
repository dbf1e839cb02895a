#include "render/shader/shader_hot_reload.h"
#include "render/shader/shader_source.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>

#include <string.h>

#define LOOK_NS 500000000u

struct CniRenderShaderFile {
    char path[CNI_RENDER_SHADER_PATH_BYTES];
    uint64_t hash, size;
    int64_t modified_ns;
    bool is_other;    /* differs from the embedded source */
    bool has_changed; /* since the last check */
};

static bool file_info(const CnRenderer *renderer, const char *path, CnFileInfo *info)
{
    char full[CNI_RENDER_PATH_BYTES + CNI_RENDER_SHADER_PATH_BYTES];
    cn_format(full, sizeof full, "%s/%s", renderer->shader_folder, path);
    return cn_native_files()->info(cn_native_files(), full, info, NULL);
}

static bool is_embedded(const char *path, const CnFileBytes *bytes)
{
    const CniRenderShaderSource *embedded = cni_render_shader_embedded(path);
    return !embedded ||
           (embedded->size == bytes->size && !memcmp(embedded->text, bytes->data, bytes->size));
}

/* ---- Files ---- */

/* Returns the index, adding the file if necessary; UINT32_MAX if out of memory. */
static uint32_t find_file(CnRenderer *renderer, const char *path, const CnFileBytes *bytes)
{
    for (uint32_t i = 0; i < renderer->shader_files.count; i++) {
        if (!strcmp(renderer->shader_files.items[i].path, path))
            return i;
    }
    CniRenderShaderFile file = {.hash = cn_hash_bytes(bytes->data, bytes->size, 0),
                                .is_other = !is_embedded(path, bytes)};
    cn_copy_text(file.path, sizeof file.path, cn_text(path));
    CnFileInfo info;
    if (file_info(renderer, path, &info)) {
        file.size = info.size_bytes;
        file.modified_ns = info.modified_ns;
    }
    if (!cn_array_push(&renderer->shader_files, file))
        return UINT32_MAX;
    return renderer->shader_files.count - 1;
}

static bool has_file(const CniRenderPipeline *pipeline, uint32_t file)
{
    for (uint32_t i = 0; i < pipeline->files.count; i++) {
        if (pipeline->files.items[i] == file)
            return true;
    }
    return false;
}

static void add_file(CnRenderer *renderer, CniRenderPipeline *pipeline, const char *path)
{
    CnFileBytes bytes;
    if (!cni_render_shader_read(renderer, path, &bytes, NULL))
        return;
    uint32_t file = find_file(renderer, path, &bytes);
    if (file != UINT32_MAX && !has_file(pipeline, file) && cn_array_push(&pipeline->files, file)) {
        size_t at = 0;
        char included[CNI_RENDER_SHADER_PATH_BYTES];
        while (cni_render_shader_next_include((CnText){(const char *)bytes.data, bytes.size}, &at,
                                              included))
            add_file(renderer, pipeline, included);
    }
    cn_file_bytes_free(&bytes);
}

void cni_render_shader_watch(CnRenderer *renderer, CniRenderPipeline *pipeline)
{
    const char *names[] = {pipeline->desc.vertex.name, pipeline->desc.fragment.name,
                           pipeline->desc.compute.name};
    cn_array_clear(&pipeline->files);
    for (size_t i = 0; i < CN_COUNT_OF(names) && renderer->shader_folder[0]; i++) {
        char path[CNI_RENDER_SHADER_PATH_BYTES];
        if (names[i] && cni_render_shader_path(renderer, names[i], path))
            add_file(renderer, pipeline, path);
    }
}

bool cni_render_shader_is_modified(const CnRenderer *renderer, const CniRenderPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->files.count; i++) {
        if (renderer->shader_files.items[pipeline->files.items[i]].is_other)
            return true;
    }
    return false;
}

void cni_render_shader_watch_fini(CnRenderer *renderer)
{
    cn_array_fini(&renderer->shader_files);
    cn_array_fini(&renderer->shader_error);
}

/* ---- Checking ---- */

/* A thorough check reads every file, because file system timestamps are coarse. */
static bool look_at_file(CnRenderer *renderer, CniRenderShaderFile *file, bool thorough)
{
    CnFileInfo info;
    CnFileBytes bytes;
    if (!file_info(renderer, file->path, &info) ||
        (!thorough && info.size_bytes == file->size && info.modified_ns == file->modified_ns) ||
        !cni_render_shader_read(renderer, file->path, &bytes, NULL))
        return false;
    uint64_t hash = cn_hash_bytes(bytes.data, bytes.size, 0);
    file->size = info.size_bytes;
    file->modified_ns = info.modified_ns;
    file->has_changed = hash != file->hash;
    file->hash = hash;
    if (file->has_changed)
        file->is_other = true;
    cn_file_bytes_free(&bytes);
    return file->has_changed;
}

static bool uses_changed(const CnRenderer *renderer, const CniRenderPipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->files.count; i++) {
        if (renderer->shader_files.items[pipeline->files.items[i]].has_changed)
            return true;
    }
    return false;
}

/* Reports the same error of several pipelines only once. */
static void report(CnRenderer *renderer, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_error_text(error, text, sizeof text);
    if (renderer->shader_error.count && !strcmp(renderer->shader_error.items, text))
        return;
    cn_array_clear(&renderer->shader_error);
    cn_text_append(&renderer->shader_error, cn_text(text));
    renderer->shader_failure = *error;
    CN_LOG_ERROR("render", "%s", text);
}

static uint32_t rebuild_changed(CnRenderer *renderer)
{
    uint32_t replaced = 0;
    bool has_failed = false;
    for (uint32_t i = 0; i < renderer->pipelines.count; i++) {
        CniRenderPipeline *pipeline = cn_slot_table_live_at(&renderer->pipelines, i);
        if (!pipeline)
            continue;
        if (uses_changed(renderer, pipeline)) {
            CnError error = {0};
            cni_render_shader_watch(renderer, pipeline); /* its includes may have changed */
            pipeline->has_failed = !cni_render_pipeline_rebuild(renderer, pipeline, &error);
            if (pipeline->has_failed)
                report(renderer, &error);
            else
                replaced++;
        }
        has_failed |= pipeline->has_failed;
    }
    if (!has_failed)
        cn_array_clear(&renderer->shader_error);
    return replaced;
}

static uint32_t look(CnRenderer *renderer, bool thorough)
{
    bool has_changed = false;
    for (uint32_t i = 0; i < renderer->shader_files.count; i++)
        has_changed |= look_at_file(renderer, &renderer->shader_files.items[i], thorough);
    uint32_t replaced = has_changed ? rebuild_changed(renderer) : 0;
    for (uint32_t i = 0; i < renderer->shader_files.count; i++)
        renderer->shader_files.items[i].has_changed = false;
    CnError error = {0};
    uint32_t surfaces = thorough || !renderer->is_watched
                            ? cni_render_surfaces_reload(renderer, thorough, &error)
                            : 0;
    if (error.code != CN_OK)
        report(renderer, &error);
    else if (surfaces)
        cn_array_clear(&renderer->shader_error);
    renderer->shader_poll_ns = cn_clock_ns();
    return replaced + surfaces;
}

uint32_t cn_renderer_reload_shaders(CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return look(renderer, true);
}

void cni_render_shader_poll(CnRenderer *renderer)
{
    bool has_files =
        renderer->shader_folder[0] || (renderer->surfaces.live && !renderer->is_watched);
    if (has_files && cn_clock_ns() - renderer->shader_poll_ns > LOOK_NS)
        look(renderer, false);
}

const char *cn_renderer_shader_error(const CnRenderer *renderer)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    return renderer->shader_error.count ? renderer->shader_error.items : "";
}

/* Graphs, their frames, and the declaration of resources. */
#include "render/graph/graph_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* A handle: index + 1, version, and the low bits of the frame it belongs to. */
#define INDEX_BITS 10u
#define VERSION_BITS 12u
#define INDEX_MASK ((1u << INDEX_BITS) - 1u)
#define VERSION_MASK ((1u << VERSION_BITS) - 1u)
#define SERIAL_MASK ((1u << (32u - INDEX_BITS - VERSION_BITS)) - 1u)

CnGraph *cn_graph_create(const CnGraphDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->gpu, "a graph needs a gpu");
    CnGraph *graph = cn_alloc_zeroed(desc->allocator, sizeof *graph);
    if (!graph) {
        cn_error_memory(error, "a render graph");
        return NULL;
    }
    CnAllocator *allocator = desc->allocator;
    graph->allocator = allocator;
    graph->gpu = desc->gpu;
    graph->no_aliasing = desc->no_aliasing;
    graph->frame = 1;
    cn_arena_init(&graph->arena, allocator, 0);
    cn_array_init(&graph->passes, allocator);
    cn_array_init(&graph->resources, allocator);
    cn_array_init(&graph->uses, allocator);
    cn_array_init(&graph->before, allocator);
    cn_array_init(&graph->order, allocator);
    cn_array_init(&graph->stack, allocator);
    cn_array_init(&graph->placed, allocator);
    cn_array_init(&graph->barriers, allocator);
    cn_array_init(&graph->physicals, allocator);
    cn_array_init(&graph->persistent, allocator);
    cn_array_init(&graph->heap_ranges, allocator);
    cn_array_init(&graph->heap_ranges_after, allocator);
    cn_hash_map_init(&graph->needs, allocator, sizeof(CnGpuMemoryRequirements));
    return graph;
}

void cn_graph_destroy(CnGraph *graph)
{
    if (!graph)
        return;
    cni_render_graph_memory_fini(graph);
    cni_render_graph_persistent_fini(graph);
    cn_hash_map_fini(&graph->needs);
    cn_array_fini(&graph->heap_ranges_after);
    cn_array_fini(&graph->heap_ranges);
    cn_array_fini(&graph->persistent);
    cn_array_fini(&graph->physicals);
    cn_array_fini(&graph->barriers);
    cn_array_fini(&graph->placed);
    cn_array_fini(&graph->stack);
    cn_array_fini(&graph->order);
    cn_array_fini(&graph->before);
    cn_array_fini(&graph->uses);
    cn_array_fini(&graph->resources);
    cn_array_fini(&graph->passes);
    cn_arena_fini(&graph->arena);
    cn_free(graph->allocator, graph, sizeof *graph);
}

void cn_graph_begin(CnGraph *graph)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    graph->serial = (graph->serial + 1) & SERIAL_MASK;
    graph->is_compiled = false;
    cn_error_clear(&graph->error);
    cn_arena_reset(&graph->arena);
    cn_array_clear(&graph->passes);
    cn_array_clear(&graph->resources);
    cn_array_clear(&graph->uses);
    cn_array_clear(&graph->order);
    cn_array_clear(&graph->barriers);
    graph->first_last_barrier = 0;
    graph->stats = (CnGraphStats){0};
    for (uint32_t i = 0; i < graph->persistent.count; i++)
        graph->persistent.items[i].is_declared = false;
}

void *cn_graph_alloc(CnGraph *graph, size_t bytes)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    return cn_arena_alloc(&graph->arena, bytes ? bytes : 1, CN_DEFAULT_ALIGNMENT);
}

void cni_render_graph_record_error(CnGraph *graph, CnErrorCode code, const char *format, ...)
{
    if (graph->error.code != CN_OK)
        return;
    char text[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    cn_error_set(&graph->error, code, "%s", text);
}

uint32_t cni_render_graph_handle(const CnGraph *graph, uint32_t index, uint32_t version)
{
    return (index + 1) | version << INDEX_BITS | graph->serial << (INDEX_BITS + VERSION_BITS);
}

uint32_t cni_render_graph_resolve(CnGraph *graph, uint32_t id, bool is_texture, const char *what,
                                  uint32_t *version)
{
    uint32_t index = (id & INDEX_MASK) - 1;
    *version = id >> INDEX_BITS & VERSION_MASK;
    if (index < graph->resources.count && id >> (INDEX_BITS + VERSION_BITS) == graph->serial &&
        graph->resources.items[index].is_texture == is_texture)
        return index;
    cni_render_graph_record_error(graph, CN_ERROR_NOT_FOUND, "pass %s: a %s is %s", what,
                                  is_texture ? "texture" : "buffer",
                                  id ? "from another frame" : "null: it was never declared");
    return CNI_RENDER_GRAPH_NO_USE;
}

/* ---- Descriptions ---- */

CnGpuTextureDesc cni_render_graph_complete(const CnGpuTextureDesc *desc)
{
    CnGpuTextureDesc all = *desc;
    all.depth = all.depth ? all.depth : 1;
    all.layers = all.layers ? all.layers : (all.cube ? 6 : 1);
    all.mips = all.mips ? all.mips : 1;
    if (all.mips != CN_GPU_ALL_MIPS)
        return all;
    uint32_t largest = all.width > all.height ? all.width : all.height;
    largest = all.depth > largest ? all.depth : largest;
    for (all.mips = 1; largest >>= 1;)
        all.mips++;
    return all;
}

uint64_t cni_render_graph_texture_key(const CnGpuTextureDesc *desc)
{
    const uint32_t numbers[] = {1,           desc->format, desc->width, desc->height,
                                desc->depth, desc->layers, desc->mips,  desc->cube,
                                desc->usage};
    return cn_hash_bytes(numbers, sizeof numbers, 0);
}

uint64_t cni_render_graph_buffer_key(const CnGpuBufferDesc *desc)
{
    const uint64_t numbers[] = {2, desc->size, desc->usage, desc->memory};
    return cn_hash_bytes(numbers, sizeof numbers, 0);
}

static bool check_texture(CnGraph *graph, const CnGpuTextureDesc *desc)
{
    const char *name = desc->name ? desc->name : "unnamed";
    if (!desc->width || !desc->height)
        cni_render_graph_record_error(graph, CN_ERROR_FORMAT, "texture %s has no size", name);
    else if (desc->format <= CN_GPU_FORMAT_NONE || desc->format >= CN_GPU_FORMAT_COUNT)
        cni_render_graph_record_error(graph, CN_ERROR_FORMAT, "texture %s has no format", name);
    else if (desc->layers > 4096 || (desc->mips > 16 && desc->mips != CN_GPU_ALL_MIPS))
        cni_render_graph_record_error(graph, CN_ERROR_LIMIT,
                                      "texture %s has too many layers or mips", name);
    else
        return true;
    return false;
}

static bool check_buffer(CnGraph *graph, const CnGpuBufferDesc *desc)
{
    const char *name = desc->name ? desc->name : "unnamed";
    if (!desc->size)
        cni_render_graph_record_error(graph, CN_ERROR_FORMAT, "buffer %s has no size", name);
    else if (desc->memory != CN_GPU_MEMORY_DEVICE)
        cni_render_graph_record_error(
            graph, CN_ERROR_UNSUPPORTED,
            "buffer %s: a graph creates buffers in device memory only; import other buffers", name);
    else
        return true;
    return false;
}

/* Adds a resource with its name; returns NULL after a mistake. */
static CniRenderGraphResource *add(CnGraph *graph, const char *name, CnGraphOrigin origin,
                                   bool is_texture)
{
    name = name ? name : "unnamed";
    if (graph->resources.count == CN_GRAPH_MAX_RESOURCES) {
        cni_render_graph_record_error(graph, CN_ERROR_LIMIT,
                                      "cannot add resource %s: the limit is %u", name,
                                      CN_GRAPH_MAX_RESOURCES);
        return NULL;
    }
    const char *copy = cn_arena_copy_text(&graph->arena, name, strlen(name));
    if (!copy || !cn_array_push(&graph->resources, (CniRenderGraphResource){.name = copy})) {
        cni_render_graph_record_error(graph, CN_ERROR_MEMORY, "no memory for the resource %s",
                                      name);
        return NULL;
    }
    CniRenderGraphResource *resource = &graph->resources.items[graph->resources.count - 1];
    resource->origin = origin;
    resource->is_texture = is_texture;
    resource->first_use = resource->last_use = resource->last_writer = CNI_RENDER_GRAPH_NO_USE;
    return resource;
}

static CnGraphTexture last_texture(const CnGraph *graph)
{
    return (CnGraphTexture){cni_render_graph_handle(graph, graph->resources.count - 1, 0)};
}

static CnGraphBuffer last_buffer(const CnGraph *graph)
{
    return (CnGraphBuffer){cni_render_graph_handle(graph, graph->resources.count - 1, 0)};
}

static CnGraphTexture add_texture(CnGraph *graph, const CnGpuTextureDesc *desc, const char *name,
                                  CnGraphOrigin origin, uint32_t persistent)
{
    CniRenderGraphResource *resource = add(graph, name, origin, true);
    if (!resource)
        return (CnGraphTexture){0};
    resource->texture_desc = *desc;
    resource->texture_desc.name = resource->name;
    resource->persistent = persistent;
    return last_texture(graph);
}

static CnGraphBuffer add_buffer(CnGraph *graph, const CnGpuBufferDesc *desc, const char *name,
                                CnGraphOrigin origin, uint32_t persistent)
{
    CniRenderGraphResource *resource = add(graph, name, origin, false);
    if (!resource)
        return (CnGraphBuffer){0};
    resource->buffer_desc = *desc;
    resource->buffer_desc.name = resource->name;
    resource->persistent = persistent;
    return last_buffer(graph);
}

/* ---- Transient and imported ---- */

CnGraphTexture cn_graph_create_texture(CnGraph *graph, const CnGpuTextureDesc *desc)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    if (!check_texture(graph, desc))
        return (CnGraphTexture){0};
    CnGpuTextureDesc all = cni_render_graph_complete(desc);
    return add_texture(graph, &all, desc->name, CN_GRAPH_TRANSIENT, 0);
}

CnGraphBuffer cn_graph_create_buffer(CnGraph *graph, const CnGpuBufferDesc *desc)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    if (!check_buffer(graph, desc))
        return (CnGraphBuffer){0};
    return add_buffer(graph, desc, desc->name, CN_GRAPH_TRANSIENT, 0);
}

/* Two handles of one resource would be tracked independently. */
static bool is_imported(CnGraph *graph, const char *name, bool is_texture, uint32_t id)
{
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        const CniRenderGraphResource *other = &graph->resources.items[i];
        if (other->origin != CN_GRAPH_IMPORT || other->is_texture != is_texture ||
            (is_texture ? other->texture.id : other->buffer.id) != id)
            continue;
        cni_render_graph_record_error(graph, CN_ERROR_EXISTS, "import %s is already imported as %s",
                                      name ? name : "unnamed", other->name);
        return true;
    }
    return false;
}

bool cni_render_graph_is_access(CnGraph *graph, CnGpuAccess access)
{
    bool is_known = (uint32_t)access < CN_GPU_ACCESS_COUNT;
    CN_ASSERT(is_known, "invalid access %d", (int)access);
    if (!is_known)
        cni_render_graph_record_error(graph, CN_ERROR_NOT_FOUND, "invalid access %d", (int)access);
    return is_known;
}

CnGraphTexture cn_graph_import_texture(CnGraph *graph, const char *name, CnGpuTexture texture,
                                       CnGpuAccess before, CnGpuAccess after)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    if (!cni_render_graph_is_access(graph, before) || !cni_render_graph_is_access(graph, after))
        return (CnGraphTexture){0};
    if (!texture.id) {
        cni_render_graph_record_error(graph, CN_ERROR_NOT_FOUND, "import %s is not a texture",
                                      name ? name : "unnamed");
        return (CnGraphTexture){0};
    }
    CniRenderGraphResource *resource = NULL;
    if (!is_imported(graph, name, true, texture.id))
        resource = add(graph, name, CN_GRAPH_IMPORT, true);
    if (!resource)
        return (CnGraphTexture){0};
    CnGpuTextureDesc desc = cn_gpu_texture_desc(graph->gpu, texture);
    resource->texture_desc = cni_render_graph_complete(&desc);
    resource->texture = texture;
    resource->before = before;
    resource->after = after;
    return last_texture(graph);
}

CnGraphBuffer cn_graph_import_buffer(CnGraph *graph, const char *name, CnGpuBuffer buffer,
                                     CnGpuAccess before, CnGpuAccess after)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    if (!cni_render_graph_is_access(graph, before) || !cni_render_graph_is_access(graph, after))
        return (CnGraphBuffer){0};
    if (!buffer.id) {
        cni_render_graph_record_error(graph, CN_ERROR_NOT_FOUND, "import %s is not a buffer",
                                      name ? name : "unnamed");
        return (CnGraphBuffer){0};
    }
    CniRenderGraphResource *resource = NULL;
    if (!is_imported(graph, name, false, buffer.id))
        resource = add(graph, name, CN_GRAPH_IMPORT, false);
    if (!resource)
        return (CnGraphBuffer){0};
    resource->buffer_desc.size = cn_gpu_buffer_size(graph->gpu, buffer);
    resource->buffer = buffer;
    resource->before = before;
    resource->after = after;
    return last_buffer(graph);
}

/* ---- Persistent and history ---- */

static CniRenderGraphPersistent *persistent_texture(CnGraph *graph, const CnGpuTextureDesc *desc,
                                                    uint32_t count)
{
    if (!check_texture(graph, desc))
        return NULL;
    CnGpuTextureDesc all = cni_render_graph_complete(desc);
    return cni_render_graph_persistent_acquire(
        graph, desc->name, true, cni_render_graph_texture_key(&all), all.mips * all.layers, count);
}

static CniRenderGraphPersistent *persistent_buffer(CnGraph *graph, const CnGpuBufferDesc *desc,
                                                   uint32_t count)
{
    if (!check_buffer(graph, desc))
        return NULL;
    return cni_render_graph_persistent_acquire(graph, desc->name, false,
                                               cni_render_graph_buffer_key(desc), 1, count);
}

static uint32_t persistent_number(const CnGraph *graph, const CniRenderGraphPersistent *persistent)
{
    return (uint32_t)(persistent - graph->persistent.items) + 1;
}

/* Returns whether the last frame left no usable history. */
static bool is_history_new(const CnGraph *graph, const CniRenderGraphPersistent *persistent)
{
    return !persistent->has_contents[1 - persistent->current] ||
           persistent->frame + 1 != graph->frame;
}

CnGraphTexture cn_graph_persistent_texture(CnGraph *graph, const CnGpuTextureDesc *desc,
                                           bool *is_new)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CniRenderGraphPersistent *persistent = persistent_texture(graph, desc, 1);
    if (is_new)
        *is_new = !persistent || !persistent->has_contents[0];
    if (!persistent)
        return (CnGraphTexture){0};
    CnGpuTextureDesc all = cni_render_graph_complete(desc);
    return add_texture(graph, &all, desc->name, CN_GRAPH_PERSISTENT,
                       persistent_number(graph, persistent));
}

CnGraphBuffer cn_graph_persistent_buffer(CnGraph *graph, const CnGpuBufferDesc *desc, bool *is_new)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CniRenderGraphPersistent *persistent = persistent_buffer(graph, desc, 1);
    if (is_new)
        *is_new = !persistent || !persistent->has_contents[0];
    if (!persistent)
        return (CnGraphBuffer){0};
    return add_buffer(graph, desc, desc->name, CN_GRAPH_PERSISTENT,
                      persistent_number(graph, persistent));
}

/* "name (previous)" */
static const char *previous_name(CnGraph *graph, const char *name)
{
    static const char suffix[] = " (previous)";
    size_t size = strlen(name);
    char *text = cn_graph_alloc(graph, size + sizeof suffix);
    if (!text)
        return name;
    memcpy(text, name, size);
    memcpy(text + size, suffix, sizeof suffix);
    return text;
}

CnGraphHistory cn_graph_history_texture(CnGraph *graph, const CnGpuTextureDesc *desc)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGraphHistory history = {.is_new = true};
    CniRenderGraphPersistent *persistent = persistent_texture(graph, desc, 2);
    if (!persistent)
        return history;
    CnGpuTextureDesc all = cni_render_graph_complete(desc);
    uint32_t number = persistent_number(graph, persistent);
    history.is_new = is_history_new(graph, persistent);
    history.previous =
        add_texture(graph, &all, previous_name(graph, desc->name), CN_GRAPH_PREVIOUS, number);
    history.current = add_texture(graph, &all, desc->name, CN_GRAPH_CURRENT, number);
    return history;
}

CnGraphBufferHistory cn_graph_history_buffer(CnGraph *graph, const CnGpuBufferDesc *desc)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGraphBufferHistory history = {.is_new = true};
    CniRenderGraphPersistent *persistent = persistent_buffer(graph, desc, 2);
    if (!persistent)
        return history;
    uint32_t number = persistent_number(graph, persistent);
    history.is_new = is_history_new(graph, persistent);
    history.previous =
        add_buffer(graph, desc, previous_name(graph, desc->name), CN_GRAPH_PREVIOUS, number);
    history.current = add_buffer(graph, desc, desc->name, CN_GRAPH_CURRENT, number);
    return history;
}

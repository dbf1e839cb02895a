/* Persistent and history resources, which are identified by name across frames. */
#include "render/graph/graph_internal.h"

#include <string.h>

static void destroy(CnGraph *graph, CniRenderGraphPersistent *persistent)
{
    for (uint32_t i = 0; i < persistent->count; i++) {
        if (persistent->textures[i].id)
            cn_gpu_texture_destroy(graph->gpu, persistent->textures[i]);
        if (persistent->buffers[i].id)
            cn_gpu_buffer_destroy(graph->gpu, persistent->buffers[i]);
        graph->stats.freed += persistent->textures[i].id || persistent->buffers[i].id;
        cn_free(graph->allocator, persistent->states[i],
                persistent->part_count * sizeof *persistent->states[i]);
    }
}

static CniRenderGraphPersistent *find(CnGraph *graph, uint64_t name_hash)
{
    for (uint32_t i = 0; i < graph->persistent.count; i++) {
        if (graph->persistent.items[i].name_hash == name_hash)
            return &graph->persistent.items[i];
    }
    return NULL;
}

CniRenderGraphPersistent *cni_render_graph_persistent_acquire(CnGraph *graph, const char *name,
                                                              bool is_texture, uint64_t key,
                                                              uint32_t parts, uint32_t count)
{
    if (!name) {
        cni_render_graph_record_error(graph, CN_ERROR_FORMAT, "a persistent resource needs a name");
        return NULL;
    }
    uint64_t hash = cn_hash_bytes(name, strlen(name), 0);
    CniRenderGraphPersistent *persistent = find(graph, hash);
    if (persistent && persistent->is_declared) {
        cni_render_graph_record_error(graph, CN_ERROR_EXISTS, "%s is declared twice in a frame",
                                      name);
        return NULL;
    }
    CniRenderGraphPersistent fresh = {.name_hash = hash,
                                      .key = key,
                                      .is_texture = is_texture,
                                      .count = count,
                                      .part_count = parts,
                                      .is_declared = true};
    if (!persistent) {
        if (!cn_array_push(&graph->persistent, fresh)) {
            cni_render_graph_record_error(graph, CN_ERROR_MEMORY, "no memory to keep %s", name);
            return NULL;
        }
        persistent = &graph->persistent.items[graph->persistent.count - 1];
        persistent->frame = graph->frame;
    } else if (persistent->key != key || persistent->count != count) {
        destroy(graph, persistent);
        *persistent = fresh;
        persistent->frame = graph->frame;
    }
    persistent->is_declared = true;
    return persistent;
}

static uint32_t slot_of(const CniRenderGraphPersistent *persistent, CnGraphOrigin origin)
{
    return origin == CN_GRAPH_PREVIOUS ? 1 - persistent->current : persistent->current;
}

/* Creates one of the two resources, with undefined contents. */
static bool make(CnGraph *graph, CniRenderGraphPersistent *persistent, uint32_t slot,
                 const CniRenderGraphResource *resource, CnError *error)
{
    size_t bytes = persistent->part_count * sizeof *persistent->states[slot];
    uint16_t *states = cn_alloc(graph->allocator, bytes);
    if (!states)
        return cn_error_memory(error, "%s", resource->name);
    if (persistent->is_texture) {
        persistent->textures[slot] =
            cn_gpu_texture_create(graph->gpu, &resource->texture_desc, error);
        persistent->bytes =
            cn_gpu_texture_memory_requirements(graph->gpu, &resource->texture_desc).size;
    } else {
        persistent->buffers[slot] = cn_gpu_buffer_create(graph->gpu, &resource->buffer_desc, error);
        persistent->bytes =
            cn_gpu_buffer_memory_requirements(graph->gpu, &resource->buffer_desc).size;
    }
    if (!persistent->textures[slot].id && !persistent->buffers[slot].id) {
        cn_free(graph->allocator, states, bytes);
        return false;
    }
    for (uint32_t i = 0; i < persistent->part_count; i++)
        states[i] = CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_NONE);
    persistent->states[slot] = states;
    graph->stats.created++;
    return true;
}

bool cni_render_graph_persistent_create(CnGraph *graph, CnError *error)
{
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        CniRenderGraphResource *resource = &graph->resources.items[i];
        if (!resource->is_live || !resource->persistent)
            continue;
        CniRenderGraphPersistent *persistent = &graph->persistent.items[resource->persistent - 1];
        uint32_t slot = slot_of(persistent, resource->origin);
        if (!persistent->states[slot] && !make(graph, persistent, slot, resource, error))
            return false;
        resource->texture = persistent->textures[slot];
        resource->buffer = persistent->buffers[slot];
        resource->need.size = persistent->bytes;
    }
    for (uint32_t i = 0; i < graph->persistent.count; i++) {
        const CniRenderGraphPersistent *persistent = &graph->persistent.items[i];
        graph->stats.persistent_bytes +=
            persistent->bytes * (!!persistent->states[0] + !!persistent->states[1]);
    }
    return true;
}

/* Stores the state that the frame leaves. */
static void leave(CniRenderGraphPersistent *persistent, const CniRenderGraphResource *resource)
{
    uint32_t slot = slot_of(persistent, resource->origin);
    for (uint32_t i = 0; i < persistent->part_count; i++)
        persistent->states[slot][i] = resource->states ? resource->states[i] : resource->state;
    if (resource->version > 0)
        persistent->has_contents[slot] = true;
}

void cni_render_graph_persistent_end(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->persistent.count; i++) {
        CniRenderGraphPersistent *persistent = &graph->persistent.items[i];
        if (persistent->is_declared && persistent->count == 2)
            persistent->has_contents[persistent->current] = false;
    }
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        const CniRenderGraphResource *resource = &graph->resources.items[i];
        if (resource->is_live && resource->persistent)
            leave(&graph->persistent.items[resource->persistent - 1], resource);
    }
    for (uint32_t i = graph->persistent.count; i-- > 0;) {
        CniRenderGraphPersistent *persistent = &graph->persistent.items[i];
        if (persistent->is_declared) {
            persistent->frame = graph->frame;
            persistent->current = persistent->count == 2 ? 1 - persistent->current : 0;
        } else if (persistent->frame + CN_GRAPH_KEEP_FRAMES <= graph->frame) {
            destroy(graph, persistent);
            cn_array_remove_swap(&graph->persistent, i);
        }
    }
}

void cni_render_graph_persistent_fini(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->persistent.count; i++)
        destroy(graph, &graph->persistent.items[i]);
    cn_array_clear(&graph->persistent);
}

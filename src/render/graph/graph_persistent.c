/* Persistent and history resources, which are identified by name across frames. */
#include "render/graph/graph_internal.h"

#include <string.h>

static void destroy(CnGraph *graph, CniGraphKept *kept)
{
    for (uint32_t i = 0; i < kept->count; i++) {
        if (kept->textures[i].id)
            cn_gpu_texture_destroy(graph->gpu, kept->textures[i]);
        if (kept->buffers[i].id)
            cn_gpu_buffer_destroy(graph->gpu, kept->buffers[i]);
        graph->stats.freed += kept->textures[i].id || kept->buffers[i].id;
        cn_free(graph->allocator, kept->states[i], kept->part_count * sizeof *kept->states[i]);
    }
}

static CniGraphKept *find(CnGraph *graph, uint64_t name_hash)
{
    for (uint32_t i = 0; i < graph->kept.count; i++) {
        if (graph->kept.items[i].name_hash == name_hash)
            return &graph->kept.items[i];
    }
    return NULL;
}

CniGraphKept *cni_graph_keep(CnGraph *graph, const char *name, bool is_texture, uint64_t key,
                             uint32_t parts, uint32_t count)
{
    if (!name) {
        cni_graph_mistake(graph, CN_ERROR_FORMAT, "a persistent resource needs a name");
        return NULL;
    }
    uint64_t hash = cn_hash_bytes(name, strlen(name), 0);
    CniGraphKept *kept = find(graph, hash);
    if (kept && kept->is_declared) {
        cni_graph_mistake(graph, CN_ERROR_EXISTS, "%s is declared twice in a frame", name);
        return NULL;
    }
    CniGraphKept fresh = {.name_hash = hash,
                          .key = key,
                          .is_texture = is_texture,
                          .count = count,
                          .part_count = parts,
                          .is_declared = true};
    if (!kept) {
        if (!cn_array_push(&graph->kept, fresh)) {
            cni_graph_mistake(graph, CN_ERROR_MEMORY, "no memory to keep %s", name);
            return NULL;
        }
        kept = &graph->kept.items[graph->kept.count - 1];
        kept->frame = graph->frame;
    } else if (kept->key != key || kept->count != count) {
        destroy(graph, kept);
        *kept = fresh;
        kept->frame = graph->frame;
    }
    kept->is_declared = true;
    return kept;
}

static uint32_t slot_of(const CniGraphKept *kept, CnGraphOrigin origin)
{
    return origin == CN_GRAPH_PREVIOUS ? 1 - kept->current : kept->current;
}

/* Creates one of the two resources, with undefined contents. */
static bool make(CnGraph *graph, CniGraphKept *kept, uint32_t slot,
                 const CniGraphResource *resource, CnError *error)
{
    size_t bytes = kept->part_count * sizeof *kept->states[slot];
    uint16_t *states = cn_alloc(graph->allocator, bytes);
    if (!states)
        return cn_error_set(error, CN_ERROR_MEMORY, "no memory for %s", resource->name);
    if (kept->is_texture) {
        kept->textures[slot] = cn_gpu_texture(graph->gpu, &resource->texture_desc, error);
        kept->bytes = cn_gpu_texture_need(graph->gpu, &resource->texture_desc).size;
    } else {
        kept->buffers[slot] = cn_gpu_buffer(graph->gpu, &resource->buffer_desc, error);
        kept->bytes = cn_gpu_buffer_need(graph->gpu, &resource->buffer_desc).size;
    }
    if (!kept->textures[slot].id && !kept->buffers[slot].id) {
        cn_free(graph->allocator, states, bytes);
        return false;
    }
    for (uint32_t i = 0; i < kept->part_count; i++)
        states[i] = CNI_ACCESS_BIT(CN_GPU_ACCESS_NONE);
    kept->states[slot] = states;
    graph->stats.made++;
    return true;
}

bool cni_graph_make_kept(CnGraph *graph, CnError *error)
{
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        CniGraphResource *resource = &graph->resources.items[i];
        if (!resource->is_live || !resource->kept)
            continue;
        CniGraphKept *kept = &graph->kept.items[resource->kept - 1];
        uint32_t slot = slot_of(kept, resource->origin);
        if (!kept->states[slot] && !make(graph, kept, slot, resource, error))
            return false;
        resource->texture = kept->textures[slot];
        resource->buffer = kept->buffers[slot];
        resource->need.size = kept->bytes;
    }
    for (uint32_t i = 0; i < graph->kept.count; i++) {
        const CniGraphKept *kept = &graph->kept.items[i];
        graph->stats.kept_bytes += kept->bytes * (!!kept->states[0] + !!kept->states[1]);
    }
    return true;
}

/* Stores the state that the frame leaves. */
static void leave(CniGraphKept *kept, const CniGraphResource *resource)
{
    uint32_t slot = slot_of(kept, resource->origin);
    for (uint32_t i = 0; i < kept->part_count; i++)
        kept->states[slot][i] = resource->states ? resource->states[i] : resource->state;
    if (resource->version > 0)
        kept->has_contents[slot] = true;
}

void cni_graph_kept_end(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->kept.count; i++) {
        CniGraphKept *kept = &graph->kept.items[i];
        if (kept->is_declared && kept->count == 2)
            kept->has_contents[kept->current] = false;
    }
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        const CniGraphResource *resource = &graph->resources.items[i];
        if (resource->is_live && resource->kept)
            leave(&graph->kept.items[resource->kept - 1], resource);
    }
    for (uint32_t i = graph->kept.count; i-- > 0;) {
        CniGraphKept *kept = &graph->kept.items[i];
        if (kept->is_declared) {
            kept->frame = graph->frame;
            kept->current = kept->count == 2 ? 1 - kept->current : 0;
        } else if (kept->frame + CN_GRAPH_KEEP_FRAMES <= graph->frame) {
            destroy(graph, kept);
            cn_array_remove_swap(&graph->kept, i);
        }
    }
}

void cni_graph_kept_fini(CnGraph *graph)
{
    for (uint32_t i = 0; i < graph->kept.count; i++)
        destroy(graph, &graph->kept.items[i]);
    cn_array_clear(&graph->kept);
}

/* Passes, and the declaration of their reads and writes. */
#include "render/graph/graph_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* A handle: index + 1, and the frame it belongs to. */
#define INDEX_BITS 12u

CnGraphPass cn_graph_add_pass(CnGraph *graph, const CnGraphPassDesc *desc)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    const char *name = desc->name ? desc->name : "unnamed";
    if (graph->passes.count == CN_GRAPH_MAX_PASSES) {
        cni_render_graph_record_error(graph, CN_ERROR_LIMIT, "cannot add pass %s: the limit is %u",
                                      name, CN_GRAPH_MAX_PASSES);
        return (CnGraphPass){0};
    }
    const char *copy = cn_arena_copy_text(&graph->arena, name, strlen(name));
    if (!copy ||
        !cn_array_push(&graph->passes, (CniRenderGraphPass){.desc = *desc,
                                                            .first_use = CNI_RENDER_GRAPH_NO_USE,
                                                            .last_use = CNI_RENDER_GRAPH_NO_USE})) {
        cni_render_graph_record_error(graph, CN_ERROR_MEMORY, "no memory for the pass %s", name);
        return (CnGraphPass){0};
    }
    CniRenderGraphPass *pass = &graph->passes.items[graph->passes.count - 1];
    pass->desc.name = copy;
    pass->handle = (CnGraphPass){graph->passes.count | graph->serial << INDEX_BITS};
    return pass->handle;
}

static CniRenderGraphPass *find_pass(CnGraph *graph, CnGraphPass pass)
{
    uint32_t index = (pass.id & ((1u << INDEX_BITS) - 1u)) - 1;
    if (index < graph->passes.count && pass.id >> INDEX_BITS == graph->serial)
        return &graph->passes.items[index];
    cni_render_graph_record_error(graph, CN_ERROR_NOT_FOUND,
                                  "a pass is null or from another frame");
    return NULL;
}

CnGraphPassKind cn_graph_pass_kind(CnGraph *graph, CnGraphPass pass)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    const CniRenderGraphPass *found = find_pass(graph, pass);
    return found ? found->desc.kind : CN_GRAPH_GRAPHICS;
}

/* ---- Uses ---- */

/* A use to be declared. */
typedef struct Wanted {
    CniRenderGraphPass *pass;
    uint32_t resource, version;
    CnGpuAccess access;
    CniRenderGraphRange range;
    bool writes, keeps, needs;
} Wanted;

static bool check_access(CnGraph *graph, const Wanted *wanted)
{
    const CniRenderGraphResource *resource = &graph->resources.items[wanted->resource];
    const char *pass = wanted->pass->desc.name;
    const char *problem = cni_render_graph_access_error(wanted->access, wanted->pass->desc.kind,
                                                        resource->is_texture);
    const char *access =
        wanted->access < CN_GPU_ACCESS_COUNT ? cn_gpu_access_name(wanted->access) : "unknown";
    if (problem)
        cni_render_graph_record_error(graph, CN_ERROR_MISMATCH, "pass %s: %s as %s: %s", pass,
                                      resource->name, access, problem);
    else if (cn_gpu_access_writes(wanted->access) != wanted->writes)
        cni_render_graph_record_error(graph, CN_ERROR_MISMATCH, "pass %s: %s as %s: this access %s",
                                      pass, resource->name, access,
                                      wanted->writes ? "only reads" : "writes");
    else if (wanted->writes && resource->origin == CN_GRAPH_PREVIOUS)
        cni_render_graph_record_error(graph, CN_ERROR_PERMISSION,
                                      "pass %s: %s is a previous history texture and read-only",
                                      pass, resource->name);
    else
        return true;
    return false;
}

/* Only the newest version can be written. */
static bool check_version(CnGraph *graph, const Wanted *wanted)
{
    const CniRenderGraphResource *resource = &graph->resources.items[wanted->resource];
    if (!wanted->writes ||
        (wanted->version == resource->version && wanted->version < CN_GRAPH_MAX_VERSIONS))
        return true;
    if (wanted->version == resource->version) {
        cni_render_graph_record_error(graph, CN_ERROR_LIMIT,
                                      "pass %s: %s has reached the limit of %u versions",
                                      wanted->pass->desc.name, resource->name, wanted->version);
        return false;
    }
    uint32_t writer = resource->last_writer;
    while (graph->uses.items[writer].version != wanted->version + 1)
        writer = graph->uses.items[writer].previous_writer;
    cni_render_graph_record_error(
        graph, CN_ERROR_EXISTS,
        "pass %s writes version %u of %s, which pass %s has already written",
        wanted->pass->desc.name, wanted->version, resource->name,
        graph->passes.items[graph->uses.items[writer].pass].desc.name);
    return false;
}

/* A pass may have only one access to a part, except for compatible pairs. */
static bool go_together(CnGpuAccess a, CnGpuAccess b, bool is_texture)
{
    if (cn_gpu_access_writes(a) || cn_gpu_access_writes(b))
        return false;
    if (a == b || !is_texture)
        return true;
    uint32_t both = CNI_RENDER_GRAPH_ACCESS_BIT(a) | CNI_RENDER_GRAPH_ACCESS_BIT(b);
    return both == (CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_DEPTH_READ) |
                    CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_SAMPLE));
}

static bool check_others(CnGraph *graph, const Wanted *wanted)
{
    const CniRenderGraphResource *resource = &graph->resources.items[wanted->resource];
    for (uint32_t i = wanted->pass->first_use; i != CNI_RENDER_GRAPH_NO_USE;
         i = graph->uses.items[i].next_of_pass) {
        const CniRenderGraphUse *other = &graph->uses.items[i];
        if (other->resource != wanted->resource ||
            !cni_render_graph_range_overlaps(&other->range, &wanted->range) ||
            go_together(other->access, wanted->access, resource->is_texture))
            continue;
        cni_render_graph_record_error(
            graph, CN_ERROR_MISMATCH, "pass %s uses the same part of %s as %s and as %s",
            wanted->pass->desc.name, resource->name, cn_gpu_access_name(other->access),
            cn_gpu_access_name(wanted->access));
        return false;
    }
    return true;
}

/* Returns the first of several sufficient bits. */
static uint32_t lowest_bit(uint32_t bits)
{
    return bits & (~bits + 1);
}

static bool check_usage(CnGraph *graph, const Wanted *wanted)
{
    CniRenderGraphResource *resource = &graph->resources.items[wanted->resource];
    uint32_t given =
        resource->is_texture ? resource->texture_desc.usage : resource->buffer_desc.usage;
    uint32_t usage = cni_render_graph_access_usage(wanted->access, resource->is_texture);
    bool is_known = resource->is_texture || resource->origin != CN_GRAPH_IMPORT;
    if (resource->origin == CN_GRAPH_TRANSIENT) {
        if (!((given | resource->usage) & usage))
            resource->usage |= lowest_bit(usage);
        return true;
    }
    if (!is_known || (given & usage))
        return true;
    cni_render_graph_record_error(
        graph, CN_ERROR_MISMATCH, "pass %s: %s was created without the usage for %s",
        wanted->pass->desc.name, resource->name, cn_gpu_access_name(wanted->access));
    return false;
}

/* Declares the use; returns false after a mistake. */
static bool add_use(CnGraph *graph, const Wanted *wanted)
{
    if (!check_access(graph, wanted) || !check_version(graph, wanted) ||
        !check_others(graph, wanted) || !check_usage(graph, wanted))
        return false;
    CniRenderGraphResource *resource = &graph->resources.items[wanted->resource];
    CniRenderGraphPass *pass = wanted->pass;
    uint32_t index = graph->uses.count;
    CniRenderGraphUse use = {.pass = (uint32_t)(pass - graph->passes.items),
                             .resource = wanted->resource,
                             .version = wanted->version + wanted->writes,
                             .access = wanted->access,
                             .writes = wanted->writes,
                             .keeps = wanted->keeps,
                             .needs = wanted->needs,
                             .range = wanted->range,
                             .next_of_pass = CNI_RENDER_GRAPH_NO_USE,
                             .next_of_resource = CNI_RENDER_GRAPH_NO_USE,
                             .previous_writer = resource->last_writer};
    if (index == CN_GRAPH_MAX_USES || !cn_array_push(&graph->uses, use)) {
        cni_render_graph_record_error(
            graph, index == CN_GRAPH_MAX_USES ? CN_ERROR_LIMIT : CN_ERROR_MEMORY,
            "pass %s: too many declarations: cannot declare the use of %s", pass->desc.name,
            resource->name);
        return false;
    }
    *(pass->last_use == CNI_RENDER_GRAPH_NO_USE ? &pass->first_use
                                                : &graph->uses.items[pass->last_use].next_of_pass) =
        index;
    pass->last_use = index;
    *(resource->last_use == CNI_RENDER_GRAPH_NO_USE
          ? &resource->first_use
          : &graph->uses.items[resource->last_use].next_of_resource) = index;
    resource->last_use = index;
    if (wanted->writes) {
        resource->last_writer = index;
        resource->version++;
    }
    return true;
}

/* Fills in the range of a use; returns false after a mistake. */
static bool want(CnGraph *graph, CnGraphPass pass, uint32_t id, bool is_texture, Wanted *wanted)
{
    wanted->pass = find_pass(graph, pass);
    if (!wanted->pass)
        return false;
    wanted->resource =
        cni_render_graph_resolve(graph, id, is_texture, wanted->pass->desc.name, &wanted->version);
    return wanted->resource != CNI_RENDER_GRAPH_NO_USE;
}

static bool set_range(CnGraph *graph, Wanted *wanted, const CniRenderGraphRange *range)
{
    const CniRenderGraphResource *resource = &graph->resources.items[wanted->resource];
    CniRenderGraphRange all = cni_render_graph_all(resource), in = *range;
    if (in.mip < all.mip_count && !in.mip_count)
        in.mip_count = all.mip_count - in.mip;
    if (in.layer < all.layer_count && !in.layer_count)
        in.layer_count = all.layer_count - in.layer;
    if (in.mip >= all.mip_count || in.mip_count > all.mip_count - in.mip ||
        in.layer >= all.layer_count || in.layer_count > all.layer_count - in.layer) {
        cni_render_graph_record_error(
            graph, CN_ERROR_MISMATCH, "pass %s: %s has only %u mips and %u layers",
            wanted->pass->desc.name, resource->name, all.mip_count, all.layer_count);
        return false;
    }
    wanted->range = in;
    return true;
}

static bool set_part(CnGraph *graph, Wanted *wanted, const CnGraphSubresource *part,
                     bool is_texture)
{
    static const CnGraphSubresource all;
    part = part ? part : &all;
    wanted->keeps = !wanted->writes || !part->overwrite;
    wanted->needs = !wanted->writes;
    CniRenderGraphRange range = {0};
    if (is_texture)
        range = (CniRenderGraphRange){part->mip, part->mip_count, part->layer, part->layer_count};
    return set_range(graph, wanted, &range);
}

static uint32_t declare(CnGraph *graph, CnGraphPass pass, uint32_t id, bool is_texture,
                        CnGpuAccess access, const CnGraphSubresource *part, bool writes)
{
    Wanted wanted = {.access = access, .writes = writes};
    if (!cni_render_graph_is_access(graph, access) || !want(graph, pass, id, is_texture, &wanted) ||
        !set_part(graph, &wanted, part, is_texture))
        return id;
    if (access == CN_GPU_ACCESS_COLOR || access == CN_GPU_ACCESS_DEPTH ||
        access == CN_GPU_ACCESS_DEPTH_READ) {
        cni_render_graph_record_error(
            graph, CN_ERROR_MISMATCH,
            "pass %s: %s as %s: declare attachments with cn_graph_color_attachment or "
            "cn_graph_depth_attachment",
            wanted.pass->desc.name, graph->resources.items[wanted.resource].name,
            cn_gpu_access_name(access));
        return id;
    }
    if (!add_use(graph, &wanted))
        return id;
    return cni_render_graph_handle(graph, wanted.resource, wanted.version + writes);
}

void cn_graph_read_texture(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                           CnGpuAccess access, const CnGraphSubresource *part)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    declare(graph, pass, texture.id, true, access, part, false);
}

CnGraphTexture cn_graph_write_texture(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                      CnGpuAccess access, const CnGraphSubresource *part)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    return (CnGraphTexture){declare(graph, pass, texture.id, true, access, part, true)};
}

void cn_graph_read_buffer(CnGraph *graph, CnGraphPass pass, CnGraphBuffer buffer,
                          CnGpuAccess access)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    declare(graph, pass, buffer.id, false, access, NULL, false);
}

CnGraphBuffer cn_graph_write_buffer(CnGraph *graph, CnGraphPass pass, CnGraphBuffer buffer,
                                    CnGpuAccess access, const CnGraphSubresource *part)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    return (CnGraphBuffer){declare(graph, pass, buffer.id, false, access, part, true)};
}

/* ---- Attachments ---- */

static uint32_t mip_size(uint32_t size, uint32_t mip)
{
    return size >> mip ? size >> mip : 1;
}

/* All attachments of a pass have the same size. */
static bool set_size(CnGraph *graph, CniRenderGraphPass *pass,
                     const CniRenderGraphResource *resource, const CnGraphAttachment *attachment)
{
    uint32_t width = mip_size(resource->texture_desc.width, attachment->mip);
    uint32_t height = mip_size(resource->texture_desc.height, attachment->mip);
    uint32_t layers = attachment->layers ? attachment->layers : 1;
    if (!pass->size_of) {
        pass->size_of = resource->name;
        pass->width = width;
        pass->height = height;
        pass->layers = layers;
    }
    if (pass->width == width && pass->height == height && pass->layers == layers)
        return true;
    cni_render_graph_record_error(
        graph, CN_ERROR_MISMATCH,
        "pass %s: %s has %u x %u pixels and %u layers, but %s has %u x %u and %u", pass->desc.name,
        resource->name, width, height, layers, pass->size_of, pass->width, pass->height,
        pass->layers);
    return false;
}

static uint32_t attach(CnGraph *graph, CnGraphPass pass, uint32_t id, CnGpuAccess access,
                       const CnGraphAttachment *attachment)
{
    bool writes = access != CN_GPU_ACCESS_DEPTH_READ;
    Wanted wanted = {.access = access,
                     .writes = writes,
                     .keeps = !writes || attachment->load == CN_GPU_LOAD,
                     .needs = !writes || attachment->load == CN_GPU_LOAD};
    if (!want(graph, pass, id, true, &wanted))
        return id;
    CniRenderGraphRange range = {attachment->mip, 1, attachment->layer,
                                 attachment->layers ? attachment->layers : 1};
    if (!set_range(graph, &wanted, &range))
        return id;
    const CniRenderGraphResource *resource = &graph->resources.items[wanted.resource];
    bool is_depth = access != CN_GPU_ACCESS_COLOR;
    CniRenderGraphPass *found = wanted.pass;
    if (cn_gpu_format_is_depth(resource->texture_desc.format) != is_depth) {
        cni_render_graph_record_error(
            graph, CN_ERROR_MISMATCH, "pass %s: %s cannot be a %s attachment: its format is %s",
            found->desc.name, resource->name, is_depth ? "depth" : "color",
            cn_gpu_format_name(resource->texture_desc.format));
        return id;
    }
    if (is_depth ? found->has_depth : found->color_count == CN_GPU_MAX_COLORS) {
        cni_render_graph_record_error(graph, CN_ERROR_LIMIT,
                                      "pass %s: too many attachments: cannot add %s",
                                      found->desc.name, resource->name);
        return id;
    }
    if (!set_size(graph, found, resource, attachment) || !add_use(graph, &wanted))
        return id;
    if (is_depth) {
        found->has_depth = true;
        found->depth = *attachment;
        if (!writes)
            found->depth.load = CN_GPU_LOAD;
        found->depth_resource = wanted.resource;
    } else {
        found->color[found->color_count] = *attachment;
        found->color_resource[found->color_count++] = wanted.resource;
    }
    return cni_render_graph_handle(graph, wanted.resource, wanted.version + writes);
}

CnGraphTexture cn_graph_color_attachment(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                         const CnGraphAttachment *attachment)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    static const CnGraphAttachment loaded;
    attachment = attachment ? attachment : &loaded;
    return (CnGraphTexture){attach(graph, pass, texture.id, CN_GPU_ACCESS_COLOR, attachment)};
}

CnGraphTexture cn_graph_depth_attachment(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture,
                                         const CnGraphAttachment *attachment)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    static const CnGraphAttachment loaded;
    attachment = attachment ? attachment : &loaded;
    return (CnGraphTexture){
        attach(graph, pass, texture.id,
               attachment->read_only ? CN_GPU_ACCESS_DEPTH_READ : CN_GPU_ACCESS_DEPTH, attachment)};
}

/* Writes the graph for Graphviz: passes as boxes, versions of resources as ellipses. */
#include "render/graph/graph_internal.h"

#include <cairn/base/assert.h>

/* Appends a name with special characters of the format escaped. */
static bool append_name(CnTextBuilder *text, const char *name)
{
    bool ok = true;
    for (; *name && ok; name++) {
        if (*name == '"' || *name == '\\')
            ok = cn_text_append(text, (CnText){"\\", 1});
        ok = ok && cn_text_append(text, (CnText){name, 1});
    }
    return ok;
}

static const char *color_of(CnGraphPassKind kind)
{
    static const char *const colors[] = {"#cfe2ff", "#ffe0b8", "#d3f0d0"};
    return colors[kind];
}

static bool write_pass(const CniRenderGraphPass *pass, uint32_t index, CnTextBuilder *text)
{
    bool ok = cn_text_append_format(
        text, "    p%u [shape=box, style=\"filled%s\", fillcolor=\"%s\", label=\"", index,
        pass->is_live ? "" : ",dashed", pass->is_live ? color_of(pass->desc.kind) : "#eeeeee");
    ok = ok && append_name(text, pass->desc.name);
    if (pass->is_live)
        return ok && cn_text_append_format(text, "\\n#%u, %u barriers\"];\n", pass->order,
                                           pass->barrier_count);
    return ok && cn_text_append(text, cn_text("\\nculled\"];\n"));
}

static bool write_versions(const CniRenderGraphResource *resource, uint32_t index,
                           CnTextBuilder *text)
{
    bool ok = true;
    for (uint32_t v = 0; v <= resource->version && ok; v++) {
        /* A transient cannot be read before it was written. */
        if (!v && resource->version && resource->origin == CN_GRAPH_TRANSIENT)
            continue;
        ok = cn_text_append_format(text, "    r%uv%u [label=\"", index, v) &&
             append_name(text, resource->name) && cn_text_append_format(text, " v%u\"];\n", v);
    }
    return ok;
}

static bool write_use(const CnGraph *graph, const CniRenderGraphUse *use, CnTextBuilder *text)
{
    const CniRenderGraphResource *resource = &graph->resources.items[use->resource];
    const char *access = cn_gpu_access_name(use->access);
    if (!use->writes)
        return cn_text_append_format(text, "    r%uv%u -> p%u [label=\"%s\"];\n", use->resource,
                                     use->version, use->pass, access);
    bool has_before = use->version > 1 || resource->origin != CN_GRAPH_TRANSIENT;
    if (use->keeps && has_before &&
        !cn_text_append_format(text, "    r%uv%u -> p%u [style=dotted];\n", use->resource,
                               use->version - 1, use->pass))
        return false;
    return cn_text_append_format(text, "    p%u -> r%uv%u [label=\"%s\"];\n", use->pass,
                                 use->resource, use->version, access);
}

bool cn_graph_write_dot(const CnGraph *graph, CnTextBuilder *text)
{
    CN_ASSERT(graph, "%s: graph is NULL", __func__);
    bool ok = cn_text_append(text, cn_text("digraph frame {\n    rankdir=LR;\n"
                                           "    node [fontname=\"sans-serif\", fontsize=10];\n"
                                           "    edge [fontname=\"sans-serif\", fontsize=8];\n"));
    for (uint32_t i = 0; i < graph->passes.count && ok; i++)
        ok = write_pass(&graph->passes.items[i], i, text);
    for (uint32_t i = 0; i < graph->resources.count && ok; i++)
        ok = write_versions(&graph->resources.items[i], i, text);
    for (uint32_t i = 0; i < graph->uses.count && ok; i++)
        ok = write_use(graph, &graph->uses.items[i], text);
    return ok && cn_text_append(text, cn_text("}\n"));
}

#include "gpu_memory_model.h"

#include "cmocka_tests.h"

#include <string.h>

enum {
    OUTPUT = 1,
    TESTS = 2,
    SHADERS = 4,
    COMPUTE = 8,
    INPUT = 16,
    INDIRECT = 32,
    TRANSFER = 64,
    HOST = 128
};
enum { NO_LAYOUT, COLOR, DEPTH, SAMPLED, GENERAL, FROM, TO };

static const struct {
    uint32_t stages, layout;
    bool writes;
} rules[CN_GPU_ACCESS_COUNT] = {
    [CN_GPU_ACCESS_COLOR] = {OUTPUT, COLOR, true},
    [CN_GPU_ACCESS_DEPTH] = {TESTS, DEPTH, true},
    [CN_GPU_ACCESS_DEPTH_READ] = {TESTS | SHADERS, SAMPLED, false},
    [CN_GPU_ACCESS_SAMPLE] = {SHADERS, SAMPLED, false},
    [CN_GPU_ACCESS_SAMPLE_COMPUTE] = {COMPUTE, SAMPLED, false},
    [CN_GPU_ACCESS_READ] = {SHADERS, GENERAL, false},
    [CN_GPU_ACCESS_READ_COMPUTE] = {COMPUTE, GENERAL, false},
    [CN_GPU_ACCESS_WRITE] = {SHADERS, GENERAL, true},
    [CN_GPU_ACCESS_WRITE_COMPUTE] = {COMPUTE, GENERAL, true},
    [CN_GPU_ACCESS_VERTEX] = {INPUT, NO_LAYOUT, false},
    [CN_GPU_ACCESS_INDIRECT] = {INDIRECT, NO_LAYOUT, false},
    [CN_GPU_ACCESS_COPY_FROM] = {TRANSFER, FROM, false},
    [CN_GPU_ACCESS_COPY_TO] = {TRANSFER, TO, true},
    [CN_GPU_ACCESS_HOST] = {HOST, NO_LAYOUT, false},
};

typedef struct Walk {
    MemoryModel *model;
    const RandomGraph *random;
    const char *pass;
} Walk;

static uint32_t stages_of(uint32_t accesses)
{
    uint32_t stages = 0;
    for (uint32_t i = 0; i < CN_GPU_ACCESS_COUNT; i++)
        stages |= accesses >> i & 1 ? rules[i].stages : 0;
    return stages;
}

static ModelResource *find(MemoryModel *model, bool is_texture, uint32_t id)
{
    for (uint32_t i = 0; i < model->count; i++) {
        if (model->resources[i].id == id && model->resources[i].is_texture == is_texture)
            return &model->resources[i];
    }
    return NULL;
}

static bool shares_memory(const ModelResource *a, const ModelResource *b)
{
    return a != b && a->heap && a->heap == b->heap && a->offset < b->end && b->offset < a->end;
}

/* ---- Barriers ---- */

/* What ran in the stages before, or led to them, comes before the stages after. */
static void lead(ModelPart *part, uint32_t from, uint32_t to)
{
    if (part->write_stages & from || part->seen_by & from)
        part->seen_by |= to;
    for (uint32_t s = 0; s < MODEL_STAGES; s++) {
        if (part->read_stages >> s & 1 && (from >> s & 1 || part->after_reads[s] & from))
            part->after_reads[s] |= to;
    }
}

/* Whether everything that touched a part comes before these stages. */
static bool is_over(const ModelPart *part, uint32_t stages)
{
    if (part->write_stages && stages & ~part->seen_by)
        return false;
    for (uint32_t s = 0; s < MODEL_STAGES; s++) {
        if (part->read_stages >> s & 1 && stages & ~part->after_reads[s])
            return false;
    }
    return true;
}

static bool is_ready(const ModelPart *part, CnGpuAccess after)
{
    uint32_t stages = rules[after].stages;
    return rules[after].writes ? is_over(part, stages)
                               : !part->write_stages || !(stages & ~part->seen_by);
}

/* Leads through a barrier, and returns whether anything was not ready for it. */
static bool cross_part(Walk *walk, ModelResource *resource, ModelPart *part,
                       const CnGpuBarrier *barrier)
{
    uint32_t from = stages_of(part->accesses | barrier->waits_for),
             to = rules[barrier->after].stages;
    bool is_fresh = barrier->before == CN_GPU_ACCESS_NONE;
    bool changes =
        is_fresh || (resource->is_texture && part->layout != rules[barrier->after].layout);
    bool was_needed = changes || !is_ready(part, barrier->after);
    if (!is_fresh && !(part->accesses >> barrier->before & 1))
        fail_msg("%s: a barrier from %s, which the resource has not", walk->pass,
                 cn_gpu_access_name(barrier->before));
    lead(part, from, to);
    if (changes) {
        /* Changing a layout is a write, between the two; so is dropping contents. */
        if (!is_over(part, to))
            fail_msg("%s: a layout changes to %s while it is used", walk->pass,
                     cn_gpu_access_name(barrier->after));
        part->write_stages = to;
        part->seen_by = to;
        part->read_stages = 0;
        part->layout = rules[barrier->after].layout;
    }
    if (is_fresh && part->has_contents && !resource->heap)
        fail_msg("%s: a barrier to %s drops what is to be kept", walk->pass,
                 cn_gpu_access_name(barrier->after));
    if (is_fresh)
        part->has_contents = false;
    bool both_read =
        !is_fresh && !changes && !rules[barrier->before].writes && !rules[barrier->after].writes;
    part->accesses = (both_read ? part->accesses : 0) | 1u << barrier->after;
    return was_needed;
}

static void cross(Walk *walk, const CnGpuBarrier *barrier)
{
    bool is_texture = barrier->texture.id != 0, was_needed = false;
    ModelResource *resource =
        find(walk->model, is_texture, is_texture ? barrier->texture.id : barrier->buffer.id);
    if (!resource)
        fail_msg("%s: a barrier for what no pass uses", walk->pass);
    uint32_t mips = barrier->mip_count ? barrier->mip_count : resource->mips - barrier->mip;
    uint32_t layers =
        barrier->layer_count ? barrier->layer_count : resource->layers - barrier->layer;
    uint32_t from = barrier->waits_for;
    for (uint32_t l = barrier->layer; l < barrier->layer + layers; l++) {
        for (uint32_t m = barrier->mip; m < barrier->mip + mips; m++) {
            ModelPart *part = &resource->parts[l * resource->mips + m];
            from |= part->accesses;
            was_needed |= cross_part(walk, resource, part, barrier);
        }
    }
    /* Stages are everybody's: it also leads away from those that had the memory before. */
    for (uint32_t i = 0; i < walk->model->count; i++) {
        ModelResource *other = &walk->model->resources[i];
        for (uint32_t p = 0; shares_memory(resource, other) && p < MODEL_PARTS; p++)
            lead(&other->parts[p], stages_of(from), rules[barrier->after].stages);
    }
    if (!was_needed)
        fail_msg("%s: nobody needs a barrier from %s to %s", walk->pass,
                 cn_gpu_access_name(barrier->before), cn_gpu_access_name(barrier->after));
    walk->model->barriers++;
}

/* ---- Uses ---- */

/* The version that a part is to have for a read. */
static uint32_t expected(const RandomResource *declared, const RandomUse *use, uint32_t m,
                         uint32_t l)
{
    for (uint32_t v = use->version; v > 0; v--) {
        const RandomUse *write = &declared->writes[v - 1];
        if (m >= write->mip && m < write->mip + write->mip_count && l >= write->layer &&
            l < write->layer + write->layer_count)
            return v;
    }
    return 0;
}

static void check_tenants(Walk *walk, const ModelResource *resource, CnGpuAccess access)
{
    for (uint32_t i = 0; i < walk->model->count; i++) {
        ModelResource *other = &walk->model->resources[i];
        for (uint32_t p = 0; shares_memory(resource, other) && p < MODEL_PARTS; p++) {
            if (!is_over(&other->parts[p], rules[access].stages))
                fail_msg("%s: memory is taken from one who still uses it, for %s", walk->pass,
                         cn_gpu_access_name(access));
            other->parts[p].has_contents = false;
        }
    }
}

static void read_part(Walk *walk, const ModelResource *resource, ModelPart *part,
                      CnGpuAccess access)
{
    uint32_t stages = rules[access].stages;
    if (resource->is_texture && part->layout != rules[access].layout)
        fail_msg("%s: %s in a wrong layout", walk->pass, cn_gpu_access_name(access));
    if (part->write_stages && stages & ~part->seen_by)
        fail_msg("%s: %s does not see the last write", walk->pass, cn_gpu_access_name(access));
    if (resource->heap && !part->has_contents)
        fail_msg("%s: %s reads what was never written", walk->pass, cn_gpu_access_name(access));
    part->read_stages |= stages;
    for (uint32_t s = 0; s < MODEL_STAGES; s++) {
        if (stages >> s & 1)
            part->after_reads[s] = 0;
    }
}

static void write_part(Walk *walk, const ModelResource *resource, ModelPart *part,
                       const RandomUse *use)
{
    uint32_t stages = rules[use->access].stages;
    if (resource->is_texture && part->layout != rules[use->access].layout)
        fail_msg("%s: %s in a wrong layout", walk->pass, cn_gpu_access_name(use->access));
    if (!is_over(part, stages))
        fail_msg("%s: %s while others use it", walk->pass, cn_gpu_access_name(use->access));
    part->write_stages = stages;
    part->seen_by = 0;
    part->read_stages = 0;
    part->has_contents = true;
    part->version = use->version;
}

static void use_resource(Walk *walk, const RandomUse *use)
{
    const RandomResource *declared = &walk->random->resources[use->resource];
    ModelResource *resource = find(walk->model, declared->is_texture, declared->physical);
    assert_non_null(resource);
    check_tenants(walk, resource, use->access);
    for (uint32_t l = use->layer; l < use->layer + use->layer_count; l++) {
        for (uint32_t m = use->mip; m < use->mip + use->mip_count; m++) {
            ModelPart *part = &resource->parts[l * resource->mips + m];
            if (use->writes) {
                write_part(walk, resource, part, use);
                continue;
            }
            read_part(walk, resource, part, use->access);
            if (part->version != expected(declared, use, m, l))
                fail_msg("%s: reads version %u instead of %u", walk->pass, part->version,
                         expected(declared, use, m, l));
        }
    }
    walk->model->uses++;
}

/* ---- Frames ---- */

static void add_resources(MemoryModel *model, const RandomGraph *random, uint32_t heap)
{
    for (uint32_t i = 0; i < random->resource_count; i++) {
        const RandomResource *declared = &random->resources[i];
        CnGraphResourceInfo info;
        assert_true(cn_graph_resource_info(random->graph, i, &info));
        uint32_t id = declared->is_texture ? info.texture.id : info.buffer.id;
        if (!id)
            continue;
        ModelResource *resource = find(model, declared->is_texture, id);
        if (!resource) {
            assert_true(model->count < MODEL_RESOURCES);
            resource = &model->resources[model->count++];
            *resource = (ModelResource){.is_texture = declared->is_texture,
                                        .id = id,
                                        .mips = declared->mips,
                                        .layers = declared->layers};
            for (uint32_t p = 0; p < MODEL_PARTS; p++)
                resource->parts[p].accesses = 1u << CN_GPU_ACCESS_NONE;
        }
        if (declared->origin == CN_GRAPH_TRANSIENT) {
            resource->heap = heap;
            resource->offset = info.offset;
            resource->end = info.offset + info.bytes;
        }
        for (uint32_t p = 0; p < MODEL_PARTS; p++)
            resource->parts[p].version = 0;
    }
}

static const RandomPass *pass_named(const RandomGraph *random, const char *name)
{
    for (uint32_t i = 0; i < random->pass_count; i++) {
        if (!strcmp(random->passes[i].name, name))
            return &random->passes[i];
    }
    return NULL;
}

/* Somebody reads what was imported, as was asked for; that others could too is known to nobody. */
static void read_imports(Walk *walk)
{
    for (uint32_t i = 0; i < walk->random->resource_count; i++) {
        const RandomResource *declared = &walk->random->resources[i];
        CnGraphResourceInfo info;
        cn_graph_resource_info(walk->random->graph, i, &info);
        if (declared->origin != CN_GRAPH_IMPORT)
            continue;
        ModelResource *resource = find(walk->model, declared->is_texture,
                                       declared->is_texture ? info.texture.id : info.buffer.id);
        CnGpuAccess access = declared->is_texture ? CN_GPU_ACCESS_SAMPLE : CN_GPU_ACCESS_READ;
        for (uint32_t p = 0; p < resource->mips * resource->layers; p++) {
            read_part(walk, resource, &resource->parts[p], access);
            resource->parts[p].seen_by = rules[access].stages;
        }
    }
}

void memory_model_check(MemoryModel *model, const RandomGraph *random, uint32_t heap)
{
    add_resources(model, random, heap);
    Walk walk = {model, random, "after the last pass"};
    const RandomPass *pass = NULL;
    uint32_t count, depth = 0;
    const CnGpuLogEntry *log = cn_gpu_command_log(random->gpu, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(log[i].command, "begin_label") && depth++ == 0) {
            pass = pass_named(random, log[i].name);
            assert_non_null(pass);
            walk.pass = pass->name;
        } else if (!strcmp(log[i].command, "begin_label")) {
            for (uint32_t u = 0; u < pass->use_count; u++)
                use_resource(&walk, &pass->uses[u]);
        } else if (!strcmp(log[i].command, "end_label") && --depth == 0) {
            walk.pass = "after the last pass";
        } else if (!strcmp(log[i].command, "barrier")) {
            cross(&walk, &log[i].barrier);
        }
    }
    read_imports(&walk);
}

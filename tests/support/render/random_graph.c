#include "random_graph.h"

#include "cmocka_tests.h"

#include <stdio.h>
#include <string.h>

#define ALL_TEXTURE_USES                                                                           \
    (CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO | CN_GPU_USE_STORAGE | CN_GPU_USE_SAMPLED |         \
     CN_GPU_USE_ATTACHMENT)
#define ALL_BUFFER_USES                                                                            \
    (CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO | CN_GPU_USE_STORAGE | CN_GPU_USE_VERTEX |          \
     CN_GPU_USE_INDIRECT)

void random_graph_init(RandomGraph *random, CnGpu *gpu, CnGraph *graph, uint64_t seed)
{
    memset(random, 0, sizeof *random);
    random->random.state = seed;
    random->gpu = gpu;
    random->graph = graph;
    for (uint32_t i = 0; i < RANDOM_IMPORTS; i++) {
        if (i % 2)
            random->import_buffers[i] = cn_gpu_buffer_create(
                gpu, &(CnGpuBufferDesc){.name = "theirs", .size = 4096, .usage = ALL_BUFFER_USES},
                NULL);
        else
            random->import_textures[i] =
                cn_gpu_texture_create(gpu,
                                      &(CnGpuTextureDesc){.name = "theirs",
                                                          .format = CN_GPU_FORMAT_RGBA8,
                                                          .width = 64,
                                                          .height = 64,
                                                          .mips = 1 + i,
                                                          .usage = ALL_TEXTURE_USES},
                                      NULL);
    }
}

void random_graph_fini(RandomGraph *random)
{
    for (uint32_t i = 0; i < RANDOM_IMPORTS; i++) {
        if (i % 2)
            cn_gpu_buffer_destroy(random->gpu, random->import_buffers[i]);
        else
            cn_gpu_texture_destroy(random->gpu, random->import_textures[i]);
    }
}

/* ---- Resources ---- */

static RandomResource *add_resource(RandomGraph *random, CnGraphOrigin origin, bool is_texture)
{
    RandomResource *resource = &random->resources[random->resource_count++];
    *resource = (RandomResource){
        .is_texture = is_texture, .origin = origin, .size = 64, .mips = 1, .layers = 1};
    return resource;
}

static void fill_written(RandomResource *resource)
{
    resource->written[0] = (1u << resource->mips * resource->layers) - 1u;
}

static void declare_transient(RandomGraph *random)
{
    TestRandom *r = &random->random;
    char name[16];
    snprintf(name, sizeof name, "t%u", random->resource_count);
    RandomResource *resource = add_resource(random, CN_GRAPH_TRANSIENT, test_random_chance(r, 70));
    if (!resource->is_texture) {
        resource->ids[0] =
            cn_graph_create_buffer(
                random->graph,
                &(CnGpuBufferDesc){.name = name, .size = 256 + test_random_below(r, 65536)})
                .id;
        return;
    }
    resource->is_depth = test_random_chance(r, 25);
    resource->size = 64u << test_random_below(r, 3);
    resource->mips = test_random_chance(r, 30) ? 1 + test_random_below(r, 3) : 1;
    resource->layers = test_random_chance(r, 20) ? 1 + test_random_below(r, 3) : 1;
    resource->ids[0] =
        cn_graph_create_texture(
            random->graph, &(CnGpuTextureDesc){.name = name,
                                               .format = resource->is_depth ? CN_GPU_FORMAT_D32F
                                                                            : CN_GPU_FORMAT_RGBA8,
                                               .width = resource->size,
                                               .height = resource->size,
                                               .mips = resource->mips,
                                               .layers = resource->layers})
            .id;
}

static void declare_imports(RandomGraph *random)
{
    for (uint32_t i = 0; i < RANDOM_IMPORTS; i++) {
        CnGpuAccess before = random->import_access[i];
        RandomResource *resource = add_resource(random, CN_GRAPH_IMPORT, i % 2 == 0);
        resource->mips = i % 2 ? 1 : 1 + i;
        if (before != CN_GPU_ACCESS_NONE)
            fill_written(resource);
        if (resource->is_texture)
            resource->ids[0] =
                cn_graph_import_texture(random->graph, "import", random->import_textures[i], before,
                                        CN_GPU_ACCESS_SAMPLE)
                    .id;
        else
            resource->ids[0] =
                cn_graph_import_buffer(random->graph, "import", random->import_buffers[i], before,
                                       CN_GPU_ACCESS_READ)
                    .id;
    }
}

static void declare_kept(RandomGraph *random)
{
    CnGpuTextureDesc desc = {.name = "kept",
                             .format = CN_GPU_FORMAT_RGBA8,
                             .width = 64,
                             .height = 64,
                             .mips = 2,
                             .usage = ALL_TEXTURE_USES};
    RandomResource *kept = add_resource(random, CN_GRAPH_PERSISTENT, true);
    kept->mips = 2;
    fill_written(kept);
    kept->ids[0] = cn_graph_persistent_texture(random->graph, &desc, NULL).id;
    if (test_random_chance(&random->random, 30))
        return;
    desc.name = "history";
    desc.mips = 1;
    CnGraphHistory history = cn_graph_history_texture(random->graph, &desc);
    RandomResource *previous = add_resource(random, CN_GRAPH_PREVIOUS, true);
    fill_written(previous);
    previous->ids[0] = history.previous.id;
    add_resource(random, CN_GRAPH_CURRENT, true)->ids[0] = history.current.id;
}

/* ---- Passes ---- */

/* In rendering, so that the log tells where the work of a pass begins. */
static void run_pass(const CnGraphRun *run)
{
    RandomPass *pass = run->user;
    RandomGraph *random = pass->graph;
    pass->has_run = true;
    cn_gpu_begin_label(run->commands, "work");
    cn_gpu_end_label(run->commands);
    for (uint32_t i = 0; i < pass->use_count; i++) {
        RandomResource *resource = &random->resources[pass->uses[i].resource];
        uint32_t id = resource->ids[0];
        resource->physical = resource->is_texture
                                 ? cn_graph_get_texture(run->graph, (CnGraphTexture){id}).id
                                 : cn_graph_get_buffer(run->graph, (CnGraphBuffer){id}).id;
        assert_int_not_equal(resource->physical, 0);
    }
    if (random->work)
        random->work(run, pass, random->user);
}

static uint32_t bits_of(const RandomResource *resource, const RandomUse *use)
{
    uint32_t bits = 0;
    for (uint32_t l = use->layer; l < use->layer + use->layer_count; l++) {
        for (uint32_t m = use->mip; m < use->mip + use->mip_count; m++)
            bits |= 1u << (l * resource->mips + m);
    }
    return bits;
}

static bool is_used(const RandomPass *pass, uint32_t resource)
{
    for (uint32_t i = 0; i < pass->use_count; i++) {
        if (pass->uses[i].resource == resource)
            return true;
    }
    return false;
}

static CnGpuAccess read_access(RandomGraph *random, const RandomPass *pass,
                               const RandomResource *resource)
{
    TestRandom *r = &random->random;
    bool general = !resource->is_depth && test_random_chance(r, 40);
    switch (pass->kind) {
    case CN_GRAPH_GRAPHICS:
        if (resource->is_texture)
            return general ? CN_GPU_ACCESS_READ : CN_GPU_ACCESS_SAMPLE;
        return test_random_chance(r, 50)   ? CN_GPU_ACCESS_READ
               : test_random_chance(r, 50) ? CN_GPU_ACCESS_VERTEX
                                           : CN_GPU_ACCESS_INDIRECT;
    case CN_GRAPH_COMPUTE:
        if (resource->is_texture)
            return general ? CN_GPU_ACCESS_READ_COMPUTE : CN_GPU_ACCESS_SAMPLE_COMPUTE;
        return test_random_chance(r, 60) ? CN_GPU_ACCESS_READ_COMPUTE : CN_GPU_ACCESS_INDIRECT;
    default:
        return CN_GPU_ACCESS_COPY_FROM;
    }
}

/* All of it, or some of its mips and layers. */
static void choose_part(RandomGraph *random, const RandomResource *resource, RandomUse *use)
{
    TestRandom *r = &random->random;
    use->mip_count = resource->mips;
    use->layer_count = resource->layers;
    if (test_random_chance(r, 40))
        return;
    use->mip = test_random_below(r, resource->mips);
    use->mip_count = 1 + test_random_below(r, resource->mips - use->mip);
    use->layer = test_random_below(r, resource->layers);
    use->layer_count = 1 + test_random_below(r, resource->layers - use->layer);
}

static CnGraphSubresource part_of(const RandomUse *use)
{
    return (CnGraphSubresource){use->mip, use->mip_count, use->layer, use->layer_count,
                                use->discards};
}

static void add_read(RandomGraph *random, RandomPass *pass, CnGraphPass handle)
{
    uint32_t index = test_random_below(&random->random, random->resource_count);
    RandomResource *resource = &random->resources[index];
    if (is_used(pass, index) || pass->use_count + 2 > MAX_RANDOM_USES)
        return;
    RandomUse use = {.resource = index,
                     .version = resource->version,
                     .access = read_access(random, pass, resource)};
    /* Sometimes one that others have written over since. */
    if (use.version && test_random_chance(&random->random, 15))
        use.version--;
    choose_part(random, resource, &use);
    if (bits_of(resource, &use) & ~resource->written[use.version])
        return;
    CnGraphSubresource part = part_of(&use);
    if (resource->is_texture) {
        cn_graph_read_texture(random->graph, handle, (CnGraphTexture){resource->ids[use.version]},
                              use.access, &part);
    } else {
        cn_graph_read_buffer(random->graph, handle, (CnGraphBuffer){resource->ids[use.version]},
                             use.access);
    }
    pass->uses[pass->use_count++] = use;
    /* Buffers are read in several ways at once. */
    if (!resource->is_texture && use.access == CN_GPU_ACCESS_INDIRECT) {
        use.access =
            pass->kind == CN_GRAPH_GRAPHICS ? CN_GPU_ACCESS_READ : CN_GPU_ACCESS_READ_COMPUTE;
        cn_graph_read_buffer(random->graph, handle, (CnGraphBuffer){resource->ids[use.version]},
                             use.access);
        pass->uses[pass->use_count++] = use;
    }
}

static void written(RandomPass *pass, RandomResource *resource, RandomUse *use, uint32_t id)
{
    uint32_t bits = resource->written[resource->version] | bits_of(resource, use);
    use->version = ++resource->version;
    resource->ids[use->version] = id;
    resource->written[use->version] = bits;
    resource->writes[use->version - 1] = *use;
    pass->uses[pass->use_count++] = *use;
}

static bool can_write(const RandomGraph *random, const RandomPass *pass, uint32_t index)
{
    const RandomResource *resource = &random->resources[index];
    return !is_used(pass, index) && pass->use_count < MAX_RANDOM_USES &&
           resource->origin != CN_GRAPH_PREVIOUS && resource->version < MAX_RANDOM_WRITES;
}

static void add_write(RandomGraph *random, RandomPass *pass, CnGraphPass handle)
{
    uint32_t index = test_random_below(&random->random, random->resource_count);
    RandomResource *resource = &random->resources[index];
    if (!can_write(random, pass, index) || (resource->is_depth && pass->kind != CN_GRAPH_TRANSFER))
        return;
    static const CnGpuAccess accesses[] = {CN_GPU_ACCESS_WRITE, CN_GPU_ACCESS_WRITE_COMPUTE,
                                           CN_GPU_ACCESS_COPY_TO};
    RandomUse use = {.resource = index,
                     .access = accesses[pass->kind],
                     .writes = true,
                     .discards = test_random_chance(&random->random, 50)};
    choose_part(random, resource, &use);
    CnGraphSubresource part = part_of(&use);
    uint32_t id = resource->ids[resource->version];
    id =
        resource->is_texture
            ? cn_graph_write_texture(random->graph, handle, (CnGraphTexture){id}, use.access, &part)
                  .id
            : cn_graph_write_buffer(random->graph, handle, (CnGraphBuffer){id}, use.access, &part)
                  .id;
    written(pass, resource, &use, id);
}

/* A chain: one mip from the one above it. */
static void add_chain(RandomGraph *random, RandomPass *pass, CnGraphPass handle)
{
    uint32_t index = test_random_below(&random->random, random->resource_count);
    RandomResource *resource = &random->resources[index];
    if (pass->kind != CN_GRAPH_COMPUTE || resource->mips < 2 || resource->is_depth ||
        !can_write(random, pass, index) || pass->use_count + 2 > MAX_RANDOM_USES)
        return;
    RandomUse from = {.resource = index,
                      .version = resource->version,
                      .access = CN_GPU_ACCESS_SAMPLE_COMPUTE,
                      .mip_count = 1,
                      .layer_count = resource->layers};
    if (bits_of(resource, &from) & ~resource->written[from.version])
        return;
    RandomUse to = from;
    to.mip = 1;
    to.access = CN_GPU_ACCESS_WRITE_COMPUTE;
    to.writes = to.discards = true;
    CnGraphSubresource part = part_of(&from);
    CnGraphTexture texture = {resource->ids[resource->version]};
    cn_graph_read_texture(random->graph, handle, texture, from.access, &part);
    pass->uses[pass->use_count++] = from;
    part = part_of(&to);
    texture = cn_graph_write_texture(random->graph, handle, texture, to.access, &part);
    written(pass, resource, &to, texture.id);
}

static void attach(RandomGraph *random, RandomPass *pass, CnGraphPass handle, uint32_t index)
{
    TestRandom *r = &random->random;
    RandomResource *resource = &random->resources[index];
    CnGraphTexture texture = {resource->ids[resource->version]};
    RandomUse use = {.resource = index, .writes = true, .mip_count = 1, .layer_count = 1};
    use.layer = test_random_below(r, resource->layers);
    bool has_contents = !(bits_of(resource, &use) & ~resource->written[resource->version]);
    CnGraphAttachment attachment = {.layer = use.layer, .load = CN_GPU_CLEAR};
    if (has_contents && test_random_chance(r, 50))
        attachment.load = CN_GPU_LOAD;
    use.discards = attachment.load != CN_GPU_LOAD;
    use.access = resource->is_depth ? CN_GPU_ACCESS_DEPTH : CN_GPU_ACCESS_COLOR;
    if (!resource->is_depth) {
        texture = cn_graph_color_attachment(random->graph, handle, texture, &attachment);
    } else if (has_contents && test_random_chance(r, 50)) {
        attachment.read_only = true;
        use.access = CN_GPU_ACCESS_DEPTH_READ;
        use.writes = use.discards = false;
        use.version = resource->version;
        if (test_random_chance(r, 50)) {
            CnGraphSubresource part = part_of(&use);
            cn_graph_read_texture(random->graph, handle, texture, CN_GPU_ACCESS_SAMPLE, &part);
            pass->uses[pass->use_count++] = use;
            pass->uses[pass->use_count - 1].access = CN_GPU_ACCESS_SAMPLE;
        }
        cn_graph_depth_attachment(random->graph, handle, texture, &attachment);
        pass->uses[pass->use_count++] = use;
        return;
    } else {
        texture = cn_graph_depth_attachment(random->graph, handle, texture, &attachment);
    }
    written(pass, resource, &use, texture.id);
}

static void add_attachments(RandomGraph *random, RandomPass *pass, CnGraphPass handle)
{
    uint32_t size = 0, colors = 0, depths = 0;
    uint32_t start = test_random_below(&random->random, random->resource_count);
    for (uint32_t i = 0; i < random->resource_count && pass->use_count < 4; i++) {
        uint32_t index = (start + i) % random->resource_count;
        RandomResource *resource = &random->resources[index];
        if (!resource->is_texture || !can_write(random, pass, index) ||
            (size && (resource->size != size || test_random_chance(&random->random, 60))) ||
            (resource->is_depth ? depths : colors) >= (resource->is_depth ? 1u : 2u))
            continue;
        size = resource->size;
        *(resource->is_depth ? &depths : &colors) += 1;
        attach(random, pass, handle, index);
    }
}

static void declare_pass(RandomGraph *random)
{
    TestRandom *r = &random->random;
    RandomPass *pass = &random->passes[random->pass_count];
    *pass = (RandomPass){.graph = random, .kind = (CnGraphPassKind)test_random_below(r, 3)};
    snprintf(pass->name, sizeof pass->name, "p%u", random->pass_count++);
    CnGraphPass handle = cn_graph_add_pass(
        random->graph, &(CnGraphPassDesc){.name = pass->name,
                                          .kind = pass->kind,
                                          .run = run_pass,
                                          .user = pass,
                                          .side_effects = test_random_chance(r, 10)});
    if (pass->kind == CN_GRAPH_GRAPHICS)
        add_attachments(random, pass, handle);
    for (uint32_t i = test_random_below(r, 4); i > 0; i--)
        add_read(random, pass, handle);
    if (test_random_chance(r, 50))
        add_chain(random, pass, handle);
    for (uint32_t i = test_random_below(r, 3); i > 0; i--)
        add_write(random, pass, handle);
}

void random_graph_declare(RandomGraph *random)
{
    TestRandom *r = &random->random;
    random->resource_count = random->pass_count = 0;
    cn_graph_begin(random->graph);
    declare_imports(random);
    declare_kept(random);
    for (uint32_t i = 3 + test_random_below(r, 20); i > 0; i--)
        declare_transient(random);
    for (uint32_t i = 2 + test_random_below(r, MAX_RANDOM_PASSES - 2); i > 0; i--)
        declare_pass(random);
}

void random_graph_executed(RandomGraph *random)
{
    for (uint32_t i = 0; i < RANDOM_IMPORTS; i++)
        random->import_access[i] = i % 2 ? CN_GPU_ACCESS_READ : CN_GPU_ACCESS_SAMPLE;
}

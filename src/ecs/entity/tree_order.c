#include "ecs/world/world_internal.h"

#include <stdlib.h>

/* All trees in level order, cached until they change. */
struct CniEcsTreeOrder {
    CN_ARRAY(CnEntity) entities;
    CnU32Array parents, rows, levels, runs;
    uint32_t version, structure;
};

void cni_ecs_tree_fini(CnWorld *world)
{
    CniEcsTreeOrder *tree = world->tree;
    if (!tree)
        return;
    cn_array_fini(&tree->entities);
    cn_array_fini(&tree->parents);
    cn_array_fini(&tree->rows);
    cn_array_fini(&tree->levels);
    cn_array_fini(&tree->runs);
    cn_free(world->allocator, tree, sizeof *tree);
    world->tree = NULL;
}

static CniEcsTreeOrder *tree_create(CnWorld *world)
{
    CniEcsTreeOrder *tree = cn_alloc_zeroed(world->allocator, sizeof *tree);
    if (!tree)
        return NULL;
    cn_array_init(&tree->entities, world->allocator);
    cn_array_init(&tree->parents, world->allocator);
    cn_array_init(&tree->rows, world->allocator);
    cn_array_init(&tree->levels, world->allocator);
    cn_array_init(&tree->runs, world->allocator);
    tree->version = world->tree_version - 1;
    return tree;
}

static int compare_index(const void *a, const void *b)
{
    uint32_t x = cn_entity_index(*(const CnEntity *)a), y = cn_entity_index(*(const CnEntity *)b);
    return (x > y) - (x < y);
}

static const CnNode *chunk_nodes(const CniEcsChunk *chunk, uint32_t node)
{
    const CniEcsColumn *column = cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), node);
    return (const CnNode *)(const void *)cni_ecs_column_values(chunk, column);
}

static bool gather_roots(const CnWorld *world, CniEcsTreeOrder *tree)
{
    const CniEcsComponent *component = &world->components.items[world->node];
    for (uint32_t i = 0; i < component->archetypes.count; i++) {
        const CniEcsArchetypeHead *head = &component->archetypes.items[i].archetype->head;
        for (uint32_t c = 0; c < head->chunk_count; c++) {
            const CniEcsChunk *chunk = &world->chunks.items[head->chunk_ids[c]];
            const CnNode *nodes = chunk_nodes(chunk, world->node);
            for (uint32_t row = 0; row < chunk->count; row++)
                if (!nodes[row].parent.id &&
                    !cn_array_push(&tree->entities, cni_ecs_chunk_entities(chunk)[row]))
                    return false;
        }
    }
    if (tree->entities.count)
        qsort(tree->entities.items, tree->entities.count, sizeof(CnEntity), compare_index);
    for (uint32_t i = 0; i < tree->entities.count; i++)
        if (!cn_array_push(&tree->parents, UINT32_MAX))
            return false;
    return true;
}

static bool append_children(const CnWorld *world, CniEcsTreeOrder *tree, uint32_t position)
{
    for (CnEntity child = cn_first_child(world, tree->entities.items[position]); child.id;
         child = cn_next_sibling(world, child))
        if (!cn_array_push(&tree->entities, child) || !cn_array_push(&tree->parents, position))
            return false;
    return true;
}

static bool rebuild(const CnWorld *world, CniEcsTreeOrder *tree)
{
    cn_array_clear(&tree->entities);
    cn_array_clear(&tree->parents);
    cn_array_clear(&tree->levels);
    if (world->node && !gather_roots(world, tree))
        return false;
    uint32_t begin = 0;
    while (begin < tree->entities.count) {
        uint32_t end = tree->entities.count;
        if (!cn_array_push(&tree->levels, begin))
            return false;
        for (uint32_t i = begin; i < end; i++)
            if (!append_children(world, tree, i))
                return false;
        begin = end;
    }
    return cn_array_push(&tree->levels, begin) && cn_array_reserve(&tree->rows, begin) &&
           cn_array_reserve(&tree->runs, (uint64_t)begin + 1);
}

static bool follows(const CnWorld *world, uint32_t before, uint32_t here)
{
    CniEcsRowRef a = cni_ecs_row_ref(before), b = cni_ecs_row_ref(here);
    if (CN_LIKELY(a.chunk == b.chunk))
        return b.row == a.row + 1;
    const CniEcsChunk *first = &world->chunks.items[a.chunk],
                      *second = &world->chunks.items[b.chunk];
    return first->data == second->data && second->first + b.row == first->first + a.row + 1;
}

/* The arrays have room for one row and one run per entity. */
static void find_rows(const CnWorld *world, CniEcsTreeOrder *tree)
{
    uint32_t count = tree->entities.count, runs = 0, before = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t here =
            cni_ecs_slots_at(&world->slots, cn_entity_index(tree->entities.items[i]))->location;
        if (!i || !follows(world, before, here))
            tree->runs.items[runs++] = i;
        tree->rows.items[i] = before = here;
    }
    tree->rows.count = count;
    tree->runs.items[runs] = count;
    tree->runs.count = runs + 1;
}

bool cn_tree_order(CnWorld *world, CnTreeOrder *order)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(order, "%s: order is NULL", __func__);
    CN_ASSERT(cni_ecs_running_system_is_exclusive(),
              "a system that shares its wave requests the order of the tree, which "
              "may have to be computed");
    if (!world->tree && !(world->tree = tree_create(world)))
        return false;
    CniEcsTreeOrder *tree = world->tree;
    if (tree->version != world->tree_version) {
        if (!rebuild(world, tree))
            return false;
        tree->version = world->tree_version;
        tree->structure = world->head.structure - 1;
    }
    if (tree->structure != world->head.structure) {
        find_rows(world, tree);
        tree->structure = world->head.structure;
    }
    *order = (CnTreeOrder){
        .entities = tree->entities.items,
        .parents = tree->parents.items,
        .rows = tree->rows.items,
        .levels = tree->levels.items,
        .runs = tree->runs.items,
        .count = tree->entities.count,
        .level_count = tree->levels.count - 1,
        .run_count = tree->runs.count - 1,
        .version = (uint64_t)world->tree_version << 32 | world->head.structure,
    };
    return true;
}

void cn_tree_addresses(const CnWorld *world, const CnTreeOrder *order, CnComponent component,
                       void **addresses)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t last_chunk = UINT32_MAX, size = 0;
    uint8_t *base = NULL;
    for (uint32_t i = 0; i < order->count; i++) {
        CniEcsRowRef place = cni_ecs_row_ref(order->rows[i]);
        if (place.chunk != last_chunk) {
            const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
            const CniEcsColumn *column =
                cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), component.id);
            base = column && !column->field_count ? cni_ecs_column_values(chunk, column) : NULL;
            size = column ? column->size : 0;
            last_chunk = place.chunk;
        }
        addresses[i] = base ? base + (size_t)place.row * size : NULL;
    }
}

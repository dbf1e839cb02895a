/* Checks the tree of a snapshot: every link must have its counterpart, or traversals would not
 * end. */
#include "ecs/snapshot/snapshot_format.h"

enum Link { PARENT, FIRST_CHILD, LAST_CHILD, PREVIOUS, NEXT, LINKS };

static const char *const link_names[LINKS] = {"parent", "first_child", "last_child", "previous",
                                              "next"};

typedef struct SavedNode {
    CnEntity entity;
    CnEntity links[LINKS];
    uint32_t depth, child_count;
    uint32_t children; /* whose parent it is */
} SavedNode;

typedef struct Nodes {
    const CniEcsSavedWorld *saved;
    SavedNode *items;
    uint32_t count;
    uint32_t *by_slot; /* node + 1; 0: none */
    CnError *error;
} Nodes;

static bool bad_node(const Nodes *nodes, const SavedNode *node, const char *what)
{
    return cn_error_set(nodes->error, CN_ERROR_FORMAT, "snapshot, entity %u:%u: CnNode %s",
                        cn_entity_index(node->entity), cn_entity_generation(node->entity), what);
}

/* ---- Gathering ---- */

/* Returns the table entry of CnNode, or UINT32_MAX. */
static uint32_t find_node_component(const CniEcsSavedWorld *saved)
{
    for (uint32_t i = 0; i < saved->components.count; i++)
        if (cn_text_equal(saved->components.items[i].name, cn_text(cn_type_CnNode.name)))
            return i;
    return UINT32_MAX;
}

static const CniEcsSavedField *find_field(const CniEcsSavedWorld *saved,
                                          const CniEcsSavedComponent *component, const char *name)
{
    for (uint32_t f = 0; f < component->field_count; f++) {
        const CniEcsSavedField *field = &saved->fields.items[component->first_field + f];
        if (cn_text_equal(field->name, cn_text(name)))
            return field;
    }
    return NULL;
}

static bool check_fields(const CniEcsSavedWorld *saved, const CniEcsSavedComponent *component,
                         CnError *error)
{
    for (uint32_t f = 0; f < cn_type_CnNode.field_count; f++) {
        const CnField *wanted = &cn_type_CnNode.fields[f];
        const CniEcsSavedField *field = find_field(saved, component, wanted->name);
        if (!field || field->type != wanted->type || field->count != wanted->count)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "snapshot, byte %zu: CnNode.%s is missing or has another type",
                                component->at, wanted->name);
    }
    return true;
}

/* Returns the start of the CnNode columns in an archetype; NULL if it has none. */
static const uint8_t *node_columns(const CniEcsSavedWorld *saved,
                                   const CniEcsSavedArchetype *archetype, uint32_t node)
{
    const uint8_t *at = archetype->rows + (size_t)archetype->row_count * sizeof(CnEntity);
    for (uint32_t i = 0; i < archetype->component_count; i++) {
        uint32_t entry = cn_load_u32(archetype->components + i * sizeof entry);
        if (entry == node)
            return at;
        at += (size_t)archetype->row_count * cni_ecs_saved_component(saved, entry)->bytes;
    }
    return NULL;
}

static void read_rows(Nodes *nodes, const CniEcsSavedComponent *component,
                      const CniEcsSavedArchetype *archetype, const uint8_t *columns)
{
    const CniEcsSavedWorld *saved = nodes->saved;
    SavedNode *items = nodes->items + nodes->count;
    for (uint32_t row = 0; row < archetype->row_count; row++) {
        items[row].entity.id = cn_load_u64(archetype->rows + row * sizeof(CnEntity));
        uint32_t slot = cni_ecs_saved_slot(saved, cn_entity_index(items[row].entity));
        nodes->by_slot[slot] = nodes->count + row + 1;
    }
    for (uint32_t f = 0; f < component->field_count; f++) {
        const CniEcsSavedField *field = &saved->fields.items[component->first_field + f];
        for (int link = 0; link < LINKS; link++)
            if (cn_text_equal(field->name, cn_text(link_names[link])))
                for (uint32_t row = 0; row < archetype->row_count; row++)
                    items[row].links[link].id = cn_load_u64(columns + row * sizeof(CnEntity));
        bool is_depth = cn_text_equal(field->name, cn_text("depth"));
        if (is_depth || cn_text_equal(field->name, cn_text("child_count")))
            for (uint32_t row = 0; row < archetype->row_count; row++)
                *(is_depth ? &items[row].depth : &items[row].child_count) =
                    cn_load_u32(columns + row * sizeof(uint32_t));
        columns += (size_t)field->size * archetype->row_count;
    }
    nodes->count += archetype->row_count;
}

/* ---- Checking ---- */

static SavedNode *find_node(const Nodes *nodes, CnEntity entity)
{
    uint32_t slot =
        entity.id ? cni_ecs_saved_slot(nodes->saved, cn_entity_index(entity)) : UINT32_MAX;
    uint32_t found = slot != UINT32_MAX ? nodes->by_slot[slot] : 0;
    return found && nodes->items[found - 1].entity.id == entity.id ? &nodes->items[found - 1]
                                                                   : NULL;
}

static bool check_links(const Nodes *nodes, const SavedNode *node)
{
    const CnEntity *links = node->links;
    const SavedNode *at[LINKS];
    for (int link = 0; link < LINKS; link++) {
        at[link] = find_node(nodes, links[link]);
        if (links[link].id && !at[link])
            return bad_node(nodes, node, "points to an entity without one");
    }
    if (!at[PARENT] && (node->depth || at[PREVIOUS] || at[NEXT]))
        return bad_node(nodes, node, "has no parent, but a depth or siblings");
    if (at[PARENT] && node->depth != (uint64_t)at[PARENT]->depth + 1)
        return bad_node(nodes, node, "is not one level below its parent");
    uint64_t before = at[PREVIOUS] ? at[PREVIOUS]->links[NEXT].id
                      : at[PARENT] ? at[PARENT]->links[FIRST_CHILD].id
                                   : node->entity.id;
    uint64_t after = at[NEXT]     ? at[NEXT]->links[PREVIOUS].id
                     : at[PARENT] ? at[PARENT]->links[LAST_CHILD].id
                                  : node->entity.id;
    if (before != node->entity.id || after != node->entity.id)
        return bad_node(nodes, node, "is not linked back by its siblings or its parent");
    if (at[NEXT] && at[NEXT]->links[PARENT].id != links[PARENT].id)
        return bad_node(nodes, node, "has a sibling with another parent");
    if ((links[FIRST_CHILD].id == 0) != (links[LAST_CHILD].id == 0) ||
        node->child_count != node->children)
        return bad_node(nodes, node, "does not have the number of children that it states");
    return true;
}

/* Checks the length of the list of children, so that none of them is missing in a cycle of its
 * own. */
static bool check_children(const Nodes *nodes, const SavedNode *node)
{
    uint32_t count = 0;
    CnEntity last = {0};
    for (const SavedNode *child = find_node(nodes, node->links[FIRST_CHILD]);
         child && count <= node->child_count; child = find_node(nodes, child->links[NEXT])) {
        if (child->links[PARENT].id != node->entity.id)
            break;
        last = child->entity;
        count++;
    }
    if (count != node->child_count || last.id != node->links[LAST_CHILD].id)
        return bad_node(nodes, node, "has children that are not in its list");
    return true;
}

static bool check_nodes(const Nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->count; i++) {
        SavedNode *parent = find_node(nodes, nodes->items[i].links[PARENT]);
        if (parent)
            parent->children++;
    }
    for (uint32_t i = 0; i < nodes->count; i++)
        if (!check_links(nodes, &nodes->items[i]))
            return false;
    for (uint32_t i = 0; i < nodes->count; i++)
        if (!check_children(nodes, &nodes->items[i]))
            return false;
    return true;
}

bool cni_ecs_saved_check_tree(const CniEcsSavedWorld *saved, CnError *error)
{
    uint32_t node = find_node_component(saved);
    if (node == UINT32_MAX)
        return true;
    const CniEcsSavedComponent *component = &saved->components.items[node];
    if (!check_fields(saved, component, error))
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < saved->archetypes.count; i++)
        if (node_columns(saved, &saved->archetypes.items[i], node))
            count += saved->archetypes.items[i].row_count;
    if (!count)
        return true;
    Nodes nodes = {.saved = saved, .error = error};
    size_t slots_bytes = (size_t)saved->present_count * CNI_ECS_PAGE_SLOTS * sizeof *nodes.by_slot;
    nodes.by_slot = cn_alloc_zeroed(saved->allocator, slots_bytes);
    nodes.items = cn_alloc_zeroed(saved->allocator, count * sizeof *nodes.items);
    bool good = nodes.by_slot && nodes.items;
    if (good) {
        for (uint32_t i = 0; i < saved->archetypes.count; i++) {
            const CniEcsSavedArchetype *archetype = &saved->archetypes.items[i];
            const uint8_t *columns = node_columns(saved, archetype, node);
            if (columns)
                read_rows(&nodes, component, archetype, columns);
        }
        good = check_nodes(&nodes);
    } else {
        cn_error_memory(error, "reading the snapshot");
    }
    cn_free(saved->allocator, nodes.by_slot, slots_bytes);
    cn_free(saved->allocator, nodes.items, count * sizeof *nodes.items);
    return good;
}

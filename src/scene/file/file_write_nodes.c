#include "scene/file/file_writer.h"

bool cni_scene_writer_fail_memory(const CniSceneFileWriter *writer)
{
    return cn_error_memory(writer->error, "writing a scene file");
}

uint32_t cni_scene_writer_find(const CniSceneFileWriter *writer, CnEntity entity)
{
    const uint32_t *found = cn_hash_map_get(&writer->by_entity, entity.id);
    return found ? *found : CNI_SCENE_NO_NODE;
}

/* ---- Names ---- */

static uint32_t *taken(const CniSceneFileWriter *writer, uint32_t parent, const char *name)
{
    return cn_hash_map_get(&writer->names, cn_hash_keyed(name, strlen(name), parent));
}

/* Siblings with the same name are numbered: "Crate", "Crate 2", "Crate 3". Names whose hashes
 * collide count as equal, which only adds a number to one of them. */
static bool choose_name(CniSceneFileWriter *writer, uint32_t parent, const char *name, char *chosen)
{
    cn_copy_text(chosen, CN_OBJECT_NAME_BYTES, cn_text(name));
    uint32_t *count = taken(writer, parent, name);
    while (count && taken(writer, parent, chosen)) {
        char number[16], beginning[CN_OBJECT_NAME_BYTES];
        cn_format(number, sizeof number, " %u", ++*count);
        cn_copy_text(beginning, CN_OBJECT_NAME_BYTES - strlen(number), cn_text(name));
        cn_format(chosen, CN_OBJECT_NAME_BYTES, "%s%s", beginning, number);
    }
    return cn_hash_map_set(&writer->names, cn_hash_keyed(chosen, strlen(chosen), parent),
                           &(uint32_t){1}) ||
           cni_scene_writer_fail_memory(writer);
}

const char *cni_scene_writer_path(CniSceneFileWriter *writer, uint32_t node)
{
    uint32_t chain[CN_SCENE_FILE_MAX_DEPTH], count = 0;
    for (; node != CNI_SCENE_NO_NODE; node = writer->nodes.items[node].parent)
        chain[count++] = node;
    cn_array_clear(&writer->path);
    while (count-- > 0)
        if (!cni_scene_json_append(&writer->path, writer->nodes.items[chain[count]].name) ||
            (count && !cni_scene_json_append(&writer->path, "/")))
            return "";
    return writer->path.items;
}

/* ---- Objects ---- */

static bool add_node(CniSceneFileWriter *writer, CnEntity entity, uint32_t parent)
{
    CniSceneWrittenNode node = {.entity = entity, .parent = parent, .depth = 1};
    uint32_t index = writer->nodes.count;
    const char *name = cn_object_name(writer->world, entity);
    if (parent != CNI_SCENE_NO_NODE)
        node.depth = writer->nodes.items[parent].depth + 1;
    if (index == cn_budget_of(CN_ORIGIN_USER)->scene_objects)
        return cn_error_set(writer->error, CN_ERROR_LIMIT, "there are more than %u objects",
                            cn_budget_of(CN_ORIGIN_USER)->scene_objects);
    if (node.depth > CN_SCENE_FILE_MAX_DEPTH)
        return cn_error_set(writer->error, CN_ERROR_LIMIT,
                            "object %s is nested more than %u levels deep", name,
                            CN_SCENE_FILE_MAX_DEPTH);
    return choose_name(writer, parent, name, node.name) &&
           ((cn_array_push(&writer->nodes, node) &&
             cn_hash_map_set(&writer->by_entity, entity.id, &index)) ||
            cni_scene_writer_fail_memory(writer));
}

/* Children directly follow their parent. The depth is bounded, so recursion is safe. */
static bool add_subtree(CniSceneFileWriter *writer, CnEntity entity, uint32_t parent)
{
    uint32_t index = writer->nodes.count;
    if (!add_node(writer, entity, parent))
        return false;
    CnEntity child = cn_first_child(writer->world, entity);
    for (; !cn_entity_is_null(child); child = cn_next_sibling(writer->world, child))
        if (cn_has(writer->world, child, CnObject) && !add_subtree(writer, child, index))
            return false;
    writer->nodes.items[index].end = writer->nodes.count;
    return true;
}

bool cni_scene_writer_add(CniSceneFileWriter *writer, CnEntity object)
{
    return add_subtree(writer, object, CNI_SCENE_NO_NODE);
}

/* Objects by path: "Car/Wheel". */
#include "scene/object/object_internal.h"

/* Removes the first name from a path; returns false at the end of the path or if it is invalid. */
static bool take_name(CnText *path, CnText *name)
{
    return cn_text_split(path, '/', name) && name->size && name->size < CN_OBJECT_NAME_BYTES;
}

/* Walks along the siblings and along the objects with this name at the same time, so that the
 * shorter list decides what a lookup costs. Siblings may share a name: the first one counts. */
static CnEntity child_by_name(const CnWorld *world, CnEntity parent, CnText name, uint32_t *steps)
{
    const CniSceneObjects *objects = cni_scene_objects_get(world);
    CniSceneNameWalk named = cni_scene_name_walk_begin(objects, name);
    CnEntity found = CN_NO_PARENT;
    bool walks = named.is_usable;
    for (CnEntity child = cn_first_child(world, parent); child.id;
         child = cn_next_sibling(world, child), ++*steps) {
        const CnObject *object = cni_scene_object_get(world, child);
        if (object && cni_scene_has_name(object, name))
            return child;
        if (!walks)
            continue;
        CnEntity other = cni_scene_name_walk_next(objects, &named);
        if (!other.id)
            return found;
        if (cn_parent(world, other).id != parent.id)
            continue;
        walks = !found.id; /* of several, the first sibling is wanted */
        found = other;
    }
    return CN_NO_PARENT;
}

static CnEntity follow(const CnWorld *world, CnEntity from, CnText path, uint32_t *steps)
{
    CnText name;
    bool ends_in_slash = path.size && path.data[path.size - 1] == '/';
    while (from.id && path.size)
        from = take_name(&path, &name) ? child_by_name(world, from, name, steps) : CN_NO_PARENT;
    return ends_in_slash ? CN_NO_PARENT : from;
}

CnEntity cn_object_search(const CnWorld *world, CnEntity object, const char *path, uint32_t *steps)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(path && steps, "%s: an argument is NULL", __func__);
    *steps = 0;
    if (object.id)
        return *path ? follow(world, object, cn_text(path), steps) : CN_NO_PARENT;
    const CniSceneObjects *objects = cni_scene_objects_get(world);
    CnText rest = cn_text(path), name;
    if (!objects || !take_name(&rest, &name) || (path[name.size] == '/' && !rest.size))
        return CN_NO_PARENT;
    return follow(world, cni_scene_name_index_find_root(objects, name, steps), rest, steps);
}

CnEntity cn_object_child(const CnWorld *world, CnEntity object, const char *path)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t steps;
    return path && object.id ? cn_object_search(world, object, path, &steps) : CN_NO_PARENT;
}

CnEntity cn_object_find(const CnWorld *world, const char *path)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    uint32_t steps;
    return cn_object_search(world, CN_NO_PARENT, path, &steps);
}

bool cn_object_path(const CnWorld *world, CnEntity object, char *path, size_t path_bytes)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    size_t size = 0;
    if (path_bytes)
        path[0] = '\0';
    for (CnEntity e = object; cni_scene_object_get(world, e); e = cn_parent(world, e))
        size += strlen(cn_object_name(world, e)) + 1; /* a '/' or the terminator */
    if (!size || size > path_bytes)
        return false;
    char *end = path + size;
    for (CnEntity e = object; cni_scene_object_get(world, e); e = cn_parent(world, e)) {
        const char *name = cn_object_name(world, e);
        size_t length = strlen(name);
        *--end = e.id == object.id ? '\0' : '/';
        end -= length;
        memcpy(end, name, length);
    }
    return true;
}

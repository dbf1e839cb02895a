/* Objects: registration, creation, names, paths, parents. */
#include "scene/object/object_internal.h"
#include "scene/reflection/reflection_internal.h"

#include <cairn/scene/file.h>

/* ---- Registration ---- */

CniSceneObjects *cni_scene_objects_mut(CnWorld *world)
{
    const CnObjects *objects = cn_resource_mut(world, CnObjects);
    return objects ? objects->inside : NULL;
}

const CniSceneObjects *cni_scene_objects_get(const CnWorld *world)
{
    const CnObjects *objects = cn_resource(world, CnObjects);
    return objects ? objects->inside : NULL;
}

static void refresh(CnSystemContext *context)
{
    cn_object_refresh_active(context->world);
}

/* Freed with the systems, when they are removed or the world ends. */
static void dispose(void *user)
{
    CniSceneObjects *objects = user;
    CnAllocator *allocator = objects->by_uid.allocator;
    cn_resource_remove(objects->world, CnObjects);
    cni_scene_prefabs_destroy(objects->prefabs);
    cn_query_release(objects->all);
    cn_query_release(objects->active);
    cn_query_release(objects->inactive);
    for (uint32_t i = 0; i < objects->active_with.count; i++)
        cn_query_release(*(CnQuery **)cn_hash_map_get(&objects->active_with,
                                                      cn_hash_map_key(&objects->active_with, i)));
    cn_hash_map_fini(&objects->active_with);
    cn_hash_map_fini(&objects->by_uid);
    cn_hash_map_fini(&objects->by_name);
    cn_array_fini(&objects->name_links);
    cn_array_fini(&objects->wrong);
    cn_arena_fini(&objects->scratch);
    cn_bitset_fini(&objects->behaviors);
    cn_free(allocator, objects, sizeof *objects);
}

static CniSceneObjects *make_inside(CnWorld *world, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    CniSceneObjects *objects = cn_alloc_zeroed(allocator, sizeof *objects);
    if (!objects)
        return NULL;
    objects->world = world;
    cn_hash_map_init(&objects->active_with, allocator, sizeof(CnQuery *));
    cn_hash_map_init_keyed(&objects->by_uid, allocator, sizeof(CnEntity));
    cn_hash_map_init_keyed(&objects->by_name, allocator, sizeof(uint32_t));
    cn_array_init(&objects->name_links, allocator);
    cn_array_init(&objects->wrong, allocator);
    cn_arena_init(&objects->scratch, allocator, 0);
    cn_bitset_init(&objects->behaviors, allocator);
    CnQueryDesc desc = {.all = {cn_reads(CnObject)}, .optional = {cn_reads(CnNode)}};
    objects->all = cn_query_acquire(world, &desc, error);
    desc.none[0] = cn_term_tag(CnInactive);
    objects->active = cn_query_acquire(world, &desc, error);
    desc.none[0] = (CnTerm){0};
    desc.all[1] = cn_term_tag(CnInactive);
    objects->inactive = cn_query_acquire(world, &desc, error);
    if (objects->all && objects->active && objects->inactive &&
        cn_resource_set(world, CnObjects, {objects}))
        return objects; /* is_complete is false: the first lookup indexes existing objects */
    dispose(objects);
    return NULL;
}

static bool register_components(CnWorld *world)
{
    CnObject object = {.name = "Object", .enabled = true};
    return cn_register(world, CnObject, .default_value = &object).id &&
           cn_id(world, CnInactive).id && cn_id(world, CnNode).id &&
           cn_id(world, CnObjectCounter).id && cn_id(world, CnPrefabSource).id &&
           cn_register(world, CnObjects, .flags = CN_COMPONENT_TRANSIENT).id;
}

static bool add_systems(CnWorld *world, CniSceneObjects *objects, CnError *error)
{
    CnSystemDesc desc = {.name = "RefreshActive.early",
                         .run = refresh,
                         .stage = CN_STAGE_PRE_UPDATE,
                         .alone = true,
                         .user = objects,
                         .dispose = dispose};
    CnSystem early = cn_system_add(world, &desc, error);
    if (!early.id) {
        dispose(objects);
        return false;
    }
    desc.name = "RefreshActive";
    desc.after[0] = "PropagateTransforms";
    desc.stage = CN_STAGE_POST_UPDATE;
    desc.dispose = NULL;
    if (cn_system_add(world, &desc, error).id)
        return true;
    cn_system_remove(world, early);
    return false;
}

static bool add_parts(CnWorld *world, CnError *error)
{
    if (!cn_transform_add(world, error) || !cni_scene_reflect_transform(world, error))
        return false;
    if (!register_components(world))
        return cn_error_memory(error, "objects");
    if (cni_scene_objects_get(world))
        return true;
    if (!cn_resource(world, CnObjectCounter) && !cn_resource_set(world, CnObjectCounter, {0}))
        return cn_error_memory(error, "objects");
    CniSceneObjects *objects = make_inside(world, error);
    if (!objects)
        return cn_error_memory(error, "objects");
    if (!add_systems(world, objects, error))
        return false;
    CnHook arrived = {cni_scene_object_on_add, objects};
    CnHooks hooks = {arrived, arrived, {cni_scene_object_on_remove, objects}};
    cn_component_set_hooks(world, cn_id(world, CnObject), &hooks);
    return true;
}

bool cn_object_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    /* Others may rely on the systems after the plugin that first added them was removed. */
    uint32_t owner = cn_world_set_owner(world, 0);
    bool done = add_parts(world, error);
    cn_world_set_owner(world, owner);
    return done;
}

/* ---- Names ---- */

bool cn_object_name_valid(CnText name)
{
    return name.size && name.size < CN_OBJECT_NAME_BYTES && !memchr(name.data, '/', name.size) &&
           !memchr(name.data, '\0', name.size) && cn_text_is_utf8(name);
}

void cni_scene_object_sanitize_name(char name[CN_OBJECT_NAME_BYTES], CnText text)
{
    memset(name, 0, CN_OBJECT_NAME_BYTES);
    cn_copy_text(name, CN_OBJECT_NAME_BYTES, text.size ? text : cn_text("Object"));
    bool is_utf8 = cn_text_is_utf8(cn_text(name));
    for (char *c = name; *c; c++)
        if (*c == '/' || (!is_utf8 && (unsigned char)*c >= 0x80))
            *c = '_';
    if (!name[0])
        cn_copy_text(name, CN_OBJECT_NAME_BYTES, cn_text("Object"));
}

static bool check_name(CnText name, CnError *error)
{
    return cn_object_name_valid(name) ||
           cn_error_set(error, CN_ERROR_FORMAT,
                        "\"%.*s\" is not a valid object name: 1 to %u bytes of UTF-8 without '/'",
                        (int)(name.size < 80 ? name.size : 80), name.data,
                        CN_OBJECT_NAME_BYTES - 1);
}

bool cn_object_rename(CnWorld *world, CnEntity object, const char *name, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(name, "cn_object_rename: the name is NULL");
    if (!name)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "an object needs a name");
    if (!cni_scene_object_get(world, object))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the entity to be named %s is not an object",
                            name);
    if (!check_name(cn_text(name), error))
        return false;
    CnObject *found = cn_get_mut(world, object, CnObject);
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    memset(found->name, 0, sizeof found->name);
    cn_copy_text(found->name, sizeof found->name, cn_text(name));
    if (objects && !cni_scene_name_index_add(objects, object, found->name))
        objects->is_complete = false;
    return true;
}

const char *cn_object_name(const CnWorld *world, CnEntity object)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnObject *found = cni_scene_object_get(world, object);
    return found ? found->name : "";
}

uint64_t cn_object_uid(const CnWorld *world, CnEntity object)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnObject *found = cni_scene_object_get(world, object);
    return found ? found->uid : 0;
}

/* ---- Creation ---- */

#define OWN_VALUES 3u /* CnObject, CnTransform, CnInactive */

static bool check_desc(CnWorld *world, const CnObjectDesc *desc, CnText name, CnError *error)
{
    if (!cni_scene_objects_mut(world))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "object %.*s: the world has no objects; call cn_object_add first",
                            (int)name.size, name.data);
    if (!check_name(name, error))
        return false;
    if (desc->uid > CN_OBJECT_UID_MAX)
        return cn_error_set(error, CN_ERROR_FORMAT, "object %s: uid %llu is greater than 2^53 - 1",
                            name.data, (unsigned long long)desc->uid);
    CnEntity holder = cn_object_by_uid(world, desc->uid);
    if (holder.id)
        return cn_error_set(error, CN_ERROR_EXISTS, "object %s: uid %llu belongs to %s", name.data,
                            (unsigned long long)desc->uid, cn_object_name(world, holder));
    return true;
}

static uint32_t own_values(const CnObjectDesc *desc, const CnObject *object, bool inactive,
                           CnValue *values)
{
    uint32_t n = 0;
    values[n++] = (CnValue){.type = &cn_type_CnObject, .data = object};
    values[n++] = (CnValue){.type = &cn_type_CnTransform, .data = desc->transform};
    if (inactive)
        values[n++] = cn_with_tag(CnInactive);
    return n;
}

/* Spawns below a parent: completely or not at all. */
static CnEntity spawn_below(CnWorld *world, CnEntity parent, const CnValue *values, uint32_t count)
{
    CnEntity entity;
    CnTreeSpawn one = {values, count, UINT32_MAX};
    if (!parent.id)
        return cn_spawn_values(world, values, count);
    CnTreeSpawnDesc desc = {.spawns = &one, .count = 1, .root_parent = parent};
    return cn_spawn_tree(world, &desc, &entity) ? entity : CN_NO_PARENT;
}

/* Spawns with all values, or adds those beyond the limit in further changes. */
static CnEntity spawn(CnWorld *world, const CnObjectDesc *desc, const CnObject *object)
{
    CnValue values[CN_MAX_VALUES];
    bool inactive = desc->disabled || cn_has(world, desc->parent, CnInactive);
    uint32_t own = own_values(desc, object, inactive, values);
    uint32_t count = desc->value_count, with = CN_MAX_VALUES - own;
    with = count < with ? count : with;
    if (with)
        memcpy(values + own, desc->values, with * sizeof *values);
    CnEntity entity = spawn_below(world, desc->parent, values, own + with);
    for (uint32_t done = with, n; entity.id && done < count; done += n) {
        n = count - done < CN_MAX_VALUES ? count - done : CN_MAX_VALUES;
        if (!cn_change(world, entity, &(CnChange){.set = desc->values + done, .set_count = n})) {
            cn_destroy(world, entity);
            return CN_NO_PARENT;
        }
    }
    return entity;
}

CnEntity cn_object_create(CnWorld *world, const CnObjectDesc *desc, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    static const CnObjectDesc defaults;
    CN_REPORT_UNHANDLED(error, "scene", cn_world_unhandled_errors(world));
    if (!desc)
        desc = &defaults;
    CnText name = cn_text(desc->name ? desc->name : "Object");
    if (!check_desc(world, desc, name, error))
        return CN_NO_PARENT;
    CnObject object = {.uid = desc->uid, .enabled = !desc->disabled};
    cn_copy_text(object.name, sizeof object.name, name);
    object.creation_order = cni_scene_object_take_order(world);
    if (!object.uid)
        object.uid = cni_scene_object_new_uid(world, object.name, object.creation_order);
    CnEntity entity = object.creation_order ? spawn(world, desc, &object) : CN_NO_PARENT;
    if (!entity.id) {
        bool orphan = desc->parent.id && !cn_is_alive(world, desc->parent);
        cni_scene_object_return_order(world, object.creation_order);
        cn_error_set(error, orphan ? CN_ERROR_NOT_FOUND : CN_ERROR_MEMORY, "object %s: %s",
                     name.data, orphan ? "its parent does not exist" : "out of memory");
    }
    return entity;
}

CnEntity cn_defer_object(CnCommands *commands, const CnObjectDesc *desc)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    const CnWorld *world = cn_commands_world(commands);
    CnObject object = {.enabled = !desc->disabled};
    cni_scene_object_sanitize_name(object.name, cn_text(desc->name));
    bool inactive = desc->disabled || cn_has(world, desc->parent, CnInactive);
    CnValue values[CN_MAX_VALUES];
    uint32_t own = own_values(desc, &object, inactive, values);
    CN_ASSERT(own + desc->value_count <= CN_MAX_VALUES, "there are %u values; the limit is %u",
              desc->value_count, CN_MAX_VALUES - OWN_VALUES);
    if (own + desc->value_count > CN_MAX_VALUES)
        return CN_NO_PARENT;
    if (desc->value_count)
        memcpy(values + own, desc->values, desc->value_count * sizeof *values);
    CnEntity entity = cn_defer_spawn_values(commands, values, own + desc->value_count);
    if (entity.id && desc->parent.id && !cn_defer_set_parent(commands, entity, desc->parent)) {
        cn_defer_destroy(commands, entity);
        return CN_NO_PARENT;
    }
    return entity;
}

/* ---- Parents ---- */

static bool is_below(const CnWorld *world, CnEntity entity, CnEntity above)
{
    while (entity.id && entity.id != above.id)
        entity = cn_parent(world, entity);
    return entity.id != 0;
}

bool cn_object_set_parent(CnWorld *world, CnEntity object, CnEntity parent, CnReparentMode keep,
                          CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT((uint32_t)keep <= CN_REPARENT_KEEP_WORLD, "there is no CnReparentMode %d", (int)keep);
    const char *name = cn_object_name(world, object);
    if (!cni_scene_object_get(world, object) || (parent.id && !cn_is_alive(world, parent)))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "object %s: %s", name,
                            *name ? "its new parent does not exist"
                                  : "it does not exist, or is not an object");
    if (parent.id && is_below(world, parent, object))
        return cn_error_set(error, CN_ERROR_CYCLE, "object %s cannot be below itself", name);
    CnVec3 position = cn_transform_world_position(world, object),
           scale = cn_transform_world_scale(world, object);
    CnQuat rotation = cn_transform_world_rotation(world, object);
    if (!cn_set_parent(world, object, parent))
        return cn_error_memory(error, "object %s", name);
    if (keep == CN_REPARENT_KEEP_WORLD)
        cn_transform_set_world_pose(world, object, position, rotation, scale);
    return cni_scene_object_update_active(world, object) ||
           cn_error_memory(error, "object %s", name);
}

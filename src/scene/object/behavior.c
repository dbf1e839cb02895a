/* Behaviors: hooks and systems around the functions of a component. */
#include "scene/object/object_internal.h"

#include <cairn/scene/behavior.h>
#include <cairn/scene/presentation.h>

typedef struct Behavior {
    CnBehavior code;
    CnWorld *world;
    CnComponent component;
    uint32_t size;   /* of the component; 0: a tag */
    CnQuery *all;    /* entities that have the component */
    CnQuery *active; /* the same without CnInactive */
    CnHooks hooks;
    bool is_taken_out; /* the plugin was removed before the world ended */
} Behavior;

/* ---- Attaching and detaching ---- */

static void attached(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    const Behavior *behavior = user;
    CnBehaviorCall call = {.world = world, .object = entity, .user = behavior->code.user};
    behavior->code.on_attach(&call, cn_get_component_mut(world, entity, component));
}

static void detached(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    const Behavior *behavior = user;
    CnBehaviorCall call = {.world = world, .object = entity, .user = behavior->code.user};
    behavior->code.on_detach(&call, cn_get_component_mut(world, entity, component));
}

/* ---- Running ---- */

static uint8_t *rows_of(const Behavior *behavior, const CnChunkView *view, CnAccess access)
{
    if (!behavior->size)
        return NULL;
    return access == CN_ACCESS_WRITE
               ? cn_column_by_id_mut(view, behavior->component, NULL)
               : (uint8_t *)(uintptr_t)cn_column_by_id(view, behavior->component, NULL);
}

/* Calls `update` with rows that may be written, or `update_render` with rows that may be read. */
static void call_active(CnSystemContext *context, CnAccess access)
{
    const Behavior *behavior = context->user;
    CnBehaviorCall call = {.world = context->world,
                           .commands = context->commands,
                           .dt = context->dt,
                           .user = behavior->code.user};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(behavior->active); cn_query_next(&it, &view);) {
        uint8_t *rows = rows_of(behavior, &view, access);
        for (uint32_t i = 0; i < view.count; i++) {
            uint8_t *row = rows ? rows + (size_t)i * behavior->size : NULL;
            call.object = view.entities[i];
            if (access == CN_ACCESS_WRITE)
                behavior->code.update(&call, row);
            else
                behavior->code.update_render(&call, row);
        }
    }
}

static void update(CnSystemContext *context)
{
    call_active(context, CN_ACCESS_WRITE);
}

static void update_render(CnSystemContext *context)
{
    call_active(context, CN_ACCESS_READ);
}

/* ---- The end ---- */

static void detach_all(Behavior *behavior)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(behavior->all); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            detached(behavior->world, view.entities[i], behavior->component, behavior);
}

/* The new code of the plugin may use the same components, so on_detach is not called. */
static void taken_out(CnWorld *world, void *user)
{
    Behavior *behavior = user;
    (void)world;
    behavior->is_taken_out = true;
}

/* Called with the first system. When the world ends, the entities still exist. */
static void dispose(void *user)
{
    Behavior *behavior = user;
    cn_bitset_clear(&cni_scene_objects_mut(behavior->world)->behaviors, behavior->component.id);
    cn_component_remove_hooks(behavior->world, behavior->component, &behavior->hooks);
    if (!behavior->is_taken_out && behavior->code.on_detach)
        detach_all(behavior);
    cn_query_release(behavior->all);
    cn_query_release(behavior->active);
    cn_free(cn_world_allocator(behavior->world), behavior, sizeof *behavior);
}

/* ---- Adding ---- */

static bool find_queries(Behavior *behavior, CnError *error)
{
    CnQueryDesc desc = {.all = {cn_writes_id(behavior->component)}};
    behavior->all = cn_query_acquire(behavior->world, &desc, error);
    desc.none[0] = cn_term_tag(CnInactive);
    behavior->active = cn_query_acquire(behavior->world, &desc, error);
    return behavior->all && behavior->active;
}

static bool prepare(Behavior *behavior, CnError *error)
{
    const CnType *type = behavior->code.type;
    CnBitSet *behaviors = &cni_scene_objects_mut(behavior->world)->behaviors;
    CnComponentInfo info;
    behavior->component =
        cn_component_register(behavior->world, &(CnComponentDesc){.type = type}, error);
    if (!behavior->component.id)
        return false;
    cn_component_info(behavior->world, behavior->component, &info);
    if (info.layout != CN_LAYOUT_PACKED)
        return cn_error_set(error, CN_ERROR_MISMATCH, "behavior %s must be a packed component",
                            type->name);
    if (cn_bitset_has(behaviors, behavior->component.id))
        return cn_error_set(error, CN_ERROR_EXISTS, "%s already is a behavior", type->name);
    behavior->size = info.size;
    if (behavior->code.on_attach)
        behavior->hooks.on_add = (CnHook){attached, behavior};
    if (behavior->code.on_detach)
        behavior->hooks.on_remove = (CnHook){detached, behavior};
    return (find_queries(behavior, error) && cn_bitset_set(behaviors, behavior->component.id)) ||
           cn_error_memory(error, "behavior %s", type->name);
}

static CnSystem add_system(Behavior *behavior, const char *suffix, CnSystemDesc desc,
                           CnError *error)
{
    char name[CN_MAX_NAME_BYTES];
    if (!cn_format(name, sizeof name, "%s.%s", behavior->code.type->name, suffix)) {
        cn_error_set(error, CN_ERROR_LIMIT, "behavior %s: the name is too long",
                     behavior->code.type->name);
        return (CnSystem){0};
    }
    desc.name = name;
    desc.user = behavior;
    return cn_system_add(behavior->world, &desc, error);
}

/* Orders a system after the scene's own work in Update, then after `names`. */
static void declare_order(CnSystemDesc *desc, const CnWorld *world, const char *const *names)
{
    uint32_t count = 0;
    desc->after[0] = cn_scene_update_set(world);
    count += desc->after[0] != NULL;
    for (uint32_t i = 0; i < CN_MAX_ORDER - 1 && names[i]; i++)
        desc->after[count++] = names[i];
}

/* The first system is always added: disposing of it ends the behavior. */
static bool add_systems(Behavior *behavior, CnError *error)
{
    CnSystemDesc updating = {.run = update,
                             .stage = CN_STAGE_UPDATE,
                             .disabled = !behavior->code.update,
                             .on_removed = taken_out,
                             .dispose = dispose};
    CnSystemDesc rendering = {.run = update_render, .stage = CN_STAGE_FRAME};
    declare_order(&updating, behavior->world, behavior->code.after);
    CnSystem first = add_system(behavior, "update", updating, error), second = {0};
    bool has_second = behavior->code.update_render != NULL;
    if (first.id && has_second)
        second = add_system(behavior, "update_render", rendering, error);
    if (first.id && (second.id || !has_second)) {
        if (cn_component_add_hooks(behavior->world, behavior->component, &behavior->hooks))
            return true;
        cn_error_memory(error, "behavior %s", behavior->code.type->name);
        if (second.id)
            cn_system_remove(behavior->world, second);
    }
    behavior->is_taken_out = true;
    if (first.id)
        cn_system_remove(behavior->world, first);
    else
        dispose(behavior);
    return false;
}

bool cn_behavior_add(CnWorld *world, const CnBehavior *code, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(code, "%s: code is NULL", __func__);
    if (!cn_object_add(world, error))
        return false;
    Behavior *behavior = cn_alloc_zeroed(cn_world_allocator(world), sizeof *behavior);
    if (!behavior)
        return cn_error_memory(error, "behavior %s", code->type->name);
    behavior->code = *code;
    behavior->world = world;
    if (prepare(behavior, error))
        return add_systems(behavior, error);
    cn_query_release(behavior->all);
    cn_query_release(behavior->active);
    cn_free(cn_world_allocator(world), behavior, sizeof *behavior);
    return false;
}

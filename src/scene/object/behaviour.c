/* Behaviours: hooks and systems around the functions of a component. */
#include "scene/object/object_internal.h"

#include <cairn/scene/behaviour.h>
#include <cairn/scene/presentation.h>

typedef struct Behaviour {
    CnBehaviour code;
    CnWorld *world;
    CnComponent component;
    uint32_t size;   /* of the component; 0: a tag */
    CnQuery *all;    /* entities that have the component */
    CnQuery *active; /* the same without CnInactive */
    CnHooks hooks;
    bool is_taken_out; /* the plugin was removed before the world ended */
} Behaviour;

/* ---- Attaching and detaching ---- */

static void attached(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    const Behaviour *behaviour = user;
    CnBehaviourCall call = {.world = world, .object = entity, .user = behaviour->code.user};
    behaviour->code.on_attach(&call, cn_get_component_mut(world, entity, component));
}

static void detached(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    const Behaviour *behaviour = user;
    CnBehaviourCall call = {.world = world, .object = entity, .user = behaviour->code.user};
    behaviour->code.on_detach(&call, cn_get_component_mut(world, entity, component));
}

/* ---- Running ---- */

static uint8_t *rows_of(const Behaviour *behaviour, const CnChunkView *view, CnAccess access)
{
    if (!behaviour->size)
        return NULL;
    return access == CN_ACCESS_WRITE
               ? cn_column_by_id_mut(view, behaviour->component, NULL)
               : (uint8_t *)(uintptr_t)cn_column_by_id(view, behaviour->component, NULL);
}

/* Calls `update` with rows that may be written, or `update_render` with rows that may be read. */
static void call_active(CnSystemContext *context, CnAccess access)
{
    const Behaviour *behaviour = context->user;
    CnBehaviourCall call = {.world = context->world,
                            .commands = context->commands,
                            .dt = context->dt,
                            .user = behaviour->code.user};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(behaviour->active); cn_query_next(&it, &view);) {
        uint8_t *rows = rows_of(behaviour, &view, access);
        for (uint32_t i = 0; i < view.count; i++) {
            uint8_t *row = rows ? rows + (size_t)i * behaviour->size : NULL;
            call.object = view.entities[i];
            if (access == CN_ACCESS_WRITE)
                behaviour->code.update(&call, row);
            else
                behaviour->code.update_render(&call, row);
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

static void detach_all(Behaviour *behaviour)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(behaviour->all); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            detached(behaviour->world, view.entities[i], behaviour->component, behaviour);
}

/* The new code of the plugin may use the same components, so on_detach is not called. */
static void taken_out(CnWorld *world, void *user)
{
    Behaviour *behaviour = user;
    (void)world;
    behaviour->is_taken_out = true;
}

/* Called with the first system. When the world ends, the entities still exist. */
static void dispose(void *user)
{
    Behaviour *behaviour = user;
    cn_bitset_clear(&cni_scene_objects_mut(behaviour->world)->behaviours, behaviour->component.id);
    cn_component_remove_hooks(behaviour->world, behaviour->component, &behaviour->hooks);
    if (!behaviour->is_taken_out && behaviour->code.on_detach)
        detach_all(behaviour);
    cn_query_release(behaviour->all);
    cn_query_release(behaviour->active);
    cn_free(cn_world_allocator(behaviour->world), behaviour, sizeof *behaviour);
}

/* ---- Adding ---- */

static bool find_queries(Behaviour *behaviour, CnError *error)
{
    CnQueryDesc desc = {.all = {cn_writes_id(behaviour->component)}};
    behaviour->all = cn_query_acquire(behaviour->world, &desc, error);
    desc.none[0] = cn_term_tag(CnInactive);
    behaviour->active = cn_query_acquire(behaviour->world, &desc, error);
    return behaviour->all && behaviour->active;
}

static bool prepare(Behaviour *behaviour, CnError *error)
{
    const CnType *type = behaviour->code.type;
    CnBitSet *behaviours = &cni_scene_objects_mut(behaviour->world)->behaviours;
    CnComponentInfo info;
    behaviour->component =
        cn_component_register(behaviour->world, &(CnComponentDesc){.type = type}, error);
    if (!behaviour->component.id)
        return false;
    cn_component_info(behaviour->world, behaviour->component, &info);
    if (info.layout != CN_LAYOUT_PACKED)
        return cn_error_set(error, CN_ERROR_MISMATCH, "behaviour %s must be a packed component",
                            type->name);
    if (cn_bitset_has(behaviours, behaviour->component.id))
        return cn_error_set(error, CN_ERROR_EXISTS, "%s already is a behaviour", type->name);
    behaviour->size = info.size;
    if (behaviour->code.on_attach)
        behaviour->hooks.on_add = (CnHook){attached, behaviour};
    if (behaviour->code.on_detach)
        behaviour->hooks.on_remove = (CnHook){detached, behaviour};
    return (find_queries(behaviour, error) && cn_bitset_set(behaviours, behaviour->component.id)) ||
           cn_error_memory(error, "behaviour %s", type->name);
}

static CnSystem add_system(Behaviour *behaviour, const char *suffix, CnSystemDesc desc,
                           CnError *error)
{
    char name[CN_MAX_NAME_BYTES];
    if (!cn_format(name, sizeof name, "%s.%s", behaviour->code.type->name, suffix)) {
        cn_error_set(error, CN_ERROR_LIMIT, "behaviour %s: the name is too long",
                     behaviour->code.type->name);
        return (CnSystem){0};
    }
    desc.name = name;
    desc.user = behaviour;
    return cn_system_add(behaviour->world, &desc, error);
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

/* The first system is always added: disposing of it ends the behaviour. */
static bool add_systems(Behaviour *behaviour, CnError *error)
{
    CnSystemDesc updating = {.run = update,
                             .stage = CN_STAGE_UPDATE,
                             .disabled = !behaviour->code.update,
                             .on_removed = taken_out,
                             .dispose = dispose};
    CnSystemDesc rendering = {.run = update_render, .stage = CN_STAGE_FRAME};
    declare_order(&updating, behaviour->world, behaviour->code.after);
    CnSystem first = add_system(behaviour, "update", updating, error), second = {0};
    bool has_second = behaviour->code.update_render != NULL;
    if (first.id && has_second)
        second = add_system(behaviour, "update_render", rendering, error);
    if (first.id && (second.id || !has_second)) {
        if (cn_component_add_hooks(behaviour->world, behaviour->component, &behaviour->hooks))
            return true;
        cn_error_memory(error, "behaviour %s", behaviour->code.type->name);
        if (second.id)
            cn_system_remove(behaviour->world, second);
    }
    behaviour->is_taken_out = true;
    if (first.id)
        cn_system_remove(behaviour->world, first);
    else
        dispose(behaviour);
    return false;
}

bool cn_behaviour_add(CnWorld *world, const CnBehaviour *code, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(code, "%s: code is NULL", __func__);
    if (!cn_object_add(world, error))
        return false;
    Behaviour *behaviour = cn_alloc_zeroed(cn_world_allocator(world), sizeof *behaviour);
    if (!behaviour)
        return cn_error_memory(error, "behaviour %s", code->type->name);
    behaviour->code = *code;
    behaviour->world = world;
    if (prepare(behaviour, error))
        return add_systems(behaviour, error);
    cn_query_release(behaviour->all);
    cn_query_release(behaviour->active);
    cn_free(cn_world_allocator(world), behaviour, sizeof *behaviour);
    return false;
}

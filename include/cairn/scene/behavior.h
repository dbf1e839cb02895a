/*
 * Behaviors: components with code.
 *
 *     CN_COMPONENT(Rise, (f32, speed));
 *
 *     static void rise_update(const CnBehaviorCall *call, void *self)
 *     {
 *         const Rise *rise = self;
 *         cn_get_mut(call->world, call->object, CnTransform)->position.y += rise->speed * call->dt;
 *     }
 *
 *     bool add_rise(CnWorld *world, CnEntity balloon, CnError *error)
 *     {
 *         CnBehavior behavior = {.type = &cn_type_Rise, .update = rise_update};
 *         return cn_behavior_add(world, &behavior, error) &&
 *                cn_set(world, balloon, Rise, {.speed = 2});
 *     }
 *
 * on_attach and on_detach are called when the component is added or removed by anyone; on_detach
 * also when the world is destroyed. `update` is called once per tick, in Update, for each active
 * object. `update_render` is called once per frame, in Frame, where only transient data may be
 * written. Both follow storage order. `update` follows the animators and controllers of scenes;
 * other orders are declared by `after`. For very many objects, a system (CN_SYSTEM) is faster.
 *
 * Restoring a state calls neither on_attach nor on_detach: the components come back as they were
 * saved. Nor does replacing a plugin's code: the new code continues with the existing components.
 */
#ifndef CAIRN_SCENE_BEHAVIOR_H
#define CAIRN_SCENE_BEHAVIOR_H

#include <cairn/scene/object.h>

CN_EXTERN_C_BEGIN

typedef struct CnBehaviorCall {
    CnWorld *world;
    CnEntity object;
    /* For structural changes in `update`; to disable an object, write `enabled` of its CnObject.
     * NULL in on_attach and on_detach; see CnHook. */
    CnCommands *commands;
    float dt; /* seconds; 0 in on_attach and on_detach */
    void *user;
} CnBehaviorCall;

typedef struct CnBehavior {
    const CnType *type; /* a packed component; for a tag, `self` is NULL */
    void (*on_attach)(const CnBehaviorCall *call, void *self);
    void (*on_detach)(const CnBehaviorCall *call, void *self);
    void (*update)(const CnBehaviorCall *call, void *self);
    void (*update_render)(const CnBehaviorCall *call, const void *self);
    void *user;
    /* Systems and sets of Update that run before `update`: such as "Rise.update", of another
     * behavior. */
    const char *after[CN_MAX_ORDER - 1];
} CnBehavior;

/* Registers the type if necessary, and adds its hooks, the system "<type>.update" and, if there
 * is such a function, "<type>.update_render". Existing components get no on_attach. Returns false
 * and an error when the type already is a behavior, or is stored by fields. */
CN_API bool cn_behavior_add(CnWorld *world, const CnBehavior *behavior, CnError *error);

CN_EXTERN_C_END

#endif

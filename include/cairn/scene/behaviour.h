/*
 * Behaviours: components with code of their own.
 *
 *     CN_COMPONENT(Spin, (f32, degrees_per_second));
 *
 *     static void spin_update(const CnBehaviourCall *call, void *self)
 *     {
 *         CnTransform *t = cn_get_mut(call->world, call->object, CnTransform);
 *         ...
 *     }
 *
 *     cn_behaviour_add(world, &(CnBehaviour){.type = &cn_type_Spin, .update = spin_update}, &error);
 *     cn_set(world, wheel, Spin, {.degrees_per_second = 90});
 *
 * on_attach and on_detach are called when the component comes and goes, whoever adds it, on_detach also
 * when the world ends. update is called once a tick in Update for each object that is active,
 * update_render once a frame in Frame, where only what is transient may be written; both in order of
 * storage. For a great many objects a system (CN_SYSTEM) is faster.
 *
 * A restore calls neither on_attach nor on_detach: the components come back as they were saved. Nor does
 * the exchange of a plugin's code: the new code goes on with the components of the old.
 */
#ifndef CAIRN_SCENE_BEHAVIOUR_H
#define CAIRN_SCENE_BEHAVIOUR_H

#include <cairn/scene/object.h>

CN_EXTERN_C_BEGIN

typedef struct CnBehaviourCall {
    CnWorld *world;
    CnEntity object;
    CnCommands
        *commands; /* for structural changes in update; to switch an object off, write `enabled`
                             of its CnObject. NULL in on_attach and on_detach: see CnHook */
    float dt;      /* seconds; 0 in on_attach and on_detach */
    void *user;
} CnBehaviourCall;

typedef struct CnBehaviour {
    const CnType *type; /* a packed component; of a tag, self is NULL */
    void (*on_attach)(const CnBehaviourCall *call, void *self);
    void (*on_detach)(const CnBehaviourCall *call, void *self);
    void (*update)(const CnBehaviourCall *call, void *self);
    void (*update_render)(const CnBehaviourCall *call, const void *self);
    void *user;
} CnBehaviour;

/* Registers the type if need be, adds hooks to its own, and the systems "<type>.update" and
 * "<type>.update_render". Those that have the component already get no on_attach. An error when the
 * type is a behaviour already, or laid out by fields. */
CN_API bool cn_behaviour_add(CnWorld *world, const CnBehaviour *behaviour, CnError *error);

CN_EXTERN_C_END

#endif

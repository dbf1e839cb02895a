/* Collision callbacks: from the events of physics, and from the bodies that keep touching. */
#include "script/runtime/runtime.h"

/* ---- Beginning and ending to touch ---- */

static CniScriptInstance *find(CniScriptRuntime *runtime, CnEntity object)
{
    CniScriptInstance *instance = cni_script_instance_find(runtime, object);
    return instance && instance->status == CN_SCRIPT_RUNNING &&
                   cni_script_instance_is_active(runtime, instance)
               ? instance
               : NULL;
}

static void notify(CniScriptRuntime *runtime, const CnCollision *hit, CnEntity object)
{
    CniScriptInstance *instance = find(runtime, object);
    if (!instance)
        return;
    bool is_a = object.id == hit->a.id;
    float sign = is_a ? 1 : -1;
    CnContact contact = {.other = is_a ? hit->b : hit->a,
                         .point = hit->point,
                         .normal = cn_vec3_scale(hit->normal, sign),
                         .relative_velocity = cn_vec3_scale(hit->relative_velocity, sign),
                         .impulse = hit->impulse};
    if (hit->kind == CN_COLLISION_ENTER)
        cni_script_instance_call_contact(runtime, instance, CNI_SCRIPT_ON_COLLISIONENTER, &contact);
    else
        cni_script_instance_call(runtime, instance, CNI_SCRIPT_ON_COLLISIONLEAVE, contact.other);
}

static void notify_events(CniScriptRuntime *runtime)
{
    /* Scripts may send such events too; these are for other receivers. */
    uint32_t count = cn_event_count(runtime->collisions);
    for (uint32_t i = 0; i < count; i++) {
        CnCollision hit = cn_events(runtime->collisions, CnCollision)[i];
        notify(runtime, &hit, hit.a);
        notify(runtime, &hit, hit.b);
    }
}

/* ---- Continuing to touch ---- */

/* Reads the contacts of an object; returns their number. Callbacks may change the world. */
static uint32_t read_contacts(CniScriptRuntime *runtime, CnEntity object)
{
    CnWorld *world = runtime->shared.world;
    uint32_t count =
        cn_physics_contacts(world, object, runtime->contacts.items, runtime->contacts.capacity);
    if (count <= runtime->contacts.capacity)
        return count;
    if (!cn_array_reserve(&runtime->contacts, count)) {
        CN_LOG_ERROR("script", "out of memory for the contacts of %s",
                     cn_object_name(world, object));
        return runtime->contacts.capacity;
    }
    return cn_physics_contacts(world, object, runtime->contacts.items, runtime->contacts.capacity);
}

static void notify_staying(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    uint32_t count = read_contacts(runtime, instance->object);
    for (uint32_t i = 0; i < count; i++) {
        const CnContact *contact = &runtime->contacts.items[i];
        if (!contact->entered && cni_script_instance_is_active(runtime, instance) &&
            cn_is_alive(runtime->shared.world, contact->other))
            cni_script_instance_call_contact(runtime, instance, CNI_SCRIPT_ON_COLLISIONSTAY,
                                             contact);
    }
}

static bool is_told(const CniScriptRuntime *runtime, const CniScriptInstance *instance)
{
    return cni_script_instance_has(instance, CNI_SCRIPT_ON_COLLISIONSTAY) &&
           cni_script_instance_is_active(runtime, instance);
}

void cni_script_collisions_prepare(CniScriptRuntime *runtime)
{
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        if (is_told(runtime, runtime->instances.items[i]))
            cn_physics_request_impulses(runtime->shared.world, runtime->instances.items[i]->object);
}

void cni_script_collisions_notify(CniScriptRuntime *runtime)
{
    notify_events(runtime);
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        if (is_told(runtime, runtime->instances.items[i]))
            notify_staying(runtime, runtime->instances.items[i]);
}

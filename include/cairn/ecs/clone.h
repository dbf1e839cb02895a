/*
 * Clones of worlds, for prediction, look-ahead searches and tools that try out changes.
 *
 *     CnWorld *ahead = cn_world_clone(world, NULL, &error);
 *     for (int i = 0; i < 10; i++)
 *         cn_world_update(ahead, dt, NULL); // does not change `world`
 *     cn_world_destroy(ahead);
 *
 * A clone has the same state hash as the original and, given the same input, develops in the same
 * way. It contains
 *
 * - the entities with their ids, components, order and change ticks, the pairs and the tree;
 * - the resources, and the channels with their pending events;
 * - the registered components with their ids, defaults and hooks;
 * - the systems with their order, handles and enabled flags, and the observers.
 *
 * Functions and user pointers of hooks, systems and observers are shared with the original; the
 * data that they point to is not copied. The callbacks on_added, on_removed and dispose of systems
 * are not called for a clone, since the objects that they create or free belong to the original.
 *
 * A clone does not contain queries held by code outside of systems (acquire them again), producers,
 * row-change readers, or the job pool (set one with cn_world_set_jobs).
 *
 * Components are copied byte by byte. An opaque component may own memory or point into its world. A
 * world in which an entity or a resource has an opaque component can therefore only be cloned if
 * the component is derived (CN_COMPONENT_DERIVED) or declares that its bytes may be copied
 * (CN_COMPONENT_COPYABLE).
 *
 * A world whose systems or opaque resources point into the world itself, such as the world of a
 * simulation or a scene, is cloned differently: the same code sets up a second world, and
 * cn_world_copy_state copies the state. cn_sim_clone does this for a simulation and its plugins.
 */
#ifndef CAIRN_ECS_CLONE_H
#define CAIRN_ECS_CLONE_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

/* Clones a world. If `allocator` is NULL, the clone uses the allocator of the original. Returns
 * NULL and sets the error when out of memory, if commands are pending (call cn_flush first), if
 * called in a hook, a system or a flush, or if an opaque component prevents it; the error then
 * names the component. Call it on the thread that owns the world. */
CN_API CnWorld *cn_world_clone(const CnWorld *world, CnAllocator *allocator, CnError *error);

/* Replaces the state of `to`, which must have been set up by the same code, with the state of
 * `from`: everything that cn_world_save and cn_world_load transfer, the pending events of channels,
 * and which systems and sets are enabled. Transient and opaque components of `to` keep their
 * values. Afterwards both worlds have the same state hash and, given the same input, develop in the
 * same way.
 *
 * Returns false and sets an error that describes the difference, before anything changes, if the
 * worlds do not have the same systems, command buffers and event types, if commands are pending in
 * one of them, or if called in a hook, a system or a flush. When out of memory, it fails like
 * cn_world_load; events and enabled flags may have been copied in part. Call it on the thread that
 * owns both worlds. */
CN_API bool cn_world_copy_state(CnWorld *to, const CnWorld *from, CnError *error);

CN_EXTERN_C_END

#endif

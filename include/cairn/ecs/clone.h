/*
 * A copy of a world that runs on independently: for prediction, for searching ahead, for "what if"
 * tools.
 *
 *     CnWorld *ahead = cn_world_clone(world, NULL, &error);
 *     for (int i = 0; i < 10; i++)
 *         cn_world_update(ahead, dt, NULL);
 *     ...                                     // world is as it was
 *     cn_world_destroy(ahead);
 *
 * The clone has the same state hash, and given the same input it goes the same way. It has
 *
 * - the entities with their ids, components, order, and change ticks; pairs and the tree;
 * - resources, and the channels with the events that wait in them;
 * - registered components with their ids, defaults and hooks;
 * - the systems with their order, handles and whether they are enabled.
 *
 * Functions and user pointers of hooks and systems are shared with the original: what they point to
 * is not copied. on_added, on_removed and dispose of systems are not called for the clone, since
 * what they would make or free belongs to the original.
 *
 * It does not have: queries that code outside of systems holds, and observers (make them again by
 * their description); producers; readers of row changes; the job pool (set one with
 * cn_world_set_jobs). A simulation whose observers change the world needs them before it goes on.
 *
 * Components are copied byte by byte. An opaque component may own memory or point into its world,
 * so a world in which an entity or a resource has one is not cloned, unless the component is
 * derived (CN_COMPONENT_DERIVED) or says that its bytes may be copied (CN_COMPONENT_COPYABLE).
 *
 * A world whose systems and opaque resources point into it, such as that of a simulation or a
 * scene, is cloned in another way: the same code sets up a second world, and cn_world_copy_state
 * gives it the state. cn_sim_clone does that for a simulation and its plugins.
 */
#ifndef CAIRN_ECS_CLONE_H
#define CAIRN_ECS_CLONE_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

/* `allocator` NULL: that of the original. NULL and an error when out of memory, when commands wait
 * (call cn_flush first), in a hook, a system or a flush, or because of an opaque component, which
 * is named. Belongs to the thread that owns the world. */
CN_API CnWorld *cn_world_clone(const CnWorld *world, CnAllocator *allocator, CnError *error);

/* Replaces the state of `to`, which the same code has set up, by that of `from`: what cn_world_save
 * and cn_world_load carry, and in addition the events that wait in channels and which systems and
 * sets are enabled. What is transient or opaque stays as `to` has it. Afterwards both have the same
 * state hash, and given the same input they go the same way.
 *
 * False and an error that says what differs, before anything changes, when the worlds do not have
 * the same systems, command buffers and shapes of events; when commands wait in one of them; or in
 * a hook, a system or a flush. Out of memory: see cn_world_load; events and switches may be copied
 * in part. Belongs to the thread that owns both worlds. */
CN_API bool cn_world_copy_state(CnWorld *to, const CnWorld *from, CnError *error);

CN_EXTERN_C_END

#endif

/*
 * Observers: callbacks for entities that begin or cease to match a query, and lists of removed
 * components.
 *
 *     static void was_hired(CnWorld *world, CnEntity entity, void *user);
 *     static void was_fired(CnWorld *world, CnEntity entity, void *user);
 *
 *     CnObserverDesc desc = {.query = {.all = {cn_tag(Employee)}, .none = {cn_tag(Retired)}},
 *                            .on_enter = was_hired,
 *                            .on_exit = was_fired};
 *     CnObserver *staff = cn_observer_create(world, &desc, &error);
 *     cn_observer_destroy(staff);
 *
 * An entity can enter because it is spawned, because a component is added, or because a component
 * that the query excludes is removed. on_enter is called after the change is made and the values
 * are written, after on_add hooks and before on_set hooks. on_exit is called while the entity still
 * matches and has its values, before on_remove hooks. Changes made by callbacks are deferred as in
 * hooks; see CnHook.
 *
 * Order: callbacks follow the order of operations, and for commands the order in which a flush
 * applies them. Within one bulk operation, on_exit is called for the entities of each archetype in
 * row order before they change (for destructions: one by one as each entity is destroyed). on_enter
 * is called in rising order of entity index for cn_query_set, otherwise in row order. Several
 * observers of one change are called in order of their creation. Loading a snapshot calls neither
 * hooks nor observers. A clone of the world has its own observers with the same functions and the
 * same `user`; cloning calls none of them.
 *
 * Archetypes that no observer's query matches, and changes between archetypes that the same
 * observers match, cost nothing.
 */
#ifndef CAIRN_ECS_OBSERVER_H
#define CAIRN_ECS_OBSERVER_H

#include <cairn/ecs/event.h>
#include <cairn/ecs/query.h>

CN_EXTERN_C_BEGIN

typedef struct CnObserver CnObserver;

typedef void (*CnObserverFn)(CnWorld *world, CnEntity entity, void *user);

typedef struct CnObserverDesc {
    CnQueryDesc query;
    CnObserverFn on_enter, on_exit; /* may be NULL */
    void *user;
    bool existing; /* call on_enter at once for all matching entities, in rising order of index */
} CnObserverDesc;

/* Creates an observer. Returns NULL and sets the error when out of memory, if a term is unknown, or
 * inside a hook or callback. Call it on the thread that owns the world. The observer exists until
 * it is destroyed, its owner's code is replaced (see cn_owner_begin_replace), or the world is
 * destroyed. */
CN_API CnObserver *cn_observer_create(CnWorld *world, const CnObserverDesc *desc, CnError *error);
/* Destroys an observer without calling on_exit. NULL is ignored. Also allowed inside a callback. */
CN_API void cn_observer_destroy(CnObserver *observer);

/* ---- Removal lists ---- */

/* An entity that lost a component or was destroyed with it. */
CN_COMPONENT(CnRemoval, (entity, entity), (entity, target)); /* target: of a pair; null otherwise */

/* Returns the channel of removals of a component, or of all pairs of a kind. It contains events of
 * type CnRemoval in the order in which components were removed, starting with the first call. They
 * can be read as long as other events.
 *
 *     CnChannel *removals = cn_removals(world, Health);
 *     const CnRemoval *list = cn_events(removals, CnRemoval);
 *     for (uint32_t i = 0; i < cn_event_count(removals); i++)
 *         forget(list[i].entity);                  // may be dead or alive
 *
 * Returns NULL when out of memory or if the component is unknown. Components without such a list
 * have no additional cost. */
CN_API CnChannel *cn_removals_of(CnWorld *world, CnComponent component);
#define cn_removals(world, T) cn_removals_of((world), cn_id((world), T))

CN_EXTERN_C_END

#endif

/*
 * Observers: callbacks when entities begin or cease to match a query; and lists of what was
 * removed.
 *
 *     static void was_hired(CnWorld *world, CnEntity entity, void *user);
 *     static void was_fired(CnWorld *world, CnEntity entity, void *user);
 *
 *     CnObserver *staff = cn_observer_create(world, &(CnObserverDesc){
 *         .query = {.all = {cn_tag(Employee)}, .none = {cn_tag(Retired)}},
 *         .on_enter = was_hired, .on_exit = was_fired}, &error);
 *     ...
 *     cn_observer_destroy(staff);
 *
 * An entity enters by whatever makes it match: a spawn, a component that comes, or one that goes
 * when the query excludes it. on_enter is called when the change is made and values are written,
 * after hooks on_add and before on_set. on_exit is called while the entity still matches and has
 * its values, before hooks on_remove. What callbacks change is deferred exactly as in hooks: see
 * CnHook.
 *
 * Order: operations in the order in which they are made; commands in the order in which a flush
 * applies them. Within one bulk operation on_exit is called for the entities of each archetype in
 * order of their rows, before these change (when they are destroyed: one by one, as they go);
 * on_enter in rising order of entity index (cn_query_set), else in order of rows. Several observers
 * of one change are called in order of their creation. Loading a snapshot calls neither hooks nor
 * observers. A clone of the world has observers of its own with the same functions and the same
 * `user`; making it calls nobody.
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
    CnObserverFn on_enter, on_exit; /* NULL: not of interest */
    void *user;
    bool existing; /* call on_enter at once for all that match, in rising order of entity index */
} CnObserverDesc;

/* NULL and an error when out of memory, when a term is unknown, or inside a hook or callback.
 * Belongs to the owner of the world. It lives until it is destroyed, its owner's code is replaced
 * (see cn_owner_begin_replace), or the world ends. */
CN_API CnObserver *cn_observer_create(CnWorld *world, const CnObserverDesc *desc, CnError *error);
/* NULL is allowed. Inside a callback, too: it is called no more. on_exit is not called. */
CN_API void cn_observer_destroy(CnObserver *observer);

/* ---- Removal lists ---- */

/* An entity that lost a component, also because it was destroyed. */
CN_COMPONENT(CnRemoval, (entity, entity), (entity, target)); /* target: of a pair, else null */

/* The channel of removals of a component, or of all pairs of a kind: events of type CnRemoval in
 * the order in which components went, from the first call on. They are readable as long as other
 * events.
 *
 *     CnChannel *removals = cn_removals(world, Health);
 *     const CnRemoval *list = cn_events(removals, CnRemoval);
 *     for (uint32_t i = 0; i < cn_event_count(removals); i++)
 *         forget(list[i].entity);                  // may be dead or alive
 *
 * NULL when out of memory or for an unknown component. Components without such a list pay nothing.
 */
CN_API CnChannel *cn_removals_of(CnWorld *world, CnComponent component);
#define cn_removals(world, T) cn_removals_of((world), cn_id((world), T))

CN_EXTERN_C_END

#endif

/*
 * Which entities had a component written, one by one. Queries know it per chunk (see
 * cn_query_iter_changed), which is free but names whole chunks when one row changed; this costs a
 * bit per entity and is opt-in per component:
 *
 *     cn_register(world, Health, .flags = CN_COMPONENT_TRACKED);
 *     CnRowChanges *changes = cn_row_changes(world, Health);
 *     ...
 *     for (CnEntity e; cn_row_changes_next(changes, &e);)
 *         show_health(e, cn_get(world, e, Health));
 *
 * An entity is changed when the component was added to it or its value was set, by spawning,
 * setting, commands, bulk changes and fields by name; when cn_get_mut or cn_get_field_mut returned
 * its address; and when a loop or a CN_SYSTEM asked for the column of its chunk for writing: that
 * counts as a write to all rows of the chunk. A loop that changes few rows reads with
 * cn_column_const and writes with cn_get_mut. Loading a snapshot changes all.
 *
 * In a system. CN_SYSTEM has no term for changed rows: its body gets the columns of a chunk, and
 * changed rows are single entities of any chunk. A system that handles them has a run function,
 * gets the reader as its user, and declares to read the component:
 *
 *     static void show(CnSystemContext *context)
 *     {
 *         for (CnEntity e; cn_row_changes_next(context->user, &e);)
 *             show_health(e, cn_get(context->world, e, Health));
 *     }
 *     cn_system_add(world, &(CnSystemDesc){.name = "show", .run = show, .user = changes,
 *                                          .stage = CN_STAGE_POST_UPDATE,
 *                                          .access = {cn_reads(Health)}}, &error);
 *
 * Chunks with changed rows are a term: (changed, Health).
 *
 * Each CnRowChanges reports every change once, however often it is asked: it is a reader with a
 * place of its own, and any number of them can watch a component. What is destroyed or has lost the
 * component by then is not reported. Nothing of this is part of the state: it is neither saved nor
 * hashed, and cn_world_clone leaves it out.
 */
#ifndef CAIRN_ECS_ROW_CHANGES_H
#define CAIRN_ECS_ROW_CHANGES_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef struct CnRowChanges CnRowChanges;

/* Reports changes from now on. NULL and an error when the component is not tracked or when out of
 * memory. Ends with the world at the latest. Belongs to the thread that owns the world. */
CN_API CnRowChanges *cn_row_changes_create(CnWorld *world, CnComponent component, CnError *error);
#define cn_row_changes(world, T) cn_row_changes_create((world), cn_id((world), T), NULL)
CN_API void cn_row_changes_destroy(CnRowChanges *changes);

/* The next changed entity, in rising order of index; false: no more, and the next call starts
 * again. A change made during the loop is reported in it or in the next one. May be called by a
 * system that declares to read the component, by one thread at a time. */
CN_API bool cn_row_changes_next(CnRowChanges *changes, CnEntity *entity);

CN_EXTERN_C_END

#endif

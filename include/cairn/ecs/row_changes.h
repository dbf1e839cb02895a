/*
 * Change tracking per entity. Queries track changes per chunk (see cn_query_iter_changed), which is
 * free but reports a whole chunk when one row changed. Tracking per entity costs one bit per entity
 * and is enabled per component:
 *
 *     cn_register(world, Health, .flags = CN_COMPONENT_TRACKED);
 *     CnRowChanges *changes = cn_row_changes(world, Health);
 *
 *     for (CnEntity e; cn_row_changes_next(changes, &e);)
 *         draw_health(e, cn_get(world, e, Health));
 *
 * An entity counts as changed if the component was added to it or set, by spawning, setting,
 * commands, bulk changes or field names; if cn_get_mut or cn_get_field_mut returned its address;
 * and if a loop or a CN_SYSTEM requested write access to the column of its chunk, which counts as a
 * write to all rows of the chunk. A loop that changes few rows should read with cn_column_const and
 * write with cn_get_mut. Loading a snapshot changes all entities.
 *
 * CN_SYSTEM has no term for changed rows, because its body receives the columns of a chunk, and
 * changed rows are individual entities of any chunk. A system that handles them has a run function,
 * receives the reader as its user pointer, and declares reading the component:
 *
 *     static void draw_changes(CnSystemContext *context)
 *     {
 *         for (CnEntity e; cn_row_changes_next(context->user, &e);)
 *             draw_health(e, cn_get(context->world, e, Health));
 *     }
 *
 *     CnSystemDesc desc = {.name = "draw changes",
 *                          .run = draw_changes,
 *                          .user = changes,
 *                          .stage = CN_STAGE_POST_UPDATE,
 *                          .access = {cn_reads(Health)}};
 *     cn_system_add(world, &desc, &error);
 *
 * The term (changed, Health) selects chunks with changed rows.
 *
 * A CnRowChanges is a reader with its own position: it reports every change once, and any number of
 * readers can watch a component. Entities that were destroyed or lost the component are not
 * reported. Tracking is not part of the state: it is neither saved nor hashed, and cn_world_clone
 * does not copy it.
 */
#ifndef CAIRN_ECS_ROW_CHANGES_H
#define CAIRN_ECS_ROW_CHANGES_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef struct CnRowChanges CnRowChanges;

/* Creates a reader of the changes from now on. Returns NULL and sets the error if the component is
 * not tracked or when out of memory. The reader exists until it or the world is destroyed. Call it
 * on the thread that owns the world. */
CN_API CnRowChanges *cn_row_changes_create(CnWorld *world, CnComponent component, CnError *error);
#define cn_row_changes(world, T) cn_row_changes_create((world), cn_id((world), T), NULL)
CN_API void cn_row_changes_destroy(CnRowChanges *changes);

/* Returns the next changed entity, in rising order of index. Returns false after the last one; the
 * following call starts over. A change made during the loop is reported in this loop or in the next
 * one. May be called by systems that declare reading the component, one thread at a time. */
CN_API bool cn_row_changes_next(CnRowChanges *changes, CnEntity *entity);

CN_EXTERN_C_END

#endif

/* Applies replicas to worlds. */
#include "net/replica_internal.h"

/* What an entity looks like at a tick: between state a (0) and state b (1), or beyond b. */
typedef struct View {
    const CniNetReplicaState *a, *b;
    const CniNetReplicaState *steps; /* the state of values that are not interpolated */
    double t;
} View;

static bool is_own(const CnNetReplica *replica, const CniNetReplicaState *state)
{
    return replica->desc.owner && state->rows[0] &&
           cni_net_row(&replica->rows[0], state->rows[0])[1] == replica->desc.owner;
}

/* ---- The state at a tick ---- */

/* Returns the number of states up to the tick. */
static uint32_t count_states(const CnNetReplica *replica, const CniNetReplicaEntity *entity,
                             double tick)
{
    uint32_t count = entity->count;
    while (count > 0 && (double)cni_net_replica_state(replica, entity, count - 1)->tick > tick)
        count--;
    return count;
}

static View beyond_newest(const CnNetReplica *replica, const CniNetReplicaEntity *entity,
                          double tick)
{
    const CniNetReplicaState *b = cni_net_newest_state(replica, entity);
    const double most = replica->desc.extrapolated_ticks, beyond = tick - (double)b->tick;
    if (entity->count < 2 || replica->complete_tick > b->tick || b->tick <= b->from_tick)
        return (View){b, b, b, 0};
    const CniNetReplicaState *a = cni_net_replica_state(replica, entity, entity->count - 2u);
    const double t = (beyond < most ? beyond : most) / (double)(b->tick - b->from_tick);
    return (View){a, b, b, 1 + t};
}

/* Returns false if the entity does not exist yet at the tick. */
static bool find_view(const CnNetReplica *replica, const CniNetReplicaEntity *entity, double tick,
                      View *view)
{
    const CniNetReplicaState *newest = cni_net_newest_state(replica, entity);
    *view = (View){newest, newest, newest, 0};
    if (is_own(replica, newest))
        return !replica->desc.skips_own;
    const uint32_t count = count_states(replica, entity, tick);
    if (count == entity->count) {
        *view = beyond_newest(replica, entity, tick);
        return true;
    }
    const CniNetReplicaState *b = cni_net_replica_state(replica, entity, count);
    if (!count) {
        *view = (View){b, b, b, 0};
        return !cn_entity_is_null(entity->entity);
    }
    const CniNetReplicaState *a = cni_net_replica_state(replica, entity, count - 1);
    const double from = (double)b->from_tick, all = (double)b->tick - from;
    *view = (View){a, b, a, tick > from && all > 0 ? (tick - from) / all : 0};
    return true;
}

/* ---- Values ---- */

static bool is_moving(const CnNetReplica *replica, const View *view, uint32_t component)
{
    const uint32_t a = view->a->rows[component], b = view->b->rows[component];
    return replica->layout->components[component].interpolates && view->t > 0 && a && b && a != b;
}

static void make_value(CnNetReplica *replica, const View *view, uint32_t component, void *value)
{
    const CniNetLayoutComponent *layout = &replica->layout->components[component];
    const CniNetReferences references = {.entity_of = cni_net_entity_of, .user = replica};
    const CniNetRows *rows = &replica->rows[component];
    cni_net_dequantize(layout, cni_net_row(rows, view->steps->rows[component]), value, &references);
    if (is_moving(replica, view, component))
        cni_net_interpolate(layout, cni_net_row(rows, view->a->rows[component]),
                            cni_net_row(rows, view->b->rows[component]), view->t, value);
}

/* Writes a value only if it differs, so that it does not count as changed otherwise. */
static bool write_value(CnNetReplica *replica, CnWorld *world, CnEntity entity, CnComponent id,
                        const View *view, uint32_t component)
{
    const CniNetLayoutComponent *layout = &replica->layout->components[component];
    if (!layout->size)
        return cn_add_component(world, entity, id);
    const bool exists = cn_read_component(world, entity, id, replica->value);
    if (!exists)
        cn_read_default_value(world, id, replica->value);
    memcpy(replica->values, replica->value, layout->size);
    make_value(replica, view, component, replica->values);
    if (exists && !memcmp(replica->values, replica->value, layout->size))
        return true;
    void *stored = exists ? cn_get_component_mut(world, entity, id) : NULL;
    if (!stored)
        return cn_set_component(world, entity, id, replica->values);
    memcpy(stored, replica->values, layout->size);
    return true;
}

static bool apply_component(CnNetReplica *replica, CnWorld *world, CniNetReplicaEntity *entity,
                            const View *view, uint32_t component)
{
    const CniNetLayoutComponent *layout = &replica->layout->components[component];
    const CnComponent id = cn_component_ensure(world, layout->type);
    const uint32_t bit = 1u << component;
    const bool is_settled = !is_moving(replica, view, component);
    if (!view->steps->rows[component])
        return cn_remove_component(world, entity->entity, id);
    if (entity->applied == view->steps->snapshot && entity->settled & bit && is_settled &&
        !layout->has_references)
        return true;
    if (layout->flags & CN_NET_PREDICTED && is_own(replica, view->steps) && entity->applied &&
        cn_has_component(world, entity->entity, id))
        return true;
    if (!write_value(replica, world, entity->entity, id, view, component))
        return false;
    entity->settled = is_settled ? entity->settled | bit : entity->settled & ~bit;
    return true;
}

/* ---- Entities ---- */

static bool spawn(CnNetReplica *replica, CnWorld *world, CniNetReplicaEntity *entity,
                  const View *view)
{
    CnValue values[CN_MAX_VALUES];
    uint32_t count = 0, used = 0;
    const uint32_t id = entity->id;
    for (uint32_t i = 0; i < replica->layout->component_count; i++) {
        const CniNetLayoutComponent *layout = &replica->layout->components[i];
        void *value = replica->values + used;
        if (!view->steps->rows[i])
            continue;
        const CnComponent component = cn_component_ensure(world, layout->type);
        if (layout->size) {
            cn_read_default_value(world, component, value);
            make_value(replica, view, i, value);
        }
        values[count++] = (CnValue){.component = component, .data = layout->size ? value : NULL};
        used += (layout->size + CN_DEFAULT_ALIGNMENT - 1) & ~(uint32_t)(CN_DEFAULT_ALIGNMENT - 1);
    }
    const CnEntity spawned = cn_spawn_values(world, values, count);
    if (cn_entity_is_null(spawned))
        return false;
    if (!cn_hash_map_set(&replica->ids, spawned.id, &id)) {
        cn_destroy(world, spawned);
        return false;
    }
    entity->entity = spawned;
    entity->applied = view->steps->snapshot;
    entity->settled = 0;
    return true;
}

static bool apply_entity(CnNetReplica *replica, CnWorld *world, CniNetReplicaEntity *entity,
                         double tick)
{
    View view;
    if (!cn_entity_is_null(entity->entity) && !cn_is_alive(world, entity->entity)) {
        cn_hash_map_remove(&replica->ids, entity->entity.id);
        entity->entity = (CnEntity){0};
        entity->applied = entity->settled = 0;
    }
    if (!find_view(replica, entity, tick, &view))
        return true;
    if (cn_entity_is_null(entity->entity))
        return spawn(replica, world, entity, &view);
    if (entity->applied != view.steps->snapshot)
        entity->settled = 0;
    for (uint32_t i = 0; i < replica->layout->component_count; i++)
        if (!apply_component(replica, world, entity, &view, i)) {
            entity->settled = 0;
            return false;
        }
    entity->applied = view.steps->snapshot;
    return true;
}

static void destroy_leaving(CnNetReplica *replica, CnWorld *world, double tick)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < replica->leaving.count; i++) {
        const CniNetLeaving leaving = replica->leaving.items[i];
        if ((double)leaving.tick > tick) {
            replica->leaving.items[kept++] = leaving;
            continue;
        }
        cn_hash_map_remove(&replica->ids, leaving.entity.id);
        if (cn_is_alive(world, leaving.entity))
            cn_destroy(world, leaving.entity);
    }
    replica->leaving.count = kept;
}

/* Entities whose values contain references are spawned before they are written for the first time
 * with all entities known, at the next call. */
bool cn_net_replica_apply(CnNetReplica *replica, CnWorld *world, double tick, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", cn_world_unhandled_errors(world));
    bool complete = true;
    destroy_leaving(replica, world, tick);
    for (uint32_t i = 0; i < replica->entities.count; i++)
        if (!apply_entity(replica, world, &replica->entities.items[i], tick))
            complete = cn_error_memory(error, "replicated entities");
    return complete;
}

#include "physics/physics_internal.h"

#include <string.h>

/* ---- Pages ---- */

static uint64_t key_of(const CniPhysicsPair *pair)
{
    return (uint64_t)cn_entity_index(pair->a) << 32 | cn_entity_index(pair->b);
}

static bool same_pair(const CniPhysicsPair *a, const CniPhysicsPair *b)
{
    return a->a.id == b->a.id && a->b.id == b->b.id;
}

/* Checks that pairs are sorted and consist of two entities each: saved pairs are, loaded data
 * may not be. */
static bool is_sound(const CniPhysicsPair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!pairs[i].a.id || !pairs[i].b.id || (i && key_of(&pairs[i - 1]) >= key_of(&pairs[i])))
            return false;
    return true;
}

/* Pages are stored in any order in the world and know their number. All used pages but the last are
 * full. */
void cni_physics_touching_load(CniPhysicsWorld *physics)
{
    uint32_t pages = cn_query_count(physics->touching), count = 0;
    uint64_t room = (uint64_t)pages * CNI_PHYSICS_CONTACT_PAGE_PAIRS;
    physics->old_pairs.count = 0;
    if (!cn_array_reserve(&physics->old_pairs, room)) {
        physics->failed = true;
        return;
    }
    if (room)
        memset(physics->old_pairs.items, 0, room * sizeof *physics->old_pairs.items);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(physics->touching); cn_query_next(&it, &view);) {
        const CniPhysicsContactPage *touching = cn_column_const(&view, CniPhysicsContactPage);
        for (uint32_t i = 0; i < view.count; i++) {
            const CniPhysicsContactPage *page = &touching[i];
            if (page->page >= pages || page->count > CNI_PHYSICS_CONTACT_PAGE_PAIRS)
                continue;
            CniPhysicsPair *pairs =
                &physics->old_pairs.items[page->page * CNI_PHYSICS_CONTACT_PAGE_PAIRS];
            for (uint32_t p = 0; p < page->count; p++)
                pairs[p] = (CniPhysicsPair){page->a[p], page->b[p]};
            count += page->count;
        }
    }
    physics->old_pairs.count =
        count <= room && is_sound(physics->old_pairs.items, count) ? count : 0;
}

static void fill_page(const CniPhysicsWorld *physics, CniPhysicsContactPage *page, uint32_t number)
{
    uint32_t before = number * CNI_PHYSICS_CONTACT_PAGE_PAIRS, all = physics->new_pairs.count;
    uint32_t rest = all > before ? all - before : 0;
    *page = (CniPhysicsContactPage){
        .page = number,
        .count = rest < CNI_PHYSICS_CONTACT_PAGE_PAIRS ? rest : CNI_PHYSICS_CONTACT_PAGE_PAIRS};
    for (uint32_t i = 0; i < page->count; i++) {
        page->a[i] = physics->new_pairs.items[before + i].a;
        page->b[i] = physics->new_pairs.items[before + i].b;
    }
}

/* Pages that are no longer needed are kept, empty. */
static void save_pages(CniPhysicsWorld *physics)
{
    uint32_t number = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(physics->touching); cn_query_next(&it, &view);) {
        CniPhysicsContactPage *touching = cn_column(&view, CniPhysicsContactPage);
        for (uint32_t i = 0; i < view.count; i++)
            fill_page(physics, &touching[i], number++);
    }
    for (; number * CNI_PHYSICS_CONTACT_PAGE_PAIRS < physics->new_pairs.count; number++) {
        CniPhysicsContactPage page;
        fill_page(physics, &page, number);
        CnValue value = {.type = &cn_type_CniPhysicsContactPage, .data = &page};
        physics->failed |= !cn_spawn_values(physics->world, &value, 1).id;
    }
}

/* ---- Waking ---- */

static bool is_gone(const CniPhysicsWorld *physics, CnEntity entity)
{
    return !cni_physics_active_body(physics, entity) ||
           cn_bitset_has(&physics->changed_or_moved, cn_entity_index(entity));
}

static void wake(CniPhysicsWorld *physics, CnEntity entity)
{
    CniPhysicsBody *body = cni_physics_active_body(physics, entity);
    if (body && cni_physics_is_asleep(physics, body))
        cni_physics_wake(physics, body);
}

void cni_physics_touching_wake(CniPhysicsWorld *physics)
{
    for (uint32_t i = 0; i < physics->old_pairs.count; i++) {
        const CniPhysicsPair *pair = &physics->old_pairs.items[i];
        if (is_gone(physics, pair->a))
            wake(physics, pair->b);
        if (is_gone(physics, pair->b))
            wake(physics, pair->a);
    }
}

/* A support that falls faster than its load separates from it without a contact in between. */
static void wake_left(CniPhysicsWorld *physics, const CniPhysicsPair *pair)
{
    CniPhysicsBody *a = cni_physics_active_body(physics, pair->a),
                   *b = cni_physics_active_body(physics, pair->b);
    if (!a || !b || a->kind == CN_BODY_GHOST || b->kind == CN_BODY_GHOST)
        return;
    CniPhysicsBody *sleeper = cni_physics_is_asleep(physics, a)   ? a
                              : cni_physics_is_asleep(physics, b) ? b
                                                                  : NULL;
    const CniPhysicsBody *other = sleeper == a ? b : a;
    if (sleeper && cn_bitset_has(&physics->active, cn_entity_index(other->entity)))
        cni_physics_wake_during_contacts(physics, sleeper);
}

void cni_physics_touching_wake_left(CniPhysicsWorld *physics)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < physics->old_pairs.count; i++) {
        const CniPhysicsPair *pair = &physics->old_pairs.items[i];
        uint64_t key = key_of(pair);
        while (found < physics->pairs.count && physics->pairs.items[found].key < key)
            found++;
        if (found == physics->pairs.count || physics->pairs.items[found].key != key)
            wake_left(physics, pair);
    }
}

/* ---- Enter and leave events ---- */

static CniPhysicsPair pair_of(const CniPhysicsWorld *physics, const CniPhysicsContactPair *contacts)
{
    return (CniPhysicsPair){cni_physics_body_at(physics, (uint32_t)(contacts->key >> 32))->entity,
                            cni_physics_body_at(physics, (uint32_t)contacts->key)->entity};
}

/* Returns the speed at which a point of the body moves against `normal`. */
static double approach(const CniPhysicsWorld *physics, const CniPhysicsBody *body,
                       const dReal *point, const dReal *normal)
{
    const CnBodyState *state = cn_get(physics->world, body->entity, CnBodyState);
    const double *p = state->position, *v = state->velocity, *w = state->angular_velocity;
    double r[3] = {point[0] - p[0], point[1] - p[1], point[2] - p[2]};
    double speed[3] = {v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2],
                       v[2] + w[0] * r[1] - w[1] * r[0]};
    return -(speed[0] * normal[0] + speed[1] * normal[1] + speed[2] * normal[2]);
}

static void send_enter(CniPhysicsWorld *physics, const CniPhysicsContactPair *contacts)
{
    const CniPhysicsBody *a = cni_physics_body_at(physics, (uint32_t)(contacts->key >> 32));
    const CniPhysicsBody *b = cni_physics_body_at(physics, (uint32_t)contacts->key);
    const dContactGeom *deepest = &physics->contacts.items[contacts->first];
    for (uint32_t i = 1; i < contacts->count; i++)
        if (deepest[0].depth < physics->contacts.items[contacts->first + i].depth)
            deepest = &physics->contacts.items[contacts->first + i];
    const dReal *p = deepest->pos, *n = deepest->normal;
    double speed = approach(physics, a, p, n) - approach(physics, b, p, n);
    double mass = cni_physics_mass_of(a) < cni_physics_mass_of(b) ? cni_physics_mass_of(a)
                                                                  : cni_physics_mass_of(b);
    cn_send(physics->collisions, CnCollision,
            {.kind = CN_COLLISION_ENTER,
             .a = a->entity,
             .b = b->entity,
             .point = cn_vec3((float)p[0], (float)p[1], (float)p[2]),
             .normal = cn_vec3((float)n[0], (float)n[1], (float)n[2]),
             .impulse = speed > 0 && mass < dInfinity ? (float)(speed * mass) : 0});
}

static void send_leave(CniPhysicsWorld *physics, const CniPhysicsPair *pair)
{
    cn_send(physics->collisions, CnCollision,
            {.kind = CN_COLLISION_LEAVE, .a = pair->a, .b = pair->b});
}

/* Pairs that this step did not examine touch as before. */
static bool is_kept(const CniPhysicsWorld *physics, const CniPhysicsPair *pair)
{
    return cni_physics_active_body(physics, pair->a) && cni_physics_active_body(physics, pair->b) &&
           !cn_bitset_has(&physics->active, cn_entity_index(pair->a)) &&
           !cn_bitset_has(&physics->active, cn_entity_index(pair->b));
}

static void keep_or_leave(CniPhysicsWorld *physics, const CniPhysicsPair *pair)
{
    if (is_kept(physics, pair))
        physics->new_pairs.items[physics->new_pairs.count++] = *pair;
    else
        send_leave(physics, pair);
}

/* Returns true when the pairs have changed. */
static bool compare_pairs(CniPhysicsWorld *physics)
{
    uint32_t old_count = physics->old_pairs.count, o = 0;
    bool changed = false;
    for (uint32_t i = 0; i < physics->pairs.count; i++) {
        const CniPhysicsContactPair *contacts = &physics->pairs.items[i];
        CniPhysicsPair pair = pair_of(physics, contacts);
        for (; o < old_count && key_of(&physics->old_pairs.items[o]) < contacts->key; o++)
            keep_or_leave(physics, &physics->old_pairs.items[o]);
        bool known = o < old_count && key_of(&physics->old_pairs.items[o]) == contacts->key;
        bool same = known && same_pair(&physics->old_pairs.items[o], &pair);
        if (known && !same)
            send_leave(physics, &physics->old_pairs.items[o]);
        if (!same)
            send_enter(physics, contacts);
        o += known;
        changed |= !same;
        physics->new_pairs.items[physics->new_pairs.count++] = pair;
    }
    for (; o < old_count; o++)
        keep_or_leave(physics, &physics->old_pairs.items[o]);
    return changed || physics->new_pairs.count != old_count;
}

void cni_physics_touching_update(CniPhysicsWorld *physics)
{
    physics->new_pairs.count = 0;
    if (!cn_array_reserve(&physics->new_pairs,
                          (uint64_t)physics->old_pairs.count + physics->pairs.count)) {
        physics->failed = true;
        return;
    }
    if (compare_pairs(physics))
        save_pages(physics);
}

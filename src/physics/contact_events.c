#include "physics/physics_internal.h"

#include <cairn/sim/loop.h>

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

bool cni_physics_touching_was_loaded(const CniPhysicsWorld *physics)
{
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(physics->touching, physics->step_tick);
    return physics->step_tick == 0 || cn_query_next(&it, &view);
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

static void velocity_at(const CniPhysicsWorld *physics, const CniPhysicsBody *body,
                        const dReal *point, double velocity[3])
{
    const CnBodyState *state = cn_get(physics->world, body->entity, CnBodyState);
    const double *p = state->position, *v = state->velocity, *w = state->angular_velocity;
    double r[3] = {point[0] - p[0], point[1] - p[1], point[2] - p[2]};
    velocity[0] = v[0] + w[1] * r[2] - w[2] * r[1];
    velocity[1] = v[1] + w[2] * r[0] - w[0] * r[2];
    velocity[2] = v[2] + w[0] * r[1] - w[1] * r[0];
}

void cni_physics_relative_velocity(const CniPhysicsWorld *physics, const CniPhysicsBody *a,
                                   const CniPhysicsBody *b, const dReal *point, double velocity[3])
{
    double of_b[3];
    velocity_at(physics, a, point, velocity);
    velocity_at(physics, b, point, of_b);
    for (int i = 0; i < 3; i++)
        velocity[i] -= of_b[i];
}

const dContactGeom *cni_physics_deepest(const dContactGeom *contacts, uint32_t count)
{
    const dContactGeom *deepest = contacts;
    for (uint32_t i = 1; i < count; i++)
        deepest = deepest->depth < contacts[i].depth ? &contacts[i] : deepest;
    return deepest;
}

static void send_enter(CniPhysicsWorld *physics, const CniPhysicsContactPair *contacts)
{
    const CniPhysicsBody *a = cni_physics_body_at(physics, (uint32_t)(contacts->key >> 32));
    const CniPhysicsBody *b = cni_physics_body_at(physics, (uint32_t)contacts->key);
    const dContactGeom *deepest =
        cni_physics_deepest(&physics->contacts.items[contacts->first], contacts->count);
    const dReal *p = deepest->pos, *n = deepest->normal;
    double v[3];
    cni_physics_relative_velocity(physics, a, b, p, v);
    double speed = -(v[0] * n[0] + v[1] * n[1] + v[2] * n[2]);
    double mass = cni_physics_mass_of(a) < cni_physics_mass_of(b) ? cni_physics_mass_of(a)
                                                                  : cni_physics_mass_of(b);
    cn_send(physics->collisions, CnCollision,
            {.kind = CN_COLLISION_ENTER,
             .a = a->entity,
             .b = b->entity,
             .point = cn_vec3((float)p[0], (float)p[1], (float)p[2]),
             .normal = cn_vec3((float)n[0], (float)n[1], (float)n[2]),
             .impulse = speed > 0 && mass < dInfinity ? (float)(speed * mass) : 0,
             .relative_velocity = cn_vec3((float)v[0], (float)v[1], (float)v[2])});
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
        CniPhysicsContactPair *contacts = &physics->pairs.items[i];
        CniPhysicsPair pair = pair_of(physics, contacts);
        for (; o < old_count && key_of(&physics->old_pairs.items[o]) < contacts->key; o++)
            keep_or_leave(physics, &physics->old_pairs.items[o]);
        bool known = o < old_count && key_of(&physics->old_pairs.items[o]) == contacts->key;
        bool same = known && same_pair(&physics->old_pairs.items[o], &pair);
        if (known && !same)
            send_leave(physics, &physics->old_pairs.items[o]);
        contacts->entered = !same;
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
    const CnTickInfo *tick = cn_resource(physics->world, CnTickInfo);
    physics->contacts_tick = tick ? tick->tick + 1 : 0;
    physics->by_second_is_valid = false;
    physics->new_pairs.count = 0;
    if (!cn_array_reserve(&physics->new_pairs,
                          (uint64_t)physics->old_pairs.count + physics->pairs.count)) {
        physics->failed = true;
        return;
    }
    if (compare_pairs(physics))
        save_pages(physics);
}

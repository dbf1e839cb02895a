#include "physics/physics_internal.h"

#include <string.h>

/* Per pair. A face on a face has four relevant corners. Every triangle of a mesh yields its own
 * contacts, in the order of the mesh: all that fit are found, and the relevant ones are kept. */
#define MAX_CONTACTS 4
#define MAX_FOUND_ON_MESH 256
#define MAX_MESH_CONTACTS 8

/* ---- Candidate pairs ---- */

static bool reports_contacts(const CniPhysicsBody *body)
{
    return body->kind == CN_BODY_DYNAMIC || body->kind == CN_BODY_GHOST;
}

bool cni_physics_bodies_can_touch(const CniPhysicsBody *a, const CniPhysicsBody *b)
{
    return (reports_contacts(a) || reports_contacts(b)) && (a->mask & b->layer_bit) &&
           (b->mask & a->layer_bit) && !(a->shape == CN_SHAPE_MESH && b->shape == CN_SHAPE_MESH);
}

static uint64_t key_of(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Finds pairs of an active body. If both are active, or were before this round, the other body
 * finds the pair. */
static bool find_candidates(CniPhysicsWorld *physics, uint32_t index,
                            const CnBitSet *found_by_others)
{
    const CniPhysicsBody *body = cni_physics_body_at(physics, index);
    if (!body || body->leaf == CNI_PHYSICS_NO_LEAF)
        return true;
    CniPhysicsAabbQuery walk;
    cni_physics_aabb_query_box(&walk, &physics->tree, &body->box);
    for (uint32_t other_index; cni_physics_aabb_query_next(&walk, &other_index);) {
        if (other_index == index ||
            (cn_bitset_has(found_by_others, other_index) && other_index < index))
            continue;
        const CniPhysicsBody *other = cni_physics_body_at(physics, other_index);
        if (cni_physics_aabb_overlap(&body->box, &other->box) &&
            cni_physics_bodies_can_touch(body, other) &&
            !cn_array_push(&physics->candidates, key_of(index, other_index)))
            return false;
    }
    return true;
}

/* ---- Sorting: a radix sort from the last byte; bytes that are all equal are skipped ---- */

bool cni_physics_sort_keys(CnU64Array *keys, CnU64Array *scratch)
{
    if (keys->count < 2)
        return true;
    if (!cn_array_reserve(scratch, keys->count))
        return false;
    uint64_t all = ~(uint64_t)0, any = 0;
    for (uint32_t i = 0; i < keys->count; i++) {
        all &= keys->items[i];
        any |= keys->items[i];
    }
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if (((all ^ any) >> shift & 255u) == 0)
            continue;
        uint32_t places[256] = {0}, place = 0;
        for (uint32_t i = 0; i < keys->count; i++)
            places[keys->items[i] >> shift & 255u]++;
        for (uint32_t b = 0; b < 256; b++) {
            uint32_t count = places[b];
            places[b] = place;
            place += count;
        }
        for (uint32_t i = 0; i < keys->count; i++)
            scratch->items[places[keys->items[i] >> shift & 255u]++] = keys->items[i];
        memcpy(keys->items, scratch->items, keys->count * sizeof *keys->items);
    }
    return true;
}

/* ---- Touching ---- */

static double distance_square(const dContactGeom *a, const dContactGeom *b)
{
    double x = a->pos[0] - b->pos[0], y = a->pos[1] - b->pos[1], z = a->pos[2] - b->pos[2];
    return x * x + y * y + z * z;
}

/* Keeps the deepest contact, then repeatedly the one farthest from those already kept. */
static uint32_t keep_contacts(dContactGeom *contacts, uint32_t count)
{
    double away[MAX_FOUND_ON_MESH];
    if (count <= MAX_MESH_CONTACTS)
        return count;
    for (uint32_t i = 0; i < count; i++)
        away[i] = contacts[i].depth;
    for (uint32_t kept = 0; kept < MAX_MESH_CONTACTS; kept++) {
        uint32_t best = kept;
        for (uint32_t i = kept + 1; i < count; i++)
            best = away[i] > away[best] ? i : best;
        dContactGeom contact = contacts[best];
        contacts[best] = contacts[kept];
        contacts[kept] = contact;
        away[best] = away[kept];
        for (uint32_t i = kept + 1; i < count; i++) {
            double square = distance_square(&contacts[i], &contact);
            away[i] = kept == 0 || square < away[i] ? square : away[i];
        }
    }
    return MAX_MESH_CONTACTS;
}

static bool collide(CniPhysicsWorld *physics, uint64_t key)
{
    const CniPhysicsBody *a = cni_physics_body_at(physics, (uint32_t)(key >> 32));
    const CniPhysicsBody *b = cni_physics_body_at(physics, (uint32_t)key);
    bool mesh = a->shape == CN_SHAPE_MESH || b->shape == CN_SHAPE_MESH;
    uint32_t first = physics->contacts.count, room = mesh ? MAX_FOUND_ON_MESH : MAX_CONTACTS;
    if (!cn_array_reserve(&physics->contacts, (uint64_t)first + room))
        return false;
    int count = dCollide(a->geom, b->geom, (int)room, &physics->contacts.items[first],
                         sizeof(dContactGeom));
    if (count <= 0)
        return true;
    uint32_t kept = (uint32_t)count;
    if (mesh)
        kept = keep_contacts(&physics->contacts.items[first], kept);
    physics->contacts.count += kept;
    return cn_array_push(&physics->pairs,
                         (CniPhysicsContactPair){.key = key, .first = first, .count = kept});
}

/* Returns whether a body moves by itself or was moved. An awake but still body does not wake
 * others. */
static bool wakes_neighbors(const CniPhysicsWorld *physics, const CniPhysicsBody *body)
{
    uint32_t index = cn_entity_index(body->entity);
    if (body->kind == CN_BODY_GHOST)
        return false;
    if (body->kind == CN_BODY_DYNAMIC)
        return cn_bitset_has(&physics->awake, index) &&
               cn_get(physics->world, body->entity, CnBodyState)->still_ticks == 0;
    return cn_bitset_has(&physics->touched, index);
}

bool cni_physics_is_asleep(const CniPhysicsWorld *physics, const CniPhysicsBody *body)
{
    return body->kind == CN_BODY_DYNAMIC &&
           !cn_bitset_has(&physics->awake, cn_entity_index(body->entity));
}

void cni_physics_wake(CniPhysicsWorld *physics, CniPhysicsBody *body)
{
    uint32_t index = cn_entity_index(body->entity);
    CnBodyState *state = cn_get_mut(physics->world, body->entity, CnBodyState);
    state->asleep = false;
    state->still_ticks = 1; /* does not wake others until it moves */
    physics->failed |= !cn_bitset_set(&physics->awake, index);
}

void cni_physics_wake_during_contacts(CniPhysicsWorld *physics, CniPhysicsBody *body)
{
    cni_physics_wake(physics, body);
    physics->failed |= !cn_array_push(&physics->woken, cn_entity_index(body->entity));
}

static void wake_touched(CniPhysicsWorld *physics)
{
    for (uint32_t i = 0; i < physics->pairs.count; i++) {
        uint64_t key = physics->pairs.items[i].key;
        CniPhysicsBody *a = cni_physics_body_at(physics, (uint32_t)(key >> 32));
        CniPhysicsBody *b = cni_physics_body_at(physics, (uint32_t)key);
        CniPhysicsBody *sleeper = cni_physics_is_asleep(physics, a)   ? a
                                  : cni_physics_is_asleep(physics, b) ? b
                                                                      : NULL;
        if (!sleeper || !wakes_neighbors(physics, sleeper == a ? b : a))
            continue;
        cni_physics_wake_during_contacts(physics, sleeper);
    }
}

static bool collide_candidates(CniPhysicsWorld *physics)
{
    if (!cni_physics_sort_keys(&physics->candidates, &physics->scratch))
        return false;
    uint64_t last = UINT64_MAX;
    for (uint32_t i = 0; i < physics->candidates.count; i++) {
        uint64_t key = physics->candidates.items[i];
        if (key != last && !collide(physics, key))
            return false;
        last = key;
    }
    return true;
}

/* ---- All pairs ---- */

static void activate(CniPhysicsWorld *physics)
{
    physics->failed |= !cn_bitset_copy(&physics->active, &physics->awake) ||
                       !cn_bitset_union(&physics->active, &physics->moving) ||
                       !cn_bitset_union(&physics->active, &physics->touched);
}

static bool find_first(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->candidates);
    for (uint32_t i = cn_bitset_next(&physics->active, 0); i != CN_BITSET_NONE;
         i = cn_bitset_next(&physics->active, i + 1))
        if (!find_candidates(physics, i, &physics->active))
            return false;
    return collide_candidates(physics);
}

/* Finds pairs of woken bodies with bodies that were not active before. */
static bool find_of_woken(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->candidates);
    for (uint32_t i = 0; i < physics->woken.count; i++)
        if (!find_candidates(physics, physics->woken.items[i], &physics->active))
            return false;
    for (uint32_t i = 0; i < physics->candidates.count; i++) {
        uint64_t key = physics->candidates.items[i];
        if (cn_bitset_has(&physics->active, (uint32_t)(key >> 32)) ||
            cn_bitset_has(&physics->active, (uint32_t)key))
            cn_array_remove_swap(&physics->candidates, i--);
    }
    for (uint32_t i = 0; i < physics->woken.count; i++)
        if (!cn_bitset_set(&physics->active, physics->woken.items[i]))
            return false;
    return collide_candidates(physics);
}

/* Merges two sorted runs. */
static bool merge_pairs(CniPhysicsWorld *physics, uint32_t middle)
{
    CniPhysicsContactPair *pairs = physics->pairs.items;
    uint32_t count = physics->pairs.count, right = count - middle;
    if (!right)
        return true;
    if (!cn_array_reserve(&physics->pairs, (uint64_t)count + right))
        return false;
    pairs = physics->pairs.items;
    memcpy(&pairs[count], &pairs[middle], right * sizeof *pairs);
    uint32_t a = middle, b = count + right, to = count;
    while (b > count)
        pairs[--to] = a && pairs[a - 1].key > pairs[b - 1].key ? pairs[--a] : pairs[--b];
    return true;
}

void cni_physics_find_contacts(CniPhysicsWorld *physics)
{
    cn_array_clear(&physics->pairs);
    cn_array_clear(&physics->contacts);
    cn_array_clear(&physics->woken);
    cni_physics_aabb_tree_rebuild_if_poor(&physics->tree);
    activate(physics);
    physics->failed |= !find_first(physics);
    wake_touched(physics);
    cni_physics_touching_wake_left(physics);
    if (!physics->woken.count)
        return;
    uint32_t middle = physics->pairs.count;
    physics->failed |= !find_of_woken(physics) || !merge_pairs(physics, middle);
}

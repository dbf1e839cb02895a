#include "physics/physics_internal.h"
#include "physics/ode_library.h"

#include <cairn/sim/loop.h>

#include <string.h>

/* Contacts that are computed again; the deepest is reported. */
#define MAX_CONTACTS 8

typedef struct ContactQuestion {
    CniPhysicsWorld *physics;
    CnEntity body;
    CnContact *contacts;
    uint32_t capacity, count;
} ContactQuestion;

/* ---- The pairs of the last step ---- */

static uint64_t key_of(const CniPhysicsPair *pair)
{
    return (uint64_t)cn_entity_index(pair->a) << 32 | cn_entity_index(pair->b);
}

/* new_pairs is a copy of what the world contains, and out of date after a restore. */
static bool refresh_pairs(CniPhysicsWorld *physics)
{
    if (!cni_physics_touching_was_loaded(physics))
        return true;
    cni_physics_touching_load(physics);
    uint32_t count = physics->old_pairs.count;
    if (physics->failed || !cn_array_reserve(&physics->new_pairs, count))
        return false;
    if (count)
        memcpy(physics->new_pairs.items, physics->old_pairs.items,
               count * sizeof *physics->new_pairs.items);
    physics->new_pairs.count = count;
    physics->by_second_is_valid = false;
    return true;
}

static bool sort_by_second(CniPhysicsWorld *physics)
{
    if (physics->by_second_is_valid)
        return true;
    cn_array_clear(&physics->by_second);
    for (uint32_t i = 0; i < physics->new_pairs.count; i++) {
        uint64_t second = cn_entity_index(physics->new_pairs.items[i].b);
        if (!cn_array_push(&physics->by_second, second << 32 | i))
            return false;
    }
    physics->by_second_is_valid = cni_physics_sort_keys(&physics->by_second, &physics->scratch);
    return physics->by_second_is_valid;
}

static uint32_t first_by_second(const CniPhysicsWorld *physics, uint64_t key)
{
    uint32_t low = 0, high = physics->by_second.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (physics->by_second.items[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t first_by_key(const CniPhysicsWorld *physics, uint64_t key)
{
    uint32_t low = 0, high = physics->new_pairs.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_of(&physics->new_pairs.items[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- One contact ---- */

/* Returns the contacts of a pair in the step of this tick; NULL if there are none. */
static const CniPhysicsContactPair *examined(const CniPhysicsWorld *physics, uint64_t key)
{
    const CnTickInfo *tick = cn_resource(physics->world, CnTickInfo);
    if (!tick || physics->contacts_tick != tick->tick + 1)
        return NULL;
    uint32_t low = 0, high = physics->pairs.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (physics->pairs.items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < physics->pairs.count && physics->pairs.items[low].key == key;
    return found ? &physics->pairs.items[low] : NULL;
}

static CnVec3 float3(const double v[3], double sign)
{
    return cn_vec3((float)(v[0] * sign), (float)(v[1] * sign), (float)(v[2] * sign));
}

static void keep_contact(ContactQuestion *question, const CniPhysicsPair *pair)
{
    CniPhysicsWorld *physics = question->physics;
    const CniPhysicsBody *a = cni_physics_active_body(physics, pair->a);
    const CniPhysicsBody *b = cni_physics_active_body(physics, pair->b);
    if (!a || !b)
        return;
    dContactGeom again[MAX_CONTACTS];
    const dContactGeom *deepest = NULL;
    const CniPhysicsContactPair *contacts = examined(physics, key_of(pair));
    if (contacts) {
        deepest = cni_physics_deepest(&physics->contacts.items[contacts->first], contacts->count);
    } else {
        int count = dCollide(a->geom, b->geom, MAX_CONTACTS, again, sizeof *again);
        if (count <= 0)
            return; /* other code has moved them apart */
        deepest = cni_physics_deepest(again, (uint32_t)count);
    }
    bool is_a = pair->a.id == question->body.id;
    double velocity[3], sign = is_a ? 1 : -1;
    cni_physics_relative_velocity(physics, a, b, deepest->pos, velocity);
    if (question->count < question->capacity)
        question->contacts[question->count] =
            (CnContact){.other = is_a ? pair->b : pair->a,
                        .point = float3(deepest->pos, 1),
                        .normal = float3(deepest->normal, sign),
                        .relative_velocity = float3(velocity, sign),
                        .impulse = contacts ? contacts->impulse : 0,
                        .entered = contacts && contacts->entered};
    question->count++;
}

/* Pairs in which the body is second have a lower other entity than those in which it is first. */
static void find_contacts(void *data)
{
    ContactQuestion *question = data;
    CniPhysicsWorld *physics = question->physics;
    cni_physics_sync(physics, CNI_PHYSICS_SYNC_QUERY, 0);
    if (!refresh_pairs(physics) || !sort_by_second(physics)) {
        physics->failed = true;
        return;
    }
    uint64_t low = (uint64_t)cn_entity_index(question->body) << 32, high = low | UINT32_MAX;
    for (uint32_t i = first_by_second(physics, low);
         i < physics->by_second.count && physics->by_second.items[i] <= high; i++) {
        const CniPhysicsPair *pair =
            &physics->new_pairs.items[(uint32_t)physics->by_second.items[i]];
        if (pair->b.id == question->body.id)
            keep_contact(question, pair);
    }
    for (uint32_t i = first_by_key(physics, low);
         i < physics->new_pairs.count && key_of(&physics->new_pairs.items[i]) <= high; i++)
        if (physics->new_pairs.items[i].a.id == question->body.id)
            keep_contact(question, &physics->new_pairs.items[i]);
}

uint32_t cn_physics_contacts(CnWorld *world, CnEntity body, CnContact *contacts, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(contacts || !capacity, "%s: contacts is NULL", __func__);
    CniPhysicsWorld *physics = cni_physics_world_of(world);
    ContactQuestion question = {physics, body, contacts, capacity, 0};
    if (!physics || !body.id)
        return 0;
    if (cni_physics_ode_run(find_contacts, &question) && !physics->failed)
        return question.count;
    cni_physics_world_reset(physics);
    return 0;
}

void cn_physics_request_impulses(CnWorld *world, CnEntity body)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniPhysicsWorld *physics = cni_physics_world_of(world);
    if (physics && body.id && !cn_bitset_set(&physics->measured, cn_entity_index(body)))
        cni_physics_world_reset(physics);
}

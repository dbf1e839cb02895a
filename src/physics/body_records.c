#include "physics/physics_internal.h"

static bool make_room(CniPhysicsWorld *physics, uint32_t index)
{
    CnU32Array *record_of = &physics->record_of;
    if (!cn_array_reserve(record_of, (uint64_t)index + 1))
        return false;
    while (record_of->count <= index)
        record_of->items[record_of->count++] = 0;
    if (!physics->free_records.count) {
        uint64_t next = (uint64_t)physics->records.count + 1;
        return cn_array_reserve(&physics->records, next) &&
               cn_array_reserve(&physics->free_records, next) &&
               cn_array_push(&physics->free_records, physics->records.count++);
    }
    return true;
}

static void forget_bits(CniPhysicsWorld *physics, uint32_t index)
{
    cn_bitset_clear(&physics->awake, index);
    cn_bitset_clear(&physics->moving, index);
    cn_bitset_clear(&physics->linked, index);
    cn_bitset_clear(&physics->touched, index);
    cn_bitset_clear(&physics->changed_or_moved, index);
}

CniPhysicsBody *cni_physics_record_of(CniPhysicsWorld *physics, CnEntity entity)
{
    uint32_t index = cn_entity_index(entity);
    CniPhysicsBody *body = cni_physics_body_at(physics, index);
    if (body && body->entity.id == entity.id)
        return body;
    if (body)
        cni_physics_record_drop(physics, body); /* of the entity that had this index before */
    if (!make_room(physics, index))
        return NULL;
    uint32_t record = cn_array_pop(&physics->free_records);
    physics->record_of.items[index] = record + 1;
    physics->record_count++;
    body = &physics->records.items[record];
    *body =
        (CniPhysicsBody){.entity = entity, .leaf = CNI_PHYSICS_NO_LEAF, .solver = CNI_PHYSICS_NONE};
    return body;
}

void cni_physics_record_drop(CniPhysicsWorld *physics, CniPhysicsBody *body)
{
    uint32_t index = cn_entity_index(body->entity);
    cni_physics_body_remove_shape(physics, body);
    forget_bits(physics, index);
    *body = (CniPhysicsBody){.leaf = CNI_PHYSICS_NO_LEAF, .solver = CNI_PHYSICS_NONE};
    physics->free_records.items[physics->free_records.count++] =
        (uint32_t)(body - physics->records.items); /* as many fit as there are records */
    physics->record_of.items[index] = 0;
    physics->record_count--;
}

void cni_physics_records_sweep(CniPhysicsWorld *physics)
{
    for (uint32_t i = 0; i < physics->records.count; i++) {
        CniPhysicsBody *body = &physics->records.items[i];
        if (body->entity.id && !cn_query_matches(physics->bodies, body->entity))
            cni_physics_record_drop(physics, body);
    }
}

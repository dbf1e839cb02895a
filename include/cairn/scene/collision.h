/*
 * Collision events. The physics system sends them; other systems read them in the same tick.
 *
 *     void count_hits(const CnChannel *channel, uint32_t *hit_count)
 *     {
 *         const CnCollision *hits = cn_events(channel, CnCollision);
 *         for (uint32_t i = 0; i < cn_event_count(channel); i++)
 *             *hit_count += hits[i].kind == CN_COLLISION_ENTER;
 *     }
 */
#ifndef CAIRN_SCENE_COLLISION_H
#define CAIRN_SCENE_COLLISION_H

#include <cairn/ecs/event.h>

CN_EXTERN_C_BEGIN

typedef enum CnCollisionKind { CN_COLLISION_ENTER, CN_COLLISION_LEAVE } CnCollisionKind;

/*
 * One event per pair, with a before b in entity order; the events of a tick are in order of pairs.
 * A leave event has only kind, a and b.
 *
 * point               the deepest contact, in world space
 * normal              points from b to a
 * impulse             the approach speed multiplied by the smaller mass, newton seconds
 * relative_velocity   of a, seen from b, at the point, before the collision changes it
 *
 * cn_physics_contacts (cairn/physics/physics.h) returns the same for bodies that keep touching.
 */
CN_COMPONENT(CnCollision, (u32, kind), (entity, a), (entity, b), (vec3, point), (vec3, normal),
             (f32, impulse), (vec3, relative_velocity));

CN_EXTERN_C_END

#endif

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

/* One event per pair, with a before b in entity order. A leave event has only kind, a and b. The
 * normal points from b to a; the impulse is the approach speed multiplied by the smaller mass. */
CN_COMPONENT(CnCollision, (u32, kind), (entity, a), (entity, b), (vec3, point), (vec3, normal),
             (f32, impulse));

CN_EXTERN_C_END

#endif

/*
 * Collisions, as events: whoever moves bodies sends them, whoever cares reads them in the same tick.
 *
 *     const CnCollision *hits = cn_events(channel, CnCollision);
 *     for (uint32_t i = 0; i < cn_event_count(channel); i++)
 *         if (hits[i].kind == CN_COLLISION_ENTER) ...
 */
#ifndef CAIRN_SCENE_COLLISION_H
#define CAIRN_SCENE_COLLISION_H

#include <cairn/ecs/event.h>

CN_EXTERN_C_BEGIN

typedef enum CnCollisionKind { CN_COLLISION_ENTER, CN_COLLISION_LEAVE } CnCollisionKind;

/* One per pair, a before b in entity order; of a leave only kind, a and b. The normal points from b to
 * a; impulse is the speed at which they met times the smaller mass. */
CN_COMPONENT(CnCollision, (u32, kind), (entity, a), (entity, b), (vec3, point), (vec3, normal),
             (f32, impulse));

CN_EXTERN_C_END

#endif

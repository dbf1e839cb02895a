/* Particle emitters as data, copied into the snapshot at the end of each tick. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_PARTICLE_EMITTER_H
#define CAIRN_SRC_SCENE_COMPONENT_PARTICLE_EMITTER_H

#include <cairn/ecs/world.h>

/* Adds the component, its reflection and the system ExtractParticles, once. */
bool cni_scene_particle_emitters_add(CnWorld *world, CnError *error);

#endif

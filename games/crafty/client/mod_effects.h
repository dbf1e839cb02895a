/*
 * Particles that mods ask for (sim/mod/mod_effect.h).
 *
 *     for (const CraftyModEffect *e; (e = cn_read_next(reader, CraftyModEffect));)
 *         crafty_mod_particles(emitters, voxels, e, eye); // other effects are ignored
 */
#ifndef CRAFTY_CLIENT_MOD_EFFECTS_H
#define CRAFTY_CLIENT_MOD_EFFECTS_H

#include "crafty/sim/mod/mod_effect.h"
#include "emitters.h"

#define CRAFTY_MOD_PARTICLES_REACH 64.0f /* blocks; nothing is seen from farther away */
#define CRAFTY_MOD_PARTICLES_MOST 64u    /* of one effect */

void crafty_mod_particles(CraftyEmitters *emitters, CnVoxels *voxels, const CraftyModEffect *effect,
                          CnVec3 eye);

#endif

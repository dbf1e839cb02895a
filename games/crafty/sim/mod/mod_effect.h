/*
 * Sounds and particles of mods, as events for clients. They are not part of the state.
 *
 *     CnEventReader *reader = cn_event_reader_create(cn_channel(world, CraftyModEffect), NULL);
 *     for (const CraftyModEffect *e; (e = cn_read_next(reader, CraftyModEffect));)
 *         show(e);
 */
#ifndef CRAFTY_SIM_MOD_MOD_EFFECT_H
#define CRAFTY_SIM_MOD_MOD_EFFECT_H

#include <cairn/ecs/event.h>
#include <cairn/script/sandbox.h>

#define CRAFTY_MOD_EFFECT_NAME_BYTES 64u

typedef enum CraftyModEffectKind {
    CRAFTY_MOD_EFFECT_SOUND,    /* `name`: of the mod (sounds/NAME.ogg) or of the game */
    CRAFTY_MOD_EFFECT_PARTICLES /* `choice`: a CraftyModParticles */
} CraftyModEffectKind;

typedef enum CraftyModParticles {
    CRAFTY_MOD_HEARTS,
    CRAFTY_MOD_POOF,     /* a small white cloud */
    CRAFTY_MOD_FEATHERS, /* slow flakes in `color` */
    CRAFTY_MOD_CRUMBS,   /* small pieces in `color` */
    CRAFTY_MOD_BLAST,    /* debris in `color`, smoke and a flash */
    CRAFTY_MOD_PARTICLES_COUNT
} CraftyModParticles;

/* `mod` is the name of the mod, in whose folder a sound is searched first. `count` of particles is
 * 1 to 64, `gain` of sounds 0 to 2, `pitch` 0.5 to 2; `color` is 0xRRGGBB. */
CN_COMPONENT(CraftyModEffect, (u8, kind), (u8, choice), (u16, count), (u32, color), (f32, gain),
             (f32, pitch), (vec3, position), (text, mod, 32),
             (text, name, CRAFTY_MOD_EFFECT_NAME_BYTES));

/* Sends an effect of the mod that calls; its name is set. */
bool crafty_mod_send_effect(CnLuaCall *call, CraftyModEffect *effect);
/* Adds the events. Calling it again is harmless. */
bool crafty_mod_effects_add(CnWorld *world, CnError *error);

#endif

/*
 * Appearance and sound of objects, as data: lights, meshes, animation clips, sounds. The renderer
 * and the audio system read them; a simulation without these behaves the same.
 *
 *     void furnish(CnWorld *world, CnEntity lamp, CnEntity box)
 *     {
 *         cn_add(world, lamp, CnLight);                                  // a white point light
 *         cn_get_mut(world, lamp, CnLight)->intensity = 10;
 *         cn_set(world, box, CnMeshRenderer, {.mesh = "assets://meshes/box.mesh",
 *                                             .material = "White", .visible = true,
 *                                             .casts_shadows = true});
 *     }
 *
 * cn_add creates a component with the defaults listed below; with cn_set, omitted fields are 0 or
 * false.
 *
 * The system ExtractObjects, in PreExtract, copies active lights, visible meshes and the active
 * camera into CnRenderOut, if the world has it, using the transforms computed by
 * PropagateTransforms. ExtractSounds sends audio commands for active sources that play, into
 * CnAudioOut: when one starts, changes or stops. ExtractParticles copies particle emitters.
 */
#ifndef CAIRN_SCENE_PRESENTATION_H
#define CAIRN_SCENE_PRESENTATION_H

#include <cairn/scene/camera.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

/* The set of the systems that scenes have in Update: animators, shaking cameras, controllers. */
#define CN_SCENE_UPDATE "Scene.update"
/* For `after` of a system in Update that runs alone or uses what these systems write:
 * CN_SCENE_UPDATE, or NULL when the world has none of them, because an order that names nothing is
 * an error. Not while systems run. */
CN_API const char *cn_scene_update_set(const CnWorld *world);

#define CN_ASSET_PATH_BYTES 128u
#define CN_ASSET_NAME_BYTES 64u

/*
 * - kind: a CnLightKind; lights shine along -z.
 * - color: linear; alpha is unused.
 * - range: point and spot lights give no light beyond this distance.
 * - inner, outer: of spot lights, the angle of the whole cone in degrees; full intensity inside
 *   `inner`, none outside `outer`.
 *
 * Defaults, also in files: a white point light of intensity 1 and range 25 that casts shadows;
 * cones of 30 and 45 degrees.
 */
CN_COMPONENT(CnLight, (u8, kind), (bool, shadows), (vec4, color), (f32, intensity), (f32, range),
             (f32, inner), (f32, outer));

/* Defaults: empty names, visible, casts shadows. */
CN_COMPONENT(CnMeshRenderer, (text, mesh, CN_ASSET_PATH_BYTES),
             (text, material, CN_ASSET_NAME_BYTES), (bool, visible), (bool, casts_shadows));

typedef enum CnAnimationMode {
    CN_ANIMATION_LOOP,
    CN_ANIMATION_ONCE,  /* stops at the end, and holds the last pose */
    CN_ANIMATION_RETURN /* at the end, continues with the clip that played before */
} CnAnimationMode;

/*
 * Plays an animation clip of the object's mesh, if it has joints or morph targets, at `speed`
 * times the normal speed (negative: backwards). The system AdvanceAnimators, in Update, advances
 * `seconds`, which wraps at CN_ANIMATION_WRAP. Without this component a mesh is in its rest pose.
 * cn_animator_play changes the clip. Defaults: clip 0, seconds 0, speed 1, playing, looping.
 *
 * mode           a CnAnimationMode
 * length         of the clip in seconds, where Once and Return end; 0: unknown, they loop
 * ended, ended_clip
 *                whether a clip has ended in this tick, and which one
 * blend, blend_left
 *                seconds of the transition from the clip before, and how many of them are left
 * from_*         the clip before, during the transition
 * return_*       what Return continues with
 */
CN_COMPONENT(CnAnimator, (u32, clip), (f32, seconds), (f32, speed), (bool, playing), (u8, mode),
             (bool, ended), (u32, ended_clip), (f32, length), (f32, blend), (f32, blend_left),
             (u32, from_clip), (f32, from_seconds), (f32, from_speed), (u32, return_clip),
             (f32, return_seconds), (f32, return_speed));

typedef struct CnAnimationPlay {
    uint32_t clip;
    CnAnimationMode mode;
    float length; /* seconds; required unless the clip loops */
    float speed;  /* 0 selects 1 */
    float blend;  /* seconds of the transition from the current pose, and back; 0: at once */
} CnAnimationPlay;

#define CN_ANIMATION_MAX_BLEND 60.0f /* seconds */

/* Plays a clip from its beginning, or from its end if the speed is negative. The object gets a
 * CnAnimator if it has none. Returns false if it does not exist, or when out of memory. */
CN_API bool cn_animator_play(CnWorld *world, CnEntity object, const CnAnimationPlay *play);

/* `sound` is a virtual path. Distances follow the model of cairn/audio/audio.h. A source without
 * `loop` plays once; set `playing` to false for a tick to play it again. Defaults: gain,
 * pitch, rolloff and reference_distance 1, max_distance 100, spatial, not playing. */
CN_COMPONENT(CnAudioSource, (text, sound, CN_ASSET_PATH_BYTES), (f32, gain), (f32, pitch),
             (f32, reference_distance), (f32, max_distance), (f32, rolloff), (bool, loop),
             (bool, spatial), (bool, playing));

/*
 * Emits particles from the object while it is active and `playing`. The renderer creates and moves
 * them (the feature "Scene particles"); they are not part of the state. The rotation of the object
 * turns `direction` and `extents`; its scale has no effect.
 *
 * rate, burst    particles per second, and at once when it starts
 * life, speed    of a particle: seconds, and m/s at its start
 * variation      of life, speed and size: 0 none, 1 from 0 to twice the value
 * direction      of the cone into which particles start
 * spread         angle in degrees between `direction` and the edge of the cone; 180: everywhere
 * gravity        m/s^2 downward
 * start_*, end_* diameter in meters and linear color with alpha, at the start and the end of a
 *                life
 * shape, extents a CnEmitterShape: where particles start; half the size of a box, and in x the
 *                radius of a sphere
 * local          particles move with the object
 * additive       the light of particles is added to what is behind them: sparks, fire
 *
 * Defaults: 20 per second from a point, no burst, life and speed 1, spread 30 upward, white discs
 * of 0.1 m that fade out, playing.
 */
CN_COMPONENT(CnParticleEmitter, (f32, rate), (u32, burst), (f32, life), (f32, speed),
             (f32, variation), (vec3, direction), (f32, spread), (f32, gravity), (f32, start_size),
             (f32, end_size), (vec4, start_color), (vec4, end_color), (vec3, extents), (u8, shape),
             (bool, local), (bool, additive), (bool, playing));

#define CN_MAX_PARTICLE_BURST 4096u /* particles */

/* Returns the style of the particles of an emitter, as in snapshots. */
CN_API CnParticleStyle cn_particle_style(const CnParticleEmitter *emitter);

/* A transient resource. */
typedef struct CnPresentation {
    CnQuery *lights; /* of active objects */
    struct CniSceneExtraction *extraction;
} CnPresentation;
CN_OPAQUE(CnPresentation);

/* For CnSystemDesc.access of systems that call cn_light_find_sun, cn_asset_count or cn_asset_name.
 */
#define CN_PRESENTATION_ACCESS                                                                     \
    cn_reads(CnPresentation), cn_reads(CnLight), cn_reads(CnObject), cn_reads(CnNode)

/* Flags of extracted items and lights. */
#define CN_RENDER_CASTS_SHADOWS 1u
/* For the light of a block: its light level, 1 to 15. It illuminates blocks only where block
 * light reaches. */
#define CN_RENDER_LEVEL(level) ((uint32_t)(level) << 8)

/* Adds the components, their reflection and the system ExtractObjects; includes cn_camera_add.
 * Calling it again has no effect. */
CN_API bool cn_presentation_add(CnWorld *world, CnError *error);

/* Returns the first active directional light in the order of cn_objects_with, or null. */
CN_API CnEntity cn_light_find_sun(CnWorld *world);

/* ---- Numbers of mesh and material names, as used in snapshots ---- Names are numbered from 1
 * in the order in which they are first seen. Numbers remain valid as long as the world's systems
 * exist, also when a state is loaded; 0 is the empty name. They are not part of the state. The
 * renderer polls for new names on the world's thread. */

#define CN_MAX_ASSETS 65536u /* further names are logged and have the number 0 */
CN_API uint32_t cn_asset_count(const CnWorld *world);
/* Returns the zero-terminated name, valid as long as the world; "" for 0 and unused numbers. */
CN_API const char *cn_asset_name(const CnWorld *world, uint32_t number);
/* Returns the number of a name, and assigns one if necessary; 0 for the empty name and when out
 * of memory. */
CN_API uint32_t cn_asset_number(CnWorld *world, CnText name);

CN_EXTERN_C_END

#endif

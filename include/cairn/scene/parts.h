/*
 * What objects look and sound like, as data: lights, meshes, clips, sounds. The renderer and the sound read
 * it; a simulation without them runs the same.
 *
 *     cn_add(world, lamp, CnLight);                                  // white, shines on all sides
 *     cn_get_mut(world, lamp, CnLight)->intensity = 10;
 *     cn_set(world, box, CnMeshRenderer, {.mesh = "assets://meshes/box.mesh", .material = "White",
 *                                         .visible = true, .casts_shadows = true});
 *
 * cn_add gives what is called "a new one" below; what cn_set does not name is 0 or false.
 *
 * A system of PreExtract, ExtractObjects, copies active lights, visible meshes and the active camera
 * into CnRenderOut, if the world has it. It shows them where PropagateTransforms found them.
 */
#ifndef CAIRN_SCENE_PARTS_H
#define CAIRN_SCENE_PARTS_H

#include <cairn/scene/camera.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

#define CN_ASSET_PATH_BYTES 128u
#define CN_ASSET_NAME_BYTES 64u

/*
 * kind       a CnLightKind; lights shine along -z
 * color      linear, alpha unused
 * range      point and spot: beyond it there is none
 * inner, outer  spot: degrees of the whole cone; full inside inner, nothing outside outer
 *
 * Of a new one, and of one in a file that does not say: a white point light of intensity 1 that
 * reaches 25 units and casts shadows; cones of 30 and 45 degrees.
 */
CN_COMPONENT(CnLight, (u8, kind), (bool, shadows), (vec4, color), (f32, intensity), (f32, range),
             (f32, inner), (f32, outer));

/* Of a new one: without names, visible, casts shadows. */
CN_COMPONENT(CnMeshRenderer, (text, mesh, CN_ASSET_PATH_BYTES),
             (text, material, CN_ASSET_NAME_BYTES), (bool, visible), (bool, casts_shadows));

/*
 * Plays a clip of the mesh of the object, if that has joints: over and over, from `seconds` on, `speed` times as
 * fast (negative: backwards). A system of Update, AdvanceAnimators, moves `seconds`, which wraps at
 * CN_ANIMATION_WRAP. Without one a mesh is in rest. Of a new one: clip 0, at its start, speed 1, playing.
 */
CN_COMPONENT(CnAnimator, (u32, clip), (f32, seconds), (f32, speed), (bool, playing));

/* sound: a virtual path. Distances as in OpenAL's inverse model. Of a new one: gain, pitch, rolloff and
 * reference 1, at most 100 units, spatial, silent. */
CN_COMPONENT(CnAudioSource, (text, sound, CN_ASSET_PATH_BYTES), (f32, gain), (f32, pitch),
             (f32, reference_distance), (f32, max_distance), (f32, rolloff), (bool, loop),
             (bool, spatial), (bool, playing));

/* A transient resource. */
typedef struct CnParts {
    CnQuery *lights; /* of active objects */
    struct CniExtraction *extraction;
} CnParts;
CN_OPAQUE(CnParts);

/* In CnSystemDesc.access of systems that call cn_find_sun, cn_asset_count or cn_asset_name. */
#define CN_PARTS_ACCESS cn_reads(CnParts), cn_reads(CnLight), cn_reads(CnObject), cn_reads(CnNode)

/* In the flags of what is extracted. */
#define CN_RENDER_CASTS_SHADOWS 1u
/* Of a light that is a block's: its level, 1 to 15. On blocks it shines only where block light comes to. */
#define CN_RENDER_LEVEL(level) ((uint32_t)(level) << 8)

/* Components, how they are shown, and the system ExtractObjects; cn_camera_add is part of it. Calling
 * it again is harmless. */
CN_API bool cn_parts_add(CnWorld *world, CnError *error);

/* The first active directional light in the order of cn_objects_with, or null. */
CN_API CnEntity cn_find_sun(CnWorld *world);

/* ---- Names of meshes and materials as the numbers in snapshots ----
 * They are given from 1 on in the order in which names are first seen, and stay as long as the
 * world's systems do, also when a state is loaded; 0 is the empty name. They are not part of the
 * state. Who draws asks on the world's thread for those that are new since it asked last. */

#define CN_MAX_ASSETS 65536u /* names beyond are logged and have the number 0 */
CN_API uint32_t cn_asset_count(const CnWorld *world);
/* Terminated; valid as long as the world. "" for 0 and for numbers that were not given. */
CN_API const char *cn_asset_name(const CnWorld *world, uint32_t number);
/* The number of a name, given now if need be; 0 for the empty name and when out of memory. */
CN_API uint32_t cn_asset_number(CnWorld *world, CnText name);

CN_EXTERN_C_END

#endif

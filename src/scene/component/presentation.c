#include "scene/component/camera_motion.h"
#include "scene/component/animator.h"
#include "scene/component/extract_objects.h"
#include "scene/component/extract_sounds.h"
#include "scene/component/particle_emitter.h"
#include "scene/object/first_active_object.h"

#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>

/* ---- Reflection ---- */

static const char *const light_kinds[] = {"Directional", "Point", "Spot", NULL};

static const CnReflectedField light_fields[] = {
    {.key = "lightType",
     .field = "kind",
     .kind = CN_REFLECTED_CHOICE,
     .choices = light_kinds,
     .about = "the kind of light"},
    {.key = "color",
     .field = "color",
     .minimum = 0,
     .maximum = 1e6,
     .about = "linear red, green, blue; alpha is unused"},
    {.key = "intensity",
     .field = "intensity",
     .minimum = 0,
     .maximum = 1e9,
     .about = "factor of the color"},
    {.key = "range",
     .field = "range",
     .minimum = 0,
     .maximum = 1e9,
     .unit = "m",
     .about = "point and spot: no light beyond this distance"},
    {.key = "innerAngle",
     .field = "inner",
     .minimum = 0,
     .maximum = 180,
     .unit = "degrees",
     .about = "spot: angle of the fully lit cone"},
    {.key = "outerAngle",
     .field = "outer",
     .minimum = 0,
     .maximum = 180,
     .unit = "degrees",
     .about = "spot: angle of the outer cone; no light outside"},
    {.key = "shadows", .field = "shadows", .about = "whether it casts shadows"},
};

static bool check_light(const void *value, CnError *error)
{
    const CnLight *light = value;
    return light->inner <= light->outer ||
           cn_error_set(error, CN_ERROR_MISMATCH, "innerAngle, %g, is greater than outerAngle, %g",
                        (double)light->inner, (double)light->outer);
}

static const CnReflectedField render_fields[] = {
    {.key = "material", .field = "material", .about = "name of a material of the scene"},
    {.key = "mesh", .field = "mesh", .about = "virtual path, such as assets://meshes/box.mesh"},
    {.key = "visible", .field = "visible", .about = "whether it is drawn"},
    {.key = "castsShadows", .field = "casts_shadows", .about = "whether it casts shadows"},
};

static const CnReflectedField audio_fields[] = {
    {.key = "sound", .field = "sound", .about = "virtual path, such as assets://sounds/hum.ogg"},
    {.key = "gain",
     .field = "gain",
     .minimum = 0,
     .maximum = 1000,
     .about = "volume; 1 is unchanged"},
    {.key = "pitch",
     .field = "pitch",
     .minimum = 0.01,
     .maximum = 100,
     .about = "playback rate; 1 is unchanged"},
    {.key = "referenceDistance",
     .field = "reference_distance",
     .minimum = 0,
     .maximum = 1e9,
     .unit = "m",
     .about = "distance up to which the volume is not attenuated"},
    {.key = "maxDistance",
     .field = "max_distance",
     .minimum = 0,
     .maximum = 1e9,
     .unit = "m",
     .about = "distance beyond which attenuation does not increase"},
    {.key = "rolloff",
     .field = "rolloff",
     .minimum = 0,
     .maximum = 1000,
     .about = "how fast the volume decreases with distance"},
    {.key = "loop", .field = "loop", .about = "whether it starts again at its end"},
    {.key = "spatial",
     .field = "spatial",
     .about = "whether the sound is positioned at the object"},
    {.key = "playing", .field = "playing", .about = "whether it is audible"},
};

static bool check_audio(const void *value, CnError *error)
{
    const CnAudioSource *source = value;
    return source->reference_distance <= source->max_distance ||
           cn_error_set(error, CN_ERROR_MISMATCH, "referenceDistance is greater than maxDistance");
}

static const CnReflectedType reflected_types[] = {
    {.name = "LightComponent",
     .type = &cn_type_CnLight,
     .fields = light_fields,
     .field_count = CN_COUNT_OF(light_fields),
     .check = check_light,
     .about = "a light; directional and spot lights shine along -z"},
    {.name = "MeshRendererComponent",
     .alias = "RenderComponent",
     .type = &cn_type_CnMeshRenderer,
     .fields = render_fields,
     .field_count = CN_COUNT_OF(render_fields),
     .about = "draws a mesh at the object"},
    {.name = "AudioSourceComponent",
     .type = &cn_type_CnAudioSource,
     .fields = audio_fields,
     .field_count = CN_COUNT_OF(audio_fields),
     .check = check_audio,
     .about = "plays a sound at the object"},
};

/* ---- Registration ---- */

static bool register_parts(CnWorld *world, CnError *error)
{
    static const CnLight light = {.kind = CN_LIGHT_POINT,
                                  .shadows = true,
                                  .color = {1, 1, 1, 1},
                                  .intensity = 1,
                                  .range = 25,
                                  .inner = 30,
                                  .outer = 45};
    static const CnMeshRenderer mesh = {.visible = true, .casts_shadows = true};
    static const CnAudioSource sound = {.gain = 1,
                                        .pitch = 1,
                                        .reference_distance = 1,
                                        .max_distance = 100,
                                        .rolloff = 1,
                                        .spatial = true};
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CnLight, .default_value = &light},
        {.type = &cn_type_CnMeshRenderer, .default_value = &mesh},
        {.type = &cn_type_CnAudioSource, .default_value = &sound},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(reflected_types); i++)
        if (!cn_reflection_add(world, &reflected_types[i], error))
            return false;
    return true;
}

bool cn_presentation_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_camera_add(world, error) && register_parts(world, error) &&
           cni_scene_animators_add(world, error) && cni_scene_camera_motion_add(world, error) &&
           cni_scene_extract_objects_add(world, error) &&
           cni_scene_extract_sounds_add(world, error) &&
           cni_scene_particle_emitters_add(world, error);
}

static bool is_sun(const void *value)
{
    return ((const CnLight *)value)->kind == CN_LIGHT_DIRECTIONAL;
}

CnEntity cn_light_find_sun(CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnPresentation *parts = cn_resource(world, CnPresentation);
    return cni_scene_first_object(parts ? parts->lights : NULL, &cn_type_CnLight, is_sun);
}
